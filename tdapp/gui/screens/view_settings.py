"""Controls of the Screens page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QLabel, QPushButton, QWidget

from tdapp.domain.model import Division
from tdapp.domain.prizes import list_categories
from tdapp.domain.round_clock import (
    MARGIN,
    MAX_LENGTH,
    MIN_LENGTH,
    MINUTE,
    ClockState,
    format_clock,
    parse_clock_time_as_seconds,
)
from tdapp.domain.translatable import C_
from tdapp.gui.screens.slideshow import COLOUR, IN_TURN_KEY, VIEW_KEYS, SlideShow
from tdapp.gui.shell.round_clock import STATE_ICONS, RoundClockService
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, FormLayout, LineEdit, NumberEdit
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import ROW, UNIT, scale_line_height, scale_pixels
from tdapp.i18n import slides
from tdapp.i18n.ceremony import ALL, AnnouncementGrouping, CeremonyOptions
from tdapp.i18n.slides import DisplayView


class DisplayViewList(QFrame):
    """Lists the views of the public display, with buttons, and check boxes to show several in turn."""

    def __init__(self, show: SlideShow) -> None:
        super().__init__()
        self._show = show
        self.setObjectName("card")
        catalogue = show.session.catalogue
        self.buttons: dict[DisplayView | None, QPushButton] = {}
        self.rotation_boxes: dict[DisplayView, QCheckBox] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(UNIT, UNIT, UNIT, UNIT)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        for position in range(len(VIEW_KEYS) + 1):
            grid.setRowMinimumHeight(position, scale_line_height(ROW - 2))
        for position, view in enumerate(DisplayView):
            name = catalogue.translate_code(view)
            grid.addWidget(self._make_view_button(view, VIEW_KEYS[view], name), position, 0)
            if view in slides.ALTERNATING_VIEWS:
                grid.addWidget(
                    self._make_view_rotation_box(view, catalogue.text("{view}: show in rotation", view=name)),
                    position,
                    1,
                )
        rotation_button = self._make_view_button(None, IN_TURN_KEY, catalogue.text("Show ticked views in turn"))
        grid.addWidget(rotation_button, len(VIEW_KEYS), 0, 1, 2)
        self.mark_chosen_views()

    def mark_chosen_views(self) -> None:
        programme = self._show.programme
        for view, button in self.buttons.items():
            button.setChecked(view is programme.view)
        for view, box in self.rotation_boxes.items():
            box.setChecked(view in programme.in_turn)

    def _make_view_button(self, view: DisplayView | None, keys: str, name: str) -> QPushButton:
        choose, tip = partial(self._switch_display_to_view, view), f"{name} ({keys})"
        button = fields.make_button(f"{keys}   {name}", choose, role="view", name=name, tip=tip)
        button.setCheckable(True)
        self.buttons[view] = button
        return button

    def _make_view_rotation_box(self, view: DisplayView, name: str) -> QCheckBox:
        box = fields.make_check_box("")
        box.setAccessibleName(name)
        box.setToolTip(name)
        box.clicked.connect(partial(self._toggle_view_in_rotation, view))
        self.rotation_boxes[view] = box
        return box

    def _switch_display_to_view(self, view: DisplayView | None) -> None:
        self._show.show_view(view)
        self.mark_chosen_views()

    def _toggle_view_in_rotation(self, view: DisplayView, _checked: bool = False) -> None:
        self._show.add_or_remove_rotation_view(view, included=self.rotation_boxes[view].isChecked())


class DisplayViewOptionsForm(QWidget):
    """Options of the public display's current view, or of the prize-giving."""

    def __init__(self, show: SlideShow) -> None:
        super().__init__()
        self._show, self._session = show, show.session
        text, appearance = show.session.catalogue.text, show.session.appearance
        self.background: Choice[bool] = Choice(text("Background"), [], appearance)
        self.division: Choice[str] = Choice(text("Division"), [], appearance)
        self.seconds = NumberEdit(text("Seconds per page"), width=ROW * 2)
        self.grouping: Choice[AnnouncementGrouping] = Choice(text("One announcement for each"), [], appearance)
        self.category: Choice[str] = Choice(text("Category"), [], appearance)
        self.places = NumberEdit(text("Start announcing at place"), width=ROW * 2)
        self.places.setPlaceholderText(text(C_("where the announcement of prizes starts", "last place")))
        form = FormLayout(parent=self)
        form.setContentsMargins(0, 0, 0, 0)
        widgets: dict[QWidget, list[QWidget]] = {}
        for field in (self.division, self.background, self.seconds, self.grouping, self.category, self.places):
            widgets[field] = form.add_field(field)
            change_signal = field.currentIndexChanged if isinstance(field, Choice) else field.editingFinished
            change_signal.connect(self._save_typed_options)
        self._rotation_widgets = widgets[self.seconds]
        self._ceremony_widgets = [*widgets[self.grouping], *widgets[self.category], *widgets[self.places]]
        self.show_current_options()

    def show_current_options(self) -> None:
        programme, text = self._show.programme, self._session.catalogue.text
        ceremony, is_ceremony = programme.ceremony, programme.is_ceremony
        for widget in self._rotation_widgets:
            widget.setVisible(not is_ceremony)
        for widget in self._ceremony_widgets:
            widget.setVisible(is_ceremony)
        backgrounds = [(True, text("Black ({keys})", keys=COLOUR)), (False, text("White ({keys})", keys=COLOUR))]
        self.background.set_choices(backgrounds, programme.black)
        divisions = [
            (str(division.id), text("Division {code}", code=division.code))
            for division in self._list_all_divisions()
        ]
        all_views = [] if is_ceremony and divisions else [("", text("All divisions in turn"))]
        self.division.set_choices(
            [*all_views, *divisions], ceremony.division if is_ceremony else programme.division
        )
        self.grouping.set_choices(
            [
                (AnnouncementGrouping.PLACES, text(C_("one announcement for each", "rank"))),
                (AnnouncementGrouping.PRIZES, text(C_("one announcement for each", "prize"))),
            ],
            ceremony.grouping,
        )
        self.category.set_choices(self._list_ceremony_categories(), ceremony.category)
        if not (self.seconds.hasFocus() or self.places.hasFocus()):
            self._fill_number_fields()
        self.places.setEnabled(ceremony.grouping is AnnouncementGrouping.PLACES)

    def _fill_number_fields(self) -> None:
        programme = self._show.programme
        for field, number in ((self.seconds, programme.seconds), (self.places, programme.ceremony.rank_count)):
            field.setText("" if number == ALL else str(number))

    def _list_all_divisions(self) -> tuple[Division, ...]:
        return self._session.index.divisions if self._session.is_open else ()

    def _list_ceremony_categories(self) -> list[tuple[str, str]]:
        division_id = self._show.programme.ceremony.division
        divisions = [division for division in self._list_all_divisions() if division.id == division_id] or [
            *self._list_all_divisions()[:1]
        ]
        players = [player for division in divisions for player in self._session.index.players(division.id)]
        all_players = self._session.catalogue.text("Everyone")
        return [("", all_players), *((category, category) for category in list_categories(players))]

    def _save_typed_options(self) -> None:
        programme = self._show.programme
        if programme.is_ceremony:
            self._save_ceremony_options(programme.ceremony)
        programme_by_fields = replace(
            self._show.programme,
            black=self.background.value() is not False,
            division=programme.division if programme.is_ceremony else self.division.value() or "",
            seconds=self.seconds.get_number_or_none() or programme.seconds,
        )
        if programme_by_fields != self._show.programme:
            self._show.set_programme(
                programme_by_fields, rewind=programme_by_fields.division != programme.division
            )
        self._fill_number_fields()

    def _save_ceremony_options(self, before: CeremonyOptions) -> None:
        division = self.division.value() or ""
        is_same_division = division == before.division or not before.division  # "" means the first division
        self._show.set_ceremony_options(
            CeremonyOptions(
                grouping=self.grouping.value() or before.grouping,
                division=division,
                category=(self.category.value() or "") if is_same_division else "",
                rank_count=self.places.get_number_or_none() or ALL,
            )
        )


