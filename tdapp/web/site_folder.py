"""A site's folder: written whole beside the old one and put in its place, so that half of it is never seen."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import mkdtemp

from tdapp.domain.errors import InputError
from tdapp.exchange.text import unwritable

FORMAT = "html"  # the export into a folder
MARK = "tdapp-site.txt"  # tells our folders from others, which are never replaced
_MARKED = b"This folder was written by tdapp and is replaced whenever it writes the site again.\n"


def write_folder(folder: Path, files: Iterable[tuple[str, bytes]]) -> int:
    """Make `folder` hold exactly `files` and return how many; a folder with anything else in it is left alone.

    What is hidden there by a dot, such as `.git`, stays.
    The folder is made if need be, its parents too. Raises InputError where it is not ours or cannot be written:
    it is unchanged then.
    """
    folder = folder.absolute()
    _check_ours(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            count = _fill(made, files)
            _swap(made, folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise unwritable(folder, error) from error
    return count


def fitting(folder: Path, called: str) -> Path:
    """Return `folder` if pages may be written there, otherwise the one of the name `called` in it."""
    try:
        _check_ours(folder)
    except InputError:
        return folder / called
    return folder


def _check_ours(folder: Path) -> None:
    """Raise InputError for a folder that holds what we did not write."""
    try:
        taken = folder.exists() and (
            not folder.is_dir() or (any(map(_seen, folder.iterdir())) and not (folder / MARK).exists())
        )
    except OSError as error:
        raise unwritable(folder, error) from error
    if taken:
        raise InputError("site-folder-taken", source=folder.name)


def _seen(path: Path) -> bool:
    return not path.name.startswith(".")


def _fill(folder: Path, files: Iterable[tuple[str, bytes]]) -> int:
    folder.chmod(0o755)  # a web server reads it as somebody else
    (folder / MARK).write_bytes(_MARKED)
    names = []
    for name, content in files:
        (folder / name).write_bytes(content)
        names.append(name)
    return len(names)


def _swap(made: Path, folder: Path) -> None:
    """Put the new folder in the place of the old one, which goes; the old one stays where that fails."""
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
