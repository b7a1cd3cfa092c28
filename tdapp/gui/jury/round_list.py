"""The list of tables for the jury, with reasons to check a game, and sheets open on other computers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from operator import attrgetter

from msgspec import Struct
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import Round, RoundState
from tdapp.domain.tables.jury import DECISION_STATES, JuryGame, make_jury_game_table
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_columns_from_row_attributes
from tdapp.domain.translatable import C_
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.scores import format_game_row_score
from tdapp.i18n.sheet_reading import TurnsToCheckCache
from tdapp.i18n.sheet_sentences import list_reasons_to_check_game
from tdapp.storage.store import OtherOpenGames, announce_own_game_and_get_games_of_others

# Columns that a narrow list hides, the last one first.
_HIDEABLE_COLUMNS = ("status", "score", "second_name", "forms")
_STATES_BY_FILTER: Mapping[str, Collection[str]] = {
    "open": {"open"},
    "entered": {"entered"},
    "doubt": DECISION_STATES,
    "checked": {"checked", "final"},
}
_ANNOUNCING_INTERVAL = 2_000  # milliseconds between two requests to other stations


class JuryGameListRow(Struct, frozen=True):
    """A table in the list of the round."""

    key: str
    row: JuryGame
    score: str
    note: str  # state of the score sheets of the game


def make_jury_game_list_row(
    row: JuryGame, catalogue: Catalogue, *, has_draft: bool, hide_words: bool, station: str = ""
) -> JuryGameListRow:
    """Return the row of a table. `station` is another computer with the sheet open, "" if none."""
    parts = [catalogue.text(C_("score sheet", "sheet open at {station}"), station=station)] if station else []
    if has_draft:
        parts.append(catalogue.text(C_("score sheet", "sheet typed, not saved")))
    parts += list_reasons_to_check_game(catalogue, row, hide_word_reasons=hide_words)
    if row.rulings and not hide_words:
        parts.append(catalogue.plural("{n} ruling", "{n} rulings", row.rulings))
    return JuryGameListRow(row.key, row, format_game_row_score(catalogue, row), " · ".join(parts))


class JuryGameList(QWidget):
    """The list of tables of the round."""

    game_chosen = Signal(str)  # game of the row that the user opens

    def __init__(self, session: Session) -> None:
        super().__init__()
        text, code = session.catalogue.text, session.catalogue.translate_code
        self._text, self._empty_text, self._next_step = text, "", ""
        self._all_rows: tuple[JuryGameListRow, ...] = ()
        choices = [
            ("waiting", text(C_("filter: tables", "Waiting"))),
            *((state, code(state)) for state in _STATES_BY_FILTER),
            ("all", text(C_("filter: tables", "All"))),
        ]
        self.table_filter: Choice[str] = Choice(text("Tables"), choices, session.appearance)
        self._rows = TableRowsModel(session.catalogue, tone=lambda row: "" if row.row.is_unchecked else "muted")
        self.view = TableView(self._rows, appearance=session.appearance, name=text("Tables in the round"))
        self.view.set_widths(
            {"table": 56, "score": 144, "status": 110}, stretch=("first_name", "second_name", "forms")
        )
        self.view.hide_columns_if_too_narrow(_HIDEABLE_COLUMNS)
        self.view.disable_sorting()
        self.table_filter.currentIndexChanged.connect(self._show_filtered_rows)
        self.view.row_activated.connect(self.game_chosen)
        self.view.add_keyboard_actions({"Space": self._open_current_row})
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        fields.make_column(fields.make_row(self.table_filter, 1), self.view, parent=self, wide=self.view)

    def show_rows(self, rows: Sequence[JuryGameListRow], *, empty_text: str, next_step: str) -> None:
        self._all_rows, self._empty_text, self._next_step = tuple(rows), empty_text, next_step
        self._show_filtered_rows()

    def select_next_or_previous_row(self, step: int) -> str:
        keys = self._rows.keys()
        if not keys:
            return ""
        current = self.view.get_current_row_key()
        index = keys.index(current) + step if current in keys else 0
        self.view.select_row(keys[index % len(keys)])
        return keys[index % len(keys)]

    def _show_filtered_rows(self) -> None:
        chosen_filter, text = self.table_filter.value() or "waiting", self._text
        rows = [
            row for row in self._all_rows if chosen_filter == "all" or self._matches_filter(row, chosen_filter)
        ]
        self._rows.show_table(Table("round-tables", _COLUMNS, tuple(rows)))
        empty = self._empty_text
        if self._all_rows:
            is_done = chosen_filter == "waiting"
            lines = [
                text("No table in this round is waiting for the jury.") if is_done
                else text("No table matches this filter."),
                self._next_step if is_done else "",
                text("Choose “All” to see every table."),
            ]  # fmt: skip
            empty = "\n".join(filter(None, lines))
        self.view.set_empty_text(empty)

    @staticmethod
    def _matches_filter(row: JuryGameListRow, chosen_filter: str) -> bool:
        return (
            row.row.is_unchecked
            if chosen_filter == "waiting"
            else row.row.status in _STATES_BY_FILTER[chosen_filter]
        )

    def _open_current_row(self) -> None:
        if self.view.get_current_row_key():
            self.game_chosen.emit(self.view.get_current_row_key())


class TurnsToCheckFinder:
    """Finds the doubtful turns of score sheets, and caches them for each sheet."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._counts = TurnsToCheckCache()

    def list_jury_games(self, item: Round | None) -> tuple[JuryGame, ...]:
        if item is None or item.state is not RoundState.PUBLISHED:
            return ()
        return make_jury_game_table(self._session.index, item, find_doubts=self.find_turn_numbers_to_check).rows

    def find_turn_numbers_to_check(self, form: ScoreSheet) -> frozenset[int]:
        """Return the numbers of the doubtful turns. 0 means a doubt about the whole game."""
        session, rules = self._session, self._session.tournament.get_ruleset_of_row(form)
        tileset = self._session.resources.tilesets.get(form.sheet.tileset or rules.tileset)
        wordlist = None if session.is_judge_screen_open else session.open_word_list(form)
        return (
            self._counts.find_turn_numbers_to_check(session.index, form, tileset, wordlist)
            if tileset is not None
            else frozenset()
        )


