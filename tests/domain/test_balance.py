"""Tests of the balance table: starts, repeats, byes and their unevenness."""

from __future__ import annotations

from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind
from tdapp.domain.tables.statistics import (
    StartsAndByesRow,
    compute_imbalance_in_column,
    make_starts_and_byes_table,
)
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, get_player, make_event, pair_rounds


def map_balance_rows(t: Tournament, after: int | None = None) -> dict[int, StartsAndByesRow]:
    index = TournamentIndex(t)
    return {
        row.standing.player.number: row
        for row in make_starts_and_byes_table(index, index.tournament.divisions[DIVISION], after).rows
    }


def test_make_balance_table_starts_replies_and_byes_add_up() -> None:
    rows_by_number = map_balance_rows(pair_rounds(make_event(7), times=4))
    assert (
        sum(row.starts for row in rows_by_number.values())
        == sum(row.replies for row in rows_by_number.values())
        == 12
    )
    assert sum(row.byes for row in rows_by_number.values()) == 4
    assert all(row.balance == row.starts - row.replies for row in rows_by_number.values())
    assert (ranks := [row.standing.rank for row in rows_by_number.values()]) == sorted(ranks)


def test_make_balance_table_counts_repeats_and_runs() -> None:
    t = pair_rounds(make_event(2, rounds=3), times=3)
    rows_by_number = map_balance_rows(t)
    assert [row.repeats for row in rows_by_number.values()] == [2, 2]
    assert {row.in_a_row for row in rows_by_number.values()} == {1, -1}
    starts = {number: row.in_a_row for number, row in map_balance_rows(t, 1).items()}
    assert sorted(starts.values()) == [-1, 1]


def test_make_balance_table_separates_absences_from_byes() -> None:
    t = make_event(8)
    t = commands.set_absence(t, key="a", player=get_player(t, 3).id, first_round=1, kind=ByeKind.REQUESTED)
    rows_by_number = map_balance_rows(pair_rounds(t))
    assert (rows_by_number[3].byes, rows_by_number[3].absences, rows_by_number[3].in_a_row) == (0, 1, 0)
    assert sum(row.byes for row in rows_by_number.values()) == 1


def test_compute_unevenness_grows_with_the_imbalance() -> None:
    row = next(iter(map_balance_rows(make_event(2)).values()))
    row = replace(row, starts=4, replies=1, balance=3, in_a_row=-2, repeats=1, byes=0, absences=9)
    heats = [
        compute_imbalance_in_column(row, name)
        for name in ("name", "start_balance", "in_a_row", "repeats", "byes", "absences")
    ]
    assert heats[0] == heats[4] == 0
    assert heats[1] == heats[5] == 1
    assert 0 < heats[2] < 1
    assert 0 < heats[3] < 1
