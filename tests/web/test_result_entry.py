"""Players enter their results: two codes, two phones, one result; and whatever else may be sent."""

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
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.problems import find_problems
from tdapp.domain.slip import make_player_code
from tdapp.domain.tournament import Tournament
from tdapp.web import result_entry
from tdapp.web.rate_limits import parse_form
from tdapp.web.result_entry import FIELDS, MAX_CODE_LENGTH, STATION, ResultFormFields
from tdapp.web.shown_tournament import PageContext, ShownTournament
from tdapp.web.site import Templates
from tests.building import DIVISION, RESOURCES
from tests.web.page_checks import each, parsed, text_of
from tests.web.running_server import Served, playing, served, visitor


def enter(client: httpx.Client, code: str, own: object, other: object, **more: str) -> httpx.Response:
    data = {"code": code, "own": str(own), "other": str(other), **more}
    return client.post("enter", data=data, follow_redirects=True)


def said(page: httpx.Response) -> str:
    found = [text_of(one) for one in each(parsed(page.content), "p") if "notice" in one.attrib.get("class", "")]
    return found[0] if found else ""


def test_entry_page_code_opens_its_game() -> None:
    with served() as room:
        game = room.game(2)
        codes = room.codes(2)
        assert len(codes) == 2
        for code in codes:
            page = room.client().get("enter", params={"code": f"{code[:4].lower()} - {code[4:]}"})
            labels = [text_of(one) for one in each(parsed(page.content), "label")]
            assert labels == [f"Points of {room.value.players[one].name}" for one in (game.first, game.second)]


def test_entry_page_has_points_in_the_order_of_the_slip() -> None:
    with served() as room:
        _, second = room.codes(2)
        waits = enter(room.phone(), second, 388, 412)
        assert said(waits).startswith("You have entered 412 – 388.")
        page = room.client().get("enter", params={"code": second})
        written = {one.attrib["name"]: one.attrib["value"] for one in each(parsed(page.content), "input")}
        assert (written["own"], written["other"]) == ("388", "412")
        assert list(written).index("other") < list(written).index("own")


def test_entry_page_two_phones_make_a_result() -> None:
    with served() as room:
        first, second = room.codes(2)
        waits = enter(room.phone(), first, 412, 388)
        assert said(waits).startswith("You have entered 412 – 388.")
        assert not room.value.results.get(room.game(2).id)
        done = enter(room.phone(), second, 388, 412)
        assert said(done).startswith("Table 2 has its result")
        result = room.value.results[room.game(2).id]
        assert (result.first, result.second) == (412, 388)
        assert [step.station for step in room.desk.history()[-2:]] == [STATION, STATION]
        assert "412 – 388" in room.client().get("a-round.html").text


def test_entry_page_reports_different_entries() -> None:
    with served() as room:
        first, second = room.codes(2)
        enter(room.phone(), first, 412, 388)
        page = enter(room.phone(), second, 387, 412)
        assert "entered something else" in said(page)
        assert "387 – 412" not in page.text
        found = [one.code for one in find_problems(Index(room.value), room.value.divisions[DIVISION])]
        assert "slips-differ" in found
        assert said(enter(room.phone(), second, 388, 412)).startswith("Table 2 has its result")


@pytest.mark.parametrize("cookies", [True, False])
def test_entry_page_one_phone_for_both_waits_for_the_desk(cookies: bool) -> None:
    with served() as room:
        phone, found = room.phone(), room.codes(2)
        for code, points in zip(found, ((999, 650), (650, 999)), strict=True):
            phone.get("enter", params={"code": code})
            page = enter(phone, code, *points)
            if not cookies:  # as in a private window
                phone.cookies.clear()
        game = room.game(2)
        assert "confirm" in said(page)
        assert game.id not in room.value.results
        found_problems = find_problems(Index(room.value), room.value.divisions[DIVISION])
        assert "slips-one-device" in [one.code for one in found_problems]
        room.do(partial(commands.take_slips, game=game.id))
        assert room.value.results[game.id].first == 999
        room.thread.submit(room.desk.undo).result()
        assert game.id not in room.value.results


def test_entry_page_knows_a_phone_at_another_address() -> None:
    with served() as room:
        first, second = room.phone(), room.phone()
        codes = room.codes(2)
        first.get("enter", params={"code": codes[0]})
        second.cookies = first.cookies
        enter(first, codes[0], 412, 388)
        assert "confirm" in said(enter(second, codes[1], 388, 412))


