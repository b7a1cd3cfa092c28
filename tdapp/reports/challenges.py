"""The challenge slip, and the jury's lists of challenged and of doubtful words, with what was ruled on them.

No-turneringsreglement 3.9: the words are written legibly on a slip made for it, the opponent may add what helps to
find them; 3.10: the judge ticks whether the play is valid and never says which word is not; 3.11: an appeal is
judged by another, then by both together.
"""

from __future__ import annotations

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables.jury import doubtful
from tdapp.domain.tables.jury_log import challenges
from tdapp.reports.cards import CardSheet, cards
from tdapp.reports.layout import PaintedPages, Section
from tdapp.reports.pen import Align, PageBox, Pen
from tdapp.reports.report import Context, Group, Report, fields, section, text_field, wrapped_text

_WORDS = 5
_WANTED = ("round", "table", "words", "challenger", "verdict", "judge", "appeal", "second_judge", "final_verdict")


def _slip(context: Context, division: Division) -> PaintedPages:
    catalogue = context.catalogue
    head = section(context, division, catalogue.text("Challenge slips"), (), "")

    def paint(pen: Pen, box: PageBox) -> None:
        pen.text(catalogue.text("Challenge"), box, box.top - 15, 18, bold=True)
        pen.text(head.mark, box, box.top - 15, 11, align=Align.RIGHT)
        for strip, label in zip(box.below(22, 32).columns(1, 1), ("round", "table"), strict=True):
            pen.blank(catalogue.heading(label), PageBox(strip.x, strip.y, strip.width - 8, strip.height))
        apart = min(20, 20 - (236 - box.height) / (_WORDS - 1))  # letter is lower than A4
        for number in range(_WORDS):
            label = catalogue.text("Words, in capitals") if number == _WORDS - 1 else ""
            pen.blank(label, PageBox(box.x, box.top - 84 - number * apart, box.width, 30))
        pen.blank(catalogue.text("What helps to find them"), PageBox(box.x, box.y + 48, box.width, 26))
        for base, who in (
            (28, catalogue.text("Judge")),
            (11, catalogue.text("Appeal")),
            (-6, catalogue.text("Together")),
        ):
            first, valid, wrong = box.columns(2, 3, 3)
            pen.text(who, first, box.y + base, 9)
            pen.tick_box(catalogue.text("valid"), valid.x, box.y + base, valid.width, size=9.5)
            pen.tick_box(catalogue.text("not valid"), wrong.x, box.y + base, wrong.width, size=9.5)

    return cards(head.title, head.mark, [paint] * 6, CardSheet(2, 3))


def _list(context: Context, division: Division) -> Section:
    catalogue = context.catalogue
    made = fields(context, challenges(context.index, division), _WANTED, bold=("words", "final_verdict"))
    made = wrapped_text(made, [catalogue.heading("words")])
    return section(
        context, division, catalogue.text("Challenges"), made, catalogue.text("Nothing was challenged.")
    )


CHALLENGE_SLIPS = Report(
    "challenge-slips",
    N_("Challenge slips"),
    _slip,
    Group.FORM,
    N_("For the tables: the challenged words are written on it for the judge."),
)
CHALLENGES = Report(
    "challenges", N_("Challenges"), _list, Group.JURY, N_("The challenged plays and their verdicts."), wide=True
)


_DOUBTFUL_COLUMNS = ("round", "table", "form", "turn", "word", "name", "cost", "state")


def _doubtful(context: Context, division: Division) -> Section:
    catalogue, title = context.catalogue, context.catalogue.text("Doubtful words")
    if context.wordlist is None:
        nothing = [text_field(context, catalogue.heading(name), ()) for name in _DOUBTFUL_COLUMNS]
        return section(context, division, title, nothing, catalogue.text("No word list is at hand for the jury."))
    table = doubtful(context.index, division, context.round, wordlist=context.wordlist, tilesets=context.tilesets)
    made = fields(context, table, _DOUBTFUL_COLUMNS, bold=("word",))
    note = context.wordlist.edition.name
    return section(context, division, title, made, catalogue.text("No word is in doubt."), note=note)


DOUBTFUL = Report(
    "doubtful-words",
    N_("Doubtful words"),
    _doubtful,
    Group.JURY,
    N_("Words on the sheets that are not in the list, and what they would cost."),
    wide=True,
)
