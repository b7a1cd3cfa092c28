"""The sample tournament: one to look around in, kept in memory only, and files as large as wanted."""

from __future__ import annotations

from functools import partial

from tdapp.desk import Desk, utc_now
from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.ruleset import RuleSet
from tdapp.pairing import demo
from tdapp.services import word_lists
from tdapp.services.open_tournament import OpenTournament
from tdapp.services.resources import Resources
from tdapp.storage import Store
from tdapp.storage.library import Library

PLAYERS, ROUNDS, PLANNED = 24, 5, 7
KEY = "sample"
STILL_OUT = 8  # results of the last round that are left to be typed


def open_demo(tournament: OpenTournament) -> None:
    """Make the sample and open it."""
    resources, language = tournament.resources, tournament.catalogue.language
    presets = list(resources.presets.values())
    rules = next((one for one in presets if one.language == language), presets[0])
    name = tournament.catalogue.text("Sample tournament")
    tournament.open(partial(_with_words, rules, name, tournament.library, resources))


def is_demo(tournament: OpenTournament) -> bool:
    """Return whether the sample is open, as it was made here."""
    return tournament.is_open and tournament.path is None and tournament.tournament.event.id.startswith(KEY)


def play(desk: Desk, *, players: int, rounds: int, planned: int = 0) -> None:
    """Fill an empty tournament with 2 to 400 players, and play 1 to 50 of the `planned` rounds."""
    demo.play(desk.do, lambda: desk.index, players=players, rounds=rounds, key=desk.key, planned=planned)


def sample(rules: RuleSet, name: str, *, wordlist: str = "") -> Desk:
    """Return a desk on a tournament of which five rounds are played; its jury asks the edition `wordlist`."""
    value = commands.new_tournament(key=KEY, name=name, ruleset=rules)
    value = commands.choose_wordlist(value, wordlist=wordlist)
    desk = Desk(Store.memory(value), clock=utc_now)
    play(desk, players=PLAYERS, rounds=ROUNDS, planned=PLANNED)
    for _ in range(STILL_OUT):
        desk.undo()
    return desk


def _with_words(rules: RuleSet, name: str, library: Library, resources: Resources) -> Desk:
    return sample(rules, name, wordlist=_practice(rules, library, resources))


def _practice(rules: RuleSet, library: Library, resources: Resources) -> str:
    """Put our own practice list in the language into the library and return its id; empty if that cannot be."""
    own = [one for one in resources.own_practice_lists if one.language == rules.language]
    if not own:
        return ""
    try:
        return word_lists.bring_practice(library, own[0], joints=word_lists.joints_of(rules)).id
    except UserError:
        return ""
