"""A tournament with a paired first round, and a driver for the Jury page of its window."""

from __future__ import annotations

from collections.abc import Collection
from html import unescape

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import DivisionId, Game, Result, ResultState, StartDecision
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Tournament
from tdapp.gui.jury.page import JuryPage
from tdapp.gui.shell.jury_member import AUTHOR, AUTHOR_DAY, format_today_and_tournament_id
from tdapp.gui.shell.palette import CommandPalette
from tdapp.gui.shell.session import Session
from tdapp.i18n.sheet_reading import ParsedSheetDraft
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import GameEnding, Sheet
from tdapp.scrabble.wordlist import WordListEdition
from tests.building import load_rule_set
from tests.gui.samples import make_desk
from tests.gui.windows import show_window

A = DivisionId("d")
NAMES = ("Anna", "Björn", "Cécile", "Dirk", "Élodie", "Frode")
NO_MODIFIER = Qt.KeyboardModifier.NoModifier
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def parametrize_languages(*languages: str) -> pytest.MarkDecorator:
    """Run a test once with the window in each language."""
    return pytest.mark.parametrize("empty_session", languages, indirect=True)


def pair_first_round(
    rules: str | RuleSet, *, players: int = 4, start: StartDecision = StartDecision.ASSIGNED
) -> Tournament:
    """Return a tournament with a paired first round. Anna starts at table 1."""
    rule_set = load_rule_set(rules) if isinstance(rules, str) else rules
    value = commands.new_tournament(key="t", name="Open Leiden", ruleset=rule_set, seed=3)
    value = commands.add_division(value, key=A, code="A")
    value = commands.add_stage(value, key="s", division=A, system="king-of-the-hill", rounds=3)
    for number, name in enumerate(NAMES[:players], 1):
        value = commands.add_player(value, key=f"p{number}", division=A, name=name, rating=2000 - number)
    proposal = propose_pairings(TournamentIndex(value), A)
    value = commands.pair_round(value, key="r1", proposal=proposal)
    for game in value.games.values():
        if value.players[game.first].name in {"Björn", "Dirk", "Frode"} and start is StartDecision.ASSIGNED:
            value = commands.set_starter(value, game=game.id, player=game.second)
    return value


