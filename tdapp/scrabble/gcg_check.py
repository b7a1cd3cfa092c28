"""Recompute words, scores and totals of an annotated game by GCG arithmetic, and list its errors.

Points are compared with the board. A total is right if it equals the recomputed one, or the previous stated total
plus the stated points. So one wrong sum gives one error only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.scrabble import board, coordinates
from tdapp.scrabble.board import RACK_SIZE, Board, Placement, Play, Word, missing_tiles
from tdapp.scrabble.coordinates import Convention
from tdapp.scrabble.gcg import EventKind, GcgEvent, GcgGame
from tdapp.scrabble.issue import Issue, ScrabbleError
from tdapp.scrabble.tiles import TileSet

_TURNS = frozenset({EventKind.PLAY, EventKind.PASS, EventKind.EXCHANGE})
_ENDS = frozenset({EventKind.TIME, EventKind.END_BONUS, EventKind.END_PENALTY})


class Recounted(NamedTuple):
    """A recomputed event; `total` is the player's running total of recomputed scores. Numbers start at 1."""

    number: int
    event: GcgEvent
    score: int
    total: int
    words: tuple[Word, ...] = ()
    placement: Placement | None = None


class Recount(NamedTuple):
    """A recomputed game; `scores` are the final totals by player, `board` is the final board."""

    turns: tuple[Recounted, ...]
    scores: tuple[int, ...]
    issues: tuple[Issue, ...]
    board: Board


class _Last(NamedTuple):
    """The last play, which can still be withdrawn or challenged."""

    event: GcgEvent
    score: int
    before: Board


class _Replay(Struct):
    game: GcgGame
    tileset: TileSet
    board: Board = field(default_factory=Board)
    last: _Last | None = None
    ended: bool = False
    unplaced: bool = False  # the board is unknown after an impossible play
    turn_of: int | None = None
    number: int = 0
    event: GcgEvent | None = None
    issues: list[Issue] = field(default_factory=list)
    over_used: set[str] = field(default_factory=set)

    def find(
        self, code: str, *, stated: int | str | None = None, computed: int | None = None, detail: str = ""
    ) -> None:
        self.note(Issue(code, stated=stated, computed=computed, detail=detail))

    def note(self, issue: Issue) -> None:
        event = self.event
        self.issues.append(replace(issue, turn=self.number, line=event.line) if event else issue)


def recount_game(game: GcgGame, tileset: TileSet) -> Recount:
    """Return a game recomputed with a tile set.

    Codes: score-differs, total-differs (both with figures), end-rack-national (added once and deducted once,
    not doubled), end-rack-differs, racks-differ, rack-not-counted, rack-unreadable, rack-too-long,
    tile-not-on-rack, tile-over-used, word-incomplete, off-turn, event-after-end, event-after-rack,
    withdrawn-without-play, challenge-without-play.

    An impossible play keeps its stated score, with one of: coordinate-unreadable, word-unreadable,
    letter-unknown, off-board, square-occupied, nothing-to-play-through; and those of `Board.faults`.
    """
    replay = _Replay(game, tileset)
    turns: list[Recounted] = []
    running, stated = [0] * len(game.players), [0] * len(game.players)
    for number, event in enumerate(game.events, 1):
        replay.number, replay.event = number, event
        _check_order(replay, event)
        score, play = _score_event(replay, event)
        player = event.player - 1
        running[player] += score
        follows = stated[player] + event.points
        if event.total not in {follows, running[player]}:
            replay.find("total-differs", stated=event.total, computed=follows)
        stated[player] = event.total
        words, placement = (play.words, play.placement) if play else ((), None)
        turns.append(Recounted(number, event, score, running[player], words, placement))
    replay.event = None
    _check_last_racks(replay)
    return Recount(tuple(turns), tuple(running), tuple(replay.issues), replay.board)


def likely_tileset(game: GcgGame, candidates: Sequence[TileSet]) -> TileSet:
    """Return the candidate with the fewest issues in a game, the first of equals."""
    return min(candidates, key=lambda tileset: len(recount_game(game, tileset).issues))


def _check_order(replay: _Replay, event: GcgEvent) -> None:
    if event.kind not in _TURNS:
        replay.ended = replay.ended or event.kind in _ENDS
        return
    if replay.ended:
        replay.find("event-after-end")
        replay.ended = False  # report once
    nicks = {player.nick for player in replay.game.players}
    if replay.turn_of not in {None, event.player} and len(nicks) == len(replay.game.players):
        replay.find("off-turn")
    replay.turn_of = event.player % len(replay.game.players) + 1


def _score_event(replay: _Replay, event: GcgEvent) -> tuple[int, Play | None]:
    rack = _read_rack(replay, event.rack)
    last, replay.last = replay.last, None
    if event.kind is EventKind.PLAY:
        return _place_play(replay, event, rack)
    if event.kind is EventKind.WITHDRAWN:
        return _withdraw_play(replay, event, last), None
    if event.kind is EventKind.CHALLENGE:
        if last is None or last.event.player != event.player:
            replay.find("challenge-without-play")
        return event.points, None
    if event.kind in {EventKind.END_BONUS, EventKind.END_PENALTY}:
        return _end_rack(replay, event, rack), None
    if event.kind is EventKind.TIME:
        return event.points, None
    if not event.tiles.isdigit():  # empty for a pass
        _check_on_rack(replay, _read_rack(replay, event.tiles) or (), rack)
    _compare_scores(replay, event.points, 0)
    return 0, None


