"""Measure a list before it is drawn: type size, columns and their widths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from tdapp.domain.tables.table import ColumnKind

if TYPE_CHECKING:
    from tdapp.i18n.lists import ListColumn
    from tdapp.reports.sections import Section
    from tdapp.reports.shaping import Typeface
    from tdapp.reports.style import PrintStyle, TypeScale

_TOLERATED = 0.05  # fraction of shortened texts above which a smaller size is better
_UNBEARABLE = 0.25  # fraction of shortened texts above which even a small size is better
_LITTLE_SMALLER = 0.8  # factor on a size to avoid shortened texts
_FEW = 10  # minimum number of rows to ignore the longest text
_PART = re.compile(r"[½.,]\d*$")
SHRUNK = 0.6  # minimum scale of a text before shortening
GAP = 0.9  # gap between columns, in ems
LEGEND_LEADING = 1.2  # distance between lines of a legend, in ems
_ELLIPSIS = "…"


class ListPlan(Struct, frozen=True):
    """The type size, columns and widths with which a list is drawn."""

    size: float
    columns: int
    fields: tuple[ListColumn, ...]
    widths: tuple[float, ...]
    column_starts: tuple[int, ...]  # first row of each column of rows
    pages: int
    shortened_fraction: float  # of the texts
    condensed_fraction: float  # texts in narrow type


def plan_list(section: Section, style: PrintStyle, *, columns: int, scale: TypeScale) -> ListPlan:
    """Return the plan without too many shortened texts and, if possible, without small type.

    Of such plans prefer fewer shortened texts, then fewer pages, fewer columns and larger type.
    A slightly smaller type is used if it avoids shortened texts and needs no more pages.
    """
    plans = [
        _plan_columns(section, style, size=size, columns=count)
        for count in range(min(section.columns, columns), columns + 1)
        for size in scale.usual + scale.small
    ]
    usual = min(scale.usual)

    def rate_plan(plan: ListPlan) -> tuple[float, ...]:
        unbearable = plan.shortened_fraction > _UNBEARABLE
        steps = int(plan.shortened_fraction / _TOLERATED)
        narrow = int(plan.condensed_fraction / _TOLERATED)
        return unbearable, plan.size < usual, steps, plan.pages, plan.columns, narrow, -plan.size

    best = min(plans, key=rate_plan)
    near = (plan for plan in plans if (plan.columns, plan.pages) == (best.columns, best.pages))
    near = (plan for plan in sorted(near, key=rate_plan) if best.size >= plan.size >= best.size * _LITTLE_SMALLER)
    return next((plan for plan in near if _fits_without_cuts(plan, style)), best)


def _fits_without_cuts(plan: ListPlan, style: PrintStyle) -> bool:
    return not any(
        style.get_face(bold=field.bold, condensed=True).measure_width(cell, plan.size) > width + 0.01
        for field, width in zip(plan.fields, plan.widths, strict=True)
        for cell in field.cells
        if field.is_flexible
    )


def _plan_columns(section: Section, style: PrintStyle, *, size: float, columns: int) -> ListPlan:
    fields = section.fields
    available = (style.width - style.gutter * (columns - 1)) / columns
    widths, shortened = _measure_fields(fields, style, size=size, available=available)
    rows = int((get_body_height(style, section.legend) - get_heading_size(size) * 2.1) // (size * style.leading))
    if columns > 1 and section.row_count <= rows * columns:
        rows = ceil(section.row_count / columns) or rows
    starts = tuple(_find_column_starts(section, rows))
    pages = max(1, ceil(len(starts) / columns))
    condensed = _measure_shortened_share(fields, widths, style, size, condensed=False)
    return ListPlan(size, columns, fields, widths, starts, pages, shortened, condensed)


def _find_column_starts(section: Section, rows: int) -> Iterator[int]:
    start = 0
    while start < section.row_count:
        yield start
        end = start + rows
        heads = (
            range(min(end, section.row_count - 1), start, -1) if section.joined and end < section.row_count else ()
        )
        start = next((row for row in heads if section.fields[0].cells[row]), end)


def _measure_fields(
    fields: tuple[ListColumn, ...], style: PrintStyle, *, size: float, available: float
) -> tuple[tuple[float, ...], float]:
    """Return the widths, and the fraction of shortened texts.

    If all texts fit, the fields share the remaining width. Otherwise long texts are condensed, and share the
    width that other fields leave.
    """
    room = available - GAP * size * len(fields)
    natural = [_measure_natural_width(field, style, size, condensed=False) for field in fields]
    left = (room - sum(natural)) / len(fields)
    if left >= 0:
        return tuple(width + left for width in natural), 0.0
    natural = [_measure_natural_width(field, style, size, condensed=True) for field in fields]
    left = (room - sum(natural)) / (sum(field.is_flexible for field in fields) or 1)
    if left >= 0:
        return tuple(width + left * field.is_flexible for field, width in zip(fields, natural, strict=True)), 0.0
    natural = [_measure_natural_width(field, style, size, condensed=True, ignore_longest=True) for field in fields]
    widths = _shrink_columns(fields, natural, [_measure_heading(one, style, size) for one in fields], room)
    if widths is None:
        return tuple(width * room / sum(natural) for width in natural), 1.0
    return widths, _measure_shortened_share(fields, widths, style, size, condensed=True)


def _shrink_columns(
    fields: Sequence[ListColumn], natural: Sequence[float], headings: Sequence[float], room: float
) -> tuple[float, ...] | None:
    """Return widths that fit the room, None if impossible. Avoid a column narrower than its heading."""
    flexible = {at for at, field in enumerate(fields) if field.is_flexible}
    while flexible:
        fixed = sum(width for at, width in enumerate(natural) if at not in flexible)
        share = (room - fixed) / sum(natural[at] for at in flexible)
        if share <= 0:
            return None
        widths = [width * share if at in flexible else width for at, width in enumerate(natural)]
        narrow = {at for at in flexible if widths[at] < headings[at]}
        if not narrow or narrow == flexible:
            return tuple(widths)
        flexible -= narrow
        natural = [headings[at] if at in narrow else width for at, width in enumerate(natural)]
    return None


def _measure_heading(field: ListColumn, style: PrintStyle, size: float, *, condensed: bool = True) -> float:
    return style.get_face(bold=True, condensed=condensed).measure_width(field.heading, get_heading_size(size))


def _measure_natural_width(
    field: ListColumn, style: PrintStyle, size: float, *, condensed: bool, ignore_longest: bool = False
) -> float:
    """Return the width that the texts of a field need. With `ignore_longest` the longest texts are ignored."""
    face = style.get_face(bold=field.bold, condensed=condensed and field.is_flexible)
    heading = _measure_heading(field, style, size, condensed=condensed)
    if field.kind is ColumnKind.MARK or not field.cells:
        return max(heading, size)
    if field.kind is ColumnKind.POINTS:
        whole = max(face.measure_width(cell.removesuffix(get_fraction_part(cell)), size) for cell in field.cells)
        return max(heading, whole + measure_widest_fraction(field, face, size)) + size / 2
    widths = sorted(face.measure_width(cell, size) for cell in field.cells if cell) or [0.0]
    spared = (
        max(1, round(len(widths) * _TOLERATED))
        if ignore_longest and field.is_flexible and len(widths) >= _FEW
        else 0
    )
    return max(heading, widths[-1 - spared])


def measure_widest_fraction(field: ListColumn, face: Typeface, size: float) -> float:
    return max((face.measure_width(get_fraction_part(cell), size) for cell in field.cells), default=0.0)


def get_fraction_part(cell: str) -> str:
    found = _PART.search(cell)
    return found.group() if found else ""


def _measure_shortened_share(
    fields: tuple[ListColumn, ...], widths: tuple[float, ...], style: PrintStyle, size: float, *, condensed: bool
) -> float:
    """Return the fraction of texts wider than their field.

    A single long text among many is ignored, so that the others can be larger.
    """
    beyond = cells = 0
    for field, width in zip(fields, widths, strict=True):
        if field.is_flexible:
            face = style.get_face(bold=field.bold, condensed=condensed)
            filled = [cell for cell in field.cells if cell]
            longer = sum(face.measure_width(cell, size) > width + 0.01 for cell in filled)
            beyond += max(0, longer - (len(filled) >= _FEW))
            cells += len(filled)
    return beyond / cells if cells else 0.0


def get_heading_size(size: float) -> float:
    return max(8.0, size * 0.62)


def get_head_height(style: PrintStyle) -> float:
    return style.title * 1.25 + style.lead * 1.9


def get_body_height(style: PrintStyle, legend: str = "") -> float:
    """Return the height between head and foot. Further lines of a legend make it smaller."""
    further = max(0, len(wrap_legend(legend, style)) - 1) * LEGEND_LEADING
    return style.page[1] - 2 * style.margin - get_head_height(style) - style.note * (2.4 + further)


def wrap_legend(legend: str, style: PrintStyle) -> list[str]:
    return [*wrap_line(legend, style.condensed, style.note, style.width)]


def wrap_line(text: str, face: Typeface, size: float, width: float) -> Iterator[str]:
    """Yield the lines of a text. A word longer than a line can exceed `width`."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and face.measure_width(longer, size) > width:
            yield line
            longer = word
        line = longer
    if line:
        yield line


