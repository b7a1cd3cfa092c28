"""Reads and writes one turn of a score sheet as one line of text.

The parts of a play are in the order of the paper form. At least one is needed:

 8D TAART 20 143     square, word, score, running total; `=143` is a total without a score
 20 143              only a score and a total
 8D XYZ --           withdrawn, the turn is lost (`--` alone if the word was not noted)
 -                   a pass
 -3   -ABC           an exchange; `-0` if the number is unknown
 /    /2             a wrong challenge by this player, of one or two words; it is no turn
 / !                 a wrong challenge, entered although the program questioned it
 #                   a turn lost by a sanction

These may follow: `!` (ruled wrong; `!2`: two wrong words), `@AERT` (the rack before the turn) and `~XYZ` (this
turn replaces the withdrawn play XYZ). A word in lower case only is read as capitals. Otherwise a lower-case
letter, or a letter followed by `*`, is a blank. Letters already on the board are `.`, `(A)` or `A`.
"""

from __future__ import annotations

import re
import unicodedata

from msgspec.structs import replace

from tdapp.scrabble import coordinates
from tdapp.scrabble.coordinates import SquareNotation
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.sheet import Ruling, Turn, TurnKind

MAX_TILES, MAX_WORDS, MAX_POINTS = 7, 8, 9_999
_DASHES = str.maketrans("–—−‐‑", "-----")  # noqa: RUF001 - as keyboards and files have them
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")
_TOTAL = re.compile(r"=[+-]?[0-9]{1,6}")
_COUNT_TOKEN = re.compile(r"[/!]([0-9]{0,6})")
_PHONY_MARK = re.compile(r"(?=![0-9]*(?:\s|$))")  # it may follow without a space
_TILE = re.compile(r"\[[^\[\]\s]+\]|[^\W\d_]|\?")
_WORD = re.compile(r"(?:[^\W\d_]|[.()\[\]*])+")
_STARRED_LETTER = re.compile(r"(\[[^\[\]]+\]|[^\W\d_])\*")
_NO_WORD = "_"
_WITHDRAWN_MARK = "--"
_CONTESTABLE = frozenset({TurnKind.PLAY, TurnKind.EXCHANGE, TurnKind.PASS})


def parse_turn_line(text: str, *, player: int, convention: SquareNotation = SquareNotation.NUMBERED_ROWS) -> Turn:
    """Return the turn that `text` describes. Convert its square from `convention` to NUMBERED_ROWS."""
    body, separator, contested = unicodedata.normalize("NFC", text).partition("~")
    tokens = _PHONY_MARK.sub(" ", body.translate(_DASHES)).split()
    if not tokens:
        raise ScrabbleError("turn-empty")
    turn, other_parts = _read_turn_kind_from_first_token(Turn(player, TurnKind.PLAY), tokens, convention)
    for token in other_parts:
        turn = _add_token_to_turn(turn, token)
    if turn.word == _NO_WORD:
        turn = replace(turn, word=None)
    if turn.at and not turn.word:
        raise ScrabbleError("turn-without-word", tokens[0])
    if turn.kind is TurnKind.PLAY and turn.word is None and turn.score is None:
        raise ScrabbleError("turn-unreadable", body.strip())
    if turn.ruling and turn.kind is not TurnKind.PLAY:
        raise ScrabbleError("turn-mark", "!")
    if separator and turn.kind not in _CONTESTABLE:
        raise ScrabbleError("turn-mark", "~")
    return replace(turn, contested=contested.strip() if separator else None)


def _read_turn_kind_from_first_token(
    turn: Turn, tokens: list[str], convention: SquareNotation
) -> tuple[Turn, list[str]]:
    first_part, other_parts = tokens[0], tokens[1:]
    if first_part == "-":
        return replace(turn, kind=TurnKind.PASS), other_parts
    if first_part == "#":
        return replace(turn, kind=TurnKind.LOST_TURN), other_parts
    if first_part.startswith("/"):
        return replace(turn, kind=TurnKind.FAILED_CHALLENGE, words=_read_word_count(first_part)), other_parts
    if first_part.startswith("-") and first_part != _WITHDRAWN_MARK:
        return replace(turn, kind=TurnKind.EXCHANGE, tiles=_count_exchanged_tiles(first_part[1:])), other_parts
    if any(map(str.isdecimal, first_part)) and any(map(str.isalpha, first_part)):
        square = coordinates.format_square_notation(coordinates.parse_square_notation(first_part, convention))
        return replace(turn, at=square), other_parts
    return turn, tokens


