"""A rule book as data: what games, byes and forfeits are worth, and how a field is ranked.

Presets are TOML files in `resources/rulesets`; a tournament keeps its own copy. Nothing asks for a rule set's id.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from math import lcm
from typing import Annotated

from tdapp.domain.errors import InputError
from tdapp.domain.plain import Between, PlainError, decoder


class Worth(StrEnum):
    """What a round without a game counts as."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    NOTHING = "nothing"  # neither a win nor a loss


class KnockoutTie(StrEnum):
    """Who goes on after equal totals in a knockout."""

    REPLIER = "replier"  # the player who did not start
    EXTRA_GAME = "extra-game"


@dataclass(frozen=True, slots=True)
class MatchPoints:
    """What a game brings; any fractions."""

    win: Fraction = Fraction(1)
    draw: Fraction = Fraction(1, 2)
    loss: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class ByeWorth:
    """What a kind of bye counts as, and its spread in points."""

    counts_as: Worth
    spread: Annotated[int, Between(-1000, 1000)] = 0


@dataclass(frozen=True, slots=True)
class Byes:
    """The worth of each kind of bye."""

    bye: ByeWorth = ByeWorth(Worth.WIN, 50)
    requested: ByeWorth = ByeWorth(Worth.DRAW)
    absent: ByeWorth = ByeWorth(Worth.NOTHING)
    forfeit: ByeWorth = ByeWorth(Worth.LOSS, -50)


@dataclass(frozen=True, slots=True)
class ForfeitRule:
    """A game given up or not played: the winner's margin in points, and whether it counts for rating."""

    margin: Annotated[int, Between(0, 1000)] = 50
    rated: bool = False


@dataclass(frozen=True, slots=True)
class ScoreLimits:
    """Plausible totals of one player in one game; outside them an entry must be confirmed."""

    lowest: int = -150
    highest: int = 1500


@dataclass(frozen=True, slots=True)
class KnockoutRule:
    """How a knockout treats a tie."""

    tie: KnockoutTie = KnockoutTie.EXTRA_GAME


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One rule book's parameters; `order` maps a pairing system, or `other`, to ids of tie-breaks."""

    id: str
    name: str
    language: str
    tileset: str
    order: Mapping[str, tuple[str, ...]]
    match_points: MatchPoints = field(default_factory=MatchPoints)
    byes: Byes = field(default_factory=Byes)
    forfeit: ForfeitRule = field(default_factory=ForfeitRule)
    scores: ScoreLimits = field(default_factory=ScoreLimits)
    knockout: KnockoutRule = field(default_factory=KnockoutRule)

    @property
    def unit(self) -> int:
        """How many whole units make one match point; sums of points are kept in units."""
        points = self.match_points
        return lcm(2, points.win.denominator, points.draw.denominator, points.loss.denominator)

    def units(self, worth: Worth) -> int:
        """Return what `worth` brings, in units of match points."""
        points = self.match_points
        value = {
            Worth.WIN: points.win,
            Worth.DRAW: points.draw,
            Worth.LOSS: points.loss,
            Worth.NOTHING: Fraction(0),
        }[worth]
        return int(value * self.unit)

    def order_for(self, system: str) -> tuple[str, ...]:
        """Return the ids of the tie-breaks that rank a field paired by `system`."""
        return self.order[system if system in self.order else "other"]


def parse(plain: Mapping[str, object], *, source: str = "") -> RuleSet:
    """Return the rule set that `plain` describes; raise InputError naming every error of the document at once."""
    try:
        ruleset = decoder(RuleSet)(plain)
    except PlainError as error:
        raise InputError("ruleset-invalid", source=source, problems="; ".join(error.problems)) from error
    if "other" not in ruleset.order:
        raise InputError("ruleset-invalid", source=source, problems="order.other: missing")
    return ruleset
