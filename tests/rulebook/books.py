"""Helpers for tests of the rule books: the marker that names a rule, presets and tile sets."""

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
    """Mark a test as the proof of rule `name`, whose book says `sentence`."""
    return pytest.mark.rule(name, sentence)


def preset(name: str) -> RuleSet:
    return read_ruleset(RESOURCES / "rulesets" / f"{name}.toml")


def tiles(name: str) -> TileSet:
    return read_tileset(RESOURCES / "tilesets" / f"{name}.toml")


def play(player: int, score: int, word: str = "WOORD", **more: object) -> dict[str, object]:
    """A play without its square: only the sums of such a sheet are checked."""
    return {"player": player, "kind": "play", "word": word, "score": score, **more}


def turn(player: int, kind: str, **more: object) -> dict[str, object]:
    return {"player": player, "kind": kind, **more}


def sheet(
    turns: Sequence[Mapping[str, object]],
    *,
    ended: str = "passes",
    players: Sequence[str] = ("Een", "Twee"),
    **more: object,
) -> dict[str, object]:
    """A score sheet as `score` reads it; without racks nothing is left on them."""
    document = {"players": list(players), "first": 1, "turns": list(turns), "ended": ended, **more}
    if "racks" not in document and "rack_values" not in document:
        document["rack_values"] = [0] * len(players)
    return document


def judged(rules: RuleSet | str, document: Mapping[str, object]) -> JudgedSheet:
    """The score of a sheet under a preset, or under a rule set of the test."""
    chosen = preset(rules) if isinstance(rules, str) else rules
    return judge_sheet(read_sheet(document), chosen, tiles(str(document.get("tileset", chosen.tileset))))


def standing(rules: RuleSet | str, *totals: int, ended: str = "passes", **more: object) -> JudgedSheet:
    """The result of a game from the players' totals before its end."""
    players = [f"Player {number}" for number in range(1, len(totals) + 1)]
    turns = [play(number, total) for number, total in enumerate(totals, 1)]
    return judged(rules, sheet(turns, ended=ended, players=players, **more))


def opening(tileset: TileSet, *, laid: int) -> list[dict[str, object]]:
    """Plays with the given number of tiles, anywhere on the board, for tests of the number of tiles in the bag."""
    letters = [tile for tile in tileset.list_remaining_tiles(()) if tile != BLANK][:laid]
    words = ["".join(letters[start : start + 7]) for start in range(0, len(letters), 7)]
    places = [f"{row}{column}" for row in range(1, 16) for column in "AI"]
    return [
        {"player": 1 + number % 2, "kind": "play", "at": at, "word": word}
        for number, (at, word) in enumerate(zip(places, words, strict=False))
    ]


def codes(found: JudgedSheet) -> list[str]:
    return [issue.code for issue in found.issues]
