"""Looks: everything can be read, in every scheme, and changes at once."""

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.gui.shell.bottom_bar import BottomBar, Saved
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.fields import Choice, rich
from tdapp.gui.widgets.theme import COLOURS, FAMILY, Look, font
from tests.gui.samples import RESOURCES

READ = [
    (tone, ground)
    for tone in ("text", "muted", "accent", "amber", "red", "green")
    for ground in ("window", "surface", "sunken")
] + [
    ("on_accent", "accent"),
    ("on_accent", "accent_strong"),
    ("text", "accent_soft"),
    ("amber", "amber_soft"),
    ("red", "red_soft"),
    ("text", "red_soft"),
    ("green", "green_soft"),
    *(("text", ground) for ground in ("word_3", "word_2", "letter_3", "letter_2")),
    ("surface", "text"),
]


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def luminance(colour: QColor) -> float:
    """As WCAG 2.2 defines it."""
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(QColor(one)), luminance(QColor(other))))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_and_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("scheme", COLOURS)
@pytest.mark.parametrize(("tone", "ground"), READ)
def test_text_can_be_read(scheme: str, tone: str, ground: str) -> None:
    colours = COLOURS[scheme]
    assert contrast(getattr(colours, tone), getattr(colours, ground)) >= 4.5


@pytest.mark.parametrize("scheme", COLOURS)
def test_what_cannot_be_done_is_told_from_what_can(scheme: str) -> None:
    assert contrast(COLOURS[scheme].off, COLOURS[scheme].text) >= 3


def test_the_scheme_changes_while_running(look: Look) -> None:
    light = QApplication.palette().window().color()
    look.choose("dark")
    assert look.dark
    assert QApplication.palette().window().color() != light
    assert QApplication.palette().window().color() == QColor(COLOURS["dark"].window)
    look.choose("light")
    assert QApplication.palette().window().color() == light


def test_icons_take_the_colour_they_are_asked_in(look: Look) -> None:
    image = look.icon("rounds", "red").pixmap(20, 20).toImage()
    colours = [image.pixelColor(x, y) for x in range(20) for y in range(20)]
    strongest = max(colours, key=QColor.alpha)
    assert strongest.alpha() > 150
    red = QColor(COLOURS["light"].red)
    assert abs(strongest.red() - red.red()) < 4
    assert abs(strongest.blue() - red.blue()) < 4


@pytest.mark.parametrize("path", sorted((RESOURCES / "icons").glob("*.svg")), ids=lambda path: path.stem)
def test_every_icon_can_be_drawn(look: Look, path: object) -> None:
    image = look.icon(getattr(path, "stem", "")).pixmap(20, 20).toImage()
    assert any(image.pixelColor(x, y).alpha() for x in range(20) for y in range(20))


def test_the_programs_own_font_is_used(look: Look) -> None:
    assert look.scheme == "light"
    assert font(13).family() == FAMILY
    assert font(13).exactMatch()


def test_links_follow_the_scheme(look: Look, qtbot: QtBot) -> None:
    note = rich()
    qtbot.addWidget(note)
    note.setText('<a href="x">Anna</a>')
    note.resize(200, 40)
    note.grab()  # it is read
    look.choose("contrast")
    image = note.grab().toImage()
    drawn = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    assert any(one.name() == COLOURS["contrast"].accent for one in drawn)


def test_that_all_is_saved_follows_the_scheme(session: Session, qtbot: QtBot) -> None:
    bar = BottomBar(session)
    qtbot.addWidget(bar)
    bar.refresh()
    session.look.choose("contrast")
    saved, tick = bar.findChild(Saved), session.look.icon("saved", "green").pixmap(QSize(16, 16))
    assert saved is not None
    assert saved._icon.pixmap().toImage() == tick.toImage()


@pytest.mark.parametrize("scheme", COLOURS)
def test_the_list_of_a_choice_is_drawn_like_the_rest(look: Look, qtbot: QtBot, scheme: str) -> None:
    look.choose(scheme)
    box = Choice("Show", [(1, "One"), (2, "Two")], look, value=2)
    qtbot.addWidget(box)
    view = box.view()
    row = view.model().index(1, 0)
    view.setCurrentIndex(row)
    view.window().resize(200, 100)
    view.window().ensurePolished()
    view.window().grab()  # it is laid out
    at = view.visualRect(row)
    painted = view.viewport().grab().toImage().pixelColor(at.center() + QPoint(at.width() // 3, 0))
    assert painted.name() == QColor(COLOURS[scheme].accent_soft).name()
    assert at.height() >= 28
