"""The rules in words, changed for one tournament: in the assistant and in the panel of the Tournament page."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.rule_fields import (
    RuleFieldKind,
    get_rule_value,
    list_rule_fields,
    set_rule_value,
    set_rule_values,
)
from tdapp.domain.ruleset import OvertimeKind, RedrawingPlayers, RuleSet
from tdapp.exchange.presets import read_presets, read_rule_sources
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.assistant import TournamentAssistant
from tdapp.gui.tournament.page import TournamentPage
from tdapp.gui.tournament.rule_editors import (
    ChoiceEditor,
    MultipleChoiceEditor,
    NumberPairEditor,
    TieBreakOrderEditor,
    TypedRuleEditor,
    YesNoEditor,
)
from tdapp.gui.tournament.rule_form import RuleForm, RulesPanel, RuleTextView
from tdapp.i18n import rule_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import SYSTEMS, propose_pairings
from tdapp.scrabble.sheet import GameEnding
from tests.changed_rules import make_other_value
from tests.gui.samples import RESOURCES, A, make_desk
from tests.gui.windows import open_assistant, show_window

PRESETS = read_presets(RESOURCES / "rulesets")
SOURCES = read_rule_sources(RESOURCES / "rulesets")
BOOKS = [name for name, rules in PRESETS.items() if not rules.unseen]
NSF = PRESETS["no-nsf"]
WORDS = Catalogue("en", RESOURCES / "locale")
FIELDS = {field.path: field for field in list_rule_fields(tuple(SYSTEMS))}
# Never shown: the order or the id of presets.
UNSAID = {"place", "country", "id", "unseen"}


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    """The Tournament page of an event under the Norwegian rules."""
    return shown_on(empty_session, qtbot, NSF)


def shown_on(session: Session, qtbot: QtBot, rules: RuleSet) -> Window:
    session.attach_desk(make_desk(commands.new_tournament(key="t", name="Cup", ruleset=rules)))
    return show_window(session, qtbot, "tournament")


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def panel(window: Window) -> RulesPanel:
    window.command("change-rules").trigger()
    assert isinstance(window.panel, RulesPanel)
    return window.panel


def typed(form: RuleForm[RuleSet], path: str, text: str) -> None:
    form.reveal_rule(path)
    editor = form.rows[path].editor
    assert isinstance(editor, TypedRuleEditor)
    assert QApplication.focusWidget() is editor.line
    editor.line.selectAll()
    QTest.keyClicks(editor.line, text) if text else QTest.keyClick(editor.line, Qt.Key.Key_Delete)


# --- in words


def said(rules: RuleSet) -> list[str]:
    return [one.text for told in rule_sentences.explain_rules(WORDS, rules).values() for one in told]


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_explain_rules_covers_every_parameter_under_its_heading(rules: RuleSet) -> None:
    told = rule_sentences.explain_rules(WORDS, rules)

    untold = [
        path
        for path in FIELDS.keys() - UNSAID
        if get_rule_value(rules, path)
        and not any(one.covers_path(path) for one in told[rule_sentences.find_rule_group(path)])
        if path != "ending.blocked_with_tiles" or GameEnding.BLOCKED in rules.ending.ends
    ]
    assert untold == []


@pytest.mark.parametrize("path", sorted(FIELDS.keys() - UNSAID))
def test_explain_rules_changes_with_each_parameter(path: str) -> None:
    """In one book at least: points for a wrong word say nothing where the jury does not look for them."""
    tried = [
        (rules, set_rule_value(rules, path, make_other_value(FIELDS[path], get_rule_value(rules, path))))
        for rules in PRESETS.values()
    ]

    assert any(said(before) != said(after) for before, after in tried)


@pytest.mark.parametrize("name", BOOKS)
def test_explain_rules_names_a_source_for_every_rule(name: str) -> None:
    """A section of the book, a reading, the federation, or the program's default."""
    told = rule_sentences.explain_rules(WORDS, PRESETS[name], sources=SOURCES[name])
    assert [one.text for group in told.values() for one in group if not one.source] == []


