"""Rating lists on this computer, with source and date, and the rating list of a season as CSV and JSON.

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

from tdapp.domain.entries import EntryStatus, PlayerEntry, match_player_entries, normalise_name
from tdapp.domain.errors import InputError
from tdapp.domain.model import Player
from tdapp.domain.player_fields import EMPTY, LISTED
from tdapp.domain.serialization import PlainError, make_decoder
from tdapp.domain.tables.seasons import RatingListRow
from tdapp.exchange import player_lists, tsh_lines
from tdapp.exchange.cells import format_csv
from tdapp.exchange.imports import FileFormat, PlayerTables, detect_format, make_player_table, read_import_bytes
from tdapp.exchange.text import clean_text, decode_text, make_write_error, read_file, split_lines, write_file

SUFFIX = ".ratings"
EXPORT_FORMATS = ("rating-list", "rating-list-json", "rating-games")  # of a season
_FORMAT = "tdapp-ratings"
_MOST = 20_000_000  # maximum bytes of a stored list
_DATES = re.compile(r"([ \t]+[0-9./-]{6,})+\s*$")  # for example the date of the last game, at the end of a line
_KEPT = ("name", *(one.name for one in LISTED if one.rated))
_WRITTEN = {heading: name for heading, name in player_lists.WRITTEN.items() if name in _KEPT}
_OF_SEASON = {"games": "game_count", "change": "change", "last_played": "last_date"}  # by heading; not read back
_OF_TOURNAMENT: dict[str, Any] = {one.name: EMPTY[one.name] for one in LISTED if not one.rated}


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
    if (own := _parse_stored_list(data, source)) is not None and own.players:
        return own
    entries, skipped = _read_rated_players(data, source)
    known = [replace(entry, number=None, **_OF_TOURNAMENT) for entry in entries]
    rated = tuple(entry for entry in known if entry.rating is not None)
    if not rated:
        raise InputError("ratings-none", source=source)
    return RatingList(
        clean_text(Path(source).stem), _find_date_in_name(source), rated, skipped + len(known) - len(rated)
    )


def _read_rated_players(data: bytes, source: str) -> tuple[list[PlayerEntry], int]:
    try:
        kind = detect_format(data, source)
    except InputError as error:
        if error.code != "file-unknown":
            raise
        return _parse_rating_lines(decode_text(data, source))
    if kind is FileFormat.TSH or (kind is FileFormat.PLAYERS and not _has_player_headings(data, source)):
        return _parse_rating_lines(decode_text(data, source))
    imported = read_import_bytes(data, source)
    if not isinstance(imported, PlayerTables):
        raise InputError("ratings-none", source=source)
    preview = player_lists.read_player_grid(imported.sheets[imported.likely_sheet_index].grid, source)
    wrong = {problem.line for problem in preview.problems}
    return [entry for entry in preview.entries if entry.line not in wrong], len(wrong)


def _has_player_headings(data: bytes, source: str) -> bool:
    imported = read_import_bytes(data, source)
    return (
        isinstance(imported, PlayerTables)
        and player_lists.guess_player_columns(imported.sheets[0].grid).has_headings
    )


def _parse_rating_lines(text: str) -> tuple[list[PlayerEntry], int]:
    found: list[PlayerEntry] = []
    skipped = 0
    for number, line in enumerate(split_lines(text), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            (player_line,) = tsh_lines.parse_division_lines(
                _DATES.sub("", line.partition(";")[0].replace("\t", "  ")), ""
            ).player_lines
        except (InputError, ValueError):
            skipped += 1
            continue
        found.append(
            PlayerEntry(None, player_line.name, player_line.rating or None, member=player_line.member, line=number)
        )
    return found, skipped


def _find_date_in_name(source: str) -> str:
    for year, month, day in re.findall(r"(?<!\d)(20\d\d)-?(\d\d)-?(\d\d)(?!\d)", source):
        try:
            return date(int(year), int(month), int(day)).isoformat()
        except ValueError:
            continue
    return ""


def select_ratings_of_players(rating_list: RatingList, players: tuple[Player, ...]) -> PlayerTables:
    met = match_player_entries(players, rating_list.players)
    about = tuple(one.entry for one in met if one.status is not EntryStatus.NEW)
    dated = not rating_list.date or rating_list.date in rating_list.source
    named = rating_list.source if dated else f"{rating_list.source} ({rating_list.date})"
    only = (replace(entry, club="", country="") for entry in about)
    return make_player_table(tuple(only), named)


class RatingLibrary:
    """The rating lists in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def list_stored_lists(self) -> tuple[StoredRatingList, ...]:
        found = [
            StoredRatingList(path, _read_stored_list(path)) for path in sorted(self.folder.glob(f"*{SUFFIX}"))
        ]
        return tuple(
            sorted(found, key=lambda kept: kept.rating_list.date if kept.rating_list else "", reverse=True)
        )

    def add_list(self, ratings: RatingList) -> Path:
        """Write a list to the folder. It replaces a list of the same source."""
        stem = "".join(sign if sign.isalnum() else "-" for sign in normalise_name(ratings.source))[:60] or "list"
        path = self.folder / f"{stem}{SUFFIX}"
        players = [{key: value for key in _KEPT if (value := asdict(one)[key])} for one in ratings.players]
        plain = {"format": _FORMAT, "source": ratings.source, "date": ratings.date, "players": players}
        write_file(path, (json.dumps(plain, ensure_ascii=False) + "\n").encode())
        return path

    def remove_list(self, path: Path) -> None:
        try:
            path.unlink()
        except OSError as error:
            raise make_write_error(path, error) from error


