"""Tests of FIDE's modes for unplayed rounds: cases by hand, and the official exercise."""

from __future__ import annotations

import csv
import json
from fractions import Fraction

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, PlayerId, StageId, UnplayedRoundCounting
from tdapp.domain.standings import Standing, list_resistance_breakdown
from tdapp.domain.tournament import Tournament
from tests.data_events import find_data_folder
from tests.domain.tournament_lines import build_crosstable, rank_players

HALF = Fraction(1, 2)
ORDER = ("resistance", "resistance-cut1", "resistance-median", "sonneborn-berger")
PLAIN, F2009, F2024, F2026 = UnplayedRoundCounting
FIDE = (F2009, F2024, F2026)


def set_mode(mode: UnplayedRoundCounting, tournament: Tournament) -> Tournament:
    division = next(iter(tournament.divisions.values()))
    return tournament.put(replace(division, unplayed=mode))


def list_parts(
    mode: UnplayedRoundCounting, tournament: Tournament, number: int, after: int | None = None
) -> list[Fraction]:
    """Return the points that each round adds to the resistance of a player."""
    index = TournamentIndex(set_mode(mode, tournament))
    breakdown = list_resistance_breakdown(index, index.get_division(None), PlayerId(f"p{number}"), after)
    return [Fraction(part.units, index.tournament.ruleset.match_point_denominator) for part in breakdown]


def compute_rows(mode: UnplayedRoundCounting, tournament: Tournament) -> dict[int, Standing]:
    division = next(iter(tournament.divisions.values()))
    return rank_players(set_mode(mode, tournament).put(replace(division, unplayed=mode, order=ORDER)))


def build_case(second: str, *lines: str) -> Tournament:
    """Return three rounds of which player 1 wins the first and the last and has `second` in the second.

    Player 2, met in round 1, has 0 + ½ + 1 points, and player 4, met in round 3, 0 + ½ + 0.
    """
    return build_crosstable(
        [
            ["1-2 400:300", "3-4 400:300", "5 absent"],
            [second, "2-4 300:300", *lines],
            ["1-4 400:300", "2-3 400:300", "5 absent"],
        ],
        players=5,
    )


class TestPairingBye:
    """Tests of a pairing bye (rule .1). Player 1 has 3 points after 3 rounds."""

    tournament = build_case("1 bye", "3-5 300:400")

    @pytest.mark.parametrize(
        ("mode", "dummy"),
        [
            (PLAIN, 0),
            (F2009, 1 + 0 + HALF),  # 1 before it, 1 - 1 in it, half a point for the round after it
            (F2024, 3),
            (F2026, 1 + HALF),  # no more than half a point for each of three rounds
        ],
    )
    def test_explain_resistance_own_part(self, mode: UnplayedRoundCounting, dummy: Fraction) -> None:
        assert list_parts(mode, self.tournament, 1) == [1 + HALF, dummy, HALF]

    @pytest.mark.parametrize(("mode", "points"), [(PLAIN, 3), (F2009, 2 + HALF), (F2024, 3), (F2026, 3)])
    def test_explain_resistance_part_of_the_opponent(self, mode: UnplayedRoundCounting, points: Fraction) -> None:
        assert list_parts(mode, self.tournament, 2)[0] == points

    @pytest.mark.parametrize("mode", [F2009, F2026])
    def test_explain_resistance_after_an_earlier_round(self, mode: UnplayedRoundCounting) -> None:
        """2009: 1 point before the bye. 2026: at most half a point for each of two rounds."""
        assert list_parts(mode, self.tournament, 1, after=2) == [HALF, 1]

    def test_explain_resistance_after_a_new_start(self) -> None:
        """Player 1 has 2 points after two rounds."""
        first = next(iter(self.tournament.stages.values()))
        second_stage = replace(first, id=StageId("a"), position=2, rounds=2, carry=False)
        moved = [
            replace(item, stage=second_stage.id) for item in self.tournament.rounds.values() if item.number > 1
        ]
        tournament = self.tournament.put(replace(first, rounds=1), second_stage, *moved)
        assert list_parts(F2026, tournament, 1) == [1, HALF]

    def test_resistance_cut_removes_the_least_part(self) -> None:
        """The bye is not voluntary, so the cut removes the smallest part."""
        values = compute_rows(F2026, self.tournament)[1]
        assert [values.get_tiebreak_value(name) for name in ORDER] == [3 + HALF, 3, 1 + HALF, 3 + HALF]


