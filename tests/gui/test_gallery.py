"""Tests of the gallery: it contains every page, panel and dialog, and each is accessible."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import QApplication, QWidget

from tdapp.gui.editor.editor import RowEditorPanel
from tdapp.gui.tournament.new_file import NewFileDialog
from tdapp.gui.tournament.server_dialogs import ServerLoginDialog
from tdapp.gui.widgets.dialog import Dialog, NoticeDialog
from tdapp.gui.widgets.page import Panel
from tests.gallery.data import create_desk
from tests.gallery.render import Setting, is_blank, render_scenes, show_scenes
from tests.gallery.scenes import SCENES
from tests.gui.test_access import check_accessibility

# Reason why the gallery data cannot show a type. Each has its own tests.
TESTED_ELSEWHERE = {
    "CompareEditionsDialog": "two word lists",
    "TiesAtCutPanel": "players with a tie at a cut",
    "RemoveEditionDialog": "a word list in the library",
    "ImportPlayersDialog": "an imported file",
    "ImportDivisionsDialog": "an imported file",
    "RemainingServerDataDialog": "a formerly shared tournament",
    "SalvageReportDialog": "a damaged file",
    "ImportGamesDialog": "an imported file",
    "SaveElsewhereDialog": "a tournament open in another program",
    "StationsPanel": "a tournament on a server",
    "StopSharingDialog": "a tournament on a server",
    "NewVersionDialog": "an answer from the internet",
    "UnsuitableEditionDialog": "a word list unfit for the rules",
    "UnsavedStepsDialog": "unsaved steps",
    "OverwrittenFileDialog": "a file changed by another program",
    "MergePlayersDialog": "two entries of one person",
}


def list_subclasses(base: type[QWidget]) -> set[type[QWidget]]:
    subclasses = {subclass for child_type in base.__subclasses__() for subclass in list_subclasses(child_type)}
    return {base, *subclasses} if base.__module__.startswith("tdapp") else subclasses


@pytest.fixture
def active_screen_reader() -> Iterator[None]:
    """Activate accessibility. Without a screen reader, tables do not announce rows."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("active_screen_reader")
@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)  # of a popup without a screen
def test_gallery_shows_every_panel_and_dialog(qapp: QApplication) -> None:
    assert qapp is not None
    rendered_types: set[type] = set()
    with closing(show_scenes(Setting(size=(1280, 720)))) as open_scenes:
        for window, scene, widget in open_scenes:
            assert widget is not None, scene.name
            assert not is_blank(widget.grab().toImage()), scene.name
            rendered_types |= {type(widget), type(window.panel)}
            check_accessibility(scene, widget)
    expected_types = (list_subclasses(Panel) | list_subclasses(Dialog)) - {
        Panel,
        RowEditorPanel,
        Dialog,
        NewFileDialog,
        NoticeDialog,
        ServerLoginDialog,
    }
    assert {widget_type.__name__ for widget_type in expected_types - rendered_types} <= TESTED_ELSEWHERE.keys()


@pytest.mark.slow
def test_gallery_command_writes_pictures_and_a_page(qapp: QApplication, tmp_path: Path) -> None:
    assert qapp is not None
    assert render_scenes(tmp_path, Setting("nl", "dark", (1280, 720), "empty"), only="standings") == []
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    for scene in (scene for scene in SCENES if "standings" in scene.name):
        image = QImage(str(tmp_path / f"{scene.name}.png"))
        assert (image.width(), image.height()) == (1280, 720)
        assert f"{scene.name}.png" in page


@pytest.mark.parametrize("data", ["empty", "large"])
def test_gallery_data_can_be_empty_or_large(data: str, tmp_path: Path) -> None:
    desk = create_desk(data, tmp_path)
    assert (len(desk.tournament.players) == 0) == (data == "empty")
    desk.close()


def test_gallery_reports_a_blank_picture(qapp: QApplication) -> None:
    assert qapp is not None
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    assert is_blank(image)
