"""The interface of pairing systems, and the conversion of their pairs to a proposal.

A game gets the first possible table in this order: the table set by the director, a player's fixed table, an
accessible table if a player needs one, a player's table of the last round, the lowest free number. If two players
wish the same table, the better placed player gets it.

The player with the lower balance (starts minus replies) starts. If the balances are equal, take the last round in
which one of the two started and the other replied, otherwise their last meeting: the replier of that round starts.
Without such a round, a draw from the seed decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.bracket import draw_random_bits
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, PairingReason, PlayerId, Scalar, Stage, Start, TableGroup
from tdapp.domain.pairing_settings import PairingStyle
from tdapp.domain.proposal import Proposal, ProposedBye, ProposedGame, ProposedSeat
from tdapp.domain.seating import iterate_tables_in_order_of_use, list_tables_of_group
from tdapp.domain.systems import PairingSystem
from tdapp.domain.translatable import N_
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.field import Entrant, FixedPair, PairingField, Tick, ignore_progress


class TableWishes(Struct, frozen=True):
    """The tables that a game should get. In each tuple, the table for the better placed player is first."""

    director_table: int | None = None
    fixed_tables: tuple[int, ...] = ()
    needs_access: bool = False
    last_tables: tuple[int, ...] = ()  # of the players in the last round


def assign_tables(
    game_wishes: Sequence[TableWishes], first_table: int, rooms: Sequence[TableGroup] = ()
) -> tuple[int, ...]:
    """Return a table number for each game. The games are sorted by their better placed player.

    A game whose wishes are empty or cannot be fulfilled gets a free table: an ordinary table of `rooms`, then an
    accessible one, then the next higher number. Without rooms, tables from `first_table` on are used.
    """
    accessible = [table for room in rooms if room.accessible for table in list_tables_of_group(room)]
    found = _assign_wished_tables(
        [() if wishes.director_table is None else (wishes.director_table,) for wishes in game_wishes], {}
    )
    found = _assign_wished_tables([wishes.fixed_tables for wishes in game_wishes], found)
    found = _assign_wished_tables([accessible if wishes.needs_access else () for wishes in game_wishes], found)
    found = _assign_wished_tables([wishes.last_tables for wishes in game_wishes], found)
    taken = set(found.values())
    free = (
        table for table in iterate_tables_in_order_of_use(rooms, accessible, first_table) if table not in taken
    )
    return tuple(found[at] if at in found else next(free) for at in range(len(game_wishes)))


def lacks_accessible_table(
    game_wishes: Sequence[TableWishes], tables: Sequence[int], rooms: Sequence[TableGroup]
) -> bool:
    accessible = {table for room in rooms if room.accessible for table in list_tables_of_group(room)}
    pairs = zip(game_wishes, tables, strict=True)
    return bool(accessible) and any(wishes.needs_access and table not in accessible for wishes, table in pairs)


def _assign_wished_tables(wishes: Sequence[Iterable[int]], found: dict[int, int]) -> dict[int, int]:
    found = dict(found)
    taken = set(found.values())
    for at, wished in enumerate(wishes):
        table = next((table for table in wished if table not in taken), None) if at not in found else None
        if table is not None:
            found[at] = table
            taken.add(table)
    return found


def choose_starter(field: PairingField, one: Entrant, other: Entrant) -> Entrant:
    """Return the player who starts. Byes and unplayed games count neither as a start nor as a reply."""
    if ahead := one.balance - other.balance:
        return other if ahead > 0 else one
    for number in sorted(one.starts_by_round.keys() & other.starts_by_round.keys(), reverse=True):
        if one.starts_by_round[number] != other.starts_by_round[number]:
            return other if one.starts_by_round[number] else one
    for number in sorted(one.meetings.get(other.player, ()), reverse=True):
        for player, opponent in (
            (one, other),
            (other, one),
        ):  # in a forfeited game only one player may have a role
            if number in player.starts_by_round:
                return opponent if player.starts_by_round[number] else player
    low, high = sorted((one, other), key=lambda entrant: entrant.number)
    return low if draw_random_bits(field.seed, field.number, low.number, high.number) % 2 else high


Facts = tuple[tuple[str, Scalar], ...]


# The sentences of reasons that any system may give, by code; the others stand with their systems. All games have
# better_place and worse_place (the ranks in the standings), better_score and worse_score (match points, exact:
# "7/2") and earlier meetings for facts.
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
    "latecomer": N_("Player {late} came late and met the player with the bye"),
    "latecomer-split": N_("Player {late} came late: the table of three became two tables of two"),
    "latecomer-joined": N_("Player {late} came late and joined this table"),
    "table-by-hand": N_("Table of {players}, set by hand"),
    "table-alone": N_("Plays alone at a table"),
    "table-all": N_("All players at one table"),
    "table-repeat": N_(
        "Table of {players}: pairs who met this evening: {meetings}; no other seating was better overall"
    ),
    "table-odd-again": N_(
        "Table of {players}: some of these players have such a table a second time this evening; no other "
        "seating was better overall"
    ),
    "table-odd-first": N_("Table of {players}: none of these players has been at such a table before"),
    "table-odd-rotation": N_(
        "Table of {players}: these players have been at such a table least often, or longest ago (earlier "
        "times: {before})"
    ),
    "table-preferred": N_("Table of {players}: no two of these players meet again"),
}
# Why a player has the bye, each with the score, and the byes that the player and whoever had fewest had before.
BYE_REASONS: Mapping[str, str] = {
    "bye-lowest": N_("the lowest score among those with the fewest byes"),
    "bye-above": N_(
        "a bye for a lower player would have caused a repeat pairing or a larger difference of scores"
    ),
    "bye-dearer": N_("a bye for a lower player would have cost more: {criterion:criterion} {more:signed}"),
    "bye-again": N_("has had a bye before: no other pairing was better overall"),
    "bye-turn": N_("no opponent in this round of the round robin"),
    "bye-board": N_("the other team has no player at this board"),
    "bye-bracket": N_("no opponent in the bracket"),
    "bye-decided": N_("the place is decided, and no possible opponent can win a prize"),
    "by-hand": COMMON_REASONS["by-hand"],
    "ordered": COMMON_REASONS["ordered"],
}


class PlannedPair(Struct, frozen=True):
    """A pair of positions in the field, or a bye, as a pairing system made it."""

    one: int  # position
    other: int | None  # None: the bye
    code: str | None = None  # None: use the scores
    facts: Facts = ()
    order: int = 0  # tables are assigned by this, then by rank
    match: int | None = None
    first: int | None = None  # position of the starter, if the system decides it
    fixed: FixedPair | None = None
    draw: bool = False  # the tiles decide who starts


class PlannedTable(Struct, frozen=True):
    """A table of three or four players, as a pairing system made it."""

    positions: tuple[int, ...]
    reason: tuple[str, Facts]  # code with facts
    cost: tuple[tuple[str, int], ...] = ()
    table: int | None = None  # None: the program chooses it


class PairingPlan(Struct, frozen=True):
    """The pairs and group tables of a round, as a pairing system made them."""

    pairs: tuple[PlannedPair, ...]
    relaxed: tuple[str, ...] = ()
    expected_players: frozenset[PlayerId] | None = (
        None  # players whose absence is recorded in the round; None: all
    )
    tables: tuple[PlannedTable, ...] = ()  # group tables
    cost: tuple[tuple[str, int], ...] | None = None  # total of the round, only with group tables


class PairingInput(Struct, frozen=True):
    """The input of a pairing system for one round."""

    index: Index
    stage: Stage
    field: PairingField
    tick: Tick = ignore_progress

    @property
    def stage_round(self) -> int:
        return self.field.number - self.index.first_round(self.stage.id) + 1


class PairingMethod(Struct, frozen=True):
    """The functions and settings of a pairing system."""

    system: PairingSystem
    plan_pairs: Callable[[PairingInput], PairingPlan]
    # returns the round whose standings are used for a round of a stage
    find_source: Callable[[Index, Stage, int], int]
    criteria: tuple[str, ...] = ()
    style: PairingStyle | None = None  # overrides the director's choice
    reasons: Mapping[str, str] = field(default_factory=dict)
    count_rounds: Callable[[int], int] | None = None  # by number of players; None: the director chooses
    # the pairs of each planned round, the starter first, None for a bye
    list_schedule: Callable[[Index, Stage], Iterator[tuple[tuple[PlayerId, PlayerId | None], ...]]] | None = None

    @property
    def id(self) -> str:
        return self.system.id


def get_previous_round(_index: Index, _stage: Stage, number: int) -> int:
    return number - 1


def get_round_before_stage(index: Index, stage: Stage, _number: int) -> int:
    return index.first_round(stage.id) - 1


def list_fixed_pairs(field: PairingField) -> tuple[PlannedPair, ...]:
    positions = field.map_positions()
    return tuple(
        PlannedPair(
            positions[fixed.first],
            None if fixed.second is None else positions[fixed.second],
            code=fixed.code,
            fixed=fixed,
        )
        for fixed in field.fixed
    )


def list_free_positions(field: PairingField) -> Ints:
    taken = {position for pair in list_fixed_pairs(field) for position in (pair.one, pair.other)}
    return np.array([at for at in range(len(field.entrants)) if at not in taken], dtype=np.int64)


def insert_fixed_pairs(pairs: Sequence[PlannedPair], fixed: Sequence[PlannedPair]) -> tuple[PlannedPair, ...]:
    """Return `pairs` changed so that they contain the `fixed` pairs.

    A fixed pair that `pairs` already contains keeps its match in the bracket. Players who lose their opponent
    meet each other in the matches that become free.
    """
    kept = {frozenset((pair.one, pair.other)): pair for pair in fixed}
    moved = {position for pair in fixed for position in (pair.one, pair.other) if position is not None}
    found, matches, left = [], [], []
    for pair in pairs:
        same = kept.pop(frozenset((pair.one, pair.other)), None)
        if same is not None:
            found.append(replace(pair, fixed=same.fixed))
        elif pair.one in moved or pair.other in moved:
            matches.append(pair)
            left += [
                position for position in (pair.one, pair.other) if position is not None and position not in moved
            ]
        else:
            found.append(pair)
    left.sort()
    spare = [PlannedPair(one, other, "by-hand") for one, other in zip_longest(left[::2], left[1::2])]
    for pair in [*kept.values(), *spare]:
        taken_over = matches.pop(0) if matches else PlannedPair(pair.one, pair.other)
        found.append(replace(pair, order=taken_over.order, match=taken_over.match))
    return tuple(found)


def make_proposal(field: PairingField, plan: PairingPlan, names: Sequence[str], *, based_on: str) -> Proposal:
    pairs = sorted((_order_pair_by_position(pair) for pair in plan.pairs), key=lambda pair: (pair.order, pair.one))
    cost = _compute_pair_costs(field, pairs, criteria.adapt_criteria_order(names, field) if names else ())
    seated: list[tuple[tuple[int, int], int | PlannedTable]] = [
        ((pair.order, pair.one), at) for at, pair in enumerate(pairs) if pair.other is not None
    ]
    seated += [((0, made.positions[0]), made) for made in plan.tables]
    places = [place for _, place in sorted(seated, key=lambda one: one[0])]
    game_wishes = [
        _make_pair_wishes(field, pairs[place])
        if isinstance(place, int)
        else _make_group_table_wishes(field, place)
        for place in places
    ]
    numbers = assign_tables(game_wishes, field.first_table, field.table_groups)
    proposed: list[ProposedGame] = []
    seats: list[ProposedSeat] = []
    for place, table in zip(places, numbers, strict=True):
        if isinstance(place, int):
            proposed.append(_make_game(field, pairs[place], table=table, cost=cost[place]))
        else:
            seats += _make_seats(field, place, table)
    total = {column[0][0]: sum(value for _, value in column) for column in zip(*cost, strict=True)}
    repeats = ("repeats",) if total.get("repeats") else ()
    access = ("no-accessible-table",) if lacks_accessible_table(game_wishes, numbers, field.table_groups) else ()
    displaced = any({*wishes.fixed_tables} - {table} for wishes, table in zip(game_wishes, numbers, strict=True))
    wishes = (*access, "fixed-table-taken") if displaced else access
    return Proposal(
        stage=field.stage,
        number=field.number,
        games=tuple(sorted(proposed, key=lambda game: game.table)),
        byes=tuple(
            ProposedBye(
                field.entrants[pair.one].player,
                ByeKind.BYE,
                match=pair.match,
                reason=_make_bye_reason(field, pair),
            )
            for pair in pairs
            if pair.other is None
        ),
        based_on=based_on,
        cost=tuple(total.items()) if plan.cost is None else plan.cost,
        relaxed=repeats + wishes + plan.relaxed,
        seats=tuple(sorted(seats, key=lambda seat: (seat.table, seat.position))),
    )


def _make_group_table_wishes(field: PairingField, table: PlannedTable) -> TableWishes:
    ends = [field.entrants[position] for position in table.positions]
    return TableWishes(
        director_table=table.table,
        fixed_tables=tuple(entrant.fixed_table for entrant in ends if entrant.fixed_table is not None),
        needs_access=any(entrant.needs_access for entrant in ends),
        last_tables=tuple(entrant.last_table for entrant in ends if entrant.last_table is not None),
    )


def _make_seats(field: PairingField, made: PlannedTable, table: int) -> list[ProposedSeat]:
    reason = PairingReason(*made.reason, made.cost)
    return [
        ProposedSeat(table, number, field.entrants[position].player, reason if number == 1 else None)
        for number, position in enumerate(made.positions, start=1)
    ]


def _order_pair_by_position(pair: PlannedPair) -> PlannedPair:
    if pair.other is None or pair.one < pair.other:
        return pair
    return replace(pair, one=pair.other, other=pair.one)


def _compute_pair_costs(
    field: PairingField, pairs: Sequence[PlannedPair], names: Sequence[str]
) -> list[tuple[tuple[str, int], ...]]:
    shown = [name for name in names if name != "chance"]
    if not (pairs and shown):
        return [()] * len(pairs)
    count = len(field.entrants)
    upper = np.array([pair.one for pair in pairs], dtype=np.int64)
    lower = np.array([count if pair.other is None else pair.other for pair in pairs], dtype=np.int64)
    found = criteria.compute_costs(criteria.get_field_columns(field), upper, lower, order=shown)
    rows = zip(*(column.tolist() for column in found.values()), strict=True)
    return [tuple(zip(found, row, strict=True)) for row in rows]


def _list_pair_entrants(field: PairingField, pair: PlannedPair) -> list[Entrant]:
    return [field.entrants[position] for position in (pair.one, pair.other) if position is not None]


def _make_pair_wishes(field: PairingField, pair: PlannedPair) -> TableWishes:
    ends = _list_pair_entrants(field, pair)
    return TableWishes(
        director_table=pair.fixed.table if pair.fixed else None,
        fixed_tables=tuple(entrant.fixed_table for entrant in ends if entrant.fixed_table is not None),
        needs_access=any(entrant.needs_access for entrant in ends),
        last_tables=tuple(entrant.last_table for entrant in ends if entrant.last_table is not None),
    )


def _make_game(
    field: PairingField, pair: PlannedPair, *, table: int, cost: tuple[tuple[str, int], ...]
) -> ProposedGame:
    better, worse = _list_pair_entrants(field, pair)
    drawn = field.settings.draw_starts or pair.draw
    if pair.fixed is not None and pair.fixed.keep_start:
        first = pair.fixed.first
    elif pair.first is not None and not drawn:
        first = field.entrants[pair.first].player
    else:
        first = better.player if drawn else choose_starter(field, better, worse).player
    return ProposedGame(
        table=table,
        first=first,
        second=worse.player if first == better.player else better.player,
        start=Start.DRAW if drawn else Start.ASSIGNED,
        locked=pair.fixed is not None and pair.fixed.locked,
        match=pair.match,
        reason=_make_reason(field, pair, cost),
    )


def _make_reason(field: PairingField, pair: PlannedPair, cost: tuple[tuple[str, int], ...]) -> PairingReason:
    better, worse = _list_pair_entrants(field, pair)
    rounds = better.meetings.get(worse.player, ())
    meetings = field.count_rounds_tonight(rounds)
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
        earlier = [field.evenings[number] for number in rounds if field.evenings[number].evenings_ago]
        facts += (("season", len(earlier)), ("last", earlier[-1].date if earlier else ""))
    return PairingReason(code, facts + pair.facts, cost)


def _make_bye_reason(field: PairingField, pair: PlannedPair) -> PairingReason:
    waiting = field.entrants[pair.one]
    fewest = min(entrant.byes for entrant in field.entrants)
    lowest = min(entrant.score for entrant in field.entrants if entrant.byes == fewest)
    if pair.fixed is not None and pair.fixed.code is not None:
        code = pair.fixed.code
    elif pair.code is not None and pair.code in BYE_REASONS:
        code = pair.code
    elif pair.match is not None:
        code = "bye-bracket"
    elif waiting.byes > fewest:
        code = "bye-again"
    else:
        code = "bye-lowest" if waiting.score <= lowest else "bye-dearer" if pair.facts else "bye-above"
    facts = pair.facts if code == "bye-dearer" else ()
    season = (("earlier_byes", waiting.earlier_byes),) if field.is_evening else ()
    return PairingReason(
        code, (("score", waiting.points), ("byes", waiting.byes), ("fewest", fewest), *season, *facts)
    )
