"""Set up tdapp in its checkout and start it, or run its tests. Needs only Python.

    python3 installer/bootstrap.py run [ARGUMENT...]     the program (without a screen: a demonstration in out/)
    python3 installer/bootstrap.py test [ARGUMENT...]    the fast tests, on all cores; arguments go to pytest
    python3 installer/bootstrap.py test -m slow          the slow tests (-m "not long": both)
    python3 installer/bootstrap.py packages              only the system packages, with sudo

Creates .venv and installs the locked packages if they or Python have changed. On Debian and its derivatives it
installs the system libraries as root, or lists the missing libraries for other users.
Exit code 2: something is missing. The last line names it and the remedy.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST_PYTHON = (3, 11)
LOCKS = {"run": ("run", "dev"), "test": ("dev",)}  # dev contains all packages of run

# Shared libraries that the program cannot contain, and their Debian packages.
QT_LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
}
X11_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
TEST_PROGRAMS = {"Xvfb": "xvfb", "xdotool": "xdotool"}
OPTIONAL_PROGRAMS = {  # a browser and a print service; without them some tests are skipped
    "chromium": "chromium",
    "chromedriver": "chromium-driver",
    "cupsd": "cups",
    "lpadmin": "cups-client",
}
# Debian has the first file, Ubuntu both. Ubuntu has no Chromium package.
DISTRIBUTION_FILES = Path("/etc/debian_version"), Path("/etc/lsb-release")
POSTGRESQL_FOLDER = Path("/usr/lib/postgresql")  # Debian does not put the server programs on the path

DEMONSTRATION_COMMANDS = (  # the last word of each is its output file
    ("demo", "out/demo.tdapp"),
    ("print", "out/demo.tdapp", "standings", "-o", "out/standings.pdf"),
    ("print", "out/demo.tdapp", "pairings-by-table", "-o", "out/pairings.pdf"),
    ("print", "out/demo.tdapp", "pairings-by-name", "-o", "out/pairings-by-name.pdf"),
    ("picture", "out/demo.tdapp", "-o", "out/window.png"),
)


class SetupError(Exception):
    """Something is missing. The text names it and the remedy."""


def main(arguments: list[str]) -> int:
    """Set up, then run the command in the first argument. Return the exit code."""
    command, options = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command not in {*LOCKS, "packages"}:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        check_python(sys.version_info[:2])
        if command == "packages":
            install_system_packages(list_missing_packages("test", screen=True))
            return 0
        install_system_packages(list_missing_packages(command, screen=has_screen(os.environ)))
        if command == "test":
            install_test_programs()
        install_python_packages(command)
        compile_translations()
    except SetupError as error:
        print(error, file=sys.stderr)
        return 2
    return run(options) if command == "run" else test(options)


def check_python(version: tuple[int, ...]) -> None:
    """Raise SetupError if this Python is too old."""
    if version < OLDEST_PYTHON:
        needed_version, own_version = (".".join(map(str, numbers)) for numbers in (OLDEST_PYTHON, version))
        raise SetupError(
            f"tdapp needs Python {needed_version} or newer; this is Python {own_version} ({sys.executable})."
        )


def has_screen(environment: Mapping[str, str]) -> bool:
    return sys.platform in {"win32", "darwin"} or any(
        environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )


# --- system packages


def list_missing_packages(command: str, *, screen: bool) -> list[str]:
    """Return the missing Debian packages of `command`, [] on other systems than Linux."""
    if not sys.platform.startswith("linux"):
        return []
    libraries = QT_LIBRARIES | X11_LIBRARIES if screen or command == "test" else QT_LIBRARIES
    packages = [package for library, package in libraries.items() if not can_load(library)]
    if command == "test":
        packages += [package for program, package in TEST_PROGRAMS.items() if not shutil.which(program)]
        packages += [] if has_postgresql() else ["postgresql"]
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        packages.append("python{}.{}-venv".format(*sys.version_info))
    return packages


def has_postgresql() -> bool:
    return shutil.which("initdb") is not None or any(POSTGRESQL_FOLDER.glob("*/bin/initdb"))


def can_load(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def install_system_packages(packages: list[str]) -> None:
    """Install the packages as root on Debian. Otherwise raise SetupError with the command to type."""
    if not packages:
        return
    names = " ".join(packages)
    if not shutil.which("apt-get"):
        raise SetupError(f"Please install these packages (Debian's names): {names}. Then start this again.")
    if os.geteuid() != 0:
        raise SetupError(f"System packages are missing. Please type:\n  sudo apt-get install {names}")
    print_message(f"installing system packages: {names}")
    apt_get = ("apt-get", "-qq", "-o", "Dpkg::Use-Pty=0")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    steps: Iterable[tuple[str, ...]] = (("update",), ("install", "-y", "--no-install-recommends", *packages))
    for step in steps:
        run_step([*apt_get, *step], environment=environment)


def install_test_programs() -> None:
    """Install the optional programs of the tests as root on Debian. Without them some tests are skipped."""
    packages = [package for program, package in OPTIONAL_PROGRAMS.items() if not shutil.which(program)]
    is_debian, is_ubuntu = (path.exists() for path in DISTRIBUTION_FILES)
    if not packages or not is_debian or is_ubuntu or os.geteuid() != 0:
        return
    names = " ".join(packages)
    print_message(f"installing system packages: {names}")
    apt_get = ("apt-get", "-qq", "-o", "Dpkg::Use-Pty=0")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    steps: Iterable[tuple[str, ...]] = (("update",), ("install", "-y", "--no-install-recommends", *packages))
    if any(subprocess.call([*apt_get, *step], env=environment) for step in steps):
        print_message(f"{names}: not available, so some tests are skipped")


# --- Python packages


def install_python_packages(command: str) -> None:
    """Create .venv from the lock, unless it already fits this lock and this Python."""
    stamp_path = VENV / "tdapp-stamp"
    valid_stamps = [compute_stamp(get_lock_path(name).read_bytes(), sys.version) for name in LOCKS[command]]
    if stamp_path.exists() and stamp_path.read_text(encoding="utf-8") in valid_stamps:
        return
    print_message("installing the locked packages into .venv (once)")
    run_step([sys.executable, "-m", "venv", "--clear", str(VENV)])
    pip = [str(get_venv_python()), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    lock = str(get_lock_path(LOCKS[command][0]))
    # Python compiles modules at their first import: far fewer than all installed modules.
    run_step([*pip, "--no-compile", "--require-hashes", "--only-binary", ":all:", "-r", lock])
    site_packages = sysconfig.get_path("purelib", "venv", {"base": str(VENV), "platbase": str(VENV)})
    Path(site_packages, "tdapp-checkout.pth").write_text(f"{ROOT}\n", encoding="locale")
    stamp_path.write_text(valid_stamps[0], encoding="utf-8")


def compile_translations() -> None:
    """Make missing and outdated .mo files."""
    for source in ROOT.glob("resources/locale/*/LC_MESSAGES/*.po"):
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            run_step([str(get_venv_python()), "-m", "tdapp.i18n", "compile", "--root", str(ROOT)])
            return


def get_lock_path(name: str) -> Path:
    """Return the path of a lock file such as `run`, `dev` or `bundle`."""
    return ROOT / "installer" / "requirements" / f"{name}.txt"


def compute_stamp(lock: bytes, python: str) -> str:
    """Return a digest of a lock and a Python version."""
    return hashlib.sha256(lock.replace(b"\r\n", b"\n") + python.encode()).hexdigest()


def get_venv_python() -> Path:
    return VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


# --- commands


def run(arguments: list[str]) -> int:
    """Start the program in the current folder. Without a screen and arguments run the demonstration."""
    if arguments or has_screen(os.environ):
        return subprocess.call([str(get_venv_python()), "-m", "tdapp", *arguments])
    print_message("no screen found: writing a sample tournament to out/ instead of opening the window")
    (ROOT / "out").mkdir(exist_ok=True)
    for command in DEMONSTRATION_COMMANDS:
        print_message("tdapp " + " ".join(command))
        (ROOT / command[-1]).unlink(missing_ok=True)
        code = subprocess.call(
            [str(get_venv_python()), "-m", "tdapp", *command], cwd=ROOT, env=make_offscreen_environment()
        )
        if code:
            return code
    for *_, file_name in DEMONSTRATION_COMMANDS:
        print_message(f"wrote {file_name} ({(ROOT / file_name).stat().st_size:,} bytes)")
    return 0


def test(arguments: list[str]) -> int:
    """Run pytest off screen, by default on all cores. Tests marked xvfb start an X server."""
    pytest = [str(get_venv_python()), "-m", "pytest", "-n", "logical", "--dist", "worksteal"]
    code = subprocess.call([*pytest, *arguments], cwd=ROOT, env=make_offscreen_environment())
    if not any(argument.startswith(("-m", "--version", "--help")) for argument in arguments):
        print_message("these were the fast tests; for the slow tests: python3 installer/bootstrap.py test -m slow")
    return code


def make_offscreen_environment() -> dict[str, str]:
    """Return the environment in which Qt draws into memory, and processes share compiled modules."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return environment | {"QT_QPA_PLATFORM": "offscreen"}


def run_step(command: list[str], *, environment: dict[str, str] | None = None) -> None:
    """Run a command. Raise SetupError if it fails."""
    code = subprocess.call(command, env=environment)
    if code:
        raise SetupError(f"The set-up stopped: {' '.join(command[:4])} … ended with code {code}.")


def print_message(text: str) -> None:
    """Print a message at once, so that it is in order with the output of the commands."""
    print(f"tdapp: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
