"""Players at a table of three or four send its result by phone: two that agree confirm it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import httpx
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import ResultState, Seat
from tdapp.domain.problems import find_problems
from tdapp.domain.ruleset import TableRule
from tdapp.domain.slip import find_code_key, make_game_code
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, pair_rounds
from tests.clubs import THREE, make_club
from tests.web.page_checks import iterate_elements, parsed, text_of
from tests.web.running_server import KEY, Served, served
from tests.web.test_result_entry import read_notice

NAMES = ("own", "other", "third", "fourth")


def evening(players: int = 3, tables: TableRule = THREE) -> Tournament:
    value = replace(pair_rounds(make_club(players, tables), results=False), secret="of the tests")  # noqa: S106
    return commands.open_entry(value, key=KEY)


def seats(served: Served) -> tuple[Seat, ...]:
    index = Index(served.value)
    return index.list_seats_by_table(index.published(DIVISION)[-1].id)[0]


def codes(served: Served) -> list[str]:
    return [make_game_code(find_code_key(served.value), seat.id, seat.player) for seat in seats(served)]


def send(client: httpx.Client, code: str, points: Sequence[int]) -> httpx.Response:
    data = {"code": code, **dict(zip(NAMES, map(str, points), strict=False))}
    return client.post("enter", data=data, follow_redirects=True)


def problems(served: Served) -> list[str]:
    return [problem.code for problem in find_problems(Index(served.value), served.value.divisions[DIVISION])]


def test_two_phones_that_agree_make_the_result_of_a_table_of_three() -> None:
    with served(evening()) as server:
        first, _, third = codes(server)
        page = server.phone().get("enter", params={"code": third})
        labels = [text_of(element) for element in iterate_elements(parsed(page.content), "label")]
        assert labels == [f"Points of P{seat.player[1:]}" for seat in seats(server)]

        waits = send(server.phone(), third, (210, 188, 240))
        assert read_notice(waits) == (
            "You have entered 210 – 188 – 240. Now another player of the table must enter the same result."
        )
        assert {seat.state for seat in seats(server)} == {None}
        answer = send(server.phone(), first, (210, 188, 240))
        assert read_notice(answer) == "Table 1 has its result: P1 210, P2 188, P3 240."
        assert [seat.points for seat in seats(server)] == [210, 188, 240]
        assert {(seat.state, seat.sent, seat.device) for seat in seats(server)} == {(ResultState.ENTERED, (), "")}
        (step,) = [step for step in server.desk.history() if step.label == "send-points"][:1]
        assert (step.facts["player"], step.facts["points"], step.facts["table"]) == ("P3", "210 – 188 – 240", 1)


def test_four_phones_enter_a_table_of_four() -> None:
    with served(evening(4, TableRule(prefer=4))) as server:
        code, two, *_ = codes(server)
        assert len(codes(server)) == 4
        send(server.phone(), code, (210, 188, 240, 150))
        send(server.phone(), two, (210, 188, 240, 150))
        assert [seat.points for seat in seats(server)] == [210, 188, 240, 150]


def test_different_entries_wait_until_two_agree() -> None:
    with served(evening()) as server:
        first, second, third = codes(server)
        send(server.phone(), first, (210, 188, 240))
        page = send(server.phone(), second, (210, 198, 240))
        assert "P1 has entered something else" in read_notice(page)
        assert "188" not in read_notice(page)
        assert "slips-differ" in problems(server)
        send(server.phone(), third, (210, 188, 240))
        assert [seat.points for seat in seats(server)] == [210, 188, 240]
        assert "slips-differ" not in problems(server)


def test_one_phone_for_two_players_waits_for_the_desk() -> None:
    with served(evening()) as server:
        phone, slip_codes = server.phone(), codes(server)
        for code in slip_codes[:2]:
            phone.get("enter", params={"code": code})
            page = send(phone, code, (210, 188, 240))
        entered = "Two players have entered 210 – 188 – 240. "
        assert read_notice(page) == entered + "Show your slip at the desk: the desk must confirm this result."
        assert {seat.state for seat in seats(server)} == {None}
        assert "slips-one-device" in problems(server)
        server.do(partial(commands.take_points, round=seats(server)[0].round, table=1))
        assert [seat.points for seat in seats(server)] == [210, 188, 240]
        server.thread.submit(server.desk.undo).result()
        assert seats(server)[1].sent == (210, 188, 240)


def test_the_desk_can_reject_what_phones_sent() -> None:
    with served(evening()) as server:
        send(server.phone(), codes(server)[0], (210, 188, 240))
        server.do(partial(commands.drop_points, round=seats(server)[0].round, table=1))
        assert {seat.sent for seat in seats(server)} == {()}


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ((210, 188), "enter the score of each player"),
        ((210, 188, 9999), "9999 is not between"),
        ((0, 0, 0), "Is 0 – 0 – 0 right?"),
    ],
)
def test_wrong_points_are_refused(points: tuple[int, ...], message: str) -> None:
    with served(evening()) as server:
        page = send(server.phone(), codes(server)[0], points)
        assert message in page.text
        assert {seat.sent for seat in seats(server)} == {()}


def test_a_table_with_a_result_stays_as_it_is() -> None:
    with served(evening()) as server:
        server.do(partial(commands.enter_seats, round=seats(server)[0].round, table=1, points=(300, 200, 100)))
        assert "has a result" in read_notice(send(server.phone(), codes(server)[0], (210, 188, 240)))
        assert [seat.points for seat in seats(server)] == [300, 200, 100]


def test_nothing_that_phones_sent_is_public() -> None:
    with served(evening()) as server:
        send(server.phone(), codes(server)[0], (211, 188, 240))
        for page in ("a-round.html", "a-names.html", "data.json"):
            answer = server.client().get(page)
            assert "211" not in answer.text


def test_the_phone_goes_to_the_next_game_without_a_code() -> None:
    with served(evening()) as server:
        phone = server.phone()
        phone.get("enter", params={"code": codes(server)[0]})
        page = phone.get("enter", follow_redirects=True)
        assert "Points of P1" in page.text
