"""Commands that move players or divisions to another division."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from msgspec.structs import replace

from tdapp.domain.attendance import Consequence, make_consequence
from tdapp.domain.commands.players import find_next_number, withdraw_player
from tdapp.domain.commands.rounds import check_seating, discard_round
from tdapp.domain.commands.rule import command, find_row
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division, DivisionId, Player, PlayerId, Round, RoundState
from tdapp.domain.systems import get_system
from tdapp.domain.tournament import Row, Tournament
from tdapp.domain.translatable import N_, Plural


@command(
    Plural(
        "{player} moved to division {division}",
        "{count} players moved to division {division}: {player}",
        by="count",
    )
)
def move_players(
    tournament: Tournament, *, key: str, players: tuple[PlayerId, ...], division: DivisionId
) -> Tournament:
    """Move players. They start without points. Drafts with these players are deleted.

    A player of a published round also stays in the old division, withdrawn, with all games played.
    """
    target = find_row(tournament.divisions, division, "no-such-division")
    rows = [find_row(tournament.players, player, "no-such-player") for player in players]
    tournament = _drop_drafts(tournament, {player.division for player in rows}, {*players})
    for at, row in enumerate(rows, 1):
        tournament = _move_player(tournament, f"{key}.{at}", row, target)
    return tournament


def _move_player(tournament: Tournament, key: str, row: Player, target: Division) -> Tournament:
    index = Index(tournament)
    if row.division == target.id:
        raise RuleViolation("already-in-division", player=row.name, division=target.code)
    number = find_next_number(index, target.id)
    if index.has_played(row.id):
        if not index.has_withdrawn(row.id):
            tournament = withdraw_player(tournament, key=f"{key}.w", player=row.id)
        moved = replace(row, id=PlayerId(key), division=target.id, number=number)
        photos = [replace(photo, id=moved.id) for photo in tournament.photos.values() if photo.id == row.id]
        return tournament.put(moved, replace(row, paid=0), *photos)  # the payment moves along
    seeds = [seed for seed in tournament.seeds.values() if seed.player == row.id]
    constraints = [item for item in tournament.constraints.values() if row.id in {item.player, item.other}]
    prizes = [replace(item, player=None) for item in tournament.prizes.values() if item.player == row.id]
    return tournament.drop(*seeds, *constraints).put(*prizes, replace(row, division=target.id, number=number))


@command(N_("Division {division} merged into {into}"))
def merge_division(tournament: Tournament, *, division: DivisionId, into: DivisionId) -> Tournament:
    """Move all players and games of a division to another one, and remove the division.

    Its games and byes move to the round with the same number. Its prizes and fees are deleted, and so are the
    drafts of both.
    """
    row = find_row(tournament.divisions, division, "no-such-division")
    target = find_row(tournament.divisions, into, "no-such-division")
    if row is target:
        raise RuleViolation("merge-itself", division=row.code)
    index = Index(_drop_drafts(tournament, {division, into}))
    _check_rounds(index, row, target)
    first = find_next_number(index, into)
    players = [
        replace(player, division=into, number=first + at) for at, player in enumerate(index.players(division))
    ]
    kept: list[Row] = [replace(one, division=into) for one in index.incidents(division)]
    kept += [replace(one, division=into) for one in index.challenges(division)]
    kept += [replace(one, division=into) for one in index.table_groups(division)]
    kept += [replace(one, division=into) for one in index.listed_seasons if one.division == division]
    after = index.tournament.put(*players, *kept)
    pairs = [*zip(index.published(division), index.published(into), strict=False)]
    for own, theirs in pairs:
        after = after.put(*_join_rounds(index, own, theirs))
    after = after.drop_with_children(row)
    for _, theirs in pairs:
        check_seating(Index(after), theirs.id)
    return after


def _check_rounds(index: Index, row: Division, target: Division) -> None:
    own, theirs = index.published(row.id), index.published(target.id)
    if any(get_system(index.tournament.stages[item.stage]).is_knockout for item in (*own, *theirs)):
        raise RuleViolation("merge-knockout", division=row.code, into=target.code)
    if len(own) > len(theirs):
        raise RuleViolation(
            "merge-ahead", division=row.code, into=target.code, rounds=len(own), played=len(theirs)
        )


def _join_rounds(index: Index, own: Round, theirs: Round) -> list[Row]:
    games, seats = index.games(own.id), index.seats(own.id)
    taken = {*index.list_tables(theirs.id)}
    behind = max(taken) if taken.intersection(index.list_tables(own.id)) else 0
    return [
        replace(theirs, assumed=(*theirs.assumed, *own.assumed)),
        *(replace(game, round=theirs.id, table=game.table + behind) for game in games),
        *(replace(seat, round=theirs.id, table=seat.table + behind) for seat in seats),
        *(replace(bye, round=theirs.id) for bye in index.byes(own.id)),
    ]


def _drop_drafts(
    tournament: Tournament, divisions: Collection[DivisionId], players: Collection[PlayerId] | None = None
) -> Tournament:
    index = Index(tournament)
    for item in (item for division in divisions for item in index.rounds(division)):
        if item.state is RoundState.DRAFT and (players is None or index.list_seated_players(item.id) & {*players}):
            tournament = discard_round(tournament, round=item.id)
    return tournament


def assess_transfer(before: Tournament, after: Tournament) -> tuple[Consequence, ...]:
    old, new = Index(before), Index(after)
    found = [
        *_find_lost_drafts(old, after),
        *_count_games(old, new),
        *_find_new_numbers(before, after),
        *_count_lost_rows(before, after),
    ]
    found += [one for division in new.divisions for one in _count_players(old, new, division.id)]
    return tuple(sorted(found, key=lambda one: not one.attend))


def _find_lost_drafts(old: Index, after: Tournament) -> Iterator[Consequence]:
    for item in old.tournament.rounds.values():
        if item.state is RoundState.DRAFT and item.id not in after.rounds:
            code = old.division_of(item.id).code
            yield make_consequence("draft-gone", attend=True, round=item.number, division=code)


def _count_games(old: Index, new: Index) -> Iterator[Consequence]:
    before, after = old.tournament, new.tournament
    names = [player.name for key, player in after.players.items() if key not in before.players]
    if names:
        yield make_consequence("games-left", players="; ".join(names), n=len(names))
    both = [(game, after.games[key]) for key, game in before.games.items() if key in after.games]
    moved = sum(was.round != now.round for was, now in both)
    if moved:
        yield make_consequence("games-come", n=moved)
    others = {after.rules_of(now).name for was, now in both if before.rules_of(was) != after.rules_of(now)}
    if others:
        yield make_consequence("rules-other", attend=True, rules=", ".join(sorted(others)))
    for division in old.divisions:
        if division.id not in after.divisions and (missed := _count_missed_rounds(old, new, division.id)):
            yield make_consequence("rounds-missed", division=division.code, n=missed)


def _count_missed_rounds(old: Index, new: Index, division: DivisionId) -> int:
    into = next((new.tournament.players[player.id].division for player in old.players(division)), None)
    return old.get_last_published(into) - old.get_last_published(division) if into is not None else 0


def _find_new_numbers(before: Tournament, after: Tournament) -> Iterator[Consequence]:
    come: dict[DivisionId, list[Player]] = defaultdict(list)
    for key, player in after.players.items():
        if key not in before.players or before.players[key].division != player.division:
            come[player.division].append(player)
    for division, players in come.items():
        numbers = sorted(player.number for player in players)
        yield make_consequence(
            "numbers-new", division=after.divisions[division].code, numbers=numbers, n=len(numbers)
        )


def _count_lost_rows(before: Tournament, after: Tournament) -> Iterator[Consequence]:
    for code, kind in (("constraints-gone", "constraints"), ("prizes-gone", "prizes")):
        count = len(before.rows(kind)) - len(after.rows(kind))
        if count:
            yield make_consequence(code, n=count)


def _count_players(old: Index, new: Index, division: DivisionId) -> Iterator[Consequence]:
    number = new.get_last_published(division) + 1

    def here(index: Index) -> int:
        return sum(index.find_absence(player.id, number) is None for player in index.players(division))

    if new.stage_for(division, number) is None or here(old) == here(new):
        return
    code = "field-odd" if here(new) % 2 else "field-even"
    yield make_consequence(code, division=new.tournament.divisions[division].code, round=number, n=here(new))
