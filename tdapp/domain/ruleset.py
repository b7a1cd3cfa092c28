"""The parameters of a rule set.

Presets are in `resources/rulesets`. A tournament contains a copy of its rule set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cache, partial
from math import lcm
from typing import Annotated

from msgspec import Struct, field

from tdapp.domain.errors import InputError
from tdapp.domain.serialization import InvalidDocumentError, make_decoder, make_number_bounds
from tdapp.scrabble.sheet import GameEnding, SanctionKind
from tdapp.scrabble.tiles import StartingDrawBlankRule


class Outcome(StrEnum):
    """The outcome of a round for a player, played or not."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    NOTHING = "nothing"  # neither a win nor a loss


class KnockoutTieResolution(StrEnum):
    """The player who advances after a tie in a knockout."""

    REPLIER = "replier"  # the player who did not start
    EXTRA_GAME = "extra-game"


class TurnsThatCanEndGame(StrEnum):
    """The kinds of consecutive turns that can end a game."""

    PASSES = "passes"  # a play (even withdrawn) or an exchange ends the sequence
    SCORELESS = "scoreless"  # turns without new tiles on the board
    NONE = "none"


class PassPermission(StrEnum):
    """When a player may pass."""

    ALWAYS = "always"
    EMPTY_BAG = "empty-bag"  # only if exchanging is impossible
    NOT_TWICE = "not-twice"  # not in two consecutive own turns


class PenaltyUnit(StrEnum):
    """The unit of a penalty."""

    TURN = "turn"  # once for each turn
    WORD = "word"


class ChallengeMode(StrEnum):
    """The cost of a wrong challenge and of a wrong word (phony)."""

    VOID = "void"  # no challenges: phonies cannot be played
    POINTS = "points"  # a wrong challenge costs points, or nothing
    DOUBLE = "double"  # the wrong player loses a turn
    TRIPLE = "triple"  # the wrong player loses the game


class ChallengePointsReceiver(StrEnum):
    """The receiver of the points for a wrong challenge."""

    NOBODY = "nobody"  # deducted from the challenger
    OPPONENT = "opponent"  # credited to the challenged player


class OvertimeKind(StrEnum):
    """The consequence of overtime."""

    NONE = "none"  # no clock in the rule book
    FLAG = "flag"  # the game ends and is lost regardless of points
    MINUTES = "minutes"  # each started minute costs points


class RackPointsReceiver(StrEnum):
    """The receiver of the points for remaining tiles after a player has used all tiles."""

    TRANSFER = "transfer"  # deducted from their owners, added to the player without tiles
    DOUBLE = "double"  # twice their value added to the player without tiles
    OWN = "own"  # deducted from their owners only


class PlayersWhoDrawAgain(StrEnum):
    """The players who draw again if several drew the best tile."""

    ALL = "all"
    TIED = "tied"  # the players who share the best letter


class RulingDetailForPlayers(StrEnum):
    """The information that players get from a ruling on several words."""

    VERDICT = "verdict"  # one verdict for the whole play
    WORDS = "words"  # a verdict for each word


class HyphenAndApostropheRule(StrEnum):
    """The treatment of words with a hyphen or an apostrophe."""

    ALLOWED = "allowed"  # the marks are ignored
    FORBIDDEN = "forbidden"


class RunningTotalsRequirement(StrEnum):
    """When players must write running totals on the score sheet."""

    ALWAYS = "always"
    WHILE_BAG = "while-bag"  # while the bag has tiles
    OPTIONAL = "optional"


class SanctionPointsSource(StrEnum):
    """The total from which a sanction deducts points."""

    GAME = "game"
    TOURNAMENT = "tournament"


class DisqualifiedGamesRule(StrEnum):
    """The treatment of a disqualified player's played games."""

    KEPT = "kept"  # their results count for the opponents
    FORFEITED = "forfeited"  # every opponent wins by forfeit


