"""Files in and out by the window's menus: results, whole tournaments, exports."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.entries import EventEntry
from tdapp.domain.model import Forfeit
from tdapp.domain.ruleset import OvertimeKind, OvertimeRule
from tdapp.exchange import exports, imports
from tdapp.gui.shell.file_actions import ImportExportActions
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import SanctionKind
from tests.gui.samples import A
from tests.gui.windows import answer_file_dialogs


def make_transfers(session: Session, qtbot: QtBot) -> ImportExportActions:
    window = Window(session)
    qtbot.addWidget(window)
    return ImportExportActions(window)


@pytest.mark.slow
def test_export_file_writes_every_format_for_the_division(
    full_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    made = make_transfers(full_session, qtbot)
    full_session.do(
        partial(
            commands.pair_round, key=full_session.make_row_id(), proposal=propose_pairings(full_session.index, A)
        )
    )
    full_session.do(partial(commands.edit_event, date="2026-11-21"))
    full_session.do(partial(commands.set_times, division=A, times="10:00 +65"))
    assert exports.EXPORTS
    for kind in exports.EXPORTS:
        target = tmp_path / f"out.{kind}"
        with answer_file_dialogs(target):
            made.export_file(kind)
        content = exports.write_export(kind, full_session.index, "A", None, full_session.catalogue)
        files = {target: content} if isinstance(content, bytes) else {target / n: c for n, c in content.items()}
        for path, part in files.items():
            assert path.read_bytes() == part


def test_export_file_names_data_that_tsh_cannot_hold(full_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    made = make_transfers(full_session, qtbot)
    rules = replace(full_session.tournament.ruleset, overtime=OvertimeRule(OvertimeKind.FLAG))
    full_session.do(partial(commands.change_rules, ruleset=rules))
    full_session.do(
        partial(
            commands.pair_round, key=full_session.make_row_id(), proposal=propose_pairings(full_session.index, A)
        )
    )
    games = full_session.index.games(full_session.index.rounds(A)[0].id)
    enter = partial(commands.enter_result, first=400, second=300)
    full_session.do(partial(enter, game=games[0].id, flag=Forfeit.SECOND))
    with qtbot.waitSignal(full_session.message_sent) as message, answer_file_dialogs(tmp_path / "one.t"):
        made.export_file("t")
    first_line, letters = str(message.args[0]).split("\n")
    assert first_line == "File saved: one.t"
    assert letters.startswith("tsh reads Latin-1")
    full_session.do(partial(enter, game=games[1].id, flag=Forfeit.FIRST))
    margin = partial(commands.add_sanction, key="x", kind=SanctionKind.MARGIN, points=50, why="rude")
    full_session.do(partial(margin, player=games[2].first))
    with qtbot.waitSignal(full_session.message_sent) as message, answer_file_dialogs(tmp_path / "two.t"):
        made.export_file("t")
    first_line, letters, games_said, fines_said, without = str(message.args[0]).split("\n")
    assert without == "This file format cannot store: sanctions."
    assert (first_line, message.args[2]) == ("File saved: two.t", "red")
    assert games_said.endswith("(round/table): 1/2.")
    assert full_session.tournament.players[games[2].first].name in fines_said
    assert (
        exports.list_unsupported_data("players", full_session.index, "A")
        == exports.list_unsupported_data("json", full_session.index, None)
        == ()
    )


def test_file_dialogs_start_beside_the_tournament(
    full_session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[str] = []

    def leave(_parent: object, _title: str, folder: str, _pattern: str) -> tuple[str, str]:
        folders.append(folder)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", leave)
    made = make_transfers(full_session, qtbot)
    made.import_results()
    (tmp_path / "open.tdapp").touch()
    full_session.settings.setValue("recent", [str(tmp_path / "open.tdapp")])
    made.import_results()
    made.import_tournament()
    assert folders == [str(Path.home()), str(tmp_path), str(tmp_path)]


def test_import_results_enters_a_file_and_can_be_undone(
    full_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    made = make_transfers(full_session, qtbot)
    proposal = propose_pairings(full_session.index, A)
    full_session.do(partial(commands.pair_round, key=full_session.make_row_id(), proposal=proposal))
    source = tmp_path / "results.csv"
    source.write_text("round,table,score1,score2\n1,1,400,300\n1,2,350,351\n", encoding="utf-8")
    with answer_file_dialogs(source):
        made.import_results()
    assert len(full_session.tournament.results) == 2
    full_session.undo()
    assert not full_session.tournament.results
    source.write_text("round,table,score1,score2\n1,1,400,300\n1,99,350,351\n", encoding="utf-8")
    with answer_file_dialogs(source):
        made.import_results()
    assert not full_session.tournament.results


def test_import_tournament_reads_json(full_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    made = make_transfers(full_session, qtbot)
    before = full_session.tournament
    with answer_file_dialogs(tmp_path / "all.json"):
        made.export_file("json")
    with answer_file_dialogs(tmp_path / "all.json", tmp_path / "again.tdapp"):
        made.import_tournament()
    assert full_session.path == tmp_path / "again.tdapp"
    assert full_session.tournament.players == before.players


def test_export_file_reports_an_unwritable_file(full_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    made = make_transfers(full_session, qtbot)
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with (
        qtbot.waitSignal(full_session.message_sent) as message,
        answer_file_dialogs(tmp_path / "taken" / "all.json"),
    ):
        made.export_file("json")
    assert message.args is not None
    assert message.args[2] == "red"
    assert (tmp_path / "taken").read_text(encoding="utf-8") == ""


def test_export_file_writes_a_tsh_folder_that_can_be_read(
    full_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    made = make_transfers(full_session, qtbot)
    with answer_file_dialogs(tmp_path / "folder"):
        made.export_file("tsh")
    event = imports.read_import(tmp_path / "folder")
    assert isinstance(event, EventEntry)
    assert [(item.code, len(item.players)) for item in event.divisions] == [("A", 24)]


def test_copy_export_puts_a_text_on_the_clipboard(full_session: Session, qtbot: QtBot) -> None:
    made = make_transfers(full_session, qtbot)
    with qtbot.waitSignal(full_session.message_sent) as message:
        made.copy_export_to_clipboard("round-txt")
    assert message.args == ["Division A has no published round yet.", False, "red"]
    full_session.do(
        partial(
            commands.pair_round, key=full_session.make_row_id(), proposal=propose_pairings(full_session.index, A)
        )
    )
    made.copy_export_to_clipboard("round-short")
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Open Leiden 2026 · Round 1: pairings\n\n1. ")
    made.copy_export_to_clipboard("txt")
    assert "Standings before the first round" in QGuiApplication.clipboard().text()


def test_export_file_writes_only_public_data_on_request(
    full_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    made = make_transfers(full_session, qtbot)
    player = full_session.index.players(A)[0]
    full_session.do(partial(commands.edit_player, player=player.id, member="M-77", notes="hard of hearing"))
    with answer_file_dialogs(tmp_path / "all.csv"):
        made.export_file("players")
    with qtbot.waitSignal(full_session.message_sent) as message:
        made.toggle_public_export()
    assert message.args[0] == "Exports now contain public data only."
    with answer_file_dialogs(tmp_path / "public.csv"):
        made.export_file("players")
    made.toggle_public_export()
    assert "M-77" in (tmp_path / "all.csv").read_text("utf-8")
    public = (tmp_path / "public.csv").read_text("utf-8")
    assert player.name in public
    assert "M-77" not in public
    assert "hearing" not in public
