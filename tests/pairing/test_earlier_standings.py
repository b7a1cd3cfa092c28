"""Tests of rounds paired on earlier standings: results of later rounds are not needed."""

from __future__ import annotations

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import StageId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.tournament import Tournament
from tdapp.pairing import SYSTEMS, propose_pairings
from tdapp.pairing.proposing import find_standings_round_for_pairing
from tdapp.pairing.recheck import compare_recomputed_pairings
from tests.building import DIVISION, enter_results, get_last_round, make_event, pair_rounds

ONE_ROUND_BEHIND = PairingSettings(behind=1)


def make_event_behind(player_count: int = 12) -> Tournament:
    return commands.edit_stage(make_event(player_count), stage=StageId("s"), settings=ONE_ROUND_BEHIND)


def find_proposed_source(tournament: Tournament) -> int | None:
    return propose_pairings(TournamentIndex(tournament), DIVISION).source


def test_propose_pairings_behind_during_the_round_before() -> None:
    tournament = pair_rounds(pair_rounds(make_event_behind(), times=2), results=False)
    proposal = propose_pairings(TournamentIndex(tournament), DIVISION)
    assert proposal.source == 2
    tournament = commands.pair_round(tournament, key="k", proposal=proposal)
    assert get_last_round(tournament).source == 2
    strict = commands.edit_stage(tournament, stage=StageId("s"), settings=PairingSettings())
    with pytest.raises(CommandError, match="results-missing"):
        propose_pairings(TournamentIndex(strict), DIVISION)


def test_propose_pairings_behind_ignores_later_results() -> None:
    waiting = pair_rounds(pair_rounds(make_event_behind(), times=2), results=False)
    assert propose_pairings(TournamentIndex(waiting), DIVISION) == propose_pairings(
        TournamentIndex(enter_results(waiting)), DIVISION
    )


def test_pair_round_behind_stays_valid_while_results_arrive() -> None:
    waiting = pair_rounds(pair_rounds(make_event_behind(), times=2), results=False)
    proposal = propose_pairings(TournamentIndex(waiting), DIVISION)
    tournament = commands.pair_round(enter_results(waiting), key="k", proposal=proposal)
    assert get_last_round(tournament).number == 4


def test_pair_round_behind_refuses_after_a_correction() -> None:
    waiting = pair_rounds(pair_rounds(make_event_behind(), times=2), results=False)
    proposal = propose_pairings(TournamentIndex(waiting), DIVISION)
    index = TournamentIndex(waiting)
    game = index.games(index.get_round(DIVISION, 2).id)[0]
    corrected = commands.enter_result(waiting, game=game.id, first=300, second=500)
    with pytest.raises(CommandError, match="pairing-outdated"):
        commands.pair_round(corrected, key="k", proposal=proposal)


def test_propose_pairings_behind_counts_later_meetings() -> None:
    tournament = make_event_behind(8)
    for _ in range(5):
        tournament = pair_rounds(tournament)
    meetings = [frozenset({game.first, game.second}) for game in tournament.games.values()]
    assert len(meetings) == len({*meetings})


def test_propose_pairings_behind_first_rounds_use_known_results() -> None:
    tournament = make_event_behind()
    assert find_proposed_source(tournament) == 0
    tournament = pair_rounds(tournament)
    assert find_proposed_source(tournament) == 0
    tournament = pair_rounds(tournament)
    assert find_proposed_source(tournament) == 1


def test_find_standings_round_for_pairing_stops_at_a_cut_or_new_start() -> None:
    for stage_settings in ({"cut": 4}, {"carry": False}):
        tournament = commands.edit_stage(make_event(8), stage=StageId("s"), rounds=3)
        tournament = commands.add_stage(
            tournament,
            key="t",
            division=DIVISION,
            system="swiss",
            rounds=2,
            settings=PairingSettings(behind=2),
            **stage_settings,
        )
        assert find_proposed_source(pair_rounds(tournament, times=3)) == 3
        assert find_proposed_source(pair_rounds(tournament, times=4)) == 3
    tournament_with_carry = commands.edit_stage(make_event(8), stage=StageId("s"), rounds=3)
    tournament_with_carry = commands.add_stage(
        tournament_with_carry, key="t", division=DIVISION, system="swiss", rounds=2, settings=ONE_ROUND_BEHIND
    )
    assert find_proposed_source(pair_rounds(tournament_with_carry, times=3)) == 2


def test_find_standings_round_for_pairing_not_behind_for_seats_and_brackets() -> None:
    for system in ("knockout", "round-robin", "snake-groups"):
        tournament = commands.edit_stage(
            make_event(8, system=system), stage=StageId("s"), settings=ONE_ROUND_BEHIND
        )
        stage = tournament.stages[StageId("s")]
        pairing_system = SYSTEMS[system]
        index = TournamentIndex(tournament)
        assert find_standings_round_for_pairing(index, stage, pairing_system, 3) == pairing_system.find_source(
            index, stage, 3
        )


def test_find_pairing_changes_uses_the_same_source() -> None:
    before = pair_rounds(make_event_behind(), times=4)
    index = TournamentIndex(before)
    game = index.games(index.get_round(DIVISION, 3).id)[0]
    after = commands.enter_result(before, game=game.id, first=200, second=600)
    assert compare_recomputed_pairings(before, after, DIVISION) == ()  # round 4 was paired after round 2
    game = index.games(index.get_round(DIVISION, 2).id)[0]
    result = index.get_result(game.id)
    assert result is not None
    after = commands.enter_result(before, game=game.id, first=result.second, second=result.first)
    assert [change.round for change in compare_recomputed_pairings(before, after, DIVISION)] == [4]
