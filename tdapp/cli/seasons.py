"""The verb on seasons."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from tdapp.cli.output import show_table
from tdapp.cli.program import Program, find_player
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import PlayerId, Season, SeasonId
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.season_table import SeasonCell, SeasonEvening, SeasonLine
from tdapp.domain.seasons import (
    compute_season_lines,
    find_member_key,
    find_season,
    list_player_needs,
    list_season_evenings,
)
from tdapp.domain.serialization import encode_plain
from tdapp.domain.tables.seasons import make_season_table
from tdapp.exchange.json_text import fill_document
from tdapp.exchange.presets import read_season_rule
from tdapp.i18n.season_sentences import (
    describe_cell,
    describe_needs,
    describe_rank,
    describe_season_rule,
    format_season_text,
)


class SeasonResultJson(Struct):
    """A player's result of an evening. `place` and `field` are None for an earlier result.

    `state`: counts, or why not.
    """

    date: str
    name: str
    place: float | None
    field: int | None
    games: int
    points: int
    spread: int
    value: float
    counts: bool
    state: str
    why: str


class SeasonRowJson(Struct):
    """A player.

    `rank` is None if `events_short` evenings or `games_short` games are missing. `moved`: ranks gained.
    """

    rank: int | None
    moved: int | None
    player: int
    name: str
    category: str
    total: float
    exact: str
    events: int
    counting: int
    games: int
    points: int
    average: float | None
    spread: int
    events_short: int
    games_short: int
    shift: str
    qualified: bool
    why: str
    results: list[SeasonResultJson]


class SeasonEveningJson(Struct):
    """An evening of a season. `imported`: only the players' values are known."""

    date: str
    name: str
    players: int
    imported: bool


class NeededResultJson(Struct):
    """The result needed to pass `other` on `rank`: more than `value`, or `place` or better (0: impossible)."""

    rank: int
    other: str
    value: float
    place: int | None


class SeasonJson(Struct):
    """The table of a season on a day. `needs` is filled for one player only."""

    season: int | None
    name: str
    division: str | None
    since: str
    until: str
    on: str
    rule: dict[str, Any]
    evenings: list[SeasonEveningJson]
    rows: list[SeasonRowJson]
    needs: list[NeededResultJson]
    text: str


class SeasonRuleJson(Struct):
    """A shipped rule of seasons."""

    id: str
    name: str
    source: str


def change_or_show_season(program: Program, options: Namespace) -> SeasonJson | list[SeasonRuleJson]:
    if options.action == "rules":
        return _list_season_rules(program, options)
    with program.open_desk(options.file, read_only=options.action in {None, "explain", "need", "text"}) as desk:
        _change_season(program, desk, options)
        index = desk.index
    season = find_season(index, options.season)
    if season is None and (options.season is not None or options.action in {"explain", "need", "text"}):
        raise RuleViolation("no-such-season", id=str(options.season))
    if season is None:
        if not options.json:
            print(
                program.catalogue.text("No season yet. Make one: tdapp season FILE new --name NAME --rules best")
            )
        return SeasonJson(None, "", None, "", "", "", {}, [], [], [], "")
    return _show_season(program, index, season, options)


def _list_season_rules(program: Program, options: Namespace) -> list[SeasonRuleJson]:
    found = [SeasonRuleJson(one.id, one.name, one.source) for one in program.season_rules.values()]
    if not options.json:
        print("\n".join(f"{one.id}  {program.catalogue.text(one.name)} ({one.source})" for one in found))
    return found


def _change_season(program: Program, desk: Desk, options: Namespace) -> None:
    if options.action == "new":
        key = desk.make_key()
        division = None if options.all_divisions else desk.index.division(options.division).id
        rule, dates = _find_rule(program, options.rules or "best"), (options.since or "", options.until or "")
        add = partial(commands.add_season, key=key, name=options.name or rule.name, rule=rule, division=division)
        desk.do(partial(add, since=dates[0], until=dates[1]))
        options.season = desk.index.listed_seasons.index(desk.tournament.seasons[SeasonId(key)]) + 1
        return
    if options.action not in {"edit", "remove", "earlier"}:
        return
    season = find_season(desk.index, options.season)
    if season is None:
        raise RuleViolation("no-such-season", id=str(options.season))
    if options.action == "remove":
        desk.do(partial(commands.remove_season, season=season.id))
        options.season = None
    elif options.action == "earlier":
        _import_grid(desk, season, options)
    else:
        _edit_season(program, desk, season, options)


