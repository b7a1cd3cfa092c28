"""Points for time in an annotated game, taken into a sheet as the overtime that costs them.

A file says what overtime cost and not how long it was; a sheet has clocks and leaves the points to the rule set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tdapp.domain import account
from tdapp.domain.ruleset import RuleSet
from tdapp.scrabble.gcg import EventKind, GcgEvent
from tdapp.scrabble.sheet import Sheet


def clocked(sheet: Sheet, events: Sequence[GcgEvent], rules: RuleSet) -> tuple[Sheet, tuple[GcgEvent, ...]]:
    """Return a sheet with the overtime that the points of its file's `events` tell, and those that tell none.

    Overtime comes in whole minutes: 20 points at 10 a started minute are 2:00.
    """
    seconds = [0] * len(sheet.players)
    left: list[GcgEvent] = []
    for event in events:
        found = account.overtime_for(rules.overtime, event.points) if event.kind is EventKind.TIME else None
        if found is None:
            left.append(event)
        else:
            seconds[event.player - 1] += found
    beyond = account.beyond(rules.overtime, seconds)
    if beyond or not any(seconds):
        return sheet, tuple(events)
    return replace(sheet, overtime_seconds=tuple(seconds)), tuple(left)
