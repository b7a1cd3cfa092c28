"""A tournament of 24 players through the real window: a child process, real keys, the mouse, a file to look into.

Seven Swiss rounds and a final of the best two by one who makes mistakes: results are corrected, taken back, ruled
on; one player leaves, one comes late; in the end the program is closed, and killed, and has lost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, Forfeit, Game, Player, Result, ResultState, Round, RoundState, Stage
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import compute_diff
from tests.e2e.virtual_screen import RIGHT_BUTTON, Screen, display, missing

pytestmark = [
    pytest.mark.xvfb,
    pytest.mark.skipif(bool(missing()), reason=missing() or "there are real keys"),
    pytest.mark.timeout(1500),
]

NAMES = (
    "Ada", "Bo", "Cas", "Dirk", "Els", "Frode", "Grete", "Hans", "Ida", "Jan", "Kees",
    "Lot", "Mia", "Nils", "Ole", "Piet", "Quint", "Roos", "Sam", "Tess", "Udo", "Vera",
)  # fmt: skip
SWISS = 7
# Places in the window at 1280 x 800.
TABLE_1, TABLE_2 = (420, 283), (420, 315)  # who starts there, in a draft
SWAPPED_2 = (420, 333)  # the same for table 2 after a message about a change
RELEASE = (500, 383)  # in the menu that opens there
PRIMARY = (1178, 116)  # the main button of the Rounds page
BUTTON = (1100, 99, 1270, 133)  # and its visible part
SAVE = (893, 656)  # the button of the preview
FIELD, ACCENT = (210, 167), (43, 88, 196)  # the left edge of the result field, blue when it has the cursor
PAGE = (186, 84, 1280, 690)  # all but the bars
AUTHOR = "J. Ury"
SHEET = ("8D TAART 20 20", "E7 TAFEL 22 22", "12C POST 29 49", "F10 LATER 33 55")


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    with display() as name:
        new_screen = Screen(tmp_path, tmp_path / "home" / "Documents" / "Open Leiden.tdapp", name)
        yield new_screen
        new_screen.kill()


class Director:
    """One who runs a tournament with one division by the keys of the window."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self._draw = Random(24)

    # --- before the first round

    def begin(self) -> None:
        """From the welcome page by the assistant: a Swiss of seven rounds, then a final of the best two."""
        screen = self.screen
        screen.start()
        assert screen.title() == "tdapp"
        screen.open(lambda: screen.key("ctrl+n"), "^New tournament")  # at first no widget may have the focus
        screen.type("Open Leiden")
        screen.key("Return")
        screen.type("Wedstrijd")
        screen.key("Return", "Tab", "Down", "Down", "Down", "Return")
        screen.wait_until_closed("^New tournament")
        screen.focus_window("^Open Leiden – tdapp$")
        screen.wait_for_state(
            lambda index: [stage.system for stage in self.stages(index)] == ["swiss", "knockout"], "stages"
        )

    def bring_players(self, names: Sequence[str]) -> None:
        """Import a list whose path is typed into the file dialog."""
        screen = self.screen
        source = screen.file.with_name("players.csv")
        lines = [f"{name} Jansen;{2000 - 10 * index}\n" for index, name in enumerate(names)]
        source.write_text("name;rating\n" + "".join(lines), encoding="utf-8")
        screen.key("ctrl+1", "ctrl+i")
        screen.name_file("^Import players", source.name)
        screen.focus_window("^Import into division A")
        screen.key("Return")
        screen.wait_until_closed("^Import into")
        screen.wait_for_state(lambda index: len(index.tournament.players) == len(names), "the players of the list")

    # --- rounds

    def pair(self, number: int) -> None:
        """Pair a round; the jury says first that the one before is right, whatever no word list knows."""
        screen = self.screen
        if number > 1:
            screen.key("ctrl+3")
            if number == 2:
                screen.key("Escape")  # from the sheet of table 1 to the line
                for table in (2, 3):
                    self.check(table)
            with screen.step("all checked"):
                screen.enter("all", "")
        screen.do(
            lambda: screen.key("ctrl+2", "F6"),
            lambda index: len(index.tournament.rounds) == number,
            f"round {number} as a draft",
        )

    def check(self, table: int) -> None:
        """Confirm a result on the jury's page."""
        with self.screen.step(f"table {table} checked"):
            self.screen.type(str(table))
            self.screen.key("ctrl+Return")

    def publish(self) -> None:
        screen = self.screen
        screen.do(
            lambda: screen.key("F9"),
            lambda index: self.last(index).state is RoundState.PUBLISHED,
            "the round published",
        )
        screen.wait_for(lambda: screen.colour(*FIELD) == ACCENT, "the cursor in the result field")

    def type_result(self, line: str, *, keypad: bool = False) -> None:
        """Type a line into the result field, and wait until it is in the file."""
        with self.screen.step(line):
            if keypad:
                self.screen.keypad(line)
            else:
                self.screen.enter(line)

    def play(self) -> None:
        """Type all missing results, each in a different way."""
        index = self.screen.index()
        for game in index.open_games(self.last(index).id):
            self.type_game(game)

    def type_game(self, game: Game) -> None:
        players = self.screen.value().players
        first_number, two = players[game.first].number, players[game.second].number
        first, second = self._draw.randint(300, 480), self._draw.randint(300, 480)
        first += first == second
        ways = (
            f"{game.table} {first} {second}",
            f"{game.table}.{first}.{second}",
            f"/{two} {first} {second}",
            f"{two} {second} {first_number} {first}",
        )
        way = (game.table + first) % len(ways)
        self.type_result(ways[way], keypad=way == 1)
        result = self.screen.index().result(game.id)
        assert result is not None
        assert (result.first, result.second) == (first, second), ways[way]

    def win(self, winner: int, loser: int) -> None:
        """Type a result by the players' numbers."""
        self.type_result(f"{winner} 421 {loser} 377")

    # --- what goes otherwise than planned

    def swap_and_keep(self) -> None:
        """Drag the first player of table 1 onto the one of table 2, accept the offer; release table 2."""
        screen = self.screen
        first_game, two = self.game(1, 1), self.game(1, 2)
        screen.drag(TABLE_1, TABLE_2)
        screen.repeat_until(
            lambda: screen.key("Return"), lambda: self.game(1, 1) != first_game, "two players swapped"
        )
        current_first, current_second = self.game(1, 1), self.game(1, 2)
        assert {current_first.first, current_first.second} == {two.first, first_game.second}
        assert {current_second.first, current_second.second} == {first_game.first, two.second}
        assert current_second.locked
        screen.wait_until_still(PAGE)
        screen.click(*SWAPPED_2, RIGHT_BUTTON)
        screen.wait_for(screen.has_open_menu, "the menu of table 2")
        with screen.step("table 2 released"):
            screen.click(*RELEASE)
        assert not self.game(1, 2).locked

    def sheet(self, table: int) -> None:
        """Type a score sheet."""
        screen = self.screen
        screen.key("F10")
        with screen.step(f"the sheet of table {table}"):
            screen.enter(str(table), *SHEET, "")
            screen.key("Home", "Return")  # a player is out
            screen.enter("AE", "")

    def rule(self) -> None:
        """Rule the second turn of the first player wrong; check and certify the sheet."""
        screen = self.screen
        screen.wait_until_still(PAGE)  # no rulings on a sheet during saving
        with screen.step("a ruling"):
            screen.key("Escape", "ctrl+Home", "Down", "alt+minus")
            screen.enter(AUTHOR)  # asked once a day
            screen.enter("no such word", "")
        self._answer(ResultState.CHECKED)
        self._answer(ResultState.FINAL)  # first it says that tiles are missing

    def _answer(self, state: ResultState) -> None:
        """Press Enter until the result of table 1 is so; the step before may not be on the screen yet."""
        screen = self.screen
        screen.repeat_until(lambda: screen.key("Return"), lambda: self.result(1, 1).state is state, str(state))

    def correct(self) -> None:
        """Correct a result of round 1 while round 2 is played; take it back, and do it again."""
        screen, before = self.screen, self.result(1, 5)
        with screen.step("the correction"):
            screen.key("ctrl+2", "alt+Left", "F5")
            screen.enter("5 511 299", "", "")  # shows its meaning, asks again
        after = self.result(1, 5)
        assert (after.first, after.second) == (511, 299)
        screen.wait_until_still(PAGE)  # undo first removes text not entered yet
        with screen.step("undo"):
            screen.key("ctrl+z")
        assert self.result(1, 5) == before
        with screen.step("redo"):
            screen.key("ctrl+shift+z")
        assert (self.result(1, 5).first, self.result(1, 5).second) == (511, 299)
        screen.key("ctrl+3")
        self.check(5)
        screen.key("ctrl+2", "alt+Right")

    def withdraw(self, name: str) -> None:
        """Find a player by name, and withdraw him by the palette."""
        screen = self.screen
        screen.key("ctrl+1", "F3")
        screen.focus_window("^Find a player")
        screen.enter(name)
        screen.wait_until_closed("^Find a player")
        screen.key("ctrl+k")
        screen.focus_window("^Do or find anything")
        screen.enter("Withdraw")
        screen.wait_until_closed("^Do or find anything")
        player_id = self.player(name).id
        screen.do(lambda: screen.key("Return"), lambda index: index.has_withdrawn(player_id), "the withdrawal")

    def late_entry(self, name: str) -> None:
        """Add a player after the first rounds."""
        screen = self.screen
        with screen.step("the late entry"):
            screen.key("ctrl+1", "Insert")
            screen.enter(name, "")
        assert not self.screen.index().has_withdrawn(self.player(name).id)

    def print_round(self) -> Path:
        """Save the reports of the visible round."""
        screen = self.screen
        path = screen.file.with_name("round.pdf")
        screen.key("ctrl+2", "F8")
        screen.focus_window("^Print")
        screen.press(*SAVE, "^Save as PDF")
        screen.name_file("^Save as PDF", path.name)
        screen.wait_for(path.exists, "the PDF")
        screen.focus_window("^Print")
        screen.key("Escape")
        screen.wait_until_closed("^Print")
        return path

    # --- contents of the file

    def division(self, index: Index) -> DivisionId:
        return next(iter(index.tournament.divisions))

    def stages(self, index: Index) -> tuple[Stage, ...]:
        return index.stages(self.division(index))

    def last(self, index: Index) -> Round:
        return index.rounds(self.division(index))[-1]

    def game(self, number: int, table: int) -> Game:
        index = self.screen.index()
        return index.game(index.round(self.division(index), number).id, table)

    def result(self, number: int, table: int) -> Result:
        result = self.screen.index().result(self.game(number, table).id)
        assert result is not None
        return result

    def player(self, name: str) -> Player:
        return next(player for player in self.screen.value().players.values() if player.name == name)


