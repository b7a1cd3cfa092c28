"""Tests of printed names in many scripts: shaping, text direction and missing letters."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pypdfium2
import pytest

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.i18n import Catalogue
from tdapp.reports import ReportContext, load_style, render_report, shaping
from tdapp.reports.printed import describe_missing_letters, list_players_with_unprintable_letters
from tdapp.reports.shaping import order_text_runs
from tests import building
from tests.reports import sample_tournament

NAMES = (
    "محمد عبد الله",
    "דוד בן־גוריון",
    "王小明",
    "김민수",
    "สมชาย ใจดี",
    "राहुल श्रीवास्तव",
    "علی‌رضا",
    "Łukasz Żółć",
)
PRINTED = datetime(2026, 11, 28, 7, 40, tzinfo=UTC)


@pytest.fixture
def font_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """Replace the font folders by one with a few letters of each script, and a missing one."""
    folders = [Path(__file__).parent / "fonts", tmp_path / "none"]
    monkeypatch.setattr(shaping, "list_font_folders", lambda: folders)
    shaping._find_font.cache_clear()
    yield folders
    shaping._find_font.cache_clear()


def make_context(*names: str) -> ReportContext:
    value = building.make_event(max(2, len(names)))
    for number, name in enumerate(names, 1):
        value = commands.edit_player(value, player=building.get_player(value, number).id, name=name)
    index = TournamentIndex(building.pair_rounds(value))
    catalogue = Catalogue("en", sample_tournament.LOCALE, zone=UTC)
    return ReportContext(index, index.divisions, catalogue, load_style(sample_tournament.FONTS), PRINTED)


def read_report_text(report: str, *names: str) -> str:
    document = pypdfium2.PdfDocument(render_report(report, make_context(*names)))
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return text


@pytest.mark.parametrize("report", ["standings", "pairings-by-name", "crosstable", "badges", "labels"])
def test_render_report_prints_names_of_each_script(font_folders: list[Path], report: str) -> None:
    text = read_report_text(report, *NAMES)
    for word in " ".join(NAMES).replace("־", " ").replace("\u200c", " ").split():
        assert word in text
    assert "\N{REPLACEMENT CHARACTER}" not in text


def test_shape_text_joins_arabic_letters(font_folders: list[Path]) -> None:
    face = load_style(sample_tournament.FONTS).regular
    single_glyphs = {glyph for letter in "محمد" for part in face.shape_text(letter) for glyph, *_ in part.glyphs}
    joined_glyphs = {glyph for part in face.shape_text("محمد") for glyph, *_ in part.glyphs}
    assert joined_glyphs - single_glyphs


def test_shape_text_of_hindi_uses_the_printed_face(font_folders: list[Path]) -> None:
    font_folders[:] = font_folders[1:]  # no font is installed
    (part,) = load_style(sample_tournament.FONTS).bold.shape_text("क्षत्रिय")
    assert len(part.glyphs) < len("क्षत्रिय")  # ligatures, and the sign i before its letter
    assert not [*list_players_with_unprintable_letters(make_context("क्षत्रिय"))]


def test_shape_text_emboldens_a_font_without_bold(font_folders: list[Path]) -> None:
    style = load_style(sample_tournament.FONTS)
    assert style.bold.measure_width("王小明", 10) > style.regular.measure_width("王小明", 10) * 0.99
    (bold,), (regular,) = style.bold.shape_text("王小明"), style.regular.shape_text("王小明")
    assert bold.font.synthetic_bold[0] > regular.font.synthetic_bold[0]


@pytest.mark.parametrize(
    ("text", "expected_runs"),
    [
        ("abc", ["abc"]),
        ("אבג", ["<אבג"]),
        ("אבג 12", ["12", "<אבג "]),  # all letters right to left: the line too
        ("אבג (דהו)", ["<אבג (דהו)"]),
        ("Kari אבג 12, b", ["Kari ", "12", "<אבג ", ", b"]),
        ("Kari \u2068אבג\u2069 12, b", ["Kari ", "<אבג", " 12, b"]),
        ("محمد 1,5", ["1,5", "<محمد "]),
        ("\u2068אבג\u2069 – \u2068דהז\u2069", ["<אבג", " – ", "<דהז"]),
        ("a אב1ג b", ["a ", "<ג", "1", "<אב", " b"]),
        ("", []),
    ],
)
def test_order_runs_of_right_to_left_text(text: str, expected_runs: list[str]) -> None:
    assert ["<" * right_to_left + run for run, right_to_left in order_text_runs(text)] == expected_runs


def test_list_missing_letters_names_players(font_folders: list[Path]) -> None:
    font_folders[:] = font_folders[1:]
    missing = [*list_players_with_unprintable_letters(make_context("王小明", "Łukasz", "Kari 敏"))]
    assert missing == [("王小明", "王小明"), ("Kari 敏", "敏")]
    message = describe_missing_letters(make_context().catalogue, missing)
    assert "王小明 (王小明); Kari 敏 (敏)" in message
    assert describe_missing_letters(make_context().catalogue, []) == ""
    assert read_report_text("standings", "王小明").count("\N{REPLACEMENT CHARACTER}") == 3


def test_missing_letters_text_shortens_long_lists() -> None:
    message = describe_missing_letters(make_context().catalogue, [(f"P{number}", "敏") for number in range(30)])
    assert "P9 (敏) and 20 more" in message
    assert "P10" not in message


def test_list_missing_letters_ignores_emoji(font_folders: list[Path]) -> None:
    assert "Anna \N{REPLACEMENT CHARACTER} Star" in read_report_text("standings", "Anna 🎲 Star")
    assert not [*list_players_with_unprintable_letters(make_context("Anna 🎲 Star"))]


def test_shape_text_skips_an_unreadable_font(font_folders: list[Path], tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "A.ttf").write_bytes(b"no font")
    font_folders.reverse()
    assert load_style(sample_tournament.FONTS).regular.shape_text("王")[0].font is not None
