"""The public view of a tournament, for second screens, web pages and phones.

It contains only published rounds and the names to be shown. Private data and results after `Division.held_after`
are removed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from tdapp.domain.entries import normalise_name
from tdapp.domain.index import Index
from tdapp.domain.model import NamesShown, Photo, Player, PlayerId, RoundState, Seat
from tdapp.domain.player_fields import EMPTY, PLAYER_FIELDS, Audience
from tdapp.domain.seat_scores import clear_seat
from tdapp.domain.stages import find_evening_players, find_running_evening
from tdapp.domain.tournament import Row, Tournament

# Private kinds of rows.
KEPT_BACK = (
    "constraints",
    "sheets",
    "word_rulings",
    "incidents",
    "challenges",
    "papers",
    "printouts",
    "slips",
    "fees",
    "person_links",
)


def make_public_view(tournament: Tournament) -> Tournament:
    names, present = _make_public_names(tournament), _find_players_of_running_evenings(tournament)
    players = [
        _make_public_player(row, names[row.id], tournament.event.details_shown, present=row.id in present)
        for row in tournament.players.values()
    ]
    sanctions = [replace(row, why="", author="") for row in tournament.sanctions.values()]
    results = [replace(row, disputed=None) for row in tournament.results.values() if row.disputed is not None]
    rows = [row for kind in KEPT_BACK for row in tournament.rows(kind).values()]
    listed = tuple(replace(one, name="") for one in tournament.event.records)
    full = NamesShown.FULL  # their names are already public
    event = replace(tournament.event, slip_key="", names_shown=full, records=listed)
    paired = (tournament.games, tournament.byes)
    unexplained = [replace(row, reason=None) for kind in paired for row in kind.values() if row.reason is not None]
    seats = [replace(row, reason=None, sent=(), device="") for row in tournament.seats.values()]
    named = make_names_distinct(replace(tournament, secret="").put(*players))
    drafts = [row for row in tournament.rounds.values() if row.state is RoundState.DRAFT]
    copied = (replace(row, source="", head="") for row in tournament.copied_events.values())
    changed = (*sanctions, *results, *unexplained, *seats, *copied)
    shown = named.drop(*rows).put(event, *changed).drop_with_children(*drafts)
    shown = shown.drop(*_find_hidden_photos(tournament))
    return shown.drop(*_find_rows_withheld_from_public(shown)).put(*_clear_seats_withheld_from_public(shown))


def _find_hidden_photos(tournament: Tournament) -> Iterator[Photo]:
    event, players = tournament.event, tournament.players
    named = event.details_shown and event.names_shown is NamesShown.FULL
    return (row for key, row in tournament.photos.items() if not named or players[key].shown_as)


def add_news_data(public: Tournament, tournament: Tournament) -> Tournament:
    """Add to the `public` tournament the score sheets of its games and the names of record holders.

    If a record holder plays in this tournament, the record shows the player's public name. If several players
    have the name of the holder, it shows "".
    """
    named: dict[str, list[str]] = defaultdict(list)
    for row in tournament.players.values():
        named[normalise_name(row.name)].append(public.players[row.id].name)
    holders = [(one, named.get(normalise_name(one.name), [one.name])) for one in tournament.event.records]
    records = tuple(replace(one, name=names[0] if len(names) == 1 else "") for one, names in holders)
    sheets = (sheet for sheet in tournament.sheets.values() if sheet.game in public.results)
    return public.put(replace(public.event, records=records), *sheets)


def make_names_distinct(tournament: Tournament) -> Tournament:
    groups: dict[tuple[str, str], list[Player]] = defaultdict(list)
    for row in tournament.players.values():
        groups[row.division, normalise_name(row.name)].append(row)
    alike = [row for row in groups.values() if len(row) > 1]
    return (
        tournament.put(*(row for rows in alike for row in _distinguish_namesakes(rows))) if alike else tournament
    )


def map_distinctly_named_players(index: Index) -> Mapping[PlayerId, Player]:
    value = index.tournament
    return index.cache_by_inputs(
        "players told apart", (value.players,), lambda: make_names_distinct(value).players
    )


def _distinguish_namesakes(rows: Sequence[Player]) -> Iterator[Player]:
    clubs = {row.club for row in rows}
    by_club = "" not in clubs and len(clubs) == len(rows)
    for row in rows:
        yield replace(row, name=f"{row.name} ({row.club if by_club else row.number})")


def _make_public_names(tournament: Tournament) -> Mapping[PlayerId, str]:
    named: dict[PlayerId, str] = {}
    several = len(tournament.divisions) > 1
    plain = _NAMING[tournament.event.names_shown]
    for row in tournament.players.values():
        code = tournament.divisions[row.division].code if several else ""
        named[row.id] = row.shown_as or plain(row.name, f"#{code}{row.number}")
    return MappingProxyType(named)


def _abbreviate_name(name: str, _number: str) -> str:
    last, comma, first = (part.strip() for part in name.partition(","))
    if not comma:
        *firsts, last = name.split() or [name]
        first = " ".join(firsts)
    return f"{first} {last[:1]}." if first and last else name


_NAMING: Mapping[NamesShown, Callable[[str, str], str]] = {
    NamesShown.FULL: lambda name, _number: name,
    NamesShown.INITIAL: _abbreviate_name,
    NamesShown.NUMBER: lambda _name, number: number,
}


_HIDDEN: Mapping[bool, dict[str, Any]] = {  # by whether details are shown
    details: {
        one.name: EMPTY[one.name]
        for one in PLAYER_FIELDS.values()
        if one.audience is Audience.DESK or (one.audience is Audience.DETAILS and not details)
    }
    for details in (True, False)
}


def _make_public_player(row: Player, name: str, details: bool, *, present: bool) -> Player:
    return replace(row, name=name, **{**_HIDDEN[details], "checked_in": present})


def _find_players_of_running_evenings(tournament: Tournament) -> frozenset[PlayerId]:
    """Return the checked-in players who have a game on a running evening."""
    index = Index(tournament)
    found = (find_running_evening(index, division) for division in tournament.divisions)
    seated = (find_evening_players(index, stage) for stage in found if stage is not None)
    return frozenset(one for players in seated for one in players if tournament.players[one].checked_in)


def _clear_seats_withheld_from_public(tournament: Tournament) -> Iterator[Seat]:
    index = Index(tournament)
    for division in tournament.divisions.values():
        for item in () if division.held_after is None else index.published(division.id):
            if item.number > (division.held_after or 0):
                yield from map(clear_seat, index.seats(item.id))


def _find_rows_withheld_from_public(tournament: Tournament) -> Iterator[Row]:
    index = Index(tournament)
    for division in tournament.divisions.values():
        last = division.held_after
        if last is None:
            continue
        for item in (one for one in index.published(division.id) if one.number > last):
            found = (index.result(game.id) for game in index.games(item.id))
            yield from (result for result in found if result is not None)
        for player in index.players(division.id):
            yield from (row for row in index.sanctions(player.id) if row.round is not None and row.round > last)
