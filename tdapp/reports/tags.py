"""The structure of a PDF for screen readers: sections, headings, tables by row and cell (ISO 32000-1, 14.7).

The open edition of ReportLab cannot write such a structure or connect text with it. This module adds both.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reportlab.pdfbase.pdfdoc import PDFObject
from reportlab.pdfgen.canvas import Canvas


class _IndirectObject(PDFObject):
    __RefOnly__ = 1


class PdfStructureElement(_IndirectObject):
    """A node of the tree, with the PDF tag Sect, H1, P, L, LI, LBody, Table, TR, TH, TD, Figure, TOC or TOCI."""

    def __init__(
        self, kind: str, parent: PdfStructureElement | _StructureRoot, *, lang: str = "", alt: str = ""
    ) -> None:
        self.kind = kind
        self.parent = parent
        self.kids: list[PdfStructureElement] = []
        self.mark_numbers: list[tuple[int, int]] = []  # page number (from 0) and mark number
        self.full_text = ""  # if the text is shortened on the page
        self._alt = alt  # description of a picture
        self._lang = f"/Lang ({lang}) " if lang else ""
        parent.kids.append(self)

    def add_child(self, kind: str, alt: str = "") -> PdfStructureElement:
        return PdfStructureElement(kind, self, alt=alt)

    def format(self, document: Any) -> bytes:
        pages = document.Pages.pages
        head = f"<</Type /StructElem /S /{self.kind} {self._lang}/P ".encode()
        texts = {b"ActualText": self.full_text, b"Alt": self._alt}
        text_entries = [
            b" /%b <FEFF%b>" % (key, text.encode("utf-16-be").hex().encode())
            for key, text in texts.items()
            if text
        ]
        scope = b" /A <</O /Table /Scope /Column>>" if self.kind == "TH" else b""
        kids = [_encode_pdf_reference(document, kid) for kid in self.kids]
        kids += [
            b"<</Type /MCR /Pg %b /MCID %d>>" % (_encode_pdf_reference(document, pages[page]), mark_number)
            for page, mark_number in self.mark_numbers
        ]
        return (
            head
            + _encode_pdf_reference(document, self.parent)
            + b"".join(text_entries)
            + scope
            + b" /K ["
            + b" ".join(kids)
            + b"]>>"
        )


class _StructureRoot(_IndirectObject):
    def __init__(self) -> None:
        self.kids: list[PdfStructureElement] = []
        self.pages: list[list[PdfStructureElement]] = []

    def format(self, document: Any) -> bytes:
        page_entries = (
            b"%d [%b]" % (number, b" ".join(_encode_pdf_reference(document, element) for element in elements))
            for number, elements in enumerate(self.pages)
        )
        kids = b" ".join(_encode_pdf_reference(document, kid) for kid in self.kids)
        return b"<</Type /StructTreeRoot /K [%b] /ParentTree <</Nums [%b]>>>>" % (kids, b" ".join(page_entries))


class PdfTagger:
    """Tags the content of a canvas for screen readers, page by page."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas: Any = canvas
        self._root = _StructureRoot()
        self._page_elements: list[PdfStructureElement] = []
        self.document = PdfStructureElement("Document", self._root)

    def start_section_structure(self, language: str) -> SectionStructure:
        return SectionStructure(self, PdfStructureElement("Sect", self.document, lang=language))

    @contextmanager
    def mark_element(self, element: PdfStructureElement) -> Iterator[None]:
        element.mark_numbers.append((len(self._root.pages), len(self._page_elements)))
        self._write_pdf_code(f"/{element.kind} <</MCID {len(self._page_elements)}>> BDC")
        self._page_elements.append(element)
        yield
        self._write_pdf_code("EMC")

    @contextmanager
    def mark_artifact(self) -> Iterator[None]:
        self._write_pdf_code("/Artifact BMC")
        yield
        self._write_pdf_code("EMC")

    def _write_pdf_code(self, code: str) -> None:
        self._canvas._code.append(code)  # noqa: SLF001 - no public access

    @property
    def _pdf_file(self) -> Any:
        return self._canvas._doc  # noqa: SLF001 - no public access

    def end_page(self) -> None:
        self._canvas.showPage()
        self.finish_page_tags()

    def finish_page_tags(self) -> None:
        page = self._pdf_file.Pages.pages[-1]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents, page.Tabs = len(self._root.pages), "/S"
        self._root.pages.append(self._page_elements)
        self._page_elements = []

    def save_tagged_pdf(self) -> None:
        self.add_structure_to_pdf()
        self._canvas.save()

    def add_structure_to_pdf(self) -> None:
        catalog = self._pdf_file.Catalog
        catalog.StructTreeRoot = self._root
        catalog.MarkInfo = "<</Marked true>>"


class SectionStructure:
    """The structure of a section, which can continue on the next page."""

    def __init__(self, tags: PdfTagger, section: PdfStructureElement) -> None:
        self.tags = tags
        self.section = section
        self._table: PdfStructureElement | None = None
        self._rows: dict[int, PdfStructureElement] = {}

    def add_table_and_heading_row(self) -> PdfStructureElement | None:
        if self._table is not None:
            return None
        self._table = self.section.add_child("Table")
        return self._table.add_child("TR")

    def get_or_add_row(self, number: int) -> PdfStructureElement:
        if number not in self._rows and self._table is not None:
            self._rows[number] = self._table.add_child("TR")
        return self._rows[number]


def _encode_pdf_reference(document: Any, target: Any) -> bytes:
    return bytes(document.Reference(target).format(document))
