"""The canvas of all printouts. It draws text in every script with the module `shaping`."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from tdapp.reports.shaping import ShapedTextRun, import_harfbuzz
from tdapp.reports.style import find_typeface

_INVISIBLE_MODE: Final = 3  # text for selection and search only
_NON_ZERO_FILL = 1  # fill overlapping outlines too


class GlyphFallbackCanvas(Canvas):
    """Canvas with fallback fonts for letters that the typeface does not contain."""

    _fontname: str
    _fontsize: float
    _code: list[str]

    def drawString(self, x: float, y: float, text: str, *args: Any, **options: Any) -> None:  # noqa: N802 - ReportLab's name
        typeface = find_typeface(self._fontname)
        if typeface.can_draw_without_shaping(text):
            super().drawString(x, y, text, *args, **options)
            return
        for part in typeface.shape_text(text):
            if part.font is None:
                super().drawString(x, y, part.text)
            else:
                self._draw_glyphs(x, y, part)
            x += part.width * self._fontsize

    def drawRightString(self, x: float, y: float, text: str, *_args: Any, **_options: Any) -> None:  # noqa: N802 - ReportLab's name
        self.drawString(x - find_typeface(self._fontname).measure_width(text, self._fontsize), y, text)

    def _draw_glyphs(self, x: float, y: float, part: ShapedTextRun) -> None:
        scale = self._fontsize / part.font.face.upem
        self._code.append(f"/Span <</ActualText <FEFF{part.text.encode('utf-16-be').hex()}>>> BDC")
        super().drawString(x, y, ".", mode=_INVISIBLE_MODE)
        path = self.beginPath()
        for glyph, dx, dy in part.glyphs:
            part.font.draw_glyph(
                glyph, _make_glyph_pen_functions(), _GlyphPen(path, x + dx * scale, y + dy * scale, scale)
            )
        self.drawPath(path, stroke=0, fill=1, fillMode=_NON_ZERO_FILL)
        self._code.append("EMC")


class _GlyphPen:
    def __init__(self, path: PDFPathObject, x: float, y: float, scale: float) -> None:
        self._path, self._x, self._y, self._scale = path, x, y, scale
        self._last = (x, y)

    def _scale_points(self, *points: float) -> list[float]:
        origin = (self._x, self._y)
        scaled_points = [origin[index % 2] + value * self._scale for index, value in enumerate(points)]
        self._last = scaled_points[-2], scaled_points[-1]
        return scaled_points

    def move_to(self, x: float, y: float) -> None:
        self._path.moveTo(*self._scale_points(x, y))

    def line_to(self, x: float, y: float) -> None:
        self._path.lineTo(*self._scale_points(x, y))

    def curve_to(self, *points: float) -> None:
        self._path.curveTo(*self._scale_points(*points))

    def quadratic_curve_to(self, *points: float) -> None:
        (x1, y1), (x2, y2, x3, y3), third = self._last, self._scale_points(*points), 2 / 3
        self._path.curveTo(
            x1 + (x2 - x1) * third, y1 + (y2 - y1) * third, x3 + (x2 - x3) * third, y3 + (y2 - y3) * third, x3, y3
        )  # fmt: skip

    def close_path(self) -> None:
        self._path.close()


@cache
def _make_glyph_pen_functions() -> Any:
    pen = import_harfbuzz().DrawFuncs()
    pen.set_move_to_func(lambda *call: call[-1].move_to(*call[:-1]))
    pen.set_line_to_func(lambda *call: call[-1].line_to(*call[:-1]))
    pen.set_quadratic_to_func(lambda *call: call[-1].quadratic_curve_to(*call[:-1]))
    pen.set_cubic_to_func(lambda *call: call[-1].curve_to(*call[:-1]))
    pen.set_close_path_func(lambda outline: outline.close_path())
    return pen
