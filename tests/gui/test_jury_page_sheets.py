"""Tests of the Jury page: scores of whole sheets, typed key by key, under each federation's rules."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import GameSide, ResultState
from tdapp.domain.ruleset import OvertimeKind, OvertimeRule
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.gui.shell.session import Session
from tdapp.scrabble.sheet import GameEnding, TurnKind
from tests.building import load_rule_set
from tests.gui.jury_window import ALT, CONTROL, JuryDriver, pair_first_round, parametrize_languages
from tests.gui.windows import collect_messages

DUTCH_SHEET = """
    8F YEN 20 20     G7 EEND 7 7
    10F EDEL 9 29    11D KAN 12 19
    I9 PLAN 11 40    12G WIND 10 29
    7G EER 8 48      J12 DEUR 17 46
    E11 ARM 6 54     15H TOREN 24 70
    14L OF 7 61      H3 EINDEN 8 78
    3G PEN 9 70      5F MENS 7 85
    13C ARM 12 82    C12 BAND 7 92
    D9 KOK 7 89      13L ZoUT 34 126
    O11 WIT 9 98     15A BED 18 144
    9B ELK 10 108    I1 KAN 5 149
    10A EX 50 158    G12 WEG 10 159
    2I AS 7 165      G1 SAP 6 165
    9I POT 6 171     K5 fEEST 12 177
    6J REGEN 14 185  A10 ETEN 6 183
    M5 LES 8 193     2F JA 13 196
    -                F4 OM 4 200
    4E ZO 5 198      -
    N4 VAN 10 208    -
    -                -
"""
NORWEGIAN_SHEET = """
    H5 BORD 16 16    7F NORD 8 8
    8E GÅ 11 27      I3 FLY 21 29
    J1 ANE 8 35      1I HAN 5 34
    E8 GRAS 10 45    /
    9C TUR 7 31      F10 LyS 9 54
    12F SAND 5 36    3I FEM 5 59
    H10 KONE 6 42    G12 ANG 8 67
    8A FRA 14 56     C7 FAT 6 73
    14E JEG 9 65     10D SAL 8 81
    A8 FISK 6 71     F14 ER 2 83
    15D BAR 15 86    G6 RO 6 89
    B11 UT 11 97     D5 ÆRE 11 100
    I9 KU 14 111     8N ØTB --
    C12 EGG 12 123   14A DEG 8 108
    B14 EI 2 125     5D ÆTT 16 124
    -4               13C GÅ 6 130
    E3 HET 5 130     -4
    -4               -4
    3E HAV 12 142    2G AL 7 137
    9I KNE 4 146     K8 LEK 4 141
    L10 ELV 15 161   12L VI 5 146
    N11 øST 8 169    13N TO 3 149
    G1 HAV 8 177     -
    O13 OM 4 181     -
    -                -
    -                -
    -
"""
GERMAN_SHEET = """
    -4               H5 AUGE 10
    I2 ÜBEN 16       I8 SIND 7
    11I DAME 12      5G BANK 9
    10E STERN 7      /
    L8 HÖHE 15       F10 TAXI 11
    8G FEST 7        E7 HALS 6
    13E WIR 6        J11 AbEND 6
    13I NEIN 5       15H ENDE 12
    7C SEHR 6        D4 AUGE 10
    8L HER 4         4C DAME 6
    10L HUT 6        C1 SIND 8
    N10 TEIL 5       1A FUSS 24
    3I BIN 5         A1 FROH 11
    8L HERZ 21       F1 ENTE 6
    1F ES 2          12M MIR 6
    K2 ENG 4         7M JE 28
    8B SO 6          N5 MEER 8
    B8 SO 3          4K GUT 8
    -                M1 KaLT 14
    -                O8 ZU 4
    -                -
    -                -
"""
DUTCH_WORDS = """
    ARM AS BAND BED DEUR EDEL EEND EER EINDEN ELK EN ETEN FEEST JA KAN KOK LA LES MENS OF OM ON PEN PLAN POT REGEN
    SAP TOREN VAN WEG WIND WIT YEN ZO ZON ZOUT
