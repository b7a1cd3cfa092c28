"""Tests of the preview of a result line for a table of three."""

from __future__ import annotations

import pytest

from tdapp.domain.index import TournamentIndex
from tdapp.domain.ruleset import PlayersPerTableRule
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.impact_sentences import assess_correction_effects
from tdapp.i18n.lists import make_pairings_text_table
from tdapp.i18n.result_preview import InputNeededForLine, ResultLineReader, ResultPreviewKind
from tests.building import RESOURCES, get_last_round, pair_rounds
from tests.clubs import enter_points, make_club, map_standings_by_player

ENGLISH = Catalogue("en", RESOURCES / "locale")


def make_reader(value: Tournament) -> ResultLineReader:
    return ResultLineReader(TournamentIndex(value), get_last_round(value), ENGLISH)


def test_preview_line_shows_table_points_and_makes_the_command() -> None:
    value = pair_rounds(make_club(3), results=False)
    preview = make_reader(value).preview_line("1 210 188 241")

    assert preview.kind is ResultPreviewKind.RESULT
    assert not preview.needed_inputs
    for part in ("210", "counts as 315", "counts as 282", "counts as 362", "spread +42", "match points 1"):
        assert part in preview.text
    after = preview.make_command()(value)
    assert [seat.points for seat in TournamentIndex(after).seats(get_last_round(after).id)] == [210, 188, 241]


def test_preview_line_needs_confirmation_to_replace_or_clear() -> None:
    value = enter_points(pair_rounds(make_club(3), results=False), {"p1": 240, "p2": 210, "p3": 188})

    assert make_reader(value).preview_line("1 240 210 188").kind is ResultPreviewKind.UNCHANGED
    assert make_reader(value).preview_line("1 241 210 188").needed_inputs == {InputNeededForLine.REPLACE}
    preview = make_reader(value).preview_line("1 -")
    assert preview.needed_inputs == {InputNeededForLine.REPLACE}
    assert TournamentIndex(preview.make_command()(value)).list_open_tables(get_last_round(value).id) == (1,)


def test_preview_line_implausible_points_need_ctrl_enter() -> None:
    value = pair_rounds(make_club(3), results=False)
    preview = make_reader(value).preview_line("1 210 188 1400")

    assert InputNeededForLine.CONTROL in preview.needed_inputs
    assert (
        TournamentIndex(preview.make_command(control=True)(value)).seats(get_last_round(value).id)[2].points
        == 1400
    )


@pytest.mark.parametrize(("line", "tone"), [("1 210 x", "red"), ("1 210", "text"), ("1 210 188 12345", "red")])
def test_preview_line_without_command_has_a_tone(line: str, tone: str) -> None:
    preview = make_reader(pair_rounds(make_club(3), results=False)).preview_line(line)

    assert preview.tone == tone
    assert preview.command is None
    assert preview.text


def test_preview_line_enters_one_table_player_by_player() -> None:
    value = pair_rounds(make_club(6, PlayersPerTableRule(prefer=0)), results=False)
    for player, points in enumerate((1050, 980, 875, 700, 600, 500), start=1):
        preview = make_reader(value).preview_line(f"{player} {points}")
        assert not preview.needed_inputs
        value = preview.make_command()(value)

    assert not TournamentIndex(value).list_open_tables(get_last_round(value).id)
    assert "93.33%" in make_reader(value).preview_line("2 980").text


def test_result_reader_lists_games_and_groups_in_order_of_tables() -> None:
    value = pair_rounds(make_club(7), results=False)
    reader = make_reader(value)

    assert [row.table for row in reader.tables] == [1, 2, 3]
    assert all(reader.describe_next_game(row).startswith("Next: table") for row in reader.tables)


def test_preview_line_of_a_solo_game_names_the_personal_best() -> None:
    value = enter_points(pair_rounds(make_club(1), results=False), {"p1": 598})
    value = pair_rounds(value, results=False)

    assert "personal best, +14" in make_reader(value).preview_line("1 612").text
    assert "best score so far 598" in make_reader(value).preview_line("1 590").text


