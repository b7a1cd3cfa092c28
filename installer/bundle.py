"""Make a folder that runs without Python, and from it the installer for this system.

    python3 -m installer.bundle folder      out/bundle/dist/tdapp/, on every system
    python3 -m installer.bundle deb         a .deb, on Debian and its derivatives
    python3 -m installer.bundle flatpak     a .flatpak, on every Linux (needs flatpak-builder and Flathub)
    python3 -m installer.bundle setup       a setup program, on Windows (needs makensis of NSIS on the path)
    python3 -m installer.bundle dmg         a disk image, on macOS

Each command makes the folder first. PyInstaller builds for the system on which it runs, so build on the oldest
supported system. The last line of the output names the result and its size.
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
    get_lock_path,
    print_message,
    run_step,
)

INSTALLER = ROOT / "installer"
OUTPUT = ROOT / "out" / "bundle"
FOLDER = OUTPUT / "dist" / "tdapp"
STRIPPED_FILES = ("libpython*", "python*/lib-dynload/*.so", "sqlalchemy/**/*.so")
DOC_FOLDER, LICENCE_FOLDER = Path("/usr/share/doc"), Path("/usr/share/common-licenses")
FLATPAK_ID = "org.tdapp.tdapp"
ICON_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
SOURCE_DATE = "946684800"  # for all files, so that the same sources make the same package


def main(arguments: list[str]) -> int:
    """Make the bundle that the argument names. Return the exit code, 2 if something is missing."""
    make = MAKERS.get(arguments[0] if arguments else "")
    if make is None:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        make_folder()
        bundle = make()
    except SetupError as error:
        print(error, file=sys.stderr)
        return 2
    print_message(f"made {bundle.relative_to(ROOT)} ({size(bundle) / 1e6:.0f} MB)")
    return 0


def project() -> dict[str, Any]:
    """Return the table `project` of pyproject.toml."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def version() -> str:
    return str(project()["version"])


def size(path: Path) -> int:
    """Return the bytes of a file or of all files in a folder, without links."""
    files = [path] if path.is_file() else list_files(path)
    return sum(file.stat().st_size for file in files)


def list_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


# --- folder


def make_folder() -> Path:
    """Make the folder that runs without Python. Raise SetupError if the system lacks a needed library."""
    check_libraries()
    compile_translations()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    python = provide_builder()
    (OUTPUT / "packages.txt").write_text(
        "\n".join(list_bundled_packages(get_lock_path("run").read_text(encoding="utf-8"))), "utf-8"
    )
    (OUTPUT / "version.txt").write_text(version(), encoding="utf-8")
    draw_icons(python)
    shutil.rmtree(OUTPUT / "dist", ignore_errors=True)
    options = ("--noconfirm", "--log-level", "WARN", "--distpath", OUTPUT / "dist", "--workpath", OUTPUT / "work")
    run_step(
        [str(part) for part in (python, "-m", "PyInstaller", *options, INSTALLER / "tdapp.spec")],
        environment=os.environ | {"SOURCE_DATE_EPOCH": SOURCE_DATE, "PYTHONHASHSEED": "0"},
    )
    shutil.copy(ROOT / "LICENSE", FOLDER)
    if sys.platform.startswith("linux"):
        strip_symbols()
        collect_licences(FOLDER / "_internal" / "resources" / "licences" / "libraries")
    return FOLDER


def check_libraries() -> None:
    """Raise SetupError if a library that belongs in the folder is not on this machine."""
    if not sys.platform.startswith("linux"):
        return
    missing = [package for library, package in (QT_LIBRARIES | X11_LIBRARIES).items() if not can_load(library)]
    if missing:
        raise SetupError(
            f"The bundle would lack libraries. Please type:\n  sudo apt-get install {' '.join(missing)}"
        )