def _edit_season(program: Program, desk: Desk, season: Season, options: Namespace) -> None:
    changes: dict[str, Any] = {
        name: value for name in ("name", "since", "until") if (value := getattr(options, name)) is not None
    }
    if options.rules:
        changes["rule"] = _find_rule(program, options.rules)
    if options.all_divisions or options.division:
        changes["division"] = None if options.all_divisions else desk.index.division(options.division).id
    desk.do(partial(commands.edit_season, season=season.id, **changes))
    options.season = desk.index.listed_seasons.index(desk.tournament.seasons[season.id]) + 1


def _import_grid(desk: Desk, season: Season, options: Namespace) -> None:
    from tdapp.exchange.season_grid import read_season_grid
    from tdapp.exchange.text import read_file

    if not options.what:
        raise RuleViolation("season-grid-missing")
    data = sys.stdin.buffer.read() if options.what == "-" else read_file(Path(options.what))
    entries = read_season_grid(data, options.what)
    take = partial(commands.import_earlier_results, key=desk.make_key(), season=season.id, entries=entries)
    desk.do(partial(take, add=options.add))


def _find_rule(program: Program, word: str) -> SeasonRule:
    return read_season_rule(Path(word)) if word.endswith(".toml") else program.get_season_rule(word)


def _show_season(program: Program, index: Index, season: Season, options: Namespace) -> SeasonJson:
    catalogue, on = program.catalogue, options.on or ""
    lines: Sequence[SeasonLine] = compute_season_lines(index, season, on)
    needs: Sequence[Any] = ()
    text = ""
    if options.action in {"explain", "need"}:
        player = find_player(index, options, options.what or "")
        key = find_member_key(index, season.id, player.id)
        lines = [line for line in lines if line.key == key]
        needs = list_player_needs(index, season, player.id, on) if options.action == "need" else ()
        if options.action == "need":
            text = "\n".join(describe_needs(catalogue, season, player.name, needs))
        else:
            text = "\n".join(
                part
                for line in lines
                for part in (
                    describe_rank(catalogue, index, season, line, on),
                    *(describe_cell(catalogue, season, line, cell) for cell in line.cells),
                )
            )
    elif options.action == "text":
        text = format_season_text(catalogue, index, season, on)
    if not options.json and options.action in {"explain", "need", "text"}:
        print(text)
    elif not options.json:
        print(f"{season.name} · {describe_season_rule(catalogue, season.rule)}")
        show_table(make_season_table(index, season, on), catalogue)
    held = [one for one in list_season_evenings(index, season) if not on or one.date <= on]
    return SeasonJson(
        season=index.listed_seasons.index(season) + 1,
        name=season.name,
        division=None if season.division is None else index.tournament.divisions[season.division].code,
        since=season.since,
        until=season.until,
        on=on or (held[-1].date if held else ""),
        rule=encode_plain(season.rule),
        evenings=[_make_evening_json(one) for one in held],
        rows=[_make_row_json(program, index, season, line, on) for line in lines],
        needs=[NeededResultJson(one.rank, one.other.name, float(one.value), one.place) for one in needs],
        text=text,
    )


def _make_evening_json(evening: SeasonEvening) -> SeasonEveningJson:
    return fill_document(SeasonEveningJson, evening, players=len(evening.results))


def _make_row_json(program: Program, index: Index, season: Season, line: SeasonLine, on: str) -> SeasonRowJson:
    player = index.tournament.players[PlayerId(line.key)]
    return fill_document(
        SeasonRowJson,
        line,
        player=player.number,
        name=line.member.name,
        category=line.category or line.member.category,
        total=_convert_to_float(line.total),
        exact=str(line.total),
        events=line.event_count,
        counting=len(line.counting_cells),
        games=line.game_count,
        points=line.total_points,
        spread=line.total_spread,
        average=None if line.average is None else _convert_to_float(line.average),
        shift=line.shift.value,
        qualified=bool(line.qualified),
        why=describe_rank(program.catalogue, index, season, line, on),
        results=[_make_result_json(program, season, line, cell) for cell in line.cells],
    )


def _make_result_json(program: Program, season: Season, line: SeasonLine, cell: SeasonCell) -> SeasonResultJson:
    result, imported = cell.result, cell.evening.imported
    return fill_document(
        SeasonResultJson,
        cell.evening,
        result,
        place=None if imported else _convert_to_float(result.place),
        field=None if imported else result.field,
        value=_convert_to_float(cell.value),
        counts=cell.is_counting,
        state=cell.state.value,
        why=describe_cell(program.catalogue, season, line, cell),
    )


def _convert_to_float(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else float(value)
