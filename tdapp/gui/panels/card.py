"""A player's card: who it is, how he stands, what every round brought, what the resistance is made of."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter

from tdapp.domain.index import Index
from tdapp.domain.model import Division, Player, PlayerId
from tdapp.domain.standings import Standing, standings
from tdapp.domain.tables import incidents as incident_tables
from tdapp.domain.tables import sanctions as sanction_tables
from tdapp.domain.tables.players import CardRow, card, status
from tdapp.domain.tables.standings import resistance
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.gui import fields
from tdapp.gui.fields import Form
from tdapp.gui.page import Panel
from tdapp.gui.panels import incidents, sanctions
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.theme import UNIT
from tdapp.gui.view import TableView
from tdapp.i18n.catalogue import Catalogue

MOST_HAPPENINGS = 5


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round of the card, with what it, or a `dummy` opponent in it, adds to the resistance (None: open)."""

    key: str
    row: CardRow
    resistance: Fraction | None
    dummy: bool = False


def lines(index: Index, player: Player) -> Table[RoundLine]:
    """Return a player's rounds with their part of the resistance points."""
    division = index.tournament.divisions[player.division]
    parts = {row.round: (row.resistance, row.dummy) for row in resistance(index, division, player.id).rows}
    rows = tuple(RoundLine(row.key, row, *parts.get(row.round, (None,))) for row in card(index, player).rows)
    return Table("card", _COLUMNS, rows)


class CardPanel(Panel):
    """The card beside a page."""

    def __init__(self, session: Session, player: PlayerId) -> None:
        super().__init__(session, "")
        self.setFixedWidth(UNIT * 62)
        self._player = player
        words = session.catalogue
        self._about = fields.label("", "muted", wrap=True)
        self._facts = Form()
        self._values = {name: fields.label("", "lead") for name in ("place", "record", "starts", "resistance")}
        said = {
            "place": words.text("Rank"),
            "record": words.text("Match points and spread"),
            "starts": words.text("Starts and replies"),
            "resistance": words.text("Resistance points"),
        }
        for name, value in self._values.items():
            self._facts.add(said[name], value)
        shown = {
            "score": self._score,
            "opponent": self._opponent,
            "starts": self._role,
            "resistance": self._resistance,
        }
        self.rows = Rows(words, shown=shown)
        self._view = TableView(
            self.rows,
            look=session.look,
            name=words.text("Rounds"),
            empty=words.text("No round has been published yet."),
        )
        self._view.set_widths({"round": 48, "starts": 40, "score": 84, "resistance": 64})
        self._view.setSortingEnabled(False)
        self._view.horizontalHeader().setSortIndicatorShown(False)
        self._happened = fields.label("", wrap=True)
        self._dummies = fields.label("", "muted", wrap=True)
        fields.fill(self.body, [self._about, self._facts, self._happened, -1, self._view, self._dummies])
        self.body.setStretchFactor(self._view, 1)

    def refresh(self) -> None:
        """Show the player as he is now; close if he is gone."""
        player = self.session.tournament.players.get(self._player) if self.session.is_open else None
        if player is None:
            self.closed.emit()
            return
        index = self.session.index
        division = index.tournament.divisions[player.division]
        self.heading.setText(player.name)
        self._about.setText(about(index, player, self.session.catalogue))
        self._show_standing(index, division)
        self._show_happened(index, player)
        table = lines(index, player)
        self.rows.show(table)
        self._dummies.setVisible(any(line.dummy for line in table.rows))
        words = self.session.catalogue
        note = words.text("In brackets: a round without a game, counted by {rule}.", rule=division.unplayed)
        self._dummies.setText(note)

    def _show_happened(self, index: Index, player: Player) -> None:
        happened = happenings(index, player, self.session.catalogue)
        self._happened.setText("\n".join(happened))
        self._happened.setVisible(bool(happened))

    def _show_standing(self, index: Index, division: Division) -> None:
        ranked = self.session.desk.remember(
            ("standings", division.id, None), lambda _value: standings(index, division)
        )
        own = next((row for row in ranked if row.player.id == self._player), None)
        for name, value in self._values.items():
            value.setText(self._said(name, own, len(ranked)) if own else "–")

    def _said(self, name: str, own: Standing, field: int) -> str:
        words = self.session.catalogue
        match name:
            case "place":
                return words.text("{rank} of {all}", rank=own.rank, all=field)
            case "record":
                points = f"{words.points(own.match_points)}–{words.points(own.games_lost)}"
                return f"{points}   {words.signed(own.spread)}"
            case "starts":
                return f"{own.starts} · {own.replies}"
            case _:
                return words.points(own.resistance_points)

    def _score(self, line: RoundLine) -> str:
        row = line.row
        if row.points is None or row.opponent_points is None:
            return self.session.catalogue.signed(row.spread) if row.spread else ""
        return f"{row.points} – {row.opponent_points}"

    def _resistance(self, line: RoundLine) -> str:
        if line.resistance is None:
            return ""
        points = self.session.catalogue.points(line.resistance)
        return f"({points})" if line.dummy else points

    def _opponent(self, line: RoundLine) -> str:
        return self.session.catalogue.code(line.row.bye) if line.row.bye else line.row.opponent

    def _role(self, line: RoundLine) -> str:
        text = self.session.catalogue.text
        if line.row.starts is None:
            return ""
        return text("1st") if line.row.starts else text("2nd")


def happenings(index: Index, player: Player, words: Catalogue) -> tuple[str, ...]:
    """Return a player's sanctions and incidents by round, each on a line; of many the last ones."""
    rows: list[tuple[int | None, str]] = [
        (row.round, sanctions.told(row, words)) for row in sanction_tables.of_player(index, player.id)
    ]
    rows += [(row.round, incidents.told(row, words)) for row in incident_tables.of_player(index, player.id)]
    rows.sort(key=lambda row: row[0] or 0)
    said = [
        words.text("Round {round}: {what}", round=number, what=what) if number else what for number, what in rows
    ]
    more = len(said) - MOST_HAPPENINGS
    return (words.text("… and {n} earlier", n=more), *said[more:]) if more > 0 else tuple(said)


def about(index: Index, player: Player, words: Catalogue) -> str:
    """Return what is known of a player, in one line."""
    coming = len(index.published(player.division)) + 1
    parts = [words.text("No. {number}", number=player.number)]
    if player.rating is not None:
        parts.append(words.text("rated {rating}", rating=player.rating))
    parts += [part for part in (player.club, player.country, player.category, player.team) if part]
    if player.fixed_table is not None:
        parts.append(words.text("always at table {table}", table=player.fixed_table))
    state = status(index, player, coming)
    if state != "active":
        parts.append(words.code(state))
    if player.notes:
        parts.append(player.notes)
    return " · ".join(parts)


_COLUMNS: tuple[Column[RoundLine], ...] = (
    Column("round", Kind.NUMBER, attrgetter("row.round")),
    Column("starts", Kind.TEXT, attrgetter("row.starts")),
    Column("opponent", Kind.NAME, attrgetter("row.opponent")),
    Column("score", Kind.NUMBER, attrgetter("row.points")),
    Column("resistance", Kind.POINTS, attrgetter("resistance")),
)