@pytest.mark.parametrize("name", PRESETS)
def test_rule_sources_refer_to_parameters(name: str) -> None:
    """Each key is a path or the beginning of a path; a reference outside the sections is a known word."""
    paths = FIELDS.keys()
    assert [
        source for source in SOURCES[name] if not any(f"{path}.".startswith(f"{source}.") for path in paths)
    ] == []
    parts = [part.split() for value in SOURCES[name].values() for part in value.split(";")]
    assert all(part for part in parts)
    words = {part[0] for part in parts if part[0].isalpha() and part[0].islower()}
    assert words <= rule_sentences.SOURCES.keys()


def told_of(name: str) -> dict[str, str]:
    found = rule_sentences.explain_rules(WORDS, PRESETS[name], sources=SOURCES[name])
    return {one.text: one.source for group in found.values() for one in group}


@pytest.mark.parametrize(
    ("name", "row"), [("no-nsf", "a series of turns without new tiles"), ("de-scrabble", "a series of passes")]
)
def test_explain_rules_names_the_turns_that_end_a_game(name: str, row: str) -> None:
    """In Norway an exchange and a lost turn count like a pass (4 b), in Germany only a pass (4 f)."""
    assert [
        text for text in told_of(name) if text.startswith("A game ends in one of these ways: ") and row in text
    ]


def test_explain_rules_says_nothing_about_drawn_tiles_in_germany() -> None:
    assert (
        told_of("de-scrabble")["The drawn tiles go back into the bag before the next draw."]
        == "interpretation of 3"
    )


def test_explain_rules_distinguishes_sections_readings_and_defaults() -> None:
    told = told_of("nl-match")
    assert told["Seven tiles in one turn bring 50 points extra."] == "rule book, III.8"
    assert told["25 minutes for each player."] == "default of tdapp"
    assert told["The word list decides on words of up to 13 letters, the judge on longer ones."] == (
        "the federation’s answer on I.4"
    )
    wrong = "A wrong word that the jury finds costs the turn and 20 points, also if several words are wrong."
    assert told[wrong] == "rule book, III.10; interpretation of III.10"


def test_explain_rules_contradicts_no_book() -> None:
    """nl III.10: a play is replaced, its turn never lost; nl IV.1, no 4: no end because no player can move."""
    dutch, norwegian, german = told_of("nl-match"), told_of("no-nsf"), told_of("de-scrabble")
    assert not any("removed by a challenge" in one for one in dutch)
    assert "No other challenge is possible. A rejected protest costs nothing." in dutch
    for told in (dutch, norwegian):
        assert not any("no player can move" in one for one in told)
    assert "If no player can move, the game ends, even with tiles in the bag." in german
    for told in (dutch, norwegian, german, told_of("be-brailleliga")):
        assert "After any other end each player loses the value of the tiles left on the rack." in told


def test_explain_rules_tells_the_resistance_of_a_forfeit() -> None:
    counted = "The opponent of a forfeited game counts too"
    assert any(counted in one for one in told_of("nl-match"))
    assert not any(counted in one for one in told_of("no-nsf"))


def test_explain_rules_quotes_two_books() -> None:
    assert (
        "A wrong word that the jury finds costs the turn and 20 points, also if several words are wrong."
        in said(PRESETS["nl-match"])
    )
    assert (
        "Overtime: 10 points per started minute, up to 5 minutes. After that the game is lost by at least 100, "
        "and the penalty is 50 points instead."
    ) in said(NSF)


def test_find_group_has_one_heading_for_every_parameter() -> None:
    assert {path for path in FIELDS if not rule_sentences.find_rule_group(path)} == {"place", "country", "unseen"}
    firsts = [first for group in rule_sentences.GROUPS.values() for first in group.first_path_parts]
    assert len(firsts) == len(set(firsts))


@pytest.mark.slow
def test_tournament_page_warns_of_a_clock_outside_the_book(empty_session: Session, qtbot: QtBot) -> None:
    book = PRESETS["nl-match"]
    for minutes, told in ((25, False), (15, True)):
        window = shown_on(empty_session, qtbot, replace(book, clock=replace(book.clock, minutes=minutes)))
        page = window.pages.get_page("tournament")
        assert isinstance(page, TournamentPage)
        said = [one.text() for one in page.findChildren(QLabel)]
        assert any("The rule book recommends 20 to 30 minutes for each player." in text for text in said) is told


