"""Tests of result lines of group tables and of one table for all players."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain.group_line import (
    BreakUpGamePointsLine,
    GroupResultLine,
    GroupResultLineProblem,
    ParsedGroupResultLine,
    PartialGroupResultLine,
    parse_break_up_game_points,
    parse_group_result_line,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.ruleset import PlayersPerTableRule
from tdapp.domain.tables.groups import GroupTableGameRow, make_table_of_group_tables
from tdapp.domain.tournament import Tournament
from tests.building import get_last_round, pair_rounds
from tests.clubs import enter_points, make_club

NAMES = {"p1": "Mol, Karin", "p2": "Nap, Mia", "p3": "Lam, Leo", "p4": "Mole, Ada"}


def make_group_rows(
    players: int, rules: PlayersPerTableRule | None = None, *, results: bool = False
) -> tuple[GroupTableGameRow, ...]:
    value: Tournament = make_club(players, rules) if rules else make_club(players)
    named_players = [replace(player, name=NAMES.get(player.id, player.name)) for player in value.players.values()]
    value = pair_rounds(value.put(*named_players), results=False)
    if results:
        value = enter_points(value, dict.fromkeys(value.players, 200))
    return make_table_of_group_tables(TournamentIndex(value), get_last_round(value)).rows


def parse_line(line: str, *, results: bool = False, is_proposed: bool = False) -> ParsedGroupResultLine | None:
    rows = make_group_rows(3, results=results)
    return parse_group_result_line(line, rows, proposed_row=rows[0] if is_proposed else None)


def test_parse_group_line_ignores_a_line_with_the_table_of_a_game() -> None:
    """`2 340 230` is the result of table 2, not of the proposed table."""
    rows = make_group_rows(3)
    assert parse_group_result_line("2 340 230", rows, proposed_row=rows[0], pair_tables=[2]) is None
    assert isinstance(
        parse_group_result_line("200 340 230", rows, proposed_row=rows[0], pair_tables=[2]), GroupResultLine
    )


@pytest.mark.parametrize(
    ("line", "points", "unfinished_points"),
    [
        ("1 210 188 240", {"p1": 210, "p2": 188, "p3": 240}, ()),
        ("1.210.188.240", {"p1": 210, "p2": 188, "p3": 240}, ()),
        ("1 210-188-240", {"p1": 210, "p2": 188, "p3": 240}, ()),
        ("mol 210 nap 188 lam 240", {"p1": 210, "p2": 188, "p3": 240}, ()),
        ("lam 240 mol 210 nap 188", {"p1": 210, "p2": 188, "p3": 240}, ()),
        ("3 240 1 210 2 188", {"p1": 210, "p2": 188, "p3": 240}, ()),
        ("1 210 188 f3", {"p1": 210, "p2": 188}, ("p3",)),
        ("1 210 f2 188", {"p1": 210, "p3": 188}, ("p2",)),
        ("1 210 188 120 f3", {"p1": 210, "p2": 188, "p3": 120}, ("p3",)),
        ("mol 210 nap f lam 240", {"p1": 210, "p3": 240}, ("p2",)),
        ("mol 210 nap 90 f lam 240", {"p1": 210, "p2": 90, "p3": 240}, ("p2",)),
        ("1 -5 188 240", {"p1": -5, "p2": 188, "p3": 240}, ()),
    ],
)
def test_parse_group_line_gives_the_points_of_all_three(
    line: str, points: dict[str, int], unfinished_points: tuple[str, ...]
) -> None:
    parsed = parse_line(line)

    assert isinstance(parsed, GroupResultLine)
    assert dict(zip(parsed.players, parsed.points, strict=True)) == points
    assert parsed.leavers == unfinished_points


@pytest.mark.parametrize(
    ("line", "next_player"), [("1", "p1"), ("1 210", "p2"), ("1 210 188", "p3"), ("mol 210", "p2"), ("mol", "p1")]
)
def test_parse_group_line_unfinished_names_the_next_player(line: str, next_player: str) -> None:
    parsed = parse_line(line)

    assert isinstance(parsed, PartialGroupResultLine)
    assert parsed.next_seat is not None
    assert parsed.next_seat.id == next_player


@pytest.mark.parametrize(
    ("line", "code"),
    [("1 210 188 240 5", "too-much"), ("1 210 abc", "unreadable"), ("1 -", "nothing-to-clear"),
     ("mol 210 xyz 3", "unreadable"), ("1 210 f²", "unreadable")],
)  # fmt: skip
def test_parse_group_line_explains_a_wrong_line(line: str, code: str) -> None:
    parsed = parse_line(line)

    assert isinstance(parsed, GroupResultLineProblem)
    assert parsed.code == code


def test_parse_group_line_dash_clears_the_result() -> None:
    for line in ("1 -", "1-"):
        parsed = parse_line(line, results=True)
        assert isinstance(parsed, GroupResultLine)
        assert parsed.clear


def test_parse_group_line_gives_points_to_the_proposed_table() -> None:
    assert parse_line("210 188 240") is None
    parsed = parse_line("210 188 240", is_proposed=True)
    assert isinstance(parsed, GroupResultLine)
    assert parsed.points == (210, 188, 240)


def test_parse_group_line_ignores_lines_of_other_tables() -> None:
    for line in ("7 412 388", "12 412 15 388", "vries 412 388", "?", ""):
        assert parse_line(line) is None


def test_parse_group_line_at_one_large_table_starts_with_a_player() -> None:
    rows = make_group_rows(12, PlayersPerTableRule(prefer=0))
    parsed = parse_group_result_line("12 812", rows)

    assert isinstance(parsed, GroupResultLine)
    assert (parsed.players, parsed.points) == (("p12",), (812,))
    several_rows = parse_group_result_line("12 812 3 700", rows)
    assert isinstance(several_rows, GroupResultLine)
    assert several_rows.players == ("p12", "p3")
    assert isinstance(parse_group_result_line("12", rows), PartialGroupResultLine)


def test_parse_group_line_of_a_solo_player_accepts_turns() -> None:
    rows = make_group_rows(1)
    for line, proposed_row in (("1 612/30", None), ("612/30", rows[0]), ("mol 612/30", None)):
        parsed = parse_group_result_line(line, rows, proposed_row=proposed_row)
        assert isinstance(parsed, GroupResultLine)
        assert (parsed.points, parsed.turns) == ((612,), 30)
    plain_line = parse_group_result_line("1 612", rows)
    assert isinstance(plain_line, GroupResultLine)
    assert plain_line.turns is None
    assert isinstance(parse_line("1 210 188 240/30"), GroupResultLineProblem)


@pytest.mark.parametrize(
    ("line", "expected_line"),
    [
        ("3 + 41 60 35", BreakUpGamePointsLine(3, (41, 60, 35))),
        ("12+41-60", BreakUpGamePointsLine(12, (41, 60))),
        ("3 +", BreakUpGamePointsLine(3, ())),
        ("3 + -", BreakUpGamePointsLine(3, (), clear=True)),
        ("3 210 188", None),
        ("+ 41 60", None),
    ],
)
def test_parse_break_up_line_reads_points_of_each_player(
    line: str, expected_line: BreakUpGamePointsLine | None
) -> None:
    assert parse_break_up_game_points(line) == expected_line
