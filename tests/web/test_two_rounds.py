"""A browser test of two rounds with three phones in three languages and a desk."""

from __future__ import annotations

import re
import time
from collections import Counter
from contextlib import ExitStack
from functools import partial

import pytest
from msgspec.structs import replace
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Game, PlayerId
from tdapp.domain.roles import Role
from tdapp.domain.round_clock import RoundClock
from tdapp.domain.slip import find_slip_code_secret, make_game_code
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, RESOURCES, make_event
from tests.web.browser import (
    click_element,
    needs_chromium,
    open_chromium,
    read_browser_errors,
    read_text,
    set_offline,
    type_into,
)
from tests.web.running_server import RunningServer, run_server
from tests.web.test_browsers import wait_for_text
from tests.web.test_desks_browser import enter_line, sign_in, wait_for_texts
from tests.web.test_phone_browser import type_name
from tests.web.test_phone_check_in import list_present_players
from tests.web.test_phone_entry import SIZE, enter_points
from tests.web.test_result_entry import send_result

pytestmark = [pytest.mark.slow, needs_chromium, pytest.mark.timeout(600)]

PEOPLE = {"p1": ("Berg, Anna", "en"), "p2": ("Vries, Jan de", "nl"), "p3": ("Müller, Jürgen", "de")}


class PlayerPhone:
    """The phone browser of a player, in one language."""

    def __init__(self, server: RunningServer, player: str, browser: webdriver.Chrome) -> None:
        self.server, self.player, self.browser = server, PlayerId(player), browser
        self.name, language = PEOPLE[player]
        self.translate = Catalogue(language, RESOURCES / "locale").text

    @property
    def game(self) -> Game:
        index = TournamentIndex(self.server.tournament)
        return next(
            game
            for game in index.games(index.list_published_rounds(DIVISION)[-1].id)
            if self.player in {game.first, game.second}
        )

    @property
    def code(self) -> str:
        return make_game_code(find_slip_code_secret(self.server.tournament), self.game.id, self.player)

    def wait_for_message(self, message: str, **facts: object) -> None:
        wait_for_text(self.browser, self.translate(message, **facts))

    def follow_link(self, message: str) -> None:
        click_element(self.browser, By.LINK_TEXT, self.translate(message))

    def check_in(self) -> None:
        self.browser.get(f"{self.server.url}check-in")
        type_name(self.browser, " ".join(reversed(self.name.split(", "))))
        self.wait_for_message("Is this you?")
        click_element(self.browser, By.CSS_SELECTOR, "form button")
        self.wait_for_message("You are checked in.")
        click_element(self.browser, By.CSS_SELECTOR, "a.button")
        self.wait_for_message("Your next table appears here as soon as it is known.")

    def check_table(self, number: int) -> None:
        """Check the round, the table, the opponent and the clock on the own page."""
        self.wait_for_message("Round {round}", round=number)
        seat = read_text(self.browser, By.CSS_SELECTOR, ".seat")
        starts = self.translate("You start" if self.game.first == self.player else "Your opponent starts")
        assert all(text in seat for text in (str(self.game.table), starts, self.opponent)), seat
        self.browser.execute_script(
            "document.dispatchEvent(new Event('visibilitychange'))"
        )  # the phone screen is on again
        assert wait_for_texts(self.browser, "#clock", ":")[:3] in {"25:", "24:"}

    def enter_result(self, own_points: int, opponent_points: int) -> None:
        self.follow_link("Enter my result")
        if self.server.tournament.rounds[self.game.round].number == 1:  # later the phone remembers its player
            type_into(self.browser, By.ID, "code", self.code)
            click_element(self.browser, By.CSS_SELECTOR, "form button")
        enter_points(self.browser, str(own_points), str(opponent_points))

    @property
    def opponent(self) -> str:
        return self.server.tournament.players[self.game.get_opponent(self.player)].name

    def check_winner(self, own_points: int, opponent_points: int) -> None:
        winner = self.name if own_points > opponent_points else self.opponent
        self.wait_for_message(
            "{player} wins by {points}.", player=winner, points=abs(own_points - opponent_points)
        )

    def check_result(self, own_points: int, opponent_points: int) -> None:
        """Check the result message of the table, then open the own page."""
        self.wait_for_message(
            "The result of table {table} is in: {name} {own}, {opponent} {other}.",
            table=self.game.table, name=self.name, own=own_points, opponent=self.opponent, other=opponent_points,
        )  # fmt: skip
        self.follow_link("Your own page")
        self.wait_for_message("Your next table appears here as soon as it is known.")
        assert str(own_points) in read_text(self.browser, By.CSS_SELECTOR, "table")

    def read_standings(self) -> dict[str, str]:
        """Open the standings page. Return the wins by player."""
        self.follow_link("Standings")
        WebDriverWait(self.browser, 20).until(lambda driver: "standings" in driver.current_url)
        rows = read_text(self.browser, By.CSS_SELECTOR, "tbody").splitlines()
        matches = (re.fullmatch(r"\d+ (.+) ([\d½.,]+) [\d½.,]+ \S+", row) for row in rows)
        return {match[1]: match[2] for match in matches if match}

    def enter_opponent_result(self, own_points: int, opponent_points: int) -> None:
        opponent = self.game.get_opponent(self.player)
        code = make_game_code(find_slip_code_secret(self.server.tournament), self.game.id, opponent)
        send_result(self.server.make_phone(), code, own_points, opponent_points)


