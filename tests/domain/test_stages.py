"""Tests of stages in sequence: their players, counted results and combined standings."""

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
    find_cut_ties,
    find_missing_and_extra_qualifiers,
    list_players_in_pairing_order,
    list_stage_groups,
    list_stage_players_in_pairing_order,
    make_play_off_stage,
    select_qualifiers_by_group_quota,
    select_qualifiers_by_rank_and_lot,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import Sanction, SanctionId
from tdapp.domain.model import Game, PlayerId, Stage, StageId
from tdapp.domain.pairing_settings import EliminationKind, PairingSettings
from tdapp.domain.problems import find_division_problems
from tdapp.domain.stages import find_division_players_at_round, sort_players_by_seat, split_players_in_snake_order
from tdapp.domain.standings import Standing, compute_standings, map_rank_reasons
from tdapp.domain.teams import find_players_needing_game_or_bye
from tdapp.domain.tournament import Tournament
from tdapp.pairing import PAIRING_COMMANDS, propose_pairings
from tdapp.pairing.field import build_pairing_field
from tdapp.scrabble.sheet import SanctionKind
from tests.building import DIVISION, get_last_round, make_event, pair_rounds

Scores = Callable[[Game], tuple[int, int]]
Plan = tuple[tuple[str, int, dict[str, Any]], ...]
GROUPS = PairingSettings(groups=2)


def add_stage(tournament: Tournament, key: str, system: str, rounds: int, **fields: Any) -> Tournament:
    return commands.add_stage(tournament, key=key, division=DIVISION, system=system, rounds=rounds, **fields)


def plan_event(players: int, *stages: tuple[str, int, dict[str, Any]]) -> Tournament:
    """Return a division with stages `a`, `b`, ... Each has a system, rounds and further fields."""
    tournament = commands.remove_stage(make_event(players), stage=StageId("s"))
    for key, (system, rounds, fields) in zip("abcdef", stages, strict=False):
        tournament = add_stage(tournament, key, system, rounds, **fields)
    return tournament


def list_standings(tournament: Tournament, after: int | None = None) -> tuple[Standing, ...]:
    return compute_standings(TournamentIndex(tournament), tournament.divisions[DIVISION], after)


def list_numbers_by_rank(tournament: Tournament, after: int | None = None) -> list[int]:
    return [row.player.number for row in list_standings(tournament, after)]


def list_ranks(tournament: Tournament, after: int | None = None) -> list[int]:
    return [row.rank for row in list_standings(tournament, after)]


def get_stage(tournament: Tournament, key: str) -> Stage:
    return tournament.stages[StageId(key)]


def list_numbers(tournament: Tournament, players: tuple[PlayerId, ...]) -> list[int]:
    return [tournament.players[player].number for player in players]


def list_round_players(tournament: Tournament) -> set[PlayerId]:
    index = TournamentIndex(tournament)
    item = get_last_round(tournament)
    return {player for game in index.games(item.id) for player in (game.first, game.second)} | {
        bye.player for bye in index.byes(item.id)
    }


def play_round(tournament: Tournament, make_scores: Scores) -> Tournament:
    """Play the next round with the given scores."""
    tournament = pair_rounds(tournament, results=False)
    for game in TournamentIndex(tournament).games(get_last_round(tournament).id):
        first, second = make_scores(game)
        tournament = commands.enter_result(tournament, game=game.id, first=first, second=second)
    return tournament


def draw_game(_game: Game) -> tuple[int, int]:
    return 400, 400


# --- players


def test_split_in_snake_order_balances_the_groups() -> None:
    """16 players in 4 groups: the numbers of each group add up to 34."""
    groups = split_players_in_snake_order([PlayerId(str(number)) for number in range(1, 17)], 4)
    assert [[int(player) for player in group] for group in groups] == [
        [1, 8, 9, 16],
        [2, 7, 10, 15],
        [3, 6, 11, 14],
        [4, 5, 12, 13],
    ]
    assert {sum(map(int, group)) for group in groups} == {34}


def test_list_stage_players_takes_the_best_after_a_cut() -> None:
    tournament = pair_rounds(plan_event(10, ("swiss", 3, {}), ("king-of-the-hill", 1, {"cut": 4})), times=3)
    four_players = list_numbers_by_rank(tournament)[:4]
    assert (
        list_numbers(
            tournament,
            list_stage_players_in_pairing_order(TournamentIndex(tournament), get_stage(tournament, "b")),
        )
        == four_players
    )
    assert sorted(list_numbers(tournament, tuple(list_round_players(pair_rounds(tournament))))) == sorted(
        four_players
    )


def test_list_stage_players_replaces_a_withdrawn_player() -> None:
    tournament = pair_rounds(plan_event(8, ("swiss", 3, {}), ("swiss", 1, {"cut": 4})), times=3)
    before = list_numbers_by_rank(tournament)
    withdrawn_player = TournamentIndex(tournament).get_player(DIVISION, before[1])
    tournament = commands.withdraw_player(tournament, key="w", player=withdrawn_player.id, from_round=4)
    assert list_numbers(
        tournament, list_stage_players_in_pairing_order(TournamentIndex(tournament), get_stage(tournament, "b"))
    ) == [
        before[0],
        *before[2:5],
    ]


