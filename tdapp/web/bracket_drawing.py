"""The drawing of a knockout bracket on a web page."""

from __future__ import annotations

from msgspec import Struct

from tdapp.domain.tables.bracket import BracketTree, MatchBoxOnPage
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.layouts import BracketDimensions, PositionedMatch, lay_out_matches, make_bracket_slot_text

_LABEL_HEIGHT, _LINE_HEIGHT, _COLUMN_GAP, _MATCH_GAP = 16, 24, 28, 18
_MIN_WIDTH, _MAX_WIDTH = 150, 280
_LETTER_WIDTH = 7.6  # average, in pixels
_SEED_AND_POINTS_WIDTH = 78  # in pixels


class BracketDrawing(Struct, frozen=True):
    """A bracket as a drawing: its size, its matches, and the connecting lines as SVG paths."""

    title: str
    width: int
    height: int
    match_width: int
    matches: tuple[PositionedMatch, ...]
    paths: tuple[str, ...]


def draw_bracket(tree: BracketTree, catalogue: Catalogue) -> BracketDrawing:
    page_matches = [MatchBoxOnPage(box, box.column, box.row) for box in tree.boxes if box.needed]
    names = (make_bracket_slot_text(catalogue, match.box, side).name for match in page_matches for side in (0, 1))
    match_width = round(
        min(max(max(map(len, names), default=0) * _LETTER_WIDTH + _SEED_AND_POINTS_WIDTH, _MIN_WIDTH), _MAX_WIDTH)
    )
    pitch = _LABEL_HEIGHT + 2 * _LINE_HEIGHT + _MATCH_GAP
    matches = tuple(
        lay_out_matches(
            catalogue,
            page_matches,
            BracketDimensions(match_width, _COLUMN_GAP, pitch, top=_LABEL_HEIGHT + _LINE_HEIGHT - pitch / 2),
        )
    )
    return BracketDrawing(
        title=catalogue.format_bracket_part(tree.title, *tree.places),
        width=round(max((match.left for match in matches), default=0)) + match_width,
        height=round(max((match.middle for match in matches), default=0)) - _LABEL_HEIGHT - _LINE_HEIGHT + pitch,
        match_width=match_width,
        matches=matches,
        paths=tuple("M" + "L".join(f"{x:g} {y:g}" for x, y in match.join) for match in matches if match.join),
    )
