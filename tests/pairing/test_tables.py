"""Tests of table numbers: locked, own, accessible and kept tables come first."""

from __future__ import annotations

from msgspec.structs import replace

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, TableGroup, TableGroupId
from tdapp.pairing.proposing import propose_pairings
from tdapp.pairing.system import TableWishesForGame, assign_tables, has_unmet_access_need
from tests.pairing.random_states import A, make_tournament, publish_proposal

HALL = TableGroup(TableGroupId("h"), DivisionId("a"), "Hall", 1, 3)
STAGE = TableGroup(TableGroupId("s"), DivisionId("a"), "Stage", 11, 12, accessible=True)


def test_assign_tables_locked_precede_own_and_kept() -> None:
    wishes = [
        TableWishesForGame(last_tables=(2,)),
        TableWishesForGame(fixed_tables=(2,)),
        TableWishesForGame(director_table=1),
        TableWishesForGame(last_tables=(4, 3)),
    ]
    assert assign_tables(wishes, 1) == (3, 2, 1, 4)


def test_assign_tables_by_room_with_accessible_last() -> None:
    assert assign_tables([TableWishesForGame()] * 6, 1, (STAGE, HALL)) == (1, 2, 3, 11, 12, 13)


def test_assign_tables_gives_an_accessible_table() -> None:
    wishes = [
        TableWishesForGame(),
        TableWishesForGame(needs_access=True),
        TableWishesForGame(),
        TableWishesForGame(needs_access=True),
    ]
    assert assign_tables(wishes, 1, (HALL, STAGE)) == (1, 11, 2, 12)
    assert not has_unmet_access_need(wishes, (1, 11, 2, 12), (HALL, STAGE))


def test_lacks_accessible_table_reports_missing_tables() -> None:
    wishes = [TableWishesForGame(needs_access=True)] * 3
    tables = assign_tables(wishes, 1, (HALL, STAGE))
    assert tables == (11, 12, 1)
    assert has_unmet_access_need(wishes, tables, (HALL, STAGE))
    assert not has_unmet_access_need(wishes, tables, (HALL,))


def test_propose_pairings_keeps_tables_within_a_session() -> None:
    tournament = make_tournament(8)
    after_round_1 = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A))
    division = replace(after_round_1.divisions[A], keep_tables=True)
    proposal = propose_pairings(TournamentIndex(after_round_1.put(division)), A, source_round=0)
    tables = {player: game.table for game in after_round_1.games.values() for player in (game.first, game.second)}
    assert all(game.table in {tables[game.first], tables[game.second]} for game in proposal.games)
    proposal_of_new_session = propose_pairings(
        TournamentIndex(after_round_1.put(replace(division, sessions=(2,)))), A, source_round=0
    )
    assert (
        proposal_of_new_session.games == propose_pairings(TournamentIndex(after_round_1), A, source_round=0).games
    )


def test_propose_pairings_keeps_the_table_of_the_previous_round() -> None:
    tournament = make_tournament(8)
    for number in (1, 2, 3):
        tournament = publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A, source_round=0))
        moved_games = [
            replace(game, table=game.table + 10 * number) for game in tournament.games.values() if game.table < 10
        ]
        tournament = tournament.put(*moved_games)
    proposal = propose_pairings(
        TournamentIndex(tournament.put(replace(tournament.divisions[A], keep_tables=True))), A, source_round=0
    )
    tables = [game.table for game in proposal.games]
    assert len({table for table in tables if 31 <= table <= 34}) >= 2
    assert not [table for table in tables if 11 <= table <= 24]


def test_propose_pairings_reports_an_unserved_access_need() -> None:
    tournament = make_tournament(8)
    needing = [replace(player, needs_access=True) for player in tournament.players.values()]
    proposal = propose_pairings(TournamentIndex(tournament.put(*needing, replace(STAGE, division=A))), A)
    assert [game.table for game in proposal.games] == [11, 12, 13, 14]
    assert "no-accessible-table" in proposal.relaxed


def test_propose_pairings_reports_a_taken_fixed_table() -> None:
    tournament = make_tournament(8)
    first, *_, last = tournament.players.values()
    for tables, is_taken in (((7, 8), False), ((7, 7), True)):
        players = [replace(row, fixed_table=table) for row, table in zip((first, last), tables, strict=True)]
        proposal = propose_pairings(TournamentIndex(tournament.put(*players)), A)
        play_each_other = any({game.first, game.second} == {first.id, last.id} for game in proposal.games)
        assert not play_each_other
        assert ("fixed-table-taken" in proposal.relaxed) is is_taken
