"""Tests of word lists in the window: import form, editions, practice lists and the list of the jury."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.gui.jury.word_list_views import CompareEditionsDialog, WordListImportForm
from tdapp.gui.jury.word_lists_panel import RemoveEditionDialog, UnsuitableEditionDialog, WordListsPanel
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.services.demo import open_sample_tournament
from tdapp.services.resources import Resources
from tdapp.storage.lexicon import EditionMetadata
from tdapp.storage.library import WordListLibrary
from tests.building import load_rule_set
from tests.gui.samples import RESOURCES, make_desk, make_session, make_tournament
from tests.gui.windows import answer_file_dialogs, find_dialog, read_visible_labels, show_window
from tests.storage.random_lexicons import build_lexicon, make_edition, make_random_words


@pytest.fixture
def window(full_session: Session, qtbot: QtBot) -> Window:
    return show_window(full_session, qtbot, "tournament")


@pytest.fixture
def threaded_session(appearance: Appearance, settings: QSettings, tmp_path: Path) -> Iterator[Session]:
    """Yield a session with real worker threads."""
    session = Session(
        work=SessionWorker(),
        catalogue=Catalogue("en", RESOURCES / "locale"),
        appearance=appearance,
        resources=Resources(RESOURCES),
        settings=settings,
        library=WordListLibrary(tmp_path / "lexicons"),
    )
    session.open_tournament_of_desk(make_desk(make_tournament(players=2)))
    yield session
    session.close()
    session.work.close()


def open_word_lists_panel(window: Window) -> WordListsPanel:
    if not isinstance(window.panel, WordListsPanel):
        window.get_action("word-lists").trigger()
    shown_panel = window.panel
    assert isinstance(shown_panel, WordListsPanel)
    return shown_panel


def find_import_form(window: Window) -> WordListImportForm:
    return next(import_form for import_form in window.findChildren(WordListImportForm) if import_form.isVisible())


def find_button(parent: QWidget, text: str) -> QAbstractButton:
    return next(
        candidate
        for candidate in parent.findChildren(QAbstractButton)
        if candidate.text() == text and candidate.isVisible()
    )


def write_plain_list(tmp_path: Path, *lines: str, encoding: str = "utf-8") -> Path:
    path = tmp_path / "plain.txt"
    path.write_bytes("\n".join(lines).encode(encoding))
    return path


def list_edition_names(session: Session) -> list[str]:
    return [
        listed_edition.metadata.edition.name
        for listed_edition in session.library.list_editions()
        if listed_edition.metadata is not None
    ]


def add_edition_to_library(
    session: Session, *words: str, binding: int | None = None, language: str = "en"
) -> EditionMetadata:
    return session.library.add_edition(words, make_edition(binding=binding, language=language))


def replace_text(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


# --- a plain list


def test_word_lists_panel_imports_and_chooses_a_list_by_keyboard(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    panel = open_word_lists_panel(window)
    panel.open_import_form(write_plain_list(tmp_path, "art", "tart", "start"))
    focused = window.focusWidget()
    assert focused is find_import_form(window).name
    QTest.keyClicks(focused, "House list")
    QTest.keyClick(focused, Qt.Key.Key_Return)

    assert list_edition_names(full_session) == ["House list"]
    (metadata,) = (listed_edition.metadata for listed_edition in full_session.library.list_editions())
    assert metadata is not None
    assert (metadata.words, metadata.practice, metadata.edition.language) == (3, False, "en")
    day = full_session.catalogue.format_short_date(metadata.edition.date, "yMd")
    assert [panel.rows.get_text_at(0, column) for column in (1, 2)] == ["English", day]
    use_button = window.focusWidget()
    assert use_button is find_button(panel, "Use in this tournament")
    QTest.keyClick(use_button, Qt.Key.Key_Return)
    assert full_session.tournament.event.wordlist == metadata.id
    word_list = full_session.open_word_list()
    assert word_list is not None
    assert word_list.has_word("START")

    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert full_session.tournament.event.wordlist == ""
    assert full_session.open_word_list() is None


def test_import_form_shows_omitted_lines_and_reasons(window: Window, tmp_path: Path) -> None:
    open_word_lists_panel(window).open_import_form(
        write_plain_list(tmp_path, "# mine", "art", "New York", "x1", "a", "art")
    )
    label_text = read_visible_labels(find_import_form(window))
    assert "1 word" in label_text
    assert "1 line left out: the word has a space (line 3: New York)" in label_text
    assert "1 line left out: the word has a digit (line 4: x1)" in label_text
    assert "1 line left out: an earlier line has the same word" in label_text


def test_import_form_reads_the_list_again_in_another_encoding(window: Window, tmp_path: Path) -> None:
    open_word_lists_panel(window).open_import_form(
        write_plain_list(tmp_path, "blå", "bær", "hånd", encoding="cp1252")
    )
    import_form = find_import_form(window)
    import_form.language.choose_value("nb")
    assert "BLÅ, BÆR, HÅND" in read_visible_labels(import_form)
    assert "cp1252" in import_form.encoding.currentText()

    import_form.encoding.choose_value("utf-8")
    assert "The list cannot be read as utf-8." in read_visible_labels(import_form)
    assert not import_form.import_button.isEnabled()

    import_form.encoding.choose_value("cp850")
    assert "BLÅ" not in read_visible_labels(import_form)
    import_form.encoding.choose_value(None)
    assert "BLÅ, BÆR, HÅND" in read_visible_labels(import_form)


@pytest.mark.slow
def test_import_form_accepts_or_omits_hyphens_and_capitals(window: Window, tmp_path: Path) -> None:
    open_word_lists_panel(window).open_import_form(write_plain_list(tmp_path, "mee-eten", "Anna", "taart"))
    import_form = find_import_form(window)
    import_form.language.choose_value("nl")
    assert "MEEETEN, ANNA, TAART" in read_visible_labels(import_form)
    QTest.keyClick(import_form.joints, Qt.Key.Key_Space)
    QTest.keyClick(import_form.names, Qt.Key.Key_Space)
    assert "For example TAART" in read_visible_labels(import_form)
    assert "the word has a capital letter, so it is a name" in read_visible_labels(import_form)


@pytest.mark.parametrize(
    ("name", "text", "message_part"),
    [("date", "soon", "soon"), ("binding", "99", "99"), ("binding", "x", "x"), ("name", " ", "name")],
)
def test_import_form_focuses_an_invalid_field(
    window: Window, full_session: Session, tmp_path: Path, qtbot: QtBot, name: str, text: str, message_part: str
) -> None:
    open_word_lists_panel(window).open_import_form(write_plain_list(tmp_path, "art"))
    field: QLineEdit = getattr(find_import_form(window), name)
    replace_text(field, text)
    with qtbot.waitSignal(full_session.message_sent) as message_signal:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert message_signal.args is not None
    assert message_part in message_signal.args[0]
    assert window.focusWidget() is field
    assert list_edition_names(full_session) == []


@pytest.mark.slow
def test_word_lists_panel_esc_closes_the_import_then_the_panel(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    panel = open_word_lists_panel(window)
    panel.open_import_form(write_plain_list(tmp_path, "art"))
    focused = window.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert panel.isVisible()
    focused = window.focusWidget()
    assert focused is panel.view
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert window.panel is None
    assert list_edition_names(full_session) == []


@pytest.mark.slow
def test_import_form_refuses_a_file_without_words(window: Window, tmp_path: Path) -> None:
    open_word_lists_panel(window).open_import_form(write_plain_list(tmp_path, "1", "2"))
    assert "There are no words in this list." in read_visible_labels(find_import_form(window))
    open_word_lists_panel(window).close_import_form()
    open_word_lists_panel(window).open_import_form(tmp_path / "none.txt")
    assert "This file does not exist." in read_visible_labels(find_import_form(window))


@pytest.mark.slow
def test_word_lists_panel_does_not_import_a_list_twice(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    for _ in range(2):
        open_word_lists_panel(window).open_import_form(write_plain_list(tmp_path, "art"))
        open_word_lists_panel(window).import_word_list()
    assert len(full_session.library.list_editions()) == 1
    assert find_import_form(window).isEnabled()


# --- with worker threads


@pytest.mark.slow
def test_word_lists_panel_cancelled_import_leaves_no_file(
    threaded_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = show_window(threaded_session, qtbot, "tournament")
    panel = open_word_lists_panel(window)
    panel.open_import_form(write_plain_list(tmp_path, *make_random_words(60_000)))
    import_form = find_import_form(window)
    qtbot.waitUntil(import_form.import_button.isEnabled)
    panel.import_word_list()
    panel.cancel_task()
    qtbot.waitUntil(import_form.isEnabled)
    assert not threaded_session.library.folder.exists() or not list(threaded_session.library.folder.iterdir())

    panel.import_word_list()
    qtbot.waitUntil(lambda: list_edition_names(threaded_session) == ["plain"])


@pytest.mark.slow
def test_word_lists_panel_can_restart_cancelled_reading(
    threaded_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = show_window(threaded_session, qtbot, "tournament")
    panel = open_word_lists_panel(window)
    panel.open_import_form(write_plain_list(tmp_path, *make_random_words(60_000)))
    panel.cancel_task()
    import_form = find_import_form(window)
    qtbot.waitUntil(lambda: "Stopped." in read_visible_labels(import_form))
    assert not import_form.import_button.isEnabled()
    import_form.joints.click()
    qtbot.waitUntil(import_form.import_button.isEnabled)
    assert "Stopped." not in read_visible_labels(import_form)


@pytest.mark.slow
def test_word_lists_panel_finishes_an_import_after_closing(
    threaded_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = show_window(threaded_session, qtbot, "tournament")
    panel = open_word_lists_panel(window)
    panel.open_import_form(write_plain_list(tmp_path, *make_random_words(60_000)))
    qtbot.waitUntil(find_import_form(window).import_button.isEnabled)
    with qtbot.waitSignal(threaded_session.message_sent) as message_signal:
        panel.import_word_list()
        window.show_page("players")
    assert message_signal.args is not None
    assert message_signal.args[0].startswith("Word list plain added")
    assert list_edition_names(threaded_session) == ["plain"]


@pytest.mark.slow
def test_word_lists_panel_shows_the_newest_options_of_the_form(
    threaded_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = show_window(threaded_session, qtbot, "tournament")
    open_word_lists_panel(window).open_import_form(
        write_plain_list(tmp_path, "Anna", *map(str.lower, make_random_words(60_000)))
    )
    import_form = find_import_form(window)
    import_form.names.setChecked(True)
    import_form.names.setChecked(False)
    import_form.names.setChecked(True)
    qtbot.waitUntil(import_form.import_button.isEnabled)
    assert "the word has a capital letter, so it is a name" in read_visible_labels(import_form)


# --- editions


def test_word_lists_panel_adds_verifies_and_removes_an_edition_file(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    build_lexicon(tmp_path / "mine.lex", "ART", "TART").close()
    panel = open_word_lists_panel(window)
    panel.import_edition_file(tmp_path / "mine.lex")
    assert list_edition_names(full_session) == ["Test 2024"]
    assert "2 words" in read_visible_labels(panel)

    panel.verify_edition()
    panel.open_remove_edition_dialog()
    dialog = window.findChild(RemoveEditionDialog)
    assert isinstance(dialog, RemoveEditionDialog)
    assert "cannot be undone" in read_visible_labels(dialog)
    QTest.keyClick(dialog.yes, Qt.Key.Key_Return)
    assert list_edition_names(full_session) == []
    assert panel.rows.keys() == ()


@pytest.mark.slow
def test_remove_edition_dialog_can_be_cancelled(window: Window, full_session: Session) -> None:
    add_edition_to_library(full_session, "ART")
    panel = open_word_lists_panel(window)
    panel.open_remove_edition_dialog()
    dialog = window.findChild(RemoveEditionDialog)
    assert isinstance(dialog, RemoveEditionDialog)
    focused = dialog.focusWidget()
    assert focused is dialog.no
    QTest.keyClick(focused, Qt.Key.Key_Return)
    assert list_edition_names(full_session) == ["Test 2024"]


def test_word_lists_panel_reports_and_removes_a_damaged_edition(window: Window, full_session: Session) -> None:
    add_edition_to_library(full_session, "ART")
    path = full_session.library.list_editions()[0].path
    path.write_bytes(path.read_bytes()[:-4096])
    panel = open_word_lists_panel(window)
    assert "(damaged)" in panel.rows.find_row_by_key(str(path)).name
    assert "the word list is damaged" in read_visible_labels(panel)
    assert not find_button(panel, "Use in this tournament").isEnabled()
    panel.open_remove_edition_dialog()
    dialog = window.findChild(RemoveEditionDialog)
    assert isinstance(dialog, RemoveEditionDialog)
    dialog.confirm_dialog()
    assert panel.rows.keys() == ()


def test_word_lists_panel_refuses_another_file(
    window: Window, full_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(full_session.message_sent) as message_signal:
        open_word_lists_panel(window).import_edition_file(write_plain_list(tmp_path, "art"))
    assert message_signal.args is not None
    assert message_signal.args[2] == "red"
    assert "not a tdapp word list" in message_signal.args[0]
    assert list_edition_names(full_session) == []


def test_word_lists_panel_adds_a_labelled_practice_list(window: Window, full_session: Session) -> None:
    panel = open_word_lists_panel(window)
    QTest.keyClick(find_button(panel, "Add"), Qt.Key.Key_Return)
    (metadata,) = (listed_edition.metadata for listed_edition in full_session.library.list_editions())
    assert metadata is not None
    assert metadata.practice
    assert "Practice list, not used by any federation" in read_visible_labels(panel)
    assert "(practice list)" in panel.rows.find_row_by_key(panel.view.get_current_row_key()).name


@pytest.mark.slow
def test_word_lists_panel_is_read_only_in_a_finished_tournament(window: Window, full_session: Session) -> None:
    add_edition_to_library(full_session, "ART")
    panel = open_word_lists_panel(window)
    full_session.do(partial(commands.finish_tournament))
    assert not find_button(panel, "Use in this tournament").isEnabled()
    panel.toggle_use_of_edition()
    assert full_session.tournament.event.wordlist == ""


# --- the tournament


def test_word_list_note_offers_the_only_list_of_the_language(window: Window, full_session: Session) -> None:
    add_edition_to_library(full_session, "ART", binding=7)
    add_edition_to_library(full_session, "KUNST", language="nl")
    window.refresh_window()
    QTest.keyClick(find_button(window.page, "Use the word list Test 2024"), Qt.Key.Key_Return)
    word_list = full_session.open_word_list()
    assert word_list is not None
    assert word_list.has_word("ART")
    label_text = read_visible_labels(window.page)
    assert "Test 2024" in label_text
    assert "English · edition of 1 May 2024 · 1 word" in label_text
    assert "The list decides on words of up to 7 letters." in label_text


@pytest.mark.slow
def test_word_list_note_offers_no_list_if_two_are_possible(window: Window, full_session: Session) -> None:
    add_edition_to_library(full_session, "ART")
    add_edition_to_library(full_session, "ART", "TART")
    window.refresh_window()
    texts = [button.text() for button in window.page.findChildren(QAbstractButton) if button.isVisible()]
    assert "Use the word list Test 2024" not in texts
    assert "No word list is chosen for this tournament." in read_visible_labels(window.page)


def test_word_list_note_reports_a_missing_list(window: Window, full_session: Session, tmp_path: Path) -> None:
    path = tmp_path / "mine.lex"
    with build_lexicon(path, "ART", language="en") as missing_list:
        list_id = missing_list.metadata.id
    full_session.do(partial(commands.choose_wordlist, wordlist=list_id))
    assert f"number {list_id}, is not on this computer" in read_visible_labels(window.page)
    panel = open_word_lists_panel(window)
    assert f"number {list_id}, is not on this computer" in read_visible_labels(panel)
    panel.import_edition_file(path)
    assert "not on this computer" not in read_visible_labels(panel)
    assert "not on this computer" not in read_visible_labels(window.page)


@pytest.mark.slow
def test_word_lists_panel_reports_a_removed_chosen_list(window: Window, full_session: Session) -> None:
    metadata = add_edition_to_library(full_session, "ART")
    full_session.do(partial(commands.choose_wordlist, wordlist=metadata.id))
    panel = open_word_lists_panel(window)
    panel.open_remove_edition_dialog()
    dialog = window.findChild(RemoveEditionDialog)
    assert isinstance(dialog, RemoveEditionDialog)
    assert "The jury of this tournament uses this word list" in read_visible_labels(dialog)
    dialog.confirm_dialog()
    assert "not on this computer" in read_visible_labels(window.page)
    assert full_session.open_word_list() is None


def test_open_demo_uses_our_practice_list(appearance: Appearance, settings: QSettings) -> None:
    for language, has_practice_list in (("nl", True), ("nb", False)):
        session = make_session(language, appearance, settings)
        open_sample_tournament(session)
        word_list = session.open_word_list()
        assert (word_list is not None and word_list.metadata.practice) is has_practice_list
        session.close()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_word_lists_panel_works_in_every_language(
    appearance: Appearance, settings: QSettings, qtbot: QtBot, tmp_path: Path, language: str
) -> None:
    session = make_session(language, appearance, settings)
    session.open_tournament_of_desk(make_desk(make_tournament(players=2)))
    window = show_window(session, qtbot, "tournament")
    panel = open_word_lists_panel(window)
    panel.open_import_form(write_plain_list(tmp_path, "art", "New York"))
    panel.import_word_list()
    panel.toggle_use_of_edition()
    assert session.open_word_list() is not None
    assert not window.grab().isNull()
    session.close()


def test_word_lists_panel_previews_imports_and_compares_a_supplement(window: Window, tmp_path: Path) -> None:
    panel = open_word_lists_panel(window)
    panel.open_import_form(write_plain_list(tmp_path, "art\tnoun", "tart", "start"))
    find_import_form(window).import_button.click()
    changes = tmp_path / "changes.txt"
    changes.write_text("+starts\n-tart\n-zoo\n", "utf-8")
    with answer_file_dialogs(changes):
        panel.ask_path_and_open_supplement_form()
    texts = [label.text() for label in find_import_form(window).findChildren(QLabel)]
    assert "Words added: 1, removed: 1\nNot in the list, so not removed: ZOO" in texts
    find_import_form(window).import_button.click()
    assert len(window.session.library.list_editions()) == 2
    old_key = next(
        key for key in tuple(panel.rows.keys()) if "changes" not in panel.rows.find_row_by_key(key).name
    )
    panel.view.select_row(old_key)
    panel.open_compare_editions_dialog()
    changes_model = find_dialog(window, CompareEditionsDialog).rows
    assert [(row.word, row.change) for row in map(changes_model.find_row_by_key, changes_model.keys())] == [
        ("STARTS", "+"), ("TART", "-"),
    ]  # fmt: skip


# --- words that the rules forbid


def import_forbidden_words(window: Window, tmp_path: Path) -> WordListsPanel:
    """Import AUTO'S as AUTOS and a name, then choose the Belgian rules, which forbid both. Return the panel."""
    session = window.session
    session.do(partial(commands.change_rules, ruleset=load_rule_set("nl-match")))
    panel = open_word_lists_panel(window)
    panel.open_import_form(write_plain_list(tmp_path, "auto's", "Amsterdam", "aap"))
    assert "One word is written with a capital, as names are." in read_visible_labels(find_import_form(window))
    assert "hyphen or an apostrophe." not in read_visible_labels(find_import_form(window))
    find_import_form(window).import_button.click()
    session.do(partial(commands.change_rules, ruleset=load_rule_set("be-brailleliga")))
    panel.refresh_panel()
    return panel


