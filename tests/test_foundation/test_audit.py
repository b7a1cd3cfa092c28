"""Tests of the audit of dependencies: reported vulnerabilities, and audits that cannot run."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from installer import audit

SOUND = {"name": "numpy", "version": "2.4.0", "vulns": []}
FAULTY = {"name": "jinja2", "version": "3.1.2", "vulns": [{"id": "CVE-2024-22195", "fix_versions": ["3.1.3"]}]}
UNKNOWN = {"name": "anyio", "skip_reason": "not found"}


def test_audit_names_a_vulnerability_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report([SOUND, FAULTY, UNKNOWN]) == 1
    assert capsys.readouterr().out == (
        "jinja2 3.1.2: CVE-2024-22195, fixed in 3.1.3\n2 of 3 packages checked, 1 known vulnerabilities\n"
    )


def test_audit_reports_that_no_package_could_be_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report([UNKNOWN]) == 0
    assert capsys.readouterr().out.startswith("NOT AUDITED: no source of advisories could be reached")


def test_audit_reports_an_unreachable_source(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_unreachable(_folder: object) -> list[dict[str, object]]:
        raise OSError("Could not resolve host")

    monkeypatch.setattr(audit, "audit_packages", raise_unreachable)
    assert audit.main() == 0
    assert capsys.readouterr().out == "NOT AUDITED: Could not resolve host\n"


def test_audit_covers_every_lock() -> None:
    """The lock of the tests contains all packages of the lock of the program."""
    folder = Path(audit.__file__).parent / "requirements"
    assert {*audit.LOCKS, folder / "run.txt"} == set(folder.glob("*.txt"))
    dev_lock = (folder / "dev.txt").read_text("utf-8")
    lines = [
        line.split(" ", 1)[0] for line in (folder / "run.txt").read_text("utf-8").splitlines() if "==" in line
    ]
    assert [line for line in lines if line not in dev_lock] == []


def test_audit_installs_the_locked_tool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    commands: list[list[str]] = []

    def record_command(command: Sequence[object], **_options: object) -> subprocess.CompletedProcess[str]:
        commands.append([str(word) for word in command])
        return subprocess.CompletedProcess([], 1, "", "stopped here")

    monkeypatch.setattr("subprocess.run", record_command)
    with pytest.raises(OSError, match="stopped here"):
        audit.audit_packages(tmp_path)
    (install,) = [command for command in commands if "install" in command]
    assert "--require-hashes" in install
    assert install[-2:] == ["-r", str(audit.TOOL_LOCK)]
    assert "pip-audit==" in audit.TOOL_LOCK.read_text("utf-8")
