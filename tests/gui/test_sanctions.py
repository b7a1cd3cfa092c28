"""Tests of the sanctions panel: adding and removing sanctions, and the preview of their effects."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import GameSide
from tdapp.gui.jury.rulings import SanctionsPanel
from tdapp.gui.shell.jury_member import WRITER, set_jury_member
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.fields import LineEdit
from tdapp.scrabble.sheet import SanctionKind
from tdapp.services.worker import BackgroundTask
from tests.building import load_rule_set
from tests.gui.samples import A
from tests.gui.table_events import get_game, get_player_name, open_panel, press_tab, show_first_round
from tests.gui.windows import get_focused_widget, press_key, type_text


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    new_window = show_first_round(empty_session, qtbot, load_rule_set("no-nsf"))
    key = get_game(empty_session, 1).id
    empty_session.do(partial(commands.enter_result, game=key, first=400, second=380))
    return new_window


def open_sanctions_panel(window: Window, table: int = 1) -> SanctionsPanel:
    return open_panel(window, SanctionsPanel, Qt.Key.Key_S, table=table)


def choose_sanction_kind(window: Window, panel: SanctionsPanel, kind: SanctionKind) -> None:
    assert get_focused_widget(window) is panel.get_field_widget("kind")
    while panel.get_field_widget("kind").value() is not kind:
        press_key(window, Qt.Key.Key_Down)


def test_sanctions_panel_takes_points_and_shows_the_effect(window: Window) -> None:
    session, panel = window.session, open_sanctions_panel(window)
    choose_sanction_kind(window, panel, SanctionKind.POINTS)
    assert "Type the number of points" in panel.effect.text()
    assert not panel.editor.save_button.isEnabled()
    press_tab(window)
    type_text(window, "30")
    assert "400 – 380 → 370 – 380" in panel.effect.text()
    assert f"{get_player_name(session, 1, 1)} wins" in panel.effect.text()
    assert not session.tournament.sanctions
    press_tab(window)
    type_text(window, "talked")
    press_tab(window)
    type_text(window, "Kim")
    press_key(window, Qt.Key.Key_Return)
    (sanction,) = session.tournament.sanctions.values()
    assert (sanction.points, sanction.why, sanction.author, sanction.round) == (30, "talked", "Kim", 1)
    assert session.tournament.results[get_game(session, 1).id].first == 370
    assert panel.editor.rows.rowCount() == 1


def test_sanctions_panel_asks_to_change_a_checked_result_with_its_old_and_new_scores(window: Window) -> None:
    session, panel = window.session, open_sanctions_panel(window)
    session.do(partial(commands.check_result, game=get_game(session, 1).id))
    choose_sanction_kind(window, panel, SanctionKind.POINTS)
    press_tab(window)
    type_text(window, "30")
    press_tab(window)
    type_text(window, "talked")
    press_key(window, Qt.Key.Key_Return)
    assert panel.bar.isVisible()
    assert "400 – 380 → 370 – 380" in panel.bar._head.text()
    press_key(window, Qt.Key.Key_Return)
    step = session.desk.undoable_step
    assert step is not None
    assert session.describe_step(step) == f"{get_player_name(session, 1, 0)}: sanction added (points deducted) −30"


@pytest.mark.slow
def test_sanctions_panel_computes_the_effect_in_the_background(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, session = open_sanctions_panel(window), window.session
    choose_sanction_kind(window, panel, SanctionKind.POINTS)
    press_tab(window)
    waiting: list[tuple[Callable[[], str], Callable[[str], None]]] = []

    def queue_call(
        call: Callable[[], str], *, on_success: Callable[[str], None], **_kwargs: object
    ) -> BackgroundTask:
        waiting.append((call, on_success))
        return BackgroundTask("")

    monkeypatch.setattr(session, "run_in_background", queue_call)
    type_text(window, "3")
    assert panel.editor.save_button.isEnabled()
    assert "397" not in panel.effect.text()
    call, on_success = waiting[-1]
    on_success(call())
    assert "400 – 380 → 397 – 380" in panel.effect.text()


@pytest.mark.slow
def test_sanctions_panel_shows_a_long_reason_below_the_list(window: Window) -> None:
    """The list is too narrow for a long reason."""
    reason = "kept on talking to the next table after two warnings by the head judge"
    add_sanction = partial(
        commands.add_sanction, key="x", player=get_game(window.session, 1).first, why=reason, author="Kim"
    )
    panel = open_sanctions_panel(window)
    assert panel.editor.line.isHidden()
    assert not panel.editor.remove_button.isEnabled()
    window.session.do(partial(add_sanction, kind=SanctionKind.WARNING, round_number=1))
    panel.editor.view.select_row("x")
    assert panel.editor.line.text() == f"warning · {reason} (Kim)"
    assert panel.editor.line.isVisible()
    assert panel.editor.remove_button.isEnabled()


def test_sanctions_panel_requires_a_reason(window: Window) -> None:
    panel = open_sanctions_panel(window)
    choose_sanction_kind(window, panel, SanctionKind.WARNING)
    panel.get_field_widget("author").setFocus()
    press_key(window, Qt.Key.Key_Return)
    assert not window.session.tournament.sanctions
    assert get_focused_widget(window) is panel.get_field_widget("why")


def test_sanctions_panel_warning_changes_no_result(window: Window) -> None:
    panel = open_sanctions_panel(window)
    choose_sanction_kind(window, panel, SanctionKind.WARNING)
    assert "The incident is only noted. No results change." in panel.effect.text()
    assert not panel.get_field_widget("points").isVisible()
    assert not panel.get_field_widget("remaining").isVisible()


@pytest.mark.slow
def test_sanctions_panel_takes_points_of_an_open_game_later(window: Window) -> None:
    panel = open_sanctions_panel(window, table=2)
    choose_sanction_kind(window, panel, SanctionKind.POINTS)
    press_tab(window)
    type_text(window, "10")
    assert "as soon as the result is entered" in panel.effect.text()
    assert panel.editor.save_button.isEnabled()


def test_sanctions_panel_lowers_the_spread_of_the_tournament(window: Window) -> None:
    panel = open_sanctions_panel(window)
    choose_sanction_kind(window, panel, SanctionKind.MARGIN)
    press_tab(window)
    type_text(window, "50")
    assert "spread is lowered by 50" in panel.effect.text()


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        (0, "From round 2 on, missed rounds count as: forfeit."),
        (1, "From round 2 on, missed rounds count as: nothing."),
    ],
)
def test_sanctions_panel_disqualification_asks_about_later_rounds(window: Window, steps: int, text: str) -> None:
    session, panel = window.session, open_sanctions_panel(window, table=2)
    choose_sanction_kind(window, panel, SanctionKind.DISQUALIFIED)
    press_tab(window)
    for _ in range(steps):
        press_key(window, Qt.Key.Key_Down)
    assert text in panel.effect.text()
    first_name, second_name = (get_player_name(session, 2, index) for index in (0, 1))
    assert f"{first_name} – {second_name} not played → forfeit by the first" in panel.effect.text()
    press_tab(window)
    type_text(window, "left in anger")
    press_key(window, Qt.Key.Key_Return)
    game = get_game(session, 2)
    assert session.tournament.results[game.id].forfeit is GameSide.FIRST
    assert session.index.has_withdrawn(game.first)
    session.undo()
    assert not session.tournament.sanctions
    assert game.id not in session.tournament.results


def test_sanctions_panel_removes_a_sanction_and_restores_the_game(window: Window) -> None:
    session, game = window.session, get_game(window.session, 1)
    command = partial(
        commands.add_sanction, key="x", player=game.first, kind=SanctionKind.POINTS, points=30, why="talked"
    )
    session.do(command)
    panel = open_sanctions_panel(window)
    panel.editor.view.select_row("x")
    panel.editor.view.setFocus()
    press_key(window, Qt.Key.Key_Delete)
    assert not session.tournament.sanctions
    assert session.tournament.results[game.id].first == 400
    session.undo()
    assert session.tournament.results[game.id].first == 370


def test_sanctions_panel_lists_kinds_of_the_rules_first(empty_session: Session, qtbot: QtBot) -> None:
    window = show_first_round(empty_session, qtbot, load_rule_set("nl-match"))
    panel = open_sanctions_panel(window)
    first_kinds = ["warning", "points deducted", "disqualification"]
    kind_texts = [
        panel.get_field_widget("kind").itemText(index) for index in range(panel.get_field_widget("kind").count())
    ]
    assert kind_texts[:3] == first_kinds
    assert all("not in these rules" in text for text in kind_texts[3:])
    assert len(kind_texts) == len(SanctionKind)


@pytest.mark.slow
def test_sanctions_panel_proposes_the_player_of_the_players_page(window: Window) -> None:
    window.show_page("players")
    player = window.session.index.players(A)[4]
    window.page.reveal_row(player.id)
    press_key(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    panel = window.panel
    assert isinstance(panel, SanctionsPanel)
    assert panel.get_field_widget("player").value() == player.id


@pytest.mark.slow
def test_sanctions_panel_refuses_a_round_without_a_game(window: Window) -> None:
    panel = open_sanctions_panel(window)
    choose_sanction_kind(window, panel, SanctionKind.GAME)
    panel.get_field_widget("round_number").setFocus()
    panel.get_field_widget("round_number").clear()
    type_text(window, "7")
    assert "not between 1 and 1" in panel.effect.text()
    assert not panel.editor.save_button.isEnabled()


@pytest.mark.slow
def test_sanctions_panel_proposes_todays_jury_member(window: Window) -> None:
    window.session.settings.setValue(WRITER, "Kim")
    set_jury_member(window.session, "Truus")
    author = open_sanctions_panel(window).get_field_widget("author")
    assert isinstance(author, LineEdit)
    assert author.text() == "Truus"
