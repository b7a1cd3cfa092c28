"""Performances and new ratings on screen, and the choice of the system they are reckoned by."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Division, PlayerId
from tdapp.domain.ratings import DEFAULT_RATING, RatingSystem
from tdapp.domain.tables import ratings
from tdapp.domain.tables.table import Table
from tdapp.exchange.presets import read_ratings
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.side_views import StandingsView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT

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
        said = text(
            "Estimate by {source}. Byes, forfeits and games that are not rated do not count.", source=system.source
        )
        rated = any(player.rating is not None for player in index.players(division.id))
        nobody = "" if rated else text("Nobody has a rating yet: only games against rated players count.")
        self._source.setText(" ".join(filter(None, (nobody, said, system.note))))

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
        if not typed.strip():
            command = partial(commands.edit_player, player=row.id, seen=row, rated_games=None)
        elif typed.strip().isdecimal():
            command = partial(commands.edit_player, player=row.id, seen=row, rated_games=int(typed))
        else:
            self.session.refuse(RuleViolation("bad-number", value=typed, least=0, most=MOST_GAMES), self.view)
            return
        self.session.do(command, field=self.view)
