"""The judge screen, where players type the challenged words of a play and read the verdict.

The screen saves a verdict before showing it. It clears the typed words after a verdict, or after some time
without a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QInputMethodEvent, QKeyEvent, QScreen
from PySide6.QtWidgets import QApplication, QLayout, QWidget

from tdapp.desk import get_utc_timestamp
from tdapp.domain import commands
from tdapp.domain.challenge_case import ChallengeInProgress, JudgeScreenStep
from tdapp.domain.errors import CommandError, StorageError, UserError
from tdapp.domain.jury_rows import WordCheckReason
from tdapp.domain.model import Division
from tdapp.domain.ruleset import RuleSet, RulingDetailForPlayers
from tdapp.domain.rulings import judge_word, judge_words
from tdapp.domain.tables.jury_log import list_current_seats_at_table
from tdapp.gui.jury.judge_view import JudgeView
from tdapp.gui.shell.jury_member import get_jury_member_today
from tdapp.gui.shell.session import Session, is_alive_and_visible, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import ENTER
from tdapp.gui.widgets.page import Panel
from tdapp.i18n import judge_screen
from tdapp.scrabble.wordlist import WordVerdict
from tdapp.services import word_lists

VERDICT_MS = 10_000  # milliseconds: display of a verdict, and warning before the clear
IDLE_MS = 50_000  # milliseconds without a key before the warning
MAX_NAME_LENGTH = 60
JUDGE = "judge/name"  # settings key
_MAX_DIGITS: Mapping[JudgeScreenStep, int] = {JudgeScreenStep.TABLE: 6, JudgeScreenStep.PEGS: 4}
_MODIFIERS = frozenset(
    {Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta, Qt.Key.Key_CapsLock}
)
_ABANDONABLE_STEPS = frozenset(
    {JudgeScreenStep.CHALLENGER, JudgeScreenStep.WORDS, JudgeScreenStep.CONFIRM, JudgeScreenStep.KIND}
)
_VERDICT_KEYS = {Qt.Key.Key_Up: WordVerdict.VALID, Qt.Key.Key_Down: WordVerdict.INVALID}


class JudgeScreen(QWidget):
    """The window of the judge screen."""

    closed = Signal()

    def __init__(self, session: Session, *, verdict_ms: int = VERDICT_MS, idle_ms: int = IDLE_MS) -> None:
        """Show each verdict for `verdict_ms` ms. Warn after `idle_ms` ms without a key."""
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.session = session
        self.step = JudgeScreenStep.NAME
        self.view = JudgeView(session.appearance, verdict_ms=verdict_ms)
        self._challenge = ChallengeInProgress()
        self._word_verdicts: tuple[WordVerdict, ...] = ()
        self._verdict = WordVerdict.NOT_BINDING
        self._warning = ""
        self._is_giving_up = False
        self._is_peg_score_complete = False  # Enter was pressed: the next digit starts a new score
        self._has_asked_table = False  # has shown the request to type a table number
        self._verdict_timer = QElapsedTimer()
        self._idle_timer = QTimer(self, singleShot=True, interval=idle_ms)
        self._idle_timer.timeout.connect(self._warn_before_clearing_idle_screen)
        self._is_about_to_clear = False  # the warning before the clear is shown
        column = fields.make_column(self.view, parent=self)
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.view.name.setAccessibleName(session.catalogue.text("Judge"))
        self.view.name.setMaxLength(MAX_NAME_LENGTH)
        self.view.name.setText(get_jury_member_today(session) or str(session.settings.value(JUDGE, "")))
        self.view.name.selectAll()
        self.view.countdown_ended.connect(self.clear_challenge)
        session.opened.connect(self.close)
        session.changed.connect(self._update_view)
        session.is_judge_screen_open = True
        self._update_view()

    @property
    def judge_name(self) -> str:
        return self.view.name.text().strip()

    @property
    def division(self) -> Division | None:
        seat = self._challenge.challenger_or_first_seat
        return self.session.tournament.divisions.get(seat.division) if seat else self.session.division

    @property
    def rules(self) -> RuleSet:
        return self.session.tournament.get_ruleset_of_row(self.division)

    def show_full_screen(self, screen: QScreen) -> None:
        self.setScreen(screen)
        self.setGeometry(screen.geometry())
        self.showFullScreen()
        self.activateWindow()
        (self.view.name if self.step is JudgeScreenStep.NAME else self).setFocus()

    def clear_challenge(self) -> None:
        self.view.stop_countdown_to_clearing()
        self._challenge, self._word_verdicts, self._warning = ChallengeInProgress(), (), ""
        self._is_giving_up = self._is_about_to_clear = self._has_asked_table = self._is_peg_score_complete = False
        self._go_to_step(JudgeScreenStep.TABLE if self._should_start_at_table_step() else JudgeScreenStep.PEGS)

    # --- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.isAutoRepeat() and key is not Qt.Key.Key_Backspace:
            return
        self._restart_idle_timer()
        if key in _MODIFIERS:
            return
        modifiers = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        is_control = modifiers == Qt.KeyboardModifier.ControlModifier  # Ctrl+Alt is AltGr on Windows
        if is_control and key is Qt.Key.Key_Q:
            self.close()
            return
        if is_control and key is Qt.Key.Key_M:
            self._move_to_next_display()
        elif self.step is JudgeScreenStep.VERDICT:
            if key not in ENTER or self._verdict_timer.hasExpired(QApplication.doubleClickInterval()):
                self.clear_challenge()  # ignore an Enter that confirmed the words twice
        elif is_control:
            if self.step is JudgeScreenStep.DECIDE and key in _VERDICT_KEYS:
                self._save_verdict(_VERDICT_KEYS[key])  # the judge decides, because the word list cannot
        else:
            self._type_text_or_change_step(key, event.text())
        self._update_view()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._restart_idle_timer()
        self._warning, self._is_giving_up = "", False
        self._type_text(event.commitString())
        self._update_view()
        event.accept()

    def focusNextPrevChild(self, _next: bool) -> bool:
        return False

    def _type_text_or_change_step(self, key: Qt.Key, text: str) -> None:
        was_giving_up, self._is_giving_up = self._is_giving_up, False
        if self.step is not JudgeScreenStep.ERROR:
            self._warning = ""
        if key in ENTER:
            self._confirm_current_step()
        elif key is Qt.Key.Key_Escape:
            self._go_to_previous_step(confirmed=was_giving_up)
        elif key is Qt.Key.Key_Backspace:
            self._delete_last_character()
        else:
            self._type_text(text)

    def _confirm_current_step(self) -> None:
        match self.step:
            case JudgeScreenStep.NAME:
                self.session.settings.setValue(JUDGE, self.judge_name)
                self.clear_challenge()
                self.setFocus()
            case JudgeScreenStep.TABLE:
                self._accept_typed_table()
            case JudgeScreenStep.PEGS:
                self._is_peg_score_complete = True
            case JudgeScreenStep.CHALLENGER if (
                self._challenge.has_seats_of_one_game_only and self._must_ask_challenge_kind()
            ):
                self._go_to_step(JudgeScreenStep.WORDS)
            case JudgeScreenStep.CHALLENGER:
                text = self.session.catalogue.text
                several_games_warning = text(
                    "Several divisions have a table with this number: choose who is challenging."
                )
                challenge_needed_warning = text(
                    "Under these rules the jury checks a play only after a challenge. Choose who is challenging."
                )
                self._warning = (
                    challenge_needed_warning
                    if self._challenge.has_seats_of_one_game_only
                    else several_games_warning
                )
            case JudgeScreenStep.WORDS if (
                self._challenge.typed_words.words and not self._challenge.typed_words.current
            ):
                self._go_to_step(JudgeScreenStep.CONFIRM)
            case JudgeScreenStep.WORDS:
                self._finish_word_and_start_next()
            case JudgeScreenStep.CONFIRM if self._must_ask_challenge_kind():
                self._go_to_step(JudgeScreenStep.KIND)
            case JudgeScreenStep.CONFIRM | JudgeScreenStep.ERROR:
                self._judge_typed_words()

    def _must_ask_challenge_kind(self) -> bool:
        return self.rules.contested.known and self.rules.phony.ruled

    def _go_to_previous_step(self, *, confirmed: bool) -> None:
        match self.step:
            case JudgeScreenStep.CHALLENGER:
                self._challenge = ChallengeInProgress(table=self._challenge.table)
                self._go_to_step(JudgeScreenStep.TABLE)
            case JudgeScreenStep.WORDS if self._challenge.typed_words.words and not confirmed:
                self._is_giving_up = True
                self._warning = self.session.catalogue.text("Cancel the challenge? Press Esc again.")
            case JudgeScreenStep.TABLE | JudgeScreenStep.PEGS | JudgeScreenStep.WORDS:
                self.clear_challenge()
            case JudgeScreenStep.CONFIRM | JudgeScreenStep.KIND | JudgeScreenStep.DECIDE | JudgeScreenStep.ERROR:
                self._warning = ""
                self._go_to_step(JudgeScreenStep.WORDS)

    def _delete_last_character(self) -> None:
        if self.step in _MAX_DIGITS:
            self._is_peg_score_complete = False
            self._challenge = replace(self._challenge, table=self._challenge.table[:-1])
        elif self.step is JudgeScreenStep.WORDS:
            self._challenge = replace(
                self._challenge, typed_words=self._challenge.typed_words.remove_last_letter()
            )

    def _type_text(self, text: str) -> None:
        challenge = self._challenge
        match self.step:
            case JudgeScreenStep.TABLE if text == "=" and self.rules.form.peg_row:
                self._challenge = ChallengeInProgress()
                self._go_to_step(JudgeScreenStep.PEGS)
            case JudgeScreenStep.TABLE | JudgeScreenStep.PEGS if text.isdecimal():
                challenge = ChallengeInProgress() if self._is_peg_score_complete else challenge
                self._is_peg_score_complete = False
                self._challenge = replace(challenge, table=(challenge.table + text)[: _MAX_DIGITS[self.step]])
            case JudgeScreenStep.TABLE if text.isalpha():
                self._challenge = ChallengeInProgress()
                self._go_to_step(JudgeScreenStep.WORDS)
                self._add_letters_to_word(text)
            case JudgeScreenStep.CHALLENGER if text.isdecimal() and 1 <= int(text) <= len(challenge.seats):
                self._challenge = replace(challenge, challenger=challenge.seats[int(text) - 1])
                self._go_to_step(JudgeScreenStep.WORDS)
            case JudgeScreenStep.KIND if text == "1" and self._challenge.seats and not self._challenge.challenger:
                self._go_to_step(JudgeScreenStep.CHALLENGER)
                self._warning = self.session.catalogue.text("Choose who is protesting.")
            case JudgeScreenStep.KIND if text in {"1", "2"}:
                self._challenge = replace(
                    challenge, occasion=WordCheckReason.PROTEST if text == "1" else WordCheckReason.JURY
                )
                self._judge_typed_words()
            case JudgeScreenStep.WORDS if text.isspace():
                self._finish_word_and_start_next()
            case JudgeScreenStep.WORDS:
                self._add_letters_to_word(text)

    # --- typing

    def _accept_typed_table(self) -> None:
        if not self._challenge.table:
            if self._has_published_round() and not self._has_asked_table:
                self._ask_to_type_table_number()
            else:
                self._go_to_step(JudgeScreenStep.WORDS)
            return
        index, number, text = self.session.index, int(self._challenge.table), self.session.catalogue.text
        seats = list_current_seats_at_table(index, number)
        self._challenge = replace(self._challenge, seats=seats)
        self._challenge = replace(self._challenge, may_be_jury=self._must_ask_challenge_kind())
        if seats:
            self._go_to_step(JudgeScreenStep.CHALLENGER)
        elif self._has_published_round():
            self._warning = text("No one is playing at table {table} in this round.", table=number)
        else:
            self._go_to_step(JudgeScreenStep.WORDS)

    def _has_published_round(self) -> bool:
        index = self.session.index
        return any(index.list_published_rounds(division.id) for division in index.divisions)

    def _ask_to_type_table_number(self) -> None:
        self._has_asked_table, text = True, self.session.catalogue.text
        self._warning = text(
            "Type the number of your table. If you press Enter without one, the verdict changes no result."
        )

    def _should_start_at_table_step(self) -> bool:
        return self.session.open_word_list(self.division) is not None or not self.rules.form.peg_row

    def _add_letters_to_word(self, text: str) -> None:
        lexicon = self.session.open_word_list(self.division)
        language = lexicon.edition.language if lexicon is not None else self.rules.language
        typed_words = self._challenge.typed_words.add_letters(text, language)
        if typed_words == self._challenge.typed_words and text.strip():
            self._warning = self.session.catalogue.text(
                "Type letters only: at most 15 in a word, and at most 8 words."
            )
        self._challenge = replace(self._challenge, typed_words=typed_words)

    def _finish_word_and_start_next(self) -> None:
        if self._challenge.typed_words.is_current_word_too_short:
            self._warning = self.session.catalogue.text("A word has at least two letters.")
        else:
            self._challenge = replace(
                self._challenge, typed_words=self._challenge.typed_words.finish_current_word()
            )

    # --- verdict

    def _judge_typed_words(self) -> None:
        lexicon, rules = self.session.open_word_list(self.division), self.rules
        words = self._challenge.typed_words.words
        if lexicon is None:
            self._show_error(CommandError("word-list-missing"))
            return
        try:
            verdict = judge_words(words, lexicon, rules.words)
            word_verdicts = tuple(judge_word(word, lexicon, rules.words) for word in words)
        except StorageError as error:
            self._show_error(error)
            return
        is_binding = verdict is not WordVerdict.NOT_BINDING
        self._word_verdicts = (
            word_verdicts if is_binding and rules.judges.reveals is RulingDetailForPlayers.WORDS else ()
        )
        if is_binding:
            self._save_verdict(verdict)
        else:
            self._go_to_step(JudgeScreenStep.DECIDE)

    def _save_verdict(self, verdict: WordVerdict) -> None:
        session, challenge = self.session, self._challenge
        division = self.division
        lexicon = session.open_word_list(division)
        if lexicon is None or division is None:
            self._show_error(CommandError("word-list-missing"))
            return
        published_rounds = session.index.list_published_rounds(division.id)
        self._verdict = verdict
        self._go_to_step(JudgeScreenStep.WRITING)
        command = partial(
            commands.record_challenge, key=session.make_row_id(), division=division.id, at=get_utc_timestamp(),
            judge=self.judge_name, words=challenge.typed_words.words, verdict=verdict, edition=lexicon.metadata.id,
            round_number=published_rounds[-1].number if published_rounds else None,
            table=int(challenge.table) if challenge.table else None,
            challenger=challenge.challenger.player.id if challenge.challenger else None,
            occasion=challenge.occasion,
        )  # fmt: skip
        session.do(
            command,
            on_success=make_callback_unless_deleted(self, self._show_saved_verdict),
            on_refusal=make_callback_unless_deleted(self, self._show_error),
            quiet=True,
        )

    def _show_saved_verdict(self) -> None:
        if self.step is JudgeScreenStep.WRITING:
            self._verdict_timer.start()
            self._go_to_step(JudgeScreenStep.VERDICT)
            self.view.start_countdown_to_clearing()

    def _show_error(self, error: UserError) -> bool:
        if self.step is not JudgeScreenStep.CLOSED:
            self._warning = self.session.catalogue.describe_error(error)
            self._go_to_step(JudgeScreenStep.ERROR)
        return True

    # --- reset

    def _restart_idle_timer(self) -> None:
        self._idle_timer.start()
        if self._is_about_to_clear:
            self._is_about_to_clear, self._warning = False, ""
            self.view.stop_countdown_to_clearing()
            self._update_view()

    def _warn_before_clearing_idle_screen(self) -> None:
        is_number_step = self.step in _MAX_DIGITS
        if self._challenge.table if is_number_step else self.step in _ABANDONABLE_STEPS:
            self._is_about_to_clear, text = True, self.session.catalogue.text
            self._warning = text(
                "No key has been pressed for a while, so the typed words will be cleared. Press any key to "
                "keep them."
            )
            self._update_view()
            self.view.start_countdown_to_clearing()

    # --- display

    def _go_to_step(self, step: JudgeScreenStep) -> None:
        self.step = step
        self._update_view()

    def _update_view(self, _diff: object = None) -> None:
        session, catalogue = self.session, self.session.catalogue
        if self.step is JudgeScreenStep.CLOSED or not session.is_open:
            return
        if self.step is JudgeScreenStep.VERDICT:
            view_state = judge_screen.make_verdict_view(
                catalogue, self.rules, self._challenge, self._verdict, self._word_verdicts
            )
        else:
            view_state = judge_screen.make_judge_view_before_verdict(
                catalogue,
                self.step,
                self._challenge,
                warning=self._warning,
                points_per_hole=self.rules.form.peg_row,
            )
        self.view.show_view_state(view_state)
        self._update_corner_labels()

    def _update_corner_labels(self) -> None:
        session, text, labels = self.session, self.session.catalogue.text, self.view.corner_labels
        lexicon, displays = session.open_word_list(self.division), QGuiApplication.screens()
        parts = [session.tournament.event.name]
        if lexicon is not None:
            parts.append(text("Word list: {name}", name=lexicon.edition.name))
        labels["where"].setText(" · ".join(parts))
        has_name = self.judge_name and self.step is not JudgeScreenStep.NAME
        labels["who"].setText(text("Judge: {name}", name=self.judge_name) if has_name else "")
        hints = [text("Ctrl+M: move to the other display")] if len(displays) > 1 else []
        labels["leave"].setText(" · ".join([*hints, text("Judge: press Ctrl+Q to leave")]))

    def _move_to_next_display(self) -> None:
        screens = QGuiApplication.screens()
        self.showNormal()
        self.show_full_screen(screens[(screens.index(self.screen()) + 1) % len(screens)])

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if self.step is not JudgeScreenStep.CLOSED:
            self.view.stop_countdown_to_clearing()
            self._idle_timer.stop()
            self._challenge, self.step = ChallengeInProgress(), JudgeScreenStep.CLOSED
            self.session.is_judge_screen_open = False
            self.closed.emit()


class JudgeScreenController(QObject):
    """Opens the judge screen, and keeps it open when a new language rebuilds the window."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        self.screen: JudgeScreen | None = None
        self._previous_focus: QWidget | None = None  # widget that had the focus in the main window
        window.installEventFilter(self)

    @classmethod
    def find_or_make_controller(cls, session: Session, window: QWidget) -> JudgeScreenController:
        return window.findChild(cls) or cls(session, window)

    def open_judge_screen(self, *, verdict_ms: int = VERDICT_MS, idle_ms: int = IDLE_MS) -> JudgeScreen:
        if self.screen is not None:
            self.screen.activateWindow()
            return self.screen
        self._previous_focus = self._window.focusWidget()
        self.screen = JudgeScreen(self._session, verdict_ms=verdict_ms, idle_ms=idle_ms)
        self.screen.closed.connect(self._delete_judge_screen_and_restore_focus)
        window_screen = self._window.screen()
        other_screens = [screen for screen in QGuiApplication.screens() if screen != window_screen]
        self.screen.show_full_screen(other_screens[0] if other_screens else window_screen)
        return self.screen

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() is QEvent.Type.Close and self.screen is not None:
            self.screen.close()
        return super().eventFilter(watched, event)

    def _delete_judge_screen_and_restore_focus(self) -> None:
        if self.screen is not None:
            self.screen.deleteLater()
            self.screen = None
        if self._previous_focus is not None and is_alive_and_visible(self._previous_focus):
            self._previous_focus.setFocus()


