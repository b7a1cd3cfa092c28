"""Draws the scenes of the gallery: one PNG for each scene, and an HTML page with all pictures."""

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
from tests.gallery.data import create_desk
from tests.gallery.scenes import SCENES, Scene, process_events, show_scene
from tests.gui.samples import RESOURCES, make_session


class Setting(Struct, frozen=True):
    """Options of the window in the pictures."""

    language: str = "en"
    scheme: str = "light"
    size: tuple[int, int] = (1440, 900)
    data: str = "typical"
    text: int = 100  # per cent
    inline: bool = True  # run background work in the window's thread
    steps: int = 0  # additional steps in the history: corrected results


@contextmanager
def open_window(setting: Setting, *, without_tournament: bool) -> Iterator[Window]:
    """Show a window with the data, or without a tournament. Close it at the end."""
    with tempfile.TemporaryDirectory() as folder:
        settings = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        appearance = Appearance(RESOURCES, scheme=setting.scheme, size=setting.text)
        appearance.apply_style()
        theme.store_text_size(settings, setting.text)
        session = make_session(setting.language, appearance, settings, inline=setting.inline)
        window = Window(session)
        window.resize(*setting.size)
        if not without_tournament:
            session.open_tournament_of_desk(create_desk(setting.data, Path(folder), steps=setting.steps))
        window.show()
        window.activateWindow()
        process_events()
        try:
            yield window
        finally:
            close_window(window)
            appearance.set_text_size(100)


def close_window(window: Window) -> None:
    window._may_lose_text = True
    window.close()
    window.session.close()
    window.session.work.close()
    window.deleteLater()
    process_events()


def show_scenes(
    setting: Setting, scenes: Sequence[Scene] = SCENES
) -> Generator[tuple[Window, Scene, QWidget | None]]:
    """Open each scene. Yield window, scene and widget. The widget is None if the scene is not available."""
    for scene in (scene for scene in scenes if scene.without_tournament):
        with open_window(setting, without_tournament=True) as window, show_scene(window, scene) as shown_widget:
            yield window, scene, shown_widget
    with open_window(setting, without_tournament=False) as window:
        for scene in (scene for scene in scenes if not scene.without_tournament):
            with show_scene(window, scene) as shown_widget:
                yield window, scene, shown_widget


def is_blank(image: QImage) -> bool:
    """Return whether a picture has fewer than 12 colours."""
    small = image.scaled(160, 100)
    colours = {small.pixel(x, y) for x in range(small.width()) for y in range(small.height())}
    return len(colours) < 12


def render_scenes(target: Path, setting: Setting, *, only: str = "") -> list[str]:
    """Write the pictures and `index.html`. Return the names of unavailable scenes."""
    application = start.make_application()
    load_fonts(RESOURCES / "fonts")
    translate_qt_texts(application, setting.language, RESOURCES / "locale")
    application.processEvents()
    target.mkdir(parents=True, exist_ok=True)
    missing_names, drawn_names = [], []
    for _window, scene, shown_widget in show_scenes(setting, [scene for scene in SCENES if only in scene.name]):
        if shown_widget is None:
            missing_names.append(scene.name)
        else:
            shown_widget.grab().save(str(target / f"{scene.name}.png"))
            drawn_names.append(scene.name)
    (target / "index.html").write_text(make_index_page(setting, drawn_names, missing_names), encoding="utf-8")
    return missing_names


def make_index_page(setting: Setting, drawn_names: Sequence[str], missing_names: Sequence[str]) -> str:
    title = f"tdapp · {setting.data} · {setting.language} · {setting.scheme} · {setting.size[0]}×{setting.size[1]}"
    cells = "".join(
        f'<figure id="{name}"><a href="{name}.png"><img loading="lazy" src="{name}.png" alt="{name}"></a>'
        f"<figcaption>{name}</figcaption></figure>"
        for name in map(escape, drawn_names)
    )
    missing_text = f"Not available with these data: {escape(', '.join(missing_names))}" if missing_names else ""
    return PAGE_TEMPLATE.substitute(title=title, cells=cells, missing=missing_text)


PAGE_TEMPLATE = Template("""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>$title</title>
<style>
body { font: 15px sans-serif; margin: 24px; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(440px, 1fr)); gap: 24px; }
figure { margin: 0; }
img { width: 100%; border: 1px solid #bbb; }
</style>
<h1>$title</h1><p>$missing</p><main>$cells</main></html>
""")
