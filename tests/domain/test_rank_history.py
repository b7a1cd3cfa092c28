"""The course of standings, distributions, and everybody against everybody."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables import standings, statistics
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, event, game_at, paired, player


@pytest.fixture
def three() -> Tournament:
    return paired(event(7), times=3)


def test_compute_rank_history_equals_the_standings_by_round(three: Tournament) -> None:
    index, division = Index(three), three.divisions[DIVISION]
    ticks: list[tuple[int, int]] = []
    found = statistics.compute_rank_history(index, division, 3, progress=lambda done, of: ticks.append((done, of)))
    assert [row.standing for row in found] == list(compute_standings(index, division, 3))
    for number in (1, 2, 3):
        ranked = {row.key: row for row in compute_standings(index, division, number)}
        assert all(row.places[number - 1] == ranked[row.key].rank for row in found)
        assert all(row.points[number - 1] == ranked[row.key].match_points for row in found)
    assert ticks == [(1, 3), (2, 3), (3, 3)]


def test_make_rank_history_table_of_ranks_or_points(three: Tournament) -> None:
    found = statistics.compute_rank_history(Index(three), three.divisions[DIVISION], 3)
    places, points = (
        statistics.make_rank_history_table(found),
        statistics.make_rank_history_table(found, points=True),
    )
    assert [column.id for column in places.columns] == ["rank", "name", "1", "2", "3"]
    assert places.columns[4].value(found[0]) == 1
    assert points.columns[4].value(found[0]) == found[0].standing.match_points


def test_compute_rank_history_before_the_first_round() -> None:
    value = event(4)
    assert statistics.compute_rank_history(Index(value), value.divisions[DIVISION], 0) == ()
    assert statistics.make_rank_history_table(()).rows == ()


def one_game(first: int, second: int) -> Tournament:
    value = paired(event(2), results=False)
    return commands.enter_result(value, game=game_at(value, 1).id, first=first, second=second)


def test_compute_score_distribution_has_bins_without_gaps() -> None:
    value = one_game(430, 371)
    found = statistics.compute_score_distribution(Index(value), value.divisions[DIVISION])
    assert [(one.lowest, one.highest, one.count) for one in found.bins][:2] == [(370, 374, 1), (375, 379, 0)]
    assert found.bins[-1].lowest == 430
    assert sum(one.count for one in found.bins) == found.count == 2
    assert (found.lowest, found.highest, found.mean, found.median) == (
        371,
        430,
        Fraction(801, 2),
        Fraction(801, 2),
    )
    margins = statistics.compute_margin_distribution(Index(value), value.divisions[DIVISION])
    assert [(one.lowest, one.count) for one in margins.bins] == [(55, 1)]


def test_compute_score_distribution_bins_grow_with_the_range() -> None:
    value = one_game(900, 100)
    found = statistics.compute_score_distribution(Index(value), value.divisions[DIVISION])
    assert len(found.bins) <= statistics.MAX_BINS
    assert {one.highest - one.lowest + 1 for one in found.bins} == {100}


def test_compute_score_distribution_of_negative_points() -> None:
    value = paired(event(2), results=False)
    value = commands.enter_result(value, game=game_at(value, 1).id, first=300, second=-10, confirmed=True)
    found = statistics.compute_score_distribution(Index(value), value.divisions[DIVISION])
    assert found.bins[0].lowest <= -10 <= found.bins[0].highest


def test_compute_score_distribution_without_games() -> None:
    value = event(4)
    found = statistics.compute_score_distribution(Index(value), value.divisions[DIVISION])
    assert (found.bins, found.fullest_bin, found.mean) == ((), None, None)


def test_compute_margin_distribution_omits_forfeits() -> None:
    value = paired(event(2), results=False)
    value = commands.enter_result(value, game=game_at(value, 1).id, forfeit="1")  # type: ignore[arg-type]
    assert statistics.compute_margin_distribution(Index(value), value.divisions[DIVISION]).count == 0


def test_make_matrix_table_is_symmetric(three: Tournament) -> None:
    rows = standings.make_result_matrix_table(Index(three), three.divisions[DIVISION], 3).rows
    for place, row in enumerate(rows):
        assert row.meetings[place] == ()
        for at, other in enumerate(rows):
            ours, theirs = row.meetings[at], other.meetings[place]
            assert [card.round for card in ours] == [card.round for card in theirs]
            assert [card.points for card in ours] == [card.opponent_points for card in theirs]
    games = sum(len(cards) for row in rows for cards in row.meetings)
    assert games == 2 * 3 * 3
    assert player(three, 1).id in {row.key for row in rows}
