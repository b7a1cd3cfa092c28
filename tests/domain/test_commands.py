"""Commands: their effects, and the codes of their refusals."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.commands import ResultBeforeChange
from tdapp.domain.entries import PlayerEntry, ResultEntry
from tdapp.domain.errors import RuleViolation
from tdapp.domain.game_results import swap_players_of_game
from tdapp.domain.index import Index
from tdapp.domain.model import (
    AbsenceId,
    ByeKind,
    DivisionId,
    Forfeit,
    PrizeId,
    PrizeKind,
    ResultState,
    RoundState,
    Start,
)
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.proposal import ProposedGame
from tdapp.domain.tables import rounds as round_tables
from tdapp.domain.tournament import Tournament, compute_diff, find_row_faults
from tdapp.pairing import propose_pairings
from tdapp.pairing.commands import swap_players
from tests.building import DIVISION, event, game_at, last_round, paired, played, player, ruleset


def refused(code: str, command: commands.Command, tournament: Tournament, /, **arguments: object) -> RuleViolation:
    with pytest.raises(RuleViolation) as caught:
        command(tournament, **arguments)
    assert caught.value.code == code
    return caught.value


# --- players


def test_add_player_gives_the_next_number() -> None:
    t = commands.add_player(event(3), key="n", division=DIVISION, name="  Late, Comer ", rating=1200)
    late = player(t, 4)
    assert (late.name, late.rating) == ("Late, Comer", 1200)


def test_add_player_refuses_a_used_key() -> None:
    t = event(3)
    there = player(t, 1)
    error = refused("changed-meanwhile", commands.add_player, t, key=there.id, division=DIVISION, name="X")
    assert error.facts == {"kind": "players", "id": there.id}


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("number-taken", {"name": "X", "number": 2}),
        ("text-missing", {"name": "  "}),
        ("text-too-long", {"name": "x" * 201}),
        ("text-not-printable", {"name": "a\x07b"}),
        ("number-out-of-range", {"name": "X", "rating": -1}),
        ("number-out-of-range", {"name": "X", "fixed_table": 0}),
        ("no-such-division", {"name": "X", "division": DivisionId("gone")}),
    ],
)
def test_add_player_refuses_invalid_fields(code: str, arguments: dict[str, object]) -> None:
    refused(code, commands.add_player, event(3), **{"key": "n", "division": DIVISION, **arguments})


def test_edit_player_keeps_other_fields() -> None:
    t = commands.edit_player(event(2), player=player(event(2), 1).id, club="Leiden")
    assert (player(t, 1).club, player(t, 1).name, player(t, 1).rating) == ("Leiden", "P1", 2000)
    t = commands.edit_player(t, player=player(t, 1).id, rating=None, number=9)
    assert (player(t, 9).rating, player(t, 9).club) == (None, "Leiden")


def test_edit_player_refuses_a_changed_row() -> None:
    t = event(2)
    seen = player(t, 1)
    t = commands.edit_player(t, player=seen.id, club="Leiden")
    refused("changed-meanwhile", commands.edit_player, t, player=seen.id, club="Gent", seen=seen)


def test_remove_player_refuses_a_player_with_games() -> None:
    t = paired(event(4))
    one = player(t, 1).id
    refused("player-has-games", commands.remove_player, t, player=one)
    t = commands.withdraw_player(t, key="w", player=one)
    assert Index(t).find_absence(one, 2) is not None
    assert Index(t).find_absence(one, 1) is None
    refused("already-withdrawn", commands.withdraw_player, t, key="x", player=one)
    t = commands.return_player(t, player=one)
    assert Index(t).find_absence(one, 2) is None
    refused("not-withdrawn", commands.return_player, t, player=one)


def test_remove_player_removes_dependent_rows() -> None:
    t = event(4)
    one, two = player(t, 1).id, player(t, 2).id
    t = commands.forbid_pairing(t, key="f", player=one, other=two)
    t = commands.set_absence(t, key="a", player=one, first_round=2)
    t = commands.remove_player(t, player=one)
    assert not t.constraints
    assert not t.absences
    assert find_row_faults(t) == ()


def _with_b(t: Tournament) -> Tournament:
    return commands.add_division(t, key="b", code="B")


def test_move_players_gives_a_new_number() -> None:
    b = DivisionId("b")
    t = commands.move_players(_with_b(event(3)), key="m", players=(player(event(3), 3).id,), division=b)
    assert [(player.name, player.number) for player in Index(t).players(b)] == [("P3", 1)]
    assert len(Index(t).players(DIVISION)) == 2
    one = (player(t, 1).id,)
    refused("already-in-division", commands.move_players, t, key="m", players=one, division=DIVISION)


def test_move_players_keeps_a_manual_prize_in_its_division() -> None:
    t, b = _with_b(event(3)), DivisionId("b")
    one = player(t, 3).id
    t = commands.add_prize(t, key="hat", division=DIVISION, kind=PrizeKind.HAND, player=one)
    t = commands.move_players(t, key="m", players=(one,), division=b)
    assert t.prizes[PrizeId("hat")].player is None


def test_move_players_leaves_played_games_behind() -> None:
    t, b = _with_b(paired(event(4))), DivisionId("b")
    t = commands.move_players(t, key="m", players=(player(t, 2).id, player(t, 1).id), division=b)
    assert [(player.name, player.number) for player in Index(t).players(b)] == [("P2", 1), ("P1", 2)]
    assert Index(t).has_withdrawn(player(t, 2).id)
    assert not Index(t).has_played(Index(t).players(b)[0].id)
    assert find_row_faults(t) == ()


def test_set_absence_splits_and_does_not_overlap() -> None:
    t = event(4)
    one = player(t, 1).id
    t = commands.set_absence(t, key="a", player=one, first_round=2, last_round=4, kind=ByeKind.REQUESTED)
    refused("already-absent", commands.set_absence, t, key="b", player=one, first_round=4)
    refused("rounds-reversed", commands.set_absence, t, key="b", player=one, first_round=3, last_round=2)
    t = commands.clear_absence(t, player=one, round_number=3)
    away = [number for number in range(1, 6) if Index(t).find_absence(one, number)]
    assert away == [2, 4]
    refused("not-absent", commands.clear_absence, t, player=one, round_number=3)
    for number in away:
        t = commands.clear_absence(t, player=one, round_number=number)
    assert not t.absences


def test_clear_absence_lets_a_withdrawn_player_play_one_round() -> None:
    t = event(4)
    one = player(t, 1).id
    t = commands.withdraw_player(t, key="w", player=one)
    t = commands.clear_absence(t, player=one, round_number=2)
    assert [(item.first_round, item.last_round) for item in Index(t).absences(one)] == [(1, 1), (3, None)]


def test_set_absence_refuses_a_published_round() -> None:
    t = paired(event(4))
    refused("round-published", commands.set_absence, t, key="a", player=player(t, 1).id, first_round=1)
    refused("round-published", commands.withdraw_player, t, key="a", player=player(t, 1).id, from_round=1)


def test_miss_round_refuses_a_round_beyond_the_plan() -> None:
    t = paired(event(4, rounds=5))
    one = player(t, 1).id
    assert commands.set_absence(t, key="a", player=one, first_round=5).absences[AbsenceId("a")].last_round == 5
    for rounds in ({"first_round": 6}, {"first_round": 2, "last_round": 6}):
        error = refused("round-not-planned", commands.set_absence, t, key="a", player=one, **rounds)
        assert error.facts == {"round": 6, "planned": 5}
    refused("round-not-planned", commands.miss_round, t, key="a", players=(one,), round_number=6)


def test_set_absence_refuses_an_impossible_round() -> None:
    t, last = paired(event(4)), 100_000
    one = player(t, 1).id
    for away in (2, last):
        assert (
            commands.withdraw_player(t, key="a", player=one, from_round=away).absences[AbsenceId("a")].first_round
            == away
        )
    for away in (-1, 0, last + 1):
        refused("number-out-of-range", commands.set_absence, t, key="a", player=one, first_round=away)
        refused("number-out-of-range", commands.withdraw_player, t, key="a", player=one, from_round=away)
        refused("number-out-of-range", commands.clear_absence, t, player=one, round_number=away)
    refused(
        "number-out-of-range", commands.set_absence, t, key="a", player=one, first_round=2, last_round=last + 1
    )


def test_forbid_pairing_once_and_allow_pairing_again() -> None:
    t = event(4)
    one, two = player(t, 1).id, player(t, 2).id
    refused("against-himself", commands.forbid_pairing, t, key="f", player=one, other=one)
    t = commands.forbid_pairing(t, key="f", player=one, other=two)
    refused("already-forbidden", commands.forbid_pairing, t, key="g", player=two, other=one)
    met = {frozenset({game.first, game.second}) for game in propose_pairings(Index(t), DIVISION).games}
    assert frozenset({one, two}) not in met
    assert not commands.allow_pairing(t, player=two, other=one).constraints
    refused("not-forbidden", commands.allow_pairing, event(4), player=one, other=two)


@pytest.mark.parametrize(
    ("bind", "more"),
    [
        (commands.forbid_pairing, {}),
        (commands.keep_apart, {}),
        (commands.order_pairing, {"round_number": 1}),
    ],
)
def test_forbid_pairing_refuses_players_of_two_divisions(bind: commands.Command, more: dict[str, int]) -> None:
    t = _with_b(event(4))
    t = commands.add_player(t, key="x", division=DivisionId("b"), name="X")
    one, other = player(t, 1).id, Index(t).players(DivisionId("b"))[0].id
    assert refused("against-himself", bind, t, key="f", player=one, other=one, **more).facts == {"player": "P1"}
    assert refused("other-division", bind, t, key="f", player=one, other=other, **more).facts == {"player": "X"}
    assert refused("other-division", bind, t, key="f", player=other, other=one, **more).facts == {"player": "P1"}
    for ends in ({"player": one, "other": "gone"}, {"player": "gone", "other": one}):
        refused("no-such-player", bind, t, key="f", **ends, **more)


@pytest.mark.parametrize(
    ("number", "code"),
    [(-1, "no-such-round"), (0, "no-such-round"), (1, "round-already-published"), (6, "no-such-round")],
)
def test_order_pairing_needs_a_coming_round(number: int, code: str) -> None:
    refused(
        code, commands.order_pairing, paired(event(4)), key="o", player=player(event(4), 1).id,
        other=player(event(4), 2).id, round_number=number,
    )  # fmt: skip


def test_check_in_and_take_it_back() -> None:
    t = event(3)
    ids = tuple(player.id for player in Index(t).players(DIVISION)[:2])
    t = commands.check_in(t, players=ids)
    assert [player.checked_in for player in Index(t).players(DIVISION)] == [True, True, False]
    t = commands.check_in(t, players=ids[:1], present=False)
    assert [player.checked_in for player in Index(t).players(DIVISION)] == [False, True, False]


def test_import_players_all_or_none() -> None:
    entries = (PlayerEntry(None, "New", line=2), PlayerEntry(None, "p1", line=3))
    error = refused(
        "player-exists", commands.import_players, event(2), key="i", division=DIVISION, entries=entries
    )
    assert error.facts["line"] == 3
    t = commands.import_players(event(2), key="i", division=DIVISION, entries=entries[:1])
    assert player(t, 3).name == "New"


# --- divisions and stages


def test_add_division_needs_a_unique_code() -> None:
    refused("division-exists", commands.add_division, event(), key="x", code="a")
    refused("division-not-empty", commands.remove_division, event(), division=DIVISION)
    t = commands.remove_division(_with_b(event()), division=DivisionId("b"))
    assert [division.code for division in Index(t).divisions] == ["A"]
    assert _with_b(event()).divisions[DivisionId("b")].first_table > 8


def test_edit_stage_refuses_fewer_rounds_than_exist() -> None:
    t = paired(event(4), times=2)
    stage = next(iter(t.stages))
    refused("rounds-already-made", commands.edit_stage, t, stage=stage, rounds=1)
    refused("stage-started", commands.edit_stage, t, stage=stage, system="knockout")
    refused("stage-started", commands.remove_stage, t, stage=stage)
    refused("unknown-setting", commands.edit_stage, t, stage=stage, settings=PairingSettings(avoid=("shoe",)))
    assert commands.edit_stage(t, stage=stage, rounds=9).stages[stage].rounds == 9


def test_set_seeds_accepts_each_player_of_the_division_once() -> None:
    t = event(4, system="knockout", rounds=2)
    stage = next(iter(t.stages))
    ids = tuple(player.id for player in Index(t).players(DIVISION))
    refused("seeded-twice", commands.set_seeds, t, key="s", stage=stage, players=(ids[0], ids[0]))
    t = commands.set_seeds(t, key="s", stage=stage, players=ids[::-1])
    assert [seed.player for seed in Index(t).seeds(stage)] == list(ids[::-1])
    refused("stage-started", commands.set_seeds, paired(t), key="s2", stage=stage, players=ids)


def test_set_order_refuses_unknown_tiebreaks() -> None:
    refused("unknown-tiebreak", commands.set_order, event(), division=DIVISION, order=("wins", "luck"))
    t = commands.set_order(event(), division=DIVISION, order=("points",))
    assert t.divisions[DIVISION].order == ("points",)
    refused("number-out-of-range", commands.set_spread_caps, event(), division=DIVISION, caps=(-1,))


# --- the tournament


def test_finish_tournament_refuses_changes_until_reopened() -> None:
    t = paired(event(4), times=1)
    refused("tournament-not-finished", commands.reopen_tournament, t)
    done = commands.finish_tournament(t)
    refused("tournament-finished", commands.add_player, done, key="n", division=DIVISION, name="X")
    refused("tournament-finished", commands.finish_tournament, done)
    assert commands.add_player(commands.reopen_tournament(done), key="n", division=DIVISION, name="X").players


def test_finish_tournament_refuses_open_games() -> None:
    error = refused("results-needed", commands.finish_tournament, paired(event(4), results=False))
    assert error.facts["tables"] == (1, 2)


def test_change_rules_applies_immediately() -> None:
    t = paired(event(4))
    points = replace(ruleset("nl-points"), id="own")
    assert commands.change_rules(t, ruleset=points).ruleset.get_ranking_order("swiss") == ("points",)


# --- rounds


def test_propose_round_replaces_a_draft() -> None:
    t = event(5)
    proposal = propose_pairings(Index(t), DIVISION)
    t = commands.propose_round(t, key="a", proposal=proposal)
    draft = last_round(t)
    assert draft.state is RoundState.DRAFT
    refused("round-not-published", commands.enter_result, t, game=game_at(t, 1).id, first=1, second=2)
    t = commands.propose_round(t, key="b", proposal=proposal)
    assert last_round(t).id == draft.id
    assert len(t.games) == 2
    t = commands.publish_round(t, round=draft.id)
    assert last_round(t).state is RoundState.PUBLISHED
    refused("round-already-published", commands.publish_round, t, round=draft.id)
    assert [row.kind for row in round_tables.make_bye_table(Index(t), last_round(t)).rows] == ["bye"]


def test_propose_round_refuses_an_outdated_proposal() -> None:
    t = event(6)
    proposal = propose_pairings(Index(t), DIVISION)
    t = commands.withdraw_player(t, key="w", player=player(t, 1).id)
    refused("pairing-outdated", commands.propose_round, t, key="a", proposal=proposal)
    refused("not-next-round", commands.propose_round, event(6), key="a", proposal=replace(proposal, number=2))


@pytest.mark.parametrize("code", ["against-himself", "twice-in-round", "table-twice", "other-division"])
def test_propose_round_refuses_wrong_seats(code: str) -> None:
    t = commands.add_player(_with_b(event(4)), key="x", division=DivisionId("b"), name="Stranger")
    proposal = propose_pairings(Index(t), DIVISION)
    one, two = proposal.games
    games = {
        "against-himself": (replace(one, second=one.first), two),
        "twice-in-round": (one, replace(two, first=one.first)),
        "table-twice": (one, replace(two, table=one.table)),
        "other-division": (ProposedGame(1, one.first, next(p for p in t.players if p == "x")), two),
    }[code]
    refused(code, commands.propose_round, t, key="a", proposal=replace(proposal, games=games))


def test_discard_round_needs_a_reason_and_consent() -> None:
    t = paired(event(4), times=2)
    first, second = Index(t).rounds(DIVISION)
    refused("not-last-round", commands.discard_round, t, round=first.id, reason="x", with_results=True)
    refused("reason-needed", commands.discard_round, t, round=second.id)
    error = refused("round-has-results", commands.discard_round, t, round=second.id, reason="wrong")
    assert error.facts["tables"] == [1, 2]
    t = commands.discard_round(t, round=second.id, reason="wrong", with_results=True)
    assert [item.number for item in Index(t).rounds(DIVISION)] == [1]
    assert find_row_faults(t) == ()


def test_unpublish_round_keeps_manual_changes() -> None:
    t = paired(event(7))
    proposal = propose_pairings(Index(t), DIVISION)
    t = commands.propose_round(t, key="k", proposal=proposal)
    (bye,) = Index(t).byes(last_round(t).id)
    t = swap_players(t, key="w", round=last_round(t).id, player=bye.player, other=game_at(t, 1).first)
    t = draft = commands.lock_game(t, game=game_at(t, 2).id)
    second = last_round(t)
    refused("round-not-published", commands.unpublish_round, t, round=second.id, reason="x")
    t = played(commands.publish_round(t, round=second.id))
    first = Index(t).rounds(DIVISION)[0]
    refused("not-last-round", commands.unpublish_round, t, round=first.id, reason="x", with_results=True)
    refused("reason-needed", commands.unpublish_round, t, round=second.id, reason=" ", with_results=True)
    refused("round-has-results", commands.unpublish_round, t, round=second.id, reason="wrong")
    t = commands.unpublish_round(t, round=second.id, reason="wrong", with_results=True)
    assert compute_diff(draft, t) == ()
    assert find_row_faults(commands.publish_round(t, round=second.id)) == ()


def test_unpublish_round_removes_seats_of_a_first_knockout_round() -> None:
    t = event(6, system="knockout", rounds=3)
    t = draft = commands.propose_round(t, key="k", proposal=propose_pairings(Index(t), DIVISION))
    t = commands.publish_round(t, round=last_round(t).id)
    assert t.seeds
    assert compute_diff(draft, commands.unpublish_round(t, round=last_round(t).id, reason="wrong")) == ()


def test_set_table_swaps_tables() -> None:
    t = paired(event(4), results=False)
    one, two = game_at(t, 1), game_at(t, 2)
    t = commands.set_table(t, game=one.id, table=2)
    assert (t.games[one.id].table, t.games[two.id].table) == (2, 1)
    assert commands.set_table(t, game=one.id, table=77).games[one.id].table == 77


def test_set_starter_of_an_open_game() -> None:
    t = paired(event(4), results=False)
    game = game_at(t, 1)
    turned = commands.set_starter(t, game=game.id, player=game.second)
    assert turned.games[game.id].first == game.second
    refused("not-at-table", commands.set_starter, t, game=game.id, player=game_at(t, 2).first)
    done = commands.enter_result(t, game=game.id, first=400, second=300)
    refused("game-has-result", commands.set_starter, done, game=game.id, player=game.second)


def test_play_as_seated_records_the_real_seats() -> None:
    t = paired(event(4), results=False)
    one, two = game_at(t, 1), game_at(t, 2)
    seats = ((1, one.first, two.second), (2, two.first, one.second))
    t2 = commands.play_as_seated(t, round=one.round, seats=seats)
    assert (t2.games[one.id].second, t2.games[two.id].second) == (two.second, one.second)
    as_published = tuple((game.table, game.first, game.second) for game in (one, two))
    assert compute_diff(t, commands.play_as_seated(t, round=one.round, seats=as_published)) == ()
    refused("not-the-same-players", commands.play_as_seated, t, round=one.round, seats=seats[:1])
    done = commands.enter_result(t, game=one.id, first=400, second=300)
    refused("game-has-result", commands.play_as_seated, done, round=one.round, seats=seats)


def test_play_as_seated_swaps_the_bye() -> None:
    t = paired(event(5), results=False)
    one, (bye,) = game_at(t, 1), Index(t).list_unopposed_byes(last_round(t).id)
    seats = ((1, one.first, bye.player),)
    t2 = commands.play_as_seated(t, round=one.round, seats=seats, byes=(one.second,))
    assert (t2.games[one.id].second, t2.byes[bye.id].player) == (bye.player, one.second)
    assert Index(t2).list_seated_players(one.round) == Index(t).list_seated_players(one.round)
    same = commands.play_as_seated(
        t, round=one.round, seats=((one.table, one.second, one.first),), byes=(bye.player,)
    )
    assert (same.games[one.id].first, same.byes[bye.id]) == (one.second, bye)
    for wrong in ((), (bye.player,), (one.second, one.second)):
        refused("not-the-same-players", commands.play_as_seated, t, round=one.round, seats=seats, byes=wrong)


@pytest.mark.parametrize(("again", "left"), [(2, []), (3, [(2, 2)]), (5, [(2, 4)])])
def test_return_player_keeps_the_absence_before(again: int, left: list[tuple[int, int]]) -> None:
    t = event(6)
    one = player(t, 3).id
    t = commands.withdraw_player(t, key="w", player=one, from_round=2)
    t = commands.return_player(t, player=one, from_round=again)
    assert [(item.first_round, item.last_round) for item in t.absences.values()] == left


@pytest.mark.parametrize(("number", "left"), [(1, []), (2, [(1, 1)]), (3, [(1, 2)])])
def test_seat_latecomer_ends_the_absence(number: int, left: list[tuple[int, int]]) -> None:
    t = event(6)
    late = player(t, 6).id
    t = commands.set_absence(t, key="a", player=late, first_round=1, last_round=4)
    t = paired(paired(t, times=number - 1), results=False)
    item = last_round(t)
    waiting = next(bye.player for bye in Index(t).byes(item.id) if bye.player != late)
    t = commands.seat_latecomer(t, key="g", round=item.id, player=late, starter=late)
    assert {late, waiting} <= Index(t).list_seated_players(item.id)
    assert [(absence.first_round, absence.last_round) for absence in t.absences.values()] == left


def test_seat_latecomer_replaces_the_bye() -> None:
    t = paired(event(5), results=False)
    before = {game.id: game for game in t.games.values()}
    t = commands.add_player(t, key="late", division=DIVISION, name="Late")
    late, waiting = player(t, 6).id, next(iter(t.byes.values())).player
    item = last_round(t)
    t = commands.seat_latecomer(t, key="g", round=item.id, player=late, starter=waiting)
    assert not t.byes
    assert {game.id: game for game in t.games.values() if game.id in before} == before
    assert game_at(t, 3).first == waiting
    refused("twice-in-round", commands.seat_latecomer, t, key="h", round=item.id, player=late, starter=late)
    draft = t.put(replace(item, state=RoundState.DRAFT))
    refused(
        "round-not-published", commands.seat_latecomer, draft, key="h", round=item.id, player=late, starter=late
    )
    even = paired(event(4), results=False)
    even = commands.add_player(even, key="late", division=DIVISION, name="Late")
    refused(
        "nobody-has-bye",
        commands.seat_latecomer,
        even,
        key="g",
        round=last_round(even).id,
        player=player(even, 5).id,
        starter=player(even, 5).id,
    )


# --- results


def open_game() -> tuple[Tournament, commands.Command]:
    return paired(event(4), results=False), commands.enter_result


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("points-missing", {"first": 400}),
        ("forfeit-with-points", {"first": 400, "second": 300, "forfeit": Forfeit.FIRST}),
        ("implausible-points", {"first": 1501, "second": 300}),
        ("implausible-points", {"first": 400, "second": -151}),
        ("number-out-of-range", {"first": 10_000, "second": 300, "confirmed": True}),
        ("start-assigned", {"first": 400, "second": 300, "started": Forfeit.SECOND}),
        ("one-starter", {"first": 400, "second": 300, "started": Forfeit.BOTH}),
    ],
)
def test_enter_result_refuses_invalid_results(code: str, arguments: dict[str, object]) -> None:
    t = paired(event(4), results=False)
    refused(code, commands.enter_result, t, game=game_at(t, 1).id, **arguments)


@pytest.mark.parametrize("points", [{"first": 400}, {"second": 400}, {"first": 0}, {"first": 400, "second": 300}])
def test_enter_result_forfeit_has_no_points(points: dict[str, int]) -> None:
    t = paired(event(4), results=False)
    game = game_at(t, 1).id
    refused("forfeit-with-points", commands.enter_result, t, game=game, forfeit=Forfeit.FIRST, **points)


@pytest.mark.parametrize("points", [{"first": 400}, {"second": 400}, {}])
def test_enter_result_played_game_needs_points_of_both(points: dict[str, int]) -> None:
    t = paired(event(4), results=False)
    refused("points-missing", commands.enter_result, t, game=game_at(t, 1).id, **points)


def test_enter_result_refuses_implausible_scores_at_both_limits() -> None:
    t = paired(event(4), results=False)
    limits, game = t.ruleset.scores, game_at(t, 1).id
    for points in (limits.lowest, 0, limits.highest):
        assert commands.enter_result(t, game=game, first=points, second=300).results[game].first == points
        assert commands.enter_result(t, game=game, first=300, second=points).results[game].second == points
    for points in (limits.lowest - 1, limits.highest + 1):
        error = refused("implausible-points", commands.enter_result, t, game=game, first=300, second=points)
        assert error.facts["points"] == points


def test_enter_result_accepts_a_confirmed_implausible_score() -> None:
    t = paired(event(4), results=False)
    t = commands.enter_result(t, game=game_at(t, 1).id, first=1501, second=300, confirmed=True)
    assert t.results[game_at(t, 1).id].first == 1501


def test_enter_result_refuses_to_overwrite_an_unseen_result() -> None:
    t = paired(event(4), results=False)
    game = game_at(t, 1).id
    t = commands.enter_result(t, game=game, first=400, second=300, seen=ResultBeforeChange(None))
    refused(
        "changed-meanwhile", commands.enter_result, t, game=game, first=1, second=2, seen=ResultBeforeChange(None)
    )
    refused("changed-meanwhile", commands.clear_result, t, game=game, seen=ResultBeforeChange(None))
    t = commands.enter_result(t, game=game, first=401, second=300, seen=ResultBeforeChange(t.results[game]))
    assert t.results[game].first == 401


def test_dispute_result_stays_until_the_jury_decides() -> None:
    t = paired(event(4), results=False)
    game = game_at(t, 1).id
    refused("no-result", commands.dispute_result, t, game=game, first=430, second=300)
    t = commands.enter_result(t, game=game, first=400, second=300)
    refused("implausible-points", commands.dispute_result, t, game=game, first=9999, second=300)
    t = commands.dispute_result(t, game=game, first=430, second=300, seen=ResultBeforeChange(t.results[game]))
    result = t.results[game]
    assert (result.first, result.disputed, result.status) == (400, (430, 300), "disputed")
    assert swap_players_of_game(t, game).results[game].disputed == (300, 430)
    for settled in (
        commands.check_result(t, game=game),
        commands.enter_result(t, game=game, first=430, second=300),
        commands.second_result(t, game=game, first=430, second=300),
    ):
        assert settled.results[game].disputed is None
    refused("already-in-state", commands.dispute_result, commands.check_result(t, game=game), game=game, first=1,
            second=2)  # fmt: skip


def test_certify_result_then_changes_need_a_reason() -> None:
    t = paired(event(4), results=False)
    game = game_at(t, 1).id
    refused("no-result", commands.check_result, t, game=game)
    t = commands.enter_result(t, game=game, first=400, second=300)
    t = commands.check_result(t, game=game)
    refused("already-in-state", commands.check_result, t, game=game)
    t = commands.certify_result(t, game=game)
    assert t.results[game].state is ResultState.FINAL
    refused("result-final", commands.enter_result, t, game=game, first=1, second=2)
    refused("result-final", commands.clear_result, t, game=game)
    t = commands.enter_result(t, game=game, first=1, second=2, reason="slip misread")
    assert t.results[game].state is ResultState.ENTERED


def test_enter_result_stores_the_drawn_start() -> None:
    t = event(4)
    stage = next(iter(t.stages))
    t = commands.edit_stage(t, stage=stage, settings=PairingSettings(draw_starts=True))
    t = paired(t, results=False)
    game = game_at(t, 1)
    assert game.start is Start.DRAW
    t = commands.enter_result(t, game=game.id, first=400, second=300, started=Forfeit.SECOND)
    turned = t.games[game.id]
    assert (turned.first, turned.start) == (game.second, Start.DRAWN)
    assert (t.results[game.id].first, t.results[game.id].second) == (300, 400)
    t = commands.clear_result(t, game=game.id)
    assert t.games[game.id].start is Start.DRAW


def test_enter_result_forfeit_follows_the_drawn_starter() -> None:
    t = commands.edit_stage(
        event(4), stage=next(iter(event(4).stages)), settings=PairingSettings(draw_starts=True)
    )
    t = paired(t, results=False)
    game = game_at(t, 1)
    t = commands.enter_result(t, game=game.id, forfeit=Forfeit.FIRST, started=Forfeit.SECOND)
    assert t.results[game.id].forfeit is Forfeit.SECOND
    assert t.games[game.id].second == game.first


def test_enter_results_all_or_none() -> None:
    t = paired(event(4), results=False)
    good = (ResultEntry(1, 1, 400, 300), ResultEntry(1, 2, 350, 360))
    assert len(commands.enter_results(t, division=DIVISION, entries=good).results) == 2
    for code, bad in {
        "no-such-table": ResultEntry(1, 9, 1, 2, line=5),
        "no-such-round": ResultEntry(2, 1, 1, 2, line=5),
        "result-twice": ResultEntry(1, 1, 1, 2, line=5),
        "implausible-points": ResultEntry(1, 2, 9999, 2, line=5),
    }.items():
        error = refused(code, commands.enter_results, t, division=DIVISION, entries=(good[0], bad))
        assert error.facts["line"] == 5


def test_decide_tie_by_an_extra_game() -> None:
    t = paired(event(4, system="knockout", rounds=2), results=False)
    game = game_at(t, 1).id
    refused("no-tie", commands.decide_tie, t, game=game, winner=Forfeit.FIRST)
    t = commands.enter_result(t, game=game, first=400, second=400)
    refused("one-winner", commands.decide_tie, t, game=game, winner=Forfeit.BOTH)
    assert commands.decide_tie(t, game=game, winner=Forfeit.SECOND).results[game].advances is Forfeit.SECOND
