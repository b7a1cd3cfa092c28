"""Tests of reading overtime from an annotated game."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tdapp.gui.shell.session import Session
from tests.gui.jury_window import JuryDriver, pair_first_round

GAME = """#player1 A Anna
#player2 B Björn
>A: KATTENE 8G KAT +10 10
>B: SOL 7H SO +5 5
>A: ETENE (ETENE) -5 5
>B: L (L) -1 4
>A: (time) -20 -15
"""


def test_load_sheet_sets_clocks_from_points_for_overtime(
    empty_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    driver = JuryDriver(empty_session, qtbot, pair_first_round("no-nsf"))
    driver.choose_game("1")
    path = tmp_path / "game.gcg"
    path.write_text(GAME, "utf-8")
    driver.page._actions.files.load_sheet(path)
    assert driver.page.end.overtime[0].text() == "2:00"
    assert "a time penalty of −20 points is entered as overtime" in driver.sheet_notes
    driver.save_sheet()
    result = driver.get_result()
    assert result.overtime == (120, 0)
    assert result.accounts is not None
    assert result.accounts[0].overtime == -20
