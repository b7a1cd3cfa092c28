"""What every verb needs: the resources, the words, the presets, and tournaments opened and closed again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tdapp.desk import Desk
from tdapp.domain.errors import InputError, UserError
from tdapp.domain.ruleset import RuleSet
from tdapp.exchange.presets import read_presets
from tdapp.i18n.catalogue import Catalogue


class House:
    """The program's resources for one run of the command line."""

    def __init__(self, resources: Path, *, language: str) -> None:
        self.resources = resources
        self.catalogue = Catalogue(language, resources / "locale")

    @property
    def presets(self) -> Mapping[str, RuleSet]:
        """The rule sets that come with the program, by id."""
        return read_presets(self.resources / "rulesets")

    def preset(self, name: str) -> RuleSet:
        """Return the rule set `name`; raise UserError naming those there are."""
        presets = self.presets
        if name not in presets:
            raise UserError("no-such-ruleset", ruleset=name, known=", ".join(presets))
        return presets[name]

    @contextmanager
    def desk(self, file: Path, *, read_only: bool = False) -> Iterator[Desk]:
        """Open the tournament in `file` for the length of a with block."""
        desk = Desk.open(file, read_only=read_only)
        try:
            yield desk
        finally:
            desk.close()


def read_source(path: Path) -> bytes:
    """Return a file's bytes; raise InputError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError("file-unreadable", source=path.name, problem=error.strerror or str(error)) from error


def write_target(path: Path, content: bytes) -> None:
    """Write a file; raise InputError if that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise InputError("file-unwritable", source=path.name, problem=error.strerror or str(error)) from error
