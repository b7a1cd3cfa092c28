"""Tests of score sheets, slips and sanctions, and their effects on results and standings."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands, outcome
from tdapp.domain.errors import CommandError
from tdapp.domain.game_results import find_sheet_result_if_different
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import SanctionId
from tdapp.domain.model import (
    ByeKind,
    DivisionId,
    Game,
    GameSide,
    Result,
    ResultState,
    RulesId,
    StartDecision,
    TournamentRules,
)
from tdapp.domain.proposal import compute_pairing_digest
from tdapp.domain.ruleset import Outcome, SanctionPointsSource
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables.players import make_player_card_table
from tdapp.domain.tournament import (
    KINDS,
    Tournament,
    apply_diff,
    compute_diff,
    find_inconsistent_rows,
    invert_diff,
)
from tdapp.exchange import tournament_json
from tdapp.exchange.presets import read_tilesets
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import SanctionKind, Sheet, SheetField, parse_sheet, swap_players
from tests.building import DIVISION, RESOURCES, get_game_at, get_player, make_event, pair_rounds

TILES = read_tilesets(RESOURCES / "tilesets")
TURNS = [
    {"player": 1, "kind": "play", "at": "8D", "word": "TAART", "score": 20},
    {"player": 2, "kind": "play", "word": "FOUT", "score": 30},
    {"player": 1, "kind": "play", "score": 300},
    {"player": 2, "kind": "play", "score": 310},
]


def make_sheet(**fields: Any) -> Sheet:
    document = {"players": ["", ""], "turns": TURNS, "rack_values": [4, 0], "ended": "out", **fields}
    return parse_sheet(document)


def start_game(rules: str = "nl-match") -> tuple[Tournament, Game]:
    t = pair_rounds(make_event(4, rules=rules), results=False)
    return t, get_game_at(t, 1)


def enter_first_sheet(
    typed_sheet: Sheet | None = None, rules: str = "nl-match", **options: Any
) -> tuple[Tournament, Game]:
    t, game = start_game(rules)
    tiles = TILES[t.ruleset.tileset]
    t = commands.enter_sheet(t, game=game.id, sheet=typed_sheet or make_sheet(), tileset=tiles, **options)
    return t, t.games[game.id]


def assert_refused(code: str, command: commands.Command, t: Tournament, **arguments: Any) -> None:
    with pytest.raises(CommandError) as error:
        command(t, **arguments)
    assert error.value.code == code


def get_spread(t: Tournament, number: int, after: int | None = None) -> int:
    rows = compute_standings(TournamentIndex(t), t.divisions[DIVISION], after)
    return next(row.spread for row in rows if row.player.number == number)


# --- sheets


def test_enter_sheet_makes_the_result_with_accounts() -> None:
    t, game = enter_first_sheet()
    result = t.results[game.id]
    assert (result.first, result.second, result.state) == (320 - 4, 340 + 4, ResultState.ENTERED)
    assert result.accounts == (ScoreBreakdown(turns=320, racks=-4), ScoreBreakdown(turns=340, racks=4))
    assert [item.form for item in TournamentIndex(t).sheets(game.id)] == [1]
    assert find_inconsistent_rows(t) == ()


@pytest.mark.parametrize("seconds", [(0, 75), (75, 0), (75, 130)])
def test_enter_sheet_copies_overtime_to_the_result(seconds: tuple[int, int]) -> None:
    t, game = enter_first_sheet(make_sheet(overtime_seconds=list(seconds)), "no-nsf")
    assert t.results[game.id].overtime == seconds


def test_enter_sheet_matches_players_by_name_then_start() -> None:
    t, game = start_game()
    names = [t.players[game.first].name, t.players[game.second].name]
    named_sheet = make_sheet(players=names)
    for typed_sheet in (named_sheet, swap_players(named_sheet), swap_players(make_sheet())):
        after = commands.enter_sheet(t, game=game.id, sheet=typed_sheet, tileset=TILES["nl"])
        assert (after.results[game.id].first, after.results[game.id].second) == (316, 344)
    assert swap_players(swap_players(named_sheet)) == named_sheet
    wrong_sheet = make_sheet(players=names[::-1])
    assert_refused(
        "sheet-other-starter", commands.enter_sheet, t, game=game.id, sheet=wrong_sheet, tileset=TILES["nl"]
    )


def test_enter_sheet_decides_the_starter_if_tiles_decide() -> None:
    t, game = start_game()
    t = t.put(replace(game, start=StartDecision.DRAW))
    t = commands.enter_result(t, game=game.id, first=10, second=20)
    names = [t.players[game.second].name, t.players[game.first].name]
    after = commands.enter_sheet(t, game=game.id, sheet=make_sheet(players=names), tileset=TILES["nl"])
    swapped_game = after.games[game.id]
    assert (swapped_game.first, swapped_game.second, swapped_game.start) == (
        game.second,
        game.first,
        StartDecision.DRAWN,
    )
    assert (after.results[game.id].first, after.results[game.id].second) == (316, 344)
    changed_start = commands.enter_result(after, game=game.id, first=316, second=344, started=GameSide.SECOND)
    assert (changed_start.results[game.id].first, changed_start.games[game.id].first) == (344, game.first)
    assert TournamentIndex(changed_start).sheets(game.id)[0].sheet.first == 2
    unfinished = make_sheet(players=names, ended="open")
    reopened = commands.enter_sheet(after, game=game.id, sheet=unfinished, tileset=TILES["nl"])
    assert (reopened.games[game.id].start, game.id in reopened.results) == (StartDecision.DRAWN, False)
    cleared = commands.clear_sheet(after, game=game.id)
    assert (cleared.games[game.id].start, game.id in cleared.results) == (StartDecision.DRAW, False)


@pytest.mark.parametrize(
    ("code", "changes", "further_fields"),
    [
        ("sheet-of-two", make_sheet(players=["a", "b", "c"], rack_values=[0, 0, 0]), {}),
        ("other-tileset", make_sheet(tileset="no"), {}),
        ("number-out-of-range", make_sheet(), {"form": 3}),
    ],
)
def test_enter_sheet_refuses_a_contradicting_sheet(
    code: str, changes: Sheet, further_fields: dict[str, Any]
) -> None:
    t, game = start_game()
    assert_refused(
        code, commands.enter_sheet, t, game=game.id, sheet=changes, tileset=TILES["nl"], **further_fields
    )


def test_clear_sheet_keeps_the_starter() -> None:
    before, game = start_game()
    after, _ = enter_first_sheet()
    assert commands.clear_sheet(after, game=game.id).games[game.id] == before.games[game.id] == game
    assert game.start is StartDecision.ASSIGNED


def test_enter_sheet_unfinished_has_no_result() -> None:
    t, game = enter_first_sheet(make_sheet(ended="open"))
    assert game.id not in t.results
    assert_refused("game-has-result", commands.set_starter, t, game=game.id, player=game.second)
    assert not commands.clear_sheet(t, game=game.id).sheets


def test_enter_sheet_first_form_makes_the_result() -> None:
    t, game = enter_first_sheet()
    t = commands.check_result(t, game=game.id)
    second_form = make_sheet(rack_values=[0, 9])
    t = commands.enter_sheet(t, game=game.id, sheet=second_form, tileset=TILES["nl"], form=2)
    assert (t.results[game.id].second, t.results[game.id].state) == (344, ResultState.CHECKED)
    without_second = commands.clear_sheet(t, game=game.id, form=2)
    assert (len(without_second.sheets), without_second.results) == (1, t.results)
    t = commands.clear_sheet(t, game=game.id)
    assert t.results[game.id].second == 340 - 9
    t = commands.clear_sheet(t, game=game.id, form=2)
    assert (dict(t.sheets), dict(t.results)) == ({}, {})
    assert_refused("no-sheet", commands.clear_sheet, t, game=game.id)


def test_settle_forms_resolves_one_difference() -> None:
    t, game = enter_first_sheet()
    turns = [*TURNS[:-1], {**TURNS[-1], "score": 301}]
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(turns=turns), tileset=TILES["nl"], form=2)
    settlement: dict[str, Any] = {"game": game.id, "form": 2, "field": "score", "tileset": TILES["nl"]}
    assert_refused("no-such-difference", commands.settle_forms, t, turn=3, **settlement)
    after = commands.settle_forms(t, turn=4, **settlement)
    assert after.results[game.id].second == 335
    assert_refused("no-such-difference", commands.settle_forms, after, turn=4, **settlement)


@pytest.mark.parametrize("form", [1, 2])
def test_settle_forms_is_independent_of_the_correct_form(form: int) -> None:
    """The forms disagree on the player of turn 2. Total differences that follow from it are not listed."""
    t, game = start_game()
    for number, player_of_second, offset in ((1, 1, 0), (2, 2, 5)):
        turns = [
            {"player": 1, "kind": "play", "score": 20, "total": 20 + offset},
            {"player": player_of_second, "kind": "play", "score": 30, "total": 50 + offset},
        ]
        typed_sheet = make_sheet(turns=turns, ended="open")
        t = commands.enter_sheet(t, game=game.id, sheet=typed_sheet, tileset=TILES["nl"], form=number)
    settlement: dict[str, Any] = {"game": game.id, "form": form, "tileset": TILES["nl"]}
    assert_refused("no-such-difference", commands.settle_forms, t, turn=2, field=SheetField.TOTAL, **settlement)
    assert commands.settle_forms(t, turn=2, field=SheetField.PLAYER, **settlement).sheets != t.sheets


def test_clear_sheet_removes_the_result_despite_an_unfinished_form() -> None:
    t, game = enter_first_sheet()
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(ended="open"), tileset=TILES["nl"], form=2)
    assert t.results[game.id].second == 344
    t = commands.clear_sheet(t, game=game.id)
    assert (len(t.sheets), dict(t.results)) == (1, {})


def test_enter_sheet_finished_second_form_counts() -> None:
    t, game = enter_first_sheet(make_sheet(ended="open"))
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(rack_values=[0, 9]), tileset=TILES["nl"], form=2)
    assert t.results[game.id].second == 340 - 9
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(), tileset=TILES["nl"])
    assert t.results[game.id].second == 344
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(ended="open"), tileset=TILES["nl"])
    assert t.results[game.id].second == 340 - 9


def test_enter_result_of_a_slip_overrides_a_sheet() -> None:
    t, game = enter_first_sheet()
    slip = commands.enter_result(t, game=game.id, first=320, second=350)
    two_forms = commands.enter_sheet(slip, game=game.id, sheet=make_sheet(), tileset=TILES["nl"], form=2)
    for after in (
        commands.clear_sheet(slip, game=game.id),
        two_forms,
        commands.clear_sheet(two_forms, game=game.id, form=2),
    ):
        assert after.results == slip.results
    ruled_on = rule_on_turn(slip, game)
    assert ruled_on.results[game.id].second == 344 - 30 - 20
    assert rule_on_turn(two_forms, game, form=2).results == slip.results
    assert_refused("result-final", commands.clear_sheet, commands.certify_result(t, game=game.id), game=game.id)


def test_find_differing_result_after_swapped_players() -> None:
    t, game = start_game()
    t = t.put(replace(game, start=StartDecision.DRAW))
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(), tileset=TILES["nl"])
    t = commands.enter_result(t, game=game.id, first=316, second=344, started=GameSide.SECOND)
    assert find_sheet_result_if_different(TournamentIndex(t), game.id) is None


def test_enter_sheet_certified_needs_a_reason() -> None:
    t, game = enter_first_sheet()
    t = commands.certify_result(t, game=game.id)
    assert_refused("result-final", commands.enter_sheet, t, game=game.id, sheet=make_sheet(), tileset=TILES["nl"])
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(), tileset=TILES["nl"], reason="typed wrongly")
    assert t.results[game.id].state is ResultState.ENTERED


def test_enter_sheet_lost_on_time_keeps_points() -> None:
    """Dutch rule IV.1c: the player loses at any score. Both players lose the points of their own racks."""
    t, game = enter_first_sheet(make_sheet(ended="flag", flag=2, rack_values=[9, 6]))
    result = t.results[game.id]
    assert (result.first, result.second, result.flag, result.lost) == (311, 334, GameSide.SECOND, GameSide.SECOND)
    game_score = outcome.score_game(t.ruleset, result)
    assert (game_score.first.outcome, game_score.second.outcome) == (Outcome.WIN, Outcome.LOSS)
    assert (game_score.first.spread, game_score.second.points) == (-23, 334)


def test_enter_sheet_with_a_forfeit() -> None:
    t, game = enter_first_sheet(make_sheet(turns=[], rack_values=None, ended="forfeit", forfeit=2))
    assert t.results[game.id] == Result(game.id, ResultState.ENTERED, forfeit=GameSide.SECOND)


def test_clear_result_removes_the_sheet() -> None:
    typed_sheet = make_sheet(sanctions=[{"player": 1, "kind": "points", "points": 10, "why": "late"}])
    t, game = enter_first_sheet(typed_sheet)
    assert t.results[game.id].first == 306
    cleared = commands.clear_result(t, game=game.id)
    discarded = commands.discard_round(t, round=game.round, reason="wrong list", with_results=True)
    for after in (cleared, discarded):
        assert (dict(after.sheets), dict(after.results), dict(after.sanctions)) == ({}, {}, {})
        assert find_inconsistent_rows(after) == ()


# --- rulings


def rule_on_turn(t: Tournament, game: Game, **fields: Any) -> Tournament:
    arguments = {"turn": 2, "phony": True, "author": "J. Ury", "why": "not in the list", **fields}
    return commands.rule_on_turn(t, game=game.id, tileset=TILES["nl"], **arguments)


def test_rule_on_turn_phony_costs_its_turn_and_twenty_points() -> None:
    t, game = enter_first_sheet()
    t = commands.check_result(t, game=game.id)
    rejected = rule_on_turn(t, game)
    assert (rejected.results[game.id].second, rejected.results[game.id].state) == (
        344 - 30 - 20,
        ResultState.CHECKED,
    )
    (ruling,) = TournamentIndex(rejected).sheets(game.id)[0].rulings
    assert (ruling.turn, ruling.phony, ruling.author, ruling.why) == (2, True, "J. Ury", "not in the list")
    accepted = rule_on_turn(rejected, game, phony=False, why="in the newest edition", edition="2026")
    assert accepted.results == t.results
    assert [item.phony for item in TournamentIndex(accepted).sheets(game.id)[0].rulings] == [False]


def test_enter_sheet_keeps_rulings_on_unchanged_turns() -> None:
    t, game = enter_first_sheet()
    rejected = rule_on_turn(t, game)
    typed_sheet = TournamentIndex(rejected).sheets(game.id)[0].sheet
    last = replace(typed_sheet.turns[3], score=311)
    for turns, ruling_count in (((*typed_sheet.turns[:3], last), 1), ((typed_sheet.turns[0], last), 0)):
        retyped_sheet = commands.enter_sheet(
            rejected, game=game.id, sheet=replace(typed_sheet, turns=turns), tileset=TILES["nl"]
        )
        assert len(TournamentIndex(retyped_sheet).sheets(game.id)[0].rulings) == ruling_count


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("no-such-turn", {"turn": 5}),
        ("no-such-turn", {"turn": 0}),
        ("text-missing", {"why": "  "}),
        ("text-missing", {"author": ""}),
        ("no-sheet", {"form": 2}),
        ("number-out-of-range", {"wrong_words": 0}),
        ("number-out-of-range", {"wrong_words": 9}),
    ],
)
def test_rule_on_turn_refuses_invalid_rulings(code: str, changed: dict[str, Any]) -> None:
    with pytest.raises(CommandError) as error:
        rule_on_turn(*enter_first_sheet(), **changed)
    assert error.value.code == code


@pytest.mark.parametrize("words", [1, 2, 8])
def test_rule_on_turn_stores_number_of_words_and_list(words: int) -> None:
    t, game = build_ruled_game(wrong_words=words, edition=" 2026 ")
    (form,) = TournamentIndex(t).sheets(game.id)
    assert (form.sheet.turns[1].wrong_words, form.rulings[0].edition) == (words, "2026")


def build_ruled_game(**fields: Any) -> tuple[Tournament, Game]:
    t, game = enter_first_sheet()
    return rule_on_turn(t, game, **fields), game


@pytest.mark.parametrize(("length", "is_kept"), [(1, 0), (2, 1), (3, 1), (4, 1)])
def test_enter_sheet_removes_a_ruling_with_its_turn(length: int, is_kept: int) -> None:
    t, game = build_ruled_game()
    (form,) = TournamentIndex(t).sheets(game.id)
    shorter = replace(form.sheet, turns=form.sheet.turns[:length])
    t = commands.enter_sheet(t, game=game.id, sheet=shorter, tileset=TILES["nl"])
    assert [item.turn for item in TournamentIndex(t).sheets(game.id)[0].rulings] == [2] * is_kept


def test_rule_on_turn_needs_a_play() -> None:
    mixed_sheet = [*TURNS[:1], {"player": 2, "kind": "pass"}, *TURNS[2:3], TURNS[3]]
    t, game = enter_first_sheet(make_sheet(turns=mixed_sheet))
    assert len(TournamentIndex(rule_on_turn(t, game, turn=3)).sheets(game.id)[0].rulings) == 1
    with pytest.raises(CommandError, match="ruling-without-play"):
        rule_on_turn(t, game, turn=2)
    t, game = enter_first_sheet(make_sheet(turns=[{"player": 1, "kind": "pass"}]))
    with pytest.raises(CommandError, match="ruling-without-play"):
        rule_on_turn(t, game, turn=1)


# --- slips


def enter_slip(rules: str, **fields: Any) -> Result:
    t, game = start_game(rules)
    t = commands.enter_result(t, game=game.id, tileset=TILES[t.ruleset.tileset], **fields)
    return t.results[game.id]


def test_enter_result_counts_racks_by_the_rules() -> None:
    empty_rack = enter_slip("nl-match", first=400, second=380, rack1="", rack2="AE")
    assert (empty_rack.first, empty_rack.second) == (402, 378)
    blank_rack = enter_slip("nl-match", first=400, second=380, rack1="?", rack2="AE")
    assert (blank_rack.first, blank_rack.second) == (400, 378)
    slip_with_flag = enter_slip("nl-match", first=400, second=380, rack2="AE", flag=GameSide.FIRST)
    assert (slip_with_flag.first, slip_with_flag.second, slip_with_flag.lost) == (400, 378, GameSide.FIRST)


def test_enter_result_overtime_costs_minutes_then_the_game() -> None:
    """See Norwegian rule 4.1."""
    overtime = enter_slip("no-nsf", first=400, second=380, overtime1=61)
    minutes = TournamentIndex(start_game("no-nsf")[0]).tournament.ruleset.overtime
    assert (overtime.first, overtime.second, overtime.overtime) == (400 - 2 * minutes.points, 380, (61, 0))
    assert minutes.limit is not None
    lost_on_time = enter_slip("no-nsf", first=400, second=380, overtime1=minutes.limit + 1, rack1="A", rack2="E")
    assert (lost_on_time.first, lost_on_time.second, lost_on_time.lost) == (
        min(400 - minutes.penalty, 380 - minutes.margin),
        380,
        GameSide.FIRST,
    )


@pytest.mark.parametrize(
    ("code", "rules", "message"),
    [
        ("overtime-not-counted", "nl-match", {"overtime1": 5}),
        ("flag-not-counted", "no-nsf", {"flag": GameSide.FIRST}),
        ("one-out-of-time", "nl-match", {"flag": GameSide.BOTH}),
        ("one-out-of-time", "no-nsf", {"overtime1": 3000, "overtime2": 3000}),
        ("overtime-seconds", "no-nsf", {"overtime1": -1}),
        ("both-out", "nl-match", {"rack1": ""}),
        ("slip-rack-unreadable", "nl-match", {"rack1": "A1"}),
        ("slip-rack-too-long", "nl-match", {"rack1": "AAAAEEEE"}),
    ],
)
def test_enter_result_refuses_an_impossible_slip(code: str, rules: str, message: dict[str, Any]) -> None:
    with pytest.raises(CommandError) as error:
        enter_slip(rules, first=400, second=380, **message)
    assert error.value.code == code


def test_enter_result_forfeit_excludes_other_values() -> None:
    with pytest.raises(CommandError, match="forfeit-with-points"):
        enter_slip("nl-match", forfeit=GameSide.FIRST, flag=GameSide.FIRST)


# --- sanctions


def add_sanction(t: Tournament, number: int, kind: SanctionKind, **fields: Any) -> Tournament:
    arguments = {"key": "x", "why": "shouting", **fields}
    return commands.add_sanction(t, player=get_player(t, number).id, kind=kind, **arguments)


def remove_sanction(t: Tournament) -> Tournament:
    return commands.remove_sanction(t, sanction=SanctionId("x"))


def has_same_rows(first: Tournament, second: Tournament) -> bool:
    return all(first.rows(kind) == second.rows(kind) for kind in KINDS)


def test_add_sanction_deducts_before_and_after_the_result() -> None:
    t = pair_rounds(make_event(4), results=False)
    game = get_game_at(t, 1)
    first = t.players[game.first].number
    entry: dict[str, Any] = {"game": game.id, "first": 400, "second": 380}
    sanction_first = commands.enter_result(add_sanction(t, first, SanctionKind.POINTS, points=30), **entry)
    result_first = add_sanction(commands.enter_result(t, **entry), first, SanctionKind.POINTS, points=30)
    assert has_same_rows(sanction_first, result_first)
    result = sanction_first.results[game.id]
    assert (result.first, result.accounts and result.accounts[0].sanctions) == (370, -30)
    assert has_same_rows(remove_sanction(sanction_first), commands.enter_result(t, **entry))
    second_sanction = add_sanction(sanction_first, first, SanctionKind.POINTS, points=5, key="y")
    assert second_sanction.results[game.id].first == 365
    assert has_same_rows(remove_sanction(add_sanction(t, first, SanctionKind.POINTS, points=30)), t)
    before = make_event(4)
    assert has_same_rows(remove_sanction(add_sanction(before, 1, SanctionKind.WARNING)), before)


def test_add_sanction_changes_the_margin_of_lost_overtime() -> None:
    t, game = start_game("no-nsf")
    game_limit = t.ruleset.overtime.limit or 0
    t = commands.enter_result(t, game=game.id, first=400, second=380, overtime1=game_limit + 1)
    before = t.results[game.id]
    t = add_sanction(t, t.players[game.second].number, SanctionKind.POINTS, points=200)
    after = t.results[game.id]
    assert (before.first or 0) - (before.second or 0) <= -t.ruleset.overtime.margin
    assert (after.first or 0) - (after.second or 0) == -t.ruleset.overtime.margin
    assert (after.second, after.lost) == (180, GameSide.FIRST)


def test_add_sanction_lost_game_keeps_its_points() -> None:
    t = pair_rounds(make_event(4))
    game = get_game_at(t, 1)
    winner = game.first if (t.results[game.id].first or 0) > 400 else game.second
    after = add_sanction(t, t.players[winner].number, SanctionKind.GAME)
    rows = {row.player.id: row for row in compute_standings(TournamentIndex(after), after.divisions[DIVISION])}
    assert (rows[winner].wins, rows[winner].losses) == (0, 1)
    assert after.results[game.id].first == t.results[game.id].first
    assert has_same_rows(remove_sanction(after), t)


def test_add_sanction_margin_lowers_the_spread_from_its_round() -> None:
    t = pair_rounds(make_event(4), times=2)
    before = [get_spread(t, 1, after) for after in (1, 2)]
    after = add_sanction(t, 1, SanctionKind.MARGIN, points=40)
    assert [get_spread(after, 1, number) for number in (1, 2)] == [before[0], before[1] - 40]
    assert after.results == t.results
    assert (
        make_player_card_table(TournamentIndex(after), get_player(after, 1)).rows[-1].total_spread
        == before[1] - 40
    )
    digest_before, digest_after = (compute_pairing_digest(TournamentIndex(x), DIVISION, 3) for x in (t, after))
    assert digest_before != digest_after
    proposal = propose_pairings(TournamentIndex(t), DIVISION)
    assert_refused("pairing-outdated", commands.pair_round, after, key="k", proposal=proposal)


def test_add_sanction_can_reduce_the_tournament_total() -> None:
    t = pair_rounds(make_event(4, rules="nl-points"))
    rules = replace(t.ruleset, sanctions=replace(t.ruleset.sanctions, points_from=SanctionPointsSource.TOURNAMENT))
    t = t.put(TournamentRules(RulesId(next(iter(t.rules))), rules))
    after = add_sanction(t, 1, SanctionKind.POINTS, points=25)
    totals = [
        next(row for row in compute_standings(TournamentIndex(x), x.divisions[DIVISION]) if row.player.number == 1)
        for x in (t, after)
    ]
    assert (totals[0].points - totals[1].points, totals[0].spread - totals[1].spread) == (25, 25)
    assert after.results == t.results


def test_add_sanction_disqualified_player_loses_later_rounds() -> None:
    t = pair_rounds(make_event(4), results=False)
    game = get_game_at(t, 1)
    number = t.players[game.first].number
    open_game = add_sanction(t, number, SanctionKind.DISQUALIFIED)
    assert open_game.results[game.id].forfeit is GameSide.FIRST
    played_game = commands.enter_result(t, game=game.id, first=450, second=300)
    disqualified = add_sanction(played_game, number, SanctionKind.DISQUALIFIED)
    assert (disqualified.results[game.id].lost, disqualified.results[game.id].first) == (GameSide.FIRST, 450)
    (absence,) = TournamentIndex(disqualified).absences(game.first)
    assert (absence.first_round, absence.last_round, absence.kind) == (2, None, ByeKind.FORFEIT)
    assert has_same_rows(remove_sanction(disqualified), played_game)
    assert has_same_rows(
        apply_diff(disqualified, invert_diff(compute_diff(played_game, disqualified))), played_game
    )
    assert has_same_rows(remove_sanction(open_game), t)


def test_remove_sanction_keeps_other_forfeits() -> None:
    t = pair_rounds(make_event(4), results=False)
    game = get_game_at(t, 1)
    number = t.players[game.first].number
    absent = commands.enter_result(t, game=game.id, forfeit=GameSide.FIRST)
    assert has_same_rows(remove_sanction(add_sanction(absent, number, SanctionKind.DISQUALIFIED)), absent)
    disqualified = add_sanction(t, number, SanctionKind.DISQUALIFIED)
    for after in (
        commands.check_result(disqualified, game=game.id),
        commands.enter_result(disqualified, game=game.id, forfeit=GameSide.BOTH),
    ):
        assert remove_sanction(after).results == after.results


def test_add_sanction_warning_changes_no_score() -> None:
    t = pair_rounds(make_event(4))
    after = add_sanction(t, 1, SanctionKind.WARNING, author="J. Ury")
    assert [(item.round, item.author) for item in TournamentIndex(after).sanctions(get_player(after, 1).id)] == [
        (1, "J. Ury")
    ]
    assert after.results == t.results


@pytest.mark.parametrize(
    ("code", "kind", "further_fields"),
    [
        ("sanction-points", SanctionKind.POINTS, {}),
        ("sanction-points", SanctionKind.WARNING, {"points": 5}),
        ("number-out-of-range", SanctionKind.MARGIN, {"points": -5}),
        ("text-missing", SanctionKind.WARNING, {"why": " "}),
        ("number-out-of-range", SanctionKind.WARNING, {"round_number": 2}),
    ],
)
def test_add_sanction_refuses_invalid_sanctions(
    code: str, kind: SanctionKind, further_fields: dict[str, Any]
) -> None:
    with pytest.raises(CommandError) as error:
        add_sanction(pair_rounds(make_event(4)), 1, kind, **further_fields)
    assert error.value.code == code


def test_add_sanction_lost_game_needs_a_game() -> None:
    with pytest.raises(CommandError, match="no-game-to-punish"):
        add_sanction(make_event(4), 1, SanctionKind.GAME)


@pytest.mark.parametrize("points_from", list(SanctionPointsSource))
def test_add_sanction_with_points_needs_a_game(points_from: SanctionPointsSource) -> None:
    t = make_event(4)
    rules = replace(t.ruleset, sanctions=replace(t.ruleset.sanctions, points_from=points_from))
    t = t.put(TournamentRules(RulesId(next(iter(t.rules))), rules))
    assert len(add_sanction(t, 1, SanctionKind.WARNING).sanctions) == 1
    assert len(add_sanction(t, 1, SanctionKind.MARGIN, points=5).sanctions) == 1
    with pytest.raises(CommandError, match="no-game-to-punish"):
        add_sanction(t, 1, SanctionKind.GAME)
    if points_from is SanctionPointsSource.GAME:
        with pytest.raises(CommandError, match="no-game-to-punish"):
            add_sanction(t, 1, SanctionKind.POINTS, points=5)
    else:
        assert add_sanction(t, 1, SanctionKind.POINTS, points=5).sanctions[SanctionId("x")].points == 5


def test_remove_player_removes_sanctions() -> None:
    t = add_sanction(make_event(4), 1, SanctionKind.WARNING)
    assert find_inconsistent_rows(commands.remove_player(t, player=get_player(t, 1).id)) == ()


# --- elsewhere


def test_write_tournament_includes_sheets_and_sanctions() -> None:
    t, game = enter_first_sheet()
    t = add_sanction(rule_on_turn(t, game), 1, SanctionKind.WARNING)
    data = tournament_json.encode_tournament(t)
    assert has_same_rows(tournament_json.read_tournament(data), t)
    with pytest.raises(Exception, match="sheets"):
        tournament_json.read_tournament(data.replace(b'"player": 1', b'"player": 7'))


def test_add_sanction_keeps_other_divisions_unchanged() -> None:
    t = commands.add_division(pair_rounds(make_event(4)), key=DivisionId("e"), code="B")
    assert compute_standings(TournamentIndex(t), t.divisions[DivisionId("e")]) == ()
