"""Tests of the bracket table: the position of each match and its known players."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, StageId
from tdapp.domain.pairing_settings import EliminationKind, PairingSettings
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables.bracket import BracketTree, build_bracket_trees, find_shown_knockout
from tdapp.domain.tournament import Tournament
from tdapp.exchange import json_views
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import propose_pairings
from tests import building
from tests.domain.test_bracket_commands import make_cup, score_open_games
from tests.pairing.random_states import STAGE, A, make_tournament, publish_proposal


def build_trees(tournament: Tournament) -> tuple[BracketTree, ...]:
    return build_bracket_trees(TournamentIndex(tournament), tournament.stages[STAGE])


@pytest.mark.parametrize("elimination", list(EliminationKind))
@pytest.mark.parametrize("count", [2, 3, 5, 8, 11, 24, 33, 70])
def test_build_bracket_trees_gives_matches_places_and_links(elimination: EliminationKind, count: int) -> None:
    trees = build_trees(make_cup(count, elimination=elimination, third_place=True))
    assert sum(len(tree.boxes) for tree in trees) >= count - 1
    for tree in trees:
        spots = {(box.column, box.row) for box in tree.boxes}
        assert len(spots) == len(tree.boxes)
        assert tree.columns == 1 + max(box.column for box in tree.boxes)
        by_key = {box.key: box for box in tree.boxes}
        for box in tree.boxes:
            assert 0.5 <= box.row <= tree.rows
            assert abs(box.row - (box.row // box.row_distance + 0.5) * box.row_distance) < 1e-9
            if box.next:
                assert by_key[box.next].column > box.column
        for column in range(tree.columns):
            rows = sorted(box.row for box in tree.boxes if box.column == column)
            assert all(lower_row - upper_row >= 1 for upper_row, lower_row in pairwise(rows))


def test_build_bracket_trees_puts_each_match_in_one_tree() -> None:
    for elimination in EliminationKind:
        keys = [box.key for tree in build_trees(make_cup(24, elimination=elimination)) for box in tree.boxes]
        assert len(keys) == len(set(keys))


def test_build_bracket_trees_losers_bracket_has_no_gap() -> None:
    losers = next(
        tree for tree in build_trees(make_cup(24, elimination=EliminationKind.DOUBLE)) if tree.title == "losers"
    )
    assert [len([box for box in losers.boxes if box.column == column]) for column in range(7)] == [
        8, 4, 4, 2, 2, 1, 1,
    ]  # fmt: skip
    assert {box.row_distance for box in losers.boxes if box.column == 1} == {2}
    assert losers.rows == 8


def test_build_bracket_trees_shows_future_and_former_players() -> None:
    tournament = make_cup(4, series=3)
    tournament = score_open_games(publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)))
    semifinal, _, final = build_trees(tournament)[0].boxes
    assert [side.origin for side in final.sides] == ["winner/semifinal/1", "winner/semifinal/2"]
    assert [(side.seed, side.score) for side in semifinal.sides] == [(1, Fraction(1)), (4, Fraction(0))]
    assert semifinal.rounds == (1, 3)
    assert final.rounds == (4, 6)
    assert [(game.round, game.points) for game in semifinal.games] == [(1, (400, 300))]
    assert semifinal.open
    assert not final.open


def test_build_bracket_trees_marks_playable_matches_open() -> None:
    def list_open_matches(tournament: Tournament) -> set[str]:
        return {box.name for tree in build_trees(tournament) for box in tree.boxes if box.open}

    tournament = make_cup(7)
    assert list_open_matches(tournament) == {"quarter-final/2", "quarter-final/3", "quarter-final/4"}
    tournament = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    scored_tournament = score_open_games(tournament)
    assert list_open_matches(scored_tournament) == {"semifinal/1", "semifinal/2"}
    last = next(game for game in tournament.games.values() if "p2" in {game.first, game.second})
    assert list_open_matches(scored_tournament.drop(scored_tournament.results[last.id])) == {"quarter-final/3"}


def test_build_bracket_trees_shows_ranks_for_unknown_players() -> None:
    value = building.make_event(8, rounds=1)
    value = commands.add_stage(value, key="k", division=building.DIVISION, system="knockout", rounds=2, cut=3)
    stage = value.stages[StageId("k")]

    def list_sides(value: Tournament, *, foreseen: bool = False) -> list[tuple[str, str, int | None]]:
        (tree,) = build_bracket_trees(TournamentIndex(value), stage, show_current_players=foreseen)
        return [(side.name, side.origin, side.seed) for box in tree.boxes for side in box.sides]

    first, second, third = (("", f"place/{rank}/1", rank) for rank in (1, 2, 3))
    no_player, winner = ("", "", None), ("", "winner/semifinal/2", None)
    assert list_sides(value) == [first, no_player, second, third, first, winner]
    assert [name for name, _, _ in list_sides(value, foreseen=True)] == ["P1", "", "P2", "P3", "P1", ""]
    value = building.pair_rounds(value, results=False)
    assert list_sides(value)[0] == first
    value = building.enter_results(value)
    assert list_sides(value) == list_sides(value, foreseen=True)
    value = building.pair_rounds(value)
    assert all(name for name, _, _ in list_sides(value)[2:])
    bracket_json = json_views.make_bracket_json(
        TournamentIndex(building.make_event(8, rounds=1).put(stage)),
        stage,
        Catalogue("en", building.RESOURCES / "locale"),
    )
    assert bracket_json.places == []
    assert bracket_json.matches[1].coming == ["No. 2 after round 1", "No. 3 after round 1"]


def test_find_shown_knockout_of_a_division() -> None:
    assert find_shown_knockout(TournamentIndex(make_tournament(4)), A) is None
    tournament = make_tournament(4, system="manual", rounds=2)
    first = replace(tournament.stages[STAGE], id=StageId("k1"), position=2, system="knockout", rounds=1)
    second = replace(first, id=StageId("k2"), position=3, settings=PairingSettings(series=3))
    index = TournamentIndex(tournament.put(first, second))
    stage = find_shown_knockout(index, A)
    assert stage is not None
    assert stage.id == "k1"


def test_build_bracket_trees_seeds_by_the_round_of_the_current_standings() -> None:
    value = building.make_event(8, rounds=2)
    value = commands.add_stage(value, key="k", division=building.DIVISION, system="knockout", rounds=2, cut=4)
    stage = value.stages[StageId("k")]
    value = building.pair_rounds(value)
    worst_player = compute_standings(TournamentIndex(value), value.divisions[building.DIVISION])[-1].player.id
    bye_command = partial(
        commands.set_absence, key="b", player=worst_player, first_round=2, kind=ByeKind.REQUESTED
    )
    value = building.pair_rounds(bye_command(value), results=False)

    index = TournamentIndex(value)
    assert index.get_last_round_with_results(building.DIVISION) == 1
    (tree,) = build_bracket_trees(index, stage, show_current_players=True)
    seeds = {side.seed: side.player for box in tree.boxes for side in box.sides if side.seed}
    standings = compute_standings(index, value.divisions[building.DIVISION], 1)
    assert [seeds[seed] for seed in (1, 2, 3, 4)] == [row.player.id for row in standings[:4]]
