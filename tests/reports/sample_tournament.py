"""Sample tournaments of any size, with international names."""

from __future__ import annotations

from pathlib import Path

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Bye,
    ByeId,
    ByeKind,
    Division,
    DivisionId,
    Event,
    EventId,
    Game,
    GameId,
    Player,
    PlayerId,
    Result,
    ResultState,
    Round,
    RoundId,
    RoundState,
    RulesId,
    Stage,
    StageId,
    TournamentRules,
)
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.tournament import Tournament

FONTS = Path("resources/fonts")
LOCALE = Path("resources/locale")
GIVEN_NAMES = (
    "Kari",
    "Jan-Willem",
    "Małgorzata",
    "Jiří",
    "Anneliese",
    "Øyvind",
    "Bjørn",
    "Zoë",
    "Hans-Jürgen",
    "Li",
)
FAMILY_NAMES = (
    "Hansen", "van der Berg", "Wójcik-Szczęsna", "Dvořák", "Müller", "Ødegård", "Ångström", "de Vries", "Groß",
    "Ng", "Christodoulou",
)  # fmt: skip
COUNTRIES = ("NL", "NO", "DE")
LONG_NAME = "Anastasia Papadopoulos-Christodoulou van Wijngaarden"


def make_name(number: int) -> str:
    """Return a unique name. One name in forty is long."""
    given_name, family_name = GIVEN_NAMES[number % len(GIVEN_NAMES)], FAMILY_NAMES[number % len(FAMILY_NAMES)]
    name = LONG_NAME if number % 40 == 7 else f"{given_name} {family_name}"
    return name + (f" {number // 40 + 1}" if number >= 40 else "")


def make_tournament(
    count: int, *, rounds: int = 3, divisions: tuple[str, ...] = ("A",), open_last: bool = True
) -> Tournament:
    """Return a tournament with `count` players in each division.

    If `open_last`, the last round has no results.
    """
    order = {"other": ("wins", "resistance", "spread")}
    rules = RuleSet("own", "Own", "en", "en", order)
    event = Event(EventId("e"), "Open Leiden Scrabble 2026", "Leiden", "2026-11-21", "T. Director")
    tournament = Tournament().put(event, TournamentRules(RulesId("r"), rules))
    first_table = 1
    for code in divisions:
        tournament = _add_division(
            tournament, code, count, rounds=rounds, first_table=first_table, open_last=open_last
        )
        first_table += count // 2
    return tournament


def _add_division(
    tournament: Tournament, code: str, count: int, *, rounds: int, first_table: int, open_last: bool
) -> Tournament:
    division = Division(DivisionId(code), code, first_table=first_table)
    stage = Stage(StageId(f"{code}s"), division.id, 1, "swiss", rounds)
    players = [
        Player(PlayerId(f"{code}{n}"), division.id, n + 1, make_name(n), 1800 - 3 * n, country=COUNTRIES[n % 3])
        for n in range(count)
    ]
    rows: list[Round | Game | Bye | Result] = []
    for number in range(1, rounds + 1):
        round_row = Round(RoundId(f"{code}r{number}"), stage.id, number, RoundState.PUBLISHED)
        rows.append(round_row)
        order = players[number:] + players[:number]
        for table in range(count // 2):
            first, second = order[table], order[-1 - table]
            game = Game(GameId(f"{round_row.id}g{table}"), round_row.id, first_table + table, first.id, second.id)
            rows.append(game)
            if number < rounds or not open_last:
                points = 350 + (table * 37 + number * 53) % 180
                opponent_points = points if table == 2 else 330 + (table * 71 + number * 29) % 190
                rows.append(Result(game.id, ResultState.CHECKED, points, opponent_points))
        if count % 2:
            rows.append(Bye(ByeId(f"{round_row.id}b"), round_row.id, order[count // 2].id, ByeKind.BYE))
    return tournament.put(division, stage, *players, *rows)


def make_index(
    count: int, *, rounds: int = 3, divisions: tuple[str, ...] = ("A",), open_last: bool = True
) -> TournamentIndex:
    return TournamentIndex(make_tournament(count, rounds=rounds, divisions=divisions, open_last=open_last))
