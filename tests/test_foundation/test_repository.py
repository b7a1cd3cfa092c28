"""Tests of the repository: requirements, fonts, class names and named files."""

import re
import tomllib
from pathlib import Path

import pytest
from reportlab.pdfbase.ttfonts import TTFontFile

from tests import package_diagram

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ROOT / "installer" / "requirements"
FONTS = ROOT / "resources" / "fonts"


def normalise_names(requirements: list[str]) -> set[str]:
    """Return the normalised names of packages in a list of requirements."""
    matches = (re.match(r"[A-Za-z0-9._-]+", line) for line in requirements)
    return {re.sub(r"[-_.]+", "-", match.group()).lower() for match in matches if match}


def list_locked_packages(lock: str) -> set[str]:
    text = (LOCKS / f"{lock}.txt").read_text(encoding="utf-8")
    return normalise_names(
        [line for line in text.splitlines() if "==" in line and not line.startswith((" ", "#"))]
    )


def list_pinned_versions(lock: str) -> set[str]:
    text = (LOCKS / f"{lock}.txt").read_text(encoding="utf-8")
    return set(re.findall(r"^[a-z0-9-]+==[^\s;]+", text, flags=re.MULTILINE))


def test_locks_cover_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    required_packages = normalise_names(project["project"]["dependencies"])

    assert required_packages <= list_locked_packages("run")
    assert required_packages | normalise_names(project["dependency-groups"]["dev"]) <= list_locked_packages("dev")
    assert list_pinned_versions("run") <= list_pinned_versions("dev")


@pytest.mark.parametrize("lock", ["run", "dev", "bundle"])
def test_locks_name_no_host_and_hash_every_package(lock: str) -> None:
    text = (LOCKS / f"{lock}.txt").read_text(encoding="utf-8")

    assert "://" not in text
    assert "--index-url" not in text
    assert "--find-links" not in text
    blocks = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert blocks
    assert all("--hash=sha256:" in block for block in blocks)


@pytest.mark.parametrize(
    ("file", "family", "style"),
    [
        ("NotoSans-Regular", "Noto Sans", "Regular"),
        ("NotoSans-Bold", "Noto Sans", "Bold"),
        ("NotoSansCondensed-Regular", "Noto Sans Condensed", "Regular"),
        ("NotoSansCondensed-Bold", "Noto Sans Condensed", "Bold"),
    ],
)
def test_fonts_have_distinct_names(file: str, family: str, style: str) -> None:
    font = TTFontFile(str(FONTS / f"{file}.ttf"))

    assert (font.name.decode(), font.familyName.decode(), font.styleName.decode()) == (file, family, style)
    assert {ord(letter) for letter in "aÉøßŵỹ½−–’×"} <= set(font.charToGlyph)


def test_class_names_are_unique() -> None:
    """Nested and private classes count too."""
    locations_by_name: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tdapp").rglob("*.py")):
        for class_ in package_diagram.read_outline(path).classes:
            locations_by_name.setdefault(class_.name, []).append(f"{path.relative_to(ROOT)}:{class_.line}")
    assert len(locations_by_name) > 300
    assert {name: locations for name, locations in locations_by_name.items() if len(locations) > 1} == {}


@pytest.mark.parametrize("text", ["README.md", ".github/CONTRIBUTING.md", "installer/README.md", "CHANGELOG.md"])
def test_named_files_exist(text: str) -> None:
    text_content = (ROOT / text).read_text(encoding="utf-8")
    named_paths = re.findall(r"`((?:tdapp|tests|resources|installer)/[\w./-]+\.\w+)`", text_content)
    paths = [
        *named_paths,
        *(word for line in re.findall(r"`(tests/[^`]*)`", text_content) for word in line.split()),
    ]
    missing_paths = [path for path in paths if "*" not in path and not (ROOT / path.partition("::")[0]).exists()]
    assert missing_paths == []
    assert named_paths or text != ".github/CONTRIBUTING.md"


def test_contributing_names_existing_identifiers() -> None:
    text = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    identifiers = re.findall(r"`([A-Za-z]?\w*(?:_[A-Za-z]|[a-z][A-Z])\w*)(?:\(\))?`", text)
    sources = [path for folder in ("tdapp", "tests", "installer") for path in (ROOT / folder).rglob("*.py")]
    words = {word for path in sources for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    assert len(identifiers) > 50
    assert {name for name in identifiers if name not in words} == set()
