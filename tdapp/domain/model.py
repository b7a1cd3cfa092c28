"""The rows of a tournament, one class per kind, and their enumerations.

A row has scalars, tuples and the ids of its parents, never another row. `tdapp.domain.tournament` holds the rows.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

from msgspec import Struct, field

from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import ForfeitCause, PointAward, RuleSet, Worth
from tdapp.domain.score_breakdown import Breakdown


class RecordKind(StrEnum):
    """The kind of a record. The first four are measured like the prizes of the same name."""

    HIGH_GAME = "high-game"
    HIGH_PLAY = "high-play"
    BIG_WIN = "big-win"
    HIGH_LOSS = "high-loss"
    STREAK = "streak"  # games won one after another


class ListedRecord(Struct, frozen=True):
    """A record before the tournament. `source` names the list ("club", "Norway"); `date` is free text.

    The best entry of a kind and source is the record; the best entry of each name is a personal best.
    """

    kind: RecordKind
    value: int
    name: str
    date: str = ""
    source: str = ""


EventId = NewType("EventId", str)
RulesId = NewType("RulesId", str)
DivisionId = NewType("DivisionId", str)
StageId = NewType("StageId", str)
RoundId = NewType("RoundId", str)
PlayerId = NewType("PlayerId", str)
AbsenceId = NewType("AbsenceId", str)
ConstraintId = NewType("ConstraintId", str)
SeedId = NewType("SeedId", str)
GameId = NewType("GameId", str)
ChallengeId = NewType("ChallengeId", str)
ByeId = NewType("ByeId", str)
PrizeId = NewType("PrizeId", str)
TableGroupId = NewType("TableGroupId", str)
FeeId = NewType("FeeId", str)
SlipId = NewType("SlipId", str)

Scalar = str | int | None


class RoundState(StrEnum):
    """The publication state of a round's pairings."""

    DRAFT = "draft"  # can be changed freely
    PUBLISHED = "published"  # starts and tables are fixed; changes need a reason


class ResultState(StrEnum):
    """The state of a result. A game without a result is open."""

    ENTERED = "entered"  # from a slip or a sheet
    CHECKED = "checked"  # checked by the jury
    FINAL = "final"


DISPUTED = "disputed"  # an entered result with a different second slip


class ByeKind(StrEnum):
    """Why a player has no game in a round."""

    BYE = "bye"  # no opponent left: by default a win, +50
    REQUESTED = "requested"  # requested in advance: by default a draw, 0
    ABSENT = "absent"  # absent: by default no points, 0
    FORFEIT = "forfeit"  # lost without a game: by default a loss, -50


class Forfeit(StrEnum):
    """The player who forfeited a game."""

    FIRST = "1"
    SECOND = "2"
    BOTH = "both"

    @property
    def swapped(self) -> Forfeit:
        return {Forfeit.FIRST: Forfeit.SECOND, Forfeit.SECOND: Forfeit.FIRST}.get(self, self)


class Start(StrEnum):
    """How the start of a game was decided."""

    ASSIGNED = "assigned"  # decided by the pairing
    DRAW = "draw"  # to be drawn at the table; until then the higher-ranked player is first
    DRAWN = "drawn"  # decided by drawing tiles


class Unplayed(StrEnum):
    """How unplayed rounds count in resistance points and tie-breaks based on them."""

    PLAIN = "plain"  # byes add 0, forfeits the opponent's match points
    FIDE_2009 = "fide-2009"  # a dummy with own points before, the opposite result, and draws after
    FIDE_2024 = "fide-2024"  # a dummy with own match points
    FIDE_2026 = "fide-2026"  # the same, limited by the scheduled opponent or draws in all rounds


class NamesShown(StrEnum):
    """How public screens, pages and sites show players' names."""

    FULL = "full"
    INITIAL = "initial"  # first name and initial of the last name: Anna B.
    NUMBER = "number"  # number only


class PrizeKind(StrEnum):
    """The kind of a prize, with the usual names of the field."""

    RANK = "rank"  # a rank in the standings
    CATEGORY = "category"  # a rank among the players of a category
    HIGH_GAME = "high-game"  # highest game score
    HIGH_LOSS = "high-loss"  # highest losing score
    HIGH_PLAY = "high-play"  # highest turn on a score sheet
    BIG_WIN = "big-win"  # largest margin
    LUCKY_STIFF = "lucky-stiff"  # smallest sum of the narrowest wins
    TUFF_LUCK = "tuff-luck"  # smallest sum of the narrowest losses
    HAND = "hand"  # awarded by the director


class ConstraintKind(StrEnum):
    """The kind of a pairing constraint on two players."""

    NEVER = "never"  # never pair them
    APART = "apart"  # pair them only if that avoids a repeat or a score difference
    TOGETHER = "together"  # pair them in a given round