def _add_token_to_turn(turn: Turn, token: str) -> Turn:  # noqa: PLR0911 - a line for each word
    if _NUMBER.fullmatch(token) and turn.total is None:
        points = _read_points(token)
        return replace(turn, score=points) if turn.score is None else replace(turn, total=points)
    if _TOTAL.fullmatch(token) and turn.total is None:
        return replace(turn, total=_read_points(token[1:]))
    if token.startswith("!") and turn.ruling is None:
        if turn.kind is TurnKind.FAILED_CHALLENGE and len(token) == 1:
            return replace(turn, confirmed=True)
        return replace(turn, ruling=Ruling.PHONY, wrong_words=_read_word_count(token))
    if token.startswith("@") and turn.rack is None and len(token) > 1:
        return replace(turn, rack=token[1:])
    if turn.kind is TurnKind.PLAY and token == _WITHDRAWN_MARK:
        return replace(turn, kind=TurnKind.WITHDRAWN)
    can_word_follow = turn.kind is TurnKind.PLAY and turn.word is None and turn.score is None
    if can_word_follow and (token == _NO_WORD or _WORD.fullmatch(token)):
        return replace(turn, word=_format_blanks_in_lower_case(token))
    raise ScrabbleError("turn-unreadable", token)


def _read_points(token: str) -> int:
    points = int(token)
    if abs(points) > MAX_POINTS:
        raise ScrabbleError("turn-points", token)
    return points


def _read_word_count(token: str) -> int:
    match = _COUNT_TOKEN.fullmatch(token)
    if match is None:
        raise ScrabbleError("turn-unreadable", token)
    count = int(match[1] or 1)
    if not 1 <= count <= MAX_WORDS:
        raise ScrabbleError("turn-words", token)
    return count


def _count_exchanged_tiles(text: str) -> int | None:
    count = int(text) if text.isdecimal() else len(_TILE.findall(text))
    if not text.isdecimal() and _TILE.sub("", text):
        raise ScrabbleError("turn-unreadable", f"-{text}")
    if count > MAX_TILES:
        raise ScrabbleError("turn-tiles", text)
    return count or None


def _format_blanks_in_lower_case(word: str) -> str:
    if not any(map(str.isupper, _STARRED_LETTER.sub("", word))):
        word = word.upper()
    word = word.replace("ß", "SS").replace("ẞ", "SS")
    blanks = _STARRED_LETTER.sub(lambda match: match[1].lower(), word)
    if "*" in blanks:
        raise ScrabbleError("turn-unreadable", word)
    return blanks


def format_turn_line(turn: Turn, convention: SquareNotation = SquareNotation.NUMBERED_ROWS) -> str:
    """Return a turn as a line of text. An unreadable square stays as it is."""
    parts = [*_format_turn_parts(turn, convention), *_format_score_and_total(turn)]
    if turn.confirmed:
        parts.append("!")
    if turn.ruling is Ruling.PHONY:
        parts.append("!" if turn.wrong_words == 1 else f"!{turn.wrong_words}")
    if turn.rack:
        parts.append("@" + "".join(turn.rack.split()))
    if turn.contested is not None:
        parts.append(f"~{turn.contested}")
    return " ".join(parts)


def _format_turn_parts(turn: Turn, convention: SquareNotation) -> list[str]:
    match turn.kind:
        case TurnKind.PASS:
            return ["-"]
        case TurnKind.EXCHANGE:
            return [f"-{turn.tiles or 0}"]
        case TurnKind.LOST_TURN:
            return ["#"]
        case TurnKind.FAILED_CHALLENGE:
            return ["/" if turn.words == 1 else f"/{turn.words}"]
    parts = [convert_square_notation(turn.at, convention)] if turn.at else []
    if turn.word:
        parts.append(_format_word_with_stars_after_blanks(turn.word))
    elif turn.kind is TurnKind.PLAY and turn.score is not None and turn.score < 0:
        parts.append(_NO_WORD)  # otherwise it is an exchange
    if turn.kind is TurnKind.WITHDRAWN:
        parts.append(_WITHDRAWN_MARK)
    return parts


def _format_score_and_total(turn: Turn) -> list[str]:
    if turn.score is None:
        return [] if turn.total is None else [f"={turn.total}"]
    return [str(turn.score)] + ([] if turn.total is None else [str(turn.total)])


def convert_square_notation(square: str, convention: SquareNotation) -> str:
    try:
        return coordinates.format_square_notation(coordinates.parse_square_notation(square), convention)
    except ScrabbleError:
        return square


def _format_word_with_stars_after_blanks(word: str) -> str:
    word = "".join(word.split())
    if any(map(str.isupper, _STARRED_LETTER.sub("", word))):
        return word
    tiles = re.sub(r"(\[[^\[\]]+\]|[^\W\d_])\*?", lambda match: f"{match[1].upper()}*", word)
    return tiles if any(map(str.islower, word)) else word
