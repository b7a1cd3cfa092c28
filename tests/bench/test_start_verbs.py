"""Benchmarks of verbs: CPU time of a cold start. Targets: 0.35 s, and 0.1 s for `--version`.

Modules are compiled, as in an installed program.
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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tournament in progress and a cache for compiled modules."""
    folder = tmp_path_factory.mktemp("verbs")
    cli.run_command_line(
        ["demo", str(folder / "a.tdapp"), "--players", "24", "--rounds", "7"], resources=RESOURCES
    )
    return folder


@pytest.mark.bench
@pytest.mark.parametrize(
    "words",
    [
        "--version", "rulesets", "standings FILE", "pairings FILE", "players FILE", "check FILE",
        "export FILE - --format json", "result FILE --table 1 400 390",
    ],
)  # fmt: skip
def test_verb_cold_start(benchmark: BenchmarkFixture, folder: Path, words: str) -> None:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    command = [sys.executable, "-m", "tdapp", *words.replace("FILE", str(folder / "a.tdapp")).split()]

    def run_verb() -> int:
        return subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60).returncode

    code = benchmark.pedantic(run_verb, rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call]
    assert code == 0
