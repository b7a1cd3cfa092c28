"""Draws the layers of the program and their imports.

    .venv/bin/python -m tests.house        writes resources/pictures/house.svg

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
PICTURE = ROOT / "resources" / "pictures" / "house.svg"
BOX, ROW, GAP, WIDTH = 264, 52, 36, 912
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LETTERS = 40  # of the small text in a box
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">
<title>The rooms of tdapp and what each imports</title>
<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">
<path d="M0 0 L8 4 L0 8 z" fill="#5b6b7c"/></marker></defs>
<rect width="{width}" height="{height}" fill="#fff"/>"""


def layers() -> list[list[str]]:
    """Return the rooms from top to bottom, as the import contract orders them."""
    settings = loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (rows,) = (one["layers"] for one in contracts if one["type"] == "layers")
    return [[room.strip(" ()") for room in row.split("|")] for row in rows]


def imports(rooms: Iterable[str]) -> dict[str, set[str]]:
    """Return which other rooms the modules of each room import."""
    found: dict[str, set[str]] = defaultdict(set)
    known = set(rooms)
    for path in sorted((ROOT / "tdapp").rglob("*.py")):
        room = path.relative_to(ROOT / "tdapp").with_suffix("").parts[0]
        if room in known:
            found[room] |= (_imported(path) & known) - {room}
    return dict(found)


class Class(NamedTuple):
    """A class: its name, its line, how many methods it has."""

    name: str
    line: int
    methods: int


class Outline(NamedTuple):
    """The names a module imports, modules and their members; and its classes."""

    imports: frozenset[str]
    classes: tuple[Class, ...]


@cache
def outline(path: Path) -> Outline:
    """Return the outline of a module (cached)."""
    names, classes = set[str](), list[Class]()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names |= {name for one in node.names for name in (f"{node.module}.{one.name}", str(node.module))}
        elif isinstance(node, ast.ClassDef):
            methods = sum(isinstance(part, FUNCTIONS) for part in node.body)
            classes.append(Class(node.name, node.lineno, methods))
    return Outline(frozenset(names), tuple(classes))


def _imported(path: Path) -> set[str]:
    """Return the rooms of tdapp that a module names in its imports."""
    return {name.split(".")[1] for name in outline(path).imports if name.startswith("tdapp.")}


def needed(edges: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """Return the imports that do not follow from others."""

    def reached(room: str) -> set[str]:
        return {one for below in edges.get(room, ()) for one in (below, *reached(below))}

    return [
        (room, below)
        for room, all_below in sorted(edges.items())
        for below in sorted(all_below)
        if not any(below in reached(other) for other in all_below - {below})
    ]


def purpose(room: str) -> str:
    """Return what a room's docstring says first."""
    folder = ROOT / "tdapp" / room
    path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return re.split("[.:;]", " ".join(text.split()), maxsplit=1)[0]


def drawn() -> str:
    """Return the picture as SVG."""
    rows = layers()
    edges = needed(imports(room for row in rows for room in row))
    spots = {
        room: (round(WIDTH * (place + 0.5) / len(row) - BOX / 2), GAP // 2 + level * (ROW + GAP))
        for level, row in enumerate(rows)
        for place, room in enumerate(row)
    }
    height = len(rows) * (ROW + GAP)
    parts = [HEAD.format(width=WIDTH, height=height)]
    parts += [_arrow(spots[room], spots[below]) for room, below in edges]
    parts += [_box(room, *spots[room]) for room in spots]
    return "\n".join([*parts, "</svg>\n"])


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    (x1, y1), (x2, y2) = start, end
    x1, y1, x2 = x1 + BOX // 2, y1 + ROW, x2 + BOX // 2
    bow = 220 if x1 == x2 and y2 - y1 > ROW else 0  # past the boxes between
    way = f"M{x1} {y1} C{x1 + bow} {y1 + GAP} {x2 + bow} {y2 - GAP} {x2} {y2}"
    return f'<path d="{way}" fill="none" stroke="#5b6b7c" marker-end="url(#tip)"/>'


def _box(room: str, x: int, y: int) -> str:
    lines = wrap(purpose(room), LETTERS)[:2]
    texts = "".join(
        f'<text x="{x + 12}" y="{y + 34 + 13 * at}" font-size="11" fill="#3a4654">{escape(line)}</text>'
        for at, line in enumerate(lines)
    )
    return (
        f'<g><rect x="{x}" y="{y}" width="{BOX}" height="{ROW}" rx="6" fill="#eef3f8" stroke="#5b6b7c"/>'
        f'<text x="{x + 12}" y="{y + 19}" font-size="14" font-weight="bold">{room}</text>{texts}</g>'
    )


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
