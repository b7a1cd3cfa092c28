"""The forms of a whole round looked over by real keys in one field: checked, ruled on, corrected, looked up."""

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
from tdapp.domain.index import Index
from tdapp.domain.model import GameId, ResultState
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tilesets
from tdapp.gui.jury.round_line import SIGN
from tdapp.gui.jury.word_lists_panel import WordListsPanel
from tdapp.gui.shell.bottom_bar import list_open_problems
from tdapp.gui.shell.jury_member import AUTHOR, AUTHOR_DAY, get_jury_member_today, make_jury_day_key
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import theme
from tdapp.i18n.jury_preview import list_words_meaning_all, list_words_meaning_valid
from tdapp.i18n.sheet_sentences import list_check_reasons
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import Sheet, parse_sheet
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import RESOURCES, load_rule_set
from tests.gui.jury_window import ALT, CONTROL, SHIFT, A, JuryDriver, parametrize_languages
from tests.gui.slow_disk import SlowDisk

TILES = read_tilesets(RESOURCES / "tilesets")["nl"]
WORDS = ("AKKER", "BOEK", "DIER", "ELAND", "FEEST", "GRAS", "HUIS", "JAS", "KAST")
WRONG = {4: (2, "XQBAR", 48), 11: (1, "ZZAK", 30), 23: (2, "QUORX", 26), 37: (1, "WIJST", 22), 44: (2, "OEF", 12),
         58: (1, "BRRR", 35)}  # fmt: skip
DIFFERING, WRONG_TOTAL = (17, 51), 30
SHOTS = os.environ.get("TDAPP_SHOTS", "")  # a folder for a picture of each step


def form(*, last: int = 20) -> Sheet:
    """27 turns with words of the list."""
    turns = [
        {"player": 1 + place % 2, "kind": "play", "word": WORDS[place % len(WORDS)], "score": 20}
        for place in range(26)
    ]
    turns.append({"player": 1, "kind": "play", "word": "KAST", "score": last})
    return parse_sheet({"players": ["", ""], "turns": turns, "rack_values": [0, 6], "ended": "out"})


def hall(tables: int, rules: str = "nl-match") -> Tournament:
    """A round of many tables, all results in; of two games both forms are typed and differ."""
    value = commands.new_tournament(key="t", name="Open Leiden", ruleset=load_rule_set(rules), seed=3)
    value = commands.add_division(value, key=A, code="A")
    value = commands.add_stage(value, key="s", division=A, system="king-of-the-hill", rounds=3)
    for number in range(1, 2 * tables + 1):
        value = commands.add_player(
            value, key=f"p{number}", division=A, name=f"Speler{number:03}, S.", rating=number
        )
    value = commands.pair_round(value, key="r1", proposal=propose_pairings(Index(value), A))
    games = Index(value).games(next(iter(value.rounds)))
    for game in games:
        value = commands.enter_result(value, game=game.id, first=400, second=388)
    for game in games:
        if game.table in DIFFERING:
            value = commands.enter_sheet(value, game=game.id, sheet=form(), tileset=TILES)
            value = commands.enter_sheet(value, game=game.id, sheet=form(last=22), tileset=TILES, form=2)
    return value


def named(value: Tournament, name: str) -> Tournament:
    """All players with another name, `{}` in it being their number."""
    players = {key: replace(one, name=name.format(one.number)) for key, one in value.players.items()}
    return replace(value, players=players)


class Counter(QObject):
    """Counts the keys that reach the window: each press once, Shift and the like not."""

    def __init__(self) -> None:
        super().__init__()
        self.keys = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - of Qt
        alone = {Qt.Key.Key_Shift, Qt.Key.Key_Control}
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() not in alone:
            self.keys += watched is QApplication.focusWidget()
        return False


class Jury(JuryDriver):
    """Hands that look the forms of a round over."""

    def __init__(self, session: Session, qtbot: QtBot, value: Tournament) -> None:
        super().__init__(session, qtbot, value)
        session.settings.setValue(AUTHOR_DAY, "")
        self.choose_word_list(WORDS)
        self._steps = 0
        self.press(Qt.Key.Key_F10)

    @property
    def said(self) -> str:
        return self.page.line.preview_label.meaning

    @property
    def more(self) -> str:
        return self.page.line.preview_label.details

    def look(self) -> None:
        """Take a picture of the page as it is, where pictures are wanted."""
        self._steps += 1
        if SHOTS:
            QApplication.processEvents()
            self.window.grab().save(str(Path(SHOTS) / f"step-{self._steps:02}.png"))

    def states(self) -> list[ResultState]:
        return [result.state for result in self.session.tournament.results.values()]

    def score(self, table: int) -> tuple[int | None, int | None]:
        return self.result(table).first, self.result(table).second


@pytest.fixture
def jury(empty_session: Session, qtbot: QtBot) -> Jury:
    return Jury(empty_session, qtbot, hall(4))


