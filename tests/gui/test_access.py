"""Accessibility: names and states for screen readers, tab order, focus and visible texts."""

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
from tdapp.gui.shell.page_list import PAGES, find_shown_page
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.assistant import TournamentAssistant
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import strip_markup
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.scroll_body import CollapsibleSection
from tdapp.gui.widgets.table_view import STATE_SHAPES, TableView
from tdapp.gui.widgets.theme import COLOURS, Appearance
from tests.gallery.render import Setting, walk
from tests.gallery.scenes import SCENES, Scene
from tests.gui.jury_window import JuryDriver, pair_first_round
from tests.gui.test_theme import contrast, luminance
from tests.gui.windows import press, run_command, show_window, type_text

SIGN = re.compile(r"^[^\w]*$")  # no word in it
FILE_NAME = re.compile(r"^[a-z]+(-[a-z]+)*\.svg$")
# Filled again while open: Tab reaches later widgets after the earlier ones.
FILLED_LATER = {"panel-choose-papers", "panel-stage", "panel-stage-cup", "dialog-paste"}
TAB = Qt.FocusPolicy.TabFocus
RADIO = QAccessible.Role.RadioButton  # one of several, no box to tick
SPOKEN = (QAccessible.Text.Name, QAccessible.Text.Value, QAccessible.Text.Description)


