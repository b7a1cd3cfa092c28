"""Rating reports for NASPA.

ASCII text: `#division A`, then a line for each player as in tsh files without keys: name, NASPA number, old
rating, opponents, scores. See https://www.scrabbleplayers.org/w/Submitting_tournament_results.
"""

from __future__ import annotations

import unicodedata

from msgspec.structs import replace

from tdapp.domain.entries import EventEntry
from tdapp.exchange import tsh
from tdapp.exchange.tsh_lines import format_record

_LETTERS = str.maketrans(
    {
        "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "ß": "ss", "Þ": "Th",
        "þ": "th", "Ð": "D", "ð": "d", "Đ": "D", "đ": "d", "\u2018": "'", "\u2019": "'", "\u2013": "-",
    }
)  # fmt: skip


def to_ascii(text: str) -> str:
    """Remove accents; `?` replaces other letters."""
    found = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(sign for sign in found if not unicodedata.combining(sign)).encode("ascii", "replace").decode()


def write_report(event: EventEntry) -> bytes:
    made: list[str] = []
    for entry in event.divisions:
        made.append(f"#division {to_ascii(entry.code)}")
        for player, record in zip(entry.players, tsh.records_of(entry), strict=True):
            number = to_ascii(player.naspa).replace(" ", "")
            made.append(format_record(replace(record, name=to_ascii(record.name), member=number, keys={})))
    return "".join(f"{line}\n" for line in made).encode()
