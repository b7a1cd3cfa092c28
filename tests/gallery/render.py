"""Draws scenes: a window without a screen, one PNG for each, and a page that shows them all."""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path
from string import Template

from msgspec import Struct
from PySide6.QtCore import QSettings
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from tdapp.gui.shell import start
from tdapp.gui.shell.qt_texts import translate_qt_texts
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets import theme
from tdapp.gui.widgets.theme import Appearance, load_fonts
from tests.gallery.data import desk_of
from tests.gallery.scenes import SCENES, Scene, settle, staged
from tests.gui.samples import RESOURCES, make_session


class Setting(Struct, frozen=True):
    """Options of the pictures."""

    language: str = "en"
    scheme: str = "light"
    size: tuple[int, int] = (1440, 900)
    data: str = "typical"
    text: int = 100  # per cent
    inline: bool = True  # the work of other threads is done in the window's own
    steps: int = 0  # in the history, corrected results


@contextmanager
def opened(setting: Setting, *, without: bool) -> Iterator[Window]:
    """Show a window on the data, or without a tournament; take it away again."""
    with tempfile.TemporaryDirectory() as folder:
        settings = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        appearance = Appearance(RESOURCES, scheme=setting.scheme, size=setting.text)
        appearance.apply_style()
        theme.store_text_size(settings, setting.text)
        session = make_session(setting.language, appearance, settings, inline=setting.inline)
        window = Window(session)
        window.resize(*setting.size)
        if not without:
            session.attach_desk(desk_of(setting.data, Path(folder), steps=setting.steps))
        window.show()
        window.activateWindow()
        settle()
        try:
            yield window
        finally:
            _take_away(window)
            appearance.set_text_size(100)


def _take_away(window: Window) -> None:
    window._may_lose_text = True
    window.close()
    window.session.close()
    window.session.work.close()
    window.deleteLater()
    settle()


def walk(setting: Setting, scenes: Sequence[Scene] = SCENES) -> Generator[tuple[Window, Scene, QWidget | None]]:
    """Open the scenes one by one; yield window, scene and widget, or None if it is not available."""
    for scene in (scene for scene in scenes if scene.without):
        with opened(setting, without=True) as window, staged(window, scene) as shown_widget:
            yield window, scene, shown_widget
    with opened(setting, without=False) as window:
        for scene in (scene for scene in scenes if not scene.without):
            with staged(window, scene) as shown_widget:
                yield window, scene, shown_widget


def is_blank(image: QImage) -> bool:
    """Return whether a picture is empty: almost a single colour."""
    small = image.scaled(160, 100)
    colours = {small.pixel(x, y) for x in range(small.width()) for y in range(small.height())}
    return len(colours) < 12


def render(target: Path, setting: Setting, *, only: str = "") -> list[str]:
    """Write the pictures and `index.html`; return the names of the scenes that the data do not offer."""
    application = start.make_application()
    load_fonts(RESOURCES / "fonts")
    translate_qt_texts(application, setting.language, RESOURCES / "locale")
    application.processEvents()
    target.mkdir(parents=True, exist_ok=True)
    missing, drawn_names = [], []
    for _window, scene, shown_widget in walk(setting, [scene for scene in SCENES if only in scene.name]):
        if shown_widget is None:
            missing.append(scene.name)
        else:
            shown_widget.grab().save(str(target / f"{scene.name}.png"))
            drawn_names.append(scene.name)
    (target / "index.html").write_text(_index(setting, drawn_names, missing), encoding="utf-8")
    return missing


def _index(setting: Setting, drawn_names: Sequence[str], missing: Sequence[str]) -> str:
    title = f"tdapp · {setting.data} · {setting.language} · {setting.scheme} · {setting.size[0]}×{setting.size[1]}"
    cells = "".join(
        f'<figure id="{name}"><a href="{name}.png"><img loading="lazy" src="{name}.png" alt="{name}"></a>'
        f"<figcaption>{name}</figcaption></figure>"
        for name in map(escape, drawn_names)
    )
    without = f"Not offered on these data: {escape(', '.join(missing))}" if missing else ""
    return _PAGE.substitute(title=title, cells=cells, without=without)


_PAGE = Template("""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>$title</title>
<style>
body { font: 15px sans-serif; margin: 24px; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(440px, 1fr)); gap: 24px; }
figure { margin: 0; }
img { width: 100%; border: 1px solid #bbb; }
</style>
<h1>$title</h1><p>$without</p><main>$cells</main></html>
""")
