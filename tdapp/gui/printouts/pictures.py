"""Pictures from files, as reports take them: SVG is drawn here, with Qt; `reports.logo` reads PNG and JPEG."""

from __future__ import annotations

import re

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from tdapp.domain.errors import InputError
from tdapp.reports.logo import KEPT_PIXELS, read_logo

LARGEST_SVG = 2_000_000  # bytes
# What could read other files, grow without end or run: a picture of an organiser needs none of it.
_HOSTILE = re.compile(
    rb"<!ENTITY|<!DOCTYPE[^>]*\[|<script|<foreignObject|<image|<use|(?:href|src)\s*=\s*[\"'][^#\"']", re.I
)


def logo_of(content: bytes, name: str) -> str:
    """Return a PNG, JPEG or SVG file as `commands.set_logo` wants it; raise InputError as `read_logo` does."""
    if name.lower().endswith(".svg"):
        content = _drawn(content, name)
    return read_logo(content, name)


def _drawn(content: bytes, name: str) -> bytes:
    """Return an SVG as PNG."""
    if len(content) > LARGEST_SVG:
        raise InputError("logo-too-large", source=name, size=len(content), largest=LARGEST_SVG)
    if _HOSTILE.search(content) or b"<svg" not in content:
        raise InputError("logo-unreadable", name=name)
    renderer = QSvgRenderer(QByteArray(content))
    size = renderer.defaultSize()
    if not renderer.isValid() or size.isEmpty():
        raise InputError("logo-unreadable", name=name)
    size.scale(KEPT_PIXELS, KEPT_PIXELS, Qt.AspectRatioMode.KeepAspectRatio)
    picture = QImage(size.expandedTo(size.__class__(1, 1)), QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(picture.rect()))
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload] # Qt takes a device here
    return bytes(buffer.data().data())
