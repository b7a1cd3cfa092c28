"""The layout `form`: ruled columns to be filled by hand, or filled already; hides drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tdapp.reports.pen import THICK, THIN, Align, PageBox, Pen

_LARGEST = 10.0  # size of the type of a cell
HEAD = 1.9  # height of the heading, for each point of its type


@dataclass(frozen=True, slots=True)
class Ruled:
    """A column of a form: `share` of the width, cells from the top (the rest stays empty)."""

    heading: str
    share: float
    cells: tuple[str, ...] = ()
    align: Align = Align.CENTRE
    bold: bool = False


def ruled(pen: Pen, box: PageBox, columns: Sequence[Ruled], rows: int, *, label: float = 7) -> None:
    """Draw `rows` rows of columns that fill `box`."""
    head = label * HEAD
    height = (box.height - head) / rows
    size = min(_LARGEST, height * 0.62)
    lines: list[tuple[float, float, float, float]] = []
    for column, strip in zip(columns, box.columns(*(one.share for one in columns)), strict=True):
        pen.within(column.heading, strip.below(0, head), label, bold=True, align=column.align)
        for row, cell in enumerate(column.cells[:rows]):
            pen.within(cell, strip.below(head + row * height, height), size, bold=column.bold, align=column.align)
        lines.append((strip.x, box.y, strip.x, box.top - head))
    tops = (box.top - head - row * height for row in range(1, rows))
    lines += [(box.x, top, box.right, top) for top in tops]
    pen.canvas.setLineWidth(THIN)
    pen.canvas.lines(lines)
    pen.frame(PageBox(box.x, box.y, box.width, box.height - head), weight=THICK)


@dataclass(frozen=True, slots=True)
class RuledCard:
    """A card of `rows` ruled lines under a large title, with what stands below it at the left and at the right."""

    title: str
    left: str
    right: str
    columns: Sequence[Ruled]
    rows: int


def written(card: RuledCard, pen: Pen, box: PageBox) -> None:
    """Draw a card that fills `box`."""
    lead = pen.style.lead
    pen.text(card.title, box, box.top - 17, 20, bold=True, shrink=True)
    left, right = PageBox(box.x, box.y, box.width - 8, box.height).columns(3, 2)
    base = box.top - 20 - lead
    pen.text(card.left, left, base, lead * 0.9)
    pen.text(
        card.right, PageBox(right.x + 8, right.y, right.width, right.height), base, lead * 0.9, align=Align.RIGHT
    )
    ruled(pen, PageBox(box.x, box.y, box.width, box.height - 28 - lead), card.columns, card.rows)