"""  # EX is missing, so it becomes doubtful


def split_turns(sheet: str) -> list[str]:
    """Return the turns of a sheet with two columns, in playing order."""
    return [
        turn.strip() for line in sheet.strip().splitlines() for turn in line.strip().split("  ") if turn.strip()
    ]


@pytest.mark.slow
@parametrize_languages("en", "nl")
def test_jury_page_scores_a_dutch_sheet_with_a_wrong_word(empty_session: Session, qtbot: QtBot) -> None:
    """nl-reglement III.10: a wrong word costs its score and 20 points. IV ad a: both players lose their racks."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    driver.choose_word_list(DUTCH_WORDS.split(), binding=13)
    driver.choose_game("1")
    driver.write_sheet(*split_turns(DUTCH_SHEET))
    assert driver.list_open_doubts() == [(23, "EX", 70), (23, "EX", 70)]  # across and down
    assert [number for number, note in enumerate(driver.list_turn_notes(), 1) if note] == [23]
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.PASSES, "CQIDCMO", "UFGJVHE")
    assert driver.get_result().accounts == (
        ScoreBreakdown(turns=208, racks=-27),
        ScoreBreakdown(turns=200, racks=-24),
    )
    assert driver.list_ranking()[0] == ("Anna", 1.0, 5)

    assert driver.page.words.view.hasFocus()
    driver.press_key(Qt.Key.Key_Minus, ALT)
    assert (
        driver.translate_text("The result changes from {old} to {new}.", new="111 – 176", old="181 – 176")
        in driver.ruling_preview
    )
    assert driver.get_result().first == 181  # the ruling is not confirmed yet
    driver.press_key(Qt.Key.Key_Return)
    assert driver.get_result().accounts == (
        ScoreBreakdown(turns=208, phonies=-70, racks=-27),
        ScoreBreakdown(turns=200, racks=-24),
    )
    (ruling,) = driver.list_forms()[0].rulings
    assert (ruling.turn, ruling.phony, ruling.author) == (23, True, "J. Ury")
    assert ruling.why == "@not-in-list Own list"
    assert ruling.edition == driver.session.tournament.event.wordlist
    assert driver.page.turns.cells[24].total == "165"  # later turns keep their scores

    assert driver.page.end.racks[1].hasFocus()
    driver.press_key(Qt.Key.Key_Return)
    assert driver.get_result_state() is ResultState.CHECKED
    driver.press_key(Qt.Key.Key_Return)
    assert driver.get_result_state() is ResultState.FINAL
    assert driver.page.line.line.hasFocus()
    assert driver.list_ranking()[0] == ("Björn", 1.0, 65)
    assert driver.list_ranking()[-1] == ("Anna", 0.0, -65)


