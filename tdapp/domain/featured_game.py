"""The featured game. A typist enters its turns during play, and the public sees them after a delay.

The typed turns are an unfinished score sheet of the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.commands.rule import get_row_or_refuse
from tdapp.domain.commands.sheets import enter_sheet
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import Game, GameId, PlayerId, Result, StartDecision
from tdapp.domain.sheet_draft import SheetEnd, make_sheet_draft
from tdapp.domain.tournament import Tournament
from tdapp.scrabble import turn_line
from tdapp.scrabble.coordinates import SquareNotation
from tdapp.scrabble.sheet import GameEnding, Sheet, Turn
from tdapp.scrabble.tiles import TileSet

LONGEST_DELAY = 30  # minutes
FEATURED_SLOT = -1  # instead of a table number: an overlay shows the featured game


class WordValidityAudience(StrEnum):
    """The people who can see whether a word is in the word list."""

    NOBODY = "nobody"
    TYPIST = "typist"
    EVERYBODY = "everybody"


class TimeStampedGameState(Struct, frozen=True):
    """The state of a game from `time` on."""

    time: str  # UTC in ISO 8601, "" if always public
    game: GameId
    first: PlayerId | None = None
    sheet: Sheet | None = None  # the sheet of form 1
    result: Result | None = None


class FeaturedGameHistory(Struct, frozen=True):
    """The featured game with its states so far."""

    game: GameId
    code: str  # lets the typist enter turns
    delay: int = 0  # minutes
    words: WordValidityAudience = WordValidityAudience.TYPIST
    states: tuple[TimeStampedGameState, ...] = ()  # oldest first
    start: str = ""  # when this game became the featured game
    previous: FeaturedGameHistory | None = None  # the public sees it until the delay after `start` is over

    def list_newest_public_state_of_each_game(self, now: str) -> tuple[TimeStampedGameState, ...]:
        public_state = TimeStampedGameState("", self.game)
        for state in self.states:
            if self._is_delay_over(state.time, now):
                public_state = state
        if self.previous is None or self._is_delay_over(self.start, now):
            return (public_state,)
        return (
            replace(self.previous, delay=self.delay, previous=None).list_newest_public_state_of_each_game(now)[0],
            public_state,
        )

    def _is_delay_over(self, time: str, now: str) -> bool:
        delay = timedelta(minutes=self.delay)
        return not delay or _compute_time_between(time, now) > delay  # both times have whole seconds

    def find_wordlist_id_for_public_verdicts(self, tournament: Tournament, game: GameId) -> str:
        """Return the id of the game's word list if the public may see which words are valid, otherwise ""."""
        is_public = self.words is WordValidityAudience.EVERYBODY and game in tournament.games
        return tournament.get_wordlist_id_of_row(tournament.games[game]) if is_public else ""

    def compute_seconds_to_next_public_state(self, now: str) -> int | None:
        """Return the seconds until the public may see the next state, None if the newest is public."""
        states = (*self.states, *(self.previous.states if self.previous else ()))
        times = (*(state.time for state in states), *((self.start,) if self.previous else ()))
        hidden_times = [_compute_time_between(time, now) for time in times if not self._is_delay_over(time, now)]
        return (
            int((timedelta(minutes=self.delay) - max(hidden_times)).total_seconds()) + 1 if hidden_times else None
        )

    def add_state_and_drop_expired(self, state: TimeStampedGameState) -> FeaturedGameHistory:
        expired_indexes = [
            index
            for index, earlier_state in enumerate(self.states)
            if _compute_time_between(earlier_state.time, state.time) > timedelta(minutes=LONGEST_DELAY)
        ]
        return replace(self, states=(*self.states[expired_indexes[-1] if expired_indexes else 0 :], state))


def _compute_time_between(start: str, end: str) -> timedelta:
    return datetime.fromisoformat(end) - datetime.fromisoformat(start) if start else timedelta.max


def find_newest_game_at_table(index: TournamentIndex, table: int) -> Game | None:
    """Return the game at a table in the newest round of the first division that has this table."""
    for division in index.divisions:
        for item in index.list_published_rounds(division.id)[-1:]:
            for game in index.games(item.id):
                if game.table == table:
                    return game
    return None


def make_time_stamped_game_state(tournament: Tournament, game: GameId, time: str) -> TimeStampedGameState:
    form, row = find_sheet_with_form_number_1(tournament, game), tournament.games.get(game)
    first, sheet = row.first if row else None, form.sheet if form else None
    return TimeStampedGameState(time, game, first, sheet, tournament.results.get(game))


def find_sheet_with_form_number_1(tournament: Tournament, game: GameId) -> ScoreSheet | None:
    return next((sheet for sheet in tournament.sheets.values() if (sheet.game, sheet.form) == (game, 1)), None)


def replace_results_with_public_ones(
    tournament: Tournament, public_states: Iterable[TimeStampedGameState]
) -> Tournament:
    for state in public_states:
        result, game = tournament.results.get(state.game), tournament.games.get(state.game)
        if game is None or result == state.result:
            continue
        if (
            state.result is not None and game.first == state.first
        ):  # otherwise the draw has swapped the players since
            tournament = tournament.put(state.result)
        elif result is not None:
            tournament = tournament.drop(result)
    return tournament


