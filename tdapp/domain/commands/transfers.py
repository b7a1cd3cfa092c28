"""Commands that move players or divisions to another division, or merge two entries of one person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any, cast

from msgspec.structs import replace

from tdapp.domain.attendance import Consequence, make_consequence
from tdapp.domain.commands.players import find_next_player_number, withdraw_player
from tdapp.domain.commands.rounds import check_no_player_or_table_twice, discard_round
from tdapp.domain.commands.rule import command, get_row_or_refuse
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import (
    Absence,
    Bye,
    ByeKind,
    Constraint,
    Division,
    DivisionId,
    Game,
    PersonLink,
    PersonLinkId,
    Player,
    PlayerId,
    Round,
    RoundState,
    Season,
    Seat,
    Seed,
)
from tdapp.domain.player_fields import EMPTY
from tdapp.domain.systems import get_system
from tdapp.domain.tournament import PARENTS, Row, Tournament
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
    """Move players to another division. They start there without points. Drafts with them are deleted.

    A player who has played also stays in the old division, withdrawn, with all games.
    """
    target = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    rows = [get_row_or_refuse(tournament.players, player, "no-such-player") for player in players]
    tournament = _delete_drafts(tournament, {player.division for player in rows}, {*players})
    for at, row in enumerate(rows, 1):
        tournament = _move_player_to_division(tournament, f"{key}.{at}", row, target)
    return tournament


def _move_player_to_division(tournament: Tournament, key: str, row: Player, target: Division) -> Tournament:
    index = Index(tournament)
    if row.division == target.id:
        raise RuleViolation("already-in-division", player=row.name, division=target.code)
    number = find_next_player_number(index, target.id)
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
    """Move all players and games of a division to the division `into`, and remove it.

    Games and byes move to the round with the same number. Prizes and fees of the removed division, and the
    drafts of both, are deleted.
    """
    row = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    target = get_row_or_refuse(tournament.divisions, into, "no-such-division")
    if row is target:
        raise RuleViolation("merge-itself", division=row.code)
    index = Index(_delete_drafts(tournament, {division, into}))
    _check_rounds_can_merge(index, row, target)
    first = find_next_player_number(index, into)
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
        after = after.put(*_move_games_to_round(index, own, theirs))
    after = after.drop_with_children(row)
    for _, theirs in pairs:
        check_no_player_or_table_twice(Index(after), theirs.id)
    return after


def _check_rounds_can_merge(index: Index, row: Division, target: Division) -> None:
    own, theirs = index.published(row.id), index.published(target.id)
    if any(get_system(index.tournament.stages[item.stage]).is_knockout for item in (*own, *theirs)):
        raise RuleViolation("merge-knockout", division=row.code, into=target.code)
    if len(own) > len(theirs):
        raise RuleViolation(
            "merge-ahead", division=row.code, into=target.code, rounds=len(own), played=len(theirs)
        )


def _move_games_to_round(index: Index, source: Round, target: Round) -> list[Row]:
    games, seats = index.games(source.id), index.seats(source.id)
    taken = {*index.list_tables(target.id)}
    behind = max(taken) if taken.intersection(index.list_tables(source.id)) else 0
    return [
        replace(target, assumed=(*target.assumed, *source.assumed)),
        *(replace(game, round=target.id, table=game.table + behind) for game in games),
        *(replace(seat, round=target.id, table=seat.table + behind) for seat in seats),
        *(replace(bye, round=target.id) for bye in index.byes(source.id)),
    ]


def _delete_drafts(
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
        *_report_lost_drafts(old, after),
        *_report_moved_games(old, new),
        *_report_new_player_numbers(before, after),
        *_report_lost_constraints_and_prizes(before, after),
    ]
    found += [one for division in new.divisions for one in _report_changed_player_count(old, new, division.id)]
    return tuple(sorted(found, key=lambda one: not one.needs_action))


def _report_lost_drafts(old: Index, after: Tournament) -> Iterator[Consequence]:
    for item in old.tournament.rounds.values():
        if item.state is RoundState.DRAFT and item.id not in after.rounds:
            code = old.division_of(item.id).code
            yield make_consequence("draft-gone", needs_action=True, round=item.number, division=code)


def _report_moved_games(old: Index, new: Index) -> Iterator[Consequence]:
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
        yield make_consequence("rules-other", needs_action=True, rules=", ".join(sorted(others)))
    for division in old.divisions:
        if division.id not in after.divisions and (missed := _count_missed_rounds(old, new, division.id)):
            yield make_consequence("rounds-missed", division=division.code, n=missed)


def _count_missed_rounds(old: Index, new: Index, division: DivisionId) -> int:
    into = next((new.tournament.players[player.id].division for player in old.players(division)), None)
    return old.get_last_published(into) - old.get_last_published(division) if into is not None else 0


def _report_new_player_numbers(before: Tournament, after: Tournament) -> Iterator[Consequence]:
    come: dict[DivisionId, list[Player]] = defaultdict(list)
    for key, player in after.players.items():
        if key not in before.players or before.players[key].division != player.division:
            come[player.division].append(player)
    for division, players in come.items():
        numbers = sorted(player.number for player in players)
        yield make_consequence(
            "numbers-new", division=after.divisions[division].code, numbers=numbers, n=len(numbers)
        )


def _report_lost_constraints_and_prizes(before: Tournament, after: Tournament) -> Iterator[Consequence]:
    for code, kind in (("constraints-gone", "constraints"), ("prizes-gone", "prizes")):
        count = len(before.rows(kind)) - len(after.rows(kind))
        if count:
            yield make_consequence(code, n=count)


def _report_changed_player_count(old: Index, new: Index, division: DivisionId) -> Iterator[Consequence]:
    number = new.get_last_published(division) + 1

    def count_active_players(index: Index) -> int:
        return sum(index.find_absence(player.id, number) is None for player in index.players(division))

    if new.find_stage(division, number) is None or count_active_players(old) == count_active_players(new):
        return
    code = "field-odd" if count_active_players(new) % 2 else "field-even"
    yield make_consequence(
        code, division=new.tournament.divisions[division].code, round=number, n=count_active_players(new)
    )


_OF_RATING = {"provisional", "rated_games"}  # belong to the rating beside them


@command(N_("{other} and {player} merged into one player"))
def merge_players(tournament: Tournament, *, player: PlayerId, other: PlayerId) -> Tournament:
    """Give all data and games of `other` to `player`, who keeps name and number, and remove `other`.

    An absence is removed if one of the two entries has a game in its rounds. `player` is withdrawn afterwards
    only if both entries were withdrawn.
    """
    kept = get_row_or_refuse(tournament.players, player, "no-such-player")
    gone = get_row_or_refuse(tournament.players, other, "no-such-player")
    if kept is gone:
        raise RuleViolation("merge-same-player", player=kept.name)
    if kept.division != gone.division:
        raise RuleViolation("merge-other-division", player=kept.name, other=gone.name)
    index = Index(tournament)
    _refuse_results_of_both_in_one_event(index, kept, gone)
    byes = list(_find_byes_to_remove(index, kept, gone))
    absences = [*index.absences(player), *index.absences(other)]
    seeds = [seed for row in _find_seeds_to_remove(index, kept, gone) for seed in index.seeds(row.stage)]
    spare = {seed.id for seed in seeds if seed.player == other}
    photos = [row for key, row in tournament.photos.items() if key == other]
    bare = tournament.drop(
        *byes, *absences, *seeds, *photos, *_find_constraints_and_links_to_remove(tournament, kept, gone)
    )
    bare = bare.put(*(replace(row, id=player) for row in photos if player not in tournament.photos))
    bare = bare.put(*_renumber_seeds([seed for seed in seeds if seed.id not in spare]))
    after = bare.put(*_list_reassigned_rows(bare, kept, gone))
    after = after.put(*_merge_absences(Index(after), kept, absences), _fill_empty_fields(kept, gone))
    changed: tuple[Row, ...] = (
        *_move_start_ratings(tournament, kept, gone),
        *_link_name_of_merged_player(tournament, kept, gone),
    )
    return after.drop(gone).put(*changed)


def _link_name_of_merged_player(tournament: Tournament, kept: Player, gone: Player) -> Iterator[PersonLink]:
    """Yield a link from the name of `gone` to `kept`, if `gone` has results in a copied event.

    With this link, a newer copy of the event finds the player `kept` by the old name.
    """
    if any(one.player == gone.id for one in tournament.copied_results.values()):
        yield PersonLink(PersonLinkId(gone.id), kept.id, None, gone.name, gone.club)


def _move_start_ratings(tournament: Tournament, kept: Player, gone: Player) -> Iterator[Season]:
    for season in tournament.seasons.values():
        starts = {one.player: one for one in season.start_ratings}
        if gone.id in starts:
            moved = {kept.id: replace(starts.pop(gone.id), player=kept.id)} | starts
            yield replace(season, start_ratings=tuple(moved.values()))


def _refuse_results_of_both_in_one_event(index: Index, kept: Player, gone: Player) -> None:
    for season in index.listed_seasons:
        dates = {one.date for one in index.earlier(season.id) if one.player == kept.id}
        for one in index.earlier(season.id):
            if one.player == gone.id and one.date in dates:
                raise RuleViolation("merge-both-earlier", player=kept.name, other=gone.name, date=one.date)
    for event in index.tournament.copied_events.values():
        if {kept.id, gone.id} <= {one.player for one in index.copied_results(event.id)}:
            raise RuleViolation("merge-both-played", player=kept.name, other=gone.name, event=event.name)


def _find_byes_to_remove(index: Index, kept: Player, gone: Player) -> Iterator[Bye]:
    for item in index.rounds(kept.division):
        rows: list[Game | Bye | Seat] = []
        for player in (gone.id, kept.id):
            game = index.find_game_of(item.id, player) or index.find_seat_of(item.id, player)
            rows += [game] if game else [bye for bye in index.byes(item.id) if bye.player == player]
        if len(rows) > 1:
            spare = next((row for row in rows if isinstance(row, Bye) and row.kind is ByeKind.ABSENT), None)
            if spare is None:
                raise RuleViolation("merge-both-sat", player=kept.name, other=gone.name, round=item.number)
            yield spare


def _find_seeds_to_remove(index: Index, kept: Player, gone: Player) -> Iterator[Seed]:
    for stage in index.stages(kept.division):
        seeds = {seed.player: seed for seed in index.seeds(stage.id)}
        if kept.id in seeds and gone.id in seeds:
            begun = [item for item in index.rounds(kept.division) if item.stage == stage.id]
            if begun:
                raise RuleViolation("merge-both-seated", player=kept.name, other=gone.name, round=begun[0].number)
            yield seeds[gone.id]


def _renumber_seeds(seeds: list[Seed]) -> Iterator[Seed]:
    counts: dict[str, int] = {}
    for seed in seeds:
        counts[seed.stage] = counts.get(seed.stage, 0) + 1
        yield replace(seed, number=counts[seed.stage])


def _find_constraints_and_links_to_remove(
    tournament: Tournament, kept: Player, gone: Player
) -> Iterator[Constraint | PersonLink]:
    both = {kept.id, gone.id}
    yield from (row for row in tournament.person_links.values() if {row.player, row.other} == both)
    rows = [row for row in tournament.constraints.values() if {row.player, row.other} & {kept.id, gone.id}]
    seen: set[object] = set()
    for row in sorted(rows, key=lambda row: gone.id in {row.player, row.other}):
        pair = frozenset(kept.id if one == gone.id else one for one in (row.player, row.other))
        if len(pair) == 1 or (pair, row.kind, row.round) in seen:
            yield row
        seen.add((pair, row.kind, row.round))


def _list_reassigned_rows(tournament: Tournament, kept: Player, gone: Player) -> Iterator[Row]:
    for kind, parents in PARENTS.items():
        names = [name for name, parent in parents.items() if parent == "players"]
        for row in tournament.rows(kind).values() if names else ():
            moved = {name: kept.id for name in names if getattr(row, name) == gone.id}
            if moved:
                yield cast("Row", replace(cast("Any", row), **moved))


def _merge_absences(index: Index, kept: Player, absences: list[Absence]) -> Iterator[Absence]:
    left = [row for row in absences if row.last_round is None]
    sat = {
        item.number
        for item in index.rounds(kept.division)
        if index.find_game_of(item.id, kept.id) or index.find_seat_of(item.id, kept.id)
    }
    if len({row.player for row in left}) > 1:
        yield replace(max(left, key=lambda row: row.first_round), player=kept.id)
    taken = set(sat)
    for row in absences:
        rounds = set(range(row.first_round, (row.last_round or 0) + 1))
        if rounds and not rounds & taken:
            taken |= rounds
            yield replace(row, player=kept.id)


def _fill_empty_fields(kept: Player, gone: Player) -> Player:
    own = _OF_RATING if kept.rating is not None else set()
    taken = {
        name: getattr(gone, name)
        for name, empty in EMPTY.items()
        if name not in own and getattr(kept, name) == empty
    }
    return replace(kept, **{**taken, "paid": kept.paid + gone.paid})
