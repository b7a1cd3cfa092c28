"""The schedule of a division: who meets whom in each round, a round robin's rounds to come included."""

from __future__ import annotations

from collections.abc import Iterator

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables.rounds import byes, pairings
from tdapp.domain.tables.table import Kind
from tdapp.pairing import SYSTEMS
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, section, text_field

_Line = tuple[str, str, str, str]


def _schedule(context: Context, division: Division) -> Section:
    catalogue = context.catalogue
    lines = [line for one in (*_made(context, division), *_coming(context, division)) for line in one]
    kinds = {"round": Kind.NUMBER, "table": Kind.NUMBER, "first_name": Kind.NAME, "second_name": Kind.NAME}
    made = [
        text_field(context, catalogue.heading(heading), (line[place] for line in lines), kind=kind)
        for place, (heading, kind) in enumerate(kinds.items())
        if heading != "table" or any(line[place] for line in lines)
    ]
    return section(context, division, catalogue.text("Schedule"), made, catalogue.text("No round is planned yet."))


def _made(context: Context, division: Division) -> Iterator[list[_Line]]:
    """Yield the published rounds."""
    index, code = context.index, context.catalogue.code
    for item in index.published(division.id):
        number = str(item.number)
        games = pairings(index, item).rows
        resting = byes(index, item).rows
        yield [
            *((number, str(row.table), row.first_name, row.second_name) for row in games),
            *((number, "", row.name, code(row.kind)) for row in resting),
        ]


def _coming(context: Context, division: Division) -> Iterator[list[_Line]]:
    """Yield the rounds known beforehand that are not paired yet."""
    index, players = context.index, context.index.tournament.players
    published = index.latest(division.id)
    for stage in index.stages(division.id):
        system, first_round = SYSTEMS.get(stage.system), index.first_round(stage.id)
        if system is None or system.schedule is None or (stage.cut is not None and first_round > published):
            continue
        for number, pairs in enumerate(system.schedule(index, stage), first_round):
            if number > published:
                names = [tuple(players[one].name if one else "" for one in pair) for pair in pairs]
                yield [
                    (str(number), "", first, second or context.catalogue.code("bye")) for first, second in names
                ]


SCHEDULE = Report(
    "schedule",
    N_("Schedule"),
    _schedule,
    Group.EVENT,
    N_("Who meets whom in each round, those of a round robin to come too."),
)