class TestForfeitWin:
    """Tests of a win by forfeit (rule .2): player 3 did not come to round 2."""

    tournament = build_case("1-3 forfeit 2", "5 absent")

    @pytest.mark.parametrize(("mode", "dummy"), [(PLAIN, 1), (F2009, 1 + HALF), (F2024, 3), (F2026, 1)])
    def test_explain_resistance_own_part(self, mode: UnplayedRoundCounting, dummy: Fraction) -> None:
        assert list_parts(mode, self.tournament, 1)[1] == dummy

    @pytest.mark.parametrize(("mode", "points"), [(PLAIN, 3), (F2009, 2 + HALF), (F2024, 3), (F2026, 3)])
    def test_explain_resistance_part_of_the_opponent(self, mode: UnplayedRoundCounting, points: Fraction) -> None:
        assert list_parts(mode, self.tournament, 2)[0] == points


class TestRequestedAndComeBack:
    """Tests of a requested bye and an absence with a later game (rule .3). They count as awarded."""

    requested = build_case("1 requested", "3-5 300:400")
    absent = build_case("1 absent", "3-5 300:400")

    @pytest.mark.parametrize(
        ("mode", "dummies"),
        [
            (PLAIN, (0, 0)),
            (F2009, (1 + HALF + HALF, 1 + 1 + HALF)),
            (F2024, (2 + HALF, 2)),
            (F2026, (1 + HALF, 1 + HALF)),
        ],
    )
    def test_explain_resistance_own_part(
        self, mode: UnplayedRoundCounting, dummies: tuple[Fraction, Fraction]
    ) -> None:
        assert (list_parts(mode, self.requested, 1)[1], list_parts(mode, self.absent, 1)[1]) == dummies

    @pytest.mark.parametrize(
        ("mode", "points"),
        [(PLAIN, (2 + HALF, 2)), (F2009, (2 + HALF, 2 + HALF)), (F2024, (2 + HALF, 2)), (F2026, (2 + HALF, 2))],
    )
    def test_explain_resistance_part_of_the_opponent(
        self, mode: UnplayedRoundCounting, points: tuple[Fraction, Fraction]
    ) -> None:
        assert (list_parts(mode, self.requested, 2)[0], list_parts(mode, self.absent, 2)[0]) == points

    def test_resistance_cut_before_2024_removes_the_least_part(self) -> None:
        """Published tables of 2018 and 2021 omit the smallest part (rule 16.5.1 is new)."""
        values = compute_rows(F2009, self.absent)[1]
        assert values.get_tiebreak_value("resistance-cut1") == 1 + HALF + 1 + 1 + HALF
        assert values.get_tiebreak_value("resistance-median") == 1 + HALF

    @pytest.mark.parametrize("mode", [F2024, F2026])
    def test_resistance_cut_removes_a_voluntarily_unplayed_round(self, mode: UnplayedRoundCounting) -> None:
        """The cut removes the absence, not the smaller part of round 3."""
        values = compute_rows(mode, self.absent)[1]
        assert values.get_tiebreak_value("resistance-cut1") == 1 + HALF + HALF
        assert values.get_tiebreak_value("resistance-median") == HALF


