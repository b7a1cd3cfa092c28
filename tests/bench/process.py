"""Memory, CPU time and wake-ups of a process, from Linux's /proc."""

from __future__ import annotations

import os
from pathlib import Path


def count_wake_ups(process: int) -> int:
    """Return the number of wake-ups of the threads of a process since its start."""
    status_texts = (path.read_text() for path in Path(f"/proc/{process}/task").glob("*/status"))
    lines = (line for text in status_texts for line in text.splitlines())
    return sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))


def read_cpu_seconds(process: int) -> float:
    """Return the CPU seconds of a process since its start."""
    after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def read_memory(process: int) -> int:
    """Return the memory of a process in MB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) // 1024
