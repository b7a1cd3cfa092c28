"""Tests of rules as sentences, and of changing rules in the assistant and in the rules panel."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.rule_fields import (
    RuleFieldKind,
    get_rule_value,
    list_rule_fields,
    replace_rule_value,
    replace_rule_values,
)
from tdapp.domain.ruleset import OvertimeKind, PlayersWhoDrawAgain, RuleSet
from tdapp.exchange.presets import read_rulebook_references, read_rulesets
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.assistant import NewTournamentDialog
from tdapp.gui.tournament.page import TournamentPage
from tdapp.gui.tournament.rule_editors import (
    ChoiceEditor,
    MultipleChoiceEditor,
    NumberPairEditor,
    TextOrNumberEditor,
    TieBreakOrderEditor,
    YesNoEditor,
)
from tdapp.gui.tournament.rule_form import RuleForm, RulesPanel, RuleTextView
from tdapp.i18n import rule_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import SYSTEMS, propose_pairings
from tdapp.scrabble.sheet import GameEnding
from tests.changed_rules import make_other_value
from tests.gui.samples import RESOURCES, A, make_desk
from tests.gui.windows import get_application_focus, open_assistant, show_window

PRESETS = read_rulesets(RESOURCES / "rulesets")
SOURCES = read_rulebook_references(RESOURCES / "rulesets")
BOOKS = [name for name, rules in PRESETS.items() if not rules.unseen]
NSF = PRESETS["no-nsf"]
CATALOGUE = Catalogue("en", RESOURCES / "locale")
FIELDS = {field.path: field for field in list_rule_fields(tuple(SYSTEMS))}
# Never shown: the order and the ids of the presets.
HIDDEN_PATHS = {"place", "country", "id", "unseen"}


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return the Tournament page of an event under the Norwegian rules."""
    return show_tournament_page(empty_session, qtbot, NSF)


def show_tournament_page(session: Session, qtbot: QtBot, rules: RuleSet) -> Window:
    session.open_tournament_of_desk(make_desk(commands.new_tournament(key="t", name="Cup", ruleset=rules)))
    return show_window(session, qtbot, "tournament")


def open_rules_panel(window: Window) -> RulesPanel:
    window.get_action("change-rules").trigger()
    assert isinstance(window.panel, RulesPanel)
    return window.panel


def type_rule_value(form: RuleForm[RuleSet], path: str, text: str) -> None:
    form.show_and_focus_rule(path)
    editor = form.rows[path].editor
    assert isinstance(editor, TextOrNumberEditor)
    assert QApplication.focusWidget() is editor.line
    editor.line.selectAll()
    QTest.keyClicks(editor.line, text) if text else QTest.keyClick(editor.line, Qt.Key.Key_Delete)


# --- sentences


def list_rule_texts(rules: RuleSet) -> list[str]:
    return [
        sentence.text
        for sentences in rule_sentences.explain_rules(CATALOGUE, rules).values()
        for sentence in sentences
    ]


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_explain_rules_covers_every_parameter_under_its_heading(rules: RuleSet) -> None:
    sentences_by_group = rule_sentences.explain_rules(CATALOGUE, rules)

    unexplained_paths = [
        path
        for path in FIELDS.keys() - HIDDEN_PATHS
        if get_rule_value(rules, path)
        and not any(
            sentence.is_about_rule_parameter(path)
            for sentence in sentences_by_group[rule_sentences.find_rule_group(path)]
        )
        if path != "ending.blocked_with_tiles" or GameEnding.BLOCKED in rules.ending.ends
    ]
    assert unexplained_paths == []


@pytest.mark.parametrize("path", sorted(FIELDS.keys() - HIDDEN_PATHS))
def test_explain_rules_changes_with_each_parameter(path: str) -> None:
    """A parameter has an effect in at least one preset. Other presets can ignore it."""
    changed_rules = [
        (rules, replace_rule_value(rules, path, make_other_value(FIELDS[path], get_rule_value(rules, path))))
        for rules in PRESETS.values()
    ]

    assert any(list_rule_texts(before) != list_rule_texts(after) for before, after in changed_rules)