class Reason(Struct, frozen=True):
    """Why a table was paired: a sentence code, its facts, and the cost by criterion."""

    code: str
    facts: tuple[tuple[str, Scalar], ...] = ()
    cost: tuple[tuple[str, int], ...] = ()


class Event(Struct, frozen=True):
    """Data of the tournament. `seed` decides all random draws; `date` is ISO or free text.

    `check_first`: pair only after the jury checked all earlier results. `wordlist`: id of the jury's edition,
    or "". `names_shown` and `details_shown` (club, country, rating): on public pages. `players_enter`: players
    enter results, with codes made from `slip_key` and the tournament's secret. `zone`: IANA time zone, "" for
    the reader's. `announcement`: extra text for bulletins. `records`: records that could be broken here.
    `players_check_in`: players check themselves in. `currency`: next to fees, for example EUR.
    """

    id: EventId
    name: str
    place: str = ""
    date: str = ""
    director: str = ""
    seed: int = 1
    finished: bool = False
    check_first: bool = False
    wordlist: str = ""
    names_shown: NamesShown = NamesShown.FULL
    details_shown: bool = True
    players_enter: bool = False
    slip_key: str = ""
    zone: str = ""
    announcement: str = ""
    records: tuple[ListedRecord, ...] = ()
    players_check_in: bool = False
    currency: str = ""


class Rules(Struct, frozen=True):
    """The tournament's copy of its rule set."""

    id: RulesId
    ruleset: RuleSet


class Division(Struct, frozen=True):
    """A group of players with common standings. Empty and None: the rule set's or the tournament's.

    `order`: ids of tie-breaks. `spread_caps`: of a game, by round; the last holds for later rounds; 0 = no
    cap. `unplayed`: how unplayed rounds count in resistance points. `keep_tables`: players keep their table
    within a session if it is free. `sessions`: first rounds of sessions, except the first. `rating`: id of a
    rating system, or "". `held_after`: later results are hidden from the public; None hides nothing. `times`:
    start times, in the format of `tdapp.domain.timetable`.
    """

    id: DivisionId
    code: str
    name: str = ""
    first_table: int = 1
    order: tuple[str, ...] = ()
    spread_caps: tuple[int, ...] = ()
    list_withdrawn: bool = True
    unplayed: Unplayed = Unplayed.PLAIN
    keep_tables: bool = False
    sessions: tuple[int, ...] = ()
    rating: str = ""
    held_after: int | None = None
    times: str = ""
    ruleset: RuleSet | None = None
    wordlist: str | None = None


class Stage(Struct, frozen=True):
    """Consecutive rounds under one pairing system. `system` is an id of `tdapp.pairing`.

    `cut`: the number of players who qualify by the earlier standings (None: all); the others rank behind them.
    Without `carry` standings start from zero. A `play_off` is a knockout of equal players at the line of the
    next cut; its results count nowhere else.
    """

    id: StageId
    division: DivisionId
    position: int
    system: str
    rounds: int
    settings: PairingSettings = field(default_factory=PairingSettings)
    cut: int | None = None
    carry: bool = True
    play_off: bool = False


class Round(Struct, frozen=True):
    """One round of a division. `number` continues through its stages, from 1.

    `cost`: the total by pairing criterion. `relaxed`: relaxed criteria. `source`: the round of the standings
    used. `assumed`: games open then, counted as draws.
    """

    id: RoundId
    stage: StageId
    number: int
    state: RoundState
    cost: tuple[tuple[str, int], ...] = ()
    relaxed: tuple[str, ...] = ()
    source: int | None = None
    assumed: tuple[GameId, ...] = ()


class ProvisionalRating(int):
    """A rating that rests on few games: written with a question mark."""

    def __str__(self) -> str:
        return f"{int(self)}?"


def mark_rating(rating: int | None, *, provisional: bool) -> int | None:
    """Return the rating for a list."""
    return rating if rating is None or not provisional else ProvisionalRating(rating)


class Player(Struct, frozen=True):
    """A player of a division. `number` is unique there. "" means unknown."""

    id: PlayerId
    division: DivisionId
    number: int
    name: str
    rating: int | None = None
    club: str = ""
    country: str = ""
    team: str = ""
    category: str = ""  # called class in tsh
    member: str = ""  # federation number
    notes: str = ""
    fixed_table: int | None = None
    checked_in: bool = False
    needs_access: bool = False  # needs an accessible table
    rated_games: int | None = None  # games before the tournament; None: many
    shown_as: str = ""  # the player's preferred public name
    wespa: str = ""  # ids of other federations
    naspa: str = ""
    absp: str = ""
    fide: str = ""
    xtid: str = ""  # id at cross-tables.com
    paid: int = 0  # paid entry fee, in hundredths of the currency
    provisional: bool = False  # the rating rests on few games

    @property
    def shown_rating(self) -> int | None:
        return mark_rating(self.rating, provisional=self.provisional)


