"""Consequences of leaving, staying away, returning and coming late."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.attendance import Consequence, find_consequences
from tdapp.domain.bracket import list_stage_players
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, PlayerId, StageId
from tdapp.domain.tournament import Tournament
from tdapp.i18n.messages.sentences import CONSEQUENCES
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, event, last_round, paired, player
from tests.i18n import codes_in_source

# Consequences that need the director.
ATTEND = {"game-open", "draft-game", "draft-bye", "draft-without", "order-broken", "too-few"}
DRAFT = {"draft-game", "draft-bye", "draft-without"}


def after(
    t: Tournament, command: Callable[..., Tournament], number: int, **facts: object
) -> dict[str, Consequence]:
    one = player(t, number).id
    found = find_consequences(t, partial(command, player=one, **facts)(t), one)
    for each in found:
        assert codes_in_source.placeholders(CONSEQUENCES[each.code]) <= each.facts.keys()
        assert each.needs_action is (each.code in ATTEND)
    return {each.code: each for each in found}


def test_find_consequences_of_withdrawal_names_odd_field_and_results() -> None:
    found = after(paired(event(8), times=2), commands.withdraw_player, 3, key="w")
    assert list(found) == ["odd-on", "counts-nothing", "results-stay", "stays-listed"]
    assert found["odd-on"].facts == {"round": 3, "n": 7}
    assert found["results-stay"].facts["n"] == 2


def test_find_consequences_of_withdrawal_from_an_odd_field() -> None:
    assert "even-on" in after(event(7), commands.withdraw_player, 3, key="w")


def test_find_consequences_of_withdrawal_during_a_round() -> None:
    found = after(paired(event(8), results=False), commands.withdraw_player, 3, key="w")
    assert next(iter(found)) == "game-open"
    assert found["game-open"].needs_action
    assert found["game-open"].facts["round"] == 1
    assert "results-stay" not in found
    later = after(paired(paired(event(8)), results=False), commands.withdraw_player, 3, key="w")
    assert later["results-stay"].facts["n"] == 1
    away = commands.set_absence(event(8), key="a", player=player(event(8), 3).id, first_round=2)
    assert "game-open" not in after(paired(away, results=False), commands.clear_absence, 3, round_number=2)


def test_find_consequences_names_an_outdated_draft() -> None:
    t = event(8)
    t = commands.propose_round(t, key="k", proposal=propose_pairings(Index(t), DIVISION))
    found = after(t, commands.set_absence, 3, key="a", first_round=1)
    assert found["draft-game"].needs_action
    assert found["draft-game"].facts["opponent"] == "P7"
    assert "game-open" not in found
    assert not DRAFT & set(after(t, commands.set_absence, 3, key="a", first_round=2))
    assert found["odd-once"].facts == {"round": 1, "n": 7}
    away = commands.set_absence(event(9), key="a", player=player(event(9), 3).id, first_round=1)
    away = commands.propose_round(away, key="k", proposal=propose_pairings(Index(away), DIVISION))
    assert "draft-without" in after(away, commands.clear_absence, 3, round_number=1)
    odd = event(9)
    odd = commands.propose_round(odd, key="k", proposal=propose_pairings(Index(odd), DIVISION))
    waits = odd.players[Index(odd).byes(last_round(odd).id)[0].player].number
    assert "draft-bye" in after(odd, commands.withdraw_player, waits, key="w")
    assert not DRAFT & set(after(odd, commands.set_absence, waits, key="a", first_round=2))


def test_find_consequences_distinguishes_own_bye_in_a_draft() -> None:
    t = commands.set_absence(event(8), key="a", player=player(event(8), 3).id, first_round=1)
    t = commands.propose_round(t, key="k", proposal=propose_pairings(Index(t), DIVISION))
    byes = {bye.kind: t.players[bye.player].number for bye in Index(t).byes(last_round(t).id)}
    assert len(byes) == 2
    assert "draft-bye" in after(t, commands.withdraw_player, byes[ByeKind.BYE], key="w")
    t = commands.add_player(t, key="p9", division=DIVISION, name="P9")
    assert "draft-without" in after(t, commands.withdraw_player, 9, key="w")
    t = commands.propose_round(event(8), key="k", proposal=propose_pairings(Index(event(8)), DIVISION))
    t = commands.add_player(t, key="p9", division=DIVISION, name="P9")
    assert "draft-without" in after(t, commands.withdraw_player, 9, key="w")


def test_find_consequences_gives_points_of_missed_rounds() -> None:
    facts = after(event(8), commands.set_absence, 3, key="a", first_round=2, kind=ByeKind.REQUESTED)[
        "counts-as"
    ].facts
    assert (facts["kind"], facts["points"] * 2, facts["spread"]) == (ByeKind.REQUESTED, 1, 0)  # type: ignore[operator]


def test_find_consequences_of_missing_the_first_round() -> None:
    t, one = event(8), player(event(8), 3).id
    away = commands.set_absence(t, key="a", player=one, first_round=2, last_round=2, kind=ByeKind.REQUESTED)
    away = commands.set_absence(away, key="b", player=one, first_round=3, last_round=3, kind=ByeKind.ABSENT)
    found = {consequence.code: consequence for consequence in find_consequences(t, away, one)}
    assert found["counts-as"].facts["kind"] is ByeKind.REQUESTED
    assert found["odd-once"].facts == {"round": 2, "n": 7}


def test_find_consequences_of_a_return() -> None:
    t = paired(event(8))
    t = t.put(replace(t.divisions[DIVISION], list_withdrawn=False))
    assert "not-listed" in after(t, commands.withdraw_player, 3, key="w")
    gone = paired(commands.withdraw_player(t, key="w", player=player(t, 3).id))
    found = after(gone, commands.return_player, 3)
    assert found["plays-from"].facts["round"] == 3
    assert "listed-again" in found
    away = commands.set_absence(t, key="a", player=player(t, 3).id, first_round=2)
    away = commands.withdraw_player(away, key="w", player=player(t, 3).id)
    assert list(after(away, commands.clear_absence, 3, round_number=2)) == ["nothing-follows"]


def test_find_consequences_of_a_late_entry() -> None:
    t = paired(event(7), results=False)
    late = commands.add_player(t, key="new", division=DIVISION, name="Late")
    found = {consequence.code: consequence for consequence in find_consequences(t, late, PlayerId("new"))}
    assert found["starts-at-nothing"].facts["n"] == 1
    assert found["may-be-seated"].facts["round"] == 1
    assert found["even-on"].facts == {"round": 2, "n": 8}
    assert "may-be-seated" not in {
        consequence.code for consequence in find_consequences(paired(event(7)), commands.add_player(
            paired(event(7)), key="new", division=DIVISION, name="Late"), PlayerId("new"))
    }  # fmt: skip


def newcomer(t: Tournament) -> list[Consequence]:
    return list(
        find_consequences(t, commands.add_player(t, key="new", division=DIVISION, name="Late"), PlayerId("new"))
    )


def test_find_consequences_of_a_newcomer_changes_the_parity() -> None:
    assert [one.code for one in newcomer(event(7))] == ["even-on"]
    assert [one.code for one in newcomer(event(8))] == ["odd-on"]


def test_find_consequences_late_entry_meets_the_waiting_player() -> None:
    t = paired(event(7, rounds=7, system="round-robin"), times=2, results=False)
    assert [one.facts["round"] for one in newcomer(t) if one.code == "may-be-seated"] == [2]
    away = commands.set_absence(
        event(8), key="a", player=player(event(8), 1).id, first_round=1, kind=ByeKind.REQUESTED
    )
    t = paired(away, results=False)
    waits = [t.players[bye.player].name for bye in Index(t).byes(last_round(t).id) if bye.kind is ByeKind.BYE]
    assert len(waits) == 1 < len(Index(t).byes(last_round(t).id))
    assert [one.facts["opponent"] for one in newcomer(t) if one.code == "may-be-seated"] == waits


def test_find_consequences_late_entry_gets_a_free_knockout_place() -> None:
    first = paired(event(6, rounds=3, system="knockout"), results=False)
    assert [one.facts["opponent"] for one in newcomer(first) if one.code == "may-be-seated"] == ["P2"]


def test_find_consequences_when_all_opponents_have_seats() -> None:
    robin = paired(event(6, rounds=5, system="round-robin"))
    assert "seat-empty" in after(robin, commands.withdraw_player, 3, key="w")
    assert "bracket-goes-on" in after(
        paired(event(8, rounds=3, system="knockout")), commands.withdraw_player, 1, key="w"
    )
    late = commands.add_player(robin, key="new", division=DIVISION, name="Late")
    assert "seat-last" in {consequence.code for consequence in find_consequences(robin, late, PlayerId("new"))}


def test_find_consequences_reports_an_impossible_ordered_pair() -> None:
    t = event(8)
    t = commands.order_pairing(t, key="o", player=player(t, 3).id, other=player(t, 4).id, round_number=2)
    found = after(t, commands.withdraw_player, 3, key="w")
    assert found["order-broken"].facts == {"player": "P3", "round": 2, "opponent": "P4"}
    assert "order-broken" not in after(t, commands.set_absence, 3, key="a", first_round=1)
    assert "order-broken" not in after(t, commands.withdraw_player, 5, key="w")
    apart = commands.forbid_pairing(event(8), key="f", player=player(t, 3).id, other=player(t, 4).id)
    assert "order-broken" not in after(apart, commands.withdraw_player, 3, key="w")
    away = commands.set_absence(t, key="a", player=player(t, 3).id, first_round=2)
    assert "order-broken" not in after(away, commands.clear_absence, 3, round_number=2)
    assert after(t, commands.set_absence, 4, key="a", first_round=2)["order-broken"].facts["opponent"] == "P3"
    later = commands.set_absence(t, key="a", player=player(t, 3).id, first_round=3)
    assert "order-broken" in {consequence.code for consequence in find_consequences(later, away, player(t, 3).id)}
    assert "order-broken" not in {
        consequence.code for consequence in find_consequences(away, later, player(t, 3).id)
    }


def test_find_consequences_of_unpairable_rest_and_end() -> None:
    assert after(event(2), commands.withdraw_player, 1, key="w")["too-few"].needs_action
    assert after(event(3), commands.withdraw_player, 1, key="w")["even-on"].facts["n"] == 2
    over = paired(event(4, rounds=1))
    assert [consequence.code for consequence in find_consequences(over, over, player(over, 1).id)] == [
        "nothing-follows"
    ]


def test_find_consequences_ignores_players_out_after_a_cut() -> None:
    t = event(9, rounds=2)
    t = commands.add_stage(t, key="final", division=DIVISION, system="king-of-the-hill", rounds=2, cut=4)
    before = paired(t, times=2)
    best = list_stage_players(Index(before), before.stages[StageId("final")])[0]
    gone = after(before, commands.withdraw_player, before.players[best].number, key="w")
    assert gone["even-on"].facts == {"round": 3, "n": 4}  # the next one goes on
    t = paired(before)
    late = commands.add_player(t, key="new", division=DIVISION, name="Late")
    found = {consequence.code: consequence for consequence in find_consequences(t, late, PlayerId("new"))}
    assert found["left-out"].facts == {"player": "Late", "round": 4}
    assert not {"even-once", "odd-once"} & set(found)
    games = Index(t).games(last_round(t).id)
    inside = t.players[games[0].first].number
    found = after(t, commands.set_absence, inside, key="a", first_round=4)
    assert found["odd-once"].facts == {"round": 4, "n": 3}
