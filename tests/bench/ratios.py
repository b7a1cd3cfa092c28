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
GROWN = 1.5  # from here on it is named
_SIZE = 20_000

Ratios = Mapping[str, float]


def run_reference_work() -> float:
    """Return how long processors have worked for this process and those that it waited for, in seconds."""
    used = os.times()
    return process_time() + used.children_user + used.children_system


def unit() -> float:
    """Return what the fixed computation takes here and now, in seconds: the least of several."""
    return min(repeat(_compute_reference_work, timer=run_reference_work, number=1, repeat=9))


def _compute_reference_work() -> int:
    """Sort, look up, write and hash, as the program mostly does."""
    rows = sorted(((number * 7919) % _SIZE, f"P{number}") for number in range(_SIZE))
    ratios_by_name = {name: value for value, name in rows}
    text = ",".join(f"{name}:{ratios_by_name[name]}" for _, name in rows)
    return len(sha256(text.encode()).hexdigest()) + sum(ratios_by_name.values())


def read_history(path: Path = HISTORY) -> dict[str, dict[str, float]]:
    """Return the saved ratios of each version, oldest first."""
    history: dict[str, dict[str, float]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return history


def before(history: Mapping[str, Ratios], version: str) -> tuple[str, Ratios]:
    """Return the newest saved version, if possible other than `version`, with its ratios."""
    other_versions = [name for name in history if name != version] or list(history)
    return (other_versions[-1], history[other_versions[-1]]) if other_versions else ("", {})


def write(ratios: Ratios, version: str, path: Path = HISTORY) -> None:
    """Save the ratios of a version. Ratios not measured now stay."""
    history = read_history(path)
    history[version] = dict(sorted({**history.pop(version, {}), **ratios}.items()))
    path.write_text(json.dumps(history, indent=1) + "\n", encoding="utf-8")


def judged(current_ratios: Ratios, version: str, history: Mapping[str, Ratios]) -> Iterator[str]:
    """Yield a line for each ratio that has grown by half, worst first, or one line if none has."""
    name, ratios_before = before(history, version)
    growth = {test: ratio / ratios_before[test] for test, ratio in current_ratios.items() if test in ratios_before}
    if not growth:
        yield "nothing to compare with"
        return
    grown = sorted((item for item in growth.items() if item[1] >= GROWN), key=lambda item: (-item[1], item[0]))
    yield f"{len(grown)} of {len(growth)} ratios have grown by half since {name}"
    for test, times in grown:
        yield f"{times:.1f} times: {test}, from {ratios_before[test]:.3g} to {current_ratios[test]:.3g}"


def compute_ratios(benchmarks: Iterable[object], unit_seconds: float) -> dict[str, float]:
    """Return the ratio of each benchmark that has run, by its least time."""
    times = {str(item.fullname): item.stats.min for item in benchmarks if item.stats}  # type: ignore[attr-defined]
    return {name: float(f"{least / unit_seconds:.3g}") for name, least in times.items()}
