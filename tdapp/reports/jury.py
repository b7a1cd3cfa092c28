"""Printouts for the jury, and the history.

No-turneringsreglement 3.9: the words are written legibly on a special slip, and the opponent may add notes that
help to find them. 3.10: the judge ticks whether the play is valid and never names the wrong word.
"""

from __future__ import annotations

from msgspec.structs import replace

from tdapp.domain.model import Division
from tdapp.domain.tables import jury_log
from tdapp.domain.tables.history import make_history_table
from tdapp.domain.tables.jury import make_division_doubt_table
from tdapp.domain.tables.jury_log import is_round_unpublished, make_ruling_log
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.translatable import C_, N_
from tdapp.i18n.lists import ListColumn
from tdapp.reports.cards import CardSheet, make_card_pages
from tdapp.reports.layout import PaintedPages
from tdapp.reports.pen import PageBox, Pen, TextAlign
from tdapp.reports.report import Report, ReportContext, ReportGroup, make_section, select_columns, wrap_texts
from tdapp.reports.sections import Section

_CODES = {
    "t": N_("t1, t2: the first or second player exceeded the time"),
    "f": N_("f1, f2, f: forfeited by the first player, the second player or both"),
}  # of scores in the journal


def _make_sanction_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    table = jury_log.make_jury_decision_table(context.index, division, context.round)
    wanted = ("round", "table", "name", "kind", "penalty", "row", "word", "why", "author")
    title = catalogue.text("Sanctions and rulings")
    empty = catalogue.text("There are no sanctions and no rulings.")
    made = select_columns(context, table, wanted, bold=("name",), wrapped="why")
    return make_section(context, division, title, made, empty)


def _make_ruling_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    table = make_ruling_log(context.index, division, context.steps, context.find_last_round(division))
    wanted = ("round", "table", "at", "name", "word", "row", "kind", "turn_score", "points_change", "before",
              "after", "why", "author")  # fmt: skip
    title, empty = (
        catalogue.text(C_("printout: decisions of the jury", "Rulings")),
        catalogue.text("There are no rulings."),
    )
    made = select_columns(context, table, wanted, bold=("word",), wrapped="why")
    gone = sorted({row.round for row in table.rows if is_round_unpublished(context.index, division, row.round)})
    note = catalogue.plural(
        "Round {rounds} was unpublished: its rulings no longer count.",
        "Rounds {rounds} were unpublished: their rulings no longer count.",
        len(gone),
        rounds=catalogue.format_numbers(gone),
    )
    parts = {part[0] for row in table.rows for part in f"{row.before} {row.after}".split()}
    codes = " · ".join(catalogue.text(text) for code, text in _CODES.items() if code in parts)
    return make_section(context, division, title, made, empty, note=note if gone else "", legend=codes)


SANCTIONS = Report(
    "sanctions",
    N_("Sanctions and rulings"),
    _make_sanction_section,
    ReportGroup.JURY,
    N_("Sanctions, and the rulings on score sheets."),
    wide=True,
)
RULINGS = Report(
    "rulings",
    C_("printout: decisions of the jury", "Rulings"),
    _make_ruling_section,
    ReportGroup.JURY,
    N_("The jury’s rulings, with each step of the score calculation."),
    wide=True,
)


def _make_incident_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    table = jury_log.make_incident_table(context.index, division, context.round)
    wanted = ("at", "round", "table", "kind", "time", "players", "note", "author")
    title, empty = catalogue.text("Incidents"), catalogue.text("No incidents were noted.")
    made = select_columns(context, table, wanted, bold=("table",), wrapped="note")
    return make_section(context, division, title, made, empty, joined=True)


INCIDENTS = Report(
    "incidents",
    N_("Incidents"),
    _make_incident_section,
    ReportGroup.JURY,
    N_("Incidents at the tables, noted by the jury."),
    wide=True,
)


_WORDS = 5


def _make_challenge_slips(context: ReportContext, division: Division) -> PaintedPages:
    catalogue = context.catalogue
    head = make_section(context, division, catalogue.text("Challenge slips"), (), "")
    judges = [catalogue.text("Judge")]
    if context.index.tournament.rules_of(division).judges.appeal:
        judges += [catalogue.text("Appeal"), catalogue.text(C_("field on a challenge slip", "Joint verdict"))]
    valid_text = catalogue.text(C_("verdict on a challenged play", "valid"))
    wrong_text = catalogue.text(C_("verdict on a challenged play", "not valid"))

    def paint_slip(pen: Pen, box: PageBox) -> None:
        pen.write_text(catalogue.text("Challenge"), box, box.top - 15, 18, bold=True)
        pen.write_text(head.mark, box, box.top - 15, 11, align=TextAlign.RIGHT)
        for strip, label in zip(box.make_row_box(22, 32).split_columns(1, 1), ("round", "table"), strict=True):
            pen.draw_blank_field(
                catalogue.heading(label), PageBox(strip.x, strip.y, strip.width - 8, strip.height)
            )
        apart = min(20, 20 - (236 - box.height) / (_WORDS - 1))  # letter is lower than A4
        for number in range(_WORDS):
            label = catalogue.text("Words, in capitals") if number == _WORDS - 1 else ""
            pen.draw_blank_field(label, PageBox(box.x, box.top - 84 - number * apart, box.width, 30))
        pen.draw_blank_field(
            catalogue.text(C_("field on a challenge slip", "Help in finding words")),
            PageBox(box.x, box.y + 48, box.width, 26),
        )
        for base, who in zip((28, 11, -6), judges, strict=False):
            first, valid, wrong = box.split_columns(2, 3, 3)
            pen.write_text(who, first, box.y + base, 9)
            for verdict, place in ((valid_text, valid), (wrong_text, wrong)):
                pen.draw_tick_box(verdict, place.x, box.y + base, place.width, size=9.5)

    return make_card_pages(head.title, head.mark, [paint_slip] * 6, CardSheet(2, 3))


