"""The interface of pairing systems, and the conversion of their pairs to a proposal.

A game gets the first possible table of this list. If two games want the same table, the game of the better placed
player gets it.

1. the table set by the director
2. a player's fixed table
3. an accessible table, if a player needs one
4. a player's table of the last round
5. the lowest free number

The first of these rules with a result decides who starts a game:

1. The player with the lower balance starts: games going first minus games going second.
2. Find the last round in which the two players had different roles (first or second), against any opponents. The
   player who went second starts.
3. Some rule sets give a player a role for a forfeit. If a player forfeited a game against this opponent, the
   player gets the opposite role.
4. A random number from the seed decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from operator import attrgetter, itemgetter

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.bracket import generate_random_bits
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, PairingReason, PlayerId, Scalar, Stage, StartDecision, TableGroup
from tdapp.domain.pairing_settings import ScoreGroupPairing
from tdapp.domain.proposal import Proposal, ProposedBye, ProposedGame, ProposedSeat
from tdapp.domain.seating import iterate_tables_in_order_of_use, list_tables_of_group
from tdapp.domain.systems import PairingSystem
from tdapp.domain.translatable import N_
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.field import Entrant, FixedPair, PairingField, ProgressCallback, ignore_progress


class TableWishesForGame(Struct, frozen=True):
    """The tables that the players of one game want. In each tuple, the best-ranked player's table is first."""

    director_table: int | None = None
    fixed_tables: tuple[int, ...] = ()
    needs_access: bool = False
    last_tables: tuple[int, ...] = ()  # of the players in the last round


def assign_tables(
    game_wishes: Sequence[TableWishesForGame], first_table: int, table_groups: Sequence[TableGroup] = ()
) -> tuple[int, ...]:
    """Return a table number for each game. In `game_wishes`, games with better-ranked players must come first.

    A game without a fulfilled wish gets the first free table: an ordinary table of `table_groups`, then an
    accessible table, then the next higher number. Without table groups, the numbers start at `first_table`.
    """
    accessible = [table for group in table_groups if group.accessible for table in list_tables_of_group(group)]
    tables = _assign_wished_tables(
        [() if wishes.director_table is None else (wishes.director_table,) for wishes in game_wishes], {}
    )
    tables = _assign_wished_tables([wishes.fixed_tables for wishes in game_wishes], tables)
    tables = _assign_wished_tables([accessible if wishes.needs_access else () for wishes in game_wishes], tables)
    tables = _assign_wished_tables([wishes.last_tables for wishes in game_wishes], tables)
    used_tables = set(tables.values())
    all_tables = iterate_tables_in_order_of_use(table_groups, accessible, first_table)
    free_tables = (table for table in all_tables if table not in used_tables)
    return tuple(tables[game] if game in tables else next(free_tables) for game in range(len(game_wishes)))


def has_unmet_access_need(
    game_wishes: Sequence[TableWishesForGame], tables: Sequence[int], table_groups: Sequence[TableGroup]
) -> bool:
    accessible = {table for group in table_groups if group.accessible for table in list_tables_of_group(group)}
    pairs = zip(game_wishes, tables, strict=True)
    return bool(accessible) and any(wishes.needs_access and table not in accessible for wishes, table in pairs)


def _assign_wished_tables(wishes: Sequence[Iterable[int]], tables: dict[int, int]) -> dict[int, int]:
    tables = dict(tables)
    used_tables = set(tables.values())
    for game, wished_tables in enumerate(wishes):
        if game in tables:
            continue
        table = next((table for table in wished_tables if table not in used_tables), None)
        if table is not None:
            tables[game] = table
            used_tables.add(table)
    return tables


def choose_starter(field: PairingField, player: Entrant, opponent: Entrant) -> Entrant:
    """Return the player who goes first. The module docstring has the rule."""
    if difference := player.start_balance - opponent.start_balance:
        return opponent if difference > 0 else player
    for number in sorted(player.starts_by_round.keys() & opponent.starts_by_round.keys(), reverse=True):
        if player.starts_by_round[number] != opponent.starts_by_round[number]:
            return opponent if player.starts_by_round[number] else player
    for number in sorted(player.meetings.get(opponent.player, ()), reverse=True):
        # in a forfeited game only one of them may have a role
        for end, other_end in ((player, opponent), (opponent, player)):
            if number in end.starts_by_round:
                return other_end if end.starts_by_round[number] else end
    lower, higher = sorted((player, opponent), key=lambda entrant: entrant.number)
    return lower if generate_random_bits(field.seed, field.number, lower.number, higher.number) % 2 else higher


