"""Tests of the colour schemes: readable contrast, icons, and changes at run time."""

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
from tdapp.gui.shell.bottom_bar import BottomBar
from tdapp.gui.shell.save_state_label import SaveStateLabel
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.fields import Choice, make_rich_text_label
from tdapp.gui.widgets.table_view import STATE_SHAPES
from tdapp.gui.widgets.theme import COLOURS, FAMILY, Appearance, make_scaled_font
from tdapp.pairing.clinch_bounds import PrizeStatus
from tdapp.reports.printed import PrintoutState
from tdapp.scrabble.wordlist import WordVerdict
from tests.gui.samples import RESOURCES

pytestmark = pytest.mark.styled

TEXT_COLOUR_PAIRS = [
    (tone, background)
    for tone in ("text", "muted", "accent", "amber", "red", "green")
    for background in ("window", "surface", "sunken")
] + [
    ("on_accent", "accent"),
    ("on_accent", "accent_strong"),
    ("text", "accent_soft"),
    ("amber", "amber_soft"),
    ("red", "red_soft"),
    ("text", "red_soft"),
    ("green", "green_soft"),
    *(("text", background) for background in ("word_3", "word_2", "letter_3", "letter_2")),
    ("surface", "text"),
]


def linearise_channel(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def compute_luminance(colour: QColor) -> float:
    """Return the relative luminance as WCAG 2.2 defines it."""
    return (
        0.2126 * linearise_channel(colour.redF())
        + 0.7152 * linearise_channel(colour.greenF())
        + 0.0722 * linearise_channel(colour.blueF())
    )


def compute_contrast(first_colour: str, second_colour: str) -> float:
    low, high = sorted((compute_luminance(QColor(first_colour)), compute_luminance(QColor(second_colour))))
    return (high + 0.05) / (low + 0.05)


def test_compute_contrast_of_black_and_white_is_21() -> None:
    assert compute_contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("scheme", COLOURS)
@pytest.mark.parametrize(("tone", "background"), TEXT_COLOUR_PAIRS)
def test_text_colours_are_readable(scheme: str, tone: str, background: str) -> None:
    colours = COLOURS[scheme]
    assert compute_contrast(getattr(colours, tone), getattr(colours, background)) >= 4.5


@pytest.mark.parametrize("scheme", COLOURS)
def test_disabled_text_colour_differs_from_text_colour(scheme: str) -> None:
    assert compute_contrast(COLOURS[scheme].off, COLOURS[scheme].text) >= 3


def test_choose_scheme_changes_while_running(appearance: Appearance) -> None:
    light = QApplication.palette().window().color()
    appearance.set_colour_scheme("dark")
    assert appearance.has_dark_background
    assert QApplication.palette().window().color() != light
    assert QApplication.palette().window().color() == QColor(COLOURS["dark"].window)
    appearance.set_colour_scheme("light")
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


def test_make_scaled_font_uses_the_font_of_the_program(appearance: Appearance) -> None:
    assert appearance.scheme == "light"
    assert make_scaled_font(13).family() == FAMILY
    assert make_scaled_font(13).exactMatch()


def test_rich_label_links_follow_the_scheme(appearance: Appearance, qtbot: QtBot) -> None:
    note = make_rich_text_label()
    qtbot.addWidget(note)
    note.setText('<a href="x">Anna</a>')
    note.resize(200, 40)
    note.grab()  # Qt caches the link colour at the first painting
    appearance.set_colour_scheme("contrast")
    image = note.grab().toImage()
    colours = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    assert any(colour.name() == COLOURS["contrast"].accent for colour in colours)


def test_save_state_label_follows_the_scheme(session: Session, qtbot: QtBot) -> None:
    bar = BottomBar(session)
    qtbot.addWidget(bar)
    bar.refresh_bar()
    session.appearance.set_colour_scheme("contrast")
    saved, tick = (
        bar.findChild(SaveStateLabel),
        session.appearance.make_icon("saved", "green").pixmap(QSize(16, 16)),
    )
    assert saved is not None
    assert saved._icon.pixmap().toImage() == tick.toImage()


@pytest.mark.parametrize("scheme", COLOURS)
def test_choice_list_follows_the_scheme(appearance: Appearance, qtbot: QtBot, scheme: str) -> None:
    appearance.set_colour_scheme(scheme)
    box = Choice("Show", [(1, "One"), (2, "Two")], appearance, value=2)
    qtbot.addWidget(box)
    view = box.view()
    row = view.model().index(1, 0)
    view.setCurrentIndex(row)
    view.window().resize(200, 100)
    view.window().ensurePolished()
    view.window().grab()  # the first painting computes the layout
    row_rect = view.visualRect(row)
    background = view.viewport().grab().toImage().pixelColor(row_rect.center() + QPoint(row_rect.width() // 3, 0))
    assert background.name() == QColor(COLOURS[scheme].accent_soft).name()
    assert row_rect.height() >= 28


# Vision without red, green or blue cones: Machado, Oliveira and Fernandes 2009, table 1, severity 1.0.
COLOUR_BLINDNESS_MATRICES = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def convert_to_cielab(colour: str, matrix: Sequence[Sequence[float]]) -> list[float]:
    """Return a colour in CIELAB after the colour vision of `matrix`."""
    channels = [linearise_channel(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5)]
    visible_channels = [min(max(sum(map(mul, row, channels)), 0.0), 1.0) for row in matrix]
    # white point D65; each row sums to 1
    white = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0178, 0.1095, 0.8728))
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116
               for value in (sum(map(mul, row, visible_channels)) for row in white))  # fmt: skip
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


@pytest.mark.parametrize("scheme", COLOURS)
@pytest.mark.parametrize("colour_blindness", COLOUR_BLINDNESS_MATRICES)
def test_board_colours_differ_for_the_colour_blind(scheme: str, colour_blindness: str) -> None:
    backgrounds = ("word_3", "word_2", "letter_3", "letter_2", "surface")
    visible_colours = [
        convert_to_cielab(getattr(COLOURS[scheme], background), COLOUR_BLINDNESS_MATRICES[colour_blindness])
        for background in backgrounds
    ]
    assert min(dist(first, second) for first, second in combinations(visible_colours, 2)) > 10


@pytest.mark.parametrize(
    "state_type", [ResultState, RoundState, WordVerdict, PrintoutState, CheckInState, PrizeStatus]
)
def test_state_shapes_differ_within_a_column(state_type: type[StrEnum]) -> None:
    shapes = [STATE_SHAPES[state.value][0] for state in state_type if state.value in STATE_SHAPES]
    assert len({*shapes}) == len(shapes) > 1
