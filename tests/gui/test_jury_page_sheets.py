"""Whole sheets typed through the window by real keys, one for each book, come out to the point."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import Forfeit, ResultState
from tdapp.domain.ruleset import OvertimeKind, OvertimeRule
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.gui.shell.session import Session
from tdapp.scrabble.sheet import GameEnding, TurnKind
from tests.building import load_rule_set
from tests.gui.jury_window import ALT, CONTROL, JuryDriver, pair_first_round, parametrize_languages

DUTCH = """
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
NORWEGIAN = """
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
GERMAN = """
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
"""  # all but EX


def lines(sheet: str) -> list[str]:
    """Return the turns of two columns in the order they were played."""
    return [
        part.strip() for line in sheet.strip().splitlines() for part in line.strip().split("  ") if part.strip()
    ]


@pytest.mark.slow
@parametrize_languages("en", "nl")
def test_jury_page_scores_a_dutch_sheet_decided_by_a_wrong_word(empty_session: Session, qtbot: QtBot) -> None:
    """nl-reglement III.10: a wrong word costs its turn and 20 points; IV ad a: each then loses the own rack."""
    hands = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    hands.choose_word_list(DUTCH_WORDS.split(), binding=13)
    hands.choose_game("1")
    hands.write_sheet(*lines(DUTCH))
    assert hands.doubts() == [(23, "EX", 70), (23, "EX", 70)]  # across and down
    assert [place for place, note in enumerate(hands.notes(), 1) if note] == [23]
    hands.press(Qt.Key.Key_Return)
    hands.enter_ending(GameEnding.PASSES, "CQIDCMO", "UFGJVHE")
    assert hands.result().accounts == (ScoreBreakdown(turns=208, racks=-27), ScoreBreakdown(turns=200, racks=-24))
    assert hands.ranking()[0] == ("Anna", 1.0, 5)

    assert hands.page.words.view.hasFocus()
    hands.press(Qt.Key.Key_Minus, ALT)
    assert (
        hands.translate("The result of the game becomes {new} instead of {old}.", new="111 – 176", old="181 – 176")
        in hands.ruling_preview
    )
    assert hands.result().first == 181  # nothing is ruled before it is confirmed
    hands.press(Qt.Key.Key_Return)
    assert hands.result().accounts == (
        ScoreBreakdown(turns=208, phonies=-70, racks=-27),
        ScoreBreakdown(turns=200, racks=-24),
    )
    (ruling,) = hands.forms()[0].rulings
    assert (ruling.turn, ruling.phony, ruling.author) == (23, True, "J. Ury")
    assert ruling.why == "@not-in-list Own list"
    assert ruling.edition == hands.session.tournament.event.wordlist
    assert hands.page.turns.cells[24].total == "165"  # later turns keep their scores

    assert hands.page.end.racks[1].hasFocus()
    hands.press(Qt.Key.Key_Return)
    assert hands.state() is ResultState.CHECKED
    hands.press(Qt.Key.Key_Return)
    assert hands.state() is ResultState.FINAL
    assert hands.page.line.line.hasFocus()
    assert hands.ranking()[0] == ("Björn", 1.0, 65)
    assert hands.ranking()[-1] == ("Anna", 0.0, -65)


@pytest.mark.slow
def test_jury_page_scores_a_contested_and_replaced_word(empty_session: Session, qtbot: QtBot) -> None:
    """nl-reglement III.10: a word contested in time is replaced, and costs 20 points; IV ad b: the rack moves."""
    hands = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    hands.choose_game("1")
    hands.enter("8D TAART 20 20", "e7 tafel 22 22", "WEL 18 38 ~XYZ", "-3 0 22", "200 238", "240 262")
    assert hands.notes() == [""] * 6
    hands.press(Qt.Key.Key_Return)
    hands.enter_ending(GameEnding.OUT, "AE", "")
    assert hands.result().accounts == (
        ScoreBreakdown(turns=238, phonies=-20, racks=-2),
        ScoreBreakdown(turns=262, racks=2),
    )
    assert (hands.result().first, hands.result().second) == (216, 264)


@pytest.mark.slow
def test_jury_page_loses_a_game_for_a_fallen_flag(empty_session: Session, qtbot: QtBot) -> None:
    """nl-reglement IV.1c."""
    hands = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    hands.choose_game("1")
    hands.enter("300", "250")
    hands.press(Qt.Key.Key_Return)
    hands.enter_ending(GameEnding.FLAG)
    assert hands.page.end.loser.hasFocus()
    hands.save_sheet()
    assert "Choose the player." in hands.ending_notes
    assert hands.page.end.loser.hasFocus()
    hands.press(Qt.Key.Key_Down)
    hands.press(Qt.Key.Key_Return)
    hands.enter("9", "6")
    result = hands.result()
    assert (result.first, result.second, result.flag, result.lost) == (291, 244, Forfeit.FIRST, Forfeit.FIRST)
    assert "Anna has lost on time." in hands.ending_notes
    assert hands.ranking()[0][0] == "Björn"


@pytest.mark.slow
@parametrize_languages("en", "nb")
def test_jury_page_scores_a_norwegian_sheet_with_challenge_and_overtime(
    empty_session: Session, qtbot: QtBot
) -> None:
    """no-turneringsreglement 3.9: 10 points a wrong challenge; 4 (b): six turns without tiles; 4.1: overtime."""
    hands = JuryDriver(empty_session, qtbot, pair_first_round("no-nsf"))
    hands.choose_game("anna")
    hands.write_sheet(*lines(NORWEGIAN))
    assert not any(hands.notes())
    sheet = hands.typed_sheet
    assert [turn.at for turn in sheet.turns[:3]] == ["8E", "G6", "H5"]
    assert [turn.player for turn in sheet.turns[6:10]] == [1, 2, 2, 1]
    assert [turn.player for turn in sheet.turns if turn.kind is TurnKind.WITHDRAWN] == [1]
    hands.press(Qt.Key.Key_Return)
    hands.enter_ending(GameEnding.PASSES, "PØIDØTF", "1:15", "PBWJVSC", "")
    assert hands.result().accounts == (
        ScoreBreakdown(turns=149, racks=-19, overtime=-20),
        ScoreBreakdown(turns=191, challenges=-10, racks=-35),
    )
    assert (hands.result().first, hands.result().second, hands.result().overtime) == (110, 146, (75, 0))
    assert hands.ranking()[0] == ("Björn", 1.0, 36)
    hands.press(Qt.Key.Key_Return)
    hands.press(Qt.Key.Key_Return)
    assert hands.state() is ResultState.FINAL


@pytest.mark.slow
def test_jury_page_mentions_a_recount_for_a_small_margin(empty_session: Session, qtbot: QtBot) -> None:
    """no-turneringsreglement 4.2: at 12 points or less."""
    hands = JuryDriver(empty_session, qtbot, pair_first_round("no-nsf"))
    hands.choose_game("1")
    hands.enter("318", "302")
    hands.press(Qt.Key.Key_Return)
    hands.enter_ending(GameEnding.OUT, "AE", "", "", "")
    assert (hands.result().first, hands.result().second) == (316, 304)
    assert "recount" in hands.ending_notes
    hands.press(Qt.Key.Key_Escape)
    hands.press(Qt.Key.Key_Home, CONTROL)
    hands.replace("319")
    assert "recount" not in hands.ending_notes


@pytest.mark.slow
def test_jury_page_scores_more_than_five_minutes_of_overtime(empty_session: Session, qtbot: QtBot) -> None:
    """no-turneringsreglement 4.1: the score then standing less 50, and further until 100 are between the two."""
    hands = JuryDriver(empty_session, qtbot, pair_first_round("no-nsf"))
    hands.choose_game("1")
    hands.enter("400", "350")
    hands.press(Qt.Key.Key_Return)
    hands.enter_ending(GameEnding.OVERTIME, "", "5:01", "", "", "K. Dommer")
    assert hands.result().accounts == (ScoreBreakdown(turns=400, overtime=-150), ScoreBreakdown(turns=350))
    assert hands.ranking()[0] == ("Björn", 1.0, 100)


@parametrize_languages("en", "nl")
def test_end_panel_names_the_peg_holes(empty_session: Session, qtbot: QtBot) -> None:
    """be-brailleliga, Scorerekjes: the lower row for less than 20 points, the upper one for every 20."""
    hands = JuryDriver(empty_session, qtbot, pair_first_round("be-brailleliga"))
    hands.choose_game("1")
    hands.enter("437", "350")
    shown = [label.text() for label in hands.page.end._breakdown_labels]
    wanted = [
        hands.translate("pegs {upper} × {row} + {lower}", upper=u, row=20, lower=low)
        for u, low in ((21, 17), (17, 10))
    ]
    assert [text.split("  ·  ")[-1] for text in shown if " × " in text] == wanted


@pytest.mark.slow
@parametrize_languages("en", "de")
def test_jury_page_scores_a_german_sheet_that_ends_by_passes(empty_session: Session, qtbot: QtBot) -> None:
    """de-spielregeln 4 h: 5 points a wrong challenge; 4 f, 4 i: each passes twice and loses the own rack."""
    agreed = OvertimeRule(kind=OvertimeKind.MINUTES, points=10, limit=300)  # the book itself has no clock
    hands = JuryDriver(
        empty_session, qtbot, pair_first_round(replace(load_rule_set("de-scrabble"), overtime=agreed))
    )
    hands.choose_game("1")
    hands.write_sheet(*lines(GERMAN))
    assert not any(hands.notes())
    hands.press(Qt.Key.Key_Return)
    assert hands.page.end.ended.value() is GameEnding.PASSES  # proposed, for it follows from the turns
    hands.press(Qt.Key.Key_Return)
    hands.enter("PD", "", "YQCÄCTV", "0:30")
    assert hands.result().accounts == (
        ScoreBreakdown(turns=203, racks=-5),
        ScoreBreakdown(turns=121, challenges=-5, racks=-41, overtime=-10),
    )
    assert (hands.result().first, hands.result().second) == (198, 65)
    assert hands.ranking()[0] == ("Anna", 1.0, 133)


@pytest.mark.slow
def test_jury_page_scores_a_german_game_below_zero(empty_session: Session, qtbot: QtBot) -> None:
    """de-spielregeln 4 i: nothing keeps a total above nothing; the book has no clocks to fill in."""
    hands = JuryDriver(empty_session, qtbot, pair_first_round("de-scrabble"))
    hands.choose_game("1")
    hands.enter("h4 taste 12", "8h eßen --", "/ !", "-", "-", "-", "-")
    assert hands.notes() == [""] * 7
    hands.press(Qt.Key.Key_Return)
    hands.press(Qt.Key.Key_Return)
    hands.enter("10", "7")
    assert hands.result().accounts == (
        ScoreBreakdown(turns=12, challenges=-5, racks=-10),
        ScoreBreakdown(racks=-7),
    )
    assert hands.ranking()[0] == ("Anna", 1.0, 4)


@pytest.mark.slow
@parametrize_languages("en", "nl")
def test_jury_page_scores_the_example_of_the_brailleliga(empty_session: Session, qtbot: QtBot) -> None:
    """The book's four turns, TAART 12, TAFEL 20, POST 23, LATER 22, without a score typed; 18: racks."""
    hands = JuryDriver(empty_session, qtbot, pair_first_round("be-brailleliga"))
    hands.choose_game("1")
    hands.enter("8D TAART", "E7 TAFEL", "12C POST", "F10 LATER")
    cells = hands.page.turns.cells
    assert [(cell.word, cell.score) for cell in cells] == [
        ("TAART", "12"),
        ("TAFEL", "20"),
        ("POST", "23"),
        ("LATER", "22"),
    ]
    assert [cell.total for cell in cells] == ["12", "20", "35", "42"]
    hands.enter("300", "280")
    hands.press(Qt.Key.Key_Return)
    hands.enter_ending(GameEnding.OUT, "AE", "")
    assert (hands.result().first, hands.result().second) == (335 - 2, 322 + 2)
    assert hands.ranking()[0] == ("Anna", 1.0, 9)


