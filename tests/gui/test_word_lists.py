"""Word lists in the window: import with a preview, editions, practice lists, and which one the jury asks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.gui.jury.word_list_views import CompareEditionsDialog, WordListImportForm
from tdapp.gui.jury.word_lists_panel import RemoveEditionDialog, UseUnfitEditionDialog, WordListsPanel
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.services.demo import open_demo
from tdapp.services.resources import Resources
from tdapp.storage.lexicon import EditionMetadata
from tdapp.storage.library import Library
from tests.building import load_rule_set
from tests.gui.samples import RESOURCES, make_desk, make_session, make_tournament
from tests.gui.windows import answer_file_dialogs, find_dialog, show_window
from tests.storage.random_lexicons import edition, lexicon, made_up


@pytest.fixture
def window(full_session: Session, qtbot: QtBot) -> Window:
    return show_window(full_session, qtbot, "tournament")


@pytest.fixture
def threaded(appearance: Appearance, settings: QSettings, tmp_path: Path) -> Iterator[Session]:
    """A session whose work runs on other threads."""
    made = Session(
        work=SessionWorker(),
        catalogue=Catalogue("en", RESOURCES / "locale"),
        appearance=appearance,
        resources=Resources(RESOURCES),
        settings=settings,
        library=Library(tmp_path / "lexicons"),
    )
    made.attach_desk(make_desk(make_tournament(players=2)))
    yield made
    made.close()
    made.work.close()


def panel(window: Window) -> WordListsPanel:
    if not isinstance(window.panel, WordListsPanel):
        window.command("word-lists").trigger()
    found = window.panel
    assert isinstance(found, WordListsPanel)
    return found


def form(window: Window) -> WordListImportForm:
    return next(one for one in window.findChildren(WordListImportForm) if one.isVisible())


def said(parent: QWidget) -> str:
    return "\n".join(one.text() for one in parent.findChildren(QLabel) if one.isVisible())


def button(parent: QWidget, text: str) -> QAbstractButton:
    return next(one for one in parent.findChildren(QAbstractButton) if one.text() == text and one.isVisible())


def plain(tmp_path: Path, *lines: str, encoding: str = "utf-8") -> Path:
    path = tmp_path / "plain.txt"
    path.write_bytes("\n".join(lines).encode(encoding))
    return path


def names(session: Session) -> list[str]:
    return [one.metadata.edition.name for one in session.library.list_editions() if one.metadata is not None]


def in_library(session: Session, *words: str, binding: int | None = None, language: str = "en") -> EditionMetadata:
    return session.library.add_edition(words, edition(binding=binding, language=language))


def retype(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


# --- a plain list


def test_word_lists_panel_imports_and_chooses_a_list_by_keys(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    opened = panel(window)
    opened.open_import_form(plain(tmp_path, "art", "tart", "start"))
    focused = window.focusWidget()
    assert focused is form(window).name
    QTest.keyClicks(focused, "House list")
    QTest.keyClick(focused, Qt.Key.Key_Return)

    assert names(full_session) == ["House list"]
    (metadata,) = (one.metadata for one in full_session.library.list_editions())
    assert metadata is not None
    assert (metadata.words, metadata.practice, metadata.edition.language) == (3, False, "en")
    use = window.focusWidget()
    assert use is button(opened, "Use in this tournament")
    QTest.keyClick(use, Qt.Key.Key_Return)
    assert full_session.tournament.event.wordlist == metadata.id
    found = full_session.open_word_list()
    assert found is not None
    assert found.has_word("START")

    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert full_session.tournament.event.wordlist == ""
    assert full_session.open_word_list() is None


def test_import_form_shows_dropped_lines_and_reasons(window: Window, tmp_path: Path) -> None:
    panel(window).open_import_form(plain(tmp_path, "# mine", "art", "New York", "x1", "a", "art"))
    told = said(form(window))
    assert "1 word" in told
    assert "Left out: 1 line, the word has a space (line 3: New York)" in told
    assert "Left out: 1 line, the word has a digit (line 4: x1)" in told
    assert "Left out: 1 line, the word has the same letters as an earlier line" in told


def test_import_form_reads_again_in_another_encoding(window: Window, tmp_path: Path) -> None:
    panel(window).open_import_form(plain(tmp_path, "blå", "bær", "hånd", encoding="cp1252"))
    shown_form = form(window)
    shown_form.language.choose("nb")
    assert "BLÅ, BÆR, HÅND" in said(shown_form)
    assert "cp1252" in shown_form.encoding.currentText()

    shown_form.encoding.choose("utf-8")
    assert "The list cannot be read as utf-8." in said(shown_form)
    assert not shown_form.import_button.isEnabled()

    shown_form.encoding.choose("cp850")
    assert "BLÅ" not in said(shown_form)
    shown_form.encoding.choose(None)
    assert "BLÅ, BÆR, HÅND" in said(shown_form)


@pytest.mark.slow
def test_import_form_takes_hyphens_and_capitals_on_request(window: Window, tmp_path: Path) -> None:
    panel(window).open_import_form(plain(tmp_path, "mee-eten", "Anna", "taart"))
    shown_form = form(window)
    shown_form.language.choose("nl")
    assert "MEEETEN, ANNA, TAART" in said(shown_form)
    QTest.keyClick(shown_form.joints, Qt.Key.Key_Space)
    QTest.keyClick(shown_form.names, Qt.Key.Key_Space)
    assert "For example TAART" in said(shown_form)
    assert "the word has a capital letter, so it is a name" in said(shown_form)


@pytest.mark.parametrize(
    ("name", "typed", "word"),
    [("date", "soon", "soon"), ("binding", "99", "99"), ("binding", "x", "x"), ("name", " ", "name")],
)
def test_import_form_focuses_an_invalid_field(
    window: Window, full_session: Session, tmp_path: Path, qtbot: QtBot, name: str, typed: str, word: str
) -> None:
    panel(window).open_import_form(plain(tmp_path, "art"))
    field: QLineEdit = getattr(form(window), name)
    retype(field, typed)
    with qtbot.waitSignal(full_session.message_sent) as told:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert told.args is not None
    assert word in told.args[0]
    assert window.focusWidget() is field
    assert names(full_session) == []


@pytest.mark.slow
def test_word_lists_panel_esc_leaves_import_then_panel(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    opened = panel(window)
    opened.open_import_form(plain(tmp_path, "art"))
    focused = window.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert opened.isVisible()
    focused = window.focusWidget()
    assert focused is opened.view
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert window.panel is None
    assert names(full_session) == []


@pytest.mark.slow
def test_import_form_refuses_a_file_without_words(window: Window, tmp_path: Path) -> None:
    panel(window).open_import_form(plain(tmp_path, "1", "2"))
    assert "There are no words in this list." in said(form(window))
    panel(window).cancel_import()
    panel(window).open_import_form(tmp_path / "none.txt")
    assert "There is no such file." in said(form(window))


@pytest.mark.slow
def test_word_lists_panel_does_not_import_a_list_twice(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    for _ in range(2):
        panel(window).open_import_form(plain(tmp_path, "art"))
        panel(window).import_word_list()
    assert len(full_session.library.list_editions()) == 1
    assert form(window).isEnabled()


# --- on another thread


@pytest.mark.slow
def test_word_lists_panel_cancelled_import_leaves_nothing(threaded: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(threaded, qtbot, "tournament")
    opened = panel(window)
    opened.open_import_form(plain(tmp_path, *made_up(60_000)))
    shown_form = form(window)
    qtbot.waitUntil(shown_form.import_button.isEnabled)
    opened.import_word_list()
    opened.cancel_task()
    qtbot.waitUntil(shown_form.isEnabled)
    assert not threaded.library.folder.exists() or not list(threaded.library.folder.iterdir())

    opened.import_word_list()
    qtbot.waitUntil(lambda: names(threaded) == ["plain"])


@pytest.mark.slow
def test_word_lists_panel_restarts_a_stopped_reading(threaded: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(threaded, qtbot, "tournament")
    opened = panel(window)
    opened.open_import_form(plain(tmp_path, *made_up(60_000)))
    opened.cancel_task()
    shown_form = form(window)
    qtbot.waitUntil(lambda: "Stopped." in said(shown_form))
    assert not shown_form.import_button.isEnabled()
    shown_form.joints.click()
    qtbot.waitUntil(shown_form.import_button.isEnabled)
    assert "Stopped." not in said(shown_form)


@pytest.mark.slow
def test_word_lists_panel_finishes_an_import_after_closing(
    threaded: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = show_window(threaded, qtbot, "tournament")
    opened = panel(window)
    opened.open_import_form(plain(tmp_path, *made_up(60_000)))
    qtbot.waitUntil(form(window).import_button.isEnabled)
    with qtbot.waitSignal(threaded.message_sent) as told:
        opened.import_word_list()
        window.show_page("players")
    assert told.args is not None
    assert told.args[0].startswith("Word list plain added")
    assert names(threaded) == ["plain"]


@pytest.mark.slow
def test_word_lists_panel_shows_the_newest_reading(threaded: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(threaded, qtbot, "tournament")
    panel(window).open_import_form(plain(tmp_path, "Anna", *map(str.lower, made_up(60_000))))
    shown_form = form(window)
    shown_form.names.setChecked(True)
    shown_form.names.setChecked(False)
    shown_form.names.setChecked(True)
    qtbot.waitUntil(shown_form.import_button.isEnabled)
    assert "the word has a capital letter, so it is a name" in said(shown_form)


# --- editions


def test_word_lists_panel_adds_verifies_and_removes_an_edition_file(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    lexicon(tmp_path / "mine.lex", "ART", "TART").close()
    opened = panel(window)
    opened.import_edition_file(tmp_path / "mine.lex")
    assert names(full_session) == ["Test 2024"]
    assert "2 words" in said(opened)

    opened.verify_edition()
    opened.remove_edition()
    asked = window.findChild(RemoveEditionDialog)
    assert isinstance(asked, RemoveEditionDialog)
    assert "cannot be undone" in said(asked)
    QTest.keyClick(asked.yes, Qt.Key.Key_Return)
    assert names(full_session) == []
    assert opened.rows.keys() == ()


@pytest.mark.slow
def test_remove_dialog_can_be_cancelled(window: Window, full_session: Session) -> None:
    in_library(full_session, "ART")
    opened = panel(window)
    opened.remove_edition()
    asked = window.findChild(RemoveEditionDialog)
    assert isinstance(asked, RemoveEditionDialog)
    focused = asked.focusWidget()
    assert focused is asked.no
    QTest.keyClick(focused, Qt.Key.Key_Return)
    assert names(full_session) == ["Test 2024"]


def test_word_lists_panel_reports_and_removes_a_damaged_edition(window: Window, full_session: Session) -> None:
    in_library(full_session, "ART")
    path = full_session.library.list_editions()[0].path
    path.write_bytes(path.read_bytes()[:-4096])
    opened = panel(window)
    assert "(damaged)" in opened.rows.row(str(path)).name
    assert "the word list is damaged" in said(opened)
    assert not button(opened, "Use in this tournament").isEnabled()
    opened.remove_edition()
    asked = window.findChild(RemoveEditionDialog)
    assert isinstance(asked, RemoveEditionDialog)
    asked.confirm_dialog()
    assert opened.rows.keys() == ()


def test_word_lists_panel_refuses_another_file(
    window: Window, full_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(full_session.message_sent) as told:
        panel(window).import_edition_file(plain(tmp_path, "art"))
    assert told.args is not None
    assert told.args[2] == "red"
    assert "not a word list of tdapp" in told.args[0]
    assert names(full_session) == []


def test_word_lists_panel_adds_a_labelled_practice_list(window: Window, full_session: Session) -> None:
    opened = panel(window)
    QTest.keyClick(button(opened, "Add"), Qt.Key.Key_Return)
    (metadata,) = (one.metadata for one in full_session.library.list_editions())
    assert metadata is not None
    assert metadata.practice
    assert "Practice list, used by no federation" in said(opened)
    assert "(practice list)" in opened.rows.row(opened.view.current_key()).name


@pytest.mark.slow
def test_word_lists_panel_is_read_only_in_a_finished_tournament(window: Window, full_session: Session) -> None:
    in_library(full_session, "ART")
    opened = panel(window)
    full_session.do(partial(commands.finish_tournament))
    assert not button(opened, "Use in this tournament").isEnabled()
    opened.toggle_use_of_edition()
    assert full_session.tournament.event.wordlist == ""


# --- the tournament


def test_word_list_note_offers_the_only_list_of_the_language(window: Window, full_session: Session) -> None:
    in_library(full_session, "ART", binding=7)
    in_library(full_session, "KUNST", language="nl")
    window.refresh_window()
    QTest.keyClick(button(window.page, "Use the word list Test 2024"), Qt.Key.Key_Return)
    found = full_session.open_word_list()
    assert found is not None
    assert found.has_word("ART")
    told = said(window.page)
    assert "Test 2024" in told
    assert "English · edition of 1 May 2024 · 1 word" in told
    assert "The list decides on words of up to 7 letters." in told


@pytest.mark.slow
def test_word_list_note_leaves_the_choice_between_two_lists(window: Window, full_session: Session) -> None:
    in_library(full_session, "ART")
    in_library(full_session, "ART", "TART")
    window.refresh_window()
    texts = [one.text() for one in window.page.findChildren(QAbstractButton) if one.isVisible()]
    assert "Use the word list Test 2024" not in texts
    assert "No word list is chosen for this tournament." in said(window.page)


def test_word_list_note_reports_a_missing_list(window: Window, full_session: Session, tmp_path: Path) -> None:
    path = tmp_path / "mine.lex"
    with lexicon(path, "ART", language="en") as elsewhere:
        wanted = elsewhere.metadata.id
    full_session.do(partial(commands.choose_wordlist, wordlist=wanted))
    assert f"number {wanted}, is not on this computer" in said(window.page)
    opened = panel(window)
    assert f"number {wanted}, is not on this computer" in said(opened)
    opened.import_edition_file(path)
    assert "not on this computer" not in said(opened)
    assert "not on this computer" not in said(window.page)


@pytest.mark.slow
def test_word_lists_panel_reports_a_removed_chosen_list(window: Window, full_session: Session) -> None:
    metadata = in_library(full_session, "ART")
    full_session.do(partial(commands.choose_wordlist, wordlist=metadata.id))
    opened = panel(window)
    opened.remove_edition()
    asked = window.findChild(RemoveEditionDialog)
    assert isinstance(asked, RemoveEditionDialog)
    assert "The jury of this tournament uses this word list" in said(asked)
    asked.confirm_dialog()
    assert "not on this computer" in said(window.page)
    assert full_session.open_word_list() is None


def test_open_demo_has_words_of_our_list(appearance: Appearance, settings: QSettings) -> None:
    for language, has in (("nl", True), ("nb", False)):
        session = make_session(language, appearance, settings)
        open_demo(session)
        found = session.open_word_list()
        assert (found is not None and found.metadata.practice) is has
        session.close()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_word_lists_panel_in_every_language(
    appearance: Appearance, settings: QSettings, qtbot: QtBot, tmp_path: Path, language: str
) -> None:
    session = make_session(language, appearance, settings)
    session.attach_desk(make_desk(make_tournament(players=2)))
    window = show_window(session, qtbot, "tournament")
    opened = panel(window)
    opened.open_import_form(plain(tmp_path, "art", "New York"))
    opened.import_word_list()
    opened.toggle_use_of_edition()
    assert session.open_word_list() is not None
    assert not window.grab().isNull()
    session.close()


def test_word_lists_panel_previews_imports_and_compares_a_supplement(window: Window, tmp_path: Path) -> None:
    opened = panel(window)
    opened.open_import_form(plain(tmp_path, "art\tnoun", "tart", "start"))
    form(window).import_button.click()
    changes = tmp_path / "changes.txt"
    changes.write_text("+starts\n-tart\n-zoo\n", "utf-8")
    with answer_file_dialogs(changes):
        opened.ask_supplement_file()
    texts = [one.text() for one in form(window).findChildren(QLabel)]
    assert "Words added: 1, removed: 1\nNot in the list, so not removed: ZOO" in texts
    form(window).import_button.click()
    assert len(window.session.library.list_editions()) == 2
    old = next(key for key in tuple(opened.rows.keys()) if "changes" not in opened.rows.row(key).name)
    opened.view.choose(old)
    opened.compare_editions()
    shown_rows = find_dialog(window, CompareEditionsDialog).rows
    assert [(row.word, row.change) for row in map(shown_rows.row, shown_rows.keys())] == [
        ("STARTS", "+"), ("TART", "-"),
    ]  # fmt: skip


# --- what the rules do not allow


def forbidding(window: Window, tmp_path: Path) -> WordListsPanel:
    """The panel of an event under the Belgian book with a list that has AUTO'S as AUTOS and AMSTERDAM."""
    session = window.session
    session.do(partial(commands.change_rules, ruleset=load_rule_set("nl-match")))
    opened = panel(window)
    opened.open_import_form(plain(tmp_path, "auto's", "Amsterdam", "aap"))
    assert "One word is written with a capital, as names are." in said(form(window))
    assert "hyphen or an apostrophe." not in said(form(window))
    form(window).import_button.click()
    session.do(partial(commands.change_rules, ruleset=load_rule_set("be-brailleliga")))
    opened.refresh_panel()
    return opened