class OpenGameAnnouncer(QObject):
    """Tells the other computers (stations) which game is open here, and learns which games they have open."""

    changed = Signal()

    def __init__(self, session: Session, page: QWidget) -> None:
        super().__init__(page)
        self._session, self._page = session, page
        self._own_game = ""
        self.games_elsewhere: OtherOpenGames = {}
        self._timer = QTimer(self)
        self._timer.setInterval(_ANNOUNCING_INTERVAL)
        self._timer.timeout.connect(self._exchange_open_games_with_stations)

    def start_or_stop_announcing(self, *, is_page_shown: bool) -> None:
        is_shared = self._session.is_open and self._session.address is not None
        if is_page_shown and is_shared:
            self._timer.start()
        elif self._timer.isActive():
            self._timer.stop()
            self._own_game = ""
            if is_shared:
                self._exchange_open_games_with_stations()

    def announce_open_game(self, game: str) -> None:
        if game != self._own_game and self._timer.isActive():
            self._own_game = game
            self._exchange_open_games_with_stations()

    def list_games_open_elsewhere(self) -> tuple[str, ...]:
        """Return the games open on other computers.

        Omit a game if this computer also has the game open and has priority.
        """
        return tuple(
            game for game, (_, before) in self.games_elsewhere.items() if game != self._own_game or before
        )

    def find_station_with_game_open(self, game: str) -> str:
        return self.games_elsewhere[game][0] if game in self.games_elsewhere else ""

    def _exchange_open_games_with_stations(self) -> None:
        if self._session.is_open and self._session.address is not None:
            call = partial(announce_own_game_and_get_games_of_others, self._session.desk.store, self._own_game)
            self._session.run_on_desk_thread(
                call,
                on_success=make_callback_unless_deleted(self._page, self._set_games_open_elsewhere),
                on_error=lambda _error: None,
            )

    def _set_games_open_elsewhere(self, games_elsewhere: OtherOpenGames) -> None:
        if games_elsewhere != self.games_elsewhere:
            self.games_elsewhere = games_elsewhere
            self.changed.emit()


_COLUMNS: tuple[Column[JuryGameListRow], ...] = (
    Column("table", ColumnKind.NUMBER, attrgetter("row.table")),
    *make_columns_from_row_attributes(ColumnKind.NAME, "first_name", parent="row"),
    Column("score", ColumnKind.TEXT, attrgetter("score")),
    *make_columns_from_row_attributes(ColumnKind.NAME, "second_name", parent="row"),
    Column("status", ColumnKind.CODE, attrgetter("row.status")),
    Column("forms", ColumnKind.TEXT, attrgetter("note")),
)
