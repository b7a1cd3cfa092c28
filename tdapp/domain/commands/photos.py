"""Commands on photos of players. A finished tournament accepts them too."""

from __future__ import annotations

from tdapp.domain.commands.rule import command, find_row
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Photo, PlayerId
from tdapp.domain.photos import LARGEST_PHOTO, decode_photo
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import Plural


@command(Plural("Photo of {player} added", "{count} photos added: {player}", by="count"), when_finished=True)
def set_photos(tournament: Tournament, *, photos: tuple[tuple[PlayerId, str], ...]) -> Tournament:
    """Add or replace photos. Each item is a player and a JPEG file in base64."""
    return tournament.put(*(_make_photo(tournament, player, data) for player, data in photos))


def _make_photo(tournament: Tournament, player: PlayerId, data: str) -> Photo:
    row = find_row(tournament.players, player, "no-such-player")
    content = decode_photo(data)
    if not content:
        raise RuleViolation("photo-unreadable", player=row.name)
    if len(content) > LARGEST_PHOTO:
        raise RuleViolation("photo-too-large", player=row.name, size=len(content), largest=LARGEST_PHOTO)
    return Photo(player, data)


@command(Plural("Photo of {player} removed", "{count} photos removed: {player}", by="count"), when_finished=True)
def remove_photos(tournament: Tournament, *, players: tuple[PlayerId, ...]) -> Tournament:
    return tournament.drop(*(tournament.photos[player] for player in players if player in tournament.photos))
