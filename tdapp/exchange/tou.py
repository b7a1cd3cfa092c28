"""Files of AUPAIR (`.tou`): divisions with pairings, starts and results.

    *M 21.11.2026 Open Leiden
    *A
                          431
    Ansen, Niels         2431 +3 1400  2
    ...
    *** END OF FILE ***

After the first line, each division has its name after a star, a line with the highest score, and a line for each
player. A player's line has 20 characters of name, then a block of 8 characters for each round (9 in a division
with more than 99 players). Lines end in CR LF.

A block is the player's score plus 2000 for a win or 1000 for a draw, then the opponent's number. If the player
starts, the number has a `+`. The player's own number marks a bye. In an empty block the player has no game or bye.

The score of a bye is 2000 plus the spread (usual bye) or 1000 plus the spread (requested bye). 0 is an absence.
Any other score is the spread of a forfeit.

A game without scores, or with 0 for both, is not played yet. Standings are ordered by wins, losses, spread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from msgspec import Struct

from tdapp.domain.entries import ByeEntry, DivisionEntry, EventEntry, GameEntry, PlayerEntry, RoundEntry
from tdapp.domain.errors import InputError
from tdapp.domain.model import ByeKind, StartDecision
from tdapp.exchange.text import (
    MAX_CELL,
    clean_text_to_one_line,
    decode_text,
    encode_as_latin_or_utf8,
    get_value_of_round,
    make_round_entry,
    split_lines,
)
from tdapp.exchange.tsh import ORDER
from tdapp.exchange.tsh_lines import MAX_ROUNDS

NAME_WIDTH = 20  # characters
END = "*** END OF FILE ***"
_WIN, _DRAW = 2000, 1000
_MOST_WITH_NARROW_BLOCKS = 99  # more players need blocks of 9
_MAX_PLAYERS = 999
_HEADER = re.compile(r"\*M ?([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})(?: (.*))?")
_BLOCK = re.compile(r" *(-?[0-9]{1,5})?( *\+ *| +)([0-9]{1,3})")


class _TouPlayerRound(Struct, frozen=True):
    encoded_score: int | None  # the score with 2000 added for a win, 1000 for a draw; None if missing
    opponent: int  # the player's own number for a bye
    starts: bool


class _TouPlayerLine(Struct, frozen=True):
    line: int
    name: str
    rounds_text: str


def is_tou_text(text: str) -> bool:
    return _HEADER.match(text.lstrip("\r\n")) is not None


def read_tou(data: bytes, source: str = "") -> EventEntry:
    lines = split_lines(decode_text(data, source))
    header_index = next((index for index, line in enumerate(lines) if line.strip()), 0)
    header = _HEADER.fullmatch(lines[header_index].rstrip())
    if header is None:
        raise InputError("tou-no-head", source=source, line=header_index + 1)
    day, month, year = (int(part) for part in header.groups()[:3])
    date = ""
    with suppress(ValueError):
        date = datetime(year, month, day).date().isoformat()
    divisions = tuple(_read_divisions(lines, header_index + 1, source))
    if not divisions:
        raise InputError("tou-no-players", source=source)
    codes = [item.code.casefold() for item in divisions]
    for item in divisions:
        if codes.count(item.code.casefold()) > 1:
            raise InputError("tou-division-twice", source=source, division=item.code)
    return EventEntry(divisions, name=clean_text_to_one_line(header[4] or "")[:MAX_CELL], date=date)


def _read_divisions(lines: Sequence[str], first: int, source: str) -> Iterator[DivisionEntry]:
    code, players = "", list[_TouPlayerLine]()
    is_high_word_line = False  # the next line is the one after a division's name
    for number, line in enumerate(lines[first:], first + 1):
        if line.startswith("*"):
            if players:
                yield _TouDivisionConverter(code, tuple(players), source).make_entry()
            code, players, is_high_word_line = clean_text_to_one_line(line[1:])[:MAX_CELL], [], True
            if line.startswith("***"):
                return
        elif is_high_word_line:
            is_high_word_line = False
        elif line.strip():
            players.append(_read_player_line(line, number, source))
    if players:
        yield _TouDivisionConverter(code, tuple(players), source).make_entry()


def _read_player_line(line: str, number: int, source: str) -> _TouPlayerLine:
    name = clean_text_to_one_line(line[:NAME_WIDTH])
    if not name:
        raise InputError("name-missing", source=source, line=number, field="name")
    return _TouPlayerLine(number, name, line[NAME_WIDTH:].rstrip())


class _TouDivisionConverter:
    def __init__(self, code: str, players: tuple[_TouPlayerLine, ...], source: str) -> None:
        self._code = code
        self._players = players
        self._source = source
        self._width = 8 if len(players) <= _MOST_WITH_NARROW_BLOCKS else 9

    def make_entry(self) -> DivisionEntry:
        if len(self._players) > _MAX_PLAYERS:
            line = self._players[_MAX_PLAYERS].line
            raise InputError("too-many-rows", source=self._source, line=line, most=_MAX_PLAYERS)
        cells = [self._parse_cells(player) for player in self._players]
        length = max(map(len, cells))
        rounds = [self._make_round(cells, number) for number in range(1, length + 1)]
        while rounds and not (rounds[-1].games or rounds[-1].byes):
            rounds.pop()
        players = tuple(
            PlayerEntry(number, player.name, line=player.line) for number, player in enumerate(self._players, 1)
        )
        return DivisionEntry(self._code, players, tuple(rounds), usual=ORDER, usual_byes=True)

    def _parse_cells(self, player: _TouPlayerLine) -> list[_TouPlayerRound | None]:
        width = self._width
        blocks = [player.rounds_text[start : start + width] for start in range(0, len(player.rounds_text), width)]
        if len(blocks) > MAX_ROUNDS:
            raise InputError("tsh-too-many-rounds", source=self._source, line=player.line, most=MAX_ROUNDS)
        return [self._parse_cell(player, block, number) for number, block in enumerate(blocks, 1)]

    def _parse_cell(self, player: _TouPlayerLine, block: str, number: int) -> _TouPlayerRound | None:
        if not block.strip():
            return None
        match = _BLOCK.fullmatch(block.rstrip())
        if match is None:
            raise self._make_error("tou-block", player, number, value=clean_text_to_one_line(block))
        opponent = int(match[3])
        if not 1 <= opponent <= len(self._players):
            raise self._make_error("tsh-no-such-player", player, number, opponent=opponent)
        return _TouPlayerRound(None if match[1] is None else int(match[1]), opponent, "+" in match[2])

    def _make_round(self, cells: Sequence[Sequence[_TouPlayerRound | None]], number: int) -> RoundEntry:
        row = [get_value_of_round(player_cells, number) for player_cells in cells]
        cells_by_position = {position: cell for position, cell in enumerate(row, 1) if cell is not None}
        opponents = [
            None if cell is None else 0 if cell.opponent == position else cell.opponent
            for position, cell in enumerate(row, 1)
        ]
        return make_round_entry(
            number,
            opponents,
            lambda position, opponent: self._make_game(
                position, cells_by_position[position], cells_by_position[opponent], number
            ),
            lambda position: _decode_bye(position, cells_by_position[position].encoded_score),
            lambda code, position, **facts: self._make_error(code, self._players[position - 1], number, **facts),
        )

    def _make_game(
        self, position: int, cell: _TouPlayerRound, opponent_cell: _TouPlayerRound, number: int
    ) -> GameEntry:
        player = self._players[position - 1]
        if cell.starts and opponent_cell.starts:
            raise self._make_error(
                "tsh-starts-differ", player, number, opponent=self._players[cell.opponent - 1].name
            )
        scores = self._read_pair_scores(player, cell, opponent_cell, number)
        if opponent_cell.starts:
            return GameEntry(None, cell.opponent, position, StartDecision.ASSIGNED, scores and scores[::-1])
        return GameEntry(
            None, position, cell.opponent, StartDecision.ASSIGNED if cell.starts else StartDecision.DRAW, scores
        )

    def _read_pair_scores(
        self, player: _TouPlayerLine, cell: _TouPlayerRound, opponent_cell: _TouPlayerRound, number: int
    ) -> tuple[int, int] | None:
        """Return both scores, None for an open game. Raises InputError if the two lines contradict each other."""
        if not cell.encoded_score and not opponent_cell.encoded_score:
            return None
        if cell.encoded_score is None or opponent_cell.encoded_score is None:
            raise self._make_error("tou-scores-differ", player, number)
        scores = _decode_scores_if_consistent(cell.encoded_score, opponent_cell.encoded_score)
        if scores is None:
            raise self._make_error("tou-scores-differ", player, number)
        return scores

    def _make_error(self, code: str, player: _TouPlayerLine, number: int, **facts: Any) -> InputError:
        error_facts: dict[str, Any] = {"player": player.name, "round": number, "field": "", **facts}
        return InputError(code, source=self._source, line=player.line, **error_facts)


def _decode_scores_if_consistent(first: int, second: int) -> tuple[int, int] | None:
    if first - _WIN > second:
        return first - _WIN, second
    if second - _WIN > first:
        return first, second - _WIN
    return (first - _DRAW, second - _DRAW) if first == second else None


def _decode_bye(position: int, encoded_score: int | None) -> ByeEntry:
    match encoded_score:
        case None:
            return ByeEntry(position, ByeKind.BYE, None)
        case 0:
            return ByeEntry(position, ByeKind.ABSENT, 0)
        case _ if encoded_score >= _WIN:
            return ByeEntry(position, ByeKind.BYE, encoded_score - _WIN)
        case _ if encoded_score >= _DRAW:
            return ByeEntry(position, ByeKind.REQUESTED, encoded_score - _DRAW)
    return ByeEntry(position, ByeKind.FORFEIT, -abs(encoded_score))


# --- writing -------------------------------------------------------------------------------------------


def encode_tou(*entries: DivisionEntry, event: str = "", date: str = "") -> bytes:
    """Return the divisions as an AUPAIR file. `date` must be ISO 8601. Names are cut to 20 characters."""
    iso = re.fullmatch("([0-9]{4})-([0-9]{2})-([0-9]{2})", date)
    day = f"{iso[3]}.{iso[2]}.{iso[1]}" if iso else "00.00.0000"
    lines = [
        f"*M {day} {clean_text_to_one_line(event)}".rstrip(),
        *(line for entry in entries for line in _format_division_lines(entry)),
        END,
    ]
    return encode_as_latin_or_utf8("".join(f"{line}\r\n" for line in lines))


def _format_division_lines(entry: DivisionEntry) -> list[str]:
    width = 8 if len(entry.players) <= _MOST_WITH_NARROW_BLOCKS else 9
    new_numbers = {player.number: position for position, player in enumerate(entry.players, 1)}
    blocks = _format_rounds_of_players(entry, new_numbers, width)
    highest_score = max(
        (score for item in entry.rounds for game in item.games for score in game.scores or ()), default=0
    )
    rows = zip(_make_short_names(entry.players), blocks, strict=True)
    return [
        f"*{clean_text_to_one_line(entry.code)}",
        f"{highest_score:>29}",
        *(f"{name:<{NAME_WIDTH}}{row}".rstrip() for name, row in rows),
    ]


def _make_short_names(players: Sequence[PlayerEntry]) -> list[str]:
    clean_names = [clean_text_to_one_line(player.name) for player in players]
    names = [f" {name}" if name.startswith("*") else name for name in clean_names]
    for index, name in enumerate(names):
        short_name = name[:NAME_WIDTH]
        earlier_names = [earlier_name[:NAME_WIDTH].strip().casefold() for earlier_name in names[:index]]
        if short_name.strip().casefold() in earlier_names:
            short_name = f"{name[: NAME_WIDTH - 4]} {index + 1:03}"
        names[index] = short_name
    return names


def _format_rounds_of_players(entry: DivisionEntry, new_numbers: dict[int | None, int], width: int) -> list[str]:
    length = max((item.number for item in entry.rounds), default=0)
    rows = [[" " * width] * length for _ in entry.players]
    for item in entry.rounds:
        for game in item.games:
            first_score, second_score = _encode_scores(game.scores)
            starts = game.start is not StartDecision.DRAW
            rows[new_numbers[game.first] - 1][item.number - 1] = _format_tou_cell(
                first_score, new_numbers[game.second], width, starts=starts
            )
            rows[new_numbers[game.second] - 1][item.number - 1] = _format_tou_cell(
                second_score, new_numbers[game.first], width
            )
        for bye in item.byes:
            rows[new_numbers[bye.player] - 1][item.number - 1] = _format_tou_cell(
                _encode_bye(bye), new_numbers[bye.player], width
            )
    return ["".join(row) for row in rows]


def _format_tou_cell(encoded_score: int | None, opponent: int, width: int, *, starts: bool = False) -> str:
    opponent_text = f"{'+' if starts else ''}{opponent}"
    return f"{'' if encoded_score is None else encoded_score:>5}{opponent_text:>{width - 5}}"


def _encode_scores(scores: tuple[int, int] | None) -> tuple[int | None, int | None]:
    if scores is None:
        return None, None
    first, second = scores
    if first == second:
        return first + _DRAW, second + _DRAW
    return (first + _WIN, second) if first > second else (first, second + _WIN)


def _encode_bye(bye: ByeEntry) -> int:
    spread = bye.spread or 0
    match bye.kind:
        case ByeKind.BYE:
            return _WIN + spread
        case ByeKind.REQUESTED:
            return _DRAW + spread
    return spread if bye.kind is ByeKind.FORFEIT else 0
