"""Three phones in three languages and a browser desk play two rounds, from check-in to standings."""

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
from tdapp.domain.index import Index
from tdapp.domain.model import Game, PlayerId
from tdapp.domain.roles import Role
from tdapp.domain.round_clock import RoundClock
from tdapp.domain.slip import find_code_key, make_game_code
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, RESOURCES, make_event
from tests.web.browser import chromium, click, complaints, needs_chromium, read_text, type_into
from tests.web.running_server import Served, served
from tests.web.test_browsers import shows
from tests.web.test_desks_browser import enter as enter_line
from tests.web.test_desks_browser import sign_in, wait_for
from tests.web.test_phone_browser import type_name
from tests.web.test_phone_check_in import list_present_players
from tests.web.test_phone_entry import SIZE, enter, go_offline
from tests.web.test_result_entry import enter as enter_elsewhere

pytestmark = [pytest.mark.slow, needs_chromium, pytest.mark.timeout(180)]

PEOPLE = {"p1": ("Berg, Anna", "en"), "p2": ("Vries, Jan de", "nl"), "p3": ("Müller, Jürgen", "de")}


class Phone:
    """The phone of a player, with a language."""

    def __init__(self, served: Served, player: str, browser: webdriver.Chrome) -> None:
        self.server, self.player, self.browser = served, PlayerId(player), browser
        self.name, language = PEOPLE[player]
        self.say = Catalogue(language, RESOURCES / "locale").text

    @property
    def game(self) -> Game:
        index = Index(self.server.value)
        return next(
            game
            for game in index.games(index.published(DIVISION)[-1].id)
            if self.player in {game.first, game.second}
        )

    @property
    def code(self) -> str:
        return make_game_code(find_code_key(self.server.value), self.game.id, self.player)

    def sees(self, message: str, **facts: object) -> None:
        shows(self.browser, self.say(message, **facts))

    def follow(self, message: str) -> None:
        click(self.browser, By.LINK_TEXT, self.say(message))

    def check_in(self) -> None:
        self.browser.get(f"{self.server.url}check-in")
        type_name(self.browser, " ".join(reversed(self.name.split(", "))))
        self.sees("Is this you?")
        click(self.browser, By.CSS_SELECTOR, "form button")
        self.sees("You are checked in.")
        click(self.browser, By.CSS_SELECTOR, "a.button")
        self.sees("Your next table appears here as soon as it is known.")

    def see_table(self, number: int) -> None:
        """Wait until the page shows the round, the table, the opponent and the clock."""
        self.sees("Round {round}", round=number)
        seat = read_text(self.browser, By.CSS_SELECTOR, ".seat")
        starts = self.say("You start" if self.game.first == self.player else "Your opponent starts")
        assert all(text in seat for text in (str(self.game.table), starts, self.opponent)), seat
        self.browser.execute_script("document.dispatchEvent(new Event('visibilitychange'))")  # out of the pocket
        assert wait_for(self.browser, "#clock", ":")[:3] in {"25:", "24:"}

    def enter(self, own_points: int, opponent_points: int) -> None:
        self.follow("Enter my result")
        if self.server.value.rounds[self.game.round].number == 1:  # the phone knows its player afterwards
            type_into(self.browser, By.ID, "code", self.code)
            click(self.browser, By.CSS_SELECTOR, "form button")
        enter(self.browser, str(own_points), str(opponent_points))

    @property
    def opponent(self) -> str:
        return self.server.value.players[self.game.get_opponent(self.player)].name

    def sees_winner(self, own_points: int, opponent_points: int) -> None:
        winner = self.name if own_points > opponent_points else self.opponent
        self.sees("{player} wins by {points}.", player=winner, points=abs(own_points - opponent_points))

    def sees_result(self, own_points: int, opponent_points: int) -> None:
        """See the result of the table, then open the personal page."""
        self.sees(
            "Table {table} has its result: {name} {own}, {opponent} {other}.",
            table=self.game.table, name=self.name, own=own_points, opponent=self.opponent, other=opponent_points,
        )  # fmt: skip
        self.follow("Your own page")
        self.sees("Your next table appears here as soon as it is known.")
        assert str(own_points) in read_text(self.browser, By.CSS_SELECTOR, "table")

    def reads_standings(self) -> dict[str, str]:
        """Return the wins of each player on the standings page."""
        self.follow("Standings")
        WebDriverWait(self.browser, 20).until(lambda driver: "standings" in driver.current_url)
        rows = read_text(self.browser, By.CSS_SELECTOR, "tbody").splitlines()
        matches = (re.fullmatch(r"\d+ (.+) ([\d½.,]+) [\d½.,]+ \S+", row) for row in rows)
        return {match[1]: match[2] for match in matches if match}

    def opponent_enters(self, own_points: int, opponent_points: int) -> None:
        opponent = self.game.get_opponent(self.player)
        code = make_game_code(find_code_key(self.server.value), self.game.id, opponent)
        enter_elsewhere(self.server.phone(), code, own_points, opponent_points)


