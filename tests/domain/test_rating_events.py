"""Tests of ratings over dated events: worked examples, the share of each game, and a second computation."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from msgspec.structs import replace

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, StartRating
from tdapp.domain.ratings import (
    PlayerEventRatingChange,
    RatedEvent,
    RatedGame,
    RatingSystem,
    compute_event_rating_changes,
    list_rated_games,
)
from tdapp.domain.records import compute_records
from tdapp.exchange.presets import read_rating_systems
from tdapp.i18n.round_times import find_first_date
from tests.building import RESOURCES
from tests.data_events import find_data_folder, parse_published_division

SYSTEMS: Mapping[str, RatingSystem] = read_rating_systems(RESOURCES / "ratings")
HALF = Fraction(1, 2)


def make_event(date: str, *games: tuple[str, str, float], name: str = "") -> RatedEvent:
    """Return an event with one round for each game. A game has two players and the score of the first."""
    rows = [
        RatedGame(number, first, second, Fraction(score), 1 - Fraction(score))
        for number, (first, second, score) in enumerate(games, 1)
    ]
    return RatedEvent(f"{date}{name}", name, date, tuple(rows))


def make_starts(**ratings: int | None) -> list[StartRating]:
    return [StartRating(PlayerId(player), rating) for player, rating in ratings.items()]


def list_ratings(changes: Sequence[PlayerEventRatingChange]) -> list[int | None]:
    return [change.after for change in changes]


# --- example 18 of the design


def test_rate_events_sorts_events_by_date() -> None:
    """K is 20. A wins on 1 October: 1510 and 1490. B wins on 8 October: 1499 and 1501."""
    events = [make_event("2026-10-08", ("A", "B", 0)), make_event("2026-10-01", ("A", "B", 1))]
    changes_by_player = compute_event_rating_changes(SYSTEMS["elo"], events, make_starts(A=1500, B=1500))
    assert (list_ratings(changes_by_player["A"]), list_ratings(changes_by_player["B"])) == (
        [1510, 1499],
        [1490, 1501],
    )


def test_rate_events_follows_an_earlier_date() -> None:
    """B wins on 24 September: 1490 and 1510. Then A wins: 1501 and 1499."""
    events = [make_event("2026-10-01", ("A", "B", 1)), make_event("2026-09-24", ("A", "B", 0))]
    changes_by_player = compute_event_rating_changes(SYSTEMS["elo"], events, make_starts(A=1500, B=1500))
    assert (list_ratings(changes_by_player["A"]), list_ratings(changes_by_player["B"])) == (
        [1490, 1501],
        [1510, 1499],
    )


# --- order, newcomers, games before


def test_rate_events_of_one_date_keep_their_order() -> None:
    win_event = make_event("2026-10-01", ("A", "B", 1), name="a")
    loss_event = make_event("2026-10-01", ("A", "B", 0), name="b")
    for events, expected in (((win_event, loss_event), [1510, 1499]), ((loss_event, win_event), [1490, 1501])):
        changes_by_player = compute_event_rating_changes(SYSTEMS["elo"], events, make_starts(A=1500, B=1500))
        assert list_ratings(changes_by_player["A"]) == expected


def test_rate_events_games_of_an_event_count_together() -> None:
    """Both games use the ratings before the evening, so one win each gives no change."""
    changes_by_player = compute_event_rating_changes(
        SYSTEMS["elo"], [make_event("2026-10-01", ("A", "B", 1), ("A", "B", 0))], make_starts(A=1500, B=1500)
    )
    assert list_ratings(changes_by_player["A"]) == [1500]
    assert [game.change for game in changes_by_player["A"][0].games] == [10, -10]


@pytest.mark.parametrize(("system", "counted_events"), [("elo", 0), ("naspa", 1)])
def test_rate_events_newcomer_gets_the_performance(system: str, counted_events: int) -> None:
    """The first event of a newcomer does not count for the opponents. Later events count."""
    events = [make_event("2026-10-01", ("N", "A", 1)), make_event("2026-10-08", ("N", "A", 0))]
    changes_by_player = compute_event_rating_changes(SYSTEMS[system], events, make_starts(A=1500, N=None))
    first, second = changes_by_player["N"]
    assert (first.before, first.game_count, first.games[0].change) == (None, 1, None)
    assert (first.after or 0) > 1600
    assert (second.before, second.games[0].change is not None) == (first.after, True)
    assert [change.game_count for change in changes_by_player["A"]] == [counted_events, 1]
    assert changes_by_player["A"][0].games[0].change is None or counted_events


def test_rate_events_players_without_any_rating() -> None:
    changes_by_player = compute_event_rating_changes(
        SYSTEMS["elo"], [make_event("2026-10-01", ("N", "M", 1))], make_starts(N=None)
    )
    assert [(change.before, change.after, change.game_count) for change in changes_by_player["M"]] == [
        (None, None, 0)
    ]


@pytest.mark.parametrize(("games", "changes"), [(48, [15, 15, 10]), (None, [10, 10, 10]), (0, [15, 15, 15])])
def test_rate_events_count_the_games_of_earlier_events(games: int | None, changes: list[int]) -> None:
    """In North America K is 30 for the first 50 games below 1800, then 20."""
    starts = [StartRating(PlayerId("A"), 1500, games), StartRating(PlayerId("B"), 1500)]
    changes_by_player = compute_event_rating_changes(
        replace(SYSTEMS["naspa"], bonus=None),
        [make_event(f"2026-10-0{day}", ("A", "B", 1)) for day in (1, 2, 3)],
        [starts[0], *(StartRating(PlayerId(f"B{day}"), 1500) for day in (1, 2, 3)), starts[1]],
    )
    factors = [game.change / (1 - game.expected) for change in changes_by_player["A"] for game in change.games]  # type: ignore[operator]
    assert factors == pytest.approx([2 * change for change in changes])


# --- the share of each game


def make_random_events(
    seed: int, evenings: int = 6, players: int = 9
) -> tuple[list[RatedEvent], list[StartRating]]:
    random_source = random.Random(seed)
    names = [f"p{number}" for number in range(players)]
    starts = [
        StartRating(
            PlayerId(name),
            random_source.choice([None, *[random_source.randint(900, 2100)] * 5]),
            random_source.choice([None, 5, 48]),
        )
        for name in names
    ]
    events = []
    for number in range(evenings):
        rows = []
        for round_ in range(1, random_source.randint(2, 5)):
            present_names = random_source.sample(names, len(names) - len(names) % 2)
            for first, second in zip(present_names[::2], present_names[1::2], strict=True):
                score = random_source.choice([Fraction(0), HALF, Fraction(1)])
                rows.append(RatedGame(round_, first, second, score, 1 - score))
        date = f"2026-{random_source.randint(9, 12):02}-{random_source.randint(1, 28):02}"
        events.append(RatedEvent(f"e{number}", f"Evening {number}", date, tuple(rows)))
    return events, starts


@pytest.mark.parametrize("system", sorted(SYSTEMS))
@pytest.mark.parametrize("seed", range(4))
def test_rate_events_shares_add_up_to_the_change(system: str, seed: int) -> None:
    events, starts = make_random_events(seed)
    change_lists = compute_event_rating_changes(SYSTEMS[system], events, starts).values()
    rated_changes = [
        (change.before, change) for changes in change_lists for change in changes if change.before is not None
    ]
    sums = [
        rating_before + round(math.fsum(game.change or 0 for game in change.games), 9)
        for rating_before, change in rated_changes
    ]
    assert [change.after for _, change in rated_changes] == [math.floor(total + 0.5) for total in sums]
    assert len(rated_changes) > 20


def test_rate_events_shares_of_a_steep_rise() -> None:
    """Three wins at 1500 with K 20 give 30 points and a bonus of 15.

    Each game has 10 points and 5 of the bonus. Each opponent loses 10 and gets a twentieth of the bonus.
    """
    starts = [StartRating(PlayerId(name), 1500) for name in "ABCD"]
    event = make_event("2026-10-01", *(("A", opponent, 1) for opponent in "BCD"))
    changes_by_player = compute_event_rating_changes(SYSTEMS["naspa"], [event], starts)
    assert [game.change for game in changes_by_player["A"][0].games] == pytest.approx([15, 15, 15])
    assert [game.change for game in changes_by_player["B"][0].games] == pytest.approx([-9.25])
    assert (changes_by_player["A"][0].after, changes_by_player["B"][0].after) == (1545, 1491)


def test_rate_events_shares_across_a_factor_limit() -> None:
    """K changes from 20 to 16 at 1800. The factor follows the sum of the games."""
    starts = [StartRating(PlayerId("A"), 1795), *(StartRating(PlayerId(name), 1795) for name in "BC")]
    changes_by_player = compute_event_rating_changes(
        replace(SYSTEMS["naspa"], bonus=None), [make_event("2026-10-01", ("A", "B", 1), ("A", "C", 1))], starts
    )
    assert [game.change for game in changes_by_player["A"][0].games] == pytest.approx(
        [8.5, 8.5]
    )  # 5 + 16 * 3/4 = 17
    assert changes_by_player["A"][0].after == 1812


# --- a second computation


def compute_elo_ratings(k: float, events: list[RatedEvent], starts: list[StartRating]) -> dict[str, int | None]:
    """Compute plain Elo ratings in a simple loop over the games of each evening."""
    rating: dict[str, int | None] = {start.player: start.rating for start in starts}
    for event in sorted(events, key=lambda event: event.date):
        change = dict.fromkeys(rating, 0.0)
        for game in event.games:
            first_player, second_player = rating[game.first], rating[game.second]
            if first_player is not None and second_player is not None:
                expected_score = 1 / (1 + 10 ** ((second_player - first_player) / 400))
                change[game.first] += k * (float(game.first_score) - expected_score)
                change[game.second] += k * (1 - float(game.first_score) - (1 - expected_score))
        rating = {
            player: None if old_rating is None else int(old_rating + change[player] + 0.5)
            for player, old_rating in rating.items()
        }
    return rating


@pytest.mark.parametrize("seed", range(30))
def test_rate_events_equals_a_second_computation(seed: int) -> None:
    events, starts = make_random_events(seed, evenings=12)
    starts = [replace(start, rating=start.rating or 1500) for start in starts]
    changes_by_player = compute_event_rating_changes(SYSTEMS["elo"], events, starts)
    expected = compute_elo_ratings(20, events, starts)
    assert {player: changes[-1].after for player, changes in changes_by_player.items()} == {
        p: expected[p] for p in changes_by_player
    }


# --- real events

REAL = (
    "Lake-George-NY-CSW-Main-Event_A_3.json",
    "Lake-George-NY-NWL-Main-Event_A_2.json",
    "Milton-ON-CSW_A_335.json",
    "Milton-ON-WOW_C_334.json",
    "Montrealfest-Montreal-QC-Main-Event-CSW_A_266.json",
    "National-Scrabble-Day-2025-CSW_A_200.json",
    "New-Year-s-Albany-NY-NWL-Early-Bird_D_67.json",
    "July-4-Superstars-CSW-Scrabble-Showdown_A_333.json",
)


def read_real_event(name: str) -> tuple[RatedEvent, Mapping[str, tuple[int, int]]]:
    """Return an event, and the published ratings before and after it by player name."""
    document = json.loads((find_data_folder() / "events" / name).read_bytes())
    index = TournamentIndex(parse_published_division(document).tournament)
    division = index.divisions[0]
    names = {player.id: player.name for player in index.players(division.id)}
    games = [
        RatedGame(game.round, names[player], names[PlayerId(game.opponent)], game.score, 1 - game.score)
        for player, record in compute_records(index, division).items()
        for game in list_rated_games(record)
        if player < game.opponent
    ]
    day = find_first_date(document["config"]["event_date"])
    published_ratings = {
        player["name"]: (player["rating"], player.get("newr", [0])[-1]) for player in document["players"]
    }
    planned_event = index.count_planned_rounds(division.id)
    return RatedEvent(name, name, day.isoformat() if day else "", tuple(games), planned_event), published_ratings


@pytest.mark.data
@pytest.mark.parametrize("name", REAL[1:])
def test_rate_events_equals_published_ratings(name: str) -> None:
    event, published_ratings = read_real_event(name)
    starts = [
        StartRating(PlayerId(player), rating_before or None)
        for player, (rating_before, _) in published_ratings.items()
    ]
    changes = compute_event_rating_changes(SYSTEMS["naspa"], [event], starts)
    assert {player: change.after for player, (change,) in changes.items()} == {
        player: rating_after for player, (_, rating_after) in published_ratings.items() if player in changes
    }


@pytest.mark.data
def test_rate_events_of_a_year_equals_a_second_computation() -> None:
    """The year has eight events. Players start with the rating before their first event."""
    events_with_ratings = sorted((read_real_event(name) for name in REAL), key=lambda entry: entry[0].date)
    events = [event for event, _ in events_with_ratings]
    assert len({event.date for event in events}) > 5
    starts: dict[str, StartRating] = {}
    for _, published_ratings in events_with_ratings:
        for player, (rating_before, _) in published_ratings.items():
            starts.setdefault(player, StartRating(PlayerId(player), rating_before or 1500))
    changes = compute_event_rating_changes(
        SYSTEMS["elo"], sorted(events, key=lambda event: event.date, reverse=True), starts.values()
    )
    expected = compute_elo_ratings(20, events, [*starts.values()])
    assert {player: change[-1].after for player, change in changes.items()} == {
        change: expected[change] for change in changes
    }
    assert sum(len(change) > 1 for change in changes.values()) > 0