@pytest.mark.parametrize("name", BOOKS)
def test_explain_rules_names_a_source_for_every_rule(name: str) -> None:
    """A source is a section of the book, an interpretation, the federation, or the program's default."""
    sentences_by_group = rule_sentences.explain_rules(CATALOGUE, PRESETS[name], sources=SOURCES[name])
    assert [
        sentence.text for group in sentences_by_group.values() for sentence in group if not sentence.source
    ] == []


@pytest.mark.parametrize("name", PRESETS)
def test_rule_sources_refer_to_parameters(name: str) -> None:
    """Each key is a path or its beginning. Each reference is a section or a word of `SOURCES`."""
    paths = FIELDS.keys()
    assert [
        source for source in SOURCES[name] if not any(f"{path}.".startswith(f"{source}.") for path in paths)
    ] == []
    parts = [part.split() for value in SOURCES[name].values() for part in value.split(";")]
    assert all(part for part in parts)
    reference_words = {part[0] for part in parts if part[0].isalpha() and part[0].islower()}
    assert reference_words <= rule_sentences.SOURCES.keys()


def map_texts_to_sources(name: str) -> dict[str, str]:
    sentences_by_group = rule_sentences.explain_rules(CATALOGUE, PRESETS[name], sources=SOURCES[name])
    return {sentence.text: sentence.source for group in sentences_by_group.values() for sentence in group}


@pytest.mark.parametrize(
    ("name", "ending"),
    [("no-nsf", "a series of turns that add no tiles to the board"), ("de-scrabble", "a series of passes")],
)
def test_explain_rules_names_the_turns_that_end_a_game(name: str, ending: str) -> None:
    """Norway counts exchanges and lost turns like passes (4 b). Germany counts only passes (4 f)."""
    assert [
        text
        for text in map_texts_to_sources(name)
        if text.startswith("A game ends in one of these ways: ") and ending in text
    ]


def test_explain_rules_gives_a_source_for_drawn_tiles_in_germany() -> None:
    assert (
        map_texts_to_sources("de-scrabble")["The drawn tiles go back into the bag before the next draw."]
        == "interpretation of 3"
    )


def test_explain_rules_distinguishes_sections_readings_and_defaults() -> None:
    sources = map_texts_to_sources("nl-match")
    assert sources["Playing all seven tiles in one turn earns a bonus of 50 points."] == "rule book, III.8"
    assert sources["25 minutes for each player."] == "tdapp default"
    assert sources["The word list decides on words of up to 13 letters, the judge on longer ones."] == (
        "the federation’s answer on I.4"
    )
    text = (
        "If the jury finds a play invalid, the player loses the score of that turn and 20 points, "
        "even if several words are invalid."
    )
    assert sources[text] == "rule book, III.10; interpretation of III.10"


def test_explain_rules_agrees_with_the_books() -> None:
    """nl III.10: a challenged play costs no turn. nl IV.1: no game ends because no player can move."""
    dutch, norwegian, german = (
        map_texts_to_sources("nl-match"),
        map_texts_to_sources("no-nsf"),
        map_texts_to_sources("de-scrabble"),
    )
    assert not any("removed by a challenge" in text for text in dutch)
    assert "No other challenge is possible. A rejected protest costs nothing." in dutch
    for texts in (dutch, norwegian):
        assert not any("no player can make a play" in text for text in texts)
    assert "If no player can make a play, the game ends, even with tiles in the bag." in german
    for texts in (dutch, norwegian, german, map_texts_to_sources("be-brailleliga")):
        assert (
            "If the game ends in any other way, each player loses the value of the tiles left on the rack."
            in texts
        )


def test_explain_rules_names_the_resistance_of_a_forfeit() -> None:
    sentence_start = "The opponent in a forfeited game counts too"
    assert any(sentence_start in text for text in map_texts_to_sources("nl-match"))
    assert not any(sentence_start in text for text in map_texts_to_sources("no-nsf"))


def test_explain_rules_quotes_two_books() -> None:
    assert (
        "If the jury finds a play invalid, the player loses the score of that turn and 20 points, even if "
        "several words are invalid." in list_rule_texts(PRESETS["nl-match"])
    )
    assert (
        "Overtime: 10 points per minute or part of a minute, up to 5 minutes. A player with more overtime gets a "
        "total penalty of 50 points, and loses the game by at least 100."
    ) in list_rule_texts(NSF)


