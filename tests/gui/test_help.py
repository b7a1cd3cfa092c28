"""Tests of the help: F1, search, links, translations and the summary of the rule books."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.gui.shell.help_view import HelpPanel, HelpView, HelpWindow
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.assistant import NewTournamentDialog
from tdapp.gui.tournament.rule_form import RulesPanel
from tdapp.gui.widgets.dialog import Dialog
from tdapp.i18n import guidance
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.i18n.guidance import CONTENTS, parse_topic, read_topics
from tests.data_events import find_data_folder
from tests.gui.samples import RESOURCES
from tests.gui.windows import show_window

FOLDER = RESOURCES / "help"
TOPICS = read_topics(FOLDER, "en")
_IN_MENU = re.compile(r"\*\*([^*]+)\*\* in the (\w+) menu")
RULE_BOOKS_FILE = FOLDER / "en" / "rule-books.md"
_LABEL = re.compile(r"\*\*([^*]+)\*\*")
_LINK = re.compile(r"\]\(([\w-]*)(?:#([\w-]*))?\)")
_RULE_ID = re.compile(r"\b[A-Z]{1,2}-\d\d\b")


@pytest.fixture
def window(full_session: Session, qtbot: QtBot) -> Window:
    return show_window(full_session, qtbot)


def open_help_panel(window: Window) -> HelpView:
    QTest.keyClick(window, Qt.Key.Key_F1)
    assert isinstance(window.panel, HelpPanel)
    return window.panel.view


def list_results(view: HelpView) -> list[str]:
    return [view.results.item(row).text() for row in range(view.results.count())]


# --- opening


@pytest.mark.parametrize("page_id", PAGES)
def test_help_panel_opens_the_topic_of_the_page_by_f1(window: Window, page_id: str) -> None:
    session = window.session
    if page_id == "evening":
        division = session.index.divisions[-1].id
        session.do(partial(commands.begin_evening, key="e", division=division, date="2026-11-21"))
    window.show_page(page_id)
    view = open_help_panel(window)

    assert view.topic == page_id
    assert view.reader.toPlainText().startswith(TOPICS[page_id].title)
    assert QApplication.focusWidget() is view.search
    QTest.keyClick(view.search, Qt.Key.Key_Escape)
    assert window.panel is None


@pytest.mark.slow
def test_help_panel_opens_the_topic_of_a_panel_and_then_the_search(window: Window) -> None:
    window.show_page("tournament")
    window.get_action("change-rules").trigger()
    assert isinstance(window.panel, RulesPanel)
    view = open_help_panel(window)
    assert view.topic == "rules"
    view.reader.setFocus()
    assert open_help_panel(window) is view
    assert QApplication.focusWidget() is view.search


def test_help_window_opens_without_a_tournament(empty_session: Session, qtbot: QtBot) -> None:
    window = show_window(empty_session, qtbot)
    QTest.keyClick(window, Qt.Key.Key_F1)
    help_window = window.findChild(HelpWindow)

    assert isinstance(help_window, HelpWindow)
    assert help_window.view.topic == "welcome"
    assert not help_window.isModal()
    QTest.keyClick(help_window, Qt.Key.Key_Escape)


def test_help_window_opens_once_for_a_dialog(empty_session: Session, qtbot: QtBot) -> None:
    window = show_window(empty_session, qtbot)
    window.get_action("new").trigger()
    dialog = window.findChild(NewTournamentDialog)
    assert dialog is not None
    for _ in range(2):
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        QTest.keyClick(dialog.name, Qt.Key.Key_F1)
        (help_window,) = dialog.findChildren(HelpWindow)
        qtbot.waitUntil(help_window.isActiveWindow)
    assert help_window.view.topic == "welcome"
    QTest.keyClicks(help_window.view.search, "tiles")
    assert list_results(help_window.view)
    QTest.keyClick(help_window, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    dialog.close()


@pytest.mark.parametrize("kind", Dialog.__subclasses__())
def test_help_topic_exists_for_every_dialog(kind: type[Dialog]) -> None:
    assert kind.topic in TOPICS


# --- searching and reading


def test_help_view_finds_a_title_and_opens_it_by_enter(window: Window) -> None:
    view = open_help_panel(window)
    QTest.keyClicks(view.search, "too many TILES")
    assert list_results(view)[0] == "Too many tiles drawn – What the rule books say"
    QTest.keyClick(view.search, Qt.Key.Key_Return)

    assert view.topic == "rule-books"
    assert view.reader.textCursor().block().text() == "Too many tiles drawn"
    assert QApplication.focusWidget() is view.reader


@pytest.mark.slow
def test_help_view_arrow_keys_move_into_the_list(window: Window) -> None:
    view = open_help_panel(window)
    QTest.keyClicks(view.search, "clock")
    assert len(list_results(view)) > 3
    QTest.keyClick(view.search, Qt.Key.Key_Down)
    assert QApplication.focusWidget() is view.results
    QTest.keyClick(view.results, Qt.Key.Key_Down)
    title = view.results.currentItem().text()
    QTest.keyClick(view.results, Qt.Key.Key_Return)
    assert title.startswith(view.reader.textCursor().block().text())
    assert view.results.currentRow() == 1


@pytest.mark.slow
def test_help_view_explains_an_empty_search(window: Window) -> None:
    view = open_help_panel(window)
    QTest.keyClicks(view.search, "xyzzy")

    assert list_results(view) == []
    assert any("Nothing found" in text for text in _list_visible_texts(view))
    QTest.keyClick(view.search, Qt.Key.Key_Escape)
    assert not any("Nothing found" in text for text in _list_visible_texts(view))
    assert window.panel is not None  # the first Esc only clears the search field


def _list_visible_texts(view: HelpView) -> list[str]:
    return [label.text() for label in view.findChildren(QLabel) if label.isVisible()]


def test_help_view_follows_links_to_topics_and_sections(window: Window) -> None:
    view = open_help_panel(window)
    view.reader.anchorClicked.emit(QUrl("rule-books#spectators"))

    assert view.topic == "rule-books"
    assert view.reader.textCursor().block().text() == "Spectators"


@pytest.mark.slow
def test_help_view_keeps_its_topic_in_another_scheme(window: Window, full_session: Session) -> None:
    view = open_help_panel(window)
    view.open_topic("rule-books")
    full_session.appearance.set_colour_scheme("dark")

    assert view.reader.toPlainText().startswith("What the rule books say")


# --- help texts


def test_help_contents_list_every_topic() -> None:
    source = TOPICS[CONTENTS].markdown
    assert {link for link, _ in _LINK.findall(source)} == TOPICS.keys() - {CONTENTS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_links_have_a_target(language: str) -> None:
    topics = read_topics(FOLDER, language)
    assert CONTENTS in topics
    for topic in topics.values():
        for link, anchor in _LINK.findall(topic.markdown):
            target = topics[link or topic.id]
            assert not anchor or target.find_section(anchor), f"{topic.id}: {link}#{anchor}"


@pytest.mark.slow
def test_help_names_existing_menu_entries(window: Window) -> None:
    window.pages.make_all_pages()
    menus = {menu.title().replace("&", ""): menu for menu in window.menuBar().findChildren(QMenu)}
    entries = [entry for topic in TOPICS.values() for entry in _IN_MENU.findall(topic.markdown)]
    assert len(entries) > 3
    for name, menu in entries:
        widgets = [menus[menu], *menus[menu].findChildren(QMenu)]
        assert name in {action.text() for widget in widgets for action in widget.actions()}, f"{name}: {menu}"


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_translations_cover_the_rules_of_the_english_topics(language: str) -> None:
    paths = list((FOLDER / language).glob("*.md"))
    assert paths
    for path in paths:
        english = (FOLDER / "en" / path.name).read_text(encoding="utf-8")
        assert sorted(_RULE_ID.findall(path.read_text(encoding="utf-8"))) == sorted(_RULE_ID.findall(english))


def read_translations(language: str) -> list[tuple[str, str]]:
    """Return the English texts of the window and their translations, without mnemonics."""
    with (RESOURCES / "locale" / language / "LC_MESSAGES" / "tdapp.po").open("rb") as file:
        texts = [(message.id, str(message.string)) for message in read_po(file) if isinstance(message.id, str)]
    return [(msgid.replace("&", ""), text.replace("&", "")) for msgid, text in texts]


@pytest.mark.slow
def test_help_names_only_existing_buttons() -> None:
    msgids = {msgid for msgid, _ in read_translations("nl")}
    labels = {
        label for topic in TOPICS.values() for label in _LABEL.findall(topic.markdown) if label.endswith("…")
    }
    assert len(labels) > 30
    assert labels <= msgids


@pytest.mark.slow
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_help_translations_name_buttons_as_the_window_does(language: str) -> None:
    texts, topics, compared_count = read_translations(language), read_topics(FOLDER, language), 0
    for name, english in TOPICS.items():
        labels = [label.casefold() for label in _LABEL.findall(topics[name].markdown)]
        for label in _LABEL.findall(english.markdown):
            shown_texts = [text.casefold() for msgid, text in texts if msgid == label]
            compared_count += bool(shown_texts)
            assert not shown_texts or any(text in label for text in shown_texts for label in labels), (
                f"{name}: {label}: {shown_texts}"
            )
    assert compared_count > 150


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_translations_have_the_same_sections_links_and_keys(language: str) -> None:
    topics = read_topics(FOLDER, language)
    assert {path.stem for path in (FOLDER / language).glob("*.md")} == TOPICS.keys()
    for name, english in TOPICS.items():
        topic = topics[name]
        assert len(topic.sections) == len(english.sections), name
        links = [
            sorted(link for link, _ in _LINK.findall(translation.markdown)) for translation in (topic, english)
        ]
        assert links[0] == links[1], name
        assert topic.markdown.count("`") == english.markdown.count("`"), name


def test_read_topics_uses_english_for_a_missing_topic(tmp_path: Path) -> None:
    for language, name, text in (
        ("en", "rounds", "# Rounds"),
        ("en", "jury", "# Jury"),
        ("nl", "jury", "# De jury"),
    ):
        (tmp_path / language).mkdir(exist_ok=True)
        (tmp_path / language / f"{name}.md").write_text(text, encoding="utf-8")

    topics = read_topics(tmp_path, "nl")

    assert {name: topic.title for name, topic in topics.items()} == {"rounds": "Rounds", "jury": "De jury"}


def test_parse_topic_hides_remarks_and_finds_sections() -> None:
    topic = parse_topic("x", "# Top\n\nFirst.\n\n## Two tiles\n\n- one <!-- NO-01 -->\n- two\n")

    assert "NO-01" not in topic.markdown
    assert [(section.title, section.anchor) for section in topic.sections] == [
        ("Top", "top"),
        ("Two tiles", "two-tiles"),
    ]
    assert topic.sections[1].text == "- one\n- two"


def test_search_topics_prefers_titles() -> None:
    topics = {name: parse_topic(name, text) for name, text in (("a", "# A\n\nthe clock"), ("b", "# Clock\n\nx"))}

    assert [topic.topic for topic in guidance.search_topics(topics, "clock")] == ["b", "a"]
    assert list(guidance.search_topics(topics, "  ")) == []


# --- rule books


def list_reference_lines() -> list[str]:
    lines = (Path(__file__).parent / "reference.txt").read_text(encoding="utf-8").split("\n")
    return [line for line in lines if line and not line.startswith("#")]


def test_help_contains_every_reference_rule() -> None:
    assert set(_RULE_ID.findall(RULE_BOOKS_FILE.read_text(encoding="utf-8"))) == set(list_reference_lines())


def test_help_rules_cite_book_and_section() -> None:
    """House variants are excluded: their heading names the book."""
    source = RULE_BOOKS_FILE.read_text(encoding="utf-8").partition("## House variants")[0]
    rule_lines = [line for line in source.split("\n") if _RULE_ID.search(line)]
    assert rule_lines
    for line in rule_lines:
        assert re.search(r"(Netherlands|Norwegian|German|Brailleliga)[, ]+(De winnaar|[IV]+\.\d|\d)", line), line


@pytest.mark.data
def test_help_rules_match_the_list_of_rules() -> None:
    path = find_data_folder().parent / "rules" / "acceptance.json"
    if not path.is_file():
        pytest.skip("the data folder has no list of rules")
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert sorted(list_reference_lines()) == sorted(
        row["id"] for row in rows if row["scope"] in {"reference", "variant"}
    )
