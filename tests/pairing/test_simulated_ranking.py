"""Tests of the ranking in simulations: it agrees with the standings after the same rounds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, GameSide, PlayerId, UnplayedRoundCounting
from tdapp.domain.ruleset import Outcome
from tdapp.domain.standings import compute_standings
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tdapp.pairing.arrays import Ints
from tdapp.pairing.ending import SimulatedResultsRanker
from tdapp.pairing.field import build_pairing_field
from tdapp.pairing.forecast import compute_forecast
from tdapp.pairing.prize_race import build_ranking_data
from tests import building
from tests.building import DIVISION

RULES = sorted(path.stem for path in (building.RESOURCES / "rulesets").glob("*.toml"))
MARGINS = (0, 0, 10, 10, 20, 70, 300)  # few values, so that many players are equal
ORDERS = [(name,) for name in TIEBREAKS] + [
    ("wins", "head-to-head", "spread"),
    ("wins", "resistance", "spread"),
    ("losses", "resistance-median", "sonneborn-berger", "rating"),
    ("points", "head-to-head"),
]


def play_random_rounds(value: Tournament, rng: Random, *, rounds: int, forfeits: bool = False) -> Tournament:
    """Return an event after more rounds. The points of a game always sum to 760."""
    for _ in range(rounds):
        proposal = propose_pairings(TournamentIndex(value), DIVISION)
        value = commands.pair_round(value, key=f"r{proposal.number}", proposal=proposal)
        for game in TournamentIndex(value).games(building.get_last_round(value).id):
            half = rng.choice(MARGINS) * rng.choice((-1, 1)) // 2
            if forfeits and rng.random() < 0.2:
                value = commands.enter_result(value, game=game.id, forfeit=rng.choice(tuple(GameSide)))
            else:
                value = commands.enter_result(value, game=game.id, first=380 + half, second=380 - half)
    return value


def rank_players(value: Tournament, players: Sequence[PlayerId]) -> list[int]:
    """Return ranks from 0, first of `players` in their order, then of the other ranked players."""
    rows = {
        row.player.id: row.rank - 1
        for row in compute_standings(TournamentIndex(value), TournamentIndex(value).get_division(None))
    }
    return [
        rows[player]
        for player in (*players, *(player for player in value.players if player in {*rows} - {*players}))
    ]


def encode_round(value: Tournament, ranking: SimulatedResultsRanker, number: int) -> Ints:
    """Return a played round in the format of the simulation."""
    index = TournamentIndex(value)
    positions = {player: position for position, player in enumerate(ranking.all_players)}
    row = np.full((1, len(positions)), ranking.dummy)
    item = index.get_round(DIVISION, number)
    for game in index.games(item.id):
        result = index.get_result(game.id)
        assert result is not None
        margin = (result.first or 0) - (result.second or 0)
        row[0, positions[game.first]] = margin << ranking.bits | positions[game.second]
        row[0, positions[game.second]] = -margin << ranking.bits | positions[game.first]
    for bye in index.byes(item.id):
        if bye.kind is ByeKind.BYE:
            row[0, positions[bye.player]] = 1 << ranking.bits | ranking.dummy
    return row


@cache
def make_event_before_and_after(seed: int) -> tuple[Tournament, Tournament]:
    """Return an event with forfeits, an absence and a withdrawal after three and after six rounds."""
    rng = Random(seed)
    value = building.make_event(8 + seed, rounds=6, system="random" if seed % 2 else "swiss")
    value = value.put(replace(value.players[PlayerId("p3")], rating=None))
    value = commands.set_absence(
        value, key="away", player=PlayerId("p4"), first_round=2, last_round=2, kind=ByeKind.REQUESTED
    )
    value = play_random_rounds(value, rng, rounds=3, forfeits=True)
    value = commands.withdraw_player(value, key="left", player=PlayerId("p2"))
    return value, play_random_rounds(value, rng, rounds=3)


@pytest.mark.parametrize("mode", UnplayedRoundCounting)
@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_simulation_ranker_ranks_as_the_standings(order: tuple[str, ...], mode: UnplayedRoundCounting) -> None:
    for seed in range(4):
        value, tournament_after = (
            tournament.put(
                *(
                    replace(row, order=order, unplayed=mode, spread_caps=(100, 50))
                    for row in tournament.divisions.values()
                )
            )
            for tournament in make_event_before_and_after(seed)
        )
        index = TournamentIndex(value)
        stage = index.stages(DIVISION)[0]
        ending = build_ranking_data(index, stage, build_pairing_field(index, stage.id, number=4, source=3), ())
        ranking = SimulatedResultsRanker(ending, 3)
        ranks = ranking.rank_players([encode_round(tournament_after, ranking, number) for number in (4, 5, 6)], 1)

        assert ranks.tolist() == [rank_players(tournament_after, ending.players)]


@pytest.mark.parametrize("least_games", [4, 5, 6])
def test_simulation_ranker_uses_the_least_number_of_games(least_games: int) -> None:
    for seed in range(4):
        value, tournament_after = (
            tournament.put(
                *(replace(row, order=("average", "percentage")) for row in tournament.divisions.values()),
                *(
                    replace(row, ruleset=replace(row.ruleset, least_games=least_games))
                    for row in tournament.rules.values()
                ),
            )
            for tournament in make_event_before_and_after(seed)
        )
        index = TournamentIndex(value)
        stage = index.stages(DIVISION)[0]
        ending = build_ranking_data(index, stage, build_pairing_field(index, stage.id, number=4, source=3), ())
        ranking = SimulatedResultsRanker(ending, 3)
        ranks = ranking.rank_players([encode_round(tournament_after, ranking, number) for number in (4, 5, 6)], 1)

        assert ranks.tolist() == [rank_players(tournament_after, ending.players)]


@pytest.mark.parametrize("list_withdrawn", [True, False])
def test_build_ranking_data_includes_listed_players(list_withdrawn: bool) -> None:
    value = make_event_before_and_after(0)[0]
    value = value.put(replace(value.divisions[DIVISION], list_withdrawn=list_withdrawn))
    index = TournamentIndex(value)
    stage = index.stages(DIVISION)[0]
    ending = build_ranking_data(index, stage, build_pairing_field(index, stage.id, number=4, source=3), ())

    assert set(ending.groups) == {row.player.id for row in compute_standings(index, index.get_division(None))}
    assert ("p2" in ending.groups) is list_withdrawn


@pytest.mark.parametrize("mode", UnplayedRoundCounting)
def test_build_ranking_data_counts_earlier_rounds(mode: UnplayedRoundCounting) -> None:
    value = make_event_before_and_after(1)[0]
    index = TournamentIndex(value.put(replace(value.divisions[DIVISION], unplayed=mode)))
    stage = index.stages(DIVISION)[0]
    field = build_pairing_field(index, stage.id, number=4, source=3)
    ranking_data, default_data = (
        build_ranking_data(index, stage, replace(field, source=source), ()) for source in (3, None)
    )

    assert default_data.unplayed_rules == ranking_data.unplayed_rules
    assert (default_data.remaining_rounds, default_data.rounds_left, default_data.round_values) == (
        ranking_data.remaining_rounds,
        ranking_data.rounds_left,
        ranking_data.round_values,
    )
    assert default_data.earlier_results.records == ranking_data.earlier_results.records
    earlier = build_ranking_data(index, stage, replace(field, source=2), ())
    assert earlier.unplayed_rules.rounds == ranking_data.unplayed_rules.rounds - 1


def test_build_ranking_data_counts_no_round_twice() -> None:
    """A round with an open game counts already. Uncounted rounds are added."""
    value = make_event_before_and_after(1)[0]
    index = TournamentIndex(
        value.put(replace(value.divisions[DIVISION], unplayed=UnplayedRoundCounting.FIDE_2009))
    )
    stage = index.stages(DIVISION)[0]
    field = build_pairing_field(index, stage.id, number=4, source=2)
    rounds = [
        build_ranking_data(index, stage, field, uncounted_rounds).unplayed_rules.rounds
        for uncounted_rounds in ((), (2,), (1, 2), (2, 3), (3,))
    ]
    assert [count - rounds[0] for count in rounds] == [0, 0, 0, 1, 1]


@pytest.mark.parametrize(
    ("counts_as", "losses"), [(Outcome.WIN, 0), (Outcome.DRAW, 1), (Outcome.LOSS, 2), (Outcome.NOTHING, 0)]
)
def test_build_ranking_data_bye_removes_its_own_value(counts_as: Outcome, losses: int) -> None:
    value = make_event_before_and_after(1)[0]
    rules = value.ruleset
    bye = replace(rules.byes.bye, counts_as=counts_as)
    (row,) = value.rules.values()
    value = value.put(replace(row, ruleset=replace(rules, byes=replace(rules.byes, bye=bye))))
    index, stage = TournamentIndex(value), next(iter(value.stages.values()))
    gains = build_ranking_data(
        index, stage, build_pairing_field(index, stage.id, number=4, source=3), ()
    ).round_values
    assert [gain.losses for gain in gains] == [2, 1, 0, losses]


@pytest.mark.parametrize("rules", RULES)
def test_compute_forecast_after_the_last_round_is_the_standings(rules: str) -> None:
    value = play_random_rounds(building.make_event(9, rounds=4, rules=rules), Random(5), rounds=4)
    value = value.put(replace(value.stages[next(iter(value.stages))], rounds=4))
    rows = compute_forecast(TournamentIndex(value), DIVISION).rows

    ranks = rank_players(value, [row.player.id for row in rows])
    assert [row.shares.index(1) for row in rows] == ranks == [row.place - 1 for row in rows]


def test_compute_forecast_by_resistance_ignores_spread() -> None:
    """Two players lead. One has less spread, but more resistance than the open game can add."""
    value = play_random_rounds(building.make_event(8, rounds=3), Random(11), rounds=3)
    first, second = compute_standings(TournamentIndex(value), TournamentIndex(value).get_division(None))[:2]
    assert (first.units, first.spread < second.spread) == (second.units, True)
    assert first.resistance > second.resistance + value.ruleset.get_match_points_as_integer(Outcome.WIN)
    game = next(
        game
        for game in TournamentIndex(value).games(building.get_last_round(value).id)
        if {first.key, second.key}.isdisjoint({game.first, game.second})
    )
    forecast = compute_forecast(TournamentIndex(commands.clear_result(value, game=game.id)), DIVISION)

    assert forecast.open_games == 1
    assert [(row.key, *row.shares[:2]) for row in forecast.rows[:2]] == [(first.key, 1, 0), (second.key, 0, 1)]


def test_compute_forecast_equal_players_share_a_rank() -> None:
    """Two games with the same score: two players share rank 1 and two share rank 3."""
    value = building.make_event(4, rounds=1)
    value = commands.pair_round(value, key="r1", proposal=propose_pairings(TournamentIndex(value), DIVISION))
    for game in TournamentIndex(value).games(building.get_last_round(value).id):
        value = commands.enter_result(value, game=game.id, first=400, second=360)
    forecast = compute_forecast(TournamentIndex(value), DIVISION)

    assert forecast.shared
    assert [(row.place, row.shares.index(1)) for row in forecast.rows] == [(1, 0), (1, 0), (3, 2), (3, 2)]
