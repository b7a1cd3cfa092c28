"""Lists of players in tables, from text or a spreadsheet, with a preview before the import.

Only the name is required: one column, or last and first name (and a Dutch `tussenvoegsel`), which become "Last,
First". A column "First Last" is converted too.

A rating of 0 counts as none. Decimals are rounded. Words in a rating are ignored with a warning.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.commands.rule import LONGEST_NOTE, LONGEST_TEXT
from tdapp.domain.entries import PlayerEntry, is_namesake, normalise_name
from tdapp.domain.errors import InputError
from tdapp.domain.model import ListedRecord, RecordKind
from tdapp.domain.names import are_names_in_first_last_order, is_name_split_unsure, put_last_name_first
from tdapp.domain.player_fields import LISTED, PLAYER_FIELDS, PlayerFieldInfo
from tdapp.exchange.cells import (
    CellGrid,
    RowProblem,
    TableRow,
    assign_columns,
    format_csv,
    guess_columns,
    parse_grid,
    parse_table,
    parse_table_with_columns,
    parse_whole_number,
    raise_problems,
    simplify_heading,
)
from tdapp.exchange.text import clean_text, decode_text

SAME_NAME = "duplicate-name"
SPLIT_UNSURE = "name-split-unsure"
_HIGHEST = 9999
_MOST_UNREAD = 1000  # maximum of named cells
_REAL = re.compile("[0-9]{3,4}[.,][0-9]{1,20}")  # with fewer digits the mark may be a thousands separator
_GROUPED = re.compile("([0-9])[.,'’ ]([0-9]{3})")  # a thousands separator
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
    **{one.name: one.headings for one in PLAYER_FIELDS.values() if one.headings},
}
_UNRATED = frozenset(  # words for no rating
    (
        *("", "-", "–", "—", "?", "/", "n/a", "na", "nr", "none", "unr", "unr.", "unrated", "new"),
        *("geen", "nieuw", "ingen", "ny", "uratet", "keine", "neu", "ohne"),
    )
)
_RANKS, _WINS = ({*words.split()} for words in ("rank plaats plass platz", "wins winst seire siege"))
_NO = frozenset({"", "0", "-", "–", "no", "n", "false", "nee", "nei", "nein"})
_YES = frozenset({"1", "x", "✓", "*", "?", "yes", "y", "true", "ja", "j", "p", "prov", "prov."})
_EITHER = "klasse"  # a division if its cells are codes, else a category
_DIVISION_WORDS = {_EITHER, "klassen", *_HEADINGS["division"].split()}
_CODE = re.compile("[A-Z]?[0-9]{0,2}|[0-9]{1,2}[A-Z]?|[IVX]{1,4}", re.IGNORECASE)
WORDS: Mapping[str, str] = {word: column for column, words in _HEADINGS.items() for word in words.split()}
NEEDED = ("name",)
NAMED = frozenset({"name", "first_last", "last"})  # columns that identify a player
_MEMBER_NUMBERS = ("member", "wespa", "naspa", "absp", "fide", "xtid")
FIELDS = tuple(_HEADINGS)  # possible meanings of a column
WRITTEN = {"number": "number", "name": "name", **{one.headings.split()[0]: one.name for one in LISTED}}


class PlayerListPreview(Struct, frozen=True):
    """The players in a list as read, and the problems in its lines."""

    source: str
    entries: tuple[PlayerEntry, ...]
    problems: tuple[RowProblem, ...]
    ignored: tuple[str, ...]  # unknown headings
    warnings: tuple[RowProblem, ...] = ()  # warnings about accepted lines

    def list_accepted_players(self, *, namesakes: bool = False) -> tuple[PlayerEntry, ...]:
        """Return the players. Raises InputError for any problem. With `namesakes`, names can be repeated."""
        raise_problems(self.problems_without_namesakes if namesakes else self.problems, self.source)
        return self.entries

    @property
    def problems_without_namesakes(self) -> tuple[RowProblem, ...]:
        return tuple(problem for problem in self.problems if problem.code != SAME_NAME)


class PlayerColumns(Struct, frozen=True):
    """The meaning of the columns in a table of players."""

    columns: tuple[str, ...]  # the field of a player in each column; "" skips it
    has_headings: bool = True  # the first row has headings, not a player


def read_players(data: bytes, source: str = "") -> PlayerListPreview:
    return read_player_grid(parse_grid(decode_text(data, source), WORDS, source), source)


def guess_player_columns(grid: CellGrid, *, only_table: bool = False, country: str = "") -> PlayerColumns:
    """Return the likely field of each column. Without headings the first row is a player.

    With `only_table` the file has no other table, so that a single column must contain names. Name prefixes of
    `country`, such as "van", help to detect "First Last".
    """
    columns = guess_columns(grid, _choose_headings(grid))
    if only_table and len(columns) == 1 and not any(columns):
        made = PlayerColumns(NEEDED, has_headings=False)
    else:
        once = tuple("" if column in columns[:at] else column for at, column in enumerate(columns))
        made = PlayerColumns(once, has_headings=any(columns))
    parted = {"first", "infix", "last"} & {*made.columns}
    if "name" not in made.columns or parted:
        return made
    at = made.columns.index("name")
    names = [clean_text(cells[at]) for _, cells in grid.rows[made.has_headings :] if at < len(cells)]
    if not are_names_in_first_last_order(names, country):
        return made
    return replace(made, columns=(*made.columns[:at], "first_last", *made.columns[at + 1 :]))


def _choose_headings(grid: CellGrid) -> Mapping[str, str]:
    divided = {**WORDS, _EITHER: "division"}
    columns = guess_columns(grid, divided)
    if columns.count("division") != 1:
        return WORDS
    at = columns.index("division")
    codes = [_make_division_code(clean_text(cells[at]) if at < len(cells) else "") for _, cells in grid.rows[1:]]
    return divided if all(code and _CODE.fullmatch(code) for code in codes) else WORDS


def _make_division_code(division_name: str) -> str:
    words = [word for word in re.split(r"[\s\-:]+", division_name) if word.casefold() not in _DIVISION_WORDS]
    return words[0] if len(words) == 1 else division_name


def read_player_grid(
    grid: CellGrid,
    source: str = "",
    columns: PlayerColumns | None = None,
    *,
    first_last: bool = False,
    country: str = "",
) -> PlayerListPreview:
    """Return the players in a table. `columns` is used instead of the headings.

    With `first_last` the names are written "First Last". Name prefixes of `country` belong to the last name.
    """
    if columns is None:
        words = _choose_headings(grid)
        if first_last:
            words = {word: "first_last" if column == "name" else column for word, column in words.items()}
        cells = parse_table(grid, words, source, needed=NEEDED)
    else:
        cells = assign_columns(grid, columns.columns, source, has_headings=columns.has_headings)
    if not NAMED & {*cells.columns}:
        raise InputError("csv-column-missing", source=source, line=1, field="name", columns=NEEDED)
    if not cells.rows:
        raise InputError("csv-no-rows", source=source)
    problems = list(cells.problems)
    unread: dict[int, list[str]] = defaultdict(list)
    for at, cell in grid.unread_cells[:_MOST_UNREAD]:
        unread[at].append(cell)
    told = (RowProblem(at, "", "cell-unread", {"cells": ", ".join(names)}) for at, names in unread.items())
    warnings = [*cells.warnings, *told]
    entries = tuple(_read_player_entry(row, problems, warnings, country) for row in cells.rows)
    entries = tuple(one if one.rating else replace(one, provisional=False) for one in entries)
    zeros = [row.line for row in cells.rows if re.fullmatch("0+([.,]0+)?", row.cells.get("rating", ""))]
    marked = [
        (row.line, text)
        for row, entry in zip(cells.rows, entries, strict=True)
        if entry.provisional and not (text := row.cells.get("rating", "")).isdigit()
    ]
    if zeros:
        warnings.append(RowProblem(zeros[0], "rating", "rating-zero", {"count": len(zeros)}))
    if marked:
        line, text = marked[0]
        facts = {"value": text, "count": len(marked)}
        warnings.append(RowProblem(line, "rating", "rating-provisional", facts))
    problems = [
        replace(one, code="cell-unread", facts={"cells": ", ".join(unread[one.line])})
        if one.code == "name-missing" and one.line in unread
        else one
        for one in problems
    ]
    problems += _find_repeated_players(entries, frozenset(problem.line for problem in problems))
    warnings += _find_shared_member_numbers(entries)
    unused = {*map(simplify_heading, cells.ignored)}
    if _RANKS & unused and _WINS & unused:
        warnings.append(RowProblem(grid.rows[0][0], "", "list-of-standings", {}))
    ordered = tuple(sorted(problems, key=lambda item: item.line))
    return PlayerListPreview(source, entries, ordered, cells.ignored, tuple(warnings))


def _read_player_entry(
    row: TableRow, problems: list[RowProblem], warnings: list[RowProblem], country: str
) -> PlayerEntry:
    as_written = row.cells.get("first_last", "")
    name = _check_text_length(_read_name(row, country), row, "name", problems)
    if is_name_split_unsure(as_written, country):
        warnings.append(RowProblem(row.line, "name", SPLIT_UNSURE, {"value": as_written, "name": name}))
    if not name:
        problems.append(RowProblem(row.line, "name", "name-missing", {}))
    return PlayerEntry(
        number=_read_number(row, "number", problems),
        name=name,
        division=_make_division_code(_check_text_length(row.cells.get("division", ""), row, "division", problems)),
        line=row.line,
        **{
            **{one.name: _read_field_value(one, row, problems) for one in LISTED if one.name != "rating"},
            **_read_rating(row, problems, warnings),
        },
    )


def _read_field_value(field: PlayerFieldInfo, row: TableRow, problems: list[RowProblem]) -> Any:
    if field.is_yes_no:
        return _read_yes_or_no(row, field.name, problems)
    if field.is_number:
        return _read_number(row, field.name, problems, least=field.low)
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
    if text not in _YES | _NO:
        problems.append(RowProblem(row.line, column, "bad-mark", {"value": text}))
    return text in _YES


def _read_name(row: TableRow, country: str) -> str:
    if written_name := row.cells.get("first_last", ""):
        return put_last_name_first(written_name, country)
    whole, last, infix, first = (row.cells.get(column, "") for column in ("name", "last", "infix", "first"))
    last = " ".join(part for part in (infix, last or whole) if part)
    return ", ".join(part for part in (last, first) if part)


def _read_rating(row: TableRow, problems: list[RowProblem], warnings: list[RowProblem]) -> dict[str, Any]:
    """Return the rating fields. Words other than "unrated" give a warning."""
    text = row.cells.get("rating", "")
    if found := _GROUPED.fullmatch(text):
        rating = int("".join(found.groups()))
        warnings.append(RowProblem(row.line, "rating", "rating-grouped", {"value": text, "rating": rating}))
        return {"rating": rating}
    if not text.isdigit() and (found := _PROVISIONAL.fullmatch(text)):
        games = {"rated_games": int(found[2])} if found[2] and not row.cells.get("rated_games") else {}
        return {"rating": int(found[1]) or None, "provisional": int(found[1]) > 0, **games}
    if re.search(r"\d", text):
        return {"rating": _read_number(row, "rating", problems, "bad-rating", least=0) or None}
    if text.casefold() not in _UNRATED:
        warnings.append(RowProblem(row.line, "rating", "rating-left-out", {"value": text}))
    return {}


def _read_number(
    row: TableRow, column: str, problems: list[RowProblem], code: str = "bad-number", *, least: int = 1
) -> int | None:
    text = row.cells.get(column, "")
    if text in {"", "-"}:
        return None
    if column == "rating" and _REAL.fullmatch(text):
        text = str(int(float(text.replace(",", ".")) + 0.5))
    if re.fullmatch("[0-9]{1,4}", text) and int(text) >= least:
        return int(text)
    problems.append(RowProblem(row.line, column, code, {"value": text, "least": least, "most": _HIGHEST}))
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
        if entry.name and first != entry.line and not is_namesake(entry, members[name]):
            facts = {"value": entry.name, "first": first}
            problems.append(RowProblem(entry.line, "name", SAME_NAME, facts))
        members[name].add(entry.member)
        own = (entry.division.casefold(), entry.number or 0)
        if entry.number is not None and numbers.setdefault(own, entry.line) != entry.line:
            facts = {"value": entry.number, "first": numbers[own]}
            problems.append(RowProblem(entry.line, "number", "duplicate-number", facts))
    return problems


def _find_shared_member_numbers(entries: tuple[PlayerEntry, ...]) -> Iterator[RowProblem]:
    first: dict[tuple[str, str], PlayerEntry] = {}
    for entry in entries:
        for field in _MEMBER_NUMBERS:
            value = getattr(entry, field)
            other = first.setdefault((field, value), entry)
            if value and other.name.casefold() != entry.name.casefold():
                facts = {"value": value, "first": other.line}
                yield RowProblem(entry.line, field, "duplicate-member", facts)


def write_players(entries: tuple[PlayerEntry, ...]) -> bytes:
    return format_csv(WRITTEN, map(make_player_cells, entries))


def make_player_cells(entry: PlayerEntry) -> tuple[str, ...]:
    values = (getattr(entry, field) for field in WRITTEN.values())
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
_WORDS: Mapping[str, str] = {word: column for column, words in _RECORD_HEADINGS.items() for word in words.split()}
_NEEDED = ("kind", "value", "name")
_KINDS: Mapping[RecordKind, tuple[str, ...]] = {
    RecordKind.HIGH_GAME: (
        "high game",
        "hoogste score",
        "hoogste partij",
        "høyeste poengsum",
        "höchste Punktzahl",
    ),
    RecordKind.HIGH_PLAY: ("highest play", "hoogste zet", "høyeste legg", "höchster Zug"),
    RecordKind.BIG_WIN: ("biggest win", "grootste zege", "største seier", "höchster Sieg"),
    RecordKind.HIGH_LOSS: (
        "high loss",
        "hoogste score bij verlies",
        "høyeste poengsum i tap",
        "höchste Punktzahl bei Niederlage",
    ),
    RecordKind.STREAK: ("wins in a row", "zeges op rij", "seire på rad", "Siege in Folge"),
}
_KIND_OF = {normalise_name(word): kind for kind, words in _KINDS.items() for word in (kind.value, *words)}


def read_record_file(data: bytes, source: str = "") -> tuple[ListedRecord, ...]:
    cells = parse_table_with_columns(
        parse_grid(decode_text(data, source), _WORDS, source), _WORDS, source, needed=_NEEDED
    )
    problems = list(cells.problems)
    found = [record for row in cells.rows if (record := _read_listed_record(row, problems))]
    raise_problems(sorted(problems, key=lambda one: one.line), source)
    return tuple(found)


def _read_listed_record(row: TableRow, problems: list[RowProblem]) -> ListedRecord | None:
    kind, name = _KIND_OF.get(normalise_name(row.cells.get("kind", ""))), row.cells.get("name", "").strip()
    if kind is None:
        known = ", ".join(RecordKind)
        problems.append(
            RowProblem(row.line, "kind", "bad-record-kind", {"value": row.cells.get("kind", ""), "known": known})
        )
    value = parse_whole_number(row, "value", problems, least=1)
    if value is not None and not name:
        problems.append(RowProblem(row.line, "name", "name-missing", {}))
    if kind is None or value is None or not name:
        return None
    return ListedRecord(kind, value, name, row.cells.get("date", ""), row.cells.get("source", ""))