@pytest.mark.slow
def test_jury_page_scores_a_contested_and_replaced_word(empty_session: Session, qtbot: QtBot) -> None:
    """nl-reglement III.10: a contested word costs 20 points. IV ad b: the opponent gets the value of the rack."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    driver.choose_game("1")
    driver.type_lines("8D TAART 20 20", "e7 tafel 22 22", "WEL 18 38 ~XYZ", "-3 0 22", "200 238", "240 262")
    assert driver.list_turn_notes() == [""] * 6
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.OUT, "AE", "")
    assert driver.get_result().accounts == (
        ScoreBreakdown(turns=238, phonies=-20, racks=-2),
        ScoreBreakdown(turns=262, racks=2),
    )
    assert (driver.get_result().first, driver.get_result().second) == (216, 264)


@pytest.mark.slow
def test_jury_page_loses_a_game_for_a_fallen_flag(empty_session: Session, qtbot: QtBot) -> None:
    """nl-reglement IV.1c: a player whose time is over loses."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    driver.choose_game("1")
    driver.type_lines("300", "250")
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.FLAG)
    assert driver.page.end.loser.hasFocus()
    driver.save_sheet()
    assert "Choose the player." in driver.ending_notes
    assert driver.page.end.loser.hasFocus()
    driver.press_key(Qt.Key.Key_Down)
    driver.press_key(Qt.Key.Key_Return)
    driver.type_lines("9", "6")
    result = driver.get_result()
    assert (result.first, result.second, result.flag, result.lost) == (291, 244, GameSide.FIRST, GameSide.FIRST)
    assert "Anna has lost on time." in driver.ending_notes
    assert driver.list_ranking()[0][0] == "Björn"


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_jury_page_scores_a_norwegian_sheet_with_challenge_and_overtime(
    empty_session: Session, qtbot: QtBot
) -> None:
    """no-turneringsreglement 3.9 (wrong challenges), 4 (b) (six turns without tiles) and 4.1 (overtime)."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("no-nsf"))
    driver.choose_game("anna")
    driver.write_sheet(*split_turns(NORWEGIAN_SHEET))
    assert not any(driver.list_turn_notes())
    sheet = driver.typed_sheet
    assert [turn.at for turn in sheet.turns[:3]] == ["8E", "G6", "H5"]
    assert [turn.player for turn in sheet.turns[6:10]] == [1, 2, 2, 1]
    assert [turn.player for turn in sheet.turns if turn.kind is TurnKind.WITHDRAWN] == [1]
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.PASSES, "PØIDØTF", "1:15", "PBWJVSC", "")
    assert driver.get_result().accounts == (
        ScoreBreakdown(turns=149, racks=-19, overtime=-20),
        ScoreBreakdown(turns=191, challenges=-10, racks=-35),
    )
    assert (driver.get_result().first, driver.get_result().second, driver.get_result().overtime) == (
        110,
        146,
        (75, 0),
    )
    assert driver.list_ranking()[0] == ("Björn", 1.0, 36)
    driver.press_key(Qt.Key.Key_Return)
    driver.press_key(Qt.Key.Key_Return)
    assert driver.get_result_state() is ResultState.FINAL


@pytest.mark.slow
def test_end_panel_mentions_a_recount_for_a_small_margin(empty_session: Session, qtbot: QtBot) -> None:
    """no-turneringsreglement 4.2: a margin of at most 12 points requires a recount."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("no-nsf"))
    driver.choose_game("1")
    driver.type_lines("318", "302")
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.OUT, "AE", "", "", "")
    assert (driver.get_result().first, driver.get_result().second) == (316, 304)
    assert "recount" in driver.ending_notes
    driver.press_key(Qt.Key.Key_Escape)
    driver.press_key(Qt.Key.Key_Home, CONTROL)
    driver.replace_text("319")
    assert "recount" not in driver.ending_notes


@pytest.mark.slow
def test_jury_page_scores_more_than_five_minutes_of_overtime(empty_session: Session, qtbot: QtBot) -> None:
    """no-turneringsreglement 4.1: subtract 50 points, and more until the player loses by 100."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("no-nsf"))
    driver.choose_game("1")
    driver.type_lines("400", "350")
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.OVERTIME, "", "5:01", "", "", "K. Dommer")
    assert driver.get_result().accounts == (ScoreBreakdown(turns=400, overtime=-150), ScoreBreakdown(turns=350))
    assert driver.list_ranking()[0] == ("Björn", 1.0, 100)


@parametrize_languages("en", "nl")
def test_end_panel_names_the_peg_holes(empty_session: Session, qtbot: QtBot) -> None:
    """be-brailleliga, Scorerekjes: each upper hole counts 20 points, each lower hole one point."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("be-brailleliga"))
    driver.choose_game("1")
    driver.type_lines("437", "350")
    breakdown_texts = [label.text() for label in driver.page.end._breakdown_labels]
    peg_texts = [
        driver.translate_text(
            "upper peg {upper} × {row} + lower peg {lower}", upper=upper_hole, row=20, lower=lower_hole
        )
        for upper_hole, lower_hole in ((21, 17), (17, 10))
    ]
    assert [text.split("  ·  ")[-1] for text in breakdown_texts if " × " in text] == peg_texts