@pytest.mark.slow
def test_jury_page_finds_a_wrong_score_in_the_brailleliga_example(empty_session: Session, qtbot: QtBot) -> None:
    """POST also makes TAFELS: 23 points and not the 12 of the word alone."""
    hands = JuryDriver(empty_session, qtbot, pair_first_round("be-brailleliga"))
    hands.choose_game("1")
    hands.enter("8D TAART 12", "E7 TAFEL 20", "12C POST 12", "F10 LATER 22")
    assert [place for place, note in enumerate(hands.notes(), 1) if note] == [3]
    assert "23" in hands.notes()[2]
    assert [cell.total for cell in hands.page.turns.cells] == ["12", "20", "35", "42"]


@pytest.mark.slow
@parametrize_languages("en", "de")
def test_jury_page_names_a_wrong_word_of_an_unfinished_sheet_before_the_check(
    empty_session: Session, qtbot: QtBot
) -> None:
    hands = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    said: list[str] = []
    hands.session.message_sent.connect(lambda *told: said.append(str(told[0])))
    hands.session.do(partial(commands.enter_result, game=hands.game().id, first=320, second=300))
    hands.choose_game("1")
    hands.enter_lines("FOUT 30 30 !")
    hands.press(Qt.Key.Key_Return)
    hands.enter_ending(GameEnding.OPEN)
    hands.save_sheet()  # the sheet
    hands.save_sheet()  # as checked
    assert (
        hands.translate("Enter how the game ended: until then wrong words in this game do not count.") in said[-1]
    )
    assert hands.state() is ResultState.ENTERED
    hands.save_sheet()
    assert hands.state() is ResultState.CHECKED
