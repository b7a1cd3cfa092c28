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
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Absence, AbsenceId, ByeKind, Constraint, ConstraintId, PlayerId
from tdapp.domain.pairing_settings import PairingSettings, PairingStyle
from tdapp.domain.proposal import Proposal
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Row, Tournament
from tdapp.pairing import FixedPair, best_pairs, criteria, propose_pairings
from tdapp.pairing.commands import pair_around, preview_command, swap_players
from tdapp.pairing.field import PairingField
from tdapp.pairing.matching import Edges, MatchingProblem, Pulse, solve_matching
from tdapp.pairing.proof import find_proved_matching
from tdapp.pairing.systems.swiss import pair_field
from tests.pairing import reference_criteria
from tests.pairing.random_states import A, build_graph, event, published, random_field, row, scored


def play(tournament: Tournament, rounds: int, rng: Random) -> Tournament:
    for _ in range(rounds):
        tournament = scored(published(tournament, propose_pairings(Index(tournament), A)), rng)
    return tournament


def players_of(proposal: Proposal) -> list[PlayerId]:
    return [player for game in proposal.games for player in (game.first, game.second)] + [
        bye.player for bye in proposal.byes
    ]


def test_swiss_first_round_pairs_top_half_with_bottom_half() -> None:
    proposal = propose_pairings(Index(event(8)), A)
    pairs = [frozenset({game.first, game.second}) for game in proposal.games]
    assert pairs == [frozenset({f"p{place}", f"p{place + 4}"}) for place in range(1, 5)]
    assert [game.table for game in proposal.games] == [1, 2, 3, 4]


def test_swiss_first_round_can_fold_or_pair_neighbours() -> None:
    folded = propose_pairings(Index(event(6, settings=PairingSettings(style=PairingStyle.FOLD))), A)
    assert {frozenset({game.first, game.second}) for game in folded.games} == {
        frozenset({"p1", "p6"}),
        frozenset({"p2", "p5"}),
        frozenset({"p3", "p4"}),
    }
    near = propose_pairings(Index(event(6, system="king-of-the-hill")), A)
    assert {frozenset({game.first, game.second}) for game in near.games} == {
        frozenset({"p1", "p2"}),
        frozenset({"p3", "p4"}),
        frozenset({"p5", "p6"}),
    }


def test_swiss_reasons_have_both_ranks() -> None:
    """Before the first round by the list, from the second on by the standings."""
    tournament = event(8)
    first = propose_pairings(Index(tournament), A)
    said = [dict(game.reason.facts) for game in first.games if game.reason is not None]
    assert [(facts["better_place"], facts["worse_place"]) for facts in said] == [(1, 5), (2, 6), (3, 7), (4, 8)]
    tournament = scored(published(tournament, first), Random(3), draws=0)
    table = compute_standings(Index(tournament), tournament.divisions[A], None)
    rank = {row.player.id: row.rank for row in table}
    second = propose_pairings(Index(tournament), A)
    said = [dict(game.reason.facts) for game in second.games if game.reason is not None]
    wanted = [sorted((rank[game.first], rank[game.second])) for game in second.games]
    assert [[facts["better_place"], facts["worse_place"]] for facts in said] == wanted
    assert {facts["meetings"] for facts in said} == {0}


