"""Tests of changes that need an impact preview or a reason."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.impact import find_changed_certified_result, is_impact_preview_needed
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import SanctionId
from tdapp.domain.model import Game, GameSide
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import SanctionKind, parse_sheet
from tests.building import DIVISION, RESOURCES, get_game_at, make_event, pair_rounds

TILES = read_tilesets(RESOURCES / "tilesets")["nl"]
TURNS = [{"player": 1, "kind": "play", "word": "FOUT", "score": 300}, {"player": 2, "kind": "play", "score": 310}]
Change = Callable[..., Tournament]


def enter_sheet(tournament: Tournament, game: Game, *, rack: int = 4, reason: str = "") -> Tournament:
    sheet = parse_sheet({"players": ["", ""], "turns": TURNS, "rack_values": [rack, 0], "ended": "out"})
    return commands.enter_sheet(tournament, game=game.id, sheet=sheet, tileset=TILES, reason=reason)


def build_round_with_sheet() -> tuple[Tournament, Game]:
    """Return a round of four players with a sheet and a sanction at table 1."""
    t = pair_rounds(make_event(4))
    game = get_game_at(t, 1)
    t = enter_sheet(t, game)
    t = fine_first_player(t, game, key="old")
    return t, game


def fine_first_player(
    t: Tournament, game: Game, *, key: str = "new", kind: SanctionKind = SanctionKind.POINTS
) -> Tournament:
    points = 0 if kind is SanctionKind.WARNING else 30
    return commands.add_sanction(t, key=key, player=game.first, kind=kind, points=points, why="noise")


def correct_result(t: Tournament, game: Game) -> Tournament:
    return commands.enter_result(t, game=game.id, first=400, second=300, reason="miscounted")


def clear_sheet(t: Tournament, game: Game) -> Tournament:
    return commands.clear_sheet(t, game=game.id, reason="of another game")


def reject_turn(t: Tournament, game: Game) -> Tournament:
    return commands.rule_on_turn(
        t, game=game.id, turn=1, phony=True, author="J. Ury", why="no such word", tileset=TILES
    )


def remove_sanction(t: Tournament, _game: Game) -> Tournament:
    return commands.remove_sanction(t, sanction=SanctionId("old"), reason="another player")


def enter_sheet_again(t: Tournament, game: Game) -> Tournament:
    return enter_sheet(t, game, rack=9, reason="misread")


CHANGES = (correct_result, enter_sheet_again, clear_sheet, reject_turn, fine_first_player, remove_sanction)


@pytest.mark.parametrize("change", CHANGES)
def test_needs_assessment_is_false_for_an_unchecked_last_result(change: Change) -> None:
    t, game = build_round_with_sheet()
    assert not is_impact_preview_needed(t, change(t, game))
    assert find_changed_certified_result(t, change(t, game)) is None


@pytest.mark.parametrize("change", CHANGES)
def test_needs_assessment_for_checked_and_certified_results(change: Change) -> None:
    t, game = build_round_with_sheet()
    checked_tournament = commands.check_result(t, game=game.id)
    assert is_impact_preview_needed(checked_tournament, change(checked_tournament, game))
    assert find_changed_certified_result(checked_tournament, change(checked_tournament, game)) is None
    certified_tournament = commands.certify_result(t, game=game.id)
    assert is_impact_preview_needed(certified_tournament, change(certified_tournament, game))
    assert (
        find_changed_certified_result(certified_tournament, change(certified_tournament, game))
        == certified_tournament.results[game.id]
    )


@pytest.mark.parametrize("change", CHANGES[:4])
def test_needs_assessment_for_a_result_before_a_draft(change: Change) -> None:
    t, game = build_round_with_sheet()
    tournament_with_draft = commands.propose_round(
        t, key="k", proposal=propose_pairings(TournamentIndex(t), DIVISION)
    )
    assert is_impact_preview_needed(tournament_with_draft, change(tournament_with_draft, game))


def test_needs_assessment_for_a_margin_before_later_rounds() -> None:
    t, game = build_round_with_sheet()
    assert not is_impact_preview_needed(t, fine_first_player(t, game, kind=SanctionKind.MARGIN))
    second_round = pair_rounds(t)
    assert not is_impact_preview_needed(
        second_round, fine_first_player(second_round, game, kind=SanctionKind.MARGIN)
    )
    tournament_with_sanction = commands.add_sanction(
        second_round, key="m", player=game.first, kind=SanctionKind.MARGIN, points=30, why="late", round_number=1
    )
    assert is_impact_preview_needed(second_round, tournament_with_sanction)
    assert not is_impact_preview_needed(
        second_round, fine_first_player(second_round, game, kind=SanctionKind.WARNING)
    )


def test_needs_assessment_is_false_for_checking_and_certifying() -> None:
    t, game = build_round_with_sheet()
    checked_tournament = commands.check_result(t, game=game.id)
    assert not is_impact_preview_needed(t, checked_tournament)
    assert not is_impact_preview_needed(
        checked_tournament, commands.certify_result(checked_tournament, game=game.id)
    )


def test_enter_result_of_a_certified_game_needs_a_reason() -> None:
    t, game = build_round_with_sheet()
    t = commands.certify_result(t, game=game.id)
    for change in (
        partial(commands.enter_result, game=game.id, first=400, second=300),
        partial(commands.clear_result, game=game.id),
        partial(enter_sheet, game=game),
        partial(commands.clear_sheet, game=game.id),
        partial(commands.remove_sanction, sanction=SanctionId("old")),
    ):
        with pytest.raises(CommandError, match="result-final"):
            change(t)
    assert remove_sanction(t, game).results[game.id].state == "final"


def test_decide_tie_of_a_certified_game_needs_a_reason() -> None:
    t = pair_rounds(make_event(4, rounds=2, system="knockout"), results=False)
    game = get_game_at(t, 1)
    t = commands.enter_result(t, game=game.id, first=400, second=400)
    t = commands.decide_tie(t, game=game.id, winner=GameSide.FIRST)
    t = commands.certify_result(t, game=game.id)
    decide_for_second = partial(commands.decide_tie, game=game.id, winner=GameSide.SECOND)
    with pytest.raises(CommandError, match="result-final"):
        decide_for_second(t)
    new_tournament = decide_for_second(t, reason="played again")
    assert (new_tournament.results[game.id].advances, is_impact_preview_needed(t, new_tournament)) == (
        GameSide.SECOND,
        True,
    )
