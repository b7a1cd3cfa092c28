"""Lists of records of a club or a country: columns kind, value, name, optional date and list.

A kind is an id or words: high game, highest play, biggest win, high loss, wins in a row. All rows are accepted or
none.
"""

from __future__ import annotations

from collections.abc import Mapping

from tdapp.domain.entries import normalise_name
from tdapp.domain.record_list import ListedRecord, RecordKind
from tdapp.exchange.cells import RowProblem, TableRow, parse_grid, parse_whole, raise_problems, read_required_rows
from tdapp.exchange.text import decode_text

_HEADINGS: Mapping[str, str] = {
    "kind": "kind record soort slag type art rekord",
    "value": "value points waarde punten verdi poeng wert punkte",
    "name": "name player naam speler navn spiller spieler",
    "date": "date year datum jaar dato år jahr",
    "source": "list source club country lijst land liste klubb klub verein",
}
_WORDS: Mapping[str, str] = {word: column for column, words in _HEADINGS.items() for word in words.split()}
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


def read_records(data: bytes, source: str = "") -> tuple[ListedRecord, ...]:
    """Read a list. Raises InputError with all errors in `problems`."""
    cells = read_required_rows(
        parse_grid(decode_text(data, source), _WORDS, source), _WORDS, source, needed=_NEEDED
    )
    problems = list(cells.problems)
    found = [record for row in cells.rows if (record := _read_record(row, problems))]
    raise_problems(sorted(problems, key=lambda one: one.line), source)
    return tuple(found)


def _read_record(row: TableRow, problems: list[RowProblem]) -> ListedRecord | None:
    kind, name = _KIND_OF.get(normalise_name(row.cells.get("kind", ""))), row.cells.get("name", "").strip()
    if kind is None:
        known = ", ".join(RecordKind)
        problems.append(
            RowProblem(row.line, "kind", "bad-record-kind", {"value": row.cells.get("kind", ""), "known": known})
        )
    value = parse_whole(row, "value", problems, least=1)
    if value is not None and not name:
        problems.append(RowProblem(row.line, "name", "name-missing", {}))
    if kind is None or value is None or not name:
        return None
    return ListedRecord(kind, value, name, row.cells.get("date", ""), row.cells.get("source", ""))