@pytest.mark.slow
def test_jury_field_checks_sixty_tables_in_under_400_keys(empty_session: Session, qtbot: QtBot) -> None:
    jury = Jury(empty_session, qtbot, hall(60))
    counter = Counter()
    QApplication.instance().installEventFilter(counter)  # type: ignore[union-attr]
    page = jury.page
    for place, (table, (player, word, score)) in enumerate(WRONG.items()):
        jury.enter(f"{table} {player} {word} {score}")
        if not place:
            jury.enter("J. Ury")  # asked once a day
        jury.look()
        assert word in [ruling.word for ruling in jury.session.index.word_rulings(jury.game(table).id)]
    jury.enter(f"{WRONG_TOTAL} = 412 388")
    jury.look()
    assert jury.score(WRONG_TOTAL) == (412, 388)
    jury.enter("all")
    jury.look()
    assert jury.states().count(ResultState.CHECKED) == 58
    for table in DIFFERING:
        jury.press(Qt.Key.Key_F8)
        jury.look()
        assert page.sheet.key == (jury.game(table).id, 1)
        jury.press(Qt.Key.Key_Escape)
        jury.type(str(table))
        jury.press(Qt.Key.Key_Return, CONTROL)
        jury.look()
    assert set(jury.states()) == {ResultState.CHECKED}
    assert jury.window.page is page
    assert counter.keys < 400
    jury.look()


def test_jury_field_rules_on_a_word_without_a_sheet(jury: Jury) -> None:
    jury.type("2 2 xqbar 48")
    assert "388" in jury.said
    assert "320" in jury.said
    jury.press(Qt.Key.Key_Return)
    assert jury.session.index.word_rulings(jury.game(2).id) == ()  # the first question is the jury member's name
    jury.enter("J. Ury")
    assert jury.score(2) == (400, 320)
    (ruling,) = jury.session.index.word_rulings(jury.game(2).id)
    assert (ruling.author, ruling.why) == ("J. Ury", "@not-in-list Own list")
    jury.enter("3 1 ZZ 10")  # and not again
    assert jury.score(3) == (370, 388)
    jury.press(Qt.Key.Key_Z, CONTROL)
    assert jury.score(3) == (400, 388)
    jury.enter("2 2 xqbar ok")
    assert jury.score(2) == (400, 388)


@pytest.mark.styled
def test_round_list_stays_still_during_a_question(jury: Jury) -> None:
    view = jury.page.list.view

    def top() -> QPoint:
        QApplication.processEvents()
        return view.mapTo(jury.window, view.visualRect(view.model().index(0, 0)).topLeft())

    jury.enter("2")
    before = top()
    jury.enter("2 2 XQBAR 48")
    jury.enter("J. Ury")
    assert jury.page.line.bar.isVisible()
    assert top() == before


@pytest.mark.slow
@pytest.mark.parametrize("keys", [(Qt.Key.Key_Z, CONTROL), (Qt.Key.Key_Z, CONTROL | SHIFT)])
def test_jury_field_ctrl_z_answers_no(jury: Jury, keys: tuple[Qt.Key, Qt.KeyboardModifier]) -> None:
    jury.enter("2", "3")
    jury.press(Qt.Key.Key_Z, CONTROL)  # table 3 is open again, and could be done again
    before, line = jury.session.tournament, jury.page.line
    jury.enter("2 2 XQBAR 48")
    assert "Who rules?" in jury.said
    jury.press(*keys)
    assert line.line.text() == "2 2 XQBAR 48"
    jury.enter("", "J. Ury")
    assert line.bar.yes.hasFocus()  # table 2 is checked: is it to be ruled?
    jury.press(*keys)
    assert not line.bar.isVisible()
    jury.replace("")
    jury.enter("4 XQBAR")
    assert "or 2 " in jury.said  # who laid it?
    jury.press(*keys)
    assert "Next: Table 4" in jury.said
    assert jury.session.tournament is before
    jury.press(Qt.Key.Key_Return, CONTROL)
    assert line.line.text() == "all"
    jury.press(*keys)
    assert line.line.text() == ""
    assert jury.session.tournament is before
    jury.press(Qt.Key.Key_Z, CONTROL)
    assert jury.result(2).state is ResultState.ENTERED


@pytest.mark.slow
@parametrize_languages("en", "nl", "nb", "de")
def test_round_list_beside_a_panel_shows_players_score_and_state(empty_session: Session, qtbot: QtBot) -> None:
    jury = Jury(
        empty_session, qtbot, named(hall(17), "Oranje-Nassau van Amsberg, W. {}")
    )  # of table 17 the forms differ
    view = jury.page.list.view
    jury.window.resize(1280, 720)
    jury.press(Qt.Key.Key_F1)
    QApplication.processEvents()
    widths = dict(
        zip(view.rows.list_column_ids(), map(view.columnWidth, range(view.model().columnCount())), strict=True)
    )
    assert [name for name, width in widths.items() if not width] in ([], ["forms"])
    assert sum(widths.values()) <= view.viewport().width()
    assert widths["first_name"] == widths["second_name"] >= 144
    assert min(widths["score"], widths["status"]) >= 80  # as long as their texts are


@pytest.mark.slow
@parametrize_languages("en", "nl", "nb", "de")
@pytest.mark.parametrize("size", [100, 200])
def test_round_list_stays_in_place_for_any_preview(empty_session: Session, qtbot: QtBot, size: int) -> None:
    theme.store_text_size(empty_session.settings, size)
    jury = Jury(empty_session, qtbot, named(hall(8), "Oranje-Nassau van Amsberg, Willemijn {}"))
    line, lists, tops, cut = jury.page.line, jury.page.list.view, set(), 0
    jury.window.resize(1280, 720)
    for typed in (
        "",
        "2",
        "2 2 AKKER 48",
        "2 2 XQBAR 500",
        "2 ZZ XX YYX ZZTO OPQ",
        "30 2 X",
        "2 = 300 410",
        "1-8",
    ):
        line.line.setText(typed)
        QApplication.processEvents()
        tops.add(lists.mapTo(jury.window, QPoint()).y())
        cut += bool(line.preview_label.toolTip())
        assert jury.more in line.preview_label.toolTip() or not line.preview_label.toolTip()
    assert len(tops) == 1
    assert cut


