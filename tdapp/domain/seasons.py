"""The evenings and members of a season, from a tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from tdapp.domain.entries import normalise_name
from tdapp.domain.index import Index
from tdapp.domain.model import Division, DivisionId, Player, PlayerId, Season, SeasonId, Stage
from tdapp.domain.records import compute_records
from tdapp.domain.season_table import (
    EveningResult,
    Member,
    Need,
    SeasonEvening,
    SeasonLine,
    compute_season,
    list_needs,
)
from tdapp.domain.stages import find_evening_players, find_running_evening
from tdapp.domain.standings import Standing, compute_standings


def find_season(index: Index, number: int | None = None) -> Season | None:
    """Return a season by its number from 1, or the last one. Return None for an unknown number."""
    if number is None:
        return index.listed_seasons[-1] if index.listed_seasons else None
    return index.listed_seasons[number - 1] if 1 <= number <= len(index.listed_seasons) else None


def find_division_season(index: Index, division: DivisionId) -> Season | None:
    """Return the last season with the evenings of a division."""
    fitting = [one for one in index.listed_seasons if one.division in {None, division}]
    return fitting[-1] if fitting else None


def list_season_evenings(index: Index, season: Season) -> tuple[SeasonEvening, ...]:
    """Return the evenings with a result, and the imported ones, in order of date."""
    return index.cache_by_inputs(
        ("evenings", season.id), (index.tournament, season), lambda: _make_evenings(index, season)
    )


def list_season_members(index: Index, season: Season) -> Mapping[str, Member]:
    """Return the members by key. A player of several divisions is one member."""
    keys = map_member_keys(index, season)
    players = index.tournament.players
    return {key: _make_member(key, players[player]) for player, key in reversed(keys.items())}


def compute_season_lines(index: Index, season: Season, on: str = "") -> tuple[SeasonLine, ...]:
    return index.cache_by_inputs(
        ("season", season.id, on),
        (index.tournament, season),
        lambda: compute_season(
            season.rule, list_season_evenings(index, season), list_season_members(index, season), on
        ),
    )


def find_member_key(index: Index, season: SeasonId, player: PlayerId) -> str:
    return map_member_keys(index, index.tournament.seasons[season])[player]


def map_member_keys(index: Index, season: Season) -> dict[PlayerId, str]:
    """Map players to the id of the first player with the same federation number or name."""
    first: dict[tuple[str, str], str] = {}
    found: dict[PlayerId, str] = {}
    for division in index.divisions:
        for player in index.players(division.id):
            mark = ("member", player.member) if player.member else ("name", normalise_name(player.name))
            same = season.division is None
            found[player.id] = first.setdefault(mark, player.id) if same else player.id
    return found


def _make_member(key: str, player: Player) -> Member:
    return Member(key, player.name, player.category, player.rating)


def _make_evenings(index: Index, season: Season) -> tuple[SeasonEvening, ...]:
    keys = map_member_keys(index, season)
    found = [
        evening
        for division in index.divisions
        if season.division in {None, division.id}
        for stage in index.stages(division.id)
        if stage.evening and is_within_season(season, stage.date)
        for evening in _make_evening(index, division, stage, keys)
    ]
    dates: dict[str, list[EveningResult]] = {}
    for row in index.earlier(season.id):
        dates.setdefault(row.date, []).append(EveningResult(keys[row.player], value=row.value))
    found += [
        SeasonEvening(f"earlier {date}", date, "", tuple(rows), imported=True) for date, rows in dates.items()
    ]
    return tuple(sorted(found, key=lambda one: one.date))


def is_within_season(season: Season, date: str) -> bool:
    return season.since <= date and (not season.until or date <= season.until)


def _make_evening(
    index: Index, division: Division, stage: Stage, keys: Mapping[PlayerId, str]
) -> Iterator[SeasonEvening]:
    rounds = [item.number for item in index.published(division.id) if item.stage == stage.id]
    if not rounds:
        return
    rows = [row for row in compute_standings(index, division, rounds[-1]) if row.games and not row.disqualified]
    if rows:
        results = tuple(_list_results(index, division, rows, rounds, keys))
        yield SeasonEvening(stage.id, stage.date, stage.name, results)


def _list_results(
    index: Index, division: Division, rows: list[Standing], rounds: list[int], keys: Mapping[PlayerId, str]
) -> Iterator[EveningResult]:
    records = compute_records(index, division, rounds[-1])
    shared = Counter(row.rank for row in rows)
    top = max(row.points for row in rows)
    for row in rows:
        own = [one for one in records[row.player.id] if one.round >= rounds[0] and one.worth is not None]
        unscored = sum(one.points is None and not one.awarded for one in own)
        met = tuple(
            (keys[record.opponent], Fraction(record.units, row.unit))
            for record in own
            if record.opponent is not None
        )
        who = keys[row.player.id], row.rank, len(rows), shared[row.rank]
        yield EveningResult(*who, row.points, row.spread, row.games, row.match_points, top, met, None, unscored)


def list_player_needs(index: Index, season: Season, player: PlayerId, on: str = "") -> tuple[Need, ...]:
    """Return what a player needs at the running evening; if none is running, at one like the last."""
    held = [one for one in list_season_evenings(index, season) if not on or one.date <= on]
    key, division = find_member_key(index, season.id, player), index.tournament.players[player].division
    running = None if on else find_running_evening(index, division)
    last = next((one for one in reversed(held) if not one.imported), None)
    field = 0 if last is None else len(last.results)
    tonight = SeasonEvening("tonight", on or (held[-1].date if held else ""), "", ())
    if running is not None:
        there = {*find_evening_players(index, running)}
        there |= {one.id for one in index.players(division) if one.checked_in}
        field = len(there | {player})
        tonight = SeasonEvening(running.id, running.date, running.name, ())
    tonight = next((one for one in held if one.key == tonight.key), tonight)
    games = max((one.games for one in last.results), default=1) if last else 1
    return list_needs(season.rule, held, list_season_members(index, season), key, tonight, (field, games))
