"""The ratings of a season on any date.

They are computed from the ratings before the season, so a corrected result or date changes all later ratings.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import CopiedEvent, Division, Player, PlayerId, Season, StageId, StartRating
from tdapp.domain.ratings import (
    SCORES,
    PlayerEventRatingChange,
    RatedEvent,
    RatedGame,
    RatingSystem,
    compute_event_rating_changes,
    list_rated_games,
    select_rating_system,
)
from tdapp.domain.records import compute_records
from tdapp.domain.seasons import is_within_season, map_member_keys


class MemberRating(Struct, frozen=True):
    """A member's line in the rating list of a season."""

    key: PlayerId
    rank: int  # equal ratings share it
    rating: int
    start: int | None  # rating before the season
    earlier_games: int | None  # number of rated games before the season; None counts as many
    changes: tuple[PlayerEventRatingChange, ...]

    @property
    def game_count(self) -> int:
        return sum(change.game_count for change in self.changes)

    @property
    def total_game_count(self) -> int | None:
        """The number of rated games in the season and before it, None if unknown."""
        return None if self.earlier_games is None else self.earlier_games + self.game_count

    @property
    def change(self) -> int | None:
        return None if self.start is None else self.rating - self.start

    @property
    def last_played_date(self) -> str:
        return max((change.event.date for change in self.changes if change.game_count), default="")


def select_season_rating_system(
    index: TournamentIndex, season: Season, systems: Mapping[str, RatingSystem], name: str = ""
) -> RatingSystem:
    """Return the rating system with the id `name`.

    If `name` is "", return the system of the season's division. For a season without division, use the
    first division.
    """
    system_ids = [division.rating for division in index.divisions if season.division in {None, division.id}]
    return select_rating_system(systems, name or next(iter(system_ids), ""))


def find_rating_list_date(index: TournamentIndex, season: Season, on_date: str = "") -> str:
    """Return `on_date` if given, otherwise the date of the last event, "" if the season has no events."""
    return on_date or max((event.date for event in list_rated_events(index, season)), default="")


def list_rated_events(index: TournamentIndex, season: Season) -> tuple[RatedEvent, ...]:
    """Return the events of a season in order of date, then of division and stage."""
    return index.get_cached_value_or_compute(
        ("rated_events", season.id), (index.tournament, season), lambda: tuple(_make_rated_events(index, season))
    )


def _make_rated_events(index: TournamentIndex, season: Season) -> list[RatedEvent]:
    keys = map_member_keys(index, season)
    events = [
        event
        for division in index.divisions
        if season.division in {None, division.id}
        for event in _make_rated_events_of_division(index, season, division, keys)
    ]
    events += (
        _make_rated_event_of_copied_event(index, event, keys)
        for event in index.copied_events(season.id)
        if event.date and is_within_season(season, event.date)
    )
    return sorted((event for event in events if event.games), key=attrgetter("date"))


def _make_rated_event_of_copied_event(
    index: TournamentIndex, event: CopiedEvent, keys: Mapping[PlayerId, str]
) -> RatedEvent:
    keys_by_number = {row.number: keys[row.player] for row in index.copied_results(event.id)}
    games = tuple(
        RatedGame(
            game.round,
            keys_by_number[game.first],
            keys_by_number[game.second],
            SCORES[game.worth],
            1 - SCORES[game.worth],
        )
        for game in sorted(event.games, key=attrgetter("round"))
    )
    return RatedEvent(event.id, event.name_with_division, event.date, games)


def _make_rated_events_of_division(
    index: TournamentIndex, season: Season, division: Division, keys: Mapping[PlayerId, str]
) -> Iterator[RatedEvent]:
    rounds = {item.number: item for item in index.list_published_rounds(division.id)}
    scores: dict[StageId, dict[tuple[int, str, str], Fraction]] = defaultdict(dict)
    for player, record in compute_records(index, division).items():
        for game in list_rated_games(record):
            pair = keys[player], keys[PlayerId(game.opponent)]
            scores[rounds[game.round].stage][game.round, *pair] = game.score
    for stage in index.stages(division.id):
        if (stage.evening or stage.date) and is_within_season(season, stage.date):
            round_offset = min((item.number for item in rounds.values() if item.stage == stage.id), default=1) - 1
            games = tuple(
                sorted(_make_rated_games_from_scores(scores[stage.id], round_offset), key=attrgetter("round"))
            )
            yield RatedEvent(stage.id, stage.name, stage.date, games, stage.rounds)