def test_preview_line_of_a_solo_game_compares_equal_numbers_of_turns() -> None:
    value = pair_rounds(make_club(1), results=False)
    value = make_reader(value).preview_line("1 598/30").make_command()(value)
    value = pair_rounds(value, results=False)

    assert "30 turns, personal best, +14" in make_reader(value).preview_line("1 612/30").text
    assert "best" not in make_reader(value).preview_line("1 612/40").text
    value = make_reader(value).preview_line("1 612/30").make_command()(value)
    cells_by_column = {
        column.id: column.cells
        for column in make_pairings_text_table(ENGLISH, TournamentIndex(value), get_last_round(value)).columns
    }
    assert cells_by_column["second_name"] == ("30 turns · personal best, +14",)
    assert make_reader(value).preview_line("1 612/30").kind is ResultPreviewKind.UNCHANGED
    assert make_reader(value).preview_line("1 612/40").needed_inputs == {InputNeededForLine.REPLACE}


@pytest.mark.parametrize("players", [2, 3])
def test_preview_line_break_up_game_is_started_by_the_winner(players: int) -> None:
    points_by_player = dict(zip(("p1", "p2", "p3"), (210, 240, 188), strict=True))
    value_before_results = pair_rounds(make_club(players), results=False)
    assert make_reader(value_before_results).preview_line("1 + 41 60").tone == "red"
    value = enter_points(value_before_results, points_by_player)

    preview = make_reader(value).preview_line("1 +")
    assert preview.second_line.startswith("P2 won the game and starts the break-up game. Now type P")
    points = " ".join(("41", "60", "35")[:players])
    before = map_standings_by_player(value)
    value = make_reader(value).preview_line(f"1 + {points}").make_command(control=True)(value)
    assert map_standings_by_player(value) == before
    assert make_reader(value).preview_line(f"1 + {points}").kind is ResultPreviewKind.UNCHANGED
    (note,) = [
        note
        for note in make_pairings_text_table(ENGLISH, TournamentIndex(value), get_last_round(value)).notes
        if "Break-up" in note
    ]
    assert note.startswith("Break-up game at table 1: P")
    assert "60" in note
    changed_preview = make_reader(value).preview_line(f"1 + {points[:-1]}7")
    assert changed_preview.needed_inputs == {InputNeededForLine.REPLACE}
    without_break_up_game = make_reader(value).preview_line("1 + -").make_command()(value)
    assert not any(
        "Break-up" in note
        for note in make_pairings_text_table(
            ENGLISH, TournamentIndex(without_break_up_game), get_last_round(without_break_up_game)
        ).notes
    )
    assert make_reader(value).preview_line("7 + 1 2").tone == "red"
    assert make_reader(value).preview_line(f"1 + {points} 9").tone == "red"


def test_preview_line_shows_effects_of_a_correction_of_an_earlier_round() -> None:
    value = enter_points(
        pair_rounds(make_club(5), results=False), {"p1": 240, "p2": 210, "p3": 188, "p4": 300, "p5": 290}
    )
    earlier = get_last_round(value)
    value = pair_rounds(value, results=False)
    table = TournamentIndex(value).seats(earlier.id)[0].table
    preview = ResultLineReader(TournamentIndex(value), earlier, ENGLISH).preview_line(f"{table} 150 420 188")

    assert preview.needed_inputs == {InputNeededForLine.EFFECT}
    effects = assess_correction_effects(
        preview.make_correction(TournamentIndex(value), ENGLISH), TournamentIndex(value), ENGLISH
    )
    assert effects.changes


def test_list_pairings_has_a_line_for_a_table_of_three() -> None:
    value = enter_points(pair_rounds(make_club(3), results=False), {"p1": 240, "p2": 210, "p3": 188})
    columns = {
        column.id: column.cells
        for column in make_pairings_text_table(ENGLISH, TournamentIndex(value), get_last_round(value)).columns
    }

    assert columns["first_name"] == ("P1",)
    assert columns["second_name"] == ("P2 · P3",)
    assert columns["score"] == ("240 · 210 · 188",)
    hidden = make_pairings_text_table(
        ENGLISH, TournamentIndex(value), get_last_round(value), (), hide_group_points=True
    )
    assert {column.id: column.cells for column in hidden.columns}["score"] == ("",)
