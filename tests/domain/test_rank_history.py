"""Tests of the rank history, score distributions and the result matrix."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables import standings, statistics
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, get_game_at, get_player, make_event, pair_rounds


@pytest.fixture
def three_players() -> Tournament:
    return pair_rounds(make_event(7), times=3)


def test_compute_rank_history_equals_the_standings_by_round(three_players: Tournament) -> None:
    index, division = TournamentIndex(three_players), three_players.divisions[DIVISION]
    progress: list[tuple[int, int]] = []
    history = statistics.compute_rank_history(
        index, division, 3, progress=lambda count, total: progress.append((count, total))
    )
    assert [row.standing for row in history] == list(compute_standings(index, division, 3))
    for number in (1, 2, 3):
        standings_by_key = {row.key: row for row in compute_standings(index, division, number)}
        assert all(row.places[number - 1] == standings_by_key[row.key].rank for row in history)
        assert all(row.points[number - 1] == standings_by_key[row.key].match_points for row in history)
    assert progress == [(1, 3), (2, 3), (3, 3)]


def test_make_rank_history_table_of_ranks_or_points(three_players: Tournament) -> None:
    history = statistics.compute_rank_history(TournamentIndex(three_players), three_players.divisions[DIVISION], 3)
    places, points = (
        statistics.make_rank_history_table(history),
        statistics.make_rank_history_table(history, points=True),
    )
    assert [column.id for column in places.columns] == ["rank", "name", "1", "2", "3"]
    assert places.columns[4].value(history[0]) == 1
    assert points.columns[4].value(history[0]) == history[0].standing.match_points


def test_compute_rank_history_before_the_first_round() -> None:
    value = make_event(4)
    assert statistics.compute_rank_history(TournamentIndex(value), value.divisions[DIVISION], 0) == ()
    assert statistics.make_rank_history_table(()).rows == ()


def play_one_game(first: int, second: int) -> Tournament:
    value = pair_rounds(make_event(2), results=False)
    return commands.enter_result(value, game=get_game_at(value, 1).id, first=first, second=second)


def test_compute_score_distribution_has_bins_without_gaps() -> None:
    value = play_one_game(430, 371)
    distribution = statistics.compute_score_distribution(TournamentIndex(value), value.divisions[DIVISION])
    assert [(score_bin.lowest, score_bin.highest, score_bin.count) for score_bin in distribution.bins][:2] == [
        (370, 374, 1),
        (375, 379, 0),
    ]
    assert distribution.bins[-1].lowest == 430
    assert sum(score_bin.count for score_bin in distribution.bins) == distribution.count == 2
    assert (distribution.lowest, distribution.highest, distribution.mean, distribution.median) == (
        371,
        430,
        Fraction(801, 2),
        Fraction(801, 2),
    )
    margins = statistics.compute_margin_distribution(TournamentIndex(value), value.divisions[DIVISION])
    assert [(margin_bin.lowest, margin_bin.count) for margin_bin in margins.bins] == [(55, 1)]


def test_compute_score_distribution_bins_grow_with_the_range() -> None:
    value = play_one_game(900, 100)
    distribution = statistics.compute_score_distribution(TournamentIndex(value), value.divisions[DIVISION])
    assert len(distribution.bins) <= statistics.MAX_BINS
    assert {score_bin.highest - score_bin.lowest + 1 for score_bin in distribution.bins} == {100}


def test_compute_score_distribution_of_negative_points() -> None:
    value = pair_rounds(make_event(2), results=False)
    value = commands.enter_result(value, game=get_game_at(value, 1).id, first=300, second=-10, confirmed=True)
    distribution = statistics.compute_score_distribution(TournamentIndex(value), value.divisions[DIVISION])
    assert distribution.bins[0].lowest <= -10 <= distribution.bins[0].highest


def test_compute_score_distribution_without_games() -> None:
    value = make_event(4)
    distribution = statistics.compute_score_distribution(TournamentIndex(value), value.divisions[DIVISION])
    assert (distribution.bins, distribution.fullest_bin, distribution.mean) == ((), None, None)


def test_compute_margin_distribution_omits_forfeits() -> None:
    value = pair_rounds(make_event(2), results=False)
    value = commands.enter_result(value, game=get_game_at(value, 1).id, forfeit="1")  # type: ignore[arg-type]
    assert statistics.compute_margin_distribution(TournamentIndex(value), value.divisions[DIVISION]).count == 0


def test_make_matrix_table_is_symmetric(three_players: Tournament) -> None:
    rows = standings.make_result_matrix_table(
        TournamentIndex(three_players), three_players.divisions[DIVISION], 3
    ).rows
    for row_index, row in enumerate(rows):
        assert row.meetings[row_index] == ()
        for column_index, opponent_row in enumerate(rows):
            own_cards, opponent_cards = row.meetings[column_index], opponent_row.meetings[row_index]
            assert [card.round for card in own_cards] == [card.round for card in opponent_cards]
            assert [card.points for card in own_cards] == [card.opponent_points for card in opponent_cards]
    games = sum(len(cards) for row in rows for cards in row.meetings)
    assert games == 2 * 3 * 3
    assert get_player(three_players, 1).id in {row.key for row in rows}