def test_window_runs_seven_rounds_and_a_final(screen: Screen) -> None:
    director = Director(screen)
    director.begin()
    director.bring_players(NAMES)
    screen.key("Insert")
    screen.type("Wim Jansen")
    screen.key("Tab")
    screen.enter("1500", "Yara Jansen")
    screen.wait_for_state(lambda index: len(index.tournament.players) == 24, "two players more")
    assert (director.player("Wim Jansen").rating, director.player("Yara Jansen").rating) == (1500, None)
    for number in range(1, SWISS + 1):
        director.pair(number)
        if number == 1:
            director.swap_and_keep()
        director.publish()
        if number == 1:
            for table in (2, 3, 1):
                director.sheet(table)
            director.rule()
            screen.key("ctrl+2")
        if number == 2:
            director.correct()
        if number == 3:
            director.type_result("7 f1")
        director.play()
        if number == 2:
            director.withdraw("Wim Jansen")
        if number == 3:
            director.late_entry("Zoe Jansen")
    _as_typed(director)
    papers = director.print_round()
    assert papers.read_bytes().startswith(b"%PDF")
    _final(director)
    _reopen(director)


@pytest.mark.parametrize("pause", [40, 200])
def test_window_treats_a_double_key_or_click_as_one(screen: Screen, pause: int) -> None:
    """Enter that bounces, and a double click where one is enough, quick or slow."""
    director = Director(screen)
    director.begin()
    director.bring_players(NAMES[:4])
    screen.key("Insert")
    screen.enter("Wim Jansen", "", "Yara Jansen", "")  # Enter twice
    screen.wait_for_state(lambda index: len(index.tournament.players) >= 6, "two players more")
    players = screen.wait_until_still(PAGE)
    screen.key("ctrl+2")
    screen.wait_until_still(PAGE, other_than=players)
    assert len(screen.value().players) == 6
    steps = screen.steps()
    screen.point(*PRIMARY)
    for count, state in enumerate((RoundState.DRAFT, RoundState.PUBLISHED), 1):
        button = screen.wait_until_still(BUTTON)
        screen.click(*PRIMARY, times=2, pause=pause)
        screen.wait_for_state(partial(_has, state), str(state))
        screen.wait_until_still(BUTTON, other_than=button)
        assert (screen.steps(), director.last(screen.index()).state) == (steps + count, state)
    for table in (1, 2, 3):
        screen.key("F5")
        with screen.step(f"table {table}"), screen.burst([f"{table} 400 35{table}", "", ""]):
            pass
    screen.wait_until_still(PAGE)
    assert screen.steps() == steps + 2 + 3
    assert [director.result(1, table).second for table in (1, 2, 3)] == [351, 352, 353]