def test_entry_page_distinguishes_phones_by_cookie() -> None:
    with served(playing(16)) as room:
        phones = [(visitor(room.url), code) for table in range(1, 9) for code in room.codes(table)]
        for at in (0, 1):  # all who start come first
            for client, code in phones[at::2]:
                client.get("enter", params={"code": code})
                enter(client, code, *((412, 388) if at == 0 else (388, 412)))
                client.close()
        assert len([one for one in room.value.results.values() if one.first == 412]) == 8


def test_entry_page_implausible_margin_waits_for_the_desk() -> None:
    with served() as room:
        first, second = room.codes(2)
        enter(room.phone(), first, 999, 1)
        assert said(enter(room.phone(), second, 1, 999)).startswith("999 – 1 is entered for both of you.")
        assert room.game(2).id not in room.value.results


def test_entry_page_keeps_an_existing_result() -> None:
    with served() as room:
        first, second = room.codes(2)
        room.do(partial(commands.enter_result, game=room.game(2).id, first=300, second=200))
        for code in (first, second):
            assert "has a result" in said(enter(room.phone(), code, 412, 388))
        assert room.value.results[room.game(2).id].first == 300
        assert not room.value.slips


def test_entry_page_shows_a_correction_at_the_desk() -> None:
    with served() as room:
        first, second = room.codes(1)
        enter(room.phone(), first, 412, 388)
        enter(room.phone(), second, 388, 412)
        room.do(partial(commands.clear_result, game=room.game(1).id))
        assert room.game(1).id not in room.value.results
        enter(room.phone(), first, 400, 388)
        assert said(enter(room.phone(), second, 388, 400)).startswith("Table 1 has its result")


def test_entry_page_closes_at_any_time() -> None:
    with served() as room:
        first, _ = room.codes(1)
        room.do(partial(commands.close_entry))
        assert "not entered here" in said(enter(room.phone(), first, 412, 388))
        assert not room.value.slips
        assert b"Enter a result" not in room.client().get("").content


def test_entry_page_refuses_old_codes() -> None:
    with served() as room:
        first, _ = room.codes(1)
        room.do(partial(commands.renew_codes, key="another"))
        assert "not the code of a slip" in said(room.client().get("enter", params={"code": first}))


def test_entry_page_is_off_without_write() -> None:
    with served(entry=False) as room:
        first, _ = room.codes(1)
        page = enter(room.phone(), first, 412, 388)
        assert "not entered here" in said(page)
        assert not room.value.slips


def test_entry_page_waiting_entry_survives_a_restart() -> None:
    with served() as room:
        first, second = room.codes(1)
        enter(room.phone(), first, 412, 388)
        value = room.thread.submit(room.desk.store.load).result()[0]
    with served(value) as room:
        assert said(enter(room.phone(), second, 388, 412)).startswith("Table 1 has its result")


@pytest.mark.slow
def test_entry_page_accepts_all_tables_at_once() -> None:
    with served(playing(48)) as room:
        found = [
            code
            for table in range(1, 25)
            for code in zip(room.codes(table), ((412, 388), (388, 412)), strict=True)
        ]

        def send(entry: tuple[str, tuple[int, int]]) -> int:
            return enter(room.phone(), entry[0], *entry[1]).status_code

        with ThreadPoolExecutor(48) as phones:
            assert set(phones.map(send, found)) == {200}
        last = Index(room.value).published(DIVISION)[-1]
        assert not Index(room.value).open_games(last.id)


@pytest.mark.parametrize("points", ["", "9999999", "12.5", "\uff11\uff12", "-", "0x10", "412 ", "412\n"])
def test_entry_page_refuses_points_without_numbers(points: str) -> None:
    with served() as room:
        page = enter(room.phone(), room.codes(1)[0], points, 388)
        assert page.status_code == 422 or not points
        assert not room.value.slips


def test_entry_page_refuses_impossible_points() -> None:
    with served() as room:
        assert "5000" in said(enter(room.phone(), room.codes(1)[0], 5000, 388))
        assert not room.value.slips


