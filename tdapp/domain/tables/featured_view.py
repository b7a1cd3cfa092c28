"""The game at the featured table, as spectators see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from tdapp.domain.errors import UserError
from tdapp.domain.featured_game import TimeStampedGameState, get_square_notation_for_tileset
from tdapp.domain.judging import judge_sheet
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.rulings import list_doubtful_word_issues
from tdapp.domain.tournament import Tournament
from tdapp.scrabble import turn_line
from tdapp.scrabble.board import Board
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.sheet import GameEnding, Sheet, Turn, TurnKind
from tdapp.scrabble.tiles import TileSet
from tdapp.scrabble.wordlist import WordList


class LastTurn(Struct, frozen=True):
    """The newest turn."""

    turn: Turn
    square: str  # written as in the rule book
    score: int
    doubtful: tuple[str, ...] = ()  # words missing from the word list


class FeaturedGame(Struct, frozen=True):
    """The state of the game at the featured table."""

    table: int
    tileset: str
    names: tuple[str, str]
    scores: tuple[int, int]
    turn: int  # next player, 1 or 2; 0 after the end
    racks: tuple[tuple[str, ...], tuple[str, ...]]
    board: Board
    new: frozenset[tuple[int, int]]  # squares of the last play
    unseen: tuple[tuple[str, int], ...]  # tiles neither on the board nor on a known rack, with their counts
    last: LastTurn | None = None


def make_featured_game(
    sheet: Sheet,
    rules: RuleSet,
    tileset: TileSet,
    *,
    table: int,
    names: tuple[str, str],
    wordlist: WordList | None,
) -> FeaturedGame:
    """Return the state of a game from its score sheet. Raises the errors of `judge_sheet` for an invalid sheet.

    Without `wordlist`, no words are checked.
    """
    judged = judge_sheet(sheet, rules, tileset)
    board, new = Board(), frozenset[tuple[int, int]]()
    for turn in judged.turns:
        if turn.kind is TurnKind.PLAY:
            tiles = turn.play.placement.tiles if turn.play else ()
            board, new = board.place_tiles(tiles), frozenset((row, column) for row, column, _ in tiles)
    first, second = (_read_rack_tiles(rack, tileset) for rack in sheet.racks or ("", ""))
    unseen = Counter(tileset.list_remaining_tiles([*board.tiles_on_board, *first, *second]))
    return FeaturedGame(
        table=table,
        tileset=tileset.id,
        names=names,
        scores=(judged.scores[0], judged.scores[1]),
        turn=_find_player_to_move(sheet),
        racks=(first, second),
        board=board,
        new=new,
        unseen=tuple(unseen.items()),
        last=_find_last_turn(sheet, judged.turns, rules, tileset, wordlist),
    )


def _find_last_turn(
    sheet: Sheet, lines: Sequence[ReplayedTurn], rules: RuleSet, tileset: TileSet, wordlist: WordList | None
) -> LastTurn | None:
    if not sheet.turns:
        return None
    turn, line = sheet.turns[-1], lines[-1]
    doubts = list_doubtful_word_issues([line], wordlist, rules.words) if wordlist else ()
    square = (
        turn_line.convert_square_notation(turn.at, get_square_notation_for_tileset(tileset)) if turn.at else ""
    )
    return LastTurn(turn, square, line.score, tuple(issue.detail for issue in doubts))


def _find_player_to_move(sheet: Sheet) -> int:
    if sheet.ended not in {None, GameEnding.OPEN}:
        return 0
    return next((3 - turn.player for turn in reversed(sheet.turns) if turn.kind.is_real_turn), sheet.first)


def _read_rack_tiles(rack: str, tileset: TileSet) -> tuple[str, ...]:
    try:
        return tileset.parse_tile_text("".join(rack.split()))
    except ScrabbleError:
        return ()


def find_featured_game(
    tournament: Tournament,
    game_state: TimeStampedGameState,
    *,
    tilesets: Mapping[str, TileSet],
    wordlist: WordList | None,
) -> FeaturedGame | None:
    game, sheet = tournament.games.get(game_state.game), game_state.sheet
    if game is None or sheet is None or game_state.first is None:
        return None
    rules = tournament.get_ruleset_of_row(game)
    tileset = tilesets.get(sheet.tileset or rules.tileset)
    first, second = (
        tournament.players[player].name for player in (game_state.first, game.get_opponent(game_state.first))
    )
    try:
        if tileset is not None and sheet.turns + (sheet.racks or ()):
            return make_featured_game(
                sheet, rules, tileset, table=game.table, names=(first, second), wordlist=wordlist
            )
    except UserError:  # the fields below the turns are still incomplete
        return None
    return None
