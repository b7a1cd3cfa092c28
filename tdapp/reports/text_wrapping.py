"""Long texts in a list: what does not fit on one line of a column goes on below it, under nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap

from tdapp.reports.layout import ListColumn

LONGEST = 46  # letters of a line; with the other columns of a log a page holds about as many


def wrapped_text(made: Sequence[ListColumn], headings: Sequence[str]) -> list[ListColumn]:
    """Return columns in which the texts under `headings` run over as many rows as they need."""
    lines = [
        [wrap(cell, LONGEST) or [""] if field.heading in headings else [cell] for cell in field.cells]
        for field in made
    ]
    heights = [max(map(len, row)) for row in zip(*lines, strict=True)]
    return [replace(field, cells=tuple(_padded(own, heights))) for field, own in zip(made, lines, strict=True)]


def _padded(cells: Sequence[Sequence[str]], heights: Sequence[int]) -> list[str]:
    return [
        line for cell, height in zip(cells, heights, strict=True) for line in (*cell, *[""] * (height - len(cell)))
    ]
