"""A card for each player with a line for every round: filled with what is known, or blank to be kept by hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tdapp.domain.mark import N_
from tdapp.domain.model import Division, Player
from tdapp.domain.tables.players import CardRow, cards
from tdapp.reports import cards as layout
from tdapp.reports.layout import PaintedPages
from tdapp.reports.pen import Align, PageBox, Pen, Ruled, ruled
from tdapp.reports.report import Context, Group, Report, section

_HALF_PAGE = 14  # rounds that fit on half a page with room to write
_SHARES = {"round": 5, "table": 5.5, "starts": 6, "number": 5, "opponent": 24, "points": 8, "opponent_points": 8,
           "spread": 8, "total": 8, "total_spread": 9}  # fmt: skip


def _scorecards(context: Context, division: Division, *, blank: bool) -> PaintedPages:
    index = context.index
    after = 0 if blank else context.after(division)
    rounds = max(index.planned_rounds(division.id), index.latest(division.id), 1)
    head = section(context, division, context.catalogue.text("Scorecards"), (), "")
    found = cards(index, division, after)
    pieces: list[layout.Paint] = [
        partial(_paint, context, head.mark, player, found[player.id], rounds)
        for player in index.players(division.id)
    ]
    return layout.cards(head.title, head.mark, pieces, layout.CardSheet(1, 2 if rounds <= _HALF_PAGE else 1, 30))


def _paint(
    context: Context, mark: str, player: Player, rows: Sequence[CardRow], rounds: int, pen: Pen, box: PageBox
) -> None:
    """Draw a card: name and what is known of the player above a line for each round."""
    by_round = {row.round: row for row in rows}
    lines = [_cells(context, number, by_round.get(number)) for number in range(1, rounds + 1)]
    columns = [
        Ruled(
            context.catalogue.heading(name),
            share,
            tuple(line[name] for line in lines),
            Align.LEFT if name == "opponent" else Align.CENTRE,
            bold=name in {"round", "points"},
        )
        for name, share in _SHARES.items()
    ]
    known = (player.club, player.country, str(player.rating or ""), player.category)
    beside = (mark, context.index.tournament.event.name)
    lead = pen.style.lead
    pen.text(f"{player.number}  {player.name}", box, box.top - 17, 20, bold=True, shrink=True)
    left, right = PageBox(box.x, box.y, box.width - 8, box.height).columns(3, 2)
    right = PageBox(right.x + 8, right.y, right.width, right.height)
    base = box.top - 20 - lead
    pen.text(" · ".join(filter(None, beside)), left, base, lead * 0.9)
    pen.text(" · ".join(filter(None, known)), right, base, lead * 0.9, align=Align.RIGHT)
    ruled(pen, PageBox(box.x, box.y, box.width, box.height - 28 - lead), columns, rounds)


def _cells(context: Context, number: int, row: CardRow | None) -> dict[str, str]:
    catalogue = context.catalogue
    if row is None:
        return dict.fromkeys(_SHARES, "") | {"round": str(number)}
    starts = {True: catalogue.text("starts"), False: catalogue.text("replies"), None: ""}[row.starts]
    played = row.result != "open"
    return {
        "round": str(number),
        "table": catalogue.number(row.table) if row.table else "",
        "starts": starts,
        "number": str(row.opponent_number or ""),
        "opponent": row.opponent or catalogue.code(row.bye),
        "points": "" if row.points is None else str(row.points),
        "opponent_points": "" if row.opponent_points is None else str(row.opponent_points),
        "spread": catalogue.signed(row.spread) if played else "",
        "total": catalogue.points(row.total) if played else "",
        "total_spread": catalogue.signed(row.total_spread) if played else "",
    }


FILLED = Report(
    "scorecards",
    N_("Scorecards"),
    partial(_scorecards, blank=False),
    Group.AFTER,
    N_("A card for each player with every game so far."),
)
BLANK = Report(
    "scorecards-blank",
    N_("Scorecards, blank"),
    partial(_scorecards, blank=True),
    Group.FORM,
    N_("A card for each player to be kept by hand."),
)
