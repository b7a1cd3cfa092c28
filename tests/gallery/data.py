"""Tournaments to look at: one without players, one of 24 in its fifth round, large ones such as 300x25."""

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
from tdapp.domain.index import Index
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import ByeKind, DivisionId, Player, PlayerId, PrizeKind
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_presets
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import SanctionKind
from tests.domain.tournament_lines import build_crosstable
from tests.gui.samples import RESOURCES, make_entry

A, B = DivisionId("d1"), DivisionId("d2")
MANY, ROUNDS = 300, 25
RULES = "nl-match"


@cache
def empty_session() -> Tournament:
    """A tournament as the assistant leaves it, without players."""
    value = commands.new_tournament(
        key="t", name="Open Leiden 2026", ruleset=read_presets(RESOURCES / "rulesets")[RULES]
    )
    value = commands.add_division(value, key=A, code="A", name="Main")
    return commands.add_stage(value, key="s1", division=A, system="swiss", rounds=7)


@cache
def typical() -> Tournament:
    """24 players in their fifth round, four tables still out; a knockout of eight beside it."""
    value = commands.import_players(
        empty_session(), key="p", division=A, entries=tuple(map(make_entry, range(1, 25)))
    )
    chance = random.Random(4)
    for number in range(1, 6):
        if number == 5:
            last = Index(value).players(A)[-1].id
            value = commands.set_absence(value, key="absent", player=last, first_round=5, kind=ByeKind.ABSENT)
        value = commands.pair_round(value, key=f"r{number}", proposal=propose_pairings(Index(value), A))
        games = Index(value).games(Index(value).rounds(A)[-1].id)
        for game in games[: 7 if number == 5 else None]:
            first, second = chance.randint(280, 520), chance.randint(280, 520)
            value = commands.enter_result(value, game=game.id, first=first, second=second)
            if number < 5 or game.table < 4:
                value = commands.check_result(value, game=game.id, author="Jury")
    return _knockout(_happenings(value))


def sized(players: int, rounds: int) -> Tournament:
    """Return an event as large as wanted; its last round is half in."""
    chance = random.Random(1)
    lines = []
    for number in range(1, rounds + 1):
        seats = chance.sample(range(1, players + 1), players)
        tables = list(zip(seats[::2], seats[1::2], strict=True))
        half = len(tables) // 2 if number == rounds else len(tables)
        lines.append(
            [f"{a}-{b} {chance.randint(280, 520)}:{chance.randint(280, 520)}" for a, b in tables[:half]]
            + [f"{a}-{b}" for a, b in tables[half:]]
        )
    rules = read_presets(RESOURCES / "rulesets")[RULES]
    ratings = {number: 2400 - 1500 * number // players for number in range(1, players + 1)}
    value = build_crosstable(lines, players=players, ratings=ratings, rules=rules)
    return value.put(*map(_named, value.players.values()))


def _named(player: Player) -> Player:
    name_and_data = make_entry(player.number)
    return replace(
        player,
        name=name_and_data.name,
        club=name_and_data.club,
        country=name_and_data.country,
        category=name_and_data.category,
    )


def _happenings(value: Tournament) -> Tournament:
    timestamp = "2026-11-21T10:30:00+00:00"
    value = commands.note_incident(
        value,
        key="i1",
        division=A,
        kind=IncidentKind.TILES,
        at=timestamp,
        round_number=5,
        table=2,
        note="Eight on a rack",
    )
    value = commands.note_incident(
        value,
        key="i2",
        division=A,
        kind=IncidentKind.EXTRA_TIME,
        at=timestamp,
        round_number=4,
        table=7,
        seconds=180,
    )
    value = commands.add_sanction(
        value, key="w1", player=PlayerId("p.3"), kind=SanctionKind.WARNING, why="Telephone rang", round_number=4
    )
    value = commands.add_fee(commands.edit_event(value, currency="EUR"), key="f1", division=A, amount=2500)
    value = commands.add_fee(value, key="f2", division=A, amount=1250, category="J")
    value = commands.note_paid(value, players=tuple(PlayerId(f"p.{number}") for number in range(1, 20)))
    for rank in (1, 2, 3):
        value = commands.add_prize(
            value, key=f"z{rank}", division=A, kind=PrizeKind.RANK, place=rank, amount=10_000 * (4 - rank)
        )
    return commands.add_prize(value, key="z4", division=A, kind=PrizeKind.HIGH_GAME, text="A dictionary")


def _knockout(value: Tournament) -> Tournament:
    value = commands.add_division(value, key=B, code="B", name="Cup")
    value = commands.add_stage(value, key="s2", division=B, system="knockout", rounds=3)
    entries = tuple(replace(make_entry(number + 24), number=number) for number in range(1, 9))
    value = commands.import_players(value, key="q", division=B, entries=entries)
    value = commands.pair_round(value, key="k1", proposal=propose_pairings(Index(value), B))
    for index, game in enumerate(Index(value).games(Index(value).rounds(B)[-1].id)):
        if index < 3:
            value = commands.enter_result(value, game=game.id, first=380 + index, second=350)
    return value


DATA: Mapping[str, Callable[[], Tournament]] = MappingProxyType(
    {
        "empty": empty_session,
        "typical": typical,
        "large": partial(sized, MANY, ROUNDS),
        "24x7": partial(sized, 24, 7),
        "300x12": partial(sized, 300, 12),
        "1000x15": partial(sized, 1000, 15),
    }
)


def desk_of(name: str, folder: Path, *, steps: int = 0) -> Desk:
    """Return a desk on a new file with one of DATA. Its last change can be undone.

    Before it, `steps` changes each correct a result.
    """
    path = folder / f"Open Leiden {name}.tdapp"
    path.unlink(missing_ok=True)
    seconds = count()
    desk = Desk.create(path, DATA[name](), clock=partial(_tick, seconds), station="Director")
    division = desk.index.divisions[0]
    slip = partial(commands.enter_result, first=400, second=300, confirmed=True, reason="Slip")
    for game in sorted(desk.tournament.results)[:steps]:
        desk.do(partial(slip, game=game), label="enter-result")
    desk.do(partial(commands.edit_division, division=division.id, name="Main hall"))
    return desk


def _tick(seconds: count[int]) -> str:
    elapsed = next(seconds)
    return f"2026-11-21T10:{elapsed // 60 % 60:02}:{elapsed % 60:02}+00:00"
