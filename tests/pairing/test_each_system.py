"""Tests of each pairing system: small cases by hand, and a slow search for comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Absence, AbsenceId, ByeKind, Constraint, ConstraintId, PlayerId, Result, ResultState
from tdapp.domain.pairing_settings import PairingSettings, RankingQuarterPairing
from tdapp.domain.problems import find_division_problems
from tdapp.domain.stages import split_players_in_snake_order
from tdapp.domain.tournament import Tournament
from tdapp.pairing import FixedPair, propose_pairings
from tdapp.pairing.best_pairs import BestPairs, choose_player_for_bye_if_needed, make_pairing_plan
from tdapp.pairing.field import PairingField
from tdapp.pairing.system import PairingInput, PairingMethod
from tdapp.pairing.systems.australian import AUSTRALIAN
from tdapp.pairing.systems.places import FACTOR, QUARTILES, assign_players_to_quarters
from tdapp.pairing.systems.snakegroups import compute_group_sizes
from tests.pairing import reference_criteria
from tests.pairing.random_states import (
    STAGE,
    A,
    enter_random_results,
    make_random_field,
    make_tournament,
    publish_proposal,
)

Pairing = tuple[tuple[int, int], ...]
PLAIN = PairingSettings()


def list_next_pairs(tournament: Tournament) -> list[set[str]]:
    """Return the pairs of the next round in the order of the tables."""
    return [{game.first, game.second} for game in propose_pairings(TournamentIndex(tournament), A).games]


def play_next_round(tournament: Tournament, *winners: int) -> Tournament:
    """Return the tournament after the next round. `winners` win, and earlier winners by more points."""
    tournament = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    margin = {PlayerId(f"p{number}"): 100 - index for index, number in enumerate(winners)}
    results = []
    for game in tournament.games.values():
        if game.id not in tournament.results:
            first, second = 400 + margin.get(game.first, 0), 400 + margin.get(game.second, 0)
            results.append(Result(game.id, ResultState.ENTERED, first, second))
    return tournament.put(*results)


def plan_pairs(system: PairingMethod, field: PairingField, rounds: int = 9) -> set[tuple[int, int | None]]:
    index = TournamentIndex(make_tournament(2, rounds=rounds))
    planned_pairs = system.plan_pairs(PairingInput(index, index.tournament.stages[STAGE], field)).pairs
    return {(pair.position, pair.opponent) for pair in planned_pairs}


def generate_pairings(positions: tuple[int, ...], field: PairingField) -> Iterator[Pairing]:
    """Yield every legal pairing. Pairings with the first opponents of the first player come first."""
    if not positions:
        yield ()
        return
    first, *opponents = positions
    for opponent in opponents:
        if frozenset({field.entrants[first].player, field.entrants[opponent].player}) not in field.forbidden_pairs:
            for pairs in generate_pairings(
                tuple(position for position in opponents if position != opponent), field
            ):
                yield ((first, opponent), *pairs)


def count_meetings(field: PairingField, first: int, second: int, since: int = 0) -> int:
    rounds = field.entrants[first].meetings.get(field.entrants[second].player, ())
    return sum(number >= since for number in rounds)


def compute_repeat_cost(field: PairingField, pairing: Pairing) -> int:
    return sum(int(2 ** count_meetings(field, first, second)) - 1 for first, second in pairing)


def make_random_small_field(seed: int) -> tuple[PairingField, tuple[int, ...]]:
    """Return a field of up to 9 players, and its positions without the bye found by search."""
    rng = Random(seed)
    field = replace(make_random_field(rng, rng.randint(4, 9), settings=PLAIN), number=8)
    positions = tuple(range(len(field.entrants)))
    if len(positions) % 2 == 0:
        assume(any(generate_pairings(positions, field)))
        return field, positions
    lowest = min(entrant.score for entrant in field.entrants)
    candidates = []
    for bye_position in positions:
        playing = tuple(position for position in positions if position != bye_position)
        entrant = field.entrants[bye_position]
        repeat_costs = [compute_repeat_cost(field, pairing) for pairing in generate_pairings(playing, field)]
        if repeat_costs:
            candidates.append(
                (min(repeat_costs) + 2**entrant.byes - 1, entrant.score - lowest, -bye_position, playing)
            )
    assume(candidates)
    return field, min(candidates)[3]


@given(st.integers(0, 2**32))
def test_choose_bye_agrees_with_a_search(seed: int) -> None:
    field, playing = make_random_small_field(seed)
    chosen_positions, bye_position = choose_player_for_bye_if_needed(
        field, np.arange(len(field.entrants), dtype=np.int64)
    )
    assert tuple(chosen_positions.tolist()) == playing
    assert {bye_position, *playing} - {None} == set(range(len(field.entrants)))


# random


@pytest.mark.slow
def test_random_system_draws_each_pairing_equally_often() -> None:
    tournaments = (make_tournament(4, system="random", seed=seed) for seed in range(600))
    counts = Counter(str(sorted(map(sorted, list_next_pairs(tournament)))) for tournament in tournaments)

    assert len(counts) == 3
    assert all(150 < times < 250 for times in counts.values())


def test_random_system_needs_no_results() -> None:
    tournament = make_tournament(8, system="random")
    tournament = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    second_proposal = propose_pairings(TournamentIndex(tournament), A)

    assert second_proposal.number == 2
    assert dict(second_proposal.cost) == {"repeats": 0}


# quartiles


@pytest.mark.parametrize(
    ("players", "quarters", "expected"),
    [
        (8, RankingQuarterPairing.NEAR, (2, 2, 2, 2)),
        (10, RankingQuarterPairing.NEAR, (3, 3, 2, 2)),
        (10, RankingQuarterPairing.MIDDLE, (3, 2, 3, 2)),
        (10, RankingQuarterPairing.OUTER, (3, 2, 2, 3)),
        (2, RankingQuarterPairing.OUTER, (1, 0, 0, 1)),
    ],
)
def test_assign_quarters_gives_meeting_quarters_one_size(
    players: int, quarters: RankingQuarterPairing, expected: tuple[int, ...]
) -> None:
    sizes = Counter(assign_players_to_quarters(players, quarters))

    assert tuple(sizes[quarter] for quarter in range(4)) == expected
    assert list(assign_players_to_quarters(players, quarters)) == sorted(
        assign_players_to_quarters(players, quarters)
    )


@pytest.mark.parametrize(
    ("quarters", "meeting"),
    [
        (RankingQuarterPairing.NEAR, {1: {3, 4}, 2: {3, 4}, 5: {7, 8}, 6: {7, 8}}),
        (RankingQuarterPairing.MIDDLE, {1: {5, 6}, 2: {5, 6}, 3: {7, 8}, 4: {7, 8}}),
        (RankingQuarterPairing.OUTER, {1: {7, 8}, 2: {7, 8}, 3: {5, 6}, 4: {5, 6}}),
    ],
)
def test_quartiles_first_round(quarters: RankingQuarterPairing, meeting: dict[int, set[int]]) -> None:
    tournament = make_tournament(8, system="quartiles", settings=PairingSettings(quarters=quarters))
    proposal = propose_pairings(TournamentIndex(tournament), A)
    pairs = {frozenset(int(player[1:]) for player in (game.first, game.second)) for game in proposal.games}

    assert all(
        any(pair == {player, opponent} for opponent in opponents for pair in pairs)
        for player, opponents in meeting.items()
    )
    facts = dict(proposal.games[0].reason.facts) if proposal.games[0].reason else {}
    assert (facts["better_quarter"], facts["worse_quarter"]) == (1, int(quarters[2]))


@given(st.integers(0, 2**32), st.sampled_from(RankingQuarterPairing))
def test_quartiles_agree_with_a_search(seed: int, quarters: RankingQuarterPairing) -> None:
    field, positions = make_random_small_field(seed)
    field = replace(field, settings=PairingSettings(quarters=quarters))
    target_quarters = {
        int(quarter_1): int(quarter_2)
        for pair in quarters.split("/")
        for quarter_1, quarter_2 in ((pair[0], pair[2]), (pair[2], pair[0]))
    }
    quarters_by_position = dict(
        zip(
            positions, (number + 1 for number in assign_players_to_quarters(len(positions), quarters)), strict=True
        )
    )

    def compute_cost(pairing: Pairing) -> tuple[int, ...]:
        distance = sum(
            abs(target_quarters[quarters_by_position[a]] - quarters_by_position[b])
            + abs(target_quarters[quarters_by_position[b]] - quarters_by_position[a])
            for a, b in pairing
        )
        swiss = reference_criteria.sum_costs(reference_criteria.compute_cost(field, a, b) for a, b in pairing)
        return compute_repeat_cost(field, pairing), distance, swiss[5], swiss[7]

    actual = tuple(
        (quarter_1, quarter_2) for quarter_1, quarter_2 in plan_pairs(QUARTILES, field) if quarter_2 is not None
    )
    assert compute_cost(actual) == min(compute_cost(pairing) for pairing in generate_pairings(positions, field))


# factor


def test_factor_system_uses_the_remaining_rounds() -> None:
    tournament = make_tournament(10, system="factor", rounds=3)
    assert list_next_pairs(tournament)[:3] == [{"p1", "p4"}, {"p2", "p5"}, {"p3", "p6"}]
    other_pairs = [set(game) for game in list_next_pairs(tournament)[3:]]
    assert set().union(*other_pairs) == {"p7", "p8", "p9", "p10"}
    tournament = play_next_round(
        tournament, 1, 2, 3, *(min(int(player[1:]) for player in game) for game in other_pairs)
    )
    assert list_next_pairs(tournament)[:2] == [{"p1", "p3"}, {"p2", "p7"}]  # 1 2 3 7 8 ...: two rounds left


def test_factor_one_pairs_the_first_two_once() -> None:
    settings = PairingSettings(factor=1)
    tournament = make_tournament(6, system="factor", settings=settings)
    assert list_next_pairs(tournament)[0] == {"p1", "p2"}
    drawn_round = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    drawn_round = drawn_round.put(
        *(Result(game.id, ResultState.ENTERED, 400, 400) for game in drawn_round.games.values())
    )
    assert {"p1", "p2"} not in list_next_pairs(drawn_round)
    stage = replace(drawn_round.stages[STAGE], settings=replace(settings, max_repeats=1))
    assert list_next_pairs(drawn_round.put(stage))[0] == {"p1", "p2"}


def test_factor_above_half_the_field_is_half_the_field() -> None:
    assert list_next_pairs(make_tournament(6, system="factor", rounds=40)) == [
        {"p1", "p4"},
        {"p2", "p5"},
        {"p3", "p6"},
    ]


@given(st.integers(0, 2**32), st.integers(1, 5))
def test_factor_system_agrees_with_a_search(seed: int, factor_setting: int) -> None:
    field, positions = make_random_small_field(seed)
    field = replace(field, settings=PairingSettings(factor=factor_setting))
    factor = min(factor_setting, len(positions) // 2)
    indexes = {first: number for number, first in enumerate(positions)}

    def compute_cost(pairing: Pairing) -> tuple[int, ...]:
        broken_rules = [
            (indexes[a] < 2 * factor) + (indexes[b] < 2 * factor)
            for a, b in pairing
            if not (indexes[a] < factor and indexes[b] == indexes[a] + factor)
        ]
        swiss = reference_criteria.sum_costs(reference_criteria.compute_cost(field, a, b) for a, b in pairing)
        return compute_repeat_cost(field, pairing), sum(broken_rules), *swiss[1:]

    actual = tuple((first, second) for first, second in plan_pairs(FACTOR, field) if second is not None)
    assert compute_cost(actual) == min(compute_cost(pairing) for pairing in generate_pairings(positions, field))


# Australian draw


def test_australian_draw_of_six_by_hand() -> None:
    tournament = make_tournament(6, system="australian", rounds=5)
    assert list_next_pairs(tournament) == [{"p1", "p4"}, {"p2", "p5"}, {"p3", "p6"}]
    tournament = play_next_round(tournament, 1, 2, 3)  # 1 2 3 6 5 4
    assert list_next_pairs(tournament) == [{"p1", "p2"}, {"p3", "p5"}, {"p6", "p4"}]
    tournament = play_next_round(tournament, 1, 3, 4)
    # Order 1 3 2 4 6 5: two wins, +200 and +197; one win, -1 and -2; no win, -196 and -198.
    assert list_next_pairs(tournament) == [{"p1", "p3"}, {"p2", "p4"}, {"p6", "p5"}]


@given(st.integers(0, 2**32))
def test_australian_draw_is_the_first_of_all_pairings(seed: int) -> None:
    field, playing = make_random_small_field(seed)
    expected: Pairing | None = None
    for since in range(1, field.number + 1):
        changed_field = replace(field, settings=PairingSettings(repeats_from=since))
        new_pairings = (
            pairing
            for pairing in generate_pairings(list_playing_positions(changed_field), changed_field)
            if not any(count_meetings(field, first, second, since) for first, second in pairing)
        )
        expected = next(new_pairings, None)
        if expected is not None:
            break
    assert expected is not None
    assert {pair for pair in plan_pairs(AUSTRALIAN, field) if pair[1] is not None} == set(expected)
    assert playing


def list_playing_positions(field: PairingField) -> tuple[int, ...]:
    return tuple(
        choose_player_for_bye_if_needed(field, np.arange(len(field.entrants), dtype=np.int64))[0].tolist()
    )


@pytest.mark.parametrize("density", [0.7, 0.95])
def test_australian_draw_of_ten_is_the_first_of_all_pairings(density: float) -> None:
    """Most players have met: local exchanges cannot repair the draw."""
    checked = 0
    for seed in range(60):
        field = replace(make_random_field(Random(seed), 10, settings=PLAIN, density=density), number=9)
        new_pairings = (
            pairing
            for pairing in generate_pairings(tuple(range(10)), field)
            if not compute_repeat_cost(field, pairing)
        )
        expected = next(new_pairings, None)
        if expected is not None:
            assert plan_pairs(AUSTRALIAN, field) == set(expected)
            checked += 1
    assert checked > 10


def test_australian_draw_resets_after_all_meetings() -> None:
    tournament = make_tournament(4, system="australian", rounds=5)
    rng = Random(1)
    for _ in range(3):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), rng
        )
    fourth = propose_pairings(TournamentIndex(tournament), A)
    first = {frozenset({game.first, game.second}) for game in tournament.games.values() if game.round == "r1"}

    assert fourth.relaxed == ("repeats", "reset-later")
    assert {frozenset({game.first, game.second}) for game in fourth.games} == first


# snake groups


@pytest.mark.parametrize(
    ("players", "rounds", "expected"),
    [
        (16, 3, (4, 4, 4, 4)),
        (18, 3, (4, 4, 4, 6)),
        (19, 3, (4, 4, 5, 6)),
        (22, 5, (6, 8, 8)),
        (11, 5, (11,)),
        (5, 3, (5,)),
        (3, 5, (3,)),
        (12, 4, (6, 6)),
    ],
)
def test_compute_group_sizes_of_fields(players: int, rounds: int, expected: tuple[int, ...]) -> None:
    assert compute_group_sizes(players, rounds) == expected


@pytest.mark.parametrize("rounds", range(1, 10))
def test_compute_group_sizes_sum_to_the_field(rounds: int) -> None:
    for players in range(2, 120):
        sizes = compute_group_sizes(players, rounds)
        assert sum(sizes) == players
        assert sum(size % 2 for size in sizes) == players % 2
        assert len(sizes) == 1 or min(sizes) > rounds


def test_split_in_snake_order_of_unequal_groups() -> None:
    names = [PlayerId(str(number)) for number in range(1, 12)]
    assert split_players_in_snake_order(names, 3, (3, 3, 5)) == (
        ("1", "6", "7"),
        ("2", "5", "8"),
        ("3", "4", "9", "10", "11"),
    )


def test_snake_groups_of_four_meet_completely_in_three_rounds() -> None:
    tournament = make_tournament(16, system="snake-groups", rounds=3)
    for _ in range(3):
        tournament = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    opponents: dict[str, set[str]] = {}
    starts: Counter[str] = Counter()
    for game in tournament.games.values():
        opponents.setdefault(game.first, set()).add(game.second)
        opponents.setdefault(game.second, set()).add(game.first)
        starts[game.first] += 1

    assert opponents["p1"] == {"p8", "p9", "p16"}
    assert opponents["p4"] == {"p5", "p12", "p13"}
    assert set(starts.values()) == {1, 2}
    assert {str(game.reason.code) for game in tournament.games.values() if game.reason} == {"snake-groups"}


def test_snake_groups_pair_opponents_of_absent_players() -> None:
    tournament = make_tournament(16, system="snake-groups", rounds=3)
    usual_pairs = list_next_pairs(tournament)
    tournament = tournament.put(
        Absence(AbsenceId("1"), PlayerId("p9"), 1, 1), Absence(AbsenceId("2"), PlayerId("p5"), 1, 1)
    )
    players_without_opponent = {player for pair in usual_pairs if pair & {"p9", "p5"} for player in pair} - {
        "p9",
        "p5",
    }
    proposal = propose_pairings(TournamentIndex(tournament), A)

    assert not [bye for bye in proposal.byes if bye.player in players_without_opponent]
    assert [
        {game.first, game.second}
        for game in proposal.games
        if game.reason and game.reason.code == "outside-groups"
    ] == [players_without_opponent]
    assert len(proposal.games) == 7


@pytest.mark.parametrize("seed", range(1, 7))
def test_snake_groups_give_no_second_bye(seed: int) -> None:
    def make_absences(number: int, *players: str) -> list[Absence]:
        return [Absence(AbsenceId(f"{number}{player}"), PlayerId(player), number, number) for player in players]

    tournament = make_tournament(16, system="snake-groups", rounds=3, seed=seed).put(*make_absences(1, "p9"))
    first = propose_pairings(TournamentIndex(tournament), A)
    bye_player = next(bye.player for bye in first.byes if bye.kind is ByeKind.BYE)
    tournament = publish_proposal(tournament, first)
    usual_pairs = list_next_pairs(tournament)
    absent = [
        min(pair - {bye_player}) for pair in sorted(usual_pairs, key=lambda pair: bye_player not in pair)[:3]
    ]
    proposal = propose_pairings(TournamentIndex(tournament.put(*make_absences(2, *absent))), A)

    assert len(absent) == len({*absent}) == 3
    byes = [bye.player for bye in proposal.byes if bye.kind is ByeKind.BYE]
    assert len(byes) == 1
    assert byes != [bye_player]


def test_snake_groups_avoid_a_forbidden_pair() -> None:
    tournament = make_tournament(8, system="snake-groups", rounds=3)
    first, second = sorted(list_next_pairs(tournament)[0])
    tournament = tournament.put(Constraint(ConstraintId("x"), PlayerId(first), PlayerId(second)))

    assert {first, second} not in list_next_pairs(tournament)
    assert len(list_next_pairs(tournament)) == 4


# teams


def make_team_tournament(count: int, teams: int, **options: object) -> Tournament:
    tournament = make_tournament(count, **options)  # type: ignore[arg-type]
    players = tournament.players.values()
    return tournament.put(*(replace(row, team=f"T{(row.number - 1) % teams + 1}") for row in players))


def test_team_swiss_never_pairs_team_mates() -> None:
    rng = Random(4)
    tournament = make_team_tournament(12, 3, system="team-swiss", rounds=6)
    for _ in range(6):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), rng
        )
    team = {player.id: player.team for player in tournament.players.values()}

    assert len(tournament.games) == 36
    assert all(team[game.first] != team[game.second] for game in tournament.games.values())


def test_team_swiss_refuses_a_team_of_more_than_half() -> None:
    tournament = make_team_tournament(6, 1, system="team-swiss")
    with pytest.raises(CommandError, match="no-pairing-possible"):
        propose_pairings(TournamentIndex(tournament), A)


@pytest.mark.parametrize(("teams", "members"), [(2, 4), (4, 3), (5, 2)])
def test_team_round_robin_each_member_meets_all_other_teams(teams: int, members: int) -> None:
    rounds = members * (teams + teams % 2 - 1)
    tournament = make_team_tournament(teams * members, teams, system="team-round-robin", rounds=rounds + 1)
    for _ in range(rounds):
        tournament = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    meeting_counts = Counter(frozenset({game.first, game.second}) for game in tournament.games.values())

    assert set(meeting_counts.values()) == {1}
    assert len(meeting_counts) == teams * (teams - 1) // 2 * members**2
    with pytest.raises(CommandError, match="round-robin-complete"):
        propose_pairings(TournamentIndex(tournament), A)


@pytest.mark.parametrize(
    ("teams", "members", "rounds", "needed"),
    [(8, 4, 7, 28), (8, 4, 28, None), (5, 2, 9, 10), (1, 4, 1, None)],
)
def test_find_problems_lists_a_short_team_round_robin(
    teams: int, members: int, rounds: int, needed: int | None
) -> None:
    tournament = make_team_tournament(teams * members, teams, system="team-round-robin", rounds=rounds)
    index = TournamentIndex(tournament)
    (division,) = index.divisions
    facts = [
        problem.facts for problem in find_division_problems(index, division) if problem.code == "team-rounds-short"
    ]
    assert facts == ([] if needed is None else [{"rounds": rounds, "needed": needed, "teams": teams}])


def test_team_round_robin_needs_two_teams_and_a_team_each() -> None:
    for count in (0, 1):
        few = (
            make_team_tournament(6, count, system="team-round-robin")
            if count
            else make_tournament(6, system="team-round-robin")
        )
        with pytest.raises(CommandError, match="too-few-teams"):
            propose_pairings(TournamentIndex(few), A)
    tournament = make_team_tournament(6, 3, system="team-round-robin")
    player_without_team = replace(tournament.players[PlayerId("p5")], team=" ")
    with pytest.raises(CommandError, match="no-team") as refusal:
        propose_pairings(TournamentIndex(tournament.put(player_without_team)), A)
    assert refusal.value.facts == {"players": (5,)}


def test_team_round_robin_smaller_team_leaves_byes() -> None:
    tournament = make_team_tournament(7, 2, system="team-round-robin", rounds=4)
    first = propose_pairings(TournamentIndex(tournament), A)
    assert len(first.games) == 3
    assert len(first.byes) == 1
    assert propose_pairings(
        TournamentIndex(tournament), A, fixed_pairs=[FixedPair(PlayerId("p1"), PlayerId("p4"))]
    ).games


def test_make_pairing_plan_gives_repeats_no_reason() -> None:
    field = make_random_field(Random(1), 7, settings=PLAIN)
    best_pairs = BestPairs(
        ((0, 2), (1, None), (3, 5), (4, 6)), rematch_positions=frozenset({3}), relaxed=("coarse-chance",)
    )
    plan = make_pairing_plan(field, best_pairs, lambda first, second: (f"{first}-{second}", (("one", first),)))
    assert [(pair.position, pair.opponent, pair.code, pair.facts) for pair in plan.pairs] == [
        (0, 2, "0-2", (("one", 0),)),
        (1, None, None, ()),
        (3, 5, "repeat", ()),
        (4, 6, "4-6", (("one", 4),)),
    ]
    assert plan.relaxed == ("coarse-chance",)
