"""How rounds would have been paired, had a correction been known.

Hides how a round is paired again: from the value without it and what came later, with the very players who were in
it, and with the tables that were kept or made by hand. Nothing is changed; published pairings stand. Slow: each
later round is paired twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, DivisionId, PlayerId, Round, RoundState
from tdapp.domain.proposal import Proposal, fingerprint
from tdapp.domain.tournament import Tournament
from tdapp.pairing import past
from tdapp.pairing.field import Fixed
from tdapp.pairing.proposing import propose


@dataclass(frozen=True, slots=True)
class RoundDifference:
    """A round that would have been paired otherwise: at how many `tables` others would meet, and who would wait.

    `had` and `instead` are the players with the bye as it was and as it would have been, None for nobody; equal
    where the bye stays. `draft`: nobody has seen the round yet.
    """

    round: int
    tables: int
    had: PlayerId | None = None
    instead: PlayerId | None = None
    draft: bool = False


def would_differ(before: Tournament, after: Tournament, division: DivisionId) -> tuple[RoundDifference, ...]:
    """Return the rounds that would have been paired otherwise from `after` than from `before`, by number.

    Both sides are paired anew, so that what the director changed by hand at the time is no difference. Rounds that
    cannot be paired from one of the two (a result is missing) are left out.
    """
    return tuple(reversed(list(_differences(before, after, division))))


def _differences(before: Tournament, after: Tournament, division: DivisionId) -> Iterator[RoundDifference]:
    """Yield the differences from the last round back, as far as the two values differ before it."""
    for item in reversed(Index(after).rounds(division)):
        whole = Index(after)
        before, after = (past.before(value, item, seated=False) for value in (before, after))
        old, new = Index(before), Index(after)
        if fingerprint(old, division, item.number, item.source) == fingerprint(
            new, division, item.number, item.source
        ):
            return
        one, other = _again(whole, before, item, division), _again(whole, after, item, division)
        if one is None or other is None:
            continue
        found = RoundDifference(
            round=item.number,
            tables=len(_pairs(other) - _pairs(one)),
            had=_waiting(one),
            instead=_waiting(other),
            draft=item.state is RoundState.DRAFT,
        )
        if found.tables or found.had != found.instead:
            yield found


def _again(whole: Index, earlier: Tournament, item: Round, division: DivisionId) -> Proposal | None:
    """Return round `item` of `whole` paired again from the `earlier` value, None where that is not possible."""
    try:
        return propose(
            Index(past.as_present(whole, earlier, item, division)),
            division,
            fixed=_kept(whole, item),
            source_round=item.source,
            assumed=[game for game in item.assumed if game not in earlier.results],
        )
    except RuleViolation:
        return None


def _kept(whole: Index, item: Round) -> tuple[Fixed, ...]:
    """Return the tables that were kept or made by hand."""
    return tuple(
        Fixed(game.first, game.second, game.table, keep_start=True)
        for game in whole.games(item.id)
        if game.locked or (game.reason is not None and game.reason.code == "by-hand")
    )


def _pairs(proposal: Proposal) -> set[frozenset[PlayerId]]:
    return {frozenset({game.first, game.second}) for game in proposal.games}


def _waiting(proposal: Proposal) -> PlayerId | None:
    return next((bye.player for bye in proposal.byes if bye.kind is ByeKind.BYE), None)
