"""Tests of the jury tables: waiting sheets, doubtful words and previews of results."""

from __future__ import annotations

from typing import Any

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import judge_sheet
from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import Game, GameSide, ResultState
from tdapp.domain.tables import jury
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.scrabble.sheet import SanctionKind, Sheet, parse_sheet, swap_players
from tests.building import DIVISION, RESOURCES, get_game_at, get_last_round, make_event, pair_rounds
from tests.domain.word_list import Words

TILES = read_tilesets(RESOURCES / "tilesets")
TURNS = [
    {"player": 1, "kind": "play", "at": "8D", "word": "TAART", "score": 20},
    {"player": 2, "kind": "play", "at": "E7", "word": "TAFEL", "score": 26},
    {"player": 1, "kind": "play", "at": "12C", "word": "POSX"},
]


def make_sheet(**fields: Any) -> Sheet:
    return parse_sheet({"players": ["", ""], "turns": TURNS, "ended": "open", **fields})


def start_round(rules: str = "nl-match") -> tuple[Tournament, Game]:
    t = pair_rounds(make_event(4, rules=rules), results=False)
    return t, get_game_at(t, 1)


def find_no_doubts(_form: ScoreSheet) -> frozenset[int]:
    return frozenset()


def map_rows(t: Tournament) -> dict[int, jury.JuryGame]:
    table = jury.make_jury_game_table(TournamentIndex(t), get_last_round(t), find_doubts=find_no_doubts)
    return {row.table: row for row in table.rows}


def test_count_waiting_counts_unchecked_sheets() -> None:
    t, game = start_round()
    division = t.divisions[DIVISION]
    assert [row.state for row in map_rows(t).values()] == ["open", "open"]
    assert jury.count_games_waiting_for_jury(TournamentIndex(t), division) == 0
    t = commands.enter_result(t, game=get_game_at(t, 2).id, first=400, second=380)
    assert jury.count_games_waiting_for_jury(TournamentIndex(t), division) == 0  # this event has no jury check
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(), tileset=TILES["nl"])
    assert (map_rows(t)[1].state, map_rows(t)[1].forms, map_rows(t)[1].is_unchecked) == ("open", 1, True)
    assert jury.count_games_waiting_for_jury(TournamentIndex(t), division) == 1
    t = commands.check_result(t, game=get_game_at(t, 2).id)
    assert (map_rows(t)[2].state, map_rows(t)[2].is_unchecked) == ("checked", False)
    t = commands.enter_sheet(
        t, game=game.id, sheet=make_sheet(ended="passes", racks=["", "A"]), tileset=TILES["nl"]
    )
    assert (map_rows(t)[1].state, jury.count_games_waiting_for_jury(TournamentIndex(t), division)) == (
        "entered",
        1,
    )


def test_count_waiting_counts_rounds_with_started_checking() -> None:
    t = commands.check_result(pair_rounds(make_event(4)), game=get_game_at(pair_rounds(make_event(4)), 1).id)
    t = pair_rounds(t)
    assert jury.count_games_waiting_for_jury(TournamentIndex(t), t.divisions[DIVISION]) == 1


def test_make_sheet_table_names_differing_forms() -> None:
    t = pair_rounds(make_event(4), times=2, results=True)
    rows_by_table = map_rows(t)
    game = get_game_at(t, 1)
    assert [(row.round, row.table) for row in rows_by_table.values()] == [(2, 1), (2, 2)]
    assert (rows_by_table[1].score1, rows_by_table[1].score2) == (
        t.results[game.id].first,
        t.results[game.id].second,
    )
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(), tileset=TILES["nl"])
    second_form = make_sheet(turns=[TURNS[0], {**TURNS[1], "score": 28}, TURNS[2]])
    t = commands.enter_sheet(t, game=game.id, sheet=second_form, tileset=TILES["nl"], form=2)
    table = jury.make_jury_game_table(
        TournamentIndex(t), get_last_round(t), find_doubts=lambda form: frozenset(range(len(form.sheet.turns)))
    )
    assert [(row.forms, row.differing, len(row.doubtful)) for row in table.rows[:2]] == [(2, 2, 3), (0, None, 0)]


def test_preview_sheet_entry_shows_the_new_result() -> None:
    t, game = start_round()
    t = commands.add_sanction(
        t, key="x", player=game.second, kind=SanctionKind.POINTS, points=10, why="late", author="J"
    )
    finished_sheet = make_sheet(ended="passes", rack_values=[4, 1])
    preview = jury.preview_sheet_entry(t, game.id, finished_sheet, TILES["nl"])
    assert preview.result is not None
    assert (preview.result.first, preview.result.second) == (preview.accounts[0].total, preview.accounts[1].total)
    assert (preview.accounts[0].racks, preview.accounts[1].sanctions) == (-4, -10)
    assert t.results == {}
    assert jury.preview_sheet_entry(t, game.id, make_sheet(), TILES["nl"]).result is None
    t = commands.enter_sheet(t, game=game.id, sheet=finished_sheet, tileset=TILES["nl"])
    assert jury.preview_sheet_entry(t, game.id, finished_sheet, TILES["nl"], form=2).result is None
    t = commands.certify_result(t, game=game.id)
    new_preview = jury.preview_sheet_entry(t, game.id, finished_sheet, TILES["nl"])
    assert new_preview.result is not None  # entry asks for the reason
    assert new_preview.result.state is ResultState.ENTERED


