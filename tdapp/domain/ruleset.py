"""A rule book as data: how a game is timed, ended and added up, what it is worth, and how a field is ranked.

Presets are TOML files in `resources/rulesets`; a tournament keeps its own copy. Nothing asks for a rule set's id:
where books differ there is a parameter. Every section may be left out; its defaults are then those of Scrabble as
it is played without a tournament's book, so that documents written before a section existed still read.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from math import lcm
from typing import Annotated

from msgspec import Struct, field

from tdapp.domain.serialization import Between
from tdapp.scrabble.sheet import Ended, SanctionKind
from tdapp.scrabble.tiles import DrawnBlank


class Worth(StrEnum):
    """What a round counts as for a player, with a game or without."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    NOTHING = "nothing"  # neither a win nor a loss


class KnockoutTie(StrEnum):
    """Who goes on after equal totals in a knockout."""

    REPLIER = "replier"  # the player who did not start
    EXTRA_GAME = "extra-game"


class RowKind(StrEnum):
    """Which turns in a row end a game."""

    PASSES = "passes"  # an exchange or a play, also one withdrawn, breaks the row
    SCORELESS = "scoreless"  # every turn that leaves no new tiles on the board
    NONE = "none"  # no row ends a game


class Passing(StrEnum):
    """When a player may pass."""

    ALWAYS = "always"
    EMPTY_BAG = "empty-bag"  # only when there is nothing left to exchange for
    NOT_TWICE = "not-twice"  # not in two of one's own turns that follow each other


class Per(StrEnum):
    """What a penalty is counted by."""

    TURN = "turn"  # once, however many words of the turn are concerned
    WORD = "word"


class ChallengeMode(StrEnum):
    """What is at stake in a challenge."""

    VOID = "void"  # nobody challenges: nothing wrong can be laid
    POINTS = "points"  # a wrong one costs points, or nothing
    DOUBLE = "double"  # who is wrong loses a turn
    TRIPLE = "triple"  # who is wrong loses the game


class PaidTo(StrEnum):
    """What becomes of the points for a wrong challenge."""

    NOBODY = "nobody"  # deducted from the challenger
    OPPONENT = "opponent"  # credited to the player who was challenged


class OvertimeKind(StrEnum):
    """What happens to a player whose time has run out."""

    NONE = "none"  # nothing: the book has no clock
    FLAG = "flag"  # the game ends and is lost, whatever the points
    MINUTES = "minutes"  # every started minute costs points


class EndRacks(StrEnum):
    """Where the value of the tiles left on the racks goes when a player is out."""

    TRANSFER = "transfer"  # deducted from their owners and added to the player who is out
    DOUBLE = "double"  # twice their value is added to the player who is out
    OWN = "own"  # deducted from their owners only


class Redraw(StrEnum):
    """Who draws again after a draw that decides nothing."""

    ALL = "all"
    TIED = "tied"  # those who share the best letter


class Reveals(StrEnum):
    """What a ruling on words tells the players."""

    VERDICT = "verdict"  # one verdict for the whole play, never which word failed
    WORDS = "words"  # each word


class Marked(StrEnum):
    """What becomes of words that are written with a hyphen or an apostrophe."""

    ALLOWED = "allowed"  # the marks are left out
    FORBIDDEN = "forbidden"


class TotalsNoted(StrEnum):
    """When the running totals must be noted."""

    ALWAYS = "always"
    WHILE_BAG = "while-bag"  # as long as there are tiles in the bag
    OPTIONAL = "optional"


class PointsFrom(StrEnum):
    """What a sanction in points is deducted from."""

    GAME = "game"
    TOURNAMENT = "tournament"


class PlayedGames(StrEnum):
    """What becomes of the games that a disqualified player has played."""

    KEPT = "kept"  # their results count for the opponents
    FORFEITED = "forfeited"  # every opponent has won by forfeit


class ForfeitCause(StrEnum):
    """Why a game was lost without being played, where rules make a difference."""

    LATE = "late"  # who lost it came too late, or gave it up for having come late
    WALK_OVER = "walk-over"  # who lost it did not come at all