def provide_builder() -> Path:
    """Return the Python of an environment with the locked packages and PyInstaller. Create it if needed."""
    environment = OUTPUT / "venv"
    python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    lock, installed_lock = get_lock_path("bundle"), environment / "tdapp-lock.txt"
    if not installed_lock.exists() or installed_lock.read_bytes() != lock.read_bytes():
        print_message("installing the packages that make the bundle (once)")
        run_step([sys.executable, "-m", "venv", "--clear", str(environment)])
        pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        run_step([*pip, "--require-hashes", "--only-binary", ":all:", "-r", str(lock)])
        shutil.copy(lock, installed_lock)
    return python


def list_bundled_packages(lock: str) -> list[str]:
    """Return the packages of a lock without those of a single system."""
    return [line.split("==")[0] for line in lock.splitlines() if "==" in line and "sys_platform" not in line]


def draw_icons(python: Path) -> None:
    """Draw the icon of the program in the formats of all systems."""
    source, target = ROOT / "resources" / "pictures" / "tdapp.svg", OUTPUT / "tdapp.png"
    script = (
        "import sys; from PySide6.QtGui import QGuiApplication, QIcon; from PIL import Image;"
        "app = QGuiApplication(['x', '-platform', 'offscreen']); source, target = sys.argv[1:];"
        "QIcon(source).pixmap(1024, 1024).save(target); picture = Image.open(target);"
        "picture.save(target[:-3] + 'ico'); picture.save(target[:-3] + 'icns');"
        f"[picture.resize((n, n), Image.LANCZOS).save(f'{{target[:-4]}}-{{n}}.png') for n in {ICON_SIZES}]"
    )
    run_step([str(python), "-c", script, str(source), str(target)])


def strip_symbols() -> None:
    """Strip debug symbols from libraries, except from libraries patched by a wheel: stripping breaks these."""
    paths = (path for pattern in STRIPPED_FILES for path in (FOLDER / "_internal").glob(pattern))
    files = [str(path) for path in paths if path.is_file() and not path.is_symlink()]
    run_step(["strip", "--strip-unneeded", *files])


def collect_licences(target: Path) -> None:
    """Write Debian's copyright notes on the system libraries in the folder, and the licences that they refer to.

    Other systems have no such notes. Do not distribute a folder made there.
    """
    if shutil.which("dpkg-query") is None:
        print_message("no dpkg found: the folder does not contain the licences of the system libraries")
        return
    target.mkdir(parents=True)
    licences = set()
    for package in sorted(
        find_debian_packages((OUTPUT / "libraries.txt").read_text(encoding="utf-8").splitlines())
    ):
        package_version = read_command_output(
            "dpkg-query", "--show", "--showformat=${Package}_${Version}", package
        )
        text = (DOC_FOLDER / package.partition(":")[0] / "copyright").read_text(encoding="utf-8", errors="replace")
        (target / f"{re.sub('_[0-9]+:', '_', package_version)}.txt").write_text(text, encoding="utf-8")
        licences |= set(re.findall(rf"{LICENCE_FOLDER}/([\w.-]*[\w])", text))
    for name in sorted(licences):
        if (LICENCE_FOLDER / name).is_file():
            (target / f"{name}.txt").write_bytes((LICENCE_FOLDER / name).read_bytes())


def find_debian_packages(files: list[str]) -> set[str]:
    """Return the Debian packages that own the files. Debian lists a file with or without /usr in its path."""
    paths = {path for file in files for path in (file, f"/usr{file}", str(Path(file).resolve()))}
    output = subprocess.run(
        ["dpkg", "--search", *sorted(paths)], check=False, capture_output=True, text=True
    ).stdout
    return {
        line.rpartition(": ")[0].partition(", ")[0]
        for line in output.splitlines()
        if not line.startswith("diversion")
    }


# --- installers


