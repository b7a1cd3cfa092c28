"""Tests of entry fees: due, paid and outstanding amounts."""

from __future__ import annotations

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, FeeId, PlayerId
from tdapp.domain.prizes import compute_fee_due, compute_fee_totals, compute_full_fee
from tdapp.domain.publishing import make_public_view
from tdapp.domain.tables import players as tables
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, get_player, make_event

ALL, YOUTH = FeeId("all"), FeeId("youth")


def build_tournament_with_fees() -> Tournament:
    """Return four players with a fee of 15. The second player is a junior with a fee of 7.50."""
    value = commands.edit_player(make_event(4), player=PlayerId("p2"), category="Youth")
    value = commands.add_fee(value, key=ALL, division=DIVISION, amount=1500)
    return commands.add_fee(value, key=YOUTH, division=DIVISION, amount=750, category="youth ")


def test_compute_fee_of_a_category() -> None:
    value = build_tournament_with_fees()
    assert [compute_full_fee(TournamentIndex(value), get_player(value, number)) for number in (1, 2)] == [
        1500,
        750,
    ]
    reduced = commands.remove_fee(value, fee=ALL)
    assert [compute_full_fee(TournamentIndex(reduced), get_player(reduced, number)) for number in (1, 2)] == [
        0,
        750,
    ]


def test_note_paid_records_full_and_partial_payments() -> None:
    value = commands.note_paid(build_tournament_with_fees(), players=(PlayerId("p1"), PlayerId("p2")))
    value = commands.note_paid(value, players=(PlayerId("p3"),), amount=500)
    assert [get_player(value, number).paid for number in (1, 2, 3, 4)] == [1500, 750, 500, 0]
    totals = compute_fee_totals(TournamentIndex(value), [DIVISION])
    assert (totals.due, totals.paid, totals.missing, totals.debtor_count) == (5250, 2750, 2500, 2)
    unpaid = commands.note_paid(value, players=(PlayerId("p1"),), paid=False)
    assert get_player(unpaid, 1).paid == 0


def test_compute_fee_totals_ignores_withdrawn_players_and_surplus() -> None:
    value = commands.withdraw_player(build_tournament_with_fees(), key="w", player=PlayerId("p4"))
    assert compute_fee_due(TournamentIndex(value), get_player(value, 4)) == 0
    value = commands.note_paid(value, players=(PlayerId("p1"),), amount=9900)
    totals = compute_fee_totals(TournamentIndex(value), [DIVISION])
    assert (totals.due, totals.paid, totals.missing) == (3750, 9900, 2250)


@pytest.mark.parametrize("amount", [-1, 10**12])
def test_edit_fee_refuses_an_impossible_amount(amount: int) -> None:
    with pytest.raises(CommandError, match="number-out-of-range"):
        commands.edit_fee(build_tournament_with_fees(), fee=ALL, amount=amount)
    with pytest.raises(CommandError, match="number-out-of-range"):
        commands.note_paid(build_tournament_with_fees(), players=(PlayerId("p1"),), amount=amount)


def test_add_fee_refuses_a_second_fee_of_a_category() -> None:
    with pytest.raises(CommandError, match="fee-twice"):
        commands.add_fee(build_tournament_with_fees(), key="again", division=DIVISION, amount=1, category="YOUTH")
    with pytest.raises(CommandError, match="fee-twice"):
        commands.edit_fee(build_tournament_with_fees(), fee=YOUTH, category="")


def test_make_fee_table_has_due_and_outstanding_amounts() -> None:
    value = commands.note_paid(build_tournament_with_fees(), players=(PlayerId("p1"),))
    index, division = TournamentIndex(value), value.divisions[DIVISION]
    rows = tables.make_player_table(index, division).rows
    assert [(row.fee, row.player.paid) for row in rows[:2]] == [(1500, 1500), (750, 0)]
    assert [row.to_pay for row in tables.make_check_in_table(index, division, 1).rows[:2]] == [None, 750]
    fees = tables.make_fee_table(index, division).rows
    assert [(row.category, row.players, row.paid) for row in fees] == [("", 3, 1500), ("youth", 1, 0)]


def test_make_public_view_omits_fees() -> None:
    public_view = make_public_view(commands.note_paid(build_tournament_with_fees(), players=(PlayerId("p1"),)))
    assert not public_view.fees
    assert not any(player.paid for player in public_view.players.values())


def test_move_players_keeps_payments_with_the_player() -> None:
    value = commands.add_division(build_tournament_with_fees(), key="b", code="B")
    value = commands.note_paid(value, players=(PlayerId("p1"),))
    other_division, third = DivisionId("b"), DivisionId("c")
    moved_tournament = commands.move_players(value, key="m", players=(PlayerId("p1"),), division=other_division)
    assert sum(player.paid for player in moved_tournament.players.values()) == 1500
    merged_tournament = commands.merge_division(moved_tournament, division=DIVISION, into=other_division)
    assert not merged_tournament.fees
    tournament_without_fees = commands.add_fee(
        commands.add_division(value, key=third, code="C"), key="f", division=third, amount=1
    )
    assert len(commands.remove_division(tournament_without_fees, division=third).fees) == len(value.fees)
