"""The verbs that judge a score sheet and recompute an annotated game, outside any tournament."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from tdapp.cli.output import show_json
from tdapp.cli.program import Program
from tdapp.domain.judging import Judged, judge
from tdapp.domain.rulings import with_doubtful_words
from tdapp.domain.sheet_rules import facts_of
from tdapp.exchange.sheet_files import read_gcg, read_sheet
from tdapp.exchange.text import read_file
from tdapp.scrabble.gcg import GcgGame
from tdapp.scrabble.gcg_check import Recount, Recounted, likely_tileset, recount
from tdapp.scrabble.issue import Issue
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.sheet import Sheet
from tdapp.scrabble.tiles import TileSet
from tdapp.storage.lexicon import Lexicon


def score(program: Program, options: Namespace) -> None:
    """Judge a score sheet under a rule set."""
    rules = program.preset(options.rules)
    sheet = read_sheet(read_file(options.sheet), options.sheet.name)
    judged = judge(sheet, rules, program.tileset(sheet.tileset or rules.tileset))
    edition: dict[str, str] = {}
    if options.lexicon:
        with Lexicon.open(options.lexicon) as lexicon:
            judged = with_doubtful_words(judged, lexicon, rules)
            edition = {"edition": lexicon.edition.name, "edition_id": lexicon.metadata.id}
    if options.json:
        show_json({"rules": rules.id, **edition, **judged_json(judged)})
        return
    for line in (*account(program, sheet, judged), *told(program, judged.issues)):
        print(line)


def judged_json(judged: Judged) -> dict[str, Any]:
    """Return what a sheet is worth as `score` prints it."""
    return {
        "scores": list(judged.scores),
        "result": [result.value if result else None for result in judged.results],
        "match_points": list(judged.match_points),
        "rated": judged.rated,
        "spread": judged.spread,
        "spreads": list(judged.spreads),
        "breakdown": [asdict(part) for part in judged.breakdown],
        "turns": [_line_json(line, judged.issues) for line in judged.turns],
        "issues": [_issue_json(issue) for issue in judged.issues],
        "recount_right": judged.recount_right,
    }


def _line_json(line: ReplayedTurn, issues: Sequence[Issue]) -> dict[str, Any]:
    return {
        "number": line.number,
        "player": line.player,
        "kind": line.kind.value,
        "score": line.score,
        "stated": line.stated,
        "total": line.total,
        "words": list(line.words),
        "issues": [_issue_json(issue) for issue in issues if issue.turn == line.number],
    }


def _issue_json(issue: Issue) -> dict[str, Any]:
    """Return an issue with what is known of it; `turn` None: the whole game."""
    known = {key: value for key, value in asdict(issue).items() if value not in {None, ""}}
    return {"turn": issue.turn, "code": issue.code, **known}


def account(program: Program, sheet: Sheet, judged: Judged) -> list[str]:
    """Return a line for each player: the score, the result, and where the points come from."""
    words = program.catalogue
    lines = []
    for name, part, result in zip(sheet.players, judged.breakdown, judged.results, strict=True):
        columns = ", ".join(
            f"{words.code(f'account-{column}')} {words.signed(value)}"
            for column, value in asdict(part).items()
            if value or column == "turns"
        )
        lines.append(f"{name}: {part.total} ({words.code(result) if result else '-'}) = {columns}")
    return lines


def told(program: Program, issues: Sequence[Issue]) -> list[str]:
    """Return a sentence for each issue, with its turn."""
    words = program.catalogue
    lines = []
    for issue in issues:
        told = words.problem(issue.code, facts_of(issue))
        lines.append(words.text("Turn {turn}: {told}", turn=issue.turn, told=told) if issue.turn else told)
    return lines


def gcg(program: Program, options: Namespace) -> None:
    """Recompute an annotated game."""
    game, warnings = read_gcg(read_file(options.file), options.file.name)
    tileset = program.tileset(options.tiles) if options.tiles else _likely(program, game)
    counted = recount(game, tileset)
    issues = (*warnings, *counted.issues)
    if options.json:
        show_json(_game_json(game, tileset, counted, issues))
        return
    for player, total in zip(game.players, counted.scores, strict=True):
        print(f"{player.name}: {total}")
    for line in told(program, issues):
        print(line)


def _likely(program: Program, game: GcgGame) -> TileSet:
    """Return the set that fits a game best; of equals the English one, with which most games are annotated."""
    return likely_tileset(game, sorted(program.tilesets.values(), key=lambda tileset: tileset.language != "en"))


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
        "line": turn.event.line,
        "player": turn.event.player,
        "kind": turn.event.kind.value,
        "at": turn.event.at,
        "word": turn.event.word,
        "score": turn.score,
        "stated": turn.event.points,
        "total": turn.total,
        "words": [word.text for word in turn.words],
        "issues": [_issue_json(issue) for issue in issues if issue.turn == turn.number],
    }
