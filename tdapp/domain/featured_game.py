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
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import Game, GameId, PlayerId, Result, Start
from tdapp.domain.sheet_draft import SheetEnd, make_sheet_draft
from tdapp.domain.tournament import Tournament
from tdapp.scrabble import turn_line
from tdapp.scrabble.coordinates import SquareNotation
from tdapp.scrabble.sheet import GameEnding, Sheet, Turn
from tdapp.scrabble.tiles import TileSet

LONGEST_DELAY = 30  # minutes
FEATURED_SLOT = -1  # value of an overlay slot instead of a table number


class WordsShownTo(StrEnum):
    """The people who can see whether a word is in the word list."""

    NOBODY = "nobody"
    TYPIST = "typist"
    EVERYBODY = "everybody"


class TimedGameState(Struct, frozen=True):
    """The state of a game from the time `at` on."""

    at: str  # UTC in ISO 8601, "" if always public
    game: GameId
    first: PlayerId | None = None
    sheet: Sheet | None = None  # the sheet of form 1
    result: Result | None = None


class FeaturedGameHistory(Struct, frozen=True):
    """The featured game with its states so far."""

    game: GameId
    code: str  # lets the typist enter turns
    delay: int = 0  # minutes
    words: WordsShownTo = WordsShownTo.TYPIST
    states: tuple[TimedGameState, ...] = ()  # oldest first
    since: str = ""  # when this game became the featured game
    earlier: FeaturedGameHistory | None = None  # the public sees it until the delay after `since` is over

    def list_public_states(self, now: str) -> tuple[TimedGameState, ...]:
        own = TimedGameState("", self.game)
        for state in self.states:
            if self._is_public(state.at, now):
                own = state
        if self.earlier is None or self._is_public(self.since, now):
            return (own,)
        return (replace(self.earlier, delay=self.delay, earlier=None).list_public_states(now)[0], own)

    def _is_public(self, at: str, now: str) -> bool:
        return not self.delay or _compute_time_between(at, now) > timedelta(
            minutes=self.delay
        )  # both have whole seconds

    def find_public_wordlist(self, tournament: Tournament, game: GameId) -> str:
        """Return the id of the word list that marks words for the public, "" if words are not marked."""
        told = self.words is WordsShownTo.EVERYBODY and game in tournament.games
        return tournament.wordlist_of(tournament.games[game]) if told else ""

    def compute_seconds_to_next_state(self, now: str) -> int | None:
        """Return the seconds until the public may see the next state, None if it sees the newest."""
        states = (*self.states, *(self.earlier.states if self.earlier else ()))
        times = (*(one.at for one in states), *((self.since,) if self.earlier else ()))
        hidden = [_compute_time_between(at, now) for at in times if not self._is_public(at, now)]
        return int((timedelta(minutes=self.delay) - max(hidden)).total_seconds()) + 1 if hidden else None

    def add_state(self, state: TimedGameState) -> FeaturedGameHistory:
        old = [
            at
            for at, one in enumerate(self.states)
            if _compute_time_between(one.at, state.at) > timedelta(minutes=LONGEST_DELAY)
        ]
        return replace(self, states=(*self.states[old[-1] if old else 0 :], state))


def _compute_time_between(at: str, now: str) -> timedelta:
    return datetime.fromisoformat(now) - datetime.fromisoformat(at) if at else timedelta.max


def find_newest_game_at_table(index: Index, table: int) -> Game | None:
    """Return the game at a table in the newest round of the first division that has this table."""
    for division in index.divisions:
        for item in index.published(division.id)[-1:]:
            for game in index.games(item.id):
                if game.table == table:
                    return game
    return None


def make_timed_game_state(tournament: Tournament, game: GameId, at: str) -> TimedGameState:
    form, row = find_first_sheet_form(tournament, game), tournament.games.get(game)
    first, sheet = row.first if row else None, form.sheet if form else None
    return TimedGameState(at, game, first, sheet, tournament.results.get(game))


def find_first_sheet_form(tournament: Tournament, game: GameId) -> ScoreSheet | None:
    return next((one for one in tournament.sheets.values() if (one.game, one.form) == (game, 1)), None)


