"""Tests of the verb `referee` with generated events, planted faults and real events."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import Shell
from tests.data_events import find_data_folder

Rows = dict[str, list[dict[str, Any]]]


def make_event_file(shell: Shell, *words: object, ending: str = ".json") -> Path:
    shell.run("referee", "make", shell.folder / "out", "--events", 1, *words)
    return shell.folder / "out" / f"event-1{ending}"


def list_finding_codes(shell: Shell, file: Path, *words: object) -> set[str]:
    [report] = shell.run_json("referee", "check", file, *words, code=1)
    return {finding["code"] for finding in report["findings"]}


@pytest.mark.parametrize(
    ("kind", "ending"),
    [("json", ".json"), ("trf", ".trf"), ("tsh", ""), ("tourney.js", ".tourney.js")],
)
def test_referee_accepts_its_own_events(shell: Shell, kind: str, ending: str) -> None:
    file = make_event_file(shell, "--players", 41, "--rounds", 7, "--seed", 3, "--format", kind, ending=ending)
    [report] = shell.run_json("referee", "check", file)
    assert report["findings"] == []
    assert [round_["round"] for round_ in report["rounds"]] == [1, 2, 3, 4, 5, 6, 7]
    assert all(round_["cost"] == round_["optimum"] and round_["error"] is None for round_ in report["rounds"])


@pytest.mark.parametrize("system", ["king-of-the-hill", "round-robin", "australian"])
def test_referee_checks_each_system_by_its_own_rules(shell: Shell, system: str) -> None:
    file = make_event_file(
        shell, "--players", 9, "--rounds", 4, "--format", "trf", "--system", system, ending=".trf"
    )
    shell.run("referee", "check", file, "--system", system)


def test_referee_make_is_repeatable(shell: Shell) -> None:
    file = make_event_file(
        shell, "--players", "20-30", "--rounds", "5-6", "--seed", 8, "--format", "trf", ending=".trf"
    )
    content = file.read_bytes()
    assert (
        make_event_file(
            shell, "--players", "20-30", "--rounds", "5-6", "--seed", 8, "--format", "trf", ending=".trf"
        ).read_bytes()
        == content
    )
    assert sha256(content).hexdigest()[:16] == "27b2aa0a6d25074d"


@pytest.mark.slow
def test_referee_makes_realistic_events(shell: Shell) -> None:
    rows = json.loads(make_event_file(shell, "--players", 120, "--rounds", 8).read_text(encoding="utf-8"))
    assert {constraint["kind"] for constraint in rows["constraints"]} == {"never", "apart"}
    assert {absence.get("kind") for absence in rows["absences"]} == {None, "requested"}
    assert any(result.get("forfeit") for result in rows["results"])
    assert min(result["first"] for result in rows["results"] if result.get("first") is not None) > 50
    players_by_round = {round_["id"]: set[str]() for round_ in rows["rounds"]}
    for game in rows["games"]:
        players_by_round[game["round"]] |= {game["first"], game["second"]}
    assert (
        set.union(*players_by_round.values()) > players_by_round[rows["rounds"][0]["id"]]
    )  # at least one player arrives late


def test_referee_plays_only_some_rounds(shell: Shell) -> None:
    rows = json.loads(
        make_event_file(shell, "--players", 20, "--rounds", 8, "--played", 2).read_text(encoding="utf-8")
    )
    assert (len(rows["rounds"]), rows["stages"][0]["rounds"]) == (2, 8)


# --- chess reports ---


def chess_report(*rows: tuple[str, int, str]) -> str:
    """Return a TRF report. Each row has a total, a rank and the rounds of a player."""
    lines = (
        f"001 {number:>4}      {f'P{number}':<33} {1500 - number:>4} NED {'':>22} {total:>4} {rank:>4}{rounds}"
        for number, (total, rank, rounds) in enumerate(rows, 1)
    )
    return "012 X\n" + "".join(f"{line}\n" for line in lines)


UNPLAYED = chess_report(
    ("1.0", 2, "  0000 - H  0000 - H"),
    ("0.5", 4, "     5 b -     4 b ="),
    ("2.0", 1, "     4 w 1     5 b 1"),
    ("0.5", 5, "     3 b 0     2 w ="),
    ("1.0", 3, "     2 w +     3 w 0"),
)


@pytest.mark.parametrize("rules", ["wespa", "naspa-nwl", "nl-match", "es-file"])
def test_referee_keeps_points_of_rounds_without_a_game(shell: Shell, rules: str) -> None:
    event_file = shell.folder / "event.tdapp"
    shell.run("new", event_file, "--name", "Chess", "--rules", rules)
    output = shell.run("import", event_file, shell.write_file("e.trf", UNPLAYED))
    assert "but the rounds add up to" not in output
    rows = shell.run_json("standings", event_file)["rows"]
    assert {row["name"]: row["wins"] for row in rows} == {"P1": 1, "P2": 0.5, "P3": 2, "P4": 0.5, "P5": 1}
    games = shell.run_json("pairings", event_file, "--round", 1)["games"]
    assert [(game["first"], game["second"], game["status"]) for game in games] == [
        (5, 2, "entered"),
        (3, 4, "entered"),
    ]
    shell.run("export", event_file, shell.folder / "again.trf")
    player_lines = [
        line for line in (shell.folder / "again.trf").read_text().splitlines() if line.startswith("001")
    ]
    old_lines = [line for line in UNPLAYED.splitlines() if line.startswith("001")]
    assert [(line[80:84], line[89:]) for line in player_lines] == [(line[80:84], line[89:]) for line in old_lines]


@pytest.mark.parametrize("rules", ["wespa", "nl-match"])
def test_referee_accepts_unplayed_rounds(shell: Shell, rules: str) -> None:
    [report] = shell.run_json("referee", "check", shell.write_file("e.trf", UNPLAYED), "--rules", rules)
    assert report["findings"] == []


def test_referee_does_not_count_a_forfeit_win_as_bye(shell: Shell) -> None:
    report_text = chess_report(
        ("0.5", 5, "  0000 - H     4 w 0"),
        ("1.0", 2, "     5 b -     3 b 1"),
        ("1.0", 2, "     4 w 1     2 w 0"),
        ("1.0", 2, "     3 b 0     1 b 1"),
        ("2.0", 1, "     2 w +  0000 - U"),
    )
    finding_codes = list_finding_codes(shell, shell.write_file("e.trf", report_text), "--rules", "wespa")
    assert "referee-bye-above" in finding_codes
    assert "referee-bye-again" not in finding_codes
    assert "referee-bye-again" in list_finding_codes(
        shell,
        shell.write_file(
            "f.trf", report_text.replace("     2 w +", "  0000 - U").replace("     5 b -", "  0000 - Z")
        ),
        "--rules",
        "wespa",
    )


def test_referee_names_a_total_that_differs_from_the_rounds(shell: Shell) -> None:
    event_file = shell.folder / "event.tdapp"
    shell.run("new", event_file, "--name", "Chess", "--rules", "wespa")
    wrong_report = UNPLAYED.replace(" 2.0    1", " 2.5    1")
    output = shell.run("import", event_file, shell.write_file("e.trf", wrong_report))
    assert "e.trf, line 4: P3 has 2½ points, but the rounds add up to 2." in output


# --- planted faults ---


def _list_games(rows: Rows, number: int) -> list[dict[str, Any]]:
    round_ = next(round_["id"] for round_ in rows["rounds"] if round_["number"] == number)
    return [game for game in rows["games"] if game["round"] == round_]


def _swap_opponents(rows: Rows) -> None:
    games = _list_games(rows, 5)
    games[0]["second"], games[-1]["second"] = games[-1]["second"], games[0]["second"]


def _repeat_game(rows: Rows) -> None:
    first_game = _list_games(rows, 1)[0]
    games = [
        game
        for game in _list_games(rows, 5)
        if {game["first"], game["second"]} & {first_game["first"], first_game["second"]}
    ]
    ends = [end for game in games for end in (game["first"], game["second"])]
    other_players = [end for end in ends if end not in {first_game["first"], first_game["second"]}]
    games[0].update(first=first_game["first"], second=first_game["second"])
    games[1].update(first=other_players[0], second=other_players[1])


def _mark_absent(rows: Rows) -> None:
    rows["absences"].append({"id": "x", "player": _list_games(rows, 3)[2]["first"], "first_round": 3})


def _add_never_constraint(rows: Rows) -> None:
    game = _list_games(rows, 2)[1]
    rows["constraints"].append({"id": "x", "player": game["first"], "other": game["second"], "kind": "never"})


def _pair_player_twice(rows: Rows) -> None:
    games = _list_games(rows, 2)
    games[0]["second"] = games[1]["second"]


def _pair_player_with_himself(rows: Rows) -> None:
    game = _list_games(rows, 2)[0]
    game["second"] = game["first"]


def _swap_starters(rows: Rows) -> None:
    for game in _list_games(rows, 2):
        game["first"], game["second"] = game["second"], game["first"]


def _move_bye(rows: Rows, number: int, player: str) -> None:
    round_ = next(round_["id"] for round_ in rows["rounds"] if round_["number"] == number)
    bye = next(bye for bye in rows["byes"] if bye["round"] == round_ and bye["kind"] == "bye")
    for game in _list_games(rows, number):
        for end in ("first", "second"):
            if game[end] == player:
                game[end] = bye["player"]
    bye["player"] = player


def _give_second_bye(rows: Rows) -> None:
    numbers = {round_["id"]: round_["number"] for round_ in rows["rounds"]}
    byes = sorted((numbers[bye["round"]], bye["player"]) for bye in rows["byes"] if bye["kind"] == "bye")
    _move_bye(rows, byes[1][0], byes[0][1])


def _give_bye_to_a_higher_player(rows: Rows) -> None:
    games = _list_games(rows, 1)
    result = next(result for result in rows["results"] if result["id"] == games[0]["id"])
    _move_bye(rows, 2, games[0]["first" if result["first"] > result["second"] else "second"])


FAULTS: tuple[tuple[str, Callable[[Rows], None]], ...] = (
    ("referee-dearer", _swap_opponents),
    ("referee-dearer", _repeat_game),
    ("referee-absent", _mark_absent),
    ("referee-kept-apart", _add_never_constraint),
    ("referee-start", _swap_starters),
    ("referee-bye-again", _give_second_bye),
    ("referee-bye-above", _give_bye_to_a_higher_player),
    ("document-invalid", _pair_player_twice),
    ("document-invalid", _pair_player_with_himself),
)


@pytest.mark.parametrize(("code", "make_fault"), FAULTS, ids=[make_fault.__name__ for _, make_fault in FAULTS])
def test_referee_finds_a_planted_fault(shell: Shell, code: str, make_fault: Callable[[Rows], None]) -> None:
    file = make_event_file(shell, "--players", 31, "--rounds", 5, "--seed", 4)
    rows = json.loads(file.read_text(encoding="utf-8"))
    make_fault(rows)
    file.write_text(json.dumps(rows), encoding="utf-8")
    assert code in list_finding_codes(shell, file)


def test_referee_reports_a_repeated_game_with_both_costs(shell: Shell) -> None:
    file = make_event_file(shell, "--players", 30, "--rounds", 5, "--seed", 4)
    rows = json.loads(file.read_text(encoding="utf-8"))
    _repeat_game(rows)
    file.write_text(json.dumps(rows), encoding="utf-8")
    [report] = shell.run_json("referee", "check", file, code=1)
    facts = next(finding["facts"] for finding in report["findings"] if finding["code"] == "referee-dearer")
    assert (facts["round"], facts["criterion"], facts["cost"], facts["least"]) == (5, "repeats", 1, 0)
    assert "  Round 5, repeats: 1, but a pairing with 0 was possible (tables" in shell.run(
        "referee", "check", file, code=1
    )


def test_referee_recomputes_ranks(shell: Shell) -> None:
    file = make_event_file(shell, "--players", 30, "--rounds", 5, "--format", "trf", ending=".trf")
    lines = file.read_text(encoding="utf-8").splitlines()
    index = next(
        index for index, line in enumerate(lines) if line.startswith("001") and line[85:89].strip() == "3"
    )
    lines[index] = f"{lines[index][:85]}   9{lines[index][89:]}"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert list_finding_codes(shell, file) == {"referee-rank"}
    assert "place 9, but the ranking order gives place 3" in shell.run("referee", "check", file, code=1)


def test_referee_finds_a_player_paired_with_himself(shell: Shell) -> None:
    file = shell.write_file("a.t", "One 1500 1; 400\nTwo 1400 2; 300\n")
    assert list_finding_codes(shell, file) == {"tsh-against-self"}
    assert list_finding_codes(shell, shell.write_file("b.t", "A 3 2; 1\nB 2 1; 2\nC 1 1; 3\n")) == {
        "tsh-asymmetric"
    }


def test_referee_refuses_an_unreadable_file_in_one_line(shell: Shell) -> None:
    assert "does not recognise" in shell.run_refused(
        "referee", "check", shell.write_file("x.bin", "nothing at all")
    )
    assert "only players" in shell.run_refused(
        "referee", "check", shell.write_file("p.csv", "name;rating\nOne;1500\n")
    )
    assert "The pairing systems are: swiss, " in shell.run_refused(
        "referee", "check", shell.folder / "x", "--system", "none"
    )
    assert "one folder" in shell.run_refused("referee", "make", "a", "b")
    assert "is not between" in shell.run_refused("referee", "make", shell.folder, "--players", "30-20")
    assert "is not between" in shell.run_refused("referee", "make", shell.folder, "--played", 0)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", ["kingston2023_a.t", "mgi2022_a.t"])
def test_referee_reads_a_real_event(shell: Shell, name: str) -> None:
    [report] = shell.run_json("referee", "check", find_data_folder() / "events" / name, code=1)
    assert len(report["rounds"]) >= 12
    assert all(round_["error"] is None for round_ in report["rounds"])
    stale_codes = [
        finding["facts"]["round"] for finding in report["findings"] if finding["code"] == "referee-rank"
    ]
    assert stale_codes == ([20, 21] if name.startswith("kingston") else [])


@pytest.mark.data
def test_referee_reads_a_real_feed(shell: Shell) -> None:
    [report] = shell.run_json("referee", "check", find_data_folder() / "feeds" / "test22-tourney.js", code=1)
    assert "referee-dearer" in {finding["code"] for finding in report["findings"]}
