"""What tests of several rooms need; and hypothesis asserts no time, nor fails because the machine is busy."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from tests.storage.postgres import cluster, database

__all__ = ["cluster", "database"]

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
