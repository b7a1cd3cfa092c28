"""The Standings page: who stands where after a round, by which tie-breaks."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from tdapp.domain import why
from tdapp.domain.model import Division, PlayerId
from tdapp.domain.standings import Standing, order_of
from tdapp.domain.tables import standings
from tdapp.domain.tables.table import Table
from tdapp.gui import fields
from tdapp.gui.actions import Action
from tdapp.gui.dialogs.preview import Preview
from tdapp.gui.fields import Choice, SearchField
from tdapp.gui.page import Page
from tdapp.gui.pages.standings_chances import ChancesView
from tdapp.gui.panels.card import CardPanel
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.theme import UNIT
from tdapp.gui.view import TableView
from tdapp.reports.standings import unchecked

LATEST = 0  # stands for: after all published rounds


class StandingsPage(Page):
    """The standings of the chosen division."""

    id = "standings"
    icon = "standings"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self._rows = Rows(session.catalogue, tone=_tone)
        self._view = TableView(self._rows, look=session.look, name=text("Standings"))
        self._view.set_widths({"rank": 56, "games": 64, "wins": 64, "losses": 64, "spread": 72, "points": 72})
        self._view.activated_row.connect(self._open_card)
        self._view.clicked.connect(self._clicked)
        self._view.selected.connect(self.moved)
        self._view.selected.connect(self._explain)
        self._reasons: Mapping[str, why.Above] = {}
        self._after: Choice[int] = Choice(text("After round"), [], session.look)
        self._after.currentIndexChanged.connect(self._choose_after)
        self._search = SearchField(text("Search players"), session.look)
        self._search.textChanged.connect(self._view.filter)
        self._order = fields.label("", "muted")
        self._why = fields.label("", "muted", wrap=True)
        self._ranking = QWidget()
        column = QVBoxLayout(self._ranking)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT * 2)
        fields.fill(column, [fields.row(self._after, self._order, 1, self._search), self._view, self._why])
        column.setStretchFactor(self._view, 1)
        self._chances = ChancesView(session)
        self._chances.chosen.connect(self._open_card)
        self._chances.current.connect(self.moved)
        self._shown = QStackedWidget()
        self._shown.addWidget(self._ranking)
        self._shown.addWidget(self._chances)
        self.body.addWidget(self._shown, 1)
        self.setFocusProxy(self._shown)
        self._shown.setFocusProxy(self._view)

    # --- what the page says of itself

    def name(self) -> str:
        """Return Standings."""
        return self.session.catalogue.text("Standings")

    def actions_table(self) -> tuple[Action, ...]:
        """Return what can be done with standings."""
        text = self.session.catalogue.text
        menu = "standings"
        return (
            Action("standings", text("Standings"), self.show_ranking, "standings", "F7", menu),
            Action(
                "chances",
                text("Chances"),
                self.show_chances,
                "chances",
                "Shift+F7",
                menu,
                self._may_print,
                header=True,
                title=self._chances_title,
            ),
            Action("copy-standings", text("Copy"), self._copy, "copy", "", menu, header=True),
            Action(
                "print-standings", text("Print…"), self.print, "print", "F8", menu, self._may_print, header=True
            ),
        )

    def refresh(self) -> None:
        """Show the chosen division's standings."""
        session, text = self.session, self.session.catalogue.text
        division = session.division
        if division is None:
            self.set_title(text("Standings"))
            self._rows.show(Table("standings", (), ()))
            self._reasons = {}
            self._explain()
            self._view.set_empty(text("First add a division, under Tournament."))
            return
        if self._shows_chances:
            self.set_title(text("Chances of places"), self._missing(division))
            self._chances.refresh()
            return
        self._show_choice(division)
        after = self._after.value() or None
        table = session.desk.remember(
            ("standings-table", division.id, after), lambda _value: standings.table(session.index, division, after)
        )
        self._rows.show(table)
        self._reasons = why.reasons(table.rows)
        self._explain()
        self._view.set_empty(text("No players yet."))
        self.set_title(self._heading(division), self._missing(division))
        order = order_of(session.index, division)
        names = ", ".join(session.catalogue.heading(one) for one in order)
        self._order.setText(text("Ranked by {order}", order=names))
        self._order.setToolTip("\n".join(session.catalogue.explanation(one) for one in order))

    def current_player(self) -> PlayerId | None:
        """Return the player the cursor is on."""
        if self._shows_chances:
            return self._chances.current_player()
        key = self._view.current_key()
        return PlayerId(key) if key else None

    def reveal(self, key: str) -> None:
        """Put the cursor on a player."""
        self.show_ranking()
        self._search.clear()
        self._view.choose(key)

    def show_ranking(self) -> None:
        """Show the standings, whatever was shown."""
        self._turn_to(self._ranking, self._view)

    def show_chances(self) -> None:
        """Show what the rounds left may bring, or go back to the standings."""
        if self._shows_chances:
            self.show_ranking()
        else:
            self._turn_to(self._chances, self._chances)

    # --- inside

    @property
    def _shows_chances(self) -> bool:
        return self._shown.currentWidget() is self._chances

    def _turn_to(self, part: QWidget, focus: QWidget) -> None:
        self._shown.setCurrentWidget(part)
        self._shown.setFocusProxy(focus)
        if self.session.is_open:
            self.refresh()
        focus.setFocus()
        self.moved.emit()

    def _chances_title(self) -> str:
        text = self.session.catalogue.text
        return text("Standings") if self._shows_chances else text("Chances")

    def _copy(self) -> None:
        (self._chances if self._shows_chances else self._view).copy()

    def print(self) -> None:
        """Open the preview on these standings."""
        Preview(self.session, "standings", round=self._number(), parent=self.window()).open()

    def _explain(self) -> None:
        """Say why the player the cursor is on stands above the next one."""
        reason = self._reasons.get(self._view.current_key())
        self._why.setText(self.session.catalogue.above(reason.code, reason.facts) if reason else "")

    def _may_print(self) -> bool:
        return self.session.is_open and self.session.division is not None

    def _number(self) -> int | None:
        division = self.session.division
        published = self.session.index.published(division.id) if division else ()
        return self._after.value() or (published[-1].number if published else None)

    def _show_choice(self, division: Division) -> None:
        """Offer the published rounds; the newest stays chosen when another one comes."""
        text, chosen = self.session.catalogue.text, self._after.value() or LATEST
        numbers = [item.number for item in self.session.index.published(division.id)]
        offered = [(LATEST, text("After the last round"))]
        offered += [(number, text("After round {round}", round=number)) for number in reversed(numbers[:-1])]
        self._after.fill(offered, chosen if chosen in numbers[:-1] else LATEST)

    def _heading(self, division: Division) -> str:
        text, number = self.session.catalogue.text, self._number()
        if not self.session.index.published(division.id):
            return text("Standings before the first round")
        return text("Standings after round {round}", round=number)

    def _missing(self, division: Division) -> str:
        """Return the games that are out, and how many the jury has still to look over."""
        number = self._number() or 0
        out = {
            item.number: len(self.session.index.open_games(item.id))
            for item in self.session.index.published(division.id)
            if item.number <= number
        }
        said = [
            self.session.catalogue.plural(
                "Round {round}: {n} game is missing", "Round {round}: {n} games are missing", n, round=item
            )
            for item, n in out.items()
            if n
        ]
        said.append(unchecked(self.session.catalogue, self.session.index, division, number))
        return " · ".join(filter(None, said))

    def _choose_after(self, _place: int) -> None:
        self.refresh()

    def _clicked(self, _index: object) -> None:
        self._open_card(self._view.current_key())

    def _open_card(self, key: str) -> None:
        if key:
            self.panel.emit(CardPanel(self.session, PlayerId(key)))


def _tone(row: Standing) -> str:
    return "" if row.active else "muted"