def test_find_rule_group_has_one_heading_for_every_parameter() -> None:
    assert {path for path in FIELDS if not rule_sentences.find_rule_group(path)} == {"place", "country", "unseen"}
    first_parts = [first_part for group in rule_sentences.GROUPS.values() for first_part in group.first_path_parts]
    assert len(first_parts) == len(set(first_parts))


@pytest.mark.slow
def test_tournament_page_warns_of_a_clock_outside_the_book(empty_session: Session, qtbot: QtBot) -> None:
    book = PRESETS["nl-match"]
    for minutes, is_warned in ((25, False), (15, True)):
        window = show_tournament_page(
            empty_session, qtbot, replace(book, clock=replace(book.clock, minutes=minutes))
        )
        page = window.pages.get_page("tournament")
        assert isinstance(page, TournamentPage)
        label_texts = [label.text() for label in page.findChildren(QLabel)]
        assert (
            any("The rule book recommends 20 to 30 minutes for each player." in text for text in label_texts)
            is is_warned
        )


def test_rule_text_marks_changes_and_quotes_the_book(empty_session: Session, qtbot: QtBot) -> None:
    view = RuleTextView(empty_session, is_unfolded=True)
    qtbot.addWidget(view)
    view.show_rules(replace_rule_values(NSF, {"bonus": 40, "order.swiss": ("points",)}))
    game = [label.text() for label in view.folds["game"].findChildren(QLabel)]

    assert "◆ Changed: Playing all seven tiles in one turn earns a bonus of 40 points." in game
    book_text = "Playing all seven tiles in one turn earns a bonus of 50 points. (ordinary Scrabble rules)"
    assert f"In the rule set: {book_text}" in game
    assert "◆ changed rules: 1" in view.folds["game"].header.text()
    assert "◆ changed rules: 1" in view.folds["ranking"].header.text()
    assert "changed" not in view.folds["clock"].header.text()


# --- whether pairing waits for the jury


def test_rule_text_names_unchecked_results(empty_session: Session, qtbot: QtBot) -> None:
    window = show_tournament_page(empty_session, qtbot, PRESETS["nl-match"])
    page = window.pages.get_page("tournament")
    assert isinstance(page, TournamentPage)
    page._rules.folds["jury"].set_expanded(expanded=True)

    def list_jury_texts() -> list[str]:
        return [label.text() for label in page._rules.folds["jury"].findChildren(QLabel)]

    assert "◆ Changed: A round is paired whether or not the jury has checked the results." in list_jury_texts()
    empty_session.do(partial(commands.set_check_first, check_first=True))
    assert (
        "A round is paired only when the jury has checked all results. (interpretation of IV.2)"
        in list_jury_texts()
    )


@pytest.mark.slow
def test_rules_panel_asks_for_the_jury_check_once(window: Window) -> None:
    assert "judges.check_first" not in open_rules_panel(window).form.rows


def test_rules_panel_asks_about_the_jury_check_of_another_rule_set(window: Window, empty_session: Session) -> None:
    panel = open_rules_panel(window)
    assert panel.check_first.isHidden()
    panel.form.copy_rules_to_draft(PRESETS["nl-match"])
    assert (panel.check_first.isHidden(), panel.check_first.isChecked()) == (False, True)
    panel._save_rules_or_show_effects()
    assert (empty_session.tournament.ruleset.id, empty_session.tournament.event.check_first) == ("nl-match", True)
    empty_session.undo()
    assert (empty_session.tournament.ruleset.id, empty_session.tournament.event.check_first) == ("no-nsf", False)
    panel = open_rules_panel(window)
    panel.form.copy_rules_to_draft(PRESETS["nl-match"])
    panel.check_first.setChecked(False)
    panel._save_rules_or_show_effects()
    assert (empty_session.tournament.ruleset.id, empty_session.tournament.event.check_first) == ("nl-match", False)


# --- the panel