def test_rule_text_marks_changes_and_quotes_the_book(empty_session: Session, qtbot: QtBot) -> None:
    shown = RuleTextView(empty_session, is_unfolded=True)
    qtbot.addWidget(shown)
    shown.show_rules(set_rule_values(NSF, {"bonus": 40, "order.swiss": ("points",)}))
    game = [label.text() for label in shown.folds["game"].findChildren(QLabel)]

    assert "◆ Changed: Seven tiles in one turn bring 40 points extra." in game
    assert "In the rule set: Seven tiles in one turn bring 50 points extra. (ordinary Scrabble rules)" in game
    assert "◆ changed rules: 1" in shown.folds["game"].header.text()
    assert "◆ changed rules: 1" in shown.folds["ranking"].header.text()
    assert "changed" not in shown.folds["clock"].header.text()


# --- whether pairing waits for the jury


def test_rule_text_tells_about_unchecked_results(empty_session: Session, qtbot: QtBot) -> None:
    window = shown_on(empty_session, qtbot, PRESETS["nl-match"])
    page = window.pages.get_page("tournament")
    assert isinstance(page, TournamentPage)
    page._rules.folds["jury"].set_open(show=True)

    def jury() -> list[str]:
        return [label.text() for label in page._rules.folds["jury"].findChildren(QLabel)]

    assert "◆ Changed: A round is paired whether or not the jury has checked the results." in jury()
    empty_session.do(partial(commands.set_check_first, check_first=True))
    assert "A round is paired only when the jury has checked all results. (interpretation of IV.2)" in jury()


@pytest.mark.slow
def test_rules_panel_asks_for_the_jury_check_once(window: Window) -> None:
    assert "judges.check_first" not in panel(window).form.rows


def test_rules_panel_asks_about_the_jury_check_of_another_rule_set(window: Window, empty_session: Session) -> None:
    found = panel(window)
    assert found.check_first.isHidden()
    found.form.copy_rules_to_draft(PRESETS["nl-match"])
    assert (found.check_first.isHidden(), found.check_first.isChecked()) == (False, True)
    found._save_rules()
    assert (empty_session.tournament.ruleset.id, empty_session.tournament.event.check_first) == ("nl-match", True)
    empty_session.undo()
    assert (empty_session.tournament.ruleset.id, empty_session.tournament.event.check_first) == ("no-nsf", False)
    found = panel(window)
    found.form.copy_rules_to_draft(PRESETS["nl-match"])
    found.check_first.setChecked(False)
    found._save_rules()
    assert (empty_session.tournament.ruleset.id, empty_session.tournament.event.check_first) == ("nl-match", False)


# --- the panel


@pytest.mark.slow
def test_rules_panel_changes_a_rule_by_keys_in_one_step(window: Window, empty_session: Session) -> None:
    shown = panel(window)
    form = shown.form
    assert QApplication.focusWidget() is form.search
    assert not shown.save_button.isEnabled()
    QTest.keyClicks(form.search, "per started")
    QTest.keyClick(form.search, Qt.Key.Key_Return)
    editor = form.rows["overtime.points"].editor
    assert isinstance(editor, TypedRuleEditor)
    assert QApplication.focusWidget() is editor.line
    editor.line.selectAll()
    QTest.keyClicks(editor.line, "15")
    typed(form, "bonus", "40")
    steps = len(empty_session.desk.history())
    shown.save_button.setFocus()
    QTest.keyClick(shown.save_button, Qt.Key.Key_Return)

    assert empty_session.tournament.ruleset == set_rule_values(NSF, {"overtime.points": 15, "bonus": 40})
    assert window.panel is None
    step = empty_session.desk.history()[-1]
    assert len(empty_session.desk.history()) == steps + 1
    assert empty_session.describe_step(step) == (
        "Rules changed: Points for seven tiles in one turn; Points lost per started minute of overtime"
    )
    empty_session.undo()
    assert empty_session.tournament.ruleset == NSF


def test_rules_panel_marks_a_change_and_restores_the_book_value(window: Window) -> None:
    shown = panel(window)
    form = shown.form
    row = form.rows["overtime.points"]
    assert not row.difference_label.text()
    typed(form, "overtime.points", "15")
    marks = [label.text() for label in row.findChildren(QLabel) if label.isVisible()]
    assert "◆ Changed. Value in the rule set: 10" in marks
    assert "◆ changed rules: 1" in form.folds["clock"].header.text()

    QTest.keyClick(row.reset_button, Qt.Key.Key_Return)

    assert form.rules == NSF
    assert not row.difference_label.text()
    assert not row.reset_button.isVisible()
    assert not shown.save_button.isEnabled()


