"""Tests of team matches at boards: pairings, line-ups, match points and team standings."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import SanctionId
from tdapp.domain.model import Absence, AbsenceId, ByeKind, Game, PlayerId, StageId
from tdapp.domain.problems import find_division_problems
from tdapp.domain.ruleset import MatchPoints
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables.standings import list_boards_of_team_match, make_team_match_table, make_team_table
from tdapp.domain.teams import list_team_line_ups
from tdapp.domain.tournament import Tournament, find_inconsistent_rows
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import make_team_matches_text_table
from tdapp.pairing import propose_pairings
from tdapp.pairing.commands import list_unpaired_players
from tdapp.scrabble.sheet import SanctionKind
from tests.building import DIVISION, RESOURCES, get_last_round, make_event

STAGE = StageId("s")


def make_league(
    teams: int, members: int, *, boards: int, system: str = "team-round-robin", rounds: int
) -> Tournament:
    """Return teams T1, T2, ... with players in order of strength. Player 1 is at board 1 of T1, player 2 of T2."""
    value = make_event(teams * members, system=system, rounds=rounds)
    value = value.put(
        *(replace(player, team=f"T{(player.number - 1) % teams + 1}") for player in value.players.values())
    )
    stage = value.stages[STAGE]
    return value.put(replace(stage, settings=replace(stage.settings, boards=boards)))


def pair_round(value: Tournament) -> Tournament:
    proposal = propose_pairings(TournamentIndex(value), DIVISION)
    return commands.pair_round(value, key=f"r{proposal.number}", proposal=proposal)


def enter_round_results(value: Tournament) -> Tournament:
    """Enter results of the round. The team with the lower name wins by ten points at each board."""
    for game in TournamentIndex(value).games(get_last_round(value).id):
        first, second = (
            (400, 390) if value.players[game.first].team < value.players[game.second].team else (390, 400)
        )
        value = commands.enter_result(value, game=game.id, first=first, second=second)
    return value


def group_by_match(value: Tournament) -> dict[frozenset[str], list[Game]]:
    games_by_match: dict[frozenset[str], list[Game]] = defaultdict(list)
    for game in TournamentIndex(value).games(get_last_round(value).id):
        games_by_match[frozenset(value.players[player].team for player in (game.first, game.second))].append(game)
    return games_by_match


def find_board(value: Tournament, player: PlayerId) -> int:
    line_up = list_team_line_ups(TournamentIndex(value), value.stages[STAGE], get_last_round(value).number)
    return line_up[value.players[player].team.casefold()].index(player) + 1


def play_example() -> Tournament:
    """Return a match of two teams of four with 400-380, 350-350, 300-420 and 410-400 for T1."""
    value = pair_round(make_league(2, 4, boards=4, rounds=1))
    points = {1: (400, 380), 2: (350, 350), 3: (300, 420), 4: (410, 400)}
    for game in TournamentIndex(value).games(get_last_round(value).id):
        points_of_first_team, points_of_second_team = points[find_board(value, game.first)]
        first, second = (
            (points_of_first_team, points_of_second_team)
            if value.players[game.first].team == "T1"
            else (points_of_second_team, points_of_first_team)
        )
        assert (
            make_team_match_table(TournamentIndex(value), TournamentIndex(value).get_division(None))
            .rows[0]
            .first_points
            is None
        )
        value = commands.enter_result(value, game=game.id, first=first, second=second)
    return value


def test_make_team_match_table_of_four_boards() -> None:
    index = TournamentIndex(play_example())
    rows_by_team = {row.team: row for row in make_team_table(index, index.get_division(None)).rows}
    half = Fraction(1, 2)
    rows = rows_by_team["T1"], rows_by_team["T2"]
    assert [row.match_points for row in rows] == [2, 0]
    assert [row.wins for row in rows] == [2 + half, 1 + half]
    assert [row.spread for row in rows] == [-90, 90]
    assert [rows_by_team["T1"].rank, rows_by_team["T1"].matches] == [1, 1]
    (match,) = make_team_match_table(index, index.get_division(None)).rows
    boards = {match.first_team: match.first_boards, match.second_team: match.second_boards}
    assert boards == {"T1": 2 + half, "T2": 1 + half}
    assert {match.first_points, match.second_points} == {2, 0}
    assert match.tables == (1, 2, 3, 4)


@pytest.mark.parametrize(("teams", "members", "boards"), [(4, 4, 4), (5, 3, 3), (6, 5, 4)])
def test_team_round_robin_at_equal_boards_and_adjacent_tables(teams: int, members: int, boards: int) -> None:
    rounds = teams + teams % 2 - 1
    value = make_league(teams, members, boards=boards, rounds=rounds + 1)
    meetings: list[frozenset[str]] = []
    for _ in range(rounds):
        value = pair_round(value)
        assert find_inconsistent_rows(value) == ()
        matches = group_by_match(value)
        meetings += matches
        for games in matches.values():
            assert all(find_board(value, game.first) == find_board(value, game.second) for game in games)
            assert [find_board(value, game.first) for game in games] == list(range(1, boards + 1))
            assert [game.table for game in games] == list(range(games[0].table, games[0].table + boards))
        assert list_unpaired_players(TournamentIndex(value), get_last_round(value)) == ()
        value = enter_round_results(value)
    names = [f"T{number}" for number in range(1, teams + 1)]
    assert sorted(map(sorted, meetings)) == sorted(map(sorted, combinations(names, 2)))
    with pytest.raises(CommandError, match="round-robin-complete") as refusal:
        pair_round(value)
    assert refusal.value.facts["rounds"] == rounds
    assert "team-rounds-short" not in {
        problem.code
        for problem in find_division_problems(TournamentIndex(value), TournamentIndex(value).get_division(None))
    }


def test_team_match_boards_move_up_and_the_last_is_forfeited() -> None:
    value = make_league(2, 4, boards=4, rounds=1)
    absent_player = PlayerId("p1")  # board 1 of T1
    value = value.put(Absence(AbsenceId("a"), absent_player, 1, 1, ByeKind.ABSENT))
    value = pair_round(value)
    index = TournamentIndex(value)
    games = index.games(get_last_round(value).id)
    assert [{value.players[player].number for player in (game.first, game.second)} for game in games] == [
        {3, 2}, {5, 4}, {7, 6},
    ]  # fmt: skip
    byes = {value.players[bye.player].number: bye for bye in index.byes(get_last_round(value).id)}
    assert {number: bye.kind for number, bye in byes.items()} == {8: ByeKind.BYE, 1: ByeKind.ABSENT}
    assert byes[8].reason is not None
    assert byes[8].reason.code == "bye-board"
    for game in games:
        is_first_team = value.players[game.first].team == "T1"
        value = commands.enter_result(
            value, game=game.id, first=400 if is_first_team else 380, second=380 if is_first_team else 400
        )
    index = TournamentIndex(value)
    (match,) = make_team_match_table(index, index.get_division(None)).rows
    boards = {match.first_team: match.first_boards, match.second_team: match.second_boards}
    assert boards == {"T1": 3, "T2": 1}


def test_team_match_reserves_replace_absent_players() -> None:
    value = make_league(2, 5, boards=4, rounds=1)
    expected_players = {PlayerId(f"p{number}") for number in range(1, 9)}
    paired = pair_round(value)
    assert (
        TournamentIndex(paired).find_players_with_game_bye_or_seat(get_last_round(paired).id) == expected_players
    )
    codes = {
        problem.code
        for problem in find_division_problems(TournamentIndex(paired), TournamentIndex(paired).get_division(None))
    }
    assert not codes & {"player-unseated", "players-unseated"}
    with_absence = pair_round(value.put(Absence(AbsenceId("a"), PlayerId("p3"), 1, 1, None)))
    assert TournamentIndex(with_absence).find_players_with_game_bye_or_seat(
        get_last_round(with_absence).id
    ) == expected_players - {PlayerId("p3")} | {PlayerId("p9")}


def test_team_swiss_pairs_by_match_points_without_repeats() -> None:
    value = make_league(8, 4, boards=4, system="team-swiss", rounds=3)
    meetings: set[frozenset[str]] = set()
    scores: dict[str, Fraction] = {}
    for _ in range(3):
        value = pair_round(value)
        matches = group_by_match(value)
        assert [len(games) for games in matches.values()] == [4] * 4
        assert not meetings & matches.keys()
        meetings |= matches.keys()
        if scores:
            gaps = [
                abs(scores[first_team] - scores[second_team]) for first_team, second_team in map(sorted, matches)
            ]
            assert max(gaps) <= 2
        for games in matches.values():
            assert [game.table for game in games] == list(range(games[0].table, games[0].table + 4))
        value = enter_round_results(value)
        index = TournamentIndex(value)
        scores = {row.team: row.match_points for row in make_team_table(index, index.get_division(None)).rows}
    assert sum(scores.values()) == 3 * 4 * 2
    assert scores["T1"] == 6


def test_team_swiss_odd_team_has_one_bye_with_match_points() -> None:
    value = make_league(5, 2, boards=2, system="team-swiss", rounds=3)
    bye_teams: list[str] = []
    for _ in range(3):
        value = pair_round(value)
        byes = {value.players[bye.player].team for bye in TournamentIndex(value).byes(get_last_round(value).id)}
        assert len(byes) == 1
        bye_teams += byes
        value = enter_round_results(value)
    assert len(set(bye_teams)) == 3
    index = TournamentIndex(value)
    rows = make_team_table(index, index.get_division(None)).rows
    assert sum(row.match_points for row in rows) == 3 * 3 * 2


def test_list_match_boards_has_the_first_team_first() -> None:
    value = play_example()
    index = TournamentIndex(value)
    division = index.get_division(None)
    (match,) = make_team_match_table(index, division).rows
    boards = list_boards_of_team_match(index, division, match)
    assert [board.table for board in boards] == [1, 2, 3, 4]
    teams = {player.name: player.team for player in value.players.values()}
    assert {(teams[board.first], teams[board.second]) for board in boards} == {
        (match.first_team, match.second_team)
    }
    scores = [(board.score1, board.score2, board.spread) for board in boards]
    if match.first_team == "T2":
        scores = [(second_score, first_score, -spread) for first_score, second_score, spread in scores]
    assert scores == [(400, 380, 20), (350, 350, 0), (300, 420, -120), (410, 400, 10)]


def test_list_match_boards_names_a_player_without_an_opponent() -> None:
    value = make_league(2, 2, boards=2, rounds=1)
    value = value.put(Absence(AbsenceId("a"), PlayerId("p1"), 1, 1, ByeKind.ABSENT))
    index = TournamentIndex(enter_round_results(pair_round(value)))
    (match,) = make_team_match_table(index, index.get_division(None)).rows
    boards = list_boards_of_team_match(index, index.get_division(None), match)
    player_name = value.players[PlayerId("p4")].name
    assert [(board.table is None, player_name in {board.first, board.second}) for board in boards] == [
        (False, False), (True, True),
    ]  # fmt: skip
    assert boards[1].bye == "bye"


def test_list_team_matches_shows_the_points_of_a_bye() -> None:
    index = TournamentIndex(enter_round_results(pair_round(make_league(3, 2, boards=2, rounds=3))))
    rows = make_team_matches_text_table(
        Catalogue("en", RESOURCES / "locale"), index, index.get_division(None), 1
    ).list_rows()
    assert [row[4:6] for row in rows if row[3] == "bye"] == [("2", "2")]


def test_list_team_matches_prints_a_match_above_its_boards() -> None:
    index = TournamentIndex(play_example())
    listing = make_team_matches_text_table(
        Catalogue("en", RESOURCES / "locale"), index, index.get_division(None), 1
    )
    first, *boards = listing.list_rows()
    sides = {first[2]: 0, first[3]: 1}
    points, total = (text.split(" – ") for text in (first[4], first[5]))
    assert (points[sides["T1"]], points[sides["T2"]]) == ("2½", "1½")
    assert (total[sides["T1"]], total[sides["T2"]]) == ("2", "0")
    assert first[6] == ("−90", "+90")[sides["T1"]]
    assert [row[1] for row in boards] == ["1", "2", "3", "4"]
    assert {row[0] for row in boards} == {""}
    assert listing.columns[0].winners == {0}


def test_make_team_table_uses_match_points_of_the_rules() -> None:
    value = enter_round_results(pair_round(make_league(2, 2, boards=2, rounds=1)))
    (rules,) = value.rules.values()
    points = MatchPoints(Fraction(3), Fraction(1), Fraction(1, 2))
    value = value.put(replace(rules, ruleset=replace(rules.ruleset, team_match=points)))
    index = TournamentIndex(value)
    assert [(row.team, row.match_points) for row in make_team_table(index, index.get_division(None)).rows] == [
        ("T1", 3), ("T2", Fraction(1, 2)),
    ]  # fmt: skip


def test_add_sanction_deducts_team_points_from_its_round() -> None:
    value = enter_round_results(pair_round(make_league(2, 2, boards=2, rounds=2)))
    value = commands.add_sanction(
        value, key="x", player=PlayerId("p1"), kind=SanctionKind.TEAM, points=1, why="did not turn up"
    )
    index = TournamentIndex(value)
    division = index.get_division(None)
    before = compute_standings(
        TournamentIndex(commands.remove_sanction(value, sanction=SanctionId("x"))), division
    )
    rows = make_team_table(index, division).rows
    assert [(row.team, int(row.match_points), row.penalty) for row in rows] == [("T1", 1, 1), ("T2", 0, 0)]
    assert "team_penalty" in {column.id for column in make_team_table(index, division).columns}
    assert [(row.player.id, row.points, row.spread) for row in compute_standings(index, division)] == [
        (row.player.id, row.points, row.spread) for row in before
    ]
    with pytest.raises(CommandError, match="sanction-points"):
        commands.add_sanction(value, key="y", player=PlayerId("p1"), kind=SanctionKind.TEAM, points=0, why="late")


def test_team_round_robin_without_boards_has_no_matches() -> None:
    value = enter_round_results(pair_round(make_league(4, 2, boards=0, rounds=6)))
    index = TournamentIndex(value)
    assert make_team_match_table(index, index.get_division(None)).rows == ()
    assert "team_points" not in {column.id for column in make_team_table(index, index.get_division(None)).columns}


def test_edit_stage_limits_boards() -> None:
    value = make_league(2, 2, boards=2, rounds=1)
    settings = replace(value.stages[STAGE].settings, boards=101)
    with pytest.raises(CommandError, match="number-out-of-range"):
        commands.edit_stage(value, stage=STAGE, settings=settings)
