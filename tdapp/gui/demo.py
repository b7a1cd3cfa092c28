"""A sample tournament to look around in, kept in memory only."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tdapp.desk import Desk, utc_now
from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.ruleset import RuleSet
from tdapp.exchange.presets import read_presets
from tdapp.exchange.wordlist import practice_lists
from tdapp.gui import word_lists
from tdapp.gui.session import Session
from tdapp.pairing import demo
from tdapp.storage import Store
from tdapp.storage.shelf import Shelf

PLAYERS, ROUNDS, PLANNED = 24, 5, 7
KEY = "sample"
STILL_OUT = 8  # results of the last round that are left to be typed


def open_demo(session: Session) -> None:
    """Make the sample and open it."""
    presets = list(read_presets(session.resources / "rulesets").values())
    rules = next((one for one in presets if one.language == session.catalogue.language), presets[0])
    name = session.catalogue.text("Sample tournament")
    session.open(partial(_with_words, rules, name, session.shelf, session.resources))


def is_demo(session: Session) -> bool:
    """Tell whether the sample is open, as it was made here."""
    return session.is_open and session.path is None and session.tournament.event.id.startswith(KEY)


def _with_words(rules: RuleSet, name: str, shelf: Shelf, resources: Path) -> Desk:
    return sample(rules, name, wordlist=_practice(rules, shelf, resources))


def _practice(rules: RuleSet, shelf: Shelf, resources: Path) -> str:
    """Put our own practice list in the language on the shelf and return its id; empty if that cannot be."""
    folder = resources / "lexicons"
    own = [one for one in practice_lists(folder) if one.path.parent == folder and one.language == rules.language]
    if not own:
        return ""
    try:
        return word_lists.bring_practice(shelf, own[0], joints=word_lists.joints_of(rules)).id
    except UserError:
        return ""


def sample(rules: RuleSet, name: str, *, wordlist: str = "") -> Desk:
    """Return a desk on a tournament of which five rounds are played; its jury asks the edition `wordlist`."""
    value = commands.new_tournament(key=KEY, name=name, ruleset=rules)
    value = commands.choose_wordlist(value, wordlist=wordlist)
    desk = Desk(Store.memory(value), clock=utc_now)
    demo.play(desk.do, lambda: desk.index, players=PLAYERS, rounds=ROUNDS, key=desk.key, planned=PLANNED)
    for _ in range(STILL_OUT):
        desk.undo()
    return desk
