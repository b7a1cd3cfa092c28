"""Find players by a typed name, without a selection dialog."""

from __future__ import annotations

from tdapp.domain.entries import normalise_name
from tdapp.domain.model import Player
from tdapp.domain.tournament import Tournament

_KNOWN_BY = 2  # words that a partial match must share


def find_players_by_name(tournament: Tournament, name: str, more: str = "") -> tuple[Player, ...]:
    """Return the players with a name, in either order and with or without accents. `more` is a number or a club.

    Exact matches come first, then similar names. Withdrawn players are returned only if no other matches.
    """
    wanted, everybody = _split_words(name), tournament.players.values()
    found = [one for one in everybody if wanted and wanted in {_split_words(one.name), _split_words(one.shown_as)}]
    found = found or [one for one in everybody if _is_partial_match(wanted, _split_words(one.name))]
    gone = {row.player for row in tournament.absences.values() if row.last_round is None}
    found = [one for one in found if one.id not in gone] or found
    if len(found) > 1 and more.strip():
        found = [one for one in found if _matches_hint(tournament, one, more)]
    return tuple(found)


def _split_words(name: str) -> frozenset[str]:
    return frozenset(normalise_name(name.replace("'", "").replace("’", "")).split())


def _is_partial_match(wanted: frozenset[str], name: frozenset[str]) -> bool:
    return min(len(wanted), len(name)) >= _KNOWN_BY and (wanted <= name or name <= wanted)


def _matches_hint(tournament: Tournament, player: Player, more: str) -> bool:
    code, club = tournament.divisions[player.division].code, _split_words(more)
    numbers = {
        normalise_name(str(player.number)),
        normalise_name(f"{code}{player.number}"),
        normalise_name(f"{code} {player.number}"),
    }
    return normalise_name(more) in numbers or (bool(club) and club <= _split_words(player.club))