def test_withdraw_player_after_a_cut() -> None:
    tournament = pair_rounds(plan_event(8, ("swiss", 3, {}), ("knockout", 2, {"cut": 4})), times=4)
    withdrawn_number = list_numbers_by_rank(tournament)[-1]
    tournament = commands.withdraw_player(
        tournament, key="w", player=TournamentIndex(tournament).get_player(DIVISION, withdrawn_number).id
    )
    index, division = TournamentIndex(tournament), tournament.divisions[DIVISION]

    def list_inactive_numbers(after: int) -> list[int]:
        return [row.player.number for row in compute_standings(index, division, after) if not row.active]

    assert (list_inactive_numbers(3), list_inactive_numbers(4)) == ([], [withdrawn_number])
    hidden = replace(division, list_withdrawn=False)
    assert [len(compute_standings(index, hidden, after)) for after in (3, 4)] == [8, 7]


def test_list_stage_players_stay_after_a_correction() -> None:
    tournament = pair_rounds(plan_event(8, ("swiss", 3, {}), ("swiss", 2, {"cut": 4})), times=4)
    playing = list_round_players(tournament)
    tournament = reverse_round(tournament, 3)
    assert {
        *list_stage_players_in_pairing_order(TournamentIndex(tournament), get_stage(tournament, "b"))
    } == playing
    assert list_round_players(pair_rounds(tournament)) == playing


def reverse_round(tournament: Tournament, number: int) -> Tournament:
    """Reverse all results of a round."""
    index = TournamentIndex(tournament)
    for game in index.games(index.get_round(DIVISION, number).id):
        result = index.get_result(game.id)
        assert result is not None
        tournament = commands.enter_result(tournament, game=game.id, first=result.second, second=result.first)
    return tournament


@pytest.mark.parametrize("system", ["swiss", "knockout", "round-robin"])
def test_find_players_across_cut_names_a_newly_qualified_player(system: str) -> None:
    tournament = pair_rounds(plan_event(8, ("swiss", 3, {}), (system, 2, {"cut": 4})), times=4)
    assert find_missing_and_extra_qualifiers(TournamentIndex(tournament), get_stage(tournament, "b")) == ((), ())

    corrected_tournament = reverse_round(tournament, 3)
    index, players = TournamentIndex(corrected_tournament), list_round_players(corrected_tournament)
    four_players = {
        player.id
        for player in list_players_in_pairing_order(index, corrected_tournament.divisions[DIVISION], 3)[:4]
    }
    promoted_players, eliminated_players = find_missing_and_extra_qualifiers(
        index, get_stage(corrected_tournament, "b")
    )
    assert ({*promoted_players}, {*eliminated_players}) == (four_players - players, players - four_players)
    (outdated_cut,) = (
        problem
        for problem in find_division_problems(index, corrected_tournament.divisions[DIVISION])
        if problem.code == "cut-outdated"
    )
    assert outdated_cut.facts["others"] == "; ".join(
        corrected_tournament.players[player].name for player in eliminated_players
    )
    assert outdated_cut.facts["players"]

    before = pair_rounds(plan_event(8, ("swiss", 3, {}), (system, 2, {"cut": 4})), times=3)
    is_manual = pair_rounds(
        commands.set_seeds(before, key="h", stage=StageId("b"), players=tuple(sorted(players)))
    )
    assert find_missing_and_extra_qualifiers(
        TournamentIndex(reverse_round(is_manual, 3)), get_stage(is_manual, "b")
    ) == (
        (),
        (),
    )
    next_round = pair_rounds(corrected_tournament)
    assert find_missing_and_extra_qualifiers(TournamentIndex(next_round), get_stage(next_round, "b")) == ((), ())


def test_find_players_across_cut_ignores_equal_players() -> None:
    tournament = pair_rounds(build_equal_field())
    assert find_missing_and_extra_qualifiers(TournamentIndex(tournament), get_stage(tournament, "b")) == ((), ())
    assert len({*list_ranks(tournament, 1)}) == 1


def test_propose_pairings_replaces_a_draft_with_an_eliminated_player() -> None:
    tournament = pair_rounds(plan_event(8, ("swiss", 3, {}), ("swiss", 2, {"cut": 4})), times=3)
    proposal = propose_pairings(TournamentIndex(tournament), DIVISION)
    draft = commands.propose_round(tournament, key="k", proposal=proposal)
    index = TournamentIndex(draft)
    for game in index.games(index.get_round(DIVISION, 3).id):
        result = index.get_result(game.id)
        assert result is not None
        draft = commands.enter_result(draft, game=game.id, first=result.second, second=result.first)
    assert list_numbers_by_rank(draft)[:4] != list_numbers_by_rank(tournament)[:4]
    with pytest.raises(CommandError, match="pairing-outdated"):
        commands.publish_round(draft, round=get_last_round(draft).id)
    new_draft = commands.propose_round(draft, key="l", proposal=propose_pairings(TournamentIndex(draft), DIVISION))
    assert sorted(list_numbers(new_draft, tuple(list_round_players(new_draft)))) == sorted(
        list_numbers_by_rank(draft)[:4]
    )


