"""The chances of everybody's places as a heat map, computed beside the window."""

from __future__ import annotations

from collections import Counter
from functools import partial

from tdapp.domain.mark import N_
from tdapp.domain.tables.table import Table
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.side_views import ComputedView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.pairing.contention import Fate
from tdapp.pairing.forecast import MOST_COLUMNS, Forecast, Prospect, forecast, table
from tdapp.services.word_lists import grouped

_SHARE_WIDTH = UNIT * 7


class ChancesView(ComputedView):
    """What the rounds left may bring."""

    report = "chances"
    paper = "standings"  # which they follow from
    topic = "chances"
    part = N_("Chances")
    titles = (N_("Chances of places"), N_("Chances of places"))  # of the rounds left, whatever round is chosen

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self.rows = Rows(session.catalogue, hidden={"spread"}, heat=_heat)
        self.view = TableView(self.rows, look=session.look, name=text("Chances of places"))
        widths = {"place": UNIT * 7, "score": UNIT * 8, "prize": UNIT * 8, "lower": UNIT * 8}
        self.view.set_widths(widths | {str(position): _SHARE_WIDTH for position in range(1, MOST_COLUMNS + 1)})
        self._certain = fields.label("", "", wrap=True)
        self._coming = fields.label("", "", wrap=True)
        self._coming.hide()
        self._how = fields.label("", "muted", wrap=True)
        self._again = fields.button(text("Calculate the chances"), self.begin, role="primary")
        self._again.hide()
        self.arrange(self._certain, self._coming, fields.row(self._again, 1), self.view, self._how)

    def begin(self) -> None:
        """Simulate beside the window."""
        if self.division is None:
            return
        text = self.session.catalogue.text
        for one in (self._again, self._coming):
            one.hide()
        for one in (self._certain, self._how):
            one.clear()
        self.rows.show(Table("chances", (), ()))
        self.view.set_empty(text("Playing the rounds left many times over…"))
        call = partial(forecast, self.session.index, self.division.id)
        self.compute(text("Calculating chances…"), call, self._show)

    def failed(self, sentence: str) -> None:
        """Show why there are none."""
        self.view.set_empty(sentence)

    def stopped(self) -> None:
        """Offer to calculate again."""
        self.view.set_empty(self.session.catalogue.text("Not calculated: you stopped it."))
        self._again.show()

    def _show(self, found: Forecast) -> None:
        self.rows.show(table(found))
        self._certain.setText(self._what_is_certain(found))
        self._coming.setText(self._coming_round(found))
        self._coming.setVisible(bool(found.coming))
        self._how.setText(self._how_computed(found))

    def _what_is_certain(self, found: Forecast) -> str:
        """Return whose place is decided, how many have a prize for certain, and how many can still win one."""
        text, plural = self.session.catalogue.text, self.session.catalogue.plural
        decided = [row for row in found.rows if row.fate is Fate.DECIDED]
        parts = [text("Place {place} is decided: {player}.", place=row.place, player=row.player.name)
                 for row in decided] or [text("No place is decided yet.")]  # fmt: skip
        counts = Counter(row.fate for row in found.rows)
        if n := counts[Fate.SAFE]:
            parts.append(plural("{n} player is certain of a prize.", "{n} players are certain of a prize.", n))
        if n := counts[Fate.IN_REACH]:
            parts.append(plural("{n} player can still win a prize.", "{n} players can still win a prize.", n))
        return " ".join(parts)

    def _coming_round(self, found: Forecast) -> str:
        """Return what the pairing of the coming round has to keep to."""
        catalogue, text = self.session.catalogue, self.session.catalogue.text
        texts = {
            "prize-last-round": text("for the prizes meet {pairs}"),
            "prize-class": text("for the prizes of a category meet {pairs}"),
            "prize-control": text("the leader has to meet whoever needs it: {pairs}"),
            "prize-factor": text("by factor three meet {pairs}"),
            "prize-groups": text("places {groups} play among themselves"),
            "prize-bye": text("the bye goes to place {takers}"),
        }
        parts = [
            texts[rule.code].format(
                pairs=", ".join(f"{one}–{other}" for one, other in rule.pairs),
                groups=" | ".join(catalogue.numbers(group) for group in rule.groups),
                takers=", ".join(map(str, rule.takers)),
            )
            for rule in found.coming
        ]
        return text("Round {round}: {rules}.", round=found.after + 1, rules="; ".join(parts))

    def _how_computed(self, found: Forecast) -> str:
        text, plural = self.session.catalogue.text, self.session.catalogue.plural
        if not found.rounds_left and not found.open_games:
            return text("All rounds are played: every place is final.")
        simulated = text(
            "Rounds left: {left}; played {times} times over, every game even, places by score and spread.",
            left=found.rounds_left, times=grouped(found.times),
        )  # fmt: skip
        games = plural("{n} game that is still out is played too.", "{n} games that are still out are played too.",
                       found.open_games)  # fmt: skip
        prizes = plural("No prizes are listed: the first place counts as one.",
                        "No prizes are listed: the first {n} places count as prizes.", found.places)  # fmt: skip
        parts = [simulated]
        parts += [games] if found.open_games else []
        parts += [prizes] if not found.listed else []
        return " ".join(parts)


def _heat(row: Prospect, column: str) -> float:
    """Return how warm a cell is: the places below those shown stay cold, or they would outshine the others."""
    if column == "prize":
        return float(row.prize)
    return float(row.shares[int(column) - 1]) if column.isdigit() else 0
