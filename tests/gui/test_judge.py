"""The judge screen and the log of challenges, by the keys that judges and players press."""

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
from tdapp.domain.challenge_case import ChallengeStep, TypedWords
from tdapp.domain.errors import StorageError
from tdapp.domain.index import Index
from tdapp.domain.jury_rows import Challenge, Occasion
from tdapp.domain.model import DivisionId
from tdapp.domain.ruleset import ChallengePointsReceiver, PenaltyUnit, RevealedToPlayers, RuleSet
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.gui.jury.judge_screen import JudgeScreen, JudgeScreenController, MissingWordListPanel
from tdapp.gui.jury.logs import ChallengesPanel
from tdapp.gui.jury.page import JuryPage
from tdapp.gui.jury.word_lists_panel import WordListsPanel
from tdapp.gui.shell.jury_member import AUTHOR, AUTHOR_DAY, get_jury_member_today, make_jury_day_key
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.judge_screen import describe_challenge, describe_verdict_consequence
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import Sheet, Turn, TurnKind
from tdapp.scrabble.wordlist import WordListEdition, WordVerdict
from tdapp.storage import Store
from tests.building import get_game_at, load_rule_set, pair_rounds
from tests.building import make_event as tournament_under
from tests.gui.samples import RESOURCES, make_desk

LONG = 600_000  # ms: a verdict that stays until a key takes it away
WORDS = ("HUS", "HUSET", "ÅR")
ENTER, ESCAPE, SPACE = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Space


def with_list(session: Session, value: Tournament, *, language: str = "nb") -> Session:
    """The session on a tournament that asks a list of three words."""
    metadata = session.library.add_edition(WORDS, WordListEdition("Few words", language, "2025", "ab12"))
    session.attach_desk(make_desk(commands.choose_wordlist(value, wordlist=metadata.id)))
    return session


@pytest.fixture
def norway(empty_session: Session) -> Session:
    """Four players in their first round under the Norwegian book, and a list."""
    return with_list(empty_session, pair_rounds(tournament_under(4, rules="no-nsf"), results=False))


@pytest.fixture
def window(norway: Session, qtbot: QtBot) -> Window:
    made = Window(norway)
    qtbot.addWidget(made)
    norway.opened.emit()
    made.show()
    return made


@pytest.fixture
def bench(norway: Session, qtbot: QtBot, request: pytest.FixtureRequest) -> Iterator[JudgeScreenController]:
    """The controller of the window, or of a widget if the test does not use the window."""
    if "window" in request.fixturenames:
        window: QWidget = request.getfixturevalue("window")
    else:
        window = QWidget()
        qtbot.addWidget(window)
    made = JudgeScreenController.find_or_make_controller(norway, window)
    yield made
    if made.screen is not None:
        made.screen.close()


@pytest.fixture
def screen(bench: JudgeScreenController) -> JudgeScreen:
    """The screen, open to the players, of judge Kari."""
    made = bench.open_judge_screen(verdict_ms=LONG)
    QTest.keyClicks(made.view.name, "Kari")
    QTest.keyClick(made.view.name, ENTER)
    return made


def press(screen: JudgeScreen, *keys: str | Qt.Key) -> None:
    """Press keys and type texts."""
    for key in keys:
        if isinstance(key, str):
            QTest.keyClicks(screen, key)
        else:
            QTest.keyClick(screen, key)


def at(screen: JudgeScreen, step: ChallengeStep) -> bool:
    return screen.step is step


def shown(screen: JudgeScreen) -> list[str]:
    """The words on the board."""
    return list(screen.view.board.words)


def seen(screen: JudgeScreen) -> str:
    """All texts on the screen."""
    labels = [label.text() for label in screen.findChildren(QLabel) if label.isVisible()]
    board = screen.view.board.words if screen.view.board.isVisible() else ()
    return "\n".join([*labels, *board])


def log(session: Session) -> list[Challenge]:
    return list(session.tournament.challenges.values())


def challenged(screen: JudgeScreen, words: str) -> None:
    """Type words, without a table, and confirm them."""
    press(screen, words, ENTER, ENTER, ENTER)


# --- the way to a verdict


