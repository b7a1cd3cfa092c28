"""Annotated games loaded into the jury page and saved from it by keys; only the file's name is given."""

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

GAME = """#character-encoding UTF-8
#player1 A Anna
#player2 B Björn
>A: AARTTEE 8D TAART +20 20
>B: TFELIIN E7 T.FEL +22 22
>A: POSTEEN 12C POST +29 49
>B: LAERIIN F10 LA.ER +33 55
>A: EENSDG? -EE +0 49
"""


@pytest.fixture
def hands(empty_session: Session, qtbot: QtBot) -> JuryDriver:
    """Table 1 in the Netherlands is open, nothing is typed."""
    made = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    made.choose_game("1")
    return made


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The file selected in the dialogs."""
    path = tmp_path / "game.gcg"
    for dialog in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, dialog, lambda *_: (str(path), ""))
    return path


def load(hands: JuryDriver, file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    hands.press(Qt.Key.Key_G, CONTROL)


@pytest.mark.slow
@parametrize_languages("en", "de")
def test_load_sheet_loads_ends_and_saves_a_game(hands: JuryDriver, file: Path) -> None:
    load(hands, file, GAME)
    cells = hands.page.turns.cells
    assert [(cell.word, cell.score, cell.total) for cell in cells[:4]] == [
        ("TAART", "20", "20"),
        ("T.FEL", "22", "22"),
        ("POST", "29", "49"),
        ("LA.ER", "33", "55"),
    ]
    assert not any(hands.notes())
    assert hands.page.turns.field.hasFocus()
    hands.enter("200 255", "200 249")
    hands.press(Qt.Key.Key_Return)
    hands.enter_ending(GameEnding.OUT, "AE", "")
    assert (hands.result().first, hands.result().second) == (247, 257)

    hands.choose_game("2")
    load(hands, file, GAME)
    file.unlink()
    hands.run_command("Save as GCG…")
    again, issues = read_gcg(file.read_bytes(), file.name)
    first, _ = read_gcg(GAME.encode(), "game.gcg")
    assert not issues
    assert [player.name for player in again.players] == ["Cécile", "Dirk"]
    assert [(event.kind, event.points, event.total) for event in again.events] == [
        (event.kind, event.points, event.total) for event in first.events
    ]


def test_load_sheet_names_differing_sums(hands: JuryDriver, file: Path) -> None:
    load(hands, file, GAME.replace("+29 49", "+39 59"))
    assert hands.notes()[2].startswith("The score is 29, not 39.")
    assert len(hands.typed_sheet.turns) == 5


@pytest.mark.slow
def test_load_sheet_keeps_the_starter_of_the_file(hands: JuryDriver, file: Path) -> None:
    """Players are matched by name, in any order."""
    other = GAME.replace("A Anna", "A Björn").replace("B Björn", "B Anna")
    load(hands, file, other)
    assert hands.typed_sheet.players == ("Björn", "Anna")


@pytest.mark.slow
def test_load_sheet_names_players_of_another_game(hands: JuryDriver, file: Path) -> None:
    load(hands, file, GAME.replace("A Anna", "A Unni Ulvestad"))
    said = "The file names other players: Unni Ulvestad"
    assert hands.page.sheet.warnings == (said,)
    assert any(said in label.text() for label in hands.page.findChildren(QLabel) if label.isVisible())
    load(hands, file, GAME)
    assert not hands.page.sheet.warnings


@pytest.mark.slow
def test_load_sheet_refuses_another_file_and_loses_nothing(hands: JuryDriver, file: Path, qtbot: QtBot) -> None:
    hands.enter("8D TAART 20 20")
    with qtbot.waitSignal(hands.session.message_sent) as told:
        load(hands, file, "Dear jury,\nno game here.\n")
    assert told.args[2] == "red"
    assert "game.gcg" in told.args[0]
    assert [turn.word for turn in hands.typed_sheet.turns] == ["TAART"]


@pytest.mark.slow
def test_load_sheet_puts_typed_text_aside(hands: JuryDriver, file: Path) -> None:
    hands.enter("20 20", "30 30")
    load(hands, file, GAME)
    assert len(hands.typed_sheet.turns) == 5
    hands.run_command("Discard the typed text")
    hands.run_command("Restore the typed text")
    assert len(hands.typed_sheet.turns) == 5


@pytest.mark.slow
def test_save_sheet_refuses_a_game_without_squares(hands: JuryDriver, file: Path, qtbot: QtBot) -> None:
    hands.enter("TAART 20 20")
    with qtbot.waitSignal(hands.session.message_sent) as told:
        hands.run_command("Save as GCG…")
    assert told.args[2] == "red"
    assert not file.exists()


@pytest.mark.data
def test_load_sheet_loads_a_real_german_game_without_notes(
    empty_session: Session, qtbot: QtBot, file: Path
) -> None:
    path = find_data_folder() / "gcg" / "ok" / "scrabscrap__scrabble-scraper-v2__hh19-inessa-stefan.gcg"
    hands = JuryDriver(empty_session, qtbot, pair_first_round("de-scrabble"))
    hands.choose_game("1")
    load(hands, file, path.read_text(encoding="utf-8"))
    assert len(hands.typed_sheet.turns) > 20
    assert not any(hands.notes())


@pytest.mark.slow
def test_drafts_belong_to_one_file(empty_session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    hands = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    file, copy, renamed = (tmp_path / f"{name}.tdapp" for name in ("Open", "Copy", "Renamed"))
    empty_session.desk.store.copy_to_file(file)

    def typed_in(path: Path) -> list[str]:
        if empty_session.path != path:
            empty_session.attach_desk(Desk.open(path))
        hands.window.show_page("jury")
        hands.choose_game("1")
        return [entry.text for entry in hands.page.sheet.draft.entries]

    assert typed_in(file) == []
    hands.enter("8D TAART 20")
    copy.write_bytes(file.read_bytes())
    assert typed_in(copy) == []
    hands.enter("9E ANDERS 10", "-")
    assert typed_in(file) == ["8D TAART 20"]
    assert typed_in(copy) == ["9E ANDERS 10", "-"]
    empty_session.attach_desk(Desk(Store.create_in_memory(empty_session.tournament)))
    file.rename(renamed)
    assert typed_in(renamed) == ["8D TAART 20"]
    empty_session.save_to_other_file(tmp_path / "Elsewhere.tdapp")
    assert empty_session.path == tmp_path / "Elsewhere.tdapp"
    assert typed_in(empty_session.path) == ["8D TAART 20"], "it goes along"
    assert typed_in(renamed) == []
