"""Tests of a tournament of 24 players in the real window of a child process, with real keys and a mouse.

The director plays seven Swiss rounds and a final, and corrects, undoes and rules on results. One player withdraws,
and one comes late. A closed or killed program loses no data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, Game, GameSide, Player, Result, ResultState, Round, RoundState, Stage
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import compute_diff
from tests.e2e.virtual_screen import RIGHT_BUTTON, VirtualScreen, explain_missing_programs, run_display

pytestmark = [
    pytest.mark.xvfb,
    pytest.mark.skipif(
        bool(explain_missing_programs()), reason=explain_missing_programs() or "real keys are available"
    ),
    pytest.mark.timeout(1500),
]

NAMES = (
    "Ada", "Bo", "Cas", "Dirk", "Els", "Frode", "Grete", "Hans", "Ida", "Jan", "Kees",
    "Lot", "Mia", "Nils", "Ole", "Piet", "Quint", "Roos", "Sam", "Tess", "Udo", "Vera",
)  # fmt: skip
SWISS = 7
# Positions in the window at 1280 x 800.
TABLE_1, TABLE_2 = (420, 283), (420, 315)  # the first player of the table, in a draft
SWAPPED_2 = (420, 333)  # the same for table 2 after a message about a change
RELEASE = (500, 383)  # an item of the menu of table 2
PRIMARY = (1178, 116)  # the main button of the Rounds page
BUTTON = (1100, 99, 1270, 133)  # its visible part
SAVE = (893, 656)  # the button of the preview
FIELD, ACCENT = (210, 167), (43, 88, 196)  # the left edge of the result field, blue when it has the cursor
PAGE = (186, 84, 1280, 690)  # the window without its bars
AUTHOR = "J. Ury"
SHEET = ("8D TAART 20 20", "E7 TAFEL 22 22", "12C POST 29 49", "F10 LATER 33 55")


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[VirtualScreen]:
    with run_display() as name:
        new_screen = VirtualScreen(tmp_path, tmp_path / "home" / "Documents" / "Open Leiden.tdapp", name)
        yield new_screen
        new_screen.kill_program()


class Director:
    """A director who runs a tournament with one division by the keyboard."""

    def __init__(self, screen: VirtualScreen) -> None:
        self.screen = screen
        self._draw = Random(24)

    # --- before the first round

    def create_tournament(self) -> None:
        """Create a Swiss of seven rounds and a final of the best two with the assistant of the welcome page."""
        screen = self.screen
        screen.start_program()
        assert screen.read_title() == "tdapp"
        screen.open_window(lambda: screen.press_keys("ctrl+n"), "^New tournament")  # no widget has the focus yet
        screen.type_text("Open Leiden")
        screen.press_keys("Return")
        screen.type_text("Wedstrijd")
        screen.press_keys("Return", "Tab", "Down", "Down", "Down", "Return")
        screen.wait_until_closed("^New tournament")
        screen.focus_window("^Open Leiden – tdapp$")
        screen.wait_for_state(
            lambda index: [stage.system for stage in self.list_stages(index)] == ["swiss", "knockout"], "stages"
        )

    def import_players(self, names: Sequence[str]) -> None:
        """Import a list of players. Type its path into the file dialog."""
        screen = self.screen
        source = screen.file.with_name("players.csv")
        lines = [f"{name} Jansen;{2000 - 10 * index}\n" for index, name in enumerate(names)]
        source.write_text("name;rating\n" + "".join(lines), encoding="utf-8")
        screen.press_keys("ctrl+1", "ctrl+i")
        screen.name_file("^Import players", source.name)
        screen.focus_window("^Import into division A")
        screen.press_keys("Return")
        screen.wait_until_closed("^Import into")
        screen.wait_for_state(lambda index: len(index.tournament.players) == len(names), "the players of the list")

    # --- rounds

    def pair_round(self, number: int) -> None:
        """Pair a round. Before that, mark the results of the previous round as checked."""
        screen = self.screen
        if number > 1:
            screen.press_keys("ctrl+3")
            if number == 2:
                screen.press_keys("Escape")  # from the sheet of table 1 to the line
                for table in (2, 3):
                    self.check_result(table)
            with screen.wait_for_step("all checked"):
                screen.enter_lines("all", "")
        screen.press_until(
            lambda: screen.press_keys("ctrl+2", "F6"),
            lambda index: len(index.tournament.rounds) == number,
            f"round {number} as a draft",
        )

    def check_result(self, table: int) -> None:
        """Mark a result as checked on the Jury page."""
        with self.screen.wait_for_step(f"table {table} checked"):
            self.screen.type_text(str(table))
            self.screen.press_keys("ctrl+Return")

    def publish_round(self) -> None:
        screen = self.screen
        screen.press_until(
            lambda: screen.press_keys("F9"),
            lambda index: self.get_last_round(index).state is RoundState.PUBLISHED,
            "the round published",
        )
        screen.wait_for(lambda: screen.read_colour(*FIELD) == ACCENT, "the cursor in the result field")

    def type_result(self, line: str, *, keypad: bool = False) -> None:
        """Type a line into the result field, and wait for the step in the file."""
        with self.screen.wait_for_step(line):
            if keypad:
                self.screen.type_on_keypad(line)
            else:
                self.screen.enter_lines(line)

    def play_round(self) -> None:
        """Type all missing results in different forms."""
        index = self.screen.read_index()
        for game in index.list_open_games(self.get_last_round(index).id):
            self.type_game(game)

    def type_game(self, game: Game) -> None:
        players = self.screen.read_tournament().players
        first_number, second_number = players[game.first].number, players[game.second].number
        first, second = self._draw.randint(300, 480), self._draw.randint(300, 480)
        first += first == second
        input_forms = (
            f"{game.table} {first} {second}",
            f"{game.table}.{first}.{second}",
            f"/{second_number} {first} {second}",
            f"{second_number} {second} {first_number} {first}",
        )
        form_index = (game.table + first) % len(input_forms)
        self.type_result(input_forms[form_index], keypad=form_index == 1)
        result = self.screen.read_index().get_result(game.id)
        assert result is not None
        assert (result.first, result.second) == (first, second), input_forms[form_index]

    def enter_win(self, winner: int, loser: int) -> None:
        """Type a result by the players' numbers."""
        self.type_result(f"{winner} 421 {loser} 377")

    # --- incidents

    def swap_and_keep(self) -> None:
        """Swap the first players of tables 1 and 2 with the mouse, and release table 2."""
        screen = self.screen
        first_game, second_game = self.get_game(1, 1), self.get_game(1, 2)
        screen.drag_between(TABLE_1, TABLE_2)
        screen.repeat_until(
            lambda: screen.press_keys("Return"), lambda: self.get_game(1, 1) != first_game, "two players swapped"
        )
        current_first, current_second = self.get_game(1, 1), self.get_game(1, 2)
        assert {current_first.first, current_first.second} == {second_game.first, first_game.second}
        assert {current_second.first, current_second.second} == {first_game.first, second_game.second}
        assert current_second.locked
        screen.wait_until_still(PAGE)
        screen.click_at(*SWAPPED_2, RIGHT_BUTTON)
        screen.wait_for(screen.has_open_menu, "the menu of table 2")
        with screen.wait_for_step("table 2 released"):
            screen.click_at(*RELEASE)
        assert not self.get_game(1, 2).locked

    def enter_sheet(self, table: int) -> None:
        """Type a score sheet."""
        screen = self.screen
        screen.press_keys("F10")
        with screen.wait_for_step(f"the sheet of table {table}"):
            screen.enter_lines(str(table), *SHEET, "")
            screen.press_keys("Home", "Return")  # a player is out
            screen.enter_lines("AE", "")

    def rule_on_sheet(self) -> None:
        """Rule that the second turn of the first player is invalid. Check and certify the sheet."""
        screen = self.screen
        screen.wait_until_still(PAGE)  # no rulings on a sheet during saving
        with screen.wait_for_step("a ruling"):
            screen.press_keys("Escape", "ctrl+Home", "Down", "alt+minus")
            screen.enter_lines(AUTHOR)  # asked once a day
            screen.enter_lines("no such word", "")
        self._confirm_until(ResultState.CHECKED)
        self._confirm_until(ResultState.FINAL)  # the first Enter shows the missing tiles

    def _confirm_until(self, state: ResultState) -> None:
        """Press Enter until the result of table 1 has a state. The screen can still show the previous step."""
        screen = self.screen
        screen.repeat_until(
            lambda: screen.press_keys("Return"), lambda: self.get_result(1, 1).state is state, str(state)
        )

    def correct_result(self) -> None:
        """Correct a result of round 1 during round 2. Undo and redo the correction."""
        screen, before = self.screen, self.get_result(1, 5)
        with screen.wait_for_step("the correction"):
            screen.press_keys("ctrl+2", "alt+Left", "F5")
            screen.enter_lines("5 511 299", "", "")  # shows its meaning, asks again
        after = self.get_result(1, 5)
        assert (after.first, after.second) == (511, 299)
        screen.wait_until_still(PAGE)  # undo first removes text not entered yet
        with screen.wait_for_step("undo"):
            screen.press_keys("ctrl+z")
        assert self.get_result(1, 5) == before
        with screen.wait_for_step("redo"):
            screen.press_keys("ctrl+shift+z")
        assert (self.get_result(1, 5).first, self.get_result(1, 5).second) == (511, 299)
        screen.press_keys("ctrl+3")
        self.check_result(5)
        screen.press_keys("ctrl+2", "alt+Right")

    def withdraw_player(self, name: str) -> None:
        """Find a player by name, and withdraw the player with the command palette."""
        screen = self.screen
        screen.press_keys("ctrl+1", "F3")
        screen.focus_window("^Find a player")
        screen.enter_lines(name)
        screen.wait_until_closed("^Find a player")
        screen.press_keys("ctrl+k")
        screen.focus_window("^Do or find anything")
        screen.enter_lines("Withdraw")
        screen.wait_until_closed("^Do or find anything")
        player_id = self.find_player(name).id
        screen.press_until(
            lambda: screen.press_keys("Return"), lambda index: index.has_withdrawn(player_id), "the withdrawal"
        )

    def add_late_player(self, name: str) -> None:
        """Add a player after the first rounds."""
        screen = self.screen
        with screen.wait_for_step("the late entry"):
            screen.press_keys("ctrl+1", "Insert")
            screen.enter_lines(name, "")
        assert not self.screen.read_index().has_withdrawn(self.find_player(name).id)

    def print_round(self) -> Path:
        """Save the reports of the visible round."""
        screen = self.screen
        path = screen.file.with_name("round.pdf")
        screen.press_keys("ctrl+2", "F8")
        screen.focus_window("^Print")
        screen.press_button(*SAVE, "^Save as PDF")
        screen.name_file("^Save as PDF", path.name)
        screen.wait_for(path.exists, "the PDF")
        screen.focus_window("^Print")
        screen.press_keys("Escape")
        screen.wait_until_closed("^Print")
        return path

    # --- contents of the file

    def get_division_id(self, index: TournamentIndex) -> DivisionId:
        return next(iter(index.tournament.divisions))

    def list_stages(self, index: TournamentIndex) -> tuple[Stage, ...]:
        return index.stages(self.get_division_id(index))

    def get_last_round(self, index: TournamentIndex) -> Round:
        return index.rounds(self.get_division_id(index))[-1]

    def get_game(self, number: int, table: int) -> Game:
        index = self.screen.read_index()
        return index.get_game(index.get_round(self.get_division_id(index), number).id, table)

    def get_result(self, number: int, table: int) -> Result:
        result = self.screen.read_index().get_result(self.get_game(number, table).id)
        assert result is not None
        return result

    def find_player(self, name: str) -> Player:
        return next(player for player in self.screen.read_tournament().players.values() if player.name == name)


