"""The verb `print`: reports as PDF, one or several together, noted in the tournament as printed."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from tdapp.cli import meant
from tdapp.cli.house import CliResources
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation, UserError
from tdapp.domain.paper import Moment, Paper, Printing
from tdapp.domain.problems import Problem
from tdapp.exchange.files import write_file
from tdapp.i18n.catalogue import Catalogue
from tdapp.reports import REPORTS, Context, bound, load
from tdapp.reports.logo import logo
from tdapp.reports.printed import PrintState, name, printings, standings
from tdapp.reports.sets import together
from tdapp.storage.lexicon import Lexicon
from tdapp.storage.lexicon_search import short_words

MOMENTS = tuple(moment.value for moment in Moment)


def print_report(house: CliResources, options: Namespace) -> object:
    """Write a report or the papers of a moment as one PDF, and note that they are printed; or name the reports."""
    if options.list:
        return _listed(house, options)
    if options.file is None or options.output is None or (options.report is None) is (options.set is None):
        raise RuleViolation("print-what")
    with house.desk(options.file, read_only=True) as desk, _word_list(options) as wordlist:
        context = _context(house, options, desk, wordlist)
        papers = _papers(house, options, context)
        write_file(options.output, bound(papers))
        printed = [row for report, context in papers for row in printings(report, context)]
    noted = options.noted and _note(house, options, printed)
    names = list(dict.fromkeys(report for report, _ in papers))
    return {"file": str(options.output), "report": options.report, "reports": names, "noted": noted}


def stale(house: CliResources, desk: Desk) -> tuple[Problem, ...]:
    """Return a problem for each paper that says otherwise now than when it was printed."""
    index = desk.index

    def of(row: Printing) -> Context:
        return Context(
            index=index,
            divisions=tuple(one for one in index.divisions if row.division in {None, one.id}),
            words=Catalogue(row.language, house.resources / "locale"),
            style=load(house.resources / "fonts"),
            printed=datetime.now().astimezone(),
            round=row.round,
            category=row.category,
            best=row.best,
            systems=house.ratings,
        )

    divisions = index.tournament.divisions
    return tuple(
        Problem("paper-stale", {"paper": name(one.printing, house.catalogue, divisions), "n": 1}, "papers")
        for one in standings(index, of)
        if one.state is PrintState.STALE
    )


def _listed(house: CliResources, options: Namespace) -> object:
    listed = {name: house.catalogue.text(report.title) for name, report in REPORTS.items()}
    if not options.json:
        for report, said in listed.items():
            print(f"{report:20} {said}")
    return listed


def _context(house: CliResources, options: Namespace, desk: Desk, wordlist: Lexicon | None) -> Context:
    index = desk.index
    style = load(house.resources / "fonts", paper=options.paper)
    return Context(
        index=index,
        divisions=meant.divisions(index, options),
        words=house.catalogue,
        style=replace(style, logo=logo(index.tournament)),
        printed=datetime.now().astimezone(),
        round=options.round,
        category=options.category,
        best=options.best,
        systems=house.ratings,
        steps=desk.history(),
        wordlist=wordlist,
        tilesets=house.tilesets,
        columns=options.columns,
        short_words=short_words(wordlist) if wordlist is not None and options.report == "short-words" else {},
    )


def _papers(house: CliResources, options: Namespace, context: Context) -> list[tuple[str, Context]]:
    """Return each report with what it is made from, as often as there are copies."""
    if options.set is None:
        return [(options.report, context)]
    chosen = together(context.index.tournament, Moment(options.set), page=options.paper)
    return [(paper.report, _of(house, paper, context)) for paper in chosen for _ in range(paper.copies)]


def _of(house: CliResources, paper: Paper, context: Context) -> Context:
    words = Catalogue(paper.language, house.resources / "locale") if paper.language else context.words
    style = replace(load(house.resources / "fonts", paper=paper.page), logo=context.style.logo)
    return replace(context, words=words, style=style, columns=paper.columns)


def _note(house: CliResources, options: Namespace, printed: list[Printing]) -> bool:
    """Note that papers were printed; where the file may not be written, say so and go on."""
    rows = tuple({row.id: row for row in printed}.values())
    try:
        with house.desk(options.file) as desk:
            desk.do("note-printings", partial(commands.note_printings, printings=rows))
    except UserError as error:
        said = house.catalogue.text("The printing could not be noted. {why}", why=house.catalogue.error(error))
        print(said, file=sys.stderr)
        return False
    return True


@contextmanager
def _word_list(options: Namespace) -> Iterator[Lexicon | None]:
    path: Path | None = options.wordlist
    if path is None:
        yield None
        return
    with Lexicon.open(path) as opened:
        yield opened
