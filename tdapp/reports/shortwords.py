"""The words of two and three letters of the edition that the jury asks, where they may be printed."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter, itemgetter

from tdapp.domain.model import Division
from tdapp.i18n.mark import N_
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Report, section, text_field
from tdapp.reports.wrapped import wrapped


def _short(context: Context, division: Division) -> Section:
    words, title = context.words, context.words.text("Short words")
    lines = [
        (str(length) if place == 0 else "", "".join(initial), "  ".join(found))
        for length, listed in sorted(context.short_words.items())
        for place, (initial, found) in enumerate(groupby(listed, key=itemgetter(0)))
    ]
    cells = tuple(zip(*lines, strict=True)) or ((), (), ())
    headings = (words.text("Letters"), "", words.text("Words"))
    made = [text_field(context, head, column) for head, column in zip(headings, cells, strict=True)]
    note = context.wordlist.edition.name if context.wordlist else ""
    empty = words.text("No word list is at hand for the jury.")
    return section(context, division, title, wrapped(made, [headings[2]]), empty, note=note, joined=True)


SHORT_WORDS = Report(N_("Words of two and three letters"), _short, attrgetter("desk"), once=True)
