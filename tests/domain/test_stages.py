"""Stages in sequence: who plays them, whose results count, how their standings are put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.bracket import (
    CutTie,
    draw_qualifiers,
    find_changed_qualifiers,
    find_cut_ties,
    list_players_in_pairing_order,
    list_stage_groups,
    list_stage_players,
    make_play_off_stage,
    select_best_players,
)
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.jury_rows import Sanction, SanctionId
from tdapp.domain.model import Game, PlayerId, Stage, StageId
from tdapp.domain.pairing_settings import Elimination, PairingSettings
from tdapp.domain.problems import find_problems
from tdapp.domain.stages import find_players_joined_by_round, sort_players_by_seat, split_in_snake_order
from tdapp.domain.standings import Standing, compute_standings, explain_ranks
from tdapp.domain.teams import find_players_to_pair
from tdapp.domain.tournament import Tournament
from tdapp.pairing import PAIRING_COMMANDS, propose_pairings
from tdapp.pairing.field import build_field
from tdapp.scrabble.sheet import SanctionKind
from tests.building import DIVISION, event, last_round, paired

Scores = Callable[[Game], tuple[int, int]]
Plan = tuple[tuple[str, int, dict[str, Any]], ...]
GROUPS = PairingSettings(groups=2)


def with_stage(tournament: Tournament, key: str, system: str, rounds: int, **more: Any) -> Tournament:
    return commands.add_stage(tournament, key=key, division=DIVISION, system=system, rounds=rounds, **more)


def planned(players: int, *stages: tuple[str, int, dict[str, Any]]) -> Tournament:
    """Return a division with stages `a`, `b`, ...: system, rounds and further fields of each."""
    tournament = commands.remove_stage(event(players), stage=StageId("s"))
    for key, (system, rounds, more) in zip("abcdef", stages, strict=False):
        tournament = with_stage(tournament, key, system, rounds, **more)
    return tournament


def ranked(tournament: Tournament, after: int | None = None) -> tuple[Standing, ...]:
    return compute_standings(Index(tournament), tournament.divisions[DIVISION], after)


def order(tournament: Tournament, after: int | None = None) -> list[int]:
    return [row.player.number for row in ranked(tournament, after)]


def ranks(tournament: Tournament, after: int | None = None) -> list[int]:
    return [row.rank for row in ranked(tournament, after)]


def stage(tournament: Tournament, key: str) -> Stage:
    return tournament.stages[StageId(key)]


def numbers(tournament: Tournament, players: tuple[PlayerId, ...]) -> list[int]:
    return [tournament.players[player].number for player in players]


def in_round(tournament: Tournament) -> set[PlayerId]:
    index = Index(tournament)
    item = last_round(tournament)
    return {player for game in index.games(item.id) for player in (game.first, game.second)} | {
        bye.player for bye in index.byes(item.id)
    }


def round_of(tournament: Tournament, scores: Scores) -> Tournament:
    """The tournament with its next round played to these scores."""
    tournament = paired(tournament, results=False)
    for game in Index(tournament).games(last_round(tournament).id):
        first, second = scores(game)
        tournament = commands.enter_result(tournament, game=game.id, first=first, second=second)
    return tournament


def drawn(_game: Game) -> tuple[int, int]:
    return 400, 400


# --- who plays


def test_split_in_snake_order_balances_the_groups() -> None:
    """16 into 4 gives group sums of 34 each (knockout and prizes, D)."""
    groups = split_in_snake_order([PlayerId(str(number)) for number in range(1, 17)], 4)
    assert [[int(player) for player in group] for group in groups] == [
        [1, 8, 9, 16],
        [2, 7, 10, 15],
        [3, 6, 11, 14],
        [4, 5, 12, 13],
    ]
    assert {sum(map(int, group)) for group in groups} == {34}


def test_list_stage_players_takes_the_best_after_a_cut() -> None:
    tournament = paired(planned(10, ("swiss", 3, {}), ("king-of-the-hill", 1, {"cut": 4})), times=3)
    four = order(tournament)[:4]
    assert numbers(tournament, list_stage_players(Index(tournament), stage(tournament, "b"))) == four
    assert sorted(numbers(tournament, tuple(in_round(paired(tournament))))) == sorted(four)


def test_list_stage_players_replaces_a_withdrawn_player() -> None:
    tournament = paired(planned(8, ("swiss", 3, {}), ("swiss", 1, {"cut": 4})), times=3)
    before = order(tournament)
    gone = Index(tournament).player(DIVISION, before[1])
    tournament = commands.withdraw_player(tournament, key="w", player=gone.id, from_round=4)
    assert numbers(tournament, list_stage_players(Index(tournament), stage(tournament, "b"))) == [
        before[0],
        *before[2:5],
    ]


def test_withdraw_player_after_a_cut() -> None:
    tournament = paired(planned(8, ("swiss", 3, {}), ("knockout", 2, {"cut": 4})), times=4)
    gone = order(tournament)[-1]
    tournament = commands.withdraw_player(tournament, key="w", player=Index(tournament).player(DIVISION, gone).id)
    index, division = Index(tournament), tournament.divisions[DIVISION]

    def inactive(after: int) -> list[int]:
        return [row.player.number for row in compute_standings(index, division, after) if not row.active]

    assert (inactive(3), inactive(4)) == ([], [gone])
    hidden = replace(division, list_withdrawn=False)
    assert [len(compute_standings(index, hidden, after)) for after in (3, 4)] == [8, 7]


def test_list_stage_players_stay_after_a_correction() -> None:
    tournament = paired(planned(8, ("swiss", 3, {}), ("swiss", 2, {"cut": 4})), times=4)
    playing = in_round(tournament)
    tournament = turned_round(tournament, 3)
    assert {*list_stage_players(Index(tournament), stage(tournament, "b"))} == playing
    assert in_round(paired(tournament)) == playing


def turned_round(tournament: Tournament, number: int) -> Tournament:
    """The tournament with every result of a round the other way round."""
    index = Index(tournament)
    for game in index.games(index.round(DIVISION, number).id):
        result = index.result(game.id)
        assert result is not None
        tournament = commands.enter_result(tournament, game=game.id, first=result.second, second=result.first)
    return tournament


@pytest.mark.parametrize("system", ["swiss", "knockout", "round-robin"])
def test_find_players_across_cut_names_a_newly_qualified_player(system: str) -> None:
    tournament = paired(planned(8, ("swiss", 3, {}), (system, 2, {"cut": 4})), times=4)
    assert find_changed_qualifiers(Index(tournament), stage(tournament, "b")) == ((), ())

    corrected = turned_round(tournament, 3)
    index, there = Index(corrected), in_round(corrected)
    four = {player.id for player in list_players_in_pairing_order(index, corrected.divisions[DIVISION], 3)[:4]}
    up, out = find_changed_qualifiers(index, stage(corrected, "b"))
    assert ({*up}, {*out}) == (four - there, there - four)
    (found,) = (
        problem
        for problem in find_problems(index, corrected.divisions[DIVISION])
        if problem.code == "cut-outdated"
    )
    assert found.facts["others"] == "; ".join(corrected.players[player].name for player in out)
    assert found.facts["players"]

    before = paired(planned(8, ("swiss", 3, {}), (system, 2, {"cut": 4})), times=3)
    by_hand = paired(commands.set_seeds(before, key="h", stage=StageId("b"), players=tuple(sorted(there))))
    assert find_changed_qualifiers(Index(turned_round(by_hand, 3)), stage(by_hand, "b")) == ((), ())
    on = paired(corrected)
    assert find_changed_qualifiers(Index(on), stage(on, "b")) == ((), ())


def test_find_players_across_cut_ignores_equal_players() -> None:
    tournament = paired(equal_field())
    assert find_changed_qualifiers(Index(tournament), stage(tournament, "b")) == ((), ())
    assert len({*ranks(tournament, 1)}) == 1


def test_propose_pairings_replaces_a_draft_with_an_eliminated_player() -> None:
    tournament = paired(planned(8, ("swiss", 3, {}), ("swiss", 2, {"cut": 4})), times=3)
    proposal = propose_pairings(Index(tournament), DIVISION)
    draft = commands.propose_round(tournament, key="k", proposal=proposal)
    index = Index(draft)
    for game in index.games(index.round(DIVISION, 3).id):
        result = index.result(game.id)
        assert result is not None
        draft = commands.enter_result(draft, game=game.id, first=result.second, second=result.first)
    assert order(draft)[:4] != order(tournament)[:4]
    with pytest.raises(RuleViolation, match="pairing-outdated"):
        commands.publish_round(draft, round=last_round(draft).id)
    again = commands.propose_round(draft, key="l", proposal=propose_pairings(Index(draft), DIVISION))
    assert sorted(numbers(again, tuple(in_round(again)))) == sorted(order(draft)[:4])


def test_propose_pairings_cut_needs_the_newest_standings() -> None:
    tournament = paired(planned(8, ("swiss", 3, {}), ("swiss", 2, {"cut": 4})), times=3)
    with pytest.raises(RuleViolation, match="no-such-round"):
        propose_pairings(Index(tournament), DIVISION, source_round=2)


def test_list_stage_players_cut_applies_to_later_stages() -> None:
    plan: Plan = (
        ("swiss", 2, {}),
        ("swiss", 1, {"cut": 6}),
        ("king-of-the-hill", 1, {}),
        ("knockout", 1, {"cut": 2}),
    )
    tournament = paired(planned(12, *plan), times=3)
    six = in_round(tournament)
    tournament = paired(tournament)
    assert in_round(tournament) == six
    tournament = paired(tournament)
    assert in_round(tournament) < six
    assert len(in_round(tournament)) == 2


def test_select_best_takes_groups_equally_then_the_best() -> None:
    players = tuple(PlayerId(name) for name in ("a1", "b1", "a2", "a3", "b2", "b3"))
    group_of = {player: 1 if player[0] == "a" else 2 for player in players}
    assert select_best_players(players, 4, group_of) == ("a1", "b1", "a2", "b2")
    assert select_best_players(players, 5, group_of) == ("a1", "b1", "a2", "a3", "b2")
    assert select_best_players(players, 9, group_of) == players


def test_list_stage_players_latecomer_plays_without_a_cut() -> None:
    tournament = paired(planned(8, ("swiss", 2, {}), ("swiss", 1, {}), ("swiss", 1, {"cut": 4})), times=2)
    tournament = commands.add_player(tournament, key="late", division=DIVISION, name="Late")
    late = Index(tournament).player(DIVISION, 9).id
    assert late in list_stage_players(Index(tournament), stage(tournament, "b"))
    assert late not in list_stage_players(Index(tournament), stage(tournament, "c"))


@pytest.mark.parametrize("system", ["swiss", "knockout"])
def test_seat_latecomer_refuses_an_eliminated_player(system: str) -> None:
    tournament = paired(planned(8, ("swiss", 2, {}), (system, 1, {"cut": 5})), times=2)
    tournament = paired(tournament, results=False)
    item = last_round(tournament)
    waiting = Index(tournament).byes(item.id)[0].player
    out = next(player for player in tournament.players if player not in in_round(tournament))
    with pytest.raises(RuleViolation, match="not-in-stage"):
        commands.seat_latecomer(tournament, key="k", round=item.id, player=out, starter=waiting)
    with pytest.raises(RuleViolation, match="not-in-stage"):
        PAIRING_COMMANDS["seat-latecomer"](tournament, key="k", round=item.id, player=out)


def test_set_seeds_decides_the_players_of_a_stage() -> None:
    tournament = paired(planned(8, ("swiss", 2, {}), ("swiss", 1, {"cut": 4})), times=2)
    chosen = tuple(player.id for player in Index(tournament).players(DIVISION)[4:])
    tournament = commands.set_seeds(tournament, key="k", stage=StageId("b"), players=chosen)
    assert in_round(paired(tournament)) == {*chosen}


def test_move_stage_and_split_stage_number_without_gaps() -> None:
    def positions(value: Tournament) -> list[tuple[str, int]]:
        return [(stage.id, stage.position) for stage in Index(value).stages(DIVISION)]

    t = planned(6, ("swiss", 2, {}), ("swiss", 1, {}), ("round-robin", 3, {}))
    assert positions(t) == [("a", 1), ("b", 2), ("c", 3)]
    moved = commands.move_stage(t, stage=StageId("c"), position=1)
    assert positions(moved) == [("c", 1), ("a", 2), ("b", 3)]
    assert positions(commands.move_stage(moved, stage=StageId("c"), position=3)) == positions(t)
    assert positions(commands.split_stage(t, key="k", stage=StageId("a"), rounds=1)) == [
        ("a", 1),
        ("k", 2),
        ("b", 3),
        ("c", 4),
    ]


def test_find_present_players_of_a_round() -> None:
    tournament = commands.add_player(paired(event(4)), key="late", division=DIVISION, name="Late")
    tournament = commands.withdraw_player(tournament, key="w", player=PlayerId("p1"))
    index = Index(paired(tournament, times=2))
    begun = frozenset(PlayerId(f"p{number}") for number in range(1, 5))
    found = [find_players_joined_by_round(index, DIVISION, number) for number in range(5)]
    assert found == [frozenset(), begun, begun | {"late"}, begun | {"late"}, frozenset()]


# --- groups


def test_list_groups_needs_two_players_for_a_group() -> None:
    two = planned(4, ("round-robin", 1, {"settings": GROUPS}))
    assert len(Index(paired(two)).games(last_round(paired(two)).id)) == 2
    one = planned(3, ("round-robin", 1, {"settings": GROUPS}))
    with pytest.raises(RuleViolation, match="too-many-groups") as caught:
        paired(one)
    assert caught.value.facts == {"groups": 2, "players": 3}


def test_list_groups_smaller_group_rests() -> None:
    tournament = planned(9, ("round-robin", 5, {"settings": GROUPS}))
    index = Index(tournament)
    five, four = list_stage_groups(index, stage(tournament, "a"))
    assert (len(five), len(four)) == (5, 4)
    tournament = paired(tournament, times=3)
    assert in_round(tournament) == {*five, *four}
    tournament = paired(tournament, times=2)
    assert in_round(tournament) == {*five}
    met = [frozenset({game.first, game.second}) for game in tournament.games.values()]
    assert len(met) == len({*met}) == 5 * 4 // 2 + 4 * 3 // 2
    assert all(pair <= {*five} or pair <= {*four} for pair in met)
    codes = {problem.code for problem in find_problems(Index(tournament), tournament.divisions[DIVISION])}
    assert "player-unseated" not in codes


@pytest.mark.parametrize(("double", "rounds"), [(False, 5), (True, 10)])
def test_find_awaited_players_have_an_opponent(double: bool, rounds: int) -> None:
    cycles = 1 + double
    plan: Plan = (("round-robin", rounds, {"settings": PairingSettings(groups=2, double=double)}),)
    tournament = paired(planned(9, *plan), times=rounds, results=False)
    index = Index(tournament)
    five, four = list_stage_groups(index, stage(tournament, "a"))
    for item in index.rounds(DIVISION):
        wanted = {*five, *four} if item.number <= 3 * cycles else {*five}
        assert find_players_to_pair(index, item) == index.list_seated_players(item.id) == wanted
    met = Counter(frozenset({game.first, game.second}) for game in tournament.games.values())
    assert (set(met.values()), len(met)) == ({cycles}, 5 * 4 // 2 + 4 * 3 // 2)


@pytest.mark.parametrize("players", range(2, 18))
def test_make_play_off_has_enough_rounds(players: int) -> None:
    row = stage(planned(4, ("swiss", 2, {}), ("swiss", 1, {"cut": 2})), "b")
    rounds = next(number for number in range(1, 6) if 2**number >= players)
    for places in range(1, players):
        tie = CutTie(tuple(PlayerId(f"p{number}") for number in range(players)), places)
        found = make_play_off_stage(row, tie, StageId("x"))
        left = {2 ** (rounds - number): number for number in range(1, rounds + 1)}
        wanted = Elimination.SINGLE if places in left else Elimination.CLASSIFICATION
        assert (found.rounds, found.settings.elimination) == (left.get(places, rounds), wanted)
    assert players > 1


@pytest.mark.parametrize("settings", [PairingSettings(), GROUPS])
def test_list_group_seats_qualified_players_then_latecomers(settings: PairingSettings) -> None:
    plan: Plan = (("swiss", 1, {}), ("round-robin", 3, {"settings": settings, "cut": 5}))
    tournament = paired(planned(8, *plan), times=2)
    tournament = commands.add_player(tournament, key="late", division=DIVISION, name="Late")
    index = Index(tournament)
    assert set(sort_players_by_seat(index, StageId("b"))) == in_round(tournament)
    assert len(sort_players_by_seat(index, StageId("b"))) == 5
    assert sort_players_by_seat(index, StageId("a"))[-1] == "late"


def test_propose_pairings_refuses_too_many_groups() -> None:
    tournament = planned(5, ("round-robin", 1, {"settings": PairingSettings(groups=3)}))
    with pytest.raises(RuleViolation, match="too-many-groups"):
        propose_pairings(Index(tournament), DIVISION)


def test_compute_standings_groups_rank_by_place_then_order() -> None:
    tournament = paired(planned(8, ("round-robin", 3, {"settings": GROUPS})), times=3)
    rows = ranked(tournament)
    assert [row.place for row in rows] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert [row.group for row in rows] == [1, 2, 2, 1, 1, 2, 2, 1]
    for number, members in enumerate(list_stage_groups(Index(tournament), stage(tournament, "a")), start=1):
        assert {row.player.id for row in rows if row.group == number} == {*members}
    assert {row.stage for row in rows} == {"a"}
    for group in (1, 2):
        points = [row.match_points for row in rows if row.group == group]
        assert points == sorted(points, reverse=True)
    assert {reason.code for reason in explain_ranks(rows).values()} >= {"group-place"}


# --- what counts


def test_compute_standings_new_start_counts_own_rounds() -> None:
    tournament = paired(planned(8, ("swiss", 3, {}), ("swiss", 2, {"carry": False})), times=3)
    assert max(row.games for row in ranked(tournament)) == 3
    tournament = paired(tournament)
    assert {row.games for row in ranked(tournament)} == {1}
    assert {row.games for row in ranked(tournament, 3)} == {3}
    with_history = propose_pairings(Index(tournament), DIVISION)
    assert dict(with_history.cost)["repeats"] == 0  # meetings of the first stage still count


def test_compute_standings_carried_stage_counts_to_last_new_start() -> None:
    plan: Plan = (("swiss", 2, {}), ("swiss", 2, {"carry": False}), ("king-of-the-hill", 1, {}))
    tournament = paired(planned(8, *plan), times=5)
    assert {row.games for row in ranked(tournament)} == {3}


def test_compute_standings_new_start_counts_own_fines() -> None:
    tournament = paired(planned(4, ("swiss", 1, {}), ("swiss", 2, {"carry": False})), times=3)
    one = Index(tournament).player(DIVISION, 1)
    fines = [Sanction(SanctionId(f"f{n}"), one.id, n, SanctionKind.MARGIN, 10**n, "Late") for n in (1, 2, 3)]

    def spread(tournament: Tournament, after: int) -> int:
        return next(row.spread for row in ranked(tournament, after) if row.player == one)

    fined = tournament.put(*fines)
    assert [spread(tournament, after) - spread(fined, after) for after in (1, 2, 3)] == [10, 100, 1100]


def test_compute_standings_new_start_has_no_groups() -> None:
    tournament = paired(
        planned(6, ("round-robin", 3, {"settings": GROUPS}), ("swiss", 1, {"carry": False})), times=4
    )
    assert {(row.group, row.place, row.stage) for row in ranked(tournament)} == {(0, 0, "b")}


def test_build_field_after_a_new_start_uses_earlier_standings() -> None:
    tournament = paired(planned(8, ("swiss", 3, {}), ("swiss", 1, {"carry": False})), times=3)
    field = build_field(Index(tournament), StageId("b"), number=4, source=3)
    assert [entrant.number for entrant in field.entrants] == order(tournament)
    assert {(entrant.score, entrant.points, entrant.floats) for entrant in field.entrants} == {(0, "0", (0, 0))}
    assert {len(entrant.meetings) for entrant in field.entrants} == {3}
    assert {abs(entrant.balance) for entrant in field.entrants} == {1}


# --- standings put together


def test_compute_standings_eliminated_players_rank_last() -> None:
    tournament = paired(planned(9, ("swiss", 3, {}), ("swiss", 2, {"cut": 4, "carry": False})), times=3)
    before = order(tournament)
    tournament = paired(tournament, times=2)
    rows = ranked(tournament)
    assert sorted(row.player.number for row in rows[:4]) == sorted(before[:4])
    assert [row.player.number for row in rows[4:]] == before[4:]
    assert [row.stage for row in rows] == ["b"] * 4 + ["a"] * 5
    assert {row.games for row in rows[:4]} == {2}
    assert {row.games for row in rows[4:]} == {3}
    assert explain_ranks(rows)[rows[3].key].code == "stage-played"


def test_compute_standings_knockout_ranks_by_progress() -> None:
    tournament = paired(planned(8, ("knockout", 3, {})), times=1)
    assert ranks(tournament) == [1, 1, 1, 1, 5, 5, 5, 5]
    assert [row.place for row in ranked(tournament)] == [1, 1, 1, 1, 5, 5, 5, 5]
    assert {row.stage for row in ranked(tournament)} == {"a"}
    tournament = paired(tournament)
    assert ranks(tournament) == [1, 1, 3, 3, 5, 5, 5, 5]
    tournament = paired(tournament)
    assert ranks(tournament) == [1, 2, 3, 3, 5, 5, 5, 5]
    assert order(tournament)[:2] == [1, 2]  # the lower number always wins here
    assert [ranks(tournament, after)[:4] for after in (1, 2, 3)] == [[1, 1, 1, 1], [1, 1, 3, 3], [1, 2, 3, 3]]


def test_compute_standings_third_place_match_ranks_semifinalists() -> None:
    settings = PairingSettings(third_place=True)
    tournament = paired(planned(6, ("swiss", 1, {}), ("knockout", 2, {"cut": 4, "settings": settings})), times=3)
    assert ranks(tournament)[:4] == [1, 2, 3, 4]


def test_compute_standings_player_without_seat_ranks_behind() -> None:
    tournament = paired(planned(5, ("swiss", 1, {}), ("knockout", 2, {"cut": 4})), times=1)
    tournament = paired(tournament, results=False)
    (out,) = set(tournament.players) - in_round(tournament)
    game = Index(tournament).games(last_round(tournament).id)[0]
    tournament = tournament.put(replace(game, first=out))
    rows = ranked(tournament)
    assert [(row.rank, row.place, row.out) for row in rows] == [
        (1, 1, False),
        (1, 1, False),
        (1, 1, False),
        (4, 4, False),
        (5, 0, True),
    ]
    assert [rows[3].player.id, rows[4].player.id] == [game.first, out]


# --- ties at the line


def equal_field(cut: int = 4) -> Tournament:
    """Everybody draws, so that everybody is equal at the line."""
    return round_of(planned(6, ("swiss", 1, {}), ("swiss", 1, {"cut": cut, "carry": False})), drawn)


def test_find_ties_at_the_cut_are_a_problem() -> None:
    tournament = equal_field()
    (tie,) = find_cut_ties(Index(tournament), stage(tournament, "b"))
    assert (len(tie.players), tie.places) == (6, 4)
    (problem,) = (
        problem
        for problem in find_problems(Index(tournament), tournament.divisions[DIVISION])
        if problem.code == "tie-at-cut"
    )
    assert (problem.page, problem.key, problem.facts["n"], problem.urgent) == ("tournament", "b", 4, True)


def test_find_ties_of_groups_and_of_the_common_cut() -> None:
    def tied(scores: Scores, cut: int) -> list[tuple[list[int], int]]:
        groups = ("round-robin", 3, {"settings": PairingSettings(groups=2)})
        tournament = planned(6, groups, ("swiss", 1, {"cut": cut}))
        for _ in range(3):
            tournament = round_of(tournament, scores)
        found = find_cut_ties(Index(tournament), stage(tournament, "b"))
        return [(sorted(numbers(tournament, tie.players)), tie.places) for tie in found]

    def by_number(game: Game) -> tuple[int, int]:
        return (400, 300) if int(game.first[1:]) < int(game.second[1:]) else (300, 400)

    assert tied(drawn, 2) == [([1, 4, 5], 1), ([2, 3, 6], 1)]
    assert tied(by_number, 2) == []
    assert tied(by_number, 3) == [([3, 4], 1)]


def test_find_ties_needs_all_results_and_a_cut() -> None:
    tournament = planned(6, ("swiss", 1, {}), ("swiss", 1, {"cut": 3}))
    assert find_cut_ties(Index(paired(tournament, results=False)), stage(tournament, "b")) == ()
    assert find_cut_ties(Index(equal_field(cut=6)), stage(equal_field(cut=6), "b")) == ()
    apart = paired(tournament, times=1)
    assert find_cut_ties(Index(apart), stage(apart, "b")) == ()
    with pytest.raises(RuleViolation, match="no-tie-at-cut"):
        commands.draw_cut(apart, key="k", stage=StageId("b"))


def test_draw_cut_is_repeatable() -> None:
    tournament = equal_field()
    one = commands.draw_cut(tournament, key="k", stage=StageId("b"))
    other = commands.draw_cut(tournament, key="k", stage=StageId("b"))
    assert one.seeds == other.seeds
    assert len(one.seeds) == 4
    assert find_cut_ties(Index(one), stage(one, "b")) == ()


def test_draw_qualifiers_omits_a_withdrawn_player() -> None:
    tournament = equal_field()
    gone = [player.id for player in Index(tournament).players(DIVISION)][:3]
    assert len(gone) == 3
    for number, player in enumerate(gone, 1):
        left = tournament = commands.withdraw_player(tournament, key=f"w{number}", player=player)
        tied = [player for tie in find_cut_ties(Index(left), stage(left, "b")) for player in tie.players]
        assert len(tied) == (6 - number if number < 2 else 0)  # four or fewer all go on
        assert not set(tied) & set(gone[:number])
        assert not set(draw_qualifiers(Index(left), stage(left, "b"))) & set(gone[:number])
        assert len(draw_qualifiers(Index(left), stage(left, "b"))) == min(4, 6 - number)


def test_find_ties_is_empty_after_fixed_seats() -> None:
    tournament = equal_field()
    assert len(find_cut_ties(Index(tournament), stage(tournament, "b"))) == 1
    tournament = commands.draw_cut(tournament, key="k", stage=StageId("b"))
    assert find_cut_ties(Index(tournament), stage(tournament, "b")) == ()
    with pytest.raises(RuleViolation, match="no-tie-at-cut"):
        commands.draw_cut(tournament, key="l", stage=StageId("b"))


def test_find_ties_omits_a_player_cut_earlier() -> None:
    plan: Plan = (("swiss", 1, {}), ("swiss", 1, {"cut": 4}), ("swiss", 1, {"cut": 2, "carry": False}))
    tournament = round_of(paired(planned(8, *plan)), drawn)
    inside = {*list_stage_players(Index(tournament), stage(tournament, "b"))}
    (tie,) = find_cut_ties(Index(tournament), stage(tournament, "c"))
    assert (len(inside), set(tie.players) <= inside) == (4, True)
    chosen = draw_qualifiers(Index(tournament), stage(tournament, "c"))
    assert len(chosen) == 2
    assert set(chosen) < inside


@pytest.mark.parametrize(("cut", "rounds"), [(4, 1), (2, 2), (3, 3), (5, 3)])
def test_insert_play_off_winners_qualify(cut: int, rounds: int) -> None:
    tournament = commands.insert_play_off(equal_field(cut), key="p", stage=StageId("b"))
    assert [item.id for item in Index(tournament).stages(DIVISION)] == ["a", "p", "b"]
    assert stage(tournament, "p").rounds == rounds
    assert "bracket-too-short" not in {
        problem.code for problem in find_problems(Index(tournament), tournament.divisions[DIVISION])
    }
    tournament = paired(tournament, times=rounds)
    assert find_cut_ties(Index(tournament), stage(tournament, "b")) == ()
    assert ranks(tournament)[cut] == cut + 1
    winners = order(tournament)[:cut]
    tournament = paired(tournament)
    assert sorted(numbers(tournament, tuple(in_round(tournament)))) == sorted(winners)
    assert {row.games for row in ranked(tournament)[:cut]} == {1}


def four_equals() -> Tournament:
    """One of six has won; all others have drawn, and one draw qualifies."""

    def scores(game: Game) -> tuple[int, int]:
        return (450, 350) if "p1" in {game.first, game.second} else (400, 400)

    return round_of(planned(6, ("swiss", 1, {}), ("swiss", 1, {"cut": 2})), scores)


def test_compute_standings_play_off_ranks_its_own_players() -> None:
    tournament = four_equals()
    first, last = order(tournament)[0], order(tournament)[-1]
    (tie,) = find_cut_ties(Index(tournament), stage(tournament, "b"))
    assert (len(tie.players), tie.places) == (4, 1)
    tournament = paired(commands.insert_play_off(tournament, key="p", stage=StageId("b")), times=2)
    assert ranks(tournament, 2) == [1, 2, 2, 4, 4, 6]  # after its first round
    assert (order(tournament)[0], order(tournament)[-1]) == (first, last)
    assert ranks(tournament) == [1, 2, 3, 4, 4, 6]
    assert explain_ranks(ranked(tournament))[ranked(tournament)[1].key].code == "play-off"


def test_compute_standings_correction_precedes_a_play_off() -> None:
    tournament = paired(commands.insert_play_off(four_equals(), key="p", stage=StageId("b")), times=2)
    assert (order(tournament), ranks(tournament)) == ([4, 2, 3, 5, 6, 1], [1, 2, 3, 4, 4, 6])
    corrected = score(tournament, 5, 2, 410, 400)
    assert (order(corrected), ranks(corrected)) == ([4, 5, 3, 6, 2, 1], [1, 2, 3, 4, 5, 6])


def test_compute_standings_later_equal_player_ranks_behind_play_off() -> None:
    tournament = paired(commands.insert_play_off(four_equals(), key="p", stage=StageId("b")), times=2)
    corrected = score(tournament, 4, 1, 400, 400)
    assert (order(corrected), ranks(corrected)) == ([2, 3, 5, 6, 1, 4], [1, 2, 3, 3, 5, 5])


def score(tournament: Tournament, one: int, other: int, first: int, second: int) -> Tournament:
    """The tournament with another result of the game of two players in the first round."""
    index = Index(tournament)
    pair = index.player(DIVISION, one).id, index.player(DIVISION, other).id
    (game,) = (game for game in index.games(index.round(DIVISION, 1).id) if (game.first, game.second) == pair)
    return commands.enter_result(tournament, game=game.id, first=first, second=second)


# --- random events


@pytest.mark.parametrize("seed", range(20))
def test_propose_pairings_in_a_sequence_of_all_stage_kinds(seed: int) -> None:
    """In every round: eliminated players do not play, each player has one rank, equals share a rank."""
    rng = Random(seed)
    tournament = planned(rng.randint(9, 14), *random_plan(rng))
    assert Index(tournament).count_planned_rounds(DIVISION) > 0
    while len(Index(tournament).published(DIVISION)) < Index(tournament).count_planned_rounds(DIVISION):
        before = ranked(tournament)
        own = Index(tournament).find_stage(DIVISION, len(Index(tournament).published(DIVISION)) + 1)
        assert own is not None
        inside = {*list_stage_players(Index(tournament), own)}
        check_cut(tournament, own, inside, before)
        try:
            tournament = round_of(tournament, lambda _game: (rng.randint(300, 500), rng.randint(300, 299 + 202)))
        except RuleViolation as error:
            assert error.code in {"tie-undecided", "knockout-decided", "round-robin-complete"}  # noqa: PT017
            return
        assert in_round(tournament) <= inside
        check_standings(tournament, inside, before)
        if rng.random() < 0.15:
            player = rng.choice(list(tournament.players.values()))
            if not Index(tournament).has_withdrawn(player.id):
                number = len(Index(tournament).published(DIVISION)) + 1
                key = f"w{number}"
                tournament = commands.withdraw_player(tournament, key=key, player=player.id, from_round=number)


def random_plan(rng: Random) -> list[tuple[str, int, dict[str, Any]]]:
    groups = {"settings": PairingSettings(groups=rng.choice([2, 3]))}
    first: list[tuple[str, int, dict[str, Any]]] = [
        rng.choice([("round-robin", 3, groups), ("swiss", 2, {}), ("snake-groups", 2, {})])
    ]
    systems = ["swiss", "king-of-the-hill", "factor", "quartiles", "australian", "random", "round-robin"]
    more: dict[str, Any] = {"cut": rng.choice([None, 6, 8]), "carry": rng.random() < 0.5}
    return [*first, (rng.choice(systems), 2, more), ("knockout", 2, {"cut": 4, "carry": rng.random() < 0.5})]


def check_cut(tournament: Tournament, own: Stage, inside: set[PlayerId], before: tuple[Standing, ...]) -> None:
    """Nobody is out who ranks above somebody in, but for the groups' own share."""
    index = Index(tournament)
    first = index.first_round(own.id)
    if own.cut is None or first != len(index.published(DIVISION)) + 1:
        return
    there = [row for row in before if not row.out and not index.has_withdrawn_in_round(row.player.id, first)]
    assert len(inside) == min(own.cut, len(there))
    groups = {row.group for row in there}
    for group in groups:
        line = [row for row in there if row.group == group]
        through = [row.rank for row in line if row.player.id in inside]
        left = [row.rank for row in line if row.player.id not in inside]
        assert len(through) >= min(len(line), own.cut // len(groups))
        assert max(through, default=0) <= min(left, default=len(before))


def check_standings(tournament: Tournament, inside: set[PlayerId], before: tuple[Standing, ...]) -> None:
    rows = ranked(tournament)
    assert {row.player.id for row in rows} == {*tournament.players}
    found = [row.rank for row in rows]
    assert found == [1 + sum(other < rank for other in found) for rank in found]
    playing = [row.player.id in inside for row in rows]
    assert playing == sorted(playing, reverse=True)
    out = [row.player.id for row in rows if row.player.id not in inside]
    assert out == [row.player.id for row in before if row.player.id not in inside]
