"""Chromium tests of the desk page: typing, lost connections, and a browser desk at work beside the window."""

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
from tdapp.domain.roles import Role
from tdapp.pairing import propose_pairings
from tests.building import DIVISION
from tests.gui.samples import A, make_tournament
from tests.storage.test_kill import ROOT
from tests.web.browser import (
    click_element,
    fill_field,
    needs_chromium,
    open_chromium,
    read_browser_errors,
    read_text,
    set_offline,
    type_into,
)
from tests.web.running_server import make_unfinished_tournament, run_server
from tests.web.test_phone_browser import check_page_layout

pytestmark = [pytest.mark.slow, needs_chromium, pytest.mark.timeout(600)]
SIZES = ((1280, 720), (800, 1280))


def sign_in(browser: Chrome, url: str, pin: str, name: str = "Anna") -> None:
    browser.get(f"{url}desk")
    fill_field(browser, By.ID, "pin", pin)
    fill_field(browser, By.ID, "name", name)
    type_into(browser, By.ID, "name", Keys.ENTER)
    read_text(browser, By.CSS_SELECTOR, "#line")


def enter_line(browser: Chrome, line: str) -> None:
    fill_field(browser, By.ID, "line", line)
    type_into(browser, By.ID, "line", Keys.ENTER)


def wait_for_texts(browser: Chrome, selector: str, *texts: str) -> str:
    """Wait until an element contains all of `texts`. Return its text."""

    def read_if_complete(_browser: Chrome) -> str:
        shown_text = read_text(browser, By.CSS_SELECTOR, selector)
        return shown_text if all(text in shown_text for text in texts) else ""

    return WebDriverWait(browser, 30, poll_frequency=0.1).until(read_if_complete)


@pytest.mark.parametrize("language", ["en", "nl"])
@pytest.mark.parametrize("size", SIZES)
def test_desk_page_enters_a_round_by_keyboard(size: tuple[int, int], language: str) -> None:
    with (
        run_server(make_unfinished_tournament(48), language=language) as server,
        open_chromium(size, language=language) as browser,
    ):
        server.access.switch_on_with_new_pins()
        sign_in(browser, server.url, server.access.state.get_pin(Role.JURY))
        enter_line(browser, "1 400 380")
        wait_for_texts(browser, "#echo", "✓", "400 – 380")
        browser.switch_to.active_element.send_keys("411 299", Keys.ENTER)  # of the proposed table
        wait_for_texts(browser, "#echo", "✓", "411 – 299")
        browser.switch_to.active_element.send_keys(" 350 350", Keys.ENTER)
        wait_for_texts(browser, "#echo", "✓", "350 – 350")
        assert [server.get_points(table) for table in (1, 2, 3)] == [(400, 380), (411, 299), (350, 350)]
        check_page_layout(browser, f"desk-{size[0]}-{language}")
        browser.switch_to.active_element.send_keys(Keys.CONTROL, "z")
        WebDriverWait(browser, 20).until(lambda _browser: server.get_points(3) is None)
        enter_line(browser, "2 300 411")
        wait_for_texts(browser, "#more", "411", "Enter again" if language == "en" else "og eens Enter")
        type_into(browser, By.ID, "line", Keys.ENTER)
        wait_for_texts(browser, "#echo", "✓", "300 – 411")
        browser.get(f"{server.url}desk?round=1")
        enter_line(browser, "1 300 500")
        wait_for_texts(browser, "#effects", "2")
        check_page_layout(browser, f"desk-effects-{size[0]}-{language}")
        type_into(browser, By.ID, "line", Keys.ENTER)
        wait_for_texts(browser, "#echo", "✓", "300 – 500")
        click_element(browser, By.CSS_SELECTOR, ".menu li:nth-child(2) a")
        enter_line(browser, "1")
        wait_for_texts(browser, "#echo", "✓")
        enter_line(browser, "2 2 XQBAR 48")
        WebDriverWait(browser, 20).until(
            lambda driver: driver.switch_to.active_element.get_attribute("id") == "author"
        )
        browser.switch_to.active_element.send_keys("Kim", Keys.ENTER)
        wait_for_texts(browser, "#effects", "2")  # round 2 is paired on this result
        browser.switch_to.active_element.send_keys(Keys.ENTER)
        wait_for_texts(browser, "#echo", "✓", "XQBAR")
        check_page_layout(browser, f"desk-jury-{size[0]}-{language}")
        assert read_browser_errors(browser) == []


