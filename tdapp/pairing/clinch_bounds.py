"""Who can still overtake whom, and what is decided: the arithmetic of the chase for prizes.

Hides what a game may bring. Positions are places in the order of the standings, from 0. A player whom nobody below
can catch and who cannot catch the one above is gibsonized: the place is decided.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from itertools import islice

from msgspec import Struct

from tdapp.domain.model import PlayerId
from tdapp.pairing.ending import Ending

Pairs = tuple[tuple[int, int], ...]


class Contender(Struct, frozen=True):
    """A player with the score in the contest's steps and the spread so far; `left` games are still to be played.

    Where total points rank the field the score is 0 and `spread` twice those points: what one player wins of a
    margin the other loses.
    """

    player: PlayerId
    score: int
    spread: int = 0
    left: int = 0
    category: str = ""


class Contest(Struct, frozen=True):
    """The field before a round with the prizes it plays for; `contenders` in the order of the standings.

    `win` is by how many steps a win beats a loss, 0 where total points rank; `swing` the spread that a game may
    bring; `by_spread` whether equal scores are parted by spread; `safe_lead`, where rules have one, the lead in
    spread for each round left that cannot be made up. `places` are played for, from the first
    one; those of them that are `bare` have no prize of their own. `class_prizes` says how many there are for a
    class. `opening` are games that are paired but do not count yet, round by round. `ending` ranks the end, None:
    score and spread do.
    """

    contenders: tuple[Contender, ...]
    rounds_left: int
    rounds: int
    places: int = 1
    win: int = 2
    swing: int = 200
    by_spread: bool = True
    safe_lead: int | None = None
    bye_spread: int = 50
    bare: frozenset[int] = frozenset()
    class_prizes: tuple[tuple[str, int], ...] = ()
    opening: tuple[Pairs, ...] = ()
    ending: Ending | None = None

    @property
    def count(self) -> int:
        """How many players there are."""
        return len(self.contenders)

    @property
    def last_quarter(self) -> bool:
        """Whether no more than a quarter of the rounds is left."""
        return 4 * self.rounds_left <= self.rounds


class Groups(Struct, frozen=True):
    """The Gibson groups: no player is paired out of the own one. The last is the bottom group, never empty.

    `left_over` are the gibsonized players who play in the bottom group though they stand above it.
    """

    members: tuple[tuple[int, ...], ...]
    left_over: tuple[int, ...] = ()

    def number_of(self, count: int) -> tuple[int, ...]:
        """Return the number of each position's group."""
        numbers = [0] * count
        for number, group in enumerate(self.members):
            for position in group:
                numbers[position] = number
        return tuple(numbers)


def can_catch(contest: Contest, below: int, above: int) -> bool:
    """Return whether the player at `below` may still end above the one at `above`, who stands higher now.

    With a lead that all wins of the one and all losses of the other would only level, by the spread of those
    games; where something else than spread parts equal scores, always. Not where neither has a game left, unless
    that something may depend on the games of others.
    """
    chaser, chased = contest.contenders[below], contest.contenders[above]
    both_done = not chaser.left and not chased.left
    if both_done and (contest.by_spread or not any(one.left for one in contest.contenders)):
        return False
    lead, most = chased.score - chaser.score, contest.win * chaser.left
    if lead != most:
        return lead < most
    if not contest.by_spread:
        return True
    ahead = chased.spread - chaser.spread
    if contest.safe_lead is not None:
        return ahead < contest.safe_lead * max(chaser.left, chased.left)
    return ahead <= contest.swing * (chaser.left + chased.left)


def gibsonized(contest: Contest) -> frozenset[int]:
    """Return the positions with a prize that are decided.

    The next above and below tell only before a round: in it some have a game left that these have played.
    """
    count = contest.count
    return frozenset(
        position
        for position in range(min(contest.places, count))
        if not any(can_catch(contest, position, above) for above in range(position))
        and not any(can_catch(contest, below, position) for below in range(position + 1, count))
    )


def groups(contest: Contest, decided: Collection[int]) -> Groups:
    """Return the Gibson groups that the `decided` positions part.

    A gibsonized player makes an odd group above even; otherwise the player is left over for the bottom group.
    """
    members: list[tuple[int, ...]] = []
    current: list[int] = []
    left_over: list[int] = []
    for position in range(contest.count):
        if position not in decided:
            current.append(position)
            continue
        if len(current) % 2:
            current.append(position)
        else:
            left_over.append(position)
        if current:
            members.append(tuple(current))
        current = []
    bottom = (*left_over, *current)
    return Groups((*members, bottom) if bottom or not members else tuple(members), tuple(left_over))


def class_pairs(contest: Contest, category: str, prizes: int, free: Sequence[int]) -> Pairs:
    """Return who of a class meets in the last round: for each prize the next two of it, if the second can catch.

    `free` are the positions that may be paired, in order; a prize whose first cannot be caught is decided.
    """
    members = [position for position in free if contest.contenders[position].category == category]
    found: list[tuple[int, int]] = []
    for _ in range(prizes):
        if len(members) < 2:  # noqa: PLR2004
            break
        if can_catch(contest, members[1], members[0]):
            found.append((members[0], members[1]))
            members = members[2:]
        else:
            members = members[1:]
    return tuple(found)


class Fate(StrEnum):
    """What is certain of a player's prize, whatever the games to come bring."""

    DECIDED = "decided"  # the place, which has a prize
    SAFE = "safe"  # a prize, but not which
    IN_REACH = "in-reach"
    OUT_OF_REACH = "out-of-reach"


def fates(contest: Contest) -> tuple[Fate, ...]:
    """Return what is certain of the player at each position."""
    decided = gibsonized(contest)
    return tuple(_fate(contest, position, is_decided=position in decided) for position in range(contest.count))


def _fate(contest: Contest, position: int, *, is_decided: bool) -> Fate:
    """Look at the places that the player may still end at: those below the last prize count as one."""
    if is_decided:
        return Fate.OUT_OF_REACH if position in contest.bare else Fate.DECIDED
    ahead = (not can_catch(contest, position, other) for other in range(position))
    highest = sum(islice(filter(None, ahead), contest.places))
    lowest = contest.places
    if position < contest.places:
        lowest = position + sum(
            can_catch(contest, other, position) for other in range(position + 1, contest.count)
        )
    won = [end < contest.places and end not in contest.bare for end in range(highest, lowest + 1)]
    if all(won):
        return Fate.SAFE
    return Fate.IN_REACH if any(won) else Fate.OUT_OF_REACH
