"""Compute the evenings, members and table of a season from a tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from tdapp.domain.entries import normalise_name
from tdapp.domain.errors import RuleViolation
from tdapp.domain.event_copies import count_unscored_games, list_standings_of_present_players
from tdapp.domain.index import Index
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
    NeededResult,
    SeasonEvening,
    SeasonLine,
    SeasonMember,
    compute_season_table,
    list_needed_results,
)
from tdapp.domain.stages import find_evening_players, find_running_evening
from tdapp.domain.standings import Standing


def find_season(index: Index, number: int | None = None) -> Season | None:
    """Return the season with this number (from 1), or the last season without a number.

    Return None if no such season exists.
    """
    if number is None:
        return index.listed_seasons[-1] if index.listed_seasons else None
    return index.listed_seasons[number - 1] if 1 <= number <= len(index.listed_seasons) else None


def find_division_season(index: Index, division: DivisionId, name: str = "") -> Season | None:
    """Return the last season that includes the evenings of a division.

    A season with the given name has precedence.
    """
    fitting = [one for one in index.listed_seasons if one.division in {None, division}]
    named = [one for one in fitting if one.name == name]
    return next(reversed(named or fitting), None)


def find_copied_event(index: Index, number: int) -> CopiedEvent:
    """Return an event copied from another file by its number from 1, in order of date. Raises RuleViolation."""
    if not 1 <= number <= len(index.listed_copied_events):
        raise RuleViolation("no-such-copied-event", id=number)
    return index.listed_copied_events[number - 1]


def list_season_evenings(index: Index, season: Season) -> tuple[SeasonEvening, ...]:
    """Return the evenings with a result, and the imported ones, in order of date."""
    return index.cache_by_inputs(
        ("evenings", season.id), (index.tournament, season), lambda: _make_season_evenings(index, season)
    )


def list_season_members(index: Index, season: Season) -> Mapping[str, SeasonMember]:
    """Return the members by key. A player of several divisions is one member."""
    keys = map_member_keys(index, season)
    players = index.tournament.players
    return {key: _make_season_member(key, players[player]) for player, key in reversed(keys.items())}


def compute_season_lines(index: Index, season: Season, on_date: str = "") -> tuple[SeasonLine, ...]:
    return index.cache_by_inputs(
        ("season", season.id, on_date),
        (index.tournament, season),
        lambda: compute_season_table(
            season.rule, list_season_evenings(index, season), list_season_members(index, season), on_date
        ),
    )


def find_member_key(index: Index, season: SeasonId, player: PlayerId) -> str:
    return map_member_keys(index, index.tournament.seasons[season])[player]


def map_member_keys(index: Index, season: Season) -> dict[PlayerId, str]:
    """Map each player to a member key: the id of the player, or of the same person in an earlier division.

    The same person has the same federation number or name.
    """
    first: dict[tuple[str, str, int], str] = {}
    found: dict[PlayerId, str] = {}
    for division in index.divisions:
        namesakes = Counter[tuple[str, str]]()
        for player in index.players(division.id):
            mark = ("member", player.member) if player.member else ("name", normalise_name(player.name))
            same = season.division is None
            found[player.id] = first.setdefault((*mark, namesakes[mark]), player.id) if same else player.id
            namesakes[mark] += 1
    return found


def _make_season_member(key: str, player: Player) -> SeasonMember:
    return SeasonMember(key, player.name, player.category, player.rating)


def _make_season_evenings(index: Index, season: Season) -> tuple[SeasonEvening, ...]:
    keys = map_member_keys(index, season)
    found = [
        evening
        for division in index.divisions
        if season.division in {None, division.id}
        for stage in index.stages(division.id)
        if stage.evening and is_within_season(season, stage.date)
        for evening in _make_division_evening(index, division, stage, keys)
    ]
    dates: dict[str, list[EveningResult]] = {}
    for row in index.earlier(season.id):
        dates.setdefault(row.date, []).append(EveningResult(keys[row.player], value=row.value))
    found += [
        SeasonEvening(f"earlier {date}", date, "", tuple(rows), imported=True) for date, rows in dates.items()
    ]
    found += [
        SeasonEvening(event.id, event.date, event.full_name, tuple(_list_copied_results(index, event, keys)))
        for event in index.copied_events(season.id)
        if is_within_season(season, event.date)
    ]
    return tuple(sorted(found, key=lambda one: one.date))


def _list_copied_results(
    index: Index, event: CopiedEvent, keys: Mapping[PlayerId, str]
) -> Iterator[EveningResult]:
    rows = index.copied_results(event.id)
    met: dict[int, list[tuple[str, Fraction]]] = {row.number: [] for row in rows}
    who = {row.number: keys[row.player] for row in rows}
    for game in event.games:
        met[game.first].append((who[game.second], SCORES[game.worth]))
        met[game.second].append((who[game.first], 1 - SCORES[game.worth]))
    shared = Counter(row.rank for row in rows)
    top = max(row.points for row in rows)
    for row in rows:
        own = keys[row.player], row.rank, len(rows), shared[row.rank], row.points, row.spread, row.games
        yield EveningResult(*own, row.match_points, top, tuple(met[row.number]), None, row.unscored)


def is_within_season(season: Season, date: str) -> bool:
    return season.since <= date and (not season.until or date <= season.until)


def _make_division_evening(
    index: Index, division: Division, stage: Stage, keys: Mapping[PlayerId, str]
) -> Iterator[SeasonEvening]:
    rounds = [item for item in index.published(division.id) if item.stage == stage.id]
    if not rounds:
        return
    rows = list_standings_of_present_players(index, division, rounds)
    if rows:
        results = tuple(_list_evening_results(index, division, rows, rounds, keys))
        yield SeasonEvening(stage.id, stage.date, stage.name, results)


def _list_evening_results(
    index: Index, division: Division, rows: list[Standing], rounds: list[Round], keys: Mapping[PlayerId, str]
) -> Iterator[EveningResult]:
    records = compute_records(index, division, rounds[-1].number)
    shared = Counter(row.rank for row in rows)
    top = max(row.points for row in rows)
    scale = index.tournament.rules_of(division).match_points
    for row in rows:
        own = records[row.player.id]
        unscored = count_unscored_games(own, rounds)
        tonight = [one for one in own if one.round >= rounds[0].number and one.worth is not None]
        met = tuple(
            (keys[record.opponent], Fraction(record.units, row.unit))
            for record in tonight
            if record.opponent is not None
        )
        met += tuple(
            (keys[other], scale.get_match_points(worth))
            for record in tonight
            for other, worth in zip(record.others, record.against, strict=True)
        )
        who = keys[row.player.id], row.rank, len(rows), shared[row.rank]
        yield EveningResult(*who, row.points, row.spread, row.games, row.match_points, top, met, None, unscored)


def list_needed_results_of_player(
    index: Index, season: Season, player: PlayerId, on_date: str = ""
) -> tuple[NeededResult, ...]:
    """Return what a player needs for better ranks tonight.

    If no evening is running, it is assumed that one begins with as many players and games as the last.
    """
    held = [one for one in list_season_evenings(index, season) if not on_date or one.date <= on_date]
    key, division = find_member_key(index, season.id, player), index.tournament.players[player].division
    running = None if on_date else find_running_evening(index, division)
    there = {one.id for one in index.players(division) if one.checked_in} if running else set()
    there |= {*find_evening_players(index, running)} if running else set()
    last = next((one for one in reversed(held) if not one.imported), None)
    if not there and last is not None and not any(one.key in index.tournament.stages for one in held):
        return ()  # events of other files only: no evening comes, although a new file has an empty one
    field = 0 if last is None else len(last.results)
    tonight = SeasonEvening("tonight", on_date or (held[-1].date if held else ""), "", ())
    if running is not None:
        field = len(there | {player}) if there else field
        tonight = SeasonEvening(running.id, running.date, running.name, ())
    tonight = next((one for one in held if one.key == tonight.key), tonight)
    games = max((one.games for one in last.results), default=1) if last else 1
    return list_needed_results(season.rule, held, list_season_members(index, season), key, tonight, (field, games))
