"""Which pairs can be part of the optimum at all, once some pairing is known.

Hides the bounds. First level by level: one of which the known pairing has nothing, or no more than it must, is no
higher in the optimum, as long as all before it are equal. Then all levels but the draw as one number: no pairing is
cheaper than the prices of `potentials`, so a pair that is dearer than its two prices by more than the known pairing
is than all, is in no better one. What remains contains every optimal pairing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tdapp.pairing import criteria
from tdapp.pairing.criteria import Columns, Ints
from tdapp.pairing.matching import Graph
from tdapp.pairing.potentials import Market, Prices

Pairs: TypeAlias = tuple[Ints, Ints]
Door: TypeAlias = Callable[[Ints, Ints, Ints], npt.NDArray[np.bool_]]  # of costs, first and second nodes
_BITS = 56  # of the levels as one number; four times as much is still reckoned with exactly
_FINE = 4  # steps of a price for one of a cost
_FEW = 200  # different scores: a table of them is made
_ROUNDS = 10  # times that pairs are added to those that prices are made from


@dataclass(frozen=True, slots=True)
class Scale:
    """How levels become one number: each is cut off at `most`, so that its sum stays below what the next is worth."""

    most: Mapping[str, int]
    worth: Mapping[str, int]

    def cost(self, levels: Mapping[str, Ints], count: int) -> Ints:
        """Return the number of each of `count` pairs."""
        total = np.zeros(count, dtype=np.int64)
        for name, most in self.most.items():
            total += self.worth[name] * np.minimum(levels[name], most)
        return total

    def fits(self, levels: Mapping[str, Ints]) -> bool:
        """Tell whether nothing of these pairs is cut off."""
        return all(int(levels[name].max()) <= most for name, most in self.most.items())


@dataclass(frozen=True, slots=True)
class Offers:
    """Pairs that may be in the optimum, with what they cost beyond the prices of a `bound`, both twice over."""

    scale: Scale
    first: Ints
    second: Ints
    left: Ints
    bound: int

    def within(self, levels: Mapping[str, Ints]) -> Pairs:
        """Return all that may be in a pairing no worse than a known one, whose pairs have these levels."""
        count = len(next(iter(levels.values())))
        most = 2 * _FINE * sum(self.scale.cost(levels, count).tolist()) - self.bound
        return self._those(np.flatnonzero(self.left <= most))

    def cheapest(self, each: int, nodes: int) -> Pairs:
        """Return `each` times as many pairs as there are nodes, those with the least left."""
        return self._those(np.sort(np.argsort(self.left, kind="stable")[: each * nodes]))

    def _those(self, places: Ints) -> Pairs:
        return self.first[places], self.second[places]


def offers(
    columns: Columns, ends: Ints, legal: Iterable[Pairs], near: Graph, chosen: Sequence[int]
) -> Offers | None:
    """Return those of the `legal` pairs that may be in a pairing no worse than the `chosen` edges of `near`.

    `ends` are the nodes' positions in the field; a pair's lower node comes first. None where no prices are found.
    """
    edges = np.array(chosen, dtype=np.int64)
    known = {name: int(column[edges].sum()) for name, column in near.levels.items()}
    score = columns.score[ends]
    doors, settled = _doors(score, known)
    scale = _scale(near, settled)
    first, second, cost = _kept(columns, ends, legal, doors, scale)
    values, group = np.unique(-score, return_inverse=True)
    steps = np.append(np.diff(values), 0)
    cuts = _FINE * scale.worth.get("score_difference", 0) * steps**2
    market = Market(_mates(near, edges), group, cuts)
    tried = np.isin(first * near.nodes + second, near.first * near.nodes + near.second)
    prices, left = _priced(market, first, second, _FINE * cost, tried)
    return None if prices is None else Offers(scale, first, second, left, prices.bound)


def _doors(score: Ints, known: Mapping[str, int]) -> tuple[dict[str, Door], set[str]]:
    """Return by criterion which pairs may pass, as long as all before it are equal, and those that must cost 0."""
    doors: dict[str, Door] = {}
    settled = set()
    for name, total in known.items():
        if total == 0:
            doors[name] = lambda cost, _first, _second: cost == 0
            settled.add(name)
        elif name == "score_difference":
            squares = _Squares(score)
            doors[name] = lambda _cost, first, second, most=total: squares.through(first, second) <= most
            if squares.least < total:
                break
        else:
            break
    return doors, settled


def _scale(near: Graph, settled: Container[str]) -> Scale:
    """Return the scale of all levels but those settled and the draw; the last are left out if they are too many."""
    names = [name for name in near.levels if name not in settled and name != "chance"]
    most = {name: max(1, int(near.levels[name].max())) for name in names}
    while prod(near.nodes // 2 * most[name] + 1 for name in names).bit_length() > _BITS:
        names.pop()
    worth = {}
    size = 1
    for name in reversed(names):
        worth[name] = size
        size *= near.nodes // 2 * most[name] + 1
    return Scale({name: most[name] for name in names}, worth)


def _kept(
    columns: Columns, ends: Ints, legal: Iterable[Pairs], doors: Mapping[str, Door], scale: Scale
) -> tuple[Ints, Ints, Ints]:
    """Return the pairs that pass all doors, and their costs."""
    found = []
    for first, second in legal:
        for name, passes in doors.items():
            cost = criteria.CRITERIA[name](columns, ends[first], ends[second])
            kept = passes(cost, first, second)
            first, second = first[kept], second[kept]
        levels = {name: criteria.CRITERIA[name](columns, ends[first], ends[second]) for name in scale.most}
        found.append((first, second, scale.cost(levels, len(first))))
    one, other, cost = (np.concatenate(column) for column in zip(*found, strict=True))
    return one, other, cost


def _mates(graph: Graph, edges: Ints) -> Ints:
    mates = np.empty(graph.nodes, dtype=np.int64)
    mates[graph.first[edges]] = graph.second[edges]
    mates[graph.second[edges]] = graph.first[edges]
    return mates


def _priced(
    market: Market, first: Ints, second: Ints, cost: Ints, tried: npt.NDArray[np.bool_]
) -> tuple[Prices | None, Ints]:
    """Return prices, made from the pairs `tried` and those found overpaid, and what is left of each pair."""
    left = np.zeros_like(cost)
    for _ in range(_ROUNDS):
        prices = market.settle(first[tried], second[tried], cost[tried])
        if prices is None:
            return None, left
        left = prices.left(first, second, cost)
        overpaid = left < 0
        if not overpaid.any():
            return prices, left
        tried = tried | overpaid
    prices = prices.lowered(first, second, left)
    return prices, prices.left(first, second, cost)


class _Squares:
    """The least sum of squared differences of scores, of all nodes and with one pair given.

    Squares grow faster than differences, so neighbours in the order of scores are the least of all pairings.
    """

    def __init__(self, score: Ints) -> None:
        order = np.argsort(score, kind="stable")
        self._place = np.argsort(order)
        self._score = score[order]
        gaps = np.diff(self._score) ** 2
        even = np.arange(len(gaps)) % 2 == 0
        self._even, self._odd = (_running(np.where(mine, gaps, 0)) for mine in (even, ~even))
        self.least = int(self._even[-1])
        values, self._value, counts = np.unique(score, return_inverse=True, return_counts=True)
        self._table = self._by_value(np.cumsum(counts) - counts) if len(values) <= _FEW else None

    def _by_value(self, start: Ints) -> Ints:
        """Return the least sum by the scores of a pair, of each of which the first place is given."""
        count = len(start)
        one, other = np.divmod(np.arange(count * count), count)
        low, high = start[np.minimum(one, other)], start[np.maximum(one, other)] + (one == other)
        return self._least(low, np.minimum(high, len(self._score) - 1)).reshape(count, count)

    def through(self, first: Ints, second: Ints) -> Ints:
        """Return the least sum with each of these pairs in it."""
        if self._table is not None:
            return self._table[self._value[first], self._value[second]]
        ends = self._place[first], self._place[second]
        return self._least(np.minimum(*ends), np.maximum(*ends))

    def _least(self, low: Ints, high: Ints) -> Ints:
        """Return the least sum with pairs of two places in the order of scores.

        Before both of them, and after, neighbours pair off as ever; between them, shifted by one.
        """
        apart = self._even[low] + self._even[-1] - self._even[high + 2]
        apart += self._odd[np.maximum(high, low + 2)] - self._odd[low + 2]
        apart += np.where(low % 2 == 1, self._gap(low - 1, low, high), 0)
        apart += np.where((high % 2 == 0) & ((low % 2 == 0) | (high > low + 1)), self._gap(high - 2, low, high), 0)
        return apart + (self._score[low] - self._score[high]) ** 2

    def _gap(self, at: Ints, low: Ints, high: Ints) -> Ints:
        """Return the square between the places `at` and the next, once two places are gone."""
        last = len(self._score) - 1
        here, there = (
            self._score[np.clip(place + (place >= low) + (place >= high - 1), 0, last)] for place in (at, at + 1)
        )
        return (here - there) ** 2


def _running(gaps: Ints) -> Ints:
    """Return for each place the sum of the gaps that end before it; the end twice more."""
    return np.pad(np.pad(np.cumsum(gaps), (2, 0)), (0, 2), mode="edge")
