"""Tests of accessibility: screen reader names and states, tab order, focus and visible texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface, QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QButtonGroup, QCheckBox, QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from tdapp.gui.shell import page_list
from tdapp.gui.shell.bars import PageButton
from tdapp.gui.shell.page_list import PAGES, find_page_or_replacement
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.assistant import NewTournamentDialog
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import strip_markup
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.scroll_body import CollapsibleSection
from tdapp.gui.widgets.table_view import STATE_SHAPES, TableView
from tdapp.gui.widgets.theme import COLOURS, Appearance
from tests.gallery.render import Setting, show_scenes
from tests.gallery.scenes import SCENES, Scene
from tests.gui.jury_window import JuryDriver, pair_first_round
from tests.gui.test_theme import compute_contrast, compute_luminance
from tests.gui.windows import press_key, press_keys, run_action, show_window, type_text

SYMBOL_NAME = re.compile(r"^[^\w]*$")  # without any letter
FILE_NAME = re.compile(r"^[a-z]+(-[a-z]+)*\.svg$")
# These scenes add widgets while they are open, so the tab order differs from the layout.
FILLED_LATER = {"panel-choose-papers", "panel-stage", "panel-stage-cup", "dialog-paste"}
TAB = Qt.FocusPolicy.TabFocus
RADIO = QAccessible.Role.RadioButton  # tabs are radio buttons for screen readers
SPOKEN_TEXTS = (QAccessible.Text.Name, QAccessible.Text.Value, QAccessible.Text.Description)


def get_spoken_name(widget: QWidget) -> str:
    """Return the accessible name of a widget."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def list_visible_widgets(widget: QWidget) -> Iterator[QWidget]:
    yield from (child for child in (widget, *widget.findChildren(QWidget)) if child.isVisible())


def list_tab_widgets(top: QWidget) -> list[QWidget]:
    return [
        widget
        for widget in list_visible_widgets(top)
        if widget.isEnabled() and widget.focusPolicy() & TAB and widget.window() is top and widget is not top
    ]


def press_tab_through(top: QWidget) -> list[QWidget]:
    """Press Tab until it reaches a widget again. Return the widgets in tab order."""
    focused: QWidget | None = top.focusWidget()
    current = list_tab_widgets(top)[0] if focused is None else focused
    current.setFocus(Qt.FocusReason.TabFocusReason)
    if len(list_tab_widgets(top)) == 1:  # Tab keeps the focus
        return [current]
    reached_widgets: list[QWidget] = []
    previous: QWidget | None = None
    for _ in range(400):
        if current in reached_widgets and current is not previous:
            return reached_widgets
        if current not in reached_widgets:
            reached_widgets.append(current)
        previous = current
        QTest.keyClick(current, Qt.Key.Key_Tab)
        current = QApplication.focusWidget() or current
    raise AssertionError(f"Tab does not return to the first widget from {get_spoken_name(current)}")


def is_backward(area: QRect, next_area: QRect) -> bool:
    """Return whether Tab moves up without moving right, or moves left within a line."""
    is_above = next_area.bottom() <= area.top() + 2 and next_area.left() <= area.left()
    return is_above or (abs(area.center().y() - next_area.center().y()) < 8 and next_area.left() < area.left())


# --- every page, panel and dialog (tests/gui/test_gallery.py opens them)


def check_accessibility(scene: Scene, top: QWidget) -> None:
    """Check control names and roles, spoken texts and the tab order."""
    _check_controls(scene, top)
    _check_spoken_texts(scene, top.window())
    if not scene.is_cup:
        _check_tab_order(scene, top.window())


def _check_spoken_texts(scene: Scene, top: QWidget) -> None:
    """Check that each visible text is a name, value or description in the accessibility tree."""
    tree = "\n".join(list_spoken_texts(QAccessible.queryAccessibleInterface(top)))
    for label in top.findChildren(QLabel):
        if not label.visibleRegion().isEmpty() and (text := strip_markup(label.text()).rstrip("…")):
            assert text in tree, f"{scene.name}: {text}"


