"""Whether every stored round is what its pairing system makes of what was known then.

Hides what was known: the standings of the round's source with its assumed games drawn, who was there as the round
itself tells, and the tables that the director has set. What is not stored (settings, ratings and results corrected
since) is taken as it is now, so a round may also differ because of those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, DivisionId, Game, PlayerId, Round
from tdapp.domain.tournament import Tournament
from tdapp.pairing.field import Fixed
from tdapp.pairing.hindsight import as_present, by_director, directed, is_directed, latecomers, without_round
from tdapp.pairing.proposing import propose


@dataclass(frozen=True, slots=True)
class Repaired:
    """A round paired again: `tables` it has, `by_hand` those that are as somebody set them.

    `otherwise` are the tables at which others would meet, `had` and `instead` the players with a bye as it is and
    as it would be. `failed` is why the round cannot be paired again, None where it can.
    """

    round: int
    tables: int
    by_hand: tuple[int, ...] = ()
    otherwise: tuple[int, ...] = ()
    had: frozenset[PlayerId] = frozenset()
    instead: frozenset[PlayerId] = frozenset()
    failed: RuleViolation | None = None

    @property
    def same(self) -> bool:
        """Whether the program would pair the round so again."""
        return self.failed is None and not self.otherwise and self.had == self.instead


def repaired(tournament: Tournament, division: DivisionId) -> tuple[Repaired, ...]:
    """Return each stored round of a division, drafts included, beside what pairing it again gives, by number."""
    return tuple(reversed(list(_repaired(tournament, division))))


def _repaired(tournament: Tournament, division: DivisionId) -> Iterator[Repaired]:
    """Yield the rounds from the last back, each paired from the tournament as it was before it."""
    for item in reversed(Index(tournament).rounds(division)):
        whole, tournament = Index(tournament), without_round(tournament, item)
        yield _compared(whole, tournament, item, division)


def _compared(whole: Index, earlier: Tournament, item: Round, division: DivisionId) -> Repaired:
    """Return the round beside its pairings made again: around what the director set, and before it was set.

    Some systems pair the others otherwise around a pair than without; a table made by hand may be from either.
    """
    games = whole.games(item.id)
    by_hand = tuple(game.table for game in games if is_directed(game))
    had = _waiting(whole, item)
    found = Repaired(item.number, len(games), by_hand, had=had, instead=had)
    if len(by_hand) == len(games):
        return found
    then = Index(as_present(whole, earlier, item, division))
    around = directed(whole, item)
    ways = [around, tuple(fixed for fixed in around if fixed.code not in {"by-hand", None})]
    made = [_made(then, whole, item, division, fixed=fixed, found=found) for fixed in dict.fromkeys(ways)]
    return min(made, key=lambda one: (one.failed is not None, len(one.otherwise), one.had != one.instead))


def _made(
    then: Index, whole: Index, item: Round, division: DivisionId, *, fixed: Sequence[Fixed], found: Repaired
) -> Repaired:
    """Return what differs when the round is paired again around `fixed`; what the director set does not."""
    try:
        proposal = propose(then, division, fixed=fixed, source_round=item.source, assumed=item.assumed)
    except RuleViolation as error:
        return replace(found, failed=error)
    again = {frozenset({game.first, game.second}) for game in proposal.games}
    late = latecomers(whole, item)
    others = [game for game in whole.games(item.id) if not is_directed(game) and not _ends(game) & late]
    byes = frozenset(bye.player for bye in proposal.byes if bye.kind is ByeKind.BYE)
    set_by_hand = any(by_director(bye.reason) for bye in whole.byes(item.id) if bye.kind is ByeKind.BYE)
    return replace(
        found,
        otherwise=tuple(game.table for game in others if _ends(game) not in again),
        instead=found.had if set_by_hand else byes,
    )


def _ends(game: Game) -> frozenset[PlayerId]:
    return frozenset({game.first, game.second})


def _waiting(whole: Index, item: Round) -> frozenset[PlayerId]:
    """Return who had a bye: also the one against whom a latecomer was seated since."""
    late = latecomers(whole, item)
    before = {player for game in whole.games(item.id) if _ends(game) & late for player in _ends(game) - late}
    return frozenset(before | {bye.player for bye in whole.byes(item.id) if bye.kind is ByeKind.BYE})