def _has(state: RoundState, index: Index) -> bool:
    return any(item.state is state for item in index.tournament.rounds.values())


def test_window_killed_during_entry_keeps_confirmed_results(screen: Screen) -> None:
    """Killed during the entry of results: confirmed results exist, and the round goes on."""
    director = Director(screen)
    director.begin()
    director.bring_players(NAMES)
    director.pair(1)
    director.publish()
    steps = screen.steps()
    with screen.burst([f"{table} 400 3{table + 10}" for table in range(1, 12)]):
        screen.wait_for(lambda: screen.steps() > steps, "the first result")
        screen.kill()
    tournament = screen.value()
    assert screen.steps() == steps + len(tournament.results)
    screen.start(str(screen.file))
    screen.focus_window("^Open Leiden – tdapp$")
    assert not compute_diff(tournament, screen.value())
    director.play()
    assert len(screen.value().results) == 11
    assert not screen.read_output()


def _as_typed(director: Director) -> None:
    """Sheets, ruling, forfeit and byes are in the file as they were typed."""
    index = director.screen.index()
    assert [director.result(1, table).state for table in (1, 2, 3)] == [
        ResultState.FINAL,
        ResultState.CHECKED,
        ResultState.CHECKED,
    ]
    (sheet,) = index.sheets(director.game(1, 1).id)
    ((ruling),) = sheet.rulings
    assert (ruling.phony, ruling.author, ruling.why) == (True, AUTHOR, "no such word")
    assert director.result(3, 7).forfeit is Forfeit.FIRST
    latecomer = director.player("Zoe Jansen")
    assert len(index.published(director.division(index))) == SWISS
    assert len(index.tournament.results) == 12 + 12 + 11 + 4 * 12
    assert [game.round for game in index.tournament.games.values() if latecomer.id in {game.first, game.second}]


