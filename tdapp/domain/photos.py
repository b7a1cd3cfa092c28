"""Photos of players and their files."""

from __future__ import annotations

from base64 import b64decode
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from tdapp.domain.entries import normalise_name
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, PlayerId

MAX_PHOTO_SIZE = 10_000  # bytes of the file
_JPEG = b"\xff\xd8\xff"


def decode_jpeg_or_empty(data: str) -> bytes:
    """Decode a JPEG file from base64. Return b"" for other data."""
    try:
        content = b64decode(data, validate=True)
    except ValueError:
        return b""
    return content if content.startswith(_JPEG) else b""


class PhotoFileAssignment(Struct, frozen=True):
    """The player of each accepted photo file, and the rejected files."""

    players: Mapping[str, PlayerId]
    unknown: tuple[str, ...]  # files that fit no player
    ambiguous: tuple[str, ...]  # files that fit several players
    duplicates: tuple[str, ...]  # files of a player who already has another file


def match_photo_files(index: TournamentIndex, division: DivisionId, names: Iterable[str]) -> PhotoFileAssignment:
    """Find the player of each photo file. The file name is a player number, a federation number or a name.

    Players of `division` have precedence. Player numbers of other divisions need the division code, as in B12.
    """
    division_keys = _map_players_by_file_name(index, [division])
    tournament_keys = _map_players_by_file_name(index, tuple(index.tournament.divisions))
    players: dict[str, PlayerId] = {}
    unknown, ambiguous, duplicates = list[str](), list[str](), list[str]()
    for name in sorted(names):
        key = normalise_name(name.rpartition(".")[0])
        player_ids = (
            division_keys.get(key) or division_keys.get(key.lstrip("0")) or tournament_keys.get(key) or set()
        )
        if not player_ids:
            unknown.append(name)
        elif len(player_ids) > 1:
            ambiguous.append(name)
        elif player_ids <= set(players.values()):
            duplicates.append(name)
        else:
            players[name] = next(iter(player_ids))
    return PhotoFileAssignment(players, tuple(unknown), tuple(ambiguous), tuple(duplicates))


def _map_players_by_file_name(
    index: TournamentIndex, divisions: Collection[DivisionId]
) -> Mapping[str, set[PlayerId]]:
    keys = defaultdict[str, set[PlayerId]](set)
    for player in (player for division in divisions for player in index.players(division)):
        code = index.tournament.divisions[player.division].code
        number = str(player.number) if len(divisions) == 1 else ""
        for text in (number, f"{code}{player.number}", player.member, player.name):
            if key := normalise_name(text):
                keys[key].add(player.id)
    return keys
