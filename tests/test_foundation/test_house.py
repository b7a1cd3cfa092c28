"""The picture of the house is the house; no circles in it, and no class that does everything."""

from __future__ import annotations

from graphlib import TopologicalSorter

import pytest

from tests import house

pytestmark = pytest.mark.slow
SOURCES = sorted((house.ROOT / "tdapp").rglob("*.py"))


def test_house_picture_is_current() -> None:
    """Mended by `python -m tests.house`."""
    assert house.PICTURE.read_text(encoding="utf-8") == house.drawn()


def test_house_picture_leaves_out_implied_arrows() -> None:
    edges = {"a": {"b", "c"}, "b": {"c"}}

    assert house.needed(edges) == [("a", "b"), ("b", "c")]


def test_house_picture_has_a_box_and_purpose_for_every_package() -> None:
    rooms = [room for row in house.layers() for room in row]
    picture = house.drawn()

    assert {"gui", "services", "web", "desk", "domain"} <= {*rooms}
    assert [room for room in rooms if f">{room}</text>" not in picture or not house.purpose(room)] == []


def test_modules_import_each_other_in_no_circle() -> None:
    """Not for types alone either."""
    modules = {".".join(path.relative_to(house.ROOT).with_suffix("").parts): path for path in SOURCES}
    edges = {name: house.outline(path).imports & modules.keys() - {name} for name, path in modules.items()}

    assert len(edges) > 300
    assert len([*TopologicalSorter(edges).static_order()]) == len(modules)


def test_classes_have_at_most_forty_methods() -> None:
    classes = [one for path in SOURCES for one in house.outline(path).classes]
    large = {one.name for one in classes if one.methods > 40}

    assert len(classes) > 500
    assert large == set()
