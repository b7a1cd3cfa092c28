"""Printouts for the jury, and the printout of all history steps.

A challenge slip contains the challenged words. The opponent may add notes that help to find the words on the board
(No-turneringsreglement 3.9). The judge ticks whether the play is valid, and never names the wrong word (3.10).
"""

from __future__ import annotations

from msgspec.structs import replace

from tdapp.domain.model import Division
from tdapp.domain.tables import jury_log
from tdapp.domain.tables.history import make_history_table
from tdapp.domain.tables.jury import make_doubtful_word_table_of_division
from tdapp.domain.tables.jury_log import is_after_last_published_round, make_ruling_log
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.translatable import C_, N_
from tdapp.i18n.lists import TextColumn
from tdapp.reports.cards import CardPageLayout, make_card_pages
from tdapp.reports.layout import CustomPaintedSection
from tdapp.reports.pen import PageBox, Pen, TextAlign
from tdapp.reports.report import (
    Report,
    ReportContext,
    ReportGroup,
    make_section,
    select_columns,
    wrap_column_texts,
)
from tdapp.reports.sections import Section

_SCORE_CODES = {
    "t": N_("t1, t2: the first or second player went over time"),
    "f": N_("f1, f2, f: forfeited by the first player, the second player or both"),
}  # of scores in the history


def _make_sanction_and_ruling_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    table = jury_log.make_jury_decision_table(context.index, division, context.round)
    column_ids = ("round", "table", "name", "kind", "penalty", "row", "word", "why", "author")
    title = catalogue.text("Sanctions and rulings")
    empty = catalogue.text("There are no sanctions and no rulings.")
    columns = select_columns(context, table, column_ids, bold=("name",), wrapped_id="why")
    return make_section(context, division, title, columns, empty)


def _make_ruling_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    table = make_ruling_log(context.index, division, context.steps, context.find_last_round_in_report(division))
    column_ids = ("round", "table", "at", "name", "word", "row", "kind", "turn_score", "points_change", "before",
              "after", "why", "author")  # fmt: skip
    title = catalogue.text(C_("printout: decisions of the jury", "Rulings"))
    empty = catalogue.text("There are no rulings.")
    columns = select_columns(context, table, column_ids, bold=("word",), wrapped_id="why")
    unpublished_rounds = sorted(
        {row.round for row in table.rows if is_after_last_published_round(context.index, division, row.round)}
    )
    note = catalogue.plural(
        "Round {rounds} was unpublished: its rulings no longer count.",
        "Rounds {rounds} were unpublished: their rulings no longer count.",
        len(unpublished_rounds),
        rounds=catalogue.format_numbers(unpublished_rounds),
    )
    parts = {part[0] for row in table.rows for part in f"{row.before} {row.after}".split()}
    codes = " · ".join(catalogue.text(text) for code, text in _SCORE_CODES.items() if code in parts)
    return make_section(
        context, division, title, columns, empty, note=note if unpublished_rounds else "", legend=codes
    )


SANCTIONS = Report(
    "sanctions",
    _make_sanction_and_ruling_section,
    ReportGroup.JURY,
    N_("Sanctions, and rulings on score sheets."),
    is_landscape=True,
)
RULINGS = Report(
    "rulings",
    _make_ruling_section,
    ReportGroup.JURY,
    N_("The jury’s rulings, with each step of the score calculation."),
    is_landscape=True,
)


def _make_incident_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    table = jury_log.make_incident_table(context.index, division, context.round)
    column_ids = ("at", "round", "table", "kind", "time", "players", "note", "author")
    title, empty = catalogue.text("Incidents"), catalogue.text("No incidents were noted.")
    columns = select_columns(context, table, column_ids, bold=("table",), wrapped_id="note")
    return make_section(context, division, title, columns, empty, has_continuation_rows=True)


INCIDENTS = Report(
    "incidents",
    _make_incident_section,
    ReportGroup.JURY,
    N_("Incidents at the tables, noted by the jury."),
    is_landscape=True,
)


_WORD_COUNT = 5


def _make_challenge_slips(context: ReportContext, division: Division) -> CustomPaintedSection:
    catalogue = context.catalogue
    section = make_section(context, division, catalogue.text("Challenge slips"), (), "")
    judges = [catalogue.text("Judge")]
    if context.index.tournament.get_ruleset_of_row(division).judges.appeal:
        judges += [catalogue.text("Appeal"), catalogue.text(C_("field on a challenge slip", "Joint verdict"))]
    valid_text = catalogue.text(C_("verdict on a challenged play", "valid"))
    wrong_text = catalogue.text(C_("verdict on a challenged play", "not valid"))

    def paint_slip(pen: Pen, box: PageBox) -> None:
        pen.write_text(catalogue.text("Challenge"), box, box.top - 15, 18, bold=True)
        pen.write_text(section.division_title, box, box.top - 15, 11, align=TextAlign.RIGHT)
        for strip, label in zip(
            box.make_row_box(22, 32).split_into_columns(1, 1), ("round", "table"), strict=True
        ):
            pen.draw_blank_field(
                catalogue.heading(label), PageBox(strip.x, strip.y, strip.width - 8, strip.height)
            )
        line_distance = min(20, 20 - (236 - box.height) / (_WORD_COUNT - 1))  # letter is lower than A4
        for number in range(_WORD_COUNT):
            label = catalogue.text("Words, in capitals") if number == _WORD_COUNT - 1 else ""
            pen.draw_blank_field(label, PageBox(box.x, box.top - 84 - number * line_distance, box.width, 30))
        pen.draw_blank_field(
            catalogue.text(C_("field on a challenge slip", "Hints for looking up the words")),
            PageBox(box.x, box.y + 48, box.width, 26),
        )
        for base, judge in zip((28, 11, -6), judges, strict=False):
            judge_box, valid_box, wrong_box = box.split_into_columns(2, 3, 3)
            pen.write_text(judge, judge_box, box.y + base, 9)
            for verdict, tick_box in ((valid_text, valid_box), (wrong_text, wrong_box)):
                pen.draw_tick_box(verdict, tick_box.x, box.y + base, tick_box.width, size=9.5)

    return make_card_pages(section.title, section.division_title, [paint_slip] * 6, CardPageLayout(2, 3))


