"""Results and standings as plain text: columns for fonts of fixed width, or short lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from tdapp.domain.entries import EventEntry
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division
from tdapp.domain.publishing import make_names_distinct
from tdapp.domain.standings import compute_standings
from tdapp.domain.text_characters import align_columns, isolate_text_direction
from tdapp.exchange import tsh
from tdapp.exchange.tsh_lines import format_player_line
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import (
    TextColumn,
    list_tiebreak_column_ids,
    make_pairings_text_table,
    make_standings_text_table,
)

_LONGEST_NAME = 32  # characters of a name in a column
_POINTS = re.compile(r"\d+ – \d+")


def format_standings_as_text(
    index: TournamentIndex, division: Division, after_round: int | None, catalogue: Catalogue, *, short: bool
) -> str:
    index, after_round = _make_names_distinct(index), index.get_last_round_with_results(division.id, after_round)
    standings_list = make_standings_text_table(catalogue, index, division, after_round)
    heading = _format_heading(index, division, catalogue, (standings_list.title, *standings_list.notes))
    if short:
        rows = compute_standings(index, division, after_round)
        figures = [catalogue.translate_tiebreak_values(row.join_tiebreak_values()) for row in rows]
        names = standings_list.list_rows("rank", "name")
        lines = [
            f"{rank}. {isolate_text_direction(name)}: {values}"
            for (rank, name), values in zip(names, figures, strict=True)
        ]
        return _join_heading_and_lines(heading, lines)
    rank, *other_columns = standings_list.get_columns_by_ids(
        ("rank", "name", *list_tiebreak_column_ids(index, division, after_round))
    )
    return _join_heading_and_lines(heading, _align_columns([replace(rank, heading=""), *other_columns]))


def format_round_results_as_text(
    index: TournamentIndex, division: Division, number: int | None, catalogue: Catalogue, *, short: bool
) -> str:
    """Return the results of a published round, or of the last if `number` is None."""
    published_rounds = index.list_published_rounds(division.id)
    if not published_rounds:
        raise CommandError("no-round-published", division=division.code)
    item = published_rounds[-1] if number is None else index.get_round(division.id, number)
    index = _make_names_distinct(index)
    pairings_list = make_pairings_text_table(catalogue, index, item)
    heading = _format_heading(
        index, division, catalogue, (pairings_list.title, *pairings_list.notes, pairings_list.legend)
    )
    columns = pairings_list.get_columns_by_ids(("table", "first_name", "score", "second_name"))
    if not short:
        return _join_heading_and_lines(heading, _align_columns(columns))
    rows = pairings_list.list_rows(*(column.id for column in columns))
    return _join_heading_and_lines(heading, [_format_game_in_one_line(*row) for row in rows])


def _format_game_in_one_line(table: str, first: str, score: str, second: str) -> str:
    if not table:
        return f"{isolate_text_direction(first)}: {second}"
    compact_score = score.replace(" ", "") if _POINTS.fullmatch(score) else score
    players = " – ".join(map(isolate_text_direction, filter(None, (first, second))))  # only one at a table of one
    return f"{table}. {players} {compact_score}".rstrip()


def _make_names_distinct(index: TournamentIndex) -> TournamentIndex:
    return TournamentIndex(make_names_distinct(index.tournament))


def _format_heading(index: TournamentIndex, division: Division, catalogue: Catalogue, parts: Iterable[str]) -> str:
    has_several_divisions = len(index.divisions) > 1
    division_text = catalogue.text("Division {division}", division=division.code) if has_several_divisions else ""
    return " · ".join(filter(None, (index.tournament.event.name, division_text, *parts)))


def _align_columns(columns: Sequence[TextColumn]) -> list[str]:
    cells = [[column.heading, *map(_shorten_text, column.cells)] for column in columns]
    right = {position for position, column in enumerate(columns) if column.is_numeric}
    return align_columns([*zip(*cells, strict=True)], right=right)


def _shorten_text(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 1] + "…"


def _join_heading_and_lines(heading: str, lines: Sequence[str]) -> str:
    return "\n".join((heading, "", *lines)) + "\n"


_LETTERS = str.maketrans(
    {
        "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "ß": "ss", "Þ": "Th",
        "þ": "th", "Ð": "D", "ð": "d", "Đ": "D", "đ": "d", "\u2018": "'", "\u2019": "'", "\u2013": "-",
    }
)  # fmt: skip


def convert_to_ascii(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    letters = "".join(character for character in decomposed if not unicodedata.combining(character))
    return letters.encode("ascii", "replace").decode()


def encode_naspa_report(event: EventEntry) -> bytes:
    lines: list[str] = []
    for entry in event.divisions:
        lines.append(f"#division {convert_to_ascii(entry.code)}")
        for player, record in zip(entry.players, tsh.make_player_lines(entry), strict=True):
            number = convert_to_ascii(player.naspa).replace(" ", "")
            lines.append(
                format_player_line(replace(record, name=convert_to_ascii(record.name), member=number, keys={}))
            )
    return "".join(f"{line}\n" for line in lines).encode()
