"""Tests of the verbs: exit codes, JSON keys, error lines and unchanged files after errors."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tdapp import cli
from tests.building import RESOURCES
from tests.cli.shell import PLAYERS, Shell

Run = Callable[..., Any]


def test_rulesets_lists_the_presets(shell: Shell) -> None:
    rule_sets = {item["id"]: item for item in shell.run_json("rulesets")}
    assert rule_sets.keys() >= {
        "nl-match",
        "nl-match-earlier",
        "nl-points",
        "no-nsf",
        "de-scrabble",
        "be-brailleliga",
    }
    assert rule_sets.keys() >= {"wespa", "naspa-nwl", "naspa-collins", "es-file", "fr-classique", "sv-ssf"}
    assert (rule_sets["no-nsf"]["language"], rule_sets["be-brailleliga"]["tileset"]) == ("nb", "nl-be-old")


def test_verbs_run_a_tournament_from_start_to_finish(shell: Shell, event_file: Path) -> None:
    for number in range(1, 6):
        pairing = shell.run_json("pair", event_file)
        assert (pairing["round"], pairing["published"], pairing["system"]) == (number, True, "swiss")
        assert len(pairing["games"]) == 3
        assert [bye["kind"] for bye in pairing["byes"]] == ["bye"]
        for game in pairing["games"]:
            shell.run("result", event_file, "--round", number, "--table", game["table"], 400 + game["first"], 390)
    standings = shell.run_json("standings", event_file)
    assert standings["order"] == ["wins", "resistance", "spread"]
    assert [set(row) >= {"rank", "player", "name", "games", "wins", "losses", "spread", "points", "resistance",
                         "starts", "active"} for row in standings["rows"]] == [True] * 7  # fmt: skip
    assert sum(row["wins"] for row in standings["rows"]) == 5 * 3 + 5
    assert standings["after"] == 5
    early_standings = shell.run_json("standings", event_file, "--after", 1)
    assert sum(row["games"] for row in early_standings["rows"]) == 7
    check_result = shell.run_json("check", event_file)
    assert (check_result["sound"], check_result["damage"]) == (True, [])


def test_result_keeps_the_award_of_a_repeated_forfeit(shell: Shell, event_file: Path) -> None:
    table = shell.run_json("pair", event_file)["games"][0]
    table_options = ("--round", 1, "--table", table["table"])

    def list_own_starts() -> list[tuple[int, bool]]:
        return [
            (row["player"], row["own"]) for row in shell.run_json("bye", event_file) if row["player"] in players
        ]

    players = (table["first"], table["second"])
    shell.run("result", event_file, *table_options, "--forfeit", 1)
    shell.run("bye", event_file, table["second"], "--points", 350)
    shell.run("result", event_file, *table_options, "--forfeit", 1)
    assert list_own_starts() == [(table["second"], True)]
    shell.run("result", event_file, *table_options, "--forfeit", 2)
    assert list_own_starts() == [(table["first"], False)]
    shell.run("result", event_file, *table_options, "--forfeit", 1)
    assert list_own_starts() == [(table["second"], False)]


def test_bye_sets_the_award_of_one_player(shell: Shell, event_file: Path) -> None:
    pairing = shell.run_json("pair", event_file)
    number, table = pairing["byes"][0]["player"], pairing["games"][0]
    shell.run("result", event_file, "--round", 1, "--table", table["table"], "--forfeit", 1)
    shell.run("bye", event_file, number, "--points", 350)
    shell.run("bye", event_file, table["second"], "--by", "field-average")
    shell.run("result", event_file, "--round", 1, "--table", pairing["games"][1]["table"], 400, 300)
    byes = {row["player"]: row for row in shell.run_json("bye", event_file)}
    assert [(byes[player]["own"], byes[player]["awarded"]) for player in (number, table["second"])] == [
        (True, 350),
        (True, 350),
    ]
    assert shell.run_json("pairings", event_file)["byes"][0]["awarded"] == 350
    assert "350" in shell.run("bye", event_file)
    for arguments in (["--by", "rules", "--points", 3], []):
        assert "either --by" in shell.run_refused("bye", event_file, number, *arguments)
    assert "1000" in shell.run_refused("bye", event_file, number, "--points", 1001)
    assert "has no bye" in shell.run_refused("bye", event_file, table["first"], "--points", 3)
    shell.run("bye", event_file, number, "--by", "rules")
    assert {row["player"]: row["own"] for row in shell.run_json("bye", event_file)}[number] is False
    shell.run("undo", event_file)
    assert {row["player"]: row["awarded"] for row in shell.run_json("bye", event_file)}[number] == 350


def test_pair_can_wait_for_the_jury(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)
    for table in (1, 2, 3):
        shell.run("result", event_file, "--round", 1, "--table", table, 412, 388)
    assert "checked" not in shell.run("standings", event_file)
    shell.run("do", event_file, "set-check-first", "check_first=yes")
    assert "tables 1–3" in shell.run_refused("pair", event_file)
    shell.run("do", event_file, "check-result", "round=1", "table=2")
    standings = shell.run_json("standings", event_file)
    assert (standings["checked"], standings["unchecked"]) == (1, 2)
    assert "1 of 3 games checked" in shell.run("standings", event_file)
    for table in (1, 3):
        shell.run("do", event_file, "check-result", "round=1", f"table={table}")
    assert shell.run_json("pair", event_file)["round"] == 2


@pytest.mark.parametrize(
    ("rules", "options", "is_waiting"),
    [
        ("nl-match", (), True),
        ("nl-match", ("--no-check-first",), False),
        ("no-nsf", (), False),
        ("no-nsf", ("--check-first",), True),
    ],
)
def test_new_follows_the_jury_setting_of_the_rule_set(
    shell: Shell, rules: str, options: tuple[str, ...], is_waiting: bool
) -> None:
    file, names = shell.folder / "first.tdapp", shell.folder / "first.csv"
    names.write_text("name\nAnn\nBob\nCas\nDee\n", encoding="utf-8")
    shell.run("new", file, "--name", "First", "--rules", rules, *options)
    shell.run("import", file, names)
    for game in shell.run_json("pair", file)["games"]:
        shell.run("result", file, "--table", game["table"], 412, 388)
    problems = shell.run_json("check", file)["problems"]
    if is_waiting:
        assert any("checked" in problem for problem in problems)
        assert "not checked" in shell.run_refused("pair", file)
    else:
        assert not any("checked" in problem for problem in problems)
        assert shell.run_json("pair", file)["round"] == 2


def test_do_change_rules_reports_the_jury_check(shell: Shell, event_file: Path) -> None:
    note_text = "Rounds may be paired before all results are checked. Set check_first=yes to change that."
    shell.run("do", event_file, "change-rules", "ruleset=no-nsf")
    assert note_text in shell.run_json("do", event_file, "change-rules", "ruleset=nl-match")["text"]
    shell.run("undo", event_file)
    assert note_text in shell.run("do", event_file, "change-rules", "ruleset=nl-match")
    shell.run("do", event_file, "change-rules", "ruleset=no-nsf")
    text = shell.run_json("do", event_file, "change-rules", "ruleset=nl-match", "check_first=yes")["text"]
    assert "before all results are checked" not in text
    assert "Round" in shell.run_json("do", event_file, "change-rules", "ruleset=no-nsf")["text"]


def test_pairings_json_has_the_stable_keys(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)
    shell.run("result", event_file, "--round", 1, "--table", 1, 412, 388)
    document = shell.run_json("pairings", event_file, "--round", 1)
    assert set(document) >= {"division", "round", "system", "published", "games", "byes", "cost"}
    game = document["games"][0]
    assert (game["score1"], game["score2"], game["status"], game["repeat"]) == (412, 388, "entered", 0)
    assert game["reason"]
    assert document["games"][1]["score1"] is None
    assert document["games"][1]["status"] == "open"
    shell.run("do", event_file, "dispute-result", "round=1", "table=1", "first=430", "second=388")
    assert shell.run_json("pairings", event_file)["games"][0]["status"] == "entered"
    assert set(document["cost"]) >= {"repeats", "score_difference"}
    assert {"player", "name", "kind", "spread"} <= set(document["byes"][0])
    assert document["byes"][0]["spread"] == 50


def test_do_keeps_changes_and_clears_a_field(shell: Shell, event_file: Path) -> None:
    def get_rating() -> object:
        return shell.run_json("players", event_file)[0]["rating"]

    shell.run("do", event_file, "edit-player", "player=1", "rating=1234")
    shell.run("do", event_file, "edit-player", "player=1", "club=Elsewhere", "no_rating=no")
    assert get_rating() == 1234
    shell.run("do", event_file, "edit-player", "player=1", "no_rating=yes")
    assert get_rating() is None


def test_undo_and_redo_restore_a_step(shell: Shell, event_file: Path) -> None:
    old_content = shell.run_json("players", event_file)
    shell.run("withdraw", event_file, 3)
    assert shell.run_json("players", event_file)[2]["status"] == "withdrawn"
    shell.run("undo", event_file)
    assert shell.run_json("players", event_file) == old_content
    shell.run("redo", event_file)
    assert shell.run_json("players", event_file)[2]["status"] == "withdrawn"
    shell.run("return", event_file, 3)
    assert shell.run_json("players", event_file)[2]["status"] == "active"
    steps = shell.run_json("history", event_file)
    assert [step["label"] for step in steps][:2] == ["return-player", "withdraw-player"]
    assert all(step["text"] for step in steps)


def test_verbs_accept_a_number_or_a_part_of_a_name(shell: Shell, event_file: Path) -> None:
    players = shell.run_json("players", event_file)
    name = players[2]["name"].lower()
    shell.run("withdraw", event_file, name)
    assert shell.run_json("players", event_file)[2]["status"] == "withdrawn"
    shell.run("return", event_file, name)
    assert shell.run_json("players", event_file)[2]["status"] == "active"
    shell.run("do", event_file, "withdraw-player", f"player={name}")
    assert shell.run_json("players", event_file)[2]["status"] == "withdrawn"
    assert "No player is called nowhere" in shell.run_refused("withdraw", event_file, "nowhere")
    assert "matches several players" in shell.run_refused("withdraw", event_file, "a")


def test_standings_counts_the_margin_of_a_forfeit(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)
    shell.run("result", event_file, "--round", 1, "--table", 2, "--forfeit", 1)
    game = shell.run_json("pairings", event_file, "--round", 1)["games"][1]
    assert (game["forfeit"], game["score1"]) == ("1", None)
    rows = {row["player"]: row for row in shell.run_json("standings", event_file)["rows"]}
    assert (rows[game["second"]]["wins"], rows[game["second"]]["spread"]) == (1, 50)
    assert (rows[game["first"]]["losses"], rows[game["first"]]["spread"]) == (1, -50)


@pytest.mark.parametrize(
    ("words", "error_text"),
    [
        (("standings", "{event}", "--division", "Q"), "Q"),
        (("standings", "{event}", "--after", "9"), "9"),
        (("pairings", "{event}", "--round", "3"), "3"),
        (("result", "{event}", "--round", "1", "--table", "1", "1", "2"), "1"),
        (("withdraw", "{event}", "99"), "99"),
        (("bracket", "{event}"), "A"),
        (("redo", "{event}"), ""),
        (("print", "{event}", "sonnets", "-o", "x.pdf"), "sonnets"),
        (("export", "{event}", "x.docx"), "docx"),
        (("players", "{folder}/none.tdapp"), "none.tdapp"),
        (("import", "{event}", "{folder}/none.csv"), "none.csv"),
        (("new", "{event}", "--name", "Again", "--rules", "nl-match"), "event.tdapp"),
        (("new", "{folder}/x.tdapp", "--name", "X", "--rules", "whist"), "whist"),
        (("new", "{folder}/x.tdapp", "--name", "X", "--rules", "nl-match", "--system", "lottery"), "lottery"),
        (("do", "{event}", "fly"), "fly"),
        (("do", "{event}", "add-player", "name=X", "colour=red"), "colour"),
        (("do", "{event}", "add-player"), "name"),
        (("do", "{event}", "add-player", "name=X", "rating=high"), "high"),
        (("do", "{event}", "add-player", "name"), "name"),
        (("do", "{event}", "set-order", "order=luck"), "luck"),
        (("do", "{event}", "remove-table-group", "group=1"), "no longer exists"),
        (("do", "{event}", "edit-player", "player=1", "seen=x"), "seen"),
        (("do", "{event}", "set-absence", "player=1", "first_round=2", "last_round=99999999999"), "99999999999"),
        (("what-if", "{event}", "0"), "no player 0"),
        (("do", "{event}", "edit-stage", "stage=1", "settings=" + "[" * 100_000), "settings"),
        (("do", "{event}", "edit-stage", "stage=1", 'settings={{"max_repeats": -1}}'), "Repeats allowed"),
        (("export", "{event}", "{folder}/x.csv", "--round", "9"), "no round 9"),
        (("demo", "{folder}/x.tdapp", "--players", "1"), "Players"),
        (("demo", "{folder}/x.tdapp", "--rounds", "0"), "Rounds"),
    ],
)
def test_user_errors_are_one_line_and_change_nothing(
    shell: Shell, event_file: Path, words: tuple[str, ...], error_text: str
) -> None:
    old_content = shell.run_json("history", event_file)
    arguments = [word.format(event=event_file, folder=shell.folder) for word in words]
    assert error_text in shell.run_refused(*arguments)
    assert shell.run_json("history", event_file) == old_content
    assert not (shell.folder / "x.tdapp").exists()


BAD_SOURCES = {
    "empty": b"",
    "binary": bytes(range(256)) * 20,
    "no name": b"rating;club\n1500;Leiden\n",
    "duplicate": b"name\nAnna\nBert\nanna\n",
    "bad number": b"name;number\nAnna;1tall\n",
    "crooked t": b"Anna 1500 2; 400; p12 1\nBert 1500 0; 50; p12 0\n",
    "half json": b'{"format": "tdapp", "version": 1, ',
    "newer json": b'{"format": "tdapp", "version": 99, "kinds": {}}',
    "long": b"name\n" + b"".join(b"P%d\n" % n for n in range(100_000)),
}


@pytest.mark.parametrize("name", BAD_SOURCES)
def test_import_of_a_bad_file_imports_nothing(shell: Shell, event_file: Path, name: str) -> None:
    old_content = shell.run_json("players", event_file)
    source = shell.write_file("bad.txt", BAD_SOURCES[name])
    assert "bad.txt" in shell.run_refused("import", event_file, source)
    assert shell.run_json("players", event_file) == old_content
    assert len(shell.run_json("history", event_file)) == 1


def test_results_enters_a_list_completely_or_not_at_all(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)
    bad_list = shell.write_file("bad.csv", "round,table,score1,score2\n1,1,400,300\n1,9,1,2\n")
    assert "9" in shell.run_refused("results", event_file, bad_list)
    assert shell.run_json("pairings", event_file, "--round", 1)["games"][0]["status"] == "open"
    good_list = shell.write_file("good.csv", "table;round;score2;score1\n1;1;300;400\n2;1;380;350\n3;1;400;400\n")
    shell.run("results", event_file, good_list)
    games = shell.run_json("pairings", event_file, "--round", 1)["games"]
    assert [(game["score1"], game["score2"]) for game in games] == [(400, 300), (350, 380), (400, 400)]


def test_export_and_import_of_a_whole_tournament(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)
    shell.run("export", event_file, shell.folder / "all.json")
    shell.run("import", shell.folder / "copy.tdapp", shell.folder / "all.json")
    copy = shell.folder / "copy.tdapp"
    assert shell.run_json("pairings", copy, "--round", 1) == shell.run_json("pairings", event_file, "--round", 1)
    shell.run("export", event_file, shell.folder / "a.t")
    shell.run("import", event_file, shell.folder / "a.t", "--division", "B")
    second_copy = shell.run_json("players", event_file)
    assert [row["name"] for row in second_copy[:7]] == [row["name"] for row in second_copy[7:]]
    assert {row["division"] for row in second_copy} == {"A", "B"}
    assert "A, B" in shell.run_refused("standings", event_file)
    assert shell.run_json("standings", event_file, "--division", "b")["order"] == ["wins", "resistance", "spread"]


def test_snapshot_makes_a_new_tournament(shell: Shell, event_file: Path) -> None:
    shell.run("snapshot", event_file, shell.folder / "copy.tdapp")
    shell.run("withdraw", event_file, 1)
    assert shell.run_json("players", shell.folder / "copy.tdapp")[0]["status"] == "active"


def test_erase_removes_personal_data(shell: Shell, event_file: Path) -> None:
    shell.run("import", event_file, shell.write_file("more.csv", "number;name;club\n8;Ødegård, Åse;Sandviken\n"))
    copies = shell.folder / "event snapshots"
    copies.mkdir()
    shell.run("snapshot", event_file, copies / "2026-11-21 10.00.00Z named r2.tdapp")
    erasure = shell.run_json("erase", event_file, 8, "--snapshots")
    assert (erasure["text"], erasure["snapshots_deleted"]) == ("Personal data erased: Player 8", 1)
    assert list(copies.iterdir()) == []
    assert not {
        trace_text for trace_text in ("Ødegård", "Sandviken") if trace_text.encode() in event_file.read_bytes()
    }
    assert "earlier changes" in shell.run_refused("undo", event_file)
    assert "--everybody" in shell.run_refused("erase", event_file)
    assert "--everybody" in shell.run_refused("erase", event_file, 1, "--everybody")
    shell.run("import", event_file, shell.write_file("later.csv", "number;name\n9;Berg, Anna\n"))
    shell.run("snapshot", event_file, copies / "2026-11-21 11.00.00Z named r3.tdapp")
    shell.run("print", event_file, "players", "-o", shell.folder / "players.pdf")
    erasure_of_all = shell.run_json("erase", event_file, "--everybody")
    assert erasure_of_all["facts"]["count"] == 9
    assert erasure_of_all["snapshots_left"] == [str(copies / "2026-11-21 11.00.00Z named r3.tdapp")]
    assert any("Printouts" in line and "Player" in line for line in erasure_of_all["not_reached"])
    output = shell.run("erase", event_file, "--everybody", "--lang", "en")
    assert "Copies of the file elsewhere" in output
    assert str(copies) in output.partition("Use --snapshots to delete them:")[2]


@pytest.mark.slow
def test_print_lists_and_prints_reports(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)
    names = [line.split()[0] for line in shell.run("print", "--list").splitlines()]
    assert {"pairings-by-table", "pairings-by-name", "standings", "players"} <= set(names)
    printed_names = []
    for name in names:
        target = shell.folder / f"{name}.pdf"
        words = map(str, ("print", event_file, name, "-o", target, "--lang", "nl", "--paper", "letter"))
        code = cli.run_command_line([*words], resources=RESOURCES)
        assert code == (0 if target.exists() else 2)  # empty reports are not printed
        printed_names += [name] if target.exists() and target.read_bytes().startswith(b"%PDF") else []
    assert {"pairings-by-table", "pairings-by-name", "slips", "players", "badges", "score-sheets"} <= {
        *printed_names
    }
    assert "fees" not in printed_names


def test_bracket_shows_a_knockout(shell: Shell) -> None:
    file = shell.folder / "k.tdapp"
    shell.run(
        "new",
        file,
        "--name",
        "K",
        "--rules",
        "nl-match",
        "--no-check-first",
        "--system",
        "knockout",
        "--rounds",
        3,
    )
    shell.run("import", file, shell.write_file("players.csv", PLAYERS))
    shell.run("pair", file)
    matches = shell.run_json("bracket", file)["matches"]
    assert len([match for match in matches if match["round"] == 1]) == 4
    assert matches[0]["players"] == [1, None]
    assert matches[0]["winner"] == 1


def test_do_runs_any_command_by_its_id(shell: Shell, event_file: Path) -> None:
    document = shell.run_json("do", "--list")
    assert document["swap-players"] == {
        "round": "RoundId", "player": "PlayerId", "other": "PlayerId", "division": "DivisionId?"
    }  # fmt: skip
    assert "division" not in document["edit-event"]
    shell.run("do", event_file, "propose-round")
    draft = shell.run_json("pairings", event_file, "--round", 1)
    assert draft["published"] is False
    first_player, two_players = draft["games"][0]["first"], draft["games"][1]["first"]
    shell.run("do", event_file, "swap-players", "round=1", f"player={first_player}", f"other={two_players}")
    shell.run("do", event_file, "set-table", "round=1", "table=1", "game=1/2")
    shell.run("do", event_file, "publish-round", "round=1")
    shell.run("do", event_file, "enter-result", "round=1", "table=1", "first=400", "second=300")
    pairings = shell.run_json("pairings", event_file, "--round", 1)
    first_table = next(game for game in pairings["games"] if first_player in {game["first"], game["second"]})
    assert first_table["table"] != draft["games"][0]["table"] or first_table != draft["games"][0]
    shell.run("do", event_file, "edit-stage", "stage=1", 'settings={"style": "fold", "avoid": ["club"]}')
    assert (
        "settings" in shell.run_refused("do", event_file, "edit-stage", "stage=1", 'settings={"shape": 1}').lower()
    )
    shell.run("do", event_file, "check-in", "players=1,2,3")
    assert [row["checked_in"] for row in shell.run_json("players", event_file)[:4]] == [True, True, True, False]


def test_do_names_a_group_of_tables_by_its_number(shell: Shell, event_file: Path) -> None:
    shell.run("do", event_file, "add-table-group", "name=Hall", "first=1", "last=9")
    shell.run("do", event_file, "edit-table-group", "group=1", "last=4")
    assert "1 is not between" in shell.run_refused(
        "do", event_file, "edit-table-group", "group=1", "first=5", "last=1"
    )
    shell.run("do", event_file, "remove-table-group", "group=1")


def test_standings_explains_ranks_and_rounds_without_a_game(shell: Shell, event_file: Path) -> None:
    assert shell.run_json("standings", event_file)["unplayed"] == "plain"
    shell.run("do", event_file, "set-order", "order=wins,resistance", "unplayed=fide-2026")
    standings = shell.run_json("standings", event_file)
    assert (standings["order"], standings["unplayed"]) == (["wins", "resistance"], "fide-2026")
    *upper_rows, last = standings["rows"]
    assert last["why"] is None
    for row, next_row in zip(upper_rows, standings["rows"][1:], strict=True):
        assert row["why"]["other"] == next_row["name"]
        assert row["name"] in row["why"]["sentence"]
    shell.run("undo", event_file)
    assert shell.run_json("standings", event_file)["unplayed"] == "plain"
    assert "fide-1924" in shell.run_refused("do", event_file, "set-order", "order=wins", "unplayed=fide-1924")


def test_demo_makes_a_complete_tournament(shell: Shell) -> None:
    file = shell.folder / "demo.tdapp"
    shell.run("demo", file, "--players", 9, "--rounds", 4, "--seed", 3)
    standings = shell.run_json("standings", file)
    assert len(standings["rows"]) == 9
    assert standings["after"] == 4
    copy = shell.folder / "again.tdapp"
    shell.run("demo", copy, "--players", 9, "--rounds", 4, "--seed", 3)
    assert shell.run_json("standings", copy) == standings


def test_do_refuses_an_absence_beyond_the_planned_rounds(shell: Shell, event_file: Path) -> None:
    error = shell.run_refused("do", event_file, "miss-round", "players=1", "round_number=6")
    assert "Round 6 is not planned: the planned rounds are 1–5." in error


def test_language_option_supports_every_language(shell: Shell, event_file: Path) -> None:
    errors = {language: shell.run_refused("pairings", event_file, "--round", 4, "--lang", language) for language in
            ("en", "nl", "nb", "de")}  # fmt: skip
    assert len(set(errors.values())) == 4


def test_result_names_the_replaced_result(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)
    assert shell.run("result", event_file, "--round", 1, "--table", 1, 412, 388) == ""
    assert "412 – 388" in shell.run("result", event_file, "--round", 1, "--table", 1, 400, 388)


def test_verbs_print_one_document_each(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)
    results_by_verb = {
        "withdraw-player": ("withdraw", event_file, 3, "--from-round", 2),
        "return-player": ("return", event_file, 3),
        "enter-result": ("result", event_file, "--round", 1, "--table", 1, 400, 300),
    }
    for label, words in results_by_verb.items():
        assert shell.run_json(*words)["label"] == label
    assert shell.run_json("undo", event_file)["undoes"] == shell.run_json("history", event_file)[1]["seq"]
    assert shell.run_json("redo", event_file)["label"] == "enter-result"
    files = {
        "copy.tdapp": ("snapshot", event_file, shell.folder / "copy.tdapp"),
        "all.json": ("export", event_file, shell.folder / "all.json"),
        "a.pdf": ("print", event_file, "standings", "-o", shell.folder / "a.pdf"),
        "demo.tdapp": ("demo", shell.folder / "demo.tdapp", "--players", 4, "--rounds", 1),
    }
    for name, words in files.items():
        assert shell.run_json(*words)["file"] == str(shell.folder / name)
        assert (shell.folder / name).exists()
    assert "standings" in shell.run_json("print", "--list")


def test_times_plans_shows_and_refuses_times(shell: Shell, event_file: Path) -> None:
    assert shell.run_json("times", event_file)["rounds"] == []
    shell.run("do", event_file, "edit-event", "date=2026-11-28", "zone=Europe/Amsterdam")
    document = shell.run_json("times", event_file, "10.00 +65, 3: 2/9:30")
    assert document["times"] == "10:00 +65, 3: 2/09:30"
    assert document["rounds"][2] == {"round": 3, "day": 2, "time": "09:30", "at": "2026-11-29T09:30:00+01:00"}
    assert "29 November 2026, 09:30" in shell.run("times", event_file)
    assert "9:00" in shell.run_refused("times", event_file, "10:00, 9:00")
    assert shell.run_json("times", event_file)["times"] == document["times"]
    target = event_file.parent / "event.ics"
    shell.run("export", event_file, target, "--format", "ics")
    assert b"DTSTART:20261129T083000Z\r\n" in target.read_bytes()
    shell.run("undo", event_file)
    assert shell.run_json("times", event_file)["rounds"] == []
    assert "11:00" in shell.run("times", event_file, "9:55 +65")  # its new value


def test_export_of_a_calendar_reads_text_dates_and_has_events(shell: Shell, event_file: Path) -> None:
    target = event_file.parent / "event.ics"
    export = "export", event_file, target, "--format", "ics"
    assert "no round times are set for division A" in shell.run_refused(*export)
    shell.run("times", event_file, "10:00 +65")
    assert "the tournament has no date" in shell.run_refused(*export)
    shell.run("do", event_file, "edit-event", "date=Easter 2027")
    assert "the date “Easter 2027” is unclear" in shell.run_refused(*export)
    assert not target.exists()
    for date_text in ("27 March 2027", "27.–29. März 2027", "March 27-29, 2027"):
        shell.run("do", event_file, "edit-event", f"date={date_text}")
        shell.run(*export)
        assert b"DTSTART:20270327T100000\r\n" in target.read_bytes()
    assert shell.run_json("times", event_file)["rounds"][0]["at"] == "2027-03-27T10:00:00"
    shell.run(
        "import",
        event_file,
        shell.write_file("a.csv", "name;division\nLi, Ada;A\nDam, Bo;A\nEek, Cis;B\nFox, Di;B\n"),
    )
    assert "because no round times are set: division B." in shell.run(*export)


def test_export_converts_a_text_date_for_other_programs(shell: Shell, event_file: Path) -> None:
    shell.run("import", event_file, shell.write_file("a.csv", "name\nLi, Ada\nDam, Bo\n"))
    shell.run("do", event_file, "edit-event", "date=27. mars 2027")
    shell.run("export", event_file, event_file.parent / "e.tou")
    assert (event_file.parent / "e.tou").read_text("latin-1").startswith("*M 27.03.2027")
    shell.run("export", event_file, event_file.parent / "e.trf")
    assert "042 2027/03/27" in (event_file.parent / "e.trf").read_text("utf-8")
    shell.run("do", event_file, "edit-event", "date=Easter")
    assert "“Easter” is left out" in shell.run("export", event_file, event_file.parent / "e.trf")
    assert "“Easter” is unclear" in shell.run_refused("export", event_file, event_file.parent / "e.tou")


def test_do_explains_how_to_name_a_division(shell: Shell, event_file: Path) -> None:
    shell.run(
        "import",
        event_file,
        shell.write_file("a.csv", "name;division\nLi, Ada;A\nDam, Bo;A\nEek, Cis;B\nFox, Di;B\n"),
    )
    absence = "do", event_file, "miss-round", "players=1", "round_number=1"
    assert "Name the division: A, B. Use --division" in shell.run_refused(*absence)
    assert "Division A" in shell.run_json(*absence, "division=A")["text"]
    assert "division=DivisionId?" in next(
        line for line in shell.run("do", "--list").splitlines() if line.startswith("miss-round ")
    )


@pytest.mark.slow
def test_result_waits_for_another_program_with_the_file(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)
    with closing(sqlite3.connect(event_file, isolation_level=None, check_same_thread=False)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        release_thread = threading.Timer(6.0, connection.rollback)  # longer than the window waits
        release_thread.start()
        shell.run("result", event_file, "--table", 1, 412, 388)
        release_thread.join()
    assert 412 in {game["score1"] for game in shell.run_json("pairings", event_file)["games"]}