class AwardBy(StrEnum):
    """Whose points a round without a game brings where points are added up; averages are rounded half up."""

    FIXED = "fixed"  # always the same number
    OWN = "own-average"  # of the player's games before that round; without any, the field's average
    FIELD = "field-average"  # of all totals made in the division in that round


MOST_AWARDED = 1000
Points = Annotated[int, Between(0, MOST_AWARDED)]
Minutes = Annotated[int, Between(0, 600)]


class MatchPoints(Struct, frozen=True):
    """What a game brings; any fractions."""

    win: Fraction = Fraction(1)
    draw: Fraction = Fraction(1, 2)
    loss: Fraction = Fraction(0)

    def of(self, worth: Worth) -> Fraction:
        """Return what `worth` brings."""
        return {Worth.WIN: self.win, Worth.DRAW: self.draw, Worth.LOSS: self.loss}.get(worth, Fraction(0))


class PointAward(Struct, frozen=True):
    """What a round without a game adds to a player's total of points; `points` only where it is fixed."""

    by: AwardBy = AwardBy.FIXED
    points: Points = 0


class ByeWorth(Struct, frozen=True):
    """What a kind of bye counts as, its spread in points, and what it adds to the total of points."""

    counts_as: Worth
    spread: Annotated[int, Between(-1000, 1000)] = 0
    award: PointAward = PointAward()


class Byes(Struct, frozen=True):
    """The worth of each kind of bye."""

    bye: ByeWorth = ByeWorth(Worth.WIN, 50)
    requested: ByeWorth = ByeWorth(Worth.DRAW)
    absent: ByeWorth = ByeWorth(Worth.NOTHING)
    forfeit: ByeWorth = ByeWorth(Worth.LOSS, -50)


class ForfeitRule(Struct, frozen=True):
    """A game given up or not played: the winner's margin in points and award, and whether it counts for rating.

    `late` and `walk_over` are the margins where who lost came late, or not at all; None: the same `margin`.
    `booked`: who gives up is booked as having started, the next time as having replied, and so on.
    """

    margin: Annotated[int, Between(0, 1000)] = 50
    late: Annotated[int, Between(0, 1000)] | None = None
    walk_over: Annotated[int, Between(0, 1000)] | None = None
    rated: bool = False
    booked: bool = False
    award: PointAward = PointAward()

    def margin_for(self, cause: ForfeitCause | None) -> int:
        """Return the margin of a game forfeited for a cause, None for no particular one."""
        special = {ForfeitCause.LATE: self.late, ForfeitCause.WALK_OVER: self.walk_over, None: None}[cause]
        return self.margin if special is None else special


class ScoreLimits(Struct, frozen=True):
    """Plausible totals of one player in one game, outside which an entry must be confirmed.

    A `margin` wider than this one is taken from no phone before the desk has looked; that, and a total outside the
    `usual` ones, both ends included, the entry desk confirms by a second Enter.
    """

    lowest: int = -150
    highest: int = 1500
    margin: Annotated[int, Between(1, 9_999)] = 350
    usual: tuple[int, int] = (120, 700)

    def is_wide(self, first: int, second: int) -> bool:
        """Return whether the totals of a game are further apart than is plausible."""
        return abs(first - second) > self.margin

    def is_rare(self, first: int, second: int) -> bool:
        """Return whether the totals of a game are hardly ever right, though they may be."""
        low, high = self.usual
        return self.is_wide(first, second) or not low <= min(first, second) <= max(first, second) <= high


class KnockoutRule(Struct, frozen=True):
    """How a knockout treats a tie."""

    tie: KnockoutTie = KnockoutTie.EXTRA_GAME


class GibsonRule(Struct, frozen=True):
    """The lead in spread for each round left with which a place is safe where wins would be equal.

    Reaching it counts. None: the settings of the pairing say what a game may bring.
    """

    lead: Annotated[int, Between(1, 9_999)] | None = None


class SpreadRule(Struct, frozen=True):
    """The most that one game brings in spread where a division has no caps of its own; None: no end."""

    cap: Annotated[int, Between(1, 9_999)] | None = None


class ClockRule(Struct, frozen=True):
    """A player's minutes, None without a clock, and what the book recommends: outside it is a warning only."""

    minutes: Annotated[int, Between(1, 600)] | None = None
    recommended: tuple[Minutes, Minutes] | None = None  # of one player, both ends included
    recommended_game: tuple[Minutes, Minutes] | None = None  # of a whole game


