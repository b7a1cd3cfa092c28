"""Parse lines that the jury types: `12`, `12-20`, `all`, `12 2 XQBAR 48`, `12 AKKER`, `12 = 412 388`, `12 y`.

The parser never raises: a wrong line gives a ResultLineProblem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.entry_line import ANSWERS, HelpRequest, ResultLineProblem
from tdapp.domain.model import Scalar
from tdapp.domain.rulings import THE_ONLY_TURN, extract_letters, is_possible_word
from tdapp.domain.tables.jury import JuryGame

ALL = frozenset({"all", "*"})  # languages add their own words
STANDS = frozenset({"ok"})  # typed instead of a score: the word is valid

_NO_NAME = re.compile(r"[=?*#]|^\s*[0-9]|\s[0-9]+\s+\S")  # "Jury 2" is a name, "jans 2 XQBAR 48" is not
_RANGE = re.compile(r"([0-9]{1,6})\s*[-–]\s*([0-9]{1,6})")
_TABLE = re.compile(r"[0-9]{1,6}")
_SCORE = re.compile(r"[0-9]{1,4}")
_ANSWER = re.compile(r"([0-9]{1,4})(=?)")
_TOTAL = re.compile(r"-?[0-9]{1,5}")
_ROW = re.compile(r"#([0-9]{0,3})")


class CheckTablesLine(Struct, frozen=True):
    """Mark forms as checked."""

    rows: tuple[JuryGame, ...]
    everything: bool = False  # the user typed the word for all tables


class RuleWordLine(Struct, frozen=True):
    """A typed line with a ruling: words of one turn are wrong or valid."""

    row: JuryGame
    player: int  # 1 or 2
    words: tuple[str, ...]
    score: int = 0  # score of the turn
    valid: bool = False  # the words are valid, not wrong
    replaces: int | None = None  # score of the turn whose ruling is corrected, or THE_ONLY_TURN


class LookUpWordsLine(Struct, frozen=True):
    """Look up words."""

    row: JuryGame
    words: tuple[str, ...]
    player: int | None = None  # 1 or 2; if named, only the score is missing for a ruling


class CorrectResultLine(Struct, frozen=True):
    """Replace the result by the totals on the form."""

    row: JuryGame
    first: int
    second: int
    after_rulings: bool = False  # the totals already include rulings


class DecideVerdictsLine(Struct, frozen=True):
    """Apply or refuse the undecided verdicts from the judge screen for the result of a table."""

    row: JuryGame
    apply: bool  # False: refuse the verdicts


class ShowSheetLine(Struct, frozen=True):
    """Show a row of the score sheet."""

    row: JuryGame
    number: int | None = None  # row of the form; None: the end, 0: the first doubtful turn


class PartialJuryLine(Struct, frozen=True):
    """An incomplete line."""

    row: JuryGame | None = None
    wanted: str = ""  # the missing part: "word" or "totals"


JuryIntent = (
    CheckTablesLine
    | RuleWordLine
    | LookUpWordsLine
    | CorrectResultLine
    | DecideVerdictsLine
    | ShowSheetLine
    | PartialJuryLine
    | HelpRequest
    | ResultLineProblem
)


def is_judge_name(text: str, reserved: Collection[str] = ALL | STANDS) -> bool:
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
    valid: Collection[str] = STANDS,
    answers: Mapping[str, bool] = ANSWERS,
    fold: Callable[[str], str] = str.casefold,
) -> JuryIntent:
    """Parse a line that starts with a table number, or with the first letters of a first or last name.

    A name determines the player as well as the table. `all_words` mean all tables, `valid` are words for
    "valid", `answers` words for yes and no.
    """
    text = re.sub(r"[.,;]+", " ", line).strip()
    if "?" in text:
        return HelpRequest()
    if not text:
        return PartialJuryLine()
    if text.casefold() in all_words:
        return CheckTablesLine(tuple(row for row in rows if row.status == "entered"), everything=True)
    try:
        found = _RANGE.fullmatch(text)
        return (
            _find_tables_in_range(rows, int(found[1]), int(found[2]))
            if found
            else _parse_table_line(text, rows, valid, answers, fold)
        )
    except _JuryLineError as misread:
        return misread.problem


def parse_player_and_score(line: str, row: JuryGame, word: str, *, valid: Collection[str] = STANDS) -> JuryIntent:
    """Parse the answer to the question about who played a wrong word and for what score.

    The answer is `2 48` (player and score), or a word of `valid`.
    """
    read = re.sub(r"\s+=", "=", re.sub(r"[.,;]+", " ", line))
    answer = [one for one in read.split() if one.casefold() != word.casefold()]
    if len(answer) > 2 and answer[0] == str(row.table):  # noqa: PLR2004 - player and score
        answer = answer[1:]
    if not answer:
        return PartialJuryLine(row)
    if len(answer) == 1 and answer[0].casefold() in valid:
        return LookUpWordsLine(row, ())
    if answer[0] not in {"1", "2"}:
        return ResultLineProblem("answer-first", {"table": row.table, "word": word})
    player = int(answer[0])
    if len(answer) == 1:
        return LookUpWordsLine(row, (word,), player)
    if len(answer) == 2 and (found := _ANSWER.fullmatch(answer[1])):  # noqa: PLR2004 - player and score
        return RuleWordLine(row, player, (word,), int(found[1]), replaces=THE_ONLY_TURN if found[2] else None)
    return ResultLineProblem("unreadable", {"word": " ".join(answer[1:])})


def _find_tables_in_range(rows: Sequence[JuryGame], one: int, other: int) -> CheckTablesLine:
    there = {row.table for row in rows}
    for table in (one, other):
        if table not in there:
            raise _JuryLineError("no-such-table", table=table)
    low, high = sorted((one, other))
    return CheckTablesLine(tuple(row for row in rows if low <= row.table <= high))


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
    rest = words[1:]
    if equals:
        behind = totals.replace("=", " =").split()
        return _parse_ruling_correction(row, player, rest, behind, valid) if rest else _parse_totals(row, behind)
    if not rest or (len(rest) == 1 and rest[0].casefold() in STANDS):
        return CheckTablesLine((row,)) if row.status != "open" else PartialJuryLine(row)
    if len(rest) == 1 and rest[0].casefold() in answers:
        return DecideVerdictsLine(row, answers[rest[0].casefold()])
    opened = _ROW.fullmatch(rest[0])
    if opened and len(rest) == 1:
        return ShowSheetLine(row, int(opened[1]) if opened[1] else None)
    if rest[0] in {"1", "2"}:
        player, rest = int(rest[0]), rest[1:]
    elif player is None and all(one.isdecimal() for one in rest):
        raise _JuryLineError("numbers-alone", row)
    elif rest[0].isdecimal() and len(rest) > 1:
        raise _JuryLineError("which-player", row, word=rest[1].upper())
    return _parse_ruling(row, player, rest, valid) if rest else PartialJuryLine(row, "word")


def _find_game_by_table_or_name(
    word: str, rows: Sequence[JuryGame], fold: Callable[[str], str]
) -> tuple[JuryGame, int | None]:
    if _TABLE.fullmatch(word):
        row = next((row for row in rows if row.table == int(word)), None)
        if row is None:
            raise _JuryLineError("no-such-table", table=int(word))
        return row, None
    wanted = fold(word)
    found = [
        (row, player)
        for row in rows
        for player, name in enumerate((row.first_name, row.second_name), 1)
        if any(part.startswith(wanted) for part in re.split(r"[\s,]+", fold(name)))
    ]
    if len(found) != 1:
        several = ", ".join(str(table) for table in sorted({row.table for row, _ in found})[:5])
        nobody = "unreadable" if any(sign.isdigit() for sign in word) else "nobody-named"
        raise _JuryLineError("several-named" if found else nobody, word=word, tables=several)
    return found[0]


def _parse_ruling_correction(
    row: JuryGame, player: int | None, rest: Sequence[str], score: Sequence[str], valid: Collection[str]
) -> JuryIntent:
    """Parse a correction of an earlier ruling, such as `12 2 XQBAR 30 =`.

    If the player has rulings on this word in several turns, the line ends with the score of the turn to
    correct, such as `= 45`.
    """
    if rest[0] in {"1", "2"}:
        player, rest = int(rest[0]), rest[1:]
    found = _parse_ruling(row, player, rest, valid) if any(map(is_possible_word, rest)) else None
    if not isinstance(found, RuleWordLine) or found.valid or len(score) > 1:
        raise _JuryLineError("unreadable", row, word=" ".join((*rest, "=", *score)))
    if score and not _SCORE.fullmatch(score[0]):
        raise _JuryLineError("unreadable", row, word=score[0])
    return replace(found, replaces=int(score[0]) if score else THE_ONLY_TURN)


def _parse_totals(row: JuryGame, totals: Sequence[str]) -> JuryIntent:
    ruled = totals[-1:] == ["="]
    totals = totals[:-1] if ruled else totals
    wrong = next((one for one in totals if not _TOTAL.fullmatch(one)), None)
    if wrong is not None or len(totals) > 2:  # noqa: PLR2004 - a total of each
        raise _JuryLineError("unreadable", row, word=wrong or totals[2])
    if len(totals) < 2:  # noqa: PLR2004
        return PartialJuryLine(row, "totals")
    return CorrectResultLine(row, int(totals[0]), int(totals[1]), after_rulings=ruled)


def _parse_ruling(row: JuryGame, player: int | None, rest: Sequence[str], valid: Collection[str]) -> JuryIntent:
    last = rest[-1].casefold()
    right = len(rest) > 1 and last in valid
    ended = right or bool(_SCORE.fullmatch(last))
    words = tuple(rest[:-1] if ended else rest)
    unread = next((word for word in words if not is_possible_word(word)), None)
    if unread is not None:
        raise _make_word_error(row, player, words[: words.index(unread)], unread)
    if not words:
        raise _JuryLineError("word-missing", row, word=rest[0])
    words = tuple(map(extract_letters, words))
    if not ended:
        return LookUpWordsLine(row, words, player)
    if player is None:
        raise _JuryLineError("which-player", row, word=" ".join(words))
    return RuleWordLine(row, player, words, 0 if right else int(last), valid=right)


def _make_word_error(row: JuryGame, player: int | None, before: Sequence[str], unread: str) -> _JuryLineError:
    if unread.isdecimal() and not before:
        return _JuryLineError("word-missing", row, word=unread)
    if unread.isdecimal() and player is None:
        return _JuryLineError("which-player", row, word=" ".join(before).upper())
    return _JuryLineError("unreadable", row, word=unread)
