"""Stores tournaments. A tournament is one SQLite file or one PostgreSQL database; every step is one transaction.

Start with `store`. It uses a `StorageLocation` (`engine`): a `file` or a `server`. Word lists are separate SQLite
files (`lexicon`).
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
    """Import a name of `__all__` on first use: an address alone then needs no SQL modules."""
    if name not in __all__:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'snapshots')}"), name)