class ForfeitCause(StrEnum):
    """The cause of a forfeit. The spread of the game can depend on it."""

    LATE = "late"  # the loser came too late, or forfeited after coming late
    WALK_OVER = "walk-over"  # the loser did not come


class UnplayedRoundPointsSource(StrEnum):
    """The source of the points for an unplayed round. Averages are rounded half up."""

    FIXED = "fixed"
    OWN = "own-average"  # average of the player's earlier games; without any, of the field
    STAGE = "stage-average"  # average of all the player's games of the stage; without any, of the field
    FIELD = "field-average"  # average of all scores of the division in that round


MAX_AWARDED_POINTS = 1000
USUAL_TABLE_SIZE = 2  # players at a usual table
MAX_TABLE_SIZE = 4  # players of a game, except where the whole room sits at one table
_SHARED_PLACE_UNITS = 12  # divisible by 2, 3 and 4, as up to four players share a place
Points = Annotated[int, make_number_bounds(0, MAX_AWARDED_POINTS)]
Minutes = Annotated[int, make_number_bounds(0, 600)]


class MatchPoints(Struct, frozen=True):
    """The match points of each outcome, as fractions."""

    win: Fraction = field(default_factory=partial(Fraction, 1))  # a plain default has no JSON Schema
    draw: Fraction = field(default_factory=partial(Fraction, 1, 2))
    loss: Fraction = field(default_factory=Fraction)

    def get_match_points(self, outcome: Outcome) -> Fraction:
        return {Outcome.WIN: self.win, Outcome.DRAW: self.draw, Outcome.LOSS: self.loss}.get(outcome, Fraction(0))


class UnplayedRoundPointsRule(Struct, frozen=True):
    """The game points (not match points) that a player gets for an unplayed round."""

    by: UnplayedRoundPointsSource = UnplayedRoundPointsSource.FIXED
    points: Points = 0  # applies only to a fixed award


class ByeValue(Struct, frozen=True):
    """The outcome, spread and points of one kind of bye."""

    counts_as: Outcome
    spread: Annotated[int, make_number_bounds(-1000, 1000)] = 0
    award: UnplayedRoundPointsRule = UnplayedRoundPointsRule()  # in total points


class ByeRules(Struct, frozen=True):
    """The outcome, spread and points of each kind of bye."""

    bye: ByeValue = ByeValue(Outcome.WIN, 50)
    requested: ByeValue = ByeValue(Outcome.DRAW)
    absent: ByeValue = ByeValue(Outcome.NOTHING)
    forfeit: ByeValue = ByeValue(Outcome.LOSS, -50)

    def get_bye_value(self, kind: str) -> ByeValue:
        outcome: ByeValue = getattr(self, kind)
        return outcome


class ForfeitRule(Struct, frozen=True):
    """The rules for a forfeited game."""

    margin: Annotated[int, make_number_bounds(0, 1000)] = 50  # the winner's spread
    late: Annotated[int, make_number_bounds(0, 1000)] | None = (
        None  # the winner's spread if the loser came late; None: `margin`
    )
    # the winner's spread if the loser did not come; None: `margin`
    walk_over: Annotated[int, make_number_bounds(0, 1000)] | None = None
    rated: bool = False  # the game counts for ratings
    booked: bool = False  # several forfeits of a player count alternately as starts and replies
    award: UnplayedRoundPointsRule = UnplayedRoundPointsRule()

    def get_forfeit_margin(self, cause: ForfeitCause | None) -> int:
        special = {ForfeitCause.LATE: self.late, ForfeitCause.WALK_OVER: self.walk_over, None: None}[cause]
        return self.margin if special is None else special


