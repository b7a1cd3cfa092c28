"""Tests of the result field: results typed key by key."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.model import DivisionId, GameSide, Result, ResultState, Round, StartDecision
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import KnockoutTieResolution
from tdapp.domain.verdicts import list_pending_verdicts
from tdapp.gui.rounds.result_field import ResultField
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.locales import fold_text
from tdapp.pairing import propose_pairings
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import load_rule_set
from tests.gui.samples import A, make_desk, make_entry, make_session, make_tournament
from tests.gui.table_events import get_game

ShowField = Callable[[Session], ResultField]


class ShowEventFilter(QObject):
    """Calls a function when the widget appears."""

    def __init__(self, on_show: Callable[[], None]) -> None:
        super().__init__()
        self._on_show = on_show

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's own name
        if event.type() is QEvent.Type.Show:
            self._on_show()
        return False


def pair_next_round(session: Session) -> Round:
    proposal = propose_pairings(session.index, A)
    session.desk.do(partial(commands.pair_round, key=session.make_row_id(), proposal=proposal))
    return session.index.rounds(A)[-1]


@pytest.fixture
def show_field(qtbot: QtBot) -> ShowField:
    def show_result_field(session: Session) -> ResultField:
        field = ResultField(session)
        session.changed.connect(lambda _diff: field.refresh_for_round(session.round))
        session.selection_changed.connect(lambda: field.refresh_for_round(session.round))
        field.refresh_for_round(session.round)
        qtbot.addWidget(field)
        field.show()
        field.focus_line()
        return field

    return show_result_field


@pytest.fixture
def field(full_session: Session, show_field: ShowField) -> ResultField:
    """Return the result field on the first round of 24 players."""
    pair_next_round(full_session)
    return show_field(full_session)


def type_keys(field: ResultField, text: str) -> None:
    QTest.keyClicks(field.line, text)


def press_enter(field: ResultField, *, control: bool = False) -> None:
    modifier = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(field.line, Qt.Key.Key_Return, modifier)


def get_result(session: Session, table: int) -> Result | None:
    return session.index.get_result(get_game(session, table).id)


def read_echo(field: ResultField) -> str:
    return field.echo_label.text() + field.more_label.text()


def test_result_field_previews_names_spread_and_records_before_saving(
    full_session: Session, field: ResultField
) -> None:
    type_keys(field, "7 412 388")
    names = [
        full_session.tournament.players[player_id].name
        for player_id in (get_game(full_session, 7).first, get_game(full_session, 7).second)
    ]
    for part in (*names, "412 – 388", "+24", "1–0", "0–1", "−24"):
        assert part in read_echo(field)
    assert get_result(full_session, 7) is None
    press_enter(field)
    assert get_result(full_session, 7) == Result(get_game(full_session, 7).id, ResultState.ENTERED, 412, 388)
    assert field.line.text() == ""


def test_result_field_previews_records_of_a_replaced_result(full_session: Session, field: ResultField) -> None:
    for line in ("7 412 388", "7 421 388", ""):
        type_keys(field, line)
        press_enter(field)
    assert get_result(full_session, 7) == Result(get_game(full_session, 7).id, ResultState.ENTERED, 421, 388)
    for part in ("421 – 388", "1–0", "+33", "0–1", "−33"):
        assert part in read_echo(field)


def test_result_field_proposes_a_cleared_table_again(full_session: Session, field: ResultField) -> None:
    for line in ("7 412 388", "7 -"):
        type_keys(field, line)
        press_enter(field)
    assert "clear the result 412 – 388 (" in re.sub("<[^>]*>", "", read_echo(field))
    press_enter(field)
    assert get_result(full_session, 7) is None
    assert "is open again" in read_echo(field)
    assert field.line.placeholderText().endswith(" 7")


def test_result_field_accepts_the_numeric_keypad(full_session: Session, field: ResultField) -> None:
    type_keys(field, "7.412.388")
    QTest.keyClick(field.line, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert get_result(full_session, 7) is not None


def test_result_field_proposes_the_next_open_table_by_space(full_session: Session, field: ResultField) -> None:
    type_keys(field, "7 412 388")
    press_enter(field)
    assert field.proposed_key == get_game(full_session, 8).id
    type_keys(field, " 400 390")
    assert field.line.text() == "8 400 390"
    press_enter(field)
    assert get_result(full_session, 8) is not None
    assert field.proposed_key == get_game(full_session, 9).id


def test_result_field_ignores_an_extra_enter(full_session: Session, field: ResultField) -> None:
    type_keys(field, "7 412 388")
    press_enter(field)
    press_enter(field)
    assert field.line.text() == ""
    type_keys(field, "9 400 390")
    press_enter(field)
    assert [get_result(full_session, table) is not None for table in (7, 8, 9)] == [True, False, True]


def test_result_field_enters_a_round_in_tsh_order(full_session: Session, field: ResultField) -> None:
    for table in range(1, 13):
        first_number, second_number = (
            full_session.tournament.players[player_id].number
            for player_id in (get_game(full_session, table).first, get_game(full_session, table).second)
        )
        type_keys(field, f"{second_number} {300 + table} {first_number} {400 - table}")
        press_enter(field)
    assert [(get_result(full_session, t).first, get_result(full_session, t).second) for t in range(1, 13)] == [  # type: ignore[union-attr]
        (400 - t, 300 + t) for t in range(1, 13)
    ]
    assert "All results" in read_echo(field) or "✓" in read_echo(field)
    assert field.proposed_key == ""


def test_result_field_never_overwrites_by_one_enter(full_session: Session, field: ResultField) -> None:
    type_keys(field, "7 412 388")
    press_enter(field)
    type_keys(field, "7 500 300")
    assert "412 – 388" in read_echo(field)
    press_enter(field)
    assert get_result(full_session, 7).first == 412  # type: ignore[union-attr]
    assert field.line.text() == "7 500 300"
    press_enter(field)
    assert get_result(full_session, 7).first == 500  # type: ignore[union-attr]


def test_result_field_second_enter_confirms_only_the_shown_result(
    full_session: Session, field: ResultField
) -> None:
    type_keys(field, "7 412 388")
    press_enter(field)
    type_keys(field, "7 500 300")
    press_enter(field)
    QTest.keyClick(field.line, Qt.Key.Key_End)
    type_keys(field, "1")
    QTest.keyClick(field.line, Qt.Key.Key_Backspace)
    press_enter(field)
    assert get_result(full_session, 7).first == 412  # type: ignore[union-attr]


def test_result_field_shows_a_result_changed_meanwhile(full_session: Session, field: ResultField) -> None:
    type_keys(field, "7 412 388")
    press_enter(field)
    type_keys(field, "7 500 300")
    press_enter(field)
    command = partial(commands.enter_result, game=get_game(full_session, 7).id, first=333, second=222)
    full_session.desk.do(command, label="enter-result")
    press_enter(field)
    assert get_result(full_session, 7).first == 333  # type: ignore[union-attr]
    assert "333 – 222" in read_echo(field)


def test_result_field_takes_ctrl_enter_for_implausible_points(full_session: Session, field: ResultField) -> None:
    type_keys(field, "7 9999 388")
    assert "more than the highest plausible score (1500)" in read_echo(field)
    press_enter(field)
    assert get_result(full_session, 7) is None
    assert field.line.text() == "7 9999 388"
    QTest.keyClick(field.line, Qt.Key.Key_End)
    press_enter(field, control=True)
    assert get_result(full_session, 7).first == 9999  # type: ignore[union-attr]


@pytest.mark.parametrize("line", ["99 1 2", "7 4x 3", "1 412 2 388 9", "7 -", "/99 412 388"])
def test_result_field_keeps_an_invalid_line(full_session: Session, field: ResultField, line: str) -> None:
    type_keys(field, line)
    press_enter(field)
    assert field.line.text() == line
    assert field.line.hasFocus()
    assert field.line.property("wrong")
    assert not full_session.tournament.results


@pytest.mark.parametrize(
    ("forfeit_text", "forfeit"), [("f1", GameSide.FIRST), ("f2", GameSide.SECOND), ("fb", GameSide.BOTH)]
)
def test_result_field_enters_forfeits_and_clears(
    full_session: Session, field: ResultField, forfeit_text: str, forfeit: GameSide
) -> None:
    type_keys(field, f"7 {forfeit_text}")
    assert "forfeit" in read_echo(field)
    press_enter(field)
    assert get_result(full_session, 7).forfeit is forfeit  # type: ignore[union-attr]
    type_keys(field, "7 -")
    press_enter(field)
    assert get_result(full_session, 7) is not None
    press_enter(field)
    assert get_result(full_session, 7) is None


def test_result_field_asks_a_reason_for_a_certified_result(full_session: Session, field: ResultField) -> None:
    type_keys(field, "7 412 388")
    press_enter(field)
    full_session.desk.do(partial(commands.certify_result, game=get_game(full_session, 7).id))
    type_keys(field, "7 413 388")
    assert "final" in read_echo(field)
    press_enter(field)
    assert field.bar.reason.hasFocus()
    QTest.keyClick(field.bar.reason, Qt.Key.Key_Return)
    assert get_result(full_session, 7).first == 412  # type: ignore[union-attr]
    QTest.keyClicks(field.bar.reason, "the sheet says so")
    QTest.keyClick(field.bar.reason, Qt.Key.Key_Return)
    assert get_result(full_session, 7).first == 413  # type: ignore[union-attr]
    assert full_session.desk.list_all_steps()[-1].facts["reason"] == "the sheet says so"
    assert field.line.hasFocus()
    assert field.line.text() == ""


def test_result_field_enters_once_for_two_enters(full_session: Session, field: ResultField) -> None:
    type_keys(field, "7 412 388")
    press_enter(field)
    press_enter(field)
    assert sum(step.label == "enter-result" for step in full_session.desk.list_all_steps()) == 1


def test_result_field_keeps_text_typed_before_a_slow_answer(
    full_session: Session, field: ResultField, monkeypatch: pytest.MonkeyPatch
) -> None:
    success_callbacks: list[Callable[[], None]] = []
    monkeypatch.setattr(
        Session, "do", lambda _self, _command, **options: success_callbacks.append(options["on_success"])
    )
    type_keys(field, "7 412 388")
    press_enter(field)
    press_enter(field)
    assert len(success_callbacks) == 1
    type_keys(field, "8 4")
    assert field.line.text() == "8 4"
    success_callbacks[0]()
    assert field.line.text() == "8 4"


def test_result_field_question_mark_lists_inputs(full_session: Session, field: ResultField) -> None:
    help_texts: list[str] = []
    event_filter = ShowEventFilter(lambda: help_texts.append(field._help_text.text()))
    field.help_box.installEventFilter(event_filter)
    type_keys(field, "?")
    assert field.help_box.isVisible()
    assert help_texts == [field._help_text.text()] != [""], "the help appeared before its text"
    assert "12 412 15 388" in field._help_text.text()
    QTest.keyClick(field.line, Qt.Key.Key_Backspace)
    assert not field.help_box.isVisible()


@pytest.mark.parametrize(
    ("tie", "text"),
    [
        (KnockoutTieResolution.REPLIER, "{replier} wins"),
        (KnockoutTieResolution.EXTRA_GAME, "tie: choose the winner under"),
    ],
)
def test_result_field_names_the_qualified_player_of_a_tie(
    empty_session: Session, show_field: ShowField, tie: KnockoutTieResolution, text: str
) -> None:
    value = make_tournament(players=4)
    stage = next(iter(value.stages.values()))
    rules = replace(value.ruleset, knockout=replace(value.ruleset.knockout, tie=tie))
    value = commands.change_rules(value.put(replace(stage, system="knockout", rounds=2)), ruleset=rules)
    empty_session.open_tournament_of_desk(make_desk(value))
    pair_next_round(empty_session)
    field = show_field(empty_session)
    type_keys(field, "1 400 400")
    expected = text.format(replier=empty_session.tournament.players[get_game(empty_session, 1).second].name)
    assert expected in read_echo(field)
    press_enter(field)
    assert expected in read_echo(field)
    type_keys(field, "2 400 390")
    assert "wins" not in read_echo(field)
    assert "tie" not in read_echo(field)


def test_result_field_names_an_undecided_tie_after_the_last_result(
    empty_session: Session, show_field: ShowField
) -> None:
    value = make_tournament(players=4)
    stage = next(iter(value.stages.values()))
    empty_session.open_tournament_of_desk(make_desk(value.put(replace(stage, system="knockout", rounds=2))))
    pair_next_round(empty_session)
    for table in (1, 2):
        game = get_game(empty_session, table).id
        empty_session.do(partial(commands.enter_result, game=game, first=400, second=400))
    field = show_field(empty_session)
    for table in (1, 2):
        assert f"Round 1, table {table}: tie. Choose the winner under Rounds" in read_echo(field)
        assert "results are in" not in read_echo(field)
        game = get_game(empty_session, table).id
        empty_session.do(partial(commands.decide_tie, game=game, winner=GameSide.FIRST))
    assert "all results are in" in read_echo(field)


def test_result_field_clears_typed_text_for_the_next_round(full_session: Session, field: ResultField) -> None:
    for table in range(1, 13):
        type_keys(field, f"{table} 400 390")
        press_enter(field)
    type_keys(field, "13 400 390")
    press_enter(field)
    assert field.line.text() == "13 400 390"
    pair_next_round(full_session)
    full_session.choose_round(2)
    assert field.line.text() == ""


@pytest.mark.parametrize(("rounds", "is_last"), [(1, True), (2, False)])
def test_result_field_says_how_to_continue_after_the_last_round(
    empty_session: Session, show_field: ShowField, *, rounds: int, is_last: bool
) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=4, rounds=rounds)))
    pair_next_round(empty_session)
    for table in (1, 2):
        command = partial(commands.enter_result, game=get_game(empty_session, table).id, first=400, second=390)
        empty_session.desk.do(command, label="enter-result")
    field = show_field(empty_session)
    assert "All results for round 1 are in." in read_echo(field)
    hint = "F7 shows the final standings. Under Tournament (Ctrl+0) you can finish the tournament or add rounds."
    assert field.more_label.text() == (hint if is_last else "&nbsp;")


def test_result_field_records_a_starter_decided_by_tiles(full_session: Session, show_field: ShowField) -> None:
    stage = full_session.index.stages(A)[0]
    stage_with_draw = replace(stage, settings=PairingSettings(draw_starts=True))
    full_session.open_tournament_of_desk(make_desk(full_session.tournament.put(stage_with_draw)))
    pair_next_round(full_session)
    field = show_field(full_session)
    before = get_game(full_session, 7)
    assert before.start is StartDecision.DRAW
    type_keys(field, "7 412 388 2")
    assert f"{full_session.tournament.players[before.second].name} started" in read_echo(field)
    press_enter(field)
    after = get_game(full_session, 7)
    assert (after.first, after.start) == (before.second, StartDecision.DRAWN)
    assert get_result(full_session, 7) == Result(after.id, ResultState.ENTERED, 388, 412)


def test_result_field_refuses_results_of_a_draft(full_session: Session, show_field: ShowField) -> None:
    proposal = propose_pairings(full_session.index, A)
    full_session.desk.do(partial(commands.propose_round, key=full_session.make_row_id(), proposal=proposal))
    field = show_field(full_session)
    type_keys(field, "7 412 388")
    press_enter(field)
    assert not full_session.tournament.results


def test_result_field_escapes_markup_in_names(full_session: Session, show_field: ShowField) -> None:
    player = full_session.index.players(A)[0]
    full_session.desk.do(partial(commands.edit_player, player=player.id, name="<b>Evil & Co"))
    pair_next_round(full_session)
    field = show_field(full_session)
    type_keys(field, f"/{player.number} 412 388")
    assert "&lt;b&gt;Evil &amp; Co" in read_echo(field)


@pytest.mark.parametrize("language", ["en", "nl", "nb", "de"])
def test_result_field_in_every_language(
    qtbot: QtBot, appearance: Appearance, settings: QSettings, show_field: ShowField, language: str
) -> None:
    session = make_session(language, appearance, settings)
    session.open_tournament_of_desk(make_desk(make_tournament(players=8)))
    pair_next_round(session)
    field = show_field(session)
    for line in ("", "?", "1", "1 400", "1 400 300", "1 f1", "1 -", "x", "99", "1 9999 3", "1 2 3 4"):
        field.set_typed_text(line)
        assert "{" not in read_echo(field)
    session.close()


def test_result_field_accepts_fast_input_on_a_slow_disk(
    qtbot: QtBot, appearance: Appearance, settings: QSettings, show_field: ShowField, tmp_path: Path
) -> None:
    session = make_session("en", appearance, settings, inline=False)
    file = tmp_path / "fast.tdapp"
    desk = Desk.create(file, make_tournament(players=24))
    desk.do(partial(commands.pair_round, key=desk.make_row_id(), proposal=propose_pairings(desk.index, A)))
    session.open_tournament_of_desk(desk)  # the session moves the desk to its own thread
    field = show_field(session)
    qtbot.waitUntil(lambda: session.round is not None and field._reader is not None)
    for table in range(1, 13):
        type_keys(field, f"{table} {400 + table} 388" if table % 3 else f"{400 + table} 388")
        press_enter(field)
        press_enter(field)
    qtbot.waitUntil(lambda: len(session.tournament.results) == 12 and not field.line.text())
    assert [get_result(session, table).first for table in range(1, 13)] == list(range(401, 413))  # type: ignore[union-attr]
    session.close()
    session.work.close()
    with closing(Desk.open(file)) as reopened_desk:
        assert sum(step.label == "enter-result" for step in reopened_desk.list_all_steps()) == 12


def test_result_field_accepts_slips_after_a_refusal(full_session: Session, field: ResultField) -> None:
    for line in ("1 412", "99 412 388", "7 41 388", "7 f", "?", "7?", "2 xx 388"):
        type_keys(field, line)
        press_enter(field)
    assert not full_session.tournament.results
    for table in range(2, 12):
        type_keys(field, f"{table} {400 + table} 388")
        press_enter(field)
    assert [get_result(full_session, table).first for table in range(2, 12)] == list(range(402, 412))  # type: ignore[union-attr]


def test_result_field_space_after_a_refusal_takes_the_proposed_table(
    full_session: Session, field: ResultField
) -> None:
    type_keys(field, "99 412 388")
    press_enter(field)
    type_keys(field, " 400 390")
    assert field.line.text() == "1 400 390"


def test_result_field_space_continues_an_incomplete_line(full_session: Session, field: ResultField) -> None:
    type_keys(field, "4 412")
    press_enter(field)
    assert "Nothing has been saved yet. Press Space to continue." in read_echo(field)
    assert "score" not in read_echo(field)
    type_keys(field, " 405")
    assert field.line.text() == "4 412 405"
    press_enter(field)
    assert get_result(full_session, 4).second == 405  # type: ignore[union-attr]


def test_result_field_question_mark_keeps_two_different_slips(full_session: Session, field: ResultField) -> None:
    type_keys(field, "4 412 405")
    press_enter(field)
    type_keys(field, "4 412 450")
    press_enter(field)
    type_keys(field, "?")
    assert field.line.text() == "4 412 450 ?"
    press_enter(field)
    assert get_result(full_session, 4).disputed == (412, 450)  # type: ignore[union-attr]


@pytest.mark.parametrize("line", ["7", "7 412", "7 f", "7 412 388 t", ". ,", "hello", "7?"])
def test_result_field_enter_always_explains_a_refusal(
    full_session: Session, field: ResultField, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    beeps: list[bool] = []
    monkeypatch.setattr(QApplication, "beep", lambda: beeps.append(True))
    field.set_typed_text(line)
    press_enter(field)
    assert field.line.selectedText() == line
    assert field.line.property("wrong")
    assert any(
        part in read_echo(field)
        for part in ("<b>", "The program does not understand", "No player in this round is called")
    )
    full_session.settings.setValue("sound", "off")
    press_enter(field)
    assert beeps == [True]
    QTest.keyClick(field.line, Qt.Key.Key_Escape)
    assert (field.line.text(), field.line.property("wrong")) == ("", False)


@pytest.mark.parametrize("line", ["7 41 388", "7 1412 388", "7 0 0"])
def test_result_field_asks_twice_for_an_unlikely_result(
    full_session: Session, field: ResultField, line: str
) -> None:
    type_keys(field, line)
    press_enter(field)
    assert get_result(full_session, 7) is None
    assert "This is an unusual result: is it right? Press Enter again to keep this result" in read_echo(field)
    press_enter(field)
    assert get_result(full_session, 7) is not None


def test_result_field_help_closes_by_escape_and_enter(field: ResultField) -> None:
    for key in (Qt.Key.Key_Escape, Qt.Key.Key_Return):
        type_keys(field, "?")
        assert field.help_box.isVisible()
        QTest.keyClick(field.line, key)
        assert not field.help_box.isVisible()
        assert field.line.text() == ""


def test_result_field_keeps_a_different_slip_for_the_jury(full_session: Session, field: ResultField) -> None:
    type_keys(field, "7 412 388")
    press_enter(field)
    type_keys(field, "7 430 388")
    assert "Type ? at the end to save both results for the jury." in read_echo(field)
    type_keys(field, " ?")
    assert "another slip says 430 – 388" in read_echo(field)
    press_enter(field)
    disputed_result = get_result(full_session, 7)
    assert disputed_result is not None
    assert (disputed_result.first, disputed_result.disputed) == (412, (430, 388))
    assert field.line.text() == ""
    type_keys(field, "8 412 388?")
    press_enter(field)
    assert get_result(full_session, 8) is None
    assert "The program does not understand “?”" in read_echo(field)


def test_result_field_reports_a_repeated_slip(full_session: Session, field: ResultField) -> None:
    for line in ("7 412 388", "8 412 388", "7 412 388"):
        type_keys(field, line)
        press_enter(field)
    assert "The result of table 7 is" in read_echo(field)
    assert "This result has already been entered." in read_echo(field)
    field.refresh_for_round(full_session.round)
    assert "This result has already been entered." in read_echo(field)
    type_keys(field, "9")
    field.line.clear()
    assert "This result has already been entered." not in read_echo(field)


def test_result_field_accepts_a_name(full_session: Session, field: ResultField) -> None:
    seventh_game = get_game(full_session, 7)
    name = full_session.tournament.players[seventh_game.second].name
    type_keys(field, f"{fold_text(name)} 412")
    assert "412 – …" in read_echo(field)
    type_keys(field, " 388")
    press_enter(field)
    assert (get_result(full_session, 7).first, get_result(full_session, 7).second) == (388, 412)  # type: ignore[union-attr]


def test_result_field_accepts_the_code_of_a_division(full_session: Session, show_field: ShowField) -> None:
    pair_next_round(full_session)
    value = commands.add_division(full_session.tournament, key="d2", code="B", name="B")
    value = commands.add_stage(value, key="s2", division=DivisionId("d2"), system="swiss", rounds=3)
    entries = tuple(make_entry(number) for number in range(1, 5))
    value = commands.import_players(value, key="q", division=DivisionId("d2"), entries=entries)
    full_session.open_tournament_of_desk(make_desk(value))
    proposal = propose_pairings(full_session.index, DivisionId("d2"))
    full_session.desk.do(partial(commands.pair_round, key="rb", proposal=proposal))
    full_session.choose_division(A)
    field = show_field(full_session)
    table = full_session.index.games(full_session.index.rounds(DivisionId("d2"))[0].id)[1].table
    type_keys(field, f"b {table} 412 388")
    assert full_session.division is not None
    assert full_session.division.code == "B"
    assert field.line.text() == f"{table} 412 388"
    press_enter(field)
    assert (get_result(full_session, table).first, get_result(full_session, table).second) == (412, 388)  # type: ignore[union-attr]
    type_keys(field, "A.3 400 390")
    press_enter(field)
    assert (
        full_session.index.get_result(full_session.index.get_game(full_session.index.rounds(A)[0].id, 3).id)
        is not None
    )
    proposed, game_of_b = (
        field.proposed_key,
        full_session.index.games(full_session.index.rounds(DivisionId("d2"))[0].id)[0],
    )
    type_keys(field, f"{game_of_b.table} 380 370")  # only division B has this table, so the line needs no code
    assert f"Division B · Table {game_of_b.table}: " in read_echo(field)
    press_enter(field)
    assert f"✓ Division B · Table {game_of_b.table}: " in read_echo(field)
    assert (full_session.division.code, field.proposed_key) == ("A", proposed)
    type_keys(field, f"{game_of_b.table} 380 371")
    press_enter(field)
    press_enter(field)
    corrected_result = full_session.tournament.results[game_of_b.id]
    assert (corrected_result.first, corrected_result.second) == (380, 371)


def test_result_field_gives_two_scores_to_the_proposed_table(full_session: Session, field: ResultField) -> None:
    type_keys(field, "412")
    assert "Table 1: " in read_echo(field)
    assert "score" in read_echo(field)
    type_keys(field, " 388")
    assert "Table 1: " in read_echo(field)
    press_enter(field)
    assert (get_result(full_session, 1).first, get_result(full_session, 1).second) == (412, 388)  # type: ignore[union-attr]
    type_keys(field, "412 388")
    press_enter(field)
    assert (get_result(full_session, 2).first, get_result(full_session, 2).second) == (412, 388)  # type: ignore[union-attr]
    assert field.line.placeholderText() == "Both scores for table 3"


def test_result_field_two_scores_keep_their_table_while_others_enter(
    full_session: Session, field: ResultField
) -> None:
    type_keys(field, "412 388")
    full_session.desk.do(partial(commands.enter_result, game=get_game(full_session, 1).id, first=390, second=401))
    assert "Table 1 has" not in read_echo(field)
    assert "The current result is 390 – 401" in read_echo(field)
    press_enter(field)
    assert get_result(full_session, 1).first == 390  # type: ignore[union-attr]
    assert get_result(full_session, 2) is None
    field.set_proposed_game(get_game(full_session, 5).id)
    assert "Table 5: " in read_echo(field)


def test_result_field_two_scores_before_the_answer_are_for_the_next_table(
    full_session: Session, field: ResultField, monkeypatch: pytest.MonkeyPatch
) -> None:
    success_callbacks: list[Callable[[], None]] = []
    monkeypatch.setattr(
        Session, "do", lambda _self, _command, **options: success_callbacks.append(options["on_success"])
    )
    for table in (1, 2, 3):
        type_keys(field, "412 388")
        assert f"Table {table}: " in read_echo(field)
        press_enter(field)
        press_enter(field)
        assert len(success_callbacks) == table
    success_callbacks[0]()
    assert field.line.text() == "412 388"
    success_callbacks[1]()
    success_callbacks[2]()
    assert not field.line.text()


def test_result_field_distinguishes_namesakes_by_table_and_club(session: Session, show_field: ShowField) -> None:
    names = (("Janssen, Wim", "Köln"), ("Janssen, Wim", "Ede"), ("A, A", ""), ("B, B", ""))
    for number, (name, club) in enumerate(names):
        session.do(partial(commands.add_player, key=f"p{number}", division=A, name=name, club=club))
    pairing_round = pair_next_round(session)
    field = show_field(session)
    type_keys(field, "wim jans 412 388")
    players = session.tournament.players
    seated_players = [
        (game.table, players[player])
        for game in session.index.games(pairing_round.id)
        for player in (game.first, game.second)
    ]
    namesake_texts = (f"{table} {player.name} ({player.club})" for table, player in seated_players if player.club)
    assert "; ".join(namesake_texts) in read_echo(field)


# --- verdicts of the judge screen


def record_valid_challenge(session: Session, table: int, *, rules: str = "no-nsf") -> None:
    """Record a challenge of a valid play by the first player of a table."""
    game = get_game(session, table)
    session.desk.do(partial(commands.change_rules, ruleset=load_rule_set(rules)))
    command = partial(
        commands.record_challenge, key="c", division=A, at="2026-11-28T10:00:00+00:00", words=("HUS",),
        verdict=WordVerdict.VALID, edition="e", round_number=1, table=table, challenger=game.first,
    )  # fmt: skip
    session.desk.do(command, label="record-challenge")


@pytest.mark.parametrize(("key", "first", "pending_verdicts"), [("y", 390, 0), ("n", 400, 0)])
def test_result_field_asks_if_the_score_includes_a_verdict(
    full_session: Session, show_field: ShowField, key: str, first: int, pending_verdicts: int
) -> None:
    pair_next_round(full_session)
    record_valid_challenge(full_session, 7)
    field = show_field(full_session)
    type_keys(field, "7 400 388")
    name = full_session.tournament.players[get_game(full_session, 7).first].name
    assert f"Challenge: {name} −10." in field.more_label.text()
    assert "y: change the total · n: the total already includes the ruling" in field.more_label.text()
    press_enter(field)
    assert get_result(full_session, 7) is None
    type_keys(field, key)
    saved_result = get_result(full_session, 7)
    assert saved_result is not None
    assert (saved_result.first, saved_result.second) == (first, 388)
    assert len(list_pending_verdicts(full_session.index, get_game(full_session, 7))) == pending_verdicts
    assert field.line.text() == ""
    full_session.desk.undo()
    assert get_result(full_session, 7) is None


def test_result_field_asks_about_a_rare_score_after_a_verdict(
    full_session: Session, show_field: ShowField
) -> None:
    pair_next_round(full_session)
    record_valid_challenge(full_session, 7)
    field = show_field(full_session)
    type_keys(field, "7 750 100")
    for _ in range(2):
        press_enter(field)
        assert get_result(full_session, 7) is None
    assert "This is an unusual result" in field.more_label.text()
    press_enter(field)
    assert get_result(full_session, 7) is not None


def test_result_field_leaves_a_verdict_to_the_jury_by_a_second_enter(
    full_session: Session, show_field: ShowField
) -> None:
    pair_next_round(full_session)
    record_valid_challenge(full_session, 7)
    field = show_field(full_session)
    type_keys(field, "7 400 388")
    assert "Press Enter to let the jury decide" in field.more_label.text()
    press_enter(field)
    assert get_result(full_session, 7) is None
    press_enter(field)
    saved_result = get_result(full_session, 7)
    assert saved_result is not None
    assert (saved_result.first, saved_result.second) == (400, 388)
    assert len(list_pending_verdicts(full_session.index, get_game(full_session, 7))) == 1


def test_result_field_accepts_a_result_with_a_verdict_without_player(
    full_session: Session, show_field: ShowField
) -> None:
    pair_next_round(full_session)
    record_valid_challenge(full_session, 7)
    [challenge] = full_session.tournament.challenges.values()
    full_session.desk.do(partial(commands.remove_challenge, challenge=challenge.id))
    anonymous = partial(
        commands.record_challenge, key="d", division=A, at=challenge.at, words=("HUS",), verdict=WordVerdict.VALID,
        edition="e", round_number=1, table=7,
    )  # fmt: skip
    full_session.desk.do(anonymous, label="record-challenge")
    field = show_field(full_session)
    type_keys(field, "7 400 388")
    assert "Challenge: −10, the player was not recorded.  The jury decides." in field.more_label.text()
    press_enter(field)
    assert get_result(full_session, 7) is not None
    assert len(list_pending_verdicts(full_session.index, get_game(full_session, 7))) == 1


def test_result_field_decides_a_verdict_in_the_line(full_session: Session, show_field: ShowField) -> None:
    pair_next_round(full_session)
    record_valid_challenge(full_session, 7)
    field = show_field(full_session)
    type_keys(field, "7 400 388 y")
    assert "390 – 388" in field.echo_label.text()
    press_enter(field)
    saved_result = get_result(full_session, 7)
    assert saved_result is not None
    assert saved_result.first == 390


def test_result_field_shows_a_lost_turn_without_asking(full_session: Session, show_field: ShowField) -> None:
    pair_next_round(full_session)
    record_valid_challenge(full_session, 7, rules="naspa-nwl")
    field = show_field(full_session)
    type_keys(field, "7 400 388")
    assert "loses a turn" in field.echo_label.text()
    press_enter(field)
    assert get_result(full_session, 7) is not None


def test_result_field_refuses_a_verdict_answer_without_verdict(field: ResultField, full_session: Session) -> None:
    type_keys(field, "7 400 388 y")
    press_enter(field)
    assert "no verdict from the judge screen to decide" in field.echo_label.text()
    assert get_result(full_session, 7) is None