def list_spoken_texts(interface: QAccessibleInterface) -> Iterator[str]:
    if interface.state().invisible:
        return
    yield from (strip_markup(interface.text(kind)) for kind in SPOKEN_TEXTS)
    for index in range(min(interface.childCount(), 3000)):
        yield from list_spoken_texts(interface.child(index))


def _check_controls(scene: Scene, top: QWidget) -> None:
    for widget in list_visible_widgets(top):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus:
            continue
        interface, name = QAccessible.queryAccessibleInterface(widget), get_spoken_name(widget).strip()
        label = f"{scene.name}: {type(widget).__name__} {name!r}"
        assert name, label
        assert "&" not in name, label
        assert not SYMBOL_NAME.match(name), label
        assert not FILE_NAME.match(name), label
        assert interface.role() is not QAccessible.Role.NoRole, label
        assert bool(interface.state().disabled) == (not widget.isEnabled()), label
        if isinstance(widget, QCheckBox):
            assert bool(interface.state().checked) == widget.isChecked(), label
        if isinstance(widget, TableView):
            _check_table(widget, label)


def _check_table(view: TableView, label: str) -> None:
    interface, model = QAccessible.queryAccessibleInterface(view), view.model()
    assert interface.role() is QAccessible.Role.Table, label
    columns = [column for column in range(model.columnCount()) if not view.isColumnHidden(column)]
    cells = min(interface.childCount(), 3 * (model.columnCount() + 1))
    names = {interface.child(cell).text(QAccessible.Text.Name) for cell in range(cells)}
    assert {str(model.headerData(column, Qt.Orientation.Horizontal)) for column in columns} <= names, label
    if model.rowCount():
        assert {str(model.index(0, column).data() or "") for column in columns} <= names, label


def _check_tab_order(scene: Scene, top: QWidget) -> None:
    top.activateWindow()
    QApplication.processEvents()
    areas = {
        widget: QRect(widget.mapTo(top, QPoint(0, 0)), widget.size())
        for widget in list_visible_widgets(top)
        if not widget.visibleRegion().isEmpty()
    }
    expected_widgets, reached_widgets = list_tab_widgets(top), press_tab_through(top)
    unreachable_names = [
        get_spoken_name(widget)
        for widget in expected_widgets
        if widget not in reached_widgets and not _is_in_group(widget)
    ]
    assert unreachable_names == [], scene.name
    if scene.name in FILLED_LATER:
        return
    visible_widgets = [widget for widget in reached_widgets if widget in areas]
    backward_moves = [
        (get_spoken_name(widget), get_spoken_name(next_widget))
        for widget, next_widget in pairwise(visible_widgets)
        if is_backward(areas[widget], areas[next_widget])
    ]
    assert len(backward_moves) <= 1, f"{scene.name}: {backward_moves}"  # from the last widget to the first


def _is_in_group(widget: QWidget) -> bool:
    """Return whether arrow keys reach the button, because Tab reaches only the selected button of a group."""
    if not isinstance(widget, QAbstractButton):
        return False
    group: QButtonGroup | None = widget.group()
    return widget.autoExclusive() or (group is not None and group.exclusive())


@pytest.mark.slow
@pytest.mark.parametrize("scheme", COLOURS)
def test_focus_is_visible_on_every_widget(qapp: QApplication, scheme: str) -> None:
    assert qapp is not None
    pages = [
        scene for scene in SCENES if scene.name in {"page-players", "page-rounds", "page-tournament", "dialog-new"}
    ]
    with closing(show_scenes(Setting(scheme=scheme), pages)) as open_scenes:
        for _window, scene, scene_widget in open_scenes:
            assert scene_widget is not None
            _check_visible_focus(scene, scene_widget.window())


