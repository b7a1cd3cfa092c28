"""Converts an annotated game (GCG) to a score sheet and back.

A withdrawn play is one turn on a sheet and two events in a file. A file has points for time and challenges; a
sheet has clock times, and the rule set computes the points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tdapp.scrabble import coordinates
from tdapp.scrabble.board import Play
from tdapp.scrabble.coordinates import Convention
from tdapp.scrabble.gcg import EventKind, GcgEvent, GcgGame, GcgPlayer, Pragma, add_totals
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.replay import Replay, ReplayedTurn
from tdapp.scrabble.sheet import Ended, Sheet, Turn, TurnKind
from tdapp.scrabble.tiles import TileSet, get_drawn_tile

_CLOSING = {EventKind.END_BONUS, EventKind.END_PENALTY, EventKind.TIME}
_KINDS = {EventKind.PLAY: TurnKind.PLAY, EventKind.PASS: TurnKind.PASS, EventKind.EXCHANGE: TurnKind.EXCHANGE}


def convert_to_sheet(game: GcgGame, tileset: TileSet) -> tuple[Sheet, tuple[GcgEvent, ...]]:
    """Return a game as a sheet with numbered rows, and the events that a sheet cannot contain.

    These events are points for challenges and for time (a file has no seconds). A challenge in a game of two
    becomes a failed challenge of the opponent; later totals of the other player are left out. Scores stay as
    stated. Racks at the end stay racks, so that the rule set can count them. A final total stays only
    if it is wrong by the arithmetic of GCG.
    """
    turns: list[Turn] = []
    left_over: list[GcgEvent] = []
    for event in game.events:
        if event.kind in _KINDS:
            turns.append(
                _make_turn(game, event, tileset, with_total=event.player not in {e.player for e in left_over})
            )
        elif event.kind is EventKind.WITHDRAWN and turns and turns[-1].player == event.player:
            turns[-1] = replace(turns[-1], kind=TurnKind.WITHDRAWN, score=None, total=None)
        elif event.kind in {EventKind.TIME, EventKind.CHALLENGE, EventKind.WITHDRAWN}:
            left_over.append(event)
            if event.kind is EventKind.CHALLENGE and len(game.players) == 2:  # noqa: PLR2004
                turns.append(Turn(3 - event.player, TurnKind.FAILED_CHALLENGE))
    racks, ended = _read_end(game)
    sheet = Sheet(
        players=tuple(player.name for player in game.players),
        turns=tuple(turns),
        first=next((turn.player for turn in turns if turn.kind.is_turn), 1),
        tileset=tileset.id,
        racks=racks,
        ended=ended,
        finals=_find_wrong_finals(game),
    )
    return sheet, tuple(left_over)


def _make_turn(game: GcgGame, event: GcgEvent, tileset: TileSet, *, with_total: bool) -> Turn:
    kind = _KINDS[event.kind]
    turn = Turn(event.player, kind, total=event.total if with_total else None, rack=event.rack or None)
    if kind is TurnKind.EXCHANGE:
        return replace(turn, tiles=_count_tiles(event.tiles, tileset))
    if kind is TurnKind.PLAY:
        return replace(turn, at=_number_rows(game, event.at), word=event.word, score=event.points)
    return turn


def _number_rows(game: GcgGame, at: str) -> str:
    if not game.has_lettered_rows:
        return at
    try:
        return coordinates.write_square(coordinates.read_square(at, Convention.LETTERED_ROWS))
    except ScrabbleError:
        return at  # reported by the replay


def _count_tiles(tiles: str, tileset: TileSet) -> int | None:
    if tiles.isdecimal():
        return int(tiles)
    try:
        return len(tileset.read_tiles(tiles)) or None
    except ScrabbleError:
        return None


def _read_end(game: GcgGame) -> tuple[tuple[str, ...] | None, Ended]:
    racks = [""] * len(game.players)
    kinds = set()
    for event in game.events:
        if event.kind is EventKind.END_PENALTY:
            racks[event.player - 1] = event.tiles
        elif event.kind is EventKind.END_BONUS and len(racks) == 2:  # noqa: PLR2004
            racks[2 - event.player] = event.tiles
        else:
            continue
        kinds.add(event.kind)
    if not kinds:
        return None, Ended.OPEN
    return tuple(racks), Ended.OUT if EventKind.END_BONUS in kinds else Ended.PASSES


def _find_wrong_finals(game: GcgGame) -> tuple[int | None, ...]:
    stated, wrong = [0] * len(game.players), dict[int, int]()
    for event in game.events:
        follows, stated[event.player - 1] = stated[event.player - 1] + event.points, event.total
        if event.player in wrong or (event.kind in _CLOSING and event.total != follows):
            wrong[event.player] = event.total
    return tuple(wrong.get(number) for number in range(1, len(stated) + 1)) if wrong else ()


def convert_to_game(
    sheet: Sheet,
    result: Replay,
    tileset: TileSet,
    *,
    notes: Mapping[int, str] | None = None,
    paid: Sequence[Sequence[int]] = (),
    time_points: Sequence[int] = (),
    closing: str = "",
) -> GcgGame:
    """Return a replayed sheet as an annotated game, with computed scores and the end of a game as GCG counts it.

    `notes` are notes by turn number, for rulings. `paid` are the points for wrong challenges, by turn and
    player. `time_points` are negative, by player. `closing` is the last note; it explains the totals by the
    rule book. A turn lost by a sanction becomes a pass. Raises ScrabbleError (coordinate-missing, with the
    turn number) for a play without a square.
    """
    events: list[GcgEvent] = []
    pragmas: list[Pragma] = []
    for turn, line in zip(sheet.turns, result.lines, strict=True):
        events += _make_events(turn, line, tileset)
        brought = enumerate(paid[line.number - 1] if paid else (), 1)
        events += [GcgEvent(player, EventKind.CHALLENGE, points) for player, points in brought if points > 0]
        if note := (notes or {}).get(line.number):
            pragmas.append(Pragma("note", note, len(events)))
    events += _make_rack_events(sheet, result, tileset)
    events += [GcgEvent(player, EventKind.TIME, points) for player, points in enumerate(time_points, 1) if points]
    if closing:
        pragmas.append(Pragma("note", closing, len(events)))
    return GcgGame(_make_players(sheet), add_totals(events), tuple(pragmas))


def _make_players(sheet: Sheet) -> tuple[GcgPlayer, ...]:
    nicks = ["_".join(name.replace(":", " ").split()) or f"player{n}" for n, name in enumerate(sheet.players, 1)]
    return tuple(
        GcgPlayer(f"{nick}_{number}" if nicks.count(nick) > 1 else nick, " ".join(name.split()) or nick)
        for number, (nick, name) in enumerate(zip(nicks, sheet.players, strict=True), 1)
    )


def _make_events(turn: Turn, line: ReplayedTurn, tileset: TileSet) -> list[GcgEvent]:
    rack, word = ("".join((text or "").split()) for text in (turn.rack, turn.word))
    event = GcgEvent(turn.player, EventKind.PASS, rack=rack)
    if turn.kind is TurnKind.FAILED_CHALLENGE:
        return []
    if turn.kind is TurnKind.EXCHANGE:
        return [replace(event, kind=EventKind.EXCHANGE, tiles=str(turn.tiles or 1))]
    square = _write_square(turn)
    placed = line.play is not None or bool(square)
    if turn.kind is TurnKind.PLAY and not placed:
        raise ScrabbleError("coordinate-missing", str(line.number))
    if turn.kind not in {TurnKind.PLAY, TurnKind.WITHDRAWN} or not placed:
        return [event]
    points = line.play.score if line.play else line.score
    played = replace(event, kind=EventKind.PLAY, points=points, at=square, word=word)
    if line.play and line.play.words:
        at, word = _write_main_word(line.play, tileset)
        drawn = tileset.write_tiles([get_drawn_tile(tile.tile) for tile in line.play.placement.tiles])
        played = replace(played, at=at, word=word, rack=event.rack or drawn)
    if turn.kind is TurnKind.PLAY:
        return [played]
    return [played, replace(event, kind=EventKind.WITHDRAWN, points=-points, rack=played.rack)]


def _write_square(turn: Turn) -> str:
    try:
        at = coordinates.read_square(turn.at or "")
    except ScrabbleError:
        return ""
    return coordinates.write_square(at) if at.direction is not None else ""  # GCG has a square only with a word


def _write_main_word(play: Play, tileset: TileSet) -> tuple[str, str]:
    word = play.words[0]
    new = {(row, column) for row, column, _ in play.placement.tiles}
    down = word.at.direction is coordinates.Direction.DOWN
    squares = [(word.at.row + down * step, word.at.column + (not down) * step) for step in range(len(word.tiles))]
    written = (
        tileset.write_tiles((tile,)) if square in new else "."
        for square, tile in zip(squares, word.tiles, strict=True)
    )
    return coordinates.write_square(word.at), "".join(written)


def _make_rack_events(sheet: Sheet, result: Replay, tileset: TileSet) -> list[GcgEvent]:
    racks = ["".join(rack.split()) for rack in sheet.racks or ()]
    plays = [turn.player for turn in sheet.turns if turn.kind is TurnKind.PLAY]
    if sheet.ended is Ended.OUT and plays and len(sheet.players) == 2:  # noqa: PLR2004
        out = plays[-1]
        value = result.rack_values[2 - out]
        tiles = racks[2 - out] if racks else tileset.write_tiles(result.left or ())
        return [GcgEvent(out, EventKind.END_BONUS, 2 * value, tiles=tiles)] if value is not None else []
    if sheet.ended in {None, Ended.OPEN}:
        return []
    return [
        GcgEvent(player, EventKind.END_PENALTY, -(value or 0), rack=rack, tiles=rack)
        for player, (rack, value) in enumerate(zip(racks, result.rack_values, strict=False), 1)
        if rack
    ]
