"""The verbs of the jury: score sheets judged and entered, annotated games, sanctions."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from tdapp.cli.output import picked, step_json
from tdapp.cli.program import Program, chosen_divisions, game_at, player_numbered
from tdapp.domain import commands
from tdapp.domain.account import clocked
from tdapp.domain.entries import strangers
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.judging import Judged, compared, facts_of, judge
from tdapp.domain.model import Game, GameId, Result
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.rulings import with_doubtful_words
from tdapp.exchange.sheet_files import read_gcg, read_sheet
from tdapp.exchange.text import is_json, read_file
from tdapp.i18n.sheet_sentences import scores_change
from tdapp.scrabble.gcg import GcgGame
from tdapp.scrabble.gcg_check import Recount, Recounted, likely_tileset, recount
from tdapp.scrabble.gcg_sheet import sheet_of
from tdapp.scrabble.issue import Issue
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.sheet import SanctionKind, Sheet
from tdapp.scrabble.tiles import TileSet
from tdapp.storage.lexicon import Lexicon


def score(program: Program, options: Namespace) -> object:
    """Judge a score sheet under a rule set."""
    rules = program.preset(options.rules)
    sheet = read_sheet(read_file(options.sheet), options.sheet.name)
    judged = judge(sheet, rules, program.tileset(sheet.tileset or rules.tileset))
    edition: dict[str, str] = {}
    if options.lexicon:
        with Lexicon.open(options.lexicon) as lexicon:
            judged = with_doubtful_words(judged, lexicon, rules)
            edition = {"edition": lexicon.edition.name, "edition_id": lexicon.metadata.id}
    if not options.json:
        _print_account(program, sheet, judged)
    return {"rules": rules.id, **edition, **judged_json(judged)}


def _print_account(program: Program, sheet: Sheet, judged: Judged) -> None:
    for line in (*account(program, sheet, judged), *issue_lines(program, judged.issues)):
        print(line)


def judged_json(judged: Judged) -> dict[str, Any]:
    """Return what a sheet is worth as `score` prints it."""
    return {
        "scores": list(judged.scores),
        "result": [result.value if result else None for result in judged.results],
        **picked(judged, "match_points", "rated", "spread", "spreads"),
        "breakdown": [asdict(part) for part in judged.breakdown],
        "turns": [_line_json(line, judged.issues) for line in judged.turns],
        "issues": [_issue_json(issue) for issue in judged.issues],
        "recount_right": judged.recount_right,
    }


def _line_json(line: ReplayedTurn, issues: Sequence[Issue]) -> dict[str, Any]:
    return {
        **picked(line, "number", "player"),
        "kind": line.kind.value,
        **picked(line, "score", "stated", "total", "words"),
        "issues": [_issue_json(issue) for issue in issues if issue.turn == line.number],
    }


def _issue_json(issue: Issue) -> dict[str, Any]:
    """Return an issue with what is known of it; `turn` None: the whole game."""
    known = {key: value for key, value in asdict(issue).items() if value not in {None, ""}}
    return {"turn": issue.turn, "code": issue.code, **known}


def account(program: Program, sheet: Sheet, judged: Judged) -> list[str]:
    """Return a line for each player: the score, the result, and where the points come from."""
    catalogue = program.catalogue
    lines = []
    for name, part, result in zip(sheet.players, judged.breakdown, judged.results, strict=True):
        columns = ", ".join(
            f"{catalogue.code(f'account-{column}')} {catalogue.signed(value)}"
            for column, value in asdict(part).items()
            if value or column == "turns"
        )
        lines.append(f"{name}: {part.total} ({catalogue.code(result) if result else '-'}) = {columns}")
    return lines


def issue_lines(program: Program, issues: Sequence[Issue]) -> list[str]:
    """Return a sentence for each issue, with its turn."""
    catalogue = program.catalogue
    lines = []
    for issue in issues:
        line = catalogue.problem(issue.code, facts_of(issue))
        lines.append(catalogue.text("Turn {turn}: {told}", turn=issue.turn, told=line) if issue.turn else line)
    return lines


def gcg(program: Program, options: Namespace) -> object:
    """Recompute an annotated game."""
    game, warnings = read_gcg(read_file(options.file), options.file.name)
    english_first = sorted(program.tilesets.values(), key=lambda one: one.language != "en")  # as most games are
    tileset = program.tileset(options.tiles) if options.tiles else likely_tileset(game, english_first)
    counted = recount(game, tileset)
    issues = (*warnings, *counted.issues)
    if not options.json:
        print(*(f"{one.name}: {total}" for one, total in zip(game.players, counted.scores, strict=True)), sep="\n")
        for line in issue_lines(program, issues):
            print(line)
    return _game_json(game, tileset, counted, issues)


def _game_json(game: GcgGame, tileset: TileSet, counted: Recount, issues: Sequence[Issue]) -> dict[str, Any]:
    return {
        "players": [player.name for player in game.players],
        "nicks": [player.nick for player in game.players],
        "tileset": tileset.id,
        "scores": list(counted.scores),
        "turns": [_event_json(turn, issues) for turn in counted.turns],
        "issues": [_issue_json(issue) for issue in issues],
    }


def _event_json(turn: Recounted, issues: Sequence[Issue]) -> dict[str, Any]:
    return {
        "number": turn.number,
        **picked(turn.event, "line", "player"),
        "kind": turn.event.kind.value,
        **picked(turn.event, "at", "word"),
        "score": turn.score,
        "stated": turn.event.points,
        "total": turn.total,
        "words": [word.text for word in turn.words],
        "issues": [_issue_json(issue) for issue in issues if issue.turn == turn.number],
    }


def sheet(program: Program, options: Namespace) -> object:
    """Enter a game's score sheet and show what it is worth."""
    data = read_file(options.sheet)
    with program.desk(options.file) as desk:
        index = desk.index
        game = game_at(index, options)
        usual = index.tournament.ruleset.tileset
        written = _read(data, options.sheet.name, program.tileset(usual), index.tournament.ruleset)
        tileset = program.tileset(written.tileset or usual)
        if not options.anyway:
            _check_names(index, game, written)
        before = index.result(game.id), any(item.form == options.form for item in index.sheets(game.id))
        command = partial(commands.enter_sheet, game=game.id, sheet=written, tileset=tileset, form=options.form)
        desk.do("enter-sheet", partial(command, reason=options.reason))
        return _entered(program, options, desk.index, game.id, tileset, before)


