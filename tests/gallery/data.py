"""Tournaments of the gallery: without players, 24 players in round 5, and large ones such as 300x25."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import count
from pathlib import Path
from types import MappingProxyType

from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import ByeKind, DivisionId, Player, PlayerId, PrizeKind
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_rulesets
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import SanctionKind
from tests.domain.tournament_lines import build_crosstable
from tests.gui.samples import RESOURCES, make_entry

A, B = DivisionId("d1"), DivisionId("d2")
MANY, ROUNDS = 300, 25
RULES = "nl-match"


@cache
def make_empty_tournament() -> Tournament:
    """Return a new tournament with one division and no players."""
    tournament = commands.new_tournament(
        key="t", name="Open Leiden 2026", ruleset=read_rulesets(RESOURCES / "rulesets")[RULES]
    )
    tournament = commands.add_division(tournament, key=A, code="A", name="Main")
    return commands.add_stage(tournament, key="s1", division=A, system="swiss", rounds=7)


@cache
def make_typical_tournament() -> Tournament:
    """Return 24 players in round 5 with four missing results, and a knockout of eight players."""
    tournament = commands.import_players(
        make_empty_tournament(), key="p", division=A, entries=tuple(map(make_entry, range(1, 25)))
    )
    random_numbers = random.Random(4)
    for number in range(1, 6):
        if number == 5:
            last_player = TournamentIndex(tournament).players(A)[-1].id
            tournament = commands.set_absence(
                tournament, key="absent", player=last_player, first_round=5, kind=ByeKind.ABSENT
            )
        tournament = commands.pair_round(
            tournament, key=f"r{number}", proposal=propose_pairings(TournamentIndex(tournament), A)
        )
        games = TournamentIndex(tournament).games(TournamentIndex(tournament).rounds(A)[-1].id)
        for game in games[: 7 if number == 5 else None]:
            first, second = random_numbers.randint(280, 520), random_numbers.randint(280, 520)
            tournament = commands.enter_result(tournament, game=game.id, first=first, second=second)
            if number < 5 or game.table < 4:
                tournament = commands.check_result(tournament, game=game.id, author="Jury")
    return add_knockout(add_incidents_and_prizes(tournament))


def make_sized_tournament(players: int, rounds: int) -> Tournament:
    """Return a tournament of this size. Half of the results of the last round are missing."""
    random_numbers = random.Random(1)
    lines = []
    for number in range(1, rounds + 1):
        numbers = random_numbers.sample(range(1, players + 1), players)
        tables = list(zip(numbers[::2], numbers[1::2], strict=True))
        result_count = len(tables) // 2 if number == rounds else len(tables)
        lines.append(
            [
                f"{first}-{second} {random_numbers.randint(280, 520)}:{random_numbers.randint(280, 520)}"
                for first, second in tables[:result_count]
            ]
            + [f"{first}-{second}" for first, second in tables[result_count:]]
        )
    rules = read_rulesets(RESOURCES / "rulesets")[RULES]
    ratings = {number: 2400 - 1500 * number // players for number in range(1, players + 1)}
    tournament = build_crosstable(lines, players=players, ratings=ratings, rules=rules)
    return tournament.put(*map(add_name_and_club, tournament.players.values()))


def add_name_and_club(player: Player) -> Player:
    entry = make_entry(player.number)
    return replace(
        player,
        name=entry.name,
        club=entry.club,
        country=entry.country,
        category=entry.category,
    )


def add_incidents_and_prizes(tournament: Tournament) -> Tournament:
    timestamp = "2026-11-21T10:30:00+00:00"
    tournament = commands.note_incident(
        tournament,
        key="i1",
        division=A,
        kind=IncidentKind.TILES,
        at=timestamp,
        round_number=5,
        table=2,
        note="Eight on a rack",
    )
    tournament = commands.note_incident(
        tournament,
        key="i2",
        division=A,
        kind=IncidentKind.EXTRA_TIME,
        at=timestamp,
        round_number=4,
        table=7,
        seconds=180,
    )
    tournament = commands.add_sanction(
        tournament,
        key="w1",
        player=PlayerId("p.3"),
        kind=SanctionKind.WARNING,
        why="Telephone rang",
        round_number=4,
    )
    tournament = commands.add_fee(
        commands.edit_event(tournament, currency="EUR"), key="f1", division=A, amount=2500
    )
    tournament = commands.add_fee(tournament, key="f2", division=A, amount=1250, category="J")
    tournament = commands.note_paid(tournament, players=tuple(PlayerId(f"p.{number}") for number in range(1, 20)))
    for rank in (1, 2, 3):
        tournament = commands.add_prize(
            tournament, key=f"z{rank}", division=A, kind=PrizeKind.RANK, place=rank, amount=10_000 * (4 - rank)
        )
    return commands.add_prize(tournament, key="z4", division=A, kind=PrizeKind.HIGH_GAME, text="A dictionary")


def add_knockout(tournament: Tournament) -> Tournament:
    tournament = commands.add_division(tournament, key=B, code="B", name="Cup")
    tournament = commands.add_stage(tournament, key="s2", division=B, system="knockout", rounds=3)
    entries = tuple(replace(make_entry(number + 24), number=number) for number in range(1, 9))
    tournament = commands.import_players(tournament, key="q", division=B, entries=entries)
    tournament = commands.pair_round(
        tournament, key="k1", proposal=propose_pairings(TournamentIndex(tournament), B)
    )
    for index, game in enumerate(TournamentIndex(tournament).games(TournamentIndex(tournament).rounds(B)[-1].id)):
        if index < 3:
            tournament = commands.enter_result(tournament, game=game.id, first=380 + index, second=350)
    return tournament


DATA: Mapping[str, Callable[[], Tournament]] = MappingProxyType(
    {
        "empty": make_empty_tournament,
        "typical": make_typical_tournament,
        "large": partial(make_sized_tournament, MANY, ROUNDS),
        "24x7": partial(make_sized_tournament, 24, 7),
        "300x12": partial(make_sized_tournament, 300, 12),
        "1000x15": partial(make_sized_tournament, 1000, 15),
    }
)


def create_desk(name: str, folder: Path, *, steps: int = 0) -> Desk:
    """Return a desk on a new file with one of DATA. Its last step can be undone.

    `steps` earlier steps correct one result each.
    """
    path = folder / f"Open Leiden {name}.tdapp"
    path.unlink(missing_ok=True)
    seconds = count()
    desk = Desk.create(path, DATA[name](), clock=partial(make_time, seconds), station="Director")
    division = desk.index.divisions[0]
    correct_result = partial(commands.enter_result, first=400, second=300, confirmed=True, reason="Slip")
    for game in sorted(desk.tournament.results)[:steps]:
        desk.do(partial(correct_result, game=game), label="enter-result")
    desk.do(partial(commands.edit_division, division=division.id, name="Main hall"))
    return desk


def make_time(seconds: count[int]) -> str:
    elapsed = next(seconds)
    return f"2026-11-21T10:{elapsed // 60 % 60:02}:{elapsed % 60:02}+00:00"
