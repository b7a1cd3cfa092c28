"""The rows of a tournament, one class per kind, and the choices that stand in them.

A row holds scalars, tuples and the ids of its parents, never another row; `tdapp.domain.tournament` holds them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

from msgspec import Struct, field

from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.record_list import ListedRecord
from tdapp.domain.ruleset import ForfeitCause, PointAward, RuleSet
from tdapp.domain.score_breakdown import Breakdown

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
    """Whether the players have seen a round's pairings."""

    DRAFT = "draft"  # a proposal: may be changed freely
    PUBLISHED = "published"  # keeps its starts and tables; changing it needs a reason


class ResultState(StrEnum):
    """How far a result has come; a game without a result is open."""

    ENTERED = "entered"  # taken from a slip or a sheet
    CHECKED = "checked"  # looked over by the jury
    FINAL = "final"  # certified


DISPUTED = "disputed"  # of a result entered: another slip says something else


class ByeKind(StrEnum):
    """Why a player has no game in a round; what it is worth is in the rule set."""

    BYE = "bye"  # nobody left to play: by default a win, +50
    REQUESTED = "requested"  # asked for beforehand: by default a draw, 0
    ABSENT = "absent"  # not there: by default no points, 0
    FORFEIT = "forfeit"  # lost without a game: by default a loss, -50


class Forfeit(StrEnum):
    """Who lost a game without playing it out."""

    FIRST = "1"
    SECOND = "2"
    BOTH = "both"

    @property
    def turned(self) -> Forfeit:
        """Who it is once the two players have changed over."""
        return {Forfeit.FIRST: Forfeit.SECOND, Forfeit.SECOND: Forfeit.FIRST}.get(self, self)


class Start(StrEnum):
    """How it was settled who starts a game."""

    ASSIGNED = "assigned"  # by the pairing
    DRAW = "draw"  # the tiles decide at the table; until then the better placed is listed first
    DRAWN = "drawn"  # the tiles have decided


class Unplayed(StrEnum):
    """How rounds without a game count in resistance points and in what is computed from them."""

    PLAIN = "plain"  # a bye adds nothing, a forfeit the opponent's match points
    FIDE_2009 = "fide-2009"  # a dummy with the own points before, an opposite result and draws after
    FIDE_2024 = "fide-2024"  # a dummy with the own match points
    FIDE_2026 = "fide-2026"  # the same, no stronger than the opponent scheduled or than a draw in every round


class NamesShown(StrEnum):
    """How players are named where everybody can read: second screens, pages, the site."""

    FULL = "full"
    INITIAL = "initial"  # the first name and the first letter of the last: Anna B.
    NUMBER = "number"  # the number only


class PrizeKind(StrEnum):
    """What a prize is given for; the names are those of the field."""

    RANK = "rank"  # a place in the standings
    CATEGORY = "category"  # a place among the players of a class
    HIGH_GAME = "high-game"  # the highest score in a game
    HIGH_LOSS = "high-loss"  # the highest score that lost
    HIGH_PLAY = "high-play"  # the highest turn on a score sheet
    BIG_WIN = "big-win"  # the greatest margin
    LUCKY_STIFF = "lucky-stiff"  # the least sum of the narrowest wins
    TUFF_LUCK = "tuff-luck"  # the least sum of the narrowest losses
    HAND = "hand"  # to whom the director gives it


class ConstraintKind(StrEnum):
    """What two players are to do with each other."""

    NEVER = "never"  # they are never paired
    APART = "apart"  # they are paired only where it costs no repeat and no score
    TOGETHER = "together"  # they are paired in a given round


class Reason(Struct, frozen=True):
    """Why a table was paired as it is: a code for the sentence, its facts, and the cost by criterion."""

    code: str
    facts: tuple[tuple[str, Scalar], ...] = ()
    cost: tuple[tuple[str, int], ...] = ()


class Event(Struct, frozen=True):
    """The tournament's own data. `seed` decides every draw of the program; `date` is ISO or free text.

    `check_first`: a round is paired only when the jury has checked all results before it. `wordlist` is the id of
    the word list edition that the jury asks, empty for none. `names_shown` and `details_shown` (club, country and
    rating) are for where everybody can read. `players_enter`: players may enter their results, with codes that are
    made of `slip_key`, which names the series of codes, and of the tournament's secret. `zone` is the time zone of
    its times by its IANA name, empty: that of whoever reads them. `announcement` is what the bulletins say
    besides, `records` are those that could be broken here. `players_check_in`: players may say themselves that
    they have come. `currency` is what stands beside fees, such as EUR, empty for none.
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
    """The tournament's own copy of its rule set."""

    id: RulesId
    ruleset: RuleSet