@pytest.mark.slow
def test_rules_panel_restores_the_whole_book(window: Window, empty_session: Session) -> None:
    empty_session.do(
        partial(
            commands.change_rules, ruleset=set_rule_values(NSF, {"bonus": 40, "draw.again": RedrawingPlayers.TIED})
        )
    )
    shown = panel(window)
    assert shown.reset_button.isEnabled()
    shown.reset_button.click()
    shown.save_button.click()

    assert empty_session.tournament.ruleset == NSF


@pytest.mark.slow
def test_rules_panel_refuses_a_wrong_number_at_its_field(window: Window, empty_session: Session) -> None:
    shown = panel(window)
    form = shown.form
    typed(form, "bonus", "40")
    typed(form, "words.binding", "99")
    assert form.rows["words.binding"].error_label.text() == "Type a whole number from 2 to 15."
    form.folds["words"].set_open(show=False)
    shown.save_button.click()

    assert empty_session.tournament.ruleset == NSF
    editor = form.rows["words.binding"].editor
    assert isinstance(editor, TypedRuleEditor)
    assert QApplication.focusWidget() is editor.line
    editor.line.selectAll()
    QTest.keyClick(editor.line, Qt.Key.Key_Delete)
    shown.save_button.click()
    assert empty_session.tournament.ruleset == set_rule_values(NSF, {"bonus": 40, "words.binding": None})


@pytest.mark.slow
def test_rules_panel_names_contradicting_rules(window: Window, empty_session: Session) -> None:
    shown = panel(window)
    form = shown.form
    typed(form, "overtime.points", "0")
    shown.save_button.click()
    assert "Another rule needs it" in form.rows["overtime.points"].error_label.text()
    kind = form.rows["overtime.kind"].editor
    assert isinstance(kind, ChoiceEditor)
    kind.choice.choose(OvertimeKind.NONE)
    shown.save_button.click()

    assert empty_session.tournament.ruleset.overtime.kind is OvertimeKind.NONE


@pytest.mark.slow
def test_rules_panel_refuses_a_reversed_range(window: Window) -> None:
    form = panel(window).form
    form.reveal_rule("clock.recommended")
    editor = form.rows["clock.recommended"].editor
    assert isinstance(editor, NumberPairEditor)
    QTest.keyClicks(editor.lines[0], "40")
    QTest.keyClicks(editor.lines[1], "20")

    assert not form.check_rules()
    assert form.rows["clock.recommended"].error_label.text() == "The lower value 40 is above the higher value 20."


@pytest.mark.slow
def test_rules_panel_keeps_unsaved_changes_when_closed(window: Window, empty_session: Session) -> None:
    typed(panel(window).form, "bonus", "40")
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    assert window.panel is None
    assert empty_session.tournament.ruleset == NSF
    assert any("unsaved changes of rules: 1" in label.text() for label in window.page.findChildren(QLabel))

    shown = panel(window)
    assert shown.form.rules.bonus == 40
    shown.save_button.click()
    assert empty_session.tournament.ruleset.bonus == 40


@pytest.mark.slow
def test_rules_panel_shows_changes_of_another_station(window: Window, empty_session: Session) -> None:
    shown = panel(window)
    typed(shown.form, "bonus", "40")
    empty_session.do(partial(commands.change_rules, ruleset=set_rule_values(NSF, {"recount.difference": 20})))
    shown.save_button.click()

    assert empty_session.tournament.ruleset == set_rule_values(NSF, {"bonus": 40, "recount.difference": 20})


@pytest.mark.slow
def test_rules_panel_sets_everything_for_another_book(window: Window, empty_session: Session) -> None:
    shown = panel(window)
    editor = shown.form.rows["id"].editor
    assert isinstance(editor, ChoiceEditor)
    editor.choice.choose("nl-match")
    assert not any(row.difference_label.text() for row in shown.form.rows.values())
    shown.save_button.click()

    assert empty_session.tournament.ruleset == PRESETS["nl-match"]
    assert empty_session.describe_step(empty_session.desk.history()[-1]) == "Rules changed to Wedstrijdscrabble"


