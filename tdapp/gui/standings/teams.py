"""The standings of teams on screen."""

from __future__ import annotations

from tdapp.domain.model import Division
from tdapp.domain.tables import teams
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.side_views import StandingsView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT

EVERYBODY = 0  # stands for: all players of a team count


class TeamsView(StandingsView):
    """The teams of the chosen division, all players counting or the best of each."""

    report = "teams"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self._division: Division | None = None
        self._after = 0
        self.best: Choice[int] = Choice(text("Who counts"), [], session.look)
        self.best.currentIndexChanged.connect(self._again)
        self.rows = Rows(session.catalogue)
        self.view = TableView(self.rows, look=session.look, name=text("Teams"))
        self.view.set_widths(
            {"rank": UNIT * 7, "team": UNIT * 28, "team_size": UNIT * 9, "wins": UNIT * 8, "losses": UNIT * 8},
            stretch=("counting",),
        )
        self.view.set_empty(
            text("Nobody plays in a team.\nTeams are typed on the Players page, where All columns shows them.")
        )
        self.arrange(fields.row(fields.label(text("Who counts")), self.best, 1), self.view)

    def title(self, after: int) -> str:
        """Return Teams, and after which round."""
        text = self.session.catalogue.text
        return text("Teams after round {round}", round=after) if after else text("Teams")

    def refresh(self, division: Division, after: int) -> None:
        """Show the teams after a round."""
        self._division, self._after = division, after
        index, best = self.session.index, self.counting()
        key = ("teams-table", division.id, after, best)
        table = self.session.desk.remember(key, lambda _value: teams.table(index, division, after, best=best))
        self._offer(max((row.size for row in table.rows), default=0))
        self.rows.show(table)

    def counting(self) -> int | None:
        """Return how many players of each team count, None for all."""
        return self.best.value() or None

    def _offer(self, largest: int) -> None:
        words, chosen = self.session.catalogue, self.best.value() or EVERYBODY
        offered = [(EVERYBODY, words.text("All players"))]
        offered += [
            (count, words.plural("The best one", "The best {n}", count))
            for count in range(1, max(largest, chosen + 1))
        ]
        self.best.fill(offered, chosen)

    def _again(self) -> None:
        if self._division is not None:
            self.refresh(self._division, self._after)