Facts = tuple[tuple[str, Scalar], ...]


# The sentences of the reasons that several systems give, by code. The values for all games are better_place and
# worse_place (ranks in the standings), better_score and worse_score (exact match points, such as "7/2"), and
# meetings (the number of earlier meetings).
COMMON_REASONS: Mapping[str, str] = {
    "same-score": N_("Equal scores: place {better_place} against {worse_place}, both {better_score:points}"),
    "float": N_(
        "Between score groups: place {better_place} with {better_score:points} against "
        "{worse_place} with {worse_score:points}"
    ),
    "repeat": N_("They meet again (earlier meetings: {meetings}): no other pairing was better overall"),
    "fixed": N_("Kept from the earlier pairing"),
    "by-hand": N_("Paired by hand"),
    "ordered": N_("Required by the director"),
    "latecomer": N_("Player {late} arrived late and met the player with the bye"),
    "latecomer-split": N_("Player {late} arrived late: the table of three became two tables of two"),
    "latecomer-joined": N_("Player {late} arrived late and joined this table"),
    "table-by-hand": N_("Table of {players}, set by hand"),
    "table-alone": N_("Plays alone at a table"),
    "table-all": N_("All players at one table"),
    "table-repeat": N_(
        "Table of {players}: some players meet again (earlier meetings this evening: {meetings}); "
        "no other seating was better overall"
    ),
    "table-odd-again": N_(
        "Table of {players}: some of these players are again at a table of unusual size this "
        "evening; no other seating was better overall"
    ),
    "table-odd-first": N_("Table of {players}: none of these players has been at a table of unusual size before"),
    "table-odd-rotation": N_(
        "Table of {players}: it was these players’ turn for a table of unusual size (earlier times: {before})"
    ),
    "table-preferred": N_("Table of {players}: no two of these players have met yet this evening"),
}
# The reasons of a bye. Their values are the score, the player's earlier byes and the fewest byes of any player.
BYE_REASONS: Mapping[str, str] = {
    "bye-lowest": N_("the lowest score among those with the fewest byes"),
    "bye-above": N_(
        "a bye for a lower-ranked player would have caused a repeat pairing or a larger score difference"
    ),
    "bye-dearer": N_(
        "a bye for a lower-ranked player would have made this criterion worse: {criterion:criterion} {more:signed}"
    ),
    "bye-again": N_("has had a bye before: no other pairing was better overall"),
    "bye-turn": N_("no opponent in this round of the round robin"),
    "bye-board": N_("the other team has no player at this board"),
    "bye-bracket": N_("no opponent in the bracket"),
    "bye-decided": N_("this player’s place is decided: no game can change it"),
    "by-hand": COMMON_REASONS["by-hand"],
    "ordered": COMMON_REASONS["ordered"],
}


class PlannedPair(Struct, frozen=True):
    """A planned pair or bye. Players are positions in the field."""

    position: int
    opponent: int | None  # None: the bye
    code: str | None = None  # reason of the pair; None: a reason by the scores
    facts: Facts = ()
    order: int = 0  # in which tables are assigned; equal: by rank
    match: int | None = None
    first: int | None = None  # the starter, if the system decides it
    fixed_pair: FixedPair | None = None
    draw: bool = False  # the tiles decide who starts


class PlannedGroupTable(Struct, frozen=True):
    """A planned table of three or four players."""

    positions: tuple[int, ...]
    reason: tuple[str, Facts]  # code, and values for its sentence
    cost: tuple[tuple[str, int], ...] = ()
    table: int | None = None  # None: the program chooses it


