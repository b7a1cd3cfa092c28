"""Tests of the record entry of a player for each kind of round."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import outcome
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, GameId, GameSide, PlayerId, Result, ResultState, StartDecision
from tdapp.domain.records import RoundRecord, compute_records, is_unplayed_round, is_voluntarily_unplayed
from tdapp.domain.ruleset import Outcome
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, make_event, pair_rounds
from tests.domain.tournament_lines import build_crosstable

GAME = GameId("r1.g1")


def list_first_entries(tournament: Tournament) -> list[RoundRecord]:
    """Return the first entry of each player, by number."""
    index = TournamentIndex(tournament)
    records = compute_records(index, index.get_division(None))
    return [records[player.id][0] for player in index.players(index.get_division(None).id)]


def make_entry(against: int, **changes: Any) -> RoundRecord:
    """Return the entry of an open game at table 1 of round 1, with the given changes."""
    open_game = RoundRecord(
        round=1,
        game=GAME,
        table=1,
        opponent=PlayerId(f"p{against}"),
        started=None,
        bye=None,
        outcome=None,
        units=0,
        points=None,
        opponent_points=None,
        spread=0,
    )
    return open_game._replace(**changes)


def test_compute_records_of_a_game() -> None:
    first, second = list_first_entries(build_crosstable([["1-2 400:310"]], players=2, caps=(80,)))
    win = {"outcome": Outcome.WIN, "units": 2, "points": 400, "opponent_points": 310, "spread": 80}
    loss = {"outcome": Outcome.LOSS, "units": 0, "points": 310, "opponent_points": 400, "spread": -80}
    assert first == make_entry(2, started=True, is_rated=True, **win)
    assert second == make_entry(1, started=False, is_rated=True, **loss)
    assert first.is_played
    assert second.is_played


def test_compute_records_of_a_draw() -> None:
    first, second = list_first_entries(build_crosstable([["1-2 333:333"]], players=2))
    assert (first.outcome, first.units, first.spread) == (Outcome.DRAW, 1, 0)
    assert (second.outcome, second.units, second.spread) == (Outcome.DRAW, 1, 0)


def test_compute_records_of_an_open_game() -> None:
    first, second = list_first_entries(build_crosstable([["1-2"]], players=2))
    assert first == make_entry(2, started=True)
    assert second == make_entry(1, started=False)
    assert not first.is_played
    assert not first.is_rated


@pytest.mark.parametrize("line", ["1-2", "1-2 300:200"])
def test_compute_records_undecided_start_has_no_starter(line: str) -> None:
    tournament = build_crosstable([[line]], players=2)
    tournament = tournament.put(replace(tournament.games[GAME], start=StartDecision.DRAW))
    assert [entry.started for entry in list_first_entries(tournament)] == [None, None]


@pytest.mark.parametrize(
    ("forfeiting_player", "outcomes", "spreads"),
    [
        ("1", (Outcome.LOSS, Outcome.WIN), (-50, 50)),
        ("2", (Outcome.WIN, Outcome.LOSS), (50, -50)),
        ("both", (Outcome.LOSS, Outcome.LOSS), (-50, -50)),
    ],
)
def test_compute_records_of_a_forfeit(
    forfeiting_player: str, outcomes: tuple[Outcome, Outcome], spreads: tuple[int, int]
) -> None:
    """Norwegian rule 2.2: the opponent wins by 50, and the game is not rated."""
    records = list_first_entries(build_crosstable([[f"1-2 forfeit {forfeiting_player}"]], players=2))
    units = {Outcome.WIN: 2, Outcome.LOSS: 0}
    assert records == [
        make_entry(2, outcome=outcomes[0], units=units[outcomes[0]], spread=spreads[0], forfeit=True),
        make_entry(1, outcome=outcomes[1], units=units[outcomes[1]], spread=spreads[1], forfeit=True),
    ]
    assert not any(record.is_played for record in records)


@pytest.mark.parametrize(
    ("line", "expected_outcome", "units", "spread"),
    [
        ("1 bye", Outcome.WIN, 2, 50),
        ("1 requested", Outcome.DRAW, 1, 0),
        ("1 absent", Outcome.NOTHING, 0, 0),
        ("1 forfeit", Outcome.LOSS, 0, -50),
        ("1 bye 0", Outcome.WIN, 2, 0),
        ("1 bye 75", Outcome.WIN, 2, 60),
    ],
)
def test_compute_records_of_a_bye(line: str, expected_outcome: Outcome, units: int, spread: int) -> None:
    (record,) = list_first_entries(build_crosstable([[line]], players=1, caps=(60,)))
    kind = ByeKind(line.split()[1])
    bye = {"game": None, "table": None, "opponent": None, "bye": kind}
    assert record == make_entry(2, **bye, outcome=expected_outcome, units=units, spread=spread)
    assert not record.is_played


def test_compute_records_of_some_players_equal_those_of_all() -> None:
    index = TournamentIndex(pair_rounds(make_event(7), times=3))
    division = index.get_division(None)
    records = compute_records(index, division)
    assert len(records) == 7
    for player in records:
        assert compute_records(index, division, player_ids={player}) == {player: records[player]}


@pytest.mark.parametrize("forfeit", [None, *GameSide])
@pytest.mark.parametrize("has_lost", [None, *GameSide])
@pytest.mark.parametrize("points", [(400, 310), (310, 400), (350, 350), (None, 310), (310, None), (None, None)])
def test_compute_records_agree_with_outcomes(
    forfeit: GameSide | None, has_lost: GameSide | None, points: tuple[int | None, int | None]
) -> None:
    """Missing points of imported results count as zero."""
    tournament = build_crosstable([["1-2 1:0"]], players=2)
    result = Result(GAME, ResultState.ENTERED, *points, forfeit=forfeit, lost=has_lost)
    records = list_first_entries(tournament.put(result))
    score = outcome.score_game(tournament.ruleset, result)
    sides = (score.first, score.second)
    assert [(record.outcome, record.spread) for record in records] == [
        (side.outcome, side.spread) for side in sides
    ]
    assert [record.points or 0 for record in records] == [side.points or 0 for side in sides]
    assert [record.opponent_points for record in records] == [record.points for record in records[::-1]]
    assert [(record.is_rated, record.forfeit) for record in records] == [(score.is_rated, forfeit is not None)] * 2


def test_compute_records_continued_equal_computed_ones() -> None:
    value = pair_rounds(make_event(5), times=3)
    result, *_ = value.results.values()
    division, rules = value.divisions[DIVISION], next(iter(value.rules.values()))
    points = replace(rules.ruleset.match_points, win=Fraction(3))
    costly_rules = replace(rules, ruleset=replace(rules.ruleset, match_points=points))
    drawn_tournament = value.put(replace(result, first=400, second=400))
    values = [
        value,
        value.drop(result),
        value.put(replace(result, first=999)),
        value.put(replace(result, first=None, second=None, forfeit=GameSide.FIRST)),
        value.put(replace(division, spread_caps=(1,))),
        value.put(costly_rules),
        value.drop(*value.byes.values()),
        value.put(*(replace(item, number=item.number + 1) for item in value.rounds.values())),
        drawn_tournament,
        drawn_tournament.put(*(replace(stage, system="knockout") for stage in value.stages.values())),
    ]
    expected_records = [compute_records(TournamentIndex(value), value.divisions[DIVISION]) for value in values]
    assert len({str(records) for records in expected_records}) == len(values)

    for old_index, new_index in product(values, repeat=2):
        earlier_index = TournamentIndex(old_index)
        compute_records(earlier_index, old_index.divisions[DIVISION])
        index = TournamentIndex(new_index, earlier_index)
        assert compute_records(index, new_index.divisions[DIVISION]) == expected_records[values.index(new_index)]
        assert compute_records(index, new_index.divisions[DIVISION]) is compute_records(
            index, new_index.divisions[DIVISION]
        )


def test_is_voluntarily_unplayed_not_for_an_assigned_bye() -> None:
    for bye_value in (Outcome.LOSS, Outcome.DRAW, Outcome.NOTHING, Outcome.WIN):
        assert not is_voluntarily_unplayed(RoundRecord(1, bye=ByeKind.BYE, outcome=bye_value))
        assert is_voluntarily_unplayed(RoundRecord(1, bye=ByeKind.REQUESTED, outcome=bye_value)) is (
            bye_value is not Outcome.WIN
        )
    assert not is_unplayed_round(RoundRecord(1, opponent=PlayerId("p2")))
    assert is_unplayed_round(RoundRecord(1, opponent=PlayerId("p2"), forfeit=True, outcome=Outcome.LOSS))


def test_round_record_margin_without_points() -> None:
    """Unknown points of a player count as 0."""
    point_pairs = [(None, None), (0, 0), (0, 3), (None, 3), (5, 0), (5, None), (5, 3)]
    margins = [
        RoundRecord(1, points=points, opponent_points=opponent_points).point_difference
        for points, opponent_points in point_pairs
    ]
    assert margins == [0, 0, -3, -3, 5, 5, 2]
