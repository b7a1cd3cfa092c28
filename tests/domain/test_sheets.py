"""Score sheets, slips and sanctions in a tournament: what becomes of the result and of the standings."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands, outcome
from tdapp.domain.errors import RuleViolation
from tdapp.domain.game_results import find_differing_sheet_result
from tdapp.domain.index import Index
from tdapp.domain.jury_rows import SanctionId
from tdapp.domain.model import ByeKind, DivisionId, Forfeit, Game, Result, ResultState, Rules, RulesId, Start
from tdapp.domain.proposal import compute_pairing_digest
from tdapp.domain.ruleset import PointsFrom, Worth
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables.players import make_player_card_table
from tdapp.domain.tournament import KINDS, Tournament, apply_diff, compute_diff, find_row_faults, invert_diff
from tdapp.exchange import tournament_json
from tdapp.exchange.presets import read_tilesets
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import SanctionKind, Sheet, SheetField, parse_sheet, swap_players
from tests.building import DIVISION, RESOURCES, event, game_at, paired, player

TILES = read_tilesets(RESOURCES / "tilesets")
TURNS = [
    {"player": 1, "kind": "play", "at": "8D", "word": "TAART", "score": 20},
    {"player": 2, "kind": "play", "word": "FOUT", "score": 30},
    {"player": 1, "kind": "play", "score": 300},
    {"player": 2, "kind": "play", "score": 310},
]


def sheet(**changed: Any) -> Sheet:
    plain = {"players": ["", ""], "turns": TURNS, "rack_values": [4, 0], "ended": "out", **changed}
    return parse_sheet(plain)


def begun(rules: str = "nl-match") -> tuple[Tournament, Game]:
    t = paired(event(4, rules=rules), results=False)
    return t, game_at(t, 1)


def entered(written: Sheet | None = None, rules: str = "nl-match", **more: Any) -> tuple[Tournament, Game]:
    t, game = begun(rules)
    tiles = TILES[t.ruleset.tileset]
    t = commands.enter_sheet(t, game=game.id, sheet=written or sheet(), tileset=tiles, **more)
    return t, t.games[game.id]


def refused(code: str, command: commands.Command, t: Tournament, **arguments: Any) -> None:
    with pytest.raises(RuleViolation) as caught:
        command(t, **arguments)
    assert caught.value.code == code


def spread_of(t: Tournament, number: int, after: int | None = None) -> int:
    rows = compute_standings(Index(t), t.divisions[DIVISION], after)
    return next(row.spread for row in rows if row.player.number == number)


# --- sheets


def test_enter_sheet_makes_the_result_with_accounts() -> None:
    t, game = entered()
    result = t.results[game.id]
    assert (result.first, result.second, result.state) == (320 - 4, 340 + 4, ResultState.ENTERED)
    assert result.accounts == (ScoreBreakdown(turns=320, racks=-4), ScoreBreakdown(turns=340, racks=4))
    assert [item.form for item in Index(t).sheets(game.id)] == [1]
    assert find_row_faults(t) == ()


@pytest.mark.parametrize("seconds", [(0, 75), (75, 0), (75, 130)])
def test_enter_sheet_copies_overtime_to_the_result(seconds: tuple[int, int]) -> None:
    t, game = entered(sheet(overtime_seconds=list(seconds)), "no-nsf")
    assert t.results[game.id].overtime == seconds


def test_enter_sheet_matches_players_by_name_then_start() -> None:
    t, game = begun()
    names = [t.players[game.first].name, t.players[game.second].name]
    plain = sheet(players=names)
    for written in (plain, swap_players(plain), swap_players(sheet())):
        after = commands.enter_sheet(t, game=game.id, sheet=written, tileset=TILES["nl"])
        assert (after.results[game.id].first, after.results[game.id].second) == (316, 344)
    assert swap_players(swap_players(plain)) == plain
    wrong = sheet(players=names[::-1])
    refused("sheet-other-starter", commands.enter_sheet, t, game=game.id, sheet=wrong, tileset=TILES["nl"])


def test_enter_sheet_decides_the_starter_if_tiles_decide() -> None:
    t, game = begun()
    t = t.put(replace(game, start=Start.DRAW))
    t = commands.enter_result(t, game=game.id, first=10, second=20)
    names = [t.players[game.second].name, t.players[game.first].name]
    after = commands.enter_sheet(t, game=game.id, sheet=sheet(players=names), tileset=TILES["nl"])
    turned = after.games[game.id]
    assert (turned.first, turned.second, turned.start) == (game.second, game.first, Start.DRAWN)
    assert (after.results[game.id].first, after.results[game.id].second) == (316, 344)
    back = commands.enter_result(after, game=game.id, first=316, second=344, started=Forfeit.SECOND)
    assert (back.results[game.id].first, back.games[game.id].first) == (344, game.first)
    assert Index(back).sheets(game.id)[0].sheet.first == 2
    unfinished = sheet(players=names, ended="open")
    reopened = commands.enter_sheet(after, game=game.id, sheet=unfinished, tileset=TILES["nl"])
    assert (reopened.games[game.id].start, game.id in reopened.results) == (Start.DRAWN, False)
    cleared = commands.clear_sheet(after, game=game.id)
    assert (cleared.games[game.id].start, game.id in cleared.results) == (Start.DRAW, False)


@pytest.mark.parametrize(
    ("code", "written", "more"),
    [
        ("sheet-of-two", sheet(players=["a", "b", "c"], rack_values=[0, 0, 0]), {}),
        ("other-tileset", sheet(tileset="no"), {}),
        ("number-out-of-range", sheet(), {"form": 3}),
    ],
)
def test_enter_sheet_refuses_a_contradicting_sheet(code: str, written: Sheet, more: dict[str, Any]) -> None:
    t, game = begun()
    refused(code, commands.enter_sheet, t, game=game.id, sheet=written, tileset=TILES["nl"], **more)


def test_clear_sheet_keeps_the_starter() -> None:
    before, game = begun()
    after, _ = entered()
    assert commands.clear_sheet(after, game=game.id).games[game.id] == before.games[game.id] == game
    assert game.start is Start.ASSIGNED


def test_enter_sheet_unfinished_has_no_result() -> None:
    t, game = entered(sheet(ended="open"))
    assert game.id not in t.results
    refused("game-has-result", commands.set_starter, t, game=game.id, player=game.second)
    assert not commands.clear_sheet(t, game=game.id).sheets


def test_enter_sheet_first_form_makes_the_result() -> None:
    t, game = entered()
    t = commands.check_result(t, game=game.id)
    other = sheet(rack_values=[0, 9])
    t = commands.enter_sheet(t, game=game.id, sheet=other, tileset=TILES["nl"], form=2)
    assert (t.results[game.id].second, t.results[game.id].state) == (344, ResultState.CHECKED)
    without_second = commands.clear_sheet(t, game=game.id, form=2)
    assert (len(without_second.sheets), without_second.results) == (1, t.results)
    t = commands.clear_sheet(t, game=game.id)
    assert t.results[game.id].second == 340 - 9
    t = commands.clear_sheet(t, game=game.id, form=2)
    assert (dict(t.sheets), dict(t.results)) == ({}, {})
    refused("no-sheet", commands.clear_sheet, t, game=game.id)


def test_settle_forms_resolves_one_difference() -> None:
    t, game = entered()
    turns = [*TURNS[:-1], {**TURNS[-1], "score": 301}]
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(turns=turns), tileset=TILES["nl"], form=2)
    settle: dict[str, Any] = {"game": game.id, "form": 2, "field": "score", "tileset": TILES["nl"]}
    refused("no-such-difference", commands.settle_forms, t, turn=3, **settle)
    after = commands.settle_forms(t, turn=4, **settle)
    assert after.results[game.id].second == 335
    refused("no-such-difference", commands.settle_forms, after, turn=4, **settle)


@pytest.mark.parametrize("form", [1, 2])
def test_settle_forms_is_independent_of_the_correct_form(form: int) -> None:
    """The forms disagree on who played turn 2; that its total is as wrong as the one before is no difference."""
    t, game = begun()
    for number, player_of_second, apart in ((1, 1, 0), (2, 2, 5)):
        turns = [
            {"player": 1, "kind": "play", "score": 20, "total": 20 + apart},
            {"player": player_of_second, "kind": "play", "score": 30, "total": 50 + apart},
        ]
        written = sheet(turns=turns, ended="open")
        t = commands.enter_sheet(t, game=game.id, sheet=written, tileset=TILES["nl"], form=number)
    settle: dict[str, Any] = {"game": game.id, "form": form, "tileset": TILES["nl"]}
    refused("no-such-difference", commands.settle_forms, t, turn=2, field=SheetField.TOTAL, **settle)
    assert commands.settle_forms(t, turn=2, field=SheetField.PLAYER, **settle).sheets != t.sheets


def test_clear_sheet_removes_the_result_despite_an_unfinished_form() -> None:
    t, game = entered()
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(ended="open"), tileset=TILES["nl"], form=2)
    assert t.results[game.id].second == 344
    t = commands.clear_sheet(t, game=game.id)
    assert (len(t.sheets), dict(t.results)) == (1, {})


def test_enter_sheet_finished_second_form_counts() -> None:
    t, game = entered(sheet(ended="open"))
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(rack_values=[0, 9]), tileset=TILES["nl"], form=2)
    assert t.results[game.id].second == 340 - 9
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(), tileset=TILES["nl"])
    assert t.results[game.id].second == 344
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(ended="open"), tileset=TILES["nl"])
    assert t.results[game.id].second == 340 - 9


def test_enter_result_of_a_slip_overrides_a_sheet() -> None:
    t, game = entered()
    slip = commands.enter_result(t, game=game.id, first=320, second=350)
    other = commands.enter_sheet(slip, game=game.id, sheet=sheet(), tileset=TILES["nl"], form=2)
    for after in (
        commands.clear_sheet(slip, game=game.id),
        other,
        commands.clear_sheet(other, game=game.id, form=2),
    ):
        assert after.results == slip.results
    ruled_on = ruled(slip, game)
    assert ruled_on.results[game.id].second == 344 - 30 - 20
    assert ruled(other, game, form=2).results == slip.results
    refused("result-final", commands.clear_sheet, commands.certify_result(t, game=game.id), game=game.id)


def test_find_differing_result_after_swapped_players() -> None:
    t, game = begun()
    t = t.put(replace(game, start=Start.DRAW))
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(), tileset=TILES["nl"])
    t = commands.enter_result(t, game=game.id, first=316, second=344, started=Forfeit.SECOND)
    assert find_differing_sheet_result(Index(t), game.id) is None


def test_enter_sheet_certified_needs_a_reason() -> None:
    t, game = entered()
    t = commands.certify_result(t, game=game.id)
    refused("result-final", commands.enter_sheet, t, game=game.id, sheet=sheet(), tileset=TILES["nl"])
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(), tileset=TILES["nl"], reason="typed wrongly")
    assert t.results[game.id].state is ResultState.ENTERED


def test_enter_sheet_lost_on_time_keeps_points() -> None:
    """nl-reglement IV.1c: lost whatever the points; each loses the own rack."""
    t, game = entered(sheet(ended="flag", flag=2, rack_values=[9, 6]))
    result = t.results[game.id]
    assert (result.first, result.second, result.flag, result.lost) == (311, 334, Forfeit.SECOND, Forfeit.SECOND)
    decided = outcome.score_game(t.ruleset, result)
    assert (decided.first.worth, decided.second.worth) == (Worth.WIN, Worth.LOSS)
    assert (decided.first.spread, decided.second.points) == (-23, 334)


def test_enter_sheet_with_a_forfeit() -> None:
    t, game = entered(sheet(turns=[], rack_values=None, ended="forfeit", forfeit=2))
    assert t.results[game.id] == Result(game.id, ResultState.ENTERED, forfeit=Forfeit.SECOND)


def test_clear_result_removes_the_sheet() -> None:
    written = sheet(sanctions=[{"player": 1, "kind": "points", "points": 10, "why": "late"}])
    t, game = entered(written)
    assert t.results[game.id].first == 306
    cleared = commands.clear_result(t, game=game.id)
    gone = commands.discard_round(t, round=game.round, reason="wrong list", with_results=True)
    for after in (cleared, gone):
        assert (dict(after.sheets), dict(after.results), dict(after.sanctions)) == ({}, {}, {})
        assert find_row_faults(after) == ()


# --- rulings


def ruled(t: Tournament, game: Game, **changed: Any) -> Tournament:
    arguments = {"turn": 2, "phony": True, "author": "J. Ury", "why": "not in the list", **changed}
    return commands.rule_on_turn(t, game=game.id, tileset=TILES["nl"], **arguments)


def test_rule_on_turn_phony_costs_its_turn_and_twenty_points() -> None:
    t, game = entered()
    t = commands.check_result(t, game=game.id)
    wrong = ruled(t, game)
    assert (wrong.results[game.id].second, wrong.results[game.id].state) == (344 - 30 - 20, ResultState.CHECKED)
    (ruling,) = Index(wrong).sheets(game.id)[0].rulings
    assert (ruling.turn, ruling.phony, ruling.author, ruling.why) == (2, True, "J. Ury", "not in the list")
    stands = ruled(wrong, game, phony=False, why="in the newest edition", edition="2026")
    assert stands.results == t.results
    assert [item.phony for item in Index(stands).sheets(game.id)[0].rulings] == [False]


def test_enter_sheet_keeps_rulings_on_unchanged_turns() -> None:
    t, game = entered()
    wrong = ruled(t, game)
    typed = Index(wrong).sheets(game.id)[0].sheet
    last = replace(typed.turns[3], score=311)
    for turns, kept in (((*typed.turns[:3], last), 1), ((typed.turns[0], last), 0)):
        again = commands.enter_sheet(wrong, game=game.id, sheet=replace(typed, turns=turns), tileset=TILES["nl"])
        assert len(Index(again).sheets(game.id)[0].rulings) == kept


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
    with pytest.raises(RuleViolation) as caught:
        ruled(*entered(), **changed)
    assert caught.value.code == code


@pytest.mark.parametrize("words", [1, 2, 8])
def test_rule_on_turn_stores_number_of_words_and_list(words: int) -> None:
    t, game = ruled_of(wrong_words=words, edition=" 2026 ")
    (form,) = Index(t).sheets(game.id)
    assert (form.sheet.turns[1].wrong_words, form.rulings[0].edition) == (words, "2026")


def ruled_of(**changed: Any) -> tuple[Tournament, Game]:
    t, game = entered()
    return ruled(t, game, **changed), game


@pytest.mark.parametrize(("length", "kept"), [(1, 0), (2, 1), (3, 1), (4, 1)])
def test_enter_sheet_removes_a_ruling_with_its_turn(length: int, kept: int) -> None:
    t, game = ruled_of()
    (form,) = Index(t).sheets(game.id)
    shorter = replace(form.sheet, turns=form.sheet.turns[:length])
    t = commands.enter_sheet(t, game=game.id, sheet=shorter, tileset=TILES["nl"])
    assert [item.turn for item in Index(t).sheets(game.id)[0].rulings] == [2] * kept


def test_rule_on_turn_needs_a_play() -> None:
    mixed = [*TURNS[:1], {"player": 2, "kind": "pass"}, *TURNS[2:3], TURNS[3]]
    t, game = entered(sheet(turns=mixed))
    assert len(Index(ruled(t, game, turn=3)).sheets(game.id)[0].rulings) == 1
    with pytest.raises(RuleViolation, match="ruling-without-play"):
        ruled(t, game, turn=2)
    t, game = entered(sheet(turns=[{"player": 1, "kind": "pass"}]))
    with pytest.raises(RuleViolation, match="ruling-without-play"):
        ruled(t, game, turn=1)


# --- slips


def slip(rules: str, **said: Any) -> Result:
    t, game = begun(rules)
    t = commands.enter_result(t, game=game.id, tileset=TILES[t.ruleset.tileset], **said)
    return t.results[game.id]


def test_enter_result_counts_racks_by_the_rules() -> None:
    out = slip("nl-match", first=400, second=380, rack1="", rack2="AE")
    assert (out.first, out.second) == (402, 378)
    nobody = slip("nl-match", first=400, second=380, rack1="?", rack2="AE")
    assert (nobody.first, nobody.second) == (400, 378)
    flagged = slip("nl-match", first=400, second=380, rack2="AE", flag=Forfeit.FIRST)
    assert (flagged.first, flagged.second, flagged.lost) == (400, 378, Forfeit.FIRST)


def test_enter_result_overtime_costs_minutes_then_the_game() -> None:
    """no-turneringsreglement 4.1."""
    late = slip("no-nsf", first=400, second=380, overtime1=61)
    minutes = Index(begun("no-nsf")[0]).tournament.ruleset.overtime
    assert (late.first, late.second, late.overtime) == (400 - 2 * minutes.points, 380, (61, 0))
    assert minutes.limit is not None
    lost = slip("no-nsf", first=400, second=380, overtime1=minutes.limit + 1, rack1="A", rack2="E")
    assert (lost.first, lost.second, lost.lost) == (
        min(400 - minutes.penalty, 380 - minutes.margin),
        380,
        Forfeit.FIRST,
    )


@pytest.mark.parametrize(
    ("code", "rules", "said"),
    [
        ("overtime-not-counted", "nl-match", {"overtime1": 5}),
        ("flag-not-counted", "no-nsf", {"flag": Forfeit.FIRST}),
        ("one-out-of-time", "nl-match", {"flag": Forfeit.BOTH}),
        ("one-out-of-time", "no-nsf", {"overtime1": 3000, "overtime2": 3000}),
        ("overtime-seconds", "no-nsf", {"overtime1": -1}),
        ("both-out", "nl-match", {"rack1": ""}),
        ("slip-rack-unreadable", "nl-match", {"rack1": "A1"}),
        ("slip-rack-too-long", "nl-match", {"rack1": "AAAAEEEE"}),
    ],
)
def test_enter_result_refuses_an_impossible_slip(code: str, rules: str, said: dict[str, Any]) -> None:
    with pytest.raises(RuleViolation) as caught:
        slip(rules, first=400, second=380, **said)
    assert caught.value.code == code


def test_enter_result_forfeit_excludes_other_values() -> None:
    with pytest.raises(RuleViolation, match="forfeit-with-points"):
        slip("nl-match", forfeit=Forfeit.FIRST, flag=Forfeit.FIRST)


# --- sanctions


def punished(t: Tournament, number: int, kind: SanctionKind, **more: Any) -> Tournament:
    arguments = {"key": "x", "why": "shouting", **more}
    return commands.add_sanction(t, player=player(t, number).id, kind=kind, **arguments)


def without(t: Tournament) -> Tournament:
    return commands.remove_sanction(t, sanction=SanctionId("x"))


def same(one: Tournament, other: Tournament) -> bool:
    return all(one.rows(kind) == other.rows(kind) for kind in KINDS)


def test_add_sanction_deducts_before_and_after_the_result() -> None:
    t = paired(event(4), results=False)
    game = game_at(t, 1)
    first = t.players[game.first].number
    entry: dict[str, Any] = {"game": game.id, "first": 400, "second": 380}
    later = commands.enter_result(punished(t, first, SanctionKind.POINTS, points=30), **entry)
    sooner = punished(commands.enter_result(t, **entry), first, SanctionKind.POINTS, points=30)
    assert same(later, sooner)
    result = later.results[game.id]
    assert (result.first, result.accounts and result.accounts[0].sanctions) == (370, -30)
    assert same(without(later), commands.enter_result(t, **entry))
    other = punished(later, first, SanctionKind.POINTS, points=5, key="y")
    assert other.results[game.id].first == 365
    assert same(without(punished(t, first, SanctionKind.POINTS, points=30)), t)
    before = event(4)
    assert same(without(punished(before, 1, SanctionKind.WARNING)), before)


def test_add_sanction_changes_the_margin_of_lost_overtime() -> None:
    t, game = begun("no-nsf")
    limit = t.ruleset.overtime.limit or 0
    t = commands.enter_result(t, game=game.id, first=400, second=380, overtime1=limit + 1)
    before = t.results[game.id]
    t = punished(t, t.players[game.second].number, SanctionKind.POINTS, points=200)
    after = t.results[game.id]
    assert (before.first or 0) - (before.second or 0) <= -t.ruleset.overtime.margin
    assert (after.first or 0) - (after.second or 0) == -t.ruleset.overtime.margin
    assert (after.second, after.lost) == (180, Forfeit.FIRST)


def test_add_sanction_lost_game_keeps_its_points() -> None:
    t = paired(event(4))
    game = game_at(t, 1)
    winner = game.first if (t.results[game.id].first or 0) > 400 else game.second
    after = punished(t, t.players[winner].number, SanctionKind.GAME)
    rows = {row.player.id: row for row in compute_standings(Index(after), after.divisions[DIVISION])}
    assert (rows[winner].wins, rows[winner].losses) == (0, 1)
    assert after.results[game.id].first == t.results[game.id].first
    assert same(without(after), t)


def test_add_sanction_margin_lowers_the_spread_from_its_round() -> None:
    t = paired(event(4), times=2)
    before = [spread_of(t, 1, after) for after in (1, 2)]
    after = punished(t, 1, SanctionKind.MARGIN, points=40)
    assert [spread_of(after, 1, number) for number in (1, 2)] == [before[0], before[1] - 40]
    assert after.results == t.results
    assert make_player_card_table(Index(after), player(after, 1)).rows[-1].total_spread == before[1] - 40
    one, two = (compute_pairing_digest(Index(x), DIVISION, 3) for x in (t, after))
    assert one != two
    proposal = propose_pairings(Index(t), DIVISION)
    refused("pairing-outdated", commands.pair_round, after, key="k", proposal=proposal)


def test_add_sanction_can_reduce_the_tournament_total() -> None:
    t = paired(event(4, rules="nl-points"))
    rules = replace(t.ruleset, sanctions=replace(t.ruleset.sanctions, points_from=PointsFrom.TOURNAMENT))
    t = t.put(Rules(RulesId(next(iter(t.rules))), rules))
    after = punished(t, 1, SanctionKind.POINTS, points=25)
    totals = [
        next(row for row in compute_standings(Index(x), x.divisions[DIVISION]) if row.player.number == 1)
        for x in (t, after)
    ]
    assert (totals[0].points - totals[1].points, totals[0].spread - totals[1].spread) == (25, 25)
    assert after.results == t.results


def test_add_sanction_disqualified_player_loses_later_rounds() -> None:
    t = paired(event(4), results=False)
    game = game_at(t, 1)
    number = t.players[game.first].number
    open_game = punished(t, number, SanctionKind.DISQUALIFIED)
    assert open_game.results[game.id].forfeit is Forfeit.FIRST
    played = commands.enter_result(t, game=game.id, first=450, second=300)
    out = punished(played, number, SanctionKind.DISQUALIFIED)
    assert (out.results[game.id].lost, out.results[game.id].first) == (Forfeit.FIRST, 450)
    (absence,) = Index(out).absences(game.first)
    assert (absence.first_round, absence.last_round, absence.kind) == (2, None, ByeKind.FORFEIT)
    assert same(without(out), played)
    assert same(apply_diff(out, invert_diff(compute_diff(played, out))), played)
    assert same(without(open_game), t)


def test_remove_sanction_keeps_other_forfeits() -> None:
    t = paired(event(4), results=False)
    game = game_at(t, 1)
    number = t.players[game.first].number
    absent = commands.enter_result(t, game=game.id, forfeit=Forfeit.FIRST)
    assert same(without(punished(absent, number, SanctionKind.DISQUALIFIED)), absent)
    out = punished(t, number, SanctionKind.DISQUALIFIED)
    for kept in (
        commands.check_result(out, game=game.id),
        commands.enter_result(out, game=game.id, forfeit=Forfeit.BOTH),
    ):
        assert without(kept).results == kept.results


def test_add_sanction_warning_changes_no_score() -> None:
    t = paired(event(4))
    after = punished(t, 1, SanctionKind.WARNING, author="J. Ury")
    assert [(item.round, item.author) for item in Index(after).sanctions(player(after, 1).id)] == [(1, "J. Ury")]
    assert after.results == t.results


@pytest.mark.parametrize(
    ("code", "kind", "more"),
    [
        ("sanction-points", SanctionKind.POINTS, {}),
        ("sanction-points", SanctionKind.WARNING, {"points": 5}),
        ("number-out-of-range", SanctionKind.MARGIN, {"points": -5}),
        ("text-missing", SanctionKind.WARNING, {"why": " "}),
        ("number-out-of-range", SanctionKind.WARNING, {"round_number": 2}),
    ],
)
def test_add_sanction_refuses_invalid_sanctions(code: str, kind: SanctionKind, more: dict[str, Any]) -> None:
    with pytest.raises(RuleViolation) as caught:
        punished(paired(event(4)), 1, kind, **more)
    assert caught.value.code == code


def test_add_sanction_lost_game_needs_a_game() -> None:
    with pytest.raises(RuleViolation, match="no-game-to-punish"):
        punished(event(4), 1, SanctionKind.GAME)


@pytest.mark.parametrize("points_from", list(PointsFrom))
def test_add_sanction_with_points_needs_a_game(points_from: PointsFrom) -> None:
    t = event(4)
    rules = replace(t.ruleset, sanctions=replace(t.ruleset.sanctions, points_from=points_from))
    t = t.put(Rules(RulesId(next(iter(t.rules))), rules))
    assert len(punished(t, 1, SanctionKind.WARNING).sanctions) == 1
    assert len(punished(t, 1, SanctionKind.MARGIN, points=5).sanctions) == 1
    with pytest.raises(RuleViolation, match="no-game-to-punish"):
        punished(t, 1, SanctionKind.GAME)
    if points_from is PointsFrom.GAME:
        with pytest.raises(RuleViolation, match="no-game-to-punish"):
            punished(t, 1, SanctionKind.POINTS, points=5)
    else:
        assert punished(t, 1, SanctionKind.POINTS, points=5).sanctions[SanctionId("x")].points == 5


def test_remove_player_removes_sanctions() -> None:
    t = punished(event(4), 1, SanctionKind.WARNING)
    assert find_row_faults(commands.remove_player(t, player=player(t, 1).id)) == ()


# --- elsewhere


def test_write_tournament_includes_sheets_and_sanctions() -> None:
    t, game = entered()
    t = punished(ruled(t, game), 1, SanctionKind.WARNING)
    data = tournament_json.write_tournament(t)
    assert same(tournament_json.read_tournament(data), t)
    with pytest.raises(Exception, match="sheets"):
        tournament_json.read_tournament(data.replace(b'"player": 1', b'"player": 7'))


def test_add_sanction_keeps_other_divisions_unchanged() -> None:
    t = commands.add_division(paired(event(4)), key=DivisionId("e"), code="B")
    assert compute_standings(Index(t), t.divisions[DivisionId("e")]) == ()
