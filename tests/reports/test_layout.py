"""Tests of the list layout: columns, shortened names and replaced characters."""

from __future__ import annotations

import pypdfium2
import pytest
from msgspec.structs import replace

from tdapp.domain.tables.table import ColumnKind
from tdapp.i18n.lists import TextColumn
from tdapp.reports.layout import ReportDocument, draw_pdf_and_count_section_pages, list_shaded_row_indexes
from tdapp.reports.sections import Section
from tdapp.reports.style import PrintStyle, load_style
from tests.reports import sample_tournament


@pytest.fixture(scope="module")
def print_style() -> PrintStyle:
    return load_style(sample_tournament.FONTS)


def make_name_column(count: int, *, name: str = "Ødegård, Kari", kind: ColumnKind = ColumnKind.NAME) -> TextColumn:
    return TextColumn("Name", kind, tuple(f"{name} {number}" for number in range(count)), bold=True)


def make_document(print_style: PrintStyle, *fields: TextColumn, columns: int = 1) -> ReportDocument:
    section = Section("Title", "", "Lead", fields, "Nobody here.")
    return ReportDocument(
        "Title", "Author", "en", (section,), "Foot", "Page {page} of {pages}", print_style.wall_list_sizes, columns
    )


def draw_document(document: ReportDocument, print_style: PrintStyle) -> bytes:
    return draw_pdf_and_count_section_pages([(document, print_style)])[0]


def read_page_texts(content: bytes) -> list[str]:
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content)]


@pytest.mark.parametrize("count", [0, 1, 2, 35, 36, 71, 300])
@pytest.mark.parametrize("columns", [1, 2])
def test_draw_documents_prints_each_row_once_in_order(print_style: PrintStyle, count: int, columns: int) -> None:
    texts = read_page_texts(
        draw_document(make_document(print_style, make_name_column(count), columns=columns), print_style)
    )

    printed = [line for text in texts for line in text.splitlines() if line.startswith("Ødegård")]

    assert printed == [f"Ødegård, Kari {number}" for number in range(count)]
    assert all(f"Page {number} of {len(texts)}" in text for number, text in enumerate(texts, 1))
    assert all("Title" in text and "Lead" in text and ("Name" in text) is bool(count) for text in texts)


def test_draw_documents_of_an_empty_list(print_style: PrintStyle) -> None:
    assert (
        "Nobody here."
        in read_page_texts(draw_document(make_document(print_style, make_name_column(0)), print_style))[0]
    )


def test_list_shaded_rows_of_a_group() -> None:
    rank = TextColumn("Rank", ColumnKind.NUMBER, ("1", "", "2", "", "", "3"))
    section = Section("Title", "", "Lead", (rank,), "Nobody here.", has_continuation_rows=True)

    assert list(list_shaded_row_indexes(section, range(6))) == [2, 3, 4]
    assert list(list_shaded_row_indexes(section, range(3, 6))) == [2]  # the page starts in the middle of an entry
    assert list(list_shaded_row_indexes(replace(section, has_continuation_rows=False), range(6))) == [
        1,
        3,
        5,
    ]


def test_make_plan_two_columns_to_save_pages_or_on_request(print_style: PrintStyle) -> None:
    few, many = (
        read_page_texts(draw_document(make_document(print_style, make_name_column(count), columns=2), print_style))
        for count in (20, 60)
    )

    assert (len(few), few[0].count("Name")) == (1, 1)
    assert (len(many), many[0].count("Name")) == (1, 2)
    short_document = make_document(print_style, make_name_column(20), columns=2)
    [section] = short_document.sections
    assert isinstance(section, Section)
    two_column_document = replace(short_document, sections=(replace(section, columns=2),))
    assert read_page_texts(draw_document(two_column_document, print_style))[0].count("Name") == 2


def test_draw_documents_shortens_a_too_long_name(print_style: PrintStyle) -> None:
    long = replace(make_name_column(1), cells=("Wolfeschlegelsteinhausenbergerdorff " * 16,))

    text = read_page_texts(draw_document(make_document(print_style, long), print_style))[0]

    assert "Wolfeschlegel" in text
    assert "…" in text