def test_window_runs_seven_rounds_and_a_final(screen: VirtualScreen) -> None:
    director = Director(screen)
    director.create_tournament()
    director.import_players(NAMES)
    screen.press_keys("Insert")
    screen.type_text("Wim Jansen")
    screen.press_keys("Tab")
    screen.enter_lines("1500", "Yara Jansen")
    screen.wait_for_state(lambda index: len(index.tournament.players) == 24, "two players more")
    assert (director.find_player("Wim Jansen").rating, director.find_player("Yara Jansen").rating) == (1500, None)
    for number in range(1, SWISS + 1):
        director.pair_round(number)
        if number == 1:
            director.swap_and_keep()
        director.publish_round()
        if number == 1:
            for table in (2, 3, 1):
                director.enter_sheet(table)
            director.rule_on_sheet()
            screen.press_keys("ctrl+2")
        if number == 2:
            director.correct_result()
        if number == 3:
            director.type_result("7 f1")
        director.play_round()
        if number == 2:
            director.withdraw_player("Wim Jansen")
        if number == 3:
            director.add_late_player("Zoe Jansen")
    _check_entered_data(director)
    printout = director.print_round()
    assert printout.read_bytes().startswith(b"%PDF")
    _play_final(director)
    _check_reopened_window(director)


@pytest.mark.parametrize("pause", [40, 200])
def test_window_treats_a_double_key_or_click_as_one(screen: VirtualScreen, pause: int) -> None:
    """Press Enter twice and double-click, quickly or slowly. Only the first has an effect."""
    director = Director(screen)
    director.create_tournament()
    director.import_players(NAMES[:4])
    screen.press_keys("Insert")
    screen.enter_lines("Wim Jansen", "", "Yara Jansen", "")  # Enter twice
    screen.wait_for_state(lambda index: len(index.tournament.players) >= 6, "two players more")
    players = screen.wait_until_still(PAGE)
    screen.press_keys("ctrl+2")
    screen.wait_until_still(PAGE, other_than=players)
    assert len(screen.read_tournament().players) == 6
    steps = screen.count_steps()
    screen.move_mouse_to(*PRIMARY)
    for count, state in enumerate((RoundState.DRAFT, RoundState.PUBLISHED), 1):
        button = screen.wait_until_still(BUTTON)
        screen.click_at(*PRIMARY, times=2, pause=pause)
        screen.wait_for_state(partial(_has_round_in_state, state), str(state))
        screen.wait_until_still(BUTTON, other_than=button)
        assert (screen.count_steps(), director.get_last_round(screen.read_index()).state) == (steps + count, state)
    for table in (1, 2, 3):
        screen.press_keys("F5")
        with screen.wait_for_step(f"table {table}"), screen.type_burst([f"{table} 400 35{table}", "", ""]):
            pass
    screen.wait_until_still(PAGE)
    assert screen.count_steps() == steps + 2 + 3
    assert [director.get_result(1, table).second for table in (1, 2, 3)] == [351, 352, 353]


