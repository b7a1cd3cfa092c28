"""Whole sheets typed through the window by real keys, one for each book, come out to the point."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tdapp.domain.model import Forfeit, ResultState
from tdapp.domain.reckoning import Breakdown
from tdapp.gui.session import Session
from tdapp.scrabble.sheet import Ended
from tests.gui.jury_window import Hands, first_round


def test_a_dutch_sheet_with_a_wrong_word_found_by_the_jury(empty: Session, qtbot: QtBot) -> None:
    """nl-reglement III.10: a wrong word costs its turn and 20 points; IV ad b: the rack goes to who is out."""
    hands = Hands(empty, qtbot, first_round("nl-match"))
    hands.list_of({"TAART", "TAFEL", "TAFELS", "LATER", "EL", "LA", "WEL"}, binding=13)
    hands.choose("1")
    hands.enter("8D TAART 20 20", "e7 tafel 22 22", "12c post 29 49", "F10 LATER 33 55")
    hands.enter("WEL 18 67 ~XYZ", "-3 0 55", "200 267", "240 295")
    hands.press(Qt.Key.Key_Return)
    hands.end(Ended.OUT, "AE", "", "J. Ury")
    result = hands.result()
    assert (result.first, result.second, result.state) == (267 - 20 - 2, 295 + 2, ResultState.ENTERED)
    assert result.accounts == (Breakdown(turns=267, phonies=-20, racks=-2), Breakdown(turns=295, racks=2))
    assert [(doubt.turn, doubt.word, doubt.cost) for doubt in shown_doubts(hands)] == [(3, "POST", 49)]
    assert hands.focused is hands.page.words.view

    hands.press(Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    assert "The game is then 196 – 297 instead of 245 – 297." in hands.page.ruling.meaning
    assert hands.result().first == 245  # nothing is ruled before it is confirmed
    hands.press(Qt.Key.Key_Return)
    assert hands.result().accounts == (
        Breakdown(turns=267, phonies=-20 - 29 - 20, racks=-2),
        Breakdown(turns=295, racks=2),
    )
    (ruling,) = hands.session.index.sheets(hands.game().id)[0].rulings
    assert (ruling.turn, ruling.phony, ruling.author, ruling.why) == (3, True, "J. Ury", "POST: not in Own list")
    assert ruling.edition == hands.session.tournament.event.wordlist

    hands.press(Qt.Key.Key_Return)  # in the field of who answers for it: checked
    assert hands.result().state is ResultState.CHECKED
    hands.press(Qt.Key.Key_Return)
    assert hands.result().state is ResultState.FINAL
    assert hands.focused is hands.page.list.search
    assert hands.ranking()[0] == ("Björn", 1.0, 101)
    assert hands.ranking()[-1] == ("Anna", 0.0, -101)


def shown_doubts(hands: Hands) -> list[object]:
    assert hands.page.shown is not None
    return list(hands.page.shown.doubts)


def test_a_norwegian_sheet_with_overtime_and_a_wrong_challenge(empty: Session, qtbot: QtBot) -> None:
    """no-turneringsreglement: 10 points a wrong challenge, 10 a started minute; rows have letters."""
    hands = Hands(empty, qtbot, first_round("no-nsf"))
    hands.choose("anna")
    hands.enter("h4 norge 16 16", "8h et 2 2", "/", "310", "300")
    hands.press(Qt.Key.Key_Return)
    hands.end(Ended.OUT, "AE", "1:15", "", "", "K. Dommer")
    assert hands.result().accounts == (
        Breakdown(turns=326, challenges=-10, racks=-2, overtime=-20),
        Breakdown(turns=302, racks=2),
    )
    assert (hands.result().first, hands.result().second, hands.result().overtime) == (294, 304, (75, 0))
    assert "recount" in foot(hands)
    sheet = hands.session.index.sheets(hands.game().id)[0].sheet
    assert [turn.at for turn in sheet.turns] == ["8D", "H8", None, None, None]
    assert [turn.player for turn in sheet.turns] == [1, 2, 1, 1, 2]
    assert hands.ranking()[0] == ("Björn", 1.0, 10)


def test_a_german_sheet_that_ends_by_passes_below_zero(empty: Session, qtbot: QtBot) -> None:
    """de-spielregeln: each passes twice and loses the own rack, a wrong challenge costs 5."""
    hands = Hands(empty, qtbot, first_round("de-scrabble"))
    hands.choose("1")
    hands.enter("h4 taste 12", "8h eßen --", "/", "-", "-", "-", "-")
    assert hands.notes() == [""] * 7
    hands.press(Qt.Key.Key_Return)
    assert hands.page.end.end().ended == "passes"  # proposed, for it follows from the turns
    hands.press(Qt.Key.Key_Return)
    hands.enter("10", "7", "J. Ury")
    assert hands.result().accounts == (
        Breakdown(turns=12, challenges=-5, racks=-10),
        Breakdown(racks=-7),
    )
    assert (hands.result().first, hands.result().second) == (-3, -7)
    assert hands.ranking()[0] == ("Anna", 1.0, 4)


def test_the_example_of_the_brailleliga(empty: Session, qtbot: QtBot) -> None:
    """The book's four turns, TAART 12, TAFEL 20, POST 23, LATER 22, without a score typed."""
    hands = Hands(empty, qtbot, first_round("be-brailleliga"))
    hands.choose("1")
    hands.enter("8D TAART", "E7 TAFEL", "12C POST", "F10 LATER")
    assert [(cell.score, cell.total) for cell in hands.page.turns.cells] == [
        ("12", "12"),
        ("20", "20"),
        ("23", "35"),
        ("22", "42"),
    ]
    hands.enter("300", "280")
    hands.press(Qt.Key.Key_Return)
    hands.end(Ended.OUT, "AE", "", "J. Ury")
    assert (hands.result().first, hands.result().second) == (335 - 2, 322 + 2)
    assert hands.ranking()[0] == ("Anna", 1.0, 9)


def test_a_flag_that_falls_loses_whatever_the_points(empty: Session, qtbot: QtBot) -> None:
    """nl-reglement IV.1c."""
    hands = Hands(empty, qtbot, first_round("nl-match"))
    hands.choose("1")
    hands.enter("300", "250")
    hands.press(Qt.Key.Key_Return)
    hands.end(Ended.FLAG)
    assert hands.focused is hands.page.end.whose
    hands.keep()
    assert "Say whose it was." in foot(hands)
    assert hands.focused is hands.page.end.whose
    hands.press(Qt.Key.Key_Down)
    hands.press(Qt.Key.Key_Return)
    hands.enter("9", "6", "J. Ury")
    result = hands.result()
    assert (result.first, result.second, result.flag, result.lost) == (291, 244, Forfeit.FIRST, Forfeit.FIRST)
    assert "Anna has lost by the clock." in foot(hands)
    assert hands.ranking()[0][0] == "Björn"


def foot(hands: Hands) -> str:
    return hands.page.end.said
