"""Tests of rules and word lists of one division."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.challenge_case import JudgeScreenStep
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId
from tdapp.gui.jury.judge_screen import JudgeScreenController
from tdapp.gui.jury.page import JuryPage
from tdapp.gui.jury.word_lists_panel import UnsuitableEditionDialog, WordListsPanel
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.tournament.rule_editors import ChoiceEditor
from tdapp.gui.tournament.rule_form import BOOK, RulesPanel
from tdapp.pairing import propose_pairings
from tdapp.scrabble.wordlist import WordListEdition, WordVerdict
from tests.building import load_rule_set
from tests.gui.samples import make_desk
from tests.gui.windows import show_window

A, B = DivisionId("a"), DivisionId("b")
ENTER = Qt.Key.Key_Return


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return the Tournament page of a WESPA tournament. Its two divisions of four players have a paired round."""
    value = commands.new_tournament(key="t", name="Two", ruleset=load_rule_set("wespa"), seed=7)
    for division in (A, B):
        value = commands.add_division(value, key=division, code=division.upper())
        value = commands.add_stage(value, key=f"s{division}", division=division, system="swiss", rounds=3)
        for number in range(1, 5):
            name = f"{division.upper()}{number}"
            value = commands.add_player(value, key=name, division=division, name=name)
        value = commands.pair_round(
            value, key=f"r{division}", proposal=propose_pairings(TournamentIndex(value), division)
        )
    empty_session.open_tournament_of_desk(make_desk(value))
    return show_window(empty_session, qtbot, "tournament")


def get_rules_panel(window: Window) -> RulesPanel:
    assert isinstance(window.panel, RulesPanel)
    return window.panel


def open_rules_panel(window: Window, division: DivisionId | None) -> RulesPanel:
    """Open the rules panel and choose a division."""
    if not isinstance(window.panel, RulesPanel):
        window.get_action("change-rules").trigger()
    get_rules_panel(window).scope.choose_value(division)
    return get_rules_panel(window)


def confirm_change(window: Window) -> None:
    """Preview and confirm a change of the rules."""
    get_rules_panel(window).save_button.click()
    assert get_rules_panel(window).save_button.text() == "Change the rules"
    get_rules_panel(window).save_button.click()


def choose_dutch_rules_in_b(window: Window) -> None:
    editor = open_rules_panel(window, B).form.rows[BOOK].editor
    assert isinstance(editor, ChoiceEditor)
    editor.show_value("nl-points")
    editor.edited.emit(BOOK)
    confirm_change(window)


def get_page_text(window: Window) -> str:
    return "\n".join(label.text() for label in window.page.findChildren(QLabel) if label.isVisible())


def test_rules_panel_changes_the_book_of_one_division(window: Window) -> None:
    session = window.session
    choose_dutch_rules_in_b(window)

    value = session.tournament
    assert value.divisions[A].ruleset is None
    assert [value.get_ruleset_of_row(value.divisions[division]).id for division in (A, B)] == [
        "wespa",
        "nl-points",
    ]
    session.choose_division(B)
    assert "Rules of division B: Puntenscrabble" in get_page_text(window)
    session.choose_division(A)
    assert "Rules: WESPA" in get_page_text(window)
    assert session.desk.list_all_steps()[-1].facts["division"] == "B"


@pytest.mark.slow
def test_rules_panel_shows_only_effects_on_its_division(window: Window) -> None:
    editor = open_rules_panel(window, B).form.rows[BOOK].editor
    assert isinstance(editor, ChoiceEditor)
    editor.show_value("nl-points")
    editor.edited.emit(BOOK)
    get_rules_panel(window).save_button.click()

    effects = get_rules_panel(window).effects.text()
    assert ["Division B" in effects, "Division A" in effects] == [True, False]


