"""Constraints on two players: never, avoid and together."""

from __future__ import annotations

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import ConstraintId, ConstraintKind, PlayerId
from tdapp.domain.proposal import Proposal
from tdapp.domain.tournament import Tournament
from tdapp.pairing import list_locked_tables, propose_pairings
from tdapp.pairing.commands import pair_by_hand
from tests.building import DIVISION, get_game_at, get_last_round, get_player, make_event, pair_rounds


def bound(t: Tournament, kind: ConstraintKind, one: int, other: int, number: int = 1) -> Tournament:
    ends = {"player": get_player(t, one).id, "other": get_player(t, other).id}
    key = f"b{one}-{other}"
    match kind:
        case ConstraintKind.NEVER:
            return commands.forbid_pairing(t, key=key, **ends)
        case ConstraintKind.APART:
            return commands.keep_apart(t, key=key, **ends)
        case ConstraintKind.TOGETHER:
            return commands.order_pairing(t, key=key, **ends, round_number=number, why="a bet")


def numbers(t: Tournament, proposal: Proposal) -> set[frozenset[int]]:
    def of(one: PlayerId) -> int:
        return t.players[one].number

    return {frozenset({of(game.first), of(game.second)}) for game in proposal.games}


def refused(t: Tournament, kind: ConstraintKind, one: int, other: int, number: int = 1) -> str:
    with pytest.raises(RuleViolation) as caught:
        bound(t, kind, one, other, number)
    return caught.value.code


@pytest.mark.parametrize("system", ["swiss", "king-of-the-hill", "quartiles", "random", "team-swiss"])
def test_keep_apart_is_kept_without_cost(system: str) -> None:
    t = make_event(8, system=system)
    one, other = sorted(next(iter(numbers(t, propose_pairings(Index(t), DIVISION)))))
    t = bound(t, ConstraintKind.APART, one, other)
    proposal = propose_pairings(Index(t), DIVISION)
    assert {one, other} not in numbers(t, proposal)
    assert dict(proposal.cost)["apart"] == 0


def test_keep_apart_yields_to_scores() -> None:
    t = pair_rounds(make_event(4))
    best = propose_pairings(Index(t), DIVISION)
    leaders = next(iter(sorted(map(sorted, numbers(t, best)))))
    wished = propose_pairings(Index(bound(t, ConstraintKind.APART, leaders[0], leaders[1])), DIVISION)
    assert numbers(t, wished) == numbers(t, best)
    assert dict(wished.cost)["apart"] == 1
    assert "apart" not in dict(best.cost)


def test_forbid_pairing_precedes_scores() -> None:
    t = pair_rounds(make_event(4))
    one, other = next(iter(sorted(map(sorted, numbers(t, propose_pairings(Index(t), DIVISION))))))
    t = bound(t, ConstraintKind.NEVER, one, other)
    assert {one, other} not in numbers(t, propose_pairings(Index(t), DIVISION))


@pytest.mark.parametrize("system", ["swiss", "king-of-the-hill", "round-robin", "snake-groups", "australian"])
def test_order_pairing_pair_meets_in_its_round(system: str) -> None:
    t = bound(make_event(8, system=system), ConstraintKind.TOGETHER, 1, 2, 2)
    t = pair_rounds(t)
    met = {frozenset(t.players[one].number for one in (game.first, game.second)) for game in t.games.values()}
    assert {1, 2} not in met or system == "king-of-the-hill"
    proposal = propose_pairings(Index(t), DIVISION)
    assert {1, 2} in numbers(t, proposal)
    game = next(game for game in proposal.games if {game.first, game.second} == {"p1", "p2"})
    assert game.reason is not None
    assert game.reason.code == "ordered" or system == "round-robin"
    assert not game.locked


def test_order_pairing_stays_when_others_are_paired_again() -> None:
    t = bound(make_event(8), ConstraintKind.TOGETHER, 1, 2)
    t = commands.propose_round(t, key="k", proposal=propose_pairings(Index(t), DIVISION))
    game = next(game for game in t.games.values() if {game.first, game.second} == {"p1", "p2"})
    t = commands.lock_game(t, game=game.id)
    again = propose_pairings(Index(t), DIVISION, fixed_pairs=list_locked_tables(Index(t), DIVISION))
    assert (
        next(game.reason.code for game in again.games if game.reason and game.first in {"p1", "p2"}) == "ordered"
    )


