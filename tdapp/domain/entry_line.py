"""What an operator types for a result: `7 412 388`, `/12 412 388`, `vries 412 388`, `12 412 15 388`, `7 f1`.

Hides the grammar. A line is read against the games of one round and never raises: it means an entry, the beginning
of one, a question for help, or a problem. Whether the points are plausible is the command's affair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.model import Forfeit, Scalar, Start
from tdapp.domain.tables.rounds import PairingRow

# What the words for a forfeit mean; a language may add its own.
FORFEITS: Mapping[str, Forfeit] = {"f1": Forfeit.FIRST, "f2": Forfeit.SECOND, "fb": Forfeit.BOTH}
# Whether a waiting verdict of the judge screen changes the total; a language may add its own.
ANSWERS: Mapping[str, bool] = {"y": True, "n": False}
# Whose clock is spoken of: the time is up, or with minutes and seconds behind it that much beyond it.
CLOCKS: Mapping[str, Forfeit] = {"t1": Forfeit.FIRST, "t2": Forfeit.SECOND}

_BETWEEN = re.compile(r"(?<=[0-9*])(?:[-–:]|\s+[-–:]\s+)(?=[0-9])|[\s.,;]+")  # 412-388 are two numbers, 412 -8 too
_LAST_MARK = re.compile(r"(?<=[0-9])([-?=])\s*$")  # `7-` clears as `7 -` does
_NUMBER = re.compile(r"-?[0-9]{1,6}")
_PLAYER = re.compile(r"/([0-9]{1,6})")
_PAIR = re.compile(r"([0-9]{1,6})[vV]([0-9]{1,6})")  # a result slip's code; v is in one place on all keyboards
_POINTS = re.compile(r"(-?[0-9]{1,6})(\*?)")
_NAME = re.compile(r"[^\W\d_][^\d/*]*")
_TIME = re.compile(r"[0-9]{1,3}")
_MINUTE = 60
_MOST_NAMES = 4  # of those that a name can mean


class ResultLine(Struct, frozen=True):
    """What is to be done with a game; all in the order in which the row lists its players.

    `started` says who started ("1" or "2") where the tiles decided; `flag` is whose time ran out, `overtime` the
    seconds beyond it; `clear` makes the game open again; `disputed` keeps it beside the result that is there.
    `verdicts`: whether waiting verdicts of the judge screen change the total, None where that is not said.
    `after_rulings`: the points are those after the jury's rulings on words.
    """

    row: PairingRow
    first: int | None = None
    second: int | None = None
    forfeit: Forfeit | None = None
    started: Forfeit | None = None
    clear: bool = False
    flag: Forfeit | None = None
    overtime: tuple[int, int] = (0, 0)
    disputed: bool = False
    verdicts: bool | None = None
    after_rulings: bool = False


class Partial(Struct, frozen=True):
    """The beginning of an entry: the game, if it is known already, and the points typed so far.

    With both points the word for a clock has been begun. `turned`: the points are the second player's, who was
    named.
    """

    row: PairingRow | None = None
    first: int | None = None
    second: int | None = None
    turned: bool = False


class Help(Struct, frozen=True):
    """Somebody asks what can be typed."""


class EntryProblem(Struct, frozen=True):
    """A line that means nothing here: `code` and `facts` for the sentence, the game where it is known."""

    code: str
    facts: Mapping[str, Scalar] = field(default_factory=dict)
    row: PairingRow | None = None


Meaning = ResultLine | Partial | Help | EntryProblem


class _Misread(Exception):
    def __init__(self, code: str, row: PairingRow | None = None, **facts: Scalar) -> None:
        super().__init__(code)
        self.problem = EntryProblem(code, facts, row)


def parse(
    line: str,
    rows: Sequence[PairingRow],
    *,
    forfeits: Mapping[str, Forfeit] = FORFEITS,
    clocks: Mapping[str, Forfeit] = CLOCKS,
    answers: Mapping[str, bool] = ANSWERS,
    fold: Callable[[str], str] = str.casefold,
    proposed: PairingRow | None = None,
) -> Meaning:
    """Return what `line` means among the games `rows` of a round.

    Scores stand in the order in which the row lists the players, except in tsh's way, where each follows its
    player, and after a name, whose score comes first and whose forfeit is `f`; in tsh's way the player named first
    has started if the tiles decided. Names are compared as `fold` returns them. `*` after a score, or 1 or 2 at
    the end of a line with a table, says who started. After the scores `t1` says that the first player's time has
    run out, `t1 1:15` that it was exceeded by so much. `?` at the end disputes the result that is there, `=`
    says that the rulings on words are in the scores, one of `answers` decides a verdict that waits. `.`, `,` and
    `;` are spaces. Two scores without a table are those of the `proposed` game, unless the first is a table.
    """
    words = _BETWEEN.sub(" ", _LAST_MARK.sub(r" \1", line)).split()
    if words == ["?"]:
        return Help()
    if not words:
        return Partial()
    try:
        if words[-1] in _MARKS and len(words) > 1:
            return _MARKS[words[-1]](_with_clocks(words[:-1], rows, forfeits, clocks, fold, proposed))
        if words[-1].casefold() in answers and len(words) > 1:
            meaning = _with_clocks(words[:-1], rows, forfeits, clocks, fold, proposed)
            if isinstance(meaning, ResultLine) and meaning.first is not None:
                return replace(meaning, verdicts=answers[words[-1].casefold()])
        return _with_clocks(words, rows, forfeits, clocks, fold, proposed)
    except _Misread as misread:
        return misread.problem


def _after_rulings(meaning: Meaning) -> Meaning:
    """Return the meaning of a line whose points are those after the rulings on words."""
    if isinstance(meaning, ResultLine) and meaning.first is not None:
        return replace(meaning, after_rulings=True)
    if isinstance(meaning, EntryProblem):
        return meaning
    raise _Misread("unreadable", getattr(meaning, "row", None), word="=")


def _disputed(meaning: Meaning) -> Meaning:
    """Return the meaning of a line that disputes what is there: it has points, and the game has a result."""
    if isinstance(meaning, EntryProblem):
        return meaning
    row = meaning.row if isinstance(meaning, (ResultLine, Partial)) else None
    if not isinstance(meaning, ResultLine) or meaning.first is None or meaning.row.status == "open":
        raise _Misread("unreadable", row, word="?")
    return replace(meaning, disputed=True)


_MARKS: Mapping[str, Callable[[Meaning], Meaning]] = {"?": _disputed, "=": _after_rulings}


def _with_clocks(
    words: list[str],
    rows: Sequence[PairingRow],
    forfeits: Mapping[str, Forfeit],
    clocks: Mapping[str, Forfeit],
    fold: Callable[[str], str],
    proposed: PairingRow | None,
) -> Meaning:
    """Read the line up to the first word for a clock, then what it notes of the clocks."""
    last = words[-1].casefold()
    unfinished = len(words) > 1 and last not in clocks and any(known.startswith(last) for known in clocks)
    if unfinished:
        words = words[:-1]
    end = next((at for at, word in enumerate(words) if word.casefold() in clocks), len(words))
    meaning, turned = _understood(words[:end], rows, forfeits, fold, proposed) if end else (Partial(), False)
    if end < len(words):
        row = meaning.row if isinstance(meaning, (ResultLine, Partial)) else None
        if not isinstance(meaning, ResultLine) or meaning.first is None:
            raise _Misread("scores-before-clock", row, word=words[end])
        flag, overtime = _clocks(meaning.row, words[end:], clocks)
        if turned:
            flag, overtime = flag and flag.turned, overtime[::-1]
        meaning = replace(meaning, flag=flag, overtime=overtime)
    if unfinished and isinstance(meaning, ResultLine):
        return Partial(meaning.row, meaning.first, meaning.second)
    return meaning


def _clocks(
    row: PairingRow, words: Sequence[str], clocks: Mapping[str, Forfeit]
) -> tuple[Forfeit | None, tuple[int, int]]:
    """Read whose clock ran out, and overtimes: `t1`, `t1 1 15` and `t1 1 15 t2 0 40`; minutes may stand alone."""
    times: dict[Forfeit, list[int]] = {}
    who = Forfeit.BOTH
    for word in words:
        if word.casefold() in clocks:
            who = clocks[word.casefold()]
            if who in times:
                raise _Misread("too-much", row, word=word)
            times[who] = []
        elif len(times[who]) == 2:  # noqa: PLR2004 - minutes and seconds
            raise _Misread("too-much", row, word=word)
        elif _TIME.fullmatch(word) and (not times[who] or int(word) < _MINUTE):
            times[who].append(int(word))
        else:
            raise _Misread("unreadable", row, word=word)
    fallen = [who for who, time in times.items() if not time]
    if len(fallen) > 1:
        raise _Misread("one-out-of-time", row, table=row.table)
    first, second = (_seconds(times.get(who, [])) for who in (Forfeit.FIRST, Forfeit.SECOND))
    return fallen[0] if fallen else None, (first, second)


def _seconds(time: Sequence[int]) -> int:
    minutes, seconds = (*time, 0, 0)[:2]
    return minutes * _MINUTE + seconds


def _understood(
    words: list[str],
    rows: Sequence[PairingRow],
    forfeits: Mapping[str, Forfeit],
    fold: Callable[[str], str],
    proposed: PairingRow | None,
) -> tuple[Meaning, bool]:
    """Return what a line without clocks means, and whether it names the second player first."""
    if _NAME.fullmatch(words[0]):
        return _after_name(words, rows, forfeits, fold)
    if len(words) == 4 and all(map(_NUMBER.fullmatch, words)):  # noqa: PLR2004 - player score player score
        return _four_numbers([int(word) for word in words], rows)
    if proposed is not None and _are_scores(words, rows):
        return _scores(proposed, words), False
    return _of_row(_row(words[0], rows), words[1:], forfeits), False


def _are_scores(words: Sequence[str], rows: Sequence[PairingRow]) -> bool:
    """Return whether the line is one or two scores and does not start with a table."""
    tables = {str(row.table) for row in rows}
    return len(words) <= 2 and words[0] not in tables and all(map(_POINTS.fullmatch, words))  # noqa: PLR2004


def _of_row(row: PairingRow, rest: Sequence[str], forfeits: Mapping[str, Forfeit]) -> Meaning:
    """Return what is said of a game."""
    if not rest:
        return Partial(row)
    if rest == ["-"]:
        if row.status == "open":
            raise _Misread("nothing-to-clear", row, table=row.table)
        return ResultLine(row, clear=True)
    word = rest[0].casefold()
    if len(rest) == 1 and word in forfeits:
        return ResultLine(row, forfeit=forfeits[word])
    if len(rest) == 1 and any(known.startswith(word) for known in forfeits):
        return Partial(row)
    return _scores(row, rest)


def _after_name(
    words: list[str], rows: Sequence[PairingRow], forfeits: Mapping[str, Forfeit], fold: Callable[[str], str]
) -> tuple[Meaning, bool]:
    """Read a name, then what is said of the game, as that player sees it."""
    end = next((at for at, word in enumerate(words) if not _NAME.fullmatch(word)), len(words))
    letters = {known[:-1] for known in forfeits}
    if end == len(words) > 1 and words[-1].casefold() in letters | forfeits.keys():
        end -= 1
    row, turned = _row_of_name(words[:end], rows, fold)
    rest = [word + "1" if word.casefold() in letters else word for word in words[end:]]
    if not turned:
        return _of_row(row, rest, forfeits), False
    seen = replace(row, first_name=row.second_name, second_name=row.first_name)
    meaning = _of_row(seen, rest, forfeits)
    if isinstance(meaning, ResultLine):
        said, started = meaning.forfeit, meaning.started
        return replace(meaning, row=row, first=meaning.second, second=meaning.first, forfeit=said and said.turned,
                       started=started and started.turned), True  # fmt: skip
    return (replace(meaning, row=row, turned=True) if isinstance(meaning, Partial) else meaning), True


def _row_of_name(
    words: Sequence[str], rows: Sequence[PairingRow], fold: Callable[[str], str]
) -> tuple[PairingRow, bool]:
    """Return the game of the one player whose name has words that begin so, and whether listed second."""
    typed = fold(" ".join(words)).split()
    sides = [(row, turned, fold(name).split()) for row in rows
             for turned, name in enumerate((row.first_name, row.second_name))]  # fmt: skip
    exact = [one for one in sides if all(word in one[2] for word in typed)]
    begun = [one for one in sides if all(any(part.startswith(word) for part in one[2]) for word in typed)]
    found = exact or begun
    if not found:
        raise _Misread("unreadable", word=" ".join(words))
    if len(found) > 1:
        shown = found[:_MOST_NAMES]
        names = (f"{row.table} {row.second_name if turned else row.first_name}" for row, turned, _ in shown)
        raise _Misread("ambiguous-name", word=" ".join(words), players="; ".join(names))
    return found[0][0], bool(found[0][1])


def _row(word: str, rows: Sequence[PairingRow]) -> PairingRow:
    """Return the game at a table, of a player after a stroke, of the two that a slip's code names."""
    pair = _PAIR.fullmatch(word)
    if pair:
        return _game_of_pair(int(pair[1]), int(pair[2]), rows)
    player = _PLAYER.fullmatch(word)
    if player:
        return _game_of_player(int(player[1]), rows)
    if not re.fullmatch(r"[0-9]{1,6}", word):
        raise _Misread("unreadable", word=word)
    for row in rows:
        if row.table == int(word):
            return row
    raise _Misread("no-such-table", table=int(word))


