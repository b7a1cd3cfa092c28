"""A player's own page: current table, results and language, reached by a secret code."""

from __future__ import annotations

from functools import partial

import httpx
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.model import Game, NamesShown, PlayerId, RoundState
from tdapp.domain.slip import make_player_code
from tests.building import DIVISION, make_event
from tests.web.page_checks import iterate_elements, parsed, text_of
from tests.web.running_server import Served, playing, served


def open_own_page(served: Served, player: PlayerId, **headers: str) -> httpx.Response:
    return served.client(**headers).get("me", params={"code": make_player_code(served.value, player)})


def seat(page: httpx.Response) -> str:
    texts = [
        text_of(element)
        for element in iterate_elements(parsed(page.content), "section")
        if element.attrib.get("class") == "seat"
    ]
    return texts[0] if texts else ""


def note(page: httpx.Response) -> str:
    texts = [
        text_of(element)
        for element in iterate_elements(parsed(page.content), "p")
        if "notice" in element.attrib.get("class", "")
    ]
    return texts[0] if texts else ""


def at_table(served: Served, table: int = 2) -> tuple[Game, str, str]:
    game = served.game(table)
    return game, served.value.players[game.first].name, served.value.players[game.second].name


def test_own_page_shows_table_and_starter() -> None:
    with served() as server:
        game, first, second = at_table(server)
        assert seat(open_own_page(server, game.first)) == f"Round 2 Table 2 You start against {second}"
        assert seat(open_own_page(server, game.second)) == f"Round 2 Table 2 Your opponent starts against {first}"
        title = text_of(next(iterate_elements(parsed(open_own_page(server, game.first).content), "title")))
        assert title.startswith("Table 2: You start")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("nl", "Jij begint"),
        ("nb", "Du starter"),
        ("de", "Sie beginnen"),
        ("no-NO,no;q=0.9", "Du starter"),
        ("fr", "You start"),
    ],
)
def test_own_page_uses_the_language_of_the_reader(language: str, said: str) -> None:
    with served() as server:
        assert said in seat(open_own_page(server, server.game(2).first, **{"Accept-Language": language}))


def test_own_page_open_game_has_no_spread() -> None:
    with served() as server:
        rows = [
            text_of(element).split()
            for element in iterate_elements(parsed(open_own_page(server, server.game(2).first).content), "tr")
        ]
        assert rows[1][0] == "2"
        assert "0" not in rows[1]


def test_own_page_shows_the_result() -> None:
    with served() as server:
        game, _, second = at_table(server)
        server.do(partial(commands.enter_result, game=game.id, first=456, second=321))
        page = open_own_page(server, game.first)
        assert not seat(page)
        assert note(page) == "Your next table appears here as soon as it is known."
        rows = [text_of(element) for element in iterate_elements(parsed(page.content), "tr")]
        assert "456" in rows[1]
        assert second in rows[1]


def test_own_page_of_withdrawn_and_bye_players() -> None:
    value = playing(7)
    (bye,) = [bye.player for bye in value.byes.values() if value.rounds[bye.round].number == 2]
    with served(value) as server:
        assert note(open_own_page(server, bye)) == "Round 2: you have no game (bye)."
        opponent = server.game(1).first
        server.do(partial(commands.withdraw_player, key="w", player=opponent))
        assert seat(open_own_page(server, opponent)), "the game that is being played is played out"


def test_own_page_before_the_first_round() -> None:
    with served(replace(make_event(4), secret="of the tests")) as server:  # noqa: S106
        assert (
            note(open_own_page(server, PlayerId("p1"))) == "Your next table appears here as soon as it is known."
        )


def test_own_page_hides_a_draft() -> None:
    value = playing(8, rounds=2)
    item = max(value.rounds.values(), key=lambda row: row.number)
    with served(value.put(replace(item, state=RoundState.DRAFT))) as server:
        assert not seat(open_own_page(server, PlayerId("p1")))


def test_own_page_hides_private_data() -> None:
    value = commands.edit_player(
        playing(), player=PlayerId("p1"), name="Berg, Anna", club="Oslo", notes="a secret"
    )
    value = commands.set_names_shown(value, names=NamesShown.NUMBER, details=False)
    value = commands.hold_standings(value, division=DIVISION, after=0)
    with served(value) as server:
        page = open_own_page(server, PlayerId("p1")).text
        assert not any(word in page for word in ("Berg", "Oslo", "secret"))
        assert "409" not in page, "what is held back"


def test_own_page_limits_wrong_codes() -> None:
    with served() as server:
        client = server.client()
        assert "has this code" in note(client.get("me", params={"code": "BCDF2345"}))
        assert not note(client.get("me"))
        answers = [client.get("me", params={"code": f"BCDF{n:04}"}).status_code for n in range(20)]
        assert answers[-1] == 429
        assert open_own_page(server, PlayerId("p1")).status_code == 200


def test_own_page_accepts_the_code_of_a_slip() -> None:
    with served() as server:
        page = server.client().get("enter", params={"code": server.codes(2)[0]})
        link = next(
            element.attrib["href"]
            for element in iterate_elements(parsed(page.content), "a")
            if "me?" in element.attrib["href"]
        )
        assert "Table 2 You start" in seat(server.client().get(link))


def test_own_page_accepts_typed_variants_of_a_code() -> None:
    with served() as server:
        code = make_player_code(server.value, PlayerId("p3"))
        text = f" {code[:4].lower()} - {code[4:]}"
        assert "P3" in server.client().get("me", params={"code": text}).text


def test_own_page_code_stays_after_changes() -> None:
    with served() as server:
        code = make_player_code(server.value, PlayerId("p3"))
        server.do(partial(commands.edit_player, player=PlayerId("p3"), number=99))
        server.do(partial(commands.renew_codes, key="another"))
        assert "P3" in server.client().get("me", params={"code": code}).text


def test_own_page_is_not_sent_again_unchanged() -> None:
    with served() as server:
        first = open_own_page(server, PlayerId("p1"))
        answer = server.client(**{"If-None-Match": first.headers["etag"]}).get(
            "me", params={"code": make_player_code(server.value, PlayerId("p1"))}
        )
        assert (answer.status_code, answer.content) == (304, b"")


def test_own_page_links_work() -> None:
    with served() as server:
        page, dead = open_own_page(server, PlayerId("p1")), []
        for element in iterate_elements(parsed(page.content), "a", "link", "script"):
            address = element.attrib.get("href") or element.attrib.get("src") or ""
            if not address.startswith(("#", "data:")):
                dead.append(address)
        assert len(dead) > 5
        assert [address for address in dead if server.client().get(address).status_code != 200] == []