def _has_round_in_state(state: RoundState, index: TournamentIndex) -> bool:
    return any(item.state is state for item in index.tournament.rounds.values())


def test_window_killed_during_entry_keeps_confirmed_results(screen: VirtualScreen) -> None:
    """Kill the program during the entry of results. Confirmed results exist, and the round continues."""
    director = Director(screen)
    director.create_tournament()
    director.import_players(NAMES)
    director.pair_round(1)
    director.publish_round()
    steps = screen.count_steps()
    with screen.type_burst([f"{table} 400 3{table + 10}" for table in range(1, 12)]):
        screen.wait_for(lambda: screen.count_steps() > steps, "the first result")
        screen.kill_program()
    tournament = screen.read_tournament()
    assert screen.count_steps() == steps + len(tournament.results)
    screen.start_program(str(screen.file))
    screen.focus_window("^Open Leiden – tdapp$")
    assert not compute_diff(tournament, screen.read_tournament())
    director.play_round()
    assert len(screen.read_tournament().results) == 11
    assert not screen.read_output()


def _check_entered_data(director: Director) -> None:
    """Check the sheets, the ruling, the forfeit and the late player in the file."""
    index = director.screen.read_index()
    assert [director.get_result(1, table).state for table in (1, 2, 3)] == [
        ResultState.FINAL,
        ResultState.CHECKED,
        ResultState.CHECKED,
    ]
    (sheet,) = index.sheets(director.get_game(1, 1).id)
    ((ruling),) = sheet.rulings
    assert (ruling.phony, ruling.author, ruling.why) == (True, AUTHOR, "no such word")
    assert director.get_result(3, 7).forfeit is GameSide.FIRST
    latecomer = director.find_player("Zoe Jansen")
    assert len(index.list_published_rounds(director.get_division_id(index))) == SWISS
    assert len(index.tournament.results) == 12 + 12 + 11 + 4 * 12
    assert [game.round for game in index.tournament.games.values() if latecomer.id in {game.first, game.second}]


