"""Make what a director installs: a folder that runs without Python, and from it the installer of this system.

    python3 -m installer.bundle folder      out/bundle/dist/tdapp/, on every system
    python3 -m installer.bundle deb         a .deb, on Debian and its relatives
    python3 -m installer.bundle flatpak     a .flatpak, on every Linux (with flatpak-builder, and Flathub)
    python3 -m installer.bundle setup       a setup program, on Windows (with NSIS's makensis on the path)
    python3 -m installer.bundle dmg         a disk image, on macOS

Each makes the folder first. PyInstaller builds for the system it runs on: build where the oldest system that is to
be supported runs. The last line names what was made, with its size.
"""

from __future__ import annotations

import gzip
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from hashlib import md5
from pathlib import Path
from typing import Any

from installer.bootstrap import (
    QT_LIBRARIES,
    ROOT,
    X11_LIBRARIES,
    SetupError,
    can_load,
    compile_translations,
    lock_file,
    must_work,
    say,
)

HERE = ROOT / "installer"
BUILT = ROOT / "out" / "bundle"
FOLDER = BUILT / "dist" / "tdapp"
STRIPPED = ("libpython*", "python*/lib-dynload/*.so", "sqlalchemy/**/*.so")
DOC, COMMON = Path("/usr/share/doc"), Path("/usr/share/common-licenses")
FLATPAK = "org.tdapp.tdapp"
ICON_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
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


def project() -> dict[str, Any]:
    """Return what the project says of itself."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def version() -> str:
    """Return the program's version."""
    return str(project()["version"])


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
    compile_translations()
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
        f"[picture.resize((n, n), Image.LANCZOS).save(f'{{target[:-4]}}-{{n}}.png') for n in {ICON_SIZES}]"
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
    """Make the package for Debian: the folder in /usr/lib, a command, a place in the menu, a kind of file."""
    architecture = printed("dpkg", "--print-architecture")
    tree = linux_tree()
    write_control(tree, architecture, libc=printed("getconf", "GNU_LIBC_VERSION").split()[1])
    made = BUILT / "dist" / f"tdapp_{version()}_{architecture}.deb"
    must_work(
        ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", "-z2", str(tree), str(made)],
        environment=os.environ | {"SOURCE_DATE_EPOCH": DATE},
    )
    return made


def flatpak() -> Path:
    """Make one file that every Linux with Flatpak installs; its runtime comes from Flathub."""
    if shutil.which("flatpak-builder") is None:
        raise SetupError("flatpak-builder is missing: on Debian: sudo apt-get install flatpak-builder.")
    linux_tree()
    store, made = BUILT / "flatpak-store", BUILT / "dist" / f"tdapp-{version()}-{platform.machine()}.flatpak"
    told = ("--user", "--install-deps-from=flathub", "--force-clean", f"--repo={store}", BUILT / "flatpak")
    must_work([str(one) for one in ("flatpak-builder", *told, HERE / "linux" / "flatpak.json")])
    must_work(["flatpak", "build-bundle", str(store), str(made), FLATPAK])
    return made


def linux_tree() -> Path:
    """Return the files of a package for Linux: the folder in /usr/lib, a command, and what desktops look for."""
    tree = BUILT / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(FOLDER, tree / "usr" / "lib" / "tdapp", symlinks=True)
    for library in tree.rglob("*.so*"):
        library.chmod(0o644)
    (tree / "usr" / "bin").mkdir()
    (tree / "usr" / "bin" / "tdapp").symlink_to("../lib/tdapp/tdapp")
    fill_share(tree / "usr" / "share")
    return tree


