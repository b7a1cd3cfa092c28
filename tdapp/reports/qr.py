"""QR codes as squares, dark and light; hides the library that makes them."""

from __future__ import annotations

QUIET_ZONE = 4  # light squares around a code, as ISO 18004 asks
_MASK = 2  # any of the eight will do: a reader takes any


def squares(value: str) -> tuple[tuple[bool, ...], ...]:
    """Return the rows of the QR code that says `value`; True is dark."""
    from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel  # noqa: PLC0415 - loaded when something is drawn

    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(value)
    code.version = code.calculate_version()  # type: ignore[no-untyped-call]
    code.makeImpl(False, _MASK)  # the library tries all eight, which takes ten times as long
    return tuple(tuple(bool(square) for square in row) for row in code.modules)
