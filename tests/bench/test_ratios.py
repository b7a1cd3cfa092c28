"""Figures that have grown since the previous version are named, worst first."""

from __future__ import annotations

from pathlib import Path

from tests.bench import ratios

HISTORY = {"0.1.0": {"a": 1.0, "b": 2.0, "c": 4.0}, "0.2.0": {"a": 1.0, "b": 1.0, "c": 4.0}}


def test_ratios_name_growth_by_half() -> None:
    current_ratios = {"a": 1.49, "b": 1.5, "c": 12.0, "new": 9.0}
    assert list(ratios.judged(current_ratios, "0.3.0", HISTORY)) == [
        "2 of 3 ratios have grown by half since 0.2.0",
        "3.0 times: c, from 4 to 12",
        "1.5 times: b, from 1 to 1.5",
    ]


def test_ratios_compare_a_version_with_the_previous() -> None:
    assert ratios.before(HISTORY, "0.2.0")[0] == "0.1.0"
    assert ratios.before({"0.1.0": {}}, "0.1.0")[0] == "0.1.0", "as long as there is no other"
    assert list(ratios.judged({"a": 1.0}, "0.1.0", {})) == ["nothing to compare with"]


def test_ratios_keep_figures_not_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    ratios.write({"b": 2.0, "a": 1.0}, "0.1.0", path)
    ratios.write({"a": 3.0}, "0.2.0", path)
    ratios.write({"b": 1.0}, "0.1.0", path)
    assert ratios.read_history(path) == {"0.2.0": {"a": 3.0}, "0.1.0": {"a": 1.0, "b": 1.0}}


def test_ratios_unit_takes_time() -> None:
    assert 0 < ratios.unit() < ratios.run_reference_work()
