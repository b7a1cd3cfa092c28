"""A widget that shows what the room sees, on a whole display or as a small picture of it."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QPointF, QRectF, QSize, QSizeF, QVariantAnimation
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPen, QPixmap, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tdapp.gui.screens.paint import Scene, ScenePainter
from tdapp.gui.screens.show import Show
from tdapp.i18n.slides import Slide, spoken

FRAME = 3  # around a small picture
FADE = 350  # ms from one page to the next
_Drawn = tuple[Slide, str, bool, QSize, float, str]


class Canvas(QWidget):
    """Paints a show while it is visible; with `moving` one page fades into the next.

    A small picture of what is shown elsewhere is `framed`: it shows the same, made for a stage of another size.
    """

    def __init__(self, show: Show, *, moving: bool = False, framed: bool = False) -> None:
        super().__init__()
        self._show = show
        self._moving = moving
        self._frame = FRAME if framed else 0
        self._stage: QSize | None = None
        self._page: QPixmap | None = None
        self._drawn: _Drawn | None = None
        self._before: QPixmap | None = None
        self._shown = ""
        self._fade = QVariantAnimation(self)
        self._fade.setDuration(FADE)
        self._fade.setStartValue(0.0)
        self._fade.setEndValue(1.0)
        self._fade.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._fade.valueChanged.connect(self.update)
        self._fade.finished.connect(self._faded)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(show.session.catalogue.text("What the room sees"))
        show.turned.connect(self._turn)
        show.ticked.connect(self.update)
        self._tell()

    def set_stage(self, size: QSize) -> None:
        """Make the pages for a display of a size in pixels."""
        if size != self._stage:
            self._stage = size
            self.update()

    # --- inside

    def _turn(self) -> None:
        before, self._shown = self._shown, f"{self._show.slide.key}/{self._show.message}"
        moving = self._moving and not self._show.still
        if moving and self._page is not None and before != self._shown:
            self._before = self._page
            self._fade.stop()
            self._fade.start()
        self._tell()
        self.update()

    def _faded(self) -> None:
        self._before = None
        self.update()

    def _tell(self) -> None:
        self.setAccessibleDescription(self._show.message or spoken(self._show.slide))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the page as it was made, and over it what moves."""
        scene = self._show.scene
        stage = QSizeF(self._stage or self.size())
        wide, high = self.width() - 2 * self._frame, self.height() - 2 * self._frame
        scale = min(wide / stage.width(), high / stage.height())
        corner = QPointF((self.width() - stage.width() * scale) / 2, (self.height() - stage.height() * scale) / 2)
        page = self._made(scene, stage, scale)
        painter = QPainter(self)
        painter.drawPixmap(corner, page)
        if self._before is not None:
            painter.setOpacity(1.0 - float(self._fade.currentValue() or 0.0))
            painter.drawPixmap(corner, self._before)
            painter.setOpacity(1.0)
        if self._frame:
            self._paint_frame(painter, QRectF(corner, stage * scale))
        painter.translate(corner)
        painter.scale(scale, scale)
        ScenePainter(painter, stage, scene, self._show.session.catalogue).paint_live()
        painter.end()

    def _paint_frame(self, painter: QPainter, picture: QRectF) -> None:
        """Paint a display's edge, in the colour of the cursor where the keys go here."""
        look, half = self._show.session.look, self._frame / 2
        painter.setPen(QPen(look.colour("accent" if self.hasFocus() else "edge"), self._frame))
        painter.drawRoundedRect(picture.adjusted(-half, -half, half, half), self._frame, self._frame)

    def _made(self, scene: Scene, stage: QSizeF, scale: float) -> QPixmap:
        """Return the page as a picture, made when it is another or the widget has another size."""
        catalogue, ratio = self._show.session.catalogue, self.devicePixelRatioF()
        drawn = (scene.slide, scene.message, scene.black, self.size(), ratio * scale, catalogue.language)
        if self._page is None or drawn != self._drawn:
            self._drawn = drawn
            self._page = QPixmap((stage * scale * ratio).toSize())
            self._page.setDevicePixelRatio(ratio)
            painter = QPainter(self._page)
            painter.scale(scale, scale)
            ScenePainter(painter, stage, scene, catalogue).paint_page()
            painter.end()
        return self._page

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to look."""
        super().showEvent(event)
        if not event.spontaneous():
            self._show.watch()

    def hideEvent(self, event: QHideEvent) -> None:
        """Look no longer."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._show.leave()
            self._fade.stop()
            self._before = None
