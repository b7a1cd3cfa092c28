"""Measure a list before it is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from tdapp.domain.tables.table import ColumnKind

if TYPE_CHECKING:
    from tdapp.i18n.lists import TextColumn
    from tdapp.reports.sections import Section
    from tdapp.reports.shaping import Typeface
    from tdapp.reports.style import FontSizes, PrintStyle

_TOLERATED_FRACTION = 0.05  # fraction of shortened texts above which a smaller size is better
_MAX_SHORTENED_FRACTION = 0.25  # fraction of shortened texts above which even a small size is better
_SLIGHTLY_SMALLER = 0.8  # factor on a size to avoid shortened texts
_MIN_ROWS = 10  # from which the longest text can be ignored
_FRACTION = re.compile(r"[½.,]\d*$")
MIN_TEXT_SCALE = 0.6  # smallest factor on a size before a text is shortened
GAP = 0.9  # gap between columns, in ems
LEGEND_LEADING = 1.2  # distance between lines of a legend, in ems
_ELLIPSIS = "…"
CONTINUATION_INDENT = "    "  # of the further lines of a text in the first column


class ListLayout(Struct, frozen=True):
    """The type size, columns and widths with which a list is drawn."""

    size: float
    columns: int
    fields: tuple[TextColumn, ...]
    widths: tuple[float, ...]
    column_starts: tuple[int, ...]  # first row of each column of rows
    pages: int
    shortened_fraction: float  # of the texts
    condensed_fraction: float  # of the texts


def choose_list_layout(section: Section, style: PrintStyle, *, columns: int, scale: FontSizes) -> ListLayout:
    """Return the best plan for a list.

    The criteria, in this order: at most 25% shortened texts, no small type, fewer shortened texts, fewer pages,
    fewer columns, larger type. Finally, use a slightly smaller type if it avoids all shortened texts without more
    pages.
    """
    plans = [
        _plan_columns(section, style, size=size, columns=count)
        for count in range(min(section.columns, columns), columns + 1)
        for size in scale.usual + scale.small
    ]
    usual = min(scale.usual)

    def rate_plan(plan: ListLayout) -> tuple[float, ...]:
        has_too_many_cuts = plan.shortened_fraction > _MAX_SHORTENED_FRACTION
        shortened_steps = int(plan.shortened_fraction / _TOLERATED_FRACTION)
        condensed_steps = int(plan.condensed_fraction / _TOLERATED_FRACTION)
        return (
            has_too_many_cuts,
            plan.size < usual,
            shortened_steps,
            plan.pages,
            plan.columns,
            condensed_steps,
            -plan.size,
        )

    best = min(plans, key=rate_plan)
    similar_plans = (plan for plan in plans if (plan.columns, plan.pages) == (best.columns, best.pages))
    similar_plans = (
        plan
        for plan in sorted(similar_plans, key=rate_plan)
        if best.size >= plan.size >= best.size * _SLIGHTLY_SMALLER
    )
    return next((plan for plan in similar_plans if _has_no_shortened_cells(plan, style)), best)


def _has_no_shortened_cells(plan: ListLayout, style: PrintStyle) -> bool:
    return not any(
        style.get_typeface(bold=field.bold, condensed=True).measure_width(cell, plan.size) > width + 0.01
        for field, width in zip(plan.fields, plan.widths, strict=True)
        for cell in field.cells
        if field.has_flexible_width
    )


def _plan_columns(section: Section, style: PrintStyle, *, size: float, columns: int) -> ListLayout:
    fields = section.fields
    column_width = (style.printable_width - style.gutter * (columns - 1)) / columns
    widths, shortened = _compute_widths_and_shortened_fraction(fields, style, size=size, column_width=column_width)
    rows = int(
        (compute_page_body_height(style, section.legend) - compute_heading_font_size(size) * 2.1)
        // (size * style.leading)
    )
    if columns > 1 and section.row_count <= rows * columns:
        rows = ceil(section.row_count / columns) or rows
    starts = tuple(_find_first_rows_of_columns(section, rows))
    pages = max(1, ceil(len(starts) / columns))
    condensed = _compute_share_of_shortened_texts(fields, widths, style, size, condensed=False)
    return ListLayout(size, columns, fields, widths, starts, pages, shortened, condensed)


def is_start_of_list_item(first_cell: str) -> bool:
    return bool(first_cell) and not first_cell.startswith(CONTINUATION_INDENT)


def _find_first_rows_of_columns(section: Section, rows: int) -> Iterator[int]:
    start = 0
    while start < section.row_count:
        yield start
        end = start + rows
        entry_rows = (
            range(min(end, section.row_count - 1), start, -1)
            if section.has_continuation_rows and end < section.row_count
            else ()
        )
        start = next((row for row in entry_rows if is_start_of_list_item(section.fields[0].cells[row])), end)


def _compute_widths_and_shortened_fraction(
    fields: tuple[TextColumn, ...], style: PrintStyle, *, size: float, column_width: float
) -> tuple[tuple[float, ...], float]:
    """Return the width of each field, and the fraction of the texts that must be shortened."""
    available_width = column_width - GAP * size * len(fields)
    natural_widths = [_measure_natural_width(field, style, size, condensed=False) for field in fields]
    extra_width = (available_width - sum(natural_widths)) / len(fields)
    if extra_width >= 0:
        return tuple(width + extra_width for width in natural_widths), 0.0
    # only flexible fields use condensed type, so only they share the spare width
    natural_widths = [_measure_natural_width(field, style, size, condensed=True) for field in fields]
    extra_width = (available_width - sum(natural_widths)) / (
        sum(field.has_flexible_width for field in fields) or 1
    )
    if extra_width >= 0:
        return tuple(
            width + extra_width * field.has_flexible_width
            for field, width in zip(fields, natural_widths, strict=True)
        ), 0.0
    natural_widths = [
        _measure_natural_width(field, style, size, condensed=True, ignore_longest=True) for field in fields
    ]
    widths = _shrink_columns(
        fields, natural_widths, [_measure_heading(field, style, size) for field in fields], available_width
    )
    if widths is None:
        return tuple(width * available_width / sum(natural_widths) for width in natural_widths), 1.0
    return widths, _compute_share_of_shortened_texts(fields, widths, style, size, condensed=True)


def _shrink_columns(
    fields: Sequence[TextColumn],
    natural_widths: Sequence[float],
    headings: Sequence[float],
    available_width: float,
) -> tuple[float, ...] | None:
    """Return widths that fit `available_width`, or None if none fit. Avoid columns narrower than their heading."""
    flexible = {index for index, field in enumerate(fields) if field.has_flexible_width}
    while flexible:
        fixed_width = sum(width for index, width in enumerate(natural_widths) if index not in flexible)
        share = (available_width - fixed_width) / sum(natural_widths[index] for index in flexible)
        if share <= 0:
            return None
        widths = [width * share if index in flexible else width for index, width in enumerate(natural_widths)]
        narrow_columns = {index for index in flexible if widths[index] < headings[index]}
        if not narrow_columns or narrow_columns == flexible:
            return tuple(widths)
        flexible -= narrow_columns
        natural_widths = [
            headings[index] if index in narrow_columns else width for index, width in enumerate(natural_widths)
        ]
    return None


def _measure_heading(field: TextColumn, style: PrintStyle, size: float, *, condensed: bool = True) -> float:
    return style.get_typeface(bold=True, condensed=condensed).measure_width(
        field.heading, compute_heading_font_size(size)
    )


def _measure_natural_width(
    field: TextColumn, style: PrintStyle, size: float, *, condensed: bool, ignore_longest: bool = False
) -> float:
    """Return the width in which all texts of a field fit.

    With `ignore_longest` and at least _MIN_ROWS texts, the longest 5% need not fit.
    """
    typeface = style.get_typeface(bold=field.bold, condensed=condensed and field.has_flexible_width)
    heading = _measure_heading(field, style, size, condensed=condensed)
    if field.kind is ColumnKind.MARK or not field.cells:
        return max(heading, size)
    if field.kind is ColumnKind.POINTS:
        integer_width = max(
            typeface.measure_width(cell.removesuffix(get_fraction_part(cell)), size) for cell in field.cells
        )
        return max(heading, integer_width + measure_widest_fraction(field, typeface, size)) + size / 2
    widths = sorted(typeface.measure_width(cell, size) for cell in field.cells if cell) or [0.0]
    ignored_count = (
        max(1, round(len(widths) * _TOLERATED_FRACTION))
        if ignore_longest and field.has_flexible_width and len(widths) >= _MIN_ROWS
        else 0
    )
    return max(heading, widths[-1 - ignored_count])


def measure_widest_fraction(field: TextColumn, typeface: Typeface, size: float) -> float:
    return max((typeface.measure_width(get_fraction_part(cell), size) for cell in field.cells), default=0.0)


def get_fraction_part(cell: str) -> str:
    """Return the end of a number, from its ½ or decimal mark: ".5" for "12.5", "" for "12"."""
    match = _FRACTION.search(cell)
    return match.group() if match else ""


def _compute_share_of_shortened_texts(
    fields: tuple[TextColumn, ...], widths: tuple[float, ...], style: PrintStyle, size: float, *, condensed: bool
) -> float:
    """Return the fraction of texts wider than their field.

    Ignore a single long text among many, so that the others can be larger.
    """
    shortened_count = cell_count = 0
    for field, width in zip(fields, widths, strict=True):
        if field.has_flexible_width:
            typeface = style.get_typeface(bold=field.bold, condensed=condensed)
            filled_cells = [cell for cell in field.cells if cell]
            longer_count = sum(typeface.measure_width(cell, size) > width + 0.01 for cell in filled_cells)
            shortened_count += max(0, longer_count - (len(filled_cells) >= _MIN_ROWS))
            cell_count += len(filled_cells)
    return shortened_count / cell_count if cell_count else 0.0


def compute_heading_font_size(size: float) -> float:
    return max(8.0, size * 0.62)


def get_header_height(style: PrintStyle) -> float:
    return style.title_size * 1.25 + style.subtitle_size * 1.9


def compute_page_body_height(style: PrintStyle, legend: str = "") -> float:
    """Return the height between header and footer. A legend of several lines reduces this height."""
    further_height = max(0, len(wrap_legend(legend, style)) - 1) * LEGEND_LEADING
    return style.page[1] - 2 * style.margin - get_header_height(style) - style.note_size * (2.4 + further_height)


def wrap_legend(legend: str, style: PrintStyle) -> list[str]:
    return [*wrap_line(legend, style.condensed, style.note_size, style.printable_width)]


def wrap_line(text: str, typeface: Typeface, size: float, width: float) -> Iterator[str]:
    """Yield the lines of a text. A word longer than a line can exceed `width`."""
    line = ""
    for word in text.split():
        longer_line = f"{line} {word}".strip()
        if line and typeface.measure_width(longer_line, size) > width:
            yield line
            longer_line = word
        line = longer_line
    if line:
        yield line


def find_fitting_size(text: str, style: PrintStyle, size: float, width: float, *, bold: bool) -> float:
    """Return `size`, or a smaller size at which the text fits, at least `MIN_TEXT_SCALE * size`."""
    condensed_width = style.get_typeface(bold=bold, condensed=True).measure_width(text, size)
    return size if condensed_width <= width + 0.01 else max(size * MIN_TEXT_SCALE, size * width / condensed_width)


def condense_or_shorten_text(
    text: str, style: PrintStyle, size: float, width: float, *, bold: bool
) -> tuple[str, Typeface]:
    """Return a text and its typeface. If the text is too wide, first condense it, then shorten it."""
    for condensed in (False, True):
        typeface = style.get_typeface(bold=bold, condensed=condensed)
        if typeface.measure_width(text, size) <= width + 0.01:
            return text, typeface
    while text and typeface.measure_width(text + _ELLIPSIS, size) > width:
        text = text[:-1]
    return text.rstrip(" ,-") + _ELLIPSIS, typeface


class FittedTextLine(Struct, frozen=True):
    """A line of text that fits its field."""

    text: str
    typeface: Typeface
    size: float
    rise: float = 0.0  # points above the base line of a single line


def fit_text_in_one_or_two_lines(
    text: str, style: PrintStyle, size: float, width: float, *, bold: bool
) -> tuple[FittedTextLine, ...]:
    """Return the lines that fit the width: in smaller type, in two lines, or shortened."""
    size = find_fitting_size(text, style, size, width, bold=bold)
    single_line = FittedTextLine(*condense_or_shorten_text(text, style, size, width, bold=bold), size)
    spaces = [] if single_line.text == text else [match.start() for match in re.finditer(" ", text)]
    if not spaces:
        return (single_line,)
    middle = min(spaces, key=lambda position: abs(position - len(text) / 2))
    lines = []
    for line, rise in ((text[:middle], 0.55), (text[middle + 1 :], -0.6)):
        line_size = find_fitting_size(line, style, size, width, bold=bold)
        lines.append(
            FittedTextLine(
                *condense_or_shorten_text(line, style, line_size, width, bold=bold), line_size, rise * size
            )
        )
    return tuple(lines)
