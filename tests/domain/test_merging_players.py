"""Tests of merging two entries of one person."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import Sanction, SanctionId
from tdapp.domain.model import Absence, AbsenceId, ByeKind, PlayerId, PrizeKind, ResultFromPlayer, SlipId, StageId
from tdapp.domain.records import compute_records
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import PARENTS, Tournament, compute_diff, find_inconsistent_rows
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import SanctionKind
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import DIVISION, make_desk, make_event, pair_rounds
from tests.domain.tournament_lines import build_crosstable

P1, P2, P3 = map(PlayerId, ("p1", "p2", "p3"))

# Three evenings: number 1 "Jansen, Piet" comes to the first two, number 2 "Janssen, Piet" to the third.
EVENINGS = (
    ("1-3 14:10", "4 bye", "2 absent"),
    ("3-1 12:16", "4 bye", "2 absent"),
    ("2-4 18:11", "3 bye", "1 absent"),
)


def build_event_with_two_spellings() -> Tournament:
    value = build_crosstable(EVENINGS, players=4, order=("points",))
    names = {P1: "Jansen, Piet", P2: "Janssen, Piet"}
    return value.put(*(replace(value.players[key], name=name) for key, name in names.items()))


def assert_refused(code: str, value: Tournament, **arguments: Any) -> CommandError:
    with pytest.raises(CommandError) as error:
        commands.merge_players(value, **arguments)
    assert error.value.code == code
    return error.value


def test_merge_players_joins_two_spellings() -> None:
    new_tournament = commands.merge_players(build_event_with_two_spellings(), player=P2, other=P1)
    assert find_inconsistent_rows(new_tournament) == ()
    index = TournamentIndex(new_tournament)
    assert [player.name for player in index.players(DIVISION)] == ["Janssen, Piet", "Player 3", "Player 4"]
    record = compute_records(index, index.get_division(None))[P2]
    assert [(entry.round, entry.points) for entry in record] == [(1, 14), (2, 16), (3, 18)]
    first = compute_standings(index, index.get_division(None))[0]
    assert (first.player.id, first.points, first.rank) == (P2, 48, 1)
    assert not any(bye.player == P2 for bye in new_tournament.byes.values())


@pytest.mark.parametrize(("player", "other"), [(P1, P3), (P3, P1)])
def test_merge_players_refuses_players_of_one_round(player: PlayerId, other: PlayerId) -> None:
    value = build_crosstable((("1-2 14:10", "3 absent"), ("1-2 14:10", "3 bye")), players=3)
    error = assert_refused("merge-both-sat", value, player=player, other=other)
    assert error.facts["round"] == 2


def test_merge_players_refuses_a_draft_and_the_same_player() -> None:
    value = make_event(4)
    draft = commands.propose_round(value, key="r1", proposal=propose_pairings(TournamentIndex(value), DIVISION))
    assert assert_refused("merge-both-sat", draft, player=P1, other=P2).facts["round"] == 1
    assert_refused("merge-same-player", value, player=P1, other=P1)
    assert_refused("no-such-player", value, player=P1, other=PlayerId("x"))


def test_merge_players_refuses_players_of_two_divisions() -> None:
    value = commands.add_division(make_event(4), key="e", code="B")
    value = commands.move_players(
        value, key="m", players=(P2,), division=TournamentIndex(value).get_division("B").id
    )
    assert_refused("merge-other-division", value, player=P1, other=P2)


def test_merge_players_moves_all_rows() -> None:
    value = pair_rounds(make_event(4, rounds=5))
    value = commands.add_player(value, key="twin", division=DIVISION, name="P1 again", club="North", rating=900)
    duplicate_id = PlayerId("twin")
    game = next(game for game in value.games.values() if P1 in {game.first, game.second})
    value = value.drop(value.results[game.id])
    value = value.put(
        Sanction(SanctionId("s"), P1, 1, SanctionKind.WARNING, 0, "late"),
        ResultFromPlayer(SlipId("slip"), game.id, P1, 400, 300),
        replace(value.players[P1], paid=500, rating=None, rated_games=None),
        replace(value.players[duplicate_id], paid=250, rated_games=7, checked_in=True),
    )
    value = commands.add_prize(value, key="prize", division=DIVISION, kind=PrizeKind.HAND, player=P1)
    value = commands.forbid_pairing(value, key="n1", player=P1, other=P2)
    value = commands.forbid_pairing(value, key="n2", player=duplicate_id, other=P2)
    value = commands.forbid_pairing(value, key="n3", player=duplicate_id, other=P1)
    value = commands.record_challenge(
        value, key="c", division=DIVISION, at="2026-11-28T18:00:00+00:00", words=("QI",), edition="x",
        verdict=WordVerdict.VALID, round_number=1, table=game.table, challenger=P1,
    )  # fmt: skip
    new_tournament = commands.merge_players(value, player=duplicate_id, other=P1)
    assert find_inconsistent_rows(new_tournament) == ()
    for kind, parents in PARENTS.items():
        player_ids = {getattr(row, name) for row in new_tournament.rows(kind).values() for name in parents}
        assert P1 not in player_ids
    moved_rows = (new_tournament.sanctions, new_tournament.slips, new_tournament.prizes)
    assert [row.player for rows in moved_rows for row in rows.values()] == [duplicate_id] * 3
    assert [challenge.challenger for challenge in new_tournament.challenges.values()] == [duplicate_id]
    assert {
        frozenset((constraint.player, constraint.other)) for constraint in new_tournament.constraints.values()
    } == {frozenset((duplicate_id, P2))}
    row = new_tournament.players[duplicate_id]
    assert (row.name, row.club, row.rating, row.rated_games, row.paid) == ("P1 again", "North", 900, 7, 750)
    assert row.checked_in


@pytest.mark.parametrize("player", [P1, P2])
def test_merge_players_drops_an_absence_with_a_game(player: PlayerId) -> None:
    value = build_event_with_two_spellings()
    stage = next(iter(value.stages.values()))
    value = value.put(
        replace(stage, rounds=9),
        Absence(AbsenceId("a"), P1, 3, None, ByeKind.ABSENT),  # withdrawn, as the other entry plays on
        Absence(AbsenceId("b"), P2, 1, 2, ByeKind.ABSENT),
        Absence(AbsenceId("c"), P1, 5, 5, ByeKind.REQUESTED),
        Absence(AbsenceId("d"), P2, 5, 6, ByeKind.ABSENT),
        Absence(AbsenceId("e"), P2, 8, 8, ByeKind.ABSENT),
    )
    new_tournament = commands.merge_players(value, player=player, other=P2 if player == P1 else P1)
    index = TournamentIndex(new_tournament)
    assert not index.has_withdrawn(player)
    assert {n for n in range(1, 10) if index.find_absence(player, n)} in ({5, 8}, {5, 6, 8})
    withdrawn_players = value.put(Absence(AbsenceId("f"), P2, 4, None))
    new_tournament = commands.merge_players(withdrawn_players, player=player, other=P2 if player == P1 else P1)
    assert [
        absence.first_round
        for absence in TournamentIndex(new_tournament).absences(player)
        if absence.last_round is None
    ] == [4]


def test_merge_players_closes_seats_before_a_stage() -> None:
    value = commands.set_seeds(make_event(4, system="knockout"), key="k", stage=StageId("s"), players=(P3, P2, P1))
    new_tournament = commands.merge_players(value, player=P1, other=P2)
    assert [(seed.number, seed.player) for seed in TournamentIndex(new_tournament).seeds(StageId("s"))] == [
        (1, P3),
        (2, P1),
    ]
    round_robin = pair_rounds(make_event(5, system="round-robin"))
    bye = next(bye for bye in round_robin.byes.values())
    seated_id = next(key for key in round_robin.players if key != bye.player)
    round_robin = round_robin.drop(bye)
    assert_refused("merge-both-seated", round_robin, player=seated_id, other=bye.player)


def test_merge_players_is_one_undoable_step(tmp_path: Path) -> None:
    desk = Desk.create(tmp_path / "e.tdapp", build_event_with_two_spellings())
    old_tournament = desk.tournament
    desk.do(partial(commands.merge_players, player=P2, other=P1))
    step = desk.list_all_steps()[-1]
    assert (step.label, step.facts["player"], step.facts["other"]) == (
        "merge-players", "Janssen, Piet", "Jansen, Piet",
    )  # fmt: skip
    desk.undo()
    assert compute_diff(old_tournament, desk.tournament) == ()
    desk.redo()
    assert P1 not in desk.tournament.players
    desk.close()
    reopened_desk = Desk.open(tmp_path / "e.tdapp")
    assert reopened_desk.find_damage() == []
    reopened_desk.close()


def test_prepare_erasure_includes_merged_spellings() -> None:
    open_desk = make_desk(build_event_with_two_spellings())
    open_desk.do(partial(commands.merge_players, player=P2, other=P1))
    open_desk.do(partial(commands.edit_player, player=P2, name="Janssen, Pieter"))
    third = PlayerId("third")
    open_desk.do(partial(commands.add_player, key=third, division=DIVISION, name="Piet J."))
    open_desk.do(partial(commands.merge_players, player=third, other=P2))
    assert open_desk.erase_personal_data([third]).keys() == {P1, P2, third}
    assert "Jan" not in str([(entry.facts, entry.changes) for entry in open_desk.store.read_journal()])


def test_prepare_erasure_omits_an_undone_merge() -> None:
    open_desk = make_desk(build_event_with_two_spellings())
    open_desk.do(partial(commands.merge_players, player=P2, other=P1))
    open_desk.undo()
    assert open_desk.erase_personal_data([P2]).keys() == {P2}
    assert open_desk.tournament.players[P1].name == "Jansen, Piet"
