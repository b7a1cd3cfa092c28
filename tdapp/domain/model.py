"""The rows of a tournament, one class for each kind. A row contains ids of other rows, never a row itself."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import NewType

from msgspec import Struct, field

from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import ForfeitCause, Outcome, RuleSet, UnplayedRoundPointsRule
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.season_rule import SeasonRule


class AchievementKind(StrEnum):
    """The kind of achievement, such as the highest score."""

    HIGH_GAME = "high-game"
    HIGH_PLAY = "high-play"
    BIG_WIN = "big-win"
    HIGH_LOSS = "high-loss"
    STREAK = "streak"  # games won one after another


class AchievementRecord(Struct, frozen=True):
    """A record set before the tournament, such as the highest score of a game."""

    kind: AchievementKind
    value: int
    name: str  # the player; the best row with this name is the personal best
    date: str = ""  # free text
    source: str = ""  # name of the record list: "club", "Norway"


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
SeatId = NewType("SeatId", str)
PrizeId = NewType("PrizeId", str)
TableGroupId = NewType("TableGroupId", str)
FeeId = NewType("FeeId", str)
SlipId = NewType("SlipId", str)
SeasonId = NewType("SeasonId", str)
EarlierId = NewType("EarlierId", str)
CopiedEventId = NewType("CopiedEventId", str)
CopiedResultId = NewType("CopiedResultId", str)
PersonLinkId = NewType("PersonLinkId", str)

Scalar = str | int | None


class RoundState(StrEnum):
    """The state of a round's pairings."""

    DRAFT = "draft"  # can be changed freely
    PUBLISHED = "published"  # starts and tables are fixed; changes need a reason


class ResultState(StrEnum):
    """The state of a result. A game without a result is open."""

    ENTERED = "entered"  # from a slip or a sheet
    CHECKED = "checked"  # checked by the jury
    FINAL = "final"  # certified


DISPUTED = "disputed"  # an entered result with a different second slip


class ByeKind(StrEnum):
    """Why a player has no game in a round."""

    BYE = "bye"  # no opponent left: by default a win, +50
    REQUESTED = "requested"  # requested in advance: by default a draw, 0
    ABSENT = "absent"  # absent: by default no points, 0
    FORFEIT = "forfeit"  # lost without a game: by default a loss, -50


class GameSide(StrEnum):
    """The first or second player of a game, or both."""

    FIRST = "1"
    SECOND = "2"
    BOTH = "both"

    @property
    def swapped(self) -> GameSide:
        return {GameSide.FIRST: GameSide.SECOND, GameSide.SECOND: GameSide.FIRST}.get(self, self)


class StartDecision(StrEnum):
    """How to decide who starts a game."""

    ASSIGNED = "assigned"  # decided by the pairing
    DRAW = "draw"  # to be drawn at the table; until then the higher-ranked player is first
    DRAWN = "drawn"  # decided by drawing tiles


class UnplayedRoundCounting(StrEnum):
    """How unplayed rounds count in tie-breaks that use opponents' results."""

    PLAIN = "plain"  # byes add 0, forfeits the opponent's match points
    FIDE_2009 = "fide-2009"  # virtual opponent: the player's earlier points, the opposite result, then draws
    FIDE_2024 = "fide-2024"  # virtual opponent with the player's match points
    FIDE_2026 = "fide-2026"  # as FIDE_2024, but at most the scheduled opponent's points, or a draw in each round


class PublicNameFormat(StrEnum):
    """How public pages and screens show players' names."""

    FULL = "full"
    INITIAL = "initial"  # first name and initial of the last name: Anna B.
    NUMBER = "number"  # number only


class PrizeKind(StrEnum):
    """The achievement that wins a prize."""

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


class PairingReason(Struct, frozen=True):
    """Why two players were paired: a code, and the values for its message."""

    code: str
    facts: tuple[tuple[str, Scalar], ...] = ()
    cost: tuple[tuple[str, int], ...] = ()


