"""The layout `list`: rows in the largest type that fits. Each page repeats the heading."""

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
from tdapp.i18n.lists import TextColumn
from tdapp.reports.measuring import (
    GAP,
    LEGEND_LEADING,
    ListLayout,
    choose_list_layout,
    compute_heading_font_size,
    condense_or_shorten_text,
    find_fitting_size,
    fit_text_in_one_or_two_lines,
    get_fraction_part,
    get_header_height,
    is_start_of_list_item,
    measure_widest_fraction,
    wrap_legend,
)
from tdapp.reports.sections import Section
from tdapp.reports.shaping import Typeface
from tdapp.reports.style import FontSizes, PrintStyle

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

    from tdapp.reports.tags import PdfTagger, SectionStructure

_LEFT_ALIGNED_KINDS = frozenset(
    {ColumnKind.TEXT, ColumnKind.WHY, ColumnKind.NAME, ColumnKind.CODE, ColumnKind.TIME, ColumnKind.STEP}
)
_SUBTITLE_LEADING = 1.1  # the second line fits above the list
_MAX_LOGO_RATIO = 2.6  # width to height


PagePaint = Callable[["Canvas", PrintStyle, float, float], None]


class TaggedPagePart(Struct, frozen=True):
    """A titled list on a page, stored as drawing functions. `TaggedPage` adds tags for screen readers."""

    lines: PagePaint  # lines for decoration
    title: PagePaint
    items: tuple[PagePaint, ...]


class TaggedPage(Struct, frozen=True):
    """A page of titled lists, which paints itself with tags for screen readers."""

    parts: tuple[TaggedPagePart, ...]

    def __call__(self, canvas: Canvas, style: PrintStyle, top: float, bottom: float) -> None:
        for part in self.parts:
            for paint in (part.lines, part.title, *part.items):
                paint(canvas, style, top, bottom)

    def paint_with_tags(self, paint: Callable[[PagePaint], None], outline: SectionStructure) -> None:
        for part in self.parts:
            with outline.tags.mark_artifact():
                paint(part.lines)
            with outline.tags.mark_element(outline.section.add_child("P")):
                paint(part.title)
            item_list = outline.section.add_child("L")
            for item in part.items:
                with outline.tags.mark_element(item_list.add_child("LI").add_child("LBody")):
                    paint(item)


class CustomPaintedSection(Struct, frozen=True):
    """Pages that paint themselves between `top` and `bottom`, below the header and above the footer."""

    title: str
    division_title: str
    subtitle: str
    pages: tuple[PagePaint, ...]
    is_bare: bool = False  # without header and footer, to cut or to hang up
    with_checksum: bool = False  # on bare pages
    legend: str = ""
    note: str = ""
    empty: str = ""


class ReportDocument(Struct, frozen=True):
    """A report with all its content and texts, ready to draw."""

    title: str
    author: str
    language: str
    sections: tuple[Section | CustomPaintedSection, ...]
    footer: str
    page_number_text: str  # with {page} and {pages}
    scale: FontSizes
    columns: int = 1  # maximum columns of rows side by side
    checksum_text: str = ""  # checksum of the history
    pdf_date: datetime | None = None  # date in the PDF, unless SOURCE_DATE_EPOCH is set
    printed_at_text: str = ""


Progress = Callable[[int, int], None]  # gets finished and total pages; an exception stops the work


def draw_pdf_and_count_section_pages(
    documents: Sequence[tuple[ReportDocument, PrintStyle]], *, progress: Progress | None = None
) -> tuple[bytes, list[list[int]]]:
    """Return one PDF, and the number of pages of each section of each document.

    The same documents give the same bytes. The PDF has the first document's title and language.
    """
    from tdapp.reports.canvas import GlyphFallbackCanvas  # noqa: PLC0415 - loaded when something is drawn
    from tdapp.reports.tags import PdfTagger  # noqa: PLC0415 - loaded when something is drawn

    first, style = documents[0]
    buffer = io.BytesIO()
    canvas = GlyphFallbackCanvas(
        buffer,
        pagesize=style.page,
        invariant=1,
        initialFontName=style.regular.name,  # type: ignore[arg-type] # the stubs are wrong
        lang=first.language,
        pageCompression=1,
    )
    _write_metadata(canvas, first)
    if len(documents) > 1 or len(first.sections) > 1:
        canvas.showOutline()
    painters = [_DocumentPainter(document, style) for document, style in documents]
    page_count, total_count = 0, sum(sum(painter.pages) for painter in painters)
    tags = PdfTagger(canvas)
    for number, painter in enumerate(painters):
        for _page in painter.draw_pages_one_by_one(canvas, tags, f"{number}-"):
            page_count += 1
            if progress is not None:
                progress(page_count, total_count)
    tags.save_tagged_pdf()
    return buffer.getvalue(), [painter.pages for painter in painters]


