"""The verb `print`: write reports as one PDF and record them as printed in the tournament."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial

from tdapp.cli.json_types import ReportsPdfJson
from tdapp.cli.program import Program, list_chosen_divisions
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError, UserError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division
from tdapp.domain.paper import PrintingMoment, Printout
from tdapp.domain.problems import Problem
from tdapp.exchange.text import write_file
from tdapp.reports import REPORTS
from tdapp.reports.printed import (
    describe_missing_letters,
    describe_omitted_reports,
    describe_printout,
    make_round_without_results_warning,
)
from tdapp.reports.registry import list_report_choices
from tdapp.services.printing import PrintRequest, PrintService, WordList
from tdapp.storage.lexicon import Lexicon


def print_report(program: Program, options: Namespace) -> ReportsPdfJson | dict[str, str]:
    """Write reports as one PDF and record them as printed. With `--list`, list the reports."""
    if options.list:
        return _show_available_reports(program, options)
    if options.file is None or options.output is None or (options.report is None) is (options.set is None):
        raise CommandError("print-what")
    word_list_context: WordList = nullcontext() if options.wordlist is None else Lexicon.open(options.wordlist)
    with program.open_desk(options.file, read_only=True) as desk, word_list_context as wordlist:

        def find_word_list(division: Division) -> WordList:
            if wordlist is not None:
                return nullcontext(wordlist)
            return program.library.open_edition_if_available(desk.tournament.get_wordlist_id_of_row(division))

        service = PrintService(desk.index, program, desk.list_all_steps(), find_word_list, options.room or "")
        requests = _list_print_requests(program, options, desk.index)
        limit_error = "" if options.many else "print-many-switch"
        document = service.make_pdf(requests, limit_error=limit_error)
        write_file(options.output, document.pdf)
    is_recorded = options.noted and _store_printouts(program, options, document.list_printouts())
    if not options.json:
        gaps = (
            *(
                make_round_without_results_warning(
                    program.catalogue, desk.index, request.report, request.divisions, request.round
                )
                for request in requests
            ),
            describe_omitted_reports(program.catalogue, document.left_out),
            describe_missing_letters(program.catalogue, document.missing),
        )
        print("".join(f"{gap}\n" for gap in dict.fromkeys(gaps) if gap), end="")
    left_out = [report for report, division in document.left_out if not division]
    names = [name for name in dict.fromkeys(request.report for request in requests) if name not in left_out]
    return ReportsPdfJson(
        str(options.output), options.report, names, left_out, is_recorded, dict(document.missing)
    )


def find_stale_printouts(program: Program, desk: Desk) -> tuple[Problem, ...]:
    return tuple(
        Problem(
            "paper-stale",
            {"paper": describe_printout(copy.printout, program.catalogue, desk.index), "n": 1},
            "papers",
        )
        for copy in PrintService(desk.index, program).list_watched_printouts()
        if copy.is_stale
    )


def _show_available_reports(program: Program, options: Namespace) -> dict[str, str]:
    titles = {name: program.catalogue.text(report.untranslated_title) for name, report in REPORTS.items()}
    if not options.json:
        for report, text in titles.items():
            print(f"{report:20} {text}")
    return titles


def _list_print_requests(program: Program, options: Namespace, index: TournamentIndex) -> list[PrintRequest]:
    request = PrintRequest(
        options.report or "",
        tuple(list_chosen_divisions(index, options)),
        options.round,
        program.catalogue.language,
        options.paper,
        options.category,
        options.best,
        options.columns,
        date=options.on or "",
    )
    if options.set is None:
        return [request]
    return [
        request.make_request_for_report_choice(choice)
        for choice in list_report_choices(index.tournament, PrintingMoment(options.set), paper_size=options.paper)
    ]


def _store_printouts(program: Program, options: Namespace, printouts: Sequence[Printout]) -> bool:
    try:
        with program.open_desk(options.file) as desk:
            desk.do(partial(commands.note_printouts, printouts=tuple(printouts)))
    except UserError as error:
        text = program.catalogue.text(
            "The printout could not be marked as printed. {why}", why=program.catalogue.describe_error(error)
        )
        print(text, file=sys.stderr)
        return False
    return True