class JuryDriver:
    """Types in a window and reads the Jury page."""

    def __init__(self, session: Session, qtbot: QtBot, value: Tournament) -> None:
        self._qtbot = qtbot
        self.session = session
        session.open_tournament_of_desk(make_desk(value))
        for setting, setting_value in ((AUTHOR, "J. Ury"), (AUTHOR_DAY, format_today_and_tournament_id(session))):
            session.settings.setValue(setting, setting_value)
        self.window = show_window(session, qtbot)
        self.window.pages.get_page("jury")  # make the page now; the program makes it when idle

    @property
    def page(self) -> JuryPage:
        page = self.window.pages.get_page("jury")
        assert isinstance(page, JuryPage)
        return page

    @property
    def focused_widget(self) -> QWidget:
        focused = QApplication.focusWidget()
        assert focused is not None
        return focused

    def press_key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_MODIFIER) -> None:
        QTest.keyClick(self.focused_widget, key, modifiers)
        QApplication.processEvents()

    def type_text(self, text: str) -> None:
        QTest.keyClicks(self.focused_widget, text)

    def type_lines(self, *lines: str) -> None:
        for line in lines:
            self.type_text(line)
            self.press_key(Qt.Key.Key_Return)

    def scan_lines(self, *lines: str) -> None:
        """Enter lines with one key event for each line, like a barcode scanner."""
        for line in lines:
            QApplication.sendEvent(self.focused_widget, QKeyEvent(QEvent.Type.KeyPress, 0, NO_MODIFIER, line))
            self.press_key(Qt.Key.Key_Return)

    def write_sheet(self, *lines: str) -> None:
        """Enter a sheet: key by key in English, line by line in other languages to save time."""
        (self.type_lines if self.session.catalogue.language == "en" else self.scan_lines)(*lines)

    def choose_game(self, search_text: str) -> None:
        self.press_key(Qt.Key.Key_F10)
        self.type_lines(f"{search_text} #")

    def run_action(self, title: str) -> None:
        """Run the action with this English name through the palette."""
        self.press_key(Qt.Key.Key_K, CONTROL)
        palette = self.window.findChild(CommandPalette)
        assert palette is not None
        QTest.keyClicks(palette.focusWidget(), self.translate_text(title).rstrip("…"))
        QTest.keyClick(palette.focusWidget(), Qt.Key.Key_Return)
        self.window.activateWindow()  # there is no window manager
        self._qtbot.waitUntil(self.window.isActiveWindow)

    def save_sheet(self) -> None:
        self.press_key(Qt.Key.Key_Return, CONTROL)

    def enter_ending(self, ending: GameEnding, *fields: str) -> None:
        """Choose the ending of the game by arrow keys, then type its fields."""
        if self.page.end.ended.value() is not ending:
            self.press_key(Qt.Key.Key_Home)
        for _ in range(self.page.end.ended.count()):
            if self.page.end.ended.value() is ending:
                break
            self.press_key(Qt.Key.Key_Down)
        assert self.page.end.ended.value() is ending
        self.press_key(Qt.Key.Key_Return)
        self.type_lines(*fields)

    def get_game(self, table: int = 1, number: int = 1) -> Game:
        return self.session.index.get_game(self.session.index.get_round(A, number).id, table)

    def get_result(self, table: int = 1) -> Result:
        result = self.session.index.get_result(self.get_game(table).id)
        assert result is not None
        return result

    def get_result_state(self) -> ResultState:
        return self.get_result().state

    def is_unsaved(self) -> bool:
        return self.page.sheet.is_unsaved

    def list_forms(self, table: int = 1) -> tuple[ScoreSheet, ...]:
        return tuple(self.session.index.sheets(self.get_game(table).id))

    def translate_text(self, text: str, **facts: object) -> str:
        """Return an English text in the language of the window."""
        return self.session.catalogue.text(text, **facts)

    def list_turn_notes(self) -> list[str]:
        """Return the notes below the turns."""
        return [cell.note for cell in self.page.turns.cells]

    @property
    def parsed_sheet(self) -> ParsedSheetDraft:
        """The open sheet as parsed."""
        assert self.page.parsed_sheet is not None
        return self.page.parsed_sheet

    @property
    def typed_sheet(self) -> Sheet:
        """The readable part of the open sheet."""
        return self.parsed_sheet.sheet

    @property
    def ruling_preview(self) -> str:
        """The preview of a proposed ruling."""
        return self.page.ruling.meaning.text()

    def replace_text(self, text: str) -> None:
        """Replace the text of the field."""
        self.press_key(Qt.Key.Key_A, CONTROL)
        self.type_text(text)

    def list_open_doubts(self) -> list[tuple[int, str, int]]:
        """Return the turn, word and penalty of each open doubt."""
        return [(doubt.turn, doubt.word, doubt.cost) for doubt in self.parsed_sheet.doubts if doubt.is_undecided]

    @property
    def ending_notes(self) -> str:
        """The sentences under the end of the game."""
        return unescape(self.page.end.notes.text())

    @property
    def sheet_notes(self) -> str:
        """The sentences above the turns."""
        return unescape(self.page.note.text.text())

    def list_ranking(self) -> list[tuple[str, float, int]]:
        rows = compute_standings(self.session.index, self.session.tournament.divisions[A])
        return [(row.player.name, float(row.match_points), row.spread) for row in rows]

    def choose_word_list(
        self, words: Collection[str], *, language: str = "nl", binding: int | None = None
    ) -> None:
        """Choose a word list of a few words."""
        edition = WordListEdition("Own list", language, "2026", "", binding)
        metadata = self.session.library.add_edition(sorted(words), edition)
        self.session.desk.do(
            lambda value: commands.choose_wordlist(value, wordlist=metadata.id), label="choose-wordlist"
        )
        self.page.refresh_page()
