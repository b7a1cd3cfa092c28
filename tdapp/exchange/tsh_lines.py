r"""Syntax of the lines in a tsh division file (`.t`).

Semicolons separate the fields of a player's line. The first field has name, rating and opponents, the second the
scores. Each other field has a key with values. `00` is a round without an opponent. `\;` and `\\` are escapes.
Lines that begin with `#` are comments.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from tdapp.domain.errors import InputError
from tdapp.exchange.text import MAX_CELL, MAX_ROWS, clean_text_to_one_line, split_lines

MAX_ROUNDS = 100
_MAX_LINE = 50_000  # characters; 100 rounds with all that tsh knows are a fifth of this
NAME_WIDTH = 22

_PIECE = re.compile(r"\\[;\\]|;|[^;\\]+|\\")
_WORD = re.compile(r"[^ \t]+")
_RATING = re.compile(r"[0-9]+(?:[.+][0-9]+)*")
_ROSTER = re.compile(r"[^;\t]*[^\W\d_]{2}[^;\t]*[^;,\t ] +[0-9]{1,4}(?:\+[0-9]+)*")
_MEMBER = re.compile(r"(.*[^ ].*):([^: ]*)")
_OPPONENT = re.compile(r"[0-9]{1,5}")
_SCORE = re.compile(r"[+-]?[0-9]{1,5}")


class TshPlayerLine(Struct, frozen=True):
    """The content of a player's line."""

    line: int
    name: str
    member: str
    rating: int
    opponents: tuple[int | None, ...]  # by round; None for a round without an entry
    scores: tuple[int | None, ...]  # by round; None if missing
    keys: Mapping[str, tuple[str, ...]]
    has_compound_rating: bool = False  # the rating had further parts, now omitted
    repeated_keys: tuple[str, ...] = ()  # repeated keys; `keys` has their last values


class TshComment(Struct, frozen=True):
    """A comment with a key: `#key value ...`."""

    line: int
    key: str
    values: tuple[str, ...]


class TshDivisionLines(Struct, frozen=True):
    """The player lines of a division file, and its comments of the form `#key value`, in file order."""

    player_lines: tuple[TshPlayerLine, ...]
    comments: tuple[TshComment, ...]


def parse_division_lines(text: str, source: str) -> TshDivisionLines:
    player_lines: list[TshPlayerLine] = []
    comments: list[TshComment] = []
    for number, line in enumerate(split_lines(text), 1):
        if len(line) > _MAX_LINE:
            raise InputError("too-long", source=source, line=number, most=_MAX_LINE)
        if line.startswith("#"):
            if words := line[1:].split():
                comments.append(TshComment(number, words[0], tuple(words[1:])))
        elif line.strip(" \t\f"):
            player_lines.append(_parse_player_line(line, number, source))
        if max(len(player_lines), len(comments)) > MAX_ROWS:
            raise InputError("too-many-rows", source=source, line=number, most=MAX_ROWS)
    if not player_lines:
        raise InputError("tsh-no-players", source=source)
    return TshDivisionLines(tuple(player_lines), tuple(comments))


def is_player_line(line: str) -> bool:
    first_field, *other_fields = _split_fields(line[:_MAX_LINE])
    words = first_field.split()
    return (
        bool(other_fields and words)
        and not line.startswith("#")
        and _RATING.fullmatch(words[-1]) is not None
        and all(_SCORE.fullmatch(word) for word in other_fields[0].split())
        and not all(_RATING.fullmatch(word) for word in words)
    )


def is_roster(lines: Iterable[str]) -> bool:
    """Return whether all lines have only a name and a rating, as in a division file before round 1."""
    texts = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return bool(texts) and all(_ROSTER.fullmatch(text) for text in texts)