def slip_code(row: PairingRow) -> str:
    """Return what a result slip's code says before the points: no slip of another round is taken for this one."""
    return f"{row.first}V{row.second} "


def _game_of_pair(first: int, second: int, rows: Sequence[PairingRow]) -> PairingRow:
    """Return the game of two players; one that lists them the other way round would take the points so too."""
    row = next((row for row in rows if {row.first, row.second} == {first, second}), None)
    if row is None:
        raise _apart(first, second, rows)
    if row.first != first:
        raise _Misread("slip-turned", row, table=row.table)
    return row


def _game_of_player(number: int, rows: Sequence[PairingRow]) -> PairingRow:
    for row in rows:
        if number in {row.first, row.second}:
            return row
    raise _Misread("player-not-at-table", player=number)


def _scores(row: PairingRow, words: Sequence[str]) -> Meaning:
    read = [_points(row, word) for word in words[:2]]
    if len(words) == 1:
        return Partial(row, read[0][0])
    if len(words) > 3:  # noqa: PLR2004 - two scores and who started
        raise _Misread("too-much", row, word=words[3])
    marks = [player for player, (_, marked) in zip(Forfeit, read, strict=False) if marked]
    if len(words) == 3:  # noqa: PLR2004
        if words[2] not in {"1", "2"}:
            raise _Misread("too-much", row, word=words[2])
        marks.append(Forfeit(words[2]))
    if len(marks) > 1:
        raise _Misread("one-starter", row, table=row.table)
    return ResultLine(row, read[0][0], read[1][0], started=_starter(row, marks[0] if marks else None))


