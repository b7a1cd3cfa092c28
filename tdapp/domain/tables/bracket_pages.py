"""A bracket cut into pages that can be read across a room: three rounds of four matches, each nearer the final."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.tables.bracket import MatchBox, Tree, knockout_of, trees

COLUMNS = 3  # of matches side by side on a page
MATCHES = 4  # below each other in the first of them
_HAIR = 1e-6  # a match in the middle of four belongs to them


@dataclass(frozen=True, slots=True)
class Twig:
    """A match on a page: its column from 0, and its middle as a part of the page's height."""

    box: MatchBox
    column: int
    middle: float


@dataclass(frozen=True, slots=True)
class Branch:
    """What of a tree stands on one page; `title` and `places` as of the tree."""

    title: str
    places: tuple[int, int]
    columns: int
    twigs: tuple[Twig, ...]


def branches(index: Index, division: Division) -> tuple[Branch, ...]:
    """Return the pages of a division's knockout: those with matches still to be played, else where it ended."""
    stage = knockout_of(index, division.id)
    found = [branch for tree in trees(index, stage) for branch in _cut(tree)] if stage else []
    live = [branch for branch in found if any(_goes_on(twig.box) for twig in branch.twigs)]
    return tuple(live or (found[-1:] and _last(found)))


def _last(found: Sequence[Branch]) -> list[Branch]:
    """Return the page that each part of the bracket ended on, once all is decided."""
    ends = {(branch.title, branch.places): branch for branch in found}
    return list(ends.values())


def _goes_on(box: MatchBox) -> bool:
    return not box.decided and not box.bye


def _cut(tree: Tree) -> Iterator[Branch]:
    """Yield pages from the first round on; the last column of one is the first of those behind it."""
    boxes = [box for box in tree.boxes if box.needed or box.games]
    last = max((box.column for box in boxes), default=-1)
    begins = 0
    while boxes and begins <= last:
        inside = [box for box in boxes if begins <= box.column < begins + COLUMNS]
        rows = MATCHES * min((box.spread for box in inside), default=1)
        yield from _pages(tree, inside, begins, rows)
        if begins + COLUMNS > last:
            break
        begins += COLUMNS - 1


def _pages(tree: Tree, boxes: Sequence[MatchBox], begins: int, rows: int) -> Iterator[Branch]:
    count = int(max((box.row for box in boxes), default=0) / rows - _HAIR) + 1
    for page in range(count):
        top = page * rows
        here = [box for box in boxes if top < box.row <= top + rows + _HAIR]
        if not here:
            continue
        used = max(box.row + box.spread / 2 for box in here) - top
        height = min(max(used, rows / 2), rows)
        twigs = tuple(Twig(box, box.column - begins, (box.row - top) / height) for box in here)
        yield Branch(tree.title, tree.places, 1 + max(twig.column for twig in twigs), twigs)
