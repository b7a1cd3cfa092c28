"""Command line tests of the jury verbs: `sheet`, `rule`, `judge`, `checked`, `sanction` and `result`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import PLAYERS, Shell

SHEET: dict[str, Any] = {
    "players": ["", ""],
    "turns": [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAART", "score": 21},
        {"player": 2, "kind": "play", "score": 30},
    ],
    "rack_values": [4, 0],
    "ended": "out",
}
GCG = "#player1 A A\n#player2 B B\n>A: TAART 8D TAART +20 20\n>B: X - +0 0\n>A: E E8 .E +4 24\n>A: (X) +16 40\n"


@pytest.fixture
def event_file(event_file: Path, shell: Shell) -> Path:
    """Return the event file with a published first round."""
    return shell.build_once(event_file.name, publish_round)


def publish_round(shell: Shell, event_file: Path) -> None:
    shell.run("pair", event_file)


def get_first_game(shell: Shell, event_file: Path) -> Any:
    return shell.run_json("pairings", event_file, "--round", 1)["games"][0]


TABLE = ("--round", 1, "--table", 1)


def test_sheet_enters_the_result_and_lists_issues(shell: Shell, event_file: Path) -> None:
    file = shell.write_file("sheet.json", json.dumps(SHEET))
    entry = shell.run_json("sheet", event_file, *TABLE, file)
    assert (entry["scores"], entry["entered"], entry["rules"]) == ([16, 34], [16, 34], "nl-match")
    assert entry["issues"]
    assert (get_first_game(shell, event_file)["score1"], get_first_game(shell, event_file)["status"]) == (
        16,
        "entered",
    )
    assert "21" in shell.run("sheet", event_file, *TABLE, file)
    shell.run("undo", event_file)
    assert get_first_game(shell, event_file)["score1"] is None


def test_sheet_reads_an_annotated_game(shell: Shell, event_file: Path) -> None:
    shell.run("sheet", event_file, *TABLE, "--anyway", shell.write_file("game.gcg", GCG))
    assert get_first_game(shell, event_file)["score1"] is not None


def test_sheet_names_the_replaced_result(shell: Shell, event_file: Path) -> None:
    file = shell.write_file("sheet.json", json.dumps(SHEET))
    shell.run("result", event_file, *TABLE, 400, 380)
    entry = shell.run_json("sheet", event_file, *TABLE, file)
    assert (entry["before"], entry["entered"], entry["replaced"]) == ([400, 380], [16, 34], False)
    other_sheet = shell.write_file("other.json", json.dumps({**SHEET, "rack_values": [5, 0]}))
    output = shell.run("sheet", event_file, *TABLE, other_sheet)
    assert "This replaces what was entered earlier from the same score sheet form." in output
    assert "The result changes from 16 – 34 to 15 – 35." in output


def test_sheet_refuses_a_sheet_of_other_players(shell: Shell, event_file: Path) -> None:
    names = get_first_game(shell, event_file)["names"]
    matching_sheet = shell.write_file(
        "mine.json", json.dumps({**SHEET, "players": [" ".join(reversed(names[0].split())), names[1]]})
    )
    foreign_sheet = shell.write_file("foreign.json", json.dumps({**SHEET, "players": ["Somebody Else", names[1]]}))
    line = shell.run_refused("sheet", event_file, *TABLE, foreign_sheet)
    assert "Somebody Else" in line
    assert names[0] in line
    assert get_first_game(shell, event_file)["score1"] is None
    shell.run("sheet", event_file, *TABLE, matching_sheet)
    assert get_first_game(shell, event_file)["score1"] == 16
    shell.run("sheet", event_file, *TABLE, "--anyway", foreign_sheet)


def test_sheet_compares_two_forms_completely(shell: Shell, event_file: Path) -> None:
    turns = [SHEET["turns"][0], {**SHEET["turns"][1], "score": 31}]
    other_document = {**SHEET, "turns": turns, "rack_values": [3, 0], "ended": "time"}
    shell.run("sheet", event_file, *TABLE, shell.write_file("sheet.json", json.dumps(SHEET)))
    entry = shell.run_json(
        "sheet", event_file, *TABLE, "--form", 2, shell.write_file("other.json", json.dumps(other_document))
    )
    differing = [
        (issue["turn"], issue["detail"], issue["stated"], issue["other"])
        for issue in entry["issues"]
        if issue["code"] == "forms-differ"
    ]
    assert differing == [
        (2, "score", 31, 30),
        (None, "ended", "time", "out"),
        (None, "rack_values", "3 / 0", "4 / 0"),
        (None, "final", "17 / 34", "16 / 34"),
    ]
    assert "how the game ended" in shell.run(
        "sheet", event_file, *TABLE, "--form", 2, shell.write_file("other.json", json.dumps(other_document))
    )


def test_sheet_changes_nothing_for_an_unreadable_file(shell: Shell, event_file: Path) -> None:
    shell.run_refused("sheet", event_file, *TABLE, shell.write_file("bad.json", '{"players": []}'))
    shell.run_refused(
        "sheet", event_file, "--round", 1, "--table", 9, shell.write_file("sheet.json", json.dumps(SHEET))
    )
    assert len(shell.run_json("history", event_file)) == 2


def test_rule_changes_a_turn_and_undo_restores_it(shell: Shell, event_file: Path) -> None:
    shell.run("sheet", event_file, *TABLE, shell.write_file("sheet.json", json.dumps(SHEET)))
    words = ("round=1", "table=1", "turn=2", "author=J", "why=wrong")
    shell.run("do", event_file, "rule-on-turn", *words, "phony=yes")
    assert get_first_game(shell, event_file)["score2"] == 34 - 30 - 20
    shell.run("do", event_file, "rule-on-turn", *words, "phony=no")
    assert get_first_game(shell, event_file)["score2"] == 34
    name = get_first_game(shell, event_file)["names"][1]
    assert shell.run_json("history", event_file)[0]["text"].startswith(
        f"Table 1: play in row 1 ({name}) ruled valid"
    )
    shell.run("do", event_file, "clear-sheet", "round=1", "table=1")
    assert get_first_game(shell, event_file)["status"] == "open"


def test_rule_accepts_a_wrong_word_without_a_sheet(shell: Shell, event_file: Path) -> None:
    shell.run("result", event_file, *TABLE, 400, 388)
    arguments = ("rule", event_file, *TABLE, "--player", 2, "--word", "XQBAR", "--score", 48)
    ruling = shell.run_json(*arguments, "--why", "not a word")
    assert (ruling["before"], ruling["after"], ruling["on_sheet"]) == ([400, 388], [400, 320], False)
    assert "XQBAR" in shell.run_json("history", event_file)[0]["text"]
    shell.run(*arguments, "--stands")
    assert get_first_game(shell, event_file)["score2"] == 388
    assert "400–388 400–320" in shell.run(*arguments)
    shell.run("undo", event_file)
    assert get_first_game(shell, event_file)["score2"] == 388
    for word in ("7", "Q", "T1"):
        assert word in shell.run_refused("rule", event_file, *TABLE, "--player", 2, "--word", word, "--score", 48)
    shell.run_refused("rule", event_file, "--round", 1, "--table", 9, "--player", 2, "--word", "AB", "--score", 48)


def test_rule_on_a_repeated_word_needs_another_turn_or_a_correction(shell: Shell, event_file: Path) -> None:
    shell.run("result", event_file, *TABLE, 412, 388)
    arguments = ("rule", event_file, *TABLE, "--player", 1, "--word", "XQBAR", "--score")
    assert shell.run_json(*arguments, 45)["after"] == [347, 388]
    line = shell.run_refused(*arguments, 30)
    assert "(score of the turn: 45)" in line
    assert "--another" in line
    assert "--replace" in line
    assert shell.run_json(*arguments, 30, "--another")["after"] == [297, 388]
    assert "score of the turn: 30, 45" in shell.run_refused(*arguments, 40, "--replace")
    assert shell.run_json(*arguments, 40, "--replace", 30)["after"] == [287, 388]
    shell.run("undo", event_file)
    shell.run("undo", event_file)
    assert shell.run_json(*arguments, 30, "--replace")["after"] == [362, 388]


def test_judge_applies_a_verdict_to_the_result(shell: Shell, event_file: Path) -> None:
    shell.run("do", event_file, "change-rules", "ruleset=no-nsf")
    lexicon_file = shell.folder / "few.lex"
    shell.run("lexicon", "build", shell.write_file("few.txt", "hus\nhuset\n"), lexicon_file, "--language", "nb")
    arguments = ("judge", lexicon_file, "huset", "--file", event_file, "--table", 1, "--challenger", 1)
    assert "The challenger loses 10 points." in shell.run(*arguments)
    output = shell.run("result", event_file, *TABLE, 400, 388)
    assert "−10" in output
    assert "If no, use --verdicts apply" in output
    assert get_first_game(shell, event_file)["score1"] == 400
    assert "does the total already include the judge screen’s verdict" in str(shell.run_json("check", event_file))
    shell.run("result", event_file, *TABLE, "--verdicts", "apply")
    assert get_first_game(shell, event_file)["score1"] == 390
    shell.run("undo", event_file)
    assert get_first_game(shell, event_file)["score1"] == 400
    shell.run("result", event_file, *TABLE, 400, 388, "--verdicts", "refuse")
    assert get_first_game(shell, event_file)["score1"] == 400
    assert "decide whether the points of the judge screen’s verdict" not in str(
        shell.run_json("check", event_file)
    )
    shell.run_refused("result", event_file, *TABLE, "--verdicts", "apply")
    shell.run_refused("judge", lexicon_file, "huset", "--table", 1)
    shell.run_refused("judge", lexicon_file, "huset", "--file", event_file, "--table", 9)


def test_result_after_a_ruling_names_the_deduction_or_includes_it(shell: Shell, event_file: Path) -> None:
    shell.run("rule", event_file, *TABLE, "--player", 1, "--word", "XQBAR", "--score", 30)
    output = shell.run("result", event_file, *TABLE, 347, 388)
    assert "With the jury’s rulings (−50, 0) the result is 297 – 388" in output
    assert "--after-rulings" in output
    assert "--after-rulings" not in shell.run("result", event_file, *TABLE, 347, 388, "--after-rulings")
    assert (get_first_game(shell, event_file)["score1"], get_first_game(shell, event_file)["score2"]) == (347, 388)
    shell.run("rule", event_file, *TABLE, "--player", 1, "--word", "XQBAR", "--score", 30, "--stands")
    assert get_first_game(shell, event_file)["score1"] == 397


def test_rule_asks_to_confirm_a_turn_worth_more_than_the_score(shell: Shell, event_file: Path) -> None:
    shell.run("result", event_file, *TABLE, 400, 388)
    arguments = ("rule", event_file, *TABLE, "--player", 1, "--word", "XQBAR", "--score", 450)
    assert "400 points in the whole game" in shell.run_refused(*arguments)
    assert shell.run_json(*arguments, "--confirmed")["after"] == [400 - 450 - 20, 388]


def test_sheet_reports_a_turn_of_negative_points(shell: Shell) -> None:
    turns = [{**SHEET["turns"][0], "word": None, "at": None, "score": -5}, SHEET["turns"][1]]
    file = shell.write_file("sheet.json", json.dumps({**SHEET, "turns": turns}))
    issues = shell.run_json("score", "--rules", "nl-match", file)["issues"]
    assert [(issue["turn"], issue["stated"]) for issue in issues if issue["code"] == "score-negative"] == [(1, -5)]


def test_sanction_takes_a_name_and_warns_if_the_rules_lack_it(shell: Shell, event_file: Path) -> None:
    shell.run("result", event_file, *TABLE, 400, 388)
    name = get_first_game(shell, event_file)["names"][0]
    number = shell.run_json("players", event_file)
    assert number
    assert "not in these rules" not in shell.run("sanction", event_file, name, "warning", "--why", "late")
    assert "This sanction is not in these rules" in shell.run("sanction", event_file, 1, "turn", "--why", "late")
    assert "Give the player’s number" in shell.run_refused(
        "sanction", event_file, "player", "warning", "--why", "late"
    )
    assert "Nobody" in shell.run_refused("sanction", event_file, "Nobody", "warning", "--why", "late")


def test_checked_marks_clean_results(shell: Shell, event_file: Path) -> None:
    shell.run_refused("checked", event_file, "--round", 1)
    shell.run(
        "results", event_file, shell.write_file("r.csv", "round,table,score1,score2\n1,2,400,380\n1,3,410,300\n")
    )
    shell.run("sheet", event_file, *TABLE, shell.write_file("sheet.json", json.dumps(SHEET)))
    checked_games = shell.run_json("checked", event_file, "--round", 1, "--all")
    assert checked_games["checked"] == [2, 3]
    assert checked_games["left"] == [{"table": 1, "state": "doubt", "doubts": 1, "reasons": ["1 turn in doubt"]}]
    assert ", in doubt: 1 turn in doubt\n" in shell.run("checked", event_file, "--round", 1, "--all")
    assert "1 (in doubt: 1 turn in doubt)" in shell.run_refused("checked", event_file, "--round", 1, "--table", 1)
    assert shell.run_json("checked", event_file, "--round", 1, "--table", 1, 2, "--anyway")["checked"] == [1]
    assert get_first_game(shell, event_file)["status"] == "checked"
    shell.run_refused("checked", event_file, "--round", 1, "--table", 9)


def test_checked_explains_omitted_tables(shell: Shell, event_file: Path) -> None:
    unfinished_sheet = {
        "players": ["", ""],
        "turns": [{"player": 1, "kind": "play", "score": 20}],
        "ended": "open",
    }
    shell.run("sheet", event_file, *TABLE, shell.write_file("open.json", json.dumps(unfinished_sheet)))
    first = {**unfinished_sheet, "rack_values": [0, 5], "ended": "out"}
    two = ("--round", 1, "--table", 2)
    shell.run("sheet", event_file, *two, shell.write_file("one.json", json.dumps(first)))
    other_document = {**first, "turns": [{"player": 1, "kind": "play", "score": 21}]}
    shell.run("sheet", event_file, *two, "--form", 2, shell.write_file("two.json", json.dumps(other_document)))
    shell.run("result", event_file, *two, 400, 380)
    shell.run("result", event_file, "--round", 1, "--table", 3, 400, 388)
    shell.run("do", event_file, "dispute-result", "round=1", "table=3", "first=430", "second=388")
    assert {
        row["table"]: row["reasons"]
        for row in shell.run_json("checked", event_file, "--round", 1, "--all")["left"]
    } == {
        1: ["sheet not finished"],
        2: ["two forms differ", "sheet and result differ"],
        3: ["another slip says 430 – 388"],
    }
    assert "niet af" in shell.run("checked", event_file, "--round", 1, "--all", "--lang", "nl")


GCG_WITH_PASSES = """#player1 A A
#player2 B B
>A: TAARTEN 8D TAART +20 20
>B: XY - +0 0
>A: EN - +0 20
>B: XY - +0 0
>A: EN (EN) -2 18
"""


@pytest.mark.parametrize("rack", ["#rack2 XY\n", ""])
def test_checked_reports_uncounted_remaining_tiles(shell: Shell, event_file: Path, rack: str) -> None:
    file = shell.write_file("game.gcg", GCG_WITH_PASSES + rack)
    warning = "The tiles left on B’s rack have not been counted."
    assert warning in shell.run("sheet", event_file, *TABLE, "--anyway", file)
    assert (warning in shell.run("gcg", file)) == bool(rack)
    (open_game,) = (
        row for row in shell.run_json("checked", event_file, "--round", 1, "--all")["left"] if row["table"] == 1
    )
    assert open_game["reasons"] == ["the game’s end or final score is in doubt"]
    shell.run(
        "sheet",
        event_file,
        *TABLE,
        "--anyway",
        shell.write_file("game.gcg", GCG_WITH_PASSES + ">B: XY (XY) -16 -16\n"),
    )
    assert 1 in shell.run_json("checked", event_file, "--round", 1, "--all")["checked"]


def test_score_of_a_game_without_an_end_is_unfinished(shell: Shell, event_file: Path) -> None:
    shortened_sheet = GCG_WITH_PASSES.replace(">A: EN (EN) -2 18\n", "#rack2 XY\n")
    entry = shell.run_json("sheet", event_file, *TABLE, "--anyway", shell.write_file("game.gcg", shortened_sheet))
    assert (entry["entered"], entry["result"], entry["issues"]) == (None, [None, None], [])


def test_sheet_lists_data_missing_from_the_rules(shell: Shell, event_file: Path) -> None:
    file = shell.write_file(
        "game.gcg", GCG_WITH_PASSES.replace(">B: XY - +0 0\n", ">A: (challenge) +5 25\n>B: XY - +0 0\n", 1)
    )
    (line,) = shell.run_json("sheet", event_file, *TABLE, "--anyway", file)["warnings"]
    assert line.startswith("Line 4: the file gives +5 points for a wrong challenge")
    assert line in shell.run("sheet", event_file, *TABLE, "--anyway", file)


def test_sheet_enters_a_folder_completely_or_not_at_all(shell: Shell, event_file: Path) -> None:
    folder = shell.folder / "sheets"
    folder.mkdir()
    assert "12.gcg" in shell.run_refused("sheet", event_file, "--round", 1, folder)
    for name, content in (("1.gcg", GCG), ("02.json", json.dumps(SHEET)), ("2-2.json", json.dumps(SHEET))):
        (folder / name).write_text(content)
    (folder / "readme.txt").write_text("not a sheet")
    assert "sit at table 1" in shell.run_refused("sheet", event_file, "--round", 1, folder)
    entries = shell.run_json("sheet", event_file, "--round", 1, folder, "--anyway")
    assert [(row["file"], row["table"], row["form"]) for row in entries] == [
        ("1.gcg", 1, 1),
        ("02.json", 2, 1),
        ("2-2.json", 2, 2),
    ]
    assert [(issue["turn"], issue["row"], issue["player"]) for issue in entries[1]["issues"]] == [(1, 1, 1)]
    lines = shell.run("sheet", event_file, folder, "--anyway").splitlines()
    assert any(line.startswith("  ") and line.endswith("The score is 20, not 21.") for line in lines)
    assert [line.partition(":")[0] for line in lines if not line.startswith("  ")] == [
        "1.gcg",
        "02.json",
        "2-2.json",
    ]
    old_results = len(shell.run_json("history", event_file))
    (folder / "9.gcg").write_text(GCG)
    shell.run_refused("sheet", event_file, "--round", 1, folder, "--anyway")
    (folder / "9.gcg").rename(folder / "final.gcg")
    assert "final.gcg" in shell.run_refused("sheet", event_file, "--round", 1, folder, "--anyway")
    assert len(shell.run_json("history", event_file)) == old_results
    shell.run_refused("sheet", event_file, "--round", 1, folder / "1.gcg")


def test_sheet_of_a_folder_lists_wrong_totals_and_replaced_results(shell: Shell, event_file: Path) -> None:
    folder = shell.folder / "sheets"
    folder.mkdir()
    (folder / "1.gcg").write_text(GCG.replace("+16 40", "+16 50"))
    shell.run("result", event_file, *TABLE, 50, 0, "--confirmed")
    lines = shell.run("sheet", event_file, "--round", 1, folder, "--anyway").splitlines()
    assert lines[0].startswith("1.gcg: ")
    scores = shell.run_json("sheet", event_file, "--round", 1, folder, "--anyway")[0]["scores"]
    sums = " – ".join(map(str, scores)).replace("-", "−")
    assert f"  The result entered is 50 – 0; this sheet changes it to {sums}." in lines
    assert f"  The total is {scores[0]}, not 50." in lines
    open_game = shell.run_json("checked", event_file, "--round", 1, "--all")["left"][0]
    assert "the game’s end or final score is in doubt" in open_game["reasons"]
    assert "The result entered" not in shell.run("sheet", event_file, "--round", 1, folder, "--anyway")


def test_sanction_is_added_listed_and_undone(shell: Shell, event_file: Path) -> None:
    shell.run("result", event_file, *TABLE, 400, 380)
    number = get_first_game(shell, event_file)["first"]
    shell.run("sanction", event_file, number, "points", "--points", 30, "--why", "late")
    shell.run("sanction", event_file, number, "margin", "--points", 7, "--why", "later", "--round", 1)
    assert get_first_game(shell, event_file)["score1"] == 370
    sanctions = shell.run_json("sanction", event_file)
    assert [(row["sanction"], row["kind"], row["points"]) for row in sanctions] == [
        (f"A{number}/1", "points", 30),
        (f"A{number}/2", "margin", 7),
    ]
    assert "late" in shell.run("sanction", event_file)
    row = next(row_id for row_id in shell.run_json("standings", event_file)["rows"] if row_id["player"] == number)
    assert row["spread"] == 370 - 380 - 7
    assert "points" in shell.run_json("history", event_file)[1]["text"]
    shell.run("do", event_file, "remove-sanction", f"sanction=A{number}/1")
    assert get_first_game(shell, event_file)["score1"] == 400
    shell.run_refused("do", event_file, "remove-sanction", f"sanction={number}/5")
    shell.run_refused("sanction", event_file, number, "points", "--why", "no points")
    shell.run_refused("sanction", event_file, number)


def test_result_accepts_a_slip_with_racks_and_flag(shell: Shell, event_file: Path) -> None:
    shell.run("result", event_file, *TABLE, 400, 380, "--rack2", "AE")
    assert [get_first_game(shell, event_file)[key] for key in ("score1", "score2")] == [402, 378]
    shell.run("result", event_file, *TABLE, 400, 380, "--flag", 1)
    table_game = get_first_game(shell, event_file)
    row = next(
        row_id
        for row_id in shell.run_json("standings", event_file)["rows"]
        if row_id["player"] == table_game["first"]
    )
    assert (table_game["score1"], row["wins"], row["losses"], row["spread"]) == (400, 0, 1, 20)
    shell.run_refused("result", event_file, *TABLE, 400, 380, "--overtime1", 30)


def test_result_applies_norwegian_overtime(shell: Shell) -> None:
    file = shell.folder / "no.tdapp"
    shell.run("new", file, "--name", "Open", "--rules", "no-nsf")
    shell.run("import", file, shell.write_file("players.csv", PLAYERS))
    shell.run("pair", file)
    shell.run("result", file, *TABLE, 400, 380, "--overtime2", 75)
    assert [get_first_game(shell, file)[key] for key in ("score1", "score2")] == [400, 360]


def test_rule_refuses_a_challenger_of_another_table(shell: Shell, event_file: Path) -> None:
    games = shell.run_json("pairings", event_file, "--round", 1)["games"]
    player_elsewhere = next(game for game in games if game["table"] == 2)["first"]
    arguments = ["words=XQBAR", "verdict=valid", "edition=e", "round_number=1", "table=1"]
    error = shell.run_refused("do", event_file, "record-challenge", *arguments, f"challenger={player_elsewhere}")
    assert "is not playing at table 1" in error
    player_at_table = next(game for game in games if game["table"] == 1)["first"]
    shell.run("do", event_file, "record-challenge", *arguments, f"challenger={player_at_table}")


def test_judge_advises_a_ruling_if_a_verdict_needs_one(shell: Shell, event_file: Path) -> None:
    arguments = ["words=XQBAR", "verdict=invalid", "edition=e", "round_number=1", "table=1", "occasion=jury"]
    shell.run("do", event_file, "record-challenge", *arguments)
    output = shell.run("result", event_file, *TABLE, 400, 388)
    assert (
        "Does the total already include the ruling? If yes, use --verdicts refuse. If no, rule on "
        "the word (tdapp rule)." in output
    )
    assert "apply" not in output
    shell.run_refused("result", event_file, *TABLE, "--verdicts", "apply")
    shell.run("result", event_file, *TABLE, "--verdicts", "refuse")


def test_result_asks_about_an_unlikely_score(shell: Shell, event_file: Path) -> None:
    assert "0 – 0 is an unusual result: is it right?" in shell.run_refused("result", event_file, *TABLE, 0, 0)
    assert get_first_game(shell, event_file)["score1"] is None
    shell.run("result", event_file, *TABLE, 0, 0, "--confirmed")
    assert get_first_game(shell, event_file)["score1"] == 0


def test_do_describes_the_effect_of_changed_rules(shell: Shell, event_file: Path) -> None:
    for table in (1, 2):
        shell.run("result", event_file, "--round", 1, "--table", table, 400, 400)
    output = shell.run("do", event_file, "change-rules", "ruleset=no-nsf")
    assert "different match points or a different spread" in output
    assert "match points or a different spread" not in shell.run(
        "do", event_file, "change-rules", "ruleset=no-nsf"
    )
