"""Reads and writes an annotated game in the GCG format: players, pragmas and events.

Numbers are read as stated; `gcg_check` recomputes them. At the end, GCG adds twice the value of the opponent's
rack to the player who goes out. The rule books of nl, de and be add the value once to that player and deduct it
once from the opponent.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.scrabble.issue import Issue, ScrabbleError, ValueFromFile


class GcgEventKind(StrEnum):
    """The kind of an event line."""

    PLAY = "play"
    WITHDRAWN = "withdrawn"  # `--`: the previous play is withdrawn
    PASS = "pass"  # noqa: S105 - a turn
    EXCHANGE = "exchange"
    CHALLENGE = "challenge"  # bonus points for a wrongly challenged play
    TIME = "time"
    END_BONUS = "end-bonus"  # `(AE) +4`: points for another player's tiles
    END_PENALTY = "end-penalty"  # `AE (AE) -2`: the player's own tiles


class GcgPlayer(Struct, frozen=True):
    """The names of a player in a GCG file."""

    nick: str  # the short name in event lines
    name: str


class GcgPragma(ValueFromFile, frozen=True, eq=False):
    """A line of a GCG file that starts with `#`."""

    provenance = frozenset({"line"})
    name: str
    text: str
    after: int = 0  # number of events before it
    line: int = 0


class GcgEvent(ValueFromFile, frozen=True, eq=False):
    """A line of a GCG file that starts with `>`: a turn, or an addition or deduction of points."""

    provenance = frozenset({"line"})
    player: int
    kind: GcgEventKind
    points: int = 0  # as stated
    total: int = 0  # as stated
    rack: str = ""
    at: str = ""
    word: str = ""
    tiles: str = ""  # the exchanged tiles or their number, or the tiles on a rack at the end
    line: int = 0


class GcgGame(ValueFromFile, frozen=True, eq=False):
    """The annotated game in a GCG file."""

    provenance = frozenset({"utf8"})
    players: tuple[GcgPlayer, ...]
    events: tuple[GcgEvent, ...]
    pragmas: tuple[GcgPragma, ...] = ()
    utf8: bool = True  # the file was encoded in UTF-8

    def find_pragma(self, name: str) -> str | None:
        return next((pragma.text for pragma in self.pragmas if pragma.name == name), None)

    @property
    def has_lettered_rows(self) -> bool:
        return (self.find_pragma("orientation") or "").casefold().replace("_", "-") == "lettered-rows"


def add_running_totals(events: Iterable[GcgEvent]) -> tuple[GcgEvent, ...]:
    totals: Counter[int] = Counter()
    result: list[GcgEvent] = []
    for event in events:
        totals[event.player] += event.points
        result.append(replace(event, total=totals[event.player]))
    return tuple(result)


MAX_BYTES = 1_000_000  # the longest annotated game known has 3,000
MAX_LINE = 512  # characters; longer ones give a warning, since some programs refuse them
MAX_PLAYERS = 4

_ENCODING = re.compile(rb"#character-encoding[ \t]+([^\r\n]+)", re.IGNORECASE)
_ENCODINGS = frozenset({
    "ascii", "utf-8", "iso8859-1", "iso8859-2", "iso8859-15", "cp1250", "cp1252", "cp437", "cp850", "mac-roman",
})  # fmt: skip
_ALIASES = {"ansi": "cp1252", "win-1252": "cp1252", "win1252": "cp1252", "win-1250": "cp1250", "win1250": "cp1250"}
_PRAGMA = re.compile(r"#\s*([A-Za-z][A-Za-z0-9_-]*|-)\s?(.*)")
_PLAYER = re.compile(r"player([1-9])")
_EVENT = re.compile(r">\s*(\S+?):(?:\s+(.*))?|>\s*([^\s:]+):(.*)")
_NUMBER = re.compile(r"\+?([+\-\u2212]?)([0-9]{1,6})")
_RACK = re.compile(r"(?:[^\W\d_]|[?\[\]])+")
_PLACE = re.compile(r"[0-9]{1,2}[A-Za-z]|[A-Za-z][0-9]{1,2}")
_KNOWN = frozenset({
    "title", "description", "id", "lexicon", "game-type", "board-layout", "tile-distribution", "tile-set", "tile",
    "rack1", "rack2", "rack3", "rack4", "incomplete", "note", "orientation",
})  # fmt: skip
_REPEATABLE = frozenset({"note", "tile"})


class GcgError(ScrabbleError):
    """Raised for an invalid GCG file. `line` counts from 1."""

    def __init__(self, code: str, detail: str = "", *, line: int | None = None) -> None:
        super().__init__(code, detail)
        self.line = line


class _GcgReaderState(Struct):
    players: dict[int, GcgPlayer] = field(default_factory=dict)
    events: list[GcgEvent] = field(default_factory=list)
    pragmas: list[GcgPragma] = field(default_factory=list)
    warnings: list[Issue] = field(default_factory=list)
    in_note: bool = False
    has_declared_players: bool = False

    def add_warning(self, code: str, line: int | None, detail: str = "") -> None:
        self.warnings.append(Issue(code, detail=detail, line=line))


def read_gcg(data: bytes) -> tuple[GcgGame, tuple[Issue, ...]]:
    """Return the annotated game in the GCG file content `data`, and warnings. Raises GcgError."""
    if len(data) > MAX_BYTES:
        raise GcgError("gcg-too-large")
    reading = _GcgReaderState()
    text, utf8 = _decode_text(data)
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if len(line) > MAX_LINE:
            reading.add_warning("line-too-long", number)
        _read_line(reading, number, line.strip())
    if not reading.players:
        raise GcgError("gcg-empty")
    if sorted(reading.players) != list(range(1, len(reading.players) + 1)):
        raise GcgError("player-unreadable", ", ".join(map(str, sorted(reading.players))))
    _add_player_warnings(reading)
    players = tuple(player for _, player in sorted(reading.players.items()))
    return GcgGame(players, tuple(reading.events), tuple(reading.pragmas), utf8), tuple(reading.warnings)


def _decode_text(data: bytes) -> tuple[str, bool]:
    """Return the text, and whether it is UTF-8. The default of the format is ISO-8859-1."""
    bom = data.startswith(b"\xef\xbb\xbf")
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\x00" in data:
        raise GcgError("gcg-binary")
    declared = _ENCODING.match(data)
    name = _find_declared_encoding(declared[1].decode("latin-1")) if declared else ""
    other = name not in {"", "utf-8", "ascii"} and not bom
    try:
        text = data.decode(name if other else "utf-8")
    except UnicodeDecodeError as error:
        if other or name == "utf-8" or bom:
            raise GcgError("gcg-encoding", name or "utf-8") from error
        return data.decode("latin-1"), False
    if other:
        return text, False
    return text, name == "utf-8" or bom or not data.isascii()


def _find_declared_encoding(written: str) -> str:
    plain = re.sub(r"[\s_]+", "-", written.strip().strip("\"'").casefold())
    try:
        name = codecs.lookup(_ALIASES.get(plain, plain)).name
    except (LookupError, ValueError):
        name = ""
    if name not in _ENCODINGS:
        raise GcgError("gcg-encoding", written.strip(), line=1)
    return name


def _read_line(reading: _GcgReaderState, number: int, line: str) -> None:
    if line.startswith(">"):
        reading.in_note = False
        _read_event(reading, number, line)
    elif found := _PRAGMA.fullmatch(line):
        _read_pragma(reading, number, found[1], found[2].strip())
    elif line and reading.in_note:
        _append_to_note(reading, line)
    elif line:
        raise GcgError("line-unreadable", line[:60], line=number)


def _append_to_note(reading: _GcgReaderState, text: str) -> None:
    last = reading.pragmas[-1]
    reading.pragmas[-1] = replace(last, text=f"{last.text}\n{text}" if last.text else text)


def _read_pragma(reading: _GcgReaderState, number: int, written: str, text: str) -> None:
    name = written.lower()
    if name == "-":
        if not reading.in_note:
            raise GcgError("line-unreadable", f"#- {text}"[:60], line=number)
        _append_to_note(reading, text)
        return
    reading.in_note = name == "note"
    if found := _PLAYER.fullmatch(name):
        _read_player_pragma(reading, number, int(found[1]), text)
        return
    if name == "character-encoding":
        if number > 1:
            reading.add_warning("encoding-not-first", number)
        return
    if name not in _KNOWN:
        reading.add_warning("pragma-unknown", number, name)
    elif name not in _REPEATABLE and any(pragma.name == name for pragma in reading.pragmas):
        reading.add_warning("pragma-repeated", number, name)
    if name == "note" and not reading.events:
        reading.add_warning("note-before-events", number)
    if name == "game-type" and text.casefold() != "classic":
        reading.add_warning("game-type-unknown", number, text)
    reading.pragmas.append(GcgPragma(name, text, len(reading.events), number))


def _read_player_pragma(reading: _GcgReaderState, number: int, player: int, text: str) -> None:
    nick, *names = text.split() or [""]
    if not nick:
        raise GcgError("player-unreadable", text, line=number)
    if player > MAX_PLAYERS:
        raise GcgError("too-many-players", str(player), line=number)
    if player in reading.players:
        if reading.events and reading.players[player].nick != nick:
            raise GcgError("player-renamed", nick, line=number)
        reading.add_warning("pragma-repeated", number, f"player{player}")
    reading.has_declared_players = True
    reading.players[player] = GcgPlayer(nick, " ".join(names) or nick)


def _add_player_warnings(reading: _GcgReaderState) -> None:
    players = list(reading.players.values())
    for attribute, code in (("nick", "duplicate-nicks"), ("name", "duplicate-names")):
        names = Counter(getattr(player, attribute) for player in players)
        if repeated := [name for name, times in names.items() if times > 1]:
            reading.add_warning(code, None, ", ".join(repeated))
    if len(players) > 2:  # noqa: PLR2004
        reading.add_warning("more-than-two-players", None)
    if not any(event.kind is GcgEventKind.PLAY for event in reading.events):
        reading.add_warning("no-play", None)


def _read_event(reading: _GcgReaderState, number: int, line: str) -> None:
    """Read an event line. Quackle also writes a rack alone after the last move."""
    found = _EVENT.fullmatch(line)
    if found is None:
        raise GcgError("event-unreadable", line[:60], line=number)
    nick, body = found[1] or found[3], found[2] or found[4] or ""
    tokens = body.split()
    if len(tokens) == 1 and _RACK.fullmatch(body):
        place = _find_player(reading, number, nick)
        reading.pragmas.append(GcgPragma(f"rack{place}", body, len(reading.events), number))
        return
    for end in (len(tokens), *range(3, len(tokens))):
        event, *numbers = _read_move(tokens[: end - 2]), *map(_read_number, tokens[end - 2 : end])
        if event is not None and len(numbers) == 2 and None not in numbers:  # noqa: PLR2004
            break
    else:
        raise GcgError("event-unreadable", line[:60], line=number)
    points, total = (one or 0 for one in numbers)
    if event.kind is GcgEventKind.END_BONUS and points < 0:
        event = replace(event, kind=GcgEventKind.END_PENALTY)
    player = _find_player(reading, number, nick)
    reading.events.append(replace(event, player=player, points=points, total=total, line=number))
    if end < len(tokens):
        reading.pragmas.append(GcgPragma("note", " ".join(tokens[end:]), len(reading.events), number))


def _read_number(token: str) -> int | None:
    found = _NUMBER.fullmatch(token)
    if found is None:
        return None
    return -int(found[2]) if found[1] in {"-", "\u2212"} else int(found[2])


def _find_player(reading: _GcgReaderState, line: int, nick: str) -> int:
    for number, player in sorted(reading.players.items()):
        if player.nick == nick:
            return number
    if reading.has_declared_players:
        raise GcgError("player-unknown", nick, line=line)
    if len(reading.players) == MAX_PLAYERS:
        raise GcgError("too-many-players", nick, line=line)
    reading.add_warning("player-undeclared", line, nick)
    reading.players[len(reading.players) + 1] = GcgPlayer(nick, nick)
    return len(reading.players)


def _read_move(tokens: Sequence[str]) -> GcgEvent | None:  # noqa: PLR0911 - a line for each form
    if not tokens:
        return None
    *before, last = tokens
    place = before.pop() if before and _PLACE.fullmatch(before[-1]) else ""
    if len(before) > 1:
        return None
    rack = before[0] if before else ""
    if place:
        return GcgEvent(0, GcgEventKind.PLAY, rack=rack, at=place, word=last)
    if last in {"(challenge)", "(time)"}:
        return GcgEvent(0, GcgEventKind.CHALLENGE if last == "(challenge)" else GcgEventKind.TIME, rack=rack)
    if last.startswith("(") and last.endswith(")"):
        kind = GcgEventKind.END_PENALTY if rack else GcgEventKind.END_BONUS
        return GcgEvent(0, kind, rack=rack, tiles=last[1:-1])
    if last in {"-", "--"}:
        return GcgEvent(0, GcgEventKind.PASS if last == "-" else GcgEventKind.WITHDRAWN, rack=rack)
    return GcgEvent(0, GcgEventKind.EXCHANGE, rack=rack, tiles=last[1:]) if last.startswith("-") else None


def write_gcg(game: GcgGame) -> bytes:
    lines = [f"#player{number} {player.nick} {player.name}" for number, player in enumerate(game.players, 1)]
    for number in range(len(game.events) + 1):
        if number:
            lines.append(_write_event(game, game.events[number - 1]))
        for pragma in game.pragmas:
            if pragma.after == number:
                first, *rest = pragma.text.split("\n")
                lines += [f"#{pragma.name} {first}".rstrip(), *(f"#- {text}".rstrip() for text in rest)]
    text = "".join(f"{line}\n" for line in lines)
    if game.utf8 or not text.isascii():
        text = f"#character-encoding UTF-8\n{text}"
    return text.encode()


def _write_event(game: GcgGame, event: GcgEvent) -> str:
    body = {
        GcgEventKind.PLAY: f"{event.at} {event.word}",
        GcgEventKind.WITHDRAWN: "--",
        GcgEventKind.PASS: "-",
        GcgEventKind.EXCHANGE: f"-{event.tiles}",
        GcgEventKind.CHALLENGE: "(challenge)",
        GcgEventKind.TIME: "(time)",
        GcgEventKind.END_BONUS: f"({event.tiles})",
        GcgEventKind.END_PENALTY: f"({event.tiles})",
    }[event.kind]
    nick = game.players[event.player - 1].nick
    return f">{nick}: {event.rack} {body} {event.points:+d} {event.total}"