class Absence(Struct, frozen=True):
    """Rounds that a player misses. `last_round` None = all later ones, `kind` None = nothing is recorded."""

    id: AbsenceId
    player: PlayerId
    first_round: int
    last_round: int | None = None
    kind: ByeKind | None = None


class Constraint(Struct, frozen=True):
    """A pairing constraint on two players. `round`: set only if they must meet then.

    `since`: the number of published rounds at its creation.
    """

    id: ConstraintId
    player: PlayerId
    other: PlayerId
    kind: ConstraintKind = ConstraintKind.NEVER
    round: int | None = None
    why: str = ""
    since: int = 0


class Seed(Struct, frozen=True):
    """A player's seed (knockout) or seat (round robin) in a stage, from 1."""

    id: SeedId
    stage: StageId
    number: int
    player: PlayerId


class Game(Struct, frozen=True):
    """Two players at a table. `first` starts. `match`: the bracket position in a knockout, from 1."""

    id: GameId
    round: RoundId
    table: int
    first: PlayerId
    second: PlayerId
    start: Start = Start.ASSIGNED
    locked: bool = False  # in a draft: keep this table when pairing again
    match: int | None = None
    reason: Reason | None = None

    def opponent_of(self, player: PlayerId) -> PlayerId:
        return self.second if player == self.first else self.first


class Bye(Struct, frozen=True):
    """A round without a game for a player. `spread`, `award` and `worth` None = as in the rule set."""

    id: ByeId
    round: RoundId
    player: PlayerId
    kind: ByeKind
    spread: int | None = None
    match: int | None = None
    reason: Reason | None = None
    award: PointAward | None = None
    worth: Worth | None = None


class Result(Struct, frozen=True):
    """The result of the game with the same id. `first` and `second` are final points, or None.

    `advances`: the winner ("1" or "2") of a tie decided by an extra game. `flag`: the player whose time ran
    out, `overtime`: seconds over. `words`: costs of rulings that no sheet includes, part of the accounts.
    `accounts`: the breakdown of points, None if they are the points played. `lost`: players who lose
    regardless of points. `game_results` updates these; they are stored because a sheet needs its tile set and
    later rules must not change results. `disputed`: points of another slip that waits for the jury. `award`:
    score for a forfeit win, None = the rule set's; `cause`: of a forfeit. `verdicts`: changes by the judge
    screen's `applied` challenges; the `refused` ones change nothing.
    """

    id: GameId
    state: ResultState
    first: int | None = None
    second: int | None = None
    forfeit: Forfeit | None = None
    advances: Forfeit | None = None
    flag: Forfeit | None = None
    lost: Forfeit | None = None
    overtime: tuple[int, int] | None = None
    words: tuple[int, int] | None = None
    accounts: tuple[Breakdown, Breakdown] | None = None
    disputed: tuple[int, int] | None = None
    award: PointAward | None = None
    cause: ForfeitCause | None = None
    verdicts: tuple[int, int] | None = None
    applied: tuple[ChallengeId, ...] = ()
    refused: tuple[ChallengeId, ...] = ()

    @property
    def status(self) -> str:
        """The state as shown in tables: disputed, or `state`."""
        return self.state.value if self.disputed is None else DISPUTED


class SlipEntry(Struct, frozen=True):
    """A result that a player entered, until the opponent enters the same.

    `own` and `other`: the player's and the opponent's points. `started`: set if tiles were drawn. `device`:
    the phone, or "".
    """

    id: SlipId
    game: GameId
    player: PlayerId
    own: int
    other: int
    started: bool | None = None
    device: str = ""


class Prize(Struct, frozen=True):
    """A prize of a division. `position` orders the list.

    `place` (from 1): the rank of the prize, or the place by its measure. `category` limits any kind. `amount`:
    hundredths of the currency, 0 for a prize in kind, named by `text`. `player`: for kind hand. `games`: the
    margins added up for lucky stiff and tuff luck.
    """

    id: PrizeId
    division: DivisionId
    position: int
    kind: PrizeKind
    place: int = 1
    category: str = ""
    amount: int = 0
    text: str = ""
    player: PlayerId | None = None
    games: int = 6


class Fee(Struct, frozen=True):
    """An entry fee of a division in hundredths. `category` "": players without a fee by category."""

    id: FeeId
    division: DivisionId
    amount: int
    category: str = ""


class TableGroup(Struct, frozen=True):
    """Named tables of a division, `first` to `last`, for example a hall or a stage."""

    id: TableGroupId
    division: DivisionId
    name: str
    first: int
    last: int
    accessible: bool = False