# --- typing


class TypedTurn(Struct, frozen=True):
    """A turn that the typist entered."""

    player: PlayerId
    turn: Turn | None  # None: set the current rack, or remove the last turn if `rack` is ""
    rack: str = ""  # current tiles of the player
    replaced: str = ""  # text of the turn that this one replaces, or ""


def get_square_notation_for_tileset(tileset: TileSet) -> SquareNotation:
    return SquareNotation.LETTERED_ROWS if tileset.lettered_rows else SquareNotation.NUMBERED_ROWS


def enter_turn(
    tournament: Tournament, *, game: GameId, number: int, typed_turn: TypedTurn, tileset: TileSet
) -> Tournament:
    """Enter turn `number` on the unfinished sheet of a game. Entering an equal turn again has no effect.

    To change a stored turn, pass its old text as `typed_turn.replaced`. Raises CommandError "turn-typed-otherwise"
    if the stored turn has another text, and other codes if the sheet is invalid.
    """
    row = get_row_or_refuse(tournament.games, game, "game-gone")
    sheet = _get_or_make_sheet(tournament, row, typed_turn.player)
    player = 1 if typed_turn.player == row.first else 2
    turn = replace(typed_turn.turn, player=player) if typed_turn.turn else None
    is_next = number == len(sheet.turns) + 1
    old_turn = sheet.turns[number - 1] if 1 <= number <= len(sheet.turns) else None
    if turn is None and typed_turn.rack:
        changed_sheet = (
            _set_current_rack(sheet, player, typed_turn.rack) if is_next and not sheet.has_ending else sheet
        )
    elif old_turn == turn or (old_turn and turn and not typed_turn.replaced and _is_same_turn(turn, old_turn)):
        return tournament
    elif typed_turn.replaced != (
        turn_line.format_turn_line(old_turn, get_square_notation_for_tileset(tileset)) if old_turn else ""
    ) or not (old_turn or is_next):
        raise CommandError("turn-typed-otherwise", table=row.table, turn=number)
    else:
        changed_sheet = _set_or_remove_turn(sheet, number, turn, table=row.table)
    return enter_sheet(tournament, game=game, sheet=changed_sheet, tileset=tileset)


def enter_game_end(tournament: Tournament, *, game: GameId, end: SheetEnd, tileset: TileSet) -> Tournament:
    """Enter the end of the game.

    Raises SheetDraftError for an impossible sheet or end, CommandError if the sheet is refused.
    """
    row = get_row_or_refuse(tournament.games, game, "game-gone")
    sheet = _get_or_make_sheet(tournament, row, row.first)
    draft = make_sheet_draft(sheet, (sheet.players[0], sheet.players[1]), get_square_notation_for_tileset(tileset))
    finished_sheet = replace(draft, end=end).make_sheet(tileset)
    return enter_sheet(tournament, game=game, sheet=finished_sheet, tileset=tileset)


def _get_or_make_sheet(tournament: Tournament, game: Game, player: PlayerId) -> Sheet:
    form, players = find_sheet_with_form_number_1(tournament, game.id), tournament.players
    names = (players[game.first].name, players[game.second].name)
    sheet = replace(form.sheet, players=names) if form else Sheet(names, (), ended=GameEnding.OPEN)
    has_drawn_start = not sheet.turns and game.start is not StartDecision.ASSIGNED
    return replace(sheet, first=2) if has_drawn_start and player == game.second else sheet


def _is_same_turn(turn: Turn, old_turn: Turn) -> bool:
    rack = old_turn.rack if turn.rack is None else turn.rack
    return replace(turn, rack=rack, ruling=old_turn.ruling, wrong_words=old_turn.wrong_words) == old_turn


def _set_or_remove_turn(sheet: Sheet, number: int, turn: Turn | None, *, table: int) -> Sheet:
    turns = sheet.turns
    if number < len(turns):
        if turn is None:
            raise CommandError("turn-not-last", table=table, turn=number)
        return replace(sheet, turns=(*turns[: number - 1], turn, *turns[number:]))
    if number == len(turns) and turn is not None:
        return replace(sheet, turns=(*turns[:-1], turn))
    racks = ["", ""] if sheet.has_ending else [*(sheet.racks or ("", ""))]
    if turn is not None and turn.kind.is_real_turn:
        turn = replace(turn, rack=turn.rack or racks[turn.player - 1] or None)
        racks[turn.player - 1] = ""
    return replace(
        sheet,
        turns=(*turns[: number - 1], *filter(None, [turn])),
        ended=GameEnding.OPEN,
        racks=(racks[0], racks[1]) if any(racks) else None,
        rack_values=None,
        flag=None,
        forfeit=None,
        overtime_seconds=(),
    )


def _set_current_rack(sheet: Sheet, player: int, rack: str) -> Sheet:
    racks = [*(sheet.racks or ("", ""))]
    racks[player - 1] = rack
    return replace(sheet, racks=(racks[0], racks[1]))
