"""Tests that the catalogues contain every sentence of the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tdapp.i18n.__main__ import extract_texts
from tests.i18n import codes_in_source

PACKAGES = ("gui", "i18n", "services", "reports", "web")
SENTENCE = re.compile(r"^[A-Z“{].*[\w}] [\w{“]")
# Texts that need no translation: names, and texts for developers.
UNTRANSLATED_TEXTS = {
    "Noto Sans", "Noto Sans Condensed",
    "This plugin does not support propagateSizeHints()", "Norsk bokmål", "B 7 412 388", "FOUT 30 !",
    "WEL 18 @AELW", "WEL 18 ~XYZ",
}  # fmt: skip
FILES_FOR_DEVELOPERS = {"tdapp/i18n/__main__.py", "tdapp/services/fault_report.py"}  # read by developers


def iterate_literals(path: Path) -> Iterator[str]:
    """Yield the texts of a file except docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents | parts:
            yield node.value


@pytest.mark.slow
def test_sentences_of_the_source_are_all_translated() -> None:
    known_texts = UNTRANSLATED_TEXTS.copy()
    for message in extract_texts(Path()):
        known_texts |= set(message.id if isinstance(message.id, (tuple, list)) else [message.id])
    untranslated_texts = {
        text: path.as_posix()
        for path in codes_in_source.iterate_source_files(PACKAGES)
        if path.as_posix() not in FILES_FOR_DEVELOPERS
        for text in iterate_literals(path)
        if SENTENCE.search(text) and text not in known_texts
    }
    assert untranslated_texts == {}
