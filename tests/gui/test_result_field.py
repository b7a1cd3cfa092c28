"""Results typed into the field, key by key."""

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
from tdapp.domain.model import DivisionId, Forfeit, Game, Result, ResultState, Round, Start
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import KnockoutTie
from tdapp.domain.verdicts import list_pending_verdicts
from tdapp.gui.rounds.result_field import ResultField
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.locales import fold_text
from tdapp.pairing import propose_pairings
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import load_rule_set
from tests.gui.samples import A, make_desk, make_entry, make_session, make_tournament

Show = Callable[[Session], ResultField]


class Shown(QObject):
    """An event filter that reports when its widget appears."""

    def __init__(self, tell: Callable[[], None]) -> None:
        super().__init__()
        self._tell = tell

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's own name
        if event.type() is QEvent.Type.Show:
            self._tell()
        return False


def pair(session: Session) -> Round:
    proposal = propose_pairings(session.index, A)
    session.desk.do(partial(commands.pair_round, key=session.make_row_id(), proposal=proposal))
    return session.index.rounds(A)[-1]


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    def shown(session: Session) -> ResultField:
        field = ResultField(session)
        session.changed.connect(lambda _diff: field.show_round(session.round))
        session.selection_changed.connect(lambda: field.show_round(session.round))
        field.show_round(session.round)
        qtbot.addWidget(field)
        field.show()
        field.focus_line()
        return field

    return shown


@pytest.fixture
def field(full_session: Session, show: Show) -> ResultField:
    """The field on the first round of 24 players."""
    pair(full_session)
    return show(full_session)


def keys(field: ResultField, text: str) -> None:
    QTest.keyClicks(field.line, text)


def enter(field: ResultField, *, control: bool = False) -> None:
    modifier = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(field.line, Qt.Key.Key_Return, modifier)


def game(session: Session, table: int) -> Game:
    item = session.round
    assert item is not None
    return session.index.game(item.id, table)


def result(session: Session, table: int) -> Result | None:
    return session.index.result(game(session, table).id)


def said(field: ResultField) -> str:
    return field.echo_label.text() + field.more_label.text()


def test_result_field_previews_names_spread_and_records_before_saving(
    full_session: Session, field: ResultField
) -> None:
    keys(field, "7 412 388")
    names = [
        full_session.tournament.players[one].name
        for one in (game(full_session, 7).first, game(full_session, 7).second)
    ]
    for part in (*names, "412 – 388", "+24", "1–0", "0–1", "−24"):
        assert part in said(field)
    assert result(full_session, 7) is None
    enter(field)
    assert result(full_session, 7) == Result(game(full_session, 7).id, ResultState.ENTERED, 412, 388)
    assert field.line.text() == ""


def test_result_field_previews_records_of_a_replaced_result(full_session: Session, field: ResultField) -> None:
    for line in ("7 412 388", "7 421 388", ""):
        keys(field, line)
        enter(field)
    assert result(full_session, 7) == Result(game(full_session, 7).id, ResultState.ENTERED, 421, 388)
    for part in ("421 – 388", "1–0", "+33", "0–1", "−33"):
        assert part in said(field)


def test_result_field_proposes_a_cleared_table_again(full_session: Session, field: ResultField) -> None:
    for line in ("7 412 388", "7 -"):
        keys(field, line)
        enter(field)
    assert "remove the result 412 – 388 of" in re.sub("<[^>]*>", "", said(field))  # it is not yet
    enter(field)
    assert result(full_session, 7) is None
    assert "is open again" in said(field)
    assert field.line.placeholderText().endswith(" 7")


