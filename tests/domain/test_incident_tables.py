"""Tests of the incident and sanction tables, and of the preview of sanctions."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import IncidentId, IncidentKind, ScoreSheet, SheetId, TurnRuling
from tdapp.domain.model import ByeKind
from tdapp.domain.tables import jury_log
from tdapp.domain.tables.players import make_constraint_table
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.sheet import SanctionKind, Sheet, Turn, TurnKind
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import DIVISION, get_game_at, get_player, make_event, pair_rounds

FIRST_TIME, LATER_TIME = "2026-05-01T10:00:00+00:00", "2026-05-01T10:05:00+00:00"


@pytest.fixture
def tournament_with_round() -> Tournament:
    return pair_rounds(make_event(4), times=2)


def note_incident(tournament_with_round: Tournament, key: str, **fields: object) -> Tournament:
    arguments = {"key": key, "division": DIVISION, "kind": IncidentKind.CLOCK, "at": FIRST_TIME, **fields}
    return commands.note_incident(tournament_with_round, **arguments)  # type: ignore[arg-type]


def add_sanction(tournament_with_round: Tournament, kind: SanctionKind, **fields: object) -> Tournament:
    arguments = {
        "key": "x",
        "player": get_player(tournament_with_round, 1).id,
        "kind": kind,
        "why": "rude",
        **fields,
    }
    return commands.add_sanction(tournament_with_round, **arguments)  # type: ignore[arg-type]


def test_make_incident_table_names_one_player_or_both(tournament_with_round: Tournament) -> None:
    game = get_game_at(tournament_with_round, 1)
    names = [tournament_with_round.players[player_id].name for player_id in (game.first, game.second)]
    tournament_with_round = note_incident(
        tournament_with_round, "i1", round_number=2, table=1, kind=IncidentKind.EXTRA_TIME, seconds=125
    )
    tournament_with_round = note_incident(
        tournament_with_round, "i2", round_number=2, table=1, player=game.second, at=LATER_TIME
    )
    tournament_with_round = note_incident(tournament_with_round, "i3", note="fire alarm", at=LATER_TIME)
    index = TournamentIndex(tournament_with_round)
    rows = jury_log.make_incident_table(index, tournament_with_round.divisions[DIVISION]).rows
    assert [row.players for row in rows] == [" – ".join(names), names[1], ""]
    assert [row.time for row in rows] == ["2:05", "", ""]
    assert [row.key for row in jury_log.list_game_incidents(index, game.id)] == ["i1", "i2"]
    assert [row.key for row in jury_log.list_player_incidents(index, game.first)] == ["i1"]
    assert [row.key for row in jury_log.list_player_incidents(index, game.second)] == ["i1", "i2"]


def test_make_incident_table_includes_incidents_without_round(tournament_with_round: Tournament) -> None:
    for key, number in (("i1", 1), ("i2", 2), ("i3", None)):
        tournament_with_round = note_incident(tournament_with_round, key, round_number=number)
    rows = jury_log.make_incident_table(
        TournamentIndex(tournament_with_round), tournament_with_round.divisions[DIVISION], 1
    ).rows
    assert {row.key for row in rows} == {"i1", "i3"}


def test_edit_incident_changes_the_table(tournament_with_round: Tournament) -> None:
    tournament_with_round = note_incident(
        tournament_with_round, "i1", round_number=2, table=1, player=get_player(tournament_with_round, 1).id
    )
    tournament_with_round = commands.edit_incident(
        tournament_with_round, incident=IncidentId("i1"), table=2, round_number=1, player=None
    )
    row = tournament_with_round.incidents[IncidentId("i1")]
    assert (row.round, row.table, row.player) == (1, 2, None)


def test_make_sanction_table_has_the_table_of_the_round(tournament_with_round: Tournament) -> None:
    tournament_with_round = add_sanction(
        tournament_with_round, SanctionKind.POINTS, points=20, round_number=1, author="Kim"
    )
    tournament_with_round = add_sanction(
        tournament_with_round, SanctionKind.WARNING, key="w", player=get_player(tournament_with_round, 3).id
    )
    rows = jury_log.make_sanction_table(
        TournamentIndex(tournament_with_round), tournament_with_round.divisions[DIVISION]
    ).rows
    assert [(row.round, row.number, row.kind, row.points) for row in rows] == [
        (1, 1, "points", 20),
        (2, 3, "warning", None),
    ]
    first = next(
        game
        for game in TournamentIndex(tournament_with_round).games(
            TournamentIndex(tournament_with_round).get_round(DIVISION, 1).id
        )
        if "p1" in {game.first, game.second}
    )
    assert rows[0].table == first.table


def test_make_jury_decision_table_lists_word_and_player(tournament_with_round: Tournament) -> None:
    game = get_game_at(tournament_with_round, 2)
    turns = (Turn(1, TurnKind.PLAY, word="ZEBRA", score=30), Turn(2, TurnKind.PLAY, word="QQ", score=21))
    rulings = (TurnRuling(2, phony=True, author="Kim", why="not in the list"),)
    sheet = ScoreSheet(SheetId("s1"), game.id, 1, Sheet(players=("a", "b"), turns=turns), rulings)
    rows = jury_log.make_jury_decision_table(
        TournamentIndex(tournament_with_round.put(sheet)), tournament_with_round.divisions[DIVISION]
    ).rows
    assert [(row.kind, row.word, row.row, row.number) for row in rows] == [
        ("ruled-wrong", "QQ", 1, tournament_with_round.players[game.second].number)
    ]
    assert not jury_log.make_jury_decision_table(
        TournamentIndex(tournament_with_round.put(sheet)), tournament_with_round.divisions[DIVISION], 1
    ).rows


def test_list_changed_results_previews_points(tournament_with_round: Tournament) -> None:
    new_tournament = add_sanction(tournament_with_round, SanctionKind.POINTS, points=20, round_number=2)
    (change,) = jury_log.list_results_changed_by_sanction(tournament_with_round, new_tournament)
    assert change.before is not None
    assert (change.round, change.before.first is not None) == (2, True)
    deductions = [
        (change.before.first or 0) - (change.after.first or 0),
        (change.before.second or 0) - (change.after.second or 0),
    ]
    assert sorted(deductions) == [0, 20]
    assert (
        jury_log.list_results_changed_by_sanction(
            tournament_with_round, add_sanction(tournament_with_round, SanctionKind.WARNING)
        )
        == ()
    )


def test_list_changed_results_of_a_disqualification() -> None:
    tournament_with_round = pair_rounds(make_event(4), results=False)
    new_tournament = add_sanction(tournament_with_round, SanctionKind.DISQUALIFIED, remaining=ByeKind.FORFEIT)
    (change,) = jury_log.list_results_changed_by_sanction(tournament_with_round, new_tournament)
    assert (change.before, change.after.forfeit is not None) == (None, True)
    (absence,) = jury_log.list_new_absences(tournament_with_round, new_tournament)
    assert (absence.first_round, absence.kind) == (2, ByeKind.FORFEIT)


def test_jury_tables_distinguish_namesakes(tournament_with_round: Tournament) -> None:
    first_player, second_player = get_player(tournament_with_round, 1), get_player(tournament_with_round, 2)
    tournament_with_round = tournament_with_round.put(
        *(replace(row, name="Vos, Ruben", club="") for row in (first_player, second_player))
    )
    tournament_with_round = add_sanction(tournament_with_round, SanctionKind.WARNING, player=first_player.id)
    tournament_with_round = note_incident(tournament_with_round, "i", player=second_player.id)
    tournament_with_round = commands.record_challenge(
        tournament_with_round,
        key="c",
        division=DIVISION,
        at=FIRST_TIME,
        words=("QQ",),
        verdict=WordVerdict.VALID,
        edition="e",
        challenger=second_player.id,
    )
    tournament_with_round = commands.forbid_pairing(
        tournament_with_round, key="k", player=first_player.id, other=second_player.id
    )
    index, division = TournamentIndex(tournament_with_round), tournament_with_round.divisions[DIVISION]
    assert [row.name for row in jury_log.make_sanction_table(index, division).rows] == ["Vos, Ruben (1)"]
    assert [row.players for row in jury_log.make_incident_table(index, division).rows] == ["Vos, Ruben (2)"]
    assert [row.challenger for row in jury_log.make_challenge_table(index, division).rows] == ["Vos, Ruben (2)"]
    (row,) = make_constraint_table(index, division.id).rows
    assert {row.player, row.other} == {"Vos, Ruben (1)", "Vos, Ruben (2)"}
