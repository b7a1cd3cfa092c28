"""Rating lists on this computer, with source and date.

A list is a table (csv, xlsx, ods), the JSON of the program, or has lines `Name:MEMBER 1500` as in tsh. Invalid
lines are counted and skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from tdapp.domain.entries import ImportedPlayerStatus, PlayerEntry, match_player_entries, normalise_name
from tdapp.domain.errors import InputError
from tdapp.domain.model import Player
from tdapp.domain.player_fields import EMPTY_VALUES, LIST_FIELDS
from tdapp.domain.serialization import InvalidDocumentError, make_decoder
from tdapp.domain.tables.seasons import RatingListRow
from tdapp.exchange import player_lists, tsh_lines
from tdapp.exchange.cells import encode_csv
from tdapp.exchange.imports import (
    ImportFormat,
    PlayerListFile,
    detect_format,
    make_player_list_from_entries,
    read_bytes_to_import,
)
from tdapp.exchange.text import (
    clean_text_to_one_line,
    decode_text,
    make_write_error,
    read_file,
    split_lines,
    write_file,
)

SUFFIX = ".ratings"
EXPORT_FORMATS = ("rating-list", "rating-list-json", "rating-games")  # of a season's ratings
_FORMAT = "tdapp-ratings"
_MAX_BYTES = 20_000_000  # maximum bytes of a stored list
_DATES = re.compile(r"([ \t]+[0-9./-]{6,})+\s*$")  # at the end of a line, for example the date of the last game
_STORED_FIELDS = ("name", *(field.name for field in LIST_FIELDS if field.is_in_rating_lists))
_STORED_FIELDS_BY_HEADING = {
    heading: name for heading, name in player_lists.FIELDS_BY_HEADING.items() if name in _STORED_FIELDS
}
# Fields by heading. An import ignores these columns.
_SEASON_FIELDS = {"games": "game_count", "change": "change", "last_played": "last_played_date"}
_TOURNAMENT_DEFAULTS: dict[str, Any] = {
    field.name: EMPTY_VALUES[field.name] for field in LIST_FIELDS if not field.is_in_rating_lists
}


class RatingList(Struct, frozen=True):
    """A list of ratings from one source."""

    source: str
    date: str  # ISO 8601; "" if unknown
    players: tuple[PlayerEntry, ...]
    invalid_line_count: int = 0


class StoredRatingList(Struct, frozen=True):
    """A file of the rating library."""

    path: Path
    rating_list: RatingList | None  # None if the file is unreadable


def read_rating_list(data: bytes, source: str = "") -> RatingList:
    """Return the rating list in a file. Its date is in the JSON or in the file name."""
    if (stored_list := _parse_stored_rating_list(data, source)) is not None and stored_list.players:
        return stored_list
    entries, skipped_count = _read_rated_players(data, source)
    players = [replace(entry, number=None, **_TOURNAMENT_DEFAULTS) for entry in entries]
    rated_players = tuple(entry for entry in players if entry.rating is not None)
    if not rated_players:
        raise InputError("ratings-none", source=source)
    return RatingList(
        clean_text_to_one_line(Path(source).stem),
        _find_date_in_file_name(source),
        rated_players,
        skipped_count + len(players) - len(rated_players),
    )


def _read_rated_players(data: bytes, source: str) -> tuple[list[PlayerEntry], int]:
    try:
        kind = detect_format(data, source)
    except InputError as error:
        if error.code != "file-unknown":
            raise
        return _parse_rating_lines(decode_text(data, source))
    if kind is ImportFormat.TSH or (kind is ImportFormat.PLAYERS and not _has_player_headings(data, source)):
        return _parse_rating_lines(decode_text(data, source))
    imported = read_bytes_to_import(data, source)
    if not isinstance(imported, PlayerListFile):
        raise InputError("ratings-none", source=source)
    preview = player_lists.read_player_grid(imported.sheets[imported.likely_worksheet_index].grid, source)
    unread_ratings = [warning for warning in preview.warnings if warning.code == player_lists.RATING_LEFT_OUT]
    invalid_lines = {problem.line for problem in (*preview.problems, *unread_ratings)}
    return [entry for entry in preview.entries if entry.line not in invalid_lines], len(invalid_lines)


def _has_player_headings(data: bytes, source: str) -> bool:
    imported = read_bytes_to_import(data, source)
    return (
        isinstance(imported, PlayerListFile)
        and player_lists.guess_player_columns(imported.sheets[0].grid).has_headings
    )


def _parse_rating_lines(text: str) -> tuple[list[PlayerEntry], int]:
    players: list[PlayerEntry] = []
    skipped_count = 0
    for number, line in enumerate(split_lines(text), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            (player_line,) = tsh_lines.parse_division_lines(
                _DATES.sub("", line.partition(";")[0].replace("\t", "  ")), ""
            ).player_lines
        except (InputError, ValueError):
            skipped_count += 1
            continue
        players.append(
            PlayerEntry(None, player_line.name, player_line.rating or None, member=player_line.member, line=number)
        )
    return players, skipped_count


def _find_date_in_file_name(source: str) -> str:
    for year, month, day in re.findall(r"(?<!\d)(20\d\d)-?(\d\d)-?(\d\d)(?!\d)", source):
        try:
            return date(int(year), int(month), int(day)).isoformat()
        except ValueError:
            continue
    return ""


def make_player_list_with_ratings(rating_list: RatingList, players: tuple[Player, ...]) -> PlayerListFile:
    matches = match_player_entries(players, rating_list.players)
    entries = tuple(match.entry for match in matches if match.status is not ImportedPlayerStatus.NEW)
    has_date = not rating_list.date or rating_list.date in rating_list.source
    source = rating_list.source if has_date else f"{rating_list.source} ({rating_list.date})"
    rated_entries = (replace(entry, club="", country="") for entry in entries)
    return make_player_list_from_entries(tuple(rated_entries), source)


class RatingLibrary:
    """The rating lists in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def list_stored_rating_lists(self) -> tuple[StoredRatingList, ...]:
        stored_lists = [
            StoredRatingList(path, _read_stored_list(path)) for path in sorted(self.folder.glob(f"*{SUFFIX}"))
        ]
        return tuple(
            sorted(stored_lists, key=lambda item: item.rating_list.date if item.rating_list else "", reverse=True)
        )

    def add_rating_list(self, ratings: RatingList) -> Path:
        """Write a list to the folder. It replaces a list of the same source."""
        name = normalise_name(ratings.source)
        stem = "".join(character if character.isalnum() else "-" for character in name)[:60] or "list"
        path = self.folder / f"{stem}{SUFFIX}"
        players = [
            {key: value for key in _STORED_FIELDS if (value := asdict(player)[key])} for player in ratings.players
        ]
        document = {"format": _FORMAT, "source": ratings.source, "date": ratings.date, "players": players}
        write_file(path, (json.dumps(document, ensure_ascii=False) + "\n").encode())
        return path

    def remove_rating_list(self, path: Path) -> None:
        try:
            path.unlink()
        except OSError as error:
            raise make_write_error(path, error) from error


