"""Which format a file has, told by its content; its name says nothing."""

from __future__ import annotations

import re
from enum import StrEnum

from tdapp.domain.errors import InputError
from tdapp.exchange import cells, player_lists, results_csv, tou, tsh_folder
from tdapp.exchange.json_text import is_json
from tdapp.exchange.spreadsheets import is_spreadsheet
from tdapp.exchange.text import decode, lines
from tdapp.exchange.tsh_lines import is_record


class FileFormat(StrEnum):
    """What can be read."""

    DOCUMENT = "document"  # a whole tournament as JSON
    TSH = "tsh"  # a division file of tsh
    TSH_FOLDER = "tsh-folder"  # the file of tsh that names the divisions beside it
    TSH_JSON = "tsh-json"  # a division as tsh publishes it
    TOU = "tou"  # divisions of AUPAIR
    SPREADSHEET = "spreadsheet"  # sheets with players or results
    PLAYERS = "players"  # players in delimited text
    RESULTS = "results"  # results in delimited text


_KNOWN_ELSEWHERE = (
    (b"SQLite format 3\0", "file-is-tournament"),
    (b"\xd0\xcf\x11\xe0", "file-is-spreadsheet"),
)
_FIRST_LINES = 20
_OURS = re.compile(rb'"format"\s*:\s*"tdapp"')
_THEIRS = re.compile(rb'"(?:pairings|players)"\s*:\s*\[')


def detect(data: bytes, source: str = "") -> FileFormat:
    """Return the format of a file; raise InputError for one that is empty, binary or none that is known."""
    for start, code in _KNOWN_ELSEWHERE:
        if data.startswith(start):
            raise InputError(code, source=source)
    if is_spreadsheet(data):
        return FileFormat.SPREADSHEET
    if is_json(data):
        return FileFormat.TSH_JSON if _THEIRS.search(data) and not _OURS.search(data) else FileFormat.DOCUMENT
    return _of_text(decode(data, source), source)


def _of_text(text: str, source: str) -> FileFormat:
    if tou.is_tou(text):
        return FileFormat.TOU
    if {"score1", "score2"} & {*cells.headings(text, results_csv.WORDS)}:
        return FileFormat.RESULTS
    known = {*cells.headings(text, player_lists.WORDS)} - {None}
    if {"name", "last"} & known:
        return FileFormat.PLAYERS
    if any(is_record(line) for line in lines(text)[:_FIRST_LINES]):
        return FileFormat.TSH
    if tsh_folder.is_config(text):
        return FileFormat.TSH_FOLDER
    if known or re.search("[;,\t]", text):
        return FileFormat.PLAYERS
    raise InputError("file-unknown", source=source)
