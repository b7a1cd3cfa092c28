"""Tests of the featured table: its typing page, its score sheet, and its overlays with a delay."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import httpx
import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from tdapp.domain import commands
from tdapp.domain.featured_game import (
    FEATURED_SLOT,
    FeaturedGameHistory,
    WordValidityAudience,
    find_sheet_with_form_number_1,
    make_time_stamped_game_state,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.round_clock import RoundClock
from tdapp.domain.tournament import Diff
from tdapp.exchange import tourney_js
from tdapp.pairing import propose_pairings
from tdapp.scrabble import turn_line
from tdapp.scrabble.wordlist import WordListEdition, WordVerdict
from tdapp.web.overlays import OVERLAYS
from tests.building import DIVISION
from tests.web.browser import (
    click_element,
    needs_chromium,
    open_chromium,
    read_browser_errors,
    read_text,
    set_offline,
    type_into,
)
from tests.web.page_checks import iterate_elements, parse_page, read_element_text, read_notice
from tests.web.running_server import RunningServer, make_unfinished_tournament, run_server

CODE = "BCDFGHJK"


@dataclass
class ManualClock:
    """A clock that only the test advances."""

    now: datetime = datetime(2026, 11, 21, 12, tzinfo=UTC)

    def __call__(self) -> str:
        return self.now.isoformat(timespec="seconds")

    def advance(self, **time: float) -> None:
        self.now += timedelta(**time)


@dataclass
class Typist:
    """The typist of a featured table, with a server, a phone and a public reader."""

    server: RunningServer
    clock: ManualClock
    featured: FeaturedGameHistory
    phone: httpx.Client = field(init=False)
    reader: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.phone, self.reader = self.server.make_phone(), self.server.make_client()
        self.server.desk.add_listener(self.send_game_state)
        self.send_game_state(())

    def send_game_state(self, _diff: Diff) -> None:
        """Send the state of the game to the server, like the service."""
        self.featured = self.featured.add_state_and_drop_expired(
            make_time_stamped_game_state(self.server.tournament, self.featured.game, self.clock())
        )
        self.server.web_server.set_featured_game(self.featured)

    def enter_line(self, number: int, line: str, **fields: str) -> httpx.Response:
        game = self.server.tournament.games[self.featured.game]
        player = (game.first, game.second)[1 - number % 2]
        data = {"code": CODE, "number": str(number), "player": player, "line": line, "old": "", **fields}
        return self.phone.post("featured", data=data, follow_redirects=True)

    def end_game(self, **fields: str) -> httpx.Response:
        return self.phone.post("featured", data={"code": CODE, **fields}, follow_redirects=True)

    def start_next_round(self) -> None:
        """Enter all results, pair the next round, and feature the next game of table 1."""
        rows = self.server.tournament
        for game in TournamentIndex(rows).games(rows.games[self.featured.game].round):
            self.server.run_command(partial(commands.enter_result, game=game.id, first=401, second=399, seen=None))
        self.server.run_command(
            partial(
                commands.pair_round,
                key="next",
                proposal=propose_pairings(TournamentIndex(self.server.tournament), DIVISION),
            )
        )
        self.featured = FeaturedGameHistory(self.server.get_game(1).id, CODE, previous=self.featured)
        self.send_game_state(())

    def list_sheet_lines(self) -> list[str]:
        form = find_sheet_with_form_number_1(self.server.tournament, self.featured.game)
        return [turn_line.format_turn_line(turn) for turn in form.sheet.turns] if form else []

    def read_overlay(self, kind: str) -> str:
        (main,) = iterate_elements(parse_page(self.reader.get(f"overlay/{kind}").content), "main")
        return " ".join(read_element_text(main).split())


@contextmanager
def run_typist(
    *, delay: int = 0, words: WordValidityAudience = WordValidityAudience.NOBODY, **options: Any
) -> Iterator[Typist]:
    clock = ManualClock()
    with run_server(make_unfinished_tournament(4), clock=clock, **options) as server:
        yield Typist(server, clock, FeaturedGameHistory(server.get_game(1).id, CODE, delay, words))


def test_typing_page_writes_the_sheet_and_shows_it() -> None:
    with run_typist() as typist:
        assert typist.read_overlay("featured") == ""
        page = typist.enter_line(1, "8H TAART", rack="AARTTEN")
        assert page.status_code == 200
        assert typist.list_sheet_lines() == ["8H TAART @AARTTEN"]
        overlay = typist.read_overlay("featured")
        assert ": 8H TAART 20" in overlay
        assert "97 tiles unseen" in overlay
        step = typist.server.desk.list_all_steps()[-1]
        assert (step.station, step.label) == ("featured", "enter-sheet")
        assert all(typist.read_overlay(kind) for kind, overlay in OVERLAYS.items() if overlay.shows_featured_table)
        typist.server.web_server.set_overlays({3: FEATURED_SLOT}, None)
        assert typist.read_overlay("slot/3") == overlay
        typist.server.web_server.set_featured_game(None)
        assert typist.read_overlay("slot/3") == ""


def test_typing_page_enters_a_repeated_line_once() -> None:
    with run_typist() as typist:
        for _ in range(3):
            assert typist.enter_line(1, "8h taart").status_code == 200
        assert typist.enter_line(2, "-3").status_code == 200
        assert typist.enter_line(1, "8h taart").status_code == 200
        assert typist.list_sheet_lines() == ["8H TAART", "-3"]
        assert [step.label for step in typist.server.desk.list_all_steps()].count("enter-sheet") == 2


@pytest.mark.parametrize(
    ("number", "line", "message"),
    [
        (1, "8H TAAR7", "TAAR7"),
        (1, "8H", "8H"),
        (3, "-", "has changed in the meantime"),
        (1, "", "has changed in the meantime"),
        (1, "8H TAART 99999", "99999"),
    ],
)
def test_typing_page_explains_a_refused_line(number: int, line: str, message: str) -> None:
    with run_typist() as typist:
        page = typist.enter_line(number, line, old="-" if not line else "")
        if not line:
            assert page.status_code == 200, "the server removed a line that does not exist"
        else:
            assert page.status_code == 422
            assert message in read_notice(page)
        assert typist.list_sheet_lines() == []


def test_typing_page_saves_late_lines_in_their_game() -> None:
    with run_typist() as typist:
        previous_game = typist.featured.game
        typist.enter_line(1, "8H TAART", game=previous_game)
        typist.start_next_round()
        assert (
            typist.enter_line(
                2, "-3", game=previous_game, player=typist.server.tournament.games[previous_game].second
            ).status_code
            == 200
        )
        assert typist.list_sheet_lines() == [], "the late line changed the current game"
        form = find_sheet_with_form_number_1(typist.server.tournament, previous_game)
        assert form is not None
        assert [turn_line.format_turn_line(turn) for turn in form.sheet.turns] == ["8H TAART", "-3"]
        assert typist.enter_line(1, "8H KAART", game=typist.featured.game).status_code == 200
        assert typist.list_sheet_lines() == ["8H KAART"]
        answer = typist.enter_line(2, "-3", game="another")
        assert answer.status_code == 422
        assert "now has a different game" in read_notice(answer)


def test_typing_page_needs_the_code_and_limits_wrong_codes() -> None:
    with run_typist() as typist:
        client = typist.server.make_phone()
        assert client.get("featured").status_code == 200
        page = client.get("featured", params={"code": "23456789"})
        assert page.status_code == 403
        assert "not the featured table’s code" in read_notice(page)
        assert client.get("featured", params={"code": f"{CODE[:4].lower()}-{CODE[4:]}"}).status_code == 200
        answers = [
            client.post("featured", data={"code": "23456789", "number": "1"}).status_code for _ in range(12)
        ]
        assert answers[-1] == 429
        assert typist.list_sheet_lines() == []
        typist.server.web_server.set_featured_game(None)
        assert typist.server.make_phone().get("featured", params={"code": CODE}).status_code == 403, (
            "typing is not switched off"
        )


def test_event_stream_counts_a_wrong_code_once() -> None:
    with run_typist() as typist:
        game = typist.server.get_game(2).id
        with typist.phone.stream("GET", "live", params={"code": "23456789"}) as answer:
            versions = (line for line in answer.iter_lines() if line.startswith("data: "))
            for score in range(400, 412):
                assert next(versions)
                typist.server.run_command(
                    partial(commands.enter_result, game=game, first=score, second=300, seen=None)
                )
        answers = [typist.phone.get("version", params={"code": "23456789"}).status_code for _ in range(12)]
        assert answers == [200] * 9 + [429] * 3


@pytest.mark.parametrize("body", ["code=x&code=y", "other=1", "code=" + "x" * 200, "%ff"])
def test_typing_page_refuses_foreign_forms(body: str) -> None:
    with run_typist() as typist:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        assert typist.phone.post("featured", content=body, headers=headers).status_code in {400, 403}
        assert typist.phone.post("featured", json={"code": CODE}).status_code == 415


def test_typing_page_corrects_and_removes_lines() -> None:
    with run_typist() as typist:
        typist.enter_line(1, "8H TAART")
        page = typist.phone.get("featured", params={"code": CODE, "turn": "1"})
        fields = {
            element.attrib.get("name"): element.attrib.get("value")
            for element in iterate_elements(parse_page(page.content), "input")
        }
        assert (fields["number"], fields["old"], fields["line"]) == ("1", "8H TAART", "8H TAART")
        assert typist.enter_line(1, "8H KAART", old="8H TAART").status_code == 200
        assert typist.list_sheet_lines() == ["8H KAART"]
        assert typist.enter_line(1, "", old="8H KAART").status_code == 200
        assert typist.list_sheet_lines() == []


def test_typing_page_end_enters_the_result() -> None:
    with run_typist() as typist:
        for number, line in enumerate(("8H TAART", "-", "-"), 1):
            typist.enter_line(number, line)
        refusal = typist.end_game(ended="", whose="", rack1="", rack2="", overtime1="", overtime2="")
        assert refusal.status_code == 422
        assert "how the game ended" in read_notice(refusal)
        answer = typist.end_game(ended="time", whose="", rack1="e", rack2="A", overtime1="", overtime2="")
        assert "the jury will check this sheet" in read_notice(answer)
        result = typist.server.tournament.results[typist.featured.game]
        assert (result.first, result.second) == (19, -1)
        typist.server.run_command(partial(commands.certify_result, game=typist.featured.game))
        late_answer = typist.enter_line(1, "8H KAART", old="8H TAART")
        assert late_answer.status_code == 422, "the typist changed a certified result"


def test_featured_game_is_hidden_before_the_delay() -> None:
    with run_typist(delay=10) as typist:
        answer = typist.enter_line(1, "8H TAART")
        assert "TAART" in answer.text, "the typist does not see the new turn"
        old_version = typist.reader.get("version").text
        for minutes in (0, 9.9, 0.1):
            typist.clock.advance(minutes=minutes)
            assert (
                typist.read_overlay("featured")
                == typist.read_overlay("score")
                == typist.read_overlay("board")
                == ""
            )
        typist.clock.advance(seconds=1)
        assert typist.reader.get("version").text != old_version, "the version did not change"
        assert "TAART 20" in typist.read_overlay("featured")
        public = ("a-round.html", "tourney.js", "data.json", "overlay/table?table=1", "overlay/pairings")
        pages = [typist.reader.get(page).text for page in public]
        typist.enter_line(2, "-")
        typist.end_game(ended="time", rack1="E", rack2="A", whose="", overtime1="", overtime2="")
        assert typist.featured.game in typist.server.tournament.results
        assert [typist.reader.get(page).text for page in public] == pages
        typist.clock.advance(minutes=10, seconds=1)
        assert "19" in typist.read_overlay("table?table=1")
        assert "19" in typist.read_overlay("featured")
        after = [typist.reader.get(page).text for page in public]
        assert not any(old_page == new_page for old_page, new_page in zip(pages, after, strict=True))


def test_featured_game_notifies_the_public_after_the_delay() -> None:
    with run_typist(delay=10) as featured_table:
        public_versions, typist_versions = [], []

        def count_versions() -> tuple[int, int]:
            public_versions.append(featured_table.reader.get("version").text)
            typist_versions.append(featured_table.phone.get("version", params={"code": CODE}).text)
            return len(set(public_versions)), len(set(typist_versions))

        assert count_versions() == (1, 1)
        featured_table.enter_line(1, "8H TAART")
        assert count_versions() == (1, 2)
        featured_table.enter_line(2, "-")
        featured_table.end_game(ended="time", rack1="E", rack2="A", whose="", overtime1="", overtime2="")
        assert featured_table.featured.game in featured_table.server.tournament.results
        assert count_versions() == (1, 3)
        featured_table.server.run_command(
            partial(commands.enter_result, game=featured_table.server.get_game(2).id, first=401, second=399)
        )
        assert count_versions() == (2, 4)
        featured_table.clock.advance(minutes=10, seconds=1)
        assert count_versions()[0] == 3
        answers = [featured_table.server.make_phone().get("version", params={"code": "23456789"}).status_code]
        assert answers == [200], "a wrong code must get the public version"


def test_featured_game_is_in_the_feed_after_the_delay() -> None:
    with run_typist(delay=5) as typist:
        client = typist.server.make_client()
        feed = client.get("tourney.js").content
        typist.enter_line(1, "8H TAaRT", rack="AARTTEN")
        typist.enter_line(2, "-3")
        assert client.get("tourney.js").content == feed
        typist.clock.advance(minutes=5, seconds=1)
        new_feed = client.get("tourney.js").text
        assert tourney_js.read_tourney_js(new_feed.encode()) == tourney_js.read_tourney_js(feed), (
            "the new part of the feed breaks old readers"
        )
        feature = json.loads(new_feed[5:-2].replace("undefined", "null"))["featured"]
        assert (feature["division"], feature["round"], feature["table"], feature["turn"]) == ("A", 2, 1, 1)
        assert feature["board"][7][7:12] == ["T", "A", "a", "R", "T"]
        assert feature["last"] == {"player": 2, "kind": "exchange", "at": "", "word": "", "score": 0}
        assert (feature["scores"], sum(feature["unseen"].values())) == ([18, 0], 97)
        assert [row.count("") for row in feature["board"]].count(15) == 14
        names = [
            typist.server.tournament.players[player].name
            for player in (typist.server.get_game(1).first, typist.server.get_game(1).second)
        ]
        assert feature["names"] == names


class OneWordList:
    """A word list with one word."""

    edition = WordListEdition("few", "nl", "2026", "0")

    def judge_word(self, word: object) -> WordVerdict:
        return WordVerdict.VALID if str(word).upper() == "TAART" else WordVerdict.INVALID


@pytest.mark.parametrize("words", list(WordValidityAudience))
def test_featured_game_shows_word_verdicts_to_the_chosen_readers(words: WordValidityAudience) -> None:
    with run_typist(
        words=words, word_lists=lambda edition: nullcontext(OneWordList() if edition else None)
    ) as typist:
        typist.server.run_command(partial(commands.choose_wordlist, wordlist="few"))
        good = typist.enter_line(1, "8H TAART")
        assert ("Every word is in the word list." in good.text) is (words is not WordValidityAudience.NOBODY)
        bad = typist.enter_line(2, "9G XYZ 20")
        assert ("XYZ: " in bad.text) is (words is not WordValidityAudience.NOBODY)
        assert ("Not in the word list: " in typist.read_overlay("score")) is (
            words is WordValidityAudience.EVERYBODY
        )


def test_round_clock_contains_the_delay_of_the_featured_table() -> None:
    with run_typist(delay=5) as typist:
        client = typist.reader
        assert client.get("clock").json() == {"left": None, "runs": False}
        typist.server.web_server.set_round_clock(RoundClock(3600).start(1000.0), 1000.0 + 600)
        clock_state = client.get("clock").json()
        assert clock_state["runs"] is True
        assert 3600 - 600 + 300 - 60 < clock_state["left"] <= 3600 - 600 + 300
        typist.server.web_server.set_round_clock(RoundClock(3600), 1000.0)
        assert client.get("clock").json() == {"left": 3600, "runs": False}


# --- in a real browser


def make_wait(browser: Chrome) -> WebDriverWait[Chrome]:
    """Return a wait that ignores errors during a reload of the page."""
    return WebDriverWait(browser, 60, ignored_exceptions=(WebDriverException,))


def send_turn(browser: Chrome, line: str, *, rack: str = "") -> None:
    """Type a turn on a phone and enter it."""
    type_into(browser, By.ID, "line", line)
    type_into(browser, By.ID, "rack", rack + Keys.ENTER)


@needs_chromium
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_typing_page_keeps_turns_offline() -> None:
    turns = ("8H TAART 20", "9G X7 20", "9M DE 6", "-2", "-")
    with run_typist() as typist, open_chromium((360, 740)) as browser:
        wait = make_wait(browser)
        browser.get(f"{typist.server.url}featured?code={CODE}")
        assert browser.execute_script("return document.documentElement.scrollWidth") == 360
        send_turn(browser, turns[0], rack="AARTTEN")
        wait.until(lambda driver: "TAART" in read_text(driver, By.CSS_SELECTOR, ".lines"))
        assert browser.switch_to.active_element.get_attribute("id") == "line", (
            "the line field is not focused after a turn"
        )
        set_offline(browser, offline=True)
        for line in turns[1:4]:
            send_turn(browser, line)
        wait.until(lambda driver: len(driver.find_elements(By.CSS_SELECTOR, "#waiting li")) == 3)
        assert browser.find_element(By.ID, "kept").is_displayed()
        assert typist.list_sheet_lines() == ["8H TAART 20 @AARTTEN"]
        set_offline(browser, offline=False)
        wait.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "#waiting .refused"))
        read_browser_errors(browser)  # the console reports the missing network
        assert "X7" in read_text(browser, By.ID, "notice")
        click_element(browser, By.CSS_SELECTOR, "#waiting .refused button")
        field = browser.find_element(By.ID, "line")
        assert field.get_attribute("value") == turns[1]
        field.clear()
        send_turn(browser, "9G AX 20")
        wait.until(lambda driver: not driver.find_elements(By.CSS_SELECTOR, "#waiting li"))
        assert typist.list_sheet_lines() == ["8H TAART 20 @AARTTEN", "9G AX 20", "9M DE 6", "-2"]
        form = find_sheet_with_form_number_1(typist.server.tournament, typist.featured.game)
        assert form is not None
        assert [turn.player for turn in form.sheet.turns] == [1, 2, 1, 2]
        browser.refresh()
        send_turn(browser, turns[4])
        wait.until(lambda driver: len(typist.list_sheet_lines()) == 5)
        click_element(browser, By.CSS_SELECTOR, "#game-end summary")
        wait.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "#game-end[data-filled]"))
        Select(browser.find_element(By.ID, "ended")).select_by_value("time")
        type_into(browser, By.ID, "rack1", "EN")
        type_into(browser, By.ID, "rack2", "Q" + Keys.ENTER)
        wait.until(lambda driver: "the jury will check this sheet" in read_text(driver, By.ID, "main"))
        assert typist.server.tournament.results[typist.featured.game].first is not None
        assert [
            browser_error for browser_error in read_browser_errors(browser) if "422" not in browser_error
        ] == []


@needs_chromium
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_typing_page_keeps_lines_after_an_offline_reload() -> None:
    with run_typist() as typist, open_chromium((360, 740)) as browser:
        wait, address = make_wait(browser), f"{typist.server.url}featured?code={CODE}"
        browser.get(address)
        set_offline(browser, offline=True)
        send_turn(browser, "8H TAART 20", rack="AARTTEN")
        type_into(browser, By.ID, "line", "9G A")
        with suppress(WebDriverException):  # the browser reports a missing network
            browser.get(address)
        set_offline(browser, offline=False)
        browser.get(address)
        wait.until(lambda driver: "TAART" in read_text(driver, By.CSS_SELECTOR, ".lines"))
        assert typist.list_sheet_lines() == ["8H TAART 20 @AARTTEN"]
        field = browser.find_element(By.ID, "line")
        assert field.get_attribute("value") == "9G A"
        field.send_keys("X 20" + Keys.ENTER)
        wait.until(lambda driver: len(typist.list_sheet_lines()) == 2)
        assert typist.list_sheet_lines()[1] == "9G AX 20"
        assert browser.find_element(By.ID, "line").get_attribute("value") == ""
        before = typist.featured.game
        typist.start_next_round()
        game = typist.featured.game
        wait.until(lambda driver: driver.find_element(By.NAME, "game").get_attribute("value") == game != before)
        send_turn(browser, "8H KAART 20")
        wait.until(lambda driver: typist.list_sheet_lines() == ["8H KAART 20"])


# The server holds the answer to a line until the test releases it.
LATE_ANSWER = """
const fetched = window.fetch;
window.fetch = async (where, how) => {
  const answer = await fetched(where, how);
  if (how.method === "POST") await new Promise((done) => { window.release = done; });
  return answer;
};
"""


@needs_chromium
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_typing_page_ignores_a_late_answer() -> None:
    with run_typist() as typist, open_chromium((360, 740)) as browser:
        wait = make_wait(browser)
        browser.get(f"{typist.server.url}featured?code={CODE}")
        browser.execute_script(LATE_ANSWER)
        send_turn(browser, "8H TAART 20")
        wait.until(lambda driver: driver.execute_script("return 'release' in window"))
        before = typist.featured.game
        typist.start_next_round()
        game = typist.featured.game
        wait.until(lambda driver: driver.find_element(By.ID, "next").get_attribute("data-game") == game)
        assert browser.find_element(By.NAME, "game").get_attribute("value") == before
        browser.execute_script("window.release()")
        wait.until(lambda driver: driver.find_element(By.NAME, "game").get_attribute("value") == game)


@needs_chromium
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_overlays_of_the_featured_table_are_transparent() -> None:
    with run_typist() as typist, open_chromium((1920, 1080)) as browser:
        browser.get(f"{typist.server.url}overlay/featured?size=40")
        typist.enter_line(1, "8H TAART", rack="AARTTEN")
        typist.server.web_server.set_round_clock(RoundClock(3600).start(100.0), 400.0)
        WebDriverWait(browser, 60).until(lambda driver: "TAART" in read_text(driver, By.TAG_NAME, "main"))
        WebDriverWait(browser, 60).until(lambda driver: read_text(driver, By.ID, "clock").startswith("5"))
        squares = browser.find_elements(By.CSS_SELECTOR, ".board .tile.new")
        assert "".join(square.text[0] for square in squares) == "TAART"
        assert squares[0].size["width"] == 60
        box = browser.execute_script(
            "const box = document.querySelector('main').getBoundingClientRect(); return [box.right, box.bottom]"
        )
        assert box[0] <= 1920
        assert box[1] <= 1080
        script = (
            "return [document.documentElement, document.body].map((one) => getComputedStyle(one).backgroundColor)"
        )
        for kind in ("featured", "board", "score", "unseen", "clock"):
            browser.get(f"{typist.server.url}overlay/{kind}")
            assert browser.execute_script(script) == ["rgba(0, 0, 0, 0)"] * 2, kind
        assert read_browser_errors(browser) == []