def _make_challenge_section(context: ReportContext, division: Division) -> Section:
    catalogue, table = context.catalogue, jury_log.make_challenge_table(context.index, division)
    asked = ("occasion",) if any(row.entry.occasion for row in table.rows) else ()
    wanted = ("round", "table", "words", "challenger", *asked, "verdict", "judge", "appeal", "second_judge",
              "final_verdict")  # fmt: skip
    title, empty = catalogue.text("Challenges"), catalogue.text("No plays were challenged.")
    bold = ("words", "final_verdict")
    made = select_columns(context, table, wanted, bold=bold, wrapped="words")
    return make_section(context, division, title, made, empty)


CHALLENGE_SLIPS = Report(
    "challenge-slips",
    N_("Challenge slips"),
    _make_challenge_slips,
    ReportGroup.FORM,
    N_("For the tables: the challenged words are written on it for the judge."),
)
CHALLENGES = Report(
    "challenges",
    N_("Challenges"),
    _make_challenge_section,
    ReportGroup.JURY,
    N_("The challenged plays and their verdicts."),
    wide=True,
)


_DOUBTFUL_COLUMNS = ("round", "table", "form", "row", "word", "name", "cost", "state")


def _make_doubtful_words_section(context: ReportContext, division: Division) -> Section:
    catalogue, title = context.catalogue, context.catalogue.text("Doubtful words")
    wordlist = context.wordlists.get(division.id)
    if wordlist is None:
        nothing = [ListColumn(catalogue.heading(name), ColumnKind.TEXT, ()) for name in _DOUBTFUL_COLUMNS]
        return make_section(context, division, title, nothing, catalogue.text("The jury has no word list."))
    table = make_division_doubt_table(
        context.index, division, context.round, wordlist=wordlist, tilesets=context.tilesets
    )
    note, empty = wordlist.edition.name, catalogue.text("No word is in doubt.")
    made = select_columns(context, table, _DOUBTFUL_COLUMNS, bold=("word",))
    return make_section(context, division, title, made, empty, note=note)


DOUBTFUL = Report(
    "doubtful-words",
    N_("Doubtful words"),
    _make_doubtful_words_section,
    ReportGroup.JURY,
    N_("Words on the score sheets that are not in the word list, with their penalties."),
    wide=True,
)


def _make_list_of_short_words(context: ReportContext, division: Division) -> Section:
    catalogue, title = context.catalogue, context.catalogue.text("Short words")
    listed, wordlist = context.short_words.get(division.id, {}), context.wordlists.get(division.id)
    initials = sorted({word[0] for words in listed.values() for word in words}, key=catalogue.make_sort_key)
    made = [ListColumn("", ColumnKind.TEXT, tuple(initials))]
    for length, words in sorted(listed.items()):
        heading = catalogue.plural("{n} letter", "{n} letters", length)
        lines = ("  ".join(word for word in words if word[0] == initial) for initial in initials)
        made.append(ListColumn(heading, ColumnKind.TEXT, tuple(lines)))
    note = wordlist.edition.name if wordlist else ""
    empty = catalogue.text("The jury has no word list.")
    made = wrap_texts([replace(made[0], bold=True), *made[1:]], [one.heading for one in made[1:]])
    return make_section(context, division, title, made, empty, note=note, joined=True)


SHORT_WORDS = Report(
    "short-words",
    N_("Words of two and three letters"),
    _make_list_of_short_words,
    ReportGroup.FORM,
    N_("The words of two and three letters, if their publisher allows printing."),
    once=True,
)


_STEP = 84  # characters of a line


def _make_history_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    table = make_history_table(context.steps)
    table = replace(table, rows=tuple(reversed(table.rows)))
    wanted = ("seq", "at", "station", "step", "undone")
    title, empty = catalogue.text("History"), catalogue.text("No changes were made yet.")
    fields = select_columns(context, table, wanted)
    made = wrap_texts(fields, [one.heading for one in fields if one.id == "step"], longest=_STEP)
    return replace(make_section(context, division, title, made, empty, joined=True), mark="")


HISTORY = Report(
    "history",
    N_("History"),
    _make_history_section,
    ReportGroup.JURY,
    N_("Every change in this tournament, step by step."),
    once=True,
)
