"""Controls of the Screens page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QLabel, QPushButton, QWidget

from tdapp.domain.model import Division
from tdapp.domain.prizes import list_categories
from tdapp.domain.round_clock import LONGEST, MARGIN, MINUTE, SHORTEST, ClockState, format_clock, parse_clock_time
from tdapp.domain.translatable import C_
from tdapp.gui.screens.slideshow import COLOUR, IN_TURN_KEY, VIEW_KEYS, SlideShow
from tdapp.gui.shell.round_clock import LOOKS, RoundClockService
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, Form, LineEdit, NumberEdit
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import ROW, UNIT, scale_line_height, scale_pixels
from tdapp.i18n import slides
from tdapp.i18n.ceremony import ALL, AnnouncementGrouping, CeremonyOptions
from tdapp.i18n.slides import DisplayView


class DisplayViewList(QFrame):
    """Lists the views of the public display, each with a button and a check box for the rotation."""

    def __init__(self, show: SlideShow) -> None:
        super().__init__()
        self._show = show
        self.setObjectName("card")
        catalogue = show.session.catalogue
        self.buttons: dict[DisplayView | None, QPushButton] = {}
        self.ticks: dict[DisplayView, QCheckBox] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(UNIT, UNIT, UNIT, UNIT)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        for position in range(len(VIEW_KEYS) + 1):
            grid.setRowMinimumHeight(position, scale_line_height(ROW - 2))
        for position, view in enumerate(DisplayView):
            name = catalogue.code(view)
            grid.addWidget(self._make_view_button(view, VIEW_KEYS[view], name), position, 0)
            if view in slides.IN_TURN:
                grid.addWidget(
                    self._make_view_rotation_box(view, catalogue.text("{view}: show in rotation", view=name)),
                    position,
                    1,
                )
        turning = self._make_view_button(None, IN_TURN_KEY, catalogue.text("Rotate the ticked views"))
        grid.addWidget(turning, len(VIEW_KEYS), 0, 1, 2)
        self.mark_chosen_views()

    def mark_chosen_views(self) -> None:
        programme = self._show.programme
        for view, button in self.buttons.items():
            button.setChecked(view is programme.view)
        for view, tick in self.ticks.items():
            tick.setChecked(view in programme.in_turn)

    def _make_view_button(self, view: DisplayView | None, keys: str, name: str) -> QPushButton:
        choose, tip = partial(self._show_chosen_view, view), f"{name} ({keys})"
        made = fields.button(f"{keys}   {name}", choose, role="view", name=name, tip=tip)
        made.setCheckable(True)
        self.buttons[view] = made
        return made

    def _make_view_rotation_box(self, view: DisplayView, name: str) -> QCheckBox:
        made = fields.check_box("")
        made.setAccessibleName(name)
        made.setToolTip(name)
        made.clicked.connect(partial(self._toggle_in_rotation, view))
        self.ticks[view] = made
        return made

    def _show_chosen_view(self, view: DisplayView | None) -> None:
        self._show.show_view(view)
        self.mark_chosen_views()

    def _toggle_in_rotation(self, view: DisplayView, _checked: bool = False) -> None:
        self._show.set_view_in_rotation(view, included=self.ticks[view].isChecked())


class DisplayViewOptions(QWidget):
    """Options of the view on display, or of the prize-giving."""

    def __init__(self, show: SlideShow) -> None:
        super().__init__()
        self._show, self._session = show, show.session
        text, look = show.session.catalogue.text, show.session.look
        self.ground: Choice[bool] = Choice(text("Background"), [], look)
        self.division: Choice[str] = Choice(text("Division"), [], look)
        self.seconds = NumberEdit(text("Seconds per page"), width=ROW * 2)
        self.by: Choice[AnnouncementGrouping] = Choice(text("Announce prizes by"), [], look)
        self.category: Choice[str] = Choice(text("Category"), [], look)
        self.places = NumberEdit(text("Start announcements at place"), width=ROW * 2)
        self.places.setPlaceholderText(text(C_("where the announcement of prizes starts", "last place")))
        form = Form(parent=self)
        form.setContentsMargins(0, 0, 0, 0)
        parts: dict[QWidget, list[QWidget]] = {}
        for field in (self.division, self.ground, self.seconds, self.by, self.category, self.places):
            parts[field] = form.add_field(field)
            changed = field.currentIndexChanged if isinstance(field, Choice) else field.editingFinished
            changed.connect(self._save_typed_options)
        self._turning = parts[self.seconds]
        self._giving = [*parts[self.by], *parts[self.category], *parts[self.places]]
        self.show_current_options()

    def show_current_options(self) -> None:
        programme, text = self._show.programme, self._session.catalogue.text
        ceremony, giving = programme.ceremony, programme.is_ceremony
        for one in self._turning:
            one.setVisible(not giving)
        for one in self._giving:
            one.setVisible(giving)
        shown = [(True, text("Black ({keys})", keys=COLOUR)), (False, text("White ({keys})", keys=COLOUR))]
        self.ground.set_choices(shown, programme.black)
        divisions = [(str(one.id), text("Division {code}", code=one.code)) for one in self._list_divisions()]
        every = [] if giving and divisions else [("", text("Rotate all views"))]
        self.division.set_choices([*every, *divisions], ceremony.division if giving else programme.division)
        self.by.set_choices(
            [
                (AnnouncementGrouping.PLACES, text(C_("announce prizes by", "Places"))),
                (AnnouncementGrouping.PRIZES, text(C_("announce prizes by", "Prizes"))),
            ],
            ceremony.by,
        )
        self.category.set_choices(self._list_categories(), ceremony.category)
        if not (self.seconds.hasFocus() or self.places.hasFocus()):
            self._show_number_fields()
        self.places.setEnabled(ceremony.by is AnnouncementGrouping.PLACES)

    def _show_number_fields(self) -> None:
        programme = self._show.programme
        for field, number in ((self.seconds, programme.seconds), (self.places, programme.ceremony.places)):
            field.setText("" if number == ALL else str(number))

    def _list_divisions(self) -> tuple[Division, ...]:
        return self._session.index.divisions if self._session.is_open else ()

    def _list_categories(self) -> list[tuple[str, str]]:
        wanted = self._show.programme.ceremony.division
        divisions = [one for one in self._list_divisions() if one.id == wanted] or [*self._list_divisions()[:1]]
        players = [player for one in divisions for player in self._session.index.players(one.id)]
        everybody = self._session.catalogue.text("Everybody")
        return [("", everybody), *((one, one) for one in list_categories(players))]

    def _save_typed_options(self) -> None:
        programme = self._show.programme
        if programme.is_ceremony:
            self._save_ceremony_options(programme.ceremony)
        changed = replace(
            self._show.programme,
            black=self.ground.value() is not False,
            division=programme.division if programme.is_ceremony else self.division.value() or "",
            seconds=self.seconds.get_number_or_none() or programme.seconds,
        )
        if changed != self._show.programme:
            self._show.set_programme(changed, rewind=changed.division != programme.division)
        self._show_number_fields()

    def _save_ceremony_options(self, before: CeremonyOptions) -> None:
        division = self.division.value() or ""
        same = division == before.division or not before.division  # "" means the first division
        self._show.set_ceremony_options(
            CeremonyOptions(
                by=self.by.value() or before.by,
                division=division,
                category=(self.category.value() or "") if same else "",
                places=self.places.get_number_or_none() or ALL,
            )
        )


_MORE = (1, 5)  # minutes added by the buttons
_SIZE = 24  # size of the shape next to the time


class RoundClockBox(QFrame):
    """The round clock and its controls."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._clock = RoundClockService.get_for(session)
        self.setObjectName("card")
        text = session.catalogue.text
        self._shape, self._time = QLabel(), fields.label("", "title")
        self._word = ElidedLabel("muted")
        self.toggle = fields.button("", self._clock.toggle_clock)
        self._more = [self._make_add_minutes_button(minutes) for minutes in _MORE]
        self.extra = self._make_time_field(text(C_("round clock", "Extra time")), self._add_typed_extra_time)
        self.length = self._make_time_field(text("Length of a round"), self._set_typed_round_length)
        self._usual = fields.button(
            text("Use the time in the rules"), self._clock.set_length_by_rules, role="link"
        )
        self._reset = fields.button(text("Reset the clock"), self._clock.reset_clock)
        self._why = fields.note()
        self.mute = fields.check_box(text("Warn with sounds"))
        self.mute.clicked.connect(self._clock.toggle_sounds)
        name = fields.label(text("Length of a round"))
        name.setBuddy(self.length)
        first = fields.row(self._shape, self._time, self._word, self.toggle, self._reset, wide=self._word)
        last = fields.row(self._why, self._usual, self.mute, wide=self._why)
        second = fields.row(*self._more, self.extra, 1, name, self.length)
        fields.column(first, second, last, around=(UNIT * 2, UNIT, UNIT * 2, UNIT), parent=self)
        for signal in (self._clock.changed, self._clock.ticked, session.look.changed):
            signal.connect(self.show_clock)
        self.show_clock()

    def show_clock(self) -> None:
        clock, catalogue, look = self._clock, self._session.catalogue, self._session.look
        icon, tone = LOOKS[clock.state]
        self._shape.setPixmap(look.make_icon(icon, tone).pixmap(_SIZE, _SIZE))
        self._time.setText(clock.text)
        self._word.set_full_text(catalogue.code(clock.state))
        running = clock.clock.is_running
        start = (
            catalogue.text("Start the clock (C)")
            if clock.state is ClockState.READY
            else catalogue.text("Continue the clock (C)")
        )
        self.toggle.setText(catalogue.text("Pause the clock (C)") if running else start)
        for one in (self.toggle, *self._more, self.extra, self.length, self._reset):
            one.setEnabled(self._session.is_open)
        if not self.length.hasFocus():
            self.length.setText(format_clock(clock.clock.length))
        self.mute.setChecked(not clock.is_muted)
        usual = clock.seconds_by_rules
        self._usual.setVisible(usual is not None and usual != clock.clock.length)
        self._why.setText(self._explain_round_length(usual))

    def focus_clock_button(self) -> None:
        self.toggle.setFocus()

    def _explain_round_length(self, usual: int | None) -> str:
        catalogue = self._session.catalogue
        if usual is None or not self._session.is_open:
            return catalogue.text("The rules have no clock. Type minutes, or minutes:seconds.")
        minutes = self._session.rules.clock.minutes or 0
        return catalogue.text(
            "The rules: 2 × {minutes} minutes, and {margin} to set up, count and write down.",
            minutes=minutes, margin=MARGIN // MINUTE,
        )  # fmt: skip

    def _make_add_minutes_button(self, minutes: int) -> QPushButton:
        name = self._session.catalogue.plural("+{n} minute", "+{n} minutes", minutes)
        more = partial(self._clock.add_time, minutes * MINUTE)
        return fields.button(f"+{format_clock(minutes * MINUTE)}", more, name=name, tip=name)

    def _make_time_field(self, name: str, on_enter: Callable[[], None]) -> LineEdit:
        made = LineEdit(name, placeholder=name)
        made.setMaximumWidth(scale_pixels(UNIT * 14))
        made.returnPressed.connect(on_enter)
        made.textEdited.connect(self._unmark_invalid_fields)
        return made

    def _unmark_invalid_fields(self) -> None:
        for field in (self.extra, self.length):
            field.mark_invalid(wrong=False)

    def _parse_seconds_or_mark_invalid(self, field: LineEdit, *, least: int) -> int | None:
        try:
            seconds = parse_clock_time(field.text().removeprefix("+"))
        except ValueError:
            seconds = -1
        if least <= seconds <= LONGEST:
            self._session.succeeded.emit()
            return seconds
        field.mark_invalid(wrong=True)
        field.selectAll()
        message = self._session.catalogue.text("Type minutes, or minutes:seconds: 5 or 2:30. Ten hours at most.")
        self._session.show_message(message, tone="red")
        return None

    def _add_typed_extra_time(self) -> None:
        seconds = self._parse_seconds_or_mark_invalid(self.extra, least=1)
        if seconds is not None:
            self.extra.clear()
            self._clock.add_time(seconds)

    def _set_typed_round_length(self) -> None:
        seconds = self._parse_seconds_or_mark_invalid(self.length, least=SHORTEST)
        if seconds is None:
            return
        self._clock.set_length(seconds)
        self.length.setText(format_clock(seconds))
        self.length.selectAll()