def test_jury_field_asks_before_it_repeats_a_ruling(jury: Jury) -> None:
    jury.session.settings.setValue(AUTHOR_DAY, make_jury_day_key(jury.session))
    jury.enter("2 2 XQBAR 48", "2 2 XQBAAR 48")  # the same turn, spelt otherwise
    assert "XQBAR is already ruled wrong, in a turn of 48" in jury.more
    assert jury.score(2) == (400, 320)
    jury.press(Qt.Key.Key_Return, CONTROL)
    assert jury.score(2) == (400, 252)
    jury.replace("2 = 410 388")
    assert "410 – 252" in jury.said
    assert "including the rulings on this game" in jury.said
    assert "Type = at the end if the totals already include the rulings" in jury.more
    jury.replace("2 = 410 252=")
    assert "410 – 252" in jury.said
    jury.press(Qt.Key.Key_Return)
    assert jury.score(2) == (410, 252)


@pytest.mark.slow
def test_jury_field_does_not_read_a_finding_as_name(jury: Jury) -> None:
    jury.enter("1", "2 2 XQBAR 48", "3 1 ZZTOP 20")
    assert "This text cannot be a name" in jury.said
    assert not jury.session.tournament.word_rulings
    jury.replace("J. Ury")
    jury.enter("", "")
    assert jury.result(2).state is ResultState.CHECKED
    jury.enter("2 2 XQBAR ok", "")  # the preview comes first
    assert jury.score(2) == (400, 388)
    assert "Next: Table 3" in jury.said


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Jury 2", "M3 Visser", "Jan-2"])
def test_jury_field_accepts_a_name_with_a_digit(jury: Jury, name: str) -> None:
    jury.enter("2 2 XQBAR 48", name)
    assert [ruling.author for ruling in jury.session.tournament.word_rulings.values()] == [name]


@pytest.mark.parametrize("control", [False, True])
def test_jury_field_asks_for_an_empty_name(jury: Jury, control: bool) -> None:
    jury.enter("2 2 XQBAR 48")
    jury.press(Qt.Key.Key_A, CONTROL)
    jury.press(Qt.Key.Key_Delete)
    jury.press(Qt.Key.Key_Return, CONTROL if control else Qt.KeyboardModifier.NoModifier)
    assert "Type your name first: it is recorded with your rulings." in jury.said
    assert not jury.session.tournament.word_rulings
    jury.replace("Truus")
    jury.press(Qt.Key.Key_Return, CONTROL if control else Qt.KeyboardModifier.NoModifier)
    assert [ruling.author for ruling in jury.session.tournament.word_rulings.values()] == ["Truus"]


@pytest.mark.slow
@parametrize_languages("en", "nl", "nb", "de")
def test_jury_field_never_reads_a_command_word_as_name(empty_session: Session, qtbot: QtBot) -> None:
    jury = Jury(empty_session, qtbot, hall(4))
    jury.enter("2 2 XQBAR 48")
    for typed in (
        "all",
        list_words_meaning_all(empty_session.catalogue),
        list_words_meaning_valid(empty_session.catalogue),
        "4 = 372 366",
        "jans 2 XQBAR 48",
        "?",
        "",
    ):
        for word in [typed] if isinstance(typed, str) else sorted(typed):
            jury.replace(word)
            jury.press(Qt.Key.Key_Return)
            assert jury.page.line.author.is_invalid
            assert get_jury_member_today(empty_session) == ""
    assert not empty_session.tournament.word_rulings
    assert not any(result.state is ResultState.CHECKED for result in empty_session.tournament.results.values())
    jury.replace("Truus")
    jury.press(Qt.Key.Key_Return)
    assert [ruling.author for ruling in empty_session.tournament.word_rulings.values()] == ["Truus"]


def test_author_field_changes_the_jury_member_of_earlier_rulings(jury: Jury) -> None:
    author = jury.page.line.author
    assert (author.isVisible(), author.name.text()) == (True, "")
    jury.enter("2 2 XQBAR 48", "Pit", "3 2 ZZ 10")
    assert author.name.text() == "Pit"
    jury.enter("4 #")
    assert author.isVisible()
    jury.press(Qt.Key.Key_Escape)
    author.name.setFocus()
    jury.replace("Piet")
    jury.press(Qt.Key.Key_Return)
    assert get_jury_member_today(jury.session) == "Piet"
    assert jury.page.line.line.hasFocus()
    assert "2 rulings are signed with the name Pit" in jury.more
    jury.page.line.preview_label.linkActivated.emit(SIGN)
    QApplication.processEvents()
    assert {ruling.author for ruling in jury.session.tournament.word_rulings.values()} == {"Piet"}
    assert "signed Pit" not in jury.more
    author.name.setFocus()
    jury.replace("Nobody")
    jury.press(Qt.Key.Key_Escape)
    assert (author.name.text(), get_jury_member_today(jury.session)) == ("Piet", "Piet")


def test_jury_field_rules_a_listed_word_wrong_by_ctrl_enter(jury: Jury) -> None:
    jury.session.settings.setValue(AUTHOR, "J")
    jury.enter("2 2 AKKER 20", "J")
    assert jury.score(2) == (400, 388)
    jury.press(Qt.Key.Key_Return, CONTROL)
    assert jury.score(2) == (400, 348)


