"""Slides of a prize-giving, from the lowest announced rank or prize up to the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import publishing
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, PlayerId
from tdapp.domain.prizes import RANKED_KINDS, AwardedPrize, compute_awarded_prizes, is_eligible_for_category
from tdapp.domain.standings import Standing, explain_rank, find_ranks_vacant_by_double_forfeit
from tdapp.domain.tables import standings
from tdapp.domain.tables.table import Column, ColumnKind
from tdapp.domain.text_characters import put_first_name_first
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import describe_knockout_result, describe_wins_and_spread, format_prize_name

DEFAULT_RANK_COUNT = 10
ALL = 0
_MAX_LINES = 5  # most announcements on a slide
_ANNOUNCED_COLUMNS = frozenset({"wins", "spread"})


class AnnouncementGrouping(StrEnum):
    """Whether a prize-giving has a slide for each rank or for each prize."""

    PLACES = "places"
    PRIZES = "prizes"


class CeremonyOptions(Struct, frozen=True):
    """Options of a prize-giving."""

    grouping: AnnouncementGrouping = AnnouncementGrouping.PLACES
    division: str = ""  # id of the division, "" for the first one
    category: str = ""  # only players of this category, "" for all
    rank_count: int = DEFAULT_RANK_COUNT  # announced ranks, from the last one to rank 1; ALL for every rank


class AwardLine(Struct, frozen=True):
    """An announcement at the prize-giving."""

    sign: str  # rank or prize
    names: str  # player or winners, or a note that the prize is not awarded
    facts: str
    photo: str = ""  # public photo of the player, "" if the line has several players or no photo


class AwardSlide(Struct, frozen=True):
    """The announcements on one slide, the most recent first."""

    lines: tuple[AwardLine, ...] = ()


class CeremonySlides(Struct, frozen=True):
    """The title and all slides of a prize-giving."""

    title: str
    note: str
    opening: str  # text shown before the first announcement
    awards: tuple[AwardSlide, ...]  # one slide for each step; the first slide is empty


def make_ceremony_slides(tournament: Tournament, options: CeremonyOptions, catalogue: Catalogue) -> CeremonySlides:
    """Return the slides of a prize-giving. The first slide is empty."""
    public = publishing.make_public_view(tournament)  # only its names and photos are used
    players = tournament.players.values()
    renamed_players = (replace(row, name=put_first_name_first(public.players[row.id].name)) for row in players)
    hidden_photos = (row for key, row in tournament.photos.items() if key not in public.photos)
    index = TournamentIndex(tournament.put(*renamed_players).drop(*hidden_photos))
    division = next((division for division in index.divisions if division.id == options.division), None)
    division = division or next(iter(index.divisions), None)
    event = tournament.event.name
    title = catalogue.text("Prize-giving")
    if division is None:
        return CeremonySlides(title, event, catalogue.text("There is no division yet."), (AwardSlide(),))
    list_lines = (
        _list_award_lines_by_prize
        if options.grouping is AnnouncementGrouping.PRIZES
        else _list_award_lines_by_rank
    )
    lines = list(list_lines(index, division, options, catalogue))
    category_text = catalogue.text("Category {category}", category=options.category) if options.category else ""
    division_text = (
        catalogue.text("Division {division}", division=division.code) if len(index.divisions) > 1 else ""
    )
    note = " · ".join(filter(None, (division.name or division_text, category_text, event)))
    empty_text = catalogue.text("No player is ranked yet.")
    if options.grouping is AnnouncementGrouping.PRIZES:
        empty_text = catalogue.text("There are no prizes.")
    lines_of_slides = (lines[max(0, count - _MAX_LINES) : count] for count in range(1, len(lines) + 1))
    awards = (AwardSlide(), *(AwardSlide(tuple(reversed(slide_lines))) for slide_lines in lines_of_slides))
    return CeremonySlides(title, note, event if lines else empty_text, awards)


def _list_award_lines_by_rank(
    index: TournamentIndex, division: Division, options: CeremonyOptions, catalogue: Catalogue
) -> Iterator[AwardLine]:
    if not index.list_published_rounds(division.id):
        return
    prizes = _describe_rank_prizes_by_player(index, division, catalogue, options.category)
    table = standings.make_standings_table(index, division)
    rows = [
        row
        for row in table.rows
        if row.status == "active" and is_eligible_for_category(row.player, options.category)
    ]
    ranked_rows = list(
        zip(_compute_announced_ranks(rows, keep_vacant_ranks=not options.category), rows, strict=True)
    )
    next_rows = {row.key: next_row for row, next_row in pairwise(rows)}
    for rank, row in reversed(
        [
            ranked_row
            for ranked_row in ranked_rows
            if options.rank_count == ALL or ranked_row[0] <= options.rank_count
        ]
    ):
        knockout = describe_knockout_result(catalogue, index, row)
        measures = (
            (knockout,)
            if knockout
            else _describe_tiebreaks_to_announce(row, next_rows.get(row.key), table.columns, catalogue)
        )
        facts = " · ".join(filter(None, (*measures, prizes.get(row.player.id, ""))))
        yield AwardLine(str(rank), row.player.name, facts, _get_photo_if_single_player(index, row.player.id))


def _get_photo_if_single_player(index: TournamentIndex, *players: PlayerId) -> str:
    photo = index.tournament.photos.get(players[0]) if len(players) == 1 else None
    return photo.data if photo is not None else ""


def _describe_tiebreaks_to_announce(
    row: Standing, next_row: Standing | None, columns: Sequence[Column[Standing]], catalogue: Catalogue
) -> Iterator[str]:
    deciding_code = explain_rank(row, next_row).code if next_row is not None else ""
    for column in columns:
        if column.id in _ANNOUNCED_COLUMNS or column.id == deciding_code:
            value_text = catalogue.format_cell(column.kind, column.value(row))
            if column.id == deciding_code != next(iter(row.tiebreak_values)) and next_row is not None:
                other_text = catalogue.format_cell(column.kind, column.value(next_row))
                value_text = catalogue.text("{value} against {other}", value=value_text, other=other_text)
            yield f"{catalogue.heading(column.heading_id)} {value_text}"


def _compute_announced_ranks(rows: Sequence[Standing], *, keep_vacant_ranks: bool) -> list[int]:
    """Return the rank to announce for each row.

    Example: both players forfeited the match for rank 3. With `keep_vacant_ranks`, the ranks are
    1, 2, 4, 4, otherwise 1, 2, 3, 3.
    """
    if keep_vacant_ranks and find_ranks_vacant_by_double_forfeit(rows):
        return [row.rank for row in rows]
    ranks: list[int] = []
    for position, row in enumerate(rows, 1):
        equal = position > 1 and rows[position - 2].rank == row.rank
        ranks.append(ranks[-1] if equal else position)
    return ranks


def _describe_rank_prizes_by_player(
    index: TournamentIndex, division: Division, catalogue: Catalogue, category: str
) -> dict[str, str]:
    prizes: dict[str, str] = {}
    for award in compute_awarded_prizes(index, division):
        if (
            award.prize.category.strip().casefold() == category.strip().casefold()
            and award.prize.kind in RANKED_KINDS
        ):
            for winner in award.winners:
                prize_text = _describe_prize_value(award, winner.share, catalogue)
                prizes[winner.player.id] = " + ".join(filter(None, (prizes.get(winner.player.id, ""), prize_text)))
    return prizes


def _describe_prize_value(award: AwardedPrize, share: int, catalogue: Catalogue) -> str:
    return " + ".join(
        filter(None, (catalogue.format_cell(ColumnKind.MONEY, share) if share else "", award.prize.text))
    )


def _list_award_lines_by_prize(
    index: TournamentIndex, division: Division, options: CeremonyOptions, catalogue: Catalogue
) -> Iterator[AwardLine]:
    rows_by_player = {row.player.id: row for row in standings.make_standings_table(index, division).rows}
    for award in reversed(compute_awarded_prizes(index, division)):
        category = options.category.strip().casefold()
        has_category = not category or award.prize.category.strip().casefold() == category
        if has_category and award.vacant:
            yield AwardLine(
                format_prize_name(catalogue, award.prize), catalogue.describe_award_reason("vacant", {}), ""
            )
        if not award.winners or not has_category:
            continue
        names = "; ".join(winner.player.name for winner in award.winners)
        first = award.winners[0]
        achievement = catalogue.describe_award_reason(first.code, first.facts)
        if award.prize.kind in RANKED_KINDS:
            row = rows_by_player[first.player.id]
            achievement = describe_knockout_result(catalogue, index, row) or describe_wins_and_spread(
                catalogue, row
            )
        prize_text = _describe_prize_value(award, award.prize.amount, catalogue)
        facts = " · ".join(filter(None, (prize_text, achievement)))
        photo = _get_photo_if_single_player(index, *(winner.player.id for winner in award.winners))
        yield AwardLine(format_prize_name(catalogue, award.prize), names, facts, photo)
