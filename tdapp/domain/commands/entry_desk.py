"""Commands on check-in by players, entry fees and payments."""

from __future__ import annotations

from typing import TypedDict, Unpack

from msgspec.structs import replace

from tdapp.domain.commands.prizes import HIGHEST_AMOUNT
from tdapp.domain.commands.rule import check_number_in_range, command, get_row_or_refuse, strip_and_check_text
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, EntryFee, FeeId, PlayerId
from tdapp.domain.prizes import compute_full_fee
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_, Plural


@command(N_("Players may check themselves in"))
def open_check_in(tournament: Tournament) -> Tournament:
    return tournament.put(replace(tournament.event, players_check_in=True))


@command(N_("Players may no longer check themselves in"))
def close_check_in(tournament: Tournament) -> Tournament:
    return tournament.put(replace(tournament.event, players_check_in=False))


@command(N_("Self check-in: {player}"))
def arrive(tournament: Tournament, *, player: PlayerId, device: str = "") -> Tournament:
    """Check in a player who uses the phone or tablet `device`. Refuse players marked as absent."""
    strip_and_check_text(device, "device")
    row = get_row_or_refuse(tournament.players, player, "no-such-player")
    if not tournament.event.players_check_in:
        raise CommandError("check-in-closed")
    index = TournamentIndex(tournament)
    if index.has_withdrawn(player):
        raise CommandError("arrives-withdrawn", player=row.name)
    next_round = index.get_last_published_round_number(row.division) + 1
    if index.find_stage(row.division, next_round) is None:
        raise CommandError("check-in-over")
    if index.find_stored_absence(player, next_round) is not None:
        raise CommandError("arrives-absent", player=row.name, round=next_round)
    if row.checked_in:
        raise CommandError("arrived-already", player=row.name)
    return tournament.put(replace(row, checked_in=True))


@command(N_("Entry fee added"))
def add_fee(
    tournament: Tournament, *, key: str, division: DivisionId, amount: int, category: str = ""
) -> Tournament:
    """Add an entry fee of `amount` hundredths of the currency."""
    get_row_or_refuse(tournament.divisions, division, "no-such-division")
    return tournament.put(_validate_fee(tournament, EntryFee(FeeId(key), division, amount, category)))


class FeeChanges(TypedDict, total=False):
    """Editable fields of an entry fee."""

    amount: int
    category: str


@command(N_("Entry fee changed"))
def edit_fee(tournament: Tournament, *, fee: FeeId, **changes: Unpack[FeeChanges]) -> Tournament:
    row = get_row_or_refuse(tournament.fees, fee, "no-such-fee")
    return tournament.put(_validate_fee(tournament, replace(row, **changes)))


@command(N_("Entry fee removed"))
def remove_fee(tournament: Tournament, *, fee: FeeId) -> Tournament:
    return tournament.drop(get_row_or_refuse(tournament.fees, fee, "no-such-fee"))


@command(Plural("Fee paid: {player}", "Fee not paid: {player}", number_fact="paid"))
def note_paid(
    tournament: Tournament, *, players: tuple[PlayerId, ...], paid: bool = True, amount: int | None = None
) -> Tournament:
    """Record that each player paid `amount` hundredths of the currency (None: the whole fee).

    With `paid` False, record that they paid nothing.
    """
    rows = [get_row_or_refuse(tournament.players, player, "no-such-player") for player in players]
    if amount is not None:
        check_number_in_range(amount, "amount", low=0, high=HIGHEST_AMOUNT)
    index = TournamentIndex(tournament)
    amounts = [(compute_full_fee(index, row) if amount is None else amount) if paid else 0 for row in rows]
    return tournament.put(*(replace(row, paid=value) for row, value in zip(rows, amounts, strict=True)))


def _validate_fee(tournament: Tournament, row: EntryFee) -> EntryFee:
    row = replace(
        row,
        amount=check_number_in_range(row.amount, "amount", low=0, high=HIGHEST_AMOUNT),
        category=strip_and_check_text(row.category, "category"),
    )
    for other_fee in tournament.fees.values():
        is_same_category = (other_fee.division, other_fee.category.casefold()) == (
            row.division,
            row.category.casefold(),
        )
        if is_same_category and other_fee.id != row.id:
            raise CommandError("fee-twice", category=row.category)
    return row
