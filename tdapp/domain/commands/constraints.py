"""Commands on pairing constraints of two players."""

from __future__ import annotations

from collections.abc import Set

from msgspec.structs import replace

from tdapp.domain.commands.rule import command, get_row_or_refuse, strip_and_check_text
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Constraint, ConstraintId, ConstraintKind, PlayerId
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_


@command(N_("{player} and {other} are never paired"))
def forbid_pairing(
    tournament: Tournament, *, key: str, player: PlayerId, other: PlayerId, why: str = ""
) -> Tournament:
    """Forbid a pairing. Replaces a constraint by which the two players only avoid each other."""
    _refuse_invalid_player_pair(tournament, player, other)
    old_constraint = _find_constraint_without_round(tournament, {player, other})
    if old_constraint is not None and old_constraint.kind is ConstraintKind.NEVER:
        raise CommandError("already-forbidden", **_make_player_name_facts(tournament, player, other))
    last_published = TournamentIndex(tournament).get_last_published_round_number(
        tournament.players[player].division
    )
    for row in _find_constraints(tournament, {player, other}):
        if row.round is not None and row.round > last_published:
            raise CommandError(
                "ordered-to-meet", **_make_player_name_facts(tournament, player, other), round=row.round
            )
    constraint = _make_constraint(tournament, key, player, other, kind=ConstraintKind.NEVER, why=why)
    return tournament.drop(*([old_constraint] if old_constraint else [])).put(constraint)


@command(N_("{player} and {other} are kept apart if possible"))
def keep_apart(
    tournament: Tournament, *, key: str, player: PlayerId, other: PlayerId, why: str = ""
) -> Tournament:
    """Keep two players apart if possible.

    The players still meet if otherwise the round would have more repeat pairings or larger score differences.
    """
    _refuse_invalid_player_pair(tournament, player, other)
    old_constraint = _find_constraint_without_round(tournament, {player, other})
    if old_constraint is not None:
        code = "already-forbidden" if old_constraint.kind is ConstraintKind.NEVER else "already-apart"
        raise CommandError(code, **_make_player_name_facts(tournament, player, other))
    return tournament.put(_make_constraint(tournament, key, player, other, kind=ConstraintKind.APART, why=why))


@command(N_("{player} and {other} must meet in round {round_number}"))
def order_pairing(
    tournament: Tournament, *, key: str, player: PlayerId, other: PlayerId, round_number: int, why: str = ""
) -> Tournament:
    _refuse_invalid_player_pair(tournament, player, other)
    index = TournamentIndex(tournament)
    division = tournament.players[player].division
    stage = index.find_stage(division, round_number)
    if round_number < 1 or stage is None:
        raise CommandError("no-such-round", round=round_number)
    if round_number <= index.get_last_published_round_number(division):
        raise CommandError("round-already-published", round=round_number)
    if get_pairing_system(stage).is_knockout:
        raise CommandError("bracket-decides", round=round_number)
    old_constraint = _find_constraint_without_round(tournament, {player, other})
    if old_constraint is not None and old_constraint.kind is ConstraintKind.NEVER:
        raise CommandError("never-to-meet", **_make_player_name_facts(tournament, player, other))
    for player_id in (player, other):
        _refuse_absence_or_forced_pairing(index, player_id, round_number)
    constraint = _make_constraint(tournament, key, player, other, kind=ConstraintKind.TOGETHER, why=why)
    return tournament.put(replace(constraint, round=round_number))


@command(N_("{player} and {other} are no longer kept apart"))
def allow_pairing(tournament: Tournament, *, player: PlayerId, other: PlayerId) -> Tournament:
    row = _find_constraint_without_round(tournament, {player, other})
    if row is None:
        raise CommandError("not-forbidden")
    return tournament.drop(row)


@command(N_("Pairing constraint between {player} and {other} removed"))
def remove_constraint(tournament: Tournament, *, constraint: ConstraintId) -> Tournament:
    return tournament.drop(get_row_or_refuse(tournament.constraints, constraint, "no-such-constraint"))


def _make_constraint(
    tournament: Tournament, key: str, player: PlayerId, other: PlayerId, *, kind: ConstraintKind, why: str
) -> Constraint:
    published_count = TournamentIndex(tournament).get_last_published_round_number(
        tournament.players[player].division
    )
    return Constraint(
        ConstraintId(key), player, other, kind, why=strip_and_check_text(why, "why"), since=published_count
    )


def _refuse_invalid_player_pair(tournament: Tournament, player: PlayerId, other: PlayerId) -> None:
    first = get_row_or_refuse(tournament.players, player, "no-such-player")
    second = get_row_or_refuse(tournament.players, other, "no-such-player")
    if player == other:
        raise CommandError("against-himself", player=first.name)
    if first.division != second.division:
        raise CommandError("other-division", player=second.name)


def _refuse_absence_or_forced_pairing(index: TournamentIndex, player: PlayerId, round_number: int) -> None:
    players = index.tournament.players
    if index.find_absence(player, round_number) is not None:
        raise CommandError("player-absent", player=players[player].name, round=round_number)
    for row in index.tournament.constraints.values():
        if row.kind is ConstraintKind.TOGETHER and row.round == round_number and player in {row.player, row.other}:
            raise CommandError(
                "ordered-to-meet",
                **_make_player_name_facts(index.tournament, row.player, row.other),
                round=round_number,
            )


def _make_player_name_facts(tournament: Tournament, player: PlayerId, other: PlayerId) -> dict[str, str]:
    return {"player": tournament.players[player].name, "other": tournament.players[other].name}


def _find_constraints(tournament: Tournament, pair: Set[PlayerId]) -> list[Constraint]:
    return [row for row in tournament.constraints.values() if {row.player, row.other} == pair]


def _find_constraint_without_round(tournament: Tournament, pair: Set[PlayerId]) -> Constraint | None:
    rows = (row for row in _find_constraints(tournament, pair) if row.kind is not ConstraintKind.TOGETHER)
    return next(rows, None)
