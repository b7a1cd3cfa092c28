"""Tests of group entry by phone: two equal entries of a table of three or four make its result."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import httpx
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ResultState, Seat
from tdapp.domain.problems import find_division_problems
from tdapp.domain.ruleset import PlayersPerTableRule
from tdapp.domain.slip import find_slip_code_secret, make_game_code
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, pair_rounds
from tests.clubs import THREE, make_club
from tests.web.page_checks import iterate_elements, parse_page, read_element_text, read_notice
from tests.web.running_server import KEY, RunningServer, run_server

NAMES = ("own", "other", "third", "fourth")


def make_group_round(players: int = 3, tables: PlayersPerTableRule = THREE) -> Tournament:
    value = replace(pair_rounds(make_club(players, tables), results=False), secret="of the tests")  # noqa: S106
    return commands.open_entry(value, key=KEY)


def list_seats(server: RunningServer) -> tuple[Seat, ...]:
    index = TournamentIndex(server.tournament)
    return index.list_seats_by_table(index.list_published_rounds(DIVISION)[-1].id)[0]


def list_codes(server: RunningServer) -> list[str]:
    return [
        make_game_code(find_slip_code_secret(server.tournament), seat.id, seat.player)
        for seat in list_seats(server)
    ]


def send_points(client: httpx.Client, code: str, points: Sequence[int]) -> httpx.Response:
    data = {"code": code, **dict(zip(NAMES, map(str, points), strict=False))}
    return client.post("enter", data=data, follow_redirects=True)


def list_problem_codes(server: RunningServer) -> list[str]:
    return [
        problem.code
        for problem in find_division_problems(
            TournamentIndex(server.tournament), server.tournament.divisions[DIVISION]
        )
    ]


def test_entry_page_saves_a_group_result_from_two_equal_entries() -> None:
    with run_server(make_group_round()) as server:
        first, _, third = list_codes(server)
        page = server.make_phone().get("enter", params={"code": third})
        labels = [read_element_text(element) for element in iterate_elements(parse_page(page.content), "label")]
        assert labels == [f"P{seat.player[1:]}’s points" for seat in list_seats(server)]

        code_page = send_points(server.make_phone(), third, (210, 188, 240))
        assert read_notice(code_page) == (
            "You have entered 210 – 188 – 240. Now another player at your table must enter the same result."
        )
        assert {seat.state for seat in list_seats(server)} == {None}
        answer = send_points(server.make_phone(), first, (210, 188, 240))
        assert read_notice(answer) == "The result of table 1 is in: P1 210, P2 188, P3 240."
        assert [seat.points for seat in list_seats(server)] == [210, 188, 240]
        assert {(seat.state, seat.sent, seat.device) for seat in list_seats(server)} == {
            (ResultState.ENTERED, (), "")
        }
        (step,) = [step for step in server.desk.list_all_steps() if step.label == "send-points"][:1]
        assert (step.facts["player"], step.facts["points"], step.facts["table"]) == ("P3", "210 – 188 – 240", 1)


def test_entry_page_accepts_four_phones_at_a_table_of_four() -> None:
    with run_server(make_group_round(4, PlayersPerTableRule(prefer=4))) as server:
        code, two, *_ = list_codes(server)
        assert len(list_codes(server)) == 4
        send_points(server.make_phone(), code, (210, 188, 240, 150))
        send_points(server.make_phone(), two, (210, 188, 240, 150))
        assert [seat.points for seat in list_seats(server)] == [210, 188, 240, 150]


def test_entry_page_waits_for_two_equal_group_entries() -> None:
    with run_server(make_group_round()) as server:
        first, second, third = list_codes(server)
        send_points(server.make_phone(), first, (210, 188, 240))
        page = send_points(server.make_phone(), second, (210, 198, 240))
        assert "P1 has entered something else" in read_notice(page)
        assert "188" not in read_notice(page)
        assert "slips-differ" in list_problem_codes(server)
        send_points(server.make_phone(), third, (210, 188, 240))
        assert [seat.points for seat in list_seats(server)] == [210, 188, 240]
        assert "slips-differ" not in list_problem_codes(server)


def test_entry_page_sends_group_entries_of_one_phone_to_the_desk() -> None:
    with run_server(make_group_round()) as server:
        phone, slip_codes = server.make_phone(), list_codes(server)
        for code in slip_codes[:2]:
            phone.get("enter", params={"code": code})
            page = send_points(phone, code, (210, 188, 240))
        entered = "Two entries agree: 210 – 188 – 240. "
        assert read_notice(page) == entered + "Show your slip at the desk: the desk must confirm this result."
        assert {seat.state for seat in list_seats(server)} == {None}
        assert "slips-one-device" in list_problem_codes(server)
        server.run_command(partial(commands.take_points, round=list_seats(server)[0].round, table=1))
        assert [seat.points for seat in list_seats(server)] == [210, 188, 240]
        server.thread.submit(server.desk.undo).result()
        assert list_seats(server)[1].sent == (210, 188, 240)


def test_desk_rejects_group_entries_of_phones() -> None:
    with run_server(make_group_round()) as server:
        send_points(server.make_phone(), list_codes(server)[0], (210, 188, 240))
        server.run_command(partial(commands.drop_points, round=list_seats(server)[0].round, table=1))
        assert {seat.sent for seat in list_seats(server)} == {()}


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ((210, 188), "enter the score of each player"),
        ((210, 188, 9999), "9999 is not between"),
        ((0, 0, 0), "Is 0 – 0 – 0 right?"),
    ],
)
def test_entry_page_refuses_wrong_group_points(points: tuple[int, ...], message: str) -> None:
    with run_server(make_group_round()) as server:
        page = send_points(server.make_phone(), list_codes(server)[0], points)
        assert message in page.text
        assert {seat.sent for seat in list_seats(server)} == {()}


def test_entry_page_keeps_an_existing_group_result() -> None:
    with run_server(make_group_round()) as server:
        server.run_command(
            partial(commands.enter_seats, round=list_seats(server)[0].round, table=1, points=(300, 200, 100))
        )
        assert "has a result" in read_notice(
            send_points(server.make_phone(), list_codes(server)[0], (210, 188, 240))
        )
        assert [seat.points for seat in list_seats(server)] == [300, 200, 100]


def test_server_pages_hide_group_entries_of_phones() -> None:
    with run_server(make_group_round()) as server:
        send_points(server.make_phone(), list_codes(server)[0], (211, 188, 240))
        for page in ("a-round.html", "a-names.html", "data.json"):
            answer = server.make_client().get(page)
            assert "211" not in answer.text


def test_entry_page_opens_the_next_group_game_without_a_code() -> None:
    with run_server(make_group_round()) as server:
        phone = server.make_phone()
        phone.get("enter", params={"code": list_codes(server)[0]})
        page = phone.get("enter", follow_redirects=True)
        assert "P1’s points" in page.text
