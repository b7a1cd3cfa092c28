"""Tournament report files of FIDE, TRF16 and TRF26: a chess tournament with pairings, results and byes.

The columns are from the FIDE Handbook C.04, annex 2, and its version of 2026. Special terms:

* White is the player who starts. Results are `1`, `=`, `0`, or `W`, `D`, `L` for unrated games. Scheduled games
  have none. `+` without a game is a bye. `-`, or a loss of both, is a forfeit.
* Byes: U (unpaired) and F (full point) are byes, H (half a point) is a requested bye, Z an absence.
  They count as in chess, even if the rules of the tournament differ.
  A record 240 (or XXZ) for a future round is an absence. If it lasts to the last round, the player has withdrawn.
* The federation is read as the country. A national record (NED, NOR, ...) has the member number, and a rating if
  FIDE has none.

The format has no points of games. Without a comment of tdapp a win is read as 1-0, a draw as 1-1. Other data of a
division are JSON comments, which other programs skip:

    ### tdapp division {"order": ["wins", "spread"]}     fields of `DivisionEntry`
    ### tdapp 12 {"club": "Leiden", "points": [412, null, 50], "tables": [3, 0, 1]}     fields of `PlayerEntry`,
                                             and by round the player's points (of a bye: the spread) and the table

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
    MismatchedTotal,
    PlayerEntry,
    RankFromFile,
    RoundEntry,
)
from tdapp.domain.errors import InputError
from tdapp.domain.model import ByeKind, Forfeit, Start
from tdapp.domain.serialization import PlainError, encode_plain, make_decoder
from tdapp.exchange import tsh
from tdapp.exchange.text import (
    MAX_CELL,
    MAX_ROWS,
    clean_text,
    decode_text,
    get_value_of_round,
    make_round_entry,
    parse_json,
    split_lines,
)
from tdapp.exchange.tsh_lines import MAX_ROUNDS

_MOST = 9999  # the highest number of a player
_FIRST = re.compile(r"(?:[0-9]{3}|XX[A-Z]|###)(?: |$)")
_KNOWN = re.compile(r"^(?:001 [ 0-9]{3}[0-9] |012 )", re.MULTILINE)
_NATIONAL = re.compile(r"(?!XX)[A-Z]{3} ([ 0-9]{3}[0-9]) ")
_MISSING = re.compile(r"240 ([FHZfhz]) +([0-9]{1,3})((?: +[0-9]{1,4})*) *|XXZ()()((?: +[0-9]{1,4})*) *")
_OURS = re.compile(r"### tdapp (division|[0-9]{1,4}) (\{.*\}) *")
_CELL = re.compile(r"  ( *[0-9]*) ([wb -]) ([-+01=wdlhfuz ]) *", re.IGNORECASE)
_TOTAL = re.compile(r"[0-9]{1,3}(?:\.[05])?")
_TEXTS = ("012", "022", "042", "142", "XXR")
_SILENT = {"", "###", "062", "072", "132", "152"}  # computed again, or without meaning here
_ROUNDS = 89  # characters before the first round
_WIDTH = 10  # width of a round
_UNREAD = (("sex", 10, 10), ("title", 11, 13), ("date of birth", 70, 79))
_OF_DIVISION = {"code", "order", "spread_caps", "absences"}
_RESULTS = {"10": (1, 0), "wl": (1, 0), "01": (0, 1), "lw": (0, 1), "==": (1, 1), "dd": (1, 1)}
_FORFEITS = {"+-", "-+", "--", "00", "ll", "-0", "0-"}
_FORFEITED = {Forfeit.FIRST: "-+", Forfeit.SECOND: "+-", Forfeit.BOTH: "--"}
_BYES = {"u": ByeKind.BYE, "f": ByeKind.BYE, "+": ByeKind.BYE, "h": ByeKind.REQUESTED, "-": ByeKind.FORFEIT}
_LETTERS = {ByeKind.BYE: "U", ByeKind.REQUESTED: "H", ByeKind.ABSENT: "Z", ByeKind.FORFEIT: "-"}
_WORTH = {"1": 2, "w": 2, "+": 2, "u": 2, "f": 2, "=": 1, "d": 1, "h": 1}  # results in half points


class _TrfCell(Struct, frozen=True):
    """A player's round, as read from the player's line."""

    opponent: int  # number; 0 without opponent
    colour: str
    result: str  # in lower case


class _TrfPlayer(Struct):
    entry: PlayerEntry
    cells: list[_TrfCell | None] = field(default_factory=list)
    points: Sequence[int | None] = ()
    tables: Sequence[int | None] = ()
    rank: int | None = None
    total: int | None = None  # in half points


def is_trf(text: str) -> bool:
    return _FIRST.match(text.lstrip("\r\n")) is not None and _KNOWN.search(text) is not None


def read_trf(data: bytes, source: str = "") -> EventEntry:
    found = _TrfFile(source)
    for number, line in enumerate(split_lines(decode_text(data, source)), 1):
        found.read_line(number, line)
    return found.make_event()


class _TrfFile(Struct):
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
            self._read_player(number, line.ljust(_ROUNDS))
        elif line.startswith("### tdapp "):
            self._read_comment(number, line)
        elif tag in _TEXTS:
            self.texts[tag] = clean_text(line[4:])[:200]
        elif tag in {"240", "XXZ"}:
            self._read_absence_record(number, line)
        elif national and int(national[1]) in self.players:
            player = self.players[int(national[1])]
            rating = player.entry.rating or self._read_whole_number(number, line.ljust(_ROUNDS), 49, 52) or None
            player.entry = replace(player.entry, rating=rating, member=clean_text(line[57:68]))
        elif tag not in _SILENT:
            self.dropped_lines.append((number, clean_text(line)[:MAX_CELL]))
        if max(len(self.dropped_lines), len(self.players)) > MAX_ROWS:
            raise InputError("too-many-rows", source=self.source, line=number, most=MAX_ROWS)

    def make_event(self) -> EventEntry:
        if not self.players:
            raise InputError("tsh-no-players", source=self.source)
        players = [self.players[own] for own in sorted(self.players)]
        length = max(len(player.cells) for player in players)
        rounds = [self._make_round(players, number) for number in range(1, length + 1)]
        stated = self.texts.get("142") or self.texts.get("XXR", "")
        planned = int(stated) if re.fullmatch("[0-9]{1,2}|100", stated) else 0
        division = DivisionEntry(
            "",
            tuple(player.entry for player in players),
            tuple(rounds),
            tuple(self._list_absences(length, planned)),
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
            rounds=planned,
            dropped=tuple(self.dropped_lines),
        )

    # --- lines ---------------------------------------------------------------------------------------

    def _read_player(self, number: int, line: str) -> None:
        own = self._read_whole_number(number, line, 5, 8)
        if not own or own in self.players:
            raise self._make_column_error(number, line, 5, 8)
        name, rating = clean_text(line[14:47]), self._read_whole_number(number, line, 49, 52) or None
        if not name:
            raise InputError("name-missing", source=self.source, line=number, field="name")
        entry = PlayerEntry(
            own, name, rating, country=clean_text(line[53:56]), fide=clean_text(line[57:68]), line=number
        )
        self.dropped_columns |= {key for key, first, last in _UNREAD if line[first - 1 : last].strip()}
        self.players[own] = _TrfPlayer(
            entry,
            rank=int(rank) if (rank := line[85:89].strip()).isdecimal() else None,
            total=int(2 * float(total))
            if _TOTAL.fullmatch(total := line[80:84].strip().replace(",", "."))
            else None,
        )
        blocks = range(_ROUNDS, len(line.rstrip()), _WIDTH)
        if len(blocks) > MAX_ROUNDS:
            raise InputError("tsh-too-many-rounds", source=self.source, line=number, most=MAX_ROUNDS)
        self.players[own].cells = [self._read_cell(number, line, at) for at in blocks]

    def _read_cell(self, number: int, line: str, at: int) -> _TrfCell | None:
        block = line[at : at + _WIDTH].ljust(_WIDTH)
        if not block.strip():
            return None
        found = _CELL.fullmatch(block)
        if found is None or len(found[1]) != 4:  # noqa: PLR2004 - the digits of a number
            raise self._make_column_error(number, line, at + 3, at + _WIDTH)
        return _TrfCell(int(found[1].strip() or 0), found[2].lower(), found[3].lower())

    def _read_absence_record(self, number: int, line: str) -> None:
        found = _MISSING.fullmatch(line)
        if found is None:
            raise self._make_column_error(number, line, 5, len(line))
        kind = _BYES.get((found[1] or "Z").lower(), ByeKind.ABSENT)
        for own in map(int, (found[3] or found[6] or "").split()):
            if own not in self.players and self.players:
                raise self._make_column_error(number, line, 5, len(line))
            self.absences.append((own, int(found[2] or 0), kind))

    def _read_whole_number(self, number: int, line: str, first: int, last: int) -> int | None:
        text = line[first - 1 : last].strip()
        if text and not re.fullmatch("[0-9]+", text):
            raise self._make_column_error(number, line, first, last)
        return int(text) if text else None

    def _make_column_error(self, number: int, line: str, first: int, last: int) -> InputError:
        value = clean_text(line[first - 1 : last])[:MAX_CELL]
        return InputError("trf-column", source=self.source, line=number, column=first, value=value)

    def _read_comment(self, number: int, line: str) -> None:
        found = _OURS.fullmatch(line)
        who, text = found.groups() if found else ("0", "{}")
        try:
            plain: dict[str, Any] = dict(parse_json(text, self.source))  # type: ignore[call-overload]
            if who == "division":
                self._read_division_comment(plain)
            else:
                _read_player_comment(self.players[int(who)], plain)
        except (InputError, PlainError, ValueError, KeyError) as error:
            raise InputError("tsh-comment-invalid", source=self.source, line=number, field="tdapp") from error

    def _read_division_comment(self, plain: dict[str, Any]) -> None:
        entry = make_decoder(DivisionEntry)({"code": "", "players": [], **plain})
        if not {*plain} <= _OF_DIVISION or not {one.player for one in entry.absences} <= {*self.players}:
            raise ValueError(plain)
        self.division_values = {
            key: clean_text(value) if isinstance(value := getattr(entry, key), str) else value for key in plain
        }

    # --- rounds --------------------------------------------------------------------------------------

    def _make_round(self, players: Sequence[_TrfPlayer], number: int) -> RoundEntry:
        row = [get_value_of_round(player.cells, number) for player in players]
        there = {at: cell for at, cell in enumerate(row, 1) if cell is not None}
        place = {player.entry.number: at for at, player in enumerate(players, 1)} | {0: 0}
        opponents = [None if cell is None else place.get(cell.opponent, len(players) + 1) for cell in row]

        def make_error(code: str, at: int, **facts: Any) -> InputError:
            return self._make_error(code, players[at - 1], number, **{**facts, "opponent": there[at].opponent})

        def make_bye(at: int) -> ByeEntry:
            result, player = there[at].result, players[at - 1]
            if result in {*"01=wdl"}:
                raise self._make_error("trf-no-opponent", player, number)
            return _make_bye(player, _BYES.get(result, ByeKind.ABSENT), number)

        def make_game(at: int, other: int) -> GameEntry:
            return self._make_game((players[at - 1], players[other - 1]), (there[at], there[other]), number)

        return make_round_entry(number, opponents, make_game, make_bye, make_error)

    def _make_game(
        self, pair: tuple[_TrfPlayer, _TrfPlayer], cells: tuple[_TrfCell, _TrfCell], number: int
    ) -> GameEntry:
        (player, opponent), (one, two) = pair, cells
        name, results = opponent.entry.name, one.result + two.result
        if results in _FORFEITS:
            loser = {"+-": Forfeit.SECOND, "-+": Forfeit.FIRST}.get(results, Forfeit.BOTH)
            return _make_game_entry(pair, cells, None, get_value_of_round(player.tables, number) or None, loser)
        if results not in {*_RESULTS, "  "}:
            raise self._make_error("trf-results-differ", player, number, opponent=name)
        if one.colour == two.colour != "-":
            raise self._make_error("tsh-starts-differ", player, number, opponent=name)
        scores = _RESULTS.get(results)
        first, second = get_value_of_round(player.points, number), get_value_of_round(opponent.points, number)
        if scores is not None and first is not None and second is not None:
            if _compare_scores(first, second) != _compare_scores(*scores):
                raise self._make_error("trf-points-differ", player, number, opponent=name)
            scores = first, second
        return _make_game_entry(pair, cells, scores, get_value_of_round(player.tables, number) or None)

    def _make_error(self, code: str, player: _TrfPlayer, number: int, **facts: Any) -> InputError:
        where = {"player": player.entry.name, "round": number, **facts}
        return InputError(code, source=self.source, line=player.entry.line, **where)

    def _list_absences(self, played: int, planned: int) -> Iterator[AbsenceEntry]:
        kinds = {(own, number or played + 1): kind for own, number, kind in self.absences if own in self.players}
        left = {key: kind for key, kind in sorted(kinds.items()) if key[1] > played}
        for (own, first), kind in left.items():
            if left.get((own, first - 1)) is kind:
                continue
            last = first
            while left.get((own, last + 1)) is kind:
                last += 1
            yield AbsenceEntry(own, first, None if last == planned else last, kind)


def _compare_scores(first: int | None, second: int | None) -> int:
    return ((first or 0) > (second or 0)) - ((first or 0) < (second or 0))


def _make_bye(player: _TrfPlayer, kind: ByeKind, number: int) -> ByeEntry:
    return ByeEntry(player.entry.number or 0, kind, get_value_of_round(player.points, number))


def _make_game_entry(
    pair: Sequence[_TrfPlayer],
    cells: Sequence[_TrfCell],
    scores: Any,
    table: int | None,
    forfeit: Forfeit | None = None,
) -> GameEntry:
    one, two = (player.entry.number or 0 for player in pair)
    if cells[0].colour == "b" or cells[1].colour == "w":
        return GameEntry(table, two, one, Start.ASSIGNED, scores and scores[::-1], forfeit and forfeit.swapped)
    start = Start.ASSIGNED if cells[0].colour == "w" or cells[1].colour == "b" else Start.DRAW
    return GameEntry(table, one, two, start, scores, forfeit)


def _find_wrong_totals(players: Sequence[_TrfPlayer]) -> Iterator[MismatchedTotal]:
    """Yield players whose stated total differs from the sum of their rounds, unless all totals are 0."""
    for player in players if any(player.total for player in players) else ():
        counted = sum(_WORTH.get(cell.result, 0) for cell in player.cells if cell is not None)
        if player.total not in {None, counted}:
            yield MismatchedTotal(player.entry.name, player.entry.line, player.total or 0, counted)


def _read_player_comment(player: _TrfPlayer, plain: dict[str, Any]) -> None:
    for key in ("points", "tables"):
        values = plain.pop(key, [])
        if not isinstance(values, list) or not all(one is None or type(one) is int for one in values):
            raise ValueError(key)
        setattr(player, key, values)
    texts = {key: clean_text(value) if isinstance(value, str) else value for key, value in plain.items()}
    fixed = {"number": player.entry.number, "line": player.entry.line}
    player.entry = make_decoder(PlayerEntry)({**encode_plain(player.entry), **texts, **fixed})


# --- writing -------------------------------------------------------------------------------------------


def write_trf(event: EventEntry, ranks: Mapping[int, int], version: Literal[16, 26] = 26) -> bytes:
    """Return an event as a report file. `ranks` has the rank by player number.

    Player numbers above 9999 are replaced by positions. Only dates in ISO 8601 are written.
    """
    [entry] = event.divisions
    if any((player.number or 0) > _MOST for player in entry.players):
        entry = tsh.renumber_players(entry)
    rows = _make_written_cells(entry)
    made = [*_write_head(event, entry, version)]
    made += [_format_player_line(player, rows[player.number or 0], ranks) for player in entry.players]
    made += _write_future_byes(event, entry, version)
    plain = read_trf("\n".join(made).encode()).divisions[0] if entry.players else entry
    return "".join(f"{line}\r\n" for line in [*made, *_write_comments(entry, plain, rows)]).encode()


class _WrittenCell(Struct, frozen=True):
    """A player's round to write. The player's line has the opponent, colour and result; a comment has the rest."""

    opponent: int | None
    colour: str
    result: str
    points: int | None
    table: int = 0

    def __str__(self) -> str:
        opponent = "0000" if self.opponent is None else f"{self.opponent:>4}"
        return f"  {opponent} {self.colour} {self.result}"


_Rows = Mapping[int, Mapping[int, _WrittenCell]]  # by player and round


def _make_written_cells(entry: DivisionEntry) -> _Rows:
    rows: dict[int, dict[int, _WrittenCell]] = {player.number or 0: {} for player in entry.players}
    for item in entry.rounds:
        for game in item.games:
            first, second = game.scores or (None, None)
            results = {0: "==", 1: "10", -1: "01"}[_compare_scores(first, second)] if game.scores else "  "
            results = _FORFEITED[game.forfeit] if game.forfeit else results
            colours = "--" if game.start is Start.DRAW else "wb"
            table = game.table or 0
            rows[game.first][item.number] = _WrittenCell(game.second, colours[0], results[0], first, table)
            rows[game.second][item.number] = _WrittenCell(game.first, colours[1], results[1], second, table)
        byes = [bye for bye in item.byes if bye.kind is ByeKind.BYE]
        for bye in item.byes:
            letter = "F" if bye in byes[1:] else _LETTERS[bye.kind]
            rows[bye.player][item.number] = _WrittenCell(None, "-", letter, bye.spread)
    return rows


def _write_head(event: EventEntry, entry: DivisionEntry, version: int) -> Iterator[str]:
    date = event.date.replace("-", "/") if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", event.date) else ""
    rated = sum(player.rating is not None for player in entry.players)
    values = {
        "012": clean_text(event.name),
        "022": clean_text(event.place),
        "042": date,
        "062": str(len(entry.players)),
        "072": str(rated),
        ("142" if version > 16 else "XXR"): str(event.rounds or ""),  # noqa: PLR2004 - the older version
    }
    yield from (f"{tag} {value}" for tag, value in values.items() if value)


def _format_player_line(player: PlayerEntry, row: Mapping[int, _WrittenCell], ranks: Mapping[int, int]) -> str:
    country, fide = (
        text if len(text) <= most else ""
        for text, most in ((clean_text(player.country), 3), (clean_text(player.fide), 11))
    )
    rating = player.rating if player.rating and player.rating <= _MOST else ""
    points = sum(_WORTH.get(cell.result.lower(), 0) for cell in row.values()) / 2
    rounds = "".join(str(row.get(number, " " * _WIDTH)) for number in range(1, max(row, default=0) + 1))
    return (
        f"001 {player.number:>4}      {clean_text(player.name)[:33]:<33} {rating:>4} {country:<3} {fide:>11}"
        f"            {points:4.1f} {ranks.get(player.number or 0, ''):>4}{rounds}"
    )


def _write_future_byes(event: EventEntry, entry: DivisionEntry, version: int) -> Iterator[str]:
    played = max((item.number for item in entry.rounds), default=0)
    missed: dict[tuple[int, str], list[int]] = {}
    for item in entry.absences:
        letter = {ByeKind.REQUESTED: "H", ByeKind.BYE: "F"}.get(item.kind or ByeKind.ABSENT, "Z")
        for number in range(
            max(item.first_round, played + 1), min(item.last_round or event.rounds, MAX_ROUNDS) + 1
        ):
            missed.setdefault((number, letter), []).append(item.player)
    for (number, letter), players in sorted(missed.items()):
        listed = "".join(f" {own:>4}" for own in players)
        if version > 16:  # noqa: PLR2004 - the older version, which has the next round alone
            yield f"240 {letter} {number:03}{listed}"
        elif number == played + 1:
            yield f"XXZ{listed}"


def _write_comments(entry: DivisionEntry, reread: DivisionEntry, rows: _Rows) -> Iterator[str]:
    found = {
        key: getattr(entry, key) for key in sorted(_OF_DIVISION) if getattr(entry, key) != getattr(reread, key)
    }
    if found:
        yield f"### tdapp division {_format_json_comment(found)}"
    names = PlayerEntry.list_compared_fields()
    for player, read_again in zip(entry.players, reread.players, strict=True):
        held = {
            name: getattr(player, name) for name in names if getattr(player, name) != getattr(read_again, name)
        }
        row = rows[player.number or 0]
        cells = [row.get(number) for number in range(1, max(row, default=0) + 1)]
        if any(cell and cell.points is not None for cell in cells):
            held["points"] = tuple(cell and cell.points for cell in cells)
        if any(cell and cell.table for cell in cells):
            held["tables"] = tuple(cell.table if cell else 0 for cell in cells)
        if held:
            yield f"### tdapp {player.number} {_format_json_comment(held)}"


def _format_json_comment(values: Mapping[str, Any]) -> str:
    return json.dumps(encode_plain(values), ensure_ascii=False)
