"""Tests with the collection of annotated games.

Each file recomputes, deviates or is refused as expected. `test_gcg` has small files for each case.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tdapp.scrabble.gcg import GcgEventKind, GcgGame, GcgReadError, encode_gcg, read_gcg
from tdapp.scrabble.gcg_check import RecomputedGcgEvent, RecomputedGcgGame, guess_tileset, recompute_game
from tests.data_events import find_data_folder
from tests.scrabble.tile_sets import load_tile_set

pytestmark = pytest.mark.data

KINDS = {
    "play": GcgEventKind.PLAY,
    "withdrawn": GcgEventKind.WITHDRAWN,
    "pass": GcgEventKind.PASS,
    "exchange": GcgEventKind.EXCHANGE,
    "challenge_bonus": GcgEventKind.CHALLENGE,
    "time": GcgEventKind.TIME,
    "end_rack_bonus": GcgEventKind.END_BONUS,
    "end_rack_penalty": GcgEventKind.END_PENALTY,
}


@pytest.fixture(scope="module")
def gcg_folder() -> Path:
    return find_data_folder() / "gcg"


def recount_game(data: bytes) -> tuple[GcgGame, list[str], RecomputedGcgGame]:
    """Return a game, the warnings of its file, and the recount with the fitting tile set."""
    game, warnings = read_gcg(data)
    tile_set = guess_tileset(game, [load_tile_set(name) for name in ("en", "de", "nl", "no")])
    return game, [issue.code for issue in warnings], recompute_game(game, tile_set)


def list_event_facts(game: GcgGame, turn: RecomputedGcgEvent) -> dict[str, Any]:
    """Return the facts of an event in the form of `expected.jsonl`, from the recount."""
    event_facts: dict[str, Any] = {
        "line": turn.event.line,
        "player": game.players[turn.event.player - 1].nick,
        "type": turn.event.kind,
        "delta": turn.score,
        "cum": turn.total,
    }
    if turn.placement is not None:
        event_facts |= {
            "words": [word.text for word in turn.words],
            "new_tiles": [list(tile) for tile in turn.placement.tiles],
        }
    return event_facts


@pytest.mark.slow
def test_recompute_game_of_each_collected_game(gcg_folder: Path) -> None:
    expected_events: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (gcg_folder / "expected.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        expected_events[event["file"]].append(event | {"type": KINDS[event["type"]]})
    names = {path.name for path in (gcg_folder / "ok").iterdir()}
    assert names == set(expected_events)
    events = 0
    for name in sorted(names):
        game, warnings, result = recount_game((gcg_folder / "ok" / name).read_bytes())
        assert (name, warnings, result.issues) == (name, [], ())
        computed = [list_event_facts(game, turn) for turn in result.turns]
        expected_facts = [
            {key: event[key] for key in event_facts}
            for event, event_facts in zip(expected_events[name], computed, strict=True)
        ]
        assert computed == expected_facts, name
        events += len(computed)
    assert events == 416


DEVIATING = {
    "jvc56__MAGPIE-DATA__time_penalty_before_rack_penalties.gcg": [(16, "total-differs", -6, -26, "")],
    "jvc56__MAGPIE-DATA__time_penalty_between_rack_penalties.gcg": [(18, "total-differs", -16, -36, "")],
    "quackle__quackle__multiplayer-crash.gcg": [
        (line, "tile-not-on-rack", None, None, tiles)
        for line, tiles in zip(
            (7, 8, 9, 13, 15, 16, 18, 19, 20),
            ("F", "AN", "AGKW", "X", "EN", "QT", "V", "N", "GINSS"),
            strict=True,
        )
    ],
    "scrabscrap__scrabble-scraper-v2__nu19_stefan-hanns.gcg": [(28, "score-differs", 32, 22, "")],
    "quackle__quackle__consonant_heaviness_tendency.gcg": [
        (line, "total-differs", stated, computed, "")
        for line, (stated, computed) in enumerate(
            [
                (33, 59),
                (60, 67),
                (65, 92),
                (88, 93),
                (96, 119),
                (106, 114),
                (174, 184),
                (176, 244),
                (271, 273),
                (214, 309),
                (304, 247),
                (300, 390),
                (335, 331),
                (329, 364),
                (356, 350),
                (345, 372),
            ],
            4,
        )
    ],
}


def test_recompute_game_of_deviating_games_has_turn_and_figures(gcg_folder: Path) -> None:
    assert {path.name for path in (gcg_folder / "deviating").iterdir()} == set(DEVIATING)
    for name, expected_facts in DEVIATING.items():
        game, _, result = recount_game((gcg_folder / "deviating" / name).read_bytes())
        computed = [
            (issue.line, issue.code, issue.stated, issue.computed, issue.detail) for issue in result.issues
        ]
        assert (name, computed) == (name, expected_facts)
        assert all(issue.turn and game.events[issue.turn - 1].line == issue.line for issue in result.issues)


MALFORMED = {  # the first issue of each file; capitals: refused
    "challenge_bonus_without_play": ("challenge-without-play", 24),
    "duplicate_names": ("duplicate-names", None),
    "empty": ("GCG-EMPTY", None),
    "end_game_event_before_game_end": ("event-after-end", 19),
    "end_points_rack_malformed": ("rack-unreadable", 45),
    "event_after_last_rack": ("event-after-rack", 36),
    "exchange_not_in_rack": ("tile-not-on-rack", 6),
    "game_event_off_turn": ("off-turn", 15),
    "incomplete_after_exchange": ("no-play", None),
    "invalid_phony_tiles_player_index": ("withdrawn-without-play", 22),
    "last_rack1_not_in_bag": ("tile-over-used", None),
    "last_rack_penalty_incorrect": ("score-differs", 17),
    "line_overflow": ("line-too-long", 13),
    "malformed_play": ("letter-unknown", 11),
    "midgame_rack_not_in_bag": ("tile-over-used", 35),
    "move_event_after_game_end": ("event-after-end", 45),
    "note_before_events": ("note-before-events", 4),
    "pass_rack_malformed": ("rack-unreadable", 28),
    "phony_tiles_returned_with_no_play": ("withdrawn-without-play", 35),
    "play_out_of_bounds": ("off-board", 18),
    "player_does_not_exist": ("PLAYER-UNKNOWN", 30),
    "redundant_pragma": ("pragma-repeated", 5),
    "six_pass_last_rack_malformed": ("racks-differ", 16),
    "success_just_last_rack": ("no-play", None),
    "time_penalty_first_event": ("total-differs", 12),
    "unrecognized_game_variant": ("game-type-unknown", 2),
}


def find_first_code(data: bytes) -> tuple[str, int | None]:
    try:
        game, warnings = read_gcg(data)
    except GcgReadError as error:
        return error.code.upper(), error.line
    first = (*warnings, *recompute_game(game, load_tile_set("en")).issues)[0]
    return first.code, first.line


def test_read_gcg_refuses_or_warns_about_malformed_files(gcg_folder: Path) -> None:
    files = {path.stem.rpartition("__")[2]: path for path in (gcg_folder / "malformed").iterdir()}
    assert {name: find_first_code(path.read_bytes()) for name, path in files.items()} == MALFORMED


def test_write_gcg_round_trip_of_each_readable_file(gcg_folder: Path) -> None:
    file_count = 0
    for path in sorted(gcg_folder.glob("*/*.gcg")):
        try:
            game, _ = read_gcg(path.read_bytes())
        except GcgReadError:
            continue
        assert read_gcg(encode_gcg(game))[0] == game, path.name
        file_count += 1
    assert file_count == 54
