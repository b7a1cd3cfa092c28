"""Commands that move players or divisions to another division, or merge two entries of one person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any, cast

from msgspec.structs import replace

from tdapp.domain.attendance import AttendanceConsequence, make_attendance_consequence
from tdapp.domain.commands.players import find_number_after_last_player, withdraw_player
from tdapp.domain.commands.rounds import discard_round, refuse_duplicate_players_or_tables
from tdapp.domain.commands.rule import command, get_row_or_refuse
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
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
from tdapp.domain.player_fields import EMPTY_VALUES
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tournament import PARENTS, Row, Tournament
from tdapp.domain.translatable import N_, Plural


@command(
    Plural(
        "{player} moved to division {division}",
        "{count} players moved to division {division}: {player}",
        number_fact="count",
    )
)
def move_players(
    tournament: Tournament, *, key: str, players: tuple[PlayerId, ...], division: DivisionId
) -> Tournament:
    """Move players to another division. They start there without points. Draft rounds with them are deleted.

    A player who has played also stays in the old division, withdrawn, with all games.
    """
    target = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    rows = [get_row_or_refuse(tournament.players, player, "no-such-player") for player in players]
    tournament = _delete_draft_rounds(tournament, {player.division for player in rows}, {*players})
    for number, row in enumerate(rows, 1):
        tournament = _move_or_copy_player(tournament, f"{key}.{number}", row, target)
    return tournament


def _move_or_copy_player(tournament: Tournament, key: str, row: Player, target: Division) -> Tournament:
    index = TournamentIndex(tournament)
    if row.division == target.id:
        raise CommandError("already-in-division", player=row.name, division=target.code)
    number = find_number_after_last_player(index, target.id)
    if index.has_game_or_bye_or_seat(row.id):
        if not index.has_withdrawn(row.id):
            tournament = withdraw_player(tournament, key=f"{key}.w", player=row.id)
        new_player = replace(row, id=PlayerId(key), division=target.id, number=number)
        photos = [replace(photo, id=new_player.id) for photo in tournament.photos.values() if photo.id == row.id]
        return tournament.put(new_player, replace(row, paid=0), *photos)  # the payment moves along
    seeds = [seed for seed in tournament.seeds.values() if seed.player == row.id]
    constraints = [
        constraint
        for constraint in tournament.constraints.values()
        if row.id in {constraint.player, constraint.other}
    ]
    prizes = [replace(prize, player=None) for prize in tournament.prizes.values() if prize.player == row.id]
    return tournament.drop(*seeds, *constraints).put(*prizes, replace(row, division=target.id, number=number))


@command(N_("Division {division} merged into {into}"))
def merge_division(tournament: Tournament, *, division: DivisionId, into: DivisionId) -> Tournament:
    """Move all players and games of `division` to the division `into`, and remove `division`.

    Games and byes move to the round with the same number. Also delete the prizes and fees of `division`, and the
    unpublished rounds of both divisions.
    """
    row = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    target = get_row_or_refuse(tournament.divisions, into, "no-such-division")
    if row is target:
        raise CommandError("merge-itself", division=row.code)
    index = TournamentIndex(_delete_draft_rounds(tournament, {division, into}))
    _refuse_rounds_that_cannot_be_merged(index, row, target)
    first = find_number_after_last_player(index, into)
    players = [
        replace(player, division=into, number=first + offset)
        for offset, player in enumerate(index.players(division))
    ]
    moved_rows: list[Row] = [replace(incident, division=into) for incident in index.incidents(division)]
    moved_rows += [replace(challenge, division=into) for challenge in index.challenges(division)]
    moved_rows += [replace(group, division=into) for group in index.table_groups(division)]
    moved_rows += [
        replace(season, division=into) for season in index.listed_seasons if season.division == division
    ]
    after = index.tournament.put(*players, *moved_rows)
    pairs = [*zip(index.list_published_rounds(division), index.list_published_rounds(into), strict=False)]
    for source_round, target_round in pairs:
        after = after.put(*_move_games_to_round(index, source_round, target_round))
    after = after.drop_with_children(row)
    for _, target_round in pairs:
        refuse_duplicate_players_or_tables(TournamentIndex(after), target_round.id)
    return after


def _refuse_rounds_that_cannot_be_merged(index: TournamentIndex, row: Division, target: Division) -> None:
    source_rounds, target_rounds = index.list_published_rounds(row.id), index.list_published_rounds(target.id)
    stages = (index.tournament.stages[item.stage] for item in (*source_rounds, *target_rounds))
    if any(get_pairing_system(stage).is_knockout for stage in stages):
        raise CommandError("merge-knockout", division=row.code, into=target.code)
    if len(source_rounds) > len(target_rounds):
        raise CommandError(
            "merge-ahead",
            division=row.code,
            into=target.code,
            rounds=len(source_rounds),
            played=len(target_rounds),
        )


def _move_games_to_round(index: TournamentIndex, source: Round, target: Round) -> list[Row]:
    games, seats = index.games(source.id), index.seats(source.id)
    used_tables = {*index.list_tables(target.id)}
    table_offset = max(used_tables) if used_tables.intersection(index.list_tables(source.id)) else 0
    return [
        replace(target, assumed=(*target.assumed, *source.assumed)),
        *(replace(game, round=target.id, table=game.table + table_offset) for game in games),
        *(replace(seat, round=target.id, table=seat.table + table_offset) for seat in seats),
        *(replace(bye, round=target.id) for bye in index.byes(source.id)),
    ]


def _delete_draft_rounds(
    tournament: Tournament, divisions: Collection[DivisionId], players: Collection[PlayerId] | None = None
) -> Tournament:
    index = TournamentIndex(tournament)
    for item in (item for division in divisions for item in index.rounds(division)):
        if item.state is RoundState.DRAFT and (
            players is None or index.find_players_with_game_bye_or_seat(item.id) & {*players}
        ):
            tournament = discard_round(tournament, round=item.id)
    return tournament


def find_move_or_merge_consequences(before: Tournament, after: Tournament) -> tuple[AttendanceConsequence, ...]:
    old, new = TournamentIndex(before), TournamentIndex(after)
    consequences = [
        *_list_consequences_of_removed_drafts(old, after),
        *_list_consequences_for_games(old, new),
        *_list_player_number_consequences(before, after),
        *_list_lost_constraints_and_prizes(before, after),
    ]
    consequences += [
        consequence
        for division in new.divisions
        for consequence in _list_player_count_consequences(old, new, division.id)
    ]
    return tuple(sorted(consequences, key=lambda consequence: not consequence.needs_action))


def _list_consequences_of_removed_drafts(
    old: TournamentIndex, after: Tournament
) -> Iterator[AttendanceConsequence]:
    for item in old.tournament.rounds.values():
        if item.state is RoundState.DRAFT and item.id not in after.rounds:
            code = old.get_division_of_round(item.id).code
            yield make_attendance_consequence("draft-gone", needs_action=True, round=item.number, division=code)


def _list_consequences_for_games(old: TournamentIndex, new: TournamentIndex) -> Iterator[AttendanceConsequence]:
    before, after = old.tournament, new.tournament
    names = [player.name for key, player in after.players.items() if key not in before.players]
    if names:
        yield make_attendance_consequence("games-left", players="; ".join(names), n=len(names))
    game_pairs = [(game, after.games[key]) for key, game in before.games.items() if key in after.games]
    moved_count = sum(old_game.round != new_game.round for old_game, new_game in game_pairs)
    if moved_count:
        yield make_attendance_consequence("games-come", n=moved_count)
    new_rule_names = {
        after.get_ruleset_of_row(new_game).name
        for old_game, new_game in game_pairs
        if before.get_ruleset_of_row(old_game) != after.get_ruleset_of_row(new_game)
    }
    if new_rule_names:
        yield make_attendance_consequence(
            "rules-other", needs_action=True, rules=", ".join(sorted(new_rule_names))
        )
    for division in old.divisions:
        if division.id not in after.divisions and (
            missed_count := _count_rounds_target_division_is_ahead(old, new, division.id)
        ):
            yield make_attendance_consequence("rounds-missed", division=division.code, n=missed_count)


def _count_rounds_target_division_is_ahead(
    old: TournamentIndex, new: TournamentIndex, division: DivisionId
) -> int:
    target = next((new.tournament.players[player.id].division for player in old.players(division)), None)
    return (
        old.get_last_published_round_number(target) - old.get_last_published_round_number(division)
        if target is not None
        else 0
    )


def _list_player_number_consequences(before: Tournament, after: Tournament) -> Iterator[AttendanceConsequence]:
    new_players: dict[DivisionId, list[Player]] = defaultdict(list)
    for key, player in after.players.items():
        if key not in before.players or before.players[key].division != player.division:
            new_players[player.division].append(player)
    for division, players in new_players.items():
        numbers = sorted(player.number for player in players)
        yield make_attendance_consequence(
            "numbers-new", division=after.divisions[division].code, numbers=numbers, n=len(numbers)
        )


def _list_lost_constraints_and_prizes(before: Tournament, after: Tournament) -> Iterator[AttendanceConsequence]:
    for code, kind in (("constraints-gone", "constraints"), ("prizes-gone", "prizes")):
        count = len(before.rows(kind)) - len(after.rows(kind))
        if count:
            yield make_attendance_consequence(code, n=count)


def _list_player_count_consequences(
    old: TournamentIndex, new: TournamentIndex, division: DivisionId
) -> Iterator[AttendanceConsequence]:
    number = new.get_last_published_round_number(division) + 1

    def count_present_players(index: TournamentIndex) -> int:
        return sum(index.find_absence(player.id, number) is None for player in index.players(division))

    if new.find_stage(division, number) is None or count_present_players(old) == count_present_players(new):
        return
    code = "field-odd" if count_present_players(new) % 2 else "field-even"
    yield make_attendance_consequence(
        code, division=new.tournament.divisions[division].code, round=number, n=count_present_players(new)
    )


_RATING_FIELDS = {"provisional", "rated_games"}  # copied only together with the rating


@command(N_("{other} and {player} merged into one player"))
def merge_players(tournament: Tournament, *, player: PlayerId, other: PlayerId) -> Tournament:
    """Give all data and games of `other` to `player`, who keeps name and number, and remove `other`.

    An absence is removed if one of the two entries has a game during it. `player` is withdrawn afterwards
    only if both entries were withdrawn.
    """
    kept_player = get_row_or_refuse(tournament.players, player, "no-such-player")
    removed_player = get_row_or_refuse(tournament.players, other, "no-such-player")
    if kept_player is removed_player:
        raise CommandError("merge-same-player", player=kept_player.name)
    if kept_player.division != removed_player.division:
        raise CommandError("merge-other-division", player=kept_player.name, other=removed_player.name)
    index = TournamentIndex(tournament)
    _refuse_two_results_in_one_event(index, kept_player, removed_player)
    byes = list(_find_absence_byes_to_remove_or_refuse(index, kept_player, removed_player))
    absences = [*index.absences(player), *index.absences(other)]
    seeds = [
        seed
        for row in _list_seeds_to_remove_or_refuse(index, kept_player, removed_player)
        for seed in index.seeds(row.stage)
    ]
    removed_seed_ids = {seed.id for seed in seeds if seed.player == other}
    photos = [row for key, row in tournament.photos.items() if key == other]
    cleaned_tournament = tournament.drop(
        *byes,
        *absences,
        *seeds,
        *photos,
        *_find_constraints_and_links_to_remove(tournament, kept_player, removed_player),
    )
    cleaned_tournament = cleaned_tournament.put(
        *(replace(row, id=player) for row in photos if player not in tournament.photos)
    )
    cleaned_tournament = cleaned_tournament.put(
        *_renumber_seeds([seed for seed in seeds if seed.id not in removed_seed_ids])
    )
    after = cleaned_tournament.put(*_list_reassigned_rows(cleaned_tournament, kept_player, removed_player))
    after = after.put(
        *_merge_absences(TournamentIndex(after), kept_player, absences),
        _merge_player_fields(kept_player, removed_player),
    )
    changed_rows: tuple[Row, ...] = (
        *_list_seasons_with_merged_start_ratings(tournament, kept_player, removed_player),
        *_make_link_from_removed_player_name(tournament, kept_player, removed_player),
    )
    return after.drop(removed_player).put(*changed_rows)


def _make_link_from_removed_player_name(
    tournament: Tournament, kept_player: Player, removed_player: Player
) -> Iterator[PersonLink]:
    """Yield the link by which a newer copy of an event finds the kept player under the removed name."""
    if any(result.player == removed_player.id for result in tournament.copied_results.values()):
        yield PersonLink(
            PersonLinkId(removed_player.id), kept_player.id, None, removed_player.name, removed_player.club
        )


def _list_seasons_with_merged_start_ratings(
    tournament: Tournament, kept_player: Player, removed_player: Player
) -> Iterator[Season]:
    for season in tournament.seasons.values():
        start_ratings = {rating.player: rating for rating in season.start_ratings}
        if removed_player.id in start_ratings:
            new_start_ratings = {
                kept_player.id: replace(start_ratings.pop(removed_player.id), player=kept_player.id)
            } | start_ratings
            yield replace(season, start_ratings=tuple(new_start_ratings.values()))


def _refuse_two_results_in_one_event(index: TournamentIndex, kept_player: Player, removed_player: Player) -> None:
    for season in index.listed_seasons:
        dates = {result.date for result in index.earlier(season.id) if result.player == kept_player.id}
        for result in index.earlier(season.id):
            if result.player == removed_player.id and result.date in dates:
                raise CommandError(
                    "merge-both-earlier", player=kept_player.name, other=removed_player.name, date=result.date
                )
    for event in index.tournament.copied_events.values():
        if {kept_player.id, removed_player.id} <= {result.player for result in index.copied_results(event.id)}:
            raise CommandError(
                "merge-both-played", player=kept_player.name, other=removed_player.name, event=event.name
            )


def _find_absence_byes_to_remove_or_refuse(
    index: TournamentIndex, kept_player: Player, removed_player: Player
) -> Iterator[Bye]:
    for item in index.rounds(kept_player.division):
        rows: list[Game | Bye | Seat] = []
        for player in (removed_player.id, kept_player.id):
            game = index.find_player_game(item.id, player) or index.find_player_seat(item.id, player)
            rows += [game] if game else [bye for bye in index.byes(item.id) if bye.player == player]
        if len(rows) > 1:
            absent_bye = next((row for row in rows if isinstance(row, Bye) and row.kind is ByeKind.ABSENT), None)
            if absent_bye is None:
                raise CommandError(
                    "merge-both-sat", player=kept_player.name, other=removed_player.name, round=item.number
                )
            yield absent_bye


def _list_seeds_to_remove_or_refuse(
    index: TournamentIndex, kept_player: Player, removed_player: Player
) -> Iterator[Seed]:
    for stage in index.stages(kept_player.division):
        seeds = {seed.player: seed for seed in index.seeds(stage.id)}
        if kept_player.id in seeds and removed_player.id in seeds:
            rounds = [item for item in index.rounds(kept_player.division) if item.stage == stage.id]
            if rounds:
                raise CommandError(
                    "merge-both-seated", player=kept_player.name, other=removed_player.name, round=rounds[0].number
                )
            yield seeds[removed_player.id]


def _renumber_seeds(seeds: list[Seed]) -> Iterator[Seed]:
    counts: dict[str, int] = {}
    for seed in seeds:
        counts[seed.stage] = counts.get(seed.stage, 0) + 1
        yield replace(seed, number=counts[seed.stage])


def _find_constraints_and_links_to_remove(
    tournament: Tournament, kept_player: Player, removed_player: Player
) -> Iterator[Constraint | PersonLink]:
    player_ids = {kept_player.id, removed_player.id}
    yield from (row for row in tournament.person_links.values() if {row.player, row.other} == player_ids)
    rows = [row for row in tournament.constraints.values() if {row.player, row.other} & player_ids]
    seen: set[object] = set()
    for row in sorted(rows, key=lambda row: removed_player.id in {row.player, row.other}):
        pair = frozenset(
            kept_player.id if player_id == removed_player.id else player_id
            for player_id in (row.player, row.other)
        )
        if len(pair) == 1 or (pair, row.kind, row.round) in seen:
            yield row
        seen.add((pair, row.kind, row.round))


def _list_reassigned_rows(tournament: Tournament, kept_player: Player, removed_player: Player) -> Iterator[Row]:
    for kind, parents in PARENTS.items():
        names = [name for name, parent in parents.items() if parent == "players"]
        for row in tournament.rows(kind).values() if names else ():
            new_values = {name: kept_player.id for name in names if getattr(row, name) == removed_player.id}
            if new_values:
                yield cast("Row", replace(cast("Any", row), **new_values))


def _merge_absences(index: TournamentIndex, kept_player: Player, absences: list[Absence]) -> Iterator[Absence]:
    withdrawals = [row for row in absences if row.last_round is None]
    occupied_rounds = {
        item.number
        for item in index.rounds(kept_player.division)
        if index.find_player_game(item.id, kept_player.id) or index.find_player_seat(item.id, kept_player.id)
    }
    if len({row.player for row in withdrawals}) > 1:
        yield replace(max(withdrawals, key=lambda row: row.first_round), player=kept_player.id)
    used_rounds = set(occupied_rounds)
    for row in absences:
        rounds = set(range(row.first_round, (row.last_round or 0) + 1))
        if rounds and not rounds & used_rounds:
            used_rounds |= rounds
            yield replace(row, player=kept_player.id)


def _merge_player_fields(kept_player: Player, removed_player: Player) -> Player:
    fixed_fields = _RATING_FIELDS if kept_player.rating is not None else set()
    copied_values = {
        name: getattr(removed_player, name)
        for name, empty_value in EMPTY_VALUES.items()
        if name not in fixed_fields and getattr(kept_player, name) == empty_value
    }
    return replace(kept_player, **{**copied_values, "paid": kept_player.paid + removed_player.paid})
