"""Match many annotated games with the games of the tournament.

Names match without case, accents and order of first and last name. For repeats the round in the file name decides
(`r3`, `round-3`, `ronde 3`, `runde3`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.entries import normalise_name
from tdapp.domain.errors import InputError
from tdapp.domain.index import Index
from tdapp.domain.model import Game, GameId, Start
from tdapp.domain.ruleset import RuleSet
from tdapp.exchange.sheet_files import apply_rules, read_gcg
from tdapp.exchange.text import read_file
from tdapp.scrabble.sheet import Sheet
from tdapp.scrabble.tiles import TileSet

SUFFIX = ".gcg"
MOST = 2000  # maximum number of files
_ROUND = re.compile(r"(?<![a-z])(?:r|rd|rnd|round|ronde|runde)[ _-]*0*([1-9][0-9]?)(?![0-9])", re.IGNORECASE)


class GameFile(Struct, frozen=True):
    """A sheet by some `rules` and its number of oddities, or an `error`."""

    name: str
    sheet: Sheet | None = None
    oddities: int = 0
    error: InputError | None = None
    rules: RuleSet | None = None


def list_games_in_folder(folder: Path) -> tuple[Path, ...]:
    """Return files by name. Raises InputError for none or too many."""
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() == SUFFIX and path.is_file())
    if not found:
        raise InputError("gcg-none", source=folder.name)
    if len(found) > MOST:
        raise InputError("gcg-too-many", source=folder.name, most=MOST)
    return tuple(found)


def read_games(paths: Iterable[Path], tileset: TileSet, rules: RuleSet) -> tuple[GameFile, ...]:
    return tuple(_read_game(path, tileset, rules) for path in paths)


def _read_game(path: Path, tileset: TileSet, rules: RuleSet) -> GameFile:
    try:
        game, issues = read_gcg(read_file(path), path.name)
    except InputError as error:
        return GameFile(path.name, error=error)
    if len(game.players) != 2:  # noqa: PLR2004 - a tournament's game
        foreign = InputError("sheet-not-of-two", source=path.name, players=len(game.players))
        return GameFile(path.name, error=foreign)
    return GameFile(path.name, apply_rules(game, tileset, rules)[0], len(issues), rules=rules)


def find_games(index: Index, file: GameFile) -> tuple[Game, ...]:
    """Return possible published games: without a sheet first, then by round."""
    if file.sheet is None:
        return ()
    wanted = sorted(map(normalise_name, file.sheet.players))
    stated = _ROUND.search(Path(file.name).stem)
    found = [
        (item.number, game)
        for division in index.divisions
        if index.tournament.rules_of(division) == file.rules
        for item in index.published(division.id)
        for game in index.games(item.id)
        if sorted(normalise_name(name) for name in _get_player_names(index, game)) == wanted
    ]
    in_round = [(number, game) for number, game in found if stated and number == int(stated[1])]
    chosen = in_round or found
    return tuple(game for _, game in sorted(chosen, key=lambda one: (bool(index.sheets(one[1].id)), one[0])))


def propose_games(index: Index, files: Iterable[GameFile]) -> tuple[GameId | None, ...]:
    """Return None for an uncertain file. Each game is proposed once at most."""
    taken: set[GameId] = set()
    found: list[GameId | None] = []
    for file in files:
        open_games = [
            game.id
            for game in find_games(index, file)
            if not (index.sheets(game.id) or game.id in taken)
            and not (file.sheet and has_other_starter(index, game, file.sheet))
        ]
        found.append(open_games[0] if len(open_games) == 1 else None)
        taken |= {game for game in found[-1:] if game is not None}
    return tuple(found)


def has_other_starter(index: Index, game: Game, sheet: Sheet) -> bool:
    """Return whether sheet and pairing have different starters. It cannot be entered then."""
    return game.start is Start.ASSIGNED and normalise_name(sheet.players[sheet.first - 1]) != normalise_name(
        _get_player_names(index, game)[0]
    )


def _get_player_names(index: Index, game: Game) -> tuple[str, str]:
    players = index.tournament.players
    return players[game.first].name, players[game.second].name


def order_sheet(index: Index, game: Game, sheet: Sheet) -> Sheet:
    first, second = _get_player_names(index, game)
    straight = normalise_name(sheet.players[0]) == normalise_name(first)
    return replace(sheet, players=(first, second) if straight else (second, first))
