"""Tests of commands: their effects and the codes of their refusals."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.commands import ResultBeforeChange
from tdapp.domain.entries import PlayerEntry, ResultEntry
from tdapp.domain.errors import CommandError
from tdapp.domain.game_results import swap_players_after_tile_draw
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    AbsenceId,
    ByeKind,
    DivisionId,
    GameSide,
    PrizeId,
    PrizeKind,
    ResultState,
    RoundState,
    StartDecision,
)
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.proposal import ProposedGame
from tdapp.domain.tables import rounds as round_tables
from tdapp.domain.tournament import Tournament, compute_diff, find_inconsistent_rows
from tdapp.pairing import propose_pairings
from tdapp.pairing.commands import swap_players
from tests.building import (
    DIVISION,
    enter_results,
    get_game_at,
    get_last_round,
    get_player,
    load_rule_set,
    make_event,
    pair_rounds,
)


def assert_refused(
    code: str, command: commands.Command, tournament: Tournament, /, **arguments: object
) -> CommandError:
    with pytest.raises(CommandError) as error:
        command(tournament, **arguments)
    assert error.value.code == code
    return error.value


# --- players


def test_add_player_gives_the_next_number() -> None:
    t = commands.add_player(make_event(3), key="n", division=DIVISION, name="  Late, Comer ", rating=1200)
    latecomer = get_player(t, 4)
    assert (latecomer.name, latecomer.rating) == ("Late, Comer", 1200)


def test_add_player_refuses_a_used_key() -> None:
    t = make_event(3)
    existing_player = get_player(t, 1)
    error = assert_refused(
        "changed-meanwhile", commands.add_player, t, key=existing_player.id, division=DIVISION, name="X"
    )
    assert error.facts == {"kind": "players", "id": existing_player.id}


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
    assert_refused(code, commands.add_player, make_event(3), **{"key": "n", "division": DIVISION, **arguments})


def test_edit_player_keeps_other_fields() -> None:
    t = commands.edit_player(make_event(2), player=get_player(make_event(2), 1).id, club="Leiden")
    assert (get_player(t, 1).club, get_player(t, 1).name, get_player(t, 1).rating) == ("Leiden", "P1", 2000)
    t = commands.edit_player(t, player=get_player(t, 1).id, rating=None, number=9)
    assert (get_player(t, 9).rating, get_player(t, 9).club) == (None, "Leiden")


def test_edit_player_refuses_a_changed_row() -> None:
    t = make_event(2)
    seen_player = get_player(t, 1)
    t = commands.edit_player(t, player=seen_player.id, club="Leiden")
    assert_refused(
        "changed-meanwhile", commands.edit_player, t, player=seen_player.id, club="Gent", seen=seen_player
    )


def test_remove_player_refuses_a_player_with_games() -> None:
    t = pair_rounds(make_event(4))
    player_id = get_player(t, 1).id
    assert_refused("player-has-games", commands.remove_player, t, player=player_id)
    t = commands.withdraw_player(t, key="w", player=player_id)
    assert TournamentIndex(t).find_absence(player_id, 2) is not None
    assert TournamentIndex(t).find_absence(player_id, 1) is None
    assert_refused("already-withdrawn", commands.withdraw_player, t, key="x", player=player_id)
    t = commands.return_player(t, player=player_id)
    assert TournamentIndex(t).find_absence(player_id, 2) is None
    assert_refused("not-withdrawn", commands.return_player, t, player=player_id)


def test_remove_player_removes_dependent_rows() -> None:
    t = make_event(4)
    first_id, second_id = get_player(t, 1).id, get_player(t, 2).id
    t = commands.forbid_pairing(t, key="f", player=first_id, other=second_id)
    t = commands.set_absence(t, key="a", player=first_id, first_round=2)
    t = commands.remove_player(t, player=first_id)
    assert not t.constraints
    assert not t.absences
    assert find_inconsistent_rows(t) == ()


def add_division_b(t: Tournament) -> Tournament:
    return commands.add_division(t, key="b", code="B")


def test_move_players_gives_a_new_number() -> None:
    b = DivisionId("b")
    t = commands.move_players(
        add_division_b(make_event(3)), key="m", players=(get_player(make_event(3), 3).id,), division=b
    )
    assert [(player.name, player.number) for player in TournamentIndex(t).players(b)] == [("P3", 1)]
    assert len(TournamentIndex(t).players(DIVISION)) == 2
    player_ids = (get_player(t, 1).id,)
    assert_refused("already-in-division", commands.move_players, t, key="m", players=player_ids, division=DIVISION)


def test_move_players_keeps_a_manual_prize_in_its_division() -> None:
    t, b = add_division_b(make_event(3)), DivisionId("b")
    player_id = get_player(t, 3).id
    t = commands.add_prize(t, key="hat", division=DIVISION, kind=PrizeKind.HAND, player=player_id)
    t = commands.move_players(t, key="m", players=(player_id,), division=b)
    assert t.prizes[PrizeId("hat")].player is None


def test_move_players_keeps_played_games_in_the_old_division() -> None:
    t, b = add_division_b(pair_rounds(make_event(4))), DivisionId("b")
    t = commands.move_players(t, key="m", players=(get_player(t, 2).id, get_player(t, 1).id), division=b)
    assert [(player.name, player.number) for player in TournamentIndex(t).players(b)] == [("P2", 1), ("P1", 2)]
    assert TournamentIndex(t).has_withdrawn(get_player(t, 2).id)
    assert not TournamentIndex(t).has_game_or_bye_or_seat(TournamentIndex(t).players(b)[0].id)
    assert find_inconsistent_rows(t) == ()


def test_set_absence_splits_overlapping_absences() -> None:
    t = make_event(4)
    player_id = get_player(t, 1).id
    t = commands.set_absence(t, key="a", player=player_id, first_round=2, last_round=4, kind=ByeKind.REQUESTED)
    assert_refused("already-absent", commands.set_absence, t, key="b", player=player_id, first_round=4)
    assert_refused(
        "rounds-reversed", commands.set_absence, t, key="b", player=player_id, first_round=3, last_round=2
    )
    t = commands.clear_absence(t, player=player_id, round_number=3)
    absent_rounds = [number for number in range(1, 6) if TournamentIndex(t).find_absence(player_id, number)]
    assert absent_rounds == [2, 4]
    assert_refused("not-absent", commands.clear_absence, t, player=player_id, round_number=3)
    for number in absent_rounds:
        t = commands.clear_absence(t, player=player_id, round_number=number)
    assert not t.absences


def test_clear_absence_lets_a_withdrawn_player_play_one_round() -> None:
    t = make_event(4)
    player_id = get_player(t, 1).id
    t = commands.withdraw_player(t, key="w", player=player_id)
    t = commands.clear_absence(t, player=player_id, round_number=2)
    assert [(item.first_round, item.last_round) for item in TournamentIndex(t).absences(player_id)] == [
        (1, 1),
        (3, None),
    ]


def test_set_absence_refuses_a_published_round() -> None:
    t = pair_rounds(make_event(4))
    assert_refused("round-published", commands.set_absence, t, key="a", player=get_player(t, 1).id, first_round=1)
    assert_refused(
        "round-published", commands.withdraw_player, t, key="a", player=get_player(t, 1).id, from_round=1
    )


def test_miss_round_refuses_a_round_beyond_the_plan() -> None:
    t = pair_rounds(make_event(4, rounds=5))
    player_id = get_player(t, 1).id
    assert (
        commands.set_absence(t, key="a", player=player_id, first_round=5).absences[AbsenceId("a")].last_round == 5
    )
    for rounds in ({"first_round": 6}, {"first_round": 2, "last_round": 6}):
        error = assert_refused("round-not-planned", commands.set_absence, t, key="a", player=player_id, **rounds)
        assert error.facts == {"round": 6, "planned": 5}
    assert_refused("round-not-planned", commands.miss_round, t, key="a", players=(player_id,), round_number=6)


def test_set_absence_refuses_an_impossible_round() -> None:
    t, last = pair_rounds(make_event(4)), 100_000
    player_id = get_player(t, 1).id
    for round_number in (2, last):
        assert (
            commands.withdraw_player(t, key="a", player=player_id, from_round=round_number)
            .absences[AbsenceId("a")]
            .first_round
            == round_number
        )
    for round_number in (-1, 0, last + 1):
        assert_refused(
            "number-out-of-range", commands.set_absence, t, key="a", player=player_id, first_round=round_number
        )
        assert_refused(
            "number-out-of-range", commands.withdraw_player, t, key="a", player=player_id, from_round=round_number
        )
        assert_refused(
            "number-out-of-range", commands.clear_absence, t, player=player_id, round_number=round_number
        )
    assert_refused(
        "number-out-of-range",
        commands.set_absence,
        t,
        key="a",
        player=player_id,
        first_round=2,
        last_round=last + 1,
    )


def test_forbid_pairing_and_allow_pairing() -> None:
    t = make_event(4)
    first_id, second_id = get_player(t, 1).id, get_player(t, 2).id
    assert_refused("against-himself", commands.forbid_pairing, t, key="f", player=first_id, other=first_id)
    t = commands.forbid_pairing(t, key="f", player=first_id, other=second_id)
    assert_refused("already-forbidden", commands.forbid_pairing, t, key="g", player=second_id, other=first_id)
    pairs = {frozenset({game.first, game.second}) for game in propose_pairings(TournamentIndex(t), DIVISION).games}
    assert frozenset({first_id, second_id}) not in pairs
    assert not commands.allow_pairing(t, player=second_id, other=first_id).constraints
    assert_refused("not-forbidden", commands.allow_pairing, make_event(4), player=first_id, other=second_id)


@pytest.mark.parametrize(
    ("bind", "further_arguments"),
    [
        (commands.forbid_pairing, {}),
        (commands.keep_apart, {}),
        (commands.order_pairing, {"round_number": 1}),
    ],
)
def test_forbid_pairing_refuses_players_of_two_divisions(
    bind: commands.Command, further_arguments: dict[str, int]
) -> None:
    t = add_division_b(make_event(4))
    t = commands.add_player(t, key="x", division=DivisionId("b"), name="X")
    first_id, second_id = get_player(t, 1).id, TournamentIndex(t).players(DivisionId("b"))[0].id
    assert assert_refused(
        "against-himself", bind, t, key="f", player=first_id, other=first_id, **further_arguments
    ).facts == {"player": "P1"}
    assert assert_refused(
        "other-division", bind, t, key="f", player=first_id, other=second_id, **further_arguments
    ).facts == {"player": "X"}
    assert assert_refused(
        "other-division", bind, t, key="f", player=second_id, other=first_id, **further_arguments
    ).facts == {"player": "P1"}
    for players in ({"player": first_id, "other": "gone"}, {"player": "gone", "other": first_id}):
        assert_refused("no-such-player", bind, t, key="f", **players, **further_arguments)


@pytest.mark.parametrize(
    ("number", "code"),
    [(-1, "no-such-round"), (0, "no-such-round"), (1, "round-already-published"), (6, "no-such-round")],
)
def test_order_pairing_needs_a_coming_round(number: int, code: str) -> None:
    assert_refused(
        code, commands.order_pairing, pair_rounds(make_event(4)), key="o", player=get_player(make_event(4), 1).id,
        other=get_player(make_event(4), 2).id, round_number=number,
    )  # fmt: skip


def test_check_in_can_be_reversed() -> None:
    t = make_event(3)
    ids = tuple(player.id for player in TournamentIndex(t).players(DIVISION)[:2])
    t = commands.check_in(t, players=ids)
    assert [player.checked_in for player in TournamentIndex(t).players(DIVISION)] == [True, True, False]
    t = commands.check_in(t, players=ids[:1], present=False)
    assert [player.checked_in for player in TournamentIndex(t).players(DIVISION)] == [False, True, False]


def test_import_players_adds_all_or_no_players() -> None:
    entries = (PlayerEntry(None, "New", line=2), PlayerEntry(None, "p1", line=3))
    error = assert_refused(
        "player-exists", commands.import_players, make_event(2), key="i", division=DIVISION, entries=entries
    )
    assert error.facts["line"] == 3
    t = commands.import_players(make_event(2), key="i", division=DIVISION, entries=entries[:1])
    assert get_player(t, 3).name == "New"


# --- divisions and stages


def test_add_division_needs_a_unique_code() -> None:
    assert_refused("division-exists", commands.add_division, make_event(), key="x", code="a")
    assert_refused("division-not-empty", commands.remove_division, make_event(), division=DIVISION)
    t = commands.remove_division(add_division_b(make_event()), division=DivisionId("b"))
    assert [division.code for division in TournamentIndex(t).divisions] == ["A"]
    assert add_division_b(make_event()).divisions[DivisionId("b")].first_table > 8


def test_edit_stage_refuses_fewer_rounds_than_exist() -> None:
    t = pair_rounds(make_event(4), times=2)
    stage = next(iter(t.stages))
    assert_refused("rounds-already-made", commands.edit_stage, t, stage=stage, rounds=1)
    assert_refused("stage-started", commands.edit_stage, t, stage=stage, system="knockout")
    assert_refused("stage-started", commands.remove_stage, t, stage=stage)
    assert_refused(
        "unknown-setting", commands.edit_stage, t, stage=stage, settings=PairingSettings(avoid=("shoe",))
    )
    assert commands.edit_stage(t, stage=stage, rounds=9).stages[stage].rounds == 9


def test_set_seeds_accepts_each_player_of_the_division_once() -> None:
    t = make_event(4, system="knockout", rounds=2)
    stage = next(iter(t.stages))
    ids = tuple(player.id for player in TournamentIndex(t).players(DIVISION))
    assert_refused("seeded-twice", commands.set_seeds, t, key="s", stage=stage, players=(ids[0], ids[0]))
    t = commands.set_seeds(t, key="s", stage=stage, players=ids[::-1])
    assert [seed.player for seed in TournamentIndex(t).seeds(stage)] == list(ids[::-1])
    assert_refused("stage-started", commands.set_seeds, pair_rounds(t), key="s2", stage=stage, players=ids)


def test_set_order_refuses_unknown_tiebreaks() -> None:
    assert_refused("unknown-tiebreak", commands.set_order, make_event(), division=DIVISION, order=("wins", "luck"))
    t = commands.set_order(make_event(), division=DIVISION, order=("points",))
    assert t.divisions[DIVISION].order == ("points",)
    assert_refused("number-out-of-range", commands.set_spread_caps, make_event(), division=DIVISION, caps=(-1,))


# --- the tournament


def test_finish_tournament_refuses_changes_until_reopened() -> None:
    t = pair_rounds(make_event(4), times=1)
    assert_refused("tournament-not-finished", commands.reopen_tournament, t)
    finished = commands.finish_tournament(t)
    assert_refused("tournament-finished", commands.add_player, finished, key="n", division=DIVISION, name="X")
    assert_refused("tournament-finished", commands.finish_tournament, finished)
    assert commands.add_player(commands.reopen_tournament(finished), key="n", division=DIVISION, name="X").players


def test_finish_tournament_refuses_open_games() -> None:
    error = assert_refused("results-needed", commands.finish_tournament, pair_rounds(make_event(4), results=False))
    assert error.facts["tables"] == (1, 2)


def test_change_rules_applies_immediately() -> None:
    t = pair_rounds(make_event(4))
    points = replace(load_rule_set("nl-points"), id="own")
    assert commands.change_rules(t, ruleset=points).ruleset.get_tiebreak_order_for_system("swiss") == ("points",)


# --- rounds


def test_propose_round_replaces_a_draft() -> None:
    t = make_event(5)
    proposal = propose_pairings(TournamentIndex(t), DIVISION)
    t = commands.propose_round(t, key="a", proposal=proposal)
    draft = get_last_round(t)
    assert draft.state is RoundState.DRAFT
    assert_refused("round-not-published", commands.enter_result, t, game=get_game_at(t, 1).id, first=1, second=2)
    t = commands.propose_round(t, key="b", proposal=proposal)
    assert get_last_round(t).id == draft.id
    assert len(t.games) == 2
    t = commands.publish_round(t, round=draft.id)
    assert get_last_round(t).state is RoundState.PUBLISHED
    assert_refused("round-already-published", commands.publish_round, t, round=draft.id)
    assert [row.kind for row in round_tables.make_bye_table(TournamentIndex(t), get_last_round(t)).rows] == ["bye"]


def test_propose_round_refuses_an_outdated_proposal() -> None:
    t = make_event(6)
    proposal = propose_pairings(TournamentIndex(t), DIVISION)
    t = commands.withdraw_player(t, key="w", player=get_player(t, 1).id)
    assert_refused("pairing-outdated", commands.propose_round, t, key="a", proposal=proposal)
    assert_refused(
        "not-next-round", commands.propose_round, make_event(6), key="a", proposal=replace(proposal, number=2)
    )


@pytest.mark.parametrize("code", ["against-himself", "twice-in-round", "table-twice", "other-division"])
def test_propose_round_refuses_wrong_seats(code: str) -> None:
    t = commands.add_player(add_division_b(make_event(4)), key="x", division=DivisionId("b"), name="Stranger")
    proposal = propose_pairings(TournamentIndex(t), DIVISION)
    first_game, second_game = proposal.games
    games = {
        "against-himself": (replace(first_game, second=first_game.first), second_game),
        "twice-in-round": (first_game, replace(second_game, first=first_game.first)),
        "table-twice": (first_game, replace(second_game, table=first_game.table)),
        "other-division": (
            ProposedGame(1, first_game.first, next(player_id for player_id in t.players if player_id == "x")),
            second_game,
        ),
    }[code]
    assert_refused(code, commands.propose_round, t, key="a", proposal=replace(proposal, games=games))


def test_discard_round_needs_a_reason_and_consent() -> None:
    t = pair_rounds(make_event(4), times=2)
    first, second = TournamentIndex(t).rounds(DIVISION)
    assert_refused("not-last-round", commands.discard_round, t, round=first.id, reason="x", with_results=True)
    assert_refused("reason-needed", commands.discard_round, t, round=second.id)
    error = assert_refused("round-has-results", commands.discard_round, t, round=second.id, reason="wrong")
    assert error.facts["tables"] == [1, 2]
    t = commands.discard_round(t, round=second.id, reason="wrong", with_results=True)
    assert [item.number for item in TournamentIndex(t).rounds(DIVISION)] == [1]
    assert find_inconsistent_rows(t) == ()


def test_unpublish_round_keeps_manual_changes() -> None:
    t = pair_rounds(make_event(7))
    proposal = propose_pairings(TournamentIndex(t), DIVISION)
    t = commands.propose_round(t, key="k", proposal=proposal)
    (bye,) = TournamentIndex(t).byes(get_last_round(t).id)
    t = swap_players(t, key="w", round=get_last_round(t).id, player=bye.player, other=get_game_at(t, 1).first)
    t = draft = commands.lock_game(t, game=get_game_at(t, 2).id)
    second = get_last_round(t)
    assert_refused("round-not-published", commands.unpublish_round, t, round=second.id, reason="x")
    t = enter_results(commands.publish_round(t, round=second.id))
    first = TournamentIndex(t).rounds(DIVISION)[0]
    assert_refused("not-last-round", commands.unpublish_round, t, round=first.id, reason="x", with_results=True)
    assert_refused("reason-needed", commands.unpublish_round, t, round=second.id, reason=" ", with_results=True)
    assert_refused("round-has-results", commands.unpublish_round, t, round=second.id, reason="wrong")
    t = commands.unpublish_round(t, round=second.id, reason="wrong", with_results=True)
    assert compute_diff(draft, t) == ()
    assert find_inconsistent_rows(commands.publish_round(t, round=second.id)) == ()


def test_unpublish_round_removes_seats_of_a_first_knockout_round() -> None:
    t = make_event(6, system="knockout", rounds=3)
    t = draft = commands.propose_round(t, key="k", proposal=propose_pairings(TournamentIndex(t), DIVISION))
    t = commands.publish_round(t, round=get_last_round(t).id)
    assert t.seeds
    assert compute_diff(draft, commands.unpublish_round(t, round=get_last_round(t).id, reason="wrong")) == ()


def test_set_table_swaps_tables() -> None:
    t = pair_rounds(make_event(4), results=False)
    first_game, second_game = get_game_at(t, 1), get_game_at(t, 2)
    t = commands.set_table(t, game=first_game.id, table=2)
    assert (t.games[first_game.id].table, t.games[second_game.id].table) == (2, 1)
    assert commands.set_table(t, game=first_game.id, table=77).games[first_game.id].table == 77


def test_set_starter_of_an_open_game() -> None:
    t = pair_rounds(make_event(4), results=False)
    game = get_game_at(t, 1)
    switched_tournament = commands.set_starter(t, game=game.id, player=game.second)
    assert switched_tournament.games[game.id].first == game.second
    assert_refused("not-at-table", commands.set_starter, t, game=game.id, player=get_game_at(t, 2).first)
    tournament_with_result = commands.enter_result(t, game=game.id, first=400, second=300)
    assert_refused(
        "game-has-result", commands.set_starter, tournament_with_result, game=game.id, player=game.second
    )


def test_play_as_seated_records_the_real_seats() -> None:
    t = pair_rounds(make_event(4), results=False)
    first_game, second_game = get_game_at(t, 1), get_game_at(t, 2)
    seats = ((1, first_game.first, second_game.second), (2, second_game.first, first_game.second))
    t2 = commands.play_as_seated(t, round=first_game.round, seats=seats)
    assert (t2.games[first_game.id].second, t2.games[second_game.id].second) == (
        second_game.second,
        first_game.second,
    )
    as_published = tuple((game.table, game.first, game.second) for game in (first_game, second_game))
    assert compute_diff(t, commands.play_as_seated(t, round=first_game.round, seats=as_published)) == ()
    assert_refused("not-the-same-players", commands.play_as_seated, t, round=first_game.round, seats=seats[:1])
    tournament_with_result = commands.enter_result(t, game=first_game.id, first=400, second=300)
    assert_refused(
        "game-has-result", commands.play_as_seated, tournament_with_result, round=first_game.round, seats=seats
    )


def test_play_as_seated_swaps_the_bye() -> None:
    t = pair_rounds(make_event(5), results=False)
    game, (bye,) = get_game_at(t, 1), TournamentIndex(t).list_byes_for_lack_of_opponent(get_last_round(t).id)
    seats = ((1, game.first, bye.player),)
    t2 = commands.play_as_seated(t, round=game.round, seats=seats, byes=(game.second,))
    assert (t2.games[game.id].second, t2.byes[bye.id].player) == (bye.player, game.second)
    assert TournamentIndex(t2).find_players_with_game_bye_or_seat(game.round) == TournamentIndex(
        t
    ).find_players_with_game_bye_or_seat(game.round)
    reseated = commands.play_as_seated(
        t, round=game.round, seats=((game.table, game.second, game.first),), byes=(bye.player,)
    )
    assert (reseated.games[game.id].first, reseated.byes[bye.id]) == (game.second, bye)
    for wrong_byes in ((), (bye.player,), (game.second, game.second)):
        assert_refused(
            "not-the-same-players", commands.play_as_seated, t, round=game.round, seats=seats, byes=wrong_byes
        )


@pytest.mark.parametrize(("returned_tournament", "absent_tournament"), [(2, []), (3, [(2, 2)]), (5, [(2, 4)])])
def test_return_player_keeps_the_absence_before(
    returned_tournament: int, absent_tournament: list[tuple[int, int]]
) -> None:
    t = make_event(6)
    player_id = get_player(t, 3).id
    t = commands.withdraw_player(t, key="w", player=player_id, from_round=2)
    t = commands.return_player(t, player=player_id, from_round=returned_tournament)
    assert [(item.first_round, item.last_round) for item in t.absences.values()] == absent_tournament


@pytest.mark.parametrize(("number", "departed_tournament"), [(1, []), (2, [(1, 1)]), (3, [(1, 2)])])
def test_seat_latecomer_ends_the_absence(number: int, departed_tournament: list[tuple[int, int]]) -> None:
    t = make_event(6)
    latecomer_id = get_player(t, 6).id
    t = commands.set_absence(t, key="a", player=latecomer_id, first_round=1, last_round=4)
    t = pair_rounds(pair_rounds(t, times=number - 1), results=False)
    item = get_last_round(t)
    waiting = next(bye.player for bye in TournamentIndex(t).byes(item.id) if bye.player != latecomer_id)
    t = commands.seat_latecomer(t, key="g", round=item.id, player=latecomer_id, starter=latecomer_id)
    assert {latecomer_id, waiting} <= TournamentIndex(t).find_players_with_game_bye_or_seat(item.id)
    assert [(absence.first_round, absence.last_round) for absence in t.absences.values()] == departed_tournament


def test_seat_latecomer_replaces_the_bye() -> None:
    t = pair_rounds(make_event(5), results=False)
    old_tournament = {game.id: game for game in t.games.values()}
    t = commands.add_player(t, key="late", division=DIVISION, name="Late")
    latecomer_id, waiting = get_player(t, 6).id, next(iter(t.byes.values())).player
    item = get_last_round(t)
    t = commands.seat_latecomer(t, key="g", round=item.id, player=latecomer_id, starter=waiting)
    assert not t.byes
    assert {game.id: game for game in t.games.values() if game.id in old_tournament} == old_tournament
    assert get_game_at(t, 3).first == waiting
    assert_refused(
        "twice-in-round",
        commands.seat_latecomer,
        t,
        key="h",
        round=item.id,
        player=latecomer_id,
        starter=latecomer_id,
    )
    draft = t.put(replace(item, state=RoundState.DRAFT))
    assert_refused(
        "round-not-published",
        commands.seat_latecomer,
        draft,
        key="h",
        round=item.id,
        player=latecomer_id,
        starter=latecomer_id,
    )
    even_event = pair_rounds(make_event(4), results=False)
    even_event = commands.add_player(even_event, key="late", division=DIVISION, name="Late")
    assert_refused(
        "nobody-has-bye",
        commands.seat_latecomer,
        even_event,
        key="g",
        round=get_last_round(even_event).id,
        player=get_player(even_event, 5).id,
        starter=get_player(even_event, 5).id,
    )


# --- results


def make_open_game() -> tuple[Tournament, commands.Command]:
    return pair_rounds(make_event(4), results=False), commands.enter_result


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("points-missing", {"first": 400}),
        ("forfeit-with-points", {"first": 400, "second": 300, "forfeit": GameSide.FIRST}),
        ("implausible-points", {"first": 1501, "second": 300}),
        ("implausible-points", {"first": 400, "second": -151}),
        ("number-out-of-range", {"first": 10_000, "second": 300, "confirmed": True}),
        ("start-assigned", {"first": 400, "second": 300, "started": GameSide.SECOND}),
        ("one-starter", {"first": 400, "second": 300, "started": GameSide.BOTH}),
    ],
)
def test_enter_result_refuses_invalid_results(code: str, arguments: dict[str, object]) -> None:
    t = pair_rounds(make_event(4), results=False)
    assert_refused(code, commands.enter_result, t, game=get_game_at(t, 1).id, **arguments)


@pytest.mark.parametrize("points", [{"first": 400}, {"second": 400}, {"first": 0}, {"first": 400, "second": 300}])
def test_enter_result_forfeit_has_no_points(points: dict[str, int]) -> None:
    t = pair_rounds(make_event(4), results=False)
    game = get_game_at(t, 1).id
    assert_refused("forfeit-with-points", commands.enter_result, t, game=game, forfeit=GameSide.FIRST, **points)


@pytest.mark.parametrize("points", [{"first": 400}, {"second": 400}, {}])
def test_enter_result_played_game_needs_points_of_both(points: dict[str, int]) -> None:
    t = pair_rounds(make_event(4), results=False)
    assert_refused("points-missing", commands.enter_result, t, game=get_game_at(t, 1).id, **points)


def test_enter_result_refuses_implausible_scores_at_both_limits() -> None:
    t = pair_rounds(make_event(4), results=False)
    limits, game = t.ruleset.scores, get_game_at(t, 1).id
    for points in (limits.lowest, 0, limits.highest):
        assert commands.enter_result(t, game=game, first=points, second=300).results[game].first == points
        assert commands.enter_result(t, game=game, first=300, second=points).results[game].second == points
    for points in (limits.lowest - 1, limits.highest + 1):
        error = assert_refused("implausible-points", commands.enter_result, t, game=game, first=300, second=points)
        assert error.facts["points"] == points


def test_enter_result_accepts_a_confirmed_implausible_score() -> None:
    t = pair_rounds(make_event(4), results=False)
    t = commands.enter_result(t, game=get_game_at(t, 1).id, first=1501, second=300, confirmed=True)
    assert t.results[get_game_at(t, 1).id].first == 1501


def test_enter_result_refuses_to_overwrite_an_unseen_result() -> None:
    t = pair_rounds(make_event(4), results=False)
    game = get_game_at(t, 1).id
    t = commands.enter_result(t, game=game, first=400, second=300, seen=ResultBeforeChange(None))
    assert_refused(
        "changed-meanwhile", commands.enter_result, t, game=game, first=1, second=2, seen=ResultBeforeChange(None)
    )
    assert_refused("changed-meanwhile", commands.clear_result, t, game=game, seen=ResultBeforeChange(None))
    t = commands.enter_result(t, game=game, first=401, second=300, seen=ResultBeforeChange(t.results[game]))
    assert t.results[game].first == 401


def test_dispute_result_stays_until_the_jury_decides() -> None:
    t = pair_rounds(make_event(4), results=False)
    game = get_game_at(t, 1).id
    assert_refused("no-result", commands.dispute_result, t, game=game, first=430, second=300)
    t = commands.enter_result(t, game=game, first=400, second=300)
    assert_refused("implausible-points", commands.dispute_result, t, game=game, first=9999, second=300)
    t = commands.dispute_result(t, game=game, first=430, second=300, seen=ResultBeforeChange(t.results[game]))
    result = t.results[game]
    assert (result.first, result.disputed, result.status) == (400, (430, 300), "disputed")
    assert swap_players_after_tile_draw(t, game).results[game].disputed == (300, 430)
    for tournament in (
        commands.check_result(t, game=game),
        commands.enter_result(t, game=game, first=430, second=300),
        commands.second_result(t, game=game, first=430, second=300),
    ):
        assert tournament.results[game].disputed is None
    checked = commands.check_result(t, game=game)
    assert_refused("already-in-state", commands.dispute_result, checked, game=game, first=1, second=2)


def test_certify_result_makes_changes_need_a_reason() -> None:
    t = pair_rounds(make_event(4), results=False)
    game = get_game_at(t, 1).id
    assert_refused("no-result", commands.check_result, t, game=game)
    t = commands.enter_result(t, game=game, first=400, second=300)
    t = commands.check_result(t, game=game)
    assert_refused("already-in-state", commands.check_result, t, game=game)
    t = commands.certify_result(t, game=game)
    assert t.results[game].state is ResultState.FINAL
    assert_refused("result-final", commands.enter_result, t, game=game, first=1, second=2)
    assert_refused("result-final", commands.clear_result, t, game=game)
    t = commands.enter_result(t, game=game, first=1, second=2, reason="slip misread")
    assert t.results[game].state is ResultState.ENTERED


def test_enter_result_stores_the_drawn_start() -> None:
    t = make_event(4)
    stage = next(iter(t.stages))
    t = commands.edit_stage(t, stage=stage, settings=PairingSettings(draw_starts=True))
    t = pair_rounds(t, results=False)
    game = get_game_at(t, 1)
    assert game.start is StartDecision.DRAW
    t = commands.enter_result(t, game=game.id, first=400, second=300, started=GameSide.SECOND)
    drawn_game = t.games[game.id]
    assert (drawn_game.first, drawn_game.start) == (game.second, StartDecision.DRAWN)
    assert (t.results[game.id].first, t.results[game.id].second) == (300, 400)
    t = commands.clear_result(t, game=game.id)
    assert t.games[game.id].start is StartDecision.DRAW


def test_enter_result_forfeit_follows_the_drawn_starter() -> None:
    t = commands.edit_stage(
        make_event(4), stage=next(iter(make_event(4).stages)), settings=PairingSettings(draw_starts=True)
    )
    t = pair_rounds(t, results=False)
    game = get_game_at(t, 1)
    t = commands.enter_result(t, game=game.id, forfeit=GameSide.FIRST, started=GameSide.SECOND)
    assert t.results[game.id].forfeit is GameSide.SECOND
    assert t.games[game.id].second == game.first


def test_enter_results_saves_all_or_no_results() -> None:
    t = pair_rounds(make_event(4), results=False)
    valid_results = (ResultEntry(1, 1, 400, 300), ResultEntry(1, 2, 350, 360))
    assert len(commands.enter_results(t, division=DIVISION, entries=valid_results).results) == 2
    for code, invalid_results in {
        "no-such-table": ResultEntry(1, 9, 1, 2, line=5),
        "no-such-round": ResultEntry(2, 1, 1, 2, line=5),
        "result-twice": ResultEntry(1, 1, 1, 2, line=5),
        "implausible-points": ResultEntry(1, 2, 9999, 2, line=5),
    }.items():
        error = assert_refused(
            code, commands.enter_results, t, division=DIVISION, entries=(valid_results[0], invalid_results)
        )
        assert error.facts["line"] == 5


def test_decide_tie_by_an_extra_game() -> None:
    t = pair_rounds(make_event(4, system="knockout", rounds=2), results=False)
    game = get_game_at(t, 1).id
    assert_refused("no-tie", commands.decide_tie, t, game=game, winner=GameSide.FIRST)
    t = commands.enter_result(t, game=game, first=400, second=400)
    assert_refused("one-winner", commands.decide_tie, t, game=game, winner=GameSide.BOTH)
    assert commands.decide_tie(t, game=game, winner=GameSide.SECOND).results[game].advances is GameSide.SECOND