class ScoreLimits(Struct, frozen=True):
    """Limits of plausible scores. The program asks again before it accepts an unusual score.

    If players themselves enter a result with a difference above `margin`, the director must confirm it.
    """

    lowest: int = -150
    highest: int = 1500
    margin: Annotated[int, make_number_bounds(1, 9_999)] = 350  # a greater difference is unusual
    usual: tuple[int, int] = (120, 700)  # lowest and highest usual score, inclusive

    def is_wide_margin(self, first: int, second: int) -> bool:
        return abs(first - second) > self.margin

    def is_rare_score_or_margin(self, first: int, second: int) -> bool:
        lowest, highest = self.usual
        return (
            self.is_wide_margin(first, second) or not lowest <= min(first, second) <= max(first, second) <= highest
        )


class KnockoutTieRule(Struct, frozen=True):
    """The rule for a tie in a knockout."""

    tie: KnockoutTieResolution = KnockoutTieResolution.EXTRA_GAME


class GibsonLeadRule(Struct, frozen=True):
    """The safe lead in spread. With `lead` 100 and 2 rounds left, a lead of 2 wins and 200 spread is safe."""

    # for each remaining round; None: the pairing settings determine it
    lead: Annotated[int, make_number_bounds(1, 9_999)] | None = None


class SpreadCapRule(Struct, frozen=True):
    """The highest spread that counts in a game, unless the division has its own limits."""

    cap: Annotated[int, make_number_bounds(1, 9_999)] | None = None  # None: no limit


class ThinkingTimeRule(Struct, frozen=True):
    """The thinking time of the players, in minutes."""

    minutes: Annotated[int, make_number_bounds(1, 600)] | None = None  # of each player; None: no clock
    recommended: tuple[Minutes, Minutes] | None = None  # lowest and highest, of one player
    recommended_game: tuple[Minutes, Minutes] | None = None  # lowest and highest, of a game


class TileExchangeRule(Struct, frozen=True):
    """When players may exchange tiles."""

    # least number of tiles in the bag; 0: at least as many as are exchanged
    minimum: Annotated[int, make_number_bounds(0, 100)] = 7


class ScorelessTurnsRule(Struct, frozen=True):
    """The number of consecutive turns without score that ends a game."""

    kind: TurnsThatCanEndGame = TurnsThatCanEndGame.SCORELESS
    length: Annotated[int, make_number_bounds(1, 20)] = 6
    each: bool = False  # `length` turns of each player, not of all together

    def compute_scoreless_turn_limit(self, players: int) -> int:
        return self.length * players if self.each else self.length


class GameEndRule(Struct, frozen=True):
    """The possible ends of a game, except a forfeit."""

    ends: tuple[GameEnding, ...] = tuple(GameEnding)
    row: ScorelessTurnsRule = field(default_factory=ScorelessTurnsRule)
    other_row: ScorelessTurnsRule = ScorelessTurnsRule(TurnsThatCanEndGame.NONE)
    blocked_with_tiles: bool = True  # a game ends if no player can move, even if the bag has tiles


class PhonyRule(Struct, frozen=True):
    """The penalty for an invalid play found after the game.

    The player loses the score of the turn and `points`. The play stays on the board. Later scores do not change.
    """

    ruled: bool = False  # false: an unchallenged play has no penalty
    points: Points = 0  # in addition to the score of the turn
    per: PenaltyUnit = PenaltyUnit.TURN


class DeliberateInvalidPlayRule(Struct, frozen=True):
    """The penalty for a deliberately invalid play that the player replaces after a protest."""

    known: bool = False  # the rule book has such a penalty
    points: Points = 0


class ChallengeRule(Struct, frozen=True):
    """The rules for challenges of the last play.

    A successful challenge removes the play, and the player who made the play loses the turn.
    """

    mode: ChallengeMode = ChallengeMode.POINTS
    withdrawn_is_pass: bool = False  # the lost turn counts as a pass
    points: Points = 0  # cost of a wrong challenge
    per: PenaltyUnit = PenaltyUnit.TURN
    to: ChallengePointsReceiver = ChallengePointsReceiver.NOBODY
    beside_star: bool = False  # a first play beside the centre is valid unless challenged

    def compute_cost(self, words: int = 1) -> int:
        if self.mode is not ChallengeMode.POINTS:
            return 0
        return self.points * (words if self.per is PenaltyUnit.WORD else 1)


