"""Tests of the Printouts page: printing, saving and tracking of reports, and the logo."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QImage
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.errors import InputError
from tdapp.domain.paper import PrintingMoment
from tdapp.gui.printouts import page as printouts_page_module
from tdapp.gui.printouts.page import EditReportSetPanel, PrintoutsPage
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.printouts.print_run import PrintJobRun
from tdapp.gui.printouts.printer import convert_logo_or_svg_to_base64
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.session import Session
from tdapp.pairing import propose_pairings
from tdapp.reports import REPORTS
from tdapp.reports.printed import PrintoutState
from tdapp.services.print_queue import PrintQueues
from tdapp.services.printing import PrintRequest
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.windows import collect_messages, get_page, show_window


@pytest.fixture
def paired_session(empty_session: Session) -> Session:
    """Return a session with 12 players and a paired first round."""
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=12)))
    empty_session.do(
        partial(
            commands.pair_round, key=empty_session.make_row_id(), proposal=propose_pairings(empty_session.index, A)
        )
    )
    return empty_session


get_printouts_page = partial(get_page, kind=PrintoutsPage)


def map_rows_by_report(page: PrintoutsPage) -> dict[str, printouts_page_module.PrintoutRow]:
    return {row.key: row for row in page._make_printout_table().rows}


def enter_all_results(session: Session) -> None:
    item = session.round
    assert item is not None
    for index, game in enumerate(session.index.games(item.id)):
        session.do(partial(commands.enter_result, game=game.id, first=400 + index, second=350))


def save_report_pages(
    page: PrintoutsPage, path: Path, monkeypatch: pytest.MonkeyPatch, name: str = "save-all"
) -> list[str]:
    """Run an action that writes a PDF file, and return the text of each page."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    monkeypatch.setattr(printouts_page_module, "explain_missing_printer", lambda _catalogue: "No printer.")
    page.get_action(name).trigger()
    document = pypdfium2.PdfDocument(path.read_bytes())
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


