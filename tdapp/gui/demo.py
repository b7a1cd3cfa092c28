"""A sample tournament to look around in, kept in memory only."""

from __future__ import annotations

from functools import partial

from tdapp.desk import DIRECTOR, Desk, utc_now
from tdapp.domain import commands
from tdapp.domain.ruleset import RuleSet
from tdapp.exchange.presets import read_presets
from tdapp.gui.session import Session
from tdapp.pairing import demo
from tdapp.storage import Store

PLAYERS, ROUNDS = 24, 5
STILL_OUT = 8  # results of the last round that are left to be typed


def open_demo(session: Session) -> None:
    """Make the sample and open it."""
    presets = list(read_presets(session.resources / "rulesets").values())
    rules = next((one for one in presets if one.language == session.catalogue.language), presets[0])
    session.open(partial(sample, rules, session.catalogue.text("Sample tournament")))


def sample(rules: RuleSet, name: str) -> Desk:
    """Return a desk on a tournament of which five rounds are played."""
    value = commands.new_tournament(key="sample", name=name, ruleset=rules)
    desk = Desk(Store.memory(value), station=DIRECTOR, clock=utc_now)
    demo.play(desk.do, lambda: desk.index, players=PLAYERS, rounds=ROUNDS, key=desk.key)
    for _ in range(STILL_OUT):
        desk.undo()
    return desk