class OvertimeRule(Struct, frozen=True):
    """The penalty for overtime. A player beyond the limit loses the game."""

    kind: OvertimeKind = OvertimeKind.NONE
    points: Points = 0  # for each started minute
    limit: Annotated[int, make_number_bounds(0, 36000)] | None = None  # in seconds; None: no limit
    penalty: Points = 0  # replaces the points of a player beyond the limit
    margin: Points = 0  # that player's score must be this far below the opponent's


class RemainingTilesRule(Struct, frozen=True):
    """The adjustment for remaining tiles after a player has used all tiles.

    After any other end, each player loses the value of the tiles left on the rack.
    """

    out: RackPointsReceiver = RackPointsReceiver.TRANSFER


class ScoreRecountRule(Struct, frozen=True):
    """When a player can demand a recount."""

    difference: Points | None = None  # largest score difference for a recount; None: no such right


class LatenessRule(Struct, frozen=True):
    """The rules for late players."""

    known: bool = False  # false: the rule book has no such rules
    give_up: Minutes = 0  # with fewer minutes left, the late player may forfeit the game


class StartingDrawRule(Struct, frozen=True):
    """The rules for the tile draw that decides who starts a game."""

    blank: StartingDrawBlankRule = StartingDrawBlankRule.FIRST
    again: PlayersWhoDrawAgain = PlayersWhoDrawAgain.TIED
    returned: bool = True  # the tiles go back into the bag before another draw


class WordJudgingRule(Struct, frozen=True):
    """The rules for the judges of words."""

    first: Annotated[int, make_number_bounds(0, 9)] = 1  # number of judges
    appeal: Annotated[int, make_number_bounds(0, 9)] = 0  # number of judges on appeal; 0: no appeal
    reveals: RulingDetailForPlayers = RulingDetailForPlayers.WORDS  # what players learn
    check_first: bool = False


class WordListScopeRule(Struct, frozen=True):
    """The words that the word list decides on. Judges decide on all other words."""

    # judges decide on words with more letters, unless the list has its own limit; None: never
    binding: Annotated[int, make_number_bounds(2, 15)] | None = None
    marked: HyphenAndApostropheRule = HyphenAndApostropheRule.ALLOWED
    short_lists: bool = False  # printed lists of words with two and three letters are allowed


class ScoreSheetContentRule(Struct, frozen=True):
    """The required content of a score sheet in addition to the scores."""

    totals: RunningTotalsRequirement = RunningTotalsRequirement.OPTIONAL
    # number of points of one hole in the upper row of a peg rack
    peg_row: Annotated[int, make_number_bounds(2, 100)] | None = None


class SanctionRule(Struct, frozen=True):
    """The possible sanctions, and the effect of a disqualification."""

    named: tuple[SanctionKind, ...] = tuple(SanctionKind)
    points_from: SanctionPointsSource = SanctionPointsSource.GAME
    disqualified_games: DisqualifiedGamesRule = DisqualifiedGamesRule.KEPT

    def find_sanction_points_source(self, kind: SanctionKind) -> SanctionPointsSource | None:
        """Return the total from which a sanction deducts points.

        Return None if it deducts no points or changes only the spread.
        """
        return self.points_from if kind is SanctionKind.POINTS else None


class OddPlayerRule(StrEnum):
    """The treatment of the last player if the players do not fill tables of two."""

    BYE = "bye"
    THREE = "three"  # one table of three
    AVERAGE = "average"  # a bye with the average of the player's games of the stage in total points


class TotalPointsFactorsByTableSize(Struct, frozen=True, rename={"three": "3", "four": "4"}):
    """The factors that multiply the total points at tables of three and four players."""

    three: Fraction = field(default_factory=partial(Fraction, 3, 2))
    four: Fraction = field(default_factory=partial(Fraction, 2))


