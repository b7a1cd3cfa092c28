"""The verb `season`, for tables and rating lists over many club evenings or events."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from tdapp.cli.output import print_table
from tdapp.cli.program import Program, find_player_by_number_or_name
from tdapp.cli.season_events import (
    ACTIONS,
    CopiedEventJson,
    SamePersonQuestionJson,
    change_season_events_or_players,
    format_copied_events,
    list_copied_events_json,
    list_same_person_questions_json,
)
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, Season, SeasonId
from tdapp.domain.ratings import RatingSystem
from tdapp.domain.season_ratings import find_rating_list_date, select_season_rating_system
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.season_table import SeasonCell, SeasonEvening, SeasonLine
from tdapp.domain.seasons import (
    find_member_key,
    find_season,
    list_results_needed_by_player,
    list_season_evenings,
)
from tdapp.domain.serialization import convert_to_builtins
from tdapp.domain.tables.seasons import (
    RatingGameRow,
    make_rating_game_table,
    make_rating_list_table,
    make_season_table,
)
from tdapp.exchange.cells import encode_table_as_csv
from tdapp.exchange.json_documents import Number
from tdapp.exchange.json_text import convert_fraction_to_number, make_document_from_rows
from tdapp.exchange.presets import format_season_rule
from tdapp.exchange.rating_lists import encode_season_ratings_csv, encode_season_ratings_json
from tdapp.exchange.text import write_file
from tdapp.i18n.season_sentences import (
    compute_sorted_season_lines,
    describe_evening_result,
    describe_needed_results,
    describe_season_rank,
    describe_season_rule,
    format_season_table_as_chat_message,
    make_rating_list_title,
)


class SeasonEveningResultJson(Struct):
    """A player's result of one evening of a season. The key `field` is the number of players that evening.

    The keys `place` and `field` are null for an imported evening. `state` says whether the result counts, or why
    not.
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
    """A player's row in a season table. The key `moved` is the number of ranks gained.

    `rank` is null if the player needs more evenings (`events_short`) or more games (`games_short`).
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
    results: list[SeasonEveningResultJson]


class SeasonEveningJson(Struct):
    """An evening of a season. An imported evening has one value for each player, and no games."""

    date: str
    name: str
    players: int
    imported: bool


class ResultNeededForRankJson(Struct):
    """The evening result that a player needs to pass the player `other` and get the rank `rank`.

    The result must exceed `value`. If `place` is 3, third place or better is enough. If `place` is 0, even first
    place is not enough. If `place` is null, the season does not use places.
    """

    rank: int
    other: str
    value: float
    place: int | None


class SeasonTableJson(Struct):
    """The table of a season on a day.

    The list `needs` (results needed for better ranks) is empty unless the action is `need`. The list `events` has
    events copied from other files, and `questions` has pairs of possibly identical players. The list `notes` has
    sentences about omitted data and changed ranks.
    """

    season: int | None
    name: str
    division: str | None
    since: str
    until: str
    on: str
    rule: dict[str, Any]
    evenings: list[SeasonEveningJson]
    rows: list[SeasonRowJson]
    needs: list[ResultNeededForRankJson]
    text: str
    events: list[CopiedEventJson] = []
    questions: list[SamePersonQuestionJson] = []
    notes: list[str] = []


class SeasonRatingJson(Struct):
    """A member in a rating list.

    The key `rating` is the rating before the season, and `new` is the rating on the date of the list. `games`
    counts rated games in the season, and `rated_games` all rated games.
    """

    rank: int
    player: int
    name: str
    member: str
    club: str
    rating: int | None
    new: int
    change: int | None
    games: int
    rated_games: int | None
    last_played: str


class RatingGameJson(Struct):
    """A game, and its share of a player's rating change.

    The keys `rating` and `new` are the player's ratings before and after the event.
    """

    player: int
    name: str
    date: str
    event: str
    rating: int | None
    round: int
    opponent: int
    opponent_name: str
    opponent_rating: int | None
    score: Number
    expected: Number | None
    change: Number | None
    new: int | None


class SeasonRatingsJson(Struct):
    """The rating list of a season on a date. The list `games` is filled only with the option `--games`."""

    season: int
    name: str
    on: str
    system: str
    rows: list[SeasonRatingJson]
    games: list[RatingGameJson]


class SeasonRuleJson(Struct):
    """A season rule that comes with the program."""

    id: str
    name: str
    source: str


TEXT_ACTIONS = {"explain", "need", "text", "events"}  # actions that print a text instead of the table


def change_or_show_season(program: Program, options: Namespace) -> SeasonTableJson | list[SeasonRuleJson]:
    if options.action == "rules":
        return _list_season_rules_or_export_one(program, options)
    with program.open_desk(options.file, read_only=options.action in {None, *TEXT_ACTIONS}) as desk:
        notes = _run_season_action(program, desk, options)
        index = desk.index
    if not index.listed_seasons and options.season is None and options.action in {None, "remove"}:
        if not options.json:
            print(program.catalogue.describe_problem("no-season", {}))
        return SeasonTableJson(None, "", None, "", "", "", {}, [], [], [], "")
    return _show_season(program, index, _get_season_or_refuse(index, options.season), options, notes)


def _get_season_or_refuse(index: TournamentIndex, number: int | None) -> Season:
    season = find_season(index, number)
    if season is None:
        raise CommandError("no-such-season" if index.listed_seasons else "no-season", id=str(number or ""))
    return season


def _list_season_rules_or_export_one(program: Program, options: Namespace) -> list[SeasonRuleJson]:
    rules: Iterable[SeasonRule] = program.season_rules.values()
    if options.what:
        with program.open_desk(options.file, read_only=True) as desk:
            season = _get_season_or_refuse(desk.index, options.season)
        rules = (season.rule,)
        write_file(Path(options.what[0]), format_season_rule(season.rule).encode())
    documents = [SeasonRuleJson(rule.id, rule.name, rule.source) for rule in rules]
    if not options.json and not options.what:
        catalogue = program.catalogue
        for rule in rules:
            print(f"{rule.id}  {catalogue.text(rule.name)}: {describe_season_rule(catalogue, rule)}")
    return documents


def _run_season_action(program: Program, desk: Desk, options: Namespace) -> list[str]:
    if options.action == "new":
        key = desk.make_row_id()
        division = None if options.all_divisions else desk.index.get_division(options.division).id
        rule = program.load_season_rule(options.rules or "best")
        add = partial(commands.add_season, key=key, name=options.name or rule.name, rule=rule, division=division)
        desk.do(partial(add, since=options.since or "", until=options.until or ""))
        options.season = desk.index.listed_seasons.index(desk.tournament.seasons[SeasonId(key)]) + 1
        return []
    if options.action not in {"edit", "remove", "earlier", *ACTIONS}:
        return []
    season = _get_season_or_refuse(desk.index, options.season)
    if options.action in ACTIONS:
        return change_season_events_or_players(program, desk, season, options)
    if options.action == "remove":
        desk.do(partial(commands.remove_season, season=season.id))
        options.season = None
    elif options.action == "earlier":
        _import_earlier_results(desk, season, options)
    else:
        _edit_season(program, desk, season, options)
    return []


def _edit_season(program: Program, desk: Desk, season: Season, options: Namespace) -> None:
    changes: dict[str, Any] = {
        name: value for name in ("name", "since", "until") if (value := getattr(options, name)) is not None
    }
    if options.rules:
        changes["rule"] = program.load_season_rule(options.rules)
    if options.all_divisions or options.division:
        changes["division"] = None if options.all_divisions else desk.index.get_division(options.division).id
    desk.do(partial(commands.edit_season, season=season.id, **changes))
    options.season = desk.index.listed_seasons.index(desk.tournament.seasons[season.id]) + 1


def _import_earlier_results(desk: Desk, season: Season, options: Namespace) -> None:
    from tdapp.exchange.season_grid import read_season_grid
    from tdapp.exchange.text import read_file

    if len(options.what) != 1:
        raise CommandError("season-grid-missing")
    (source,) = options.what
    data = sys.stdin.buffer.read() if source == "-" else read_file(Path(source))
    entries = read_season_grid(data, source)
    command = partial(commands.import_earlier_results, key=desk.make_row_id(), season=season.id, entries=entries)
    desk.do(partial(command, add=options.add))


def _show_season(
    program: Program, index: TournamentIndex, season: Season, options: Namespace, notes: list[str]
) -> SeasonTableJson:
    catalogue, day = program.catalogue, options.on or ""
    questions = list_same_person_questions_json(program, index)
    all_lines = compute_sorted_season_lines(catalogue, index, season, day)
    lines: Sequence[SeasonLine] = all_lines
    needed_results: Sequence[Any] = ()
    text = ""
    if options.action in {"explain", "need"}:
        player = find_player_by_number_or_name(index, options.division, " ".join(options.what))
        key = find_member_key(index, season.id, player.id)
        lines = [line for line in lines if line.key == key]
        needed_results = (
            list_results_needed_by_player(index, season, player.id, day) if options.action == "need" else ()
        )
        if options.action == "need":
            text = "\n".join(describe_needed_results(catalogue, season, player.name, needed_results))
        else:
            text = "\n".join(
                part
                for line in lines
                for part in (
                    describe_season_rank(catalogue, index, season, line, day),
                    *(describe_evening_result(catalogue, season, line, cell) for cell in line.cells),
                )
            )
    elif options.action == "text":
        text = format_season_table_as_chat_message(catalogue, index, season, day)
    elif options.action == "events":
        text = format_copied_events(program, index, season)
    if not options.json and options.action in TEXT_ACTIONS:
        print(text)
    elif not options.json:
        print(f"{season.name} · {describe_season_rule(catalogue, season.rule)}")
        if len(index.listed_seasons) > 1:
            print(
                "--season:",
                ", ".join(f"{number} {item.name}" for number, item in enumerate(index.listed_seasons, 1)),
            )
        print_table(make_season_table(index, season, all_lines, day), catalogue, catalogue.text("No players yet."))
        for line in (
            *notes,
            *(f"{question.player} = {question.other}?  {question.text}" for question in questions),
        ):
            print(line)
    evenings = [evening for evening in list_season_evenings(index, season) if not day or evening.date <= day]
    return SeasonTableJson(
        season=index.listed_seasons.index(season) + 1,
        name=season.name,
        division=None if season.division is None else index.tournament.divisions[season.division].code,
        since=season.since,
        until=season.until,
        on=day or (evenings[-1].date if evenings else ""),
        rule=convert_to_builtins(season.rule),
        evenings=[_make_season_evening_json(evening) for evening in evenings],
        rows=[_make_season_row_json(program, index, season, line, day) for line in lines],
        needs=[
            ResultNeededForRankJson(result.rank, result.rival.name, float(result.value), result.needed_rank)
            for result in needed_results
        ],
        text=text,
        events=list_copied_events_json(index, season),
        questions=questions,
        notes=notes,
    )


def _make_season_evening_json(evening: SeasonEvening) -> SeasonEveningJson:
    return make_document_from_rows(SeasonEveningJson, evening, players=len(evening.results))


def _make_season_row_json(
    program: Program, index: TournamentIndex, season: Season, line: SeasonLine, day: str
) -> SeasonRowJson:
    player = index.tournament.players[PlayerId(line.key)]
    return make_document_from_rows(
        SeasonRowJson,
        line,
        player=player.number,
        name=line.member.name,
        category=line.category or line.member.category,
        total=convert_fraction_to_number(line.total),
        exact=str(line.total),
        events=line.unexpired_result_count,
        counting=len(line.counting_cells),
        games=line.unexpired_game_count,
        points=line.game_points_of_unexpired_results,
        spread=line.spread_of_unexpired_results,
        average=None if line.points_per_game is None else convert_fraction_to_number(line.points_per_game),
        shift=line.shift.value,
        qualified=bool(line.qualified),
        why=describe_season_rank(program.catalogue, index, season, line, day),
        results=[_make_season_result_json(program, season, line, cell) for cell in line.cells],
    )


def _make_season_result_json(
    program: Program, season: Season, line: SeasonLine, cell: SeasonCell
) -> SeasonEveningResultJson:
    result, imported = cell.result, cell.evening.imported
    return make_document_from_rows(
        SeasonEveningResultJson,
        cell.evening,
        result,
        place=None if imported else convert_fraction_to_number(result.average_rank_of_tied_players),
        field=None if imported else result.field,
        value=convert_fraction_to_number(cell.value),
        counts=cell.is_counted_in_total,
        state=cell.state.value,
        why=describe_evening_result(program.catalogue, season, line, cell),
    )


def _find_season_and_system(
    program: Program, index: TournamentIndex, options: Namespace
) -> tuple[Season, RatingSystem]:
    season = _get_season_or_refuse(index, options.season or None)
    return season, select_season_rating_system(
        index, season, program.rating_systems, getattr(options, "system", "")
    )


def show_season_ratings(program: Program, options: Namespace) -> SeasonRatingsJson:
    with program.open_desk(options.file, read_only=True) as desk:
        index = desk.index
    season, system = _find_season_and_system(program, index, options)
    day, catalogue, member = options.on or "", program.catalogue, ""
    table = make_rating_list_table(index, season, system, day)
    if options.games:
        member = find_member_key(
            index, season.id, find_player_by_number_or_name(index, options.division, options.games).id
        )
    games = None if options.games is None else make_rating_game_table(index, season, system, day, member)
    if not options.json:
        print(f"{make_rating_list_title(catalogue, index, season, day)} · {catalogue.text(system.name)}")
        if games is not None:
            print_table(games, catalogue)
        else:
            print_table(table, catalogue, catalogue.text("No member has a rating yet."))
    return SeasonRatingsJson(
        season=index.listed_seasons.index(season) + 1,
        name=season.name,
        on=find_rating_list_date(index, season, day),
        system=system.id,
        rows=[
            make_document_from_rows(
                SeasonRatingJson,
                row.line,
                row.player,
                player=row.player.number,
                rating=row.line.start,
                new=row.line.rating,
                rated_games=row.line.total_game_count,
                games=row.line.game_count,
                last_played=row.line.last_played_date,
            )
            for row in table.rows
        ],
        games=[_make_rating_game_json(row) for row in games.rows] if games else [],
    )


def _make_rating_game_json(row: RatingGameRow) -> RatingGameJson:
    event = row.event.event
    return make_document_from_rows(
        RatingGameJson,
        row,
        row.game,
        player=row.player.number,
        name=row.player.name,
        date=event.date,
        event=event.name,
        rating=row.event.before,
        opponent=row.opponent.number,
        opponent_name=row.opponent.name,
        new=row.event.after,
    )


def encode_season_rating_export(
    program: Program, index: TournamentIndex, export_format: str, options: Namespace
) -> bytes:
    """Return the content of an export file of a season.

    `export_format` is "rating-list" or "rating-games" (the rating change of each game) for CSV. Any other value
    gives the rating list as JSON.
    """
    season, system = _find_season_and_system(program, index, options)
    day = options.on or ""
    if export_format == "rating-games":
        return encode_table_as_csv(make_rating_game_table(index, season, system, day))
    rows, date = make_rating_list_table(index, season, system, day).rows, find_rating_list_date(index, season, day)
    if export_format == "rating-list":
        return encode_season_ratings_csv(rows, date)
    return encode_season_ratings_json(rows, season.name, date, system.id)
