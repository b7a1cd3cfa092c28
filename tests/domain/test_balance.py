"""The balance of starts, repeats and byes as a table, and how warm each cell is."""

from __future__ import annotations

from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind
from tdapp.domain.tables.statistics import BalanceRow, compute_unevenness, make_balance_table
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, event, paired, player


def rows(t: Tournament, after: int | None = None) -> dict[int, BalanceRow]:
    index = Index(t)
    return {
        row.standing.player.number: row
        for row in make_balance_table(index, index.tournament.divisions[DIVISION], after).rows
    }


def test_make_balance_table_starts_replies_and_byes_add_up() -> None:
    found = rows(paired(event(7), times=4))
    assert sum(row.starts for row in found.values()) == sum(row.replies for row in found.values()) == 12
    assert sum(row.byes for row in found.values()) == 4
    assert all(row.balance == row.starts - row.replies for row in found.values())
    assert (ranks := [row.standing.rank for row in found.values()]) == sorted(ranks)


def test_make_balance_table_counts_repeats_and_runs() -> None:
    t = paired(event(2, rounds=3), times=3)
    found = rows(t)
    assert [row.repeats for row in found.values()] == [2, 2]
    assert {row.in_a_row for row in found.values()} == {1, -1}
    starts = {number: row.in_a_row for number, row in rows(t, 1).items()}
    assert sorted(starts.values()) == [-1, 1]


def test_make_balance_table_separates_absences_from_byes() -> None:
    t = event(8)
    t = commands.set_absence(t, key="a", player=player(t, 3).id, first_round=1, kind=ByeKind.REQUESTED)
    found = rows(paired(t))
    assert (found[3].byes, found[3].absences, found[3].in_a_row) == (0, 1, 0)
    assert sum(row.byes for row in found.values()) == 1


def test_compute_unevenness_grows_with_the_imbalance() -> None:
    row = next(iter(rows(event(2)).values()))
    row = replace(row, starts=4, replies=1, balance=3, in_a_row=-2, repeats=1, byes=0, absences=9)
    heats = [
        compute_unevenness(row, name)
        for name in ("name", "start_balance", "in_a_row", "repeats", "byes", "absences")
    ]
    assert heats[0] == heats[4] == 0
    assert heats[1] == heats[5] == 1
    assert 0 < heats[2] < 1
    assert 0 < heats[3] < 1
