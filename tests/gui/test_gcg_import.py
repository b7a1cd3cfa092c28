"""Tests of importing several annotated games in one step."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.gui.jury.games import ImportGamesDialog
from tdapp.gui.shell.file_actions import ImportExportActions
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.pairing import propose_pairings
from tests.gui.samples import A
from tests.gui.windows import answer_file_dialogs, show_window

MOVES = ">A: TAART 8D TAART +12 12\n>B: X - +0 0\n>A: E E8 .E +2 14\n>A: (X) +16 30\n"


def write_gcg_file(path: Path, first: str, second: str) -> None:
    header = f"#character-encoding UTF-8\n#player1 A {first}\n#player2 B {second}\n"
    path.write_text(header + MOVES, encoding="utf-8")


def open_games_dialog(window: Window, paths: list[Path]) -> ImportGamesDialog:
    with answer_file_dialogs(*paths):
        ImportExportActions(window).import_games()
    dialog = window.findChild(ImportGamesDialog)
    assert dialog is not None
    return dialog


def test_import_games_dialog_matches_files_and_enters_them_in_one_step(
    full_session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window = show_window(full_session, qtbot, "jury")
    full_session.do(
        partial(
            commands.pair_round, key=full_session.make_row_id(), proposal=propose_pairings(full_session.index, A)
        )
    )
    games = full_session.index.games(full_session.index.rounds(A)[0].id)
    players = full_session.tournament.players
    paths = []
    for game in games[:2]:
        path = tmp_path / f"{game.table}.gcg"
        write_gcg_file(path, players[game.first].name, players[game.second].name)
        paths.append(path)
    unknown_game, invalid_file = tmp_path / "x.gcg", tmp_path / "y.gcg"
    write_gcg_file(unknown_game, "Stranger, Sam", "Unknown, Uma")
    swapped_game = tmp_path / "z.gcg"
    write_gcg_file(swapped_game, players[games[2].second].name, players[games[2].first].name)
    invalid_file.write_text("#player1 A\n", encoding="utf-8")
    dialog = open_games_dialog(window, [*paths, unknown_game, invalid_file, swapped_game])
    rows = [*map(dialog.rows.find_row_by_key, dialog.rows.keys())]
    assert [(row.goes_to, row.fits_no_game) for row in rows] == [
        ("Round 1, table 1", False),
        ("Round 1, table 2", False),
        *[("– leave out –", True)] * 3,
    ]
    assert rows[2].notes == "No published game between these two players"
    assert rows[3].notes == "A game in this tournament has two players, but this score sheet has 1."
    assert rows[4].notes == "In this file the other player starts. First change who starts the game."
    dialog.view.setFocus()
    dialog.view.select_row(dialog.view.rows.keys()[1])
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    assert dialog.yes.text() == "Import one game"
    QTest.keyClick(dialog.view, Qt.Key.Key_Space)
    assert dialog.yes.text() == "Import 2 games"
    dialog.yes.click()

    assert {sheet.game for sheet in full_session.tournament.sheets.values()} == {game.id for game in games[:2]}
    full_session.undo()
    assert not full_session.tournament.sheets
    assert not full_session.tournament.results
