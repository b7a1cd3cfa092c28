"""JSON documents of the command line and the web pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET, Struct, UnsetType, defstruct, field
from msgspec.structs import fields

from tdapp.domain.elimination import BracketPart
from tdapp.domain.model import ByeKind, GameSide, Player, StartDecision, UnplayedRoundCounting
from tdapp.domain.outcome import DecisionReason
from tdapp.domain.pairing_settings import EliminationKind
from tdapp.domain.player_fields import LIST_FIELDS

DATA = "data.json"  # data file of the web pages
PlayerStatus = Literal["active", "absent", "withdrawn", "disqualified"]
GameStatus = Literal["open", "entered", "checked", "final"]
Number = int | float  # a whole number is written without a point


class PublicPlayerJson(Struct):
    """The public data of a player."""

    number: int
    name: str
    rating: int | None
    club: str
    country: str
    category: str = field(name="class")
    team: str
    status: PlayerStatus


_PLAYER_TYPES = {item.name: item.type for item in fields(Player)}
_PUBLIC_FIELDS = ("number", "name", "rating", "club", "country", "category", "team")
_DESK_FIELDS = (*(item.name for item in LIST_FIELDS if item.name not in _PUBLIC_FIELDS), "checked_in")
if TYPE_CHECKING:
    PlayerJson = Struct
else:
    PlayerJson = defstruct(  # a registered player
        "PlayerJson",
        [
            ("division", str),
            *((name, _PLAYER_TYPES[name]) for name in (*_PUBLIC_FIELDS, *_DESK_FIELDS)),
            ("status", PlayerStatus),
        ],
        rename={"category": "class"},
    )


class PublicGameJson(Struct):
    """A game. The key `first` is the number of the starting player.

    The key `winner` is null if the game is open or drawn, or if both players lost. The key `decision` gives the
    reason if the points did not decide the game.
    """

    table: int
    first: int
    second: int
    names: list[str]
    score1: int | None
    score2: int | None
    status: GameStatus
    forfeit: GameSide | None
    winner: int | None
    decision: DecisionReason | None
    start: StartDecision
    repeat: int
    break_up: tuple[int, int] | None


class GameJson(PublicGameJson):
    """A game with the reason and the costs of its pairing."""

    reason: str
    cost: dict[str, int]


class PublicByeJson(Struct):
    """A player without a game in a round, and the result awarded for it."""

    player: int
    name: str
    kind: ByeKind
    spread: int
    awarded: int | None


class ByeJson(PublicByeJson):
    """A bye with its reason."""

    reason: str | None


class TableSeatJson(Struct):
    """A player at a group table (three, four or all players), or alone at a table.

    The key `total` is `points` times the factor of the table. The key `left` is true if the player left the
    game early. `place`, `match_points`, `total` and `spread` are null until the result is complete.

    For a player alone, `turns` is the number of turns played, and `record` is the best earlier score in
    that number of turns. The key `break_up` has the points of the break-up game (tiles are taken off
    the full board). Standings ignore these points.
    """

    player: int
    name: str
    points: int | None
    left: bool
    place: int | None
    match_points: Number | None
    total: int | None
    spread: int | None
    turns: int | None
    record: int | None
    break_up: int | None


class PublicGroupTableJson(Struct):
    """A table of one player, or of three or more."""

    table: int
    seats: list[TableSeatJson]
    status: GameStatus


class GroupTableJson(PublicGroupTableJson):
    """A group table, or a table of one player, with the reason and the costs of its pairing."""

    reason: str
    cost: dict[str, int]


class AssumedDrawJson(Struct):
    """A game without a result. It was counted as drawn when the round was paired."""

    round: int
    table: int
    open: bool


class PublicRoundJson(Struct):
    """The public data of a round."""

    round: int
    system: str
    games: list[PublicGameJson]
    byes: list[PublicByeJson]
    tables: list[PublicGroupTableJson]


class RoundJson(Struct):
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
    assumed: list[AssumedDrawJson]
    tables: list[GroupTableJson]


class StandingsStageJson(Struct):
    """The stage whose standings are shown."""

    number: int
    system: str
    cut: int | None
    carry: bool
    play_off: bool
    counted_from: int
    name: str
    date: str
    evening: bool


class RankReasonJson(Struct, rename={"facts": "*"}):
    """The reason why a player is ranked above the next one."""

    code: str
    facts: dict[str, Any]
    sentence: str


class StandingsRowJson(Struct, kw_only=True, rename={"tiebreaks": "*"}):
    """A player's row in the standings. Tie-breaks have their ids as keys, such as `resistance-cut1`."""

    rank: int | None
    player: int
    name: str
    games: int
    wins: Number
    losses: Number
    spread: int
    points: int
    resistance: Number
    starts: int
    active: bool
    class_rank: int | UnsetType | None = UNSET
    stage: int | None
    group: str | UnsetType | None = UNSET
    place: int | UnsetType | None = UNSET
    out: bool | UnsetType = UNSET
    tiebreaks: dict[str, Number | None]
    why: RankReasonJson | None


class StandingsJson(Struct, kw_only=True, rename={"category": "class"}):
    """The standings of a division after a round."""

    division: str
    after: int
    stage: StandingsStageJson | None
    category: str | UnsetType = UNSET
    checked: int
    unchecked: int
    order: list[str]
    spread_caps: list[int]
    unplayed: UnplayedRoundCounting
    rows: list[StandingsRowJson]


class MatchGameJson(Struct):
    """A game of a match."""

    round: int
    table: int
    score1: int | None
    score2: int | None
    status: GameStatus
    decision: DecisionReason | None


class MatchJson(Struct):
    """A knockout match. Each list has one item for each side, except `rounds` and `games`."""

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


class FinalRankJson(Struct):
    """A final rank in a knockout."""

    place: int
    player: int
    name: str


class PublicBracketJson(Struct):
    """The public data of a knockout."""

    elimination: EliminationKind
    series: int
    aggregate: bool
    matches: list[MatchJson]
    places: list[FinalRankJson]


class DivisionBracketJson(Struct, rename={"bracket": "*"}):
    """A knockout with the code of its division."""

    division: str
    bracket: PublicBracketJson


class PublicDivisionJson(Struct):
    """A division. The key `standings` has the newest standings, null before the first result."""

    code: str
    name: str
    players: list[PublicPlayerJson]
    rounds: list[PublicRoundJson]
    standings: StandingsJson | None
    bracket: PublicBracketJson | None


class PublicEventJson(Struct):
    """Name, place and date of the event. The date is ISO 8601 or free text."""

    name: str
    place: str
    date: str


class PublicTournamentJson(Struct, rename={"schema": "$schema"}):
    """The public data of a tournament."""

    schema: str
    format: Literal["tdapp-public"]
    version: Literal[1]
    language: str
    event: PublicEventJson
    divisions: list[PublicDivisionJson]
