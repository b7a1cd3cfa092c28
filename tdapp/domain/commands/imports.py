"""Commands that put what a file brings into the tournament, whole or not at all."""

from __future__ import annotations

from dataclasses import asdict, replace

from tdapp.domain.commands.event import set_order, set_spread_caps
from tdapp.domain.commands.players import add_player
from tdapp.domain.commands.rounds import check_seating
from tdapp.domain.commands.rule import MOST_POINTS, command, found, within
from tdapp.domain.commands.stages import add_stage
from tdapp.domain.entries import DivisionEntry, PlayerEntry, RoundEntry
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    Bye,
    ByeId,
    DivisionId,
    Game,
    GameId,
    PlayerId,
    Result,
    ResultState,
    Round,
    RoundId,
    RoundState,
    StageId,
)
from tdapp.domain.tournament import Tournament


@command
def import_players(
    tournament: Tournament, *, key: str, division: DivisionId, entries: tuple[PlayerEntry, ...]
) -> Tournament:
    """Add players to a division; raise RuleViolation for a name or number that is there already, with its line."""
    row = found(tournament.divisions, division, "no-such-division")
    names = {player.name.casefold() for player in Index(tournament).players(division)}
    for place, entry in enumerate(entries, 1):
        if entry.name.casefold() in names:
            raise RuleViolation("player-exists", player=entry.name, division=row.code, line=entry.line)
        names.add(entry.name.casefold())
        fields = {name: value for name, value in asdict(entry).items() if name != "line"}
        try:
            tournament = add_player(tournament, key=f"{key}.{place}", division=division, **fields)
        except RuleViolation as error:
            error.facts.setdefault("line", entry.line)
            raise
    return tournament


@command
def import_division(tournament: Tournament, *, key: str, division: DivisionId, entry: DivisionEntry) -> Tournament:
    """Fill an empty division with players, published rounds and results, its order and its spread caps.

    Its last stage grows where the file has more rounds than were planned. Imported results count as entered.
    """
    row = found(tournament.divisions, division, "no-such-division")
    index = Index(tournament)
    if index.players(division) or index.rounds(division):
        raise RuleViolation("division-not-empty", division=row.code)
    tournament = import_players(tournament, key=key, division=division, entries=entry.players)
    tournament = _with_rounds_planned(tournament, key=key, division=division, rounds=len(entry.rounds))
    players = {player.number: player.id for player in Index(tournament).players(division)}
    for item in entry.rounds:
        tournament = _with_round(tournament, players, item, key=key, division=division)
    absences = [
        Absence(AbsenceId(f"{key}.a{n}"), players[one.player], one.first_round, one.last_round, one.kind)
        for n, one in enumerate(entry.absences, 1)
    ]
    tournament = set_order(tournament.put(*absences), division=division, order=entry.order)
    return set_spread_caps(tournament, division=division, caps=entry.spread_caps)


def _with_rounds_planned(tournament: Tournament, *, key: str, division: DivisionId, rounds: int) -> Tournament:
    index = Index(tournament)
    stages = index.stages(division)
    lacking = rounds - index.planned_rounds(division)
    if lacking <= 0:
        return tournament
    if not stages:
        return add_stage(tournament, key=f"{key}.s", division=division, system="swiss", rounds=rounds)
    return tournament.put(replace(stages[-1], rounds=stages[-1].rounds + lacking))


def _with_round(
    tournament: Tournament,
    players: dict[int, PlayerId],
    entry: RoundEntry,
    *,
    key: str,
    division: DivisionId,
) -> Tournament:
    stage = Index(tournament).stage_for(division, entry.number)
    base = f"{key}.{entry.number}"
    item = Round(RoundId(base), stage.id if stage else StageId(""), entry.number, RoundState.PUBLISHED)
    games, results = _games(tournament, players, entry, round_id=item.id, division=division)
    byes = [
        Bye(ByeId(f"{base}.b{n}"), item.id, players[bye.player], bye.kind, bye.spread)
        for n, bye in enumerate(entry.byes, 1)
    ]
    after = tournament.put(item, *games, *results, *byes)
    check_seating(Index(after), item.id)
    return after


def _games(
    tournament: Tournament,
    players: dict[int, PlayerId],
    entry: RoundEntry,
    *,
    round_id: RoundId,
    division: DivisionId,
) -> tuple[list[Game], list[Result]]:
    taken = {game.table for game in entry.games if game.table is not None}
    table = tournament.divisions[division].first_table
    games: list[Game] = []
    results: list[Result] = []
    for n, made in enumerate(entry.games, 1):
        game_id = GameId(f"{round_id}.g{n}")
        own = made.table
        if own is None:
            while table in taken:
                table += 1
            own = table
            taken.add(own)
        games.append(Game(game_id, round_id, own, players[made.first], players[made.second], made.start))
        if made.scores is not None:
            for points in made.scores:
                within(points, "points", low=-MOST_POINTS, high=MOST_POINTS)
            results.append(Result(game_id, ResultState.ENTERED, *made.scores))
    return games, results


@command
def import_tournament(tournament: Tournament, *, imported: Tournament) -> Tournament:
    """Become another tournament; raise RuleViolation unless this one has no players yet."""
    if tournament.players or tournament.rounds:
        raise RuleViolation("tournament-not-empty")
    return imported
