"""JSON types of the verbs on teams, prizes, news, ratings, chances and simulations."""

from __future__ import annotations

from typing import Any, TypedDict


class TeamJson(TypedDict):
    """A team with its players, including the `counting` ones."""

    rank: int
    team: str
    players: int
    counting: list[str]
    wins: float
    losses: float
    spread: int
    points: int


class TeamsJson(TypedDict):
    """The standings of teams."""

    division: str
    after: int | None
    best: int | None
    rows: list[TeamJson]


class WinnerJson(TypedDict):
    """The winner of a prize; `share` in hundredths."""

    player: int
    name: str
    share: int
    code: str
    facts: dict[str, Any]
    reason: str


class SharedJson(TypedDict):
    """The ranks that share a prize, and the shared amount."""

    first: int
    last: int
    pool: int


PrizeJson = TypedDict(
    "PrizeJson",
    {
        "prize": int,
        "kind": str,
        "place": int | None,
        "class": str,
        "games": int | None,
        "amount": int,
        "text": str,
        "winners": list[WinnerJson],
        "shared": SharedJson | None,
    },
)


class PayoutJson(TypedDict):
    """The amount of a player, in hundredths."""

    player: int
    name: str
    amount: int


class PrizesJson(TypedDict):
    """The prizes of a division."""

    division: str
    after: int
    prizes: list[PrizeJson]
    payouts: list[PayoutJson]


class NewsJson(TypedDict):
    """A new record of a round; `before` is the broken record, of the list `source`."""

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


class RatingSystemJson(TypedDict):
    """A rating system."""

    id: str
    name: str
    source: str


class RatingJson(TypedDict):
    """A player's performance and new rating."""

    rank: int | None
    player: int
    name: str
    rating: int | None
    games: int
    score: float
    expected: float | None
    performance: int | None
    new: int | None
    change: int | None


class RatingsJson(TypedDict):
    """The ratings of a division."""

    division: str
    after: int | None
    system: str
    rows: list[RatingJson]


class ComingPairsJson(TypedDict):
    """The certain pairings of the next round, by rule."""

    rule: str
    pairs: list[list[int]]
    groups: list[list[int]]
    bye: list[int]


class ChanceJson(TypedDict):
    """A player's chances of a prize and of each rank, from the first."""

    place: int
    player: int
    name: str
    wins: float
    spread: int
    state: str
    prize: float
    places: list[float]


class ChancesJson(TypedDict):
    """The chances of a division; `shared`: a rank was shared in some simulations and counts for all.

    If only the best play the next stage, `cut` is their number and `prize` the chance to qualify.
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


class PlannedJson(TypedDict):
    """A stage of a plan."""

    system: str
    rounds: int
    cut: int | None


PlanJson = TypedDict("PlanJson", {"stages": list[PlannedJson], "*": float})  # figures by name


class RehearsalJson(TypedDict):
    """Plans simulated many times."""

    division: str
    plays: int
    plans: list[PlanJson]
