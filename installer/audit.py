"""Check the locked packages for known vulnerabilities.

    python installer/audit.py

Installs the locked pip-audit in a temporary folder. Exit code 1: a package has a known vulnerability. Without a
reachable source of advisories the output starts with NOT AUDITED and the exit code is 0: a missing network is no
fault of the packages.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_LOCK_FOLDER = Path(__file__).parent / "requirements"
TOOL_LOCK = _LOCK_FOLDER / "audit.txt"
LOCKS = (_LOCK_FOLDER / "dev.txt", _LOCK_FOLDER / "bundle.txt", TOOL_LOCK)  # dev.txt contains run.txt
TIMEOUT = 120  # seconds for each command


def main() -> int:
    """Print the vulnerabilities, or why the packages could not be checked. Return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            packages = audit_packages(Path(folder))
        except (OSError, subprocess.SubprocessError) as error:
            print(f"NOT AUDITED: {getattr(error, 'stderr', None) or error}")
            return 0
    return report(packages)


def audit_packages(folder: Path) -> list[dict[str, Any]]:
    """Return pip-audit's entry for each locked package. `folder` is temporary."""
    environment, output_file = folder / "tool", folder / "answer.json"
    create_environment = (sys.executable, "-m", "venv", "--without-pip", environment)
    pip_install = (sys.executable, "-m", "pip", "--python", environment, "install", "--quiet", "--no-compile")
    for command in (create_environment, (*pip_install, "--require-hashes", "-r", TOOL_LOCK)):
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=TIMEOUT)
    packages: dict[tuple[str, str], dict[str, Any]] = {}
    for lock in LOCKS:
        for package in audit_lock(environment, lock, output_file):
            packages[package["name"], package.get("version", "")] = package
    return list(packages.values())


def audit_lock(environment: Path, lock: Path, output_file: Path) -> list[dict[str, Any]]:
    command = (
        get_program_path(environment, "pip-audit"), "-r", lock, "--require-hashes", "--disable-pip",
        "-f", "json", "-o", output_file,
    )  # fmt: skip
    output_file.unlink(missing_ok=True)
    process = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    if not output_file.exists():
        raise OSError(process.stderr.strip().splitlines()[-1])
    return list(json.loads(output_file.read_text(encoding="utf-8"))["dependencies"])


def get_program_path(environment: Path, program: str) -> Path:
    """Return the path of a program in a virtual environment."""
    return environment / ("Scripts" if sys.platform == "win32" else "bin") / program


def report(packages: list[dict[str, Any]]) -> int:
    """Print each vulnerability and the number of checked packages. Return the exit code."""
    checked_packages = [package for package in packages if "version" in package]
    vulnerabilities = [(package, entry) for package in checked_packages for entry in package["vulns"]]
    for package, vulnerability in vulnerabilities:
        fixed_in = ", ".join(vulnerability["fix_versions"]) or "none"
        print(f"{package['name']} {package['version']}: {vulnerability['id']}, fixed in {fixed_in}")
    if not checked_packages:
        print(f"NOT AUDITED: no source of advisories could be reached for {len(packages)} packages")
    else:
        counts = f"{len(checked_packages)} of {len(packages)} packages checked"
        print(f"{counts}, {len(vulnerabilities)} known vulnerabilities")
    return 1 if vulnerabilities else 0


if __name__ == "__main__":
    sys.exit(main())
