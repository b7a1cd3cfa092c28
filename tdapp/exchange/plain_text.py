"""Results and standings as plain text for mail and social media, in columns or short lines.

Columns are aligned for fonts with a fixed width.
"""

from __future__ import annotations

from collections.abc import Sequence

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.publishing import list_distinct_players
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables import rounds
from tdapp.domain.tables.rounds import PairingRow
from tdapp.domain.tables.standings import deciding_standings_columns
from tdapp.domain.text_characters import align_columns, isolate_text
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import ranked_by, round_name, standings_title
from tdapp.i18n.scores import score_said, side_scores

_LONGEST = 32  # characters of a name in a column


def of_standings(index: Index, division: Division, after: int | None, catalogue: Catalogue, *, short: bool) -> str:
    """Return the standings after a round, None for the last."""
    after = index.counted(division.id, after)
    title = (
        f"{standings_title(catalogue, index, division, after)} · {ranked_by(catalogue, index, division, after)}"
    )
    head = _head(index, division, catalogue, title)
    rows, columns = compute_standings(index, division, after), deciding_standings_columns(index, division, after)
    named = list_distinct_players(index)
    if short:
        figures = [catalogue.figures(row.figures()) for row in rows]
        return _text(
            head,
            [
                f"{row.listed_rank or '–'}. {isolate_text(named[row.player.id].name)}: {own}"
                for row, own in zip(rows, figures, strict=True)
            ],
        )
    cells = [
        (
            str(row.listed_rank or "–"),
            named[row.player.id].name,
            *(catalogue.cell(one.kind, one.value(row)) for one in columns),
        )
        for row in rows
    ]
    heads = ("", catalogue.heading("name"), *(catalogue.heading(one.heading) for one in columns))
    return _text(head, _aligned([heads, *cells], right=(0, *range(2, len(heads)))))


def of_round(index: Index, division: Division, number: int | None, catalogue: Catalogue, *, short: bool) -> str:
    """Return the pairings of a published round (None: the last) with its results."""
    published = index.published(division.id)
    if not published:
        raise RuleViolation("no-round-published", division=division.code)
    item = published[-1] if number is None else index.round(division.id, number)
    head = _head(index, division, catalogue, round_name(catalogue, index, item))
    games, named = rounds.told_apart_pairings(index, item), list_distinct_players(index)
    byes = [(named[bye.player].name, bye.kind.value) for bye in index.byes(item.id)]
    lines = _aligned([_cells(row, catalogue) for row in games], right=(0, 2, 4))
    if short:
        names = [f"{isolate_text(row.first_name)} – {isolate_text(row.second_name)}" for row in games]
        lines = [
            f"{row.table}. {name} {_score(row, catalogue)}".rstrip()
            for row, name in zip(games, names, strict=True)
        ]
    return _text(head, [*lines, *(f"{isolate_text(name)}: {catalogue.code(kind)}" for name, kind in byes)])


def _score(row: PairingRow, catalogue: Catalogue) -> str:
    said = score_said(catalogue, row)
    return said if row.decided_by is not None else said.replace(" ", "")


def _cells(row: PairingRow, catalogue: Catalogue) -> tuple[str, ...]:
    one, two = side_scores(catalogue, (row.score1, row.score2), row.decision)
    return (str(row.table), row.first_name, one, row.second_name, two)


def _head(index: Index, division: Division, catalogue: Catalogue, what: str) -> str:
    several = len(index.divisions) > 1
    named = catalogue.text("Division {division}", division=division.code) if several else ""
    return " · ".join(filter(None, (index.tournament.event.name, named, what)))


def _aligned(rows: Sequence[Sequence[str]], *, right: tuple[int, ...]) -> list[str]:
    cut = [[cell if len(cell) <= _LONGEST else cell[: _LONGEST - 1] + "…" for cell in row] for row in rows]
    return align_columns(cut, right=right)


def _text(head: str, lines: Sequence[str]) -> str:
    return "\n".join((head, "", *lines)) + "\n"
