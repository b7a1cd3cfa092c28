"""Tests of the word help panel: verdicts, hooks, anagrams, patterns, and no answers during a challenge."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.gui.jury.word_help import JUDGING, WordHelpPanel
from tdapp.gui.jury.word_lists_panel import WordListsPanel
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.wordlist import WordVerdict
from tdapp.services.resources import Resources
from tdapp.services.word_lists import WordAnswerRow, WordQuestionKind
from tdapp.storage.library import WordListLibrary
from tests.gui.samples import RESOURCES, make_desk, make_tournament
from tests.gui.windows import read_visible_labels, show_window
from tests.storage.random_lexicons import make_edition, make_random_words

WORDS = ("AAR", "TAAR", "TAART", "STAART", "TAARTEN", "RAAT", "RAT", "TAK")
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(full_session: Session, qtbot: QtBot) -> Window:
    choose_word_list(full_session, *WORDS)
    return show_window(full_session, qtbot, "players")


def choose_word_list(session: Session, *words: str, binding: int | None = None) -> None:
    metadata = session.library.add_edition(words, make_edition(language="nl", binding=binding))
    session.do(partial(commands.choose_wordlist, wordlist=metadata.id))


def open_word_help(window: Window) -> WordHelpPanel:
    QTest.keyClick(window, Qt.Key.Key_J, CONTROL)
    panel = window.panel
    assert isinstance(panel, WordHelpPanel)
    return panel


def type_question(panel: WordHelpPanel, kind: WordQuestionKind, text: str) -> None:
    panel.fields[kind].setFocus()
    panel.fields[kind].selectAll()
    QTest.keyClicks(panel.fields[kind], text)


def list_rows(panel: WordHelpPanel) -> list[WordAnswerRow]:
    return list(map(panel.rows.find_row_by_key, panel.rows.keys()))


def list_found_words(panel: WordHelpPanel) -> list[str]:
    return [row.word for row in list_rows(panel)]


def test_word_help_panel_shows_verdict_and_hooks_while_typing(window: Window) -> None:
    panel = open_word_help(window)
    focused = window.focusWidget()
    assert focused is panel.fields[WordQuestionKind.WORD]
    QTest.keyClicks(focused, "taar")
    assert "TAAR: valid" in read_visible_labels(panel)
    assert list_found_words(panel) == ["TAART"]
    assert "Test 2024" in read_visible_labels(panel)
    QTest.keyClicks(focused, "x")
    assert "TAARX: not valid" in read_visible_labels(panel)
    assert list_found_words(panel) == []


@pytest.mark.slow
def test_word_help_panel_replaces_the_word_after_enter(window: Window) -> None:
    panel = open_word_help(window)
    type_question(panel, WordQuestionKind.WORD, "rat")
    QTest.keyClick(panel.fields[WordQuestionKind.WORD], Qt.Key.Key_Return)
    QTest.keyClicks(panel.fields[WordQuestionKind.WORD], "tak")
    assert panel.fields[WordQuestionKind.WORD].text() == "tak"
    assert "TAK: valid" in read_visible_labels(panel)


def test_word_help_panel_shows_front_and_back_hooks(window: Window) -> None:
    panel = open_word_help(window)
    type_question(panel, WordQuestionKind.WORD, "taart")
    assert [(row.word, row.hook) for row in list_rows(panel)] == [("STAART", "before")]
    type_question(panel, WordQuestionKind.WORD, "aar")
    assert [(row.word, row.hook) for row in list_rows(panel)] == [("TAAR", "before")]


@pytest.mark.slow
def test_word_help_panel_shows_a_verdict_for_each_word(window: Window) -> None:
    panel = open_word_help(window)
    type_question(panel, WordQuestionKind.WORD, "taart raat xyz")
    assert [(row.word, row.verdict) for row in list_rows(panel)] == [
        ("TAART", WordVerdict.VALID),
        ("RAAT", WordVerdict.VALID),
        ("XYZ", WordVerdict.INVALID),
    ]
    assert "Valid: 2 of 3 words" in read_visible_labels(panel)


def test_word_help_panel_leaves_longer_words_to_the_jury(full_session: Session, qtbot: QtBot) -> None:
    choose_word_list(full_session, *WORDS, binding=5)
    panel = open_word_help(show_window(full_session, qtbot, "players"))
    type_question(panel, WordQuestionKind.WORD, "taarten")
    assert "TAARTEN: the jury decides" in read_visible_labels(panel)


def test_word_help_panel_finds_anagrams_of_all_lengths(window: Window) -> None:
    panel = open_word_help(window)
    type_question(panel, WordQuestionKind.RACK, "atar")
    assert list_found_words(panel) == ["RAAT", "TAAR"]
    type_question(panel, WordQuestionKind.RACK, "taar?")
    assert list_found_words(panel) == ["TAART"]
    QTest.keyClick(panel.parts, Qt.Key.Key_Space)
    assert list_found_words(panel) == ["TAART", "RAAT", "TAAR", "AAR", "RAT", "TAK"]
    assert "6 words" in read_visible_labels(panel)
    QTest.keyClick(panel.parts, Qt.Key.Key_Space)
    assert list_found_words(panel) == ["TAART"]


@pytest.mark.slow
def test_word_help_panel_keeps_the_word_when_the_check_box_changes(window: Window) -> None:
    panel = open_word_help(window)
    type_question(panel, WordQuestionKind.WORD, "taart")
    QTest.keyClick(panel.parts, Qt.Key.Key_Space)
    assert "TAART: valid" in read_visible_labels(panel)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [("?a*t", ["RAT", "RAAT", "TAART"]), (".a.", ["AAR", "RAT", "TAK"]), ("*en", ["TAARTEN"]), ("x*", [])],
)
def test_word_help_panel_finds_patterns(window: Window, pattern: str, words: list[str]) -> None:
    panel = open_word_help(window)
    type_question(panel, WordQuestionKind.PATTERN, pattern)
    assert list_found_words(panel) == words
    assert ("No word found." in read_visible_labels(panel)) is (not words)


def test_word_help_panel_clears_the_other_fields(window: Window) -> None:
    panel = open_word_help(window)
    type_question(panel, WordQuestionKind.WORD, "taart")
    type_question(panel, WordQuestionKind.PATTERN, "*k")
    assert panel.fields[WordQuestionKind.WORD].text() == ""
    assert "TAART: valid" not in read_visible_labels(panel)
    assert list_found_words(panel) == ["TAK"]
    panel.fields[WordQuestionKind.PATTERN].setFocus()
    panel.fields[WordQuestionKind.PATTERN].selectAll()
    QTest.keyClick(panel.fields[WordQuestionKind.PATTERN], Qt.Key.Key_Delete)
    assert list_found_words(panel) == []
    assert "Type a word" in read_visible_labels(panel)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (WordQuestionKind.WORD, "t4", "only letters can be searched for"),
        (WordQuestionKind.RACK, "???", "at most 2 blanks"),
        (WordQuestionKind.RACK, "abcdefghijklmnopq", "at most 15 tiles"),
        (WordQuestionKind.PATTERN, "a1", "only letters can be searched for"),
    ],
)
def test_word_help_panel_explains_an_invalid_question(
    window: Window, kind: WordQuestionKind, text: str, message: str
) -> None:
    panel = open_word_help(window)
    type_question(panel, kind, text)
    assert message in read_visible_labels(panel)
    assert window.focusWidget() is panel.fields[kind]


@pytest.mark.slow
def test_word_help_panel_reports_that_a_long_answer_is_cut(full_session: Session, qtbot: QtBot) -> None:
    choose_word_list(full_session, *(word for word in make_random_words(900) if len(word) > 2))
    panel = open_word_help(show_window(full_session, qtbot, "players"))
    type_question(panel, WordQuestionKind.PATTERN, "*")
    assert len(list_found_words(panel)) == 500
    assert "These are the first 500 words. The list has more." in read_visible_labels(panel)


def test_word_help_panel_looks_up_a_listed_word_by_keyboard(window: Window) -> None:
    panel = open_word_help(window)
    type_question(panel, WordQuestionKind.PATTERN, "*aart")
    QTest.keyClick(panel.fields[WordQuestionKind.PATTERN], Qt.Key.Key_Down)
    assert window.focusWidget() is panel.view
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    assert panel.fields[WordQuestionKind.WORD].text() == "TAART"
    assert window.focusWidget() is panel.fields[WordQuestionKind.WORD]
    assert list_found_words(panel) == ["STAART"]


def test_word_help_shortcut_focuses_the_word_and_esc_closes(window: Window) -> None:
    panel = open_word_help(window)
    type_question(panel, WordQuestionKind.PATTERN, "*aart")
    QTest.keyClick(window, Qt.Key.Key_J, CONTROL)
    assert open_word_help(window) is panel
    focused = window.focusWidget()
    assert focused is panel.fields[WordQuestionKind.WORD]
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert window.panel is None


def test_word_help_panel_hides_answers_during_a_challenge(
    window: Window, full_session: Session, qtbot: QtBot
) -> None:
    panel = open_word_help(window)
    type_question(panel, WordQuestionKind.WORD, "taart")
    full_session.is_judge_screen_open = True
    assert JUDGING in read_visible_labels(panel)
    assert "TAART" not in read_visible_labels(panel)
    assert not panel.view.isVisible()
    assert not panel.fields[WordQuestionKind.WORD].isVisible()
    window.close_panel()

    with qtbot.waitSignal(full_session.message_sent) as message_signal:
        QTest.keyClick(window, Qt.Key.Key_J, CONTROL)
    assert message_signal.args is not None
    assert message_signal.args[0] == JUDGING
    assert window.panel is None

    full_session.is_judge_screen_open = False
    assert open_word_help(window).view.isVisible()


def test_word_help_panel_reports_a_missing_list(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    panel = open_word_help(window)
    assert "No word list is chosen" in read_visible_labels(panel)
    full_session.do(partial(commands.choose_wordlist, wordlist="0123456789ab"))
    assert "number 0123456789ab, is not on this computer" in read_visible_labels(panel)
    word_lists_button = next(
        button for button in panel.findChildren(QAbstractButton) if button.text() == "Word lists…"
    )
    QTest.keyClick(word_lists_button, Qt.Key.Key_Return)
    assert isinstance(window.panel, WordListsPanel)
    assert window.page.id == "players", "the link opened another page"


# --- with worker threads


@pytest.fixture
def threaded_session(
    appearance: Appearance, settings: QSettings, tmp_path: Path, qtbot: QtBot
) -> Iterator[Session]:
    session = Session(
        work=SessionWorker(),
        catalogue=Catalogue("en", RESOURCES / "locale"),
        appearance=appearance,
        resources=Resources(RESOURCES),
        settings=settings,
        library=WordListLibrary(tmp_path / "lexicons"),
    )
    session.open_tournament_of_desk(make_desk(make_tournament(players=2)))
    choose_word_list(session, *WORDS)
    qtbot.waitUntil(lambda: session.open_word_list() is not None)
    yield session
    session.close()
    session.work.close()


@pytest.mark.slow
def test_word_help_panel_answers_the_newest_question(threaded_session: Session, qtbot: QtBot) -> None:
    panel = open_word_help(show_window(threaded_session, qtbot, "players"))
    type_question(panel, WordQuestionKind.WORD, "staart")
    qtbot.waitUntil(lambda: "STAART: valid" in read_visible_labels(panel))
    type_question(panel, WordQuestionKind.PATTERN, "*en")
    qtbot.waitUntil(lambda: list_found_words(panel) == ["TAARTEN"])


@pytest.mark.slow
def test_word_help_panel_ignores_an_answer_after_closing(threaded_session: Session, qtbot: QtBot) -> None:
    window = show_window(threaded_session, qtbot, "players")
    panel = open_word_help(window)
    type_question(panel, WordQuestionKind.PATTERN, "*")
    window.close_panel()
    answers: list[bool] = []
    threaded_session.run_in_background(lambda: True, on_success=answers.append, label="later")
    qtbot.waitUntil(lambda: bool(answers))
    type_question(open_word_help(window), WordQuestionKind.WORD, "rat")
    panel = open_word_help(window)
    qtbot.waitUntil(lambda: "RAT: valid" in read_visible_labels(panel))
