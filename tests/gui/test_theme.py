"""Looks: everything can be read, in every scheme, and changes at once."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import combinations
from math import dist
from operator import mul

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.domain.model import ResultState, RoundState
from tdapp.domain.tables.players import CheckInState
from tdapp.gui.shell.bottom_bar import BottomBar, SaveStateLabel
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.fields import Choice, rich_label
from tdapp.gui.widgets.table_view import STATE_SHAPES
from tdapp.gui.widgets.theme import COLOURS, FAMILY, Appearance, make_scaled_font
from tdapp.pairing.clinch_bounds import PrizeStatus
from tdapp.reports.printed import PrintState
from tdapp.scrabble.wordlist import WordVerdict
from tests.gui.samples import RESOURCES

pytestmark = pytest.mark.styled

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
def test_colours_of_text_are_readable(scheme: str, tone: str, ground: str) -> None:
    colours = COLOURS[scheme]
    assert contrast(getattr(colours, tone), getattr(colours, ground)) >= 4.5


@pytest.mark.parametrize("scheme", COLOURS)
def test_colours_of_disabled_text_differ(scheme: str) -> None:
    assert contrast(COLOURS[scheme].off, COLOURS[scheme].text) >= 3


def test_choose_scheme_changes_while_running(appearance: Appearance) -> None:
    light = QApplication.palette().window().color()
    appearance.choose_scheme("dark")
    assert appearance.is_dark
    assert QApplication.palette().window().color() != light
    assert QApplication.palette().window().color() == QColor(COLOURS["dark"].window)
    appearance.choose_scheme("light")
    assert QApplication.palette().window().color() == light


def test_make_icon_uses_the_given_colour(appearance: Appearance) -> None:
    image = appearance.make_icon("rounds", "red").pixmap(20, 20).toImage()
    colours = [image.pixelColor(x, y) for x in range(20) for y in range(20)]
    strongest = max(colours, key=QColor.alpha)
    assert strongest.alpha() > 150
    red = QColor(COLOURS["light"].red)
    assert abs(strongest.red() - red.red()) < 4
    assert abs(strongest.blue() - red.blue()) < 4


@pytest.mark.parametrize("path", sorted((RESOURCES / "icons").glob("*.svg")), ids=lambda path: path.stem)
def test_make_icon_draws_every_icon(appearance: Appearance, path: object) -> None:
    image = appearance.make_icon(getattr(path, "stem", "")).pixmap(20, 20).toImage()
    assert any(image.pixelColor(x, y).alpha() for x in range(20) for y in range(20))


def test_font_is_that_of_the_program(appearance: Appearance) -> None:
    assert appearance.scheme == "light"
    assert make_scaled_font(13).family() == FAMILY
    assert make_scaled_font(13).exactMatch()


def test_links_follow_the_scheme(appearance: Appearance, qtbot: QtBot) -> None:
    note = rich_label()
    qtbot.addWidget(note)
    note.setText('<a href="x">Anna</a>')
    note.resize(200, 40)
    note.grab()  # it is read
    appearance.choose_scheme("contrast")
    image = note.grab().toImage()
    drawn = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    assert any(one.name() == COLOURS["contrast"].accent for one in drawn)


def test_save_state_follows_the_scheme(session: Session, qtbot: QtBot) -> None:
    bar = BottomBar(session)
    qtbot.addWidget(bar)
    bar.refresh_bar()
    session.appearance.choose_scheme("contrast")
    saved, tick = (
        bar.findChild(SaveStateLabel),
        session.appearance.make_icon("saved", "green").pixmap(QSize(16, 16)),
    )
    assert saved is not None
    assert saved._icon.pixmap().toImage() == tick.toImage()


@pytest.mark.parametrize("scheme", COLOURS)
def test_choice_list_follows_the_scheme(appearance: Appearance, qtbot: QtBot, scheme: str) -> None:
    appearance.choose_scheme(scheme)
    box = Choice("Show", [(1, "One"), (2, "Two")], appearance, value=2)
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


# Vision without red, green or blue cones: Machado, Oliveira and Fernandes 2009, table 1, severity 1.0.
BLIND = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def lab(colour: str, matrix: Sequence[Sequence[float]]) -> list[float]:
    """Return a colour in CIELAB as it is seen through `matrix`."""
    parts = [linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5)]
    seen = [min(max(sum(map(mul, row, parts)), 0.0), 1.0) for row in matrix]
    white = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0178, 0.1095, 0.8728))  # D65, whose sums are 1
    x, y, z = (one ** (1 / 3) if one > 0.008856 else 7.787 * one + 16 / 116
               for one in (sum(map(mul, row, seen)) for row in white))  # fmt: skip
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


@pytest.mark.parametrize("scheme", COLOURS)
@pytest.mark.parametrize("blind", BLIND)
def test_board_colours_differ_for_the_colour_blind(scheme: str, blind: str) -> None:
    grounds = ("word_3", "word_2", "letter_3", "letter_2", "surface")
    seen = [lab(getattr(COLOURS[scheme], one), BLIND[blind]) for one in grounds]
    assert min(dist(one, other) for one, other in combinations(seen, 2)) > 10


@pytest.mark.parametrize("kind", [ResultState, RoundState, WordVerdict, PrintState, CheckInState, PrizeStatus])
def test_shapes_of_states_differ_within_a_column(kind: type[StrEnum]) -> None:
    shapes = [STATE_SHAPES[one.value][0] for one in kind if one.value in STATE_SHAPES]
    assert len({*shapes}) == len(shapes) > 1
