"""Read a folder of photos of players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from tdapp.domain.errors import InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, PlayerId
from tdapp.domain.photos import PhotoFileAssignment, match_photo_files
from tdapp.exchange.text import read_file
from tdapp.i18n.catalogue import Catalogue


class PhotosFromFolder(Struct, frozen=True):
    """The photos of players found in a folder."""

    photos: tuple[tuple[PlayerId, str], ...]  # argument of `commands.set_photos`
    left_out: tuple[str, ...]  # sentences about unused files


def read_photo_folder(
    index: TournamentIndex, division: DivisionId, folder: Path, catalogue: Catalogue
) -> PhotosFromFolder:
    """Read the photos whose file name is a player's number, member number or name. Raises InputError."""
    from tdapp.reports.logo import convert_photo_to_base64  # noqa: PLC0415 - not needed to open the window

    try:
        paths = {path.name: path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")}
    except OSError as error:
        raise InputError("folder-unreadable", source=folder.name, problem=error.strerror or str(error)) from error
    matched = match_photo_files(index, division, paths)
    photos, left_out = list[tuple[PlayerId, str]](), [*_explain_unused_files(matched, catalogue)]
    for name, player in matched.players.items():
        try:
            photos.append((player, convert_photo_to_base64(read_file(paths[name]), name)))
        except InputError as error:
            left_out.append(catalogue.describe_error(error))
    return PhotosFromFolder(tuple(photos), tuple(left_out))


def _explain_unused_files(matched: PhotoFileAssignment, catalogue: Catalogue) -> Iterator[str]:
    for name in matched.unknown:
        yield catalogue.text("{name}: no player has this number, member number or name.", name=name)
    for name in matched.ambiguous:
        yield catalogue.text("{name}: several players have this number, member number or name.", name=name)
    for name in matched.duplicates:
        yield catalogue.text("{name}: this player already has a photo from another file.", name=name)