class TestForfeitLoss:
    """Tests of a loss by forfeit (rule .4): players 1 and 3 have 2 points each."""

    tournament = build_case("1-3 forfeit 1", "5 absent")

    @pytest.mark.parametrize(("mode", "dummy"), [(PLAIN, 2), (F2009, 1 + 1 + HALF), (F2024, 2), (F2026, 2)])
    def test_explain_resistance_own_part(self, mode: UnplayedRoundCounting, dummy: Fraction) -> None:
        assert list_parts(mode, self.tournament, 1)[1] == dummy

    @pytest.mark.parametrize(("mode", "points"), [(PLAIN, 2), (F2009, 2 + HALF), (F2024, 2), (F2026, 2)])
    def test_explain_resistance_part_of_the_opponent(self, mode: UnplayedRoundCounting, points: Fraction) -> None:
        assert list_parts(mode, self.tournament, 2)[0] == points

    @pytest.mark.parametrize("mode", [F2024, F2026])
    def test_resistance_cut_of_a_voluntary_round(self, mode: UnplayedRoundCounting) -> None:
        assert compute_rows(mode, self.tournament)[1].get_tiebreak_value("resistance-cut1") == 1 + HALF + HALF

    @pytest.mark.parametrize("mode", [F2024, F2026])
    def test_explain_resistance_unplayed_end_counts_as_lost(self, mode: UnplayedRoundCounting) -> None:
        """Player 2 is absent in round 2 and forfeits round 3. Only round 2 gives half a point."""
        tournament = build_crosstable([["1-2 400:300"], ["2 absent"], ["2-3 forfeit 1"]], players=3)
        assert list_parts(mode, tournament, 1)[0] == HALF

    def test_explain_resistance_player_without_a_schedule(self) -> None:
        """The dummy of a forfeit without an opponent has at most half a point per round."""
        tournament = build_crosstable([["1-2 400:300"], ["1 forfeit"], ["1-2 400:300"]], players=2)
        assert [list_parts(mode, tournament, 1)[1] for mode in (F2024, F2026)] == [2, 1 + HALF]


class TestGoneForGood:
    """Tests of a withdrawal (rule .5). Player 1 wins round 1 and is absent in rounds 2 (half a point) and 3."""

    tournament = build_crosstable(
        [
            ["1-2 400:300", "3-4 400:300"],
            ["1 requested", "2-3 400:300", "4 bye"],
            ["1 absent", "2-4 400:300", "3 bye"],
        ],
        players=4,
    )

    @pytest.mark.parametrize(
        ("mode", "dummies"),
        [
            (PLAIN, [0, 0]),
            (F2009, [1 + HALF + HALF, 1 + HALF + 1]),
            (F2024, [1 + HALF, 1 + HALF]),
            (F2026, [1 + HALF, 1 + HALF]),
        ],
    )
    def test_explain_resistance_own_part(self, mode: UnplayedRoundCounting, dummies: list[Fraction]) -> None:
        assert list_parts(mode, self.tournament, 1)[1:] == dummies

    @pytest.mark.parametrize(("mode", "points"), [(PLAIN, 1 + HALF), (F2009, 2), (F2024, 2), (F2026, 2)])
    def test_explain_resistance_part_of_the_opponent(self, mode: UnplayedRoundCounting, points: Fraction) -> None:
        """The requested half point stays. The absence becomes another half point."""
        assert list_parts(mode, self.tournament, 2)[0] == points

    @pytest.mark.parametrize("mode", [F2024, F2026])
    def test_explain_resistance_after_an_earlier_round(self, mode: UnplayedRoundCounting) -> None:
        assert list_parts(mode, self.tournament, 2, after=2)[0] == 1 + HALF

    @pytest.mark.parametrize("mode", [F2024, F2026])
    def test_explain_resistance_open_game_is_no_end(self, mode: UnplayedRoundCounting) -> None:
        tournament = build_crosstable([["1-2 400:300"], ["1 absent"], ["1-2"]], players=2)
        assert list_parts(mode, tournament, 2)[0] == 1

    @pytest.mark.parametrize("mode", FIDE)
    def test_explain_resistance_unrecorded_round_is_an_absence(self, mode: UnplayedRoundCounting) -> None:
        recorded = build_crosstable([["1-2 400:300", "3 bye"], ["2-3 400:300", "1 absent"]], players=3)
        unrecorded = build_crosstable([["1-2 400:300", "3 bye"], ["2-3 400:300"]], players=3)
        for number in (1, 2, 3):
            assert list_parts(mode, unrecorded, number) == list_parts(mode, recorded, number)
        assert compute_rows(mode, unrecorded)[1].games == 1