def test_use_unfit_edition_dialog_asks_about_forbidden_words(
    window: Window, full_session: Session, tmp_path: Path
) -> None:
    panel = import_forbidden_words(window, tmp_path)
    assert read_visible_labels(panel).count("One word is written with a hyphen or an apostrophe.") == 1
    page = window.pages.get_page("tournament")
    window.show_page("tournament")
    assert not [
        widget
        for widget in page.findChildren(QAbstractButton)
        if widget.text() == "Use the word list plain" and widget.isVisible()
    ]
    find_button(panel, "Use in this tournament").click()
    [dialog] = [widget for widget in window.findChildren(UnsuitableEditionDialog) if widget.isVisible()]
    assert "These rules do not allow such words" in read_visible_labels(dialog)
    dialog.no.click()
    assert full_session.tournament.event.wordlist == ""
    find_button(panel, "Use in this tournament").click()
    [dialog] = [widget for widget in window.findChildren(UnsuitableEditionDialog) if widget.isVisible()]
    dialog.confirm_dialog()
    assert full_session.tournament.event.wordlist
    assert "These rules do not allow such words" in read_visible_labels(page)
    find_button(panel, "Stop using this word list").click()
    assert full_session.tournament.event.wordlist == ""


@pytest.mark.slow
def test_word_lists_panel_uses_a_fitting_list_at_once(window: Window, full_session: Session) -> None:
    full_session.do(partial(commands.change_rules, ruleset=load_rule_set("be-brailleliga")))
    add_edition_to_library(full_session, "ART", language="nl")
    find_button(open_word_lists_panel(window), "Use in this tournament").click()
    assert full_session.tournament.event.wordlist


