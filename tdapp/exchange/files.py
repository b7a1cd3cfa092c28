"""Whole files read and written, with the user's trouble told by name."""

from __future__ import annotations

from pathlib import Path

from tdapp.domain.errors import InputError


def read_file(path: Path) -> bytes:
    """Return a file's bytes; raise InputError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError("file-unreadable", source=path.name, problem=error.strerror or str(error)) from error


def write_file(path: Path, content: bytes) -> None:
    """Write a file, and its folder if need be; raise InputError if that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> InputError:
    """Return the error that tells why a file or a folder cannot be written."""
    return InputError("file-unwritable", source=path.name, problem=error.strerror or str(error))