class PairingPlan(Struct, frozen=True):
    """The pairs and group tables of a round, as a pairing system made them."""

    pairs: tuple[PlannedPair, ...]
    relaxed: tuple[str, ...] = ()
    expected_players: frozenset[PlayerId] | None = None  # players whose absence is recorded; None: all
    tables: tuple[PlannedGroupTable, ...] = ()  # group tables
    cost: tuple[tuple[str, int], ...] | None = None  # total of the round, only with group tables


class PairingInput(Struct, frozen=True):
    """The input of a pairing system for one round."""

    index: TournamentIndex
    stage: Stage
    field: PairingField
    progress: ProgressCallback = ignore_progress

    @property
    def stage_round(self) -> int:
        """The number of the round within its stage, from 1."""
        return self.field.number - self.index.get_first_round_number(self.stage.id) + 1


class PairingMethod(Struct, frozen=True):
    """The functions and settings of a pairing system."""

    system: PairingSystem
    plan_pairs: Callable[[PairingInput], PairingPlan]
    # returns the round whose standings are used for a round of a stage
    find_source: Callable[[TournamentIndex, Stage, int], int]
    criteria: tuple[str, ...] = ()
    style: ScoreGroupPairing | None = None  # overrides the director's choice
    reasons: Mapping[str, str] = field(default_factory=dict)
    count_rounds: Callable[[int], int] | None = None  # by number of players; None: the director chooses
    # the pairs of each planned round, the starter first, None for a bye
    list_pairs_by_round: (
        Callable[[TournamentIndex, Stage], Iterator[tuple[tuple[PlayerId, PlayerId | None], ...]]] | None
    ) = None

    @property
    def id(self) -> str:
        return self.system.id


def get_previous_round_number(_index: TournamentIndex, _stage: Stage, number: int) -> int:
    return number - 1


def get_last_round_number_before_stage(index: TournamentIndex, stage: Stage, _number: int) -> int:
    return index.get_first_round_number(stage.id) - 1


def list_fixed_pairs(field: PairingField) -> tuple[PlannedPair, ...]:
    positions = field.map_player_positions()
    return tuple(
        PlannedPair(
            positions[fixed_pair.first],
            None if fixed_pair.second is None else positions[fixed_pair.second],
            code=fixed_pair.code,
            fixed_pair=fixed_pair,
        )
        for fixed_pair in field.fixed_pairs
    )


def list_positions_without_fixed_pair(field: PairingField) -> Ints:
    taken_positions = {position for pair in list_fixed_pairs(field) for position in (pair.position, pair.opponent)}
    free_positions = [position for position in range(len(field.entrants)) if position not in taken_positions]
    return np.array(free_positions, dtype=np.int64)


def apply_fixed_pairs(pairs: Sequence[PlannedPair], fixed_pairs: Sequence[PlannedPair]) -> tuple[PlannedPair, ...]:
    """Return `pairs`, changed to contain all fixed pairs.

    Example: `pairs` contains A-B and C-D, and A-C is a fixed pair. The result contains A-C and B-D. New pairs take
    the bracket places of the removed pairs. All other pairs keep their bracket places.
    """
    missing_pairs = {frozenset((pair.position, pair.opponent)): pair for pair in fixed_pairs}
    fixed_positions = {position for pair in fixed_pairs for position in (pair.position, pair.opponent)}
    changed_pairs, freed_matches, freed_positions = [], [], []
    for pair in pairs:
        fixed_pair = missing_pairs.pop(frozenset((pair.position, pair.opponent)), None)
        ends = [position for position in (pair.position, pair.opponent) if position is not None]
        if fixed_pair is not None:
            changed_pairs.append(replace(pair, fixed_pair=fixed_pair.fixed_pair))
        elif fixed_positions.intersection(ends):
            freed_matches.append(pair)
            freed_positions += [position for position in ends if position not in fixed_positions]
        else:
            changed_pairs.append(pair)
    freed_positions.sort()
    freed_pairs = zip_longest(freed_positions[::2], freed_positions[1::2])
    new_pairs = [PlannedPair(position, opponent, "by-hand") for position, opponent in freed_pairs]
    for pair in [*missing_pairs.values(), *new_pairs]:
        match = freed_matches.pop(0) if freed_matches else PlannedPair(pair.position, pair.opponent)
        changed_pairs.append(replace(pair, order=match.order, match=match.match))
    return tuple(changed_pairs)


