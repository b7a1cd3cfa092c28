"""Colours, text sizes, icons and fonts. The style sheet is `resources/window.qss`."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from string import Template

from msgspec import Struct
from msgspec.structs import asdict
from PySide6.QtCore import QByteArray, QObject, QRectF, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPainter, QPalette, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

UNIT = 8
ROW = 32
BAR = 12  # the width of a scroll bar
ICON = QSize(20, 20)
SMALL, LEAD, HEAD = 13, 15, 20
FAMILY = "Noto Sans"
SCHEMES = ("system", "light", "dark", "contrast")
SIZES = (100, 125, 150, 175, 200)  # of text, in per cent
TEXT_SIZE_OF_SYSTEM = 0
_TEXT_SIZE_KEY = "text-size"  # key of the setting
# Default point sizes of the system's text. GNOME's 11 points are still below the next size.
_USUAL_POINTS: Mapping[str, float] = {"win32": 9.0, "darwin": 13.0}
_USUAL_POINTS_ELSEWHERE = 10.0


class Colours(Struct, frozen=True):
    """Colours by name. A colour such as `red_soft` is the background for text in the colour `red`."""

    text: str
    muted: str
    line: str
    edge: str
    off: str
    window: str
    surface: str
    sunken: str
    accent: str
    accent_strong: str
    on_accent: str
    accent_soft: str
    amber: str
    amber_soft: str
    red: str
    red_soft: str
    green: str
    green_soft: str
    word_3: str
    word_2: str
    letter_3: str
    letter_2: str


COLOURS: Mapping[str, Colours] = {
    "light": Colours(
        text="#1a2230", muted="#566274", line="#e1e5ec", edge="#b9c1cd", off="#b9c1cd",
        window="#f5f6f9", surface="#ffffff", sunken="#eceff4", accent="#2b58c4",
        accent_strong="#2148a6", on_accent="#ffffff", accent_soft="#e4ecfd", amber="#825400",
        amber_soft="#fff1d2", red="#b0241c", red_soft="#fde9e7", green="#1b6f3a",
        green_soft="#e2f4e8", word_3="#f2a6a0", word_2="#fbdedc", letter_3="#a3c0f2", letter_2="#d9e8fc",
    ),
    "dark": Colours(
        text="#e8ebf1", muted="#a2adbc", line="#2c3442", edge="#4a5567", off="#4a5567",
        window="#12161d", surface="#1a2029", sunken="#242c38", accent="#86adff",
        accent_strong="#a6c3ff", on_accent="#0d1524", accent_soft="#233459", amber="#f2c264",
        amber_soft="#392d14", red="#ff9a92", red_soft="#412321", green="#7dd69a",
        green_soft="#18351f", word_3="#7d2b26", word_2="#4b2a2b", letter_3="#274b94", letter_2="#22384f",
    ),
    "contrast": Colours(
        text="#ffffff", muted="#ffffff", line="#8c8c8c", edge="#ffffff", off="#8c8c8c",
        window="#000000", surface="#000000", sunken="#1c1c1c", accent="#ffe14d",
        accent_strong="#fff0a3", on_accent="#000000", accent_soft="#3a3300", amber="#ffb84d",
        amber_soft="#332300", red="#ff9c94", red_soft="#3d0f0b", green="#7cf29c",
        green_soft="#053214", word_3="#8a1712", word_2="#4d1d1b", letter_3="#153f9e", letter_2="#12304d",
    ),
}  # fmt: skip

# The colour of each premium as the books name them (de-spielregeln 4d, be-brailleliga 12); its sign is a text.
PREMIUM_TONES: Mapping[str, str] = {"3": "word_3", "2": "word_2", "c": "letter_3", "b": "letter_2"}


class Appearance(QObject):
    """The current colour scheme, text size and icons."""

    changing = Signal()  # before a change of scheme or size: hidden parts may be removed from the window
    changed = Signal()

    def __init__(self, resources: Path, *, scheme: str = "system", size: int = 100) -> None:
        """Load icons and colours. `size` is the text size in per cent."""
        super().__init__()
        self._icons = resources / "icons"
        self._template = (resources / "window.qss").read_text(encoding="utf-8")
        self._icon_cache: dict[tuple[str, str], QIcon] = {}
        self._shapes: dict[tuple[str, int], tuple[QPixmap, ...]] = {}
        self._tones: dict[str, QColor] = {}
        self.scheme = scheme  # the chosen scheme, one of SCHEMES
        self.size = size  # of text, in per cent
        self.colours = COLOURS[self._get_effective_colour_scheme()]
        self._sheet = ""
        QApplication.styleHints().colorSchemeChanged.connect(self._apply_changed_system_scheme)

    @property
    def has_dark_background(self) -> bool:
        return QColor(self.colours.window).lightness() < QColor(self.colours.text).lightness()

    def set_colour_scheme(self, scheme: str) -> None:
        self.scheme = scheme
        self.apply_style()

    def set_text_size(self, size: int) -> None:
        """Set the text size in per cent. Only new widgets use it."""
        self.size = size
        self.apply_style()

    def apply_style(self) -> None:
        self.changing.emit()
        self.colours = COLOURS[self._get_effective_colour_scheme()]
        self._icon_cache.clear()
        self._tones.clear()
        QApplication.setFont(make_unscaled_font(round(SMALL * self.size / 100)))
        QApplication.setPalette(make_palette(self.colours))
        tick_file = self._icons / ("tick-dark.svg" if self.has_dark_background else "tick-light.svg")
        sheet = Template(_SCALED_SIZES.sub(_scale_size_in_style_sheet, self._template))
        other_values = {"tick": tick_file.as_posix(), "bar": f"{scale_pixels(BAR)}px"}
        before, self._sheet = self._sheet, sheet.substitute(asdict(self.colours), **other_values)
        for top in QApplication.topLevelWidgets():
            if before and top.styleSheet() == before:
                self.style_window(top)
        self.changed.emit()

    def style_window(self, top: QWidget) -> None:
        """Set the current style sheet on a top-level window.

        The application itself has no style sheet, because Qt would evaluate it for each new widget.
        """
        if top.styleSheet() != self._sheet:
            top.setStyleSheet(self._sheet)

    def get_colour(self, tone: str) -> QColor:
        cached_colour = self._tones.get(tone)
        if cached_colour is None:
            cached_colour = self._tones[tone] = QColor(getattr(self.colours, tone))
        return cached_colour

    def make_icon(self, name: str, tone: str = "text") -> QIcon:
        icon = self._icon_cache.get((name, tone))
        if icon is None:
            icon = self._icon_cache[name, tone] = QIcon()
            for mode, colour in ((QIcon.Mode.Normal, tone), (QIcon.Mode.Disabled, "off")):
                for shape in self._load_icon_shapes(name):
                    icon.addPixmap(_tint_icon_shape(shape, self.get_colour(colour)), mode)
        return icon

    def _load_icon_shapes(self, name: str) -> tuple[QPixmap, ...]:
        key = name, scale_pixels(ICON.width())
        if key not in self._shapes:
            source = (self._icons / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", "#000000")
            renderer = QSvgRenderer(QByteArray(source.encode()))
            self._shapes[key] = tuple(_draw_icon_shape(renderer, ratio) for ratio in (1, 2))
        return self._shapes[key]

    def draw_icon(self, name: str, tone: str, size: int, widget: QWidget) -> QPixmap:
        """Draw an icon in the colour named `tone`. `size` is in pixels at the normal text size."""
        return self.make_icon(name, tone).pixmap(
            QSize(scale_pixels(size), scale_pixels(size)), widget.devicePixelRatioF()
        )

    def _get_effective_colour_scheme(self) -> str:
        if self.scheme != "system":
            return self.scheme
        dark = QApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return "dark" if dark else "light"

    def _apply_changed_system_scheme(self) -> None:
        if self.scheme == "system":
            self.apply_style()


def _draw_icon_shape(renderer: QSvgRenderer, ratio: int) -> QPixmap:
    pixmap = QPixmap(scale_pixels(ICON.width()) * ratio, scale_pixels(ICON.height()) * ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def _tint_icon_shape(shape: QPixmap, colour: QColor) -> QPixmap:
    pixmap = QPixmap(shape)
    painter = QPainter(pixmap)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(pixmap.rect(), colour)
    painter.end()
    return pixmap


def paint_rounded_background(
    painter: QPainter, appearance: Appearance, area: QRectF, fill: str, ring: QRectF | None
) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    if fill:
        painter.setBrush(appearance.get_colour(fill))
        painter.drawRoundedRect(area, 6, 6)
    if ring is not None:
        painter.setPen(QPen(appearance.get_colour("accent"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(ring, 6, 6)


def load_fonts(folder: Path) -> None:
    for path in sorted(folder.glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(path))


def store_text_size(settings: QSettings, size: int) -> None:
    settings.setValue(_TEXT_SIZE_KEY, size)


def get_stored_text_size_or_zero(settings: QSettings) -> int:
    stored_size = settings.value(_TEXT_SIZE_KEY)
    return next((size for size in SIZES if str(size) == str(stored_size)), TEXT_SIZE_OF_SYSTEM)


def get_stored_or_system_text_size(settings: QSettings) -> int:
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    return get_stored_text_size_or_zero(settings) or convert_points_to_text_size(system.pointSizeF(), sys.platform)


def get_larger_or_smaller_text_size(size: int, steps: int) -> int:
    """Return the text size in per cent, `steps` steps larger than `size`, between 100 and 200."""
    return SIZES[min(max(SIZES.index(size) + steps, 0), len(SIZES) - 1)]


def convert_points_to_text_size(points: float, platform: str) -> int:
    """Convert the system's font size in points to a text size of 100 to 200 per cent, rounded down."""
    per_cent = 100 * points / _USUAL_POINTS.get(platform, _USUAL_POINTS_ELSEWHERE)
    return max((size for size in SIZES if size <= per_cent), default=SIZES[0])


