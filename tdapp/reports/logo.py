"""Convert an untrusted picture, a logo or a player's photo, to a small, safe PNG or JPEG.

The number of pixels is checked before the picture is decoded.
"""

from __future__ import annotations

import io
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import TYPE_CHECKING

from tdapp.domain.commands.papers import LARGEST_LOGO
from tdapp.domain.errors import InputError
from tdapp.domain.photos import MAX_PHOTO_SIZE
from tdapp.domain.tournament import Tournament

if TYPE_CHECKING:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

LARGEST_FILE = 20_000_000  # bytes
MOST_PIXELS = 6_000  # pixels a side
KEPT_PIXELS = 900  # pixels a side: at least 300 dpi in print
PHOTO_PIXELS = 160  # pixels a side: every photo is read whenever the tournament opens
_QUALITY = 72
_FORMATS = ("PNG", "JPEG")
_UNSOUND = (OSError, SyntaxError, ValueError, OverflowError, MemoryError)  # raised by Pillow for broken files


def read_logo(content: bytes, name: str) -> str:
    """Return a picture in Base64. Raises InputError: logo-unreadable, logo-too-large, logo-too-many-pixels."""
    return _convert_picture(content, name, _encode_picture)


def read_photo(content: bytes, name: str) -> str:
    """Return a photo in Base64: upright, small, without its metadata.

    Raises InputError: photo-file-unreadable, logo-too-large, logo-too-many-pixels.
    """
    return _convert_picture(content, name, _encode_photo, unreadable="photo-file-unreadable")


def _convert_picture(
    content: bytes, name: str, encode: Callable[[Image.Image], str], *, unreadable: str = "logo-unreadable"
) -> str:
    from PIL import Image  # noqa: PLC0415 - loaded only for a logo

    if len(content) > LARGEST_FILE:
        raise InputError("logo-too-large", source=name, size=len(content), largest=LARGEST_FILE)
    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as opened:
            width, height = opened.size
            if max(width, height) > MOST_PIXELS:
                raise InputError("logo-too-many-pixels", name=name, width=width, height=height, most=MOST_PIXELS)
            return encode(opened)
    except (*_UNSOUND, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise InputError(unreadable, name=name) from error


def load_logo(tournament: Tournament) -> ImageReader | None:
    row = next(iter(tournament.logos.values()), None)
    if row is None:
        return None
    from PIL import Image  # noqa: PLC0415 - loaded only for a logo
    from reportlab.lib.utils import ImageReader  # noqa: PLC0415 - loaded only for a logo

    try:
        content = b64decode(row.data, validate=True)
        with Image.open(io.BytesIO(content), formats=_FORMATS) as opened:
            if max(opened.size) > MOST_PIXELS:
                return None
            opened.load()
        return ImageReader(io.BytesIO(content))
    except (*_UNSOUND, Image.DecompressionBombError):
        return None


def _encode_picture(opened: Image.Image) -> str:
    clear = opened.mode in {"RGBA", "LA", "PA"} or "transparency" in opened.info
    picture = opened.convert("RGBA" if clear else "RGB")
    side = KEPT_PIXELS
    while True:
        picture.thumbnail((side, side))
        found = [_write_picture(picture, "PNG"), *([] if clear else [_write_picture(picture, "JPEG")])]
        content = min(found, key=len)
        if len(content) <= LARGEST_LOGO:
            return b64encode(content).decode("ascii")
        side //= 2


def _encode_photo(opened: Image.Image) -> str:
    from PIL import Image, ImageOps  # noqa: PLC0415 - loaded only for a photo

    opened.draft("RGB", (2 * PHOTO_PIXELS, 2 * PHOTO_PIXELS))  # decode a large JPEG at a lower resolution
    upright = ImageOps.exif_transpose(opened).convert("RGBA")
    picture = Image.new("RGB", upright.size, "white")
    picture.paste(upright, mask=upright)
    side = PHOTO_PIXELS
    while True:
        picture.thumbnail((side, side))
        content = _write_picture(picture, "JPEG", quality=_QUALITY)
        if len(content) <= MAX_PHOTO_SIZE:
            return b64encode(content).decode("ascii")
        side = side * 3 // 4


def _write_picture(picture: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, optimize=True, **options)
    return buffer.getvalue()