def _points(row: PairingRow, word: str) -> tuple[int, bool]:
    """Return a score and whether it is marked as the starter's."""
    found = _POINTS.fullmatch(word)
    if found is None:
        raise _Misread("unreadable", row, word=word)
    return int(found[1]), bool(found[2])


def _starter(row: PairingRow, marked: Forfeit | None) -> Forfeit | None:
    if marked is Forfeit.SECOND and row.start is Start.ASSIGNED:
        raise _Misread("start-assigned", row, table=row.table, first_name=row.first_name)
    return None if row.start is Start.ASSIGNED else marked


def _four_numbers(numbers: Sequence[int], rows: Sequence[PairingRow]) -> tuple[Meaning, bool]:
    """Read player score player score; or table score score starter, where only that makes sense.

    Return also whether the second player is named first.
    """
    one, one_points, other, other_points = numbers
    together = next((row for row in rows if {row.first, row.second} == {one, other}), None)
    at_table = next((row for row in rows if row.table == one), None)
    if other_points in {1, 2} and at_table is not None and at_table.start is not Start.ASSIGNED:
        if together is not None:
            raise _Misread("ambiguous", at_table, table=one, player=one)
        return _scores(at_table, [str(number) for number in numbers[1:]]), False
    if together is None:
        raise _apart(one, other, rows)
    started = None if together.start is Start.ASSIGNED else Forfeit.FIRST
    if one == together.first:
        return ResultLine(together, one_points, other_points, started=started), False
    return ResultLine(together, other_points, one_points, started=Forfeit.SECOND if started else None), True


def _apart(one: int, other: int, rows: Sequence[PairingRow]) -> _Misread:
    """Return why these two have no game: one is not at a table, or somebody else is the opponent."""
    if one == other:
        return _Misread("same-player", player=one)
    row = _game_of_player(one, rows)
    _game_of_player(other, rows)
    name, opponent = row.first_name, row.second_name
    if one == row.second:
        name, opponent = opponent, name
    return _Misread("not-together", row, table=row.table, name=name, opponent=opponent, other=other)
