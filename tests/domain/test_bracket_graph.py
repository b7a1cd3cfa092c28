"""Tests of the match graphs of elimination formats for 2 to 300 players (all sizes with `-m long`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.domain.elimination import (
    BracketPart,
    MatchNode,
    MatchPlayerSource,
    MatchPlayerSourceKind,
    build_match_graph,
    count_bracket_rounds,
    count_knockout_rounds,
    list_loser_order_functions,
    list_seeds_in_bracket_order,
    make_bracket_round_code,
    make_match_codes,
)
from tdapp.domain.matches import KnockoutMatchState, Match, MatchGameScore, MatchScore
from tdapp.domain.pairing_settings import EliminationKind

SIZES = (*range(2, 41), 63, 64, 65, 96, 127, 128, 129, 191, 192, 193, 255, 256, 257, 300)
LONG_SIZES = tuple(set(range(2, 301)) - set(SIZES))


def check_every_size(check: Callable[[int], None]) -> Callable[[Sequence[int]], None]:
    """Return one test for many sizes. Separate tests would take minutes to set up."""

    @pytest.mark.parametrize(
        "sizes", [SIZES, pytest.param(LONG_SIZES, marks=pytest.mark.long)], ids=["some", "rest"]
    )
    def run_check(sizes: Sequence[int]) -> None:
        for count in sizes:
            check(count)

    return run_check


SINGLE, DOUBLE = EliminationKind.SINGLE, EliminationKind.DOUBLE
CLASSIFICATION, CONSOLATION = EliminationKind.CLASSIFICATION, EliminationKind.CONSOLATION


def build_graph(
    count: int, elimination: EliminationKind = SINGLE, *, third_place: bool = False
) -> tuple[MatchNode, ...]:
    return build_match_graph(range(1, count + 1), elimination, third_place=third_place)


def compute_bracket_size(count: int) -> int:
    return 1 << (count - 1).bit_length()


def select_part(nodes: Sequence[MatchNode], part: BracketPart) -> list[MatchNode]:
    return [node for node in nodes if node.part is part]


def play_bracket(nodes: Sequence[MatchNode], rng: Random | None = None) -> list[tuple[MatchNode, list[int], int]]:
    """Play all matches. Return each match with its players and winner (the better seed, or random)."""
    outcomes: dict[int, tuple[list[int], int | None, int | None]] = {}
    first_bracket_rounds: Counter[int] = Counter()
    matches = []
    for index, node in enumerate(nodes):
        players = [
            player
            for feed in node.player_sources
            if (player := find_arriving_player(feed, outcomes, first_bracket_rounds, nodes)) is not None
        ]
        if (
            node.part is BracketPart.RESET
            and outcomes[get_first_source(node)][1] == outcomes[get_first_source(node)][0][0]
        ):
            outcomes[index] = outcomes[get_first_source(node)]
            continue
        if len(players) < 2:
            outcomes[index] = (players, players[0] if players else None, None)
            continue
        winner = min(players) if rng is None else rng.choice(players)
        loser = next(player for player in players if player != winner)
        outcomes[index] = (players, winner, loser)
        matches.append((node, players, winner))
        for player in players:
            first_bracket_rounds[player] = first_bracket_rounds[player] or node.bracket_round
    return matches


def get_first_source(node: MatchNode) -> int:
    assert node.player_sources[0] is not None
    return node.player_sources[0].source_number


def find_arriving_player(
    feed: MatchPlayerSource | None,
    outcomes: dict[int, tuple[list[int], int | None, int | None]],
    first_bracket_rounds: Counter[int],
    nodes: Sequence[MatchNode],
) -> int | None:
    if feed is None:
        return None
    if feed.via is MatchPlayerSourceKind.SEED:
        return feed.source_number
    _, winner, loser = outcomes[feed.source_number]
    if feed.via is MatchPlayerSourceKind.WINNER:
        return winner
    if (
        feed.via is MatchPlayerSourceKind.FIRST_LOSS
        and loser is not None
        and first_bracket_rounds[loser] != nodes[feed.source_number].bracket_round
    ):
        return None
    return loser


def test_order_seeds_gives_the_order_of_slots() -> None:
    assert list_seeds_in_bracket_order(2) == (1, 2)
    assert list_seeds_in_bracket_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@check_every_size
def test_build_graph_of_single_elimination(count: int) -> None:
    nodes, size = build_graph(count), compute_bracket_size(count)
    games = [node for node in nodes if not node.has_bye]
    byes = [node for node in nodes if node.has_bye]
    assert len(games) == count - 1
    seeded = {feed.source_number for node in byes for feed in node.player_sources if feed is not None}
    assert seeded == set(range(1, size - count + 1))
    assert all(node.bracket_round == 1 and sum(feed is None for feed in node.player_sources) == 1 for node in byes)
    assert sum(node.bracket_round == 1 for node in games) == count - size // 2
    for node, players, _ in play_bracket(nodes):
        assert sum(players) == size // 2 ** (node.bracket_round - 1) + 1
    assert count_bracket_rounds(nodes) == (count - 1).bit_length()


@pytest.mark.parametrize("elimination", list(EliminationKind))
def test_build_graph_of_each_format_is_complete(elimination: EliminationKind) -> None:
    for count in (*range(2, 67), 96, 100, 127, 128, 129, 255, 256, 257, 300):
        check_complete_graph(count, elimination)


def check_complete_graph(count: int, elimination: EliminationKind) -> None:
    nodes = build_graph(count, elimination, third_place=True)
    for bracket_round in range(1, count_bracket_rounds(nodes) + 1):
        numbers = [node.match for node in nodes if node.bracket_round == bracket_round]
        assert numbers == list(range(1, len(numbers) + 1))
    feeds = [feed for node in nodes for feed in node.player_sources if feed is not None]
    assert all(
        nodes[feed.source_number].bracket_round < node.bracket_round
        for node in nodes
        for feed in node.player_sources
        if feed and feed.via != "seed"
    )
    outcomes = [
        (feed.source_number, feed.via is MatchPlayerSourceKind.WINNER)
        for feed in feeds
        if feed.via is not MatchPlayerSourceKind.SEED
    ]
    assert len(outcomes) == len(set(outcomes))
    assert len(set(make_match_codes(nodes))) == len(nodes)
    for rng in (None, Random(count)):
        appearances: Counter[tuple[int, int]] = Counter()
        for node, players, _ in play_bracket(nodes, rng):
            appearances.update((node.bracket_round, player) for player in players)
        assert set(appearances.values()) == {1}


def find_continued_outcomes(nodes: Sequence[MatchNode]) -> set[tuple[int, bool]]:
    """Return the pairs of match and outcome (True: won) that lead to another match."""
    feeds = (feed for node in nodes if node.part is not BracketPart.CONSOLATION for feed in node.player_sources)
    return {
        (feed.source_number, feed.via is MatchPlayerSourceKind.WINNER)
        for feed in feeds
        if feed is not None and feed.via is not MatchPlayerSourceKind.SEED
    }


@pytest.mark.parametrize("third_place", [False, True])
@pytest.mark.parametrize("elimination", list(EliminationKind))
def test_build_graph_gives_each_player_one_rank(elimination: EliminationKind, third_place: bool) -> None:
    """Equal players share the best of their ranks."""
    for count in (*range(2, 67), 127, 128, 129):
        nodes = build_graph(count, elimination, third_place=third_place)
        ways = find_continued_outcomes(nodes)
        ranks = [
            rank
            for index, node in enumerate(nodes)
            for rank, won in ((node.winner_rank, True), (node.loser_rank, False))
            if rank is not None and (index, won) not in ways and not node.has_bye
        ]
        assert len(ranks) == count
        assert all(sum(better_rank < rank for better_rank in ranks) == rank - 1 for rank in set(ranks))


@pytest.mark.parametrize("elimination", list(EliminationKind))
def test_build_graph_gives_active_players_no_rank(elimination: EliminationKind) -> None:
    """Each player of a match gets a rank or another match."""
    for count in range(2, 67):
        nodes = build_graph(count, elimination, third_place=True)
        ways = find_continued_outcomes(nodes)
        third_place_match = {
            feed.source_number
            for node in nodes
            if node.part is BracketPart.THIRD
            for feed in node.player_sources
            if feed is not None
        }
        played_for = [
            (index, node) for index, node in enumerate(nodes) if node.part is not BracketPart.CONSOLATION
        ]
        assert len(played_for) >= count - 1
        for index, node in played_for:
            assert (node.winner_rank is None) == ((index, True) in ways or node.has_bye)
            assert (node.loser_rank is None) == ((index, False) in ways or node.has_bye) or (
                index in third_place_match and node.loser_rank == 3
            )
        places = [(node.winner_rank, node.loser_rank) for node in nodes if node.part is BracketPart.CONSOLATION]
        assert places == [(None, None)] * len(places)


@pytest.mark.parametrize("count", [4, 8, 16, 32, 64])
def test_build_graph_numbers_rounds_of_a_full_classification(count: int) -> None:
    """The losers of each round play one after the other."""
    nodes = build_graph(count, CLASSIFICATION)
    place_nodes = select_part(nodes, BracketPart.PLACES)
    assert len(place_nodes) == sum(len(select_part(nodes, part)) for part in BracketPart) - (count - 1) > 0
    for node in place_nodes:
        earlier_round = [nodes[feed.source_number] for feed in node.player_sources if feed is not None]
        assert {source.round if source.part is BracketPart.PLACES else 0 for source in earlier_round} == {
            node.round - 1
        }


@check_every_size
def test_build_graph_seeds_one_and_two_meet_in_the_final(count: int) -> None:
    meetings = [
        node for node, rounds_of_meeting, _ in play_bracket(build_graph(count)) if {1, 2} == set(rounds_of_meeting)
    ]
    assert [node.winner_rank for node in meetings] == [1]


@check_every_size
def test_build_graph_with_third_place(count: int) -> None:
    third_place_match = select_part(build_graph(count, third_place=True), BracketPart.THIRD)
    assert [(node.winner_rank, node.loser_rank, node.bracket_round) for node in third_place_match] == (
        [(3, 4, (count - 1).bit_length())] if count > 3 else []
    )


@check_every_size
def test_build_graph_classification_ranks_all_players(count: int) -> None:
    nodes = build_graph(count, CLASSIFICATION)
    for rng in (None, Random(count)):
        ranks: dict[int, int] = {}
        for node, players, winner in play_bracket(nodes, rng):
            loser = next(player for player in players if player != winner)
            assert node.winner_rank is None or winner not in ranks
            if node.winner_rank is not None:
                ranks[winner] = node.winner_rank
            if node.loser_rank is not None:
                ranks[loser] = node.loser_rank
        assert sorted(ranks) == sorted(ranks.values()) == list(range(1, count + 1))
    assert count_bracket_rounds(nodes) == (count - 1).bit_length()


@pytest.mark.parametrize("power", range(1, 9))
def test_build_graph_full_classification_keeps_all_players(power: int) -> None:
    nodes = build_graph(2**power, CLASSIFICATION)
    assert len(nodes) == 2**power // 2 * power
    assert Counter(node.bracket_round for node in nodes) == Counter(
        dict.fromkeys(range(1, power + 1), 2**power // 2)
    )
    favourite_wins: dict[int, int] = {}
    for node, players, winner in play_bracket(nodes):
        if node.winner_rank is not None and node.loser_rank is not None:
            favourite_wins |= {winner: node.winner_rank, sum(players) - winner: node.loser_rank}
    assert all(favourite_wins[seed] == seed for seed in (1, 2))


@check_every_size
def test_build_graph_of_double_elimination(count: int) -> None:
    nodes, size = build_graph(count, DOUBLE), compute_bracket_size(count)
    games = [node for node in nodes if not node.has_bye]
    assert len(games) == 2 * count - 2 + 1  # the last one is the reset
    rounds = 2 * (size.bit_length() - 2)
    assert max((node.round for node in select_part(nodes, BracketPart.LOSERS)), default=0) == rounds
    assert count_bracket_rounds(nodes) <= rounds + 3
    for rng in (None, *(Random(count + offset) for offset in range(3))):
        losses: Counter[int] = Counter()
        for node, players, winner in play_bracket(nodes, rng):
            loser = sum(players) - winner
            assert node.part is BracketPart.FINAL or losses[loser] == (node.part is not BracketPart.WINNERS)
            losses[loser] += 1
        assert sorted(losses[seed] for seed in range(1, count + 1))[1:] == [2] * (count - 1)


def test_build_graph_gives_the_reset_the_first_two_ranks() -> None:
    (reset,) = select_part(build_graph(8, DOUBLE), BracketPart.RESET)
    (final,) = select_part(build_graph(8, DOUBLE), BracketPart.FINAL)
    assert (reset.round, reset.number, reset.winner_rank, reset.loser_rank) == (1, 1, 1, 2)
    assert (final.round, final.number, final.winner_rank, final.loser_rank) == (1, 1, None, None)


@pytest.mark.parametrize("count", [8, 16, 32, 64, 128, 256])
def test_build_graph_size_of_a_full_double_elimination(count: int) -> None:
    nodes = build_graph(count, DOUBLE)
    assert len(nodes) == 2 * count - 2 + 1
    assert count_bracket_rounds(nodes) == 2 * (count.bit_length() - 1) + 1
    sizes = Counter(node.round for node in select_part(nodes, BracketPart.LOSERS))
    assert [sizes[number] for number in sorted(sizes)] == [
        count // 2 ** (2 + half) for half in range(count.bit_length() - 2) for _ in (1, 2)
    ]


@pytest.mark.parametrize(
    ("count", "earliest"), [(4, 2), (8, 4), (16, 6), (32, 6), (64, 6), (128, 10), (256, 12), (512, 14)]
)
def test_build_graph_first_round_of_a_possible_repeat(count: int, earliest: int) -> None:
    nodes = build_graph(count, DOUBLE)
    next_round = {
        (feed.via, feed.source_number): index
        for index, node in enumerate(nodes)
        for feed in node.player_sources
        if feed is not None
    }

    def list_loser_path(index: int | None) -> list[int]:
        path = []
        while index is not None and nodes[index].part is BracketPart.LOSERS:
            path.append(index)
            index = next_round.get((MatchPlayerSourceKind.WINNER, index))
        return path

    repeat_rounds = []
    for index, node in enumerate(nodes):
        if node.part is not BracketPart.WINNERS:
            continue
        loser_path = list_loser_path(next_round.get((MatchPlayerSourceKind.LOSER, index)))
        next_index = next_round.get((MatchPlayerSourceKind.WINNER, index))
        while next_index is not None and nodes[next_index].part is BracketPart.WINNERS:
            drop = next_round[(MatchPlayerSourceKind.LOSER, next_index)]
            repeat_rounds += [nodes[drop].round] if drop in loser_path else []
            next_index = next_round.get((MatchPlayerSourceKind.WINNER, next_index))
    assert min(repeat_rounds) == earliest


@check_every_size
def test_build_graph_consolation_has_losers_of_the_first_match(count: int) -> None:
    nodes = build_graph(count, CONSOLATION)
    for rng in (None, Random(count)):
        first: dict[int, bool] = {}
        played_there: set[int] = set()
        matches = play_bracket(nodes, rng)
        for node, players, winner in matches:
            for player in players:
                if node.part is BracketPart.CONSOLATION:
                    assert first[player] is False
                    played_there.add(player)
                first.setdefault(player, player == winner)
        first_match_losers = {player for player, won in first.items() if not won}
        finalist = {sum(players) - winner for node, players, winner in matches if node.winner_rank == 1}
        assert (
            len(first_match_losers - finalist - played_there) <= 1
            if count < 6
            else first_match_losers - finalist == played_there
        )


def test_build_graph_late_seed_replaces_a_bye() -> None:
    nodes = build_match_graph([1, 2, 3, 4, 5, 8])
    first = [
        tuple(feed.source_number for feed in node.player_sources if feed)
        for node in nodes
        if node.bracket_round == 1
    ]
    assert first == [(1, 8), (4, 5), (2,), (3,)]


def test_name_matches_of_each_form() -> None:
    assert make_match_codes(build_graph(8, third_place=True)) == (
        *(f"quarter-final/{number}" for number in range(1, 5)),
        "semifinal/1",
        "semifinal/2",
        "final",
        "third-place",
    )
    assert make_match_codes(build_graph(16))[:2] == ("round-of/16/1", "round-of/16/2")
    double = make_match_codes(build_graph(4, DOUBLE))
    assert double == (
        "winners/1/1", "winners/1/2", "winners-final", "losers/1/1", "losers-final", "grand-final", "reset",
    )  # fmt: skip
    for count, places in ((8, "places/5/8/1"), (7, "places/5/7/2"), (6, "place/5")):
        names = [name for name in make_match_codes(build_graph(count, CLASSIFICATION)) if name.startswith("place")]
        assert (names[0], "place/3" in names, "place/7" in names) == (places, True, count == 8)
    assert make_match_codes(build_graph(4, CONSOLATION))[-1] == "consolation-final"


@pytest.mark.parametrize(
    ("players", "rounds"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (16, 4), (17, 5)]
)
def test_count_rounds_grows_after_each_power_of_two(players: int, rounds: int) -> None:
    """A single player also has a round, because a latecomer can take the other seed."""
    assert count_knockout_rounds(players) == rounds


@pytest.mark.parametrize(
    ("players", "expected_name"),
    [
        (1, [""]),
        (2, ["final", ""]),
        (5, ["quarter-final", "semifinal", "final", ""]),
        (9, ["round-of/16", "quarter-final", "semifinal", "final", ""]),
    ],
)
def test_name_bracket_round_by_the_number_of_players(players: int, expected_name: list[str]) -> None:
    seeds = range(1, players + 1)
    assert [
        make_bracket_round_code(seeds, bracket_round, EliminationKind.SINGLE)
        for bracket_round in range(1, len(expected_name) + 1)
    ] == expected_name


@pytest.mark.parametrize(
    ("players", "expected_name"),
    [
        (1, [""]),
        (2, ["winners/1", "grand-final", "reset", ""]),
        (3, ["winners/1", "winners/2", "losers/2", "grand-final", "reset", ""]),
        (4, ["winners/1", "winners-losers/2/1", "losers/2", "grand-final", "reset", ""]),
        (5, ["winners/1", "winners/2", "winners-losers/3/2", "losers/3", "losers/4", "grand-final", "reset", ""]),
    ],
)
def test_name_bracket_round_of_two_brackets_names_both_rounds(players: int, expected_name: list[str]) -> None:
    seeds = range(1, players + 1)
    assert [
        make_bracket_round_code(seeds, bracket_round, EliminationKind.DOUBLE)
        for bracket_round in range(1, len(expected_name) + 1)
    ] == expected_name


def test_series_game_default_is_an_open_final() -> None:
    feeds = (MatchPlayerSource(MatchPlayerSourceKind.SEED, 1), MatchPlayerSource(MatchPlayerSourceKind.SEED, 2))
    node = MatchNode(BracketPart.WINNERS, 1, 1, feeds)
    assert node == MatchNode(
        BracketPart.WINNERS,
        1,
        1,
        feeds,
        bracket_round=0,
        match=0,
        winner_rank=None,
        loser_rank=None,
        top=1,
        round_size=2,
    )
    assert not node.has_bye
    match = Match(node, (None, None), (None, None))
    assert match == replace(match, is_decided=False, is_bye=False, is_needed=True, score=MatchScore((0, 0), 0))
    assert match.score.verdict is KnockoutMatchState.OPEN
    assert (MatchGameScore((2, 0), 30).advances, match.last_game) == (0, None)


def test_build_graph_omits_matches_of_missing_seeds() -> None:
    """If seed 4 or 5 of eight is missing, the other one has a bye."""
    for missing, bye_seed in (({4}, 5), ({5}, 4), ({4, 5}, None), ({1}, 8), ({8}, 1)):
        nodes = [
            node
            for node in build_match_graph({*range(1, 9)} - missing)
            if node.bracket_round == 1 and node.round_size == 8
        ]
        byes = [
            feed.source_number
            for node in nodes
            if node.has_bye
            for feed in node.player_sources
            if feed is not None
        ]
        assert byes == ([] if bye_seed is None else [bye_seed])
        assert len(nodes) == 4 - (bye_seed is None)


def test_list_drop_orders_swaps_losers_of_large_brackets_in_pairs() -> None:
    feeds: list[MatchPlayerSource | None] = [
        MatchPlayerSource(MatchPlayerSourceKind.LOSER, index) for index in range(8)
    ]
    orders = list_loser_order_functions(7)
    assert [feed and feed.source_number for feed in orders[3](feeds)] == [1, 0, 3, 2, 5, 4, 7, 6]
    assert [feed and feed.source_number for feed in orders[2](feeds)] == [4, 5, 6, 7, 0, 1, 2, 3]
    assert [feed and feed.source_number for feed in orders[1](feeds)] == [7, 6, 5, 4, 3, 2, 1, 0]
    assert [feed and feed.source_number for feed in list_loser_order_functions(4)[1](feeds)] == [
        3,
        2,
        1,
        0,
        7,
        6,
        5,
        4,
    ]
    for rounds in range(1, 10):
        for order in list_loser_order_functions(rounds):
            assert order(order(feeds)) == feeds  # twice is the identity
