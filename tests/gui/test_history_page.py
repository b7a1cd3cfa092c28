"""Tests of the History page: filters, past tournament states, snapshots, backups and damaged files."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFrame, QLabel
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.model import GameSide
from tdapp.domain.ruleset import OvertimeKind, OvertimeRule
from tdapp.gui.history.page import HistoryPage, SnapshotsPanel, VerifyChecksumsDialog
from tdapp.gui.shell.data_loss_dialogs import DamagedFileDialog, SalvageReportDialog
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.pairing import propose_pairings
from tdapp.storage import SnapshotReason, Store
from tests.gui.samples import A, load_catalogue, make_tournament
from tests.gui.windows import answer_file_dialogs, show_window


def open_history_page(session: Session, tmp_path: Path, qtbot: QtBot) -> tuple[Window, HistoryPage]:
    """Show the History page of a file with a published first round."""
    Store.create(tmp_path / "Open.tdapp", make_tournament(players=4)).close()
    session.open_tournament_of_desk(Desk.open(tmp_path / "Open.tdapp"))
    session.do(partial(commands.edit_event, place="Oslo"), quiet=True)
    pair_next_round(session)
    window = show_window(session, qtbot, "history")
    page = window.pages.get_page("history")
    assert isinstance(page, HistoryPage)
    return window, page


def pair_next_round(session: Session) -> None:
    """Pair and publish the next round."""
    session.do(
        partial(commands.pair_round, key=session.make_row_id(), proposal=propose_pairings(session.index, A)),
        quiet=True,
    )


def list_snapshot_reasons(session: Session) -> list[SnapshotReason]:
    """Return the reason of each snapshot, newest first."""
    assert session.desk.snapshots is not None
    return [item.reason for item in session.desk.snapshots.list_snapshots_newest_first()]


def test_backup_takes_snapshots_at_opening_and_before_pairing(empty_session: Session, tmp_path: Path) -> None:
    Store.create(tmp_path / "Open.tdapp", make_tournament(players=4)).close()
    empty_session.open_tournament_of_desk(Desk.open(tmp_path / "Open.tdapp"))
    empty_session.do(partial(commands.edit_event, place="Oslo"), quiet=True)
    pair_next_round(empty_session)
    assert list_snapshot_reasons(empty_session) == [SnapshotReason.PAIRING, SnapshotReason.START]
    empty_session.backups.take_snapshot(SnapshotReason.TIME)
    empty_session.backups.take_snapshot(SnapshotReason.TIME)
    assert list_snapshot_reasons(empty_session) == [
        SnapshotReason.TIME,
        SnapshotReason.PAIRING,
        SnapshotReason.START,
    ]


def test_history_page_filters_steps_by_kind_and_between_snapshots(
    empty_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    window, page = open_history_page(empty_session, tmp_path, qtbot)
    page._kind.choose_value("rounds")
    assert page.rows.keys() == ("2",)
    page._kind.choose_value("")
    page.open_snapshots_panel()
    panel = window.panel
    assert isinstance(panel, SnapshotsPanel)
    panel.view.select_row(panel.rows.keys()[1])
    panel._request_snapshot_comparison()
    assert page.rows.keys() == ("2",)
    assert page._step_range_label.text() == "Steps 2 to 2"
    page.show_all_steps()
    assert page.rows.keys() == ("2", "1")


@pytest.mark.slow
def test_history_page_reports_no_changes_since_a_snapshot(
    empty_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    _window, page = open_history_page(empty_session, tmp_path, qtbot)
    page.show_steps_between_revisions(2, 2)
    assert page.rows.keys() == ()
    assert page._step_range_label.text() == "Nothing has changed since step 2."
    assert "No step matches the search." in [label.text() for label in page.view.findChildren(QLabel)]


def test_history_page_finds_a_result_by_player_and_round(
    empty_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    _, page = open_history_page(empty_session, tmp_path, qtbot)
    game = empty_session.index.get_game(empty_session.index.get_round(A, 1).id, 1)
    empty_session.do(partial(commands.enter_result, game=game.id, first=400, second=300), quiet=True)
    names = [empty_session.tournament.players[player_id].name for player_id in (game.first, game.second)]
    row = page.rows.find_row_by_key("3")
    assert page._describe_step(row) == f"Result of table 1 entered · 400–300 · Round 1 · {names[0]} – {names[1]}"
    assert re.fullmatch(r".* 20\d\d, \d\d:\d\d:\d\d", page._format_step_time(row))
    page.view.filter_rows(names[1])
    assert "3" in page.rows.keys()  # noqa: SIM118
    empty_session.do(partial(commands.enter_result, game=game.id, first=400, second=330), quiet=True)
    empty_session.do(partial(commands.enter_result, game=game.id, forfeit=GameSide.FIRST), quiet=True)
    empty_session.do(partial(commands.clear_result, game=game.id), quiet=True)
    descriptions = [page._describe_step(page.rows.find_row_by_key(key)) for key in "456"]
    prefix, players = "Round 1, table 1: ", f" · {names[0]} – {names[1]}"
    changes = (
        "result changed, 400–300 → 400–330",
        "result changed, 400–330 → forfeit by the first player",
        "result cleared (was forfeit by the first player)",
    )
    assert descriptions == [f"{prefix}{score}{players}" for score in changes]


@pytest.mark.slow
def test_history_page_names_the_division_and_score_of_a_step(
    empty_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    _, page = open_history_page(empty_session, tmp_path, qtbot)
    empty_session.do(partial(commands.add_division, key="d2", code="B"), quiet=True)
    game = empty_session.index.get_game(empty_session.index.get_round(A, 1).id, 1)
    empty_session.do(partial(commands.enter_result, game=game.id, first=400, second=300), quiet=True)
    description = page._describe_step(page.rows.find_row_by_key(page.rows.keys()[0]))
    assert description.count("Division A") == 1
    assert " · 400–300 · " in description


@pytest.mark.slow
@pytest.mark.parametrize(("result", "expected_text"), [
    ({"forfeit": GameSide.BOTH}, "forfeit by both"),
    ({"forfeit": GameSide.SECOND}, "forfeit by the second player"),
    ({"first": 400, "second": 300, "flag": GameSide.FIRST}, "400 time–300"),
])  # fmt: skip
def test_history_page_names_a_forfeit_or_loss_on_time(
    empty_session: Session, tmp_path: Path, qtbot: QtBot, result: dict[str, Any], expected_text: str
) -> None:
    _, page = open_history_page(empty_session, tmp_path, qtbot)
    rules = replace(empty_session.tournament.ruleset, overtime=OvertimeRule(OvertimeKind.FLAG))
    empty_session.do(partial(commands.change_rules, ruleset=rules), quiet=True)
    game = empty_session.index.get_game(empty_session.index.get_round(A, 1).id, 1)
    empty_session.do(partial(commands.enter_result, game=game.id, **result), quiet=True)
    assert f" · {expected_text} · " in page._describe_step(page.rows.find_row_by_key(page.rows.keys()[0]))


@pytest.mark.styled
def test_past_window_shows_an_earlier_state(empty_session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    window, page = open_history_page(empty_session, tmp_path, qtbot)
    page.view.setFocus()
    page.view.select_row("1")
    QTest.keyClick(page.view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.past is not None and window.past.isVisible())
    past_window = window.past
    assert past_window is not None
    assert past_window.session.tournament.event.place == "Oslo"
    assert not past_window.session.tournament.rounds
    assert past_window.session.is_read_only_or_not_director
    assert "as it was after step 1" in past_window.windowTitle()
    banner = past_window.findChild(QFrame, "past")
    assert banner is not None
    assert banner.isVisible()
    assert banner.width() > past_window.width() * 0.95
    assert banner.palette().color(banner.backgroundRole()) != window.palette().color(window.backgroundRole())
    assert window.findChild(QFrame, "past") is None
    past_window.show_page("history")
    history = past_window.page
    assert isinstance(history, HistoryPage)
    assert [*history.rows.keys()] == ["1"]
    history.view.select_row("1")
    history.view_past_step()
    assert past_window.past is None  # a past state cannot open an earlier one
    assert not past_window.get_action("look-back").isEnabled()
    assert not past_window.get_action("undo").isEnabled()
    past_window.get_action("close").trigger()
    assert not past_window.isVisible()
    assert empty_session.tournament.rounds
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert window.past is None


@pytest.mark.slow
def test_past_window_of_a_draft_offers_no_actions(empty_session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    Store.create(tmp_path / "Open.tdapp", make_tournament(players=4)).close()
    empty_session.open_tournament_of_desk(Desk.open(tmp_path / "Open.tdapp"))
    proposal = propose_pairings(empty_session.index, A)
    empty_session.do(
        partial(commands.propose_round, key=empty_session.make_row_id(), proposal=proposal), quiet=True
    )
    window = show_window(empty_session, qtbot, "history")
    page = window.pages.get_page("history")
    assert isinstance(page, HistoryPage)
    page.view.select_row("1")
    page.view_past_step()
    qtbot.waitUntil(lambda: window.past is not None and window.past.isVisible())
    assert window.past is not None
    for shown_window, has_buttons in ((window, True), (window.past, False)):
        shown_window.show_page("rounds")
        page_text = " ".join(label.text() for label in shown_window.page.findChildren(QLabel))
        assert "Draft: players cannot see this round yet." in page_text
        assert ("Publish the round" in page_text) is ("Press Space" in page_text) is has_buttons


@pytest.mark.styled
def test_snapshots_panel_names_a_snapshot_and_opens_it_as_a_new_file(
    empty_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    window, page = open_history_page(empty_session, tmp_path, qtbot)
    page.open_snapshots_panel()
    panel = window.panel
    assert isinstance(panel, SnapshotsPanel)
    QTest.keyClicks(panel.name, "before the final")
    QTest.keyClick(panel.name, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert panel.view.horizontalHeader().length() <= panel.view.viewport().width()
    snapshots = [panel.rows.find_row_by_key(key) for key in panel.rows.keys()]  # noqa: SIM118
    row = next(row for row in snapshots if row.taken is SnapshotReason.NAMED)
    assert (row.taken, row.snapshot_name, row.since) == (SnapshotReason.NAMED, "before the final", 0)
    start_snapshot = panel.rows.find_row_by_key(panel.rows.keys()[-1])
    panel.open_snapshot_copy(start_snapshot.snapshot, tmp_path / "Again.tdapp")
    assert empty_session.path == tmp_path / "Again.tdapp"
    assert not empty_session.tournament.rounds


def test_backup_copies_to_the_second_folder_with_each_round(
    empty_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    usb_folder = tmp_path / "usb"
    usb_folder.mkdir()
    Store.create(tmp_path / "Open.tdapp", make_tournament(players=4)).close()
    empty_session.open_tournament_of_desk(Desk.open(tmp_path / "Open.tdapp"))
    empty_session.backups.second_folder = usb_folder
    pair_next_round(empty_session)
    assert len(list((usb_folder / "Open snapshots").iterdir())) == 2
    assert not empty_session.backups.problems()


def test_backup_reports_a_missing_second_folder(empty_session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    Store.create(tmp_path / "Open.tdapp", make_tournament(players=4)).close()
    empty_session.open_tournament_of_desk(Desk.open(tmp_path / "Open.tdapp"))
    empty_session.backups.second_folder = tmp_path / "missing"
    pair_next_round(empty_session)
    assert empty_session.tournament.rounds
    assert [problem.code for problem in empty_session.backups.problems()] == ["copy-failed"]
    assert not (tmp_path / "missing").exists()
    (tmp_path / "missing").mkdir()
    empty_session.backups.take_snapshot_in_second_folder()
    assert not empty_session.backups.problems()


def test_history_page_saves_the_list_as_csv(empty_session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    _, page = open_history_page(empty_session, tmp_path, qtbot)
    page.save_steps_as_csv(tmp_path / "history.csv")
    text = (tmp_path / "history.csv").read_text(encoding="utf-8-sig")
    assert "Round 1 paired and published" in text
    page.search.setText("paired and")
    page.save_steps_as_csv(tmp_path / "search.csv")
    lines = (tmp_path / "search.csv").read_text(encoding="utf-8-sig").splitlines()[1:]
    assert 0 < len(lines) < len(text.splitlines()) - 1
    assert all("paired and" in line for line in lines)


def test_snapshots_panel_checks_the_minutes(empty_session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    window, page = open_history_page(empty_session, tmp_path, qtbot)
    page.open_snapshots_panel()
    panel = window.panel
    assert isinstance(panel, SnapshotsPanel)
    for text, minutes in (("0", 5), ("x", 5), ("10", 10)):
        panel.minutes.setText(text)
        panel.minutes.setModified(True)
        panel.minutes.editingFinished.emit()
        assert empty_session.backups.interval_minutes == minutes


def make_damaged_file(session: Session, tmp_path: Path) -> Path:
    """Return a file with zeros in its second half, and an undamaged snapshot."""
    path = tmp_path / "Open.tdapp"
    Store.create(path, make_tournament(players=4)).close()
    session.open_tournament_of_desk(Desk.open(path))
    session.open_tournament_of_desk(None)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2] + bytes(len(data) // 2))
    return path


@pytest.mark.styled
def test_rescue_dialog_opens_the_newest_snapshot_of_a_damaged_file(
    empty_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    window = show_window(empty_session, qtbot)
    path = make_damaged_file(empty_session, tmp_path)
    content_before = path.read_bytes()
    empty_session.open_file(path)
    dialog = window.findChild(DamagedFileDialog)
    assert isinstance(dialog, DamagedFileDialog)
    texts = [label for label in dialog.findChildren(QLabel) if label.wordWrap()]
    assert all(text.height() >= text.heightForWidth(text.width()) for text in texts)
    with answer_file_dialogs(tmp_path / "Again.tdapp"):
        dialog.confirm_dialog()
    assert empty_session.path == tmp_path / "Again.tdapp"
    assert len(empty_session.index.players(A)) == 4
    assert path.read_bytes() == content_before


def test_rescue_dialog_salvages_data_without_a_snapshot(
    empty_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    window = show_window(empty_session, qtbot)
    path = make_damaged_file(empty_session, tmp_path)
    for item in (tmp_path / "Open snapshots").iterdir():
        item.unlink()
    path.unlink()
    Store.create(path, make_tournament(players=4)).close()
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE meta SET head = 'x'")
        file.commit()
    content_before = path.read_bytes()
    empty_session.open_file(path)
    dialog = window.findChild(DamagedFileDialog)
    assert isinstance(dialog, DamagedFileDialog)
    assert not empty_session.is_open
    with answer_file_dialogs(path):
        dialog.confirm_dialog()
    assert "already" in dialog.error.text()
    with answer_file_dialogs(tmp_path / "Again.tdapp"):
        dialog.confirm_dialog()
    assert empty_session.path == tmp_path / "Again.tdapp"
    assert len(empty_session.index.players(A)) == 4
    assert path.read_bytes() == content_before
    report_dialog = window.findChild(SalvageReportDialog)
    assert isinstance(report_dialog, SalvageReportDialog)
    assert "All data in the file agrees with the version that was last saved." in [
        label.text() for label in report_dialog.findChildren(QLabel)
    ]
    report_dialog.yes.click()


def test_rescue_dialog_reports_an_unreadable_file(empty_session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    window, path = show_window(empty_session, qtbot), tmp_path / "Open.tdapp"
    Store.create(path, make_tournament(players=4)).close()
    path.write_bytes(path.read_bytes()[:4096] + bytes(40960))
    empty_session.open_file(path)
    dialog = window.findChild(DamagedFileDialog)
    assert isinstance(dialog, DamagedFileDialog)
    with answer_file_dialogs(tmp_path / "Again.tdapp"):
        dialog.confirm_dialog()
    assert "nothing can be saved" in dialog.error.text()
    assert not (tmp_path / "Again.tdapp").exists()


def test_session_shows_changes_of_another_process(empty_session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    _, page = open_history_page(empty_session, tmp_path, qtbot)
    other_desk = Desk.open(tmp_path / "Open.tdapp")
    other_desk.do(partial(commands.edit_event, place="Bergen"))
    other_desk.close()
    qtbot.waitUntil(lambda: empty_session.tournament.event.place == "Bergen")
    assert page.rows.keys()[0] == "3"


@pytest.mark.slow
def test_history_page_selects_a_clicked_step(empty_session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    window, page = open_history_page(empty_session, tmp_path, qtbot)
    window.show()
    page.refresh_page()
    button = page.get_action("look-back")
    page.view.clearSelection()
    page.view.setCurrentIndex(page.rows.index(-1, -1))
    page.refresh_page()
    assert not button.isEnabled()
    position = page.view.visualRect(page.rows.index(1, 2)).center()
    QTest.mouseClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert page.view.get_current_row_key() == page.rows.keys()[1]
    assert button.isEnabled()


def test_verify_dialog_checks_several_codes(empty_session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    window, page = open_history_page(empty_session, tmp_path, qtbot)
    first = str(empty_session.tournament.head)
    empty_session.do(partial(commands.edit_event, place="Bergen"), quiet=True)
    page.get_action("verify").trigger()
    (dialog,) = window.findChildren(VerifyChecksumsDialog)
    assert (
        dialog.result_label.text()
        == f"The history is intact.\nThe file’s latest check code is {empty_session.tournament.head}."
    )
    dialog.code_field.setText(first[:-1] + "X" if first[-1] != "X" else "Y")
    QTest.keyClick(dialog.code_field, Qt.Key.Key_Return)
    assert "typing error" in dialog.error.text()
    for head in (first.lower(), "K7QM"):
        dialog.code_field.setText(head)
        QTest.keyClick(dialog.code_field, Qt.Key.Key_Return)
    assert dialog.result_label.text().splitlines()[2].startswith(f"Check code {first} is in the history")
    assert dialog.error.isVisibleTo(dialog)
    dialog.close()


def test_session_reports_a_clock_set_back_once(empty_session: Session, tmp_path: Path, qtbot: QtBot) -> None:
    times = iter(["2026-11-21T10:00:00+00:00", "2026-11-21T08:00:00+00:00", "2026-11-21T08:01:00+00:00"])
    Store.create(tmp_path / "Open.tdapp", make_tournament(players=4)).close()
    empty_session.open_tournament_of_desk(Desk.open(tmp_path / "Open.tdapp", clock=lambda: next(times)))
    messages: list[str] = []
    empty_session.message_sent.connect(lambda sentence, _undo, _tone: messages.append(sentence))
    for venue in ("Oslo", "Bergen", "Moss"):
        empty_session.do(partial(commands.edit_event, place=venue), quiet=True)
    assert [line.endswith("the computer’s clock jumped back by 120 minutes") for line in messages] == [True]
    steps = [empty_session.describe_step(step) for step in empty_session.desk.list_all_steps()]
    assert [" · the computer’s clock" in step for step in steps] == [False, True, False]


def test_undo_blocked_by_another_station_shows_its_step(
    empty_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    window, page = open_history_page(empty_session, tmp_path, qtbot)
    empty_session.do(partial(commands.edit_event, place="Leiden"), quiet=True)
    with closing(Desk.open(tmp_path / "Open.tdapp", station="two")) as other_desk:
        other_desk.do(partial(commands.edit_event, place="Bergen"))
        step_number = str(len(other_desk.list_all_steps()))
        other_desk.do(partial(commands.add_player, key="p", division=A, name="Anna"))
    messages: list[str] = []
    empty_session.message_sent.connect(lambda sentence, _undo, _tone: messages.append(sentence))
    assert not window.get_action("blocking").isEnabled()
    window.get_action("undo").trigger()
    assert "two" in messages[-1]
    assert "Ctrl+Shift+H" in messages[-1]
    window.show_page("rounds")
    window.get_action("blocking").trigger()
    assert window.page is page
    assert page.view.get_current_row_key() == step_number
    empty_session.do(partial(commands.edit_event, place="Paris"), quiet=True)
    assert not window.get_action("blocking").isEnabled()


def test_session_warns_that_a_file_is_open_in_another_window(
    empty_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    open_history_page(empty_session, tmp_path, qtbot)
    other_session, messages = empty_session.make_past_state_session(), list[str]()
    other_session.message_sent.connect(lambda sentence, _undo, _tone: messages.append(sentence))
    other_session.open_file(tmp_path / "Open.tdapp")
    assert [message for message in messages if "open in another window" in message]
    other_session.open_tournament_of_desk(None)
    messages.clear()
    empty_session.open_tournament_of_desk(None)
    other_session.open_file(tmp_path / "Open.tdapp")
    assert messages == []
    other_session.close()


@pytest.mark.slow
def test_history_page_names_the_director_in_the_window_language(
    empty_session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    empty_session.catalogue = load_catalogue("nb")
    _, page = open_history_page(empty_session, tmp_path, qtbot)
    assert {page.rows.index(row, 2).data() for row in range(page.rows.rowCount())} == {"turneringsleder"}