def said(widget: QWidget) -> str:
    """The text of a screen reader for a widget."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def below(widget: QWidget) -> Iterator[QWidget]:
    yield from (one for one in (widget, *widget.findChildren(QWidget)) if one.isVisible())


def takes_tab(top: QWidget) -> list[QWidget]:
    return [
        one
        for one in below(top)
        if one.isEnabled() and one.focusPolicy() & TAB and one.window() is top and one is not top
    ]


def tabbed(top: QWidget) -> list[QWidget]:
    """Press Tab until it comes round; where it moves inside a widget, until it leaves it."""
    focused: QWidget | None = top.focusWidget()
    present = takes_tab(top)[0] if focused is None else focused
    present.setFocus(Qt.FocusReason.TabFocusReason)
    if len(takes_tab(top)) == 1:  # Tab stays where it is
        return [present]
    seen: list[QWidget] = []
    last: QWidget | None = None
    for _ in range(400):
        if present in seen and present is not last:
            return seen
        if present not in seen:
            seen.append(present)
        last = present
        QTest.keyClick(present, Qt.Key.Key_Tab)
        present = QApplication.focusWidget() or present
    raise AssertionError(f"Tab does not come round from {said(present)}")


def goes_back(one: QRect, following: QRect) -> bool:
    """Return whether Tab goes up without going to the right, or to the left in a line."""
    above = following.bottom() <= one.top() + 2 and following.left() <= one.left()
    return above or (abs(one.center().y() - following.center().y()) < 8 and following.left() < one.left())


# --- every page, panel and dialog (tests/gui/test_gallery.py opens them)


def check_everybody_can_use_it(scene: Scene, top: QWidget) -> None:
    """Every control has a name and a role, every text is in the tree, Tab reaches everything as one reads."""
    _check_controls(scene, top)
    _check_texts(scene, top.window())
    if not scene.cup:
        _check_tab(scene, top.window())


def _check_texts(scene: Scene, top: QWidget) -> None:
    """Every visible sentence is a name, a value or a description in the accessibility tree."""
    tree = "\n".join(spoken_in(QAccessible.queryAccessibleInterface(top)))
    for one in top.findChildren(QLabel):
        if not one.visibleRegion().isEmpty() and (seen := strip_markup(one.text()).rstrip("…")):
            assert seen in tree, f"{scene.name}: {seen}"


def spoken_in(face: QAccessibleInterface) -> Iterator[str]:
    if face.state().invisible:
        return
    yield from (strip_markup(face.text(kind)) for kind in SPOKEN)
    for place in range(min(face.childCount(), 3000)):
        yield from spoken_in(face.child(place))


def _check_controls(scene: Scene, top: QWidget) -> None:
    for one in below(top):
        if one.focusPolicy() == Qt.FocusPolicy.NoFocus:
            continue
        face, name = QAccessible.queryAccessibleInterface(one), said(one).strip()
        where = f"{scene.name}: {type(one).__name__} {name!r}"
        assert name, where
        assert "&" not in name, where
        assert not SIGN.match(name), where
        assert not FILE_NAME.match(name), where
        assert face.role() is not QAccessible.Role.NoRole, where
        assert bool(face.state().disabled) == (not one.isEnabled()), where
        if isinstance(one, QCheckBox):
            assert bool(face.state().checked) == one.isChecked(), where
        if isinstance(one, TableView):
            _check_table(one, where)


def _check_table(view: TableView, where: str) -> None:
    face, model = QAccessible.queryAccessibleInterface(view), view.model()
    assert face.role() is QAccessible.Role.Table, where
    columns = [place for place in range(model.columnCount()) if not view.isColumnHidden(place)]
    cells = min(face.childCount(), 3 * (model.columnCount() + 1))
    told = {face.child(place).text(QAccessible.Text.Name) for place in range(cells)}
    assert {str(model.headerData(place, Qt.Orientation.Horizontal)) for place in columns} <= told, where
    if model.rowCount():
        assert {str(model.index(0, place).data() or "") for place in columns} <= told, where


def _check_tab(scene: Scene, top: QWidget) -> None:
    top.activateWindow()
    QApplication.processEvents()
    places = {
        one: QRect(one.mapTo(top, QPoint(0, 0)), one.size())
        for one in below(top)
        if not one.visibleRegion().isEmpty()
    }
    wanted, reached = takes_tab(top), tabbed(top)
    missed = [said(one) for one in wanted if one not in reached and not _in_group(one)]
    assert missed == [], scene.name
    if scene.name in FILLED_LATER:
        return
    known = [one for one in reached if one in places]
    back = [(said(one), said(two)) for one, two in pairwise(known) if goes_back(places[one], places[two])]
    assert len(back) <= 1, f"{scene.name}: {back}"  # once round


def _in_group(one: QWidget) -> bool:
    """Return whether arrows reach it: one of a group of which Tab reaches the chosen one."""
    if not isinstance(one, QAbstractButton):
        return False
    group: QButtonGroup | None = one.group()
    return one.autoExclusive() or (group is not None and group.exclusive())


@pytest.mark.slow
@pytest.mark.parametrize("scheme", COLOURS)
def test_focus_is_visible_on_every_widget(qapp: QApplication, scheme: str) -> None:
    assert qapp is not None
    pages = [
        scene for scene in SCENES if scene.name in {"page-players", "page-rounds", "page-tournament", "dialog-new"}
    ]
    with closing(walk(Setting(scheme=scheme), pages)) as sights:
        for _window, scene, shown_at in sights:
            assert shown_at is not None
            _check_focus(scene, shown_at.window())


def _check_focus(scene: Scene, top: QWidget) -> None:
    kinds: set[type[QWidget]] = set()
    for one in takes_tab(top):
        if type(one) in kinds or _in_group(one):
            continue
        kinds.add(type(one))
        one.setFocus(Qt.FocusReason.TabFocusReason)
        with_focus = _around(one)
        one.clearFocus()
        assert with_focus != _around(one), f"{scene.name}: {type(one).__name__} {said(one)}"


def _around(one: QWidget) -> QImage:
    QApplication.processEvents()
    parent = one.parentWidget() or one
    return parent.grab(one.geometry().adjusted(-3, -3, 3, 3)).toImage()


# --- states


def test_collapsible_section_tells_if_it_is_open(look: Appearance, qtbot: QtBot) -> None:
    fold = CollapsibleSection("The game", look)
    qtbot.addWidget(fold)
    fold.show()
    for is_open in (False, True):
        fold.set_open(show=is_open)
        state = QAccessible.queryAccessibleInterface(fold.header).state()
        assert state.checkable
        assert bool(state.checked) == is_open


@pytest.mark.parametrize("code", STATE_SHAPES)
def test_states_have_a_word_next_to_shape_and_colour(filled: Session, code: str) -> None:
    assert filled.catalogue.code(code).strip()


@pytest.mark.slow
def test_tabs_tell_which_one_is_selected(filled: Session, qtbot: QtBot) -> None:
    window = show_window(filled, qtbot)
    assert window.pages.pages_by_id
    for place in PAGES:
        window.show_page(place)
        name = PAGES[find_shown_page(filled, place)].name(filled.catalogue)
        chosen = [
            QAccessible.queryAccessibleInterface(one)
            for one in window.findChildren(PageButton)
            if one.text() == name
        ]
        assert [(one.role(), bool(one.state().checked)) for one in chosen] == [(RADIO, True)], place
        for bar in window.page.findChildren(QTabBar):
            assert bar.accessibleName()


def test_sidebar_counts_are_spoken_with_their_unit(empty: Session) -> None:
    said = {page.id: page.describe_tasks(empty.catalogue, 2) for page in page_list._PAGES_IN_ORDER}
    assert (said["check-in"], said["jury"]) == ("2 players missing", "2 games not checked")


# --- announcements


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The announcements, with an exclamation mark for urgent ones."""
    found: list[str] = []

    def hear(event: QAccessibleAnnouncementEvent) -> None:
        urgent = event.politeness() is QAccessible.AnnouncementPoliteness.Assertive
        found.append("!" * urgent + event.message())

    monkeypatch.setattr("tdapp.gui.widgets.access.QAccessible.updateAccessibility", hear)
    return found


