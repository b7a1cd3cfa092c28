"""Tests of the Screens page and the display window: keys, announcements, ceremony and public data."""

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
from tdapp.domain.model import PublicNameFormat
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
from tests.i18n.test_slides import play_rounds

SPACE_KEY, ENTER_KEY, ESCAPE_KEY = Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Escape
LEFT_KEY, RIGHT_KEY, HOME_KEY = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home


@cache
def make_event_of_forty() -> Tournament:
    return play_rounds(make_tournament(players=40), 2)


@pytest.fixture
def event_session(empty_session: Session) -> Session:
    """Return a session with 40 players and two played rounds."""
    empty_session.open_tournament_of_desk(make_desk(make_event_of_forty()))
    return empty_session


@pytest.fixture
def window(event_session: Session, qtbot: QtBot) -> Window:
    return show_window(event_session, qtbot, "screens")


@pytest.fixture
def page(window: Window) -> ScreensPage:
    page = window.page
    assert isinstance(page, ScreensPage)
    page.setFocus()
    return page


@pytest.fixture
def display_window(window: Window, page: ScreensPage) -> Iterator[RoomWindow]:
    QTest.keyClick(window, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    new_window = page.room_display.window
    assert new_window is not None
    yield new_window
    page.room_display.close_window()


def press(page: ScreensPage, *keys: str | Qt.Key) -> None:
    """Press keys in the focused widget."""
    for key in keys:
        focused = QApplication.focusWidget() or page.canvas
        if isinstance(key, str):
            QTest.keyClicks(focused, key)
        else:
            QTest.keyClick(focused, key)


def get_slide_show(page: ScreensPage) -> SlideShow:
    return page.slide_show


def read_announced_rank(page: ScreensPage) -> str:
    """Return the rank or prize announced last, or "" before the first."""
    body = page.slide_show.current_slide.body
    return body.lines[0].sign if isinstance(body, AwardSlide) else ""


def activate_window(window: Window, qtbot: QtBot) -> None:
    """Move from the display window to the director's window."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.page.setFocus()


def is_fading(display_window: RoomWindow) -> bool:
    return display_window.canvas._faded_picture is not None


def is_display_open(page: ScreensPage) -> bool:
    return page.room_display.window is not None


# --- opening


@pytest.mark.parametrize(
    ("key", "modifier"),
    [(Qt.Key.Key_F9, Qt.KeyboardModifier.ShiftModifier), (Qt.Key.Key_7, Qt.KeyboardModifier.ControlModifier)],
)
def test_screens_page_opens_by_its_key(window: Window, key: Qt.Key, modifier: Qt.KeyboardModifier) -> None:
    window.show_page("rounds")
    QTest.keyClick(window, key, modifier)
    assert window.page.id == "screens"
    assert QApplication.focusWidget() is window.page.focusProxy()


# --- the views


@pytest.mark.parametrize(("key", "view"), [(str(number), view) for number, view in enumerate(DisplayView, 1)])
def test_screens_page_shows_each_view_by_one_key(page: ScreensPage, key: str, view: DisplayView) -> None:
    press(page, "3" if view is not DisplayView.STANDINGS else "1", key)
    assert get_slide_show(page).current_slide.view is view
    assert page.views.buttons[view].isChecked()
    assert [button.isChecked() for button in page.views.buttons.values()].count(True) == 1


@pytest.mark.slow
def test_screens_page_buttons_show_their_keys(page: ScreensPage) -> None:
    assert page.views.buttons
    for view, button in page.views.buttons.items():
        press(page, button.text()[0])
        assert get_slide_show(page).programme.view is view


def test_slide_show_rotates_views(page: ScreensPage) -> None:
    page.views.rotation_boxes[DisplayView.TABLES].setFocus()
    press(page, SPACE_KEY)
    page.views.rotation_boxes[DisplayView.CLOCK].setFocus()
    press(page, SPACE_KEY)
    assert get_slide_show(page).programme.in_turn == (DisplayView.STANDINGS, DisplayView.CLOCK)
    page.setFocus()
    press(page, "0")
    pages = get_slide_show(page).page_number_and_count[1]
    shown_views = []
    for _ in range(pages):
        shown_views.append(get_slide_show(page).current_slide.view)
        press(page, RIGHT_KEY)
    assert set(shown_views) == {DisplayView.STANDINGS, DisplayView.CLOCK}
    assert shown_views == sorted(shown_views, reverse=True), "the views are not in order"


def test_slide_show_turns_pages_by_keys(page: ScreensPage) -> None:
    press(page, "3")
    first, pages = get_slide_show(page).current_slide, get_slide_show(page).page_number_and_count[1]
    assert pages == 4
    press(page, RIGHT_KEY)
    assert get_slide_show(page).page_number_and_count == (2, 4)
    press(page, LEFT_KEY, LEFT_KEY)
    assert get_slide_show(page).page_number_and_count == (4, 4)
    press(page, RIGHT_KEY)
    assert get_slide_show(page).current_slide == first


@pytest.mark.slow
def test_slide_show_turns_pages_after_their_time(page: ScreensPage, qtbot: QtBot) -> None:
    press(page, "3")
    page.view_options.seconds.setFocus()
    page.view_options.seconds.selectAll()
    press(page, "3", ENTER_KEY)
    assert get_slide_show(page).programme.seconds == 3
    remaining_share = get_slide_show(page).scene.remaining_share
    assert remaining_share is not None
    qtbot.waitUntil(lambda: (get_slide_show(page).scene.remaining_share or 1) < remaining_share)
    qtbot.waitUntil(lambda: get_slide_show(page).page_number_and_count[0] == 2)


def test_slide_show_pauses(page: ScreensPage, qtbot: QtBot) -> None:
    press(page, "3", "p")
    assert get_slide_show(page).paused
    assert get_slide_show(page).scene.remaining_share is None
    assert "Resume" in page._pause_button.text()
    press(page, SPACE_KEY)
    assert get_slide_show(page).scene.remaining_share is not None


@pytest.mark.slow
@pytest.mark.parametrize(("text", "seconds"), [("0", 8), ("x", 8), ("1", 3), ("900", 60), ("12", 12)])
def test_screens_page_limits_seconds_per_slide(page: ScreensPage, text: str, seconds: int) -> None:
    page.view_options.seconds.setFocus()
    page.view_options.seconds.selectAll()
    press(page, text, ENTER_KEY)
    page.setFocus()
    assert get_slide_show(page).programme.seconds == seconds
    assert page.view_options.seconds.text() == str(seconds)


@pytest.mark.styled
def test_screens_page_changes_the_background(page: ScreensPage) -> None:
    first_lightness = page.canvas.grab().toImage().pixelColor(page.canvas.width() // 2, 8).lightness()
    press(page, "b")
    second_lightness = page.canvas.grab().toImage().pixelColor(page.canvas.width() // 2, 8).lightness()
    assert abs(first_lightness - second_lightness) > 200
    assert page.view_options.background.value() is False
    page.view_options.background.choose_value(True)
    assert get_slide_show(page).programme.black


# --- the display window


def test_display_window_opens_and_closes_by_one_key(
    page: ScreensPage, display_window: RoomWindow, window: Window, qtbot: QtBot
) -> None:
    assert display_window.isVisible()
    assert not display_window.isFullScreen(), "full screen on the only display"
    QTest.keyClick(display_window, Qt.Key.Key_F11)
    assert display_window.isFullScreen()
    QTest.keyClick(display_window, ESCAPE_KEY)
    assert not display_window.isFullScreen()
    assert display_window.isVisible()
    QTest.keyClick(display_window, ESCAPE_KEY)
    assert not is_display_open(page)
    assert "Nothing is being shown" in page.subtitle.text()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    assert is_display_open(page)
    assert "Stop showing in the room" in window.get_action("room-window").text()
    window.get_action("room-window").trigger()
    assert not is_display_open(page)


def test_display_window_accepts_keys_of_the_page(page: ScreensPage, display_window: RoomWindow) -> None:
    QTest.keyClicks(display_window, "3")
    assert get_slide_show(page).current_slide.view is DisplayView.STANDINGS
    QTest.keyClick(display_window, RIGHT_KEY)
    assert get_slide_show(page).page_number_and_count[0] == 2


@pytest.mark.slow
def test_display_window_a_key_focuses_the_field_and_ctrl_f9_closes(
    page: ScreensPage, display_window: RoomWindow, window: Window, qtbot: QtBot
) -> None:
    window.show_page("rounds")
    display_window.activateWindow()
    qtbot.waitUntil(display_window.isActiveWindow)
    QTest.keyClicks(display_window, "a")
    qtbot.waitUntil(window.isActiveWindow)
    assert window.page is page
    assert QApplication.focusWidget() is page.announcement
    press(page, "Lunch, clocks back at 13:30")
    assert not get_slide_show(page).clock.clock.is_running
    QTest.keyClick(display_window, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    assert not is_display_open(page)


@pytest.mark.slow
def test_canvas_preview_equals_the_display_window(page: ScreensPage, display_window: RoomWindow) -> None:
    press(page, "5")  # a view without a progress bar, while the clock is stopped
    display_window.resize(960, 540)
    QApplication.processEvents()
    preview = page.canvas
    inner_size = preview.width() - 6, preview.height() - 6
    scale = min(inner_size[0] / display_window.width(), inner_size[1] / display_window.height())
    small = display_window.canvas.grab().scaledToWidth(
        round(display_window.width() * scale), Qt.TransformationMode.SmoothTransformation
    )
    offset_x, offset_y = (preview.width() - small.width()) // 2, (preview.height() - small.height()) // 2
    preview_image = preview.grab().copy(offset_x, offset_y, small.width(), small.height())
    assert _measure_difference(small, preview_image) < 0.03


def _measure_difference(first_picture: QPixmap, second_picture: QPixmap) -> float:
    """Return the share of points that are light in one picture and dark in the other, at low resolution."""
    grey = QImage.Format.Format_Grayscale8
    smooth = Qt.TransformationMode.SmoothTransformation
    first, second = (
        picture.toImage().convertToFormat(grey).scaled(64, 36, mode=smooth)
        for picture in (first_picture, second_picture)
    )
    points = [(x, y) for x in range(64) for y in range(36)]
    differences = [
        abs(first.pixelColor(*point).lightness() - second.pixelColor(*point).lightness()) > 120 for point in points
    ]
    return sum(differences) / len(points)


def test_display_window_closes_with_tournament_and_window(
    page: ScreensPage, display_window: RoomWindow, window: Window
) -> None:
    window.session.open_tournament_of_desk(None)
    assert page.room_display.window is None
    window.session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    window.show_page("screens")
    window.get_action("room-window").trigger()
    new_window = RoomDisplay.get_or_make_service(window.session).window
    assert new_window is not None
    assert new_window.isVisible()
    window.close()
    assert RoomDisplay.get_or_make_service(window.session).window is None


def test_slide_show_updates_at_once(page: ScreensPage, display_window: RoomWindow) -> None:
    session = page.session
    press(page, "1", RIGHT_KEY)
    assert get_slide_show(page).page_number_and_count == (2, 2)
    game = session.index.games(session.index.list_published_rounds(A)[-1].id)[0]
    seen = ResultBeforeChange(session.index.get_result(game.id))
    session.do(partial(commands.enter_result, game=game.id, first=555, second=111, seen=seen))
    assert get_slide_show(page).page_number_and_count == (2, 2), "the slide show left its page"
    press(page, LEFT_KEY)
    assert "555 – 111" in display_window.canvas.accessibleDescription()


@pytest.mark.slow
def test_slide_show_keeps_its_page_in_another_language(
    page: ScreensPage, display_window: RoomWindow, window: Window
) -> None:
    press(page, "3", RIGHT_KEY)
    english = get_slide_show(page).current_slide
    window.get_action("language-nl").trigger()
    assert RoomDisplay.get_or_make_service(window.session).window is display_window
    assert display_window.isVisible()
    assert SlideShow.get_or_make_service(window.session).current_slide.key == english.key
    assert SlideShow.get_or_make_service(window.session).current_slide.title != english.title
    assert isinstance(window.page, ScreensPage)


@pytest.mark.slow
def test_slide_show_makes_no_slides_without_viewers(page: ScreensPage, window: Window) -> None:
    press(page, "3")
    window.show_page("rounds")
    slides = get_slide_show(page)._slides
    session = page.session
    session.do(partial(commands.hold_standings, division=A, after=0))
    assert get_slide_show(page)._slides is slides
    assert not get_slide_show(page)._timer.isActive()
    window.show_page("screens")
    assert get_slide_show(page)._slides is not slides
    assert get_slide_show(page)._timer.isActive()


def test_slide_show_drops_slides_of_a_closed_tournament(
    appearance: Appearance, settings: QSettings, qtbot: QtBot
) -> None:
    session = make_session("en", appearance, settings)
    session.work = SessionWorker()
    session.open_tournament_of_desk(make_desk(make_event_of_forty()))
    show = SlideShow.get_or_make_service(session)
    show.increment_visible_canvas_count()
    session.open_tournament_of_desk(None)
    session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    qtbot.waitUntil(lambda: show.current_slide.title == "Open Leiden 2026")
    session.close()
    session.work.close()
    assert isinstance(show.current_slide.body, SentenceSlide)


@pytest.mark.slow
def test_past_window_keeps_the_display_window_open(
    page: ScreensPage, display_window: RoomWindow, window: Window, qtbot: QtBot
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
    assert not past.get_action("room-window").isEnabled()
    past.close()
    assert display_window.isVisible()


# --- movement


@pytest.mark.parametrize("reduced_motion", [True, False])
def test_canvas_fades_only_if_the_system_allows_it(
    page: ScreensPage, monkeypatch: pytest.MonkeyPatch, window: Window, reduced_motion: bool, qtbot: QtBot
) -> None:
    monkeypatch.setattr(room_window, "has_user_disabled_animations", lambda: reduced_motion)
    display_window = page.room_display.open_window(window)
    display_window.canvas.grab()
    press(page, "3", RIGHT_KEY)
    assert (display_window.canvas._faded_picture is None) is reduced_motion
    qtbot.waitUntil(lambda: display_window.canvas._faded_picture is None)
    page.room_display.close_window()


@pytest.mark.slow
def test_canvas_fade_can_be_turned_off(page: ScreensPage, display_window: RoomWindow) -> None:
    get_slide_show(page).reduced = False
    display_window.canvas.grab()
    press(page, "3")
    assert is_fading(display_window)
    display_window.canvas._remove_faded_slide()
    page._calm_box.click()
    assert page.session.settings.value(CALM_KEY, type=bool)
    press(page, "1")
    assert not is_fading(display_window)
    seconds = (get_slide_show(page).scene.remaining_share or 0) * get_slide_show(page).programme.seconds
    assert seconds == pytest.approx(round(seconds)), "the bar shows a part of a second"


def test_prefers_reduced_motion_asks_the_system(qapp: QApplication) -> None:
    assert room_window.has_user_disabled_animations() in {True, False}


# --- the announcement


def test_announcement_covers_the_slides_until_removed(
    page: ScreensPage, display_window: RoomWindow, window: Window, qtbot: QtBot
) -> None:
    activate_window(window, qtbot)
    press(page, "3", "a")
    assert QApplication.focusWidget() is page.announcement
    press(page, "Lunch until 13:30", ENTER_KEY)
    assert display_window.canvas.accessibleDescription() == "Lunch until 13:30"
    assert get_slide_show(page).scene.remaining_share is None
    QApplication.processEvents()
    assert page.canvas.hasFocus(), "the canvas has no focus"
    press(page, "1")
    assert get_slide_show(page).message, "another view removed the announcement"
    press(page, ESCAPE_KEY)
    assert get_slide_show(page).message == ""
    assert "Lunch" not in display_window.canvas.accessibleDescription()
    assert page.announcement.text() == "Lunch until 13:30", "the field lost its text"


@pytest.mark.slow
def test_announcement_is_removed_by_esc_in_field_and_display_window(
    page: ScreensPage, display_window: RoomWindow
) -> None:
    for remove_announcement in (
        partial(press, page, ESCAPE_KEY),
        partial(QTest.keyClick, display_window, ESCAPE_KEY),
    ):
        page.announcement.setFocus()
        page.announcement.setText("Round 3 at 14:00")
        QTest.keyClick(page.announcement, ENTER_KEY)
        assert get_slide_show(page).message
        remove_announcement()
        assert not get_slide_show(page).message
        assert display_window.isVisible()


@pytest.mark.slow
def test_announcement_field_keeps_its_text_after_esc(page: ScreensPage) -> None:
    press(page, "6", "a")
    press(page, "Well done", ESCAPE_KEY)
    assert page.canvas.hasFocus()
    assert page.announcement.text() == "Well done"
    assert read_announced_rank(page) == ""
    press(page, SPACE_KEY)
    assert read_announced_rank(page) == "10"


def test_screens_page_ignores_view_keys_in_a_field(page: ScreensPage) -> None:
    press(page, "3")
    page.announcement.setFocus()
    press(page, "12 b c p 6")
    assert get_slide_show(page).current_slide.view is DisplayView.STANDINGS
    assert get_slide_show(page).programme.black
    assert not get_slide_show(page).clock.clock.is_running


# --- the prize-giving


def test_ceremony_shows_one_announcement_after_another(page: ScreensPage, display_window: RoomWindow) -> None:
    press(page, "6")
    assert read_announced_rank(page) == ""
    assert get_slide_show(page).scene.remaining_share is None
    announced_ranks = []
    for key in (SPACE_KEY, ENTER_KEY, RIGHT_KEY):
        press(page, key)
        announced_ranks.append(read_announced_rank(page))
    assert announced_ranks == ["10", "9", "8"]
    press(page, LEFT_KEY)
    assert read_announced_rank(page) == "9"
    press(page, "6")
    assert read_announced_rank(page) == "9", "a second keystroke restarted the ceremony"
    press(page, *[SPACE_KEY] * 20)
    assert read_announced_rank(page) == "1", "the ceremony does not end with rank 1"
    press(page, HOME_KEY)
    assert read_announced_rank(page) == ""


def test_ceremony_restarts_with_chosen_content(page: ScreensPage) -> None:
    show = get_slide_show(page)
    press(page, "6", SPACE_KEY)
    page.view_options.category.choose_value("B")
    assert isinstance(show.current_slide.body, SentenceSlide)
    assert "Category B" in show.current_slide.note
    page.view_options.places.setFocus()
    page.view_options.places.selectAll()
    press(page, "2", ENTER_KEY)
    assert show.page_number_and_count == (1, 3)
    page.view_options.grouping.choose_value(AnnouncementGrouping.PRIZES)
    assert show.current_slide.body == SentenceSlide("There are no prizes.")


@pytest.mark.slow
def test_ceremony_ignores_enter_in_other_fields(page: ScreensPage) -> None:
    press(page, "6", SPACE_KEY)
    page.announcement.setFocus()
    press(page, "Well done", Qt.Key.Key_PageDown, ENTER_KEY)
    QApplication.processEvents()
    assert QApplication.focusWidget() is page.canvas
    assert read_announced_rank(page) == "10"
    page._calm_box.setFocus()
    assert QApplication.focusWidget() is page._calm_box
    press(page, ENTER_KEY)
    assert read_announced_rank(page) == "10"


@pytest.mark.slow
def test_ceremony_ends_when_another_view_is_chosen(page: ScreensPage) -> None:
    press(page, "6", SPACE_KEY, "3")
    assert get_slide_show(page).current_slide.view is DisplayView.STANDINGS
    press(page, "6")
    assert isinstance(get_slide_show(page).current_slide.body, SentenceSlide)


# --- public data


def test_public_panel_holds_standings_and_chooses_names(page: ScreensPage, window: Window) -> None:
    press(page, "3")
    window.get_action("public").trigger()
    panel = window.panel
    assert isinstance(panel, PublicDataPanel)
    panel.hidden_round_fields[A].choose_value(1)
    assert page.session.tournament.divisions[A].held_after == 1
    assert get_slide_show(page).current_slide.title == "Standings after round 1"
    panel.names.choose_value(PublicNameFormat.NUMBER)
    assert page.session.tournament.event.names_shown is PublicNameFormat.NUMBER
    assert "#1" in page.canvas.accessibleDescription()
    panel.details.setFocus()
    press(page, SPACE_KEY)
    assert page.session.tournament.event.details_shown is panel.details.isChecked()
    panel.hidden_round_fields[A].choose_value(-1)
    assert page.session.tournament.divisions[A].held_after is None


@pytest.mark.slow
def test_public_panel_closes_when_divisions_change(page: ScreensPage, window: Window) -> None:
    window.get_action("public").trigger()
    page.session.do(partial(commands.add_division, key="d2", code="B"))
    assert window.panel is None


# --- stored, empty, read-only, accessible


def test_slide_show_stores_the_programme_but_not_the_ceremony(
    page: ScreensPage, appearance: Appearance, settings: QSettings
) -> None:
    show = get_slide_show(page)
    press(page, "3", "b")
    page.view_options.seconds.setText("15")
    page.view_options.seconds.setFocus()
    press(page, ENTER_KEY)
    next_session = make_session("en", appearance, settings)
    next_session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    assert SlideShow.get_or_make_service(next_session).programme == show.programme
    page.setFocus()
    press(page, "6")
    next_session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    assert SlideShow.get_or_make_service(next_session).programme.view is None
    other_event = commands.new_tournament(key="other", name="Another", ruleset=page.session.tournament.ruleset)
    next_session.open_tournament_of_desk(make_desk(other_event))
    assert SlideShow.get_or_make_service(next_session).programme == DisplayProgramme()
    next_session.close()


@pytest.mark.parametrize("stored_text", ["", "[1]", '{"view": "moon"}', '{"view": "tables", "in_turn": 7}', "7"])
def test_slide_show_uses_the_default_for_an_unreadable_programme(session: Session, stored_text: str) -> None:
    session.settings.setValue(f"tournaments/{session.tournament.event.id}/screens", stored_text)
    session.opened.emit()
    assert SlideShow.get_or_make_service(session).programme == DisplayProgramme()


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", LANGUAGES, indirect=True)
def test_slide_show_shows_every_view_of_an_empty_tournament(session: Session, qtbot: QtBot) -> None:
    window = show_window(session, qtbot, "screens")
    page = window.page
    assert isinstance(page, ScreensPage)
    for key in "1234560":
        QTest.keyClicks(page.canvas, key)
        assert page.canvas.accessibleDescription()
        assert _has_contrast(page.canvas.grab())


def _has_contrast(picture: QPixmap) -> bool:
    image = picture.toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    row = range(6, image.width() - 6, 2)
    lightness_values = {image.pixelColor(x, y).lightness() for y in range(6, image.height() - 6, 3) for x in row}
    return max(lightness_values) - min(lightness_values) > 150


def test_slide_show_works_for_a_read_only_file(empty_session: Session, qtbot: QtBot) -> None:
    desk = make_desk(make_tournament(players=8))
    empty_session.open_tournament_of_desk(type(desk)(Store.create_in_memory(desk.tournament, read_only=True)))
    window = show_window(empty_session, qtbot, "screens")
    assert window.get_action("room-window").isEnabled()
    window.get_action("public").trigger()
    panel = window.panel
    assert isinstance(panel, PublicDataPanel)
    assert not panel.names.isEnabled()


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", LANGUAGES, indirect=True)
def test_screens_page_controls_have_names(event_session: Session, qtbot: QtBot) -> None:
    window = show_window(event_session, qtbot, "screens")
    page = window.page
    assert isinstance(page, ScreensPage)
    text_fields: tuple[QWidget, ...] = (
        page.announcement,
        page.view_options.seconds,
        page.clock.extra_field,
        page.clock.length_field,
    )
    choice_fields: tuple[QWidget, ...] = (
        page.view_options.division,
        page.view_options.background,
        *page.views.rotation_boxes.values(),
        *page.views.buttons.values(),
    )
    for widget in (page.canvas, *text_fields, *choice_fields):
        assert widget.accessibleName(), widget


@pytest.mark.slow
def test_display_window_leaves_full_screen_without_its_display(
    page: ScreensPage, display_window: RoomWindow
) -> None:
    QTest.keyClick(display_window, Qt.Key.Key_F11)
    assert display_window.isFullScreen()
    page.room_display._leave_full_screen_on_last_display(display_window.screen())
    assert not display_window.isFullScreen()
    assert display_window.isVisible()


@pytest.mark.slow
def test_screens_page_tab_visits_all_controls(page: ScreensPage) -> None:
    visited = set()
    for _ in range(60):
        focused = QApplication.focusWidget()
        assert focused is not None
        visited.add(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    assert {
        page.canvas,
        page.announcement,
        page.clock.toggle_button,
        page.clock.extra_field,
        page.view_options.seconds,
    } <= visited
    assert {*page.views.buttons.values()} <= visited


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["de", "nl"], indirect=True)
def test_screens_page_note_fits_a_small_screen(event_session: Session, qtbot: QtBot) -> None:
    window = show_window(event_session, qtbot)
    window.resize(1280, 720)
    for page_id in ("screens", "history"):
        window.show_page(page_id)
        QApplication.processEvents()
        note = window.page.subtitle
        assert note.text() == note.accessibleName() != "", page_id