def test_jury_field_enter_checks_the_proposed_table(jury: Jury) -> None:
    jury.press(Qt.Key.Key_Return)
    jury.press(Qt.Key.Key_Return)
    assert [jury.result(table).state for table in (1, 2, 3)] == [ResultState.CHECKED] * 2 + [ResultState.ENTERED]
    assert "2 of 4 checked" in jury.page.subtitle.text()
    jury.press(Qt.Key.Key_Space)
    assert jury.page.line.line.text() == "3 "
    jury.enter("= 390 388")
    assert (jury.score(3), jury.result(3).state) == ((390, 388), ResultState.ENTERED)
    jury.enter("3-4")
    assert set(jury.states()) == {ResultState.CHECKED}


def test_jury_field_counts_two_wrong_words_of_one_turn_once(jury: Jury) -> None:
    jury.type("2 2 xqbar zzz 48")
    assert "XQBAR ZZZ</b> are wrong" in jury.said


@pytest.mark.slow
def test_jury_field_asks_only_about_wrong_words(jury: Jury) -> None:
    jury.type("2 akker boek xqbar")
    assert "XQBAR" in jury.said
    assert "AKKER" not in jury.said
    jury.press(Qt.Key.Key_Return)
    assert "XQBAR" in jury.said
    jury.enter("2 48", "J. Ury")
    assert jury.score(2) == (400, 320)
    jury.press(Qt.Key.Key_Return)
    assert jury.result(2).state is ResultState.CHECKED
    jury.enter("3 akker boek dier")
    jury.press(Qt.Key.Key_Return)
    assert jury.result(3).state is ResultState.CHECKED


def test_jury_field_never_checks_unseen_doubts(empty_session: Session, qtbot: QtBot) -> None:
    value = hall(4)
    game = Index(value).game(next(iter(value.rounds)), 2)
    sheet = parse_sheet({"players": ["", ""],
                         "turns": [{"player": 1, "kind": "play", "word": "XQBAR", "score": 20},
                  {"player": 2, "kind": "play", "word": "AKKER", "score": 20}], "rack_values": [0, 6],
                  "ended": "out"})  # fmt: skip
    jury = Jury(empty_session, qtbot, commands.enter_sheet(value, game=game.id, sheet=sheet, tileset=TILES))
    jury.enter("all")
    assert [jury.result(table).state for table in (1, 2, 3)][1] is ResultState.ENTERED
    jury.enter("2")  # it opens the sheet at the doubt
    assert (jury.page.sheet.key, jury.page.sheet.turn_index) == ((game.id, 1), 0)
    jury.save_sheet()
    assert jury.result(2).state is ResultState.ENTERED
    jury.save_sheet()  # the doubtful words were shown
    assert jury.result(2).state is ResultState.CHECKED


def test_jury_field_ctrl_enter_confirms_an_open_ruling(empty_session: Session, qtbot: QtBot) -> None:
    value = hall(4)
    game = Index(value).game(next(iter(value.rounds)), 2)
    sheet = parse_sheet({"players": ["", ""],
                         "turns": [{"player": 1, "kind": "play", "word": "XQBAR", "score": 20}],
                  "rack_values": [0, 6], "ended": "out"})  # fmt: skip
    jury = Jury(empty_session, qtbot, commands.enter_sheet(value, game=game.id, sheet=sheet, tileset=TILES))
    jury.session.settings.setValue(AUTHOR_DAY, make_jury_day_key(jury.session))
    jury.enter("2 #1")
    jury.press(Qt.Key.Key_Minus, ALT)
    assert jury.page.ruling.isVisible()
    jury.save_sheet()
    assert jury.score(2) == (20 + 6 - 40, -6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ended", "said"),
    [
        ("out", "The result of the game becomes"),
        ("open", "The score stays 400 – 388 until this sheet is finished."),
    ],
)
def test_jury_field_says_when_a_ruling_counts(empty_session: Session, qtbot: QtBot, ended: str, said: str) -> None:
    value = hall(4)
    turns = [{"player": 1, "kind": "play", "word": "XQBAR", "score": 20}]
    sheet = parse_sheet({"players": ["", ""], "turns": turns, "rack_values": [0, 6], "ended": ended})
    game = Index(value).game(next(iter(value.rounds)), 2)
    jury = Jury(empty_session, qtbot, commands.enter_sheet(value, game=game.id, sheet=sheet, tileset=TILES))
    jury.session.settings.setValue(AUTHOR_DAY, make_jury_day_key(jury.session))
    jury.enter("2 #1")
    jury.press(Qt.Key.Key_Minus, ALT)
    assert jury.ruling_preview.startswith(said)


def test_jury_field_ctrl_z_leaves_an_open_ruling(empty_session: Session, qtbot: QtBot) -> None:
    jury = Jury(empty_session, qtbot, with_sheet())
    jury.session.settings.setValue(AUTHOR_DAY, make_jury_day_key(jury.session))
    jury.enter("2 #1")
    jury.press(Qt.Key.Key_Minus, ALT)
    assert jury.page.ruling.isVisible()
    before = jury.session.tournament
    jury.press(Qt.Key.Key_Z, CONTROL)
    assert not jury.page.ruling.isVisible()
    assert jury.session.tournament is before


def with_sheet(word: str = "XQBAR", last: int = 20) -> Tournament:
    """Four tables, of which the second has a sheet whose last turn of player 1 has a word."""
    value = hall(4)
    turns = [{"player": 1, "kind": "play", "word": word, "score": last}]
    sheet = parse_sheet({"players": ["", ""], "turns": turns, "rack_values": [0, 6], "ended": "out"})
    game = Index(value).game(next(iter(value.rounds)), 2)
    return commands.enter_sheet(value, game=game.id, sheet=sheet, tileset=TILES)