@pytest.mark.slow
@parametrize_languages("en", "de")
def test_jury_page_scores_a_german_sheet_that_ends_by_passes(empty_session: Session, qtbot: QtBot) -> None:
    """de-spielregeln 4 h: a wrong challenge costs 5 points. 4 f, 4 i: after four passes both lose their racks."""
    overtime_rule = OvertimeRule(kind=OvertimeKind.MINUTES, points=10, limit=300)  # the German rules have no clock
    driver = JuryDriver(
        empty_session, qtbot, pair_first_round(replace(load_rule_set("de-scrabble"), overtime=overtime_rule))
    )
    driver.choose_game("1")
    driver.write_sheet(*split_turns(GERMAN_SHEET))
    assert not any(driver.list_turn_notes())
    driver.press_key(Qt.Key.Key_Return)
    assert driver.page.end.ended.value() is GameEnding.PASSES  # proposed because of the last turns
    driver.press_key(Qt.Key.Key_Return)
    driver.type_lines("PD", "", "YQCÄCTV", "0:30")
    assert driver.get_result().accounts == (
        ScoreBreakdown(turns=203, racks=-5),
        ScoreBreakdown(turns=121, challenges=-5, racks=-41, overtime=-10),
    )
    assert (driver.get_result().first, driver.get_result().second) == (198, 65)
    assert driver.list_ranking()[0] == ("Anna", 1.0, 133)


@pytest.mark.slow
def test_jury_page_scores_a_german_game_below_zero(empty_session: Session, qtbot: QtBot) -> None:
    """de-spielregeln 4 i: a total may be negative. The rules have no clock, so the page asks for no times."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("de-scrabble"))
    driver.choose_game("1")
    driver.type_lines("h4 taste 12", "8h eßen --", "/ !", "-", "-", "-", "-")
    assert driver.list_turn_notes() == [""] * 7
    driver.press_key(Qt.Key.Key_Return)
    driver.press_key(Qt.Key.Key_Return)
    driver.type_lines("10", "7")
    assert driver.get_result().accounts == (
        ScoreBreakdown(turns=12, challenges=-5, racks=-10),
        ScoreBreakdown(racks=-7),
    )
    assert driver.list_ranking()[0] == ("Anna", 1.0, 4)


@pytest.mark.slow
@parametrize_languages("en", "nl")
def test_jury_page_scores_the_example_of_the_brailleliga(empty_session: Session, qtbot: QtBot) -> None:
    """The example in the rules has the scores 12, 20, 23 and 22. The page computes all scores itself."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("be-brailleliga"))
    driver.choose_game("1")
    driver.type_lines("8D TAART", "E7 TAFEL", "12C POST", "F10 LATER")
    cells = driver.page.turns.cells
    assert [(cell.word, cell.score) for cell in cells] == [
        ("TAART", "12"),
        ("TAFEL", "20"),
        ("POST", "23"),
        ("LATER", "22"),
    ]
    assert [cell.total for cell in cells] == ["12", "20", "35", "42"]
    driver.type_lines("300", "280")
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.OUT, "AE", "")
    assert (driver.get_result().first, driver.get_result().second) == (335 - 2, 322 + 2)
    assert driver.list_ranking()[0] == ("Anna", 1.0, 9)


@pytest.mark.slow
def test_jury_page_finds_a_wrong_score_in_the_brailleliga_example(empty_session: Session, qtbot: QtBot) -> None:
    """POST also forms TAFELS: both words score 23 points, POST alone 12."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("be-brailleliga"))
    driver.choose_game("1")
    driver.type_lines("8D TAART 12", "E7 TAFEL 20", "12C POST 12", "F10 LATER 22")
    assert [number for number, note in enumerate(driver.list_turn_notes(), 1) if note] == [3]
    assert "23" in driver.list_turn_notes()[2]
    assert [cell.total for cell in driver.page.turns.cells] == ["12", "20", "35", "42"]


@pytest.mark.slow
@parametrize_languages("en", "de")
def test_jury_page_warns_about_an_unfinished_sheet_before_the_check(empty_session: Session, qtbot: QtBot) -> None:
    driver = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    messages = collect_messages(driver.session)
    driver.session.do(partial(commands.enter_result, game=driver.get_game().id, first=320, second=300))
    driver.choose_game("1")
    driver.scan_lines("FOUT 30 30 !")
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.OPEN)
    driver.save_sheet()  # saves the sheet
    driver.save_sheet()  # marks the result as checked
    assert (
        driver.translate_text(
            "Enter how the game ended. Until then, no points are deducted for invalid words in this game."
        )
        in messages[-1]
    )
    assert driver.get_result_state() is ResultState.ENTERED
    driver.save_sheet()
    assert driver.get_result_state() is ResultState.CHECKED
