"""Tests of the problem list for the director."""

from __future__ import annotations

from functools import partial

import pytest

from tdapp.domain import commands
from tdapp.domain.entries import PlayerEntry
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, DivisionId, GameSide, PlayerId
from tdapp.domain.problems import Problem, find_division_problems
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.pairing import propose_pairings
from tdapp.pairing.pairing_checker import check_division_pairings
from tdapp.scrabble.sheet import SanctionKind, parse_sheet
from tests.building import DIVISION, RESOURCES, get_game_at, get_last_round, get_player, make_event, pair_rounds


def map_problems(tournament: Tournament) -> dict[str, Problem]:
    problems = find_division_problems(TournamentIndex(tournament), tournament.divisions[DIVISION])
    return {problem.code: problem for problem in problems}


def test_find_problems_without_players() -> None:
    assert list(map_problems(make_event(0))) == ["no-players-yet"]


def test_find_problems_ignores_an_odd_field_after_the_last_round() -> None:
    assert map_problems(make_event(5))["odd-field"].facts == {"n": 5, "round": 1}
    assert "odd-field" not in map_problems(make_event(4))
    assert "odd-field" not in map_problems(pair_rounds(make_event(5, rounds=1)))


def test_find_problems_lists_missing_results() -> None:
    t = pair_rounds(make_event(4), results=False)
    problem = map_problems(t)["results-out"]
    assert (problem.urgent, problem.page, problem.facts["tables"]) == (True, "rounds", [1, 2])
    t = commands.enter_result(t, game=get_game_at(t, 1).id, first=400, second=300)
    assert map_problems(t)["results-out"].facts["tables"] == [2]


def test_find_problems_lists_a_draft_first() -> None:
    t = make_event(5)
    t = commands.propose_round(t, key="k", proposal=propose_pairings(TournamentIndex(t), DIVISION))
    assert list(map_problems(t)) == ["draft-waits", "odd-field"]


def test_find_problems_draft_with_a_withdrawn_player() -> None:
    t = make_event(5)
    t = commands.propose_round(t, key="k", proposal=propose_pairings(TournamentIndex(t), DIVISION))
    draft, game = get_last_round(t), get_game_at(t, 2)
    (bye,) = TournamentIndex(t).byes(draft.id)
    for player_id in (game.first, bye.player):
        withdrawn = commands.withdraw_player(t, key="w", player=player_id, from_round=1)
        problem = map_problems(withdrawn)["draft-absent"]
        assert (problem.key, problem.urgent, problem.facts["players"]) == (
            draft.id,
            True,
            t.players[player_id].name,
        )
        with pytest.raises(CommandError, match="draft-absent"):
            commands.publish_round(withdrawn, round=draft.id)
        new_draft = commands.propose_round(
            withdrawn, key="l", proposal=propose_pairings(TournamentIndex(withdrawn), DIVISION)
        )
        assert "draft-absent" not in map_problems(commands.publish_round(new_draft, round=draft.id))


@pytest.mark.parametrize("players", [6, 7])
def test_find_problems_ignores_an_earlier_granted_bye(players: int) -> None:
    t = make_event(players)
    t = commands.set_absence(t, key="a", player=PlayerId("p3"), first_round=1, kind=ByeKind.BYE)
    t = commands.propose_round(t, key="k", proposal=propose_pairings(TournamentIndex(t), DIVISION))
    assert "draft-absent" not in map_problems(t)
    t = commands.publish_round(t, round=get_last_round(t).id)
    index = TournamentIndex(t)
    assert PlayerId("p3") in {bye.player for bye in index.byes(get_last_round(t).id)}
    assert PlayerId("p3") not in {bye.player for bye in index.list_byes_for_lack_of_opponent(get_last_round(t).id)}
    assert len(index.list_byes_for_lack_of_opponent(get_last_round(t).id)) == (players - 1) % 2
    assert check_division_pairings(t, t.divisions[DIVISION]).findings == ()


