"""What a verb costs from a cold process, of a processor's time: 0.35 s are meant, and 0.1 s for `--version`.

A result has SQLAlchemy to load, `check` the matching.

The modules are compiled, as they are where the program is installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp import cli
from tests.building import RESOURCES


@pytest.mark.bench
@pytest.mark.parametrize(
    "words",
    [
        "--version", "rulesets", "standings FILE", "pairings FILE", "players FILE", "check FILE",
        "export FILE - --format json", "result FILE --table 1 400 390",
    ],
)  # fmt: skip
def test_cold_verb(benchmark: BenchmarkFixture, tmp_path: Path, words: str) -> None:
    file = tmp_path / "a.tdapp"
    cli.run(["demo", str(file), "--players", "24", "--rounds", "7"], resources=RESOURCES)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path / "compiled")}
    command = [sys.executable, "-m", "tdapp", *words.replace("FILE", str(file)).split()]

    def ran() -> float:
        before = _used()
        subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60)
        return _used() - before

    ran()  # compiles
    benchmark.extra_info["processor"] = min(ran() for _ in range(5))
    assert benchmark.pedantic(ran, rounds=3) >= 0  # type: ignore[no-untyped-call]


def _used() -> float:
    """Return the processor's time of the processes that were waited for, in seconds."""
    used = os.times()
    return used.children_user + used.children_system
