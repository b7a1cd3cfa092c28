"""Tests of the featured table: lines typed during play and shown after a delay."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.featured_game import (
    FeaturedGameHistory,
    TimeStampedGameState,
    TypedTurn,
    enter_game_end,
    enter_turn,
    find_newest_game_at_table,
    find_sheet_with_form_number_1,
    make_time_stamped_game_state,
    replace_results_with_public_ones,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import GameId, StartDecision
from tdapp.domain.sheet_draft import SheetDraftError, SheetEnd
from tdapp.domain.tables.featured_view import make_featured_game
from tdapp.domain.tournament import Tournament, compute_diff
from tdapp.exchange.presets import read_tileset
from tdapp.scrabble import turn_line
from tdapp.scrabble.sheet import GameEnding, Sheet
from tests.building import RESOURCES, make_event, pair_rounds

TILES = read_tileset(RESOURCES / "tilesets" / "nl.toml")
TIME = "2026-11-21T10:{:02}:00+00:00"


@pytest.fixture
def unfinished_tournament() -> Tournament:
    return pair_rounds(make_event(4), results=False)


def type_line(
    unfinished_tournament: Tournament,
    number: int,
    line: str,
    *,
    rack: str = "",
    old: str = "",
    player_number: int | None = None,
) -> Tournament:
    game = find_newest_game_at_table(TournamentIndex(unfinished_tournament), 1)
    assert game is not None
    player = (game.first, game.second)[(player_number or 2 - number % 2) - 1]
    text = f"{line} @{rack}" if line and rack else line
    turn = turn_line.parse_turn_line(text, player=1) if text else None
    return enter_turn(
        unfinished_tournament,
        game=game.id,
        number=number,
        typed_turn=TypedTurn(player, turn, rack, old),
        tileset=TILES,
    )


def get_sheet(unfinished_tournament: Tournament) -> Sheet:
    game = find_newest_game_at_table(TournamentIndex(unfinished_tournament), 1)
    form = find_sheet_with_form_number_1(unfinished_tournament, game.id) if game else None
    assert form is not None
    return form.sheet


def list_lines(unfinished_tournament: Tournament) -> list[str]:
    game = find_newest_game_at_table(TournamentIndex(unfinished_tournament), 1)
    form = find_sheet_with_form_number_1(unfinished_tournament, game.id) if game else None
    return [turn_line.format_turn_line(turn) for turn in form.sheet.turns] if form else []


def test_enter_turn_accepts_each_line_once(unfinished_tournament: Tournament) -> None:
    one_line = type_line(unfinished_tournament, 1, "8H TAART 12")
    assert type_line(one_line, 1, "8h taart 12") is one_line
    two_lines = type_line(one_line, 2, "-3")
    assert list_lines(two_lines) == ["8H TAART 12", "-3"]
    assert type_line(two_lines, 1, "8H TAART 12") is two_lines, "a late repeated line was entered again"
    sheet = get_sheet(two_lines)
    assert (sheet.ended, [turn.player for turn in sheet.turns]) == (GameEnding.OPEN, [1, 2])


@pytest.mark.parametrize(
    ("number", "line", "old"),
    [(1, "8H KAART", ""), (3, "-", ""), (1, "8H KAART", "8H TAAK"), (0, "-", ""), (0, "-", "8H TAART")],
)
def test_enter_turn_refuses_an_unseen_line(
    unfinished_tournament: Tournament, number: int, line: str, old: str
) -> None:
    with pytest.raises(CommandError, match="turn-typed-otherwise"):
        type_line(type_line(unfinished_tournament, 1, "8H TAART"), number, line, old=old)


def test_enter_turn_corrects_a_line_and_removes_the_last(unfinished_tournament: Tournament) -> None:
    unfinished_tournament = type_line(type_line(unfinished_tournament, 1, "8H TAART"), 2, "-3")
    corrected_tournament = type_line(unfinished_tournament, 1, "8H KAART", old="8H TAART")
    assert list_lines(corrected_tournament) == ["8H KAART", "-3"]
    assert type_line(corrected_tournament, 1, "8H KAART", old="8H TAART") is corrected_tournament, (
        "a repeated request had an effect"
    )
    with pytest.raises(CommandError, match="turn-not-last"):
        type_line(corrected_tournament, 1, "", old="8H KAART")
    shorter_tournament = type_line(corrected_tournament, 2, "", old="-3")
    assert list_lines(shorter_tournament) == ["8H KAART"]
    assert type_line(shorter_tournament, 2, "", old="-3") is shorter_tournament


def test_enter_turn_stores_the_rack_of_the_next_turn(unfinished_tournament: Tournament) -> None:
    unfinished_tournament = type_line(unfinished_tournament, 1, "", rack="AARTTEN")
    game = find_newest_game_at_table(TournamentIndex(unfinished_tournament), 1)
    assert game is not None
    featured_game = make_featured_game(
        get_sheet(unfinished_tournament),
        unfinished_tournament.get_ruleset_of_row(game),
        TILES,
        table=1,
        names=("A", "B"),
        wordlist=None,
    )
    assert featured_game.racks == (tuple("AARTTEN"), ())
    assert sum(count for _, count in featured_game.unseen) == TILES.tile_count - 7
    unfinished_tournament = type_line(unfinished_tournament, 1, "8H TAART")
    assert list_lines(unfinished_tournament) == ["8H TAART @AARTTEN"]
    assert type_line(unfinished_tournament, 1, "8H TAART") is unfinished_tournament
    assert list_lines(type_line(unfinished_tournament, 2, "-2", rack="EENZAAM")) == [
        "8H TAART @AARTTEN",
        "-2 @EENZAAM",
    ]


def test_enter_turn_first_turn_decides_the_starter(unfinished_tournament: Tournament) -> None:
    game = find_newest_game_at_table(TournamentIndex(unfinished_tournament), 1)
    assert game is not None
    unfinished_tournament = unfinished_tournament.put(replace(game, start=StartDecision.DRAW))
    unfinished_tournament = type_line(unfinished_tournament, 1, "8H TAART", player_number=2)
    row = unfinished_tournament.games[game.id]
    assert (row.first, row.start) == (game.second, StartDecision.DRAWN)
    assert get_sheet(unfinished_tournament).turns[0].player == 1


def test_enter_end_makes_the_result(unfinished_tournament: Tournament) -> None:
    game = find_newest_game_at_table(TournamentIndex(unfinished_tournament), 1)
    assert game is not None
    unfinished_tournament = type_line(type_line(type_line(unfinished_tournament, 1, "8H TAART"), 2, "-"), 3, "-")
    with pytest.raises(SheetDraftError):
        enter_game_end(unfinished_tournament, game=game.id, end=SheetEnd(), tileset=TILES)
    ended_tournament = enter_game_end(
        unfinished_tournament, game=game.id, end=SheetEnd(GameEnding.PASSES, racks=("E", "A")), tileset=TILES
    )
    assert ended_tournament.results[game.id].first == 19
    repeated_tournament = enter_game_end(
        ended_tournament, game=game.id, end=SheetEnd(GameEnding.PASSES, racks=("E", "A")), tileset=TILES
    )
    assert not compute_diff(ended_tournament, repeated_tournament), "a repeated request had an effect"
    assert not compute_diff(ended_tournament, type_line(ended_tournament, 4, "", rack="EEE")), (
        "the remaining tiles changed"
    )
    continued_tournament = type_line(ended_tournament, 4, "-")
    assert game.id not in continued_tournament.results
    assert get_sheet(continued_tournament).racks is None


def test_enter_turn_refuses_a_certified_game(unfinished_tournament: Tournament) -> None:
    game = find_newest_game_at_table(TournamentIndex(unfinished_tournament), 1)
    assert game is not None
    unfinished_tournament = enter_game_end(
        type_line(unfinished_tournament, 1, "8H TAART"),
        game=game.id,
        end=SheetEnd(GameEnding.TIME, racks=("E", "A")),
        tileset=TILES,
    )
    unfinished_tournament = commands.certify_result(unfinished_tournament, game=game.id)
    with pytest.raises(CommandError):
        type_line(unfinished_tournament, 1, "8H KAART", old="8H TAART")


def test_list_public_moments_shows_the_game_before_the_delay(unfinished_tournament: Tournament) -> None:
    game = find_newest_game_at_table(TournamentIndex(unfinished_tournament), 1)
    assert game is not None
    unfinished_tournament = type_line(unfinished_tournament, 1, "8H TAART")
    featured = FeaturedGameHistory(game.id, "", delay=10).add_state_and_drop_expired(
        make_time_stamped_game_state(unfinished_tournament, game.id, TIME.format(0))
    )
    ended_tournament = enter_game_end(
        unfinished_tournament, game=game.id, end=SheetEnd(GameEnding.TIME, racks=("E", "A")), tileset=TILES
    )
    featured = featured.add_state_and_drop_expired(
        make_time_stamped_game_state(ended_tournament, game.id, TIME.format(5))
    )
    for minute, second in ((10, 0), (15, 0)):
        time = TIME.format(minute)[:-8] + f"{second:02}+00:00"
        assert (
            featured.list_newest_public_state_of_each_game(time)[0].time == {10: "", 15: TIME.format(0)}[minute]
        ), "a state is public too early or too late"
    assert featured.list_newest_public_state_of_each_game("2026-11-21T10:10:01+00:00")[0].time == TIME.format(0)
    public_states = featured.list_newest_public_state_of_each_game("2026-11-21T10:15:00+00:00")
    assert game.id not in replace_results_with_public_ones(ended_tournament, public_states).results
    public_states = featured.list_newest_public_state_of_each_game("2026-11-21T10:15:01+00:00")
    assert replace_results_with_public_ones(ended_tournament, public_states) is ended_tournament
    corrected_tournament = commands.enter_result(ended_tournament, game=game.id, first=1, second=2, seen=None)
    assert (
        replace_results_with_public_ones(corrected_tournament, public_states).results[game.id]
        == ended_tournament.results[game.id]
    )
    assert replace(featured, delay=0).list_newest_public_state_of_each_game(TIME.format(5))[0].time == TIME.format(
        5
    )


def test_list_public_moments_shows_the_earlier_game_during_the_delay(unfinished_tournament: Tournament) -> None:
    game = find_newest_game_at_table(TournamentIndex(unfinished_tournament), 1)
    assert game is not None
    unfinished_tournament = type_line(unfinished_tournament, 1, "8H TAART")
    ended_tournament = enter_game_end(
        unfinished_tournament, game=game.id, end=SheetEnd(GameEnding.TIME, racks=("E", "A")), tileset=TILES
    )
    earlier_states = FeaturedGameHistory(game.id, "", delay=10).add_state_and_drop_expired(
        make_time_stamped_game_state(unfinished_tournament, game.id, TIME.format(1))
    )
    earlier_states = earlier_states.add_state_and_drop_expired(
        make_time_stamped_game_state(ended_tournament, game.id, TIME.format(5))
    )
    other_game = next(candidate for candidate in ended_tournament.games.values() if candidate.id != game.id)
    next_history = FeaturedGameHistory(other_game.id, "", delay=10, start=TIME.format(9), previous=earlier_states)
    both_ended = commands.enter_result(ended_tournament, game=other_game.id, first=1, second=2)
    for minute, first, games in ((11, "", ()), (12, TIME.format(1), ()), (16, TIME.format(5), (game.id,))):
        public_states = next_history.list_newest_public_state_of_each_game(TIME.format(minute))
        assert [(state.game, state.time) for state in public_states] == [(game.id, first), (other_game.id, "")]
        assert tuple(replace_results_with_public_ones(both_ended, public_states).results) == games, minute
    assert [state.game for state in next_history.list_newest_public_state_of_each_game(TIME.format(20))] == [
        other_game.id
    ]
    times = map(TIME.format, (9, 12, 16, 20))
    assert [*map(next_history.compute_seconds_to_next_public_state, times)] == [
        2 * 60 + 1, 3 * 60 + 1, 3 * 60 + 1, None,
    ]  # fmt: skip
    assert [
        state.game
        for state in replace(next_history, delay=0).list_newest_public_state_of_each_game(TIME.format(9))
    ] == [other_game.id]


def test_add_moment_removes_old_moments() -> None:
    featured = FeaturedGameHistory(GameId("g"), "")
    for minute in (0, 1, 20, 40):
        featured = featured.add_state_and_drop_expired(TimeStampedGameState(TIME.format(minute), GameId("g")))
    assert [state.time[14:16] for state in featured.states] == ["01", "20", "40"]