def _check_visible_focus(scene: Scene, top: QWidget) -> None:
    checked_types: set[type[QWidget]] = set()
    for widget in list_tab_widgets(top):
        if type(widget) in checked_types or _is_in_group(widget):
            continue
        checked_types.add(type(widget))
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        focused_image = _grab_surroundings(widget)
        widget.clearFocus()
        assert focused_image != _grab_surroundings(widget), (
            f"{scene.name}: {type(widget).__name__} {get_spoken_name(widget)}"
        )


def _grab_surroundings(widget: QWidget) -> QImage:
    QApplication.processEvents()
    parent = widget.parentWidget() or widget
    return parent.grab(widget.geometry().adjusted(-3, -3, 3, 3)).toImage()


# --- states


def test_collapsible_section_exposes_its_open_state(appearance: Appearance, qtbot: QtBot) -> None:
    section = CollapsibleSection("The game", appearance)
    qtbot.addWidget(section)
    section.show()
    for is_open in (False, True):
        section.set_expanded(expanded=is_open)
        state = QAccessible.queryAccessibleInterface(section.header).state()
        assert state.checkable
        assert bool(state.checked) == is_open


@pytest.mark.parametrize("code", STATE_SHAPES)
def test_result_states_have_a_text_besides_shape_and_colour(full_session: Session, code: str) -> None:
    assert full_session.catalogue.translate_code(code).strip()


@pytest.mark.slow
def test_page_tabs_expose_the_selected_tab(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot)
    assert window.pages.pages_by_id
    for page_id in PAGES:
        window.show_page(page_id)
        name = PAGES[find_page_or_replacement(full_session, page_id)].name(full_session.catalogue)
        tabs = [
            QAccessible.queryAccessibleInterface(button)
            for button in window.findChildren(PageButton)
            if button.text() == name
        ]
        assert [(tab.role(), bool(tab.state().checked)) for tab in tabs] == [(RADIO, True)], page_id
        for bar in window.page.findChildren(QTabBar):
            assert bar.accessibleName()


def test_sidebar_counts_are_spoken_with_their_unit(empty_session: Session) -> None:
    texts = {page.id: page.describe_tasks(empty_session.catalogue, 2) for page in page_list._PAGES_IN_ORDER}
    assert (texts["check-in"], texts["jury"]) == ("2 players missing", "2 games wait for the jury")


def test_tab_and_enter_open_the_links_of_a_label(qtbot: QtBot) -> None:
    window, field, label, opened = QWidget(), LineEdit(""), fields.make_rich_text_label(), list[str]()
    fields.make_column(field, label, parent=window)
    qtbot.addWidget(window)
    label.linkActivated.connect(opened.append)
    label.setText('<a href="x">Anna</a> <a href="y">Bob</a>')
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    field.setFocus()
    press_keys(*(Qt.Key.Key_Tab, Qt.Key.Key_Return) * 2, Qt.Key.Key_Tab)
    assert opened == ["x", "y"]
    assert window.focusWidget() is field
    label.setText("no link")
    press_keys(Qt.Key.Key_Tab)
    assert window.focusWidget() is field


# --- announcements


