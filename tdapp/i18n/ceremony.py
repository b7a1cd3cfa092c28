"""The prize-giving step by step, the first rank or prize last.

It shows the true standings, even if held back: the director starts it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import publishing
from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.prizes import BY_PLACE, Award, compute_awards, is_in_category
from tdapp.domain.standings import Standing, explain_rank, find_vacant_ranks
from tdapp.domain.tables import standings
from tdapp.domain.tables.table import Column, Kind
from tdapp.domain.text_characters import put_first_name_first
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import knockout_result, plain_record, prize_named

USUAL = 10  # default rank to begin with
ALL = 0
_STAY = 5  # earlier awards below the newest
_TOLD = frozenset({"wins", "spread"})  # columns


class By(StrEnum):
    """Announcements per step."""

    PLACES = "places"
    PRIZES = "prizes"


class Ceremony(Struct, frozen=True):
    """`division` by id, "" for the first. `places` is the rank to begin with, 0 for the last."""

    by: By = By.PLACES
    division: str = ""
    category: str = ""
    places: int = USUAL


class AwardLine(Struct, frozen=True):
    """Rank or prize, names, and achievement."""

    sign: str
    names: str
    facts: str


class AwardSlide(Struct, frozen=True):
    """Announced awards, newest first. Empty before the first step."""

    lines: tuple[AwardLine, ...] = ()


class Steps(Struct, frozen=True):
    """Titles, the text before the first step, and the content of each step."""

    title: str
    note: str
    opening: str
    awards: tuple[AwardSlide, ...]


def steps(tournament: Tournament, wanted: Ceremony, catalogue: Catalogue) -> Steps:
    """Return the steps. The first announces nothing."""
    public = publishing.make_public_view(tournament).players  # only their names are used
    named = (replace(row, name=put_first_name_first(public[row.id].name)) for row in tournament.players.values())
    index = Index(tournament.put(*named))
    division = next((one for one in index.divisions if one.id == wanted.division), None)
    division = division or next(iter(index.divisions), None)
    event = tournament.event.name
    title = catalogue.text("Prize-giving")
    if division is None:
        return Steps(title, event, catalogue.text("There is no division yet."), (AwardSlide(),))
    lines_of = _prizes if wanted.by is By.PRIZES else _places
    lines = list(lines_of(index, division, wanted, catalogue))
    mark = catalogue.text("Category {category}", category=wanted.category) if wanted.category else ""
    code = catalogue.text("Division {division}", division=division.code) if len(index.divisions) > 1 else ""
    note = " · ".join(filter(None, (division.name or code, mark, event)))
    none = catalogue.text("No player is ranked yet.")
    if wanted.by is By.PRIZES:
        none = catalogue.text("There are no prizes.")
    revealed = (lines[max(0, count - _STAY) : count] for count in range(1, len(lines) + 1))
    awards = (AwardSlide(), *(AwardSlide(tuple(reversed(shown))) for shown in revealed))
    return Steps(title, note, event if lines else none, awards)


def _places(index: Index, division: Division, wanted: Ceremony, catalogue: Catalogue) -> Iterator[AwardLine]:
    if not index.published(division.id):
        return
    won = _won(index, division, catalogue, wanted.category)
    table = standings.standings_table(index, division)
    rows = [row for row in table.rows if row.status == "active" and is_in_category(row.player, wanted.category)]
    ranked = list(zip(_ranks(rows, whole=not wanted.category), rows, strict=True))
    below = {row.key: lower for row, lower in pairwise(rows)}
    for rank, row in reversed([one for one in ranked if wanted.places == ALL or one[0] <= wanted.places]):
        knockout = knockout_result(catalogue, index, row)
        measures = (knockout,) if knockout else _measures(row, below.get(row.key), table.columns, catalogue)
        facts = " · ".join(filter(None, (*measures, won.get(row.player.id, ""))))
        yield AwardLine(str(rank), row.player.name, facts)


def _measures(
    row: Standing, below: Standing | None, columns: Sequence[Column[Standing]], catalogue: Catalogue
) -> Iterator[str]:
    decided = explain_rank(row, below).code if below is not None else ""
    for column in columns:
        if column.id in _TOLD or column.id == decided:
            shown = catalogue.cell(column.kind, column.value(row))
            if column.id == decided != next(iter(row.values)) and below is not None:
                other = catalogue.cell(column.kind, column.value(below))
                shown = catalogue.text("{value} against {other}", value=shown, other=other)
            yield f"{catalogue.heading(column.heading)} {shown}"


def _ranks(rows: Sequence[Standing], *, whole: bool) -> list[int]:
    """`whole`: of all players, so that a vacant rank stays vacant."""
    if whole and find_vacant_ranks(rows):
        return [row.rank for row in rows]
    ranks: list[int] = []
    for position, row in enumerate(rows, 1):
        equal = position > 1 and rows[position - 2].rank == row.rank
        ranks.append(ranks[-1] if equal else position)
    return ranks


def _won(index: Index, division: Division, catalogue: Catalogue, category: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for award in compute_awards(index, division):
        if award.prize.category.strip().casefold() == category.strip().casefold() and award.prize.kind in BY_PLACE:
            for winner in award.winners:
                worth = _worth(award, winner.share, catalogue)
                found[winner.player.id] = " + ".join(filter(None, (found.get(winner.player.id, ""), worth)))
    return found


def _worth(award: Award, share: int, catalogue: Catalogue) -> str:
    return " + ".join(filter(None, (catalogue.cell(Kind.MONEY, share) if share else "", award.prize.text)))


def _prizes(index: Index, division: Division, wanted: Ceremony, catalogue: Catalogue) -> Iterator[AwardLine]:
    """Yield prizes with winners, last first."""
    ranked = {row.player.id: row for row in standings.standings_table(index, division).rows}
    for award in reversed(compute_awards(index, division)):
        fits = not wanted.category or award.prize.category.strip().casefold() == wanted.category.casefold()
        if fits and award.vacant:
            yield AwardLine(prize_named(catalogue, award.prize), catalogue.award("vacant", {}), "")
        if not award.winners or not fits:
            continue
        names = "; ".join(winner.player.name for winner in award.winners)
        first = award.winners[0]
        why = catalogue.award(first.code, first.facts)
        if award.prize.kind in BY_PLACE:
            row = ranked[first.player.id]
            why = knockout_result(catalogue, index, row) or plain_record(catalogue, row)
        worth = _worth(award, award.prize.amount, catalogue)
        yield AwardLine(prize_named(catalogue, award.prize), names, " · ".join(filter(None, (worth, why))))
