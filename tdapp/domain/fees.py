"""Entry fees: amounts due and paid for each player and division."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, Fee, Player


class FeeTotals(Struct, frozen=True):
    """Totals in hundredths of the currency: due, paid and missing. `owing` is a number of players."""

    due: int = 0
    paid: int = 0
    missing: int = 0
    owing: int = 0  # number of players


def compute_fee(index: Index, player: Player) -> int:
    found = find_fee(index, player)
    return 0 if found is None else found.amount


def find_fee(index: Index, player: Player) -> Fee | None:
    fees = {fee.category.casefold(): fee for fee in index.fees(player.division)}
    return fees.get(player.category.casefold(), fees.get(""))


def compute_amount_due(index: Index, player: Player) -> int:
    """Return the fee due in hundredths. A withdrawn player owes only what was already paid."""
    return player.paid if index.has_withdrawn(player.id) else compute_fee(index, player)


def compute_fee_totals(index: Index, divisions: Iterable[DivisionId]) -> FeeTotals:
    """Return the totals. Overpayments do not reduce the missing amount."""
    players = [player for division in divisions for player in index.players(division)]
    owed = [(compute_amount_due(index, player), player.paid) for player in players]
    missing = [max(0, one - paid) for one, paid in owed]
    return FeeTotals(
        due=sum(one for one, _ in owed),
        paid=sum(paid for _, paid in owed),
        missing=sum(missing),
        owing=sum(map(bool, missing)),
    )


def has_fees(index: Index, division: DivisionId) -> bool:
    return bool(index.fees(division)) or any(player.paid for player in index.players(division))
