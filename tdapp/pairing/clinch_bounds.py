"""Bounds for overtaking, and decided ranks in the race for prizes.

Positions are ranks from 0. A player is gibsonized if no player below can catch up and the player above is out of
reach.
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
    """A player with score (in the contest's steps), spread and `left` games.

    If total points rank the field, the score is 0 and `spread` twice the points, because a margin moves both
    players.
    """

    player: PlayerId
    score: int
    spread: int = 0
    left: int = 0
    category: str = ""


class Contest(Struct, frozen=True):
    """The field before a round and its prizes. `contenders` are in the order of the standings.

    `win`: steps from a loss to a win, 0 if total points rank. `swing`: greatest spread of a game. `by_spread`:
    spread ranks equal scores. `safe_lead`: spread per remaining round that counts as safe. `places`: ranks to
    play for, `bare` ones without a prize. `class_prizes`: number by category. `opening`: paired rounds that do
    not count yet. `ending` ranks the end; None: score and spread.
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
        return len(self.contenders)

    @property
    def last_quarter(self) -> bool:
        return 4 * self.rounds_left <= self.rounds


class Groups(Struct, frozen=True):
    """Gibson groups, within which pairs are made. The last one is the bottom group, never empty.

    `left_over`: gibsonized players in the bottom group.
    """

    members: tuple[tuple[int, ...], ...]
    left_over: tuple[int, ...] = ()

    def number_of(self, count: int) -> tuple[int, ...]:
        numbers = [0] * count
        for number, group in enumerate(self.members):
            for position in group:
                numbers[position] = number
        return tuple(numbers)


def can_catch(contest: Contest, below: int, above: int) -> bool:
    """Return whether `below` can still finish above `above`.

    If winning and losing all games would only equalise, their spread decides; with another tie-break the
    result is True. Without remaining games it is False, unless that tie-break depends on other games.
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


def find_gibsonized(contest: Contest) -> frozenset[int]:
    """Return the positions with a decided prize. Only valid between rounds."""
    count = contest.count
    return frozenset(
        position
        for position in range(min(contest.places, count))
        if not any(can_catch(contest, position, above) for above in range(position))
        and not any(can_catch(contest, below, position) for below in range(position + 1, count))
    )


def split_groups(contest: Contest, decided: Collection[int]) -> Groups:
    """Return the groups separated by the `decided` positions.

    A gibsonized player completes an odd group above, or else plays in the bottom group.
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
    """Return last-round pairs for category prizes: for each prize the next two, if the second can catch up.

    `free`: available positions in order.
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
    """Certainty of a player's prize."""

    DECIDED = "decided"  # a decided rank with a prize
    SAFE = "safe"  # a prize, but not a decided one
    IN_REACH = "in-reach"
    OUT_OF_REACH = "out-of-reach"


def compute_fates(contest: Contest) -> tuple[Fate, ...]:
    decided = find_gibsonized(contest)
    return tuple(
        _make_fate(contest, position, is_decided=position in decided) for position in range(contest.count)
    )


def _make_fate(contest: Contest, position: int, *, is_decided: bool) -> Fate:
    """Return a fate from possible final ranks. Ranks without a prize count as one."""
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
