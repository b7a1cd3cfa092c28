"""The jury's list of doubtful words: what to look up, and what became of it."""

from __future__ import annotations

from operator import attrgetter

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables.jury import doubtful
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, fields, section, text_field

_WANTED = ("round", "table", "form", "turn", "word", "name", "cost", "state")


def _doubtful(context: Context, division: Division) -> Section:
    words, title = context.words, context.words.text("Doubtful words")
    if context.wordlist is None:
        nothing = [text_field(context, words.heading(name), ()) for name in _WANTED]
        return section(context, division, title, nothing, words.text("No word list is at hand for the jury."))
    table = doubtful(context.index, division, context.round, wordlist=context.wordlist, tilesets=context.tilesets)
    made = fields(context, table, _WANTED, bold=("word",))
    note = context.wordlist.edition.name
    return section(context, division, title, made, words.text("No word is in doubt."), note=note)


DOUBTFUL = Report(
    "doubtful-words",
    N_("Doubtful words"),
    _doubtful,
    attrgetter("desk"),
    wide=True,
    group=Group.JURY,
    purpose=N_("Words on the sheets that are not in the list, and what they would cost."),
)
