"""What the verbs about places print with `--json`, as types: teams, prizes, news, ratings, chances, rehearsals."""

from __future__ import annotations

from typing import Any, TypedDict


class TeamJson(TypedDict):
    """A team with its players, of which the `counting` ones count."""

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
    """Who has won a prize; `share` in hundredths."""

    player: int
    name: str
    share: int
    code: str
    facts: dict[str, Any]
    reason: str


class SharedJson(TypedDict):
    """The places between which a prize is shared, and what is shared."""

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
    """What a player gets, in hundredths."""

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
    """What became a record in a round; `before` is what it broke, of the list `source`."""

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
    """What the next round is sure to bring, by rule."""

    rule: str
    pairs: list[list[int]]
    groups: list[list[int]]
    bye: list[int]


class ChanceJson(TypedDict):
    """A player's chances: of a prize and of each place, from the first."""

    place: int
    player: int
    name: str
    wins: float
    spread: int
    state: str
    prize: float
    places: list[float]


class ChancesJson(TypedDict):
    """The chances of a division; `shared`: in some simulations a place is shared, and counts for all.

    If only the best play the next stage, `cut` says how many and `prize` is the chance to be among them.
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
    """Plans that were played many times."""

    division: str
    plays: int
    plans: list[PlanJson]