def test_desk_page_keeps_lines_offline() -> None:
    with run_server(make_unfinished_tournament(16)) as server, open_chromium() as browser:
        server.access.switch_on_with_new_pins()
        sign_in(browser, server.url, server.access.state.entry_pin)
        enter_line(browser, "1 400 380")
        wait_for_texts(browser, "#echo", "✓")
        set_offline(browser, offline=True)
        for line in ("2 401 301", "3 402 302", "4 403 303"):
            enter_line(browser, line)
            wait_for_texts(browser, "#waiting", line)
        type_into(browser, By.ID, "line", "5 40")  # an incomplete line
        assert "Not sent yet" in read_text(browser, By.ID, "unsent")
        server.run_command(partial(commands.enter_result, game=server.get_game(3).id, first=333, second=444))
        set_offline(browser, offline=False)
        text = wait_for_texts(
            browser, "#waiting .refused", "3 402 302", "in the meantime", "The current result is 333 – 444"
        )
        assert "2 401 301" not in text
        WebDriverWait(browser, 20).until(lambda _browser: server.get_points(4) == (403, 303))
        assert server.get_points(2) == (401, 301)
        assert server.get_points(3) == (333, 444)
        assert browser.find_element(By.ID, "line").get_property("value") == "5 40"
        browser.refresh()
        assert browser.find_element(By.ID, "line").get_property("value") == "5 40"
        assert "3 402 302" in wait_for_texts(browser, "#waiting .refused", "3 402 302")
        assert [line.line for line in server.access.refused_lines] == ["3 402 302"]
        read_browser_errors(browser)  # of the lost connection
        check_page_layout(browser, "desk-refused")
        server.access.refused_lines = server.access.refused_lines[:0]  # as after a restart
        server.run_command(partial(commands.enter_result, game=server.get_game(6).id, first=410, second=390))
        WebDriverWait(browser, 20).until(lambda _browser: len(server.access.refused_lines) == 1)
        assert all(
            "in the meantime" in line.why and line.game == server.get_game(3).id
            for line in server.access.refused_lines
        )
        click_element(browser, By.CSS_SELECTOR, "#waiting .refused button:last-child")
        WebDriverWait(browser, 20).until(lambda _browser: not server.access.refused_lines)
        assert browser.find_elements(By.CSS_SELECTOR, "#waiting li") == []


def test_desk_page_enters_the_listed_round() -> None:
    with run_server(make_unfinished_tournament(8, rounds=1)) as server, open_chromium() as browser:
        server.access.switch_on_with_new_pins()
        sign_in(browser, server.url, server.access.state.entry_pin)
        for table in range(1, 5):
            server.run_command(
                partial(commands.enter_result, game=server.get_game(table).id, first=410, second=390)
            )
        wait_for_texts(browser, ".progress", "4 of 4")
        type_into(browser, By.ID, "line", "1 41")  # of round 1, half typed
        first = server.get_game(1).id
        server.run_command(
            partial(commands.pair_round, key="r2", proposal=propose_pairings(server.desk.index, DIVISION))
        )
        wait_for_texts(browser, ".progress", "0 of 4")
        assert read_text(browser, By.CSS_SELECTOR, ".link-group [aria-current]") == "Round 2"
        type_into(browser, By.ID, "line", "1 380" + Keys.ENTER)
        wait_for_texts(browser, "#more", "Press Enter again")
        type_into(browser, By.ID, "line", Keys.ESCAPE)
        enter_line(browser, "1 402 398")
        wait_for_texts(browser, "#echo", "✓", "402 – 398")
        assert server.get_points(1) == (402, 398)
        assert server.tournament.results[first].first == 410
        click_element(browser, By.ID, "round-1")
        enter_line(browser, "1 411 389")
        wait_for_texts(browser, "#more", "Press Enter again")
        check_page_layout(browser, "desk-earlier-round")


def test_desk_page_keeps_lines_of_an_ended_session() -> None:
    with run_server(make_unfinished_tournament(16)) as server, open_chromium() as browser:
        server.access.switch_on_with_new_pins()
        sign_in(browser, server.url, server.access.state.entry_pin)
        server.access.end_session(server.access.state.sessions[0].key)
        wait_for_texts(browser, "#echo", "signed out")
        enter_line(browser, "1 400 380")
        wait_for_texts(browser, "#waiting", "1 400 380")
        fill_field(browser, By.ID, "pin", server.access.state.entry_pin)
        type_into(browser, By.ID, "pin", Keys.ENTER)
        WebDriverWait(browser, 20).until(lambda _browser: server.get_points(1) == (400, 380))
        server.access.switch_off_and_sign_out_desks()
        wait_for_texts(browser, "[data-live]", "switched off")


# --- a browser desk and the window at the same time


class WindowProcess:
    """A director's window in a separate process."""

    def __init__(self, path: Path, settings: Path, port: int) -> None:
        command = [sys.executable, "-m", "tests.web.window_process", str(path), str(settings), str(port)]
        environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "HOME": str(path.parent)}
        self._child = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.pin = self.read_line().split()[1]

    def read_line(self) -> str:
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        assert line, "the window process has ended"
        return line

    def type_line(self, line: str) -> str:
        assert self._child.stdin is not None
        self._child.stdin.write(f"{line}\n")
        self._child.stdin.flush()
        return self.read_line()

    def kill(self) -> None:
        self._child.kill()
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


TABLES = 40


