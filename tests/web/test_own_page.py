"""Tests of the own page of a player, opened with a secret code."""

from __future__ import annotations

from functools import partial

import httpx
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.model import Game, PlayerId, PublicNameFormat, RoundState
from tdapp.domain.slip import make_player_code
from tests.building import DIVISION, make_event
from tests.web.page_checks import iterate_elements, parse_page, read_element_text, read_notice
from tests.web.running_server import RunningServer, make_unfinished_tournament, run_server


def open_own_page(server: RunningServer, player: PlayerId, **headers: str) -> httpx.Response:
    return server.make_client(**headers).get("me", params={"code": make_player_code(server.tournament, player)})


def read_seat_section(page: httpx.Response) -> str:
    texts = [
        read_element_text(element)
        for element in iterate_elements(parse_page(page.content), "section")
        if element.attrib.get("class") == "seat"
    ]
    return texts[0] if texts else ""


def get_game_and_names(server: RunningServer, table: int = 2) -> tuple[Game, str, str]:
    game = server.get_game(table)
    return game, server.tournament.players[game.first].name, server.tournament.players[game.second].name


def test_own_page_shows_table_and_starter() -> None:
    with run_server() as server:
        game, first, second = get_game_and_names(server)
        assert (
            read_seat_section(open_own_page(server, game.first)) == f"Round 2 Table 2 You start against {second}"
        )
        assert (
            read_seat_section(open_own_page(server, game.second))
            == f"Round 2 Table 2 Your opponent starts against {first}"
        )
        title = read_element_text(
            next(iterate_elements(parse_page(open_own_page(server, game.first).content), "title"))
        )
        assert title.startswith("Table 2: You start")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "Jij begint"),
        ("nb", "Du starter"),
        ("de", "Sie beginnen"),
        ("no-NO,no;q=0.9", "Du starter"),
        ("fr", "You start"),
    ],
)
def test_own_page_uses_the_language_of_the_reader(language: str, text: str) -> None:
    with run_server() as server:
        assert text in read_seat_section(
            open_own_page(server, server.get_game(2).first, **{"Accept-Language": language})
        )


def test_own_page_open_game_has_no_spread() -> None:
    with run_server() as server:
        rows = [
            read_element_text(element).split()
            for element in iterate_elements(
                parse_page(open_own_page(server, server.get_game(2).first).content), "tr"
            )
        ]
        assert rows[1][0] == "2"
        assert "0" not in rows[1]


def test_own_page_shows_the_result() -> None:
    with run_server() as server:
        game, _, second = get_game_and_names(server)
        server.run_command(partial(commands.enter_result, game=game.id, first=456, second=321))
        page = open_own_page(server, game.first)
        assert not read_seat_section(page)
        assert read_notice(page) == "Your next table appears here as soon as it is known."
        rows = [read_element_text(element) for element in iterate_elements(parse_page(page.content), "tr")]
        assert "456" in rows[1]
        assert second in rows[1]


def test_own_page_of_withdrawn_and_bye_players() -> None:
    value = make_unfinished_tournament(7)
    (bye,) = [bye.player for bye in value.byes.values() if value.rounds[bye.round].number == 2]
    with run_server(value) as server:
        assert read_notice(open_own_page(server, bye)) == "Round 2: you have no game (bye)."
        opponent = server.get_game(1).first
        server.run_command(partial(commands.withdraw_player, key="w", player=opponent))
        assert read_seat_section(open_own_page(server, opponent)), "a withdrawn player loses the current game"


def test_own_page_before_the_first_round() -> None:
    with run_server(replace(make_event(4), secret="of the tests")) as server:  # noqa: S106
        assert (
            read_notice(open_own_page(server, PlayerId("p1")))
            == "Your next table appears here as soon as it is known."
        )


def test_own_page_hides_a_draft() -> None:
    value = make_unfinished_tournament(8, rounds=2)
    item = max(value.rounds.values(), key=lambda row: row.number)
    with run_server(value.put(replace(item, state=RoundState.DRAFT))) as server:
        assert not read_seat_section(open_own_page(server, PlayerId("p1")))


def test_own_page_hides_private_data() -> None:
    value = commands.edit_player(
        make_unfinished_tournament(), player=PlayerId("p1"), name="Berg, Anna", club="Oslo", notes="a secret"
    )
    value = commands.set_names_shown(value, names=PublicNameFormat.NUMBER, details=False)
    value = commands.hold_standings(value, division=DIVISION, after=0)
    with run_server(value) as server:
        page = open_own_page(server, PlayerId("p1")).text
        assert not any(word in page for word in ("Berg", "Oslo", "secret"))
        assert "409" not in page, "the page shows private data"


def test_own_page_limits_wrong_codes() -> None:
    with run_server() as server:
        client = server.make_client()
        assert "has this code" in read_notice(client.get("me", params={"code": "BCDF2345"}))
        assert not read_notice(client.get("me"))
        answers = [client.get("me", params={"code": f"BCDF{n:04}"}).status_code for n in range(20)]
        assert answers[-1] == 429
        assert open_own_page(server, PlayerId("p1")).status_code == 200


def test_own_page_accepts_the_code_of_a_slip() -> None:
    with run_server() as server:
        page = server.make_client().get("enter", params={"code": server.get_codes(2)[0]})
        link = next(
            element.attrib["href"]
            for element in iterate_elements(parse_page(page.content), "a")
            if "me?" in element.attrib["href"]
        )
        assert "Table 2 You start" in read_seat_section(server.make_client().get(link))


def test_own_page_accepts_typed_variants_of_a_code() -> None:
    with run_server() as server:
        code = make_player_code(server.tournament, PlayerId("p3"))
        text = f" {code[:4].lower()} - {code[4:]}"
        assert "P3" in server.make_client().get("me", params={"code": text}).text


def test_own_page_code_stays_after_changes() -> None:
    with run_server() as server:
        code = make_player_code(server.tournament, PlayerId("p3"))
        server.run_command(partial(commands.edit_player, player=PlayerId("p3"), number=99))
        server.run_command(partial(commands.renew_codes, key="another"))
        assert "P3" in server.make_client().get("me", params={"code": code}).text


def test_own_page_is_sent_again_only_after_changes() -> None:
    with run_server() as server:
        first = open_own_page(server, PlayerId("p1"))
        answer = server.make_client(**{"If-None-Match": first.headers["etag"]}).get(
            "me", params={"code": make_player_code(server.tournament, PlayerId("p1"))}
        )
        assert (answer.status_code, answer.content) == (304, b"")


def test_own_page_links_work() -> None:
    with run_server() as server:
        page, broken_links = open_own_page(server, PlayerId("p1")), []
        for element in iterate_elements(parse_page(page.content), "a", "link", "script"):
            address = element.attrib.get("href") or element.attrib.get("src") or ""
            if not address.startswith(("#", "data:")):
                broken_links.append(address)
        assert len(broken_links) > 5
        assert [address for address in broken_links if server.make_client().get(address).status_code != 200] == []