class PlacePointsByTableSize(Struct, frozen=True, rename={"three": "3", "four": "4"}):
    """The match points by place at tables of three and four.

    If a table size has no points, the share of opponents beaten determines the match points.
    """

    three: tuple[Fraction, ...] = ()
    four: tuple[Fraction, ...] = ()


class PlayersPerTableRule(Struct, frozen=True):
    """The number of players at a table, and how results at tables of three or four count."""

    # usual number of players; 0: all at one table; 1: every player alone
    prefer: Annotated[int, make_number_bounds(0, 4)] = 2
    odd: OddPlayerRule = OddPlayerRule.BYE
    factor: TotalPointsFactorsByTableSize = field(default_factory=TotalPointsFactorsByTableSize)
    places: PlacePointsByTableSize = field(default_factory=PlacePointsByTableSize)
    rated: bool = False  # each pair of players at a group table counts as a game for ratings

    @property
    def has_group_tables(self) -> bool:
        return self.prefer != USUAL_TABLE_SIZE or self.odd is OddPlayerRule.THREE

    def get_total_points_factor(self, players: int) -> Fraction:
        return {3: self.factor.three, 4: self.factor.four}.get(players, Fraction(1))

    def get_match_points_by_place(self, players: int) -> tuple[Fraction, ...]:
        return {3: self.places.three, 4: self.places.four}.get(players, ())


class RuleSet(Struct, frozen=True):
    """All parameters of one rule book."""

    id: str
    name: str
    language: str
    tileset: str
    # ids of tie-breaks by pairing system; `other` is for systems without their own
    order: Mapping[str, tuple[str, ...]]
    place: int = 100  # position in the list of rule sets
    country: str = ""  # in the language of that country
    unseen: tuple[str, ...] = ()  # paths of parameters not yet checked against the book
    past_prefix: bool = False  # names are sorted without prefix: "de Beer" under B
    # with fewer games, a player ranks behind the others in averages and percentages
    least_games: Annotated[int, make_number_bounds(0, 200)] = 0
    match_points: MatchPoints = field(default_factory=MatchPoints)
    team_match: MatchPoints = field(default_factory=partial(MatchPoints, Fraction(2), Fraction(1), Fraction(0)))
    byes: ByeRules = field(default_factory=ByeRules)
    forfeit: ForfeitRule = field(default_factory=ForfeitRule)
    scores: ScoreLimits = field(default_factory=ScoreLimits)
    knockout: KnockoutTieRule = field(default_factory=KnockoutTieRule)
    gibson: GibsonLeadRule = field(default_factory=GibsonLeadRule)
    spread: SpreadCapRule = field(default_factory=SpreadCapRule)
    most_players: Annotated[int, make_number_bounds(2, 4)] = 2  # at one table; 2 in tournaments
    bonus: Points = 50
    # least number of letters of the first word; if over 2, a player without such a word passes
    first_word: Annotated[int, make_number_bounds(2, 15)] = 2
    passing: PassPermission = PassPermission.ALWAYS
    board_turned: bool = False
    clock: ThinkingTimeRule = field(default_factory=ThinkingTimeRule)
    exchange: TileExchangeRule = field(default_factory=TileExchangeRule)
    ending: GameEndRule = field(default_factory=GameEndRule)
    phony: PhonyRule = field(default_factory=PhonyRule)
    contested: DeliberateInvalidPlayRule = field(default_factory=DeliberateInvalidPlayRule)
    challenge: ChallengeRule = field(default_factory=ChallengeRule)
    overtime: OvertimeRule = field(default_factory=OvertimeRule)
    racks: RemainingTilesRule = field(default_factory=RemainingTilesRule)
    recount: ScoreRecountRule = field(default_factory=ScoreRecountRule)
    late: LatenessRule = field(default_factory=LatenessRule)
    draw: StartingDrawRule = field(default_factory=StartingDrawRule)
    judges: WordJudgingRule = field(default_factory=WordJudgingRule)
    words: WordListScopeRule = field(default_factory=WordListScopeRule)
    form: ScoreSheetContentRule = field(default_factory=ScoreSheetContentRule)
    sanctions: SanctionRule = field(default_factory=SanctionRule)
    tables: PlayersPerTableRule = field(default_factory=PlayersPerTableRule)

    @property
    def match_point_denominator(self) -> int:
        """The factor that makes all match points whole numbers: 2 if a draw is half a point."""
        points, places = self.match_points, self.tables.places
        unit = lcm(2, points.win.denominator, points.draw.denominator, points.loss.denominator)
        if not self.tables.has_group_tables:
            return unit
        return _SHARED_PLACE_UNITS * lcm(unit, *(value.denominator for value in (*places.three, *places.four)))

    def get_match_points_as_integer(self, outcome: Outcome) -> int:
        return int(self.match_points.get_match_points(outcome) * self.match_point_denominator)

    def get_tiebreak_order_for_system(self, system: str) -> tuple[str, ...]:
        return self.order[system if system in self.order else "other"]