@pytest.mark.slow
def test_rules_panel_changes_a_rule_by_keys_in_one_step(window: Window, empty_session: Session) -> None:
    panel = open_rules_panel(window)
    form = panel.form
    assert QApplication.focusWidget() is form.search
    assert not panel.save_button.isEnabled()
    QTest.keyClicks(form.search, "lost for each minute")
    QTest.keyClick(form.search, Qt.Key.Key_Return)
    editor = form.rows["overtime.points"].editor
    assert isinstance(editor, TextOrNumberEditor)
    assert QApplication.focusWidget() is editor.line
    editor.line.selectAll()
    QTest.keyClicks(editor.line, "15")
    type_rule_value(form, "bonus", "40")
    steps = len(empty_session.desk.list_all_steps())
    panel.save_button.setFocus()
    QTest.keyClick(panel.save_button, Qt.Key.Key_Return)

    assert empty_session.tournament.ruleset == replace_rule_values(NSF, {"overtime.points": 15, "bonus": 40})
    assert window.panel is None
    step = empty_session.desk.list_all_steps()[-1]
    assert len(empty_session.desk.list_all_steps()) == steps + 1
    assert empty_session.describe_step(step) == (
        "Rules changed: Bonus points for playing all seven tiles in one turn; Points lost for each minute of "
        "overtime, or part of a minute"
    )
    empty_session.undo()
    assert empty_session.tournament.ruleset == NSF


def test_rules_panel_marks_a_change_and_restores_the_book_value(window: Window) -> None:
    panel = open_rules_panel(window)
    form = panel.form
    row = form.rows["overtime.points"]
    assert not row.difference_label.text()
    type_rule_value(form, "overtime.points", "15")
    marks = [label.text() for label in row.findChildren(QLabel) if label.isVisible()]
    assert "◆ Changed. Value in the rule set: 10" in marks
    assert "◆ changed rules: 1" in form.folds["clock"].header.text()

    QTest.keyClick(row.reset_button, Qt.Key.Key_Return)

    assert form.rules == NSF
    assert not row.difference_label.text()
    assert not row.reset_button.isVisible()
    assert not panel.save_button.isEnabled()


@pytest.mark.slow
def test_rules_panel_restores_the_whole_book(window: Window, empty_session: Session) -> None:
    empty_session.do(
        partial(
            commands.change_rules,
            ruleset=replace_rule_values(NSF, {"bonus": 40, "draw.again": PlayersWhoDrawAgain.TIED}),
        )
    )
    panel = open_rules_panel(window)
    assert panel.reset_button.isEnabled()
    panel.reset_button.click()
    panel.save_button.click()

    assert empty_session.tournament.ruleset == NSF


@pytest.mark.slow
def test_rules_panel_refuses_a_wrong_number_at_its_field(window: Window, empty_session: Session) -> None:
    panel = open_rules_panel(window)
    form = panel.form
    type_rule_value(form, "bonus", "40")
    type_rule_value(form, "words.binding", "99")
    assert form.rows["words.binding"].error_label.text() == "Type a whole number from 2 to 15."
    form.folds["words"].set_expanded(expanded=False)
    panel.save_button.click()

    assert empty_session.tournament.ruleset == NSF
    editor = form.rows["words.binding"].editor
    assert isinstance(editor, TextOrNumberEditor)
    assert QApplication.focusWidget() is editor.line
    editor.line.selectAll()
    QTest.keyClick(editor.line, Qt.Key.Key_Delete)
    panel.save_button.click()
    assert empty_session.tournament.ruleset == replace_rule_values(NSF, {"bonus": 40, "words.binding": None})


@pytest.mark.slow
def test_rules_panel_names_contradicting_rules(window: Window, empty_session: Session) -> None:
    panel = open_rules_panel(window)
    form = panel.form
    type_rule_value(form, "overtime.points", "0")
    panel.save_button.click()
    error = form.rows["overtime.points"].error_label.text()
    assert error == "Another rule uses this number. Type a value above 0."
    kind = form.rows["overtime.kind"].editor
    assert isinstance(kind, ChoiceEditor)
    kind.choice.choose_value(OvertimeKind.NONE)
    panel.save_button.click()

    assert empty_session.tournament.ruleset.overtime.kind is OvertimeKind.NONE


