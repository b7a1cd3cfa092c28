"""Tests of the Jury page: loading and saving annotated games (GCG files)."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.exchange.sheet_files import read_gcg
from tdapp.gui.shell.session import Session
from tdapp.scrabble.sheet import GameEnding
from tdapp.storage import Store
from tests.data_events import find_data_folder
from tests.gui.jury_window import CONTROL, JuryDriver, pair_first_round, parametrize_languages

GCG_GAME = """#character-encoding UTF-8
#player1 A Anna
#player2 B Björn
>A: AARTTEE 8D TAART +20 20
>B: TFELIIN E7 T.FEL +22 22
>A: POSTEEN 12C POST +29 49
>B: LAERIIN F10 LA.ER +33 55
>A: EENSDG? -EE +0 49
"""


@pytest.fixture
def driver(empty_session: Session, qtbot: QtBot) -> JuryDriver:
    """Return a driver with the empty sheet of table 1 under Dutch rules."""
    driver = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    driver.choose_game("1")
    return driver


@pytest.fixture
def gcg_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the path selected in all file dialogs."""
    path = tmp_path / "game.gcg"
    for dialog in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, dialog, lambda *_: (str(path), ""))
    return path


def write_and_load_file(driver: JuryDriver, gcg_file: Path, text: str) -> None:
    gcg_file.write_text(text, encoding="utf-8")
    driver.press_key(Qt.Key.Key_G, CONTROL)


@pytest.mark.slow
@parametrize_languages("en", "de")
def test_load_and_save_sheet_keep_a_whole_game(driver: JuryDriver, gcg_file: Path) -> None:
    write_and_load_file(driver, gcg_file, GCG_GAME)
    cells = driver.page.turns.cells
    assert [(cell.word, cell.score, cell.total) for cell in cells[:4]] == [
        ("TAART", "20", "20"),
        ("T.FEL", "22", "22"),
        ("POST", "29", "49"),
        ("LA.ER", "33", "55"),
    ]
    assert not any(driver.list_turn_notes())
    assert driver.page.turns.field.hasFocus()
    driver.type_lines("200 255", "200 249")
    driver.press_key(Qt.Key.Key_Return)
    driver.enter_ending(GameEnding.OUT, "AE", "")
    assert (driver.get_result().first, driver.get_result().second) == (247, 257)

    driver.choose_game("2")
    write_and_load_file(driver, gcg_file, GCG_GAME)
    gcg_file.unlink()
    driver.run_action("Save as GCG…")
    saved_game, issues = read_gcg(gcg_file.read_bytes(), gcg_file.name)
    first_game, _ = read_gcg(GCG_GAME.encode(), "game.gcg")
    assert not issues
    assert [player.name for player in saved_game.players] == ["Cécile", "Dirk"]
    assert [(event.kind, event.points, event.total) for event in saved_game.events] == [
        (event.kind, event.points, event.total) for event in first_game.events
    ]


def test_load_sheet_names_differing_sums(driver: JuryDriver, gcg_file: Path) -> None:
    write_and_load_file(driver, gcg_file, GCG_GAME.replace("+29 49", "+39 59"))
    assert driver.list_turn_notes()[2].startswith("The score is 29, not 39.")
    assert len(driver.typed_sheet.turns) == 5


@pytest.mark.slow
def test_load_sheet_keeps_the_starter_of_the_file(driver: JuryDriver, gcg_file: Path) -> None:
    """The file may list the players in either order."""
    swapped_game = GCG_GAME.replace("A Anna", "A Björn").replace("B Björn", "B Anna")
    write_and_load_file(driver, gcg_file, swapped_game)
    assert driver.typed_sheet.players == ("Björn", "Anna")