@pytest.mark.slow
def test_save_all_action_omits_empty_reports(
    paired_session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = get_printouts_page(show_window(paired_session, qtbot, "papers"))
    enter_all_results(paired_session)
    page.moment.choose_value(PrintingMoment.END)
    messages = collect_messages(paired_session)
    pages = save_report_pages(page, tmp_path / "all.pdf", monkeypatch)
    assert not any("There are no prizes." in text for text in pages)
    assert messages[-1] == "Saved as all.pdf · Left out because there is nothing to print: Prizes"


def test_printouts_page_opens_by_its_key_and_lists_every_report(paired_session: Session, qtbot: QtBot) -> None:
    window = show_window(paired_session, qtbot)
    QTest.keyClick(window.page, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
    page = get_printouts_page(window)
    inapplicable = {"season", "season-years", "season-ratings", "bracket", "teams", "team-matches"}
    assert set(map_rows_by_report(page)) == set(REPORTS) - inapplicable
    assert {row.state for row in map_rows_by_report(page).values()} == {PrintoutState.UNPRINTED}
    assert not page.sheet.pixmap().isNull()


def test_printouts_page_lists_reports_on_a_season_for_its_divisions(paired_session: Session, qtbot: QtBot) -> None:
    page = get_printouts_page(show_window(paired_session, qtbot, "papers"))
    rule = paired_session.resources.season_rules["best"]
    paired_session.do(partial(commands.add_season, key="s", name="Autumn", rule=rule, division=A))
    assert {"season", "season-years", "season-ratings"} <= set(page.rows.keys())


def test_save_all_action_records_the_reports_of_a_round(
    paired_session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = get_printouts_page(show_window(paired_session, qtbot, "papers"))
    assert page.moment.value() is PrintingMoment.ROUND
    texts = save_report_pages(page, tmp_path / "all.pdf", monkeypatch)
    assert "find your table" in texts[0]
    assert "pairings" in texts[1]
    printed_reports = {key for key, row in map_rows_by_report(page).items() if row.state is PrintoutState.PRINTED}
    description = paired_session.describe_step(paired_session.desk.list_all_steps()[-1])
    assert description == "3 reports printed · Pairings by name, Pairings by table, Result slips"
    assert printed_reports == {"pairings-by-name", "pairings-by-table", "slips"}
    enter_all_results(paired_session)
    assert page.moment.value() is PrintingMoment.AFTER


def test_print_round_action_works_on_any_page(
    paired_session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = show_window(paired_session, qtbot, "rounds")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "all.pdf"), ""))
    monkeypatch.setattr(printouts_page_module, "explain_missing_printer", lambda _catalogue: "No printer.")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF")
    assert isinstance(window.page, PrintoutsPage)
    assert {row.report for row in paired_session.tournament.printouts.values()} == {
        "pairings-by-name", "pairings-by-table", "slips",
    }  # fmt: skip


@pytest.mark.slow
def test_printouts_page_does_not_record_a_preview(paired_session: Session, qtbot: QtBot) -> None:
    page = get_printouts_page(show_window(paired_session, qtbot, "papers"))
    page.reveal_row("slips")
    QTest.keyClick(page, Qt.Key.Key_F8)
    preview = next(preview for preview in page.window().findChildren(PrintPreview) if preview.isVisible())
    assert preview.report.value() == "slips"
    preview.reject()
    assert not paired_session.tournament.printouts


def test_print_again_action_prints_only_stale_reports(
    paired_session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter_all_results(paired_session)
    page = get_printouts_page(show_window(paired_session, qtbot, "papers"))
    save_report_pages(page, tmp_path / "after.pdf", monkeypatch)
    undo_step = paired_session.desk.undoable_step
    assert undo_step is not None
    assert undo_step.label == "enter-result"
    assert paired_session.printouts.problems() == ()
    item = paired_session.round
    assert item is not None
    game = paired_session.index.games(item.id)[0]
    paired_session.do(partial(commands.enter_result, game=game.id, first=700, second=350))
    qtbot.waitUntil(lambda: bool(paired_session.printouts.list_stale_printouts()))
    problem = paired_session.printouts.problems()[0]
    assert (problem.code, problem.page) == ("paper-stale", "papers")
    assert problem.facts["paper"] == "Standings, round 1; Crosstable, round 1"
    assert PAGES["papers"].count_tasks(page.session) == 2
    texts = save_report_pages(page, tmp_path / "again.pdf", monkeypatch, "print-again")
    assert len(texts) == 2
    assert "700" in texts[1]
    assert paired_session.printouts.problems() == ()
    assert not page.get_action("print-again").isEnabled()


def test_dismiss_stale_printouts_marks_them_as_waived(paired_session: Session, qtbot: QtBot) -> None:
    page = get_printouts_page(show_window(paired_session, qtbot, "papers"))
    request = PrintRequest("pairings-by-name", paired_session.index.divisions, 1, "en", "a4")
    paired_session.printouts.record_printouts(
        paired_session.printouts.make_print_service().make_pdf([request]).list_printouts()
    )
    player = next(iter(paired_session.tournament.players))
    paired_session.do(partial(commands.edit_player, player=player, name="Somebody Else"))
    paired_session.printouts.check_printouts_in_background()
    assert map_rows_by_report(page)["pairings-by-name"].state is PrintoutState.STALE
    page.dismiss_stale_printouts()
    assert map_rows_by_report(page)["pairings-by-name"].state is PrintoutState.WAIVED
    assert paired_session.printouts.problems() == ()
    paired_session.do(partial(commands.edit_player, player=player, name="Another One"))
    paired_session.printouts.check_printouts_in_background()
    assert map_rows_by_report(page)["pairings-by-name"].state is PrintoutState.STALE


def test_print_run_paints_all_reports_as_one_job(
    paired_session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PrintQueues, "load_cups_queues", lambda: None)
    printer = QPrinter(QPrinter.PrinterMode.ScreenResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "out.pdf"))
    division = paired_session.index.divisions
    document = paired_session.printouts.make_print_service().make_pdf(
        [
            PrintRequest("pairings-by-name", division, 1, "en", "a4"),
            PrintRequest("wall-chart", division, 1, "en", "letter"),
        ]
    )
    PrintJobRun(paired_session, printer, document, on_refusal=pytest.fail).start_printing()
    document = pypdfium2.PdfDocument(tmp_path / "out.pdf")
    sizes = [tuple(round(side) for side in pdf_page.get_size()) for pdf_page in document]
    document.close()
    assert sizes == [(595, 842), (792, 612)]
    assert len(paired_session.tournament.printouts) == 2


@pytest.mark.slow
def test_report_set_panel_edits_the_reports_of_a_moment(paired_session: Session, qtbot: QtBot) -> None:
    window = show_window(paired_session, qtbot, "papers")
    page = get_printouts_page(window)
    page.open_edit_report_set_panel()
    panel = window.panel
    assert isinstance(panel, EditReportSetPanel)
    panel.lines[2].report.choose_value("score-sheets")
    panel.lines[0].copies.setText("3")
    panel.lines[0].copies.editingFinished.emit()
    panel.lines[0].language.choose_value("nb")
    panel.lines[1].remove_button.click()  # type: ignore[attr-defined] # a button
    assert [(request.report, request.copies, request.language) for request in page.list_print_requests()] == [
        ("pairings-by-name", 3, "nb"), ("score-sheets", 1, "en"),
    ]  # fmt: skip
    paired_session.undo()
    assert [line.report.value() for line in panel.lines] == [
        "pairings-by-name",
        "pairings-by-table",
        "score-sheets",
    ]
    panel.replace_report_choice(panel._shown_content[2], panel._shown_content[2], offset=-1)
    assert [request.report for request in page.list_print_requests()] == [
        "pairings-by-name",
        "score-sheets",
        "pairings-by-table",
    ]
    panel.report_choice.choose_value("standings")
    assert len(panel.lines) == 4
    panel.reset_button.click()
    assert not paired_session.tournament.papers


def test_report_set_panel_restores_an_invalid_number_of_copies(paired_session: Session, qtbot: QtBot) -> None:
    panel = EditReportSetPanel(paired_session, PrintingMoment.ROUND)
    qtbot.addWidget(panel)
    for typed_text in ("0", "many", "9999"):
        panel.lines[0].copies.setText(typed_text)
        panel.lines[0].copies.editingFinished.emit()
        assert panel.lines[0].copies.text() == "1"


def test_printouts_page_prints_reports_of_all_divisions(paired_session: Session, qtbot: QtBot) -> None:
    paired_session.do(partial(commands.add_division, key="d2", code="B"))
    page = get_printouts_page(show_window(paired_session, qtbot, "papers"))
    assert [len(request.divisions) for request in page.list_print_requests()] == [1, 1, 1]
    page.all_divisions.setChecked(True)
    assert [len(request.divisions) for request in page.list_print_requests()] == [2, 2, 2]
    printout = paired_session.printouts.make_print_service().make_pdf(page.list_print_requests())
    assert [code for _, code in printout.left_out] == ["B", "B", "B"]  # division B has no round yet
    page.moment.choose_value(PrintingMoment.AFTER)
    assert [len(request.divisions) for request in page.list_print_requests()] == [2, 2]


@pytest.mark.slow
def test_print_action_without_content_prints_nothing(session: Session, qtbot: QtBot) -> None:
    page = get_printouts_page(show_window(session, qtbot, "papers"))
    page.moment.choose_value(PrintingMoment.ROUND)
    messages = collect_messages(session)
    page.print_report_set()
    assert messages == ["Division A has no published round yet."]


def make_png(width: int = 40, height: int = 20) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.darkBlue)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