@pytest.mark.parametrize(("count", "rounds"), [(60, 9), (21, 12), (8, 7)])
def test_swiss_of_a_whole_event(count: int, rounds: int) -> None:
    rng = Random(count)
    tournament = event(count, rounds=rounds)
    met: Counter[frozenset[PlayerId]] = Counter()
    byes: Counter[PlayerId] = Counter()
    balance: Counter[PlayerId] = Counter()
    for number in range(1, rounds + 1):
        proposal = propose_pairings(Index(tournament), A)
        assert proposal.number == number
        assert sorted(players_of(proposal)) == sorted(player.id for player in tournament.players.values())
        assert [game.table for game in proposal.games] == list(range(1, count // 2 + 1))
        met.update(frozenset({game.first, game.second}) for game in proposal.games)
        byes.update(bye.player for bye in proposal.byes)
        for game in proposal.games:
            balance[game.first] += 1
            balance[game.second] -= 1
        tournament = scored(published(tournament, proposal), rng)
    if count > 8:
        assert max(met.values()) == 1
    assert max(byes.values(), default=0) <= 1
    assert sum(abs(value) > 1 for value in balance.values()) <= count // 10
    with pytest.raises(RuleViolation, match="all-rounds-paired"):
        propose_pairings(Index(tournament), A)


@given(st.integers(0, 2**32), st.integers(2, 40))
def test_swiss_is_independent_of_names_and_entry_order(seed: int, count: int) -> None:
    tournament = play(event(count, seed=seed), 2 if count > 4 else 1, Random(seed))
    rng = Random(seed + 1)
    turned = Tournament(events=tournament.events, rules=tournament.rules).put(
        *tournament.divisions.values(), *tournament.stages.values(), *tournament.rounds.values()
    )
    people = [replace(player, name=f"New {rng.random()}") for player in tournament.players.values()]
    rows: list[Row] = [
        *people,
        *tournament.games.values(),
        *tournament.byes.values(),
        *tournament.results.values(),
    ]
    turned = turned.put(*rng.sample(rows, len(rows)))
    before, after = propose_pairings(Index(tournament), A), propose_pairings(Index(turned), A)
    assert replace(before, based_on="") == replace(after, based_on="")


def test_swiss_seed_decides_equal_pairings() -> None:
    random = PairingSettings(style=PairingStyle.RANDOM)
    found = {propose_pairings(Index(event(20, seed=seed, settings=random)), A).games for seed in range(5)}
    assert len(found) == 5


@given(st.integers(0, 2**32), st.integers(3, 24))
def test_pair_field_with_a_fixed_or_forbidden_optimal_pair(seed: int, count: int) -> None:
    field = random_field(Random(seed), count)
    if oracle_free(field) is None:
        return
    best = {(pair.position, pair.opponent) for pair in pair_field(field).pairs}
    one, other = Random(seed).choice(sorted(best, key=str))
    ends = (field.entrants[one].player, None if other is None else field.entrants[other].player)
    again = pair_field(replace(field, fixed_pairs=(FixedPair(*ends),)))
    assert {(pair.position, pair.opponent) for pair in again.pairs} == best
    if other is not None:
        worse = oracle_free(
            replace(field, forbidden_pairs=field.forbidden_pairs | {frozenset(filter(None, ends))})
        )
        assert worse is None or worse >= total(field, best)


def oracle_free(field: PairingField) -> reference_criteria.Vector | None:
    try:
        pairs = pair_field(field).pairs
    except RuleViolation:
        return None
    return total(field, {(pair.position, pair.opponent) for pair in pairs})


def total(field: PairingField, pairs: set[tuple[int, int | None]]) -> reference_criteria.Vector:
    return reference_criteria.total(reference_criteria.cost(field, one, other) for one, other in pairs)


@pytest.mark.parametrize("count", [60, 61, 120])
def test_pair_field_has_no_better_exchange(count: int) -> None:
    field = random_field(Random(count), count)
    pairs = [(pair.position, pair.opponent) for pair in pair_field(field).pairs]
    assert len(pairs) == (count + 1) // 2
    for (a, b), (c, d) in combinations(pairs, 2):
        now = total(field, {(a, b), (c, d)})
        for others in (((a, c), (b, d)), ((a, d), (b, c))):
            swapped = {ordered(one, other) for one, other in others}
            if all(reference_criteria.legal(field, *pair) for pair in swapped):
                assert total(field, swapped) >= now


def ordered(one: int | None, other: int | None) -> tuple[int, int | None]:
    if one is None or other is None:
        place = other if one is None else one
        assert place is not None
        return place, None
    return min(one, other), max(one, other)


@pytest.mark.parametrize("seed", range(4))
def test_solve_matching_with_neighbours_is_equal(seed: int) -> None:
    field = random_field(Random(seed), 120, density=0.2, settings=PairingSettings(style=list(PairingStyle)[seed]))
    field = replace(field, forbidden_pairs=frozenset())
    found = []
    for width in (60, None):
        graph = build_graph(field, width)
        chosen = list(solve_matching(graph).edges)
        found.append(set(zip(graph.first[chosen].tolist(), graph.second[chosen].tolist(), strict=True)))
    assert found[0] == found[1]


def test_pair_field_of_a_large_field_reports_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress before the proof, and during a long proof."""

    def long(problem: MatchingProblem, active: Edges, pulse: Pulse) -> Edges | None:
        pulse()
        return find_proved_matching(problem, active, pulse)

    monkeypatch.setattr(best_pairs, "find_proved_matching", long)
    heard: list[tuple[int, int]] = []
    field = random_field(Random(1), 102, density=0.05, settings=PairingSettings())
    pair_field(field, progress=lambda *step: heard.append(step))
    assert heard == [(1, 4), (2, 4)]


def test_pair_field_player_who_met_all_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cheapest edges alone give the same: edges without a repeat are the cheapest."""
    for name, value in (
        ("_MAX_PLAYERS_WITHOUT_PROOF", 10**6),
        ("_MAX_PLAYERS_WITH_ALL_EDGES", 20),
        ("_CHEAPEST_EDGES", 3),
    ):
        monkeypatch.setattr(best_pairs, name, value)
    near = PairingSettings(style=PairingStyle.ADJACENT)
    field = replace(random_field(Random(1), 30, density=0, settings=near), forbidden_pairs=frozenset())
    first, *others = field.entrants
    met = [replace(one, meetings={first.player: (1,)}) if one.number <= 13 else one for one in others]
    leader = replace(first, meetings={one.player: (1,) for one in others[:12]})
    plan = pair_field(replace(field, entrants=(leader, *met)))
    assert plan.relaxed == ("cheapest-only",)
    assert min(pair.opponent for pair in plan.pairs if pair.position == 0 and pair.opponent is not None) > 12


@pytest.mark.slow
def test_swiss_large_field_compares_few_pairs() -> None:
    tournament = play(event(501), 2, Random(4))
    proposal = propose_pairings(Index(tournament), A)
    assert len(set(players_of(proposal))) == 501
    assert dict(proposal.cost)["repeats"] == 0


def test_swiss_forbidden_pairs_never_meet() -> None:
    rng = Random(2)
    tournament = event(8, rounds=5)
    bans = [
        Constraint(ConstraintId(f"x{one}"), PlayerId(f"p{one}"), PlayerId(f"p{other}"))
        for one, other in ((1, 5), (2, 6), (4, 3))
    ]
    tournament = tournament.put(*bans)
    for _ in range(5):
        proposal = propose_pairings(Index(tournament), A)
        pairs = {frozenset({game.first, game.second}) for game in proposal.games}
        assert not pairs & {frozenset({ban.player, ban.other}) for ban in bans}
        tournament = scored(published(tournament, proposal), rng)


def test_swiss_forbidden_pairs_in_a_proved_optimum() -> None:
    half = 75
    tournament = event(2 * half, rounds=5)
    natural = [(one, one + half) for one in range(1, half + 1)]
    never = [
        Constraint(ConstraintId(f"x{one}"), PlayerId(f"p{one}"), PlayerId(f"p{other}")) for one, other in natural
    ]
    proposal = propose_pairings(Index(tournament.put(*never)), A)
    pairs = {frozenset({game.first, game.second}) for game in proposal.games}
    assert len(pairs) == half
    assert not pairs & {frozenset({one.player, one.other}) for one in never}
    free = propose_pairings(Index(tournament), A)
    assert {frozenset({game.first, game.second}) for game in free.games} == {
        frozenset({one.player, one.other}) for one in never
    }


def test_swiss_fully_forbidden_field_names_remaining_players() -> None:
    bans = [Constraint(ConstraintId(f"x{other}"), PlayerId("p1"), PlayerId(f"p{other}")) for other in (2, 3, 4)]
    with pytest.raises(RuleViolation, match="no-pairing-possible") as caught:
        propose_pairings(Index(event(4).put(*bans)), A)
    left = caught.value.facts["players"]
    assert isinstance(left, tuple)
    assert 1 in left
    assert len(left) == 2


def test_swiss_bye_goes_to_the_lowest_players() -> None:
    rng = Random(9)
    tournament = event(5, rounds=5)
    taken = []
    for _ in range(5):
        proposal = propose_pairings(Index(tournament), A)
        taken += [bye.player for bye in proposal.byes]
        tournament = scored(published(tournament, proposal), rng)
    assert taken[0] == "p5"
    assert sorted(taken) == ["p1", "p2", "p3", "p4", "p5"]


def test_swiss_records_an_absent_player_as_requested() -> None:
    tournament = event(6).put(
        Absence(AbsenceId("1"), PlayerId("p2"), 1, 1, ByeKind.REQUESTED),
        Absence(AbsenceId("2"), PlayerId("p4"), 1),
    )
    proposal = propose_pairings(Index(tournament), A)
    assert {bye.player: bye.kind for bye in proposal.byes} == {"p2": ByeKind.REQUESTED}
    assert sorted(players_of(proposal)) == ["p1", "p2", "p3", "p5", "p6"]


def test_swiss_keeps_fixed_pairs() -> None:
    tournament = play(event(9), 2, Random(3))
    fixed = [FixedPair(PlayerId("p9"), PlayerId("p1"), table=3, keep_start=True), FixedPair(PlayerId("p2"))]
    proposal = propose_pairings(Index(tournament), A, fixed_pairs=fixed)
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
    tournament = event(6).put(
        Absence(AbsenceId("1"), PlayerId("p4"), 1),
        Constraint(ConstraintId("x"), PlayerId("p3"), PlayerId("p2")),
    )
    with pytest.raises(RuleViolation, match=code):
        propose_pairings(
            Index(tournament), A, fixed_pairs=[FixedPair(PlayerId(one), PlayerId(two)) for one, two in fixed]
        )


def test_preview_command_shows_the_cost_of_a_constraint() -> None:
    tournament = play(event(20), 3, Random(6))
    drafted = propose_round(tournament, key="k", proposal=propose_pairings(Index(tournament), A))
    item = Index(drafted).rounds(A)[-1].id
    best = Index(drafted).games(item)
    one, other = best[0].first, best[-1].second
    wished = preview_command(drafted, item, partial(pair_around, key="w", round=item, player=one, other=other))
    assert {one, other} in [{game.first, game.second} for game in wished.tables]
    assert tuple(value for _, value in wished.cost) > (0,) * len(wished.cost)
    assert wished.comparison > 0
    assert wished.score_gaps[1] > wished.score_gaps[0]
    same = preview_command(
        drafted, item, partial(pair_around, key="w", round=item, player=one, other=best[0].second)
    )
    assert (set(dict(same.cost).values()), same.tables, same.comparison) == ({0}, (), 0)


def test_preview_command_compares_a_swap_by_table() -> None:
    tournament = play(event(9), 3, Random(6))
    drafted = propose_round(tournament, key="k", proposal=propose_pairings(Index(tournament), A))
    item = Index(drafted).rounds(A)[-1].id
    games, bye = Index(drafted).games(item), Index(drafted).byes(item)[0].player
    found = preview_command(
        drafted, item, partial(swap_players, key="s", round=item, player=games[0].first, other=bye)
    )
    assert found.bye == (bye, games[0].first)
    (changed,) = found.tables
    assert {changed.first, changed.second} == {bye, games[0].second}
    after = swap_players(drafted, key="s", round=item, player=games[0].first, other=bye)
    met = [game for game in tournament.games.values() if {game.first, game.second} == {bye, games[0].second}]
    assert changed.meetings == len(met)
    counts = {name: after for name, _, after in found.table_counts}
    assert counts["repeats"] == sum(
        bool(dict(game.reason.cost)["repeats"]) for game in Index(after).games(item) if game.reason
    )


def test_swiss_marks_and_names_forced_repeats() -> None:
    tournament = play(event(4, rounds=4), 3, Random(1))
    proposal = propose_pairings(Index(tournament), A)
    assert proposal.relaxed == ("repeats",)
    assert {game.reason.code for game in proposal.games if game.reason} == {"repeat"}
    assert dict(proposal.cost)["repeats"] == 2


def test_swiss_can_ignore_meetings_before_a_round() -> None:
    tournament = play(event(4, rounds=4, settings=PairingSettings(repeats_from=3)), 3, Random(1))
    proposal = propose_pairings(Index(tournament), A)
    assert dict(proposal.cost)["repeats"] == 0


def test_swiss_drawn_starts_list_the_better_placed_first() -> None:
    proposal = propose_pairings(Index(event(6, settings=PairingSettings(draw_starts=True))), A)
    assert {(game.first, str(game.start)) for game in proposal.games} == {
        ("p1", "draw"),
        ("p2", "draw"),
        ("p3", "draw"),
    }


def test_pair_field_guard_keeps_balances_below_three() -> None:
    field = random_field(Random(1), 4, settings=PairingSettings(guard_starts=True))
    high, low = {1: True, 2: True}, {1: False, 2: False}
    entrants = tuple(
        replace(entrant, score=score, starts_by_round=roles, meetings={}, byes=0)
        for entrant, score, roles in zip(field.entrants, (9, 9, 0, 0), (high, high, low, low), strict=True)
    )
    field = replace(field, entrants=entrants, forbidden_pairs=frozenset(), number=3)
    assert {(pair.position, pair.opponent) for pair in pair_field(field).pairs} in (
        {(0, 2), (1, 3)},
        {(0, 3), (1, 2)},
    )
    free = replace(field, settings=replace(field.settings, guard_starts=False))
    assert {(pair.position, pair.opponent) for pair in pair_field(free).pairs} == {(0, 1), (2, 3)}


def test_swiss_separates_players_of_a_club() -> None:
    tournament = event(8, settings=PairingSettings(avoid=("club",), avoid_until=1))
    clubs = [
        replace(player, club="N" if player.number in {1, 5} else "") for player in tournament.players.values()
    ]
    tournament = tournament.put(*clubs)
    first = propose_pairings(Index(tournament), A)
    assert dict(first.cost)["avoid"] == 0
    assert frozenset({"p1", "p5"}) not in {frozenset({game.first, game.second}) for game in first.games}


def test_swiss_gives_a_player_the_own_table() -> None:
    tournament = event(8)
    tournament = tournament.put(
        replace(row(tournament, 8), fixed_table=1), replace(row(tournament, 1), fixed_table=9)
    )
    proposal = propose_pairings(Index(tournament), A)
    tables = {player: game.table for game in proposal.games for player in (game.first, game.second)}
    assert (tables[PlayerId("p8")], tables[PlayerId("p1")]) == (1, 9)
    assert sorted(set(tables.values())) == [1, 2, 3, 9]


@pytest.mark.slow
def test_swiss_explains_a_bye_above_the_lowest_player() -> None:
    told = 0
    for seed in range(100):
        field = random_field(Random(seed), 5 + 2 * (seed % 2))
        found = reference_criteria.best(field)
        if found is None:
            continue
        heard: list[tuple[int, int]] = []
        plan = pair_field(field, progress=lambda *step, into=heard: into.append(step))
        assert heard == [(3, 4)], "what a lower bye would cost is no step of its own"
        (bye,) = [pair for pair in plan.pairs if pair.opponent is None]
        fewest = min(entrant.byes for entrant in field.entrants)
        lowest = min(entrant.score for entrant in field.entrants if entrant.byes == fewest)
        low = {entrant.player for entrant in field.entrants if (entrant.byes, entrant.score) == (fewest, lowest)}
        waiting = field.entrants[bye.position]
        lower = reference_criteria.best(field, waits=low)
        if waiting.byes > fewest or waiting.player in low or lower is None:
            assert bye.facts == ()
            continue
        names = [name for name in criteria.ORDER if name != "chance"]
        more = [(name, after - before) for name, before, after in zip(names, found, lower, strict=False)]
        name, cost = next(one for one in more if one[1])
        assert bye.facts == (("criterion", name), ("more", cost))
        assert cost > 0
        told += 1
    assert told > 10