def test_judge_screen_returns_the_focus_to_the_window(bench: JudgeScreenController, window: Window) -> None:
    window.show_page("jury")
    page = window.pages.get_page("jury")
    assert isinstance(page, JuryPage)
    page.line.focus_line()
    screen = bench.open_judge_screen()
    press(screen, ENTER)
    window.refresh_window()
    screen.close()
    assert window.focusWidget() is page.line.line


def test_judge_screen_leads_from_the_table_to_the_verdict(screen: JudgeScreen) -> None:
    session = screen.session
    second = session.tournament.players[get_game_at(session.tournament, 2).second]
    press(screen, "2", ENTER)
    assert second.name in seen(screen)
    press(screen, "2", "huset", SPACE, "åR", ENTER, ENTER)
    assert at(screen, ChallengeStep.CONFIRM)
    assert shown(screen) == ["HUSET", "ÅR"]
    assert not log(session)
    press(screen, ENTER)
    assert at(screen, ChallengeStep.VERDICT)
    assert "VALID" in seen(screen).splitlines()
    assert "The play is valid. The challenger loses 10 points." in seen(screen)
    (row,) = log(session)
    assert (row.words, row.verdict, row.table, row.round) == (("HUSET", "ÅR"), WordVerdict.VALID, 2, 1)
    assert (row.judge, row.challenger, row.edition) == ("Kari", second.id, session.tournament.event.wordlist)


def test_judge_screen_never_tells_which_word_failed(screen: JudgeScreen) -> None:
    challenged(screen, "hus huz")
    assert "NOT VALID" in seen(screen)
    assert "The tiles go back to the rack and the turn is lost." in seen(screen)
    assert screen.view.board.verdicts == ()
    assert [row.verdict for row in log(screen.session)] == [WordVerdict.INVALID]


def test_judge_screen_marks_each_word_if_the_book_allows_it(screen: JudgeScreen) -> None:
    session = screen.session
    rules = session.tournament.ruleset
    told = replace(rules, judges=replace(rules.judges, reveals=RevealedToPlayers.WORDS))
    session.do(partial(commands.change_rules, ruleset=told))
    challenged(screen, "hus huz")
    assert screen.view.board.verdicts == (WordVerdict.VALID, WordVerdict.INVALID)


def test_judge_screen_asks_the_judge_if_the_list_does_not_decide(screen: JudgeScreen) -> None:
    challenged(screen, "skrivebord")
    assert at(screen, ChallengeStep.DECIDE)
    press(screen, ENTER, "1", SPACE)
    assert at(screen, ChallengeStep.DECIDE)
    assert not log(screen.session)
    QTest.keyClick(screen, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert "NOT VALID" in seen(screen)
    assert [row.verdict for row in log(screen.session)] == [WordVerdict.INVALID]


def test_judge_screen_clears_the_words_after_a_while(bench: JudgeScreenController, qtbot: QtBot) -> None:
    screen = bench.open_judge_screen(verdict_ms=50)
    press(screen, ENTER)
    challenged(screen, "huset")
    assert screen.view.bar.isVisible()
    qtbot.waitUntil(partial(at, screen, ChallengeStep.TABLE))
    assert "HUSET" not in seen(screen)
    assert shown(screen) == [""]
    assert not screen.view.bar.isVisible()


@pytest.mark.parametrize("keys", [("2",), ("hus",), ("2", ENTER), ("huset", ENTER, ENTER)])
def test_judge_screen_clears_half_typed_words_after_a_pause(
    bench: JudgeScreenController, qtbot: QtBot, keys: tuple[str | Qt.Key, ...]
) -> None:
    screen = bench.open_judge_screen(verdict_ms=50, idle_ms=50)
    press(screen, ENTER, *keys)
    qtbot.waitUntil(partial(at, screen, ChallengeStep.TABLE))
    qtbot.waitUntil(lambda: shown(screen) == [""])
    assert "No key was pressed for a while" not in seen(screen)
    assert not screen.view.bar.isVisible()
    assert not log(screen.session)


def test_judge_screen_keeps_half_typed_words_after_a_key(bench: JudgeScreenController, qtbot: QtBot) -> None:
    screen = bench.open_judge_screen(verdict_ms=LONG, idle_ms=200)
    press(screen, ENTER, "hus")
    qtbot.waitUntil(screen.view.bar.isVisible)
    notice = "No key was pressed for a while: the typed words will be cleared. Press any key to keep the words."
    assert notice in seen(screen)
    press(screen, "et")
    assert shown(screen) == ["HUSET"]
    assert not screen.view.bar.isVisible()
    assert "No key was pressed" not in seen(screen)


def test_judge_screen_never_hurries_an_empty_screen_or_the_judge(
    bench: JudgeScreenController, qtbot: QtBot
) -> None:
    screen = bench.open_judge_screen(verdict_ms=LONG, idle_ms=20)
    press(screen, ENTER)
    with qtbot.waitSignal(screen._idle_timer.timeout):
        press(screen, Qt.Key.Key_Shift)
    assert "No key was pressed" not in seen(screen)


def test_judge_screen_clears_the_verdict_by_any_key(screen: JudgeScreen) -> None:
    challenged(screen, "huset")
    press(screen, SPACE)
    assert at(screen, ChallengeStep.TABLE)
    assert "HUSET" not in seen(screen)


@pytest.mark.slow
def test_judge_screen_ignores_a_second_enter_after_the_verdict(screen: JudgeScreen, qtbot: QtBot) -> None:
    challenged(screen, "huset")
    press(screen, ENTER)
    assert at(screen, ChallengeStep.VERDICT)

    def pressed() -> bool:
        press(screen, ENTER)
        return at(screen, ChallengeStep.TABLE)

    qtbot.waitUntil(pressed)


def test_judge_screen_ignores_a_held_key(screen: JudgeScreen) -> None:
    press(screen, "huset", ENTER)
    press(screen, ENTER)
    again = QKeyEvent(QEvent.Type.KeyPress, ENTER, Qt.KeyboardModifier.NoModifier, "\r", autorep=True)
    QApplication.sendEvent(screen, again)
    assert at(screen, ChallengeStep.CONFIRM)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 720), (1024, 768), (1920, 1080)])
