"""Convert an untrusted picture to a small, safe PNG or JPEG.

Its number of pixels is checked before it is decoded.
"""

from __future__ import annotations

import io
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING

from tdapp.domain.commands.papers import LARGEST_LOGO
from tdapp.domain.errors import InputError
from tdapp.domain.tournament import Tournament

if TYPE_CHECKING:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

LARGEST_FILE = 20_000_000  # bytes
MOST_PIXELS = 6_000  # pixels a side
KEPT_PIXELS = 900  # pixels a side: at least 300 dpi in print
_FORMATS = ("PNG", "JPEG")
_UNSOUND = (OSError, SyntaxError, ValueError, OverflowError, MemoryError)  # raised by Pillow for broken files


def read_logo(content: bytes, name: str) -> str:
    """Return a picture as stored. Raises InputError: logo-unreadable, logo-too-large, logo-too-many-pixels."""
    from PIL import Image  # noqa: PLC0415 - loaded only for a logo

    if len(content) > LARGEST_FILE:
        raise InputError("logo-too-large", source=name, size=len(content), largest=LARGEST_FILE)
    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as opened:
            width, height = opened.size
            if max(width, height) > MOST_PIXELS:
                raise InputError("logo-too-many-pixels", name=name, width=width, height=height, most=MOST_PIXELS)
            return _encode_picture(opened)
    except (*_UNSOUND, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise InputError("logo-unreadable", name=name) from error


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


def _write_picture(picture: Image.Image, kind: str) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, optimize=True)
    return buffer.getvalue()