def test_jury_field_finds_the_turn_of_a_word(empty_session: Session, qtbot: QtBot) -> None:
    jury = Jury(empty_session, qtbot, with_sheet())
    jury.session.settings.setValue(AUTHOR_DAY, make_jury_day_key(jury.session))
    jury.type("2 XQBAR")
    assert "XQBAR</b> is wrong" in jury.said
    jury.enter("")
    assert jury.score(2) == (20 + 6 - 40, -6)
    assert jury.page.list._all_rows[1].score == "−14 – −6"
    (item,) = jury.session.index.sheets(jury.game(2).id)
    assert [ruling.turn for ruling in item.rulings] == [1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2 2 XQBAR 20", "On the sheet {player} has XQBAR for 20."),
        ("2 1 XQBAR 48", "On the sheet {player} has XQBAR for 20."),
        ("2 1 ZZTOP 48", "ZZTOP is not on the sheet."),
    ],
)
def test_jury_field_takes_ctrl_enter_for_a_ruling_against_the_sheet(
    empty_session: Session, qtbot: QtBot, line: str, said: str
) -> None:
    jury = Jury(empty_session, qtbot, with_sheet())
    jury.session.settings.setValue(AUTHOR_DAY, make_jury_day_key(jury.session))
    before = jury.session.tournament
    jury.enter(line)
    assert said.format(player=jury.page.rows[1].first_name) in jury.more
    assert jury.session.tournament is before
    jury.press(Qt.Key.Key_Return, CONTROL)
    assert jury.session.tournament is not before


@pytest.mark.slow
def test_jury_field_checks_by_ctrl_enter_without_a_word_list(empty_session: Session, qtbot: QtBot) -> None:
    jury = Jury(empty_session, qtbot, with_sheet("AKKER"))
    jury.session.desk.do(partial(commands.choose_wordlist, wordlist=""))
    jury.page.refresh_page()
    jury.press(Qt.Key.Key_Return, CONTROL)  # as the button says
    assert jury.page.line.line.text() == "all"
    assert "No word list" in jury.more
    jury.enter("")
    assert ResultState.CHECKED not in jury.states()
    jury.press(Qt.Key.Key_Return, CONTROL)
    assert jury.states().count(ResultState.CHECKED) >= 3


def test_jury_field_leaves_a_game_with_unsaved_text_unchecked(jury: Jury) -> None:
    jury.enter("3 #", "AKKER 20")
    jury.press(Qt.Key.Key_F10)
    jury.type("all")
    assert "table 3" in jury.more
    jury.press(Qt.Key.Key_Return)
    assert [jury.result(table).state for table in (2, 3)] == [ResultState.CHECKED, ResultState.ENTERED]
    jury.press(Qt.Key.Key_Escape)
    assert "typed but not saved: Enter opens the sheet" in jury.said
    jury.enter("3")  # nor alone, unseen
    assert (jury.page.sheet.key, jury.result(3).state) == ((jury.game(3).id, 1), ResultState.ENTERED)
    jury.press(Qt.Key.Key_F10)
    jury.type("3")
    jury.press(Qt.Key.Key_Return, CONTROL)
    assert jury.result(3).state is ResultState.CHECKED


@pytest.mark.slow
def test_jury_field_keeps_the_check_for_equal_totals(jury: Jury) -> None:
    jury.enter("2", "2 = 400 388")
    assert not jury.page.line.bar.isVisible()
    assert jury.page.line.line.text() == ""
    assert jury.result(2).state is ResultState.CHECKED


def test_jury_page_f8_visits_the_doubts_of_all_sheets(empty_session: Session, qtbot: QtBot) -> None:
    value = hall(20)
    jury = Jury(empty_session, qtbot, value)
    jury.press(Qt.Key.Key_F8)
    assert jury.page.sheet.key == (jury.game(17).id, 1)
    assert jury.page.sheet.turn_index == 26
    jury.press(Qt.Key.Key_F8, SHIFT)
    assert jury.page.sheet.key == (jury.game(17).id, 1)


def test_pair_command_names_missing_checks(jury: Jury) -> None:
    value = partial(commands.set_check_first, check_first=True)
    jury.session.desk.do(value, label="set-check-first")
    jury.enter("2-3")
    jury.window.show_page("rounds")
    assert jury.window.command("pair").text() == "2 of 4 checked"
    jury.window.show_page("jury")
    jury.press(Qt.Key.Key_F10)
    jury.enter("all")
    jury.window.show_page("rounds")
    assert jury.window.command("pair").text() == "Pair round 2"


def test_jury_field_explains_a_refusal(jury: Jury) -> None:
    for line, said in (("9", "no table 9"), ("2 XQBAR 48", "Who played XQBAR"), ("speler", "Several players")):
        jury.type(line)
        assert said in jury.said
        jury.press(Qt.Key.Key_Escape)
        assert jury.page.line.line.text() == ""
    jury.type("?")
    assert jury.page.line._help.isVisible()
    jury.press(Qt.Key.Key_Escape)
    jury.enter("speler003")
    assert jury.states().count(ResultState.CHECKED) == 1


