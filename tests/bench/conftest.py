"""Benchmarks measure CPU time. At the end they report figures that have grown since the previous version.

`TDAPP_PIN=1` saves the figures of this version.
"""

from __future__ import annotations

import os

import pytest

from tdapp import __version__
from tests.bench import ratios


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure CPU time, almost independent of other programs, including child processes."""
    for item in items:
        if item.get_closest_marker("bench"):
            item.add_marker(pytest.mark.benchmark(timer=ratios.run_reference_work))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Judge what was measured, if anything was."""
    session = getattr(config, "_benchmarksession", None)
    if session is None or not session.benchmarks:
        return
    figures = ratios.compute_ratios(session.benchmarks, ratios.unit())
    terminalreporter.section("ratios to a fixed computation")
    for line in ratios.judged(figures, __version__, ratios.read_history()):
        terminalreporter.write_line(line)
    if os.environ.get("TDAPP_PIN"):
        ratios.write(figures, __version__)
