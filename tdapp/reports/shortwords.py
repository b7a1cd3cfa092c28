"""The words of two and three letters of the edition that the jury asks, where they may be printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.reports.layout import Section
from tdapp.reports.report import Context, Group, Report, section, text_field, wrapped_text


def _short(context: Context, division: Division) -> Section:
    catalogue, title = context.catalogue, context.catalogue.text("Short words")
    by_length = {length: _by_initial(listed) for length, listed in sorted(context.short_words.items())}
    initials = sorted({initial for found in by_length.values() for initial in found}, key=catalogue.sort_key)
    made = [text_field(context, "", initials)]
    for length, found in by_length.items():
        heading = catalogue.plural("{n} letter", "{n} letters", length)
        made.append(text_field(context, heading, ("  ".join(found.get(one, ())) for one in initials)))
    note = context.wordlist.edition.name if context.wordlist else ""
    empty = catalogue.text("No word list is at hand for the jury.")
    lines = wrapped_text([replace(made[0], bold=True), *made[1:]], [one.heading for one in made[1:]])
    return section(context, division, title, lines, empty, note=note, joined=True)


def _by_initial(listed: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in listed:
        found.setdefault(word[0], []).append(word)
    return found


SHORT_WORDS = Report(
    "short-words",
    N_("Words of two and three letters"),
    _short,
    Group.FORM,
    N_("The words of two and three letters, where their publisher allows it."),
    once=True,
)
