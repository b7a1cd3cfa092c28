"""Fixtures for several packages, and the rules for marking slow tests by folder.

Hypothesis has no deadline: a busy machine must not fail a test.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Iterator
from typing import Protocol

import pytest
from hypothesis import HealthCheck, settings

from tests.services.cups_server import print_service
from tests.storage.postgres import cluster, database, get_final_cleanup

SLOW_FOLDERS = frozenset({"bench", "e2e"})
# only the first case of each parametrised test is fast here
EXPENSIVE_FOLDERS = frozenset({"cli", "exchange", "gui", "pairing", "reports", "storage", "web"})
EXPENSIVE_FILES = frozenset(
    {"bracket_graph", "incremental_updates", "pinned_events", "pinned_games", "pinned_sheets", "stages"}
)
COLLECTION_THRESHOLD = 10_000  # new objects between two runs of the garbage collector
SERVER_FIXTURES = frozenset(
    {"cluster", "running_cluster", "print_service"}
)  # fixtures that start a PostgreSQL or a CUPS

__all__ = ["cluster", "database", "print_service"]


class AttemptRecorder(Protocol):
    """A function that records the number of attempts of a kind, such as hostile inputs."""

    def __call__(self, kind: str, times: int) -> None: ...


@pytest.fixture
def record_attempts(record_property: AttemptRecorder) -> AttemptRecorder:
    """A function that records the attempts of a test for the table at the end of a run."""
    return record_property


os.environ["LC_ALL"] = "C.UTF-8"  # the tests must not depend on the user's language


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Mark slow tests, and run the longest tests first to use all cores until the end."""
    _mark_slow_tests(items)
    yield
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)


def _mark_slow_tests(items: list[pytest.Item]) -> None:
    """Mark tests as slow by folder or fixtures. Skip tests with the mark "long"."""
    earlier_tests: set[str] = set()
    for item in items:
        has_marker = [item.get_closest_marker(name) is not None for name in ("slow", "long")]
        if all(has_marker):
            raise pytest.UsageError(f"{item.nodeid} is marked both slow and long")
        if isinstance(item, pytest.Function) and _is_slow(item, earlier_tests) and not any(has_marker):
            item.add_marker("slow")


def _is_slow(item: pytest.Function, earlier_tests: set[str]) -> bool:
    """Return whether a test is in a slow folder, needs a server, or is a later case of an expensive test."""
    folder, test = item.path.parent.name, item.nodeid.partition("[")[0]
    if folder in SLOW_FOLDERS or not SERVER_FIXTURES.isdisjoint(item.fixturenames):
        return True
    is_further_case = test in earlier_tests
    earlier_tests.add(test)
    return is_further_case and (
        folder in EXPENSIVE_FOLDERS or item.path.stem.removeprefix("test_") in EXPENSIVE_FILES
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Exclude the collected tests from garbage collection. Run the garbage collector less often."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()
    gc.set_threshold(COLLECTION_THRESHOLD, 10, 10)


def pytest_runtest_teardown() -> None:
    """Reset the threshold of the garbage collector: a verb under test raises it."""
    gc.set_threshold(COLLECTION_THRESHOLD, 10, 10)


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer random values for each property in the fast tier."""
    examples = 20 if "not slow" in config.getoption("markexpr") else 100
    profile = settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("untimed", profile)
    settings.load_profile("untimed")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stop the shared servers. Here the time does not count for the last test."""
    get_final_cleanup(session.config).close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the attempts of each kind, and the number of failed tests."""
    tries, failures = Counter[str](), Counter[str]()
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            if report.when == "call":
                for kind, times in report.user_properties:
                    tries[kind] += int(str(times))
                    failures[kind] += outcome == "failed"
    if tries:
        terminalreporter.section("tried against the program")
        for kind, times in sorted(tries.items()):
            terminalreporter.line(f"{times:>9,}  {kind}: {failures[kind]} failures")
