"""Larger text: chosen or as the system has it, at once; what has no room then is scrolled to."""

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
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.scroll_body import PageStack, ScrolledBody
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.texts import WrappedCheckBox
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.pairing import propose_pairings
from tests.gallery.render import Setting, walk
from tests.gallery.scenes import SCENES
from tests.gui import windows
from tests.gui.samples import A, make_desk, make_tournament

SMALL = (853, 480)  # what 1280 x 720 are at 150 %
IN_WINDOW = [scene for scene in SCENES if scene.name.startswith(("welcome", "page-", "panel-"))]


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.mark.parametrize(
    ("points", "platform", "size"),
    [(9, "win32", 100), (13.5, "win32", 150), (13, "darwin", 100), (10, "linux", 100), (11, "linux", 100),
     (12.5, "linux", 125), (40, "linux", 200), (7, "linux", 100), (-1, "linux", 100)],
)  # fmt: skip
def test_convert_system_size_maps_points_to_sizes(points: float, platform: str, size: int) -> None:
    assert theme.convert_points_to_text_size(points, platform) == size


class Fonts:
    """Stands for Qt's fonts on a system whose text has `points`."""

    SystemFont = QFontDatabase.SystemFont
    points = 10.0

    def systemFont(self, _kind: object) -> QFont:  # noqa: N802 - Qt's own
        font = QFont()
        font.setPointSizeF(self.points)
        return font


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Fonts:
    fonts = Fonts()
    monkeypatch.setattr(theme, "QFontDatabase", fonts)
    monkeypatch.setattr(sys, "platform", "linux")
    return fonts


@pytest.fixture
def shown(empty_session: Session, qtbot: QtBot) -> Iterator[Window]:
    """A window on the first round of 24 players."""
    empty_session.attach_desk(make_desk(make_tournament(players=24)))
    pairing = partial(
        commands.pair_round, key=empty_session.make_row_id(), proposal=propose_pairings(empty_session.index, A)
    )
    empty_session.desk.do(pairing, label="pair-round")
    yield windows.show_window(empty_session, qtbot, "rounds")
    empty_session.settings.remove("text-size")
    empty_session.appearance.set_text_size(100)


def test_get_effective_size_prefers_the_chosen_size(system: Fonts, settings: QSettings) -> None:
    assert theme.get_stored_or_system_text_size(settings) == 100
    system.points = 40
    assert theme.get_stored_or_system_text_size(settings) == 200
    theme.store_text_size(settings, 125)
    assert theme.get_stored_or_system_text_size(settings) == 125
    theme.store_text_size(settings, theme.TEXT_SIZE_OF_SYSTEM)
    assert theme.get_stored_or_system_text_size(settings) == 200


