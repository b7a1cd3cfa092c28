"""Commands on seasons: rankings over several club evenings and copied events."""

from __future__ import annotations

from typing import TypedDict, Unpack

from msgspec.structs import replace

from tdapp.domain.commands.event_copies import remove_copied_players_without_data
from tdapp.domain.commands.players import add_player
from tdapp.domain.commands.rule import (
    command,
    get_row_or_refuse,
    parse_date_to_iso_or_refuse,
    strip_and_check_required_text,
)
from tdapp.domain.entries import EarlierResultEntry, normalise_name
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, EarlierEveningResult, EarlierId, Player, Season, SeasonId
from tdapp.domain.ratings import RatingSystem
from tdapp.domain.season_ratings import fill_start_ratings_of_linked_seasons, list_players_with_old_and_new_rating
from tdapp.domain.season_rule import MAX_VALUE, SeasonRule, list_invalid_season_rule_fields
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_, Plural


@command(N_("Season added: {name}"))
def add_season(
    tournament: Tournament,
    *,
    key: str,
    name: str,
    rule: SeasonRule,
    division: DivisionId | None = None,
    since: str = "",
    until: str = "",
) -> Tournament:
    """Add a season. Without `division`, it covers all divisions.

    The dates `since` and `until` are in ISO 8601, or "" for no limit.
    """
    season = Season(SeasonId(key), division, name, rule, since, until)
    return tournament.put(_validate_season(tournament, season))


class SeasonChanges(TypedDict, total=False):
    """Editable fields of a season."""

    name: str
    rule: SeasonRule
    division: DivisionId | None
    since: str
    until: str


@command(Plural("Season changed: {season}", "{season}: rules changed: {changed:rules}", "whole"))
def edit_season(tournament: Tournament, *, season: SeasonId, **changes: Unpack[SeasonChanges]) -> Tournament:
    row = get_row_or_refuse(tournament.seasons, season, "no-such-season")
    return tournament.put(_validate_season(tournament, replace(row, **changes)))


@command(N_("Season removed: {season}"))
def remove_season(tournament: Tournament, *, season: SeasonId) -> Tournament:
    row = get_row_or_refuse(tournament.seasons, season, "no-such-season")
    return remove_copied_players_without_data(tournament.drop_with_children(row))


@command(Plural("{season}: one earlier result added", "{season}: {count} earlier results added", "count"))
def import_earlier_results(
    tournament: Tournament,
    *,
    key: str,
    season: SeasonId,
    entries: tuple[EarlierResultEntry, ...],
    add: bool = False,
) -> Tournament:
    """Add results of evenings before the tournament file existed, or replace those of the same player and date.

    With `add`, unknown names become new players.
    """
    row = get_row_or_refuse(tournament.seasons, season, "no-such-season")
    if add:
        tournament = _add_unknown_players(tournament, key, row, entries)
    names = _group_players_by_normalised_name(tournament, row)
    results = {(result.player, result.date): result for result in TournamentIndex(tournament).earlier(season)}
    matches = [(entry, names.get(normalise_name(entry.name), [])) for entry in entries]
    unknown_names = {f"{entry.name} ({entry.line})": None for entry, players in matches if not players}
    if unknown_names:
        raise CommandError("earlier-unknown", players=tuple(unknown_names))
    ambiguous_names = {f"{entry.name} ({entry.line})": None for entry, players in matches if len(players) > 1}
    if ambiguous_names:
        raise CommandError("earlier-ambiguous", players=tuple(ambiguous_names))
    for number, (entry, [player]) in enumerate(matches, 1):
        old = results.get((player.id, entry.date))
        row_id = EarlierId(f"{key}.{number}") if old is None else old.id
        results[player.id, entry.date] = EarlierEveningResult(row_id, season, player.id, entry.date, entry.value)
    return tournament.put(*results.values())


@command(N_("{season}: new ratings applied to the players"))
def apply_ratings(tournament: Tournament, *, season: SeasonId, system: RatingSystem, on: str = "") -> Tournament:
    """Set the players' ratings to those of the season on the date `on` ("": after its last event).

    The season stores the old ratings. Later calls start from these ratings again, so that no event counts twice.
    """
    row, index = get_row_or_refuse(tournament.seasons, season, "no-such-season"), TournamentIndex(tournament)
    rating_date = parse_date_to_iso_or_refuse(on, "on")
    updates = list_players_with_old_and_new_rating(index, row, system, rating_date)
    if not updates:
        raise CommandError("ratings-applied-already", season=row.name)
    return tournament.put(*fill_start_ratings_of_linked_seasons(index, row), *(after for _, after in updates))


@command(N_("{season}: earlier results removed"))
def remove_earlier_results(tournament: Tournament, *, season: SeasonId) -> Tournament:
    get_row_or_refuse(tournament.seasons, season, "no-such-season")
    return tournament.drop(*TournamentIndex(tournament).earlier(season))


def _add_unknown_players(
    tournament: Tournament, key: str, season: Season, entries: tuple[EarlierResultEntry, ...]
) -> Tournament:
    division = TournamentIndex(tournament).get_division(None).id if season.division is None else season.division
    known_names = set(_group_players_by_normalised_name(tournament, season))
    for number, entry in enumerate(entries, 1):
        if normalise_name(entry.name) not in known_names:
            known_names.add(normalise_name(entry.name))
            tournament = add_player(tournament, key=f"{key}.p{number}", division=division, name=entry.name)
    return tournament


def _group_players_by_normalised_name(tournament: Tournament, season: Season) -> dict[str, list[Player]]:
    players_by_name: dict[str, list[Player]] = {}
    for player in tournament.players.values():
        if season.division in {None, player.division}:
            players_by_name.setdefault(normalise_name(player.name), []).append(player)
    return players_by_name


def _validate_season(tournament: Tournament, season: Season) -> Season:
    if season.division is not None:
        get_row_or_refuse(tournament.divisions, season.division, "no-such-division")
    dates = {field: parse_date_to_iso_or_refuse(getattr(season, field), field) for field in ("since", "until")}
    season = replace(season, **dates)
    if season.until and season.until < season.since:
        raise CommandError("season-ends-early", since=season.since, until=season.until)
    problems = list_invalid_season_rule_fields(season.rule)
    if problems:
        raise CommandError("season-rule-unfit", field=problems[0], high=MAX_VALUE)
    return replace(season, name=strip_and_check_required_text(season.name, "name"))
