"""Parse typed results: `7 412 388`, `/12 412 388`, `vries 412 388`, `12 412 15 388`, `7 f1`.

The parser never raises: a wrong line gives a ResultLineProblem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.model import Forfeit, Scalar, Start
from tdapp.domain.tables.rounds import PairingRow

# Words for a forfeit. Languages add their own.
FORFEITS: Mapping[str, Forfeit] = {"f1": Forfeit.FIRST, "f2": Forfeit.SECOND, "fb": Forfeit.BOTH}
# Words that apply or refuse a waiting verdict of the judge screen. Languages add their own.
ANSWERS: Mapping[str, bool] = {"y": True, "n": False}
# Words for a player's clock: time ran out, or overtime if minutes and seconds follow.
CLOCKS: Mapping[str, Forfeit] = {"t1": Forfeit.FIRST, "t2": Forfeit.SECOND}

_BETWEEN = re.compile(
    r"(?<=[0-9*])(?:[-–:]|\s+[-–:]\s+)(?=[0-9])|[\s.,;]+"
)  # "412-388" and "412 -8" are two numbers
_LAST_MARK = re.compile(r"(?<=[0-9])([-?=])\s*$")  # `7-` equals `7 -`
_NUMBER = re.compile(r"-?[0-9]{1,6}")
_PLAYER = re.compile(r"/([0-9]{1,6})")
_PAIR = re.compile(r"([0-9]{1,6})[vV]([0-9]{1,6})")  # code of a result slip; v has the same key on all keyboards
_POINTS = re.compile(r"(-?[0-9]{1,6})(\*?)")
_NAME = re.compile(r"[^\W\d_][^\d/*]*")
_TIME = re.compile(r"[0-9]{1,3}")
_MINUTE = 60
_MOST_NAMES = 4  # names listed if a name is ambiguous


class ResultLine(Struct, frozen=True):
    """A typed result of a game. Values for both players are in the order of `row`."""

    row: PairingRow
    first: int | None = None
    second: int | None = None
    forfeit: Forfeit | None = None
    started: Forfeit | None = None  # set only if tiles were drawn for the start
    clear: bool = False
    flag: Forfeit | None = None  # the player whose time ran out
    overtime: tuple[int, int] = (0, 0)  # seconds
    disputed: bool = False  # keep the existing result and record these points as a contradiction
    verdicts: bool | None = None  # undecided verdicts of the judge screen change the score; None: not typed
    after_rulings: bool = False  # the points include rulings on words


class PartialResultLine(Struct, frozen=True):
    """An incomplete typed result."""

    row: PairingRow | None = None
    first: int | None = None
    second: int | None = None
    turned: bool = False  # the user named the second player first


class HelpRequest(Struct, frozen=True):
    """The user typed `?` for help with result lines."""


class ResultLineProblem(Struct, frozen=True):
    """A wrong line. `code` and `facts` select and fill its message."""

    code: str
    facts: Mapping[str, Scalar] = field(default_factory=dict)
    row: PairingRow | None = None


ParsedLine = ResultLine | PartialResultLine | HelpRequest | ResultLineProblem


class _ParseError(Exception):
    def __init__(self, code: str, row: PairingRow | None = None, **facts: Scalar) -> None:
        super().__init__(code)
        self.problem = ResultLineProblem(code, facts, row)


def parse_result_line(
    line: str,
    rows: Sequence[PairingRow],
    *,
    forfeits: Mapping[str, Forfeit] = FORFEITS,
    clocks: Mapping[str, Forfeit] = CLOCKS,
    answers: Mapping[str, bool] = ANSWERS,
    fold: Callable[[str], str] = str.casefold,
    proposed: PairingRow | None = None,
) -> ParsedLine:
    """Parse a typed `line` about one of the games `rows` of a round.

    - Two scores are in the order of the players in the row. If a name comes first, so does that player's score.
    - In the format of tsh each score follows its player. The player named first started, if tiles were drawn.
    - Two scores without a table belong to the `proposed` game, unless the first number is a table.
    - `*` after a score marks the player who started; so does 1 or 2 at the end of a line with a table.
    - `f1` is a forfeit of the first player. After a name, `f` is a forfeit of that player.
    - After the scores, `t1` means that the first player's time ran out, `t1 1:15` that it was exceeded by 1:15.
    - `?` at the end disputes the result. `=` means that the scores include rulings on words.
    """
    words = _BETWEEN.sub(" ", _LAST_MARK.sub(r" \1", line)).split()
    if words == ["?"]:
        return HelpRequest()
    if not words:
        return PartialResultLine()
    try:
        if words[-1] in _MARKS and len(words) > 1:
            return _MARKS[words[-1]](_parse_line_with_clocks(words[:-1], rows, forfeits, clocks, fold, proposed))
        if words[-1].casefold() in answers and len(words) > 1:
            meaning = _parse_line_with_clocks(words[:-1], rows, forfeits, clocks, fold, proposed)
            if isinstance(meaning, ResultLine) and meaning.first is not None:
                return replace(meaning, verdicts=answers[words[-1].casefold()])
        return _parse_line_with_clocks(words, rows, forfeits, clocks, fold, proposed)
    except _ParseError as misread:
        return misread.problem


def _mark_scores_as_after_rulings(meaning: ParsedLine) -> ParsedLine:
    if isinstance(meaning, ResultLine) and meaning.first is not None:
        return replace(meaning, after_rulings=True)
    if isinstance(meaning, ResultLineProblem):
        return meaning
    raise _ParseError("unreadable", getattr(meaning, "row", None), word="=")


def _mark_as_disputed(meaning: ParsedLine) -> ParsedLine:
    if isinstance(meaning, ResultLineProblem):
        return meaning
    row = meaning.row if isinstance(meaning, (ResultLine, PartialResultLine)) else None
    if not isinstance(meaning, ResultLine) or meaning.first is None or meaning.row.status == "open":
        raise _ParseError("unreadable", row, word="?")
    return replace(meaning, disputed=True)


_MARKS: Mapping[str, Callable[[ParsedLine], ParsedLine]] = {
    "?": _mark_as_disputed,
    "=": _mark_scores_as_after_rulings,
}


def _parse_line_with_clocks(
    words: list[str],
    rows: Sequence[PairingRow],
    forfeits: Mapping[str, Forfeit],
    clocks: Mapping[str, Forfeit],
    fold: Callable[[str], str],
    proposed: PairingRow | None,
) -> ParsedLine:
    last = words[-1].casefold()
    unfinished = len(words) > 1 and last not in clocks and any(known.startswith(last) for known in clocks)
    if unfinished:
        words = words[:-1]
    end = next((at for at, word in enumerate(words) if word.casefold() in clocks), len(words))
    meaning, turned = (
        _parse_line_without_clocks(words[:end], rows, forfeits, fold, proposed)
        if end
        else (PartialResultLine(), False)
    )
    if end < len(words):
        row = meaning.row if isinstance(meaning, (ResultLine, PartialResultLine)) else None
        if not isinstance(meaning, ResultLine) or meaning.first is None:
            raise _ParseError("scores-before-clock", row, word=words[end])
        flag, overtime = _parse_clocks(meaning.row, words[end:], clocks)
        if turned:
            flag, overtime = flag and flag.swapped, overtime[::-1]
        meaning = replace(meaning, flag=flag, overtime=overtime)
    if unfinished and isinstance(meaning, ResultLine):
        return PartialResultLine(meaning.row, meaning.first, meaning.second)
    return meaning


def _parse_clocks(
    row: PairingRow, words: Sequence[str], clocks: Mapping[str, Forfeit]
) -> tuple[Forfeit | None, tuple[int, int]]:
    times: dict[Forfeit, list[int]] = {}
    who = Forfeit.BOTH
    for word in words:
        if word.casefold() in clocks:
            who = clocks[word.casefold()]
            if who in times:
                raise _ParseError("too-much", row, word=word)
            times[who] = []
        elif len(times[who]) == 2:  # noqa: PLR2004 - minutes and seconds
            raise _ParseError("too-much", row, word=word)
        elif _TIME.fullmatch(word) and (not times[who] or int(word) < _MINUTE):
            times[who].append(int(word))
        else:
            raise _ParseError("unreadable", row, word=word)
    fallen = [who for who, time in times.items() if not time]
    if len(fallen) > 1:
        raise _ParseError("one-out-of-time", row, table=row.table)
    first, second = (_convert_to_seconds(times.get(who, [])) for who in (Forfeit.FIRST, Forfeit.SECOND))
    return fallen[0] if fallen else None, (first, second)


def _convert_to_seconds(time: Sequence[int]) -> int:
    minutes, seconds = (*time, 0, 0)[:2]
    return minutes * _MINUTE + seconds


def _parse_line_without_clocks(
    words: list[str],
    rows: Sequence[PairingRow],
    forfeits: Mapping[str, Forfeit],
    fold: Callable[[str], str],
    proposed: PairingRow | None,
) -> tuple[ParsedLine, bool]:
    if _NAME.fullmatch(words[0]):
        return _parse_words_after_name(words, rows, forfeits, fold)
    if len(words) == 4 and all(map(_NUMBER.fullmatch, words)):  # noqa: PLR2004 - player score player score
        return _parse_line_of_four_numbers([int(word) for word in words], rows)
    if proposed is not None and _are_scores_without_table(words, rows):
        return _parse_scores(proposed, words), False
    return _parse_words_after_table(_find_row_by_table_or_players(words[0], rows), words[1:], forfeits), False


def _are_scores_without_table(words: Sequence[str], rows: Sequence[PairingRow]) -> bool:
    tables = {str(row.table) for row in rows}
    return len(words) <= 2 and words[0] not in tables and all(map(_POINTS.fullmatch, words))  # noqa: PLR2004


def _parse_words_after_table(row: PairingRow, rest: Sequence[str], forfeits: Mapping[str, Forfeit]) -> ParsedLine:
    if not rest:
        return PartialResultLine(row)
    if rest == ["-"]:
        if row.status == "open":
            raise _ParseError("nothing-to-clear", row, table=row.table)
        return ResultLine(row, clear=True)
    word = rest[0].casefold()
    if len(rest) == 1 and word in forfeits:
        return ResultLine(row, forfeit=forfeits[word])
    if len(rest) == 1 and any(known.startswith(word) for known in forfeits):
        return PartialResultLine(row)
    return _parse_scores(row, rest)


def _parse_words_after_name(
    words: list[str], rows: Sequence[PairingRow], forfeits: Mapping[str, Forfeit], fold: Callable[[str], str]
) -> tuple[ParsedLine, bool]:
    end = next((at for at, word in enumerate(words) if not _NAME.fullmatch(word)), len(words))
    letters = {known[:-1] for known in forfeits}
    if end == len(words) > 1 and words[-1].casefold() in letters | forfeits.keys():
        end -= 1
    row, turned = _find_row_by_name(words[:end], rows, fold)
    rest = [word + "1" if word.casefold() in letters else word for word in words[end:]]
    if not turned:
        return _parse_words_after_table(row, rest, forfeits), False
    seen = replace(row, first_name=row.second_name, second_name=row.first_name)
    meaning = _parse_words_after_table(seen, rest, forfeits)
    if isinstance(meaning, ResultLine):
        said, started = meaning.forfeit, meaning.started
        return replace(meaning, row=row, first=meaning.second, second=meaning.first, forfeit=said and said.swapped,
                       started=started and started.swapped), True  # fmt: skip
    return (replace(meaning, row=row, turned=True) if isinstance(meaning, PartialResultLine) else meaning), True


def _find_row_by_name(
    words: Sequence[str], rows: Sequence[PairingRow], fold: Callable[[str], str]
) -> tuple[PairingRow, bool]:
    typed = fold(" ".join(words)).split()
    sides = [(row, turned, fold(name).split()) for row in rows
             for turned, name in enumerate((row.first_name, row.second_name))]  # fmt: skip
    exact = [one for one in sides if all(word in one[2] for word in typed)]
    begun = [one for one in sides if all(any(part.startswith(word) for part in one[2]) for word in typed)]
    found = exact or begun
    if not found:
        raise _ParseError("unreadable", word=" ".join(words))
    if len(found) > 1:
        shown = found[:_MOST_NAMES]
        names = (f"{row.table} {row.second_name if turned else row.first_name}" for row, turned, _ in shown)
        raise _ParseError("ambiguous-name", word=" ".join(words), players="; ".join(names))
    return found[0][0], bool(found[0][1])


def _find_row_by_table_or_players(word: str, rows: Sequence[PairingRow]) -> PairingRow:
    pair = _PAIR.fullmatch(word)
    if pair:
        return _find_game_of_pair(int(pair[1]), int(pair[2]), rows)
    player = _PLAYER.fullmatch(word)
    if player:
        return _find_game_of_player(int(player[1]), rows)
    if not re.fullmatch(r"[0-9]{1,6}", word):
        raise _ParseError("unreadable", word=word)
    for row in rows:
        if row.table == int(word):
            return row
    raise _ParseError("no-such-table", table=int(word))


def make_slip_code(row: PairingRow) -> str:
    return f"{row.first}V{row.second} "


def _find_game_of_pair(first: int, second: int, rows: Sequence[PairingRow]) -> PairingRow:
    row = next((row for row in rows if {row.first, row.second} == {first, second}), None)
    if row is None:
        raise _make_missing_game_error(first, second, rows)
    if row.first != first:
        raise _ParseError("slip-turned", row, table=row.table)
    return row


def _find_game_of_player(number: int, rows: Sequence[PairingRow]) -> PairingRow:
    for row in rows:
        if number in {row.first, row.second}:
            return row
    raise _ParseError("player-not-at-table", player=number)


def _parse_scores(row: PairingRow, words: Sequence[str]) -> ParsedLine:
    read = [_parse_points_with_starter_mark(row, word) for word in words[:2]]
    if len(words) == 1:
        return PartialResultLine(row, read[0][0])
    if len(words) > 3:  # noqa: PLR2004 - two scores and who started
        raise _ParseError("too-much", row, word=words[3])
    marks = [player for player, (_, marked) in zip(Forfeit, read, strict=False) if marked]
    if len(words) == 3:  # noqa: PLR2004
        if words[2] not in {"1", "2"}:
            raise _ParseError("too-much", row, word=words[2])
        marks.append(Forfeit(words[2]))
    if len(marks) > 1:
        raise _ParseError("one-starter", row, table=row.table)
    assigned, started = row.start is Start.ASSIGNED, marks[0] if marks else None
    if assigned and started is Forfeit.SECOND:
        raise _ParseError("start-assigned", row, table=row.table, first_name=row.first_name)
    return ResultLine(row, read[0][0], read[1][0], started=None if assigned else started)


def _parse_points_with_starter_mark(row: PairingRow, word: str) -> tuple[int, bool]:
    found = _POINTS.fullmatch(word)
    if found is None:
        raise _ParseError("unreadable", row, word=word)
    return int(found[1]), bool(found[2])


def _parse_line_of_four_numbers(numbers: Sequence[int], rows: Sequence[PairingRow]) -> tuple[ParsedLine, bool]:
    one, one_points, other, other_points = numbers
    together = next((row for row in rows if {row.first, row.second} == {one, other}), None)
    at_table = next((row for row in rows if row.table == one), None)
    if other_points in {1, 2} and at_table is not None and at_table.start is not Start.ASSIGNED:
        if together is not None:
            raise _ParseError("ambiguous", at_table, table=one, player=one)
        return _parse_scores(at_table, [str(number) for number in numbers[1:]]), False
    if together is None:
        raise _make_missing_game_error(one, other, rows)
    started = None if together.start is Start.ASSIGNED else Forfeit.FIRST
    if one == together.first:
        return ResultLine(together, one_points, other_points, started=started), False
    return ResultLine(together, other_points, one_points, started=Forfeit.SECOND if started else None), True


def _make_missing_game_error(one: int, other: int, rows: Sequence[PairingRow]) -> _ParseError:
    if one == other:
        return _ParseError("same-player", player=one)
    row = _find_game_of_player(one, rows)
    _find_game_of_player(other, rows)
    name, opponent = row.first_name, row.second_name
    if one == row.second:
        name, opponent = opponent, name
    return _ParseError("not-together", row, table=row.table, name=name, opponent=opponent, other=other)