class ExchangeRule(Struct, frozen=True):
    """How many tiles must be in the bag for an exchange; 0: as many as are exchanged."""

    minimum: Annotated[int, Between(0, 100)] = 7


class RowRule(Struct, frozen=True):
    """How many turns in a row end a game: of each player, or of all together."""

    kind: RowKind = RowKind.SCORELESS
    length: Annotated[int, Between(1, 20)] = 6
    each: bool = False

    def length_for(self, players: int) -> int:
        """Return the length of the row among `players`."""
        return self.length * players if self.each else self.length


class EndingRule(Struct, frozen=True):
    """How a game can end, besides by forfeit.

    `blocked_with_tiles`: nobody being able to move ends it also while there are tiles in the bag. `row` and
    `other_row` both end it.
    """

    ends: tuple[Ended, ...] = tuple(Ended)
    row: RowRule = field(default_factory=RowRule)
    other_row: RowRule = RowRule(RowKind.NONE)
    blocked_with_tiles: bool = True


class PhonyRule(Struct, frozen=True):
    """What a wrong word costs that the jury finds after the play: the turn's score and `points` besides.

    The tiles stay, and later turns keep their scores. `ruled` False: a word that no player challenged stands.
    """

    ruled: bool = False
    points: Points = 0
    per: Per = Per.TURN


class ContestedRule(Struct, frozen=True):
    """What a deliberately wrong play costs that was contested and replaced by another, where a book has that."""

    known: bool = False
    points: Points = 0


class ChallengeRule(Struct, frozen=True):
    """Challenges of the last play. A play challenged off is taken back and its turn is lost.

    `withdrawn_is_pass`: such a turn counts in a row of passes. `points`, `per` and `to` say what a wrong challenge
    costs where the `mode` is points. `beside_star`: a first play off the centre stands unless it is challenged.
    """

    mode: ChallengeMode = ChallengeMode.POINTS
    withdrawn_is_pass: bool = False
    points: Points = 0
    per: Per = Per.TURN
    to: PaidTo = PaidTo.NOBODY
    beside_star: bool = False

    def price(self, words: int = 1) -> int:
        """Return the points that a wrong challenge of `words` words costs."""
        if self.mode is not ChallengeMode.POINTS:
            return 0
        return self.points * (words if self.per is Per.WORD else 1)


class OvertimeRule(Struct, frozen=True):
    """What time beyond the clock costs.

    Per started minute `points` up to `limit` seconds (None: without end); beyond it the game is lost, `penalty`
    points replace those per minute, and the loser's total is lowered until `margin` points are between the two.
    """

    kind: OvertimeKind = OvertimeKind.NONE
    points: Points = 0
    limit: Annotated[int, Between(0, 36000)] | None = None
    penalty: Points = 0
    margin: Points = 0


class RackRule(Struct, frozen=True):
    """What becomes of the tiles left when a player is out; after any other end each loses their own value."""

    out: EndRacks = EndRacks.TRANSFER


class RecountRule(Struct, frozen=True):
    """The largest difference in points at which each player may demand a recount; None: no such right."""

    difference: Points | None = None


class LateRule(Struct, frozen=True):
    """What a late player may expect; `known` False: the book says nothing about coming late.

    Who has fewer than `give_up` minutes left on arrival may give the game up.
    """

    known: bool = False
    give_up: Minutes = 0


class DrawRule(Struct, frozen=True):
    """How tiles decide who starts; their order is the tile set's. `returned`: they go back before another draw."""

    blank: DrawnBlank = DrawnBlank.FIRST
    again: Redraw = Redraw.TIED
    returned: bool = True


class JudgeRule(Struct, frozen=True):
    """Who rules on words: how many judges at first, how many on appeal (0: none), and what players get to know.

    `check_first`: a new tournament pairs a round only when the jury has checked all results before it.
    """

    first: Annotated[int, Between(0, 9)] = 1
    appeal: Annotated[int, Between(0, 9)] = 0
    reveals: Reveals = Reveals.WORDS
    check_first: bool = False