@pytest.mark.slow
def test_load_sheet_names_players_of_another_game(driver: JuryDriver, gcg_file: Path) -> None:
    write_and_load_file(driver, gcg_file, GCG_GAME.replace("A Anna", "A Unni Ulvestad"))
    warning = "The players in the file are different: Unni Ulvestad"
    assert driver.page.sheet.warnings == (warning,)
    assert any(warning in label.text() for label in driver.page.findChildren(QLabel) if label.isVisible())
    write_and_load_file(driver, gcg_file, GCG_GAME)
    assert not driver.page.sheet.warnings


@pytest.mark.slow
def test_load_sheet_keeps_typed_turns_if_the_file_is_no_game(
    driver: JuryDriver, gcg_file: Path, qtbot: QtBot
) -> None:
    driver.type_lines("8D TAART 20 20")
    with qtbot.waitSignal(driver.session.message_sent) as signal:
        write_and_load_file(driver, gcg_file, "Dear jury,\nno game here.\n")
    assert signal.args[2] == "red"
    assert "game.gcg" in signal.args[0]
    assert [turn.word for turn in driver.typed_sheet.turns] == ["TAART"]


@pytest.mark.slow
def test_load_sheet_replaces_typed_text(driver: JuryDriver, gcg_file: Path) -> None:
    driver.type_lines("20 20", "30 30")
    write_and_load_file(driver, gcg_file, GCG_GAME)
    assert len(driver.typed_sheet.turns) == 5
    driver.run_action("Discard the typed text")
    driver.run_action("Restore the typed text")
    assert len(driver.typed_sheet.turns) == 5


@pytest.mark.slow
def test_save_sheet_refuses_a_game_without_squares(driver: JuryDriver, gcg_file: Path, qtbot: QtBot) -> None:
    driver.type_lines("TAART 20 20")
    with qtbot.waitSignal(driver.session.message_sent) as signal:
        driver.run_action("Save as GCG…")
    assert signal.args[2] == "red"
    assert not gcg_file.exists()


@pytest.mark.data
def test_load_sheet_loads_a_real_german_game_without_notes(
    empty_session: Session, qtbot: QtBot, gcg_file: Path
) -> None:
    path = find_data_folder() / "gcg" / "ok" / "scrabscrap__scrabble-scraper-v2__hh19-inessa-stefan.gcg"
    driver = JuryDriver(empty_session, qtbot, pair_first_round("de-scrabble"))
    driver.choose_game("1")
    write_and_load_file(driver, gcg_file, path.read_text(encoding="utf-8"))
    assert len(driver.typed_sheet.turns) > 20
    assert not any(driver.list_turn_notes())


@pytest.mark.slow
def test_jury_page_keeps_drafts_of_each_file(empty_session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    driver = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    file, copy, renamed = (tmp_path / f"{name}.tdapp" for name in ("Open", "Copy", "Renamed"))
    empty_session.desk.store.copy_to_file(file)

    def list_typed_turns(path: Path) -> list[str]:
        if empty_session.path != path:
            empty_session.open_tournament_of_desk(Desk.open(path))
        driver.window.show_page("jury")
        driver.choose_game("1")
        return [entry.text for entry in driver.page.sheet.draft.entries]

    assert list_typed_turns(file) == []
    driver.type_lines("8D TAART 20")
    copy.write_bytes(file.read_bytes())
    assert list_typed_turns(copy) == []
    driver.type_lines("9E ANDERS 10", "-")
    assert list_typed_turns(file) == ["8D TAART 20"]
    assert list_typed_turns(copy) == ["9E ANDERS 10", "-"]
    empty_session.open_tournament_of_desk(Desk(Store.create_in_memory(empty_session.tournament)))
    file.rename(renamed)
    assert list_typed_turns(renamed) == ["8D TAART 20"]
    empty_session.save_to_other_file(tmp_path / "Elsewhere.tdapp")
    assert empty_session.path == tmp_path / "Elsewhere.tdapp"
    assert list_typed_turns(empty_session.path) == ["8D TAART 20"], "the draft follows the saved copy"
    assert list_typed_turns(renamed) == []
