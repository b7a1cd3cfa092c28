"""Draw the packages of the program and their imports.

    .venv/bin/python -m tests.package_diagram        writes resources/pictures/packages.svg

Implied arrows are left out: a package that imports `desk` may import all packages below `desk`.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from textwrap import wrap
from tomllib import loads
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "resources" / "pictures" / "packages.svg"
BOX, ROW, GAP, WIDTH = 264, 52, 36, 912
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LINE_LENGTH = 40  # characters of the small text in a box
SVG_START = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">
<title>The packages of tdapp and their imports</title>
<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">
<path d="M0 0 L8 4 L0 8 z" fill="#5b6b7c"/></marker></defs>
<rect width="{width}" height="{height}" fill="#fff"/>"""


def read_layers() -> list[list[str]]:
    """Return the packages in each row of the picture, in the order of the import contract."""
    settings = loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (rows,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[package.strip(" ()") for package in row.split("|")] for row in rows]


def find_imports(packages: Iterable[str]) -> dict[str, set[str]]:
    """Return the other packages that each package imports."""
    imports: dict[str, set[str]] = defaultdict(set)
    names = set(packages)
    for path in sorted((ROOT / "tdapp").rglob("*.py")):
        package = path.relative_to(ROOT / "tdapp").with_suffix("").parts[0]
        if package in names:
            imports[package] |= (_find_imported_packages(path) & names) - {package}
    return dict(imports)


class ClassOutline(NamedTuple):
    """A class and the number of its methods."""

    name: str
    line: int
    methods: int


class Outline(NamedTuple):
    """The names that a module imports (modules and their members), and its classes."""

    imports: frozenset[str]
    classes: tuple[ClassOutline, ...]


@cache
def read_outline(path: Path) -> Outline:
    """Return the outline of a module (cached)."""
    names, classes = set[str](), list[ClassOutline]()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names |= {name for alias in node.names for name in (f"{node.module}.{alias.name}", str(node.module))}
        elif isinstance(node, ast.ClassDef):
            methods = sum(isinstance(part, FUNCTIONS) for part in node.body)
            classes.append(ClassOutline(node.name, node.lineno, methods))
    return Outline(frozenset(names), tuple(classes))


def _find_imported_packages(path: Path) -> set[str]:
    return {name.split(".")[1] for name in read_outline(path).imports if name.startswith("tdapp.")}


def remove_implied_imports(imports: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """Return the imports that do not follow from others."""

    def list_reachable(package: str) -> set[str]:
        return {name for below in imports.get(package, ()) for name in (below, *list_reachable(below))}

    return [
        (package, below)
        for package, all_below in sorted(imports.items())
        for below in sorted(all_below)
        if not any(below in list_reachable(other) for other in all_below - {below})
    ]


def read_purpose(package: str) -> str:
    """Return the start of a package's docstring."""
    folder = ROOT / "tdapp" / package
    path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return re.split("[.:;]", " ".join(text.split()), maxsplit=1)[0]


def draw_diagram() -> str:
    """Return the picture as SVG."""
    rows = read_layers()
    arrows = remove_implied_imports(find_imports(package for row in rows for package in row))
    corners = {
        package: (round(WIDTH * (column + 0.5) / len(row) - BOX / 2), GAP // 2 + level * (ROW + GAP))
        for level, row in enumerate(rows)
        for column, package in enumerate(row)
    }
    height = len(rows) * (ROW + GAP)
    parts = [SVG_START.format(width=WIDTH, height=height)]
    parts += [_draw_arrow(corners[package], corners[below]) for package, below in arrows]
    parts += [_draw_box(package, *corners[package]) for package in corners]
    return "\n".join([*parts, "</svg>\n"])


def _draw_arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    (x1, y1), (x2, y2) = start, end
    x1, y1, x2 = x1 + BOX // 2, y1 + ROW, x2 + BOX // 2
    bow = 220 if x1 == x2 and y2 - y1 > ROW else 0  # past the boxes between
    path = f"M{x1} {y1} C{x1 + bow} {y1 + GAP} {x2 + bow} {y2 - GAP} {x2} {y2}"
    return f'<path d="{path}" fill="none" stroke="#5b6b7c" marker-end="url(#tip)"/>'


def _draw_box(package: str, x: int, y: int) -> str:
    lines = wrap(read_purpose(package), LINE_LENGTH)[:2]
    texts = "".join(
        f'<text x="{x + 12}" y="{y + 34 + 13 * index}" font-size="11" fill="#3a4654">{escape(line)}</text>'
        for index, line in enumerate(lines)
    )
    return (
        f'<g><rect x="{x}" y="{y}" width="{BOX}" height="{ROW}" rx="6" fill="#eef3f8" stroke="#5b6b7c"/>'
        f'<text x="{x + 12}" y="{y + 19}" font-size="14" font-weight="bold">{package}</text>{texts}</g>'
    )


if __name__ == "__main__":
    PICTURE.write_text(draw_diagram(), encoding="utf-8")
