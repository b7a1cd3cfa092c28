"""Tournament report files of FIDE, TRF16 and TRF26: a chess tournament with pairings, results and byes.

The columns are from the FIDE Handbook C.04, annex 2, and its version of 2026. Special terms:

* White is the player who starts. Results are `1`, `=`, `0`, or `W`, `D`, `L` for unrated games. A game without a
  result is scheduled. `+` without a game is a bye. `-` is a forfeit. A loss of both players is also a forfeit.
* Byes: U (unpaired) and F (full point) are byes, H (half a point) is a requested bye, Z is an absence.
  They count as in chess, even if the rules of the tournament differ.
  A line 240 (or XXZ) for a future round is an absence. An absence until the last round is a withdrawal.
* The federation is read as the country. A national line (NED, NOR, ...) has the member number, and the rating of
  a player without a FIDE rating.

The format has no scores of games. Without tdapp comments a win is read as 1-0, a draw as 1-1. Other data of a
division are JSON in comments, which other programs skip. Examples:

    ### tdapp division {"order": ["wins", "spread"]}     fields of `DivisionEntry`
    ### tdapp 12 {"club": "Leiden", "points": [412, null, 50], "tables": [3, 0, 1]}     fields of `PlayerEntry`,
                                             and for each round the points (of a bye: the spread) and the table

Teams, titles, arbiters, times and pairing systems are skipped and reported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.entries import (
    AbsenceEntry,
    ByeEntry,
    DivisionEntry,
    EventEntry,
    GameEntry,
    PlayerEntry,
    PlayerWithWrongTotal,
    RankFromFile,
    RoundEntry,
)
from tdapp.domain.errors import InputError
from tdapp.domain.model import ByeKind, GameSide, StartDecision
from tdapp.domain.serialization import InvalidDocumentError, convert_to_builtins, make_decoder
from tdapp.exchange import tsh
from tdapp.exchange.text import (
    MAX_CELL,
    MAX_ROWS,
    clean_text_to_one_line,
    decode_text,
    get_value_of_round,
    make_round_entry,
    parse_json,
    split_lines,
)
from tdapp.exchange.tsh_lines import MAX_ROUNDS

_HIGHEST_NUMBER = 9999  # the highest number of a player
_FIRST_LINE = re.compile(r"(?:[0-9]{3}|XX[A-Z]|###)(?: |$)")
_KNOWN_LINE = re.compile(r"^(?:001 [ 0-9]{3}[0-9] |012 )", re.MULTILINE)
_NATIONAL = re.compile(r"(?!XX)[A-Z]{3} ([ 0-9]{3}[0-9]) ")
_ABSENCE_RECORD = re.compile(r"240 ([FHZfhz]) +([0-9]{1,3})((?: +[0-9]{1,4})*) *|XXZ()()((?: +[0-9]{1,4})*) *")
_TDAPP_COMMENT = re.compile(r"### tdapp (division|[0-9]{1,4}) (\{.*\}) *")
_CELL = re.compile(r"  ( *[0-9]*) ([wb -]) ([-+01=wdlhfuz ]) *", re.IGNORECASE)
_TOTAL = re.compile(r"[0-9]{1,3}(?:\.[05])?")
_TEXT_TAGS = ("012", "022", "042", "142", "XXR")
_IGNORED_TAGS = {"", "###", "062", "072", "132", "152"}  # computed again or ignored
_ROUNDS_START = 89  # characters before the first round
_ROUND_WIDTH = 10  # width of a round
_DROPPED_COLUMNS = (("sex", 10, 10), ("title", 11, 13), ("date of birth", 70, 79))
_DIVISION_FIELDS = {"code", "order", "spread_caps", "absences"}
_RESULTS = {"10": (1, 0), "wl": (1, 0), "01": (0, 1), "lw": (0, 1), "==": (1, 1), "dd": (1, 1)}
_FORFEITS = {"+-", "-+", "--", "00", "ll", "-0", "0-"}
_RESULTS_OF_FORFEITS = {GameSide.FIRST: "-+", GameSide.SECOND: "+-", GameSide.BOTH: "--"}
_BYES = {"u": ByeKind.BYE, "f": ByeKind.BYE, "+": ByeKind.BYE, "h": ByeKind.REQUESTED, "-": ByeKind.FORFEIT}
_BYE_LETTERS = {ByeKind.BYE: "U", ByeKind.REQUESTED: "H", ByeKind.ABSENT: "Z", ByeKind.FORFEIT: "-"}
_HALF_POINTS = {"1": 2, "w": 2, "+": 2, "u": 2, "f": 2, "=": 1, "d": 1, "h": 1}  # results in half points


class _TrfPlayerRound(Struct, frozen=True):
    opponent: int  # number; 0 without opponent
    colour: str
    result: str  # in lower case


class _TrfPlayer(Struct):
    entry: PlayerEntry
    cells: list[_TrfPlayerRound | None] = field(default_factory=list)
    points: Sequence[int | None] = ()
    tables: Sequence[int | None] = ()
    rank: int | None = None
    total: int | None = None  # in half points


def is_trf(text: str) -> bool:
    return _FIRST_LINE.match(text.lstrip("\r\n")) is not None and _KNOWN_LINE.search(text) is not None


def read_trf(data: bytes, source: str = "") -> EventEntry:
    file = _TrfReader(source)
    for number, line in enumerate(split_lines(decode_text(data, source)), 1):
        file.read_line(number, line)
    return file.make_event()


class _TrfReader(Struct):
    source: str
    texts: dict[str, str] = field(default_factory=dict)
    players: dict[int, _TrfPlayer] = field(default_factory=dict)
    absences: list[tuple[int, int, ByeKind]] = field(default_factory=list)  # player, round (0: the next), kind
    division_values: dict[str, Any] = field(default_factory=dict)
    dropped_lines: list[tuple[int, str]] = field(default_factory=list)
    dropped_columns: set[str] = field(default_factory=set)

    def read_line(self, number: int, line: str) -> None:
        tag, national = line[:3].rstrip(), _NATIONAL.match(line)
        if tag == "001":
            self._read_player(number, line.ljust(_ROUNDS_START))
        elif line.startswith("### tdapp "):
            self._read_comment(number, line)
        elif tag in _TEXT_TAGS:
            self.texts[tag] = clean_text_to_one_line(line[4:])[:200]
        elif tag in {"240", "XXZ"}:
            self._read_absence_record(number, line)
        elif national and int(national[1]) in self.players:
            player = self.players[int(national[1])]
            rating = (
                player.entry.rating or self._read_whole_number(number, line.ljust(_ROUNDS_START), 49, 52) or None
            )
            player.entry = replace(player.entry, rating=rating, member=clean_text_to_one_line(line[57:68]))
        elif tag not in _IGNORED_TAGS:
            self.dropped_lines.append((number, clean_text_to_one_line(line)[:MAX_CELL]))
        if max(len(self.dropped_lines), len(self.players)) > MAX_ROWS:
            raise InputError("too-many-rows", source=self.source, line=number, most=MAX_ROWS)

    def make_event(self) -> EventEntry:
        if not self.players:
            raise InputError("tsh-no-players", source=self.source)
        players = [self.players[number] for number in sorted(self.players)]
        length = max(len(player.cells) for player in players)
        rounds = [self._make_round(players, number) for number in range(1, length + 1)]
        round_text = self.texts.get("142") or self.texts.get("XXR", "")
        planned_rounds = int(round_text) if re.fullmatch("[0-9]{1,2}|100", round_text) else 0
        division = DivisionEntry(
            "",
            tuple(player.entry for player in players),
            tuple(rounds),
            tuple(self._list_future_absences(length, planned_rounds)),
            dropped=tuple(sorted(self.dropped_columns)),
            usual=("wins",),
            ranks=tuple(
                RankFromFile(player.entry.number or 0, length, player.rank) for player in players if player.rank
            ),
            made_up=length > 0 and not any(player.points for player in players),
            totals=tuple(_find_wrong_totals(players)),
            usual_byes=True,
        )
        return EventEntry(
            (replace(division, **self.division_values),),
            name=self.texts.get("012", ""),
            place=self.texts.get("022", ""),
            date=self.texts.get("042", "").replace("/", "-"),
            rounds=planned_rounds,
            dropped=tuple(self.dropped_lines),
        )

    # --- lines ---------------------------------------------------------------------------------------

    def _read_player(self, number: int, line: str) -> None:
        player_number = self._read_whole_number(number, line, 5, 8)
        if not player_number or player_number in self.players:
            raise self._make_column_error(number, line, 5, 8)
        name, rating = clean_text_to_one_line(line[14:47]), self._read_whole_number(number, line, 49, 52) or None
        if not name:
            raise InputError("name-missing", source=self.source, line=number, field="name")
        entry = PlayerEntry(
            player_number,
            name,
            rating,
            country=clean_text_to_one_line(line[53:56]),
            fide=clean_text_to_one_line(line[57:68]),
            line=number,
        )
        self.dropped_columns |= {key for key, first, last in _DROPPED_COLUMNS if line[first - 1 : last].strip()}
        self.players[player_number] = _TrfPlayer(
            entry,
            rank=int(rank) if (rank := line[85:89].strip()).isdecimal() else None,
            total=int(2 * float(total))
            if _TOTAL.fullmatch(total := line[80:84].strip().replace(",", "."))
            else None,
        )
        blocks = range(_ROUNDS_START, len(line.rstrip()), _ROUND_WIDTH)
        if len(blocks) > MAX_ROUNDS:
            raise InputError("tsh-too-many-rounds", source=self.source, line=number, most=MAX_ROUNDS)
        self.players[player_number].cells = [self._read_round_cell(number, line, start) for start in blocks]

    def _read_round_cell(self, number: int, line: str, start: int) -> _TrfPlayerRound | None:
        block = line[start : start + _ROUND_WIDTH].ljust(_ROUND_WIDTH)
        if not block.strip():
            return None
        match = _CELL.fullmatch(block)
        if match is None or len(match[1]) != 4:  # noqa: PLR2004 - the digits of a number
            raise self._make_column_error(number, line, start + 3, start + _ROUND_WIDTH)
        return _TrfPlayerRound(int(match[1].strip() or 0), match[2].lower(), match[3].lower())

    def _read_absence_record(self, number: int, line: str) -> None:
        match = _ABSENCE_RECORD.fullmatch(line)
        if match is None:
            raise self._make_column_error(number, line, 5, len(line))
        kind = _BYES.get((match[1] or "Z").lower(), ByeKind.ABSENT)
        for player_number in map(int, (match[3] or match[6] or "").split()):
            if player_number not in self.players and self.players:
                raise self._make_column_error(number, line, 5, len(line))
            self.absences.append((player_number, int(match[2] or 0), kind))

    def _read_whole_number(self, number: int, line: str, first: int, last: int) -> int | None:
        text = line[first - 1 : last].strip()
        if text and not re.fullmatch("[0-9]+", text):
            raise self._make_column_error(number, line, first, last)
        return int(text) if text else None

    def _make_column_error(self, number: int, line: str, first: int, last: int) -> InputError:
        value = clean_text_to_one_line(line[first - 1 : last])[:MAX_CELL]
        return InputError("trf-column", source=self.source, line=number, column=first, value=value)

    def _read_comment(self, number: int, line: str) -> None:
        match = _TDAPP_COMMENT.fullmatch(line)
        target, text = match.groups() if match else ("0", "{}")
        try:
            values: dict[str, Any] = dict(parse_json(text, self.source))  # type: ignore[call-overload]
            if target == "division":
                self._read_division_comment(values)
            else:
                _read_player_comment(self.players[int(target)], values)
        except (InputError, InvalidDocumentError, ValueError, KeyError) as error:
            raise InputError("tsh-comment-invalid", source=self.source, line=number, field="tdapp") from error

    def _read_division_comment(self, values: dict[str, Any]) -> None:
        entry = make_decoder(DivisionEntry)({"code": "", "players": [], **values})
        absent_players = {absence.player for absence in entry.absences}
        if not {*values} <= _DIVISION_FIELDS or not absent_players <= {*self.players}:
            raise ValueError(values)
        self.division_values = {
            key: clean_text_to_one_line(value) if isinstance(value := getattr(entry, key), str) else value
            for key in values
        }

    # --- rounds --------------------------------------------------------------------------------------

    def _make_round(self, players: Sequence[_TrfPlayer], number: int) -> RoundEntry:
        row = [get_value_of_round(player.cells, number) for player in players]
        cells_by_position = {position: cell for position, cell in enumerate(row, 1) if cell is not None}
        positions = {player.entry.number: position for position, player in enumerate(players, 1)} | {0: 0}
        opponents = [None if cell is None else positions.get(cell.opponent, len(players) + 1) for cell in row]

        def make_error(code: str, position: int, **facts: Any) -> InputError:
            return self._make_error(
                code, players[position - 1], number, **{**facts, "opponent": cells_by_position[position].opponent}
            )

        def make_bye(position: int) -> ByeEntry:
            result, player = cells_by_position[position].result, players[position - 1]
            if result in {*"01=wdl"}:
                raise self._make_error("trf-no-opponent", player, number)
            return _make_bye(player, _BYES.get(result, ByeKind.ABSENT), number)

        def make_game(position: int, other_position: int) -> GameEntry:
            return self._make_game(
                (players[position - 1], players[other_position - 1]),
                (cells_by_position[position], cells_by_position[other_position]),
                number,
            )

        return make_round_entry(number, opponents, make_game, make_bye, make_error)

    def _make_game(
        self, pair: tuple[_TrfPlayer, _TrfPlayer], cells: tuple[_TrfPlayerRound, _TrfPlayerRound], number: int
    ) -> GameEntry:
        (player, opponent), (cell, opponent_cell) = pair, cells
        name, results = opponent.entry.name, cell.result + opponent_cell.result
        if results in _FORFEITS:
            loser = {"+-": GameSide.SECOND, "-+": GameSide.FIRST}.get(results, GameSide.BOTH)
            return _make_game_entry(pair, cells, None, get_value_of_round(player.tables, number) or None, loser)
        if results not in {*_RESULTS, "  "}:
            raise self._make_error("trf-results-differ", player, number, opponent=name)
        if cell.colour == opponent_cell.colour != "-":
            raise self._make_error("tsh-starts-differ", player, number, opponent=name)
        scores = _RESULTS.get(results)
        first, second = get_value_of_round(player.points, number), get_value_of_round(opponent.points, number)
        if scores is not None and first is not None and second is not None:
            if _compare_scores(first, second) != _compare_scores(*scores):
                raise self._make_error("trf-points-differ", player, number, opponent=name)
            scores = first, second
        return _make_game_entry(pair, cells, scores, get_value_of_round(player.tables, number) or None)

    def _make_error(self, code: str, player: _TrfPlayer, number: int, **facts: Any) -> InputError:
        error_facts = {"player": player.entry.name, "round": number, **facts}
        return InputError(code, source=self.source, line=player.entry.line, **error_facts)

    def _list_future_absences(self, last_round: int, planned_rounds: int) -> Iterator[AbsenceEntry]:
        kinds = {
            (player, number or last_round + 1): kind
            for player, number, kind in self.absences
            if player in self.players
        }
        future_kinds = {key: kind for key, kind in sorted(kinds.items()) if key[1] > last_round}
        for (player, first), kind in future_kinds.items():
            if future_kinds.get((player, first - 1)) is kind:
                continue
            last = first
            while future_kinds.get((player, last + 1)) is kind:
                last += 1
            yield AbsenceEntry(player, first, None if last == planned_rounds else last, kind)


def _compare_scores(first: int | None, second: int | None) -> int:
    return ((first or 0) > (second or 0)) - ((first or 0) < (second or 0))


def _make_bye(player: _TrfPlayer, kind: ByeKind, number: int) -> ByeEntry:
    return ByeEntry(player.entry.number or 0, kind, get_value_of_round(player.points, number))


def _make_game_entry(
    pair: Sequence[_TrfPlayer],
    cells: Sequence[_TrfPlayerRound],
    scores: Any,
    table: int | None,
    forfeit: GameSide | None = None,
) -> GameEntry:
    first, second = (player.entry.number or 0 for player in pair)
    if cells[0].colour == "b" or cells[1].colour == "w":
        return GameEntry(
            table, second, first, StartDecision.ASSIGNED, scores and scores[::-1], forfeit and forfeit.swapped
        )
    start = StartDecision.ASSIGNED if cells[0].colour == "w" or cells[1].colour == "b" else StartDecision.DRAW
    return GameEntry(table, first, second, start, scores, forfeit)


def _find_wrong_totals(players: Sequence[_TrfPlayer]) -> Iterator[PlayerWithWrongTotal]:
    """Yield players whose stated total differs from the sum of their rounds, unless all totals are 0."""
    for player in players if any(player.total for player in players) else ():
        half_points = sum(_HALF_POINTS.get(cell.result, 0) for cell in player.cells if cell is not None)
        if player.total not in {None, half_points}:
            yield PlayerWithWrongTotal(player.entry.name, player.entry.line, player.total or 0, half_points)


def _read_player_comment(player: _TrfPlayer, comment: dict[str, Any]) -> None:
    for key in ("points", "tables"):
        values = comment.pop(key, [])
        if not isinstance(values, list) or not all(value is None or type(value) is int for value in values):
            raise ValueError(key)
        setattr(player, key, values)
    texts = {
        key: clean_text_to_one_line(value) if isinstance(value, str) else value for key, value in comment.items()
    }
    fixed_fields = {"number": player.entry.number, "line": player.entry.line}
    player.entry = make_decoder(PlayerEntry)({**convert_to_builtins(player.entry), **texts, **fixed_fields})


# --- writing -------------------------------------------------------------------------------------------


def encode_trf(event: EventEntry, ranks: Mapping[int, int], version: Literal[16, 26] = 26) -> bytes:
    """Return an event as a report file. `ranks` maps player numbers to ranks.

    If a number is above 9999, number all players by position. Omit a date if it is not in ISO 8601.
    """
    [entry] = event.divisions
    if any((player.number or 0) > _HIGHEST_NUMBER for player in entry.players):
        entry = tsh.renumber_players(entry)
    rows = _make_player_round_cells(entry)
    lines = [*_format_header_lines(event, entry, version)]
    lines += [_format_player_line(player, rows[player.number or 0], ranks) for player in entry.players]
    lines += _format_future_bye_lines(event, entry, version)
    reread_entry = read_trf("\n".join(lines).encode()).divisions[0] if entry.players else entry
    return "".join(
        f"{line}\r\n" for line in [*lines, *_format_comments_that_keep_lost_data(entry, reread_entry, rows)]
    ).encode()


class _TrfPlayerRoundToWrite(Struct, frozen=True):
    opponent: int | None
    colour: str
    result: str
    points: int | None
    table: int = 0

    def __str__(self) -> str:
        opponent = "0000" if self.opponent is None else f"{self.opponent:>4}"
        return f"  {opponent} {self.colour} {self.result}"


_Rows = Mapping[int, Mapping[int, _TrfPlayerRoundToWrite]]  # by player and round


def _make_player_round_cells(entry: DivisionEntry) -> _Rows:
    rows: dict[int, dict[int, _TrfPlayerRoundToWrite]] = {player.number or 0: {} for player in entry.players}
    for item in entry.rounds:
        for game in item.games:
            first, second = game.scores or (None, None)
            results = {0: "==", 1: "10", -1: "01"}[_compare_scores(first, second)] if game.scores else "  "
            results = _RESULTS_OF_FORFEITS[game.forfeit] if game.forfeit else results
            colours = "--" if game.start is StartDecision.DRAW else "wb"
            table = game.table or 0
            rows[game.first][item.number] = _TrfPlayerRoundToWrite(
                game.second, colours[0], results[0], first, table
            )
            rows[game.second][item.number] = _TrfPlayerRoundToWrite(
                game.first, colours[1], results[1], second, table
            )
        byes = [bye for bye in item.byes if bye.kind is ByeKind.BYE]
        for bye in item.byes:
            letter = "F" if bye in byes[1:] else _BYE_LETTERS[bye.kind]
            rows[bye.player][item.number] = _TrfPlayerRoundToWrite(None, "-", letter, bye.spread)
    return rows


def _format_header_lines(event: EventEntry, entry: DivisionEntry, version: int) -> Iterator[str]:
    date = event.date.replace("-", "/") if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", event.date) else ""
    rated_count = sum(player.rating is not None for player in entry.players)
    values = {
        "012": clean_text_to_one_line(event.name),
        "022": clean_text_to_one_line(event.place),
        "042": date,
        "062": str(len(entry.players)),
        "072": str(rated_count),
        ("142" if version > 16 else "XXR"): str(event.rounds or ""),  # noqa: PLR2004 - the older version
    }
    yield from (f"{tag} {value}" for tag, value in values.items() if value)


def _format_player_line(
    player: PlayerEntry, row: Mapping[int, _TrfPlayerRoundToWrite], ranks: Mapping[int, int]
) -> str:
    country, fide = (
        text if len(text) <= most else ""
        for text, most in ((clean_text_to_one_line(player.country), 3), (clean_text_to_one_line(player.fide), 11))
    )
    rating = player.rating if player.rating and player.rating <= _HIGHEST_NUMBER else ""
    points = sum(_HALF_POINTS.get(cell.result.lower(), 0) for cell in row.values()) / 2
    rounds = "".join(str(row.get(number, " " * _ROUND_WIDTH)) for number in range(1, max(row, default=0) + 1))
    name = clean_text_to_one_line(player.name)[:33]
    return (
        f"001 {player.number:>4}      {name:<33} {rating:>4} {country:<3} {fide:>11}"
        f"            {points:4.1f} {ranks.get(player.number or 0, ''):>4}{rounds}"
    )


def _format_future_bye_lines(event: EventEntry, entry: DivisionEntry, version: int) -> Iterator[str]:
    last_round = max((item.number for item in entry.rounds), default=0)
    absent_players: dict[tuple[int, str], list[int]] = {}
    for item in entry.absences:
        letter = {ByeKind.REQUESTED: "H", ByeKind.BYE: "F"}.get(item.kind or ByeKind.ABSENT, "Z")
        for number in range(
            max(item.first_round, last_round + 1), min(item.last_round or event.rounds, MAX_ROUNDS) + 1
        ):
            absent_players.setdefault((number, letter), []).append(item.player)
    for (number, letter), players in sorted(absent_players.items()):
        numbers_text = "".join(f" {player:>4}" for player in players)
        if version > 16:  # noqa: PLR2004 - the older version, which has only the next round
            yield f"240 {letter} {number:03}{numbers_text}"
        elif number == last_round + 1:
            yield f"XXZ{numbers_text}"


def _format_comments_that_keep_lost_data(
    entry: DivisionEntry, reread_entry: DivisionEntry, rows: _Rows
) -> Iterator[str]:
    division_values = {
        key: getattr(entry, key)
        for key in sorted(_DIVISION_FIELDS)
        if getattr(entry, key) != getattr(reread_entry, key)
    }
    if division_values:
        yield f"### tdapp division {_format_comment_values(division_values)}"
    names = PlayerEntry.list_fields_for_equality()
    for player, reread_player in zip(entry.players, reread_entry.players, strict=True):
        player_values = {
            name: getattr(player, name) for name in names if getattr(player, name) != getattr(reread_player, name)
        }
        row = rows[player.number or 0]
        cells = [row.get(number) for number in range(1, max(row, default=0) + 1)]
        if any(cell and cell.points is not None for cell in cells):
            player_values["points"] = tuple(cell and cell.points for cell in cells)
        if any(cell and cell.table for cell in cells):
            player_values["tables"] = tuple(cell.table if cell else 0 for cell in cells)
        if player_values:
            yield f"### tdapp {player.number} {_format_comment_values(player_values)}"


def _format_comment_values(values: Mapping[str, Any]) -> str:
    return json.dumps(convert_to_builtins(values), ensure_ascii=False)
