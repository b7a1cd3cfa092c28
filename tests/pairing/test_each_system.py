"""Each system by itself: small cases worked out by hand, and a slow plain search beside the exact one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Absence, AbsenceId, ByeKind, Constraint, ConstraintId, PlayerId, Result, ResultState
from tdapp.domain.pairing_settings import PairingSettings, Quarters
from tdapp.domain.problems import find_problems
from tdapp.domain.stages import split_in_snake_order
from tdapp.domain.tournament import Tournament
from tdapp.pairing import FixedPair, propose_pairings
from tdapp.pairing.best_pairs import BestPairs, choose_bye, make_pairing_plan
from tdapp.pairing.field import PairingField
from tdapp.pairing.system import PairingInput, PairingMethod
from tdapp.pairing.systems.australian import AUSTRALIAN
from tdapp.pairing.systems.places import FACTOR, QUARTILES, assign_quarters
from tdapp.pairing.systems.snakegroups import compute_group_sizes
from tests.pairing import reference_criteria
from tests.pairing.random_states import STAGE, A, event, published, random_field, scored

Pairing = tuple[tuple[int, int], ...]
PLAIN = PairingSettings()


def pairs(tournament: Tournament) -> list[set[str]]:
    """Return who meets whom in the next round by the order of the tables."""
    return [{game.first, game.second} for game in propose_pairings(Index(tournament), A).games]


def won(tournament: Tournament, *winners: int) -> Tournament:
    """Return the tournament with the next round played, won by these by as many points as they are named early."""
    tournament = published(tournament, propose_pairings(Index(tournament), A))
    margin = {PlayerId(f"p{number}"): 100 - place for place, number in enumerate(winners)}
    results = []
    for game in tournament.games.values():
        if game.id not in tournament.results:
            first, second = 400 + margin.get(game.first, 0), 400 + margin.get(game.second, 0)
            results.append(Result(game.id, ResultState.ENTERED, first, second))
    return tournament.put(*results)


def planned(system: PairingMethod, field: PairingField, rounds: int = 9) -> set[tuple[int, int | None]]:
    index = Index(event(2, rounds=rounds))
    found = system.plan_pairs(PairingInput(index, index.tournament.stages[STAGE], field)).pairs
    return {(pair.position, pair.opponent) for pair in found}


def every_pairing(places: tuple[int, ...], field: PairingField) -> Iterator[Pairing]:
    """Yield every legal pairing, the first player's first opponents first."""
    if not places:
        yield ()
        return
    top, *rest = places
    for other in rest:
        if frozenset({field.entrants[top].player, field.entrants[other].player}) not in field.forbidden_pairs:
            for more in every_pairing(tuple(place for place in rest if place != other), field):
                yield ((top, other), *more)


def meetings(field: PairingField, one: int, other: int, since: int = 0) -> int:
    rounds = field.entrants[one].meetings.get(field.entrants[other].player, ())
    return sum(number >= since for number in rounds)


def repeats(field: PairingField, pairing: Pairing) -> int:
    return sum(int(2 ** meetings(field, one, other)) - 1 for one, other in pairing)


def random_small(seed: int) -> tuple[PairingField, tuple[int, ...]]:
    """Return a field of up to 9, and the places to pair without the bye, chosen by search."""
    rng = Random(seed)
    field = replace(random_field(rng, rng.randint(4, 9), settings=PLAIN), number=8)
    everybody = tuple(range(len(field.entrants)))
    if len(everybody) % 2 == 0:
        assume(any(every_pairing(everybody, field)))
        return field, everybody
    lowest = min(entrant.score for entrant in field.entrants)
    chances = []
    for place in everybody:
        rest = tuple(other for other in everybody if other != place)
        entrant = field.entrants[place]
        found = [repeats(field, pairing) for pairing in every_pairing(rest, field)]
        if found:
            chances.append((min(found) + 2**entrant.byes - 1, entrant.score - lowest, -place, rest))
    assume(chances)
    return field, min(chances)[3]


