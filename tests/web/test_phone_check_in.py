"""Players check in themselves: a typed name, a question, and a change in the history or a refusal."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tdapp.domain import commands
from tdapp.domain.model import NamesShown, PlayerId
from tdapp.domain.slip import make_player_code, make_tablet_code
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.web.check_in_page import find_players_by_name
from tdapp.web.rate_limits import RateLimit
from tdapp.web.result_entry import STATION
from tests.building import DIVISION
from tests.web.page_checks import iterate_elements, parsed, text_of
from tests.web.running_server import Served, playing, served

NAMES = {
    "p1": "Åström-Łukasz, Øyvind", "p2": "Jan de Vries", "p3": "Vries, Jan de", "p4": "O’Neil, Zoë Maria",
    "p5": "Berg, Anna", "p6": "Berg, Ida",
}  # fmt: skip


def hall(players: int = 8) -> Tournament:
    """Return a tournament before a round, with international names and an open check-in."""
    value = playing(players, rounds=1, entry=False)
    for key, name in NAMES.items():
        value = commands.edit_player(
            value, player=PlayerId(key), name=name, club={"p2": "Oslo", "p3": "Gent"}.get(key, "")
        )
    return commands.open_check_in(value)


def type_name(client: httpx.Client, name: str, **fields: str) -> httpx.Response:
    """Type a name on the page."""
    return client.post("check-in", data={"name": name, **fields})


def agree(client: httpx.Client, page: httpx.Response, **changes: str) -> httpx.Response:
    """Tap "yes"."""
    fields = {
        element.attrib["name"]: element.attrib.get("value", "")
        for element in iterate_elements(parsed(page.content), "input")
    }
    return client.post("check-in", data={**fields, **changes}, follow_redirects=True)


def read_notice(page: httpx.Response) -> str:
    texts = [
        text_of(element)
        for element in iterate_elements(parsed(page.content), "p")
        if "notice" in element.attrib.get("class", "")
    ]
    return texts[0] if texts else ""


def read_question(page: httpx.Response) -> list[str]:
    """Return the named player if the page asks for confirmation."""
    return [text_of(element) for element in iterate_elements(parsed(page.content), "dd")]


def list_present_players(served: Served) -> set[str]:
    return {player.id for player in served.value.players.values() if player.checked_in}


@pytest.mark.parametrize(
    ("typed", "meant"),
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
def test_find_players_by_name_as_people_type_it(typed: str, meant: str) -> None:
    assert [player.id for player in find_players_by_name(hall(), typed)] == [meant]


@pytest.mark.parametrize("typed", ["", " ", "Berg", "Anna", "Anna B", "Somebody Else", "!", "p", "Ann Berg"])
def test_find_players_by_name_ignores_half_a_name(typed: str) -> None:
    assert find_players_by_name(hall(), typed) == ()


def test_check_in_page_asks_and_checks_in() -> None:
    with served(hall()) as server:
        phone = server.phone()
        page = type_name(phone, "anna berg")
        assert text_of(next(iterate_elements(parsed(page.content), "h1"))) == "Is this you?"
        assert read_question(page) == ["Berg, Anna", "5"]
        assert not list_present_players(server)
        answer = agree(phone, page)
        assert read_notice(answer) == "You are checked in."
        assert list_present_players(server) == {"p5"}
        step = server.desk.history()[-1]
        assert (step.station, step.label, step.facts["player"]) == (STATION, "arrive", "Berg, Anna")
        assert step.facts["device"]
        server.do(partial(commands.check_in, players=(PlayerId("p5"),), present=False))
        assert not list_present_players(server)


def test_check_in_page_lists_no_names() -> None:
    with served(hall()) as server:
        page = server.client().get("check-in")
        assert not any(name in page.text for name in ("Berg", "Vries", "P7"))
        assert "Berg" not in type_name(server.phone(), "Anna").text


def test_check_in_page_distinguishes_namesakes() -> None:
    with served(hall()) as server:
        phone = server.phone()
        page = type_name(phone, "Jan de Vries")
        assert read_notice(page).startswith("Several players have this name")
        assert "Oslo" not in page.text
        for details, number in (("oslo", "2"), ("3", "3"), ("A3", "3"), ("a 2", "2")):
            assert number in read_question(type_name(phone, "Jan de Vries", more=details)), details
        assert read_notice(type_name(phone, "Jan de Vries", more="Paris")).startswith("No player has this name")
        agree(phone, type_name(phone, "de Vries, Jan", more="Gent"))
        assert list_present_players(server) == {"p3"}


def test_check_in_page_sends_unknown_players_to_the_desk() -> None:
    with served(hall()) as server:
        page = type_name(server.phone(), "Nobody Known")
        assert read_notice(page).endswith("go to the desk.")
        assert 'value="Nobody Known"' in page.text, "what was typed can be mended"


def test_check_in_page_accepts_a_present_player_again() -> None:
    with served(hall()) as server:
        phone = server.phone()
        agree(phone, type_name(phone, "Anna Berg"))
        steps = len(server.desk.history())
        assert read_notice(agree(phone, type_name(phone, "Anna Berg"))) == "You are checked in."
        assert len(server.desk.history()) == steps


def test_check_in_page_sends_absent_players_to_the_desk() -> None:
    value = commands.withdraw_player(hall(), key="w", player=PlayerId("p5"))
    value = commands.set_absence(value, key="a", player=PlayerId("p6"), first_round=2)
    with served(value) as server:
        phone = server.phone()
        refusal = agree(phone, type_name(phone, "Anna Berg"))
        assert (refusal.status_code, read_notice(refusal)) == (
            422,
            "Berg, Anna has withdrawn. Go to the desk if you want to play.",
        )
        assert "set absent in round 2" in read_notice(agree(phone, type_name(phone, "Ida Berg")))
        assert not list_present_players(server)


def test_check_in_page_is_off_by_default() -> None:
    with served(commands.close_check_in(hall())) as server:
        phone = server.phone()
        assert read_notice(phone.get("check-in")).startswith("Check-in here is closed")
        assert read_notice(type_name(phone, "Anna Berg")).startswith("Check-in here is closed")
        assert read_notice(phone.post("check-in", data={"player": "p5"})).startswith("Check-in here is closed")
        assert "check-in" not in phone.get("").text
        server.do(partial(commands.open_check_in))
        assert "check-in" in phone.get("").text
        assert read_question(type_name(phone, "Anna Berg"))
        server.do(partial(commands.close_check_in))
        assert read_notice(phone.post("check-in", data={"player": "p5"})).startswith("Check-in here is closed")
        assert not list_present_players(server)


def test_check_in_page_is_off_without_write() -> None:
    with served(hall(), entry=False) as server:
        assert read_notice(type_name(server.phone(), "Anna Berg")).startswith("Check-in here is closed")
        assert not list_present_players(server)


@pytest.mark.slow
def test_check_in_page_accepts_all_players_at_once() -> None:
    with served(hall(8)) as server:
        names = [*NAMES.values(), "P7", "P8"]
        details = {NAMES["p2"]: "oslo", NAMES["p3"]: "gent"}

        def check_in(name: str) -> str:
            phone = server.phone()
            return read_notice(agree(phone, type_name(phone, name, more=details.get(name, ""))))

        with ThreadPoolExecutor(8) as phones:
            assert set(phones.map(check_in, names * 2)) == {"You are checked in."}
        assert len(list_present_players(server)) == 8
        assert len([step for step in server.desk.history() if step.label == "arrive"]) == 8


def test_check_in_page_limits_phones_but_not_tablets() -> None:
    with served(hall(12)) as server:
        phone, names = server.phone(), [f"P{number}" for number in range(7, 13)]
        phone.get("check-in")
        pages = [agree(phone, type_name(phone, name)) for name in names[:4]]
        assert [page.status_code for page in pages] == [200, 200, 200, 429]
        assert "goes to the desk" in read_notice(pages[-1])
        tablet = make_tablet_code(server.value)
        for name in names[3:]:
            page = agree(phone, type_name(phone, name, tablet=tablet))
            assert read_notice(page) == "You are checked in.", name
        assert len(list_present_players(server)) == 6
        assert {step.facts["device"] for step in server.desk.history()[-3:]} == {"tablet"}


def test_check_in_page_wrong_code_makes_no_tablet() -> None:
    with served(hall()) as server:
        page = server.client().get("check-in", params={"tablet": "BCDFGHJK"})
        assert "data-back" not in page.text
        right = server.client().get("check-in", params={"tablet": make_tablet_code(server.value)})
        assert "data-back" in right.text


def test_check_in_page_refused_tablet_stays_a_tablet() -> None:
    with served(hall()) as server:
        client, tablet = server.client(), make_tablet_code(server.value)
        server.web_server._pages._request_limit = RateLimit(0, 60)
        page = type_name(client, "Anna Berg", tablet=tablet)
        assert page.status_code == 429
        assert "data-back" in page.text


def test_check_in_page_limits_tried_names() -> None:
    with served(hall()) as server:
        phone = server.phone()
        answers = [type_name(phone, f"Nobody Number {number}") for number in range(35)]
        assert (answers[0].status_code, answers[-1].status_code) == (200, 429)
        assert read_notice(answers[-1]).startswith("Too many tries")
        assert type_name(phone, "Anna Berg").status_code == 200


def test_check_in_page_leads_to_the_own_page() -> None:
    with served(hall()) as server:
        phone, tablet = server.phone(), make_tablet_code(server.value)
        page = agree(phone, type_name(phone, "Anna Berg"))
        link = next(
            element.attrib["href"]
            for element in iterate_elements(parsed(page.content), "a")
            if "me?" in element.attrib["href"]
        )
        assert parse_qs(urlsplit(link).query) == {"code": [make_player_code(server.value, PlayerId("p5"))]}
        assert "Berg, Anna" in phone.get(link).text
        page = agree(phone, type_name(phone, "Ida Berg", tablet=tablet))
        assert "me?code" not in page.text
        assert len(list(iterate_elements(parsed(page.content), "dd"))) == 2
        assert "<svg" in page.text


def test_check_in_page_shows_the_fee_but_no_payment() -> None:
    value = commands.edit_event(hall(), currency="kr")
    value = commands.add_fee(value, key="f", division=DIVISION, amount=15000)
    value = commands.note_paid(value, players=(PlayerId("p5"),))
    with served(value) as server:
        pages = [
            agree(phone, type_name(phone, name))
            for name in ("Anna Berg", "Ida Berg")
            for phone in (server.phone(),)
        ]
        fees = [
            [
                text_of(element)
                for element in iterate_elements(parsed(page.content), "p")
                if "fee" in text_of(element)
            ]
            for page in pages
        ]
        assert fees == [["The entry fee is 150.00 kr. If you have not paid it yet, pay at the desk."]] * 2
        for path in ("a-players.html", "a-player-5.html", "data.json", "tourney.js"):
            assert "150.00" not in server.client().get(path).text


@pytest.mark.parametrize("names", [NamesShown.INITIAL, NamesShown.NUMBER])
def test_check_in_page_hides_private_names(names: NamesShown) -> None:
    value = commands.set_names_shown(hall(), names=names, details=False)
    with served(commands.withdraw_player(value, key="w", player=PlayerId("p3"))) as server:
        phone = server.phone()
        page = type_name(phone, "jan de vries")
        assert read_question(page)[0].removesuffix(" (2)") in {"#2", "Jan de V."}
        assert "Vries" not in page.text
        assert "Oslo" not in page.text
        server.do(partial(commands.withdraw_player, key="v", player=PlayerId("p2")))
        assert "Vries" not in agree(phone, page).text


BAD_FORMS = [
    b"", b"name", b"name=A&name=B", b"name=A&x=1", b"name=" + b"A" * 300, b"\xff=1", b"{}", b"player=",
    b"player=no&tablet=no", b"name=%00%FF", b"&" * 1000, b"name=" + b"%F0%9F%98%80" * 20,
]  # fmt: skip


def test_check_in_page_refuses_foreign_forms() -> None:
    with served(hall()) as server:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        for data in BAD_FORMS:
            answer = server.client().post("check-in", content=data, headers=form)
            assert answer.status_code in {200, 400}, data
        assert not list_present_players(server)
        assert server.client().post("check-in", json={"player": "p5"}).status_code == 415
        assert server.client().put("check-in").status_code == 405


def test_check_in_page_escapes_names() -> None:
    with served(hall()) as server:
        page = type_name(server.phone(), '"><script>alert(1)</script>')
        assert "<script>alert" not in page.text
        assert page.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("language", LANGUAGES)
def test_check_in_page_in_four_languages(language: str) -> None:
    with served(hall()) as server:
        pages = [
            server.client(**{"Accept-Language": language}).get(path)
            for path in ("check-in", "me", "me?code=BCDF2345")
        ]
        assert {next(iterate_elements(parsed(page.content), "html")).attrib["lang"] for page in pages} == {
            language
        }
