"""Test that a typed result runs few functions of the program. The limits may only decrease."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

MAX_FUNCTIONS, MAX_FILES = 190, 46


@pytest.mark.slow
def test_typed_result_runs_few_functions_once() -> None:
    command = [sys.executable, "-m", "tests.bench.typed_result", "list"]
    process = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    enter_report = process.stdout[process.stdout.index("Enter:") :]
    counts = re.match(r"Enter: (\d+) functions in (\d+) files", enter_report)
    assert counts is not None
    assert int(counts[1]) <= MAX_FUNCTIONS, enter_report
    assert int(counts[2]) <= MAX_FILES, enter_report
    for function_name in ("Desk._refuse_forbidden_change", "make_argument_facts", "enter_result"):
        assert f": {function_name} 1\n" in enter_report, enter_report