@given(st.integers(0, 2**32))
def test_choose_bye_agrees_with_a_search(seed: int) -> None:
    field, playing = random_small(seed)
    free, waiting = choose_bye(field, np.arange(len(field.entrants), dtype=np.int64))
    assert tuple(free.tolist()) == playing
    assert {waiting, *playing} - {None} == set(range(len(field.entrants)))


# random


@pytest.mark.slow
def test_random_system_draws_each_pairing_equally_often() -> None:
    found = Counter(str(sorted(sorted(pair) for pair in pairs(event(4, system="random", seed=seed))))
                    for seed in range(600))  # fmt: skip

    assert len(found) == 3
    assert all(150 < times < 250 for times in found.values())


def test_random_system_needs_no_results() -> None:
    tournament = event(8, system="random")
    tournament = published(tournament, propose_pairings(Index(tournament), A))
    second = propose_pairings(Index(tournament), A)

    assert second.number == 2
    assert dict(second.cost) == {"repeats": 0}


# quartiles


@pytest.mark.parametrize(
    ("players", "quarters", "expected"),
    [
        (8, Quarters.NEAR, (2, 2, 2, 2)),
        (10, Quarters.NEAR, (3, 3, 2, 2)),
        (10, Quarters.MIDDLE, (3, 2, 3, 2)),
        (10, Quarters.OUTER, (3, 2, 2, 3)),
        (2, Quarters.OUTER, (1, 0, 0, 1)),
    ],
)
def test_assign_quarters_gives_meeting_quarters_one_size(
    players: int, quarters: Quarters, expected: tuple[int, ...]
) -> None:
    found = Counter(assign_quarters(players, quarters))

    assert tuple(found[quarter] for quarter in range(4)) == expected
    assert list(assign_quarters(players, quarters)) == sorted(assign_quarters(players, quarters))


@pytest.mark.parametrize(
    ("quarters", "meeting"),
    [
        (Quarters.NEAR, {1: {3, 4}, 2: {3, 4}, 5: {7, 8}, 6: {7, 8}}),
        (Quarters.MIDDLE, {1: {5, 6}, 2: {5, 6}, 3: {7, 8}, 4: {7, 8}}),
        (Quarters.OUTER, {1: {7, 8}, 2: {7, 8}, 3: {5, 6}, 4: {5, 6}}),
    ],
)
def test_quartiles_first_round(quarters: Quarters, meeting: dict[int, set[int]]) -> None:
    tournament = event(8, system="quartiles", settings=PairingSettings(quarters=quarters))
    proposal = propose_pairings(Index(tournament), A)
    found = {frozenset(int(player[1:]) for player in (game.first, game.second)) for game in proposal.games}

    assert all(any(pair == {one, other} for other in others for pair in found) for one, others in meeting.items())
    facts = dict(proposal.games[0].reason.facts) if proposal.games[0].reason else {}
    assert (facts["better_quarter"], facts["worse_quarter"]) == (1, int(quarters[2]))


@given(st.integers(0, 2**32), st.sampled_from(Quarters))
def test_quartiles_agree_with_a_search(seed: int, quarters: Quarters) -> None:
    field, playing = random_small(seed)
    field = replace(field, settings=PairingSettings(quarters=quarters))
    wants = {
        int(one): int(other)
        for pair in quarters.split("/")
        for one, other in ((pair[0], pair[2]), (pair[2], pair[0]))
    }
    quarter = dict(zip(playing, (number + 1 for number in assign_quarters(len(playing), quarters)), strict=True))

    def cost(pairing: Pairing) -> tuple[int, ...]:
        away = sum(abs(wants[quarter[a]] - quarter[b]) + abs(wants[quarter[b]] - quarter[a]) for a, b in pairing)
        swiss = reference_criteria.total(reference_criteria.cost(field, a, b) for a, b in pairing)
        return repeats(field, pairing), away, swiss[5], swiss[7]

    chosen = tuple((one, other) for one, other in planned(QUARTILES, field) if other is not None)
    assert cost(chosen) == min(cost(pairing) for pairing in every_pairing(playing, field))


# factor