SVG_LOGO = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0h40v20H0z" fill="#036"/></svg>'
)


@pytest.mark.parametrize(("name", "content"), [("club.png", make_png()), ("club.svg", SVG_LOGO)])
def test_set_logo_adds_the_logo_to_reports(
    paired_session: Session, qtbot: QtBot, tmp_path: Path, name: str, content: bytes
) -> None:
    page = get_printouts_page(show_window(paired_session, qtbot, "papers"))
    (tmp_path / name).write_bytes(content)
    page.set_logo(tmp_path / name)
    assert [row.name for row in paired_session.tournament.logos.values()] == [name]
    request = PrintRequest("standings", paired_session.index.divisions, 1, "en", "a4")
    document = pypdfium2.PdfDocument(paired_session.printouts.make_print_service().make_pdf([request]).pdf)
    image = document[0].render(scale=2).to_pil().convert("RGB")
    document.close()
    assert isinstance(image, Image.Image)
    colours = {colour for _, colour in image.getcolors(10_000_000) or () if isinstance(colour, tuple)}
    assert any(blue > 2 * red + 60 for red, _, blue in colours)
    page.get_action("remove-logo").trigger()
    assert not paired_session.tournament.logos


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.png", b"no picture"),
        ("x.png", make_png()[:60]),
        ("x.svg", b"<svg><image href='file:///etc/passwd'/></svg>"),
        ("x.svg", b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>"),
        ("x.svg", b"<svg width='0' height='0'/>"),
        ("x.gif", b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"),
    ],
)
def test_encode_logo_refuses_hostile_and_broken_images(qapp: object, name: str, content: bytes) -> None:
    with pytest.raises(InputError, match="logo-unreadable"):
        convert_logo_or_svg_to_base64(content, name)


@pytest.mark.slow
def test_encode_logo_limits_pixels_and_reduces_large_images(qapp: object) -> None:
    with pytest.raises(InputError, match="logo-too-many-pixels"):
        convert_logo_or_svg_to_base64(make_png(7000, 2), "x.png")
    assert len(convert_logo_or_svg_to_base64(make_png(3000, 3000), "x.png")) < 300_000
