"""Tables by priority: locked, own, accessible and kept tables, then in order."""

from __future__ import annotations

from msgspec.structs import replace

from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, TableGroup, TableGroupId
from tdapp.pairing.proposing import propose_pairings
from tdapp.pairing.system import TableWishes, assign_tables, lacks_accessible_table
from tests.pairing.random_states import A, event, published

HALL = TableGroup(TableGroupId("h"), DivisionId("a"), "Hall", 1, 3)
STAGE = TableGroup(TableGroupId("s"), DivisionId("a"), "Stage", 11, 12, accessible=True)


def test_assign_tables_locked_precede_own_and_kept() -> None:
    claims = [
        TableWishes(last_tables=(2,)),
        TableWishes(fixed_tables=(2,)),
        TableWishes(director_table=1),
        TableWishes(last_tables=(4, 3)),
    ]
    assert assign_tables(claims, 1) == (3, 2, 1, 4)


def test_assign_tables_by_room_with_accessible_last() -> None:
    assert assign_tables([TableWishes()] * 6, 1, (STAGE, HALL)) == (1, 2, 3, 11, 12, 13)


def test_assign_tables_gives_an_accessible_table() -> None:
    claims = [
        TableWishes(),
        TableWishes(needs_access=True),
        TableWishes(),
        TableWishes(needs_access=True),
    ]
    assert assign_tables(claims, 1, (HALL, STAGE)) == (1, 11, 2, 12)
    assert not lacks_accessible_table(claims, (1, 11, 2, 12), (HALL, STAGE))


def test_lacks_accessible_table_reports_missing_tables() -> None:
    claims = [TableWishes(needs_access=True)] * 3
    tables = assign_tables(claims, 1, (HALL, STAGE))
    assert tables == (11, 12, 1)
    assert lacks_accessible_table(claims, tables, (HALL, STAGE))
    assert not lacks_accessible_table(claims, tables, (HALL,))


def test_propose_pairings_keeps_tables_within_a_session() -> None:
    start = event(8)
    once = published(start, propose_pairings(Index(start), A))
    division = replace(once.divisions[A], keep_tables=True)
    kept = propose_pairings(Index(once.put(division)), A, source_round=0)
    tables = {player: game.table for game in once.games.values() for player in (game.first, game.second)}
    assert all(game.table in {tables[game.first], tables[game.second]} for game in kept.games)
    fresh = propose_pairings(Index(once.put(replace(division, sessions=(2,)))), A, source_round=0)
    assert fresh.games == propose_pairings(Index(once), A, source_round=0).games


def test_propose_pairings_keeps_the_table_of_the_previous_round() -> None:
    t = event(8)
    for number in (1, 2, 3):
        t = published(t, propose_pairings(Index(t), A, source_round=0))
        moved = [replace(game, table=game.table + 10 * number) for game in t.games.values() if game.table < 10]
        t = t.put(*moved)
    kept = propose_pairings(Index(t.put(replace(t.divisions[A], keep_tables=True))), A, source_round=0)
    tables = [game.table for game in kept.games]
    assert len({table for table in tables if 31 <= table <= 34}) >= 2
    assert not [table for table in tables if 11 <= table <= 24]


def test_propose_pairings_reports_an_unserved_access_need() -> None:
    start = event(8)
    needing = [replace(player, needs_access=True) for player in start.players.values()]
    proposal = propose_pairings(Index(start.put(*needing, replace(STAGE, division=A))), A)
    assert [game.table for game in proposal.games] == [11, 12, 13, 14]
    assert "no-accessible-table" in proposal.relaxed


def test_propose_pairings_reports_a_taken_fixed_table() -> None:
    start = event(8)
    first, *_, last = start.players.values()
    for tables, taken in (((7, 8), False), ((7, 7), True)):
        players = [replace(row, fixed_table=table) for row, table in zip((first, last), tables, strict=True)]
        proposal = propose_pairings(Index(start.put(*players)), A)
        together = any({game.first, game.second} == {first.id, last.id} for game in proposal.games)
        assert not together
        assert ("fixed-table-taken" in proposal.relaxed) is taken
