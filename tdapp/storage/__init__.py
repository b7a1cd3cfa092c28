"""Where tournaments are kept: a SQLite file each or a database on a server, written one whole step at a time.

`store` is the door; `engine` describes what it needs, `file` (SQLite) and `server` (PostgreSQL) give it, `moving`
brings a tournament from one to the other, `logins` lets stations in, `databases` finds what is on a server,
`cluster` runs one. `snapshots` keeps copies of a file; `repair` brings a damaged server back, `salvage` saves
what can be read of a damaged file; `tables` describes the columns, `statements` makes them and changes their
lines in words of both engines, `migrations` brings what earlier versions kept to them, `rows` turns rows and
journal lines to and from them, `opening` accepts only sound files of ours, `checks` says what is wrong with one.
Word lists are files of another kind: `lexicon` reads one, `library` keeps and makes them, `lexicon_search` finds
words by their letters.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdapp.storage.address import Address
    from tdapp.storage.checks import Damage
    from tdapp.storage.engine import Stale
    from tdapp.storage.snapshots import Snapshot, Snapshots, Why, before_migration
    from tdapp.storage.store import Store

__all__ = ["Address", "Damage", "Snapshot", "Snapshots", "Stale", "Store", "Why", "before_migration"]

_HOMES = {"Address": "address", "Damage": "checks", "Stale": "engine", "Store": "store"}


def __getattr__(name: str) -> object:
    """Return what `__all__` names from its module, which is loaded then: an address needs no SQL."""
    if name not in __all__:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'snapshots')}"), name)
