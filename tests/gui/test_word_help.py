"""The jury's helpers by keys: words, hooks, anagrams, patterns, and silence while players are judged."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel
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
from tdapp.services.word_lists import WordQuestionKind, WordRow
from tdapp.storage.library import Library
from tests.gui.samples import RESOURCES, make_desk, make_tournament
from tests.gui.windows import show_window
from tests.storage.random_lexicons import edition, made_up

WORDS = ("AAR", "TAAR", "TAART", "STAART", "TAARTEN", "RAAT", "RAT", "TAK")
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(full_session: Session, qtbot: QtBot) -> Window:
    choose(full_session, *WORDS)
    return show_window(full_session, qtbot, "players")


def choose(session: Session, *words: str, binding: int | None = None) -> None:
    metadata = session.library.add_edition(words, edition(language="nl", binding=binding))
    session.do(partial(commands.choose_wordlist, wordlist=metadata.id))


def opened(window: Window) -> WordHelpPanel:
    QTest.keyClick(window, Qt.Key.Key_J, CONTROL)
    found = window.panel
    assert isinstance(found, WordHelpPanel)
    return found


def typed(panel: WordHelpPanel, ask: WordQuestionKind, text: str) -> None:
    panel.fields[ask].setFocus()
    panel.fields[ask].selectAll()
    QTest.keyClicks(panel.fields[ask], text)


def rows(panel: WordHelpPanel) -> list[WordRow]:
    return list(map(panel.rows.row, panel.rows.keys()))


def found(panel: WordHelpPanel) -> list[str]:
    return [row.word for row in rows(panel)]


def said(panel: WordHelpPanel) -> str:
    return "\n".join(one.text() for one in panel.findChildren(QLabel) if one.isVisible())


def test_word_help_judges_while_typing_and_shows_hooks(window: Window) -> None:
    panel = opened(window)
    focused = window.focusWidget()
    assert focused is panel.fields[WordQuestionKind.WORD]
    QTest.keyClicks(focused, "taar")
    assert "TAAR: valid" in said(panel)
    assert found(panel) == ["TAART"]
    assert "Test 2024" in said(panel)
    QTest.keyClicks(focused, "x")
    assert "TAARX: not valid" in said(panel)
    assert found(panel) == []


@pytest.mark.slow
def test_word_help_enter_selects_for_the_next_word(window: Window) -> None:
    panel = opened(window)
    typed(panel, WordQuestionKind.WORD, "rat")
    QTest.keyClick(panel.fields[WordQuestionKind.WORD], Qt.Key.Key_Return)
    QTest.keyClicks(panel.fields[WordQuestionKind.WORD], "tak")
    assert panel.fields[WordQuestionKind.WORD].text() == "tak"
    assert "TAK: valid" in said(panel)


def test_word_help_shows_hooks_before_and_behind(window: Window) -> None:
    panel = opened(window)
    typed(panel, WordQuestionKind.WORD, "taart")
    assert [(row.word, row.hook) for row in rows(panel)] == [("STAART", "before")]
    typed(panel, WordQuestionKind.WORD, "aar")
    assert [(row.word, row.hook) for row in rows(panel)] == [("TAAR", "before")]


@pytest.mark.slow
def test_word_help_gives_several_words_a_verdict_each(window: Window) -> None:
    panel = opened(window)
    typed(panel, WordQuestionKind.WORD, "taart raat xyz")
    assert [(row.word, row.verdict) for row in rows(panel)] == [
        ("TAART", WordVerdict.VALID),
        ("RAAT", WordVerdict.VALID),
        ("XYZ", WordVerdict.INVALID),
    ]
    assert "Valid: 2 of 3 words" in said(panel)


def test_word_help_leaves_longer_words_to_the_jury(full_session: Session, qtbot: QtBot) -> None:
    choose(full_session, *WORDS, binding=5)
    panel = opened(show_window(full_session, qtbot, "players"))
    typed(panel, WordQuestionKind.WORD, "taarten")
    assert "TAARTEN: not binding: the jury decides" in said(panel)


def test_word_help_finds_anagrams_of_all_lengths(window: Window) -> None:
    panel = opened(window)
    typed(panel, WordQuestionKind.RACK, "atar")
    assert found(panel) == ["RAAT", "TAAR"]
    typed(panel, WordQuestionKind.RACK, "taar?")
    assert found(panel) == ["TAART"]
    QTest.keyClick(panel.parts, Qt.Key.Key_Space)
    assert found(panel) == ["TAART", "RAAT", "TAAR", "AAR", "RAT", "TAK"]
    assert "6 words" in said(panel)
    QTest.keyClick(panel.parts, Qt.Key.Key_Space)
    assert found(panel) == ["TAART"]


@pytest.mark.slow
def test_word_help_check_box_leaves_other_questions(window: Window) -> None:
    panel = opened(window)
    typed(panel, WordQuestionKind.WORD, "taart")
    QTest.keyClick(panel.parts, Qt.Key.Key_Space)
    assert "TAART: valid" in said(panel)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [("?a*t", ["RAT", "RAAT", "TAART"]), (".a.", ["AAR", "RAT", "TAK"]), ("*en", ["TAARTEN"]), ("x*", [])],
)
def test_word_help_finds_patterns(window: Window, pattern: str, words: list[str]) -> None:
    panel = opened(window)
    typed(panel, WordQuestionKind.PATTERN, pattern)
    assert found(panel) == words
    assert ("No word found." in said(panel)) is (not words)


def test_word_help_keeps_one_question_in_its_fields(window: Window) -> None:
    panel = opened(window)
    typed(panel, WordQuestionKind.WORD, "taart")
    typed(panel, WordQuestionKind.PATTERN, "*k")
    assert panel.fields[WordQuestionKind.WORD].text() == ""
    assert "TAART: valid" not in said(panel)
    assert found(panel) == ["TAK"]
    panel.fields[WordQuestionKind.PATTERN].setFocus()
    panel.fields[WordQuestionKind.PATTERN].selectAll()
    QTest.keyClick(panel.fields[WordQuestionKind.PATTERN], Qt.Key.Key_Delete)
    assert found(panel) == []
    assert "Type a word" in said(panel)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ask", "text", "sentence"),
    [
        (WordQuestionKind.WORD, "t4", "only letters can be searched for"),
        (WordQuestionKind.RACK, "???", "at most 2 blanks"),
        (WordQuestionKind.RACK, "abcdefghijklmnopq", "at most 15 tiles"),
        (WordQuestionKind.PATTERN, "a1", "only letters can be searched for"),
    ],
)
def test_word_help_explains_an_invalid_question(
    window: Window, ask: WordQuestionKind, text: str, sentence: str
) -> None:
    panel = opened(window)
    typed(panel, ask, text)
    assert sentence in said(panel)
    assert window.focusWidget() is panel.fields[ask]


@pytest.mark.slow
def test_word_help_says_that_a_long_answer_is_cut(full_session: Session, qtbot: QtBot) -> None:
    choose(full_session, *(word for word in made_up(900) if len(word) > 2))
    panel = opened(show_window(full_session, qtbot, "players"))
    typed(panel, WordQuestionKind.PATTERN, "*")
    assert len(found(panel)) == 500
    assert "These are the first 500 words. The list has more." in said(panel)


def test_word_help_arrow_enters_the_list_and_enter_looks_up(window: Window) -> None:
    panel = opened(window)
    typed(panel, WordQuestionKind.PATTERN, "*aart")
    QTest.keyClick(panel.fields[WordQuestionKind.PATTERN], Qt.Key.Key_Down)
    assert window.focusWidget() is panel.view
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    assert panel.fields[WordQuestionKind.WORD].text() == "TAART"
    assert window.focusWidget() is panel.fields[WordQuestionKind.WORD]
    assert found(panel) == ["STAART"]


def test_word_help_key_returns_to_the_word_and_esc_closes(window: Window) -> None:
    panel = opened(window)
    typed(panel, WordQuestionKind.PATTERN, "*aart")
    QTest.keyClick(window, Qt.Key.Key_J, CONTROL)
    assert opened(window) is panel
    focused = window.focusWidget()
    assert focused is panel.fields[WordQuestionKind.WORD]
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert window.panel is None


def test_word_help_is_silent_during_a_challenge(window: Window, full_session: Session, qtbot: QtBot) -> None:
    panel = opened(window)
    typed(panel, WordQuestionKind.WORD, "taart")
    full_session.is_judge_screen_open = True
    assert JUDGING in said(panel)
    assert "TAART" not in said(panel)
    assert not panel.view.isVisible()
    assert not panel.fields[WordQuestionKind.WORD].isVisible()
    window.close_panel()

    with qtbot.waitSignal(full_session.message_sent) as told:
        QTest.keyClick(window, Qt.Key.Key_J, CONTROL)
    assert told.args is not None
    assert told.args[0] == JUDGING
    assert window.panel is None

    full_session.is_judge_screen_open = False
    assert opened(window).view.isVisible()


def test_word_help_leads_to_a_missing_list(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "players")
    panel = opened(window)
    assert "No word list is chosen" in said(panel)
    full_session.do(partial(commands.choose_wordlist, wordlist="0123456789ab"))
    assert "number 0123456789ab, is not on this computer" in said(panel)
    lists = next(one for one in panel.findChildren(QAbstractButton) if one.text() == "Word lists…")
    QTest.keyClick(lists, Qt.Key.Key_Return)
    assert isinstance(window.panel, WordListsPanel)
    assert window.page.id == "players", "the page stays"


# --- on another thread


@pytest.fixture
def threaded(appearance: Appearance, settings: QSettings, tmp_path: Path, qtbot: QtBot) -> Iterator[Session]:
    made = Session(
        work=SessionWorker(),
        catalogue=Catalogue("en", RESOURCES / "locale"),
        appearance=appearance,
        resources=Resources(RESOURCES),
        settings=settings,
        library=Library(tmp_path / "lexicons"),
    )
    made.attach_desk(make_desk(make_tournament(players=2)))
    choose(made, *WORDS)
    qtbot.waitUntil(lambda: made.open_word_list() is not None)
    yield made
    made.close()
    made.work.close()


@pytest.mark.slow
def test_word_help_answers_the_newest_question(threaded: Session, qtbot: QtBot) -> None:
    panel = opened(show_window(threaded, qtbot, "players"))
    typed(panel, WordQuestionKind.WORD, "staart")
    qtbot.waitUntil(lambda: "STAART: valid" in said(panel))
    typed(panel, WordQuestionKind.PATTERN, "*en")
    qtbot.waitUntil(lambda: found(panel) == ["TAARTEN"])


@pytest.mark.slow
def test_word_help_ignores_an_answer_after_closing(threaded: Session, qtbot: QtBot) -> None:
    window = show_window(threaded, qtbot, "players")
    panel = opened(window)
    typed(panel, WordQuestionKind.PATTERN, "*")
    window.close_panel()
    answered: list[bool] = []
    threaded.run_in_background(lambda: True, on_success=answered.append, label="later")
    qtbot.waitUntil(lambda: bool(answered))
    typed(opened(window), WordQuestionKind.WORD, "rat")
    panel = opened(window)
    qtbot.waitUntil(lambda: "RAT: valid" in said(panel))
