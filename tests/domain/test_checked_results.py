"""Tests of unchecked results, and of rounds that wait for the jury."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.game_results import (
    CheckedAndUncheckedGameCounts,
    count_checked_games,
    is_result_checking_required_or_started,
    list_unchecked_games,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import GameSide, ResultState, RoundState
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, get_game_at, get_last_round, make_event, pair_rounds


def check_tables(tournament: Tournament, *tables: int) -> Tournament:
    for table in tables:
        tournament = commands.check_result(tournament, game=get_game_at(tournament, table).id)
    return tournament


def catch_refusal(tournament: Tournament) -> dict[str, object]:
    with pytest.raises(CommandError) as error:
        pair_rounds(tournament)
    assert error.value.code == "unchecked-results"
    return dict(error.value.facts)


def count_games(tournament: Tournament, after: int | None = None) -> CheckedAndUncheckedGameCounts:
    return count_checked_games(TournamentIndex(tournament), tournament.divisions[DIVISION], after)


def test_pair_round_waits_for_checks_on_request() -> None:
    t = pair_rounds(make_event(8))
    assert get_last_round(pair_rounds(t)).number == 2
    strict_tournament = commands.set_check_first(t, check_first=True)
    assert catch_refusal(check_tables(strict_tournament, 1, 3)) == {"round": 1, "tables": [2, 4], "n": 2}
    second_round = pair_rounds(check_tables(strict_tournament, 1, 2, 3, 4))
    assert get_last_round(second_round).number == 2


def test_set_check_first_accepts_certified_results_and_forfeits() -> None:
    t = commands.set_check_first(pair_rounds(make_event(4), results=False), check_first=True)
    t = commands.enter_result(t, game=get_game_at(t, 1).id, first=400, second=300)
    t = commands.enter_result(t, game=get_game_at(t, 2).id, forfeit=GameSide.SECOND)
    assert get_last_round(pair_rounds(commands.certify_result(t, game=get_game_at(t, 1).id))).number == 2


def test_publish_round_refuses_a_draft_with_changed_results() -> None:
    t = commands.set_check_first(check_tables(pair_rounds(make_event(4)), 1, 2), check_first=True)
    first = get_game_at(t, 1)
    t = commands.propose_round(t, key="k", proposal=propose_pairings(TournamentIndex(t), DIVISION))
    corrected_tournament = commands.enter_result(t, game=first.id, first=300, second=400)
    with pytest.raises(CommandError, match="unchecked-results"):
        commands.publish_round(corrected_tournament, round=get_last_round(t).id)
    published_tournament = commands.publish_round(t, round=get_last_round(t).id)
    assert get_last_round(published_tournament).state is RoundState.PUBLISHED


def test_publish_round_waits_for_results_of_its_standings() -> None:
    t = commands.set_check_first(check_tables(pair_rounds(make_event(8)), 1, 2, 3, 4), check_first=True)
    t = pair_rounds(t)
    with pytest.raises(CommandError, match="unchecked-results"):
        commands.propose_round(t, key="k", proposal=propose_pairings(TournamentIndex(t), DIVISION))
    t = commands.propose_round(t, key="k", proposal=propose_pairings(TournamentIndex(t), DIVISION, source_round=1))
    draft = get_last_round(t)
    assert get_last_round(commands.publish_round(t, round=draft.id)).state is RoundState.PUBLISHED
    draft_without_source = t.put(replace(draft, source=None))  # as in a file without the source round
    with pytest.raises(CommandError) as error:
        commands.publish_round(draft_without_source, round=draft.id)
    assert dict(error.value.facts) == {"round": 2, "tables": [1, 2, 3, 4], "n": 4}
    tournament_with_results = [
        result for result in draft_without_source.results.values() if result.state is ResultState.ENTERED
    ]
    checked_tournament = draft_without_source.put(
        *(replace(result, state=ResultState.CHECKED) for result in tournament_with_results)
    )
    assert get_last_round(commands.publish_round(checked_tournament, round=draft.id)).state is RoundState.PUBLISHED


def test_list_unchecked_games_up_to_a_round() -> None:
    t = pair_rounds(check_tables(pair_rounds(make_event(4)), 1))
    assert count_games(t) == CheckedAndUncheckedGameCounts(1, 3)
    assert count_games(t).total == 4
    assert count_games(t, 1) == CheckedAndUncheckedGameCounts(1, 1)
    assert [game.table for game in list_unchecked_games(TournamentIndex(t), DIVISION, 1)] == [2]


def test_is_checking_used_needs_a_jury() -> None:
    t = pair_rounds(make_event(4))
    assert not is_result_checking_required_or_started(TournamentIndex(t))
    assert is_result_checking_required_or_started(TournamentIndex(check_tables(t, 1)))
    assert is_result_checking_required_or_started(TournamentIndex(commands.set_check_first(t, check_first=True)))
