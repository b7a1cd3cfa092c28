"""Read score sheets from annotated games (GCG) and JSON, and write GCG."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import judging
from tdapp.domain.entries import can_be_same_person, normalise_name
from tdapp.domain.errors import InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import judge_sheet, make_issue_facts, make_replay_rules
from tdapp.domain.model import Game, GameId, StartDecision
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.score_breakdown import move_overtime_events_to_sheet
from tdapp.exchange.text import (
    clean_text_to_one_line,
    decode_text,
    is_json,
    map_json_paths_to_line_numbers,
    parse_json,
    read_file,
)
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble import gcg, sheet
from tdapp.scrabble.gcg import GcgEvent, GcgEventKind, GcgGame
from tdapp.scrabble.gcg_check import convert_to_gcg_game, split_gcg_game_into_sheet_and_events
from tdapp.scrabble.issue import ScrabbleError, SheetIssue
from tdapp.scrabble.reading import FieldProblem
from tdapp.scrabble.replay import replay_sheet
from tdapp.scrabble.sheet import (
    Ruling,
    ScoreSheetError,
    Sheet,
    TurnKind,
    compute_paper_form_row_numbers,
    swap_players,
)
from tdapp.scrabble.tiles import TileSet

_MAX_BYTES = 1_000_000  # a long game takes 10,000
_MAX_PROBLEMS = 20
_MAX_LENGTH = 200  # maximum length of a problem


def read_sheet(data: bytes, source: str = "") -> Sheet:
    text = decode_text(data, source, limit=_MAX_BYTES)
    document = parse_json(text, source)
    try:
        return sheet.parse_sheet(document)
    except ScoreSheetError as error:
        lines = map_json_paths_to_line_numbers(text)
        problems = tuple(
            _make_error_with_line_number(problem, lines) for problem in error.field_problems[:_MAX_PROBLEMS]
        )
        raise InputError("sheet-invalid", source=source, problems=problems) from error


def _make_error_with_line_number(problem: FieldProblem, lines: Mapping[str, int]) -> InputError:
    facts = {name: clean_text_to_one_line(str(value)) for name, value in problem.facts.items()}
    line = next((lines[path] for path in (problem.path, problem.path.rpartition(".")[0]) if path in lines), 1)
    return InputError(
        problem.code, line=line, field=f'"{clean_text_to_one_line(problem.path)[:_MAX_LENGTH]}"', **facts
    )


def read_gcg(data: bytes, source: str) -> tuple[GcgGame, tuple[SheetIssue, ...]]:
    try:
        return gcg.read_gcg(data)
    except gcg.GcgReadError as error:
        detail = clean_text_to_one_line(error.detail)[:_MAX_LENGTH]
        raise InputError(error.code, source=source, line=error.line, detail=detail) from error


SUFFIXES = (".gcg", ".json")


class LoadedSheet(NamedTuple):
    """A score sheet and warnings about its file."""

    sheet: Sheet
    warnings: tuple[str, ...]  # sentences, with the line number if known


def load_sheet(
    path: Path, tileset: TileSet, rules: RuleSet, catalogue: Catalogue, *, players: int = 2
) -> LoadedSheet:
    """Read a score sheet. Time penalties in the file become the overtime of the players."""
    data = read_file(path)
    if is_json(data):
        sheet, warnings = read_sheet(data, path.name), []
    else:
        game, issues = read_gcg(data, path.name)
        warnings = [
            _format_line_warning(
                catalogue, issue.line, catalogue.describe_problem(issue.code, make_issue_facts(issue))
            )
            for issue in issues
        ]
        if len(game.players) == players:
            sheet, penalties, unknown_penalties = convert_gcg_game_to_sheet(game, tileset, rules)
            warnings += [
                _describe_penalty(catalogue, event, is_lost=event in unknown_penalties)
                for event in (*penalties, *unknown_penalties)
            ]
        else:
            sheet = Sheet(tuple(player.name for player in game.players), ())
    if len(sheet.players) != players:
        code = "sheet-not-of-two" if players == 2 else "sheet-not-of-table"  # noqa: PLR2004
        raise InputError(code, source=path.name, players=len(sheet.players), seats=players)
    return LoadedSheet(sheet, tuple(warnings))


def convert_gcg_game_to_sheet(
    game: GcgGame, tileset: TileSet, rules: RuleSet
) -> tuple[Sheet, tuple[GcgEvent, ...], tuple[GcgEvent, ...]]:
    """Return the sheet, the time penalties that match `rules`, and the penalties that match no rule."""
    plain_sheet, events = split_gcg_game_into_sheet_and_events(game, tileset)
    # the sheet stores overtime in seconds instead of penalty points
    timed_sheet, other_events = move_overtime_events_to_sheet(plain_sheet, events, rules)
    sheet, unknown_penalties = judging.infer_challenged_word_counts(timed_sheet, other_events, rules.challenge)
    return sheet, tuple(event for event in events if event not in other_events), unknown_penalties


def _describe_penalty(catalogue: Catalogue, event: GcgEvent, *, is_lost: bool) -> str:
    points = event.points
    if not is_lost:
        text = catalogue.text("a time penalty of {points:signed} points is entered as overtime", points=points)
    elif event.kind is GcgEventKind.CHALLENGE:
        text = catalogue.text(
            "the file gives {points:signed} points for a wrong challenge, but these rules give a "
            "different number. The number in the rules counts. If the challenge should not count, "
            "delete its line (/) on the sheet",
            points=points,
        )
    else:
        text = catalogue.text(
            "a score sheet has no field for the {points:signed} points in the file", points=points
        )
        kind = (
            catalogue.text("time penalty")
            if event.kind is GcgEventKind.TIME
            else catalogue.translate_code(TurnKind.WITHDRAWN)
        )
        text = f"{kind}: {text}"
    return _format_line_warning(catalogue, event.line, text)


def _format_line_warning(catalogue: Catalogue, line: int | None, warning: str) -> str:
    return catalogue.text("Line {line}: {problem}", line=line, problem=warning) if line else warning


def put_starter_first(sheet: Sheet, players: tuple[str, str]) -> tuple[Sheet, tuple[str, str]]:
    """Return the sheet with the starter first, and `players` in that order.

    If the names in the sheet match no player, the first of `players` counts as the starter.
    """
    if sheet.first == 2:  # noqa: PLR2004
        sheet = swap_players(sheet)
    same_order_count = sum(map(can_be_same_person, sheet.players, players))
    reverse_order_count = sum(map(can_be_same_person, sheet.players, players[::-1]))
    names = players if same_order_count >= reverse_order_count else (players[1], players[0])
    return replace(sheet, players=names), names


def list_warnings_about_different_players(
    sheet: Sheet, players: tuple[str, str], catalogue: Catalogue
) -> tuple[str, ...]:
    full_names = [full_name for full_name in sheet.players if len(full_name.split()) > 1]
    other_names = [
        full_name for full_name in full_names if not any(can_be_same_person(full_name, name) for name in players)
    ]
    names_text = "; ".join(other_names)
    return (
        (catalogue.text("The players in the file are different: {players}", players=names_text),)
        if other_names
        else ()
    )


def encode_annotated_game(sheet: Sheet, rules: RuleSet, tileset: TileSet, catalogue: Catalogue) -> bytes:
    """Return a sheet as GCG, with rulings and official scores as notes."""
    judged = judge_sheet(sheet, rules, tileset)
    notes = {
        number: catalogue.text("The jury ruled this play invalid")
        for number, turn in enumerate(sheet.turns, 1)
        if turn.ruling is Ruling.PHONY
    }
    scores = ", ".join(f"{name} {score}" for name, score in zip(sheet.players, judged.scores, strict=True))
    closing_note = catalogue.text("Scores calculated under the rules: {scores}", scores=scores)
    penalties = tuple(part.overtime for part in judged.breakdown)
    try:
        result = replay_sheet(sheet, tileset, make_replay_rules(rules))
        challenge_points = judging.compute_challenge_points_by_turn(sheet, rules.challenge)
        game = convert_to_gcg_game(
            sheet,
            result,
            tileset,
            notes=notes,
            challenge_points=challenge_points,
            time_points=penalties,
            closing_note=closing_note,
        )
    except ScrabbleError as error:
        number = int(error.detail)
        row = compute_paper_form_row_numbers((turn.player, turn.kind.is_real_turn) for turn in sheet.turns)[
            number - 1
        ]
        player = sheet.players[sheet.turns[number - 1].player - 1]
        raise InputError("gcg-without-squares", row=row, player=player) from error
    return gcg.encode_gcg(game)


SUFFIX = ".gcg"
MOST = 2000  # maximum number of files
_ROUND = re.compile(r"(?<![a-z])(?:r|rd|rnd|round|ronde|runde)[ _-]*0*([1-9][0-9]?)(?![0-9])", re.IGNORECASE)


class ParsedGameFile(Struct, frozen=True):
    """The score sheet of an annotated game, or the error that made its file unreadable."""

    name: str
    sheet: Sheet | None = None
    issue_count: int = 0  # number of possible mistakes
    error: InputError | None = None
    rules: RuleSet | None = None  # the rules by which the sheet was read


def list_game_files(folder: Path) -> tuple[Path, ...]:
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == SUFFIX and path.is_file())
    if not paths:
        raise InputError("gcg-none", source=folder.name)
    if len(paths) > MOST:
        raise InputError("gcg-too-many", source=folder.name, most=MOST)
    return tuple(paths)


def read_game_files(paths: Iterable[Path], tileset: TileSet, rules: RuleSet) -> tuple[ParsedGameFile, ...]:
    return tuple(_read_game_file(path, tileset, rules) for path in paths)


def _read_game_file(path: Path, tileset: TileSet, rules: RuleSet) -> ParsedGameFile:
    try:
        game, issues = read_gcg(read_file(path), path.name)
    except InputError as error:
        return ParsedGameFile(path.name, error=error)
    if len(game.players) != 2:  # noqa: PLR2004 - a tournament's game
        game_error = InputError("sheet-not-of-two", source=path.name, players=len(game.players))
        return ParsedGameFile(path.name, error=game_error)
    return ParsedGameFile(path.name, convert_gcg_game_to_sheet(game, tileset, rules)[0], len(issues), rules=rules)


def list_games_matching_file(index: TournamentIndex, file: ParsedGameFile) -> tuple[Game, ...]:
    """Return the published games that match a file.

    Games without a score sheet come first. Both groups are sorted by round.
    """
    if file.sheet is None:
        return ()
    names = sorted(map(normalise_name, file.sheet.players))
    round_match = _ROUND.search(Path(file.name).stem)
    matching_games = [
        (item.number, game)
        for division in index.divisions
        if index.tournament.get_ruleset_of_row(division) == file.rules
        for item in index.list_published_rounds(division.id)
        for game in index.games(item.id)
        if sorted(normalise_name(name) for name in _get_player_names(index, game)) == names
    ]
    games_in_round = [
        (number, game) for number, game in matching_games if round_match and number == int(round_match[1])
    ]
    games = games_in_round or matching_games
    return tuple(game for _, game in sorted(games, key=lambda item: (bool(index.sheets(item[1].id)), item[0])))


def propose_game_for_each_file(
    index: TournamentIndex, files: Iterable[ParsedGameFile]
) -> tuple[GameId | None, ...]:
    """Return the probable game of each file, None if uncertain. No game is proposed twice."""
    proposed_games: set[GameId] = set()
    proposals: list[GameId | None] = []
    for file in files:
        open_games = [
            game.id
            for game in list_games_matching_file(index, file)
            if not (index.sheets(game.id) or game.id in proposed_games)
            and not (file.sheet and has_different_starter_on_sheet(index, game, file.sheet))
        ]
        proposals.append(open_games[0] if len(open_games) == 1 else None)
        proposed_games |= {game for game in proposals[-1:] if game is not None}
    return tuple(proposals)


def has_different_starter_on_sheet(index: TournamentIndex, game: Game, sheet: Sheet) -> bool:
    """Return whether the sheet and the pairing name different starters. Such a sheet cannot be entered."""
    return game.start is StartDecision.ASSIGNED and normalise_name(
        sheet.players[sheet.first - 1]
    ) != normalise_name(_get_player_names(index, game)[0])


def _get_player_names(index: TournamentIndex, game: Game) -> tuple[str, str]:
    players = index.tournament.players
    return players[game.first].name, players[game.second].name


def fill_in_player_names_from_pairing(index: TournamentIndex, game: Game, sheet: Sheet) -> Sheet:
    first, second = _get_player_names(index, game)
    is_same_order = normalise_name(sheet.players[0]) == normalise_name(first)
    return replace(sheet, players=(first, second) if is_same_order else (second, first))
