"""Tests of the print preview: pages, saving and printing."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtPrintSupport import QPrinter, QPrinterInfo
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.gui.printouts import preview as preview_module
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.shell.session import Session
from tdapp.pairing import propose_pairings
from tdapp.reports import REPORTS
from tdapp.services import printing
from tdapp.services.print_queue import PrintQueues
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.windows import show_window


def publish_first_round(session: Session, players: int) -> None:
    session.open_tournament_of_desk(make_desk(make_tournament(players=players)))
    session.do(
        partial(commands.pair_round, key=session.make_row_id(), proposal=propose_pairings(session.index, A))
    )


@pytest.fixture
def preview(empty_session: Session, qtbot: QtBot) -> PrintPreview:
    """Return the preview of the pairings by table of 120 players."""
    publish_first_round(empty_session, 120)
    return open_preview(empty_session, qtbot)


def open_preview(session: Session, qtbot: QtBot) -> PrintPreview:
    preview = PrintPreview(session, "pairings-by-table")
    preview.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(preview)
    preview.open()
    return preview


def read_page_text(pdf: bytes, page: int = 0) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return str(document[page].get_textpage().get_text_range())
    finally:
        document.close()


def test_print_preview_prints_by_enter(preview: PrintPreview, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", staticmethod(list))
    focused = preview.focusWidget()
    assert focused is preview.report
    QTest.keyClick(focused, Qt.Key.Key_Return)
    assert preview.isVisible()
    assert "on another computer" in preview.message.text()


def test_print_preview_shows_the_first_page(preview: PrintPreview) -> None:
    assert preview.pages >= 2
    assert not preview.sheet.pixmap().isNull()
    assert preview.page_label.text() == f"Page 1 of {preview.pages}"
    assert preview.sheet.pixmap().toImage().pixelColor(2, 2).name() == "#ffffff"


def test_print_preview_turns_pages_and_zooms_by_keys(preview: PrintPreview) -> None:
    QTest.keyClick(preview, Qt.Key.Key_PageDown)
    assert preview.page == 1
    QTest.keyClick(preview, Qt.Key.Key_End)
    assert preview.page == preview.pages - 1
    QTest.keyClick(preview, Qt.Key.Key_PageDown)
    assert preview.page == preview.pages - 1
    QTest.keyClick(preview, Qt.Key.Key_Home)
    assert preview.page == 0
    width_before = preview.sheet.pixmap().width()
    for _ in range(3):
        QTest.keyClick(preview, Qt.Key.Key_Plus)
    assert preview.sheet.pixmap().width() > width_before
    QTest.keyClick(preview, Qt.Key.Key_0)
    assert preview.sheet.pixmap().width() == width_before


def test_print_preview_thumbnails_lead_to_pages(preview: PrintPreview) -> None:
    thumbnails = preview.thumbnails
    assert thumbnails.count() == preview.pages
    assert thumbnails.isVisible()
    assert not any(thumbnails.item(page).icon().isNull() for page in range(preview.pages))
    QTest.keyClick(preview, Qt.Key.Key_PageDown)
    assert thumbnails.currentRow() == 1
    QTest.mouseClick(
        thumbnails.viewport(),
        Qt.MouseButton.LeftButton,
        pos=thumbnails.visualItemRect(thumbnails.item(0)).center(),
    )
    assert preview.page == 0
    preview.report.choose_value("challenge-slips")
    assert preview.pages == 1
    assert not thumbnails.isVisible()


EMPTY_REPORTS = {  # without content before the first result
    "crosstable", "matrix", "bracket", "teams", "prizes", "statistics", "incidents", "sanctions", "rulings",
    "challenges", "doubtful-words", "short-words", "certificates", "fees",
    "season", "season-ratings", "season-years", "team-matches",
}  # fmt: skip


@pytest.mark.parametrize("report", REPORTS)
def test_print_preview_shows_every_report(empty_session: Session, qtbot: QtBot, report: str) -> None:
    publish_first_round(empty_session, 24)
    preview = open_preview(empty_session, qtbot)
    preview.report.choose_value(report)
    assert preview.message.text().startswith("Nothing to print.") is (report in EMPTY_REPORTS)
    assert preview.pdf.startswith(b"%PDF") is (report not in EMPTY_REPORTS)
    assert preview.yes.isEnabled() is (report not in EMPTY_REPORTS)


def test_print_preview_uses_language_and_paper(preview: PrintPreview) -> None:
    english_pdf = preview.pdf
    preview.language.choose_value("nl")
    assert read_page_text(preview.pdf) != read_page_text(english_pdf)
    pixmap_before = preview.sheet.pixmap()
    preview.paper.choose_value("letter")
    pixmap_after = preview.sheet.pixmap()
    assert pixmap_after.width() / pixmap_after.height() > pixmap_before.width() / pixmap_before.height()
    assert preview.session.settings.value("paper") == "letter"


@pytest.mark.slow
def test_print_preview_proposes_a_file_name_in_the_language_of_the_window(
    preview: PrintPreview, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposed_paths: list[Path] = []
    monkeypatch.setattr(
        "tdapp.gui.printouts.printer.ask_file_to_write",
        lambda _parent, _title, path, _kind: proposed_paths.append(path),
    )
    preview.session.do(partial(commands.edit_event, name="Open: 1/2 *finals*"))
    preview.report.choose_value("slips")
    preview.save_to_chosen_file()
    assert proposed_paths[0].name == "Open- 1-2 -finals- Result slips Round 1.pdf"


def test_print_preview_saves_the_shown_document(preview: PrintPreview, tmp_path: Path) -> None:
    preview.save_pdf(tmp_path / "pairings.pdf")
    assert (tmp_path / "pairings.pdf").read_bytes() == preview.pdf
    assert (preview.saved_note.text(), preview.saved_note.isVisible()) == ("Saved as pairings.pdf", True)
    preview.save_pdf(tmp_path / "pairings.pdf" / "x.pdf")
    assert "cannot be written" in preview.message.text()
    assert preview.saved_note.isHidden()
    preview.save_pdf(tmp_path / "again.pdf")
    assert preview.message.text() == ""
    preview.language.choose_value("nl")
    assert preview.saved_note.isHidden()


@pytest.mark.slow
def test_print_preview_explains_a_missing_printer(preview: PrintPreview, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", list)
    monkeypatch.setattr(PrintQueues, "load_cups_queues", lambda: None)
    preview.yes.click()
    assert "No printer" in preview.message.text()
    assert preview.isVisible()


@pytest.mark.parametrize("is_painted", [True, False])
def test_print_preview_sends_every_page_to_the_printer(
    preview: PrintPreview, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_painted: bool
) -> None:
    """The test prints to a file, either as painted pages or as the PDF."""
    if is_painted:
        monkeypatch.setattr(PrintQueues, "load_cups_queues", lambda: None)
    printer = QPrinter(QPrinter.PrinterMode.ScreenResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "out.pdf"))
    monkeypatch.setattr(preview_module, "explain_missing_printer", lambda _catalogue: "")
    monkeypatch.setattr(preview_module, "ask_user_for_printer", lambda *_arguments: printer)
    pages = preview.pages
    preview.yes.click()
    document = pypdfium2.PdfDocument(tmp_path / "out.pdf")
    assert len(document) == pages
    bitmap = document[0].render(scale=1)
    assert len({*bytes(bitmap.buffer)}) > 2  # something was drawn
    document.close()
    assert ((tmp_path / "out.pdf").read_bytes() == preview.pdf) is not is_painted
    assert not preview.isVisible()


def test_print_preview_explains_a_report_without_a_round(full_session: Session, qtbot: QtBot) -> None:
    preview = open_preview(full_session, qtbot)
    assert preview.message.text()
    assert not preview.yes.isEnabled()
    assert not preview.save_button.isEnabled()
    preview.report.choose_value("players")
    assert not preview.message.text()
    assert preview.yes.isEnabled()


def test_print_preview_key_opens_the_report_of_the_page(empty_session: Session, qtbot: QtBot) -> None:
    publish_first_round(empty_session, 12)
    window = show_window(empty_session, qtbot)
    for page_id, report in (("rounds", "pairings-by-table"), ("standings", "standings")):
        window.show_page(page_id)
        focused = window.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_F8)
        preview = next(preview for preview in window.findChildren(PrintPreview) if preview.isVisible())
        assert preview.report.value() == report
        preview.reject()


@pytest.fixture
def translated_session(translated_session: Session) -> Session:
    publish_first_round(translated_session, 12)
    return translated_session


def test_print_preview_opens_in_every_language(translated_session: Session, qtbot: QtBot) -> None:
    preview = open_preview(translated_session, qtbot)
    assert preview.language.value() == translated_session.catalogue.language
    assert "{" not in preview.page_label.text()
    assert preview.pdf


@pytest.mark.slow
def test_print_preview_asks_before_very_many_pages(
    empty_session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "MANY_PAGES", 1)
    publish_first_round(empty_session, 120)
    preview = open_preview(empty_session, qtbot)

    assert "pages" in preview.message.text()
    assert not preview.pdf
    assert not preview.yes.isEnabled()
    QTest.mouseClick(preview.all_pages, Qt.MouseButton.LeftButton)
    assert preview.pages > 1
    assert preview.yes.isEnabled()
    assert not preview.all_pages.isVisible()


def test_print_preview_says_that_a_round_has_no_results_yet(empty_session: Session, qtbot: QtBot) -> None:
    publish_first_round(empty_session, 12)
    preview = open_preview(empty_session, qtbot)
    preview.report.choose_value("standings")
    assert preview.message.text().startswith("Round 1 has no results yet")
    preview.report.choose_value("pairings-by-table")
    assert not preview.message.text()
