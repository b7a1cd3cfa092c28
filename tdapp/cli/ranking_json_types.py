"""JSON types of the verbs on teams, prizes, news, ratings, chances and simulations."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tdapp.exchange.json_documents import Number


class TeamJson(Struct):
    """A team with its players, including the `counting` ones."""

    rank: int
    team: str
    players: int
    counting: list[str]
    wins: Number
    losses: Number
    spread: int
    points: int


class TeamsJson(Struct):
    """The standings of teams."""

    division: str
    after: int | None
    best: int | None
    rows: list[TeamJson]


class WinnerJson(Struct):
    """The winner of a prize; `share` in hundredths."""

    player: int
    name: str
    share: int
    code: str
    facts: dict[str, Any]
    reason: str


class SharedJson(Struct):
    """Ranks that share a prize, and the amount."""

    first: int
    last: int
    pool: int


class PrizeJson(Struct, rename={"category": "class"}):
    """A prize with its winners."""

    prize: int
    kind: str
    place: int | None
    category: str
    games: int | None
    amount: int
    text: str
    winners: list[WinnerJson]
    shared: SharedJson | None


class PayoutJson(Struct):
    """The amount of a player, in hundredths."""

    player: int
    name: str
    amount: int


class PrizesJson(Struct):
    """Prizes with winners."""

    division: str
    after: int
    prizes: list[PrizeJson]
    payouts: list[PayoutJson]


class NewsJson(Struct):
    """A new record; `before` is the broken record of the list `source`."""

    key: str
    round: int
    table: int | None
    kind: str
    scope: str
    player: int
    name: str
    value: int
    word: str
    before: int | None
    source: str
    what: str
    how: str


class RatingSystemJson(Struct):
    """A rating system."""

    id: str
    name: str
    source: str


class RatingJson(Struct):
    """A player's performance and new rating."""

    rank: int | None
    player: int
    name: str
    rating: int | None
    games: int
    score: Number
    expected: Number | None
    performance: int | None
    new: int | None
    change: int | None


class RatingsJson(Struct):
    """The ratings of a division."""

    division: str
    after: int | None
    system: str
    rows: list[RatingJson]


class ComingPairsJson(Struct):
    """Certain pairings of the next round, by rule."""

    rule: str
    pairs: tuple[tuple[int, int], ...]
    groups: tuple[tuple[int, ...], ...]
    bye: tuple[int, ...]


class ChanceJson(Struct):
    """Chances of a prize and of each rank."""

    place: int
    player: int
    name: str
    wins: Number
    spread: int
    state: str
    prize: Number
    places: list[Number]


class ChancesJson(Struct):
    """`shared`: a rank was shared in some simulations and counts for all.

    If only the best continue, `cut` is their number and `prize` the chance to qualify.
    """

    division: str
    after: int
    open_games: int
    rounds_left: int
    shared: bool
    prize_places: int
    simulations: int
    cut: int | None
    later_rounds: int
    coming_round: list[ComingPairsJson]
    rows: list[ChanceJson]


class PlannedJson(Struct):
    """A stage of a plan."""

    system: str
    rounds: int
    cut: int | None


class PlanJson(Struct, rename={"figures": "*"}):
    """A simulated plan, with its figures by name."""

    stages: list[PlannedJson]
    figures: dict[str, Number]


class RehearsalJson(Struct):
    """Plans simulated many times."""

    division: str
    plays: int
    plans: list[PlanJson]
