"""The desks in Chromium: typing, lost connections, and a round at a browser desk and at the window at once."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections import Counter
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.roles import Role
from tdapp.pairing import propose_pairings
from tests.building import DIVISION
from tests.gui.samples import A, make_tournament
from tests.storage.test_kill import ROOT
from tests.web.browser import chromium, click, complaints, fill, needs_chromium, read_text, type_into
from tests.web.running_server import Served, playing, served
from tests.web.test_overlays import offline
from tests.web.test_phone_browser import sound

pytestmark = [pytest.mark.slow, needs_chromium, pytest.mark.timeout(300)]
SIZES = ((1280, 720), (800, 1280))


def sign_in(browser: Chrome, url: str, pin: str, name: str = "Anna") -> None:
    browser.get(f"{url}desk")
    fill(browser, By.ID, "pin", pin)
    fill(browser, By.ID, "name", name)
    type_into(browser, By.ID, "name", Keys.ENTER)
    read_text(browser, By.CSS_SELECTOR, "#line")


def enter(browser: Chrome, line: str) -> None:
    fill(browser, By.ID, "line", line)
    type_into(browser, By.ID, "line", Keys.ENTER)


def wait_for(browser: Chrome, selector: str, *texts: str) -> str:
    """Return the text of an element when it contains all of `texts`."""

    def has_all(_browser: Chrome) -> str:
        shown_text = read_text(browser, By.CSS_SELECTOR, selector)
        return shown_text if all(text in shown_text for text in texts) else ""

    return WebDriverWait(browser, 30, poll_frequency=0.1).until(has_all)


def points(served: Served, table: int) -> tuple[int | None, int | None] | None:
    result = Index(served.value).result(served.game(table).id)
    return (result.first, result.second) if result is not None else None


@pytest.mark.parametrize("language", ["en", "nl"])
@pytest.mark.parametrize("size", SIZES)
def test_desk_page_enters_a_round_with_keys_only(size: tuple[int, int], language: str) -> None:
    with served(playing(48), language=language) as server, chromium(size, language=language) as browser:
        server.access.switch_on()
        sign_in(browser, server.url, server.access.state.get_pin(Role.JURY))
        enter(browser, "1 400 380")
        wait_for(browser, "#echo", "✓", "400 – 380")
        browser.switch_to.active_element.send_keys("411 299", Keys.ENTER)  # of the proposed table
        wait_for(browser, "#echo", "✓", "411 – 299")
        browser.switch_to.active_element.send_keys(" 350 350", Keys.ENTER)
        wait_for(browser, "#echo", "✓", "350 – 350")
        assert [points(server, table) for table in (1, 2, 3)] == [(400, 380), (411, 299), (350, 350)]
        sound(browser, f"desk-{size[0]}-{language}")
        browser.switch_to.active_element.send_keys(Keys.CONTROL, "z")
        WebDriverWait(browser, 20).until(lambda _browser: points(server, 3) is None)
        enter(browser, "2 300 411")
        wait_for(browser, "#more", "411", "Enter again" if language == "en" else "nog een keer")
        type_into(browser, By.ID, "line", Keys.ENTER)
        wait_for(browser, "#echo", "✓", "300 – 411")
        browser.get(f"{server.url}desk?round=1")
        enter(browser, "1 300 500")
        wait_for(browser, "#effects", "2")
        sound(browser, f"desk-effects-{size[0]}-{language}")
        type_into(browser, By.ID, "line", Keys.ENTER)
        wait_for(browser, "#echo", "✓", "300 – 500")
        click(browser, By.CSS_SELECTOR, ".menu li:nth-child(2) a")
        enter(browser, "1")
        wait_for(browser, "#echo", "✓")
        enter(browser, "2 2 XQBAR 48")
        WebDriverWait(browser, 20).until(
            lambda driver: driver.switch_to.active_element.get_attribute("id") == "author"
        )
        browser.switch_to.active_element.send_keys("Kim", Keys.ENTER)
        wait_for(browser, "#effects", "2")  # round 2 is paired on this result
        browser.switch_to.active_element.send_keys(Keys.ENTER)
        wait_for(browser, "#echo", "✓", "XQBAR")
        sound(browser, f"desk-jury-{size[0]}-{language}")
        assert complaints(browser) == []


def test_desk_page_loses_no_line_offline() -> None:
    with served(playing(16)) as server, chromium() as browser:
        server.access.switch_on()
        sign_in(browser, server.url, server.access.state.entry_pin)
        enter(browser, "1 400 380")
        wait_for(browser, "#echo", "✓")
        offline(browser, on=True)
        for line in ("2 401 301", "3 402 302", "4 403 303"):
            enter(browser, line)
            wait_for(browser, "#waiting", line)
        type_into(browser, By.ID, "line", "5 40")  # half typed
        assert "Not sent yet" in read_text(browser, By.ID, "unsent")
        server.do(partial(commands.enter_result, game=server.game(3).id, first=333, second=444))
        offline(browser, on=False)
        text = wait_for(
            browser, "#waiting .refused", "3 402 302", "in the meantime", "The result of the table is 333 – 444"
        )
        assert "2 401 301" not in text
        WebDriverWait(browser, 20).until(lambda _browser: points(server, 4) == (403, 303))
        assert points(server, 2) == (401, 301)
        assert points(server, 3) == (333, 444)
        assert browser.find_element(By.ID, "line").get_property("value") == "5 40"
        browser.refresh()
        assert browser.find_element(By.ID, "line").get_property("value") == "5 40"
        assert "3 402 302" in wait_for(browser, "#waiting .refused", "3 402 302")
        assert [line.line for line in server.access.refused_lines] == ["3 402 302"]
        complaints(browser)  # of the lost connection
        sound(browser, "desk-refused")
        server.access.refused_lines = server.access.refused_lines[:0]  # as after a restart
        server.do(partial(commands.enter_result, game=server.game(6).id, first=410, second=390))
        WebDriverWait(browser, 20).until(lambda _browser: len(server.access.refused_lines) == 1)
        assert all(
            "in the meantime" in line.why and line.game == server.game(3).id
            for line in server.access.refused_lines
        )
        click(browser, By.CSS_SELECTOR, "#waiting .refused button:last-child")
        WebDriverWait(browser, 20).until(lambda _browser: not server.access.refused_lines)
        assert browser.find_elements(By.CSS_SELECTOR, "#waiting li") == []


def test_desk_page_enters_the_listed_round() -> None:
    with served(playing(8, rounds=1)) as server, chromium() as browser:
        server.access.switch_on()
        sign_in(browser, server.url, server.access.state.entry_pin)
        for table in range(1, 5):
            server.do(partial(commands.enter_result, game=server.game(table).id, first=410, second=390))
        wait_for(browser, ".progress", "4 of 4")
        type_into(browser, By.ID, "line", "1 41")  # of round 1, half typed
        first = server.game(1).id
        server.do(partial(commands.pair_round, key="r2", proposal=propose_pairings(server.desk.index, DIVISION)))
        wait_for(browser, ".progress", "0 of 4")
        assert read_text(browser, By.CSS_SELECTOR, ".link-group [aria-current]") == "Round 2"
        type_into(browser, By.ID, "line", "1 380" + Keys.ENTER)
        wait_for(browser, "#more", "Press Enter again")
        type_into(browser, By.ID, "line", Keys.ESCAPE)
        enter(browser, "1 402 398")
        wait_for(browser, "#echo", "✓", "402 – 398")
        assert points(server, 1) == (402, 398)
        assert server.value.results[first].first == 410
        click(browser, By.ID, "round-1")
        enter(browser, "1 411 389")
        wait_for(browser, "#more", "Press Enter again")
        sound(browser, "desk-earlier-round")


def test_desk_page_ended_desk_keeps_its_lines() -> None:
    with served(playing(16)) as server, chromium() as browser:
        server.access.switch_on()
        sign_in(browser, server.url, server.access.state.entry_pin)
        server.access.end_session(server.access.state.sessions[0].key)
        wait_for(browser, "#echo", "signed out")
        enter(browser, "1 400 380")
        wait_for(browser, "#waiting", "1 400 380")
        fill(browser, By.ID, "pin", server.access.state.entry_pin)
        type_into(browser, By.ID, "pin", Keys.ENTER)
        WebDriverWait(browser, 20).until(lambda _browser: points(server, 1) == (400, 380))
        server.access.switch_off()
        wait_for(browser, "[data-live]", "switched off")


# --- a browser desk and the window at once


class Director:
    """The window in a separate process."""

    def __init__(self, path: Path, settings: Path, port: int) -> None:
        command = [sys.executable, "-m", "tests.web.window_process", str(path), str(settings), str(port)]
        environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "HOME": str(path.parent)}
        self._child = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.pin = self._read().split()[1]

    def _read(self) -> str:
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        assert line, "the window has ended"
        return line

    def type(self, line: str) -> str:
        assert self._child.stdin is not None
        self._child.stdin.write(f"{line}\n")
        self._child.stdin.flush()
        return self._read()

    def kill(self) -> None:
        self._child.kill()
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


TABLES = 40


class Round:
    """A round that a browser desk and the window enter at once. `first` are the points that came first."""

    def __init__(self, folder: Path, browser: Chrome) -> None:
        self.path, self._settings, self.browser = folder / "event.tdapp", folder / "settings.ini", browser
        with closing(Desk.create(self.path, make_tournament(players=2 * TABLES))) as desk:
            command = partial(commands.pair_round, key="r1", proposal=propose_pairings(desk.index, A))
            desk.do(command, label="pair-round")
        with closing(socket.create_server(("127.0.0.1", 0))) as probe:
            self._port = probe.getsockname()[1]
        self.director = Director(self.path, self._settings, self._port)
        self.first: dict[int, tuple[int, int]] = {}
        sign_in(browser, f"http://127.0.0.1:{self._port}/", self.director.pin)

    def restart(self) -> None:
        self.director = Director(self.path, self._settings, self._port)

    def type_in_browser(self, *tables: int) -> None:
        for table in tables:
            enter(self.browser, f"{table} {400 + table} 300")
            self.first.setdefault(table, (400 + table, 300))

    def type_in_window(self, *tables: int) -> None:
        for table in tables:
            answer = self.director.type(f"{table} {500 + table} 200")
            assert answer.startswith("saved") == (table not in self.first), answer
            self.first.setdefault(table, (500 + table, 200))

    def count(self, selector: str) -> int:
        self.browser.implicitly_wait(0)
        try:
            return len(self.browser.find_elements(By.CSS_SELECTOR, selector))
        finally:
            self.browser.implicitly_wait(20)

    def wait_for_count(self, selector: str, count: int) -> None:
        waiting = WebDriverWait(self.browser, 60, poll_frequency=0.2)
        try:
            waiting.until(lambda _browser: self.count(selector) == count)
        except TimeoutException as error:
            texts = [read_text(self.browser, By.ID, element_id) for element_id in ("waiting", "unsent", "echo")]
            raise AssertionError(f"{self.count(selector)} {selector}: {texts}") from error


def test_desk_page_round_with_collisions_and_kills(tmp_path: Path) -> None:
    """Nothing is lost, nothing is doubled, and every refusal is seen."""
    with chromium() as browser:
        play = Round(tmp_path, browser)
        try:
            _type_in_turns(play)
            _type_without_connection(play)
            _kill_the_window(play)
        finally:
            play.director.kill()
    with closing(Desk.open(play.path)) as desk:
        assert desk.store.find_damage() == []
        value = desk.tournament
        scores_by_table = {value.games[key].table: (row.first, row.second) for key, row in value.results.items()}
        assert scores_by_table == play.first
        assert len(scores_by_table) == TABLES
        steps = [step for step in desk.history() if step.label == "enter-result"]
        assert len(steps) == TABLES, "nothing is doubled"
        assert max(Counter(step.facts["sent"] for step in steps if "sent" in step.facts).values()) == 1
        assert {step.station for step in steps} == {"director", "browser Anna"}


def _type_in_turns(play: Round) -> None:
    for table in range(1, 9, 2):
        play.type_in_browser(table)
        wait_for(play.browser, "#echo", f"✓ Table {table}:")
        play.type_in_window(table + 1)
    play.type_in_window(1, 3)  # two collisions: the window is asked
    for table in (2, 4):  # two collisions: the browser is asked
        play.type_in_browser(table)
        wait_for(play.browser, "#more", f"The result of the table is {500 + table} – 200. Press Enter again")
        type_into(play.browser, By.ID, "line", Keys.ESCAPE)


def _type_without_connection(play: Round) -> None:
    offline(play.browser, on=True)
    play.type_in_browser(*range(9, 25))
    play.wait_for_count("#waiting li", 16)
    for table in range(9, 15):
        play.first.pop(table)
    play.type_in_window(*range(9, 15))  # six collisions that the browser cannot know
    play.type_in_window(*range(25, 31))
    play.director.kill()
    offline(play.browser, on=False)
    play.type_in_browser(31)
    play.restart()
    play.wait_for_count("#waiting .refused", 6)
    play.wait_for_count("#waiting li", 6)
    text = read_text(play.browser, By.ID, "waiting")
    for table in range(9, 15):
        assert f"{table} {400 + table} 300" in text
        assert f"The result of the table is {500 + table} – 200" in text


def _kill_the_window(play: Round) -> None:
    play.type_in_browser(*range(32, 37))  # lines on their way
    play.director.kill()
    play.restart()
    play.type_in_browser(*range(37, TABLES + 1))
    play.wait_for_count("#waiting li:not(.refused)", 0)
    wait_for(play.browser, ".progress", f"{TABLES} of {TABLES} results")
    assert play.count("#waiting .refused") == 6, "until somebody decides"
