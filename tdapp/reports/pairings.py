"""Pairings of a round by table, for the wall, and by name, for players; and of all rounds as a schedule."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from msgspec.structs import replace

from tdapp.domain.model import Division, Round, Start
from tdapp.domain.tables import rounds
from tdapp.domain.tables.table import Kind, Table
from tdapp.domain.timetable import list_round_times
from tdapp.domain.translatable import N_
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import round_at, round_title, seats_by_name, seats_title, time_text
from tdapp.i18n.scores import legend, score_said
from tdapp.pairing import SYSTEMS
from tdapp.reports.report import Context, Group, Report, fields, line_fields, round_of, section, text_field
from tdapp.reports.sections import ListColumn, Section


def _by_table(context: Context, division: Division) -> Section:
    item = round_of(context, division)
    return _pairing_list(context, division, item, rounds.pairing_table(context.index, item))


def _pairing_section(context: Context, division: Division) -> Section:
    """Return the pairings without results, so that results do not make the list stale."""
    item = round_of(context, division)
    table = rounds.pairing_table(context.index, item)
    blank = (
        replace(row, score1=None, score2=None, spread=None, forfeit=None, decision=None) for row in table.rows
    )
    return _pairing_list(context, division, item, replace(table, rows=tuple(blank)))


def _pairing_list(context: Context, division: Division, item: Round, table: Table[rounds.PairingRow]) -> Section:
    made = fields(context, table, ("table", "first_name", "second_name"), bold=("table",))
    if any(row.start is Start.DRAW for row in table.rows):
        player = context.catalogue.heading("player")  # no starter: the tiles decide
        made = [replace(field, heading=player) if field.kind is Kind.NAME else field for field in made]
    if any(row.spread is not None for row in table.rows):
        made += [_score_column(context, table), *fields(context, table, ("spread",))]
    decided = bool(table.rows) and all(row.spread is not None for row in table.rows)
    title = round_title(context.catalogue, context.index, item, decided=decided)
    note = _assumed_text(context, item) if decided else _round_note(context, division, item)
    made = _with_byes(context, made, rounds.bye_table(context.index, item), decided=decided)
    marks = legend(context.catalogue, (row.decision for row in table.rows))
    return section(context, division, title, made, _empty_text(context), note=note, legend=marks)


def _round_note(context: Context, division: Division, item: Round) -> str:
    begins = round_at(context.catalogue, context.index, division, item.number)
    return " · ".join(filter(None, (begins, _assumed_text(context, item))))


def _assumed_text(context: Context, item: Round) -> str:
    """Return the results missing when a round was paired, as text; empty if none."""
    catalogue, games = context.catalogue, rounds.assumed_games(context.index, item)
    if not games:
        return ""
    numbers = context.index.tournament.rounds
    tables = ", ".join(
        catalogue.text("table {table} of round {round}", table=game.table, round=numbers[game.round].number)
        for game in games
    )
    return catalogue.plural(
        "paired while the result of {tables} was missing", "paired while the results of {tables} were missing",
        len(games), tables=tables,
    )  # fmt: skip


def _score_column(context: Context, table: Table[rounds.PairingRow]) -> ListColumn:
    scores = (score_said(context.catalogue, row) for row in table.rows)
    return text_field(context, context.catalogue.heading("score"), scores, kind=Kind.NUMBER)


def _with_byes(
    context: Context, made: list[ListColumn], byes: Table[rounds.ByeRow], *, decided: bool
) -> list[ListColumn]:
    """Return the columns with a row for each bye, and with `decided` also its award in points."""
    catalogue = context.catalogue
    names = [context.style.printable(row.name) for row in byes.rows]
    kinds = [catalogue.code(row.kind) + (_award_text(catalogue, row) if decided else "") for row in byes.rows]
    blank = [""] * len(byes.rows)
    texts = iter((names, kinds))
    return [
        replace(field, cells=(*field.cells, *(next(texts) if field.kind is Kind.NAME else blank)))
        for field in made
    ]


def _award_text(catalogue: Catalogue, row: rounds.ByeRow) -> str:
    return "" if row.awarded is None else ", " + catalogue.plural("{n} point", "{n} points", row.awarded)


_MANY = 60  # minimum number of players for two columns


def _by_name(context: Context, division: Division) -> Section:
    item = round_of(context, division)
    seats = seats_by_name(context.catalogue, context.index, item)
    name, table = fields(context, seats, ("name", "table"), bold=("name", "table"))
    code = context.catalogue.code
    opponents = text_field(
        context,
        context.catalogue.heading("opponent"),
        (code(row.bye) if row.bye else row.opponent for row in seats.rows),
    )
    starts = fields(context, seats, ("starts",))
    title = seats_title(context.catalogue, context.index, item)
    made = (name, table, opponents, *starts)
    found = section(
        context, division, title, made, _empty_text(context), note=_round_note(context, division, item)
    )
    columns = 2 if len(seats.rows) >= _MANY and not context.style.large else 1  # large type needs the space
    return replace(found, columns=columns)


def _empty_text(context: Context) -> str:
    return context.catalogue.text("No games in this round.")


BY_TABLE = Report(
    "pairings-by-table",
    N_("Pairings by table"),
    _by_table,
    Group.ROUND,
    N_("For the wall: the pairings by table, with the results when they are in."),
    scale=attrgetter("wall"),
    content=_pairing_section,
    results=True,
)
BY_NAME = Report(
    "pairings-by-name",
    N_("Pairings by name"),
    _by_name,
    Group.ROUND,
    N_("For the wall: players find their table by name."),
    scale=attrgetter("wall"),
    columns=2,
)


_Line = tuple[str, str, str, str]


def _schedule_section(context: Context, division: Division) -> Section:
    catalogue = context.catalogue
    times = {str(one.round): time_text(catalogue, one) for one in list_round_times(context.index, division)}
    known = [*_published_lines(context, division), *_coming_lines(context, division)]
    alone = ((number, "", "", "") for number in times.keys() - {line[0] for line in known})
    known = sorted((*known, *alone), key=lambda line: int(line[0]))
    before = ["", *(line[0] for line in known)]
    lines = [
        ("", "", *line[1:]) if line[0] == last else (line[0], times.get(line[0], ""), *line[1:])
        for line, last in zip(known, before, strict=False)
    ]
    kinds = {"round": Kind.NUMBER, "begins": Kind.TEXT, "table": Kind.NUMBER,
             "first_name": Kind.NAME, "second_name": Kind.NAME}  # fmt: skip
    made = line_fields(context, lines, [(catalogue.heading(name), kind) for name, kind in kinds.items()])
    made = [field for field in made if any(field.cells) or field.kind is Kind.NAME]
    empty = catalogue.text("No round is planned yet.")
    return section(context, division, catalogue.text("Schedule"), made, empty, joined=True)


def _published_lines(context: Context, division: Division) -> Iterator[_Line]:
    index, code = context.index, context.catalogue.code
    for item in index.published(division.id):
        number = str(item.number)
        for row in rounds.pairing_table(index, item).rows:
            yield number, str(row.table), row.first_name, row.second_name
        for bye in rounds.bye_table(index, item).rows:
            yield number, "", bye.name, code(bye.kind)


def _coming_lines(context: Context, division: Division) -> Iterator[_Line]:
    index, players = context.index, context.index.tournament.players
    published = index.latest(division.id)
    for stage in index.stages(division.id):
        system, first_round = SYSTEMS.get(stage.system), index.first_round(stage.id)
        if system is None or system.schedule is None or (stage.cut is not None and first_round > published):
            continue
        for number, pairs in enumerate(system.schedule(index, stage), first_round):
            if number > published:
                names = [tuple(players[one].name if one else "" for one in pair) for pair in pairs]
                for first, second in names:
                    yield str(number), "", first, second or context.catalogue.code("bye")


SCHEDULE = Report(
    "schedule",
    N_("Schedule"),
    _schedule_section,
    Group.EVENT,
    N_("When each round begins and who meets whom, in those of a round robin to come too."),
)