def test_result_field_works_with_the_numeric_keypad(full_session: Session, field: ResultField) -> None:
    keys(field, "7.412.388")
    QTest.keyClick(field.line, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert result(full_session, 7) is not None


def test_result_field_proposes_the_next_open_table_by_space(full_session: Session, field: ResultField) -> None:
    keys(field, "7 412 388")
    enter(field)
    assert field.proposed_key == game(full_session, 8).id
    keys(field, " 400 390")
    assert field.line.text() == "8 400 390"
    enter(field)
    assert result(full_session, 8) is not None
    assert field.proposed_key == game(full_session, 9).id


def test_result_field_ignores_an_extra_enter(full_session: Session, field: ResultField) -> None:
    keys(field, "7 412 388")
    enter(field)
    enter(field)
    assert field.line.text() == ""
    keys(field, "9 400 390")
    enter(field)
    assert [result(full_session, table) is not None for table in (7, 8, 9)] == [True, False, True]


def test_result_field_enters_a_round_in_tsh_order(full_session: Session, field: ResultField) -> None:
    for table in range(1, 13):
        one, two = (
            full_session.tournament.players[id_].number
            for id_ in (game(full_session, table).first, game(full_session, table).second)
        )
        keys(field, f"{two} {300 + table} {one} {400 - table}")
        enter(field)
    assert [(result(full_session, t).first, result(full_session, t).second) for t in range(1, 13)] == [  # type: ignore[union-attr]
        (400 - t, 300 + t) for t in range(1, 13)
    ]
    assert "All results" in said(field) or "✓" in said(field)
    assert field.proposed_key == ""


def test_result_field_never_overwrites_by_one_enter(full_session: Session, field: ResultField) -> None:
    keys(field, "7 412 388")
    enter(field)
    keys(field, "7 500 300")
    assert "412 – 388" in said(field)
    enter(field)
    assert result(full_session, 7).first == 412  # type: ignore[union-attr]
    assert field.line.text() == "7 500 300"
    enter(field)
    assert result(full_session, 7).first == 500  # type: ignore[union-attr]


def test_result_field_second_enter_confirms_only_the_shown_result(
    full_session: Session, field: ResultField
) -> None:
    keys(field, "7 412 388")
    enter(field)
    keys(field, "7 500 300")
    enter(field)
    QTest.keyClick(field.line, Qt.Key.Key_End)
    keys(field, "1")
    QTest.keyClick(field.line, Qt.Key.Key_Backspace)
    enter(field)
    assert result(full_session, 7).first == 412  # type: ignore[union-attr]


def test_result_field_shows_a_result_changed_meanwhile(full_session: Session, field: ResultField) -> None:
    keys(field, "7 412 388")
    enter(field)
    keys(field, "7 500 300")
    enter(field)
    again = partial(commands.enter_result, game=game(full_session, 7).id, first=333, second=222)
    full_session.desk.do(again, label="enter-result")
    enter(field)
    assert result(full_session, 7).first == 333  # type: ignore[union-attr]
    assert "333 – 222" in said(field)


def test_result_field_takes_ctrl_enter_for_implausible_points(full_session: Session, field: ResultField) -> None:
    keys(field, "7 9999 388")
    assert "more than the highest plausible score (1500)" in said(field)
    enter(field)
    assert result(full_session, 7) is None
    assert field.line.text() == "7 9999 388"
    QTest.keyClick(field.line, Qt.Key.Key_End)
    enter(field, control=True)
    assert result(full_session, 7).first == 9999  # type: ignore[union-attr]


@pytest.mark.parametrize("line", ["99 1 2", "7 4x 3", "1 412 2 388 9", "7 -", "/99 412 388"])
def test_result_field_keeps_an_invalid_line(full_session: Session, field: ResultField, line: str) -> None:
    keys(field, line)
    enter(field)
    assert field.line.text() == line
    assert field.line.hasFocus()
    assert field.line.property("wrong")
    assert not full_session.tournament.results


@pytest.mark.parametrize(
    ("typed", "forfeit"), [("f1", Forfeit.FIRST), ("f2", Forfeit.SECOND), ("fb", Forfeit.BOTH)]
)
def test_result_field_enters_forfeits_and_clears(
    full_session: Session, field: ResultField, typed: str, forfeit: Forfeit
) -> None:
    keys(field, f"7 {typed}")
    assert "forfeit" in said(field)
    enter(field)
    assert result(full_session, 7).forfeit is forfeit  # type: ignore[union-attr]
    keys(field, "7 -")
    enter(field)
    assert result(full_session, 7) is not None
    enter(field)
    assert result(full_session, 7) is None


def test_result_field_asks_a_reason_for_a_certified_result(full_session: Session, field: ResultField) -> None:
    keys(field, "7 412 388")
    enter(field)
    full_session.desk.do(partial(commands.certify_result, game=game(full_session, 7).id))
    keys(field, "7 413 388")
    assert "final" in said(field)
    enter(field)
    assert field.bar.reason.hasFocus()
    QTest.keyClick(field.bar.reason, Qt.Key.Key_Return)
    assert result(full_session, 7).first == 412  # type: ignore[union-attr]
    QTest.keyClicks(field.bar.reason, "the sheet says so")
    QTest.keyClick(field.bar.reason, Qt.Key.Key_Return)
    assert result(full_session, 7).first == 413  # type: ignore[union-attr]
    assert full_session.desk.history()[-1].facts["reason"] == "the sheet says so"
    assert field.line.hasFocus()
    assert field.line.text() == ""


def test_result_field_enters_once_for_two_enters(full_session: Session, field: ResultField) -> None:
    keys(field, "7 412 388")
    enter(field)
    enter(field)
    assert sum(step.label == "enter-result" for step in full_session.desk.history()) == 1


def test_result_field_keeps_text_typed_before_a_slow_answer(
    full_session: Session, field: ResultField, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[Callable[[], None]] = []
    monkeypatch.setattr(Session, "do", lambda _self, _command, **kept: waiting.append(kept["on_success"]))
    keys(field, "7 412 388")
    enter(field)
    enter(field)
    assert len(waiting) == 1
    keys(field, "8 4")
    assert field.line.text() == "8 4"
    waiting[0]()
    assert field.line.text() == "8 4"


def test_result_field_question_mark_lists_inputs(full_session: Session, field: ResultField) -> None:
    shown: list[str] = []
    seen = Shown(lambda: shown.append(field._help_text.text()))
    field.help_box.installEventFilter(seen)
    keys(field, "?")
    assert field.help_box.isVisible()
    assert shown == [field._help_text.text()] != [""], "it comes with its text"
    assert "12 412 15 388" in field._help_text.text()
    QTest.keyClick(field.line, Qt.Key.Key_Backspace)
    assert not field.help_box.isVisible()


@pytest.mark.parametrize(
    ("tie", "words"), [(KnockoutTie.REPLIER, "{replier} wins"), (KnockoutTie.EXTRA_GAME, "tie: choose the winner")]
)
def test_result_field_names_the_qualified_player_of_a_tie(
    empty_session: Session, show: Show, tie: KnockoutTie, words: str
) -> None:
    value = make_tournament(players=4)
    stage = next(iter(value.stages.values()))
    rules = replace(value.ruleset, knockout=replace(value.ruleset.knockout, tie=tie))
    value = commands.change_rules(value.put(replace(stage, system="knockout", rounds=2)), ruleset=rules)
    empty_session.attach_desk(make_desk(value))
    pair(empty_session)
    field = show(empty_session)
    keys(field, "1 400 400")
    expected = words.format(replier=empty_session.tournament.players[game(empty_session, 1).second].name)
    assert expected in said(field)
    enter(field)
    assert expected in said(field)
    keys(field, "2 400 390")
    assert "wins" not in said(field)
    assert "tie" not in said(field)


def test_result_field_clears_typed_text_for_the_next_round(full_session: Session, field: ResultField) -> None:
    for table in range(1, 13):
        keys(field, f"{table} 400 390")
        enter(field)
    keys(field, "13 400 390")
    enter(field)
    assert field.line.text() == "13 400 390"
    pair(full_session)
    full_session.choose_round(2)
    assert field.line.text() == ""


@pytest.mark.parametrize(("rounds", "said_of_it"), [(1, True), (2, False)])
def test_result_field_says_how_to_continue_after_the_last_round(
    empty_session: Session, show: Show, *, rounds: int, said_of_it: bool
) -> None:
    empty_session.attach_desk(make_desk(make_tournament(players=4, rounds=rounds)))
    pair(empty_session)
    for table in (1, 2):
        given = partial(commands.enter_result, game=game(empty_session, table).id, first=400, second=390)
        empty_session.desk.do(given, label="enter-result")
    field = show(empty_session)
    assert "All results of round 1 are in." in said(field)
    assert ("last planned round" in said(field)) is said_of_it


def test_result_field_records_a_starter_decided_by_tiles(full_session: Session, show: Show) -> None:
    stage = full_session.index.stages(A)[0]
    drawn = replace(stage, settings=PairingSettings(draw_starts=True))
    full_session.attach_desk(make_desk(full_session.tournament.put(drawn)))
    pair(full_session)
    field = show(full_session)
    before = game(full_session, 7)
    assert before.start is Start.DRAW
    keys(field, "7 412 388 2")
    assert f"{full_session.tournament.players[before.second].name} started" in said(field)
    enter(field)
    after = game(full_session, 7)
    assert (after.first, after.start) == (before.second, Start.DRAWN)
    assert result(full_session, 7) == Result(after.id, ResultState.ENTERED, 388, 412)


def test_result_field_refuses_results_of_a_draft(full_session: Session, show: Show) -> None:
    proposal = propose_pairings(full_session.index, A)
    full_session.desk.do(partial(commands.propose_round, key=full_session.make_row_id(), proposal=proposal))
    field = show(full_session)
    keys(field, "7 412 388")
    enter(field)
    assert not full_session.tournament.results


def test_result_field_escapes_markup_in_names(full_session: Session, show: Show) -> None:
    player = full_session.index.players(A)[0]
    full_session.desk.do(partial(commands.edit_player, player=player.id, name="<b>Evil & Co"))
    pair(full_session)
    field = show(full_session)
    keys(field, f"/{player.number} 412 388")
    assert "&lt;b&gt;Evil &amp; Co" in said(field)


@pytest.mark.parametrize("language", ["en", "nl", "nb", "de"])
def test_result_field_in_every_language(
    qtbot: QtBot, appearance: Appearance, settings: QSettings, show: Show, language: str
) -> None:
    session = make_session(language, appearance, settings)
    session.attach_desk(make_desk(make_tournament(players=8)))
    pair(session)
    field = show(session)
    for line in ("", "?", "1", "1 400", "1 400 300", "1 f1", "1 -", "x", "99", "1 9999 3", "1 2 3 4"):
        field.set_typed_text(line)
        assert "{" not in said(field)
    session.close()


def test_result_field_accepts_fast_input_on_a_slow_disk(
    qtbot: QtBot, appearance: Appearance, settings: QSettings, show: Show, tmp_path: Path
) -> None:
    session = make_session("en", appearance, settings, inline=False)
    file = tmp_path / "fast.tdapp"
    desk = Desk.create(file, make_tournament(players=24))
    desk.do(partial(commands.pair_round, key=desk.make_row_id(), proposal=propose_pairings(desk.index, A)))
    session.attach_desk(desk)  # from here on it is used on its own thread
    field = show(session)
    qtbot.waitUntil(lambda: session.round is not None and field._reader is not None)
    for table in range(1, 13):
        keys(field, f"{table} {400 + table} 388" if table % 3 else f"{400 + table} 388")
        enter(field)
        enter(field)
    qtbot.waitUntil(lambda: len(session.tournament.results) == 12 and not field.line.text())
    assert [result(session, table).first for table in range(1, 13)] == list(range(401, 413))  # type: ignore[union-attr]
    session.close()
    session.work.close()
    with closing(Desk.open(file)) as again:
        assert sum(step.label == "enter-result" for step in again.history()) == 12


def test_result_field_accepts_slips_after_a_refusal(full_session: Session, field: ResultField) -> None:
    for line in ("1 412", "99 412 388", "7 41 388", "7 f", "?", "7?", "2 xx 388"):
        keys(field, line)
        enter(field)
    assert not full_session.tournament.results
    for table in range(2, 12):
        keys(field, f"{table} {400 + table} 388")
        enter(field)
    assert [result(full_session, table).first for table in range(2, 12)] == list(range(402, 412))  # type: ignore[union-attr]


def test_result_field_space_after_a_refusal_takes_the_proposed_table(
    full_session: Session, field: ResultField
) -> None:
    keys(field, "99 412 388")
    enter(field)
    keys(field, " 400 390")
    assert field.line.text() == "1 400 390"


def test_result_field_space_continues_an_incomplete_line(full_session: Session, field: ResultField) -> None:
    keys(field, "4 412")
    enter(field)
    assert "Nothing is entered yet. Press Space to continue." in said(field)
    assert "score" not in said(field)
    keys(field, " 405")
    assert field.line.text() == "4 412 405"
    enter(field)
    assert result(full_session, 4).second == 405  # type: ignore[union-attr]


def test_result_field_question_mark_keeps_two_different_slips(full_session: Session, field: ResultField) -> None:
    keys(field, "4 412 405")
    enter(field)
    keys(field, "4 412 450")
    enter(field)
    keys(field, "?")
    assert field.line.text() == "4 412 450 ?"
    enter(field)
    assert result(full_session, 4).disputed == (412, 450)  # type: ignore[union-attr]


@pytest.mark.parametrize("line", ["7", "7 412", "7 f", "7 412 388 t", ". ,", "hello", "7?"])
def test_result_field_enter_always_explains_a_refusal(
    full_session: Session, field: ResultField, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[bool] = []
    monkeypatch.setattr(QApplication, "beep", lambda: heard.append(True))
    field.set_typed_text(line)
    enter(field)
    assert field.line.selectedText() == line
    assert field.line.property("wrong")
    assert "<b>" in said(field) or "understood" in said(field)
    full_session.settings.setValue("sound", "off")
    enter(field)
    assert heard == [True]
    QTest.keyClick(field.line, Qt.Key.Key_Escape)
    assert (field.line.text(), field.line.property("wrong")) == ("", False)


@pytest.mark.parametrize("line", ["7 41 388", "7 1412 388", "7 0 0"])
def test_result_field_asks_twice_for_an_unlikely_result(
    full_session: Session, field: ResultField, line: str
) -> None:
    keys(field, line)
    enter(field)
    assert result(full_session, 7) is None
    assert "This result is rare: is it right? Press Enter again to keep this result" in said(field)
    enter(field)
    assert result(full_session, 7) is not None


def test_result_field_help_closes_by_escape_and_enter(field: ResultField) -> None:
    for key in (Qt.Key.Key_Escape, Qt.Key.Key_Return):
        keys(field, "?")
        assert field.help_box.isVisible()
        QTest.keyClick(field.line, key)
        assert not field.help_box.isVisible()
        assert field.line.text() == ""


def test_result_field_keeps_a_different_slip_for_the_jury(full_session: Session, field: ResultField) -> None:
    keys(field, "7 412 388")
    enter(field)
    keys(field, "7 430 388")
    assert "Type ? at the end to save both results for the jury." in said(field)
    keys(field, " ?")
    assert "another slip says 430 – 388" in said(field)
    enter(field)
    found = result(full_session, 7)
    assert found is not None
    assert (found.first, found.disputed) == (412, (430, 388))
    assert field.line.text() == ""
    keys(field, "8 412 388?")
    enter(field)
    assert result(full_session, 8) is None
    assert "“?” is not understood" in said(field)


def test_result_field_reports_a_repeated_slip(full_session: Session, field: ResultField) -> None:
    for line in ("7 412 388", "8 412 388", "7 412 388"):
        keys(field, line)
        enter(field)
    assert "The result of table 7 is" in said(field)
    assert "The result is already the same." in said(field)
    field.show_round(full_session.round)
    assert "The result is already the same." in said(field)
    keys(field, "9")
    field.line.clear()
    assert "The result is already the same." not in said(field)


def test_result_field_accepts_a_name(full_session: Session, field: ResultField) -> None:
    one = game(full_session, 7)
    name = full_session.tournament.players[one.second].name
    keys(field, f"{fold_text(name)} 412")
    assert "412 – …" in said(field)
    keys(field, " 388")
    enter(field)
    assert (result(full_session, 7).first, result(full_session, 7).second) == (388, 412)  # type: ignore[union-attr]


def test_result_field_accepts_the_code_of_a_division(full_session: Session, show: Show) -> None:
    pair(full_session)
    value = commands.add_division(full_session.tournament, key="d2", code="B", name="B")
    value = commands.add_stage(value, key="s2", division=DivisionId("d2"), system="swiss", rounds=3)
    entries = tuple(make_entry(number) for number in range(1, 5))
    value = commands.import_players(value, key="q", division=DivisionId("d2"), entries=entries)
    full_session.attach_desk(make_desk(value))
    other = propose_pairings(full_session.index, DivisionId("d2"))
    full_session.desk.do(partial(commands.pair_round, key="rb", proposal=other))
    full_session.choose_division(A)
    field = show(full_session)
    table = full_session.index.games(full_session.index.rounds(DivisionId("d2"))[0].id)[1].table
    keys(field, f"b {table} 412 388")
    assert full_session.division is not None
    assert full_session.division.code == "B"
    assert field.line.text() == f"{table} 412 388"
    enter(field)
    assert (result(full_session, table).first, result(full_session, table).second) == (412, 388)  # type: ignore[union-attr]
    keys(field, "A.3 400 390")
    enter(field)
    assert full_session.index.result(full_session.index.game(full_session.index.rounds(A)[0].id, 3).id) is not None
    proposed, foreign = (
        field.proposed_key,
        full_session.index.games(full_session.index.rounds(DivisionId("d2"))[0].id)[0],
    )
    keys(field, f"{foreign.table} 380 370")  # only division B has this table: no code is needed
    assert f"Division B · Table {foreign.table}: " in said(field)
    enter(field)
    assert f"✓ Division B · Table {foreign.table}: " in said(field)
    assert (full_session.division.code, field.proposed_key) == ("A", proposed)
    keys(field, f"{foreign.table} 380 371")
    enter(field)
    enter(field)
    entered = full_session.tournament.results[foreign.id]
    assert (entered.first, entered.second) == (380, 371)


def test_result_field_gives_two_scores_to_the_proposed_table(full_session: Session, field: ResultField) -> None:
    keys(field, "412")
    assert "Table 1: " in said(field)
    assert "score" in said(field)
    keys(field, " 388")
    assert "Table 1: " in said(field)
    enter(field)
    assert (result(full_session, 1).first, result(full_session, 1).second) == (412, 388)  # type: ignore[union-attr]
    keys(field, "412 388")
    enter(field)
    assert (result(full_session, 2).first, result(full_session, 2).second) == (412, 388)  # type: ignore[union-attr]
    assert field.line.placeholderText() == "Both scores of table 3"


def test_result_field_two_scores_keep_their_table_while_others_enter(
    full_session: Session, field: ResultField
) -> None:
    keys(field, "412 388")
    full_session.desk.do(partial(commands.enter_result, game=game(full_session, 1).id, first=390, second=401))
    assert "Table 1 has" not in said(field)
    assert "The result of the table is 390 – 401" in said(field)
    enter(field)
    assert result(full_session, 1).first == 390  # type: ignore[union-attr]
    assert result(full_session, 2) is None
    field.propose_game(game(full_session, 5).id)
    assert "Table 5: " in said(field)


def test_result_field_two_scores_before_the_answer_are_for_the_next_table(
    full_session: Session, field: ResultField, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[Callable[[], None]] = []
    monkeypatch.setattr(Session, "do", lambda _self, _command, **kept: waiting.append(kept["on_success"]))
    for table in (1, 2, 3):
        keys(field, "412 388")
        assert f"Table {table}: " in said(field)
        enter(field)
        enter(field)
        assert len(waiting) == table
    waiting[0]()
    assert field.line.text() == "412 388"
    waiting[1]()
    waiting[2]()
    assert not field.line.text()


def test_result_field_distinguishes_namesakes_by_table_and_club(session: Session, show: Show) -> None:
    names = (("Janssen, Wim", "Köln"), ("Janssen, Wim", "Ede"), ("A, A", ""), ("B, B", ""))
    for at, (name, club) in enumerate(names):
        session.do(partial(commands.add_player, key=f"p{at}", division=A, name=name, club=club))
    item = pair(session)
    field = show(session)
    keys(field, "wim jans 412 388")
    players = session.tournament.players
    seated = [
        (game.table, players[who]) for game in session.index.games(item.id) for who in (game.first, game.second)
    ]
    twins = (f"{table} {who.name} ({who.club})" for table, who in seated if who.club)
    assert "; ".join(twins) in said(field)


# --- verdicts of the judge screen


def judged(session: Session, table: int, *, rules: str = "no-nsf") -> None:
    """A challenge of a valid play by the first player of a table."""
    row = game(session, table)
    session.desk.do(partial(commands.change_rules, ruleset=load_rule_set(rules)))
    command = partial(
        commands.record_challenge, key="c", division=A, at="2026-11-28T10:00:00+00:00", words=("HUS",),
        verdict=WordVerdict.VALID, edition="e", round_number=1, table=table, challenger=row.first,
    )  # fmt: skip
    session.desk.do(command, label="record-challenge")


@pytest.mark.parametrize(("key", "first", "waits"), [("y", 390, 0), ("n", 400, 0)])
def test_result_field_asks_if_the_score_includes_a_verdict(
    full_session: Session, show: Show, key: str, first: int, waits: int
) -> None:
    pair(full_session)
    judged(full_session, 7)
    field = show(full_session)
    keys(field, "7 400 388")
    name = full_session.tournament.players[game(full_session, 7).first].name
    assert f"Challenge: {name} −10." in field.more_label.text()
    assert "y: change the total · n: the total already includes the ruling" in field.more_label.text()
    enter(field)
    assert result(full_session, 7) is None
    keys(field, key)
    made = result(full_session, 7)
    assert made is not None
    assert (made.first, made.second) == (first, 388)
    assert len(list_pending_verdicts(full_session.index, game(full_session, 7))) == waits
    assert field.line.text() == ""
    full_session.desk.undo()
    assert result(full_session, 7) is None


def test_result_field_asks_about_a_rare_score_after_a_verdict(full_session: Session, show: Show) -> None:
    pair(full_session)
    judged(full_session, 7)
    field = show(full_session)
    keys(field, "7 750 100")
    for _ in range(2):
        enter(field)
        assert result(full_session, 7) is None
    assert "rare" in field.more_label.text()
    enter(field)
    assert result(full_session, 7) is not None


def test_result_field_leaves_a_verdict_to_the_jury_by_a_second_enter(full_session: Session, show: Show) -> None:
    pair(full_session)
    judged(full_session, 7)
    field = show(full_session)
    keys(field, "7 400 388")
    assert "Press Enter to let the jury decide" in field.more_label.text()
    enter(field)
    assert result(full_session, 7) is None
    enter(field)
    made = result(full_session, 7)
    assert made is not None
    assert (made.first, made.second) == (400, 388)
    assert len(list_pending_verdicts(full_session.index, game(full_session, 7))) == 1


def test_result_field_accepts_a_result_with_a_verdict_without_player(full_session: Session, show: Show) -> None:
    pair(full_session)
    judged(full_session, 7)
    [challenge] = full_session.tournament.challenges.values()
    full_session.desk.do(partial(commands.remove_challenge, challenge=challenge.id))
    anonymous = partial(
        commands.record_challenge, key="d", division=A, at=challenge.at, words=("HUS",), verdict=WordVerdict.VALID,
        edition="e", round_number=1, table=7,
    )  # fmt: skip
    full_session.desk.do(anonymous, label="record-challenge")
    field = show(full_session)
    keys(field, "7 400 388")
    assert "Challenge: −10, the player is not named.  The jury decides." in field.more_label.text()
    enter(field)
    assert result(full_session, 7) is not None
    assert len(list_pending_verdicts(full_session.index, game(full_session, 7))) == 1


def test_result_field_decides_a_verdict_in_the_line(full_session: Session, show: Show) -> None:
    pair(full_session)
    judged(full_session, 7)
    field = show(full_session)
    keys(field, "7 400 388 y")
    assert "390 – 388" in field.echo_label.text()
    enter(field)
    made = result(full_session, 7)
    assert made is not None
    assert made.first == 390


def test_result_field_shows_a_lost_turn_without_asking(full_session: Session, show: Show) -> None:
    pair(full_session)
    judged(full_session, 7, rules="naspa-nwl")
    field = show(full_session)
    keys(field, "7 400 388")
    assert "loses a turn" in field.echo_label.text()
    enter(field)
    assert result(full_session, 7) is not None


def test_result_field_refuses_a_verdict_answer_without_verdict(field: ResultField, full_session: Session) -> None:
    keys(field, "7 400 388 y")
    enter(field)
    assert "the judge screen has no verdict" in field.echo_label.text()
    assert result(full_session, 7) is None