def _read_stored_list(path: Path) -> RatingList | None:
    try:
        return _parse_stored_rating_list(read_file(path), path.name)
    except InputError:
        return None


def _parse_stored_rating_list(data: bytes, source: str) -> RatingList | None:
    try:
        document = json.loads(decode_text(data, source, limit=_MAX_BYTES))
        if not isinstance(document, dict) or document.pop("format", None) != _FORMAT:
            return None
        read_player = make_decoder(PlayerEntry)
        rows = [
            {name: value for name, value in row.items() if name in _STORED_FIELDS} for row in document["players"]
        ]
        players = tuple(read_player({"number": None, **row}) for row in rows)
        return RatingList(str(document["source"]), str(document["date"]), players)
    except (InputError, InvalidDocumentError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def encode_season_ratings_csv(rows: Sequence[RatingListRow], date: str) -> bytes:
    """Return the rating list of a season as CSV. An import can read it as a list of players or of ratings."""
    return encode_csv(
        ("rank", "number", *_STORED_FIELDS_BY_HEADING, *_SEASON_FIELDS, "date"),
        (_make_rating_cells(row, date) for row in rows),
    )


def _make_rating_cells(row: RatingListRow, date: str) -> tuple[str, ...]:
    cells = player_lists.format_player_fields_as_cells(_make_rated_player(row))
    fields = dict(zip(player_lists.FIELDS_BY_HEADING.values(), cells, strict=True))
    season_cells = (
        "" if (value := getattr(row.line, name)) is None else str(value) for name in _SEASON_FIELDS.values()
    )
    return (
        str(row.line.rank),
        fields["number"],
        *map(fields.__getitem__, _STORED_FIELDS_BY_HEADING.values()),
        *season_cells,
        date,
    )


def encode_season_ratings_json(rows: Sequence[RatingListRow], source: str, date: str, system: str) -> bytes:
    """Return the rating list of a season as JSON, in the format of a stored list."""
    players = [
        {"rank": row.line.rank, "number": row.player.number}
        | {
            key: value
            for key in _STORED_FIELDS
            if (value := asdict(_make_rated_player(row))[key]) not in ("", None) and value is not False
        }
        | {key: getattr(row.line, name) for key, name in _SEASON_FIELDS.items()}
        for row in rows
    ]
    document = {"format": _FORMAT, "source": source, "date": date, "system": system, "players": players}
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def _make_rated_player(row: RatingListRow) -> PlayerEntry:
    fields = {name: getattr(row.player, name) for name in _STORED_FIELDS}
    return PlayerEntry(
        row.player.number, **(fields | {"rating": row.line.rating, "rated_games": row.line.total_game_count})
    )


def map_players_by_name(lists: Iterable[RatingList]) -> Mapping[str, tuple[PlayerEntry, RatingList]]:
    """Map each name to its player and rating list. If several lists have the name, use the first list."""
    players_by_name: dict[str, tuple[PlayerEntry, RatingList]] = {}
    for rating_list in lists:
        for player in rating_list.players:
            players_by_name.setdefault(player.name, (player, rating_list))
    return players_by_name
