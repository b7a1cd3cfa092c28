"""Tests of refused commands: the code of each broken condition, and accepted cases beside it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.commands import Command
from tdapp.domain.commands.event import MOST_RECORDS
from tdapp.domain.commands.papers import MOST_REPORTS
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    AchievementKind,
    AchievementRecord,
    ByeKind,
    ChallengeId,
    DivisionId,
    GameSide,
    PlayerId,
    ResultState,
    RoundState,
    StageId,
)
from tdapp.domain.paper import PrintingMoment, ReportChoice, ReportChoiceId
from tdapp.domain.ruleset import ForfeitCause, UnplayedRoundPointsSource
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.scrabble.sheet import SanctionKind
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import DIVISION, RESOURCES, get_game_at, get_last_round, load_rule_set, make_event, pair_rounds

TILES = read_tilesets(RESOURCES / "tilesets")
PAPER = ReportChoice(ReportChoiceId("x"), PrintingMoment.BEFORE, 1, "standings")
RECORD = AchievementRecord(AchievementKind.HIGH_GAME, 600, "Ann")


def get_refusal(command: Command, tournament: Tournament, /, **arguments: Any) -> str:
    """Return the error code of a refused command. Return "" if it is accepted."""
    try:
        command(tournament, **arguments)
    except CommandError as error:
        return error.code
    return ""


def make_draft(tournament: Tournament) -> Tournament:
    return tournament.put(replace(get_last_round(tournament), state=RoundState.DRAFT))


# --- results


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"forfeit": GameSide.FIRST, "cause": ForfeitCause.LATE}, ""),
        ({"first": 400, "second": 300, "cause": ForfeitCause.LATE}, "cause-without-forfeit"),
        ({"forfeit": GameSide.FIRST, "overtime1": 60}, "forfeit-with-points"),
        ({"forfeit": GameSide.FIRST, "overtime2": 60}, "forfeit-with-points"),
        ({"forfeit": GameSide.FIRST, "flag": GameSide.FIRST}, "forfeit-with-points"),
        ({"forfeit": GameSide.FIRST, "rack1": ""}, "forfeit-with-points"),
    ],
)
def test_enter_result_checks_forfeits(arguments: dict[str, Any], code: str) -> None:
    value = pair_rounds(make_event(4, rules="no-nsf"), results=False)
    tileset = TILES[value.ruleset.tileset]
    assert (
        get_refusal(commands.enter_result, value, game=get_game_at(value, 1).id, tileset=tileset, **arguments)
        == code
    )


def test_enter_result_after_rulings_adds_the_cost_of_words() -> None:
    value = pair_rounds(make_event(4), results=False)
    game = get_game_at(value, 1)
    value = commands.rule_on_word(
        value, key="w", game=game.id, player=game.second, word="XQBAR", score=48,
        tileset=TILES[value.ruleset.tileset],
    )  # fmt: skip
    old_tournament = commands.enter_result(value, game=game.id, first=400, second=388).results[game.id]
    new_tournament = commands.enter_result(value, game=game.id, first=400, second=320, after_rulings=True).results[
        game.id
    ]
    assert (
        (old_tournament.first, old_tournament.second)
        == (new_tournament.first, new_tournament.second)
        == (400, 320)
    )


def test_clear_result_without_a_result() -> None:
    value = pair_rounds(make_event(4), results=False)
    assert get_refusal(commands.clear_result, value, game=get_game_at(value, 1).id) == "no-result"


def test_decide_tie_without_a_result() -> None:
    value = pair_rounds(make_event(4, system="knockout", rounds=2), results=False)
    game = get_game_at(value, 1).id
    assert get_refusal(commands.decide_tie, value, game=game, winner=GameSide.FIRST) == "no-tie"
    assert get_refusal(commands.decide_tie, value, game="none", winner=GameSide.FIRST) == "game-gone"


def test_dispute_result_of_a_forfeit() -> None:
    value = pair_rounds(make_event(4), results=False)
    game = get_game_at(value, 1).id
    value = commands.enter_result(value, game=game, forfeit=GameSide.FIRST)
    assert get_refusal(commands.dispute_result, value, game=game, first=400, second=300) == "forfeit-with-points"


def test_set_award_needs_a_published_round_without_a_game() -> None:
    value = pair_rounds(make_event(5))
    item, bye = get_last_round(value), next(iter(value.byes.values()))
    arguments = {"round": item.id, "by": UnplayedRoundPointsSource.FIXED}
    playing_tournament = get_game_at(value, 1).first
    award = commands.set_award
    assert get_refusal(award, make_draft(value), player=bye.player, **arguments) == "round-not-published"
    assert get_refusal(award, value, player=playing_tournament, **arguments) == "no-round-without-game"
    assert get_refusal(award, value, player="none", **arguments) == "no-such-player"
    assert get_refusal(award, value, player=bye.player, points=1000, **arguments) == ""
    assert get_refusal(award, value, player=bye.player, points=1001, **arguments) == "number-out-of-range"
    assert get_refusal(award, value, player=bye.player, round=item.id, points=1) == "number-out-of-range"


def test_clear_result_and_others_need_a_reason_if_certified() -> None:
    value = pair_rounds(make_event(4, rules="no-nsf"))
    game = get_game_at(value, 1)
    value = value.put(*(replace(result, state=ResultState.FINAL) for result in value.results.values()))
    arguments = {"game": game.id, "first": 1, "second": 2}
    assert get_refusal(commands.enter_result, value, **arguments) == "result-final"
    assert get_refusal(commands.second_result, value, **arguments) == "result-final"
    assert get_refusal(commands.clear_result, value, game=game.id) == "result-final"
    assert get_refusal(commands.clear_result, value, game=game.id, reason="wrong table") == ""


# --- rounds and stages


def test_lock_game_only_in_drafts() -> None:
    value = pair_rounds(make_event(4), results=False)
    game = get_game_at(value, 1).id
    assert get_refusal(commands.lock_game, value, game=game) == "round-already-published"
    locked_tournament = commands.lock_game(make_draft(value), game=game)
    assert locked_tournament.games[game].locked
    assert not commands.lock_game(locked_tournament, game=game, locked=False).games[game].locked


def test_seat_latecomer_lets_one_of_the_two_start() -> None:
    value = commands.add_player(
        pair_rounds(make_event(5), results=False), key="late", division=DIVISION, name="Late"
    )
    playing_tournament = get_game_at(value, 1).first
    arguments = {"key": "g", "round": get_last_round(value).id, "player": "late"}
    assert get_refusal(commands.seat_latecomer, value, starter=playing_tournament, **arguments) == "not-at-table"
    assert get_refusal(commands.seat_latecomer, value, starter="late", **arguments) == ""


def test_remove_stage_before_the_first_round_of_the_next() -> None:
    value = commands.add_stage(make_event(4, rounds=1), key="s2", division=DIVISION, system="swiss", rounds=1)
    assert get_refusal(commands.remove_stage, pair_rounds(value), stage="s") == "stage-started"
    assert get_refusal(commands.remove_stage, value, stage="s") == ""
    skipped_stage = pair_rounds(value)
    item = get_last_round(skipped_stage)
    skipped_stage = skipped_stage.put(replace(item, stage="s2"))
    assert get_refusal(commands.remove_stage, skipped_stage, stage="s") == "later-stage-started"


def test_set_seeds_of_one_division() -> None:
    value = commands.add_division(make_event(4, system="knockout"), key="e", code="B")
    value = commands.add_player(value, key="q", division=DivisionId("e"), name="Other")
    arguments: dict[str, Any] = {"key": "k", "stage": StageId("s")}
    assert get_refusal(commands.set_seeds, value, players=("p1", "q"), **arguments) == "other-division"
    assert get_refusal(commands.set_seeds, value, players=("p1", "p1"), **arguments) == "seeded-twice"
    assert get_refusal(commands.set_seeds, value, players=("p1", "none"), **arguments) == "no-such-player"
    seeded_tournament = commands.set_seeds(value, players=(PlayerId("p2"), PlayerId("p1")), **arguments)
    assert [(seed.number, seed.player) for seed in seeded_tournament.seeds.values()] == [(1, "p2"), (2, "p1")]


# --- jury


def test_add_sanction_keeps_a_disqualified_player_withdrawn() -> None:
    value = pair_rounds(make_event(4))
    value = commands.withdraw_player(value, key="w", player=PlayerId("p1"), kind=ByeKind.ABSENT)
    new_tournament = commands.add_sanction(
        value, key="x", player=PlayerId("p1"), kind=SanctionKind.DISQUALIFIED, why="aids"
    )
    assert new_tournament.absences == value.absences
    assert [item.kind for item in new_tournament.sanctions.values()] == [SanctionKind.DISQUALIFIED]


def test_appeal_challenge_same_verdict_has_no_joint_verdict() -> None:
    value = pair_rounds(make_event(4, rules="no-nsf"))
    rules = replace(value.ruleset, judges=replace(value.ruleset.judges, appeal=1))
    value = commands.change_rules(value, ruleset=rules)
    value = commands.record_challenge(
        value, key="c", division=DIVISION, at="2026-05-01T10:00:00+00:00", words=("ZE",), edition="x",
        verdict=WordVerdict.VALID,
    )  # fmt: skip
    challenge = ChallengeId("c")
    appeal: dict[str, Any] = {"challenge": challenge, "joint": WordVerdict.INVALID}
    same_verdict = commands.appeal_challenge(value, second=WordVerdict.VALID, **appeal)
    other_verdict = commands.appeal_challenge(value, second=WordVerdict.INVALID, **appeal)
    assert (same_verdict.challenges[challenge].joint, other_verdict.challenges[challenge].joint) == (
        None,
        WordVerdict.INVALID,
    )


# --- event


def test_edit_division_keeps_codes_apart() -> None:
    value = commands.add_division(make_event(2), key="e", code="B")
    assert get_refusal(commands.edit_division, value, division="e", code="A") == "division-exists"
    assert get_refusal(commands.edit_division, value, division="e", name="Seniors", code="B") == ""
    assert get_refusal(commands.edit_division, value, division="e", code="C") == ""


@pytest.mark.parametrize(
    ("command", "name", "item", "limit", "code"),
    [
        (commands.keep_records, "records", RECORD, MOST_RECORDS, "too-many-records"),
        (commands.choose_reports, "papers", PAPER, MOST_REPORTS, "too-many-reports"),
    ],
)
def test_commands_limit_the_length_of_lists(
    command: Command, name: str, item: object, limit: int, code: str
) -> None:
    fields = {"moment": PrintingMoment.BEFORE} if name == "papers" else {}
    assert get_refusal(command, make_event(2), **{name: (item,) * limit}, **fields) == ""
    assert get_refusal(command, make_event(2), **{name: (item,) * (limit + 1)}, **fields) == code


def test_announce_sets_the_text_of_the_bulletins() -> None:
    assert commands.announce(make_event(2), announcement=" Lunch at one ").event.announcement == "Lunch at one"


def test_import_tournament_only_into_an_empty_one() -> None:
    empty = replace(commands.new_tournament(key="n", name="New", ruleset=load_rule_set()), secret="own")  # noqa: S106
    imported = commands.import_tournament(empty, imported=make_event(4))
    assert (imported.players, imported.secret) == (make_event(4).players, "own")
    assert get_refusal(commands.import_tournament, make_event(4), imported=make_event(2)) == "tournament-not-empty"
    assert TournamentIndex(imported).rounds(DIVISION) == ()
