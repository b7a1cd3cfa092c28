"""Head and foot of a printed page."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import pypdfium2
import pytest

from tdapp.domain import commands
from tdapp.i18n import Catalogue
from tdapp.reports import Context, load, render
from tests import building
from tests.reports import field

PRINTED = datetime(2026, 11, 28, 7, 40, tzinfo=UTC)


def read_page(report: str, *, paper: str = "a4", name: str = "Open Leiden") -> str:
    """Return the text of the first page of a report of eight players."""
    desk = building.desk(building.paired(building.event()))
    desk.do(partial(commands.edit_event, name=name))
    context = Context(
        desk.index, desk.index.divisions, Catalogue("en", field.LOCALE, zone=UTC),
        load(field.FONTS, paper=paper), PRINTED,
    )  # fmt: skip
    document = pypdfium2.PdfDocument(render(report, context))
    text = document[0].get_textpage().get_text_range()
    document.close()
    return str(text)


@pytest.mark.parametrize("paper", ["a4", "letter", "a3-large"])
def test_a_long_name_leaves_the_time_of_printing(paper: str) -> None:
    assert "printed 28 Nov 2026, 07:40" in read_page("standings", paper=paper, name="International Open " * 10)


@pytest.mark.parametrize("report", ["standings", "crosstable", "certificates"])
def test_the_paper_says_what_its_check_code_is_for(report: str) -> None:
    text = " ".join(read_page(report).split())
    assert "Check code: 1 · " in text
    assert "It shows whether this page agrees with the tournament file" in text
    assert "Head of the history" not in text
