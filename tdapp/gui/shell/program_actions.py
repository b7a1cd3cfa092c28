"""What can be done anywhere: files, undo, finding, places, looks and languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QFileDialog

from tdapp.gui.jury.challenges import ChallengesPanel
from tdapp.gui.jury.judge_screen import JudgeController, MissingListPanel
from tdapp.gui.jury.word_help import JUDGING, WordHelpPanel
from tdapp.gui.jury.word_lists_panel import WordListsPanel
from tdapp.gui.rounds.table_actions import AtTable
from tdapp.gui.shell.about import AboutDialog
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.clock_actions import clock_actions
from tdapp.gui.shell.help_panel import HelpPanel, HelpWindow
from tdapp.gui.shell.page_list import PLACES
from tdapp.gui.shell.palette import Keys
from tdapp.gui.shell.qt_texts import translate_qt
from tdapp.gui.shell.transfers import Transfers
from tdapp.gui.tournament.assistant import Assistant
from tdapp.gui.tournament.station_actions import Joining
from tdapp.gui.widgets import text_size
from tdapp.gui.widgets.fields import SearchField
from tdapp.gui.widgets.theme import SCHEMES
from tdapp.i18n.catalogue import LANGUAGE_NAMES, LANGUAGES, Catalogue
from tdapp.services.demo import is_demo, open_demo
from tdapp.storage import Address

if TYPE_CHECKING:
    from tdapp.gui.shell.window import Window

# Places keep these keys when those between them are built.
PAGE_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "tournament": "Ctrl+0",
        "players": "Ctrl+1",
        "rounds": "Ctrl+2",
        "jury": "Ctrl+3",
        "standings": "Ctrl+4",
        "bracket": "Ctrl+5",
        "papers": "Ctrl+6",
        "screens": "Ctrl+7",
        "history": "Ctrl+8",
        "check-in": "Ctrl+9",
    }
)
# The function key that leads to a place as well.
ALSO: Mapping[str, str] = MappingProxyType({"screens": "Shift+F9"})


class ProgramActions:
    """The window's own rows of the table of actions, and what they do."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._session = window.session
        self._transfers = Transfers(window)
        self.joining = Joining(window)
        self._at_table = AtTable(window)

    def table(self) -> tuple[Action, ...]:
        """Return the rows."""
        return (
            *self._of_files(),
            *self.joining.table(),
            *self._transfers.table(),
            *self._at_table.table(),
            *self._of_steps(),
            *self._of_judging(),
            *self._of_view(),
            *clock_actions(self._session),
            *self._of_looks(),
            *self._of_help(),
        )

    def menu_titles(self) -> Mapping[str, str]:
        """Return the menus in their order, parents before what hangs in them."""
        text = self._session.catalogue.text
        return {
            "tournament": text("&Tournament"),
            "edit": text("&Edit"),
            "players": text("&Players"),
            "round": text("&Rounds"),
            "jury": text("&Jury"),
            "standings": text("&Standings"),
            "view": text("&View"),
            "help": text("&Help"),
            "export": text("Export"),
            "recent": text("Opened before"),
            "places": text("Pages"),
            "table": text("This table"),
            "papers": text("Papers"),
            "turns": text("Turns"),
            "clock": text("Round clock"),
            "screens": text("Screens"),
            "looks": text("Looks"),
            "sizes": text("Text size"),
            "language": text("Language"),
        }

    # --- files

    def new(self) -> None:
        """Ask for a new tournament's data and make it."""
        self._window.leave(self._ask_new)

    def _ask_new(self) -> None:
        Assistant(self._session, parent=self._window).open()

    def open(self) -> None:
        """Ask for a file and open it."""
        self._window.leave(self._ask_file)

    def _ask_file(self) -> None:
        text = self._session.catalogue.text
        pattern = text("Tournaments (*.tdapp);;All files (*)")
        name, _ = QFileDialog.getOpenFileName(
            self._window, text("Open a tournament"), self._session.recent.folder(), pattern
        )
        if name:
            self._session.open_file(Path(name))

    def open_path(self, path: Path | Address, _checked: bool = False) -> None:
        """Open a file, or a tournament on a server."""
        self._window.leave(partial(self._session.open_location, path))

    def join(self) -> None:
        """Ask for a shared tournament and open it."""
        self.joining.join()

    def close(self) -> None:
        """Close the tournament and go back to the welcome page."""
        self._window.leave(partial(self._session.attach, None))

    def save_copy(self) -> None:
        """Ask where to, and save a copy of the file as it stands."""
        text, folder = self._session.catalogue.text, self._session.recent.folder()
        pattern = text("Tournaments (*.tdapp)")
        name, _ = QFileDialog.getSaveFileName(self._window, text("Save a copy"), folder, pattern)
        if name:
            self.save_copy_to(Path(name))

    def save_copy_to(self, path: Path) -> None:
        """Save a copy of the file as it stands."""
        session = self._session
        said = session.catalogue.text("Copy saved as {name}", name=path.name)
        session.ask(partial(session.desk.store.snapshot, path), then=lambda _none: session.say(said))

    def quit(self) -> None:
        """Close the window."""
        self._window.close()

    def _of_files(self) -> tuple[Action, ...]:
        text, is_open = self._session.catalogue.text, self._is_open
        return (
            Action("new", text("New tournament…"), self.new, "new", "Ctrl+N", "tournament"),
            Action("open", text("Open…"), self.open, "open", "Ctrl+O", "tournament"),
            Action("save-copy", text("Save a copy…"), self.save_copy, "save", "Ctrl+S", "tournament", is_open),
            Action("close", text("Close tournament"), self.close, "", "Ctrl+W", "tournament", is_open),
            Action("quit", text("Quit"), self.quit, "", "Ctrl+Q", "tournament"),
        )

    # --- steps

    def _of_steps(self) -> tuple[Action, ...]:
        text, session = self._session.catalogue.text, self._session
        again = ("Ctrl+Shift+Z", "Ctrl+Y")
        return (
            Action(
                "undo", text("Undo"), session.undo, "undo", "Ctrl+Z", "edit", self._can_undo, title=self._undo_text
            ),
            Action(
                "redo", text("Redo"), session.redo, "redo", again, "edit", self._can_redo, title=self._redo_text
            ),
            Action("find", text("Find player…"), self._window.find_player, "search", "F3", "edit", self._is_open),
            Action("search", text("Search on this page"), self.search, "search", "Ctrl+F", "edit", self._is_open),
            Action("card", text("Player’s card"), self._window.show_card, "card", "F4", "edit", self._has_player),
            Action("words", text("Look up words…"), self.words, "search", "Ctrl+J", "jury", self._is_open),
        )

    def search(self) -> None:
        """Go to the search field of the page, or of the panel beside it; where there is none, ask for a player."""
        parts = filter(None, (self._window.page, self._window.panel))
        found = (one for part in parts for one in part.findChildren(SearchField) if one.isVisible())
        field = next(found, None)
        if field is None:
            self._window.find_player()
        else:
            field.setFocus()
            field.selectAll()

    def words(self) -> None:
        """Open the jury's helpers, or go back to their first field; not while players are being judged."""
        session, panel = self._session, self._window.panel
        if session.judging:
            session.say(session.catalogue.text(JUDGING), tone="red")
        elif isinstance(panel, WordHelpPanel):
            panel.setFocus()
        else:
            made = WordHelpPanel(session)
            made.lists.connect(self._word_lists)
            self._window.open_panel(made)

    def _word_lists(self) -> None:
        """Open the word lists beside the page that is shown."""
        panel = WordListsPanel(self._session)
        self._window.open_panel(panel)
        panel.setFocus()

    def _is_open(self) -> bool:
        return self._session.is_open

    def _has_player(self) -> bool:
        return self._session.is_open and self._window.page.current_player() is not None

    def _can_undo(self) -> bool:
        return self._may_write() and self._session.desk.undo_step is not None

    def _can_redo(self) -> bool:
        return self._may_write() and self._session.desk.redo_step is not None

    def _may_write(self) -> bool:
        session = self._session
        return session.is_open and session.may("enter-result") and session.queue.error is None

    def _undo_text(self) -> str:
        text = self._session.catalogue.text
        step = self._session.desk.undo_step if self._session.is_open else None
        return text("Undo: {step}", step=self._session.words(step)) if step else text("Undo")

    def _redo_text(self) -> str:
        text = self._session.catalogue.text
        step = self._session.desk.redo_step if self._session.is_open else None
        return text("Redo: {step}", step=self._session.words(step)) if step else text("Redo")

    # --- judging

    def judge(self) -> None:
        """Open the judge screen; without a word list say what is missing."""
        if self._session.word_list() is None:
            missing = MissingListPanel(self._session)
            missing.lists.connect(self._word_lists)
            self._window.open_panel(missing)
        else:
            JudgeController.of(self._session, self._window).open()

    def challenges(self) -> None:
        """Open the log of challenges."""
        self._window.open_panel(ChallengesPanel(self._session))

    def _of_judging(self) -> tuple[Action, ...]:
        text = self._session.catalogue.text
        keys = "Shift+F10"
        return (
            Action("judge-screen", text("Judge screen"), self.judge, "judge", keys, "jury", self._can_judge),
            Action("challenges", text("Challenges…"), self.challenges, "", "", "jury", self._has_division),
        )

    def _has_division(self) -> bool:
        return self._session.division is not None

    def _can_judge(self) -> bool:
        session = self._session
        return self._has_division() and session.may("record-challenge") and not session.tournament.event.finished

    # --- view

    def _of_view(self) -> tuple[Action, ...]:
        text, window = self._session.catalogue.text, self._window
        return (
            *(self._place(place, keys) for place, keys in PAGE_KEYS.items()),
            Action(
                "round-back", text("Round back"), self._back, "chevron-left", "Alt+Left", "view", self._has_back
            ),
            Action(
                "round-forth", text("Round on"), self._forth, "chevron-right", "Alt+Right", "view", self._has_forth
            ),
            Action("full-screen", text("Full screen"), self._full_screen, "", "F11", "view"),
            Action(
                "problems",
                text("Open problems…"),
                window.open_problems,
                "warning",
                "Ctrl+Shift+P",
                "view",
                self._is_open,
            ),
            Action("palette", text("Do or find anything…"), window.open_palette, "search", "Ctrl+K", "view"),
        )

    def _place(self, place: str, keys: str) -> Action:
        both = (keys, ALSO.get(place, ""))
        return Action(
            f"place-{place}",
            PLACES[place].name(self._session.catalogue),
            partial(self._go, place),
            PLACES[place].icon,
            both,
            "places",
            self._is_open,
        )

    def _go(self, place: str) -> None:
        self._window.show_page(place)

    def _numbers(self) -> list[int]:
        division = self._session.division
        return [item.number for item in self._session.index.rounds(division.id)] if division else []

    def _step_round(self, by: int) -> None:
        number = (self._session.round_number or 0) + by
        if number in self._numbers():
            self._session.choose_round(number)

    def _back(self) -> None:
        self._step_round(-1)

    def _forth(self) -> None:
        self._step_round(1)

    def _has_back(self) -> bool:
        return (self._session.round_number or 0) - 1 in self._numbers()

    def _has_forth(self) -> bool:
        return (self._session.round_number or 0) + 1 in self._numbers()

    def _full_screen(self) -> None:
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()

    # --- looks and languages

    def _of_looks(self) -> tuple[Action, ...]:
        text = self._session.catalogue.text
        names = {
            "system": text("As the system"),
            "light": text("Light"),
            "dark": text("Dark"),
            "contrast": text("High contrast"),
        }
        percent = {size: f"{size} %" for size in text_size.SIZES}
        looks = [
            Action(f"look-{scheme}", names[scheme], partial(self.look, scheme), menu="looks",
                   chosen=partial(self._has_look, scheme))
            for scheme in SCHEMES
        ]  # fmt: skip
        sizes = [
            Action(f"text-size-{size}", name, partial(self.size, size, name), menu="sizes",
                   chosen=partial(self._has_size, size))
            for size, name in {text_size.AS_SYSTEM: names["system"], **percent}.items()
        ]  # fmt: skip
        languages = [
            Action(f"language-{one}", LANGUAGE_NAMES[one], partial(self.speak, one), menu="language",
                   chosen=partial(self._speaks, one))
            for one in LANGUAGES
        ]  # fmt: skip
        return (*looks, *sizes, *languages)

    def _has_look(self, scheme: str) -> bool:
        return self._session.look.scheme == scheme

    def _has_size(self, size: int) -> bool:
        return text_size.chosen(self._session.settings) == size

    def _speaks(self, language: str) -> bool:
        return self._session.catalogue.language == language

    def look(self, scheme: str) -> None:
        """Change between light, dark and high contrast."""
        self._session.settings.setValue("scheme", scheme)
        self._session.look.choose(scheme)

    def size(self, size: int, name: str) -> None:
        """Choose how large everything is drawn."""
        text_size.choose(self._session.settings, size)
        text = self._session.catalogue.text
        self._session.say(text("Text size: {size}. It holds when the program is started again.", size=name))

    def speak(self, language: str) -> None:
        """Change the language of everything on screen."""
        locale, application = self._session.resources / "locale", QApplication.instance()
        self._session.settings.setValue("language", language)
        self._session.catalogue = Catalogue(language, locale)
        if application is not None:
            translate_qt(application, language, locale)
        self._window.rebuild()

    # --- help

    def _of_help(self) -> tuple[Action, ...]:
        text = self._session.catalogue.text
        return (
            Action("help", text("Help"), self.help, "help", "F1", "help"),
            Action("keys", text("Keys"), self._keys, "", "Shift+F1", "help"),
            Action("tour", text("Guided tour"), self.tour, "demo", "", "help"),
            Action("about", text("About tdapp"), self.about, "info", "", "help"),
        )

    def about(self) -> None:
        """Show the versions and the licences."""
        AboutDialog(self._session, parent=self._window).open()

    def help(self) -> None:
        """Open the help for what is shown; from the help itself go to its search field."""
        session, window = self._session, self._window
        if not session.is_open:
            HelpWindow(session, "welcome", parent=window).show()
        elif isinstance(window.panel, HelpPanel):
            window.panel.setFocus()
        else:
            topic = (window.panel.topic if window.panel else "") or window.page.topic()
            made = HelpPanel(session, topic)
            window.open_panel(made)
            made.setFocus()

    def tour(self) -> None:
        """Begin the guided tour; where something else is open, on the sample in its place."""
        if is_demo(self._session):
            self._window.guide.begin()
        else:
            self._window.leave(partial(open_demo, self._session))

    def _keys(self) -> None:
        Keys(self._session, self._window.commands, parent=self._window).open()
