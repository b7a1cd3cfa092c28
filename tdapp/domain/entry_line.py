"""Parse typed results.

- `7 412 388`: the scores at table 7.
- `/12 412 388`, `vries 412 388`: the score of player 12 or of Vries, then the opponent's score.
- `12 412 15 388`: the scores of players 12 and 15.
- `7 f1`: the first player at table 7 forfeits.

For a wrong line, return a ResultLineProblem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.model import GameSide, Scalar, StartDecision
from tdapp.domain.tables.rounds import PairingRow

# Words for a forfeit. Languages add their own.
FORFEITS: Mapping[str, GameSide] = {"f1": GameSide.FIRST, "f2": GameSide.SECOND, "fb": GameSide.BOTH}
# Words that apply or refuse an undecided verdict of the judge screen. Languages add their own.
ANSWERS: Mapping[str, bool] = {"y": True, "n": False}
# Words for a player's clock: time ran out, or overtime if minutes and seconds follow.
CLOCKS: Mapping[str, GameSide] = {"t1": GameSide.FIRST, "t2": GameSide.SECOND}

# "412-388" and "412 -8" are two numbers
_SEPARATOR = re.compile(r"(?<=[0-9*])(?:[-–:]|\s+[-–:]\s+)(?=[0-9])|[\s.,;]+")
_LAST_MARK = re.compile(r"(?<=[0-9])([-?=])\s*$")  # `7-` equals `7 -`
_NUMBER = re.compile(r"-?[0-9]{1,6}")
_PLAYER = re.compile(r"/([0-9]{1,6})")
_PAIR = re.compile(r"([0-9]{1,6})[vV]([0-9]{1,6})")  # code of a result slip; v has the same key on all keyboards
_POINTS = re.compile(r"(-?[0-9]{1,6})(\*?)")
_NAME = re.compile(r"[^\W\d_][^\d/*]*")
_TIME = re.compile(r"[0-9]{1,3}")
_MINUTE = 60
_MAX_NAMES = 4  # names listed if a name is ambiguous


class ResultLine(Struct, frozen=True):
    """A typed result of a game. Values for both players are in the order of the players in `row`."""

    row: PairingRow
    first: int | None = None
    second: int | None = None
    forfeit: GameSide | None = None
    started: GameSide | None = None  # set only if tiles were drawn for the start
    clear: bool = False
    flag: GameSide | None = None  # the player whose time ran out
    overtime: tuple[int, int] = (0, 0)  # seconds
    disputed: bool = False  # keep the existing result and record these points as a contradiction
    verdicts: bool | None = None  # apply or refuse undecided verdicts of the judge screen; None: not typed
    after_rulings: bool = False  # the points include rulings on words


class PartialResultLine(Struct, frozen=True):
    """An incomplete typed result."""

    row: PairingRow | None = None
    first: int | None = None
    second: int | None = None
    is_swapped: bool = False  # the user named the second player first
    is_forfeit: bool = False  # the line lacks who forfeits


class HelpRequest(Struct, frozen=True):
    """The user typed `?` for help with result lines."""


class ResultLineProblem(Struct, frozen=True):
    """A wrong line. `code` selects its message, `facts` are the values in it."""

    code: str
    facts: Mapping[str, Scalar] = field(default_factory=dict)
    row: PairingRow | None = None


IsSwapped = bool  # as in PartialResultLine
ParsedLine = ResultLine | PartialResultLine | HelpRequest | ResultLineProblem


class _ParseError(Exception):
    def __init__(self, code: str, row: PairingRow | None = None, **facts: Scalar) -> None:
        super().__init__(code)
        self.problem = ResultLineProblem(code, facts, row)


def parse_result_line(
    line: str,
    rows: Sequence[PairingRow],
    *,
    forfeits: Mapping[str, GameSide] = FORFEITS,
    clocks: Mapping[str, GameSide] = CLOCKS,
    answers: Mapping[str, bool] = ANSWERS,
    fold: Callable[[str], str] = str.casefold,
    proposed_row: PairingRow | None = None,
) -> ParsedLine:
    """Parse a typed `line` about a game in `rows`.

    - Two scores are in the order of the players in the row. After a player's name, that player's score is first.
    - `12 412 15 388`: players 12 and 15 with scores. Player 12 started, unless the pairing fixed the starter.
    - `412 388` is the result of the game `proposed_row`, unless 412 is a table number.
    - `*` after a score marks the player who started. In `7 412 388 2`, the second player (388) started.
    - `f1` is a forfeit of the first player. After a name, `f` is a forfeit of that player.
    - After the scores, `t1` means that the first player's time ran out. `t1 1:15` is an overtime of 1:15.
    - `?` at the end disputes the result. `=` means that the scores include rulings on words.
    """
    words = _SEPARATOR.sub(" ", _LAST_MARK.sub(r" \1", line)).split()
    if words == ["?"]:
        return HelpRequest()
    if not words:
        return PartialResultLine()
    try:
        if words[-1] in _LINE_MARKS and len(words) > 1:
            return _LINE_MARKS[words[-1]](
                _parse_line_with_optional_overtime(words[:-1], rows, forfeits, clocks, fold, proposed_row)
            )
        if words[-1].casefold() in answers and len(words) > 1:
            meaning = _parse_line_with_optional_overtime(words[:-1], rows, forfeits, clocks, fold, proposed_row)
            if isinstance(meaning, ResultLine) and meaning.first is not None:
                return replace(meaning, verdicts=answers[words[-1].casefold()])
        return _parse_line_with_optional_overtime(words, rows, forfeits, clocks, fold, proposed_row)
    except _ParseError as error:
        return error.problem


def _mark_scores_as_including_rulings(meaning: ParsedLine) -> ParsedLine:
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


_LINE_MARKS: Mapping[str, Callable[[ParsedLine], ParsedLine]] = {
    "?": _mark_as_disputed,
    "=": _mark_scores_as_including_rulings,
}


def _parse_line_with_optional_overtime(
    words: list[str],
    rows: Sequence[PairingRow],
    forfeits: Mapping[str, GameSide],
    clocks: Mapping[str, GameSide],
    fold: Callable[[str], str],
    proposed_row: PairingRow | None,
) -> ParsedLine:
    last = words[-1].casefold()
    has_partial_clock_word = (
        len(words) > 1 and last not in clocks and any(clock_word.startswith(last) for clock_word in clocks)
    )
    if has_partial_clock_word:
        words = words[:-1]
    end = next((index for index, word in enumerate(words) if word.casefold() in clocks), len(words))
    meaning, is_swapped = (
        _parse_words_before_overtime(words[:end], rows, forfeits, fold, proposed_row)
        if end
        else (PartialResultLine(), False)
    )
    if end < len(words):
        row = meaning.row if isinstance(meaning, (ResultLine, PartialResultLine)) else None
        if not isinstance(meaning, ResultLine) or meaning.first is None:
            raise _ParseError("scores-before-clock", row, word=words[end])
        flag, overtime = _parse_flag_and_overtimes(meaning.row, words[end:], clocks)
        if is_swapped:
            flag, overtime = flag and flag.swapped, overtime[::-1]
        meaning = replace(meaning, flag=flag, overtime=overtime)
    if has_partial_clock_word and isinstance(meaning, ResultLine):
        return PartialResultLine(meaning.row, meaning.first, meaning.second)
    return meaning


def _parse_flag_and_overtimes(
    row: PairingRow, words: Sequence[str], clocks: Mapping[str, GameSide]
) -> tuple[GameSide | None, tuple[int, int]]:
    times: dict[GameSide, list[int]] = {}
    player = GameSide.BOTH
    for word in words:
        if word.casefold() in clocks:
            player = clocks[word.casefold()]
            if player in times:
                raise _ParseError("too-much", row, word=word)
            times[player] = []
        elif len(times[player]) == 2:  # noqa: PLR2004 - minutes and seconds
            raise _ParseError("too-much", row, word=word)
        elif _TIME.fullmatch(word) and (not times[player] or int(word) < _MINUTE):
            times[player].append(int(word))
        else:
            raise _ParseError("unreadable", row, word=word)
    flagged_players = [player for player, time in times.items() if not time]
    if len(flagged_players) > 1:
        raise _ParseError("one-out-of-time", row, table=row.table)
    first, second = (_convert_to_seconds(times.get(player, [])) for player in (GameSide.FIRST, GameSide.SECOND))
    return flagged_players[0] if flagged_players else None, (first, second)


def _convert_to_seconds(time: Sequence[int]) -> int:
    minutes, seconds = (*time, 0, 0)[:2]
    return minutes * _MINUTE + seconds


def _parse_words_before_overtime(
    words: list[str],
    rows: Sequence[PairingRow],
    forfeits: Mapping[str, GameSide],
    fold: Callable[[str], str],
    proposed_row: PairingRow | None,
) -> tuple[ParsedLine, IsSwapped]:
    if _NAME.fullmatch(words[0]):
        return _parse_words_after_name(words, rows, forfeits, fold)
    if len(words) == 4 and all(map(_NUMBER.fullmatch, words)):  # noqa: PLR2004 - player score player score
        return _parse_line_of_four_numbers([int(word) for word in words], rows)
    if proposed_row is not None and _has_scores_but_no_table(words, rows):
        return _parse_scores(proposed_row, words), False
    return _parse_result_words(_find_row_by_table_or_players(words[0], rows), words[1:], forfeits), False


def _has_scores_but_no_table(words: Sequence[str], rows: Sequence[PairingRow]) -> bool:
    tables = {str(row.table) for row in rows}
    return len(words) <= 2 and words[0] not in tables and all(map(_POINTS.fullmatch, words))  # noqa: PLR2004


def _parse_result_words(row: PairingRow, words: Sequence[str], forfeits: Mapping[str, GameSide]) -> ParsedLine:
    if not words:
        return PartialResultLine(row)
    if words == ["-"]:
        if row.status == "open":
            raise _ParseError("nothing-to-clear", row, table=row.table)
        return ResultLine(row, clear=True)
    word = words[0].casefold()
    if len(words) == 1 and word in forfeits:
        return ResultLine(row, forfeit=forfeits[word])
    if len(words) == 1 and any(forfeit_word.startswith(word) for forfeit_word in forfeits):
        return PartialResultLine(row, is_forfeit=True)
    return _parse_scores(row, words)


def _parse_words_after_name(
    words: list[str], rows: Sequence[PairingRow], forfeits: Mapping[str, GameSide], fold: Callable[[str], str]
) -> tuple[ParsedLine, IsSwapped]:
    end = next((index for index, word in enumerate(words) if not _NAME.fullmatch(word)), len(words))
    forfeit_letters = {forfeit_word[:-1] for forfeit_word in forfeits}
    if end == len(words) > 1 and words[-1].casefold() in forfeit_letters | forfeits.keys():
        end -= 1
    row, is_swapped = _find_row_by_name(words[:end], rows, fold)
    remaining_words = [word + "1" if word.casefold() in forfeit_letters else word for word in words[end:]]
    if not is_swapped:
        return _parse_result_words(row, remaining_words, forfeits), False
    swapped_row = replace(row, first_name=row.second_name, second_name=row.first_name)
    meaning = _parse_result_words(swapped_row, remaining_words, forfeits)
    if isinstance(meaning, ResultLine):
        forfeit, started = meaning.forfeit, meaning.started
        meaning = replace(meaning, forfeit=forfeit and forfeit.swapped, started=started and started.swapped)
        return replace(meaning, row=row, first=meaning.second, second=meaning.first), True
    return (
        replace(meaning, row=row, is_swapped=True) if isinstance(meaning, PartialResultLine) else meaning
    ), True


def _find_row_by_name(
    words: Sequence[str], rows: Sequence[PairingRow], fold: Callable[[str], str]
) -> tuple[PairingRow, IsSwapped]:
    typed_words = fold(" ".join(words)).split()
    candidates = [(row, is_second, fold(name).split()) for row in rows
             for is_second, name in enumerate((row.first_name, row.second_name))]  # fmt: skip
    exact_matches = [candidate for candidate in candidates if all(word in candidate[2] for word in typed_words)]
    prefix_matches = [
        candidate
        for candidate in candidates
        if all(any(part.startswith(word) for part in candidate[2]) for word in typed_words)
    ]
    matches = exact_matches or prefix_matches
    if not matches:
        raise _ParseError("nobody-named", word=" ".join(words))
    if len(matches) > 1:
        listed_matches = matches[:_MAX_NAMES]
        names = (
            f"{row.table} {row.second_name if is_second else row.first_name}"
            for row, is_second, _ in listed_matches
        )
        raise _ParseError("ambiguous-name", word=" ".join(words), players="; ".join(names))
    return matches[0][0], bool(matches[0][1])


def _find_row_by_table_or_players(word: str, rows: Sequence[PairingRow]) -> PairingRow:
    pair = _PAIR.fullmatch(word)
    if pair:
        return _find_game_of_ordered_pair(int(pair[1]), int(pair[2]), rows)
    player = _PLAYER.fullmatch(word)
    if player:
        return _find_game_of_player(int(player[1]), rows)
    if not re.fullmatch(r"[0-9]{1,6}", word):
        raise _ParseError("unreadable", word=word)
    for row in rows:
        if row.table == int(word):
            return row
    raise _ParseError("no-such-table", table=int(word))


def make_slip_qr_code_text(row: PairingRow) -> str:
    """Return the text for the QR code of a slip, such as "7V12 " for players 7 and 12.

    A scanner types this text, then the user types the scores.
    """
    return f"{row.first}V{row.second} "


def _find_game_of_ordered_pair(first: int, second: int, rows: Sequence[PairingRow]) -> PairingRow:
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
    scores = [_parse_points_with_starter_mark(row, word) for word in words[:2]]
    if len(words) == 1:
        return PartialResultLine(row, scores[0][0])
    if len(words) > 3:  # noqa: PLR2004 - two scores and who started
        raise _ParseError("too-much", row, word=words[3])
    starters = [player for player, (_, has_mark) in zip(GameSide, scores, strict=False) if has_mark]
    if len(words) == 3:  # noqa: PLR2004
        if words[2] not in {"1", "2"}:
            raise _ParseError("too-much", row, word=words[2])
        starters.append(GameSide(words[2]))
    if len(starters) > 1:
        raise _ParseError("one-starter", row, table=row.table)
    is_assigned, started = row.start is StartDecision.ASSIGNED, starters[0] if starters else None
    if is_assigned and started is GameSide.SECOND:
        raise _ParseError("start-assigned", row, table=row.table, first_name=row.first_name)
    return ResultLine(row, scores[0][0], scores[1][0], started=None if is_assigned else started)


def _parse_points_with_starter_mark(row: PairingRow, word: str) -> tuple[int, bool]:
    match = _POINTS.fullmatch(word)
    if match is None:
        raise _ParseError("unreadable", row, word=word)
    return int(match[1]), bool(match[2])


def _parse_line_of_four_numbers(
    numbers: Sequence[int], rows: Sequence[PairingRow]
) -> tuple[ParsedLine, IsSwapped]:
    player, points, opponent, opponent_points = numbers
    joint_row = next((row for row in rows if {row.first, row.second} == {player, opponent}), None)
    table_row = next((row for row in rows if row.table == player), None)
    if opponent_points in {1, 2} and table_row is not None and table_row.start is not StartDecision.ASSIGNED:
        if joint_row is not None:
            raise _ParseError("ambiguous", table_row, table=player, player=player)
        return _parse_scores(table_row, [str(number) for number in numbers[1:]]), False
    if joint_row is None:
        raise _make_missing_game_error(player, opponent, rows)
    started = None if joint_row.start is StartDecision.ASSIGNED else GameSide.FIRST
    if player == joint_row.first:
        return ResultLine(joint_row, points, opponent_points, started=started), False
    return ResultLine(joint_row, opponent_points, points, started=GameSide.SECOND if started else None), True


def _make_missing_game_error(number: int, opponent_number: int, rows: Sequence[PairingRow]) -> _ParseError:
    if number == opponent_number:
        return _ParseError("same-player", player=number)
    row = _find_game_of_player(number, rows)
    _find_game_of_player(opponent_number, rows)
    name, opponent = row.first_name, row.second_name
    if number == row.second:
        name, opponent = opponent, name
    return _ParseError("not-together", row, table=row.table, name=name, opponent=opponent, other=opponent_number)
