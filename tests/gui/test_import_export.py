"""Tests of importing and exporting files by the menus of the window."""

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
from tdapp.domain.model import GameSide
from tdapp.domain.ruleset import OvertimeKind, OvertimeRule
from tdapp.exchange import exports, imports
from tdapp.gui.shell.file_actions import ImportExportActions
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import SanctionKind
from tests.gui.samples import A
from tests.gui.windows import answer_file_dialogs


def make_file_actions(session: Session, qtbot: QtBot) -> ImportExportActions:
    window = Window(session)
    qtbot.addWidget(window)
    return ImportExportActions(window)


@pytest.mark.slow
def test_export_file_writes_every_format(full_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    actions = make_file_actions(full_session, qtbot)
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
            actions.export_file(kind)
        content = exports.make_export_content(kind, full_session.index, "A", None, full_session.catalogue)
        files = (
            {target: content}
            if isinstance(content, bytes)
            else {target / name: data for name, data in content.items()}
        )
        for path, data in files.items():
            assert path.read_bytes() == data


def test_export_file_reports_data_unsupported_by_tsh(full_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    actions = make_file_actions(full_session, qtbot)
    rules = replace(full_session.tournament.ruleset, overtime=OvertimeRule(OvertimeKind.FLAG))
    full_session.do(partial(commands.change_rules, ruleset=rules))
    full_session.do(
        partial(
            commands.pair_round, key=full_session.make_row_id(), proposal=propose_pairings(full_session.index, A)
        )
    )
    games = full_session.index.games(full_session.index.rounds(A)[0].id)
    enter_result = partial(commands.enter_result, first=400, second=300)
    full_session.do(partial(enter_result, game=games[0].id, flag=GameSide.SECOND))
    with qtbot.waitSignal(full_session.message_sent) as message, answer_file_dialogs(tmp_path / "one.t"):
        actions.export_file("t")
    first_line, letters_sentence = str(message.args[0]).split("\n")
    assert first_line == "File saved: one.t"
    assert letters_sentence.startswith("tsh may show these names wrongly")
    full_session.do(partial(enter_result, game=games[1].id, flag=GameSide.FIRST))
    margin_sanction = partial(commands.add_sanction, key="x", kind=SanctionKind.MARGIN, points=50, why="rude")
    full_session.do(partial(margin_sanction, player=games[2].first))
    with qtbot.waitSignal(full_session.message_sent) as message, answer_file_dialogs(tmp_path / "two.t"):
        actions.export_file("t")
    first_line, letters_sentence, games_sentence, sanctions_sentence, unsupported_sentence = str(
        message.args[0]
    ).split("\n")
    assert unsupported_sentence == "This file format cannot store: sanctions."
    assert (first_line, message.args[2]) == ("File saved: two.t", "red")
    assert games_sentence.endswith("(round/table): 1/2.")
    assert full_session.tournament.players[games[2].first].name in sanctions_sentence
    assert (
        exports.list_unsupported_data("players", full_session.index, "A")
        == exports.list_unsupported_data("json", full_session.index, None)
        == ()
    )


def test_file_dialogs_start_in_the_folder_of_the_tournament(
    full_session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[str] = []

    def record_folder(_parent: object, _title: str, folder: str, _pattern: str) -> tuple[str, str]:
        folders.append(folder)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", record_folder)
    actions = make_file_actions(full_session, qtbot)
    actions.import_results()
    (tmp_path / "open.tdapp").touch()
    full_session.settings.setValue("recent", [str(tmp_path / "open.tdapp")])
    actions.import_results()
    actions.import_tournament()
    assert folders == [str(Path.home()), str(tmp_path), str(tmp_path)]


def test_import_results_enters_a_file_and_can_be_undone(
    full_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    actions = make_file_actions(full_session, qtbot)
    proposal = propose_pairings(full_session.index, A)
    full_session.do(partial(commands.pair_round, key=full_session.make_row_id(), proposal=proposal))
    results_file = tmp_path / "results.csv"
    results_file.write_text("round,table,score1,score2\n1,1,400,300\n1,2,350,351\n", encoding="utf-8")
    with answer_file_dialogs(results_file):
        actions.import_results()
    assert len(full_session.tournament.results) == 2
    full_session.undo()
    assert not full_session.tournament.results
    results_file.write_text("round,table,score1,score2\n1,1,400,300\n1,99,350,351\n", encoding="utf-8")
    with answer_file_dialogs(results_file):
        actions.import_results()
    assert not full_session.tournament.results


def test_import_tournament_reads_json(full_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    actions = make_file_actions(full_session, qtbot)
    tournament_before = full_session.tournament
    with answer_file_dialogs(tmp_path / "all.json"):
        actions.export_file("json")
    with answer_file_dialogs(tmp_path / "all.json", tmp_path / "again.tdapp"):
        actions.import_tournament()
    assert full_session.path == tmp_path / "again.tdapp"
    assert full_session.tournament.players == tournament_before.players


def test_export_file_reports_an_unwritable_file(full_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    actions = make_file_actions(full_session, qtbot)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with (
        qtbot.waitSignal(full_session.message_sent) as message,
        answer_file_dialogs(tmp_path / "file" / "all.json"),
    ):
        actions.export_file("json")
    assert message.args is not None
    assert message.args[2] == "red"
    assert (tmp_path / "file").read_text(encoding="utf-8") == ""


def test_export_file_writes_a_readable_tsh_folder(full_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    actions = make_file_actions(full_session, qtbot)
    with answer_file_dialogs(tmp_path / "folder"):
        actions.export_file("tsh")
    event = imports.read_file_to_import(tmp_path / "folder")
    assert isinstance(event, EventEntry)
    assert [(item.code, len(item.players)) for item in event.divisions] == [("A", 24)]


def test_copy_export_to_clipboard_copies_a_text(full_session: Session, qtbot: QtBot) -> None:
    actions = make_file_actions(full_session, qtbot)
    with qtbot.waitSignal(full_session.message_sent) as message:
        actions.copy_export_to_clipboard("round-txt")
    assert message.args == ["Division A has no published round yet.", False, "red"]
    full_session.do(
        partial(
            commands.pair_round, key=full_session.make_row_id(), proposal=propose_pairings(full_session.index, A)
        )
    )
    actions.copy_export_to_clipboard("round-short")
    copied_text = QGuiApplication.clipboard().text()
    assert copied_text.startswith("Open Leiden 2026 · Round 1: pairings\n\n1. ")
    actions.copy_export_to_clipboard("txt")
    assert "Standings before the first round" in QGuiApplication.clipboard().text()


def test_export_file_writes_only_public_data_on_request(
    full_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    actions = make_file_actions(full_session, qtbot)
    player = full_session.index.players(A)[0]
    full_session.do(partial(commands.edit_player, player=player.id, member="M-77", notes="hard of hearing"))
    with answer_file_dialogs(tmp_path / "all.csv"):
        actions.export_file("players")
    with qtbot.waitSignal(full_session.message_sent) as message:
        actions.toggle_public_export()
    assert message.args[0] == "Exports now contain public data only."
    with answer_file_dialogs(tmp_path / "public.csv"):
        actions.export_file("players")
    actions.toggle_public_export()
    assert "M-77" in (tmp_path / "all.csv").read_text("utf-8")
    public_text = (tmp_path / "public.csv").read_text("utf-8")
    assert player.name in public_text
    assert "M-77" not in public_text
    assert "hearing" not in public_text
