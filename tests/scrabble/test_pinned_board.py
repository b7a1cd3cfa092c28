"""Pinned texts of words, tiles and random GCG files. Also missing tiles and differences of sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.scrabble import board
from tdapp.scrabble.board import PlacedTile, TurnTilePlacement, find_tiles_missing_from_rack
from tdapp.scrabble.gcg import GcgEvent, GcgEventKind, GcgGame, GcgPlayer, GcgPragma, add_running_totals
from tdapp.scrabble.gcg_check import recompute_game, split_gcg_game_into_sheet_and_events
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.sheet import Sheet, Turn, TurnKind, find_first_sheet_difference
from tdapp.scrabble.tiles import Letter, TileSet
from tests.pinned import format_value, read_pinned_lines
from tests.scrabble.tile_sets import load_tile_set

OLD_LETTERS = (Letter("A", 2, 1), Letter("I", 2, 1), Letter("IJ", 1, 4), Letter("J", 1, 4), Letter("Q", 0, 9))
SETS = {"en": load_tile_set("en"), "no": load_tile_set("no"), "old": TileSet("old", "Old", "nl", OLD_LETTERS, 1)}


def format_outcome(work: Callable[[], object]) -> str:
    try:
        return format_value(work())
    except (ScrabbleError, ValueError) as error:
        return f"{type(error).__name__} {error}"


def generate_word_lines() -> Iterator[str]:
    texts = ["AI", "aI", "A*I", "A*", "(A)I", "A(I", "A)I", "((A))", "()", ".A", "..", "?A", "A?", "IJ"]
    texts += ["[IJ]", "ij", "IJ*", "[I]J", "A[", "[A", "[]A", "[Q]", "Q", "7", "ÅA", "(.)A", "(ij)", "*A"]
    texts += ["", " A I ", "A\u030aA"]
    for name, tiles in SETS.items():
        for text in texts:
            written_text = format_outcome(partial(board.read_written_word, text, tiles))
            read_text = format_outcome(partial(tiles.parse_tile_text, text))
            yield f"{name} {text!r} {written_text} | {read_text}"
            if not read_text.startswith(("Scrabble", "()")):
                parsed = tiles.parse_tile_text(text)
                overused = format_value(tiles.find_overused_tiles((*parsed, *parsed, *parsed)))
                remaining = format_value(tiles.list_remaining_tiles(parsed)[-5:])
                yield f"  {tiles.format_tiles(parsed)} {tiles.sum_tile_values(parsed)} {overused} {remaining}"
                yield f"  {format_outcome(partial(tiles.find_alphabet_position, parsed[0]))}"


def test_pinned_words() -> None:
    new_lines, pinned_lines = read_pinned_lines(__file__, "words", generate_word_lines())
    assert new_lines == pinned_lines


@pytest.mark.parametrize(
    ("placed_tiles", "rack", "missing"),
    [
        ("AB", "AB", ""), ("AB", "A", "B"), ("ab", "?", "?"), ("bA", "", "A?"),
        ("BAa", "", "AB?"), ("AA", "A", "A"),
        ("AaZ", "?Z", "A"), ("", "A", ""),
    ],
)  # fmt: skip
def test_find_missing_tiles_lists_blanks_last(placed_tiles: str, rack: str, missing: str) -> None:
    placement = TurnTilePlacement(
        tuple(PlacedTile(1, column, tile) for column, tile in enumerate(placed_tiles, 1))
    )
    assert "".join(find_tiles_missing_from_rack(placement, rack)) == missing


def generate_file_lines() -> Iterator[str]:
    rng, tiles = Random(5), SETS["en"]
    plays = [("8G", "CAT", 10), ("J8", "SOWN", 21), ("8G", "...S", 6), ("H7", "BA.", 5), ("8", "CAT", 10)]
    plays.append(("G8?", "AT", 4))
    for number in range(24):
        count = rng.choice([2, 2, 2, 3])
        events = []
        for index in range(rng.randint(2, 8)):
            player = 1 + (index % count if rng.random() < 0.8 else rng.randrange(count))
            kind = rng.choice([GcgEventKind.PLAY, GcgEventKind.PLAY, GcgEventKind.PLAY, *GcgEventKind])
            event = GcgEvent(player, kind, rng.choice([0, 0, 2, -2, 5, 8, -10, -21]))
            rack = rng.choice(["", "CATS", "SOWNERA", "ABCDEFGH", "A7", "CAT", "??"])
            if kind is GcgEventKind.PLAY:
                square, word, points = plays[min(index, 5)] if rng.random() < 0.8 else rng.choice(plays)
                event = GcgEvent(player, kind, points + rng.choice([0, 0, 1]), 0, rack, square, word)
            elif kind is not GcgEventKind.PASS:
                tiles_held = rng.choice(["AE", "3", "AEQ", "", "CATS", "7?"])
                event = GcgEvent(player, kind, event.points, 0, rack, tiles=tiles_held)
            events.append(event)
        events_with_totals = list(add_running_totals(events))
        if rng.random() < 0.3:
            wrong_index = rng.randrange(len(events_with_totals))
            wrong_event = events_with_totals[wrong_index]
            events_with_totals[wrong_index] = replace(wrong_event, total=wrong_event.total + 1)
        nick_of_second = "A" if rng.random() < 0.2 else "B"
        players = tuple(GcgPlayer(nick, nick * 2) for nick in ("A", nick_of_second, "C")[:count])
        notes = [
            GcgPragma("rack1", rng.choice(["Z Z", "AE"]), rng.choice([1, len(events_with_totals)])),
            GcgPragma("note", "x", 1),
        ]
        if rng.random() < 0.2:
            notes.append(GcgPragma("orientation", rng.choice(["lettered_rows", "numbered-rows", "Lettered-Rows"])))
        game = GcgGame(players, tuple(events_with_totals), tuple(notes))
        recomputed = recompute_game(game, tiles)
        event_texts = [format_value(event) for event in events_with_totals]
        yield f"{number} {format_value(event_texts)} {format_value(notes)}"
        turns = [(turn.score, turn.total) for turn in recomputed.turns]
        tiles_on_board = "".join(recomputed.board.tiles_on_board)
        score_text, issue_text = format_value(recomputed.scores), format_value(recomputed.issues)
        yield f"  {format_value(turns)} {score_text} {tiles_on_board} {issue_text}"
        sheet, unused_events = split_gcg_game_into_sheet_and_events(game, tiles)
        yield f"  {format_value(sheet)} {format_value(unused_events)}"


def test_pinned_files() -> None:
    new_lines, pinned_lines = read_pinned_lines(__file__, "files", generate_file_lines())
    assert new_lines == pinned_lines


TURN = Turn(1, TurnKind.PLAY, "8H", "AB", 4, 4)


@pytest.mark.parametrize(
    ("first_turn", "second_turn", "difference"),
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
def test_find_first_difference_of_two_turns(first_turn: Turn, second_turn: Turn, difference: str | None) -> None:
    sheets = [Sheet(("a", "b"), (TURN, turn)) for turn in (first_turn, second_turn)]
    assert format_value(find_first_sheet_difference(*sheets)) == str(difference)


@pytest.mark.parametrize(
    ("first_count", "second_count", "difference"),
    [(0, 1, "(1 kind None play)"), (2, 1, "(2 kind play None)"), (1, 3, "(2 kind None play)"), (2, 2, "None")],
)
def test_find_first_difference_of_sheets_of_different_length(
    first_count: int, second_count: int, difference: str
) -> None:
    sheets = [Sheet(("a", "b"), (TURN,) * count) for count in (first_count, second_count)]
    assert format_value(find_first_sheet_difference(*sheets)) == difference