def _place_play(replay: _Replay, event: GcgEvent, rack: tuple[str, ...] | None) -> tuple[int, Play | None]:
    placement = _read_placement(replay, event)
    if placement is None:
        replay.unplaced = True
        return event.points, None
    for fault in replay.board.faults(placement):
        replay.note(fault)
    play = replay.board.play(placement, replay.tileset)
    missing = missing_tiles(placement, rack) if rack is not None else ()
    if rack is not None:
        _check_rack(replay, rack, missing)
    _compare_scores(replay, event.points, play.score)
    replay.last = _Last(event, play.score, replay.board)
    replay.board = replay.board.lay(placement.tiles)
    unseen = replay.tileset.total - len(replay.board.tiles)
    out = rack is not None and len(rack) == len(placement.tiles)
    replay.ended = replay.ended or (out and unseen <= RACK_SIZE * (len(replay.game.players) - 1))
    return play.score, play


def _read_placement(replay: _Replay, event: GcgEvent) -> Placement | None:
    convention = Convention.LETTERED_ROWS if replay.game.lettered_rows else Convention.NUMBERED_ROWS
    try:
        row, column, direction = coordinates.read_square(event.at, convention)
        marks = board.read_word(event.word, replay.tileset)
    except ScrabbleError as error:
        replay.find(error.code, detail=error.detail)
        return None
    if direction is None:
        replay.find("coordinate-unreadable", detail=event.at)
        return None
    placement, issues = replay.board.resolve(row, column, direction, marks)
    for issue in issues:
        replay.note(replace(issue, detail=issue.detail or event.word))
    return placement


def _withdraw_play(replay: _Replay, event: GcgEvent, last: _Last | None) -> int:
    if last is not None:
        replay.board, replay.ended = last.before, False
    if last is None or last.event.player != event.player:
        replay.find("withdrawn-without-play", stated=event.points)
        return event.points
    _compare_scores(replay, event.points, -last.event.points)
    return -last.score


def _end_rack(replay: _Replay, event: GcgEvent, rack: tuple[str, ...] | None) -> int:
    tiles = _read_rack(replay, event.tiles)
    if tiles is None:
        return event.points
    value = replay.tileset.value(tiles)
    if event.kind is EventKind.END_PENALTY:
        if rack and sorted(rack) != sorted(tiles):
            replay.find("racks-differ", detail=f"{event.rack} {event.tiles}")
        _compare_scores(replay, event.points, -value)
        return -value
    _check_left(replay, tiles)
    if event.points == value and any(other.kind is EventKind.END_PENALTY for other in replay.game.events):
        replay.find("end-rack-national", stated=event.points, computed=2 * value)
        return value
    _compare_scores(replay, event.points, 2 * value)
    return 2 * value


def _check_left(replay: _Replay, tiles: Sequence[str]) -> None:
    left = replay.tileset.left(replay.board.tiles)
    known = len(replay.game.players) == 2 and not replay.unplaced  # noqa: PLR2004
    if known and sorted(left) != sorted(tiles):
        replay.find("end-rack-differs", detail=replay.tileset.write(left[: RACK_SIZE + 1]))


def _read_rack(replay: _Replay, text: str) -> tuple[str, ...] | None:
    """Return the tiles of a rack, None if it is missing or unreadable."""
    if not text:
        return None
    try:
        return replay.tileset.read(text)
    except ScrabbleError:
        replay.find("rack-unreadable", detail=text)
        return None


def _check_rack(replay: _Replay, rack: Sequence[str], missing: Sequence[str]) -> None:
    if len(rack) > RACK_SIZE:
        replay.find("rack-too-long", stated=len(rack), computed=RACK_SIZE)
    if len(missing) > max(0, RACK_SIZE - len(rack)):
        replay.find("tile-not-on-rack", detail="".join(missing))
    _check_use(replay, (*replay.board.tiles, *rack, *missing))


def _check_on_rack(replay: _Replay, tiles: Iterable[str], rack: Sequence[str] | None) -> None:
    missing = sorted((Counter(tiles) - Counter(rack)).elements())
    if rack and len(missing) > max(0, RACK_SIZE - len(rack)):
        replay.find("tile-not-on-rack", detail="".join(missing))


def _check_use(replay: _Replay, tiles: Iterable[str]) -> None:
    for tile, used, available in replay.tileset.over_used(tiles):
        if tile not in replay.over_used:
            replay.find("tile-over-used", stated=used, computed=available, detail=tile)
            replay.over_used.add(tile)


def _compare_scores(replay: _Replay, stated: int, computed: int) -> None:
    if stated != computed:
        replay.find("score-differs", stated=stated, computed=computed)


def _check_last_racks(replay: _Replay) -> None:
    held: list[str] = list(replay.board.tiles)
    counted = _counted_racks(replay.game)
    for pragma in replay.game.pragmas:
        if not pragma.name.startswith("rack"):
            continue
        if pragma.after < len(replay.game.events):
            replay.issues.append(Issue("event-after-rack", detail=pragma.text, line=pragma.line))
        else:
            held += _read_rack(replay, pragma.text.replace(" ", "")) or ()
            if counted and pragma.name not in counted:
                replay.issues.append(Issue("rack-not-counted", line=pragma.line))
    _check_use(replay, held)


def _counted_racks(game: GcgGame) -> frozenset[str]:
    """Return the pragmas of racks counted at the end of a two-player game; empty if unfinished."""
    ends = (event for event in game.events if event.kind in _ENDS and len(game.players) == 2)  # noqa: PLR2004
    return frozenset(
        f"rack{event.player if event.kind is EventKind.END_PENALTY else 3 - event.player}"
        for event in ends
        if event.kind is not EventKind.TIME
    )
