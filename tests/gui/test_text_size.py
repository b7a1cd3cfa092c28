"""Tests of text sizes: chosen or from the system, applied at once, with scroll bars if space is short."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QSettings, QSize, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.gui.editor.fields import FormField, TextControl
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets import fields, theme
from tdapp.gui.widgets.dialog import Dialog
from tdapp.gui.widgets.fields import LineEdit, NumberEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.scroll_body import PageStack, ScrolledBody
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.texts import WrappedCheckBox
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.pairing import propose_pairings
from tests.gallery.render import Setting, show_scenes
from tests.gallery.scenes import SCENES
from tests.gui import windows
from tests.gui.samples import A, make_desk, make_tournament

SMALL_SIZE = (853, 480)  # 1280 x 720 physical pixels at 150 %
WINDOW_SCENES = [scene for scene in SCENES if scene.name.startswith(("welcome", "page-", "panel-"))]


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.mark.parametrize(
    ("points", "platform", "size"),
    [(9, "win32", 100), (13.5, "win32", 150), (13, "darwin", 100), (10, "linux", 100), (11, "linux", 100),
     (12.5, "linux", 125), (40, "linux", 200), (7, "linux", 100), (-1, "linux", 100)],
)  # fmt: skip
def test_convert_points_to_text_size_depends_on_the_platform(points: float, platform: str, size: int) -> None:
    assert theme.convert_points_to_text_size(points, platform) == size


class FakeSystemFonts:
    """Replaces Qt's font database. The system font has the size `points`."""

    SystemFont = QFontDatabase.SystemFont
    points = 10.0

    def systemFont(self, _kind: object) -> QFont:  # noqa: N802 - Qt's own
        font = QFont()
        font.setPointSizeF(self.points)
        return font


@pytest.fixture
def system_fonts(monkeypatch: pytest.MonkeyPatch) -> FakeSystemFonts:
    system_fonts = FakeSystemFonts()
    monkeypatch.setattr(theme, "QFontDatabase", system_fonts)
    monkeypatch.setattr(sys, "platform", "linux")
    return system_fonts


@pytest.fixture
def rounds_window(empty_session: Session, qtbot: QtBot) -> Iterator[Window]:
    """Yield a window with the first round of 24 players."""
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=24)))
    pairing = partial(
        commands.pair_round, key=empty_session.make_row_id(), proposal=propose_pairings(empty_session.index, A)
    )
    empty_session.desk.do(pairing, label="pair-round")
    yield windows.show_window(empty_session, qtbot, "rounds")
    empty_session.settings.remove("text-size")
    empty_session.appearance.set_text_size(100)


def test_get_stored_or_system_text_size_prefers_the_chosen_size(
    system_fonts: FakeSystemFonts, settings: QSettings
) -> None:
    assert theme.get_stored_or_system_text_size(settings) == 100
    system_fonts.points = 40
    assert theme.get_stored_or_system_text_size(settings) == 200
    theme.store_text_size(settings, 125)
    assert theme.get_stored_or_system_text_size(settings) == 125
    theme.store_text_size(settings, theme.TEXT_SIZE_OF_SYSTEM)
    assert theme.get_stored_or_system_text_size(settings) == 200


def test_get_stored_or_system_text_size_ignores_an_invalid_size(
    system_fonts: FakeSystemFonts, settings: QSettings
) -> None:
    assert system_fonts.points == 10
    settings.setValue("text-size", "huge")
    assert theme.get_stored_or_system_text_size(settings) == 100


@pytest.mark.parametrize(("size", "width"), [(100, 112), (200, 224)])
def test_form_fields_fit_their_content_in_any_size(empty_session: Session, size: int, width: int) -> None:
    empty_session.appearance.set_text_size(size)
    assert (
        TextControl(FormField(name="amount", label="Amount", width=112), None, empty_session).widget.maximumWidth()
        == width
    )
    empty_session.appearance.set_text_size(100)


