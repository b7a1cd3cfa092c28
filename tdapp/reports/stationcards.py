"""Cards to hand to those who join a shared tournament: role, address and password, four to a page."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from tdapp.reports.pen import PageBox, Pen, pages_of
from tdapp.reports.style import Style

ON_A_PAGE = 4


@dataclass(frozen=True, slots=True)
class StationCard:
    """What one station types; `password` is empty where it is no longer known."""

    login: str
    role: str
    address: str
    password: str


def pages(count: int) -> int:
    """Return how many pages cards fill."""
    return pages_of(count, ON_A_PAGE)


def draw(event: str, cards: Sequence[StationCard], texts: tuple[str, str], style: Style) -> bytes:
    """Return the cards as PDF; `texts` are how to join, and the word for a password."""
    buffer = io.BytesIO()
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415 - loaded when something is drawn

    canvas = Canvas(buffer, pagesize=style.page, invariant=1, initialFontName=style.regular.name)  # type: ignore[arg-type]
    canvas.setTitle(event)
    height = (style.page[1] - 2 * style.margin) / ON_A_PAGE
    for at, card in enumerate(cards):
        if at and at % ON_A_PAGE == 0:
            canvas.showPage()
        base = style.page[1] - style.margin - (at % ON_A_PAGE + 1) * height
        box = PageBox(style.margin, base, style.width, height).inset(12)
        _card(Pen(canvas, style), box, event, card, texts)
    canvas.save()
    return buffer.getvalue()


def _card(pen: Pen, box: PageBox, event: str, card: StationCard, texts: tuple[str, str]) -> None:
    how, password = texts
    pen.text(f"{card.login} · {card.role}", box, box.top - 24, 20, bold=True)
    pen.text(event, box, box.top - 40, 10, quiet=True)
    pen.text(how, box, box.top - 66, 10)
    pen.text(card.address, box, box.top - 90, 18, bold=True, shrink=True)
    pen.text(password, box, box.top - 114, 10)
    pen.text(card.password or "____-____-____", box, box.top - 138, 18, bold=True)
    pen.rule(box.x, box.y - 12, box.right)
