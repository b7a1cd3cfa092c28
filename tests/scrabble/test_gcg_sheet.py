"""Tests of the conversion of annotated games to score sheets and back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tdapp.scrabble.gcg import GcgEventKind, GcgGame, encode_gcg, read_gcg
from tdapp.scrabble.gcg_check import (
    convert_to_gcg_game,
    guess_tileset,
    recompute_game,
    split_gcg_game_into_sheet_and_events,
)
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.replay import ReplayedSheet, ReplayRules, replay_sheet
from tdapp.scrabble.sheet import GameEnding, Sheet, TurnKind, parse_sheet
from tdapp.scrabble.tiles import TileSet
from tests.data_events import find_data_folder
from tests.scrabble.test_replay import make_full_board_turns, make_sheet, make_turn
from tests.scrabble.tile_sets import load_tile_set

GAME = b"""#player1 A Ann
#player2 B Bo
>A: CATSXYZ 8G CAT +10 10
>B: OWNERSA J8 SOWN +21 21
>B: OWNERSA -- -21 0
>A: SXYZEEE -XY +0 10
>B: OWNERSA -3 +0 0
>A: SZEEEAA 8G ...S +6 16
>A: (challenge) +5 21
>B: OWNERAA - +0 0
>A: ZEEEAAI (time) -10 11
"""


def replay_plain_sheet(score_sheet: Sheet, tiles: TileSet) -> ReplayedSheet:
    return replay_sheet(score_sheet, tiles, ReplayRules())


def test_convert_to_sheet_of_a_whole_game() -> None:
    score_sheet, left_over = split_gcg_game_into_sheet_and_events(read_gcg(GAME)[0], load_tile_set("en"))
    assert [(line.player, line.kind.value, line.score, line.total, line.tiles) for line in score_sheet.turns] == [
        (1, "play", 10, 10, None),
        (2, "withdrawn", None, None, None),
        (1, "exchange", None, 10, 2),
        (2, "exchange", None, 0, 3),
        (1, "play", 6, 16, None),
        (2, "failed-challenge", None, None, None),
        (2, "pass", None, 0, None),
    ]
    assert (score_sheet.players, score_sheet.first, score_sheet.racks, score_sheet.ended) == (
        ("Ann", "Bo"),
        1,
        None,
        GameEnding.OPEN,
    )
    assert [event.kind for event in left_over] == [GcgEventKind.CHALLENGE, GcgEventKind.TIME]
    assert replay_plain_sheet(score_sheet, load_tile_set("en")).issues == ()


def test_convert_to_sheet_numbers_lettered_rows() -> None:
    game = read_gcg(b"#player1 A A\n#player2 B B\n#orientation lettered-rows\n>A: CAT H7 CAT +10 10\n")[0]
    assert split_gcg_game_into_sheet_and_events(game, load_tile_set("en"))[0].turns[0].at == "8G"


@pytest.mark.parametrize(
    ("lines", "finals"),
    [
        (">B: (EE) +2 22", ()),
        (">B: (EE) +2 32", (None, 32)),
        (">A: EE (EE) -2 9\n>B: (EE) +2 22", (9, None)),
        (">B: (EE) +2 32\n>B: (time) -10 22", (None, 22)),
    ],
)
def test_convert_to_sheet_copies_a_wrong_final_total(lines: str, finals: tuple[int | None, ...]) -> None:
    start = "#player1 A A\n#player2 B B\n>A: CAT 8G CAT +10 10\n>B: OWNS J8 SOWN +20 20\n"
    assert (
        split_gcg_game_into_sheet_and_events(read_gcg(f"{start}{lines}\n".encode())[0], load_tile_set("en"))[
            0
        ].finals
        == finals
    )


def test_convert_to_gcg_game_of_a_whole_sheet() -> None:
    """GCG files give twice the rack to the player who went out. Rulings and totals of the book are notes."""
    score_sheet = parse_sheet(
        make_sheet(*make_full_board_turns("QZ"), ended="out", racks=["QZ??", ""])
        | {"players": ["Ann Example", "Ann Example"]}
    )
    result = replay_plain_sheet(score_sheet, load_tile_set("en"))
    game = convert_to_gcg_game(
        score_sheet, result, load_tile_set("en"), notes={2: "phony"}, time_points=(-10, 0), closing_note="nl: 1 2"
    )
    assert [player.nick for player in game.players] == ["Ann_Example_1", "Ann_Example_2"]
    end, time = game.events[-2:]
    assert (end.player, end.kind, end.points, end.tiles) == (2, GcgEventKind.END_BONUS, 40, "QZ??")
    assert (time.player, time.kind, time.points) == (1, GcgEventKind.TIME, -10)
    assert [(pragma.text, pragma.after) for pragma in game.pragmas] == [("phony", 2), ("nl: 1 2", 16)]
    recount = recompute_game(game, load_tile_set("en"))
    assert recount.issues == ()
    assert recount.scores == (result.totals[0] - 10, result.totals[1] + 40)
    assert read_gcg(encode_gcg(game))[0] == game


def test_convert_to_gcg_game_last_player_to_play_is_out() -> None:
    """After a failed challenge of the last play, the points of the rack go to the player of that play."""
    turns = [*make_full_board_turns("QZ"), make_turn(1, "failed-challenge")]
    score_sheet = parse_sheet(make_sheet(*turns, ended="out", racks=["QZ??", ""]))
    end = convert_to_gcg_game(
        score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en")
    ).events[-1]
    assert (end.kind, end.player, end.points, end.tiles) == (GcgEventKind.END_BONUS, 2, 40, "QZ??")


THREE_TURNS = (
    make_turn(1, "play", "8G", "CAT"),
    make_turn(2, "play", "J8", "SOWN"),
    make_turn(1, "play", "7F", "AS"),
)


@pytest.mark.parametrize(
    ("turns", "fields", "expected_events"),
    [
        (THREE_TURNS, {"racks": ["", "QZ"]}, [(1, GcgEventKind.END_BONUS, 40, "QZ")]),
        (THREE_TURNS, {}, []),
        (THREE_TURNS, {"players": ["A", "B", "C"], "racks": ["", "QZ", "E"]}, [
            (2, GcgEventKind.END_PENALTY, -20, "QZ"), (3, GcgEventKind.END_PENALTY, -1, "E"),
        ]),
        ((make_turn(1, "pass"),), {"racks": ["", "QZ"]}, [(2, GcgEventKind.END_PENALTY, -20, "QZ")]),
    ],
)  # fmt: skip
def test_convert_to_gcg_game_adds_twice_the_rack_of_one_opponent(
    turns: Sequence[dict[str, object]], fields: dict[str, object], expected_events: list[tuple[object, ...]]
) -> None:
    """With more players, or before the first play, each player loses the remaining rack."""
    score_sheet = parse_sheet(make_sheet(*turns, ended="out") | fields)
    events = convert_to_gcg_game(
        score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en")
    ).events[len(turns) :]
    assert [(event.player, event.kind, event.points, event.tiles) for event in events] == expected_events


def test_convert_to_gcg_game_numbers_players_without_a_name() -> None:
    score_sheet = parse_sheet(make_sheet(make_turn(1, "play", "8G", "CAT")) | {"players": ["", " : "]})
    game = convert_to_gcg_game(
        score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en")
    )
    assert [(player.nick, player.name) for player in game.players] == [("player1", "player1"), ("player2", ":")]


def test_convert_to_gcg_game_lists_a_rack_of_blanks_with_zero_points() -> None:
    score_sheet = parse_sheet(make_sheet(*make_full_board_turns("QZ"), ended="passes", racks=["??", "QZ"]))
    game = convert_to_gcg_game(
        score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en")
    )
    events = [(event.player, event.points, event.tiles) for event in game.events[-2:]]
    assert events == [(1, 0, "??"), (2, -20, "QZ")]
    sheet_with_unreadable_rack = parse_sheet(
        make_sheet(*make_full_board_turns("QZ"), ended="passes", racks=["Q9", "QZ"])
    )
    game = convert_to_gcg_game(
        sheet_with_unreadable_rack,
        replay_plain_sheet(sheet_with_unreadable_rack, load_tile_set("en")),
        load_tile_set("en"),
    )
    assert [(event.points, event.tiles) for event in game.events[-2:]] == [(0, "Q9"), (-20, "QZ")]


def test_convert_to_gcg_game_fills_a_missing_rack_with_remaining_tiles() -> None:
    score_sheet = parse_sheet(make_sheet(*make_full_board_turns("QZ"), ended="out"))
    end = convert_to_gcg_game(
        score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en")
    ).events[-1]
    assert (end.kind, end.player, end.points, end.tiles) == (GcgEventKind.END_BONUS, 2, 40, "QZ??")


def test_convert_to_gcg_game_keeps_the_number_of_exchanged_tiles() -> None:
    turns = [
        make_turn(1, "exchange", tiles=3),
        make_turn(2, "exchange"),
        make_turn(1, "exchange", tiles=7, rack="AB C"),
    ]
    score_sheet = parse_sheet(make_sheet(*turns))
    game = convert_to_gcg_game(
        score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en")
    )
    assert [(event.kind, event.player, event.tiles, event.rack) for event in game.events] == [
        (GcgEventKind.EXCHANGE, 1, "3", ""),
        (GcgEventKind.EXCHANGE, 2, "1", ""),
        (GcgEventKind.EXCHANGE, 1, "7", "ABC"),
    ]
    assert read_gcg(encode_gcg(game))[0] == game


def test_convert_to_gcg_game_of_an_open_game_has_no_end() -> None:
    for ended in ("open", None):
        score_sheet = parse_sheet(make_sheet(*make_full_board_turns("QZ"), ended=ended, racks=["Q?", "Z?"]))
        game = convert_to_gcg_game(
            score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en")
        )
        assert {event.kind for event in game.events} == {GcgEventKind.PLAY}


def test_convert_to_gcg_game_deducts_both_racks() -> None:
    score_sheet = parse_sheet(make_sheet(*make_full_board_turns("QZ"), ended="passes", racks=["Q?", "Z?"]))
    game = convert_to_gcg_game(
        score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en")
    )
    assert [(event.player, event.points) for event in game.events[-2:]] == [(1, -10), (2, -10)]


def test_convert_to_gcg_game_writes_letters_on_the_board_as_dots() -> None:
    score_sheet = parse_sheet(
        make_sheet(
            make_turn(1, "play", "8G", "CaT"), make_turn(2, "play", "8G", "CaTS"), make_turn(1, "lost-turn")
        )
    )
    game = convert_to_gcg_game(
        score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en")
    )
    assert [(event.rack, event.at, event.word) for event in game.events] == [
        ("C?T", "8G", "CaT"),
        ("S", "8G", "...S"),
        ("", "", ""),
    ]


@pytest.mark.parametrize("square", [None, "8H?", "Z99"])
def test_convert_to_gcg_game_refuses_a_play_without_a_square(square: str | None) -> None:
    score_sheet = parse_sheet(make_sheet(make_turn(1, "play", square, word="CAT", score=99)))
    with pytest.raises(ScrabbleError, match="coordinate-missing: 1"):
        convert_to_gcg_game(score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en"))


@pytest.mark.parametrize(
    ("kind", "square", "expected_square"),
    [("play", "HM15", "15M"), ("play", "15M→", "15M"), ("withdrawn", "VM5", "M5")],
)
def test_convert_to_gcg_game_square_can_be_read_again(kind: str, square: str, expected_square: str) -> None:
    """The word is not on the board, so only the sheet contains its square."""
    score_sheet = parse_sheet(
        make_sheet(
            make_turn(1, "play", "8G", "CAT"), make_turn(2, kind, square, "XY XYX" if kind == "play" else "X")
        )
    )
    game = convert_to_gcg_game(
        score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en")
    )
    assert game.events[1].at == expected_square
    assert read_gcg(encode_gcg(game))[0] == game


def test_convert_to_gcg_game_writes_a_scored_failed_challenge() -> None:
    score_sheet = parse_sheet(
        make_sheet(make_turn(1, "play", "8G", "CAT"), make_turn(2, "failed-challenge"), make_turn(2, "pass"))
    )
    game = convert_to_gcg_game(
        score_sheet,
        replay_plain_sheet(score_sheet, load_tile_set("en")),
        load_tile_set("en"),
        challenge_points=((0, 0), (5, 0), (0, 0)),
    )
    assert [(event.kind, event.player, event.total) for event in game.events[1:]] == [
        (GcgEventKind.CHALLENGE, 1, 15),
        (GcgEventKind.PASS, 2, 0),
    ]
    assert recompute_game(game, load_tile_set("en")).issues == ()
    assert [
        turn.kind
        for turn in split_gcg_game_into_sheet_and_events(read_gcg(encode_gcg(game))[0], load_tile_set("en"))[
            0
        ].turns
    ] == [turn.kind for turn in score_sheet.turns]
    game_with_cost_of_1 = convert_to_gcg_game(
        score_sheet,
        replay_plain_sheet(score_sheet, load_tile_set("en")),
        load_tile_set("en"),
        challenge_points=((0, 0), (1, 0), (0, 0)),
    )
    assert [event.points for event in game_with_cost_of_1.events if event.kind is GcgEventKind.CHALLENGE] == [1]
    game_with_deduction = convert_to_gcg_game(
        score_sheet,
        replay_plain_sheet(score_sheet, load_tile_set("en")),
        load_tile_set("en"),
        challenge_points=((0, 0), (0, -10), (0, 0)),
    )
    assert [event.kind for event in game_with_deduction.events] == [GcgEventKind.PLAY, GcgEventKind.PASS]


def sum_points_of_plays_and_racks(game: GcgGame) -> int:
    other_kinds = {GcgEventKind.CHALLENGE, GcgEventKind.TIME}
    return sum(event.points for event in game.events if event.kind not in other_kinds)


@pytest.mark.slow
@pytest.mark.data
def test_convert_to_sheet_round_trip_of_each_collected_game() -> None:
    paths = sorted((find_data_folder() / "gcg" / "ok").iterdir())
    assert paths
    for path in paths:
        game, _ = read_gcg(path.read_bytes())
        tiles = guess_tileset(game, [load_tile_set("en"), load_tile_set("de")])
        score_sheet, _ = split_gcg_game_into_sheet_and_events(game, tiles)
        result = replay_plain_sheet(score_sheet, tiles)
        assert (path.name, result.issues) == (path.name, ())
        game_of_sheet = convert_to_gcg_game(score_sheet, result, tiles)
        plays = [event for event in game.events if event.kind is GcgEventKind.PLAY]
        assert [
            (event.at, event.word, event.points)
            for event in game_of_sheet.events
            if event.kind is GcgEventKind.PLAY
        ] == [(event.at, event.word.replace("(", "").replace(")", ""), event.points) for event in plays], path.name
        assert sum_points_of_plays_and_racks(game_of_sheet) == sum_points_of_plays_and_racks(game), path.name
        assert recompute_game(game_of_sheet, tiles).issues == (), path.name
        withdrawn = [line for line in score_sheet.turns if line.kind is TurnKind.WITHDRAWN]
        assert len(withdrawn) == len([event for event in game.events if event.kind is GcgEventKind.WITHDRAWN])


@pytest.mark.parametrize("kind", ["pass", "lost-turn"])
def test_convert_to_gcg_game_turn_without_tiles_is_a_pass(kind: str) -> None:
    score_sheet = parse_sheet(
        make_sheet(make_turn(1, "play", "8G", "CAT", score=10), make_turn(2, kind, "9G", "AS"))
    )
    events = convert_to_gcg_game(
        score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en")
    ).events
    assert [event.kind for event in events] == [GcgEventKind.PLAY, GcgEventKind.PASS]


def test_convert_to_gcg_game_withdrawn_play_is_two_events() -> None:
    score_sheet = parse_sheet(
        make_sheet(make_turn(1, "play", "8G", "CAT", score=10), make_turn(2, "withdrawn", "J8", "SOWN"))
    )
    play, withdrawal = convert_to_gcg_game(
        score_sheet, replay_plain_sheet(score_sheet, load_tile_set("en")), load_tile_set("en")
    ).events[1:]
    assert (play.kind, withdrawal.kind) == (GcgEventKind.PLAY, GcgEventKind.WITHDRAWN)
    assert play.rack == withdrawal.rack == "SOWN"
    assert (play.points, withdrawal.points, withdrawal.total) == (21, -21, 0)
