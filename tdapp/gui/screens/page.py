"""The Screens page: preview and controls of the second display, and web pages."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit

from tdapp.domain import commands
from tdapp.domain.model import Division, DivisionId, PublicNameFormat
from tdapp.domain.translatable import C_
from tdapp.gui.screens.panels import FeaturedTablePanel, NewsAndRecordsPanel, OverlayPanel
from tdapp.gui.screens.room_window import RoomDisplay, SlideCanvas
from tdapp.gui.screens.slideshow import ANNOUNCE, CALM_KEY, TURNING_KEYS, SlideShow, control_slides_by_key
from tdapp.gui.screens.view_settings import DisplayViewList, DisplayViewOptionsForm, RoundClockBox
from tdapp.gui.screens.web_pages import WebServerPanel
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, FormLayout, LineEdit
from tdapp.gui.widgets.page import MARGIN, Page, Panel
from tdapp.gui.widgets.scroll_body import make_scroll_area
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import UNIT, scale_pixels

_DEFAULT_PREVIEW_SIZE = QSize(1920, 1080)  # size of the preview while nothing is shown
_SIDE_WIDTH = UNIT * 42
_GAP = UNIT * 2
_MAX_LETTERS = 400  # most characters of an announcement


class ScreensPage(Page):
    """The director's controls for the second display."""

    id = "screens"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.slide_show = SlideShow.get_or_make_service(session)
        self.slide_show.rebuild_slides_if_language_changed()
        self.room_display = RoomDisplay.get_or_make_service(session)
        self.canvas = SlideCanvas(self.slide_show, framed=True)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.canvas.setMinimumSize(UNIT * 28, UNIT * 15)
        self.views = DisplayViewList(self.slide_show)
        self.view_options = DisplayViewOptionsForm(self.slide_show)
        self.clock = RoundClockBox(session)
        self._calm_box = fields.make_check_box(self.text("Change pages without animation"))
        self._calm_box.clicked.connect(self._save_reduced_motion)
        self._back_button = fields.make_button(self.text("← Back"), partial(self.slide_show.advance_slides, -1))
        self._next_button = fields.make_button(self.text("Next →"), partial(self.slide_show.advance_slides, 1))
        self._pause_button = fields.make_button("", self.slide_show.toggle_pause)
        self._position_label = ElidedLabel("muted")
        self.announcement = LineEdit(
            self.text("Announcement"), placeholder=self.text("Announcement ({keys})", keys=ANNOUNCE)
        )
        self.announcement.setMaxLength(_MAX_LETTERS)
        self.announcement.returnPressed.connect(self._show_announcement)
        self._announce_button = fields.make_button(
            self.text(C_("announcement", "Announce")), self._show_announcement
        )
        self._remove_button = fields.make_button(
            self.text(C_("announcement", "Remove (Esc)")), partial(self.slide_show.show_announcement, "")
        )
        self._build_layout()
        self.slide_show.slide_turned.connect(self._update_display_controls)
        self.room_display.changed.connect(self.refresh_page)
        self.room_display.announcement_requested.connect(self._open_announcement_field)
        session.served.connect(self.refresh_page)
        self.setFocusProxy(self.canvas)

    def _build_layout(self) -> None:
        page_buttons = fields.make_row(
            self._back_button,
            self._pause_button,
            self._next_button,
            self._position_label,
            wide=self._position_label,
        )
        announcement_row = fields.make_row(self.announcement, self._announce_button, self._remove_button)
        self._main_column = fields.make_column(
            self.canvas, page_buttons, announcement_row, self.clock, wide=self.canvas
        )
        side = fields.make_column(
            self.views, self.view_options, self._calm_box, 1, gap=UNIT * 2, margins=(0, 0, UNIT, 0)
        )
        self._side = make_scroll_area(side)
        self._side.setFixedWidth(scale_pixels(_SIDE_WIDTH))
        self.body.addLayout(fields.make_row(self._main_column, self._side, gap=_GAP, wide=self._main_column), 1)

    # --- display and actions

    def list_page_actions(self) -> tuple[Action, ...]:
        text, public = self.session.catalogue.text, partial(self._open_panel, PublicDataPanel)
        overlays = partial(self._open_panel, OverlayPanel)
        return (
            Action("room-window", text("Show in the room"), self._toggle_room_window, "screens", "Ctrl+F9",
                   "screens", self._can_toggle_room_window, primary=True,
                   title=self._make_room_window_action_text),
            Action("room-display", text("Move to the other display"), self.room_display.move_to_next_display,
                   "swap", "", "screens", self._can_move_to_other_display, header=True, vanishes=True),
            Action("public", text("Public information…"), public, "players", "", "screens", self._has_tournament,
                   header=True),
            Action("phones", text("Phones…"), partial(self._open_panel, WebServerPanel), "phone", "", "screens",
                   self._has_tournament, header=True, title=self._make_web_server_title),
            Action("overlays", text("Overlays…"), overlays, "screens", "", "screens", self._has_tournament,
                   header=True),
            Action("news", text("News and records…"), partial(self._open_panel, NewsAndRecordsPanel), "prize",
                   "", "screens",
                   self._has_division),
            Action("featured", text("Featured table…"), partial(self._open_panel, FeaturedTablePanel), "screens",
                   "", "screens", self._has_tournament),
        )  # fmt: skip

    def refresh_page(self) -> None:
        if self.session.is_open:
            self.set_title(self.text("Screens"), self._describe_room_display())
            window = self.room_display.window
            self.canvas.set_previewed_display_size(window.size() if window is not None else _DEFAULT_PREVIEW_SIZE)
            self._calm_box.setChecked(bool(self.session.settings.value(CALM_KEY, defaultValue=False, type=bool)))
            self.clock.show_clock()
            self._update_display_controls()
            self.cursor_moved.emit()

    def reveal_row(self, key: str) -> None:
        if key == "clock":
            self.clock.focus_clock_button()
        elif key == "announcement":
            self._focus_announcement_field()

    # --- display

    def _describe_room_display(self) -> str:
        text, screen = self.session.catalogue.text, self.room_display.current_display
        if screen is None:
            if len(QGuiApplication.screens()) > 1:
                return text("Nothing is being shown in the room. A second display is connected.")
            return text("Nothing is being shown in the room. Connect a second display, or use a window.")
        return text("The hall screen is on {display}.", display=screen.name() or screen.model())

    def _update_display_controls(self) -> None:
        if not self.session.is_open:
            return
        text, show = self.session.catalogue.text, self.slide_show
        self.views.mark_chosen_views()
        self.view_options.show_current_options()
        is_ceremony = show.programme.is_ceremony
        page, page_buttons = show.page_number_and_count
        state = text("Page {page} of {pages}", page=page, pages=page_buttons)
        if is_ceremony:
            state = text(C_("prize-giving", "Step {page} of {pages}"), page=page - 1, pages=page_buttons - 1)
        if show.message:
            state = text("The announcement covers the whole hall screen until you remove it.")
        self._position_label.set_full_text(" · ".join(filter(None, (show.current_slide.title, state))))
        self._next_button.setText(text("Announce the next prize (Space)") if is_ceremony else text("Next →"))
        self._pause_button.setText(
            text("Resume turning pages (P)") if show.paused else text("Stop turning pages (P)")
        )
        self._pause_button.setVisible(not is_ceremony)
        self._remove_button.setVisible(bool(show.message))
        self._announce_button.setVisible(not show.message)

    # --- conditions

    def _has_tournament(self) -> bool:
        return self.session.is_open

    def _has_division(self) -> bool:
        return self.session.is_open and self.session.division is not None

    def _can_toggle_room_window(self) -> bool:
        return self.session.is_open and self.session.present is None

    def _can_move_to_other_display(self) -> bool:
        return self.room_display.window is not None and len(QGuiApplication.screens()) > 1

    def _make_room_window_action_text(self) -> str:
        return (
            self.text("Stop showing in the room")
            if self.room_display.window is not None
            else self.text("Show in the room")
        )

    # --- commands

    def _toggle_room_window(self) -> None:
        if self.room_display.window is not None:
            self.room_display.close_window()
        else:
            self.room_display.open_window(self.window())

    def _open_panel(
        self,
        panel: type[PublicDataPanel | WebServerPanel | OverlayPanel | NewsAndRecordsPanel | FeaturedTablePanel],
    ) -> None:
        self.show_panel(panel(self.session))

    def _make_web_server_title(self) -> str:
        return self.text("Phones (switched on)…") if self.session.serving.url else self.text("Phones…")

    def _open_announcement_field(self) -> None:
        self.window().activateWindow()
        self.page_requested.emit(self.id, "announcement")

    def _focus_announcement_field(self) -> None:
        self.announcement.setFocus()
        self.announcement.selectAll()

    def _show_announcement(self) -> None:
        self.slide_show.show_announcement(self.announcement.text())
        if self.slide_show.message:
            # Let the screen keys work again, but only after this Enter.
            QTimer.singleShot(0, self.canvas, self.canvas.setFocus)

    def _save_reduced_motion(self) -> None:
        self.session.settings.setValue(CALM_KEY, self._calm_box.isChecked())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._main_column.minimumSize().width() + 2 * MARGIN, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._side.setVisible(self.width() >= self.minimumSizeHint().width() + scale_pixels(_SIDE_WIDTH) + _GAP)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, focused = Qt.Key(event.key()), self.focusWidget()
        typing = isinstance(focused, QLineEdit) and key is not Qt.Key.Key_Escape
        if typing or (key in TURNING_KEYS and focused is not self.canvas):
            super().keyPressEvent(event)
        elif event.text().upper() == ANNOUNCE and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._focus_announcement_field()
        elif not control_slides_by_key(self.slide_show, event):
            super().keyPressEvent(event)
        if key is Qt.Key.Key_Escape and focused is self.announcement:
            self.canvas.setFocus()  # let the screen keys work again