def test_entry_page_limits_tried_codes() -> None:
    with served() as room:
        client = room.client()
        answers = [client.get("enter", params={"code": f"BCDF{n:04}"}).status_code for n in range(30)]
        assert answers[0] == 200
        assert answers[-1] == 429
        assert (
            client.get("enter", params={"code": room.codes(1)[0]}).status_code == 200
        )  # of another at this address
        assert client.get("a-round.html").status_code == 200


def test_entry_page_limits_sent_forms() -> None:
    with served() as room:
        client, code = room.client(), room.codes(1)[0]
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
    with served() as room:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = room.client().post("enter", content=data, headers=form)
        assert answer.status_code in {200, 400, 422}
        assert answer.status_code == 400 or "not the code of a slip" in said(answer)
        assert not room.value.slips


def test_entry_page_refuses_other_content_types_and_sizes() -> None:
    with served() as room:
        client = room.client()
        assert client.post("enter", json={"code": "A"}).status_code == 415
        assert client.post("enter", files={"code": b"A"}).status_code == 415
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        assert client.post("enter", content=b"code=" + b"A" * 5000, headers=form).status_code == 413
        parts = (b"A" * 100 for _ in islice(iter(int, 1), 100))
        assert client.post("enter", content=parts, headers=form).status_code == 413


def stations(room: Served) -> set[str]:
    return {step.label for step in room.desk.history() if step.station == STATION}


def test_server_refuses_other_methods() -> None:
    with served() as room:
        client = room.client()
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
            for path in ("", "a-round.html", "live", "version", "site.css"):
                assert client.request(method, path).status_code == 405, (method, path)
        for method in ("PUT", "DELETE", "PATCH"):
            assert client.request(method, "enter").status_code == 405
        assert stations(room) == set()


FORMS = st.one_of(
    st.binary(max_size=300),
    st.dictionaries(st.sampled_from(["code", "own", "other", "started", "game"]), st.text(max_size=30)).map(
        lambda fields: urlencode(fields).encode()
    ),
)
PLAYING = playing()
SHOWN = ShownTournament(PLAYING, PageContext({}, Templates(RESOURCES / "site"), entry=True))
CODES = sorted(SHOWN.seats_by_code)


@pytest.mark.slow
@given(FORMS)
def test_parse_form_accepts_or_refuses_any_form(data: bytes) -> None:
    try:
        sent = ResultFormFields(**parse_form(data, FIELDS, MAX_CODE_LENGTH))
    except ValueError:
        return
    assert all(len(value) <= 40 for value in (sent.code, sent.own, sent.other, sent.started))
    assert result_entry.find_slip_by_code(SHOWN, sent.code) is None


TYPED = st.one_of(st.integers(-9_999, 99_999).map(str), st.text(max_size=6))


@given(st.sampled_from(CODES), TYPED, TYPED, st.sampled_from(["", "me", "opponent", "x"]))
def test_make_slip_command_accepts_or_refuses_any_points(code: str, own: str, other: str, started: str) -> None:
    seat = result_entry.find_slip_by_code(SHOWN, code)
    assert seat is not None
    try:
        after: Tournament = result_entry.make_slip_command(
            seat, result_entry.ResultFormFields(code, own, other, started), ""
        )(PLAYING)
    except RuleViolation:
        return
    assert [(slip.own, slip.other) for slip in after.slips.values()] == [(int(own), int(other))]
    assert after.results == PLAYING.results


@pytest.mark.slow
def test_server_limits_tries_of_an_address() -> None:
    with served() as room:
        client, code = room.client(), room.codes(1)[0]
        answers = [client.get("enter", params={"code": code}).status_code for _ in range(301)]
        assert (answers[0], answers[-1]) == (200, 429)


def test_entry_page_known_phone_needs_no_code() -> None:
    with served() as room:
        first, second = room.codes(1)
        client = room.phone()
        assert b'name="own"' not in client.get("enter").content
        client.get("enter", params={"code": first})
        assert client.get("enter").headers["location"] == f"enter?code={first}"
        client.get("enter", params={"code": second})  # for the opponent, who has no phone
        assert client.get("enter").headers["location"] == f"enter?code={first}"
        assert client.get("enter?other").status_code == 200
        for cookie in ("", "BCDF2345", make_player_code(room.value, room.game(1).first), first):
            assert room.client(Cookie=f"player={cookie}").get("enter").status_code == 200
        room.do(partial(commands.enter_result, game=room.game(1).id, first=400, second=300))
        assert client.get("enter").status_code == 200