def test_propose_pairings_cut_needs_the_newest_standings() -> None:
    tournament = pair_rounds(plan_event(8, ("swiss", 3, {}), ("swiss", 2, {"cut": 4})), times=3)
    with pytest.raises(CommandError, match="no-such-round"):
        propose_pairings(TournamentIndex(tournament), DIVISION, source_round=2)


def test_list_stage_players_cut_applies_to_later_stages() -> None:
    plan: Plan = (
        ("swiss", 2, {}),
        ("swiss", 1, {"cut": 6}),
        ("king-of-the-hill", 1, {}),
        ("knockout", 1, {"cut": 2}),
    )
    tournament = pair_rounds(plan_event(12, *plan), times=3)
    six_players = list_round_players(tournament)
    tournament = pair_rounds(tournament)
    assert list_round_players(tournament) == six_players
    tournament = pair_rounds(tournament)
    assert list_round_players(tournament) < six_players
    assert len(list_round_players(tournament)) == 2


def test_select_best_takes_groups_equally_then_the_best() -> None:
    players = tuple(PlayerId(name) for name in ("a1", "b1", "a2", "a3", "b2", "b3"))
    group_by_player = {player: 1 if player[0] == "a" else 2 for player in players}
    assert select_qualifiers_by_group_quota(players, 4, group_by_player) == ("a1", "b1", "a2", "b2")
    assert select_qualifiers_by_group_quota(players, 5, group_by_player) == ("a1", "b1", "a2", "a3", "b2")
    assert select_qualifiers_by_group_quota(players, 9, group_by_player) == players


def test_list_stage_players_latecomer_plays_without_a_cut() -> None:
    tournament = pair_rounds(plan_event(8, ("swiss", 2, {}), ("swiss", 1, {}), ("swiss", 1, {"cut": 4})), times=2)
    tournament = commands.add_player(tournament, key="late", division=DIVISION, name="Late")
    latecomer_id = TournamentIndex(tournament).get_player(DIVISION, 9).id
    assert latecomer_id in list_stage_players_in_pairing_order(
        TournamentIndex(tournament), get_stage(tournament, "b")
    )
    assert latecomer_id not in list_stage_players_in_pairing_order(
        TournamentIndex(tournament), get_stage(tournament, "c")
    )


@pytest.mark.parametrize("system", ["swiss", "knockout"])
def test_seat_latecomer_refuses_an_eliminated_player(system: str) -> None:
    tournament = pair_rounds(plan_event(8, ("swiss", 2, {}), (system, 1, {"cut": 5})), times=2)
    tournament = pair_rounds(tournament, results=False)
    item = get_last_round(tournament)
    waiting = TournamentIndex(tournament).byes(item.id)[0].player
    eliminated_player = next(
        player for player in tournament.players if player not in list_round_players(tournament)
    )
    with pytest.raises(CommandError, match="not-in-stage"):
        commands.seat_latecomer(tournament, key="k", round=item.id, player=eliminated_player, starter=waiting)
    with pytest.raises(CommandError, match="not-in-stage"):
        PAIRING_COMMANDS["seat-latecomer"](tournament, key="k", round=item.id, player=eliminated_player)


def test_set_seeds_decides_the_players_of_a_stage() -> None:
    tournament = pair_rounds(plan_event(8, ("swiss", 2, {}), ("swiss", 1, {"cut": 4})), times=2)
    seeded_ids = tuple(player.id for player in TournamentIndex(tournament).players(DIVISION)[4:])
    tournament = commands.set_seeds(tournament, key="k", stage=StageId("b"), players=seeded_ids)
    assert list_round_players(pair_rounds(tournament)) == {*seeded_ids}


def test_move_stage_and_split_stage_number_without_gaps() -> None:
    def list_positions(value: Tournament) -> list[tuple[str, int]]:
        return [(stage.id, stage.position) for stage in TournamentIndex(value).stages(DIVISION)]

    t = plan_event(6, ("swiss", 2, {}), ("swiss", 1, {}), ("round-robin", 3, {}))
    assert list_positions(t) == [("a", 1), ("b", 2), ("c", 3)]
    moved_tournament = commands.move_stage(t, stage=StageId("c"), position=1)
    assert list_positions(moved_tournament) == [("c", 1), ("a", 2), ("b", 3)]
    assert list_positions(commands.move_stage(moved_tournament, stage=StageId("c"), position=3)) == list_positions(
        t
    )
    assert list_positions(commands.split_stage(t, key="k", stage=StageId("a"), rounds=1)) == [
        ("a", 1),
        ("k", 2),
        ("b", 3),
        ("c", 4),
    ]