def find_fitting_size(text: str, style: PrintStyle, size: float, width: float, *, bold: bool) -> float:
    """Return a size at which the text fits, not below the smallest size."""
    condensed = style.get_face(bold=bold, condensed=True).measure_width(text, size)
    return size if condensed <= width + 0.01 else max(size * SHRUNK, size * width / condensed)


def fit_text(text: str, style: PrintStyle, size: float, width: float, *, bold: bool) -> tuple[str, Typeface]:
    """Return the text and face that fit the width: usual, condensed, or shortened."""
    for condensed in (False, True):
        face = style.get_face(bold=bold, condensed=condensed)
        if face.measure_width(text, size) <= width + 0.01:
            return text, face
    while text and face.measure_width(text + _ELLIPSIS, size) > width:
        text = text[:-1]
    return text.rstrip(" ,-") + _ELLIPSIS, face


class FittedLine(Struct, frozen=True):
    """A line of text that fits its field."""

    text: str
    face: Typeface
    size: float
    rise: float = 0.0  # points above the base line of a single line


def fit_lines(text: str, style: PrintStyle, size: float, width: float, *, bold: bool) -> tuple[FittedLine, ...]:
    """Return the lines that fit the width: in smaller type, in two lines, or shortened."""
    size = find_fitting_size(text, style, size, width, bold=bold)
    whole = FittedLine(*fit_text(text, style, size, width, bold=bold), size)
    spaces = [] if whole.text == text else [found.start() for found in re.finditer(" ", text)]
    if not spaces:
        return (whole,)
    middle = min(spaces, key=lambda at: abs(at - len(text) / 2))
    made = []
    for line, rise in ((text[:middle], 0.55), (text[middle + 1 :], -0.6)):
        own = find_fitting_size(line, style, size, width, bold=bold)
        made.append(FittedLine(*fit_text(line, style, own, width, bold=bold), own, rise * size))
    return tuple(made)