def _play_final(director: Director) -> None:
    """Play the final of the best two players: three games with one win of the second player."""
    screen, index = director.screen, director.screen.read_index()
    division = index.tournament.divisions[director.get_division_id(index)]
    best = [row.player for row in compute_standings(index, division)[:2]]
    winner_number, second_number = (player.number for player in best)
    pair = (winner_number, second_number)
    for table, (winner, loser) in enumerate([pair, pair[::-1], pair], 1):
        director.pair_round(SWISS + table)
        director.publish_round()
        (game,) = screen.read_index().list_open_games(director.get_last_round(screen.read_index()).id)
        assert {game.first, game.second} == {player.id for player in best}
        director.enter_win(winner, loser)
    standings = compute_standings(screen.read_index(), division)
    assert standings[0].player.number == winner_number


def _check_reopened_window(director: Director) -> None:
    """Close and start the program. Check that it shows the same standings and the file has not changed."""
    screen = director.screen
    before, steps = screen.read_tournament(), screen.count_steps()
    screen.press_keys("F7")
    picture = screen.wait_until_still(PAGE)
    screen.press_keys("ctrl+q")
    assert screen.wait_for_exit() == 0
    screen.start_program(str(screen.file))
    screen.focus_window("^Open Leiden – tdapp$")
    screen.wait_for(lambda: screen.grab_pixels(PAGE) == picture, "the same window as before")
    assert not compute_diff(before, screen.read_tournament())
    assert screen.count_steps() == steps
    screen.press_keys("ctrl+q")
    assert screen.wait_for_exit() == 0
    assert not screen.read_output()
