"""Tests of the Swiss system: pairs, byes, constraints, fixed pairs and costs."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.commands import propose_round
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Absence, AbsenceId, ByeKind, Constraint, ConstraintId, PlayerId
from tdapp.domain.pairing_settings import PairingSettings, ScoreGroupPairing
from tdapp.domain.proposal import Proposal
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Row, Tournament
from tdapp.pairing import FixedPair, best_pairs, criteria, propose_pairings
from tdapp.pairing.commands import pair_around, preview_command, swap_players
from tdapp.pairing.field import PairingField
from tdapp.pairing.matching import Edges, MatchingProblem, Pulse, solve_matching
from tdapp.pairing.proof import find_proved_optimal_matching
from tdapp.pairing.systems.swiss import plan_swiss_pairs
from tests.pairing import reference_criteria
from tests.pairing.random_states import (
    A,
    build_graph,
    enter_random_results,
    get_player,
    make_random_field,
    make_tournament,
    publish_proposal,
)


def play_rounds(tournament: Tournament, rounds: int, rng: Random) -> Tournament:
    for _ in range(rounds):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), rng
        )
    return tournament


def list_players_of(proposal: Proposal) -> list[PlayerId]:
    return [player for game in proposal.games for player in (game.first, game.second)] + [
        bye.player for bye in proposal.byes
    ]


def test_swiss_first_round_pairs_top_half_with_bottom_half() -> None:
    proposal = propose_pairings(TournamentIndex(make_tournament(8)), A)
    pairs = [frozenset({game.first, game.second}) for game in proposal.games]
    assert pairs == [frozenset({f"p{number}", f"p{number + 4}"}) for number in range(1, 5)]
    assert [game.table for game in proposal.games] == [1, 2, 3, 4]


def test_swiss_first_round_can_fold_or_pair_neighbours() -> None:
    folded = propose_pairings(
        TournamentIndex(make_tournament(6, settings=PairingSettings(style=ScoreGroupPairing.FOLD))), A
    )
    assert {frozenset({game.first, game.second}) for game in folded.games} == {
        frozenset({"p1", "p6"}),
        frozenset({"p2", "p5"}),
        frozenset({"p3", "p4"}),
    }
    near = propose_pairings(TournamentIndex(make_tournament(6, system="king-of-the-hill")), A)
    assert {frozenset({game.first, game.second}) for game in near.games} == {
        frozenset({"p1", "p2"}),
        frozenset({"p3", "p4"}),
        frozenset({"p5", "p6"}),
    }


def test_swiss_reasons_have_both_ranks() -> None:
    """The first round uses the list of players, later rounds use the standings."""
    tournament = make_tournament(8)
    first = propose_pairings(TournamentIndex(tournament), A)
    facts_of_games = [dict(game.reason.facts) for game in first.games if game.reason is not None]
    assert [(facts["better_place"], facts["worse_place"]) for facts in facts_of_games] == [
        (1, 5),
        (2, 6),
        (3, 7),
        (4, 8),
    ]
    tournament = enter_random_results(publish_proposal(tournament, first), Random(3), draws=0)
    table = compute_standings(TournamentIndex(tournament), tournament.divisions[A], None)
    rank = {row.player.id: row.rank for row in table}
    second = propose_pairings(TournamentIndex(tournament), A)
    facts_of_games = [dict(game.reason.facts) for game in second.games if game.reason is not None]
    expected = [sorted((rank[game.first], rank[game.second])) for game in second.games]
    assert [[facts["better_place"], facts["worse_place"]] for facts in facts_of_games] == expected
    assert {facts["meetings"] for facts in facts_of_games} == {0}


@pytest.mark.parametrize(("count", "rounds"), [(60, 9), (21, 12), (8, 7)])
def test_swiss_of_a_whole_event(count: int, rounds: int) -> None:
    rng = Random(count)
    tournament = make_tournament(count, rounds=rounds)
    meetings: Counter[frozenset[PlayerId]] = Counter()
    byes: Counter[PlayerId] = Counter()
    balance: Counter[PlayerId] = Counter()
    for number in range(1, rounds + 1):
        proposal = propose_pairings(TournamentIndex(tournament), A)
        assert proposal.number == number
        assert sorted(list_players_of(proposal)) == sorted(player.id for player in tournament.players.values())
        assert [game.table for game in proposal.games] == list(range(1, count // 2 + 1))
        meetings.update(frozenset({game.first, game.second}) for game in proposal.games)
        byes.update(bye.player for bye in proposal.byes)
        for game in proposal.games:
            balance[game.first] += 1
            balance[game.second] -= 1
        tournament = enter_random_results(publish_proposal(tournament, proposal), rng)
    if count > 8:
        assert max(meetings.values()) == 1
    assert max(byes.values(), default=0) <= 1
    assert sum(abs(value) > 1 for value in balance.values()) <= count // 10
    with pytest.raises(CommandError, match="all-rounds-paired"):
        propose_pairings(TournamentIndex(tournament), A)


@given(st.integers(0, 2**32), st.integers(2, 40))
def test_swiss_is_independent_of_names_and_entry_order(seed: int, count: int) -> None:
    tournament = play_rounds(make_tournament(count, seed=seed), 2 if count > 4 else 1, Random(seed))
    rng = Random(seed + 1)
    reordered = Tournament(events=tournament.events, rules=tournament.rules).put(
        *tournament.divisions.values(), *tournament.stages.values(), *tournament.rounds.values()
    )
    players = [replace(player, name=f"New {rng.random()}") for player in tournament.players.values()]
    rows: list[Row] = [
        *players,
        *tournament.games.values(),
        *tournament.byes.values(),
        *tournament.results.values(),
    ]
    reordered = reordered.put(*rng.sample(rows, len(rows)))
    before, after = (
        propose_pairings(TournamentIndex(tournament), A),
        propose_pairings(TournamentIndex(reordered), A),
    )
    assert replace(before, based_on="") == replace(after, based_on="")


def test_swiss_seed_decides_equal_pairings() -> None:
    random = PairingSettings(style=ScoreGroupPairing.RANDOM)
    results = {
        propose_pairings(TournamentIndex(make_tournament(20, seed=seed, settings=random)), A).games
        for seed in range(5)
    }
    assert len(results) == 5


@given(st.integers(0, 2**32), st.integers(3, 24))
def test_pair_field_with_a_fixed_or_forbidden_optimal_pair(seed: int, count: int) -> None:
    field = make_random_field(Random(seed), count)
    if compute_lowest_cost(field) is None:
        return
    best = {(pair.position, pair.opponent) for pair in plan_swiss_pairs(field).pairs}
    first, other = Random(seed).choice(sorted(best, key=str))
    ends = (field.entrants[first].player, None if other is None else field.entrants[other].player)
    with_fixed_pair = plan_swiss_pairs(replace(field, fixed_pairs=(FixedPair(*ends),)))
    assert {(pair.position, pair.opponent) for pair in with_fixed_pair.pairs} == best
    if other is not None:
        worse = compute_lowest_cost(
            replace(field, forbidden_pairs=field.forbidden_pairs | {frozenset(filter(None, ends))})
        )
        assert worse is None or worse >= compute_total_cost(field, best)


def compute_lowest_cost(field: PairingField) -> reference_criteria.Vector | None:
    try:
        pairs = plan_swiss_pairs(field).pairs
    except CommandError:
        return None
    return compute_total_cost(field, {(pair.position, pair.opponent) for pair in pairs})


def compute_total_cost(field: PairingField, pairs: set[tuple[int, int | None]]) -> reference_criteria.Vector:
    return reference_criteria.sum_costs(
        reference_criteria.compute_cost(field, first, second) for first, second in pairs
    )


@pytest.mark.parametrize("count", [60, 61, 120])
def test_pair_field_has_no_better_exchange(count: int) -> None:
    field = make_random_field(Random(count), count)
    pairs = [(pair.position, pair.opponent) for pair in plan_swiss_pairs(field).pairs]
    assert len(pairs) == (count + 1) // 2
    for (first_upper, first_lower), (second_upper, second_lower) in combinations(pairs, 2):
        cost = compute_total_cost(field, {(first_upper, first_lower), (second_upper, second_lower)})
        for exchanges in (
            ((first_upper, second_upper), (first_lower, second_lower)),
            ((first_upper, second_lower), (first_lower, second_upper)),
        ):
            swapped = {order_pair(first, second) for first, second in exchanges}
            if all(reference_criteria.is_legal_pair(field, *pair) for pair in swapped):
                assert compute_total_cost(field, swapped) >= cost


def order_pair(first: int | None, second: int | None) -> tuple[int, int | None]:
    if first is None or second is None:
        position = second if first is None else first
        assert position is not None
        return position, None
    return min(first, second), max(first, second)


@pytest.mark.parametrize("seed", range(4))
def test_solve_matching_with_neighbours_is_equal(seed: int) -> None:
    field = make_random_field(
        Random(seed), 120, density=0.2, settings=PairingSettings(style=list(ScoreGroupPairing)[seed])
    )
    field = replace(field, forbidden_pairs=frozenset())
    results = []
    for width in (60, None):
        graph = build_graph(field, width)
        chosen_edges = list(solve_matching(graph).edges)
        results.append(
            set(zip(graph.first[chosen_edges].tolist(), graph.second[chosen_edges].tolist(), strict=True))
        )
    assert results[0] == results[1]


def test_pair_field_of_a_large_field_reports_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program reports progress before the proof and during a long proof."""

    def pulse_and_prove(problem: MatchingProblem, active: Edges, pulse: Pulse) -> Edges | None:
        pulse()
        return find_proved_optimal_matching(problem, active, pulse)

    monkeypatch.setattr(best_pairs, "find_proved_optimal_matching", pulse_and_prove)
    progress_steps: list[tuple[int, int]] = []
    field = make_random_field(Random(1), 102, density=0.05, settings=PairingSettings())
    plan_swiss_pairs(field, progress=lambda *step: progress_steps.append(step))
    assert progress_steps == [(1, 4), (2, 4)]


