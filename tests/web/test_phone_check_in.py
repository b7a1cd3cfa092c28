"""Players check in by themselves: a typed name, a question, a change in the history or a way to the desk."""

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
from tests.web.page_checks import each, parsed, text_of
from tests.web.running_server import Served, playing, served

NAMES = {
    "p1": "Åström-Łukasz, Øyvind", "p2": "Jan de Vries", "p3": "Vries, Jan de", "p4": "O’Neil, Zoë Maria",
    "p5": "Berg, Anna", "p6": "Berg, Ida",
}  # fmt: skip


def hall(players: int = 8) -> Tournament:
    """Return a tournament of which a round is to come, with names from everywhere, where players check in."""
    value = playing(players, rounds=1, entry=False)
    for key, name in NAMES.items():
        value = commands.edit_player(
            value, player=PlayerId(key), name=name, club={"p2": "Oslo", "p3": "Gent"}.get(key, "")
        )
    return commands.open_check_in(value)


def say(client: httpx.Client, name: str, **more: str) -> httpx.Response:
    """Type a name on the page."""
    return client.post("check-in", data={"name": name, **more})


def agree(client: httpx.Client, page: httpx.Response, **more: str) -> httpx.Response:
    """Tap "yes"."""
    fields = {one.attrib["name"]: one.attrib.get("value", "") for one in each(parsed(page.content), "input")}
    return client.post("check-in", data={**fields, **more}, follow_redirects=True)


def told(page: httpx.Response) -> str:
    found = [text_of(one) for one in each(parsed(page.content), "p") if "notice" in one.attrib.get("class", "")]
    return found[0] if found else ""


def asks(page: httpx.Response) -> list[str]:
    """Return the named player if the page asks for confirmation."""
    return [text_of(one) for one in each(parsed(page.content), "dd")]


def here(room: Served) -> set[str]:
    return {one.id for one in room.value.players.values() if one.checked_in}


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
    assert [one.id for one in find_players_by_name(hall(), typed)] == [meant]


@pytest.mark.parametrize("typed", ["", " ", "Berg", "Anna", "Anna B", "Somebody Else", "!", "p", "Ann Berg"])
def test_find_players_by_name_ignores_half_a_name(typed: str) -> None:
    assert find_players_by_name(hall(), typed) == ()


def test_check_in_page_asks_and_checks_in() -> None:
    with served(hall()) as room:
        phone = room.phone()
        page = say(phone, "anna berg")
        assert text_of(next(each(parsed(page.content), "h1"))) == "Is this you?"
        assert asks(page) == ["Berg, Anna", "5"]
        assert not here(room)
        done = agree(phone, page)
        assert told(done) == "You are checked in."
        assert here(room) == {"p5"}
        step = room.desk.history()[-1]
        assert (step.station, step.label, step.facts["player"]) == (STATION, "arrive", "Berg, Anna")
        assert step.facts["device"]
        room.do(partial(commands.check_in, players=(PlayerId("p5"),), present=False))
        assert not here(room)


def test_check_in_page_lists_no_names() -> None:
    with served(hall()) as room:
        page = room.client().get("check-in")
        assert not any(name in page.text for name in ("Berg", "Vries", "P7"))
        assert "Berg" not in say(room.phone(), "Anna").text


def test_check_in_page_distinguishes_namesakes() -> None:
    with served(hall()) as room:
        phone = room.phone()
        page = say(phone, "Jan de Vries")
        assert told(page).startswith("Several players have this name")
        assert "Oslo" not in page.text
        for more, number in (("oslo", "2"), ("3", "3"), ("A3", "3"), ("a 2", "2")):
            assert number in asks(say(phone, "Jan de Vries", more=more)), more
        assert told(say(phone, "Jan de Vries", more="Paris")).startswith("No player has this name")
        agree(phone, say(phone, "de Vries, Jan", more="Gent"))
        assert here(room) == {"p3"}


def test_check_in_page_sends_unknown_players_to_the_desk() -> None:
    with served(hall()) as room:
        page = say(room.phone(), "Nobody Known")
        assert told(page).endswith("go to the desk.")
        assert 'value="Nobody Known"' in page.text, "what was typed can be mended"