_ADDED_MINUTES = (1, 5)  # minutes added by the buttons
_SHAPE_SIZE = 24  # size of the shape next to the time


class RoundClockBox(QFrame):
    """The round clock and its controls."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._clock = RoundClockService.get_or_make_service(session)
        self.setObjectName("card")
        text = session.catalogue.text
        self._shape, self._time = QLabel(), fields.make_label("", "title")
        self._state_label = ElidedLabel("muted")
        self.toggle_button = fields.make_button("", self._clock.toggle_clock)
        self._add_buttons = [self._make_add_minutes_button(minutes) for minutes in _ADDED_MINUTES]
        self.extra_field = self._make_time_field(text(C_("round clock", "Extra time")), self._add_typed_extra_time)
        self.length_field = self._make_time_field(text("Length of a round"), self._set_typed_round_length)
        self._rules_button = fields.make_button(
            text("Use the time from the rules"), self._clock.set_round_length_by_rules, role="link"
        )
        self._reset_button = fields.make_button(text("Reset the clock"), self._clock.reset_clock)
        self._length_note = fields.make_note_label()
        self.sound_box = fields.make_check_box(text("Warn with sounds"))
        self.sound_box.clicked.connect(self._clock.toggle_sounds)
        name = fields.make_label(text("Length of a round"))
        name.setBuddy(self.length_field)
        first = fields.make_row(
            self._shape,
            self._time,
            self._state_label,
            self.toggle_button,
            self._reset_button,
            wide=self._state_label,
        )
        last = fields.make_row(self._length_note, self._rules_button, self.sound_box, wide=self._length_note)
        second = fields.make_row(*self._add_buttons, self.extra_field, 1, name, self.length_field)
        fields.make_column(first, second, last, margins=(UNIT * 2, UNIT, UNIT * 2, UNIT), parent=self)
        for signal in (self._clock.changed, self._clock.ticked, session.appearance.changed):
            signal.connect(self.show_clock)
        self.show_clock()

    def show_clock(self) -> None:
        clock, catalogue, appearance = self._clock, self._session.catalogue, self._session.appearance
        icon, tone = STATE_ICONS[clock.state]
        self._shape.setPixmap(appearance.make_icon(icon, tone).pixmap(_SHAPE_SIZE, _SHAPE_SIZE))
        self._time.setText(clock.text)
        self._state_label.set_full_text(catalogue.translate_code(clock.state))
        running = clock.clock.is_running
        start = (
            catalogue.text("Start the clock (C)")
            if clock.state is ClockState.READY
            else catalogue.text("Continue the clock (C)")
        )
        self.toggle_button.setText(catalogue.text("Pause the clock (C)") if running else start)
        for widget in (
            self.toggle_button,
            *self._add_buttons,
            self.extra_field,
            self.length_field,
            self._reset_button,
        ):
            widget.setEnabled(self._session.is_open)
        if not self.length_field.hasFocus():
            self.length_field.setText(format_clock(clock.clock.length))
        self.sound_box.setChecked(not clock.is_muted)
        round_length_by_rules = clock.round_length_by_rules
        self._rules_button.setVisible(
            round_length_by_rules is not None and round_length_by_rules != clock.clock.length
        )
        self._length_note.setText(self._explain_round_length(round_length_by_rules))

    def focus_clock_button(self) -> None:
        self.toggle_button.setFocus()

    def _explain_round_length(self, seconds_by_rules: int | None) -> str:
        catalogue = self._session.catalogue
        if seconds_by_rules is None or not self._session.is_open:
            return catalogue.text("The rules do not set a playing time. Type minutes, or minutes:seconds.")
        minutes = self._session.rules.clock.minutes or 0
        return catalogue.text(
            "Under the rules: 2 × {minutes} minutes, plus {margin} to set up, count up and record the result.",
            minutes=minutes, margin=MARGIN // MINUTE,
        )  # fmt: skip

    def _make_add_minutes_button(self, minutes: int) -> QPushButton:
        name = self._session.catalogue.plural("+{n} minute", "+{n} minutes", minutes)
        add_time = partial(self._clock.add_time, minutes * MINUTE)
        return fields.make_button(f"+{format_clock(minutes * MINUTE)}", add_time, name=name, tip=name)

    def _make_time_field(self, name: str, on_enter: Callable[[], None]) -> LineEdit:
        field = LineEdit(name, placeholder=name)
        field.setMaximumWidth(scale_pixels(UNIT * 14))
        field.returnPressed.connect(on_enter)
        field.textEdited.connect(self._unmark_invalid_fields)
        return field

    def _unmark_invalid_fields(self) -> None:
        for field in (self.extra_field, self.length_field):
            field.mark_invalid(is_invalid=False)

    def _parse_seconds_or_mark_invalid(self, field: LineEdit, *, least: int) -> int | None:
        try:
            seconds = parse_clock_time_as_seconds(field.text().removeprefix("+"))
        except ValueError:
            seconds = -1
        if least <= seconds <= MAX_LENGTH:
            self._session.succeeded.emit()
            return seconds
        field.mark_invalid(is_invalid=True)
        field.selectAll()
        message = self._session.catalogue.text(
            "Type minutes, or minutes:seconds, such as 5 or 2:30. The maximum is ten hours."
        )
        self._session.show_message(message, tone="red")
        return None

    def _add_typed_extra_time(self) -> None:
        seconds = self._parse_seconds_or_mark_invalid(self.extra_field, least=1)
        if seconds is not None:
            self.extra_field.clear()
            self._clock.add_time(seconds)

    def _set_typed_round_length(self) -> None:
        seconds = self._parse_seconds_or_mark_invalid(self.length_field, least=MIN_LENGTH)
        if seconds is None:
            return
        self._clock.set_length(seconds)
        self.length_field.setText(format_clock(seconds))
        self.length_field.selectAll()
