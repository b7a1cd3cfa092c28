"""Commands on copied events: events of other files whose results were copied into a season."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, TypedDict, Unpack

from msgspec.structs import replace

from tdapp.domain.commands.players import find_next_player_number, make_player
from tdapp.domain.commands.rule import check_iso_date, check_required_text, command, get_row_or_refuse
from tdapp.domain.dates import parse_date
from tdapp.domain.entries import normalise_name
from tdapp.domain.errors import RuleViolation
from tdapp.domain.event_copies import CopiedPlayer, EventCopy
from tdapp.domain.index import Index
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
from tdapp.domain.persons import KnownPersons, is_similar_name, list_season_players
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_, Plural

_MOST_NAMES = 3  # in an error
_COPIED = "copied."  # start of the ids of players who came with an event
_ENTERED = ("name", "member", "club", "country", "category", "rating")  # fields of a new player
_FILLED = ("country", "category", "rating")  # also by a later event, if empty


@command(Plural("{season}: event added: {names}", "{season}: {count} events added: {names}", "count"))
def add_copied_events(
    tournament: Tournament, *, key: str, season: SeasonId, events: tuple[EventCopy, ...]
) -> Tournament:
    """Add events of other files to a season. Unknown persons become players."""
    row = get_row_or_refuse(tournament.seasons, season, "no-such-season")
    for at, copy in enumerate(sorted(events, key=attrgetter("date")), 1):
        known = Index(tournament).copied_events(season)
        single = _is_only_event_of_source(copy, events)
        same = [one for one in known if one.head == copy.head and _is_same_division(one, copy)]
        if any(single or one.date == copy.date for one in same) or find_copies_of_same_event(known, copy):
            raise RuleViolation("event-copied-already", event=copy.name, source=copy.source)
        tournament = _add_copied_event(tournament, CopiedEventId(f"{key}.{at}"), row, copy)
    return tournament


def _add_copied_event(tournament: Tournament, key: CopiedEventId, season: Season, copy: EventCopy) -> Tournament:
    return _store_copied_results(tournament, f"{key}.p", season, _make_copied_event(key, season, copy), copy)


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
    events: tuple[EventCopy, ...],
    copied_event: CopiedEventId | None = None,
) -> Tournament:
    """Replace the results of copied events by those of newer files.

    `copied_event` is the event to refresh with the only item of `events`. Without it, each event is found by
    name, date and file. An event keeps its name, and keeps its date if the new file has none. New evenings of
    a club are added.
    """
    row = get_row_or_refuse(tournament.seasons, season, "no-such-season")
    for at, copy in enumerate(events, 1):
        known = Index(tournament).copied_events(season)
        if copied_event is not None:
            found = [get_row_or_refuse(tournament.copied_events, copied_event, "no-such-copied-event")]
        else:
            found = find_refreshable_events(known, copy, events)
        if not (found or _is_only_event_of_source(copy, events)):
            tournament = _add_copied_event(tournament, CopiedEventId(f"{key}.{at}"), row, copy)
            continue
        if len(found) != 1:
            code = "event-copied-twice" if found else "event-not-copied"
            raise RuleViolation(code, event=copy.name, source=copy.source)
        made = _make_copied_event(found[0].id, row, replace(copy, date=copy.date or found[0].date))
        before = {one.number: one.player for one in Index(tournament).copied_results(made.id)}
        bare = tournament.drop(*Index(tournament).copied_results(made.id))
        prefix = f"{made.id}.{key}.{at}.p"
        tournament = _store_copied_results(bare, prefix, row, replace(made, name=found[0].name), copy, before)
        tournament = remove_unused_event_players(tournament)
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
    row = replace(row, date=parse_date(row.date) or row.date)
    check_iso_date(row.date, "date")
    return tournament.put(replace(row, name=check_required_text(row.name, "name")))


@command(N_("Event removed: {copied_event}"))
def remove_copied_event(tournament: Tournament, *, copied_event: CopiedEventId) -> Tournament:
    """Remove a copied event, and the players whom it added if they have no other data."""
    row = get_row_or_refuse(tournament.copied_events, copied_event, "no-such-copied-event")
    return remove_unused_event_players(tournament.drop_with_children(row))


@command(N_("{player} and {other} marked as two different people"))
def separate_persons(tournament: Tournament, *, player: PlayerId, other: PlayerId) -> Tournament:
    """Record that two players with equal or similar names are different persons."""
    rows = [get_row_or_refuse(tournament.players, one, "no-such-player") for one in (player, other)]
    if rows[0] is rows[1]:
        raise RuleViolation("merge-same-player", player=rows[0].name)
    return tournament.put(PersonLink(PersonLinkId(f"{player}.{other}"), player, other))


def find_copies_of_same_event(copied: Sequence[CopiedEvent], copy: EventCopy) -> list[CopiedEvent]:
    """Return the copied events with the name, date and division of `copy`."""
    same = (one for one in copied if one.date == copy.date and _is_same_division(one, copy))
    return [one for one in same if normalise_name(one.name) == normalise_name(copy.name)]


def find_refreshable_events(
    copied: Sequence[CopiedEvent], copy: EventCopy, events: Sequence[EventCopy]
) -> list[CopiedEvent]:
    """Return the copied events that `copy`, one of `events`, can refresh.

    These are the events of `find_copies_of_same_event`. If it finds none, they are the copied events of the same
    division from a file with the same name, but only if the file has no other event of this division.
    """
    found = find_copies_of_same_event(copied, copy)
    if found or not _is_only_event_of_source(copy, events):
        return found
    return [one for one in copied if one.source == copy.source and _is_same_division(one, copy)]


def _is_only_event_of_source(copy: EventCopy, events: Sequence[EventCopy]) -> bool:
    return sum((one.source, one.division) == (copy.source, copy.division) for one in events) == 1


def _is_same_division(event: CopiedEvent, copy: EventCopy) -> bool:
    return event.division.casefold() == copy.division.casefold()


def _make_copied_event(key: CopiedEventId, season: Season, copy: EventCopy) -> CopiedEvent:
    check_iso_date(copy.date, "date")
    name = check_required_text(copy.name, "name")
    return CopiedEvent(key, season.id, name, copy.date, copy.source, copy.head, copy.division, copy.games)


def _store_copied_results(
    tournament: Tournament,
    prefix: str,
    season: Season,
    event: CopiedEvent,
    copy: EventCopy,
    old_players: dict[int, PlayerId] | None = None,
) -> Tournament:
    index = Index(tournament)
    division = index.divisions[0].id if season.division is None else season.division
    number = find_next_player_number(index, division)
    persons = KnownPersons(list_season_players(index, season), tournament.person_links.values())
    players, taken = dict[int, Player](), set[PlayerId]()
    # Those with a federation number first: another entry must not take their player by name.
    for entry in sorted(copy.entries, key=lambda one: not one.member):
        player = persons.find_player(entry, taken)
        old = tournament.players.get((old_players or {}).get(entry.number, PlayerId("")))
        if player is None and old is not None and old.id not in taken and is_similar_name(old.name, entry.name):
            player = old
        if player is None:
            fields: dict[str, Any] = {name: getattr(entry, name) for name in _ENTERED}
            player = make_player(tournament, f"{_COPIED}{prefix}{entry.number}", division, number, fields)
            number += 1
        player = _fill_empty_player_fields(player, entry)
        persons.add_player(player)
        players[entry.number] = player
        taken.add(player.id)
    results = [
        CopiedResult(
            CopiedResultId(f"{event.id}.{one.number}"),
            event.id,
            players[one.number].id,
            one.number,
            one.rank,
            one.games,
            one.points,
            one.spread,
            one.match_points,
            one.unscored,
        )
        for one in copy.entries
    ]
    changed = [player for player in players.values() if tournament.players.get(player.id) != player]
    fresh = [player.name for player in changed if player.id not in tournament.players]
    if fresh and any(not tournament.stages[item.stage].evening for item in index.rounds(division)):
        raise RuleViolation("event-in-tournament", event=event.name, players=fresh[:_MOST_NAMES])
    return tournament.put(event, *changed, *results)


def _fill_empty_player_fields(player: Player, entry: CopiedPlayer) -> Player:
    names = ("member", *_FILLED) if player.id.startswith(_COPIED) else ("member",)
    filled: dict[str, Any] = {name: getattr(player, name) or getattr(entry, name) for name in names}
    return replace(player, **filled)


def remove_unused_event_players(tournament: Tournament) -> Tournament:
    """Remove the players whom a copied event added and who have no other results or data."""
    return tournament.drop_with_children(*_find_unused_event_players(tournament))


def _find_unused_event_players(tournament: Tournament) -> Iterator[Player]:
    came = [player for player in tournament.players.values() if player.id.startswith(_COPIED)]
    if not came:
        return
    index = Index(tournament)
    used = {row.player for kind in (tournament.copied_results, tournament.earlier) for row in kind.values()}
    for player in came:
        if player.id in used or index.has_played(player.id):
            continue
        if not (player.checked_in or player.paid or player.notes):
            yield player
