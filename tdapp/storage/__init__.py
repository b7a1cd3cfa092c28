"""Storage of tournaments: one SQLite file or PostgreSQL database each. Every step is one transaction.

Start with `store`. It uses a `StorageLocation` (`engine`): `file` or `server`. `columns` makes the columns from
the row types, `tables` the tables of SQLAlchemy Core; `statements` and `rows` write and read them. `migrations`
converts files of earlier versions.

`file_opening` and `checks` find damaged and foreign files. `snapshots` copies a file, `salvage` reads a damaged
file, `repair` restores a damaged database, `relocation` moves a tournament. `logins`, `databases` and `cluster`
manage a PostgreSQL server.

Word lists are separate SQLite files: `lexicon` reads one, `library` stores them, `lexicon_search` searches.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdapp.storage.address import Address
    from tdapp.storage.checks import Damage
    from tdapp.storage.engine import Stale
    from tdapp.storage.snapshots import Snapshot, Snapshots, Why, copy_before_migration
    from tdapp.storage.store import Store

__all__ = ["Address", "Damage", "Snapshot", "Snapshots", "Stale", "Store", "Why", "copy_before_migration"]

_HOMES = {"Address": "address", "Damage": "checks", "Stale": "engine", "Store": "store"}


def __getattr__(name: str) -> object:
    """Import a name of `__all__` on first use, so that an address needs no SQL."""
    if name not in __all__:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'snapshots')}"), name)
