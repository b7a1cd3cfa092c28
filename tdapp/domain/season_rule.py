"""The parameters of season rules. Presets are in `resources/seasons`; each season has its own copy."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import cache, partial

from msgspec import Struct, field

from tdapp.domain.errors import InputError
from tdapp.domain.serialization import InvalidDocumentError, make_decoder


class EveningResultMeasure(StrEnum):
    """The measure of a player's result at an evening."""

    PLACE = "place"  # points for the place
    FIELD = "field"  # percentage of the other players who rank lower
    MATCH_POINTS = "match-points"
    POINTS = "points"
    AVERAGE = "average"  # points per game
    SPREAD = "spread"
    TOP = "top"  # percentage of the highest points of the evening
    PLACING = "placing"  # 1 for a qualifying place, otherwise 0


class SeasonTotalMethod(StrEnum):
    """How the results that count are combined into a player's total."""

    SUM = "sum"
    AVERAGE = "average"  # per evening, or per game if `SeasonRule.value` is `average`


class SeasonTieBreak(StrEnum):
    """A tie-break for equal totals."""

    NEXT_BEST = "next-best"  # the best results one by one, then those that do not count
    EVENTS = "events"  # more evenings
    SPREAD = "spread"  # of all evenings in the season
    HEAD_TO_HEAD = "head-to-head"  # match points in games between the equal players
    LATEST = "latest"  # the result of the latest evening, then of the one before
    PLACES = "places"  # more first places, then second, and so on
    AVERAGE = "average"  # points per game


class QualifyingPlacesByFieldSize(Struct, frozen=True):
    """The number of qualifying places of an evening, by its number of players."""

    field: int  # least number of players
    places: int


class FinalQualificationRule(Struct, frozen=True):
    """The rules for qualification for the final of a season."""

    places: tuple[QualifyingPlacesByFieldSize, ...] = ()
    handed_down: bool = False  # the place of an already qualified player goes to the next player
    fill: int = 0  # size of the final; players with the highest ratings fill it; 0: no player is added


class SeasonRule(Struct, frozen=True):
    """The rules for the table of a season, from the results of club evenings."""

    id: str
    name: str
    value: EveningResultMeasure = EveningResultMeasure.PLACE
    # points for places 1, 2, ... if `value` is `place`; equal players share them; (): players minus place plus 1
    places: tuple[Fraction, ...] = ()
    # multiplies the value of an evening (a plain default has no JSON Schema)
    scale: Fraction = field(default_factory=partial(Fraction, 1))
    combine: SeasonTotalMethod = SeasonTotalMethod.SUM
    best: int = 0  # number of results that count; 0: all
    least_events: int = 0  # players with fewer evenings have no rank
    least_share: Fraction = field(default_factory=Fraction)  # `least_events` as share of evenings, rounded up
    share_beyond: int = 0  # `least_share` applies if the season has more evenings
    least_games: int = 0  # players with fewer games have no rank
    expiry: int = 0  # number of days for which a result counts; 0: always
    categories: tuple[str, ...] = ()  # each has its own table
    apart: bool = False  # each category also ranks its evenings separately
    ties: tuple[SeasonTieBreak, ...] = (SeasonTieBreak.NEXT_BEST,)
    promoted: int = 0  # number of players who change to the category above
    relegated: int = 0  # number of players who change to the category below
    qualification: FinalQualificationRule = field(default_factory=FinalQualificationRule)
    source: str = ""

    def count_qualifying_places(self, players: int) -> int:
        place_counts = [entry.places for entry in self.qualification.places if entry.field <= players]
        return max(place_counts, default=0)

    def compute_event_count_needed_for_rank(self, evenings: int) -> int:
        """Return how many of `evenings` a player needs for a rank."""
        share = -(-evenings * self.least_share.numerator // self.least_share.denominator)
        return max(self.least_events, share if evenings > self.share_beyond else 0)


_make_cached_decoder = cache(make_decoder)


def parse_season_rule(data: object, *, source: str = "") -> SeasonRule:
    try:
        rule: SeasonRule = _make_cached_decoder(SeasonRule)(data)
    except InvalidDocumentError as error:
        raise InputError("season-rule-invalid", source=source, problems="; ".join(error.problems)) from error
    problems = list_invalid_season_rule_fields(rule)
    if problems:
        raise InputError("season-rule-invalid", source=source, problems="; ".join(problems))
    return rule


def list_invalid_season_rule_fields(rule: SeasonRule) -> list[str]:
    """Return the paths of values out of range."""
    numbers = ("best", "least_events", "share_beyond", "least_games", "expiry", "promoted", "relegated")
    paths = [name for name in numbers if not 0 <= getattr(rule, name) <= MAX_VALUE]
    paths += ["scale"] * (not 0 < rule.scale <= MAX_VALUE)
    paths += ["least_share"] * (not 0 <= rule.least_share <= 1)
    paths += ["places"] * any(abs(points) > MAX_VALUE for points in rule.places)
    paths += ["ties"] * (len(set(rule.ties)) < len(rule.ties))
    sizes = [number for entry in rule.qualification.places for number in (entry.field, entry.places)]
    paths += ["qualification"] * any(not 0 <= number <= MAX_VALUE for number in (*sizes, rule.qualification.fill))
    return paths


MAX_VALUE = 10_000
