"""Tests of results after sanctions and overtime, and of games with swapped players."""

from __future__ import annotations

import pytest
from msgspec.structs import fields, replace

from tdapp.domain import commands
from tdapp.domain.game_results import recompute_result, swap_players_after_tile_draw
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import SanctionId, ScoreSheet, SheetId
from tdapp.domain.model import Game, GameSide, PlayerId, Result, ResultState, StartDecision
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.tournament import KINDS, Tournament
from tdapp.scrabble.sheet import SanctionKind, parse_sheet
from tests.building import DIVISION, enter_results, get_game_at, make_event, pair_rounds

NOBODY_FORFEITED = Result(
    "g",  # type: ignore[arg-type]
    ResultState.CHECKED,
    first=310,
    second=402,
    advances=GameSide.SECOND,
    flag=GameSide.FIRST,
    lost=GameSide.FIRST,
    overtime=(61, 0),
    accounts=(ScoreBreakdown(turns=330, racks=-20), ScoreBreakdown(turns=382, racks=20)),
)
MIRRORED = {
    "first": 402,
    "second": 310,
    "advances": GameSide.FIRST,
    "flag": GameSide.SECOND,
    "lost": GameSide.SECOND,
    "overtime": (0, 61),
    "accounts": (ScoreBreakdown(turns=382, racks=20), ScoreBreakdown(turns=330, racks=-20)),
}
SHEET = parse_sheet(
    {
        "players": ["Ann", "Bo"],
        "first": 1,
        "turns": [
            {"player": 1, "kind": "play", "word": "TAART", "score": 20},
            {"player": 2, "kind": "play", "word": "FOUT", "score": 12},
        ],
        "racks": ["", "AE"],
        "ended": "flag",
        "flag": 2,
        "overtime_seconds": [0, 75],
        "sanctions": [{"player": 2, "kind": "points", "points": 10, "why": "late"}],
    }
)


def has_same_rows(first: Tournament, second: Tournament) -> bool:
    return all(first.rows(kind) == second.rows(kind) for kind in KINDS)


def make_game_with_result(**changes: object) -> tuple[Tournament, Game]:
    value = pair_rounds(make_event(4), results=False)
    game = replace(get_game_at(value, 1), start=StartDecision.DRAWN)
    result = replace(NOBODY_FORFEITED, id=game.id, **changes)
    return value.put(game, result), game


# --- swapped players


def test_swap_sides_swaps_every_part_of_a_result() -> None:
    value, game = make_game_with_result()
    new_tournament = swap_players_after_tile_draw(value, game.id)
    assert (new_tournament.games[game.id].first, new_tournament.games[game.id].second) == (game.second, game.first)
    assert new_tournament.games[game.id].start is StartDecision.DRAWN
    result = new_tournament.results[game.id]
    assert {name: getattr(result, name) for name in MIRRORED} == MIRRORED
    other_fields = {field.name for field in fields(Result)} - MIRRORED.keys() - {"forfeit"}
    assert {name: getattr(result, name) for name in other_fields} == {
        name: getattr(value.results[game.id], name) for name in other_fields
    }


@pytest.mark.parametrize(
    ("player_field", "opposite_player"),
    [
        (GameSide.FIRST, GameSide.SECOND),
        (GameSide.SECOND, GameSide.FIRST),
        (GameSide.BOTH, GameSide.BOTH),
        (None, None),
    ],
)
@pytest.mark.parametrize("field", ["forfeit", "advances", "flag", "lost"])
def test_swap_sides_keeps_the_named_player(
    field: str, player_field: GameSide | None, opposite_player: GameSide | None
) -> None:
    value, game = make_game_with_result(**{field: player_field})
    assert getattr(swap_players_after_tile_draw(value, game.id).results[game.id], field) is opposite_player


def test_swap_sides_swaps_sheets_and_accounts() -> None:
    value, game = make_game_with_result()
    account = ScoreBreakdown(turns=20), ScoreBreakdown(turns=12, sanctions=-10)
    new_tournament = swap_players_after_tile_draw(
        value.put(ScoreSheet(SheetId("x"), game.id, 1, SHEET, accounts=account)), game.id
    )
    (sheet_row,) = TournamentIndex(new_tournament).sheets(game.id)
    assert sheet_row.accounts == account[::-1]
    assert sheet_row.sheet.players == ("Bo", "Ann")
    assert [turn.player for turn in sheet_row.sheet.turns] == [2, 1]
    assert (sheet_row.sheet.racks, sheet_row.sheet.overtime_seconds, sheet_row.sheet.flag) == (
        ("AE", ""),
        (75, 0),
        1,
    )


