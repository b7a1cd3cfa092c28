"""Tests of the printed manual: chapters, pictures, tags, and the table for users of tsh."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.cli.arguments import VERBS
from tdapp.cli.do import map_commands_for_command_line
from tdapp.gui.shell.actions import WindowAction
from tdapp.gui.shell.session import Session
from tdapp.i18n import LANGUAGES
from tdapp.i18n.guidance import CONTENTS, read_topics
from tdapp.reports import REPORTS
from tests.gallery.chapters import CHAPTERS, WORDS, Chapter
from tests.gallery.manual import make_manual
from tests.gallery.scenes import SCENES
from tests.gui.samples import RESOURCES
from tests.gui.windows import show_window
from tests.reports.test_golden import read_structure

FOLDER = RESOURCES / "help"
_ROW = re.compile(r"^\| (?!tsh )(.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
_VERB = re.compile(r"`tdapp (\w[\w-]*)(?: …)?(?: ([\w-]+))?")
_KEYS = re.compile(r"\b(?:(?:(?:Ctrl|Alt|Shift)\+)+\w+|F\d+)\b")


def read_tsh_table(language: str) -> list[tuple[str, str, str]]:
    return _ROW.findall((FOLDER / language / "from-tsh.md").read_text(encoding="utf-8"))


def test_manual_has_every_help_page_once() -> None:
    topics = [chapter.topic for chapter in CHAPTERS]
    assert sorted(topics) == sorted(read_topics(FOLDER, "en").keys() - {CONTENTS})


def test_manual_pictures_are_scenes() -> None:
    scenes = {scene.name for scene in SCENES}
    assert CHAPTERS
    for chapter in CHAPTERS:
        assert set(chapter.scenes) <= scenes, chapter.topic


@pytest.mark.slow
def test_manual_writes_a_chapter_with_picture_in_a_language(qapp: QApplication) -> None:
    assert qapp is not None
    chapters = [chapter for chapter in CHAPTERS if chapter.topic == "check-in"]
    document = pypdfium2.PdfDocument(io.BytesIO(make_manual("nl", chapters, rule_sets=False)))
    text = "".join(page.get_textpage().get_text_bounded() for page in document)
    pictures = [
        image for page in document for image in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])
    ]
    bookmarks = [entry.get_title() for entry in document.get_toc()]
    title = document.get_metadata_value("Title")
    document.close()

    topic = read_topics(FOLDER, "nl")["check-in"]
    assert title == "tdapp – Handleiding"
    assert WORDS["nl"].contents in text
    assert bookmarks == [section.title for section in topic.sections]
    assert all(section.title in text for section in topic.sections)
    assert len(pictures) == len(chapters[0].scenes)


@pytest.mark.slow
def test_manual_is_tagged_for_screen_readers(qapp: QApplication, tmp_path: Path) -> None:
    assert qapp is not None
    chapters = [chapter for chapter in CHAPTERS if chapter.topic in {"welcome", "day", "from-chess"}]
    path = tmp_path / "manual.pdf"
    path.write_bytes(make_manual("en", chapters, rule_sets=False))
    document = pypdfium2.PdfDocument(path)
    pages = [page.get_textpage().get_text_bounded().splitlines() for page in document]
    tagged = pypdfium2.raw.FPDFCatalog_IsTagged(document)
    document.close()

    assert tagged
    assert all(len(page) > 3 for page in pages), pages
    structure_lines = read_structure(path)
    tags = {re.split("[ :]", line)[0] for line in structure_lines if not line.startswith('"')}
    assert tags >= {"Document", "Sect", "H1", "H2", "P", "L", "LI", "LBody", "Table", "TR", "TH", "TD"}
    assert tags >= {"TOC", "TOCI", "Figure"}
    tagged_text = "".join("".join(line.strip('"') for line in structure_lines if line.startswith('"')).split())
    topics = read_topics(FOLDER, "en")
    for title in (section.title for chapter in chapters for section in topics[chapter.topic].sections):
        assert tagged_text.count("".join(title.split())) >= 2, title  # in the contents and as a heading
    for line in (
        line for page in pages for line in page if not line.startswith("tdapp – Manual")
    ):  # except page footers
        assert "".join(line.split()) in tagged_text, line
    alt_text = "Picture of the window: Rounds".encode("utf-16-be").hex().encode()
    assert b"/Alt <FEFF%b>" % alt_text in path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_manual_sets_every_chapter_and_letter(qapp: QApplication, language: str) -> None:
    assert qapp is not None
    document = pypdfium2.PdfDocument(
        io.BytesIO(make_manual(language, [Chapter(chapter.topic) for chapter in CHAPTERS]))
    )
    text = "".join(page.get_textpage().get_text_bounded() for page in document)
    chapters = [bookmark.get_title() for bookmark in document.get_toc() if bookmark.level == 0]
    document.close()

    topics = read_topics(FOLDER, language)
    rule_sets = len(list((RESOURCES / "rulesets").glob("*.toml")))
    assert chapters[:-rule_sets] == [topics[chapter.topic].title for chapter in CHAPTERS]
    assert "\N{REPLACEMENT CHARACTER}" not in text


@pytest.mark.slow
def test_manual_tsh_table_names_existing_verbs_and_keys(full_session: Session, qtbot: QtBot) -> None:
    main_window = show_window(full_session, qtbot)
    main_window.pages.make_all_pages()
    known_shortcuts = {
        keys for action in main_window.findChildren(WindowAction) for keys in action.declaration.shortcuts
    }
    table = list(read_tsh_table("en"))
    assert table
    for tsh_cell, window_cell, command_cell in table:
        keys, verbs = _KEYS.findall(window_cell), _VERB.findall(command_cell)
        assert verbs or keys, tsh_cell
        assert set(keys) <= known_shortcuts, tsh_cell
        assert {verb for verb, _ in verbs} <= VERBS.keys(), tsh_cell
        assert {name for verb, name in verbs if verb == "do"} <= map_commands_for_command_line().keys(), tsh_cell
        assert {name for verb, name in verbs if verb == "print"} <= REPORTS.keys(), tsh_cell


@pytest.mark.parametrize("language", LANGUAGES)
def test_manual_tsh_table_is_the_same_in_every_language(language: str) -> None:
    codes = [
        [re.findall(r"`[^`]+`", cell) for cell in (tsh_cell, command_cell)]
        for tsh_cell, _, command_cell in read_tsh_table(language)
    ]
    assert len(codes) > 30
    assert codes == [
        [re.findall(r"`[^`]+`", cell) for cell in (tsh_cell, command_cell)]
        for tsh_cell, _, command_cell in read_tsh_table("en")
    ]
