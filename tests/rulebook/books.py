"""Helpers for tests of the rule books: the marker of a rule, presets, tile sets and score sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tdapp.domain.judging import JudgedSheet, judge_sheet
from tdapp.domain.ruleset import RuleSet
from tdapp.exchange.presets import read_ruleset, read_tileset
from tdapp.scrabble.sheet import parse_sheet as read_sheet
from tdapp.scrabble.tiles import BLANK, TileSet
from tests.building import RESOURCES


def rule(name: str, sentence: str) -> pytest.MarkDecorator:
    """Mark a test as the proof of rule `name`, with the sentence of the book."""
    return pytest.mark.rule(name, sentence)


def load_preset(name: str) -> RuleSet:
    return read_ruleset(RESOURCES / "rulesets" / f"{name}.toml")


def load_tile_set(name: str) -> TileSet:
    return read_tileset(RESOURCES / "tilesets" / f"{name}.toml")


def make_play(player: int, score: int, word: str = "WOORD", **fields: object) -> dict[str, object]:
    """Return a play without its square, for sheets with checks of the sums only."""
    return {"player": player, "kind": "play", "word": word, "score": score, **fields}


def make_turn(player: int, kind: str, **fields: object) -> dict[str, object]:
    return {"player": player, "kind": kind, **fields}


def make_sheet(
    turns: Sequence[Mapping[str, object]],
    *,
    ended: str = "passes",
    players: Sequence[str] = ("Een", "Twee"),
    **fields: object,
) -> dict[str, object]:
    """Return a score sheet in the input form of `score`. Without racks, no tiles remain on them."""
    document = {"players": list(players), "first": 1, "turns": list(turns), "ended": ended, **fields}
    if "racks" not in document and "rack_values" not in document:
        document["rack_values"] = [0] * len(players)
    return document


def make_sheet_of_plays(*plays: tuple[str, str]) -> dict[str, object]:
    """Return an open sheet with plays of two players in turn. A play has a square and a word."""
    turns = [
        {"player": 1 + number % 2, "kind": "play", "at": square, "word": word}
        for number, (square, word) in enumerate(plays)
    ]
    return make_sheet(turns, ended="open")


def judge_sheet_document(rules: RuleSet | str, document: Mapping[str, object]) -> JudgedSheet:
    """Return the judged sheet under a preset or a rule set."""
    rule_set = load_preset(rules) if isinstance(rules, str) else rules
    return judge_sheet(
        read_sheet(document), rule_set, load_tile_set(str(document.get("tileset", rule_set.tileset)))
    )


def judge_totals(rules: RuleSet | str, *totals: int, ended: str = "passes", **fields: object) -> JudgedSheet:
    """Return the judged sheet of a game with these totals of the players before its end."""
    players = [f"Player {number}" for number in range(1, len(totals) + 1)]
    turns = [make_play(number, total) for number, total in enumerate(totals, 1)]
    return judge_sheet_document(rules, make_sheet(turns, ended=ended, players=players, **fields))


def make_opening_plays(tileset: TileSet, *, tile_count: int) -> list[dict[str, object]]:
    """Return plays with this number of tiles anywhere on the board, to reduce the tiles in the bag."""
    letters = [tile for tile in tileset.list_remaining_tiles(()) if tile != BLANK][:tile_count]
    words = ["".join(letters[start : start + 7]) for start in range(0, len(letters), 7)]
    squares = [f"{row}{column}" for row in range(1, 16) for column in "AI"]
    return [
        {"player": 1 + number % 2, "kind": "play", "at": square, "word": word}
        for number, (square, word) in enumerate(zip(squares, words, strict=False))
    ]


def list_issue_codes(judged_sheet: JudgedSheet) -> list[str]:
    return [issue.code for issue in judged_sheet.issues]
