"""Build a knockout as a graph of matches: where the winner and the loser of each match play next.

A bracket round is a set of matches that can be played at the same time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.pairing_settings import EliminationKind


class BracketPart(StrEnum):
    """A part of a bracket, such as the losers' bracket."""

    WINNERS = "winners"  # the only part of a single elimination
    FINAL = "grand-final"  # double elimination: between the winners of both brackets
    RESET = "reset"  # second grand final, if the winner of the losers' bracket won the first
    THIRD = "third-place"
    LOSERS = "losers"
    PLACES = "places"  # classification matches for rank 3 and below
    CONSOLATION = "consolation"


class MatchPlayerSourceKind(StrEnum):
    """How a player qualifies for a match."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"
    FIRST_LOSS = "first"  # the loser, if it was the player's first match


class MatchPlayerSource(Struct, frozen=True):
    """The source of one player of a match: a seed, or an earlier match."""

    via: MatchPlayerSourceKind
    source_number: int  # seed number (from 1), or index of an earlier match (from 0)


class MatchNode(Struct, frozen=True):
    """One match of the graph."""

    part: BracketPart
    round: int  # round within its part of the bracket, from 1
    number: int  # match within the round, from 1
    # None: a bye, which only the first match of a seed can have
    player_sources: tuple[MatchPlayerSource | None, MatchPlayerSource | None]
    bracket_round: int = 0  # earliest bracket round in which it can be played, from 1
    match: int = 0  # number within the bracket round, from 1
    winner_rank: int | None = None  # final rank of the winner, None if the winner plays on
    loser_rank: int | None = None  # final rank of the loser, None if the loser plays on
    top: int = 1  # best rank that a classification match can decide
    round_size: int = 2  # number of players in its round

    @property
    def has_bye(self) -> bool:
        return None in self.player_sources


Slots = list[MatchPlayerSource | None]


def list_seeds_in_bracket_order(size: int) -> tuple[int, ...]:
    """Return the seeds 1 to `size` (a power of 2) in bracket order. Seeds 1 and 2 can only meet in the final."""
    order = [1, 2]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for strong_seed in order for seed in (strong_seed, total - strong_seed)]
    return tuple(order)


def count_knockout_rounds(players: int) -> int:
    return max(1, (players - 1).bit_length())


def build_match_graph(
    seeds: Collection[int], elimination: EliminationKind = EliminationKind.SINGLE, *, third_place: bool = False
) -> tuple[MatchNode, ...]:
    """Return the matches of a knockout in the order of play.

    If `elimination` is SINGLE or CONSOLATION, `third_place` adds a match for third place. CLASSIFICATION and
    DOUBLE always decide third place.
    """
    if len(seeds) < 2:  # noqa: PLR2004
        return ()
    builder = _BracketBuilder(seeds)
    if elimination is EliminationKind.CLASSIFICATION:
        builder.add_classification_matches()
    elif elimination is EliminationKind.DOUBLE:
        builder.add_losers_bracket()
    else:
        has_third_place_match = third_place and builder.add_third_place_match()
        if elimination is EliminationKind.CONSOLATION:
            builder.add_consolation_bracket(include_semifinals=not has_third_place_match)
    return _sort_and_number_matches(_assign_earliest_bracket_rounds(builder.nodes))


def count_bracket_rounds(nodes: Sequence[MatchNode]) -> int:
    """Return the number of bracket rounds. Double elimination includes the possible second final."""
    return max((node.bracket_round for node in nodes), default=0)


def make_bracket_round_code(seeds: Collection[int], bracket_round: int, elimination: EliminationKind) -> str:
    if elimination is EliminationKind.DOUBLE:
        nodes = build_match_graph(seeds, elimination)
        return _make_double_elimination_round_code([node for node in nodes if node.bracket_round == bracket_round])
    if len(seeds) < 2 or bracket_round > count_knockout_rounds(max(seeds)):  # noqa: PLR2004
        return ""
    return _make_round_code_by_player_count(2 ** (count_knockout_rounds(max(seeds)) - bracket_round + 1))


def _make_double_elimination_round_code(nodes: Sequence[MatchNode]) -> str:
    rounds = {node.part: node.round for node in nodes}
    final_name = next((part.value for part in (BracketPart.FINAL, BracketPart.RESET) if part in rounds), "")
    parts = [part for part in (BracketPart.WINNERS, BracketPart.LOSERS) if part in rounds]
    numbers = (str(rounds[part]) for part in parts)
    return final_name or "/".join(("-".join(parts), *numbers))


def _make_round_code_by_player_count(players: int) -> str:
    return {2: "final", 4: "semifinal", 8: "quarter-final"}.get(players, f"round-of/{players}")


def make_match_codes(nodes: Sequence[MatchNode]) -> tuple[str, ...]:
    """Return the code of each match.

    - "semifinal/2", "quarter-final/2", "round-of/16/2" (16 players left): match 2 of this round.
    - "losers/3/2", and likewise "winners/3/2" and "consolation/3/2": match 2 in round 3 of this bracket.
    - "place/5": the match for rank 5. "places/5/8/2": match 2 for the ranks 5 to 8.
    - Without a number: "final", "third-place", "losers-final" and others.
    """
    is_double = any(node.part is BracketPart.FINAL for node in nodes)
    last = Counter[BracketPart]()
    for node in nodes:
        last[node.part] = max(last[node.part], node.round)
    return tuple(_make_match_code(node, last[node.part], is_double=is_double) for node in nodes)


def _make_match_code(node: MatchNode, last_round: int, *, is_double: bool) -> str:
    if node.part is BracketPart.PLACES:
        code = f"{BracketPart.PLACES}/{node.top}/{node.top + node.round_size - 1}/{node.number}"
        return f"place/{node.top}" if node.round_size == 2 else code  # noqa: PLR2004
    if node.part in {BracketPart.FINAL, BracketPart.RESET, BracketPart.THIRD}:
        return node.part.value
    if node.part is not BracketPart.WINNERS or is_double:
        return f"{node.part}-final" if node.round == last_round else f"{node.part}/{node.round}/{node.number}"
    kind = _make_round_code_by_player_count(node.round_size)
    return kind if node.round_size == 2 else f"{kind}/{node.number}"  # noqa: PLR2004


class _BracketBuilder:
    def __init__(self, seeds: Collection[int]) -> None:
        self.nodes: list[MatchNode] = []
        self.rounds = count_knockout_rounds(max(seeds))
        self.losers_by_round: list[Slots] = []  # losers of each round of the winners' bracket
        seed_set = frozenset(seeds)
        current: Slots = [
            MatchPlayerSource(MatchPlayerSourceKind.SEED, seed) if seed in seed_set else None
            for seed in list_seeds_in_bracket_order(2**self.rounds)
        ]
        for number in range(1, self.rounds + 1):
            player_count = len(current)
            current, losers = self._add_round(BracketPart.WINNERS, number, current, keep_byes=number == 1)
            self._set_final_ranks(BracketPart.WINNERS, number, loser_rank=player_count // 2 + 1)
            self.losers_by_round.append(losers)
        (self.winner,) = current
        self._set_final_ranks(BracketPart.WINNERS, self.rounds, winner_rank=1, loser_rank=2)

    # --- the formats

    def add_third_place_match(self) -> bool:
        losers = self.losers_by_round[-2] if self.rounds > 1 else []
        if None in losers or not losers:
            return False
        self._add_match(
            MatchNode(BracketPart.THIRD, 1, 1, (losers[0], losers[1]), winner_rank=3, loser_rank=4, top=3)
        )
        return True

    def add_classification_matches(self) -> None:
        top = 2
        for number, losers in reversed(list(enumerate(self.losers_by_round, 1))):
            is_single = _count_filled_slots(losers) == 1
            winner_rank = 1 if number == len(self.losers_by_round) else None
            self._set_final_ranks(
                BracketPart.WINNERS, number, winner_rank=winner_rank, loser_rank=top if is_single else None
            )
            self._add_matches_for_all_ranks(losers, top, 1)
            top += _count_filled_slots(losers)

    def add_losers_bracket(self) -> None:
        self.nodes = [replace(node, winner_rank=None, loser_rank=None) for node in self.nodes]
        ordered_losers = zip(list_loser_order_functions(self.rounds), self.losers_by_round, strict=True)
        current, *later_losers = (order(losers) for order, losers in ordered_losers)
        number = 0
        for round_losers in later_losers:
            number += 1
            current, _ = self._add_round(BracketPart.LOSERS, number, current)
            number += 1
            slots = [slot for pair in zip(current, round_losers, strict=True) for slot in pair]
            current, _ = self._add_round(BracketPart.LOSERS, number, slots)
        self._set_ranks_in_losers_bracket(number)
        (survivor,) = current
        final_winner = self._add_match(MatchNode(BracketPart.FINAL, 1, 1, (self.winner, survivor)))
        reset_feeds = (final_winner, MatchPlayerSource(MatchPlayerSourceKind.LOSER, final_winner.source_number))
        self._add_match(MatchNode(BracketPart.RESET, 1, 1, reset_feeds, winner_rank=1, loser_rank=2))

    def add_consolation_bracket(self, *, include_semifinals: bool) -> None:
        """Add a bracket for losers of round 1, and for losers of round 2 who had a bye in round 1.

        Losers of a semifinal take part only with `include_semifinals`. The loser of the final never takes part.
        """
        if self.rounds < (2 if include_semifinals else 3):
            return
        adds_second_round_losers = self.rounds > (2 if include_semifinals else 3)
        current: Slots = []
        for number in range(0, len(self.losers_by_round[0]), 2):
            pair = self.losers_by_round[0][number : number + 2]
            second_round_loser = (
                self.losers_by_round[1][number // 2] if adds_second_round_losers and None in pair else None
            )
            next_sources = [slot for slot in pair if slot is not None]
            if second_round_loser is not None:
                next_sources.append(
                    MatchPlayerSource(MatchPlayerSourceKind.FIRST_LOSS, second_round_loser.source_number)
                )
            current += [*next_sources, None, None][:2]
        number = 0
        while len(current) > 1:
            number += 1
            current, _ = self._add_round(BracketPart.CONSOLATION, number, current)

    # --- numbering and ranks

    def _add_round(
        self, part: BracketPart, number: int, slots: Sequence[MatchPlayerSource | None], *, keep_byes: bool = False
    ) -> tuple[Slots, Slots]:
        winners: Slots = []
        losers: Slots = []
        for index in range(0, len(slots), 2):
            first, second = slots[index : index + 2]
            node = MatchNode(part, number, index // 2 + 1, (first, second), round_size=len(slots))
            is_full = first is not None and second is not None
            if is_full or (keep_byes and (first or second)):
                winners.append(self._add_match(node))
                losers.append(
                    MatchPlayerSource(MatchPlayerSourceKind.LOSER, len(self.nodes) - 1) if is_full else None
                )
            else:
                winners.append(first or second)
                losers.append(None)
        return winners, losers

    def _add_match(self, node: MatchNode) -> MatchPlayerSource:
        self.nodes.append(node)
        return MatchPlayerSource(MatchPlayerSourceKind.WINNER, len(self.nodes) - 1)

    def _set_final_ranks(
        self, part: BracketPart, round_number: int, *, loser_rank: int | None, winner_rank: int | None = None
    ) -> None:
        for index, node in enumerate(self.nodes):
            if (node.part, node.round) == (part, round_number) and not node.has_bye:
                self.nodes[index] = replace(node, winner_rank=winner_rank, loser_rank=loser_rank)

    def _set_ranks_in_losers_bracket(self, last_round: int) -> None:
        counts = Counter(node.round for node in self.nodes if node.part is BracketPart.LOSERS)
        rank = 3
        for number in range(last_round, 0, -1):
            self._set_final_ranks(BracketPart.LOSERS, number, loser_rank=rank)
            rank += counts[number]

    def _add_matches_for_all_ranks(
        self, slots: Sequence[MatchPlayerSource | None], top_rank: int, round_number: int
    ) -> None:
        if _count_filled_slots(slots) < 2:  # noqa: PLR2004
            return
        start = len(self.nodes)
        winners, losers = self._add_round(BracketPart.PLACES, round_number, slots)
        loser_top_rank = top_rank + _count_filled_slots(winners)
        winner_rank = top_rank if _count_filled_slots(winners) == 1 else None
        loser_rank = loser_top_rank if _count_filled_slots(losers) == 1 else None
        new_nodes, size = self.nodes[start:], _count_filled_slots(slots)
        self.nodes[start:] = [
            replace(node, top=top_rank, round_size=size, winner_rank=winner_rank, loser_rank=loser_rank)
            for node in new_nodes
        ]
        self._add_matches_for_all_ranks(winners, top_rank, round_number + 1)
        self._add_matches_for_all_ranks(losers, loser_top_rank, round_number + 1)


def _count_filled_slots(slots: Sequence[MatchPlayerSource | None]) -> int:
    return sum(slot is not None for slot in slots)


def _assign_earliest_bracket_rounds(nodes: Sequence[MatchNode]) -> list[MatchNode]:
    timed_nodes: list[MatchNode] = []
    for node in nodes:
        source_indexes = [
            source.source_number
            for source in node.player_sources
            if source is not None and source.via is not MatchPlayerSourceKind.SEED
        ]
        timed_nodes.append(
            replace(
                node,
                bracket_round=1 + max((timed_nodes[index].bracket_round for index in source_indexes), default=0),
            )
        )
    return timed_nodes


def _sort_and_number_matches(nodes: Sequence[MatchNode]) -> tuple[MatchNode, ...]:
    parts = list(BracketPart)

    def sort_key(index: int) -> tuple[int, ...]:
        node = nodes[index]
        return (node.bracket_round, parts.index(node.part), node.top, node.round, node.number)

    order = sorted(range(len(nodes)), key=sort_key)
    new_indexes = {old_index: new_index for new_index, old_index in enumerate(order)}
    match_counts: Counter[int] = Counter()
    numbered_nodes = []
    for index in order:
        match_counts[nodes[index].bracket_round] += 1
        first, second = nodes[index].player_sources
        player_sources = (
            _renumber_player_source(first, new_indexes),
            _renumber_player_source(second, new_indexes),
        )
        numbered_nodes.append(
            replace(nodes[index], match=match_counts[nodes[index].bracket_round], player_sources=player_sources)
        )
    return tuple(numbered_nodes)


def _renumber_player_source(
    player_source: MatchPlayerSource | None, new_indexes: Mapping[int, int]
) -> MatchPlayerSource | None:
    if player_source is None or player_source.via is MatchPlayerSourceKind.SEED:
        return player_source
    return MatchPlayerSource(player_source.via, new_indexes[player_source.source_number])


# --- loser orderings

LoserOrdering = Callable[[Slots], Slots]


def _swap_neighbouring_losers(losers: Slots) -> Slots:
    return [losers[index ^ 1] for index in range(len(losers))]  # even size


_ORDERS: Mapping[str, LoserOrdering] = {
    "natural": lambda losers: losers,
    "reverse": lambda losers: losers[::-1],
    "shift": lambda losers: losers[len(losers) // 2 :] + losers[: len(losers) // 2],  # rotated by half
    "reverse shift": lambda losers: losers[: len(losers) // 2][::-1] + losers[len(losers) // 2 :][::-1],
    "flip": _swap_neighbouring_losers,
}


def list_loser_order_functions(rounds: int) -> tuple[LoserOrdering, ...]:
    """Return, for each round, the function that orders its losers for the losers' bracket.

    With up to 128 players, opponents of an earlier match meet again as late as possible.
    """
    small_brackets = (
        ("natural",),
        ("natural", "natural"),
        ("natural", "reverse", "natural"),
        ("natural", "reverse shift", "reverse", "natural"),
        ("natural", "reverse", "shift", "natural", "natural"),
        ("natural", "reverse", "shift", "reverse", "natural", "natural"),
        ("natural", "reverse", "shift", "flip", "flip", "flip", "natural"),
    )
    large_bracket = ("natural", "reverse", "shift", *["flip"] * (rounds - 4), "natural")
    return tuple(
        _ORDERS[name] for name in (small_brackets[rounds - 1] if rounds <= len(small_brackets) else large_bracket)
    )