def deb() -> Path:
    """Make the package for Debian: the folder in /usr/lib, a command, a menu entry and a file type."""
    architecture = read_command_output("dpkg", "--print-architecture")
    tree = make_linux_tree()
    write_control(tree, architecture, libc=read_command_output("getconf", "GNU_LIBC_VERSION").split()[1])
    package = OUTPUT / "dist" / f"tdapp_{version()}_{architecture}.deb"
    run_step(
        ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", "-z2", str(tree), str(package)],
        environment=os.environ | {"SOURCE_DATE_EPOCH": SOURCE_DATE},
    )
    return package


def flatpak() -> Path:
    """Make a file for every Linux with Flatpak. Its runtime comes from Flathub."""
    if shutil.which("flatpak-builder") is None:
        raise SetupError("flatpak-builder is missing: on Debian: sudo apt-get install flatpak-builder.")
    make_linux_tree()
    store = OUTPUT / "flatpak-store"
    package = OUTPUT / "dist" / f"tdapp-{version()}-{platform.machine()}.flatpak"
    options = ("--user", "--install-deps-from=flathub", "--force-clean", f"--repo={store}", OUTPUT / "flatpak")
    run_step([str(part) for part in ("flatpak-builder", *options, INSTALLER / "linux" / "flatpak.json")])
    run_step(["flatpak", "build-bundle", str(store), str(package), FLATPAK_ID])
    return package


def make_linux_tree() -> Path:
    """Make the files of a Linux package: the folder in /usr/lib, a command and the desktop files."""
    tree = OUTPUT / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(FOLDER, tree / "usr" / "lib" / "tdapp", symlinks=True)
    for library in tree.rglob("*.so*"):
        library.chmod(0o644)
    (tree / "usr" / "bin").mkdir()
    (tree / "usr" / "bin" / "tdapp").symlink_to("../lib/tdapp/tdapp")
    fill_share(tree / "usr" / "share")
    return tree


def fill_share(share: Path) -> None:
    """Write the files for the desktop, shells and readers in /usr/share of a package."""
    icons, pictures, shells = (
        share / "icons" / "hicolor",
        ROOT / "resources" / "pictures",
        "bash-completion/completions",
    )
    files: tuple[tuple[Path, str | Path], ...] = (
        (INSTALLER / "linux" / "tdapp.desktop", "applications/tdapp.desktop"),
        (INSTALLER / "linux" / "tdapp.xml", "mime/packages/tdapp.xml"),
        (INSTALLER / "linux" / "overrides", "lintian/overrides/tdapp"),
        (pictures / "tdapp.svg", icons / "scalable" / "apps" / "tdapp.svg"),
        (ROOT / "LICENSE", "doc/tdapp/copyright"),
        *((OUTPUT / f"tdapp-{size}.png", icons / f"{size}x{size}" / "apps" / "tdapp.png") for size in ICON_SIZES),
    )
    for source, target in files:
        create_parent_folder(share / target).write_bytes(source.read_bytes())
    metainfo = (INSTALLER / "linux" / "metainfo.xml").read_text(encoding="utf-8")
    facts = {"version": version(), "author": maintainer().partition(" <")[0], "day": get_release_date()}
    facts["home"] = project()["urls"]["Homepage"]
    create_parent_folder(share / "metainfo" / "org.tdapp.tdapp.metainfo.xml").write_text(
        metainfo.format(**facts), "utf-8"
    )
    for words, target in (
        ("man", "man/man1/tdapp.1.gz"),
        ("completion bash", f"{shells}/tdapp"),
        ("completion zsh", "zsh/vendor-completions/_tdapp"),
        ("completion fish", "fish/vendor_completions.d/tdapp.fish"),
    ):
        text = read_command_output(str(FOLDER / "tdapp"), *words.split()) + "\n"
        content = compress_text(text) if target.endswith(".gz") else text.encode()
        create_parent_folder(share / target).write_bytes(content)
    create_parent_folder(share / "doc" / "tdapp" / "changelog.gz").write_bytes(compress_text(changelog()))