def before_the_door() -> Tournament:
    value = replace(make_event(8), secret="of the tests")  # noqa: S106
    for player, (name, _language) in PEOPLE.items():
        value = commands.edit_player(value, player=PlayerId(player), name=name)
    return commands.open_check_in(commands.open_entry(value, key="a key of the tests"))


def publish(served: Served, number: int, phones: list[Phone]) -> None:
    proposal = propose_pairings(served.desk.index, DIVISION)
    served.do(partial(commands.pair_round, key=f"r{number}", proposal=proposal))
    current_time = time.monotonic()
    served.web_server.set_round_clock(RoundClock(25 * 60).start(current_time), current_time)
    for phone in phones:
        phone.see_table(number)
    assert len({phone.game.table for phone in phones}) == 4 - number


def test_three_phones_and_a_desk_go_through_two_rounds() -> None:
    with served(before_the_door()) as server, ExitStack() as stack:
        anna, jan, juergen = phones = [
            Phone(server, player, stack.enter_context(chromium(SIZE, language=language)))
            for player, (_name, language) in PEOPLE.items()
        ]
        for phone in phones:
            phone.check_in()
        assert list_present_players(server) == set(PEOPLE)
        server.do(partial(commands.check_in, players=tuple(server.value.players)))

        publish(server, 1, phones)
        for phone, points in zip(phones, ((420, 380), (451, 349), (405, 395)), strict=True):
            phone.enter(*points)
            phone.sees_winner(*points)
            phone.opponent_enters(*reversed(points))
            phone.sees_result(*points)
        server.do(partial(commands.enter_result, game=server.game(4).id, first=300, second=400))

        desk = stack.enter_context(chromium())
        server.access.switch_on()
        sign_in(desk, server.url, server.access.state.get_pin(Role.ENTRY))
        publish(server, 2, phones)
        enter_line(desk, "3 430 370")
        wait_for(desk, "#echo", "✓", "430 – 370")
        juergen.follow("Enter my result")
        go_offline(juergen.browser, offline=True)
        enter(juergen.browser, "444", "333")
        juergen.sees("No connection. What you typed is kept on this page and sent when the connection is back.")
        juergen.opponent_enters(333, 444)
        anna.enter(388, 412)
        anna.sees_winner(388, 412)
        assert jan.game == anna.game
        jan.enter(421, 388)
        jan.sees(
            "{opponent} has entered something else. Look at your slip together and enter it again, "
            "or go to the director.", opponent=anna.name,
        )  # fmt: skip
        assert len(server.value.results) == 5, (
            "the desk decides, and a phone without a connection has sent nothing"
        )
        first, second = (388, 412) if anna.game.first == anna.player else (412, 388)
        enter_line(desk, f"{anna.game.table} {first} {second}")
        wait_for(desk, "#echo", "✓", f"{first} – {second}")
        enter_line(desk, "4 365 365")
        wait_for(desk, "#echo", "✓", "365 – 365")
        go_offline(juergen.browser, offline=False)
        for phone, points in zip(phones, ((388, 412), (412, 388), (444, 333)), strict=True):
            phone.sees_result(*points)
        for phone in phones:
            wins = phone.reads_standings()
            assert len(wins) == 8
            assert [wins[name] for name, _language in PEOPLE.values()] == ["1", "2", "2"]

        value, steps = server.value, Counter((step.station, step.label) for step in server.desk.history())
        games_by_table = {
            (value.rounds[value.games[key].round].number, frozenset((row.first, row.second)))
            for key, row in value.results.items()
        }
        assert games_by_table == {
            *((1, frozenset(points)) for points in ((420, 380), (451, 349), (405, 395), (300, 400))),
            *((2, frozenset(points)) for points in ((388, 412), (444, 333), (430, 370), (365, 365))),
        }
        assert len(value.results) == 8
        assert (steps["room", "arrive"], steps["room", "enter-slip"]) == (3, 10), "nothing is doubled"
        assert (steps["browser Anna", "enter-result"], len(server.access.refused_lines)) == (3, 0)
        offline_complaints = complaints(juergen.browser)
        assert offline_complaints
        assert all("ERR_INTERNET_DISCONNECTED" in line for line in offline_complaints)
        assert [complaints(browser) for browser in (anna.browser, jan.browser, desk)] == [[], [], []]