def has_any_word_list(session: Session) -> bool:
    return any(session.open_word_list(division) is not None for division in (None, *session.index.divisions))


class MissingWordListPanel(Panel):
    """Explains that the judge screen cannot open without a word list."""

    word_lists_requested = Signal()
    pegs_requested = Signal()  # show how the pegs of a rack mark a score, without a word list

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Judge screen"))
        self._explanation = fields.make_label(wrap=True)
        use = self.text(
            "Players type the challenged words on the judge screen. The screen gives one verdict on the play."
        )
        self._choose_button = fields.make_button(
            self.text("Choose a word list"), self.word_lists_requested.emit, role="primary"
        )
        self._pegs_button = fields.make_button(
            self.text("Show the rack’s peg holes for a score"), self.pegs_requested.emit
        )
        self._pegs_button.setVisible(bool(session.rules.form.peg_row))
        fields.add_parts_to_layout(
            self.body,
            self._explanation,
            fields.make_note_label(use),
            -1,
            self._choose_button,
            self._pegs_button,
            1,
        )
        self.setFocusProxy(self._choose_button)

    def refresh_panel(self) -> None:
        if has_any_word_list(self.session):
            self.closed.emit()
            return
        self._explanation.setText(
            word_lists.describe_missing_word_list(self.session.catalogue, self.session.word_list_edition_id)
        )
