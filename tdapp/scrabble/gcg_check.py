"""Recomputes words, scores and totals of an annotated game by the arithmetic of GCG, and lists its errors.

Scores are compared with the board. A total is right if it equals the recomputed total, or the previous stated
total plus the stated points. A wrong sum is thus reported once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.scrabble import board, coordinates
from tdapp.scrabble.board import RACK_SIZE, Board, FormedWord, Placement, Play, find_missing_tiles
from tdapp.scrabble.coordinates import Convention
from tdapp.scrabble.gcg import EventKind, GcgEvent, GcgGame
from tdapp.scrabble.issue import Issue, ScrabbleError
from tdapp.scrabble.tiles import TileSet

_TURNS = frozenset({EventKind.PLAY, EventKind.PASS, EventKind.EXCHANGE})
_ENDS = frozenset({EventKind.TIME, EventKind.END_BONUS, EventKind.END_PENALTY})


class RecomputedEvent(NamedTuple):
    """A recomputed event. `total` is the player's running total of recomputed scores. `number` starts at 1."""

    number: int
    event: GcgEvent
    score: int
    total: int
    words: tuple[FormedWord, ...] = ()
    placement: Placement | None = None


class RecomputedGame(NamedTuple):
    """A recomputed game. `scores` are the final totals by player, `board` is the final board."""

    turns: tuple[RecomputedEvent, ...]
    scores: tuple[int, ...]
    issues: tuple[Issue, ...]
    board: Board


class _LastPlay(NamedTuple):
    """The last play, which the next event can withdraw or challenge."""

    event: GcgEvent
    score: int
    before: Board


class _Replay(Struct):
    game: GcgGame
    tileset: TileSet
    board: Board = field(default_factory=Board)
    last: _LastPlay | None = None
    ended: bool = False
    unplaced: bool = False  # the board is unknown after an impossible play
    turn_of: int | None = None
    number: int = 0
    event: GcgEvent | None = None
    issues: list[Issue] = field(default_factory=list)
    over_used: set[str] = field(default_factory=set)

    def add_issue(
        self, code: str, *, stated: int | str | None = None, computed: int | None = None, detail: str = ""
    ) -> None:
        self.record_issue(Issue(code, stated=stated, computed=computed, detail=detail))

    def record_issue(self, issue: Issue) -> None:
        event = self.event
        self.issues.append(replace(issue, turn=self.number, line=event.line) if event else issue)


def recompute_game(game: GcgGame, tileset: TileSet) -> RecomputedGame:
    """Recompute a game with a tile set.

    Issue codes: score-differs, total-differs (both with figures), end-rack-national (the rack was added once
    and deducted once instead of added twice), end-rack-differs, racks-differ, rack-not-counted,
    rack-unreadable, rack-too-long, tile-not-on-rack, tile-over-used, word-incomplete, off-turn,
    event-after-end, event-after-rack, withdrawn-without-play, challenge-without-play.

    A play that cannot be placed keeps its stated score and has the code coordinate-unreadable,
    word-unreadable, letter-unknown, off-board, square-occupied or nothing-to-play-through. Illegal plays have
    the codes of `Board.find_violations`.
    """
    replay = _Replay(game, tileset)
    turns: list[RecomputedEvent] = []
    running, stated = [0] * len(game.players), [0] * len(game.players)
    for number, event in enumerate(game.events, 1):
        replay.number, replay.event = number, event
        _check_order(replay, event)
        score, play = _score_event(replay, event)
        player = event.player - 1
        running[player] += score
        follows = stated[player] + event.points
        if event.total not in {follows, running[player]}:
            replay.add_issue("total-differs", stated=event.total, computed=follows)
        stated[player] = event.total
        words, placement = (play.words, play.placement) if play else ((), None)
        turns.append(RecomputedEvent(number, event, score, running[player], words, placement))
    replay.event = None
    _check_last_racks(replay)
    return RecomputedGame(tuple(turns), tuple(running), tuple(replay.issues), replay.board)


def guess_tileset(game: GcgGame, candidates: Sequence[TileSet]) -> TileSet:
    """Return the tile set with which a game has the fewest issues, the first of equals."""
    return min(candidates, key=lambda tileset: len(recompute_game(game, tileset).issues))


def _check_order(replay: _Replay, event: GcgEvent) -> None:
    if event.kind not in _TURNS:
        replay.ended = replay.ended or event.kind in _ENDS
        return
    if replay.ended:
        replay.add_issue("event-after-end")
        replay.ended = False  # report once
    nicks = {player.nick for player in replay.game.players}
    if replay.turn_of not in {None, event.player} and len(nicks) == len(replay.game.players):
        replay.add_issue("off-turn")
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
            replay.add_issue("challenge-without-play")
        return event.points, None
    if event.kind in {EventKind.END_BONUS, EventKind.END_PENALTY}:
        return _score_end_rack(replay, event, rack), None
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
    for fault in replay.board.find_violations(placement):
        replay.record_issue(fault)
    play = replay.board.score_play(placement, replay.tileset)
    missing = find_missing_tiles(placement, rack) if rack is not None else ()
    if rack is not None:
        _check_rack(replay, rack, missing)
    _compare_scores(replay, event.points, play.score)
    replay.last = _LastPlay(event, play.score, replay.board)
    replay.board = replay.board.place_tiles(placement.tiles)
    unseen = replay.tileset.tile_count - len(replay.board.tiles)
    out = rack is not None and len(rack) == len(placement.tiles) and not _plays_again(replay, event)
    replay.ended = replay.ended or (out and unseen <= RACK_SIZE * (len(replay.game.players) - 1))
    return play.score, play