@pytest.mark.slow
def test_rules_panel_requires_points_for_each_place_at_a_table(window: Window) -> None:
    panel = open_rules_panel(window)
    type_rule_value(panel.form, "tables.places.three", "3 1")
    panel.save_button.click()
    error_text = panel.form.rows["tables.places.three"].error_label.text()
    assert error_text == "Type one number for each place at the table."


@pytest.mark.slow
def test_rules_panel_refuses_a_reversed_range(window: Window) -> None:
    form = open_rules_panel(window).form
    form.show_and_focus_rule("clock.recommended")
    editor = form.rows["clock.recommended"].editor
    assert isinstance(editor, NumberPairEditor)
    QTest.keyClicks(editor.lines[0], "40")
    QTest.keyClicks(editor.lines[1], "20")

    assert not form.store_and_check_typed_rules()
    assert form.rows["clock.recommended"].error_label.text() == "The minimum 40 is greater than the maximum 20."


@pytest.mark.slow
def test_rules_panel_keeps_unsaved_changes_when_closed(window: Window, empty_session: Session) -> None:
    type_rule_value(open_rules_panel(window).form, "bonus", "40")
    QTest.keyClick(get_application_focus(), Qt.Key.Key_Escape)
    assert window.panel is None
    assert empty_session.tournament.ruleset == NSF
    assert any("unsaved rule changes: 1" in label.text() for label in window.page.findChildren(QLabel))

    panel = open_rules_panel(window)
    assert panel.form.rules.bonus == 40
    panel.save_button.click()
    assert empty_session.tournament.ruleset.bonus == 40


@pytest.mark.slow
def test_rules_panel_shows_changes_of_another_station(window: Window, empty_session: Session) -> None:
    panel = open_rules_panel(window)
    type_rule_value(panel.form, "bonus", "40")
    empty_session.do(partial(commands.change_rules, ruleset=replace_rule_values(NSF, {"recount.difference": 20})))
    panel.save_button.click()

    assert empty_session.tournament.ruleset == replace_rule_values(NSF, {"bonus": 40, "recount.difference": 20})


@pytest.mark.slow
def test_rules_panel_sets_all_rules_of_another_book(window: Window, empty_session: Session) -> None:
    panel = open_rules_panel(window)
    editor = panel.form.rows["id"].editor
    assert isinstance(editor, ChoiceEditor)
    editor.choice.choose_value("nl-match")
    assert not any(row.difference_label.text() for row in panel.form.rows.values())
    panel.save_button.click()

    assert empty_session.tournament.ruleset == PRESETS["nl-match"]
    assert (
        empty_session.describe_step(empty_session.desk.list_all_steps()[-1])
        == "Rules changed to Wedstrijdscrabble"
    )


@pytest.mark.slow
def test_rules_panel_shows_effects_of_another_book_first(full_session: Session, qtbot: QtBot) -> None:
    play_round(full_session)
    window = show_window(full_session, qtbot, "tournament")
    before = full_session.tournament.ruleset
    window.get_action("replace-rules").trigger()
    panel = window.panel
    assert isinstance(panel, RulesPanel)
    editor = panel.form.rows["id"].editor
    assert isinstance(editor, ChoiceEditor)
    assert editor.isVisible()
    editor.choice.choose_value("nl-points")
    panel.save_button.click()
    assert full_session.tournament.ruleset == before
    assert panel.save_button.text() == "Change the rules"
    assert "Division A" in panel.effects.text()
    assert "different match points or a different spread" in panel.effects.text()
    type_rule_value(panel.form, "bonus", "40")
    assert panel.save_button.text() == "Save"
    panel.save_button.click()
    panel.save_button.click()
    assert full_session.tournament.ruleset == replace_rule_values(PRESETS["nl-points"], {"bonus": 40})
    full_session.undo()
    assert full_session.tournament.ruleset == before


