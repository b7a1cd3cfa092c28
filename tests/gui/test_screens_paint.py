"""Tests of painted slides: text sizes, long names, painted parts of every view, and the clock."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QFontInfo, QImage, QPainter
from PySide6.QtWidgets import QApplication

from tdapp.domain import commands
from tdapp.domain.round_clock import ClockState
from tdapp.gui.screens.paint import DisplayedRoundClock, ScenePainter, SlideScene
from tdapp.gui.screens.paint_pictures import (
    NAME,
    find_largest_fitting_font,
    fit_name_to_area,
    fit_text_to_width,
    make_slide_font,
    measure_width,
    shorten_first_names,
)
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.slides import DisplayProgramme, DisplayView, Slide, make_slides
from tdapp.reports.logo import convert_photo_to_base64
from tests.gui.samples import make_tournament
from tests.i18n.test_slides import CATALOGUE, make_knockout, play_rounds
from tests.services.test_photos import make_picture

SIZES = [(1920, 1080), (1280, 720), (1024, 768)]
LONG_NAME = "Schmidt-Wiesenhütter, Maximilian Alexander"
RUNNING = DisplayedRoundClock("24:10", ClockState.RUNNING, "Running")


def paint_scene(scene: SlideScene, size: tuple[int, int]) -> QImage:
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(QColor("magenta"))
    painter = QPainter(image)
    scene_painter = ScenePainter(painter, QSizeF(*size), scene, CATALOGUE)
    scene_painter.paint_fixed_parts()
    scene_painter.paint_moving_parts()
    painter.end()
    return image


def measure_ink(image: QImage, part: tuple[float, float, float, float]) -> float:
    """Return the share of differing points in a part (left, top, right, bottom: 0 to 1) of an image."""
    width, height = image.width(), image.height()
    background = image.pixelColor(2, 2).lightness()
    points = [
        (x, y)
        for x in range(int(part[0] * width), int(part[2] * width), 3)
        for y in range(int(part[1] * height), int(part[3] * height), 3)
    ]
    return sum(abs(image.pixelColor(*point).lightness() - background) > 60 for point in points) / len(points)


def make_newest_slide(view: DisplayView) -> Slide:
    value = (
        play_rounds(make_knockout(8, rounds=3), 1)
        if view is DisplayView.BRACKET
        else play_rounds(make_tournament(players=24), 1)
    )
    return make_slides(value, DisplayProgramme(view), CATALOGUE)[-1]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("black", [True, False])
@pytest.mark.parametrize("view", list(DisplayView))
def test_scene_painter_paints_every_view(
    appearance: Appearance, view: DisplayView, black: bool, size: tuple[int, int]
) -> None:
    image = paint_scene(SlideScene(make_newest_slide(view), RUNNING, black=black, remaining_share=0.5), size)
    assert image.pixelColor(2, 2) == QColor("#000000" if black else "#ffffff")
    assert measure_ink(image, (0.04, 0.16, 0.96, 0.9)) > 0.01
    assert measure_ink(image, (0.0, 0.992, 0.48, 1.0)) == 1.0, "the bar does not show half of the time"
    assert measure_ink(image, (0.52, 0.992, 1.0, 1.0)) == 0.0
    magenta = QColor("magenta")
    assert not any(image.pixelColor(x, y) == magenta for x in range(0, size[0], 7) for y in range(0, size[1], 7))


@pytest.mark.parametrize("view", [view for view in DisplayView if view is not DisplayView.CLOCK])
def test_scene_painter_shows_the_clock_in_the_corner(appearance: Appearance, view: DisplayView) -> None:
    slide = make_newest_slide(view)
    for message in ("", "Lunch"):
        running = paint_scene(SlideScene(slide, RUNNING, message), SIZES[0])
        nearly_over = paint_scene(
            SlideScene(slide, DisplayedRoundClock("4:09", ClockState.SOON, "Nearly over"), message), SIZES[0]
        )
        corner = (0.75, 0.0, 1.0, 0.15)
        assert measure_ink(running, corner) > 0.05
        assert running.copy(1440, 0, 480, 160) != nearly_over.copy(1440, 0, 480, 160)


@pytest.mark.parametrize("state", [ClockState.READY, ClockState.PAUSED, ClockState.OVER])
def test_scene_painter_shows_no_idle_clock_in_a_ceremony(appearance: Appearance, state: ClockState) -> None:
    image = paint_scene(
        SlideScene(make_newest_slide(DisplayView.PRIZES), DisplayedRoundClock("60:00", state, "Not started")),
        SIZES[0],
    )
    assert measure_ink(image, (0.75, 0.0, 1.0, 0.15)) == 0.0


def test_scene_painter_shows_the_photo_of_a_winner(appearance: Appearance) -> None:
    value = play_rounds(make_tournament(players=24), 1)
    photo = convert_photo_to_base64(make_picture("lime"), "x")
    value_with_photos = commands.set_photos(value, photos=tuple((player, photo) for player in value.players))
    plain_image, photo_image = (
        paint_scene(
            SlideScene(make_slides(tournament, DisplayProgramme(DisplayView.PRIZES), CATALOGUE)[-1], RUNNING),
            SIZES[0],
        )
        for tournament in (value, value_with_photos)
    )
    green = [photo_image.pixelColor(x, y).green() > 200 > photo_image.pixelColor(x, y).red() + 100
             for x in range(0, 700, 5) for y in range(100, 600, 5)]  # fmt: skip
    assert sum(green) > 2000
    assert plain_image != photo_image


def test_scene_painter_covers_the_slide_with_an_announcement(appearance: Appearance) -> None:
    standings, tables = make_newest_slide(DisplayView.STANDINGS), make_newest_slide(DisplayView.TABLES)
    first, second = (paint_scene(SlideScene(slide, RUNNING, "Lunch"), SIZES[1]) for slide in (standings, tables))
    assert first == second


@pytest.mark.parametrize("width", [40, 120, 250, 400, 600, 1200])
@pytest.mark.parametrize("name", ["Li, An", LONG_NAME, "Maximilian Alexander von Hohenlohe-Langenburg", "#12"])
def test_fit_text_to_width_keeps_names_large_and_within_their_width(
    appearance: Appearance, name: str, width: int
) -> None:
    least = 1080 * NAME
    text, font = fit_text_to_width(name, width, usual=60, least=least, short=shorten_first_names(name))
    assert font.pixelSize() >= round(least) == 43
    assert measure_width(text, font) <= width
    assert text


def test_fit_text_to_width_keeps_the_family_name_of_a_long_name(appearance: Appearance) -> None:
    full_width = measure_width(LONG_NAME, make_slide_font(43, narrow=True))
    fit_long_name = partial(fit_text_to_width, LONG_NAME, usual=60, least=43, short=shorten_first_names(LONG_NAME))
    assert fit_long_name(full_width + 1)[0] == LONG_NAME
    assert fit_long_name(full_width - 1)[0] == "Schmidt-Wiesenhütter, M. A."
    assert fit_long_name(200)[0].startswith("Schmidt")
    assert fit_long_name(200)[0].endswith("…")


def test_fit_text_to_width_keeps_the_suffix_of_equal_names(appearance: Appearance) -> None:
    name = "Maximilian von Hohenlohe-Langenburg (14)"
    text, font = fit_text_to_width(name, 500, usual=60, least=43, short=shorten_first_names(name))
    assert text.startswith("M. von Hohen")
    assert text.endswith("… (14)")
    assert measure_width(text, font) <= 500


def test_fit_name_to_area_uses_two_lines_if_they_fit(appearance: Appearance) -> None:
    name, least = "García Márquez y Fernández de Córdoba, Bob", 720 * NAME
    for height, count in ((47, 1), (66, 2)):
        lines, font = fit_name_to_area(name, QRectF(0, 0, 454, height), usual=41, least=least)
        assert len(lines) == count
        assert font.pixelSize() >= round(least)
        assert all(measure_width(line, font) <= 454 for line in lines)
        assert (" ".join(lines) == name) == (count == 2)
    assert fit_name_to_area("Li, An", QRectF(0, 0, 454, 66), usual=41, least=least)[0] == ("Li, An",)


def test_fit_text_to_width_cuts_other_texts_without_initials(appearance: Appearance) -> None:
    text, _ = fit_text_to_width("Winner of the first quarterfinal", 300, usual=60, least=43)
    assert text.startswith("Winner of")
    assert text.endswith("…")


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Müller, Jan Willem", "Müller, J. W."),
        ("Jan Willem Müller", "J. W. Müller"),
        ("Müller", "Müller"),
        ("van Dam, Jan Willem", "van Dam, J. W."),
        ("Dam, Jan Willem van", "Dam, J. W. van"),
        ("Ingrid von und zu Guttenberg", "I. von und zu Guttenberg"),
        ("Nils Großmann (14)", "N. Großmann (14)"),
        ("Li, Anna (Scrabble Club Delft)", "Li, A. (Scrabble Club Delft)"),
        ("#12", "#12"),
        ("", ""),
    ],
)
def test_shorten_first_names_makes_initials(name: str, short: str) -> None:
    assert shorten_first_names(name) == short


def test_make_slide_font_has_a_narrow_face(appearance: Appearance) -> None:
    assert QFontInfo(make_slide_font(40, narrow=True)).family() != QFontInfo(make_slide_font(40)).family()
    assert measure_width(LONG_NAME, make_slide_font(40, narrow=True)) < 0.95 * measure_width(
        LONG_NAME, make_slide_font(40)
    )


@pytest.mark.parametrize(
    "text", ["Lunch", "Please leave the boards as they are. " * 12, "Donaudampfschifffahrt" * 3]
)
def test_find_largest_fitting_font_fits_an_announcement(
    appearance: Appearance, qapp: QApplication, text: str
) -> None:
    area = QRectF(0, 0, 1600, 800)
    font = find_largest_fitting_font(text, area, most=200, least=20)
    assert 20 <= font.pixelSize() <= 200
    longest = max(measure_width(word, font) for word in text.split())
    assert longest <= area.width() or font.pixelSize() == 20
