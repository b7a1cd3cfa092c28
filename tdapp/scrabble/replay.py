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
    WrittenSquare,
    find_missing_tiles,
    find_only_play_with_score,
)
from tdapp.scrabble.coordinates import Direction
from tdapp.scrabble.issue import Issue, ScrabbleError
from tdapp.scrabble.sheet import GameEnding, Sheet, Turn, TurnKind
from tdapp.scrabble.tiles import TileSet

_USUAL_FIRST_WORD = 2


class ReplayRules(Struct, frozen=True):
    """The rules that affect the replay of a score sheet."""

    bonus: int = BONUS
    exchange_minimum: int = 7  # number of tiles that the bag must have; 0: as many as are exchanged
    pass_with_tiles: bool = True  # a pass is allowed while the bag has tiles (not by be-brailleliga 7)
    beside_star: bool = False  # the first play need not cover the centre
    # least number of letters of the first word; if over 2, a player without such a word passes
    first_word: int = 2


class ReplayedTurn(NamedTuple):
    """A turn of a sheet with its computed score and its problems."""

    number: int
    player: int
    kind: TurnKind
    score: int  # computed from the board, otherwise as stated, otherwise 0
    stated: int | None
    total: int
    words: tuple[str, ...]
    play: Play | None  # None if its squares are unknown
    bag: int | None  # number of tiles in the bag before the turn, None if unknown
    issues: tuple[Issue, ...]


class Replay(NamedTuple):
    """A replayed score sheet with its computed totals and its problems."""

    lines: tuple[ReplayedTurn, ...]
    totals: tuple[int, ...]  # without racks, clocks and penalties
    issues: tuple[Issue, ...]
    board: Board | None  # None unless all plays could be placed
    unplayed_tiles: tuple[str, ...] | None  # None if unknown
    # as noted, or computed for the opponent of a player who went out; None if unknown
    rack_values: tuple[int | None, ...]


class _ReplayState(Struct):
    sheet: Sheet
    tileset: TileSet
    rules: ReplayRules
    turn_of: int
    challenge_costs: Sequence[Sequence[int]]
    computed_totals: list[int]
    stated_totals: list[int]  # or computed from earlier ones
    costs_outside_totals: list[int]  # points for wrong challenges not included in the stated totals
    costs_in_totals: list[int]  # points included in them
    board: Board = field(default_factory=Board)
    is_board_known: bool = True
    over_used: set[str] = field(default_factory=set)
    issues: list[Issue] = field(default_factory=list)
    number: int | None = None

    @property
    def bag_count(self) -> int | None:
        if not self.is_board_known:
            return None
        racks = RACK_SIZE * len(self.sheet.players)
        return max(0, self.tileset.tile_count - racks - len(self.board.tiles))

    def add_issue(
        self, code: str, stated: int | str | None = None, computed: int | None = None, detail: str = ""
    ) -> None:
        self.issues.append(Issue(code, self.number, stated, computed, detail=detail))


def replay_sheet(sheet: Sheet, tileset: TileSet, rules: ReplayRules, cost: Sequence[Sequence[int]] = ()) -> Replay:
    """Compute the scores of a sheet and find its errors.

    `cost` has the points for wrong challenges, by line and player. In the issue forms-differ, `stated` is the
    value on this form and `other` that of the opponent's form. The issue direction-turned means that only the
    other direction is legal and has the stated score, so it is used.
    """
    nothing = [0] * len(sheet.players)
    state = _ReplayState(
        sheet,
        tileset,
        rules,
        sheet.first,
        cost,
        computed_totals=nothing.copy(),
        stated_totals=nothing.copy(),
        costs_outside_totals=nothing.copy(),
        costs_in_totals=nothing,
    )
    lines = tuple(_replay_turn(state, number, turn) for number, turn in enumerate(sheet.turns, 1))
    state.number, before = None, len(state.issues)
    rack_values = _check_and_value_racks(state)
    issues = (*(issue for line in lines for issue in line.issues), *state.issues[before:])
    board, left = (
        (state.board, tileset.list_remaining_tiles(state.board.tiles)) if state.is_board_known else (None, None)
    )
    return Replay(lines, tuple(state.computed_totals), issues, board, left, rack_values)


def _replay_turn(state: _ReplayState, number: int, turn: Turn) -> ReplayedTurn:
    state.number, before, bag = number, len(state.issues), state.bag_count
    _check_turn_order(state, turn)
    score, words, play = _score_turn(state, turn, bag)
    state.computed_totals[turn.player - 1] += score
    _check_stated_total(state, number, turn, score)
    _report_form_differences(state, number, turn)
    total, issues = state.computed_totals[turn.player - 1], tuple(state.issues[before:])
    return ReplayedTurn(number, turn.player, turn.kind, score, turn.score, total, words, play, bag, issues)


def _check_turn_order(state: _ReplayState, turn: Turn) -> None:
    if turn.kind.is_turn:
        if turn.player != state.turn_of:
            state.add_issue("off-turn")
        state.turn_of = turn.player % len(state.sheet.players) + 1