def test_judge_screen_fits_the_longest_verdict_on_a_small_display(
    screen: JudgeScreen, size: tuple[int, int]
) -> None:
    screen.session.do(partial(commands.change_rules, ruleset=load_rule_set("nl-match")))
    screen.showNormal()
    screen.resize(*size)
    press(screen, *(f"{word} " for word in ("verzekeringswet", "andersdenkenden") * 4))
    press(screen, ENTER, ENTER, "2")
    QTest.keyClick(screen, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    QApplication.processEvents()
    assert at(screen, ChallengeStep.VERDICT)
    assert (screen.width(), screen.height()) == size
    parts = [label for label in screen.findChildren(QLabel) if label.isVisible() and label.text()]
    below = [part.text() for part in parts if part.geometry().bottom() > screen.height()]
    assert below == []
    assert screen.view.verdict_mark.height() > screen.height() // 10


@pytest.mark.slow
@pytest.mark.parametrize("empty_session", ["de", "en", "nl", "nb"], indirect=True)
@pytest.mark.parametrize("size", [(1024, 768), (800, 600), (1280, 720)])
def test_judge_screen_never_cuts_off_choices(screen: JudgeScreen, size: tuple[int, int]) -> None:
    screen.session.do(partial(commands.change_rules, ruleset=load_rule_set("nl-match")))
    screen.showNormal()
    screen.resize(*size)
    press(screen, "huset", ENTER, ENTER, ENTER)
    assert at(screen, ChallengeStep.KIND)
    lines = screen.view.labels["lines"]
    assert lines.sizeHint().width() <= screen.width() - 32
    assert lines.font().pixelSize() > 20


# --- typing


def test_judge_screen_allows_corrections_before_confirmation(screen: JudgeScreen) -> None:
    press(screen, "hux", Qt.Key.Key_Backspace, "s", SPACE, Qt.Key.Key_Backspace, "et", ENTER, ENTER)
    assert shown(screen) == ["HUSET"]
    press(screen, ESCAPE, "år", ENTER, ENTER)
    assert shown(screen) == ["HUSET", "ÅR"]


def test_judge_screen_accepts_only_letters(screen: JudgeScreen) -> None:
    press(screen, "hu4")
    assert "letters only" in seen(screen)
    press(screen, "s")
    assert "letters only" not in seen(screen)
    assert shown(screen) == ["HUS"]


def test_judge_screen_accepts_a_composed_letter(screen: JudgeScreen) -> None:
    event = QInputMethodEvent()
    event.setCommitString("å")
    QApplication.sendEvent(screen, event)
    press(screen, "r")
    assert shown(screen) == ["ÅR"]


def test_judge_screen_refuses_a_single_letter(screen: JudgeScreen) -> None:
    press(screen, "h", ENTER)
    assert "at least two letters" in seen(screen)
    assert shown(screen) == ["H"]


def test_judge_screen_takes_two_keys_to_give_up(screen: JudgeScreen) -> None:
    press(screen, "huset", ESCAPE)
    assert "Give up the challenge?" in seen(screen)
    press(screen, "s")
    assert shown(screen) == ["HUSETS"]
    press(screen, ESCAPE, ESCAPE)
    assert at(screen, ChallengeStep.TABLE)
    assert not log(screen.session)


@pytest.mark.parametrize(
    ("language", "typed", "letters"),
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
def test_typed_words_turn_a_key_into_a_letter_of_a_tile(language: str, typed: str, letters: str) -> None:
    assert TypedWords().add_letters(typed, language).current == letters


def test_typed_words_hold_fifteen_letters_and_eight_words() -> None:
    full = TypedWords(current="A" * 15)
    assert full.add_letters("B", "nl") == full
    words = TypedWords(("AA",) * 8)
    assert words.add_letters("B", "nl") == words


# --- tables


def test_judge_screen_refuses_a_table_without_players(screen: JudgeScreen) -> None:
    press(screen, "9", ENTER)
    assert "Nobody plays at table 9" in seen(screen)
    press(screen, Qt.Key.Key_Backspace, "1", ENTER)
    assert at(screen, ChallengeStep.CHALLENGER)


def test_judge_screen_requires_a_challenger(screen: JudgeScreen) -> None:
    press(screen, "1", ENTER, ENTER)
    assert at(screen, ChallengeStep.CHALLENGER)
    assert "By these rules the jury checks a play only after a challenge. Choose who challenges." in seen(screen)
    assert "Enter: the jury looks at the play (not allowed by these rules)" in seen(screen)


def test_judge_screen_needs_a_challenger_only_for_a_protest(screen: JudgeScreen) -> None:
    session = screen.session
    session.do(partial(commands.change_rules, ruleset=load_rule_set("nl-match")))
    press(screen, "1", ENTER, ENTER, "huset", ENTER, ENTER, ENTER, "1")
    assert at(screen, ChallengeStep.CHALLENGER)
    assert "Choose who protests." in seen(screen)
    press(screen, "2", ENTER, ENTER, "1")
    press(screen, SPACE, "1", ENTER, ENTER, "huset", ENTER, ENTER, ENTER, "2")
    second = get_game_at(session.tournament, 1).second
    found = [(row.table, row.challenger, row.occasion) for row in log(session)]
    assert found == [(1, second, Occasion.PROTEST), (1, None, Occasion.JURY)]


def test_judge_screen_asks_for_the_table_once(screen: JudgeScreen) -> None:
    press(screen, ENTER)
    assert at(screen, ChallengeStep.TABLE)
    assert "Type the number of your table." in seen(screen)
    press(screen, ENTER)
    assert at(screen, ChallengeStep.WORDS)


def test_judge_screen_asks_before_it_skips_the_log(screen: JudgeScreen) -> None:
    press(screen, "huset", ENTER, ENTER)
    assert at(screen, ChallengeStep.CONFIRM)
    assert "Without a table the verdict changes no result." in seen(screen)
    press(screen, ESCAPE, ESCAPE, ESCAPE, "2", ENTER, "1", "huset", ENTER, ENTER)
    assert at(screen, ChallengeStep.CONFIRM)
    assert "Without a table" not in seen(screen)


def test_judge_screen_shows_ruling_keys_only_to_the_judge(bench: JudgeScreenController) -> None:
    screen = bench.open_judge_screen(verdict_ms=LONG)
    assert "Ctrl+↑" in seen(screen)
    press(screen, ENTER)
    challenged(screen, "skrivebord")
    assert at(screen, ChallengeStep.DECIDE)
    assert "call the judge" in seen(screen)
    assert "Ctrl+↑" not in seen(screen)


def test_judge_screen_logs_a_protest_against_a_valid_play(screen: JudgeScreen) -> None:
    screen.session.do(partial(commands.change_rules, ruleset=load_rule_set("nl-match")))
    press(screen, "1", ENTER)
    assert "(not allowed by these rules)" not in seen(screen)
    press(screen, "1", "huset", ENTER, ENTER, ENTER)
    assert "The opponent protests against the play" in seen(screen)
    assert "purpose" not in seen(screen)
    press(screen, "1")
    (row,) = log(screen.session)
    assert (row.verdict, row.occasion) == (WordVerdict.VALID, Occasion.PROTEST)
    said = describe_challenge(screen.session.catalogue, row, None, "Few words", hidden=False)
    assert "Protest of the opponent" in said
    assert not any("purpose" in line for line in said)


@pytest.mark.slow
def test_judge_screen_asks_for_the_division_of_a_table(norway: Session, screen: JudgeScreen) -> None:
    other = DivisionId("e")
    norway.do(partial(commands.add_division, key=other, code="B", first_table=1))
    norway.do(partial(commands.add_stage, key="se", division=other, system="swiss", rounds=1))
    for key in ("e1", "e2"):
        norway.do(partial(commands.add_player, key=key, division=other, name=f"Name {key}"))
    proposal = propose_pairings(Index(norway.tournament), other)
    norway.do(partial(commands.pair_round, key="re", proposal=proposal))
    press(screen, "1", ENTER, ENTER)
    assert "choose who challenges" in seen(screen)
    assert "4   B · Name e" in seen(screen)
    press(screen, "4")
    challenged(screen, "huset")
    assert [row.division for row in log(norway)] == [other]


# --- trouble


def test_judge_screen_shows_no_verdict_that_was_not_saved(
    screen: JudgeScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_desk: Desk, _command: object) -> None:
        raise StorageError("file-damaged", path="x", detail="disk")

    with monkeypatch.context() as patched:
        patched.setattr(Desk, "do", fails)
        challenged(screen, "huset")
    assert at(screen, ChallengeStep.ERROR)
    assert "VALID" not in seen(screen)
    assert "There is no verdict yet" in seen(screen)
    assert not log(screen.session)
    press(screen, ENTER)
    assert at(screen, ChallengeStep.VERDICT)
    assert len(log(screen.session)) == 1


def test_judge_screen_gives_no_verdict_in_a_finished_tournament(screen: JudgeScreen) -> None:
    for game in screen.session.tournament.games:
        screen.session.do(partial(commands.enter_result, game=game, first=400, second=300))
    screen.session.do(partial(commands.finish_tournament))
    challenged(screen, "huset")
    assert "VALID" not in seen(screen)
    assert "finished" in seen(screen)
    press(screen, ESCAPE)
    assert at(screen, ChallengeStep.WORDS)


def test_judge_screen_gives_no_verdict_without_the_list(screen: JudgeScreen) -> None:
    screen.session.do(partial(commands.choose_wordlist, wordlist=""))
    challenged(screen, "huset")
    assert "No word list is chosen" in seen(screen)
    assert not log(screen.session)


# --- opening and leaving


def test_judge_screen_remembers_the_judge(bench: JudgeScreenController, settings: QSettings) -> None:
    first = bench.open_judge_screen()
    QTest.keyClicks(first.view.name, "Kari")
    QTest.keyClick(first.view.name, ENTER)
    first.close()
    assert bench.open_judge_screen().judge_name == "Kari"
    assert settings.value("judge/name") == "Kari"


def test_judge_screen_knows_todays_judge(
    bench: JudgeScreenController, full_session: Session, settings: QSettings
) -> None:
    settings.setValue(AUTHOR, "Truus")
    settings.setValue(AUTHOR_DAY, make_jury_day_key(full_session))
    assert bench.open_judge_screen().judge_name == "Truus"


def test_jury_member_is_asked_again_in_another_tournament(full_session: Session) -> None:
    full_session.settings.setValue(AUTHOR, "Truus")
    full_session.settings.setValue(AUTHOR_DAY, make_jury_day_key(full_session))
    assert get_jury_member_today(full_session) == "Truus"
    other = commands.new_tournament(key="o", name="Elsewhere", ruleset=full_session.tournament.ruleset, seed=1)
    full_session.attach_desk(Desk(Store.create_in_memory(other)))
    assert get_jury_member_today(full_session) == ""


def test_judge_screen_shows_a_score_as_peg_holes(empty_session: Session, qtbot: QtBot) -> None:
    window = Window(
        with_list(empty_session, pair_rounds(tournament_under(4, rules="be-brailleliga"), results=False))
    )
    qtbot.addWidget(window)
    window.show()
    screen = JudgeScreenController.find_or_make_controller(empty_session, window).open_judge_screen(
        verdict_ms=LONG
    )
    press(screen, ENTER)
    assert "=: show the peg holes for a score" in seen(screen)
    press(screen, "=", "587")
    assert at(screen, ChallengeStep.PEGS)
    assert "Upper row of pegs: hole 29, 580 points\nLower row of pegs: hole 7" in seen(screen)
    press(screen, ENTER)
    assert "Upper row of pegs: hole 29, 580 points\nLower row of pegs: hole 7" in seen(screen)
    press(screen, "8")
    assert "Upper row of pegs: hole –, 0 points\nLower row of pegs: hole 8" in seen(screen)
    press(screen, Qt.Key.Key_Backspace, ESCAPE)
    assert at(screen, ChallengeStep.TABLE)
    assert not log(empty_session)
    screen.close()


def test_judge_screen_offers_no_pegs_for_other_racks(screen: JudgeScreen) -> None:
    press(screen, "=")
    assert at(screen, ChallengeStep.TABLE)
    assert "pegs" not in seen(screen)


def test_jury_page_hides_words_while_the_judge_screen_is_open(
    bench: JudgeScreenController, screen: JudgeScreen
) -> None:
    assert screen.session.is_judge_screen_open
    press(screen, ESCAPE, "q")
    assert screen.isVisible()
    QTest.keyClick(screen, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert bench.screen is None
    assert not screen.session.is_judge_screen_open


@pytest.mark.slow
def test_judge_screen_closes_with_window_and_tournament(bench: JudgeScreenController, window: Window) -> None:
    bench.open_judge_screen()
    window.session.attach_desk(None)
    assert bench.screen is None
    assert not window.session.is_judge_screen_open
    window.session.attach_desk(make_desk(tournament_under(4)))
    bench.open_judge_screen()
    window.close()
    assert bench.screen is None


def test_judge_screen_opens_once_by_the_command(window: Window, bench: JudgeScreenController) -> None:
    window.command("judge-screen").trigger()
    opened = bench.screen
    window.command("judge-screen").trigger()
    assert opened is not None
    assert bench.screen is opened
    assert opened.isFullScreen()


@pytest.mark.slow
def test_judge_screen_stays_open_in_another_language(window: Window, bench: JudgeScreenController) -> None:
    window.command("judge-screen").trigger()
    window.command("language-en").trigger()
    assert JudgeScreenController.find_or_make_controller(window.session, window) is bench
    assert bench.screen is not None


def test_missing_list_panel_explains_the_missing_list(window: Window, bench: JudgeScreenController) -> None:
    window.session.do(partial(commands.choose_wordlist, wordlist=""))
    window.command("judge-screen").trigger()
    assert bench.screen is None
    panel = window.panel
    assert isinstance(panel, MissingWordListPanel)
    [choose] = [button for button in panel.findChildren(QPushButton) if button.isVisible()]
    page = window.page
    QTest.keyClick(choose, ENTER)
    assert isinstance(window.panel, WordListsPanel)
    assert window.page is page


def test_missing_list_panel_opens_the_peg_screen(window: Window, bench: JudgeScreenController) -> None:
    window.session.do(partial(commands.choose_wordlist, wordlist=""))
    window.session.do(partial(commands.change_rules, ruleset=load_rule_set("be-brailleliga")))
    window.command("judge-screen").trigger()
    panel = window.panel
    assert isinstance(panel, MissingWordListPanel)
    name = "Show peg holes for a score"
    [pegs] = [button for button in panel.findChildren(QPushButton) if button.text() == name]
    QTest.keyClick(pegs, SPACE)
    screen = bench.screen
    assert screen is not None
    press(screen, ENTER, "58")
    assert at(screen, ChallengeStep.PEGS)
    assert "Upper row of pegs: hole 2, 40 points" in seen(screen)
    press(screen, ESCAPE, "20")
    assert "Upper row of pegs: hole 1, 20 points" in seen(screen)


# --- what a verdict means


@pytest.mark.parametrize(
    ("points", "per", "to", "said"),
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
            "The play is valid. The player who played it is credited 15 points.",
        ),
    ],
)
def test_describe_consequence_names_the_cost_of_a_wrong_challenge(
    points: int, per: PenaltyUnit, to: ChallengePointsReceiver, said: str
) -> None:
    rules = load_rule_set("de-scrabble")
    rules = replace(rules, challenge=replace(rules.challenge, points=points, per=per, to=to))
    assert told(rules, WordVerdict.VALID) == said


def test_describe_consequence_names_the_cost_of_a_wrong_word() -> None:
    assert (
        told(load_rule_set("no-nsf"), WordVerdict.INVALID) == "The tiles go back to the rack and the turn is lost."
    )
    assert told(load_rule_set("nl-match"), WordVerdict.INVALID).endswith("20 points are deducted.")


def told(rules: RuleSet, verdict: WordVerdict) -> str:
    return describe_verdict_consequence(Catalogue("en", RESOURCES / "locale"), rules, verdict, words=3)


# --- the log


@pytest.fixture
def panel(window: Window) -> ChallengesPanel:
    """The log with two verdicts, the newest HUZ at table 2, not valid."""
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
    window.command("challenges").trigger()
    assert isinstance(window.panel, ChallengesPanel)
    return window.panel


def words_of(panel: ChallengesPanel) -> list[str]:
    place = panel.editor.rows.list_column_ids().index("words")
    return [panel.editor.rows.index(row, place).data() for row in range(panel.editor.rows.rowCount())]


def test_challenges_panel_lists_the_newest_first(panel: ChallengesPanel) -> None:
    assert words_of(panel) == ["HUZ", "HUSET"]
    assert "Word list: Few words" in panel.description.text()
    assert "Verdict: not valid (Kari)" in panel.description.text()
    assert panel.final.text() == "Not valid. The tiles go back to the rack and the turn is lost."
    QTest.keyClick(panel.editor.view, Qt.Key.Key_Down)
    assert "The challenger loses 10 points" in panel.final.text()


def test_challenges_panel_filters_one_table(panel: ChallengesPanel) -> None:
    QTest.keyClicks(panel.editor.search, "1")
    assert words_of(panel) == ["HUSET"]
    QTest.keyClick(panel.editor.search, Qt.Key.Key_Escape)
    assert len(words_of(panel)) == 2
    QTest.keyClicks(panel.editor.search, "7")
    assert words_of(panel) == []
    assert panel.description.isHidden()


def test_challenges_panel_hides_words_while_the_judge_screen_is_open(
    panel: ChallengesPanel, bench: JudgeScreenController
) -> None:
    bench.open_judge_screen()
    assert not any("HUZ" in label.text() for label in panel.findChildren(QLabel))
    assert words_of(panel) == ["•••", "•••"]
    assert bench.screen is not None
    bench.screen.close()
    assert words_of(panel) == ["HUZ", "HUSET"]


def test_challenges_panel_removes_and_restores_an_entry(panel: ChallengesPanel) -> None:
    QTest.keyClick(panel.editor.view, Qt.Key.Key_Delete)
    assert words_of(panel) == ["HUSET"]
    panel.session.undo()
    assert words_of(panel) == ["HUZ", "HUSET"]


def newest(panel: ChallengesPanel) -> Challenge:
    return panel.session.tournament.challenges[panel.editor.rows.row(panel.editor.rows.keys()[0]).key]


@pytest.mark.slow
def test_challenges_panel_records_judges_who_agree(panel: ChallengesPanel) -> None:
    """3.11: then the verdict is final."""
    panel.editor.edit_row()
    QTest.keyClicks(panel.field("judge"), "Bo")
    panel.look_words_up_again()
    assert panel.field("second").value() is WordVerdict.INVALID
    QTest.keyClick(panel.field("judge"), ENTER)
    assert (newest(panel).second, newest(panel).second_judge) == (WordVerdict.INVALID, "Bo")
    assert newest(panel).joint is None
    assert "Appeal: not valid (Bo)" in panel.description.text()


def test_challenges_panel_records_judges_who_differ(panel: ChallengesPanel) -> None:
    panel.editor.edit_row()
    panel.field("second").choose(WordVerdict.VALID)
    assert panel.field("joint").isVisible()
    QTest.keyClick(panel.field("judge"), ENTER)
    assert newest(panel).second is None
    panel.field("joint").choose(WordVerdict.VALID)
    QTest.keyClick(panel.field("judge"), ENTER)
    assert newest(panel).joint is WordVerdict.VALID
    assert panel.final.text() == "Valid. The play is valid. The challenger loses 10 points."


@pytest.mark.slow
def test_challenges_panel_records_a_second_verdict_of_one_judge(panel: ChallengesPanel) -> None:
    """3.11: a judge working alone also decides the appeal."""
    panel.editor.edit_row()
    panel.field("second").choose(WordVerdict.VALID)
    panel.field("alone").click()
    assert not panel.field("joint").isVisible()
    QTest.keyClick(panel.field("judge"), ENTER)
    assert (newest(panel).second, newest(panel).joint) == (WordVerdict.VALID, WordVerdict.VALID)


def test_challenges_panel_requires_the_verdict_of_an_appeal(panel: ChallengesPanel, qtbot: QtBot) -> None:
    panel.editor.edit_row()
    with qtbot.waitSignal(panel.session.message_sent) as told_now:
        QTest.keyClick(panel.field("judge"), ENTER)
    assert told_now.args is not None
    assert "second judge" in told_now.args[0]
    assert newest(panel).second is None


@pytest.mark.slow
def test_challenges_panel_offers_no_appeal_without_a_rule(panel: ChallengesPanel) -> None:
    rules = panel.session.tournament.ruleset
    panel.session.do(
        partial(commands.change_rules, ruleset=replace(rules, judges=load_rule_set("de-scrabble").judges))
    )
    buttons = {one.text(): one for one in panel.findChildren(QPushButton)}
    assert not buttons["Appeal"].isVisible()


@pytest.mark.slow
def test_challenges_panel_tells_if_the_result_includes_a_verdict(screen: JudgeScreen, qtbot: QtBot) -> None:
    session = screen.session
    press(screen, "1", ENTER, "1", "huset", ENTER, ENTER, ENTER)
    screen.close()
    log_panel = ChallengesPanel(session)
    qtbot.addWidget(log_panel)
    log_panel.show()
    game = get_game_at(session.tournament, 1).id
    for verdicts, said in (
        (None, "Not decided yet: does the total include the verdict?"),
        (True, "The challenger loses 10 points. The total includes the verdict."),
        (False, "The total already included the verdict."),
    ):
        entered = partial(commands.enter_result, game=game, first=400, second=388, verdicts=verdicts)
        session.do(entered)
        log_panel.refresh_panel()
        assert said in log_panel.final.text()
        session.undo()


def test_challenges_panel_names_the_line_of_the_sheet(panel: ChallengesPanel) -> None:
    game = get_game_at(panel.session.tournament, 2)
    turns = (Turn(1, TurnKind.PLAY, word="HUZ", score=20), Turn(2, TurnKind.FAILED_CHALLENGE))
    tileset = read_tilesets(RESOURCES / "tilesets")["no"]
    sheet = Sheet(("one", "two"), turns)
    panel.session.do(partial(commands.enter_sheet, game=game.id, sheet=sheet, tileset=tileset))
    assert panel.sheet.text() == "The score sheet differs from this verdict. Correct line 2 of the sheet."
    panel.session.undo()
    assert not panel.sheet.isVisible()


@pytest.mark.parametrize(
    ("key", "word", "said"),
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
    screen: JudgeScreen, key: str, word: str, said: str
) -> None:
    """nl-reglement III.10 has both, with other consequences."""
    session = screen.session
    dutch = load_rule_set("nl-match")
    own = replace(
        session.tournament.ruleset, contested=dutch.contested, phony=dutch.phony, challenge=dutch.challenge
    )
    session.do(partial(commands.change_rules, ruleset=own))
    challenged(screen, word)
    assert at(screen, ChallengeStep.KIND)
    press(screen, "3", ENTER)
    assert at(screen, ChallengeStep.KIND)
    press(screen, key)
    assert said in seen(screen).splitlines()
    (row,) = log(session)
    assert row.occasion is (Occasion.PROTEST if key == "1" else Occasion.JURY)
    panel = ChallengesPanel(session)
    panel.refresh_panel()
    assert panel.final.text().endswith(said)  # the log says what followed in that case
    assert session.catalogue.code(row.occasion).capitalize() in panel.description.text()
    panel.deleteLater()
