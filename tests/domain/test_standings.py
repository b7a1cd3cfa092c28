"""Tests of ranks, records and the resistance breakdown. The tie-breaks are in test_tiebreaks."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import Sanction, SanctionId
from tdapp.domain.model import Absence, AbsenceId, ByeKind, DivisionId, PlayerId, RoundId, RoundState, StageId
from tdapp.domain.ruleset import ByeRules, ByeValue, MatchPoints, Outcome
from tdapp.domain.standings import Standing, compute_standings, find_tiebreak_order, list_resistance_breakdown
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.sheet import SanctionKind
from tests import building
from tests.domain.tournament_lines import FIVE, RULES, build_crosstable, rank_players

D = DivisionId("d")
HALF = Fraction(1, 2)


def set_order(tournament: Tournament, *order: str) -> Tournament:
    return tournament.put(replace(tournament.divisions[D], order=order))


def withdraw_players(tournament: Tournament, *numbers: int) -> Tournament:
    return tournament.put(*(Absence(AbsenceId(f"a{n}"), PlayerId(f"p{n}"), first_round=1) for n in numbers))


class TestRecord:
    """Tests of the values of a row. The crosstable is computed by hand."""

    def compute_rows(self) -> dict[int, Standing]:
        return rank_players(build_crosstable(FIVE, players=5))

    def test_standing_games_and_losses(self) -> None:
        """Byes with points count as games. An absence does not."""
        rows = self.compute_rows()
        assert [rows[n].games for n in range(1, 6)] == [4, 4, 4, 3, 4]
        assert [rows[n].wins for n in range(1, 6)] == [3, 3, 2, 0, 1]
        assert [rows[n].draws for n in range(1, 6)] == [0, 0, 1, 1, 1]
        assert [rows[n].losses for n in range(1, 6)] == [1, 1, 1, 2, 2]

    def test_standing_resistance_in_points(self) -> None:
        rows = self.compute_rows()
        assert [rows[n].match_points for n in range(1, 6)] == [3, 3, 2 + HALF, HALF, 1 + HALF]
        assert [rows[n].games_lost for n in range(1, 6)] == [1, 1, 1 + HALF, 2 + HALF, 2 + HALF]
        assert [rows[n].spread for n in range(1, 6)] == [123, 90, 90, -83, -120]
        assert [rows[n].points for n in range(1, 6)] == [1513, 1140, 1180, 1020, 300]
        assert [rows[n].resistance_points for n in range(1, 6)] == [7 + HALF, 7 + HALF, 6 + HALF, 8 + HALF, 6]

    def test_standing_resistance_in_units(self) -> None:
        rows = self.compute_rows()
        assert [rows[n].unit for n in range(1, 6)] == [2] * 5
        assert [rows[n].units for n in range(1, 6)] == [6, 6, 5, 1, 3]
        assert [rows[n].resistance for n in range(1, 6)] == [15, 15, 13, 17, 12]

    def test_standing_starts_count_played_games(self) -> None:
        rows = self.compute_rows()
        assert [rows[n].starts for n in range(1, 6)] == [2, 1, 1, 2, 1]
        assert [rows[n].replies for n in range(1, 6)] == [2, 2, 2, 1, 0]

    def test_standing_rank_and_sort_key(self) -> None:
        rows = self.compute_rows()
        assert [(n, row.rank, row.key) for n, row in rows.items()] == [
            (1, 1, "p1"),
            (2, 2, "p2"),
            (3, 3, "p3"),
            (5, 4, "p5"),
            (4, 5, "p4"),
        ]
        assert [row.sort_key for row in rows.values()] == [(-6, -123), (-6, -90), (-5, -90), (-3, 120), (-1, 83)]


def test_compute_standings_ignores_an_open_game() -> None:
    rows = rank_players(build_crosstable([["1-2 300:200"], ["1-2"]], players=2))
    assert (rows[1].games, rows[1].starts, rows[1].resistance) == (1, 1, 0)
    assert (rows[2].games, rows[2].replies, rows[2].resistance) == (1, 1, 2)


def test_compute_standings_without_players() -> None:
    assert rank_players(build_crosstable([], players=0, order=("wins", "head-to-head"))) == {}


def test_compute_standings_counts_a_fine_before_round_one() -> None:
    sanction = Sanction(SanctionId("f"), PlayerId("p1"), None, SanctionKind.MARGIN, 50, "Late")
    rows = rank_players(build_crosstable([], players=2).put(sanction))
    assert [(n, row.rank, row.spread) for n, row in rows.items()] == [(2, 1, 0), (1, 2, -50)]


def test_compute_standings_ignores_a_draft() -> None:
    tournament = build_crosstable([["1-2 300:200"], ["2-1 900:200"]], players=2)
    second = tournament.rounds[RoundId("r2")]
    rows = rank_players(tournament.put(replace(second, state=RoundState.DRAFT)))
    assert [row.spread for row in rows.values()] == [100, -100]


class TestAfter:
    tournament = build_crosstable(FIVE, players=5)

    @pytest.mark.parametrize(
        ("after", "units", "listed", "ranks"),
        [
            (0, [0, 0, 0, 0, 0], [1, 2, 3, 4, 5], [1, 1, 1, 1, 1]),
            (1, [2, 0, 1, 1, 2], [1, 5, 3, 4, 2], [1, 1, 3, 3, 5]),
            (2, [4, 2, 3, 1, 2], [1, 3, 2, 5, 4], [1, 2, 3, 4, 5]),
            (3, [4, 4, 5, 1, 2], [3, 1, 2, 5, 4], [1, 2, 3, 4, 5]),
            (4, [6, 6, 5, 1, 3], [1, 2, 3, 5, 4], [1, 2, 3, 4, 5]),
            (9, [6, 6, 5, 1, 3], [1, 2, 3, 5, 4], [1, 2, 3, 4, 5]),
        ],
    )
    def test_compute_standings_after_each_round(
        self, after: int, units: list[int], listed: list[int], ranks: list[int]
    ) -> None:
        rows = rank_players(self.tournament, after)
        assert [rows[n].units for n in range(1, 6)] == units
        assert list(rows) == listed
        assert [row.rank for row in rows.values()] == ranks


class TestSharedRanks:
    def test_compute_standings_skips_shared_ranks(self) -> None:
        rounds = [["6-1 300:200", "5-2 300:200", "4-3 300:250"]]
        rows = rank_players(build_crosstable(rounds, players=6))
        assert [(n, row.rank) for n, row in rows.items()] == [(5, 1), (6, 1), (4, 3), (3, 4), (1, 5), (2, 5)]

    def test_compute_standings_by_points_leaves_ties(self) -> None:
        """By Dutch rule I.2 the total points decide, not the number of wins."""
        rounds = [["1-3 450:460", "2-4 420:300"], ["3-1 400:380", "4-2 330:400"]]
        rows = rank_players(build_crosstable(rounds, players=4, order=("points",)))
        assert [(n, row.points, row.wins, row.rank) for n, row in rows.items()] == [
            (3, 860, 2, 1),
            (1, 830, 0, 2),
            (2, 820, 2, 3),
            (4, 630, 0, 4),
        ]
        tied_rows = rank_players(build_crosstable([["1-2 400:400"], ["3 bye"]], players=3, order=("points",)))
        assert [(n, row.rank) for n, row in tied_rows.items()] == [(1, 1), (2, 1), (3, 3)]


class TestCaps:
    """Tests of spread caps. The last cap is valid for all later rounds. 0 is no cap."""

    rounds = (["1-2 600:300"], ["1-2 600:300"], ["2-1 500:380"], ["1 bye 90", "2 forfeit -90"])

    @pytest.mark.parametrize(
        ("caps", "spread"),
        [((), 570), ((0,), 570), ((50,), 100), ((50, 200), 220), ((1000, 0, 70, 80), 610), ((299, 300, 120), 569)],
    )
    def test_compute_standings_caps_the_spread(self, caps: tuple[int, ...], spread: int) -> None:
        rows = rank_players(build_crosstable(self.rounds, players=2, caps=caps))
        assert [rows[n].spread for n in (1, 2)] == [spread, -spread]

    def test_compute_standings_does_not_cap_points(self) -> None:
        assert rank_players(build_crosstable(self.rounds, players=2, caps=(50,)))[1].points == 1580


class TestMatchPoints:
    def test_standing_resistance_with_three_points_for_a_win(self) -> None:
        rules = replace(RULES, match_points=MatchPoints(Fraction(3), Fraction(1), Fraction(0)))
        rows = rank_players(build_crosstable([["1-2 300:300", "3-4 300:200"]], players=4, rules=rules))
        assert {n: row.match_points for n, row in rows.items()} == {3: 3, 1: 1, 2: 1, 4: 0}
        assert rows[4].resistance_points == 3

    def test_standing_resistance_in_thirds(self) -> None:
        rules = replace(RULES, match_points=MatchPoints(Fraction(1), Fraction(1, 3), Fraction(1, 5)))
        rows = rank_players(build_crosstable([["1-2 300:300"], ["1-2 300:200"]], players=2, rules=rules))
        assert rows[1].match_points == Fraction(4, 3)
        assert rows[1].resistance_points == 2 * Fraction(8, 15)

    def test_compute_standings_bye_as_a_loss(self) -> None:
        rules = replace(RULES, byes=ByeRules(bye=ByeValue(Outcome.LOSS, -7)))
        row = rank_players(build_crosstable([["1 bye"]], players=1, rules=rules))[1]
        assert (row.games, row.losses, row.units, row.spread) == (1, 1, 0, -7)


class TestWithdrawn:
    tournament = withdraw_players(build_crosstable(FIVE, players=5), 1, 4)

    def test_compute_standings_lists_withdrawn_players_by_default(self) -> None:
        rows = rank_players(self.tournament)
        assert {n: row.active for n, row in rows.items()} == {1: False, 2: True, 3: True, 5: True, 4: False}

    def test_compute_standings_can_hide_withdrawn_players(self) -> None:
        division = replace(self.tournament.divisions[D], list_withdrawn=False)
        rows = rank_players(self.tournament.put(division))
        assert [(n, row.rank) for n, row in rows.items()] == [(2, 1), (3, 2), (5, 3)]
        assert rows[2].resistance == 15

    def test_compute_standings_shows_a_later_withdrawal(self) -> None:
        leaves = Absence(AbsenceId("a"), PlayerId("p2"), first_round=3)
        tournament = build_crosstable(FIVE, players=5).put(leaves)
        index, division = TournamentIndex(tournament), tournament.divisions[D]
        rows_by_round = {after: compute_standings(index, division, after) for after in (1, 2, 3, None)}
        assert {after: min(row.active for row in rows) for after, rows in rows_by_round.items()} == {
            1: True, 2: False, 3: False, None: False
        }  # fmt: skip
        hidden = replace(division, list_withdrawn=False)
        assert [len(compute_standings(index, hidden, after)) for after in (1, 2, 3)] == [5, 4, 4]
        assert [row.rank for row in compute_standings(index, hidden, 1)] == [row.rank for row in rows_by_round[1]]

    def test_compute_standings_ending_absence_is_no_withdrawal(self) -> None:
        absence = Absence(AbsenceId("a"), PlayerId("p1"), first_round=2, last_round=3)
        assert rank_players(build_crosstable(FIVE, players=5).put(absence))[1].active


class TestOrder:
    rules = replace(RULES, order={"swiss": ("wins", "resistance", "spread"), "other": ("wins", "spread")})
    tournament = build_crosstable(FIVE, players=5, rules=rules)

    def find_order(self, tournament: Tournament, after: int | None = None) -> tuple[str, ...]:
        index = TournamentIndex(tournament)
        return find_tiebreak_order(index, index.get_division(None), after)

    def test_find_order_of_the_first_stage(self) -> None:
        first = self.tournament.stages[StageId("s")]
        second_stage = replace(first, id=StageId("a"), position=2, system="knockout")
        assert self.find_order(self.tournament.put(second_stage)) == ("wins", "resistance", "spread")
        assert self.find_order(self.tournament.put(second_stage, replace(first, system="round-robin"))) == (
            "wins",
            "spread",
        )

    @pytest.mark.parametrize("carry", [True, False])
    def test_find_order_since_a_new_start(self, carry: bool) -> None:
        first = replace(self.tournament.stages[StageId("s")], rounds=3)
        second_stage = replace(first, id=StageId("a"), position=2, system="round-robin", rounds=1, carry=carry)
        last = replace(self.tournament.rounds[RoundId("r4")], stage=second_stage.id)
        tournament = self.tournament.put(first, second_stage, last)
        assert self.find_order(tournament, 3) == ("wins", "resistance", "spread")
        assert self.find_order(tournament) == (("wins", "resistance", "spread") if carry else ("wins", "spread"))

    def test_find_order_before_the_first_round(self) -> None:
        assert self.find_order(build_crosstable([], players=2, rules=self.rules)) == (
            "wins",
            "resistance",
            "spread",
        )

    def test_find_order_without_a_stage(self) -> None:
        tournament = build_crosstable([], players=2, rules=self.rules)
        assert self.find_order(tournament.drop(*tournament.stages.values())) == ("wins", "spread")

    def test_find_order_of_a_division_precedes_the_rules(self) -> None:
        assert self.find_order(set_order(self.tournament, "points")) == ("points",)

    def test_set_order_decides_the_ranking(self) -> None:
        """Players 1 and 2 differ only in spread."""
        assert [row.rank for row in rank_players(self.tournament).values()] == [1, 2, 3, 4, 5]
        rows = rank_players(set_order(self.tournament, "wins", "resistance"))
        assert [(n, row.rank) for n, row in rows.items()] == [(1, 1), (2, 1), (3, 3), (5, 4), (4, 5)]
        assert list(rows[1].tiebreak_values) == ["wins", "resistance"]

    def test_compute_standings_refuses_an_unknown_tiebreak(self) -> None:
        with pytest.raises(CommandError, match="unknown-tiebreak"):
            rank_players(set_order(self.tournament, "wins", "luck"))


class TestBreakdown:
    index = TournamentIndex(build_crosstable(FIVE, players=5))

    def list_lines(self, number: int, after: int | None = None) -> list[tuple[object, ...]]:
        parts = list_resistance_breakdown(self.index, self.index.get_division(None), PlayerId(f"p{number}"), after)
        return [
            (
                part.round,
                part.opponent.number if part.opponent else None,
                part.bye,
                part.forfeit,
                part.units,
                part.own_units,
            )
            for part in parts
        ]

    def test_explain_resistance_forfeit_adds_points_of_the_opponent(self) -> None:
        assert self.list_lines(2) == [
            (1, 1, None, False, 6, 0),
            (2, 4, None, False, 1, 2),
            (3, 5, None, True, 3, 2),
            (4, 3, None, False, 5, 2),
        ]

    def test_explain_resistance_bye_adds_nothing(self) -> None:
        assert self.list_lines(5) == [
            (1, None, ByeKind.BYE, False, 0, 2),
            (2, 1, None, False, 6, 0),
            (3, 2, None, True, 6, 0),
            (4, None, ByeKind.REQUESTED, False, 0, 1),
        ]

    def test_explain_resistance_after_an_earlier_round(self) -> None:
        assert self.list_lines(2, after=1) == [(1, 1, None, False, 2, 0)]

    def test_explain_resistance_omits_open_games(self) -> None:
        index = TournamentIndex(build_crosstable([["1-2 300:200"], ["2-1"]], players=2))
        assert [
            part.round for part in list_resistance_breakdown(index, index.get_division(None), PlayerId("p1"))
        ] == [1]


@st.composite
def draw_tournament(draw: st.DrawFn) -> Tournament:
    """Draw random rounds of up to eight players with open games, byes, forfeits and spread caps."""
    players = draw(st.integers(2, 8))
    score = st.integers(0, 4).map(lambda step: 300 + 25 * step)
    rounds = []
    for _ in range(draw(st.integers(0, 4))):
        seats = draw(st.permutations(range(1, players + 1)))
        lines = []
        while len(seats) > 1:
            first, second, *seats = seats
            result = draw(st.sampled_from(["score"] * 5 + ["", "forfeit 1", "forfeit 2", "forfeit both"]))
            lines.append(f"{first}-{second} {f'{draw(score)}:{draw(score)}' if result == 'score' else result}")
        lines += [f"{last} {draw(st.sampled_from(list(ByeKind)))}" for last in seats]
        rounds.append(lines)
    order = tuple(draw(st.permutations(["wins", "spread", "head-to-head", "resistance", "rating"])))
    caps = tuple(draw(st.lists(st.sampled_from([0, 20, 60]), max_size=3)))
    ratings = draw(st.dictionaries(st.integers(1, players), st.integers(1, 3)))
    return build_crosstable(
        rounds, players=players, order=order[: draw(st.integers(1, 5))], caps=caps, ratings=ratings
    )


def shuffle_rows(tournament: Tournament, seed: int) -> Tournament:
    """Return the tournament with its rows in another order."""
    rows = [
        row for kind in ("players", "rounds", "games", "results", "byes") for row in tournament.rows(kind).values()
    ]
    random.Random(seed).shuffle(rows)
    return tournament.drop(*rows).put(*rows)


@given(draw_tournament(), st.integers())
def test_compute_standings_is_independent_of_row_order(tournament: Tournament, seed: int) -> None:
    assert list(rank_players(shuffle_rows(tournament, seed)).values()) == list(rank_players(tournament).values())


@given(draw_tournament())
def test_compute_standings_ranks_follow_the_sort_keys(tournament: Tournament) -> None:
    rows = list(rank_players(tournament).values())
    assert len(rows) == len(tournament.players)
    assert [(row.sort_key, row.player.number) for row in rows] == sorted(
        (row.sort_key, row.player.number) for row in rows
    )
    for row in rows:
        assert row.rank == 1 + sum(other_row.sort_key < row.sort_key for other_row in rows)


@given(draw_tournament())
def test_explain_resistance_wins_and_losses_cancel_out(tournament: Tournament) -> None:
    """All spreads add up to the spreads of byes and double forfeits."""
    rows = list(rank_players(tournament).values())
    index = TournamentIndex(tournament)
    division = index.get_division(None)
    bye_spreads = {ByeKind.BYE: 50, ByeKind.REQUESTED: 0, ByeKind.ABSENT: 0, ByeKind.FORFEIT: -50}
    expected_spread = 0
    for item in index.rounds(D):
        caps = division.spread_caps
        cap = (caps[min(item.number, len(caps)) - 1] if caps else 0) or 1000
        for bye in index.byes(item.id):
            expected_spread += max(-cap, min(cap, bye_spreads[bye.kind]))
        for game in index.games(item.id):
            result = index.get_result(game.id)
            expected_spread -= 2 * min(cap, 50) if result and result.forfeit == "both" else 0
    assert sum(row.spread for row in rows) == expected_spread
    opponent_counts = {
        row.player.id: len(
            [1 for part in list_resistance_breakdown(index, division, row.player.id) if part.opponent]
        )
        for row in rows
    }
    assert sum(row.resistance for row in rows) == sum(row.units * opponent_counts[row.player.id] for row in rows)


@given(draw_tournament())
def test_explain_resistance_sums_to_the_total(tournament: Tournament) -> None:
    index = TournamentIndex(tournament)
    division = index.get_division(None)
    rows = compute_standings(index, division)
    assert len(rows) == len(tournament.players) > 0
    for row in rows:
        lines = list_resistance_breakdown(index, division, row.player.id)
        assert sum(line.units for line in lines) == row.resistance
        assert sum(line.own_units for line in lines) == row.units


def test_get_standings_round_is_the_last_with_a_result() -> None:
    value = building.pair_rounds(building.make_event(4, rounds=3))
    assert TournamentIndex(value).get_last_round_with_results(building.DIVISION) == 1
    value = building.pair_rounds(value, results=False)
    assert (
        TournamentIndex(value).get_last_published_round_number(building.DIVISION),
        TournamentIndex(value).get_last_round_with_results(building.DIVISION),
    ) == (2, 1)
    value = commands.enter_result(value, game=building.get_game_at(value, 1).id, first=400, second=380)
    assert TournamentIndex(value).get_last_round_with_results(building.DIVISION) == 2
    assert TournamentIndex(value).get_last_round_with_results(building.DIVISION, 1) == 1
