"""Sentences about a season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from tdapp.domain.impact import SeasonRankChanges
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Player, Season
from tdapp.domain.persons import SamePersonQuestion
from tdapp.domain.season_ratings import find_rating_list_date
from tdapp.domain.season_rule import EveningResultMeasure, SeasonRule
from tdapp.domain.season_table import (
    PromotionOrRelegation,
    ResultNeededForRank,
    SeasonCell,
    SeasonCellState,
    SeasonEvening,
    SeasonLine,
    find_tie_break_against_next_line,
)
from tdapp.domain.seasons import compute_season_lines, list_season_evenings
from tdapp.domain.tables.seasons import choose_season_value_column_kind
from tdapp.domain.translatable import C_
from tdapp.i18n.catalogue import Catalogue

MAX_RANKS = 3  # players named in a sentence
BETWEEN_NAMES = " · "  # names contain commas
_PLACE_VALUES = frozenset({EveningResultMeasure.PLACE, EveningResultMeasure.FIELD, EveningResultMeasure.PLACING})


# The fields of season rules: for each group in display order its heading and its fields.
SEASON_GROUPS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "rules": (C_("part of the rules of a season", "Name and source"), ("id", "name", "source")),
    "evening": (C_("part of the rules of a season", "An evening"), ("value", "places", "scale")),
    "total": (C_("part of the rules of a season", "The total"), ("combine", "best", "expiry", "ties")),
    "rank": (
        C_("part of the rules of a season", "Who has a rank"),
        ("least_events", "least_share", "share_beyond", "least_games"),
    ),
    "categories": (
        C_("part of the rules of a season", "Categories"),
        ("categories", "apart", "promoted", "relegated"),
    ),
    "final": (C_("part of the rules of a season", "Qualifying for a final"), ("qualification",)),
}


def describe_season_rule(catalogue: Catalogue, rule: SeasonRule) -> str:
    text = catalogue.text
    parts = [catalogue.translate_code(rule.value)]
    if rule.scale != 1:
        parts.append(text(C_("value of an evening", "times {factor}"), factor=catalogue.format_points(rule.scale)))
    parts.append(catalogue.translate_code(rule.combine))
    if rule.best:
        parts.append(catalogue.plural("best result", "best {n} results", rule.best))
    if rule.least_events or rule.least_share:
        parts.append(text("{n} or more evenings", n=max(rule.least_events, 1)))
    if rule.least_games:
        parts.append(catalogue.plural("at least one game", "at least {n} games", rule.least_games))
    if rule.expiry:
        parts.append(
            catalogue.plural("a result counts only for one day", "a result counts only for {n} days", rule.expiry)
        )
    ties = ", ".join(catalogue.translate_code(tie) for tie in rule.ties)
    if ties:
        parts.append(text("if tied: {ties}", ties=ties))
    return " · ".join(parts)


def make_rating_list_title(catalogue: Catalogue, index: TournamentIndex, season: Season, day: str = "") -> str:
    """Return the title of the rating list on the date `day` ("": after the last event)."""
    date = find_rating_list_date(index, season, day)
    if not date:
        return catalogue.text("{season}: rating list", season=season.name)
    return catalogue.text("{season}: rating list of {date}", season=season.name, date=catalogue.format_date(date))


def describe_evening_result(catalogue: Catalogue, season: Season, line: SeasonLine, cell: SeasonCell) -> str:
    """Return a text such as "6 Oct: place 3 of 17 = 15". Here, 15 is the value for the season.

    If the value does not count, add the reason.
    """
    result, text = cell.result, catalogue.text
    value = catalogue.format_cell(choose_season_value_column_kind(season.rule), cell.value)
    facts = {"date": format_season_evening_name(catalogue, cell.evening), "value": value}
    if cell.evening.imported:
        sentence = text("{date}: {value}, imported as an earlier result", **facts)
    elif season.rule.value in _PLACE_VALUES:
        sentence = text(
            "{date}: place {place} of {field}, value {value}", place=result.rank, field=result.field, **facts
        )
        if result.tied_count > 1:
            sentence += text(C_("after the value of a place", ", {n} players tied"), n=result.tied_count)
    else:
        sentence = text(
            "{date}: {value} ({what}), place {place} of {field}",
            what=catalogue.translate_code(season.rule.value),
            place=result.rank,
            field=result.field,
            **facts,
        )
    notes = []
    if not cell.is_counted_in_total:
        if cell.state is not SeasonCellState.EXPIRED:
            notes.append(text("best {n} of {came} evenings", n=season.rule.best, came=len(line.unexpired_cells)))
        notes.append(catalogue.translate_code(cell.state))
    return sentence + ("; " + ", ".join(notes) if notes else "")


def describe_season_rank(
    catalogue: Catalogue, index: TournamentIndex, season: Season, line: SeasonLine, day: str = ""
) -> str:
    text = catalogue.text
    if line.events_short:
        return catalogue.plural("No rank: one evening too few", "No rank: {n} evenings too few", line.events_short)
    if line.games_short:
        return catalogue.plural("No rank: one game too few", "No rank: {n} games too few", line.games_short)
    if line.rank is None:
        return text("No rank: all results are too old")
    lines = compute_season_lines(index, season, day)
    evenings = [evening for evening in list_season_evenings(index, season) if not day or evening.date <= day]
    tie = find_tie_break_against_next_line(season.rule, evenings, lines, line)
    parts = [text("Rank {rank}", rank=line.rank)]
    if tie is not None:
        parts.append(text("equal totals, ahead on: {tie}", tie=catalogue.translate_code(tie)))
    if line.shift is not PromotionOrRelegation.NONE:
        parts.append(catalogue.translate_code(line.shift))
    if line.qualified:
        evening_names = {evening.key: format_season_evening_name(catalogue, evening) for evening in evenings}
        parts.append(
            text("qualified on {date}", date=evening_names[line.qualified])
            if line.qualified in evening_names
            else text("qualified by rating")
        )
    return " · ".join(parts)


def describe_same_person_question(catalogue: Catalogue, question: SamePersonQuestion) -> str:
    """Return a question that asks whether two players, with clubs and member numbers, are one person."""
    names = [_describe_person(person) for person in (question.player, question.other)]
    return catalogue.text("Are {player} and {other} the same person?", player=names[0], other=names[1])


def _describe_person(player: Player) -> str:
    club = f"({player.club})" if player.club else ""
    return " ".join(filter(None, (player.name, club, player.member)))


def format_season_evening_name(catalogue: Catalogue, evening: SeasonEvening) -> str:
    return evening.name or catalogue.format_short_date(evening.date)


def describe_needed_results(
    catalogue: Catalogue, season: Season, member: str, needed_results: Sequence[ResultNeededForRank]
) -> tuple[str, ...]:
    """Return the result needed for each better rank, the nearest rank first."""
    if not needed_results:
        return (catalogue.text("No result tonight can move {player} up.", player=member),)
    kind = choose_season_value_column_kind(season.rule)
    shown_count = sum(result.needed_rank != 0 for result in needed_results) + 1  # all in reach and the next rank
    return tuple(
        _describe_needed_result(catalogue, result, catalogue.format_cell(kind, result.value))
        for result in needed_results[:shown_count]
    )


def _describe_needed_result(catalogue: Catalogue, result: ResultNeededForRank, value: str) -> str:
    text, facts = catalogue.text, {"rank": result.rank, "other": result.rival.name, "value": value}
    if result.needed_rank == 0:
        return text("{other} (rank {rank}) is out of reach tonight: more than {value} is needed", **facts)
    if result.value < 0:
        return text("To overtake {other} (rank {rank}): any result is enough", **facts)
    if result.needed_rank is not None:
        return text(
            "To overtake {other} (rank {rank}): place {place} or better tonight",
            place=result.needed_rank,
            **facts,
        )
    return text("To overtake {other} (rank {rank}): more than {value} tonight", **facts)


def compute_sorted_season_lines(
    catalogue: Catalogue, index: TournamentIndex, season: Season, day: str = ""
) -> tuple[SeasonLine, ...]:
    """Return the lines of a season table. Members with the same rank are in alphabetical order."""
    rules = index.tournament.ruleset
    groups = groupby(
        compute_season_lines(index, season, day), lambda line: (line.category, line.rank, line.rank or line.total)
    )
    return tuple(
        line
        for _, tied_lines in groups
        for line in sorted(
            tied_lines, key=lambda line: (catalogue.make_sort_key(line.member.name, rules), line.key)
        )
    )


def format_season_table_as_chat_message(
    catalogue: Catalogue, index: TournamentIndex, season: Season, day: str = ""
) -> str:
    lines = compute_sorted_season_lines(catalogue, index, season, day)
    evenings = [evening for evening in list_season_evenings(index, season) if not day or evening.date <= day]
    message_lines: list[str] = []
    if evenings and not evenings[-1].imported:
        names = {line.key: line.member.name for line in lines}
        message_lines.append(f"*{format_season_evening_name(catalogue, evenings[-1])}*")
        for result in sorted(evenings[-1].results, key=lambda result: result.rank):
            wins = catalogue.format_points(result.match_points)
            spread = catalogue.format_signed_value(result.spread)
            points = catalogue.format_number(result.points)
            message_lines.append(f"{result.rank}. {names[result.player]}  {wins}  {spread}  {points}")
        message_lines.append("")
    message_lines.append(f"*{season.name}*")
    category = ""
    for line in lines:
        if line.category != category:
            category = line.category
            message_lines += ["", category]
        rank = f"{line.rank}." if line.rank else "–"
        moved = "" if not line.moved else f" ({'↑' if line.moved > 0 else '↓'}{abs(line.moved)})"
        total = catalogue.format_cell(choose_season_value_column_kind(season.rule), line.total)
        message_lines.append(f"{rank} {line.member.name}  {total}{moved}")
    return "\n".join(message_lines)


def describe_season_rank_changes(
    changes: SeasonRankChanges, catalogue: Catalogue, *, limit: int = MAX_RANKS
) -> str:
    if not changes.moves:
        return catalogue.plural(
            "{season}: the total of one player changes", "{season}: the totals of {n} players change",
                changes.totals,
            season=changes.season,
        )  # fmt: skip
    texts = [
        catalogue.text(
            "{player}: {now} instead of {before}", player=name, now=new_rank or "–", before=old_rank or "–"
        )
        for name, old_rank, new_rank in changes.moves[:limit]
    ]
    extra_count = len(changes.moves) - limit
    if extra_count > 0:
        texts.append(catalogue.text("and {n} more", n=extra_count))
    return catalogue.text(
        "New ranks in {season}: {players}", season=changes.season, players=BETWEEN_NAMES.join(texts)
    )
