"""Pinned texts of random games, many with errors: replay, recount and conversion. Also sheets and tile sets."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tdapp.scrabble import coordinates
from tdapp.scrabble.board import RACK_SIZE, Board, TurnTilePlacement, read_written_word
from tdapp.scrabble.coordinates import Direction, WordStart
from tdapp.scrabble.gcg import encode_gcg, read_gcg
from tdapp.scrabble.gcg_check import convert_to_gcg_game, recompute_game, split_gcg_game_into_sheet_and_events
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.replay import ReplayRules, replay_sheet
from tdapp.scrabble.sheet import ScoreSheetError, TurnKind, find_first_sheet_difference, parse_sheet, swap_players
from tdapp.scrabble.tiles import BLANK, TileSet, TileSetError, replace_lower_case_tile_with_blank
from tdapp.scrabble.tiles import parse_tileset as parse_tiles
from tests.pinned import format_value, read_pinned_lines
from tests.scrabble.tile_sets import load_tile_set

SETS = ("en", "nl", "no", "de")
REPLAY_RULES = (ReplayRules(), ReplayRules(40, 0, pass_with_tiles=False))
NOT_PLAYS = ("pass", "exchange", "withdrawn", "lost-turn", "failed-challenge")


def draw_legal_play(
    rng: Random, board: Board, rack: list[str], tiles: TileSet
) -> tuple[str, str, TurnTilePlacement, int] | None:
    """Return the square, word, tiles and score of a legal play of random letters."""
    for _ in range(400):
        direction, length = rng.choice(list(Direction)), rng.randint(2, 9)
        row, column = (8, rng.randint(4, 8)) if board.is_empty else (rng.randint(1, 15), rng.randint(1, 15))
        letters = iter(rng.sample(rack, len(rack)))
        word = ""
        for step in range(length):
            down = direction is Direction.DOWN
            is_occupied = board.get_tile(row + step * down, column + step * (not down))
            tile = "." if is_occupied else next(letters, "")
            word += rng.choice("eas") if tile == BLANK else f"[{tile}]" if len(tile) > 1 else tile
        try:
            plays = board.find_legal_plays_starting_at(row, column, read_written_word(word, tiles), tiles)
        except ScrabbleError:
            continue
        for play in plays:
            if play.placement.direction is direction:
                square = coordinates.format_square_notation(WordStart(row, column, direction))
                return square, word, play.placement, play.score
    return None


def make_random_document(rng: Random, tiles: TileSet, turns: int, errors: float) -> dict[str, Any]:
    """Return a sheet of two players with one bag and random errors."""
    bag = list(tiles.list_remaining_tiles(()))
    rng.shuffle(bag)
    racks = [[bag.pop() for _ in range(RACK_SIZE)] for _ in range(2)]
    board, totals, turns_of_sheet = Board(), [0, 0], []
    for number in range(turns):
        player = number % 2
        turn: dict[str, Any] = {"player": player + 1, "kind": "play"}
        play_found = draw_legal_play(rng, board, racks[player], tiles) if rng.random() > 0.2 else None
        if play_found is None:
            turn["kind"] = rng.choice(NOT_PLAYS)
            turn |= {"tiles": rng.randint(1, 7)} if turn["kind"] == "exchange" else {}
        else:
            square, word, placement, score = play_found
            turn |= {"at": square, "word": word, "score": score, "rack": tiles.format_tiles(racks[player])}
            board = board.place_tiles(placement.tiles)
            for tile in placement.tiles:
                racks[player].remove(replace_lower_case_tile_with_blank(tile.tile))
            racks[player] += [bag.pop() for _ in placement.tiles if bag]
            totals[player] += score
            turn["total"] = totals[player]
        if rng.random() < errors:
            add_error(rng, turn)
        turns_of_sheet.append(turn)
    ended = rng.choice(["out", "passes", "blocked", "time", "open"])
    rack_texts = [tiles.format_tiles(rack) for rack in racks]
    has_error = rng.random() < errors
    racks_field = {
        "racks": [rack_texts[0], rack_texts[1] + "EE" if has_error else ""] if ended == "out" else rack_texts
    }
    return {
        "players": ["Ann: A", "Ann A" if has_error else "Bo"],
        "turns": turns_of_sheet,
        "ended": ended,
        **racks_field,
    }


def add_error(rng: Random, turn: dict[str, Any]) -> None:
    changes: list[dict[str, Any]] = [{"player": 3 - turn["player"]}, {"score": 3}]
    if turn["kind"] == "play":
        square = turn["at"]
        changes += [{"score": turn["score"] + 1}, {"total": turn["total"] - 1}, {"score": None}, {"total": None}]
        changes += [{"at": f"{square}?"}, {"at": "O15"}, {"at": "15O"}, {"at": "A1"}, {"at": "Z9"}, {"at": "1A"}]
        changes += [{"at": square[::-1] if len(square) == 2 else "H8"}, {"at": None}, {"word": f"{turn['word']}E"}]
        changes += [{"word": turn["word"].replace(".", "E")}, {"word": "("}, {"word": "E7"}, {"word": "..."}]
        changes += [{"rack": "EE"}, {"rack": "7"}, {"rack": "EEEEEEE"}, {"kind": "withdrawn"}]
    turn |= rng.choice(changes)


def generate_replay_lines(document: dict[str, Any], tiles: TileSet, replay_rules: ReplayRules) -> Iterator[str]:
    """Yield the replayed turns, the end, the GCG file, and the sheet read from this file."""
    score_sheet = parse_sheet(document)
    replay = replay_sheet(score_sheet, tiles, replay_rules)
    for turn, line in zip(score_sheet.turns, replay.lines, strict=True):
        words = line.play and [
            (word.text, coordinates.format_square_notation(word.start), word.score) for word in line.play.words
        ]
        line_facts = (line.score, line.total, line.bag, line.words, words or (), line.issues)
        yield f"  {format_value(turn)} => {format_value(line_facts)}"
    end = (replay.totals, replay.issues, replay.rack_values, replay.unplayed_tiles)
    yield f"  end {document['ended']} {format_value(end)}"
    try:
        gcg_game = convert_to_gcg_game(
            score_sheet, replay, tiles, notes={2: "ruled"}, time_points=(0, -10), closing_note="books"
        )
        game_read, issues = read_gcg(encode_gcg(gcg_game))
    except ScrabbleError as error:
        yield f"  no file: {error.code} {error.detail}"
        return
    yield from (f"  | {line}" for line in encode_gcg(gcg_game).decode().splitlines())
    recount = recompute_game(game_read, tiles)
    turn_scores = [turn.score for turn in recount.turns]
    yield f"  recount {format_value((issues, recount.scores, turn_scores, recount.issues))}"
    sheet_read, left_over = split_gcg_game_into_sheet_and_events(game_read, tiles)
    difference = find_first_sheet_difference(score_sheet, sheet_read)
    sheet_facts = (sheet_read.first, sheet_read.racks, sheet_read.ended, left_over)
    yield f"  back {format_value(sheet_facts)} {format_value(difference)}"


def generate_game_lines(name: str) -> Iterator[str]:
    tiles = load_tile_set(name)
    for number in range(6):
        rng, is_long = Random(f"{name}{number}"), number == 5
        document = make_random_document(rng, tiles, 44 if is_long else rng.randint(3, 9), 0.05 if is_long else 0.5)
        yield f"game {number}"
        yield from generate_replay_lines(document, tiles, REPLAY_RULES[number % 2])


@pytest.mark.parametrize("name", SETS)
def test_pinned_games(name: str) -> None:
    new_lines, pinned_lines = read_pinned_lines(__file__, f"games-{name}", generate_game_lines(name))
    assert new_lines == pinned_lines


@pytest.mark.parametrize("name", SETS)
def test_swap_players_twice_changes_nothing(name: str) -> None:
    tiles, rng = load_tile_set(name), Random(7)
    score_sheet = parse_sheet(make_random_document(rng, tiles, 12, 0) | {"overtime_seconds": [5, 70], "first": 1})
    swapped = swap_players(score_sheet)
    assert swap_players(swapped) == score_sheet != swapped
    assert (
        replay_sheet(swapped, tiles, REPLAY_RULES[0]).totals
        == replay_sheet(score_sheet, tiles, REPLAY_RULES[0]).totals[::-1]
    )
    assert (
        replay_sheet(swapped, tiles, REPLAY_RULES[0]).rack_values
        == replay_sheet(score_sheet, tiles, REPLAY_RULES[0]).rack_values[::-1]
    )
    assert swapped.first == 2
    assert (swapped.overtime_seconds, swapped.racks) == ((70, 5), (score_sheet.racks or ())[::-1])


# --- sheet and tile set documents, with values on both sides of each limit

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
FIELD_COMBINATIONS: list[dict[str, Any]] = [
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


def format_parsed_sheet(document: object) -> str:
    try:
        return format_value(parse_sheet(document))
    except ScoreSheetError as error:
        return " | ".join(error.problems)


def generate_documents() -> Iterator[tuple[str, object]]:
    for key, values in TURN_FIELDS.items():
        for value in values:
            yield f"turn {key}={value!r}", {**PLAIN, "turns": [{**PLAY, key: value}]}
    for kind in TurnKind:
        for turn_fields in KIND_FIELDS:
            yield (
                f"turn {kind.value} {turn_fields}",
                {**PLAIN, "turns": [{"player": 2, "kind": kind.value, **turn_fields}]},
            )
    for key, values in SHEET_FIELDS.items():
        for value in values:
            yield f"{key}={value!r}", {**PLAIN, key: value}
    for fields in FIELD_COMBINATIONS:
        yield str(fields), {**PLAIN, **fields}
    for document in ({}, 3, {"players": ["a", "b"]}):
        yield repr(document), document


def test_pinned_sheet_documents() -> None:
    new_lines, pinned_lines = read_pinned_lines(
        __file__,
        "sheets",
        (f"{name} => {format_parsed_sheet(score_sheet)}" for name, score_sheet in generate_documents()),
    )
    assert new_lines == pinned_lines


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


def format_parsed_set(document: dict[str, Any]) -> str:
    try:
        tile_set = parse_tiles(document)
    except TileSetError as error:
        return " | ".join(error.problems)
    counts = format_value(tile_set.tile_counts)
    first_tiles = tile_set.format_tiles(tile_set.list_remaining_tiles(()))[:20]
    return f"{tile_set} {tile_set.tile_count} {counts} {first_tiles}"


def test_pinned_tile_set_documents() -> None:
    rows = [
        f"{key}={value!r} => {format_parsed_set({**A_SET, key: value})}"
        for key, values in SET_FIELDS.items()
        for value in values
    ]
    new_lines, pinned_lines = read_pinned_lines(__file__, "tilesets", rows)
    assert new_lines == pinned_lines