def test_pair_field_player_who_met_all_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cheapest edges are sufficient: edges without a repeat are the cheapest."""
    for name, value in (
        ("_MAX_PLAYERS_WITHOUT_PROOF", 10**6),
        ("_MAX_PLAYERS_WITH_ALL_EDGES", 20),
        ("_CHEAPEST_EDGES", 3),
    ):
        monkeypatch.setattr(best_pairs, name, value)
    near = PairingSettings(style=ScoreGroupPairing.ADJACENT)
    field = replace(make_random_field(Random(1), 30, density=0, settings=near), forbidden_pairs=frozenset())
    first, *other_entrants = field.entrants
    new_entrants = [
        replace(entrant, meetings={first.player: (1,)}) if entrant.number <= 13 else entrant
        for entrant in other_entrants
    ]
    leader = replace(first, meetings={entrant.player: (1,) for entrant in other_entrants[:12]})
    plan = plan_swiss_pairs(replace(field, entrants=(leader, *new_entrants)))
    assert plan.relaxed == ("cheapest-only",)
    assert min(pair.opponent for pair in plan.pairs if pair.position == 0 and pair.opponent is not None) > 12


@pytest.mark.slow
def test_swiss_large_field_compares_few_pairs() -> None:
    tournament = play_rounds(make_tournament(501), 2, Random(4))
    proposal = propose_pairings(TournamentIndex(tournament), A)
    assert len(set(list_players_of(proposal))) == 501
    assert dict(proposal.cost)["repeats"] == 0


def test_swiss_forbidden_pairs_never_meet() -> None:
    rng = Random(2)
    tournament = make_tournament(8, rounds=5)
    constraints = [
        Constraint(ConstraintId(f"x{first}"), PlayerId(f"p{first}"), PlayerId(f"p{other}"))
        for first, other in ((1, 5), (2, 6), (4, 3))
    ]
    tournament = tournament.put(*constraints)
    for _ in range(5):
        proposal = propose_pairings(TournamentIndex(tournament), A)
        pairs = {frozenset({game.first, game.second}) for game in proposal.games}
        assert not pairs & {frozenset({constraint.player, constraint.other}) for constraint in constraints}
        tournament = enter_random_results(publish_proposal(tournament, proposal), rng)


def test_swiss_forbidden_pairs_in_a_proved_optimum() -> None:
    half = 75
    tournament = make_tournament(2 * half, rounds=5)
    natural_pairs = [(number, number + half) for number in range(1, half + 1)]
    constraints = [
        Constraint(ConstraintId(f"x{number}"), PlayerId(f"p{number}"), PlayerId(f"p{other}"))
        for number, other in natural_pairs
    ]
    proposal = propose_pairings(TournamentIndex(tournament.put(*constraints)), A)
    pairs = {frozenset({game.first, game.second}) for game in proposal.games}
    assert len(pairs) == half
    assert not pairs & {frozenset({number.player, number.other}) for number in constraints}
    unconstrained_proposal = propose_pairings(TournamentIndex(tournament), A)
    assert {frozenset({game.first, game.second}) for game in unconstrained_proposal.games} == {
        frozenset({number.player, number.other}) for number in constraints
    }


def test_swiss_fully_forbidden_field_names_remaining_players() -> None:
    constraints = [
        Constraint(ConstraintId(f"x{other}"), PlayerId("p1"), PlayerId(f"p{other}")) for other in (2, 3, 4)
    ]
    with pytest.raises(CommandError, match="no-pairing-possible") as refusal:
        propose_pairings(TournamentIndex(make_tournament(4).put(*constraints)), A)
    unpaired_players = refusal.value.facts["players"]
    assert isinstance(unpaired_players, tuple)
    assert 1 in unpaired_players
    assert len(unpaired_players) == 2


def test_swiss_bye_goes_to_the_lowest_players() -> None:
    rng = Random(9)
    tournament = make_tournament(5, rounds=5)
    bye_players = []
    for _ in range(5):
        proposal = propose_pairings(TournamentIndex(tournament), A)
        bye_players += [bye.player for bye in proposal.byes]
        tournament = enter_random_results(publish_proposal(tournament, proposal), rng)
    assert bye_players[0] == "p5"
    assert sorted(bye_players) == ["p1", "p2", "p3", "p4", "p5"]


def test_swiss_records_an_absent_player_as_requested() -> None:
    tournament = make_tournament(6).put(
        Absence(AbsenceId("1"), PlayerId("p2"), 1, 1, ByeKind.REQUESTED),
        Absence(AbsenceId("2"), PlayerId("p4"), 1),
    )
    proposal = propose_pairings(TournamentIndex(tournament), A)
    assert {bye.player: bye.kind for bye in proposal.byes} == {"p2": ByeKind.REQUESTED}
    assert sorted(list_players_of(proposal)) == ["p1", "p2", "p3", "p5", "p6"]


def test_swiss_keeps_fixed_pairs() -> None:
    tournament = play_rounds(make_tournament(9), 2, Random(3))
    fixed = [FixedPair(PlayerId("p9"), PlayerId("p1"), table=3, keep_start=True), FixedPair(PlayerId("p2"))]
    proposal = propose_pairings(TournamentIndex(tournament), A, fixed_pairs=fixed)
    game = next(game for game in proposal.games if game.table == 3)
    assert (game.first, game.second, game.locked) == ("p9", "p1", True)
    assert game.reason is not None
    assert game.reason.code == "fixed"
    assert [bye.player for bye in proposal.byes] == ["p2"]
    assert sorted(game.table for game in proposal.games) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("fixed", "code"),
    [
        ([("p1", "p1")], "player-twice"),
        ([("p1", "p2"), ("p3", "p1")], "player-twice"),
        ([("p1", "px")], "no-such-player"),
        ([("p1", "p4")], "player-not-in-round"),
        ([("p2", "p3")], "forbidden-pair"),
    ],
)
def test_swiss_refuses_impossible_fixed_pairs(fixed: list[tuple[str, str]], code: str) -> None:
    tournament = make_tournament(6).put(
        Absence(AbsenceId("1"), PlayerId("p4"), 1),
        Constraint(ConstraintId("x"), PlayerId("p3"), PlayerId("p2")),
    )
    with pytest.raises(CommandError, match=code):
        propose_pairings(
            TournamentIndex(tournament),
            A,
            fixed_pairs=[FixedPair(PlayerId(first), PlayerId(two)) for first, two in fixed],
        )


def test_preview_command_shows_the_cost_of_a_constraint() -> None:
    tournament = play_rounds(make_tournament(20), 3, Random(6))
    draft = propose_round(tournament, key="k", proposal=propose_pairings(TournamentIndex(tournament), A))
    item = TournamentIndex(draft).rounds(A)[-1].id
    best = TournamentIndex(draft).games(item)
    first, other = best[0].first, best[-1].second
    preview = preview_command(draft, item, partial(pair_around, key="w", round=item, player=first, other=other))
    assert {first, other} in [{game.first, game.second} for game in preview.tables]
    assert tuple(value for _, value in preview.cost) > (0,) * len(preview.cost)
    assert preview.sign_of_cost_change > 0
    assert preview.score_gaps[1] > preview.score_gaps[0]
    preview_of_same_pair = preview_command(
        draft, item, partial(pair_around, key="w", round=item, player=first, other=best[0].second)
    )
    assert (
        set(dict(preview_of_same_pair.cost).values()),
        preview_of_same_pair.tables,
        preview_of_same_pair.sign_of_cost_change,
    ) == ({0}, (), 0)


def test_preview_command_compares_a_swap_by_table() -> None:
    tournament = play_rounds(make_tournament(9), 3, Random(6))
    draft = propose_round(tournament, key="k", proposal=propose_pairings(TournamentIndex(tournament), A))
    item = TournamentIndex(draft).rounds(A)[-1].id
    games, bye = TournamentIndex(draft).games(item), TournamentIndex(draft).byes(item)[0].player
    preview = preview_command(
        draft, item, partial(swap_players, key="s", round=item, player=games[0].first, other=bye)
    )
    assert preview.bye == (bye, games[0].first)
    (changed,) = preview.tables
    assert {changed.first, changed.second} == {bye, games[0].second}
    after = swap_players(draft, key="s", round=item, player=games[0].first, other=bye)
    earlier_games = [
        game for game in tournament.games.values() if {game.first, game.second} == {bye, games[0].second}
    ]
    assert changed.meetings == len(earlier_games)
    counts = {name: after for name, _, after in preview.table_counts}
    assert counts["repeats"] == sum(
        bool(dict(game.reason.cost)["repeats"]) for game in TournamentIndex(after).games(item) if game.reason
    )


def test_swiss_marks_and_names_forced_repeats() -> None:
    tournament = play_rounds(make_tournament(4, rounds=4), 3, Random(1))
    proposal = propose_pairings(TournamentIndex(tournament), A)
    assert proposal.relaxed == ("repeats",)
    assert {game.reason.code for game in proposal.games if game.reason} == {"repeat"}
    assert dict(proposal.cost)["repeats"] == 2


def test_swiss_can_ignore_meetings_before_a_round() -> None:
    tournament = play_rounds(make_tournament(4, rounds=4, settings=PairingSettings(repeats_from=3)), 3, Random(1))
    proposal = propose_pairings(TournamentIndex(tournament), A)
    assert dict(proposal.cost)["repeats"] == 0


def test_swiss_drawn_starts_list_the_better_placed_first() -> None:
    proposal = propose_pairings(TournamentIndex(make_tournament(6, settings=PairingSettings(draw_starts=True))), A)
    assert {(game.first, str(game.start)) for game in proposal.games} == {
        ("p1", "draw"),
        ("p2", "draw"),
        ("p3", "draw"),
    }


def test_pair_field_guard_keeps_balances_below_three() -> None:
    field = make_random_field(Random(1), 4, settings=PairingSettings(guard_starts=True))
    high, low = {1: True, 2: True}, {1: False, 2: False}
    entrants = tuple(
        replace(entrant, score=score, starts_by_round=roles, meetings={}, byes=0)
        for entrant, score, roles in zip(field.entrants, (9, 9, 0, 0), (high, high, low, low), strict=True)
    )
    field = replace(field, entrants=entrants, forbidden_pairs=frozenset(), number=3)
    assert {(pair.position, pair.opponent) for pair in plan_swiss_pairs(field).pairs} in (
        {(0, 2), (1, 3)},
        {(0, 3), (1, 2)},
    )
    unguarded_field = replace(field, settings=replace(field.settings, guard_starts=False))
    assert {(pair.position, pair.opponent) for pair in plan_swiss_pairs(unguarded_field).pairs} == {(0, 1), (2, 3)}


def test_swiss_separates_players_of_a_club() -> None:
    tournament = make_tournament(8, settings=PairingSettings(avoid=("club",), avoid_until=1))
    clubs = [
        replace(player, club="N" if player.number in {1, 5} else "") for player in tournament.players.values()
    ]
    tournament = tournament.put(*clubs)
    first = propose_pairings(TournamentIndex(tournament), A)
    assert dict(first.cost)["avoid"] == 0
    assert frozenset({"p1", "p5"}) not in {frozenset({game.first, game.second}) for game in first.games}


def test_swiss_gives_a_player_the_fixed_table() -> None:
    tournament = make_tournament(8)
    tournament = tournament.put(
        replace(get_player(tournament, 8), fixed_table=1), replace(get_player(tournament, 1), fixed_table=9)
    )
    proposal = propose_pairings(TournamentIndex(tournament), A)
    tables = {player: game.table for game in proposal.games for player in (game.first, game.second)}
    assert (tables[PlayerId("p8")], tables[PlayerId("p1")]) == (1, 9)
    assert sorted(set(tables.values())) == [1, 2, 3, 9]


@pytest.mark.slow
def test_swiss_explains_a_bye_above_the_lowest_player() -> None:
    explained_count = 0
    for seed in range(100):
        field = make_random_field(Random(seed), 5 + 2 * (seed % 2))
        lowest_cost = reference_criteria.find_lowest_cost(field)
        if lowest_cost is None:
            continue
        progress_steps: list[tuple[int, int]] = []
        plan = plan_swiss_pairs(field, progress=lambda *step, steps=progress_steps: steps.append(step))
        assert progress_steps == [(3, 4)], "the search for a lower bye must not report its own progress step"
        (bye,) = [pair for pair in plan.pairs if pair.opponent is None]
        fewest = min(entrant.byes for entrant in field.entrants)
        lowest = min(entrant.score for entrant in field.entrants if entrant.byes == fewest)
        low = {entrant.player for entrant in field.entrants if (entrant.byes, entrant.score) == (fewest, lowest)}
        bye_entrant = field.entrants[bye.position]
        cost_with_lower_bye = reference_criteria.find_lowest_cost(field, bye_candidates=low)
        if bye_entrant.byes > fewest or bye_entrant.player in low or cost_with_lower_bye is None:
            assert bye.facts == ()
            continue
        names = [name for name in criteria.ORDER if name != "chance"]
        differences = [
            (name, after - before)
            for name, before, after in zip(names, lowest_cost, cost_with_lower_bye, strict=False)
        ]
        name, cost = next(difference for difference in differences if difference[1])
        assert bye.facts == (("criterion", name), ("more", cost))
        assert cost > 0
        explained_count += 1
    assert explained_count > 10
