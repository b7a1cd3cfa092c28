"""Upkeep of the translations, on a small example program and on the real one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.i18n import Catalogue
from tdapp.i18n.__main__ import (
    compile_catalogues,
    get_po_path,
    list_translation_problems,
    main,
    update_catalogue_files,
)

PROGRAM = """
from tdapp.domain.translatable import C_, N_, Plural
A = N_("Table {table}")
B = C_("state", "open")
D = Plural("one game", "{n} games", "n")
words.text("Save &as")
text("column", "a cell")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "tdapp" / "domain").mkdir(parents=True)
    (tmp_path / "tdapp" / "page.py").write_text(PROGRAM, "utf-8")
    (tmp_path / "tdapp" / "domain" / "silent.py").write_text('text("not a text")', "utf-8")
    update_catalogue_files(tmp_path)
    return tmp_path


def translate(root: Path, language: str, **texts: str) -> None:
    path = get_po_path(root, language)
    written = path.read_text("utf-8")
    for msgid, said in texts.items():
        for mark in (f'msgid "{msgid}"\nmsgstr ""', f'msgid "{msgid}"\nmsgid_plural "{{n}} games"\nmsgstr[0] ""'):
            written = written.replace(mark, mark[:-1] + said + '"')
    path.write_text(written, "utf-8")
    compile_catalogues(root)


def whole(root: Path, language: str, table: str = "Tafel {table}") -> list[str]:
    translate(
        root, language, **{"Table {table}": table, "open": "frei", "Save &as": "Sichern &als", "one game": "ein"}
    )
    path = get_po_path(root, language)
    path.write_text(path.read_text("utf-8").replace('msgstr[1] ""', 'msgstr[1] "{n} Spiele"'), "utf-8")
    compile_catalogues(root)
    return [problem for problem in list_translation_problems(root) if problem.startswith(language)]


def test_list_problems_reports_every_text_at_first(root: Path) -> None:
    missing = [problem for problem in list_translation_problems(root) if problem.startswith("nl: missing")]

    assert len(missing) == 4
    assert "not a text" not in get_po_path(root, "nl").read_text("utf-8")
    assert main(["check", "--root", str(root)]) == 1


def test_update_files_extracts_a_text_called_by_another_name(root: Path) -> None:
    (root / "tdapp" / "menu.py").write_text('text = words.text\ntext("Quit")', "utf-8")

    update_catalogue_files(root)

    assert "nl: missing: Quit" in list_translation_problems(root)


def test_list_problems_accepts_a_complete_translation(root: Path) -> None:
    assert whole(root, "de") == []
    words = Catalogue("de", root / "resources" / "locale")
    assert words.text("Table {table}", table=7) == "Tafel 7"
    assert words.text("state\x04open") == "frei"
    assert words.plural("one game", "{n} games", 3) == "3 Spiele"


def test_list_problems_finds_a_lost_placeholder(root: Path) -> None:
    assert whole(root, "de", table="Tafel {tisch}") == ["de: placeholders differ: Table {table} / Tafel {tisch}"]


def test_list_problems_finds_a_lost_access_key(root: Path) -> None:
    whole(root, "de")
    path = get_po_path(root, "de")
    path.write_text(path.read_text("utf-8").replace("Sichern &als", "Sichern als"), "utf-8")
    compile_catalogues(root)

    assert "de: access key differs: Save &as / Sichern als" in list_translation_problems(root)


def test_list_problems_finds_stale_templates_and_translations(root: Path) -> None:
    whole(root, "de")
    page = root / "tdapp" / "page.py"
    page.write_text(page.read_text("utf-8").replace("Save &as", "Keep &as"), "utf-8")

    found = list_translation_problems(root)

    assert "tdapp.pot: stale; run the command extract" in found
    assert {"de: missing: Keep &as", "de: stale: Save &as"} <= set(found)


def test_update_files_keeps_translations(root: Path) -> None:
    whole(root, "de")
    before = get_po_path(root, "de").read_bytes()

    update_catalogue_files(root)

    assert get_po_path(root, "de").read_bytes() == before


@pytest.mark.slow
def test_list_problems_accepts_our_translations() -> None:
    assert list_translation_problems(Path()) == []
