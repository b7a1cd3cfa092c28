"""Where the matches of a bracket stand in a drawing, in pixels, and the lines between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tdapp.domain.tables.bracket import MatchBox, MatchSlot, Tree
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import match_score, match_title

_LABEL, _LINE, _GAP, _AIR = 16, 24, 28, 18
_LETTER = 7.6  # of a name, on average
_NARROWEST, _WIDEST = 150, 280
_BESIDE = 78  # seed and points


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One player's line of a match; `score` are points, or games won of a series."""

    seed: str
    name: str
    score: str
    won: bool
    known: bool


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A match with its left top corner; `label` says what it is, `games` the points of each game."""

    x: int
    y: int
    label: str
    games: str
    sides: tuple[MatchLine, MatchLine]
    open: bool
    decided: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """A part of a bracket: its size, its matches, and the lines as SVG paths."""

    title: str
    width: int
    height: int
    box: int
    matches: tuple[DrawnMatch, ...]
    paths: tuple[str, ...]


def drawing(tree: Tree, words: Catalogue) -> Drawing:
    """Return a tree as it is drawn, the first column at the left."""
    boxes = [box for box in tree.boxes if box.needed]
    longest = max((len(side.name or _coming(side, words)) for box in boxes for side in box.sides), default=0)
    wide = round(min(max(longest * _LETTER + _BESIDE, _NARROWEST), _WIDEST))
    pitch = _LABEL + 2 * _LINE + _AIR
    at = {box.key: (box.column * (wide + _GAP), round((box.row - 0.5) * pitch)) for box in boxes}
    return Drawing(
        title=words.part(tree.title, *tree.places),
        width=max((x for x, _ in at.values()), default=0) + wide,
        height=max((y for _, y in at.values()), default=0) + pitch,
        box=wide,
        matches=tuple(_drawn(box, *at[box.key], words) for box in boxes),
        paths=tuple(_paths(boxes, at, wide)),
    )


def _paths(boxes: list[MatchBox], at: Mapping[str, tuple[int, int]], wide: int) -> Iterator[str]:
    middle = _LABEL + _LINE
    for box in boxes:
        if box.next in at:
            (x, y), (to_x, to_y) = at[box.key], at[box.next]
            yield f"M{x + wide} {y + middle}H{to_x - _GAP // 2}V{to_y + middle}H{to_x}"


def _drawn(box: MatchBox, x: int, y: int, words: Catalogue) -> DrawnMatch:
    played = (game.points for game in box.games if game.points[0] is not None)
    games = ", ".join(f"{one}–{other}" for one, other in played)
    sides = (_place(box, 0, words), _place(box, 1, words))
    return DrawnMatch(x, y, match_title(words, box), games, sides, box.open, box.decided)


def _place(box: MatchBox, at: int, words: Catalogue) -> MatchLine:
    side = box.sides[at]
    nobody = words.code("bye") if box.bye else _coming(side, words)
    seed = str(side.seed) if side.seed else ""
    return MatchLine(seed, side.name or nobody, match_score(words, box, at), side.won, side.player is not None)


def _coming(side: MatchSlot, words: Catalogue) -> str:
    return words.coming(side.came) if side.came else ""
