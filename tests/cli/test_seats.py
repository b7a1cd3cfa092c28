"""Command line tests of tables of three, four or more players."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.building import RESOURCES
from tests.cli.shell import Shell

NAMES = ("Anna", "Bert", "Carla", "Dirk", "Eva", "Frits", "Greet")


def make_club(shell: Shell, players: int, tables: str, *, book: str = "nl-points") -> Path:
    """Return a club file. Its rule set has a custom `[tables]` block."""
    text = (RESOURCES / "rulesets" / f"{book}.toml").read_text(encoding="utf-8")
    start = text.index("[tables]")
    rules = shell.write_file(
        "club.toml", text[:start] + f"[tables]\n{tables}\n\n" + text[text.index("\n# Source of each") :]
    )
    file = shell.folder / "club.tdapp"
    shell.run("new", file, "--name", "Club", "--rules", book, "--no-check-first", "--rounds", 5)
    lines = "\n".join(f"{name},{2000 - 10 * index}" for index, name in enumerate(NAMES[:players]))
    shell.run("import", file, shell.write_file("players.csv", f"name,rating\n{lines}\n"))
    shell.run("do", file, "change-rules", f"ruleset={rules}")
    return file


def list_seats(shell: Shell, file: Path, number: int = 1) -> list[dict[str, Any]]:
    (table,) = shell.run_json("pairings", file, "--round", number)["tables"]
    seats_of_table: list[dict[str, Any]] = table["seats"]
    return seats_of_table


def read_message(shell: Shell, file: Path, number: int) -> str:
    """Return the exported text of a round."""
    shell.run("export", file, shell.folder / "round.txt", "--format", "round-txt", "--round", number)
    return (shell.folder / "round.txt").read_text(encoding="utf-8")


def test_pair_result_and_standings_of_a_table_of_three(shell: Shell) -> None:
    file = make_club(shell, 5, 'odd = "three"\nfactor = { 3 = "3/2", 4 = "2" }\nplaces = { 3 = [1, "1/2", 0] }')
    pairing = shell.run_json("pair", file)
    (table,), (game,) = pairing["tables"], pairing["games"]
    assert (len(table["seats"]), table["status"], bool(table["reason"])) == (3, "open", True)
    assert not pairing["byes"]

    shell.run("result", file, "--round", 1, "--table", game["table"], 310, 290)
    shell.run("result", file, "--round", 1, "--table", table["table"], 240, 210, 188)

    first, second, third = list_seats(shell, file)
    assert [seat["total"] for seat in (first, second, third)] == [360, 315, 282]
    assert [seat["points"] for seat in (first, second, third)] == [240, 210, 188]
    assert [seat["match_points"] for seat in (first, second, third)] == [1, 0.5, 0]
    assert [seat["spread"] for seat in (first, second, third)] == [41, -4, -37]
    rows = {row["player"]: row for row in shell.run_json("standings", file)["rows"]}
    assert [rows[seat["player"]]["points"] for seat in (first, second, third)] == [360, 315, 282]
    shell.run("undo", file)
    assert {seat["points"] for seat in list_seats(shell, file)} == {None}


def test_result_ranks_a_player_who_left_last(shell: Shell) -> None:
    file = make_club(shell, 3, 'odd = "three"')
    shell.run("pair", file)

    shell.run("result", file, "--round", 1, "--table", 1, 210, 188, "--left", 3)
    assert [(seat["points"], seat["left"], seat["place"]) for seat in list_seats(shell, file)] == [
        (210, False, 1), (188, False, 2), (None, True, 3)]  # fmt: skip
    shell.run("result", file, "--round", 1, "--table", 1, 210, 188, 250, "--left", 3)
    assert [(seat["points"], seat["place"]) for seat in list_seats(shell, file)] == [(210, 1), (188, 2), (250, 3)]


@pytest.mark.parametrize("points", [("210", "188"), ("210", "188", "240", "200"), ("210", "188", "2400"),
                                   ("210", "188", "240", "--left", "4")])  # fmt: skip
def test_result_refuses_wrong_group_points(shell: Shell, points: tuple[str, ...]) -> None:
    file = make_club(shell, 3, 'odd = "three"')
    shell.run("pair", file)

    shell.run_refused("result", file, "--round", 1, "--table", 1, *points)
    assert {seat["points"] for seat in list_seats(shell, file)} == {None}


def test_result_enters_one_large_table_player_by_player(shell: Shell) -> None:
    file = make_club(shell, 6, "prefer = 0")
    pairing = shell.run_json("pair", file)
    assert not pairing["games"]
    for number, points in enumerate((1050, 980, 875, 700, 600, 500), start=1):
        shell.run("do", file, "enter-seats", "round=1", "table=1", f"players={number}", f"points={points}")

    rows = {row["player"]: row["points"] for row in shell.run_json("standings", file)["rows"]}
    assert rows == {1: 1050, 2: 980, 3: 875, 4: 700, 5: 600, 6: 500}


def test_sheet_of_a_group_names_replaced_points_of_zero(shell: Shell) -> None:
    file = make_club(shell, 3, 'odd = "three"')
    shell.run("pair", file)
    sheet = shell.write_file("group.json", json.dumps(SHEET))
    assert shell.run_json("sheet", file, "--round", 1, "--table", 1, sheet)["before"] is None
    shell.run("result", file, "--round", 1, "--table", 1, 0, 0, 0, "--confirmed")
    assert shell.run_json("sheet", file, "--round", 1, "--table", 1, sheet)["before"] == [0, 0, 0]


def test_do_moves_a_draft_player_to_another_table(shell: Shell) -> None:
    file = make_club(shell, 7, 'odd = "three"')
    shell.run("do", file, "propose-round", "proposal=A")
    old_draft = list_seats(shell, file)
    shell.run("do", file, "move-to-table", "round=1", f"player={old_draft[0]['player']}", "table=9")

    document = shell.run_json("pairings", file, "--round", 1)
    assert [table["table"] for table in document["tables"]] == [9]
    assert [len(table["seats"]) for table in document["tables"]] == [1]
    assert len(document["games"]) == 3


SHEET: dict[str, Any] = {
    "players": ["Anna", "Bert", "Carla"],
    "turns": [
        {"player": 1, "kind": "play", "score": 50},
        {"player": 2, "kind": "play", "score": 60},
        {"player": 3, "kind": "play", "score": 40},
        {"player": 1, "kind": "pass"},
        {"player": 2, "kind": "play", "score": 20},
    ],
    "rack_values": [7, 0, 5],
    "ended": "out",
}


def test_score_applies_the_german_end_at_a_table_of_three(shell: Shell) -> None:
    sheet = shell.write_file("three.json", json.dumps(SHEET))

    document = shell.run_json("score", sheet, "--rules", "de-scrabble")
    assert document["scores"] == [43, 92, 35]
    assert [part["racks"] for part in document["breakdown"]] == [-7, 12, -5]


@pytest.mark.parametrize(
    ("last", "racks", "parts"),
    [
        (2, [7, 0, 0], [-7, 7, 0]),  # the last player is out, even if another rack has no value
        (3, [7, 0, 0], [-7, 0, 7]),
        (3, [7, 0, 5], [-7, 12, -5]),  # only one rack is empty
        (1, [7, 0, 0], [-7, 0, 0]),  # two racks are empty, and neither player made the last play
    ],
)
def test_score_finds_the_player_out_at_a_table_of_three(
    shell: Shell, last: int, racks: list[int], parts: list[int]
) -> None:
    passes = [{"player": player, "kind": "pass"} for player in range(1, last)]
    turns = [*SHEET["turns"][:3], *passes, {"player": last, "kind": "play", "score": 20}]
    sheet = shell.write_file("three.json", json.dumps({**SHEET, "turns": turns, "rack_values": racks}))

    document = shell.run_json("score", sheet, "--rules", "de-scrabble")
    assert [part["racks"] for part in document["breakdown"]] == parts


def test_sheet_of_three_enters_its_totals_as_result(shell: Shell) -> None:
    file = make_club(shell, 3, 'odd = "three"', book="de-scrabble")
    shell.run("pair", file)

    entered_result = shell.run_json(
        "sheet", file, "--round", 1, "--table", 1, shell.write_file("three.json", json.dumps(SHEET))
    )
    points = {seat["name"]: seat["points"] for seat in list_seats(shell, file)}
    assert points == {"Anna": 43, "Bert": 92, "Carla": 35}
    assert sorted(entered_result["entered"]) == [35, 43, 92]
    other_sheet = {**SHEET, "players": ["Anna", "Bert", "Zoe"]}
    shell.run_refused(
        "sheet", file, "--round", 1, "--table", 1, shell.write_file("others.json", json.dumps(other_sheet))
    )


def test_result_of_a_solo_player_has_turns_and_a_record(shell: Shell) -> None:
    file = make_club(shell, 1, "prefer = 1")
    for number, arguments in enumerate(
        [(598, "--turns", 30), (640, "--turns", 40), (612, "--turns", 30)], start=1
    ):
        shell.run("pair", file)
        shell.run("result", file, "--round", number, "--table", 1, *arguments)

    (last,) = list_seats(shell, file, 3)
    assert (last["points"], last["turns"], last["record"]) == (612, 30, 598)
    assert "30 turns · personal best, +14" in read_message(shell, file, 3)
    shell.run_refused("result", file, "--round", 3, "--table", 1, 612, "--turns", 0)


def test_sheet_of_one_player_enters_points_and_turns(shell: Shell) -> None:
    file = make_club(shell, 1, "prefer = 1", book="de-scrabble")
    shell.run("pair", file)
    turns = [{"player": 1, "kind": "play", "score": 50}, {"player": 1, "kind": "play", "score": 60}]
    solo_sheet = {"players": ["Anna"], "turns": turns, "rack_values": [7], "ended": "passes"}

    shell.run("sheet", file, "--round", 1, "--table", 1, shell.write_file("alone.json", json.dumps(solo_sheet)))
    (seat,) = list_seats(shell, file)
    assert (seat["points"], seat["turns"]) == (103, 2)


def test_result_keeps_break_up_points_without_counting_them(shell: Shell) -> None:
    file = make_club(shell, 5, 'odd = "three"')
    pairing = shell.run_json("pair", file)
    (table,), (game,) = pairing["tables"], pairing["games"]
    three_seats, other_seats = table["table"], game["table"]
    shell.run_refused("result", file, "--round", 1, "--table", other_seats, "--break-up", 41, 60)
    shell.run("result", file, "--round", 1, "--table", three_seats, 240, 210, 188, "--break-up", 41, 60, 35)
    shell.run("result", file, "--round", 1, "--table", other_seats, 310, 290)
    old_draft = shell.run_json("standings", file)["rows"]
    shell.run("result", file, "--round", 1, "--table", other_seats, "--break-up", 55, 66)

    assert [seat["break_up"] for seat in list_seats(shell, file)] == [41, 60, 35]
    assert shell.run_json("pairings", file, "--round", 1)["games"][0]["break_up"] == [55, 66]
    assert shell.run_json("standings", file)["rows"] == old_draft
    shell.run("result", file, "--round", 1, "--table", other_seats, 311, 290)
    assert shell.run_json("pairings", file, "--round", 1)["games"][0]["break_up"] == [55, 66]
    assert f"Break-up game at table {other_seats}" in read_message(shell, file, 1)


def test_export_for_two_players_lists_omitted_group_tables(shell: Shell) -> None:
    file = make_club(shell, 3, 'odd = "three"')
    shell.run("pair", file)
    shell.run("result", file, "--round", 1, "--table", 1, 240, 210, 188)

    for kind, suffix in (("t", "t"), ("trf", "trf"), ("tourney", "js")):
        export = shell.run_json("export", file, shell.folder / f"out.{suffix}", "--format", kind)
        assert any("1/1" in line for line in export["warnings"])
    json_export = shell.run_json("export", file, shell.folder / "out.json", "--format", "json")
    assert not [line for line in json_export["warnings"] if "1/1" in line]


def test_do_refuses_rules_with_a_wrong_tables_block(shell: Shell) -> None:
    text = (RESOURCES / "rulesets" / "nl-points.toml").read_text(encoding="utf-8")
    file = shell.folder / "e.tdapp"
    shell.run("new", file, "--name", "Club", "--rules", "nl-points")
    for scale in ('"5" = [1]', "3 = [1, 0]"):
        rules = shell.write_file(
            "bad.toml", text.replace("places = { 3 = [], 4 = [] }", f"places = {{ {scale} }}")
        )
        assert "tables.places" in shell.run_refused("do", file, "change-rules", f"ruleset={rules}")


def test_export_message_of_a_solo_player_has_no_dash(shell: Shell) -> None:
    file = make_club(shell, 1, "prefer = 1")
    shell.run("pair", file)
    shell.run("result", file, "--round", 1, "--table", 1, 612)

    shell.run("export", file, shell.folder / "short.txt", "--format", "round-short", "--round", 1)
    assert "1. Anna 612" in (shell.folder / "short.txt").read_text(encoding="utf-8")