def create_parent_folder(target: Path) -> Path:
    """Create the folder of a file. Return the path of the file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def compress_text(text: str) -> bytes:
    """Return a text as gzip without a time."""
    return gzip.compress(text.encode(), mtime=0)


def get_release_date() -> str:
    """Return the date of the newest changelog section in ISO 8601, today's date before its release."""
    changelog_text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    match = re.search(r"^## \S+ \((\d{4}-\d\d-\d\d)\)", changelog_text, re.MULTILINE)
    return match[1] if match else datetime.now(UTC).date().isoformat()


def changelog() -> str:
    """Return the changelog in Debian's format."""
    day = f"{datetime.fromisoformat(get_release_date()):%a, %d %b %Y} 00:00:00 +0000"
    entry = f"tdapp ({version()}) unstable; urgency=low\n\n  * See {project()['urls']['Changelog']}\n\n"
    return f"{entry} -- {maintainer()}  {day}\n"


def maintainer() -> str:
    """Return name and address of the maintainer."""
    (author,) = project()["authors"]
    return f"{author['name']} <{author['email']}>"


def write_control(tree: Path, architecture: str, *, libc: str) -> None:
    """Write the metadata of a Debian package. `libc` is the oldest supported version of the C library."""
    template = (INSTALLER / "linux" / "control").read_text(encoding="utf-8")
    facts = {"version": version(), "maintainer": maintainer(), "home": project()["urls"]["Homepage"]}
    control = template.format(architecture=architecture, kilobytes=size(tree) // 1024, libc=libc, **facts)
    checksums = "".join(
        f"{md5(file.read_bytes(), usedforsecurity=False).hexdigest()}  {file.relative_to(tree)}\n"
        for file in list_files(tree)
    )
    (tree / "DEBIAN").mkdir(mode=0o755)
    (tree / "DEBIAN" / "control").write_text(control, encoding="utf-8")
    (tree / "DEBIAN" / "md5sums").write_text(checksums, encoding="utf-8")


def setup() -> Path:
    """Make the setup program for Windows. Needs makensis."""
    program = OUTPUT / "dist" / f"tdapp-{version()}-setup.exe"
    compile_setup(FOLDER, program, icon=OUTPUT / "tdapp.ico")
    return program


def compile_setup(source: Path, program: Path, *, icon: Path) -> None:
    """Compile the setup program of a folder. Raise SetupError if NSIS is missing or fails."""
    if shutil.which("makensis") is None:
        raise SetupError("makensis is missing: install NSIS (on Debian: sudo apt-get install nsis).")
    facts = {
        "VERSION": version(), "SOURCE": source, "PROGRAM": program, "ICON": icon, "LICENCE": ROOT / "LICENSE",
        "KILOBYTES": size(source) // 1024,
    }  # fmt: skip
    definitions = [f"-D{name}={value}" for name, value in facts.items()]
    run_step(["makensis", "-V2", "-WX", *definitions, str(INSTALLER / "windows" / "tdapp.nsi")])


def dmg() -> Path:
    """Make the disk image for macOS: the program and a link to the folder Applications."""
    if shutil.which("hdiutil") is None:
        raise SetupError("hdiutil is missing: make the disk image on macOS.")
    tree = OUTPUT / "dmg"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir()
    run_step([str(INSTALLER / "macos" / "sign.sh"), str(OUTPUT / "dist" / "tdapp.app")])
    run_step(["ditto", str(OUTPUT / "dist" / "tdapp.app"), str(tree / "tdapp.app")])
    (tree / "Applications").symlink_to("/Applications")
    image = OUTPUT / "dist" / f"tdapp-{version()}-{platform.machine()}.dmg"
    run_step(
        ["hdiutil", "create", "-volname", "tdapp", "-srcfolder", str(tree), "-ov", "-format", "UDZO", str(image)]
    )
    run_step([str(INSTALLER / "macos" / "notarise.sh"), str(image)])
    return image


def read_command_output(*command: str) -> str:
    """Return the output of a command. Raise SetupError if it is missing or fails."""
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
