"""How everything looks: colours, text sizes, icons, and the change between light, dark and high contrast.

Hides palettes, the style sheet and the re-tinting of icons. The grid is 8 px; text comes in four sizes. Colour
means something: accent is the next step, amber asks for attention, red refuses, green never stands alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from tdapp.gui.widgets.style_sheet import sheet

UNIT = 8
ROW = 32
ICON = QSize(20, 20)
SMALL, LEAD, HEAD = 13, 15, 20
FAMILY = "Noto Sans"
SCHEMES = ("system", "light", "dark", "contrast")


@dataclass(frozen=True, slots=True)
class Colours:
    """One scheme's colours by meaning; `off` cannot be done, `*_soft` are grounds for text of the same name."""

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


COLOURS: Mapping[str, Colours] = MappingProxyType(
    {
        "light": Colours(
            text="#1a2230", muted="#566274", line="#e1e5ec", edge="#b9c1cd", off="#b9c1cd",
            window="#f5f6f9", surface="#ffffff", sunken="#eceff4", accent="#2b58c4",
            accent_strong="#2148a6", on_accent="#ffffff", accent_soft="#e4ecfd", amber="#825400",
            amber_soft="#fff1d2", red="#b0241c", red_soft="#fde9e7", green="#1b6f3a",
            green_soft="#e2f4e8",
        ),
        "dark": Colours(
            text="#e8ebf1", muted="#a2adbc", line="#2c3442", edge="#4a5567", off="#4a5567",
            window="#12161d", surface="#1a2029", sunken="#242c38", accent="#86adff",
            accent_strong="#a6c3ff", on_accent="#0d1524", accent_soft="#233459", amber="#f2c264",
            amber_soft="#392d14", red="#ff9a92", red_soft="#412321", green="#7dd69a",
            green_soft="#18351f",
        ),
        "contrast": Colours(
            text="#ffffff", muted="#ffffff", line="#8c8c8c", edge="#ffffff", off="#8c8c8c",
            window="#000000", surface="#000000", sunken="#1c1c1c", accent="#ffe14d",
            accent_strong="#fff0a3", on_accent="#000000", accent_soft="#3a3300", amber="#ffb84d",
            amber_soft="#332300", red="#ff9c94", red_soft="#3d0f0b", green="#7cf29c",
            green_soft="#053214",
        ),
    }
)  # fmt: skip


class Look(QObject):
    """The scheme in use, and what is drawn in its colours."""

    changed = Signal()

    def __init__(self, icons: Path, *, scheme: str = "system") -> None:
        """Draw icons from the folder `icons`; call `apply` to give the application its looks."""
        super().__init__()
        self._icons = icons
        self._known: dict[tuple[str, str], QIcon] = {}
        self._tones: dict[str, QColor] = {}
        self._scheme = scheme
        self._colours = COLOURS[self._resolved()]
        QApplication.styleHints().colorSchemeChanged.connect(self._follow)

    @property
    def scheme(self) -> str:
        """What was chosen: one of SCHEMES."""
        return self._scheme

    @property
    def colours(self) -> Colours:
        """The colours in use."""
        return self._colours

    @property
    def dark(self) -> bool:
        """Whether light text stands on dark ground."""
        return QColor(self._colours.window).lightness() < QColor(self._colours.text).lightness()

    def choose(self, scheme: str) -> None:
        """Change to one of SCHEMES."""
        self._scheme = scheme
        self.apply()

    def apply(self) -> None:
        """Give the application palette, font and style sheet, and tell everyone."""
        self._colours = COLOURS[self._resolved()]
        self._known.clear()
        self._tones.clear()
        QApplication.setFont(font(SMALL))
        QApplication.setPalette(palette(self._colours))
        application = QApplication.instance()
        if isinstance(application, QApplication):
            tick = "tick-dark.svg" if self.dark else "tick-light.svg"
            application.setStyleSheet(sheet(asdict(self._colours), self._icons / tick))
        self.changed.emit()

    def colour(self, tone: str) -> QColor:
        """Return a colour by its meaning, a field of Colours."""
        found = self._tones.get(tone)
        if found is None:
            found = self._tones[tone] = QColor(getattr(self._colours, tone))
        return found

    def icon(self, name: str, tone: str = "text") -> QIcon:
        """Return the icon `name` in a colour; its disabled state is muted."""
        found = self._known.get((name, tone))
        if found is None:
            found = QIcon()
            source = (self._icons / f"{name}.svg").read_text(encoding="utf-8")
            for mode, colour in ((QIcon.Mode.Normal, tone), (QIcon.Mode.Disabled, "off")):
                tinted = source.replace("currentColor", self.colour(colour).name())
                renderer = QSvgRenderer(QByteArray(tinted.encode()))
                for ratio in (1, 2):
                    found.addPixmap(_drawn(renderer, ratio), mode)
            self._known[name, tone] = found
        return found

    def _resolved(self) -> str:
        if self._scheme != "system":
            return self._scheme
        dark = QApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return "dark" if dark else "light"

    def _follow(self) -> None:
        if self._scheme == "system":
            self.apply()


def _drawn(renderer: QSvgRenderer, ratio: int) -> QPixmap:
    pixmap = QPixmap(ICON * ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def load_fonts(folder: Path) -> None:
    """Make the program's own fonts known to Qt."""
    for path in sorted(folder.glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(path))


def font(size: int, *, bold: bool = False) -> QFont:
    """Return the program's font in `size` pixels, with figures that stand in columns."""
    made = QFont(FAMILY)
    made.setPixelSize(size)
    made.setBold(bold)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


def palette(colours: Colours) -> QPalette:
    """Return Qt's palette for a scheme."""
    role = QPalette.ColorRole
    roles = {
        role.Window: colours.window,
        role.WindowText: colours.text,
        role.Base: colours.surface,
        role.AlternateBase: colours.sunken,
        role.Text: colours.text,
        role.Button: colours.surface,
        role.ButtonText: colours.text,
        role.BrightText: colours.red,
        role.ToolTipBase: colours.text,
        role.ToolTipText: colours.surface,
        role.PlaceholderText: colours.muted,
        role.Highlight: colours.accent,
        role.HighlightedText: colours.on_accent,
        role.Accent: colours.accent,
        role.Link: colours.accent,
        role.LinkVisited: colours.accent,
        role.Light: colours.surface,
        role.Midlight: colours.line,
        role.Mid: colours.edge,
        role.Dark: colours.edge,
        role.Shadow: colours.edge,
    }
    made = QPalette()
    for one, colour in roles.items():
        made.setColor(one, QColor(colour))
    for one in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, one, QColor(colours.off))
    return made