def test_jury_field_esc_goes_one_step_back(jury: Jury) -> None:
    jury.enter("2 2 XQBAR 48")
    assert "Who rules?" in jury.said
    jury.press(Qt.Key.Key_Escape)
    assert jury.page.line.line.text() == "2 2 XQBAR 48"
    assert "XQBAR" in jury.said
    game = jury.game(2).id
    jury.session.desk.do(partial(commands.certify_result, game=GameId(game)))
    QApplication.processEvents()
    jury.enter("", "J. Ury")
    assert jury.page.line.bar.isVisible()
    QTest.keyClick(jury.focused, Qt.Key.Key_Escape)
    assert not jury.page.line.bar.isVisible()
    assert jury.page.line.line.hasFocus()
    assert jury.page.line.line.text() == "2 2 XQBAR 48"
    jury.press(Qt.Key.Key_Escape)
    assert jury.page.line.line.text() == ""


@pytest.mark.slow
def test_jury_field_refuses_an_unknown_table(jury: Jury) -> None:
    for line in ("2x24", "2x24 XQBAR 48", "2 2x24 XQBAR"):
        jury.type(line)
        assert "“2x24” is not understood" in jury.said
        jury.press(Qt.Key.Key_Escape)


def test_jury_field_offers_the_word_lists(jury: Jury) -> None:
    jury.session.desk.do(partial(commands.choose_wordlist, wordlist=""))
    jury.page.refresh_page()
    jury.type("2 AKKER")
    assert "No word list" in jury.said
    jury.press(Qt.Key.Key_Return, CONTROL)
    assert isinstance(jury.window.panel, WordListsPanel)


def test_jury_field_shows_the_effect_on_a_certified_result(jury: Jury) -> None:
    jury.session.settings.setValue(AUTHOR, "J")
    game = jury.game(2).id
    jury.session.desk.do(partial(commands.certify_result, game=GameId(game)))
    QApplication.processEvents()
    jury.enter("2 2 XQBAR 48", "J")
    assert jury.page.line.bar.isVisible()
    assert jury.score(2) == (400, 388)
    QTest.keyClick(jury.focused, Qt.Key.Key_Return)
    assert jury.score(2) == (400, 320)


def test_jury_field_asks_a_reason_for_a_certified_total(jury: Jury) -> None:
    game = jury.game(2).id
    jury.session.desk.do(partial(commands.certify_result, game=GameId(game)))
    QApplication.processEvents()
    jury.enter("2 = 430 388")
    bar = jury.page.line.bar
    assert bar.reason.isVisible()
    assert jury.score(2) == (400, 388)
    QTest.keyClick(bar.reason, Qt.Key.Key_Return)
    assert jury.score(2) == (400, 388)
    QTest.keyClicks(bar.reason, "added up again")
    QTest.keyClick(bar.reason, Qt.Key.Key_Return)
    assert jury.score(2) == (430, 388)
    assert jury.session.desk.history()[-1].facts["reason"] == "added up again"


GERMAN = """8D VIKAR 38|E5 KREISELS 98|G7 JAB 19|I4 MENÜS 32|5H HEIMSTEN 72|O3 FINNEN 30|D12 ÄRA 30|15B HORT 17|
L3 ANSTEUER 68|11H DAHIN 21|M3 MET 20|12L ST 24|10B GEIE 9|12G PUD 12|14A ZU 14|15B HORTENDEN 33|13M UL 10|
5B WÖLK 17|F2 FEGT 34|3C BOXE 28|G2 AR 24|H1 UNS 31|13I DES 8|9J CHEMO 15|F13 rYE 31|D2 GO 4|1A QUEEr 48"""


@pytest.mark.slow
def test_jury_page_takes_312_keys_for_a_german_game(empty_session: Session, qtbot: QtBot) -> None:
    """The squares, words and scores of a published game of 27 turns, as on a form."""
    lines = [line.strip() for line in GERMAN.split("|")]
    words = [line.split()[1] for line in lines]
    jury = Jury(empty_session, qtbot, hall(4, "de-scrabble"))
    jury.choose_word_list([word.upper() for word in words], language="de")
    counter = Counter()
    QApplication.instance().installEventFilter(counter)  # type: ignore[union-attr]
    jury.enter(f"1 {' '.join(words)}")
    jury.press(Qt.Key.Key_Return)
    assert jury.result(1).state is ResultState.CHECKED
    assert counter.keys <= 150
    jury.enter("2 #")
    counter.keys = 0
    jury.enter(*lines)
    assert [turn.score for turn in jury.typed_sheet.turns] == [int(line.split()[2]) for line in lines]
    assert [issue for row in jury.parsed_sheet.rows for issue in row.issues] == []
    assert counter.keys <= 312


@pytest.mark.slow
def test_jury_field_proposes_a_table_again_after_an_undone_check(jury: Jury) -> None:
    first, second = jury.game(1).id, jury.game(2).id
    assert jury.page.line.proposed_key == first
    jury.enter("")
    assert (jury.result(1).state, jury.page.line.proposed_key) == (ResultState.CHECKED, second)
    jury.session.undo()
    assert (jury.result(1).state, jury.page.line.proposed_key) == (ResultState.ENTERED, first)
    jury.session.redo()
    assert jury.page.line.proposed_key == second


def test_jury_field_settles_two_different_slips(jury: Jury) -> None:
    game = jury.game(2).id
    jury.session.do(partial(commands.dispute_result, game=game, first=430, second=388))
    assert "1 game in doubt" in jury.page.subtitle.text()
    row = next(row for row in jury.page.rows if row.table == 2)
    assert (row.status, row.disputed) == ("disputed", (430, 388))
    jury.enter("all")
    assert jury.result(2).status == "disputed"
    assert jury.result(1).state is ResultState.CHECKED
    assert "another slip says 430 – 388" in jury.said
    assert "2 = 430 388" in jury.more
    jury.enter("2 = 430 388")
    assert (jury.score(2), jury.result(2).disputed) == ((430, 388), None)
    jury.session.undo()
    assert jury.result(2).disputed == (430, 388)
    jury.type("2")
    jury.press(Qt.Key.Key_Return, CONTROL)
    assert (jury.score(2), jury.result(2).state) == ((400, 388), ResultState.CHECKED)


