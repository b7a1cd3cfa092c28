"""Tests of drafts of score sheets between two runs of the program."""

from __future__ import annotations

import pytest

from tdapp.domain.model import GameId
from tdapp.domain.sheet_draft import SheetDraft, SheetEnd, format_drafts_for_storage, parse_stored_drafts
from tdapp.scrabble.sheet import GameEnding, SanctionKind, SheetSanction, TurnOnOpponentSheet


def make_draft() -> SheetDraft:
    draft = SheetDraft(
        ("A", "B"),
        end=SheetEnd(GameEnding.OUT, "", ("AB", ""), ("1:15", "")),
        sanctions=(SheetSanction(1, SanctionKind.POINTS, 3, "late"),),
        other_form=(TurnOnOpponentSheet(1, None, 5),),
        finals=(None, 4),
    )
    return draft.replace_line_text(0, "8H TAART 20", 1).replace_line_text(1, "no turn ((", 2)


def test_draft_round_trip() -> None:
    drafts = {(GameId("g"), 1): make_draft(), (GameId("g"), 2): SheetDraft(("A", "B"))}
    assert dict(parse_stored_drafts(format_drafts_for_storage(drafts))) == drafts


@pytest.mark.parametrize("text", ["", "x", "{}", '[{"game": "g"}]', '[[["g", 1], {"players": ["A"]}]]'])
def test_parse_drafts_ignores_another_version(text: str) -> None:
    assert list(parse_stored_drafts(text)) == []
