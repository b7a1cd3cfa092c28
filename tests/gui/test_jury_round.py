"""Tests of the jury field: checking, ruling on and correcting the results of a round by keyboard."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import GameId, ResultState
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.gui.jury.round_line import SIGN
from tdapp.gui.jury.word_lists_panel import WordListsPanel
from tdapp.gui.shell.jury_member import AUTHOR, AUTHOR_DAY, format_today_and_tournament_id, get_jury_member_today
from tdapp.gui.shell.problems_panel import list_open_problems
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import theme
from tdapp.i18n.jury_preview import get_keywords_meaning_all_tables, get_keywords_meaning_valid
from tdapp.i18n.sheet_sentences import list_reasons_to_check_game
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import Sheet, parse_sheet
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import RESOURCES, load_rule_set
from tests.gui.jury_window import ALT, CONTROL, SHIFT, A, JuryDriver, parametrize_languages
from tests.gui.samples import make_tournament
from tests.gui.slow_disk import SlowDisk

TILES = read_tilesets(RESOURCES / "tilesets")["nl"]
LISTED_WORDS = ("AKKER", "BOEK", "DIER", "ELAND", "FEEST", "GRAS", "HUIS", "JAS", "KAST")
WRONG_WORDS = {  # table: player, word, score
    4: (2, "XQBAR", 48), 11: (1, "ZZAK", 30), 23: (2, "QUORX", 26), 37: (1, "WIJST", 22), 44: (2, "OEF", 12),
    58: (1, "BRRR", 35),
}  # fmt: skip
TABLES_WITH_DIFFERENT_FORMS, TABLE_WITH_WRONG_TOTAL = (17, 51), 30
SCREENSHOT_FOLDER = os.environ.get("TDAPP_SHOTS", "")  # the folder for a screenshot of each step


def make_sheet(*, last_score: int = 20) -> Sheet:
    """Return a sheet of 27 turns with listed words."""
    turns = [
        {"player": 1 + index % 2, "kind": "play", "word": LISTED_WORDS[index % len(LISTED_WORDS)], "score": 20}
        for index in range(26)
    ]
    turns.append({"player": 1, "kind": "play", "word": "KAST", "score": last_score})
    return parse_sheet({"players": ["", ""], "turns": turns, "rack_values": [0, 6], "ended": "out"})


def make_round_with_results(tables: int, rules: str = "nl-match") -> Tournament:
    """Return a tournament whose first round has all results, and two games with different forms."""
    value = commands.new_tournament(key="t", name="Open Leiden", ruleset=load_rule_set(rules), seed=3)
    value = commands.add_division(value, key=A, code="A")
    value = commands.add_stage(value, key="s", division=A, system="king-of-the-hill", rounds=3)
    for number in range(1, 2 * tables + 1):
        value = commands.add_player(
            value, key=f"p{number}", division=A, name=f"Speler{number:03}, S.", rating=number
        )
    value = commands.pair_round(value, key="r1", proposal=propose_pairings(TournamentIndex(value), A))
    games = TournamentIndex(value).games(next(iter(value.rounds)))
    for game in games:
        value = commands.enter_result(value, game=game.id, first=400, second=388)
    for game in games:
        if game.table in TABLES_WITH_DIFFERENT_FORMS:
            value = commands.enter_sheet(value, game=game.id, sheet=make_sheet(), tileset=TILES)
            value = commands.enter_sheet(
                value, game=game.id, sheet=make_sheet(last_score=22), tileset=TILES, form=2
            )
    return value


def rename_players(value: Tournament, name: str) -> Tournament:
    """Rename all players. `{}` in the name becomes the player number."""
    players = {key: replace(player, name=name.format(player.number)) for key, player in value.players.items()}
    return replace(value, players=players)


class KeyCounter(QObject):
    """Counts key presses that reach the focused widget, without Shift and Ctrl."""

    def __init__(self) -> None:
        super().__init__()
        self.keys = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's own name
        modifier_keys = {Qt.Key.Key_Shift, Qt.Key.Key_Control}
        if (
            event.type() is QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() not in modifier_keys
        ):
            self.keys += watched is QApplication.focusWidget()
        return False


class JuryFieldDriver(JuryDriver):
    """Types lines in the jury field and reads its preview."""

    def __init__(self, session: Session, qtbot: QtBot, value: Tournament) -> None:
        super().__init__(session, qtbot, value)
        session.settings.setValue(AUTHOR_DAY, "")
        self.choose_word_list(LISTED_WORDS)
        self._steps = 0
        self.press_key(Qt.Key.Key_F10)

    @property
    def preview(self) -> str:
        return self.page.line.preview_label.meaning

    @property
    def preview_details(self) -> str:
        return self.page.line.preview_label.details

    def save_screenshot(self) -> None:
        """Save a screenshot if a screenshot folder is set."""
        self._steps += 1
        if SCREENSHOT_FOLDER:
            QApplication.processEvents()
            self.window.grab().save(str(Path(SCREENSHOT_FOLDER) / f"step-{self._steps:02}.png"))

    def list_states(self) -> list[ResultState]:
        return [result.state for result in self.session.tournament.results.values()]

    def read_score(self, table: int) -> tuple[int | None, int | None]:
        return self.get_result(table).first, self.get_result(table).second


@pytest.fixture
def driver(empty_session: Session, qtbot: QtBot) -> JuryFieldDriver:
    return JuryFieldDriver(empty_session, qtbot, make_round_with_results(4))


@pytest.mark.slow
def test_jury_field_checks_sixty_tables_with_under_400_keys(empty_session: Session, qtbot: QtBot) -> None:
    driver = JuryFieldDriver(empty_session, qtbot, make_round_with_results(60))
    counter = KeyCounter()
    QApplication.instance().installEventFilter(counter)  # type: ignore[union-attr]
    page = driver.page
    for index, (table, (player, word, score)) in enumerate(WRONG_WORDS.items()):
        driver.type_lines(f"{table} {player} {word} {score}")
        if not index:
            driver.type_lines("J. Ury")  # the field asks for the name once a day
        driver.save_screenshot()
        assert word in [ruling.word for ruling in driver.session.index.word_rulings(driver.get_game(table).id)]
    driver.type_lines(f"{TABLE_WITH_WRONG_TOTAL} = 412 388")
    driver.save_screenshot()
    assert driver.read_score(TABLE_WITH_WRONG_TOTAL) == (412, 388)
    driver.type_lines("all")
    driver.save_screenshot()
    assert driver.list_states().count(ResultState.CHECKED) == 58
    for table in TABLES_WITH_DIFFERENT_FORMS:
        driver.press_key(Qt.Key.Key_F8)
        driver.save_screenshot()
        assert page.sheet.key == (driver.get_game(table).id, 1)
        driver.press_key(Qt.Key.Key_Escape)
        driver.type_text(str(table))
        driver.press_key(Qt.Key.Key_Return, CONTROL)
        driver.save_screenshot()
    assert set(driver.list_states()) == {ResultState.CHECKED}
    assert driver.window.page is page
    assert counter.keys < 400
    driver.save_screenshot()


def test_jury_field_rules_on_a_word_without_a_sheet(driver: JuryFieldDriver) -> None:
    driver.type_text("2 2 xqbar 48")
    assert "388" in driver.preview
    assert "320" in driver.preview
    driver.press_key(Qt.Key.Key_Return)
    assert (
        driver.session.index.word_rulings(driver.get_game(2).id) == ()
    )  # the field first asks for the jury member's name
    driver.type_lines("J. Ury")
    assert driver.read_score(2) == (400, 320)
    (ruling,) = driver.session.index.word_rulings(driver.get_game(2).id)
    assert (ruling.author, ruling.why) == ("J. Ury", "@not-in-list Own list")
    driver.type_lines("3 1 ZZ 10")  # the field does not ask for the name again
    assert driver.read_score(3) == (370, 388)
    driver.press_key(Qt.Key.Key_Z, CONTROL)
    assert driver.read_score(3) == (400, 388)
    driver.type_lines("2 2 xqbar ok")
    assert driver.read_score(2) == (400, 388)


@pytest.mark.styled
def test_round_list_stays_still_during_a_question(driver: JuryFieldDriver) -> None:
    view = driver.page.list.view

    def get_first_row_position() -> QPoint:
        QApplication.processEvents()
        return view.mapTo(driver.window, view.visualRect(view.model().index(0, 0)).topLeft())

    driver.type_lines("2")
    position_before = get_first_row_position()
    driver.type_lines("2 2 XQBAR 48")
    driver.type_lines("J. Ury")
    assert driver.page.line.bar.isVisible()
    assert get_first_row_position() == position_before


@pytest.mark.slow
@pytest.mark.parametrize("keys", [(Qt.Key.Key_Z, CONTROL), (Qt.Key.Key_Z, CONTROL | SHIFT)])
def test_jury_field_ctrl_z_answers_no(driver: JuryFieldDriver, keys: tuple[Qt.Key, Qt.KeyboardModifier]) -> None:
    driver.type_lines("2", "3")
    driver.press_key(Qt.Key.Key_Z, CONTROL)  # redo is possible now
    tournament_before, line = driver.session.tournament, driver.page.line
    driver.type_lines("2 2 XQBAR 48")
    assert "Who is making the rulings?" in driver.preview
    driver.press_key(*keys)
    assert line.line.text() == "2 2 XQBAR 48"
    driver.type_lines("", "J. Ury")
    assert line.bar.yes.hasFocus()  # table 2 is already checked, so the field asks
    driver.press_key(*keys)
    assert not line.bar.isVisible()
    driver.replace_text("")
    driver.type_lines("4 XQBAR")
    assert "2 = " in driver.preview  # the field asks for the player
    driver.press_key(*keys)
    assert "Next: Table 4" in driver.preview
    assert driver.session.tournament is tournament_before
    driver.press_key(Qt.Key.Key_Return, CONTROL)
    assert line.line.text() == "all"
    driver.press_key(*keys)
    assert line.line.text() == ""
    assert driver.session.tournament is tournament_before
    driver.press_key(Qt.Key.Key_Z, CONTROL)
    assert driver.get_result(2).state is ResultState.ENTERED


@pytest.mark.slow
@parametrize_languages("en", "nl", "nb", "de")
def test_round_list_beside_a_panel_shows_players_score_and_state(empty_session: Session, qtbot: QtBot) -> None:
    driver = JuryFieldDriver(
        empty_session, qtbot, rename_players(make_round_with_results(17), "Oranje-Nassau van Amsberg, W. {}")
    )  # table 17 has two different forms
    view = driver.page.list.view
    driver.window.resize(1280, 720)
    driver.press_key(Qt.Key.Key_F1)
    QApplication.processEvents()
    widths = dict(
        zip(view.rows.list_column_ids(), map(view.columnWidth, range(view.model().columnCount())), strict=True)
    )
    assert [name for name, width in widths.items() if not width] in ([], ["forms"])
    assert sum(widths.values()) <= view.viewport().width()
    assert widths["first_name"] == widths["second_name"] >= 144
    assert min(widths["score"], widths["status"]) >= 80  # the width of their texts


@pytest.mark.slow
@parametrize_languages("en", "nl", "nb", "de")
@pytest.mark.parametrize("size", [100, 200])
def test_round_list_stays_in_place_for_any_preview(empty_session: Session, qtbot: QtBot, size: int) -> None:
    theme.store_text_size(empty_session.settings, size)
    driver = JuryFieldDriver(
        empty_session, qtbot, rename_players(make_round_with_results(8), "Oranje-Nassau van Amsberg, Willemijn {}")
    )
    line, list_view, list_tops, cut_previews = driver.page.line, driver.page.list.view, set(), 0
    driver.window.resize(1280, 720)
    for typed_text in (
        "",
        "2",
        "2 2 AKKER 48",
        "2 2 XQBAR 500",
        "2 ZZ XX YYX ZZTO OPQ",
        "30 2 X",
        "2 = 300 410",
        "1-8",
    ):
        line.line.setText(typed_text)
        QApplication.processEvents()
        list_tops.add(list_view.mapTo(driver.window, QPoint()).y())
        cut_previews += bool(line.preview_label.toolTip())
        assert driver.preview_details in line.preview_label.toolTip() or not line.preview_label.toolTip()
    assert len(list_tops) == 1
    assert cut_previews


def test_jury_field_asks_before_it_repeats_a_ruling(driver: JuryFieldDriver) -> None:
    driver.session.settings.setValue(AUTHOR_DAY, format_today_and_tournament_id(driver.session))
    driver.type_lines("2 2 XQBAR 48", "2 2 XQBAAR 48")  # the same turn with another spelling
    assert "Already ruled invalid for the same player: XQBAR (score of the turn: 48)" in driver.preview_details
    assert "Press Ctrl+Enter to save the ruling anyway." in driver.preview_details
    assert driver.read_score(2) == (400, 320)
    driver.press_key(Qt.Key.Key_Return, CONTROL)
    assert driver.read_score(2) == (400, 252)
    driver.replace_text("2 = 410 388")
    assert "410 – 252" in driver.preview
    assert "including the rulings on this game" in driver.preview
    assert "If the totals already include the rulings, put = at the end" in driver.preview_details
    driver.replace_text("2 = 410 252=")
    assert "410 – 252" in driver.preview
    driver.press_key(Qt.Key.Key_Return)
    assert driver.read_score(2) == (410, 252)


@pytest.mark.slow
def test_jury_field_does_not_read_a_finding_as_a_name(driver: JuryFieldDriver) -> None:
    driver.type_lines("1", "2 2 XQBAR 48", "3 1 ZZTOP 20")
    assert "This text cannot be a name" in driver.preview
    assert not driver.session.tournament.word_rulings
    driver.replace_text("J. Ury")
    driver.type_lines("", "")
    assert driver.get_result(2).state is ResultState.CHECKED
    driver.type_lines("2 2 XQBAR ok", "")  # the first Enter only shows the preview
    assert driver.read_score(2) == (400, 388)
    assert "Next: Table 3" in driver.preview


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Jury 2", "M3 Visser", "Jan-2"])
def test_jury_field_accepts_a_name_with_a_digit(driver: JuryFieldDriver, name: str) -> None:
    driver.type_lines("2 2 XQBAR 48", name)
    assert [ruling.author for ruling in driver.session.tournament.word_rulings.values()] == [name]


@pytest.mark.parametrize("control", [False, True])
def test_jury_field_asks_for_an_empty_name(driver: JuryFieldDriver, control: bool) -> None:
    driver.type_lines("2 2 XQBAR 48")
    driver.press_key(Qt.Key.Key_A, CONTROL)
    driver.press_key(Qt.Key.Key_Delete)
    driver.press_key(Qt.Key.Key_Return, CONTROL if control else Qt.KeyboardModifier.NoModifier)
    assert "Type your name first: it is recorded with your rulings." in driver.preview
    assert not driver.session.tournament.word_rulings
    driver.replace_text("Truus")
    driver.press_key(Qt.Key.Key_Return, CONTROL if control else Qt.KeyboardModifier.NoModifier)
    assert [ruling.author for ruling in driver.session.tournament.word_rulings.values()] == ["Truus"]


@pytest.mark.slow
@parametrize_languages("en", "nl", "nb", "de")
def test_jury_field_does_not_read_a_command_word_as_a_name(empty_session: Session, qtbot: QtBot) -> None:
    driver = JuryFieldDriver(empty_session, qtbot, make_round_with_results(4))
    driver.type_lines("2 2 XQBAR 48")
    for typed_text in (
        "all",
        get_keywords_meaning_all_tables(empty_session.catalogue),
        get_keywords_meaning_valid(empty_session.catalogue),
        "4 = 372 366",
        "jans 2 XQBAR 48",
        "?",
        "",
    ):
        for word in [typed_text] if isinstance(typed_text, str) else sorted(typed_text):
            driver.replace_text(word)
            driver.press_key(Qt.Key.Key_Return)
            assert driver.page.line.author.is_marked_invalid
            assert get_jury_member_today(empty_session) == ""
    assert not empty_session.tournament.word_rulings
    assert not any(result.state is ResultState.CHECKED for result in empty_session.tournament.results.values())
    driver.replace_text("Truus")
    driver.press_key(Qt.Key.Key_Return)
    assert [ruling.author for ruling in empty_session.tournament.word_rulings.values()] == ["Truus"]


def test_author_field_changes_the_jury_member_of_earlier_rulings(driver: JuryFieldDriver) -> None:
    author = driver.page.line.author
    assert (author.isVisible(), author.name.text()) == (True, "")
    driver.type_lines("2 2 XQBAR 48", "Pit", "3 2 ZZ 10")
    assert author.name.text() == "Pit"
    driver.type_lines("4 #")
    assert author.isVisible()
    driver.press_key(Qt.Key.Key_Escape)
    author.name.setFocus()
    driver.replace_text("Piet")
    driver.press_key(Qt.Key.Key_Return)
    assert get_jury_member_today(driver.session) == "Piet"
    assert driver.page.line.line.hasFocus()
    assert "2 rulings are signed with the name Pit" in driver.preview_details
    driver.page.line.preview_label.linkActivated.emit(SIGN)
    QApplication.processEvents()
    assert {ruling.author for ruling in driver.session.tournament.word_rulings.values()} == {"Piet"}
    assert "signed with the name Pit" not in driver.preview_details
    author.name.setFocus()
    driver.replace_text("Nobody")
    driver.press_key(Qt.Key.Key_Escape)
    assert (author.name.text(), get_jury_member_today(driver.session)) == ("Piet", "Piet")


def test_jury_field_rules_a_listed_word_wrong_by_ctrl_enter(driver: JuryFieldDriver) -> None:
    driver.session.settings.setValue(AUTHOR, "J")
    driver.type_lines("2 2 AKKER 20", "J")
    assert driver.read_score(2) == (400, 388)
    driver.press_key(Qt.Key.Key_Return, CONTROL)
    assert driver.read_score(2) == (400, 348)


def test_jury_field_enter_checks_the_proposed_table(driver: JuryFieldDriver) -> None:
    driver.press_key(Qt.Key.Key_Return)
    driver.press_key(Qt.Key.Key_Return)
    assert [driver.get_result(table).state for table in (1, 2, 3)] == [ResultState.CHECKED] * 2 + [
        ResultState.ENTERED
    ]
    assert "2 of 4 checked" in driver.page.subtitle.text()
    driver.press_key(Qt.Key.Key_Space)
    assert driver.page.line.line.text() == "3 "
    driver.type_lines("= 390 388")
    assert (driver.read_score(3), driver.get_result(3).state) == ((390, 388), ResultState.ENTERED)
    driver.type_lines("3-4")
    assert set(driver.list_states()) == {ResultState.CHECKED}


def test_jury_field_counts_two_wrong_words_of_one_turn_once(driver: JuryFieldDriver) -> None:
    driver.type_text("2 2 xqbar zzz 48")
    assert "XQBAR ZZZ</b> are invalid" in driver.preview


@pytest.mark.slow
def test_jury_field_asks_only_about_wrong_words(driver: JuryFieldDriver) -> None:
    driver.type_text("2 akker boek xqbar")
    assert "XQBAR" in driver.preview
    assert "AKKER" not in driver.preview
    driver.press_key(Qt.Key.Key_Return)
    assert "XQBAR" in driver.preview
    driver.type_lines("2 48", "J. Ury")
    assert driver.read_score(2) == (400, 320)
    driver.press_key(Qt.Key.Key_Return)
    assert driver.get_result(2).state is ResultState.CHECKED
    driver.type_lines("3 akker boek dier")
    driver.press_key(Qt.Key.Key_Return)
    assert driver.get_result(3).state is ResultState.CHECKED


def test_jury_field_shows_doubts_before_it_checks_them(empty_session: Session, qtbot: QtBot) -> None:
    value = make_round_with_results(4)
    game = TournamentIndex(value).get_game(next(iter(value.rounds)), 2)
    sheet = parse_sheet({"players": ["", ""],
                         "turns": [{"player": 1, "kind": "play", "word": "XQBAR", "score": 20},
                  {"player": 2, "kind": "play", "word": "AKKER", "score": 20}], "rack_values": [0, 6],
                  "ended": "out"})  # fmt: skip
    driver = JuryFieldDriver(
        empty_session, qtbot, commands.enter_sheet(value, game=game.id, sheet=sheet, tileset=TILES)
    )
    driver.type_lines("all")
    assert [driver.get_result(table).state for table in (1, 2, 3)][1] is ResultState.ENTERED
    driver.type_lines("2")  # opens the sheet at the doubtful word
    assert (driver.page.sheet.key, driver.page.sheet.turn_index) == ((game.id, 1), 0)
    driver.save_sheet()
    assert driver.get_result(2).state is ResultState.ENTERED
    driver.save_sheet()  # the first call showed the doubtful words
    assert driver.get_result(2).state is ResultState.CHECKED


def test_jury_field_ctrl_enter_confirms_an_open_ruling(empty_session: Session, qtbot: QtBot) -> None:
    value = make_round_with_results(4)
    game = TournamentIndex(value).get_game(next(iter(value.rounds)), 2)
    sheet = parse_sheet({"players": ["", ""],
                         "turns": [{"player": 1, "kind": "play", "word": "XQBAR", "score": 20}],
                  "rack_values": [0, 6], "ended": "out"})  # fmt: skip
    driver = JuryFieldDriver(
        empty_session, qtbot, commands.enter_sheet(value, game=game.id, sheet=sheet, tileset=TILES)
    )
    driver.session.settings.setValue(AUTHOR_DAY, format_today_and_tournament_id(driver.session))
    driver.type_lines("2 #1")
    driver.press_key(Qt.Key.Key_Minus, ALT)
    assert driver.page.ruling.isVisible()
    driver.save_sheet()
    assert driver.read_score(2) == (20 + 6 - 40, -6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "expected_text"),
    [
        ("out", "The result changes from 26 – −6 to −14 – −6."),
        ("open", "The score stays 400 – 388 until this sheet is finished."),
    ],
)
def test_ruling_preview_says_when_a_ruling_counts(
    empty_session: Session, qtbot: QtBot, ending: str, expected_text: str
) -> None:
    value = make_round_with_results(4)
    turns = [{"player": 1, "kind": "play", "word": "XQBAR", "score": 20}]
    sheet = parse_sheet({"players": ["", ""], "turns": turns, "rack_values": [0, 6], "ended": ending})
    game = TournamentIndex(value).get_game(next(iter(value.rounds)), 2)
    driver = JuryFieldDriver(
        empty_session, qtbot, commands.enter_sheet(value, game=game.id, sheet=sheet, tileset=TILES)
    )
    driver.session.settings.setValue(AUTHOR_DAY, format_today_and_tournament_id(driver.session))
    driver.type_lines("2 #1")
    driver.press_key(Qt.Key.Key_Minus, ALT)
    assert driver.ruling_preview.startswith(expected_text)


def test_jury_field_ctrl_z_closes_an_open_ruling(empty_session: Session, qtbot: QtBot) -> None:
    driver = JuryFieldDriver(empty_session, qtbot, make_round_with_sheet())
    driver.session.settings.setValue(AUTHOR_DAY, format_today_and_tournament_id(driver.session))
    driver.type_lines("2 #1")
    driver.press_key(Qt.Key.Key_Minus, ALT)
    assert driver.page.ruling.isVisible()
    tournament_before = driver.session.tournament
    driver.press_key(Qt.Key.Key_Z, CONTROL)
    assert not driver.page.ruling.isVisible()
    assert driver.session.tournament is tournament_before


def make_round_with_sheet(word: str = "XQBAR", last_score: int = 20) -> Tournament:
    """Return a round of four tables. Table 2 has a sheet with one word of player 1."""
    value = make_round_with_results(4)
    turns = [{"player": 1, "kind": "play", "word": word, "score": last_score}]
    sheet = parse_sheet({"players": ["", ""], "turns": turns, "rack_values": [0, 6], "ended": "out"})
    game = TournamentIndex(value).get_game(next(iter(value.rounds)), 2)
    return commands.enter_sheet(value, game=game.id, sheet=sheet, tileset=TILES)


def test_jury_field_finds_the_turn_of_a_word(empty_session: Session, qtbot: QtBot) -> None:
    driver = JuryFieldDriver(empty_session, qtbot, make_round_with_sheet())
    driver.session.settings.setValue(AUTHOR_DAY, format_today_and_tournament_id(driver.session))
    driver.type_text("2 XQBAR")
    assert "XQBAR</b> is invalid" in driver.preview
    driver.type_lines("")
    assert driver.read_score(2) == (20 + 6 - 40, -6)
    assert driver.page.list._all_rows[1].score == "−14 – −6"
    (sheet_row,) = driver.session.index.sheets(driver.get_game(2).id)
    assert [ruling.turn for ruling in sheet_row.rulings] == [1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "expected_text"),
    [
        ("2 2 XQBAR 20", "On the sheet {player} has XQBAR for 20."),
        ("2 1 XQBAR 48", "On the sheet {player} has XQBAR for 20."),
        ("2 1 ZZTOP 48", "ZZTOP is not on the sheet."),
    ],
)
def test_jury_field_requires_ctrl_enter_for_a_ruling_against_the_sheet(
    empty_session: Session, qtbot: QtBot, line: str, expected_text: str
) -> None:
    driver = JuryFieldDriver(empty_session, qtbot, make_round_with_sheet())
    driver.session.settings.setValue(AUTHOR_DAY, format_today_and_tournament_id(driver.session))
    tournament_before = driver.session.tournament
    driver.type_lines(line)
    assert expected_text.format(player=driver.page.rows[1].first_name) in driver.preview_details
    assert driver.session.tournament is tournament_before
    driver.press_key(Qt.Key.Key_Return, CONTROL)
    assert driver.session.tournament is not tournament_before


@pytest.mark.slow
def test_jury_field_requires_ctrl_enter_to_check_without_a_word_list(empty_session: Session, qtbot: QtBot) -> None:
    driver = JuryFieldDriver(empty_session, qtbot, make_round_with_sheet("AKKER"))
    driver.session.desk.do(partial(commands.choose_wordlist, wordlist=""))
    driver.page.refresh_page()
    driver.press_key(Qt.Key.Key_Return, CONTROL)  # the shortcut named on the button
    assert driver.page.line.line.text() == "all"
    assert "No word list" in driver.preview_details
    driver.type_lines("")
    assert ResultState.CHECKED not in driver.list_states()
    driver.press_key(Qt.Key.Key_Return, CONTROL)
    assert driver.list_states().count(ResultState.CHECKED) >= 3


def test_jury_field_leaves_a_game_with_unsaved_text_unchecked(driver: JuryFieldDriver) -> None:
    driver.type_lines("3 #", "AKKER 20")
    driver.press_key(Qt.Key.Key_F10)
    driver.type_text("all")
    assert "table 3" in driver.preview_details
    driver.press_key(Qt.Key.Key_Return)
    assert [driver.get_result(table).state for table in (2, 3)] == [ResultState.CHECKED, ResultState.ENTERED]
    driver.press_key(Qt.Key.Key_Escape)
    assert "sheet typed, not saved: Enter opens it" in driver.preview
    driver.type_lines("3")  # the first Enter only opens the sheet
    assert (driver.page.sheet.key, driver.get_result(3).state) == ((driver.get_game(3).id, 1), ResultState.ENTERED)
    driver.press_key(Qt.Key.Key_F10)
    driver.type_text("3")
    driver.press_key(Qt.Key.Key_Return, CONTROL)
    assert driver.get_result(3).state is ResultState.CHECKED


@pytest.mark.slow
def test_jury_field_keeps_the_check_for_equal_totals(driver: JuryFieldDriver) -> None:
    driver.type_lines("2", "2 = 400 388")
    assert not driver.page.line.bar.isVisible()
    assert driver.page.line.line.text() == ""
    assert driver.get_result(2).state is ResultState.CHECKED


def test_jury_page_f8_visits_the_doubts_of_all_sheets(empty_session: Session, qtbot: QtBot) -> None:
    value = make_round_with_results(20)
    driver = JuryFieldDriver(empty_session, qtbot, value)
    driver.press_key(Qt.Key.Key_F8)
    assert driver.page.sheet.key == (driver.get_game(17).id, 1)
    assert driver.page.sheet.turn_index == 26
    driver.press_key(Qt.Key.Key_F8, SHIFT)
    assert driver.page.sheet.key == (driver.get_game(17).id, 1)


def test_pair_action_names_missing_checks(driver: JuryFieldDriver) -> None:
    value = partial(commands.set_check_first, check_first=True)
    driver.session.desk.do(value, label="set-check-first")
    driver.type_lines("2-3")
    driver.window.show_page("rounds")
    action = driver.window.get_action("pair")
    assert (action.text(), action.is_highlighted) == ("Round 1: check results (2 of 4)", True)
    driver.press_key(Qt.Key.Key_F6)
    assert driver.window.page is driver.page
    driver.type_lines("all")
    assert "Next step: Pair round 2 (F6)" in driver.preview
    assert driver.page.list.view._empty.splitlines()[1] == "Next step: Pair round 2 (F6)"
    driver.press_key(Qt.Key.Key_F6)
    assert driver.session.index.rounds(A)[-1].number == 2


def test_pair_action_opens_the_round_with_unchecked_results(driver: JuryFieldDriver) -> None:
    session = driver.session
    session.desk.do(partial(commands.set_check_first, check_first=True), label="set-check-first")
    driver.type_lines("all")
    for number in (2, 3):
        proposal = propose_pairings(session.index, A)
        session.desk.do(partial(commands.pair_round, key=f"r{number}", proposal=proposal))
        for game in session.index.games(session.index.get_round(A, number).id):
            session.desk.do(partial(commands.enter_result, game=game.id, first=400, second=388))
        session.choose_round(1)
        driver.window.show_page("jury")
        QApplication.processEvents()
        assert (
            f"<a href='round:{number}'>Round {number}: tables 1–4 are waiting for the jury</a>"
            in driver.preview_details
        )
        driver.page.line._run_link_action(f"round:{number}")
        assert session.round_number == number
        session.choose_round(1)
        driver.window.show_page("rounds")
        assert driver.window.get_action("pair").text() == f"Round {number}: check results (0 of 4)"
        driver.press_key(Qt.Key.Key_F6)
        assert (driver.window.page, session.round_number) == (driver.page, number)
        driver.type_lines("all")
    assert "F7 shows the final standings." in driver.preview
    assert driver.window.get_action("pair").text() == "What is next?"


def test_jury_field_explains_a_refusal(driver: JuryFieldDriver) -> None:
    for line, expected_text in (
        ("9", "no table 9"),
        ("2 XQBAR 48", "Who played XQBAR"),
        ("speler", "Several players"),
    ):
        driver.type_text(line)
        assert expected_text in driver.preview
        driver.press_key(Qt.Key.Key_Escape)
        assert driver.page.line.line.text() == ""
    driver.type_text("?")
    assert driver.page.line._help.isVisible()
    driver.press_key(Qt.Key.Key_Escape)
    driver.type_lines("speler003")
    assert driver.list_states().count(ResultState.CHECKED) == 1


def test_jury_field_esc_returns_to_the_previous_step(driver: JuryFieldDriver) -> None:
    driver.type_lines("2 2 XQBAR 48")
    assert "Who is making the rulings?" in driver.preview
    driver.press_key(Qt.Key.Key_Escape)
    assert driver.page.line.line.text() == "2 2 XQBAR 48"
    assert "XQBAR" in driver.preview
    game = driver.get_game(2).id
    driver.session.desk.do(partial(commands.certify_result, game=GameId(game)))
    QApplication.processEvents()
    driver.type_lines("", "J. Ury")
    assert driver.page.line.bar.isVisible()
    QTest.keyClick(driver.focused_widget, Qt.Key.Key_Escape)
    assert not driver.page.line.bar.isVisible()
    assert driver.page.line.line.hasFocus()
    assert driver.page.line.line.text() == "2 2 XQBAR 48"
    driver.press_key(Qt.Key.Key_Escape)
    assert driver.page.line.line.text() == ""


@pytest.mark.slow
def test_jury_field_refuses_an_unknown_table(driver: JuryFieldDriver) -> None:
    for line in ("2x24", "2x24 XQBAR 48", "2 2x24 XQBAR"):
        driver.type_text(line)
        assert "The program does not understand “2x24”" in driver.preview
        driver.press_key(Qt.Key.Key_Escape)


def test_jury_field_offers_the_word_lists(driver: JuryFieldDriver) -> None:
    driver.session.desk.do(partial(commands.choose_wordlist, wordlist=""))
    driver.page.refresh_page()
    driver.type_text("2 AKKER")
    assert "No word list" in driver.preview
    driver.press_key(Qt.Key.Key_Return, CONTROL)
    assert isinstance(driver.window.panel, WordListsPanel)


def test_jury_field_shows_the_effect_on_a_certified_result(driver: JuryFieldDriver) -> None:
    driver.session.settings.setValue(AUTHOR, "J")
    game = driver.get_game(2).id
    driver.session.desk.do(partial(commands.certify_result, game=GameId(game)))
    QApplication.processEvents()
    driver.type_lines("2 2 XQBAR 48", "J")
    assert driver.page.line.bar.isVisible()
    assert driver.read_score(2) == (400, 388)
    QTest.keyClick(driver.focused_widget, Qt.Key.Key_Return)
    assert driver.read_score(2) == (400, 320)


def test_jury_field_asks_a_reason_for_a_certified_total(driver: JuryFieldDriver) -> None:
    game = driver.get_game(2).id
    driver.session.desk.do(partial(commands.certify_result, game=GameId(game)))
    QApplication.processEvents()
    driver.type_lines("2 = 430 388")
    bar = driver.page.line.bar
    assert bar.reason.isVisible()
    assert driver.read_score(2) == (400, 388)
    QTest.keyClick(bar.reason, Qt.Key.Key_Return)
    assert driver.read_score(2) == (400, 388)
    QTest.keyClicks(bar.reason, "added up again")
    QTest.keyClick(bar.reason, Qt.Key.Key_Return)
    assert driver.read_score(2) == (430, 388)
    assert driver.session.desk.list_all_steps()[-1].facts["reason"] == "added up again"


GERMAN_SHEET = """
8D VIKAR 38|E5 KREISELS 98|G7 JAB 19|I4 MENÜS 32|5H HEIMSTEN 72|O3 FINNEN 30|D12 ÄRA 30|15B HORT 17|
L3 ANSTEUER 68|11H DAHIN 21|M3 MET 20|12L ST 24|10B GEIE 9|12G PUD 12|14A ZU 14|15B HORTENDEN 33|13M UL 10|
5B WÖLK 17|F2 FEGT 34|3C BOXE 28|G2 AR 24|H1 UNS 31|13I DES 8|9J CHEMO 15|F13 rYE 31|D2 GO 4|1A QUEEr 48"""


@pytest.mark.slow
def test_jury_page_needs_at_most_312_keys_for_a_german_game(empty_session: Session, qtbot: QtBot) -> None:
    """The lines have the squares, words and scores of a published game of 27 turns."""
    lines = [line.strip() for line in GERMAN_SHEET.split("|")]
    words = [line.split()[1] for line in lines]
    driver = JuryFieldDriver(empty_session, qtbot, make_round_with_results(4, "de-scrabble"))
    driver.choose_word_list([word.upper() for word in words], language="de")
    counter = KeyCounter()
    QApplication.instance().installEventFilter(counter)  # type: ignore[union-attr]
    driver.type_lines(f"1 {' '.join(words)}")
    driver.press_key(Qt.Key.Key_Return)
    assert driver.get_result(1).state is ResultState.CHECKED
    assert counter.keys <= 150
    driver.type_lines("2 #")
    counter.keys = 0
    driver.type_lines(*lines)
    assert [turn.score for turn in driver.typed_sheet.turns] == [int(line.split()[2]) for line in lines]
    assert [issue for row in driver.parsed_sheet.rows for issue in row.issues] == []
    assert counter.keys <= 312


@pytest.mark.slow
def test_jury_field_proposes_a_table_again_after_an_undone_check(driver: JuryFieldDriver) -> None:
    first, second = driver.get_game(1).id, driver.get_game(2).id
    assert driver.page.line.proposed_key == first
    driver.type_lines("")
    assert (driver.get_result(1).state, driver.page.line.proposed_key) == (ResultState.CHECKED, second)
    driver.session.undo()
    assert (driver.get_result(1).state, driver.page.line.proposed_key) == (ResultState.ENTERED, first)
    driver.session.redo()
    assert driver.page.line.proposed_key == second


def test_jury_field_settles_two_different_slips(driver: JuryFieldDriver) -> None:
    game = driver.get_game(2).id
    driver.session.do(partial(commands.dispute_result, game=game, first=430, second=388))
    assert "1 game in doubt" in driver.page.subtitle.text()
    row = next(row for row in driver.page.rows if row.table == 2)
    assert (row.status, row.disputed) == ("disputed", (430, 388))
    driver.type_lines("all")
    assert driver.get_result(2).status == "disputed"
    assert driver.get_result(1).state is ResultState.CHECKED
    assert "another slip says 430 – 388" in driver.preview
    assert "2 = 430 388" in driver.preview_details
    driver.type_lines("2 = 430 388")
    assert (driver.read_score(2), driver.get_result(2).disputed) == ((430, 388), None)
    driver.session.undo()
    assert driver.get_result(2).disputed == (430, 388)
    driver.type_text("2")
    driver.press_key(Qt.Key.Key_Return, CONTROL)
    assert (driver.read_score(2), driver.get_result(2).state) == ((400, 388), ResultState.CHECKED)


@pytest.mark.slow
def test_jury_field_records_a_repeated_ruling_once(driver: JuryFieldDriver) -> None:
    driver.type_lines("2 2 XQBAR 48", "J. Ury")
    step = driver.session.desk.undoable_step
    driver.type_lines("2 2 XQBAR 48")
    assert driver.session.desk.undoable_step == step
    assert "Already ruled invalid: XQBAR (score of the turn: 48)" in driver.preview_details
    driver.replace_text("2 2 XQBAR ok")
    driver.press_key(Qt.Key.Key_Return)
    driver.type_text("2 2 XQBAR ok")
    assert "already ruled valid: <b>XQBAR</b>" in driver.preview


@pytest.mark.slow
def test_jury_field_asks_if_a_repeated_word_is_another_turn(driver: JuryFieldDriver) -> None:
    driver.type_lines("2 2 XQBAR 48", "J. Ury", "2 2 XQBAR 30")
    assert "Already ruled invalid: XQBAR (score of the turn: 48)" in driver.preview_details
    assert "320 → <b>270</b>" in driver.preview.replace("\xa0", " ")
    assert driver.read_score(2) == (400, 320)
    driver.type_text("=")
    assert "320 → <b>338</b>" in driver.preview.replace("\xa0", " ")
    driver.press_key(Qt.Key.Key_Return)
    assert driver.read_score(2) == (400, 388 - 50)
    driver.type_text("2 2 XQBAR 48")
    driver.press_key(Qt.Key.Key_Return, CONTROL)
    assert driver.read_score(2) == (400, 388 - 50 - 68)
    driver.type_lines("2 2 XQBAR 10 =")
    assert "has been ruled invalid (score of the turn: 30, 48)" in driver.preview
    driver.replace_text("2 2 XQBAR 20=30")
    driver.press_key(Qt.Key.Key_Return)
    assert driver.read_score(2) == (400, 388 - 40 - 68)


def test_jury_field_names_the_new_winner_in_the_confirmation(driver: JuryFieldDriver) -> None:
    winner = driver.session.tournament.players[driver.get_game(2).second].name
    driver.type_lines("2 1 XQBAR 48", "J. Ury")
    assert "✓ Table 2: XQBAR" in driver.preview_details
    assert f"{winner} wins, not " in driver.preview_details


def test_jury_field_names_open_work_of_another_round(driver: JuryFieldDriver) -> None:
    driver.type_lines("1", "2", "3")
    proposal = propose_pairings(driver.session.index, A)
    driver.session.desk.do(partial(commands.pair_round, key="r2", proposal=proposal))
    driver.session.choose_round(2)
    QApplication.processEvents()
    assert "results of tables 1–4 are missing" in driver.preview
    assert "Round 1: table 4 is waiting" in driver.preview_details
    (problem,) = [problem for problem in list_open_problems(driver.session) if problem.page == "jury"]
    driver.page.reveal_row(problem.key)
    QApplication.processEvents()
    assert driver.session.round_number == 1
    assert "Next: Table 4" in driver.preview
    assert driver.page.parsed_sheet is None


@pytest.mark.slow
def test_jury_field_requires_ctrl_enter_for_a_turn_above_the_total(driver: JuryFieldDriver) -> None:
    driver.session.settings.setValue(AUTHOR_DAY, format_today_and_tournament_id(driver.session))
    driver.type_lines("2 2 XQBAR 480")
    assert "scored only 388 in the whole game" in driver.preview_details
    assert driver.read_score(2) == (400, 388)
    driver.press_key(Qt.Key.Key_Escape)
    driver.type_text("2 2 XQBAR 48")
    assert "(−48 −20)" in driver.preview
    assert "Spread +80" in driver.preview_details


def test_jury_field_explains_an_incomplete_line(driver: JuryFieldDriver) -> None:
    for line, expected_text in (("2 = 412", "both totals"), ("2 2", "the word")):
        driver.type_lines(line)
        assert expected_text in driver.preview_details
        assert driver.page.line.line.text() == line
        driver.press_key(Qt.Key.Key_Escape)
    driver.type_lines("2 = 9999 1")
    assert "Ctrl+Enter" in driver.preview_details
    driver.press_key(Qt.Key.Key_Return, CONTROL)
    assert driver.read_score(2) == (9999, 1)


@pytest.mark.slow
def test_jury_field_shows_a_change_once_and_selects_the_next_table(driver: JuryFieldDriver) -> None:
    driver.type_lines("2")
    assert driver.page.list.view.get_current_row_key() == driver.get_game(3).id
    driver.session.settings.setValue(AUTHOR_DAY, format_today_and_tournament_id(driver.session))
    driver.type_lines("2 2 XQBAR 48")
    assert driver.page.line.bar.isVisible()
    assert not driver.preview_details
    driver.press_key(Qt.Key.Key_Escape)
    assert "Spread" in driver.preview_details


@pytest.mark.slow
def test_round_list_names_a_draft_round(driver: JuryFieldDriver) -> None:
    value = driver.session.tournament
    proposal = propose_pairings(TournamentIndex(value), A)
    driver.session.desk.do(partial(commands.propose_round, key="r2", proposal=proposal))
    driver.session.choose_round(2)
    QApplication.processEvents()
    assert "Round 2 is still a draft" in driver.page.list.view.accessibleDescription()


@pytest.mark.slow
@parametrize_languages("de", "en", "nl", "nb")
def test_jury_page_shows_whole_texts_in_a_small_window(empty_session: Session, qtbot: QtBot) -> None:
    def is_fully_visible(label: QLabel) -> bool:
        return label.height() >= label.heightForWidth(label.width())

    driver = JuryFieldDriver(empty_session, qtbot, make_round_with_results(2))
    driver.window.resize(1280, 720)
    driver.type_lines("2 #")
    driver.type_text("?")
    (grammar,) = driver.page.help.findChildren(QLabel)
    qtbot.waitUntil(lambda: grammar.isVisible() and is_fully_visible(grammar))
    driver.press_key(Qt.Key.Key_Escape)
    driver.session.desk.do(partial(commands.choose_wordlist, wordlist=""))
    driver.page.line.focus_line()
    note = driver.page.words._note
    qtbot.waitUntil(lambda: note.isVisible() and is_fully_visible(note))


def test_jury_field_reports_a_wrong_word_if_only_players_challenge(empty_session: Session, qtbot: QtBot) -> None:
    driver = JuryFieldDriver(empty_session, qtbot, make_round_with_results(2, "no-nsf"))
    driver.type_text("2 akker xqbar")
    assert "XQBAR" in driver.preview
    assert "an unchallenged word stays valid" in driver.preview_details
    driver.press_key(Qt.Key.Key_Return)
    assert "Next" in driver.preview


@pytest.mark.slow
def test_jury_field_esc_moves_to_the_sheet_and_back(driver: JuryFieldDriver) -> None:
    driver.type_lines("2 #")
    driver.press_key(Qt.Key.Key_F10)
    driver.type_text("3")
    driver.press_key(Qt.Key.Key_Escape)
    assert driver.page.line.line.hasFocus()
    driver.press_key(Qt.Key.Key_Escape)
    assert driver.page.turns.field.hasFocus()
    driver.page.list.view.select_row(driver.get_game(4).id)
    driver.press_key(Qt.Key.Key_Escape)
    assert driver.page.parsed_sheet is None
    assert driver.page.line.line.hasFocus()
    assert driver.page.list.view.get_current_row_key() == driver.page.line.proposed_key == driver.get_game(1).id


# --- verdicts from the judge screen


def add_verdict(value: Tournament, table: int = 2, verdict: WordVerdict = WordVerdict.VALID) -> Tournament:
    game = next(game for game in value.games.values() if game.table == table)
    return commands.record_challenge(
        value, key="c", division=A, at="2026-11-28T10:00:00+00:00", words=("AKKER",), verdict=verdict,
        edition="e", round_number=1, table=table, challenger=game.first,
    )  # fmt: skip


def test_jury_field_does_not_check_a_result_with_an_open_verdict(empty_session: Session, qtbot: QtBot) -> None:
    driver = JuryFieldDriver(empty_session, qtbot, add_verdict(make_round_with_results(4, rules="no-nsf")))
    name = driver.session.tournament.players[driver.get_game(2).first].name
    [row] = [row for row in driver.page.rows if row.table == 2]
    assert row.status == "verdict"
    assert list_reasons_to_check_game(empty_session.catalogue, row) == (f"challenge: {name} −10",)
    driver.type_lines("all")
    assert driver.get_result(2).state is ResultState.ENTERED
    driver.type_text("2")
    assert "−10" in driver.preview
    assert "y: change the total · n: the total already includes the ruling" in driver.preview_details
    driver.type_text(" y")
    driver.press_key(Qt.Key.Key_Return)
    assert driver.read_score(2) == (390, 388)
    driver.press_key(Qt.Key.Key_Z, CONTROL)
    assert driver.read_score(2) == (400, 388)
    driver.type_lines("2 n")
    assert driver.read_score(2) == (400, 388)
    assert [row.status for row in driver.page.rows if row.table == 2] == ["entered"]


@pytest.mark.parametrize(("answer", "expected_text"), [("y", "loses a turn"), ("n", "the turn was not lost")])
def test_jury_field_asks_if_a_turn_was_lost(
    empty_session: Session, qtbot: QtBot, answer: str, expected_text: str
) -> None:
    driver = JuryFieldDriver(
        empty_session, qtbot, add_verdict(make_round_with_results(4, rules="no-nsf"), verdict=WordVerdict.INVALID)
    )
    name = driver.session.tournament.players[driver.get_game(2).second].name
    [row] = [row for row in driver.page.rows if row.table == 2]
    assert (row.status, list_reasons_to_check_game(empty_session.catalogue, row)) == (
        "entered",
        (f"challenge: {name} loses a turn",),
    )
    driver.type_text("2")
    assert f"{name} loses a turn" in driver.preview
    assert "y: the turn was lost · n: the turn was not lost" in driver.preview_details
    driver.type_text(f" {answer}")
    assert expected_text in driver.preview
    driver.press_key(Qt.Key.Key_Return)
    [row] = [row for row in driver.page.rows if row.table == 2]
    assert (list_reasons_to_check_game(empty_session.catalogue, row), driver.read_score(2)) == ((), (400, 388))
    driver.press_key(Qt.Key.Key_Z, CONTROL)
    driver.type_lines("2")
    [row] = [row for row in driver.page.rows if row.table == 2]
    assert (row.status, list_reasons_to_check_game(empty_session.catalogue, row)) == ("checked", ())


def test_jury_field_accepts_the_next_table_during_a_slow_save(
    driver: JuryFieldDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(driver.session.work, monkeypatch)
    for table in (2, 3):
        driver.type_text(str(table))
        driver.press_key(Qt.Key.Key_Return, CONTROL)
    disk.report_results()
    assert [driver.get_result(table).state for table in (2, 3)] == [ResultState.CHECKED] * 2
    assert not driver.page.line.line.text()


def test_jury_field_runs_a_line_once_during_a_slow_save(
    driver: JuryFieldDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(driver.session.work, monkeypatch)
    steps = len(driver.session.desk.list_all_steps())
    driver.type_lines("2", "")
    disk.report_results()
    assert len(driver.session.desk.list_all_steps()) == steps + 1
    assert [driver.get_result(table).state for table in (1, 2)] == [ResultState.ENTERED, ResultState.CHECKED]


def test_jury_page_offers_to_discard_text_left_unsaved(driver: JuryFieldDriver) -> None:
    driver.choose_game("1")
    driver.type_lines("8D TAART 20 20")
    note = driver.page.note.text
    assert "not saved" not in note.text(), "the text is being typed"
    driver.press_key(Qt.Key.Key_Escape)
    driver.choose_game("1")
    assert "This sheet was typed earlier, but not saved." in note.text()
    note.linkActivated.emit("discard")
    assert not driver.is_unsaved()
    assert "not saved" not in note.text()
    driver.run_action("Restore the typed text")
    assert driver.is_unsaved()


def test_jury_field_says_which_results_are_missing(empty_session: Session, qtbot: QtBot) -> None:
    value = make_round_with_results(4)
    game = TournamentIndex(value).get_game(next(iter(value.rounds)), 3)
    driver = JuryFieldDriver(empty_session, qtbot, commands.clear_result(value, game=game.id))
    driver.type_lines("1", "2", "4")
    assert driver.preview == "No result is waiting for the jury. The result of table 3 is missing."


def test_jury_field_explains_why_there_is_no_table_yet(empty_session: Session, qtbot: QtBot) -> None:
    value = make_tournament(players=4)
    driver = JuryFieldDriver(empty_session, qtbot, value)
    assert driver.preview == "No round has been published yet."
    driver.type_text("12")
    assert driver.preview == "No round has been published yet."
    assert "Ctrl+2" in driver.preview_details
    driver.press_key(Qt.Key.Key_Return)
    assert driver.page.line.line.property("wrong") is True