def _check_names(index: Index, game: Game, written: Sheet) -> None:
    """Refuse a sheet of other players than those of the game."""
    players = [index.tournament.players[one].name for one in (game.first, game.second)]
    others = strangers(written.players, players)
    if others:
        raise RuleViolation("sheet-of-others", table=game.table, names=others, players=players)


def _read(data: bytes, source: str, tileset: TileSet, rules: RuleSet) -> Sheet:
    """Return the sheet in a JSON document, or in an annotated game with its points for time as overtime."""
    if is_json(data):
        return read_sheet(data, source)
    game, _ = read_gcg(data, source)
    return clocked(*sheet_of(game, tileset), rules)[0]


def _entered(
    program: Program,
    options: Namespace,
    index: Index,
    game: GameId,
    tileset: TileSet,
    before: tuple[Result | None, bool],
) -> object:
    """Print the sheet's account and issues; return also the result as it is now with the game's sanctions.

    `before` are the result that was there, and whether the form was.
    """
    rules, forms = index.tournament.ruleset, {item.form: item.sheet for item in index.sheets(game)}
    mine = forms.pop(options.form)
    judged = judge(mine, rules, tileset)
    for other in forms.values():
        judged = replace(judged, issues=(*judged.issues, *compared(mine, other, rules, tileset)))
    result, (old, replaced) = index.result(game), before
    score, was = (None if one is None else [one.first, one.second] for one in (result, old))
    if not options.json:
        _print_account(program, mine, judged)
        if replaced:
            print(program.catalogue.text("The form that was there is replaced."))
        if old is not None and was != score:
            print(scores_change(program.catalogue, old, result))
    entered = {**picked(options, "round", "table", "form"), "entered": score, "before": was, "replaced": replaced}
    return {"rules": index.tournament.ruleset.id, **entered, **judged_json(judged)}


def sanction(program: Program, options: Namespace) -> object:
    """Punish a player, or without one list the sanctions."""
    if options.player is None:
        with program.desk(options.file, read_only=True) as desk:
            return _listed(program, options, desk.index)
    if options.kind is None or options.why is None:
        raise RuleViolation("sanction-what")
    with program.desk(options.file) as desk:
        player = player_numbered(desk.index, options, options.player)
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


def _listed(program: Program, options: Namespace, index: Index) -> object:
    rows = [
        {
            "sanction": f"{division.code}{player.number}/{number}",
            "name": player.name,
            **picked(given, "round", "kind", "points", "why", "author"),
        }
        for division in chosen_divisions(index, options)
        for player in index.players(division.id)
        for number, given in enumerate(index.sanctions(player.id), 1)
    ]
    if not options.json:
        for row in rows:
            kind = program.catalogue.code(row["kind"])
            print(f"{row['sanction']:8} {row['name']}: {kind} {row['points'] or ''} {row['why']}")
    return rows
