"""A station process that saves random steps. It prints one line for each saved step.

TDAPP_STATION is the address of the tournament. The arguments are a seed and the number of steps.
"""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from random import Random

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError, StorageError
from tdapp.domain.journal import Step
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.roles import Role
from tdapp.storage import Address
from tests.building import DIVISION


def print_line(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def run_random_command(desk: Desk, random: Random) -> Step | None:
    """Run a random command that the role allows. Return the new step, or None without a change."""
    chance = random.random()
    if chance < 0.15:
        if chance < 0.1:
            desk.undo()
        else:
            desk.redo()
        return desk.list_all_steps()[-1]
    if desk.role is Role.JURY and chance < 0.4:
        note = partial(
            commands.note_incident,
            key=desk.make_row_id(),
            division=DIVISION,
            kind=IncidentKind.OTHER,
            note=f"n{random.randrange(10**9)}",
            at="2026-01-02T03:04:05Z",
        )
        diff = desk.do(note, label="note-incident")
        return desk.list_all_steps()[-1] if diff else None
    game = random.choice(sorted(desk.tournament.games))
    result_before = commands.ResultBeforeChange(desk.tournament.results.get(game))
    if chance < 0.5:
        time.sleep(random.uniform(0, 0.03))  # time to type
    first, second = random.randrange(301, 500), random.randrange(200, 300)
    diff = desk.do(partial(commands.enter_result, game=game, seen=result_before, first=first, second=second))
    return desk.list_all_steps()[-1] if diff else None


def main(seed: int, count: int) -> None:
    random, done_count = Random(seed), 0
    desk: Desk | None = None
    while done_count < count:
        try:
            if desk is None:
                desk = Desk.open(Address.parse(os.environ["TDAPP_STATION"]))
            if random.random() < 0.5:
                desk.apply_changes_of_other_computers()
            step = run_random_command(desk, random)
        except CommandError as error:
            print_line("refused", error.code, *(error.facts.get(name, "-") for name in ("who", "when")))
        except StorageError as error:
            print_line("trouble", error.code)
            time.sleep(0.05)
        else:
            if step is not None:
                facts = step.facts
                print_line("done", step.seq, step.label, facts.get("first", "-"), facts.get("second", "-"))
                done_count += 1


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