def test_spoken_label_is_announced_once_and_again_when_shown(qtbot: QtBot, heard: list[str]) -> None:
    live, error = fields.label("", is_spoken=True), fields.label("", "error")
    for one in (live, error):
        qtbot.addWidget(one)
        one.show()
    for text in ("Table", "Table 7", "Table 7: <b>Hansen</b> &amp; co"):
        live.setText(text)
    qtbot.waitUntil(lambda: heard == ["Table 7: Hansen & co"])
    live.setText("Table 7: <b>Hansen</b> &amp; co")
    error.setText("No such table")
    qtbot.waitUntil(lambda: heard == ["Table 7: Hansen & co", "!No such table"])
    error.hide()
    error.setText("No such table")
    error.show()
    qtbot.waitUntil(lambda: heard[2:] == ["!No such table"])


@pytest.mark.slow
def test_preview_toast_and_problems_are_announced_once(filled: Session, qtbot: QtBot, heard: list[str]) -> None:
    window = show_window(filled, qtbot, "rounds")
    run_command(window, "pair")
    run_command(window, "publish")
    waiting = "Round 1: 12 results missing (tables 1–12)"
    assert heard[3:] == [waiting, "Round 1 published"]
    window.page.setFocus()
    type_text(window, "1 412 388")
    qtbot.waitUntil(lambda: "412" in heard[-1])
    press(window, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "✓" in heard[-1])
    type_text(window, "99 412 388")
    qtbot.waitUntil(lambda: heard[-1].startswith("!"))
    assert len(heard) == len(set(heard)) == 8


def test_turn_is_announced_when_left(empty: Session, qtbot: QtBot, heard: list[str]) -> None:
    hands = JuryDriver(empty, qtbot, pair_first_round("nl-match"))
    hands.choose_game("1")
    hands.enter("8D TAART 22")
    spoken = "Anna, 8D TAART, 22, total 20. Problem: The score is 20, not 22. Row 1, Björn"
    qtbot.waitUntil(lambda: heard[-1:] == [spoken])
    hands.enter("E7 TAFEL 2no")
    assert heard[-1] == "!Problem: The program does not understand “2no” here. Type ? to see how to write a turn."
    field = QAccessible.queryAccessibleInterface(hands.window.focusWidget())
    assert field.text(QAccessible.Text.Description).startswith("Problem: The program does not understand “2no”")
    tree = list(spoken_in(QAccessible.queryAccessibleInterface(hands.window)))
    assert "Anna, 8D TAART, 22, total 20. Problem: The score is 20, not 22." in tree
    first = tree.index("8D TAART")
    assert tree[first : first + 6 : 3] == ["8D TAART", "8D T, 8E A, 8F A, 8G R, 8H T"]


# --- colours and sizes


@pytest.mark.styled
@pytest.mark.parametrize("scheme", COLOURS)
def test_placeholder_of_an_empty_field_is_readable(look: Appearance, qtbot: QtBot, scheme: str) -> None:
    look.choose_scheme(scheme)
    line = LineEdit("Name", placeholder="MMMMMMMMMM")
    qtbot.addWidget(line)
    line.resize(200, 40)
    line.show()
    image = line.grab(QRect(8, 4, 180, 30)).toImage()
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    ground = COLOURS[look.scheme].surface
    strongest = max(contrast(one, ground) for one in seen)
    look.choose_scheme("light")
    assert strongest >= 4.5
    assert luminance(QColor(ground)) >= 0


