"""Result slips of a round, and cards with a line for each round.

If players may enter results, the slip has a stub for each player, with the player's own code.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import itemgetter

from tdapp.domain.entry_line import make_slip_code
from tdapp.domain.model import Division, GameId, Player, PlayerId, Seat, SeatId, Start
from tdapp.domain.slip import can_players_enter_points, find_code_key, format_code, make_game_code
from tdapp.domain.tables import players
from tdapp.domain.tables.groups import GroupSeat, make_group_table
from tdapp.domain.tables.players import PlayerCardRow
from tdapp.domain.tables.rounds import PairingRow, make_pairing_table
from tdapp.domain.translatable import C_, N_
from tdapp.i18n.lists import list_player_card
from tdapp.i18n.phrases import name_round
from tdapp.reports.cards import CardSheet, Paint, make_card_pages
from tdapp.reports.layout import PaintedPages
from tdapp.reports.pen import LARGEST_CELL, THICK, PageBox, Pen, RuledColumn, TextAlign, draw_ruled_columns
from tdapp.reports.report import Report, ReportContext, ReportGroup, find_report_round, make_section

_CODE = 58.0  # size of the code
_NUMBER = 64.0  # width of the table number
_STUBS = 132.0  # height of the stubs with seat codes
_CardRows = Sequence[PlayerCardRow]
_SCANNED = 74.0  # size of a seat code
_LINE = 58.0  # height of the part for a player
_MOST_LINES = 4  # players on a slip

_Stub = tuple[GameId | SeatId, PlayerId, int, str]  # game or seat, player, the player's number and name


def _make_slip_pages(context: ReportContext, division: Division) -> PaintedPages:
    item = find_report_round(context, division)
    head = make_section(context, division, context.catalogue.text("Result slips"), (), "")
    title = " · ".join(filter(None, (head.mark, name_round(context.catalogue, context.index, item))))
    rows = make_pairing_table(context.index, item).rows
    numbered: list[tuple[int, Paint]] = [(row.table, partial(_draw_slip, context, title, row)) for row in rows]
    tables = context.index.list_seats_by_table(item.id)
    for group, places in zip(make_group_table(context.index, item).rows, tables, strict=True):
        apart = [(seat,) for seat in group.seats] if len(group.seats) > _MOST_LINES else [group.seats]
        numbered += ((group.table, partial(_draw_group_slip, context, title, places, seats)) for seats in apart)
    pieces = [paint for _, paint in sorted(numbered, key=itemgetter(0))]
    return make_card_pages(head.title, head.mark, pieces, CardSheet(2, 2 if _has_stubs(context) else 3))


def _has_stubs(context: ReportContext) -> bool:
    return context.index.tournament.event.players_enter


def _make_blank_slips(context: ReportContext, division: Division) -> PaintedPages:
    head = make_section(context, division, context.catalogue.text("Result slips"), (), "")
    first, count = division.first_table, max(1, len(context.index.players(division.id)) // 2)
    tables = range(first, first + count)
    pieces: list[Paint] = [partial(_paint_blank_slip, context, head.mark, table) for table in tables]
    return make_card_pages(head.title, head.mark, pieces, CardSheet(2, 3))


def _paint_blank_slip(context: ReportContext, mark: str, table: int, pen: Pen, box: PageBox) -> None:
    catalogue = context.catalogue
    _draw_head(context, mark, table, pen, box, code=0)
    pen.draw_blank_field(catalogue.heading("round"), PageBox(box.right - 70, box.top - 34, 70, 30))
    for at, label in enumerate(
        (
            catalogue.text(C_("player who goes first or second", "starts")),
            catalogue.text(C_("player who goes first or second", "replies")),
        )
    ):
        own = _draw_points_field(context, pen, box.make_row_box(56 + at * (_LINE + 5), _LINE))
        named = PageBox(own.x, own.y + 4, own.width - 6, _LINE - 8)
        pen.draw_blank_field(f"{catalogue.heading('player')} ({label})", named)
    _draw_signatures(context, (1, 2), pen, box)


def _draw_signatures(context: ReportContext, players: Sequence[int], pen: Pen, box: PageBox) -> None:
    for at, (part, number) in enumerate(zip(box.split_columns(*[1] * len(players)), players, strict=True)):
        label = context.catalogue.text("Signature {player}", player=number)
        pen.draw_blank_field(label, PageBox(part.x + 6 * bool(at), box.y, part.width - 6, 30))


def _draw_head(context: ReportContext, title: str, table: int, pen: Pen, box: PageBox, *, code: float) -> None:
    catalogue = context.catalogue
    pen.write_text(catalogue.heading("table"), box, box.top - 9, 9, is_grey=True)
    pen.write_text(
        str(table), PageBox(box.x, box.y, _NUMBER, box.height), box.top - 44, 40, bold=True, shrink=True
    )
    beside = PageBox(box.x + _NUMBER + 8, box.y, box.width - _NUMBER - (code or 70) - 14, box.height)
    pen.write_text(title, beside, box.top - 20, 12, bold=True)
    pen.write_text(context.index.tournament.event.name, beside, box.top - 34, 9)


def _draw_points_field(context: ReportContext, pen: Pen, line: PageBox) -> PageBox:
    points = PageBox(line.right - 88, line.y, 88, line.height)
    pen.draw_frame(points, weight=THICK)
    pen.write_text(context.catalogue.heading("points"), points.shrink_box(3), points.top - 9, 7, is_grey=True)
    return PageBox(line.x, line.y, line.width - 94, line.height)


def _draw_slip(context: ReportContext, title: str, row: PairingRow, pen: Pen, box: PageBox) -> None:
    if _has_stubs(context):
        game = context.index.tournament.games[GameId(row.key)]
        seated = ((game.first, row.first, row.first_name), (game.second, row.second, row.second_name))
        stubs = [(game.id, *player) for player in seated]
        box = _draw_stubs(context, title, row.table, stubs, pen, box)
    catalogue = context.catalogue
    _draw_head(context, title, row.table, pen, box, code=_CODE)
    code = PageBox(box.right - _CODE, box.top - _CODE + 10, _CODE, _CODE)
    pen.draw_qr_code(make_slip_code(row), code)
    pen.write_text(make_slip_code(row).strip(), code, code.y - 3, 7, is_grey=True, align=TextAlign.CENTRE)
    drawn = row.start is Start.DRAW
    first = (row.first, row.first_name, catalogue.text(C_("player who goes first or second", "starts")))
    second = (row.second, row.second_name, catalogue.text(C_("player who goes first or second", "replies")))
    for at, (number, name, label) in enumerate((first, second)):
        own = _draw_points_field(context, pen, box.make_row_box(56 + at * (_LINE + 5), _LINE))
        pen.write_text(f"{number}  {name}", own, own.y + 29, 14, bold=True, shrink=True)
        pen.write_text("" if drawn else label, own, own.y + 13, 10, is_grey=True)
    if drawn:
        pen.write_text(catalogue.text("Tick the player who started:"), box, box.y + 34, 9, is_grey=True)
        for at, number in enumerate((row.first, row.second)):
            pen.draw_tick_box(str(number), box.x + 92 + at * 48, box.y + 34, 40)
    _draw_signatures(context, (row.first, row.second), pen, box)


def _draw_group_slip(
    context: ReportContext, title: str, places: Sequence[Seat], seats: Sequence[GroupSeat], pen: Pen, box: PageBox
) -> None:
    table = places[0].table
    if _has_stubs(context) and can_players_enter_points(places):
        rows = zip(places, seats, strict=True)
        stubs = [(place.id, place.player, seat.player, seat.name) for place, seat in rows]
        box = _draw_stubs(context, title, table, stubs, pen, box)
    _draw_head(context, title, table, pen, box, code=0)
    height = min(_LINE, (box.height - 100) / len(seats) - 5)
    for at, seat in enumerate(seats):
        own = _draw_points_field(context, pen, box.make_row_box(56 + at * (height + 5), height))
        pen.write_text(f"{seat.player}  {seat.name}", own, own.y + height / 2, 14, bold=True, shrink=True)
    _draw_signatures(context, [seat.player for seat in seats], pen, box)


def _draw_stubs(
    context: ReportContext, title: str, table: int, stubs: Sequence[_Stub], pen: Pen, slip: PageBox
) -> PageBox:
    """Draw a stub with a code for each player at the foot of a slip. Return the space above."""
    text, key = context.catalogue.text, find_code_key(context.index.tournament)
    box, top = PageBox(slip.x, slip.y, slip.width, _STUBS), slip.y + _STUBS - 10
    parts = box.split_columns(*[1] * len(stubs))
    pen.canvas.setDash(2, 4)
    pen.draw_line(box.x, top, box.right)
    for part in parts[1:] if key else ():
        pen.canvas.line(part.x, box.y, part.x, top)
    pen.canvas.setDash()
    if not key:
        why = text("Codes for phones are only on slips that the director’s computer prints.")
        pen.write_text(why, box, top - 16, 9, is_grey=True, shrink=True)
    where = f"{title} · {context.catalogue.heading('table')} {table}"
    for part, (place, player, number, name) in zip(parts, stubs, strict=True) if key else ():
        stub = PageBox(part.x + 6, part.y, part.width - 12, part.height - 10)
        pen.write_text(f"{number}  {name}", stub, stub.top - 14, 11, bold=True, shrink=True)
        pen.write_text(where, stub, stub.top - 25, 8, is_grey=True, shrink=True)
        _draw_seat_code(context, make_game_code(key, place, player), pen, stub)
    return PageBox(slip.x, slip.y + _STUBS, slip.width, slip.height - _STUBS)


def _draw_seat_code(context: ReportContext, code: str, pen: Pen, stub: PageBox) -> None:
    label = f"{context.catalogue.heading('code')} {format_code(code)}"
    pen.write_text(label, stub, stub.y + 8, 10, bold=True, shrink=True)
    if context.server_url:
        side = min(_SCANNED, stub.width)
        pen.draw_qr_code(f"{context.server_url}enter?code={code}", PageBox(stub.x, stub.y + 19, side, side))
        pen.write_text(f"{context.server_url}enter", stub, stub.y, 6, is_grey=True, shrink=True)


SLIPS = Report(
    "slips",
    N_("Result slips"),
    _make_slip_pages,
    ReportGroup.ROUND,
    N_("One slip for each table: the players write the points on it and bring it to the desk."),
)
BLANK_SLIPS = Report(
    "slips-blank",
    N_("Result slips, blank"),
    _make_blank_slips,
    ReportGroup.FORM,
    N_("One slip without names for each table, for use before a round or instead of a lost slip."),
)


_HALF_PAGE = 14  # rounds on half a page
_SHARES = {"round": 5, "table": 5.5, "starts": 6, "number": 5, "opponent": 24, "points": 8, "opponent_points": 8,
           "spread": 8, "total": 8, "total_spread": 9}  # fmt: skip


def _make_scorecard_pages(context: ReportContext, division: Division, *, blank: bool) -> PaintedPages:
    index = context.index
    after = 0 if blank else context.find_last_round(division)
    rounds = max(index.count_planned_rounds(division.id), index.get_last_published(division.id), 1)
    head = make_section(context, division, context.catalogue.text("Scorecards"), (), "")
    found = players.list_player_cards(index, division, after)
    pieces: list[Paint] = [
        partial(_paint_scorecard, context, head.mark, player, found[player.id], rounds)
        for player in index.players(division.id)
    ]
    return make_card_pages(head.title, head.mark, pieces, CardSheet(1, 2 if rounds <= _HALF_PAGE else 1, 30))


def _paint_scorecard(
    context: ReportContext, mark: str, player: Player, rows: _CardRows, rounds: int, pen: Pen, box: PageBox
) -> None:
    catalogue = context.catalogue
    listed = list_player_card(catalogue, player, rows)
    found = {one.id: one.cells for one in listed.columns}
    found["number"] = tuple(str(row.opponent_number or "") for row in rows)
    at = {row.round: place for place, row in enumerate(rows)}
    columns = []
    for name, share in _SHARES.items():
        cells = found.get(name, ("",) * len(rows))
        texts = [cells[at[number]] if number in at else "" for number in range(1, rounds + 1)]
        shown = map(str, range(1, rounds + 1)) if name == "round" else texts
        align = TextAlign.LEFT if name == "opponent" else TextAlign.CENTRE
        bold = name in {"round", "points"}
        columns.append(RuledColumn(catalogue.heading(name), share, tuple(shown), align, bold=bold))
    known = (player.club, player.country, str(player.shown_rating or ""), player.category)
    beside = (mark, context.index.tournament.event.name, listed.legend)
    lead = pen.style.lead
    pen.write_text(f"{player.number}  {player.name}", box, box.top - 17, 20, bold=True, shrink=True)
    left, right = PageBox(box.x, box.y, box.width - 8, box.height).split_columns(3, 2)
    right = PageBox(right.x + 8, right.y, right.width, right.height)
    base = box.top - 20 - lead
    pen.write_text(" · ".join(filter(None, beside)), left, base, lead * 0.9)
    pen.write_text(" · ".join(filter(None, known)), right, base, lead * 0.9, align=TextAlign.RIGHT)
    grid = PageBox(box.x, box.y, box.width, box.height - 28 - lead)
    draw_ruled_columns(pen, grid, columns, rounds, largest=LARGEST_CELL * (1.4 if pen.style.large else 1))


FILLED_CARDS = Report(
    "scorecards",
    N_("Scorecards"),
    partial(_make_scorecard_pages, blank=False),
    ReportGroup.AFTER,
    N_("A card for each player with every game so far."),
)
BLANK_CARDS = Report(
    "scorecards-blank",
    N_("Scorecards, blank"),
    partial(_make_scorecard_pages, blank=True),
    ReportGroup.FORM,
    N_("A card for each player to fill in by hand."),
)
