"""The rows of a tournament, one class for each kind. A row contains ids of other rows, never a row itself."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import NewType

from msgspec import Struct, field

from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import ForfeitCause, PointAward, RuleSet, Worth
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.season_rule import SeasonRule


class RecordKind(StrEnum):
    """The kind of a listed record."""

    HIGH_GAME = "high-game"
    HIGH_PLAY = "high-play"
    BIG_WIN = "big-win"
    HIGH_LOSS = "high-loss"
    STREAK = "streak"  # games won one after another


class ListedRecord(Struct, frozen=True):
    """A record from before the tournament. `source` names the record list ("club", "Norway"). `date` is free text.

    `name` is the player's. Of several rows with the same name, the best is the personal best.
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
    """How the start was decided."""

    ASSIGNED = "assigned"  # decided by the pairing
    DRAW = "draw"  # to be drawn at the table; until then the higher-ranked player is first
    DRAWN = "drawn"  # decided by drawing tiles


class Unplayed(StrEnum):
    """How unplayed rounds count in tie-breaks by opponents' results."""

    PLAIN = "plain"  # byes add 0, forfeits the opponent's match points
    FIDE_2009 = "fide-2009"  # a dummy with own points before, the opposite result, and draws after
    FIDE_2024 = "fide-2024"  # a dummy with own match points
    FIDE_2026 = "fide-2026"  # the same, limited by the scheduled opponent or draws in all rounds


class NamesShown(StrEnum):
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
    """Why two players were paired, as a code."""

    code: str
    facts: tuple[tuple[str, Scalar], ...] = ()
    cost: tuple[tuple[str, int], ...] = ()


class Event(Struct, frozen=True):
    """Data of the whole tournament. `date` is in ISO 8601 or free text.

    - `check_first`: rounds are paired only after all earlier results are checked.
    - `wordlist` is the id of the jury's word list, or "".
    - `names_shown` and `details_shown` (club, country, rating) apply to public pages.
    - `players_enter`: players enter results themselves. Their codes are computed from `slip_key` and the secret.
    - `zone` is an IANA time zone, or "" for the reader's time zone.
    - `records` are earlier records that can be broken here.
    - `currency` is written after fees, for example EUR.
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
    """A group of players with common standings. A field "" or None uses the rule set of the tournament.

    - `order` are the ids of its tie-breaks.
    - `spread_caps` limit the spread of a game by round. The last is for later rounds too. 0: no limit.
    - `keep_tables`: a player keeps the same table within a session if possible.
    - `sessions` are the first rounds of all sessions except the first.
    - `held_after`: the public does not see results after this round. None hides nothing.
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
    """Consecutive rounds with one pairing system.

    `cut` is the number of players who qualify by the earlier standings (None: all). Without `carry` the
    standings start from zero. A `play_off` is a knockout of tied players at the cut of the next stage.

    `evening`: a club evening. Its `rounds` are those paired so far, and only checked-in players take part.
    `date` is in ISO 8601, or "".
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
    name: str = ""
    date: str = ""
    evening: bool = False


class Round(Struct, frozen=True):
    """One round of a division. Its `number` counts from 1 through all stages.

    `cost` is the cost of the pairing by criterion, and `relaxed` are the violated criteria. `source` is the
    round whose standings were used. `assumed` are games that were open then and counted as draws.
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
    """A rating based on few games."""

    def __str__(self) -> str:
        return f"{int(self)}?"


def make_shown_rating(rating: int | None, *, provisional: bool) -> int | None:
    return rating if rating is None or not provisional else ProvisionalRating(rating)


class Player(Struct, frozen=True):
    """A player of a division. `number` is unique in the division. A field "" is unknown."""

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
        return make_shown_rating(self.rating, provisional=self.provisional)


class Photo(Struct, frozen=True):
    """A player's photo: a small JPEG file in base64. A separate row, so that player edits do not copy it."""

    id: PlayerId
    data: str


class Absence(Struct, frozen=True):
    """Rounds that a player misses.

    `last_round` None means all later rounds. With `kind` None no bye is recorded.
    """

    id: AbsenceId
    player: PlayerId
    first_round: int
    last_round: int | None = None
    kind: ByeKind | None = None


class Constraint(Struct, frozen=True):
    """A pairing constraint on two players. `round` is set only if they must meet in that round.

    `since` is the number of published rounds at its creation.
    """

    id: ConstraintId
    player: PlayerId
    other: PlayerId
    kind: ConstraintKind = ConstraintKind.NEVER
    round: int | None = None
    why: str = ""
    since: int = 0


class Seed(Struct, frozen=True):
    """The position of a player in a stage, from 1: the seed of a knockout, or the seat of a round robin."""

    id: SeedId
    stage: StageId
    number: int
    player: PlayerId


class Game(Struct, frozen=True):
    """Two players at a table. `first` starts. `match` is the match number in a knockout, from 1."""

    id: GameId
    round: RoundId
    table: int
    first: PlayerId
    second: PlayerId
    start: Start = Start.ASSIGNED
    locked: bool = False  # in a draft: keep this table when pairing again
    match: int | None = None
    reason: PairingReason | None = None

    def get_opponent(self, player: PlayerId) -> PlayerId:
        return self.second if player == self.first else self.first


class Bye(Struct, frozen=True):
    """A round without a game for a player.

    `spread`, `award` and `worth` are None if the rule set determines them.
    """

    id: ByeId
    round: RoundId
    player: PlayerId
    kind: ByeKind
    spread: int | None = None
    match: int | None = None
    reason: PairingReason | None = None
    award: PointAward | None = None
    worth: Worth | None = None


