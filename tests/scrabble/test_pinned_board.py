"""What lies, may be laid and is written: boards, squares, words, racks and files by lot, pinned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.scrabble import coordinates, notation
from tdapp.scrabble.board import Board, Laid, Placement, missing_tiles
from tdapp.scrabble.coordinates import Convention, Direction
from tdapp.scrabble.gcg import EventKind, GcgEvent, GcgGame, GcgPlayer, Pragma, add_totals
from tdapp.scrabble.gcg_check import recount_game
from tdapp.scrabble.gcg_sheet import to_sheet
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.notation import WrittenSquare
from tdapp.scrabble.sheet import Sheet, Turn, TurnKind, first_difference
from tdapp.scrabble.tiles import Letter, TileSet
from tests.pinned import pinned, told
from tests.scrabble.sets import laid, tileset

OLD = (Letter("A", 2, 1), Letter("I", 2, 1), Letter("IJ", 1, 4), Letter("J", 1, 4), Letter("Q", 0, 9))
SETS = {"en": tileset("en"), "no": tileset("no"), "old": TileSet("old", "Old", "nl", OLD, 1)}


def tried(work: Callable[[], object]) -> str:
    try:
        return told(work())
    except (ScrabbleError, ValueError) as error:
        return f"{type(error).__name__} {error}"


def squares() -> Iterator[str]:
    texts = ["8H", "H8", "h8", "8h", "1A", "A1", "15O", "O15", "0A", "A0", "16A", "A16", "P8"]
    texts += ["8P", "H8?", "?H8", "HM5", "VM5", "G2w", "G2s", "M5→", "M5↓", "5M→", "H8H", "V8H", "H08", "H008"]
    texts += [" 8 H ", "", "88", "HH8H"]
    for convention in Convention:
        for text in texts:
            yield f"{convention.value} {text!r} {tried(partial(coordinates.read_square, text, convention))}"
        for row, column in ((1, 1), (1, 15), (15, 2), (8, 9)):
            for direction in (None, *Direction):
                at = coordinates.At(row, column, direction)
                text = coordinates.write_square(at, convention)
                yield f"{convention.value} {at} writes {text}"
                assert coordinates.read_square(text, convention) == at


def test_squares_are_read_and_written_as_pinned() -> None:
    made, kept = pinned(__file__, "squares", squares())
    assert made == kept


def words() -> Iterator[str]:
    texts = ["AI", "aI", "A*I", "A*", "(A)I", "A(I", "A)I", "((A))", "()", ".A", "..", "?A", "A?", "IJ"]
    texts += ["[IJ]", "ij", "IJ*", "[I]J", "A[", "[A", "[]A", "[Q]", "Q", "7", "ÅA", "(.)A", "(ij)", "*A"]
    texts += ["", " A I ", "A\u030aA"]
    for name, tiles in SETS.items():
        for text in texts:
            marks = tried(partial(notation.read_word, text, tiles))
            read = tried(partial(tiles.read, text))
            yield f"{name} {text!r} {marks} | {read}"
            if not read.startswith(("Scrabble", "()")):
                found = tiles.read(text)
                over = tiles.over_used((*found, *found, *found))
                yield f"  {tiles.write(found)} {tiles.value(found)} {told(over)} {told(tiles.left(found)[-5:])}"
                yield f"  {tried(partial(tiles.order, found[0]))}"
    yield notation.write_word([WrittenSquare("A", False), WrittenSquare("IJ", False), WrittenSquare("", True)])


def test_words_and_tiles_are_read_as_pinned() -> None:
    made, kept = pinned(__file__, "words", words())
    assert made == kept


def boards() -> Iterator[str]:
    tiles = SETS["en"]
    _, full = laid(("8G", "CAT"), ("J8", "SOWN"), tiles=tiles)
    full = full.lay([Laid(1, 1, "A"), Laid(15, 14, "X"), Laid(2, 15, "e")])
    rng = Random(3)
    for number in range(140):
        board = Board() if number % 4 == 0 else full
        near = 8 if rng.random() < 0.8 else rng.choice([1, 15])
        row, column = near + rng.randint(-2, 3), near + rng.randint(-2, 3)
        direction = rng.choice([*Direction, None])
        down = direction is Direction.DOWN
        new = []
        for step in range(rng.choice([0, 1, 1, 2, 3, 3, 7, 8])):
            drift = rng.random() < 0.08
            new.append(Laid(row + step * down + drift, column + step * (not down), rng.choice("AEst")))
        if direction is not None and rng.random() < 0.7:
            new = [one for one in new if not board.at(one.row, one.column)]
        placement = Placement(tuple(new), direction)
        faults = board.faults(placement)
        play = tried(partial(board.play, placement, tiles, bonus=40))
        yield f"{number % 4 == 0:d} {told([tuple(one) for one in new])} {direction} {told(faults)} {play}"
        marks = [WrittenSquare(one.tile, rng.random() < 0.1) for one in new]
        row, column = min(max(row, 1), 15), min(max(column, 1), 15)
        if marks and direction is not None:
            yield f"  {told(board.resolve(row, column, direction, marks))}"
            plays = board.directions(row, column, marks, tiles)
            yield f"  {told([play.score for play in plays])}"


def test_what_may_be_laid_is_pinned() -> None:
    made, kept = pinned(__file__, "boards", boards())
    assert made == kept


@pytest.mark.parametrize(
    ("placed", "rack", "missing"),
    [
        ("AB", "AB", ""), ("AB", "A", "B"), ("ab", "?", "?"), ("bA", "", "A?"),
        ("BAa", "", "AB?"), ("AA", "A", "A"),
        ("AaZ", "?Z", "A"), ("", "A", ""),
    ],
)  # fmt: skip
def test_what_is_missing_comes_in_order_with_blanks_last(placed: str, rack: str, missing: str) -> None:
    placement = Placement(tuple(Laid(1, at, tile) for at, tile in enumerate(placed, 1)))
    assert "".join(missing_tiles(placement, rack)) == missing


def files() -> Iterator[str]:
    """Events in any order, most of which cannot have been: each kind after each other."""
    rng, tiles = Random(5), SETS["en"]
    plays = [("8G", "CAT", 10), ("J8", "SOWN", 21), ("8G", "...S", 6), ("H7", "BA.", 5), ("8", "CAT", 10)]
    plays.append(("G8?", "AT", 4))
    for number in range(45):
        count = rng.choice([2, 2, 2, 3])
        events = []
        for place in range(rng.randint(2, 8)):
            player = 1 + (place % count if rng.random() < 0.8 else rng.randrange(count))
            kind = rng.choice([EventKind.PLAY, EventKind.PLAY, EventKind.PLAY, *EventKind])
            event = GcgEvent(player, kind, rng.choice([0, 0, 2, -2, 5, 8, -10, -21]))
            rack = rng.choice(["", "CATS", "SOWNERA", "ABCDEFGH", "A7", "CAT", "??"])
            if kind is EventKind.PLAY:
                at, word, points = plays[min(place, 5)] if rng.random() < 0.8 else rng.choice(plays)
                event = GcgEvent(player, kind, points + rng.choice([0, 0, 1]), 0, rack, at, word)
            elif kind is not EventKind.PASS:
                held = rng.choice(["AE", "3", "AEQ", "", "CATS", "7?"])
                event = GcgEvent(player, kind, event.points, 0, rack, tiles=held)
            events.append(event)
        summed = list(add_totals(events))
        if rng.random() < 0.3:
            at_ = rng.randrange(len(summed))
            summed[at_] = replace(summed[at_], total=summed[at_].total + 1)
        same = "A" if rng.random() < 0.2 else "B"
        people = tuple(GcgPlayer(nick, nick * 2) for nick in ("A", same, "C")[:count])
        notes = [Pragma("rack1", rng.choice(["Z Z", "AE"]), rng.choice([1, len(summed)])), Pragma("note", "x", 1)]
        if rng.random() < 0.2:
            notes.append(Pragma("orientation", rng.choice(["lettered_rows", "numbered-rows", "Lettered-Rows"])))
        made = GcgGame(people, tuple(summed), tuple(notes))
        found = recount_game(made, tiles)
        yield f"{number} {told([told(one) for one in summed])} {told(notes)}"
        turns = [(one.score, one.total) for one in found.turns]
        yield f"  {told(turns)} {told(found.scores)} {''.join(found.board.tiles)} {told(found.issues)}"
        sheet, left = to_sheet(made, tiles)
        yield f"  {told(sheet)} {told(left)}"


def test_files_of_events_in_any_order_are_recounted_as_pinned() -> None:
    made, kept = pinned(__file__, "files", files())
    assert made == kept


TURNS = [
    Turn(1, TurnKind.PLAY, "8H", "AB", 4, 4), Turn(2, TurnKind.PLAY, "8H", "AB", 4, 4), Turn(1, TurnKind.PASS),
    Turn(1, TurnKind.PLAY, "8h", "a b", 4, 4), Turn(1, TurnKind.PLAY, "H8", "AB", 4, 4),
    Turn(1, TurnKind.PLAY, None, "AB", None, 4), Turn(1, TurnKind.PLAY, "8H", "AB", 5, 4),
    Turn(1, TurnKind.PLAY, "8H", "AB", 4, 5), Turn(1, TurnKind.PLAY, "8H", "ABC", 4, 4),
    Turn(1, TurnKind.EXCHANGE, tiles=2), Turn(1, TurnKind.EXCHANGE, tiles=3),
]  # fmt: skip


def differences() -> Iterator[str]:
    for at, one in enumerate(TURNS):
        for place, two in enumerate(TURNS):
            sheets = [Sheet(("a", "b"), (TURNS[0], turn)) for turn in (one, two)]
            yield f"{at} {place} {told(first_difference(*sheets))}"
    for one_count in range(4):
        for two_count in range(4):
            sheets = [Sheet(("a", "b"), tuple(TURNS[:count])) for count in (one_count, two_count)]
            yield f"{one_count}/{two_count} {told(first_difference(*sheets))}"


def test_where_two_sheets_differ_first_is_pinned() -> None:
    made, kept = pinned(__file__, "differences", differences())
    assert made == kept
