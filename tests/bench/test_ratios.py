"""Tests of the comparison of benchmark ratios with the previous version."""

from __future__ import annotations

from pathlib import Path

from tests.bench import ratios

HISTORY = {"0.1.0": {"a": 1.0, "b": 2.0, "c": 4.0}, "0.2.0": {"a": 1.0, "b": 1.0, "c": 4.0}}


def test_describe_growth_lists_ratios_grown_by_half() -> None:
    current_ratios = {"a": 1.49, "b": 1.5, "c": 12.0, "new": 9.0}
    assert list(ratios.describe_growth(current_ratios, "0.3.0", HISTORY)) == [
        "2 of 3 ratios have grown by half since 0.2.0",
        "3.0 times: c, from 4 to 12",
        "1.5 times: b, from 1 to 1.5",
    ]


def test_find_previous_ratios_returns_the_version_before() -> None:
    assert ratios.find_previous_ratios(HISTORY, "0.2.0")[0] == "0.1.0"
    assert ratios.find_previous_ratios({"0.1.0": {}}, "0.1.0")[0] == "0.1.0", "the only saved version"
    assert list(ratios.describe_growth({"a": 1.0}, "0.1.0", {})) == ["nothing to compare with"]


def test_save_ratios_keeps_ratios_of_other_benchmarks(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    ratios.save_ratios({"b": 2.0, "a": 1.0}, "0.1.0", path)
    ratios.save_ratios({"a": 3.0}, "0.2.0", path)
    ratios.save_ratios({"b": 1.0}, "0.1.0", path)
    assert ratios.read_history(path) == {"0.2.0": {"a": 3.0}, "0.1.0": {"a": 1.0, "b": 1.0}}


def test_measure_unit_returns_cpu_seconds() -> None:
    assert 0 < ratios.measure_unit() < ratios.read_cpu_seconds()
