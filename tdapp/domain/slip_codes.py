"""The codes with which players enter results: one for each player of each game, made of the tournament's key.

Nobody can guess one: there are 28 ** 8 (377 thousand million), and without the key none follows from another.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from tdapp.domain.index import Index
from tdapp.domain.model import GameId, PlayerId

LETTERS = "23456789BCDFGHJKMNPQRSTVWXYZ"  # none is mistaken for another, and no code spells a word
LENGTH = 8


def code_of(key: str, game: GameId, player: PlayerId) -> str:
    """Return the code of a player of a game."""
    digest = blake2b(f"{game}\n{player}".encode(), key=key.encode()[:64], digest_size=16).digest()
    number = int.from_bytes(digest)
    signs = []
    for _ in range(LENGTH):
        number, at = divmod(number, len(LETTERS))
        signs.append(LETTERS[at])
    return "".join(signs)


def spaced(code: str) -> str:
    """Return a code as it is printed, in two halves."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def plain(typed: str) -> str:
    """Return a code as it is kept, whatever stood between its letters."""
    return "".join(sign for sign in typed.upper() if sign in LETTERS)


def codes(index: Index) -> Mapping[str, tuple[GameId, PlayerId]]:
    """Return who enters which game with each code: of all published games, none where players may not enter."""
    event = index.tournament.event
    if not event.players_enter or not event.slip_key:
        return {}
    return {
        code_of(event.slip_key, game.id, player): (game.id, player)
        for division in index.divisions
        for item in index.published(division.id)
        for game in index.games(item.id)
        for player in (game.first, game.second)
    }
