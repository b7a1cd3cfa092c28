"""Verbs that import and export files."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec.structs import asdict, replace

from tdapp.cli.json_types import (
    ExportedFileJson,
    ImportedDivisionJson,
    ImportedFileJson,
    ImportedPhotosJson,
    ImportedRatingsJson,
    ImportedResultsJson,
    StepJson,
)
from tdapp.cli.output import make_step_json
from tdapp.cli.program import Program
from tdapp.cli.seasons import encode_season_rating_export
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.entries import (
    EventEntry,
    ImportedPlayerStatus,
    PlayerEntry,
    SheetToEnter,
    convert_division_names_to_codes,
    match_player_entries,
)
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, Player
from tdapp.domain.names import are_names_in_first_last_order
from tdapp.domain.seating import compare_tables_with_imported_event
from tdapp.domain.tournament import Tournament
from tdapp.exchange import cells, exports, imports, player_lists, rating_lists, sheet_files, tsh_folder
from tdapp.exchange.json_text import make_document_from_rows
from tdapp.exchange.player_lists import ParsedPlayerList
from tdapp.exchange.spreadsheets import Worksheet
from tdapp.exchange.text import ENCODINGS, LEGACY, STANDARD_STREAM, read_file
from tdapp.i18n.scores import describe_imported_results, describe_replaced_results
from tdapp.services.publishing import FORMAT as SITE
from tdapp.storage import Store


def import_file(program: Program, options: Namespace) -> ImportedFileJson | ImportedRatingsJson | StepJson:
    if options.ratings:
        return _import_ratings(program, options)
    if options.source.is_dir() and not (options.source / tsh_folder.CONFIG).exists():
        return _import_annotated_games(program, options)
    imported = imports.read_file_to_import(options.source, options.encoding or "")
    if isinstance(imported, Tournament) and not Store.is_location_taken(options.file):
        Desk.create(options.file, imported).close()
        return _show_import_counts(program, TournamentIndex(Tournament()), TournamentIndex(imported), [], options)
    with program.open_desk(options.file) as desk:
        before = desk.index
        left_out = _import_file_and_list_omitted_data(program, desk, imported, options)
        return _show_import_counts(program, before, desk.index, left_out, options)


def _show_import_counts(
    program: Program, before: TournamentIndex, after: TournamentIndex, warnings: list[str], options: Namespace
) -> ImportedFileJson:
    old_players, divisions, messages = before.tournament.players, [], []
    for division in after.divisions:
        players = after.players(division.id)
        added_count = sum(player.id not in old_players for player in players)
        unchanged_count = sum(old_players.get(player.id) == player for player in players)
        old = before.list_published_rounds(division.id) if division.id in before.tournament.divisions else ()
        rounds = len(after.list_published_rounds(division.id)) - len(old)
        changed_count = len(players) - added_count - unchanged_count
        divisions.append(
            ImportedDivisionJson(division.code, len(players), added_count, changed_count, unchanged_count, rounds)
        )
        if added_count or changed_count or division.id not in before.tournament.divisions:
            code = "imported-rounds" if rounds else "imported-players"
            messages.append(program.catalogue.describe_problem(code, asdict(divisions[-1])))
    if not options.json:
        if not messages and after.tournament.results == before.tournament.results:
            messages.append(program.catalogue.text("Nothing changed."))
        print(*messages, *warnings, sep="\n", end="\n" if messages or warnings else "")
    return ImportedFileJson(divisions, warnings)


def _import_annotated_games(program: Program, options: Namespace) -> StepJson:
    paths = sheet_files.list_game_files(options.source)
    with program.open_desk(options.file) as desk:
        games = desk.index.tournament.games
        division = desk.index.get_division(options.division) if options.division else None
        rules = desk.index.tournament.get_ruleset_of_row(division)
        tileset = program.get_tileset(rules.tileset)
        files = sheet_files.read_game_files(paths, tileset, rules)
        entries = []
        for file, key in zip(files, sheet_files.propose_game_for_each_file(desk.index, files), strict=True):
            if file.error is not None:
                raise file.error
            if key is None or file.sheet is None:
                players = " – ".join(file.sheet.players) if file.sheet else ""
                raise InputError("gcg-unmatched", source="", file=file.name, players=players)
            entries.append(
                SheetToEnter(
                    key, sheet_files.fill_in_player_names_from_pairing(desk.index, games[key], file.sheet)
                )
            )
        desk.do(partial(commands.enter_sheets, entries=tuple(entries), tileset=tileset))
        return _show_step(program, desk, options)


def _show_step(program: Program, desk: Desk, options: Namespace) -> StepJson:
    step = make_step_json(desk, program.catalogue)
    if not options.json:
        print(step.text)
    return step


def import_photos(program: Program, options: Namespace) -> ImportedPhotosJson:
    from tdapp.services.photos import read_photo_folder

    with program.open_desk(options.file) as desk:
        index, division = desk.index, desk.index.get_division(options.division).id
        folder_photos = read_photo_folder(index, division, options.folder, program.catalogue)
        if not options.json:
            print(*folder_photos.left_out, sep="\n", end="\n" if folder_photos.left_out else "")
        if not folder_photos.photos:
            raise InputError("photos-missing", source=options.folder.name)
        desk.do(partial(commands.set_photos, photos=folder_photos.photos))
        return make_document_from_rows(
            ImportedPhotosJson, _show_step(program, desk, options), left_out=list(folder_photos.left_out)
        )


def _import_ratings(program: Program, options: Namespace) -> ImportedRatingsJson:
    rating_list = rating_lists.read_rating_list(read_file(options.source), options.source.name)
    with program.open_desk(options.file) as desk:
        division = desk.index.get_division(options.division)
        players = desk.index.players(division.id)
        matches = [
            match for match in match_player_entries(players, rating_list.players) if match.player is not None
        ]
        statuses = {ImportedPlayerStatus.RATING, ImportedPlayerStatus.CHANGED}
        certain_matches = [match for match in matches if match.status in statuses]
        command = partial(
            commands.import_players,
            key=desk.make_row_id(),
            division=division.id,
            entries=tuple(
                PlayerEntry(
                    None,
                    match.entry.name,
                    match.entry.rating,
                    provisional=match.entry.provisional,
                    line=match.entry.line,
                )
                for match in certain_matches
            ),
            known=tuple(match.player for match in certain_matches),
        )
        desk.do(command, division=division.code, source=rating_list.source, count=len(certain_matches))
        unsure_names = [match.entry.name for match in matches if match.status is ImportedPlayerStatus.CONFLICT]
        listed_ids = {match.player.id for match in matches if match.player is not None}
        absent_names = [player.name for player in players if player.id not in listed_ids]
        facts = {
            "unsure": "; ".join(unsure_names),
            "absent": "; ".join(absent_names),
            "skipped": rating_list.invalid_line_count,
        }
        left_out = [
            program.catalogue.describe_problem(f"ratings-{key}", facts) for key, value in facts.items() if value
        ]
        step = make_step_json(desk, program.catalogue)
    if not options.json:
        facts = {"division": division.code, "count": len(certain_matches)}
        print(program.catalogue.describe_problem("ratings-taken", facts), *left_out, sep="\n")
    return make_document_from_rows(ImportedRatingsJson, step, left_out=left_out)


def _import_file_and_list_omitted_data(
    program: Program, desk: Desk, imported: imports.ImportedFile, options: Namespace
) -> list[str]:
    match imported:
        case imports.PlayerListFile():
            return _import_players(program, desk, imported, options)
        case cells.ImportedResults():
            return _enter_imported_results(program, desk, imported, options.division)
        case EventEntry():
            old_divisions = {player.division for player in desk.tournament.players.values()}
            imported_event = _import_event(desk, imported, options)
            name = tsh_folder.CONFIG if options.source.is_dir() else options.source.name
            filled_divisions = {player.division for player in desk.tournament.players.values()} - old_divisions
            missing = (
                *imports.list_import_warnings(imported_event, name),
                *imports.find_tiebreak_order_differences(desk.index, filled_divisions, imported_event),
            )
            table_changes = [
                ("tables-moved", facts) for facts in compare_tables_with_imported_event(imported_event, desk.index)
            ]
            problems = (*table_changes, *((item.code, item.facts) for item in missing))
            return [program.catalogue.describe_problem(code, facts) for code, facts in problems]
        case Tournament():
            if options.division is not None:
                raise CommandError("document-has-divisions")
            command = partial(commands.import_tournament, imported=imported)
            desk.do(command, source=options.source.name)
    return []


def import_results(program: Program, options: Namespace) -> ImportedResultsJson:
    results = cells.read_results(read_file(options.source), options.source.name)
    with program.open_desk(options.file) as desk:
        before = desk.index
        messages = _enter_imported_results(program, desk, results, options.division)
        step = make_step_json(desk, program.catalogue)
        replacement_texts = describe_replaced_results(program.catalogue, before, desk.index)
        entered_count = len(desk.tournament.results) - len(before.tournament.results)
    if not options.json:
        print(*messages, sep="\n")
    unchanged_count = len(results.entries) - entered_count - len(replacement_texts)
    return make_document_from_rows(
        ImportedResultsJson,
        step,
        entered=entered_count,
        unchanged=unchanged_count,
        replaced=replacement_texts,
        ignored=[*results.ignored],
    )


def _make_add_division_function_and_id(
    desk: Desk, code: str | None
) -> tuple[Callable[[Tournament], Tournament], DivisionId]:
    index = desk.index
    if code is None or any(item.code.casefold() == code.casefold() for item in index.divisions):
        return (lambda tournament: tournament), index.get_division(code).id
    division = DivisionId(desk.make_row_id())
    return partial(commands.add_division_with_stage, key=division, code=code), division


def _import_players(program: Program, desk: Desk, lists: imports.PlayerListFile, options: Namespace) -> list[str]:
    """Add players, or with `--update` change existing ones. If one row is invalid, nothing changes."""
    if options.sheet is None and lists.candidate_worksheet_names:
        raise InputError("several-sheets", source=lists.source, sheets=", ".join(lists.candidate_worksheet_names))
    index = lists.likely_worksheet_index if options.sheet is None else lists.find_sheet_index(options.sheet)
    sheet = lists.sheets[index]
    country = desk.tournament.ruleset.country
    preview = player_lists.read_player_grid(
        sheet.grid,
        lists.source,
        is_first_name_first=options.first_last,
        country=country,
        division_names=[name for item in desk.index.divisions for name in (item.code, item.name)],
    )
    entries = preview.get_players_or_refuse(allow_namesakes=options.namesakes)
    if options.division is not None:
        entries = tuple(replace(entry, division="") for entry in entries)
    target_divisions = any(entry.division for entry in entries) and desk.index.divisions
    add_division, division = _make_add_division_function_and_id(
        desk, target_divisions[0].code if target_divisions else options.division
    )
    entries = convert_division_names_to_codes(desk.index, division, entries) if target_divisions else entries
    existing_players = (
        _match_player_entries_or_refuse(desk, division, entries, with_names=options.names)
        if options.update or options.names
        else ()
    )
    rows = tuple(zip(entries, existing_players or (None,) * len(entries), strict=True))
    key, players_before = desk.make_row_id(), tuple(desk.tournament.players.values())
    add = partial(
        commands.import_players, key=key, division=division, names=options.names, namesakes=options.namesakes
    )

    def command(tournament: Tournament) -> Tournament:
        return add(add_division(tournament), entries=entries, known=existing_players)

    codes = ", ".join(sorted({entry.division for entry in entries if entry.division}))
    code = codes or options.division or desk.index.get_division(None).code
    try:
        desk.do(command, label="import-players", division=code, source=lists.source, count=len(entries))
    except CommandError:
        attempts = ((entry.line, partial(add, entries=(entry,), known=(player,))) for entry, player in rows)
        imports.refuse_rows_that_cannot_be_added(add_division(desk.tournament), lists.source, attempts)
        raise
    warnings = _list_player_list_warnings(program, lists, sheet, preview, country)
    added_entries = [entry for entry, player in rows if player is None]
    if names := ", ".join(_format_players_of_other_divisions(desk.index, division, added_entries, players_before)):
        warnings.append(program.catalogue.describe_problem("added-elsewhere", {"players": names}))
    return warnings


def _format_players_of_other_divisions(
    index: TournamentIndex, division: DivisionId, added_entries: Sequence[PlayerEntry], players: Sequence[Player]
) -> Iterator[str]:
    codes = {item.id: item.code for item in index.divisions}
    entries = [replace(entry, division=entry.division or codes[division]) for entry in added_entries]
    for match in match_player_entries(players, entries, codes=codes):
        if match.player is not None and match.has_division_change:
            yield f"{match.entry.name} ({codes[match.player.division]})"


def _list_encoding_warnings(program: Program, lists: imports.PlayerListFile) -> Iterator[str]:
    encoding, names = lists.encoding, "; ".join(lists.accented_cell_samples)
    if encoding.legacy:
        facts = {
            "encoding": ENCODINGS[encoding.legacy],
            "lines": ", ".join(map(str, encoding.lines)),
            "names": names,
        }
        yield program.catalogue.describe_problem("text-mixed", facts)
    elif encoding.name in LEGACY and names:
        facts = {"encoding": ENCODINGS[encoding.name], "names": names}
        yield program.catalogue.describe_problem("text-encoding", facts)


def _list_player_list_warnings(
    program: Program, lists: imports.PlayerListFile, sheet: Worksheet, preview: ParsedPlayerList, country: str
) -> list[str]:
    catalogue, ignored = program.catalogue, ", ".join(preview.ignored)
    messages = [*_list_encoding_warnings(program, lists)]
    if other_sheets := [item.name for item in lists.sheets if item is not sheet and item.grid.rows]:
        messages.append(
            catalogue.describe_problem("sheets-left-out", {"sheet": sheet.name, "sheets": ", ".join(other_sheets)})
        )
    messages += [catalogue.describe_problem("columns-left-out", {"columns": ignored})] if ignored else []
    messages += [
        catalogue.describe_error(warning.make_input_error(preview.source, warning.line))
        for warning in preview.warnings
    ]
    if are_names_in_first_last_order([entry.name for entry in preview.entries], country):
        messages.append(catalogue.describe_problem("first-names-first", {}))
    return messages


def _match_player_entries_or_refuse(
    desk: Desk, division: DivisionId, entries: tuple[PlayerEntry, ...], *, with_names: bool
) -> tuple[Player | None, ...]:
    if any(entry.division for entry in entries):
        codes = {item.id: item.code for item in desk.index.divisions}
        players = tuple(desk.tournament.players.values())
        matches = match_player_entries(players, entries, with_names=with_names, codes=codes)
    else:
        matches = match_player_entries(desk.index.players(division), entries, with_names=with_names)
    for match in matches:
        if match.status is ImportedPlayerStatus.CONFLICT and match.player is not None:
            raise InputError(
                "player-unsure",
                source="",
                line=match.entry.line,
                player=match.entry.name,
                other=match.player.name,
                number=match.player.number,
            )
    return tuple(match.player for match in matches)


def _import_event(desk: Desk, event: EventEntry, options: Namespace) -> EventEntry:
    source, code = options.source.name, options.division
    command = partial(
        commands.import_event, key=desk.make_row_id(), event=event, file_order=not options.keep_order
    )
    if len(event.divisions) > 1 and code is None:
        count = sum(len(item.players) for item in event.divisions)
        desk.do(command, source=source, count=count)
        return event
    divisions = [item for item in event.divisions if len(event.divisions) == 1 or item.code == code]
    if not divisions:
        raise CommandError("no-such-division", division=code)
    target = code or (divisions[0].code if not desk.index.divisions else desk.index.get_division(None).code)
    imported_event = replace(event, divisions=(replace(divisions[0], code=target),))
    command = partial(command, event=imported_event)
    desk.do(command, division=target, source=source, count=len(divisions[0].players))
    return imported_event


def _enter_imported_results(
    program: Program, desk: Desk, results: cells.ImportedResults, code: str | None
) -> list[str]:
    division, before = desk.index.get_division(code), desk.index
    imports.refuse_invalid_imported_results(desk.tournament, division.id, results)
    desk.do(partial(commands.enter_results, division=division.id, entries=results.entries))
    entry_count = len(results.entries)
    return describe_imported_results(
        program.catalogue, before, desk.index, result_count=entry_count, ignored_columns=results.ignored
    )


def export_file(program: Program, options: Namespace) -> ExportedFileJson:
    """Export a tournament to a file or folder. By default, the file extension decides the format."""
    kind = options.format or options.target.suffix.lstrip(".")
    if kind == SITE:
        return _export_site(program, options)
    if options.then or options.address:
        raise CommandError("then-without-site")
    with program.open_desk(options.file, read_only=True) as desk:
        index = exports.make_index_of_public_view(desk.index) if options.public else desk.index
        if kind in rating_lists.EXPORT_FORMATS:
            exports.save_export(options.target, encode_season_rating_export(program, index, kind, options))
            return ExportedFileJson(str(options.target), kind, warnings=[])
        content = exports.make_export_content(kind, index, options.division, options.round, program.catalogue)
        unsupported_parts = exports.list_unsupported_data(kind, index, options.division)
    exports.save_export(options.target, content)
    warnings = [program.catalogue.describe_problem(item.code, item.facts) for item in unsupported_parts]
    if not options.json:
        for warning in warnings:
            print(warning, file=sys.stderr if options.target == STANDARD_STREAM else sys.stdout)
    return ExportedFileJson(str(options.target), kind, warnings=warnings)


def _export_site(program: Program, options: Namespace) -> ExportedFileJson:
    from tdapp.services.publishing import write_web_pages
    from tdapp.services.uploading import parse_upload_commands, run_upload_commands
    from tdapp.web.site import parse_site_url

    upload_commands, address = parse_upload_commands("\n".join(options.then)), parse_site_url(options.address)
    with program.open_desk(options.file, read_only=True) as desk:
        pages = program.folder / "site"
        count = write_web_pages(desk.tournament, program.catalogue, pages, [options.target], address=address)
    run_upload_commands(upload_commands, options.target.absolute())
    return ExportedFileJson(str(options.target), SITE, files=count)
