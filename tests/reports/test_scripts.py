"""Names in every script on paper: shaped, in the right order, and named if no font has their letters."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pypdfium2
import pytest

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.i18n import Catalogue
from tdapp.reports import ReportContext, load_style, render_report, shaping
from tdapp.reports.printed import describe_missing_letters, list_missing_letters
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
def fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """The folders with fonts of a computer: one with a few letters of each script, and a missing one."""
    found = [Path(__file__).parent / "fonts", tmp_path / "none"]
    monkeypatch.setattr(shaping, "list_font_folders", lambda: found)
    shaping._find_font.cache_clear()
    yield found
    shaping._find_font.cache_clear()


def context(*names: str) -> ReportContext:
    value = building.make_event(max(2, len(names)))
    for number, name in enumerate(names, 1):
        value = commands.edit_player(value, player=building.get_player(value, number).id, name=name)
    index = Index(building.pair_rounds(value))
    catalogue = Catalogue("en", sample_tournament.LOCALE, zone=UTC)
    return ReportContext(index, index.divisions, catalogue, load_style(sample_tournament.FONTS), PRINTED)


def read(report: str, *names: str) -> str:
    document = pypdfium2.PdfDocument(render_report(report, context(*names)))
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return text


@pytest.mark.parametrize("report", ["standings", "pairings-by-name", "crosstable", "badges", "labels"])
def test_render_report_prints_names_of_each_script(fonts: list[Path], report: str) -> None:
    text = read(report, *NAMES)
    for word in " ".join(NAMES).replace("־", " ").replace("\u200c", " ").split():
        assert word in text
    assert "\N{REPLACEMENT CHARACTER}" not in text


def test_shape_text_joins_arabic_letters(fonts: list[Path]) -> None:
    face = load_style(sample_tournament.FONTS).regular
    alone = {glyph for sign in "محمد" for part in face.shape_text(sign) for glyph, *_ in part.glyphs}
    joined = {glyph for part in face.shape_text("محمد") for glyph, *_ in part.glyphs}
    assert joined - alone


def test_shape_text_of_hindi_uses_the_printed_face(fonts: list[Path]) -> None:
    fonts[:] = fonts[1:]  # no font installed
    (part,) = load_style(sample_tournament.FONTS).bold.shape_text("क्षत्रिय")
    assert len(part.glyphs) < len("क्षत्रिय")  # ligatures, and the sign i before its letter
    assert not [*list_missing_letters(context("क्षत्रिय"))]


def test_shape_text_emboldens_a_font_without_bold(fonts: list[Path]) -> None:
    style = load_style(sample_tournament.FONTS)
    assert style.bold.measure_width("王小明", 10) > style.regular.measure_width("王小明", 10) * 0.99
    (bold,), (regular,) = style.bold.shape_text("王小明"), style.regular.shape_text("王小明")
    assert bold.font.synthetic_bold[0] > regular.font.synthetic_bold[0]


@pytest.mark.parametrize(
    ("text", "shown"),
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
def test_order_runs_of_right_to_left_text(text: str, shown: list[str]) -> None:
    assert ["<" * right_to_left + run for run, right_to_left in order_text_runs(text)] == shown


def test_list_missing_letters_names_players(fonts: list[Path]) -> None:
    fonts[:] = fonts[1:]
    missing = [*list_missing_letters(context("王小明", "Łukasz", "Kari 敏"))]
    assert missing == [("王小明", "王小明"), ("Kari 敏", "敏")]
    said = describe_missing_letters(context().catalogue, missing)
    assert "王小明 (王小明); Kari 敏 (敏)" in said
    assert describe_missing_letters(context().catalogue, []) == ""
    assert read("standings", "王小明").count("\N{REPLACEMENT CHARACTER}") == 3


def test_missing_letters_text_shortens_long_lists() -> None:
    said = describe_missing_letters(context().catalogue, [(f"P{number}", "敏") for number in range(30)])
    assert "P9 (敏) and 20 more" in said
    assert "P10" not in said


def test_list_missing_letters_ignores_emoji(fonts: list[Path]) -> None:
    assert "Anna \N{REPLACEMENT CHARACTER} Star" in read("standings", "Anna 🎲 Star")
    assert not [*list_missing_letters(context("Anna 🎲 Star"))]


def test_shape_text_skips_an_unreadable_font(fonts: list[Path], tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "A.ttf").write_bytes(b"no font")
    fonts.reverse()
    assert load_style(sample_tournament.FONTS).regular.shape_text("王")[0].font is not None
