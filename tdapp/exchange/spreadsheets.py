"""Read untrusted spreadsheets (xlsx, ods).

A spreadsheet is a zip archive. It is unpacked within limits, checked, and packed again for the library. Formulas
are never computed.
"""

from __future__ import annotations

import lzma
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from io import BytesIO
from xml.parsers import expat

from msgspec import Struct

from tdapp.domain.errors import InputError
from tdapp.exchange.cells import CellGrid, refuse_too_many_columns, refuse_too_many_rows
from tdapp.exchange.text import MAX_BYTES, clean_text_to_one_line

MAX_ENTRIES = 200
MAX_UNPACKED = 50_000_000  # bytes
MAX_RATIO = 250  # compression ratio of a part (a file in the archive); sheets with equal rows reach 100
MAX_TEXT = 200_000_000  # number of cells times the length of the longest text
MAX_SHEETS = 100
_SMALL_PART = 1_000_000  # bytes; smaller parts can have any ratio
_CHUNK = 1 << 20
_ENCRYPTED = 0x1
_PARTS = (".xml", ".rels", "mimetype")
_UNSAFE_PATH = re.compile(r"\A[/\\]|\A[A-Za-z]:|\\|(?:\A|/)\.\.(?:/|\Z)|[\0-\x1f]")
_DECLARATION = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_NUMBER = re.compile("[1-9][0-9]{0,6}")
_CELL_NAME = re.compile(f"([A-Z]{{1,3}})({_NUMBER.pattern})")
_ARCHIVE_ERROR = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    NotImplementedError,  # unknown compression method
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
)
_RELATIONS = "xl/_rels/workbook.xml.rels"
UnreadCells = tuple[tuple[int, str], ...]  # lines and names of cells
_ODS = b"application/vnd.oasis.opendocument.spreadsheet"


class Worksheet(Struct, frozen=True):
    """A sheet of a spreadsheet, as read from a file."""

    name: str
    grid: CellGrid  # line numbers are the row numbers of the sheet


def is_spreadsheet(data: bytes) -> bool:
    return data.startswith(b"PK\x03\x04")


