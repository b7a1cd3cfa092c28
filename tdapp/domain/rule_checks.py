"""Parse a rule set, and find contradictory and unusual values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from tdapp.domain.errors import InputError
from tdapp.domain.ruleset import ClockRule, OvertimeKind, RuleSet
from tdapp.domain.serialization import PlainError, make_decoder

_decoder = cache(make_decoder)  # built once: that takes longer than parsing a rule set


def parse_ruleset(plain: Mapping[str, object], *, source: str = "") -> RuleSet:
    """Parse a rule set. Raises InputError with all errors of the document."""
    try:
        ruleset: RuleSet = _decoder(RuleSet)(plain)
    except PlainError as error:
        raise InputError("ruleset-invalid", source=source, problems="; ".join(error.problems)) from error
    found = "; ".join(map(str, find_contradictions(ruleset)))
    if found:
        raise InputError("ruleset-invalid", source=source, problems=found)
    return ruleset


class Contradiction(Struct, frozen=True):
    """A missing parameter that others need, or a range whose `low` end is above its `high` end."""

    path: str
    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        problem = "missing" if self.low is None else f"{self.low} is above {self.high}"
        return f"{self.path}: {problem}"


def find_contradictions(rules: RuleSet) -> Iterator[Contradiction]:
    if not rules.order.get("other"):
        yield Contradiction("order.other")
    for name, limits in (
        ("clock.recommended", rules.clock.recommended),
        ("clock.recommended_game", rules.clock.recommended_game),
        ("scores", (rules.scores.lowest, rules.scores.highest)),
    ):
        if limits is not None and limits[0] > limits[1]:
            yield Contradiction(name, *limits)
    if rules.overtime.kind is OvertimeKind.MINUTES and not rules.overtime.points:
        yield Contradiction("overtime.points")
    if rules.late.known and rules.clock.minutes is None:
        yield Contradiction("clock.minutes")


class ClockWarning(Struct, frozen=True):
    """A time outside a rule book's recommendation. `scope` is "player" or "game"."""

    scope: str
    minutes: int
    low: int
    high: int


def find_clock_warnings(clock: ClockRule) -> tuple[ClockWarning, ...]:
    """Return how a two-player clock differs from the recommendations of its rule book."""
    if clock.minutes is None:
        return ()
    found = (("player", clock.minutes, clock.recommended), ("game", 2 * clock.minutes, clock.recommended_game))
    return tuple(
        ClockWarning(scope, minutes, *limits)
        for scope, minutes, limits in found
        if limits is not None and not limits[0] <= minutes <= limits[1]
    )