def test_factor_system_uses_the_remaining_rounds() -> None:
    tournament = event(10, system="factor", rounds=3)
    assert pairs(tournament)[:3] == [{"p1", "p4"}, {"p2", "p5"}, {"p3", "p6"}]
    rest = [set(game) for game in pairs(tournament)[3:]]
    assert set().union(*rest) == {"p7", "p8", "p9", "p10"}
    tournament = won(tournament, 1, 2, 3, *(min(int(player[1:]) for player in game) for game in rest))
    assert pairs(tournament)[:2] == [{"p1", "p3"}, {"p2", "p7"}]  # 1 2 3 7 8 ...: two rounds left


def test_factor_one_pairs_the_first_two_once() -> None:
    one = PairingSettings(factor=1)
    tournament = event(6, system="factor", settings=one)
    assert pairs(tournament)[0] == {"p1", "p2"}
    drawn = published(tournament, propose_pairings(Index(tournament), A))
    drawn = drawn.put(*(Result(game.id, ResultState.ENTERED, 400, 400) for game in drawn.games.values()))
    assert {"p1", "p2"} not in pairs(drawn)
    stage = replace(drawn.stages[STAGE], settings=replace(one, max_repeats=1))
    assert pairs(drawn.put(stage))[0] == {"p1", "p2"}


def test_factor_above_half_the_field_is_half_the_field() -> None:
    assert pairs(event(6, system="factor", rounds=40)) == [{"p1", "p4"}, {"p2", "p5"}, {"p3", "p6"}]


