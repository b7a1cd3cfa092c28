"""Tests of the tables for screen, paper and JSON."""

from __future__ import annotations

from fractions import Fraction

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import Step
from tdapp.domain.model import ByeKind, DivisionId, GameSide
from tdapp.domain.tables import history, players, rounds, standings
from tests.building import DIVISION, get_game_at, get_last_round, get_player, make_event, pair_rounds


def test_make_pairing_table_shows_scores_spread_and_status() -> None:
    t = pair_rounds(make_event(4), results=False)
    t = commands.enter_result(t, game=get_game_at(t, 1).id, first=412, second=388)
    t = commands.enter_result(t, game=get_game_at(t, 2).id, forfeit=GameSide.FIRST)
    first, second = rounds.make_pairing_table(TournamentIndex(t), get_last_round(t)).rows
    assert (first.score1, first.score2, first.spread, first.status) == (412, 388, 24, "entered")
    assert (second.score1, second.spread, second.forfeit) == (None, -50, GameSide.FIRST)


def test_make_pairing_table_counts_earlier_meetings() -> None:
    t = pair_rounds(make_event(2, rounds=3), times=3)
    repeats = [
        rounds.make_pairing_table(TournamentIndex(t), item).rows[0].repeat
        for item in TournamentIndex(t).list_published_rounds(DIVISION)
    ]
    assert repeats == [0, 1, 2]


def test_make_player_seating_table_gives_each_player_a_seat() -> None:
    t = pair_rounds(make_event(5), results=False)
    rows = rounds.make_player_seating_table(TournamentIndex(t), get_last_round(t)).rows
    assert {row.name for row in rows} == {"P1", "P2", "P3", "P4", "P5"}
    assert [row.bye for row in rows if row.table is None] == ["bye"]
    assert sum(bool(row.starts) for row in rows) == 2


def test_make_bye_table_shows_points_and_spread() -> None:
    t = make_event(4)
    t = commands.set_absence(t, key="a", player=get_player(t, 4).id, first_round=1, kind=ByeKind.REQUESTED)
    t = pair_rounds(t)
    rows = {row.name: row for row in rounds.make_bye_table(TournamentIndex(t), get_last_round(t)).rows}
    assert (rows["P3"].points, rows["P3"].spread) == (Fraction(1), 50)
    assert (rows["P4"].points, rows["P4"].spread) == (Fraction(1, 2), 0)


def test_make_card_table_has_running_sums() -> None:
    t = pair_rounds(make_event(4, rounds=3), times=3)
    rows = players.make_player_card_table(TournamentIndex(t), get_player(t, 1)).rows
    assert [row.total for row in rows] == [1, 2, 3]
    assert rows[-1].total_spread == sum(row.spread for row in rows)
    assert {row.result for row in rows} == {"win"}


def test_make_player_table_status_in_the_coming_round() -> None:
    t = commands.set_absence(make_event(3), key="a", player=get_player(make_event(3), 2).id, first_round=1)
    t = commands.withdraw_player(t, key="w", player=get_player(t, 3).id)
    assert [row.status for row in players.make_player_table(TournamentIndex(t), t.divisions[DIVISION]).rows] == [
        "active",
        "absent",
        "withdrawn",
    ]


def test_player_table_shows_a_withdrawn_player_as_not_present() -> None:
    t = commands.check_in(
        make_event(3), players=(get_player(make_event(3), 2).id, get_player(make_event(3), 3).id)
    )
    t = commands.withdraw_player(t, key="w", player=get_player(t, 3).id)
    table = players.make_player_table(TournamentIndex(t), t.divisions[DIVISION])
    column = next(item for item in table.columns if item.id == "checked_in")
    assert [column.value(row) for row in table.rows] == [False, True, False]
    returned = commands.return_player(t, player=get_player(t, 3).id)
    rows = players.make_player_table(TournamentIndex(returned), t.divisions[DIVISION]).rows
    assert [row.is_checked_in for row in rows] == [False, True, True]


def test_make_standings_table_shows_each_tiebreak_once() -> None:
    t = pair_rounds(make_event(4), times=2)
    ids = [
        column.id for column in standings.make_standings_table(TournamentIndex(t), t.divisions[DIVISION]).columns
    ]
    assert ids[:7] == ["rank", "number", "name", "games", "wins", "losses", "resistance"]
    assert len(ids) == len(set(ids))


def make_step(seq: int, undoes: int | None = None) -> Step:
    return Step(seq=seq, at="", station="", label="edit-event", facts={}, undoes=undoes)


def test_make_history_table_shows_a_redone_step() -> None:
    steps = [make_step(1), make_step(2), make_step(3, undoes=2)]
    assert history.find_undone_step_numbers(steps) == {2}
    assert history.find_undone_step_numbers([*steps, make_step(4, undoes=3)]) == {3}
    assert [row.seq for row in history.make_history_table(steps).rows] == [3, 2, 1]
    assert [row.undone for row in history.make_history_table(steps).rows] == [False, True, False]
    assert [row.is_redo for row in history.make_history_table([*steps, make_step(4, undoes=3)]).rows] == [
        True,
        False,
        False,
        False,
    ]


def test_find_namesake_ignores_case_and_spaces() -> None:
    t = make_event(2)
    t = commands.add_division(t, key="b", code="B")
    t = commands.add_player(t, key="x", division=DivisionId("b"), name="Pietersen, Jan")
    namesake = players.find_namesake(TournamentIndex(t), "  pietersen,  JAN ")
    assert namesake is not None
    assert (namesake.id, namesake.number) == ("x", 1)
    assert players.find_namesake(TournamentIndex(t), "Pietersen, J") is None
