"""Preview of a typed result of a group table: three or more players, or one player alone."""

from __future__ import annotations

from functools import partial
from html import escape
from itertools import zip_longest

from msgspec import Struct

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.group_line import (
    BreakUpGamePointsLine,
    GroupResultLine,
    GroupResultLineProblem,
    ParsedGroupResultLine,
    PartialGroupResultLine,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Round, Seat
from tdapp.domain.tables.groups import GroupTableGameRow, GroupTableSeat, make_group_row
from tdapp.domain.tables.rounds import PairingRow
from tdapp.domain.text_characters import isolate_text_direction
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.messages.sentences import ENTRY_PROBLEMS
from tdapp.i18n.phrases import describe_solo_result


class GroupResultPreview(Struct, frozen=True):
    """Preview of a typed, unsaved result of a group table."""

    text: str  # rich text
    second_line: str = ""  # plain text
    tone: str = "text"
    # command that Enter runs, None if the line is incomplete or refused
    command: partial[Tournament] | None = None
    replaces: bool = False  # the table already has a result
    unchanged: bool = False  # the typed result equals the stored one
    implausible: bool = False  # the points are outside the plausible range, so that only Ctrl+Enter saves them


def preview_group_line(
    index: TournamentIndex, item: Round, catalogue: Catalogue, line: ParsedGroupResultLine
) -> GroupResultPreview:
    if isinstance(line, GroupResultLineProblem):
        facts = {name: escape(str(value)) for name, value in line.facts.items()}
        return GroupResultPreview(catalogue.text(ENTRY_PROBLEMS[line.code], **facts), tone="red")
    if isinstance(line, PartialGroupResultLine):
        return _preview_incomplete_line(catalogue, line)
    return _preview_complete_line(index, item, catalogue, line)


def format_table_players_as_html(catalogue: Catalogue, row: GroupTableGameRow) -> str:
    return " – ".join(_format_player_name_as_html(seat) for seat in row.seats)


def format_entered_results_as_html(catalogue: Catalogue, row: GroupTableGameRow) -> str:
    return " · ".join(_format_seat_result_as_html(catalogue, row, seat) for seat in row.seats if seat.entered)


def _preview_incomplete_line(catalogue: Catalogue, line: PartialGroupResultLine) -> GroupResultPreview:
    row, waiting = line.row, line.next_seat
    text = catalogue.text(
        "Table {table}: {players}", table=row.table, players=format_table_players_as_html(catalogue, row)
    )
    if waiting is None:
        return GroupResultPreview(text)
    second_line = catalogue.text("Now type {player}’s score.", player=waiting.name)
    if row.status != "open":
        state = catalogue.translate_code(f"ResultState.{row.status}")
        second_line = f"{second_line} " + catalogue.text(
            "The result is {state}. Press Enter twice to change it.", state=state
        )
    return GroupResultPreview(text, second_line, "text" if row.status == "open" else "amber")


def _preview_complete_line(
    index: TournamentIndex, item: Round, catalogue: Catalogue, entry: GroupResultLine
) -> GroupResultPreview:
    row, rules = entry.row, index.tournament.get_ruleset_of_row(item)
    seats = tuple(seat for seat in index.seats(item.id) if seat.table == row.table)
    player_ids = tuple(dict.fromkeys((*entry.players, *entry.leavers)))
    replaces = any(seat.entered for seat in row.seats if entry.clear or seat.id in player_ids)
    if entry.clear:
        text = catalogue.text(
            "Table {table}: clear the result ({players})",
            table=row.table,
            players=format_table_players_as_html(catalogue, row),
        )
        command = partial(commands.clear_seats, round=item.id, table=row.table, seen=seats, reason="")
        return GroupResultPreview(text, tone="amber", command=command, replaces=True)
    command = partial(
        commands.enter_seats,
        round=item.id,
        table=row.table,
        points=entry.points,
        players=player_ids,
        left=entry.leavers,
        turns=entry.turns,
        seen=None if row.has_all_players else seats,
        confirmed=False,
        reason="",
    )
    try:
        after = partial(command, confirmed=True, reason="…")(index.tournament)
    except CommandError as error:
        return GroupResultPreview(escape(catalogue.describe_error(error)), tone="red")
    new_seats = tuple(seat for seat in TournamentIndex(after).seats(item.id) if seat.table == row.table)
    text = _format_new_result_as_html(catalogue, make_group_row(TournamentIndex(after), rules, new_seats), entry)
    if [_get_entered_result(seat) for seat in new_seats] == [_get_entered_result(seat) for seat in seats]:
        return GroupResultPreview(text, catalogue.text("Already entered."), unchanged=True)
    try:
        command(index.tournament)
    except CommandError as error:
        if error.code == "implausible-points":
            second_line = (
                catalogue.describe_error(error) + " " + catalogue.text("Press Ctrl+Enter to enter these points.")
            )
            return GroupResultPreview(text, second_line, "amber", command, replaces, implausible=True)
        if error.code != "result-final":
            return GroupResultPreview(escape(catalogue.describe_error(error)), tone="red")
    second_line = catalogue.text("Press Enter twice to replace the result.") if replaces else ""
    return GroupResultPreview(text, second_line, "amber" if replaces else "text", command, replaces)


def preview_break_up_game_points(
    item: Round,
    catalogue: Catalogue,
    row: GroupTableGameRow | PairingRow,
    entry: BreakUpGamePointsLine,
    *,
    tournament: Tournament,
) -> GroupResultPreview:
    """Preview the points of a break-up game. In it, players take the tiles off the board after their game."""
    text = catalogue.text
    if isinstance(row, GroupTableGameRow):
        names = [seat.name for seat in row.seats]
        old = tuple(seat.break_up for seat in row.seats if seat.break_up is not None)
        winners = [seat.name for seat in row.seats if seat.place == 1]
    else:
        names, old, winners = [row.first_name, row.second_name], row.break_up or (), [row.winner_name]
    missing = names[len(entry.points) :]
    players = " – ".join(
        f"{_format_bold_html(name)} {points}".strip()
        for name, points in zip_longest(names, entry.points, fillvalue="")
    )
    result_text = text("Table {table}, break-up game: {players}", table=row.table, players=players)
    starting_player = winners[0] if len(winners) == 1 else ""
    second_line = (
        text("{player} won the game and starts the break-up game.", player=starting_player)
        if starting_player
        else ""
    )
    command = partial(commands.enter_break_up, round=item.id, table=row.table, points=entry.points)
    if row.status == "open" or len(entry.points) > len(names):
        try:
            command(tournament)
        except CommandError as error:
            return GroupResultPreview(escape(catalogue.describe_error(error)), tone="red")
    if missing and not entry.clear:
        return GroupResultPreview(
            result_text, f"{second_line} {text('Now type {player}’s score.', player=missing[0])}".strip()
        )
    if old == entry.points:
        return GroupResultPreview(result_text, text("Already entered."), unchanged=True)
    second_line = text("Press Enter twice to replace the result.") if old else second_line
    return GroupResultPreview(result_text, second_line, "amber" if old else "text", command, replaces=bool(old))


def _get_entered_result(seat: Seat) -> tuple[int | None, bool, int | None, bool]:
    return seat.points, seat.left, seat.turns, seat.state is not None


def _format_new_result_as_html(catalogue: Catalogue, row: GroupTableGameRow, entry: GroupResultLine) -> str:
    seats = [seat for seat in row.seats if not row.has_all_players or seat.id in (*entry.players, *entry.leavers)]
    parts = [_format_seat_result_as_html(catalogue, row, seat) for seat in seats]
    return catalogue.text("Table {table}: {players}", table=row.table, players=" · ".join(parts))


def _format_seat_result_as_html(catalogue: Catalogue, row: GroupTableGameRow, seat: GroupTableSeat) -> str:
    points = _format_bold_html(
        catalogue.text(C_("club member tonight", "has left")) if seat.points is None else str(seat.points)
    )
    notes = []
    if seat.left and seat.points is not None:
        notes.append(catalogue.text(C_("club member tonight", "has left")))
    if seat.total is not None and seat.total != (seat.points or 0):
        notes.append(catalogue.text(C_("result at a group table", "counts as {points}"), points=seat.total))
    if seat.spread is not None and len(row.seats) > 1 and not row.has_all_players:
        notes.append(catalogue.text("spread {spread:signed}", spread=seat.spread))
        notes.append(catalogue.text("match points {points:points}", points=seat.match_points or 0))
    if row.has_all_players and seat.share is not None and seat.total is not None:
        notes.append(
            catalogue.text("{percent}% of the table’s highest score", percent=f"{float(100 * seat.share):.2f}")
        )
    if len(row.seats) == 1 and not row.has_all_players:
        notes += describe_solo_result(catalogue, seat)
    return f"{_format_player_name_as_html(seat)} {points}" + (f" ({', '.join(notes)})" if notes else "")


def _format_player_name_as_html(seat: GroupTableSeat) -> str:
    return _format_bold_html(seat.name)


def _format_bold_html(text: str) -> str:
    return "<b>" + escape(isolate_text_direction(text)) + "</b>"
