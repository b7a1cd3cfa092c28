"""A connection to PostgreSQL with a deadline for every answer. Importing requires psycopg.

A stopped server, or one with a hanging disk, keeps connections open, and no network timeout ends that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus

T = TypeVar("T")
DEADLINE = 10.0  # seconds for one answer


class AnsweringConnection(psycopg.Connection[Any]):
    """Closes itself if an answer takes longer than `DEADLINE` seconds."""

    _patient = False

    @contextmanager
    def however_long(self) -> Iterator[None]:
        """Wait without a deadline."""
        self._patient = True
        try:
            yield
        finally:
            self._patient = False

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Close the connection and raise OperationalError after the deadline."""
        deadline = None if self._patient else DEADLINE
        try:
            return super().wait(gen, interval, deadline if timeout is None else timeout)
        except psycopg.OperationalError:
            if timeout is None and self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.close()
            raise
