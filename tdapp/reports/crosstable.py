"""The crosstable: in the order of the standings, whom everybody met in each round and how it ended."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.model import Division
from tdapp.domain.tables.crosstable import CrossRow, table
from tdapp.domain.tables.table import Kind
from tdapp.i18n.mark import C_, N_
from tdapp.reports.grid import Grid, Strip, grid
from tdapp.reports.layout import Picture
from tdapp.reports.pen import Align
from tdapp.reports.report import Context, Report, section
from tdapp.reports.standings import title, unchecked

# Letters for results, the rank of the opponent behind them.
LETTERS = {"win": C_("letter for a win", "W"), "draw": C_("letter for a draw", "D"),
            "loss": C_("letter for a loss", "L"), "nothing": "–", "open": ""}  # fmt: skip


def _crosstable(context: Context, division: Division) -> Picture:
    after, words = context.after(division), context.words
    made = table(context.index, division, after)
    said = words.text("Crosstable: {title}", title=title(words, context.index, division, after))
    head = section(context, division, said, (), "", note=unchecked(words, context.index, division, after))
    before, last = strips(context, made.rows, "rank"), strips(context, made.rows, "wins", "spread")
    squares = tuple(tuple(_square(context, row, place) for place in range(after)) for row in made.rows)
    names = tuple(map(str, range(1, after + 1)))
    return grid(
        head, Grid((*before, name(context, made.rows)), names, squares, last, (10, 7.5), 44), context.style
    )


def strips(context: Context, rows: tuple[CrossRow, ...], *wanted: str) -> tuple[Strip, ...]:
    """Return columns of a crosstable beside its squares."""
    words = context.words
    values = {
        "rank": (Kind.NUMBER, attrgetter("standing.rank"), 32),
        "number": (Kind.NUMBER, attrgetter("standing.player.number"), 32),
        "wins": (Kind.POINTS, attrgetter("standing.match_points"), 40),
        "spread": (Kind.SIGNED, attrgetter("standing.spread"), 48),
    }
    return tuple(
        Strip(words.heading(one), width, tuple(words.cell(kind, value(row)) for row in rows), bold=one != "spread")
        for one, (kind, value, width) in ((one, values[one]) for one in wanted)
    )


def name(context: Context, rows: tuple[CrossRow, ...]) -> Strip:
    """Return the column of names, which takes what the squares leave."""
    names = tuple(row.standing.player.name for row in rows)
    return Strip(context.words.heading("name"), 0, names, Align.LEFT, bold=True)


def _square(context: Context, row: CrossRow, place: int) -> tuple[str, ...]:
    card, words = row.rounds[place], context.words
    if card is None:
        return ("",)
    if card.bye:
        return words.code(card.bye), words.signed(card.spread)
    said = f"{words.text(LETTERS[card.result])}{row.opponents[place]}"
    scores = "" if card.points is None else f"{card.points}–{card.opponent_points}"
    return said, scores


CROSSTABLE = Report(N_("Crosstable"), _crosstable, attrgetter("desk"), wide=True)
