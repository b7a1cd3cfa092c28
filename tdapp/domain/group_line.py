"""Parse typed results of group tables. A group table has one player, or three or more.

- `3 210 188 240`: the points at table 3. `mol 210 nap 188 lam 240`: with names.
- `3 210 188 f3`: the third player gave up. `3 -`: clear the result.
- `12 812`: the points of player 12, if all players sit at one table.
- `1 612/30`: the points of a player alone at table 1, after 30 turns.
- `3 + 41 60 35`: the points at table 3 in a break-up game (taking tiles off the board).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.model import PlayerId, Scalar
from tdapp.domain.tables.groups import GroupTableGameRow, GroupTableSeat

_SEPARATOR = re.compile(r"(?<=[0-9])(?:[-–:]|\s+[-–:]\s+)(?=[0-9])|[\s.,;]+")
_LAST_MARK = re.compile(r"(?<=[0-9])-\s*$")  # `3-` equals `3 -`
_POINTS = re.compile(r"-?[0-9]{1,6}")
_POINTS_WITH_TURNS = re.compile(r"(-?[0-9]{1,6})/([0-9]{1,3})")
_BREAK_UP = re.compile(r"\s*([0-9]{1,6})\s*\+\s*(-|[0-9\s.,;:–-]*)\s*")
_LETTERS = re.compile(r"[^\W\d_]+")


class GroupResultLine(Struct, frozen=True):
    """The typed points of a group table."""

    row: GroupTableGameRow
    players: tuple[PlayerId, ...] = ()
    points: tuple[int, ...] = ()
    leavers: tuple[PlayerId, ...] = ()  # players who gave up
    clear: bool = False  # remove the result
    turns: int | None = None  # number of turns of a player who plays alone


class PartialGroupResultLine(Struct, frozen=True):
    """An incomplete typed line with points of a group table."""

    row: GroupTableGameRow
    points: tuple[int, ...] = ()
    next_seat: GroupTableSeat | None = None  # the player whose points come next


class GroupResultLineProblem(Struct, frozen=True):
    """A wrong line. `code` selects the error message, `facts` has values for the message."""

    row: GroupTableGameRow
    code: str
    facts: Mapping[str, Scalar] = field(default_factory=dict)


ParsedGroupResultLine = GroupResultLine | PartialGroupResultLine | GroupResultLineProblem


def parse_group_result_line(
    line: str,
    rows: Sequence[GroupTableGameRow],
    *,
    leaver_letters: frozenset[str] = frozenset({"f"}),
    fold: Callable[[str], str] = str.casefold,
    proposed_row: GroupTableGameRow | None = None,
    pair_tables: Collection[int] = (),
) -> ParsedGroupResultLine | None:
    """Parse a typed line about a group table. Return None for other lines.

    A letter of `leaver_letters` before a seat number, or after a name, means that this player gave up. A line with
    only points belongs to `proposed_row`, except if its first number is in `pair_tables` (tables of two players).
    """
    words = _SEPARATOR.sub(" ", _LAST_MARK.sub(" -", line)).split()
    if not words or not rows:
        return None
    if words[0] in map(str, pair_tables):
        proposed_row = None
    turns = _POINTS_WITH_TURNS.fullmatch(words[-1])
    result = _parse_points_line(
        [*words[:-1], turns[1]] if turns else words, rows, leaver_letters, fold, proposed_row
    )
    if turns is None or result is None or isinstance(result, GroupResultLineProblem):
        return result
    if isinstance(result, PartialGroupResultLine) or len(result.row.seats) > 1:
        return GroupResultLineProblem(result.row, "unreadable", {"word": turns[0]})
    return replace(result, turns=int(turns[2]))


def _parse_points_line(
    words: Sequence[str],
    rows: Sequence[GroupTableGameRow],
    leaver_letters: frozenset[str],
    fold: Callable[[str], str],
    proposed_row: GroupTableGameRow | None,
) -> ParsedGroupResultLine | None:
    common_row = next((row for row in rows if row.has_all_players), None)
    if common_row is not None:
        return _parse_players_with_points(common_row, words, leaver_letters, fold)
    table_row = next((row for row in rows if str(row.table) == words[0]), None)
    if table_row is not None:
        return _parse_points_in_seat_order(table_row, words[1:], leaver_letters)
    matching_row = _find_row_by_named_players(words, rows, fold)
    if matching_row is not None:
        return _parse_players_with_points(matching_row, words, leaver_letters, fold)
    if proposed_row is not None and all(map(_POINTS.fullmatch, words)) and len(words) <= len(proposed_row.seats):
        return _parse_points_in_seat_order(proposed_row, words, leaver_letters)
    return None


def _parse_points_in_seat_order(
    row: GroupTableGameRow, words: Sequence[str], leaver_letters: frozenset[str]
) -> ParsedGroupResultLine:
    if words == ["-"]:
        return _make_line_that_clears_result(row)
    points: list[int] = []
    leavers: list[GroupTableSeat] = []
    for word in words:
        leaver = _find_seat_of_player_who_gave_up(row, word, leaver_letters)
        if leaver is not None:
            leavers.append(leaver)
        elif _POINTS.fullmatch(word):
            points.append(int(word))
        elif word.casefold() in leaver_letters:
            return PartialGroupResultLine(row, tuple(points))
        else:
            return GroupResultLineProblem(row, "unreadable", {"word": word})
    seats = row.seats
    if len(points) > len(seats):
        return GroupResultLineProblem(row, "too-much", {"word": str(points[len(seats)])})
    scoring_seats = seats if len(points) == len(seats) else [seat for seat in seats if seat not in leavers]
    if len(points) < len(scoring_seats):
        return PartialGroupResultLine(row, tuple(points), scoring_seats[len(points)])
    return GroupResultLine(
        row,
        tuple(seat.id for seat in scoring_seats),
        tuple(points),
        tuple(dict.fromkeys(seat.id for seat in leavers)),
    )


def _find_seat_of_player_who_gave_up(
    row: GroupTableGameRow, word: str, leaver_letters: frozenset[str]
) -> GroupTableSeat | None:
    letter, number = word[:-1].casefold(), word[-1]
    if letter in leaver_letters and number.isdecimal() and 1 <= int(number) <= len(row.seats):
        return row.seats[int(number) - 1]
    return None


def _find_row_by_named_players(
    words: Sequence[str], rows: Sequence[GroupTableGameRow], fold: Callable[[str], str]
) -> GroupTableGameRow | None:
    if _LETTERS.match(words[0]):
        matches = [row for row in rows if _list_seats_by_player_name(row, words[0], fold)]
        return matches[0] if len(matches) == 1 else None
    numbers = words[::2]
    for row in rows:
        player_numbers = {str(seat.player) for seat in row.seats}
        if len(words) == 2 * len(row.seats) and player_numbers == set(numbers):
            return row
    return None


def _list_seats_by_player_name(
    row: GroupTableGameRow, word: str, fold: Callable[[str], str]
) -> list[GroupTableSeat]:
    prefix = fold(word)
    parts = [(seat, fold(seat.name).replace(",", " ").split()) for seat in row.seats]
    exact_matches = [seat for seat, names in parts if prefix in names]
    return exact_matches or [seat for seat, names in parts if any(name.startswith(prefix) for name in names)]


def _parse_players_with_points(
    row: GroupTableGameRow, words: Sequence[str], leaver_letters: frozenset[str], fold: Callable[[str], str]
) -> ParsedGroupResultLine:
    if words[-1] == "-" and len(words) <= 2:  # noqa: PLR2004 - table and dash
        return _make_line_that_clears_result(row)
    points: dict[PlayerId, int] = {}
    leavers: list[PlayerId] = []
    seat: GroupTableSeat | None = None
    for word in words:
        if seat is not None and word.casefold() in leaver_letters:
            leavers.append(seat.id)
        elif seat is not None and seat.id not in points and _POINTS.fullmatch(word):
            points[seat.id] = int(word)
        else:
            matches = [
                candidate for candidate in row.seats if str(candidate.player) == word
            ] or _list_seats_by_player_name(row, word, fold)
            if len(matches) != 1 or matches[0].id in points:
                return GroupResultLineProblem(row, "unreadable", {"word": word})
            seat = matches[0]
    if seat is not None and seat.id not in points and seat.id not in leavers:
        return PartialGroupResultLine(row, tuple(points.values()), seat)
    named_ids = {*points, *leavers}
    missing_seats = [other_seat for other_seat in row.seats if other_seat.id not in named_ids]
    if missing_seats and not row.has_all_players:
        return PartialGroupResultLine(row, tuple(points.values()), missing_seats[0])
    return GroupResultLine(row, tuple(points), tuple(points.values()), tuple(leavers))


def _make_line_that_clears_result(row: GroupTableGameRow) -> ParsedGroupResultLine:
    if not any(seat.entered for seat in row.seats):
        return GroupResultLineProblem(row, "nothing-to-clear", {"table": row.table})
    return GroupResultLine(row, clear=True)


class BreakUpGamePointsLine(Struct, frozen=True):
    """Typed points for a break-up game, in which players take tiles off the board."""

    table: int
    points: tuple[int, ...]  # in the order of the players on screen
    clear: bool = False  # remove the points


def parse_break_up_game_points(line: str) -> BreakUpGamePointsLine | None:
    match = _BREAK_UP.fullmatch(line)
    if match is None:
        return None
    points = tuple(map(int, re.findall("[0-9]+", match[2])))
    return BreakUpGamePointsLine(int(match[1]), points, clear=match[2] == "-")