def _write_metadata(canvas: Canvas, document: ReportDocument) -> None:
    if document.pdf_date is not None and "SOURCE_DATE_EPOCH" not in os.environ:
        date_text = document.pdf_date.astimezone(UTC).strftime("D:%Y%m%d%H%M%S+00'00'")
        canvas.setDateFormatter(lambda *_: date_text)
    canvas.setTitle(document.title)
    canvas.setAuthor(document.author)
    canvas.setCreator("tdapp")
    canvas.setSubject(document.title)
    canvas.setViewerPreference("DisplayDocTitle", "true")


class _DocumentPainter:
    def __init__(self, document: ReportDocument, style: PrintStyle) -> None:
        self._document = document
        self._style = style
        self._sections = [
            (
                section,
                None
                if isinstance(section, CustomPaintedSection)
                else choose_list_layout(section, style, columns=document.columns, scale=document.scale),
            )
            for section in document.sections
        ]
        self.pages = [_count_pages(*section_with_plan) for section_with_plan in self._sections]

    def draw_pages_one_by_one(self, canvas: Canvas, tags: PdfTagger, bookmark_prefix: str) -> Iterator[int]:
        page = 0
        for number, (section, plan) in enumerate(self._sections):
            outline = tags.start_section_structure(self._document.language)
            for part in range(self.pages[number]):
                page += 1
                canvas.setPageSize(self._style.page)
                if part == 0:
                    canvas.bookmarkPage(f"section-{bookmark_prefix}{number}")
                    title = " · ".join(filter(None, (section.title, section.division_title)))
                    canvas.addOutlineEntry(title, f"section-{bookmark_prefix}{number}")
                self._draw_page(canvas, outline, section, plan, part, page)
                tags.end_page()
                yield page

    def _draw_page(
        self,
        canvas: Canvas,
        outline: SectionStructure,
        section: Section | CustomPaintedSection,
        plan: ListLayout | None,
        page_index: int,
        page: int,
    ) -> None:
        style, document = self._style, self._document
        frame = _PageFrame(canvas, style, outline)
        if not (isinstance(section, CustomPaintedSection) and section.is_bare):
            number = document.page_number_text.format(page=page, pages=sum(self.pages))
            frame.draw_header_and_footer(
                section, left=document.footer, right=f"{document.printed_at_text} · {number}"
            )
            frame.draw_checksum(document.checksum_text, style.margin - style.note_size * 1.2)
        elif section.with_checksum:
            frame.draw_checksum(document.checksum_text, style.margin + style.note_size * 2)
        if isinstance(section, CustomPaintedSection):
            self._paint_custom_page(canvas, outline, section.pages[page_index], frame.top)
        elif plan is not None:
            _SectionPage(canvas, style, outline, plan).draw_rows(section, page_index)

    def _paint_custom_page(self, canvas: Canvas, outline: SectionStructure, page: PagePaint, top: float) -> None:
        style = self._style

        def paint_part(paint: PagePaint) -> None:
            paint(canvas, style, top, style.margin + style.note_size * 2.4)

        if isinstance(page, TaggedPage):
            page.paint_with_tags(paint_part, outline)
            return
        with outline.tags.mark_element(outline.section.add_child("P")):
            paint_part(page)


def _count_pages(section: Section | CustomPaintedSection, plan: ListLayout | None) -> int:
    return len(section.pages) if isinstance(section, CustomPaintedSection) else plan.pages if plan else 0


# --- drawing


