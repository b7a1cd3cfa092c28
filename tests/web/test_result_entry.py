"""Tests of the entry page: two players send a result from two phones, or the server refuses their forms."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from urllib.parse import urlencode

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.problems import find_division_problems
from tdapp.domain.slip import make_player_code
from tdapp.domain.tournament import Tournament
from tdapp.web import result_entry
from tdapp.web.rate_limits import parse_form_strictly
from tdapp.web.result_entry import FIELDS, MAX_CODE_LENGTH, STATION, ResultFormFields
from tdapp.web.shown_tournament import ShownTournament, WebServerResources
from tdapp.web.site import Templates
from tests.building import DIVISION, RESOURCES
from tests.web.page_checks import iterate_elements, parse_page, read_element_text, read_notice
from tests.web.running_server import RunningServer, make_http_client, make_unfinished_tournament, run_server


def send_result(
    client: httpx.Client, code: str, own_points: object, other_points: object, **fields: str
) -> httpx.Response:
    data = {"code": code, "own": str(own_points), "other": str(other_points), **fields}
    return client.post("enter", data=data, follow_redirects=True)


def test_entry_page_code_opens_its_game() -> None:
    with run_server() as server:
        game = server.get_game(2)
        codes = server.get_codes(2)
        assert len(codes) == 2
        for code in codes:
            page = server.make_client().get("enter", params={"code": f"{code[:4].lower()} - {code[4:]}"})
            labels = [
                read_element_text(element) for element in iterate_elements(parse_page(page.content), "label")
            ]
            assert labels == [
                f"{server.tournament.players[player].name}’s points" for player in (game.first, game.second)
            ]


def test_entry_page_has_points_in_the_order_of_the_slip() -> None:
    with run_server() as server:
        _, second = server.get_codes(2)
        waiting_page = send_result(server.make_phone(), second, 388, 412)
        assert read_notice(waiting_page).startswith("You have entered 412 – 388.")
        page = server.make_client().get("enter", params={"code": second})
        values = {
            element.attrib["name"]: element.attrib["value"]
            for element in iterate_elements(parse_page(page.content), "input")
        }
        assert (values["own"], values["other"]) == ("388", "412")
        assert list(values).index("other") < list(values).index("own")


def test_entry_page_two_phones_make_a_result() -> None:
    with run_server() as server:
        first, second = server.get_codes(2)
        waiting_page = send_result(server.make_phone(), first, 412, 388)
        assert read_notice(waiting_page).startswith("You have entered 412 – 388.")
        assert not server.tournament.results.get(server.get_game(2).id)
        answer = send_result(server.make_phone(), second, 388, 412)
        assert read_notice(answer).startswith("The result of table 2 is in")
        result = server.tournament.results[server.get_game(2).id]
        assert (result.first, result.second) == (412, 388)
        assert [step.station for step in server.desk.list_all_steps()[-2:]] == [STATION, STATION]
        assert "412 – 388" in server.make_client().get("a-round.html").text


def test_entry_page_reports_different_entries() -> None:
    with run_server() as server:
        first, second = server.get_codes(2)
        send_result(server.make_phone(), first, 412, 388)
        page = send_result(server.make_phone(), second, 387, 412)
        assert "entered something else" in read_notice(page)
        assert "387 – 412" not in page.text
        problem_codes = [
            problem.code
            for problem in find_division_problems(
                TournamentIndex(server.tournament), server.tournament.divisions[DIVISION]
            )
        ]
        assert "slips-differ" in problem_codes
        assert read_notice(send_result(server.make_phone(), second, 388, 412)).startswith(
            "The result of table 2 is in"
        )


@pytest.mark.parametrize("cookies", [True, False])
def test_entry_page_sends_entries_of_one_phone_to_the_desk(cookies: bool) -> None:
    with run_server() as server:
        phone, slip_codes = server.make_phone(), server.get_codes(2)
        for code, points in zip(slip_codes, ((999, 650), (650, 999)), strict=True):
            phone.get("enter", params={"code": code})
            page = send_result(phone, code, *points)
            if not cookies:  # as in a private window
                phone.cookies.clear()
        game = server.get_game(2)
        assert "confirm" in read_notice(page)
        assert game.id not in server.tournament.results
        found_problems = find_division_problems(
            TournamentIndex(server.tournament), server.tournament.divisions[DIVISION]
        )
        assert "slips-one-device" in [problem.code for problem in found_problems]
        server.run_command(partial(commands.take_slips, game=game.id))
        assert server.tournament.results[game.id].first == 999
        server.thread.submit(server.desk.undo).result()
        assert game.id not in server.tournament.results


def test_entry_page_recognizes_a_phone_at_another_address() -> None:
    with run_server() as server:
        first, second = server.make_phone(), server.make_phone()
        codes = server.get_codes(2)
        first.get("enter", params={"code": codes[0]})
        second.cookies = first.cookies
        send_result(first, codes[0], 412, 388)
        assert "confirm" in read_notice(send_result(second, codes[1], 388, 412))


def test_entry_page_distinguishes_phones_by_cookie() -> None:
    with run_server(make_unfinished_tournament(16)) as server:
        phones = [
            (make_http_client(server.url), code) for table in range(1, 9) for code in server.get_codes(table)
        ]
        for index in (0, 1):  # all starters come first
            for client, code in phones[index::2]:
                client.get("enter", params={"code": code})
                send_result(client, code, *((412, 388) if index == 0 else (388, 412)))
                client.close()
        assert len([result for result in server.tournament.results.values() if result.first == 412]) == 8


def test_entry_page_sends_an_implausible_margin_to_the_desk() -> None:
    with run_server() as server:
        first, second = server.get_codes(2)
        send_result(server.make_phone(), first, 999, 1)
        assert read_notice(send_result(server.make_phone(), second, 1, 999)).startswith(
            "999 – 1 has been entered for both of you."
        )
        assert server.get_game(2).id not in server.tournament.results


def test_entry_page_keeps_an_existing_result() -> None:
    with run_server() as server:
        first, second = server.get_codes(2)
        server.run_command(partial(commands.enter_result, game=server.get_game(2).id, first=300, second=200))
        for code in (first, second):
            assert "has a result" in read_notice(send_result(server.make_phone(), code, 412, 388))
        assert server.tournament.results[server.get_game(2).id].first == 300
        assert not server.tournament.slips


def test_entry_page_shows_a_correction_at_the_desk() -> None:
    with run_server() as server:
        first, second = server.get_codes(1)
        send_result(server.make_phone(), first, 412, 388)
        send_result(server.make_phone(), second, 388, 412)
        server.run_command(partial(commands.clear_result, game=server.get_game(1).id))
        assert server.get_game(1).id not in server.tournament.results
        send_result(server.make_phone(), first, 400, 388)
        assert read_notice(send_result(server.make_phone(), second, 388, 400)).startswith(
            "The result of table 1 is in"
        )


def test_entry_page_can_be_closed_at_any_time() -> None:
    with run_server() as server:
        first, _ = server.get_codes(1)
        server.run_command(partial(commands.close_entry))
        assert "cannot be entered here" in read_notice(send_result(server.make_phone(), first, 412, 388))
        assert not server.tournament.slips
        assert b"Enter a result" not in server.make_client().get("").content


def test_entry_page_refuses_old_codes() -> None:
    with run_server() as server:
        first, _ = server.get_codes(1)
        server.run_command(partial(commands.renew_codes, key="another"))
        assert "not a slip code" in read_notice(server.make_client().get("enter", params={"code": first}))


def test_entry_page_is_off_without_write() -> None:
    with run_server(entry=False) as server:
        first, _ = server.get_codes(1)
        page = send_result(server.make_phone(), first, 412, 388)
        assert "cannot be entered here" in read_notice(page)
        assert not server.tournament.slips


def test_entry_page_waiting_entry_survives_a_restart() -> None:
    with run_server() as server:
        first, second = server.get_codes(1)
        send_result(server.make_phone(), first, 412, 388)
        value = server.thread.submit(server.desk.store.load_tournament_and_revision).result()[0]
    with run_server(value) as server:
        assert read_notice(send_result(server.make_phone(), second, 388, 412)).startswith(
            "The result of table 1 is in"
        )


@pytest.mark.slow
def test_entry_page_accepts_all_tables_at_once() -> None:
    with run_server(make_unfinished_tournament(48)) as server:
        entries = [
            code
            for table in range(1, 25)
            for code in zip(server.get_codes(table), ((412, 388), (388, 412)), strict=True)
        ]

        def send_entry(entry: tuple[str, tuple[int, int]]) -> int:
            return send_result(server.make_phone(), entry[0], *entry[1]).status_code

        with ThreadPoolExecutor(48) as phones:
            assert set(phones.map(send_entry, entries)) == {200}
        last = TournamentIndex(server.tournament).list_published_rounds(DIVISION)[-1]
        assert not TournamentIndex(server.tournament).list_open_games(last.id)


@pytest.mark.parametrize("points", ["", "9999999", "12.5", "\uff11\uff12", "-", "0x10", "412 ", "412\n"])
def test_entry_page_refuses_points_without_numbers(points: str) -> None:
    with run_server() as server:
        page = send_result(server.make_phone(), server.get_codes(1)[0], points, 388)
        assert page.status_code == 422 or not points
        assert not server.tournament.slips


def test_entry_page_refuses_impossible_points() -> None:
    with run_server() as server:
        assert "5000" in read_notice(send_result(server.make_phone(), server.get_codes(1)[0], 5000, 388))
        assert not server.tournament.slips


def test_entry_page_limits_tried_codes() -> None:
    with run_server() as server:
        client = server.make_client()
        answers = [client.get("enter", params={"code": f"BCDF{n:04}"}).status_code for n in range(30)]
        assert answers[0] == 200
        assert answers[-1] == 429
        assert (
            client.get("enter", params={"code": server.get_codes(1)[0]}).status_code == 200
        )  # of another player at this address
        assert client.get("a-round.html").status_code == 200


def test_entry_page_limits_sent_forms() -> None:
    with run_server() as server:
        client, code = server.make_client(), server.get_codes(1)[0]
        answers = {client.post("enter", data={"code": code, "own": n, "other": 1}).status_code for n in range(20)}
        assert answers == {303, 429}


BAD_FORMS = [
    b"",
    b"code",
    b"code=A&code=B&own=1&other=2",
    b"code=A&own=1&other=2&game=x",
    b"code=A&own=1&other=2&started=me&x=1&y=2&z=3",
    b"code=" + b"A" * 50,
    b"\xff\xfe=1",
    b"code=%FF&own=%00&other=%0A",
    b"&" * 1000,
    b"{}",
]


@pytest.mark.parametrize("data", BAD_FORMS)
def test_entry_page_refuses_foreign_forms(data: bytes) -> None:
    with run_server() as server:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = server.make_client().post("enter", content=data, headers=form)
        assert answer.status_code in {200, 400, 422}
        assert answer.status_code == 400 or "not a slip code" in read_notice(answer)
        assert not server.tournament.slips


def test_entry_page_refuses_other_content_types_and_sizes() -> None:
    with run_server() as server:
        client = server.make_client()
        assert client.post("enter", json={"code": "A"}).status_code == 415
        assert client.post("enter", files={"code": b"A"}).status_code == 415
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        assert client.post("enter", content=b"code=" + b"A" * 5000, headers=form).status_code == 413
        parts = (b"A" * 100 for _ in islice(iter(int, 1), 100))
        assert client.post("enter", content=parts, headers=form).status_code == 413


def list_entry_labels(server: RunningServer) -> set[str]:
    return {step.label for step in server.desk.list_all_steps() if step.station == STATION}


def test_server_refuses_other_methods() -> None:
    with run_server() as server:
        client = server.make_client()
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
            for path in ("", "a-round.html", "live", "version", "site.css"):
                assert client.request(method, path).status_code == 405, (method, path)
        for method in ("PUT", "DELETE", "PATCH"):
            assert client.request(method, "enter").status_code == 405
        assert list_entry_labels(server) == set()


FORMS = st.one_of(
    st.binary(max_size=300),
    st.dictionaries(st.sampled_from(["code", "own", "other", "started", "game"]), st.text(max_size=30)).map(
        lambda fields: urlencode(fields).encode()
    ),
)
PLAYING = make_unfinished_tournament()
STATE = ShownTournament(PLAYING, WebServerResources({}, Templates(RESOURCES / "site"), can_players_enter=True))
CODES = sorted(STATE.game_and_player_ids_by_slip_code)


@pytest.mark.slow
@given(FORMS)
def test_parse_form_accepts_or_refuses_any_form(data: bytes) -> None:
    try:
        form = ResultFormFields(**parse_form_strictly(data, FIELDS, MAX_CODE_LENGTH))
    except ValueError:
        return
    assert all(len(value) <= 40 for value in (form.code, form.own, form.other, form.started))
    assert result_entry.find_slip_by_code(STATE, form.code) is None


POINTS = st.one_of(st.integers(-9_999, 99_999).map(str), st.text(max_size=6))


@given(st.sampled_from(CODES), POINTS, POINTS, st.sampled_from(["", "me", "opponent", "x"]))
def test_make_slip_command_accepts_or_refuses_any_points(
    code: str, own_points: str, other_points: str, is_starter: str
) -> None:
    seat = result_entry.find_slip_by_code(STATE, code)
    assert seat is not None
    try:
        new_tournament: Tournament = result_entry.make_command_from_slip_form(
            seat, result_entry.ResultFormFields(code, own_points, other_points, is_starter), ""
        )(PLAYING)
    except CommandError:
        return
    assert [(slip.own, slip.other) for slip in new_tournament.slips.values()] == [
        (int(own_points), int(other_points))
    ]
    assert new_tournament.results == PLAYING.results


@pytest.mark.slow
def test_server_limits_attempts_of_one_address() -> None:
    with run_server() as server:
        client, code = server.make_client(), server.get_codes(1)[0]
        answers = [client.get("enter", params={"code": code}).status_code for _ in range(301)]
        assert (answers[0], answers[-1]) == (200, 429)


def test_entry_page_asks_a_known_phone_for_no_code() -> None:
    with run_server() as server:
        first, second = server.get_codes(1)
        client = server.make_phone()
        assert b'name="own"' not in client.get("enter").content
        client.get("enter", params={"code": first})
        assert client.get("enter").headers["location"] == f"enter?code={first}"
        client.get("enter", params={"code": second})  # for the opponent, who has no phone
        assert client.get("enter").headers["location"] == f"enter?code={first}"
        assert client.get("enter?other").status_code == 200
        for cookie in ("", "BCDF2345", make_player_code(server.tournament, server.get_game(1).first), first):
            assert server.make_client(Cookie=f"player={cookie}").get("enter").status_code == 200
        server.run_command(partial(commands.enter_result, game=server.get_game(1).id, first=400, second=300))
        assert client.get("enter").status_code == 200
