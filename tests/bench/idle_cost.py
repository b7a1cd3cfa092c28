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

from tests.bench.process import count_wake_ups, read_cpu_seconds, read_memory
from tests.gallery.data import create_desk

ROOT = Path(__file__).parents[2]
START_SECONDS = 20  # until all pages exist and the program is idle


def main(data: str, seconds: float) -> None:
    """Print the cost of the idle program."""
    with tempfile.TemporaryDirectory() as folder:
        desk = create_desk(data, Path(folder))
        desk.close()
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "XDG_CONFIG_HOME": folder}
        command = [sys.executable, "-m", "tdapp", str(next(Path(folder).glob("*.tdapp")))]
        with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as program:
            time.sleep(START_SECONDS)
            cpu_seconds_before, wake_ups_before, start_time = (
                read_cpu_seconds(program.pid),
                count_wake_ups(program.pid),
                time.monotonic(),
            )
            time.sleep(seconds)
            elapsed = time.monotonic() - start_time
            cpu_percent, wake_up_rate = (
                100 * (read_cpu_seconds(program.pid) - cpu_seconds_before) / elapsed,
                (count_wake_ups(program.pid) - wake_ups_before) / elapsed,
            )
            figures = (
                f"{cpu_percent:.2f} % CPU, {wake_up_rate:.1f} wake-ups a second, {read_memory(program.pid)} MB"
            )
            print(f"{figures}; {cpu_seconds_before:.2f} s of CPU for the start")  # noqa: T201 - the output of the script
            program.terminate()


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "300x12", float(sys.argv[2]) if sys.argv[2:] else 60)