class WordRule(Struct, frozen=True):
    """The word list's authority.

    Words longer than `binding` letters are the judge's (None: the list decides on all), unless the list says its
    own length. `short_lists`: players may use printed lists of the two- and three-letter words.
    """

    binding: Annotated[int, Between(2, 15)] | None = None
    marked: Marked = Marked.ALLOWED
    short_lists: bool = False


class FormRule(Struct, frozen=True):
    """What a score sheet must hold besides the scores, and how players keep theirs.

    `peg_row`: the racks have holes for pegs, and one of the upper row counts so many points.
    """

    totals: TotalsNoted = TotalsNoted.OPTIONAL
    peg_row: Annotated[int, Between(2, 100)] | None = None


class SanctionRule(Struct, frozen=True):
    """The sanctions that the book names, what those in points are deducted from, and what a disqualification does.

    `disqualified_games`: the games that a disqualified player has played.
    """

    named: tuple[SanctionKind, ...] = tuple(SanctionKind)
    points_from: PointsFrom = PointsFrom.GAME
    disqualified_games: PlayedGames = PlayedGames.KEPT

    def taken_from(self, kind: SanctionKind) -> PointsFrom | None:
        """Return what a sanction's points are deducted from; None where it takes none, or spread alone."""
        return self.points_from if kind is SanctionKind.POINTS else None


class RuleSet(Struct, frozen=True):
    """One rule book's parameters; `order` maps a pairing system, or `other`, to ids of tie-breaks.

    `place` is where it stands in a list of rule sets, the least first, `country` where it is played by, in its own
    language. `unseen` are the paths of parameters whose value was not checked against the book.

    `past_prefix`: names are listed past their prefix ("de Beer" under B, as in the Netherlands), not by it.
    `most_players` sit at one table (2 in a tournament's game); `bonus` is for laying seven tiles in one turn;
    `board_turned`: the board is turned to the player who is to move, without the players having agreed on it.
    """

    id: str
    name: str
    language: str
    tileset: str
    order: Mapping[str, tuple[str, ...]]
    place: int = 100
    country: str = ""
    unseen: tuple[str, ...] = ()
    past_prefix: bool = False
    match_points: MatchPoints = field(default_factory=MatchPoints)
    byes: Byes = field(default_factory=Byes)
    forfeit: ForfeitRule = field(default_factory=ForfeitRule)
    scores: ScoreLimits = field(default_factory=ScoreLimits)
    knockout: KnockoutRule = field(default_factory=KnockoutRule)
    gibson: GibsonRule = field(default_factory=GibsonRule)
    spread: SpreadRule = field(default_factory=SpreadRule)
    most_players: Annotated[int, Between(2, 4)] = 2
    bonus: Points = 50
    passing: Passing = Passing.ALWAYS
    board_turned: bool = False
    clock: ClockRule = field(default_factory=ClockRule)
    exchange: ExchangeRule = field(default_factory=ExchangeRule)
    ending: EndingRule = field(default_factory=EndingRule)
    phony: PhonyRule = field(default_factory=PhonyRule)
    contested: ContestedRule = field(default_factory=ContestedRule)
    challenge: ChallengeRule = field(default_factory=ChallengeRule)
    overtime: OvertimeRule = field(default_factory=OvertimeRule)
    racks: RackRule = field(default_factory=RackRule)
    recount: RecountRule = field(default_factory=RecountRule)
    late: LateRule = field(default_factory=LateRule)
    draw: DrawRule = field(default_factory=DrawRule)
    judges: JudgeRule = field(default_factory=JudgeRule)
    words: WordRule = field(default_factory=WordRule)
    form: FormRule = field(default_factory=FormRule)
    sanctions: SanctionRule = field(default_factory=SanctionRule)

    @property
    def unit(self) -> int:
        """How many whole units make one match point; sums of points are kept in units."""
        points = self.match_points
        return lcm(2, points.win.denominator, points.draw.denominator, points.loss.denominator)

    def units(self, worth: Worth) -> int:
        """Return what `worth` brings, in units of match points."""
        return int(self.match_points.of(worth) * self.unit)

    def order_for(self, system: str) -> tuple[str, ...]:
        """Return the ids of the tie-breaks that rank a field paired by `system`."""
        return self.order[system if system in self.order else "other"]
