"""Hearing from a server that something is new there, on a connection of its own.

Any login can notify, so a notification is a hint and nothing more: who hears one looks for himself.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tdapp.storage.station_functions import CHANNEL, PUBLIC_SCHEMA

if TYPE_CHECKING:
    import psycopg

_IS_ENDING = f"SELECT {PUBLIC_SCHEMA}.is_ending()"


class NotificationListener:
    """Listens on one thread at a time; the connection is made when it is needed."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]], error: type[Exception]) -> None:
        """`connect` makes a connection; `error` is what the driver raises."""
        self._connect, self._error = connect, error
        self._connection: psycopg.Connection[Any] | None = None
        self.is_ending = False  # the owner has ended the sharing

    def heard(self, timeout: float) -> bool:
        """Wait for a notification; on a new connection say True at once: something may have been missed.

        Without a connection wait all of `timeout`, then True: whoever asks then looks, and finds the error.
        """
        end = time.monotonic() + timeout
        try:
            if self._connection is None:
                self._connection = self._listening()
                return True
            return self._waited(self._connection, timeout)
        except self._error:
            self.close()
            time.sleep(max(0.0, end - time.monotonic()))
            return True

    def _waited(self, connection: psycopg.Connection[Any], timeout: float) -> bool:
        heard = bool(list(connection.notifies(timeout=timeout, stop_after=1)))
        if heard:
            list(connection.notifies(timeout=0))  # a thousand are as good as one
            (self.is_ending,) = connection.execute(_IS_ENDING).fetchone() or (False,)
        return heard

    def _listening(self) -> psycopg.Connection[Any]:
        connection = self._connect()
        connection.autocommit = True
        connection.execute(f"LISTEN {CHANNEL}")
        self.is_ending = False
        return connection

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
