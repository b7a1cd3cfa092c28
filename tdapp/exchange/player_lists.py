"""Lists of players in tables, from text or a spreadsheet, with a preview before the import.

Only the name is required: in one column, or in columns for last name, first name and prefix (such as "van"). The
import joins these to "Last, First". It also converts names in the order "First Last".

A rating of 0 counts as none. Decimals are rounded. An unreadable rating is ignored with a warning.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.commands.rule import LONGEST_NOTE, LONGEST_TEXT
from tdapp.domain.entries import PlayerEntry, is_other_person_with_same_name, normalise_name
from tdapp.domain.errors import InputError
from tdapp.domain.model import AchievementKind, AchievementRecord
from tdapp.domain.names import are_names_in_first_last_order, is_name_split_unsure, put_last_name_first
from tdapp.domain.player_fields import LIST_FIELDS, PLAYER_FIELDS, PlayerFieldInfo
from tdapp.exchange.cells import (
    CellGrid,
    RowProblem,
    TableRow,
    encode_csv,
    find_columns_by_headings,
    parse_cell_grid,
    parse_table_by_headings,
    parse_table_with_given_columns,
    parse_table_with_required_columns,
    parse_whole_number,
    refuse_row_problems,
    simplify_heading,
)
from tdapp.exchange.text import clean_text_to_one_line, decode_text

SAME_NAME = "duplicate-name"
SPLIT_UNSURE = "name-split-unsure"
RATING_LEFT_OUT = "rating-left-out"
_HIGHEST_NUMBER = 9999
_MAX_UNREAD = 1000  # maximum number of reported unread cells
# With fewer digits before it, the mark may be a thousands separator.
_DECIMAL_NUMBER = re.compile("[0-9]{3,4}[.,][0-9]{1,20}")
_GROUPED_NUMBER = re.compile("([0-9])[.,'’ ]([0-9]{3})")  # a thousands separator
# Marks of a provisional rating, or its number of games.
_PROVISIONAL = re.compile(r"[~≈(]?\s*([0-9]{1,4})\s*(?:[?*)]|prov\.?|[p/]\s*([0-9]{1,3})|p)?\)?", re.IGNORECASE)

_HEADINGS: Mapping[str, str] = {
    "name": "name player playername fullname naam speler spelersnaam navn spiller spieler spielername",
    "first_last": "firstlast firstnamelastname firstandlastname voornaamachternaam voorenachternaam "
    "fornavnetternavn forogetternavn vornamenachname vorundnachname",
    "last": "last lastname surname familyname achternaam familienaam etternavn nachname familienname",
    "infix": "infix tussenvoegsel tussenvoegsels",
    "first": "first firstname givenname voornaam fornavn vorname",
    "number": "number no nr num nummer # playernumber spelernummer startnummer startnr spillernummer "
    "spielernummer",
    "division": "division divisie divisjon poule afdeling avdeling abteilung",
    **{item.name: item.headings for item in PLAYER_FIELDS.values() if item.headings},
}
_UNRATED = frozenset(  # words for no rating
    (
        *("", "-", "–", "—", "?", "/", "n/a", "na", "nr", "none", "unr", "unr.", "unrated", "new"),
        *("geen", "nieuw", "ingen", "ny", "uratet", "keine", "neu", "ohne"),
    )
)
_RANKS, _WINS = ({*words.split()} for words in ("rank plaats plass platz", "wins winst seire siege"))
_NO_WORDS = frozenset({"", "0", "-", "–", "no", "n", "false", "nee", "nei", "nein"})
_YES_WORDS = frozenset({"1", "x", "✓", "*", "?", "yes", "y", "true", "ja", "j", "p", "prov", "prov."})
_AMBIGUOUS_HEADING = "klasse"  # a division if its cells are codes or known divisions, else a category
_DIVISION_WORDS = {_AMBIGUOUS_HEADING, "klassen", *_HEADINGS["division"].split()}
_CODE = re.compile("[A-Z]?[0-9]{0,2}|[0-9]{1,2}[A-Z]?|[IVX]{1,4}", re.IGNORECASE)
COLUMNS_BY_HEADING: Mapping[str, str] = {
    word: column for column, words in _HEADINGS.items() for word in words.split()
}
REQUIRED_COLUMNS = ("name",)
NAME_COLUMNS = frozenset({"name", "first_last", "last"})  # columns that identify a player
_MEMBER_NUMBERS = ("member", "wespa", "naspa", "absp", "fide", "xtid")
FIELDS = tuple(_HEADINGS)  # possible meanings of a column
FIELDS_BY_HEADING = {
    "number": "number",
    "name": "name",
    **{item.headings.split()[0]: item.name for item in LIST_FIELDS},
}


class ParsedPlayerList(Struct, frozen=True):
    """The players in a list as read, and the problems in its lines."""

    source: str
    entries: tuple[PlayerEntry, ...]
    problems: tuple[RowProblem, ...]
    ignored: tuple[str, ...]  # unknown headings
    warnings: tuple[RowProblem, ...] = ()  # warnings about accepted lines

    def get_players_or_refuse(self, *, allow_namesakes: bool = False) -> tuple[PlayerEntry, ...]:
        """Return the players. Raises InputError for any problem.

        With `allow_namesakes`, several players can have the same name.
        """
        refuse_row_problems(
            self.problems_except_repeated_player_names if allow_namesakes else self.problems, self.source
        )
        return self.entries

    @property
    def problems_except_repeated_player_names(self) -> tuple[RowProblem, ...]:
        return tuple(problem for problem in self.problems if problem.code != SAME_NAME)


class PlayerColumns(Struct, frozen=True):
    """The meaning of the columns in a table of players."""

    columns: tuple[str, ...]  # the field of a player in each column; "" skips it
    has_headings: bool = True  # the first row has headings, not a player


def read_players(data: bytes, source: str = "") -> ParsedPlayerList:
    return read_player_grid(parse_cell_grid(decode_text(data, source), COLUMNS_BY_HEADING, source), source)


def guess_player_columns(
    grid: CellGrid,
    *,
    single_column_is_names: bool = False,
    country: str = "",
    division_names: Collection[str] = (),
) -> PlayerColumns:
    """Return the likely field of each column. Without headings the first row is a player.

    A column "Klasse" has divisions if most of its cells are in `division_names` (codes and names).

    With `single_column_is_names`, the only column of a table has player names if its heading is unknown. Words
    such as "van" help to detect names in the order "First Last". `country` selects these words.
    """
    columns = find_columns_by_headings(grid, _resolve_ambiguous_heading(grid, division_names))
    if single_column_is_names and len(columns) == 1 and not any(columns):
        player_columns = PlayerColumns(REQUIRED_COLUMNS, has_headings=False)
    else:
        unique_columns = tuple("" if column in columns[:index] else column for index, column in enumerate(columns))
        player_columns = PlayerColumns(unique_columns, has_headings=any(columns))
    name_parts = {"first", "infix", "last"} & {*player_columns.columns}
    if "name" not in player_columns.columns or name_parts:
        return player_columns
    index = player_columns.columns.index("name")
    names = [
        clean_text_to_one_line(cells[index])
        for _, cells in grid.rows[player_columns.has_headings :]
        if index < len(cells)
    ]
    if not are_names_in_first_last_order(names, country):
        return player_columns
    return replace(
        player_columns,
        columns=(*player_columns.columns[:index], "first_last", *player_columns.columns[index + 1 :]),
    )


def _resolve_ambiguous_heading(grid: CellGrid, division_names: Collection[str]) -> Mapping[str, str]:
    headings = {**COLUMNS_BY_HEADING, _AMBIGUOUS_HEADING: "division"}
    columns = find_columns_by_headings(grid, headings)
    if columns.count("division") != 1:
        return COLUMNS_BY_HEADING
    index = columns.index("division")
    codes = [
        _make_division_code(clean_text_to_one_line(cells[index]) if index < len(cells) else "")
        for _, cells in grid.rows[1:]
    ]
    known_names = {name.casefold() for name in division_names if name}
    known_count = sum(code.casefold() in known_names for code in codes)
    is_division = known_count > len(codes) / 2 or all(code and _CODE.fullmatch(code) for code in codes)
    return headings if is_division else COLUMNS_BY_HEADING


def _make_division_code(division_name: str) -> str:
    words = [word for word in re.split(r"[\s\-:]+", division_name) if word.casefold() not in _DIVISION_WORDS]
    return words[0] if len(words) == 1 else division_name


def read_player_grid(
    grid: CellGrid,
    source: str = "",
    columns: PlayerColumns | None = None,
    *,
    is_first_name_first: bool = False,
    country: str = "",
    division_names: Collection[str] = (),
) -> ParsedPlayerList:
    """Return the players in a table. `columns` is used instead of the headings.

    With `is_first_name_first` names are written "First Last". Name prefixes of `country` belong to the last name.
    """
    if columns is None:
        headings = _resolve_ambiguous_heading(grid, division_names)
        if is_first_name_first:
            headings = {word: "first_last" if column == "name" else column for word, column in headings.items()}
        cells = parse_table_by_headings(grid, headings, source, suggested=REQUIRED_COLUMNS)
    else:
        cells = parse_table_with_given_columns(grid, columns.columns, source, has_headings=columns.has_headings)
    if not NAME_COLUMNS & {*cells.columns}:
        if {"firstname", "secondname"} <= {simplify_heading(heading) for heading in grid.rows[0][1]}:
            raise InputError("list-of-games", source=source, line=1)
        raise InputError("csv-column-missing", source=source, line=1, field="name", columns=REQUIRED_COLUMNS)
    if not cells.rows:
        raise InputError("csv-no-rows", source=source)
    problems = list(cells.problems)
    unread_cells: dict[int, list[str]] = defaultdict(list)
    for line_number, cell in grid.unread_cells[:_MAX_UNREAD]:
        unread_cells[line_number].append(cell)
    unread_warnings = (
        RowProblem(line_number, "", "cell-unread", {"cells": ", ".join(names)})
        for line_number, names in unread_cells.items()
    )
    warnings = [*cells.warnings, *unread_warnings]
    entries = tuple(_read_player_entry(row, problems, warnings, country) for row in cells.rows)
    entries = tuple(entry if entry.rating else replace(entry, provisional=False) for entry in entries)
    zero_lines = [row.line for row in cells.rows if re.fullmatch("0+([.,]0+)?", row.cells.get("rating", ""))]
    provisional_ratings = [
        (row.line, text)
        for row, entry in zip(cells.rows, entries, strict=True)
        if entry.provisional and not (text := row.cells.get("rating", "")).isdigit()
    ]
    if zero_lines:
        warnings.append(RowProblem(zero_lines[0], "rating", "rating-zero", {"count": len(zero_lines)}))
    if provisional_ratings:
        line, text = provisional_ratings[0]
        facts = {"value": text, "count": len(provisional_ratings)}
        warnings.append(RowProblem(line, "rating", "rating-provisional", facts))
    written_names = [(row.line, row.cells.get("name", "")) for row in cells.rows]
    if any("," in name for _, name in written_names):
        warnings += (
            RowProblem(line, "name", "names-mixed", {"value": name})
            for line, name in written_names
            if " " in name and "," not in name
        )
    problems = [
        replace(problem, code="cell-unread", facts={"cells": ", ".join(unread_cells[problem.line])})
        if problem.code == "name-missing" and problem.line in unread_cells
        else problem
        for problem in problems
    ]
    problems += _find_repeated_players(entries, frozenset(problem.line for problem in problems))
    warnings += _find_shared_member_numbers(entries)
    ignored_headings = {*map(simplify_heading, cells.ignored)}
    if _RANKS & ignored_headings and _WINS & ignored_headings:
        warnings.append(RowProblem(grid.rows[0][0], "", "list-of-standings", {}))
    sorted_problems = tuple(sorted(problems, key=lambda item: item.line))
    return ParsedPlayerList(source, entries, sorted_problems, cells.ignored, tuple(warnings))


def _read_player_entry(
    row: TableRow, problems: list[RowProblem], warnings: list[RowProblem], country: str
) -> PlayerEntry:
    written_name = row.cells.get("first_last", "")
    name = _check_text_length(_read_player_name(row, country), row, "name", problems)
    if is_name_split_unsure(written_name, country):
        warnings.append(RowProblem(row.line, "name", SPLIT_UNSURE, {"value": written_name, "name": name}))
    if not name:
        problems.append(RowProblem(row.line, "name", "name-missing", {}))
    return PlayerEntry(
        number=_read_number(row, "number", problems),
        name=name,
        division=_make_division_code(_check_text_length(row.cells.get("division", ""), row, "division", problems)),
        line=row.line,
        **{
            **{item.name: _read_field_value(item, row, problems) for item in LIST_FIELDS if item.name != "rating"},
            **_read_rating(row, warnings),
        },
    )


def _read_field_value(field: PlayerFieldInfo, row: TableRow, problems: list[RowProblem]) -> Any:
    if field.is_yes_no:
        return _read_yes_or_no(row, field.name, problems)
    if field.is_number:
        return _read_number(row, field.name, problems, least=field.minimum)
    longest = LONGEST_NOTE if field.is_note else LONGEST_TEXT
    return _check_text_length(row.cells.get(field.name, ""), row, field.name, problems, longest)


def _check_text_length(
    value: str, row: TableRow, column: str, problems: list[RowProblem], longest: int = LONGEST_TEXT
) -> str:
    if len(value) > longest:
        problems.append(RowProblem(row.line, column, "too-long", {"most": longest}))
    return value


def _read_yes_or_no(row: TableRow, column: str, problems: list[RowProblem]) -> bool:
    text = row.cells.get(column, "").casefold()
    if text not in _YES_WORDS | _NO_WORDS:
        problems.append(RowProblem(row.line, column, "bad-mark", {"value": text}))
    return text in _YES_WORDS


def _read_player_name(row: TableRow, country: str) -> str:
    if written_name := row.cells.get("first_last", ""):
        return put_last_name_first(written_name, country)
    full_name, last, infix, first = (row.cells.get(column, "") for column in ("name", "last", "infix", "first"))
    last = " ".join(part for part in (infix, last or full_name) if part)
    return ", ".join(part for part in (last, first) if part)


def _read_rating(row: TableRow, warnings: list[RowProblem]) -> dict[str, Any]:
    text = row.cells.get("rating", "")
    if match := _GROUPED_NUMBER.fullmatch(text):
        rating = int("".join(match.groups()))
        warnings.append(RowProblem(row.line, "rating", "rating-grouped", {"value": text, "rating": rating}))
        return {"rating": rating}
    if not text.isdigit() and (match := _PROVISIONAL.fullmatch(text)):
        games = {"rated_games": int(match[2])} if match[2] and not row.cells.get("rated_games") else {}
        return {"rating": int(match[1]) or None, "provisional": int(match[1]) > 0, **games}
    number = _read_number(row, "rating", [], least=0)
    if number is None and text.casefold() not in _UNRATED:
        warnings.append(RowProblem(row.line, "rating", RATING_LEFT_OUT, {"value": text}))
    return {"rating": number or None}


def _read_number(row: TableRow, column: str, problems: list[RowProblem], *, least: int = 1) -> int | None:
    text = row.cells.get(column, "")
    if text in {"", "-"}:
        return None
    if column == "rating" and _DECIMAL_NUMBER.fullmatch(text):
        text = str(int(float(text.replace(",", ".")) + 0.5))
    if re.fullmatch("[0-9]{1,4}", text) and int(text) >= least:
        return int(text)
    facts = {"value": text, "least": least, "most": _HIGHEST_NUMBER}
    problems.append(RowProblem(row.line, column, "bad-number", facts))
    return None


def _find_repeated_players(entries: tuple[PlayerEntry, ...], invalid_lines: frozenset[int]) -> list[RowProblem]:
    names: dict[str, int] = {}
    members: dict[str, set[str]] = defaultdict(set)
    numbers: dict[tuple[str, int], int] = {}
    problems: list[RowProblem] = []
    for entry in entries:
        if entry.line in invalid_lines:
            continue
        name = entry.name.casefold()
        first = names.setdefault(name, entry.line)
        if entry.name and first != entry.line and not is_other_person_with_same_name(entry, members[name]):
            facts = {"value": entry.name, "first": first}
            problems.append(RowProblem(entry.line, "name", SAME_NAME, facts))
        members[name].add(entry.member)
        key = (entry.division.casefold(), entry.number or 0)
        if entry.number is not None and numbers.setdefault(key, entry.line) != entry.line:
            facts = {"value": entry.number, "first": numbers[key]}
            problems.append(RowProblem(entry.line, "number", "duplicate-number", facts))
    return problems


def _find_shared_member_numbers(entries: tuple[PlayerEntry, ...]) -> Iterator[RowProblem]:
    first_entries: dict[tuple[str, str], PlayerEntry] = {}
    for entry in entries:
        for field in _MEMBER_NUMBERS:
            value = getattr(entry, field)
            first_entry = first_entries.setdefault((field, value), entry)
            if value and first_entry.name.casefold() != entry.name.casefold():
                facts = {"value": value, "first": first_entry.line}
                yield RowProblem(entry.line, field, "duplicate-member", facts)


def encode_players_csv(entries: tuple[PlayerEntry, ...]) -> bytes:
    return encode_csv(FIELDS_BY_HEADING, map(format_player_fields_as_cells, entries))


def format_player_fields_as_cells(entry: PlayerEntry) -> tuple[str, ...]:
    values = (getattr(entry, field) for field in FIELDS_BY_HEADING.values())
    return tuple(
        "" if value is None or value is False else "1" if value is True else str(value) for value in values
    )


_RECORD_HEADINGS: Mapping[str, str] = {
    "kind": "kind record soort slag type art rekord",
    "value": "value points waarde punten verdi poeng wert punkte",
    "name": "name player naam speler navn spiller spieler",
    "date": "date year datum jaar dato år jahr",
    "source": "list source club country lijst land liste klubb klub verein",
}
_RECORD_COLUMNS_BY_HEADING: Mapping[str, str] = {
    word: column for column, words in _RECORD_HEADINGS.items() for word in words.split()
}
_REQUIRED_RECORD_COLUMNS = ("kind", "value", "name")
_KIND_WORDS: Mapping[AchievementKind, tuple[str, ...]] = {
    AchievementKind.HIGH_GAME: (
        "high game",
        "hoogste score",
        "hoogste partij",
        "høyeste poengsum",
        "höchste Punktzahl",
    ),
    AchievementKind.HIGH_PLAY: ("highest play", "hoogste zet", "høyeste legg", "höchster Zug"),
    AchievementKind.BIG_WIN: ("biggest win", "grootste zege", "største seier", "höchster Sieg"),
    AchievementKind.HIGH_LOSS: (
        "high loss",
        "hoogste score bij verlies",
        "høyeste poengsum i tap",
        "höchste Punktzahl bei Niederlage",
    ),
    AchievementKind.STREAK: ("wins in a row", "zeges op rij", "seire på rad", "Siege in Folge"),
}
_KINDS_BY_WORD = {
    normalise_name(word): kind for kind, words in _KIND_WORDS.items() for word in (kind.value, *words)
}


def read_achievement_records(data: bytes, source: str = "") -> tuple[AchievementRecord, ...]:
    """Read a table of records, such as the highest game score."""
    cells = parse_table_with_required_columns(
        parse_cell_grid(decode_text(data, source), _RECORD_COLUMNS_BY_HEADING, source),
        _RECORD_COLUMNS_BY_HEADING,
        source,
        required=_REQUIRED_RECORD_COLUMNS,
    )
    problems = list(cells.problems)
    records = [record for row in cells.rows if (record := _read_achievement_record(row, problems))]
    refuse_row_problems(sorted(problems, key=lambda problem: problem.line), source)
    return tuple(records)


def _read_achievement_record(row: TableRow, problems: list[RowProblem]) -> AchievementRecord | None:
    kind, name = _KINDS_BY_WORD.get(normalise_name(row.cells.get("kind", ""))), row.cells.get("name", "").strip()
    if kind is None:
        kinds = ", ".join(AchievementKind)
        problems.append(
            RowProblem(row.line, "kind", "bad-record-kind", {"value": row.cells.get("kind", ""), "known": kinds})
        )
    value = parse_whole_number(row, "value", problems, least=1)
    if value is not None and not name:
        problems.append(RowProblem(row.line, "name", "name-missing", {}))
    if kind is None or value is None or not name:
        return None
    return AchievementRecord(kind, value, name, row.cells.get("date", ""), row.cells.get("source", ""))
