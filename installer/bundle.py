"""Make what a director installs: a folder that runs without Python, and from it the installer of this system.

    python3 -m installer.bundle folder      out/bundle/dist/tdapp/, on every system
    python3 -m installer.bundle deb         a .deb, on Debian and its relatives
    python3 -m installer.bundle setup       a setup program, on Windows (with NSIS's makensis on the path)
    python3 -m installer.bundle dmg         a disk image, on macOS

Each makes the folder first. PyInstaller builds for the system it runs on: build where the oldest system that is to
be supported runs. The last line names what was made, with its size.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from installer.bootstrap import QT_LIBRARIES, ROOT, X11_LIBRARIES, SetupError, can_load, lock_file, must_work, say

HERE = ROOT / "installer"
BUILT = ROOT / "out" / "bundle"
FOLDER = BUILT / "dist" / "tdapp"
STRIPPED = ("libpython*", "python*/lib-dynload/*.so", "sqlalchemy/**/*.so")
DOC, COMMON = Path("/usr/share/doc"), Path("/usr/share/common-licenses")
DATE = "946684800"  # one date for every file, so that the same sources make the same package


def main(arguments: list[str]) -> int:
    """Make what the argument names; return the exit code, 2 where something is missing."""
    make = MAKERS.get(arguments[0] if arguments else "")
    if make is None:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        folder()
        made = make()
    except SetupError as error:
        print(error, file=sys.stderr)
        return 2
    say(f"made {made.relative_to(ROOT)} ({size(made) / 1e6:.0f} MB)")
    return 0


def version() -> str:
    """Return the program's version."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def size(made: Path) -> int:
    """Return the bytes of a file or of all files in a folder; a link counts nothing."""
    files = (
        [made] if made.is_file() else [one for one in made.rglob("*") if one.is_file() and not one.is_symlink()]
    )
    return sum(one.stat().st_size for one in files)


# --- the folder -------------------------------------------------------------------------------------


def folder() -> Path:
    """Make the folder that runs without Python; raise SetupError where the system lacks what belongs into it."""
    check_libraries()
    BUILT.mkdir(parents=True, exist_ok=True)
    python = provide_builder()
    (BUILT / "packages.txt").write_text("\n".join(bundled(lock_file("run").read_text(encoding="utf-8"))), "utf-8")
    (BUILT / "version.txt").write_text(version(), encoding="utf-8")
    draw_icons(python)
    shutil.rmtree(BUILT / "dist", ignore_errors=True)
    told = ("--noconfirm", "--log-level", "WARN", "--distpath", BUILT / "dist", "--workpath", BUILT / "work")
    must_work(
        [str(one) for one in (python, "-m", "PyInstaller", *told, HERE / "tdapp.spec")],
        environment=os.environ | {"SOURCE_DATE_EPOCH": DATE, "PYTHONHASHSEED": "0"},
    )
    shutil.copy(ROOT / "LICENSE", FOLDER)
    if sys.platform.startswith("linux"):
        strip_symbols()
        collect_licences(FOLDER / "_internal" / "resources" / "licences" / "libraries")
    return FOLDER


def check_libraries() -> None:
    """Raise SetupError where a library that the folder must bring along is not on this machine."""
    if not sys.platform.startswith("linux"):
        return
    missing = [package for library, package in (QT_LIBRARIES | X11_LIBRARIES).items() if not can_load(library)]
    if missing:
        raise SetupError(
            f"The bundle would lack libraries. Please type:\n  sudo apt-get install {' '.join(missing)}"
        )


def provide_builder() -> Path:
    """Return the Python of an environment with the locked packages and PyInstaller, made when needed."""
    environment = BUILT / "venv"
    python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    lock, note = lock_file("bundle"), environment / "tdapp-lock.txt"
    if not note.exists() or note.read_bytes() != lock.read_bytes():
        say("installing what makes the bundle (once)")
        must_work([sys.executable, "-m", "venv", "--clear", str(environment)])
        pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        must_work([*pip, "--require-hashes", "--only-binary", ":all:", "-r", str(lock)])
        shutil.copy(lock, note)
    return python


def bundled(lock: str) -> list[str]:
    """Return the packages of a lock that apply to this system and are installed with it."""
    return [line.split("==")[0] for line in lock.splitlines() if "==" in line and "sys_platform" not in line]


def draw_icons(python: Path) -> None:
    """Draw the program's icon in the formats of the systems."""
    source, target = ROOT / "resources" / "pictures" / "tdapp.svg", BUILT / "tdapp.png"
    draw = (
        "import sys; from PySide6.QtGui import QGuiApplication, QIcon; from PIL import Image;"
        "app = QGuiApplication(['x', '-platform', 'offscreen']); source, target = sys.argv[1:];"
        "QIcon(source).pixmap(1024, 1024).save(target); picture = Image.open(target);"
        "picture.save(target[:-3] + 'ico'); picture.save(target[:-3] + 'icns');"
        "picture.resize((256, 256), Image.LANCZOS).save(target)"
    )
    must_work([str(python), "-c", draw, str(source), str(target)])


def strip_symbols() -> None:
    """Take the names for debuggers out of libraries; not of those that a wheel has patched: they break."""
    found = (path for pattern in STRIPPED for path in (FOLDER / "_internal").glob(pattern))
    files = [str(path) for path in found if path.is_file() and not path.is_symlink()]
    must_work(["strip", "--strip-unneeded", *files])


