"""What the JSON documents of a tournament hold: those that several rooms make, and the public one."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from tdapp.domain.decision import DecidedBy
from tdapp.domain.elimination import BracketPart
from tdapp.domain.model import ByeKind, Forfeit, ResultState, Start, Unplayed
from tdapp.domain.pairing_settings import Elimination

DATA = "data.json"  # the file that the web pages bring
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
    """A player as registered."""

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
    """A table of a round; `first` is the player who starts.

    `winner` is a player's number, null while the game is open, drawn, or if both have lost; `decision` says what
    decided the game if the points did not.
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
    """The same, with why they meet."""

    reason: str
    cost: dict[str, int]


class PublicByeJson(TypedDict):
    """A player without a game in a round, and what that brings."""

    player: int
    name: str
    kind: ByeKind
    spread: int
    awarded: int | None


class ByeJson(PublicByeJson):
    """The same, with why."""

    reason: str | None


class AssumedJson(TypedDict):
    """A game without a result that was taken as drawn when a round was paired."""

    round: int
    table: int
    open: bool


class PublicRoundJson(TypedDict):
    """A round as everybody may see it."""

    round: int
    system: str
    games: list[PublicGameJson]
    byes: list[PublicByeJson]


class RoundJson(TypedDict):
    """A round with what it costs, by criterion."""

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
    """The stage that standings are of."""

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
    """A match of a knockout; lists have one entry for each side."""

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
    """A place in a knockout."""

    place: int
    player: int
    name: str


class PublicBracketJson(TypedDict):
    """A knockout."""

    elimination: Elimination
    series: int
    aggregate: bool
    matches: list[MatchJson]
    places: list[PlaceJson]


class BracketJson(PublicBracketJson):
    """A division's knockout."""

    division: str


class PublicDivisionJson(TypedDict):
    """A division as everybody may see it; the standings are the newest, None before the first result."""

    code: str
    name: str
    players: list[PublicPlayerJson]
    rounds: list[PublicRoundJson]
    standings: StandingsJson | None
    bracket: PublicBracketJson | None


class PublicEventJson(TypedDict):
    """The event's own data; `date` is ISO 8601 or free text."""

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