class Event(Struct, frozen=True):
    """Data of the whole tournament, in one row."""

    id: EventId
    name: str
    place: str = ""
    date: str = ""  # in ISO 8601 or free text
    director: str = ""
    seed: int = 1
    finished: bool = False
    check_first: bool = False  # a round is paired only when all earlier results are checked
    wordlist: str = ""  # id of the jury's word list, or ""
    names_shown: PublicNameFormat = PublicNameFormat.FULL  # on public pages
    details_shown: bool = True  # public pages show club, country and rating
    players_enter: bool = False  # players enter results themselves
    slip_key: str = ""  # with `Tournament.secret`, the key of the codes that players enter
    zone: str = ""  # IANA time zone, or "" for the reader's time zone
    announcement: str = ""
    records: tuple[AchievementRecord, ...] = ()  # earlier records that can be broken here
    players_check_in: bool = False
    currency: str = ""  # written after fees, such as EUR


class TournamentRules(Struct, frozen=True):
    """The tournament's copy of its rule set."""

    id: RulesId
    ruleset: RuleSet


class Division(Struct, frozen=True):
    """A group of players with common standings."""

    id: DivisionId
    code: str
    name: str = ""
    first_table: int = 1
    order: tuple[str, ...] = ()  # ids of tie-breaks; (): as in the rule set
    # limit of a game's spread by round, the last also for later rounds; 0: no limit; (): as in the rule set
    spread_caps: tuple[int, ...] = ()
    list_withdrawn: bool = True
    unplayed: UnplayedRoundCounting = UnplayedRoundCounting.PLAIN
    keep_tables: bool = False  # a player keeps the same table within a session if possible
    sessions: tuple[int, ...] = ()  # the first round of each session except the first
    rating: str = ""
    held_after: int | None = None  # the public does not see results after this round; None hides nothing
    times: str = ""
    ruleset: RuleSet | None = None  # None: that of the tournament
    wordlist: str | None = None  # None: that of the tournament


class Stage(Struct, frozen=True):
    """Consecutive rounds of a division with one pairing system. A club evening is also a stage."""

    id: StageId
    division: DivisionId
    position: int
    system: str
    rounds: int  # of a club evening: the rounds paired so far
    settings: PairingSettings = field(default_factory=PairingSettings)
    cut: int | None = None  # number of players who qualify by the earlier standings; None: all
    carry: bool = True  # earlier results count; otherwise the standings start from zero
    play_off: bool = False  # a knockout of tied players at the cut of the next stage
    name: str = ""
    date: str = ""  # in ISO 8601, or ""
    evening: bool = False  # a club evening, in which only checked-in players take part


class Round(Struct, frozen=True):
    """One round of a division."""

    id: RoundId
    stage: StageId
    number: int  # from 1 through all stages
    state: RoundState
    cost: tuple[tuple[str, int], ...] = ()  # cost of the pairing by criterion
    relaxed: tuple[str, ...] = ()  # violated criteria
    source: int | None = None  # the round whose standings were used
    assumed: tuple[GameId, ...] = ()  # games open during pairing, counted as draws


class ProvisionalRating(int):
    """A rating based on few games, written with "?"."""

    def __str__(self) -> str:
        return f"{int(self)}?"


def mark_rating_if_provisional(rating: int | None, *, provisional: bool) -> int | None:
    return rating if rating is None or not provisional else ProvisionalRating(rating)


class Player(Struct, frozen=True):
    """A player of a division. Text fields are "" if unknown."""

    id: PlayerId
    division: DivisionId
    number: int  # unique in the division
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
    rated_games: int | None = None  # rated games before the tournament; None counts as many
    shown_as: str = ""  # the player's preferred public name
    wespa: str = ""  # this and the next three: ids of other federations
    naspa: str = ""
    absp: str = ""
    fide: str = ""
    xtid: str = ""  # id at cross-tables.com
    paid: int = 0  # paid entry fee, in hundredths of the currency
    provisional: bool = False  # the rating rests on few games

    @property
    def rating_marked_if_provisional(self) -> int | None:
        return mark_rating_if_provisional(self.rating, provisional=self.provisional)


