"""Waits for notifications of a PostgreSQL server.

Any login can send a notification, so it only means "check for changes".
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from tdapp.storage.station_functions import CHANNEL

if TYPE_CHECKING:
    import psycopg

_CHECK_INTERVAL = 5.0  # seconds between two checks of the stations' sessions
_END_EXCESSIVE_SESSIONS = str(select(func.tdapp_owner.end_excessive_sessions()))
_IS_ENDING = str(select(func.tdapp_public.is_ending()))


class NotificationListener:
    """Waits for notifications on its own connection, opened at the first use.

    Only one thread at a time may use a listener.
    """

    def __init__(
        self, connect: Callable[[], psycopg.Connection[Any]], error: type[Exception], is_owner: Callable[[], bool]
    ) -> None:
        self._connect, self._error, self._is_owner = connect, error, is_owner
        self._last_check = 0.0
        self._connection: psycopg.Connection[Any] | None = None
        self.is_ending = False  # the owner has ended the sharing

    def wait_for_change(self, timeout: float) -> bool:
        """Wait at most `timeout` seconds. Return True once the data may have changed.

        If the connection fails, return True after `timeout`. The caller then reads and gets the error.
        """
        end = time.monotonic() + timeout
        try:
            if self._connection is None:
                self._connection = self._start_listening()
                return True
            return self._wait_for_notification(self._connection, timeout)
        except self._error:
            self.close()
            time.sleep(max(0.0, end - time.monotonic()))
            return True

    def _wait_for_notification(self, connection: psycopg.Connection[Any], timeout: float) -> bool:
        has_notification = bool(list(connection.notifies(timeout=timeout, stop_after=1)))
        # the owner ends other computers' sessions that hold an advisory lock or have a too long transaction
        if self._is_owner() and time.monotonic() - self._last_check > _CHECK_INTERVAL:
            connection.execute(_END_EXCESSIVE_SESSIONS)
            self._last_check = time.monotonic()
        if has_notification:
            list(connection.notifies(timeout=0))  # drop further notifications
            (self.is_ending,) = connection.execute(_IS_ENDING).fetchone() or (False,)
        return has_notification

    def _start_listening(self) -> psycopg.Connection[Any]:
        connection = self._connect()
        connection.autocommit = True
        connection.execute(f"LISTEN {CHANNEL}")
        self.is_ending = False
        return connection

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
