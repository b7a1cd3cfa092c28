"""The Screens page and the window for the room, by the keys that a director presses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.commands import ResultBeforeChange
from tdapp.domain.journal import Step
from tdapp.domain.model import NamesShown
from tdapp.domain.tournament import Tournament
from tdapp.gui.screens import room_window
from tdapp.gui.screens.page import PublicDataPanel, ScreensPage
from tdapp.gui.screens.room_window import RoomDisplay, RoomWindow
from tdapp.gui.screens.slideshow import CALM_KEY, SlideShow
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.i18n.ceremony import AnnouncementGrouping, AwardSlide
from tdapp.i18n.slides import DisplayProgramme, DisplayView, SentenceSlide
from tdapp.storage import Store
from tests.gui.samples import A, make_desk, make_session, make_tournament
from tests.gui.windows import show_window
from tests.i18n.test_slides import played

SPACE, ENTER, ESCAPE = Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Escape
LEFT, RIGHT, HOME = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home


@cache
def forty_players() -> Tournament:
    return played(make_tournament(players=40), 2)


@pytest.fixture
def playing(empty_session: Session) -> Session:
    """A session on 40 players with two rounds played."""
    empty_session.attach_desk(make_desk(forty_players()))
    return empty_session


@pytest.fixture
def window(playing: Session, qtbot: QtBot) -> Window:
    return show_window(playing, qtbot, "screens")


@pytest.fixture
def page(window: Window) -> ScreensPage:
    page = window.page
    assert isinstance(page, ScreensPage)
    page.setFocus()
    return page


@pytest.fixture
def room(window: Window, page: ScreensPage) -> Iterator[RoomWindow]:
    QTest.keyClick(window, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    made = page.room_display.window
    assert made is not None
    yield made
    page.room_display.close_window()


def press(page: ScreensPage, *keys: str | Qt.Key) -> None:
    """Press keys where the focus is."""
    for key in keys:
        focused = QApplication.focusWidget() or page.canvas
        if isinstance(key, str):
            QTest.keyClicks(focused, key)
        else:
            QTest.keyClick(focused, key)


def show_of(page: ScreensPage) -> SlideShow:
    return page.slide_show


def told(page: ScreensPage) -> str:
    """The place or prize told last, empty before the first."""
    body = page.slide_show.current_slide.body
    return body.lines[0].sign if isinstance(body, AwardSlide) else ""


def back_to(window: Window, qtbot: QtBot) -> None:
    """Go back to the director's window from that for the room."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.page.setFocus()


def fading(room: RoomWindow) -> bool:
    return room.canvas._faded_picture is not None


def is_open(page: ScreensPage) -> bool:
    return page.room_display.window is not None


# --- the way there


@pytest.mark.parametrize(
    ("key", "held"),
    [(Qt.Key.Key_F9, Qt.KeyboardModifier.ShiftModifier), (Qt.Key.Key_7, Qt.KeyboardModifier.ControlModifier)],
)
def test_screens_page_opens_by_its_key(window: Window, key: Qt.Key, held: Qt.KeyboardModifier) -> None:
    window.show_page("rounds")
    QTest.keyClick(window, key, held)
    assert window.page.id == "screens"
    assert QApplication.focusWidget() is window.page.focusProxy()


# --- the views


@pytest.mark.parametrize(("key", "view"), [(str(place), view) for place, view in enumerate(DisplayView, 1)])
def test_screens_page_shows_each_view_by_one_key(page: ScreensPage, key: str, view: DisplayView) -> None:
    press(page, "3" if view is not DisplayView.STANDINGS else "1", key)
    assert show_of(page).current_slide.view is view
    assert page.views.buttons[view].isChecked()
    assert [button.isChecked() for button in page.views.buttons.values()].count(True) == 1


@pytest.mark.slow
def test_screens_page_buttons_show_their_keys(page: ScreensPage) -> None:
    assert page.views.buttons
    for view, button in page.views.buttons.items():
        press(page, button.text()[0])
        assert show_of(page).programme.view is view