def test_check_in_page_accepts_a_present_player_again() -> None:
    with served(hall()) as room:
        phone = room.phone()
        agree(phone, say(phone, "Anna Berg"))
        steps = len(room.desk.history())
        assert told(agree(phone, say(phone, "Anna Berg"))) == "You are checked in."
        assert len(room.desk.history()) == steps


def test_check_in_page_sends_absent_players_to_the_desk() -> None:
    value = commands.withdraw_player(hall(), key="w", player=PlayerId("p5"))
    value = commands.set_absence(value, key="a", player=PlayerId("p6"), first_round=2)
    with served(value) as room:
        phone = room.phone()
        gone = agree(phone, say(phone, "Anna Berg"))
        assert (gone.status_code, told(gone)) == (
            422,
            "Berg, Anna has withdrawn. Go to the desk if you want to play.",
        )
        assert "set absent in round 2" in told(agree(phone, say(phone, "Ida Berg")))
        assert not here(room)


def test_check_in_page_is_off_by_default() -> None:
    with served(commands.close_check_in(hall())) as room:
        phone = room.phone()
        assert told(phone.get("check-in")).startswith("Check-in here is closed")
        assert told(say(phone, "Anna Berg")).startswith("Check-in here is closed")
        assert told(phone.post("check-in", data={"player": "p5"})).startswith("Check-in here is closed")
        assert "check-in" not in phone.get("").text
        room.do(partial(commands.open_check_in))
        assert "check-in" in phone.get("").text
        assert asks(say(phone, "Anna Berg"))
        room.do(partial(commands.close_check_in))
        assert told(phone.post("check-in", data={"player": "p5"})).startswith("Check-in here is closed")
        assert not here(room)


def test_check_in_page_is_off_without_write() -> None:
    with served(hall(), entry=False) as room:
        assert told(say(room.phone(), "Anna Berg")).startswith("Check-in here is closed")
        assert not here(room)


@pytest.mark.slow
def test_check_in_page_accepts_all_players_at_once() -> None:
    with served(hall(8)) as room:
        names = [*NAMES.values(), "P7", "P8"]
        more = {NAMES["p2"]: "oslo", NAMES["p3"]: "gent"}

        def come(name: str) -> str:
            phone = room.phone()
            return told(agree(phone, say(phone, name, more=more.get(name, ""))))

        with ThreadPoolExecutor(8) as phones:
            assert set(phones.map(come, names * 2)) == {"You are checked in."}
        assert len(here(room)) == 8
        assert len([step for step in room.desk.history() if step.label == "arrive"]) == 8


def test_check_in_page_limits_phones_but_not_tablets() -> None:
    with served(hall(12)) as room:
        phone, names = room.phone(), [f"P{number}" for number in range(7, 13)]
        phone.get("check-in")
        pages = [agree(phone, say(phone, name)) for name in names[:4]]
        assert [page.status_code for page in pages] == [200, 200, 200, 429]
        assert "goes to the desk" in told(pages[-1])
        tablet = make_tablet_code(room.value)
        for name in names[3:]:
            page = agree(phone, say(phone, name, tablet=tablet))
            assert told(page) == "You are checked in.", name
        assert len(here(room)) == 6
        assert {step.facts["device"] for step in room.desk.history()[-3:]} == {"tablet"}


def test_check_in_page_wrong_code_makes_no_tablet() -> None:
    with served(hall()) as room:
        page = room.client().get("check-in", params={"tablet": "BCDFGHJK"})
        assert "data-back" not in page.text
        right = room.client().get("check-in", params={"tablet": make_tablet_code(room.value)})
        assert "data-back" in right.text


def test_check_in_page_refused_tablet_stays_a_tablet() -> None:
    with served(hall()) as room:
        client, tablet = room.client(), make_tablet_code(room.value)
        room.room._pages._request_limit = RateLimit(0, 60)
        page = say(client, "Anna Berg", tablet=tablet)
        assert page.status_code == 429
        assert "data-back" in page.text