class _PageFrame:
    def __init__(self, canvas: Canvas, style: PrintStyle, outline: SectionStructure) -> None:
        self._canvas = canvas
        self._style = style
        self.outline = outline

    def draw_header_and_footer(self, section: Section | CustomPaintedSection, *, left: str, right: str) -> None:
        tags, section_begun = self.outline.tags, self.outline.section.kids
        with tags.mark_artifact() if section_begun else tags.mark_element(self.outline.section.add_child("H1")):
            self._draw_header(section)
        if section.legend:
            with tags.mark_element(self.outline.section.add_child("P")):
                self._draw_legend(section)
        self.draw_footer(left, right)

    def _draw_legend(self, section: Section | CustomPaintedSection) -> None:
        style, legend = self._style, section.legend
        lines = wrap_legend(legend, style) if isinstance(section, Section) else [legend]
        if style.regular.measure_width(legend, style.note_size) <= style.printable_width:
            lines = [legend]
        for number, line in enumerate(reversed(lines)):
            text, typeface = condense_or_shorten_text(
                line, style, style.note_size, style.printable_width, bold=False
            )
            base = style.margin + style.note_size * (1.4 + number * LEGEND_LEADING)
            self.draw_text(
                text, style.margin, base, style.note_size, typeface if len(lines) == 1 else style.condensed
            )

    def draw_footer(self, left: str, right: str) -> None:
        style = self._style
        available_width = (
            style.printable_width - style.regular.measure_width(right, style.note_size) - style.gutter
        )
        text, typeface = condense_or_shorten_text(left, style, style.note_size, available_width, bold=False)
        with self.outline.tags.mark_artifact():
            self._canvas.setFillGray(style.secondary_grey)
            self.draw_text(
                right,
                style.margin + style.printable_width,
                style.margin,
                style.note_size,
                style.regular,
                align_right=True,
            )
            self.draw_text(text, style.margin, style.margin, style.note_size, typeface)
            self._canvas.setFillGray(0)

    def draw_checksum(self, checksum_text: str, base: float) -> None:
        style = self._style
        size = style.note_size * 0.85
        text, typeface = condense_or_shorten_text(
            checksum_text, style, size, style.printable_width - style.note_size * 4, bold=False
        )
        with self.outline.tags.mark_artifact():
            self._canvas.setFillGray(style.secondary_grey)
            self.draw_text(text, (style.page[0] - typeface.measure_width(text, size)) / 2, base, size, typeface)
            self._canvas.setFillGray(0)

    def draw_text(
        self, text: str, x: float, y: float, size: float, typeface: Typeface, *, align_right: bool = False
    ) -> None:
        self._canvas.setFont(typeface.name, size)
        if align_right:
            self._canvas.drawRightString(x, y, text)
        else:
            self._canvas.drawString(x, y, text)

    @property
    def top(self) -> float:
        return self._style.page[1] - self._style.margin - get_header_height(self._style)

    def _draw_header(self, section: Section | CustomPaintedSection) -> None:
        style = self._style
        base = style.page[1] - style.margin - style.title_size * 0.85
        edge = style.margin + style.printable_width
        left = style.margin + self._draw_logo_and_get_width()
        division, typeface = condense_or_shorten_text(
            section.division_title, style, style.title_size, (edge - left) * 0.6, bold=True
        )
        self.draw_text(division, edge, base, style.title_size, typeface, align_right=True)
        available_width = edge - left - typeface.measure_width(division, style.title_size) - style.title_size
        size = find_fitting_size(section.title, style, style.title_size, available_width, bold=True)
        title, typeface = condense_or_shorten_text(section.title, style, size, available_width, bold=True)
        self.draw_text(title, left, base, size, typeface)
        self._draw_subtitle(section, left, base - style.subtitle_size * 1.6, edge - left)

    def _draw_subtitle(
        self, section: Section | CustomPaintedSection, x: float, base: float, available_width: float
    ) -> None:
        """Draw the name of the event and the note, on a line each if one line is too short."""
        style, size = self._style, self._style.subtitle_size
        parts = [*filter(None, (section.subtitle, section.note))]
        lines = [" · ".join(parts)]
        if style.condensed.measure_width(lines[0], size) > available_width:
            lines = parts
        for number, line in enumerate(lines):
            line_size = find_fitting_size(line, style, size, available_width, bold=False)
            text, typeface = condense_or_shorten_text(line, style, line_size, available_width, bold=False)
            self.draw_text(text, x, base - number * size * _SUBTITLE_LEADING, line_size, typeface)

    def _draw_logo_and_get_width(self) -> float:
        style, picture = self._style, self._style.logo
        if picture is None:
            return 0.0
        picture_width, picture_height = picture.getSize()
        height = style.title_size * 1.1 + style.subtitle_size
        width = min(height * picture_width / picture_height, height * _MAX_LOGO_RATIO)
        height = width * picture_height / picture_width
        middle = style.page[1] - style.margin - (style.title_size * 1.1 + style.subtitle_size) / 2
        canvas, left = self._canvas, style.margin
        canvas.drawImage(picture, left, middle - height / 2, width, height, mask="auto")
        return width + style.gutter / 2


