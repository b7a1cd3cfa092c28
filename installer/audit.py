"""Look the locked packages up among the known vulnerabilities, where a source of advisories can be reached.

    python installer/audit.py

The locked pip-audit is installed for the moment. Exit code 1: a package has a known vulnerability. Where nothing
could be looked up, the last line says so, and the exit code is 0: a machine without a network is no fault of the
packages.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_LOCKS = Path(__file__).parent / "requirements"
TOOL = _LOCKS / "audit.txt"
LOCKS = (
    _LOCKS / "dev.txt",
    _LOCKS / "bundle.txt",
    TOOL,
)  # all that runs, what tests it, what packs it, and the tool
PATIENCE = 120  # seconds for everything


def main() -> int:
    """Say what was found, or why nothing could be looked up."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            packages = audited(Path(folder))
        except (OSError, subprocess.SubprocessError) as error:
            print(f"NOT AUDITED: {getattr(error, 'stderr', None) or error}")
            return 0
    return report(packages)


def audited(folder: Path) -> list[dict[str, Any]]:
    """Return what pip-audit says of each locked package."""
    tool, answer = folder / "tool", folder / "answer.json"
    for command in (
        (sys.executable, "-m", "venv", "--without-pip", tool),
        (
            sys.executable,
            "-m",
            "pip",
            "--python",
            tool,
            "install",
            "--quiet",
            "--no-compile",
            "--require-hashes",
            "-r",
            TOOL,
        ),
    ):
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE)
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for lock in LOCKS:
        for one in look_up(tool, lock, answer):
            found[one["name"], one.get("version", "")] = one
    return list(found.values())


def look_up(tool: Path, lock: Path, answer: Path) -> list[dict[str, Any]]:
    """Return what the tool says of each package in a lock."""
    looking = (
        next_to(tool, "pip-audit"), "-r", lock, "--require-hashes", "--disable-pip", "-f", "json", "-o", answer,
    )  # fmt: skip
    answer.unlink(missing_ok=True)
    done = subprocess.run(looking, capture_output=True, text=True, timeout=PATIENCE, check=False)
    if not answer.exists():
        raise OSError(done.stderr.strip().splitlines()[-1])
    return list(json.loads(answer.read_text(encoding="utf-8"))["dependencies"])


def next_to(environment: Path, program: str) -> Path:
    """Return where a virtual environment has a program."""
    return environment / ("Scripts" if sys.platform == "win32" else "bin") / program


def report(packages: list[dict[str, Any]]) -> int:
    """Print each vulnerability, and how many packages could be looked up; return the exit code."""
    known = [one for one in packages if "version" in one]
    found = [(one, each) for one in known for each in one["vulns"]]
    for one, each in found:
        print(
            f"{one['name']} {one['version']}: {each['id']}, mended in {', '.join(each['fix_versions']) or 'none'}"
        )
    if not known:
        print(f"NOT AUDITED: no source of advisories could be reached for {len(packages)} packages")
    else:
        print(f"{len(known)} of {len(packages)} packages looked up, {len(found)} known vulnerabilities")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
