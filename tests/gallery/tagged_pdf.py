"""Flowables of ReportLab with tags for accessibility.

A story is drawn more than once, each time on a new canvas, and a paragraph may be split over pages.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from io import BytesIO
from typing import Any

from msgspec import Struct
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Image, Paragraph, Table, TableStyle
from reportlab.platypus.tableofcontents import TableOfContents

from tdapp.reports.tags import PdfElement, PdfTags


class Part(Struct, frozen=True, eq=False):
    """A part of the structure, of a kind that `PdfElement` knows; `alt` is what a picture shows."""

    kind: str
    within: Part | None = None
    alt: str = ""

    def part(self, kind: str, alt: str = "") -> Part:
        """Return a part of this one."""
        return Part(kind, self, alt)


class TaggedCanvas(Canvas):
    """A canvas that tags its contents in drawing order."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.tags = PdfTags(self)
        self._elements: dict[Part, PdfElement] = {}

    def mark(self, part: Part) -> AbstractContextManager[None]:
        """Mark the drawing as belonging to a part; the head of a table is marked once."""
        element = self._element(part)
        return (
            self.tags.mark_artifact()
            if part.kind == "TH" and element.mark_numbers
            else self.tags.mark_element(element)
        )

    def _element(self, part: Part) -> PdfElement:
        if part not in self._elements:
            parent = self.tags.document if part.within is None else self._element(part.within)
            self._elements[part] = parent.add_child(part.kind, part.alt)
        return self._elements[part]

    def showPage(self) -> None:  # noqa: N802 - ReportLab calls it
        """Show the page, and go on to the next."""
        super().showPage()
        self.tags.next_page()

    def save(self) -> None:
        """Write the file with its structure."""
        self.tags.write_structure()
        super().save()


class TaggedParagraph(Paragraph):
    """A paragraph as a part of the structure; pieces on two pages are the same part."""

    canv: Any  # a TaggedCanvas, while it is drawn

    def __init__(self, text: Any, style: ParagraphStyle, part: Part | None = None, **more: Any) -> None:
        super().__init__(text, style, **more)
        self.part = part

    def split(self, width: float, height: float) -> list[Any]:
        """Return the pieces of which the first fits."""
        pieces: list[Any] = super().split(width, height)
        for piece in pieces:
            piece.part = self.part
        return pieces

    def draw(self) -> None:
        """Draw the text, marked."""
        with self.canv.mark(self.part):
            super().draw()


class Figure(Image):
    """A picture in a thin frame."""

    canv: Any

    def __init__(self, file: BytesIO, width: float, height: float, part: Part) -> None:
        super().__init__(file, width, height, hAlign="LEFT")
        self.part = part
        self.spaceBefore, self.spaceAfter = 8, 10

    def draw(self) -> None:
        """Draw the picture, marked, and its frame."""
        with self.canv.mark(self.part):
            super().draw()
        with self.canv.tags.mark_artifact():
            self.canv.setLineWidth(0.4)
            self.canv.setStrokeGray(0.35)
            self.canv.rect(0, 0, self.drawWidth, self.drawHeight)


class Contents(TableOfContents):
    """The contents: each entry and its page, in one part; `styles` are those of its levels."""

    _lastEntries: list[tuple[int, str, int, str]]  # noqa: N815 - ReportLab notes them

    def __init__(self, styles: list[Any], part: Part) -> None:
        super().__init__(levelStyles=styles)
        self.part = part

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Set the entries that the last run has noted; return how large they are."""
        rows = [self._row(*entry) for entry in self._lastEntries or [(0, "", 0, "")]]
        self._table = Table(rows, colWidths=(width - 28, 28), style=_TIGHT)
        self.width, self.height = self._table.wrapOn(self.canv, width, height)
        return self.width, self.height

    def _row(self, level: int, text: str, page: int, key: str) -> list[TaggedParagraph]:
        style, part = self.levelStyles[level], self.part.part("TOCI")
        right = ParagraphStyle("page", style, alignment=TA_RIGHT, leftIndent=0)
        linked = f'<a href="#{key}">{text}</a>' if key else text
        return [TaggedParagraph(linked, style, part), TaggedParagraph(str(page), right, part)]


_TIGHT = TableStyle(
    [
        (f"{side}PADDING", (0, 0), (-1, -1), wide)
        for side, wide in (("LEFT", 0), ("RIGHT", 0), ("TOP", 2.6), ("BOTTOM", 2.6))
    ]
)
