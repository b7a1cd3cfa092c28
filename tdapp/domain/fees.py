"""Entry fees: what each player owes, what has been paid, and the sums of a division."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, Fee, Player


class FeeTotals(Struct, frozen=True):
    """Sums in hundredths: what is due, what has been paid, what is still to come; and of how many that is."""

    due: int = 0
    paid: int = 0
    missing: int = 0
    owing: int = 0  # players


def fee_of(index: Index, player: Player) -> int:
    """Return what a player pays to enter."""
    found = fee_for(index, player)
    return 0 if found is None else found.amount


def fee_for(index: Index, player: Player) -> Fee | None:
    """Return the fee that a player pays: that of the own category, else that of everybody, None for none."""
    fees = {fee.category.casefold(): fee for fee in index.fees(player.division)}
    return fees.get(player.category.casefold(), fees.get(""))


def due(index: Index, player: Player) -> int:
    """Return what a player owes in all; who has withdrawn owes no more than has been paid."""
    return player.paid if index.withdrawn(player.id) else fee_of(index, player)


def fee_totals(index: Index, divisions: Iterable[DivisionId]) -> FeeTotals:
    """Return the sums of divisions; more than was due is no part of what is missing."""
    players = [player for division in divisions for player in index.players(division)]
    owed = [(due(index, player), player.paid) for player in players]
    missing = [max(0, one - paid) for one, paid in owed]
    return FeeTotals(
        due=sum(one for one, _ in owed),
        paid=sum(paid for _, paid in owed),
        missing=sum(missing),
        owing=sum(map(bool, missing)),
    )


def fees_used(index: Index, division: DivisionId) -> bool:
    """Return whether a division takes fees, or has taken some."""
    return bool(index.fees(division)) or any(player.paid for player in index.players(division))