def test_get_effective_size_ignores_an_invalid_size(system: Fonts, settings: QSettings) -> None:
    assert system.points == 10
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
def test_text_size_changes_at_once_and_keeps_typed_text(shown: Window, qtbot: QtBot) -> None:
    assert isinstance(shown.page, RoundsPage)
    line, height = shown.page.field.line, _row(shown)
    QTest.keyClicks(line, "2 41")
    QTest.keyClick(shown, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert shown.session.appearance.size == 125
    assert isinstance(shown.page, RoundsPage)
    assert shown.page.field.line is not line
    qtbot.waitUntil(shown.page.field.line.hasFocus)
    QTest.keyClicks(shown.page.field.line, "2 388")
    assert shown.page.field.line.text() == "2 412 388"
    qtbot.waitUntil(lambda: _row(shown) > height)
    assert QFontInfo(shown.page.font()).pixelSize() == 16
    shown.command("text-smaller").trigger()
    shown.command("text-smaller").trigger()
    qtbot.waitUntil(lambda: (shown.session.appearance.size, _row(shown)) == (100, height))


@pytest.mark.slow
def test_text_size_follows_the_system_at_once(system: Fonts, shown: Window, qtbot: QtBot) -> None:
    assert shown.session.appearance.size == 100
    system.points = 15
    QApplication.sendEvent(shown, QEvent(QEvent.Type.ThemeChange))
    qtbot.waitUntil(lambda: shown.session.appearance.size == 150 and _row(shown) > ROW)


@pytest.mark.slow
def test_text_size_keeps_text_typed_in_a_panel(shown: Window) -> None:
    panel = Panel(shown.session, "Sanctions")
    field = LineEdit("Why")
    fields.fill_layout(panel.body, field)
    shown.open_panel(panel)
    QTest.keyClicks(field, "late")
    shown.command("text-larger").trigger()
    assert shown.session.appearance.size == 100
    assert shown.panel is panel
    field.clear()
    shown.command("text-larger").trigger()
    assert shown.session.appearance.size == 125


@pytest.mark.slow
def test_language_change_keeps_half_typed_text(shown: Window) -> None:
    assert isinstance(shown.page, RoundsPage)
    QTest.keyClicks(shown.page.field.line, "2 41")
    shown.command("language-de").trigger()
    assert shown.session.catalogue.language == "de"
    assert isinstance(shown.page, RoundsPage)
    assert shown.page.field.line.text() == "2 41"
    assert shown.page.field.line.isModified()


@pytest.mark.slow
def test_language_change_waits_for_text_typed_in_a_panel(shown: Window) -> None:
    panel = Panel(shown.session, "Sanctions")
    field = LineEdit("Why")
    fields.fill_layout(panel.body, field)
    shown.open_panel(panel)
    QTest.keyClicks(field, "late")
    shown.command("language-de").trigger()
    assert shown.session.catalogue.language == "en"
    assert shown.panel is panel


@pytest.mark.parametrize(
    "pages", [["players"], ["check-in", "rounds", "jury", "standings", "papers", "history"]], ids=["one", "others"]
)
def test_largest_text_shows_six_rows(pages: list[str], qapp: QApplication, system: Fonts) -> None:
    assert qapp is not None
    system.points = 20
    scenes = [scene for scene in SCENES if scene.name in {f"page-{page}" for page in pages}]
    assert len(scenes) == len(pages)
    with closing(walk(Setting(language="de", text=200), scenes)) as sights:
        for window, scene, _shown in sights:
            view = next(one for one in window.page.findChildren(TableView) if one.isVisible())
            assert view.viewport().height() >= 6 * _row(window), scene.name
            assert _row(window) >= view.fontMetrics().height()
            for bar in (window._top, window._bottom, window._page_bar):
                assert bar.minimumSizeHint().width() <= bar.width(), scene.name
                for one in bar.findChildren(QWidget):
                    if one.isVisible():
                        assert bar.rect().contains(QRect(one.mapTo(bar, QPoint()), one.size())), scene.name
                        assert one.height() >= min(one.minimumSizeHint().height(), one.maximumHeight()), scene.name


@pytest.mark.slow
def test_largest_text_scrolls_in_a_low_window(qapp: QApplication) -> None:
    assert qapp is not None
    scenes = [scene for scene in SCENES if scene.name in {"page-screens", "page-papers"}]
    with closing(walk(Setting(language="de", size=(1280, 720), text=200), scenes)) as sights:
        for window, scene, _shown in sights:
            assert window._stack.verticalScrollBar().maximum() > 0, scene.name
            labels = [one for one in window.page.findChildren(QLabel) if not one.wordWrap()]
            controls: list[QPushButton | QLabel] = [*window.page.findChildren(QPushButton), *labels]
            for control in controls:
                if control.isVisible():
                    assert control.height() >= control.minimumSizeHint().height(), (
                        f"{scene.name}: {control.text()}"
                    )


def _row(window: Window) -> int:
    views = (one for one in window.page.findChildren(TableView) if one.isVisible())
    return next((view.verticalHeader().defaultSectionSize() for view in views), 0)


@pytest.mark.slow
def test_small_window_shows_or_scrolls_to_everything(qapp: QApplication) -> None:
    assert qapp is not None
    with closing(walk(Setting(language="de", size=(1280, 720), text=150), IN_WINDOW)) as sights:
        for window, scene, shown in sights:
            assert shown is not None
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
                gives_way = control.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Ignored
                if control.isVisible() and control.text() and not gives_way:
                    _check_whole(control, f"{scene.name}: around {control.text()!r}")


@pytest.mark.slow
def test_page_stack_keeps_the_page_width_beside_a_panel(qapp: QApplication) -> None:
    assert qapp is not None
    scenes = [scene for scene in SCENES if scene.name in {"panel-balance", "panel-public"}]
    with closing(walk(Setting(language="de", size=(1280, 720)), scenes)) as sights:
        for window, scene, _shown in sights:
            assert window.panel is not None
            assert window._stack.horizontalScrollBar().maximum() == 0, scene.name


def test_panel_scrolls_by_itself(session: Session, qtbot: QtBot) -> None:
    stack, frame, panel = PageStack(), QWidget(), Panel(session, "Sanctions")
    qtbot.addWidget(stack)
    fields.fill_layout(panel.body, *(fields.label("Many words. " * 20, wrap=True) for _ in range(20)))
    column = QVBoxLayout(frame)
    fields.fill_layout(column, fields.label("What to do next. " * 20, wrap=True), fields.row(QWidget(), panel))
    stack.add_page(frame)
    stack.resize(*SMALL)
    stack.show()
    assert stack.verticalScrollBar().maximum() == 0
    assert frame.height() == stack.height()


def test_wrapped_check_box_wraps_its_text(qtbot: QtBot) -> None:
    box = WrappedCheckBox("Play all games of a match; the sum of the spreads decides")
    qtbot.addWidget(box)
    whole = box.sizeHint()
    assert box.heightForWidth(whole.width()) == whole.height()
    half = whole.width() // 2 + box.fontMetrics().horizontalAdvance("decides")
    assert box.minimumSizeHint().width() < half
    assert box.heightForWidth(half) == whole.height() + box.fontMetrics().lineSpacing()
    box.resize(half, box.heightForWidth(half))
    box.show()
    empty_box, ink = WrappedCheckBox(""), box.grab().toImage()
    qtbot.addWidget(empty_box)
    empty_box.resize(box.size())
    clean = empty_box.grab().toImage()
    written = {
        (x, y) for x in range(ink.width()) for y in range(ink.height()) if ink.pixel(x, y) != clean.pixel(x, y)
    }
    assert max(x for x, _ in written) < ink.width() - 1
    assert {y > ink.height() // 2 for _, y in written} == {True, False}
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(half // 2, box.height() - 4))
    assert box.isChecked()


def test_wrapping_row_wraps_buttons(qtbot: QtBot) -> None:
    buttons = [QPushButton(f"Button {number}") for number in range(4)]
    flow = fields.WrappingRow(*buttons)
    qtbot.addWidget(flow)
    line, wide = flow.sizeHint().height(), buttons[0].sizeHint().width()
    assert flow.heightForWidth(flow.sizeHint().width()) == line
    flow.resize(2 * wide + UNIT, flow.heightForWidth(2 * wide + UNIT))
    flow.show()
    assert [button.y() for button in buttons] == [0, 0, line + UNIT, line + UNIT]
    buttons[0].hide()
    qtbot.waitUntil(lambda: [button.y() for button in buttons[1:]] == [0, 0, line + UNIT])


def test_dialog_shows_its_error_at_any_height(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tdapp.gui.widgets.dialog._compute_available_size", lambda _dialog: QSize(*SMALL))
    dialog = Dialog(session, "Much to say", yes="Do it")
    qtbot.addWidget(dialog)
    field = fields.LineEdit("Name")
    fields.fill_layout(dialog.body, field, *(fields.label(str(line)) for line in range(50)))
    dialog.show()
    dialog.show_error("That cannot be. " * 20, field)
    dialog.layout().activate()  # type: ignore[union-attr]
    for one in (dialog.error, dialog.yes):
        assert dialog.rect().contains(one.geometry())
    assert dialog.height() <= SMALL[1]
    assert dialog.error.height() >= dialog.error.heightForWidth(dialog.error.width())
    dialog.show_error("")
    assert dialog.error.isHidden()


def test_line_edit_fits_its_placeholder(qtbot: QtBot) -> None:
    words = "Surname, given name, and the club that the player is a member of"
    field = fields.LineEdit("Name", placeholder=words)
    qtbot.addWidget(field)
    assert field.sizeHint().width() > field.fontMetrics().horizontalAdvance(words)


@pytest.mark.slow
def test_dialog_scrolls_above_its_buttons(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    assert qapp is not None
    monkeypatch.setattr("tdapp.gui.widgets.dialog._compute_available_size", lambda _dialog: QSize(*SMALL))
    scenes = [
        scene for scene in SCENES if scene.name in {"dialog-new", "dialog-erase", "dialog-fault", "dialog-print"}
    ]
    with closing(walk(Setting(language="de"), scenes)) as sights:
        for _window, scene, shown in sights:
            assert isinstance(shown, Dialog), scene.name
            assert shown.height() <= SMALL[1], scene.name
            assert shown.rect().contains(shown.yes.geometry()), scene.name


def _check_whole(one: QWidget, where: str) -> None:
    """The widget and its parents up to a scroll area have at least their minimum size."""
    inside: QWidget | None = one
    while inside is not None and not inside.isWindow():
        parent = inside.parentWidget()
        area = parent and parent.parentWidget()
        needed = inside.minimumSizeHint()
        if isinstance(area, QScrollArea):
            off = area.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            assert not off or needed.width() <= area.viewport().width(), where
            return
        assert inside.width() >= min(needed.width(), inside.maximumWidth()), where
        assert inside.height() >= min(needed.height(), inside.maximumHeight()), where
        inside = parent


WIDE = [
    "rounds-draft", "dialog-new", "dialog-erase", "dialog-keys", "dialog-paste", "dialog-new-rules",
    "panel-change-rules", "panel-overlays", "panel-featured",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "names"), [("en", WIDE[:1]), *((language, WIDE) for language in LANGUAGES)], ids=repr
)
def test_largest_text_never_scrolls_sideways(language: str, names: list[str], qapp: QApplication) -> None:
    assert qapp is not None
    scenes = [scene for scene in SCENES if scene.name in names]
    assert len(scenes) == len(names)
    with closing(walk(Setting(language=language, size=(1280, 720), text=200), scenes)) as sights:
        for window, scene, shown in sights:
            assert shown is not None, scene.name
            bodies = window.root_stack, *shown.findChildren(ScrolledBody)
            assert not any(body.horizontalScrollBar().maximum() for body in bodies if body.isVisible()), scene.name