@pytest.mark.slow
def test_text_size_changes_at_once_and_keeps_typed_text(rounds_window: Window, qtbot: QtBot) -> None:
    assert isinstance(rounds_window.page, RoundsPage)
    line, height = rounds_window.page.field.line, get_row_height(rounds_window)
    QTest.keyClicks(line, "2 41")
    QTest.keyClick(rounds_window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert rounds_window.session.appearance.size == 125
    assert isinstance(rounds_window.page, RoundsPage)
    assert rounds_window.page.field.line is not line
    qtbot.waitUntil(rounds_window.page.field.line.hasFocus)
    QTest.keyClicks(rounds_window.page.field.line, "2 388")
    assert rounds_window.page.field.line.text() == "2 412 388"
    qtbot.waitUntil(lambda: get_row_height(rounds_window) > height)
    assert QFontInfo(rounds_window.page.font()).pixelSize() == 16
    rounds_window.get_action("text-smaller").trigger()
    rounds_window.get_action("text-smaller").trigger()
    qtbot.waitUntil(
        lambda: (rounds_window.session.appearance.size, get_row_height(rounds_window)) == (100, height)
    )


@pytest.mark.slow
def test_text_size_follows_the_system_at_once(
    system_fonts: FakeSystemFonts, rounds_window: Window, qtbot: QtBot
) -> None:
    assert rounds_window.session.appearance.size == 100
    system_fonts.points = 15
    QApplication.sendEvent(rounds_window, QEvent(QEvent.Type.ThemeChange))
    qtbot.waitUntil(lambda: rounds_window.session.appearance.size == 150 and get_row_height(rounds_window) > ROW)


@pytest.mark.slow
def test_text_size_waits_for_text_typed_in_a_panel(rounds_window: Window) -> None:
    panel = Panel(rounds_window.session, "Sanctions")
    field = LineEdit("Why")
    fields.add_parts_to_layout(panel.body, field)
    rounds_window.open_panel(panel)
    QTest.keyClicks(field, "late")
    rounds_window.get_action("text-larger").trigger()
    assert rounds_window.session.appearance.size == 100
    assert rounds_window.panel is panel
    field.clear()
    rounds_window.get_action("text-larger").trigger()
    assert rounds_window.session.appearance.size == 125


@pytest.mark.slow
def test_language_change_keeps_half_typed_text(rounds_window: Window) -> None:
    assert isinstance(rounds_window.page, RoundsPage)
    QTest.keyClicks(rounds_window.page.field.line, "2 41")
    rounds_window.get_action("language-de").trigger()
    assert rounds_window.session.catalogue.language == "de"
    assert isinstance(rounds_window.page, RoundsPage)
    assert rounds_window.page.field.line.text() == "2 41"
    assert rounds_window.page.field.line.isModified()


def test_language_change_keeps_the_focus_in_a_field(rounds_window: Window) -> None:
    rounds_window.show_page("players")
    rating = rounds_window.page.findChildren(NumberEdit)[0]
    rating.setFocus()
    QTest.keyClicks(rating, "19")
    rounds_window.get_action("language-de").trigger()
    QTest.keyClicks(rounds_window.focusWidget(), "77")
    rebuilt_rating = rounds_window.page.findChildren(NumberEdit)[0]
    assert rebuilt_rating is not rating
    assert rebuilt_rating.text() == "1977"


def test_language_change_keeps_half_typed_text_of_other_pages(rounds_window: Window) -> None:
    assert isinstance(rounds_window.page, RoundsPage)
    QTest.keyClicks(rounds_window.page.field.line, "2 41")
    rounds_window.show_page("standings")
    rounds_window.get_action("language-de").trigger()
    rounds_window.show_page("rounds")
    assert rounds_window.page.field.line.text() == "2 41"
    assert rounds_window.page.field.line.isModified()


@pytest.mark.slow
def test_language_change_waits_for_text_typed_in_a_panel(rounds_window: Window) -> None:
    panel = Panel(rounds_window.session, "Sanctions")
    field = LineEdit("Why")
    fields.add_parts_to_layout(panel.body, field)
    rounds_window.open_panel(panel)
    QTest.keyClicks(field, "late")
    rounds_window.get_action("language-de").trigger()
    assert rounds_window.session.catalogue.language == "en"
    assert rounds_window.panel is panel


@pytest.mark.parametrize(
    "pages",
    [["players"], ["check-in", "rounds", "jury", "standings", "papers", "history"]],
    ids=["players page", "other pages"],
)
def test_largest_text_shows_six_rows(pages: list[str], qapp: QApplication, system_fonts: FakeSystemFonts) -> None:
    assert qapp is not None
    system_fonts.points = 20
    scenes = [scene for scene in SCENES if scene.name in {f"page-{page}" for page in pages}]
    assert len(scenes) == len(pages)
    with closing(show_scenes(Setting(language="de", text=200), scenes)) as scene_views:
        for window, scene, _widget in scene_views:
            view = next(widget for widget in window.page.findChildren(TableView) if widget.isVisible())
            assert view.viewport().height() >= 6 * get_row_height(window), scene.name
            assert get_row_height(window) >= view.fontMetrics().height()
            for bar in (window._top, window._bottom, window._page_bar):
                assert bar.minimumSizeHint().width() <= bar.width(), scene.name
                for widget in bar.findChildren(QWidget):
                    if widget.isVisible():
                        assert bar.rect().contains(QRect(widget.mapTo(bar, QPoint()), widget.size())), scene.name
                        assert widget.height() >= min(widget.minimumSizeHint().height(), widget.maximumHeight()), (
                            scene.name
                        )


@pytest.mark.slow
def test_largest_text_scrolls_in_a_low_window(qapp: QApplication) -> None:
    assert qapp is not None
    scenes = [scene for scene in SCENES if scene.name in {"page-screens", "page-papers"}]
    with closing(show_scenes(Setting(language="de", size=(1280, 720), text=200), scenes)) as scene_views:
        for window, scene, _widget in scene_views:
            assert window._stack.verticalScrollBar().maximum() > 0, scene.name
            labels = [label for label in window.page.findChildren(QLabel) if not label.wordWrap()]
            controls: list[QPushButton | QLabel] = [*window.page.findChildren(QPushButton), *labels]
            for control in controls:
                if control.isVisible():
                    assert control.height() >= control.minimumSizeHint().height(), (
                        f"{scene.name}: {control.text()}"
                    )


def get_row_height(window: Window) -> int:
    views = (table for table in window.page.findChildren(TableView) if table.isVisible())
    return next((view.verticalHeader().defaultSectionSize() for view in views), 0)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_small_window_shows_or_scrolls_to_everything(qapp: QApplication) -> None:
    assert qapp is not None
    with closing(show_scenes(Setting(language="de", size=(1280, 720), text=150), WINDOW_SCENES)) as scene_views:
        for window, scene, widget in scene_views:
            assert widget is not None
            assert window.root_stack.horizontalScrollBar().maximum() == 0, scene.name
            if window.panel is not None:
                assert window.root_stack.verticalScrollBar().maximum() == 0, scene.name
            else:
                assert window._stack.horizontalScrollBar().maximum() == 0, scene.name
            controls: list[QPushButton | QLabel] = [
                *window.findChildren(QPushButton),
                *window.findChildren(QLabel),
            ]
            for control in controls:
                may_shrink = control.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Ignored
                if control.isVisible() and control.text() and not may_shrink:
                    check_minimum_size(control, f"{scene.name}: around {control.text()!r}")


@pytest.mark.slow
def test_page_stack_keeps_the_page_width_beside_a_panel(qapp: QApplication) -> None:
    assert qapp is not None
    scenes = [scene for scene in SCENES if scene.name in {"panel-balance", "panel-public"}]
    with closing(show_scenes(Setting(language="de", size=(1280, 720)), scenes)) as scene_views:
        for window, scene, _widget in scene_views:
            assert window.panel is not None
            assert window._stack.horizontalScrollBar().maximum() == 0, scene.name


def test_panel_scrolls_inside_the_page_stack(session: Session, qtbot: QtBot) -> None:
    stack, frame, panel = PageStack(), QWidget(), Panel(session, "Sanctions")
    qtbot.addWidget(stack)
    fields.add_parts_to_layout(panel.body, *(fields.make_label("Many words. " * 20, wrap=True) for _ in range(20)))
    column = QVBoxLayout(frame)
    fields.add_parts_to_layout(
        column, fields.make_label("What to do next. " * 20, wrap=True), fields.make_row(QWidget(), panel)
    )
    stack.add_page(frame)
    stack.resize(*SMALL_SIZE)
    stack.show()
    assert stack.verticalScrollBar().maximum() == 0
    assert frame.height() == stack.height()


def test_wrapped_check_box_wraps_its_text(qtbot: QtBot) -> None:
    box = WrappedCheckBox("Play all games in a match; the total spread decides")
    qtbot.addWidget(box)
    full_size = box.sizeHint()
    assert box.heightForWidth(full_size.width()) == full_size.height()
    half_width = full_size.width() // 2 + box.fontMetrics().horizontalAdvance("decides")
    assert box.minimumSizeHint().width() < half_width
    assert box.heightForWidth(half_width) == full_size.height() + box.fontMetrics().lineSpacing()
    box.resize(half_width, box.heightForWidth(half_width))
    box.show()
    empty_box, image = WrappedCheckBox(""), box.grab().toImage()
    qtbot.addWidget(empty_box)
    empty_box.resize(box.size())
    empty_image = empty_box.grab().toImage()
    text_pixels = {
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixel(x, y) != empty_image.pixel(x, y)
    }
    assert max(x for x, _ in text_pixels) < image.width() - 1
    assert {y > image.height() // 2 for _, y in text_pixels} == {True, False}
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(half_width // 2, box.height() - 4))
    assert box.isChecked()


def test_wrapping_row_wraps_buttons(qtbot: QtBot) -> None:
    buttons = [QPushButton(f"Button {number}") for number in range(4)]
    row = fields.WrappingRow(*buttons)
    qtbot.addWidget(row)
    row_height, button_width = row.sizeHint().height(), buttons[0].sizeHint().width()
    assert row.heightForWidth(row.sizeHint().width()) == row_height
    row.resize(2 * button_width + UNIT, row.heightForWidth(2 * button_width + UNIT))
    row.show()
    assert [button.y() for button in buttons] == [0, 0, row_height + UNIT, row_height + UNIT]
    buttons[0].hide()
    qtbot.waitUntil(lambda: [button.y() for button in buttons[1:]] == [0, 0, row_height + UNIT])


def test_dialog_shows_its_error_at_any_height(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tdapp.gui.widgets.dialog._compute_available_size", lambda _dialog: QSize(*SMALL_SIZE))
    dialog = Dialog(session, "Much to say", yes="Do it")
    qtbot.addWidget(dialog)
    field = fields.LineEdit("Name")
    fields.add_parts_to_layout(dialog.body, field, *(fields.make_label(str(line)) for line in range(50)))
    dialog.show()
    dialog.show_error("That cannot be. " * 20, field)
    dialog.layout().activate()  # type: ignore[union-attr]
    for widget in (dialog.error, dialog.yes):
        assert dialog.rect().contains(widget.geometry())
    assert dialog.height() <= SMALL_SIZE[1]
    assert dialog.error.height() >= dialog.error.heightForWidth(dialog.error.width())
    dialog.show_error("")
    assert dialog.error.isHidden()


def test_line_edit_fits_its_placeholder(qtbot: QtBot) -> None:
    placeholder = "Surname, given name, and the club that the player is a member of"
    field = fields.LineEdit("Name", placeholder=placeholder)
    qtbot.addWidget(field)
    assert field.sizeHint().width() > field.fontMetrics().horizontalAdvance(placeholder)


@pytest.mark.slow
def test_dialog_scrolls_above_its_buttons(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    assert qapp is not None
    monkeypatch.setattr("tdapp.gui.widgets.dialog._compute_available_size", lambda _dialog: QSize(*SMALL_SIZE))
    scenes = [
        scene for scene in SCENES if scene.name in {"dialog-new", "dialog-erase", "dialog-fault", "dialog-print"}
    ]
    with closing(show_scenes(Setting(language="de"), scenes)) as scene_views:
        for _window, scene, dialog in scene_views:
            assert isinstance(dialog, Dialog), scene.name
            assert dialog.height() <= SMALL_SIZE[1], scene.name
            assert dialog.rect().contains(dialog.yes.geometry()), scene.name


def check_minimum_size(widget: QWidget, message: str) -> None:
    """Check that a widget and its parents, up to a scroll area, have at least their minimum size."""
    child: QWidget | None = widget
    while child is not None and not child.isWindow():
        parent = child.parentWidget()
        area = parent and parent.parentWidget()
        minimum_size = child.minimumSizeHint()
        if isinstance(area, QScrollArea):
            hides_scroll_bar = area.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            assert not hides_scroll_bar or minimum_size.width() <= area.viewport().width(), message
            return
        assert child.width() >= min(minimum_size.width(), child.maximumWidth()), message
        assert child.height() >= min(minimum_size.height(), child.maximumHeight()), message
        child = parent


WIDE_SCENE_NAMES = [
    "rounds-draft", "dialog-new", "dialog-erase", "dialog-keys", "dialog-paste", "dialog-new-rules",
    "panel-change-rules", "panel-overlays", "panel-featured",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "names"),
    [("en", WIDE_SCENE_NAMES[:1]), *((language, WIDE_SCENE_NAMES) for language in LANGUAGES)],
    ids=repr,
)
def test_largest_text_never_scrolls_sideways(language: str, names: list[str], qapp: QApplication) -> None:
    assert qapp is not None
    scenes = [scene for scene in SCENES if scene.name in names]
    assert len(scenes) == len(names)
    with closing(show_scenes(Setting(language=language, size=(1280, 720), text=200), scenes)) as scene_views:
        for window, scene, widget in scene_views:
            assert widget is not None, scene.name
            bodies = window.root_stack, *widget.findChildren(ScrolledBody)
            assert not any(body.horizontalScrollBar().maximum() for body in bodies if body.isVisible()), scene.name