def play_round(session: Session) -> None:
    """Pair a round and enter its results."""
    proposal = propose_pairings(session.index, A)
    session.do(partial(commands.pair_round, key="r", proposal=proposal))
    for game in session.index.games(session.index.list_published_rounds(A)[-1].id):
        session.do(partial(commands.enter_result, game=game.id, first=400 + game.table, second=380))


@pytest.mark.slow
def test_tie_break_order_editor_moves_and_removes_a_tie_break(window: Window, empty_session: Session) -> None:
    form = open_rules_panel(window).form
    form.show_and_focus_rule("order.other")
    editor = form.rows["order.other"].editor
    assert isinstance(editor, TieBreakOrderEditor)
    assert editor.list is not None
    assert editor.read_rule_value() == ("wins", "spread")
    editor.list.setCurrentRow(1)
    QTest.keyClick(editor.up_button, Qt.Key.Key_Return)
    assert editor.read_rule_value() == ("spread", "wins")
    QTest.keyClick(editor.list, Qt.Key.Key_Space)
    assert form.rules.get_tiebreak_order_for_system("manual") == ("wins",)
    editor.list.setCurrentRow(1)
    QTest.keyClick(editor.list, Qt.Key.Key_Space)
    assert form.rows["order.other"].error_label.text() == "Choose at least one tie-break."


@pytest.mark.slow
def test_tie_break_order_editor_adds_and_removes_an_order_of_a_system(window: Window) -> None:
    form = open_rules_panel(window).form
    form.show_and_focus_rule("order.swiss")
    editor = form.rows["order.swiss"].editor
    assert isinstance(editor, TieBreakOrderEditor)
    assert editor.list is None
    QTest.keyClick(editor.custom_box, Qt.Key.Key_Space)
    assert form.rules.get_tiebreak_order_for_system("swiss") == ("wins",)
    assert form.rows["order.swiss"].difference_label.text()
    QTest.keyClick(editor.custom_box, Qt.Key.Key_Space)
    assert form.rules == NSF


@pytest.mark.slow
def test_rule_form_search_prefers_the_words_as_typed(window: Window) -> None:
    form = open_rules_panel(window).form
    QTest.keyClicks(form.search, "one player")
    assert [path for path, row in form.rows.items() if not row.isHidden()] == ["tables.odd"]
    form.search.clear()
    QTest.keyClicks(form.search, "player one")
    assert {"tables.odd", "most_players"} <= {path for path, row in form.rows.items() if not row.isHidden()}


@pytest.mark.slow
def test_rule_form_search_finds_a_choice(window: Window) -> None:
    form = open_rules_panel(window).form
    QTest.keyClicks(form.search, "table of three")
    assert not form.rows["tables.odd"].isHidden()


@pytest.mark.slow
def test_rule_form_search_enter_prefers_a_matching_label(window: Window) -> None:
    form = open_rules_panel(window).form
    QTest.keyClicks(form.search, "forfeit")  # an earlier rule has this word in a choice
    QTest.keyClick(form.search, Qt.Key.Key_Return)
    focused = QApplication.focusWidget()
    editor = form.rows["byes.forfeit.counts_as"].editor
    assert focused is not None
    assert focused is editor or editor.isAncestorOf(focused)


@pytest.mark.slow
def test_rule_form_search_says_if_nothing_is_found(window: Window) -> None:
    form = open_rules_panel(window).form
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
        assert form.store_and_check_typed_rules()
        assert form.rules == rules
        assert form.rows.keys() == FIELDS.keys() - {"place", "country", "unseen", "judges.check_first"}
        assert {path for path, row in form.rows.items() if row.difference_label.text()} == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "editor_type"),
    [
        ("forfeit.rated", YesNoEditor),
        ("sanctions.named", MultipleChoiceEditor),
        ("clock.recommended", NumberPairEditor),
    ],
)
def test_make_editor_chooses_the_control_of_the_type(window: Window, path: str, editor_type: type) -> None:
    assert isinstance(open_rules_panel(window).form.rows[path].editor, editor_type)
    assert FIELDS["match_points.draw"].kind is RuleFieldKind.FRACTION


