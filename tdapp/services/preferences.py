"""What this computer remembers for its user: what was chosen, tournaments opened last and where each was left.

Hides how it is written. Settings may be from another version of the program, another computer or somebody's hand:
what makes no sense counts as not chosen, and is forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, fields

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.domain.model import DivisionId, EventId
from tdapp.domain.serialization import decoder, encode
from tdapp.services.selection import Selection
from tdapp.storage.address import Address, location_of

T = TypeVar("T")
TYPED_IN = "jury/drafts-of"  # by event: the file that sheets were typed in that are not kept yet


class Settings(Protocol):
    """What the user has chosen on this computer, by key."""

    def value(self, key: str, default: object = ..., /) -> object:
        """Return what is kept under a key."""

    def setValue(self, key: str, value: object, /) -> None:  # noqa: N802, RUF100 - as Qt names it
        """Keep a value under a key."""


def chosen(settings: Settings, key: str, among: Collection[str], usual: str) -> str:
    """Return which of some values is chosen."""
    found = str(settings.value(key, usual))
    return found if found in among else usual


def number(settings: Settings, key: str, usual: int, *, most: int) -> int:
    """Return the whole number that is chosen, from 1 to `most`."""
    found = str(settings.value(key, usual))
    value = int(found) if found.isascii() and found.isdigit() and len(found) <= len(str(most)) else 0
    return value if 1 <= value <= most else usual


def keep(settings: Settings, key: str, value: object) -> None:
    """Save a Struct under a key."""
    settings.setValue(key, json.dumps(encode(value)))


def kept(settings: Settings, key: str, usual: T) -> T:
    """Return the value that `keep` has kept; `usual` where there is none, or none that can be."""
    try:
        return decoder(type(usual))(json.loads(str(settings.value(key, ""))))
    except ValueError:
        return usual


MOST_RECENT = 8


class Progress(Struct, frozen=True):
    """How far the newest rounds of a tournament are: the highest, their results and games; 0 before the first."""

    name: str
    round: int
    done: int
    games: int


def progress_of(path: Path) -> Progress:
    """Return how far the tournament in a file is; raise StorageError where it cannot be read."""
    with closing(Desk.open(path, read_only=True)) as desk:
        index = desk.index
        newest = [item for one in index.divisions for item in index.published(one.id)[-1:]]
        games = sum(len(index.games(item.id)) for item in newest)
        still_out = sum(len(index.open_games(item.id)) for item in newest)
        number = max((item.number for item in newest), default=0)
        return Progress(desk.tournament.event.name, number, games - still_out, games)


class RecentTournaments:
    """Remembers in the user's settings what was opened, newest first."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def locations(self) -> list[Path | Address]:
        """Return the files that are still there, and the addresses."""
        stored = self._settings.value("recent", [])
        texts = [stored] if isinstance(stored, str) else list(stored) if isinstance(stored, list) else []
        return [location for location in map(location_of, texts) if _is_there(location)]

    def files(self) -> list[Path]:
        """Return the files that are still there."""
        return [location for location in self.locations() if isinstance(location, Path)]

    def folder(self) -> str:
        """Return where a file is looked for first: beside the tournament opened last, else at home."""
        files = self.files()
        return str(files[0].parent if files else Path.home())

    def add(self, location: Path | Address) -> None:
        """Remember what is opened."""
        known = str(location)  # of an address without its password
        others = [str(one) for one in self.locations() if str(one) != known]
        self._settings.setValue("recent", [known, *others][:MOST_RECENT])


def _is_there(location: Path | Address) -> bool:
    """Return whether a file, or a server of our own, is still there; of another's only it can tell."""
    if isinstance(location, Path):
        return location.exists()
    try:
        folder = location.parts.folder
    except StorageError:
        return False
    return not folder or Path(folder).exists()


MOST = 30  # tournaments of which the position is remembered


class LastPosition(Struct, frozen=True):
    """Where a tournament was left, each part empty where there was none."""

    page: str = ""
    division: str = ""
    round: int = 0


class LastPositions:
    """Keeps and recalls positions, in the user's settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def recall(self, tournament: Selection) -> str:
        """Choose the division and the round where a file was left, and return the page; empty for none."""
        if tournament.path is None:
            return ""
        position = self.of(tournament.tournament.event.id)
        division = tournament.tournament.divisions.get(DivisionId(position.division))
        if division is not None:
            tournament.choose_division(division.id)
            if position.round in {item.number for item in tournament.index.rounds(division.id)}:
                tournament.choose_round(position.round)
        return position.page

    def remember(self, tournament: Selection, page: str) -> None:
        """Remember where a file is; the newest round is not: it is the one to begin with, then as now."""
        if tournament.path is None or tournament.division is None:
            return
        rounds = tournament.index.rounds(tournament.division.id)
        older = bool(rounds) and tournament.round_number != rounds[-1].number
        number = tournament.round_number or 0
        self.keep(
            tournament.tournament.event.id, LastPosition(page, tournament.division.id, number if older else 0)
        )

    def of(self, event: EventId) -> LastPosition:
        """Return where a tournament was left."""
        return self._known().get(event, LastPosition())

    def keep(self, event: EventId, position: LastPosition) -> None:
        """Remember where a tournament is; the one left longest ago is forgotten where there are too many."""
        others = {key: one for key, one in self._known().items() if key != event}
        newest = dict([(event, position), *others.items()][:MOST])
        self._settings.setValue("stands", json.dumps({key: asdict(one) for key, one in newest.items()}))

    def _known(self) -> dict[str, LastPosition]:
        found = read_mapping(str(self._settings.value("stands", "")))
        return {key: _position(one) for key, one in found.items() if isinstance(one, dict)}


def read_mapping(text: str) -> Mapping[str, object]:
    """Return a mapping that was written as JSON; an empty one for anything else."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _position(plain: Mapping[str, object]) -> LastPosition:
    """Return what is written of a tournament, as far as it is what it should be."""
    kinds = {one.name: type(one.default) for one in fields(LastPosition)}
    sound = {name: value for name, value in plain.items() if type(value) is kinds.get(name)}
    return LastPosition(**sound)  # type: ignore[arg-type] # each is of its field's type