def make_check_in_tournament() -> Tournament:
    value = replace(make_event(8), secret="of the tests")  # noqa: S106
    for player, (name, _language) in PEOPLE.items():
        value = commands.edit_player(value, player=PlayerId(player), name=name)
    return commands.open_check_in(commands.open_entry(value, key="a key of the tests"))


def publish_round(server: RunningServer, number: int, phones: list[PlayerPhone]) -> None:
    proposal = propose_pairings(server.desk.index, DIVISION)
    server.run_command(partial(commands.pair_round, key=f"r{number}", proposal=proposal))
    current_time = time.monotonic()
    server.web_server.set_round_clock(RoundClock(25 * 60).start(current_time), current_time)
    for phone in phones:
        phone.check_table(number)
    assert len({phone.game.table for phone in phones}) == 4 - number


def test_three_phones_and_a_desk_go_through_two_rounds() -> None:
    with run_server(make_check_in_tournament()) as server, ExitStack() as stack:
        anna, jan, juergen = phones = [
            PlayerPhone(server, player, stack.enter_context(open_chromium(SIZE, language=language)))
            for player, (_name, language) in PEOPLE.items()
        ]
        for phone in phones:
            phone.check_in()
        assert list_present_players(server) == set(PEOPLE)
        server.run_command(partial(commands.check_in, players=tuple(server.tournament.players)))

        publish_round(server, 1, phones)
        for phone, points in zip(phones, ((420, 380), (451, 349), (405, 395)), strict=True):
            phone.enter_result(*points)
            phone.check_winner(*points)
            phone.enter_opponent_result(*reversed(points))
            phone.check_result(*points)
        server.run_command(partial(commands.enter_result, game=server.get_game(4).id, first=300, second=400))

        desk = stack.enter_context(open_chromium())
        server.access.switch_on_with_new_pins()
        sign_in(desk, server.url, server.access.state.get_pin(Role.ENTRY))
        publish_round(server, 2, phones)
        enter_line(desk, "3 430 370")
        wait_for_texts(desk, "#echo", "✓", "430 – 370")
        juergen.follow_link("Enter my result")
        set_offline(juergen.browser, offline=True)
        enter_points(juergen.browser, "444", "333")
        juergen.wait_for_message(
            "No connection. What you typed is kept on this page and sent when the connection is back."
        )
        juergen.enter_opponent_result(333, 444)
        anna.enter_result(388, 412)
        anna.check_winner(388, 412)
        assert jan.game == anna.game
        jan.enter_result(421, 388)
        jan.wait_for_message(
            "{opponent} has entered something else. Look at your slip together and enter the result again, or go "
            "to the director.",
            opponent=anna.name,
        )
        assert len(server.tournament.results) == 5, "a disputed result or an entry of the offline phone was saved"
        first, second = (388, 412) if anna.game.first == anna.player else (412, 388)
        enter_line(desk, f"{anna.game.table} {first} {second}")
        wait_for_texts(desk, "#echo", "✓", f"{first} – {second}")
        enter_line(desk, "4 365 365")
        wait_for_texts(desk, "#echo", "✓", "365 – 365")
        set_offline(juergen.browser, offline=False)
        for phone, points in zip(phones, ((388, 412), (412, 388), (444, 333)), strict=True):
            phone.check_result(*points)
        for phone in phones:
            wins = phone.read_standings()
            assert len(wins) == 8
            assert [wins[name] for name, _language in PEOPLE.values()] == ["1", "2", "2"]

        value, steps = (
            server.tournament,
            Counter((step.station, step.label) for step in server.desk.list_all_steps()),
        )
        games_by_table = {
            (value.rounds[value.games[key].round].number, frozenset((row.first, row.second)))
            for key, row in value.results.items()
        }
        assert games_by_table == {
            *((1, frozenset(points)) for points in ((420, 380), (451, 349), (405, 395), (300, 400))),
            *((2, frozenset(points)) for points in ((388, 412), (444, 333), (430, 370), (365, 365))),
        }
        assert len(value.results) == 8
        assert (steps["room", "arrive"], steps["room", "enter-slip"]) == (3, 10), "a result was saved twice"
        assert (steps["browser Anna", "enter-result"], len(server.access.refused_lines)) == (3, 0)
        offline_complaints = read_browser_errors(juergen.browser)
        assert offline_complaints
        assert all("ERR_INTERNET_DISCONNECTED" in line for line in offline_complaints)
        assert [read_browser_errors(browser) for browser in (anna.browser, jan.browser, desk)] == [[], [], []]