class Division(Struct, frozen=True):
    """A field of players that is ranked together.

    `order` are ids of tie-breaks, empty = the rule set's; `spread_caps` is the cap of a game's spread by round,
    the last one holds for all later rounds, 0 = no cap, empty = the rule set's. `unplayed` is how rounds without a
    game count in resistance points. With `keep_tables` a player keeps a table that is free within a session;
    `sessions` are the rounds that begin one, besides the first. `rating` is the id of a rating system, empty for
    none. What came of rounds after `held_after` is held back from the public, None holds nothing. `times` says
    when its rounds begin, as `tdapp.domain.timetable` reads it. `ruleset` and `wordlist` are its own, None: those
    of the tournament.
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
    """A run of rounds under one pairing system; `system` is an id of `tdapp.pairing`.

    `cut`: only that many go on from the standings before it, None for everybody; the others stay ranked behind.
    Without `carry` its standings begin from nothing. A `play_off` is a knockout of those who are equal at the
    line of the cut after it: it orders them and nothing else, and its results count nowhere.
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
    """One round of a division; `number` runs on through its stages, from 1.

    `cost` sums each criterion of the pairing, `relaxed` names what had to give, `source` is the round on whose
    standings it was paired, and `assumed` are the games that had no result then and were taken as drawn.
    """

    id: RoundId
    stage: StageId
    number: int
    state: RoundState
    cost: tuple[tuple[str, int], ...] = ()
    relaxed: tuple[str, ...] = ()
    source: int | None = None
    assumed: tuple[GameId, ...] = ()


class Player(Struct, frozen=True):
    """Someone who plays in a division; `number` is unique there. An empty text means: not known."""

    id: PlayerId
    division: DivisionId
    number: int
    name: str
    rating: int | None = None
    club: str = ""
    country: str = ""
    team: str = ""
    category: str = ""  # the class, as tsh calls it
    member: str = ""  # number with the federation
    notes: str = ""
    fixed_table: int | None = None
    checked_in: bool = False
    needs_access: bool = False  # sits at an accessible table where there is one
    rated_games: int | None = None  # before the tournament; None: many
    shown_as: str = ""  # the name that the player wants everybody to read
    wespa: str = ""  # this and what follows: FOREIGN_IDS
    naspa: str = ""
    absp: str = ""
    fide: str = ""
    xtid: str = ""
    paid: int = 0  # of the entry fee, in hundredths of the currency


FOREIGN_IDS = ("wespa", "naspa", "absp", "fide", "xtid")  # numbers with other federations, and at cross-tables.com


class Absence(Struct, frozen=True):
    """Rounds a player misses; `last_round` None = all that follow, `kind` None = nothing is recorded."""

    id: AbsenceId
    player: PlayerId
    first_round: int
    last_round: int | None = None
    kind: ByeKind | None = None


class Constraint(Struct, frozen=True):
    """What is wished or ordered for two players; `round` is the one in which they are to meet, None otherwise.

    `since` counts the rounds that had been published when it was made.
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
    """Two players at a table; `first` starts. `match` is the bracket position in a knockout, from 1."""

    id: GameId
    round: RoundId
    table: int
    first: PlayerId
    second: PlayerId
    start: Start = Start.ASSIGNED
    locked: bool = False  # in a draft: keep this table when the rest is paired again
    match: int | None = None
    reason: Reason | None = None

    def opponent_of(self, player: PlayerId) -> PlayerId:
        """Return whom one of the two meets."""
        return self.second if player == self.first else self.first


class Bye(Struct, frozen=True):
    """A round that a player spends without a game; `spread` and `award` None = as in the rule set."""

    id: ByeId
    round: RoundId
    player: PlayerId
    kind: ByeKind
    spread: int | None = None
    match: int | None = None
    reason: Reason | None = None
    award: PointAward | None = None


class Result(Struct, frozen=True):
    """What happened in the game of the same id; `first` and `second` are final points, None where none were made.

    `advances` says who goes on after a tie that the rules leave to an extra game ("1" or "2"). `flag` is whose
    clock ran out, `overtime` the seconds beyond it; `words` is what rulings on words that no sheet has cost both,
    part of the accounts. `accounts` say where each player's points come from, None if they are as they were
    played; points, accounts and `lost`, who has lost whatever the points, are kept in step with overtime, rulings
    and sanctions by `making`: kept and not computed, for a sheet's arithmetic needs its tile set, and the points
    of a result are to stand whatever becomes of the rules. `disputed` are the points of another slip, which waits
    with this result for the jury; `award` is what a forfeited game brings its winner, None = as in the rule set,
    and `cause` why it was forfeited, None for no particular reason. `verdicts` is what the judge screen's
    verdicts on the `applied` challenges change for both players; those on the `refused` ones change nothing.
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
        """How far it has come, in the words of tables: disputed, or its state."""
        return self.state.value if self.disputed is None else DISPUTED


class SlipEntry(Struct, frozen=True):
    """What a player says a game came to, before it has a result; it waits for the opponent to say the same.

    `own` and `other` are the player's and the opponent's points, `started` is said where the tiles decided.
    `device` marks the phone that sent it, empty where that is not known.
    """

    id: SlipId
    game: GameId
    player: PlayerId
    own: int
    other: int
    started: bool | None = None
    device: str = ""


class Prize(Struct, frozen=True):
    """What a division gives away; `position` orders the list.

    Of kinds rank and category `place` (from 1) is the place it is for, of the others it counts the best by their
    measure. `category` limits any kind to a class of players. `amount` is in hundredths of the currency, 0 for a
    prize in kind, named by `text`; `player` is whom the director gives a prize of kind hand. `games` is how many
    margins are summed of kinds lucky stiff and tuff luck.
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
    """What the players of a division, or those of one `category` of it, pay to enter, in hundredths.

    Of category "" is who has no other fee by category.
    """

    id: FeeId
    division: DivisionId
    amount: int
    category: str = ""


class TableGroup(Struct, frozen=True):
    """A named run of tables of a division, `first` to `last`, such as a room or a stage."""

    id: TableGroupId
    division: DivisionId
    name: str
    first: int
    last: int
    accessible: bool = False
