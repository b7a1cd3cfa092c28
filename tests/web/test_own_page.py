"""A player's own page: current table, results and language, reached by a secret code."""

from __future__ import annotations

from functools import partial

import httpx
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.model import Game, NamesShown, PlayerId, RoundState
from tdapp.domain.slip import make_player_code
from tests.building import DIVISION, event
from tests.web.page_checks import each, parsed, text_of
from tests.web.running_server import Served, playing, served


def own(room: Served, player: PlayerId, **headers: str) -> httpx.Response:
    return room.client(**headers).get("me", params={"code": make_player_code(room.value, player)})


def seat(page: httpx.Response) -> str:
    found = [text_of(one) for one in each(parsed(page.content), "section") if one.attrib.get("class") == "seat"]
    return found[0] if found else ""


def note(page: httpx.Response) -> str:
    found = [text_of(one) for one in each(parsed(page.content), "p") if "notice" in one.attrib.get("class", "")]
    return found[0] if found else ""


def at_table(room: Served, table: int = 2) -> tuple[Game, str, str]:
    game = room.game(table)
    return game, room.value.players[game.first].name, room.value.players[game.second].name


def test_own_page_shows_table_and_starter() -> None:
    with served() as room:
        game, first, second = at_table(room)
        assert seat(own(room, game.first)) == f"Round 2 Table 2 You start against {second}"
        assert seat(own(room, game.second)) == f"Round 2 Table 2 Your opponent starts against {first}"
        title = text_of(next(each(parsed(own(room, game.first).content), "title")))
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
    with served() as room:
        assert said in seat(own(room, room.game(2).first, **{"Accept-Language": language}))


def test_own_page_open_game_has_no_spread() -> None:
    with served() as room:
        rows = [text_of(one).split() for one in each(parsed(own(room, room.game(2).first).content), "tr")]
        assert rows[1][0] == "2"
        assert "0" not in rows[1]


def test_own_page_shows_the_result() -> None:
    with served() as room:
        game, _, second = at_table(room)
        room.do(partial(commands.enter_result, game=game.id, first=456, second=321))
        page = own(room, game.first)
        assert not seat(page)
        assert note(page) == "Your next table appears here as soon as it is known."
        rows = [text_of(one) for one in each(parsed(page.content), "tr")]
        assert "456" in rows[1]
        assert second in rows[1]


def test_own_page_of_withdrawn_and_bye_players() -> None:
    value = playing(7)
    (bye,) = [one.player for one in value.byes.values() if value.rounds[one.round].number == 2]
    with served(value) as room:
        assert note(own(room, bye)) == "Round 2: you have no game (bye)."
        other = room.game(1).first
        room.do(partial(commands.withdraw_player, key="w", player=other))
        assert seat(own(room, other)), "the game that is being played is played out"


def test_own_page_before_the_first_round() -> None:
    with served(replace(event(4), secret="of the tests")) as room:  # noqa: S106
        assert note(own(room, PlayerId("p1"))) == "Your next table appears here as soon as it is known."


def test_own_page_hides_a_draft() -> None:
    value = playing(8, rounds=2)
    item = max(value.rounds.values(), key=lambda one: one.number)
    with served(value.put(replace(item, state=RoundState.DRAFT))) as room:
        assert not seat(own(room, PlayerId("p1")))


def test_own_page_hides_private_data() -> None:
    value = commands.edit_player(
        playing(), player=PlayerId("p1"), name="Berg, Anna", club="Oslo", notes="a secret"
    )
    value = commands.set_names_shown(value, names=NamesShown.NUMBER, details=False)
    value = commands.hold_standings(value, division=DIVISION, after=0)
    with served(value) as room:
        page = own(room, PlayerId("p1")).text
        assert not any(one in page for one in ("Berg", "Oslo", "secret"))
        assert "409" not in page, "what is held back"


def test_own_page_limits_wrong_codes() -> None:
    with served() as room:
        client = room.client()
        assert "has this code" in note(client.get("me", params={"code": "BCDF2345"}))
        assert not note(client.get("me"))
        answers = [client.get("me", params={"code": f"BCDF{n:04}"}).status_code for n in range(20)]
        assert answers[-1] == 429
        assert own(room, PlayerId("p1")).status_code == 200


def test_own_page_accepts_the_code_of_a_slip() -> None:
    with served() as room:
        page = room.client().get("enter", params={"code": room.codes(2)[0]})
        link = next(one.attrib["href"] for one in each(parsed(page.content), "a") if "me?" in one.attrib["href"])
        assert "Table 2 You start" in seat(room.client().get(link))


def test_own_page_accepts_typed_variants_of_a_code() -> None:
    with served() as room:
        code = make_player_code(room.value, PlayerId("p3"))
        typed = f" {code[:4].lower()} - {code[4:]}"
        assert "P3" in room.client().get("me", params={"code": typed}).text


def test_own_page_code_stays_after_changes() -> None:
    with served() as room:
        code = make_player_code(room.value, PlayerId("p3"))
        room.do(partial(commands.edit_player, player=PlayerId("p3"), number=99))
        room.do(partial(commands.renew_codes, key="another"))
        assert "P3" in room.client().get("me", params={"code": code}).text


def test_own_page_is_not_sent_again_unchanged() -> None:
    with served() as room:
        first = own(room, PlayerId("p1"))
        again = room.client(**{"If-None-Match": first.headers["etag"]}).get(
            "me", params={"code": make_player_code(room.value, PlayerId("p1"))}
        )
        assert (again.status_code, again.content) == (304, b"")


def test_own_page_links_work() -> None:
    with served() as room:
        page, found = own(room, PlayerId("p1")), []
        for one in each(parsed(page.content), "a", "link", "script"):
            where = one.attrib.get("href") or one.attrib.get("src") or ""
            if not where.startswith(("#", "data:")):
                found.append(where)
        assert len(found) > 5
        assert [where for where in found if room.client().get(where).status_code != 200] == []