def _parse_player_line(line: str, number: int, source: str) -> TshPlayerLine:
    first_field, *other_fields = _split_fields(line.replace("\f", " "))
    words = list(_WORD.finditer(first_field))
    rating_index = _find_rating_index(words)
    if rating_index is None:
        raise InputError("tsh-rating-missing", source=source, line=number, field="rating")
    name = clean_text_to_one_line(" ".join(word[0] for word in words[:rating_index]))
    if not name:
        raise InputError("name-missing", source=source, line=number, field="name")
    if len(name) > MAX_CELL:
        raise InputError("too-long", source=source, line=number, field="name", most=MAX_CELL)
    member = _MEMBER.fullmatch(name)
    rating = re.split("[.+]", words[rating_index][0])
    opponents = [word[0] for word in words[rating_index + 1 :]]
    key_fields = [key_words for key_words in map(str.split, other_fields[1:]) if key_words]
    key_counts = Counter(key_words[0] for key_words in key_fields)
    if len(opponents) > MAX_ROUNDS:
        raise InputError("tsh-too-many-rounds", source=source, line=number, most=MAX_ROUNDS)
    return TshPlayerLine(
        line=number,
        name=member[1].strip() if member else name,
        member=member[2] if member else "",
        rating=_parse_number(rating[0], _OPPONENT, "rating", source, number) or 0,
        opponents=tuple(_parse_number(word, _OPPONENT, "opponent", source, number) for word in opponents),
        scores=tuple(
            _parse_number(word, _SCORE, "points", source, number)
            for word in (other_fields[0].split() if other_fields else ())
        ),
        keys={key_words[0]: tuple(key_words[1:]) for key_words in key_fields},
        has_compound_rating=len(rating) > 1,
        repeated_keys=tuple(key for key, count in key_counts.items() if count > 1),
    )


def _split_fields(line: str) -> list[str]:
    fields: list[list[str]] = [[]]
    for piece in _PIECE.findall(line):
        if piece == ";":
            fields.append([])
        else:
            fields[-1].append(piece[1:] if piece in {r"\;", r"\\"} else piece)
    return ["".join(pieces) for pieces in fields]


def _find_rating_index(words: list[re.Match[str]]) -> int | None:
    """Return the index of the rating, None if the line has none.

    A name can end with a number too. If the name is padded to NAME_WIDTH, the next number is the rating. Otherwise
    the rating is the first number after the last word.
    """
    first = len(words)
    while first and _RATING.fullmatch(words[first - 1][0]):
        first -= 1
    for index in range(first, len(words)):
        if index and words[index - 1].end() < NAME_WIDTH < words[index].start():
            return index
    return first if first < len(words) else None


def _parse_number(word: str, form: re.Pattern[str], field: str, source: str, line: int) -> int | None:
    if not form.fullmatch(word):
        raise InputError("tsh-number-invalid", source=source, line=line, field=field, value=word[:MAX_CELL])
    return None if word == "00" else int(word)


def format_player_line(player_line: TshPlayerLine) -> str:
    """Return a player's line. The name is padded to 22 characters and the keys are sorted."""
    opponents, scores = (
        " ".join("00" if number is None else str(number) for number in numbers)
        for numbers in (player_line.opponents, player_line.scores)
    )
    first_field = (
        f"{_format_name_with_member_id(player_line):<{NAME_WIDTH}} {player_line.rating:>4} {opponents}".rstrip()
    )
    keys = (" ".join([key, *values]) for key, values in sorted(player_line.keys.items()))
    return "; ".join(field.replace("\\", "\\\\").replace(";", "\\;") for field in (first_field, scores, *keys))


def _format_name_with_member_id(player_line: TshPlayerLine) -> str:
    has_number_at_end = _RATING.fullmatch(player_line.name.rsplit(" ", 1)[-1])
    is_ambiguous = _MEMBER.fullmatch(player_line.name) or (
        has_number_at_end and len(player_line.name) >= NAME_WIDTH - 1
    )
    name = f"{player_line.name}:{player_line.member}" if player_line.member or is_ambiguous else player_line.name
    return f" {name}" if name.startswith("#") else name