def test_use_dialog_asks_about_words_that_the_rules_forbid(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    opened = forbidding(window, tmp_path)
    assert said(opened).count("One word is written with a hyphen or an apostrophe.") == 1
    page = window.pages.get_page("tournament")
    window.show_page("tournament")
    assert not [one for one in page.findChildren(QAbstractButton) if one.text() == "Use plain" and one.isVisible()]
    button(opened, "Use in this tournament").click()
    [dialog] = [one for one in window.findChildren(UseUnfitEditionDialog) if one.isVisible()]
    assert "These rules do not allow such words" in said(dialog)
    dialog.no.click()
    assert full_session.tournament.event.wordlist == ""
    button(opened, "Use in this tournament").click()
    [dialog] = [one for one in window.findChildren(UseUnfitEditionDialog) if one.isVisible()]
    dialog.confirm_dialog()
    assert full_session.tournament.event.wordlist
    assert "These rules do not allow such words" in said(page)
    button(opened, "Stop using this word list").click()
    assert full_session.tournament.event.wordlist == ""


@pytest.mark.slow
def test_word_lists_panel_uses_a_fitting_list_at_once(window: Window, full_session: Session) -> None:
    full_session.do(partial(commands.change_rules, ruleset=load_rule_set("be-brailleliga")))
    in_library(full_session, "ART", language="nl")
    button(panel(window), "Use in this tournament").click()
    assert full_session.tournament.event.wordlist


@pytest.mark.slow
def test_import_form_warns_of_missing_compounds(window: Window, tmp_path: Path) -> None:
    (tmp_path / "nl.aff").write_text("SET UTF-8\nCOMPOUNDFLAG C\n", "utf-8")
    (tmp_path / "nl.dic").write_text("2\ndeur/C\nbel/C\n", "utf-8")
    panel(window).open_import_form(tmp_path / "nl.dic")
    assert "Compounds are missing unless they are listed: 2 words of this dictionary" in said(form(window))


@pytest.mark.slow
def test_import_form_allows_printing_of_an_own_list(window: Window, full_session: Session, tmp_path: Path) -> None:
    opened = panel(window)
    opened.open_import_form(plain(tmp_path, "art", "tart"))
    form(window).printable.click()
    form(window).binding.setText("15")
    form(window).import_button.click()
    [metadata] = [one.metadata for one in full_session.library.list_editions()]
    assert metadata is not None
    assert (metadata.practice, metadata.may_be_printed, metadata.edition.binding_max_length) == (False, True, 15)
    assert "The list decides on words of all lengths." in said(opened)
    assert "The words of this list may be printed." in said(opened)
