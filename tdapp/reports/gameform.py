"""The score sheet form: turns of both players, the board, and the sums. Each player fills in a separate form.

Nl-reglement II.1: each player writes the opponent's personal details, all scores and (sub)totals. IV: the jury
notes the final scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from tdapp.domain.judging import compute_peg_rack_holes
from tdapp.domain.model import Division, StartDecision
from tdapp.domain.ruleset import OvertimeKind, RuleSet
from tdapp.domain.tables.rounds import PairingRow, make_pairing_table
from tdapp.domain.translatable import C_, N_
from tdapp.i18n import Catalogue
from tdapp.i18n.layouts import list_board_squares
from tdapp.i18n.phrases import format_round
from tdapp.reports.layout import CustomPaintedSection, PagePaint
from tdapp.reports.pen import (
    THICK,
    THIN,
    ColumnWithRuledLines,
    PageBox,
    Pen,
    TextAlign,
    draw_columns_with_ruled_lines,
)
from tdapp.reports.report import Report, ReportContext, ReportGroup, find_report_round, make_section
from tdapp.reports.style import PrintStyle
from tdapp.scrabble.board import Board
from tdapp.scrabble.coordinates import SIZE
from tdapp.scrabble.tiles import BLANK, TileSet

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

# Colours of premium squares, light enough to write on: dark and light red and blue (de-spielregeln 4d,
# be-brailleliga 12 and 13; nl-reglement III.4 has the centre pink).
_PREMIUM_COLOURS: Mapping[str, tuple[float, float, float]] = {
    "3": (0.93, 0.56, 0.53),
    "2": (0.98, 0.83, 0.83),
    "c": (0.56, 0.71, 0.93),
    "b": (0.83, 0.91, 0.98),
}


def draw_board(pen: Pen, box: PageBox, catalogue: Catalogue) -> None:
    """Draw a board. The PDF contains it once for all pages."""
    name, canvas = f"board-{box.width:g}", pen.canvas
    if not canvas.hasForm(name):
        canvas.beginForm(name)
        _paint_board_squares(pen, PageBox(0, 0, box.width, box.height), catalogue)
        canvas.endForm()
    canvas.saveState()
    canvas.translate(box.x, box.y)
    canvas.doForm(name)
    canvas.restoreState()


def _paint_board_squares(pen: Pen, box: PageBox, catalogue: Catalogue) -> None:
    unit = box.width / (SIZE + 1)
    for number in range(1, SIZE + 1):
        pen.write_vertically_centred_text(
            str(number),
            PageBox(box.x, box.top - (number + 1) * unit, unit, unit),
            7,
            align=TextAlign.CENTRE,
            pad=0,
        )
        top = PageBox(box.x + number * unit, box.top - unit, unit, unit)
        pen.write_vertically_centred_text(chr(ord("A") + number - 1), top, 7, align=TextAlign.CENTRE, pad=0)
    for board_square in list_board_squares(catalogue, Board()):
        square = PageBox(box.x + board_square.column * unit, box.top - (board_square.row + 1) * unit, unit, unit)
        pen.draw_frame(square, weight=THIN, fill=_PREMIUM_COLOURS.get(board_square.premium, (1.0, 1.0, 1.0)))
        pen.write_vertically_centred_text(
            board_square.sign, square, 4.5, is_grey=True, align=TextAlign.CENTRE, pad=0
        )
    pen.draw_frame(PageBox(box.x + unit, box.y, SIZE * unit, SIZE * unit), weight=THICK)


_TURN_COUNT = 22
_BOARD_SIZE = 262.0


def _draw_form_front(
    context: ReportContext,
    rules: RuleSet,
    title: str,
    row: PairingRow | None,
    form_number: int,
    canvas: Canvas,
    style: PrintStyle,
    *_: float,
) -> None:
    pen, catalogue, event = Pen(canvas, style), context.catalogue, context.index.tournament.event
    page = PageBox(style.margin, style.margin, style.printable_width, style.page[1] - 2 * style.margin)
    pen.write_text(catalogue.text("Score sheet"), page, page.top - 18, style.title_size, bold=True)
    if row:
        table = catalogue.text("Table {table}", table=row.table)
        pen.write_text(table, page, page.top - 18, style.title_size, bold=True, align=TextAlign.RIGHT)
    else:
        left, right = page.make_row_box(0, 32).split_into_columns(4, 1, 1)[1:]
        pen.draw_blank_field(catalogue.heading("round"), PageBox(left.x, left.y, left.width - 8, left.height))
        pen.draw_blank_field(catalogue.heading("table"), right)
    form_text = catalogue.text(C_("paper score sheet", "Form {form}"), form=form_number) if form_number else ""
    lead = " · ".join(filter(None, (event.name, title, form_text)))
    pen.write_text(lead, page, page.top - 34, style.subtitle_size)
    _draw_players(context, pen, page.make_row_box(40, 34), row)
    lower_box = PageBox(page.x, page.y, page.width, _BOARD_SIZE)
    turns = PageBox(page.x, page.y + _BOARD_SIZE + 12, page.width, page.height - _BOARD_SIZE - 12 - 80)
    for half in _split_into_halves(turns):
        draw_columns_with_ruled_lines(pen, half, _make_turn_columns(context), _TURN_COUNT)
    draw_board(pen, PageBox(lower_box.x, lower_box.y, _BOARD_SIZE, _BOARD_SIZE), catalogue)
    _draw_sums_and_signatures(
        context,
        pen,
        PageBox(lower_box.x + _BOARD_SIZE + 16, lower_box.y, lower_box.width - _BOARD_SIZE - 16, _BOARD_SIZE),
        rules,
        row,
    )


def _split_into_halves(box: PageBox) -> tuple[PageBox, PageBox]:
    left, _, right = box.split_into_columns(30, 1, 30)
    return left, right


def _draw_players(context: ReportContext, pen: Pen, box: PageBox, row: PairingRow | None) -> None:
    labels = (
        context.catalogue.text(C_("player who goes first or second", "starts")),
        context.catalogue.text(C_("player who goes first or second", "replies")),
    )
    if row and row.start is StartDecision.DRAW:
        labels = (context.catalogue.heading("player"),) * 2
    names = (f"{row.first}  {row.first_name}", f"{row.second}  {row.second_name}") if row else ("", "")
    for half, label, name in zip(_split_into_halves(box), labels, names, strict=True):
        pen.draw_blank_field(label, half, value=name, size=13)


def _make_turn_columns(context: ReportContext) -> list[ColumnWithRuledLines]:
    catalogue = context.catalogue
    turns = tuple(str(number) for number in range(1, _TURN_COUNT + 1))
    return [
        ColumnWithRuledLines("", 2.2, turns),
        ColumnWithRuledLines(catalogue.heading("square"), 4),
        ColumnWithRuledLines(catalogue.heading("word"), 14, align=TextAlign.LEFT),
        ColumnWithRuledLines(catalogue.heading("points"), 4.5),
        ColumnWithRuledLines(catalogue.heading("total"), 5.5),
    ]


def _draw_sums_and_signatures(
    context: ReportContext, pen: Pen, box: PageBox, rules: RuleSet, row: PairingRow | None
) -> None:
    catalogue = context.catalogue
    lines = tuple(_list_sum_labels(rules))
    numbers = (
        (str(row.first), str(row.second))
        if row
        else (
            catalogue.text(C_("player who goes first or second", "starts")),
            catalogue.text(C_("player who goes first or second", "replies")),
        )
    )
    labels = tuple(catalogue.text(line) for line in lines)
    columns = [
        ColumnWithRuledLines("", 9, labels, TextAlign.LEFT),
        *(ColumnWithRuledLines(number, 6) for number in numbers),
    ]
    table = box.make_row_box(0, 150)
    draw_columns_with_ruled_lines(pen, table, columns, len(lines), heading_size=9)
    pen.draw_frame(PageBox(table.x, table.y, table.width, (table.height - 17) / len(lines)), weight=2 * THICK)
    left, right = box.split_into_columns(1, 1)
    for half, number in ((left, numbers[0]), (right, numbers[1])):
        pen.draw_blank_field(
            catalogue.text("Signature {player}", player=number), PageBox(half.x, box.y + 44, half.width - 8, 34)
        )
    pen.draw_blank_field(catalogue.text("Checked by the jury"), PageBox(box.x, box.y, box.width - 8, 34))


def _list_sum_labels(rules: RuleSet) -> Iterator[str]:
    yield from (C_("line of a score sheet form", "Subtotal"), C_("line of a score sheet form", "Tiles left"))
    if rules.overtime.kind is OvertimeKind.MINUTES:
        yield N_("Overtime")
    if rules.overtime.kind is OvertimeKind.FLAG:
        yield C_("line of a score sheet form", "Time ran out")
    if rules.phony.ruled:
        yield N_("Invalid words")
    if rules.challenge.compute_cost():
        yield C_("line of a score sheet form", "Wrong challenges")
    yield from (C_("line of a score sheet form", "Sanctions"), N_("Final score (jury)"))


_TILE_SQUARE = 9.0  # for crossing out, in PDF points
_LETTER_HEIGHT = 20.0  # of a line in the list of tiles
_LARGE_SIZE = 28.0


def _draw_tile_list_on_back(
    context: ReportContext,
    rules: RuleSet,
    tileset: TileSet,
    row: PairingRow | None,
    canvas: Canvas,
    style: PrintStyle,
    *_: float,
) -> None:
    pen, text = Pen(canvas, style), context.catalogue.text
    page = PageBox(style.margin, style.margin, style.printable_width, style.page[1] - 2 * style.margin)
    pen.write_text(text("Tiles"), page, page.top - 18, style.title_size, bold=True)
    total = text("{name}: {total} tiles, {blanks} blanks", name=tileset.name, total=tileset.tile_count,
                 blanks=tileset.blanks)  # fmt: skip
    pen.write_text(total, page, page.top - 34, style.subtitle_size)
    tiles = [(letter.text, str(letter.value), letter.count) for letter in tileset.letters if letter.count]
    tiles.append((BLANK, "0", tileset.blanks))
    rows = -(-len(tiles) // 2)
    for index, (letter, value, count) in enumerate(tiles):
        half = _split_into_halves(page.make_row_box(52, page.height - 52))[index // rows]
        line = half.make_row_box(index % rows * _LETTER_HEIGHT, _LETTER_HEIGHT)
        parts = ((letter, 13.0, True), (value, 8.0, False), (f"× {count}", 11.0, False))
        for number, (part, size, bold) in enumerate(parts):
            pen.write_text(
                part, PageBox(line.x + 22 * number, line.y, 34, _LETTER_HEIGHT), line.y + 5, size, bold=bold
            )
        for number in range(count):
            pen.draw_frame(
                PageBox(line.x + 84 + number * _TILE_SQUARE, line.y + 5, _TILE_SQUARE - 1.5, _TILE_SQUARE - 1.5),
                weight=THIN,
            )
    peg_row = rules.form.peg_row
    if peg_row:
        _draw_peg_rack_explanation(
            context,
            pen,
            PageBox(page.x, page.y, page.width, page.height - 72 - rows * _LETTER_HEIGHT),
            peg_row,
            row,
        )


def _draw_peg_rack_explanation(
    context: ReportContext, pen: Pen, box: PageBox, peg_row: int, row: PairingRow | None
) -> None:
    text = context.catalogue.text
    lines = [
        text("Upper row: one hole for every {n} points", n=peg_row),
        text("Lower row: one hole for every point"),
    ]
    for name, score in ((row.first_name, row.score1), (row.second_name, row.score2)) if row else ():
        if score is not None and score >= 0:
            upper, lower = compute_peg_rack_holes(score, peg_row)
            lines.append(f"{name}: {score} = " + text("upper peg {upper} × {row} + lower peg {lower}", upper=upper,
                                                     row=peg_row, lower=lower))  # fmt: skip
    for number, line in enumerate(lines, 1):
        pen.write_text(line, box, box.top - number * 40, _LARGE_SIZE, bold=True, shrink=True)


def _make_score_sheet_form_pages(
    context: ReportContext, rules: RuleSet, title: str, row: PairingRow | None, form_number: int
) -> Iterator[PagePaint]:
    yield partial(_draw_form_front, context, rules, title, row, form_number)
    tileset = context.tilesets.get(rules.tileset)
    if tileset is not None:
        yield partial(_draw_tile_list_on_back, context, rules, tileset, row)


def _make_score_sheet_forms(context: ReportContext, division: Division) -> CustomPaintedSection:
    section = make_section(context, division, context.catalogue.text("Score sheet"), (), "")
    make_pages = partial(
        _make_score_sheet_form_pages, context, context.index.tournament.get_ruleset_of_row(division)
    )
    if context.round is None and not context.index.list_published_rounds(division.id):
        return CustomPaintedSection(
            section.title,
            section.division_title,
            "",
            tuple(make_pages(section.division_title, None, 0)),
            is_bare=True,
        )
    item = find_report_round(context, division)
    rows = make_pairing_table(context.index, item).rows
    title = " · ".join(
        filter(None, (section.division_title, format_round(context.catalogue, context.index, item)))
    )
    pages = tuple(page for row in rows for form_number in (1, 2) for page in make_pages(title, row, form_number))
    return CustomPaintedSection(section.title, section.division_title, "", pages, is_bare=True)


SCORE_SHEETS = Report(
    "score-sheets",
    _make_score_sheet_forms,
    ReportGroup.ROUND,
    N_(
        "Two score sheet forms for each game, with the board and columns for words and points; a list of the "
        "tiles is on the back."
    ),
)