def test_make_plan_long_name_keeps_the_type_large(print_style: PrintStyle) -> None:
    usual = draw_document(
        make_document(print_style, make_name_column(30), replace(make_name_column(30), heading="Other")),
        print_style,
    )
    long = make_name_column(30)
    long = replace(long, cells=(*long.cells[:-1], "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine"))
    with_long = draw_document(
        make_document(print_style, long, replace(make_name_column(30), heading="Other")), print_style
    )

    assert measure_letter_height(with_long) >= 0.75 * measure_letter_height(usual)


def test_make_plan_long_name_has_smaller_type(print_style: PrintStyle) -> None:
    name_column, numbers = make_name_column(13), TextColumn("Points", ColumnKind.NUMBER, ("1984",) * 13)
    long = replace(name_column, cells=(*name_column.cells[:-1], "Thorvaldsen-Hoogendoorn, Hanneke"))
    content = draw_document(
        make_document(print_style, long, *(replace(numbers, heading=f"Points {index}") for index in range(5))),
        print_style,
    )

    assert "Thorvaldsen-Hoogendoorn, Hanneke" in pypdfium2.PdfDocument(content)[0].get_textpage().get_text_range()


def test_make_plan_short_texts_keep_their_whole_heading(print_style: PrintStyle) -> None:
    long = make_name_column(30, name="Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine Theodor")
    short = TextColumn("Country", ColumnKind.TEXT, ("DE",) * 30)
    club = replace(make_name_column(30, name="Scrabbleverein Rheinland-Westfalen-Lippe e. V."), heading="Club")
    large = load_style(sample_tournament.FONTS, paper="a4-large")
    text = read_page_texts(draw_document(make_document(large, long, club, short), large))[0]
    assert "Country" in text
    assert "Club" in text


@pytest.mark.parametrize("count", [1, 4])
def test_draw_documents_short_list_has_whole_names(print_style: PrintStyle, count: int) -> None:
    first = make_name_column(count, name="Thorvaldsen-Hoogendoorn, Hanneke")
    second = replace(make_name_column(count, name="van den Berg-Jansen, Annelies"), heading="Second")
    scores = TextColumn("Score", ColumnKind.TEXT, ("380 – 338",) * count)
    [page] = read_page_texts(draw_document(make_document(print_style, first, second, scores), print_style))

    assert "…" not in page
    assert page.count("Hoogendoorn, Hanneke") == count


def measure_letter_height(content: bytes) -> float:
    """Return the height of the first letter Ø, in points."""
    page = pypdfium2.PdfDocument(content)[0].get_textpage()
    low, high = (page.get_charbox(page.get_text_range().index("Ø"))[edge] for edge in (1, 3))
    return float(high - low)


def test_draw_documents_aligns_halves(print_style: PrintStyle) -> None:
    points = TextColumn("Wins", ColumnKind.POINTS, ("4½", "4", "14½"))
    page = pypdfium2.PdfDocument(
        draw_document(make_document(print_style, make_name_column(3, name="Name"), points), print_style)
    )[0].get_textpage()
    text = page.get_text_range()
    ends = [
        page.get_charbox(text.index(number_text) + offset)[2]
        for number_text, offset in (("4½", 0), ("\r\n4\r", 2), ("14½", 1))
    ]

    assert max(ends) - min(ends) < 0.5


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Łukasz Żółć", "Łukasz Żółć"),
        ("\uff2d\uff41ria", "Maria"),
        ("王小明", "王小明"),
        ("Anna 🎲", "Anna �"),
        ("A\U000e0001B\tC", "AB C"),
        ("→ ✓", "– ×"),
        ("e\u0301", "é"),
    ],
)
def test_replace_unprintable_is_visible(print_style: PrintStyle, text: str, printed: str) -> None:
    assert print_style.replace_unprintable_characters(text) == printed


def test_draw_documents_is_repeatable(print_style: PrintStyle) -> None:
    document = make_document(print_style, make_name_column(40))

    assert draw_document(document, print_style) == draw_document(document, print_style)
    assert draw_document(document, load_style(sample_tournament.FONTS)) == draw_document(document, print_style)
