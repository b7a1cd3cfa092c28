"""What every verb needs: the resources, the words, the presets, and tournaments opened and closed again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tdapp.desk import Desk
from tdapp.domain.errors import StorageError, UserError
from tdapp.domain.ratings import RatingSystem
from tdapp.domain.ruleset import RuleSet
from tdapp.exchange.presets import read_presets, read_ratings, read_tilesets
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.tiles import TileSet
from tdapp.storage import Address
from tdapp.storage.cluster import Programs, shared_from


class CliResources:
    """The program's resources for one run of the command line."""

    def __init__(self, resources: Path, *, language: str, shared: Path | None = None) -> None:
        """Take the resources, and the folder with the servers that the window has started here."""
        self.resources = resources
        self._shared = shared
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

    @property
    def tilesets(self) -> Mapping[str, TileSet]:
        """The tile sets that come with the program, by id."""
        return read_tilesets(self.resources / "tilesets")

    def tileset(self, name: str) -> TileSet:
        """Return the tile set `name`; raise UserError naming those there are."""
        tilesets = self.tilesets
        if name not in tilesets:
            raise UserError("no-such-tileset", tileset=name, known=", ".join(tilesets))
        return tilesets[name]

    @property
    def ratings(self) -> Mapping[str, RatingSystem]:
        """The rating systems that come with the program, by id."""
        return read_ratings(self.resources / "ratings")

    @contextmanager
    def desk(self, file: Path | Address, *, read_only: bool = False) -> Iterator[Desk]:
        """Open the tournament at `file` for the length of a with block.

        Raises StorageError "file-shared" where a file is to be written whose tournament goes on on a server.
        """
        if not read_only:
            self.refuse_shared(file)
        desk = Desk.open(file, read_only=read_only)
        try:
            yield desk
        finally:
            desk.close()

    def refuse_shared(self, file: Path | Address) -> None:
        """Raise StorageError where a file's tournament is shared by the window: nobody would see what it gets."""
        if self._shared is not None and isinstance(file, Path):
            address = shared_from(self._shared, file, Programs.find)
            if address is not None:
                raise StorageError("file-shared", path=str(file), address=str(address))
