"""The slide show for the display and its preview."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent

from tdapp.domain.round_clock import MINUTE
from tdapp.domain.tables.featured_view import FeaturedGame
from tdapp.domain.tournament import Tournament
from tdapp.gui.screens.paint import DisplayedRoundClock, SlideScene
from tdapp.gui.shell.round_clock import RoundClockService, RoundProgressService
from tdapp.gui.shell.session import Session, SessionService
from tdapp.gui.widgets.fields import ENTER
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.ceremony import CeremonyOptions
from tdapp.i18n.slides import (
    ALTERNATING_VIEWS,
    ClockSlide,
    DisplayProgramme,
    DisplayView,
    SentenceSlide,
    Slide,
    make_slides,
)
from tdapp.services.preferences import load_settings_object, save_settings_object
from tdapp.services.worker import BackgroundTask

CALM_KEY = "screens/calm"  # settings key: no animation, whatever the system prefers
STEP = 100  # milliseconds between two updates of the bar
SECONDS = (3, 60)  # shortest and longest time of a page


class SlideShow(SessionService):
    """The running slides.

    Signal `slide_turned` tells each canvas to show the next slide or announcement. `ticked` tells it to repaint
    the time bar and the round clock.
    """

    slide_turned = Signal()
    ticked = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.clock = RoundClockService.get_or_make_service(session)
        self._progress_service = RoundProgressService.get_or_make_service(session)
        self.programme = DisplayProgramme()
        self.message = ""  # the announcement, or ""
        self.paused = False
        self.reduced = False  # whether the system prefers reduced motion
        self._slides: tuple[Slide, ...] = ()
        self._position = 0
        self._visible_canvas_count = 0
        self._is_outdated = True
        self._language = ""
        self._task = BackgroundTask("")
        self._slide_timer = QElapsedTimer()
        self._slide_timer.start()
        self._timer = QTimer(self, interval=STEP)
        self._timer.timeout.connect(self._advance_slides_or_emit_tick)
        session.opened.connect(self._restart_for_opened_tournament)
        session.changed.connect(self.rebuild_slides)
        session.featured.connect(self.rebuild_slides)
        self.clock.ticked.connect(self.ticked)
        self.clock.changed.connect(self.ticked)
        self._progress_service.beat.connect(self.ticked)
        if session.is_open:
            self._restart_for_opened_tournament()

    # --- current page

    @property
    def current_slide(self) -> Slide:
        if not self._slides:
            return Slide(DisplayView.CLOCK, "nothing", "", "", SentenceSlide(""))
        return self._slides[self._position]

    @property
    def page_number_and_count(self) -> tuple[int, int]:
        """Number of the slide, from 1, and number of slides."""
        return self._position + 1, max(len(self._slides), 1)

    @property
    def scene(self) -> SlideScene:
        clock, catalogue = self.clock, self.session.catalogue
        note = (
            self._progress_service.describe_round_progress_for_public(self.programme.division)
            if isinstance(self.current_slide.body, ClockSlide)
            else ""
        )
        time = DisplayedRoundClock(clock.text, clock.state, catalogue.translate_code(clock.state), note)
        return SlideScene(
            self.current_slide, time, self.message, self.programme.black, self._compute_remaining_time_share()
        )

    def _compute_remaining_time_share(self) -> float | None:
        if not self._is_changing_slides_automatically:
            return None
        elapsed_seconds = self._slide_timer.elapsed() / 1000
        return max(
            0.0,
            1.0 - (int(elapsed_seconds) if self.is_animation_off else elapsed_seconds) / self.programme.seconds,
        )

    @property
    def is_animation_off(self) -> bool:
        return self.reduced or bool(self.session.settings.value(CALM_KEY, defaultValue=False, type=bool))

    @property
    def _is_changing_slides_automatically(self) -> bool:
        return len(self._slides) > 1 and not (self.paused or self.message or self.programme.is_ceremony)

    # --- canvases

    def increment_visible_canvas_count(self) -> None:
        """Count a visible canvas. The show runs only while a canvas is visible."""
        self._visible_canvas_count += 1
        self._timer.start()
        if self._is_outdated:
            self.rebuild_slides()

    def decrement_visible_canvas_count(self) -> None:
        self._visible_canvas_count -= 1
        if self._visible_canvas_count <= 0:
            self._visible_canvas_count = 0
            self._timer.stop()

    # --- control

    def show_view(self, view: DisplayView | None) -> None:
        """Show a view. If `view` is None, show all chosen views in turn. Do not restart a running prize-giving."""
        if not (view is DisplayView.PRIZES and self.programme.is_ceremony):
            self.set_programme(replace(self.programme, view=view), rewind=True)

    def add_or_remove_rotation_view(self, view: DisplayView, *, included: bool) -> None:
        before = self.programme.in_turn
        views = tuple(
            other_view
            for other_view in ALTERNATING_VIEWS
            if (included if other_view is view else other_view in before)
        )
        self.set_programme(replace(self.programme, in_turn=views), rewind=self.programme.view is None)

    def set_programme(self, programme: DisplayProgramme, *, rewind: bool = False) -> None:
        """Replace the settings of the slide show. With `rewind`, go to the first slide."""
        shortest, longest = SECONDS
        self.programme = replace(programme, seconds=max(shortest, min(programme.seconds, longest)))
        if rewind:
            self._position, self.paused = 0, False
        self._save_programme_in_settings()
        self.rebuild_slides(rewind=rewind)

    def set_ceremony_options(self, ceremony: CeremonyOptions) -> None:
        if ceremony != self.programme.ceremony:
            self.set_programme(replace(self.programme, ceremony=ceremony), rewind=self.programme.is_ceremony)

    def advance_slides(self, count: int) -> None:
        """Move by `count` slides. After the last slide continue with the first, except in the prize-giving."""
        last = len(self._slides) - 1
        if self.programme.is_ceremony:
            self._go_to_slide(max(0, min(self._position + count, last)))
        elif last >= 0:
            self._go_to_slide((self._position + count) % (last + 1))

    def go_to_first_slide(self) -> None:
        self._go_to_slide(0)

    def toggle_pause(self) -> None:
        self.paused = not self.paused
        self._slide_timer.restart()
        self.slide_turned.emit()

    def show_announcement(self, message: str) -> None:
        """Cover the slides with a text. "" removes the text."""
        self.message = message.strip()
        self._slide_timer.restart()
        self.slide_turned.emit()

    def toggle_black_background(self) -> None:
        self.set_programme(replace(self.programme, black=not self.programme.black))

    # --- build pages

    def rebuild_slides_if_language_changed(self) -> None:
        if self._language != self.session.catalogue.language:
            self.rebuild_slides()

    def rebuild_slides(self, _diff: object = None, *, rewind: bool = False) -> None:
        """Make the slides again. With `rewind`, go to the first slide.

        If the slide show is hidden, wait until a widget shows it.
        """
        self._is_outdated = True
        self._task.cancel_work()
        if not self.session.is_open or not self._visible_canvas_count:
            return
        self._is_outdated = False
        session = self.session
        self._language = session.catalogue.language
        call = partial(
            _make_slides,
            session.featuring.make_thread_safe_public_state_reader(),
            self.programme,
            session.catalogue,
        )
        self._task = session.run_in_background(
            call, on_success=partial(self._show_new_slides, rewind=rewind), label=""
        )

    def _show_new_slides(self, slides: tuple[Slide, ...], *, rewind: bool) -> None:
        key = self.current_slide.key
        before, self._slides = self._slides, slides
        keys = [slide.key for slide in slides]
        self._position = 0 if rewind else keys.index(key) if key in keys else min(self._position, len(slides) - 1)
        if rewind or not before:
            self._slide_timer.restart()
        self.slide_turned.emit()

    def _restart_for_opened_tournament(self) -> None:
        self._slides, self._position, self.message, self.paused = (), 0, "", False
        self.programme = self._load_programme_from_settings() if self.session.is_open else DisplayProgramme()
        self.rebuild_slides(rewind=True)
        self.slide_turned.emit()

    def _go_to_slide(self, index: int) -> None:
        self._position = index
        self._slide_timer.restart()
        self.slide_turned.emit()

    def _advance_slides_or_emit_tick(self) -> None:
        if not self._is_changing_slides_automatically:
            return
        if self._slide_timer.hasExpired(1000 * self.programme.seconds):
            self.advance_slides(1)
        else:
            self.ticked.emit()

    # --- settings

    def _get_settings_key(self) -> str:
        return f"tournaments/{self.session.tournament.event.id}/screens"

    def _save_programme_in_settings(self) -> None:
        if self.session.is_open:
            programme = self.programme
            ceremony = replace(programme.ceremony, division="", category="")
            saved_programme = replace(
                programme, view=None if programme.is_ceremony else programme.view, ceremony=ceremony
            )
            save_settings_object(self.session.settings, self._get_settings_key(), saved_programme)

    def _load_programme_from_settings(self) -> DisplayProgramme:
        programme = load_settings_object(self.session.settings, self._get_settings_key(), DisplayProgramme())
        in_turn = tuple(view for view in ALTERNATING_VIEWS if view in programme.in_turn)
        return replace(programme, in_turn=in_turn, seconds=max(SECONDS[0], min(programme.seconds, SECONDS[1])))


def _make_slides(
    read_state: Callable[[], tuple[Tournament, FeaturedGame | None]],
    programme: DisplayProgramme,
    catalogue: Catalogue,
) -> tuple[Slide, ...]:
    tournament, game = read_state()
    return make_slides(tournament, programme, catalogue, game)


# One key per view.
VIEW_KEYS: Mapping[DisplayView, str] = {view: str(key) for key, view in enumerate(DisplayView, 1)}
IN_TURN_KEY, COLOUR, CLOCK, MORE_TIME, PAUSE = "0", "B", "C", "+", "P"
ANNOUNCE = "A"  # opens the announcement field in the main window
_NEXT_PAGE_KEYS = frozenset({Qt.Key.Key_Right, Qt.Key.Key_PageDown})
_BACK_KEYS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_PageUp, Qt.Key.Key_Backspace})
_NEXT_KEYS = frozenset({Qt.Key.Key_Space, *ENTER})
TURNING_KEYS = _NEXT_PAGE_KEYS | _BACK_KEYS | _NEXT_KEYS | {Qt.Key.Key_Home}  # keys that other controls use too
_COMMAND_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)


def control_slides_by_key(show: SlideShow, event: QKeyEvent) -> bool:
    """Control the slides with a key. Return whether the key has a function. Ignore repeats of a held key."""
    if event.modifiers() & _COMMAND_MODIFIERS:
        return False
    key, text = Qt.Key(event.key()), event.text().upper()
    views: dict[str, DisplayView | None] = {keys: view for view, keys in VIEW_KEYS.items()} | {IN_TURN_KEY: None}
    if event.isAutoRepeat():
        return text in views or key in _NEXT_PAGE_KEYS | _BACK_KEYS | _NEXT_KEYS
    if text in views:
        show.show_view(views[text])
    elif key in _NEXT_PAGE_KEYS or (key in _NEXT_KEYS and show.programme.is_ceremony):
        show.advance_slides(1)
    elif key in _BACK_KEYS:
        show.advance_slides(-1)
    elif key is Qt.Key.Key_Home:
        show.go_to_first_slide()
    elif text == PAUSE or key is Qt.Key.Key_Space:
        show.toggle_pause()
    elif key is Qt.Key.Key_Escape and show.message:
        show.show_announcement("")
    else:
        return _handle_clock_or_slide_background_key(show, text)
    return True


def _handle_clock_or_slide_background_key(show: SlideShow, text: str) -> bool:
    actions: Mapping[str, Callable[[], object]] = {
        COLOUR: show.toggle_black_background,
        CLOCK: show.clock.toggle_clock,
        MORE_TIME: partial(show.clock.add_time, MINUTE),
    }
    if text in actions:
        actions[text]()
    return text in actions
