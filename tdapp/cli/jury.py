"""The verbs of the jury in a tournament: score sheets of its games, and sanctions."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from typing import Any

from tdapp.cli import meant
from tdapp.cli.output import show_json, step_json
from tdapp.cli.program import Program
from tdapp.cli.scoring import account, judged_json, told
from tdapp.domain import commands
from tdapp.domain.account import clocked
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.judging import judge
from tdapp.domain.model import GameId, Sanction
from tdapp.domain.ruleset import RuleSet
from tdapp.exchange.sheet_files import read_gcg, read_sheet
from tdapp.exchange.text import is_json, read_file
from tdapp.scrabble.gcg_sheet import sheet_of
from tdapp.scrabble.sheet import SanctionKind, Sheet
from tdapp.scrabble.tiles import TileSet


def sheet(program: Program, options: Namespace) -> None:
    """Enter a game's score sheet and show what it is worth."""
    data = read_file(options.sheet)
    with program.desk(options.file) as desk:
        index = desk.index
        game = meant.game(index, options)
        usual = index.tournament.ruleset.tileset
        written = _read(data, options.sheet.name, program.tileset(usual), index.tournament.ruleset)
        tileset = program.tileset(written.tileset or usual)
        command = partial(
            commands.enter_sheet,
            game=game.id,
            sheet=written,
            tileset=tileset,
            form=options.form,
            reason=options.reason,
        )
        desk.do("enter-sheet", command)
        _show(program, options, desk.index, game.id, tileset)


def _read(data: bytes, source: str, tileset: TileSet, rules: RuleSet) -> Sheet:
    """Return the sheet in a JSON document, or in an annotated game with its points for time as overtime."""
    if is_json(data):
        return read_sheet(data, source)
    game, _ = read_gcg(data, source)
    return clocked(*sheet_of(game, tileset), rules)[0]


def _show(program: Program, options: Namespace, index: Index, game: GameId, tileset: TileSet) -> None:
    """Print the sheet's account and issues, and the result as it now stands with the game's sanctions."""
    row = next(item for item in index.sheets(game) if item.form == options.form)
    judged = judge(row.sheet, index.tournament.ruleset, tileset)
    result = index.result(game)
    score = None if result is None else [result.first, result.second]
    if options.json:
        entered = {"round": options.round, "table": options.table, "form": options.form, "entered": score}
        show_json({"rules": index.tournament.ruleset.id, **entered, **judged_json(judged)})
        return
    for line in (*account(program, row.sheet, judged), *told(program, judged.issues)):
        print(line)


def sanction(program: Program, options: Namespace) -> object:
    """Punish a player, or without one list the sanctions."""
    if options.player is None:
        with program.desk(options.file, read_only=True) as desk:
            _list(program, options, desk.index)
        return None
    if options.kind is None or options.why is None:
        raise RuleViolation("sanction-what")
    with program.desk(options.file) as desk:
        player = meant.player(desk.index, options, options.player)
        command = partial(
            commands.add_sanction,
            key=desk.key(),
            player=player.id,
            kind=SanctionKind(options.kind),
            round_number=options.round,
            points=options.points,
            why=options.why,
            author=options.author,
        )
        desk.do("add-sanction", command)
        return step_json(desk, program.catalogue)


def _list(program: Program, options: Namespace, index: Index) -> None:
    chosen = meant.divisions(index, options)
    rows = [
        _row(f"{division.code}{player.number}/{number}", player.name, given)
        for division in chosen
        for player in index.players(division.id)
        for number, given in enumerate(index.sanctions(player.id), 1)
    ]
    if options.json:
        show_json(rows)
        return
    for row in rows:
        kind = program.catalogue.code(row["kind"])
        print(f"{row['sanction']:8} {row['name']}: {kind} {row['points'] or ''} {row['why']}")


def _row(name: str, player: str, given: Sanction) -> dict[str, Any]:
    return {
        "sanction": name,
        "name": player,
        "round": given.round,
        "kind": given.kind.value,
        "points": given.points,
        "why": given.why,
        "author": given.author,
    }
