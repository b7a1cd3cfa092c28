"""Seats players at tables of one to four.

An odd table is a table of another size than the rule set prefers. The best tables have the lowest cost by the
first criterion (level) in LEVELS, then by the next. The cost of some levels is a sum over all pairs of players at
one table, that of others a sum over the players at odd tables. Two players of a forbidden pair never sit together.

- Tables of two with one table of three: the result is always the best. The program tries triples of players by
  increasing cost, pairs the others by the exact matching, and stops when no later triple can be better.
- Tables of three or four: the result is the best for at most MOST_EXACT players. For more players it is the best
  of several local searches from random tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from random import Random

from msgspec import Struct

from tdapp.domain.bracket import draw_random_bits
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import PlayerId, Stage
from tdapp.domain.records import Record, compute_records
from tdapp.domain.ruleset import USUAL_TABLE_SIZE, OddPlayer, TableRule
from tdapp.domain.systems import MANUAL, get_system
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.field import Entrant, Tick, ignore_progress
from tdapp.pairing.matching import MatchingGraph, solve_lightest_matching
from tdapp.pairing.system import (
    Facts,
    PairingInput,
    PairingPlan,
    PlannedPair,
    PlannedTable,
    list_fixed_pairs,
    list_free_positions,
)

THREE, FOUR = 3, 4
BY_HAND = "table-by-hand"  # reason of a table that the director set
MOST_EXACT = 13  # players
_SEARCHES = 20
_CHANCE_BITS = _LOT_BITS = 16

# Tonight is the stage, the season are all rounds of the division.
LEVELS = (
    "repeats", "odd_tonight", "apart", "score_difference", "odd_season", "odd_last", "season", "lot", "chance",
)  # fmt: skip
_DRAWN = frozenset({"lot", "chance"})


def uses_group_tables(stage: Stage, rules: TableRule, players: int) -> bool:
    system = get_system(stage)
    if not rules.has_seats or system.has_seats or system.supports("boards") or system.id == MANUAL.id:
        return False
    return any(size != USUAL_TABLE_SIZE for size in split_into_tables(rules, players))


def split_into_tables(rules: TableRule, players: int) -> tuple[int, ...]:
    """Return the sizes of the tables, the preferred size first. A table of one is a solo seat or a bye."""
    size = rules.prefer
    if size == 0:
        return (players,) if players else ()
    if size == 1 or players <= 1:
        return (1,) * players
    rest = players % size
    if size == USUAL_TABLE_SIZE:
        odd = (THREE,) if rest and rules.odd is OddPlayer.THREE else (1,) * rest
    elif size == THREE:
        odd = {0: (), 1: (FOUR,), 2: (USUAL_TABLE_SIZE,)}[rest]
    elif players == USUAL_TABLE_SIZE:
        odd = (USUAL_TABLE_SIZE,)
    elif players == FOUR + 1:
        odd = (THREE, USUAL_TABLE_SIZE)
    else:
        odd = (THREE,) * ((FOUR - rest) % FOUR)
    return (size,) * ((players - sum(odd)) // size) + odd


class TableProblem(Struct, frozen=True, dict=True):
    """The players to seat at tables, as nodes numbered from 0, and the costs."""

    sizes: tuple[int, ...]
    preferred_size: int  # of a table
    forbidden: Ints  # symmetric matrix of nodes
    pair_costs: Mapping[str, Ints]  # for each level a symmetric matrix: the cost of two nodes at one table
    odd_table_costs: Mapping[
        str, Ints
    ]  # for each level the cost of each node at a table of another size than `preferred_size`
    lots: tuple[int, ...]  # random numbers that decide between equal odd tables

    @property
    def players(self) -> int:
        return len(self.lots)

    def compute_level_units(self) -> dict[str, int]:
        mates = max(self.sizes) - 1
        units, unit = {}, 1
        for name in reversed(LEVELS):
            units[name] = unit
            most = self.pair_costs[name].max(initial=0) * mates if name in self.pair_costs else 0
            if name in self.odd_table_costs:
                most = self.odd_table_costs[name].max(initial=0)
            unit *= (1 << _LOT_BITS if name == "lot" else int(most)) * self.players + 1
        return units

    def make_pair_weights(self) -> list[list[int]]:
        units, total = self.compute_level_units(), np.zeros_like(self.forbidden, dtype=object)
        for name, matrix in self.pair_costs.items():
            total = total + matrix.astype(object) * units[name]
        return [list(map(int, row)) for row in total]

    def make_odd_weights(self) -> list[int]:
        units = self.compute_level_units()
        columns = [(units[name], column.tolist()) for name, column in self.odd_table_costs.items()]
        return [sum(unit * column[node] for unit, column in columns) for node in range(self.players)]

    def draw_lot(self, table: Sequence[int]) -> int:
        return sum(self.lots[node] for node in table) % (1 << _LOT_BITS)


Tables = tuple[tuple[int, ...], ...]


class SolvedTables(Struct, frozen=True):
    """The tables found, as lists of nodes."""

    tables: Tables
    proved: bool = True  # no other tables are better; otherwise swapping two players improves nothing


class _TableCosts:
    def __init__(self, problem: TableProblem) -> None:
        self._problem = problem
        self.pair_costs, self.odd_table_costs = problem.make_pair_weights(), problem.make_odd_weights()
        self.lot_unit, self.draw_lot = problem.compute_level_units()["lot"], problem.draw_lot

    def is_allowed(self, table: Sequence[int]) -> bool:
        return not any(self._problem.forbidden[pair] for pair in combinations(table, 2))

    def compute_cost(self, table: Sequence[int]) -> int:
        cost = sum(self.pair_costs[one][other] for one, other in combinations(table, 2))
        if len(table) == self._problem.preferred_size:
            return cost
        return cost + sum(self.odd_table_costs[node] for node in table) + self.lot_unit * self.draw_lot(table)


def solve_tables(problem: TableProblem, seed: int = 0, tick: Tick = ignore_progress) -> SolvedTables | None:
    """Return the best tables, or None if all solutions contain a forbidden pair."""
    if len(problem.sizes) == 1 or max(problem.sizes) == 1:
        found = _split_nodes_by_table_size(range(problem.players), problem.sizes)
        return SolvedTables(found) if all(map(_TableCosts(problem).is_allowed, found)) else None
    if problem.preferred_size == USUAL_TABLE_SIZE:
        return _solve_one_odd_table(problem)
    if problem.players <= MOST_EXACT:
        return _solve_by_exhaustive_search(problem)
    return _solve_by_random_search(problem, seed, tick)


def _split_nodes_by_table_size(nodes: Sequence[int], sizes: Sequence[int]) -> Tables:
    ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
    return tuple(tuple(nodes[end - size : end]) for end, size in zip(ends, sizes, strict=True))


def _solve_one_odd_table(problem: TableProblem) -> SolvedTables | None:
    costs, duels = _TableCosts(problem), _CheapestPairs(problem)
    least = duels.find_cheapest_pairs(range(problem.players), spare=THREE)
    if least is None:
        return None
    bound = sum(map(costs.compute_cost, least))
    best, found = None, None
    for triple in _list_triples(problem):
        cost = costs.compute_cost(triple)
        if best is not None and cost + bound >= best:
            break
        rest = [node for node in range(problem.players) if node not in triple]
        pairs = duels.find_cheapest_pairs(rest) if costs.is_allowed(triple) else None
        if pairs is None:
            continue
        total = cost + sum(map(costs.compute_cost, pairs))
        if best is None or total < best:
            best, found = total, (*pairs, triple)
    return None if found is None else SolvedTables(found)


def _list_triples(problem: TableProblem) -> Iterator[tuple[int, int, int]]:
    triples = np.array(list(combinations(range(problem.players), THREE)), dtype=np.int64)
    a, b, c = triples.T
    lots = np.array(problem.lots, dtype=np.int64)
    columns = {name: level[a, b] + level[a, c] + level[b, c] for name, level in problem.pair_costs.items()}
    columns |= {name: level[a] + level[b] + level[c] for name, level in problem.odd_table_costs.items()}
    columns["lot"] = (lots[a] + lots[b] + lots[c]) % (1 << _LOT_BITS)
    order = np.lexsort([columns[name] for name in reversed(LEVELS)])
    for at in order:
        one, other, third = triples[at].tolist()
        yield one, other, third


class _CheapestPairs:
    def __init__(self, problem: TableProblem) -> None:
        self._allowed = ~problem.forbidden.astype(bool)
        names = [name for name in LEVELS if name in problem.pair_costs]
        unit = 1
        total = np.zeros((problem.players, problem.players), dtype=object)
        for name in reversed(names):
            total = total + problem.pair_costs[name].astype(object) * unit
            unit *= int(problem.pair_costs[name].max(initial=0)) * problem.players // 2 + 1
        self._weights: list[list[int]] = total.tolist()

    def find_cheapest_pairs(self, nodes: Sequence[int], *, spare: int = 0) -> list[tuple[int, int]] | None:
        """Return the cheapest pairs, None if no complete set exists. `spare` nodes stay alone without cost."""
        nodes, size = list(nodes), len(nodes)
        edges = [
            (one, other) for one, other in combinations(range(size), 2) if self._allowed[nodes[one], nodes[other]]
        ]
        weights = [self._weights[nodes[one]][nodes[other]] for one, other in edges]
        edges += [(one, size + at) for one in range(size) for at in range(spare)]
        weights += [0] * (size * spare)
        first, second = np.array(edges or np.zeros((0, 2)), dtype=np.int64).reshape(-1, 2).T
        chosen = solve_lightest_matching(MatchingGraph(size + spare, first, second, {}), weights)
        if 2 * len(chosen) < size + spare:
            return None
        return [(nodes[one], nodes[other]) for one, other in (edges[at] for at in chosen) if other < size]


def _solve_by_exhaustive_search(problem: TableProblem) -> SolvedTables | None:
    costs = _TableCosts(problem)
    odd_size = next((size for size in problem.sizes if size != problem.preferred_size), problem.preferred_size)

    @cache
    def compute_table_cost(table: tuple[int, ...]) -> int | None:
        return costs.compute_cost(table) if costs.is_allowed(table) else None

    @cache
    def solve_remaining_nodes(free: tuple[int, ...], odd: int) -> tuple[int, Tables] | None:
        if not free:
            return 0, ()
        best: tuple[int, Tables] | None = None
        first, others = free[0], free[1:]
        for size, left in ((problem.preferred_size, odd), (odd_size, odd - 1)):
            if left < 0 or (size == problem.preferred_size and len(free) <= odd * odd_size):
                continue
            for mates in combinations(others, size - 1):
                cost = compute_table_cost((first, *mates))
                if cost is None or (best is not None and cost >= best[0]):
                    continue
                rest = solve_remaining_nodes(tuple(node for node in others if node not in mates), left)
                if rest is not None and (best is None or cost + rest[0] < best[0]):
                    best = cost + rest[0], ((first, *mates), *rest[1])
        return best

    if problem.sizes == (THREE, USUAL_TABLE_SIZE):  # five players at tables of four: both are odd
        found = [
            (costs.compute_cost(three) + costs.compute_cost(two), (three, two))
            for three in combinations(range(problem.players), THREE)
            if (two := tuple(node for node in range(problem.players) if node not in three))
            and costs.is_allowed(three)
            and costs.is_allowed(two)
        ]
        return SolvedTables(min(found)[1]) if found else None
    best = solve_remaining_nodes(
        tuple(range(problem.players)), sum(size != problem.preferred_size for size in problem.sizes)
    )
    return None if best is None else SolvedTables(best[1])


def _solve_by_random_search(problem: TableProblem, seed: int, tick: Tick) -> SolvedTables | None:
    costs, random = _TableCosts(problem), Random(seed)  # noqa: S311 - a lot, not a secret
    best: tuple[int, Tables] | None = None
    for number in range(_SEARCHES):
        tick(number, _SEARCHES)
        nodes = list(range(problem.players))
        random.shuffle(nodes)
        tables = _improve_tables(
            problem, costs, [list(one) for one in _split_nodes_by_table_size(nodes, problem.sizes)]
        )
        found = tuple(tuple(sorted(table)) for table in tables)
        cost = sum(map(costs.compute_cost, found))
        if all(map(costs.is_allowed, found)) and (best is None or cost < best[0]):
            best = cost, found
    return None if best is None else SolvedTables(best[1], proved=False)


def _improve_tables(problem: TableProblem, costs: _TableCosts, tables: list[list[int]]) -> list[list[int]]:
    most = (
        1
        + sum(map(max, costs.pair_costs)) * max(problem.sizes)
        + sum(costs.odd_table_costs)
        + (costs.lot_unit << _LOT_BITS) * len(tables)
    )
    weights = [
        [cost + most * int(problem.forbidden[one, other]) for other, cost in enumerate(row)]
        for one, row in enumerate(costs.pair_costs)
    ]
    places = {node: at for at, table in enumerate(tables) for node in table}
    near = [[sum(row[node] for node in table) for table in tables] for row in weights]  # cost of a node at a table
    is_odd = [len(table) != problem.preferred_size for table in tables]
    nodes, improved = range(problem.players), True
    while improved:
        improved = False
        for one, other in combinations(nodes, 2):
            here, there = places[one], places[other]
            if here == there:
                continue
            both = 2 * weights[one][other]
            more = near[other][here] + near[one][there] - near[one][here] - near[other][there] - both
            if is_odd[here] or is_odd[there]:
                more += _compare_swap_at_odd_tables(costs, tables, (here, there), (one, other), is_odd)
            if more < 0:
                tables[here][tables[here].index(one)] = other
                tables[there][tables[there].index(other)] = one
                places[one], places[other] = there, here
                for node in nodes:
                    change = weights[node][other] - weights[node][one]
                    near[node][here] += change
                    near[node][there] -= change
                improved = True
    return tables


def _compare_swap_at_odd_tables(
    costs: _TableCosts,
    tables: list[list[int]],
    places: tuple[int, int],
    nodes: tuple[int, int],
    is_odd: list[bool],
) -> int:
    more, (one, other) = 0, nodes
    for place, gone, new in ((places[0], one, other), (places[1], other, one)):
        if is_odd[place]:
            after = [new if node == gone else node for node in tables[place]]
            lots = costs.draw_lot(after) - costs.draw_lot(tables[place])
            more += costs.odd_table_costs[new] - costs.odd_table_costs[gone] + costs.lot_unit * lots
    return more


def build_table_problem(situation: PairingInput, positions: Sequence[int], tables: TableRule) -> TableProblem:
    """Return the players at `positions` with the costs of seating them at one table.

    If the pairing system draws lots, scores do not count.
    """
    index, stage, field = situation.index, situation.stage, situation.field
    entrants = [field.entrants[position] for position in positions]
    history = compute_records(index, index.tournament.divisions[stage.division], field.number - 1)
    first = index.first_round(stage.id)
    evenings = {
        number: at
        for at, one in enumerate(index.stages(stage.division), start=1)
        for number in range(index.first_round(one.id), field.number)
    }
    odd = [_list_rounds_at_odd_tables(history[one.player], tables.prefer) for one in entrants]

    def count_meetings_tonight(one: Entrant, other: Entrant) -> int:
        return sum(number >= first for number in one.meetings.get(other.player, ()))

    def weigh_season_meetings(one: Entrant, other: Entrant) -> int:
        return sum(evenings[number] for number in one.meetings.get(other.player, ()))

    def square_difference(one: Entrant, other: Entrant) -> int:
        return 0 if get_system(stage).ignores_scores else (one.score - other.score) ** 2

    def draw_random_cost(one: Entrant, other: Entrant) -> int:
        low, high = sorted((one.number, other.number))
        return draw_random_bits(field.seed, field.number, low, high) >> (64 - _CHANCE_BITS)

    def make_matrix(count: Callable[[Entrant, Entrant], int]) -> Ints:
        matrix = np.zeros((len(entrants), len(entrants)), dtype=np.int64)
        for (at, one), (to, other) in combinations(enumerate(entrants), 2):
            matrix[at, to] = matrix[to, at] = count(one, other)
        return matrix

    return TableProblem(
        sizes=split_into_tables(tables, len(entrants)),
        preferred_size=tables.prefer,
        forbidden=make_matrix(lambda one, other: frozenset({one.player, other.player}) in field.forbidden),
        pair_costs={
            "repeats": make_matrix(count_meetings_tonight),
            "apart": make_matrix(lambda one, other: frozenset({one.player, other.player}) in field.apart),
            "score_difference": make_matrix(square_difference),
            "season": make_matrix(weigh_season_meetings),
            "chance": make_matrix(draw_random_cost),
        },
        odd_table_costs={
            "odd_tonight": np.array([sum(number >= first for number in rounds) for rounds in odd], dtype=np.int64),
            "odd_season": np.array([len(rounds) for rounds in odd], dtype=np.int64),
            "odd_last": np.array(
                [max((evenings[one] for one in rounds), default=0) for rounds in odd], dtype=np.int64
            ),
        },
        lots=tuple(draw_random_bits(field.seed, field.number, one.number) >> (64 - _LOT_BITS) for one in entrants),
    )


def _list_rounds_at_odd_tables(record: Record, prefer: int) -> list[int]:
    return [entry.round for entry in record if entry.met_players and len(entry.met_players) + 1 != prefer]


def plan_tables(situation: PairingInput, tables: TableRule) -> PairingPlan:
    """Return the best tables of a round. Fixed pairs stay at tables of two."""
    field = situation.field
    positions = [int(position) for position in list_free_positions(field)]
    problem = build_table_problem(situation, positions, tables)
    solved = solve_tables(problem, draw_random_bits(field.seed, field.number), situation.tick)
    if solved is None:
        numbers = tuple(field.entrants[position].number for position in positions)
        raise RuleViolation("no-pairing-possible", players=numbers)
    pairs, planned = [*list_fixed_pairs(field)], []
    for nodes in solved.tables:
        ends, cost = sorted(positions[node] for node in nodes), _list_table_costs(problem, nodes)
        if len(nodes) == USUAL_TABLE_SIZE:
            ignores_scores = get_system(situation.stage).ignores_scores
            code = "repeat" if dict(cost)["repeats"] else "random" if ignores_scores else None
            pairs.append(PlannedPair(ends[0], ends[1], code))
        else:
            planned.append(PlannedTable(tuple(ends), _explain_table(problem, nodes, cost), cost))
    costs = [_list_table_costs(problem, nodes) for nodes in solved.tables]
    total = tuple((name, sum(dict(one)[name] for one in costs)) for name in LEVELS if name not in _DRAWN)
    relaxed = ("repeats",) if dict(total)["repeats"] else ()
    searched = () if solved.proved else ("best-exchange",)
    return PairingPlan(tuple(pairs), relaxed + searched, tables=tuple(planned), cost=total)


def plan_groups(
    situation: PairingInput, tables: TableRule, groups: Sequence[tuple[int, tuple[PlayerId, ...]]]
) -> PairingPlan:
    """Return a plan with the fixed pairs of a field and the given group tables, with their costs.

    A group table has three, four or more players.
    """
    places, names = situation.field.map_positions(), situation.index.tournament.players
    for player in (player for _, players in groups for player in players):
        if player not in places:
            raise RuleViolation("player-not-in-round", player=names[player].name, round=situation.field.number)
    positions = list(range(len(situation.field.entrants)))
    problem = build_table_problem(situation, positions, tables)
    planned = []
    for table, players in groups:
        nodes = sorted(places[player] for player in players)
        cost = _list_table_costs(problem, nodes)
        reason = (BY_HAND, _explain_table(problem, nodes, cost)[1])
        planned.append(PlannedTable(tuple(nodes), reason, cost, table))
    pairs = list_fixed_pairs(situation.field)
    costs = [made.cost for made in planned]
    costs += [_list_table_costs(problem, (pair.one, pair.other)) for pair in pairs if pair.other is not None]
    total = tuple((name, sum(dict(one)[name] for one in costs)) for name in LEVELS if name not in _DRAWN)
    return PairingPlan(pairs, tables=tuple(planned), cost=total)


def _list_table_costs(problem: TableProblem, nodes: Sequence[int]) -> tuple[tuple[str, int], ...]:
    is_odd = len(nodes) != problem.preferred_size
    found = {
        name: int(is_odd) * sum(int(level[node]) for node in nodes)
        for name, level in problem.odd_table_costs.items()
    }
    for name, level in problem.pair_costs.items():
        found[name] = sum(int(level[pair]) for pair in combinations(nodes, 2))
    return tuple((name, found[name]) for name in LEVELS if name not in _DRAWN)


def _explain_table(
    problem: TableProblem, nodes: Sequence[int], cost: tuple[tuple[str, int], ...]
) -> tuple[str, Facts]:
    known, players = dict(cost), len(nodes)
    facts: Facts = (("players", players), ("meetings", known["repeats"]), ("before", known["odd_season"]))
    if players == 1:
        return "table-alone", facts
    if players == problem.players and problem.preferred_size == 0:
        return "table-all", facts
    if known["repeats"]:
        return "table-repeat", facts
    if known["odd_tonight"]:
        return "table-odd-again", facts
    if players != problem.preferred_size:
        waits = problem.odd_table_costs["odd_season"]
        return "table-odd-rotation" if waits.any() else "table-odd-first", facts
    return "table-preferred", facts