def test_preview_sheet_entry_explains_a_refusal() -> None:
    t, game = start_round()
    names = [t.players[game.first].name, t.players[game.second].name]
    swapped_sheet = swap_players(make_sheet(players=names, ended="passes", rack_values=[0, 0]))
    preview = jury.preview_sheet_entry(t, game.id, swapped_sheet, TILES["nl"])
    assert preview.error is None  # both names identify the players
    wrong_sheet = make_sheet(players=names[::-1], ended="passes", rack_values=[0, 0])
    preview = jury.preview_sheet_entry(t, game.id, wrong_sheet, TILES["nl"])
    assert preview.error is not None
    assert preview.error.code == "sheet-other-starter"
    with pytest.raises(InputError):
        jury.preview_sheet_entry(t, game.id, make_sheet(ended="flag"), TILES["nl"])


def test_make_doubt_table_shows_the_cost_of_a_word() -> None:
    t, _ = start_round()
    rules = t.ruleset
    score_sheet = make_sheet()
    judged = judge_sheet(score_sheet, rules, TILES["nl"])
    words = Words("TAART", "TAFEL", binding=5)
    doubts = jury.make_doubtful_word_table_of_sheet(score_sheet, judged.turns, words, rules).rows
    score = judged.turns[2].score
    assert [(row.turn, row.player, row.word, row.cost, row.state) for row in doubts] == [
        (3, 1, "POSX", score + 20, "doubt-open"),
        (3, 1, "TAFELS", score + 20, "doubt-jury"),
    ]
    table = jury.make_turn_table(score_sheet, judged, doubts)
    assert [len(row.doubts) for row in table.rows] == [0, 0, 2]
    assert table.rows[2].line.words == ("POSX", "TAFELS")
    assert [column.value(table.rows[0]) for column in table.columns] == [1, 1, "play", "8D", "TAART", 20, 20]


def test_make_doubt_table_after_a_ruling() -> None:
    t, game = start_round()
    t = commands.enter_sheet(t, game=game.id, sheet=make_sheet(), tileset=TILES["nl"])
    states = {}
    for phony in (True, False):
        new_tournament = commands.rule_on_turn(
            t, game=game.id, turn=3, phony=phony, author="J. Ury", why="looked up", tileset=TILES["nl"]
        )
        form = TournamentIndex(new_tournament).sheets(game.id)[0]
        judged = judge_sheet(form.sheet, t.ruleset, TILES["nl"])
        doubts = jury.make_doubtful_word_table_of_sheet(
            form.sheet, judged.turns, Words("TAART", "TAFEL", binding=5), t.ruleset, form.rulings
        ).rows
        states[phony] = {row.state for row in doubts}
        assert not any(row.is_undecided for row in doubts)
    assert states == {True: {"doubt-wrong"}, False: {"doubt-stands"}}
    norway = make_event(rules="no-nsf").ruleset
    assert jury.compute_phony_cost(judge_sheet(make_sheet(), norway, TILES["no"]).turns[0], norway) == 0


def test_build_board_before_a_turn() -> None:
    rules = make_event().ruleset
    score_sheet = make_sheet()
    lines = judge_sheet(score_sheet, rules, TILES["nl"]).turns
    board = jury.build_board_before_turn(lines, 3)
    assert board is not None
    assert (len(board.tiles_on_board), board.get_tile(8, 5), board.get_tile(12, 5)) == (9, "A", "")
    assert (
        jury.find_opponent_with_remaining_tiles(make_sheet(ended="out"), lines, TILES["nl"]) is None
    )  # far too many are left
    unplaced_words = judge_sheet(
        make_sheet(turns=[{"player": 1, "kind": "play", "word": "TAART", "score": 20}]), rules, TILES["nl"]
    )
    assert jury.build_board_before_turn(unplaced_words.turns, 2) is None


def test_count_waiting_ignores_forfeits() -> None:
    t = pair_rounds(make_event(4), results=False)
    division = t.divisions[DIVISION]
    t = commands.enter_result(t, game=get_game_at(t, 1).id, forfeit=GameSide.FIRST)
    t = commands.enter_result(t, game=get_game_at(t, 2).id, first=400, second=388)
    t = commands.set_check_first(t, check_first=True)
    assert jury.count_games_waiting_for_jury(TournamentIndex(t), division) == 1
    assert (
        jury.count_games_waiting_for_jury(
            TournamentIndex(commands.check_result(t, game=get_game_at(t, 2).id)), division
        )
        == 0
    )


def test_make_sheet_table_distinguishes_namesakes() -> None:
    t, _game = start_round()
    for player in t.players.values():
        t = commands.edit_player(t, player=player.id, seen=t.players[player.id], name="Müller, Thomas")
    names = [name for row in map_rows(t).values() for name in (row.first_name, row.second_name)]
    assert sorted(names) == [f"Müller, Thomas ({n})" for n in (1, 2, 3, 4)]


def test_count_checked_ignores_forfeits() -> None:
    t = pair_rounds(make_event(6), results=False)
    t = commands.enter_result(t, game=get_game_at(t, 1).id, forfeit=GameSide.BOTH)
    t = commands.enter_result(t, game=get_game_at(t, 2).id, first=400, second=388)
    assert jury.compute_result_check_progress(map_rows(t).values()) == jury.ResultCheckProgress(
        games=2, entered=1, checked=0, doubtful=0
    )
    t = commands.check_result(t, game=get_game_at(t, 2).id)
    assert jury.compute_result_check_progress(map_rows(t).values()).checked == 1
