"""The games that the stations of a server have open. Each station publishes its own in its connection name.

Nothing is written, so nothing remains when a station disconnects.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from tdapp.storage.store import Store

if TYPE_CHECKING:
    from sqlalchemy import Connection

_NAME_US = "SELECT set_config('application_name', %s, false)"
_OTHERS = """SELECT substr(application_name, 7), usename, pid < pg_backend_pid() FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND starts_with(application_name, 'tdapp ')
ORDER BY pid DESC"""

# The games that others have open, each with the login, and whether it goes before us where both have one.
OpenElsewhere = Mapping[str, tuple[str, bool]]


def open_tables(store: Store, mine: str) -> OpenElsewhere:
    """Publish the game that is open here ("" for none) and return those of the other stations.

    Empty for a file.
    """
    if store.address is None:
        return {}
    with store.location.storage_errors():
        return store.server.read(partial(_exchange, mine))


def _exchange(mine: str, connection: Connection) -> OpenElsewhere:
    connection.exec_driver_sql(_NAME_US, (f"tdapp {mine}".strip(),))
    return {row[0]: (row[1], row[2]) for row in connection.exec_driver_sql(_OTHERS)}
