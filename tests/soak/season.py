"""A season of tournaments on the command line: all rule sets and systems, with the incidents of real events.

The seed determines everything. `recompute_standings` checks the standings of each tournament.

    python -m tests.soak.season [TOURNAMENTS] [SEED]
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct

from tdapp import cli
from tests.building import RESOURCES
from tests.soak.independent_standings import recompute_standings

RULES = tuple(sorted(path.stem for path in (RESOURCES / "rulesets").glob("*.toml")))
SYSTEMS = (
    "swiss", "king-of-the-hill", "round-robin", "knockout", "factor", "quartiles", "australian", "prize",
    "snake-groups", "random",
)  # fmt: skip
SIZES = (10, 11, 16, 24, 37, 60, 100, 160, 300)
REPORTS = ("standings", "pairings-by-table", "pairings-by-name", "crosstable", "scorecards", "slips", "players")
MAX_ROUNDS = 12


class SeasonFailure(Exception):
    """An error in the season. The text describes it."""


class Plan(Struct, frozen=True):
    """One tournament of the season."""

    number: int
    rules: str
    system: str
    players: int
    rounds: int


def draw_plans(count: int, seed: int) -> Iterator[Plan]:
    """Yield tournaments with all rule sets and systems in turn, and random sizes. The first two are small."""
    random = Random(f"season {seed}")
    for number in range(count):
        system = SYSTEMS[number % len(SYSTEMS)]
        players = random.choice(SIZES[:4] if number < 2 or system == "round-robin" else SIZES)
        rounds = players - 1 + players % 2 if system == "round-robin" else random.randint(3, MAX_ROUNDS)
        if system == "knockout":
            rounds = (players - 1).bit_length()
        yield Plan(number + 1, RULES[number % len(RULES)], system, players, rounds)


class SeasonTournament:
    """A tournament in a folder, changed through the command line only."""

    def __init__(self, plan: Plan, folder: Path, seed: int) -> None:
        self.plan = plan
        self.file = folder / f"{plan.number}.tdapp"
        self.folder = folder
        self.random = Random(f"{seed} {plan.number}")
        self.verb_counts: dict[str, int] = {}

    def run_verb(self, *words: object, may_fail: bool = False) -> str:
        """Run a verb. An exit code other than 0 ends the season, except 2 with `may_fail`."""
        output, err = StringIO(), StringIO()
        with redirect_stdout(output), redirect_stderr(err):
            code = cli.run_command_line([str(word) for word in words], resources=RESOURCES)
        if code and not (may_fail and code == 2):
            raise SeasonFailure(f"{self.plan}: {' '.join(map(str, words))}: {err.getvalue()}")
        self.verb_counts[str(words[0])] = self.verb_counts.get(str(words[0]), 0) + 1
        return output.getvalue() if code == 0 else ""

    def run_json_verb(self, verb: str, *words: object) -> Any:
        """Run a verb and return its JSON output."""
        return json.loads(self.run_verb(verb, self.file, *words, "--json"))

    def play_tournament(self) -> None:
        """Play the tournament from the import of the players to the last printout."""
        self._create_tournament()
        for number in range(1, self.plan.rounds + 1):
            result = self.run_verb("pair", self.file, "--json", may_fail=self.plan.system == "knockout")
            if not result:
                break
            self._enter_results(number, json.loads(result)["games"])
            self._simulate_incidents(number)
        self._check_exports()

    def _create_tournament(self) -> None:
        plan, file = self.plan, self.file
        names = [f"Player {n};{2000 - 3 * n};{'ABC'[n % 3]};Club {n % 9}" for n in range(1, plan.players + 1)]
        source = self.folder / "players.csv"
        source.write_text("name;rating;category;club\n" + "\n".join(names) + "\n", encoding="utf-8")
        options = ("--rules", plan.rules, "--system", plan.system, "--rounds", plan.rounds, "--seed", plan.number)
        self.run_verb("new", file, "--name", f"Event {plan.number}", "--no-check-first", *options)
        self.run_verb("import", file, source)

    def _enter_results(self, number: int, games: list[dict[str, Any]]) -> None:
        """Enter the results of a round: most as a list, some by table, including forfeits."""
        open_games = [game for game in games if game["status"] == "open"]
        single_games = [game for game in open_games if self.random.random() < 0.1]
        lines = [
            f"{number},{game['table']},{','.join(self._draw_scores())}"
            for game in open_games
            if game not in single_games
        ]
        if lines:
            results_file = self.folder / "results.csv"
            results_file.write_text("round,table,score1,score2\n" + "\n".join(lines) + "\n", encoding="utf-8")
            self.run_verb("results", self.file, results_file)
        for game in single_games:
            arguments = (
                ("--forfeit", self.random.choice("12"))
                if self.random.random() < 0.2
                else (*self._draw_scores(), "--confirmed")
            )
            self.run_verb("result", self.file, "--round", number, "--table", game["table"], *arguments)

    def _draw_scores(self) -> list[str]:
        first = self.random.randint(250, 550)
        other_score = self.random.randint(250, 550)
        return [
            str(first),
            str(other_score + 1 if other_score == first and self.plan.system == "knockout" else other_score),
        ]

    def _simulate_incidents(self, number: int) -> None:
        """Simulate incidents: corrections, undo, sanctions, and players who withdraw, return or come late."""
        games = self.run_json_verb("pairings", "--round", number)["games"]
        is_fixed_schedule = self.plan.system in {"knockout", "round-robin"}
        for game in self.random.sample(games, min(2, len(games))):
            if game["score1"] is not None and self.plan.system != "knockout":
                arguments = (*self._draw_scores(), "--confirmed")
                self.run_verb("result", self.file, "--round", number, "--table", game["table"], *arguments)
        before = self.run_verb("standings", self.file, "--json")
        self.run_verb("undo", self.file)
        self.run_verb("redo", self.file)
        if self.run_verb("standings", self.file, "--json") != before:
            raise SeasonFailure(f"{self.plan}: undo and redo changed the standings after round {number}")
        self._change_players(number, can_leave=not is_fixed_schedule)
        report = self.random.choice(REPORTS)
        self.run_verb(
            "print", self.file, report, "-o", self.folder / "paper.pdf", may_fail=True
        )  # the report can be empty

    def _change_players(self, number: int, *, can_leave: bool) -> None:
        player_number = self.random.randint(1, self.plan.players)
        chance = self.random.random()
        if can_leave and chance < 0.15:
            self.run_verb("withdraw", self.file, player_number, may_fail=True)
        elif can_leave and chance < 0.25:
            self.run_verb("return", self.file, player_number, may_fail=True)
        elif can_leave and chance < 0.3:
            self.run_verb("do", self.file, "add-player", "division=A", f"name=Latecomer {number}", may_fail=True)
        elif chance < 0.4:
            penalty = ("points", "--round", number, "--points", 10, "--why", "late")
            self.run_verb("sanction", self.file, player_number, *penalty, may_fail=True)

    def _check_exports(self) -> None:
        for report in REPORTS:
            self.run_verb("print", self.file, report, "-o", self.folder / "paper.pdf", may_fail=True)
        for name in ("out.json", "out.csv", "out.t"):
            self.run_verb("export", self.file, self.folder / name)
        if not self.run_json_verb("check")["sound"]:
            raise SeasonFailure(f"{self.plan}: the check finds damage")
        standings = self.run_json_verb("standings")
        document = json.loads((self.folder / "out.json").read_text(encoding="utf-8"))
        for row, totals in recompute_standings(document, standings["rows"]):
            values = {name: Fraction(str(row[name])) for name in totals}
            if values != totals:
                raise SeasonFailure(f"{self.plan}: {row['name']}: {values} in the standings, {totals} computed")
        copy = self.folder / "again.tdapp"
        copy.unlink(missing_ok=True)
        self.run_verb("new", copy, "--name", "Again", "--rules", self.plan.rules)
        self.run_verb("import", copy, self.folder / "out.json")
        if json.loads(self.run_verb("standings", copy, "--json")) != standings:
            raise SeasonFailure(f"{self.plan}: the standings differ after JSON")


def play_season(count: int, seed: int) -> Iterator[tuple[Plan, int, float, int]]:
    """Play a season. Yield each tournament with its number of verbs, its seconds and the memory in kB."""
    for plan in draw_plans(count, seed):
        start_time = time.perf_counter()
        with TemporaryDirectory(prefix="season-") as folder:
            event = SeasonTournament(plan, Path(folder), seed)
            event.play_tournament()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        yield plan, sum(event.verb_counts.values()), time.perf_counter() - start_time, memory


def main() -> None:
    """Play a season and print a line for each tournament."""
    numbers = [int(word) for word in sys.argv[1:]]
    count, seed = (*numbers, 20, 1)[:2] if len(numbers) != 1 else (numbers[0], 1)
    for plan, verbs, seconds, memory in play_season(count, seed):
        words = f"{plan.number:3} {plan.rules:18}{plan.system:18}{plan.players:4} players {plan.rounds:3} rounds"
        sys.stdout.write(f"{words} {verbs:4} verbs {seconds:6.1f} s {memory / 1024:6.0f} MB\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
