"""Tables of one to four: their sizes, and that no other tables are better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from time import process_time

import numpy as np
import pytest

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import PlayerId
from tdapp.domain.ruleset import OddPlayer, TableRule
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import list_unfinished_games, propose_pairings
from tdapp.pairing.mixed_tables import LEVELS, TableProblem, Tables, solve_tables, split_into_tables
from tdapp.pairing.recheck import recheck_rounds
from tests.building import DIVISION, RESOURCES, get_last_round, pair_rounds
from tests.clubs import THREE, enter_points, list_seated_players, make_club

THREES, FOURS = TableRule(prefer=3), TableRule(prefer=4)


@pytest.mark.parametrize(
    ("rules", "players", "sizes"),
    [
        (THREE, 12, (2,) * 6),
        (THREE, 13, (2, 2, 2, 2, 2, 3)),
        (THREE, 3, (3,)),
        (THREE, 1, (1,)),
        (TableRule(), 5, (2, 2, 1)),
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
        (TableRule(prefer=0), 17, (17,)),
        (TableRule(prefer=1), 3, (1, 1, 1)),
    ],
)
def test_split_into_tables_by_the_number_of_players(
    rules: TableRule, players: int, sizes: tuple[int, ...]
) -> None:
    assert split_into_tables(rules, players) == sizes


def problem(players: int, rules: TableRule, seed: int, *, forbidden: int = 2) -> TableProblem:
    """Random costs, with many equal ones, as in a real club."""
    random = Random(seed)

    def matrix(most: int) -> np.ndarray:
        made = np.zeros((players, players), dtype=np.int64)
        for one, other in combinations(range(players), 2):
            made[one, other] = made[other, one] = random.randint(0, most)
        return made

    def column(most: int) -> np.ndarray:
        return np.array([random.randint(0, most) for _ in range(players)], dtype=np.int64)

    never = np.zeros((players, players), dtype=np.int64)
    for _ in range(forbidden if players > 4 else 0):
        one, other = random.sample(range(players), 2)
        never[one, other] = never[other, one] = 1
    pairs = {"repeats": matrix(1), "apart": matrix(1), "score_difference": matrix(9), "season": matrix(4),
             "chance": matrix(2**16 - 1)}  # fmt: skip
    odd = {"odd_tonight": column(1), "odd_season": column(3), "odd_last": column(3)}
    return TableProblem(
        split_into_tables(rules, players), rules.prefer, never, pairs, odd, tuple(column(2**16 - 1).tolist())
    )


def value_of(one: TableProblem, tables: Tables) -> list[int]:
    """The cost of tables level by level, computed in another way than the program does."""
    found = []
    odd = [table for table in tables if len(table) != one.preferred_size]
    for name in LEVELS:
        if name == "lot":
            found.append(sum(sum(one.lots[node] for node in table) % 2**16 for table in odd))
        elif name in one.odd_table_costs:
            found.append(sum(int(one.odd_table_costs[name][node]) for table in odd for node in table))
        else:
            found.append(
                sum(int(one.pair_costs[name][pair]) for table in tables for pair in combinations(table, 2))
            )
    return found


def all_tables(free: tuple[int, ...], sizes: Sequence[int]) -> Iterator[Tables]:
    if not free:
        yield ()
    for size in dict.fromkeys(sizes):
        left = list(sizes)
        left.remove(size)
        for mates in combinations(free[1:], size - 1):
            table = (free[0], *mates)
            for rest in all_tables(tuple(node for node in free if node not in table), left):
                yield (table, *rest)


def is_allowed(one: TableProblem, tables: Tables) -> bool:
    return not any(one.forbidden[pair] for table in tables for pair in combinations(table, 2))


def brute_force(one: TableProblem) -> list[int] | None:
    every = all_tables(tuple(range(one.players)), one.sizes)
    return min((value_of(one, tables) for tables in every if is_allowed(one, tables)), default=None)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("players", range(3, 11))
@pytest.mark.parametrize("rules", [THREE, THREES, FOURS], ids=["twos", "threes", "fours"])
def test_solve_tables_is_optimal(rules: TableRule, players: int, seed: int) -> None:
    one = problem(players, rules, seed)
    if set(one.sizes) == {2}:
        return
    solved = solve_tables(one)

    best = brute_force(one)
    assert (solved and value_of(one, solved.tables)) == best
    assert solved is None or solved.is_proved


@pytest.mark.long
@pytest.mark.parametrize("players", [11, 12, 13])
@pytest.mark.parametrize("rules", [THREE, THREES, FOURS], ids=["twos", "threes", "fours"])
def test_solve_tables_is_optimal_up_to_thirteen(rules: TableRule, players: int) -> None:
    one = problem(players, rules, players)
    if set(one.sizes) == {2}:
        return
    solved = solve_tables(one)

    assert solved is not None
    assert value_of(one, solved.tables) == brute_force(one)


@pytest.mark.parametrize("rules", [THREES, FOURS], ids=["threes", "fours"])
def test_solve_tables_has_no_better_exchange(rules: TableRule) -> None:
    one = problem(25, rules, 3)
    solved = solve_tables(one, seed=5)

    assert solved is not None
    assert not solved.is_proved
    assert is_allowed(one, solved.tables)
    cost = value_of(one, solved.tables)
    place = {node: at for at, table in enumerate(solved.tables) for node in table}
    for first, second in combinations(range(25), 2):
        changes = {first: second, second: first} if place[first] != place[second] else {}
        other = tuple(tuple(changes.get(node, node) for node in table) for table in solved.tables)
        assert not changes or not is_allowed(one, other) or value_of(one, other) >= cost


def evening(players: int, rounds: int) -> Tournament:
    value, random = make_club(players), Random(players)
    for _ in range(rounds):
        value = pair_rounds(value, results=False)
        value = enter_points(value, {player: random.randint(150, 450) for player in value.players})
    return value


@pytest.mark.slow
def test_solve_tables_one_odd_table_of_sixty_players_is_quick() -> None:
    value = evening(59, 3)
    times = []
    for _ in range(3):
        begun = process_time()
        propose_pairings(Index(value), DIVISION)
        times.append(process_time() - begun)

    assert min(times) < 0.5


def test_odd_table_has_other_players_each_round_of_an_evening() -> None:
    value, sat = make_club(13), set[str]()
    for _ in range(3):
        value = pair_rounds(value, results=False)
        three = next(table for table in list_seated_players(value) if len(table) == 3)
        assert not sat & three
        sat |= three
        value = enter_points(
            value, {player: 200 + 3 * number for number, player in enumerate(sorted(value.players))}
        )
    pairs = [frozenset(pair) for table in _all_seated(value) for pair in combinations(sorted(table), 2)]
    assert len(pairs) == len(set(pairs))


def _all_seated(value: Tournament) -> Iterator[set[PlayerId]]:
    index = Index(value)
    for item in index.published(DIVISION):
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

    with pytest.raises(RuleViolation, match="no-pairing-possible"):
        propose_pairings(Index(value), DIVISION)


def test_recheck_rounds_of_tables_of_three() -> None:
    value = evening(9, 2)
    value = pair_rounds(value, results=False)

    index, item = Index(value), get_last_round(value)
    assert all(seats[0].reason for seats in index.list_seats_by_table(item.id))
    assert all(game.reason for game in index.games(item.id))
    assert [one.is_same for one in recheck_rounds(value, DIVISION)] == [True] * 3


def test_reasons_of_tables_do_not_speak_of_meetings_in_the_season() -> None:
    words = Catalogue("en", RESOURCES / "locale")
    reason = propose_pairings(Index(evening(9, 1)), DIVISION).seats[0].reason

    assert reason is not None
    assert "first meeting" not in words.explain_pairing(reason.code, dict(reason.facts))


def test_propose_pairings_by_lot_ignores_scores_of_tables() -> None:
    value = make_club(5, system="random")
    value = enter_points(
        pair_rounds(value, results=False), {"p1": 450, "p2": 350, "p3": 300, "p4": 200, "p5": 150}
    )

    assert dict(propose_pairings(Index(value), DIVISION).cost)["score_difference"] == 0


def test_order_pairing_stays_at_a_table_of_two() -> None:
    value = make_club(8, TableRule(prefer=3))
    value = commands.order_pairing(value, key="o", player=PlayerId("p1"), other=PlayerId("p8"), round_number=1)

    assert {"p1", "p8"} in list_seated_players(pair_rounds(value, results=False))
    assert sorted(map(len, list_seated_players(pair_rounds(value, results=False)))) == [2, 3, 3]


def test_propose_pairings_of_tables_in_large_fields() -> None:
    proposal = propose_pairings(Index(make_club(20, TableRule(prefer=4, odd=OddPlayer.BYE))), DIVISION)

    assert "best-exchange" in proposal.relaxed
    assert len({seat.table for seat in proposal.seats}) == 5


def test_missing_results_of_three_can_be_assumed() -> None:
    value = pair_rounds(make_club(5), results=False)
    for game in Index(value).games(get_last_round(value).id):
        value = commands.enter_result(value, game=game.id, first=310, second=290)
    with pytest.raises(RuleViolation, match="results-missing"):
        propose_pairings(Index(value), DIVISION)

    assumed = list_unfinished_games(Index(value), DIVISION)
    proposal = propose_pairings(Index(value), DIVISION, assumed=assumed)
    assert len(assumed) == 3
    assert proposal.assumed == tuple(sorted(assumed))
    value = commands.pair_round(value, key="x", proposal=proposal)
    assert {seat.points for seat in Index(value).seats(Index(value).rounds(DIVISION)[0].id)} == {None}
