"""Calculates which ranks are decided, and which players can still overtake each other, for prizes.

Positions are ranks from 0. A player with a decided rank is gibsonized: no lower player can catch the player, and
the player can catch no higher player.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from itertools import islice

from msgspec import Struct

from tdapp.domain.model import PlayerId
from tdapp.pairing.ending import SimulationRankingData

Pairs = tuple[tuple[int, int], ...]


class Contender(Struct, frozen=True):
    """A player who competes for ranks, with the results so far."""

    player: PlayerId
    score: int  # match points in units (see `ending`)
    # if total points rank the players: `score` is 0, `spread` is twice the points (400 points give 800)
    # points are doubled: a win by 50 changes the difference by 100 in spread, by 50 in points
    spread: int = 0
    games_left: int = 0  # games not yet in the score
    category: str = ""


class RankContest(Struct, frozen=True):
    """The state before a round: the players who compete for ranks, and the rules."""

    contenders: tuple[Contender, ...]  # in the order of the standings
    rounds_left: int
    rounds: int  # of the whole contest, including the played rounds
    places: int = 1  # number of ranks to play for
    win: int = 2  # units from a loss to a win; 0 if total points rank the players
    swing: int = 200  # largest spread that a game is assumed to change
    by_spread: bool = True  # spread ranks players with equal scores
    safe_lead: int | None = None  # lead in spread per remaining round that is safe; None: compute from `swing`
    bye_spread: int = 50
    without_prize: frozenset[int] = frozenset()  # ranks among `places` without a prize
    class_prizes: tuple[tuple[str, int], ...] = ()  # categories with their number of prizes
    uncounted_rounds: tuple[Pairs, ...] = ()  # paired rounds not yet in the scores
    ranking_data: SimulationRankingData | None = None  # for the final ranking; None: rank by score and spread

    @property
    def contender_count(self) -> int:
        return len(self.contenders)

    @property
    def is_in_last_quarter_of_rounds(self) -> bool:
        """Whether at most a quarter of the rounds remains."""
        return 4 * self.rounds_left <= self.rounds


class GroupsBetweenGibsonizedPlayers(Struct, frozen=True):
    """The standings, divided into groups at gibsonized players (with a decided rank).

    Players meet only within their group. The last group is never empty.
    """

    members: tuple[tuple[int, ...], ...]  # positions
    gibsonized_in_last_group: tuple[int, ...] = ()  # positions

    def list_group_numbers_by_position(self, count: int) -> tuple[int, ...]:
        numbers = [0] * count
        for number, group in enumerate(self.members):
            for position in group:
                numbers[position] = number
        return tuple(numbers)


def can_finish_above(contest: RankContest, lower: int, upper: int) -> bool:
    """Return whether the player at position `lower` can still finish above the player at `upper`.

    If `lower` can at best reach an equal score, compare the spreads. If `contest.by_spread` is
    False, return True for an equal score.
    """
    chaser, chased = contest.contenders[lower], contest.contenders[upper]
    both_done = not chaser.games_left and not chased.games_left
    if both_done and (contest.by_spread or not any(contender.games_left for contender in contest.contenders)):
        return False
    lead, max_gain = chased.score - chaser.score, contest.win * chaser.games_left
    if lead != max_gain:
        return lead < max_gain
    if not contest.by_spread:
        return True
    spread_lead = chased.spread - chaser.spread
    if contest.safe_lead is not None:
        return spread_lead < contest.safe_lead * max(chaser.games_left, chased.games_left)
    return spread_lead <= contest.swing * (chaser.games_left + chased.games_left)


def find_gibsonized_positions(contest: RankContest) -> frozenset[int]:
    """Return the positions of gibsonized players (with a decided rank). Call this only between rounds."""
    count = contest.contender_count
    return frozenset(
        position
        for position in range(min(contest.places, count))
        if not any(can_finish_above(contest, position, upper) for upper in range(position))
        and not any(can_finish_above(contest, lower, position) for lower in range(position + 1, count))
    )


def split_standings_at_decided_positions(
    contest: RankContest, decided_positions: Collection[int]
) -> GroupsBetweenGibsonizedPlayers:
    """Divide the standings into groups at each player with a decided rank.

    The player joins the group above if this group has an odd size, otherwise the last group.
    Example: positions 0 to 7, with 2 and 6 decided, give (0, 1), (3, 4, 5, 6) and (2, 7).
    """
    members: list[tuple[int, ...]] = []
    current: list[int] = []
    gibsonized_in_last_group: list[int] = []
    for position in range(contest.contender_count):
        if position not in decided_positions:
            current.append(position)
            continue
        if len(current) % 2:
            current.append(position)
        else:
            gibsonized_in_last_group.append(position)
        if current:
            members.append(tuple(current))
        current = []
    bottom = (*gibsonized_in_last_group, *current)
    return GroupsBetweenGibsonizedPlayers(
        (*members, bottom) if bottom or not members else tuple(members), tuple(gibsonized_in_last_group)
    )


def list_rival_pairs_for_category_prizes(
    contest: RankContest, category: str, prizes: int, positions: Sequence[int]
) -> Pairs:
    """Return pairs for the prizes of a category in the last round.

    The best two players of the category meet if the second can still catch the first. Otherwise the first
    player is skipped, and the second and third are compared in the same way.
    """
    members = [position for position in positions if contest.contenders[position].category == category]
    pairs: list[tuple[int, int]] = []
    for _ in range(prizes):
        if len(members) < 2:  # noqa: PLR2004
            break
        if can_finish_above(contest, members[1], members[0]):
            pairs.append((members[0], members[1]))
            members = members[2:]
        else:
            members = members[1:]
    return tuple(pairs)


class PrizeStatus(StrEnum):
    """How certain it is that a player gets a prize."""

    DECIDED = "decided"  # a decided rank with a prize
    SAFE = "safe"  # certain of a prize, but not of the rank
    IN_REACH = "in-reach"
    OUT_OF_REACH = "out-of-reach"


def compute_prize_statuses(contest: RankContest) -> tuple[PrizeStatus, ...]:
    decided_positions = find_gibsonized_positions(contest)
    return tuple(
        _find_prize_status(contest, position, is_decided=position in decided_positions)
        for position in range(contest.contender_count)
    )


def _find_prize_status(contest: RankContest, position: int, *, is_decided: bool) -> PrizeStatus:
    if is_decided:
        return PrizeStatus.OUT_OF_REACH if position in contest.without_prize else PrizeStatus.DECIDED
    is_out_of_reach = (not can_finish_above(contest, position, rival) for rival in range(position))
    highest = sum(islice(filter(None, is_out_of_reach), contest.places))
    lowest = contest.places
    if position < contest.places:
        lowest = position + sum(
            can_finish_above(contest, rival, position) for rival in range(position + 1, contest.contender_count)
        )
    is_prize = [rank < contest.places and rank not in contest.without_prize for rank in range(highest, lowest + 1)]
    if all(is_prize):
        return PrizeStatus.SAFE
    return PrizeStatus.IN_REACH if any(is_prize) else PrizeStatus.OUT_OF_REACH
