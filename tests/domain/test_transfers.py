"""Tests of moved players and merged divisions, and their consequences."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.commands.transfers import find_move_or_merge_consequences
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ConstraintKind, DivisionId, PlayerId, PrizeKind
from tdapp.domain.records import compute_records
from tdapp.domain.tournament import Tournament, compute_diff, find_inconsistent_rows
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, make_event, pair_rounds

B = DivisionId("b")


def build_two_divisions(players: int = 4, rounds: int = 1, *, first_table: int = 101) -> Tournament:
    """Return division A with 8 players after two rounds, and division B."""
    t = pair_rounds(make_event(8), times=2)
    t = commands.add_division_with_stage(t, key=B, code="B", default_rounds=5)
    t = commands.edit_division(t, division=B, first_table=first_table)
    for number in range(1, players + 1):
        t = commands.add_player(t, key=f"q{number}", division=B, name=f"Q{number}", rating=1500 - number)
    for number in range(1, rounds + 1):
        t = commands.pair_round(t, key=f"b{number}", proposal=propose_pairings(TournamentIndex(t), B))
        for game in TournamentIndex(t).games(TournamentIndex(t).list_published_rounds(B)[-1].id):
            t = commands.enter_result(t, game=game.id, first=420, second=380)
    return t


def list_codes(before: Tournament, after: Tournament) -> dict[str, object]:
    return {
        consequence.code: consequence.facts.get("n")
        for consequence in find_move_or_merge_consequences(before, after)
    }


@pytest.mark.parametrize("first_table", [101, 1])
def test_merge_division_moves_games_during_the_event(first_table: int) -> None:
    t = build_two_divisions(5, first_table=first_table)
    t = commands.forbid_pairing(t, key="never", player=PlayerId("q1"), other=PlayerId("q2"))
    t = commands.add_prize(t, key="first", division=B, kind=PrizeKind.RANK)
    t = commands.propose_round(t, key="draft", proposal=propose_pairings(TournamentIndex(t), DIVISION))
    after = commands.merge_division(t, division=B, into=DIVISION)

    assert find_inconsistent_rows(after) == ()
    assert [item.code for item in TournamentIndex(after).divisions] == ["A"]
    assert [player.name for player in TournamentIndex(after).players(DIVISION)[8:]] == [
        "Q1",
        "Q2",
        "Q3",
        "Q4",
        "Q5",
    ]
    assert [len(TournamentIndex(after).games(item.id)) for item in TournamentIndex(after).rounds(DIVISION)] == [
        6,
        4,
    ]
    assert [constraint.kind for constraint in after.constraints.values()] == [ConstraintKind.NEVER]
    records_before, records_after = (
        compute_records(TournamentIndex(value), value.divisions[code])
        for value, code in ((t, B), (after, DIVISION))
    )
    assert [(x.units, x.spread) for x in records_before[PlayerId("q1")]] == [
        (x.units, x.spread) for x in records_after[PlayerId("q1")]
    ]
    counts = list_codes(t, after)
    assert counts.keys() == {
        "draft-gone",
        "games-come",
        "rounds-missed",
        "numbers-new",
        "prizes-gone",
        "field-odd",
    }
    assert [counts[code] for code in ("games-come", "rounds-missed", "field-odd")] == [2, 1, 13]
    assert commands.pair_round(
        after, key="next", proposal=propose_pairings(TournamentIndex(after), DIVISION)
    ).rounds


def test_merge_division_is_one_undoable_step(tmp_path: Path) -> None:
    desk = Desk.create(tmp_path / "e.tdapp", build_two_divisions())
    before = desk.tournament
    desk.do(partial(commands.merge_division, division=B, into=DIVISION))
    step = desk.list_all_steps()[-1]
    assert (step.facts["division"], step.facts["into"]) == ("B", "A")
    desk.undo()
    assert compute_diff(before, desk.tournament) == ()
    desk.close()
    reopened_desk = Desk.open(tmp_path / "e.tdapp")
    assert reopened_desk.find_damage() == []
    assert len(reopened_desk.index.players(B)) == 4
    reopened_desk.close()


def test_merge_division_before_the_event() -> None:
    t = build_two_divisions(3, 0)
    assert list_codes(t, commands.merge_division(t, division=B, into=DIVISION))["field-odd"] == 11


@pytest.mark.parametrize(
    ("division", "into", "code"),
    [(DIVISION, B, "merge-ahead"), (B, B, "merge-itself"), (B, DivisionId("x"), "no-such-division")],
)
def test_merge_division_refuses_invalid_merges(division: DivisionId, into: DivisionId, code: str) -> None:
    with pytest.raises(CommandError, match=code):
        commands.merge_division(build_two_divisions(), division=division, into=into)


def test_merge_division_refuses_a_started_knockout() -> None:
    t = pair_rounds(make_event(4, system="knockout"))
    t = commands.add_player(commands.add_division(t, key=B, code="B"), key="q", division=B, name="Q")
    with pytest.raises(CommandError, match="merge-knockout"):
        commands.merge_division(t, division=B, into=DIVISION)


def test_move_players_removes_the_draft() -> None:
    t = build_two_divisions(4, 0)
    t = commands.propose_round(t, key="draft", proposal=propose_pairings(TournamentIndex(t), B))
    after = commands.move_players(t, key="m", players=(PlayerId("q1"), PlayerId("q2")), division=DIVISION)
    assert [len(TournamentIndex(after).players(division)) for division in (DIVISION, B)] == [10, 2]
    assert list_codes(t, after) == {"draft-gone": None, "numbers-new": 2, "field-even": 2}


def test_move_players_leaves_games_behind() -> None:
    t = build_two_divisions()
    after = commands.move_players(t, key="m", players=(PlayerId("q1"),), division=DIVISION)
    assert list_codes(t, after) == {"games-left": 1, "numbers-new": 1, "field-odd": 3}
