"""The tests of the rule books: each says which rule of which book it is about."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(id, sentence): a rule of a book, with its sentence in short")
