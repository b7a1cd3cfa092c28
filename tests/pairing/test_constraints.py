"""Tests of the constraints on two players: never, apart and together."""

from __future__ import annotations

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ConstraintId, ConstraintKind, PlayerId
from tdapp.domain.proposal import Proposal
from tdapp.domain.tournament import Tournament
from tdapp.pairing import list_locked_pairs, propose_pairings
from tdapp.pairing.commands import pair_by_hand
from tests.building import DIVISION, get_game_at, get_last_round, get_player, make_event, pair_rounds


def add_constraint(
    tournament: Tournament, kind: ConstraintKind, first: int, second: int, number: int = 1
) -> Tournament:
    players = {"player": get_player(tournament, first).id, "other": get_player(tournament, second).id}
    key = f"b{first}-{second}"
    match kind:
        case ConstraintKind.NEVER:
            return commands.forbid_pairing(tournament, key=key, **players)
        case ConstraintKind.APART:
            return commands.keep_apart(tournament, key=key, **players)
        case ConstraintKind.TOGETHER:
            return commands.order_pairing(tournament, key=key, **players, round_number=number, why="a bet")


def list_number_pairs(tournament: Tournament, proposal: Proposal) -> set[frozenset[int]]:
    def get_number(player: PlayerId) -> int:
        return tournament.players[player].number

    return {frozenset({get_number(game.first), get_number(game.second)}) for game in proposal.games}


def find_refusal_code(
    tournament: Tournament, kind: ConstraintKind, first: int, second: int, number: int = 1
) -> str:
    with pytest.raises(CommandError) as refusal:
        add_constraint(tournament, kind, first, second, number)
    return refusal.value.code


@pytest.mark.parametrize("system", ["swiss", "king-of-the-hill", "quartiles", "random", "team-swiss"])
def test_keep_apart_is_kept_without_cost(system: str) -> None:
    tournament = make_event(8, system=system)
    first, second = sorted(
        next(iter(list_number_pairs(tournament, propose_pairings(TournamentIndex(tournament), DIVISION))))
    )
    tournament = add_constraint(tournament, ConstraintKind.APART, first, second)
    proposal = propose_pairings(TournamentIndex(tournament), DIVISION)
    assert {first, second} not in list_number_pairs(tournament, proposal)
    assert dict(proposal.cost)["apart"] == 0


def test_keep_apart_yields_to_scores() -> None:
    tournament = pair_rounds(make_event(4))
    best_proposal = propose_pairings(TournamentIndex(tournament), DIVISION)
    leaders = next(iter(sorted(map(sorted, list_number_pairs(tournament, best_proposal)))))
    proposal = propose_pairings(
        TournamentIndex(add_constraint(tournament, ConstraintKind.APART, leaders[0], leaders[1])), DIVISION
    )
    assert list_number_pairs(tournament, proposal) == list_number_pairs(tournament, best_proposal)
    assert dict(proposal.cost)["apart"] == 1
    assert "apart" not in dict(best_proposal.cost)


def test_forbid_pairing_precedes_scores() -> None:
    tournament = pair_rounds(make_event(4))
    first, second = next(
        iter(
            sorted(
                map(sorted, list_number_pairs(tournament, propose_pairings(TournamentIndex(tournament), DIVISION)))
            )
        )
    )
    tournament = add_constraint(tournament, ConstraintKind.NEVER, first, second)
    assert {first, second} not in list_number_pairs(
        tournament, propose_pairings(TournamentIndex(tournament), DIVISION)
    )


@pytest.mark.parametrize("system", ["swiss", "king-of-the-hill", "round-robin", "snake-groups", "australian"])
def test_order_pairing_pair_meets_in_its_round(system: str) -> None:
    tournament = add_constraint(make_event(8, system=system), ConstraintKind.TOGETHER, 1, 2, 2)
    tournament = pair_rounds(tournament)
    pairs_of_first_round = {
        frozenset(tournament.players[player].number for player in (game.first, game.second))
        for game in tournament.games.values()
    }
    assert {1, 2} not in pairs_of_first_round or system == "king-of-the-hill"
    proposal = propose_pairings(TournamentIndex(tournament), DIVISION)
    assert {1, 2} in list_number_pairs(tournament, proposal)
    game = next(game for game in proposal.games if {game.first, game.second} == {"p1", "p2"})
    assert game.reason is not None
    assert game.reason.code == "ordered" or system == "round-robin"
    assert not game.locked


def test_order_pairing_stays_when_others_are_paired_again() -> None:
    tournament = add_constraint(make_event(8), ConstraintKind.TOGETHER, 1, 2)
    tournament = commands.propose_round(
        tournament, key="k", proposal=propose_pairings(TournamentIndex(tournament), DIVISION)
    )
    game = next(game for game in tournament.games.values() if {game.first, game.second} == {"p1", "p2"})
    tournament = commands.lock_game(tournament, game=game.id)
    new_proposal = propose_pairings(
        TournamentIndex(tournament), DIVISION, fixed_pairs=list_locked_pairs(TournamentIndex(tournament), DIVISION)
    )
    assert (
        next(game.reason.code for game in new_proposal.games if game.reason and game.first in {"p1", "p2"})
        == "ordered"
    )