@pytest.mark.slow
def test_import_form_warns_about_missing_compounds(window: Window, tmp_path: Path) -> None:
    (tmp_path / "nl.aff").write_text("SET UTF-8\nCOMPOUNDFLAG C\n", "utf-8")
    (tmp_path / "nl.dic").write_text("2\ndeur/C\nbel/C\n", "utf-8")
    open_word_lists_panel(window).open_import_form(tmp_path / "nl.dic")
    assert (
        "Only listed compound words are imported. 2 words of this dictionary can also form other compounds, "
        "which will be missing." in read_visible_labels(find_import_form(window))
    )


@pytest.mark.slow
def test_import_form_allows_printing_of_an_own_list(window: Window, full_session: Session, tmp_path: Path) -> None:
    panel = open_word_lists_panel(window)
    panel.open_import_form(write_plain_list(tmp_path, "art", "tart"))
    find_import_form(window).printable.click()
    find_import_form(window).binding.setText("15")
    find_import_form(window).import_button.click()
    [metadata] = [listed_edition.metadata for listed_edition in full_session.library.list_editions()]
    assert metadata is not None
    assert (metadata.practice, metadata.can_words_be_printed, metadata.edition.binding_max_length) == (
        False,
        True,
        15,
    )
    assert "The list decides on words of all lengths." in read_visible_labels(panel)
    assert "The words of this list may be printed." in read_visible_labels(panel)


@pytest.mark.parametrize("empty_session", ["de"], indirect=True)
def test_import_form_fits_in_the_smallest_window(full_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window = show_window(full_session, qtbot, "jury")
    window.resize(1280, 720)
    open_word_lists_panel(window).open_import_form(write_plain_list(tmp_path, "mee-eten"))
    area = find_import_form(window).findChildren(QScrollArea)[0]
    assert area.horizontalScrollBar().maximum() == 0
