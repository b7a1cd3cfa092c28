"""The layout `card`, folded to stand on a table: large in the middle, three small lines around, on both faces."""

from __future__ import annotations

from tdapp.reports.pen import Align, PageBox, Pen


def table_card(large: str, size: float, lines: tuple[str, str, str], pen: Pen, box: PageBox) -> None:
    """Draw both faces of a card: the upper one stands on its head, the fold is between them."""
    low = PageBox(box.x, box.y, box.width, box.height / 2)
    _face(pen, low.inset(14), large, size, lines)
    high = PageBox(box.x, box.y + box.height / 2, box.width, box.height / 2)
    with pen.turned(high):
        _face(pen, high.inset(14), large, size, lines)
    pen.canvas.setDash(2, 4)
    pen.rule(box.x, high.y, box.x + 12)
    pen.rule(box.right - 12, high.y, box.right)
    pen.canvas.setDash()


def _face(pen: Pen, box: PageBox, large: str, size: float, lines: tuple[str, str, str]) -> None:
    above, below, foot = lines
    middle = box.y + box.height / 2
    pen.text(above, box, box.top - 16, 16, bold=True)
    pen.text(below, box, box.top - 16, 12, align=Align.RIGHT)
    pen.text(large, box, middle - size * 0.36, size, bold=True, align=Align.CENTRE, shrink=True)
    pen.text(foot, box, box.y, 9, quiet=True, align=Align.CENTRE)
