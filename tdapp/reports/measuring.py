"""Measure a list before drawing: type size, columns and their widths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from tdapp.domain.tables.table import Kind

if TYPE_CHECKING:
    from tdapp.i18n.lists import ListColumn
    from tdapp.reports.sections import Section
    from tdapp.reports.shaping import Typeface
    from tdapp.reports.style import Style, TypeScale

_TOLERATED = 0.05  # fraction of shortened texts above which a smaller size is better
_UNBEARABLE = 0.25  # fraction of shortened texts above which even a small size is better
_LITTLE_SMALLER = 0.8  # factor on a size to avoid shortened texts
_FEW = 10  # minimum number of rows to ignore the longest text
_PART = re.compile(r"[½.,]\d*$")
SHRUNK = 0.6  # minimum scale of a text before shortening
GAP = 0.9  # gap between columns, in ems
_ELLIPSIS = "…"


class ListPlan(Struct, frozen=True):
    """Type size, number of row columns, fields and widths.

    `shortened` and `condensed` are fractions of the texts.
    """

    size: float
    columns: int
    fields: tuple[ListColumn, ...]
    widths: tuple[float, ...]
    starts: tuple[int, ...]  # first row of each column of rows
    pages: int
    shortened: float
    condensed: float


def planned(section: Section, style: Style, *, columns: int, scale: TypeScale) -> ListPlan:
    """Return few shortened texts, the fewest pages, then the largest type.

    A slightly smaller type without shortened texts is preferred if it needs no more pages.
    """
    plans = [
        _make_plan(section, style, size=size, columns=count)
        for count in range(min(section.columns, columns), columns + 1)
        for size in scale.usual + scale.small
    ]
    usual = min(scale.usual)

    def cost(plan: ListPlan) -> tuple[float, ...]:
        unbearable = plan.shortened > _UNBEARABLE
        steps = int(plan.shortened / _TOLERATED)
        narrow = int(plan.condensed / _TOLERATED)
        return unbearable, plan.size < usual, steps, plan.pages, plan.columns, narrow, -plan.size

    best = min(plans, key=cost)
    near = (plan for plan in plans if (plan.columns, plan.pages) == (best.columns, best.pages))
    near = (plan for plan in sorted(near, key=cost) if best.size >= plan.size >= best.size * _LITTLE_SMALLER)
    return next((plan for plan in near if _is_whole(plan, style)), best)


def _is_whole(plan: ListPlan, style: Style) -> bool:
    return not any(
        style.face(bold=field.bold, condensed=True).width(cell, plan.size) > width + 0.01
        for field, width in zip(plan.fields, plan.widths, strict=True)
        for cell in field.cells
        if field.flexible
    )


def _make_plan(section: Section, style: Style, *, size: float, columns: int) -> ListPlan:
    fields = section.fields
    available = (style.width - style.gutter * (columns - 1)) / columns
    widths, shortened = _field_widths(fields, style, size=size, available=available)
    rows = int((body_height(style) - heading_size(size) * 2.1) // (size * style.leading))
    if columns > 1 and section.length <= rows * columns:
        rows = ceil(section.length / columns) or rows
    starts = tuple(_find_starts(section, rows))
    pages = max(1, ceil(len(starts) / columns))
    condensed = _share_beyond(fields, widths, style, size, condensed=False)
    return ListPlan(size, columns, fields, widths, starts, pages, shortened, condensed)


def _find_starts(section: Section, rows: int) -> Iterator[int]:
    """Yield the first row of each column of at most `rows`. Joined rows remain together if they fit."""
    start = 0
    while start < section.length:
        yield start
        end = start + rows
        heads = range(min(end, section.length - 1), start, -1) if section.joined and end < section.length else ()
        start = next((row for row in heads if section.fields[0].cells[row]), end)


def _field_widths(
    fields: tuple[ListColumn, ...], style: Style, *, size: float, available: float
) -> tuple[tuple[float, ...], float]:
    """Return widths, and the fraction of texts to shorten.

    If all fits in the usual face, fields share the remaining width. Otherwise condensed texts share it, or the
    width left by the other fields.
    """
    room = available - GAP * size * len(fields)
    natural = [_natural_width(field, style, size, condensed=False) for field in fields]
    left = (room - sum(natural)) / len(fields)
    if left >= 0:
        return tuple(width + left for width in natural), 0.0
    natural = [_natural_width(field, style, size, condensed=True) for field in fields]
    left = (room - sum(natural)) / (sum(field.flexible for field in fields) or 1)
    if left >= 0:
        return tuple(width + left * field.flexible for field, width in zip(fields, natural, strict=True)), 0.0
    natural = [_natural_width(field, style, size, condensed=True, spares=True) for field in fields]
    texts = sum(width for field, width in zip(fields, natural, strict=True) if field.flexible)
    share = (room - sum(natural) + texts) / texts if texts else 0.0
    if share <= 0:
        return tuple(width * room / sum(natural) for width in natural), 1.0
    widths = tuple(
        width * share if field.flexible else width for field, width in zip(fields, natural, strict=True)
    )
    return widths, _share_beyond(fields, widths, style, size, condensed=True)


def _natural_width(
    field: ListColumn, style: Style, size: float, *, condensed: bool, spares: bool = False
) -> float:
    """`spares`: without the longest texts."""
    face = style.face(bold=field.bold, condensed=condensed and field.flexible)
    heading = style.face(bold=True, condensed=condensed).width(field.heading, heading_size(size))
    if field.kind is Kind.MARK or not field.cells:
        return max(heading, size)
    if field.kind is Kind.POINTS:
        whole = max(face.width(cell.removesuffix(fraction_of(cell)), size) for cell in field.cells)
        return max(heading, whole + overhang(field, face, size)) + size / 2
    widths = sorted(face.width(cell, size) for cell in field.cells)
    spared = max(1, round(len(widths) * _TOLERATED)) if spares and field.flexible and len(widths) >= _FEW else 0
    return max(heading, widths[-1 - spared])


def overhang(field: ListColumn, face: Typeface, size: float) -> float:
    """Return the widest fraction in a column of points."""
    return max((face.width(fraction_of(cell), size) for cell in field.cells), default=0.0)


def fraction_of(cell: str) -> str:
    """Return the part after the whole number."""
    found = _PART.search(cell)
    return found.group() if found else ""


def _share_beyond(
    fields: tuple[ListColumn, ...], widths: tuple[float, ...], style: Style, size: float, *, condensed: bool
) -> float:
    """Return the fraction of texts wider than their field.

    A single long text among many is ignored: it is shortened, so that the others can be larger.
    """
    beyond = cells = 0
    for field, width in zip(fields, widths, strict=True):
        if field.flexible:
            face = style.face(bold=field.bold, condensed=condensed)
            longer = sum(face.width(cell, size) > width + 0.01 for cell in field.cells)
            beyond += max(0, longer - (len(field.cells) >= _FEW))
            cells += len(field.cells)
    return beyond / cells if cells else 0.0


def heading_size(size: float) -> float:
    return max(8.0, size * 0.62)


def head_height(style: Style) -> float:
    return style.title * 1.25 + style.lead * 1.9


def body_height(style: Style) -> float:
    return style.page[1] - 2 * style.margin - head_height(style) - style.note * 2.4


def fit_size(text: str, style: Style, size: float, width: float, *, bold: bool) -> float:
    """Return a size at which the text fits, not below the smallest one."""
    condensed = style.face(bold=bold, condensed=True).width(text, size)
    return size if condensed <= width + 0.01 else max(size * SHRUNK, size * width / condensed)


def fitted(text: str, style: Style, size: float, width: float, *, bold: bool) -> tuple[str, Typeface]:
    """Try usual, condensed, then shortened."""
    for condensed in (False, True):
        face = style.face(bold=bold, condensed=condensed)
        if face.width(text, size) <= width + 0.01:
            return text, face
    while text and face.width(text + _ELLIPSIS, size) > width:
        text = text[:-1]
    return text.rstrip(" ,-") + _ELLIPSIS, face
