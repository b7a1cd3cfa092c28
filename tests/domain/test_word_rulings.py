"""A wrong word on a form without a typed sheet: its cost, its place in tables, and a later sheet."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.game_results import compute_points_before_rulings, swap_players_of_game
from tdapp.domain.index import Index
from tdapp.domain.judging import make_replay_rules
from tdapp.domain.model import Forfeit, Game, Result, ResultState
from tdapp.domain.problems import find_problems
from tdapp.domain.rulings import ONLY_TURN_SCORE, find_plays_with_word, list_turn_rulings, match_rulings_to_turns
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.tables import jury, jury_log, players
from tdapp.domain.tournament import Tournament, find_row_faults
from tdapp.exchange.presets import read_tilesets
from tdapp.i18n.sheet_reading import DoubtCache
from tdapp.scrabble.replay import replay_sheet
from tdapp.scrabble.sheet import Ruling, SanctionKind, Sheet, parse_sheet
from tests.building import DIVISION, RESOURCES, event, game_at, last_round, paired, ruleset
from tests.domain.word_list import Words

TILES = read_tilesets(RESOURCES / "tilesets")
SHEET: dict[str, Any] = {
    "players": ["", ""],
    "turns": [
        {"player": 1, "kind": "play", "word": "TAART", "score": 20},
        {"player": 2, "kind": "play", "word": "XQBAR", "score": 48},
        {"player": 1, "kind": "play", "score": 380},
        {"player": 2, "kind": "play", "score": 340},
    ],
    "rack_values": [0, 0],
    "ended": "passes",
}


def begun(rules: str = "nl-match") -> tuple[Tournament, Game]:
    t = paired(event(4, rules=rules), results=False)
    return t, game_at(t, 1)


def entered(first: int = 400, second: int = 388, **more: Any) -> tuple[Tournament, Game]:
    t, game = begun(**more)
    return commands.enter_result(t, game=game.id, first=first, second=second), game


def ruled(t: Tournament, game: Game, **changed: Any) -> Tournament:
    given = {"key": "w", "game": game.id, "player": game.second, "word": "xqbar", "score": 48, **changed}
    return commands.rule_on_word(t, tileset=TILES[t.ruleset.tileset], **given)


def result(t: Tournament, game: Game) -> Result:
    return t.results[game.id]


def scores(t: Tournament, game: Game) -> tuple[int | None, int | None]:
    return result(t, game).first, result(t, game).second


def sheet(**changed: Any) -> Sheet:
    return parse_sheet({**SHEET, **changed})


def test_rule_on_word_wrong_costs_its_turn_and_twenty_points() -> None:
    t, game = entered()
    t = ruled(t, game, author="J", why="not in the list")
    assert scores(t, game) == (400, 388 - 48 - 20)
    assert result(t, game).accounts == (ScoreBreakdown(turns=400), ScoreBreakdown(turns=388, phonies=-68))
    assert compute_points_before_rulings(result(t, game)) == (400, 388)
    row = next(jury_log.list_ruling_rows(Index(t), t.divisions[DIVISION]))
    assert (row.table, row.word, row.kind, row.points, row.row) == (1, "XQBAR", "ruled-wrong", 68, None)
    card = players.make_player_note_table(Index(t), t.players[game.second]).rows
    assert [(one.kind, one.game) for one in card] == [("ruling", game.id)]


def test_rule_on_word_counts_for_each_result() -> None:
    t, game = begun()
    t = ruled(t, game)
    t = commands.enter_result(t, game=game.id, first=400, second=388)
    assert scores(t, game) == (400, 320)
    t = commands.enter_result(t, game=game.id, first=410, second=388)
    assert scores(t, game) == (410, 320)
    t = commands.add_sanction(t, key="s", player=game.second, kind=SanctionKind.POINTS, points=10, why="late")
    assert scores(t, game) == (410, 310)
    t = commands.remove_sanction(t, sanction=next(iter(t.sanctions)))
    assert scores(t, game) == (410, 320)
    t = commands.enter_result(t, game=game.id, forfeit=Forfeit.FIRST)
    assert result(t, game).forfeit is Forfeit.FIRST
    t = commands.clear_result(t, game=game.id)
    assert not t.word_rulings


def test_rule_on_word_appeal_restores_the_word() -> None:
    t, game = entered()
    t = ruled(ruled(t, game), game, key="v", word="ZZ", score=10)
    assert scores(t, game) == (400, 388 - 68 - 30)
    t = ruled(t, game, key="a", phony=False, why="it is there")
    assert scores(t, game) == (400, 388 - 30)
    assert [(ruling.word, ruling.phony) for ruling in Index(t).word_rulings(game.id)] == [
        ("XQBAR", False),
        ("ZZ", True),
    ]


def test_rule_on_word_again_is_a_second_ruling_or_correction() -> None:
    t, game = entered(first=388, second=412)
    t = ruled(t, game, score=45)
    assert scores(t, game) == (388, 347)
    for score in (30, 45):
        with pytest.raises(RuleViolation, match="ruled-already") as refused:
            ruled(t, game, key="x", score=score)
        assert refused.value.facts["scores"] == ["45"]
    both = ruled(t, game, key="x", score=30, another=True)
    assert scores(both, game) == (388, 412 - 65 - 50)
    assert scores(ruled(both, game, key="y", score=20, replaces=30), game) == (388, 412 - 65 - 40)
    with pytest.raises(RuleViolation, match="which-ruling"):
        ruled(both, game, key="y", score=20, replaces=ONLY_TURN_SCORE)
    assert scores(ruled(both, game, key="y", phony=False, score=0), game) == (388, 412)
    assert scores(ruled(t, game, key="x", score=30, replaces=ONLY_TURN_SCORE), game) == (388, 362)
    assert scores(ruled(t, game, key="x", score=45, another=True), game) == (388, 282)


def test_enter_sheet_takes_each_ruling_over_in_its_own_turn() -> None:
    t, game = entered()
    t = ruled(ruled(t, game, score=30), game, key="x", score=48, another=True)
    turns = [*SHEET["turns"][:3], {"player": 2, "kind": "play", "word": "XQBAR", "score": 31}]
    once = commands.enter_sheet(t, game=game.id, sheet=sheet(), tileset=TILES["nl"])
    assert [ruling.turn for ruling in Index(once).sheets(game.id)[0].rulings] == [2]
    assert [ruling.score for ruling in once.word_rulings.values()] == [30]
    twice = commands.enter_sheet(t, game=game.id, sheet=sheet(turns=turns), tileset=TILES["nl"])
    assert [ruling.turn for ruling in Index(twice).sheets(game.id)[0].rulings] == [2, 4]
    assert not twice.word_rulings
    with pytest.raises(RuleViolation, match="ruled-already"):
        ruled(twice, game, key="z", score=48)
    assert [ruling.word for ruling in ruled(twice, game, key="z", another=True).word_rulings.values()] == ["XQBAR"]


def test_rule_on_word_appeal_restores_one_of_two_words() -> None:
    t, game = entered()
    t = ruled(t, game, word="xyz zzz", score=40)
    (ruling,) = t.word_rulings.values()
    assert (ruling.word, ruling.wrong_words) == ("XYZ ZZZ", 2)
    before = scores(t, game)[1]
    t = ruled(t, game, key="a", word="XYZ", phony=False, score=0)
    assert [(ruling.word, ruling.phony, ruling.cost) for ruling in Index(t).word_rulings(game.id)] == [
        ("XYZ", False, 0),
        ("ZZZ", True, 60),
    ]
    assert (before, scores(t, game)) == (388 - 60, (400, 388 - 60))  # twenty points for the turn, not for a word
    assert scores(ruled(t, game, key="b", word="ZZZ", phony=False, score=0), game) == (400, 388)


def test_enter_sheet_takes_over_an_earlier_ruling() -> None:
    t, game = entered()
    t = ruled(t, game, author="J", why="no word")
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(), tileset=TILES["nl"])
    assert (scores(t, game), dict(t.word_rulings)) == ((400, 320), {})
    kept = Index(t).sheets(game.id)[0]
    assert kept.sheet.turns[1].ruling is Ruling.PHONY
    assert [(ruling.turn, ruling.author, ruling.why) for ruling in kept.rulings] == [(2, "J", "no word")]


def test_enter_sheet_wrong_word_after_a_valid_ruling() -> None:
    turns = [{**turn, "ruling": "phony"} if turn.get("word") == "XQBAR" else turn for turn in SHEET["turns"]]
    plain, game = begun()
    expected = commands.enter_sheet(plain, game=game.id, sheet=sheet(turns=turns), tileset=TILES["nl"])
    t = ruled(plain, game, phony=False, why="in the list")
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(turns=turns), tileset=TILES["nl"])
    assert scores(t, game) == scores(expected, game)
    assert not t.word_rulings


def test_rule_on_word_without_a_turn_on_the_sheet_stays() -> None:
    t, game = entered()
    t = ruled(t, game, word="ANDERS")
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(), tileset=TILES["nl"])
    assert scores(t, game) == (400, 320)
    assert len(t.word_rulings) == 1
    rows = jury.make_jury_game_table(Index(t), last_round(t), find_doubts=lambda _form: frozenset()).rows
    assert (rows[0].status, rows[0].rulings) == ("differs", 1)
    told = [
        problem.facts
        for problem in find_problems(Index(t), t.divisions[DIVISION])
        if problem.code == "ruling-astray"
    ]
    assert told == [{"round": 1, "table": 1, "word": "ANDERS"}]
    t = ruled(t, game, key="o", word="ANDERS", phony=False)
    assert scores(t, game) == (400, 388)


def test_rule_on_word_uses_the_turn_of_the_sheet() -> None:
    t, game = begun()
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(), tileset=TILES["nl"])
    t = ruled(t, game, score=0)
    assert (scores(t, game), dict(t.word_rulings)) == ((400, 320), {})
    assert Index(t).sheets(game.id)[0].rulings[0].turn == 2


def test_find_plays_with_prefers_the_stated_score() -> None:
    turns = [
        {"player": 1, "kind": "play", "word": "XQBAR", "score": 48},
        {"player": 2, "kind": "withdrawn", "word": "XQBAR"},
        {"player": 1, "kind": "play", "word": "TAART", "score": 20},
        {"player": 2, "kind": "play", "word": "XqBAR", "score": 30},
        {"player": 1, "kind": "pass"},
        {"player": 2, "kind": "play", "word": "XQBAR", "score": 48},
        {"player": 2, "kind": "play", "score": 48},
        {"player": 1, "kind": "play", "word": "ÅXB", "score": 9},
    ]
    written = sheet(turns=turns)
    lines = replay_sheet(written, TILES["nl"], make_replay_rules(ruleset())).lines

    def found(player: int, score: int | None = None, word: str = "xqbar") -> tuple[int, ...]:
        return find_plays_with_word(written, lines, player=player, word=word, score=score)

    assert (found(2), found(2, 30), found(2, 48), found(1), found(1, word="bar")) == (
        (4, 6),
        (4, 6),
        (6, 4),
        (1,),
        (),
    )
    assert found(1, word="åxb") == (8,)  # whatever letters the set has


def test_rule_on_word_chooses_the_play_with_its_score() -> None:
    t, game = begun()
    turns = [*SHEET["turns"], {"player": 2, "kind": "play", "word": "XQBAR", "score": 30}]
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(turns=turns), tileset=TILES["nl"])
    for score, turn in ((48, 2), (30, 5)):
        assert [ruling.turn for ruling in Index(ruled(t, game, score=score)).sheets(game.id)[0].rulings] == [turn]


def test_match_rulings_takes_the_first_free_play_without_its_score() -> None:
    t, game = entered()
    t = ruled(ruled(t, game), game, key="v", score=12, another=True)
    words = [(2, "XQBAR", 30), (1, "TAART", 20), (2, "XQBAR", 31), (2, "XQBAR", 32)]
    turns = [{"player": player, "kind": "play", "word": word, "score": score} for player, word, score in words]
    written = sheet(turns=turns)
    lines = replay_sheet(written, TILES["nl"], make_replay_rules(t.ruleset)).lines
    assert sorted(match_rulings_to_turns(game, written, lines, Index(t).word_rulings(game.id)).values()) == [1, 3]
    rulings = Index(t).word_rulings(game.id)
    assert list(match_rulings_to_turns(game, written, lines, rulings, excluded_turns={1}).values()) == [3, 4]


def test_enter_sheet_form_has_the_rulings_of_its_words() -> None:
    t, game = entered()
    t = ruled(ruled(t, game), game, key="v", word="ANDERS")
    lines = replay_sheet(sheet(), TILES["nl"], make_replay_rules(t.ruleset)).lines
    found = list_turn_rulings(game, sheet(), lines, Index(t).word_rulings(game.id))
    assert [(one.turn, one.phony) for one in found] == [(2, True)]


def test_enter_sheet_again_takes_over_rulings() -> None:
    t, game = entered()
    t = ruled(t, game)
    turns = [{**SHEET["turns"][0]}, {"player": 2, "kind": "play", "score": 48}, *SHEET["turns"][2:]]
    for written, left in ((sheet(turns=turns), ["XQBAR"]), (sheet(), [])):
        t = commands.enter_sheet(t, game=game.id, sheet=written, tileset=TILES["nl"])
        assert [ruling.word for ruling in t.word_rulings.values()] == left
        assert scores(t, game) == (400, 320)


def test_rule_on_word_costs_nothing_in_another_game() -> None:
    t, game = entered()
    t = commands.enter_result(ruled(t, game), game=game_at(t, 2).id, first=400, second=390)
    t = paired(t, results=False)
    again = Index(t).find_game_of(last_round(t).id, game.second)
    assert again is not None
    t = commands.enter_result(t, game=again.id, first=400, second=388)
    assert scores(t, again) == (400, 388)


def test_rule_on_word_certified_result_needs_a_reason() -> None:
    t, game = entered()
    t = ruled(commands.check_result(t, game=game.id), game)
    assert result(t, game).state is ResultState.CHECKED
    t = commands.certify_result(t, game=game.id)
    with pytest.raises(RuleViolation, match="result-final"):
        ruled(t, game, key="n", word="NOG")
    assert scores(ruled(t, game, key="n", word="NOG", score=10, why="seen late"), game) == (400, 290)


@pytest.mark.parametrize(
    ("code", "rules", "changed"),
    [
        ("player-not-here", "nl-match", {"player": "p4"}),
        ("words-not-ruled", "no-nsf", {}),
        ("no-word", "nl-match", {"word": "12"}),
        ("no-word", "nl-match", {"word": "Q"}),
        ("no-word", "nl-match", {"word": "XQ T1"}),
        ("no-such-ruling", "nl-match", {"replaces": 45}),
        ("number-out-of-range", "nl-match", {"score": -1}),
        ("number-out-of-range", "nl-match", {"wrong_words": 0}),
    ],
)
def test_rule_on_word_refuses_invalid_rulings(code: str, rules: str, changed: dict[str, Any]) -> None:
    t, game = entered(rules=rules)
    if changed.get("player"):
        changed = {"player": next(key for key in t.players if key not in {game.first, game.second})}
    with pytest.raises(RuleViolation, match=code):
        ruled(t, game, **changed)


def test_rule_on_word_stays_with_its_player_if_tiles_decide() -> None:
    t, game = entered(rules="nl-match")
    t = ruled(t, game)
    t = swap_players_of_game(t, game.id)
    assert scores(t, game) == (320, 400)
    assert result(t, game).words == (68, 0)


def test_check_results_all_or_none() -> None:
    t = paired(event(4))
    games = tuple(game.id for game in Index(t).games(last_round(t).id))
    after = commands.check_results(t, games=games, author="J")
    assert {result.state for result in after.results.values()} == {ResultState.CHECKED}
    with pytest.raises(RuleViolation, match="already-in-state"):
        commands.check_results(commands.check_result(t, game=games[1]), games=games)


@pytest.mark.parametrize("sheet_first", [True, False])
def test_enter_sheet_unfinished_takes_over_no_ruling(sheet_first: bool) -> None:
    t, game = entered()
    tiles = TILES[t.ruleset.tileset]
    half = partial(commands.enter_sheet, game=game.id, sheet=sheet(ended="open"), tileset=tiles)
    t = ruled(half(t), game) if sheet_first else half(ruled(t, game))
    assert scores(t, game) == (400, 388 - 48 - 20)
    assert [ruling.word for ruling in t.word_rulings.values()] == ["XQBAR"]
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(), tileset=tiles)
    assert scores(t, game) == (400, 340 - 20)
    assert not t.word_rulings
    (item,) = Index(t).sheets(game.id)
    assert [(ruling.turn, ruling.phony) for ruling in item.rulings] == [(2, True)]


@pytest.mark.parametrize("phony", [True, False])
def test_make_sheet_table_ruled_word_is_no_doubt(phony: bool) -> None:
    t, game = entered()
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(ended="open"), tileset=TILES["nl"])
    counts, words = DoubtCache(), Words("TAART")

    def row(value: Tournament) -> jury.JuryGame:
        index = Index(value)
        doubtful = partial(counts.find_doubtful_turns, index, tileset=TILES["nl"], wordlist=words)
        return jury.make_jury_game_table(index, last_round(value), find_doubts=doubtful).rows[0]

    assert (row(t).status, row(t).doubtful) == ("doubt", frozenset({2}))
    after = ruled(t, game, phony=phony)
    assert (row(after).status, row(after).doubtful, row(after).rulings) == ("entered", frozenset(), 1)
    assert "ruling-astray" not in {
        problem.code for problem in find_problems(Index(after), after.divisions[DIVISION])
    }
    (doubt,) = jury.make_division_doubt_table(
        Index(after), after.divisions[DIVISION], wordlist=words, tilesets=TILES
    ).rows
    assert doubt.doubt.state == ("doubt-wrong" if phony else "doubt-stands")
    assert row(t).doubtful == {2}  # the turn with the withdrawal


def test_make_sheet_table_marked_word_is_a_doubt_with_a_result() -> None:
    t, game = begun()
    turns = [{"player": 1, "kind": "play", "word": "FOUT", "score": 30, "ruling": "phony"}]
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(turns=turns, ended="open"), tileset=TILES["nl"])
    counts = DoubtCache()

    def doubts(value: Tournament) -> frozenset[int]:
        index = Index(value)
        return counts.find_doubtful_turns(index, index.sheets(game.id)[0], TILES["nl"], None)

    assert doubts(t) == frozenset()
    t = commands.enter_result(t, game=game.id, first=400, second=388)
    assert result(t, game).first == 400
    assert doubts(t) == frozenset({0})
    unmarked = sheet(turns=[{**turns[0], "ruling": None}], ended="open")
    t = commands.enter_sheet(t, game=game.id, sheet=unmarked, tileset=TILES["nl"])
    assert doubts(t) == frozenset()


def test_discard_round_removes_rulings() -> None:
    t, game = entered()
    t = ruled(t, game)
    assert t.word_rulings
    gone = commands.discard_round(t, round=game.round, reason="wrong list", with_results=True)
    assert not gone.word_rulings
    assert find_row_faults(gone) == ()


def test_sign_rulings_changes_the_author() -> None:
    t, game = entered()
    t = commands.enter_sheet(t, game=game.id, sheet=sheet(), tileset=TILES["nl"])
    for key, word, author in (("a", "XQBAR", "all"), ("b", "ANDERS", "all"), ("c", "NOG", "Kim")):
        t = ruled(t, game, key=key, word=word, author=author, why="-")
    t = commands.add_sanction(
        t, key="s", player=game.second, kind=SanctionKind.WARNING, why="late", author="all", round_number=1
    )
    t = commands.sign_rulings(t, old="all", new="Truus")
    assert {ruling.author for ruling in t.word_rulings.values()} == {"Truus", "Kim"}
    assert [ruling.author for ruling in Index(t).sheets(game.id)[0].rulings] == ["Truus"]
    assert [sanction.author for sanction in t.sanctions.values()] == ["Truus"]
    with pytest.raises(RuleViolation, match="nothing-signed"):
        commands.sign_rulings(t, old="all", new="Truus")


def test_judge_sheet_unfinished_total_has_rulings() -> None:
    t, game = entered()
    written = sheet(turns=SHEET["turns"][:3], ended="open")
    totals = [account.total for account in jury.preview_sheet(t, game.id, written, TILES["nl"]).accounts]
    assert totals == [400, 48]
    t = ruled(t, game)
    after = jury.preview_sheet(t, game.id, written, TILES["nl"]).accounts
    assert [(one.total, one.phonies) for one in after] == [(400, 0), (48 - 68, -68)]