def _check_stated_total(state: _ReplayState, number: int, turn: Turn, score: int) -> None:
    """Report a stated total that equals neither the computed total nor the sum of earlier stated values.

    Points for a wrong challenge may be deducted in the total of its turn (Norway) or at the end.
    """
    player = turn.player - 1
    in_score = turn.kind is TurnKind.FAILED_CHALLENGE and turn.score is not None
    for at, points in enumerate(state.challenge_costs[number - 1] if state.challenge_costs else ()):
        (state.costs_in_totals if in_score and at == player else state.costs_outside_totals)[at] += points
    follows = state.stated_totals[player] + (score if turn.score is None else turn.score)
    state.stated_totals[player] = follows if turn.total is None else turn.total
    if turn.total is None:
        return
    computed, late = (
        state.computed_totals[player] + state.costs_in_totals[player],
        state.costs_outside_totals[player],
    )
    if turn.total in {follows, computed}:
        return
    if turn.total in {follows + late, computed + late}:
        state.costs_in_totals[player], state.costs_outside_totals[player] = state.costs_in_totals[player] + late, 0
        return
    state.add_issue("total-differs", turn.total, computed)


def _report_form_differences(state: _ReplayState, number: int, turn: Turn) -> None:
    for other in state.sheet.other_form:
        if other.turn != number:
            continue
        for name, mine, theirs in (("score", turn.score, other.score), ("total", turn.total, other.total)):
            if theirs is not None and theirs != mine:
                state.issues.append(Issue("forms-differ", number, stated=mine, other=theirs, detail=name))


def _score_turn(state: _ReplayState, turn: Turn, bag: int | None) -> tuple[int, tuple[str, ...], Play | None]:
    if turn.kind is TurnKind.PLAY:
        return _place_play(state, turn)
    if turn.kind is TurnKind.FAILED_CHALLENGE:
        return 0, (), None  # the rule set judges its score
    if turn.score:
        state.add_issue("score-differs", turn.score, 0)
    if turn.kind is TurnKind.WITHDRAWN:
        return 0, *_read_withdrawn_play(state, turn)
    if turn.kind is TurnKind.EXCHANGE and bag is not None:
        needed = max(state.rules.exchange_minimum, turn.tiles or 1)
        if bag < needed:
            state.add_issue("exchange-too-few", bag, needed)
    waits = state.rules.first_word > _USUAL_FIRST_WORD and not state.board.tiles
    if turn.kind is TurnKind.PASS and bag and not (state.rules.pass_with_tiles or waits):
        state.add_issue("pass-not-allowed", bag, 0)
    return 0, (), None


def _place_play(state: _ReplayState, turn: Turn) -> tuple[int, tuple[str, ...], Play | None]:
    marks = _read_written_squares(state, turn)
    before = state.is_board_known
    play = _find_play(state, turn, marks) if marks else None
    if play is None:
        state.is_board_known = False
        if turn.score is None:
            state.add_issue("score-missing")
        return turn.score or 0, _join_written_letters(marks), None
    _check_rack_has_tiles(state, turn, play)
    if before and not state.board.tiles and len(marks) < state.rules.first_word > _USUAL_FIRST_WORD:
        state.add_issue("first-word-short", len(marks), state.rules.first_word)
    state.board = state.board.place_tiles(play.placement.tiles)
    for tile, used, available in state.tileset.find_overused_tiles(state.board.tiles):
        if tile not in state.over_used:
            state.add_issue("tile-over-used", used, available, detail=tile)
            state.over_used.add(tile)
    if not before:  # the board may lack adjacent tiles
        return (play.score if turn.score is None else turn.score), _join_written_letters(marks), None
    if turn.score is not None and turn.score != play.score:
        state.add_issue("score-differs", turn.score, play.score)
    return play.score, tuple(word.text for word in play.words), play


def _read_withdrawn_play(state: _ReplayState, turn: Turn) -> tuple[tuple[str, ...], Play | None]:
    before = list(state.issues)
    marks = _read_written_squares(state, turn)
    play = _find_play(state, turn, marks) if marks and state.is_board_known else None
    state.issues = before
    if play is None:
        return _join_written_letters(marks), None
    return tuple(word.text for word in play.words), play


def _read_written_squares(state: _ReplayState, turn: Turn) -> tuple[WrittenSquare, ...]:
    if turn.word is None:
        return ()
    try:
        return board.read_written_word(turn.word, state.tileset)
    except ScrabbleError as error:
        state.add_issue(error.code, detail=error.detail)
        return ()


def _join_written_letters(word: Sequence[WrittenSquare]) -> tuple[str, ...]:
    """Return the word as written, "" if letters are missing."""
    text = "".join(mark.tile for mark in word)
    return (text,) if text and all(mark.tile for mark in word) else ()


