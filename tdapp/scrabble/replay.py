"""Replays a score sheet: computes words and score of each turn, and finds wrong sums.

Without coordinates only sums are checked. After the first play that cannot be placed, stated scores are used.
A play that the jury ruled wrong stays on the board, unless the sheet notes it as withdrawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.scrabble import board, coordinates
from tdapp.scrabble.board import (
    BONUS,
    RACK_SIZE,
    Board,
    Play,
    SquareOfWrittenWord,
    find_only_play_with_score,
    find_tiles_missing_from_rack,
)
from tdapp.scrabble.coordinates import Direction
from tdapp.scrabble.issue import ScrabbleError, SheetIssue
from tdapp.scrabble.sheet import GameEnding, Sheet, Turn, TurnKind
from tdapp.scrabble.tiles import TileSet

_USUAL_FIRST_WORD = 2
Words = tuple[str, ...]


class ReplayRules(Struct, frozen=True):
    """The rules that affect the replay of a score sheet."""

    bonus: int = BONUS
    exchange_minimum: int = 7  # tiles that the bag must have; 0: as many as the player exchanges
    pass_with_tiles: bool = True  # a pass is allowed while the bag has tiles (not by be-brailleliga 7)
    beside_star: bool = False  # the first play need not cover the centre
    first_word: int = 2  # minimum length; if over 2, a player without such a word passes


class ReplayedTurn(NamedTuple):
    """A turn of a sheet with its computed score and its problems."""

    number: int
    player: int
    kind: TurnKind
    score: int  # computed from the board; if unknown, the stated score or 0
    stated: int | None
    total: int
    words: Words
    play: Play | None  # None if its squares are unknown
    bag: int | None  # number of tiles in the bag before the turn, None if unknown
    issues: tuple[SheetIssue, ...]


class ReplayedSheet(NamedTuple):
    """A replayed score sheet with its computed totals and its problems."""

    lines: tuple[ReplayedTurn, ...]
    totals: tuple[int, ...]  # without racks, clocks and penalties
    issues: tuple[SheetIssue, ...]
    board: Board | None  # None if a play could not be placed
    unplayed_tiles: tuple[str, ...] | None  # None if unknown
    rack_values: tuple[int | None, ...]  # written, or computed after a player went out; None if unknown


class _ReplayState(Struct):
    sheet: Sheet
    tileset: TileSet
    rules: ReplayRules
    next_player: int
    challenge_costs: Sequence[Sequence[int]]
    computed_totals: list[int]
    stated_totals: list[int]  # if not written, the last stated total plus later scores
    costs_outside_totals: list[int]  # points for wrong challenges not included in the stated totals
    costs_in_totals: list[int]  # points for wrong challenges included in the stated totals
    board: Board = field(default_factory=Board)
    is_board_known: bool = True
    reported_tiles: set[str] = field(default_factory=set)
    issues: list[SheetIssue] = field(default_factory=list)
    number: int | None = None

    @property
    def bag_tile_count(self) -> int | None:
        if not self.is_board_known:
            return None
        racks = RACK_SIZE * len(self.sheet.players)
        return max(0, self.tileset.tile_count - racks - len(self.board.tiles_on_board))

    def add_issue(
        self, code: str, stated: int | str | None = None, computed: int | None = None, detail: str = ""
    ) -> None:
        self.issues.append(SheetIssue(code, self.number, stated, computed, detail=detail))


def replay_sheet(
    sheet: Sheet, tileset: TileSet, rules: ReplayRules, challenge_points: Sequence[Sequence[int]] = ()
) -> ReplayedSheet:
    """Compute the scores of a sheet and find its errors.

    For each turn, `challenge_points` has every player's points for wrong challenges. If a play is illegal in the
    written direction, but legal with the stated score in the crossing direction, use this direction and report the
    issue "direction-turned".
    """
    zeros = [0] * len(sheet.players)
    state = _ReplayState(
        sheet,
        tileset,
        rules,
        sheet.first,
        challenge_points,
        computed_totals=zeros.copy(),
        stated_totals=zeros.copy(),
        costs_outside_totals=zeros.copy(),
        costs_in_totals=zeros,
    )
    lines = tuple(_replay_turn(state, number, turn) for number, turn in enumerate(sheet.turns, 1))
    state.number, issue_count = None, len(state.issues)
    rack_values = _check_racks_and_compute_rack_values(state)
    issues = (*(issue for line in lines for issue in line.issues), *state.issues[issue_count:])
    board = state.board if state.is_board_known else None
    unplayed_tiles = tileset.list_remaining_tiles(board.tiles_on_board) if board is not None else None
    return ReplayedSheet(lines, tuple(state.computed_totals), issues, board, unplayed_tiles, rack_values)


def _replay_turn(state: _ReplayState, number: int, turn: Turn) -> ReplayedTurn:
    state.number, issue_count, bag = number, len(state.issues), state.bag_tile_count
    _check_turn_order(state, turn)
    score, words, play = _score_turn(state, turn, bag)
    state.computed_totals[turn.player - 1] += score
    _check_stated_total(state, number, turn, score)
    _report_opponent_form_differences(state, number, turn)
    total, issues = state.computed_totals[turn.player - 1], tuple(state.issues[issue_count:])
    return ReplayedTurn(number, turn.player, turn.kind, score, turn.score, total, words, play, bag, issues)


def _check_turn_order(state: _ReplayState, turn: Turn) -> None:
    if turn.kind.is_real_turn:
        if turn.player != state.next_player:
            state.add_issue("off-turn")
        state.next_player = turn.player % len(state.sheet.players) + 1


def _check_stated_total(state: _ReplayState, number: int, turn: Turn, score: int) -> None:
    """Report a stated total that equals neither the computed total nor the sum of the stated values.

    Accept totals with or without the points for wrong challenges. Some players add these points immediately (in
    Norway), some at the end of the game.
    """
    player = turn.player - 1
    is_in_score = turn.kind is TurnKind.FAILED_CHALLENGE and turn.score is not None
    for index, points in enumerate(state.challenge_costs[number - 1] if state.challenge_costs else ()):
        (state.costs_in_totals if is_in_score and index == player else state.costs_outside_totals)[index] += points
    expected_total = state.stated_totals[player] + (score if turn.score is None else turn.score)
    state.stated_totals[player] = expected_total if turn.total is None else turn.total
    if turn.total is None:
        return
    computed_total = state.computed_totals[player] + state.costs_in_totals[player]
    late_costs = state.costs_outside_totals[player]
    if turn.total in {expected_total, computed_total}:
        return
    if turn.total in {expected_total + late_costs, computed_total + late_costs}:
        state.costs_in_totals[player] += late_costs
        state.costs_outside_totals[player] = 0
        return
    state.add_issue("total-differs", turn.total, computed_total)


def _report_opponent_form_differences(state: _ReplayState, number: int, turn: Turn) -> None:
    for form_values in state.sheet.other_form:
        if form_values.turn != number:
            continue
        for name, own_value, other_value in (
            ("score", turn.score, form_values.score),
            ("total", turn.total, form_values.total),
        ):
            if other_value is not None and other_value != own_value:
                state.issues.append(
                    SheetIssue("forms-differ", number, stated=own_value, other=other_value, detail=name)
                )


def _score_turn(state: _ReplayState, turn: Turn, bag: int | None) -> tuple[int, Words, Play | None]:
    if turn.kind is TurnKind.PLAY:
        return _place_and_score_play(state, turn)
    if turn.kind is TurnKind.FAILED_CHALLENGE:
        return 0, (), None  # the rule set judges its score
    if turn.score:
        state.add_issue("score-differs", turn.score, 0)
    if turn.kind is TurnKind.WITHDRAWN:
        return 0, *_read_withdrawn_play(state, turn)
    if turn.kind is TurnKind.EXCHANGE and bag is not None:
        minimum = max(state.rules.exchange_minimum, turn.tiles or 1)
        if bag < minimum:
            state.add_issue("exchange-too-few", bag, minimum)
    can_wait = state.rules.first_word > _USUAL_FIRST_WORD and not state.board.tiles_on_board
    if turn.kind is TurnKind.PASS and bag and not (state.rules.pass_with_tiles or can_wait):
        state.add_issue("pass-not-allowed", bag, 0)
    return 0, (), None


def _place_and_score_play(state: _ReplayState, turn: Turn) -> tuple[int, Words, Play | None]:
    squares = _read_written_squares(state, turn)
    was_board_known = state.is_board_known
    play = _find_play(state, turn, squares) if squares else None
    if play is None:
        state.is_board_known = False
        if turn.score is None:
            state.add_issue("score-missing")
        return turn.score or 0, _get_complete_word_as_tuple(squares), None
    _check_rack_has_tiles(state, turn, play)
    if (
        was_board_known
        and not state.board.tiles_on_board
        and len(squares) < state.rules.first_word > _USUAL_FIRST_WORD
    ):
        state.add_issue("first-word-short", len(squares), state.rules.first_word)
    state.board = state.board.place_tiles(play.placement.tiles)
    for tile, used, available in state.tileset.find_overused_tiles(state.board.tiles_on_board):
        if tile not in state.reported_tiles:
            state.add_issue("tile-over-used", used, available, detail=tile)
            state.reported_tiles.add(tile)
    if not was_board_known:  # the board may lack adjacent tiles
        return (play.score if turn.score is None else turn.score), _get_complete_word_as_tuple(squares), None
    if turn.score is not None and turn.score != play.score:
        state.add_issue("score-differs", turn.score, play.score)
    return play.score, tuple(word.text for word in play.words), play


def _read_withdrawn_play(state: _ReplayState, turn: Turn) -> tuple[Words, Play | None]:
    earlier_issues = list(state.issues)
    squares = _read_written_squares(state, turn)
    play = _find_play(state, turn, squares) if squares and state.is_board_known else None
    state.issues = earlier_issues
    if play is None:
        return _get_complete_word_as_tuple(squares), None
    return tuple(word.text for word in play.words), play


def _read_written_squares(state: _ReplayState, turn: Turn) -> tuple[SquareOfWrittenWord, ...]:
    if turn.word is None:
        return ()
    try:
        return board.read_written_word(turn.word, state.tileset)
    except ScrabbleError as error:
        state.add_issue(error.code, detail=error.detail)
        return ()


def _get_complete_word_as_tuple(word: Sequence[SquareOfWrittenWord]) -> Words:
    text = "".join(square.tile for square in word)
    return (text,) if text and all(square.tile for square in word) else ()


def _find_play(state: _ReplayState, turn: Turn, word: Sequence[SquareOfWrittenWord]) -> Play | None:
    if turn.at is None:
        return None
    try:
        start = coordinates.parse_square_notation(turn.at)
    except ScrabbleError as error:
        state.add_issue(error.code, detail=error.detail)
        return None
    board, bonus = state.board, state.rules.bonus
    if start.direction is None:
        legal_plays = board.find_legal_plays_starting_at(start.row, start.column, word, state.tileset, bonus=bonus)
        return _choose_legal_play(state, turn, legal_plays)
    square = (start.row, start.column, start.direction)
    play = board.find_legal_play(square, word, state.tileset, bonus=bonus)
    if play is not None:
        return play
    turned_play = board.find_legal_play(
        (start.row, start.column, start.direction.crossing_direction), word, state.tileset, bonus=bonus
    )
    if turned_play is not None and turned_play.score == turn.score:
        _add_placement_issue(state, turn, SheetIssue("direction-turned"))
        return turned_play
    return _score_illegal_play(state, turn, square, word)


def _choose_legal_play(state: _ReplayState, turn: Turn, legal_plays: Sequence[Play]) -> Play | None:
    matching_play = find_only_play_with_score(legal_plays, turn.score)
    if matching_play is None and len(legal_plays) != 1:
        _add_placement_issue(state, turn, SheetIssue("direction-missing"))
        return None
    return matching_play or legal_plays[0]


def _score_illegal_play(
    state: _ReplayState, turn: Turn, start: tuple[int, int, Direction], word: Sequence[SquareOfWrittenWord]
) -> Play | None:
    placement, issues = state.board.find_word_placement(*start, word)
    for issue in issues:
        _add_placement_issue(state, turn, issue)
    if placement is None:
        return None
    for violation in state.board.find_placement_violations(placement):
        if violation.code != "centre-not-covered" or not state.rules.beside_star:
            _add_placement_issue(state, turn, violation)
    return state.board.score_play(placement, state.tileset, bonus=state.rules.bonus)


def _add_placement_issue(state: _ReplayState, turn: Turn, issue: SheetIssue) -> None:
    if state.is_board_known:
        state.issues.append(replace(issue, turn=state.number, detail=issue.detail or turn.at or ""))


def _check_rack_has_tiles(state: _ReplayState, turn: Turn, play: Play) -> None:
    rack = _read_rack(state, turn.rack or "")
    missing = find_tiles_missing_from_rack(play.placement, rack) if rack else ()
    if rack and state.is_board_known and len(missing) > max(0, RACK_SIZE - len(rack)):
        state.add_issue("tile-not-on-rack", detail="".join(missing))


def _read_rack(state: _ReplayState, text: str) -> tuple[str, ...] | None:
    try:
        return state.tileset.parse_tile_text("".join(text.split()))
    except ScrabbleError as error:
        state.add_issue("rack-unreadable", detail=error.detail)
        return None


def _check_racks_and_compute_rack_values(state: _ReplayState) -> tuple[int | None, ...]:
    sheet, tileset = state.sheet, state.tileset
    racks = [_read_rack(state, text) for text in sheet.racks or ()]
    for rack in racks:
        if rack is not None and len(rack) > RACK_SIZE:
            state.add_issue("rack-too-long", len(rack), RACK_SIZE, detail=tileset.format_tiles(rack))
    rack_values = tuple(None if rack is None else tileset.sum_tile_values(rack) for rack in racks)
    values: tuple[int | None, ...] = sheet.rack_values or rack_values or (None,) * len(sheet.players)
    if not state.is_board_known or state.board.is_empty:
        return values
    remaining_tiles = tileset.list_remaining_tiles(state.board.tiles_on_board)
    if sheet.ended is GameEnding.OUT:
        return _compute_rack_values_after_going_out(state, racks, values, remaining_tiles)
    rack_tiles = [tile for rack in racks for tile in rack or ()]
    for tile, used, available in tileset.find_overused_tiles((*state.board.tiles_on_board, *rack_tiles)):
        if tile not in state.reported_tiles:
            state.add_issue("tile-over-used", used, available, detail=tile)
    if sheet.racks and sheet.ended not in {None, GameEnding.OPEN} and state.bag_tile_count == 0:
        _report_racks_unlike_unplayed_tiles(state, racks, values, remaining_tiles)
    return values


def _compute_rack_values_after_going_out(
    state: _ReplayState,
    racks: Sequence[tuple[str, ...] | None],
    values: tuple[int | None, ...],
    unplayed_tiles: Sequence[str],
) -> tuple[int | None, ...]:
    """Return the value of each player's rack. With two players, compute missing values.

    Report written racks that differ from the unplayed tiles.
    """
    players = len(state.sheet.players)
    last_player = [turn.player for turn in state.sheet.turns if turn.kind is TurnKind.PLAY][-1]
    if len(unplayed_tiles) > RACK_SIZE * (players - 1):
        state.add_issue("out-impossible", len(unplayed_tiles), RACK_SIZE * (players - 1))
        return values
    if values[last_player - 1]:
        state.add_issue("rack-not-empty", values[last_player - 1], 0)
    _report_racks_unlike_unplayed_tiles(state, racks, values, unplayed_tiles)
    if players > 2:  # noqa: PLR2004 - only the sum of the other racks is known
        return values
    value_of_rest = state.tileset.sum_tile_values(unplayed_tiles)
    computed_values = [0 if player == last_player else value_of_rest for player in range(1, players + 1)]
    return tuple(new if value is None else value for value, new in zip(values, computed_values, strict=True))


def _report_racks_unlike_unplayed_tiles(
    state: _ReplayState,
    racks: Sequence[tuple[str, ...] | None],
    values: Sequence[int | None],
    unplayed_tiles: Sequence[str],
) -> None:
    known_values = [value for value in values if value is not None]
    if len(known_values) < len(values):
        return
    rack_tiles = sorted(tile for rack in racks for tile in rack or ())
    stated_value, computed_value = sum(known_values), state.tileset.sum_tile_values(unplayed_tiles)
    if stated_value != computed_value or (racks and rack_tiles != sorted(unplayed_tiles)):
        tiles = state.tileset.format_tiles(unplayed_tiles)
        state.add_issue("rack-differs", stated_value, computed_value, detail=tiles)