@pytest.mark.slow
def test_rules_panel_is_read_only_in_a_finished_tournament(window: Window, empty_session: Session) -> None:
    panel = open_rules_panel(window)
    empty_session.do(partial(commands.finish_tournament))

    assert not panel.form.isEnabled()
    assert not panel.save_button.isEnabled()
    assert not window.get_action("change-rules").isEnabled()


@pytest.mark.slow
def test_rules_panel_has_no_book_values_for_own_rules(empty_session: Session, qtbot: QtBot) -> None:
    own_rules = RuleSet(id="own", name="House", language="en", tileset="en", order={"other": ("wins",)})
    panel = open_rules_panel(show_tournament_page(empty_session, qtbot, own_rules))
    type_rule_value(panel.form, "bonus", "40")

    assert not panel.form.rows["bonus"].difference_label.text()
    assert not panel.reset_button.isEnabled()
    panel.save_button.click()
    assert empty_session.tournament.ruleset == replace_rule_values(own_rules, {"bonus": 40})


# --- the assistant


@pytest.fixture
def assistant(empty_session: Session, qtbot: QtBot) -> NewTournamentDialog:
    """Return the assistant at its step with the rules."""
    new_assistant = open_assistant(empty_session, qtbot)
    new_assistant.name.setText("Cup")
    new_assistant.confirm_dialog()
    return new_assistant


def choose_rules(assistant: NewTournamentDialog, name: str) -> None:
    titles = [assistant.rules.item(index).text() for index in range(assistant.rules.count())]
    assistant.rules.setCurrentRow(next(index for index, text in enumerate(titles) if f" · {name}\n" in text))


def test_assistant_changes_rules_of_the_tournament(
    assistant: NewTournamentDialog, empty_session: Session, tmp_path: Path
) -> None:
    choose_rules(assistant, "no-nsf")
    assistant.toggle_button.click()
    assert assistant.form is not None
    type_rule_value(assistant.form, "challenge.points", "5")
    assistant.rules.setCurrentRow(0)
    choose_rules(assistant, "no-nsf")
    label_texts = [label.text() for label in assistant.findChildren(QLabel)]
    assert "◆ Changed: A wrong challenge costs 5 points, however many words are challenged." in label_texts
    assistant.confirm_dialog()
    assistant.file.setText(str(tmp_path / "cup.tdapp"))
    assistant.confirm_dialog()

    assert empty_session.tournament.ruleset == replace_rule_values(NSF, {"challenge.points": 5})


def test_assistant_describes_each_rule_book(assistant: NewTournamentDialog) -> None:
    titles = [assistant.rules.item(index).text() for index in range(assistant.rules.count())]
    assert any(title.startswith("Turneringsreglement NSF · no-nsf\nNorge · Norsk bokmål\n") for title in titles)
    choose_rules(assistant, "no-nsf")
    assert assistant.ranking_order.text().startswith("Ranking order: ")


@pytest.mark.slow
def test_assistant_refuses_invalid_rules(assistant: NewTournamentDialog) -> None:
    assistant.toggle_button.click()
    assert assistant.form is not None
    type_rule_value(assistant.form, "match_points.draw", "half")
    assistant.confirm_dialog()
    assert assistant.form.isVisible()
    assert "fraction" in assistant.form.rows["match_points.draw"].error_label.text()
    type_rule_value(assistant.form, "match_points.draw", "2/3")
    QTest.keyClick(get_application_focus(), Qt.Key.Key_Return)
    assert assistant.form.isVisible()  # Enter moves to the next rule, not to the next step
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


def test_tournament_page_scrolls_to_the_focused_field(full_session: Session, qtbot: QtBot) -> None:
    window = show_window(full_session, qtbot, "tournament")
    window.resize(900, 500)
    page = window.page
    assert isinstance(page, TournamentPage)
    name, bar = page._event["name"], page._scroll.verticalScrollBar()
    window.show_page("players")
    bar.setValue(bar.maximum())
    window.show_page("tournament")
    assert name.hasFocus()
    viewport = page._scroll.viewport()
    assert viewport.rect().contains(name.mapTo(viewport, name.rect().center()))
    bar.setValue(bar.maximum())
    QTest.keyClicks(name, "x")
    assert viewport.rect().contains(name.mapTo(viewport, name.rect().center()))
