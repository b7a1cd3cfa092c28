"""Paper for 500 players in less than a second."""

from __future__ import annotations

from datetime import datetime

import pypdfium2
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.i18n import Catalogue
from tdapp.reports import Context, load, render
from tests.reports import field


@pytest.mark.bench
@pytest.mark.parametrize("report", ["standings", "pairings-by-name"])
def test_500_rows(benchmark: BenchmarkFixture, report: str) -> None:
    index = field.index(500, rounds=9)
    context = Context(
        index=index,
        divisions=index.divisions,
        words=Catalogue("en", field.LOCALE),
        style=load(field.FONTS),
        printed=datetime(2026, 11, 21, 14, 5),
    )

    content = benchmark(render, report, context)

    assert len(pypdfium2.PdfDocument(content)) > 1
