"""Convert an untrusted picture (a logo or a player's photo) to a small, safe PNG or JPEG.

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

MAX_FILE_BYTES = 20_000_000
MAX_PIXELS = 6_000  # a side
LOGO_PIXELS = 900  # a side: at least 300 dpi in print
PHOTO_PIXELS = 160  # a side: opening a tournament reads all photos
_QUALITY = 72
_FORMATS = ("PNG", "JPEG")
_PILLOW_ERRORS = (OSError, SyntaxError, ValueError, OverflowError, MemoryError)  # for broken files


def convert_logo_to_base64(content: bytes, name: str) -> str:
    """Return a picture in Base64. Raises InputError: logo-unreadable, logo-too-large, logo-too-many-pixels."""
    return _convert_picture(content, name, _encode_picture)


def convert_photo_to_base64(content: bytes, name: str) -> str:
    """Return a photo in Base64: upright, small, without its metadata.

    Raises InputError: photo-file-unreadable, logo-too-large, logo-too-many-pixels.
    """
    return _convert_picture(content, name, _encode_photo, unreadable="photo-file-unreadable")


def _convert_picture(
    content: bytes, name: str, encode: Callable[[Image.Image], str], *, unreadable: str = "logo-unreadable"
) -> str:
    from PIL import Image  # noqa: PLC0415 - loaded only for a logo

    if len(content) > MAX_FILE_BYTES:
        raise InputError("logo-too-large", source=name, size=len(content), largest=MAX_FILE_BYTES)
    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            width, height = image.size
            if max(width, height) > MAX_PIXELS:
                raise InputError("logo-too-many-pixels", name=name, width=width, height=height, most=MAX_PIXELS)
            return encode(image)
    except (*_PILLOW_ERRORS, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise InputError(unreadable, name=name) from error


def load_logo(tournament: Tournament) -> ImageReader | None:
    row = next(iter(tournament.logos.values()), None)
    if row is None:
        return None
    from PIL import Image  # noqa: PLC0415 - loaded only for a logo
    from reportlab.lib.utils import ImageReader  # noqa: PLC0415 - loaded only for a logo

    try:
        content = b64decode(row.data, validate=True)
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            if max(image.size) > MAX_PIXELS:
                return None
            image.load()
        return ImageReader(io.BytesIO(content))
    except (*_PILLOW_ERRORS, Image.DecompressionBombError):
        return None


def _encode_picture(image: Image.Image) -> str:
    is_transparent = image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info
    picture = image.convert("RGBA" if is_transparent else "RGB")
    side = LOGO_PIXELS
    while True:
        picture.thumbnail((side, side))
        encodings = [
            _encode_picture_file(picture, "PNG"),
            *([] if is_transparent else [_encode_picture_file(picture, "JPEG")]),
        ]
        content = min(encodings, key=len)
        if len(content) <= LARGEST_LOGO:
            return b64encode(content).decode("ascii")
        side //= 2


def _encode_photo(image: Image.Image) -> str:
    from PIL import Image, ImageOps  # noqa: PLC0415 - loaded only for a photo

    image.draft("RGB", (2 * PHOTO_PIXELS, 2 * PHOTO_PIXELS))  # decode a large JPEG at a lower resolution
    upright_image = ImageOps.exif_transpose(image).convert("RGBA")
    picture = Image.new("RGB", upright_image.size, "white")
    picture.paste(upright_image, mask=upright_image)
    side = PHOTO_PIXELS
    while True:
        picture.thumbnail((side, side))
        content = _encode_picture_file(picture, "JPEG", quality=_QUALITY)
        if len(content) <= MAX_PHOTO_SIZE:
            return b64encode(content).decode("ascii")
        side = side * 3 // 4


def _encode_picture_file(picture: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, optimize=True, **options)
    return buffer.getvalue()