@pytest.mark.slow
def test_jury_field_makes_a_repeated_ruling_once(jury: Jury) -> None:
    jury.enter("2 2 XQBAR 48", "J. Ury")
    step = jury.session.desk.undo_step
    jury.enter("2 2 XQBAR 48")
    assert jury.session.desk.undo_step == step
    assert "XQBAR is already ruled wrong, in a turn of 48" in jury.more
    jury.replace("2 2 XQBAR ok")
    jury.press(Qt.Key.Key_Return)
    jury.type("2 2 XQBAR ok")
    assert "is already ruled valid" in jury.said


@pytest.mark.slow
def test_jury_field_asks_if_a_repeated_word_is_another_turn(jury: Jury) -> None:
    jury.enter("2 2 XQBAR 48", "J. Ury", "2 2 XQBAR 30")
    assert "XQBAR is already ruled wrong, in a turn of 48" in jury.more
    assert "320 → <b>270</b>" in jury.said.replace("\xa0", " ")
    assert jury.score(2) == (400, 320)
    jury.type("=")
    assert "320 → <b>338</b>" in jury.said.replace("\xa0", " ")
    jury.press(Qt.Key.Key_Return)
    assert jury.score(2) == (400, 388 - 50)
    jury.type("2 2 XQBAR 48")
    jury.press(Qt.Key.Key_Return, CONTROL)
    assert jury.score(2) == (400, 388 - 50 - 68)
    jury.enter("2 2 XQBAR 10 =")
    assert "is ruled wrong in turns of 30, 48" in jury.said
    jury.replace("2 2 XQBAR 20=30")
    jury.press(Qt.Key.Key_Return)
    assert jury.score(2) == (400, 388 - 40 - 68)


def test_jury_field_names_the_new_winner_in_the_confirmation(jury: Jury) -> None:
    winner = jury.session.tournament.players[jury.game(2).second].name
    jury.enter("2 1 XQBAR 48", "J. Ury")
    assert "✓ Table 2: XQBAR" in jury.more
    assert f"{winner} wins, not " in jury.more


def test_jury_field_names_open_work_of_another_round(jury: Jury) -> None:
    jury.enter("1", "2", "3")
    proposal = propose_pairings(jury.session.index, A)
    jury.session.desk.do(partial(commands.pair_round, key="r2", proposal=proposal))
    jury.session.choose_round(2)
    QApplication.processEvents()
    assert "No table of this round waits" in jury.said
    assert "Round 1: table 4 waits" in jury.more
    (problem,) = [problem for problem in list_open_problems(jury.session) if problem.page == "jury"]
    jury.page.reveal_row(problem.key)
    QApplication.processEvents()
    assert jury.session.round_number == 1
    assert "Next: Table 4" in jury.said
    assert jury.page.parsed_sheet is None


@pytest.mark.slow
def test_jury_field_takes_ctrl_enter_for_a_turn_above_the_score(jury: Jury) -> None:
    jury.session.settings.setValue(AUTHOR_DAY, make_jury_day_key(jury.session))
    jury.enter("2 2 XQBAR 480")
    assert "has 388 in the whole game" in jury.more
    assert jury.score(2) == (400, 388)
    jury.press(Qt.Key.Key_Escape)
    jury.type("2 2 XQBAR 48")
    assert "(−48 −20)" in jury.said
    assert "Spread +80" in jury.more


def test_jury_field_explains_an_incomplete_line(jury: Jury) -> None:
    for line, said in (("2 = 412", "both totals"), ("2 2", "the word")):
        jury.enter(line)
        assert said in jury.more
        assert jury.page.line.line.text() == line
        jury.press(Qt.Key.Key_Escape)
    jury.enter("2 = 9999 1")
    assert "Ctrl+Enter" in jury.more
    jury.press(Qt.Key.Key_Return, CONTROL)
    assert jury.score(2) == (9999, 1)


@pytest.mark.slow
def test_jury_field_shows_a_change_once_and_selects_the_next_table(jury: Jury) -> None:
    jury.enter("2")
    assert jury.page.list.view.current_key() == jury.game(3).id
    jury.session.settings.setValue(AUTHOR_DAY, make_jury_day_key(jury.session))
    jury.enter("2 2 XQBAR 48")
    assert jury.page.line.bar.isVisible()
    assert not jury.more
    jury.press(Qt.Key.Key_Escape)
    assert "Spread" in jury.more


@pytest.mark.slow
def test_round_list_distinguishes_a_draft_from_no_round(jury: Jury) -> None:
    value = jury.session.tournament
    proposal = propose_pairings(Index(value), A)
    jury.session.desk.do(partial(commands.propose_round, key="r2", proposal=proposal))
    jury.session.choose_round(2)
    QApplication.processEvents()
    assert "Round 2 is still a draft" in jury.page.list.view.accessibleDescription()


