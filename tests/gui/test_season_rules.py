"""Tests of the panel for the rules of a season: the form, its preview, and rule files."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain.rule_fields import RuleField, get_rule_value, list_season_fields, replace_rule_value
from tdapp.domain.season_rule import (
    EveningResultMeasure,
    FinalQualificationRule,
    QualifyingPlacesByFieldSize,
    SeasonRule,
    SeasonTieBreak,
)
from tdapp.domain.seasons import compute_season_lines
from tdapp.exchange.presets import format_season_rule, read_season_rule, read_season_rules
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.season import SeasonsPanel
from tdapp.gui.standings.season_rules import SeasonRulesPanel
from tdapp.gui.tournament.rule_editors import ChoiceEditor, TextOrNumberEditor, TieBreakOrderEditor
from tdapp.i18n.messages.codes import RULES
from tests.changed_rules import make_other_value
from tests.domain.test_seasons import SEASON, make_autumn
from tests.gui.samples import RESOURCES, make_desk
from tests.gui.windows import get_panel, run_action, show_window

PRESETS = read_season_rules(RESOURCES / "seasons")


def show_rules(empty_session: Session, qtbot: QtBot) -> tuple[Window, SeasonRulesPanel]:
    empty_session.open_tournament_of_desk(make_desk(make_autumn()))
    window = show_window(empty_session, qtbot, "standings")
    run_action(window, "season-rules")
    return window, get_panel(window, SeasonRulesPanel)


def type_value(panel: SeasonRulesPanel, path: str, text: str) -> TextOrNumberEditor:
    editor = panel.form.rows[path].editor
    assert isinstance(editor, TextOrNumberEditor)
    panel.form.show_and_focus_rule(path)
    editor.line.selectAll()
    QTest.keyClicks(editor.line, text)
    return editor


def get_rule(window: Window) -> SeasonRule:
    return window.session.tournament.seasons[SEASON].rule


def test_season_rules_panel_previews_changed_ranks(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = show_rules(empty_session, qtbot)
    rule_before = get_rule(window)
    assert panel.moves.text() == ""

    type_value(panel, "best", "1")

    assert panel.moves.text() == "New ranks in Autumn: C: 2 instead of 3 · B: 3 instead of 2"
    assert get_rule(window) == rule_before
    QTest.mouseClick(panel.keep_button, Qt.MouseButton.LeftButton)
    assert get_rule(window).best == 1
    lines = compute_season_lines(window.session.index, window.session.tournament.seasons[SEASON])
    assert [line.member.name for line in lines][:3] == ["A", "C", "B"]
    step_text = empty_session.describe_step(empty_session.desk.list_all_steps()[-1])
    assert step_text == "Autumn: rules changed: Number of best results that count"
    window.session.undo()
    assert get_rule(window) == rule_before


@pytest.mark.slow
def test_season_rules_panel_says_that_rules_have_no_effect(empty_session: Session, qtbot: QtBot) -> None:
    _, panel = show_rules(empty_session, qtbot)
    type_value(panel, "name", "Our club")
    assert panel.moves.text() == "With these rules the season table stays the same."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "text", "error"),
    [
        ("best", "many", "Type a whole number from 0 to 10000."),
        ("scale", "0", "Type a number above 0, at most 10000."),
        ("least_share", "3/2", "Type a number from 0 to 1."),
        (
            "qualification.places",
            "16 2",
            (
                "Type it like this: 16: 2, 48: 3. From 16 players on, two places qualify; from 48 "
                "players on, three."
            ),
        ),
    ],
)
def test_season_rules_panel_shows_an_error_at_its_field(
    empty_session: Session, qtbot: QtBot, path: str, text: str, error: str
) -> None:
    window, panel = show_rules(empty_session, qtbot)
    rule_before = get_rule(window)
    editor = type_value(panel, path, text)
    type_value(panel, "expiry", "30")
    panel.save_changed_rules()
    assert panel.form.rows[path].error_label.text() == error
    assert editor.line.hasFocus()
    assert get_rule(window) == rule_before


def test_season_rules_panel_accepts_typed_lists(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = show_rules(empty_session, qtbot)
    type_value(panel, "places", "10 8,5 6")
    type_value(panel, "categories", "A, B ; C")
    type_value(panel, "qualification.places", "16: 2, 48: 3")
    order = panel.form.rows["ties"].editor
    assert isinstance(order, TieBreakOrderEditor)
    assert order.list is not None
    order.list.item(1).setCheckState(Qt.CheckState.Checked)
    panel.save_changed_rules()
    rule = get_rule(window)
    assert rule.places == (Fraction(10), Fraction(17, 2), Fraction(6))
    assert rule.categories == ("A", "B", "C")
    assert rule.qualification.places == (QualifyingPlacesByFieldSize(16, 2), QualifyingPlacesByFieldSize(48, 3))
    assert rule.ties == (SeasonTieBreak.NEXT_BEST, SeasonTieBreak.EVENTS)


@pytest.mark.slow
def test_season_rules_panel_allows_an_empty_tie_break_list(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = show_rules(empty_session, qtbot)
    order = panel.form.rows["ties"].editor
    assert isinstance(order, TieBreakOrderEditor)
    assert order.list is not None
    order.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    panel.save_changed_rules()
    assert get_rule(window).ties == ()


def test_season_rules_panel_fills_all_fields_from_a_preset(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = show_rules(empty_session, qtbot)
    preset_editor = panel.form.rows["id"].editor
    assert isinstance(preset_editor, ChoiceEditor)
    for rule in PRESETS.values():
        preset_editor.choice.setCurrentIndex(
            preset_editor.choice.findText(window.session.catalogue.text(rule.name))
        )
        assert panel.form.rules == rule
    panel.save_changed_rules()
    assert get_rule(window) == rule


def test_season_rules_panel_saves_and_loads_a_file(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    window, panel = show_rules(empty_session, qtbot)
    type_value(panel, "name", 'Club "Corner"')
    type_value(panel, "scale", "1/2")
    panel.save_rules_to_file(tmp_path / "club.toml")
    qtbot.waitUntil((tmp_path / "club.toml").exists)
    saved_rule = read_season_rule(tmp_path / "club.toml")
    assert (saved_rule.name, saved_rule.scale) == ('Club "Corner"', Fraction(1, 2))

    panel.form.reset_to_preset()
    panel.load_rules_file_into_form(tmp_path / "club.toml")
    panel.save_changed_rules()
    assert get_rule(window) == saved_rule


@pytest.mark.slow
def test_season_rules_panel_ignores_an_invalid_file(empty_session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    _window, panel = show_rules(empty_session, qtbot)
    rule_before = panel.form.rules
    messages: list[str] = []
    empty_session.message_sent.connect(lambda sentence, _seq, _tone: messages.append(sentence))
    (tmp_path / "bad.toml").write_text('id = "x"\nname = "X"\nvalue = "luck"\n', encoding="utf-8")
    panel.load_rules_file_into_form(tmp_path / "bad.toml")
    assert "value: expected one of place" in messages[0]
    assert panel.form.rules == rule_before


def test_season_rules_panel_keeps_unsaved_rules_when_closed(empty_session: Session, qtbot: QtBot) -> None:
    window, panel = show_rules(empty_session, qtbot)
    type_value(panel, "best", "1")
    panel.closed.emit()
    run_action(window, "seasons")
    get_panel(window, SeasonsPanel).open_rules_panel()
    reopened_panel = get_panel(window, SeasonRulesPanel)
    assert reopened_panel.form.rules.best == 1


@pytest.mark.parametrize("rule", PRESETS.values(), ids=PRESETS)
def test_format_season_rule_keeps_each_preset(rule: SeasonRule, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(format_season_rule(rule), encoding="utf-8")
    assert read_season_rule(path) == rule


@pytest.mark.parametrize("field", list_season_fields(), ids=lambda field: field.path)
def test_format_season_rule_keeps_every_changed_value(field: RuleField, tmp_path: Path) -> None:
    full_rule = SeasonRule(
        "own", "Own", value=EveningResultMeasure.PLACING, categories=("Ä", 'B"\x7f\\'),
        qualification=FinalQualificationRule((QualifyingPlacesByFieldSize(16, 2),)),
    )  # fmt: skip
    changed = replace_rule_value(
        full_rule, field.path, make_other_value(field, get_rule_value(full_rule, field.path))
    )
    path = tmp_path / "rules.toml"
    path.write_text(format_season_rule(changed), encoding="utf-8")
    assert changed != full_rule
    assert read_season_rule(path) == changed


@pytest.mark.slow
def test_season_rules_panel_has_a_labelled_row_for_every_field(empty_session: Session, qtbot: QtBot) -> None:
    _, panel = show_rules(empty_session, qtbot)
    assert panel.form.rows.keys() == {field.path for field in list_season_fields()}
    for path, row in panel.form.rows.items():
        assert row.editor.label == panel.text(RULES[f"season.{path}"])