def test_pair_by_hand_precedes_order_pairing() -> None:
    tournament = add_constraint(make_event(8), ConstraintKind.TOGETHER, 1, 2)
    tournament = commands.propose_round(
        tournament, key="k", proposal=propose_pairings(TournamentIndex(tournament), DIVISION)
    )
    tournament = pair_by_hand(
        tournament,
        key="h",
        round=get_last_round(tournament).id,
        player=get_player(tournament, 1).id,
        other=get_player(tournament, 3).id,
    )
    new_proposal = propose_pairings(
        TournamentIndex(tournament), DIVISION, fixed_pairs=list_locked_pairs(TournamentIndex(tournament), DIVISION)
    )
    assert {1, 3} in list_number_pairs(tournament, new_proposal)


def test_propose_pairings_refuses_an_impossible_order() -> None:
    tournament = add_constraint(make_event(8), ConstraintKind.TOGETHER, 1, 2)
    withdrawn = commands.withdraw_player(tournament, key="w", player=get_player(tournament, 2).id)
    with pytest.raises(CommandError) as refusal:
        propose_pairings(TournamentIndex(withdrawn), DIVISION)
    assert (refusal.value.code, refusal.value.facts["player"]) == ("ordered-absent", "P2")
    tournament = make_event(8)
    tournament = commands.propose_round(
        tournament, key="k", proposal=propose_pairings(TournamentIndex(tournament), DIVISION)
    )
    game = get_game_at(tournament, 1)
    tournament = commands.lock_game(tournament, game=game.id)
    opponent = next(
        player.id for player in tournament.players.values() if player.id not in {game.first, game.second}
    )
    tournament = commands.order_pairing(tournament, key="o", player=game.first, other=opponent, round_number=1)
    with pytest.raises(CommandError) as refusal:
        propose_pairings(
            TournamentIndex(tournament),
            DIVISION,
            fixed_pairs=list_locked_pairs(TournamentIndex(tournament), DIVISION),
        )
    assert (refusal.value.code, refusal.value.facts["table"]) == ("ordered-elsewhere", 1)


def test_order_pairing_refuses_contradicting_constraints() -> None:
    tournament = make_event(8)
    never, apart = (
        add_constraint(tournament, ConstraintKind.NEVER, 1, 2),
        add_constraint(tournament, ConstraintKind.APART, 1, 2),
    )
    together = add_constraint(tournament, ConstraintKind.TOGETHER, 1, 2)
    assert find_refusal_code(never, ConstraintKind.NEVER, 2, 1) == "already-forbidden"
    assert find_refusal_code(never, ConstraintKind.APART, 2, 1) == "already-forbidden"
    assert find_refusal_code(never, ConstraintKind.TOGETHER, 2, 1) == "never-to-meet"
    assert find_refusal_code(apart, ConstraintKind.APART, 2, 1) == "already-apart"
    assert find_refusal_code(together, ConstraintKind.NEVER, 1, 2) == "ordered-to-meet"
    assert find_refusal_code(together, ConstraintKind.TOGETHER, 2, 3) == "ordered-to-meet"
    assert find_refusal_code(tournament, ConstraintKind.TOGETHER, 1, 1) == "against-himself"
    assert find_refusal_code(tournament, ConstraintKind.TOGETHER, 1, 2, 9) == "no-such-round"
    assert find_refusal_code(pair_rounds(tournament), ConstraintKind.TOGETHER, 1, 2) == "round-already-published"
    assert find_refusal_code(make_event(8, system="knockout"), ConstraintKind.TOGETHER, 1, 2) == "bracket-decides"
    absent = commands.set_absence(tournament, key="a", player=get_player(tournament, 2).id, first_round=2)
    assert find_refusal_code(absent, ConstraintKind.TOGETHER, 1, 2, 2) == "player-absent"
    assert add_constraint(together, ConstraintKind.TOGETHER, 2, 3, 2).constraints[ConstraintId("b2-3")].round == 2


def test_forbid_pairing_replaces_keep_apart() -> None:
    tournament = add_constraint(
        add_constraint(make_event(4), ConstraintKind.APART, 1, 2), ConstraintKind.NEVER, 1, 2
    )
    assert [row.kind for row in tournament.constraints.values()] == [ConstraintKind.NEVER]
    assert not commands.remove_constraint(tournament, constraint=ConstraintId("b1-2")).constraints
    tournament = commands.allow_pairing(
        tournament, player=get_player(tournament, 2).id, other=get_player(tournament, 1).id
    )
    assert not tournament.constraints
    with pytest.raises(CommandError, match="no-such-constraint"):
        commands.remove_constraint(tournament, constraint=ConstraintId("b1-2"))


def test_order_pairing_does_not_affect_later_rounds() -> None:
    pair = {"player": PlayerId("p1"), "other": PlayerId("p2")}
    tournament = pair_rounds(commands.order_pairing(make_event(4), key="met", **pair, round_number=1))
    for command, kind in (
        (commands.keep_apart, ConstraintKind.APART),
        (commands.forbid_pairing, ConstraintKind.NEVER),
    ):
        constraints = command(tournament, key="bond", **pair).constraints.values()
        assert {row.id: row.kind for row in constraints} == {"met": ConstraintKind.TOGETHER, "bond": kind}
