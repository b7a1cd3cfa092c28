"""A connection to PostgreSQL that gives up where the server does not answer.

A server that is stopped, or whose disk hangs, keeps its connections open and says nothing: no timeout of the
network ends that. Only with the driver there can this be imported.
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
    """Closes itself when an answer takes longer than `DEADLINE` seconds."""

    _patient = False

    @contextmanager
    def however_long(self) -> Iterator[None]:
        """Wait for what takes long, without a deadline."""
        self._patient = True
        try:
            yield
        finally:
            self._patient = False

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Wait for an answer; OperationalError, and the connection is closed, where none comes in time."""
        deadline = None if self._patient else DEADLINE
        try:
            return super().wait(gen, interval, deadline if timeout is None else timeout)
        except psycopg.OperationalError:
            if timeout is None and self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.close()
            raise
