"""Tests of the check-in page: players type their names, confirm them, and appear in the history."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tdapp.domain import commands
from tdapp.domain.model import PlayerId, PublicNameFormat
from tdapp.domain.slip import make_player_code, make_tablet_code
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.web.check_in_page import find_players_by_name
from tdapp.web.rate_limits import RateLimiter
from tdapp.web.result_entry import STATION
from tests.building import DIVISION
from tests.web.page_checks import iterate_elements, parse_page, read_element_text, read_notice
from tests.web.running_server import RunningServer, make_unfinished_tournament, run_server

NAMES = {
    "p1": "Åström-Łukasz, Øyvind", "p2": "Jan de Vries", "p3": "Vries, Jan de", "p4": "O’Neil, Zoë Maria",
    "p5": "Berg, Anna", "p6": "Berg, Ida",
}  # fmt: skip


def make_check_in_tournament(players: int = 8) -> Tournament:
    """Return a tournament with international names and open check-in, before round 2."""
    value = make_unfinished_tournament(players, rounds=1, entry=False)
    for key, name in NAMES.items():
        value = commands.edit_player(
            value, player=PlayerId(key), name=name, club={"p2": "Oslo", "p3": "Gent"}.get(key, "")
        )
    return commands.open_check_in(value)


def send_name(client: httpx.Client, name: str, **fields: str) -> httpx.Response:
    """Send a name from the check-in form."""
    return client.post("check-in", data={"name": name, **fields})


def confirm_name(client: httpx.Client, page: httpx.Response, **changes: str) -> httpx.Response:
    """Send the confirmation form of a page."""
    fields = {
        element.attrib["name"]: element.attrib.get("value", "")
        for element in iterate_elements(parse_page(page.content), "input")
    }
    return client.post("check-in", data={**fields, **changes}, follow_redirects=True)


def read_question(page: httpx.Response) -> list[str]:
    """Return the player details in the question of a page. Return [] without a question."""
    return [read_element_text(element) for element in iterate_elements(parse_page(page.content), "dd")]


def list_present_players(server: RunningServer) -> set[str]:
    return {player.id for player in server.tournament.players.values() if player.checked_in}


@pytest.mark.parametrize(
    ("typed_name", "player_id"),
    [
        ("Øyvind Åström-Łukasz", "p1"),
        ("oyvind astrom lukasz", "p1"),
        ("ASTROM-LUKASZ,  Oyvind", "p1"),
        ("Zoe O'Neil", "p4"),
        ("oneil zoe maria", "p4"),
        ("Anna Berg", "p5"),
        ("Anna Sofie Berg", "p5"),
        ("berg ida", "p6"),
        ("P7", "p7"),
    ],
)
def test_find_players_by_name_as_people_type_it(typed_name: str, player_id: str) -> None:
    assert [player.id for player in find_players_by_name(make_check_in_tournament(), typed_name)] == [player_id]


@pytest.mark.parametrize("typed_name", ["", " ", "Berg", "Anna", "Anna B", "Somebody Else", "!", "p", "Ann Berg"])
def test_find_players_by_name_ignores_half_a_name(typed_name: str) -> None:
    assert find_players_by_name(make_check_in_tournament(), typed_name) == ()


def test_check_in_page_asks_and_checks_in() -> None:
    with run_server(make_check_in_tournament()) as server:
        phone = server.make_phone()
        page = send_name(phone, "anna berg")
        assert read_element_text(next(iterate_elements(parse_page(page.content), "h1"))) == "Is this you?"
        assert read_question(page) == ["Berg, Anna", "5"]
        assert not list_present_players(server)
        answer = confirm_name(phone, page)
        assert read_notice(answer) == "You are checked in."
        assert list_present_players(server) == {"p5"}
        step = server.desk.list_all_steps()[-1]
        assert (step.station, step.label, step.facts["player"]) == (STATION, "arrive", "Berg, Anna")
        assert step.facts["device"]
        server.run_command(partial(commands.check_in, players=(PlayerId("p5"),), present=False))
        assert not list_present_players(server)


def test_check_in_page_lists_no_names() -> None:
    with run_server(make_check_in_tournament()) as server:
        page = server.make_client().get("check-in")
        assert not any(name in page.text for name in ("Berg", "Vries", "P7"))
        assert "Berg" not in send_name(server.make_phone(), "Anna").text


def test_check_in_page_distinguishes_namesakes() -> None:
    with run_server(make_check_in_tournament()) as server:
        phone = server.make_phone()
        page = send_name(phone, "Jan de Vries")
        assert read_notice(page).startswith("Several players have this name")
        assert "Oslo" not in page.text
        for details, number in (("oslo", "2"), ("3", "3"), ("A3", "3"), ("a 2", "2")):
            assert number in read_question(send_name(phone, "Jan de Vries", more=details)), details
        assert read_notice(send_name(phone, "Jan de Vries", more="Paris")).startswith("No player has this name")
        confirm_name(phone, send_name(phone, "de Vries, Jan", more="Gent"))
        assert list_present_players(server) == {"p3"}


def test_check_in_page_sends_unknown_players_to_the_desk() -> None:
    with run_server(make_check_in_tournament()) as server:
        page = send_name(server.make_phone(), "Nobody Known")
        assert read_notice(page).endswith("go to the desk.")
        assert 'value="Nobody Known"' in page.text, "the page lost the typed name"


def test_check_in_page_accepts_a_present_player_again() -> None:
    with run_server(make_check_in_tournament()) as server:
        phone = server.make_phone()
        confirm_name(phone, send_name(phone, "Anna Berg"))
        steps = len(server.desk.list_all_steps())
        assert read_notice(confirm_name(phone, send_name(phone, "Anna Berg"))) == "You are checked in."
        assert len(server.desk.list_all_steps()) == steps


def test_check_in_page_sends_absent_players_to_the_desk() -> None:
    value = commands.withdraw_player(make_check_in_tournament(), key="w", player=PlayerId("p5"))
    value = commands.set_absence(value, key="a", player=PlayerId("p6"), first_round=2)
    with run_server(value) as server:
        phone = server.make_phone()
        refusal = confirm_name(phone, send_name(phone, "Anna Berg"))
        assert (refusal.status_code, read_notice(refusal)) == (
            422,
            "Berg, Anna has withdrawn. Go to the desk if you want to play.",
        )
        assert "marked as absent in round 2" in read_notice(confirm_name(phone, send_name(phone, "Ida Berg")))
        assert not list_present_players(server)


def test_check_in_page_is_off_by_default() -> None:
    with run_server(commands.close_check_in(make_check_in_tournament())) as server:
        phone = server.make_phone()
        assert read_notice(phone.get("check-in")).startswith("Check-in here is closed")
        assert read_notice(send_name(phone, "Anna Berg")).startswith("Check-in here is closed")
        assert read_notice(phone.post("check-in", data={"player": "p5"})).startswith("Check-in here is closed")
        assert "check-in" not in phone.get("").text
        server.run_command(partial(commands.open_check_in))
        assert "check-in" in phone.get("").text
        assert read_question(send_name(phone, "Anna Berg"))
        server.run_command(partial(commands.close_check_in))
        assert read_notice(phone.post("check-in", data={"player": "p5"})).startswith("Check-in here is closed")
        assert not list_present_players(server)


def test_check_in_page_is_off_without_write() -> None:
    with run_server(make_check_in_tournament(), entry=False) as server:
        assert read_notice(send_name(server.make_phone(), "Anna Berg")).startswith("Check-in here is closed")
        assert not list_present_players(server)


@pytest.mark.slow
def test_check_in_page_accepts_all_players_at_once() -> None:
    with run_server(make_check_in_tournament(8)) as server:
        names = [*NAMES.values(), "P7", "P8"]
        details = {NAMES["p2"]: "oslo", NAMES["p3"]: "gent"}

        def check_in(name: str) -> str:
            phone = server.make_phone()
            return read_notice(confirm_name(phone, send_name(phone, name, more=details.get(name, ""))))

        with ThreadPoolExecutor(8) as phones:
            assert set(phones.map(check_in, names * 2)) == {"You are checked in."}
        assert len(list_present_players(server)) == 8
        assert len([step for step in server.desk.list_all_steps() if step.label == "arrive"]) == 8


def test_check_in_page_limits_phones_but_not_tablets() -> None:
    with run_server(make_check_in_tournament(12)) as server:
        phone, names = server.make_phone(), [f"P{number}" for number in range(7, 13)]
        phone.get("check-in")
        pages = [confirm_name(phone, send_name(phone, name)) for name in names[:4]]
        assert [page.status_code for page in pages] == [200, 200, 200, 429]
        assert "must go to the desk" in read_notice(pages[-1])
        tablet = make_tablet_code(server.tournament)
        for name in names[3:]:
            page = confirm_name(phone, send_name(phone, name, tablet=tablet))
            assert read_notice(page) == "You are checked in.", name
        assert len(list_present_players(server)) == 6
        assert {step.facts["device"] for step in server.desk.list_all_steps()[-3:]} == {"tablet"}


def test_check_in_page_needs_the_right_tablet_code() -> None:
    with run_server(make_check_in_tournament()) as server:
        page = server.make_client().get("check-in", params={"tablet": "BCDFGHJK"})
        assert "data-back" not in page.text
        tablet_code = server.make_client().get("check-in", params={"tablet": make_tablet_code(server.tournament)})
        assert "data-back" in tablet_code.text


def test_check_in_page_keeps_the_tablet_mode_after_a_refusal() -> None:
    with run_server(make_check_in_tournament()) as server:
        client, tablet = server.make_client(), make_tablet_code(server.tournament)
        server.web_server._pages._request_limit = RateLimiter(0, 60)
        page = send_name(client, "Anna Berg", tablet=tablet)
        assert page.status_code == 429
        assert "data-back" in page.text


def test_check_in_page_limits_tried_names() -> None:
    with run_server(make_check_in_tournament()) as server:
        phone = server.make_phone()
        answers = [send_name(phone, f"Nobody Number {number}") for number in range(35)]
        assert (answers[0].status_code, answers[-1].status_code) == (200, 429)
        assert read_notice(answers[-1]).startswith("Too many tries")
        assert send_name(phone, "Anna Berg").status_code == 200


def test_check_in_page_leads_to_the_own_page() -> None:
    with run_server(make_check_in_tournament()) as server:
        phone, tablet = server.make_phone(), make_tablet_code(server.tournament)
        page = confirm_name(phone, send_name(phone, "Anna Berg"))
        link = next(
            element.attrib["href"]
            for element in iterate_elements(parse_page(page.content), "a")
            if "me?" in element.attrib["href"]
        )
        assert parse_qs(urlsplit(link).query) == {"code": [make_player_code(server.tournament, PlayerId("p5"))]}
        assert "Berg, Anna" in phone.get(link).text
        page = confirm_name(phone, send_name(phone, "Ida Berg", tablet=tablet))
        assert "me?code" not in page.text
        assert len(list(iterate_elements(parse_page(page.content), "dd"))) == 2
        assert "<svg" in page.text


def test_check_in_page_shows_the_fee_without_payments() -> None:
    value = commands.edit_event(make_check_in_tournament(), currency="kr")
    value = commands.add_fee(value, key="f", division=DIVISION, amount=15000)
    value = commands.note_paid(value, players=(PlayerId("p5"),))
    with run_server(value) as server:
        pages = [
            confirm_name(phone, send_name(phone, name))
            for name in ("Anna Berg", "Ida Berg")
            for phone in (server.make_phone(),)
        ]
        fees = [
            [
                read_element_text(element)
                for element in iterate_elements(parse_page(page.content), "p")
                if "fee" in read_element_text(element)
            ]
            for page in pages
        ]
        assert fees == [["The entry fee is 150.00 kr. If you have not paid it yet, pay at the desk."]] * 2
        for path in ("a-players.html", "a-player-5.html", "data.json", "tourney.js"):
            assert "150.00" not in server.make_client().get(path).text


@pytest.mark.parametrize("names", [PublicNameFormat.INITIAL, PublicNameFormat.NUMBER])
def test_check_in_page_hides_private_names(names: PublicNameFormat) -> None:
    value = commands.set_names_shown(make_check_in_tournament(), names=names, details=False)
    with run_server(commands.withdraw_player(value, key="w", player=PlayerId("p3"))) as server:
        phone = server.make_phone()
        page = send_name(phone, "jan de vries")
        assert read_question(page)[0].removesuffix(" (2)") in {"#2", "Jan de V."}
        assert "Vries" not in page.text
        assert "Oslo" not in page.text
        server.run_command(partial(commands.withdraw_player, key="v", player=PlayerId("p2")))
        assert "Vries" not in confirm_name(phone, page).text


BAD_FORMS = [
    b"", b"name", b"name=A&name=B", b"name=A&x=1", b"name=" + b"A" * 300, b"\xff=1", b"{}", b"player=",
    b"player=no&tablet=no", b"name=%00%FF", b"&" * 1000, b"name=" + b"%F0%9F%98%80" * 20,
]  # fmt: skip


def test_check_in_page_refuses_foreign_forms() -> None:
    with run_server(make_check_in_tournament()) as server:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        for data in BAD_FORMS:
            answer = server.make_client().post("check-in", content=data, headers=form)
            assert answer.status_code in {200, 400}, data
        assert not list_present_players(server)
        assert server.make_client().post("check-in", json={"player": "p5"}).status_code == 415
        assert server.make_client().put("check-in").status_code == 405


def test_check_in_page_escapes_names() -> None:
    with run_server(make_check_in_tournament()) as server:
        page = send_name(server.make_phone(), '"><script>alert(1)</script>')
        assert "<script>alert" not in page.text
        assert page.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("language", LANGUAGES)
def test_check_in_page_in_four_languages(language: str) -> None:
    with run_server(make_check_in_tournament()) as server:
        pages = [
            server.make_client(**{"Accept-Language": language}).get(path)
            for path in ("check-in", "me", "me?code=BCDF2345")
        ]
        assert {next(iterate_elements(parse_page(page.content), "html")).attrib["lang"] for page in pages} == {
            language
        }
