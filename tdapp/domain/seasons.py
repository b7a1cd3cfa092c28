"""Compute the evenings, members and table of a season from a tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from tdapp.domain.entries import normalise_name
from tdapp.domain.errors import CommandError
from tdapp.domain.event_copies import count_byes_and_forfeits_without_points, list_standings_of_participants
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    CopiedEvent,
    Division,
    DivisionId,
    Player,
    PlayerId,
    Round,
    Season,
    SeasonId,
    Stage,
)
from tdapp.domain.ratings import SCORES
from tdapp.domain.records import compute_records
from tdapp.domain.season_table import (
    EveningResult,
    ResultNeededForRank,
    SeasonEvening,
    SeasonLine,
    SeasonMember,
    compute_season_table,
    list_results_needed_for_ranks,
)
from tdapp.domain.stages import find_evening_players, find_running_evening
from tdapp.domain.standings import Standing


def find_season(index: TournamentIndex, number: int | None = None) -> Season | None:
    """Return the season with this `number` (from 1). If `number` is None, return the last season."""
    if number is None:
        return index.listed_seasons[-1] if index.listed_seasons else None
    return index.listed_seasons[number - 1] if 1 <= number <= len(index.listed_seasons) else None


def find_division_season(index: TournamentIndex, division: DivisionId, preferred_name: str = "") -> Season | None:
    """Return the last season that includes the evenings of a division.

    A season named `preferred_name` has precedence.
    """
    seasons = [season for season in index.listed_seasons if season.division in {None, division}]
    named_seasons = [season for season in seasons if season.name == preferred_name]
    return next(reversed(named_seasons or seasons), None)


def find_copied_event(index: TournamentIndex, number: int) -> CopiedEvent:
    """Return the copied event with this number (from 1, in order of date). Raises CommandError."""
    if not 1 <= number <= len(index.listed_copied_events):
        raise CommandError("no-such-copied-event", id=number)
    return index.listed_copied_events[number - 1]


def list_season_evenings(index: TournamentIndex, season: Season) -> tuple[SeasonEvening, ...]:
    """Return the evenings with a result, and imported evenings, in order of date."""
    return index.get_cached_value_or_compute(
        ("evenings", season.id), (index.tournament, season), lambda: _make_season_evenings(index, season)
    )


def map_season_members(index: TournamentIndex, season: Season) -> Mapping[str, SeasonMember]:
    """Return the members by key. A player of several divisions is one member."""
    keys = map_member_keys(index, season)
    players = index.tournament.players
    return {key: _make_season_member(key, players[player]) for player, key in reversed(keys.items())}


def compute_season_lines(index: TournamentIndex, season: Season, on_date: str = "") -> tuple[SeasonLine, ...]:
    return index.get_cached_value_or_compute(
        ("season", season.id, on_date),
        (index.tournament, season),
        lambda: compute_season_table(
            season.rule, list_season_evenings(index, season), map_season_members(index, season), on_date
        ),
    )


def find_member_key(index: TournamentIndex, season: SeasonId, player: PlayerId) -> str:
    return map_member_keys(index, index.tournament.seasons[season])[player]


def map_member_keys(index: TournamentIndex, season: Season) -> dict[PlayerId, str]:
    """Map each player id to a member key, usually the same id.

    In a season of all divisions, players of different divisions with the same federation number or name share
    a key.
    """
    first_ids: dict[tuple[str, str, int], str] = {}
    keys: dict[PlayerId, str] = {}
    for division in index.divisions:
        namesakes = Counter[tuple[str, str]]()
        for player in index.players(division.id):
            identity = ("member", player.member) if player.member else ("name", normalise_name(player.name))
            has_all_divisions = season.division is None
            keys[player.id] = (
                first_ids.setdefault((*identity, namesakes[identity]), player.id)
                if has_all_divisions
                else player.id
            )
            namesakes[identity] += 1
    return keys


def _make_season_member(key: str, player: Player) -> SeasonMember:
    return SeasonMember(key, player.name, player.category, player.rating)


def _make_season_evenings(index: TournamentIndex, season: Season) -> tuple[SeasonEvening, ...]:
    keys = map_member_keys(index, season)
    evenings = [
        evening
        for division in index.divisions
        if season.division in {None, division.id}
        for stage in index.stages(division.id)
        if stage.evening and is_within_season(season, stage.date)
        for evening in _make_stage_evening_if_played(index, division, stage, keys)
    ]
    dates: dict[str, list[EveningResult]] = {}
    for row in index.earlier(season.id):
        dates.setdefault(row.date, []).append(EveningResult(keys[row.player], value=row.value))
    evenings += [
        SeasonEvening(f"earlier {date}", date, "", tuple(rows), imported=True) for date, rows in dates.items()
    ]
    evenings += [
        SeasonEvening(
            event.id, event.date, event.name_with_division, tuple(_list_copied_results(index, event, keys))
        )
        for event in index.copied_events(season.id)
        if is_within_season(season, event.date)
    ]
    return tuple(sorted(evenings, key=lambda evening: evening.date))


def _list_copied_results(
    index: TournamentIndex, event: CopiedEvent, keys: Mapping[PlayerId, str]
) -> Iterator[EveningResult]:
    rows = index.copied_results(event.id)
    meetings: dict[int, list[tuple[str, Fraction]]] = {row.number: [] for row in rows}
    keys_by_number = {row.number: keys[row.player] for row in rows}
    for game in event.games:
        meetings[game.first].append((keys_by_number[game.second], SCORES[game.worth]))
        meetings[game.second].append((keys_by_number[game.first], 1 - SCORES[game.worth]))
    rank_counts = Counter(row.rank for row in rows)
    top_points = max(row.points for row in rows)
    for row in rows:
        values = keys[row.player], row.rank, len(rows), rank_counts[row.rank], row.points, row.spread, row.games
        yield EveningResult(*values, row.match_points, top_points, tuple(meetings[row.number]), None, row.unscored)


def is_within_season(season: Season, date: str) -> bool:
    return season.since <= date and (not season.until or date <= season.until)


def _make_stage_evening_if_played(
    index: TournamentIndex, division: Division, stage: Stage, keys: Mapping[PlayerId, str]
) -> Iterator[SeasonEvening]:
    rounds = [item for item in index.list_published_rounds(division.id) if item.stage == stage.id]
    if not rounds:
        return
    rows = list_standings_of_participants(index, division, rounds)
    if rows:
        results = tuple(_list_evening_results(index, division, rows, rounds, keys))
        yield SeasonEvening(stage.id, stage.date, stage.name, results)


def _list_evening_results(
    index: TournamentIndex,
    division: Division,
    rows: list[Standing],
    rounds: list[Round],
    keys: Mapping[PlayerId, str],
) -> Iterator[EveningResult]:
    records = compute_records(index, division, rounds[-1].number)
    rank_counts = Counter(row.rank for row in rows)
    top_points = max(row.points for row in rows)
    scale = index.tournament.get_ruleset_of_row(division).match_points
    for row in rows:
        player_record = records[row.player.id]
        unscored = count_byes_and_forfeits_without_points(player_record, rounds)
        evening_records = [
            entry for entry in player_record if entry.round >= rounds[0].number and entry.outcome is not None
        ]
        meetings = tuple(
            (keys[record.opponent], Fraction(record.units, row.unit))
            for record in evening_records
            if record.opponent is not None
        )
        meetings += tuple(
            (keys[opponent], scale.get_match_points(outcome))
            for record in evening_records
            for opponent, outcome in zip(record.other_players, record.opponent_outcomes, strict=True)
        )
        values = keys[row.player.id], row.rank, len(rows), rank_counts[row.rank]
        yield EveningResult(
            *values, row.points, row.spread, row.games, row.match_points, top_points, meetings, None, unscored
        )


def list_results_needed_by_player(
    index: TournamentIndex, season: Season, player: PlayerId, on_date: str = ""
) -> tuple[ResultNeededForRank, ...]:
    """Return the results that a player needs this evening for better ranks.

    If no evening is running, assume one with as many players and games as the last evening.
    """
    evenings = [
        evening for evening in list_season_evenings(index, season) if not on_date or evening.date <= on_date
    ]
    key, division = find_member_key(index, season.id, player), index.tournament.players[player].division
    stage = None if on_date else find_running_evening(index, division)
    player_ids = {attendee.id for attendee in index.players(division) if attendee.checked_in} if stage else set()
    player_ids |= {*find_evening_players(index, stage)} if stage else set()
    last_evening = next((evening for evening in reversed(evenings) if not evening.imported), None)
    if (
        not player_ids
        and last_evening is not None
        and not any(evening.key in index.tournament.stages for evening in evenings)
    ):
        return ()  # only events of other files; the empty evening of a new file does not count
    field_size = 0 if last_evening is None else len(last_evening.results)
    current_evening = SeasonEvening("tonight", on_date or (evenings[-1].date if evenings else ""), "", ())
    if stage is not None:
        field_size = len(player_ids | {player}) if player_ids else field_size
        current_evening = SeasonEvening(stage.id, stage.date, stage.name, ())
    current_evening = next(
        (evening for evening in evenings if evening.key == current_evening.key), current_evening
    )
    games = max((result.games for result in last_evening.results), default=1) if last_evening else 1
    return list_results_needed_for_ranks(
        season.rule, evenings, map_season_members(index, season), key, current_evening, (field_size, games)
    )
