"""Benchmarks as ratios to a fixed computation, compared with the previous version.

A ratio is almost the same on every machine, seconds are not. `history.json` has the ratios of each version.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from time import process_time
from timeit import repeat

HISTORY = Path(__file__).with_name("history.json")
GROWTH_LIMIT = 1.5  # growth to report
_SIZE = 20_000

Ratios = Mapping[str, float]


def read_cpu_seconds() -> float:
    """Return the CPU seconds of this process and its finished child processes."""
    times = os.times()
    return process_time() + times.children_user + times.children_system


def measure_unit() -> float:
    """Return the seconds of the fixed computation on this machine: the minimum of several runs."""
    return min(repeat(_compute_reference_work, timer=read_cpu_seconds, number=1, repeat=9))


def _compute_reference_work() -> int:
    """Sort, look up, write and hash, as the program does most of the time."""
    rows = sorted(((number * 7919) % _SIZE, f"P{number}") for number in range(_SIZE))
    ratios_by_name = {name: value for value, name in rows}
    text = ",".join(f"{name}:{ratios_by_name[name]}" for _, name in rows)
    return len(sha256(text.encode()).hexdigest()) + sum(ratios_by_name.values())


def read_history(path: Path = HISTORY) -> dict[str, dict[str, float]]:
    """Return the saved ratios of each version, oldest first."""
    history: dict[str, dict[str, float]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return history


def find_previous_ratios(history: Mapping[str, Ratios], version: str) -> tuple[str, Ratios]:
    """Return the newest saved version before `version` with its ratios, or `version` if it is the only one."""
    other_versions = [name for name in history if name != version] or list(history)
    return (other_versions[-1], history[other_versions[-1]]) if other_versions else ("", {})


def save_ratios(ratios: Ratios, version: str, path: Path = HISTORY) -> None:
    """Save the ratios of a version. Keep its earlier ratios of other benchmarks."""
    history = read_history(path)
    history[version] = dict(sorted({**history.pop(version, {}), **ratios}.items()))
    path.write_text(json.dumps(history, indent=1) + "\n", encoding="utf-8")


def describe_growth(current_ratios: Ratios, version: str, history: Mapping[str, Ratios]) -> Iterator[str]:
    """Yield a summary, then a line for each ratio that has grown by half, largest growth first."""
    name, ratios_before = find_previous_ratios(history, version)
    growth = {test: ratio / ratios_before[test] for test, ratio in current_ratios.items() if test in ratios_before}
    if not growth:
        yield "nothing to compare with"
        return
    grown_ratios = sorted(
        (item for item in growth.items() if item[1] >= GROWTH_LIMIT), key=lambda item: (-item[1], item[0])
    )
    yield f"{len(grown_ratios)} of {len(growth)} ratios have grown by half since {name}"
    for test, times in grown_ratios:
        yield f"{times:.1f} times: {test}, from {ratios_before[test]:.3g} to {current_ratios[test]:.3g}"


def compute_ratios(benchmarks: Iterable[object], unit_seconds: float) -> dict[str, float]:
    """Return the ratio of each finished benchmark, from its minimum time."""
    times = {str(item.fullname): item.stats.min for item in benchmarks if item.stats}  # type: ignore[attr-defined]
    return {name: float(f"{least_time / unit_seconds:.3g}") for name, least_time in times.items()}
