"""Commands on events copied from other files into a season."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, TypedDict, Unpack

from msgspec.structs import replace

from tdapp.domain.commands.players import find_number_after_last_player, make_player
from tdapp.domain.commands.rule import (
    command,
    get_row_or_refuse,
    parse_date_to_iso_or_refuse,
    strip_and_check_required_text,
)
from tdapp.domain.entries import normalise_name
from tdapp.domain.errors import CommandError
from tdapp.domain.event_copies import CopiedPlayer, EventToCopy
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    CopiedEvent,
    CopiedEventId,
    CopiedResult,
    CopiedResultId,
    PersonLink,
    PersonLinkId,
    Player,
    PlayerId,
    Season,
    SeasonId,
)
from tdapp.domain.persons import CopiedPlayerMatcher, is_similar_name, list_players_of_season_divisions
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_, Plural

_MAX_NAMES = 3  # names in an error
_COPIED_PLAYER_PREFIX = "copied."  # start of the ids of players added with an event
_NEW_PLAYER_FIELDS = ("name", "member", "club", "country", "category", "rating")  # fields of a new player
_FILLABLE_FIELDS = ("country", "category", "rating")  # empty fields that a later event also fills


@command(Plural("{season}: event added: {names}", "{season}: {count} events added: {names}", "count"))
def add_copied_events(
    tournament: Tournament, *, key: str, season: SeasonId, events: tuple[EventToCopy, ...]
) -> Tournament:
    """Add events of other files to a season. Unknown persons become players."""
    row = get_row_or_refuse(tournament.seasons, season, "no-such-season")
    for number, copy in enumerate(sorted(events, key=attrgetter("date")), 1):
        copied_events = TournamentIndex(tournament).copied_events(season)
        is_only_event = _is_division_unique_in_source(copy, events)
        same_file_events = [
            event for event in copied_events if event.head == copy.head and _is_same_division(event, copy)
        ]
        is_copied = any(is_only_event or event.date == copy.date for event in same_file_events)
        if is_copied or find_copies_of_same_event(copied_events, copy):
            raise CommandError("event-copied-already", event=copy.name, source=copy.source)
        tournament = _add_copied_event(tournament, CopiedEventId(f"{key}.{number}"), row, copy)
    return tournament


def _add_copied_event(tournament: Tournament, key: CopiedEventId, season: Season, copy: EventToCopy) -> Tournament:
    return _store_event_with_players_and_results(
        tournament, f"{key}.p", season, _make_copied_event(key, season, copy), copy
    )


@command(
    Plural(
        "{season}: results of the event updated: {names}",
        "{season}: results of {count} events updated: {names}",
        "count",
    )
)
def refresh_copied_events(
    tournament: Tournament,
    *,
    key: str,
    season: SeasonId,
    events: tuple[EventToCopy, ...],
    copied_event: CopiedEventId | None = None,
) -> Tournament:
    """Replace the results of copied events by those of newer files.

    If `copied_event` is given, pass its new results as the only item of `events`. Otherwise find each event by
    name, date and file. An event keeps its name, and keeps its date if the new file has none. New evenings of a
    club are added.
    """
    row = get_row_or_refuse(tournament.seasons, season, "no-such-season")
    for number, copy in enumerate(events, 1):
        copied_events = TournamentIndex(tournament).copied_events(season)
        if copied_event is not None:
            matches = [get_row_or_refuse(tournament.copied_events, copied_event, "no-such-copied-event")]
        else:
            matches = list_copied_events_to_refresh(copied_events, copy, events)
        if not (matches or _is_division_unique_in_source(copy, events)):
            tournament = _add_copied_event(tournament, CopiedEventId(f"{key}.{number}"), row, copy)
            continue
        if len(matches) != 1:
            code = "event-copied-twice" if matches else "event-not-copied"
            raise CommandError(code, event=copy.name, source=copy.source)
        new_event = _make_copied_event(matches[0].id, row, replace(copy, date=copy.date or matches[0].date))
        old_players = {
            result.number: result.player for result in TournamentIndex(tournament).copied_results(new_event.id)
        }
        cleared_tournament = tournament.drop(*TournamentIndex(tournament).copied_results(new_event.id))
        prefix = f"{new_event.id}.{key}.{number}.p"
        tournament = _store_event_with_players_and_results(
            cleared_tournament, prefix, row, replace(new_event, name=matches[0].name), copy, old_players
        )
        tournament = remove_copied_players_without_data(tournament)
    return tournament


class CopiedEventChanges(TypedDict, total=False):
    """Editable fields of a copied event."""

    name: str
    date: str  # ISO 8601, "" if unknown


@command(N_("Event changed: {copied_event}"))
def edit_copied_event(
    tournament: Tournament, *, copied_event: CopiedEventId, **changes: Unpack[CopiedEventChanges]
) -> Tournament:
    row = replace(get_row_or_refuse(tournament.copied_events, copied_event, "no-such-copied-event"), **changes)
    date = parse_date_to_iso_or_refuse(row.date, "date")
    return tournament.put(replace(row, date=date, name=strip_and_check_required_text(row.name, "name")))


@command(N_("Event removed: {copied_event}"))
def remove_copied_event(tournament: Tournament, *, copied_event: CopiedEventId) -> Tournament:
    """Remove a copied event, and the players whom it added if they have no other data."""
    row = get_row_or_refuse(tournament.copied_events, copied_event, "no-such-copied-event")
    return remove_copied_players_without_data(tournament.drop_with_children(row))


@command(N_("{player} and {other} marked as two different people"))
def separate_persons(tournament: Tournament, *, player: PlayerId, other: PlayerId) -> Tournament:
    """Record that two players with equal or similar names are different persons."""
    rows = [get_row_or_refuse(tournament.players, player_id, "no-such-player") for player_id in (player, other)]
    if rows[0] is rows[1]:
        raise CommandError("merge-same-player", player=rows[0].name)
    return tournament.put(PersonLink(PersonLinkId(f"{player}.{other}"), player, other))


def find_copies_of_same_event(copied_events: Sequence[CopiedEvent], copy: EventToCopy) -> list[CopiedEvent]:
    """Return the copied events with the name, date and division of `copy`."""
    same_day_events = (
        event for event in copied_events if event.date == copy.date and _is_same_division(event, copy)
    )
    return [event for event in same_day_events if normalise_name(event.name) == normalise_name(copy.name)]


def list_copied_events_to_refresh(
    copied_events: Sequence[CopiedEvent], copy: EventToCopy, events: Sequence[EventToCopy]
) -> list[CopiedEvent]:
    """Return the copied events that `copy`, one of `events`, can refresh.

    Events match by name, date and division. If none matches, match by file name and division, provided that this
    pair is unique in `events`.
    """
    matches = find_copies_of_same_event(copied_events, copy)
    if matches or not _is_division_unique_in_source(copy, events):
        return matches
    return [event for event in copied_events if event.source == copy.source and _is_same_division(event, copy)]


def _is_division_unique_in_source(copy: EventToCopy, events: Sequence[EventToCopy]) -> bool:
    return sum((event.source, event.division) == (copy.source, copy.division) for event in events) == 1


def _is_same_division(event: CopiedEvent, copy: EventToCopy) -> bool:
    return event.division.casefold() == copy.division.casefold()


def _make_copied_event(key: CopiedEventId, season: Season, copy: EventToCopy) -> CopiedEvent:
    name, date = strip_and_check_required_text(copy.name, "name"), parse_date_to_iso_or_refuse(copy.date, "date")
    return CopiedEvent(key, season.id, name, date, copy.source, copy.head, copy.division, copy.games)


def _store_event_with_players_and_results(
    tournament: Tournament,
    prefix: str,
    season: Season,
    event: CopiedEvent,
    copy: EventToCopy,
    old_players: dict[int, PlayerId] | None = None,
) -> Tournament:
    index = TournamentIndex(tournament)
    division = index.divisions[0].id if season.division is None else season.division
    number = find_number_after_last_player(index, division)
    persons = CopiedPlayerMatcher(
        list_players_of_season_divisions(index, season), tournament.person_links.values()
    )
    players, used_ids = dict[int, Player](), set[PlayerId]()
    # Entries with a federation number first, so that no other entry takes their player by name.
    for entry in sorted(copy.entries, key=lambda entry: not entry.member):
        player = persons.find_player(entry, used_ids)
        old_player = tournament.players.get((old_players or {}).get(entry.number, PlayerId("")))
        if (
            player is None
            and old_player is not None
            and old_player.id not in used_ids
            and is_similar_name(old_player.name, entry.name)
        ):
            player = old_player
        if player is None:
            fields: dict[str, Any] = {name: getattr(entry, name) for name in _NEW_PLAYER_FIELDS}
            player = make_player(
                tournament, f"{_COPIED_PLAYER_PREFIX}{prefix}{entry.number}", division, number, fields
            )
            number += 1
        player = _fill_empty_player_fields(player, entry)
        persons.add_player(player)
        players[entry.number] = player
        used_ids.add(player.id)
    results = [
        CopiedResult(
            CopiedResultId(f"{event.id}.{entry.number}"),
            event.id,
            players[entry.number].id,
            entry.number,
            entry.rank,
            entry.games,
            entry.points,
            entry.spread,
            entry.match_points,
            entry.unscored,
        )
        for entry in copy.entries
    ]
    changed_players = [player for player in players.values() if tournament.players.get(player.id) != player]
    new_names = [player.name for player in changed_players if player.id not in tournament.players]
    if new_names and any(not tournament.stages[item.stage].evening for item in index.rounds(division)):
        raise CommandError("event-in-tournament", event=event.name, players=new_names[:_MAX_NAMES])
    return tournament.put(event, *changed_players, *results)


def _fill_empty_player_fields(player: Player, entry: CopiedPlayer) -> Player:
    names = ("member", *_FILLABLE_FIELDS) if player.id.startswith(_COPIED_PLAYER_PREFIX) else ("member",)
    values: dict[str, Any] = {name: getattr(player, name) or getattr(entry, name) for name in names}
    return replace(player, **values)


def remove_copied_players_without_data(tournament: Tournament) -> Tournament:
    return tournament.drop_with_children(*_list_unused_copied_players(tournament))


def _list_unused_copied_players(tournament: Tournament) -> Iterator[Player]:
    event_players = [
        player for player in tournament.players.values() if player.id.startswith(_COPIED_PLAYER_PREFIX)
    ]
    if not event_players:
        return
    index = TournamentIndex(tournament)
    used_ids = {row.player for kind in (tournament.copied_results, tournament.earlier) for row in kind.values()}
    for player in event_players:
        if player.id in used_ids or index.has_game_or_bye_or_seat(player.id):
            continue
        if not (player.checked_in or player.paid or player.notes):
            yield player
