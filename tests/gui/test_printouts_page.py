"""The Printouts page: available, printed and outdated reports; a round's reports in one action; the logo."""

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
from tdapp.domain.paper import Moment
from tdapp.gui.printouts import page as papers
from tdapp.gui.printouts.page import PrintoutsPage, ReportSetPanel
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.printouts.print_run import PrintJobRun
from tdapp.gui.printouts.printer import encode_logo
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.session import Session
from tdapp.pairing import propose_pairings
from tdapp.reports import REPORTS
from tdapp.reports.printed import PrintState
from tdapp.services.print_queue import PrintQueues
from tdapp.services.printing import PrintRequest
from tests.gui.samples import A, make_desk, make_tournament
from tests.gui.windows import get_page, show_window


@pytest.fixture
def round_one(empty_session: Session) -> Session:
    """A session with a paired round."""
    empty_session.attach_desk(make_desk(make_tournament(players=12)))
    empty_session.do(
        partial(
            commands.pair_round, key=empty_session.make_row_id(), proposal=propose_pairings(empty_session.index, A)
        )
    )
    return empty_session


page_of = partial(get_page, kind=PrintoutsPage)


def rows(page: PrintoutsPage) -> dict[str, papers.PrintoutRow]:
    return {row.key: row for row in page._make_printout_table().rows}


def play(session: Session) -> None:
    item = session.round
    assert item is not None
    for place, game in enumerate(session.index.games(item.id)):
        session.do(partial(commands.enter_result, game=game.id, first=400 + place, second=350))


