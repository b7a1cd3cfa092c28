"""JSON documents of a tournament that several modules use, and the public document."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from tdapp.domain.decision import DecidedBy
from tdapp.domain.elimination import BracketPart
from tdapp.domain.model import ByeKind, Forfeit, ResultState, Start, Unplayed
from tdapp.domain.pairing_settings import Elimination

DATA = "data.json"  # data file of the web pages
Status = Literal["active", "absent", "withdrawn", "disqualified"]
State = Literal["open", ResultState.ENTERED, ResultState.CHECKED, ResultState.FINAL]

PublicPlayerJson = TypedDict(
    "PublicPlayerJson",
    {
        "number": int,
        "name": str,
        "rating": int | None,
        "club": str,
        "country": str,
        "class": str,
        "team": str,
        "status": Status,
    },
)


class PlayerJson(PublicPlayerJson):
    """A registered player."""

    division: str
    member: str
    notes: str
    fixed_table: int | None
    rated_games: int | None
    wespa: str
    naspa: str
    absp: str
    fide: str
    xtid: str
    checked_in: bool


class PublicGameJson(TypedDict):
    """A table of a round. `first` is the starting player.

    `winner` is a player's number. It is null if the game is open or drawn, or if both lost. `decision` tells
    what decided the game instead of the points.
    """

    table: int
    first: int
    second: int
    names: list[str]
    score1: int | None
    score2: int | None
    status: State
    forfeit: Forfeit | None
    winner: int | None
    decision: DecidedBy | None
    start: Start
    repeat: int


class GameJson(PublicGameJson):
    """A game with the reasons for its pairing."""

    reason: str
    cost: dict[str, int]


class PublicByeJson(TypedDict):
    """A player without a game in a round, and the awarded result."""

    player: int
    name: str
    kind: ByeKind
    spread: int
    awarded: int | None


class ByeJson(PublicByeJson):
    """A bye with its reasons."""

    reason: str | None


class AssumedJson(TypedDict):
    """A game without a result that the pairing counted as drawn."""

    round: int
    table: int
    open: bool


class PublicRoundJson(TypedDict):
    """A public round."""

    round: int
    system: str
    games: list[PublicGameJson]
    byes: list[PublicByeJson]


class RoundJson(TypedDict):
    """A round with its pairing costs by criterion."""

    division: str
    round: int
    system: str
    published: bool
    games: list[GameJson]
    byes: list[ByeJson]
    cost: dict[str, int]
    relaxed: list[str]
    source: int | None
    assumed: list[AssumedJson]


class StandingsStageJson(TypedDict):
    """The stage of the standings."""

    number: int
    system: str
    cut: int | None
    carry: bool
    play_off: bool
    counted_from: int


WhyJson = TypedDict("WhyJson", {"code": str, "sentence": str, "*": Any})
StandingJson = TypedDict(
    "StandingJson",
    {
        "rank": int | None,
        "class_rank": NotRequired[int | None],
        "player": int,
        "name": str,
        "games": int,
        "wins": float,
        "losses": float,
        "spread": int,
        "points": int,
        "resistance": float,
        "starts": int,
        "active": bool,
        "stage": int | None,
        "group": NotRequired[str | None],
        "place": NotRequired[int | None],
        "out": NotRequired[bool],
        "why": WhyJson | None,
        "*": float | None,  # the division's other tie-breaks, by id
    },
)
StandingsJson = TypedDict(
    "StandingsJson",
    {
        "division": str,
        "after": int,
        "stage": StandingsStageJson | None,
        "class": NotRequired[str],
        "checked": int,
        "unchecked": int,
        "order": list[str],
        "spread_caps": list[int],
        "unplayed": Unplayed,
        "rows": list[StandingJson],
    },
)


class MatchGameJson(TypedDict):
    """A game of a match."""

    round: int
    table: int
    score1: int | None
    score2: int | None
    status: State
    decision: DecidedBy | None


class MatchJson(TypedDict):
    """A knockout match. Lists have one item for each side."""

    round: int
    match: int
    part: BracketPart
    title: str
    rounds: list[int]
    players: list[int | None]
    names: list[str]
    seeds: list[int | None]
    coming: list[str]
    winner: int | None
    score: list[float] | None
    games: list[MatchGameJson]
    bye: bool
    decided: bool
    needed: bool


class PlaceJson(TypedDict):
    """A final rank in a knockout."""

    place: int
    player: int
    name: str


class PublicBracketJson(TypedDict):
    """A public knockout."""

    elimination: Elimination
    series: int
    aggregate: bool
    matches: list[MatchJson]
    places: list[PlaceJson]


class BracketJson(PublicBracketJson):
    """A knockout with its division."""

    division: str


class PublicDivisionJson(TypedDict):
    """A public division with its newest standings, None before the first result."""

    code: str
    name: str
    players: list[PublicPlayerJson]
    rounds: list[PublicRoundJson]
    standings: StandingsJson | None
    bracket: PublicBracketJson | None


class PublicEventJson(TypedDict):
    """Data of the event. `date` is ISO 8601 or free text."""

    name: str
    place: str
    date: str


PublicJson = TypedDict(
    "PublicJson",
    {
        "$schema": str,
        "format": Literal["tdapp-public"],
        "version": Literal[1],
        "language": str,
        "event": PublicEventJson,
        "divisions": list[PublicDivisionJson],
    },
)
