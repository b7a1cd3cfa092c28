"""Actions that do not belong to a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QApplication

from tdapp.domain.model import DivisionId, RoundId
from tdapp.domain.problems import Problem
from tdapp.domain.translatable import C_
from tdapp.gui.players.leaving_dialogs import PlayerActions, WithdrawalAndMergeActions
from tdapp.gui.rounds.table_actions import IncidentPanelActions
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.file_actions import FileActions, ImportExportActions
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.problems_panel import ProblemsPanel
from tdapp.gui.shell.qt_texts import translate_qt_texts
from tdapp.gui.shell.round_clock import list_clock_actions
from tdapp.gui.shell.session import BLOCKING_KEYS
from tdapp.gui.tournament.stations import SharingActions
from tdapp.gui.widgets import theme
from tdapp.gui.widgets.fields import SearchField
from tdapp.gui.widgets.impact_bar import cancel_open_confirmation
from tdapp.gui.widgets.page import ActionGroup, HostWindow
from tdapp.i18n.catalogue import LANGUAGE_NAMES, Catalogue
from tdapp.services.demo import is_sample_tournament, open_sample_tournament

if TYPE_CHECKING:
    from tdapp.gui.shell.palette import CommandPalette

# These shortcuts stay the same when pages are added in between.
_PAGES_BY_KEY = (
    "tournament", "players", "rounds", "jury", "standings", "bracket", "papers", "screens", "history", "check-in",
)  # fmt: skip
PAGE_KEYS: Mapping[str, str] = {page_id: f"Ctrl+{n}" for n, page_id in enumerate(_PAGES_BY_KEY)}
PAGE_KEYS = {**PAGE_KEYS, "evening": PAGE_KEYS["check-in"]}  # only one of them is shown
T = TypeVar("T")
# Function keys as second shortcuts of pages.
SECOND_KEYS: Mapping[str, str] = {"screens": "Shift+F9"}


def map_menu_titles(catalogue: Catalogue) -> Mapping[str, str]:
    """Return the titles by menu id in menu order, menus before their submenus."""
    text = catalogue.text
    return {
        "tournament": text("&Tournament"),
        "edit": text("&Edit"),
        "players": text("&Players"),
        "round": text("&Rounds"),
        "jury": text("&Jury"),
        "standings": text("&Standings"),
        "view": text("&View"),
        "help": text("&Help"),
        "export": text(C_("menu", "Export")),
        "texts": text(C_("menu: export", "As text or CSV")),
        "reports": text("For rating officers and chess programs"),
        "sharing": text(C_("menu", "Sharing")),
        "setup": text("Divisions and rules"),
        "player": text(C_("menu", "Selected player")),
        "arrivals": text("Check-in"),
        "fees": text("Entry fees"),
        "mishaps": text("Seats and starts"),
        "sheet": text("Current score sheet"),
        "statistics": text("Statistics"),
        "bracket": text("Bracket"),
        "history": text("History"),
        "recent": text("Opened recently"),
        "pages": text("Pages"),
        "table": text(C_("menu", "Selected table")),
        "papers": text("Printouts"),
        "turns": text("Turns"),
        "clock": text("Round clock"),
        "screens": text("Screens"),
        "looks": text("Appearance"),
        "sizes": text("Text size"),
        "language": text("Language"),
    }


class ProgramActions:
    """All actions that belong to no page."""

    def __init__(self, host: HostWindow, *, rebuild: Callable[[], None], begin_tour: Callable[[], None]) -> None:
        self.files, self.joining, self.search = FileActions(host), SharingActions(host), SearchActions(host)
        leaving = self.search.leaving
        self._groups = (
            self.files,
            self.joining,
            ImportExportActions(host),
            IncidentPanelActions(host),
            leaving,
            UndoActions(host),
            JudgingActions(host),
            NavigationActions(host),
            self.search,
            AppearanceActions(host, rebuild),
            HelpActions(host, begin_tour),
        )
        self._session = host.session

    def list_program_actions(self) -> tuple[Action, ...]:
        return (
            *(row for group in self._groups for row in group.list_actions()),
            *list_clock_actions(self._session),
        )


class UndoActions(ActionGroup):
    """Undo and redo."""

    def list_actions(self) -> tuple[Action, ...]:
        text, session, redo_keys = self._session.catalogue.text, self._session, ("Ctrl+Shift+Z", "Ctrl+Y")
        run = self._cancel_question_or_undo_or_redo
        undo, redo = partial(run, session.undo), partial(run, session.redo)
        return (
            Action("undo", text("Undo"), undo, "undo", "Ctrl+Z", "edit", title=self._make_undo_text,
                   enabled=lambda: self._can_undo_or_redo() and session.desk.undoable_step is not None),
            Action("redo", text("Redo"), redo, "redo", redo_keys, "edit", title=self._make_redo_text,
                   enabled=lambda: self._can_undo_or_redo() and session.desk.redoable_step is not None),
            Action("blocking", text("Show the change that prevents undo"), self._show_undo_blocking_step,
                   "history", BLOCKING_KEYS, "edit",
                   lambda: session.is_open and session.blocking_step is not None),
        )  # fmt: skip

    def _cancel_question_or_undo_or_redo(self, undo_or_redo: Callable[[], None]) -> None:
        panel = self._host.panel
        if not (self._host.page.cancel_open_question() or (panel is not None and cancel_open_confirmation(panel))):
            undo_or_redo()

    def _show_undo_blocking_step(self) -> None:
        self._host.show_page("history", str(self._session.blocking_step))

    def _can_undo_or_redo(self) -> bool:
        session = self._session
        return session.is_open and session.can_run_commands("enter-result") and session.queue.error is None

    def _make_undo_text(self) -> str:
        step = self._session.desk.undoable_step if self._session.is_open else None
        return self.text("Undo: {step}", step=self._session.describe_step(step)) if step else self.text("Undo")

    def _make_redo_text(self) -> str:
        step = self._session.desk.redoable_step if self._session.is_open else None
        return self.text("Redo: {step}", step=self._session.describe_step(step)) if step else self.text("Redo")


class SearchActions(ActionGroup):
    """Finds players, actions, table rows and problems."""

    def __init__(self, host: HostWindow) -> None:
        super().__init__(host)
        self.leaving = WithdrawalAndMergeActions(host)
        self.leaving.choose_player = self._open_command_palette

    def list_actions(self) -> tuple[Action, ...]:
        text, is_open = self._session.catalogue.text, self._has_tournament
        problems, find_player = text("Open problems…"), partial(self._open_command_palette, text("Find a player"))
        has_player = self._has_current_player
        return (
            Action("find", text("Find player…"), find_player, "search", "F3", "find", is_open),
            Action(
                "search",
                text("Search on this page"),
                self.focus_search_or_open_palette,
                "search",
                "Ctrl+F",
                "find",
                is_open,
            ),
            Action(
                "card", text("Player’s card"), self.open_card_of_current_player, "card", "F4", "find", has_player
            ),
            Action("problems", problems, self.open_problems_panel, "warning", "Ctrl+Shift+P", "window", is_open),
            Action(
                "palette", text("Do or find anything…"), self._open_command_palette, "search", "Ctrl+K", "window"
            ),
        )

    def _open_command_palette(self, player_prompt: str = "", player_actions: PlayerActions | None = None) -> None:
        from tdapp.gui.shell.palette import CommandPalette

        menus, parent = map_menu_titles(self._session.catalogue), self._host.window()
        if player_actions is None:
            player_actions = {} if player_prompt else self.leaving.player_actions_by_title
        papers = None if player_prompt else partial(self._host.show_page, "papers")
        palette = CommandPalette(
            self._session,
            self._host.all_actions,
            menus=menus,
            player_prompt=player_prompt,
            player_actions=player_actions,
            show_report=papers,
            selected_player=self._host.page.get_current_player_id() if self._session.is_open else None,
            parent=parent,
        )
        palette.accepted.connect(partial(self._open_card_of_chosen_player, palette))
        palette.open()

    def _open_card_of_chosen_player(self, palette: CommandPalette) -> None:
        from tdapp.gui.players.card import PlayerCardPanel

        player = palette.chosen_player
        if player is not None:
            self._session.choose_division(self._session.tournament.players[player].division)
            self._host.show_page("players", player)
            self._host.open_panel(PlayerCardPanel(self._session, player))

    def focus_search_or_open_palette(self) -> None:
        parts = filter(None, (self._host.page, self._host.panel))
        search_fields = (
            search_field
            for part in parts
            for search_field in part.findChildren(SearchField)
            if search_field.isVisible()
        )
        field = next(search_fields, None)
        if field is None:
            self._open_command_palette(self._session.catalogue.text("Find a player"))
        else:
            field.setFocus()
            field.selectAll()

    def open_card_of_current_player(self) -> None:
        from tdapp.gui.players.card import PlayerCardPanel

        player, panel = self._host.page.get_current_player_id(), self._host.panel
        if isinstance(panel, PlayerCardPanel) and panel.player == player:
            panel.setFocus()
        elif player is not None:
            self._host.open_panel(PlayerCardPanel(self._session, player))

    def _has_current_player(self) -> bool:
        return self._session.is_open and self._host.page.get_current_player_id() is not None

    def open_problems_panel(self, *, focus: bool = True) -> None:
        panel = ProblemsPanel(self._session)
        panel.problem_chosen.connect(self._show_page_of_listed_problem)
        self._host.open_panel(panel)
        if focus:
            panel.setFocus()

    def show_page_of_problem(self, problem: Problem) -> None:
        division = self._session.tournament.divisions.get(DivisionId(problem.division))
        if division is not None and division != self._session.division:
            self._session.choose_division(division.id)
        item = self._session.tournament.rounds.get(RoundId(problem.key))
        if item is not None:
            self._session.choose_round(item.number)
        self._host.show_page(problem.page, problem.key)

    def _show_page_of_listed_problem(self, problem: Problem) -> None:
        self.show_page_of_problem(problem)
        if self._host.panel is None:
            self.open_problems_panel(focus=False)


class JudgingActions(ActionGroup):
    """Opens the tools of the jury for challenges."""

    def list_actions(self) -> tuple[Action, ...]:
        judge, challenges = self.text("Judge screen"), self.text("Challenges…")
        return (
            Action(
                "words",
                self.text("Look up words…"),
                self.open_word_help,
                "search",
                "Ctrl+J",
                "words",
                self._has_tournament,
            ),
            Action(
                "judge-screen",
                judge,
                self.open_judge_screen,
                "judge",
                "Shift+F10",
                "words",
                self._can_record_challenges,
            ),
            Action(
                "challenges", challenges, self.open_challenges_panel, "", "", "words", self._has_current_division
            ),
        )

    def open_word_help(self) -> None:
        """Open or focus the word help. During a challenge only show an error."""
        from tdapp.gui.jury.word_help import JUDGING, WordHelpPanel

        session, panel = self._session, self._host.panel
        if session.is_judge_screen_open:
            session.show_message(session.catalogue.text(JUDGING), tone="red")
        elif isinstance(panel, WordHelpPanel):
            panel.setFocus()
        else:
            word_panel = WordHelpPanel(session)
            word_panel.word_lists_requested.connect(self._open_word_lists)
            self._open_panel(word_panel)

    def _open_word_lists(self) -> None:
        from tdapp.gui.jury.word_lists_panel import WordListsPanel

        self._open_panel(WordListsPanel(self._session))

    def open_judge_screen(self) -> None:
        from tdapp.gui.jury.judge_screen import JudgeScreenController, MissingWordListPanel, has_any_word_list

        if not has_any_word_list(self._session):
            missing = MissingWordListPanel(self._session)
            missing.word_lists_requested.connect(self._open_word_lists)
            missing.pegs_requested.connect(
                lambda: JudgeScreenController.find_or_make_controller(
                    self._session, self._host.window()
                ).open_judge_screen()
            )
            self._open_panel(missing)
        else:
            JudgeScreenController.find_or_make_controller(self._session, self._host.window()).open_judge_screen()

    def open_challenges_panel(self) -> None:
        from tdapp.gui.jury.logs import ChallengesPanel

        self._open_panel(ChallengesPanel(self._session))

    def _can_record_challenges(self) -> bool:
        session = self._session
        return (
            self._has_current_division()
            and session.can_run_commands("record-challenge")
            and not session.tournament.event.finished
        )


class NavigationActions(ActionGroup):
    """Goes to a page or a round, and toggles full screen."""

    def list_actions(self) -> tuple[Action, ...]:
        text = self._session.catalogue.text
        return (
            *(self._make_page_action(page_id, keys) for page_id, keys in PAGE_KEYS.items()),
            Action("round-back", text("Previous round"), partial(self._go_to_round_at_offset, -1), "chevron-left",
                   "Alt+Left", "view", partial(self._has_round_at_offset, -1)),
            Action("round-forth", text("Next round"), partial(self._go_to_round_at_offset, 1), "chevron-right",
                   "Alt+Right", "view", partial(self._has_round_at_offset, 1)),
            Action("full-screen", text("Full screen"), self._toggle_full_screen, "", "F11", "window"),
        )  # fmt: skip

    def _make_page_action(self, page_id: str, keys: str) -> Action:
        shortcuts, show_page = (keys, SECOND_KEYS.get(page_id, "")), partial(self._host.show_page, page_id)
        name = PAGES[page_id].name(self._session.catalogue)
        return Action(f"page-{page_id}", name, show_page, page_id, shortcuts, "pages", vanishes=True,
            enabled=lambda: self._session.is_open and PAGES[page_id].is_shown(self._session))  # fmt: skip

    def _go_to_round_at_offset(self, offset: int) -> None:
        if self._has_round_at_offset(offset):
            self._session.choose_round((self._session.round_number or 0) + offset)

    def _has_round_at_offset(self, offset: int) -> bool:
        division, number = self._session.division, (self._session.round_number or 0) + offset
        rounds = self._session.index.rounds(division.id) if division else ()
        return any(item.number == number for item in rounds)

    def _toggle_full_screen(self) -> None:
        window = self._host.window()
        if window.isFullScreen():
            window.showNormal()
        else:
            window.showFullScreen()


class AppearanceActions(ActionGroup):
    """Changes theme, text size and language."""

    def __init__(self, host: HostWindow, rebuild: Callable[[], None]) -> None:
        super().__init__(host)
        self._rebuild = rebuild

    def list_actions(self) -> tuple[Action, ...]:
        session, text = self._session, self._session.catalogue.text
        system = text("Same as the system")
        schemes = {
            "system": system,
            "light": text(C_("colours of the window", "Light")),
            "dark": text(C_("colours of the window", "Dark")),
            "contrast": text("High contrast"),
        }
        sizes = {theme.TEXT_SIZE_OF_SYSTEM: system, **{size: f"{size} %" for size in theme.SIZES}}
        size = partial(theme.get_stored_text_size_or_zero, session.settings)
        return (
            Action(
                "sound", text("Sound when an entry is refused"), self._toggle_sound, menu="window",
                    is_current=lambda: session.is_sound_on
            ),
            *_make_option_actions("look", "looks", schemes, lambda: session.appearance.scheme,
                self._choose_colour_scheme),
            *_make_option_actions("text-size", "sizes", sizes, size, self._choose_text_size),
            Action(
                "text-larger", text("Larger text"), partial(self._change_text_size, 1), "", ("Ctrl++", "Ctrl+="),
                "sizes"
            ),
            Action("text-smaller", text("Smaller text"), partial(self._change_text_size, -1), "", "Ctrl+-",
                   "sizes"),
            *_make_option_actions("language", "language", LANGUAGE_NAMES, lambda: session.catalogue.language,
                self._choose_language),
        )  # fmt: skip

    def _toggle_sound(self) -> None:
        self._session.settings.setValue("sound", "off" if self._session.is_sound_on else "on")

    def _choose_colour_scheme(self, scheme: str, _name: str) -> None:
        self._session.settings.setValue("scheme", scheme)
        self._session.appearance.set_colour_scheme(scheme)

    def _change_text_size(self, step: int) -> None:
        size = theme.get_larger_or_smaller_text_size(self._session.appearance.size, step)
        self._choose_text_size(size, f"{size} %")

    def _warn_if_panel_has_unsaved_text(self) -> bool:
        """If the open panel has unsaved text, warn the user and return True.

        The caller would rebuild the window and lose this text.
        """
        if self._host.panel is None or self._host.panel.find_unsaved_field() is None:
            return False
        self._session.show_message(self.text("Save or close the panel on the right first."), tone="note")
        return True

    def _choose_text_size(self, size: int, name: str) -> None:
        if self._warn_if_panel_has_unsaved_text():
            return
        theme.store_text_size(self._session.settings, size)
        self._rebuild()
        self._session.show_message(self.text("Text size: {size}", size=name))

    def _choose_language(self, language: str, _name: str) -> None:
        if self._warn_if_panel_has_unsaved_text():
            return
        locale, application = self._session.resources.folder / "locale", QApplication.instance()
        self._session.settings.setValue("language", language)
        self._session.catalogue = Catalogue(language, locale)
        if application is not None:
            translate_qt_texts(application, language, locale)
        self._rebuild()


def _make_option_actions(
    kind: str, menu: str, titles: Mapping[T, str], get_current: Callable[[], T], choose: Callable[[T, str], None]
) -> list[Action]:
    def make_option_action(value: T, name: str) -> Action:
        run = partial(choose, value, name)
        return Action(f"{kind}-{value}", name, run, menu=menu, is_current=lambda: get_current() == value)

    return [make_option_action(value, name) for value, name in titles.items()]


class HelpActions(ActionGroup):
    """Opens the help and the tour."""

    def __init__(self, host: HostWindow, begin_tour: Callable[[], None]) -> None:
        super().__init__(host)
        self._begin_tour = begin_tour

    def list_actions(self) -> tuple[Action, ...]:
        return (
            Action("help", self.text("Help"), self.open_help, "help", "F1", "help"),
            Action("keys", self.text("Shortcuts"), self._open_shortcuts, "", "Shift+F1", "help"),
            Action("tour", self.text("Guided tour"), self.start_guided_tour, "demo", "", "help"),
            Action("newer", self.text("Check for a newer version"), self._open_version_check, "", "", "help"),
            Action("about", self.text("About tdapp"), self._open_about_dialog, "info", "", "help"),
        )

    def open_help(self) -> None:
        from tdapp.gui.shell.help_view import HelpPanel, HelpWindow

        session, panel = self._session, self._host.panel
        if not session.is_open:
            HelpWindow(session, "welcome", parent=self._host.window()).show()
        elif isinstance(panel, HelpPanel):
            panel.setFocus()
        else:
            self._open_panel(
                HelpPanel(session, (panel.topic if panel else "") or self._host.page.get_help_topic())
            )

    def start_guided_tour(self) -> None:
        if is_sample_tournament(self._session):
            self._begin_tour()
        else:
            self._host.leave_after_unsaved_input_check(partial(open_sample_tournament, self._session))

    def _open_shortcuts(self) -> None:
        from tdapp.gui.shell.palette import ShortcutsDialog

        ShortcutsDialog(self._session, self._host.all_actions, parent=self._host.window()).open()

    def _open_version_check(self) -> None:
        from tdapp.gui.shell.about import NewVersionDialog

        NewVersionDialog(self._session, parent=self._host.window()).open()

    def _open_about_dialog(self) -> None:
        from tdapp.gui.shell.about import AboutDialog

        AboutDialog(self._session, parent=self._host.window()).open()
