"""Tests of the self-test: a complete copy, and bundles with missing parts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tdapp import selftest, storage
from tdapp.versions import map_software_versions
from tests.building import RESOURCES


def test_selftest_passes_for_this_copy() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "tdapp", "--self-test"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=110, env=environment, check=False)
    assert process.returncode == 0, process.stdout + process.stderr
    assert [line for line in process.stdout.splitlines() if line.startswith("ok ")] == [
        f"ok    {name}" for name in selftest.PARTS
    ]


@pytest.mark.parametrize(
    ("removed_path", "part"),
    [
        ("locale/nb", "languages and help"),
        ("help/de/day.md", "languages and help"),
        ("tilesets", "rule sets, tile sets, rating systems"),
        ("lexicons", "a word list made and asked"),
        ("licences/GPL-3.0.txt", "licences"),
        ("site/site.css", "the pages of a web site"),
    ],
)
def test_selftest_names_missing_parts(
    removed_path: str,
    part: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resources = tmp_path / "resources"
    shutil.copytree(RESOURCES, resources)
    removed_file = resources / removed_path
    shutil.rmtree(removed_file) if removed_file.is_dir() else removed_file.unlink()
    part_names = (
        {"a tournament played, taken back and done again", part} if part == "the pages of a web site" else {part}
    )
    parts = {name: part for name, part in selftest.PARTS.items() if name in part_names}
    monkeypatch.setattr(selftest, "PARTS", parts)

    assert selftest.run_selftest(resources) == 1

    output = capsys.readouterr().out
    assert f"FAIL  {part}" in output
    assert "do not work" in output


def test_selftest_accepts_a_missing_optional_driver(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    part = "the driver of PostgreSQL"
    monkeypatch.setattr(selftest, "PARTS", {part: selftest.PARTS[part]})
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "tdapp.storage.connection_timeouts", raising=False)
    monkeypatch.delattr(storage, "connection_timeouts", raising=False)
    assert selftest.run_selftest(tmp_path) == 0
    output = capsys.readouterr().out
    assert f"--    {part}: not installed (pip install 'tdapp[stations]')" in output
    assert f"ok    {part}" not in output
    monkeypatch.setattr(selftest, "is_bundled_program", lambda: True)  # a bundle must contain the driver
    assert selftest.run_selftest(tmp_path) == 1


def test_map_software_versions_names_the_running_software() -> None:
    versions = map_software_versions()
    assert versions["tdapp"]
    assert versions["Python"].startswith("3.")
    assert "missing" not in versions.values()