@pytest.mark.slow
def test_rules_panel_resets_a_division_to_the_tournament_rules(window: Window) -> None:
    choose_dutch_rules_in_b(window)
    panel = open_rules_panel(window, B)
    assert panel.copy_rules_button.isVisible()
    panel.copy_rules_button.click()
    confirm_change(window)

    assert window.session.tournament.divisions[B].ruleset is None


@pytest.mark.slow
def test_rules_panel_keeps_a_draft_for_each_division(window: Window) -> None:
    panel = open_rules_panel(window, B)
    panel.form.copy_rules_to_draft(load_rule_set("nl-points"))
    assert open_rules_panel(window, None).form.rules.id == "wespa"
    assert open_rules_panel(window, B).form.rules.id == "nl-points"


def test_word_lists_panel_chooses_the_list_of_a_division(window: Window) -> None:
    session = window.session
    english_list = session.library.add_edition(("CAT",), WordListEdition("English", "en", "2025", "ab12"))
    dutch_list = session.library.add_edition(("KAT",), WordListEdition("Dutch", "nl", "2025", "cd34"))
    window.get_action("word-lists").trigger()
    panel = window.panel
    assert isinstance(panel, WordListsPanel)
    for division, edition in ((None, english_list), (B, dutch_list)):
        panel.scope.choose_value(division)
        panel.view.select_row(next(key for key, row in panel._stored.items() if row.metadata == edition))
        panel.toggle_use_of_edition()
        # The dialog opens because the list and the rules differ in language.
        for dialog in window.findChildren(UnsuitableEditionDialog):
            dialog.confirm_dialog()

    value = session.tournament
    assert [value.get_wordlist_id_of_row(value.divisions[division]) for division in (A, B)] == [
        english_list.id,
        dutch_list.id,
    ]
    panel.toggle_use_of_edition()
    assert session.tournament.divisions[B].wordlist is None


def test_judge_screen_uses_the_list_of_the_table(window: Window) -> None:
    session = window.session
    english_list = session.library.add_edition(("CAT",), WordListEdition("English", "en", "2025", "ab12"))
    dutch_list = session.library.add_edition(("KAT",), WordListEdition("Dutch", "nl", "2025", "cd34"))
    session.do(partial(commands.choose_wordlist, wordlist=english_list.id))
    session.do(partial(commands.choose_division_wordlist, division=B, wordlist=dutch_list.id))
    screen = JudgeScreenController.find_or_make_controller(session, window).open_judge_screen(verdict_ms=600_000)
    QTest.keyClicks(screen.view.name, "Kari")
    QTest.keyClick(screen.view.name, ENTER)
    first_of_b = session.index.games(session.index.get_round(B, 1).id)[0].table
    for table in (1, first_of_b):
        for keys in (str(table), ENTER, "1", "kat", ENTER, ENTER, ENTER):
            QTest.keyClicks(screen, keys) if isinstance(keys, str) else QTest.keyClick(screen, keys)
        assert screen.step is JudgeScreenStep.VERDICT
        screen.clear_challenge()
    screen.close()

    rulings = [
        (challenge.division, challenge.verdict, challenge.edition)
        for challenge in session.tournament.challenges.values()
    ]
    assert rulings == [(A, WordVerdict.INVALID, english_list.id), (B, WordVerdict.VALID, dutch_list.id)]


def test_jury_page_applies_the_rules_of_the_division(window: Window) -> None:
    session = window.session
    session.do(partial(commands.change_division_rules, division=B, ruleset=load_rule_set("nl-points")))
    window.show_page("jury")
    page = window.page
    assert isinstance(page, JuryPage)
    rules_by_division = {}
    for division in (A, B):
        session.choose_division(division)
        page.open_game(session.index.games(session.index.get_round(division, 1).id)[0].id)
        rules_by_division[division] = (page.sheet.rules.id, page.sheet.tileset.id if page.sheet.tileset else "")
    assert rules_by_division == {A: ("wespa", "en"), B: ("nl-points", "nl")}
