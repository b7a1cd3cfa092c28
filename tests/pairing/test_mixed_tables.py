"""Tests of tables of one to four players: sizes, and optimality by search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from time import process_time

import numpy as np
import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId
from tdapp.domain.ruleset import OddPlayerRule, PlayersPerTableRule
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import list_games_that_can_count_as_draws, propose_pairings
from tdapp.pairing.mixed_tables import LEVELS, Tables, TableSeatingProblem, compute_table_sizes, find_best_tables
from tdapp.pairing.recheck import recheck_rounds
from tests.building import DIVISION, RESOURCES, get_last_round, pair_rounds
from tests.clubs import THREE, enter_points, list_seated_players, make_club

THREES, FOURS = PlayersPerTableRule(prefer=3), PlayersPerTableRule(prefer=4)


@pytest.mark.parametrize(
    ("rules", "players", "sizes"),
    [
        (THREE, 12, (2,) * 6),
        (THREE, 13, (2, 2, 2, 2, 2, 3)),
        (THREE, 3, (3,)),
        (THREE, 1, (1,)),
        (PlayersPerTableRule(), 5, (2, 2, 1)),
        (THREES, 12, (3,) * 4),
        (THREES, 13, (3, 3, 3, 4)),
        (THREES, 14, (3, 3, 3, 3, 2)),
        (THREES, 2, (2,)),
        (THREES, 4, (4,)),
        (FOURS, 13, (4, 3, 3, 3)),
        (FOURS, 10, (4, 3, 3)),
        (FOURS, 7, (4, 3)),
        (FOURS, 5, (3, 2)),
        (FOURS, 2, (2,)),
        (FOURS, 6, (3, 3)),
        (FOURS, 9, (3, 3, 3)),
        (FOURS, 8, (4, 4)),
        (PlayersPerTableRule(prefer=0), 17, (17,)),
        (PlayersPerTableRule(prefer=1), 3, (1, 1, 1)),
    ],
)
def test_compute_table_sizes_by_the_number_of_players(
    rules: PlayersPerTableRule, players: int, sizes: tuple[int, ...]
) -> None:
    assert compute_table_sizes(rules, players) == sizes


def make_table_problem(
    players: int, rules: PlayersPerTableRule, seed: int, *, forbidden: int = 2
) -> TableSeatingProblem:
    """Return a problem with random costs, many of them equal."""
    random = Random(seed)

    def draw_matrix(highest: int) -> np.ndarray:
        matrix = np.zeros((players, players), dtype=np.int64)
        for first, second in combinations(range(players), 2):
            matrix[first, second] = matrix[second, first] = random.randint(0, highest)
        return matrix

    def draw_column(highest: int) -> np.ndarray:
        return np.array([random.randint(0, highest) for _ in range(players)], dtype=np.int64)

    forbidden_pairs = np.zeros((players, players), dtype=np.int64)
    for _ in range(forbidden if players > 4 else 0):
        first, second = random.sample(range(players), 2)
        forbidden_pairs[first, second] = forbidden_pairs[second, first] = 1
    pairs = {"repeats": draw_matrix(1), "apart": draw_matrix(1), "score_difference": draw_matrix(9),
             "season": draw_matrix(4), "chance": draw_matrix(2**16 - 1)}  # fmt: skip
    odd_costs = {"odd_tonight": draw_column(1), "odd_season": draw_column(3), "odd_last": draw_column(3)}
    return TableSeatingProblem(
        compute_table_sizes(rules, players),
        rules.prefer,
        forbidden_pairs,
        pairs,
        odd_costs,
        tuple(draw_column(2**16 - 1).tolist()),
    )


def compute_costs(problem: TableSeatingProblem, tables: Tables) -> list[int]:
    """Return the costs of tables by level, computed independently of the program."""
    costs = []
    odd_tables = [table for table in tables if len(table) != problem.preferred_size]
    for name in LEVELS:
        if name == "lot":
            costs.append(sum(sum(problem.lots[node] for node in table) % 2**16 for table in odd_tables))
        elif name in problem.unusual_size_costs:
            costs.append(
                sum(int(problem.unusual_size_costs[name][node]) for table in odd_tables for node in table)
            )
        else:
            costs.append(
                sum(int(problem.pair_costs[name][pair]) for table in tables for pair in combinations(table, 2))
            )
    return costs


def generate_tables(nodes: tuple[int, ...], sizes: Sequence[int]) -> Iterator[Tables]:
    if not nodes:
        yield ()
    for size in dict.fromkeys(sizes):
        remaining_sizes = list(sizes)
        remaining_sizes.remove(size)
        for mates in combinations(nodes[1:], size - 1):
            table = (nodes[0], *mates)
            for other_tables in generate_tables(
                tuple(node for node in nodes if node not in table), remaining_sizes
            ):
                yield (table, *other_tables)


def is_allowed(problem: TableSeatingProblem, tables: Tables) -> bool:
    return not any(problem.forbidden[pair] for table in tables for pair in combinations(table, 2))


def find_lowest_costs(problem: TableSeatingProblem) -> list[int] | None:
    all_tables = generate_tables(tuple(range(problem.seated_player_count)), problem.sizes)
    return min(
        (compute_costs(problem, tables) for tables in all_tables if is_allowed(problem, tables)), default=None
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("players", range(3, 11))
@pytest.mark.parametrize("rules", [THREE, THREES, FOURS], ids=["prefer-2", "prefer-3", "prefer-4"])
def test_solve_tables_is_optimal(rules: PlayersPerTableRule, players: int, seed: int) -> None:
    problem = make_table_problem(players, rules, seed)
    if set(problem.sizes) == {2}:
        return
    solved = find_best_tables(problem)

    lowest_costs = find_lowest_costs(problem)
    assert (solved and compute_costs(problem, solved.tables)) == lowest_costs
    assert solved is None or solved.is_proved


@pytest.mark.long
@pytest.mark.parametrize("players", [11, 12, 13])
@pytest.mark.parametrize("rules", [THREE, THREES, FOURS], ids=["prefer-2", "prefer-3", "prefer-4"])
def test_solve_tables_is_optimal_up_to_thirteen(rules: PlayersPerTableRule, players: int) -> None:
    problem = make_table_problem(players, rules, players)
    if set(problem.sizes) == {2}:
        return
    solved = find_best_tables(problem)

    assert solved is not None
    assert compute_costs(problem, solved.tables) == find_lowest_costs(problem)


@pytest.mark.parametrize("rules", [THREES, FOURS], ids=["prefer-3", "prefer-4"])
def test_solve_tables_has_no_better_exchange(rules: PlayersPerTableRule) -> None:
    problem = make_table_problem(25, rules, 3)
    solved = find_best_tables(problem, seed=5)

    assert solved is not None
    assert not solved.is_proved
    assert is_allowed(problem, solved.tables)
    cost = compute_costs(problem, solved.tables)
    table_numbers = {node: number for number, table in enumerate(solved.tables) for node in table}
    for first, second in combinations(range(25), 2):
        changes = {first: second, second: first} if table_numbers[first] != table_numbers[second] else {}
        changed_tables = tuple(tuple(changes.get(node, node) for node in table) for table in solved.tables)
        assert (
            not changes
            or not is_allowed(problem, changed_tables)
            or compute_costs(problem, changed_tables) >= cost
        )


def play_club_rounds(players: int, rounds: int) -> Tournament:
    value, random = make_club(players), Random(players)
    for _ in range(rounds):
        value = pair_rounds(value, results=False)
        value = enter_points(value, {player: random.randint(150, 450) for player in value.players})
    return value


@pytest.mark.slow
def test_solve_tables_one_odd_table_of_sixty_players_is_quick() -> None:
    value = play_club_rounds(59, 3)
    times = []
    for _ in range(3):
        start_time = process_time()
        propose_pairings(TournamentIndex(value), DIVISION)
        times.append(process_time() - start_time)

    assert min(times) < 0.5


def test_propose_pairings_odd_table_has_other_players_each_round_of_an_evening() -> None:
    value, earlier_players = make_club(13), set[str]()
    for _ in range(3):
        value = pair_rounds(value, results=False)
        players = next(table for table in list_seated_players(value) if len(table) == 3)
        assert not earlier_players & players
        earlier_players |= players
        value = enter_points(
            value, {player: 200 + 3 * number for number, player in enumerate(sorted(value.players))}
        )
    pairs = [frozenset(pair) for table in list_seated_groups(value) for pair in combinations(sorted(table), 2)]
    assert len(pairs) == len(set(pairs))


def list_seated_groups(value: Tournament) -> Iterator[set[PlayerId]]:
    index = TournamentIndex(value)
    for item in index.list_published_rounds(DIVISION):
        yield from ({game.first, game.second} for game in index.games(item.id))
        yield from ({seat.player for seat in seats} for seats in index.list_seats_by_table(item.id))


def test_pair_round_seats_thirteen_then_twelve_at_tables() -> None:
    value = pair_rounds(make_club(13), results=False)
    assert sorted(map(len, list_seated_players(value))) == [2, 2, 2, 2, 2, 3]
    value = pair_rounds(enter_points(value, dict.fromkeys(value.players, 300)), results=False)
    value = enter_points(value, dict.fromkeys(value.players, 300))
    for player in ("p1", "p2"):
        value = commands.withdraw_player(value, key=f"w{player}", player=PlayerId(player), from_round=3)
    value = commands.add_player(value, key="p14", division=DIVISION, name="P14")

    value = pair_rounds(value, results=False)

    assert list(map(len, list_seated_players(value))) == [2] * 6
    assert not value.byes


def test_solve_tables_separates_forbidden_players() -> None:
    value = make_club(3)
    value = commands.forbid_pairing(value, key="x", player=PlayerId("p1"), other=PlayerId("p3"))

    with pytest.raises(CommandError, match="no-pairing-possible"):
        propose_pairings(TournamentIndex(value), DIVISION)


def test_recheck_rounds_of_tables_of_three() -> None:
    value = play_club_rounds(9, 2)
    value = pair_rounds(value, results=False)

    index, item = TournamentIndex(value), get_last_round(value)
    assert all(seats[0].reason for seats in index.list_seats_by_table(item.id))
    assert all(game.reason for game in index.games(item.id))
    assert [recheck.has_same_pairing for recheck in recheck_rounds(value, DIVISION)] == [True] * 3


def test_explain_pairing_of_a_table_omits_meetings_in_the_season() -> None:
    catalogue = Catalogue("en", RESOURCES / "locale")
    reason = propose_pairings(TournamentIndex(play_club_rounds(9, 1)), DIVISION).seats[0].reason

    assert reason is not None
    assert "first meeting" not in catalogue.explain_pairing(reason.code, dict(reason.facts))


def test_propose_pairings_by_lot_ignores_scores_of_tables() -> None:
    value = make_club(5, system="random")
    value = enter_points(
        pair_rounds(value, results=False), {"p1": 450, "p2": 350, "p3": 300, "p4": 200, "p5": 150}
    )

    assert dict(propose_pairings(TournamentIndex(value), DIVISION).cost)["score_difference"] == 0


def test_order_pairing_seats_the_pair_at_a_table_of_two() -> None:
    value = make_club(8, PlayersPerTableRule(prefer=3))
    value = commands.order_pairing(value, key="o", player=PlayerId("p1"), other=PlayerId("p8"), round_number=1)

    assert {"p1", "p8"} in list_seated_players(pair_rounds(value, results=False))
    assert sorted(map(len, list_seated_players(pair_rounds(value, results=False)))) == [2, 3, 3]


def test_propose_pairings_of_tables_in_large_fields() -> None:
    proposal = propose_pairings(
        TournamentIndex(make_club(20, PlayersPerTableRule(prefer=4, odd=OddPlayerRule.BYE))), DIVISION
    )

    assert "best-exchange" in proposal.relaxed
    assert len({seat.table for seat in proposal.seats}) == 5


def test_propose_pairings_assumes_missing_results_of_three_players() -> None:
    value = pair_rounds(make_club(5), results=False)
    for game in TournamentIndex(value).games(get_last_round(value).id):
        value = commands.enter_result(value, game=game.id, first=310, second=290)
    with pytest.raises(CommandError, match="results-missing"):
        propose_pairings(TournamentIndex(value), DIVISION)

    assumed = list_games_that_can_count_as_draws(TournamentIndex(value), DIVISION)
    proposal = propose_pairings(TournamentIndex(value), DIVISION, assumed=assumed)
    assert len(assumed) == 3
    assert proposal.assumed == tuple(sorted(assumed))
    value = commands.pair_round(value, key="x", proposal=proposal)
    assert {
        seat.points for seat in TournamentIndex(value).seats(TournamentIndex(value).rounds(DIVISION)[0].id)
    } == {None}
