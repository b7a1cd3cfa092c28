"""Which format a file has, told by its content; its name says nothing."""

from __future__ import annotations

import re
from enum import StrEnum

from tdapp.domain.errors import InputError
from tdapp.exchange import cells, player_lists, results_csv
from tdapp.exchange.text import decode, lines
from tdapp.exchange.tsh_lines import is_record


class Format(StrEnum):
    """What can be read."""

    DOCUMENT = "document"  # a whole tournament as JSON
    TSH = "tsh"  # a division file of tsh
    PLAYERS = "players"  # players in delimited text
    RESULTS = "results"  # results in delimited text


_KNOWN_ELSEWHERE = (
    (b"SQLite format 3\0", "file-is-tournament"),
    (b"PK\x03\x04", "file-is-spreadsheet"),
    (b"\xd0\xcf\x11\xe0", "file-is-spreadsheet"),
)
_FIRST_LINES = 20


def detect(data: bytes, source: str = "") -> Format:
    """Return the format of a file; raise InputError for one that is empty, binary or none that is known."""
    for start, code in _KNOWN_ELSEWHERE:
        if data.startswith(start):
            raise InputError(code, source=source)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return Format.DOCUMENT
    text = decode(data, source)
    if {"score1", "score2"} & {*cells.headings(text, results_csv.WORDS)}:
        return Format.RESULTS
    known = {*cells.headings(text, player_lists.WORDS)} - {None}
    if {"name", "last"} & known:
        return Format.PLAYERS
    if any(is_record(line) for line in lines(text)[:_FIRST_LINES]):
        return Format.TSH
    if known:
        return Format.PLAYERS
    if re.search("[;,\t]", text):
        raise cells.no_header(player_lists.WORDS, source, line=1, needed=player_lists.NEEDED)
    raise InputError("file-unknown", source=source)
