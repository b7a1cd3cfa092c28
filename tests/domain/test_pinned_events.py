"""Pinned texts and properties of random tournaments: standings, records, prizes and ratings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import pytest
from msgspec.structs import replace

from tdapp.domain.attendance import find_players_back_from_absence, list_attendance_consequences
from tdapp.domain.game_results import (
    compute_points_before_rulings,
    compute_sheet_result,
    count_checked_games,
    find_decisive_sheet,
    find_game_of_player,
    find_sheet_result_if_different,
    is_result_checking_required_or_started,
    is_result_equal_to_sheet,
    list_unchecked_games,
    recompute_result,
    refuse_unchecked_games_if_required,
    swap_players_after_tile_draw,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Absence, AbsenceId, ByeKind, Player, PlayerId, UnplayedRoundCounting
from tdapp.domain.prizes import compute_awarded_prizes, sum_payouts
from tdapp.domain.ratings import compute_division_rating_changes
from tdapp.domain.records import compute_fines, compute_records, is_unplayed_round, is_voluntarily_unplayed
from tdapp.domain.standings import compute_standings, explain_rank, list_resistance_breakdown
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_rating_systems
from tests.building import DIVISION, RESOURCES
from tests.domain.random_tournaments import ROUNDS, build_eventful_tournament
from tests.pinned import format_outcome, format_value, read_pinned_lines

CASES = [(1, "no-nsf"), (2, "nl-match"), (3, "be-brailleliga"), (4, "no-nsf")]
RATINGS = read_rating_systems(RESOURCES / "ratings")


def edit_division(value: Tournament, **fields: object) -> Tournament:
    return value.put(replace(value.divisions[DIVISION], **fields))


def format_ranks(value: Tournament, after: int | None = None) -> str:
    index = TournamentIndex(value)
    rows = compute_standings(index, value.divisions[DIVISION], after)
    order = value.divisions[DIVISION].order
    texts = [
        f"{row.player.number}:{row.rank}:{','.join(format_value(row.get_tiebreak_value(name)) for name in order)}"
        for row in rows
    ]
    return " ".join(texts)


def list_standings_lines(value: Tournament) -> Iterator[str]:
    for name in TIEBREAKS:
        for mode in (
            UnplayedRoundCounting
            if "resistance" in name or name == "sonneborn-berger"
            else (UnplayedRoundCounting.PLAIN,)
        ):
            yield f"{name} {mode.value} {format_ranks(edit_division(value, order=(name,), unplayed=mode))}"
        if name not in {"wins", "spread"}:
            yield f"wins {name} {format_ranks(edit_division(value, order=('wins', name, 'spread')), 4)}"
    for after in (0, 1, 3, 5, 99):
        yield f"after {after} {format_ranks(value, after)}"
    yield f"unlisted {format_ranks(edit_division(value, list_withdrawn=False))}"
    index, division = TournamentIndex(value), value.divisions[DIVISION]
    rows = compute_standings(index, division)
    for row in rows:
        yield format_value({**row._asdict(), "games": row.games, "player": None, "values": {}})
    for upper, lower in pairwise(rows):
        yield f"above {upper.player.number} {lower.player.number} {format_value(explain_rank(upper, lower))}"
    for mode in UnplayedRoundCounting:
        edited_division = replace(division, unplayed=mode)
        for row in rows:
            resistance_parts = list_resistance_breakdown(index, edited_division, row.player.id)
            parts = [f"{part.units}/{part.own_units}/{part.is_dummy:d}" for part in resistance_parts]
            yield f"{mode.value} {row.player.number} {format_value(parts)}"


def list_record_lines(value: Tournament) -> Iterator[str]:
    index, division = TournamentIndex(value), value.divisions[DIVISION]
    for player, record in compute_records(index, division).items():
        yield f"record {player} {format_value([tuple(entry) for entry in record])}"
        yield f"  without a game {[entry.round for entry in record if is_unplayed_round(entry)]}"
        yield f"  voluntary {[entry.round for entry in record if is_voluntarily_unplayed(entry)]}"
    for after, first_round in ((None, 1), (2, 1), (4, 3), (None, 5)):
        fines = compute_fines(index, division, after, first_round=first_round)
        yield f"fines {after} {first_round} {format_value(fines)}"
    for after in (None, 2, 0):
        waiting = [game.id for game in list_unchecked_games(index, DIVISION, after)]
        yield f"tally {after} {format_value(count_checked_games(index, division, after))} {format_value(waiting)}"
    checked_index = TournamentIndex(value.put(replace(value.event, check_first=True)))
    empty_index = TournamentIndex(value.drop(*value.results.values()))
    are_used = [is_result_checking_required_or_started(index_) for index_ in (index, checked_index, empty_index)]
    yield f"in use {are_used[0]} {are_used[1]} {are_used[2]}"
    for after in (0, 1, 2, ROUNDS):
        check = partial(refuse_unchecked_games_if_required, checked_index, DIVISION, after)
        yield f"checked before {after + 1} {format_outcome(check)}"
    yield f"came late {format_value(find_players_back_from_absence(index, DIVISION))}"
    for game, result in value.results.items():
        parts = [
            compute_points_before_rulings(result),
            *(
                compute(index, game)
                for compute in (
                    is_result_equal_to_sheet,
                    compute_sheet_result,
                    find_sheet_result_if_different,
                )
            ),
        ]
        form = find_decisive_sheet(index.sheets(game))
        yield f"result {format_value(result)} {format_value(parts)} {form and form.id}"
    for number in range(ROUNDS + 2):
        games = [find_game_of_player(index, PlayerId(player_id), number) for player_id in ("p1", "p9")]
        yield f"game {number} {format_value([game and game.id for game in games])}"


def list_prize_lines(value: Tournament) -> Iterator[str]:
    division = value.divisions[DIVISION]
    for after in (None, 3, 0):
        awards = compute_awarded_prizes(TournamentIndex(value), division, after)
        for award in awards:
            winners = [(winner.player.number, winner.share, winner.code, winner.facts) for winner in award.winners]
            places = f"{award.is_shared} {award.first} {award.last} {award.pool}"
            yield f"{after} {award.prize.id} {places} {format_value(winners)}"
        yield f"{after} payouts {format_value(sum_payouts(awards))}"


def list_rating_lines(value: Tournament) -> Iterator[str]:
    for name, system in RATINGS.items():
        for after in (None, 3):
            rows = compute_division_rating_changes(
                TournamentIndex(value), value.divisions[DIVISION], system, after
            )
            yield f"{name} {after} {format_value([replace(row, player=row.player.number) for row in rows])}"


PARTS = {
    "standings": list_standings_lines,
    "records": list_record_lines,
    "prizes": list_prize_lines,
    "ratings": list_rating_lines,
}


@pytest.mark.parametrize(
    ("part", "seed", "rules"),
    [(part, seed, rules) for part in PARTS for seed, rules in CASES if part != "records" or seed in {1, 3}],
)
def test_pinned_events(part: str, seed: int, rules: str) -> None:
    actual, expected = read_pinned_lines(
        __file__, f"{part}-{seed}", PARTS[part](build_eventful_tournament(seed, rules))
    )
    assert actual == expected


# --- properties


@pytest.mark.parametrize(("seed", "rules"), CASES)
def test_swap_sides_twice_changes_nothing(seed: int, rules: str) -> None:
    value = build_eventful_tournament(seed, rules)
    swapped_once = value
    for game in value.games:
        swapped_once = swap_players_after_tile_draw(swapped_once, game)
    swapped_twice = swapped_once
    for game in value.games:
        swapped_twice = swap_players_after_tile_draw(swapped_twice, game)
    assert swapped_twice.results == value.results != swapped_once.results
    assert swapped_twice.sheets == value.sheets
    assert [row.first for row in swapped_twice.games.values()] == [row.first for row in value.games.values()]
    order = ("wins", "spread", "points")
    assert format_ranks(edit_division(swapped_once, order=order)) == format_ranks(
        edit_division(value, order=order)
    )


@pytest.mark.parametrize(("seed", "rules"), CASES)
def test_recompute_result_of_computed_results_changes_nothing(seed: int, rules: str) -> None:
    value = build_eventful_tournament(seed, rules)
    assert value.results == {key: recompute_result(value, result) for key, result in value.results.items()}


@pytest.mark.parametrize(("seed", "rules"), CASES)
def test_compute_records_spreads_of_games_add_up_to_zero(seed: int, rules: str) -> None:
    value = build_eventful_tournament(seed, rules)
    entries = [
        entry
        for record in compute_records(TournamentIndex(value), value.divisions[DIVISION]).values()
        for entry in record
    ]
    games = [entry for entry in entries if entry.is_played]
    assert len(games) == 2 * sum(result.forfeit is None for result in value.results.values()) > 0
    assert sum(entry.spread for entry in games) == sum(entry.point_difference for entry in games) == 0


@pytest.mark.parametrize(("seed", "rules"), CASES)
def test_standings_are_independent_of_the_order_of_rows(seed: int, rules: str) -> None:
    value = build_eventful_tournament(seed, rules)
    kinds = ("games", "byes", "results", "prizes", "sanctions", "sheets")
    rows = [row for kind in kinds for row in getattr(value, kind).values()]
    reordered = value.drop(*rows).put(*reversed(rows))
    parts = ("standings", "prizes", "ratings")
    assert [list(PARTS[part](reordered)) for part in parts] == [list(PARTS[part](value)) for part in parts]


# --- consequences of absences


def list_absence_cases() -> Iterator[tuple[str, Tournament, Tournament, str]]:
    for seed, rules in CASES[1:3]:
        value = build_eventful_tournament(seed, rules)
        for player_id in ("p2", "p8"):
            cases = [(7, None, (None, *ByeKind)), (7, 7, (None, ByeKind.REQUESTED))]
            for first, last, kinds in [*cases, (6, None, (None,)), (7, 8, (None,))]:
                for kind in kinds:
                    after = value.put(Absence(AbsenceId("n"), PlayerId(player_id), first, last, kind))
                    yield f"{seed} {player_id} {first} {last} {kind}", value, after, player_id
                    if kind is None:
                        yield f"{seed} {player_id} {first} {last} back", after, value, player_id
        new = value.put(Player(PlayerId("p10"), DIVISION, 10, "Late"))
        yield f"{seed} new", value, new, "p10"
        without_absence = value.drop(value.absences[AbsenceId("left")])
        for hidden_players in (False, True):
            variants = [
                edit_division(tournament, list_withdrawn=hidden_players) for tournament in (value, without_absence)
            ]
            yield f"{seed} back {hidden_players}", variants[0], variants[1], "p8"
            yield f"{seed} left {hidden_players}", variants[1], variants[0], "p8"


def test_pinned_consequences() -> None:
    rows = [
        f"{name} => {format_value(list_attendance_consequences(before, after, PlayerId(player_id)))}"
        for name, before, after, player_id in list_absence_cases()
    ]
    actual, expected = read_pinned_lines(__file__, "follows", rows)
    assert actual == expected
