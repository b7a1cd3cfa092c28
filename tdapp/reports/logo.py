"""The organiser's picture: a file from anywhere becomes a small PNG or JPEG that is safe to keep and to print.

Hides Pillow. Whatever a file says of itself, only its pixels are taken, after their number is known to be small.
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
MOST_PIXELS = 6_000  # a side
KEPT_PIXELS = 900  # a side: 300 to the inch on paper and more
_FORMATS = ("PNG", "JPEG")
_UNSOUND = (OSError, SyntaxError, ValueError, OverflowError, MemoryError)  # what Pillow raises on broken files


def read_logo(content: bytes, name: str) -> str:
    """Return a picture file as `commands.set_logo` wants it, made smaller where it is large.

    Raises InputError: logo-unreadable, logo-too-large, logo-too-many-pixels.
    """
    from PIL import Image  # noqa: PLC0415 - loaded where there is a picture

    if len(content) > LARGEST_FILE:
        raise InputError("logo-too-large", source=name, size=len(content), largest=LARGEST_FILE)
    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as opened:
            width, height = opened.size
            if max(width, height) > MOST_PIXELS:
                raise InputError("logo-too-many-pixels", name=name, width=width, height=height, most=MOST_PIXELS)
            return _kept(opened)
    except (*_UNSOUND, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise InputError("logo-unreadable", name=name) from error


def logo(tournament: Tournament) -> ImageReader | None:
    """Return the tournament's picture to draw with; None where there is none, or none that can be read."""
    row = next(iter(tournament.logos.values()), None)
    if row is None:
        return None
    from PIL import Image  # noqa: PLC0415 - loaded where there is a picture
    from reportlab.lib.utils import ImageReader  # noqa: PLC0415 - loaded where there is a picture

    try:
        content = b64decode(row.data, validate=True)
        with Image.open(io.BytesIO(content), formats=_FORMATS) as opened:
            if max(opened.size) > MOST_PIXELS:
                return None
            opened.load()
        return ImageReader(io.BytesIO(content))
    except (*_UNSOUND, Image.DecompressionBombError):
        return None


def _kept(opened: Image.Image) -> str:
    """Return the pixels anew, small enough, in base64; what cannot be seen through as the smaller of two files."""
    clear = opened.mode in {"RGBA", "LA", "PA"} or "transparency" in opened.info
    picture = opened.convert("RGBA" if clear else "RGB")
    side = KEPT_PIXELS
    while True:
        picture.thumbnail((side, side))
        found = [_written(picture, "PNG"), *([] if clear else [_written(picture, "JPEG")])]
        content = min(found, key=len)
        if len(content) <= LARGEST_LOGO:
            return b64encode(content).decode("ascii")
        side //= 2


def _written(picture: Image.Image, kind: str) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, optimize=True)
    return buffer.getvalue()
