"""Who is meant by a name as it was typed, where nobody is offered to choose from."""

from __future__ import annotations

from tdapp.domain.entries import folded
from tdapp.domain.model import Player
from tdapp.domain.tournament import Tournament

_KNOWN_BY = 2  # words of a name that are enough


def called(tournament: Tournament, name: str, more: str = "") -> tuple[Player, ...]:
    """Return the players who bear a name, first or last name first, accents or not; `more` is a number or a club.

    First come those who bear it in full, then those who have a name more or less. Who has withdrawn is only found
    where nobody else is.
    """
    wanted, everybody = _words(name), tournament.players.values()
    found = [one for one in everybody if wanted and wanted in {_words(one.name), _words(one.shown_as)}]
    found = found or [one for one in everybody if _partly(wanted, _words(one.name))]
    gone = {row.player for row in tournament.absences.values() if row.last_round is None}
    found = [one for one in found if one.id not in gone] or found
    if len(found) > 1 and more.strip():
        found = [one for one in found if _fits(tournament, one, more)]
    return tuple(found)


def _words(name: str) -> frozenset[str]:
    return frozenset(folded(name.replace("'", "").replace("’", "")).split())


def _partly(wanted: frozenset[str], name: frozenset[str]) -> bool:
    return min(len(wanted), len(name)) >= _KNOWN_BY and (wanted <= name or name <= wanted)


def _fits(tournament: Tournament, player: Player, more: str) -> bool:
    """Return whether a number, with or without the code of the division, or a club is the player's."""
    code, club = tournament.divisions[player.division].code, _words(more)
    numbers = {folded(str(player.number)), folded(f"{code}{player.number}"), folded(f"{code} {player.number}")}
    return folded(more) in numbers or (bool(club) and club <= _words(player.club))
