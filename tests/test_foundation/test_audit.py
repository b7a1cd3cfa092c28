"""The audit of dependencies reports its findings, and also when it could not run."""

from __future__ import annotations

import pytest

from installer import audit

SOUND = {"name": "numpy", "version": "2.4.0", "vulns": []}
FAULTY = {"name": "jinja2", "version": "3.1.2", "vulns": [{"id": "CVE-2024-22195", "fix_versions": ["3.1.3"]}]}
UNKNOWN = {"name": "anyio", "skip_reason": "not found"}


def test_audit_names_a_vulnerability_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report([SOUND, FAULTY, UNKNOWN]) == 1
    assert capsys.readouterr().out == (
        "jinja2 3.1.2: CVE-2024-22195, mended in 3.1.3\n2 of 3 packages looked up, 1 known vulnerabilities\n"
    )


def test_audit_says_if_nothing_could_be_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.report([UNKNOWN]) == 0
    assert capsys.readouterr().out.startswith("NOT AUDITED: no source of advisories could be reached")


def test_audit_says_if_the_tool_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(_folder: object) -> list[dict[str, object]]:
        raise OSError("Could not resolve host")

    monkeypatch.setattr(audit, "audited", unreachable)
    assert audit.main() == 0
    assert capsys.readouterr().out == "NOT AUDITED: Could not resolve host\n"
