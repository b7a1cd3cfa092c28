"""Tests of reading and writing plain files: refused devices and safe replacement."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tdapp.domain.errors import InputError
from tdapp.exchange import text
from tdapp.exchange.text import read_file, write_file
from tests.storage.test_disk import fill_disk, small_disk

__all__ = ["small_disk"]

posix = pytest.mark.skipif(os.name != "posix", reason="devices and permissions are POSIX")


def get_refusal(path: Path) -> str:
    with pytest.raises(InputError) as error_info:
        read_file(path)
    assert error_info.value.source == path.name
    return error_info.value.code


@posix
def test_read_file_refuses_a_device_and_a_pipe_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert get_refusal(Path("/dev/zero")) == "file-not-plain"
    assert get_refusal(tmp_path / "pipe") == "file-not-plain"


def test_read_file_refuses_a_huge_file_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "large.csv").write_bytes(bytes(101))
    monkeypatch.setattr(text, "LARGEST_FILE", 100)
    assert get_refusal(tmp_path / "large.csv") == "file-too-large"
    monkeypatch.setattr(text, "LARGEST_FILE", 101)
    assert read_file(tmp_path / "large.csv") == bytes(101)
    assert get_refusal(tmp_path / "none.csv") == "no-file-there"
    monkeypatch.undo()
    assert get_refusal(tmp_path) == "file-unreadable"


@posix
def test_write_file_makes_a_private_file_unless_shared(tmp_path: Path) -> None:
    path = tmp_path / "made" / "players.csv"
    write_file(path, b"one")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    write_file(path, b"two")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o644)
    link = tmp_path / "link.csv"
    link.symlink_to(path)
    write_file(link, b"three")
    assert (link.is_symlink(), path.read_bytes()) == (True, b"three")
    write_file(Path(os.devnull), b"gone")
    assert not Path(os.devnull).is_file()


def test_write_file_keeps_the_old_file_on_a_full_disk(small_disk: Path) -> None:
    path = small_disk / "standings.pdf"
    write_file(path, b"yesterday")
    fill_disk(small_disk)
    with pytest.raises(InputError) as error_info:
        write_file(path, bytes(100_000))
    assert error_info.value.code == "file-unwritable"
    assert path.read_bytes() == b"yesterday"
    assert sorted(path.name for path in small_disk.iterdir()) == ["ballast", "standings.pdf"]