def replace_results_with_public_ones(
    tournament: Tournament, public_states: Iterable[TimedGameState]
) -> Tournament:
    for one in public_states:
        result, game = tournament.results.get(one.game), tournament.games.get(one.game)
        if game is None or result == one.result:
            continue
        if one.result is not None and game.first == one.first:  # otherwise the draw has swapped the players since
            tournament = tournament.put(one.result)
        elif result is not None:
            tournament = tournament.drop(result)
    return tournament


# --- typing


class TypedTurn(Struct, frozen=True):
    """A turn that the typist entered."""

    player: PlayerId
    turn: Turn | None  # None: remove the last turn, or only set the current rack
    rack: str = ""  # current tiles of the player
    replaced: str = ""  # text of the turn that this one replaces, or ""


def choose_notation(tileset: TileSet) -> SquareNotation:
    return SquareNotation.LETTERED_ROWS if tileset.lettered_rows else SquareNotation.NUMBERED_ROWS


def enter_turn(
    tournament: Tournament, *, game: GameId, number: int, typed: TypedTurn, tileset: TileSet
) -> Tournament:
    """Enter turn `number` on the unfinished sheet of a game. The same turn again has no effect.

    Raises RuleViolation "turn-typed-otherwise" if the sheet has another turn than the typist saw, and the
    errors of `enter_sheet`.
    """
    row = get_row_or_refuse(tournament.games, game, "game-gone")
    sheet = _get_unfinished_sheet(tournament, row, typed.player)
    player = 1 if typed.player == row.first else 2
    turn = replace(typed.turn, player=player) if typed.turn else None
    behind = number == len(sheet.turns) + 1
    before = sheet.turns[number - 1] if 1 <= number <= len(sheet.turns) else None
    if turn is None and typed.rack:
        changed = _set_current_rack(sheet, player, typed.rack) if behind and not sheet.is_finished else sheet
    elif before == turn or (before and turn and not typed.replaced and _is_same_turn(turn, before)):
        return tournament
    elif typed.replaced != (turn_line.write_turn_line(before, choose_notation(tileset)) if before else "") or not (
        before or behind
    ):
        raise RuleViolation("turn-typed-otherwise", table=row.table, turn=number)
    else:
        changed = _replace_turn(sheet, number, turn, table=row.table)
    return enter_sheet(tournament, game=game, sheet=changed, tileset=tileset)


def enter_game_end(tournament: Tournament, *, game: GameId, end: SheetEnd, tileset: TileSet) -> Tournament:
    """Enter the end of the game.

    Raises UnfinishedDraftError as `SheetDraft.make_sheet` does, and the errors of `enter_sheet`.
    """
    row = get_row_or_refuse(tournament.games, game, "game-gone")
    sheet = _get_unfinished_sheet(tournament, row, row.first)
    draft = make_sheet_draft(sheet, (sheet.players[0], sheet.players[1]), choose_notation(tileset))
    ended = replace(draft, end=end).make_sheet(tileset)
    return enter_sheet(tournament, game=game, sheet=ended, tileset=tileset)


def _get_unfinished_sheet(tournament: Tournament, game: Game, player: PlayerId) -> Sheet:
    form, players = find_first_sheet_form(tournament, game.id), tournament.players
    names = (players[game.first].name, players[game.second].name)
    sheet = replace(form.sheet, players=names) if form else Sheet(names, (), ended=GameEnding.OPEN)
    drawn = not sheet.turns and game.start is not Start.ASSIGNED
    return replace(sheet, first=2) if drawn and player == game.second else sheet


def _is_same_turn(turn: Turn, before: Turn) -> bool:
    rack = before.rack if turn.rack is None else turn.rack
    return replace(turn, rack=rack, ruling=before.ruling, wrong_words=before.wrong_words) == before


def _replace_turn(sheet: Sheet, number: int, turn: Turn | None, *, table: int) -> Sheet:
    turns = sheet.turns
    if number < len(turns):
        if turn is None:
            raise RuleViolation("turn-not-last", table=table, turn=number)
        return replace(sheet, turns=(*turns[: number - 1], turn, *turns[number:]))
    if number == len(turns) and turn is not None:
        return replace(sheet, turns=(*turns[:-1], turn))
    racks = ["", ""] if sheet.is_finished else [*(sheet.racks or ("", ""))]
    if turn is not None and turn.kind.is_turn:
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
