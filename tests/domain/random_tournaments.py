"""Small tournaments by lot in which everything has happened that can: rich for their size."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from tdapp.domain.game_results import store_result
from tdapp.domain.index import Index
from tdapp.domain.jury_rows import Sanction, SanctionId, ScoreSheet, SheetId, TurnRuling
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    ByeKind,
    Forfeit,
    Game,
    PlayerId,
    Prize,
    PrizeId,
    PrizeKind,
    ResultState,
    RoundId,
    StageId,
    Start,
)
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.sheet import SanctionKind, parse_sheet
from tests.building import DIVISION, event
from tests.domain.results import with_players
from tests.domain.tournament_lines import round_rows

PLAYERS, ROUNDS = 9, 6
KINDS_OF_SANCTIONS = [one for one in SanctionKind if one is not SanctionKind.TEAM]
KINDS = ("bye", "requested", "absent", "forfeit")


def rich(seed: int, rules: str = "no-nsf") -> Tournament:
    """Return six rounds of nine players: ties, forfeits, all byes, sanctions, clocks, who left or came late."""
    rng, value = Random(seed), event(PLAYERS, rounds=8, rules=rules)
    value = with_players(
        value,
        rating=[2000, 1850, None, 1700, 1650, 1500, None, 1400, 1200],
        rated_games=[None, 10, 0, 60, 49, 50, 3, None, 20],
        category=["A", "a ", "B", "B", "", "junior", "Junior, b", "b", "C"],
        club=["X", "x", "", "Y", "Y", "Z", "", "Z", "W"],
        country=["no", "no", "NL", "nl", "", "de", "be", "", "no"],
        team=["t", "t", "u", "u", "v", "v", "", "", "t"],
    )
    for number in range(1, ROUNDS + 1):
        value = with_round(value, rng, number)
    value = value.put(Absence(AbsenceId("left"), PlayerId("p8"), 5, None, rng.choice([None, *ByeKind])))
    value = value.put(Absence(AbsenceId("once"), PlayerId("p3"), 7, 7, ByeKind.REQUESTED))
    value = value.put(*prizes(rng))
    return value.put(replace(value.divisions[DIVISION], spread_caps=rng.choice([(), (20, 0, 60)])))


def with_round(value: Tournament, rng: Random, number: int) -> Tournament:
    """Return the tournament with one more round: who has left or is not there yet is not in it."""
    missing = {8} if number > 4 else {9} if number < 3 else set()
    there = [one for one in range(1, PLAYERS + 1) if one not in missing]
    rng.shuffle(there)
    lines = []
    for one, two in zip(there[::2], there[1::2], strict=False):
        outcome = points(rng) if rng.random() < 0.8 else f"forfeit {rng.choice(['1', '2', 'both'])}"
        lines.append(f"{one}-{two} {outcome}")
    if len(there) % 2:
        lines.append(f"{there[-1]} {rng.choice(KINDS)}{rng.choice(['', ' 25', ' -7'])}")
    if number == 1:
        lines.append("9 absent")
    value = value.put(*round_rows(StageId("s"), number, lines))
    last = number == ROUNDS
    for game in Index(value).games(RoundId(f"r{number}")):
        value = (
            value if value.results[game.id].forfeit else happened(value, rng, game, open_=last and game.table == 1)
        )
    return value


def points(rng: Random) -> str:
    first = rng.randint(300, 500)
    return f"{first}:{first + rng.choice([0, 0, 1, -1, 10, -20, 90, -90, 250])}"


def happened(value: Tournament, rng: Random, game: Game, *, open_: bool) -> Tournament:
    """Return the tournament with what else happened in a game: nothing mostly."""
    result, what = value.results[game.id], rng.random()
    if open_:
        return value.drop(result)
    if what < 0.1:
        value = value.put(sanction(value, rng, game))
    if what < 0.2:
        result = replace(result, overtime=rng.choice([(61, 0), (0, 60), (301, 10), (0, 400)]))
    elif what < 0.3:
        result = replace(result, flag=rng.choice([Forfeit.FIRST, Forfeit.SECOND]))
    elif what < 0.5:
        value = value.put(sanction(value, rng, game))
    elif what < 0.6:
        value = value.put(replace(game, start=rng.choice([Start.DRAW, Start.DRAWN])))
    elif what < 0.8:
        value = value.put(*forms(rng, game))
    return store_result(value, replace(result, state=rng.choice(list(ResultState))))


def sanction(value: Tournament, rng: Random, game: Game) -> Sanction:
    kind, number = rng.choice(KINDS_OF_SANCTIONS), rng.choice([value.rounds[game.round].number] * 3 + [None])
    cost = rng.randint(5, 60) if kind.is_in_points else 0
    who = rng.choice([game.first, game.second])
    return Sanction(SanctionId(f"x{len(value.sanctions)}"), who, number, kind, cost, "shouting")


def forms(rng: Random, game: Game) -> list[ScoreSheet]:
    """Return one or two forms of a game, with both ways of ruling a turn wrong."""
    turns = [
        {"player": 1 + place % 2, "kind": "play", "word": f"WOORD{'ABCDEF'[place]}", "score": rng.randint(20, 130)}
        for place in range(6)
    ]
    turns[rng.randrange(6)]["ruling"] = "phony"
    turns.append({"player": 1, "kind": "pass"})
    sheet = parse_sheet(
        {
            "players": ["a", "b"],
            "turns": turns,
            "ended": rng.choice(["out", "passes", "open"]),
            "rack_values": [0, 4],
        }
    )
    wrong = (TurnRuling(rng.randint(1, 6), phony=rng.random() < 0.7, author="J", why="no"),)
    count = rng.randint(1, 2)
    return [ScoreSheet(SheetId(f"{game.id}.f{form}"), game.id, form, sheet, wrong) for form in range(1, count + 1)]


def prizes(rng: Random) -> list[Prize]:
    """Return prizes of every kind, several for one place, of classes and in kind."""
    found: list[Prize] = []

    def add(kind: PrizeKind, place: int = 1, **more: object) -> None:
        number, amount = len(found) + 1, rng.choice([0, 1000, 999, 2501])
        made = Prize(PrizeId(f"z{number}"), DIVISION, number, kind, place, amount=amount)
        found.append(replace(made, **more))

    for place in (1, 1, 2, 3, 5):
        add(PrizeKind.RANK, place)
    for category in ("B", " b", "junior", "C", "D"):
        add(PrizeKind.CATEGORY, rng.randint(1, 2), category=category)
    add(PrizeKind.RANK, 1, category="b")
    for kind in (PrizeKind.HIGH_GAME, PrizeKind.HIGH_LOSS, PrizeKind.HIGH_PLAY, PrizeKind.BIG_WIN):
        for place in (1, 2):
            add(kind, place)
        add(kind, 1, category="B")
    for kind in (PrizeKind.LUCKY_STIFF, PrizeKind.TUFF_LUCK):
        for games in (1, 2, 6):
            add(kind, games=games)
        add(kind, 2, games=1)
    add(PrizeKind.HAND, player=PlayerId("p4"))
    add(PrizeKind.HAND, text="nobody yet")
    return found
