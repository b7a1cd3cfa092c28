"""Generate realistic events: strength with noise, withdrawals, late entries, byes, forfeits.

The seed and whole numbers make them equal on every machine. The program pairs them. They contain only data that
the file format can hold, so that a reader can check the pairings.
"""

from __future__ import annotations

from functools import partial
from random import Random

from msgspec import Struct

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, DivisionId, Forfeit, Player, PlayerId
from tdapp.domain.pairing_settings import PairingSettings, PairingStyle
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.tournament import Tournament
from tdapp.pairing.demo import add_players
from tdapp.pairing.proposing import propose_pairings

MOST_PLAYERS, MOST_ROUNDS = 400, 50
_FINE = 1000  # steps of what is drawn uniformly
_TERMS = 12  # of them in a sum that is nearly normal
_DEVIATION = 105  # points; of a margin
_EDGE = 8  # points of rating to a point of margin
_FORFEIT = 150  # one in so many games
_LEAVER = 100  # one, and one bye asked for, in so many rounds of a player
_LATE = 25  # one late entry in so many players, before the second or third round
_APART = 15  # one pair kept apart in so many players


class EventPlan(Struct, frozen=True):
    """Bounds of generated events (inclusive), and limits of the file format.

    `played` is the number of played rounds, None for all. `order` are tie-breaks, empty for the rule set's.
    `byes`: requested byes. `all_kinds`: forfeits and constraints.
    """

    players: tuple[int, int]
    rounds: tuple[int, int]
    seed: int
    played: int | None = None
    order: tuple[str, ...] = ()
    byes: bool = True
    all_kinds: bool = True


def make_event(plan: EventPlan, number: int, ruleset: RuleSet, system: str) -> Tournament:
    """Return event `number` of a plan: one played division. Raises RuleViolation if it cannot be paired."""
    draw = Random(f"{plan.seed}/{number}")  # noqa: S311 - a sample is no secret
    players, rounds = draw.randint(*plan.players), draw.randint(*plan.rounds)
    key, division = f"e{number}", DivisionId(f"e{number}.d")
    value = commands.new_tournament(
        key=key, name=f"Event {plan.seed}/{number}", ruleset=ruleset, seed=draw.randrange(1, 2**31)
    )
    value = commands.add_division(value, key=division, code="A")
    value = commands.set_order(value, division=division, order=plan.order)
    settings = PairingSettings(style=PairingStyle.FOLD)
    value = commands.add_stage(
        value, key=f"{key}.s", division=division, system=system, rounds=rounds, settings=settings
    )
    rating = partial(_new_rating, set())
    value = add_players(value, key=key, division=division, count=players, draw=draw, rating=rating)
    everybody = Index(value).players(division)
    late = {player: draw.randint(2, 3) for player in draw.sample(everybody, players // _LATE)}
    value = value.drop(*late)
    if plan.all_kinds:
        value = _keep_some_apart(value, draw, [one for one in everybody if one not in late])
    strength = {one.id: (one.rating or 0) + _draw_normal(draw, mean=0, deviation=80) for one in everybody}
    for at in range(1, min(rounds, plan.played or rounds) + 1):
        value = value.put(*(one for one, since in late.items() if since == at))
        value = _draw_absences(value, division, draw, plan, at=at) if at > 1 else value
        proposal = propose_pairings(Index(value), division)
        value = commands.pair_round(value, key=f"{key}.{at}", proposal=proposal)
        value = _play_round(value, division, draw, strength, forfeits=plan.all_kinds)
    return value


def _draw_normal(draw: Random, *, mean: int, deviation: int) -> int:
    far = sum(draw.randrange(-_FINE, _FINE + 1) for _ in range(_TERMS))
    return mean + far * deviation // (2 * _FINE)


def _new_rating(taken: set[int], draw: Random) -> int:
    while (found := _draw_normal(draw, mean=1500, deviation=250)) in taken or found < 1:
        pass
    taken.add(found)
    return found


def _keep_some_apart(value: Tournament, draw: Random, players: list[Player]) -> Tournament:
    chosen = draw.sample(players, len(players) // _APART * 2)
    for at, (one, other) in enumerate(zip(chosen[::2], chosen[1::2], strict=True)):
        command = commands.forbid_pairing if at % 2 else commands.keep_apart
        value = command(value, key=f"apart.{at}", player=one.id, other=other.id)
    return value


def _draw_absences(
    value: Tournament, division: DivisionId, draw: Random, plan: EventPlan, *, at: int
) -> Tournament:
    """Withdraw some players before round `at`, and request some byes in it."""
    for player in Index(value).players(division):
        drawn, index, key = draw.randrange(_LEAVER), Index(value), f"{player.id}.{at}"
        if index.absence(player.id, at) is not None or not index.has_played(player.id):
            continue
        if drawn == 0:
            value = commands.withdraw_player(value, key=key, player=player.id)
        elif drawn == 1 and plan.byes:
            value = commands.set_absence(value, key=key, player=player.id, first_round=at, kind=ByeKind.REQUESTED)
    return value


def _play_round(
    value: Tournament, division: DivisionId, draw: Random, strength: dict[PlayerId, int], *, forfeits: bool
) -> Tournament:
    index = Index(value)
    for game in index.games(index.published(division)[-1].id):
        margin = _draw_normal(
            draw, mean=(strength[game.first] - strength[game.second]) // _EDGE, deviation=_DEVIATION
        )
        total = max(_draw_normal(draw, mean=800, deviation=60), abs(margin) + 100)
        first = (total + margin) // 2
        lost = Forfeit.SECOND if draw.randrange(2) else Forfeit.FIRST
        if not draw.randrange(_FORFEIT) and forfeits:
            value = commands.enter_result(value, game=game.id, forfeit=lost)
        else:
            value = commands.enter_result(value, game=game.id, first=first, second=first - margin, confirmed=True)
    return value
