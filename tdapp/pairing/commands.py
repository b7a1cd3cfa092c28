"""Commands that change the draft of a round by hand, and the preview of their effect.

All commands except `pair_around` keep the tables of players who do not move. They update starts, reasons and
costs.
The ids of new rows start with `key`, a unique text from the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.bracket import (
    list_byes_replaceable_by_latecomer,
    list_players_in_pairing_order,
    list_stage_groups,
    make_latecomer_seed,
)
from tdapp.domain.commands import Command, find_command_id
from tdapp.domain.commands.rule import HIGHEST_TABLE, check_number_in_range, command
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import compute_bracket_round_and_game
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    ByeKind,
    DivisionId,
    Game,
    GameId,
    PlayerId,
    Round,
    RoundId,
    RoundState,
    Scalar,
    Stage,
)
from tdapp.domain.proposal import ProposedGame
from tdapp.domain.ruleset import MAX_TABLE_SIZE, USUAL_TABLE_SIZE
from tdapp.domain.stages import count_groups
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.teams import find_players_needing_game_or_bye
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_
from tdapp.pairing.field import FixedPair, build_pairing_field, make_fixed_pair
from tdapp.pairing.proposing import propose_given_pairs, propose_pairings
from tdapp.pairing.system import choose_starter
from tdapp.pairing.systems.knockout import assign_bracket_matches

DIRECTED = frozenset({"by-hand", "ordered"})  # reasons of tables that the director set

Pairs = list[tuple[PlayerId, PlayerId | None, int | None]]  # pairs (None: the bye) and their tables
Groups = list[tuple[int, tuple[PlayerId, ...]]]  # group tables with their players


def list_locked_pairs(index: TournamentIndex, division: DivisionId) -> tuple[FixedPair, ...]:
    drafts = [item for item in index.rounds(division) if item.state is RoundState.DRAFT]
    return tuple(
        make_fixed_pair(game, code=game.reason.code if game.reason and game.reason.code in DIRECTED else None)
        for item in drafts
        for game in index.games(item.id)
        if game.locked
    )


@command(N_("{player} and {other} swapped seats"))
def swap_players(
    tournament: Tournament, *, key: str, round: RoundId, player: PlayerId, other: PlayerId
) -> Tournament:
    swaps, index, item = (
        {player: other, other: player},
        TournamentIndex(tournament),
        _get_draft_or_refuse(tournament, round),
    )
    pairs: Pairs = [
        (swaps.get(first, first), swaps.get(second, second) if second else None, table)
        for first, second, table in _list_round_pairs(index, item)
    ]
    groups: Groups = [
        (table, tuple(swaps.get(member, member) for member in members))
        for table, members in _list_group_tables(index, item)
    ]
    seated_players = {end for pair in pairs for end in pair[:2]}.union(*(members for _, members in groups))
    if player == other or not {player, other} <= seated_players:
        raise CommandError(
            "not-in-round", player=_get_player_name(tournament, player), other=_get_player_name(tournament, other)
        )
    return _replace_draft(tournament, round, pairs, key=key, changed_players={player, other}, groups=groups)


@command(N_("Round {round}: {player} moved to table {table}"))
def move_to_table(tournament: Tournament, *, key: str, round: RoundId, player: PlayerId, table: int) -> Tournament:
    """Move a player of a draft to a table with up to three others, or to an empty table.

    The other players of the old table stay together. A single remaining player gets the bye.
    """
    index, item = TournamentIndex(tournament), _get_draft_or_refuse(tournament, round)
    check_number_in_range(table, "table", low=1, high=HIGHEST_TABLE)
    pairs, groups = _remove_player_from_tables(index, item, player)
    mates = next((players for number, players in groups if number == table), ())
    mates = mates or next(((first, second) for first, second, number in pairs if second and number == table), ())
    if len(mates) >= MAX_TABLE_SIZE:
        raise CommandError("too-many-at-table", players=len(mates) + 1, most=MAX_TABLE_SIZE)
    pairs = [pair for pair in pairs if pair[2] != table]
    groups = [group for group in groups if group[0] != table]
    _add_pair_or_group(pairs, groups, table, (*mates, player))
    return _replace_draft(tournament, round, pairs, key=key, changed_players={player, *mates}, groups=groups)


@command(N_("{player} paired by hand"))
def pair_by_hand(
    tournament: Tournament, *, key: str, round: RoundId, player: PlayerId, other: PlayerId | None = None
) -> Tournament:
    """Pair two players, or give `player` the bye. Their previous opponents are paired with each other.

    A single previous opponent gets the bye, or stays unpaired if another player has the bye.
    """
    if player == other:
        raise CommandError("against-himself", player=_get_player_name(tournament, player))
    new_pair = {player, other}
    pairs: Pairs = []
    opponents: list[PlayerId] = []
    tables: list[int | None] = []
    is_bye_free = False
    index, item = TournamentIndex(tournament), _get_draft_or_refuse(tournament, round)
    old_pairs, groups = _list_round_pairs(index, item), _list_group_tables(index, item)
    for end in (player, other):
        if end is not None and any(end in players for _, players in groups):
            old_pairs, groups = _remove_player_from_tables(index, item, end, old_pairs, groups)
    for first, second, table in old_pairs:
        ends = [end for end in (first, second) if end is not None]
        if not new_pair.intersection(ends) and not (other is None and second is None):
            pairs.append((first, second, table))
        else:
            tables += [table] if table is not None else []
            is_bye_free = is_bye_free or second is None
            opponents += [end for end in ends if end not in new_pair]
    tables += [None, None]
    pairs.append((player, other, tables[0]))
    if len(opponents) > 1:
        pairs.append((opponents[0], opponents[1], tables[1]))
    elif opponents and other and is_bye_free:
        pairs.append((opponents[0], None, None))
    changed_players = {player, *opponents, *([other] if other else [])}
    return _replace_draft(tournament, round, pairs, key=key, changed_players=changed_players, groups=groups)


@command(N_("{player} paired by hand, and the others paired again"))
def pair_around(
    tournament: Tournament, *, key: str, round: RoundId, player: PlayerId, other: PlayerId | None = None
) -> Tournament:
    """Pair two players, or give `player` the bye. All other players are paired again, except at locked tables."""
    item = _get_draft_or_refuse(tournament, round)
    if player == other:
        raise CommandError("against-himself", player=_get_player_name(tournament, player))
    index = TournamentIndex(tournament)
    division = index.get_division_of_round(round).id
    locked_pairs = [
        pair for pair in list_locked_pairs(index, division) if not {player, other} & {pair.first, pair.second}
    ]
    requested_pair = FixedPair(player, other, code="by-hand")
    proposal = propose_pairings(
        index,
        division,
        fixed_pairs=[requested_pair, *locked_pairs],
        source_round=item.source,
        assumed=item.assumed,
    )
    return commands.propose_round(tournament, key=key, proposal=proposal)


@command(N_("Round {round}: {first_name} – {second_name} removed from the draft"))
def unpair_game(tournament: Tournament, *, key: str, game: GameId) -> Tournament:
    row = tournament.games.get(game)
    if row is None:
        raise CommandError("game-gone", id=game)
    unpaired_players = {row.first, row.second}
    pairs = [
        pair
        for pair in _list_round_pairs(TournamentIndex(tournament), _get_draft_or_refuse(tournament, row.round))
        if pair[0] not in unpaired_players
    ]
    groups = _list_group_tables(TournamentIndex(tournament), tournament.rounds[row.round])
    return _replace_draft(tournament, row.round, pairs, key=key, changed_players=set(), groups=groups)


@command(N_("Round {round}: late player {player} seated"))
def seat_latecomer(
    tournament: Tournament, *, key: str, round: RoundId, player: PlayerId, starter: PlayerId | None = None
) -> Tournament:
    """Give a latecomer a place in a published round.

    The latecomer plays the player with the bye. Without a bye, a table of three without results becomes two
    tables of two. If the rules prefer more than two players at a table, the latecomer joins the smallest table
    without results. If `starter` is None, the balance of starts decides who starts.
    """
    table = find_group_table_for_latecomer(TournamentIndex(tournament), round, player)
    if table:
        return _seat_latecomer_at_group_table(tournament, key, round, player, table)
    if starter is None:
        starter = _choose_starter_against_bye_player(tournament, round, player)
    return commands.seat_latecomer(tournament, key=key, round=round, player=player, starter=starter)


def find_round_and_seatable_latecomer(index: TournamentIndex, stage: Stage) -> tuple[Round, PlayerId] | None:
    """Return the last published round of a stage, and a latecomer who can still join this round.

    A latecomer is a checked-in player without a table. Return None if no player can join.
    """
    last_rounds = [item for item in index.list_published_rounds(stage.division)[-1:] if item.stage == stage.id]
    return next(
        ((item, player) for item in last_rounds for player in list_latecomers_who_can_get_table(index, item)), None
    )


def list_latecomers_who_can_get_table(index: TournamentIndex, round_row: Round) -> tuple[PlayerId, ...]:
    """Return the checked-in players without a table who can still join a running round."""
    if not index.list_open_tables(round_row.id):
        return ()
    absentees = {bye.player for bye in index.byes(round_row.id) if bye.kind in {ByeKind.ABSENT, ByeKind.FORFEIT}}
    seated_players = index.find_players_with_game_bye_or_seat(round_row.id) - absentees
    return tuple(
        player.id
        for player in index.players(index.get_division_of_round(round_row.id).id)
        if player.checked_in
        and player.id not in seated_players
        and index.find_absence(player.id, round_row.number + 1) is None
        and (
            list_byes_replaceable_by_latecomer(index, round_row, player.id)
            or find_group_table_for_latecomer(index, round_row.id, player.id)
        )
    )


def find_group_table_for_latecomer(index: TournamentIndex, round: RoundId, player: PlayerId) -> int:
    """Return the number of the group table (not a table of two) that a latecomer can join, or 0.

    The table must have no results. If the latecomer can play the player with the bye, return 0.
    """
    item = index.tournament.rounds.get(round)
    if item is None or list_byes_replaceable_by_latecomer(index, item, player):
        return 0
    if index.find_player_game(round, player) is not None or index.find_player_seat(round, player) is not None:
        return 0
    prefer = index.tournament.get_ruleset_of_row(item).tables.prefer
    last_rounds = index.list_published_rounds(index.get_division_of_round(item.id).id)[-1:]
    sizes = {
        USUAL_TABLE_SIZE: range(USUAL_TABLE_SIZE + 1, USUAL_TABLE_SIZE + 2),
        0: range(1, len(index.players(index.get_division_of_round(item.id).id))),
    }
    fitting_sizes = sizes.get(prefer, range(USUAL_TABLE_SIZE + 1, MAX_TABLE_SIZE))
    tables = [
        seats
        for seats in index.list_seats_by_table(item.id)
        if len(seats) in fitting_sizes and all(seat.state is None for seat in seats)
    ]
    smallest = min(tables, key=len, default=())
    return smallest[0].table if smallest and (prefer != USUAL_TABLE_SIZE or item in last_rounds) else 0


def _seat_latecomer_at_group_table(
    tournament: Tournament, key: str, round: RoundId, player: PlayerId, table: int
) -> Tournament:
    index, item = TournamentIndex(tournament), tournament.rounds[round]
    if tournament.get_ruleset_of_row(item).tables.prefer != USUAL_TABLE_SIZE:
        return commands.add_latecomer_to_group_table(tournament, key=key, round=round, player=player, table=table)
    four_players = {player, *(seat.player for seat in index.seats(round) if seat.table == table)}
    division = index.get_division_of_round(round).id
    playing_players = four_players | {end for game in index.games(round) for end in (game.first, game.second)}
    other_players = [row for row in index.players(division) if row.id not in playing_players]
    absences = [Absence(AbsenceId(f"then.{row.id}"), row.id, item.number, item.number) for row in other_players]
    returning_players = {player, *(row.id for row in other_players)}
    present = tournament.drop(*(absence for row in returning_players for absence in index.absences(row)))
    present = present.drop_with_children(*(row for row in index.rounds(division) if row.number >= item.number))
    checked_in = (replace(row, checked_in=row.id in playing_players) for row in index.players(division))
    present = present.put(*checked_in, *absences)
    fixed_pairs = [make_fixed_pair(game) for game in index.games(round)]
    proposal = propose_pairings(
        TournamentIndex(present), division, fixed_pairs=fixed_pairs, source_round=item.source, assumed=item.assumed
    )
    pairs = ((game.first, game.second) for game in proposal.games)
    first_pair, second_pair = (pair for pair in pairs if four_players.issuperset(pair))
    return commands.split_table_of_three(
        tournament, key=key, round=round, player=player, table=table, games=(first_pair, second_pair)
    )


def _choose_starter_against_bye_player(tournament: Tournament, round: RoundId, player: PlayerId) -> PlayerId:
    index = TournamentIndex(tournament)
    item = tournament.rounds.get(round)
    byes = list_byes_replaceable_by_latecomer(index, item, player) if item else ()
    if item is None or not byes:
        raise CommandError("nobody-has-bye", round=item.number if item else 0)
    opponent = byes[0].player
    present = tournament.drop(*index.absences(player), *index.absences(opponent))
    if tournament.stages[item.stage].evening:
        present_players = (replace(tournament.players[end], checked_in=True) for end in (player, opponent))
        present = present.put(replace(item, state=RoundState.DRAFT), *present_players)
    if byes[0].match is not None:
        present = present.put(make_latecomer_seed(index, item, player, byes[0]))
    field = build_pairing_field(TournamentIndex(present), item.stage, number=item.number, source=item.number - 1)
    entrants = {entrant.player: entrant for entrant in field.entrants}
    if player not in entrants:
        return opponent  # the domain command refuses absent players
    return choose_starter(field, entrants[player], entrants[opponent]).player


def list_unpaired_players(index: TournamentIndex, round_row: Round) -> tuple[PlayerId, ...]:
    """Return the present players without a game or bye in a round, by rank."""
    division = index.get_division_of_round(round_row.id)
    seated_players = {end for pair in _list_round_pairs(index, round_row) for end in pair[:2]}
    seated_players |= {seat.player for seat in index.seats(round_row.id)}
    expected_players = find_players_needing_game_or_bye(index, round_row)
    return tuple(
        player.id
        for player in list_players_in_pairing_order(index, division, round_row.number - 1)
        if player.id in expected_players
        and player.id not in seated_players
        and index.find_absence(player.id, round_row.number) is None
    )


def _get_draft_or_refuse(tournament: Tournament, round_id: RoundId) -> Round:
    item = tournament.rounds.get(round_id)
    if item is None:
        raise CommandError("no-such-draft", id=round_id)
    if item.state is RoundState.PUBLISHED:
        raise CommandError("round-already-published", round=item.number)
    return item


def _list_round_pairs(index: TournamentIndex, round_row: Round) -> Pairs:
    pairs: Pairs = [(game.first, game.second, game.table) for game in index.games(round_row.id)]
    pairs += [
        (bye.player, None, None)
        for bye in index.byes(round_row.id)
        if index.find_absence(bye.player, round_row.number) is None
    ]
    return pairs


def _list_group_tables(index: TournamentIndex, round_row: Round) -> Groups:
    tables = index.list_seats_by_table(round_row.id)
    return [(seats[0].table, tuple(seat.player for seat in seats)) for seats in tables]


def _remove_player_from_tables(
    index: TournamentIndex,
    round_row: Round,
    player: PlayerId,
    pairs: Pairs | None = None,
    groups: Groups | None = None,
) -> tuple[Pairs, Groups]:
    pairs = _list_round_pairs(index, round_row) if pairs is None else pairs
    groups = _list_group_tables(index, round_row) if groups is None else groups
    new_pairs: Pairs = []
    for first, second, table in pairs:
        opponents = [end for end in (first, second) if end not in {None, player}]
        if player not in {first, second}:
            new_pairs.append((first, second, table))
        elif opponents and opponents[0]:
            new_pairs.append((opponents[0], None, None))
    new_groups: Groups = []
    for table, players in groups:
        if player in players:
            members = tuple(member for member in players if member != player)
            _add_pair_or_group(new_pairs, new_groups, table, members)
        else:
            new_groups.append((table, players))
    return new_pairs, new_groups


def _add_pair_or_group(pairs: Pairs, groups: Groups, table: int, players: tuple[PlayerId, ...]) -> None:
    if len(players) == 2:  # noqa: PLR2004 - a duel
        pairs.append((players[0], players[1], table))
    elif players:
        groups.append((table, players))


def _replace_draft(
    tournament: Tournament,
    round_id: RoundId,
    pairs: Pairs,
    *,
    key: str,
    changed_players: set[PlayerId],
    groups: Sequence[tuple[int, tuple[PlayerId, ...]]] = (),
) -> Tournament:
    index = TournamentIndex(tournament)
    item = tournament.rounds[round_id]
    _refuse_draft_change_during_game_series(index, item)
    games = {frozenset({game.first, game.second}): game for game in index.games(round_id)}
    fixed_pairs = []
    for first, second, table in pairs:
        game = games.get(frozenset({first, second})) if second else None
        if game is not None and not changed_players & {first, second}:
            fixed_pairs.append(make_fixed_pair(game, locked=game.locked))
        else:
            fixed_pairs.append(FixedPair(first, second, table if second else None, code="by-hand"))
    division = index.get_division_of_round(round_id).id
    proposal = propose_given_pairs(
        index, division, item.number, fixed_pairs, source_round=item.source, assumed=item.assumed, groups=groups
    )
    reasons = {frozenset(seat.player for seat in seats): seats[0].reason
               for seats in index.list_seats_by_table(round_id)}  # fmt: skip
    new_seats = tuple(
        replace(seat, reason=reasons.get(frozenset(dict(groups)[seat.table])) or seat.reason)
        if seat.position == 1
        else seat
        for seat in proposal.seats
    )
    new_games = tuple(
        _copy_reason_and_starter_from_game(game, games.get(frozenset({game.first, game.second})))
        for game in proposal.games
    )
    bye_reasons = {bye.player: bye.reason for bye in index.byes(round_id) if bye.player not in changed_players}
    new_byes = tuple(replace(bye, reason=bye_reasons.get(bye.player) or bye.reason) for bye in proposal.byes)
    proposal = replace(proposal, games=new_games, byes=new_byes, seats=new_seats)
    if get_pairing_system(tournament.stages[item.stage]).is_knockout:
        proposal = assign_bracket_matches(index, item, proposal)
    return commands.propose_round(tournament, key=key, proposal=proposal)


def _refuse_draft_change_during_game_series(index: TournamentIndex, round_row: Round) -> None:
    stage = index.tournament.stages[round_row.stage]
    length = stage.settings.series
    _, game = compute_bracket_round_and_game(round_row.number - index.get_first_round_number(stage.id) + 1, length)
    if get_pairing_system(stage).is_knockout and game > 1:
        raise CommandError("series-under-way", round=round_row.number, game=game, games=length)


def _copy_reason_and_starter_from_game(proposed_game: ProposedGame, game: Game | None) -> ProposedGame:
    if game is None:
        return proposed_game
    start = game.start if game.first == proposed_game.first else proposed_game.start
    return replace(proposed_game, reason=game.reason or proposed_game.reason, start=start)


def _get_player_name(tournament: Tournament, player: PlayerId) -> str:
    row = tournament.players.get(player)
    return row.name if row else str(player)


PAIRING_COMMANDS: Mapping[str, Command] = {
    find_command_id(item): item
    for item in (swap_players, move_to_table, pair_by_hand, pair_around, unpair_game, seat_latecomer)
}


# Criteria shown as a number of tables; others are shown as sums.
BY_TABLE = ("repeats", "guard", "floats", "apart", "avoid")


class PreviewedGame(Struct, frozen=True):
    """A game that a command would put into the draft."""

    table: int
    first: PlayerId
    second: PlayerId
    better_score: Fraction
    worse_score: Fraction
    meetings: int  # earlier meetings
    costs: tuple[str, ...]  # criteria of BY_TABLE that cost something at this table


class DraftChangePreview(Struct, frozen=True):
    """The effect of a command on the draft of a round."""

    cost: tuple[tuple[str, int], ...]  # increase by criterion; negative is better
    table_counts: tuple[tuple[str, int, int], ...]  # by criterion: number of tables with a cost, before and after
    score_gaps: tuple[Fraction, Fraction]  # sum of score differences, before and after
    bye: tuple[PlayerId | None, PlayerId | None]  # before and after
    tables: tuple[PreviewedGame, ...]  # the changed games
    cross_group_increase: int = 0  # increase in tables with players of different groups
    unpaired_players: tuple[PlayerId, ...] = ()  # players who lose their game without a bye

    @property
    def sign_of_cost_change(self) -> int:
        """Negative if the change makes the draft better, positive if worse, 0 if equal."""
        if self.cross_group_increase:
            return self.cross_group_increase
        return next((1 if increase > 0 else -1 for _, increase in self.cost if increase), 0)


def preview_command(
    tournament: Tournament, round_id: RoundId, command: Callable[[Tournament], Tournament]
) -> DraftChangePreview:
    """Return how `command` would change the draft of a round. Raises the errors of the command."""
    before, after = TournamentIndex(tournament), TournamentIndex(command(tournament))
    old, new = ([_make_previewed_game(game) for game in index.games(round_id)] for index in (before, after))
    old_pairs = {frozenset({game.first, game.second}) for game in old}
    costs = dict(tournament.rounds[round_id].cost)
    earlier_unpaired = list_unpaired_players(before, tournament.rounds[round_id])
    return DraftChangePreview(
        cost=tuple((name, cost - costs.get(name, 0)) for name, cost in after.tournament.rounds[round_id].cost),
        table_counts=tuple(
            (name, _count_games_with_cost(old, name), _count_games_with_cost(new, name)) for name in BY_TABLE
        ),
        score_gaps=(_sum_score_gaps(old), _sum_score_gaps(new)),
        bye=(_find_bye_player(before, round_id), _find_bye_player(after, round_id)),
        tables=tuple(game for game in new if frozenset({game.first, game.second}) not in old_pairs),
        cross_group_increase=_count_games_between_stage_groups(before, new, round_id)
        - _count_games_between_stage_groups(before, old, round_id),
        unpaired_players=tuple(
            player
            for player in list_unpaired_players(after, after.tournament.rounds[round_id])
            if player not in earlier_unpaired
        ),
    )


def _count_games_between_stage_groups(
    index: TournamentIndex, games: Sequence[PreviewedGame], round_id: RoundId
) -> int:
    stage = index.tournament.stages[index.tournament.rounds[round_id].stage]
    groups = list_stage_groups(index, stage) if count_groups(stage) > 1 else ()
    group_of = {player: number for number, group in enumerate(groups) for player in group}
    return sum(group_of.get(game.first) != group_of.get(game.second) for game in games)


def _count_games_with_cost(games: Sequence[PreviewedGame], name: str) -> int:
    return sum(name in game.costs for game in games)


def _sum_score_gaps(games: Sequence[PreviewedGame]) -> Fraction:
    return sum((abs(game.better_score - game.worse_score) for game in games), Fraction())


def _make_previewed_game(game: Game) -> PreviewedGame:
    facts: dict[str, Scalar] = dict(game.reason.facts) if game.reason else {}
    costs = dict(game.reason.cost) if game.reason else {}
    return PreviewedGame(
        table=game.table,
        first=game.first,
        second=game.second,
        better_score=Fraction(facts.get("better_score") or 0),
        worse_score=Fraction(facts.get("worse_score") or 0),
        meetings=int(facts.get("meetings") or 0),
        costs=tuple(name for name, cost in costs.items() if cost and name in BY_TABLE),
    )


def _find_bye_player(index: TournamentIndex, round_id: RoundId) -> PlayerId | None:
    return next((bye.player for bye in index.list_byes_for_lack_of_opponent(round_id)), None)
