"""Fixtures of the rule book tests: the marker that names the rule and the book."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(id, sentence): a rule of a book, with its sentence in short")
