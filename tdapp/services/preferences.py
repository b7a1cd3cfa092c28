"""Settings of the user on this computer: choices, recent tournaments, and the last viewed page of each tournament.

An invalid value, for example from another version, counts as missing.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, fields

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.domain.model import DivisionId, EventId
from tdapp.domain.serialization import convert_to_builtins, make_decoder
from tdapp.storage.address import Address, parse_location

if TYPE_CHECKING:
    from tdapp.i18n.catalogue import Catalogue
    from tdapp.services.open_desk import OpenDesk

T = TypeVar("T")
DRAFTS_FILE_KEY = "jury/drafts-of"  # by event: the file with unsaved sheets


class UserSettings(Protocol):
    """Settings of the user by key, as in QSettings."""

    def value(self, key: str, default: object = ..., /) -> object:
        """Return the value of a key, or `default` if it is missing."""

    def setValue(self, key: str, value: object, /) -> None:  # noqa: N802, RUF100 - as Qt names it
        """Store the value of a key."""


def read_choice(settings: UserSettings, key: str, choices: Collection[str], default: str) -> str:
    value = str(settings.value(key, default))
    return value if value in choices else default


def read_positive_number(settings: UserSettings, key: str, default: int, *, maximum: int) -> int:
    text = str(settings.value(key, default))
    value = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(maximum)) else 0
    return value if 1 <= value <= maximum else default


def save_settings_object(settings: UserSettings, key: str, value: object) -> None:
    settings.setValue(key, json.dumps(convert_to_builtins(value)))


def load_settings_object(settings: UserSettings, key: str, default: T) -> T:
    """Return the settings object stored as JSON, or `default` if it is missing or invalid."""
    try:
        return make_decoder(type(default))(json.loads(str(settings.value(key, ""))))
    except ValueError:
        return default


MAX_RECENT = 8


class RecentTournamentProgress(Struct, frozen=True):
    """The name of a tournament and its progress."""

    name: str
    round: str  # name of the newest round, "" before the first
    finished_games: int  # number of tables with a result in the newest rounds
    games: int  # number of tables in the newest rounds


def read_tournament_progress(path: Path, catalogue: Catalogue) -> RecentTournamentProgress:
    """Read the progress from a file. Raises StorageError."""
    from tdapp.i18n.phrases import format_round_in_divisions  # noqa: PLC0415 - only after an interruption

    with closing(Desk.open(path, read_only=True)) as desk:
        index = desk.index
        newest = [item for division in index.divisions for item in index.list_published_rounds(division.id)[-1:]]
        games = sum(len(index.list_tables(item.id)) for item in newest)
        open_games = sum(len(index.list_open_tables(item.id)) for item in newest)
        number = max((item.number for item in newest), default=0)
        name = format_round_in_divisions(catalogue, index, index.divisions, number) if number else ""
        return RecentTournamentProgress(desk.tournament.event.name, name, games - open_games, games)


def format_tournament_and_file_name(name: str, path: Path | None) -> str:
    """Return the tournament's name, with the file's name if that differs."""
    return name if path is None or path.stem == name else f"{name} ({path.name})"


class RecentTournaments:
    """Recently opened tournaments, newest first."""

    def __init__(self, settings: UserSettings) -> None:
        self._settings = settings

    def list_existing_locations(self) -> list[Path | Address]:
        stored = self._settings.value("recent", [])
        texts = [stored] if isinstance(stored, str) else list(stored) if isinstance(stored, list) else []
        return [location for location in map(parse_location, texts) if _is_existing_location(location)]

    def list_existing_files(self) -> list[Path]:
        return [location for location in self.list_existing_locations() if isinstance(location, Path)]

    def propose_save_folder(self) -> str:
        files = self.list_existing_files()
        return str(files[0].parent if files else Path.home())

    def add_location(self, location: Path | Address) -> None:
        location_text = str(location)  # addresses have no password here
        other_texts = [
            str(other_location)
            for other_location in self.list_existing_locations()
            if str(other_location) != location_text
        ]
        self._settings.setValue("recent", [location_text, *other_texts][:MAX_RECENT])


def _is_existing_location(location: Path | Address) -> bool:
    if isinstance(location, Path):
        return location.exists()
    try:
        folder = location.parts.folder
    except StorageError:
        return False
    return not folder or Path(folder).exists()


MAX_POSITIONS = 30  # tournaments with a stored page


class LastViewedPage(Struct, frozen=True):
    """The last viewed page of a tournament."""

    page: str = ""  # "" if unknown
    division: str = ""
    round: int = 0  # 0: the newest round


class LastViewedPages:
    """The last viewed page of each tournament, stored in the settings."""

    def __init__(self, settings: UserSettings) -> None:
        self._settings = settings

    def select_last_viewed_round_and_get_page(self, tournament: OpenDesk) -> str:
        """Select the last viewed division and round. Return the name of the page, "" if unknown."""
        if tournament.path is None:
            return ""
        position = self.find_viewed_page(tournament.tournament.event.id)
        division = tournament.tournament.divisions.get(DivisionId(position.division))
        if division is not None:
            tournament.choose_division(division.id)
            if position.round in {item.number for item in tournament.index.rounds(division.id)}:
                tournament.choose_round(position.round)
        return position.page

    def store_viewed_page(self, tournament: OpenDesk, page: str) -> None:
        """Store the page, division and round number. The number 0 means the newest round."""
        if tournament.path is None or tournament.division is None:
            return
        rounds = tournament.index.rounds(tournament.division.id)
        older = bool(rounds) and tournament.round_number != rounds[-1].number
        number = tournament.round_number or 0
        self.set_viewed_page(
            tournament.tournament.event.id, LastViewedPage(page, tournament.division.id, number if older else 0)
        )

    def find_viewed_page(self, event: EventId) -> LastViewedPage:
        return self._read_viewed_pages().get(event, LastViewedPage())

    def set_viewed_page(self, event: EventId, viewed_page: LastViewedPage) -> None:
        other_pages = {key: page for key, page in self._read_viewed_pages().items() if key != event}
        newest = dict([(event, viewed_page), *other_pages.items()][:MAX_POSITIONS])
        self._settings.setValue("stands", json.dumps({key: asdict(page) for key, page in newest.items()}))

    def _read_viewed_pages(self) -> dict[str, LastViewedPage]:
        pages = parse_json_mapping(str(self._settings.value("stands", "")))
        return {key: _parse_viewed_page(page) for key, page in pages.items() if isinstance(page, dict)}


def parse_json_mapping(text: str) -> Mapping[str, object]:
    """Parse a JSON object. Return an empty mapping if `text` is not one."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _parse_viewed_page(mapping: Mapping[str, object]) -> LastViewedPage:
    kinds = {field.name: type(field.default) for field in fields(LastViewedPage)}
    valid_values = {name: value for name, value in mapping.items() if type(value) is kinds.get(name)}
    return LastViewedPage(**valid_values)  # type: ignore[arg-type] # each is of its field's type
