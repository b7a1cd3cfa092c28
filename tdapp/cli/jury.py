"""Verbs of the jury: score sheets, annotated games, rulings, checks and sanctions."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from tdapp.cli.json_types import StepJson
from tdapp.cli.jury_json_types import (
    AnnotatedGameJson,
    CheckedResultsJson,
    EnteredSheetJson,
    GameEventJson,
    JudgedSheetJson,
    JudgedSheetWithEditionJson,
    SanctionJson,
    SheetFromFolderJson,
    SheetIssueJson,
    SheetTurnJson,
    UncheckedResultJson,
    WordRulingJson,
)
from tdapp.cli.output import make_step_json
from tdapp.cli.program import (
    Program,
    find_chosen_game,
    find_chosen_round,
    find_player_by_number_or_name,
    list_chosen_divisions,
    list_group_table_seats,
)
from tdapp.domain import commands
from tdapp.domain.entries import SheetToEnter, find_unknown_player_names, match_names_to_players
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.game_results import find_decisive_sheet
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import JudgedSheet, judge_sheet, list_form_differences_as_issues, make_issue_facts
from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import Game, GameId, PlayerId, Result, Seat
from tdapp.domain.rulings import add_doubtful_word_issues, normalise_typed_words
from tdapp.domain.tables.jury import DECISION_STATES, JuryGame, make_jury_game_table
from tdapp.exchange.json_text import make_document_from_rows
from tdapp.exchange.sheet_files import SUFFIXES, load_sheet, read_gcg, read_sheet
from tdapp.exchange.text import read_file
from tdapp.i18n.sheet_reading import TurnsToCheckCache
from tdapp.i18n.sheet_sentences import (
    describe_score_change,
    format_replaced_result_warning,
    format_sheet_row_and_player,
    list_reasons_to_check_game,
)
from tdapp.scrabble.gcg import GcgEventKind, GcgGame
from tdapp.scrabble.gcg_check import RecomputedGcgEvent, RecomputedGcgGame, guess_tileset, recompute_game
from tdapp.scrabble.issue import SheetIssue
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.sheet import SanctionKind, Sheet, compute_paper_form_row_numbers
from tdapp.scrabble.tiles import TileSet

if TYPE_CHECKING:
    from tdapp.desk import Desk


def show_sheet_scores(program: Program, options: Namespace) -> JudgedSheetWithEditionJson:
    rules = program.get_bundled_ruleset(options.rules)
    sheet = read_sheet(read_file(options.sheet), options.sheet.name)
    judged = judge_sheet(sheet, rules, program.get_tileset(sheet.tileset or rules.tileset))
    edition: tuple[str | UnsetType, str | UnsetType] = (UNSET, UNSET)
    if options.lexicon:
        from tdapp.storage.lexicon import Lexicon

        with Lexicon.open(options.lexicon) as lexicon:
            judged = add_doubtful_word_issues(judged, lexicon, rules)
            edition = lexicon.edition.name, lexicon.metadata.id
    if not options.json:
        _print_scores_and_issues(program, sheet, judged)
    return JudgedSheetWithEditionJson(
        rules=rules.id, edition=edition[0], edition_id=edition[1], judged=make_judged_sheet_json(judged)
    )


def _print_scores_and_issues(program: Program, sheet: Sheet, judged: JudgedSheet) -> None:
    issues = format_issue_lines(program, judged.issues, _list_paper_form_rows_of_turns(judged), sheet.players)
    for line in (*format_player_score_lines(program, sheet, judged), *issues):
        print(line)


def make_judged_sheet_json(judged: JudgedSheet) -> JudgedSheetJson:
    form_positions = _list_paper_form_rows_of_turns(judged)
    return make_document_from_rows(
        JudgedSheetJson,
        judged,
        result=list(judged.results),
        turns=[_make_sheet_turn_json(line, judged.issues, form_positions) for line in judged.turns],
        issues=[_make_issue_json(issue, form_positions) for issue in judged.issues],
    )


FormPositions = Sequence[tuple[int, int]]  # form row and player, by turn


def _list_paper_form_rows_with_players(turns: Sequence[tuple[int, bool]]) -> FormPositions:
    return [(row, player) for row, (player, _) in zip(compute_paper_form_row_numbers(turns), turns, strict=True)]


def _list_paper_form_rows_of_turns(judged: JudgedSheet) -> FormPositions:
    return _list_paper_form_rows_with_players([(line.player, line.kind.is_real_turn) for line in judged.turns])


def _make_sheet_turn_json(
    turn: ReplayedTurn, issues: Sequence[SheetIssue], form_positions: FormPositions
) -> SheetTurnJson:
    turn_issues = [_make_issue_json(issue, form_positions) for issue in issues if issue.turn == turn.number]
    return make_document_from_rows(SheetTurnJson, turn, row=form_positions[turn.number - 1][0], issues=turn_issues)


def _make_issue_json(issue: SheetIssue, form_positions: FormPositions) -> SheetIssueJson:
    values = {key: value for key, value in asdict(issue).items() if value not in {None, ""}}
    row, player = form_positions[issue.turn - 1] if issue.turn else (None, None)
    return SheetIssueJson(**{**values, "turn": issue.turn, "row": row, "player": player})


def format_player_score_lines(program: Program, sheet: Sheet, judged: JudgedSheet) -> list[str]:
    catalogue = program.catalogue
    lines = []
    for name, part, result in zip(sheet.players, judged.breakdown, judged.results, strict=True):
        columns = ", ".join(
            f"{catalogue.translate_code(f'account-{column}')} {catalogue.format_signed_value(value)}"
            for column, value in asdict(part).items()
            if value or column == "turns"
        )
        lines.append(f"{name}: {part.total} ({catalogue.translate_code(result) if result else '-'}) = {columns}")
    return lines


def format_issue_lines(
    program: Program, issues: Sequence[SheetIssue], form_positions: FormPositions = (), players: Sequence[str] = ()
) -> list[str]:
    catalogue = program.catalogue
    lines = []
    for issue in issues:
        line = catalogue.describe_problem(issue.code, make_issue_facts(issue))
        if issue.turn:
            row, player = form_positions[issue.turn - 1]
            location = format_sheet_row_and_player(catalogue, row, players[player - 1])
            line = catalogue.text("{where}: {message}", where=location, message=line)
        lines.append(line)
    return lines


def show_annotated_game_scores(program: Program, options: Namespace) -> AnnotatedGameJson:
    game, warnings = read_gcg(read_file(options.file), options.file.name)
    english_first = sorted(program.tilesets.values(), key=lambda item: item.language != "en")  # as in most files
    tileset = program.get_tileset(options.tiles) if options.tiles else guess_tileset(game, english_first)
    recomputed = recompute_game(game, tileset)
    issues = (*warnings, *recomputed.issues)
    if not options.json:
        print(
            *(f"{player.name}: {total}" for player, total in zip(game.players, recomputed.scores, strict=True)),
            sep="\n",
        )
        for line in format_issue_lines(
            program,
            issues,
            _list_paper_form_rows_of_gcg_events(recomputed),
            [player.name for player in game.players],
        ):
            print(line)
    return _make_annotated_game_json(game, tileset, recomputed, issues)


_TURNS = frozenset({GcgEventKind.PLAY, GcgEventKind.PASS, GcgEventKind.EXCHANGE})


def _list_paper_form_rows_of_gcg_events(recomputed: RecomputedGcgGame) -> FormPositions:
    return _list_paper_form_rows_with_players(
        [(turn.event.player, turn.event.kind in _TURNS) for turn in recomputed.turns]
    )


def _make_annotated_game_json(
    game: GcgGame, tileset: TileSet, recomputed: RecomputedGcgGame, issues: Sequence[SheetIssue]
) -> AnnotatedGameJson:
    form_positions = _list_paper_form_rows_of_gcg_events(recomputed)
    return AnnotatedGameJson(
        players=[player.name for player in game.players],
        nicks=[player.nick for player in game.players],
        tileset=tileset.id,
        scores=list(recomputed.scores),
        turns=[_make_game_event_json(turn, issues, form_positions) for turn in recomputed.turns],
        issues=[_make_issue_json(issue, form_positions) for issue in issues],
    )


def _make_game_event_json(
    event: RecomputedGcgEvent, issues: Sequence[SheetIssue], form_positions: FormPositions
) -> GameEventJson:
    turn_issues = [_make_issue_json(issue, form_positions) for issue in issues if issue.turn == event.number]
    words = [word.text for word in event.words]
    return make_document_from_rows(
        GameEventJson, event, event.event, stated=event.event.points, words=words, issues=turn_issues
    )


def enter_sheets(program: Program, options: Namespace) -> EnteredSheetJson | list[SheetFromFolderJson]:
    if options.sheet.is_dir():
        return _enter_sheets_in_folder(program, options)
    if options.table is None:
        raise CommandError("which-table")
    with program.open_desk(options.file) as desk:
        index = desk.index
        if seats := list_group_table_seats(index, options):
            return _enter_group_totals_from_sheet(program, desk, seats, options)
        game = find_chosen_game(index, options)
        rules = index.tournament.get_ruleset_of_row(game)
        default_tileset = rules.tileset
        sheet, warnings = load_sheet(options.sheet, program.get_tileset(default_tileset), rules, program.catalogue)
        tileset = program.get_tileset(sheet.tileset or default_tileset)
        if not options.anyway:
            _refuse_sheet_of_other_players(index, game, sheet)
        before = index.get_result(game.id), any(item.form == options.form for item in index.sheets(game.id))
        command = partial(commands.enter_sheet, game=game.id, sheet=sheet, tileset=tileset, form=options.form)
        desk.do(partial(command, reason=options.reason, author=options.author))
        return _print_sheet_after_entry(program, options, desk.index, game.id, tileset, before, warnings)


def _refuse_sheet_of_other_players(index: TournamentIndex, game: Game, sheet: Sheet) -> None:
    players = [index.tournament.players[player].name for player in (game.first, game.second)]
    unknown_names = find_unknown_player_names(sheet.players, players)
    if unknown_names:
        raise CommandError("sheet-of-others", table=game.table, names=unknown_names, players=players)


def _enter_group_totals_from_sheet(
    program: Program, desk: Desk, seats: Sequence[Seat], options: Namespace
) -> EnteredSheetJson:
    """Enter the totals of a sheet of three or more players as their result. The sheet itself is not stored."""
    rules, item = desk.tournament.get_ruleset_of_row(seats[0]), desk.tournament.rounds[seats[0].round]
    tileset = program.get_tileset(rules.tileset)
    sheet, warnings = load_sheet(options.sheet, tileset, rules, program.catalogue, players=len(seats))
    names = {seat.player: desk.tournament.players[seat.player].name for seat in seats}
    unknown_names = find_unknown_player_names(sheet.players, list(names.values()))
    if unknown_names and not options.anyway:
        raise CommandError(
            "sheet-of-others", table=options.table, names=unknown_names, players=list(names.values())
        )
    judged = judge_sheet(sheet, rules, program.get_tileset(sheet.tileset or rules.tileset))
    players = _list_players_in_sheet_order(sheet.players, names)
    scores = dict(zip(players, judged.scores, strict=True))
    old_points = [seat.points for seat in seats]
    has_result = any(points is not None for points in old_points)
    desk.do(
        partial(
            commands.enter_seats, round=item.id, table=options.table, points=tuple(judged.scores), players=players,
            turns=len(sheet.turns) if len(seats) == 1 else None, confirmed=True, reason=options.reason,
            author=options.author,
        )
    )  # fmt: skip
    if not options.json:
        _print_scores_and_issues(program, sheet, judged)
    return EnteredSheetJson(
        rules=rules.id, round=item.number, table=options.table, form=1,
        entered=[scores[seat.player] for seat in seats], before=old_points if has_result else None, replaced=False,
        warnings=list(warnings), judged=make_judged_sheet_json(judged),
    )  # fmt: skip


def _list_players_in_sheet_order(
    sheet_names: Sequence[str], names: Mapping[PlayerId, str]
) -> tuple[PlayerId, ...]:
    """Return players in the order of `sheet_names`. If a name matches no player, use the next unmatched player."""
    players, matches = list(names), match_names_to_players(sheet_names, list(names.values()))
    other_players = (player for position, player in enumerate(players) if position not in matches)
    return tuple(next(other_players) if position is None else players[position] for position in matches)


_FILE_NAME = re.compile(r"0*([0-9]{1,6})(?:-([12]))?\.(?:gcg|json)", re.IGNORECASE)


def _enter_sheets_in_folder(program: Program, options: Namespace) -> list[SheetFromFolderJson]:
    """Enter all sheets in a folder, or none if one is invalid.

    File names are table numbers: `12.gcg`, or `12-2.json` for the second player's sheet.
    """
    files = sorted(
        (path for path in options.sheet.iterdir() if path.suffix.lower() in SUFFIXES), key=_make_sheet_sort_key
    )
    if not files:
        raise InputError("no-sheets-in-folder", source=options.sheet.name)
    with program.open_desk(options.file) as desk:
        index = desk.index
        item = find_chosen_round(index, options)
        rules = index.tournament.get_ruleset_of_row(item)
        tileset = program.get_tileset(rules.tileset)
        entries, warnings = [], []
        for path in files:
            match = _FILE_NAME.fullmatch(path.name)
            if match is None:
                raise InputError("sheet-without-table", source=path.name)
            sheet, file_warnings = load_sheet(path, tileset, rules, program.catalogue)
            game = index.get_game(item.id, int(match[1]))
            if not options.anyway:
                _refuse_sheet_of_other_players(index, game, sheet)
            entries.append(SheetToEnter(game.id, sheet, int(match[2] or 1)))
            warnings.append(file_warnings)
        desk.do(partial(commands.enter_sheets, entries=tuple(entries), tileset=tileset))
        return [
            _show_sheet_from_folder(program, options, (index, desk.index), path, entry, file_warnings)
            for path, entry, file_warnings in zip(files, entries, warnings, strict=True)
        ]


def _make_sheet_sort_key(path: Path) -> tuple[int, str]:
    match = _FILE_NAME.fullmatch(path.name)
    return int(match[1]) if match else 0, path.name


def _show_sheet_from_folder(
    program: Program,
    options: Namespace,
    indexes_before_and_after: tuple[TournamentIndex, TournamentIndex],
    path: Path,
    entry: SheetToEnter,
    warnings: Sequence[str],
) -> SheetFromFolderJson:
    before, index = indexes_before_and_after
    row = next(item for item in index.sheets(entry.game) if item.form == entry.form)
    tournament, result, rules = (
        index.tournament,
        index.get_result(entry.game),
        index.tournament.get_ruleset_of_row(row),
    )
    judged = judge_sheet(row.sheet, rules, program.get_tileset(row.sheet.tileset or rules.tileset))
    score = None if result is None else [result.first, result.second]
    form_positions = _list_paper_form_rows_of_turns(judged)
    if row == find_decisive_sheet(index.sheets(entry.game)):
        warning = format_replaced_result_warning(program.catalogue, before.get_result(entry.game), result)
        warnings = [*warnings, *filter(None, [warning])]
    if not options.json:
        game = tournament.games[entry.game]
        players = [tournament.players[player].name for player in (game.first, game.second)]
        messages = [*warnings, *format_issue_lines(program, judged.issues, form_positions, players)]
        issues = program.catalogue.plural(
            "one possible mistake found", "{n} possible mistakes found", len(messages)
        )
        points = "–".join(map(str, score or ()))
        print(f"{path.name}: {points}" + (f", {issues}" if messages else ""), *messages, sep="\n  ")
    return SheetFromFolderJson(
        file=path.name,
        table=tournament.games[entry.game].table,
        form=entry.form,
        scores=list(judged.scores),
        entered=score,
        warnings=list(warnings),
        issues=[_make_issue_json(issue, form_positions) for issue in judged.issues],
    )


def rule_on_word(program: Program, options: Namespace) -> WordRulingJson:
    with program.open_desk(options.file) as desk:
        game = find_chosen_game(desk.index, options)
        old_result, player_number = desk.index.get_result(game.id), options.player
        _refuse_turn_score_above_final_score(desk.index, game, options, old_result)
        command = partial(
            commands.rule_on_word,
            key=desk.make_row_id(),
            game=game.id,
            player=(game.first, game.second)[player_number - 1],
            word=options.word,
            score=options.score,
            phony=not options.stands,
            wrong_words=options.wrong_words,
            another=options.another,
            replaces=options.replace,
            author=options.author,
            why=options.why,
            tileset=program.get_tileset(desk.tournament.get_ruleset_of_row(game).tileset),
        )
        desk.do(command)
        results = {"before": old_result, "after": desk.index.get_result(game.id)}
        scores = {name: [result.first, result.second] if result else None for name, result in results.items()}
        is_without_sheet = any(
            ruling.word == normalise_typed_words(options.word) for ruling in desk.index.word_rulings(game.id)
        )
        step = make_step_json(desk, program.catalogue)
        if not options.json:
            print(step.text, *(f"{score[0]}–{score[1]}" if score else "–" for score in scores.values()))
        number = desk.tournament.rounds[game.round].number
        return make_document_from_rows(
            WordRulingJson, options, round=number, **scores, on_sheet=not is_without_sheet, step=step
        )


def _refuse_turn_score_above_final_score(
    index: TournamentIndex, game: Game, options: Namespace, result: Result | None
) -> None:
    points = (None, None) if result is None else (result.first, result.second)
    total = points[options.player - 1]
    if options.stands or options.confirmed or total is None or options.score <= max(total, 0):
        return
    name = index.tournament.players[(game.first, game.second)[options.player - 1]].name
    raise CommandError("turn-beyond-total", player=name, total=total, score=options.score)


def mark_results_checked(program: Program, options: Namespace) -> CheckedResultsJson:
    from tdapp.storage.lexicon import Lexicon

    lexicon_context: AbstractContextManager[Lexicon | None] = (
        nullcontext() if options.wordlist is None else Lexicon.open(options.wordlist)
    )
    if not options.table and not options.all:
        raise CommandError("which-table")
    with program.open_desk(options.file) as desk, lexicon_context as wordlist:
        index, counts = desk.index, TurnsToCheckCache()
        item = find_chosen_round(index, options)
        rules = index.tournament.get_ruleset_of_row(item)

        def find_turn_numbers_to_check(form: ScoreSheet) -> frozenset[int]:
            return counts.find_turn_numbers_to_check(
                index, form, program.get_tileset(form.sheet.tileset or rules.tileset), wordlist
            )

        rows = make_jury_game_table(index, item, find_doubts=find_turn_numbers_to_check).rows
        tables = [index.get_game(item.id, table).table for table in options.table or ()]
        selected_rows = [row for row in rows if row.table in tables] if tables else rows
        checkable_statuses = {"entered", *DECISION_STATES} if options.anyway and tables else {"entered"}
        checked_rows = [row for row in selected_rows if row.status in checkable_statuses]
        unchecked_rows = [
            row for row in selected_rows if row.is_unchecked and row.status not in checkable_statuses
        ]
        if tables and unchecked_rows:
            raise CommandError(
                "not-to-be-checked",
                tables=[f"{row.table} ({_describe_doubts(program, row)})" for row in unchecked_rows],
            )
        if checked_rows:
            games = tuple(GameId(row.key) for row in checked_rows)
            desk.do(partial(commands.check_results, games=games, author=options.author))
        return _show_checked_results(program, options, item.number, checked_rows, unchecked_rows)


def _show_checked_results(
    program: Program,
    options: Namespace,
    number: int,
    checked_games: Sequence[JuryGame],
    unchecked_games: Sequence[JuryGame],
) -> CheckedResultsJson:
    if not options.json:
        print(
            program.catalogue.plural(
                "One result checked", "{count} results checked", len(checked_games), count=len(checked_games)
            )
        )
        for row in unchecked_games:
            print(f"{row.table}: {row.first_name} – {row.second_name}, {_describe_doubts(program, row)}")
    reasons = {row.key: list(list_reasons_to_check_game(program.catalogue, row)) for row in unchecked_games}
    unchecked = [
        make_document_from_rows(
            UncheckedResultJson, row, state=row.status, doubts=len(row.doubtful), reasons=reasons[row.key]
        )
        for row in unchecked_games
    ]
    return CheckedResultsJson(number, [row.table for row in checked_games], unchecked)


def _describe_doubts(program: Program, row: JuryGame) -> str:
    return ": ".join(
        filter(
            None,
            (
                program.catalogue.translate_code(row.status),
                ", ".join(list_reasons_to_check_game(program.catalogue, row)),
            ),
        )
    )


def _print_sheet_after_entry(
    program: Program,
    options: Namespace,
    index: TournamentIndex,
    game: GameId,
    tileset: TileSet,
    result_and_has_sheet: tuple[Result | None, bool],
    warnings: Sequence[str],
) -> EnteredSheetJson:
    """Print the entered sheet.

    `result_and_has_sheet` is the old result of `game`, and True if the new sheet replaced an old sheet.
    """
    rules = index.tournament.get_ruleset_of_row(index.tournament.games[game])
    forms = {item.form: item.sheet for item in index.sheets(game)}
    sheet = forms.pop(options.form)
    judged = judge_sheet(sheet, rules, tileset)
    for other_sheet in forms.values():
        judged = replace(
            judged, issues=(*judged.issues, *list_form_differences_as_issues(sheet, other_sheet, rules, tileset))
        )
    result, (old, replaced) = index.get_result(game), result_and_has_sheet
    score, old_score = (None if item is None else [item.first, item.second] for item in (result, old))
    if not options.json:
        _print_scores_and_issues(program, sheet, judged)
        print(*warnings, sep="\n", end="\n" if warnings else "")
        if replaced:
            print(program.catalogue.text("This replaces what was entered earlier from the same score sheet form."))
        if old is not None and old_score != score:
            print(describe_score_change(program.catalogue, old, result))
    number = index.tournament.rounds[index.tournament.games[game].round].number
    return EnteredSheetJson(
        rules=rules.id,
        round=number,
        table=options.table,
        form=options.form,
        entered=score,
        before=old_score,
        replaced=replaced,
        warnings=list(warnings),
        judged=make_judged_sheet_json(judged),
    )


def penalise_player(program: Program, options: Namespace) -> StepJson | list[SanctionJson]:
    if options.player is None:
        with program.open_desk(options.file, read_only=True) as desk:
            return _list_sanctions(program, options, desk.index)
    if options.kind is None or options.why is None:
        raise CommandError("sanction-what")
    with program.open_desk(options.file) as desk:
        player = find_player_by_number_or_name(desk.index, options.division, options.player)
        command = partial(
            commands.add_sanction,
            key=desk.make_row_id(),
            player=player.id,
            kind=SanctionKind(options.kind),
            round_number=options.round,
            points=options.points,
            why=options.why,
            author=options.author,
        )
        desk.do(command)
        if (
            not options.json
            and SanctionKind(options.kind) not in desk.tournament.get_ruleset_of_row(player).sanctions.named
        ):
            kind = program.catalogue.translate_code(SanctionKind(options.kind))
            print(program.catalogue.text("This sanction is not in these rules: {kind}.", kind=kind))
        return make_step_json(desk, program.catalogue)


def _list_sanctions(program: Program, options: Namespace, index: TournamentIndex) -> list[SanctionJson]:
    rows = [
        make_document_from_rows(
            SanctionJson, sanction, player, sanction=f"{division.code}{player.number}/{number}"
        )
        for division in list_chosen_divisions(index, options)
        for player in index.players(division.id)
        for number, sanction in enumerate(index.sanctions(player.id), 1)
    ]
    if not options.json:
        for row in rows:
            kind = program.catalogue.translate_code(row.kind)
            print(f"{row.sanction:8} {row.name}: {kind} {row.points or ''} {row.why}")
        if not rows:
            print(program.catalogue.text("No sanctions yet."))
    return rows
