"""Stores tournaments. A tournament is one SQLite file or one PostgreSQL database.

Each change of a tournament (a step) is saved in one transaction. A station is a computer with a login to a
tournament on a server. Start with the module `store`. It uses a `StorageLocation` (module `engine`), implemented
in the modules `file` and `server`. Word lists are separate SQLite files (module `lexicon`).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdapp.storage.address import Address
    from tdapp.storage.checks import Damage
    from tdapp.storage.engine import StaleRevisionError
    from tdapp.storage.snapshots import Snapshot, SnapshotFolder, SnapshotReason, take_snapshot_before_migration
    from tdapp.storage.store import Store

__all__ = [
    "Address",
    "Damage",
    "Snapshot",
    "SnapshotFolder",
    "SnapshotReason",
    "StaleRevisionError",
    "Store",
    "take_snapshot_before_migration",
]

_HOMES = {"Address": "address", "Damage": "checks", "StaleRevisionError": "engine", "Store": "store"}


def __getattr__(name: str) -> object:
    """Import a name of `__all__` on first use. Code that needs only `Address` then loads no SQL modules."""
    if name not in __all__:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'snapshots')}"), name)
