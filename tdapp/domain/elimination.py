"""The forms of a knockout as a graph of matches: where the winner and the loser of each match play next.

A turn is a set of matches that can be played at the same time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.pairing_settings import Elimination


class BracketPart(StrEnum):
    """A part of a bracket, such as the losers' bracket."""

    WINNERS = "winners"  # the only part of a single elimination
    FINAL = "grand-final"  # double elimination: between the winners of both brackets
    RESET = "reset"  # repeated if the winner of the losers' bracket won
    THIRD = "third-place"
    LOSERS = "losers"
    PLACES = "places"  # matches for all other ranks
    CONSOLATION = "consolation"


class SlotSource(StrEnum):
    """How a player reaches a match."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"
    FIRST_LOSS = "first"  # the loser, if it was the player's first match


class MatchFeed(Struct, frozen=True):
    """The source of one player of a match: a seed, or an earlier match."""

    via: SlotSource
    at: int  # seed number (from 1), or index of an earlier match (from 0)


class MatchNode(Struct, frozen=True):
    """One match of the graph."""

    part: BracketPart
    round: int  # round within its part of the bracket, from 1
    number: int  # match within the round, from 1
    # None: no player comes, a bye; only the first match of a seed can have one
    feeds: tuple[MatchFeed | None, MatchFeed | None]
    turn: int = 0  # earliest turn in which it can be played, from 1
    match: int = 0  # number within the turn, from 1
    wins: int | None = None  # final rank of the winner, None if the winner plays on
    loses: int | None = None  # final rank of the loser, None if the loser plays on
    top: int = 1  # best rank that a classification match can decide
    round_size: int = 2  # number of players in its round

    @property
    def has_bye(self) -> bool:
        return None in self.feeds


Slots = list[MatchFeed | None]


def order_seeds(size: int) -> tuple[int, ...]:
    """Return the seeds 1 to `size` in the order of the first round. Seeds 1 and 2 can only meet in the final."""
    order = [1, 2]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for place in order for seed in (place, total - place)]
    return tuple(order)


def count_knockout_rounds(players: int) -> int:
    return max(1, (players - 1).bit_length())


def build_match_graph(
    seeds: Collection[int], elimination: Elimination = Elimination.SINGLE, *, third_place: bool = False
) -> tuple[MatchNode, ...]:
    """Return the matches of a knockout, sorted by turn and number.

    `third_place` adds a match for third place to single elimination and consolation. Other forms always decide
    it.
    """
    if len(seeds) < 2:  # noqa: PLR2004
        return ()
    made = _BracketBuilder(seeds)
    if elimination is Elimination.CLASSIFICATION:
        made.add_classification()
    elif elimination is Elimination.DOUBLE:
        made.add_losers_bracket()
    else:
        third = third_place and made.add_third_place_match()
        if elimination is Elimination.CONSOLATION:
            made.add_consolation(include_semifinals=not third)
    return _number_matches(_assign_earliest_turns(made.nodes))


def count_knockout_turns(nodes: Sequence[MatchNode]) -> int:
    """Return the number of turns. A double elimination includes the possible second final."""
    return max((node.turn for node in nodes), default=0)


def name_knockout_turn(seeds: Collection[int], turn: int, elimination: Elimination) -> str:
    if elimination is Elimination.DOUBLE:
        nodes = build_match_graph(seeds, elimination)
        return _name_double_elimination_turn([node for node in nodes if node.turn == turn])
    players = (
        2 ** (count_knockout_rounds(max(seeds)) - turn + 1)
        if len(seeds) > 1 and turn <= count_knockout_rounds(max(seeds))
        else 0
    )
    return _name_round_by_players(players) if players else ""


def _name_double_elimination_turn(nodes: Sequence[MatchNode]) -> str:
    rounds = {node.part: node.round for node in nodes}
    final = next((part.value for part in (BracketPart.FINAL, BracketPart.RESET) if part in rounds), "")
    parts = [part for part in (BracketPart.WINNERS, BracketPart.LOSERS) if part in rounds]
    numbers = (str(rounds[part]) for part in parts)
    return final or "/".join(("-".join(parts), *numbers))


def _name_round_by_players(players: int) -> str:
    return {2: "final", 4: "semifinal", 8: "quarter-final"}.get(players, f"round-of/{players}")


def name_matches(nodes: Sequence[MatchNode]) -> tuple[str, ...]:
    """Return the name code of each match, such as "semifinal/2".

    Codes with numbers: semifinal, quarter-final (number), round-of (players, number), winners, losers,
    consolation (round, number), place (rank), places (first, last, number).
    """
    double = any(node.part is BracketPart.FINAL for node in nodes)
    last = Counter[BracketPart]()
    for node in nodes:
        last[node.part] = max(last[node.part], node.round)
    return tuple(_name_match(node, last[node.part], double=double) for node in nodes)


def _name_match(node: MatchNode, last_round: int, *, double: bool) -> str:
    if node.part is BracketPart.PLACES:
        whole = f"{BracketPart.PLACES}/{node.top}/{node.top + node.round_size - 1}/{node.number}"
        return f"place/{node.top}" if node.round_size == 2 else whole  # noqa: PLR2004
    if node.part in {BracketPart.FINAL, BracketPart.RESET, BracketPart.THIRD}:
        return node.part.value
    if node.part is not BracketPart.WINNERS or double:
        return f"{node.part}-final" if node.round == last_round else f"{node.part}/{node.round}/{node.number}"
    kind = _name_round_by_players(node.round_size)
    return kind if node.round_size == 2 else f"{kind}/{node.number}"  # noqa: PLR2004


class _BracketBuilder:
    def __init__(self, seeds: Collection[int]) -> None:
        self.nodes: list[MatchNode] = []
        self.rounds = count_knockout_rounds(max(seeds))
        self.dropped: list[Slots] = []  # losers of each round of the winners' bracket
        there = frozenset(seeds)
        current: Slots = [
            MatchFeed(SlotSource.SEED, seed) if seed in there else None for seed in order_seeds(2**self.rounds)
        ]
        for number in range(1, self.rounds + 1):
            left = len(current)
            current, losers = self._add_round(BracketPart.WINNERS, number, current, keep_byes=number == 1)
            self._set_final_ranks(BracketPart.WINNERS, number, loser_rank=left // 2 + 1)
            self.dropped.append(losers)
        (self.winner,) = current
        self._set_final_ranks(BracketPart.WINNERS, self.rounds, winner_rank=1, loser_rank=2)

    # --- the formats

    def add_third_place_match(self) -> bool:
        losers = self.dropped[-2] if self.rounds > 1 else []
        if None in losers or not losers:
            return False
        self._add_match(MatchNode(BracketPart.THIRD, 1, 1, (losers[0], losers[1]), wins=3, loses=4, top=3))
        return True

    def add_classification(self) -> None:
        top = 2
        for number, losers in reversed(list(enumerate(self.dropped, 1))):
            alone = _count_filled_slots(losers) == 1
            winner = 1 if number == len(self.dropped) else None
            self._set_final_ranks(
                BracketPart.WINNERS, number, winner_rank=winner, loser_rank=top if alone else None
            )
            self._add_matches_for_all_ranks(losers, top, 1)
            top += _count_filled_slots(losers)

    def add_losers_bracket(self) -> None:
        self.nodes = [replace(node, wins=None, loses=None) for node in self.nodes]
        dropped = zip(list_loser_orderings(self.rounds), self.dropped, strict=True)
        current, *later = (order(losers) for order, losers in dropped)
        number = 0
        for drop in later:
            number += 1
            current, _ = self._add_round(BracketPart.LOSERS, number, current)
            number += 1
            joined = [slot for pair in zip(current, drop, strict=True) for slot in pair]
            current, _ = self._add_round(BracketPart.LOSERS, number, joined)
        self._set_ranks_in_losers_bracket(number)
        (survivor,) = current
        final = self._add_match(MatchNode(BracketPart.FINAL, 1, 1, (self.winner, survivor)))
        again = (final, MatchFeed(SlotSource.LOSER, final.at))
        self._add_match(MatchNode(BracketPart.RESET, 1, 1, again, wins=1, loses=2))

    def add_consolation(self, *, include_semifinals: bool) -> None:
        """Add a bracket for the players who lose their first match, except the loser of the final."""
        if self.rounds < (2 if include_semifinals else 3):
            return
        joined = self.rounds > (2 if include_semifinals else 3)
        current: Slots = []
        for number in range(0, len(self.dropped[0]), 2):
            pair = self.dropped[0][number : number + 2]
            late = self.dropped[1][number // 2] if joined and None in pair else None
            first = MatchFeed(SlotSource.FIRST_LOSS, late.at) if late is not None else None
            there = [slot for slot in (*pair, first) if slot is not None]
            current += [*there, None, None][:2]
        number = 0
        while len(current) > 1:
            number += 1
            current, _ = self._add_round(BracketPart.CONSOLATION, number, current)

    # --- numbering and ranks

    def _add_round(
        self, part: BracketPart, number: int, players: Sequence[MatchFeed | None], *, keep_byes: bool = False
    ) -> tuple[Slots, Slots]:
        winners: Slots = []
        losers: Slots = []
        for at in range(0, len(players), 2):
            one, other = players[at : at + 2]
            node = MatchNode(part, number, at // 2 + 1, (one, other), round_size=len(players))
            whole = one is not None and other is not None
            if whole or (keep_byes and (one or other)):
                winners.append(self._add_match(node))
                losers.append(MatchFeed(SlotSource.LOSER, len(self.nodes) - 1) if whole else None)
            else:
                winners.append(one or other)
                losers.append(None)
        return winners, losers

    def _add_match(self, node: MatchNode) -> MatchFeed:
        self.nodes.append(node)
        return MatchFeed(SlotSource.WINNER, len(self.nodes) - 1)

    def _set_final_ranks(
        self, part: BracketPart, round_number: int, *, loser_rank: int | None, winner_rank: int | None = None
    ) -> None:
        for at, node in enumerate(self.nodes):
            if (node.part, node.round) == (part, round_number) and not node.has_bye:
                self.nodes[at] = replace(node, wins=winner_rank, loses=loser_rank)

    def _set_ranks_in_losers_bracket(self, last_round: int) -> None:
        counts = Counter(node.round for node in self.nodes if node.part is BracketPart.LOSERS)
        place = 3
        for number in range(last_round, 0, -1):
            self._set_final_ranks(BracketPart.LOSERS, number, loser_rank=place)
            place += counts[number]

    def _add_matches_for_all_ranks(
        self, players: Sequence[MatchFeed | None], top_rank: int, round_number: int
    ) -> None:
        if _count_filled_slots(players) < 2:  # noqa: PLR2004
            return
        before = len(self.nodes)
        winners, losers = self._add_round(BracketPart.PLACES, round_number, players)
        below = top_rank + _count_filled_slots(winners)
        wins = top_rank if _count_filled_slots(winners) == 1 else None
        loses = below if _count_filled_slots(losers) == 1 else None
        made, size = self.nodes[before:], _count_filled_slots(players)
        self.nodes[before:] = [
            replace(node, top=top_rank, round_size=size, wins=wins, loses=loses) for node in made
        ]
        self._add_matches_for_all_ranks(winners, top_rank, round_number + 1)
        self._add_matches_for_all_ranks(losers, below, round_number + 1)


def _count_filled_slots(players: Sequence[MatchFeed | None]) -> int:
    return sum(slot is not None for slot in players)


def _assign_earliest_turns(nodes: Sequence[MatchNode]) -> list[MatchNode]:
    timed: list[MatchNode] = []
    for node in nodes:
        feeding = [feed.at for feed in node.feeds if feed is not None and feed.via is not SlotSource.SEED]
        timed.append(replace(node, turn=1 + max((timed[at].turn for at in feeding), default=0)))
    return timed


def _number_matches(nodes: Sequence[MatchNode]) -> tuple[MatchNode, ...]:
    parts = list(BracketPart)

    def sort_key(at: int) -> tuple[int, ...]:
        node = nodes[at]
        return (node.turn, parts.index(node.part), node.top, node.round, node.number)

    order = sorted(range(len(nodes)), key=sort_key)
    moved = {at: place for place, at in enumerate(order)}
    turns: Counter[int] = Counter()
    numbered = []
    for at in order:
        turns[nodes[at].turn] += 1
        one, other = nodes[at].feeds
        feeds = (_renumber_feed(one, moved), _renumber_feed(other, moved))
        numbered.append(replace(nodes[at], match=turns[nodes[at].turn], feeds=feeds))
    return tuple(numbered)


def _renumber_feed(feed: MatchFeed | None, new_indexes: Mapping[int, int]) -> MatchFeed | None:
    return feed if feed is None or feed.via is SlotSource.SEED else MatchFeed(feed.via, new_indexes[feed.at])


# --- drop orders

LoserOrdering = Callable[[Slots], Slots]


def _swap_neighbouring_losers(losers: Slots) -> Slots:
    return [losers[at ^ 1] for at in range(len(losers))]  # even size


_ORDERS: Mapping[str, LoserOrdering] = {
    "natural": lambda losers: losers,
    "reverse": lambda losers: losers[::-1],
    "shift": lambda losers: losers[len(losers) // 2 :] + losers[: len(losers) // 2],  # rotated by half
    "reverse shift": lambda losers: losers[: len(losers) // 2][::-1] + losers[len(losers) // 2 :][::-1],
    "flip": _swap_neighbouring_losers,
}


def list_loser_orderings(rounds: int) -> tuple[LoserOrdering, ...]:
    """Return, for each round, the function that orders its losers for the losers' bracket.

    With up to 128 players, two players meet again as late as possible.
    """
    early = (
        ("natural",),
        ("natural", "natural"),
        ("natural", "reverse", "natural"),
        ("natural", "reverse shift", "reverse", "natural"),
        ("natural", "reverse", "shift", "natural", "natural"),
        ("natural", "reverse", "shift", "reverse", "natural", "natural"),
        ("natural", "reverse", "shift", "flip", "flip", "flip", "natural"),
    )
    later = ("natural", "reverse", "shift", *["flip"] * (rounds - 4), "natural")
    return tuple(_ORDERS[name] for name in (early[rounds - 1] if rounds <= len(early) else later))
