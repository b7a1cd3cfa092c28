"""Random small tournaments with byes, forfeits, sanctions, clocks, sheets and prizes."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from tdapp.domain.game_results import store_recomputed_result
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import Sanction, SanctionId, ScoreSheet, SheetId, TurnRuling
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    ByeKind,
    Game,
    GameSide,
    PlayerId,
    Prize,
    PrizeId,
    PrizeKind,
    ResultState,
    RoundId,
    StageId,
    StartDecision,
)
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.sheet import SanctionKind, parse_sheet
from tests.building import DIVISION, make_event
from tests.domain.results import set_player_fields
from tests.domain.tournament_lines import make_round_rows

PLAYERS, ROUNDS = 9, 6
SANCTION_KINDS = [kind for kind in SanctionKind if kind is not SanctionKind.TEAM]
BYE_KINDS = ("bye", "requested", "absent", "forfeit")


def build_eventful_tournament(seed: int, rules: str = "no-nsf") -> Tournament:
    """Return six rounds of nine players with ties, forfeits, byes, sanctions, and late or withdrawn players."""
    rng, value = Random(seed), make_event(PLAYERS, rounds=8, rules=rules)
    value = set_player_fields(
        value,
        rating=[2000, 1850, None, 1700, 1650, 1500, None, 1400, 1200],
        rated_games=[None, 10, 0, 60, 49, 50, 3, None, 20],
        category=["A", "a ", "B", "B", "", "junior", "Junior, b", "b", "C"],
        club=["X", "x", "", "Y", "Y", "Z", "", "Z", "W"],
        country=["no", "no", "NL", "nl", "", "de", "be", "", "no"],
        team=["t", "t", "u", "u", "v", "v", "", "", "t"],
    )
    for number in range(1, ROUNDS + 1):
        value = add_round(value, rng, number)
    value = value.put(Absence(AbsenceId("left"), PlayerId("p8"), 5, None, rng.choice([None, *ByeKind])))
    value = value.put(Absence(AbsenceId("once"), PlayerId("p3"), 7, 7, ByeKind.REQUESTED))
    value = value.put(*make_prizes(rng))
    return value.put(replace(value.divisions[DIVISION], spread_caps=rng.choice([(), (20, 0, 60)])))


def add_round(value: Tournament, rng: Random, number: int) -> Tournament:
    """Add a round without withdrawn and late players."""
    missing = {8} if number > 4 else {9} if number < 3 else set()
    present_numbers = [player_number for player_number in range(1, PLAYERS + 1) if player_number not in missing]
    rng.shuffle(present_numbers)
    lines = []
    for first_number, second_number in zip(present_numbers[::2], present_numbers[1::2], strict=False):
        outcome = choose_points(rng) if rng.random() < 0.8 else f"forfeit {rng.choice(['1', '2', 'both'])}"
        lines.append(f"{first_number}-{second_number} {outcome}")
    if len(present_numbers) % 2:
        lines.append(f"{present_numbers[-1]} {rng.choice(BYE_KINDS)}{rng.choice(['', ' 25', ' -7'])}")
    if number == 1:
        lines.append("9 absent")
    value = value.put(*make_round_rows(StageId("s"), number, lines))
    last = number == ROUNDS
    for game in TournamentIndex(value).games(RoundId(f"r{number}")):
        value = (
            value
            if value.results[game.id].forfeit
            else add_random_incident(value, rng, game, open_=last and game.table == 1)
        )
    return value


def choose_points(rng: Random) -> str:
    first = rng.randint(300, 500)
    return f"{first}:{first + rng.choice([0, 0, 1, -1, 10, -20, 90, -90, 250])}"


def add_random_incident(value: Tournament, rng: Random, game: Game, *, open_: bool) -> Tournament:
    """Sometimes add a random incident to a game."""
    result, chance = value.results[game.id], rng.random()
    if open_:
        return value.drop(result)
    if chance < 0.1:
        value = value.put(make_random_sanction(value, rng, game))
    if chance < 0.2:
        result = replace(result, overtime=rng.choice([(61, 0), (0, 60), (301, 10), (0, 400)]))
    elif chance < 0.3:
        result = replace(result, flag=rng.choice([GameSide.FIRST, GameSide.SECOND]))
    elif chance < 0.5:
        value = value.put(make_random_sanction(value, rng, game))
    elif chance < 0.6:
        value = value.put(replace(game, start=rng.choice([StartDecision.DRAW, StartDecision.DRAWN])))
    elif chance < 0.8:
        value = value.put(*make_forms(rng, game))
    return store_recomputed_result(value, replace(result, state=rng.choice(list(ResultState))))


def make_random_sanction(value: Tournament, rng: Random, game: Game) -> Sanction:
    kind, number = rng.choice(SANCTION_KINDS), rng.choice([value.rounds[game.round].number] * 3 + [None])
    cost = rng.randint(5, 60) if kind.is_measured_in_points else 0
    player_id = rng.choice([game.first, game.second])
    return Sanction(SanctionId(f"x{len(value.sanctions)}"), player_id, number, kind, cost, "shouting")


def make_forms(rng: Random, game: Game) -> list[ScoreSheet]:
    """Return one or two forms of a game. One turn is wrong on the form, another turn by a ruling."""
    turns = [
        {"player": 1 + index % 2, "kind": "play", "word": f"WOORD{'ABCDEF'[index]}", "score": rng.randint(20, 130)}
        for index in range(6)
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
    rulings = (TurnRuling(rng.randint(1, 6), phony=rng.random() < 0.7, author="J", why="no"),)
    count = rng.randint(1, 2)
    return [
        ScoreSheet(SheetId(f"{game.id}.f{form}"), game.id, form, sheet, rulings) for form in range(1, count + 1)
    ]


def make_prizes(rng: Random) -> list[Prize]:
    """Return prizes of all kinds: several for one rank, for categories, and without money."""
    prizes: list[Prize] = []

    def add_prize(kind: PrizeKind, rank: int = 1, **fields: object) -> None:
        number, amount = len(prizes) + 1, rng.choice([0, 1000, 999, 2501])
        prize = Prize(PrizeId(f"z{number}"), DIVISION, number, kind, rank, amount=amount)
        prizes.append(replace(prize, **fields))

    for rank in (1, 1, 2, 3, 5):
        add_prize(PrizeKind.RANK, rank)
    for category in ("B", " b", "junior", "C", "D"):
        add_prize(PrizeKind.CATEGORY, rng.randint(1, 2), category=category)
    add_prize(PrizeKind.RANK, 1, category="b")
    for kind in (PrizeKind.HIGH_GAME, PrizeKind.HIGH_LOSS, PrizeKind.HIGH_PLAY, PrizeKind.BIG_WIN):
        for rank in (1, 2):
            add_prize(kind, rank)
        add_prize(kind, 1, category="B")
    for kind in (PrizeKind.LUCKY_STIFF, PrizeKind.TUFF_LUCK):
        for games in (1, 2, 6):
            add_prize(kind, games=games)
        add_prize(kind, 2, games=1)
    add_prize(PrizeKind.HAND, player=PlayerId("p4"))
    add_prize(PrizeKind.HAND, text="nobody yet")
    return prizes
