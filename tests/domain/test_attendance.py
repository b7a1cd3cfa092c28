"""Tests of the consequences of withdrawals, absences, returns and late entries."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.attendance import AttendanceConsequence, list_attendance_consequences
from tdapp.domain.bracket import list_stage_players_in_pairing_order
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, PlayerId, StageId
from tdapp.domain.tournament import Tournament
from tdapp.i18n.messages.sentences import CONSEQUENCES
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, get_last_round, get_player, make_event, pair_rounds
from tests.i18n import codes_in_source

# Consequences that need the director.
CODES_FOR_DIRECTOR = {"game-open", "draft-game", "draft-bye", "draft-without", "order-broken", "too-few"}
DRAFT_CODES = {"draft-game", "draft-bye", "draft-without"}


def map_consequences(
    t: Tournament, command: Callable[..., Tournament], number: int, **facts: object
) -> dict[str, AttendanceConsequence]:
    player_id = get_player(t, number).id
    consequences = list_attendance_consequences(t, partial(command, player=player_id, **facts)(t), player_id)
    for consequence in consequences:
        assert codes_in_source.find_placeholders(CONSEQUENCES[consequence.code]) <= consequence.facts.keys()
        assert consequence.needs_action is (consequence.code in CODES_FOR_DIRECTOR)
    return {consequence.code: consequence for consequence in consequences}


def test_find_consequences_of_withdrawal_names_odd_number_and_results() -> None:
    consequences = map_consequences(pair_rounds(make_event(8), times=2), commands.withdraw_player, 3, key="w")
    assert list(consequences) == ["odd-on", "counts-nothing", "results-stay", "stays-listed"]
    assert consequences["odd-on"].facts == {"round": 3, "n": 7}
    assert consequences["results-stay"].facts["n"] == 2


def test_find_consequences_of_withdrawal_from_an_odd_number() -> None:
    assert "even-on" in map_consequences(make_event(7), commands.withdraw_player, 3, key="w")


def test_find_consequences_of_withdrawal_during_a_round() -> None:
    consequences = map_consequences(
        pair_rounds(make_event(8), results=False), commands.withdraw_player, 3, key="w"
    )
    assert next(iter(consequences)) == "game-open"
    assert consequences["game-open"].needs_action
    assert consequences["game-open"].facts["round"] == 1
    assert "results-stay" not in consequences
    second_round = map_consequences(
        pair_rounds(pair_rounds(make_event(8)), results=False), commands.withdraw_player, 3, key="w"
    )
    assert second_round["results-stay"].facts["n"] == 1
    absent = commands.set_absence(make_event(8), key="a", player=get_player(make_event(8), 3).id, first_round=2)
    assert "game-open" not in map_consequences(
        pair_rounds(absent, results=False), commands.clear_absence, 3, round_number=2
    )


def test_find_consequences_names_an_outdated_draft() -> None:
    t = make_event(8)
    t = commands.propose_round(t, key="k", proposal=propose_pairings(TournamentIndex(t), DIVISION))
    consequences = map_consequences(t, commands.set_absence, 3, key="a", first_round=1)
    assert consequences["draft-game"].needs_action
    assert consequences["draft-game"].facts["opponent"] == "P7"
    assert "game-open" not in consequences
    assert not DRAFT_CODES & set(map_consequences(t, commands.set_absence, 3, key="a", first_round=2))
    assert consequences["odd-once"].facts == {"round": 1, "n": 7}
    absent_draft = commands.set_absence(
        make_event(9), key="a", player=get_player(make_event(9), 3).id, first_round=1
    )
    absent_draft = commands.propose_round(
        absent_draft, key="k", proposal=propose_pairings(TournamentIndex(absent_draft), DIVISION)
    )
    assert "draft-without" in map_consequences(absent_draft, commands.clear_absence, 3, round_number=1)
    odd_draft = make_event(9)
    odd_draft = commands.propose_round(
        odd_draft, key="k", proposal=propose_pairings(TournamentIndex(odd_draft), DIVISION)
    )
    bye_player = odd_draft.players[TournamentIndex(odd_draft).byes(get_last_round(odd_draft).id)[0].player].number
    assert "draft-bye" in map_consequences(odd_draft, commands.withdraw_player, bye_player, key="w")
    assert not DRAFT_CODES & set(
        map_consequences(odd_draft, commands.set_absence, bye_player, key="a", first_round=2)
    )


def test_find_consequences_distinguishes_own_bye_in_a_draft() -> None:
    t = commands.set_absence(make_event(8), key="a", player=get_player(make_event(8), 3).id, first_round=1)
    t = commands.propose_round(t, key="k", proposal=propose_pairings(TournamentIndex(t), DIVISION))
    byes = {bye.kind: t.players[bye.player].number for bye in TournamentIndex(t).byes(get_last_round(t).id)}
    assert len(byes) == 2
    assert "draft-bye" in map_consequences(t, commands.withdraw_player, byes[ByeKind.BYE], key="w")
    t = commands.add_player(t, key="p9", division=DIVISION, name="P9")
    assert "draft-without" in map_consequences(t, commands.withdraw_player, 9, key="w")
    t = commands.propose_round(
        make_event(8), key="k", proposal=propose_pairings(TournamentIndex(make_event(8)), DIVISION)
    )
    t = commands.add_player(t, key="p9", division=DIVISION, name="P9")
    assert "draft-without" in map_consequences(t, commands.withdraw_player, 9, key="w")


def test_find_consequences_gives_points_of_missed_rounds() -> None:
    facts = map_consequences(
        make_event(8), commands.set_absence, 3, key="a", first_round=2, kind=ByeKind.REQUESTED
    )["counts-as"].facts
    assert (facts["kind"], facts["points"] * 2, facts["spread"]) == (ByeKind.REQUESTED, 1, 0)  # type: ignore[operator]


def test_find_consequences_of_missing_the_first_round() -> None:
    t, player_id = make_event(8), get_player(make_event(8), 3).id
    absent = commands.set_absence(
        t, key="a", player=player_id, first_round=2, last_round=2, kind=ByeKind.REQUESTED
    )
    absent = commands.set_absence(
        absent, key="b", player=player_id, first_round=3, last_round=3, kind=ByeKind.ABSENT
    )
    consequences = {
        consequence.code: consequence for consequence in list_attendance_consequences(t, absent, player_id)
    }
    assert consequences["counts-as"].facts["kind"] is ByeKind.REQUESTED
    assert consequences["odd-once"].facts == {"round": 2, "n": 7}


def test_find_consequences_of_a_return() -> None:
    t = pair_rounds(make_event(8))
    t = t.put(replace(t.divisions[DIVISION], list_withdrawn=False))
    assert "not-listed" in map_consequences(t, commands.withdraw_player, 3, key="w")
    withdrawn = pair_rounds(commands.withdraw_player(t, key="w", player=get_player(t, 3).id))
    consequences = map_consequences(withdrawn, commands.return_player, 3)
    assert consequences["plays-from"].facts["round"] == 3
    assert "listed-again" in consequences
    absent = commands.set_absence(t, key="a", player=get_player(t, 3).id, first_round=2)
    absent = commands.withdraw_player(absent, key="w", player=get_player(t, 3).id)
    assert list(map_consequences(absent, commands.clear_absence, 3, round_number=2)) == ["nothing-follows"]


def test_find_consequences_of_a_late_entry() -> None:
    t = pair_rounds(make_event(7), results=False)
    late_entry = commands.add_player(t, key="new", division=DIVISION, name="Late")
    consequences = {
        consequence.code: consequence
        for consequence in list_attendance_consequences(t, late_entry, PlayerId("new"))
    }
    assert consequences["starts-at-nothing"].facts["n"] == 1
    assert consequences["may-be-seated"].facts["round"] == 1
    assert consequences["even-on"].facts == {"round": 2, "n": 8}
    paired_event = pair_rounds(make_event(7))
    event_with_latecomer = commands.add_player(paired_event, key="new", division=DIVISION, name="Late")
    assert "may-be-seated" not in {
        consequence.code
        for consequence in list_attendance_consequences(paired_event, event_with_latecomer, PlayerId("new"))
    }


def find_newcomer_consequences(t: Tournament) -> list[AttendanceConsequence]:
    return list(
        list_attendance_consequences(
            t, commands.add_player(t, key="new", division=DIVISION, name="Late"), PlayerId("new")
        )
    )


def test_find_consequences_of_a_newcomer_changes_the_parity() -> None:
    assert [consequence.code for consequence in find_newcomer_consequences(make_event(7))] == ["even-on"]
    assert [consequence.code for consequence in find_newcomer_consequences(make_event(8))] == ["odd-on"]


def test_find_consequences_late_entry_meets_the_waiting_player() -> None:
    t = pair_rounds(make_event(7, rounds=7, system="round-robin"), times=2, results=False)
    assert [
        consequence.facts["round"]
        for consequence in find_newcomer_consequences(t)
        if consequence.code == "may-be-seated"
    ] == [2]
    absent = commands.set_absence(
        make_event(8), key="a", player=get_player(make_event(8), 1).id, first_round=1, kind=ByeKind.REQUESTED
    )
    t = pair_rounds(absent, results=False)
    bye_player = [
        t.players[bye.player].name
        for bye in TournamentIndex(t).byes(get_last_round(t).id)
        if bye.kind is ByeKind.BYE
    ]
    assert len(bye_player) == 1 < len(TournamentIndex(t).byes(get_last_round(t).id))
    assert [
        consequence.facts["opponent"]
        for consequence in find_newcomer_consequences(t)
        if consequence.code == "may-be-seated"
    ] == bye_player


def test_find_consequences_late_entry_gets_a_free_knockout_seed() -> None:
    first = pair_rounds(make_event(6, rounds=3, system="knockout"), results=False)
    assert [
        consequence.facts["opponent"]
        for consequence in find_newcomer_consequences(first)
        if consequence.code == "may-be-seated"
    ] == ["P2"]


def test_find_consequences_when_all_opponents_have_seats() -> None:
    round_robin = pair_rounds(make_event(6, rounds=5, system="round-robin"))
    assert "seat-empty" in map_consequences(round_robin, commands.withdraw_player, 3, key="w")
    assert "bracket-goes-on" in map_consequences(
        pair_rounds(make_event(8, rounds=3, system="knockout")), commands.withdraw_player, 1, key="w"
    )
    late_entry = commands.add_player(round_robin, key="new", division=DIVISION, name="Late")
    assert "seat-last" in {
        consequence.code for consequence in list_attendance_consequences(round_robin, late_entry, PlayerId("new"))
    }


def test_find_consequences_reports_an_impossible_ordered_pair() -> None:
    t = make_event(8)
    t = commands.order_pairing(t, key="o", player=get_player(t, 3).id, other=get_player(t, 4).id, round_number=2)
    consequences = map_consequences(t, commands.withdraw_player, 3, key="w")
    assert consequences["order-broken"].facts == {"player": "P3", "round": 2, "opponent": "P4"}
    assert "order-broken" not in map_consequences(t, commands.set_absence, 3, key="a", first_round=1)
    assert "order-broken" not in map_consequences(t, commands.withdraw_player, 5, key="w")
    forbidden = commands.forbid_pairing(
        make_event(8), key="f", player=get_player(t, 3).id, other=get_player(t, 4).id
    )
    assert "order-broken" not in map_consequences(forbidden, commands.withdraw_player, 3, key="w")
    absent = commands.set_absence(t, key="a", player=get_player(t, 3).id, first_round=2)
    assert "order-broken" not in map_consequences(absent, commands.clear_absence, 3, round_number=2)
    assert (
        map_consequences(t, commands.set_absence, 4, key="a", first_round=2)["order-broken"].facts["opponent"]
        == "P3"
    )
    later_absence = commands.set_absence(t, key="a", player=get_player(t, 3).id, first_round=3)
    assert "order-broken" in {
        consequence.code
        for consequence in list_attendance_consequences(later_absence, absent, get_player(t, 3).id)
    }
    assert "order-broken" not in {
        consequence.code
        for consequence in list_attendance_consequences(absent, later_absence, get_player(t, 3).id)
    }


def test_find_consequences_of_unpairable_rest_and_end() -> None:
    assert map_consequences(make_event(2), commands.withdraw_player, 1, key="w")["too-few"].needs_action
    assert map_consequences(make_event(3), commands.withdraw_player, 1, key="w")["even-on"].facts["n"] == 2
    finished = pair_rounds(make_event(4, rounds=1))
    assert [
        consequence.code
        for consequence in list_attendance_consequences(finished, finished, get_player(finished, 1).id)
    ] == ["nothing-follows"]


def test_find_consequences_ignores_players_out_after_a_cut() -> None:
    t = make_event(9, rounds=2)
    t = commands.add_stage(t, key="final", division=DIVISION, system="king-of-the-hill", rounds=2, cut=4)
    old_tournament = pair_rounds(t, times=2)
    leader = list_stage_players_in_pairing_order(
        TournamentIndex(old_tournament), old_tournament.stages[StageId("final")]
    )[0]
    withdrawal = map_consequences(
        old_tournament, commands.withdraw_player, old_tournament.players[leader].number, key="w"
    )
    assert withdrawal["even-on"].facts == {"round": 3, "n": 4}  # the next player qualifies
    t = pair_rounds(old_tournament)
    late_entry = commands.add_player(t, key="new", division=DIVISION, name="Late")
    consequences = {
        consequence.code: consequence
        for consequence in list_attendance_consequences(t, late_entry, PlayerId("new"))
    }
    assert consequences["left-out"].facts == {"player": "Late", "round": 4}
    assert not {"even-once", "odd-once"} & set(consequences)
    games = TournamentIndex(t).games(get_last_round(t).id)
    finalist = t.players[games[0].first].number
    consequences = map_consequences(t, commands.set_absence, finalist, key="a", first_round=4)
    assert consequences["odd-once"].facts == {"round": 4, "n": 3}
