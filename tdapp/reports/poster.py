"""The layout `poster`: a few lines in the middle of a page, to hang or to hand over; hides spacing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tdapp.reports.layout import PaintedPages
from tdapp.reports.pen import THICK, THIN, Align, PageBox, Pen
from tdapp.reports.style import Style

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_LEADING = 1.45
_LOGO = (220.0, 70.0)  # how wide and how high the organiser's picture may be


@dataclass(frozen=True, slots=True)
class PosterLine:
    """A line of a poster."""

    text: str
    size: float
    bold: bool = False
    quiet: bool = False


def posters(title: str, mark: str, pages: Sequence[tuple[Sequence[PosterLine], tuple[str, str]]]) -> PaintedPages:
    """Return a poster for each of `pages`: its lines, and two places to sign at the foot."""
    return PaintedPages(
        title, mark, "", tuple(partial(_paint, lines, signed) for lines, signed in pages), bare=True
    )


def _paint(
    lines: Sequence[PosterLine], signed: tuple[str, str], canvas: Canvas, style: Style, _top: float, _bottom: float
) -> None:
    pen = Pen(canvas, style)
    sheet = PageBox(0, 0, *style.page)
    pen.frame(sheet.inset(26), weight=2 * THICK)
    pen.frame(sheet.inset(32), weight=THIN)
    box = sheet.inset(70)
    foot = 60.0
    if style.logo is not None:
        across, down = style.logo.getSize()
        width = min(_LOGO[0], _LOGO[1] * across / down)
        pen.picture(
            style.logo, PageBox(sheet.width / 2 - width / 2, box.top - _LOGO[1], width, width * down / across)
        )
    shown = [line for line in lines if line.text]
    height = sum(line.size for line in shown) * _LEADING
    base = box.top - (box.height - foot - height) / 2
    for line in shown:
        base -= line.size * _LEADING
        pen.text(
            line.text, box, base + line.size * 0.4, line.size,
            bold=line.bold, quiet=line.quiet, align=Align.CENTRE, shrink=True,
        )  # fmt: skip
    left, _, right = box.columns(4, 2, 4)
    for half, label in zip((left, right), signed, strict=True):
        pen.blank(label, PageBox(half.x, box.y, half.width, 30))