def _final(director: Director) -> None:
    """The best two of the Swiss play the best of three: one each, then the first again."""
    screen, index = director.screen, director.screen.index()
    division = index.tournament.divisions[director.division(index)]
    best = [row.player for row in compute_standings(index, division)[:2]]
    winner_number, two = (player.number for player in best)
    for table, (winner, loser) in enumerate([(winner_number, two), (two, winner_number), (winner_number, two)], 1):
        director.pair(SWISS + table)
        director.publish()
        (game,) = screen.index().open_games(director.last(screen.index()).id)
        assert {game.first, game.second} == {player.id for player in best}
        director.win(winner, loser)
    standings = compute_standings(screen.index(), division)
    assert standings[0].player.number == winner_number


def _reopen(director: Director) -> None:
    """Closed and started again, the window shows the standings as it did, and the file is the same."""
    screen = director.screen
    before, steps = screen.value(), screen.steps()
    screen.key("F7")
    picture = screen.wait_until_still(PAGE)
    screen.key("ctrl+q")
    assert screen.wait_for_exit() == 0
    screen.start(str(screen.file))
    screen.focus_window("^Open Leiden – tdapp$")
    screen.wait_for(lambda: screen.grab_pixels(PAGE) == picture, "the window as it was left")
    assert not compute_diff(before, screen.value())
    assert screen.steps() == steps
    screen.key("ctrl+q")
    assert screen.wait_for_exit() == 0
    assert not screen.read_output()
