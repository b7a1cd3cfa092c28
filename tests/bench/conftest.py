"""What is measured here is the work of processors; at its end it is said what has grown since the version before.

`TDAPP_PIN=1` keeps the figures as those of this version.
"""

from __future__ import annotations

import os

import pytest

from tdapp import __version__
from tests.bench import ratios


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure the work of processors, which other programs hardly lengthen, also that of other processes."""
    for item in items:
        if item.get_closest_marker("bench"):
            item.add_marker(pytest.mark.benchmark(timer=ratios.worked))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Judge what was measured, if anything was."""
    session = getattr(config, "_benchmarksession", None)
    if session is None or not session.benchmarks:
        return
    found = ratios.measured(session.benchmarks, ratios.unit())
    terminalreporter.section("ratios to a fixed computation")
    for line in ratios.judged(found, __version__, ratios.kept()):
        terminalreporter.write_line(line)
    if os.environ.get("TDAPP_PIN"):
        ratios.write(found, __version__)
