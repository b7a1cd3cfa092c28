"""Tests of `read_photo_folder`: photos of players from a folder."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from tdapp.domain import commands
from tdapp.domain.errors import InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.photos import decode_jpeg_or_empty
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.photos import read_photo_folder
from tests.building import DIVISION, RESOURCES, make_event

CATALOGUE = Catalogue("en", RESOURCES / "locale")


def make_picture(colour: str = "red") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (300, 400), colour).save(buffer, "JPEG")
    return buffer.getvalue()


def test_read_photo_folder_returns_photos_and_names_unused_files(tmp_path: Path) -> None:
    value = commands.edit_player(make_event(4), player="p2", name="Li, Jan", member="NL-7")  # type: ignore[arg-type]
    for name in ("1.jpg", "jan li.jpeg", "NL 7.png", "Somebody.jpg", ".hidden"):
        (tmp_path / name).write_bytes(make_picture())
    (tmp_path / "3.jpg").write_bytes(b"no picture")
    (tmp_path / "folder").mkdir()
    photos = read_photo_folder(TournamentIndex(value), DIVISION, tmp_path, CATALOGUE)
    assert [player for player, _ in photos.photos] == ["p1", "p2"]
    assert all(decode_jpeg_or_empty(data) for _, data in photos.photos)
    assert photos.left_out == (
        "Somebody.jpg: no player has this number, member number or name.",
        "jan li.jpeg: this player already has a photo from another file.",
        "3.jpg: this picture cannot be read. Use PNG or JPEG.",
    )


def test_read_photo_folder_refuses_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder-unreadable"):
        read_photo_folder(TournamentIndex(make_event(4)), DIVISION, tmp_path / "missing", CATALOGUE)
