"""Flowables of ReportLab with tags for accessibility.

ReportLab draws a story more than once, each time on a new canvas. It can split a paragraph between pages.
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

from tdapp.reports.tags import PdfStructureElement, PdfTagger


class Part(Struct, frozen=True, eq=False):
    """A structure element of the PDF, such as "P" or "Table". `alt` describes a picture."""

    kind: str
    parent: Part | None = None
    alt: str = ""

    def make_part(self, kind: str, alt: str = "") -> Part:
        """Return a new child of this part."""
        return Part(kind, self, alt)


class TaggedCanvas(Canvas):
    """A canvas that tags its contents in drawing order."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.tags = PdfTagger(self)
        self._elements: dict[Part, PdfStructureElement] = {}

    def mark_part(self, part: Part) -> AbstractContextManager[None]:
        """Mark the drawing as content of a part. A repeated table heading becomes an artifact."""
        element = self._get_or_make_element(part)
        return (
            self.tags.mark_artifact()
            if part.kind == "TH" and element.mark_numbers
            else self.tags.mark_element(element)
        )

    def _get_or_make_element(self, part: Part) -> PdfStructureElement:
        if part not in self._elements:
            parent = self.tags.document if part.parent is None else self._get_or_make_element(part.parent)
            self._elements[part] = parent.add_child(part.kind, part.alt)
        return self._elements[part]

    def showPage(self) -> None:  # noqa: N802 - ReportLab calls it
        """End the page and its tags."""
        super().showPage()
        self.tags.finish_page_tags()

    def save(self) -> None:
        """Write the tag structure and the file."""
        self.tags.add_structure_to_pdf()
        super().save()


class TaggedParagraph(Paragraph):
    """A paragraph with a tag. Pieces on two pages share one tag."""

    canv: Any  # a TaggedCanvas during drawing

    def __init__(self, text: Any, style: ParagraphStyle, part: Part | None = None, **options: Any) -> None:
        super().__init__(text, style, **options)
        self.part = part

    def split(self, width: float, height: float) -> list[Any]:
        """Split the paragraph so that the first piece fits."""
        pieces: list[Any] = super().split(width, height)
        for piece in pieces:
            piece.part = self.part
        return pieces

    def draw(self) -> None:
        """Draw the text with its tag."""
        with self.canv.mark_part(self.part):
            super().draw()


class Figure(Image):
    """A picture in a thin frame."""

    canv: Any

    def __init__(self, file: BytesIO, width: float, height: float, part: Part) -> None:
        super().__init__(file, width, height, hAlign="LEFT")
        self.part = part
        self.spaceBefore, self.spaceAfter = 8, 10

    def draw(self) -> None:
        """Draw the picture with its tag, and its frame as an artifact."""
        with self.canv.mark_part(self.part):
            super().draw()
        with self.canv.tags.mark_artifact():
            self.canv.setLineWidth(0.4)
            self.canv.setStrokeGray(0.35)
            self.canv.rect(0, 0, self.drawWidth, self.drawHeight)


class Contents(TableOfContents):
    """A table of contents. Each entry and its page number share one tag. One style for each level."""

    _lastEntries: list[tuple[int, str, int, str]]  # noqa: N815 - an attribute of ReportLab

    def __init__(self, styles: list[Any], part: Part) -> None:
        super().__init__(levelStyles=styles)
        self.part = part

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Lay out the entries of the previous run. Return width and height."""
        rows = [self._make_row(*entry) for entry in self._lastEntries or [(0, "", 0, "")]]
        self._table = Table(rows, colWidths=(width - 28, 28), style=TABLE_STYLE)
        self.width, self.height = self._table.wrapOn(self.canv, width, height)
        return self.width, self.height

    def _make_row(self, level: int, text: str, page: int, key: str) -> list[TaggedParagraph]:
        style, part = self.levelStyles[level], self.part.make_part("TOCI")
        page_style = ParagraphStyle("page", style, alignment=TA_RIGHT, leftIndent=0)
        linked_text = f'<a href="#{key}">{text}</a>' if key else text
        return [TaggedParagraph(linked_text, style, part), TaggedParagraph(str(page), page_style, part)]


TABLE_STYLE = TableStyle(
    [
        (f"{side}PADDING", (0, 0), (-1, -1), padding)
        for side, padding in (("LEFT", 0), ("RIGHT", 0), ("TOP", 2.6), ("BOTTOM", 2.6))
    ]
)
