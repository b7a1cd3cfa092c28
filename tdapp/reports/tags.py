"""The structure of a PDF for those who hear it: sections, headings, tables by row and cell (ISO 32000-1, 14.7).

Hides how it is written: ReportLab's open edition knows the names StructTreeRoot and MarkInfo and nothing more, so
the marks in the pages and the tree are made here, of its own kinds of objects. What has no mark is decoration.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reportlab.pdfbase.pdfdoc import PDFObject
from reportlab.pdfgen.canvas import Canvas


class _Indirect(PDFObject):
    """An object of its own in the file; others refer to it."""

    __RefOnly__ = 1


class Element(_Indirect):
    """A part of the document: Sect, H1, P, L, LI, LBody, Table, TR, TH, TD, Figure, TOC, TOCI.

    `whole` is its text where it is drawn shortened, `alt` what a picture shows.
    """

    def __init__(self, kind: str, parent: Element | _Root, *, lang: str = "", alt: str = "") -> None:
        self.kind = kind
        self.parent = parent
        self.kids: list[Element] = []
        self.marks: list[tuple[int, int]] = []  # the number of a page, from 0, and that of the mark on it
        self.whole = ""
        self._alt = alt
        self._lang = f"/Lang ({lang}) " if lang else ""
        parent.kids.append(self)

    def part(self, kind: str, alt: str = "") -> Element:
        """Return a new part of this one, its last."""
        return Element(kind, self, alt=alt)

    def format(self, document: Any) -> bytes:
        """Return the element as it is written."""
        pages = document.Pages.pages
        head = f"<</Type /StructElem /S /{self.kind} {self._lang}/P ".encode()
        texts = {b"ActualText": self.whole, b"Alt": self._alt}
        told = [
            b" /%b <FEFF%b>" % (key, said.encode("utf-16-be").hex().encode())
            for key, said in texts.items()
            if said
        ]
        scope = b" /A <</O /Table /Scope /Column>>" if self.kind == "TH" else b""
        kids = [_reference(document, kid) for kid in self.kids]
        kids += [
            b"<</Type /MCR /Pg %b /MCID %d>>" % (_reference(document, pages[page]), mark)
            for page, mark in self.marks
        ]
        return (
            head + _reference(document, self.parent) + b"".join(told) + scope + b" /K [" + b" ".join(kids) + b"]>>"
        )


class _Root(_Indirect):
    """The root of the tree, which also knows the element of each mark of each page."""

    def __init__(self) -> None:
        self.kids: list[Element] = []
        self.pages: list[list[Element]] = []

    def format(self, document: Any) -> bytes:
        """Return the root as it is written."""
        of_pages = (
            b"%d [%b]" % (number, b" ".join(_reference(document, one) for one in marked))
            for number, marked in enumerate(self.pages)
        )
        kids = b" ".join(_reference(document, kid) for kid in self.kids)
        return b"<</Type /StructTreeRoot /K [%b] /ParentTree <</Nums [%b]>>>>" % (kids, b" ".join(of_pages))


class Tags:
    """Marks what is drawn on a canvas, page after page."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas: Any = canvas
        self._root = _Root()
        self._marked: list[Element] = []
        self.document = Element("Document", self._root)

    def outline(self, language: str) -> Outline:
        """Begin a section of the document."""
        return Outline(self, Element("Sect", self.document, lang=language))

    @contextmanager
    def of(self, element: Element) -> Iterator[None]:
        """Mark what is drawn as the element's."""
        element.marks.append((len(self._root.pages), len(self._marked)))
        self._write(f"/{element.kind} <</MCID {len(self._marked)}>> BDC")
        self._marked.append(element)
        yield
        self._write("EMC")

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Mark what is drawn as no part of the text: the foot of a page, a heading that is repeated."""
        self._write("/Artifact BMC")
        yield
        self._write("EMC")

    def _write(self, code: str) -> None:
        self._canvas._code.append(code)  # noqa: SLF001 - there is no other way to it

    @property
    def _file(self) -> Any:
        return self._canvas._doc  # noqa: SLF001 - nor to this

    def end_page(self) -> None:
        """Show the page, and go on to the next."""
        self._canvas.showPage()
        self.next_page()

    def next_page(self) -> None:
        """Note the marks of the page that was shown."""
        page = self._file.Pages.pages[-1]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents, page.Tabs = len(self._root.pages), "/S"
        self._root.pages.append(self._marked)
        self._marked = []

    def save(self) -> None:
        """Write the tree, and the file."""
        self.write()
        self._canvas.save()

    def write(self) -> None:
        """Give the tree to the file, which is to be saved."""
        catalog = self._file.Catalog
        catalog.StructTreeRoot = self._root
        catalog.MarkInfo = "<</Marked true>>"


class Outline:
    """What of a section's structure goes on from page to page: its heading, its table and the rows of that."""

    def __init__(self, tags: Tags, section: Element) -> None:
        self.tags = tags
        self.section = section
        self._table: Element | None = None
        self._rows: dict[int, Element] = {}

    def headings(self) -> Element | None:
        """Return the row of a table that begins; None where it has one already."""
        if self._table is not None:
            return None
        self._table = self.section.part("Table")
        return self._table.part("TR")

    def row(self, number: int) -> Element:
        """Return a row of the table, from 0."""
        if number not in self._rows and self._table is not None:
            self._rows[number] = self._table.part("TR")
        return self._rows[number]


def _reference(document: Any, found: Any) -> bytes:
    return bytes(document.Reference(found).format(document))
