"""Set up tdapp in its checkout and start it, or run its tests. Needs nothing but Python.

    python3 installer/bootstrap.py run [ARGUMENT...]     the program (without a screen: a demonstration in out/)
    python3 installer/bootstrap.py test [ARGUMENT...]    the fast tests, on all cores; arguments go to pytest
    python3 installer/bootstrap.py test -m slow          the others (-m "not long": both)
    python3 installer/bootstrap.py packages              only the system's packages, for who is not root else

Makes .venv, installs the locked packages into it when they or Python have changed, and on Debian and its
relatives sees to the system's libraries: as root by installing them, otherwise by saying which are missing.
Exit code 2: something is missing that a person must see to; the last line says what.
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
LOCKS = {"run": ("run", "dev"), "test": ("dev",)}  # a set-up for the tests also runs the program

# What a program cannot bring along itself: the shared library, and Debian's package of it.
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
EXTRAS = {  # a browser and a print service that tests drive, or skip
    "chromium": "chromium",
    "chromedriver": "chromium-driver",
    "cupsd": "cups",
    "lpadmin": "cups-client",
}
DEBIAN = Path("/etc/debian_version"), Path("/etc/lsb-release")  # Ubuntu has both, and no Chromium in a package
SERVERS = Path("/usr/lib/postgresql")  # Debian keeps PostgreSQL's own programs off the path

DEMONSTRATION = (  # the last word of each is the file that it writes
    ("demo", "out/demo.tdapp"),
    ("print", "out/demo.tdapp", "standings", "-o", "out/standings.pdf"),
    ("print", "out/demo.tdapp", "pairings-by-table", "-o", "out/pairings.pdf"),
    ("print", "out/demo.tdapp", "pairings-by-name", "-o", "out/pairings-by-name.pdf"),
    ("picture", "out/demo.tdapp", "-o", "out/window.png"),
)


class SetupError(Exception):
    """Something is missing that a person must see to; the text says what."""


def main(arguments: list[str]) -> int:
    """Set up, then do what the first argument says; return the exit code."""
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command not in {*LOCKS, "packages"}:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        check_python(sys.version_info[:2])
        if command == "packages":
            provide_system_packages(missing_packages("test", screen=True))
            return 0
        provide_system_packages(missing_packages(command, screen=has_screen(os.environ)))
        if command == "test":
            provide_extras()
        provide_packages(command)
        compile_translations()
    except SetupError as error:
        print(error, file=sys.stderr)
        return 2
    return run(rest) if command == "run" else test(rest)


def check_python(version: tuple[int, ...]) -> None:
    """Raise SetupError when this Python is too old."""
    if version < OLDEST_PYTHON:
        needed, found = (".".join(map(str, numbers)) for numbers in (OLDEST_PYTHON, version))
        raise SetupError(f"tdapp needs Python {needed} or newer; this is Python {found} ({sys.executable}).")


def has_screen(environment: Mapping[str, str]) -> bool:
    """Return whether a window can be shown."""
    return sys.platform in {"win32", "darwin"} or any(
        environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )


# --- the system's packages --------------------------------------------------------------------------


def missing_packages(command: str, *, screen: bool) -> list[str]:
    """Name the Debian packages that `command` needs and that are not here; empty off Linux."""
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
    """Return whether a PostgreSQL can be started for the tests of stations."""
    return shutil.which("initdb") is not None or any(SERVERS.glob("*/bin/initdb"))


def can_load(library: str) -> bool:
    """Return whether the system has this shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def provide_system_packages(packages: list[str]) -> None:
    """Install them as root on Debian; otherwise raise SetupError with the line to type."""
    if not packages:
        return
    names = " ".join(packages)
    if not shutil.which("apt-get"):
        raise SetupError(f"Please install what Debian calls {names}, then start this again.")
    if os.geteuid() != 0:
        raise SetupError(f"Packages of the system are missing. Please type:\n  sudo apt-get install {names}")
    say(f"installing packages of the system: {names}")
    apt_get = ("apt-get", "-qq", "-o", "Dpkg::Use-Pty=0")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    steps: Iterable[tuple[str, ...]] = (("update",), ("install", "-y", "--no-install-recommends", *packages))
    for step in steps:
        must_work([*apt_get, *step], environment=environment)


