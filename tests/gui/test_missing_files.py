"""Tests of the check for missing resource files."""

from __future__ import annotations

from pathlib import Path

from tdapp.gui.shell.about import list_missing_resources
from tdapp.gui.shell.session import Session


def test_list_missing_resources_is_empty_for_a_complete_folder(session: Session) -> None:
    assert list_missing_resources(session.resources.folder) == []


def test_list_missing_resources_lists_missing_files(session: Session, tmp_path: Path) -> None:
    (tmp_path / "icons").mkdir()
    assert list_missing_resources(tmp_path) == ["icons"]