def read_spreadsheet(data: bytes, source: str = "") -> tuple[Worksheet, ...]:
    if len(data) > MAX_BYTES:
        raise InputError("file-too-large", source=source, megabytes=MAX_BYTES // 1_000_000)
    parts = _unpack_parts(data, source)
    unread_cells = _find_unread_cells_or_refuse(parts, source)
    worksheets = _read_worksheets(_make_zip_archive(parts), source, unread_cells)
    sheets = tuple(sheet for sheet in worksheets if sheet.grid.rows)
    if not sheets:
        raise InputError("file-empty", source=source)
    return sheets


# --- the archive ---------------------------------------------------------------------------------------


def _unpack_parts(data: bytes, source: str) -> Mapping[str, bytes]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # zipfile warns of repeated names; they are refused below
            archive = zipfile.ZipFile(BytesIO(data))
        with archive:
            _check_archive_entries(archive.infolist(), source)
            return {
                entry.filename: _unpack_part(archive, entry)
                for entry in archive.infolist()
                if entry.filename.lower().endswith(_PARTS)
            }
    except _ARCHIVE_ERROR as error:
        raise InputError("spreadsheet-broken", source=source) from error


def _check_archive_entries(entries: list[zipfile.ZipInfo], source: str) -> None:
    if len(entries) > MAX_ENTRIES:
        raise InputError("spreadsheet-entries", source=source, found=len(entries), most=MAX_ENTRIES)
    names = [entry.filename for entry in entries]
    for entry in entries:
        if _UNSAFE_PATH.search(entry.filename) or names.count(entry.filename) > 1:
            raise InputError("spreadsheet-path", source=source, name=clean_text_to_one_line(entry.filename)[:100])
        if entry.flag_bits & _ENCRYPTED:
            raise InputError("spreadsheet-encrypted", source=source)
        if entry.file_size > max(_SMALL_PART, MAX_RATIO * entry.compress_size):
            raise InputError("spreadsheet-bomb", source=source, megabytes=entry.file_size // 1_000_000)
    total = sum(entry.file_size for entry in entries)
    if total > MAX_UNPACKED:
        raise InputError("spreadsheet-bomb", source=source, megabytes=total // 1_000_000)


def _unpack_part(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    with archive.open(entry) as file:
        return b"".join(iter(lambda: file.read(_CHUNK), b""))


def _make_zip_archive(parts: Mapping[str, bytes]) -> bytes:
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return target.getvalue()


# --- the parts -----------------------------------------------------------------------------------------


def _find_unread_cells_or_refuse(parts: Mapping[str, bytes], source: str) -> Mapping[str, UnreadCells]:
    """Return the cells whose values cannot be read, by sheet.

    Raises InputError for unsafe or broken files in the archive.
    """
    is_xlsx = "xl/workbook.xml" in parts
    if not is_xlsx and parts.get("mimetype", b"").strip() != _ODS:
        raise InputError("spreadsheet-other", source=source)
    filled_count = longest = 0
    unread_cells: dict[str, UnreadCells] = {}
    for name, part in parts.items():
        if _DECLARATION.search(part.replace(b"\0", b"")):
            raise InputError("spreadsheet-entities", source=source, name=clean_text_to_one_line(name)[:100])
        if name != "mimetype":
            cells = _XlsxCellChecker(source) if is_xlsx else _OdsCellChecker(source)
            _check_cells(part, cells, source)
            filled_count, longest = filled_count + cells.filled_count, max(longest, cells.longest)
            unread_cells |= (
                {name: tuple(cells.unread_cells)}
                if isinstance(cells, _XlsxCellChecker)
                else cells.get_unread_cells_by_sheet()
            )
    if filled_count * longest > MAX_TEXT:  # all cells can share one long text
        raise InputError("spreadsheet-bomb", source=source, megabytes=filled_count * longest // 1_000_000)
    if not is_xlsx:
        return unread_cells
    targets = {
        attributes.get("Id", ""): attributes.get("Target", "")
        for attributes in _list_element_attributes(parts.get(_RELATIONS, b""), "Relationship")
    }
    sheets = _list_element_attributes(parts.get("xl/workbook.xml", b""), "sheet")
    paths = {
        attributes.get("name", ""): f"xl/{targets.get(attributes.get('id', ''), '').removeprefix('/xl/')}"
        for attributes in sheets
    }
    return {name: unread_cells[path] for name, path in paths.items() if unread_cells.get(path)}


def _list_element_attributes(part: bytes, element: str) -> list[dict[str, str]]:
    elements: list[dict[str, str]] = []

    def collect_attributes(name: str, attributes: Mapping[str, str]) -> None:
        if name.rpartition(" ")[2] == element:
            elements.append({key.rpartition(" ")[2]: value for key, value in attributes.items()})

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = collect_attributes
    if part:
        parser.Parse(part, True)
    return elements


class _CellChecker:
    def __init__(self, source: str) -> None:
        self.filled_count = self.longest = 0
        self.unread_cells: list[tuple[int, str]] = []  # lines and names
        self._source = source
        self._row = self._column = 0
        self._length = 0

    def add_to_text_length(self, text: str) -> None:
        self._length += len(text)

    def _add_cell_with_unknown_value(self, row: int, column: int) -> None:
        letters = ""
        while column:
            column, letter = divmod(column - 1, 26)
            letters = chr(ord("A") + letter) + letters
        self.unread_cells.append((row, f"{letters}{row}"))

    def _start_text_and_measure_attributes(self, attributes: Mapping[str, str]) -> None:
        self._length = 0
        self.longest = max(self.longest, *map(len, attributes.values()), 0)

    def _update_longest_text(self) -> None:
        self.longest = max(self.longest, self._length)

    def _match_pattern_or_refuse(self, form: re.Pattern[str], value: str) -> re.Match[str]:
        match = form.fullmatch(value)
        if match is None:
            raise InputError("spreadsheet-broken", source=self._source)
        return match


class _XlsxCellChecker(_CellChecker):
    """Checks xlsx cells. Raises InputError for a huge number such as row 99999999, which would fill the memory.

    `unread_cells` lists cells with an error such as #N/A, or with a formula without a value.
    """

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._formula = self._value = self._error = False

    def start_element(self, name: str, attributes: Mapping[str, str]) -> None:
        for key in ("count", "uniqueCount"):
            if not re.fullmatch("[0-9]{0,6}", attributes.get(key, "").strip()):
                raise InputError("spreadsheet-broken", source=self._source)
        match name:
            case "row":
                self._row = int(self._match_pattern_or_refuse(_NUMBER, attributes.get("r", str(self._row + 1)))[0])
                self._column = 0
            case "si":
                self._start_text_and_measure_attributes(attributes)
            case "c":
                self._start_text_and_measure_attributes(attributes)
                self._set_cell_position(attributes.get("r", ""))
                self._error, self._formula, self._value = attributes.get("t") == "e", False, False
            case "f":
                self._formula = True
            case "v" | "is":
                self._value = True
                _refuse_cell_beyond_limits(self._row, self._column, self._source)
                self.filled_count += 1

    def end_element(self, name: str) -> None:
        if name in {"si", "c"}:
            self._update_longest_text()
        if name == "c" and (self._error or (self._formula and not self._value)):
            self._add_cell_with_unknown_value(self._row, self._column)

    def _set_cell_position(self, cell_name: str) -> None:
        self._column += 1
        if cell_name:
            match = self._match_pattern_or_refuse(_CELL_NAME, cell_name)
            self._row, self._column = int(match[2]), 0
            for letter in match[1]:
                self._column = self._column * 26 + ord(letter) - ord("A") + 1


class _OdsCellChecker(_CellChecker):
    """Checks ods cells. Raises InputError for too many repeated rows or cells.

    `unread_cells` lists cells with an error such as #REF! or Err:502.
    """

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._rows = self._columns = 1
        self._sheet = ""
        self._unread_by_sheet: dict[str, UnreadCells] = {}

    def get_unread_cells_by_sheet(self) -> Mapping[str, UnreadCells]:
        return self._unread_by_sheet

    def start_element(self, name: str, attributes: Mapping[str, str]) -> None:
        match name:
            case "table":
                self._row, self.unread_cells = 0, []
                self._sheet = _get_attribute_ignoring_namespace(attributes, "name")
            case "table-row":
                self._rows = self._parse_repetitions(attributes, "number-rows-repeated")
                self._column = 0
            case "table-cell" | "covered-table-cell":
                self._columns = self._parse_repetitions(attributes, "number-columns-repeated")
                self._column += self._columns
                self._start_text_and_measure_attributes(attributes)
                if any(key.endswith("value-type") and value == "error" for key, value in attributes.items()):
                    self._add_cell_with_unknown_value(self._row + 1, self._column - self._columns + 1)
                if any(key.endswith("value-type") for key in attributes):
                    self._update_filled_cell_count()
            case "p":
                self._update_filled_cell_count()
            case "s":  # number of blanks
                self._length += self._parse_repetitions(attributes, "c")

    def end_element(self, name: str) -> None:
        if name == "table-row":
            self._row += self._rows
        elif name == "table":
            self._unread_by_sheet[self._sheet] = tuple(self.unread_cells)
        elif name in {"table-cell", "covered-table-cell"}:
            self._update_longest_text()

    def _update_filled_cell_count(self) -> None:
        _refuse_cell_beyond_limits(self._row + self._rows, self._column, self._source)
        self.filled_count += self._rows * self._columns

    def _parse_repetitions(self, attributes: Mapping[str, str], key: str) -> int:
        value = _get_attribute_ignoring_namespace(attributes, key)
        return int(self._match_pattern_or_refuse(_NUMBER, value)[0]) if value else 1


def _get_attribute_ignoring_namespace(attributes: Mapping[str, str], key: str) -> str:
    return next((value for name, value in attributes.items() if name.rpartition(" ")[2] == key), "")


def _refuse_cell_beyond_limits(row: int, column: int, source: str) -> None:
    refuse_too_many_rows(row - 1, source, line=row)
    refuse_too_many_columns(column, source, line=row)


def _check_cells(part: bytes, cells: _XlsxCellChecker | _OdsCellChecker, source: str) -> None:
    def make_handler_without_namespace(handler: Callable[..., None]) -> Callable[..., None]:
        return lambda name, *arguments: handler(name.rpartition(" ")[2], *arguments)

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = make_handler_without_namespace(cells.start_element)
    parser.EndElementHandler = make_handler_without_namespace(cells.end_element)
    parser.CharacterDataHandler = cells.add_to_text_length
    parser.buffer_text = True
    try:
        parser.Parse(part, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise InputError("spreadsheet-broken", source=source) from error


# --- the cells -----------------------------------------------------------------------------------------


def _read_worksheets(data: bytes, source: str, unread_cells: Mapping[str, UnreadCells]) -> Iterator[Worksheet]:
    from python_calamine import CalamineError, CalamineWorkbook  # noqa: PLC0415 - few read a spreadsheet

    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        names = book.sheet_names[:MAX_SHEETS]
        sheets = [(name, book.get_sheet_by_name(name).to_python(skip_empty_area=False)) for name in names]
    except (CalamineError, ValueError, OSError, KeyError, IndexError, OverflowError) as error:
        raise InputError("spreadsheet-broken", source=source) from error
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # Rust panics are not subclasses of Exception
            raise InputError("spreadsheet-broken", source=source) from error
        raise
    for name, rows in sheets:
        texts = ((line, tuple(map(_format_cell, cells))) for line, cells in enumerate(rows, 1))
        lines = tuple((line, _drop_empty_end_cells(row)) for line, row in texts if any(row))
        yield Worksheet(clean_text_to_one_line(name), CellGrid(lines, unread_cells.get(name, ())))


def _drop_empty_end_cells(cells: tuple[str, ...]) -> tuple[str, ...]:
    while cells and not cells[-1]:
        cells = cells[:-1]
    return cells


def _format_cell(value: object) -> str:
    match value:
        case bool():
            return "1" if value else ""
        case float() if value.is_integer():
            return str(int(value))
        case datetime() if not any((value.hour, value.minute, value.second)):
            return value.date().isoformat()
        case datetime() | date() | time():
            return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
        case timedelta() | float() | int():
            return str(value)
        case _:
            return str(value).strip()
