"""The window with slides for the venue, on a second display if possible."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from collections.abc import Mapping

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QScreen,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QStyle, QWidget

from tdapp.gui.screens.paint import ScenePainter, SlideScene
from tdapp.gui.screens.slideshow import ANNOUNCE, SlideShow, control_slides_by_key
from tdapp.gui.shell.session import Session, SessionService
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.slides import Slide, describe_slide

FRAME = 3  # border of the preview in pixels
FADE = 350  # milliseconds of a fade
_SlidePictureKey = tuple[Slide, str, bool, QSize, float, str]


class SlideCanvas(QWidget):
    """Paints the slides.

    With `moving` one slide fades into the next. `framed` draws a frame, for the preview.
    """

    def __init__(self, show: SlideShow, *, moving: bool = False, framed: bool = False) -> None:
        super().__init__()
        self._show = show
        self._moving = moving
        self._frame = FRAME if framed else 0
        self._display_size: QSize | None = None
        self._slide_picture: QPixmap | None = None
        self._picture_key: _SlidePictureKey | None = None
        self._faded_picture: QPixmap | None = None
        self._scene_key = ""
        self._fade = QVariantAnimation(self, duration=FADE, startValue=0.0, endValue=1.0)
        self._fade.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._fade.valueChanged.connect(self.update)
        self._fade.finished.connect(self._remove_faded_slide)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(show.session.catalogue.text("On the hall screen"))
        show.slide_turned.connect(self._fade_to_new_slide)
        show.ticked.connect(self.update)
        self._update_accessible_description()

    def set_previewed_display_size(self, size: QSize) -> None:
        """Set the size of the display that the preview shows, in pixels."""
        if size != self._display_size:
            self._display_size = size
            self.update()

    def _fade_to_new_slide(self) -> None:
        before, self._scene_key = self._scene_key, f"{self._show.current_slide.key}/{self._show.message}"
        moving = self._moving and not self._show.is_animation_off
        if moving and self._slide_picture is not None and before != self._scene_key:
            self._faded_picture = self._slide_picture
            self._fade.stop()
            self._fade.start()
        self._update_accessible_description()
        self.update()

    def _remove_faded_slide(self) -> None:
        self._faded_picture = None
        self.update()

    def _update_accessible_description(self) -> None:
        self.setAccessibleDescription(self._show.message or describe_slide(self._show.current_slide))

    def paintEvent(self, _event: QPaintEvent) -> None:
        scene = self._show.scene
        display_size = QSizeF(self._display_size or self.size())
        width, height = self.width() - 2 * self._frame, self.height() - 2 * self._frame
        scale = min(width / display_size.width(), height / display_size.height())
        corner = QPointF(
            (self.width() - display_size.width() * scale) / 2, (self.height() - display_size.height() * scale) / 2
        )
        page = self._get_or_paint_slide_picture(scene, display_size, scale)
        painter = QPainter(self)
        painter.drawPixmap(corner, page)
        if self._faded_picture is not None:
            painter.setOpacity(1.0 - float(self._fade.currentValue() or 0.0))
            painter.drawPixmap(corner, self._faded_picture)
            painter.setOpacity(1.0)
        if self._frame:
            self._paint_border(painter, QRectF(corner, display_size * scale))
        painter.translate(corner)
        painter.scale(scale, scale)
        ScenePainter(painter, display_size, scene, self._show.session.catalogue).paint_moving_parts()
        painter.end()

    def _paint_border(self, painter: QPainter, picture: QRectF) -> None:
        appearance, half_width = self._show.session.appearance, self._frame / 2
        painter.setPen(QPen(appearance.get_colour("accent" if self.hasFocus() else "edge"), self._frame))
        painter.drawRoundedRect(
            picture.adjusted(-half_width, -half_width, half_width, half_width), self._frame, self._frame
        )

    def _get_or_paint_slide_picture(self, scene: SlideScene, stage: QSizeF, scale: float) -> QPixmap:
        catalogue, ratio = self._show.session.catalogue, self.devicePixelRatioF()
        picture_key = (scene.slide, scene.message, scene.black, self.size(), ratio * scale, catalogue.language)
        if self._slide_picture is None or picture_key != self._picture_key:
            self._picture_key = picture_key
            self._slide_picture = QPixmap((stage * scale * ratio).toSize())
            self._slide_picture.setDevicePixelRatio(ratio)
            painter = QPainter(self._slide_picture)
            painter.scale(scale, scale)
            ScenePainter(painter, stage, scene, catalogue).paint_fixed_parts()
            painter.end()
        return self._slide_picture

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self._show.increment_visible_canvas_count()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._show.decrement_visible_canvas_count()
            self._fade.stop()
            self._faded_picture = None


_PATIENCE = 1  # seconds to wait for the desktop's answer
# Commands that query the desktop, and the answer for reduced motion.
_MOTION_QUERIES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "darwin": (("defaults", "read", "com.apple.universalaccess", "reduceMotion"), "1"),
    "linux": (("gsettings", "get", "org.gnome.desktop.interface", "enable-animations"), "false"),
}
_CLIENT_AREA_ANIMATION = 0x1042  # SPI_GETCLIENTAREAANIMATION of Windows


def has_user_disabled_animations() -> bool:
    if not QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animate):
        return True
    if sys.platform == "win32":
        return not _are_windows_os_animations_on()
    call, calm_answer = _MOTION_QUERIES.get(sys.platform, ((), ""))
    program = shutil.which(call[0]) if call else None
    if program is None:
        return False
    try:
        answer = subprocess.run(  # noqa: S603 - the desktop's own program
            [program, *call[1:]], capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return answer.stdout.strip() == calm_answer


if sys.platform == "win32":

    def _are_windows_os_animations_on() -> bool:
        is_animated = ctypes.c_int(1)
        ctypes.windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, ctypes.byref(is_animated), 0)
        return bool(is_animated.value)

else:

    def _are_windows_os_animations_on() -> bool:
        return True


_SMALL = (960, 540)  # window size if not full screen


class RoomWindow(QWidget):
    """The window for the venue. Keyboard shortcuts work as on the Screens page."""

    closed = Signal()
    resized = Signal()
    # the director wants to type an announcement, in the main window so that the room does not see it
    announcement_requested = Signal()

    def __init__(self, show: SlideShow) -> None:
        super().__init__()
        self._show = show
        self.canvas = SlideCanvas(show, moving=True)
        self.setWindowTitle(show.session.catalogue.text("Hall screen"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(UNIT * 40, UNIT * 24)
        fields.make_column(self.canvas, parent=self)

    def move_to_display(self, screen: QScreen, *, full_screen: bool) -> None:
        self.showNormal()
        self.setScreen(screen)
        self.canvas.setCursor(Qt.CursorShape.BlankCursor if full_screen else Qt.CursorShape.ArrowCursor)
        if full_screen:
            self.setGeometry(screen.geometry())
            self.showFullScreen()
        else:
            self.setGeometry(_compute_centred_area(screen.availableGeometry()))
            self.show()

    def toggle_full_screen(self) -> None:
        self.move_to_display(self.screen(), full_screen=not self.isFullScreen())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        modifiers = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if key == Qt.Key.Key_F11:
            self.toggle_full_screen()
        elif key == Qt.Key.Key_Escape and not self._show.message:
            self._leave_full_screen_or_close()
        elif key == Qt.Key.Key_F9 and modifiers == Qt.KeyboardModifier.ControlModifier:
            self.close()
        elif event.text().upper() == ANNOUNCE and not modifiers:
            self.announcement_requested.emit()
        elif not control_slides_by_key(self._show, event):
            super().keyPressEvent(event)

    def _leave_full_screen_or_close(self) -> None:
        if self.isFullScreen() and len(QGuiApplication.screens()) == 1:
            self.toggle_full_screen()
        else:
            self.close()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


class RoomDisplay(SessionService):
    """Opens the window for the venue. Closes it when the tournament closes."""

    changed = Signal()  # opened, closed or moved to another display
    announcement_requested = Signal()  # requested in the room window

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._main: QWidget | None = None
        self.window: RoomWindow | None = None
        session.opened.connect(self.close_window)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.screenRemoved.connect(self._leave_full_screen_on_last_display)
            application.screenAdded.connect(self.changed)

    def open_window(self, main: QWidget) -> RoomWindow:
        """Open the window in full screen on a second display. Without one, open a small window near `main`."""
        if self._main is not main:
            self._main = main
            main.installEventFilter(self)
        if self.window is None:
            show = SlideShow.get_or_make_service(self._session)
            show.reduced = has_user_disabled_animations()
            self.window = RoomWindow(show)
            self.window.closed.connect(self._delete_closed_window)
            self.window.resized.connect(self.changed)
            self.window.announcement_requested.connect(self.announcement_requested)
        other_display = self._find_other_display(main)
        self.window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, other_display is not None)
        self.window.move_to_display(other_display or main.screen(), full_screen=other_display is not None)
        if other_display is None:
            self.window.activateWindow()
        else:
            main.activateWindow()
        self.changed.emit()
        return self.window

    def move_to_next_display(self) -> None:
        if self.window is not None:
            screens = QGuiApplication.screens()
            self.window.move_to_display(
                screens[(screens.index(self.window.screen()) + 1) % len(screens)], full_screen=True
            )
            self.changed.emit()

    def close_window(self) -> None:
        if self.window is not None:
            self.window.close()

    @property
    def current_display(self) -> QScreen | None:
        return self.window.screen() if self.window is not None else None

    def _find_other_display(self, main: QWidget) -> QScreen | None:
        """Return a display without `main`, preferably without a full-screen window."""
        other_displays = [screen for screen in QGuiApplication.screens() if screen != main.screen()]
        windows = [
            widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget.isFullScreen()
        ]
        full_displays = {window.screen() for window in windows if window is not self.window}
        return next(
            (screen for screen in other_displays if screen not in full_displays), next(iter(other_displays), None)
        )

    def _leave_full_screen_on_last_display(self, _screen: QScreen) -> None:
        """Shrink the room window if it would cover the main window on the only display."""
        remaining_displays = QGuiApplication.screens()
        if self.window is not None and self._main is not None and len(remaining_displays) == 1:
            self.window.move_to_display(remaining_displays[0], full_screen=False)
        self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._main and event.type() is QEvent.Type.Close:
            self.close_window()
        return super().eventFilter(watched, event)

    def _delete_closed_window(self) -> None:
        if self.window is not None:
            self.window.deleteLater()
            self.window = None
            if self._main is not None and self._main.isVisible():
                self._main.activateWindow()
            self.changed.emit()


def _compute_centred_area(available: QRect) -> QRect:
    width, height = min(_SMALL[0], available.width()), min(_SMALL[1], available.height())
    left, top = (available.width() - width) // 2, (available.height() - height) // 2
    return QRect(available.left() + left, available.top() + top, width, height)
