"""Pinned texts of random games, many with errors: replay, recount and conversion; sheets and tile sets."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tdapp.scrabble import coordinates
from tdapp.scrabble.board import RACK_SIZE, Board, Placement, read_written_word
from tdapp.scrabble.coordinates import Direction, WordStart
from tdapp.scrabble.gcg import read_gcg, write_gcg
from tdapp.scrabble.gcg_check import convert_to_gcg_game, convert_to_sheet, recompute_game
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.replay import ReplayRules, replay_sheet
from tdapp.scrabble.sheet import SheetError, TurnKind, find_first_difference, parse_sheet, swap_players
from tdapp.scrabble.tiles import BLANK, TileSet, TileSetError, get_bag_tile
from tdapp.scrabble.tiles import parse_tileset as parse_tiles
from tests.pinned import read_pinned_lines, show
from tests.scrabble.tile_sets import tileset

SETS = ("en", "nl", "no", "de")
TERMS = (ReplayRules(), ReplayRules(40, 0, pass_with_tiles=False))
NOT_PLAYS = ("pass", "exchange", "withdrawn", "lost-turn", "failed-challenge")


def laid(rng: Random, board: Board, rack: list[str], tiles: TileSet) -> tuple[str, str, Placement, int] | None:
    """Return a legal play of random letters: square, written word, tiles and score."""
    for _ in range(400):
        direction, length = rng.choice(list(Direction)), rng.randint(2, 9)
        row, column = (8, rng.randint(4, 8)) if board.is_empty else (rng.randint(1, 15), rng.randint(1, 15))
        letters = iter(rng.sample(rack, len(rack)))
        word = ""
        for step in range(length):
            down = direction is Direction.DOWN
            lies = board.get_tile(row + step * down, column + step * (not down))
            tile = "." if lies else next(letters, "")
            word += rng.choice("eas") if tile == BLANK else f"[{tile}]" if len(tile) > 1 else tile
        try:
            plays = board.find_legal_plays(row, column, read_written_word(word, tiles), tiles)
        except ScrabbleError:
            continue
        for play in plays:
            if play.placement.direction is direction:
                at = coordinates.write_square(WordStart(row, column, direction))
                return at, word, play.placement, play.score
    return None


def game(rng: Random, tiles: TileSet, turns: int, errors: float) -> dict[str, Any]:
    """Return a sheet of two players with one bag, with random errors."""
    bag = list(tiles.list_remaining_tiles(()))
    rng.shuffle(bag)
    racks = [[bag.pop() for _ in range(RACK_SIZE)] for _ in range(2)]
    board, totals, written = Board(), [0, 0], []
    for number in range(turns):
        player = number % 2
        turn: dict[str, Any] = {"player": player + 1, "kind": "play"}
        found = laid(rng, board, racks[player], tiles) if rng.random() > 0.2 else None
        if found is None:
            turn["kind"] = rng.choice(NOT_PLAYS)
            turn |= {"tiles": rng.randint(1, 7)} if turn["kind"] == "exchange" else {}
        else:
            at, word, placement, score = found
            turn |= {"at": at, "word": word, "score": score, "rack": tiles.write_tiles(racks[player])}
            board = board.place_tiles(placement.tiles)
            for tile in placement.tiles:
                racks[player].remove(get_bag_tile(tile.tile))
            racks[player] += [bag.pop() for _ in placement.tiles if bag]
            totals[player] += score
            turn["total"] = totals[player]
        if rng.random() < errors:
            spoil(rng, turn)
        written.append(turn)
    ended = rng.choice(["out", "passes", "blocked", "time", "open"])
    noted = [tiles.write_tiles(rack) for rack in racks]
    spoilt = rng.random() < errors
    more = {"racks": [noted[0], noted[1] + "EE" if spoilt else ""] if ended == "out" else noted}
    return {"players": ["Ann: A", "Ann A" if spoilt else "Bo"], "turns": written, "ended": ended, **more}


def spoil(rng: Random, turn: dict[str, Any]) -> None:
    wrong: list[dict[str, Any]] = [{"player": 3 - turn["player"]}, {"score": 3}]
    if turn["kind"] == "play":
        at = turn["at"]
        wrong += [{"score": turn["score"] + 1}, {"total": turn["total"] - 1}, {"score": None}, {"total": None}]
        wrong += [{"at": f"{at}?"}, {"at": "O15"}, {"at": "15O"}, {"at": "A1"}, {"at": "Z9"}, {"at": "1A"}]
        wrong += [{"at": at[::-1] if len(at) == 2 else "H8"}, {"at": None}, {"word": f"{turn['word']}E"}]
        wrong += [{"word": turn["word"].replace(".", "E")}, {"word": "("}, {"word": "E7"}, {"word": "..."}]
        wrong += [{"rack": "EE"}, {"rack": "7"}, {"rack": "EEEEEEE"}, {"kind": "withdrawn"}]
    turn |= rng.choice(wrong)


def shown(document: dict[str, Any], tiles: TileSet, terms: ReplayRules) -> Iterator[str]:
    """Yield the turns of a sheet with their replay, its end, its GCG file and the sheet from this file."""
    plain = parse_sheet(document)
    found = replay_sheet(plain, tiles, terms)
    for turn, line in zip(plain.turns, found.lines, strict=True):
        words = line.play and [
            (word.text, coordinates.write_square(word.start), word.score) for word in line.play.words
        ]
        what = (line.score, line.total, line.bag, line.words, words or (), line.issues)
        yield f"  {show(turn)} => {show(what)}"
    end = (found.totals, found.issues, found.rack_values, found.unplayed_tiles)
    yield f"  end {document['ended']} {show(end)}"
    try:
        made = convert_to_gcg_game(
            plain, found, tiles, notes={2: "ruled"}, time_points=(0, -10), closing_note="books"
        )
        again, issues = read_gcg(write_gcg(made))
    except ScrabbleError as error:
        yield f"  no file: {error.code} {error.detail}"
        return
    yield from (f"  | {line}" for line in write_gcg(made).decode().splitlines())
    counted = recompute_game(again, tiles)
    yield f"  recount {show((issues, counted.scores, [turn.score for turn in counted.turns], counted.issues))}"
    back, left_over = convert_to_sheet(again, tiles)
    differs = find_first_difference(plain, back)
    yield f"  back {show((back.first, back.racks, back.ended, left_over))} {show(differs)}"


def games(name: str) -> Iterator[str]:
    tiles = tileset(name)
    for number in range(6):
        rng, long = Random(f"{name}{number}"), number == 5
        document = game(rng, tiles, 44 if long else rng.randint(3, 9), 0.05 if long else 0.5)
        yield f"game {number}"
        yield from shown(document, tiles, TERMS[number % 2])


@pytest.mark.parametrize("name", SETS)
def test_pinned_games(name: str) -> None:
    made, kept = read_pinned_lines(__file__, f"games-{name}", games(name))
    assert made == kept


@pytest.mark.parametrize("name", SETS)
def test_swap_players_twice_changes_nothing(name: str) -> None:
    tiles, rng = tileset(name), Random(7)
    plain = parse_sheet(game(rng, tiles, 12, 0) | {"overtime_seconds": [5, 70], "first": 1})
    other = swap_players(plain)
    assert swap_players(other) == plain != other
    assert replay_sheet(other, tiles, TERMS[0]).totals == replay_sheet(plain, tiles, TERMS[0]).totals[::-1]
    assert (
        replay_sheet(other, tiles, TERMS[0]).rack_values == replay_sheet(plain, tiles, TERMS[0]).rack_values[::-1]
    )
    assert other.first == 2
    assert (other.overtime_seconds, other.racks) == ((70, 5), (plain.racks or ())[::-1])


# --- sheets and tile sets as documents, on both sides of each limit

TURN_FIELDS: dict[str, list[Any]] = {
    "player": [0, 1, 2, 3, None, "1", True],
    "kind": ["play", "dance", None, 3],
    "at": ["8H", "", 8],
    "word": ["WORD", "", 5, None],
    "score": [-9999, -10000, 9999, 10000, 0, "4", None, True],
    "total": [-9999, -10000, 9999, 10000, 0, 1.5],
    "tiles": [0, 1, 7, 8],
    "ruling": ["phony", "valid"],
    "wrong_words": [0, 1, 8, 9],
    "words": [0, 1, 8, 9],
    "contested": ["FOUT", "", 3],
    "rack": ["ABC", "", 3],
    "more": [1],
}
SHEET_FIELDS: dict[str, list[Any]] = {
    "players": [[], ["a"], list("ab"), list("abc"), list("abcd"), list("abcde"), ["a", 2], "ab", None],
    "first": [0, 1, 2, 3, None],
    "tileset": ["nl", 3],
    "knockout": [True, False, 1],
    "racks": [["A", "B"], ["A"], ["A", 1], [], "AB"],
    "rack_values": [[1, 2], [1], [0, 86400], [0, 86401], [-1, 0], [True, 1], []],
    "overtime_seconds": [[1, 2], [1], [], [0, 86400], [0, 86401], ["1", 2]],
    "ended": ["out", "forfeit", "flag", "dusk"],
    "flag": [0, 1, 2, 3],
    "forfeit": ["both", "one", 0, 1, 2, 3],
    "turns": [[], [3], {}],
    "other_form": [
        [{"turn": 1}], [{"turn": 0}], [{"turn": 2}], [{}], [{"turn": 1, "score": 9999, "total": -9999}],
        [{"turn": 1, "score": 10000, "total": -10000, "x": 1}],
    ],
    "sanctions": [
        [{"player": 1, "kind": "points", "points": 5, "why": "x"}], [{"player": 2, "kind": "points"}],
        [{"player": 3, "kind": "warning"}], [{"player": 0, "kind": "warning"}], [{}],
        [{"player": 2, "kind": "game", "points": 9999}], [{"player": 1, "kind": "margin", "points": 10000}],
        [{"player": 1, "kind": "points", "points": 0, "why": 3, "x": 1}],
        [{"player": 1, "kind": "margin", "points": -1}],
    ],
    "more": [1],
}  # fmt: skip
PLAY: dict[str, Any] = {"player": 1, "kind": "play", "word": "AB", "score": 4}
PLAIN: dict[str, Any] = {"players": ["a", "b"], "turns": [PLAY]}
BESIDE: list[dict[str, Any]] = [
    {"racks": ["A", "B"], "rack_values": [1, 2]},
    {"ended": "forfeit", "forfeit": 1, "turns": []},
    {"ended": "forfeit", "forfeit": "both", "turns": []},
    {"ended": "forfeit", "forfeit": 2},
    {"ended": "flag", "flag": 2},
    {"ended": "out", "flag": 2},
    {"ended": "out", "forfeit": 2},
    {"turns": [PLAY, PLAY], "other_form": [{"turn": 2}]},
    {"players": ["a", "b", "c", "d"], "racks": list("ABCD"), "first": 4, "turns": [{**PLAY, "player": 4}]},
]
KIND_FIELDS: list[dict[str, Any]] = [{"ruling": "phony"}, {"tiles": 2}, {"contested": "X"}, {"at": "8H"}, {}]


def read_plain(document: object) -> str:
    try:
        return show(parse_sheet(document))
    except SheetError as error:
        return " | ".join(error.problems)


def documents() -> Iterator[tuple[str, object]]:
    for key, values in TURN_FIELDS.items():
        for value in values:
            yield f"turn {key}={value!r}", {**PLAIN, "turns": [{**PLAY, key: value}]}
    for kind in TurnKind:
        for more in KIND_FIELDS:
            yield f"turn {kind.value} {more}", {**PLAIN, "turns": [{"player": 2, "kind": kind.value, **more}]}
    for key, values in SHEET_FIELDS.items():
        for value in values:
            yield f"{key}={value!r}", {**PLAIN, key: value}
    for fields in BESIDE:
        yield str(fields), {**PLAIN, **fields}
    for whole in ({}, 3, {"players": ["a", "b"]}):
        yield repr(whole), whole


def test_pinned_sheet_documents() -> None:
    made, kept = read_pinned_lines(
        __file__, "sheets", (f"{name} => {read_plain(plain)}" for name, plain in documents())
    )
    assert made == kept


A_SET: dict[str, Any] = {"id": "x", "name": "X", "language": "en", "letters": {"A": [2, 1]}}
LETTERS: list[Any] = [
    {}, {"A": [0, 1]}, {"A": [99, 99]}, {"A": [100, 1]}, {"A": [1, 100]}, {"A": [-1, 1]}, {"A": [1, -1]},
    {"A": [1]}, {"A": [1, 2, 3]}, {"A": 1}, {"A": [True, 1]}, {"A": [1, "1"]}, {"a": [1, 1]}, {"1": [1, 1]},
    {"ABCD": [1, 1]}, {"ABCDE": [1, 1]}, {"": [1, 1]}, {"Å": [1, 1]}, {"A\u030a": [1, 1]}, {"ß": [1, 1]},
    {"IJ": [1, 1], "I": [1, 1], "J": [0, 4]}, {"A": (1, 1)}, 3, None,
]  # fmt: skip
SET_FIELDS: dict[str, list[Any]] = {
    "letters": LETTERS,
    "id": [None, "", 3],
    "name": [None, "", 3],
    "language": [None, "", 3],
    "blanks": [None, 0, 1, 99, 100, -1, "2"],
    "lettered_rows": [None, True, False, 1],
    "more": [1],
}


def read_set(document: dict[str, Any]) -> str:
    try:
        found = parse_tiles(document)
    except TileSetError as error:
        return " | ".join(error.problems)
    counts = show(found.tile_counts)
    return f"{found} {found.tile_count} {counts} {found.write_tiles(found.list_remaining_tiles(()))[:20]}"


def test_pinned_tile_set_documents() -> None:
    rows = [
        f"{key}={value!r} => {read_set({**A_SET, key: value})}"
        for key, values in SET_FIELDS.items()
        for value in values
    ]
    made, kept = read_pinned_lines(__file__, "tilesets", rows)
    assert made == kept