def _make_challenge_section(context: ReportContext, division: Division) -> Section:
    catalogue, table = context.catalogue, jury_log.make_challenge_table(context.index, division)
    occasion_columns = ("occasion",) if any(row.entry.occasion for row in table.rows) else ()
    column_ids = (
        "round",
        "table",
        "words",
        "challenger",
        *occasion_columns,
        "verdict",
        "judge",
        "appeal",
        "second_judge",
        "final_verdict",
    )
    title, empty = catalogue.text("Challenges"), catalogue.text("No plays were challenged.")
    bold = ("words", "final_verdict")
    columns = select_columns(context, table, column_ids, bold=bold, wrapped_id="words")
    return make_section(context, division, title, columns, empty)


CHALLENGE_SLIPS = Report(
    "challenge-slips",
    _make_challenge_slips,
    ReportGroup.FORM,
    N_("A slip for the tables: players write the challenged words on it for the judge."),
)
CHALLENGES = Report(
    "challenges",
    _make_challenge_section,
    ReportGroup.JURY,
    N_("The challenged plays and their verdicts."),
    is_landscape=True,
)


_DOUBTFUL_COLUMNS = ("round", "table", "form", "row", "word", "name", "cost", "state")


def _make_doubtful_words_section(context: ReportContext, division: Division) -> Section:
    catalogue, title = context.catalogue, context.catalogue.text("Words in doubt")
    wordlist = context.wordlists.get(division.id)
    if wordlist is None:
        empty_columns = [TextColumn(catalogue.heading(name), ColumnKind.TEXT, ()) for name in _DOUBTFUL_COLUMNS]
        return make_section(context, division, title, empty_columns, catalogue.text("The jury has no word list."))
    table = make_doubtful_word_table_of_division(
        context.index, division, context.round, wordlist=wordlist, tilesets=context.tilesets
    )
    note, empty = wordlist.edition.name, catalogue.text("No word is in doubt.")
    columns = select_columns(context, table, _DOUBTFUL_COLUMNS, bold=("word",))
    return make_section(context, division, title, columns, empty, note=note)


DOUBTFUL = Report(
    "doubtful-words",
    _make_doubtful_words_section,
    ReportGroup.JURY,
    N_("Words on the score sheets that are not in the word list, with their penalties."),
    is_landscape=True,
)


def _make_list_of_short_words(context: ReportContext, division: Division) -> Section:
    catalogue, title = context.catalogue, context.catalogue.text("Short words")
    words_by_length, wordlist = context.short_words.get(division.id, {}), context.wordlists.get(division.id)
    initials = sorted(
        {word[0] for words in words_by_length.values() for word in words}, key=catalogue.make_sort_key
    )
    columns = [TextColumn("", ColumnKind.TEXT, tuple(initials))]
    for length, words in sorted(words_by_length.items()):
        heading = catalogue.plural("{n} letter", "{n} letters", length)
        lines = ("  ".join(word for word in words if word[0] == initial) for initial in initials)
        columns.append(TextColumn(heading, ColumnKind.TEXT, tuple(lines)))
    note = wordlist.edition.name if wordlist else ""
    empty = catalogue.text("The jury has no word list.")
    columns = wrap_column_texts(
        [replace(columns[0], bold=True), *columns[1:]], [column.heading for column in columns[1:]]
    )
    return make_section(context, division, title, columns, empty, note=note, has_continuation_rows=True)


SHORT_WORDS = Report(
    "short-words",
    _make_list_of_short_words,
    ReportGroup.FORM,
    N_("The two- and three-letter words, if their publisher allows printing."),
    is_for_event=True,
)


_STEP_LENGTH = 84  # characters of a line


def _make_tournament_history_section(context: ReportContext, division: Division) -> Section:
    catalogue = context.catalogue
    table = make_history_table(context.steps)
    table = replace(table, rows=tuple(reversed(table.rows)))
    column_ids = ("seq", "at", "station", "step", "undone")
    title, empty = catalogue.text("History"), catalogue.text("No changes have been made yet.")
    columns = select_columns(context, table, column_ids)
    wrapped_columns = wrap_column_texts(
        columns, [column.heading for column in columns if column.id == "step"], max_length=_STEP_LENGTH
    )
    return replace(
        make_section(context, division, title, wrapped_columns, empty, has_continuation_rows=True),
        division_title="",
    )


HISTORY = Report(
    "history",
    _make_tournament_history_section,
    ReportGroup.JURY,
    N_("Every change in this tournament, step by step."),
    is_for_event=True,
)
