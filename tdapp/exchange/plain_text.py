"""Results and standings as plain text: columns for fonts of fixed width, or short lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from tdapp.domain.entries import EventEntry
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.publishing import make_names_distinct
from tdapp.domain.standings import compute_standings
from tdapp.domain.text_characters import align_columns, isolate_text_direction
from tdapp.exchange import tsh
from tdapp.exchange.tsh_lines import format_player_line
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import ListColumn, list_pairings, list_standings, list_tiebreak_columns

_LONGEST = 32  # characters of a name in a column
_POINTS = re.compile(r"\d+ – \d+")


def write_standings(
    index: Index, division: Division, after: int | None, catalogue: Catalogue, *, short: bool
) -> str:
    """Return the standings after a round, or after the last if `after` is None."""
    index, after = _make_names_distinct(index), index.get_standings_round(division.id, after)
    listed = list_standings(catalogue, index, division, after)
    head = _format_head(index, division, catalogue, (listed.title, *listed.notes))
    if short:
        rows = compute_standings(index, division, after)
        figures = [catalogue.format_tiebreak_values(row.format_values()) for row in rows]
        names = listed.list_rows("rank", "name")
        lines = [
            f"{at}. {isolate_text_direction(name)}: {own}" for (at, name), own in zip(names, figures, strict=True)
        ]
        return _join_lines(head, lines)
    rank, *others = listed.choose_columns(("rank", "name", *list_tiebreak_columns(index, division, after)))
    return _join_lines(head, _align_columns([replace(rank, heading=""), *others]))


def write_round_results(
    index: Index, division: Division, number: int | None, catalogue: Catalogue, *, short: bool
) -> str:
    """Return the results of a published round, or of the last if `number` is None."""
    published = index.published(division.id)
    if not published:
        raise RuleViolation("no-round-published", division=division.code)
    item = published[-1] if number is None else index.round(division.id, number)
    index = _make_names_distinct(index)
    listed = list_pairings(catalogue, index, item)
    head = _format_head(index, division, catalogue, (listed.title, *listed.notes, listed.legend))
    columns = listed.choose_columns(("table", "first_name", "score", "second_name"))
    if not short:
        return _join_lines(head, _align_columns(columns))
    return _join_lines(head, [_format_short_game(*row) for row in listed.list_rows(*(one.id for one in columns))])


def _format_short_game(table: str, first: str, score: str, second: str) -> str:
    if not table:
        return f"{isolate_text_direction(first)}: {second}"
    close = score.replace(" ", "") if _POINTS.fullmatch(score) else score
    players = " – ".join(map(isolate_text_direction, filter(None, (first, second))))  # one alone at a table
    return f"{table}. {players} {close}".rstrip()


def _make_names_distinct(index: Index) -> Index:
    return Index(make_names_distinct(index.tournament))


def _format_head(index: Index, division: Division, catalogue: Catalogue, about: Iterable[str]) -> str:
    several = len(index.divisions) > 1
    named = catalogue.text("Division {division}", division=division.code) if several else ""
    return " · ".join(filter(None, (index.tournament.event.name, named, *about)))


def _align_columns(columns: Sequence[ListColumn]) -> list[str]:
    cut = [
        [one.heading, *(cell if len(cell) <= _LONGEST else cell[: _LONGEST - 1] + "…" for cell in one.cells)]
        for one in columns
    ]
    right = {at for at, one in enumerate(columns) if one.is_numeric}
    return align_columns([*zip(*cut, strict=True)], right=right)


def _join_lines(head: str, lines: Sequence[str]) -> str:
    return "\n".join((head, "", *lines)) + "\n"


_LETTERS = str.maketrans(
    {
        "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "ß": "ss", "Þ": "Th",
        "þ": "th", "Ð": "D", "ð": "d", "Đ": "D", "đ": "d", "\u2018": "'", "\u2019": "'", "\u2013": "-",
    }
)  # fmt: skip


def convert_to_ascii(text: str) -> str:
    found = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(sign for sign in found if not unicodedata.combining(sign)).encode("ascii", "replace").decode()


def write_naspa_report(event: EventEntry) -> bytes:
    made: list[str] = []
    for entry in event.divisions:
        made.append(f"#division {convert_to_ascii(entry.code)}")
        for player, record in zip(entry.players, tsh.make_player_lines(entry), strict=True):
            number = convert_to_ascii(player.naspa).replace(" ", "")
            made.append(
                format_player_line(replace(record, name=convert_to_ascii(record.name), member=number, keys={}))
            )
    return "".join(f"{line}\n" for line in made).encode()
