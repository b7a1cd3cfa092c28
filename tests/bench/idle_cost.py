"""The cost of the idle program: `python -m tests.bench.idle_cost 300x12 60`.

Starts it on a file like a user, waits until it is idle, and prints its CPU in per cent, wake-ups of its threads
per second, and memory in MB.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.process import memory, read_cpu_seconds, waking
from tests.gallery.data import create_desk

ROOT = Path(__file__).parents[2]
STARTED = 20  # seconds until everything is made and nothing is left to do


def main(data: str, seconds: float) -> None:
    """Print what resting costs."""
    with tempfile.TemporaryDirectory() as folder:
        desk = create_desk(data, Path(folder))
        desk.close()
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "XDG_CONFIG_HOME": folder}
        command = [sys.executable, "-m", "tdapp", str(next(Path(folder).glob("*.tdapp")))]
        with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as program:
            time.sleep(STARTED)
            started, before, begin = read_cpu_seconds(program.pid), waking(program.pid), time.monotonic()
            time.sleep(seconds)
            elapsed = time.monotonic() - begin
            share, woken = (
                100 * (read_cpu_seconds(program.pid) - started) / elapsed,
                (waking(program.pid) - before) / elapsed,
            )
            figures = f"{share:.2f} % CPU, {woken:.1f} wake-ups a second, {memory(program.pid)} MB"
            print(f"{figures}; {started:.2f} s of CPU until then")  # noqa: T201 - the output of the script
            program.terminate()


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "300x12", float(sys.argv[2]) if sys.argv[2:] else 60)
