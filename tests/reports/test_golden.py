"""Golden tests of all reports: the number of pages, the first page and the last page.

`python -m tests.reports.test_golden` writes the golden texts again. Review the diff before you commit it.
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

from tdapp.reports import REPORTS, ReportContext, render_report, render_reports_and_count_pages
from tests.gallery.printouts import make_report_context, make_sample_desk
from tests.reports import sample_tournament

GOLDEN = Path("tests/reports/golden")
HEAD = re.compile(r"\d+ · (?:\w{4} ){3}\w{4}")  # changes with each change of the file format


@cache
def make_sample_context() -> ReportContext:
    return make_report_context(make_sample_desk(), "en", "a4")


def choose_report_context(report: str) -> ReportContext:
    """Return the context of a report: the knockout division for the bracket, else the Swiss division."""
    divisions = make_sample_context().divisions
    return replace(make_sample_context(), divisions=divisions[-1:] if report == "bracket" else divisions[:1])


def make_golden_text(report: str) -> str:
    document = pypdfium2.PdfDocument(render_report(report, choose_report_context(report)))
    pages = [page.get_textpage().get_text_range().replace("\r\n", "\n").strip() for page in document]
    document.close()
    shown_pages = pages if len(pages) < 3 else [pages[0], pages[-1]]
    return HEAD.sub("(head)", "\n\n".join((f"{len(pages)} pages", *shown_pages)) + "\n")


@pytest.mark.parametrize("report", REPORTS)
def test_render_report_equals_the_golden_text(report: str) -> None:
    assert make_golden_text(report) == (GOLDEN / f"{report}.txt").read_text("utf-8")


def test_golden_folder_has_one_text_per_report() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(REPORTS)


@pytest.fixture(scope="module")
def all_reports_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a PDF file with all reports."""
    path = tmp_path_factory.mktemp("paper") / "all.pdf"
    small = replace(
        make_sample_context(),
        index=sample_tournament.make_index(9),
        divisions=sample_tournament.make_index(9).divisions,
    )
    path.write_bytes(render_reports_and_count_pages([(report, small) for report in REPORTS])[0])
    return path


def run_poppler_tool(tool: str, path: Path) -> str:
    """Return the output of a Poppler tool. Fail if the tool prints an error."""
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} (Debian's poppler-utils) is not installed")
    completed = subprocess.run([tool, str(path)], capture_output=True, text=True, check=True)
    assert completed.stderr == ""
    return completed.stdout


@pytest.mark.slow
def test_pdf_is_valid_for_poppler(all_reports_file: Path) -> None:
    metadata = dict(
        line.split(":", 1) for line in run_poppler_tool("pdfinfo", all_reports_file).splitlines() if ":" in line
    )
    document = pypdfium2.PdfDocument(all_reports_file)
    assert int(metadata["Pages"]) == len(document)
    assert "Open Leiden Scrabble 2026" in metadata["Title"]
    assert len(list(document.get_toc())) == len(REPORTS)
    document.close()


@pytest.mark.slow
def test_pdf_is_valid_for_qpdf(all_reports_file: Path) -> None:
    if shutil.which("qpdf") is None:
        pytest.skip("qpdf is not installed")
    completed = subprocess.run(
        ["qpdf", "--check", str(all_reports_file)], capture_output=True, text=True, check=False
    )
    assert (completed.returncode, completed.stderr) == (0, "")


@pytest.mark.slow
def test_pdf_embeds_each_font(all_reports_file: Path) -> None:
    rows = [line.split() for line in run_poppler_tool("pdffonts", all_reports_file).splitlines()[2:]]
    assert rows
    assert {row[-5] for row in rows} == {"yes"}
    assert all("Noto" in row[0] for row in rows)


def test_pdf_structure_has_whole_rows_and_names(tmp_path: Path) -> None:
    path = tmp_path / "standings.pdf"
    index = sample_tournament.make_index(9)
    path.write_bytes(
        render_report("standings", replace(make_sample_context(), index=index, divisions=index.divisions))
    )
    assert "Tagged:          yes" in run_poppler_tool("pdfinfo", path)
    structure_lines = read_structure(path)
    assert structure_lines[:3] == ["Document", "Sect", "H1 (block)"]
    assert structure_lines[3].startswith('"Standings after round 2')
    rows = "\n".join(structure_lines).split("\nTR\n")[1:]
    assert len(rows) == 10
    assert [part.strip('"') for part in rows[0].splitlines() if part.startswith('"')][:3] == [
        "Rank",
        "No.",
        "Name",
    ]
    cells = [part for part in rows[1].splitlines() if part.startswith('"') or part == "TD"]
    assert cells.count("TD") == 9
    assert f'"{sample_tournament.LONG_NAME}"' in structure_lines  # printed in a smaller size, not shortened


def read_structure(path: Path) -> list[str]:
    """Return the structure tree of a PDF file with its texts, read by Poppler."""
    if shutil.which("pdfinfo") is None:
        pytest.skip("pdfinfo (Debian's poppler-utils) is not installed")
    completed = subprocess.run(["pdfinfo", "-struct-text", str(path)], capture_output=True, text=True, check=True)
    assert completed.stderr == ""
    return [line.strip() for line in completed.stdout.splitlines()]


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for report in REPORTS:
        (GOLDEN / f"{report}.txt").write_text(make_golden_text(report), "utf-8")


if __name__ == "__main__":
    main()
