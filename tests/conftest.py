"""What tests of several rooms need."""

from tests.storage.postgres import cluster, database

__all__ = ["cluster", "database"]
