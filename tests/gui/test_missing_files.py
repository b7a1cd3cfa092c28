"""The window's required files exist; missing ones are named."""

from __future__ import annotations

from pathlib import Path

from tdapp.gui.shell.about import list_missing_resources
from tdapp.gui.shell.session import Session


def test_list_missing_parts_is_empty_here(session: Session) -> None:
    assert list_missing_resources(session.resources.folder) == []


def test_list_missing_parts_names_deleted_files(session: Session, tmp_path: Path) -> None:
    (tmp_path / "icons").mkdir()
    assert list_missing_resources(tmp_path) == ["icons"]