@pytest.fixture
def announcements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record announcements. Urgent ones start with an exclamation mark."""
    messages: list[str] = []

    def record_announcement(event: QAccessibleAnnouncementEvent) -> None:
        urgent = event.politeness() is QAccessible.AnnouncementPoliteness.Assertive
        messages.append("!" * urgent + event.message())

    monkeypatch.setattr("tdapp.gui.widgets.access.QAccessible.updateAccessibility", record_announcement)
    return messages


def test_spoken_label_is_announced_once_and_again_when_shown(qtbot: QtBot, announcements: list[str]) -> None:
    status_label, error = fields.make_label("", is_announced=True), fields.make_label("", "error")
    for widget in (status_label, error):
        qtbot.addWidget(widget)
        widget.show()
    for text in ("Table", "Table 7", "Table 7: <b>Hansen</b> &amp; co"):
        status_label.setText(text)
    qtbot.waitUntil(lambda: announcements == ["Table 7: Hansen & co"])
    status_label.setText("Table 7: <b>Hansen</b> &amp; co")
    error.setText("No such table")
    qtbot.waitUntil(lambda: announcements == ["Table 7: Hansen & co", "!No such table"])
    error.hide()
    error.setText("No such table")
    error.show()
    qtbot.waitUntil(lambda: announcements[2:] == ["!No such table"])


@pytest.mark.slow
def test_announcements_of_preview_toast_and_problems_are_not_repeated(
    full_session: Session, qtbot: QtBot, announcements: list[str]
) -> None:
    window = show_window(full_session, qtbot, "rounds")
    run_action(window, "pair")
    run_action(window, "publish")
    missing_results = "Round 1: 12 results missing (tables 1–12)"
    assert announcements[3:] == [missing_results, "Round 1 published"]
    window.page.setFocus()
    type_text(window, "1 412 388")
    qtbot.waitUntil(lambda: "412" in announcements[-1])
    press_key(window, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "✓" in announcements[-1])
    type_text(window, "99 412 388")
    qtbot.waitUntil(lambda: announcements[-1].startswith("!"))
    assert len(announcements) == len(set(announcements)) == 8


def test_jury_turn_is_announced_when_the_focus_leaves(
    empty_session: Session, qtbot: QtBot, announcements: list[str]
) -> None:
    driver = JuryDriver(empty_session, qtbot, pair_first_round("nl-match"))
    driver.choose_game("1")
    driver.type_lines("8D TAART 22")
    expected = "Anna, 8D TAART, 22, total 20. Problem: The score is 20, not 22. Row 1, Björn"
    qtbot.waitUntil(lambda: announcements[-1:] == [expected])
    driver.type_lines("E7 TAFEL 2no")
    assert (
        announcements[-1]
        == "!Problem: The program does not understand “2no” here. Type ? to see how to write a turn."
    )
    field = QAccessible.queryAccessibleInterface(driver.window.focusWidget())
    assert field.text(QAccessible.Text.Description).startswith("Problem: The program does not understand “2no”")
    tree = list(list_spoken_texts(QAccessible.queryAccessibleInterface(driver.window)))
    assert "Anna, 8D TAART, 22, total 20. Problem: The score is 20, not 22." in tree
    first = tree.index("8D TAART")
    assert tree[first : first + 6 : 3] == ["8D TAART", "8D T, 8E A, 8F A, 8G R, 8H T"]


# --- colours and sizes


@pytest.mark.styled
@pytest.mark.parametrize("scheme", COLOURS)
def test_line_edit_placeholder_is_readable(appearance: Appearance, qtbot: QtBot, scheme: str) -> None:
    appearance.set_colour_scheme(scheme)
    line = LineEdit("Name", placeholder="MMMMMMMMMM")
    qtbot.addWidget(line)
    line.resize(200, 40)
    line.show()
    image = line.grab(QRect(8, 4, 180, 30)).toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    background = COLOURS[appearance.scheme].surface
    strongest = max(compute_contrast(colour, background) for colour in colours)
    appearance.set_colour_scheme("light")
    assert strongest >= 4.5
    assert compute_luminance(QColor(background)) >= 0


@pytest.mark.parametrize("scheme", COLOURS)
def test_focus_ring_has_a_contrast_of_three_to_one(scheme: str) -> None:
    """Source: WCAG 2.2, 1.4.11."""
    colours = COLOURS[scheme]
    for background in (colours.window, colours.surface, colours.sunken):
        assert compute_contrast(colours.accent, background) >= 3


@pytest.mark.slow
def test_every_page_fits_in_a_window_of_minimum_size(full_session: Session, qtbot: QtBot) -> None:
    window: Window = show_window(full_session, qtbot)
    window.resize(1280, 720)
    assert window.pages.pages_by_id
    for page_id in PAGES:
        window.show_page(page_id)
        QApplication.processEvents()
        assert (window.width(), window.height()) == (1280, 720), page_id
        minimum_size = window.page.minimumSizeHint()
        assert (minimum_size.width() <= window.page.width(), minimum_size.height() <= window.page.height()) == (
            True,
            True,
        ), page_id


def test_page_change_focuses_only_the_new_page_and_names_it(
    full_session: Session, qtbot: QtBot, announcements: list[str]
) -> None:
    window = show_window(full_session, qtbot, "rounds")
    run_action(window, "pair")
    run_action(window, "publish")
    focused_widgets: list[QWidget] = []

    def record_focus(_old: QWidget | None, new: QWidget | None) -> None:
        focused_widgets.extend([new] if new is not None else [])

    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.focusChanged.connect(record_focus)
    for page_id in ("standings", "jury", "papers", "screens", "history", "tournament", "players", "rounds"):
        announcements.clear()
        focused_widgets.clear()
        window.show_page(page_id)
        assert PAGES[page_id].name(full_session.catalogue) in announcements
        assert len(focused_widgets) == 1, (page_id, focused_widgets)
        assert window.page.isAncestorOf(focused_widgets[0])
    application.focusChanged.disconnect(record_focus)  # otherwise it records widgets of later tests


def test_standings_page_announces_the_comparison_when_the_cursor_moves(
    full_session: Session, qtbot: QtBot, announcements: list[str]
) -> None:
    window = show_window(full_session, qtbot, "rounds")
    run_action(window, "pair")
    run_action(window, "publish")
    for table in range(1, 13):
        type_text(window, f"{table} {400 + table} 300")
        press_key(window, Qt.Key.Key_Return)
    window.show_page("standings")
    announcements.clear()
    press_key(window, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: any(" is ahead of " in message for message in announcements))


@pytest.mark.slow
def test_result_field_announces_a_refused_line_again_by_enter(
    full_session: Session, qtbot: QtBot, announcements: list[str]
) -> None:
    window = show_window(full_session, qtbot, "rounds")
    run_action(window, "pair")
    run_action(window, "publish")
    window.page.setFocus()
    type_text(window, "99 412 388")
    qtbot.waitUntil(lambda: announcements[-1].startswith("!"))
    refusal, count_before = announcements[-1], len(announcements)
    press_key(window, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: announcements[count_before:] == [refusal])


def test_section_header_is_named_without_blanks(appearance: Appearance, qtbot: QtBot) -> None:
    section = CollapsibleSection("The game", appearance)
    qtbot.addWidget(section)
    for remark, name in (("", "The game"), ("2 changed", "The game, 2 changed")):
        section.set_title_remark(remark)
        assert QAccessible.queryAccessibleInterface(section.header).text(QAccessible.Text.Name) == name


def test_assistant_announces_its_steps_and_the_schedule(
    empty_session: Session, qtbot: QtBot, announcements: list[str]
) -> None:
    dialog = NewTournamentDialog(empty_session)
    qtbot.addWidget(dialog)
    dialog.open()
    for number, title in enumerate(("Name and venue", "Rules", "Divisions and rounds"), 1):
        expected = f"Step {number} of 3: {title}"
        qtbot.waitUntil(partial(announcements.__contains__, expected))
        assert (" ".join(dialog.rules.currentItem().text().split()) in announcements) == (number > 1)
        if number < 3:
            dialog.name.setText("Open")
            dialog.yes.click()
    qtbot.waitUntil(lambda: any(message.startswith("Rounds 1–") for message in announcements))
    name = QAccessible.queryAccessibleInterface(dialog.schedule).text(QAccessible.Text.Name)
    assert name.startswith("Schedule: Rounds 1–")
    dialog.reject()