def save(page: PrintoutsPage, path: Path, monkeypatch: pytest.MonkeyPatch, name: str = "save-all") -> list[str]:
    """Let a command write a file, and return the text of its pages."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    monkeypatch.setattr(papers, "explain_missing_printer", lambda _catalogue: "No printer.")
    page.command(name).trigger()
    document = pypdfium2.PdfDocument(path.read_bytes())
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


@pytest.mark.slow
def test_save_all_leaves_out_empty_reports(
    round_one: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_of(show_window(round_one, qtbot, "papers"))
    play(round_one)
    page.moment.choose(Moment.END)
    told: list[str] = []
    round_one.message_sent.connect(lambda sentence, _undo, _tone: told.append(sentence))
    pages = save(page, tmp_path / "all.pdf", monkeypatch)
    assert not any("There are no prizes." in text for text in pages)
    assert told[-1] == "Saved as all.pdf · Left out because there is nothing to print: Prizes"


def test_printouts_page_opens_by_its_key_and_lists_every_report(round_one: Session, qtbot: QtBot) -> None:
    window = show_window(round_one, qtbot)
    QTest.keyClick(window.page, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
    page = page_of(window)
    assert set(rows(page)) == set(REPORTS)
    assert {row.state for row in rows(page).values()} == {PrintState.UNPRINTED}
    assert not page.sheet.pixmap().isNull()


def test_save_all_records_the_reports_of_a_round_in_one_step(
    round_one: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_of(show_window(round_one, qtbot, "papers"))
    assert page.moment.value() is Moment.ROUND
    texts = save(page, tmp_path / "all.pdf", monkeypatch)
    assert "find your table" in texts[0]
    assert "pairings" in texts[1]
    out = {key for key, row in rows(page).items() if row.state is PrintState.PRINTED}
    assert out == {"pairings-by-name", "pairings-by-table", "slips"}
    play(round_one)
    assert page.moment.value() is Moment.AFTER


def test_print_round_works_from_any_page(
    round_one: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = show_window(round_one, qtbot, "rounds")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "all.pdf"), ""))
    monkeypatch.setattr(papers, "explain_missing_printer", lambda _catalogue: "No printer.")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF")
    assert isinstance(window.page, PrintoutsPage)
    assert {row.report for row in round_one.tournament.printouts.values()} == {
        "pairings-by-name", "pairings-by-table", "slips",
    }  # fmt: skip


@pytest.mark.slow
def test_printouts_page_does_not_record_a_preview(round_one: Session, qtbot: QtBot) -> None:
    page = page_of(show_window(round_one, qtbot, "papers"))
    page.reveal_row("slips")
    QTest.keyClick(page, Qt.Key.Key_F8)
    preview = next(one for one in page.window().findChildren(PrintPreview) if one.isVisible())
    assert preview.report.value() == "slips"
    preview.reject()
    assert not round_one.tournament.printouts


def test_printouts_page_prints_only_stale_reports_again(
    round_one: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(round_one)
    page = page_of(show_window(round_one, qtbot, "papers"))
    save(page, tmp_path / "after.pdf", monkeypatch)
    undoable = round_one.desk.undo_step
    assert undoable is not None
    assert undoable.label == "enter-result"
    assert round_one.printouts.problems() == ()
    item = round_one.round
    assert item is not None
    game = round_one.index.games(item.id)[0]
    round_one.do(partial(commands.enter_result, game=game.id, first=700, second=350))
    qtbot.waitUntil(lambda: bool(round_one.printouts.list_stale_printouts()))
    problem = round_one.printouts.problems()[0]
    assert (problem.code, problem.page) == ("paper-stale", "papers")
    assert problem.facts["paper"] == "Standings, round 1; Crosstable, round 1"
    assert PAGES["papers"].count_tasks(page.session) == 2
    texts = save(page, tmp_path / "again.pdf", monkeypatch, "print-again")
    assert len(texts) == 2
    assert "700" in texts[1]
    assert round_one.printouts.problems() == ()
    assert not page.command("print-again").isEnabled()


def test_waive_reprint_leaves_stale_reports(round_one: Session, qtbot: QtBot) -> None:
    page = page_of(show_window(round_one, qtbot, "papers"))
    wanted = PrintRequest("pairings-by-name", round_one.index.divisions, 1, "en", "a4")
    round_one.printouts.record_printouts(
        round_one.printouts.make_print_service().make_pdf([wanted]).list_printouts()
    )
    player = next(iter(round_one.tournament.players))
    round_one.do(partial(commands.edit_player, player=player, name="Somebody Else"))
    round_one.printouts.update_stale_printouts()
    assert rows(page)["pairings-by-name"].state is PrintState.STALE
    page.dismiss_stale_printouts()
    assert rows(page)["pairings-by-name"].state is PrintState.WAIVED
    assert round_one.printouts.problems() == ()
    round_one.do(partial(commands.edit_player, player=player, name="Another One"))
    round_one.printouts.update_stale_printouts()
    assert rows(page)["pairings-by-name"].state is PrintState.STALE


def test_print_run_paints_all_reports_as_one_job(
    round_one: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PrintQueues, "find_queues", lambda: None)
    printer = QPrinter(QPrinter.PrinterMode.ScreenResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "out.pdf"))
    division = round_one.index.divisions
    made = round_one.printouts.make_print_service().make_pdf(
        [
            PrintRequest("pairings-by-name", division, 1, "en", "a4"),
            PrintRequest("wall-chart", division, 1, "en", "letter"),
        ]
    )
    PrintJobRun(round_one, printer, made, on_refusal=pytest.fail).start_printing()
    document = pypdfium2.PdfDocument(tmp_path / "out.pdf")
    sizes = [tuple(round(side) for side in sheet.get_size()) for sheet in document]
    document.close()
    assert sizes == [(595, 842), (792, 612)]
    assert len(round_one.tournament.printouts) == 2


@pytest.mark.slow
def test_report_set_panel_changes_the_set_of_a_moment(round_one: Session, qtbot: QtBot) -> None:
    window = show_window(round_one, qtbot, "papers")
    page = page_of(window)
    page.open_report_set_panel()
    panel = window.panel
    assert isinstance(panel, ReportSetPanel)
    panel.lines[2].report.choose("score-sheets")
    panel.lines[0].copies.setText("3")
    panel.lines[0].copies.editingFinished.emit()
    panel.lines[0].language.choose("nb")
    panel.lines[1].remove_button.click()  # type: ignore[attr-defined] # a button
    assert [(one.report, one.copies, one.language) for one in page.list_print_requests()] == [
        ("pairings-by-name", 3, "nb"), ("score-sheets", 1, "en"),
    ]  # fmt: skip
    round_one.undo()
    assert [line.report.value() for line in panel.lines] == [
        "pairings-by-name",
        "pairings-by-table",
        "score-sheets",
    ]
    panel.replace_report_choice(panel._shown_content[2], panel._shown_content[2], offset=-1)
    assert [one.report for one in page.list_print_requests()] == [
        "pairings-by-name",
        "score-sheets",
        "pairings-by-table",
    ]
    panel.report_choice.choose("standings")
    assert len(panel.lines) == 4
    panel.reset_button.click()
    assert not round_one.tournament.papers


def test_report_set_panel_restores_an_invalid_number_of_copies(round_one: Session, qtbot: QtBot) -> None:
    panel = ReportSetPanel(round_one, Moment.ROUND)
    qtbot.addWidget(panel)
    for typed in ("0", "many", "9999"):
        panel.lines[0].copies.setText(typed)
        panel.lines[0].copies.editingFinished.emit()
        assert panel.lines[0].copies.text() == "1"


def test_printouts_page_prints_all_divisions_with_the_round(round_one: Session, qtbot: QtBot) -> None:
    round_one.do(partial(commands.add_division, key="d2", code="B"))
    page = page_of(show_window(round_one, qtbot, "papers"))
    assert [len(one.divisions) for one in page.list_print_requests()] == [1, 1, 1]
    page.all_divisions.setChecked(True)
    assert [len(one.divisions) for one in page.list_print_requests()] == [2, 2, 2]
    made = round_one.printouts.make_print_service().make_pdf(page.list_print_requests())
    assert [code for _, code in made.left_out] == ["B", "B", "B"]  # it has no round yet
    page.moment.choose(Moment.AFTER)
    assert [len(one.divisions) for one in page.list_print_requests()] == [2, 2]


@pytest.mark.slow
def test_print_all_without_content_prints_nothing(session: Session, qtbot: QtBot) -> None:
    page = page_of(show_window(session, qtbot, "papers"))
    page.moment.choose(Moment.ROUND)
    told: list[str] = []
    session.message_sent.connect(lambda sentence, _undo, _tone: told.append(sentence))
    page.print_listed_reports()
    assert told == ["Division A has no published round yet."]


def png(width: int = 40, height: int = 20) -> bytes:
    picture = QImage(width, height, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.darkBlue)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0h40v20H0z" fill="#036"/></svg>'


@pytest.mark.parametrize(("name", "content"), [("club.png", png()), ("club.svg", SVG)])
def test_set_logo_puts_the_logo_on_reports(
    round_one: Session, qtbot: QtBot, tmp_path: Path, name: str, content: bytes
) -> None:
    page = page_of(show_window(round_one, qtbot, "papers"))
    (tmp_path / name).write_bytes(content)
    page.set_logo(tmp_path / name)
    assert [row.name for row in round_one.tournament.logos.values()] == [name]
    wanted = PrintRequest("standings", round_one.index.divisions, 1, "en", "a4")
    document = pypdfium2.PdfDocument(round_one.printouts.make_print_service().make_pdf([wanted]).pdf)
    picture = document[0].render(scale=2).to_pil().convert("RGB")
    document.close()
    assert isinstance(picture, Image.Image)
    colours = {colour for _, colour in picture.getcolors(10_000_000) or () if isinstance(colour, tuple)}
    assert any(blue > 2 * red + 60 for red, _, blue in colours)
    page.command("remove-logo").trigger()
    assert not round_one.tournament.logos


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.png", b"no picture"),
        ("x.png", png()[:60]),
        ("x.svg", b"<svg><image href='file:///etc/passwd'/></svg>"),
        ("x.svg", b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>"),
        ("x.svg", b"<svg width='0' height='0'/>"),
        ("x.gif", b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"),
    ],
)
def test_load_logo_file_refuses_hostile_and_broken_pictures(qapp: object, name: str, content: bytes) -> None:
    with pytest.raises(InputError, match="logo-unreadable"):
        encode_logo(content, name)


@pytest.mark.slow
def test_load_logo_file_refuses_too_many_pixels_and_reduces_a_large_picture(qapp: object) -> None:
    with pytest.raises(InputError, match="logo-too-many-pixels"):
        encode_logo(png(7000, 2), "x.png")
    assert len(encode_logo(png(3000, 3000), "x.png")) < 300_000
