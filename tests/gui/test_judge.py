"""Tests of the judge screen and the Challenges panel by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.challenge_case import JudgeScreenStep, TypedWords
from tdapp.domain.errors import StorageError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import Challenge, WordCheckReason
from tdapp.domain.model import DivisionId
from tdapp.domain.ruleset import ChallengePointsReceiver, PenaltyUnit, RuleSet, RulingDetailForPlayers
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.gui.jury.judge_screen import JudgeScreen, JudgeScreenController, MissingWordListPanel
from tdapp.gui.jury.logs import ChallengesPanel
from tdapp.gui.jury.page import JuryPage
from tdapp.gui.jury.word_lists_panel import WordListsPanel
from tdapp.gui.shell.jury_member import AUTHOR, AUTHOR_DAY, format_today_and_tournament_id, get_jury_member_today
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.judge_screen import describe_challenge, describe_verdict_consequence
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import Sheet, Turn, TurnKind
from tdapp.scrabble.wordlist import WordListEdition, WordVerdict
from tdapp.storage import Store
from tests.building import get_game_at, load_rule_set, make_event, pair_rounds
from tests.gui.samples import RESOURCES, make_desk

LONG_VERDICT_MS = 600_000  # the verdict stays until a key clears it
WORDS = ("HUS", "HUSET", "ÅR")
ENTER, ESCAPE, SPACE = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Space


def attach_tournament_with_word_list(session: Session, value: Tournament, *, language: str = "nb") -> Session:
    """Attach a tournament with a list of three words, and return the session."""
    metadata = session.library.add_edition(WORDS, WordListEdition("Few words", language, "2025", "ab12"))
    session.open_tournament_of_desk(make_desk(commands.choose_wordlist(value, wordlist=metadata.id)))
    return session


@pytest.fixture
def norwegian_session(empty_session: Session) -> Session:
    """Return a session with a word list and a first round under the Norwegian rules."""
    return attach_tournament_with_word_list(
        empty_session, pair_rounds(make_event(4, rules="no-nsf"), results=False)
    )


@pytest.fixture
def window(norwegian_session: Session, qtbot: QtBot) -> Window:
    window = Window(norwegian_session)
    qtbot.addWidget(window)
    norwegian_session.opened.emit()
    window.show()
    return window


@pytest.fixture
def controller(
    norwegian_session: Session, qtbot: QtBot, request: pytest.FixtureRequest
) -> Iterator[JudgeScreenController]:
    """Return a controller for the window, or for a plain widget if the test uses no window."""
    if "window" in request.fixturenames:
        window: QWidget = request.getfixturevalue("window")
    else:
        window = QWidget()
        qtbot.addWidget(window)
    controller = JudgeScreenController.find_or_make_controller(norwegian_session, window)
    yield controller
    if controller.screen is not None:
        controller.screen.close()


@pytest.fixture
def screen(controller: JudgeScreenController) -> JudgeScreen:
    """Return the judge screen after judge Kari has typed her name."""
    screen = controller.open_judge_screen(verdict_ms=LONG_VERDICT_MS)
    QTest.keyClicks(screen.view.name, "Kari")
    QTest.keyClick(screen.view.name, ENTER)
    return screen


def press_keys(screen: JudgeScreen, *keys: str | Qt.Key) -> None:
    """Press keys and type texts."""
    for key in keys:
        if isinstance(key, str):
            QTest.keyClicks(screen, key)
        else:
            QTest.keyClick(screen, key)


def is_at_step(screen: JudgeScreen, step: JudgeScreenStep) -> bool:
    return screen.step is step


def read_board_words(screen: JudgeScreen) -> list[str]:
    return list(screen.view.board.words)


def read_screen_text(screen: JudgeScreen) -> str:
    labels = [label.text() for label in screen.findChildren(QLabel) if label.isVisible()]
    board = screen.view.board.words if screen.view.board.isVisible() else ()
    return "\n".join([*labels, *board])


def list_challenges(session: Session) -> list[Challenge]:
    return list(session.tournament.challenges.values())


def challenge_words(screen: JudgeScreen, words: str) -> None:
    """Type words, without a table, and confirm them."""
    press_keys(screen, words, ENTER, ENTER, ENTER)


# --- from the table to the verdict


def test_judge_screen_returns_the_focus_to_the_window(controller: JudgeScreenController, window: Window) -> None:
    window.show_page("jury")
    page = window.pages.get_page("jury")
    assert isinstance(page, JuryPage)
    page.line.focus_line()
    screen = controller.open_judge_screen()
    press_keys(screen, ENTER)
    window.refresh_window()
    screen.close()
    assert window.focusWidget() is page.line.line


def test_judge_screen_asks_table_challenger_and_words_before_the_verdict(screen: JudgeScreen) -> None:
    session = screen.session
    second = session.tournament.players[get_game_at(session.tournament, 2).second]
    press_keys(screen, "2", ENTER)
    assert second.name in read_screen_text(screen)
    press_keys(screen, "2", "huset", SPACE, "åR", ENTER, ENTER)
    assert is_at_step(screen, JudgeScreenStep.CONFIRM)
    assert read_board_words(screen) == ["HUSET", "ÅR"]
    assert not list_challenges(session)
    press_keys(screen, ENTER)
    assert is_at_step(screen, JudgeScreenStep.VERDICT)
    assert "VALID" in read_screen_text(screen).splitlines()
    assert "The play is valid. The challenger loses 10 points." in read_screen_text(screen)
    (row,) = list_challenges(session)
    assert (row.words, row.verdict, row.table, row.round) == (("HUSET", "ÅR"), WordVerdict.VALID, 2, 1)
    assert (row.judge, row.challenger, row.edition) == ("Kari", second.id, session.tournament.event.wordlist)


def test_judge_screen_hides_which_word_is_invalid(screen: JudgeScreen) -> None:
    challenge_words(screen, "hus huz")
    assert "NOT VALID" in read_screen_text(screen)
    assert "The tiles go back to the rack and the turn is lost." in read_screen_text(screen)
    assert screen.view.board.verdicts == ()
    assert [row.verdict for row in list_challenges(screen.session)] == [WordVerdict.INVALID]


def test_judge_screen_marks_each_word_if_the_book_allows_it(screen: JudgeScreen) -> None:
    session = screen.session
    rules = session.tournament.ruleset
    rules_revealing_words = replace(rules, judges=replace(rules.judges, reveals=RulingDetailForPlayers.WORDS))
    session.do(partial(commands.change_rules, ruleset=rules_revealing_words))
    challenge_words(screen, "hus huz")
    assert screen.view.board.verdicts == (WordVerdict.VALID, WordVerdict.INVALID)


def test_judge_screen_asks_the_judge_if_the_list_does_not_decide(screen: JudgeScreen) -> None:
    challenge_words(screen, "skrivebord")
    assert is_at_step(screen, JudgeScreenStep.DECIDE)
    press_keys(screen, ENTER, "1", SPACE)
    assert is_at_step(screen, JudgeScreenStep.DECIDE)
    assert not list_challenges(screen.session)
    QTest.keyClick(screen, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert "NOT VALID" in read_screen_text(screen)
    assert [row.verdict for row in list_challenges(screen.session)] == [WordVerdict.INVALID]


def test_judge_screen_clears_the_words_after_a_while(controller: JudgeScreenController, qtbot: QtBot) -> None:
    screen = controller.open_judge_screen(verdict_ms=50)
    press_keys(screen, ENTER)
    challenge_words(screen, "huset")
    assert screen.view.bar.isVisible()
    qtbot.waitUntil(partial(is_at_step, screen, JudgeScreenStep.TABLE))
    assert "HUSET" not in read_screen_text(screen)
    assert read_board_words(screen) == [""]
    assert not screen.view.bar.isVisible()


@pytest.mark.parametrize("keys", [("2",), ("hus",), ("2", ENTER), ("huset", ENTER, ENTER)])
def test_judge_screen_clears_half_typed_words_after_a_pause(
    controller: JudgeScreenController, qtbot: QtBot, keys: tuple[str | Qt.Key, ...]
) -> None:
    screen = controller.open_judge_screen(verdict_ms=50, idle_ms=50)
    press_keys(screen, ENTER, *keys)
    qtbot.waitUntil(partial(is_at_step, screen, JudgeScreenStep.TABLE))
    qtbot.waitUntil(lambda: read_board_words(screen) == [""])
    assert "No key has been pressed for a while" not in read_screen_text(screen)
    assert not screen.view.bar.isVisible()
    assert not list_challenges(screen.session)


def test_judge_screen_keeps_half_typed_words_after_a_key(controller: JudgeScreenController, qtbot: QtBot) -> None:
    screen = controller.open_judge_screen(verdict_ms=LONG_VERDICT_MS, idle_ms=200)
    press_keys(screen, ENTER, "hus")
    qtbot.waitUntil(screen.view.bar.isVisible)
    notice = "No key has been pressed for a while, so the typed words will be cleared. Press any key to keep them."
    assert notice in read_screen_text(screen)
    press_keys(screen, "et")
    assert read_board_words(screen) == ["HUSET"]
    assert not screen.view.bar.isVisible()
    assert "No key has been pressed" not in read_screen_text(screen)


def test_judge_screen_shows_no_notice_without_typed_words(controller: JudgeScreenController, qtbot: QtBot) -> None:
    screen = controller.open_judge_screen(verdict_ms=LONG_VERDICT_MS, idle_ms=20)
    press_keys(screen, ENTER)
    with qtbot.waitSignal(screen._idle_timer.timeout):
        press_keys(screen, Qt.Key.Key_Shift)
    assert "No key has been pressed" not in read_screen_text(screen)


def test_judge_screen_clears_the_verdict_by_any_key(screen: JudgeScreen) -> None:
    challenge_words(screen, "huset")
    press_keys(screen, SPACE)
    assert is_at_step(screen, JudgeScreenStep.TABLE)
    assert "HUSET" not in read_screen_text(screen)


@pytest.mark.slow
def test_judge_screen_ignores_a_second_enter_after_the_verdict(screen: JudgeScreen, qtbot: QtBot) -> None:
    challenge_words(screen, "huset")
    press_keys(screen, ENTER)
    assert is_at_step(screen, JudgeScreenStep.VERDICT)

    def is_at_table_after_enter() -> bool:
        press_keys(screen, ENTER)
        return is_at_step(screen, JudgeScreenStep.TABLE)

    qtbot.waitUntil(is_at_table_after_enter)


def test_judge_screen_ignores_a_held_key(screen: JudgeScreen) -> None:
    press_keys(screen, "huset", ENTER)
    press_keys(screen, ENTER)
    held_key_event = QKeyEvent(QEvent.Type.KeyPress, ENTER, Qt.KeyboardModifier.NoModifier, "\r", autorep=True)
    QApplication.sendEvent(screen, held_key_event)
    assert is_at_step(screen, JudgeScreenStep.CONFIRM)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 720), (1024, 768), (1920, 1080)])
def test_judge_screen_fits_the_longest_verdict_on_a_small_display(
    screen: JudgeScreen, size: tuple[int, int]
) -> None:
    screen.session.do(partial(commands.change_rules, ruleset=load_rule_set("nl-match")))
    screen.showNormal()
    screen.resize(*size)
    press_keys(screen, *(f"{word} " for word in ("verzekeringswet", "andersdenkenden") * 4))
    press_keys(screen, ENTER, ENTER, "2")
    QTest.keyClick(screen, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    QApplication.processEvents()
    assert is_at_step(screen, JudgeScreenStep.VERDICT)
    assert (screen.width(), screen.height()) == size
    visible_labels = [label for label in screen.findChildren(QLabel) if label.isVisible() and label.text()]
    cut_off_texts = [label.text() for label in visible_labels if label.geometry().bottom() > screen.height()]
    assert cut_off_texts == []
    assert screen.view.verdict_mark.height() > screen.height() // 10


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["de", "en", "nl", "nb"], indirect=True)
@pytest.mark.parametrize("size", [(1024, 768), (800, 600), (1280, 720)])
def test_judge_screen_shows_whole_choices(screen: JudgeScreen, size: tuple[int, int]) -> None:
    screen.session.do(partial(commands.change_rules, ruleset=load_rule_set("nl-match")))
    screen.showNormal()
    screen.resize(*size)
    press_keys(screen, "huset", ENTER, ENTER, ENTER)
    assert is_at_step(screen, JudgeScreenStep.KIND)
    lines = screen.view.labels["lines"]
    assert lines.sizeHint().width() <= screen.width() - 32
    assert lines.font().pixelSize() > 20


# --- typing


def test_judge_screen_allows_corrections_before_confirmation(screen: JudgeScreen) -> None:
    press_keys(screen, "hux", Qt.Key.Key_Backspace, "s", SPACE, Qt.Key.Key_Backspace, "et", ENTER, ENTER)
    assert read_board_words(screen) == ["HUSET"]
    press_keys(screen, ESCAPE, "år", ENTER, ENTER)
    assert read_board_words(screen) == ["HUSET", "ÅR"]


def test_judge_screen_accepts_only_letters(screen: JudgeScreen) -> None:
    press_keys(screen, "hu4")
    assert "letters only" in read_screen_text(screen)
    press_keys(screen, "s")
    assert "letters only" not in read_screen_text(screen)
    assert read_board_words(screen) == ["HUS"]


def test_judge_screen_accepts_a_composed_letter(screen: JudgeScreen) -> None:
    event = QInputMethodEvent()
    event.setCommitString("å")
    QApplication.sendEvent(screen, event)
    press_keys(screen, "r")
    assert read_board_words(screen) == ["ÅR"]


def test_judge_screen_refuses_a_single_letter(screen: JudgeScreen) -> None:
    press_keys(screen, "h", ENTER)
    assert "at least two letters" in read_screen_text(screen)
    assert read_board_words(screen) == ["H"]


def test_judge_screen_takes_two_keys_to_give_up(screen: JudgeScreen) -> None:
    press_keys(screen, "huset", ESCAPE)
    assert "Cancel the challenge?" in read_screen_text(screen)
    press_keys(screen, "s")
    assert read_board_words(screen) == ["HUSETS"]
    press_keys(screen, ESCAPE, ESCAPE)
    assert is_at_step(screen, JudgeScreenStep.TABLE)
    assert not list_challenges(screen.session)


@pytest.mark.parametrize(
    ("language", "typed_text", "letters"),
    [
        ("nb", "å", "Å"),
        ("nb", "é", "E"),
        ("de", "ß", "SS"),
        ("de", "ü", "Ü"),
        ("nl", "ĳ", "IJ"),
        ("nl", "ë", "E"),
        ("nl", "-", ""),
        ("en", "7", ""),
    ],
)
def test_typed_words_convert_a_key_to_tile_letters(language: str, typed_text: str, letters: str) -> None:
    assert TypedWords().add_letters(typed_text, language).current == letters


def test_typed_words_hold_fifteen_letters_and_eight_words() -> None:
    longest_word = TypedWords(current="A" * 15)
    assert longest_word.add_letters("B", "nl") == longest_word
    words = TypedWords(("AA",) * 8)
    assert words.add_letters("B", "nl") == words


# --- tables


def test_judge_screen_refuses_a_table_without_players(screen: JudgeScreen) -> None:
    press_keys(screen, "9", ENTER)
    assert "No one is playing at table 9" in read_screen_text(screen)
    press_keys(screen, Qt.Key.Key_Backspace, "1", ENTER)
    assert is_at_step(screen, JudgeScreenStep.CHALLENGER)


def test_judge_screen_requires_a_challenger(screen: JudgeScreen) -> None:
    press_keys(screen, "1", ENTER, ENTER)
    assert is_at_step(screen, JudgeScreenStep.CHALLENGER)
    assert (
        "Under these rules the jury checks a play only after a challenge. Choose who is challenging."
        in read_screen_text(screen)
    )
    assert "Enter: a check by the jury, not a challenge" not in read_screen_text(screen)


def test_judge_screen_needs_a_challenger_only_for_a_protest(screen: JudgeScreen) -> None:
    session = screen.session
    session.do(partial(commands.change_rules, ruleset=load_rule_set("nl-match")))
    press_keys(screen, "1", ENTER, ENTER, "huset", ENTER, ENTER, ENTER, "1")
    assert is_at_step(screen, JudgeScreenStep.CHALLENGER)
    assert "Choose who is protesting." in read_screen_text(screen)
    press_keys(screen, "2", ENTER, ENTER, "1")
    press_keys(screen, SPACE, "1", ENTER, ENTER, "huset", ENTER, ENTER, ENTER, "2")
    second = get_game_at(session.tournament, 1).second
    logged_rows = [(row.table, row.challenger, row.occasion) for row in list_challenges(session)]
    assert logged_rows == [(1, second, WordCheckReason.PROTEST), (1, None, WordCheckReason.JURY)]


def test_judge_screen_asks_for_the_table_once(screen: JudgeScreen) -> None:
    press_keys(screen, ENTER)
    assert is_at_step(screen, JudgeScreenStep.TABLE)
    assert "Type the number of your table." in read_screen_text(screen)
    press_keys(screen, ENTER)
    assert is_at_step(screen, JudgeScreenStep.WORDS)


def test_judge_screen_asks_before_it_skips_the_log(screen: JudgeScreen) -> None:
    press_keys(screen, "huset", ENTER, ENTER)
    assert is_at_step(screen, JudgeScreenStep.CONFIRM)
    assert "Without a table, the verdict does not change any result." in read_screen_text(screen)
    press_keys(screen, ESCAPE, ESCAPE, ESCAPE, "2", ENTER, "1", "huset", ENTER, ENTER)
    assert is_at_step(screen, JudgeScreenStep.CONFIRM)
    assert "Without a table" not in read_screen_text(screen)


def test_judge_screen_shows_ruling_keys_only_to_the_judge(controller: JudgeScreenController) -> None:
    screen = controller.open_judge_screen(verdict_ms=LONG_VERDICT_MS)
    assert "Ctrl+↑" in read_screen_text(screen)
    press_keys(screen, ENTER)
    challenge_words(screen, "skrivebord")
    assert is_at_step(screen, JudgeScreenStep.DECIDE)
    assert "call the judge" in read_screen_text(screen)
    assert "Ctrl+↑" not in read_screen_text(screen)


def test_judge_screen_logs_a_protest_against_a_valid_play(screen: JudgeScreen) -> None:
    screen.session.do(partial(commands.change_rules, ruleset=load_rule_set("nl-match")))
    press_keys(screen, "1", ENTER)
    assert "Enter: a check by the jury, not a challenge" in read_screen_text(screen)
    press_keys(screen, "1", "huset", ENTER, ENTER, ENTER)
    assert "The opponent is protesting against the play" in read_screen_text(screen)
    assert "purpose" not in read_screen_text(screen)
    press_keys(screen, "1")
    (row,) = list_challenges(screen.session)
    assert (row.verdict, row.occasion) == (WordVerdict.VALID, WordCheckReason.PROTEST)
    description = describe_challenge(screen.session.catalogue, row, None, "Few words", hide_words=False)
    assert "Protest by the opponent" in description
    assert not any("purpose" in line for line in description)


@pytest.mark.slow
def test_judge_screen_asks_for_the_division_of_a_table(norwegian_session: Session, screen: JudgeScreen) -> None:
    second_division = DivisionId("e")
    norwegian_session.do(partial(commands.add_division, key=second_division, code="B", first_table=1))
    norwegian_session.do(partial(commands.add_stage, key="se", division=second_division, system="swiss", rounds=1))
    for key in ("e1", "e2"):
        norwegian_session.do(partial(commands.add_player, key=key, division=second_division, name=f"Name {key}"))
    proposal = propose_pairings(TournamentIndex(norwegian_session.tournament), second_division)
    norwegian_session.do(partial(commands.pair_round, key="re", proposal=proposal))
    press_keys(screen, "1", ENTER, ENTER)
    assert "choose who is challenging" in read_screen_text(screen)
    assert "4   B · Name e" in read_screen_text(screen)
    press_keys(screen, "4")
    challenge_words(screen, "huset")
    assert [row.division for row in list_challenges(norwegian_session)] == [second_division]


# --- errors


def test_judge_screen_shows_no_unsaved_verdict(screen: JudgeScreen, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_storage_error(_desk: Desk, _command: object) -> None:
        raise StorageError("file-damaged", path="x", detail="disk")

    with monkeypatch.context() as patch:
        patch.setattr(Desk, "do", raise_storage_error)
        challenge_words(screen, "huset")
    assert is_at_step(screen, JudgeScreenStep.ERROR)
    assert "VALID" not in read_screen_text(screen)
    assert "There is no verdict yet" in read_screen_text(screen)
    assert not list_challenges(screen.session)
    press_keys(screen, ENTER)
    assert is_at_step(screen, JudgeScreenStep.VERDICT)
    assert len(list_challenges(screen.session)) == 1


def test_judge_screen_gives_no_verdict_in_a_finished_tournament(screen: JudgeScreen) -> None:
    for game in screen.session.tournament.games:
        screen.session.do(partial(commands.enter_result, game=game, first=400, second=300))
    screen.session.do(partial(commands.finish_tournament))
    challenge_words(screen, "huset")
    assert "VALID" not in read_screen_text(screen)
    assert "finished" in read_screen_text(screen)
    press_keys(screen, ESCAPE)
    assert is_at_step(screen, JudgeScreenStep.WORDS)


def test_judge_screen_gives_no_verdict_without_the_list(screen: JudgeScreen) -> None:
    screen.session.do(partial(commands.choose_wordlist, wordlist=""))
    challenge_words(screen, "huset")
    assert "No word list is chosen" in read_screen_text(screen)
    assert not list_challenges(screen.session)


# --- opening and closing


def test_judge_screen_remembers_the_judge(controller: JudgeScreenController, settings: QSettings) -> None:
    first = controller.open_judge_screen()
    QTest.keyClicks(first.view.name, "Kari")
    QTest.keyClick(first.view.name, ENTER)
    first.close()
    assert controller.open_judge_screen().judge_name == "Kari"
    assert settings.value("judge/name") == "Kari"


def test_judge_screen_knows_todays_judge(
    controller: JudgeScreenController, full_session: Session, settings: QSettings
) -> None:
    settings.setValue(AUTHOR, "Truus")
    settings.setValue(AUTHOR_DAY, format_today_and_tournament_id(full_session))
    assert controller.open_judge_screen().judge_name == "Truus"


def test_get_jury_member_today_is_empty_in_another_tournament(full_session: Session) -> None:
    full_session.settings.setValue(AUTHOR, "Truus")
    full_session.settings.setValue(AUTHOR_DAY, format_today_and_tournament_id(full_session))
    assert get_jury_member_today(full_session) == "Truus"
    other_tournament = commands.new_tournament(
        key="o", name="Elsewhere", ruleset=full_session.tournament.ruleset, seed=1
    )
    full_session.open_tournament_of_desk(Desk(Store.create_in_memory(other_tournament)))
    assert get_jury_member_today(full_session) == ""


def test_judge_screen_shows_a_score_as_peg_holes(empty_session: Session, qtbot: QtBot) -> None:
    window = Window(
        attach_tournament_with_word_list(
            empty_session, pair_rounds(make_event(4, rules="be-brailleliga"), results=False)
        )
    )
    qtbot.addWidget(window)
    window.show()
    screen = JudgeScreenController.find_or_make_controller(empty_session, window).open_judge_screen(
        verdict_ms=LONG_VERDICT_MS
    )
    press_keys(screen, ENTER)
    assert "=: show the rack’s peg holes for a score" in read_screen_text(screen)
    press_keys(screen, "=", "587")
    assert is_at_step(screen, JudgeScreenStep.PEGS)
    assert "Upper row of pegs: hole 29, 580 points\nLower row of pegs: hole 7" in read_screen_text(screen)
    press_keys(screen, ENTER)
    assert "Upper row of pegs: hole 29, 580 points\nLower row of pegs: hole 7" in read_screen_text(screen)
    press_keys(screen, "8")
    assert "Upper row of pegs: hole –, 0 points\nLower row of pegs: hole 8" in read_screen_text(screen)
    press_keys(screen, Qt.Key.Key_Backspace, ESCAPE)
    assert is_at_step(screen, JudgeScreenStep.TABLE)
    assert not list_challenges(empty_session)
    screen.close()


def test_judge_screen_offers_no_pegs_for_other_racks(screen: JudgeScreen) -> None:
    press_keys(screen, "=")
    assert is_at_step(screen, JudgeScreenStep.TABLE)
    assert "pegs" not in read_screen_text(screen)


def test_judge_screen_sets_the_session_flag_until_it_closes(
    controller: JudgeScreenController, screen: JudgeScreen
) -> None:
    assert screen.session.is_judge_screen_open
    press_keys(screen, ESCAPE, "q")
    assert screen.isVisible()
    QTest.keyClick(screen, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert controller.screen is None
    assert not screen.session.is_judge_screen_open


@pytest.mark.slow
def test_judge_screen_closes_with_the_window_or_tournament(
    controller: JudgeScreenController, window: Window
) -> None:
    controller.open_judge_screen()
    window.session.open_tournament_of_desk(None)
    assert controller.screen is None
    assert not window.session.is_judge_screen_open
    window.session.open_tournament_of_desk(make_desk(make_event(4)))
    controller.open_judge_screen()
    window.close()
    assert controller.screen is None


def test_judge_screen_opens_once_by_the_action(window: Window, controller: JudgeScreenController) -> None:
    window.get_action("judge-screen").trigger()
    first_screen = controller.screen
    window.get_action("judge-screen").trigger()
    assert first_screen is not None
    assert controller.screen is first_screen
    assert first_screen.isFullScreen()


@pytest.mark.slow
def test_judge_screen_stays_open_in_another_language(window: Window, controller: JudgeScreenController) -> None:
    window.get_action("judge-screen").trigger()
    window.get_action("language-en").trigger()
    assert JudgeScreenController.find_or_make_controller(window.session, window) is controller
    assert controller.screen is not None


def test_missing_list_panel_explains_the_missing_list(window: Window, controller: JudgeScreenController) -> None:
    window.session.do(partial(commands.choose_wordlist, wordlist=""))
    window.get_action("judge-screen").trigger()
    assert controller.screen is None
    panel = window.panel
    assert isinstance(panel, MissingWordListPanel)
    [choose_button] = [button for button in panel.findChildren(QPushButton) if button.isVisible()]
    page = window.page
    QTest.keyClick(choose_button, ENTER)
    assert isinstance(window.panel, WordListsPanel)
    assert window.page is page


def test_missing_list_panel_opens_the_peg_screen(window: Window, controller: JudgeScreenController) -> None:
    window.session.do(partial(commands.choose_wordlist, wordlist=""))
    window.session.do(partial(commands.change_rules, ruleset=load_rule_set("be-brailleliga")))
    window.get_action("judge-screen").trigger()
    panel = window.panel
    assert isinstance(panel, MissingWordListPanel)
    name = "Show the rack’s peg holes for a score"
    [pegs_button] = [button for button in panel.findChildren(QPushButton) if button.text() == name]
    QTest.keyClick(pegs_button, SPACE)
    screen = controller.screen
    assert screen is not None
    press_keys(screen, ENTER, "58")
    assert is_at_step(screen, JudgeScreenStep.PEGS)
    assert "Upper row of pegs: hole 2, 40 points" in read_screen_text(screen)
    press_keys(screen, ESCAPE, "20")
    assert "Upper row of pegs: hole 1, 20 points" in read_screen_text(screen)


# --- consequences of a verdict


@pytest.mark.parametrize(
    ("points", "per", "to", "expected_text"),
    [
        (0, PenaltyUnit.TURN, ChallengePointsReceiver.NOBODY, "The play is valid. The challenge costs nothing."),
        (5, PenaltyUnit.TURN, ChallengePointsReceiver.NOBODY, "The play is valid. The challenger loses 5 points."),
        (
            5,
            PenaltyUnit.WORD,
            ChallengePointsReceiver.NOBODY,
            "The play is valid. The challenger loses 15 points.",
        ),
        (
            5,
            PenaltyUnit.WORD,
            ChallengePointsReceiver.OPPONENT,
            "The play is valid. The player who made the play gains 15 points.",
        ),
    ],
)
def test_describe_verdict_consequence_names_the_cost_of_a_wrong_challenge(
    points: int, per: PenaltyUnit, to: ChallengePointsReceiver, expected_text: str
) -> None:
    rules = load_rule_set("de-scrabble")
    rules = replace(rules, challenge=replace(rules.challenge, points=points, per=per, to=to))
    assert describe_consequence(rules, WordVerdict.VALID) == expected_text


def test_describe_verdict_consequence_names_the_cost_of_a_wrong_word() -> None:
    assert (
        describe_consequence(load_rule_set("no-nsf"), WordVerdict.INVALID)
        == "The tiles go back to the rack and the turn is lost."
    )
    assert describe_consequence(load_rule_set("nl-match"), WordVerdict.INVALID).endswith("20 points are deducted.")


def describe_consequence(rules: RuleSet, verdict: WordVerdict) -> str:
    return describe_verdict_consequence(Catalogue("en", RESOURCES / "locale"), rules, verdict, word_count=3)


# --- the Challenges panel


@pytest.fixture
def panel(window: Window) -> ChallengesPanel:
    """Return the open panel with two verdicts. The newest is HUZ at table 2, not valid."""
    session = window.session
    for key, minute, table, word, verdict in (
        ("c1", 1, 1, "HUSET", WordVerdict.VALID),
        ("c2", 2, 2, "HUZ", WordVerdict.INVALID),
    ):
        command = partial(
            commands.record_challenge,
            key=key,
            division=DivisionId("d"),
            at=f"2026-05-01T10:0{minute}:00+00:00",
            words=(word,),
            verdict=verdict,
            edition=session.tournament.event.wordlist,
            judge="Kari",
            round_number=1,
            table=table,
        )
        session.do(command)
    window.get_action("challenges").trigger()
    assert isinstance(window.panel, ChallengesPanel)
    return window.panel


def read_words_column(panel: ChallengesPanel) -> list[str]:
    column = panel.editor.rows.list_column_ids().index("words")
    return [panel.editor.rows.index(row, column).data() for row in range(panel.editor.rows.rowCount())]


def test_challenges_panel_lists_the_newest_first(panel: ChallengesPanel) -> None:
    assert read_words_column(panel) == ["HUZ", "HUSET"]
    assert "Word list: Few words" in panel.description.text()
    assert "Verdict: not valid (Kari)" in panel.description.text()
    assert panel.final.text() == "Not valid. The tiles go back to the rack and the turn is lost."
    QTest.keyClick(panel.editor.view, Qt.Key.Key_Down)
    assert "The challenger loses 10 points" in panel.final.text()


def test_challenges_panel_filters_one_table(panel: ChallengesPanel) -> None:
    QTest.keyClicks(panel.editor.search, "1")
    assert read_words_column(panel) == ["HUSET"]
    QTest.keyClick(panel.editor.search, Qt.Key.Key_Escape)
    assert len(read_words_column(panel)) == 2
    QTest.keyClicks(panel.editor.search, "7")
    assert read_words_column(panel) == []
    assert panel.description.isHidden()


def test_challenges_panel_hides_words_while_the_judge_screen_is_open(
    panel: ChallengesPanel, controller: JudgeScreenController
) -> None:
    controller.open_judge_screen()
    assert not any("HUZ" in label.text() for label in panel.findChildren(QLabel))
    assert read_words_column(panel) == ["•••", "•••"]
    assert controller.screen is not None
    controller.screen.close()
    assert read_words_column(panel) == ["HUZ", "HUSET"]


def test_challenges_panel_removes_and_restores_an_entry(panel: ChallengesPanel) -> None:
    QTest.keyClick(panel.editor.view, Qt.Key.Key_Delete)
    assert read_words_column(panel) == ["HUSET"]
    panel.session.undo()
    assert read_words_column(panel) == ["HUZ", "HUSET"]


def get_newest_challenge(panel: ChallengesPanel) -> Challenge:
    return panel.session.tournament.challenges[panel.editor.rows.find_row_by_key(panel.editor.rows.keys()[0]).key]


@pytest.mark.slow
def test_challenges_panel_records_judges_who_agree(panel: ChallengesPanel) -> None:
    """Rule 3.11: the verdict is final if both judges agree."""
    panel.editor.edit_row()
    QTest.keyClicks(panel.get_field_widget("judge"), "Bo")
    panel.fill_second_verdict_from_word_list()
    assert panel.get_field_widget("second").value() is WordVerdict.INVALID
    QTest.keyClick(panel.get_field_widget("judge"), ENTER)
    assert (get_newest_challenge(panel).second, get_newest_challenge(panel).second_judge) == (
        WordVerdict.INVALID,
        "Bo",
    )
    assert get_newest_challenge(panel).joint is None
    assert "Appeal: not valid (Bo)" in panel.description.text()


def test_challenges_panel_records_judges_who_differ(panel: ChallengesPanel) -> None:
    panel.editor.edit_row()
    panel.get_field_widget("second").choose_value(WordVerdict.VALID)
    assert panel.get_field_widget("joint").isVisible()
    QTest.keyClick(panel.get_field_widget("judge"), ENTER)
    assert get_newest_challenge(panel).second is None
    panel.get_field_widget("joint").choose_value(WordVerdict.VALID)
    QTest.keyClick(panel.get_field_widget("judge"), ENTER)
    assert get_newest_challenge(panel).joint is WordVerdict.VALID
    assert panel.final.text() == "Valid. The play is valid. The challenger loses 10 points."


@pytest.mark.slow
def test_challenges_panel_records_a_second_verdict_of_one_judge(panel: ChallengesPanel) -> None:
    """Rule 3.11: a judge without colleagues also decides the appeal."""
    panel.editor.edit_row()
    panel.get_field_widget("second").choose_value(WordVerdict.VALID)
    panel.get_field_widget("alone").click()
    assert not panel.get_field_widget("joint").isVisible()
    QTest.keyClick(panel.get_field_widget("judge"), ENTER)
    assert (get_newest_challenge(panel).second, get_newest_challenge(panel).joint) == (
        WordVerdict.VALID,
        WordVerdict.VALID,
    )


def test_challenges_panel_requires_the_verdict_of_an_appeal(panel: ChallengesPanel, qtbot: QtBot) -> None:
    panel.editor.edit_row()
    with qtbot.waitSignal(panel.session.message_sent) as signal:
        QTest.keyClick(panel.get_field_widget("judge"), ENTER)
    assert signal.args is not None
    assert "second judge" in signal.args[0]
    assert get_newest_challenge(panel).second is None


@pytest.mark.slow
def test_challenges_panel_offers_no_appeal_without_a_rule(panel: ChallengesPanel) -> None:
    rules = panel.session.tournament.ruleset
    panel.session.do(
        partial(commands.change_rules, ruleset=replace(rules, judges=load_rule_set("de-scrabble").judges))
    )
    buttons = {button.text(): button for button in panel.findChildren(QPushButton)}
    assert not buttons["Appeal"].isVisible()


@pytest.mark.slow
def test_challenges_panel_shows_if_the_result_includes_a_verdict(screen: JudgeScreen, qtbot: QtBot) -> None:
    session = screen.session
    press_keys(screen, "1", ENTER, "1", "huset", ENTER, ENTER, ENTER)
    screen.close()
    log_panel = ChallengesPanel(session)
    qtbot.addWidget(log_panel)
    log_panel.show()
    game = get_game_at(session.tournament, 1).id
    for verdicts, expected_text in (
        (None, "Still to decide: does the total already include this verdict?"),
        (True, "The challenger loses 10 points. The program has changed the total because of this verdict."),
        (False, "The total already included the verdict."),
    ):
        enter_result = partial(commands.enter_result, game=game, first=400, second=388, verdicts=verdicts)
        session.do(enter_result)
        log_panel.refresh_panel()
        assert expected_text in log_panel.final.text()
        session.undo()


def test_challenges_panel_names_the_line_of_the_sheet(panel: ChallengesPanel) -> None:
    game = get_game_at(panel.session.tournament, 2)
    turns = (Turn(1, TurnKind.PLAY, word="HUZ", score=20), Turn(2, TurnKind.FAILED_CHALLENGE))
    tileset = read_tilesets(RESOURCES / "tilesets")["no"]
    sheet = Sheet(("one", "two"), turns)
    panel.session.do(partial(commands.enter_sheet, game=game.id, sheet=sheet, tileset=tileset))
    assert panel.sheet.text() == "The score sheet differs from this verdict. Correct row 2 of the sheet."
    panel.session.undo()
    assert not panel.sheet.isVisible()


@pytest.mark.parametrize(
    ("key", "word", "expected_text"),
    [
        ("1", "huz", "The tiles go back to the rack and the player makes another play. 20 points are deducted."),
        (
            "2",
            "huz",
            "The tiles stay and the game continues. The turn scores nothing, and 20 points are deducted.",
        ),
        ("1", "hus", "The play is valid. The challenge costs nothing."),
        ("2", "hus", "The play is valid."),
    ],
)
def test_judge_screen_records_deliberate_phonies_and_jury_findings(
    screen: JudgeScreen, key: str, word: str, expected_text: str
) -> None:
    """nl-reglement III.10 gives protests and jury findings different consequences."""
    session = screen.session
    dutch = load_rule_set("nl-match")
    mixed_rules = replace(
        session.tournament.ruleset, contested=dutch.contested, phony=dutch.phony, challenge=dutch.challenge
    )
    session.do(partial(commands.change_rules, ruleset=mixed_rules))
    challenge_words(screen, word)
    assert is_at_step(screen, JudgeScreenStep.KIND)
    press_keys(screen, "3", ENTER)
    assert is_at_step(screen, JudgeScreenStep.KIND)
    press_keys(screen, key)
    assert expected_text in read_screen_text(screen).splitlines()
    (row,) = list_challenges(session)
    assert row.occasion is (WordCheckReason.PROTEST if key == "1" else WordCheckReason.JURY)
    panel = ChallengesPanel(session)
    panel.refresh_panel()
    assert panel.final.text().endswith(expected_text)
    assert session.catalogue.translate_code(row.occasion).capitalize() in panel.description.text()
    panel.deleteLater()
