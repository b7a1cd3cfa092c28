"""A PostgreSQL connection that limits the time for each answer. Importing it requires psycopg.

A stopped server, or one with a hanging disk, keeps its connections open. Network timeouts do not detect that.
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


class DeadlineConnection(psycopg.Connection[Any]):
    """A connection that closes itself if an answer takes longer than `DEADLINE` seconds."""

    _is_deadline_suspended = False

    @contextmanager
    def suspend_deadline(self) -> Iterator[None]:
        self._is_deadline_suspended = True
        try:
            yield
        finally:
            self._is_deadline_suspended = False

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Wait for the answer. Raises OperationalError after the deadline."""
        deadline = None if self._is_deadline_suspended else DEADLINE
        try:
            return super().wait(gen, interval, deadline if timeout is None else timeout)
        except psycopg.OperationalError:
            if timeout is None and self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.close()
            raise
