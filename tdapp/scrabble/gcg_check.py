"""Recomputes words, scores and totals of an annotated game by the arithmetic of GCG, and lists its errors.

A total is right if it equals the recomputed total, or the previous stated total plus the stated points.

The module also converts an annotated game to a score sheet and back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.scrabble import board, coordinates
from tdapp.scrabble.board import (
    RACK_SIZE,
    Board,
    FormedWord,
    Play,
    TurnTilePlacement,
    find_tiles_missing_from_rack,
)
from tdapp.scrabble.coordinates import SquareNotation
from tdapp.scrabble.gcg import GcgEvent, GcgEventKind, GcgGame, GcgPlayer, GcgPragma, add_running_totals
from tdapp.scrabble.issue import ScrabbleError, SheetIssue
from tdapp.scrabble.replay import ReplayedSheet, ReplayedTurn
from tdapp.scrabble.sheet import GameEnding, Sheet, Turn, TurnKind
from tdapp.scrabble.tiles import TileSet, replace_lower_case_tile_with_blank

_TURN_EVENT_KINDS = frozenset({GcgEventKind.PLAY, GcgEventKind.PASS, GcgEventKind.EXCHANGE})
_END_EVENT_KINDS = frozenset({GcgEventKind.TIME, GcgEventKind.END_BONUS, GcgEventKind.END_PENALTY})


class RecomputedGcgEvent(NamedTuple):
    """An event of an annotated game with recomputed scores."""

    number: int
    event: GcgEvent
    score: int
    total: int  # the player's running total of recomputed scores
    words: tuple[FormedWord, ...] = ()
    placement: TurnTilePlacement | None = None


class RecomputedGcgGame(NamedTuple):
    """An annotated game with recomputed scores, its errors and its final board."""

    turns: tuple[RecomputedGcgEvent, ...]
    scores: tuple[int, ...]
    issues: tuple[SheetIssue, ...]
    board: Board


class _LastPlay(NamedTuple):
    event: GcgEvent
    score: int
    board_before: Board


class _GcgReplayState(Struct):
    game: GcgGame
    tileset: TileSet
    board: Board = field(default_factory=Board)
    last_play: _LastPlay | None = None
    has_ended: bool = False
    is_board_unknown: bool = False  # after an impossible play
    next_player: int | None = None
    number: int = 0
    event: GcgEvent | None = None
    issues: list[SheetIssue] = field(default_factory=list)
    reported_tiles: set[str] = field(default_factory=set)

    def add_issue(
        self, code: str, *, stated: int | str | None = None, computed: int | None = None, detail: str = ""
    ) -> None:
        self.add_issue_at_event(SheetIssue(code, stated=stated, computed=computed, detail=detail))

    def add_issue_at_event(self, issue: SheetIssue) -> None:
        event = self.event
        self.issues.append(replace(issue, turn=self.number, line=event.line) if event else issue)


def recompute_game(game: GcgGame, tileset: TileSet) -> RecomputedGcgGame:
    """Recompute the scores of a game with a tile set. A play that cannot be placed keeps its stated score."""
    replay = _GcgReplayState(game, tileset)
    turns: list[RecomputedGcgEvent] = []
    running_totals, stated_totals = [0] * len(game.players), [0] * len(game.players)
    for number, event in enumerate(game.events, 1):
        replay.number, replay.event = number, event
        _check_turn_order(replay, event)
        score, play = _score_event(replay, event)
        player = event.player - 1
        running_totals[player] += score
        expected_total = stated_totals[player] + event.points
        if event.total not in {expected_total, running_totals[player]}:
            replay.add_issue("total-differs", stated=event.total, computed=expected_total)
        stated_totals[player] = event.total
        words, placement = (play.words, play.placement) if play else ((), None)
        turns.append(RecomputedGcgEvent(number, event, score, running_totals[player], words, placement))
    replay.event = None
    _check_rack_pragmas(replay)
    return RecomputedGcgGame(tuple(turns), tuple(running_totals), tuple(replay.issues), replay.board)


def guess_tileset(game: GcgGame, candidates: Sequence[TileSet]) -> TileSet:
    """Return the first tile set with which the game has the fewest issues."""
    return min(candidates, key=lambda tileset: len(recompute_game(game, tileset).issues))


def _check_turn_order(replay: _GcgReplayState, event: GcgEvent) -> None:
    if event.kind not in _TURN_EVENT_KINDS:
        replay.has_ended = replay.has_ended or event.kind in _END_EVENT_KINDS
        return
    if replay.has_ended:
        replay.add_issue("event-after-end")
        replay.has_ended = False  # report once
    nicks = {player.nick for player in replay.game.players}
    if replay.next_player not in {None, event.player} and len(nicks) == len(replay.game.players):
        replay.add_issue("off-turn")
    replay.next_player = event.player % len(replay.game.players) + 1


def _score_event(replay: _GcgReplayState, event: GcgEvent) -> tuple[int, Play | None]:
    rack = _read_rack(replay, event.rack)
    last, replay.last_play = replay.last_play, None
    if event.kind is GcgEventKind.PLAY:
        return _place_and_score_play(replay, event, rack)
    if event.kind is GcgEventKind.WITHDRAWN:
        return _withdraw_play(replay, event, last), None
    if event.kind is GcgEventKind.CHALLENGE:
        if last is None or last.event.player != event.player:
            replay.add_issue("challenge-without-play")
        return event.points, None
    if event.kind in {GcgEventKind.END_BONUS, GcgEventKind.END_PENALTY}:
        return _compute_end_rack_points(replay, event, rack), None
    if event.kind is GcgEventKind.TIME:
        return event.points, None
    if not event.tiles.isdigit():  # empty for a pass
        _report_exchanged_tiles_not_on_rack(replay, _read_rack(replay, event.tiles) or (), rack)
    _report_score_difference(replay, event.points, 0)
    return 0, None


def _place_and_score_play(
    replay: _GcgReplayState, event: GcgEvent, rack: tuple[str, ...] | None
) -> tuple[int, Play | None]:
    placement = _read_turn_placement(replay, event)
    if placement is None:
        replay.is_board_unknown = True
        return event.points, None
    for violation in replay.board.find_placement_violations(placement):
        replay.add_issue_at_event(violation)
    play = replay.board.score_play(placement, replay.tileset)
    missing = find_tiles_missing_from_rack(placement, rack) if rack is not None else ()
    if rack is not None:
        _report_rack_issues(replay, rack, missing)
    _report_score_difference(replay, event.points, play.score)
    replay.last_play = _LastPlay(event, play.score, replay.board)
    replay.board = replay.board.place_tiles(placement.tiles)
    unplayed_count = replay.tileset.tile_count - len(replay.board.tiles_on_board)
    has_gone_out = (
        rack is not None
        and len(rack) == len(placement.tiles)
        and not _has_later_play_by_same_player(replay, event)
    )
    other_racks = RACK_SIZE * (len(replay.game.players) - 1)
    replay.has_ended = replay.has_ended or (has_gone_out and unplayed_count <= other_racks)
    return play.score, play


def _has_later_play_by_same_player(replay: _GcgReplayState, event: GcgEvent) -> bool:
    later_events = replay.game.events[replay.number :]
    return any(row.player == event.player and row.kind is GcgEventKind.PLAY for row in later_events)


def _read_turn_placement(replay: _GcgReplayState, event: GcgEvent) -> TurnTilePlacement | None:
    convention = (
        SquareNotation.LETTERED_ROWS if replay.game.has_lettered_board_rows else SquareNotation.NUMBERED_ROWS
    )
    try:
        row, column, direction = coordinates.parse_square_notation(event.at, convention)
        squares = board.read_written_word(event.word, replay.tileset)
    except ScrabbleError as error:
        replay.add_issue(error.code, detail=error.detail)
        return None
    if direction is None:
        replay.add_issue("coordinate-unreadable", detail=event.at)
        return None
    placement, issues = replay.board.find_word_placement(row, column, direction, squares)
    for issue in issues:
        replay.add_issue_at_event(replace(issue, detail=issue.detail or event.word))
    return placement


def _withdraw_play(replay: _GcgReplayState, event: GcgEvent, last: _LastPlay | None) -> int:
    if last is not None:
        replay.board, replay.has_ended = last.board_before, False
    if last is None or last.event.player != event.player:
        replay.add_issue("withdrawn-without-play", stated=event.points)
        return event.points
    _report_score_difference(replay, event.points, -last.event.points)
    return -last.score


def _compute_end_rack_points(replay: _GcgReplayState, event: GcgEvent, rack: tuple[str, ...] | None) -> int:
    tiles = _read_rack(replay, event.tiles)
    if tiles is None:
        return event.points
    value = replay.tileset.sum_tile_values(tiles)
    if event.kind is GcgEventKind.END_PENALTY:
        if Counter(rack) - Counter(tiles):
            replay.add_issue("racks-differ", detail=f"{event.rack} {event.tiles}")
        _report_score_difference(replay, event.points, -value)
        return -value
    _check_unplayed_tiles(replay, tiles)
    has_penalty = any(row.kind is GcgEventKind.END_PENALTY for row in replay.game.events)
    # some national rules count the value once, GCG counts it twice
    if event.points == value and has_penalty:
        replay.add_issue("end-rack-national", stated=event.points, computed=2 * value)
        return value
    _report_score_difference(replay, event.points, 2 * value)
    return 2 * value


def _check_unplayed_tiles(replay: _GcgReplayState, tiles: Sequence[str]) -> None:
    remaining_tiles = replay.tileset.list_remaining_tiles(replay.board.tiles_on_board)
    is_rack_known = len(replay.game.players) == 2 and not replay.is_board_unknown  # noqa: PLR2004
    if is_rack_known and sorted(remaining_tiles) != sorted(tiles):
        replay.add_issue("end-rack-differs", detail=replay.tileset.format_tiles(remaining_tiles[: RACK_SIZE + 1]))


def _read_rack(replay: _GcgReplayState, text: str) -> tuple[str, ...] | None:
    if not text:
        return None
    try:
        return replay.tileset.parse_tile_text(text.rstrip("._"))  # signs of unknown tiles
    except ScrabbleError:
        replay.add_issue("rack-unreadable", detail=text)
        return None


def _report_rack_issues(replay: _GcgReplayState, rack: Sequence[str], missing: Sequence[str]) -> None:
    if len(rack) > RACK_SIZE:
        replay.add_issue("rack-too-long", stated=len(rack), computed=RACK_SIZE)
    if len(missing) > max(0, RACK_SIZE - len(rack)):
        replay.add_issue("tile-not-on-rack", detail="".join(missing))
    _report_overused_tiles(replay, (*replay.board.tiles_on_board, *rack, *missing))


def _report_exchanged_tiles_not_on_rack(
    replay: _GcgReplayState, tiles: Iterable[str], rack: Sequence[str] | None
) -> None:
    missing = sorted((Counter(tiles) - Counter(rack)).elements())
    if rack and len(missing) > max(0, RACK_SIZE - len(rack)):
        replay.add_issue("tile-not-on-rack", detail="".join(missing))


def _report_overused_tiles(replay: _GcgReplayState, tiles: Iterable[str]) -> None:
    for tile, used, available in replay.tileset.find_overused_tiles(tiles):
        if tile not in replay.reported_tiles:
            replay.add_issue("tile-over-used", stated=used, computed=available, detail=tile)
            replay.reported_tiles.add(tile)


def _report_score_difference(replay: _GcgReplayState, stated_score: int, computed_score: int) -> None:
    if stated_score != computed_score:
        replay.add_issue("score-differs", stated=stated_score, computed=computed_score)


def _check_rack_pragmas(replay: _GcgReplayState) -> None:
    tiles: list[str] = list(replay.board.tiles_on_board)
    counted_racks = _find_rack_pragmas_with_end_event(replay.game)
    for pragma in replay.game.pragmas:
        if not pragma.name.startswith("rack"):
            continue
        if pragma.after < len(replay.game.events):
            replay.issues.append(SheetIssue("event-after-rack", detail=pragma.text, line=pragma.line))
        else:
            tiles += _read_rack(replay, pragma.text.replace(" ", "")) or ()
            if counted_racks and pragma.name not in counted_racks:
                name = replay.game.players[int(pragma.name[-1]) - 1].name
                replay.issues.append(SheetIssue("rack-not-counted", detail=name, line=pragma.line))
    _report_overused_tiles(replay, tiles)


def _find_rack_pragmas_with_end_event(game: GcgGame) -> frozenset[str]:
    end_events = (event for event in game.events if event.kind in _END_EVENT_KINDS and len(game.players) == 2)  # noqa: PLR2004
    return frozenset(
        f"rack{event.player if event.kind is GcgEventKind.END_PENALTY else 3 - event.player}"
        for event in end_events
        if event.kind is not GcgEventKind.TIME
    )


_TURN_KINDS = {
    GcgEventKind.PLAY: TurnKind.PLAY,
    GcgEventKind.PASS: TurnKind.PASS,
    GcgEventKind.EXCHANGE: TurnKind.EXCHANGE,
}


def split_gcg_game_into_sheet_and_events(game: GcgGame, tileset: TileSet) -> tuple[Sheet, tuple[GcgEvent, ...]]:
    """Return a game as a score sheet, and the events that a sheet cannot contain, such as time penalties.

    With two players, points that player 1 gets for a wrong challenge also become a failed challenge of player 2.
    """
    turns: list[Turn] = []
    remaining_events: list[GcgEvent] = []
    for event in game.events:
        if event.kind in _TURN_KINDS:
            # the player's later totals include the points of the event that the sheet does not contain
            with_total = event.player not in {row.player for row in remaining_events}
            turns.append(_convert_gcg_event_to_turn(game, event, tileset, with_total=with_total))
        elif event.kind is GcgEventKind.WITHDRAWN and turns and turns[-1].player == event.player:
            turns[-1] = replace(turns[-1], kind=TurnKind.WITHDRAWN, score=None, total=None)
        elif event.kind in {GcgEventKind.TIME, GcgEventKind.CHALLENGE, GcgEventKind.WITHDRAWN}:
            remaining_events.append(event)
            if event.kind is GcgEventKind.CHALLENGE and len(game.players) == 2:  # noqa: PLR2004
                turns.append(Turn(3 - event.player, TurnKind.FAILED_CHALLENGE))
    racks, ending = _find_final_racks_and_ending(game)
    sheet = Sheet(
        players=tuple(player.name for player in game.players),
        turns=tuple(turns),
        first=next((turn.player for turn in turns if turn.kind.is_real_turn), 1),
        tileset=tileset.id,
        racks=racks,
        ended=ending,
        # a correct total by GCG rules can be wrong by the tournament's rules
        finals=_find_wrong_final_totals(game),
    )
    return sheet, tuple(remaining_events)


def _convert_gcg_event_to_turn(game: GcgGame, event: GcgEvent, tileset: TileSet, *, with_total: bool) -> Turn:
    kind = _TURN_KINDS[event.kind]
    turn = Turn(event.player, kind, total=event.total if with_total else None, rack=event.rack or None)
    if kind is TurnKind.EXCHANGE:
        return replace(turn, tiles=_count_exchanged_tiles(event.tiles, tileset))
    if kind is TurnKind.PLAY:
        return replace(
            turn, at=_convert_square_to_numbered_rows(game, event.at), word=event.word, score=event.points
        )
    return turn


def _convert_square_to_numbered_rows(game: GcgGame, square: str) -> str:
    if not game.has_lettered_board_rows:
        return square
    try:
        return coordinates.format_square_notation(
            coordinates.parse_square_notation(square, SquareNotation.LETTERED_ROWS)
        )
    except ScrabbleError:
        return square  # reported by the replay


def _count_exchanged_tiles(tiles: str, tileset: TileSet) -> int | None:
    if tiles.isdecimal():
        return int(tiles)
    try:
        return len(tileset.parse_tile_text(tiles)) or None
    except ScrabbleError:
        return None


def _find_final_racks_and_ending(game: GcgGame) -> tuple[tuple[str, ...] | None, GameEnding]:
    racks = [""] * len(game.players)
    kinds = set()
    for event in game.events:
        if event.kind is GcgEventKind.END_PENALTY:
            racks[event.player - 1] = event.tiles
        elif event.kind is GcgEventKind.END_BONUS and len(racks) == 2:  # noqa: PLR2004
            racks[2 - event.player] = event.tiles
        else:
            continue
        kinds.add(event.kind)
    if not kinds:
        return None, GameEnding.OPEN
    return tuple(racks), GameEnding.OUT if GcgEventKind.END_BONUS in kinds else GameEnding.PASSES


def _find_wrong_final_totals(game: GcgGame) -> tuple[int | None, ...]:
    totals, wrong_totals = [0] * len(game.players), dict[int, int]()
    for event in game.events:
        expected_total, totals[event.player - 1] = totals[event.player - 1] + event.points, event.total
        if event.player in wrong_totals or (event.kind in _END_EVENT_KINDS and event.total != expected_total):
            wrong_totals[event.player] = event.total
    return tuple(wrong_totals.get(number) for number in range(1, len(totals) + 1)) if wrong_totals else ()


def convert_to_gcg_game(
    sheet: Sheet,
    result: ReplayedSheet,
    tileset: TileSet,
    *,
    notes: Mapping[int, str] | None = None,
    challenge_points: Sequence[Sequence[int]] = (),
    time_points: Sequence[int] = (),
    closing_note: str = "",
) -> GcgGame:
    """Return a replayed sheet as an annotated game, with computed scores.

    With two players, the player who went out gets twice the value of the opponent's tiles (GCG rule). A turn lost
    by a sanction becomes a pass. `notes` has a note by line number. `challenge_points` has, for each line, the
    points that each player gets for wrong challenges. `time_points` has each player's points (at most 0) for time.
    `closing_note`, the last note, can give the totals under the rules of the tournament.
    """
    events: list[GcgEvent] = []
    pragmas: list[GcgPragma] = []
    for turn, line in zip(sheet.turns, result.lines, strict=True):
        events += _make_turn_events(turn, line, tileset)
        turn_costs = enumerate(challenge_points[line.number - 1] if challenge_points else (), 1)
        events += [GcgEvent(player, GcgEventKind.CHALLENGE, points) for player, points in turn_costs if points > 0]
        if note := (notes or {}).get(line.number):
            pragmas.append(GcgPragma("note", note, len(events)))
    events += _make_final_rack_events(sheet, result, tileset)
    events += [
        GcgEvent(player, GcgEventKind.TIME, points) for player, points in enumerate(time_points, 1) if points
    ]
    if closing_note:
        pragmas.append(GcgPragma("note", closing_note, len(events)))
    return GcgGame(_make_gcg_players(sheet), add_running_totals(events), tuple(pragmas))


def _make_gcg_players(sheet: Sheet) -> tuple[GcgPlayer, ...]:
    nicks = ["_".join(name.replace(":", " ").split()) or f"player{n}" for n, name in enumerate(sheet.players, 1)]
    return tuple(
        GcgPlayer(f"{nick}_{number}" if nicks.count(nick) > 1 else nick, " ".join(name.split()) or nick)
        for number, (nick, name) in enumerate(zip(nicks, sheet.players, strict=True), 1)
    )


def _make_turn_events(turn: Turn, line: ReplayedTurn, tileset: TileSet) -> list[GcgEvent]:
    rack, word = ("".join((text or "").split()) for text in (turn.rack, turn.word))
    event = GcgEvent(turn.player, GcgEventKind.PASS, rack=rack)
    if turn.kind is TurnKind.FAILED_CHALLENGE:
        return []
    if turn.kind is TurnKind.EXCHANGE:
        return [replace(event, kind=GcgEventKind.EXCHANGE, tiles=str(turn.tiles or 1))]
    square = _format_gcg_square(turn)
    has_square = line.play is not None or bool(square)
    if turn.kind is TurnKind.PLAY and not has_square:
        raise ScrabbleError("coordinate-missing", str(line.number))
    if turn.kind not in {TurnKind.PLAY, TurnKind.WITHDRAWN} or not has_square:
        return [event]
    points = line.play.score if line.play else line.score
    play_event = replace(event, kind=GcgEventKind.PLAY, points=points, at=square, word=word)
    if line.play and line.play.words:
        main_square, word = _format_gcg_square_and_main_word(line.play, tileset)
        rack_tiles = tileset.format_tiles(
            [replace_lower_case_tile_with_blank(tile.tile) for tile in line.play.placement.tiles]
        )
        play_event = replace(play_event, at=main_square, word=word, rack=event.rack or rack_tiles)
    if turn.kind is TurnKind.PLAY:
        return [play_event]
    return [play_event, replace(event, kind=GcgEventKind.WITHDRAWN, points=-points, rack=play_event.rack)]


def _format_gcg_square(turn: Turn) -> str:
    try:
        start = coordinates.parse_square_notation(turn.at or "")
    except ScrabbleError:
        return ""
    return (
        coordinates.format_square_notation(start) if start.direction is not None else ""
    )  # GCG needs the direction


def _format_gcg_square_and_main_word(play: Play, tileset: TileSet) -> tuple[str, str]:
    word = play.words[0]
    new_squares = {(row, column) for row, column, _ in play.placement.tiles}
    is_down = word.start.direction is coordinates.Direction.DOWN
    row, column, _ = word.start
    squares = [(row + is_down * step, column + (not is_down) * step) for step in range(len(word.tiles))]
    written_tiles = (
        tileset.format_tiles((tile,)) if square in new_squares else "."
        for square, tile in zip(squares, word.tiles, strict=True)
    )
    return coordinates.format_square_notation(word.start), "".join(written_tiles)


def _make_final_rack_events(sheet: Sheet, result: ReplayedSheet, tileset: TileSet) -> list[GcgEvent]:
    racks = ["".join(rack.split()) for rack in sheet.racks or ()]
    plays = [turn.player for turn in sheet.turns if turn.kind is TurnKind.PLAY]
    if sheet.ended is GameEnding.OUT and plays and len(sheet.players) == 2:  # noqa: PLR2004
        last_player = plays[-1]
        value = result.rack_values[2 - last_player]
        tiles = racks[2 - last_player] if racks else tileset.format_tiles(result.unplayed_tiles or ())
        return [GcgEvent(last_player, GcgEventKind.END_BONUS, 2 * value, tiles=tiles)] if value is not None else []
    if sheet.ended in {None, GameEnding.OPEN}:
        return []
    return [
        GcgEvent(player, GcgEventKind.END_PENALTY, -(value or 0), rack=rack, tiles=rack)
        for player, (rack, value) in enumerate(zip(racks, result.rack_values, strict=False), 1)
        if rack
    ]