def test_find_present_players_of_a_round() -> None:
    tournament = commands.add_player(pair_rounds(make_event(4)), key="late", division=DIVISION, name="Late")
    tournament = commands.withdraw_player(tournament, key="w", player=PlayerId("p1"))
    index = TournamentIndex(pair_rounds(tournament, times=2))
    first_players = frozenset(PlayerId(f"p{number}") for number in range(1, 5))
    players_by_round = [find_division_players_at_round(index, DIVISION, number) for number in range(5)]
    assert players_by_round == [
        frozenset(),
        first_players,
        first_players | {"late"},
        first_players | {"late"},
        frozenset(),
    ]


# --- groups


def test_list_groups_needs_two_players_for_a_group() -> None:
    four_players = plan_event(4, ("round-robin", 1, {"settings": GROUPS}))
    assert len(TournamentIndex(pair_rounds(four_players)).games(get_last_round(pair_rounds(four_players)).id)) == 2
    three_players = plan_event(3, ("round-robin", 1, {"settings": GROUPS}))
    with pytest.raises(CommandError, match="too-many-groups") as error:
        pair_rounds(three_players)
    assert error.value.facts == {"groups": 2, "players": 3}


def test_list_groups_smaller_group_rests() -> None:
    tournament = plan_event(9, ("round-robin", 5, {"settings": GROUPS}))
    index = TournamentIndex(tournament)
    five, four_players = list_stage_groups(index, get_stage(tournament, "a"))
    assert (len(five), len(four_players)) == (5, 4)
    tournament = pair_rounds(tournament, times=3)
    assert list_round_players(tournament) == {*five, *four_players}
    tournament = pair_rounds(tournament, times=2)
    assert list_round_players(tournament) == {*five}
    pairs = [frozenset({game.first, game.second}) for game in tournament.games.values()]
    assert len(pairs) == len({*pairs}) == 5 * 4 // 2 + 4 * 3 // 2
    assert all(pair <= {*five} or pair <= {*four_players} for pair in pairs)
    codes = {
        problem.code
        for problem in find_division_problems(TournamentIndex(tournament), tournament.divisions[DIVISION])
    }
    assert "player-unseated" not in codes


