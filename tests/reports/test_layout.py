"""The layout `list`: columns, shortened names and replaced letters."""

from __future__ import annotations

import pypdfium2
import pytest
from msgspec.structs import replace

from tdapp.domain.tables.table import ColumnKind
from tdapp.i18n.lists import ListColumn
from tdapp.reports.layout import ReportDocument, draw_documents, list_shaded_rows
from tdapp.reports.sections import Section
from tdapp.reports.style import PrintStyle, load_style
from tests.reports import sample_tournament


@pytest.fixture(scope="module")
def style() -> PrintStyle:
    return load_style(sample_tournament.FONTS)


def names(count: int, *, name: str = "Ødegård, Kari", kind: ColumnKind = ColumnKind.NAME) -> ListColumn:
    return ListColumn("Name", kind, tuple(f"{name} {number}" for number in range(count)), bold=True)


def document(style: PrintStyle, *fields: ListColumn, columns: int = 1) -> ReportDocument:
    section = Section("Title", "", "Lead", fields, "Nobody here.")
    return ReportDocument(
        "Title", "Author", "en", (section,), "Foot", "Page {page} of {pages}", style.wall_list_sizes, columns
    )


def drawn(document: ReportDocument, style: PrintStyle) -> bytes:
    return draw_documents([(document, style)])[0]


def pages(content: bytes) -> list[str]:
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content)]


@pytest.mark.parametrize("count", [0, 1, 2, 35, 36, 71, 300])
@pytest.mark.parametrize("columns", [1, 2])
def test_draw_documents_prints_each_row_once_in_order(style: PrintStyle, count: int, columns: int) -> None:
    texts = pages(drawn(document(style, names(count), columns=columns), style))

    printed = [line for text in texts for line in text.splitlines() if line.startswith("Ødegård")]

    assert printed == [f"Ødegård, Kari {number}" for number in range(count)]
    assert all(f"Page {number} of {len(texts)}" in text for number, text in enumerate(texts, 1))
    assert all("Title" in text and "Lead" in text and ("Name" in text) is bool(count) for text in texts)


def test_draw_documents_of_an_empty_list(style: PrintStyle) -> None:
    assert "Nobody here." in pages(drawn(document(style, names(0)), style))[0]


def test_list_shaded_rows_of_a_group() -> None:
    rank = ListColumn("Rank", ColumnKind.NUMBER, ("1", "", "2", "", "", "3"))
    joined = Section("Title", "", "Lead", (rank,), "Nobody here.", joined=True)

    assert list(list_shaded_rows(joined, range(6))) == [2, 3, 4]
    assert list(list_shaded_rows(joined, range(3, 6))) == [2]  # a page that begins in the middle of an entry
    assert list(list_shaded_rows(replace(joined, joined=False), range(6))) == [1, 3, 5]


def test_make_plan_two_columns_to_save_pages_or_on_request(style: PrintStyle) -> None:
    few, many = (pages(drawn(document(style, names(count), columns=2), style)) for count in (20, 60))

    assert (len(few), few[0].count("Name")) == (1, 1)
    assert (len(many), many[0].count("Name")) == (1, 2)
    made = document(style, names(20), columns=2)
    [section] = made.sections
    assert isinstance(section, Section)
    asked = replace(made, sections=(replace(section, columns=2),))
    assert pages(drawn(asked, style))[0].count("Name") == 2


def test_draw_documents_shortens_a_too_long_name(style: PrintStyle) -> None:
    long = replace(names(1), cells=("Wolfeschlegelsteinhausenbergerdorff " * 16,))

    text = pages(drawn(document(style, long), style))[0]

    assert "Wolfeschlegel" in text
    assert "…" in text


def test_make_plan_long_name_keeps_the_type_large(style: PrintStyle) -> None:
    usual = drawn(document(style, names(30), replace(names(30), heading="Other")), style)
    long = names(30)
    long = replace(long, cells=(*long.cells[:-1], "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine"))
    with_long = drawn(document(style, long, replace(names(30), heading="Other")), style)

    assert height(with_long) >= 0.75 * height(usual)


def test_make_plan_long_name_has_smaller_type(style: PrintStyle) -> None:
    names_, numbers = names(13), ListColumn("Points", ColumnKind.NUMBER, ("1984",) * 13)
    long = replace(names_, cells=(*names_.cells[:-1], "Thorvaldsen-Hoogendoorn, Hanneke"))
    content = drawn(document(style, long, *(replace(numbers, heading=f"Points {at}") for at in range(5))), style)

    assert "Thorvaldsen-Hoogendoorn, Hanneke" in pypdfium2.PdfDocument(content)[0].get_textpage().get_text_range()


def test_make_plan_short_texts_keep_their_whole_heading(style: PrintStyle) -> None:
    long = names(30, name="Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine Theodor")
    short = ListColumn("Country", ColumnKind.TEXT, ("DE",) * 30)
    club = replace(names(30, name="Scrabbleverein Rheinland-Westfalen-Lippe e. V."), heading="Club")
    large = load_style(sample_tournament.FONTS, paper="a4-large")
    text = pages(drawn(document(large, long, club, short), large))[0]
    assert "Country" in text
    assert "Club" in text


@pytest.mark.parametrize("count", [1, 4])
def test_draw_documents_short_list_has_whole_names(style: PrintStyle, count: int) -> None:
    first = names(count, name="Thorvaldsen-Hoogendoorn, Hanneke")
    second = replace(names(count, name="van den Berg-Jansen, Annelies"), heading="Second")
    scores = ListColumn("Score", ColumnKind.TEXT, ("380 – 338",) * count)
    [page] = pages(drawn(document(style, first, second, scores), style))

    assert "…" not in page
    assert page.count("Hoogendoorn, Hanneke") == count


def height(content: bytes) -> float:
    """Return how high the first letter Ø is."""
    page = pypdfium2.PdfDocument(content)[0].get_textpage()
    low, high = (page.get_charbox(page.get_text_range().index("Ø"))[edge] for edge in (1, 3))
    return float(high - low)


def test_draw_documents_aligns_halves(style: PrintStyle) -> None:
    points = ListColumn("Wins", ColumnKind.POINTS, ("4½", "4", "14½"))
    page = pypdfium2.PdfDocument(drawn(document(style, names(3, name="Name"), points), style))[0].get_textpage()
    text = page.get_text_range()
    ends = [
        page.get_charbox(text.index(mark) + offset)[2] for mark, offset in (("4½", 0), ("\r\n4\r", 2), ("14½", 1))
    ]

    assert max(ends) - min(ends) < 0.5


@pytest.mark.parametrize(
    ("written", "printed"),
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
def test_replace_unprintable_is_visible(style: PrintStyle, written: str, printed: str) -> None:
    assert style.replace_unprintable(written) == printed


def test_draw_documents_is_repeatable(style: PrintStyle) -> None:
    made = document(style, names(40))

    assert drawn(made, style) == drawn(made, style)
    assert drawn(made, load_style(sample_tournament.FONTS)) == drawn(made, style)
