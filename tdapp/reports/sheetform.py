"""The score sheet form of two players, with the board and columns for scores and subtotals: two for each game.

Nl-reglement II.1: the players enter each other's data on the form handed out, then all scores and (sub)totals;
IV: the jury notes the final scores on it.
"""

from __future__ import annotations

from functools import partial

from tdapp.domain.mark import N_
from tdapp.domain.model import Division
from tdapp.domain.tables.rounds import pairings
from tdapp.reports.gameform import game_form
from tdapp.reports.layout import PaintedPages
from tdapp.reports.report import Context, Group, Report, round_of, section


def _forms(context: Context, division: Division) -> PaintedPages:
    """Return two forms for each game of the round, one for each player; one empty form before the first."""
    head = section(context, division, context.catalogue.text("Score sheet"), (), "")
    if context.round is None and not context.index.published(division.id):
        return PaintedPages(
            head.title, head.mark, "", (partial(game_form, context, head.mark, None, 0),), bare=True
        )
    item = round_of(context, division)
    rows = pairings(context.index, item).rows
    when = " · ".join(filter(None, (head.mark, context.catalogue.text("Round {round}", round=item.number))))
    pages = tuple(partial(game_form, context, when, row, form) for row in rows for form in (1, 2))
    return PaintedPages(head.title, head.mark, "", pages, bare=True)


SCORE_SHEETS = Report(
    "score-sheets",
    N_("Score sheet forms"),
    _forms,
    Group.ROUND,
    N_("Two for each game, with the board and columns for words and points."),
)