@pytest.mark.parametrize(("double", "rounds"), [(False, 5), (True, 10)])
def test_find_awaited_players_have_an_opponent(double: bool, rounds: int) -> None:
    cycles = 1 + double
    plan: Plan = (("round-robin", rounds, {"settings": PairingSettings(groups=2, double=double)}),)
    tournament = pair_rounds(plan_event(9, *plan), times=rounds, results=False)
    index = TournamentIndex(tournament)
    five, four_players = list_stage_groups(index, get_stage(tournament, "a"))
    for item in index.rounds(DIVISION):
        expected_players = {*five, *four_players} if item.number <= 3 * cycles else {*five}
        assert (
            find_players_needing_game_or_bye(index, item)
            == index.find_players_with_game_bye_or_seat(item.id)
            == expected_players
        )
    meetings = Counter(frozenset({game.first, game.second}) for game in tournament.games.values())
    assert (set(meetings.values()), len(meetings)) == ({cycles}, 5 * 4 // 2 + 4 * 3 // 2)


@pytest.mark.parametrize("players", range(2, 18))
def test_make_play_off_has_enough_rounds(players: int) -> None:
    row = get_stage(plan_event(4, ("swiss", 2, {}), ("swiss", 1, {"cut": 2})), "b")
    rounds = next(number for number in range(1, 6) if 2**number >= players)
    for places in range(1, players):
        tie = CutTie(tuple(PlayerId(f"p{number}") for number in range(players)), places)
        play_off_rounds = make_play_off_stage(row, tie, StageId("x"))
        rounds_by_places = {2 ** (rounds - number): number for number in range(1, rounds + 1)}
        elimination = EliminationKind.SINGLE if places in rounds_by_places else EliminationKind.CLASSIFICATION
        assert (play_off_rounds.rounds, play_off_rounds.settings.elimination) == (
            rounds_by_places.get(places, rounds),
            elimination,
        )
    assert players > 1


@pytest.mark.parametrize("settings", [PairingSettings(), GROUPS])
def test_list_group_seats_qualified_players_then_latecomers(settings: PairingSettings) -> None:
    plan: Plan = (("swiss", 1, {}), ("round-robin", 3, {"settings": settings, "cut": 5}))
    tournament = pair_rounds(plan_event(8, *plan), times=2)
    tournament = commands.add_player(tournament, key="late", division=DIVISION, name="Late")
    index = TournamentIndex(tournament)
    assert set(sort_players_by_seat(index, StageId("b"))) == list_round_players(tournament)
    assert len(sort_players_by_seat(index, StageId("b"))) == 5
    assert sort_players_by_seat(index, StageId("a"))[-1] == "late"


def test_propose_pairings_refuses_too_many_groups() -> None:
    tournament = plan_event(5, ("round-robin", 1, {"settings": PairingSettings(groups=3)}))
    with pytest.raises(CommandError, match="too-many-groups"):
        propose_pairings(TournamentIndex(tournament), DIVISION)


def test_compute_standings_groups_rank_by_place_then_order() -> None:
    tournament = pair_rounds(plan_event(8, ("round-robin", 3, {"settings": GROUPS})), times=3)
    rows = list_standings(tournament)
    assert [row.place for row in rows] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert [row.group for row in rows] == [1, 2, 2, 1, 1, 2, 2, 1]
    for number, members in enumerate(
        list_stage_groups(TournamentIndex(tournament), get_stage(tournament, "a")), start=1
    ):
        assert {row.player.id for row in rows if row.group == number} == {*members}
    assert {row.stage for row in rows} == {"a"}
    for group in (1, 2):
        points = [row.match_points for row in rows if row.group == group]
        assert points == sorted(points, reverse=True)
    assert {reason.code for reason in map_rank_reasons(rows).values()} >= {"group-place"}


# --- counted results


def test_compute_standings_new_start_counts_own_rounds() -> None:
    tournament = pair_rounds(plan_event(8, ("swiss", 3, {}), ("swiss", 2, {"carry": False})), times=3)
    assert max(row.games for row in list_standings(tournament)) == 3
    tournament = pair_rounds(tournament)
    assert {row.games for row in list_standings(tournament)} == {1}
    assert {row.games for row in list_standings(tournament, 3)} == {3}
    with_history = propose_pairings(TournamentIndex(tournament), DIVISION)
    assert dict(with_history.cost)["repeats"] == 0  # meetings of the first stage still count


def test_compute_standings_carried_stage_counts_to_last_new_start() -> None:
    plan: Plan = (("swiss", 2, {}), ("swiss", 2, {"carry": False}), ("king-of-the-hill", 1, {}))
    tournament = pair_rounds(plan_event(8, *plan), times=5)
    assert {row.games for row in list_standings(tournament)} == {3}


def test_compute_standings_new_start_counts_own_fines() -> None:
    tournament = pair_rounds(plan_event(4, ("swiss", 1, {}), ("swiss", 2, {"carry": False})), times=3)
    player = TournamentIndex(tournament).get_player(DIVISION, 1)
    fines = [Sanction(SanctionId(f"f{n}"), player.id, n, SanctionKind.MARGIN, 10**n, "Late") for n in (1, 2, 3)]

    def compute_spread(tournament: Tournament, after: int) -> int:
        return next(row.spread for row in list_standings(tournament, after) if row.player == player)

    fined_tournament = tournament.put(*fines)
    assert [
        compute_spread(tournament, after) - compute_spread(fined_tournament, after) for after in (1, 2, 3)
    ] == [10, 100, 1100]


def test_compute_standings_new_start_has_no_groups() -> None:
    tournament = pair_rounds(
        plan_event(6, ("round-robin", 3, {"settings": GROUPS}), ("swiss", 1, {"carry": False})), times=4
    )
    assert {(row.group, row.place, row.stage) for row in list_standings(tournament)} == {(0, 0, "b")}


def test_build_field_after_a_new_start_uses_earlier_standings() -> None:
    tournament = pair_rounds(plan_event(8, ("swiss", 3, {}), ("swiss", 1, {"carry": False})), times=3)
    field = build_pairing_field(TournamentIndex(tournament), StageId("b"), number=4, source=3)
    assert [entrant.number for entrant in field.entrants] == list_numbers_by_rank(tournament)
    assert {(entrant.score, entrant.points, entrant.floats) for entrant in field.entrants} == {(0, "0", (0, 0))}
    assert {len(entrant.meetings) for entrant in field.entrants} == {3}
    assert {abs(entrant.start_balance) for entrant in field.entrants} == {1}


# --- combined standings


def test_compute_standings_eliminated_players_rank_last() -> None:
    tournament = pair_rounds(plan_event(9, ("swiss", 3, {}), ("swiss", 2, {"cut": 4, "carry": False})), times=3)
    before = list_numbers_by_rank(tournament)
    tournament = pair_rounds(tournament, times=2)
    rows = list_standings(tournament)
    assert sorted(row.player.number for row in rows[:4]) == sorted(before[:4])
    assert [row.player.number for row in rows[4:]] == before[4:]
    assert [row.stage for row in rows] == ["b"] * 4 + ["a"] * 5
    assert {row.games for row in rows[:4]} == {2}
    assert {row.games for row in rows[4:]} == {3}
    assert map_rank_reasons(rows)[rows[3].key].code == "stage-played"


def test_compute_standings_knockout_ranks_by_progress() -> None:
    tournament = pair_rounds(plan_event(8, ("knockout", 3, {})), times=1)
    assert list_ranks(tournament) == [1, 1, 1, 1, 5, 5, 5, 5]
    assert [row.place for row in list_standings(tournament)] == [1, 1, 1, 1, 5, 5, 5, 5]
    assert {row.stage for row in list_standings(tournament)} == {"a"}
    tournament = pair_rounds(tournament)
    assert list_ranks(tournament) == [1, 1, 3, 3, 5, 5, 5, 5]
    tournament = pair_rounds(tournament)
    assert list_ranks(tournament) == [1, 2, 3, 3, 5, 5, 5, 5]
    assert list_numbers_by_rank(tournament)[:2] == [1, 2]  # the lower number always wins here
    assert [list_ranks(tournament, after)[:4] for after in (1, 2, 3)] == [[1, 1, 1, 1], [1, 1, 3, 3], [1, 2, 3, 3]]


def test_compute_standings_third_place_match_ranks_semifinalists() -> None:
    settings = PairingSettings(third_place=True)
    tournament = pair_rounds(
        plan_event(6, ("swiss", 1, {}), ("knockout", 2, {"cut": 4, "settings": settings})), times=3
    )
    assert list_ranks(tournament)[:4] == [1, 2, 3, 4]


def test_compute_standings_player_without_seat_ranks_behind() -> None:
    tournament = pair_rounds(plan_event(5, ("swiss", 1, {}), ("knockout", 2, {"cut": 4})), times=1)
    tournament = pair_rounds(tournament, results=False)
    (unseated,) = set(tournament.players) - list_round_players(tournament)
    game = TournamentIndex(tournament).games(get_last_round(tournament).id)[0]
    tournament = tournament.put(replace(game, first=unseated))
    rows = list_standings(tournament)
    assert [(row.rank, row.place, row.out) for row in rows] == [
        (1, 1, False),
        (1, 1, False),
        (1, 1, False),
        (4, 4, False),
        (5, 0, True),
    ]
    assert [rows[3].player.id, rows[4].player.id] == [game.first, unseated]


# --- ties at the cut


def build_equal_field(cut: int = 4) -> Tournament:
    """Return a tournament with draws only. All players are equal at the cut."""
    return play_round(plan_event(6, ("swiss", 1, {}), ("swiss", 1, {"cut": cut, "carry": False})), draw_game)


def test_find_ties_at_the_cut_are_a_problem() -> None:
    tournament = build_equal_field()
    (tie,) = find_cut_ties(TournamentIndex(tournament), get_stage(tournament, "b"))
    assert (len(tie.players), tie.places) == (6, 4)
    (problem,) = (
        problem
        for problem in find_division_problems(TournamentIndex(tournament), tournament.divisions[DIVISION])
        if problem.code == "tie-at-cut"
    )
    assert (problem.page, problem.key, problem.facts["n"], problem.urgent) == ("tournament", "b", 4, True)


def test_find_ties_of_groups_and_of_the_common_cut() -> None:
    def list_ties(make_scores: Scores, cut: int) -> list[tuple[list[int], int]]:
        groups = ("round-robin", 3, {"settings": PairingSettings(groups=2)})
        tournament = plan_event(6, groups, ("swiss", 1, {"cut": cut}))
        for _ in range(3):
            tournament = play_round(tournament, make_scores)
        ties = find_cut_ties(TournamentIndex(tournament), get_stage(tournament, "b"))
        return [(sorted(list_numbers(tournament, tie.players)), tie.places) for tie in ties]

    def by_number(game: Game) -> tuple[int, int]:
        return (400, 300) if int(game.first[1:]) < int(game.second[1:]) else (300, 400)

    assert list_ties(draw_game, 2) == [([1, 4, 5], 1), ([2, 3, 6], 1)]
    assert list_ties(by_number, 2) == []
    assert list_ties(by_number, 3) == [([3, 4], 1)]


def test_find_ties_needs_all_results_and_a_cut() -> None:
    tournament = plan_event(6, ("swiss", 1, {}), ("swiss", 1, {"cut": 3}))
    assert find_cut_ties(TournamentIndex(pair_rounds(tournament, results=False)), get_stage(tournament, "b")) == ()
    assert find_cut_ties(TournamentIndex(build_equal_field(cut=6)), get_stage(build_equal_field(cut=6), "b")) == ()
    tournament_without_ties = pair_rounds(tournament, times=1)
    assert find_cut_ties(TournamentIndex(tournament_without_ties), get_stage(tournament_without_ties, "b")) == ()
    with pytest.raises(CommandError, match="no-tie-at-cut"):
        commands.draw_cut(tournament_without_ties, key="k", stage=StageId("b"))


def test_draw_cut_is_repeatable() -> None:
    tournament = build_equal_field()
    first_draw = commands.draw_cut(tournament, key="k", stage=StageId("b"))
    second_draw = commands.draw_cut(tournament, key="k", stage=StageId("b"))
    assert first_draw.seeds == second_draw.seeds
    assert len(first_draw.seeds) == 4
    assert find_cut_ties(TournamentIndex(first_draw), get_stage(first_draw, "b")) == ()


def test_draw_qualifiers_omits_a_withdrawn_player() -> None:
    tournament = build_equal_field()
    withdrawn_ids = [player.id for player in TournamentIndex(tournament).players(DIVISION)][:3]
    assert len(withdrawn_ids) == 3
    for number, player in enumerate(withdrawn_ids, 1):
        withdrawn = tournament = commands.withdraw_player(tournament, key=f"w{number}", player=player)
        tied_players = [
            player
            for tie in find_cut_ties(TournamentIndex(withdrawn), get_stage(withdrawn, "b"))
            for player in tie.players
        ]
        assert len(tied_players) == (6 - number if number < 2 else 0)  # four or fewer all go on
        assert not set(tied_players) & set(withdrawn_ids[:number])
        assert not set(
            select_qualifiers_by_rank_and_lot(TournamentIndex(withdrawn), get_stage(withdrawn, "b"))
        ) & set(withdrawn_ids[:number])
        assert len(
            select_qualifiers_by_rank_and_lot(TournamentIndex(withdrawn), get_stage(withdrawn, "b"))
        ) == min(4, 6 - number)


def test_find_ties_is_empty_after_fixed_seats() -> None:
    tournament = build_equal_field()
    assert len(find_cut_ties(TournamentIndex(tournament), get_stage(tournament, "b"))) == 1
    tournament = commands.draw_cut(tournament, key="k", stage=StageId("b"))
    assert find_cut_ties(TournamentIndex(tournament), get_stage(tournament, "b")) == ()
    with pytest.raises(CommandError, match="no-tie-at-cut"):
        commands.draw_cut(tournament, key="l", stage=StageId("b"))


def test_find_ties_omits_a_player_cut_earlier() -> None:
    plan: Plan = (("swiss", 1, {}), ("swiss", 1, {"cut": 4}), ("swiss", 1, {"cut": 2, "carry": False}))
    tournament = play_round(pair_rounds(plan_event(8, *plan)), draw_game)
    qualified = {*list_stage_players_in_pairing_order(TournamentIndex(tournament), get_stage(tournament, "b"))}
    (tie,) = find_cut_ties(TournamentIndex(tournament), get_stage(tournament, "c"))
    assert (len(qualified), set(tie.players) <= qualified) == (4, True)
    drawn_players = select_qualifiers_by_rank_and_lot(TournamentIndex(tournament), get_stage(tournament, "c"))
    assert len(drawn_players) == 2
    assert set(drawn_players) < qualified


@pytest.mark.parametrize(("cut", "rounds"), [(4, 1), (2, 2), (3, 3), (5, 3)])
def test_insert_play_off_winners_qualify(cut: int, rounds: int) -> None:
    tournament = commands.insert_play_off(build_equal_field(cut), key="p", stage=StageId("b"))
    assert [item.id for item in TournamentIndex(tournament).stages(DIVISION)] == ["a", "p", "b"]
    assert get_stage(tournament, "p").rounds == rounds
    assert "bracket-too-short" not in {
        problem.code
        for problem in find_division_problems(TournamentIndex(tournament), tournament.divisions[DIVISION])
    }
    tournament = pair_rounds(tournament, times=rounds)
    assert find_cut_ties(TournamentIndex(tournament), get_stage(tournament, "b")) == ()
    assert list_ranks(tournament)[cut] == cut + 1
    winners = list_numbers_by_rank(tournament)[:cut]
    tournament = pair_rounds(tournament)
    assert sorted(list_numbers(tournament, tuple(list_round_players(tournament)))) == sorted(winners)
    assert {row.games for row in list_standings(tournament)[:cut]} == {1}


def build_four_equals() -> Tournament:
    """Return six players: one won, four drew. One of these four qualifies."""

    def make_scores(game: Game) -> tuple[int, int]:
        return (450, 350) if "p1" in {game.first, game.second} else (400, 400)

    return play_round(plan_event(6, ("swiss", 1, {}), ("swiss", 1, {"cut": 2})), make_scores)


def test_compute_standings_play_off_ranks_its_own_players() -> None:
    tournament = build_four_equals()
    first, last = list_numbers_by_rank(tournament)[0], list_numbers_by_rank(tournament)[-1]
    (tie,) = find_cut_ties(TournamentIndex(tournament), get_stage(tournament, "b"))
    assert (len(tie.players), tie.places) == (4, 1)
    tournament = pair_rounds(commands.insert_play_off(tournament, key="p", stage=StageId("b")), times=2)
    assert list_ranks(tournament, 2) == [1, 2, 2, 4, 4, 6]  # after its first round
    assert (list_numbers_by_rank(tournament)[0], list_numbers_by_rank(tournament)[-1]) == (first, last)
    assert list_ranks(tournament) == [1, 2, 3, 4, 4, 6]
    assert map_rank_reasons(list_standings(tournament))[list_standings(tournament)[1].key].code == "play-off"


def test_compute_standings_correction_precedes_a_play_off() -> None:
    tournament = pair_rounds(commands.insert_play_off(build_four_equals(), key="p", stage=StageId("b")), times=2)
    assert (list_numbers_by_rank(tournament), list_ranks(tournament)) == ([4, 2, 3, 5, 6, 1], [1, 2, 3, 4, 4, 6])
    corrected_tournament = change_score(tournament, 5, 2, 410, 400)
    assert (list_numbers_by_rank(corrected_tournament), list_ranks(corrected_tournament)) == (
        [4, 5, 3, 6, 2, 1],
        [1, 2, 3, 4, 5, 6],
    )


def test_compute_standings_later_equal_player_ranks_behind_play_off() -> None:
    tournament = pair_rounds(commands.insert_play_off(build_four_equals(), key="p", stage=StageId("b")), times=2)
    corrected_tournament = change_score(tournament, 4, 1, 400, 400)
    assert (list_numbers_by_rank(corrected_tournament), list_ranks(corrected_tournament)) == (
        [2, 3, 5, 6, 1, 4],
        [1, 2, 3, 3, 5, 5],
    )


def change_score(
    tournament: Tournament, first_number: int, second_number: int, first: int, second: int
) -> Tournament:
    """Change the result of two players in the first round."""
    index = TournamentIndex(tournament)
    pair = index.get_player(DIVISION, first_number).id, index.get_player(DIVISION, second_number).id
    (game,) = (game for game in index.games(index.get_round(DIVISION, 1).id) if (game.first, game.second) == pair)
    return commands.enter_result(tournament, game=game.id, first=first, second=second)


# --- random events


@pytest.mark.parametrize("seed", range(20))
def test_propose_pairings_in_a_sequence_of_all_stage_kinds(seed: int) -> None:
    """In each round eliminated players do not play, and equal players share a rank."""
    rng = Random(seed)
    tournament = plan_event(rng.randint(9, 14), *choose_random_plan(rng))
    assert TournamentIndex(tournament).count_planned_rounds(DIVISION) > 0
    while len(TournamentIndex(tournament).list_published_rounds(DIVISION)) < TournamentIndex(
        tournament
    ).count_planned_rounds(DIVISION):
        before = list_standings(tournament)
        next_stage = TournamentIndex(tournament).find_stage(
            DIVISION, len(TournamentIndex(tournament).list_published_rounds(DIVISION)) + 1
        )
        assert next_stage is not None
        qualified = {*list_stage_players_in_pairing_order(TournamentIndex(tournament), next_stage)}
        check_cut(tournament, next_stage, qualified, before)
        try:
            tournament = play_round(tournament, lambda _game: (rng.randint(300, 500), rng.randint(300, 299 + 202)))
        except CommandError as error:
            assert error.code in {"tie-undecided", "knockout-decided", "round-robin-complete"}  # noqa: PT017
            return
        assert list_round_players(tournament) <= qualified
        check_standings(tournament, qualified, before)
        if rng.random() < 0.15:
            player = rng.choice(list(tournament.players.values()))
            if not TournamentIndex(tournament).has_withdrawn(player.id):
                number = len(TournamentIndex(tournament).list_published_rounds(DIVISION)) + 1
                key = f"w{number}"
                tournament = commands.withdraw_player(tournament, key=key, player=player.id, from_round=number)


def choose_random_plan(rng: Random) -> list[tuple[str, int, dict[str, Any]]]:
    groups = {"settings": PairingSettings(groups=rng.choice([2, 3]))}
    first: list[tuple[str, int, dict[str, Any]]] = [
        rng.choice([("round-robin", 3, groups), ("swiss", 2, {}), ("snake-groups", 2, {})])
    ]
    systems = ["swiss", "king-of-the-hill", "factor", "quartiles", "australian", "random", "round-robin"]
    fields: dict[str, Any] = {"cut": rng.choice([None, 6, 8]), "carry": rng.random() < 0.5}
    return [*first, (rng.choice(systems), 2, fields), ("knockout", 2, {"cut": 4, "carry": rng.random() < 0.5})]


def check_cut(
    tournament: Tournament, next_stage: Stage, qualified: set[PlayerId], before: tuple[Standing, ...]
) -> None:
    """Check that eliminated players of a group rank below qualified players."""
    index = TournamentIndex(tournament)
    first = index.get_first_round_number(next_stage.id)
    if next_stage.cut is None or first != len(index.list_published_rounds(DIVISION)) + 1:
        return
    active_rows = [row for row in before if not row.out and not index.has_withdrawn_by_round(row.player.id, first)]
    assert len(qualified) == min(next_stage.cut, len(active_rows))
    groups = {row.group for row in active_rows}
    for group in groups:
        line = [row for row in active_rows if row.group == group]
        qualified_line = [row.rank for row in line if row.player.id in qualified]
        other_ranks = [row.rank for row in line if row.player.id not in qualified]
        assert len(qualified_line) >= min(len(line), next_stage.cut // len(groups))
        assert max(qualified_line, default=0) <= min(other_ranks, default=len(before))


def check_standings(tournament: Tournament, qualified: set[PlayerId], before: tuple[Standing, ...]) -> None:
    rows = list_standings(tournament)
    assert {row.player.id for row in rows} == {*tournament.players}
    ranks = [row.rank for row in rows]
    assert ranks == [1 + sum(other_rank < rank for other_rank in ranks) for rank in ranks]
    playing = [row.player.id in qualified for row in rows]
    assert playing == sorted(playing, reverse=True)
    eliminated_players = [row.player.id for row in rows if row.player.id not in qualified]
    assert eliminated_players == [row.player.id for row in before if row.player.id not in qualified]
