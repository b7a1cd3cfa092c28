"""What tests of several rooms need; and hypothesis asserts no time, nor fails because the machine is busy."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from tests.storage.postgres import at_end, cluster, database

__all__ = ["cluster", "database"]

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stop the servers that tests share, outside the time of the last test."""
    at_end(session.config).close()
