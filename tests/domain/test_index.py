"""Tests of the index of a tournament and its reuse of unchanged parts."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Bye, ByeId, ByeKind, Division, PlayerId
from tests.building import DIVISION, make_event, pair_rounds
from tests.domain.results import read_whole_index


def test_index_continues_from_an_earlier_one() -> None:
    value = pair_rounds(make_event(6), times=2)
    values = [value]
    for rows in (
        [next(iter(value.results.values()))],
        [replace(player, number=7 - player.number) for player in value.players.values()],
        [replace(game, table=9 - game.table) for game in value.games.values()],
        [replace(item, number=item.number + 4) for item in value.rounds.values()],
    ):
        values += [values[-1].drop(*rows), values[-1].put(*rows)]
    assert len({str(read_whole_index(TournamentIndex(value))) for value in values}) > len(values) / 2

    for old_index, new_index in product(values, repeat=2):
        earlier_index = TournamentIndex(old_index)
        read_whole_index(earlier_index)
        assert read_whole_index(TournamentIndex(new_index, earlier_index)) == read_whole_index(
            TournamentIndex(new_index)
        )


def test_index_sorts_byes_again_after_new_numbers() -> None:
    value = pair_rounds(make_event(4))
    (item,) = value.rounds
    byes = [Bye(ByeId(key), item, PlayerId(key), ByeKind.REQUESTED) for key in ("p1", "p2")]
    old_index = TournamentIndex(value.put(*byes))
    assert old_index.byes(item) == tuple(byes)
    renumbered = old_index.tournament.put(replace(value.players[PlayerId("p1")], number=9))
    assert TournamentIndex(renumbered, old_index).byes(item) == tuple(reversed(byes))


def test_index_division_by_code_or_the_only_one() -> None:
    one_division = make_event(4)
    two_divisions = commands.add_division(one_division, key="e", code="B")
    assert (
        TournamentIndex(one_division).get_division(None)
        is TournamentIndex(one_division).get_division("a")
        is one_division.divisions[DIVISION]
    )
    assert TournamentIndex(two_divisions).get_division("b").id == "e"
    for value, code, error_code in (
        (one_division, "B", "no-such-division"),
        (two_divisions, None, "which-division"),
        (two_divisions, "C", "no-such"),
    ):
        with pytest.raises(CommandError, match=error_code):
            TournamentIndex(value).get_division(code)


def test_list_byes_for_lack_of_opponent_of_waiting_players() -> None:
    value = pair_rounds(make_event(5))
    (item,) = value.rounds
    byes = [Bye(ByeId(kind), item, PlayerId("p1"), kind) for kind in ByeKind if kind is not ByeKind.BYE]
    assert [bye.kind for bye in TournamentIndex(value.put(*byes)).list_byes_for_lack_of_opponent(item)] == [
        ByeKind.BYE
    ]
    assert len(TournamentIndex(value.put(*byes)).byes(item)) == 4


def test_index_keeps_groups_of_unchanged_rows() -> None:
    value = pair_rounds(make_event(6), times=2)
    changed_round, other_round = value.rounds
    first, game = TournamentIndex(value), min(value.games.values(), key=lambda game: game.round != changed_round)
    old_index = {key: first.games(key) for key in value.rounds}
    second = TournamentIndex(value.drop(next(iter(value.results.values()))), first)
    third = TournamentIndex(value.put(replace(game, table=9)), second)

    assert all(second.games(key) is old_index[key] for key in value.rounds)
    assert third.games(changed_round) is not old_index[changed_round]
    assert third.games(other_round) is old_index[other_round]


def test_cache_by_inputs_reuses_values_of_unchanged_rows() -> None:
    value = pair_rounds(make_event(6), times=2)
    first = TournamentIndex(value)
    second = TournamentIndex(value.put(replace(value.event, name="Other")), first)

    assert first.get_cached_value_or_compute("sum", [value, 1], lambda: 3) == 3
    assert second.get_cached_value_or_compute("sum", [value, 1], lambda: 4) == 3
    assert second.get_cached_value_or_compute("sum", [second.tournament, 1], lambda: 5) == 5
    assert second.get_cached_value_or_compute("sum", [second.tournament], lambda: 6) == 6


def test_cache_by_round_computes_a_division_once() -> None:
    value = pair_rounds(make_event(4))
    index, division = TournamentIndex(value), value.divisions[DIVISION]
    calls: list[tuple[str, int | None]] = []

    def count_call(_index: TournamentIndex, division: Division, new_index: int | None) -> int:
        calls.append((division.name, new_index))
        return len(calls)

    assert (
        index.get_cached_value_after_round("sum", division, None, count_call)
        == index.get_cached_value_after_round("sum", division, None, count_call)
        == 1
    )
    assert index.get_cached_value_after_round("sum", division, 1, count_call) == 2
    assert index.get_cached_value_after_round("product", division, 1, count_call) == 3
    assert index.get_cached_value_after_round("sum", replace(division, name="Changed"), None, count_call) == 4
    assert calls[-1] == ("Changed", None)
    assert TournamentIndex(value).get_cached_value_after_round("sum", division, None, count_call) == 5
