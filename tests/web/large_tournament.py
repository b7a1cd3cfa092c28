"""A tournament in round 2 with 60 players in two divisions. One name has 41 letters."""

from __future__ import annotations

from base64 import b64encode
from functools import cache

from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tests.building import RESOURCES, load_rule_set
from tests.web.running_server import KEY

LONGEST = "García Márquez y Fernández de Córdoba Bob"
_FIRST = ("Kees", "Torbjørn", "Anneke", "Guðrún", "Siobhán", "Åse", "Marie-Claire")
_LAST = (
    "Ó Súilleabháin", "ter Horst-van 't Hof", "Vandenbroucke", "de Vries", "Leeuwenburg", "O'Connor",
    "Þórðardóttir", "Huisman", "Østby",
)  # fmt: skip


@cache
def make_large_tournament() -> Tournament:
    name = "62nd Open Championship of the Low Countries"
    value = commands.new_tournament(key="t", name=name, ruleset=load_rule_set(), seed=7)
    value = commands.edit_event(value, place="Leiden", date="2026-11-21")
    for code, players in (("A", 32), ("B", 28)):
        division = DivisionId(code)
        value = commands.add_division(value, key=division, code=code)
        value = commands.add_stage(value, key=f"s{code}", division=division, system="swiss", rounds=6)
        for number in range(players):
            last, first = _LAST[number % len(_LAST)], _FIRST[number % len(_FIRST)]
            name = f"{last}, {first}" if number else LONGEST
            value = commands.add_player(
                value, key=f"{code}{number}", division=division, name=name, rating=2000 - number, country="NED"
            )
        for round_number in (1, 2):
            proposal = propose_pairings(TournamentIndex(value), division)
            value = commands.pair_round(value, key=f"{code}-{round_number}", proposal=proposal)
            index = TournamentIndex(value)
            games = index.games(index.rounds(division)[-1].id) if round_number == 1 else ()
            for game_index, game in enumerate(games):
                value = commands.enter_result(
                    value, game=game.id, first=400 + game_index, second=390 - 2 * game_index
                )
    picture = b64encode((RESOURCES / "pictures" / "window.png").read_bytes()).decode()
    value = commands.set_logo(value, name="club.png", data=picture) if len(picture) < 10**6 else value
    return commands.open_entry(replace(value, secret="of the tests"), key=KEY)  # noqa: S106
