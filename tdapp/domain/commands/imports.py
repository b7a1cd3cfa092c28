"""Commands that import a file. If one part is invalid, nothing is imported."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

from msgspec.structs import asdict, replace

from tdapp.domain.commands.event import (
    add_division,
    change_rules,
    edit_division,
    edit_event,
    set_order,
    set_spread_caps,
)
from tdapp.domain.commands.players import check_player_number_is_free, edit_player, make_player
from tdapp.domain.commands.prizes import choose_rating
from tdapp.domain.commands.rounds import refuse_duplicate_players_or_tables
from tdapp.domain.commands.rule import LEAST_POINTS, MOST_POINTS, check_number_in_range, command, get_row_or_refuse
from tdapp.domain.commands.stages import add_stage
from tdapp.domain.commands.transfers import move_players
from tdapp.domain.entries import (
    ByeEntry,
    DivisionEntry,
    EventEntry,
    PlayerEntry,
    RoundEntry,
    is_other_person_with_same_name,
    map_nonempty_player_fields,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    Bye,
    ByeId,
    DivisionId,
    Game,
    GameId,
    Player,
    PlayerId,
    Result,
    ResultState,
    Round,
    RoundId,
    RoundState,
    StageId,
)
from tdapp.domain.outcome import USUAL_BYES
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.seating import find_table_numbers_of_division
from tdapp.domain.systems import SWISS
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_, Plural


@command(Plural("One player imported", "{count} players imported", "count"))
def import_players(
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    entries: tuple[PlayerEntry, ...],
    known: tuple[Player | None, ...] = (),
    names: bool = False,
    namesakes: bool = False,
) -> Tournament:
    """Add the players of a list. Raises CommandError with the line of a duplicate name or number.

    If an entry names a division, add its player there; create a missing division. `namesakes` permits duplicate
    names.

    `known` has an item for each entry: None, or the existing player to update. Raises CommandError if the stored
    player differs from this item. An update copies the non-empty fields of the entry, except the number. With
    `names`, an update also copies the name.
    """
    get_row_or_refuse(tournament.divisions, division, "no-such-division")
    rosters: dict[DivisionId, _DivisionRoster] = {}
    new_players: list[Player] = []  # added at once, because each put copies all players
    for number, (entry, player) in enumerate(zip(entries, known or (None,) * len(entries), strict=True), 1):
        target = division
        if entry.division:
            tournament, target = _find_or_add_division(tournament, f"{key}.d{number}", entry.division)
        if target not in rosters:
            rosters[target] = _DivisionRoster(TournamentIndex(tournament.put(*new_players)).players(target))
        if not namesakes and (player is None or names) and rosters[target].has_possible_duplicate(entry, player):
            code = tournament.divisions[target].code
            raise CommandError("player-exists", player=entry.name, division=code, line=entry.line)
        try:
            if player is None:
                new_players.append(
                    _add_player_to_roster(tournament, f"{key}.{number}", target, entry, rosters[target])
                )
            else:
                after = _update_and_move_player(
                    tournament.put(*new_players), f"{key}.{number}", target, entry, player, with_names=names
                )
                tournament, new_players = after, []
                if after.players[player.id].division != player.division:
                    rosters.clear()
        except CommandError as error:
            error.facts.setdefault("line", entry.line)
            raise
        if target in rosters:
            rosters[target].members.setdefault(entry.name.casefold(), set()).add(entry.member)
    return tournament.put(*new_players)


class _DivisionRoster:
    def __init__(self, players: Iterable[Player]) -> None:
        self.members: dict[str, set[str]] = {}  # member numbers by folded name
        self.numbers: dict[int, Player] = {}
        for player in players:
            self.members.setdefault(player.name.casefold(), set()).add(player.member)
            self.numbers[player.number] = player
        self.last = max(self.numbers, default=0)

    def has_possible_duplicate(self, entry: PlayerEntry, player: Player | None) -> bool:
        name, own_name = entry.name.casefold(), "" if player is None else player.name.casefold()
        return (
            name in self.members
            and name != own_name
            and not is_other_person_with_same_name(entry, self.members[name])
        )


def _add_player_to_roster(
    tournament: Tournament, key: str, division: DivisionId, entry: PlayerEntry, roster: _DivisionRoster
) -> Player:
    fields = {name: value for name, value in asdict(entry).items() if name not in {"line", "division", "number"}}
    number = roster.last + 1 if entry.number is None else check_player_number_is_free(roster.numbers, entry.number)
    player = make_player(tournament, key, division, number, fields)
    roster.numbers[number] = player
    roster.last = max(roster.last, number)
    return player


def _update_and_move_player(
    tournament: Tournament, key: str, division: DivisionId, entry: PlayerEntry, player: Player, *, with_names: bool
) -> Tournament:
    changes = map_nonempty_player_fields(entry, with_name=with_names)
    tournament = edit_player(tournament, player=player.id, seen=player, **changes)
    if not entry.division or player.division == division:
        return tournament
    return move_players(tournament, key=key, players=(player.id,), division=division)


@command(N_("Division {division} imported"))
def import_division(
    tournament: Tournament, *, key: str, division: DivisionId, entry: DivisionEntry, file_order: bool = False
) -> Tournament:
    """Import players, published rounds, results, tie-breaks and spread caps into an empty division.

    Equal names are permitted. If the file has no tie-breaks, the division keeps its own. With `file_order` the
    division gets the usual tie-breaks of the program that wrote the file.
    """
    row = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    index = TournamentIndex(tournament)
    if index.players(division) or index.rounds(division):
        raise CommandError("division-not-empty", division=row.code)
    tournament = import_players(tournament, key=key, division=division, entries=entry.players, namesakes=True)
    tournament = _extend_schedule(tournament, key=key, division=division, rounds=len(entry.rounds))
    players = {player.number: player.id for player in TournamentIndex(tournament).players(division)}
    for item in entry.rounds:
        tournament = _import_round(
            tournament, players, item, key=key, division=division, usual_byes=entry.usual_byes
        )
    absences = [
        Absence(
            AbsenceId(f"{key}.a{n}"),
            players[absence.player],
            absence.first_round,
            absence.last_round,
            absence.kind,
        )
        for n, absence in enumerate(entry.absences, 1)
    ]
    order = entry.order or (entry.usual if file_order else row.order)
    tournament = set_order(tournament.put(*absences), division=division, order=order)
    return set_spread_caps(tournament, division=division, caps=entry.spread_caps)


def _extend_schedule(tournament: Tournament, *, key: str, division: DivisionId, rounds: int) -> Tournament:
    index = TournamentIndex(tournament)
    stages = index.stages(division)
    missing_rounds = rounds - index.count_planned_rounds(division)
    if missing_rounds <= 0:
        return tournament
    if not stages:
        return add_stage(tournament, key=f"{key}.s", division=division, system=SWISS.id, rounds=rounds)
    return tournament.put(replace(stages[-1], rounds=stages[-1].rounds + missing_rounds))


def _import_round(
    tournament: Tournament,
    players: dict[int, PlayerId],
    entry: RoundEntry,
    *,
    key: str,
    division: DivisionId,
    usual_byes: bool,
) -> Tournament:
    stage = TournamentIndex(tournament).find_stage(division, entry.number)
    round_key = f"{key}.{entry.number}"
    item = Round(RoundId(round_key), stage.id if stage else StageId(""), entry.number, RoundState.PUBLISHED)
    games, results = _make_games_and_results(tournament, players, entry, round_id=item.id, division=division)
    rules = tournament.get_ruleset_of_row(tournament.divisions[division])
    byes = [
        _make_bye(rules if usual_byes else None, ByeId(f"{round_key}.b{n}"), item.id, players[bye.player], bye)
        for n, bye in enumerate(entry.byes, 1)
    ]
    after = tournament.put(item, *games, *results, *byes)
    refuse_duplicate_players_or_tables(TournamentIndex(after), item.id)
    return after


def _make_bye(rules: RuleSet | None, key: ByeId, round_id: RoundId, player: PlayerId, entry: ByeEntry) -> Bye:
    new_bye = Bye(key, round_id, player, entry.kind, entry.spread)
    usual_value = USUAL_BYES.get_bye_value(entry.kind)
    if rules is None or rules.byes.get_bye_value(entry.kind).counts_as is usual_value.counts_as:
        return new_bye
    # The file assumes the usual outcome of this bye kind, but the rule set changes it.
    spread = usual_value.spread if entry.spread is None else entry.spread
    return replace(new_bye, worth=usual_value.counts_as, spread=spread)


def _make_games_and_results(
    tournament: Tournament,
    players: dict[int, PlayerId],
    entry: RoundEntry,
    *,
    round_id: RoundId,
    division: DivisionId,
) -> tuple[list[Game], list[Result]]:
    used_tables = {game.table for game in entry.games if game.table is not None}
    free_tables = (
        table for table in count(tournament.divisions[division].first_table) if table not in used_tables
    )
    games: list[Game] = []
    results: list[Result] = []
    for n, game_entry in enumerate(entry.games, 1):
        game_id = GameId(f"{round_id}.g{n}")
        table_number = next(free_tables) if game_entry.table is None else game_entry.table
        first, second = players[game_entry.first], players[game_entry.second]
        games.append(Game(game_id, round_id, table_number, first, second, game_entry.start))
        if game_entry.forfeit is not None:
            results.append(Result(game_id, ResultState.ENTERED, forfeit=game_entry.forfeit))
        elif game_entry.scores is not None:
            for points in game_entry.scores:
                check_number_in_range(points, "points", low=LEAST_POINTS, high=MOST_POINTS)
            results.append(Result(game_id, ResultState.ENTERED, *game_entry.scores))
    return games, results


@command(N_("Divisions imported: {divisions}"))
def import_event(tournament: Tournament, *, key: str, event: EventEntry, file_order: bool = False) -> Tournament:
    """Import an event. Its divisions go into the divisions with equal codes, or into new ones.

    A division keeps its table numbers, unless another division uses one of them. If the file has no tie-breaks,
    `file_order` selects the usual tie-breaks of the program that wrote the file.
    """
    if not tournament.players:
        event_data: dict[str, Any] = {"name": event.name, "date": event.date, "place": event.place}
        tournament = edit_event(tournament, **{field: value for field, value in event_data.items() if value})
    if event.bye_spread is not None:
        rules = tournament.ruleset
        bye = replace(
            rules.byes.bye, spread=check_number_in_range(event.bye_spread, "spread", low=-1000, high=1000)
        )
        tournament = change_rules(tournament, ruleset=replace(rules, byes=replace(rules.byes, bye=bye)))
    for number, entry in enumerate(event.divisions, 1):
        division_key = f"{key}.d{number}"
        tournament, division = _find_or_add_division(
            tournament, division_key, entry.code, default_rounds=max(len(entry.rounds), 1)
        )
        division_entry = _move_games_to_free_tables(tournament, division, entry)
        tournament = import_division(
            tournament, key=division_key, division=division, entry=division_entry, file_order=file_order
        )
        tournament = _set_first_table_from_imported_games(tournament, division, division_entry)
        tournament = _extend_schedule(tournament, key=division_key, division=division, rounds=event.rounds)
        if entry.name:
            tournament = edit_division(tournament, division=division, name=entry.name)
        if entry.rating:
            tournament = choose_rating(tournament, division=division, rating=entry.rating)
    return tournament


def _find_or_add_division(
    tournament: Tournament, key: str, code: str, *, default_rounds: int = 1
) -> tuple[Tournament, DivisionId]:
    for division in tournament.divisions.values():
        if division.code.casefold() == code.casefold():
            return tournament, division.id
    return add_division_with_stage(tournament, key=key, code=code, default_rounds=default_rounds), DivisionId(key)


def add_division_with_stage(tournament: Tournament, *, key: str, code: str, default_rounds: int = 1) -> Tournament:
    """Add a division with one stage.

    The stage copies system and rounds from the first stage of the first division. If there is no such stage, use
    `default_rounds` Swiss rounds.
    """
    index = TournamentIndex(tournament)
    stages = index.stages(index.divisions[0].id) if index.divisions else ()
    system, round_count = (stages[0].system, stages[0].rounds) if stages else (SWISS.id, default_rounds)
    tournament = add_division(tournament, key=key, code=code)
    return add_stage(tournament, key=f"{key}.s", division=DivisionId(key), system=system, rounds=round_count)


def _move_games_to_free_tables(
    tournament: Tournament, division: DivisionId, entry: DivisionEntry
) -> DivisionEntry:
    index = TournamentIndex(tournament)
    entry_tables = {game.table for item in entry.rounds for game in item.games if game.table is not None}
    used_tables = {
        table
        for other_division in index.divisions
        if other_division.id != division
        for table in find_table_numbers_of_division(index, other_division)
    }
    if not entry_tables & used_tables:
        return entry
    last_table = max(*used_tables, tournament.divisions[division].first_table - 1)
    rounds = (
        replace(
            item, games=tuple(replace(game, table=game.table and game.table + last_table) for game in item.games)
        )
        for item in entry.rounds
    )
    return replace(entry, rounds=tuple(rounds))


def _set_first_table_from_imported_games(
    tournament: Tournament, division: DivisionId, entry: DivisionEntry
) -> Tournament:
    first = min((game.table for item in entry.rounds for game in item.games if game.table), default=None)
    return edit_division(tournament, division=division, first_table=first) if first else tournament


@command(N_("Tournament imported"))
def import_tournament(tournament: Tournament, *, imported: Tournament) -> Tournament:
    """Replace a tournament without players by the imported one."""
    if tournament.players or tournament.rounds:
        raise CommandError("tournament-not-empty")
    return replace(imported, secret=tournament.secret)
