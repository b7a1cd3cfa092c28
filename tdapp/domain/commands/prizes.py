"""Commands on the prizes and the rating system of a division."""

from __future__ import annotations

from typing import TypedDict, Unpack

from msgspec.structs import replace

from tdapp.domain.commands.rule import check_number_in_range, command, get_row_or_refuse, strip_and_check_text
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, PlayerId, Prize, PrizeId, PrizeKind
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_

MOST_PLACES = 10_000
MOST_GAMES = 200
HIGHEST_AMOUNT = 1_000_000_000


@command(N_("Prize added: {kind:PrizeKind}"))
def add_prize(  # noqa: PLR0913 - a prize's fields
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    kind: PrizeKind,
    place: int = 1,
    category: str = "",
    amount: int = 0,
    text: str = "",
    player: PlayerId | None = None,
    games: int = 6,
) -> Tournament:
    """Add a prize. `model.Prize` explains the arguments."""
    get_row_or_refuse(tournament.divisions, division, "no-such-division")
    position = 1 + max((prize.position for prize in TournamentIndex(tournament).prizes(division)), default=0)
    row = Prize(PrizeId(key), division, position, kind, place, category, amount, text, player, games)
    return tournament.put(_validate_prize(tournament, row))


class PrizeChanges(TypedDict, total=False):
    """Editable fields of a prize."""

    kind: PrizeKind
    place: int
    category: str
    amount: int
    text: str
    player: PlayerId | None  # winner chosen by hand; None removes the choice
    games: int


@command(N_("Prize changed: {kind:PrizeKind}"))
def edit_prize(
    tournament: Tournament, *, prize: PrizeId, seen: Prize | None = None, **changes: Unpack[PrizeChanges]
) -> Tournament:
    """Change fields of a prize. Raises CommandError if the row differs from `seen`."""
    row = get_row_or_refuse(tournament.prizes, prize, "no-such-prize")
    if seen is not None and seen != row:
        raise CommandError("changed-meanwhile", kind="prizes", id=prize)
    return tournament.put(_validate_prize(tournament, replace(row, **changes)))


@command(N_("Prize removed: {kind:PrizeKind}"))
def remove_prize(tournament: Tournament, *, prize: PrizeId) -> Tournament:
    return tournament.drop(get_row_or_refuse(tournament.prizes, prize, "no-such-prize"))


@command(N_("Prize moved in the list: {kind:PrizeKind}"))
def move_prize(tournament: Tournament, *, prize: PrizeId, position: int) -> Tournament:
    """Move a prize to `position`, from 1. Too high a position means the end of the list."""
    row = get_row_or_refuse(tournament.prizes, prize, "no-such-prize")
    check_number_in_range(position, "position", low=1, high=MOST_PLACES)
    prizes = [
        other_prize for other_prize in TournamentIndex(tournament).prizes(row.division) if other_prize.id != prize
    ]
    prizes.insert(position - 1, row)
    moved_prizes = [
        replace(listed_prize, position=number)
        for number, listed_prize in enumerate(prizes, 1)
        if listed_prize.position != number
    ]
    return tournament.put(*moved_prizes)


@command(N_("Division {division}: rating system chosen"))
def choose_rating(tournament: Tournament, *, division: DivisionId, rating: str) -> Tournament:
    row = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    return tournament.put(replace(row, rating=strip_and_check_text(rating, "rating_system")))


def _validate_prize(tournament: Tournament, prize: Prize) -> Prize:
    by_hand = prize.kind is PrizeKind.HAND
    prize = replace(
        prize,
        category=strip_and_check_text(prize.category, "category"),
        text=strip_and_check_text(prize.text, "text"),
        place=1 if by_hand else check_number_in_range(prize.place, "place", low=1, high=MOST_PLACES),
        amount=check_number_in_range(prize.amount, "amount", low=0, high=HIGHEST_AMOUNT),
        games=check_number_in_range(prize.games, "games", low=1, high=MOST_GAMES),
        player=prize.player if by_hand else None,
    )
    if prize.kind is PrizeKind.CATEGORY and not prize.category:
        raise CommandError("prize-without-class")
    if prize.player is not None:
        player = get_row_or_refuse(tournament.players, prize.player, "no-such-player")
        if player.division != prize.division:
            raise CommandError("other-division", player=player.name)
    return prize