def test_slide_show_rotates_views(page: ScreensPage) -> None:
    page.views.rotation_boxes[DisplayView.TABLES].setFocus()
    press(page, SPACE)
    page.views.rotation_boxes[DisplayView.CLOCK].setFocus()
    press(page, SPACE)
    assert show_of(page).programme.in_turn == (DisplayView.STANDINGS, DisplayView.CLOCK)
    page.setFocus()
    press(page, "0")
    pages = show_of(page).position[1]
    seen = []
    for _ in range(pages):
        seen.append(show_of(page).current_slide.view)
        press(page, RIGHT)
    assert set(seen) == {DisplayView.STANDINGS, DisplayView.CLOCK}
    assert seen == sorted(seen, reverse=True), "first all of one, then the other"


def test_slide_show_turns_pages_by_keys(page: ScreensPage) -> None:
    press(page, "3")
    first, pages = show_of(page).current_slide, show_of(page).position[1]
    assert pages == 4
    press(page, RIGHT)
    assert show_of(page).position == (2, 4)
    press(page, LEFT, LEFT)
    assert show_of(page).position == (4, 4)
    press(page, RIGHT)
    assert show_of(page).current_slide == first


@pytest.mark.slow
def test_slide_show_turns_pages_after_their_time(page: ScreensPage, qtbot: QtBot) -> None:
    press(page, "3")
    page.view_options.seconds.setFocus()
    page.view_options.seconds.selectAll()
    press(page, "3", ENTER)
    assert show_of(page).programme.seconds == 3
    left = show_of(page).scene.remaining_share
    assert left is not None
    qtbot.waitUntil(lambda: (show_of(page).scene.remaining_share or 1) < left)
    qtbot.waitUntil(lambda: show_of(page).position[0] == 2)


def test_slide_show_pauses(page: ScreensPage, qtbot: QtBot) -> None:
    press(page, "3", "p")
    assert show_of(page).paused
    assert show_of(page).scene.remaining_share is None
    assert "again" in page._pause_button.text()
    press(page, SPACE)
    assert show_of(page).scene.remaining_share is not None


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "stays"), [("0", 8), ("x", 8), ("1", 3), ("900", 60), ("12", 12)])
def test_screens_page_limits_seconds_per_slide(page: ScreensPage, typed: str, stays: int) -> None:
    page.view_options.seconds.setFocus()
    page.view_options.seconds.selectAll()
    press(page, typed, ENTER)
    page.setFocus()
    assert show_of(page).programme.seconds == stays
    assert page.view_options.seconds.text() == str(stays)


