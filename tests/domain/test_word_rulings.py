"""Tests of rulings on words of a form without a typed sheet."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.game_results import compute_points_before_rulings, swap_players_after_tile_draw
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import make_replay_rules
from tdapp.domain.model import Game, GameSide, Result, ResultState
from tdapp.domain.problems import find_division_problems
from tdapp.domain.rulings import (
    ONLY_TURN_SCORE,
    list_turn_numbers_with_word,
    list_turn_rulings,
    match_rulings_to_turns,
)
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.tables import jury, jury_log, players
from tdapp.domain.tournament import Tournament, find_inconsistent_rows
from tdapp.exchange.presets import read_tilesets
from tdapp.i18n.sheet_reading import TurnsToCheckCache
from tdapp.scrabble.replay import replay_sheet
from tdapp.scrabble.sheet import Ruling, SanctionKind, Sheet, parse_sheet
from tests.building import DIVISION, RESOURCES, get_game_at, get_last_round, load_rule_set, make_event, pair_rounds
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


def start_round(rules: str = "nl-match") -> tuple[Tournament, Game]:
    t = pair_rounds(make_event(4, rules=rules), results=False)
    return t, get_game_at(t, 1)


def enter_result(first: int = 400, second: int = 388, **fields: Any) -> tuple[Tournament, Game]:
    t, game = start_round(**fields)
    return commands.enter_result(t, game=game.id, first=first, second=second), game


def rule_on_word(t: Tournament, game: Game, **fields: Any) -> Tournament:
    arguments = {"key": "w", "game": game.id, "player": game.second, "word": "xqbar", "score": 48, **fields}
    return commands.rule_on_word(t, tileset=TILES[t.ruleset.tileset], **arguments)


def get_result(t: Tournament, game: Game) -> Result:
    return t.results[game.id]


def get_scores(t: Tournament, game: Game) -> tuple[int | None, int | None]:
    return get_result(t, game).first, get_result(t, game).second


def make_sheet(**fields: Any) -> Sheet:
    return parse_sheet({**SHEET, **fields})


def test_rule_on_word_wrong_costs_its_turn_and_twenty_points() -> None:
    t, game = enter_result()
    t = rule_on_word(t, game, author="J", why="not in the list")
    assert get_scores(t, game) == (400, 388 - 48 - 20)
    assert get_result(t, game).accounts == (ScoreBreakdown(turns=400), ScoreBreakdown(turns=388, phonies=-68))
    assert compute_points_before_rulings(get_result(t, game)) == (400, 388)
    row = next(jury_log.list_word_ruling_rows(TournamentIndex(t), t.divisions[DIVISION]))
    assert (row.table, row.word, row.kind, row.points, row.row) == (1, "XQBAR", "ruled-wrong", 68, None)
    card = players.make_player_note_table(TournamentIndex(t), t.players[game.second]).rows
    assert [(note.kind, note.game) for note in card] == [("ruling", game.id)]


def test_rule_on_word_counts_for_each_result() -> None:
    t, game = start_round()
    t = rule_on_word(t, game)
    t = commands.enter_result(t, game=game.id, first=400, second=388)
    assert get_scores(t, game) == (400, 320)
    t = commands.enter_result(t, game=game.id, first=410, second=388)
    assert get_scores(t, game) == (410, 320)
    t = commands.add_sanction(t, key="s", player=game.second, kind=SanctionKind.POINTS, points=10, why="late")
    assert get_scores(t, game) == (410, 310)
    t = commands.remove_sanction(t, sanction=next(iter(t.sanctions)))
    assert get_scores(t, game) == (410, 320)
    t = commands.enter_result(t, game=game.id, forfeit=GameSide.FIRST)
    assert get_result(t, game).forfeit is GameSide.FIRST
    t = commands.clear_result(t, game=game.id)
    assert not t.word_rulings


def test_rule_on_word_appeal_restores_the_word() -> None:
    t, game = enter_result()
    t = rule_on_word(rule_on_word(t, game), game, key="v", word="ZZ", score=10)
    assert get_scores(t, game) == (400, 388 - 68 - 30)
    t = rule_on_word(t, game, key="a", phony=False, why="it is there")
    assert get_scores(t, game) == (400, 388 - 30)
    assert [(ruling.word, ruling.phony) for ruling in TournamentIndex(t).word_rulings(game.id)] == [
        ("XQBAR", False),
        ("ZZ", True),
    ]


def test_rule_on_word_again_is_a_second_ruling_or_correction() -> None:
    t, game = enter_result(first=388, second=412)
    t = rule_on_word(t, game, score=45)
    assert get_scores(t, game) == (388, 347)
    for score in (30, 45):
        with pytest.raises(CommandError, match="ruled-already") as error:
            rule_on_word(t, game, key="x", score=score)
        assert error.value.facts["scores"] == ["45"]
    two_rulings = rule_on_word(t, game, key="x", score=30, another=True)
    assert get_scores(two_rulings, game) == (388, 412 - 65 - 50)
    assert get_scores(rule_on_word(two_rulings, game, key="y", score=20, replaces=30), game) == (
        388,
        412 - 65 - 40,
    )
    with pytest.raises(CommandError, match="which-ruling"):
        rule_on_word(two_rulings, game, key="y", score=20, replaces=ONLY_TURN_SCORE)
    assert get_scores(rule_on_word(two_rulings, game, key="y", phony=False, score=0), game) == (388, 412)
    assert get_scores(rule_on_word(t, game, key="x", score=30, replaces=ONLY_TURN_SCORE), game) == (388, 362)
    assert get_scores(rule_on_word(t, game, key="x", score=45, another=True), game) == (388, 282)


def test_enter_sheet_takes_each_ruling_over_in_its_own_turn() -> None:
    t, game = enter_result()
    t = rule_on_word(rule_on_word(t, game, score=30), game, key="x", score=48, another=True)
    turns = [*SHEET["turns"][:3], {"player": 2, "kind": "play", "word": "XQBAR", "score": 31}]
    one_ruling = commands.enter_sheet(t, game=game.id, sheet=make_sheet(), tileset=TILES["nl"])
    assert [ruling.turn for ruling in TournamentIndex(one_ruling).sheets(game.id)[0].rulings] == [2]
    assert [ruling.score for ruling in one_ruling.word_rulings.values()] == [30]
    both_rulings = commands.enter_sheet(t, game=game.id, sheet=make_sheet(turns=turns), tileset=TILES["nl"])
    assert [ruling.turn for ruling in TournamentIndex(both_rulings).sheets(game.id)[0].rulings] == [2, 4]
    assert not both_rulings.word_rulings
    with pytest.raises(CommandError, match="ruled-already"):
        rule_on_word(both_rulings, game, key="z", score=48)
    assert [
        ruling.word for ruling in rule_on_word(both_rulings, game, key="z", another=True).word_rulings.values()
    ] == ["XQBAR"]


def test_rule_on_word_appeal_restores_one_of_two_words() -> None:
    t, game = enter_result()
    t = rule_on_word(t, game, word="xyz zzz", score=40)
    (ruling,) = t.word_rulings.values()
    assert (ruling.word, ruling.wrong_words) == ("XYZ ZZZ", 2)
    before = get_scores(t, game)[1]
    t = rule_on_word(t, game, key="a", word="XYZ", phony=False, score=0)
    assert [(ruling.word, ruling.phony, ruling.cost) for ruling in TournamentIndex(t).word_rulings(game.id)] == [
        ("XYZ", False, 0),
        ("ZZZ", True, 60),
    ]
    assert (before, get_scores(t, game)) == (
        388 - 60,
        (400, 388 - 60),
    )  # twenty points for the turn, not for a word
    assert get_scores(rule_on_word(t, game, key="b", word="ZZZ", phony=False, score=0), game) == (400, 388)


def test_enter_sheet_takes_over_an_earlier_ruling() -> None:
    t, game = enter_result()
    t = rule_on_word(t, game, author="J", why="no word")
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(), tileset=TILES["nl"])
    assert (get_scores(t, game), dict(t.word_rulings)) == ((400, 320), {})
    sheet_row = TournamentIndex(t).sheets(game.id)[0]
    assert sheet_row.sheet.turns[1].ruling is Ruling.PHONY
    assert [(ruling.turn, ruling.author, ruling.why) for ruling in sheet_row.rulings] == [(2, "J", "no word")]


def test_enter_sheet_wrong_word_after_a_valid_ruling() -> None:
    turns = [{**turn, "ruling": "phony"} if turn.get("word") == "XQBAR" else turn for turn in SHEET["turns"]]
    tournament, game = start_round()
    expected = commands.enter_sheet(tournament, game=game.id, sheet=make_sheet(turns=turns), tileset=TILES["nl"])
    t = rule_on_word(tournament, game, phony=False, why="in the list")
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(turns=turns), tileset=TILES["nl"])
    assert get_scores(t, game) == get_scores(expected, game)
    assert not t.word_rulings


def test_rule_on_word_without_a_turn_on_the_sheet_stays() -> None:
    t, game = enter_result()
    t = rule_on_word(t, game, word="ANDERS")
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(), tileset=TILES["nl"])
    assert get_scores(t, game) == (400, 320)
    assert len(t.word_rulings) == 1
    rows = jury.make_jury_game_table(
        TournamentIndex(t), get_last_round(t), find_doubts=lambda _form: frozenset()
    ).rows
    assert (rows[0].status, rows[0].rulings) == ("differs", 1)
    facts = [
        problem.facts
        for problem in find_division_problems(TournamentIndex(t), t.divisions[DIVISION])
        if problem.code == "ruling-astray"
    ]
    assert facts == [{"round": 1, "table": 1, "word": "ANDERS"}]
    t = rule_on_word(t, game, key="o", word="ANDERS", phony=False)
    assert get_scores(t, game) == (400, 388)


def test_rule_on_word_uses_the_turn_of_the_sheet() -> None:
    t, game = start_round()
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(), tileset=TILES["nl"])
    t = rule_on_word(t, game, score=0)
    assert (get_scores(t, game), dict(t.word_rulings)) == ((400, 320), {})
    assert TournamentIndex(t).sheets(game.id)[0].rulings[0].turn == 2


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
    typed_sheet = make_sheet(turns=turns)
    lines = replay_sheet(typed_sheet, TILES["nl"], make_replay_rules(load_rule_set())).lines

    def find_plays(player: int, score: int | None = None, word: str = "xqbar") -> tuple[int, ...]:
        return list_turn_numbers_with_word(typed_sheet, lines, player=player, word=word, preferred_score=score)

    assert (find_plays(2), find_plays(2, 30), find_plays(2, 48), find_plays(1), find_plays(1, word="bar")) == (
        (4, 6),
        (4, 6),
        (6, 4),
        (1,),
        (),
    )
    assert find_plays(1, word="åxb") == (8,)  # with any letters


def test_rule_on_word_chooses_the_play_with_its_score() -> None:
    t, game = start_round()
    turns = [*SHEET["turns"], {"player": 2, "kind": "play", "word": "XQBAR", "score": 30}]
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(turns=turns), tileset=TILES["nl"])
    for score, turn in ((48, 2), (30, 5)):
        assert [
            ruling.turn
            for ruling in TournamentIndex(rule_on_word(t, game, score=score)).sheets(game.id)[0].rulings
        ] == [turn]


def test_match_rulings_takes_the_first_free_play_without_its_score() -> None:
    t, game = enter_result()
    t = rule_on_word(rule_on_word(t, game), game, key="v", score=12, another=True)
    words = [(2, "XQBAR", 30), (1, "TAART", 20), (2, "XQBAR", 31), (2, "XQBAR", 32)]
    turns = [{"player": player, "kind": "play", "word": word, "score": score} for player, word, score in words]
    typed_sheet = make_sheet(turns=turns)
    lines = replay_sheet(typed_sheet, TILES["nl"], make_replay_rules(t.ruleset)).lines
    assert sorted(
        match_rulings_to_turns(game, typed_sheet, lines, TournamentIndex(t).word_rulings(game.id)).values()
    ) == [
        1,
        3,
    ]
    rulings = TournamentIndex(t).word_rulings(game.id)
    assert list(match_rulings_to_turns(game, typed_sheet, lines, rulings, excluded_turns={1}).values()) == [3, 4]


def test_enter_sheet_form_has_the_rulings_of_its_words() -> None:
    t, game = enter_result()
    t = rule_on_word(rule_on_word(t, game), game, key="v", word="ANDERS")
    lines = replay_sheet(make_sheet(), TILES["nl"], make_replay_rules(t.ruleset)).lines
    rulings = list_turn_rulings(game, make_sheet(), lines, TournamentIndex(t).word_rulings(game.id))
    assert [(ruling.turn, ruling.phony) for ruling in rulings] == [(2, True)]


def test_enter_sheet_again_takes_over_rulings() -> None:
    t, game = enter_result()
    t = rule_on_word(t, game)
    turns = [{**SHEET["turns"][0]}, {"player": 2, "kind": "play", "score": 48}, *SHEET["turns"][2:]]
    for typed_sheet, remaining_words in ((make_sheet(turns=turns), ["XQBAR"]), (make_sheet(), [])):
        t = commands.enter_sheet(t, game=game.id, sheet=typed_sheet, tileset=TILES["nl"])
        assert [ruling.word for ruling in t.word_rulings.values()] == remaining_words
        assert get_scores(t, game) == (400, 320)


def test_rule_on_word_costs_nothing_in_another_game() -> None:
    t, game = enter_result()
    t = commands.enter_result(rule_on_word(t, game), game=get_game_at(t, 2).id, first=400, second=390)
    t = pair_rounds(t, results=False)
    next_game = TournamentIndex(t).find_player_game(get_last_round(t).id, game.second)
    assert next_game is not None
    t = commands.enter_result(t, game=next_game.id, first=400, second=388)
    assert get_scores(t, next_game) == (400, 388)


def test_rule_on_word_certified_result_needs_a_reason() -> None:
    t, game = enter_result()
    t = rule_on_word(commands.check_result(t, game=game.id), game)
    assert get_result(t, game).state is ResultState.CHECKED
    t = commands.certify_result(t, game=game.id)
    with pytest.raises(CommandError, match="result-final"):
        rule_on_word(t, game, key="n", word="NOG")
    assert get_scores(rule_on_word(t, game, key="n", word="NOG", score=10, why="seen late"), game) == (400, 290)


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
    t, game = enter_result(rules=rules)
    if changed.get("player"):
        changed = {"player": next(key for key in t.players if key not in {game.first, game.second})}
    with pytest.raises(CommandError, match=code):
        rule_on_word(t, game, **changed)


def test_rule_on_word_stays_with_its_player_if_tiles_decide() -> None:
    t, game = enter_result(rules="nl-match")
    t = rule_on_word(t, game)
    t = swap_players_after_tile_draw(t, game.id)
    assert get_scores(t, game) == (320, 400)
    assert get_result(t, game).words == (68, 0)


def test_check_results_all_or_none() -> None:
    t = pair_rounds(make_event(4))
    games = tuple(game.id for game in TournamentIndex(t).games(get_last_round(t).id))
    after = commands.check_results(t, games=games, author="J")
    assert {result.state for result in after.results.values()} == {ResultState.CHECKED}
    with pytest.raises(CommandError, match="already-in-state"):
        commands.check_results(commands.check_result(t, game=games[1]), games=games)


@pytest.mark.parametrize("sheet_first", [True, False])
def test_enter_sheet_unfinished_takes_over_no_ruling(sheet_first: bool) -> None:
    t, game = enter_result()
    tiles = TILES[t.ruleset.tileset]
    half = partial(commands.enter_sheet, game=game.id, sheet=make_sheet(ended="open"), tileset=tiles)
    t = rule_on_word(half(t), game) if sheet_first else half(rule_on_word(t, game))
    assert get_scores(t, game) == (400, 388 - 48 - 20)
    assert [ruling.word for ruling in t.word_rulings.values()] == ["XQBAR"]
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(), tileset=tiles)
    assert get_scores(t, game) == (400, 340 - 20)
    assert not t.word_rulings
    (item,) = TournamentIndex(t).sheets(game.id)
    assert [(ruling.turn, ruling.phony) for ruling in item.rulings] == [(2, True)]


@pytest.mark.parametrize("phony", [True, False])
def test_make_sheet_table_ruled_word_is_no_doubt(phony: bool) -> None:
    t, game = enter_result()
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(ended="open"), tileset=TILES["nl"])
    counts, words = TurnsToCheckCache(), Words("TAART")

    def make_row(value: Tournament) -> jury.JuryGame:
        index = TournamentIndex(value)
        doubtful = partial(counts.find_turn_numbers_to_check, index, tileset=TILES["nl"], wordlist=words)
        return jury.make_jury_game_table(index, get_last_round(value), find_doubts=doubtful).rows[0]

    assert (make_row(t).status, make_row(t).doubtful) == ("doubt", frozenset({2}))
    after = rule_on_word(t, game, phony=phony)
    assert (make_row(after).status, make_row(after).doubtful, make_row(after).rulings) == (
        "entered",
        frozenset(),
        1,
    )
    assert "ruling-astray" not in {
        problem.code for problem in find_division_problems(TournamentIndex(after), after.divisions[DIVISION])
    }
    (doubt,) = jury.make_doubtful_word_table_of_division(
        TournamentIndex(after), after.divisions[DIVISION], wordlist=words, tilesets=TILES
    ).rows
    assert doubt.doubt.state == ("doubt-wrong" if phony else "doubt-stands")
    assert make_row(t).doubtful == {2}  # the turn with the withdrawal


def test_make_sheet_table_marked_word_is_a_doubt_with_a_result() -> None:
    t, game = start_round()
    turns = [{"player": 1, "kind": "play", "word": "FOUT", "score": 30, "ruling": "phony"}]
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(turns=turns, ended="open"), tileset=TILES["nl"])
    counts = TurnsToCheckCache()

    def find_doubts(value: Tournament) -> frozenset[int]:
        index = TournamentIndex(value)
        return counts.find_turn_numbers_to_check(index, index.sheets(game.id)[0], TILES["nl"], None)

    assert find_doubts(t) == frozenset()
    t = commands.enter_result(t, game=game.id, first=400, second=388)
    assert get_result(t, game).first == 400
    assert find_doubts(t) == frozenset({0})
    unmarked = make_sheet(turns=[{**turns[0], "ruling": None}], ended="open")
    t = commands.enter_sheet(t, game=game.id, sheet=unmarked, tileset=TILES["nl"])
    assert find_doubts(t) == frozenset()


def test_discard_round_removes_rulings() -> None:
    t, game = enter_result()
    t = rule_on_word(t, game)
    assert t.word_rulings
    discarded = commands.discard_round(t, round=game.round, reason="wrong list", with_results=True)
    assert not discarded.word_rulings
    assert find_inconsistent_rows(discarded) == ()


def test_sign_rulings_changes_the_author() -> None:
    t, game = enter_result()
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(), tileset=TILES["nl"])
    for key, word, author in (("a", "XQBAR", "all"), ("b", "ANDERS", "all"), ("c", "NOG", "Kim")):
        t = rule_on_word(t, game, key=key, word=word, author=author, why="-")
    t = commands.add_sanction(
        t, key="s", player=game.second, kind=SanctionKind.WARNING, why="late", author="all", round_number=1
    )
    t = commands.sign_rulings(t, old="all", new="Truus")
    assert {ruling.author for ruling in t.word_rulings.values()} == {"Truus", "Kim"}
    assert [ruling.author for ruling in TournamentIndex(t).sheets(game.id)[0].rulings] == ["Truus"]
    assert [sanction.author for sanction in t.sanctions.values()] == ["Truus"]
    with pytest.raises(CommandError, match="nothing-signed"):
        commands.sign_rulings(t, old="all", new="Truus")


def test_judge_sheet_unfinished_total_has_rulings() -> None:
    t, game = enter_result()
    typed_sheet = make_sheet(turns=SHEET["turns"][:3], ended="open")
    totals = [account.total for account in jury.preview_sheet_entry(t, game.id, typed_sheet, TILES["nl"]).accounts]
    assert totals == [400, 48]
    t = rule_on_word(t, game)
    after = jury.preview_sheet_entry(t, game.id, typed_sheet, TILES["nl"]).accounts
    assert [(account.total, account.phonies) for account in after] == [(400, 0), (48 - 68, -68)]
