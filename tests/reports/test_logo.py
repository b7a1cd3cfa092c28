"""Tests of logos and photos: accepted and refused files, and the logo on each page."""

from __future__ import annotations

import io
from base64 import b64decode
from contextlib import suppress

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from tdapp.domain import commands
from tdapp.domain.commands.papers import LARGEST_LOGO
from tdapp.domain.errors import InputError
from tdapp.domain.paper import Logo, LogoId
from tdapp.domain.photos import MAX_PHOTO_SIZE
from tdapp.reports import REPORTS, render_report
from tdapp.reports.logo import (
    LOGO_PIXELS,
    PHOTO_PIXELS,
    convert_logo_to_base64,
    convert_photo_to_base64,
    load_logo,
)
from tests.reports import sample_tournament
from tests.reports.test_reports import PIECES, make_context


def make_picture(kind: str, size: tuple[int, int] = (60, 30), *, mode: str = "RGB", noise: bool = False) -> bytes:
    image = Image.effect_noise(size, 200).convert(mode) if noise else Image.new(mode, size, 90)
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()


def store_logo(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(b64decode(convert_logo_to_base64(content, "x"))))


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "P"), ("PNG", "1"), ("JPEG", "RGB"), ("JPEG", "CMYK")],
)
def test_convert_logo_of_each_kind_of_picture(kind: str, mode: str) -> None:
    assert store_logo(make_picture(kind, mode=mode)).size == (60, 30)


@pytest.mark.slow
def test_convert_logo_reduces_a_large_picture() -> None:
    logo = store_logo(make_picture("PNG", (2400, 1600), noise=True))
    assert max(logo.size) <= LOGO_PIXELS
    assert (
        len(b64decode(convert_logo_to_base64(make_picture("PNG", (2400, 1600), mode="RGBA", noise=True), "x")))
        <= LARGEST_LOGO
    )


def test_convert_logo_removes_metadata() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (9, 9)).save(buffer, "JPEG", exif=b"Exif\0\0secret", comment=b"secret")
    assert b"secret" not in b64decode(convert_logo_to_base64(buffer.getvalue(), "x"))


@pytest.mark.parametrize(
    "content", [b"", b"GIF89a", make_picture("BMP"), make_picture("PNG")[:70], make_picture("JPEG")[:200]]
)
def test_convert_logo_refuses_other_files(content: bytes) -> None:
    with pytest.raises(InputError, match="logo-unreadable"):
        convert_logo_to_base64(content, "x")


@pytest.mark.slow
@settings(max_examples=300)
@given(st.integers(0, 200), st.binary(max_size=40), st.sampled_from(["PNG", "JPEG"]))
def test_convert_logo_of_a_broken_picture(position: int, junk: bytes, kind: str) -> None:
    content = make_picture(kind)
    content = content[:position] + junk + content[position + len(junk) :]
    with suppress(InputError):
        assert len(convert_logo_to_base64(content, "x")) < 2 * LARGEST_LOGO


@pytest.mark.parametrize("report", REPORTS)
def test_logo_is_on_each_page(report: str) -> None:
    value = commands.set_logo(
        sample_tournament.make_index(9).tournament,
        name="x.png",
        data=convert_logo_to_base64(make_picture("PNG"), "x"),
    )
    context = make_context(sample_tournament.make_index(9))
    pdf_without_logo = render_report(report, context)
    pdf_with_logo = render_report(report, replace(context, style=replace(context.style, logo=load_logo(value))))
    pieces = PIECES | {"challenge-slips", "table-cards"}
    assert (b"/Subtype /Image" in pdf_with_logo) is (report not in pieces)
    assert len(pypdfium2.PdfDocument(pdf_with_logo)) == len(pypdfium2.PdfDocument(pdf_without_logo))


def test_load_logo_omits_a_damaged_picture() -> None:
    value = sample_tournament.make_index(4).tournament
    assert load_logo(value) is None
    assert load_logo(value.put(Logo(LogoId("logo"), "x", "aGVsbG8="))) is None
    assert load_logo(value.put(Logo(LogoId("logo"), "x", "not base64!"))) is None


def store_photo(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(b64decode(convert_photo_to_base64(content, "x"))))


@pytest.mark.parametrize(("kind", "mode"), [("PNG", "RGBA"), ("PNG", "P"), ("JPEG", "RGB"), ("JPEG", "CMYK")])
def test_convert_photo_makes_a_small_jpeg_file(kind: str, mode: str) -> None:
    photo = store_photo(make_picture(kind, (800, 1000), mode=mode))
    assert (photo.format, photo.mode, photo.size) == ("JPEG", "RGB", (PHOTO_PIXELS * 4 // 5, PHOTO_PIXELS))


@pytest.mark.slow
def test_convert_photo_limits_the_size_of_a_detailed_picture() -> None:
    assert (
        len(b64decode(convert_photo_to_base64(make_picture("PNG", (900, 900), noise=True), "x"))) <= MAX_PHOTO_SIZE
    )


def test_convert_photo_rotates_and_removes_metadata() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the EXIF data rotates the picture
    exif[0x010E] = "secret"
    buffer = io.BytesIO()
    Image.new("RGB", (300, 200)).save(buffer, "JPEG", exif=exif, comment=b"secret")
    photo = store_photo(buffer.getvalue())
    assert photo.size == (107, 160)
    assert not photo.getexif()
    assert b"secret" not in b64decode(convert_photo_to_base64(buffer.getvalue(), "x"))


@pytest.mark.parametrize(
    "content", [b"", b"GIF89a", make_picture("BMP"), make_picture("PNG")[:70], make_picture("JPEG")[:200]]
)
def test_convert_photo_refuses_other_files(content: bytes) -> None:
    with pytest.raises(InputError, match="photo-file-unreadable"):
        convert_photo_to_base64(content, "x")