def _read_stored_list(path: Path) -> RatingList | None:
    try:
        return _parse_stored_list(read_file(path), path.name)
    except InputError:
        return None


def _parse_stored_list(data: bytes, source: str) -> RatingList | None:
    try:
        plain = json.loads(decode_text(data, source, limit=_MOST))
        if not isinstance(plain, dict) or plain.pop("format", None) != _FORMAT:
            return None
        read_player = make_decoder(PlayerEntry)
        rows = [{name: value for name, value in one.items() if name in _KEPT} for one in plain["players"]]
        players = tuple(read_player({"number": None, **one}) for one in rows)
        return RatingList(str(plain["source"]), str(plain["date"]), players)
    except (InputError, PlainError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def write_season_ratings_csv(rows: Sequence[RatingListRow], date: str) -> bytes:
    """Return the rating list of a season as CSV. An import can read it as a list of players or of ratings."""
    return format_csv(
        ("rank", "number", *_WRITTEN, *_OF_SEASON, "date"), (_make_rating_cells(row, date) for row in rows)
    )


def _make_rating_cells(row: RatingListRow, date: str) -> tuple[str, ...]:
    fields = dict(
        zip(player_lists.WRITTEN.values(), player_lists.make_player_cells(_make_rated_player(row)), strict=True)
    )
    shown = ("" if (value := getattr(row.line, name)) is None else str(value) for name in _OF_SEASON.values())
    return str(row.line.rank), fields["number"], *map(fields.__getitem__, _WRITTEN.values()), *shown, date


def write_season_ratings_json(rows: Sequence[RatingListRow], source: str, date: str, system: str) -> bytes:
    """Return the rating list of a season as JSON, in the format of a stored list."""
    players = [
        {"rank": row.line.rank, "number": row.player.number}
        | {
            key: value
            for key in _KEPT
            if (value := asdict(_make_rated_player(row))[key]) not in ("", None) and value is not False
        }
        | {key: getattr(row.line, name) for key, name in _OF_SEASON.items()}
        for row in rows
    ]
    plain = {"format": _FORMAT, "source": source, "date": date, "system": system, "players": players}
    return (json.dumps(plain, ensure_ascii=False, indent=1) + "\n").encode()


def _make_rated_player(row: RatingListRow) -> PlayerEntry:
    rated = {name: getattr(row.player, name) for name in _KEPT}
    return PlayerEntry(
        row.player.number, **(rated | {"rating": row.line.rating, "rated_games": row.line.all_games})
    )


def map_players_by_name(lists: Iterable[RatingList]) -> Mapping[str, tuple[PlayerEntry, RatingList]]:
    """Return the players by name, each with the first of the lists that contains the name."""
    found: dict[str, tuple[PlayerEntry, RatingList]] = {}
    for one in lists:
        for player in one.players:
            found.setdefault(player.name, (player, one))
    return found
