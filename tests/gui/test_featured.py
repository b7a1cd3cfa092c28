"""Tests of the featured table: its panel, the delayed slides and web pages, and a game typed on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from tdapp.domain import commands
from tdapp.domain.featured_game import TypedTurn, WordValidityAudience, enter_turn
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import judge_sheet
from tdapp.domain.model import ResultState
from tdapp.exchange.presets import read_tileset
from tdapp.exchange.sheet_files import read_gcg
from tdapp.gui.jury.page import JuryPage
from tdapp.gui.screens.panels import FeaturedTablePanel, OverlayPanel
from tdapp.gui.screens.slideshow import SlideShow
from tdapp.gui.shell.jury_member import AUTHOR, AUTHOR_DAY, format_today_and_tournament_id
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.i18n.slides import DisplayView, FeaturedSlide, describe_slide
from tdapp.pairing import propose_pairings
from tdapp.scrabble import turn_line
from tdapp.scrabble.gcg_check import split_gcg_game_into_sheet_and_events
from tdapp.scrabble.sheet import GameEnding, Sheet, Turn, TurnKind
from tdapp.services.featured_service import FeaturedTableService
from tdapp.services.worker import ignore_values
from tests.data_events import find_data_folder
from tests.gui.samples import RESOURCES, A, make_desk, make_tournament
from tests.gui.windows import get_page, show_window
from tests.web.browser import click_element, needs_chromium, open_chromium, read_text, set_offline
from tests.web.running_server import fetch_page
from tests.web.test_featured import make_wait, send_turn

TILES = read_tileset(RESOURCES / "tilesets" / "en.toml")


class ManualClock:
    """A clock that the test advances."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 12, tzinfo=UTC)

    def __call__(self) -> str:
        return self.now.isoformat(timespec="seconds")

    def advance(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def playing_session(empty_session: Session) -> Session:
    """Return a session with a round of two tables."""
    value = make_tournament(players=4)
    value = commands.pair_round(value, key="r", proposal=propose_pairings(TournamentIndex(value), A))
    empty_session.open_tournament_of_desk(make_desk(value))
    return empty_session


@pytest.fixture
def window(playing_session: Session, qtbot: QtBot) -> Iterator[Window]:
    """Return a window with a running web server."""
    new_window = show_window(playing_session, qtbot, "screens")
    playing_session.serving.start_server("127.0.0.1", 0)
    yield new_window
    playing_session.serving.stop_server()


def open_featured_panel(window: Window, action: str = "featured") -> FeaturedTablePanel:
    window.show_page("screens")
    window.get_action(action).trigger()
    assert isinstance(window.panel, FeaturedTablePanel)
    return window.panel


def type_turn(session: Session, number: int, line: str) -> None:
    """Enter a turn of the featured game, like its phone."""
    featured = session.featuring.featured
    assert featured is not None
    game = session.tournament.games[featured.game]
    player = (game.first, game.second)[1 - number % 2]
    turn = turn_line.parse_turn_line(line, player=1)
    command = partial(enter_turn, game=game.id, number=number, typed_turn=TypedTurn(player, turn), tileset=TILES)
    session.desk.do(command, label="enter-sheet")


def set_featured_table(panel: FeaturedTablePanel, *, table: int = 1, delay: int = 0) -> None:
    """Type a delay in minutes and a table, and press Enter."""
    for field, number in ((panel.delay, delay), (panel.table, table)):
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, str(number))
    QTest.keyClick(panel.table, Qt.Key.Key_Return)


def test_featured_panel_features_a_table_with_a_code(window: Window) -> None:
    session, panel = window.session, open_featured_panel(window)
    assert (panel.state.text(), panel.address.text()) == ("", "")
    set_featured_table(panel, delay=5)
    choice = session.featuring.choice
    assert (choice.table, choice.delay, len(choice.code)) == (1, 5, 8)
    url = session.serving.url
    code = f"{choice.code[:4]}-{choice.code[4:]}"
    assert panel.address.text() == (
        f"To type in the game at the featured table, open {url}featured and use the code {code}."
    )
    assert panel.state.text() == "Nothing has been typed yet."
    type_turn(session, 1, "8D QUIZ")
    assert panel.state.text() == "One turn has been typed"
    panel.words.choose_value(WordValidityAudience.NOBODY)
    assert session.featuring.choice.words is WordValidityAudience.NOBODY
    assert session.featuring.choice.code == choice.code, "the phone keeps its access"
    set_featured_table(panel, table=2)
    assert session.featuring.choice.code != choice.code, "another table needs another code"
    panel.switch_button.click()
    assert session.featuring.choice.table == 0
    assert session.featuring.featured is None
    set_featured_table(panel, table=9)
    assert panel.state.text() == "There is no two-player game at this table at the moment."