def collect_licences(target: Path) -> None:
    """Write what Debian says of the system's libraries in the folder, and the licences that it refers to.

    Elsewhere than on Debian and its relatives nothing is known of them: such a folder is not for passing on.
    """
    if shutil.which("dpkg-query") is None:
        say("the licences of the system's libraries are not in the folder: there is no dpkg here")
        return
    target.mkdir(parents=True)
    common = set()
    for package in sorted(packages_of((BUILT / "libraries.txt").read_text(encoding="utf-8").splitlines())):
        about = printed("dpkg-query", "--show", "--showformat=${Package}_${Version}", package)
        text = (DOC / package.partition(":")[0] / "copyright").read_text(encoding="utf-8", errors="replace")
        (target / f"{re.sub('_[0-9]+:', '_', about)}.txt").write_text(text, encoding="utf-8")
        common |= set(re.findall(rf"{COMMON}/([\w.-]*[\w])", text))
    for name in sorted(common):
        if (COMMON / name).is_file():
            (target / f"{name}.txt").write_bytes((COMMON / name).read_bytes())


def packages_of(files: list[str]) -> set[str]:
    """Return Debian's packages that own the files; a file is known by one of its two places, in /usr or not."""
    both = {place for file in files for place in (file, f"/usr{file}", str(Path(file).resolve()))}
    told = subprocess.run(["dpkg", "--search", *sorted(both)], check=False, capture_output=True, text=True).stdout
    return {
        line.rpartition(": ")[0].partition(", ")[0]
        for line in told.splitlines()
        if not line.startswith("diversion")
    }


# --- what is made from it ---------------------------------------------------------------------------


def deb() -> Path:
    """Make the package for Debian: the folder in /opt, a command, a place in the menu, a kind of file."""
    architecture = printed("dpkg", "--print-architecture")
    tree = BUILT / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(FOLDER, tree / "opt" / "tdapp", symlinks=True)
    (tree / "usr" / "bin").mkdir(parents=True)
    (tree / "usr" / "bin" / "tdapp").symlink_to("/opt/tdapp/tdapp")
    share = tree / "usr" / "share"
    icons = share / "icons" / "hicolor"
    for source, target in (
        (HERE / "linux" / "tdapp.desktop", share / "applications" / "tdapp.desktop"),
        (HERE / "linux" / "tdapp.xml", share / "mime" / "packages" / "tdapp.xml"),
        (ROOT / "resources" / "pictures" / "tdapp.svg", icons / "scalable" / "apps" / "tdapp.svg"),
        (BUILT / "tdapp.png", icons / "256x256" / "apps" / "tdapp.png"),
        (ROOT / "LICENSE", share / "doc" / "tdapp" / "copyright"),
    ):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    write_control(tree, architecture, libc=printed("getconf", "GNU_LIBC_VERSION").split()[1])
    made = BUILT / "dist" / f"tdapp_{version()}_{architecture}.deb"
    must_work(
        ["dpkg-deb", "--build", "--root-owner-group", "-Zzstd", str(tree), str(made)],
        environment=os.environ | {"SOURCE_DATE_EPOCH": DATE},
    )
    return made


def write_control(tree: Path, architecture: str, *, libc: str) -> None:
    """Write what the package says of itself; `libc` is the oldest version of the C library that it runs with."""
    control = (HERE / "linux" / "control").read_text(encoding="utf-8")
    filled = control.format(version=version(), architecture=architecture, kilobytes=size(tree) // 1024, libc=libc)
    (tree / "DEBIAN").mkdir(mode=0o755)
    (tree / "DEBIAN" / "control").write_text(filled, encoding="utf-8")


def setup() -> Path:
    """Make the setup program for Windows from the folder; needs makensis."""
    made = BUILT / "dist" / f"tdapp-{version()}-setup.exe"
    compile_setup(FOLDER, made, icon=BUILT / "tdapp.ico")
    return made


def compile_setup(source: Path, made: Path, *, icon: Path) -> None:
    """Compile the setup program of a folder; raise SetupError where NSIS is missing or finds fault."""
    if shutil.which("makensis") is None:
        raise SetupError("makensis is missing: install NSIS (on Debian: sudo apt-get install nsis).")
    facts = {
        "VERSION": version(), "SOURCE": source, "MADE": made, "ICON": icon, "LICENCE": ROOT / "LICENSE",
        "KILOBYTES": size(source) // 1024,
    }  # fmt: skip
    told = [f"-D{name}={value}" for name, value in facts.items()]
    must_work(["makensis", "-V2", "-WX", *told, str(HERE / "windows" / "tdapp.nsi")])


def dmg() -> Path:
    """Make the disk image for macOS: the program, and a link to where it belongs."""
    if shutil.which("hdiutil") is None:
        raise SetupError("A disk image is made on macOS: hdiutil is not here.")
    tree = BUILT / "dmg"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir()
    must_work(["ditto", str(BUILT / "dist" / "tdapp.app"), str(tree / "tdapp.app")])
    (tree / "Applications").symlink_to("/Applications")
    made = BUILT / "dist" / f"tdapp-{version()}.dmg"
    must_work(
        ["hdiutil", "create", "-volname", "tdapp", "-srcfolder", str(tree), "-ov", "-format", "UDZO", str(made)]
    )
    return made


def printed(*command: str) -> str:
    """Return what a command prints; raise SetupError where it is missing or fails."""
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupError(f"{command[0]} is missing or failed: {error}") from error


MAKERS: Mapping[str, Callable[[], Path]] = {"folder": lambda: FOLDER, "deb": deb, "setup": setup, "dmg": dmg}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
