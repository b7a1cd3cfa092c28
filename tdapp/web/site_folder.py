"""Write the web pages to a new folder, which then replaces the old one."""

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

    Hidden entries such as `.git` stay. Raises InputError if the folder contains files of other origin or
    cannot be written. The folder is then unchanged.
    """
    folder = folder.absolute()
    _check_is_site_folder(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            count = _write_files(made, files)
            _replace_folder(made, folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise make_write_error(folder, error) from error
    return count


def choose_folder(folder: Path, called: str) -> Path:
    """Return `folder` if it may be replaced by web pages, otherwise its subfolder `called`."""
    try:
        _check_is_site_folder(folder)
    except InputError:
        return folder / called
    return folder


def _check_is_site_folder(folder: Path) -> None:
    try:
        taken = folder.exists() and (
            not folder.is_dir() or (any(map(_is_visible, folder.iterdir())) and not (folder / MARK).exists())
        )
    except OSError as error:
        raise make_write_error(folder, error) from error
    if taken:
        raise InputError("site-folder-taken", source=folder.name)


def _is_visible(path: Path) -> bool:
    return not path.name.startswith(".")


def _write_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> int:
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
