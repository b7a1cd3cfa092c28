"""Settings of the benchmarks: measure CPU time, and report figures that have grown since the previous version.

`TDAPP_PIN=1` saves the figures of this version.
"""

from __future__ import annotations

import os

import pytest

from tdapp import __version__
from tests.bench import ratios


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure CPU time, including child processes. Other programs have almost no effect on it."""
    for item in items:
        if item.get_closest_marker("bench"):
            item.add_marker(pytest.mark.benchmark(timer=ratios.read_cpu_seconds))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Compare the measured benchmarks with the previous version."""
    session = getattr(config, "_benchmarksession", None)
    if session is None or not session.benchmarks:
        return
    figures = ratios.compute_ratios(session.benchmarks, ratios.measure_unit())
    terminalreporter.section("ratios to a fixed computation")
    for line in ratios.describe_growth(figures, __version__, ratios.read_history()):
        terminalreporter.write_line(line)
    if os.environ.get("TDAPP_PIN"):
        ratios.save_ratios(figures, __version__)
