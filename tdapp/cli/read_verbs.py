"""Verbs that only read a tournament and print."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from tdapp.cli.json_types import (
    ClockJumpJson,
    DivisionStartsAndByesJson,
    HistoryStepJson,
    PlayerStartsAndByesJson,
    PrintedChecksumJson,
    PrintoutVerificationJson,
    RoundPrintoutCheckJson,
    RuleSetJson,
    ScheduleJson,
    StageJson,
)
from tdapp.cli.output import print_round_or_make_json, print_table
from tdapp.cli.program import Program, find_chosen_division, find_chosen_round, list_chosen_divisions
from tdapp.domain.errors import CommandError
from tdapp.domain.journal import CLOCK_JUMP
from tdapp.exchange.json_text import make_document_from_rows

if TYPE_CHECKING:
    from tdapp.domain.tables.bracket import MatchBox
    from tdapp.domain.verification import PrintoutVerification
    from tdapp.exchange.json_documents import (
        DivisionBracketJson,
        PlayerJson,
        RoundJson,
        StandingsJson,
    )
    from tdapp.i18n.catalogue import Catalogue


def show_players(program: Program, options: Namespace) -> list[PlayerJson]:
    from tdapp.domain.tables import players
    from tdapp.exchange import json_views

    with program.open_desk(options.file, read_only=True) as desk:
        index = desk.index
        divisions = list_chosen_divisions(index, options)
        if not options.json:
            for division in divisions:
                print(program.catalogue.text("Division {division}", division=division.code))
                table = players.make_player_table(index, division)
                print_table(table, program.catalogue, program.catalogue.text("No players yet."))
        return json_views.make_players_json(index, divisions)


def show_rulesets(program: Program, options: Namespace) -> list[RuleSetJson]:
    presets = program.bundled_rulesets.values()
    if not options.json:
        for preset in presets:
            print(f"{preset.id:18} {preset.name} ({preset.language}, {preset.tileset})")
    return [make_document_from_rows(RuleSetJson, preset) for preset in presets]


def show_pairings(program: Program, options: Namespace) -> RoundJson | None:
    with program.open_desk(options.file, read_only=True) as desk:
        index = desk.index
        return print_round_or_make_json(index, find_chosen_round(index, options), options, program.catalogue)


def show_standings(program: Program, options: Namespace) -> StandingsJson | None:
    from tdapp.domain.tables.standings import get_category_or_refuse, make_category_table, make_standings_table
    from tdapp.i18n.phrases import describe_checked_games, make_standings_title

    with program.open_desk(options.file, read_only=True) as desk:
        division = find_chosen_division(desk.index, options)
        category = get_category_or_refuse(desk.index, division, options.category) if options.category else ""
        if options.json:
            from tdapp.exchange import json_views

            return json_views.make_standings_json(
                desk.index, division, options.after, program.catalogue, category=category
            )
        after = desk.index.get_last_round_with_results(division.id, options.after)
        headings = [
            make_text(program.catalogue, desk.index, division, after)
            for make_text in (make_standings_title, describe_checked_games)
        ]
        print(" · ".join(filter(None, headings)))
        no_players_text = program.catalogue.text("No players yet.")
        if category:
            print_table(make_category_table(desk.index, division, category, after), program.catalogue)
        else:
            print_table(make_standings_table(desk.index, division, after), program.catalogue, no_players_text)
    return None


def show_stages(program: Program, options: Namespace) -> ScheduleJson:
    from tdapp.domain.tables import rounds

    with program.open_desk(options.file, read_only=True) as desk:
        division = desk.index.get_division(options.division)
        table = rounds.make_schedule_table(desk.index, division)
    if not options.json:
        print_table(table, program.catalogue)
    rows = [make_document_from_rows(StageJson, row, row.stage, row.stage.settings) for row in table.rows]
    return ScheduleJson(division.code, rows)


def show_starts_and_byes(program: Program, options: Namespace) -> DivisionStartsAndByesJson:
    from tdapp.domain.tables import statistics

    with program.open_desk(options.file, read_only=True) as desk:
        division = find_chosen_division(desk.index, options)
        table = statistics.make_starts_and_byes_table(desk.index, division, options.after)
        after = desk.index.get_last_published_round_number(division.id, options.after)
    if not options.json:
        print_table(table, program.catalogue, program.catalogue.text("No players yet."))
    rows: list[dict[str, Any]] = [{column.id: column.value(row) for column in table.columns} for row in table.rows]
    return DivisionStartsAndByesJson(division.code, after, [PlayerStartsAndByesJson(**row) for row in rows])


def show_bracket(program: Program, options: Namespace) -> DivisionBracketJson:
    from tdapp.domain.tables.bracket import build_bracket_trees, find_shown_knockout
    from tdapp.exchange import json_views
    from tdapp.exchange.json_documents import DivisionBracketJson

    with program.open_desk(options.file, read_only=True) as desk:
        division = desk.index.get_division(options.division)
        stage = find_shown_knockout(desk.index, division.id)
        if stage is None:
            raise CommandError("no-knockout", division=division.code)
        bracket = json_views.make_bracket_json(desk.index, stage, program.catalogue)
    if not options.json:
        boxes = [box for tree in build_bracket_trees(desk.index, stage) for box in tree.boxes if box.needed]
        print(*(_format_bracket_match(box, program.catalogue) for box in boxes), sep="\n")
        if any(match.decided and not match.bye for match in bracket.matches):
            print(*(f"{row.place:>3}  {row.name}" for row in bracket.places), sep="\n")
    return DivisionBracketJson(division.code, bracket)


def _format_bracket_match(box: MatchBox, catalogue: Catalogue) -> str:
    from tdapp.i18n.layouts import make_bracket_slot_text
    from tdapp.i18n.phrases import make_match_title
    from tdapp.i18n.scores import format_game_score

    names = " – ".join(make_bracket_slot_text(catalogue, box, side).name for side in (0, 1))
    points = ", ".join(filter(None, (format_game_score(catalogue, game) for game in box.games)))
    winner = "".join(f"→  {side.name}" for side in box.sides if side.won)
    parts = (f"{box.bracket_round}.{box.match}  {make_match_title(catalogue, box)}: {names}", points, winner)
    return "  ".join(filter(None, parts))


def show_history(program: Program, options: Namespace) -> list[HistoryStepJson]:
    from tdapp.domain.tables import history

    with program.open_desk(options.file, read_only=True) as desk:
        table = history.make_history_table(desk.list_all_steps())
    if not options.json:
        print_table(table, program.catalogue)
    return [
        make_document_from_rows(
            HistoryStepJson,
            row,
            row.step,
            facts=dict(row.step.facts),
            text=program.catalogue.describe_history_step(row),
        )
        for row in table.rows
    ]


def verify_printouts(program: Program, options: Namespace) -> tuple[PrintoutVerificationJson, int]:
    """Compare the tournament file and each round with checksums on printouts.

    The exit code is 0 if all match, else 2.
    """
    from tdapp.i18n.phrases import list_verification_sentences

    with program.open_desk(options.file, read_only=True) as desk:
        verification = desk.verify_checksums(options.head)
    if not options.json:
        print(*list_verification_sentences(verification, program.catalogue), sep="\n")
    if not verification.is_confirmed:
        print(program.catalogue.text("The file has changed since the printout was made."), file=sys.stderr)
    return _make_verification_json(verification), 0 if verification.is_confirmed else 2


def _make_verification_json(verification: PrintoutVerification) -> PrintoutVerificationJson:
    return make_document_from_rows(
        PrintoutVerificationJson,
        verification,
        verification.head,
        head=verification.head.code,
        holds=verification.is_confirmed,
        heads=[
            PrintedChecksumJson(
                head=checksum.code,
                found=checksum.step is not None,
                revision=checksum.step.seq if checksum.step is not None else None,
                printed_at=checksum.revision,
                at=checksum.step.at if checksum.step is not None else None,
                erased=checksum.erased,
            )
            for checksum in verification.heads
        ],
        agrees_to=verification.proven or None,
        differs_from=verification.broken,
        rounds=[make_document_from_rows(RoundPrintoutCheckJson, item) for item in verification.rounds],
        clocks=[ClockJumpJson(step.seq, step.at, step.facts[CLOCK_JUMP]) for step in verification.clocks],
    )