def test_find_problems_draft_with_a_forbidden_pair() -> None:
    t = make_event(6)
    t = commands.propose_round(t, key="k", proposal=propose_pairings(TournamentIndex(t), DIVISION))
    draft, game = get_last_round(t), get_game_at(t, 3)
    constraint = commands.keep_apart(t, key="c", player=game.first, other=game.second)
    assert "draft-forbidden" not in map_problems(constraint)
    t = commands.forbid_pairing(t, key="c", player=game.second, other=game.first)
    assert map_problems(t)["draft-forbidden"].facts["table"] == 3
    with pytest.raises(CommandError, match="draft-forbidden"):
        commands.publish_round(t, round=draft.id)
    new_draft = commands.propose_round(t, key="l", proposal=propose_pairings(TournamentIndex(t), DIVISION))
    assert "draft-forbidden" not in map_problems(commands.publish_round(new_draft, round=draft.id))


@pytest.mark.parametrize(
    ("system", "code"), [("knockout", "bracket-forbidden"), ("round-robin", "schedule-forbidden")]
)
def test_find_problems_prescribed_systems_ignore_forbidden_pairs(system: str, code: str) -> None:
    t = commands.forbid_pairing(make_event(4, system=system), key="c", player=PlayerId("p1"), other=PlayerId("p4"))
    t = commands.propose_round(t, key="k", proposal=propose_pairings(TournamentIndex(t), DIVISION))
    t = commands.publish_round(t, round=get_last_round(t).id)
    game = get_game_at(t, 1)
    assert {game.first, game.second} == {"p1", "p4"}
    problem = map_problems(t)[code]
    assert (problem.key, problem.urgent) == (game.id, False)
    finished = commands.enter_result(t, game=game.id, first=400, second=300)
    assert code not in map_problems(finished)
    assert check_division_pairings(t, t.divisions[DIVISION]).findings == ()


def test_find_problems_lists_an_unseated_player() -> None:
    t = commands.add_player(pair_rounds(make_event(4), results=False), key="late", division=DIVISION, name="Late")
    problem = map_problems(t)["player-unseated"]
    assert (problem.page, problem.key) == ("players", get_player(t, 5).id)
    odd_event = commands.add_player(
        pair_rounds(make_event(5), results=False), key="late", division=DIVISION, name="Late"
    )
    assert map_problems(odd_event)["player-unseated"].page == "rounds", (
        "the problem does not lead to the player with the bye"
    )
    absent = commands.set_absence(t, key="a", player=get_player(t, 5).id, first_round=1)
    assert "player-unseated" not in map_problems(absent)


def test_find_problems_finished_round_has_no_missing_seats() -> None:
    two_divisions = commands.add_division(pair_rounds(make_event(4), results=False), key="e", code="B")
    names = ("One", "Two", "Three")
    entries = tuple(PlayerEntry(None, name) for name in names)
    merged_tournament = commands.merge_division(
        commands.import_players(two_divisions, key="k", division=DivisionId("e"), entries=entries),
        division=DivisionId("e"), into=DIVISION,
    )  # fmt: skip
    problem = map_problems(merged_tournament)["players-unseated"]
    assert dict(problem.facts) == {"players": "One; Two; Three", "n": 3, "round": 1}
    assert "player-unseated" not in map_problems(merged_tournament)
    for table in (1, 2):
        merged_tournament = commands.enter_result(
            merged_tournament, game=get_game_at(merged_tournament, table).id, first=400, second=300
        )
    assert not {"player-unseated", "players-unseated"} & {*map_problems(merged_tournament)}