def test_featured_panel_assigns_an_overlay_slot(window: Window, qtbot: QtBot) -> None:
    session = window.session
    set_featured_table(open_featured_panel(window))
    type_turn(session, 1, "8D QUIZ")
    window.get_action("overlays").trigger()
    panel = window.panel
    assert isinstance(panel, OverlayPanel)
    panel.featured[1].click()
    assert session.serving.table_numbers_of_overlays == (0, -1, 0, 0)
    assert not panel.slots[1].isEnabled()
    overlay_url = f"{session.serving.url}overlay/slot/2"
    qtbot.waitUntil(lambda: "QUIZ" in fetch_page(overlay_url).text)
    panel.featured[1].click()
    assert session.serving.table_numbers_of_overlays == (0, 0, 0, 0)


def test_featured_slide_appears_after_the_delay(window: Window) -> None:
    session, clock = window.session, ManualClock()
    session.featuring.clock = clock
    set_featured_table(open_featured_panel(window), delay=10)
    slide_show = SlideShow.get_or_make_service(session)
    slide_show.show_view(DisplayView.FEATURED)
    assert not isinstance(slide_show.current_slide.body, FeaturedSlide)
    type_turn(session, 1, "8D QUIZ")
    assert not isinstance(slide_show.current_slide.body, FeaturedSlide)
    assert session._publish_timer.isActive()
    clock.advance(minutes=10)
    session.featuring.publish_due_game_states()
    assert not isinstance(slide_show.current_slide.body, FeaturedSlide), "the delay is rounded up to a full second"
    clock.advance(seconds=1)
    session.featuring.publish_due_game_states()
    body = slide_show.current_slide.body
    assert isinstance(body, FeaturedSlide)
    assert body.last_turn.endswith(": 8D QUIZ 32")
    assert not session._publish_timer.isActive() or session._publish_timer.remainingTime() > 0
    session.featuring.choose_featured_table(0, delay=0, words=WordValidityAudience.NOBODY)
    assert not isinstance(slide_show.current_slide.body, FeaturedSlide)


def test_featured_delay_continues_after_a_crash(window: Window) -> None:
    """The journal restores the game with the times of its turns."""
    session, clock = window.session, ManualClock()
    session.featuring.clock = session.desk._clock = clock
    set_featured_table(open_featured_panel(window), delay=10)
    type_turn(session, 1, "8D QUIZ")
    clock.advance(minutes=6)
    type_turn(session, 2, "-2")
    clock.advance(minutes=6)
    restored = FeaturedTableService(session, on_change=ignore_values, clock=clock)
    restored.load_featured_settings_and_follow_game()
    featured, public_sheet = restored.featured, restored.newest_public_states[0].sheet
    assert featured is not None
    assert restored.choice == session.featuring.choice
    assert public_sheet is not None
    assert [turn.kind for turn in public_sheet.turns] == [TurnKind.PLAY]
    assert featured.compute_seconds_to_next_public_state(clock()) == 4 * 60 + 1


@pytest.mark.slow
def test_featured_game_stays_delayed_after_the_next_round_is_published(window: Window) -> None:
    """Viewers see the delayed game to its end, even after a crash. Then the next game follows."""
    session, clock = window.session, ManualClock()
    session.featuring.clock = session.desk._clock = clock
    set_featured_table(open_featured_panel(window), delay=10)
    type_turn(session, 1, "8D QUIZ")
    earlier_game = session.featuring.featured
    assert earlier_game is not None
    clock.advance(minutes=6)
    for game in session.tournament.games.values():
        session.do(partial(commands.enter_result, game=game.id, first=444, second=333))
    clock.advance(minutes=2)
    session.do(partial(commands.pair_round, key="r2", proposal=propose_pairings(session.index, A)))
    featured = session.featuring.featured
    assert featured is not None
    assert featured.game != earlier_game.game, "the phone types the game of the new round"
    restored = FeaturedTableService(session, on_change=ignore_values, clock=clock)
    restored.load_featured_settings_and_follow_game()
    for minutes, turns, is_finished in ((0, None, False), (3, 1, False), (6, 1, True), (2, None, True)):
        clock.advance(minutes=minutes)
        for service in (session.featuring, restored):
            sheet = service.newest_public_states[0].sheet
            assert (sheet and len(sheet.turns), earlier_game.game in service.make_public_tournament().results) == (
                turns,
                is_finished,
            )
    assert session.featuring.newest_public_states[0].game == restored.newest_public_states[0].game == featured.game


