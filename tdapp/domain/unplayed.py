"""What each round adds to resistance points, rounds without a game included: the plain way and FIDE's.

Hides the formulas of FIDE's Tie-Break Regulations (C.07, article 16) and of what stood there before 2024. Match
points are in the rule set's units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tdapp.domain.model import ByeKind, PlayerId, Unplayed
from tdapp.domain.records import Record, RoundRecord
from tdapp.domain.ruleset import Worth


@dataclass(frozen=True, slots=True)
class UnplayedTerms:
    """How rounds without a game count: the mode, what a win and a draw are worth, how many rounds there were."""

    mode: Unplayed
    win: int
    draw: int
    rounds: int

    @property
    def dummies(self) -> bool:
        """Whether an own round without a game counts as one against a dummy opponent."""
        return self.mode is not Unplayed.PLAIN


def without_game(entry: RoundRecord) -> bool:
    """Tell whether a decided round was a bye, an absence or a forfeit."""
    return entry.worth is not None and (entry.opponent is None or entry.forfeit)


def voluntary(entry: RoundRecord) -> bool:
    """Tell whether a round is voluntarily unplayed: a requested bye, an absence or a forfeit loss.

    A bye that brings a win is a full-point bye, whoever asked for it.
    """
    return without_game(entry) and entry.worth is not Worth.WIN and entry.bye is not ByeKind.BYE


def filled(records: Mapping[PlayerId, Record], rounds: Iterable[int]) -> Mapping[PlayerId, Record]:
    """Return records in which a round of which nothing was recorded for a player is an absence."""
    absences = {number: RoundRecord(number, bye=ByeKind.ABSENT, worth=Worth.NOTHING) for number in rounds}
    found = dict(records)
    for player, record in records.items():
        if len(record) < len(absences):
            noted = {entry.round: entry for entry in record}
            found[player] = tuple((absences | noted).values())
    return found


def with_dummies(terms: UnplayedTerms, record: Record, *, own: int, brought: Mapping[PlayerId, int]) -> list[int]:
    """Return what each round of a record without open games adds to its player's resistance points.

    A game adds what the opponent has `brought`, an own round without a game a dummy's points. `own` are the
    player's match points.
    """
    return [
        brought[entry.opponent]
        if entry.opponent and not entry.forfeit
        else _dummy(terms, record, entry, own=own, brought=brought)
        for entry in record
    ]


def adjusted(terms: UnplayedTerms, record: Record) -> int:
    """Return the match points that a player brings to the opponents.

    2009: every round without a game is a draw. Later: requested byes and absences are, with which the player's
    tournament ends, that is: after which there are only rounds that are voluntarily unplayed.
    """
    if terms.mode is Unplayed.FIDE_2009:
        return sum(terms.draw if without_game(entry) else entry.units for entry in record)
    total = sum(entry.units for entry in record)
    for entry in reversed(record):
        if not voluntary(entry):
            break
        if entry.bye in {ByeKind.REQUESTED, ByeKind.ABSENT}:
            total += terms.draw - entry.units
    return total


def _dummy(
    terms: UnplayedTerms, record: Record, entry: RoundRecord, *, own: int, brought: Mapping[PlayerId, int]
) -> int:
    """Return what an own round without a game adds.

    2009: the own points before it, what the opponent took in it, and draws after it. 2024: the own points. 2026:
    no more than the scheduled opponent's points after a forfeit, than draws in all rounds otherwise.
    """
    if terms.mode is Unplayed.FIDE_2009:
        before = sum(item.units for item in record if item.round < entry.round)
        return before + terms.win - entry.units + terms.draw * (terms.rounds - entry.round)
    if terms.mode is Unplayed.FIDE_2024:
        return own
    return min(own, brought[entry.opponent] if entry.opponent else terms.draw * terms.rounds)
