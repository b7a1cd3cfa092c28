"""What the Standings page shows beside the standings: tables of its own over the same rounds.

Here are what all of them share, the simple ones (teams, ratings) and the panel with the balance of starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Division, PlayerId
from tdapp.domain.ratings import DEFAULT_RATING, RatingSystem
from tdapp.domain.tables import balance, ratings, teams
from tdapp.domain.tables.table import Table
from tdapp.exchange.presets import read_ratings
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, Part
from tdapp.gui.widgets.focus_order import FocusOrder
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT


class StandingsView(FocusOrder, QWidget):
    """One table; `current` tells that the cursor is on another row, `chosen` the player whose card is wanted.

    `report` names the view and, unless `paper` says otherwise, the report that shows the same, `topic` what the
    help has about it.
    """

    current = Signal()
    chosen = Signal(str)
    report: ClassVar[str]
    topic: ClassVar[str] = "standings"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.rows: Rows
        self.view: TableView

    def arrange(self, *parts: Part) -> None:
        """Put the parts below each other, the table taking what is left."""
        fields.column(*parts, gap=UNIT * 2, parent=self).setStretchFactor(self.view, 1)
        self.view.selected.connect(self.current)
        self.view.activated_row.connect(self._activate)
        self.setFocusProxy(self.view)

    @property
    def paper(self) -> str:
        """The id of the report that prints the same."""
        return self.report

    def title(self, after: int) -> str:
        """Return the heading after a round."""
        raise NotImplementedError

    def refresh(self, division: Division, after: int) -> None:
        """Show a division after a round."""
        raise NotImplementedError

    def current_player(self) -> PlayerId | None:
        """Return the player the cursor is on."""
        key = self.view.current_key()
        return PlayerId(key) if key in self.session.tournament.players else None

    def copy(self) -> None:
        """Copy the rows."""
        self.view.copy()

    def _activate(self, key: str) -> None:
        if key in self.session.tournament.players:
            self.chosen.emit(key)


EVERYBODY = 0  # means: all players of a team count


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
        catalogue, chosen = self.session.catalogue, self.best.value() or EVERYBODY
        offered = [(EVERYBODY, catalogue.text("All players"))]
        offered += [
            (count, catalogue.plural("The best one", "The best {n}", count))
            for count in range(1, max(largest, chosen + 1))
        ]
        self.best.fill(offered, chosen)

    def _again(self) -> None:
        if self._division is not None:
            self.refresh(self._division, self._after)


MOST_GAMES = 100_000


class RatingsView(StandingsView):
    """What the tournament comes to for everybody's rating."""

    report = "ratings"
    topic = "ratings"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self.systems: Mapping[str, RatingSystem] = read_ratings(session.resources / "ratings")
        self._division: Division | None = None
        offered = [(one.id, one.name) for one in self.systems.values()]
        self.system: Choice[str] = Choice(text("Rating system"), offered, session.look)
        self.system.currentIndexChanged.connect(self._choose)
        self.rows = Rows(session.catalogue, edit=self._edit)
        self.view = TableView(self.rows, look=session.look, name=text("Ratings"))
        self.view.set_widths(
            {"rank": UNIT * 7, "rating": UNIT * 9, "rated_games": UNIT * 14, "games": UNIT * 9, "wins": UNIT * 8,
             "expected": UNIT * 11, "performance": UNIT * 13, "new_rating": UNIT * 12, "change": UNIT * 10}
        )  # fmt: skip
        self.view.set_empty(text("No players yet.\nAdd them or import a list under Players (Ctrl+1)."))
        self._source = fields.label("", "muted", wrap=True)
        self.arrange(fields.row(fields.label(text("Rating system")), self.system, 1), self.view, self._source)

    def title(self, after: int) -> str:
        """Return Ratings, and after which round."""
        text = self.session.catalogue.text
        return text("Ratings after round {round}", round=after) if after else text("Ratings")

    def refresh(self, division: Division, after: int) -> None:
        """Show performances and new ratings after a round."""
        text = self.session.catalogue.text
        self._division = division
        self.system.setEnabled(self.session.editable)
        self.rows.locked = not self.session.editable
        system = self.systems.get(division.rating or DEFAULT_RATING)
        if system is None:
            self.rows.show(Table("ratings", (), ()))
            self._source.setText(text("There is no rating system {rating} here.", rating=division.rating))
            return
        self._offer(system)
        index, key = self.session.index, ("ratings-table", division.id, system.id, after)
        self.rows.show(
            self.session.desk.remember(key, lambda _value: ratings.table(index, division, system, after))
        )
        message = text(
            "Estimate by {source}. Byes, forfeits and games that are not rated do not count.", source=system.source
        )
        rated = any(player.rating is not None for player in index.players(division.id))
        nobody = "" if rated else text("Nobody has a rating yet: only games against rated players count.")
        self._source.setText(" ".join(filter(None, (nobody, message, system.note))))

    def _offer(self, system: RatingSystem) -> None:
        self.system.fill([(one.id, one.name) for one in self.systems.values()], system.id)

    def _choose(self) -> None:
        division, chosen = self._division, self.system.value()
        if division is not None and chosen is not None:
            self.session.do(partial(commands.choose_rating, division=division.id, rating=chosen))

    def _edit(self, key: str, _column: str, typed: str) -> None:
        """Take the number of rated games before the tournament."""
        row = self.session.tournament.players.get(PlayerId(key))
        if row is None:
            return
        if typed.strip() and not typed.strip().isdecimal():
            self.session.refuse(RuleViolation("bad-number", value=typed, least=0, most=MOST_GAMES), self.view)
            return
        games = int(typed) if typed.strip() else None
        self.session.do(partial(commands.edit_player, player=row.id, seen=row, rated_games=games), field=self.view)


class BalancePanel(Panel):
    """The balance of the chosen division after its last published round."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Balance"))
        self.want_width(UNIT * 74)
        text = session.catalogue.text
        self._said = fields.label("", "muted", wrap=True)
        hidden = {"number", "starts", "replies", "absences"}
        self.rows = Rows(session.catalogue, hidden=hidden, heat=balance.unevenness)
        self.view = TableView(
            self.rows, look=session.look, name=text("Balance"), empty=text("No round has been published yet.")
        )
        widths = {"rank": 52, "start_balance": 76, "in_a_row": 80, "repeats": 80, "byes": 60}
        self.view.set_widths(widths, stretch=("name",))
        fields.fill(self.body, [self._said, self.view])
        self.body.setStretchFactor(self.view, 1)
        self.setFocusProxy(self.view)

    def refresh(self) -> None:
        """Show the balance as it is now."""
        session = self.session
        division = session.division
        if division is None:
            self.closed.emit()
            return
        table = session.desk.remember(
            ("balance", division.id), lambda _value: balance.balance(session.index, division)
        )
        published = session.index.published(division.id)
        self.rows.show(table)
        uneven = sum(abs(row.balance) > 1 for row in table.rows)
        repeats = sum(row.repeats for row in table.rows) // 2
        catalogue = session.catalogue
        parts = [
            catalogue.plural("after one round", "after {n} rounds", len(published)),
            catalogue.plural(
                "{n} player is two or more starts apart", "{n} players are two or more starts apart", uneven
            ),
            catalogue.plural("{n} repeat", "{n} repeats", repeats),
        ]
        self._said.setText(" · ".join(parts))
