"""The public view of a tournament, for second screens, web pages and phones.

It contains only published rounds and the names to be shown. It omits private data, and withheld results:
those of rounds after `Division.held_after`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from tdapp.domain.entries import normalise_name
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Photo, Player, PlayerId, PublicNameFormat, RoundState, Seat
from tdapp.domain.player_fields import EMPTY_VALUES, PLAYER_FIELDS, Audience
from tdapp.domain.seat_scores import remove_result_from_seat
from tdapp.domain.stages import find_evening_players, find_running_evening
from tdapp.domain.tournament import Row, Tournament

PRIVATE_KINDS = (
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
    names, present_ids = _make_public_names(tournament), _find_checked_in_evening_players(tournament)
    players = [
        _make_public_player(
            row, names[row.id], shows_details=tournament.event.details_shown, is_present=row.id in present_ids
        )
        for row in tournament.players.values()
    ]
    sanctions = [replace(row, why="", author="") for row in tournament.sanctions.values()]
    results = [replace(row, disputed=None) for row in tournament.results.values() if row.disputed is not None]
    private_rows = [row for kind in PRIVATE_KINDS for row in tournament.rows(kind).values()]
    records = tuple(replace(record, name="") for record in tournament.event.records)
    full = PublicNameFormat.FULL  # the players already have their public names
    event = replace(tournament.event, slip_key="", names_shown=full, records=records)
    row_groups = (tournament.games, tournament.byes)
    pairings = [
        replace(row, reason=None) for kind in row_groups for row in kind.values() if row.reason is not None
    ]
    seats = [replace(row, reason=None, sent=(), device="") for row in tournament.seats.values()]
    base = make_names_distinct(replace(tournament, secret="").put(*players))
    drafts = [row for row in tournament.rounds.values() if row.state is RoundState.DRAFT]
    copied = (replace(row, source="", head="") for row in tournament.copied_events.values())
    changed_rows = (*sanctions, *results, *pairings, *seats, *copied)
    public = base.drop(*private_rows).put(event, *changed_rows).drop_with_children(*drafts)
    public = public.drop(*_find_hidden_photos(tournament))
    return public.drop(*_find_withheld_results_and_sanctions(public)).put(
        *_make_seats_without_withheld_results(public)
    )


def _find_hidden_photos(tournament: Tournament) -> Iterator[Photo]:
    event, players = tournament.event, tournament.players
    shows_photos = event.details_shown and event.names_shown is PublicNameFormat.FULL
    return (row for key, row in tournament.photos.items() if not shows_photos or players[key].shown_as)


def add_public_sheets_and_record_holders(public: Tournament, tournament: Tournament) -> Tournament:
    """Add to the `public` tournament the score sheets of its games and the names of record holders.

    Holders who play in this tournament appear by their public name, or as "" if several players have the name.
    """
    public_names: dict[str, list[str]] = defaultdict(list)
    for row in tournament.players.values():
        public_names[normalise_name(row.name)].append(public.players[row.id].name)
    holders = [
        (record, public_names.get(normalise_name(record.name), [record.name]))
        for record in tournament.event.records
    ]
    records = tuple(replace(record, name=names[0] if len(names) == 1 else "") for record, names in holders)
    sheets = (sheet for sheet in tournament.sheets.values() if sheet.game in public.results)
    return public.put(replace(public.event, records=records), *sheets)


def make_names_distinct(tournament: Tournament) -> Tournament:
    groups: dict[tuple[str, str], list[Player]] = defaultdict(list)
    for row in tournament.players.values():
        groups[row.division, normalise_name(row.name)].append(row)
    namesake_groups = [row for row in groups.values() if len(row) > 1]
    return (
        tournament.put(*(row for rows in namesake_groups for row in _distinguish_namesakes(rows)))
        if namesake_groups
        else tournament
    )


def map_players_with_distinct_names(index: TournamentIndex) -> Mapping[PlayerId, Player]:
    tournament = index.tournament
    return index.get_cached_value_or_compute(
        "players told apart", (tournament.players,), lambda: make_names_distinct(tournament).players
    )


def _distinguish_namesakes(rows: Sequence[Player]) -> Iterator[Player]:
    clubs = {row.club for row in rows}
    by_club = "" not in clubs and len(clubs) == len(rows)
    for row in rows:
        yield replace(row, name=f"{row.name} ({row.club if by_club else row.number})")


def _make_public_names(tournament: Tournament) -> Mapping[PlayerId, str]:
    names: dict[PlayerId, str] = {}
    has_divisions = len(tournament.divisions) > 1
    make_name = _NAME_MAKERS[tournament.event.names_shown]
    for row in tournament.players.values():
        code = tournament.divisions[row.division].code if has_divisions else ""
        names[row.id] = row.shown_as or make_name(row.name, f"#{code}{row.number}")
    return MappingProxyType(names)


def _abbreviate_name(name: str, _number: str) -> str:
    last, comma, first = (part.strip() for part in name.partition(","))
    if not comma:
        *firsts, last = name.split() or [name]
        first = " ".join(firsts)
    return f"{first} {last[:1]}." if first and last else name


_NAME_MAKERS: Mapping[PublicNameFormat, Callable[[str, str], str]] = {
    PublicNameFormat.FULL: lambda name, _number: name,
    PublicNameFormat.INITIAL: _abbreviate_name,
    PublicNameFormat.NUMBER: lambda _name, number: number,
}


_HIDDEN_FIELDS: Mapping[bool, dict[str, Any]] = {  # by whether details are shown
    details: {
        field.name: EMPTY_VALUES[field.name]
        for field in PLAYER_FIELDS.values()
        if field.audience is Audience.DESK or (field.audience is Audience.DETAILS and not details)
    }
    for details in (True, False)
}


def _make_public_player(row: Player, name: str, *, shows_details: bool, is_present: bool) -> Player:
    return replace(row, name=name, **{**_HIDDEN_FIELDS[shows_details], "checked_in": is_present})


def _find_checked_in_evening_players(tournament: Tournament) -> frozenset[PlayerId]:
    index = TournamentIndex(tournament)
    stages = (find_running_evening(index, division) for division in tournament.divisions)
    player_groups = (find_evening_players(index, stage) for stage in stages if stage is not None)
    return frozenset(
        player for players in player_groups for player in players if tournament.players[player].checked_in
    )


def _make_seats_without_withheld_results(tournament: Tournament) -> Iterator[Seat]:
    index = TournamentIndex(tournament)
    for division in tournament.divisions.values():
        for item in () if division.held_after is None else index.list_published_rounds(division.id):
            if item.number > (division.held_after or 0):
                yield from map(remove_result_from_seat, index.seats(item.id))


def _find_withheld_results_and_sanctions(tournament: Tournament) -> Iterator[Row]:
    index = TournamentIndex(tournament)
    for division in tournament.divisions.values():
        last = division.held_after
        if last is None:
            continue
        for item in (item for item in index.list_published_rounds(division.id) if item.number > last):
            results = (index.get_result(game.id) for game in index.games(item.id))
            yield from (result for result in results if result is not None)
        for player in index.players(division.id):
            yield from (row for row in index.sanctions(player.id) if row.round is not None and row.round > last)
