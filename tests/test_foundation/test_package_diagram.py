"""Tests of the package diagram, of import cycles, and of the size of classes."""

from __future__ import annotations

from graphlib import TopologicalSorter

import pytest

from tests import package_diagram

pytestmark = pytest.mark.slow
SOURCES = sorted((package_diagram.ROOT / "tdapp").rglob("*.py"))


def test_package_diagram_is_current() -> None:
    """`python -m tests.package_diagram` draws it again."""
    assert package_diagram.PICTURE.read_text(encoding="utf-8") == package_diagram.draw_diagram()


def test_package_diagram_omits_implied_arrows() -> None:
    edges = {"a": {"b", "c"}, "b": {"c"}}

    assert package_diagram.remove_implied_imports(edges) == [("a", "b"), ("b", "c")]


def test_package_diagram_has_a_box_and_purpose_for_every_package() -> None:
    packages = [package for row in package_diagram.read_layers() for package in row]
    picture = package_diagram.draw_diagram()

    assert {"gui", "services", "web", "desk", "domain"} <= {*packages}
    assert [
        name for name in packages if f">{name}</text>" not in picture or not package_diagram.read_purpose(name)
    ] == []


def test_imports_have_no_cycle() -> None:
    """Imports under TYPE_CHECKING count too."""
    modules = {".".join(path.relative_to(package_diagram.ROOT).with_suffix("").parts): path for path in SOURCES}
    edges = {
        name: package_diagram.read_outline(path).imports & modules.keys() - {name}
        for name, path in modules.items()
    }

    assert len(edges) > 300
    assert len([*TopologicalSorter(edges).static_order()]) == len(modules)


def test_classes_have_at_most_forty_methods() -> None:
    classes = [class_ for path in SOURCES for class_ in package_diagram.read_outline(path).classes]
    large_classes = {class_.name for class_ in classes if class_.methods > 40}

    assert len(classes) > 500
    assert large_classes == set()
