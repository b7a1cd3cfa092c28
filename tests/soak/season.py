"""A season of tournaments driven headless: every rule set and system, and what goes wrong at real events.

Everything is drawn from the seed. After each tournament `recount` adds its JSON export up again by itself.

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
from tests.soak.independent_standings import recount

RULES = tuple(sorted(path.stem for path in (RESOURCES / "rulesets").glob("*.toml")))
SYSTEMS = (
    "swiss", "king-of-the-hill", "round-robin", "knockout", "factor", "quartiles", "australian", "prize",
    "snake-groups", "random",
)  # fmt: skip
SIZES = (10, 11, 16, 24, 37, 60, 100, 160, 300)
REPORTS = ("standings", "pairings-by-table", "pairings-by-name", "crosstable", "scorecards", "slips", "players")
MOST_ROUNDS = 12


class SeasonFailure(Exception):
    """Something in the season went wrong; the text says what."""


class Plan(Struct, frozen=True):
    """One tournament of the season."""

    number: int
    rules: str
    system: str
    players: int
    rounds: int


def plans(count: int, seed: int) -> Iterator[Plan]:
    """Yield the tournaments: rule sets and systems by turns, random sizes and rounds; the first two are small."""
    draw = Random(f"season {seed}")
    for number in range(count):
        system = SYSTEMS[number % len(SYSTEMS)]
        players = draw.choice(SIZES[:4] if number < 2 or system == "round-robin" else SIZES)
        rounds = players - 1 + players % 2 if system == "round-robin" else draw.randint(3, MOST_ROUNDS)
        if system == "knockout":
            rounds = (players - 1).bit_length()
        yield Plan(number + 1, RULES[number % len(RULES)], system, players, rounds)


class Tournament:
    """A tournament in a folder, changed through the command line only."""

    def __init__(self, plan: Plan, folder: Path, seed: int) -> None:
        self.plan = plan
        self.file = folder / f"{plan.number}.tdapp"
        self.folder = folder
        self.draw = Random(f"{seed} {plan.number}")
        self.verb_counts: dict[str, int] = {}

    def run(self, *words: object, may_fail: bool = False) -> str:
        """Run a verb; anything but 0, or 2 where it may fail, ends the season."""
        output, err = StringIO(), StringIO()
        with redirect_stdout(output), redirect_stderr(err):
            code = cli.run_command_line([str(word) for word in words], resources=RESOURCES)
        if code and not (may_fail and code == 2):
            raise SeasonFailure(f"{self.plan}: {' '.join(map(str, words))}: {err.getvalue()}")
        self.verb_counts[str(words[0])] = self.verb_counts.get(str(words[0]), 0) + 1
        return output.getvalue() if code == 0 else ""

    def json(self, verb: str, *words: object) -> Any:
        """Run a verb and return its JSON output."""
        return json.loads(self.run(verb, self.file, *words, "--json"))

    def play(self) -> None:
        """Play it from the first player to the last print."""
        self._begin()
        for number in range(1, self.plan.rounds + 1):
            result = self.run("pair", self.file, "--json", may_fail=self.plan.system == "knockout")
            if not result:
                break
            self._results(number, json.loads(result)["games"])
            self._error(number)
        self._finish()

    def _begin(self) -> None:
        plan, file = self.plan, self.file
        names = [f"Player {n};{2000 - 3 * n};{'ABC'[n % 3]};Club {n % 9}" for n in range(1, plan.players + 1)]
        source = self.folder / "players.csv"
        source.write_text("name;rating;category;club\n" + "\n".join(names) + "\n", encoding="utf-8")
        options = ("--rules", plan.rules, "--system", plan.system, "--rounds", plan.rounds, "--seed", plan.number)
        self.run("new", file, "--name", f"Event {plan.number}", "--no-check-first", *options)
        self.run("import", file, source)

    def _results(self, number: int, games: list[dict[str, Any]]) -> None:
        """Enter a round: most results as a list, some by table, with forfeits."""
        open_games = [game for game in games if game["status"] == "open"]
        single = [game for game in open_games if self.draw.random() < 0.1]
        lines = [
            f"{number},{game['table']},{','.join(self._scores())}" for game in open_games if game not in single
        ]
        if lines:
            many = self.folder / "results.csv"
            many.write_text("round,table,score1,score2\n" + "\n".join(lines) + "\n", encoding="utf-8")
            self.run("results", self.file, many)
        for game in single:
            arguments = (
                ("--forfeit", self.draw.choice("12"))
                if self.draw.random() < 0.2
                else (*self._scores(), "--confirmed")
            )
            self.run("result", self.file, "--round", number, "--table", game["table"], *arguments)

    def _scores(self) -> list[str]:
        first = self.draw.randint(250, 550)
        other_score = self.draw.randint(250, 550)
        return [
            str(first),
            str(other_score + 1 if other_score == first and self.plan.system == "knockout" else other_score),
        ]

    def _error(self, number: int) -> None:
        """Do what goes wrong at an event: corrections, undo, a player leaves, returns or comes late, a fine."""
        games = self.json("pairings", "--round", number)["games"]
        is_fixed_schedule = self.plan.system in {"knockout", "round-robin"}
        for game in self.draw.sample(games, min(2, len(games))):
            if game["score1"] is not None and self.plan.system != "knockout":
                arguments = (*self._scores(), "--confirmed")
                self.run("result", self.file, "--round", number, "--table", game["table"], *arguments)
        before = self.run("standings", self.file, "--json")
        self.run("undo", self.file)
        self.run("redo", self.file)
        if self.run("standings", self.file, "--json") != before:
            raise SeasonFailure(f"{self.plan}: undo and redo changed the standings after round {number}")
        self._people(number, leaving=not is_fixed_schedule)
        report = self.draw.choice(REPORTS)
        self.run("print", self.file, report, "-o", self.folder / "paper.pdf", may_fail=True)  # it may be empty

    def _people(self, number: int, *, leaving: bool) -> None:
        somebody = self.draw.randint(1, self.plan.players)
        chance = self.draw.random()
        if leaving and chance < 0.15:
            self.run("withdraw", self.file, somebody, may_fail=True)
        elif leaving and chance < 0.25:
            self.run("return", self.file, somebody, may_fail=True)
        elif leaving and chance < 0.3:
            self.run("do", self.file, "add-player", "division=A", f"name=Latecomer {number}", may_fail=True)
        elif chance < 0.4:
            penalty = ("points", "--round", number, "--points", 10, "--why", "late")
            self.run("sanction", self.file, somebody, *penalty, may_fail=True)

    def _finish(self) -> None:
        for report in REPORTS:
            self.run("print", self.file, report, "-o", self.folder / "paper.pdf", may_fail=True)
        for name in ("out.json", "out.csv", "out.t"):
            self.run("export", self.file, self.folder / name)
        if not self.json("check")["sound"]:
            raise SeasonFailure(f"{self.plan}: check finds it unsound")
        standings = self.json("standings")
        document = json.loads((self.folder / "out.json").read_text(encoding="utf-8"))
        for row, counted in recount(document, standings["rows"]):
            values = {name: Fraction(str(row[name])) for name in counted}
            if values != counted:
                raise SeasonFailure(f"{self.plan}: {row['name']}: {values} stands there, {counted} adds up")
        copy = self.folder / "again.tdapp"
        copy.unlink(missing_ok=True)
        self.run("new", copy, "--name", "Again", "--rules", self.plan.rules)
        self.run("import", copy, self.folder / "out.json")
        if json.loads(self.run("standings", copy, "--json")) != standings:
            raise SeasonFailure(f"{self.plan}: the standings differ after JSON")


def season(count: int, seed: int) -> Iterator[tuple[Plan, int, float, int]]:
    """Play a season, and yield each tournament with its steps, its seconds and the memory used so far (kB)."""
    for plan in plans(count, seed):
        start_time = time.perf_counter()
        with TemporaryDirectory(prefix="season-") as folder:
            event = Tournament(plan, Path(folder), seed)
            event.play()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        yield plan, sum(event.verb_counts.values()), time.perf_counter() - start_time, memory


def main() -> None:
    """Play a season and print a line for each tournament."""
    numbers = [int(word) for word in sys.argv[1:]]
    count, seed = (*numbers, 20, 1)[:2] if len(numbers) != 1 else (numbers[0], 1)
    for plan, verbs, seconds, memory in season(count, seed):
        words = f"{plan.number:3} {plan.rules:18}{plan.system:18}{plan.players:4} players {plan.rounds:3} rounds"
        sys.stdout.write(f"{words} {verbs:4} verbs {seconds:6.1f} s {memory / 1024:6.0f} MB\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
