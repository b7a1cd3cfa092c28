"""The main window: bars, pages, a panel at the right, menus and shortcuts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QMainWindow, QMenu, QWidget
from shiboken6 import isValid

from tdapp.desk import Desk
from tdapp.domain.errors import CommandError
from tdapp.domain.journal import Step
from tdapp.domain.model import PlayerId
from tdapp.gui.rounds.table_actions import ABOUT_ROW
from tdapp.gui.shell.actions import WindowAction, fill_menus, sort_in_menu_order
from tdapp.gui.shell.bars import SideBar, TopBar
from tdapp.gui.shell.bottom_bar import BottomBar
from tdapp.gui.shell.data_loss_dialogs import (
    StorageErrorDialogs,
    ask_about_unsaved_input,
    check_input_is_saved_before_pairing,
)
from tdapp.gui.shell.guide import TourBar, WelcomePage, describe_folder_or_server
from tdapp.gui.shell.page_list import (
    PAGES,
    WindowPages,
    choose_first_page,
    find_page_or_replacement,
    restore_column_widths,
    restore_last_division_and_page,
)
from tdapp.gui.shell.program_actions import PAGE_KEYS, ProgramActions, map_menu_titles
from tdapp.gui.shell.session import Session, is_alive_and_visible
from tdapp.gui.shell.toast import Toast
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import announce_text
from tdapp.gui.widgets.fields import LineEdit, Part
from tdapp.gui.widgets.page import Page, Panel, clear_typed_texts
from tdapp.gui.widgets.scroll_body import HIGH_ENOUGH, PageStack
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import UNIT, get_stored_or_system_text_size, scale_pixels
from tdapp.services.preferences import LastViewedPages, format_tournament_and_file_name
from tdapp.storage import Address

MIN_SIZE = (1024, 640)
NARROW, SHORT = UNIT * 128, UNIT * 136  # window width in pixels below which the page bar and the top bar shrink
DEFAULT_SIZE = (1440, 900)
# Modifier keys.
MODIFIER_KEYS = frozenset(
    {Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Shift, Qt.Key.Key_Meta}
)
PAIRING_ACTIONS = frozenset({"pair", "pair-assuming", "pair-all", "pair-game"})


class Window(QMainWindow):
    """The window of one tournament, or the welcome page if none is open."""

    _activated = Signal()  # delayed activation; QTimer.singleShot would keep a closed window alive

    def __init__(self, session: Session) -> None:
        super().__init__()
        session.appearance.style_window(self)
        self.session = session
        self.panel: Panel | None = None  # the panel at the right
        self._panel_players: tuple[PlayerId, ...] = ()  # players at the cursor when the panel was opened
        self._focus_before_panel: QWidget | None = None  # the focused widget before the panel was opened
        self.setMinimumSize(QSize(*MIN_SIZE).boundedTo(self.screen().availableSize()))
        self.resize(*DEFAULT_SIZE)
        self._positions = LastViewedPages(session.settings)
        geometry = session.settings.value("geometry")
        self.restoreGeometry(geometry if isinstance(geometry, QByteArray) else QByteArray())
        self._may_lose_text = False  # the user agreed to lose unsaved text
        self._activated.connect(self._rebuild_for_system_text_size, Qt.ConnectionType.QueuedConnection)
        self._storage = StorageErrorDialogs(self)
        self._build_window()
        self._update_actions()
        session.opened.connect(self._show_tournament_or_welcome)
        session.changed.connect(self.refresh_window)
        session.queue_changed.connect(self.refresh_window)
        session.looked_back.connect(self._open_past_state_window)
        self.past: PastStateWindow | None = None  # a window on a past state
        session.selection_changed.connect(self.refresh_window)
        session.printouts_changed.connect(self.refresh_window)
        for signal in (session.backups_changed, session.published, session.featured, session.served):
            signal.connect(self._refresh_panel)

    # --- interface for pages and panels

    @property
    def page(self) -> Page:
        visible_page = self._stack.get_visible_page()
        if not isinstance(visible_page, Page):
            raise TypeError("no page is shown")
        return visible_page

    def show_page(self, page_id: str, key: str = "") -> None:
        page_id = find_page_or_replacement(self.session, page_id)
        before, page = self._stack.get_visible_page(), self.pages.get_page(page_id)
        if before is not page:
            self._toast.hide_if_refusal_or_note()
            self.open_panel(None)
            focused = self.focusWidget()
            if focused is not None:
                focused.clearFocus()  # otherwise Qt focuses other widgets in between, and each is announced
            self._stack.switch_to_page(page)
            announce_text(page, PAGES[page_id].name(self.session.catalogue))
            page.setFocus()
            self.pages.resolve_shortcut_conflicts(page)
        self._page_bar.mark_current_page(page_id)
        self.refresh_window()
        if key:
            page.reveal_row(key)

    def open_panel(self, panel: object) -> None:
        old, self.panel = self.panel, panel if isinstance(panel, Panel) else None
        self._panel_players = self.page.list_selected_players() if self._stack.get_visible_page() else ()
        if old is None:
            self._focus_before_panel = self.focusWidget()
        else:
            old.hide()
            old.deleteLater()
        if self.panel is not None:
            self._middle.addWidget(self.panel)
            self.panel.closed.connect(self.close_panel)
            self.panel.panel.connect(self.open_panel)
            self.panel.page_requested.connect(self.show_page)
            self.panel.refresh_panel()
            self._fit_bars_and_panel()
            self.panel.show()
        self._notify_tour_of_navigation()

    def _switch_panel_to_selected_players(self) -> None:
        if self.panel is None or not self.panel.follows_selected_player:
            return
        players = self.page.list_selected_players()
        if players and players != self._panel_players:
            self._panel_players = players
            self.panel.switch_to_selected_players(players)

    def _notify_tour_of_navigation(self) -> None:
        visible_page = self._stack.get_visible_page()
        if isinstance(visible_page, Page):
            panel = type(self.panel).__name__ if self.panel is not None else ""
            self.guide.check_progress_after_navigation(visible_page.id, panel)

    def close_panel(self) -> None:
        if self.panel is not None:
            candidates = (self.focusWidget(), self._focus_before_panel)  # focused now, or before the panel opened
            focusable_fields = [
                field
                for field in candidates
                if field and is_alive_and_visible(field) and self.page.isAncestorOf(field)
            ]
            self.open_panel(None)
            (focusable_fields[0] if focusable_fields else self.page).setFocus()

    def get_action(self, name: str) -> WindowAction:
        page_actions = (action for page_id in PAGES for action in self.pages.get_page(page_id).page_actions)
        return next(
            action
            for action in chain(self._list_window_and_page_actions(), page_actions)
            if action.declaration.id == name
        )

    @property
    def all_actions(self) -> tuple[WindowAction, ...]:
        self.pages.make_all_pages()
        return self._list_window_and_page_actions()

    def _list_window_and_page_actions(self) -> tuple[WindowAction, ...]:
        return sort_in_menu_order(self._window_actions, self.pages.map_actions_of_made_pages())

    def rebuild_window(self) -> None:
        """Rebuild the window in another language or text size. Typed text stays."""
        visible_page, tour_step, size = (
            self._stack.get_visible_page(),
            self.guide.step_index,
            get_stored_or_system_text_size(self.session.settings),
        )
        page_id = visible_page.id if self.session.is_open and isinstance(visible_page, Page) else ""
        view = visible_page.get_view_to_restore() if isinstance(visible_page, Page) else None
        typed_texts = {page.id: _get_typed_texts(page) for page in self.pages.pages_by_id.values()}
        focused = _find_focused_field_position(visible_page) if isinstance(visible_page, Page) else None
        if size != self.session.appearance.size:
            self.session.appearance.set_text_size(size)
        self.pages.stop_making_pages()
        self.pages.store_column_widths()
        self._build_window(page_id)
        if page_id:
            self._show_tournament_at_page(page_id)
            self.page.restore_view_choice(view)
            for typed_page_id, texts in typed_texts.items():
                if texts:
                    _restore_typed_texts(self.pages.get_page(typed_page_id), texts)
            if focused is not None and (field := _map_line_edits_by_position(self.page).get(focused)) is not None:
                field.setFocus()
        else:
            self._show_tournament_or_welcome()
        self.guide.start_tour_at(tour_step)
        self.pages.make_pages_when_idle()

    def _rebuild_for_system_text_size(self) -> None:
        unsaved = self.panel is not None and self.panel.find_unsaved_field() is not None
        if get_stored_or_system_text_size(self.session.settings) != self._text_size and not unsaved:
            self.rebuild_window()

    # --- construction

    def _build_window(self, page_id: str = "") -> None:
        session = self.session
        self._text_size = session.appearance.size
        self.panel = None
        for action in self.actions():
            self.removeAction(action)  # free its shortcut now, not when the action is deleted
        for action in self.findChildren(WindowAction):
            if action.parent() is self:
                action.deleteLater()
        self.guide = TourBar(session)
        actions = self._actions = ProgramActions(
            self, rebuild=self.rebuild_window, begin_tour=self.guide.start_tour_at
        )
        self._window_actions = tuple(
            WindowAction(declaration, session.appearance, self) for declaration in actions.list_program_actions()
        )
        self.root_stack = PageStack()
        self.setCentralWidget(self.root_stack)
        self.pages = WindowPages(session, self.root_stack)
        self.pages.page_made.connect(self._add_page)
        self._welcome: WelcomePage | None = None
        self._stack = PageStack(unscrolled_height=HIGH_ENOUGH)
        self._frame = self._make_tournament_frame()
        self._fit_bars_and_panel()
        self.root_stack.add_page(self._frame)
        for stack in (self.root_stack, self._stack):
            session.appearance.changing.connect(stack.detach_hidden_pages_before_restyling)
        self._toast = Toast(session, self.root_stack, self._bottom)
        self._toast.undo.connect(session.undo)
        session.message_sent.connect(self._toast.show_message)
        self._add_actions(self._window_actions)
        if session.is_open:
            self.pages.get_page(page_id or choose_first_page(session))
        else:
            self._show_welcome_page()
        self._build_menus()

    def _add_page(self, page: Page) -> None:
        page.row_actions = tuple(action for action in self._window_actions if action.declaration.id in ABOUT_ROW)
        page.panel.connect(self.open_panel)
        page.page_requested.connect(self.show_page)
        page.cursor_moved.connect(partial(self._update_actions, page))
        page.cursor_moved.connect(self._switch_panel_to_selected_players)
        for action in page.page_actions:
            action.triggering.connect(partial(self._show_page_and_keep_current_player, page.id))
            if action.declaration.id in PAIRING_ACTIONS:
                action.is_allowed = partial(check_input_is_saved_before_pairing, self, self.pages)
        self._stack.add_page(page)
        page.layout_grown.connect(partial(restore_column_widths, self.session.settings, page))
        restore_column_widths(self.session.settings, page)
        self._add_actions(page.page_actions)
        for action in page.page_actions:
            self._update_action(action)
        self.pages.resolve_shortcut_conflicts(self._stack.get_visible_page())
        if self.pages.has_all_pages:
            self._build_menus()

    def _add_actions(self, actions: Iterable[WindowAction]) -> None:
        for action in actions:
            action.triggering.connect(partial(self.guide.check_progress_after_action, action.declaration.id))
            self.addAction(action)

    def _make_tournament_frame(self) -> QWidget:
        actions_by_id = {action.declaration.id: action for action in self._window_actions}
        tools = [actions_by_id[name] for name in ("undo", "redo", "palette")]
        self._top = TopBar(self.session, tools, (actions_by_id["round-back"], actions_by_id["round-forth"]))
        self._top.clock.clicked.connect(lambda: self.show_page("screens", "clock"))
        self._page_bar = SideBar(self.session, PAGE_KEYS)
        self._page_bar.page_chosen.connect(self.show_page)
        self.guide.page_requested.connect(self.show_page)
        self._bottom = BottomBar(self.session)
        self._bottom.page_requested.connect(self._actions.search.show_page_of_problem)
        self._bottom.all_requested.connect(self._actions.search.open_problems_panel)
        self._bottom.save_elsewhere_requested.connect(self._storage.open_dialog_for_unsaved_file)
        self._middle = fields.make_row(self._page_bar, self._stack, gap=0, wide=self._stack)
        parts: tuple[Part, ...] = (*self._make_banners(), self._top, self.guide, self._middle, self._bottom)
        return fields.wrap_in_widget(fields.make_column(*parts, gap=0, wide=self._middle))

    def _make_banners(self) -> tuple[QWidget, ...]:
        return ()

    def _build_menus(self) -> None:
        self._menus = fill_menus(
            self.menuBar(), map_menu_titles(self.session.catalogue), self._list_window_and_page_actions()
        )
        recent_menu = self._menus["recent"]
        fill_menu = partial(_fill_recent_menu, recent_menu, self.session, self._actions.files.open_path)
        recent_menu.aboutToShow.connect(fill_menu)

    # --- updates

    def _show_tournament_or_welcome(self) -> None:
        if self.session.is_open:
            for page in self.pages.pages_by_id.values():
                clear_typed_texts(page)  # they belong to the previous tournament
                page.choose_first_view()
            self._show_tournament_at_page(restore_last_division_and_page(self.session, self._positions))
            self.guide.start_tour_at()
            self.pages.restart_timer_for_making_pages()
        else:
            self.open_panel(None)
            self._show_welcome_page()
            self.setWindowTitle("tdapp")
            self._update_actions()

    def _show_welcome_page(self) -> None:
        if self._welcome is None:
            files, join = self._actions.files, self._actions.joining.open_join_dialog
            self._welcome = WelcomePage(self.session, files, join)
            self.root_stack.add_page(self._welcome)
        else:
            self._welcome.show_recent_tournaments()
        self.root_stack.switch_to_page(self._welcome)

    def _show_tournament_at_page(self, page_id: str) -> None:
        self.open_panel(None)
        self.root_stack.switch_to_page(self._frame)
        self.show_page(page_id)
        self.page.setFocus()

    def _open_past_state_window(self, desk: Desk, step: Step) -> None:
        if self.past is not None:
            self.past.close()
        self.past = PastStateWindow(self.session.make_past_state_session(), step)
        self.past.destroyed.connect(self._forget_past_state_window_if_destroyed)
        self.past.resize(self.size())
        QTimer.singleShot(0, self.past, partial(self.past.show_past_state, desk))  # keys are read in between

    def _forget_past_state_window_if_destroyed(self) -> None:
        if self.past is not None and not isValid(self.past):
            self.past = None

    def leave_after_unsaved_input_check(self, leave: Callable[[], object]) -> None:
        if not ask_about_unsaved_input(
            self, self.pages, leave, retry=partial(self.leave_after_unsaved_input_check, leave)
        ):
            self._store_last_page()
            leave()

    def _store_last_page(self) -> None:
        visible_page = self._stack.get_visible_page()
        if self.session.is_open and isinstance(visible_page, Page):
            self._positions.store_viewed_page(self.session, visible_page.id)

    def _close_and_discard_typed_text(self) -> None:
        self._may_lose_text = True
        self.close()

    def refresh_window(self) -> None:
        if not self.session.is_open or self._stack.get_visible_page() is None:
            return
        self.setWindowTitle(self._make_title())
        for bar in (self._top, self._page_bar, self._bottom):
            bar.refresh_bar()
        self.page.refresh_page()
        self._refresh_panel()
        self._update_actions()
        self._notify_tour_of_navigation()

    def _make_title(self) -> str:
        return f"{format_tournament_and_file_name(self.session.tournament.event.name, self.session.path)} – tdapp"

    def _refresh_panel(self) -> None:
        if self.session.is_open and self.panel is not None:
            self.panel.refresh_panel()
            self._fit_bars_and_panel()

    def _update_actions(self, page: Page | None = None) -> None:
        """Update all actions. With `page`, update only those of this page and of the window."""
        actions = (*self._window_actions, *page.page_actions) if page else self._list_window_and_page_actions()
        for action in actions:
            self._update_action(action)
        if self.session.is_open and not self.session.is_director:
            _set_tooltips_of_forbidden_actions(self.session, actions)

    def _update_action(self, action: WindowAction) -> None:
        if self.session.is_open or action.parent() is self:
            action.update_state()
        else:
            action.setEnabled(False)

    def _show_page_and_keep_current_player(self, page_id: str) -> None:
        if self.page.id != page_id:
            player = self.page.get_current_player_id()
            self.show_page(page_id)
            if player is not None:
                self.page.select_player(player)

    # --- Qt events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.panel is not None:
            self.close_panel()
        elif event.key() == Qt.Key.Key_Escape and self.isFullScreen():
            self.showNormal()
        elif not self._run_shortcut_before_page_is_made(event):
            super().keyPressEvent(event)

    def _run_shortcut_before_page_is_made(self, event: QKeyEvent) -> bool:
        is_function_key = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
        has_modifier = bool(
            event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        )
        if (
            self.pages.has_all_pages
            or not self.session.is_open
            or not (is_function_key or has_modifier)
            or event.key() in MODIFIER_KEYS
        ):
            return False
        keys = QKeySequence(event.keyCombination())
        page_actions = [action for action in self.all_actions if action.isEnabled() and keys in action.shortcuts()]
        for action in page_actions[:1]:
            action.trigger()
        return bool(page_actions)

    def event(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.WindowActivate, QEvent.Type.ThemeChange}:
            self._activated.emit()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.pages.restart_timer_for_making_pages()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_bars_and_panel()

    def _fit_bars_and_panel(self) -> None:
        self._page_bar.hide_or_show_titles(hidden=self.width() < scale_pixels(NARROW))
        self._top.hide_or_show_optional_parts(hidden=self.width() < scale_pixels(SHORT))
        if self.panel is not None:
            available_width = self.width() - self._page_bar.sizeHint().width()
            self.panel.limit_width(
                max(available_width - self._stack.get_visible_page_least_width(), available_width // 2)
            )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.session.is_open:
            self._update_actions()

    def closeEvent(self, event: QCloseEvent) -> None:
        if ask_about_unsaved_input(
            self,
            self.pages,
            self._close_and_discard_typed_text,
            retry=self.close,
            check_fields=not self._may_lose_text,
        ):
            event.ignore()
            return
        if self.session.present is None:
            self.session.queue.undo_discarded_steps_once_saved()
        self._store_last_page()
        self.pages.store_column_widths()
        self.session.settings.setValue("geometry", self.saveGeometry())
        if self.past is not None:
            self.past.close()
        if self.session.present is not None:
            self.session.close()  # no other window uses it
        super().closeEvent(event)


def _fill_recent_menu(menu: QMenu, session: Session, open_path: Callable[[Path | Address], None]) -> None:
    menu.clear()
    locations = session.recent.list_existing_locations()
    counts = Counter(path.stem for path in locations)
    for path in locations:
        location_text = describe_folder_or_server(session.catalogue, path)
        title = path.stem if counts[path.stem] == 1 else f"{path.stem}: {location_text}"
        action = menu.addAction(fields.escape_mnemonic(title))
        action.setToolTip(location_text)
        action.triggered.connect(partial(open_path, path))
    menu.setToolTipsVisible(True)


def _get_typed_texts(page: Page) -> dict[tuple[str, int], str]:
    fields = _map_line_edits_by_position(page).items()
    return {
        position: field.text() for position, field in fields if field.has_unsaved_text and field.isVisibleTo(page)
    }


def _restore_typed_texts(page: Page, texts: Mapping[tuple[str, int], str]) -> None:
    for position, field in _map_line_edits_by_position(page).items():
        if position in texts:
            field.setText(texts[position])
            field.setModified(True)


def _find_focused_field_position(page: Page) -> tuple[str, int] | None:
    focused = page.window().focusWidget()
    return next(
        (position for position, field in _map_line_edits_by_position(page).items() if field is focused), None
    )


def _map_line_edits_by_position(page: Page) -> dict[tuple[str, int], LineEdit]:
    """Return the line edits of a page. Key ("FormLayout", 1): the second in parents of class `FormLayout`."""
    positions: dict[tuple[str, int], LineEdit] = {}
    counts: Counter[str] = Counter()
    for field in page.findChildren(LineEdit):
        parent = type(field.parent()).__name__
        positions[parent, counts[parent]] = field
        counts[parent] += 1
    return positions


def _set_tooltips_of_forbidden_actions(session: Session, actions: Iterable[WindowAction]) -> None:
    explanation = session.catalogue.describe_error(CommandError("role-may-not", role=session.desk.role))
    for action in actions:
        if not action.isEnabled() and session.run_with_director_rights(action.declaration.enabled):
            action.setToolTip(f"{action.text()}: {explanation}")


class PastStateWindow(Window):
    """Shows a past state of the tournament."""

    def __init__(self, session: Session, step: Step) -> None:
        self._step = step
        super().__init__(session)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def show_past_state(self, desk: Desk) -> None:
        session = self.session
        session.open_tournament_of_desk(desk)
        session.opened.connect(self._close_if_tournament_closed)
        self.show()
        self.pages.make_pages_when_idle()

    def _make_title(self) -> str:
        name, text = self.session.tournament.event.name, self.session.catalogue.text
        return text("{name} as it was after step {seq} – tdapp", name=name, seq=self._step.seq)

    def _make_banners(self) -> tuple[QWidget, ...]:
        catalogue, step = self.session.catalogue, self._step
        step_time = catalogue.format_date_and_time(datetime.fromisoformat(step.at).astimezone(), with_seconds=True)
        heading = catalogue.text(
            "Earlier state: the tournament after step {seq}, {at}", seq=step.seq, at=step_time
        )
        banner = QFrame()
        banner.setObjectName("past")
        step_label = ElidedLabel("")
        step_label.set_full_text(catalogue.describe_step(step.label, step.facts))
        close = fields.make_button(catalogue.text("Back to the present"), self.close)
        parts = (fields.make_label(heading, "lead"), step_label, close)
        fields.make_row(*parts, gap=UNIT + 4, margins=(UNIT * 2, UNIT // 2) * 2, parent=banner, wide=step_label)
        return (banner,)

    def _close_if_tournament_closed(self) -> None:
        if not self.session.is_open:
            self.close()
