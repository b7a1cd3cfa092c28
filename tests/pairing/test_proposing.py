"""Tests of the proposal of a round: refusals, missing results, reasons and field data."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from types import MappingProxyType

import numpy as np
import pytest
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    Bye,
    ByeId,
    ByeKind,
    Division,
    DivisionId,
    GameSide,
    Player,
    PlayerId,
    Result,
    ResultState,
    RoundId,
    Stage,
    StageId,
)
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import MatchPoints, RuleSet
from tdapp.domain.tournament import Tournament
from tdapp.pairing import REASONS, SYSTEMS, FixedPair, propose_pairings
from tdapp.pairing.criteria import get_pairing_field_arrays
from tdapp.pairing.field import DOWN, LEVEL, UP, build_pairing_field
from tdapp.pairing.proposing import propose_given_pairs
from tests.i18n import codes_in_source
from tests.pairing.random_states import STAGE, A, enter_random_results, make_tournament, publish_proposal


def play_rounds(tournament: Tournament, rounds: int, seed: int = 1) -> Tournament:
    rng = Random(seed)
    for _ in range(rounds):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), rng
        )
    return tournament


def refuse_pairings(tournament: Tournament, **options: int) -> CommandError:
    with pytest.raises(CommandError) as refusal:
        propose_pairings(TournamentIndex(tournament), A, source_round=options.get("source_round"))
    return refusal.value


def test_get_field_columns_has_two_numbers_for_a_game_and_one_for_a_bye() -> None:
    tournament = play_rounds(make_tournament(41), 3)
    columns = get_pairing_field_arrays(build_pairing_field(TournamentIndex(tournament), STAGE, number=4, source=3))
    byes = len(tournament.byes)

    assert columns.meetings.codes.size == 2 * len(tournament.games) + byes + 1
    assert columns.earlier_evening_weights.codes.size == 1
    assert columns.meetings.get_values_of_pairs(*np.triu_indices(41, 1)).sum() == len(tournament.games)
    assert columns.meetings.get_values_of_pairs(np.arange(41), np.array(41)).sum() == byes == 3


def test_propose_pairings_refuses_impossible_rounds() -> None:
    assert refuse_pairings(make_tournament(0)).code == "no-players"
    assert refuse_pairings(make_tournament(1)).code == "too-few-players"
    assert refuse_pairings(make_tournament(4, rounds=0)).code == "all-rounds-paired"
    unknown = refuse_pairings(make_tournament(4, system="guess"))
    assert (unknown.code, unknown.facts) == ("no-such-system", {"system": "guess"})
    absences = [Absence(AbsenceId(f"{number}"), PlayerId(f"p{number}"), 1, 1) for number in (1, 2, 3)]
    assert refuse_pairings(make_tournament(4).put(*absences)).facts == {"players": 1, "round": 1}


def test_propose_pairings_names_missing_results() -> None:
    tournament = publish_proposal(make_tournament(6), propose_pairings(TournamentIndex(make_tournament(6)), A))
    games = sorted(tournament.games.values(), key=lambda game: game.table)
    tournament = tournament.put(Result(games[1].id, ResultState.ENTERED, 400, 300))
    missing = refuse_pairings(tournament)
    assert (missing.code, missing.facts) == ("results-missing", {"round": 1, "tables": (1, 3), "n": 2})


def test_propose_pairings_from_an_earlier_round() -> None:
    tournament = play_rounds(make_tournament(12), 1)
    tournament = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    assert refuse_pairings(tournament).code == "results-missing"
    third = propose_pairings(TournamentIndex(tournament), A, source_round=1)
    assert third.number == 3
    meetings = {frozenset({game.first, game.second}) for game in tournament.games.values()}
    assert not meetings & {frozenset({game.first, game.second}) for game in third.games}
    assert refuse_pairings(tournament, source_round=3).code == "no-such-round"


def test_propose_pairings_manual_has_fixed_tables_only() -> None:
    index = TournamentIndex(make_tournament(6, system="manual"))
    assert propose_pairings(index, A).games == ()
    proposal = propose_pairings(
        index,
        A,
        fixed_pairs=[FixedPair(PlayerId("p5"), PlayerId("p2"), code="by-hand"), FixedPair(PlayerId("p6"))],
    )
    assert [(game.table, {game.first, game.second}) for game in proposal.games] == [(1, {"p2", "p5"})]
    assert [(bye.player, bye.kind) for bye in proposal.byes] == [("p6", ByeKind.BYE)]


def test_propose_given_pairs_equals_the_proposal() -> None:
    index = TournamentIndex(play_rounds(make_tournament(15), 3))
    proposal = propose_pairings(index, A)
    pairs = [FixedPair(game.first, game.second, locked=False, code=None) for game in proposal.games]
    pairs += [FixedPair(bye.player, code=None) for bye in proposal.byes]
    assert propose_given_pairs(index, A, 4, pairs) == proposal


def test_propose_given_pairs_of_an_exchange() -> None:
    index = TournamentIndex(play_rounds(make_tournament(16), 3))
    proposal = propose_pairings(index, A)
    first, *between, last = proposal.games
    pairs = [(first.first, last.second), (last.first, first.second)]
    pairs += [(game.first, game.second) for game in between]
    changed = propose_given_pairs(
        index,
        A,
        4,
        [FixedPair(first_player, second_player, locked=False, code=None) for first_player, second_player in pairs],
    )
    assert tuple(dict(changed.cost).values()) > tuple(dict(proposal.cost).values())
    summed = {
        name: sum(dict(game.reason.cost)[name] for game in changed.games if game.reason)
        for name, _ in changed.cost
    }
    assert summed == dict(changed.cost)


@pytest.mark.slow
def test_propose_pairings_uses_known_reason_codes() -> None:
    reason_codes = set()
    for system in SYSTEMS:
        tournament = make_tournament(10, system=system, rounds=4, settings=PairingSettings(third_place=True))
        players = tournament.players.values()
        tournament = tournament.put(*(replace(player, team=f"T{player.number % 5}") for player in players))
        rng = Random(2)
        for _ in range(4):
            fixed = [FixedPair(PlayerId("p1"), PlayerId("p2"), code="by-hand")] if system == "manual" else []
            proposal = propose_pairings(TournamentIndex(tournament), A, fixed_pairs=fixed)
            for game in proposal.games:
                assert game.reason is not None
                reason_codes.add(game.reason.code)
                common = ("better_place", "worse_place", "better_score", "worse_score", "meetings")
                fact_names = [name for name, _ in game.reason.facts]
                assert tuple(fact_names[: len(common)]) == common
                assert codes_in_source.find_placeholders(REASONS[game.reason.code]) <= {*fact_names}
            tournament = enter_random_results(publish_proposal(tournament, proposal), rng, draws=0)
    assert {
        "same-score",
        "float",
        "king-of-the-hill",
        "round-robin",
        "bracket",
        "third-place",
        "by-hand",
    } <= reason_codes
    assert {
        "factor",
        "quartiles",
        "australian",
        "top-half",
        "snake-groups",
        "team-match",
        "random",
    } <= reason_codes
    assert reason_codes <= set(REASONS)


def test_build_field_scores_use_the_greatest_common_divisor() -> None:
    match_points = MatchPoints(Fraction(3), Fraction(1), Fraction(0))
    order = MappingProxyType({"other": ("wins",)})
    rules = RuleSet("f", "F", "en", "en", order, match_points=match_points)
    tournament = play_rounds(make_tournament(6, ruleset=rules), 1)
    field = build_pairing_field(TournamentIndex(tournament), STAGE, number=2, source=1)
    assert {entrant.score for entrant in field.entrants} <= {0, 1, 3}
    assert {entrant.points for entrant in field.entrants} <= {"0", "1", "3"}
    usual_field = build_pairing_field(
        TournamentIndex(play_rounds(make_tournament(6), 1)), STAGE, number=2, source=1
    )
    assert {entrant.score for entrant in usual_field.entrants} <= {0, 1, 2}
    assert {entrant.points for entrant in usual_field.entrants} <= {"0", "1/2", "1"}


def test_build_field_has_the_facts_of_earlier_rounds() -> None:
    tournament = play_rounds(make_tournament(5), 1)
    second = RoundId("r2")
    tournament = publish_proposal(tournament, replace(propose_pairings(TournamentIndex(tournament), A), byes=()))
    unpaired_player = next(
        player.id
        for player in tournament.players.values()
        if not any(
            game.round == second and player.id in {game.first, game.second} for game in tournament.games.values()
        )
    )
    tournament = tournament.put(Bye(ByeId("b"), second, unpaired_player, ByeKind.BYE))
    game = next(game for game in tournament.games.values() if game.round == second)
    tournament = tournament.put(Result(game.id, ResultState.ENTERED, forfeit=GameSide.SECOND))
    tournament = enter_random_results(tournament, Random(4))
    field = build_pairing_field(TournamentIndex(tournament), STAGE, number=3, source=2)
    entrants = {entrant.player: entrant for entrant in field.entrants}
    assert 2 in entrants[game.first].meetings[game.second]
    assert 2 not in entrants[game.first].starts_by_round
    assert entrants[game.first].byes >= 1
    assert entrants[unpaired_player].floats[0] == DOWN
    assert {entrant.floats[0] for entrant in field.entrants} <= {DOWN, LEVEL, UP}
    assert sum(entrant.start_balance for entrant in field.entrants) == 0


def test_build_field_orders_equals_by_rating_then_draw() -> None:
    tournament = make_tournament(10)
    tournament = tournament.put(*[replace(player, rating=1500) for player in tournament.players.values()])
    orders = set()
    for seed in range(4):
        seeded = tournament.put(replace(tournament.event, seed=seed))
        field = build_pairing_field(TournamentIndex(seeded), STAGE, number=1, source=0)
        orders.add(tuple(entrant.number for entrant in field.entrants))
    assert len(orders) == 4
    tournament = tournament.put(replace(tournament.players[PlayerId("p7")], rating=None))
    field = build_pairing_field(TournamentIndex(tournament), STAGE, number=1, source=0)
    assert field.entrants[-1].number == 7


def test_propose_pairings_later_stage_by_the_standings() -> None:
    tournament = make_tournament(8, rounds=2).put(Stage(StageId("cup"), A, 2, "knockout", 3))
    tournament = play_rounds(tournament, 2)
    order = [
        entrant.player
        for entrant in build_pairing_field(TournamentIndex(tournament), STAGE, number=3, source=2).entrants
    ]
    proposal = propose_pairings(TournamentIndex(tournament), A)
    assert proposal.stage == "cup"
    assert {frozenset({game.first, game.second}) for game in proposal.games} == {
        frozenset({order[index], order[7 - index]}) for index in range(4)
    }


def test_propose_pairings_keeps_divisions_separate() -> None:
    tournament = make_tournament(6)
    other_division = DivisionId("b")
    players = [Player(PlayerId(f"q{number}"), other_division, number, f"Q{number}") for number in range(1, 5)]
    with_two_divisions = tournament.put(
        Division(other_division, "B"), Stage(StageId("t"), other_division, 1, "swiss", 3), *players
    )
    assert propose_pairings(TournamentIndex(with_two_divisions), A) == propose_pairings(
        TournamentIndex(tournament), A
    )
    assert len(propose_pairings(TournamentIndex(with_two_divisions), other_division).games) == 2


def test_propose_pairings_starts_at_the_first_table() -> None:
    tournament = make_tournament(4)
    tournament = tournament.put(replace(tournament.divisions[A], first_table=21))
    assert [game.table for game in propose_pairings(TournamentIndex(tournament), A).games] == [21, 22]
