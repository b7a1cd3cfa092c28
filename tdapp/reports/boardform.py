"""The empty board on paper, to be filled in: coordinates and premium squares."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.mark import N_
from tdapp.i18n import Catalogue
from tdapp.reports.pen import THICK, THIN, Align, PageBox, Pen
from tdapp.scrabble.board import LAYOUT

# The mark of a premium square (times, letter or word) and its grey: still white enough to write on.
_PREMIUMS: Mapping[str, tuple[str, float]] = MappingProxyType(
    {"3": (N_("3W"), 0.72), "2": (N_("2W"), 0.86), "c": (N_("3L"), 0.8), "b": (N_("2L"), 0.92)}
)


def board(pen: Pen, box: PageBox, words: Catalogue) -> None:
    """Draw a board with its coordinates, letters above and numbers at the left, in a square `box`.

    The page description has it once, however many pages show it.
    """
    name, canvas = f"board-{box.width:g}", pen.canvas
    if not canvas.hasForm(name):
        canvas.beginForm(name)
        _board(pen, PageBox(0, 0, box.width, box.height), words)
        canvas.endForm()
    canvas.saveState()
    canvas.translate(box.x, box.y)
    canvas.doForm(name)
    canvas.restoreState()


def _board(pen: Pen, box: PageBox, words: Catalogue) -> None:
    size = len(LAYOUT)
    unit = box.width / (size + 1)
    for row, line in enumerate(LAYOUT, 1):
        pen.within(str(row), PageBox(box.x, box.top - (row + 1) * unit, unit, unit), 7, align=Align.CENTRE, pad=0)
        top = PageBox(box.x + row * unit, box.top - unit, unit, unit)
        pen.within(chr(ord("A") + row - 1), top, 7, align=Align.CENTRE, pad=0)
        for column, sign in enumerate(line, 1):
            square = PageBox(box.x + column * unit, box.top - (row + 1) * unit, unit, unit)
            mark, grey = _PREMIUMS.get(sign, ("", 1.0))
            pen.frame(square, weight=THIN, grey=grey)
            pen.within(words.text(mark), square, 4.5, quiet=True, align=Align.CENTRE, pad=0)
    pen.frame(PageBox(box.x + unit, box.y, size * unit, size * unit), weight=THICK)