def fill_share(share: Path) -> None:
    """Put what the desktop, shells and readers look for into /usr/share of a package."""
    icons, pictures, shells = (
        share / "icons" / "hicolor",
        ROOT / "resources" / "pictures",
        "bash-completion/completions",
    )
    files: tuple[tuple[Path, str | Path], ...] = (
        (HERE / "linux" / "tdapp.desktop", "applications/tdapp.desktop"),
        (HERE / "linux" / "tdapp.xml", "mime/packages/tdapp.xml"),
        (HERE / "linux" / "overrides", "lintian/overrides/tdapp"),
        (pictures / "tdapp.svg", icons / "scalable" / "apps" / "tdapp.svg"),
        (ROOT / "LICENSE", "doc/tdapp/copyright"),
        *((BUILT / f"tdapp-{size}.png", icons / f"{size}x{size}" / "apps" / "tdapp.png") for size in ICON_SIZES),
    )
    for source, target in files:
        written(share / target).write_bytes(source.read_bytes())
    metainfo = (HERE / "linux" / "metainfo.xml").read_text(encoding="utf-8")
    facts = {"version": version(), "author": maintainer().partition(" <")[0], "day": released()}
    facts["home"] = project()["urls"]["Homepage"]
    written(share / "metainfo" / "org.tdapp.tdapp.metainfo.xml").write_text(metainfo.format(**facts), "utf-8")
    for words, target in (
        ("man", "man/man1/tdapp.1.gz"),
        ("completion bash", f"{shells}/tdapp"),
        ("completion zsh", "zsh/vendor-completions/_tdapp"),
        ("completion fish", "fish/vendor_completions.d/tdapp.fish"),
    ):
        told = printed(str(FOLDER / "tdapp"), *words.split()) + "\n"
        written(share / target).write_bytes(packed(told) if target.endswith(".gz") else told.encode())
    written(share / "doc" / "tdapp" / "changelog.gz").write_bytes(packed(changelog()))


def written(target: Path) -> Path:
    """Return a file's path, in a folder that is made for it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def packed(text: str) -> bytes:
    """Return a text as gzip, the same at all times."""
    return gzip.compress(text.encode(), mtime=0)


def released() -> str:
    """Return the day of the newest section of the changelog in ISO 8601; today's where it is not released yet."""
    found = re.search(r"^## \S+ \((\d{4}-\d\d-\d\d)\)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    return found[1] if found else datetime.now(UTC).date().isoformat()


def changelog() -> str:
    """Return the changelog as Debian writes one."""
    day = f"{datetime.fromisoformat(released()):%a, %d %b %Y} 00:00:00 +0000"
    told = f"tdapp ({version()}) unstable; urgency=low\n\n  * See {project()['urls']['Changelog']}\n\n"
    return f"{told} -- {maintainer()}  {day}\n"


def maintainer() -> str:
    """Return who looks after the program, with the address."""
    (author,) = project()["authors"]
    return f"{author['name']} <{author['email']}>"


def write_control(tree: Path, architecture: str, *, libc: str) -> None:
    """Write what the package says of itself; `libc` is the oldest version of the C library that it runs with."""
    control = (HERE / "linux" / "control").read_text(encoding="utf-8")
    facts = {"version": version(), "maintainer": maintainer(), "home": project()["urls"]["Homepage"]}
    filled = control.format(architecture=architecture, kilobytes=size(tree) // 1024, libc=libc, **facts)
    files = sorted(file for file in tree.rglob("*") if file.is_file() and not file.is_symlink())
    sums = "".join(
        f"{md5(file.read_bytes(), usedforsecurity=False).hexdigest()}  {file.relative_to(tree)}\n"
        for file in files
    )
    (tree / "DEBIAN").mkdir(mode=0o755)
    (tree / "DEBIAN" / "control").write_text(filled, encoding="utf-8")
    (tree / "DEBIAN" / "md5sums").write_text(sums, encoding="utf-8")


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
    must_work([str(HERE / "macos" / "sign.sh"), str(BUILT / "dist" / "tdapp.app")])
    must_work(["ditto", str(BUILT / "dist" / "tdapp.app"), str(tree / "tdapp.app")])
    (tree / "Applications").symlink_to("/Applications")
    made = BUILT / "dist" / f"tdapp-{version()}-{platform.machine()}.dmg"
    must_work(
        ["hdiutil", "create", "-volname", "tdapp", "-srcfolder", str(tree), "-ov", "-format", "UDZO", str(made)]
    )
    must_work([str(HERE / "macos" / "notarise.sh"), str(made)])
    return made


def printed(*command: str) -> str:
    """Return what a command prints; raise SetupError where it is missing or fails."""
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupError(f"{command[0]} is missing or failed: {error}") from error


MAKERS: Mapping[str, Callable[[], Path]] = {
    "folder": lambda: FOLDER,
    "deb": deb,
    "flatpak": flatpak,
    "setup": setup,
    "dmg": dmg,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
