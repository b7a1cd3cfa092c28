"""Versions and licences of the program and its bundled software."""

from __future__ import annotations

import platform
import re
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdapp import __version__

if TYPE_CHECKING:
    from importlib.metadata import Distribution, PackageMetadata

# Bundled packages, as in the lock file.
PACKAGES = (
    "anyio", "babel", "cffi", "chardet", "charset-normalizer", "click", "cryptography", "h11", "idna", "jinja2",
    "markupsafe", "msgspec", "numpy", "pillow", "pycparser", "pypdfium2", "pyside6-essentials", "python-calamine",
    "reportlab", "rl-accel",
    "rustworkx", "shiboken6", "shtab", "sqlalchemy", "starlette", "typing-extensions", "uharfbuzz", "uvicorn",
    "xlsxwriter",
)  # fmt: skip
# Packages bundled only for shared tournaments, in bundles, or on Windows.
OPTIONAL_PACKAGES = ("psycopg", "psycopg-binary", "pyinstaller", "tzdata")
SHOWN_PACKAGES = (
    "pyside6-essentials",
    "sqlalchemy",
    "rustworkx",
    "numpy",
    "reportlab",
    "pypdfium2",
    "babel",
    "starlette",
)
# Licences of packages without a licence text.
LICENCE_FILES: Mapping[str, tuple[str, ...]] = {
    "pyside6-essentials": ("LGPL-3.0.txt", "GPL-3.0.txt"),
    "shiboken6": ("LGPL-3.0.txt", "GPL-3.0.txt"),
    "shtab": ("MPL-2.0.txt",),
}
_PROJECT = "pyproject.toml"
_LICENCE = re.compile(r"licen[cs]e|copying|notice", re.IGNORECASE)


class BundledSoftware(NamedTuple):
    """A bundled program or library and its licence."""

    name: str
    version: str
    licence: str
    licence_text: str


def find_homepage() -> str:
    import tomllib  # noqa: PLC0415 - only About asks

    folder = Path(__file__).parent
    path = next(candidate for candidate in (folder / _PROJECT, folder.parent / _PROJECT) if candidate.is_file())
    return str(tomllib.loads(path.read_text(encoding="utf-8"))["project"]["urls"]["Homepage"])


def map_software_versions() -> Mapping[str, str]:
    versions = {"tdapp": __version__, "Python": platform.python_version(), "system": _describe_operating_system()}
    versions["SQLite"] = sqlite3.sqlite_version
    if is_bundled_program():
        versions["bundle"] = "yes"
    installed = _map_installed_versions()
    return {**versions, **{name: installed.get(name, "missing") for name in SHOWN_PACKAGES}}


def _map_installed_versions() -> Mapping[str, str]:
    # reading the names of folders is faster than importlib.metadata
    paths = (path for folder in reversed(sys.path) for path in Path(folder).glob("*.dist-info"))
    name_parts = (path.name.removesuffix(".dist-info").partition("-") for path in paths)
    return {name.lower().replace("_", "-"): version for name, _, version in name_parts}


def _describe_operating_system() -> str:
    # platform.platform would start another process
    system = platform.uname()
    return "-".join(filter(None, (system.system, system.release, system.machine, *platform.libc_ver())))


def is_bundled_program() -> bool:
    return bool(getattr(sys, "frozen", False))


def list_bundled_software(resources: Path) -> tuple[BundledSoftware, ...]:
    """Return the bundled software. `resources` has the licence texts that packages lack."""
    python = BundledSoftware(
        "Python", platform.python_version(), "PSF-2.0", _read_licence_files(resources, ("Python.txt",))
    )
    fonts = BundledSoftware(
        "Noto Sans", "", "OFL-1.1", (resources / "fonts" / "OFL.txt").read_text(encoding="utf-8")
    )
    return (
        python,
        fonts,
        *_list_python_packages(resources),
        *_list_libraries(resources / "licences" / "libraries"),
    )


def _list_python_packages(resources: Path) -> Iterator[BundledSoftware]:
    for name in (*PACKAGES, *OPTIONAL_PACKAGES):
        distribution = _find_python_distribution(name)
        if distribution is not None:
            text = (
                _read_licence_files(resources, LICENCE_FILES[name])
                if name in LICENCE_FILES
                else _read_licence_text(distribution)
            )
            metadata = distribution.metadata  # computed at each access
            yield BundledSoftware(name, metadata["Version"], _find_licence_name(metadata), text)


def _list_libraries(folder: Path) -> Iterator[BundledSoftware]:
    for path in sorted(folder.glob("*.txt")):
        name, _, version = path.stem.partition("_")
        yield BundledSoftware(name, version, "see the text", path.read_text(encoding="utf-8", errors="replace"))


def _find_python_distribution(name: str) -> Distribution | None:
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415 - slow; only About asks

    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _find_licence_name(metadata: PackageMetadata) -> str:
    expressions, licences, classifiers = (
        [line for line in metadata.get_all(field) or () if "License ::" in line or field != "Classifier"]
        for field in ("License-Expression", "License", "Classifier")
    )
    first = licences[0].partition("\n")[0].partition("(")[0].strip() if licences else ""
    return "".join(expressions) or first or "".join(classifiers).rpartition(":: ")[2]


def _read_licence_text(distribution: Distribution) -> str:
    names = [line.partition(",")[0].strip('"') for line in (distribution.read_text("RECORD") or "").splitlines()]
    licences = [name for name in names if ".dist-info" in name and _LICENCE.search(name)]
    paths = [Path(str(distribution.locate_file(name))) for name in licences]
    return "\n\n".join(path.read_text(encoding="utf-8", errors="replace") for path in paths if path.is_file())


def _read_licence_files(resources: Path, names: tuple[str, ...]) -> str:
    folder = resources / "licences"
    return "\n\n".join((folder / name).read_text(encoding="utf-8") for name in names)
