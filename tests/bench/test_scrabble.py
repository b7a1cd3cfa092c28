"""Benchmarks of boards, sheets and annotated games. The limits apply only with --benchmark-enable."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.scrabble.gcg import read_gcg
from tdapp.scrabble.gcg_check import recompute_game
from tdapp.scrabble.replay import ReplayRules, replay_sheet
from tdapp.scrabble.sheet import parse_sheet
from tests.scrabble.test_replay import make_full_board_turns
from tests.scrabble.tile_sets import load_tile_set

PLAYS = 14  # of seven tiles each: as many tiles as a game has


@pytest.mark.bench
def test_replay_sheet_of_a_whole_game(benchmark: BenchmarkFixture) -> None:
    sheet = parse_sheet({"players": ["Ann", "Bo"], "turns": make_full_board_turns("QZ"), "ended": "out"})
    result = benchmark(replay_sheet, sheet, load_tile_set("en"), ReplayRules())
    assert (len(result.lines), result.issues) == (PLAYS, ())
    if benchmark.stats:
        assert benchmark.stats.stats.median < 0.050  # the sheet is replayed at every key


@pytest.mark.bench
def test_recompute_game_of_a_whole_file(benchmark: BenchmarkFixture) -> None:
    lines = [
        f">{'AB'[n % 2]}: {line['word']} {line['at']} {line['word']} +0 0"
        for n, line in enumerate(make_full_board_turns("QZ"))
    ]
    data = "\n".join(["#player1 A Ann", "#player2 B Bo", *lines]).encode()
    result = benchmark(lambda: recompute_game(read_gcg(data)[0], load_tile_set("en")))
    assert [issue.code for issue in result.issues] == ["score-differs"] * PLAYS
    if benchmark.stats:
        assert benchmark.stats.stats.median < 0.050
