"""Pinned texts of words, tiles and random GCG files; missing tiles and differences of sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.scrabble import board
from tdapp.scrabble.board import PlacedTile, Placement, find_missing_tiles
from tdapp.scrabble.gcg import GcgEvent, GcgEventKind, GcgGame, GcgPlayer, GcgPragma, add_running_totals
from tdapp.scrabble.gcg_check import convert_to_sheet, recompute_game
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.sheet import Sheet, Turn, TurnKind, find_first_difference
from tdapp.scrabble.tiles import Letter, TileSet
from tests.pinned import read_pinned_lines, show
from tests.scrabble.tile_sets import tileset

OLD = (Letter("A", 2, 1), Letter("I", 2, 1), Letter("IJ", 1, 4), Letter("J", 1, 4), Letter("Q", 0, 9))
SETS = {"en": tileset("en"), "no": tileset("no"), "old": TileSet("old", "Old", "nl", OLD, 1)}


def tried(work: Callable[[], object]) -> str:
    try:
        return show(work())
    except (ScrabbleError, ValueError) as error:
        return f"{type(error).__name__} {error}"


def words() -> Iterator[str]:
    texts = ["AI", "aI", "A*I", "A*", "(A)I", "A(I", "A)I", "((A))", "()", ".A", "..", "?A", "A?", "IJ"]
    texts += ["[IJ]", "ij", "IJ*", "[I]J", "A[", "[A", "[]A", "[Q]", "Q", "7", "ÅA", "(.)A", "(ij)", "*A"]
    texts += ["", " A I ", "A\u030aA"]
    for name, tiles in SETS.items():
        for text in texts:
            marks = tried(partial(board.read_written_word, text, tiles))
            read = tried(partial(tiles.read_tiles, text))
            yield f"{name} {text!r} {marks} | {read}"
            if not read.startswith(("Scrabble", "()")):
                found = tiles.read_tiles(text)
                over = tiles.find_overused_tiles((*found, *found, *found))
                left = tiles.list_remaining_tiles(found)[-5:]
                yield f"  {tiles.write_tiles(found)} {tiles.sum_values(found)} {show(over)} {show(left)}"
                yield f"  {tried(partial(tiles.find_alphabet_position, found[0]))}"


def test_pinned_words() -> None:
    made, kept = read_pinned_lines(__file__, "words", words())
    assert made == kept


@pytest.mark.parametrize(
    ("placed", "rack", "missing"),
    [
        ("AB", "AB", ""), ("AB", "A", "B"), ("ab", "?", "?"), ("bA", "", "A?"),
        ("BAa", "", "AB?"), ("AA", "A", "A"),
        ("AaZ", "?Z", "A"), ("", "A", ""),
    ],
)  # fmt: skip
def test_find_missing_tiles_lists_blanks_last(placed: str, rack: str, missing: str) -> None:
    placement = Placement(tuple(PlacedTile(1, at, tile) for at, tile in enumerate(placed, 1)))
    assert "".join(find_missing_tiles(placement, rack)) == missing


def files() -> Iterator[str]:
    rng, tiles = Random(5), SETS["en"]
    plays = [("8G", "CAT", 10), ("J8", "SOWN", 21), ("8G", "...S", 6), ("H7", "BA.", 5), ("8", "CAT", 10)]
    plays.append(("G8?", "AT", 4))
    for number in range(24):
        count = rng.choice([2, 2, 2, 3])
        events = []
        for place in range(rng.randint(2, 8)):
            player = 1 + (place % count if rng.random() < 0.8 else rng.randrange(count))
            kind = rng.choice([GcgEventKind.PLAY, GcgEventKind.PLAY, GcgEventKind.PLAY, *GcgEventKind])
            event = GcgEvent(player, kind, rng.choice([0, 0, 2, -2, 5, 8, -10, -21]))
            rack = rng.choice(["", "CATS", "SOWNERA", "ABCDEFGH", "A7", "CAT", "??"])
            if kind is GcgEventKind.PLAY:
                at, word, points = plays[min(place, 5)] if rng.random() < 0.8 else rng.choice(plays)
                event = GcgEvent(player, kind, points + rng.choice([0, 0, 1]), 0, rack, at, word)
            elif kind is not GcgEventKind.PASS:
                held = rng.choice(["AE", "3", "AEQ", "", "CATS", "7?"])
                event = GcgEvent(player, kind, event.points, 0, rack, tiles=held)
            events.append(event)
        summed = list(add_running_totals(events))
        if rng.random() < 0.3:
            at_ = rng.randrange(len(summed))
            summed[at_] = replace(summed[at_], total=summed[at_].total + 1)
        same = "A" if rng.random() < 0.2 else "B"
        people = tuple(GcgPlayer(nick, nick * 2) for nick in ("A", same, "C")[:count])
        notes = [
            GcgPragma("rack1", rng.choice(["Z Z", "AE"]), rng.choice([1, len(summed)])),
            GcgPragma("note", "x", 1),
        ]
        if rng.random() < 0.2:
            notes.append(GcgPragma("orientation", rng.choice(["lettered_rows", "numbered-rows", "Lettered-Rows"])))
        made = GcgGame(people, tuple(summed), tuple(notes))
        found = recompute_game(made, tiles)
        yield f"{number} {show([show(one) for one in summed])} {show(notes)}"
        turns = [(turn.score, turn.total) for turn in found.turns]
        yield f"  {show(turns)} {show(found.scores)} {''.join(found.board.tiles)} {show(found.issues)}"
        sheet, left = convert_to_sheet(made, tiles)
        yield f"  {show(sheet)} {show(left)}"


def test_pinned_files() -> None:
    made, kept = read_pinned_lines(__file__, "files", files())
    assert made == kept


TURN = Turn(1, TurnKind.PLAY, "8H", "AB", 4, 4)


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        (TURN, TURN, None),
        (TURN, Turn(2, TurnKind.PLAY, "8H", "AB", 4, 4), "(2 player 1 2)"),
        (TURN, Turn(1, TurnKind.PASS), "(2 kind play pass)"),
        (TURN, Turn(2, TurnKind.PASS), "(2 player 1 2)"),
        (TURN, Turn(1, TurnKind.PLAY, "8h", "a b", 4, 4), None),
        (TURN, Turn(1, TurnKind.PLAY, "H8", "AB", 4, 4), "(2 at 8H H8)"),
        (TURN, Turn(1, TurnKind.PLAY, "H8", "ABC", 5, 5), "(2 at 8H H8)"),
        (TURN, Turn(1, TurnKind.PLAY, None, "AB", None, 4), None),
        (TURN, Turn(1, TurnKind.PLAY, "8H", "AB", 5, 4), "(2 score 4 5)"),
        (TURN, Turn(1, TurnKind.PLAY, "8H", "AB", 4, 5), "(2 total 4 5)"),
        (TURN, Turn(1, TurnKind.PLAY, "8H", "ABC", 5, 5), "(2 word AB ABC)"),
        (Turn(1, TurnKind.EXCHANGE, tiles=2), Turn(1, TurnKind.EXCHANGE, tiles=3), "(2 tiles 2 3)"),
    ],
)
def test_find_first_difference_of_two_turns(one: Turn, other: Turn, difference: str | None) -> None:
    sheets = [Sheet(("a", "b"), (TURN, turn)) for turn in (one, other)]
    assert show(find_first_difference(*sheets)) == str(difference)


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [(0, 1, "(1 kind None play)"), (2, 1, "(2 kind play None)"), (1, 3, "(2 kind None play)"), (2, 2, "None")],
)
def test_find_first_difference_of_sheets_of_different_length(one: int, other: int, difference: str) -> None:
    sheets = [Sheet(("a", "b"), (TURN,) * count) for count in (one, other)]
    assert show(find_first_difference(*sheets)) == difference
