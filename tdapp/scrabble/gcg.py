"""Reads and writes an annotated game in the GCG format: players, pragmas and events.

Numbers are read as written; `gcg_check` recomputes them. At the end, GCG gives twice the value of the opponent's
rack to the player who goes out. The Dutch, German and Belgian rule books give this value once to this player, and
deduct it once from the opponent.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.scrabble.issue import ScrabbleError, SheetIssue, StructWithPartialEquality


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


class GcgPragma(StructWithPartialEquality, frozen=True, eq=False):
    """A line of a GCG file that starts with `#`."""

    fields_ignored_by_equality = frozenset({"line"})
    name: str
    text: str
    after: int = 0  # number of events before it
    line: int = 0


class GcgEvent(StructWithPartialEquality, frozen=True, eq=False):
    """A line of a GCG file that starts with `>`: a turn, or an addition or deduction of points."""

    fields_ignored_by_equality = frozenset({"line"})
    player: int
    kind: GcgEventKind
    points: int = 0  # as stated
    total: int = 0  # as stated
    rack: str = ""
    at: str = ""
    word: str = ""
    tiles: str = ""  # the exchanged tiles or their number, or the tiles on a rack at the end
    line: int = 0


class GcgGame(StructWithPartialEquality, frozen=True, eq=False):
    """The annotated game in a GCG file."""

    fields_ignored_by_equality = frozenset({"utf8"})
    players: tuple[GcgPlayer, ...]
    events: tuple[GcgEvent, ...]
    pragmas: tuple[GcgPragma, ...] = ()
    utf8: bool = True  # the file was encoded in UTF-8

    def find_pragma_text(self, name: str) -> str | None:
        return next((pragma.text for pragma in self.pragmas if pragma.name == name), None)

    @property
    def has_lettered_board_rows(self) -> bool:
        return (self.find_pragma_text("orientation") or "").casefold().replace("_", "-") == "lettered-rows"


def add_running_totals(events: Iterable[GcgEvent]) -> tuple[GcgEvent, ...]:
    totals: Counter[int] = Counter()
    result: list[GcgEvent] = []
    for event in events:
        totals[event.player] += event.points
        result.append(replace(event, total=totals[event.player]))
    return tuple(result)


MAX_BYTES = 1_000_000  # the longest annotated game known has 3,000
MAX_LINE = 512  # characters; longer lines give a warning, because some programs refuse them
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
_SQUARE = re.compile(r"[0-9]{1,2}[A-Za-z]|[A-Za-z][0-9]{1,2}")
_KNOWN_PRAGMAS = frozenset({
    "title", "description", "id", "lexicon", "game-type", "board-layout", "tile-distribution", "tile-set", "tile",
    "rack1", "rack2", "rack3", "rack4", "incomplete", "note", "orientation",
})  # fmt: skip
_REPEATABLE_PRAGMAS = frozenset({"note", "tile"})


class GcgReadError(ScrabbleError):
    """Raised for an invalid GCG file. `line` counts from 1."""

    def __init__(self, code: str, detail: str = "", *, line: int | None = None) -> None:
        super().__init__(code, detail)
        self.line = line


class _GcgReaderState(Struct):
    players: dict[int, GcgPlayer] = field(default_factory=dict)
    events: list[GcgEvent] = field(default_factory=list)
    pragmas: list[GcgPragma] = field(default_factory=list)
    warnings: list[SheetIssue] = field(default_factory=list)
    in_note: bool = False
    has_declared_players: bool = False

    def add_warning(self, code: str, line: int | None, detail: str = "") -> None:
        self.warnings.append(SheetIssue(code, detail=detail, line=line))


def read_gcg(data: bytes) -> tuple[GcgGame, tuple[SheetIssue, ...]]:
    """Return the annotated game in the GCG file content `data`, and warnings. Raises GcgReadError."""
    if len(data) > MAX_BYTES:
        raise GcgReadError("gcg-too-large")
    state = _GcgReaderState()
    text, utf8 = _decode_and_detect_utf8(data)
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if len(line) > MAX_LINE:
            state.add_warning("line-too-long", number)
        _read_line(state, number, line.strip())
    if not state.players:
        raise GcgReadError("gcg-empty")
    if sorted(state.players) != list(range(1, len(state.players) + 1)):
        raise GcgReadError("player-unreadable", ", ".join(map(str, sorted(state.players))))
    _add_warnings_about_whole_game(state)
    players = tuple(player for _, player in sorted(state.players.items()))
    return GcgGame(players, tuple(state.events), tuple(state.pragmas), utf8), tuple(state.warnings)


def _decode_and_detect_utf8(data: bytes) -> tuple[str, bool]:
    has_bom = data.startswith(b"\xef\xbb\xbf")
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\x00" in data:
        raise GcgReadError("gcg-binary")
    declaration = _ENCODING.match(data)
    name = _get_codec_name(declaration[1].decode("latin-1")) if declaration else ""
    is_other_encoding = name not in {"", "utf-8", "ascii"} and not has_bom
    try:
        text = data.decode(name if is_other_encoding else "utf-8")
    except UnicodeDecodeError as error:
        if is_other_encoding or name == "utf-8" or has_bom:
            raise GcgReadError("gcg-encoding", name or "utf-8") from error
        return data.decode("latin-1"), False
    if is_other_encoding:
        return text, False
    return text, name == "utf-8" or has_bom or not data.isascii()


def _get_codec_name(encoding_name: str) -> str:
    normalised_name = re.sub(r"[\s_]+", "-", encoding_name.strip().strip("\"'").casefold())
    try:
        name = codecs.lookup(_ALIASES.get(normalised_name, normalised_name)).name
    except (LookupError, ValueError):
        name = ""
    if name not in _ENCODINGS:
        raise GcgReadError("gcg-encoding", encoding_name.strip(), line=1)
    return name


def _read_line(state: _GcgReaderState, number: int, line: str) -> None:
    if line.startswith(">"):
        state.in_note = False
        _read_event(state, number, line)
    elif match := _PRAGMA.fullmatch(line):
        _read_pragma(state, number, match[1], match[2].strip())
    elif line and state.in_note:
        _append_to_note(state, line)
    elif line:
        raise GcgReadError("line-unreadable", line[:60], line=number)


def _append_to_note(state: _GcgReaderState, text: str) -> None:
    last = state.pragmas[-1]
    state.pragmas[-1] = replace(last, text=f"{last.text}\n{text}" if last.text else text)


def _read_pragma(state: _GcgReaderState, number: int, written_name: str, text: str) -> None:
    name = written_name.lower()
    if name == "-":
        if not state.in_note:
            raise GcgReadError("line-unreadable", f"#- {text}"[:60], line=number)
        _append_to_note(state, text)
        return
    state.in_note = name == "note"
    if match := _PLAYER.fullmatch(name):
        _read_player_pragma(state, number, int(match[1]), text)
        return
    if name == "character-encoding":
        if number > 1:
            state.add_warning("encoding-not-first", number)
        return
    if name not in _KNOWN_PRAGMAS:
        state.add_warning("pragma-unknown", number, name)
    elif name not in _REPEATABLE_PRAGMAS and any(pragma.name == name for pragma in state.pragmas):
        state.add_warning("pragma-repeated", number, name)
    if name == "note" and not state.events:
        state.add_warning("note-before-events", number)
    if name == "game-type" and text.casefold() != "classic":
        state.add_warning("game-type-unknown", number, text)
    state.pragmas.append(GcgPragma(name, text, len(state.events), number))


def _read_player_pragma(state: _GcgReaderState, number: int, player: int, text: str) -> None:
    nick, *names = text.split() or [""]
    if not nick:
        raise GcgReadError("player-unreadable", text, line=number)
    if player > MAX_PLAYERS:
        raise GcgReadError("too-many-players", str(player), line=number)
    if player in state.players:
        if state.events and state.players[player].nick != nick:
            raise GcgReadError("player-renamed", nick, line=number)
        state.add_warning("pragma-repeated", number, f"player{player}")
    state.has_declared_players = True
    state.players[player] = GcgPlayer(nick, " ".join(names) or nick)


def _add_warnings_about_whole_game(state: _GcgReaderState) -> None:
    players = list(state.players.values())
    for attribute, code in (("nick", "duplicate-nicks"), ("name", "duplicate-names")):
        names = Counter(getattr(player, attribute) for player in players)
        if repeated_names := [name for name, times in names.items() if times > 1]:
            state.add_warning(code, None, ", ".join(repeated_names))
    if len(players) > 2:  # noqa: PLR2004
        state.add_warning("more-than-two-players", None)
    if not any(event.kind is GcgEventKind.PLAY for event in state.events):
        state.add_warning("no-play", None)


def _read_event(state: _GcgReaderState, number: int, line: str) -> None:
    """Read an event line: a move, or only a rack (the program Quackle writes it after the last move)."""
    match = _EVENT.fullmatch(line)
    if match is None:
        raise GcgReadError("event-unreadable", line[:60], line=number)
    nick, body = match[1] or match[3], match[2] or match[4] or ""
    tokens = body.split()
    if len(tokens) == 1 and _RACK.fullmatch(body):
        player_number = _find_or_add_player_number(state, number, nick)
        state.pragmas.append(GcgPragma(f"rack{player_number}", body, len(state.events), number))
        return
    for end in (len(tokens), *range(3, len(tokens))):
        event, *numbers = _read_event_from_tokens(tokens[: end - 2]), *map(_read_number, tokens[end - 2 : end])
        if event is not None and len(numbers) == 2 and None not in numbers:  # noqa: PLR2004
            break
    else:
        raise GcgReadError("event-unreadable", line[:60], line=number)
    points, total = (value or 0 for value in numbers)
    if event.kind is GcgEventKind.END_BONUS and points < 0:
        event = replace(event, kind=GcgEventKind.END_PENALTY)
    player = _find_or_add_player_number(state, number, nick)
    state.events.append(replace(event, player=player, points=points, total=total, line=number))
    if end < len(tokens):
        state.pragmas.append(GcgPragma("note", " ".join(tokens[end:]), len(state.events), number))


def _read_number(token: str) -> int | None:
    match = _NUMBER.fullmatch(token)
    if match is None:
        return None
    return -int(match[2]) if match[1] in {"-", "\u2212"} else int(match[2])


def _find_or_add_player_number(state: _GcgReaderState, line: int, nick: str) -> int:
    for number, player in sorted(state.players.items()):
        if player.nick == nick:
            return number
    if state.has_declared_players:
        raise GcgReadError("player-unknown", nick, line=line)
    if len(state.players) == MAX_PLAYERS:
        raise GcgReadError("too-many-players", nick, line=line)
    state.add_warning("player-undeclared", line, nick)
    state.players[len(state.players) + 1] = GcgPlayer(nick, nick)
    return len(state.players)


def _read_event_from_tokens(tokens: Sequence[str]) -> GcgEvent | None:  # noqa: PLR0911 - a line for each form
    if not tokens:
        return None
    *earlier_tokens, last = tokens
    square = earlier_tokens.pop() if earlier_tokens and _SQUARE.fullmatch(earlier_tokens[-1]) else ""
    if len(earlier_tokens) > 1:
        return None
    rack = earlier_tokens[0] if earlier_tokens else ""
    if square:
        return GcgEvent(0, GcgEventKind.PLAY, rack=rack, at=square, word=last)
    if last in {"(challenge)", "(time)"}:
        return GcgEvent(0, GcgEventKind.CHALLENGE if last == "(challenge)" else GcgEventKind.TIME, rack=rack)
    if last.startswith("(") and last.endswith(")"):
        kind = GcgEventKind.END_PENALTY if rack else GcgEventKind.END_BONUS
        return GcgEvent(0, kind, rack=rack, tiles=last[1:-1])
    if last in {"-", "--"}:
        return GcgEvent(0, GcgEventKind.PASS if last == "-" else GcgEventKind.WITHDRAWN, rack=rack)
    return GcgEvent(0, GcgEventKind.EXCHANGE, rack=rack, tiles=last[1:]) if last.startswith("-") else None


def encode_gcg(game: GcgGame) -> bytes:
    lines = [f"#player{number} {player.nick} {player.name}" for number, player in enumerate(game.players, 1)]
    for number in range(len(game.events) + 1):
        if number:
            lines.append(_format_gcg_event(game, game.events[number - 1]))
        for pragma in game.pragmas:
            if pragma.after == number:
                first_line, *other_lines = pragma.text.split("\n")
                lines.append(f"#{pragma.name} {first_line}".rstrip())
                lines += [f"#- {text}".rstrip() for text in other_lines]
    text = "".join(f"{line}\n" for line in lines)
    if game.utf8 or not text.isascii():
        text = f"#character-encoding UTF-8\n{text}"
    return text.encode()


def _format_gcg_event(game: GcgGame, event: GcgEvent) -> str:
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