def scale_pixels(pixels: int) -> int:
    """Convert pixels at the normal text size to pixels at the chosen text size."""
    return round(pixels * max(QApplication.font().pixelSize(), SMALL) / SMALL)


def scale_line_height(pixels: int) -> int:
    """Scale a line height in pixels to the chosen text size. The space above and below the text stays the same."""
    return pixels + round((scale_pixels(SMALL) - SMALL) * _LINE_HEIGHT)


def make_scaled_font(size: int, *, bold: bool = False) -> QFont:
    """Return a font. `size` is in pixels at the normal text size."""
    return make_unscaled_font(scale_pixels(size), bold=bold)


def make_unscaled_font(size: int, *, bold: bool = False) -> QFont:
    """Return a font in which all digits have equal width. `size` is in pixels and not scaled."""
    font = QFont(FAMILY)
    font.setPixelSize(size)
    font.setBold(bold)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def make_palette(colours: Colours) -> QPalette:
    role = QPalette.ColorRole
    texts = (role.WindowText, role.Text, role.ButtonText)
    colours_and_roles = (
        (colours.text, (*texts, role.ToolTipBase)),
        (colours.surface, (role.Base, role.Button, role.ToolTipText, role.Light)),
        (colours.accent, (role.Highlight, role.Accent, role.Link, role.LinkVisited)),
        (colours.edge, (role.Mid, role.Dark, role.Shadow)),
        (colours.window, (role.Window,)),
        (colours.sunken, (role.AlternateBase,)),
        (colours.red, (role.BrightText,)),
        (colours.muted, (role.PlaceholderText,)),
        (colours.on_accent, (role.HighlightedText,)),
        (colours.line, (role.Midlight,)),
    )
    palette = QPalette()
    for colour, roles in colours_and_roles:
        for text_role in roles:
            palette.setColor(text_role, QColor(colour))
    for text_role in texts:
        palette.setColor(QPalette.ColorGroup.Disabled, text_role, QColor(colours.off))
    return palette


# Sizes in the style sheet that grow with the text. Of line heights only the part for the letters grows.
_SCALED_SIZES = re.compile(r"\b((?:font-size|icon-size|(?:min-|max-)?(?:height|width)): )(\d+)px")
_LINE_HEIGHT = 1.4  # the height of a line, in sizes of its letters


def _scale_size_in_style_sheet(match: re.Match[str]) -> str:
    is_line = "height" in match[1] and int(match[2]) > SMALL * _LINE_HEIGHT - 1
    return f"{match[1]}{(scale_line_height if is_line else scale_pixels)(int(match[2]))}px"
