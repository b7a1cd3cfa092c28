"""Seats players at tables of one to four.

Compare the costs of two solutions by the first criterion in LEVELS, then by the next, and so on. Players of a
forbidden pair never sit together.

- Tables of two with one table of three: the result is always optimal.
- Tables of three or four: the result is optimal for at most MAX_PLAYERS_FOR_EXACT_SOLUTION players. With more
  players, the result is the best of several local searches from random tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from random import Random

from msgspec import Struct

from tdapp.domain.bracket import generate_random_bits
from tdapp.domain.errors import CommandError
from tdapp.domain.model import PlayerId, Stage
from tdapp.domain.records import Record, compute_records
from tdapp.domain.ruleset import USUAL_TABLE_SIZE, OddPlayerRule, PlayersPerTableRule
from tdapp.domain.systems import MANUAL, get_pairing_system
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.field import Entrant, ProgressCallback, ignore_progress
from tdapp.pairing.matching import MatchingGraph, solve_lightest_maximum_matching
from tdapp.pairing.system import (
    Facts,
    PairingInput,
    PairingPlan,
    PlannedGroupTable,
    PlannedPair,
    list_fixed_pairs,
    list_positions_without_fixed_pair,
)

THREE, FOUR = 3, 4
BY_HAND = "table-by-hand"  # reason of a table that the director set
MAX_PLAYERS_FOR_EXACT_SOLUTION = 13
_SEARCH_COUNT = 20
_CHANCE_BITS = _LOT_BITS = 16

# "tonight": the rounds of the stage; "season": all rounds of the division
LEVELS = (
    "repeats", "odd_tonight", "apart", "score_difference", "odd_season", "odd_last", "season", "lot", "chance",
)  # fmt: skip
_RANDOM_LEVELS = frozenset({"lot", "chance"})


def is_played_at_group_tables(stage: Stage, rules: PlayersPerTableRule, players: int) -> bool:
    system = get_pairing_system(stage)
    if (
        not rules.has_group_tables
        or system.has_seats
        or system.supports_setting("boards")
        or system.id == MANUAL.id
    ):
        return False
    return any(size != USUAL_TABLE_SIZE for size in compute_table_sizes(rules, players))


def compute_table_sizes(rules: PlayersPerTableRule, players: int) -> tuple[int, ...]:
    """Return the sizes of the tables, the preferred size first. A table of one is a solo seat or a bye."""
    size = rules.prefer
    if size == 0:
        return (players,) if players else ()
    if size == 1 or players <= 1:
        return (1,) * players
    remainder = players % size
    if size == USUAL_TABLE_SIZE:
        odd_sizes = (THREE,) if remainder and rules.odd is OddPlayerRule.THREE else (1,) * remainder
    elif size == THREE:
        odd_sizes = {0: (), 1: (FOUR,), 2: (USUAL_TABLE_SIZE,)}[remainder]
    elif players == USUAL_TABLE_SIZE:
        odd_sizes = (USUAL_TABLE_SIZE,)
    elif players == FOUR + 1:
        odd_sizes = (THREE, USUAL_TABLE_SIZE)
    else:
        odd_sizes = (THREE,) * ((FOUR - remainder) % FOUR)
    return (size,) * ((players - sum(odd_sizes)) // size) + odd_sizes


class TableSeatingProblem(Struct, frozen=True, dict=True):
    """The players to seat at tables, as nodes numbered from 0, and the costs."""

    sizes: tuple[int, ...]
    preferred_size: int  # of a table
    forbidden: Ints  # symmetric matrix of nodes
    pair_costs: Mapping[str, Ints]  # for each level a symmetric matrix: the cost of two nodes at one table
    # an unusual size is not the preferred size
    unusual_size_costs: Mapping[str, Ints]  # for each level the cost of each node at a table of unusual size
    lots: tuple[int, ...]  # a random number for each node, decides between equal tables of unusual size

    @property
    def seated_player_count(self) -> int:
        return len(self.lots)

    def compute_criterion_weights(self) -> dict[str, int]:
        """Return a factor for each criterion (level).

        With these factors, a cost of 1 outweighs all costs in less important criteria together.
        """
        mates = max(self.sizes) - 1
        units, unit = {}, 1
        for name in reversed(LEVELS):
            units[name] = unit
            max_cost = self.pair_costs[name].max(initial=0) * mates if name in self.pair_costs else 0
            if name in self.unusual_size_costs:
                max_cost = self.unusual_size_costs[name].max(initial=0)
            unit *= (1 << _LOT_BITS if name == "lot" else int(max_cost)) * self.seated_player_count + 1
        return units

    def make_weights_of_pairs(self) -> list[list[int]]:
        units, total = self.compute_criterion_weights(), np.zeros_like(self.forbidden, dtype=object)
        for name, matrix in self.pair_costs.items():
            total = total + matrix.astype(object) * units[name]
        return [list(map(int, row)) for row in total]

    def make_weights_of_unusual_table_sizes(self) -> list[int]:
        """Return one cost for each player: the extra cost at a table whose size is not `preferred_size`."""
        units = self.compute_criterion_weights()
        columns = [(units[name], column.tolist()) for name, column in self.unusual_size_costs.items()]
        return [sum(unit * column[node] for unit, column in columns) for node in range(self.seated_player_count)]

    def compute_tie_breaking_table_cost(self, table: Sequence[int]) -> int:
        """Return a pseudo-random number from 0 to 65535. The same players always get the same number."""
        return sum(self.lots[node] for node in table) % (1 << _LOT_BITS)


Tables = tuple[tuple[int, ...], ...]
_CostByLevel = tuple[tuple[str, int], ...]


class TableSeating(Struct, frozen=True):
    """A solution of the seating problem. Each table is a tuple of nodes (players)."""

    tables: Tables
    is_proved: bool = True  # optimal; otherwise only no swap of two players improves it


class _TableCostCalculator:
    def __init__(self, problem: TableSeatingProblem) -> None:
        self._problem = problem
        self.pair_costs, self.unusual_size_costs = (
            problem.make_weights_of_pairs(),
            problem.make_weights_of_unusual_table_sizes(),
        )
        self.lot_unit, self.compute_tie_breaking_table_cost = (
            problem.compute_criterion_weights()["lot"],
            problem.compute_tie_breaking_table_cost,
        )

    def is_table_allowed(self, table: Sequence[int]) -> bool:
        return not any(self._problem.forbidden[pair] for pair in combinations(table, 2))

    def compute_cost(self, table: Sequence[int]) -> int:
        cost = sum(self.pair_costs[first][second] for first, second in combinations(table, 2))
        if len(table) == self._problem.preferred_size:
            return cost
        return (
            cost
            + sum(self.unusual_size_costs[node] for node in table)
            + self.lot_unit * self.compute_tie_breaking_table_cost(table)
        )


def find_best_tables(
    problem: TableSeatingProblem, seed: int = 0, progress: ProgressCallback = ignore_progress
) -> TableSeating | None:
    """Return the best tables, or None if all solutions contain a forbidden pair."""
    if len(problem.sizes) == 1 or max(problem.sizes) == 1:
        tables = _split_nodes_by_table_size(range(problem.seated_player_count), problem.sizes)
        return TableSeating(tables) if all(map(_TableCostCalculator(problem).is_table_allowed, tables)) else None
    if problem.preferred_size == USUAL_TABLE_SIZE:
        return _solve_pairs_and_one_triple(problem)
    if problem.seated_player_count <= MAX_PLAYERS_FOR_EXACT_SOLUTION:
        return _solve_by_exhaustive_search(problem)
    return _solve_by_random_search(problem, seed, progress)


def _split_nodes_by_table_size(nodes: Sequence[int], sizes: Sequence[int]) -> Tables:
    ends = [sum(sizes[: index + 1]) for index in range(len(sizes))]
    return tuple(tuple(nodes[end - size : end]) for end, size in zip(ends, sizes, strict=True))


def _solve_pairs_and_one_triple(problem: TableSeatingProblem) -> TableSeating | None:
    costs, pair_solver = _TableCostCalculator(problem), _CheapestPairFinder(problem)
    pairs = pair_solver.find_cheapest_pairs(range(problem.seated_player_count), spare_count=THREE)
    if pairs is None:
        return None
    bound = sum(map(costs.compute_cost, pairs))  # the other tables cost at least this, whatever the triple
    best_cost, tables = None, None
    for triple in _list_triples_cheapest_first(problem):
        odd_cost = costs.compute_cost(triple)
        if best_cost is not None and odd_cost + bound >= best_cost:
            break
        remaining_nodes = [node for node in range(problem.seated_player_count) if node not in triple]
        pairs = pair_solver.find_cheapest_pairs(remaining_nodes) if costs.is_table_allowed(triple) else None
        if pairs is None:
            continue
        total = odd_cost + sum(map(costs.compute_cost, pairs))
        if best_cost is None or total < best_cost:
            best_cost, tables = total, (*pairs, triple)
    return None if tables is None else TableSeating(tables)


def _list_triples_cheapest_first(problem: TableSeatingProblem) -> Iterator[tuple[int, int, int]]:
    triples = np.array(list(combinations(range(problem.seated_player_count), THREE)), dtype=np.int64)
    a, b, c = triples.T
    lots = np.array(problem.lots, dtype=np.int64)
    columns = {name: level[a, b] + level[a, c] + level[b, c] for name, level in problem.pair_costs.items()}
    columns |= {name: level[a] + level[b] + level[c] for name, level in problem.unusual_size_costs.items()}
    columns["lot"] = (lots[a] + lots[b] + lots[c]) % (1 << _LOT_BITS)
    order = np.lexsort([columns[name] for name in reversed(LEVELS)])
    for index in order:
        first, second, third = triples[index].tolist()
        yield first, second, third


class _CheapestPairFinder:
    def __init__(self, problem: TableSeatingProblem) -> None:
        self._allowed = ~problem.forbidden.astype(bool)
        names = [name for name in LEVELS if name in problem.pair_costs]
        unit = 1
        total = np.zeros((problem.seated_player_count, problem.seated_player_count), dtype=object)
        for name in reversed(names):
            total = total + problem.pair_costs[name].astype(object) * unit
            unit *= int(problem.pair_costs[name].max(initial=0)) * problem.seated_player_count // 2 + 1
        self._weights: list[list[int]] = total.tolist()

    def find_cheapest_pairs(self, nodes: Sequence[int], *, spare_count: int = 0) -> list[tuple[int, int]] | None:
        """Return the cheapest pairs, None if some nodes cannot be paired. `spare_count` nodes stay alone."""
        nodes, size = list(nodes), len(nodes)
        pairs = combinations(range(size), 2)
        edges = [(first, second) for first, second in pairs if self._allowed[nodes[first], nodes[second]]]
        weights = [self._weights[nodes[first]][nodes[second]] for first, second in edges]
        edges += [(first, size + number) for first in range(size) for number in range(spare_count)]
        weights += [0] * (size * spare_count)
        first, second = np.array(edges or np.zeros((0, 2)), dtype=np.int64).reshape(-1, 2).T
        matched_edges = solve_lightest_maximum_matching(
            MatchingGraph(size + spare_count, first, second, {}), weights
        )
        if 2 * len(matched_edges) < size + spare_count:
            return None
        matched_pairs = [edges[edge] for edge in matched_edges]
        return [(nodes[first], nodes[second]) for first, second in matched_pairs if second < size]


def _solve_by_exhaustive_search(problem: TableSeatingProblem) -> TableSeating | None:
    costs = _TableCostCalculator(problem)
    odd_size = next((size for size in problem.sizes if size != problem.preferred_size), problem.preferred_size)

    @cache
    def compute_table_cost(table: tuple[int, ...]) -> int | None:
        return costs.compute_cost(table) if costs.is_table_allowed(table) else None

    @cache
    def solve_remaining_nodes(nodes: tuple[int, ...], odd_count: int) -> tuple[int, Tables] | None:
        if not nodes:
            return 0, ()
        best: tuple[int, Tables] | None = None
        first, other_nodes = nodes[0], nodes[1:]
        for size, odd_left in ((problem.preferred_size, odd_count), (odd_size, odd_count - 1)):
            if odd_left < 0 or (size == problem.preferred_size and len(nodes) <= odd_count * odd_size):
                continue
            for mates in combinations(other_nodes, size - 1):
                cost = compute_table_cost((first, *mates))
                if cost is None or (best is not None and cost >= best[0]):
                    continue
                rest_of_nodes = tuple(node for node in other_nodes if node not in mates)
                solution = solve_remaining_nodes(rest_of_nodes, odd_left)
                if solution is not None and (best is None or cost + solution[0] < best[0]):
                    best = cost + solution[0], ((first, *mates), *solution[1])
        return best

    if problem.sizes == (THREE, USUAL_TABLE_SIZE):  # five players at tables of four: both are odd
        solutions = [
            (costs.compute_cost(triple) + costs.compute_cost(pair), (triple, pair))
            for triple in combinations(range(problem.seated_player_count), THREE)
            if (pair := tuple(node for node in range(problem.seated_player_count) if node not in triple))
            and costs.is_table_allowed(triple)
            and costs.is_table_allowed(pair)
        ]
        return TableSeating(min(solutions)[1]) if solutions else None
    best = solve_remaining_nodes(
        tuple(range(problem.seated_player_count)), sum(size != problem.preferred_size for size in problem.sizes)
    )
    return None if best is None else TableSeating(best[1])


def _solve_by_random_search(
    problem: TableSeatingProblem, seed: int, progress: ProgressCallback
) -> TableSeating | None:
    costs, random = _TableCostCalculator(problem), Random(seed)  # noqa: S311 - a lot, not a secret
    best: tuple[int, Tables] | None = None
    for number in range(_SEARCH_COUNT):
        progress(number, _SEARCH_COUNT)
        nodes = list(range(problem.seated_player_count))
        random.shuffle(nodes)
        random_tables = [list(table) for table in _split_nodes_by_table_size(nodes, problem.sizes)]
        tables = tuple(tuple(sorted(table)) for table in _improve_tables(problem, costs, random_tables))
        cost = sum(map(costs.compute_cost, tables))
        if all(map(costs.is_table_allowed, tables)) and (best is None or cost < best[0]):
            best = cost, tables
    return None if best is None else TableSeating(best[1], is_proved=False)


def _improve_tables(
    problem: TableSeatingProblem, costs: _TableCostCalculator, tables: list[list[int]]
) -> list[list[int]]:
    penalty = (
        1
        + sum(map(max, costs.pair_costs)) * max(problem.sizes)
        + sum(costs.unusual_size_costs)
        + (costs.lot_unit << _LOT_BITS) * len(tables)
    )
    weights = [
        [cost + penalty * int(problem.forbidden[row, column]) for column, cost in enumerate(costs_of_row)]
        for row, costs_of_row in enumerate(costs.pair_costs)
    ]
    table_of = {node: number for number, table in enumerate(tables) for node in table}
    cost_at = [[sum(row[node] for node in table) for table in tables] for row in weights]  # [node][table]
    is_odd = [len(table) != problem.preferred_size for table in tables]
    nodes, is_improved = range(problem.seated_player_count), True
    while is_improved:
        is_improved = False
        for first, second in combinations(nodes, 2):
            table, other_table = table_of[first], table_of[second]
            if table == other_table:
                continue
            new_cost = cost_at[second][table] + cost_at[first][other_table] - 2 * weights[first][second]
            change = new_cost - cost_at[first][table] - cost_at[second][other_table]
            if is_odd[table] or is_odd[other_table]:
                change += _compute_swap_cost_at_unusual_tables(
                    costs, tables, (table, other_table), (first, second), is_odd
                )
            if change < 0:
                tables[table][tables[table].index(first)] = second
                tables[other_table][tables[other_table].index(second)] = first
                table_of[first], table_of[second] = other_table, table
                for node in nodes:
                    difference = weights[node][second] - weights[node][first]
                    cost_at[node][table] += difference
                    cost_at[node][other_table] -= difference
                is_improved = True
    return tables


def _compute_swap_cost_at_unusual_tables(
    costs: _TableCostCalculator,
    tables: list[list[int]],
    numbers: tuple[int, int],
    nodes: tuple[int, int],
    is_odd: list[bool],
) -> int:
    change, (first, second) = 0, nodes
    for number, old, new in ((numbers[0], first, second), (numbers[1], second, first)):
        if is_odd[number]:
            new_nodes = [new if node == old else node for node in tables[number]]
            lots = costs.compute_tie_breaking_table_cost(new_nodes) - costs.compute_tie_breaking_table_cost(
                tables[number]
            )
            change += costs.unusual_size_costs[new] - costs.unusual_size_costs[old] + costs.lot_unit * lots
    return change


def make_table_seating_problem(
    situation: PairingInput, positions: Sequence[int], tables: PlayersPerTableRule
) -> TableSeatingProblem:
    """Return the seating problem of the players at `positions` (indices of the field's `entrants`).

    If the pairing system ignores scores, score differences cost nothing.
    """
    index, stage, field = situation.index, situation.stage, situation.field
    entrants = [field.entrants[position] for position in positions]
    history = compute_records(index, index.tournament.divisions[stage.division], field.number - 1)
    first_round = index.get_first_round_number(stage.id)
    evenings = {
        number: evening
        for evening, evening_stage in enumerate(index.stages(stage.division), start=1)
        for number in range(index.get_first_round_number(evening_stage.id), field.number)
    }
    odd_rounds = [
        _list_rounds_at_tables_of_unusual_size(history[entrant.player], tables.prefer) for entrant in entrants
    ]

    def count_meetings_tonight(entrant: Entrant, opponent: Entrant) -> int:
        return sum(number >= first_round for number in entrant.meetings.get(opponent.player, ()))

    def weigh_season_meetings(entrant: Entrant, opponent: Entrant) -> int:
        return sum(evenings[number] for number in entrant.meetings.get(opponent.player, ()))

    def compute_squared_score_difference(entrant: Entrant, opponent: Entrant) -> int:
        return 0 if get_pairing_system(stage).ignores_scores else (entrant.score - opponent.score) ** 2

    def draw_random_cost(entrant: Entrant, opponent: Entrant) -> int:
        numbers = sorted((entrant.number, opponent.number))
        return generate_random_bits(field.seed, field.number, *numbers) >> (64 - _CHANCE_BITS)

    def is_forbidden(entrant: Entrant, opponent: Entrant) -> bool:
        return frozenset({entrant.player, opponent.player}) in field.forbidden_pairs

    def is_kept_apart(entrant: Entrant, opponent: Entrant) -> bool:
        return frozenset({entrant.player, opponent.player}) in field.pairs_kept_apart

    def make_matrix(count: Callable[[Entrant, Entrant], int]) -> Ints:
        matrix = np.zeros((len(entrants), len(entrants)), dtype=np.int64)
        for (row, entrant), (column, opponent) in combinations(enumerate(entrants), 2):
            matrix[row, column] = matrix[column, row] = count(entrant, opponent)
        return matrix

    def count_rounds_of_each_entrant(count_rounds: Callable[[list[int]], int]) -> Ints:
        return np.array([count_rounds(rounds) for rounds in odd_rounds], dtype=np.int64)

    return TableSeatingProblem(
        sizes=compute_table_sizes(tables, len(entrants)),
        preferred_size=tables.prefer,
        forbidden=make_matrix(is_forbidden),
        pair_costs={
            "repeats": make_matrix(count_meetings_tonight),
            "apart": make_matrix(is_kept_apart),
            "score_difference": make_matrix(compute_squared_score_difference),
            "season": make_matrix(weigh_season_meetings),
            "chance": make_matrix(draw_random_cost),
        },
        unusual_size_costs={
            "odd_tonight": count_rounds_of_each_entrant(
                lambda rounds: sum(number >= first_round for number in rounds)
            ),
            "odd_season": count_rounds_of_each_entrant(len),
            "odd_last": count_rounds_of_each_entrant(
                lambda rounds: max((evenings[number] for number in rounds), default=0)
            ),
        },
        lots=tuple(
            generate_random_bits(field.seed, field.number, entrant.number) >> (64 - _LOT_BITS)
            for entrant in entrants
        ),
    )


def _list_rounds_at_tables_of_unusual_size(record: Record, prefer: int) -> list[int]:
    return [entry.round for entry in record if entry.met_players and len(entry.met_players) + 1 != prefer]


def plan_tables_of_mixed_sizes(situation: PairingInput, tables: PlayersPerTableRule) -> PairingPlan:
    """Return the best tables of a round. Fixed pairs stay at tables of two."""
    field = situation.field
    positions = [int(position) for position in list_positions_without_fixed_pair(field)]
    problem = make_table_seating_problem(situation, positions, tables)
    solved = find_best_tables(problem, generate_random_bits(field.seed, field.number), situation.progress)
    if solved is None:
        numbers = tuple(field.entrants[position].number for position in positions)
        raise CommandError("no-pairing-possible", players=numbers)
    pairs, group_tables = [*list_fixed_pairs(field)], []
    for nodes in solved.tables:
        ends, cost = sorted(positions[node] for node in nodes), _list_table_costs(problem, nodes)
        if len(nodes) == USUAL_TABLE_SIZE:
            ignores_scores = get_pairing_system(situation.stage).ignores_scores
            code = "repeat" if dict(cost)["repeats"] else "random" if ignores_scores else None
            pairs.append(PlannedPair(ends[0], ends[1], code))
        else:
            group_tables.append(PlannedGroupTable(tuple(ends), _explain_group_table(problem, nodes, cost), cost))
    total = _sum_table_costs(_list_table_costs(problem, nodes) for nodes in solved.tables)
    relaxed: tuple[str, ...] = ("repeats",) if dict(total)["repeats"] else ()
    relaxed += () if solved.is_proved else ("best-exchange",)
    return PairingPlan(tuple(pairs), relaxed, tables=tuple(group_tables), cost=total)


def plan_manual_group_tables(
    situation: PairingInput, tables: PlayersPerTableRule, groups: Sequence[tuple[int, tuple[PlayerId, ...]]]
) -> PairingPlan:
    """Return a plan with the fixed pairs, and with `groups`: table numbers and players."""
    positions, names = situation.field.map_player_positions(), situation.index.tournament.players
    for player in (player for _, players in groups for player in players):
        if player not in positions:
            raise CommandError("player-not-in-round", player=names[player].name, round=situation.field.number)
    problem = make_table_seating_problem(situation, range(len(positions)), tables)
    group_tables = []
    for table, players in groups:
        nodes = sorted(positions[player] for player in players)
        cost = _list_table_costs(problem, nodes)
        reason = (BY_HAND, _explain_group_table(problem, nodes, cost)[1])
        group_tables.append(PlannedGroupTable(tuple(nodes), reason, cost, table))
    pairs = list_fixed_pairs(situation.field)
    costs = [group_table.cost for group_table in group_tables]
    costs += [
        _list_table_costs(problem, (pair.position, pair.opponent)) for pair in pairs if pair.opponent is not None
    ]
    return PairingPlan(pairs, tables=tuple(group_tables), cost=_sum_table_costs(costs))


def _sum_table_costs(costs: Iterable[_CostByLevel]) -> _CostByLevel:
    rows = [dict(table_costs) for table_costs in costs]
    return tuple((name, sum(row[name] for row in rows)) for name in LEVELS if name not in _RANDOM_LEVELS)


def _list_table_costs(problem: TableSeatingProblem, nodes: Sequence[int]) -> _CostByLevel:
    is_odd = len(nodes) != problem.preferred_size
    costs = {
        name: int(is_odd) * sum(int(level[node]) for node in nodes)
        for name, level in problem.unusual_size_costs.items()
    }
    for name, level in problem.pair_costs.items():
        costs[name] = sum(int(level[pair]) for pair in combinations(nodes, 2))
    return tuple((name, costs[name]) for name in LEVELS if name not in _RANDOM_LEVELS)


def _explain_group_table(
    problem: TableSeatingProblem, nodes: Sequence[int], cost: _CostByLevel
) -> tuple[str, Facts]:
    costs, players = dict(cost), len(nodes)
    facts: Facts = (("players", players), ("meetings", costs["repeats"]), ("before", costs["odd_season"]))
    if players == 1:
        return "table-alone", facts
    if players == problem.seated_player_count and problem.preferred_size == 0:
        return "table-all", facts
    if costs["repeats"]:
        return "table-repeat", facts
    if costs["odd_tonight"]:
        return "table-odd-again", facts
    if players != problem.preferred_size:
        waits = problem.unusual_size_costs["odd_season"]
        return "table-odd-rotation" if waits.any() else "table-odd-first", facts
    return "table-preferred", facts
