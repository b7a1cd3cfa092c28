"""Sample tournaments and sessions for tests of windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QSettings

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.entries import PlayerEntry
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import propose_pairings
from tdapp.services.resources import Resources
from tdapp.storage import Store
from tdapp.storage.library import WordListLibrary

RESOURCES = Path(__file__).parents[2] / "resources"
RULES = RuleSet(id="own", name="House rules", language="en", tileset="en", order={"other": ("wins", "spread")})
FIRST_NAMES = (
    "Anna",
    "Björn",
    "Cécile",
    "Dirk",
    "Élodie",
    "Frode",
    "Grietje",
    "Hanna",
    "Ingrid",
    "Jürgen",
    "Kees",
    "Łukasz",
)
LAST_NAMES = (
    "van den Berg",
    "Ødegård",
    "Müller",
    "de Vries",
    "Åsen",
    "Jansen-Pietersen",
    "Nowak",
    "Schröder",
    "Li",
)
A = DivisionId("d1")


@cache
def load_catalogue(language: str) -> Catalogue:
    return Catalogue(language, RESOURCES / "locale")


def make_session(language: str, appearance: Appearance, settings: QSettings, *, inline: bool = True) -> Session:
    library = WordListLibrary(Path(settings.fileName()).parent / "lexicons")
    work = SessionWorker(inline=inline)
    return Session(
        work=work,
        catalogue=load_catalogue(language),
        appearance=appearance,
        resources=Resources(RESOURCES),
        settings=settings,
        library=library,
    )


@cache
def make_tournament(*, players: int, rounds: int = 7) -> Tournament:
    value = commands.new_tournament(key="t", name="Open Leiden 2026", ruleset=RULES)
    value = commands.add_division(value, key=A, code="A", name="Main")
    value = commands.add_stage(
        value, key="s1", division=A, system="swiss", rounds=rounds, settings=PairingSettings(guard_starts=True)
    )
    entries = tuple(make_entry(number) for number in range(1, players + 1))
    return commands.import_players(value, key="p", division=A, entries=entries) if entries else value


def make_entry(number: int) -> PlayerEntry:
    first, last = FIRST_NAMES[number % len(FIRST_NAMES)], LAST_NAMES[number % len(LAST_NAMES)]
    suffix = f" {number // 36 + 1}" if number >= 36 else ""
    player_entry = PlayerEntry(
        number=number, name=f"{last}, {first}{suffix}", rating=1980 - 5 * number, club=f"Club {number % 5}"
    )
    return replace(player_entry, country=("NED", "NOR", "GER", "BEL")[number % 4], category="AB"[number % 2])


def play_rounds(
    value: Tournament,
    rounds: int,
    *,
    missing_results: int = 0,
    score: Callable[[int], tuple[int, int]] = lambda table: (400 + table, 380),
) -> Tournament:
    """Play more rounds with a score for each table. Leave out `missing_results` results of the last round."""
    for number in range(1, rounds + 1):
        proposal = propose_pairings(TournamentIndex(value), A)
        value = commands.pair_round(value, key=f"r{proposal.number}", proposal=proposal)
        index = TournamentIndex(value)
        games = index.games(index.rounds(A)[-1].id)
        for game in games[: len(games) - (missing_results if number == rounds else 0)]:
            first, second = score(game.table)
            value = commands.enter_result(value, game=game.id, first=first, second=second)
    return value


def make_desk(value: Tournament) -> Desk:
    seconds = count()
    return Desk(Store.create_in_memory(value), station="test", clock=partial(_make_time, seconds))


def _make_time(seconds: Iterator[int]) -> str:
    second = next(seconds)
    return f"2026-11-21T10:{second // 60 % 60:02}:{second % 60:02}+00:00"