class Seat(Struct, frozen=True):
    """A place at a group table: a table of one, three or four players, or of the whole room.

    `position` counts from 1 in the displayed order. `points` are as played, before any factor. A player who
    `left` the game keeps the points and ranks last. `state` is None without a result. The first seat has the
    `reason` of the table, the seat of a latecomer its own.

    - `turns` is the number of turns of a player alone at a table.
    - `break_up` are the points of the break-up game, in which tiles are taken off the full board. No table counts
      them.
    - `sent` are the points of the whole table, in order, from this player's phone `device`.
    """

    id: SeatId
    round: RoundId
    table: int
    position: int
    player: PlayerId
    points: int | None = None
    left: bool = False
    state: ResultState | None = None
    reason: PairingReason | None = None
    turns: int | None = None
    break_up: int | None = None
    sent: tuple[int, ...] = ()
    device: str = ""


class Result(Struct, frozen=True):
    """The result of the game with the same id. `first` and `second` are the final points, None after a forfeit.

    - `advances` is the winner ("1" or "2") of a tie that an extra game decided.
    - `flag` is the player whose time ran out. `overtime` are the seconds of each player.
    - `lost` are the players who lose regardless of points.
    - `accounts` are the parts of the final points, None if nothing was added to the points of the turns.
    - `words` are the costs of rulings that no sheet contains, included in the accounts.
    - `disputed` are the points of a contradicting slip.
    - `award` are the total points for a forfeit win, None as in the rule set. `cause` is the cause of a forfeit.
    - `applied` and `refused` are challenges on the judge screen. `verdicts` are the points of the applied ones.
    - `break_up` is as in `Seat`.

    All are stored because later rules must not change old results.
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
    accounts: tuple[ScoreBreakdown, ScoreBreakdown] | None = None
    disputed: tuple[int, int] | None = None
    award: PointAward | None = None
    cause: ForfeitCause | None = None
    verdicts: tuple[int, int] | None = None
    applied: tuple[ChallengeId, ...] = ()
    refused: tuple[ChallengeId, ...] = ()
    break_up: tuple[int, int] | None = None

    @property
    def status(self) -> str:
        return self.state.value if self.disputed is None else DISPUTED


class SlipEntry(Struct, frozen=True):
    """A result that one player entered. It becomes the result when the opponent enters the same.

    `started` is known only if tiles were drawn for the start.
    """

    id: SlipId
    game: GameId
    player: PlayerId
    own: int
    other: int
    started: bool | None = None
    device: str = ""


class Prize(Struct, frozen=True):
    """A prize of a division. `place` (from 1) is the rank that wins it, or the place by the prize's own measure.

    `amount` is in hundredths of the currency; a prize in kind has 0 and a `text`. `player` is the winner of a
    prize given by hand.
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
    """An entry fee in hundredths of the currency. `category` "" applies to players whose category has no fee."""

    id: FeeId
    division: DivisionId
    amount: int
    category: str = ""


class TableGroup(Struct, frozen=True):
    """The tables `first` to `last`, with a name such as that of a hall."""

    id: TableGroupId
    division: DivisionId
    name: str
    first: int
    last: int
    accessible: bool = False


class StartRating(Struct, frozen=True):
    """A player's rating before the first event of a season, based on `games` games (None: many)."""

    player: PlayerId
    rating: int | None = None
    games: int | None = None


class Season(Struct, frozen=True):
    """A table over the evenings from `since` to `until`, both in ISO 8601 or "" for no limit.

    `division` None: the evenings of all divisions. `rule` is a copy of the season rules. `start_ratings` are
    stored when new ratings are applied to the players.
    """

    id: SeasonId
    division: DivisionId | None
    name: str
    rule: SeasonRule
    since: str = ""
    until: str = ""
    start_ratings: tuple[StartRating, ...] = ()


class EarlierResult(Struct, frozen=True):
    """What a season counts for a player's evening before the file began. `date` is in ISO 8601."""

    id: EarlierId
    season: SeasonId
    player: PlayerId
    date: str
    value: Fraction


class CopiedGame(Struct, frozen=True):
    """A rated game of a copied event, with the players' numbers in that event. `worth` is that of `first`."""

    round: int
    first: int
    second: int
    first_points: int
    second_points: int
    worth: Worth


class CopiedEvent(Struct, frozen=True):
    """An event of another file that counts in a season. Its players are players of this file.

    - `date` is in ISO 8601, or "" if unknown.
    - `division` is its code if the file has several divisions.
    - `source` is the name of the file, `head` the checksum of its content.
    """

    id: CopiedEventId
    season: SeasonId
    name: str
    date: str
    source: str
    head: str
    division: str = ""
    games: tuple[CopiedGame, ...] = ()

    @property
    def full_name(self) -> str:
        return " · ".join(filter(None, (self.name, self.division)))


class CopiedResult(Struct, frozen=True):
    """The final result of a player in a copied event. `number` is the player's number there.

    `unscored` games do not count in averages.
    """

    id: CopiedResultId
    event: CopiedEventId
    player: PlayerId
    number: int
    rank: int
    games: int
    points: int
    spread: int
    match_points: Fraction
    unscored: int = 0


class PersonLink(Struct, frozen=True):
    """A decision about equal or similar names.

    With `other`, the two players are different persons. Otherwise copied results under `name` and `club`
    belong to `player`.
    """

    id: PersonLinkId
    player: PlayerId
    other: PlayerId | None
    name: str = ""
    club: str = ""