class Photo(Struct, frozen=True):
    """A player's photo. It is a separate row, so that player edits do not copy it."""

    id: PlayerId
    data: str  # a small JPEG file in base64


class Absence(Struct, frozen=True):
    """Consecutive rounds that a player misses."""

    id: AbsenceId
    player: PlayerId
    first_round: int
    last_round: int | None = None  # None: all later rounds
    kind: ByeKind | None = None  # None: no bye is recorded


class Constraint(Struct, frozen=True):
    """A pairing constraint on two players."""

    id: ConstraintId
    player: PlayerId
    other: PlayerId
    kind: ConstraintKind = ConstraintKind.NEVER
    round: int | None = None  # set only if they must meet in that round
    why: str = ""
    since: int = 0  # number of published rounds at its creation


class Seed(Struct, frozen=True):
    """The position of a player in a stage, from 1: the seed of a knockout, or the seat of a round robin."""

    id: SeedId
    stage: StageId
    number: int
    player: PlayerId


class Game(Struct, frozen=True):
    """A game of two players at a table in a round."""

    id: GameId
    round: RoundId
    table: int
    first: PlayerId  # the player who starts
    second: PlayerId
    start: StartDecision = StartDecision.ASSIGNED
    locked: bool = False  # in a draft: keep this pair and table when pairing again
    match: int | None = None  # number of the match in a knockout, from 1
    reason: PairingReason | None = None

    def get_opponent(self, player: PlayerId) -> PlayerId:
        return self.second if player == self.first else self.first


class Bye(Struct, frozen=True):
    """A round in which a player has no game.

    If `spread`, `award` (points) or `worth` (outcome) is None, the rule set determines it.
    """

    id: ByeId
    round: RoundId
    player: PlayerId
    kind: ByeKind
    spread: int | None = None
    match: int | None = None
    reason: PairingReason | None = None
    award: UnplayedRoundPointsRule | None = None
    worth: Outcome | None = None


class Seat(Struct, frozen=True):
    """A player's seat at a group table of one, three, four or all players."""

    id: SeatId
    round: RoundId
    table: int
    position: int  # from 1 in the displayed order
    player: PlayerId
    points: int | None = None  # as played, before any factor
    left: bool = False  # the player left the game, keeps the points and ranks last
    state: ResultState | None = None  # None without a result
    reason: PairingReason | None = None  # of the table (stored in its first seat), or of a latecomer
    turns: int | None = None  # number of turns of a player alone at a table
    # points of the break-up game, in which tiles are taken off the full board; no standings use them
    break_up: int | None = None
    sent: tuple[int, ...] = ()  # points of the whole table in seat order, as this player's phone sent them
    device: str = ""  # the phone


class Result(Struct, frozen=True):
    """The result of a game. It has the same id as the game.

    All details are stored, because later rule changes must not change old results.
    """

    id: GameId
    state: ResultState
    first: int | None = None  # final points, None after a forfeit
    second: int | None = None
    forfeit: GameSide | None = None
    advances: GameSide | None = None  # winner of a tie that an extra game decided
    flag: GameSide | None = None  # the player whose time ran out
    lost: GameSide | None = None  # players who lose regardless of points
    overtime: tuple[int, int] | None = None  # in seconds
    words: tuple[int, int] | None = None  # points lost by word rulings outside sheets, included in `accounts`
    # parts of the final points; None: only the points of the turns
    accounts: tuple[ScoreBreakdown, ScoreBreakdown] | None = None
    disputed: tuple[int, int] | None = None  # points on a second slip that contradicts this result
    award: UnplayedRoundPointsRule | None = None  # total points for a forfeit win; None: as in the rule set
    cause: ForfeitCause | None = None  # of a forfeit
    verdicts: tuple[int, int] | None = None  # points of the applied challenges, included in `accounts`
    applied: tuple[ChallengeId, ...] = ()  # challenges on the judge screen whose cost is included
    refused: tuple[ChallengeId, ...] = ()  # challenges whose cost the director refused
    break_up: tuple[int, int] | None = None  # points of the break-up game, as in Seat

    @property
    def status(self) -> str:
        return self.state.value if self.disputed is None else DISPUTED


