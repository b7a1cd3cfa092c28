"""Salvage a damaged file into a new file and report the outcome."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tdapp.desk import utc_now
from tdapp.i18n.catalogue import Catalogue

if TYPE_CHECKING:
    from tdapp.storage.salvage import Salvaged


def salvage_file(path: Path, target: Path) -> Salvaged:
    """Copy the readable data of a damaged file to a new file. Raises the errors of `storage.salvage`."""
    from tdapp.storage.salvage import salvage_file  # noqa: PLC0415 - it brings SQLAlchemy, which a window opens without

    return salvage_file(path, target, at=utc_now())


def salvage_sentences(done: Salvaged, target: Path, catalogue: Catalogue) -> Iterator[str]:
    """Yield sentences about the new file, the certainty of its data, and the missing data."""
    yield catalogue.text("Everything that could be read is in {file}.", file=target)
    if done.certain:
        yield catalogue.text("All rows are as they were written last.")
    else:
        yield catalogue.text("Not every row could be verified. Compare it with what was printed.")
    yield from (catalogue.problem(one.code, dict(one.facts)) for one in done.missing)