def test_featured_result_is_delayed_on_slides_and_web_pages(window: Window, tmp_path: Path) -> None:
    session, clock = window.session, ManualClock()
    session.featuring.clock = clock
    set_featured_table(open_featured_panel(window), delay=10)
    session.publishing.set_target_folder("first", tmp_path / "www")
    slide_show, page = SlideShow.get_or_make_service(session), tmp_path / "www" / "a-round-1.html"
    slide_show.show_view(DisplayView.TABLES)
    featured = session.featuring.featured
    assert featured is not None
    (other_game,) = [game for game in session.tournament.games.values() if game.id != featured.game]
    session.do(partial(commands.enter_result, game=other_game.id, first=444, second=333))
    session.do(partial(commands.enter_result, game=featured.game, first=555, second=222))

    def list_public_scores() -> tuple[bool, ...]:
        texts = (page.read_text(encoding="utf-8"), describe_slide(slide_show.current_slide))
        return tuple(score in text for score in ("444 – 333", "555 – 222") for text in texts)

    assert list_public_scores() == (True, True, False, False), "the featured result is delayed"
    clock.advance(minutes=10, seconds=1)
    session.featuring.publish_due_game_states()
    assert list_public_scores() == (True, True, True, True)


# --- complete game on a phone

SHORT_GAME = Sheet(
    ("A", "B"),
    (
        Turn(1, TurnKind.PLAY, at="8E", word="QUIZ"),
        Turn(2, TurnKind.EXCHANGE, tiles=3),
        Turn(1, TurnKind.PLAY, at="7G", word="AXE", rack="AXEEINR"),
    ),
    racks=("EIN", "AAB"),
    ended=GameEnding.TIME,
)


def read_long_game() -> Sheet:
    file = find_data_folder() / "gcg" / "ok" / "jvc56__MAGPIE-DATA__utf8_dos.gcg"
    sheet, _ = split_gcg_game_into_sheet_and_events(read_gcg(file.read_bytes(), file.name)[0], TILES)
    return sheet


@needs_chromium
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", [lambda: SHORT_GAME, read_long_game], ids=["short", "long"])
def test_featured_game_typed_on_a_phone_becomes_a_certified_result(
    game: Callable[[], Sheet], window: Window, qtbot: QtBot
) -> None:
    sheet, session = game(), window.session
    set_featured_table(open_featured_panel(window))
    featured, url = session.featuring.featured, session.serving.url
    assert featured is not None
    lines = [turn_line.format_turn_line(turn) for turn in sheet.turns]
    with ThreadPoolExecutor(1) as phone:
        future = phone.submit(_type_game_on_phone, f"{url}featured?code={featured.code}", lines, sheet)
        qtbot.waitUntil(future.done, timeout=300_000)
        assert future.result() == []
    result = session.tournament.results[featured.game]
    judged_sheet = judge_sheet(
        sheet, session.tournament.get_ruleset_of_row(session.tournament.games[featured.game]), TILES
    )
    assert (result.first, result.second) == judged_sheet.scores
    stored = session.index.sheets(featured.game)[0].sheet
    assert [turn_line.format_turn_line(turn) for turn in stored.turns] == lines
    steps = session.desk.list_all_steps()
    assert [step.station for step in steps].count("featured") == len(lines) + 1, (
        "one step for each turn, and one for the end"
    )
    for setting, setting_value in ((AUTHOR, "J. Ury"), (AUTHOR_DAY, format_today_and_tournament_id(session))):
        session.settings.setValue(setting, setting_value)
    window.show_page("jury", featured.game)
    page = get_page(window, JuryPage)
    assert [entry.text for entry in page.sheet.draft.entries] == lines, "the Jury page shows the typed turns"
    window.get_action("certify-sheet").trigger()
    if session.tournament.results[featured.game].state is not ResultState.FINAL:
        window.get_action("certify-sheet").trigger()  # the first time shows the mistakes
    assert session.tournament.results[featured.game].state is ResultState.FINAL
    qtbot.waitUntil(lambda: str(judged_sheet.scores[0]) in fetch_page(f"{url}overlay/score").text)


def _type_game_on_phone(address: str, lines: list[str], sheet: Sheet) -> list[str]:
    """Type a game on a phone that is offline for three turns. Return the unsent turns."""
    with open_chromium((360, 740)) as browser:
        browser.get(address)
        wait = make_wait(browser)
        for number, line in enumerate(lines):
            if number == len(lines) // 2:
                set_offline(browser, offline=True)
            if number == len(lines) // 2 + 3 or number == len(lines) - 1:
                set_offline(browser, offline=False)
            send_turn(browser, line)
        wait.until(partial(_has_sent_lines, len(lines)))
        click_element(browser, By.CSS_SELECTOR, "#game-end summary")
        wait.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "#game-end[data-filled]"))
        Select(browser.find_element(By.ID, "ended")).select_by_value(str(sheet.ended))
        for number, rack in enumerate(sheet.racks or (), 1):
            field = browser.find_element(By.ID, f"rack{number}")
            field.clear()
            field.send_keys(rack)
        click_element(browser, By.CSS_SELECTOR, "#game-end button")
        wait.until(lambda driver: "the jury will check this sheet" in read_text(driver, By.ID, "main"))
        return [element.text for element in browser.find_elements(By.CSS_SELECTOR, "#waiting li")]


def _has_sent_lines(count: int, browser: Chrome) -> bool:
    return len(browser.find_elements(By.CSS_SELECTOR, ".lines li")) == count
