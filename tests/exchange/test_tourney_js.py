"""Tests of `tourney.js` feeds: reading and writing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tdapp.domain import commands
from tdapp.domain.entries import ByeEntry, EventEntry, GameEntry
from tdapp.domain.errors import InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, GameSide, StartDecision
from tdapp.domain.standings import compute_standings
from tdapp.exchange import exports, imports, tourney_js
from tests.building import get_game_at, get_player, load_rule_set, make_event, pair_rounds
from tests.data_events import find_data_folder

SAMPLE = (
    b'newt={"config":{"event_name":"Open undefined","event_date":"2026","max_rounds":3,"spread_cap":undefined},'
    b'"divisions":[{"name":"A","maxr":2,"players":[undefined,'
    b'{"id":1,"name":"Last, First","rating":1739,"newr":1751,"scores":[477,50],"pairings":[2,0],'
    b'"etc":{"board":[4,0],"p12":[1,0],"newr":[1751],"penalty":[],"class":["A"]},"photo":""},'
    b'{"id":2,"name":"undefined","rating":0,"scores":[300,-50],"pairings":[1,0],'
    b'"etc":{"board":[4,0],"p12":[2,0]}}],"seeds":[]}],"profile":undefined};\n'
)


def test_read_tourney_reads_an_event() -> None:
    assert imports.detect_format(SAMPLE) is imports.ImportFormat.TOURNEY_JS
    event = imports.read_bytes_to_import(SAMPLE, "tourney.js")
    assert isinstance(event, EventEntry)
    (division,) = event.divisions

    assert (event.name, event.date, event.rounds) == ("Open undefined", "2026", 3)
    assert [(player.name, player.rating, player.category) for player in division.players] == [
        ("Last, First", 1739, "A"),
        ("undefined", None, ""),
    ]
    assert division.rounds[0].games == (GameEntry(4, 1, 2, StartDecision.ASSIGNED, (477, 300)),)
    assert division.dropped == ("newr",)


@pytest.mark.parametrize(
    "broken_feed",
    [b"newt={", b'newt={"divisions":[]};', b'newt={"divisions":[{"name":"A"}]};', b'newt={"divisions":[4]};',
     b'newt={"divisions":[{"name":"A","players":[undefined,7]}]};',
     SAMPLE.replace(b'"pairings":[1,0]', b'"pairings":[3]')],
)  # fmt: skip
def test_read_tourney_refuses_other_files(broken_feed: bytes) -> None:
    with pytest.raises(InputError):
        imports.read_bytes_to_import(broken_feed, "tourney.js")


def test_tourney_js_round_trip_of_a_feed() -> None:
    value = pair_rounds(pair_rounds(make_event(7, rounds=5), times=2), results=False)
    content = exports.make_export_content("tourney", TournamentIndex(value), None, None, None)  # type: ignore[arg-type]
    assert isinstance(content, bytes)
    (division,) = tourney_js.read_tourney_js(content).divisions
    text = content.decode()

    assert text.startswith("newt={")
    assert text.endswith("};\n")
    document = json.loads(re.sub(r"\bundefined\b", "null", text[5:-2]))
    assert document["divisions"][0]["maxr"] == 4
    assert document["divisions"][0]["players"][0] is None
    assert len(division.players) == 7
    assert [len(item.games) for item in division.rounds] == [3, 3, 3]
    assert all(game.scores is None for game in division.rounds[-1].games)


def test_write_tourney_writes_a_score_for_a_round_without_a_game() -> None:
    value = make_event(6)
    value = commands.set_absence(
        value, key="a", player=get_player(value, 6).id, first_round=1, kind=ByeKind.ABSENT
    )
    value = commands.set_absence(
        value, key="b", player=get_player(value, 5).id, first_round=1, kind=ByeKind.REQUESTED
    )
    value = pair_rounds(value, results=False)
    value = commands.enter_result(value, game=get_game_at(value, 1).id, forfeit=GameSide.SECOND)
    (division,) = tourney_js.read_tourney_js(
        exports.encode_tourney_js(TournamentIndex(value), TournamentIndex(value).divisions)
    ).divisions

    byes = {bye.player: bye.spread for bye in division.rounds[0].byes}
    assert byes.keys() >= {5, 6}
    assert 0 not in byes.values()
    assert (byes[5], byes[6]) == (1, -50)
    assert ByeEntry(6, ByeKind.FORFEIT, -50) in division.rounds[0].byes


@pytest.mark.parametrize("name", ["sample", "test22"])
def test_tourney_js_round_trip_of_a_real_feed(name: str) -> None:
    folder = find_data_folder() / "feeds"
    if not folder.is_dir():
        pytest.skip("the samples of feeds are not here")
    event = tourney_js.read_tourney_js((folder / f"{name}-tourney.js").read_bytes(), name)

    assert all(division.players for division in event.divisions)
    assert tourney_js.read_tourney_js(tourney_js.encode_tourney_js(event)) == event


@pytest.mark.parametrize(("name", "cells"), [("sample", 0), ("test22", 132)])
def test_tourney_js_of_real_feeds_has_the_computed_ranks(name: str, cells: int) -> None:
    """The computed ranks equal the ranks in the feed, even after an export and a second import."""
    path = find_data_folder() / "feeds" / f"{name}-tourney.js"
    if not path.is_file():
        pytest.skip("the samples of feeds are not here")
    value = commands.new_tournament(key="t", name="Feed", ruleset=load_rule_set("naspa-nwl"), seed=1)
    value = commands.import_event(
        value, key="i", event=tourney_js.read_tourney_js(path.read_bytes(), name), file_order=True
    )
    index = TournamentIndex(value)

    assert len(read_printed_ranks(path)) == cells
    assert read_printed_ranks(path) - list_ranks(index) == set()
    content = exports.encode_tourney_js(index, index.divisions)
    empty = commands.new_tournament(key="t", name="Feed", ruleset=load_rule_set("naspa-nwl"), seed=1)
    copy = commands.import_event(empty, key="i", event=tourney_js.read_tourney_js(content, name), file_order=True)
    assert list_ranks(TournamentIndex(copy)) == list_ranks(index)
    assert exports.encode_tourney_js(TournamentIndex(copy), TournamentIndex(copy).divisions) == content


Rank = tuple[str, int, int, int]  # division, round, player, rank


def list_ranks(index: TournamentIndex) -> set[Rank]:
    return {
        (division.code, item.number, row.player.number, row.rank)
        for division in index.divisions
        for item in index.list_published_rounds(division.id)
        for row in compute_standings(index, division, item.number)
    }


def read_printed_ranks(path: Path) -> set[Rank]:
    """Return the ranks of all played rounds of a feed."""
    document = json.loads(re.sub(r"\bundefined\b", "null", path.read_text("utf-8").strip()[5:].rstrip(";")))
    return {
        (division["name"], number, player["id"], rank)
        for division in document["divisions"]
        for player in filter(None, division["players"])
        for number, rank in enumerate(player["etc"].get("rrank") or ())
        if 0 < number <= len(player["scores"])
    }


def test_tourney_js_round_trip_of_player_numbers() -> None:
    text = """newt={"divisions":[{"name":"A","players":[undefined,
{"id":1,"name":"One, Ann:XT006003","rating":1,"pairings":[],"scores":[],"etc":{"wespa":["77"]}},
{"id":2,"name":"Two, Bob","rating":1,"pairings":[],"scores":[],"etc":{"xtid":[17589],"member":["A B"]}}]}]};"""
    [division] = tourney_js.read_tourney_js(text.encode()).divisions
    ann, bob = division.players
    assert (ann.name, ann.xtid, ann.wespa) == ("One, Ann", "6003", "77")
    assert (bob.xtid, bob.member) == ("17589", "A B")
    content = tourney_js.encode_tourney_js(EventEntry((division,)))
    assert b'"xtid": [17589]' in content
    assert tourney_js.read_tourney_js(content).divisions == (division,)


def test_read_tourney_accepts_texts_as_numbers_and_comments() -> None:
    feed = b"""// made by hand
/* tsh */ newt = {"config":{},"divisions":[{"name":1,"players":[undefined,
{"id":1,"name":"Castle, Vera","rating":"1500.5","pairings":[2],"scores":["400"],"etc":{}},
{"id":2,"name":"Doe, John","rating":1400.0,"pairings":[1],"scores":[380.0],"etc":{}}]}]};"""
    (division,) = tourney_js.read_tourney_js(feed).divisions
    assert imports.detect_format(feed) is imports.ImportFormat.TOURNEY_JS
    assert (division.code, [player.rating for player in division.players]) == ("1", [1501, 1400])
    assert [(game.first, game.second, game.scores) for item in division.rounds for game in item.games] == [
        (1, 2, (400, 380))
    ]