@pytest.mark.styled
def test_screens_page_changes_the_background(page: ScreensPage) -> None:
    ground = page.canvas.grab().toImage().pixelColor(page.canvas.width() // 2, 8).lightness()
    press(page, "b")
    other = page.canvas.grab().toImage().pixelColor(page.canvas.width() // 2, 8).lightness()
    assert abs(ground - other) > 200
    assert page.view_options.background.value() is False
    page.view_options.background.choose(True)
    assert show_of(page).programme.black


# --- the window for the room


def test_room_window_opens_and_closes_by_one_key(
    page: ScreensPage, room: RoomWindow, window: Window, qtbot: QtBot
) -> None:
    assert room.isVisible()
    assert not room.isFullScreen(), "there is one display only"
    QTest.keyClick(room, Qt.Key.Key_F11)
    assert room.isFullScreen()
    QTest.keyClick(room, ESCAPE)
    assert not room.isFullScreen()
    assert room.isVisible()
    QTest.keyClick(room, ESCAPE)
    assert not is_open(page)
    assert "Nothing is shown" in page.subtitle.text()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    assert is_open(page)
    assert "Stop showing in the room" in window.command("room-window").text()
    window.command("room-window").trigger()
    assert not is_open(page)


def test_room_window_accepts_the_same_keys(page: ScreensPage, room: RoomWindow) -> None:
    QTest.keyClicks(room, "3")
    assert show_of(page).current_slide.view is DisplayView.STANDINGS
    QTest.keyClick(room, RIGHT)
    assert show_of(page).position[0] == 2


@pytest.mark.slow
def test_room_window_a_leads_to_the_field_and_ctrl_f9_closes(
    page: ScreensPage, room: RoomWindow, window: Window, qtbot: QtBot
) -> None:
    window.show_page("rounds")
    room.activateWindow()
    qtbot.waitUntil(room.isActiveWindow)
    QTest.keyClicks(room, "a")
    qtbot.waitUntil(window.isActiveWindow)
    assert window.page is page
    assert QApplication.focusWidget() is page.announcement
    press(page, "Lunch, clocks back at 13:30")
    assert not show_of(page).clock.clock.is_running
    QTest.keyClick(room, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    assert not is_open(page)


@pytest.mark.slow
def test_canvas_preview_equals_the_room_window(page: ScreensPage, room: RoomWindow) -> None:
    press(page, "5")  # a page without a bar, and a stopped clock
    room.resize(960, 540)
    QApplication.processEvents()
    picture = page.canvas
    inner = picture.width() - 6, picture.height() - 6
    scale = min(inner[0] / room.width(), inner[1] / room.height())
    small = room.canvas.grab().scaledToWidth(
        round(room.width() * scale), Qt.TransformationMode.SmoothTransformation
    )
    left, top = (picture.width() - small.width()) // 2, (picture.height() - small.height()) // 2
    seen = picture.grab().copy(left, top, small.width(), small.height())
    assert _differs(small, seen) < 0.03


def _differs(one: QPixmap, other: QPixmap) -> float:
    """The share of points light in one picture and dark in the other, at low resolution."""
    grey = QImage.Format.Format_Grayscale8
    smooth = Qt.TransformationMode.SmoothTransformation
    first, second = (
        picture.toImage().convertToFormat(grey).scaled(64, 36, mode=smooth) for picture in (one, other)
    )
    points = [(x, y) for x in range(64) for y in range(36)]
    unlike = [abs(first.pixelColor(*at).lightness() - second.pixelColor(*at).lightness()) > 120 for at in points]
    return sum(unlike) / len(points)


def test_room_window_closes_with_tournament_and_window(
    page: ScreensPage, room: RoomWindow, window: Window
) -> None:
    window.session.attach_desk(None)
    assert page.room_display.window is None
    window.session.attach_desk(make_desk(make_tournament(players=4)))
    window.show_page("screens")
    window.command("room-window").trigger()
    opened = RoomDisplay.get_for(window.session).window
    assert opened is not None
    assert opened.isVisible()
    window.close()
    assert RoomDisplay.get_for(window.session).window is None


def test_slide_show_updates_at_once(page: ScreensPage, room: RoomWindow) -> None:
    session = page.session
    press(page, "1", RIGHT)
    assert show_of(page).position == (2, 2)
    game = session.index.games(session.index.published(A)[-1].id)[0]
    seen = ResultBeforeChange(session.index.result(game.id))
    session.do(partial(commands.enter_result, game=game.id, first=555, second=111, seen=seen))
    assert show_of(page).position == (2, 2), "the room goes on reading where it was"
    press(page, LEFT)
    assert "555 – 111" in room.canvas.accessibleDescription()


@pytest.mark.slow
def test_slide_show_keeps_its_page_in_another_language(
    page: ScreensPage, room: RoomWindow, window: Window
) -> None:
    press(page, "3", RIGHT)
    english = show_of(page).current_slide
    window.command("language-nl").trigger()
    assert RoomDisplay.get_for(window.session).window is room
    assert room.isVisible()
    assert SlideShow.get_for(window.session).current_slide.key == english.key
    assert SlideShow.get_for(window.session).current_slide.title != english.title
    assert isinstance(window.page, ScreensPage)


@pytest.mark.slow
def test_slide_show_makes_no_slides_without_viewers(page: ScreensPage, window: Window) -> None:
    press(page, "3")
    window.show_page("rounds")
    slides = show_of(page)._slides
    session = page.session
    session.do(partial(commands.hold_standings, division=A, after=0))
    assert show_of(page)._slides is slides
    assert not show_of(page)._timer.isActive()
    window.show_page("screens")
    assert show_of(page)._slides is not slides
    assert show_of(page)._timer.isActive()


def test_slide_show_drops_slides_of_a_closed_tournament(
    appearance: Appearance, settings: QSettings, qtbot: QtBot
) -> None:
    session = make_session("en", appearance, settings)
    session.work = SessionWorker()
    session.attach_desk(make_desk(forty_players()))
    show = SlideShow.get_for(session)
    show.add_viewer()
    session.attach_desk(None)
    session.attach_desk(make_desk(make_tournament(players=4)))
    qtbot.waitUntil(lambda: show.current_slide.title == "Open Leiden 2026")
    session.close()
    session.work.close()
    assert isinstance(show.current_slide.body, SentenceSlide)


@pytest.mark.slow
def test_past_window_leaves_the_room_window(
    page: ScreensPage, room: RoomWindow, window: Window, qtbot: QtBot
) -> None:
    session = window.session
    step = Step(seq=1, at="2026-11-28T10:00:00+00:00", station="director", label="undo", facts={})
    session.looked_back.emit(Desk(Store.create_in_memory(session.tournament, read_only=True)), step)
    qtbot.waitUntil(lambda: window.past is not None and window.past.isVisible())
    past = window.past
    assert past is not None
    past.show_page("screens")
    assert isinstance(past.page, ScreensPage)
    assert past.page.slide_show is page.slide_show
    assert not past.command("room-window").isEnabled()
    past.close()
    assert room.isVisible()


# --- movement


@pytest.mark.parametrize("still", [True, False])
def test_canvas_fades_only_if_the_system_allows_it(
    page: ScreensPage, monkeypatch: pytest.MonkeyPatch, window: Window, still: bool, qtbot: QtBot
) -> None:
    monkeypatch.setattr(room_window, "prefers_reduced_motion", lambda: still)
    room = page.room_display.open_window(window)
    room.canvas.grab()
    press(page, "3", RIGHT)
    assert (room.canvas._faded_picture is None) is still
    qtbot.waitUntil(lambda: room.canvas._faded_picture is None)
    page.room_display.close_window()


@pytest.mark.slow
def test_canvas_fade_can_be_turned_off(page: ScreensPage, room: RoomWindow) -> None:
    show_of(page).reduced = False
    room.canvas.grab()
    press(page, "3")
    assert fading(room)
    room.canvas._remove_faded_slide()
    page._calm_box.click()
    assert page.session.settings.value(CALM_KEY, type=bool)
    press(page, "1")
    assert not fading(room)
    seconds = (show_of(page).scene.remaining_share or 0) * show_of(page).programme.seconds
    assert seconds == pytest.approx(round(seconds)), "the bar goes by whole seconds"


def test_prefers_reduced_motion_asks_the_system(qapp: QApplication) -> None:
    assert room_window.prefers_reduced_motion() in {True, False}


# --- the announcement


def test_announcement_covers_the_slides_until_removed(
    page: ScreensPage, room: RoomWindow, window: Window, qtbot: QtBot
) -> None:
    back_to(window, qtbot)
    press(page, "3", "a")
    assert QApplication.focusWidget() is page.announcement
    press(page, "Lunch until 13:30", ENTER)
    assert room.canvas.accessibleDescription() == "Lunch until 13:30"
    assert show_of(page).scene.remaining_share is None
    QApplication.processEvents()
    assert page.canvas.hasFocus(), "the keys are those of the screens again"
    press(page, "1")
    assert show_of(page).message, "other views do not take it away"
    press(page, ESCAPE)
    assert show_of(page).message == ""
    assert "Lunch" not in room.canvas.accessibleDescription()
    assert page.announcement.text() == "Lunch until 13:30", "to be announced again"


@pytest.mark.slow
def test_announcement_is_removed_by_esc_in_field_and_room_window(page: ScreensPage, room: RoomWindow) -> None:
    for take_away in (partial(press, page, ESCAPE), partial(QTest.keyClick, room, ESCAPE)):
        page.announcement.setFocus()
        page.announcement.setText("Round 3 at 14:00")
        QTest.keyClick(page.announcement, ENTER)
        assert show_of(page).message
        take_away()
        assert not show_of(page).message
        assert room.isVisible()


@pytest.mark.slow
def test_announcement_field_keeps_its_text_after_esc(page: ScreensPage) -> None:
    press(page, "6", "a")
    press(page, "Well done", ESCAPE)
    assert page.canvas.hasFocus()
    assert page.announcement.text() == "Well done"
    assert told(page) == ""
    press(page, SPACE)
    assert told(page) == "10"


def test_screens_page_ignores_view_keys_in_a_field(page: ScreensPage) -> None:
    press(page, "3")
    page.announcement.setFocus()
    press(page, "12 b c p 6")
    assert show_of(page).current_slide.view is DisplayView.STANDINGS
    assert show_of(page).programme.black
    assert not show_of(page).clock.clock.is_running


# --- the prize-giving


def test_ceremony_shows_one_announcement_after_another(page: ScreensPage, room: RoomWindow) -> None:
    press(page, "6")
    assert told(page) == ""
    assert show_of(page).scene.remaining_share is None
    signs = []
    for key in (SPACE, ENTER, RIGHT):
        press(page, key)
        signs.append(told(page))
    assert signs == ["10", "9", "8"]
    press(page, LEFT)
    assert told(page) == "9"
    press(page, "6")
    assert told(page) == "9", "a second keystroke begins nothing anew"
    press(page, *[SPACE] * 20)
    assert told(page) == "1", "it ends with the first"
    press(page, HOME)
    assert told(page) == ""


def test_ceremony_restarts_with_chosen_content(page: ScreensPage) -> None:
    show = show_of(page)
    press(page, "6", SPACE)
    page.view_options.category.choose("B")
    assert isinstance(show.current_slide.body, SentenceSlide)
    assert "Category B" in show.current_slide.note
    page.view_options.places.setFocus()
    page.view_options.places.selectAll()
    press(page, "2", ENTER)
    assert show.position == (1, 3)
    page.view_options.grouping.choose(AnnouncementGrouping.PRIZES)
    assert show.current_slide.body == SentenceSlide("There are no prizes.")


@pytest.mark.slow
def test_ceremony_ignores_enter_in_other_fields(page: ScreensPage) -> None:
    press(page, "6", SPACE)
    page.announcement.setFocus()
    press(page, "Well done", Qt.Key.Key_PageDown, ENTER)
    QApplication.processEvents()
    assert QApplication.focusWidget() is page.canvas
    assert told(page) == "10"
    page._calm_box.setFocus()
    assert QApplication.focusWidget() is page._calm_box
    press(page, ENTER)
    assert told(page) == "10"


@pytest.mark.slow
def test_ceremony_ends_when_another_view_is_chosen(page: ScreensPage) -> None:
    press(page, "6", SPACE, "3")
    assert show_of(page).current_slide.view is DisplayView.STANDINGS
    press(page, "6")
    assert isinstance(show_of(page).current_slide.body, SentenceSlide)


# --- what everybody may see


def test_public_panel_holds_standings_and_chooses_names(page: ScreensPage, window: Window) -> None:
    press(page, "3")
    window.command("public").trigger()
    panel = window.panel
    assert isinstance(panel, PublicDataPanel)
    panel.hidden_round_fields[A].choose(1)
    assert page.session.tournament.divisions[A].held_after == 1
    assert show_of(page).current_slide.title == "Standings after round 1"
    panel.names.choose(NamesShown.NUMBER)
    assert page.session.tournament.event.names_shown is NamesShown.NUMBER
    assert "#1" in page.canvas.accessibleDescription()
    panel.details.setFocus()
    press(page, SPACE)
    assert page.session.tournament.event.details_shown is panel.details.isChecked()
    panel.hidden_round_fields[A].choose(-1)
    assert page.session.tournament.divisions[A].held_after is None


@pytest.mark.slow
def test_public_panel_closes_when_divisions_change(page: ScreensPage, window: Window) -> None:
    window.command("public").trigger()
    page.session.do(partial(commands.add_division, key="d2", code="B"))
    assert window.panel is None


# --- kept, empty, read-only, spoken


def test_slide_show_stores_the_programme_but_not_the_ceremony(
    page: ScreensPage, appearance: Appearance, settings: QSettings
) -> None:
    show = show_of(page)
    press(page, "3", "b")
    page.view_options.seconds.setText("15")
    page.view_options.seconds.setFocus()
    press(page, ENTER)
    again = make_session("en", appearance, settings)
    again.attach_desk(make_desk(make_tournament(players=4)))
    assert SlideShow.get_for(again).programme == show.programme
    page.setFocus()
    press(page, "6")
    again.attach_desk(make_desk(make_tournament(players=4)))
    assert SlideShow.get_for(again).programme.view is None
    other = commands.new_tournament(key="other", name="Another", ruleset=page.session.tournament.ruleset)
    again.attach_desk(make_desk(other))
    assert SlideShow.get_for(again).programme == DisplayProgramme()
    again.close()


@pytest.mark.parametrize("kept", ["", "[1]", '{"view": "moon"}', '{"view": "tables", "in_turn": 7}', "7"])
def test_slide_show_uses_the_default_for_an_unreadable_programme(session: Session, kept: str) -> None:
    session.settings.setValue(f"tournaments/{session.tournament.event.id}/screens", kept)
    session.opened.emit()
    assert SlideShow.get_for(session).programme == DisplayProgramme()


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", LANGUAGES, indirect=True)
def test_slide_show_shows_every_view_of_an_empty_tournament(session: Session, qtbot: QtBot) -> None:
    window = show_window(session, qtbot, "screens")
    page = window.page
    assert isinstance(page, ScreensPage)
    for key in "1234560":
        QTest.keyClicks(page.canvas, key)
        assert page.canvas.accessibleDescription()
        assert _inked(page.canvas.grab())


def _inked(picture: QPixmap) -> bool:
    image = picture.toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    row = range(6, image.width() - 6, 2)
    lights = {image.pixelColor(x, y).lightness() for y in range(6, image.height() - 6, 3) for x in row}
    return max(lights) - min(lights) > 150


def test_slide_show_works_for_a_read_only_file(empty_session: Session, qtbot: QtBot) -> None:
    desk = make_desk(make_tournament(players=8))
    empty_session.attach_desk(type(desk)(Store.create_in_memory(desk.tournament, read_only=True)))
    window = show_window(empty_session, qtbot, "screens")
    assert window.command("room-window").isEnabled()
    window.command("public").trigger()
    panel = window.panel
    assert isinstance(panel, PublicDataPanel)
    assert not panel.names.isEnabled()


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", LANGUAGES, indirect=True)
def test_screens_page_controls_have_names(playing: Session, qtbot: QtBot) -> None:
    window = show_window(playing, qtbot, "screens")
    page = window.page
    assert isinstance(page, ScreensPage)
    typed: tuple[QWidget, ...] = (
        page.announcement,
        page.view_options.seconds,
        page.clock.extra_field,
        page.clock.length_field,
    )
    chosen: tuple[QWidget, ...] = (
        page.view_options.division,
        page.view_options.background,
        *page.views.rotation_boxes.values(),
        *page.views.buttons.values(),
    )
    for part in (page.canvas, *typed, *chosen):
        assert part.accessibleName(), part


@pytest.mark.slow
def test_room_window_leaves_full_screen_without_its_display(page: ScreensPage, room: RoomWindow) -> None:
    QTest.keyClick(room, Qt.Key.Key_F11)
    assert room.isFullScreen()
    page.room_display._leave_full_screen(room.screen())
    assert not room.isFullScreen()
    assert room.isVisible()


@pytest.mark.slow
def test_screens_page_tab_visits_all_controls(page: ScreensPage) -> None:
    seen = set()
    for _ in range(60):
        focused = QApplication.focusWidget()
        assert focused is not None
        seen.add(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    assert {
        page.canvas,
        page.announcement,
        page.clock.toggle_button,
        page.clock.extra_field,
        page.view_options.seconds,
    } <= seen
    assert {*page.views.buttons.values()} <= seen


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["de", "nl"], indirect=True)
def test_screens_page_note_fits_a_small_screen(playing: Session, qtbot: QtBot) -> None:
    window = show_window(playing, qtbot)
    window.resize(1280, 720)
    for place in ("screens", "history"):
        window.show_page(place)
        QApplication.processEvents()
        note = window.page.subtitle
        assert note.text() == note.accessibleName() != "", place