def _find_play(state: _ReplayState, turn: Turn, word: Sequence[WrittenSquare]) -> Play | None:
    if turn.at is None:
        return None
    try:
        at = coordinates.read_square(turn.at)
    except ScrabbleError as error:
        state.add_issue(error.code, detail=error.detail)
        return None
    board, bonus = state.board, state.rules.bonus
    if at.direction is None:
        legal = board.find_legal_plays(at.row, at.column, word, state.tileset, bonus=bonus)
        return _choose_legal_play(state, turn, legal)
    place = (at.row, at.column, at.direction)
    play = board.find_legal_play(place, word, state.tileset, bonus=bonus)
    if play is not None:
        return play
    turned = board.find_legal_play(
        (at.row, at.column, at.direction.crossing_direction), word, state.tileset, bonus=bonus
    )
    if turned is not None and turned.score == turn.score:
        _add_square_issue(state, turn, Issue("direction-turned"))
        return turned
    return _place_illegal_play(state, turn, place, word)


def _choose_legal_play(state: _ReplayState, turn: Turn, legal: Sequence[Play]) -> Play | None:
    fits = find_only_play_with_score(legal, turn.score)
    if fits is None and len(legal) != 1:
        _add_square_issue(state, turn, Issue("direction-missing"))
        return None
    return fits or legal[0]


def _place_illegal_play(
    state: _ReplayState, turn: Turn, at: tuple[int, int, Direction], word: Sequence[WrittenSquare]
) -> Play | None:
    placement, issues = state.board.find_word_placement(*at, word)
    for issue in issues:
        _add_square_issue(state, turn, issue)
    if placement is None:
        return None
    for fault in state.board.find_violations(placement):
        if fault.code != "centre-not-covered" or not state.rules.beside_star:
            _add_square_issue(state, turn, fault)
    return state.board.score_play(placement, state.tileset, bonus=state.rules.bonus)


def _add_square_issue(state: _ReplayState, turn: Turn, issue: Issue) -> None:
    if state.is_board_known:
        state.issues.append(replace(issue, turn=state.number, detail=issue.detail or turn.at or ""))


def _check_rack_has_tiles(state: _ReplayState, turn: Turn, play: Play) -> None:
    rack = _read_rack(state, turn.rack or "")
    missing = find_missing_tiles(play.placement, rack) if rack else ()
    if rack and state.is_board_known and len(missing) > max(0, RACK_SIZE - len(rack)):
        state.add_issue("tile-not-on-rack", detail="".join(missing))


def _read_rack(state: _ReplayState, text: str) -> tuple[str, ...] | None:
    try:
        return state.tileset.read_tiles("".join(text.split()))
    except ScrabbleError as error:
        state.add_issue("rack-unreadable", detail=error.detail)
        return None


def _check_and_value_racks(state: _ReplayState) -> tuple[int | None, ...]:
    sheet, tileset = state.sheet, state.tileset
    racks = [_read_rack(state, text) for text in sheet.racks or ()]
    for rack in racks:
        if rack is not None and len(rack) > RACK_SIZE:
            state.add_issue("rack-too-long", len(rack), RACK_SIZE, detail=tileset.write_tiles(rack))
    noted: tuple[int | None, ...] = tuple(None if rack is None else tileset.sum_values(rack) for rack in racks)
    values = sheet.rack_values or noted or (None,) * len(sheet.players)
    if not state.is_board_known or state.board.is_empty:
        return values
    left = tileset.list_remaining_tiles(state.board.tiles)
    if sheet.ended is GameEnding.OUT:
        return _check_racks_after_going_out(state, racks, values, left)
    held = [tile for rack in racks for tile in rack or ()]
    for tile, used, available in tileset.find_overused_tiles((*state.board.tiles, *held)):
        if tile not in state.over_used:
            state.add_issue("tile-over-used", used, available, detail=tile)
    if sheet.racks and sheet.ended not in {None, GameEnding.OPEN} and state.bag_count == 0:
        _report_rack_difference(state, racks, values, left)
    return values


def _check_racks_after_going_out(
    state: _ReplayState,
    racks: Sequence[tuple[str, ...] | None],
    values: tuple[int | None, ...],
    unplayed: Sequence[str],
) -> tuple[int | None, ...]:
    """Compare the noted racks with the unplayed tiles. Return the rack values, computed if not noted."""
    players = len(state.sheet.players)
    out = [turn.player for turn in state.sheet.turns if turn.kind is TurnKind.PLAY][-1]
    if len(unplayed) > RACK_SIZE * (players - 1):
        state.add_issue("out-impossible", len(unplayed), RACK_SIZE * (players - 1))
        return values
    if values[out - 1]:
        state.add_issue("rack-not-empty", values[out - 1], 0)
    _report_rack_difference(state, racks, values, unplayed)
    if players > 2:  # noqa: PLR2004 - of three only the sum is known
        return values
    derived = [0 if player == out else state.tileset.sum_values(unplayed) for player in range(1, players + 1)]
    return tuple(new if value is None else value for value, new in zip(values, derived, strict=True))


def _report_rack_difference(
    state: _ReplayState, racks: Sequence[tuple[str, ...] | None], values: Sequence[int | None], rest: Sequence[str]
) -> None:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return
    held = sorted(tile for rack in racks for tile in rack or ())
    stated, computed = sum(known), state.tileset.sum_values(rest)
    if stated != computed or (racks and held != sorted(rest)):
        state.add_issue("rack-differs", stated, computed, detail=state.tileset.write_tiles(rest))
