"""What the result field shows for a table of three."""

from __future__ import annotations

import pytest

from tdapp.domain.index import Index
from tdapp.domain.ruleset import TableRule
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.impact_sentences import describe_effects
from tdapp.i18n.lists import list_pairings
from tdapp.i18n.result_preview import NeededInput, ResultLineReader, ResultPreviewKind
from tests.building import RESOURCES, get_last_round, pair_rounds
from tests.clubs import enter_points, make_club, map_standings_by_player

ENGLISH = Catalogue("en", RESOURCES / "locale")


def reader(value: Tournament) -> ResultLineReader:
    return ResultLineReader(Index(value), get_last_round(value), ENGLISH)


def test_a_line_shows_the_value_and_runs_its_command() -> None:
    value = pair_rounds(make_club(3), results=False)
    preview = reader(value).preview_line("1 210 188 241")

    assert preview.kind is ResultPreviewKind.RESULT
    assert not preview.needed_inputs
    for part in ("210", "counts as 315", "counts as 282", "counts as 362", "+42"):
        assert part in preview.text
    after = preview.make_command()(value)
    assert [seat.points for seat in Index(after).seats(get_last_round(after).id)] == [210, 188, 241]


def test_replacing_and_clearing_take_two_steps() -> None:
    value = enter_points(pair_rounds(make_club(3), results=False), {"p1": 240, "p2": 210, "p3": 188})

    assert reader(value).preview_line("1 240 210 188").kind is ResultPreviewKind.UNCHANGED
    assert reader(value).preview_line("1 241 210 188").needed_inputs == {NeededInput.REPLACE}
    cleared = reader(value).preview_line("1 -")
    assert cleared.needed_inputs == {NeededInput.REPLACE}
    assert Index(cleared.make_command()(value)).open_tables(get_last_round(value).id) == (1,)


def test_implausible_points_need_ctrl_enter() -> None:
    value = pair_rounds(make_club(3), results=False)
    preview = reader(value).preview_line("1 210 188 1400")

    assert NeededInput.CONTROL in preview.needed_inputs
    assert Index(preview.make_command(control=True)(value)).seats(get_last_round(value).id)[2].points == 1400


@pytest.mark.parametrize(("line", "tone"), [("1 210 x", "red"), ("1 210", "text"), ("1 210 188 12345", "red")])
def test_other_lines_have_a_tone(line: str, tone: str) -> None:
    preview = reader(pair_rounds(make_club(3), results=False)).preview_line(line)

    assert preview.tone == tone
    assert preview.command is None
    assert preview.text


def test_the_whole_room_is_entered_player_by_player() -> None:
    value = pair_rounds(make_club(6, TableRule(prefer=0)), results=False)
    for player, points in enumerate((1050, 980, 875, 700, 600, 500), start=1):
        preview = reader(value).preview_line(f"{player} {points}")
        assert not preview.needed_inputs
        value = preview.make_command()(value)

    assert not Index(value).open_tables(get_last_round(value).id)
    assert "93.33 %" in reader(value).preview_line("2 980").text


def test_games_and_groups_wait_in_the_order_of_tables() -> None:
    value = pair_rounds(make_club(7), results=False)
    found = reader(value)

    assert [row.table for row in found.tables] == [1, 2, 3]
    assert all(found.describe_next_game(row).startswith("Next: table") for row in found.tables)


def test_a_solo_seat_names_the_own_record() -> None:
    value = enter_points(pair_rounds(make_club(1), results=False), {"p1": 598})
    value = pair_rounds(value, results=False)

    assert "personal best, +14" in reader(value).preview_line("1 612").text
    assert "best score so far 598" in reader(value).preview_line("1 590").text


def test_a_solo_record_is_that_of_as_many_turns() -> None:
    value = pair_rounds(make_club(1), results=False)
    value = reader(value).preview_line("1 598/30").make_command()(value)
    value = pair_rounds(value, results=False)

    assert "30 turns, personal best, +14" in reader(value).preview_line("1 612/30").text
    assert "best" not in reader(value).preview_line("1 612/40").text
    value = reader(value).preview_line("1 612/30").make_command()(value)
    listed = {
        column.id: column.cells for column in list_pairings(ENGLISH, Index(value), get_last_round(value)).columns
    }
    assert listed["second_name"] == ("30 turns · personal best, +14",)
    assert reader(value).preview_line("1 612/30").kind is ResultPreviewKind.UNCHANGED
    assert reader(value).preview_line("1 612/40").needed_inputs == {NeededInput.REPLACE}


@pytest.mark.parametrize("players", [2, 3])
def test_the_winner_begins_the_break_up_game(players: int) -> None:
    given = dict(zip(("p1", "p2", "p3"), (210, 240, 188), strict=True))
    opened = pair_rounds(make_club(players), results=False)
    assert reader(opened).preview_line("1 + 41 60").tone == "red"
    value = enter_points(opened, given)

    begins = reader(value).preview_line("1 +")
    assert begins.second_line.startswith("P2 begins, as the winner of the game. Now type P")
    points = " ".join(("41", "60", "35")[:players])
    before = map_standings_by_player(value)
    value = reader(value).preview_line(f"1 + {points}").make_command(control=True)(value)
    assert map_standings_by_player(value) == before
    assert reader(value).preview_line(f"1 + {points}").kind is ResultPreviewKind.UNCHANGED
    (note,) = [
        note for note in list_pairings(ENGLISH, Index(value), get_last_round(value)).notes if "Break-up" in note
    ]
    assert note.startswith("Break-up game at table 1: P")
    assert "60" in note
    other = reader(value).preview_line(f"1 + {points[:-1]}7")
    assert other.needed_inputs == {NeededInput.REPLACE}
    cleared = reader(value).preview_line("1 + -").make_command()(value)
    assert not any(
        "Break-up" in note for note in list_pairings(ENGLISH, Index(cleared), get_last_round(cleared)).notes
    )
    assert reader(value).preview_line("7 + 1 2").tone == "red"
    assert reader(value).preview_line(f"1 + {points} 9").tone == "red"


def test_a_correction_of_an_earlier_round_shows_its_effects_first() -> None:
    value = enter_points(
        pair_rounds(make_club(5), results=False), {"p1": 240, "p2": 210, "p3": 188, "p4": 300, "p5": 290}
    )
    earlier = get_last_round(value)
    value = pair_rounds(value, results=False)
    table = Index(value).seats(earlier.id)[0].table
    preview = ResultLineReader(Index(value), earlier, ENGLISH).preview_line(f"{table} 150 420 188")

    assert preview.needed_inputs == {NeededInput.EFFECT}
    effects = describe_effects(preview.make_correction(Index(value), ENGLISH), Index(value), ENGLISH)
    assert effects.changes


def test_list_pairings_has_a_line_for_a_table_of_three() -> None:
    value = enter_points(pair_rounds(make_club(3), results=False), {"p1": 240, "p2": 210, "p3": 188})
    columns = {
        column.id: column.cells for column in list_pairings(ENGLISH, Index(value), get_last_round(value)).columns
    }

    assert columns["first_name"] == ("P1",)
    assert columns["second_name"] == ("P2 · P3",)
    assert columns["score"] == ("240 · 210 · 188",)
    hidden = list_pairings(ENGLISH, Index(value), get_last_round(value), (), blank_groups=True)
    assert {column.id: column.cells for column in hidden.columns}["score"] == ("",)
