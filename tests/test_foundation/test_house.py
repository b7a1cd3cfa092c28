"""The picture of the house is the house."""

from __future__ import annotations

from tests import house


def test_the_picture_of_the_rooms_is_current() -> None:
    """Mended by `python -m tests.house`."""
    assert house.PICTURE.read_text(encoding="utf-8") == house.drawn()


def test_an_arrow_that_follows_from_others_is_left_out() -> None:
    edges = {"a": {"b", "c"}, "b": {"c"}}

    assert house.needed(edges) == [("a", "b"), ("b", "c")]


def test_every_room_has_a_box_and_its_purpose() -> None:
    rooms = [room for row in house.layers() for room in row]
    picture = house.drawn()

    assert {"gui", "services", "web", "desk", "domain"} <= {*rooms}
    assert [room for room in rooms if f">{room}</text>" not in picture or not house.purpose(room)] == []