def make_pairing_proposal(
    field: PairingField, plan: PairingPlan, criterion_names: Sequence[str], *, based_on: str
) -> Proposal:
    pairs = [_put_higher_ranked_player_first(pair) for pair in plan.pairs]
    pairs.sort(key=lambda pair: (pair.order, pair.position))
    cost = _compute_pair_costs(
        field, pairs, criteria.adapt_criteria_if_club_evening(criterion_names, field) if criterion_names else ()
    )
    # a game is an index into `pairs`, or a group table
    games_by_order: list[tuple[tuple[int, int], int | PlannedGroupTable]] = [
        ((pair.order, pair.position), index) for index, pair in enumerate(pairs) if pair.opponent is not None
    ]
    games_by_order += [((0, table.positions[0]), table) for table in plan.tables]
    games = [game for _, game in sorted(games_by_order, key=itemgetter(0))]
    game_wishes = [
        _make_table_wishes_of_pair(field, pairs[game])
        if isinstance(game, int)
        else _make_group_table_wishes(field, game)
        for game in games
    ]
    numbers = assign_tables(game_wishes, field.first_table, field.table_groups)
    proposed_games: list[ProposedGame] = []
    seats: list[ProposedSeat] = []
    for game, table in zip(games, numbers, strict=True):
        if isinstance(game, int):
            proposed_games.append(_make_game(field, pairs[game], table=table, cost=cost[game]))
        else:
            seats += _make_seats(field, game, table)
    totals = {column[0][0]: sum(value for _, value in column) for column in zip(*cost, strict=True)}
    repeats = ("repeats",) if totals.get("repeats") else ()
    access = ("no-accessible-table",) if has_unmet_access_need(game_wishes, numbers, field.table_groups) else ()
    unmet = any({*wishes.fixed_tables} - {table} for wishes, table in zip(game_wishes, numbers, strict=True))
    wishes = (*access, "fixed-table-taken") if unmet else access
    return Proposal(
        stage=field.stage,
        number=field.number,
        games=tuple(sorted(proposed_games, key=attrgetter("table"))),
        byes=tuple(
            ProposedBye(
                field.entrants[pair.position].player,
                ByeKind.BYE,
                match=pair.match,
                reason=_make_bye_reason(field, pair),
            )
            for pair in pairs
            if pair.opponent is None
        ),
        based_on=based_on,
        cost=tuple(totals.items()) if plan.cost is None else plan.cost,
        relaxed=repeats + wishes + plan.relaxed,
        seats=tuple(sorted(seats, key=lambda seat: (seat.table, seat.position))),
    )


def _make_group_table_wishes(field: PairingField, table: PlannedGroupTable) -> TableWishesForGame:
    ends = [field.entrants[position] for position in table.positions]
    return TableWishesForGame(
        director_table=table.table,
        fixed_tables=tuple(entrant.fixed_table for entrant in ends if entrant.fixed_table is not None),
        needs_access=any(entrant.needs_access for entrant in ends),
        last_tables=tuple(entrant.last_table for entrant in ends if entrant.last_table is not None),
    )


def _make_seats(field: PairingField, planned_table: PlannedGroupTable, table: int) -> list[ProposedSeat]:
    reason = PairingReason(*planned_table.reason, planned_table.cost)
    return [
        ProposedSeat(table, number, field.entrants[position].player, reason if number == 1 else None)
        for number, position in enumerate(planned_table.positions, start=1)
    ]


def _put_higher_ranked_player_first(pair: PlannedPair) -> PlannedPair:
    if pair.opponent is None or pair.position < pair.opponent:
        return pair
    return replace(pair, position=pair.opponent, opponent=pair.position)


