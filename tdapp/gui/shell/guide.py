"""The welcome page and the guided tour of the sample tournament."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from tdapp.domain import commands
from tdapp.domain.errors import StorageError
from tdapp.domain.model import Game, RoundState
from tdapp.domain.tournament import Diff
from tdapp.domain.translatable import C_
from tdapp.gui.shell.file_actions import FileActions
from tdapp.gui.shell.session import Session, is_alive_and_visible
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.theme import UNIT, scale_line_height, scale_pixels
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.guidance import TourProgress, list_tour_steps
from tdapp.services.demo import is_sample_tournament, open_sample_tournament
from tdapp.services.preferences import format_tournament_and_file_name, read_tournament_progress
from tdapp.storage import Address

_LARGE_TEXT = 150  # per cent: from here on the cards need two lines


def describe_folder_or_server(catalogue: Catalogue, location: Path | Address) -> str:
    if isinstance(location, Path):
        return str(location.parent)
    return catalogue.text("Shared from this computer.") if "?host=" in str(location) else str(location)


class WelcomePage(QWidget):
    """The page shown if no tournament is open."""

    def __init__(self, session: Session, files: FileActions, join: Callable[[], object]) -> None:
        super().__init__()
        self._session = session
        self._files = files
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        text = session.catalogue.text
        self._recent_column = fields.make_column(gap=UNIT // 2)
        self._continue_column = fields.make_column()
        new_note = text("Set the name, rules and divisions in three steps.")
        self._new_card = WelcomeCard(
            session,
            "new",
            text("New tournament"),
            new_note,
            text(C_("button: create a tournament", "Begin")),
            files.create_tournament,
        )
        self._recent_title = fields.make_label(text("Opened recently"), "lead")
        title = fields.make_label(text("Welcome to tdapp"), "title")
        lead = fields.make_label(
            text("Run a Scrabble tournament from the first entry to the final standings."), "body"
        )
        recent = (self._recent_title, self._recent_column)
        middle = fields.wrap_in_widget(
            fields.make_column(
                2, title, lead, -3, self._continue_column, -2, self._make_welcome_cards(join), -3, *recent, 3
            )
        )
        middle.setMaximumWidth(scale_pixels(UNIT * 120))
        fields.make_row(1, middle, 1, parent=self).setStretch(1, 6)
        self._focus_before_opening: QWidget | None = None  # the focused widget before a tournament was opened
        session.opening.connect(self._disable_page_while_opening)
        self.show_recent_tournaments()

    def _disable_page_while_opening(self, is_opening: bool) -> None:
        if is_opening:
            self._focus_before_opening = self.focusWidget()
        self.setDisabled(is_opening)
        if (
            not is_opening
            and self._focus_before_opening is not None
            and is_alive_and_visible(self._focus_before_opening)
        ):
            self._focus_before_opening.setFocus()

    def show_recent_tournaments(self) -> None:
        fields.clear_layout(self._recent_column)
        recent = self._session.recent.list_existing_locations()[:5]
        self._recent_title.setVisible(bool(recent))
        self._offer_interrupted_tournament()
        for path in recent:
            button = fields.make_button(path.stem, partial(self._files.open_path, path), role="link")
            button.setToolTip(str(path))
            line = fields.make_row(
                button, fields.make_label(describe_folder_or_server(self._session.catalogue, path), "muted"), 1
            )
            self._recent_column.addWidget(fields.wrap_in_widget(line))

    def _offer_interrupted_tournament(self) -> None:
        fields.clear_layout(self._continue_column)
        self._new_card.set_highlighted(self._session.interrupted is None)
        path, text = self._session.interrupted, self._session.catalogue.text
        if path is None:
            return
        progress_text = path.stem
        with suppress(StorageError):
            progress = read_tournament_progress(path, self._session.catalogue)
            progress_text = name = format_tournament_and_file_name(progress.name, path)
            if progress.round:
                progress_text = text(
                    "{name}, {round}, {done} of {all} results",
                    name=name,
                    round=progress.round,
                    done=progress.finished_games,
                    all=progress.games,
                )
        safety_note = text(
            "This tournament was open when the program closed. Every change shown as saved is in the file."
        )
        card = WelcomeCard(
            self._session,
            "open",
            text("Continue: {what}", what=progress_text),
            safety_note,
            text("Continue"),
            partial(self._files.open_path, path),
        )
        card.set_highlighted()
        self._continue_column.addWidget(card)
        QTimer.singleShot(0, card.button, card.button.setFocus)  # after the card is visible

    def _make_welcome_cards(self, join: Callable[[], object]) -> QWidget:
        session, text, demo = (
            self._session,
            self._session.catalogue.text,
            partial(open_sample_tournament, self._session),
        )
        open_note = text("Continue where you left off.")
        join_note = text("Take part in a tournament shared from another computer.")
        club_note = text("For a club that meets every week: who is here, pairings, results.")
        demo_note = text("A sample tournament with a guided tour, not saved to a file.")
        cards = (
            self._new_card,
            WelcomeCard(
                session,
                "evening",
                text("A club evening"),
                club_note,
                text("Set up a club"),
                self._files.open_new_club_dialog,
            ),
            WelcomeCard(
                session,
                "open",
                text(C_("start page: a tournament file", "Open")),
                open_note,
                text("Choose a file…"),
                self._files.open_tournament,
            ),
            WelcomeCard(
                session,
                "join",
                text(C_("start page: a shared tournament", "Join")),
                join_note,
                text("Join…"),
                join,
            ),
            WelcomeCard(
                session,
                "demo",
                text(C_("start page: a sample tournament", "Look around")),
                demo_note,
                text("Open the sample"),
                demo,
            ),
        )
        lines = fields.make_column(gap=UNIT * 2)
        for part in (cards,) if session.appearance.size < _LARGE_TEXT else (cards[:3], cards[3:]):
            line = fields.make_row(gap=UNIT * 2)
            for card in part:
                line.addWidget(card, 1)
            lines.addLayout(line)
        return fields.wrap_in_widget(lines)


class WelcomeCard(QFrame):
    """A card of the welcome page: icon, title, description and button."""

    def __init__(
        self, session: Session, icon: str, title: str, description: str, button: str, run: Callable[[], object]
    ) -> None:
        super().__init__()
        self._appearance, self._icon = session.appearance, icon
        self.setObjectName("card")
        self._picture = QLabel()
        self.button: QPushButton = fields.make_button(button, run)
        self.button.setMinimumHeight(scale_line_height(UNIT * 5))
        self.button.setAccessibleName(f"{title}: {button}")
        self.button.setAccessibleDescription(description)
        note = fields.make_note_label(description)
        note.setMinimumHeight(scale_line_height(UNIT * 5))
        note.setAlignment(Qt.AlignmentFlag.AlignTop)
        parts = (self._picture, fields.make_label(title, "lead"), note, -1, 1, self.button)
        fields.make_column(*parts, margins=(UNIT * 2,) * 4, parent=self)
        session.appearance.changed.connect(self._tint_icon)
        self._tint_icon()

    def set_highlighted(self, is_highlighted: bool = True) -> None:
        self.button.setProperty("role", "primary" if is_highlighted else "")
        fields.reapply_style_sheet(self.button)

    def _tint_icon(self) -> None:
        self._picture.setPixmap(self._appearance.draw_icon(self._icon, "accent", 20, self))


# Scores that the tour enters, chosen by table number.
SAMPLE_RESULTS = ((391, 356), (402, 377), (365, 410), (438, 349), (384, 371), (342, 398), (415, 380))


class TourBar(QFrame):
    """The current step of the tour."""

    page_requested = Signal(str)  # page id

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setObjectName("guide")
        self.steps = list_tour_steps(session.catalogue)
        self.step_index = 0
        self._first_journal_step = 0  # number of history steps at the start of this tour step
        self._has_correction = False
        self._used_actions: set[str] = set()
        self._page = self._panel = ""
        self._build_bar()
        session.changed.connect(self.check_progress_after_change)
        self.hide()

    def start_tour_at(self, step_index: int = 0) -> None:
        self._start_step(step_index)
        self.setVisible(is_sample_tournament(self._session))

    def check_progress_after_change(self, diff: Diff) -> None:
        self._has_correction |= any(change.kind == "results" and change.before and change.after for change in diff)
        self._go_to_next_step_if_done()

    def check_progress_after_action(self, action: str) -> None:
        self._used_actions.add(action)
        self._go_to_next_step_if_done()

    def check_progress_after_navigation(self, page: str, panel: str) -> None:
        self._page, self._panel = page, panel
        self._go_to_next_step_if_done()

    def _build_bar(self) -> None:
        text = self._session.catalogue.text
        self._step_icon = QLabel()
        self._count = fields.make_label("", "muted")
        self._title = fields.make_label("", "lead")
        self._text = fields.make_label(wrap=True)
        self._fill_button = fields.make_button(text("Enter the results for me"), self._enter_results_for_user)
        self._show_button = fields.make_button(text("Show me where"), self._go_to_page_of_step)
        self._skip_button = fields.make_button(
            text(C_("step of the guided tour", "Skip")), self._go_to_next_step, role="link"
        )
        self._leave_button = fields.make_button(text("Leave the tour"), self.hide, role="link")
        buttons = (self._fill_button, self._show_button, self._skip_button, self._leave_button)
        for button in buttons:
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        texts = fields.make_column(
            fields.make_row(self._step_icon, self._title, self._count, 1), self._text, gap=0
        )
        margins = (UNIT * 3, UNIT, UNIT * 2, UNIT)
        fields.make_row(texts, *buttons, margins=margins, parent=self).setStretch(0, 1)
        self._session.appearance.changed.connect(self._show_step)

    def _start_step(self, step_index: int) -> None:
        self.step_index = step_index
        self._first_journal_step = len(self._session.desk.list_all_steps()) if self._session.is_open else 0
        self._has_correction = False
        self._used_actions.clear()
        self._show_step()

    def _go_to_next_step_if_done(self) -> None:
        if self.isHidden() or self.step_index >= len(self.steps) or not self._session.is_open:
            return
        if self.steps[self.step_index].is_done(self._get_progress()):
            self._go_to_next_step()

    def _go_to_next_step(self) -> None:
        next_index = self.step_index + 1
        while next_index < len(self.steps) and self.steps[next_index].needs_draft and not self._has_draft_round():
            next_index += 1
        self._start_step(next_index)

    def _has_draft_round(self) -> bool:
        division = self._session.division
        items = self._session.index.rounds(division.id) if division else ()
        return any(item.state is RoundState.DRAFT for item in items)

    def _list_open_games_of_newest_round(self) -> Sequence[Game]:
        index, division = self._session.index, self._session.division
        published_rounds = index.list_published_rounds(division.id) if division else ()
        return index.list_open_games(published_rounds[-1].id) if published_rounds else ()

    def _get_progress(self) -> TourProgress:
        new_steps = self._session.desk.list_all_steps()[self._first_journal_step :]
        labels = frozenset(step.label for step in new_steps if step.undoes is None)
        has_undone, used_actions = (
            any(step.undoes is not None for step in new_steps),
            frozenset(self._used_actions),
        )
        missing = len(self._list_open_games_of_newest_round())
        return TourProgress(
            labels, self._has_correction, has_undone, missing, self._page, self._panel, used_actions
        )

    def _show_step(self) -> None:
        text, number = self._session.catalogue.text, len(self.steps)
        is_finished = self.step_index >= number
        step = None if is_finished else self.steps[self.step_index]
        title = step.title if step else text("The tour is finished")
        instructions = step.text if step else text("Explore further, or start your own tournament with Ctrl+N.")
        self._count.setText("" if is_finished else text("Step {at} of {n}", at=self.step_index + 1, n=number))
        self._title.setText(title)
        self._text.setText(instructions)
        self.setAccessibleName(f"{title}. {instructions}")
        icon = ("check", "green") if is_finished else ("demo", "accent")
        self._step_icon.setPixmap(self._session.appearance.draw_icon(*icon, 16, self))
        self._fill_button.setVisible(bool(step and step.can_be_automated))
        self._show_button.setVisible(bool(step and step.page))
        self._skip_button.setVisible(not is_finished)

    def _go_to_page_of_step(self) -> None:
        if self.step_index < len(self.steps):
            self.page_requested.emit(self.steps[self.step_index].page)

    def _enter_results_for_user(self) -> None:
        for game in self._list_open_games_of_newest_round():
            first, second = SAMPLE_RESULTS[game.table % len(SAMPLE_RESULTS)]
            self._session.do(partial(commands.enter_result, game=game.id, first=first, second=second), quiet=True)
