"""Which pairs can be part of the optimum at all, once some pairing is known.

Hides the bounds. First level by level: one of which the known pairing has nothing, or no more than it must, is not
higher in the optimum, as long as all before it are equal. Then all levels but the draw as one number: none is
cheaper than the prices of `potentials`, so none that does as well as the known one has a pair that is dearer than
its two prices by more than the known pairing is than all. Where that leaves many, what is left is priced again,
with the draw. What remains contains every optimal pairing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import TypeAlias

from tdapp.pairing import criteria
from tdapp.pairing.arrays import Flags, Ints, np
from tdapp.pairing.criteria import FieldArrays
from tdapp.pairing.matching import Graph
from tdapp.pairing.potentials import Market, Prices

Pairs: TypeAlias = tuple[Ints, Ints]
Door: TypeAlias = Callable[[Ints, Ints, Ints], Flags]  # of costs, first and second nodes
_BITS = 57  # of a cost as one number; four times as much is still reckoned with exactly
_FINE = 2  # steps of a price for one of a cost
_FEW = 200  # different scores: a table of them is made
_EACH = 4  # pairs of a node, on either side, among which a better pairing is looked for
_ADDED = 16  # pairs of a node, on either side, that are added at a time to those that prices are made from
_ROUNDS = 20  # times that pairs are added to those that prices are made from


@dataclass(frozen=True, slots=True)
class Pairing:
    """Pairs in which every node stands once, the lower first, with their levels."""

    first: Ints
    second: Ints
    levels: Mapping[str, Ints]


@dataclass(frozen=True, slots=True)
class Nodes:
    """The field as nodes, by their positions in it."""

    columns: FieldArrays
    ends: Ints

    @property
    def score(self) -> Ints:
        """Each node's score."""
        return self.columns.score[self.ends]

    def level(self, name: str, first: Ints, second: Ints) -> Ints:
        """Return what pairs cost by a criterion."""
        return criteria.CRITERIA[name](self.columns, self.ends[first], self.ends[second])


@dataclass(frozen=True, slots=True)
class LevelScale:
    """How levels become one number: cut off at `most`, so that a sum is below what the level before is worth."""

    most: Mapping[str, int]
    worth: Mapping[str, int]

    def cost(self, levels: Mapping[str, Ints], count: int) -> Ints:
        """Return the number of each of `count` pairs."""
        total = np.zeros(count, dtype=np.int64)
        for name, most in self.most.items():
            total += self.worth[name] * np.minimum(levels[name], most)
        return total

    def total(self, known: Pairing) -> int:
        """Return the number of a pairing, of which nothing is cut off."""
        return sum(self.cost(known.levels, len(known.first)).tolist())

    def fits(self, known: Pairing) -> bool:
        """Tell whether nothing of a pairing is cut off."""
        return all(int(known.levels[name].max()) <= most for name, most in self.most.items())


@dataclass(frozen=True, slots=True)
class Offers:
    """Pairs that may be in the optimum, and what each costs beyond the prices that make `bound`, twice over."""

    nodes: Nodes
    scale: LevelScale
    first: Ints
    second: Ints
    left: Ints
    bound: int

    @property
    def pairs(self) -> Pairs:
        """The first and second nodes."""
        return self.first, self.second

    def within(self, known: Pairing) -> Offers:
        """Return those that may be in a pairing no worse than a known one."""
        return self._those(np.flatnonzero(self.left <= self._over(known)))

    def cheapest(self, known: Pairing) -> Pairs:
        """Return a known pairing's pairs and those with the least left, of all and at each node."""
        kept = _among(self.first, self.second, known.first, known.second, len(self.nodes.ends))
        order = np.lexsort((self.nodes.level("chance", *self.pairs), self.left))
        kept[_least(self.first, self.second, order, _EACH)] = True
        kept[order[: _EACH * len(self.nodes.ends)]] = True
        return self._those(np.flatnonzero(kept)).pairs

    def drawn(self, known: Pairing) -> Pairs:
        """Return those of these pairs that may be in a pairing no worse than a known one, by the draw too.

        All of them where the numbers would be too long.
        """
        count = len(self.nodes.ends)
        radix = count // 2 * 2**criteria.CHANCE_BITS + 1
        over = self._over(known)
        if ((over + 1) * radix).bit_length() > _BITS:
            return self.pairs
        cost = self.left * radix + self.nodes.level("chance", *self.pairs)
        market = Market(_mates(known, count), *_grouped(self.nodes.score, 0))
        tried = _among(self.first, self.second, known.first, known.second, count)
        tried[_least(self.first, self.second, np.argsort(cost), _EACH)] = True
        prices, left = _priced(market, self.first, self.second, _FINE * cost, tried)
        if prices is None:
            return self.pairs
        most = over * radix + sum(known.levels["chance"].tolist())
        return self._those(np.flatnonzero(left <= 2 * _FINE * most - prices.bound)).pairs

    def _over(self, known: Pairing) -> int:
        return 2 * _FINE * self.scale.total(known) - self.bound

    def _those(self, places: Ints) -> Offers:
        return replace(self, first=self.first[places], second=self.second[places], left=self.left[places])


