"""Result slips of a round, and cards with a line for each round.

If players may enter results on phones, the slip has a stub for each player, with the player's own code.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import itemgetter

from tdapp.domain.entry_line import make_slip_qr_code_text
from tdapp.domain.model import Division, GameId, Player, PlayerId, Seat, SeatId, StartDecision
from tdapp.domain.slip import (
    can_players_enter_group_points,
    find_slip_code_secret,
    format_code_with_hyphen,
    make_game_code,
)
from tdapp.domain.tables import players
from tdapp.domain.tables.groups import GroupTableSeat, make_table_of_group_tables
from tdapp.domain.tables.players import PlayerCardRow
from tdapp.domain.tables.rounds import PairingRow, make_pairing_table
from tdapp.domain.translatable import C_, N_
from tdapp.i18n.lists import make_player_card_text_table
from tdapp.i18n.phrases import format_round
from tdapp.reports.cards import CardPageLayout, Paint, make_card_pages
from tdapp.reports.layout import CustomPaintedSection
from tdapp.reports.pen import (
    MAX_CELL_SIZE,
    THICK,
    ColumnWithRuledLines,
    PageBox,
    Pen,
    TextAlign,
    draw_columns_with_ruled_lines,
)
from tdapp.reports.report import Report, ReportContext, ReportGroup, find_report_round, make_section

_CODE_SIZE = 58.0
_NUMBER_WIDTH = 64.0
_STUBS_HEIGHT = 132.0
_CardRows = Sequence[PlayerCardRow]
_SEAT_CODE_SIZE = 74.0
_PLAYER_HEIGHT = 58.0
_MAX_PLAYERS = 4  # on a slip

_Stub = tuple[GameId | SeatId, PlayerId, int, str]  # game or seat, player, the player's number and name


def _make_slip_pages(context: ReportContext, division: Division) -> CustomPaintedSection:
    item = find_report_round(context, division)
    section = make_section(context, division, context.catalogue.text("Result slips"), (), "")
    title = " · ".join(
        filter(None, (section.division_title, format_round(context.catalogue, context.index, item)))
    )
    rows = make_pairing_table(context.index, item).rows
    slips: list[tuple[int, Paint]] = [(row.table, partial(_draw_slip, context, title, row)) for row in rows]
    tables = context.index.list_seats_by_table(item.id)
    for group, stored_seats in zip(make_table_of_group_tables(context.index, item).rows, tables, strict=True):
        slip_seats = [(seat,) for seat in group.seats] if len(group.seats) > _MAX_PLAYERS else [group.seats]
        draw_slip = partial(_draw_group_slip, context, title, stored_seats)
        slips += ((group.table, partial(draw_slip, seats)) for seats in slip_seats)
    pieces = [paint for _, paint in sorted(slips, key=itemgetter(0))]
    sheet = CardPageLayout(2, 2 if _has_stubs(context) else 3)
    return make_card_pages(section.title, section.division_title, pieces, sheet)


def _has_stubs(context: ReportContext) -> bool:
    return context.index.tournament.event.players_enter


def _make_blank_slip_pages(context: ReportContext, division: Division) -> CustomPaintedSection:
    section = make_section(context, division, context.catalogue.text("Result slips"), (), "")
    first, count = division.first_table, max(1, len(context.index.players(division.id)) // 2)
    tables = range(first, first + count)
    pieces: list[Paint] = [partial(_paint_blank_slip, context, section.division_title, table) for table in tables]
    return make_card_pages(section.title, section.division_title, pieces, CardPageLayout(2, 3))


def _paint_blank_slip(context: ReportContext, division_title: str, table: int, pen: Pen, box: PageBox) -> None:
    catalogue = context.catalogue
    _draw_header(context, division_title, table, pen, box, code_width=0)
    pen.draw_blank_field(catalogue.heading("round"), PageBox(box.right - 70, box.top - 34, 70, 30))
    starts = catalogue.text(C_("player who goes first or second", "starts"))
    replies = catalogue.text(C_("player who goes first or second", "replies"))
    for position, label in enumerate((starts, replies)):
        player_box = box.make_row_box(56 + position * (_PLAYER_HEIGHT + 5), _PLAYER_HEIGHT)
        name_box = _draw_points_field(context, pen, player_box)
        field_box = PageBox(name_box.x, name_box.y + 4, name_box.width - 6, _PLAYER_HEIGHT - 8)
        pen.draw_blank_field(f"{catalogue.heading('player')} ({label})", field_box)
    _draw_signatures(context, (1, 2), pen, box)


def _draw_signatures(context: ReportContext, players: Sequence[int], pen: Pen, box: PageBox) -> None:
    for position, (part, number) in enumerate(
        zip(box.split_into_columns(*[1] * len(players)), players, strict=True)
    ):
        label = context.catalogue.text("Signature {player}", player=number)
        pen.draw_blank_field(label, PageBox(part.x + 6 * bool(position), box.y, part.width - 6, 30))


def _draw_header(
    context: ReportContext, title: str, table: int, pen: Pen, box: PageBox, *, code_width: float
) -> None:
    catalogue = context.catalogue
    pen.write_text(catalogue.heading("table"), box, box.top - 9, 9, is_grey=True)
    number_box = PageBox(box.x, box.y, _NUMBER_WIDTH, box.height)
    pen.write_text(str(table), number_box, box.top - 44, 40, bold=True, shrink=True)
    title_width = box.width - _NUMBER_WIDTH - (code_width or 70) - 14
    title_box = PageBox(box.x + _NUMBER_WIDTH + 8, box.y, title_width, box.height)
    pen.write_text(title, title_box, box.top - 20, 12, bold=True)
    pen.write_text(context.index.tournament.event.name, title_box, box.top - 34, 9)


def _draw_points_field(context: ReportContext, pen: Pen, line: PageBox) -> PageBox:
    points = PageBox(line.right - 88, line.y, 88, line.height)
    pen.draw_frame(points, weight=THICK)
    pen.write_text(context.catalogue.heading("points"), points.shrink_box(3), points.top - 9, 7, is_grey=True)
    return PageBox(line.x, line.y, line.width - 94, line.height)


def _draw_slip(context: ReportContext, title: str, row: PairingRow, pen: Pen, box: PageBox) -> None:
    if _has_stubs(context):
        game = context.index.tournament.games[GameId(row.key)]
        players = ((game.first, row.first, row.first_name), (game.second, row.second, row.second_name))
        stubs = [(game.id, *player) for player in players]
        box = _draw_stubs(context, title, row.table, stubs, pen, box)
    catalogue = context.catalogue
    _draw_header(context, title, row.table, pen, box, code_width=_CODE_SIZE)
    code = PageBox(box.right - _CODE_SIZE, box.top - _CODE_SIZE + 10, _CODE_SIZE, _CODE_SIZE)
    pen.draw_qr_code(make_slip_qr_code_text(row), code)
    pen.write_text(make_slip_qr_code_text(row).strip(), code, code.y - 3, 7, is_grey=True, align=TextAlign.CENTRE)
    is_drawn = row.start is StartDecision.DRAW
    first = (row.first, row.first_name, catalogue.text(C_("player who goes first or second", "starts")))
    second = (row.second, row.second_name, catalogue.text(C_("player who goes first or second", "replies")))
    for position, (number, name, label) in enumerate((first, second)):
        player_box = box.make_row_box(56 + position * (_PLAYER_HEIGHT + 5), _PLAYER_HEIGHT)
        name_box = _draw_points_field(context, pen, player_box)
        pen.write_text(f"{number}  {name}", name_box, name_box.y + 29, 14, bold=True, shrink=True)
        pen.write_text("" if is_drawn else label, name_box, name_box.y + 13, 10, is_grey=True)
    if is_drawn:
        pen.write_text(catalogue.text("Tick the player who started:"), box, box.y + 34, 9, is_grey=True)
        for position, number in enumerate((row.first, row.second)):
            pen.draw_tick_box(str(number), box.x + 92 + position * 48, box.y + 34, 40)
    _draw_signatures(context, (row.first, row.second), pen, box)


def _draw_group_slip(
    context: ReportContext,
    title: str,
    rows: Sequence[Seat],
    seats: Sequence[GroupTableSeat],
    pen: Pen,
    box: PageBox,
) -> None:
    table = rows[0].table
    if _has_stubs(context) and can_players_enter_group_points(rows):
        pairs = zip(rows, seats, strict=True)
        stubs = [(row.id, row.player, seat.player, seat.name) for row, seat in pairs]
        box = _draw_stubs(context, title, table, stubs, pen, box)
    _draw_header(context, title, table, pen, box, code_width=0)
    height = min(_PLAYER_HEIGHT, (box.height - 100) / len(seats) - 5)
    for position, seat in enumerate(seats):
        name_box = _draw_points_field(context, pen, box.make_row_box(56 + position * (height + 5), height))
        name = f"{seat.player}  {seat.name}"
        pen.write_text(name, name_box, name_box.y + height / 2, 14, bold=True, shrink=True)
    _draw_signatures(context, [seat.player for seat in seats], pen, box)


def _draw_stubs(
    context: ReportContext, title: str, table: int, stubs: Sequence[_Stub], pen: Pen, slip: PageBox
) -> PageBox:
    """Draw a tear-off stub for each player at the bottom of a slip. Return the space above."""
    text, key = context.catalogue.text, find_slip_code_secret(context.index.tournament)
    box, top = PageBox(slip.x, slip.y, slip.width, _STUBS_HEIGHT), slip.y + _STUBS_HEIGHT - 10
    parts = box.split_into_columns(*[1] * len(stubs))
    pen.canvas.setDash(2, 4)
    pen.draw_horizontal_line(box.x, top, box.right)
    for part in parts[1:] if key else ():
        pen.canvas.line(part.x, box.y, part.x, top)
    pen.canvas.setDash()
    if not key:
        explanation = text("Only slips printed by the director’s computer have codes for phones.")
        pen.write_text(explanation, box, top - 16, 9, is_grey=True, shrink=True)
    table_text = f"{title} · {context.catalogue.heading('table')} {table}"
    for part, (key_of_seat, player, number, name) in zip(parts, stubs, strict=True) if key else ():
        stub = PageBox(part.x + 6, part.y, part.width - 12, part.height - 10)
        pen.write_text(f"{number}  {name}", stub, stub.top - 14, 11, bold=True, shrink=True)
        pen.write_text(table_text, stub, stub.top - 25, 8, is_grey=True, shrink=True)
        _draw_result_entry_code(context, make_game_code(key, key_of_seat, player), pen, stub)
    return PageBox(slip.x, slip.y + _STUBS_HEIGHT, slip.width, slip.height - _STUBS_HEIGHT)


def _draw_result_entry_code(context: ReportContext, code: str, pen: Pen, stub: PageBox) -> None:
    label = context.catalogue.text("Code {code}", code=format_code_with_hyphen(code))
    pen.write_text(label, stub, stub.y + 8, 10, bold=True, shrink=True)
    if context.server_url:
        side = min(_SEAT_CODE_SIZE, stub.width)
        pen.draw_qr_code(f"{context.server_url}enter?code={code}", PageBox(stub.x, stub.y + 19, side, side))
        pen.write_text(f"{context.server_url}enter", stub, stub.y, 6, is_grey=True, shrink=True)


SLIPS = Report(
    "slips",
    _make_slip_pages,
    ReportGroup.ROUND,
    N_("One slip for each table: the players write the scores on it and bring it to the desk."),
)
BLANK_SLIPS = Report(
    "slips-blank",
    _make_blank_slip_pages,
    ReportGroup.FORM,
    N_("One slip without names for each table, for use before a round or to replace a lost slip."),
)


_MAX_ROUNDS_ON_HALF_PAGE = 14
_COLUMN_SHARES = {
    "round": 5,
    "table": 5.5,
    "starts": 6,
    "number": 5,
    "opponent": 24,
    "points": 8,
    "opponent_points": 8,
    "spread": 8,
    "total": 8,
    "total_spread": 9,
}


def _make_scorecard_pages(context: ReportContext, division: Division, *, is_blank: bool) -> CustomPaintedSection:
    index = context.index
    after = 0 if is_blank else context.find_last_round_in_report(division)
    rounds = max(index.count_planned_rounds(division.id), index.get_last_published_round_number(division.id), 1)
    section = make_section(context, division, context.catalogue.text("Scorecards"), (), "")
    cards_by_player = players.map_player_cards(index, division, after)
    pieces: list[Paint] = [
        partial(_paint_scorecard, context, section.division_title, player, cards_by_player[player.id], rounds)
        for player in index.players(division.id)
    ]
    sheet = CardPageLayout(1, 2 if rounds <= _MAX_ROUNDS_ON_HALF_PAGE else 1, 30)
    return make_card_pages(section.title, section.division_title, pieces, sheet)


def _paint_scorecard(
    context: ReportContext, division: str, player: Player, rows: _CardRows, rounds: int, pen: Pen, box: PageBox
) -> None:
    catalogue = context.catalogue
    text_table = make_player_card_text_table(catalogue, player, rows)
    cells_by_column = {column.id: column.cells for column in text_table.columns}
    cells_by_column["number"] = tuple(str(row.opponent_number or "") for row in rows)
    positions = {row.round: position for position, row in enumerate(rows)}
    columns = []
    for name, share in _COLUMN_SHARES.items():
        cells = cells_by_column.get(name, ("",) * len(rows))
        texts = [cells[positions[number]] if number in positions else "" for number in range(1, rounds + 1)]
        column_cells = map(str, range(1, rounds + 1)) if name == "round" else texts
        align = TextAlign.LEFT if name == "opponent" else TextAlign.CENTRE
        bold = name in {"round", "points"}
        columns.append(ColumnWithRuledLines(catalogue.heading(name), share, tuple(column_cells), align, bold=bold))
    player_details = (player.club, player.country, str(player.rating_marked_if_provisional or ""), player.category)
    event_details = (division, context.index.tournament.event.name, text_table.legend)
    text_size = pen.style.subtitle_size
    pen.write_text(f"{player.number}  {player.name}", box, box.top - 17, 20, bold=True, shrink=True)
    left, right = PageBox(box.x, box.y, box.width - 8, box.height).split_into_columns(3, 2)
    right = PageBox(right.x + 8, right.y, right.width, right.height)
    base = box.top - 20 - text_size
    pen.write_text(" · ".join(filter(None, event_details)), left, base, text_size * 0.9)
    pen.write_text(" · ".join(filter(None, player_details)), right, base, text_size * 0.9, align=TextAlign.RIGHT)
    grid = PageBox(box.x, box.y, box.width, box.height - 28 - text_size)
    draw_columns_with_ruled_lines(
        pen, grid, columns, rounds, max_cell_size=MAX_CELL_SIZE * (1.4 if pen.style.large else 1)
    )


FILLED_CARDS = Report(
    "scorecards",
    partial(_make_scorecard_pages, is_blank=False),
    ReportGroup.AFTER,
    N_("A card for each player with every game so far."),
)
BLANK_CARDS = Report(
    "scorecards-blank",
    partial(_make_scorecard_pages, is_blank=True),
    ReportGroup.FORM,
    N_("A card for each player to fill in by hand."),
)