class ParallelEntry:
    """The entry of one round from a browser desk and the window at the same time.

    `first_points` contains the points that arrived first, by table.
    """

    def __init__(self, folder: Path, browser: Chrome) -> None:
        self.path, self._settings, self.browser = folder / "event.tdapp", folder / "settings.ini", browser
        with closing(Desk.create(self.path, make_tournament(players=2 * TABLES))) as desk:
            command = partial(commands.pair_round, key="r1", proposal=propose_pairings(desk.index, A))
            desk.do(command, label="pair-round")
        with closing(socket.create_server(("127.0.0.1", 0))) as probe:
            self._port = probe.getsockname()[1]
        self.window = WindowProcess(self.path, self._settings, self._port)
        self.first_points: dict[int, tuple[int, int]] = {}
        sign_in(browser, f"http://127.0.0.1:{self._port}/", self.window.pin)

    def restart_window(self) -> None:
        self.window = WindowProcess(self.path, self._settings, self._port)

    def type_in_browser(self, *tables: int) -> None:
        for table in tables:
            enter_line(self.browser, f"{table} {400 + table} 300")
            self.first_points.setdefault(table, (400 + table, 300))

    def type_in_window(self, *tables: int) -> None:
        for table in tables:
            answer = self.window.type_line(f"{table} {500 + table} 200")
            assert answer.startswith("saved") == (table not in self.first_points), answer
            self.first_points.setdefault(table, (500 + table, 200))

    def count_elements(self, selector: str) -> int:
        self.browser.implicitly_wait(0)
        try:
            return len(self.browser.find_elements(By.CSS_SELECTOR, selector))
        finally:
            self.browser.implicitly_wait(20)

    def wait_for_element_count(self, selector: str, count: int) -> None:
        wait = WebDriverWait(self.browser, 60, poll_frequency=0.2)
        try:
            wait.until(lambda _browser: self.count_elements(selector) == count)
        except TimeoutException as error:
            texts = [read_text(self.browser, By.ID, element_id) for element_id in ("waiting", "unsent", "echo")]
            raise AssertionError(f"{self.count_elements(selector)} {selector}: {texts}") from error


def test_desk_page_and_window_enter_one_round(tmp_path: Path) -> None:
    """No result is lost or saved twice, and every refusal is visible."""
    with open_chromium() as browser:
        parallel_entry = ParallelEntry(tmp_path, browser)
        try:
            _type_alternately(parallel_entry)
            _type_offline(parallel_entry)
            _kill_the_window(parallel_entry)
        finally:
            parallel_entry.window.kill()
    with closing(Desk.open(parallel_entry.path)) as desk:
        assert desk.store.find_damage() == []
        value = desk.tournament
        scores_by_table = {value.games[key].table: (row.first, row.second) for key, row in value.results.items()}
        assert scores_by_table == parallel_entry.first_points
        assert len(scores_by_table) == TABLES
        steps = [step for step in desk.list_all_steps() if step.label == "enter-result"]
        assert len(steps) == TABLES, "a result was saved twice"
        assert max(Counter(step.facts["sent"] for step in steps if "sent" in step.facts).values()) == 1
        assert {step.station for step in steps} == {"director", "browser Anna"}


def _type_alternately(parallel_entry: ParallelEntry) -> None:
    for table in range(1, 9, 2):
        parallel_entry.type_in_browser(table)
        wait_for_texts(parallel_entry.browser, "#echo", f"✓ Table {table}:")
        parallel_entry.type_in_window(table + 1)
    parallel_entry.type_in_window(1, 3)  # two collisions: the window asks
    for table in (2, 4):  # two collisions: the browser asks
        parallel_entry.type_in_browser(table)
        wait_for_texts(
            parallel_entry.browser, "#more", f"The current result is {500 + table} – 200. Press Enter again"
        )
        type_into(parallel_entry.browser, By.ID, "line", Keys.ESCAPE)


def _type_offline(parallel_entry: ParallelEntry) -> None:
    set_offline(parallel_entry.browser, offline=True)
    parallel_entry.type_in_browser(*range(9, 25))
    parallel_entry.wait_for_element_count("#waiting li", 16)
    for table in range(9, 15):
        parallel_entry.first_points.pop(table)
    parallel_entry.type_in_window(*range(9, 15))  # six collisions while the browser is offline
    parallel_entry.type_in_window(*range(25, 31))
    parallel_entry.window.kill()
    set_offline(parallel_entry.browser, offline=False)
    parallel_entry.type_in_browser(31)
    parallel_entry.restart_window()
    parallel_entry.wait_for_element_count("#waiting .refused", 6)
    parallel_entry.wait_for_element_count("#waiting li", 6)
    text = read_text(parallel_entry.browser, By.ID, "waiting")
    for table in range(9, 15):
        assert f"{table} {400 + table} 300" in text
        assert f"The current result is {500 + table} – 200" in text


def _kill_the_window(parallel_entry: ParallelEntry) -> None:
    parallel_entry.type_in_browser(*range(32, 37))  # the server has not answered these lines yet
    parallel_entry.window.kill()
    parallel_entry.restart_window()
    parallel_entry.type_in_browser(*range(37, TABLES + 1))
    parallel_entry.wait_for_element_count("#waiting li:not(.refused)", 0)
    wait_for_texts(parallel_entry.browser, ".progress", f"{TABLES} of {TABLES} results")
    assert parallel_entry.count_elements("#waiting .refused") == 6, "a refused line disappeared without a decision"