class ResultFromPlayer(Struct, frozen=True):
    """A result that one player entered. It becomes the result when the opponent enters the same points."""

    id: SlipId
    game: GameId
    player: PlayerId
    own: int
    other: int
    started: bool | None = None  # None unless tiles were drawn for the start
    device: str = ""


class Prize(Struct, frozen=True):
    """A prize of a division."""

    id: PrizeId
    division: DivisionId
    position: int
    kind: PrizeKind
    place: int = 1  # winning rank, from 1: in the standings, or in the list of its kind, such as high games
    category: str = ""
    amount: int = 0  # in hundredths of the currency, 0 for a prize in kind
    text: str = ""  # the prize in kind
    player: PlayerId | None = None  # winner of a prize that the director awards
    games: int = 6  # number of margins in the sum for LUCKY_STIFF and TUFF_LUCK


class EntryFee(Struct, frozen=True):
    """An entry fee."""

    id: FeeId
    division: DivisionId
    amount: int  # in hundredths of the currency
    category: str = ""  # "": players whose category has no fee


class TableGroup(Struct, frozen=True):
    """A range of tables with a name, such as the name of a hall."""

    id: TableGroupId
    division: DivisionId
    name: str
    first: int
    last: int
    accessible: bool = False


class StartRating(Struct, frozen=True):
    """A player's rating before the first event of a season."""

    player: PlayerId
    rating: int | None = None
    games: int | None = None  # rated games before the season; None counts as many


class Season(Struct, frozen=True):
    """A competition over several club evenings, with one ranking."""

    id: SeasonId
    division: DivisionId | None  # None: the evenings of all divisions
    name: str
    rule: SeasonRule  # a copy of the season rules
    since: str = ""  # first date in ISO 8601; "": no limit
    until: str = ""  # last date; "": no limit
    start_ratings: tuple[StartRating, ...] = ()  # stored when new ratings are applied to the players


class EarlierEveningResult(Struct, frozen=True):
    """A player's season result on an evening before this file existed."""

    id: EarlierId
    season: SeasonId
    player: PlayerId
    date: str  # in ISO 8601
    value: Fraction


class CopiedGame(Struct, frozen=True):
    """A rated game of a copied event. Players are identified by their numbers in that event."""

    round: int
    first: int
    second: int
    first_points: int
    second_points: int
    worth: Outcome  # outcome for the first player


class CopiedEvent(Struct, frozen=True):
    """An event with results copied from another file into a season."""

    id: CopiedEventId
    season: SeasonId
    name: str
    date: str  # in ISO 8601, or "" if unknown
    source: str  # name of the other file
    head: str  # checksum of that file's content
    division: str = ""  # its code if that file has several divisions
    games: tuple[CopiedGame, ...] = ()

    @property
    def name_with_division(self) -> str:
        return " · ".join(filter(None, (self.name, self.division)))


class CopiedResult(Struct, frozen=True):
    """The final result of a player in an event copied from another file."""

    id: CopiedResultId
    event: CopiedEventId
    player: PlayerId
    number: int  # the player's number in the other file
    rank: int
    games: int
    points: int
    spread: int
    match_points: Fraction
    unscored: int = 0  # games that do not count in averages


class PersonLink(Struct, frozen=True):
    """A decision about equal or similar names.

    If `other` is None, copied results under `name` and `club` belong to `player`. If `other` is set, `other` and
    `player` are different people.
    """

    id: PersonLinkId
    player: PlayerId
    other: PlayerId | None
    name: str = ""
    club: str = ""
