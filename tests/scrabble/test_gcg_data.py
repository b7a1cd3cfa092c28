"""The collection of annotated games: every file recomputes, deviates or is refused as its manifest says.

`test_gcg` has small files of our own for each of these cases.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tdapp.scrabble.gcg import GcgError, GcgEventKind, GcgGame, read_gcg, write_gcg
from tdapp.scrabble.gcg_check import RecomputedEvent, RecomputedGame, guess_tileset, recompute_game
from tests.data_events import find_data_folder
from tests.scrabble.tile_sets import tileset

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
def folder() -> Path:
    return find_data_folder() / "gcg"


def recounted(data: bytes) -> tuple[GcgGame, list[str], RecomputedGame]:
    """Return a game, the warnings of its reading, and its recount with the tile set that fits."""
    game, warnings = read_gcg(data)
    fitting = guess_tileset(game, [tileset(name) for name in ("en", "de", "nl", "no")])
    return game, [issue.code for issue in warnings], recompute_game(game, fitting)


def facts(game: GcgGame, turn: RecomputedEvent) -> dict[str, Any]:
    """Return what `expected.jsonl` says of an event, from our own recount."""
    told: dict[str, Any] = {
        "line": turn.event.line,
        "player": game.players[turn.event.player - 1].nick,
        "type": turn.event.kind,
        "delta": turn.score,
        "cum": turn.total,
    }
    if turn.placement is not None:
        told |= {"words": [word.text for word in turn.words], "new_tiles": [list(t) for t in turn.placement.tiles]}
    return told


@pytest.mark.slow
def test_recompute_game_of_each_collected_game(folder: Path) -> None:
    expected: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (folder / "expected.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        expected[event["file"]].append(event | {"type": KINDS[event["type"]]})
    names = {path.name for path in (folder / "ok").iterdir()}
    assert names == set(expected)
    events = 0
    for name in sorted(names):
        game, warnings, result = recounted((folder / "ok" / name).read_bytes())
        assert (name, warnings, result.issues) == (name, [], ())
        found = [facts(game, turn) for turn in result.turns]
        wanted = [{key: event[key] for key in told} for event, told in zip(expected[name], found, strict=True)]
        assert found == wanted, name
        events += len(found)
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


def test_recompute_game_of_deviating_games_has_turn_and_figures(folder: Path) -> None:
    assert {path.name for path in (folder / "deviating").iterdir()} == set(DEVIATING)
    for name, wanted in DEVIATING.items():
        game, _, result = recounted((folder / "deviating" / name).read_bytes())
        found = [(issue.line, issue.code, issue.stated, issue.computed, issue.detail) for issue in result.issues]
        assert (name, found) == (name, wanted)
        assert all(issue.turn and game.events[issue.turn - 1].line == issue.line for issue in result.issues)


MALFORMED = {  # the first issue of each; in capitals: refused
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


def first_said(data: bytes) -> tuple[str, int | None]:
    try:
        game, warnings = read_gcg(data)
    except GcgError as error:
        return error.code.upper(), error.line
    first = (*warnings, *recompute_game(game, tileset("en")).issues)[0]
    return first.code, first.line


def test_read_gcg_refuses_or_warns_about_malformed_files(folder: Path) -> None:
    files = {path.stem.rpartition("__")[2]: path for path in (folder / "malformed").iterdir()}
    assert {name: first_said(path.read_bytes()) for name, path in files.items()} == MALFORMED


def test_write_gcg_round_trip_of_each_readable_file(folder: Path) -> None:
    done = 0
    for path in sorted(folder.glob("*/*.gcg")):
        try:
            game, _ = read_gcg(path.read_bytes())
        except GcgError:
            continue
        assert read_gcg(write_gcg(game))[0] == game, path.name
        done += 1
    assert done == 54