@pytest.mark.slow
def test_rules_panel_shows_effects_of_another_book_first(full_session: Session, qtbot: QtBot) -> None:
    run_round(full_session)
    window = show_window(full_session, qtbot, "tournament")
    before = full_session.tournament.ruleset
    window.command("replace-rules").trigger()
    made = window.panel
    assert isinstance(made, RulesPanel)
    editor = made.form.rows["id"].editor
    assert isinstance(editor, ChoiceEditor)
    assert editor.isVisible()
    editor.choice.choose("nl-points")
    made.save_button.click()
    assert full_session.tournament.ruleset == before
    assert made.save_button.text() == "Change the rules"
    assert "Division A" in made.effects.text()
    assert "the match points or spread of" in made.effects.text()
    typed(made.form, "bonus", "40")
    assert made.save_button.text() == "Save"
    made.save_button.click()
    made.save_button.click()
    assert full_session.tournament.ruleset == set_rule_values(PRESETS["nl-points"], {"bonus": 40})
    full_session.undo()
    assert full_session.tournament.ruleset == before


def run_round(session: Session) -> None:
    """Pair a round and enter its results."""
    proposal = propose_pairings(session.index, A)
    session.do(partial(commands.pair_round, key="r", proposal=proposal))
    for game in session.index.games(session.index.published(A)[-1].id):
        session.do(partial(commands.enter_result, game=game.id, first=400 + game.table, second=380))


@pytest.mark.slow
def test_order_editor_moves_and_removes_a_tie_break(window: Window, empty_session: Session) -> None:
    form = panel(window).form
    form.reveal_rule("order.other")
    editor = form.rows["order.other"].editor
    assert isinstance(editor, TieBreakOrderEditor)
    assert editor.list is not None
    assert editor.read_rule_value() == ("wins", "spread")
    editor.list.setCurrentRow(1)
    QTest.keyClick(editor.up_button, Qt.Key.Key_Return)
    assert editor.read_rule_value() == ("spread", "wins")
    QTest.keyClick(editor.list, Qt.Key.Key_Space)
    assert form.rules.get_ranking_order("manual") == ("wins",)
    editor.list.setCurrentRow(1)
    QTest.keyClick(editor.list, Qt.Key.Key_Space)
    assert form.rows["order.other"].error_label.text() == "Choose at least one tie-break."


@pytest.mark.slow
def test_order_editor_adds_and_removes_an_order_of_a_system(window: Window) -> None:
    form = panel(window).form
    form.reveal_rule("order.swiss")
    editor = form.rows["order.swiss"].editor
    assert isinstance(editor, TieBreakOrderEditor)
    assert editor.list is None
    QTest.keyClick(editor.custom_box, Qt.Key.Key_Space)
    assert form.rules.get_ranking_order("swiss") == ("wins",)
    assert form.rows["order.swiss"].difference_label.text()
    QTest.keyClick(editor.custom_box, Qt.Key.Key_Space)
    assert form.rules == NSF


@pytest.mark.slow
def test_rule_form_search_prefers_the_words_as_typed(window: Window) -> None:
    form = panel(window).form
    QTest.keyClicks(form.search, "one player")
    assert [path for path, row in form.rows.items() if not row.isHidden()] == ["tables.odd"]
    form.search.clear()
    QTest.keyClicks(form.search, "player one")
    assert {"tables.odd", "most_players"} <= {path for path, row in form.rows.items() if not row.isHidden()}


@pytest.mark.slow
def test_rule_form_search_says_if_nothing_is_found(window: Window) -> None:
    form = panel(window).form
    QTest.keyClicks(form.search, "xyzzy")
    assert all(row.isHidden() for row in form.rows.values())
    assert any(label.isVisible() and "No rule" in label.text() for label in form.findChildren(QLabel))
    QTest.keyClick(form.search, Qt.Key.Key_Escape)
    assert not any(row.isHidden() for row in form.rows.values())


@pytest.mark.slow
def test_rule_form_shows_and_returns_every_parameter(empty_session: Session, qtbot: QtBot) -> None:
    assert PRESETS
    for rules in PRESETS.values():
        form = RuleForm(empty_session, rules, {})
        qtbot.addWidget(form)
        assert form.check_rules()
        assert form.rules == rules
        assert form.rows.keys() == FIELDS.keys() - {"place", "country", "unseen", "judges.check_first"}
        assert {path for path, row in form.rows.items() if row.difference_label.text()} == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("forfeit.rated", YesNoEditor),
        ("sanctions.named", MultipleChoiceEditor),
        ("clock.recommended", NumberPairEditor),
    ],
)
def test_make_editor_chooses_the_control_of_the_type(window: Window, path: str, kind: type) -> None:
    assert isinstance(panel(window).form.rows[path].editor, kind)
    assert FIELDS["match_points.draw"].kind is RuleFieldKind.FRACTION