def provide_extras() -> None:
    """Install as root on Debian what some tests drive; without it they skip, so nothing stops here."""
    missing = [package for program, package in EXTRAS.items() if not shutil.which(program)]
    debian, ubuntu = (path.exists() for path in DEBIAN)
    if not missing or not debian or ubuntu or os.geteuid() != 0:
        return
    names = " ".join(missing)
    say(f"installing packages of the system: {names}")
    apt_get = ("apt-get", "-qq", "-o", "Dpkg::Use-Pty=0")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    steps: Iterable[tuple[str, ...]] = (("update",), ("install", "-y", "--no-install-recommends", *missing))
    if any(subprocess.call([*apt_get, *step], env=environment) for step in steps):
        say(f"{names}: not to be had; the tests that drive them skip")


# --- the packages of Python -------------------------------------------------------------------------


def provide_packages(command: str) -> None:
    """Make .venv and fill it from the lock, unless that has been done for this lock and this Python."""
    stamp_file = VENV / "tdapp-stamp"
    fitting = [stamp(lock_file(name).read_bytes(), sys.version) for name in LOCKS[command]]
    if stamp_file.exists() and stamp_file.read_text(encoding="utf-8") in fitting:
        return
    say("installing the locked packages into .venv (once)")
    must_work([sys.executable, "-m", "venv", "--clear", str(VENV)])
    pip = [str(venv_python()), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    lock = str(lock_file(LOCKS[command][0]))
    # Python compiles what is imported when that happens: far less than all that is installed.
    must_work([*pip, "--no-compile", "--require-hashes", "--only-binary", ":all:", "-r", lock])
    site_packages = sysconfig.get_path("purelib", "venv", {"base": str(VENV), "platbase": str(VENV)})
    Path(site_packages, "tdapp-checkout.pth").write_text(f"{ROOT}\n", encoding="locale")
    stamp_file.write_text(fitting[0], encoding="utf-8")


def compile_translations() -> None:
    """Make missing .mo files, and those older than their .po files."""
    for source in ROOT.glob("resources/locale/*/LC_MESSAGES/*.po"):
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            must_work([str(venv_python()), "-m", "tdapp.i18n", "compile", "--root", str(ROOT)])
            return


def lock_file(name: str) -> Path:
    """Return the path of a lock, `run` or `dev`."""
    return ROOT / "installer" / "requirements" / f"{name}.txt"


def stamp(lock: bytes, python: str) -> str:
    """Return what identifies a set-up: its lock and its Python."""
    return hashlib.sha256(lock.replace(b"\r\n", b"\n") + python.encode()).hexdigest()


def venv_python() -> Path:
    """Return the Python of .venv."""
    return VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


# --- the two commands -------------------------------------------------------------------------------


def run(arguments: list[str]) -> int:
    """Start the program where the caller stands; without a screen and arguments, the demonstration."""
    if arguments or has_screen(os.environ):
        return subprocess.call([str(venv_python()), "-m", "tdapp", *arguments])
    say("there is no screen here: playing a sample tournament into out/ instead of opening the window")
    (ROOT / "out").mkdir(exist_ok=True)
    for verb in DEMONSTRATION:
        say("tdapp " + " ".join(verb))
        (ROOT / verb[-1]).unlink(missing_ok=True)
        code = subprocess.call([str(venv_python()), "-m", "tdapp", *verb], cwd=ROOT, env=off_screen())
        if code:
            return code
    for *_, written in DEMONSTRATION:
        say(f"wrote {written} ({(ROOT / written).stat().st_size:,} bytes)")
    return 0


def test(arguments: list[str]) -> int:
    """Run pytest off-screen, on all cores unless told otherwise; the tests marked xvfb start an X server."""
    pytest = [str(venv_python()), "-m", "pytest", "-n", "logical", "--dist", "worksteal"]
    code = subprocess.call([*pytest, *arguments], cwd=ROOT, env=off_screen())
    if not any(one.startswith(("-m", "--version", "--help")) for one in arguments):
        say("these were the fast tests; the others: python3 installer/bootstrap.py test -m slow")
    return code


def off_screen() -> dict[str, str]:
    """Return the environment in which Qt draws into memory, and no process compiles what another has."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"QT_QPA_PLATFORM": "offscreen"}


def must_work(command: list[str], *, environment: dict[str, str] | None = None) -> None:
    """Run a step of the set-up; raise SetupError when it fails."""
    code = subprocess.call(command, env=environment)
    if code:
        raise SetupError(f"The set-up stopped: {' '.join(command[:4])} … ended with code {code}.")


def say(text: str) -> None:
    """Tell the person at the terminal, in order with what the steps print."""
    print(f"tdapp: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
