"""The tournaments opened last: files, and addresses without their passwords."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from tdapp.domain.errors import StorageError
from tdapp.storage.address import Address, place_of

MOST_RECENT = 8


class Settings(Protocol):
    """What the user has chosen on this computer, by key."""

    def value(self, key: str, default: object = ..., /) -> object:
        """Return what is kept under a key."""

    def setValue(self, key: str, value: object, /) -> None:  # noqa: N802, RUF100 - as Qt names it
        """Keep a value under a key."""


class RecentTournaments:
    """Remembers in the user's settings what was opened, newest first."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def places(self) -> list[Path | Address]:
        """Return the files that are still there, and the addresses."""
        stored = self._settings.value("recent", [])
        texts = [stored] if isinstance(stored, str) else list(stored) if isinstance(stored, list) else []
        return [place for place in map(place_of, texts) if _is_there(place)]

    def files(self) -> list[Path]:
        """Return the files that are still there."""
        return [place for place in self.places() if isinstance(place, Path)]

    def folder(self) -> str:
        """Return where a file is looked for first: beside the tournament opened last, else at home."""
        files = self.files()
        return str(files[0].parent if files else Path.home())

    def add(self, place: Path | Address) -> None:
        """Remember what is opened."""
        known = str(place)  # of an address without its password
        others = [str(one) for one in self.places() if str(one) != known]
        self._settings.setValue("recent", [known, *others][:MOST_RECENT])


def _is_there(place: Path | Address) -> bool:
    """Tell whether a file, or a server of our own, is still there; of another's only it can tell."""
    if isinstance(place, Path):
        return place.exists()
    try:
        folder = place.parts.folder
    except StorageError:
        return False
    return not folder or Path(folder).exists()