_NO_LIMIT = -1  # all results are public


class PublicDataPanel(Panel):
    """Settings for what the public sees."""

    topic = "screens"

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Public information"))
        name_forms = [(name_form, session.catalogue.translate_code(name_form)) for name_form in PublicNameFormat]
        self.names: Choice[PublicNameFormat] = Choice(
            self.text("Names shown to the public"), name_forms, session.appearance
        )
        self.names.currentIndexChanged.connect(self._save_shown_name_format)
        self.details = fields.make_check_box(
            self.text(C_("public information", "Club, country, rating and photo"))
        )
        self.details.clicked.connect(self._save_player_details_visibility)
        form = FormLayout(self.names)
        form.addWidget(self.details, form.rowCount(), 1)
        names_note = self.text(
            "This information appears on the screens, the website and phones, but not on your printouts."
        )
        self.hidden_round_fields: dict[DivisionId, Choice[int]] = {}
        divisions = FormLayout()
        for division in session.index.divisions:
            choice = self.hidden_round_fields[division.id] = Choice(
                self.text("Standings of division {code}", code=division.code), [], session.appearance
            )
            choice.currentIndexChanged.connect(partial(self._save_last_public_round, division.id))
            divisions.add_field(choice, title=self.text("Division {code}", code=division.code))
        hiding_note = self.text(
            "In hidden rounds the public sees the pairings, but no results or standings. When you start the "
            "prize-giving, the hidden results are shown too."
        )
        names_label, hiding_label = (fields.make_note_label(note) for note in (names_note, hiding_note))
        fields.add_parts_to_layout(
            self.body, form, names_label, fields.make_separator(), divisions, hiding_label, 1
        )
        self.setFocusProxy(self.names)

    def refresh_panel(self) -> None:
        session = self.session
        if {*self.hidden_round_fields} != {*session.tournament.divisions}:
            self.closed.emit()
            return
        event, is_read_only = session.tournament.event, session.is_read_only_or_not_director
        self.names.set_choices(
            [(name_form, session.catalogue.translate_code(name_form)) for name_form in PublicNameFormat],
            event.names_shown,
        )
        self.details.setChecked(event.details_shown)
        for field in (self.names, self.details, *self.hidden_round_fields.values()):
            field.setEnabled(not is_read_only)
        for division in session.index.divisions:
            hidden_after = _NO_LIMIT if division.held_after is None else division.held_after
            self.hidden_round_fields[division.id].set_choices(
                self._list_last_public_round_options(division), hidden_after
            )

    def _list_last_public_round_options(self, division: Division) -> list[tuple[int, str]]:
        index = self.session.index
        planned = max(index.count_planned_rounds(division.id), len(index.rounds(division.id)))
        numbers = [*range(1, planned + 1)]
        if division.held_after is not None and division.held_after > planned:
            numbers.append(division.held_after)
        rounds = [(number, self.text("Hide results after round {round}", round=number)) for number in numbers]
        return [(_NO_LIMIT, self.text("Show all results")), (0, self.text("Hide all results")), *rounds]

    def _save_shown_name_format(self) -> None:
        self.session.do(partial(commands.set_names_shown, names=self.names.value() or PublicNameFormat.FULL))

    def _save_player_details_visibility(self) -> None:
        self.session.do(partial(commands.set_names_shown, details=self.details.isChecked()))

    def _save_last_public_round(self, division: DivisionId, _index: int) -> None:
        chosen_round = self.hidden_round_fields[division].value()
        after = None if chosen_round in {None, _NO_LIMIT} else chosen_round
        self.session.do(partial(commands.hold_standings, division=division, after=after))
