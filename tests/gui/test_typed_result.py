"""A typed result runs few functions of the program. The limits may only fall."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

MOST_FUNCTIONS, MOST_FILES = 189, 46


@pytest.mark.slow
def test_typed_result_runs_few_functions_once() -> None:
    command = [sys.executable, "-m", "tests.bench.typed_result", "list"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    enter = run.stdout[run.stdout.index("Enter:") :]
    found = re.match(r"Enter: (\d+) functions in (\d+) files", enter)
    assert found is not None
    assert int(found[1]) <= MOST_FUNCTIONS, enter
    assert int(found[2]) <= MOST_FILES, enter
    for once in ("Desk._refuse_forbidden_change", "make_argument_facts", "enter_result"):
        assert f": {once} 1\n" in enter, enter