@pytest.mark.slow
@parametrize_languages("de", "en", "nl", "nb")
def test_jury_page_cuts_off_nothing_in_a_small_window(empty_session: Session, qtbot: QtBot) -> None:
    def whole(label: QLabel) -> bool:
        return label.height() >= label.heightForWidth(label.width())

    jury = Jury(empty_session, qtbot, hall(2))
    jury.window.resize(1280, 720)
    jury.enter("2 #")
    jury.type("?")
    (grammar,) = jury.page.help.findChildren(QLabel)
    qtbot.waitUntil(lambda: grammar.isVisible() and whole(grammar))
    jury.press(Qt.Key.Key_Escape)
    jury.session.desk.do(partial(commands.choose_wordlist, wordlist=""))
    jury.page.line.focus_line()
    note = jury.page.words._note
    qtbot.waitUntil(lambda: note.isVisible() and whole(note))


def test_jury_field_reports_a_wrong_word_if_only_players_challenge(empty_session: Session, qtbot: QtBot) -> None:
    jury = Jury(empty_session, qtbot, hall(2, "no-nsf"))
    jury.type("2 akker xqbar")
    assert "XQBAR" in jury.said
    assert "without a challenge stays valid" in jury.more
    jury.press(Qt.Key.Key_Return)
    assert "Next" in jury.said


@pytest.mark.slow
def test_jury_field_esc_leads_to_the_sheet_and_back(jury: Jury) -> None:
    jury.enter("2 #")
    jury.press(Qt.Key.Key_F10)
    jury.type("3")
    jury.press(Qt.Key.Key_Escape)
    assert jury.page.line.line.hasFocus()
    jury.press(Qt.Key.Key_Escape)
    assert jury.page.turns.field.hasFocus()
    jury.page.list.view.choose(jury.game(4).id)
    jury.press(Qt.Key.Key_Escape)
    assert jury.page.parsed_sheet is None
    assert jury.page.line.line.hasFocus()
    assert jury.page.list.view.current_key() == jury.page.line.proposed_key == jury.game(1).id


# --- verdicts of the judge screen


def with_verdict(value: Tournament, table: int = 2, verdict: WordVerdict = WordVerdict.VALID) -> Tournament:
    game = next(game for game in value.games.values() if game.table == table)
    return commands.record_challenge(
        value, key="c", division=A, at="2026-11-28T10:00:00+00:00", words=("AKKER",), verdict=verdict,
        edition="e", round_number=1, table=table, challenger=game.first,
    )  # fmt: skip


def test_jury_field_keeps_a_verdict_until_decided(empty_session: Session, qtbot: QtBot) -> None:
    jury = Jury(empty_session, qtbot, with_verdict(hall(4, rules="no-nsf")))
    name = jury.session.tournament.players[jury.game(2).first].name
    [row] = [row for row in jury.page.rows if row.table == 2]
    assert row.status == "verdict"
    assert list_check_reasons(empty_session.catalogue, row) == (f"challenge: {name} −10",)
    jury.enter("all")
    assert jury.result(2).state is ResultState.ENTERED
    jury.type("2")
    assert "−10" in jury.said
    assert "y: change the total · n: the total already includes the ruling" in jury.more
    jury.type(" y")
    jury.press(Qt.Key.Key_Return)
    assert jury.score(2) == (390, 388)
    jury.press(Qt.Key.Key_Z, CONTROL)
    assert jury.score(2) == (400, 388)
    jury.enter("2 n")
    assert jury.score(2) == (400, 388)
    assert [row.status for row in jury.page.rows if row.table == 2] == ["entered"]


@pytest.mark.parametrize(("answer", "decided"), [("y", "→"), ("n", "the turn was not lost")])
def test_jury_field_keeps_a_lost_turn_until_decided(
    empty_session: Session, qtbot: QtBot, answer: str, decided: str
) -> None:
    jury = Jury(empty_session, qtbot, with_verdict(hall(4, rules="no-nsf"), verdict=WordVerdict.INVALID))
    name = jury.session.tournament.players[jury.game(2).second].name
    [row] = [row for row in jury.page.rows if row.table == 2]
    assert (row.status, list_check_reasons(empty_session.catalogue, row)) == (
        "entered",
        (f"challenge: {name} loses a turn",),
    )
    jury.type("2")
    assert f"{name} loses a turn" in jury.said
    assert "y: the turn was lost · n: the turn was not lost" in jury.more
    jury.type(f" {answer}")
    assert decided in jury.said
    jury.press(Qt.Key.Key_Return)
    [row] = [row for row in jury.page.rows if row.table == 2]
    assert (list_check_reasons(empty_session.catalogue, row), jury.score(2)) == ((), (400, 388))
    jury.press(Qt.Key.Key_Z, CONTROL)
    jury.enter("2")
    [row] = [row for row in jury.page.rows if row.table == 2]
    assert (row.status, list_check_reasons(empty_session.catalogue, row)) == ("checked", ())


def test_jury_field_accepts_the_next_table_during_a_slow_save(jury: Jury, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = SlowDisk(jury.session.work, monkeypatch)
    for table in (2, 3):
        jury.type(str(table))
        jury.press(Qt.Key.Key_Return, CONTROL)
    disk.tell()
    assert [jury.result(table).state for table in (2, 3)] == [ResultState.CHECKED] * 2
    assert not jury.page.line.line.text()


def test_jury_field_runs_a_line_once_during_a_slow_save(jury: Jury, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = SlowDisk(jury.session.work, monkeypatch)
    steps = len(jury.session.desk.history())
    jury.enter("2", "")
    disk.tell()
    assert len(jury.session.desk.history()) == steps + 1
    assert [jury.result(table).state for table in (1, 2)] == [ResultState.ENTERED, ResultState.CHECKED]