def test_find_problems_lists_unchecked_results_with_a_jury() -> None:
    t = pair_rounds(make_event(8, rounds=2))
    assert "results-unchecked" not in map_problems(t)
    started_check = commands.check_result(t, game=get_game_at(t, 1).id)
    problem = map_problems(started_check)["results-unchecked"]
    assert (problem.urgent, problem.page, problem.key, dict(problem.facts)) == (
        False,
        "jury",
        get_game_at(t, 2).round,
        {"n": 3},
    )
    strict_tournament = commands.set_check_first(started_check, check_first=True)
    urgent_problem = map_problems(strict_tournament)["checks-wanted"]
    assert (urgent_problem.urgent, dict(urgent_problem.facts)) == (True, {"n": 3, "round": 2})
    last = commands.set_check_first(pair_rounds(started_check), check_first=True)
    assert list(map_problems(last)) == ["results-unchecked"]


def test_find_problems_lists_a_sheet_that_differs_from_the_slip() -> None:
    t = pair_rounds(make_event(4), results=False)
    game = get_game_at(t, 1)
    turns = [{"player": 1, "kind": "play", "score": 300}, {"player": 2, "kind": "play", "score": 310}]
    sheet = parse_sheet({"players": ["", ""], "turns": turns, "rack_values": [4, 0], "ended": "out"})
    tiles = read_tilesets(RESOURCES / "tilesets")["nl"]
    t = commands.enter_sheet(t, game=game.id, sheet=sheet, tileset=tiles)
    assert "sheet-differs" not in map_problems(t)
    same_result = commands.enter_result(t, game=game.id, first=296, second=314)
    assert "sheet-differs" not in map_problems(same_result)
    slip = commands.enter_result(t, game=game.id, first=296, second=341)
    problem = map_problems(slip)["sheet-differs"]
    assert (problem.page, problem.key, dict(problem.facts)) == ("jury", game.id, {"round": 1, "table": 1})
    assert "sheet-differs" in map_problems(commands.enter_result(t, game=game.id, forfeit=GameSide.FIRST))
    add_fine = partial(
        commands.add_sanction, key="x", player=game.first, why="noise", kind=SanctionKind.POINTS, points=5
    )
    assert "sheet-differs" not in map_problems(add_fine(same_result))
    assert "sheet-differs" in map_problems(add_fine(slip))
    sheet_again = commands.enter_sheet(slip, game=game.id, sheet=sheet, tileset=tiles)
    assert "sheet-differs" not in map_problems(sheet_again)


def test_find_problems_lists_a_third_start_in_a_row() -> None:
    t = make_event(4, rounds=3)
    for number in range(1, 4):
        t = pair_rounds(t, results=False)
        for game in TournamentIndex(t).games(get_last_round(t).id):
            lower_number = min(game.first, game.second, key=lambda player_id: t.players[player_id].number)
            t = commands.set_starter(t, game=game.id, player=lower_number)
        for game in TournamentIndex(t).games(get_last_round(t).id):
            enter_results = partial(commands.enter_result, game=game.id, first=400 + number, second=300)
            t = enter_results(t)
    assert map_problems(t)["starts-in-a-row"].facts["player"] == "P1"
    assert map_problems(t)["replies-in-a-row"].facts["player"] == "P4"


def test_find_problems_lists_shared_tables_once() -> None:
    t = commands.add_division(make_event(8), key="b", code="B", first_table=4)
    facts = [
        problem.facts
        for code in ("d", "b")
        for problem in find_division_problems(TournamentIndex(t), t.divisions[DivisionId(code)])
        if problem.code == "tables-overlap"
    ]
    assert facts == [{"division": "A", "other": "B", "tables": [4], "n": 1}]
    assert "tables-overlap" not in map_problems(commands.edit_division(t, division=DivisionId("b"), first_table=5))


def test_add_division_starts_above_all_tables_in_use() -> None:
    t = make_event(0)
    for number in range(202):
        t = commands.add_player(t, key=f"n{number}", division=DIVISION, name=f"N {number}")
    t = commands.add_division(t, key="b", code="B")
    t = commands.add_table_group(t, key="g", division=DivisionId("b"), name="Hall", first=310, last=320)
    t = commands.add_division(t, key="c", code="C")
    assert [item.first_table for item in TournamentIndex(t).divisions] == [1, 201, 401]
    assert "tables-overlap" not in map_problems(t)
