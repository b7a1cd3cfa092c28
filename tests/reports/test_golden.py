"""The text of every report: number of pages, first page and last page.

`python -m tests.reports.test_golden` renews the golden texts. Review the diff before you commit it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
from msgspec.structs import replace

from tdapp.reports import REPORTS, ReportContext, render_report, render_reports
from tests.gallery.printouts import make_report_context, make_sample_desk
from tests.reports import sample_tournament

GOLDEN = Path("tests/reports/golden")
HEAD = re.compile(r"\d+ · (?:\w{4} ){3}\w{4}")  # changes with every change of the stored form


@cache
def made() -> ReportContext:
    return make_report_context(make_sample_desk(), "en", "a4")


def of(report: str) -> ReportContext:
    """Return what a report is made from: the bracket of the cup, everything else of the Swiss."""
    divisions = made().divisions
    return replace(made(), divisions=divisions[-1:] if report == "bracket" else divisions[:1])


def golden(report: str) -> str:
    document = pypdfium2.PdfDocument(render_report(report, of(report)))
    pages = [page.get_textpage().get_text_range().replace("\r\n", "\n").strip() for page in document]
    document.close()
    shown = pages if len(pages) < 3 else [pages[0], pages[-1]]
    return HEAD.sub("(head)", "\n\n".join((f"{len(pages)} pages", *shown)) + "\n")


@pytest.mark.parametrize("report", REPORTS)
def test_golden_texts(report: str) -> None:
    assert golden(report) == (GOLDEN / f"{report}.txt").read_text("utf-8")


def test_each_report_has_a_golden_text() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(REPORTS)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All reports bound together."""
    path = tmp_path_factory.mktemp("paper") / "all.pdf"
    small = replace(made(), index=sample_tournament.index(9), divisions=sample_tournament.index(9).divisions)
    path.write_bytes(render_reports([(report, small) for report in REPORTS])[0])
    return path


def poppler(tool: str, path: Path) -> str:
    """Return what a tool of Poppler prints; it must complain of nothing."""
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} (Debian's poppler-utils) is not on this computer")
    done = subprocess.run([tool, str(path)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.slow
def test_pdf_is_sound_for_a_second_reader(everything: Path) -> None:
    told = dict(line.split(":", 1) for line in poppler("pdfinfo", everything).splitlines() if ":" in line)
    document = pypdfium2.PdfDocument(everything)
    assert int(told["Pages"]) == len(document)
    assert "Open Leiden Scrabble 2026" in told["Title"]
    assert len(list(document.get_toc())) == len(REPORTS)
    document.close()


@pytest.mark.slow
def test_pdf_has_no_syntax_fault_for_a_third_reader(everything: Path) -> None:
    if shutil.which("qpdf") is None:
        pytest.skip("qpdf is not on this computer")
    done = subprocess.run(["qpdf", "--check", str(everything)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_pdf_embeds_each_font(everything: Path) -> None:
    rows = [line.split() for line in poppler("pdffonts", everything).splitlines()[2:]]
    assert rows
    assert {row[-5] for row in rows} == {"yes"}
    assert all("Noto" in row[0] for row in rows)


def test_pdf_structure_has_whole_rows_and_names(tmp_path: Path) -> None:
    path = tmp_path / "standings.pdf"
    index = sample_tournament.index(9)
    path.write_bytes(render_report("standings", replace(made(), index=index, divisions=index.divisions)))
    assert "Tagged:          yes" in poppler("pdfinfo", path)
    told = structure(path)
    assert told[:3] == ["Document", "Sect", "H1 (block)"]
    assert told[3].startswith('"Standings after round 2')
    rows = "\n".join(told).split("\nTR\n")[1:]
    assert len(rows) == 10
    assert [part.strip('"') for part in rows[0].splitlines() if part.startswith('"')][:3] == [
        "Rank",
        "No.",
        "Name",
    ]
    cells = [part for part in rows[1].splitlines() if part.startswith('"') or part == "TD"]
    assert cells.count("TD") == 9
    assert f'"{sample_tournament.LONG}"' in told  # printed smaller, not shortened


def structure(path: Path) -> list[str]:
    """Return the structure of a file with its texts, as Poppler reads it."""
    if shutil.which("pdfinfo") is None:
        pytest.skip("pdfinfo (Debian's poppler-utils) is not on this computer")
    done = subprocess.run(["pdfinfo", "-struct-text", str(path)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [line.strip() for line in done.stdout.splitlines()]


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for report in REPORTS:
        (GOLDEN / f"{report}.txt").write_text(golden(report), "utf-8")


if __name__ == "__main__":
    main()
