"""Shows which game each station has open.

The game id is part of the PostgreSQL connection name, so it disappears with the connection.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tdapp.storage.store import Store

# The open games of others, each with the login, and whether that station has priority over us for the same game.
OpenElsewhere = Mapping[str, tuple[str, bool]]


def exchange_open_games(store: Store, mine: str) -> OpenElsewhere:
    """Publish our open game and return the open games of other stations.

    `mine` is a game id or "". A file has no other stations: the answer is empty.
    """
    if store.address is None:
        return {}
    from tdapp.storage.catalog import read_open_games  # noqa: PLC0415 - a window opens without SQLAlchemy

    with store.location.convert_errors():
        return store.server.read(partial(read_open_games, mine))
