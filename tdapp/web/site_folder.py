"""Write a site folder next to the old one, then replace that."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import mkdtemp

from tdapp.domain.errors import InputError
from tdapp.exchange.text import make_write_error

FORMAT = "html"  # the folder export
MARK = "tdapp-site.txt"  # marks our folders; others are never replaced
_MARKED = b"This folder was written by tdapp and is replaced whenever it writes the site again.\n"


def write_folder(folder: Path, files: Iterable[tuple[str, bytes]]) -> int:
    """Make `folder` contain exactly `files` and return their number.

    Hidden entries such as `.git` stay. Raises InputError if the folder has other content or cannot be written;
    it is then unchanged.
    """
    folder = folder.absolute()
    _check_ours(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            count = _fill(made, files)
            _replace_folder(made, folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise make_write_error(folder, error) from error
    return count


def choose_folder(folder: Path, called: str) -> Path:
    """Return `folder` if it may be written, otherwise its subfolder `called`."""
    try:
        _check_ours(folder)
    except InputError:
        return folder / called
    return folder


def _check_ours(folder: Path) -> None:
    try:
        taken = folder.exists() and (
            not folder.is_dir() or (any(map(_seen, folder.iterdir())) and not (folder / MARK).exists())
        )
    except OSError as error:
        raise make_write_error(folder, error) from error
    if taken:
        raise InputError("site-folder-taken", source=folder.name)


def _seen(path: Path) -> bool:
    return not path.name.startswith(".")


def _fill(folder: Path, files: Iterable[tuple[str, bytes]]) -> int:
    folder.chmod(0o755)  # a web server runs as another user
    (folder / MARK).write_bytes(_MARKED)
    names = []
    for name, content in files:
        (folder / name).write_bytes(content)
        names.append(name)
    return len(names)


def _replace_folder(made: Path, folder: Path) -> None:
    old = made.with_name(f"{made.name}-old")
    if folder.exists():
        folder.rename(old)
    try:
        made.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise
    for hidden in [*old.glob(".*")]:
        hidden.rename(folder / hidden.name)
    shutil.rmtree(old, ignore_errors=True)
