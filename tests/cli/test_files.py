"""Command line tests of imports and exports: lists, workbooks, TSH and AUPAIR folders, sheets and photos."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from tdapp.exchange import spreadsheets
from tdapp.storage import Store
from tests import building
from tests.cli.shell import Shell
from tests.services.test_photos import make_picture

FILES, ROOT = Path(__file__).parents[1] / "files", Path(__file__).parents[2]
GCG = (
    "#player1 A {0}\n#player2 B {1}\n>A: TAART 8D TAART +20 20\n>B: X - +0 0\n>A: E E8 .E +4 24\n>A: (X) +16 40\n"
)


@pytest.fixture
def event_file(shell: Shell) -> Path:
    return shell.build_once("event.tdapp", build_event)


def build_event(shell: Shell, file: Path) -> None:
    shell.run("new", file, "--name", "Open", "--rules", "nl-match", "--no-check-first", "--rounds", 5)


def player_names(shell: Shell, event_file: Path) -> list[str]:
    (division,) = shell.run_json("players", event_file)["divisions"]
    return [player["name"] for player in division["players"]]


@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_import_adds_players_from_a_spreadsheet(shell: Shell, event_file: Path, suffix: str) -> None:
    shell.run("import", event_file, FILES / f"players-libreoffice.{suffix}")
    assert shell.run_json("check", event_file)["sound"]
    assert len(shell.run_json("standings", event_file)["rows"]) == 5
    assert "The spreadsheet has no sheet called Players. Its sheets are: About, Spelers." in shell.run_refused(
        "import", event_file, FILES / f"players-libreoffice.{suffix}", "--sheet", "Players"
    )


def test_import_updates_players_completely_or_not_at_all(shell: Shell, event_file: Path) -> None:
    shell.run("import", event_file, shell.write_file("a.csv", "nr;name;rating\n1;Ås, Zoë;1500\n2;Li, Ada;1400\n"))
    newer_list = shell.write_file("b.csv", "name;rating;club\nAs Zoe;1510;X\nNew, Ann;1300;\n")
    shell.run("import", event_file, newer_list, "--update")
    rows = shell.run_json("standings", event_file)["rows"]
    assert [row["name"] for row in rows] == ["Ås, Zoë", "Li, Ada", "New, Ann"]
    shell.run("import", event_file, newer_list, "--names")
    assert shell.run_json("standings", event_file)["rows"][0]["name"] == "As Zoe"
    unclear_rows = shell.write_file("c.csv", "nr;name\n;Later, Lee\n2;Somebody, Else\n")
    error = shell.run_refused("import", event_file, unclear_rows, "--update")
    assert "Somebody, Else may be the same person as number 2, Li, Ada" in error
    assert len(shell.run_json("standings", event_file)["rows"]) == 3
    shell.run(
        "import",
        event_file,
        shell.write_file("nsf 2026-11-01.csv", "name;rating\nAda Li;1444\nX;1\n"),
        "--ratings",
    )
    assert "1444" in shell.run("players", event_file)
    assert len(shell.run_json("standings", event_file)["rows"]) == 3


def test_import_adds_namesakes_on_request(shell: Shell, event_file: Path) -> None:
    names = shell.write_file("twins.csv", "name;Rtg;club\nTwin;;X\nTwin;?;Y\nPlayer 1;;Z\n")
    assert "line 3" in shell.run_refused("import", event_file, names)
    for _ in range(2):
        shell.run("import", event_file, names, "--namesakes")
    assert [player["name"] for player in shell.run_json("players", event_file)] == ["Twin", "Twin", "Player 1"] * 2


def test_import_distinguishes_namesakes_by_member_number(shell: Shell, event_file: Path) -> None:
    heading = "Vorname Nachname;Verein;Mitgliedsnr.\n"
    names = shell.write_file("a.csv", f"{heading}Thomas Müller;Köln;1003\nThomas Müller;Köln;1009\n")
    shell.run("import", event_file, names)
    assert [player["name"] for player in shell.run_json("players", event_file)] == ["Müller, Thomas"] * 2
    assert "2 players imported" in shell.run("history", event_file)
    assert "already in division A" in shell.run_refused("import", event_file, names)
    repeated_list = shell.write_file("b.csv", f"{heading}Ute Weiß;Köln;7\nUte Weiß;Wien;7\n")
    assert "line 3" in shell.run_refused("import", event_file, repeated_list)
    half_list = shell.write_file("c.csv", f"{heading}Ute Weiß;Köln;\nUte Weiß;Wien;7\n")
    assert "line 3" in shell.run_refused("import", event_file, half_list)
    shell.run("pair", event_file)
    shell.run("export", event_file, shell.folder / "r.txt", "--format", "round-short")
    game = (shell.folder / "r.txt").read_text("utf-8").splitlines()[2]
    assert game.count("(1)") == game.count("(2)") == 1
    shell.run("export", event_file, shell.folder / "s.txt", "--format", "round-txt")
    assert "Müller, Thomas (2)" in (shell.folder / "s.txt").read_text("utf-8")
    third_list = shell.write_file("d.csv", f"{heading}Thomas Müller;Ulm;1010\n")
    shell.run("import", event_file, third_list, "--update")
    assert [player["member"] for player in shell.run_json("players", event_file)] == ["1003", "1009", "1010"]
    assert "--namesakes" in shell.run_refused("import", event_file, third_list)


@pytest.mark.slow
def test_import_keeps_the_mark_of_provisional_ratings(shell: Shell, event_file: Path, tmp_path: Path) -> None:
    player_list = shell.write_file("a.csv", "name;rating\nLi, Ada;1500?\nDam, Bo;1400\n")
    assert "Ratings imported as provisional, such as “1500?”" in shell.run("import", event_file, player_list)
    assert [player["provisional"] for player in shell.run_json("players", event_file)] == [True, False]
    assert "1500?" in shell.run("players", event_file)
    assert "1500?" in shell.run("standings", event_file)
    for name in ("b.xlsx", "b.json", "b.t", "b.trf"):
        shell.run("export", event_file, shell.folder / name)
        copy = tmp_path / f"{name}.tdapp"
        if name != "b.json":
            shell.run("new", copy, "--name", "Again", "--rules", "nl-match")
        shell.run("import", copy, shell.folder / name)
        assert [player["provisional"] for player in shell.run_json("players", copy)] == [True, False], name
    shell.run("do", event_file, "edit-event", "date=2026-11-28")
    assert "which ratings are provisional" in shell.run("export", event_file, shell.folder / "b.tou")
    established = shell.write_file("c.csv", "name;rating\nLi, Ada;1510\nDam, Bo;1400\n")
    shell.run("import", event_file, established, "--update")
    assert [player["provisional"] for player in shell.run_json("players", event_file)] == [False, False]


def test_import_reads_an_exported_workbook_of_two_divisions(shell: Shell, event_file: Path) -> None:
    players = "name;division;rating;nr\nLi, Ada;A;1500;1\nDam, Bo;A;1400;2\nFox, Di;B;1300;1\nEek, Cis;B;;2\n"
    shell.run("import", event_file, shell.write_file("a.csv", players))
    shell.run("export", event_file, shell.folder / "b.xlsx")
    copy = shell.folder / "again.tdapp"
    shell.run("new", copy, "--name", "Again", "--rules", "nl-match")
    output_lines = shell.run("import", copy, shell.folder / "b.xlsx").splitlines()
    assert output_lines == [
        "Players in division A: 2 added, 0 changed, 0 unchanged.",
        "Players in division B: 2 added, 0 changed, 0 unchanged.",
        "Only the sheet Players is imported. Not used: A Standings, A Crosstable, B Standings, B Crosstable.",
    ]
    assert shell.run_json("players", copy) == shell.run_json("players", event_file)


def test_import_refuses_one_of_several_sheets_with_the_same_columns(shell: Shell, event_file: Path) -> None:
    book = shell.folder / "two.xlsx"
    with xlsxwriter.Workbook(book) as workbook:
        for name, player in (("Groep A", "Li, Ada"), ("Groep B", "Dam, Bo")):
            workbook.add_worksheet(name).write_column(0, 0, ["Naam", player])
    error = shell.run_refused("import", event_file, book)
    assert "two.xlsx: Several sheets have players: Groep A, Groep B. Choose one with --sheet." in error
    assert "Not used: Groep A." in shell.run("import", event_file, book, "--sheet", "Groep B")


def test_import_counts_added_changed_and_unchanged_players(shell: Shell, event_file: Path) -> None:
    shell.run("import", event_file, shell.write_file("a.csv", "name;rating\nLi, Ada;1500\nDam, Bo;1400\n"))
    newer_list = shell.write_file("b.csv", "name;rating\nLi, Ada;1510\nDam, Bo;1400\nEek, Cis;1200\n")
    (division,) = shell.run_json("import", event_file, newer_list, "--update")["divisions"]
    assert division == {"division": "A", "players": 3, "added": 1, "changed": 1, "unchanged": 1, "rounds": 0}
    assert shell.run("import", event_file, newer_list, "--update") == "Nothing changed.\n"
    ratings = shell.write_file("c.csv", "name;rating\nLi, Ada;1520?\nDam, Bo;x1\n")
    assert shell.run("import", event_file, ratings, "--ratings").splitlines() == [
        "Ratings changed in division A: 1.",
        "These players are not in the list: Dam, Bo; Eek, Cis.",
        "Lines in the list that cannot be read: 1.",
    ]
    assert shell.run_json("players", event_file)[0]["provisional"]
    shell.run("pair", event_file)
    shell.run("export", event_file, shell.folder / "a.json")
    shell.run("export", event_file, shell.folder / "a.t")
    copied = shell.run("import", shell.folder / "copy.tdapp", shell.folder / "a.json")
    assert copied == "Players added to division A: 3. Rounds: 1.\n"


def test_import_of_a_new_tournament_names_its_division(shell: Shell, event_file: Path) -> None:
    shell.run("export", event_file, shell.folder / "a.json")
    output = shell.run("import", shell.folder / "copy.tdapp", shell.folder / "a.json")
    assert output == "Players in division A: 0 added, 0 changed, 0 unchanged.\n"


def test_results_lists_replaced_results(shell: Shell, event_file: Path) -> None:
    shell.run("import", event_file, shell.write_file("a.csv", "name\nLi, Ada\nDam, Bo\nEek, Cis\nFox, Di\n"))
    shell.run("pair", event_file)
    first = shell.write_file("r.csv", "round,table,score1,score2\n1,1,400,380\n1,2,350,300\n")
    assert shell.run("results", event_file, first) == "Results entered: 2, replaced: 0, unchanged: 0.\n"
    shell.run("checked", event_file, "--all")
    scores = shell.write_file("s.csv", "round,table,score1,score2,shoe size\n1,1,400,380,44\n1,2,350,310,43\n")
    assert shell.run("results", event_file, scores).splitlines() == [
        "Results entered: 0, replaced: 1, unchanged: 1.",
        "Round 1, table 2: the checked result 350 – 300 was replaced. Check the new result.",
        "These columns were not used: shoe size.",
    ]
    games = shell.run_json("pairings", event_file, "--round", 1)["games"]
    assert [game["status"] for game in games] == ["checked", "entered"]
    document = shell.run_json("results", event_file, first)
    assert (document["entered"], document["unchanged"], document["replaced"], document["ignored"]) == (
        0, 1, ["Round 1, table 2: the result 350 – 310 was replaced."], []
    )  # fmt: skip
    output = shell.run("import", event_file, scores)
    assert "Round 1, table 2: the result 350 – 300 was replaced." in output
    shell.run("checked", event_file, "--all")
    output = shell.run("result", event_file, "--table", 2, 360, 300)
    assert "Round 1, table 2: the checked result 350 – 310 was replaced. Check the new result." in output


@pytest.mark.parametrize("name", ["e.t", "e.trf", "e.js", "e.tou"])
def test_export_warns_about_a_lost_knockout(shell: Shell, event_file: Path, name: str) -> None:
    shell.run(
        "new", event_file.parent / "cup.tdapp", "--name", "Cup", "--rules", "nl-match", "--system", "knockout"
    )
    cup = event_file.parent / "cup.tdapp"
    shell.run("import", cup, shell.write_file("a.csv", "name\nLi, Ada\nDam, Bo\nEek, Cis\nFox, Di\n"))
    shell.run("do", cup, "edit-event", "date=2026-11-28")
    form = ("--format", "tourney") if name == "e.js" else ()
    assert "the knockout (its bracket and places)" in shell.run("export", cup, shell.folder / name, *form)
    shell.run("export", cup, shell.folder / "e.json")
    assert "knockout" not in shell.run("export", cup, shell.folder / "e.json")


def test_import_lists_refused_rows_with_their_lines(shell: Shell, event_file: Path) -> None:
    player_list = shell.write_file("a.csv", "nr;name\n1;Li, Ada\n2;Dam, Bo\n")
    shell.run("import", event_file, player_list)
    second_list = shell.write_file("b.csv", "nr;name\n3;Li, Ada\n1;Eek, Cis\n4;Fox, Di\n")
    problems = shell.read_refusal("import", event_file, second_list)["problems"]
    assert [(problem["line"], problem["code"]) for problem in problems] == [
        (2, "player-exists"),
        (3, "number-taken"),
    ]
    shell.run("pair", event_file)
    results = shell.write_file("r.csv", "round,table,score1,score2\n1,1,400,380\n1,9,1,2\n4,1,3,4\n")
    problems = shell.read_refusal("results", event_file, results)["problems"]
    assert [problem["line"] for problem in problems] == [3, 4]
    assert "r.csv, line 3: There is no table 9 in round 1." in problems[0]["text"]
    assert shell.run_json("pairings", event_file, "--round", 1)["games"][0]["score1"] is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["e.t", "e.trf", "e.tou"])
def test_import_keeps_requested_byes_under_other_rules(shell: Shell, event_file: Path, name: str) -> None:
    for rules, other_rules in (("wespa", "nl-match"), ("nl-match", "wespa")):
        source, target = (shell.folder / f"{name_}-{rules}.tdapp" for name_ in ("one", "two"))
        shell.run("new", source, "--name", "One", "--rules", rules, "--no-check-first")
        shell.run("import", source, shell.write_file("a.csv", "name\nLi, Ada\nDam, Bo\nEek, Cis\n"))
        shell.run("do", source, "edit-event", "date=2026-11-28")
        shell.run("do", source, "miss-round", "players=1", "round_number=1", "last_round=1", "kind=requested")
        shell.run("pair", source)
        shell.run("result", source, "--table", 1, 400, 380)
        shell.run("export", source, shell.folder / name)
        shell.run("new", target, "--name", "Two", "--rules", other_rules)
        shell.run("import", target, shell.folder / name)
        imported, expected = (
            {row["player"]: (row["wins"], row["spread"]) for row in shell.run_json("standings", file)["rows"]}
            for file in (target, source)
        )
        assert imported == expected, rules


def test_import_lists_all_problems_in_json(shell: Shell, event_file: Path) -> None:
    player_list = shell.write_file("a.csv", "name;nr;table\nA;1x;1\nB;2;door\nC;3;2\n")
    problems = shell.read_refusal("import", event_file, player_list)["problems"]
    assert [(problem["line"], problem["field"], problem["code"]) for problem in problems] == [
        (2, "number", "bad-number"),
        (3, "fixed_table", "bad-number"),
    ]
    assert "a.csv, line 3, Fixed table" in problems[1]["text"]
    (problem,) = shell.read_refusal("import", event_file, shell.write_file("b.csv", "name;nr\nA;1x\n"))["problems"]
    assert problem["line"] == 2


@pytest.mark.parametrize("language", ["en", "nl", "nb", "de"])
def test_import_reads_exported_standings(shell: Shell, event_file: Path, language: str) -> None:
    shell.run("import", event_file, shell.write_file("a.csv", "name;rating\nLi, Ada;1500?\nDam, Bo;1400\n"))
    shell.run("export", event_file, shell.folder / "s.csv", "--lang", language)
    copy = shell.folder / "again.tdapp"
    shell.run("new", copy, "--name", "Again", "--rules", "nl-match")
    output = shell.run("import", copy, shell.folder / "s.csv")
    assert "These are standings: only the players are imported, without results or places." in output
    assert [(player["rating"], player["provisional"]) for player in shell.run_json("players", copy)] == [
        (1500, True),
        (1400, False),
    ]


PROGRAM_ORDER = "The program that made the file ranks by Wins, Losses, Spread."
RULES_ORDER = "To rank it by its own rules (Wins, Resist., Spread), use --keep-order."


def test_import_and_export_of_a_tsh_folder_list_omissions(shell: Shell, event_file: Path) -> None:
    shell.run("demo", shell.folder / "demo.tdapp", "--players", 9, "--rounds", 3)
    folder = shell.folder / "tsh"
    shell.run("export", shell.folder / "demo.tdapp", folder, "--format", "tsh")
    with (folder / "config.tsh").open("a") as file:
        file.write("division B b.t\nprize rank 1 A '$100'\n")
    (folder / "b.t").write_text("One  1500; ; newr 1501\n")
    import_result = shell.run_json("import", event_file, folder)
    assert [(division["division"], division["players"]) for division in import_result["divisions"]] == [
        ("A", 9),
        ("B", 1),
    ]
    assert import_result["left_out"] == [
        "config.tsh, line 7 is left out, because tdapp has no field for it: prize rank 1 A '$100'",
        "Division B: the data under newr is left out, because tdapp has no field for it.",
        f"Division B is now ranked by Wins, Losses, Spread, as in the program that made the file. {RULES_ORDER}",
    ]
    imported, exported = (
        shell.run_json("standings", file, "--division", "A") for file in (event_file, shell.folder / "demo.tdapp")
    )
    fields = ("rank", "name", "wins", "losses", "spread")
    sorted_rows = (
        sorted(imported["rows"], key=lambda row: row["name"]),
        sorted(exported["rows"], key=lambda row: row["name"]),
    )
    assert [[row[key] for key in fields[1:]] for row in sorted_rows[0]] == [
        [row[key] for key in fields[1:]] for row in sorted_rows[1]
    ]
    shell.run("undo", event_file)
    assert [division["division"] for division in shell.run_json("import", event_file, folder)["divisions"]] == [
        "A",
        "B",
    ]


def test_import_and_export_of_an_aupair_event(shell: Shell, event_file: Path) -> None:
    shell.run("demo", shell.folder / "demo.tdapp", "--players", 9, "--rounds", 3)
    target = shell.folder / "demo.tou"
    shell.run("do", shell.folder / "demo.tdapp", "edit-event", "date=2026-11-21")
    output = shell.run("export", shell.folder / "demo.tdapp", target)
    assert (
        output == "This file format cannot store: ratings, clubs, countries, the ranking order, table numbers.\n"
    )
    assert PROGRAM_ORDER in shell.run("import", event_file, target, "--keep-order")
    assert shell.run_json("standings", event_file)["order"] == ["wins", "resistance", "spread"]
    shell.run("undo", event_file)
    output = shell.run("import", event_file, target)
    assert "Division A is now ranked by Wins, Losses, Spread, as in the program that made the file" in output
    standings = shell.run_json("standings", event_file)
    assert standings["order"] == ["wins", "losses", "spread"]
    imported = {row["name"]: (row["wins"], row["spread"]) for row in standings["rows"]}
    demo_rows = shell.run_json("standings", shell.folder / "demo.tdapp")["rows"]
    assert imported == {row["name"]: (row["wins"], row["spread"]) for row in demo_rows}
    shell.run("undo", event_file)
    assert shell.run_json("standings", event_file)["order"] == ["wins", "resistance", "spread"]


def test_export_keeps_the_order_of_a_division_and_needs_a_date_for_aupair(
    shell: Shell, event_file: Path, demo_file: Path
) -> None:
    shell.run("do", demo_file, "set-order", "order=points,wins")
    shell.run("export", demo_file, shell.folder / "a.t")
    assert b"#order points wins\n" in (shell.folder / "a.t").read_bytes()
    shell.run("import", event_file, shell.folder / "a.t")
    documents = (shell.run_json("standings", file) for file in (event_file, demo_file))
    imported, exported = ([(row["rank"], row["name"]) for row in document["rows"]] for document in documents)
    assert imported == exported
    shell.run_refused("export", event_file, shell.folder / "a.tou")


def test_export_writes_a_workbook_and_texts(shell: Shell, demo_file: Path) -> None:
    shell.run("export", demo_file, shell.folder / "all.xlsx", "--lang", "nl")
    sheets = spreadsheets.read_spreadsheet((shell.folder / "all.xlsx").read_bytes())
    assert [sheet.name for sheet in sheets] == ["Spelers", "Stand", "Kruistabel", "Ronde 1", "Ronde 2", "Ronde 3"]
    shell.run("export", demo_file, shell.folder / "two.xlsx", "--round", 2)
    assert len(spreadsheets.read_spreadsheet((shell.folder / "two.xlsx").read_bytes())) == 5
    shell.run("export", demo_file, shell.folder / "r.txt", "--format", "round-short", "--round", 2)
    assert (shell.folder / "r.txt").read_text("utf-8").startswith("Demo tournament · Round 2: results\n\n1. ")
    assert "no round 9" in shell.run_refused(
        "export", demo_file, shell.folder / "x.txt", "--format", "round-txt", "--round", 9
    )
    assert not (shell.folder / "x.txt").exists()


def test_export_public_omits_personal_data(shell: Shell, event_file: Path) -> None:
    shell.run("import", event_file, shell.write_file("a.csv", "name;member;notes\nÅs, Zoë;M-77;hard of hearing\n"))
    for format_ in ("json", "players", "t", "tsh", "xlsx"):
        target = shell.folder / f"public.{format_}"
        shell.run("export", event_file, target, "--format", format_, "--public")
        parts = [*target.iterdir()] if target.is_dir() else [target]
        assert not any(b"M-77" in part.read_bytes() or b"hearing" in part.read_bytes() for part in parts)


def pair_four_players(shell: Shell, event_file: Path) -> Any:
    shell.run(
        "import",
        event_file,
        shell.write_file("players.csv", "name\n" + "".join(f"Player, {letter}\n" for letter in "ABCD")),
    )
    return shell.run_json("pair", event_file)["games"]


def test_sheet_matches_a_folder_of_games_by_names(shell: Shell, event_file: Path) -> None:
    games = pair_four_players(shell, event_file)
    folder = shell.folder / "games"
    folder.mkdir()
    for game in games:
        first_name, second_name = game["names"]
        reversed_name = " ".join(reversed(first_name.split(", ")))
        (folder / f"r1 {first_name}.gcg").write_text(GCG.format(reversed_name, second_name.upper()))
    assert shell.run_json("import", event_file, folder)["facts"]["count"] == 2
    pairings = shell.run_json("pairings", event_file, "--round", 1)["games"]
    assert {(game["score1"], game["score2"]) for game in pairings} == {(30, -8)}
    assert "There must be exactly one published game" in shell.run_refused("import", event_file, folder)
    shell.run("undo", event_file)
    (folder / "bad.gcg").write_text("#player1 A A\n")
    assert "bad.gcg" in shell.run_refused("import", event_file, folder)
    assert all(game["score1"] is None for game in shell.run_json("pairings", event_file, "--round", 1)["games"])
    empty = shell.folder / "empty"
    empty.mkdir()
    assert "no annotated games" in shell.run_refused("import", event_file, empty)


def test_import_puts_each_player_into_the_division_of_the_line(shell: Shell, event_file: Path) -> None:
    player_list = shell.write_file("list.csv", "Navn;Klasse\nOne;B\nTwo;A\nThree;Klasse B\n")
    divisions = shell.run_json("import", event_file, player_list)["divisions"]
    assert [(division["division"], division["players"]) for division in divisions] == [("A", 1), ("B", 2)]
    update = shell.write_file("again.csv", "Navn;Klasse;Rating\nOne;B;1500\nTwo;A;1400\n")
    divisions = shell.run_json("import", event_file, update, "--update")["divisions"]
    assert [division["players"] for division in divisions] == [1, 2]
    more_players = shell.write_file("more.csv", "Navn;Klasse\nFour;B\n")
    divisions = shell.run_json("import", event_file, more_players, "--division", "A")["divisions"]
    assert [division["players"] for division in divisions] == [2, 2]


def test_import_names_players_of_another_division(shell: Shell, event_file: Path) -> None:
    shell.run("import", event_file, shell.write_file("a.csv", "name;rating\nLi, Ada;1500\nBo, Eva;1400\n"))
    other_list = shell.write_file("b.csv", "name;division\nLi, Ada;B\nNew, Ann;B\n")
    assert shell.run_json("import", event_file, other_list)["left_out"] == [
        "These players were added, but they are in another division too: Li, Ada (A)."
    ]
    assert not shell.run_json("import", event_file, other_list, "--update")["left_out"]


def test_import_splits_first_names_first_on_request(shell: Shell, event_file: Path) -> None:
    source = shell.write_file("names.csv", "Naam;Rating\nJan de Vries;1500\nRuben Vos;vijftienhonderd\n")
    output = shell.run("import", event_file, source, "--first-last")
    assert [player["name"] for player in shell.run_json("players", event_file)] == ["de Vries, Jan", "Vos, Ruben"]
    assert output.splitlines()[1:] == [
        "names.csv, line 3, Rating: “vijftienhonderd” is not a rating and is left out."
    ]
    shell.run("undo", event_file)
    import_result = shell.run_json("import", event_file, source)
    assert [player["name"] for player in shell.run_json("players", event_file)] == ["Jan de Vries", "Ruben Vos"]
    assert "--first-last" in import_result["left_out"][-1]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can mount a read-only disk")
@pytest.mark.parametrize(
    "words",
    [
        ("snapshot", "Open.tdapp", "stick/copy.tdapp"),
        ("snapshot", "Open.tdapp", "stick"),
        ("demo", "stick/new.tdapp"),
        ("export", "Open.tdapp", "stick/x.csv"),
        ("print", "Open.tdapp", "players", "-o", "stick/x.pdf"),
        ("picture", "Open.tdapp", "-o", "stick/x.png"),
        ("lexicon", "build", "words.txt", "stick/x.lex", "--language", "nl"),
        ("repair", "Open.tdapp", "-o", "stick/x.tdapp"),
        ("referee", "make", "stick/events"),
    ],
    ids=lambda words: " ".join(words[::2]),
)
def test_verbs_refuse_a_read_only_disk_in_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    (tmp_path / "words.txt").write_text("kat\n")
    Store.create(tmp_path / "Open.tdapp", building.make_event(8)).close()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(stick)], check=True)
    try:
        command = [sys.executable, "-m", "tdapp", *words]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        result = subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
        )
    finally:
        subprocess.run(["umount", "--lazy", str(stick)], check=True)
    assert (result.returncode, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1, result.stderr


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_result_saves_results_of_parallel_processes(tmp_path: Path) -> None:
    path, tables = tmp_path / "Open.tdapp", 24
    Store.create(path, building.pair_rounds(building.make_event(2 * tables), results=False)).close()
    command = [sys.executable, "-m", "tdapp", "result", str(path)]
    running = [
        subprocess.Popen(
            [*command, "--table", str(table), str(400 + table), "300"], cwd=ROOT, stderr=subprocess.PIPE
        )
        for table in range(1, tables + 1)
    ]
    errors = [process.communicate()[1] for process in running]
    assert [(process.returncode, text) for process, text in zip(running, errors, strict=True)] == [
        (0, b"")
    ] * tables
    with closing(Store.open(path)) as store:
        value = store.load_tournament_and_revision()[0]
        assert store.find_damage() == []
        assert {(value.games[key].table, row.first) for key, row in value.results.items()} == {
            (table, 400 + table) for table in range(1, tables + 1)
        }


def test_photos_adds_a_folder_and_lists_unused_files(shell: Shell, event_file: Path) -> None:
    shell.run("import", event_file, shell.write_file("a.csv", "nr;name\n1;Ås, Zoë\n2;Li, Ada\n"))
    folder = shell.folder / "photos"
    folder.mkdir()
    refusal = shell.run_refused("photos", event_file, folder)
    assert refusal.startswith("photos: This folder has no photo of a player. Name each photo by the number")
    assert "missing: The folder cannot be read" in shell.run_refused(
        "photos", event_file, shell.folder / "missing"
    )
    for name in ("2.jpg", "Zoe As.jpg", "x.jpg"):
        (folder / name).write_bytes(make_picture())
    document = shell.run_json("photos", event_file, folder)
    assert (document["label"], document["facts"]["count"]) == ("set-photos", 2)
    assert document["left_out"] == ["x.jpg: no player has this number, member number or name."]
    shell.run("do", event_file, "remove-photos", "players=1,2")
    shell.run("export", event_file, shell.folder / "e.json")
    assert not json.loads((shell.folder / "e.json").read_text("utf-8")).get("photos")
    shell.run("do", event_file, "set-photos", "photos=2:/9j/aGVsbG8=")
    shell.run("export", event_file, shell.folder / "f.json", "--format", "json")
    (photo,) = json.loads((shell.folder / "f.json").read_text("utf-8"))["photos"]
    assert photo["data"] == "/9j/aGVsbG8="
    shell.run("import", shell.folder / "g.tdapp", shell.folder / "f.json")
    assert shell.run_json("check", shell.folder / "g.tdapp")["sound"]
