"""The base classes of the views on the Standings page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, Player, PlayerId
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Part
from tdapp.gui.widgets.page import FocusDelegation
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.phrases import add_round_name_to_title
from tdapp.services.worker import BackgroundTask, get_user_error_or_raise

T = TypeVar("T")


class StandingsView(FocusDelegation, QWidget):
    """A view of the Standings page with one table. `show_table` fills it with the state after a round."""

    current_row_changed = Signal()  # the cursor moved
    player_chosen = Signal(str)  # open the card of this player
    view_id: ClassVar[str]  # id of the view, and of its printout unless `report_id` differs
    topic: ClassVar[str] = "standings"
    choice_text: ClassVar[str]
    page_heading: ClassVar[str]
    ignores_round: ClassVar[bool] = False  # the view does not depend on the chosen round

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session, self.text = session, session.catalogue.text
        self.rows: TableRowsModel
        self.view: TableView
        self.division: Division | None = None  # the shown division and round
        self.after = 0

    def arrange_and_connect_view(self, *parts: Part, wide: QWidget | None = None) -> None:
        """Arrange widgets vertically. The table, or `wide`, takes the remaining space."""
        fields.make_column(*parts, gap=UNIT * 2, parent=self).setStretchFactor(wide or self.view, 1)
        self.view.selection_changed.connect(self.current_row_changed)
        self.view.row_activated.connect(self._open_player_card)
        self.view.setObjectName(self.view_id)  # key of its column widths
        self.setFocusProxy(self.view)

    @property
    def report_id(self) -> str:
        return self.view_id

    @classmethod
    def is_available_for_division(cls, index: TournamentIndex, division: Division) -> bool:
        return True

    def get_distinct_name_of_player(self, player: Player) -> str:
        """Return the name of a player, told apart from namesakes."""
        return map_players_with_distinct_names(self.session.index).get(player.id, player).name

    def get_date_of_shown_standings(self) -> str:
        """Return the date of the shown state, "" for the latest."""
        return ""

    def make_title(self, division: Division, after: int) -> str:
        heading, session = self.text(self.page_heading), self.session
        return (
            heading
            if self.ignores_round
            else add_round_name_to_title(session.catalogue, session.index, division, after, heading)
        )

    def show_division(self, division: Division, after: int) -> None:
        self.division, self.after = division, after
        self.show_table(division, after)

    def refresh_view(self) -> None:
        if self.division is not None:
            self.show_table(self.division, self.after)

    def show_table(self, division: Division, after: int) -> None:
        raise NotImplementedError

    def copy_rows(self) -> None:
        self.view.copy_rows()

    def get_current_player_id(self) -> PlayerId | None:
        key = self.view.get_current_row_key()
        return PlayerId(key) if key in self.session.tournament.players else None

    def _open_player_card(self, _key: str) -> None:
        player = self.get_current_player_id()
        if player is not None:
            self.player_chosen.emit(player)


class BackgroundComputedView(StandingsView):
    """A view computed in the background after each change of the tournament."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.note = fields.make_note_label()  # below the computed table
        self._task: BackgroundTask | None = None
        self._computed_input: tuple[object, ...] = ()  # tournament, division and round of the last computation

    def show_table(self, division: Division, after: int) -> None:
        input_data = (self.session.tournament, division.id, after)
        if input_data != self._computed_input:
            self._computed_input = input_data
            self.start_computing()

    def start_computing(self) -> None:
        raise NotImplementedError

    def show_computation_error(self, error: str) -> None:
        """Show an error. "" means that the user stopped the computation."""
        self._computed_input = ()
        if error:
            self.note.setText(error)

    def run_computation(self, label: str, call: Callable[..., T], show: Callable[[T], None]) -> None:
        self._stop_computing()
        task = self._task = BackgroundTask(label)
        self.session.run_in_background(
            partial(call, progress=task.report_progress),
            on_success=make_callback_unless_deleted(self, partial(self._show_result_of_current_task, task, show)),
            label=label,
            on_error=make_callback_unless_deleted(self, partial(self._show_error_of_task, task)),
            task=task,
            on_stop=make_callback_unless_deleted(
                self, partial(self._show_result_of_current_task, task, self.show_computation_error, "")
            ),
        )

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._task is not None and not event.spontaneous():
            self._stop_computing()
            self._computed_input = ()

    def _stop_computing(self) -> None:
        if self._task is not None:
            self._task.cancel_work()
            self._task = None

    def _show_error_of_task(self, task: BackgroundTask, error: Exception) -> None:
        self._show_result_of_current_task(
            task,
            self.show_computation_error,
            self.session.catalogue.describe_error(get_user_error_or_raise(error)),
        )

    def _show_result_of_current_task(
        self, task: BackgroundTask, show: Callable[..., None], *results: object
    ) -> None:
        if task is self._task:
            self._task = None
            show(*results)
