"""Commands on players and their presence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, Unpack

from msgspec.structs import replace

from tdapp.domain.attendance import find_players_back_from_absence
from tdapp.domain.commands.rule import (
    LAST_ROUND,
    LONGEST_NOTE,
    LONGEST_TEXT,
    check_number_in_range,
    command,
    get_row_or_refuse,
    strip_and_check_required_text,
    strip_and_check_text,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Absence, AbsenceId, ByeKind, DivisionId, Photo, Player, PlayerId
from tdapp.domain.photos import MAX_PHOTO_SIZE, decode_jpeg_or_empty
from tdapp.domain.player_fields import PLAYER_FIELDS
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_, Plural


class PlayerFields(TypedDict, total=False):
    """Optional fields of a player. None empties a field."""

    rating: int | None
    club: str
    country: str
    team: str
    category: str
    member: str
    notes: str
    fixed_table: int | None
    needs_access: bool
    rated_games: int | None
    shown_as: str
    wespa: str
    naspa: str
    absp: str
    fide: str
    xtid: str
    provisional: bool


class PlayerChanges(PlayerFields, total=False):
    """Editable fields of a player."""

    number: int
    name: str


@command(N_("{name} added"))
def add_player(
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    name: str,
    number: int | None = None,
    **fields: Unpack[PlayerFields],
) -> Tournament:
    """Add a player. `number` None is the next free number."""
    get_row_or_refuse(tournament.divisions, division, "no-such-division")
    players_by_number = {player.number: player for player in TournamentIndex(tournament).players(division)}
    number = (
        max(players_by_number, default=0) + 1
        if number is None
        else check_player_number_is_free(players_by_number, number)
    )
    return tournament.put(make_player(tournament, key, division, number, {"name": name, **fields}))


def make_player(
    tournament: Tournament, key: str, division: DivisionId, number: int, fields: Mapping[str, Any]
) -> Player:
    if key in tournament.players:
        raise CommandError("changed-meanwhile", kind="players", id=key)
    return _set_player_fields(Player(PlayerId(key), division, number, ""), fields)


@command(N_("Details of {player} changed"))
def edit_player(
    tournament: Tournament, *, player: PlayerId, seen: Player | None = None, **changes: Unpack[PlayerChanges]
) -> Tournament:
    """Change fields of a player. Raises CommandError if the row differs from `seen`."""
    row = get_row_or_refuse(tournament.players, player, "no-such-player")
    if seen is not None and seen != row:
        raise CommandError("changed-meanwhile", kind="players", id=player)
    if changes.get("number", row.number) != row.number:
        division_players = TournamentIndex(tournament).players(row.division)
        check_player_number_is_free({player.number: player for player in division_players}, changes["number"])
    return tournament.put(_set_player_fields(row, changes))


@command(N_("{player} removed"))
def remove_player(tournament: Tournament, *, player: PlayerId) -> Tournament:
    row = get_row_or_refuse(tournament.players, player, "no-such-player")
    if TournamentIndex(tournament).has_game_or_bye_or_seat(player):
        raise CommandError("player-has-games", player=row.name)
    if any(result.player == player for result in tournament.copied_results.values()):
        raise CommandError("player-in-copied-event", player=row.name)
    return tournament.drop_with_children(row)


@command(Plural("Checked in: {player}", "Not here: {player}", number_fact="present"))
def check_in(tournament: Tournament, *, players: tuple[PlayerId, ...], present: bool = True) -> Tournament:
    """Check players in. With `present` False, mark the players as not here.

    If an absence covers only the coming round, check-in removes it. At a club evening, check-in also removes
    longer absences.
    """
    index = TournamentIndex(tournament)
    rows = [get_row_or_refuse(tournament.players, player, "no-such-player") for player in players]
    if present:
        ended_absences = [_find_absence_ended_by_check_in(index, row) for row in rows]
        tournament = tournament.drop(*(absence for absence in ended_absences if absence is not None))
    else:
        # A player who missed a round and came back counts as present without check-in. Only an absence for the
        # coming round can mark this player as not here.
        late_players = {
            player
            for division in {row.division for row in rows}
            for player in find_players_back_from_absence(index, division)
        }
        new_absences = [_make_next_round_absence(index, row) for row in rows if row.id in late_players]
        tournament = tournament.put(*(absence for absence in new_absences if absence is not None))
    return tournament.put(*(replace(row, checked_in=present) for row in rows))


def _make_next_round_absence(index: TournamentIndex, player: Player) -> Absence | None:
    number = index.get_last_published_round_number(player.division) + 1
    stage = index.find_stage(player.division, number)
    if stage is None or stage.evening or index.find_absence(player.id, number) is not None:
        return None
    return Absence(AbsenceId(f"{player.id}.{number}"), player.id, number, number, ByeKind.ABSENT)


def _find_absence_ended_by_check_in(index: TournamentIndex, player: Player) -> Absence | None:
    number = index.get_last_published_round_number(player.division) + 1
    absence, stage = index.find_stored_absence(player.id, number), index.find_stage(player.division, number)
    if absence is None or (stage is not None and stage.evening):
        return absence
    is_one_round = absence.first_round == absence.last_round == number
    return absence if is_one_round and absence.kind is ByeKind.ABSENT else None


@command(
    Plural(
        "Absent in round {round_number}: {player}",
        "Absent in rounds {round_number}–{last_round}: {player}",
        number_fact="last_round",
    )
)
def miss_round(
    tournament: Tournament,
    *,
    key: str,
    players: tuple[PlayerId, ...],
    round_number: int,
    last_round: int | None = None,
    kind: ByeKind = ByeKind.ABSENT,
) -> Tournament:
    """Make players absent in the unpublished rounds `round_number` to `last_round` (None: one round)."""
    for number, player in enumerate(players, 1):
        tournament = set_absence(
            tournament,
            key=f"{key}.{number}",
            player=player,
            first_round=round_number,
            last_round=last_round,
            kind=kind,
        )
    return tournament


@command(N_("{player} withdrawn"))
def withdraw_player(
    tournament: Tournament,
    *,
    key: str,
    player: PlayerId,
    from_round: int | None = None,
    kind: ByeKind | None = None,
) -> Tournament:
    """Withdraw a player from `from_round` on (None: the coming round).

    The bye `kind` determines the points for missed rounds.
    """
    row = get_row_or_refuse(tournament.players, player, "no-such-player")
    index = TournamentIndex(tournament)
    if index.has_withdrawn(player):
        raise CommandError("already-withdrawn", player=row.name)
    first_round = _get_unplayed_round_or_refuse(index, row, from_round)
    return tournament.put(Absence(AbsenceId(key), player, first_round, None, kind))


@command(N_("{player} has returned to play"))
def return_player(tournament: Tournament, *, player: PlayerId, from_round: int | None = None) -> Tournament:
    row = get_row_or_refuse(tournament.players, player, "no-such-player")
    index = TournamentIndex(tournament)
    open_absences = [absence for absence in index.absences(player) if absence.last_round is None]
    if not open_absences:
        raise CommandError("not-withdrawn", player=row.name)
    return_round = _get_unplayed_round_or_refuse(index, row, from_round)
    ended_absences = [
        replace(absence, last_round=return_round - 1)
        for absence in open_absences
        if absence.first_round < return_round
    ]
    return tournament.drop(*open_absences).put(*ended_absences)


@command(
    Plural(
        "{player} absent in round {first_round}",
        "{player} absent in rounds {first_round}–{last_round}",
        number_fact="last_round",
    )
)
def set_absence(
    tournament: Tournament,
    *,
    key: str,
    player: PlayerId,
    first_round: int,
    last_round: int | None = None,
    kind: ByeKind = ByeKind.ABSENT,
) -> Tournament:
    """Make a player absent from unpublished rounds. `last_round` None means one round."""
    row = get_row_or_refuse(tournament.players, player, "no-such-player")
    last = first_round if last_round is None else last_round
    index = TournamentIndex(tournament)
    _get_unplayed_round_or_refuse(index, row, first_round)
    if last < first_round:
        raise CommandError("rounds-reversed", first=first_round, last=last)
    check_number_in_range(last, "round", low=1, high=LAST_ROUND)
    stage = index.find_stage(row.division, last)
    if stage is not None and stage.evening:
        raise CommandError("evening-absence", player=row.name)
    if last > (planned := index.count_planned_rounds(row.division)):
        raise CommandError("round-not-planned", round=last, planned=planned)
    for number in range(first_round, last + 1):
        if index.find_absence(player, number):
            raise CommandError("already-absent", player=row.name, round=number)
    return tournament.put(Absence(AbsenceId(key), player, first_round, last, kind))


@command(N_("{player} no longer absent in round {round_number}"))
def clear_absence(tournament: Tournament, *, player: PlayerId, round_number: int) -> Tournament:
    row = get_row_or_refuse(tournament.players, player, "no-such-player")
    index = TournamentIndex(tournament)
    absence = index.find_stored_absence(player, _get_unplayed_round_or_refuse(index, row, round_number))
    if absence is None:
        raise CommandError("not-absent", player=row.name, round=round_number)
    remaining_absences = []
    if absence.first_round < round_number:
        remaining_absences.append(replace(absence, last_round=round_number - 1))
    if absence.last_round is None or absence.last_round > round_number:
        new_id = AbsenceId(f"{absence.id}+{round_number}")
        remaining_absences.append(replace(absence, id=new_id, first_round=round_number + 1))
    return tournament.drop(absence).put(*remaining_absences)


def _set_player_fields(player: Player, fields: Mapping[str, object]) -> Player:
    new_values: dict[str, Any] = dict(fields)
    if "name" in new_values:
        new_values["name"] = strip_and_check_required_text(new_values["name"], "name")
    for name in new_values.keys() & PLAYER_FIELDS.keys():
        field, value = PLAYER_FIELDS[name], new_values[name]
        if isinstance(value, str):
            new_values[name] = strip_and_check_text(
                value, name, longest=LONGEST_NOTE if field.is_note else LONGEST_TEXT
            )
        elif value is not None and field.is_number:
            check_number_in_range(value, name, low=field.minimum, high=field.maximum)
    return replace(player, **new_values)


def find_number_after_last_player(index: TournamentIndex, division: DivisionId) -> int:
    return 1 + max((player.number for player in index.players(division)), default=0)


def check_player_number_is_free(players_by_number: Mapping[int, Player], number: int) -> int:
    check_number_in_range(number, "number", low=1, high=100_000)
    if number in players_by_number:
        raise CommandError("number-taken", number=number, player=players_by_number[number].name)
    return number


def _get_unplayed_round_or_refuse(index: TournamentIndex, player: Player, round_number: int | None) -> int:
    """Return `round_number`, or the coming round for None.

    Refuse a round if the player has a game or bye in it or in a later published round.
    """
    published_rounds = index.list_published_rounds(player.division)
    next_round = len(published_rounds) + 1
    if round_number is None:
        return next_round
    check_number_in_range(round_number, "round", low=1, high=LAST_ROUND)
    for item in published_rounds:
        if item.number >= round_number and player.id in index.find_players_with_game_bye_or_seat(item.id):
            raise CommandError("round-published", round=item.number, player=player.name)
    return round_number


@command(
    Plural("Photo of {player} added", "{count} photos added: {player}", number_fact="count"),
    allowed_when_finished=True,
)
def set_photos(tournament: Tournament, *, photos: tuple[tuple[PlayerId, str], ...]) -> Tournament:
    """Add or replace photos. Each item is a player and a JPEG file in base64."""
    return tournament.put(*(_make_photo(tournament, player, data) for player, data in photos))


def _make_photo(tournament: Tournament, player: PlayerId, data: str) -> Photo:
    row = get_row_or_refuse(tournament.players, player, "no-such-player")
    content = decode_jpeg_or_empty(data)
    if not content:
        raise CommandError("photo-unreadable", player=row.name)
    if len(content) > MAX_PHOTO_SIZE:
        raise CommandError("photo-too-large", player=row.name, size=len(content), largest=MAX_PHOTO_SIZE)
    return Photo(player, data)


@command(
    Plural("Photo of {player} removed", "{count} photos removed: {player}", number_fact="count"),
    allowed_when_finished=True,
)
def remove_photos(tournament: Tournament, *, players: tuple[PlayerId, ...]) -> Tournament:
    return tournament.drop(*(tournament.photos[player] for player in players if player in tournament.photos))
