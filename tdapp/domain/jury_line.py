"""Parse lines typed into the jury field.

- `12`, `12-20`, `all`: mark sheets as checked.
- `12 2 XQBAR 48`: at table 12, player 2's XQBAR (a turn of 48 points) is wrong.
- `12 AKKER`: look a word up.
- `12 = 412 388`: correct a result.
- `12 y`, `12 n`: apply or refuse the judges' verdicts on challenges.

For a wrong line, return a ResultLineProblem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.entry_line import ANSWERS, HelpRequest, ResultLineProblem
from tdapp.domain.model import Scalar
from tdapp.domain.rulings import ONLY_TURN_SCORE, convert_to_uppercase_letters, is_well_formed_word
from tdapp.domain.tables.jury import JuryGame

ALL = frozenset({"all", "*"})  # languages add their own words
VALID_ANSWERS = frozenset({"ok"})  # typed instead of a score: the word is valid

_NO_NAME = re.compile(r"[=?*#]|^\s*[0-9]|\s[0-9]+\s+\S")  # "Jury 2" is a name, "jans 2 XQBAR 48" is not
_RANGE = re.compile(r"([0-9]{1,6})\s*[-–]\s*([0-9]{1,6})")
_TABLE = re.compile(r"[0-9]{1,6}")
_SCORE = re.compile(r"[0-9]{1,4}")
_ANSWER = re.compile(r"([0-9]{1,4})(=?)")
_TOTAL = re.compile(r"-?[0-9]{1,5}")
_ROW = re.compile(r"#([0-9]{0,3})")


class TablesCheckedLine(Struct, frozen=True):
    """A line that marks the score sheets of tables as checked."""

    rows: tuple[JuryGame, ...]
    all_tables: bool = False  # the user typed the word for all tables


class WordRulingLine(Struct, frozen=True):
    """A line with a ruling: words of one turn are wrong or valid."""

    row: JuryGame
    player: int  # 1 or 2
    words: tuple[str, ...]
    score: int = 0  # score of the turn
    valid: bool = False  # the words are valid, not wrong
    replaces: int | None = None  # score of the turn whose ruling is corrected, or ONLY_TURN_SCORE


class WordLookupLine(Struct, frozen=True):
    """A line that looks up words in the word list."""

    row: JuryGame
    words: tuple[str, ...]
    player: int | None = None  # 1 or 2; if named, only the score is missing for a ruling


class ResultCorrectionLine(Struct, frozen=True):
    """A typed line that corrects a result, such as `12 = 412 388` (table, totals)."""

    row: JuryGame
    first: int
    second: int
    after_rulings: bool = False  # the totals already include rulings


class VerdictDecisionLine(Struct, frozen=True):
    """A line that applies or refuses the open verdicts on challenges at a table."""

    row: JuryGame
    apply: bool  # False: refuse the verdicts


class SheetOpeningLine(Struct, frozen=True):
    """A typed line that opens a score sheet, such as `12 #5` (table, row)."""

    row: JuryGame
    number: int | None = None  # row of the form; None: the end, 0: the first doubtful turn


class PartialJuryLine(Struct, frozen=True):
    """An incomplete line, such as `12 2`."""

    row: JuryGame | None = None
    missing_part: str = ""  # "word" or "totals"


JuryIntent = (
    TablesCheckedLine
    | WordRulingLine
    | WordLookupLine
    | ResultCorrectionLine
    | VerdictDecisionLine
    | SheetOpeningLine
    | PartialJuryLine
    | HelpRequest
    | ResultLineProblem
)


def can_be_judge_name(text: str, reserved: Collection[str] = ALL | VALID_ANSWERS) -> bool:
    return any(map(str.isalpha, text)) and not _NO_NAME.search(text) and text.strip().casefold() not in reserved


class _JuryLineError(Exception):
    def __init__(self, code: str, row: JuryGame | None = None, **facts: Scalar) -> None:
        super().__init__(code)
        self.problem = ResultLineProblem(code, {"table": row.table, **facts} if row else facts)


def parse_jury_line(
    line: str,
    rows: Sequence[JuryGame],
    *,
    all_words: Collection[str] = ALL,
    valid: Collection[str] = VALID_ANSWERS,
    answers: Mapping[str, bool] = ANSWERS,
    fold: Callable[[str], str] = str.casefold,
) -> JuryIntent:
    """Parse a line typed into the jury field.

    The line starts with a table number or the first letters of a player's first or last name. A name also
    selects the player. The line can contain these words:

    - `all_words`: for all tables, such as "all".
    - `valid`: for "correct", such as "ok".
    - `answers`: for yes (True) and no (False).
    """
    text = re.sub(r"[.,;]+", " ", line).strip()
    if "?" in text:
        return HelpRequest()
    if not text:
        return PartialJuryLine()
    if text.casefold() in all_words:
        return TablesCheckedLine(tuple(row for row in rows if row.status == "entered"), all_tables=True)
    try:
        range_match = _RANGE.fullmatch(text)
        if range_match:
            return _make_table_range_check_line(rows, int(range_match[1]), int(range_match[2]))
        return _parse_table_line(text, rows, valid, answers, fold)
    except _JuryLineError as error:
        return error.problem


def parse_answer_about_word(
    line: str, row: JuryGame, word: str, *, valid: Collection[str] = VALID_ANSWERS
) -> JuryIntent:
    """Parse the answer to the question who played `word` and for how many points.

    - `2 48`: player 2, 48 points, `word` is wrong.
    - `ok`, or another text in `valid`: `word` is correct.
    """
    text = re.sub(r"\s+=", "=", re.sub(r"[.,;]+", " ", line))
    answer = [part for part in text.split() if part.casefold() != word.casefold()]
    if len(answer) > 2 and answer[0] == str(row.table):  # noqa: PLR2004 - player and score
        answer = answer[1:]
    if not answer:
        return PartialJuryLine(row)
    if len(answer) == 1 and answer[0].casefold() in valid:
        return WordLookupLine(row, ())
    if answer[0] not in {"1", "2"}:
        return ResultLineProblem("answer-first", {"table": row.table, "word": word})
    player = int(answer[0])
    if len(answer) == 1:
        return WordLookupLine(row, (word,), player)
    if len(answer) == 2 and (match := _ANSWER.fullmatch(answer[1])):  # noqa: PLR2004 - player and score
        return WordRulingLine(row, player, (word,), int(match[1]), replaces=ONLY_TURN_SCORE if match[2] else None)
    return ResultLineProblem("unreadable", {"word": " ".join(answer[1:])})


def _make_table_range_check_line(rows: Sequence[JuryGame], first: int, last: int) -> TablesCheckedLine:
    tables = {row.table for row in rows}
    for table in (first, last):
        if table not in tables:
            raise _JuryLineError("no-such-table", table=table)
    lowest, highest = sorted((first, last))
    return TablesCheckedLine(tuple(row for row in rows if lowest <= row.table <= highest))


def _parse_table_line(
    text: str,
    rows: Sequence[JuryGame],
    valid: Collection[str],
    answers: Mapping[str, bool],
    fold: Callable[[str], str],
) -> JuryIntent:
    name, equals, totals = text.partition("=")
    words = name.replace("#", " #").split()
    row, player = _find_game_by_table_or_name(words[0], rows, fold) if words else (None, None)
    if row is None:
        raise _JuryLineError("unreadable", word=text)
    remaining_words = words[1:]
    if equals:
        words_after_equals = totals.replace("=", " =").split()
        if not remaining_words:
            return _parse_totals(row, words_after_equals)
        return _parse_ruling_correction(row, player, remaining_words, words_after_equals, valid)
    if not remaining_words or (len(remaining_words) == 1 and remaining_words[0].casefold() in valid):
        return TablesCheckedLine((row,)) if row.status != "open" else PartialJuryLine(row)
    if len(remaining_words) == 1 and remaining_words[0].casefold() in answers:
        return VerdictDecisionLine(row, answers[remaining_words[0].casefold()])
    row_match = _ROW.fullmatch(remaining_words[0])
    if row_match and len(remaining_words) == 1:
        return SheetOpeningLine(row, int(row_match[1]) if row_match[1] else None)
    if remaining_words[0] in {"1", "2"}:
        player, remaining_words = int(remaining_words[0]), remaining_words[1:]
    elif player is None and all(word.isdecimal() for word in remaining_words):
        raise _JuryLineError("numbers-alone", row)
    elif remaining_words[0].isdecimal() and len(remaining_words) > 1:
        raise _JuryLineError("which-player", row, word=remaining_words[1].upper())
    return _parse_ruling(row, player, remaining_words, valid) if remaining_words else PartialJuryLine(row, "word")


def _find_game_by_table_or_name(
    word: str, rows: Sequence[JuryGame], fold: Callable[[str], str]
) -> tuple[JuryGame, int | None]:
    if _TABLE.fullmatch(word):
        row = next((row for row in rows if row.table == int(word)), None)
        if row is None:
            raise _JuryLineError("no-such-table", table=int(word))
        return row, None
    prefix = fold(word)
    matches = [
        (row, player)
        for row in rows
        for player, name in enumerate((row.first_name, row.second_name), 1)
        if any(part.startswith(prefix) for part in re.split(r"[\s,]+", fold(name)))
    ]
    if len(matches) != 1:
        tables = ", ".join(str(table) for table in sorted({row.table for row, _ in matches})[:5])
        error_code = "unreadable" if any(character.isdigit() for character in word) else "nobody-named"
        raise _JuryLineError("several-named" if matches else error_code, word=word, tables=tables)
    return matches[0]


def _parse_ruling_correction(
    row: JuryGame, player: int | None, words: Sequence[str], replaced_score: Sequence[str], valid: Collection[str]
) -> JuryIntent:
    """Parse a corrected ruling: table, player, word and new score of the turn, such as `12 2 XQBAR 30 =`.

    If there are several rulings on the word, `= 45` at the end selects the ruling with the old score 45.
    """
    if words[0] in {"1", "2"}:
        player, words = int(words[0]), words[1:]
    ruling = _parse_ruling(row, player, words, valid) if any(map(is_well_formed_word, words)) else None
    if not isinstance(ruling, WordRulingLine) or ruling.valid or len(replaced_score) > 1:
        raise _JuryLineError("unreadable", row, word=" ".join((*words, "=", *replaced_score)))
    if replaced_score and not _SCORE.fullmatch(replaced_score[0]):
        raise _JuryLineError("unreadable", row, word=replaced_score[0])
    return replace(ruling, replaces=int(replaced_score[0]) if replaced_score else ONLY_TURN_SCORE)


def _parse_totals(row: JuryGame, totals: Sequence[str]) -> JuryIntent:
    is_after_rulings = totals[-1:] == ["="]
    totals = totals[:-1] if is_after_rulings else totals
    invalid_total = next((total for total in totals if not _TOTAL.fullmatch(total)), None)
    if invalid_total is not None or len(totals) > 2:  # noqa: PLR2004 - one total for each player
        raise _JuryLineError("unreadable", row, word=invalid_total or totals[2])
    if len(totals) < 2:  # noqa: PLR2004
        return PartialJuryLine(row, "totals")
    return ResultCorrectionLine(row, int(totals[0]), int(totals[1]), after_rulings=is_after_rulings)


def _parse_ruling(
    row: JuryGame, player: int | None, typed_words: Sequence[str], valid: Collection[str]
) -> JuryIntent:
    last = typed_words[-1].casefold()
    is_valid = len(typed_words) > 1 and last in valid
    has_ending = is_valid or bool(_SCORE.fullmatch(last))
    words = tuple(typed_words[:-1] if has_ending else typed_words)
    invalid_word = next((word for word in words if not is_well_formed_word(word)), None)
    if invalid_word is not None:
        raise _make_word_error(row, player, words[: words.index(invalid_word)], invalid_word)
    if not words:
        raise _JuryLineError("word-missing", row, word=typed_words[0])
    words = tuple(map(convert_to_uppercase_letters, words))
    if not has_ending:
        return WordLookupLine(row, words, player)
    if player is None:
        raise _JuryLineError("which-player", row, word=" ".join(words))
    return WordRulingLine(row, player, words, 0 if is_valid else int(last), valid=is_valid)


def _make_word_error(
    row: JuryGame, player: int | None, earlier_words: Sequence[str], invalid_word: str
) -> _JuryLineError:
    if invalid_word.isdecimal() and not earlier_words:
        return _JuryLineError("word-missing", row, word=invalid_word)
    if invalid_word.isdecimal() and player is None:
        return _JuryLineError("which-player", row, word=" ".join(earlier_words).upper())
    return _JuryLineError("unreadable", row, word=invalid_word)