class _SectionPage(_PageFrame):
    def __init__(self, canvas: Canvas, style: PrintStyle, outline: SectionStructure, plan: ListLayout) -> None:
        super().__init__(canvas, style, outline)
        self._plan, self._tags = plan, outline.tags

    def draw_rows(self, section: Section, page_index: int) -> None:
        style, plan = self._style, self._plan
        width = (style.printable_width - style.gutter * (plan.columns - 1)) / plan.columns
        row_ranges = [range(*edges) for edges in pairwise((*plan.column_starts, section.row_count))]
        for column, rows in enumerate(row_ranges[page_index * plan.columns : (page_index + 1) * plan.columns]):
            self._draw_column(section, rows, x=style.margin + column * (width + style.gutter), width=width)
        if not section.row_count:
            size = style.subtitle_size
            with self._tags.mark_element(self.outline.section.add_child("P")):
                self.draw_text(section.empty, style.margin, self.top - 2 * size, size, style.regular)

    def _draw_column(self, section: Section, rows: range, *, x: float, width: float) -> None:
        plan, style, canvas = self._plan, self._style, self._canvas
        heading_size = compute_heading_font_size(plan.size)
        rule_y = self.top - heading_size * 1.7
        headings = self.outline.add_table_and_heading_row()
        for field, edge, column_width in self._place_columns(x):
            right = field.kind not in _LEFT_ALIGNED_KINDS
            text, typeface = condense_or_shorten_text(field.heading, style, heading_size, column_width, bold=True)
            with self._tags.mark_element(headings.add_child("TH")) if headings else self._tags.mark_artifact():
                self.draw_text(
                    text,
                    edge + column_width if right else edge,
                    rule_y + heading_size * 0.5,
                    heading_size,
                    typeface,
                    align_right=right,
                )
        canvas.setLineWidth(0.9)
        canvas.line(x, rule_y, x + width, rule_y)
        height = plan.size * style.leading
        top = rule_y - heading_size * 0.2
        canvas.setFillGray(style.band_grey)
        for number in list_shaded_row_indexes(section, rows):
            canvas.rect(x, top - (number + 1) * height, width, height, stroke=0, fill=1)
        canvas.setFillGray(0)
        for position, (field, edge, column_width) in enumerate(self._place_columns(x)):
            column = (
                _fill_empty_first_cell_from_above(field, rows)
                if section.has_continuation_rows and not position
                else field
            )
            self._draw_column_cells(column, rows, edge=edge, width=column_width, top=top)

    def _place_columns(self, x: float) -> Iterator[tuple[TextColumn, float, float]]:
        gap = GAP * self._plan.size
        x += gap / 2
        for field, width in zip(self._plan.fields, self._plan.widths, strict=True):
            yield field, x, width
            x += width + gap

    def _draw_column_cells(self, field: TextColumn, rows: range, *, edge: float, width: float, top: float) -> None:
        plan, style = self._plan, self._style
        height = plan.size * style.leading
        drop = (height + plan.size * 0.71) / 2  # centre capitals in their row
        right = field.kind not in _LEFT_ALIGNED_KINDS
        typeface = style.get_typeface(bold=field.bold)
        fraction_width = (
            measure_widest_fraction(field, typeface, plan.size) if field.kind is ColumnKind.POINTS else 0.0
        )
        for number, row in enumerate(rows):
            cell = field.cells[row]
            element = self.outline.get_or_add_row(row).add_child("TD")
            if not cell:
                continue
            y = top - number * height - drop
            with self._tags.mark_element(element):
                if field.kind is ColumnKind.MARK:
                    self._draw_check_mark(edge + width, y)
                elif right:
                    overhang = (
                        fraction_width - typeface.measure_width(get_fraction_part(cell), plan.size)
                        if fraction_width
                        else 0.0
                    )
                    self.draw_text(cell, edge + width - overhang, y, plan.size, typeface, align_right=True)
                else:
                    lines = fit_text_in_one_or_two_lines(cell, style, plan.size, width, bold=field.bold)
                    element.full_text = cell if lines[0].text != cell else ""
                    for line in lines:
                        self.draw_text(line.text, edge, y + line.rise, line.size, line.typeface)

    def _draw_check_mark(self, right: float, y: float) -> None:
        size, canvas = self._plan.size, self._canvas
        canvas.setLineWidth(size * 0.11)
        bottom_x, bottom_y = right - size * 0.42, y + size * 0.04
        canvas.lines(
            [
                (bottom_x - size * 0.24, y + size * 0.28, bottom_x, bottom_y),
                (bottom_x, bottom_y, right, y + size * 0.66),
            ]
        )


def list_shaded_row_indexes(section: Section, rows: range) -> Iterator[int]:
    """Yield the indexes of the rows with a grey background: every second row, with its continuation rows."""
    entry = 0
    for number, row in enumerate(rows):
        if number and (is_start_of_list_item(section.fields[0].cells[row]) or not section.has_continuation_rows):
            entry += 1
        if entry % 2:
            yield number


def _fill_empty_first_cell_from_above(field: TextColumn, rows: range) -> TextColumn:
    """Copy the nearest text above into the first cell of `rows` if that cell is empty."""
    last_text = next((cell for cell in reversed(field.cells[: rows[0] + 1]) if cell), "")
    return replace(field, cells=(*field.cells[: rows[0]], last_text, *field.cells[rows[0] + 1 :]))