def _compute_pair_costs(
    field: PairingField, pairs: Sequence[PlannedPair], criterion_names: Sequence[str]
) -> list[tuple[tuple[str, int], ...]]:
    cost_names = [name for name in criterion_names if name != "chance"]
    if not (pairs and cost_names):
        return [()] * len(pairs)
    count = len(field.entrants)
    upper = np.array([pair.position for pair in pairs], dtype=np.int64)
    lower = np.array([count if pair.opponent is None else pair.opponent for pair in pairs], dtype=np.int64)
    costs = criteria.compute_pair_costs_by_criterion(
        criteria.get_pairing_field_arrays(field), upper, lower, order=cost_names
    )
    rows = zip(*(column.tolist() for column in costs.values()), strict=True)
    return [tuple(zip(costs, row, strict=True)) for row in rows]


def _list_pair_entrants(field: PairingField, pair: PlannedPair) -> list[Entrant]:
    return [field.entrants[position] for position in (pair.position, pair.opponent) if position is not None]


def _make_table_wishes_of_pair(field: PairingField, pair: PlannedPair) -> TableWishesForGame:
    ends = _list_pair_entrants(field, pair)
    return TableWishesForGame(
        director_table=pair.fixed_pair.table if pair.fixed_pair else None,
        fixed_tables=tuple(entrant.fixed_table for entrant in ends if entrant.fixed_table is not None),
        needs_access=any(entrant.needs_access for entrant in ends),
        last_tables=tuple(entrant.last_table for entrant in ends if entrant.last_table is not None),
    )


def _make_game(
    field: PairingField, pair: PlannedPair, *, table: int, cost: tuple[tuple[str, int], ...]
) -> ProposedGame:
    better, worse = _list_pair_entrants(field, pair)
    is_start_drawn = field.settings.draw_starts or pair.draw
    if pair.fixed_pair is not None and pair.fixed_pair.keep_start:
        first = pair.fixed_pair.first
    elif pair.first is not None and not is_start_drawn:
        first = field.entrants[pair.first].player
    else:
        first = better.player if is_start_drawn else choose_starter(field, better, worse).player
    return ProposedGame(
        table=table,
        first=first,
        second=worse.player if first == better.player else better.player,
        start=StartDecision.DRAW if is_start_drawn else StartDecision.ASSIGNED,
        locked=pair.fixed_pair is not None and pair.fixed_pair.locked,
        match=pair.match,
        reason=_make_pairing_reason(field, pair, cost),
    )


def _make_pairing_reason(
    field: PairingField, pair: PlannedPair, cost: tuple[tuple[str, int], ...]
) -> PairingReason:
    better, worse = _list_pair_entrants(field, pair)
    rounds = better.meetings.get(worse.player, ())
    meetings = field.count_rounds_of_current_evening(rounds)
    code = pair.code
    if code is None:
        code = "repeat" if dict(cost).get("repeats") else "same-score" if better.score == worse.score else "float"
    facts: Facts = (
        ("better_place", better.rank),
        ("worse_place", worse.rank),
        ("better_score", better.points),
        ("worse_score", worse.points),
        ("meetings", meetings),
    )
    if field.is_evening and not meetings:
        earlier_evenings = [field.evenings[number] for number in rounds if field.evenings[number].evenings_ago]
        facts += (
            ("season", len(earlier_evenings)),
            ("last", earlier_evenings[-1].date if earlier_evenings else ""),
        )
    return PairingReason(code, facts + pair.facts, cost)


def _make_bye_reason(field: PairingField, pair: PlannedPair) -> PairingReason:
    bye_player = field.entrants[pair.position]
    fewest_byes = min(entrant.byes for entrant in field.entrants)
    lowest_score = min(entrant.score for entrant in field.entrants if entrant.byes == fewest_byes)
    if pair.fixed_pair is not None and pair.fixed_pair.code is not None:
        code = pair.fixed_pair.code
    elif pair.code is not None and pair.code in BYE_REASONS:
        code = pair.code
    elif pair.match is not None:
        code = "bye-bracket"
    elif bye_player.byes > fewest_byes:
        code = "bye-again"
    else:
        code = "bye-lowest" if bye_player.score <= lowest_score else "bye-dearer" if pair.facts else "bye-above"
    facts = pair.facts if code == "bye-dearer" else ()
    season = (("earlier_byes", bye_player.earlier_byes),) if field.is_evening else ()
    return PairingReason(
        code, (("score", bye_player.points), ("byes", bye_player.byes), ("fewest", fewest_byes), *season, *facts)
    )