def offers(nodes: Nodes, legal: Iterable[Pairs], near: Graph, known: Pairing) -> Offers | None:
    """Return those of the `legal` pairs that may be in a pairing no worse than the `known` one.

    Prices are first made from the pairs of the graph `near`. A pair's lower node comes first. None where no prices
    are found.
    """
    doors, settled = _doors(nodes.score, {name: int(column.sum()) for name, column in known.levels.items()})
    scale = _scale(near, settled)
    first, second, cost = _kept(nodes, legal, doors, scale)
    step = _FINE * scale.worth.get("score_difference", 0)
    market = Market(_mates(known, near.nodes), *_grouped(nodes.score, step))
    tried = _among(first, second, near.first, near.second, near.nodes)
    prices, left = _priced(market, first, second, _FINE * cost, tried)
    return None if prices is None else Offers(nodes, scale, first, second, left, prices.bound)


def _doors(score: Ints, known: Mapping[str, int]) -> tuple[dict[str, Door], set[str]]:
    """Return by criterion which pairs may pass, as long as all before it are equal, and those that must cost 0."""
    doors: dict[str, Door] = {}
    settled = set()
    squares = _Squares(score)

    def by_squares(_cost: Ints, first: Ints, second: Ints) -> Flags:
        return squares.through(first, second) <= known["score_difference"]

    def free_of_charge(cost: Ints, _first: Ints, _second: Ints) -> Flags:
        found: Flags = cost == 0
        return found

    for name, total in known.items():
        if total == 0:
            doors[name] = free_of_charge
            settled.add(name)
        elif name == "score_difference":
            doors[name] = by_squares
            if squares.least < total:
                break
        else:
            break
    return doors, settled


def _scale(near: Graph, settled: Container[str]) -> LevelScale:
    """Return the scale of all levels but those settled and the draw; the last are left out if it is too long."""
    most = {name: int(column.max()) for name, column in near.levels.items() if name not in settled}
    names = [name for name, highest in most.items() if highest and name != "chance"]
    radix = {name: (1 if name == "bye" else near.nodes // 2) * most[name] + 1 for name in names}
    while prod(radix[name] for name in names).bit_length() > _BITS:
        names.pop()
    worth = {name: prod(radix[lower] for lower in names[place + 1 :]) for place, name in enumerate(names)}
    return LevelScale({name: most[name] for name in names}, worth)


def _kept(
    nodes: Nodes, legal: Iterable[Pairs], doors: Mapping[str, Door], scale: LevelScale
) -> tuple[Ints, Ints, Ints]:
    """Return the pairs that pass all doors, and their costs."""
    found = []
    for block in legal:
        first, second = block
        for name, passes in doors.items():
            kept = passes(nodes.level(name, first, second), first, second)
            first, second = first[kept], second[kept]
        levels = {name: nodes.level(name, first, second) for name in scale.most}
        found.append((first, second, scale.cost(levels, len(first))))
    one, other, cost = (np.concatenate(column) for column in zip(*found, strict=True))
    return one, other, cost


def _mates(known: Pairing, count: int) -> Ints:
    mates = np.empty(count, dtype=np.int64)
    mates[known.first], mates[known.second] = known.second, known.first
    return mates


def _grouped(score: Ints, step: int) -> tuple[Ints, Ints]:
    """Return each node's score group, 0 the highest, and what a cut below each is thought to cost."""
    values, group = np.unique(-score, return_inverse=True)
    return group, step * np.append(np.diff(values), 0) ** 2


def _among(first: Ints, second: Ints, ones: Ints, others: Ints, count: int) -> Flags:
    """Tell which pairs are among the pairs `ones`-`others`."""
    return np.isin(first * count + second, ones * count + others)


def _priced(market: Market, first: Ints, second: Ints, cost: Ints, tried: Flags) -> tuple[Prices | None, Ints]:
    """Return prices, made from the pairs `tried` and those found overpaid, and what is left of each pair."""
    prices, left = None, cost
    for _ in range(_ROUNDS):
        prices = market.settle(first[tried], second[tried], cost[tried])
        if prices is None:
            break
        left = prices.left(first, second, cost)
        overpaid = np.flatnonzero(left < 0)
        if not len(overpaid):
            break
        worst = np.argsort(left[overpaid], kind="stable")
        tried[overpaid[_least(first[overpaid], second[overpaid], worst, _ADDED)]] = True
    if prices is None:
        return None, cost
    fair = prices.lowered(first, second, left)
    return fair, fair.left(first, second, cost)


def _least(first: Ints, second: Ints, order: Ints, each: int) -> Ints:
    """Return the places of the first few pairs of each node, on either side, in an `order` of all."""
    found = []
    for ends in (first, second):
        by_node = order[np.argsort(ends[order], kind="stable")]
        nodes = ends[by_node]
        found.append(by_node[np.arange(len(nodes)) - np.searchsorted(nodes, nodes) < each])
    return np.unique(np.concatenate(found))


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
        found: Ints = apart + (self._score[low] - self._score[high]) ** 2
        return found

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