def test_check_in_page_limits_tried_names() -> None:
    with served(hall()) as room:
        phone = room.phone()
        answers = [say(phone, f"Nobody Number {number}") for number in range(35)]
        assert (answers[0].status_code, answers[-1].status_code) == (200, 429)
        assert told(answers[-1]).startswith("Too many tries")
        assert say(phone, "Anna Berg").status_code == 200


def test_check_in_page_leads_to_the_own_page() -> None:
    with served(hall()) as room:
        phone, tablet = room.phone(), make_tablet_code(room.value)
        done = agree(phone, say(phone, "Anna Berg"))
        link = next(one.attrib["href"] for one in each(parsed(done.content), "a") if "me?" in one.attrib["href"])
        assert parse_qs(urlsplit(link).query) == {"code": [make_player_code(room.value, PlayerId("p5"))]}
        assert "Berg, Anna" in phone.get(link).text
        shown = agree(phone, say(phone, "Ida Berg", tablet=tablet))
        assert "me?code" not in shown.text
        assert len(list(each(parsed(shown.content), "dd"))) == 2
        assert "<svg" in shown.text


def test_check_in_page_shows_the_fee_but_no_payment() -> None:
    value = commands.edit_event(hall(), currency="kr")
    value = commands.add_fee(value, key="f", division=DIVISION, amount=15000)
    value = commands.note_paid(value, players=(PlayerId("p5"),))
    with served(value) as room:
        pages = [agree(phone, say(phone, name)) for name in ("Anna Berg", "Ida Berg") for phone in (room.phone(),)]
        fees = [
            [text_of(one) for one in each(parsed(page.content), "p") if "fee" in text_of(one)] for page in pages
        ]
        assert fees == [["The entry fee is 150.00 kr. If you have not paid it yet, pay at the desk."]] * 2
        for path in ("a-players.html", "a-player-5.html", "data.json", "tourney.js"):
            assert "150.00" not in room.client().get(path).text


@pytest.mark.parametrize("names", [NamesShown.INITIAL, NamesShown.NUMBER])
def test_check_in_page_hides_private_names(names: NamesShown) -> None:
    value = commands.set_names_shown(hall(), names=names, details=False)
    with served(commands.withdraw_player(value, key="w", player=PlayerId("p3"))) as room:
        phone = room.phone()
        page = say(phone, "jan de vries")
        assert asks(page)[0].removesuffix(" (2)") in {"#2", "Jan de V."}
        assert "Vries" not in page.text
        assert "Oslo" not in page.text
        room.do(partial(commands.withdraw_player, key="v", player=PlayerId("p2")))
        assert "Vries" not in agree(phone, page).text


BAD_FORMS = [
    b"", b"name", b"name=A&name=B", b"name=A&x=1", b"name=" + b"A" * 300, b"\xff=1", b"{}", b"player=",
    b"player=no&tablet=no", b"name=%00%FF", b"&" * 1000, b"name=" + b"%F0%9F%98%80" * 20,
]  # fmt: skip


def test_check_in_page_refuses_foreign_forms() -> None:
    with served(hall()) as room:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        for data in BAD_FORMS:
            answer = room.client().post("check-in", content=data, headers=form)
            assert answer.status_code in {200, 400}, data
        assert not here(room)
        assert room.client().post("check-in", json={"player": "p5"}).status_code == 415
        assert room.client().put("check-in").status_code == 405


def test_check_in_page_escapes_names() -> None:
    with served(hall()) as room:
        page = say(room.phone(), '"><script>alert(1)</script>')
        assert "<script>alert" not in page.text
        assert page.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("language", LANGUAGES)
def test_check_in_page_in_four_languages(language: str) -> None:
    with served(hall()) as room:
        pages = [
            room.client(**{"Accept-Language": language}).get(path)
            for path in ("check-in", "me", "me?code=BCDF2345")
        ]
        assert {next(each(parsed(page.content), "html")).attrib["lang"] for page in pages} == {language}
