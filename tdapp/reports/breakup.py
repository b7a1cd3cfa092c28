"""The printed form for the break-up game, in which players take the tiles off the board.

Source: rule book be-brailleliga, section Afbreekscrabble.
"""

from __future__ import annotations

from textwrap import wrap

from tdapp.domain.model import Division
from tdapp.domain.translatable import N_
from tdapp.reports.cards import CardPageLayout, make_card_pages
from tdapp.reports.layout import CustomPaintedSection
from tdapp.reports.pen import ColumnWithRuledLines, PageBox, Pen, TextAlign, draw_columns_with_ruled_lines
from tdapp.reports.report import Report, ReportContext, ReportGroup, make_section

_RULES = (
    N_("The break-up game is played after a Scrabble game, on its full board. The winner of the Scrabble game "
        "starts."),
    N_("In turn, each player takes one to six tiles of one word off the board. The tiles need not be side by "
       "side."),
    N_("The tiles on the board always form complete words that are connected to the centre square."),
    N_("The break-up game ends when all tiles are taken, or when no player can take a tile."),
    N_("Score A: the values of the tiles, without premium squares."),
    N_("Score B: a blue square doubles or triples its tile. A pink or red square doubles or triples the whole "
       "turn."),
    N_("Before the start, agree on score A or B. These points do not count in the standings."),
)  # fmt: skip
_TEXT_SIZE, _LINE_HEIGHT, _TURN_COUNT, _PLAYER_COUNT = 8.5, 11.0, 12, 4
_LETTER_WIDTH = 0.52  # average, as a fraction of the type size


def _make_break_up_game_forms(context: ReportContext, division: Division) -> CustomPaintedSection:
    catalogue = context.catalogue
    section = make_section(context, division, catalogue.text("Break-up game"), (), "")

    def paint_break_up_game_form(pen: Pen, box: PageBox) -> None:
        pen.write_text(section.title, box, box.top - 15, 18, bold=True)
        pen.write_text(section.division_title, box, box.top - 15, 11, align=TextAlign.RIGHT)
        base = box.top - 30
        for rule in _RULES:
            for line in wrap(
                f"• {catalogue.text(rule)}", int(box.width / (_TEXT_SIZE * _LETTER_WIDTH)), subsequent_indent="  "
            ):
                pen.write_text(line, box, base, _TEXT_SIZE)
                base -= _LINE_HEIGHT
        names = PageBox(box.x, base - 22, box.width, 28)
        for number, strip in enumerate(names.split_into_columns(1, *[3] * _PLAYER_COUNT)):
            if number:
                pen.draw_blank_field(catalogue.heading("player"), PageBox(strip.x, strip.y, strip.width - 8, 28))
        turns = (*map(str, range(1, _TURN_COUNT + 1)), catalogue.heading("total"))
        blank = ColumnWithRuledLines("", 3, (), TextAlign.CENTRE)
        columns = (ColumnWithRuledLines("", 1, turns, TextAlign.CENTRE), *[blank] * _PLAYER_COUNT)
        draw_columns_with_ruled_lines(pen, PageBox(box.x, box.y, box.width, names.y - box.y), columns, len(turns))

    return make_card_pages(
        section.title, section.division_title, [paint_break_up_game_form] * 2, CardPageLayout(1, 2)
    )


BREAK_UP = Report(
    "break-up",
    _make_break_up_game_forms,
    ReportGroup.FORM,
    N_("A form with the rules of the break-up game: after a game, players take the tiles off the full board."),
)