@given(st.integers(0, 2**32), st.integers(1, 5))
def test_factor_system_agrees_with_a_search(seed: int, wanted: int) -> None:
    field, playing = random_small(seed)
    field = replace(field, settings=PairingSettings(factor=wanted))
    factor = min(wanted, len(playing) // 2)
    place = {one: number for number, one in enumerate(playing)}

    def cost(pairing: Pairing) -> tuple[int, ...]:
        apart = [
            (place[a] < 2 * factor) + (place[b] < 2 * factor)
            for a, b in pairing
            if not (place[a] < factor and place[b] == place[a] + factor)
        ]
        swiss = reference_criteria.total(reference_criteria.cost(field, a, b) for a, b in pairing)
        return repeats(field, pairing), sum(apart), *swiss[1:]

    chosen = tuple((one, other) for one, other in planned(FACTOR, field) if other is not None)
    assert cost(chosen) == min(cost(pairing) for pairing in every_pairing(playing, field))


# Australian draw


def test_australian_draw_of_six_by_hand() -> None:
    tournament = event(6, system="australian", rounds=5)
    assert pairs(tournament) == [{"p1", "p4"}, {"p2", "p5"}, {"p3", "p6"}]
    tournament = won(tournament, 1, 2, 3)  # 1 2 3 6 5 4
    assert pairs(tournament) == [{"p1", "p2"}, {"p3", "p5"}, {"p6", "p4"}]
    tournament = won(tournament, 1, 3, 4)  # 1 3 2 4 6 5: two wins, +200 +197; one, -1 -2; none, -196 -198
    assert pairs(tournament) == [{"p1", "p3"}, {"p2", "p4"}, {"p6", "p5"}]


@given(st.integers(0, 2**32))
def test_australian_draw_is_the_first_of_all_pairings(seed: int) -> None:
    field, playing = random_small(seed)
    expected: Pairing | None = None
    for since in range(1, field.number + 1):
        counted = replace(field, settings=PairingSettings(repeats_from=since))
        new = (
            pairing
            for pairing in every_pairing(playing_since(counted), counted)
            if not any(meetings(field, one, other, since) for one, other in pairing)
        )
        expected = next(new, None)
        if expected is not None:
            break
    assert expected is not None
    assert {pair for pair in planned(AUSTRALIAN, field) if pair[1] is not None} == set(expected)
    assert playing


def playing_since(field: PairingField) -> tuple[int, ...]:
    return tuple(choose_bye(field, np.arange(len(field.entrants), dtype=np.int64))[0].tolist())


@pytest.mark.parametrize("density", [0.7, 0.95])
def test_australian_draw_of_ten_is_the_first_of_all_pairings(density: float) -> None:
    """Nearly everybody has met nearly everybody: here small mendings do not do."""
    checked = 0
    for seed in range(60):
        field = replace(random_field(Random(seed), 10, settings=PLAIN, density=density), number=9)
        fresh = (p for p in every_pairing(tuple(range(10)), field) if not repeats(field, p))
        expected = next(fresh, None)
        if expected is not None:
            assert planned(AUSTRALIAN, field) == set(expected)
            checked += 1
    assert checked > 10


def test_australian_draw_resets_after_all_meetings() -> None:
    tournament = event(4, system="australian", rounds=5)
    rng = Random(1)
    for _ in range(3):
        tournament = scored(published(tournament, propose_pairings(Index(tournament), A)), rng)
    fourth = propose_pairings(Index(tournament), A)
    first = {frozenset({g.first, g.second}) for g in tournament.games.values() if g.round == "r1"}

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
        found = compute_group_sizes(players, rounds)
        assert sum(found) == players
        assert sum(size % 2 for size in found) == players % 2
        assert len(found) == 1 or min(found) > rounds


def test_split_in_snake_order_of_unequal_groups() -> None:
    names = [PlayerId(str(number)) for number in range(1, 12)]
    assert split_in_snake_order(names, 3, (3, 3, 5)) == (
        ("1", "6", "7"),
        ("2", "5", "8"),
        ("3", "4", "9", "10", "11"),
    )


def test_snake_groups_of_four_meet_completely_in_three_rounds() -> None:
    tournament = event(16, system="snake-groups", rounds=3)
    for _ in range(3):
        tournament = published(tournament, propose_pairings(Index(tournament), A))
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
    tournament = event(16, system="snake-groups", rounds=3)
    usual = pairs(tournament)
    tournament = tournament.put(
        Absence(AbsenceId("1"), PlayerId("p9"), 1, 1), Absence(AbsenceId("2"), PlayerId("p5"), 1, 1)
    )
    left = {player for pair in usual if pair & {"p9", "p5"} for player in pair} - {"p9", "p5"}
    proposal = propose_pairings(Index(tournament), A)

    assert not [bye for bye in proposal.byes if bye.player in left]
    assert [{g.first, g.second} for g in proposal.games if g.reason and g.reason.code == "outside-groups"] == [
        left
    ]
    assert len(proposal.games) == 7


@pytest.mark.parametrize("seed", range(1, 7))
def test_snake_groups_give_no_second_bye(seed: int) -> None:
    def away(number: int, *players: str) -> list[Absence]:
        return [Absence(AbsenceId(f"{number}{player}"), PlayerId(player), number, number) for player in players]

    tournament = event(16, system="snake-groups", rounds=3, seed=seed).put(*away(1, "p9"))
    first = propose_pairings(Index(tournament), A)
    waiting = next(bye.player for bye in first.byes if bye.kind is ByeKind.BYE)
    tournament = published(tournament, first)
    usual = pairs(tournament)
    absent = [min(pair - {waiting}) for pair in sorted(usual, key=lambda pair: waiting not in pair)[:3]]
    proposal = propose_pairings(Index(tournament.put(*away(2, *absent))), A)

    assert len(absent) == len({*absent}) == 3
    byes = [bye.player for bye in proposal.byes if bye.kind is ByeKind.BYE]
    assert len(byes) == 1
    assert byes != [waiting]


def test_snake_groups_avoid_a_forbidden_pair() -> None:
    tournament = event(8, system="snake-groups", rounds=3)
    one, other = sorted(pairs(tournament)[0])
    tournament = tournament.put(Constraint(ConstraintId("x"), PlayerId(one), PlayerId(other)))

    assert {one, other} not in pairs(tournament)
    assert len(pairs(tournament)) == 4


# teams


def in_teams(count: int, teams: int, **options: object) -> Tournament:
    tournament = event(count, **options)  # type: ignore[arg-type]
    players = tournament.players.values()
    return tournament.put(*(replace(row, team=f"T{(row.number - 1) % teams + 1}") for row in players))


def test_team_swiss_never_pairs_team_mates() -> None:
    rng = Random(4)
    tournament = in_teams(12, 3, system="team-swiss", rounds=6)
    for _ in range(6):
        tournament = scored(published(tournament, propose_pairings(Index(tournament), A)), rng)
    team = {player.id: player.team for player in tournament.players.values()}

    assert len(tournament.games) == 36
    assert all(team[game.first] != team[game.second] for game in tournament.games.values())


def test_team_swiss_refuses_a_team_of_more_than_half() -> None:
    tournament = in_teams(6, 1, system="team-swiss")
    with pytest.raises(RuleViolation, match="no-pairing-possible"):
        propose_pairings(Index(tournament), A)


@pytest.mark.parametrize(("teams", "members"), [(2, 4), (4, 3), (5, 2)])
def test_team_round_robin_each_member_meets_all_other_teams(teams: int, members: int) -> None:
    rounds = members * (teams + teams % 2 - 1)
    tournament = in_teams(teams * members, teams, system="team-round-robin", rounds=rounds + 1)
    for _ in range(rounds):
        tournament = published(tournament, propose_pairings(Index(tournament), A))
    met = Counter(frozenset({game.first, game.second}) for game in tournament.games.values())

    assert set(met.values()) == {1}
    assert len(met) == teams * (teams - 1) // 2 * members**2
    with pytest.raises(RuleViolation, match="round-robin-complete"):
        propose_pairings(Index(tournament), A)


@pytest.mark.parametrize(
    ("teams", "members", "rounds", "needed"),
    [(8, 4, 7, 28), (8, 4, 28, None), (5, 2, 9, 10), (1, 4, 1, None)],
)
def test_find_problems_lists_a_short_team_round_robin(
    teams: int, members: int, rounds: int, needed: int | None
) -> None:
    tournament = in_teams(teams * members, teams, system="team-round-robin", rounds=rounds)
    index = Index(tournament)
    (division,) = index.divisions
    found = [problem.facts for problem in find_problems(index, division) if problem.code == "team-rounds-short"]
    assert found == ([] if needed is None else [{"rounds": rounds, "needed": needed, "teams": teams}])


def test_team_round_robin_needs_two_teams_and_a_team_each() -> None:
    for count in (0, 1):
        few = in_teams(6, count, system="team-round-robin") if count else event(6, system="team-round-robin")
        with pytest.raises(RuleViolation, match="too-few-teams"):
            propose_pairings(Index(few), A)
    tournament = in_teams(6, 3, system="team-round-robin")
    nobody = replace(tournament.players[PlayerId("p5")], team=" ")
    with pytest.raises(RuleViolation, match="no-team") as caught:
        propose_pairings(Index(tournament.put(nobody)), A)
    assert caught.value.facts == {"players": (5,)}


def test_team_round_robin_smaller_team_leaves_byes() -> None:
    tournament = in_teams(7, 2, system="team-round-robin", rounds=4)
    first = propose_pairings(Index(tournament), A)
    assert len(first.games) == 3
    assert len(first.byes) == 1
    assert propose_pairings(Index(tournament), A, fixed_pairs=[FixedPair(PlayerId("p1"), PlayerId("p4"))]).games


def test_make_plan_gives_repeats_no_reason() -> None:
    field = random_field(Random(1), 7, settings=PLAIN)
    found = BestPairs(
        ((0, 2), (1, None), (3, 5), (4, 6)), rematch_positions=frozenset({3}), relaxed=("coarse-chance",)
    )
    plan = make_pairing_plan(field, found, lambda one, other: (f"{one}-{other}", (("one", one),)))
    assert [(pair.position, pair.opponent, pair.code, pair.facts) for pair in plan.pairs] == [
        (0, 2, "0-2", (("one", 0),)),
        (1, None, None, ()),
        (3, 5, "repeat", ()),
        (4, 6, "4-6", (("one", 4),)),
    ]
    assert plan.relaxed == ("coarse-chance",)