def test_pair_by_hand_precedes_order_pairing() -> None:
    t = bound(make_event(8), ConstraintKind.TOGETHER, 1, 2)
    t = commands.propose_round(t, key="k", proposal=propose_pairings(Index(t), DIVISION))
    t = pair_by_hand(t, key="h", round=get_last_round(t).id, player=get_player(t, 1).id, other=get_player(t, 3).id)
    again = propose_pairings(Index(t), DIVISION, fixed_pairs=list_locked_tables(Index(t), DIVISION))
    assert {1, 3} in numbers(t, again)


def test_propose_pairings_refuses_an_impossible_order() -> None:
    t = bound(make_event(8), ConstraintKind.TOGETHER, 1, 2)
    away = commands.withdraw_player(t, key="w", player=get_player(t, 2).id)
    with pytest.raises(RuleViolation) as caught:
        propose_pairings(Index(away), DIVISION)
    assert (caught.value.code, caught.value.facts["player"]) == ("ordered-absent", "P2")
    t = make_event(8)
    t = commands.propose_round(t, key="k", proposal=propose_pairings(Index(t), DIVISION))
    game = get_game_at(t, 1)
    t = commands.lock_game(t, game=game.id)
    other = next(player.id for player in t.players.values() if player.id not in {game.first, game.second})
    t = commands.order_pairing(t, key="o", player=game.first, other=other, round_number=1)
    with pytest.raises(RuleViolation) as caught:
        propose_pairings(Index(t), DIVISION, fixed_pairs=list_locked_tables(Index(t), DIVISION))
    assert (caught.value.code, caught.value.facts["table"]) == ("ordered-elsewhere", 1)


def test_order_pairing_refuses_contradicting_constraints() -> None:
    t = make_event(8)
    never, apart = bound(t, ConstraintKind.NEVER, 1, 2), bound(t, ConstraintKind.APART, 1, 2)
    together = bound(t, ConstraintKind.TOGETHER, 1, 2)
    assert refused(never, ConstraintKind.NEVER, 2, 1) == "already-forbidden"
    assert refused(never, ConstraintKind.APART, 2, 1) == "already-forbidden"
    assert refused(never, ConstraintKind.TOGETHER, 2, 1) == "never-to-meet"
    assert refused(apart, ConstraintKind.APART, 2, 1) == "already-apart"
    assert refused(together, ConstraintKind.NEVER, 1, 2) == "ordered-to-meet"
    assert refused(together, ConstraintKind.TOGETHER, 2, 3) == "ordered-to-meet"
    assert refused(t, ConstraintKind.TOGETHER, 1, 1) == "against-himself"
    assert refused(t, ConstraintKind.TOGETHER, 1, 2, 9) == "no-such-round"
    assert refused(pair_rounds(t), ConstraintKind.TOGETHER, 1, 2) == "round-already-published"
    assert refused(make_event(8, system="knockout"), ConstraintKind.TOGETHER, 1, 2) == "bracket-decides"
    absent = commands.set_absence(t, key="a", player=get_player(t, 2).id, first_round=2)
    assert refused(absent, ConstraintKind.TOGETHER, 1, 2, 2) == "player-absent"
    assert bound(together, ConstraintKind.TOGETHER, 2, 3, 2).constraints[ConstraintId("b2-3")].round == 2


def test_forbid_pairing_replaces_keep_apart() -> None:
    t = bound(bound(make_event(4), ConstraintKind.APART, 1, 2), ConstraintKind.NEVER, 1, 2)
    assert [row.kind for row in t.constraints.values()] == [ConstraintKind.NEVER]
    assert not commands.remove_constraint(t, constraint=ConstraintId("b1-2")).constraints
    t = commands.allow_pairing(t, player=get_player(t, 2).id, other=get_player(t, 1).id)
    assert not t.constraints
    with pytest.raises(RuleViolation, match="no-such-constraint"):
        commands.remove_constraint(t, constraint=ConstraintId("b1-2"))


def test_order_pairing_fulfilled_does_not_bind_later_rounds() -> None:
    pair = {"player": PlayerId("p1"), "other": PlayerId("p2")}
    t = pair_rounds(commands.order_pairing(make_event(4), key="met", **pair, round_number=1))
    for command, kind in (
        (commands.keep_apart, ConstraintKind.APART),
        (commands.forbid_pairing, ConstraintKind.NEVER),
    ):
        found = command(t, key="bond", **pair).constraints.values()
        assert {row.id: row.kind for row in found} == {"met": ConstraintKind.TOGETHER, "bond": kind}