@pytest.mark.parametrize("scheme", COLOURS)
def test_focus_ring_has_a_contrast_of_three_to_one(scheme: str) -> None:
    """WCAG 2.2, 1.4.11: three to one."""
    colours = COLOURS[scheme]
    for ground in (colours.window, colours.surface, colours.sunken):
        assert contrast(colours.accent, ground) >= 3


@pytest.mark.slow
def test_window_of_minimum_size_fits_every_page(filled: Session, qtbot: QtBot) -> None:
    window: Window = show_window(filled, qtbot)
    window.resize(1280, 720)
    assert window.pages.pages_by_id
    for place in PAGES:
        window.show_page(place)
        QApplication.processEvents()
        assert (window.width(), window.height()) == (1280, 720), place
        least = window.page.minimumSizeHint()
        assert (least.width() <= window.page.width(), least.height() <= window.page.height()) == (True, True), (
            place
        )


def test_page_change_focuses_only_the_new_page_and_names_it(
    filled: Session, qtbot: QtBot, heard: list[str]
) -> None:
    window = show_window(filled, qtbot, "rounds")
    run_command(window, "pair")
    run_command(window, "publish")
    focused: list[QWidget] = []

    def note_focus(_old: QWidget | None, new: QWidget | None) -> None:
        focused.extend([new] if new is not None else [])

    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.focusChanged.connect(note_focus)
    for place in ("standings", "jury", "papers", "screens", "history", "tournament", "players", "rounds"):
        heard.clear()
        focused.clear()
        window.show_page(place)
        assert PAGES[place].name(filled.catalogue) in heard
        assert len(focused) == 1, (place, focused)
        assert window.page.isAncestorOf(focused[0])
    application.focusChanged.disconnect(note_focus)  # else it keeps widgets of later tests


def test_standings_sentence_is_announced_when_the_cursor_moves(
    filled: Session, qtbot: QtBot, heard: list[str]
) -> None:
    window = show_window(filled, qtbot, "rounds")
    run_command(window, "pair")
    run_command(window, "publish")
    for table in range(1, 13):
        type_text(window, f"{table} {400 + table} 300")
        press(window, Qt.Key.Key_Return)
    window.show_page("standings")
    heard.clear()
    press(window, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: any(" is ahead of " in one for one in heard))


@pytest.mark.slow
def test_refused_line_is_announced_again_by_enter(filled: Session, qtbot: QtBot, heard: list[str]) -> None:
    window = show_window(filled, qtbot, "rounds")
    run_command(window, "pair")
    run_command(window, "publish")
    window.page.setFocus()
    type_text(window, "99 412 388")
    qtbot.waitUntil(lambda: heard[-1].startswith("!"))
    refusal, before = heard[-1], len(heard)
    press(window, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: heard[before:] == [refusal])


def test_section_header_is_named_without_blanks(look: Appearance, qtbot: QtBot) -> None:
    fold = CollapsibleSection("The game", look)
    qtbot.addWidget(fold)
    for remark, name in (("", "The game"), ("2 changed", "The game, 2 changed")):
        fold.set_title_remark(remark)
        assert QAccessible.queryAccessibleInterface(fold.header).text(QAccessible.Text.Name) == name


def test_assistant_announces_its_steps_and_the_schedule(empty: Session, qtbot: QtBot, heard: list[str]) -> None:
    dialog = TournamentAssistant(empty)
    qtbot.addWidget(dialog)
    dialog.open()
    for number, title in enumerate(("Name and place", "Rules", "Divisions and rounds"), 1):
        expected = f"Step {number} of 3: {title}"
        qtbot.waitUntil(partial(heard.__contains__, expected))
        assert (" ".join(dialog.rules.currentItem().text().split()) in heard) == (number > 1)
        if number < 3:
            dialog.name.setText("Open")
            dialog.yes.click()
    qtbot.waitUntil(lambda: any(one.startswith("Rounds 1–") for one in heard))
    name = QAccessible.queryAccessibleInterface(dialog.schedule).text(QAccessible.Text.Name)
    assert name.startswith("Schedule: Rounds 1–")
    dialog.reject()
