"""Tests of the maintenance of translations, for a small example program and for tdapp."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tdapp.i18n import Catalogue
from tdapp.i18n.__main__ import (
    TRANSLATED,
    compile_catalogues,
    get_po_path,
    list_translation_problems,
    main,
    update_and_compile_catalogues,
)

EXAMPLES_OF_NAMES = {"Last, First"}
PROGRAM = """
from tdapp.domain.translatable import C_, N_, Plural
A = N_("Table {table}")
B = C_("state", "open")
D = Plural("one game", "{n} games", "n")
words.text("Save &as")
text("column", "a cell")
"""


@pytest.fixture
def program_folder(tmp_path: Path) -> Path:
    (tmp_path / "tdapp" / "domain").mkdir(parents=True)
    (tmp_path / "tdapp" / "page.py").write_text(PROGRAM, "utf-8")
    (tmp_path / "tdapp" / "domain" / "silent.py").write_text('text("not a text")', "utf-8")
    update_and_compile_catalogues(tmp_path)
    return tmp_path


def translate_texts(program_folder: Path, language: str, **texts: str) -> None:
    path = get_po_path(program_folder, language)
    po_text = path.read_text("utf-8")
    for msgid, translation in texts.items():
        for empty_entry in (
            f'msgid "{msgid}"\nmsgstr ""',
            f'msgid "{msgid}"\nmsgid_plural "{{n}} games"\nmsgstr[0] ""',
        ):
            po_text = po_text.replace(empty_entry, empty_entry[:-1] + translation + '"')
    path.write_text(po_text, "utf-8")
    compile_catalogues(program_folder)


def translate_example(program_folder: Path, language: str, table: str = "Tafel {table}") -> list[str]:
    translate_texts(
        program_folder,
        language,
        **{"Table {table}": table, "open": "frei", "Save &as": "Sichern &als", "one game": "ein"},
    )
    path = get_po_path(program_folder, language)
    path.write_text(path.read_text("utf-8").replace('msgstr[1] ""', 'msgstr[1] "{n} Spiele"'), "utf-8")
    compile_catalogues(program_folder)
    return [problem for problem in list_translation_problems(program_folder) if problem.startswith(language)]


def test_list_translation_problems_reports_all_texts_before_translation(program_folder: Path) -> None:
    missing = [
        problem for problem in list_translation_problems(program_folder) if problem.startswith("nl: missing")
    ]

    assert len(missing) == 4
    assert "not a text" not in get_po_path(program_folder, "nl").read_text("utf-8")
    assert main(["check", "--root", str(program_folder)]) == 1


def test_update_catalogue_files_extracts_a_text_of_a_renamed_function(program_folder: Path) -> None:
    (program_folder / "tdapp" / "menu.py").write_text('text = words.text\ntext("Quit")', "utf-8")

    update_and_compile_catalogues(program_folder)

    assert "nl: missing: Quit" in list_translation_problems(program_folder)


def test_list_translation_problems_accepts_a_complete_translation(program_folder: Path) -> None:
    assert translate_example(program_folder, "de") == []
    catalogue = Catalogue("de", program_folder / "resources" / "locale")
    assert catalogue.text("Table {table}", table=7) == "Tafel 7"
    assert catalogue.text("state\x04open") == "frei"
    assert catalogue.plural("one game", "{n} games", 3) == "3 Spiele"


def test_list_translation_problems_finds_a_missing_placeholder(program_folder: Path) -> None:
    assert translate_example(program_folder, "de", table="Tafel {tisch}") == [
        "de: placeholders differ: Table {table} / Tafel {tisch}"
    ]


def test_list_translation_problems_finds_a_missing_access_key(program_folder: Path) -> None:
    translate_example(program_folder, "de")
    path = get_po_path(program_folder, "de")
    path.write_text(path.read_text("utf-8").replace("Sichern &als", "Sichern als"), "utf-8")
    compile_catalogues(program_folder)

    assert "de: access key differs: Save &as / Sichern als" in list_translation_problems(program_folder)


def test_list_translation_problems_finds_stale_templates_and_translations(program_folder: Path) -> None:
    translate_example(program_folder, "de")
    page = program_folder / "tdapp" / "page.py"
    page.write_text(page.read_text("utf-8").replace("Save &as", "Keep &as"), "utf-8")

    problems = list_translation_problems(program_folder)

    assert "tdapp.pot: stale; run the command extract" in problems
    assert {"de: missing: Keep &as", "de: stale: Save &as"} <= set(problems)


def test_update_catalogue_files_keeps_translations(program_folder: Path) -> None:
    translate_example(program_folder, "de")
    before = get_po_path(program_folder, "de").read_bytes()

    update_and_compile_catalogues(program_folder)

    assert get_po_path(program_folder, "de").read_bytes() == before


@pytest.mark.slow
def test_list_translation_problems_accepts_the_translations_of_tdapp() -> None:
    assert list_translation_problems(Path()) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_texts_quote_labels_as_the_program_shows_them(language: str) -> None:
    """A text names an action or a field by its label, for example “Discard the draft”."""
    with get_po_path(Path(), language).open("rb") as file:
        messages = [message for message in read_po(file, locale=language) if message.id]
    singular_texts = [
        tuple(
            text if isinstance(text, str) else next(iter(text or ("",))) for text in (message.id, message.string)
        )
        for message in messages
    ]
    labels = defaultdict[str, set[str]](set)
    for msgid, translation in singular_texts:
        labels[msgid.removesuffix("…")].add(translation.removesuffix("…"))
    wrong_quotes = [
        (label, translation)
        for msgid, translation in singular_texts
        for label in re.findall(r"“([A-Z][^”{}]{3,})”", msgid)
        if not any(shown_label in translation for shown_label in labels[label.removesuffix("…")])
    ]
    assert {label for label, _ in wrong_quotes} <= EXAMPLES_OF_NAMES, wrong_quotes