_make_cached_decoder = cache(make_decoder)  # built once: that takes longer than parsing a rule set


def parse_ruleset(data: Mapping[str, object], *, source: str = "") -> RuleSet:
    try:
        ruleset: RuleSet = _make_cached_decoder(RuleSet)(data)
    except InvalidDocumentError as error:
        raise InputError("ruleset-invalid", source=source, problems="; ".join(error.problems)) from error
    contradictions = "; ".join(map(str, find_rule_contradictions(ruleset)))
    if contradictions:
        raise InputError("ruleset-invalid", source=source, problems=contradictions)
    return ruleset


class RuleContradiction(Struct, frozen=True):
    """A contradiction in a rule set, such as a missing parameter that others need."""

    path: str  # of the parameter
    minimum: int | None = None  # set if it is above `maximum`
    maximum: int | None = None

    def __str__(self) -> str:
        problem = "missing" if self.minimum is None else f"{self.minimum} is above {self.maximum}"
        return f"{self.path}: {problem}"


def find_rule_contradictions(rules: RuleSet) -> Iterator[RuleContradiction]:
    if not rules.order.get("other"):
        yield RuleContradiction("order.other")
    for name, limits in (
        ("clock.recommended", rules.clock.recommended),
        ("clock.recommended_game", rules.clock.recommended_game),
        ("scores", (rules.scores.lowest, rules.scores.highest)),
    ):
        if limits is not None and limits[0] > limits[1]:
            yield RuleContradiction(name, *limits)
    for name, players, places in (("three", 3, rules.tables.places.three), ("four", 4, rules.tables.places.four)):
        if places and len(places) != players:
            yield RuleContradiction(f"tables.places.{name}")
    if rules.overtime.kind is OvertimeKind.MINUTES and not rules.overtime.points:
        yield RuleContradiction("overtime.points")
    if rules.late.known and rules.clock.minutes is None:
        yield RuleContradiction("clock.minutes")


class ThinkingTimeOutsideRecommendation(Struct, frozen=True):
    """A thinking time outside the recommendation of the rule book."""

    scope: str  # "player" or "game"
    minutes: int
    minimum: int
    maximum: int


def find_thinking_times_outside_recommendation(
    clock: ThinkingTimeRule,
) -> tuple[ThinkingTimeOutsideRecommendation, ...]:
    if clock.minutes is None:
        return ()
    recommendations = (
        ("player", clock.minutes, clock.recommended),
        ("game", 2 * clock.minutes, clock.recommended_game),
    )
    return tuple(
        ThinkingTimeOutsideRecommendation(scope, minutes, *limits)
        for scope, minutes, limits in recommendations
        if limits is not None and not limits[0] <= minutes <= limits[1]
    )