@pytest.mark.slow
def test_rules_panel_is_read_only_in_a_finished_tournament(window: Window, empty_session: Session) -> None:
    shown = panel(window)
    empty_session.do(partial(commands.finish_tournament))

    assert not shown.form.isEnabled()
    assert not shown.save_button.isEnabled()
    assert not window.command("change-rules").isEnabled()


@pytest.mark.slow
def test_rules_panel_restores_nothing_for_own_rules(empty_session: Session, qtbot: QtBot) -> None:
    own = RuleSet(id="own", name="House", language="en", tileset="en", order={"other": ("wins",)})
    shown = panel(shown_on(empty_session, qtbot, own))
    typed(shown.form, "bonus", "40")

    assert not shown.form.rows["bonus"].difference_label.text()
    assert not shown.reset_button.isEnabled()
    shown.save_button.click()
    assert empty_session.tournament.ruleset == set_rule_values(own, {"bonus": 40})


# --- the assistant


@pytest.fixture
def assistant(empty_session: Session, qtbot: QtBot) -> TournamentAssistant:
    """The assistant at its step with the rules."""
    made = open_assistant(empty_session, qtbot)
    made.name.setText("Cup")
    made.confirm_dialog()
    return made


def choose_rules(assistant: TournamentAssistant, name: str) -> None:
    listed = [assistant.rules.item(at).text() for at in range(assistant.rules.count())]
    assistant.rules.setCurrentRow(next(at for at, text in enumerate(listed) if f" · {name}\n" in text))


def test_assistant_changes_rules_of_the_tournament(
    assistant: TournamentAssistant, empty_session: Session, tmp_path: Path
) -> None:
    choose_rules(assistant, "no-nsf")
    assistant.toggle_button.click()
    assert assistant.form is not None
    typed(assistant.form, "challenge.points", "5")
    assistant.rules.setCurrentRow(0)
    choose_rules(assistant, "no-nsf")
    words = [label.text() for label in assistant.findChildren(QLabel)]
    assert "◆ Changed: A wrong challenge costs 5 points, however many words." in words
    assistant.confirm_dialog()
    assistant.file.setText(str(tmp_path / "cup.tdapp"))
    assistant.confirm_dialog()

    assert empty_session.tournament.ruleset == set_rule_values(NSF, {"challenge.points": 5})


def test_assistant_describes_each_rule_book(assistant: TournamentAssistant) -> None:
    listed = [assistant.rules.item(at).text() for at in range(assistant.rules.count())]
    assert any(one.startswith("Turneringsreglement NSF · no-nsf\nNorge · Norsk bokmål\n") for one in listed)
    choose_rules(assistant, "no-nsf")
    assert assistant.ranking_order.text().startswith("Order of ranking: ")


@pytest.mark.slow
def test_assistant_refuses_invalid_rules(assistant: TournamentAssistant) -> None:
    assistant.toggle_button.click()
    assert assistant.form is not None
    typed(assistant.form, "match_points.draw", "half")
    assistant.confirm_dialog()
    assert assistant.form.isVisible()
    assert "fraction" in assistant.form.rows["match_points.draw"].error_label.text()
    typed(assistant.form, "match_points.draw", "2/3")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert assistant.form.isVisible()  # Enter goes on to the next rule, not to the next step
    assert assistant.form.rules.match_points.draw == Fraction(2, 3)
    assistant.confirm_dialog()
    assert assistant.divisions.isVisible()


def test_tournament_page_shows_rules_in_sections(window: Window) -> None:
    page = window.page
    assert isinstance(page, TournamentPage)
    fold = page.findChildren(RuleTextView)[0].folds["clock"]
    assert not fold.is_open
    QTest.keyClick(fold.header, Qt.Key.Key_Return)
    assert any("Overtime: 10 points" in label.text() and label.isVisible() for label in fold.findChildren(QLabel))
