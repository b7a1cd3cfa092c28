"""Tests of incidents and challenges: recording, editing and removal."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import IncidentId, IncidentKind
from tdapp.domain.model import ChallengeId
from tdapp.domain.rulings import find_final_verdict
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import DIVISION, get_player, make_event

FIRST_TIME, LATER_TIME = "2026-05-01T10:00:00+00:00", "2026-05-01T10:05:00+00:00"


@pytest.fixture
def tournament_with_round() -> Tournament:
    return make_event(4)


def note_incident(tournament_with_round: Tournament, **fields: object) -> Tournament:
    arguments = {"key": "i1", "division": DIVISION, "kind": IncidentKind.LATE, "at": FIRST_TIME, **fields}
    return commands.note_incident(tournament_with_round, **arguments)  # type: ignore[arg-type]


def test_incidents_are_sorted_by_time(tournament_with_round: Tournament) -> None:
    tournament_with_round = note_incident(tournament_with_round, key="i2", at=LATER_TIME)
    tournament_with_round = note_incident(
        tournament_with_round, note=" came with the late train ", table=3, round_number=1, seconds=300
    )
    first, second = TournamentIndex(tournament_with_round).incidents(DIVISION)
    assert (first.note, first.table, first.round, first.seconds) == ("came with the late train", 3, 1, 300)
    assert second.id == "i2"


def test_note_incident_extra_time_needs_its_length(tournament_with_round: Tournament) -> None:
    with pytest.raises(CommandError, match="extra-time-missing"):
        note_incident(tournament_with_round, kind=IncidentKind.EXTRA_TIME)
    tournament_with_round = note_incident(tournament_with_round, kind=IncidentKind.EXTRA_TIME, seconds=120)
    with pytest.raises(CommandError, match="extra-time-missing"):
        commands.edit_incident(tournament_with_round, incident=IncidentId("i1"), seconds=0)


def test_edit_incident_and_remove_incident(tournament_with_round: Tournament) -> None:
    tournament_with_round = commands.edit_incident(
        note_incident(tournament_with_round), incident=IncidentId("i1"), note="too late", author="Kim"
    )
    (row,) = tournament_with_round.incidents.values()
    assert (row.note, row.author, row.kind) == ("too late", "Kim", IncidentKind.LATE)
    assert not commands.remove_incident(tournament_with_round, incident=IncidentId("i1")).incidents


def test_note_incident_accepts_each_possible_table(tournament_with_round: Tournament) -> None:
    assert note_incident(tournament_with_round, table=100_000).incidents[IncidentId("i1")].table == 100_000
    for fields in ({"table": 0}, {"table": 100_001}, {"round_number": 0}):
        for note in (note_incident, record_challenge):
            with pytest.raises(CommandError, match="number-out-of-range"):
                note(tournament_with_round, **fields)


def test_remove_player_keeps_incidents(tournament_with_round: Tournament) -> None:
    player_id = get_player(tournament_with_round, 1).id
    tournament_with_round = record_challenge(
        note_incident(tournament_with_round, player=player_id), challenger=player_id
    )
    new_tournament = commands.remove_player(tournament_with_round, player=player_id)
    assert new_tournament.incidents[IncidentId("i1")].player is None
    assert new_tournament.challenges[ChallengeId("c1")].challenger is None
    assert not tournament_with_round.drop_with_children(
        tournament_with_round.divisions[DIVISION]
    ).incidents  # which has neither its division nor its player


def record_challenge(tournament_with_round: Tournament, **fields: object) -> Tournament:
    arguments = {
        "key": "c1",
        "division": DIVISION,
        "at": FIRST_TIME,
        "words": ("ZEBRA",),
        "verdict": WordVerdict.VALID,
        "edition": "0123456789ab",
        **fields,
    }
    return commands.record_challenge(tournament_with_round, **arguments)  # type: ignore[arg-type]


def set_appeal(tournament_with_round: Tournament, *, appeal: int) -> Tournament:
    rules = replace(
        tournament_with_round.ruleset, judges=replace(tournament_with_round.ruleset.judges, appeal=appeal)
    )
    return commands.change_rules(tournament_with_round, ruleset=rules)


def test_appeal_challenge_needs_a_rule(tournament_with_round: Tournament) -> None:
    tournament_with_round = record_challenge(set_appeal(tournament_with_round, appeal=0))
    with pytest.raises(CommandError, match="no-appeal-in-rules"):
        commands.appeal_challenge(tournament_with_round, challenge=ChallengeId("c1"), second=WordVerdict.VALID)


def test_appeal_challenge_needs_a_joint_verdict(tournament_with_round: Tournament) -> None:
    tournament_with_round = record_challenge(set_appeal(tournament_with_round, appeal=1))
    with pytest.raises(CommandError, match="joint-verdict-needed"):
        commands.appeal_challenge(tournament_with_round, challenge=ChallengeId("c1"), second=WordVerdict.INVALID)
    new_tournament = commands.appeal_challenge(
        tournament_with_round, challenge=ChallengeId("c1"), second=WordVerdict.INVALID, joint=WordVerdict.INVALID
    )
    assert find_final_verdict(tournament_with_round.challenges[ChallengeId("c1")]) is WordVerdict.VALID
    assert find_final_verdict(new_tournament.challenges[ChallengeId("c1")]) is WordVerdict.INVALID


def test_record_challenge_needs_words(tournament_with_round: Tournament) -> None:
    for words in ((), ("",), ("A",) * 9):
        with pytest.raises(CommandError):
            record_challenge(tournament_with_round, words=words)