def _make_rated_games_from_scores(
    scores: Mapping[tuple[int, str, str], Fraction], round_offset: int
) -> Iterator[RatedGame]:
    for (number, first, second), score in scores.items():
        other_score = scores.get((number, second, first))
        if first < second or other_score is None:
            yield RatedGame(number - round_offset, first, second, score, other_score)


def list_start_ratings(index: TournamentIndex, season: Season) -> tuple[StartRating, ...]:
    """Return each member's rating before the season: the stored one, otherwise the player's current rating."""
    stored_ratings = {start.player: start for start in season.start_ratings}
    ratings_by_key: dict[str, list[StartRating]] = defaultdict(list)
    for player, key in map_member_keys(index, season).items():
        row = index.tournament.players[player]
        ratings_by_key[key].append(stored_ratings.get(player, StartRating(player, row.rating, row.rated_games)))
    best_ratings = {
        key: max(rows, key=lambda start: (start.player in stored_ratings, start.rating is not None))
        for key, rows in ratings_by_key.items()
    }
    return tuple(replace(start, player=PlayerId(key)) for key, start in best_ratings.items())


def compute_season_rating_changes(
    index: TournamentIndex, season: Season, system: RatingSystem, on_date: str = ""
) -> Mapping[str, tuple[PlayerEventRatingChange, ...]]:
    """Rate the events up to `on_date` ("": all). Return the changes of each member with a game."""
    changes_by_member = index.get_cached_value_or_compute(
        ("season_ratings", season.id),
        (index.tournament, season, system),
        lambda: compute_event_rating_changes(
            system, list_rated_events(index, season), list_start_ratings(index, season)
        ),
    )
    if not on_date:
        return changes_by_member
    past_changes = {
        key: tuple(change for change in changes if change.event.date <= on_date)
        for key, changes in changes_by_member.items()
    }
    return {key: changes for key, changes in past_changes.items() if changes}


def list_member_ratings(
    index: TournamentIndex, season: Season, system: RatingSystem, on_date: str = ""
) -> tuple[MemberRating, ...]:
    """Return the members with a rating on `on_date` ("": after the last event), the highest first."""
    changes, players = compute_season_rating_changes(index, season, system, on_date), index.tournament.players
    rated_members: list[tuple[int, StartRating]] = []
    for start in list_start_ratings(index, season):
        member_changes = changes.get(start.player, ())
        rating = next(
            (change.after for change in reversed(member_changes) if change.after is not None), start.rating
        )
        if rating is not None:
            rated_members.append((-rating, start))
    rated_members.sort(key=lambda item: (item[0], players[item[1].player].name.casefold(), item[1].player))
    order = [negative for negative, _ in rated_members]
    return tuple(
        MemberRating(
            key=start.player,
            rank=1 + bisect_left(order, negative),
            rating=-negative,
            start=start.rating,
            earlier_games=start.games if start.rating is not None else start.games or 0,
            changes=changes.get(start.player, ()),
        )
        for negative, start in rated_members
    )


def list_players_with_old_and_new_rating(
    index: TournamentIndex, season: Season, system: RatingSystem, on_date: str = ""
) -> tuple[tuple[Player, Player], ...]:
    """Return the players whose stored rating differs from the season's rating on `on_date`.

    Each pair is the stored row and the updated row.
    """
    lines = {line.key: line for line in list_member_ratings(index, season, system, on_date)}
    starts = {start.player: start for start in list_start_ratings(index, season)}
    updates = []
    for player, member in map_member_keys(index, season).items():
        row, key = index.tournament.players[player], PlayerId(member)
        rating, games = starts[key].rating, starts[key].games
        if key in lines:
            rating, games = lines[key].rating, lines[key].total_game_count
        if (row.rating, row.rated_games) != (rating, games):
            updates.append((row, replace(row, rating=rating, rated_games=games)))
    return tuple(updates)


def fill_start_ratings_of_linked_seasons(index: TournamentIndex, season: Season) -> Iterator[Season]:
    """Yield this season and all seasons that share an event with it, each with complete start ratings.

    A member without a stored start rating gets the current rating.
    """
    events = {event.key for event in list_rated_events(index, season)}
    for other_season in index.listed_seasons:
        if other_season.id == season.id or any(
            event.key in events for event in list_rated_events(index, other_season)
        ):
            player_ids = {start.player for start in other_season.start_ratings}
            players = (
                index.tournament.players[key]
                for key in map_member_keys(index, other_season)
                if key not in player_ids
            )
            new_ratings = tuple(StartRating(row.id, row.rating, row.rated_games) for row in players)
            yield replace(other_season, start_ratings=(*other_season.start_ratings, *new_ratings))
