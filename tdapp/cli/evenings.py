"""The verb `evening`, for club evenings: meetings of a club with a few rounds."""

from __future__ import annotations

from argparse import Namespace
from datetime import datetime
from functools import partial

from msgspec import Struct

from tdapp.cli.output import print_table
from tdapp.cli.program import Program, find_player_by_number_or_name
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, DivisionId, PlayerId
from tdapp.domain.stages import find_last_evening, is_evening_over
from tdapp.domain.tables.evenings import MemberPresence, get_date_of_current_evening, make_member_table
from tdapp.exchange.json_text import make_document_from_rows
from tdapp.i18n.phrases import format_evening_name


class ClubMemberJson(Struct):
    """A member of a club. The key `state` is "here", "gone" (left early) or "not-here".

    `last` is the date of the last evening that this member attended before tonight.
    """

    number: int
    name: str
    state: str
    evenings: int
    last: str
    games: int


class ClubEveningJson(Struct):
    """The last evening of a division, and the members of the club.

    Before the first evening `stage` is null. The list `rounds` has the numbers of the evening's rounds.
    """

    division: str
    stage: int | None
    name: str
    date: str
    system: str
    running: bool
    rounds: list[int]
    here: int
    members: list[ClubMemberJson]


def change_or_show_evening(program: Program, options: Namespace) -> ClubEveningJson:
    """Begin or end an evening, or change which members are present. Then show the evening."""
    with program.open_desk(options.file, read_only=options.action is None) as desk:
        division = desk.index.get_division(options.division)
        _run_evening_action(desk, division.id, options)
        index = desk.index
    if not options.json:
        _show_members_of_evening(program, index, division)
    return _make_evening_json(index, division)


def _run_evening_action(desk: Desk, division: DivisionId, options: Namespace) -> None:
    if options.action == "begin":
        date = options.date or get_date_of_current_evening(datetime.now().astimezone())
        begin = partial(commands.begin_evening, key=desk.make_row_id(), division=division, date=date)
        desk.do(partial(begin, name=options.name, system=options.system))
    elif options.action == "end":
        desk.do(partial(commands.end_evening, division=division))
    elif options.action is not None:
        _change_presence(desk, division, options)


def _change_presence(desk: Desk, division: DivisionId, options: Namespace) -> None:
    index = desk.index
    evening = find_last_evening(index, division)
    if evening is None or evening != index.stages(division)[-1]:
        raise CommandError("no-evening")
    is_present = options.action == "here"
    if options.new and is_present:
        for name in options.who:
            desk.do(partial(commands.add_member, key=desk.make_row_id(), division=division, name=name))
        return
    players = [find_player_by_number_or_name(index, options.division, word).id for word in options.who]
    if options.last and is_present:
        rows = make_member_table(index, division, evening).rows
        players += [PlayerId(row.key) for row in rows if row.is_expected and row.state is MemberPresence.AWAY]
    if not players:
        raise CommandError("nobody-named")
    desk.do(partial(commands.check_in, players=tuple(dict.fromkeys(players)), present=is_present))


def _show_members_of_evening(program: Program, index: TournamentIndex, division: Division) -> None:
    evening = find_last_evening(index, division.id)
    if evening is None:
        print(program.catalogue.text("No evenings yet. Start one: tdapp evening FILE begin"))
        return
    print(format_evening_name(program.catalogue, evening))
    print_table(make_member_table(index, division.id, evening), program.catalogue)


def _make_evening_json(index: TournamentIndex, division: Division) -> ClubEveningJson:
    evening = find_last_evening(index, division.id)
    members = make_member_table(index, division.id, evening).rows
    return ClubEveningJson(
        division=division.code,
        stage=None if evening is None else index.stages(division.id).index(evening) + 1,
        name=evening.name if evening else "",
        date=evening.date if evening else "",
        system=evening.system if evening else "",
        running=evening is not None and not is_evening_over(index, evening),
        rounds=[item.number for item in index.rounds(division.id) if evening and item.stage == evening.id],
        here=sum(row.state is MemberPresence.HERE for row in members),
        members=[
            make_document_from_rows(
                ClubMemberJson, row, state=row.state.value, last=row.last_date, games=row.game_count
            )
            for row in members
        ],
    )
