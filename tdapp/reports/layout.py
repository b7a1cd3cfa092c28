"""The layout `list`: rows under a heading, repeated on each page, in the largest type that fits."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.tables.table import ColumnKind
from tdapp.i18n.lists import ListColumn
from tdapp.reports.measuring import (
    GAP,
    LEGEND_LEADING,
    ListPlan,
    find_fitting_size,
    fit_lines,
    fit_text,
    get_fraction_part,
    get_head_height,
    get_heading_size,
    measure_widest_fraction,
    plan_list,
    wrap_legend,
)
from tdapp.reports.sections import Section
from tdapp.reports.shaping import Typeface
from tdapp.reports.style import PrintStyle, TypeScale

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

    from tdapp.reports.tags import PdfTags, SectionOutline

_LEFT = frozenset(
    {ColumnKind.TEXT, ColumnKind.WHY, ColumnKind.NAME, ColumnKind.CODE, ColumnKind.TIME, ColumnKind.STEP}
)
_LOGO = 2.6  # maximum width of the logo, as a multiple of its height


PagePaint = Callable[["Canvas", PrintStyle, float, float], None]


class TaggedPagePart(Struct, frozen=True):
    """A part of a page, with the functions that draw it."""

    lines: PagePaint  # decoration
    title: PagePaint
    items: tuple[PagePaint, ...]


class TaggedPage(Struct, frozen=True):
    """A page that paints itself, tagged as lists for screen readers."""

    parts: tuple[TaggedPagePart, ...]

    def __call__(self, canvas: Canvas, style: PrintStyle, top: float, bottom: float) -> None:
        for part in self.parts:
            for paint in (part.lines, part.title, *part.items):
                paint(canvas, style, top, bottom)

    def paint_with_tags(self, paint: Callable[[PagePaint], None], outline: SectionOutline) -> None:
        for part in self.parts:
            with outline.tags.mark_artifact():
                paint(part.lines)
            with outline.tags.mark_element(outline.section.add_child("P")):
                paint(part.title)
            found = outline.section.add_child("L")
            for item in part.items:
                with outline.tags.mark_element(found.add_child("LI").add_child("LBody")):
                    paint(item)


class PaintedPages(Struct, frozen=True):
    """Pages that paint themselves between `top` and `bottom`, below the head and above the foot."""

    title: str
    mark: str
    lead: str
    pages: tuple[PagePaint, ...]
    bare: bool = False  # without head and foot, to be cut or hung up
    with_checksum: bool = False  # bare, but with the checksum of the journal
    legend: str = ""
    note: str = ""
    empty: str = ""


class ReportDocument(Struct, frozen=True):
    """A report with all its content and texts, ready to draw."""

    title: str
    author: str
    language: str
    sections: tuple[Section | PaintedPages, ...]
    foot: str
    page_number_text: str  # with {page} and {pages}
    scale: TypeScale
    columns: int = 1  # most columns of rows side by side
    head: str = ""  # checksum of the journal
    pdf_date: datetime | None = None  # date in the PDF, unless SOURCE_DATE_EPOCH is set
    printed_at_text: str = ""


Progress = Callable[[int, int], None]  # receives pages done and total; an exception stops the work


def draw_documents(
    documents: Sequence[tuple[ReportDocument, PrintStyle]], *, progress: Progress | None = None
) -> tuple[bytes, list[list[int]]]:
    """Return one PDF, and the number of pages of each section of each document.

    The same documents give the same bytes. The first document's title and language are used.
    """
    from tdapp.reports.canvas import PaperCanvas  # noqa: PLC0415 - loaded when something is drawn
    from tdapp.reports.tags import PdfTags  # noqa: PLC0415 - loaded when something is drawn

    first, style = documents[0]
    buffer = io.BytesIO()
    canvas = PaperCanvas(
        buffer,
        pagesize=style.page,
        invariant=1,
        initialFontName=style.regular.name,  # type: ignore[arg-type] # a name, whatever the stubs say
        lang=first.language,
        pageCompression=1,
    )
    _write_metadata(canvas, first)
    if len(documents) > 1 or len(first.sections) > 1:
        canvas.showOutline()
    sets = [_DocumentPainter(document, own) for document, own in documents]
    done, total = 0, sum(sum(one.pages) for one in sets)
    tags = PdfTags(canvas)
    for number, one in enumerate(sets):
        for _page in one.draw_document(canvas, tags, f"{number}-"):
            done += 1
            if progress is not None:
                progress(done, total)
    tags.save()
    return buffer.getvalue(), [one.pages for one in sets]


def _write_metadata(canvas: Canvas, first: ReportDocument) -> None:
    if first.pdf_date is not None and "SOURCE_DATE_EPOCH" not in os.environ:
        made = first.pdf_date.astimezone(UTC).strftime("D:%Y%m%d%H%M%S+00'00'")
        canvas.setDateFormatter(lambda *_: made)
    canvas.setTitle(first.title)
    canvas.setAuthor(first.author)
    canvas.setCreator("tdapp")
    canvas.setSubject(first.title)
    canvas.setViewerPreference("DisplayDocTitle", "true")


class _DocumentPainter:
    def __init__(self, document: ReportDocument, style: PrintStyle) -> None:
        self._document = document
        self._style = style
        self._sections = [
            (
                section,
                None
                if isinstance(section, PaintedPages)
                else plan_list(section, style, columns=document.columns, scale=document.scale),
            )
            for section in document.sections
        ]
        self.pages = [_count_pages(*one) for one in self._sections]

    def draw_document(self, canvas: Canvas, tags: PdfTags, mark: str) -> Iterator[int]:
        page = 0
        for number, (section, plan) in enumerate(self._sections):
            outline = tags.start_outline(self._document.language)
            for part in range(self.pages[number]):
                page += 1
                canvas.setPageSize(self._style.page)
                if part == 0:
                    canvas.bookmarkPage(f"section-{mark}{number}")
                    title = " · ".join(filter(None, (section.title, section.mark)))
                    canvas.addOutlineEntry(title, f"section-{mark}{number}")
                self._draw_page(canvas, outline, section, plan, part, page)
                tags.end_page()
                yield page

    def _draw_page(
        self,
        canvas: Canvas,
        outline: SectionOutline,
        section: Section | PaintedPages,
        plan: ListPlan | None,
        part_index: int,
        page: int,
    ) -> None:
        style, document = self._style, self._document
        frame = _PageFrame(canvas, style, outline)
        if not (isinstance(section, PaintedPages) and section.bare):
            number = document.page_number_text.format(page=page, pages=sum(self.pages))
            frame.draw_head_and_foot(section, left=document.foot, right=f"{document.printed_at_text} · {number}")
            frame.draw_checksum(document.head, style.margin - style.note * 1.2)
        elif section.with_checksum:
            frame.draw_checksum(document.head, style.margin + style.note * 2)
        if isinstance(section, PaintedPages):
            self._draw_painted_page(canvas, outline, section.pages[part_index], frame.top)
        elif plan is not None:
            _SectionPage(canvas, style, outline, plan).draw_rows(section, part_index)

    def _draw_painted_page(self, canvas: Canvas, outline: SectionOutline, page: PagePaint, top: float) -> None:
        style = self._style

        def paint_part(one: PagePaint) -> None:
            one(canvas, style, top, style.margin + style.note * 2.4)

        if isinstance(page, TaggedPage):
            page.paint_with_tags(paint_part, outline)
            return
        with outline.tags.mark_element(outline.section.add_child("P")):
            paint_part(page)


def _count_pages(section: Section | PaintedPages, plan: ListPlan | None) -> int:
    return len(section.pages) if isinstance(section, PaintedPages) else plan.pages if plan else 0


# --- drawing


class _PageFrame:
    def __init__(self, canvas: Canvas, style: PrintStyle, outline: SectionOutline) -> None:
        self._canvas = canvas
        self._style = style
        self.outline = outline

    def draw_head_and_foot(self, section: Section | PaintedPages, *, left: str, right: str) -> None:
        tags, section_begun = self.outline.tags, self.outline.section.kids
        with tags.mark_artifact() if section_begun else tags.mark_element(self.outline.section.add_child("H1")):
            self._draw_head(section)
        if section.legend:
            with tags.mark_element(self.outline.section.add_child("P")):
                self._draw_legend(section)
        self.draw_foot(left, right)

    def _draw_legend(self, section: Section | PaintedPages) -> None:
        style, legend = self._style, section.legend
        lines = wrap_legend(legend, style) if isinstance(section, Section) else [legend]
        if style.regular.measure_width(legend, style.note) <= style.width:
            lines = [legend]
        for number, line in enumerate(reversed(lines)):
            text, face = fit_text(line, style, style.note, style.width, bold=False)
            base = style.margin + style.note * (1.4 + number * LEGEND_LEADING)
            self.draw_text(text, style.margin, base, style.note, face if len(lines) == 1 else style.condensed)

    def draw_foot(self, left: str, right: str) -> None:
        style = self._style
        room = style.width - style.regular.measure_width(right, style.note) - style.gutter
        text, face = fit_text(left, style, style.note, room, bold=False)
        with self.outline.tags.mark_artifact():
            self._canvas.setFillGray(style.secondary_grey)
            self.draw_text(right, style.margin + style.width, style.margin, style.note, style.regular, right=True)
            self.draw_text(text, style.margin, style.margin, style.note, face)
            self._canvas.setFillGray(0)

    def draw_checksum(self, head: str, base: float) -> None:
        style = self._style
        size = style.note * 0.85
        text, face = fit_text(head, style, size, style.width - style.note * 4, bold=False)
        with self.outline.tags.mark_artifact():
            self._canvas.setFillGray(style.secondary_grey)
            self.draw_text(text, (style.page[0] - face.measure_width(text, size)) / 2, base, size, face)
            self._canvas.setFillGray(0)

    def draw_text(
        self, text: str, x: float, y: float, size: float, face: Typeface, *, right: bool = False
    ) -> None:
        self._canvas.setFont(face.name, size)
        if right:
            self._canvas.drawRightString(x, y, text)
        else:
            self._canvas.drawString(x, y, text)

    @property
    def top(self) -> float:
        return self._style.page[1] - self._style.margin - get_head_height(self._style)

    def _draw_head(self, section: Section | PaintedPages) -> None:
        style = self._style
        base = style.page[1] - style.margin - style.title * 0.85
        edge = style.margin + style.width
        left = style.margin + self._draw_logo()
        mark = fit_text(section.mark, style, style.title, (edge - left) * 0.6, bold=True)
        self.draw_text(mark[0], edge, base, style.title, mark[1], right=True)
        room = edge - left - mark[1].measure_width(mark[0], style.title) - style.title
        size = find_fitting_size(section.title, style, style.title, room, bold=True)
        title = fit_text(section.title, style, size, room, bold=True)
        self.draw_text(title[0], left, base, size, title[1])
        lead, room = " · ".join(filter(None, (section.lead, section.note))), edge - left
        draw_text, face = fit_text(lead, style, style.lead, room, bold=False)
        if draw_text != lead and section.note:  # shorten the name of the event: the foot has it too
            after = f" · {section.note}"
            spared = room - style.condensed.measure_width(after, style.lead)
            lead, _ = fit_text(section.lead, style, style.lead, spared, bold=False)
            draw_text, face = fit_text(lead + after, style, style.lead, room, bold=False)
        self.draw_text(draw_text, left, base - style.lead * 1.6, style.lead, face)

    def _draw_logo(self) -> float:
        style, picture = self._style, self._style.logo
        if picture is None:
            return 0.0
        across, down = picture.getSize()
        height = style.title * 1.1 + style.lead
        width = min(height * across / down, height * _LOGO)
        height = width * down / across
        middle = style.page[1] - style.margin - (style.title * 1.1 + style.lead) / 2
        canvas, left = self._canvas, style.margin
        canvas.drawImage(picture, left, middle - height / 2, width, height, mask="auto")
        return width + style.gutter / 2


class _SectionPage(_PageFrame):
    def __init__(self, canvas: Canvas, style: PrintStyle, outline: SectionOutline, plan: ListPlan) -> None:
        super().__init__(canvas, style, outline)
        self._plan, self._tags = plan, outline.tags

    def draw_rows(self, section: Section, part: int) -> None:
        style, plan = self._style, self._plan
        width = (style.width - style.gutter * (plan.columns - 1)) / plan.columns
        found = [range(*edges) for edges in pairwise((*plan.column_starts, section.row_count))]
        for column, rows in enumerate(found[part * plan.columns : (part + 1) * plan.columns]):
            self._draw_column(section, rows, x=style.margin + column * (width + style.gutter), width=width)
        if not section.row_count:
            size = style.lead
            with self._tags.mark_element(self.outline.section.add_child("P")):
                self.draw_text(section.empty, style.margin, self.top - 2 * size, size, style.regular)

    def _draw_column(self, section: Section, rows: range, *, x: float, width: float) -> None:
        plan, style, canvas = self._plan, self._style, self._canvas
        small = get_heading_size(plan.size)
        rule = self.top - small * 1.7
        headings = self.outline.add_heading_row()
        for field, edge, own in self._place_columns(x):
            right = field.kind not in _LEFT
            text, face = fit_text(field.heading, style, small, own, bold=True)
            with self._tags.mark_element(headings.add_child("TH")) if headings else self._tags.mark_artifact():
                self.draw_text(text, edge + own if right else edge, rule + small * 0.5, small, face, right=right)
        canvas.setLineWidth(0.9)
        canvas.line(x, rule, x + width, rule)
        height = plan.size * style.leading
        top = rule - small * 0.2
        canvas.setFillGray(style.band_grey)
        for number in list_shaded_rows(section, rows):
            canvas.rect(x, top - (number + 1) * height, width, height, stroke=0, fill=1)
        canvas.setFillGray(0)
        for at, (field, edge, own) in enumerate(self._place_columns(x)):
            shown = _repeat_first_cell(field, rows) if section.joined and not at else field
            self._draw_cells(shown, rows, edge=edge, width=own, top=top)

    def _place_columns(self, x: float) -> Iterator[tuple[ListColumn, float, float]]:
        gap = GAP * self._plan.size
        x += gap / 2
        for field, width in zip(self._plan.fields, self._plan.widths, strict=True):
            yield field, x, width
            x += width + gap

    def _draw_cells(self, field: ListColumn, rows: range, *, edge: float, width: float, top: float) -> None:
        plan, style = self._plan, self._style
        height = plan.size * style.leading
        drop = (height + plan.size * 0.71) / 2  # centre capitals in their row
        right = field.kind not in _LEFT
        face = style.get_face(bold=field.bold)
        hang = measure_widest_fraction(field, face, plan.size) if field.kind is ColumnKind.POINTS else 0.0
        for number, row in enumerate(rows):
            cell = field.cells[row]
            element = self.outline.make_row(row).add_child("TD")
            if not cell:
                continue
            y = top - number * height - drop
            with self._tags.mark_element(element):
                if field.kind is ColumnKind.MARK:
                    self._draw_tick(edge + width, y)
                elif right:
                    beyond = hang - face.measure_width(get_fraction_part(cell), plan.size) if hang else 0.0
                    self.draw_text(cell, edge + width - beyond, y, plan.size, face, right=True)
                else:
                    lines = fit_lines(cell, style, plan.size, width, bold=field.bold)
                    element.whole = cell if lines[0].text != cell else ""
                    for line in lines:
                        self.draw_text(line.text, edge, y + line.rise, line.size, line.face)

    def _draw_tick(self, right: float, y: float) -> None:
        size, canvas = self._plan.size, self._canvas
        canvas.setLineWidth(size * 0.11)
        low, turn = right - size * 0.42, y + size * 0.04
        canvas.lines([(low - size * 0.24, y + size * 0.28, low, turn), (low, turn, right, y + size * 0.66)])


def list_shaded_rows(section: Section, rows: range) -> Iterator[int]:
    """Yield the rows (from 0) with a grey background: every second one, with the rows joined to it."""
    entry = 0
    for number, row in enumerate(rows):
        if number and (section.fields[0].cells[row] or not section.joined):
            entry += 1
        if entry % 2:
            yield number


def _repeat_first_cell(field: ListColumn, rows: range) -> ListColumn:
    """Return the column. If its cell in the first of `rows` is empty, fill it with the nearest text above it."""
    above = next((cell for cell in reversed(field.cells[: rows[0] + 1]) if cell), "")
    return replace(field, cells=(*field.cells[: rows[0]], above, *field.cells[rows[0] + 1 :]))
