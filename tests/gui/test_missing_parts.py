"""The window's required files exist; missing ones are named."""

from __future__ import annotations

from pathlib import Path

from tdapp.gui.shell.about import list_missing_parts
from tdapp.gui.shell.session import Session


def test_nothing_is_missing(session: Session) -> None:
    assert list_missing_parts(session.resources.folder) == []


def test_what_was_left_out_is_named(session: Session, tmp_path: Path) -> None:
    (tmp_path / "icons").mkdir()
    assert list_missing_parts(tmp_path) == ["icons"]