@pytest.mark.parametrize("overtime", [None, (61, 0)])
@pytest.mark.parametrize("accounts", [None, (ScoreBreakdown(turns=3), ScoreBreakdown(turns=4, racks=1))])
def test_swap_sides_twice_changes_nothing(
    overtime: tuple[int, int] | None, accounts: tuple[ScoreBreakdown, ScoreBreakdown] | None
) -> None:
    value, game = make_game_with_result(overtime=overtime, accounts=accounts)
    value = value.put(ScoreSheet(SheetId("x"), game.id, 1, SHEET, accounts=accounts))
    swapped = swap_players_after_tile_draw(value, game.id)
    assert not has_same_rows(swapped, value)
    assert has_same_rows(swap_players_after_tile_draw(swapped, game.id), value)


def test_swap_sides_changes_one_game() -> None:
    value = pair_rounds(make_event(4))
    game, other_game = get_game_at(value, 1), get_game_at(value, 2)
    new_tournament = swap_players_after_tile_draw(
        value.put(ScoreSheet(SheetId("x"), other_game.id, 1, SHEET)), game.id
    )
    assert (new_tournament.games[other_game.id], new_tournament.results[other_game.id]) == (
        other_game,
        value.results[other_game.id],
    )
    assert new_tournament.sheets[SheetId("x")].sheet == SHEET


def test_enter_result_other_starter_keeps_overtime_with_player() -> None:
    value = pair_rounds(make_event(4, rules="no-nsf"), results=False)
    game = replace(get_game_at(value, 1), start=StartDecision.DRAW)
    value = commands.enter_result(value.put(game), game=game.id, first=400, second=380, overtime1=61)
    old_result = value.results[game.id]
    assert old_result.accounts is not None
    assert old_result.accounts[0].overtime < 0 == old_result.accounts[1].overtime
    new_tournament = swap_players_after_tile_draw(value, game.id).results[game.id]
    assert (new_tournament.overtime, new_tournament.accounts) == ((0, 61), old_result.accounts[::-1])


# --- sanctions


def fine_player(value: Tournament, player: PlayerId, number: int, points: int, key: str = "x") -> Tournament:
    return commands.add_sanction(
        value, key=key, player=player, kind=SanctionKind.POINTS, points=points, why="noise", round_number=number
    )


def list_points(value: Tournament, player: PlayerId) -> list[int | None]:
    index, points = TournamentIndex(value), []
    for item in index.list_published_rounds(DIVISION):
        game = index.find_player_game(item.id, player)
        assert game is not None
        result = value.results[game.id]
        points.append(result.first if game.first == player else result.second)
    return points


@pytest.mark.parametrize("number", [1, 2, 3])
def test_add_sanction_deducts_points_in_its_round_only(number: int) -> None:
    """The order of the sanction and the results of other rounds does not matter."""
    tournament, player_id = pair_rounds(pair_rounds(make_event(4), times=2), results=False), PlayerId("p1")
    new_tournament = list_points(fine_player(enter_results(tournament), player_id, number, 30), player_id)
    for points in (
        new_tournament,
        list_points(enter_results(fine_player(tournament, player_id, number, 30)), player_id),
    ):
        differences = [
            (points_before or 0) - (points_after or 0)
            for points_before, points_after in zip(
                list_points(enter_results(tournament), player_id), points, strict=True
            )
        ]
        assert differences == [30 if round_number == number else 0 for round_number in (1, 2, 3)]


def test_add_sanction_deducts_from_the_punished_player() -> None:
    value = pair_rounds(make_event(4))
    game = get_game_at(value, 1)
    old_result = value.results[game.id]
    value = fine_player(fine_player(value, game.first, 1, 30), game.second, 1, 7, key="y")
    new_tournament = value.results[game.id]
    assert (
        (old_result.first or 0) - (new_tournament.first or 0),
        (old_result.second or 0) - (new_tournament.second or 0),
    ) == (30, 7)
    restored = commands.remove_sanction(value, sanction=SanctionId("x")).results[game.id]
    assert (restored.first, (old_result.second or 0) - (restored.second or 0)) == (old_result.first, 7)


def test_recompute_result_twice_changes_nothing() -> None:
    """Cases include games lost by overtime."""
    value = pair_rounds(make_event(4, rules="no-nsf"), results=False)
    game, losing_seconds = get_game_at(value, 1), (value.ruleset.overtime.limit or 0) + 1
    for seconds in ((losing_seconds, 0), (0, losing_seconds), (60, losing_seconds)):
        new_tournament = commands.enter_result(
            value, game=game.id, first=400, second=390, overtime1=seconds[0], overtime2=seconds[1]
        )
        assert new_tournament.results[game.id].lost is not None
        assert recompute_result(new_tournament, new_tournament.results[game.id]) == new_tournament.results[game.id]