def _plays_again(replay: _Replay, event: GcgEvent) -> bool:
    """Return whether the player has a later play: the rack was listed in part."""
    later = replay.game.events[replay.number :]
    return any(one.player == event.player and one.kind is EventKind.PLAY for one in later)


def _read_placement(replay: _Replay, event: GcgEvent) -> Placement | None:
    convention = Convention.LETTERED_ROWS if replay.game.has_lettered_rows else Convention.NUMBERED_ROWS
    try:
        row, column, direction = coordinates.read_square(event.at, convention)
        marks = board.read_word(event.word, replay.tileset)
    except ScrabbleError as error:
        replay.add_issue(error.code, detail=error.detail)
        return None
    if direction is None:
        replay.add_issue("coordinate-unreadable", detail=event.at)
        return None
    placement, issues = replay.board.resolve_word(row, column, direction, marks)
    for issue in issues:
        replay.record_issue(replace(issue, detail=issue.detail or event.word))
    return placement


def _withdraw_play(replay: _Replay, event: GcgEvent, last: _LastPlay | None) -> int:
    if last is not None:
        replay.board, replay.ended = last.before, False
    if last is None or last.event.player != event.player:
        replay.add_issue("withdrawn-without-play", stated=event.points)
        return event.points
    _compare_scores(replay, event.points, -last.event.points)
    return -last.score


def _score_end_rack(replay: _Replay, event: GcgEvent, rack: tuple[str, ...] | None) -> int:
    tiles = _read_rack(replay, event.tiles)
    if tiles is None:
        return event.points
    value = replay.tileset.sum_values(tiles)
    if event.kind is EventKind.END_PENALTY:
        if Counter(rack) - Counter(tiles):
            replay.add_issue("racks-differ", detail=f"{event.rack} {event.tiles}")
        _compare_scores(replay, event.points, -value)
        return -value
    _check_unplayed_tiles(replay, tiles)
    if event.points == value and any(other.kind is EventKind.END_PENALTY for other in replay.game.events):
        replay.add_issue("end-rack-national", stated=event.points, computed=2 * value)
        return value
    _compare_scores(replay, event.points, 2 * value)
    return 2 * value


def _check_unplayed_tiles(replay: _Replay, tiles: Sequence[str]) -> None:
    left = replay.tileset.list_remaining(replay.board.tiles)
    known = len(replay.game.players) == 2 and not replay.unplaced  # noqa: PLR2004
    if known and sorted(left) != sorted(tiles):
        replay.add_issue("end-rack-differs", detail=replay.tileset.write_tiles(left[: RACK_SIZE + 1]))


def _read_rack(replay: _Replay, text: str) -> tuple[str, ...] | None:
    """Return the tiles of a rack, None if it is missing or unreadable."""
    if not text:
        return None
    try:
        return replay.tileset.read_tiles(text.rstrip("._"))  # signs of unknown tiles
    except ScrabbleError:
        replay.add_issue("rack-unreadable", detail=text)
        return None


def _check_rack(replay: _Replay, rack: Sequence[str], missing: Sequence[str]) -> None:
    if len(rack) > RACK_SIZE:
        replay.add_issue("rack-too-long", stated=len(rack), computed=RACK_SIZE)
    if len(missing) > max(0, RACK_SIZE - len(rack)):
        replay.add_issue("tile-not-on-rack", detail="".join(missing))
    _check_tile_counts(replay, (*replay.board.tiles, *rack, *missing))


def _check_on_rack(replay: _Replay, tiles: Iterable[str], rack: Sequence[str] | None) -> None:
    missing = sorted((Counter(tiles) - Counter(rack)).elements())
    if rack and len(missing) > max(0, RACK_SIZE - len(rack)):
        replay.add_issue("tile-not-on-rack", detail="".join(missing))


def _check_tile_counts(replay: _Replay, tiles: Iterable[str]) -> None:
    for tile, used, available in replay.tileset.find_overuse(tiles):
        if tile not in replay.over_used:
            replay.add_issue("tile-over-used", stated=used, computed=available, detail=tile)
            replay.over_used.add(tile)


def _compare_scores(replay: _Replay, stated: int, computed: int) -> None:
    if stated != computed:
        replay.add_issue("score-differs", stated=stated, computed=computed)


def _check_last_racks(replay: _Replay) -> None:
    held: list[str] = list(replay.board.tiles)
    counted = _list_counted_racks(replay.game)
    for pragma in replay.game.pragmas:
        if not pragma.name.startswith("rack"):
            continue
        if pragma.after < len(replay.game.events):
            replay.issues.append(Issue("event-after-rack", detail=pragma.text, line=pragma.line))
        else:
            held += _read_rack(replay, pragma.text.replace(" ", "")) or ()
            if counted and pragma.name not in counted:
                name = replay.game.players[int(pragma.name[-1]) - 1].name
                replay.issues.append(Issue("rack-not-counted", detail=name, line=pragma.line))
    _check_tile_counts(replay, held)


def _list_counted_racks(game: GcgGame) -> frozenset[str]:
    """Return the pragma names (`rack1`, `rack2`) of the racks counted at the end.

    Empty if the game is unfinished or has more than two players.
    """
    ends = (event for event in game.events if event.kind in _ENDS and len(game.players) == 2)  # noqa: PLR2004
    return frozenset(
        f"rack{event.player if event.kind is EventKind.END_PENALTY else 3 - event.player}"
        for event in ends
        if event.kind is not EventKind.TIME
    )