def test_explain_resistance_dummy_is_not_the_forfeiting_opponent() -> None:
    """In the 2009 mode the dummy has the points before the last round, and the points of the opponent in it."""
    tournament = build_crosstable([["1-2 forfeit 2", "3-4 400:300"]], players=4)
    assert list_parts(F2009, tournament, 1) == [0]
    assert list_parts(F2009, tournament, 2) == [1]
    assert compute_rows(F2009, tournament)[1].resistance == 0


def test_explain_resistance_names_dummies() -> None:
    tournament = build_case("1 requested", "3-5 300:400")
    for mode in UnplayedRoundCounting:
        index = TournamentIndex(set_mode(mode, tournament))
        breakdown = list_resistance_breakdown(index, index.get_division(None), PlayerId("p1"))
        assert [part.is_dummy for part in breakdown] == [False, mode is not PLAIN, False]
        assert [part.bye for part in breakdown] == [None, ByeKind.REQUESTED, None]


def test_set_order_stores_the_mode_of_unplayed_rounds() -> None:
    tournament = build_case("1 bye")
    division = tournament.divisions[next(iter(tournament.divisions))]
    edited = commands.set_order(tournament, division=division.id, order=("wins",), unplayed=F2026)
    reset_order = commands.set_order(edited, division=division.id, order=())
    assert (division.unplayed, reset_order.divisions[division.id].unplayed) == (PLAIN, F2026)


@pytest.mark.data
@pytest.mark.parametrize(("mode", "suffix"), [(F2024, "_legacy_2026"), (F2026, "")])
def test_standings_equal_the_official_fide_exercise(mode: UnplayedRoundCounting, suffix: str) -> None:
    """The exercise of FIDE's technical commission has sixteen players and answers for both sets of rules."""
    folder = find_data_folder() / "tiebreaks"
    expected = json.loads((folder / "fide-exercise-expected.json").read_text(encoding="utf-8"))
    with (folder / "fide-exercise.csv").open(encoding="utf-8") as file:
        cells = [row[1:] for row in csv.reader(file)][1:]
    rounds = [
        [
            line
            for player_index in range(16)
            if (line := fide_line(player_index + 1, cells[player_index][round_index]))
        ]
        for round_index in range(5)
    ]
    standings = compute_rows(mode, build_crosstable(rounds, players=16))
    names = {
        "resistance": f"buchholz{suffix}",
        "resistance-cut1": f"buchholz_cut1{suffix}",
        "sonneborn-berger": f"sonneborn_berger_swiss{suffix}",
    }
    value_count = 0
    for name, key in names.items():
        for number, value in expected[key].items():
            assert standings[int(number)].get_tiebreak_value(name) == Fraction(value), (name, number)
            value_count += 1
    assert value_count == 45
    assert {number: float(row.match_points) for number, row in standings.items()} == {
        int(number): points for number, points in expected["points"].items()
    }


def fide_line(number: int, cell: str) -> str | None:
    """Return a cell of the exercise as a crosstable line. Return None if the cell of the opponent has the game."""
    kinds = {"+BYE": "bye", "=BYE": "requested", "--": "absent"}
    if cell in kinds:
        return f"{number} {kinds[cell]}"
    opponent = int(cell[2:])
    if opponent < number:
        return None
    if cell[1] == "F":
        return f"{number}-{opponent} forfeit {2 if cell[0] == '+' else 1}"
    scores = {"+": "400:300", "=": "350:350", "-": "300:400"}[cell[0]]
    return f"{number}-{opponent} {scores}"
