"""The cheapest pairing of a large field, and the proof that no pair outside those looked at would do better.

Hides the bounds. The levels are priced in stages, as many at a time as one number holds: none is cheaper than the
prices of `potentials`, so none that does as well as the known one has a pair that is dearer than its two prices by
more than the known pairing is than all. What a stage leaves over of each pair is the first level of the next.
Prices are made from few pairs; then all others are held against them, class by class of players whom the criteria
do not tell apart, and whatever is too cheap is priced too, until nothing is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from tdapp.pairing import criteria
from tdapp.pairing.arrays import Flags, Ints, distinct, np
from tdapp.pairing.criteria import FieldArrays
from tdapp.pairing.matching import MOST_BITS, Graph, Pulse, combined, radices
from tdapp.pairing.potentials import Market, Prices
from tdapp.pairing.rounding import least_left, paired_anew, rounded

Pairs: TypeAlias = tuple[Ints, Ints]
_BITS = 57  # of a cost as one number; four times as much is still reckoned with exactly
_FINE = 2  # steps of a price for one of a cost
_ADDED = 16  # pairs of a node, on either side, that are added at a time to those that prices are made from
_ROUNDS = 20  # times that pairs are added to those that prices are made from
_BLOCK = 2**16  # pairs looked at together
_AT_ENDS = 6  # players of a score group, on either end, whose pairs with all other groups are tried first
_SHARED = frozenset({"guard", "score_difference", "bye", "floats", "starts"})  # what classes are made of
NO_PAIR = "barred"  # the first level of all: pairs that may not be, to begin with


@dataclass(frozen=True, slots=True)
class Nodes:
    """The field as nodes, by their positions in it; the bye, if any, is the last."""

    columns: FieldArrays
    ends: Ints

    @property
    def score(self) -> Ints:
        """Each node's score."""
        return self.columns.score[self.ends]

    def level(self, name: str, first: Ints, second: Ints) -> Ints:
        """Return what pairs cost by a criterion."""
        return criteria.CRITERIA[name](self.columns, self.ends[first], self.ends[second])

    @property
    def place(self) -> Ints:
        """Each node's place in its score group."""
        return self.columns.place[self.ends]

    def classes(self) -> Ints:
        """Return a number for each node, equal where the shared criteria are."""
        code = np.zeros(len(self.ends), dtype=np.int64)
        floats = self.columns.floats
        for column in (self.columns.score, self.columns.group, self.columns.balance, floats[0], floats[1]):
            values, place = np.unique(column[self.ends], return_inverse=True)
            code = code * len(values) + place
        return np.unique(code, return_inverse=True)[1]


@dataclass(frozen=True, slots=True)
class LevelScale:
    """How levels become one number: cut off at `most`, so that a sum is below what the level before is worth."""

    most: Mapping[str, int]
    worth: Mapping[str, int]
    size: int  # above the sum of all of them; less where nothing stands before them

    def cost(self, levels: Mapping[str, Ints], count: int) -> Ints:
        """Return the number of each of `count` pairs."""
        total = np.zeros(count, dtype=np.int64)
        for name, most in self.most.items():
            if most and name in levels:
                total += self.worth[name] * np.minimum(levels[name], most)
        return total

    def number(self, sums: Mapping[str, int]) -> int:
        """Return the number of a pairing with these sums, of which no level is cut off."""
        return sum(sums[name] * worth for name, worth in self.worth.items())

    def parted(self, number: int) -> dict[str, int]:
        """Return the sums that make up a number."""
        sums = {}
        for name, worth in self.worth.items():
            sums[name], number = divmod(number, worth)
        return sums

    def is_cut(self, levels: Mapping[str, Ints], count: int) -> Flags:
        """Tell of which of `count` pairs something is cut off."""
        found = np.zeros(count, dtype=bool)
        for name, level in levels.items():
            found |= level > self.most[name]
        return found


@dataclass(frozen=True, slots=True)
class Offers:
    """Pairs that may be in the optimum, the lower node first, with what tells them apart by the levels priced."""

    first: Ints
    second: Ints
    above: Ints
    known: Flags  # those that prices are made from


class Proof:
    """The search for the cheapest pairing of all `legal` pairs of the nodes."""

    def __init__(self, nodes: Nodes, legal: Callable[[Ints, Ints], Flags], pulse: Pulse) -> None:
        """Take the field as it is, with nobody paired."""
        self._nodes, self._legal, self._pulse = nodes, legal, pulse
        self._count = len(nodes.ends)
        self._mates = np.full(self._count, -1, dtype=np.int64)
        self._barred = np.empty(0, dtype=np.int64)  # the codes of pairs in a market that may not be
        self._group = np.unique(-nodes.score, return_inverse=True)[1]
        self._over = 0  # how far a pair may be above its prices
        self._cuts = np.zeros(int(self._group.max()) + 1, dtype=np.int64)
        self._total = 0  # of what tells the pairs of the pairing found apart by the levels priced

    def pairs(self, near: Pairs, most: int) -> Pairs | None:
        """Return the cheapest pairing, of which the pairs `near` are tried first; the lower node first.

        None where there is none, or where more than `most` pairs might be in it.
        """
        offers, names = self._begun(near)
        while offers is not None and names:
            offers, names = self._priced(offers, names, most)
        if offers is None or (self._over and len(offers.first) > most):
            return None
        if self._over:
            self._solve((offers.first, offers.second), offers.above.tolist())
        lower = np.flatnonzero(self._mates > np.arange(self._count))
        return lower, self._mates[lower]

    def _begun(self, near: Pairs) -> tuple[Offers | None, Sequence[str]]:
        """Price the first levels; return the pairs that they leave, and the names of the other levels.

        What the first ones cost at least is hoped to be what they cost, so that more go into one number; if the
        pairing found then costs more, it is found without that hope.
        """
        known = self._united(near, self._across(), self._start(near))
        scale, sums, hopeful = LevelScale({}, {}, 1), dict[str, int](), True
        floor: tuple[LevelScale, int] | None = None
        market = self._market(scale)
        for _ in range(_ROUNDS):
            levels = self._levels(known)
            if (now := _scale(levels, self._count, 0, sums)) != scale:
                scale, market = now, self._market(now)
            cost = _FINE * scale.cost(levels, len(known[0]))
            prices = market.settle(*known, cost)
            if prices is None:
                break
            self._mates = market.mates
            overpaid = [_worst(*block) for block in self._offered(scale, prices, -1)]
            if overpaid:
                known = self._united(known, _worst(*_joined(overpaid))[:2])
                continue
            if hopeful and (hoped := self._hoped(levels, scale, prices)):
                hopeful, floor, sums = False, (scale, scale.number(hoped)), hoped
                continue
            self._round(market, known, cost, prices)
            found = self._found(levels, known)
            if found.get(NO_PAIR):
                break
            if floor is not None and floor[0].number(found) > floor[1]:
                floor, sums = None, {}
            else:
                sums = self._sums(scale, found)
                if len(_scale(levels, self._count, 0, sums).most) == len(scale.most):
                    offers, known = self._left(known, scale, prices)
                    if offers is not None:
                        return offers, [name for name in levels if name not in scale.most]
            self._cuts[:] = 0
        return None, ()

    def _left(self, known: Pairs, scale: LevelScale, prices: Prices) -> tuple[Offers | None, Pairs]:
        """Return the pairs that may be in the optimum; None where one has a level cut off, and is known now."""
        first, second, left, cut = _joined(list(self._offered(scale, prices, self._over)))
        if cut.any():
            return None, self._united(known, (first[cut], second[cut]))
        return Offers(first, second, self._above(first, second, left), self._among((first, second), known)), known

    def _among(self, pairs: Pairs, known: Pairs) -> Flags:
        codes, among = self._codes(pairs), self._codes(known)
        found: Flags = among[np.minimum(np.searchsorted(among, codes), len(among) - 1)] == codes
        return found

    def _hoped(self, levels: Mapping[str, Ints], scale: LevelScale, prices: Prices) -> dict[str, int]:
        """Return the sums of levels if they cost what they cost at least; none where no more levels fit then."""
        sums = scale.parted(-(-prices.bound // (2 * _FINE)))
        return sums if len(_scale(levels, self._count, 0, sums).most) > len(scale.most) else {}

    def _found(self, levels: Mapping[str, Ints], known: Pairs) -> dict[str, int]:
        """Return the sums of levels of the pairing found, which is among `known`."""
        chosen = self._mates[known[0]] == known[1]
        return {name: int(level[chosen].sum()) for name, level in levels.items()}

    def _sums(self, scale: LevelScale, found: Mapping[str, int]) -> dict[str, int]:
        """Return how much of a level the cheapest pairing has at most: as found, while all before are proved."""
        total = scale.number(found)
        least = total - self._over // (2 * _FINE)
        sums = {}
        for name, worth in scale.worth.items():
            sums[name] = found[name]
            if total // worth != least // worth:
                break
        return sums

    def _across(self) -> Pairs:
        """Return pairs of the last of each score group with the first of each lower one.

        By them a level knows from the first what a difference of scores can be, and prices keep to it.
        """
        ordered = np.lexsort((self._nodes.place, self._group))
        counts = np.bincount(self._group)
        index = np.arange(self._count) - np.repeat(np.cumsum(counts) - counts, counts)
        last, first = ordered[index >= counts[self._group[ordered]] - _AT_ENDS], ordered[index < _AT_ENDS]
        upper, lower = np.repeat(last, len(first)), np.tile(first, len(last))
        below = self._group[upper] < self._group[lower]
        pairs = np.minimum(upper, lower)[below], np.maximum(upper, lower)[below]
        allowed = self._legal(*pairs)
        return pairs[0][allowed], pairs[1][allowed]

    def _start(self, near: Pairs) -> Pairs:
        """Pair everybody, the cheapest of some pairs first; who is left has a neighbour, even if barred."""
        levels = self._levels(near)
        self._mates = _greedy(self._count, *near, np.lexsort(tuple(levels.values())[::-1]))
        left = np.flatnonzero(self._mates < 0)
        self._mates[left] = left.reshape(-1, 2)[:, ::-1].ravel()
        lower = np.flatnonzero(self._mates > np.arange(self._count))
        pairs = lower, self._mates[lower]
        self._barred = self._codes(pairs)[~self._legal(*pairs)]
        return pairs

    def _priced(self, offers: Offers, names: Sequence[str], most: int) -> tuple[Offers | None, Sequence[str]]:
        """Price the next levels of these names; return the pairs that they leave, and the names of the others."""
        pairs, known = (offers.first, offers.second), offers.known
        levels = self._levels(pairs, names)
        scale = _scale(levels, self._count, self._total, {})
        cost = _FINE * (offers.above * scale.size + scale.cost(levels, len(known)))
        if not scale.most and len(known) <= most:
            rest = Graph(self._count, *pairs, levels)
            size = prod(radices(rest, levels))
            if ((self._total + 1) * size).bit_length() > MOST_BITS:
                return None, ()
            self._solve(
                pairs,
                [
                    one * size + other
                    for one, other in zip(offers.above.tolist(), combined(rest, levels), strict=True)
                ],
            )
            self._over = 0
            return offers, ()
        market = self._market(scale)
        for _ in range(_ROUNDS if scale.most else 0):
            prices = market.settle(pairs[0][known], pairs[1][known], cost[known])
            if prices is None:
                break
            left = prices.left(*pairs, cost)
            overpaid = np.flatnonzero(left < 0)
            if not len(overpaid):
                self._round(market, (pairs[0][known], pairs[1][known]), cost[known], prices)
                kept = np.flatnonzero(left <= self._over)
                first, second = pairs[0][kept], pairs[1][kept]
                return Offers(first, second, self._above(first, second, left[kept]), known[kept]), names[
                    len(scale.most) :
                ]
            worst = least_left(pairs[0][overpaid], pairs[1][overpaid], left[overpaid], _ADDED)
            known[overpaid[worst]] = True
        return None, ()

    def _solve(self, pairs: Pairs, weights: Sequence[int]) -> None:
        """Take the lightest pairing of pairs."""
        self._mates = paired_anew(self._mates, np.ones(self._count, dtype=bool), *pairs, weights, self._pulse)

    def _levels(self, pairs: Pairs, names: Sequence[str] = criteria.ORDER) -> dict[str, Ints]:
        first, second = pairs
        found = {}
        if len(self._barred) and len(names) == len(criteria.ORDER):
            found[NO_PAIR] = np.isin(self._codes(pairs), self._barred).astype(np.int64)
        ends = self._nodes.ends
        return found | criteria.costs(self._nodes.columns, ends[first], ends[second], order=names)

    def _market(self, scale: LevelScale) -> Market:
        """Return a market in which cuts are thought to cost the difference of scores, or what they did before."""
        gaps = np.append(np.diff(np.unique(-self._nodes.score)), 0) ** 2
        worth = scale.worth["score_difference"] if scale.most.get("score_difference") else 0
        return Market(self._mates, self._group, _FINE * (worth * gaps + 2 * scale.size * self._cuts))

    def _round(self, market: Market, pairs: Pairs, cost: Ints, prices: Prices) -> None:
        """Take a cheapest pairing of pairs, found from the one of the double cover in a market."""
        left, due = prices.left(*pairs, cost), prices.due(*pairs, cost)
        self._mates, self._over = rounded(market.mates, *pairs, left, due, prices.charged, self._pulse)
        self._cuts = np.minimum(market.cuts, self._over + 1)
        self._total = self._over + 2 * int(self._cuts.sum())

    def _above(self, first: Ints, second: Ints, left: Ints) -> Ints:
        """Return what is left of pairs and what they pay for cuts, which is no more than must count."""
        paid = np.append(0, np.cumsum(self._cuts))[self._group]
        found: Ints = left + 2 * np.abs(paid[first] - paid[second])
        return found

    def _offered(self, scale: LevelScale, prices: Prices, over: int) -> Iterator[tuple[Ints, Ints, Ints, Flags]]:
        """Yield in blocks the pairs of which no more than `over` is left, how much, and whether a level is cut."""
        own = sorted((one for one in scale.most if one not in {*_SHARED, NO_PAIR}), key="style".__ne__)
        for first, second, left, cut in _candidates(self._nodes, scale, prices, over):
            for name in own:
                cost = self._nodes.level(name, first, second)
                left += 2 * _FINE * scale.cost({name: cost}, len(cost))  # noqa: PLW2901
                cut |= cost > scale.most[name]  # noqa: PLW2901
                kept = np.flatnonzero(left <= over)
                first, second, left, cut = first[kept], second[kept], left[kept], cut[kept]  # noqa: PLW2901
            allowed = self._legal(first, second)
            if allowed.any():
                yield first[allowed], second[allowed], left[allowed], cut[allowed]

    def _codes(self, pairs: Pairs) -> Ints:
        return pairs[0] * self._count + pairs[1]

    def _united(self, *some: Pairs) -> Pairs:
        codes = distinct(np.concatenate([self._codes(pairs) for pairs in some]))
        return codes // self._count, codes % self._count


def _scale(levels: Mapping[str, Ints], count: int, over: int, sums: Mapping[str, int]) -> LevelScale:
    """Return the scale of as many levels as one number holds beside `over`.

    A level is worth more than all after it in the cheapest pairing, which of some has no more than `sums`.
    """
    most = {name: 2 ** int(column.max()).bit_length() - 1 for name, column in levels.items()}
    radix = {name: 1 + sums.get(name, (1 if name == "bye" else count // 2) * high) for name, high in most.items()}
    best = LevelScale({}, {}, 1)
    for length in range(1, len(most) + 1):
        names = list(most)[:length]
        worth = {name: prod(radix[lower] for lower in names[at + 1 :]) for at, name in enumerate(names)}
        size = prod(radix[name] for name in names)
        if (over * size + sum(most[name] * worth[name] for name in names)).bit_length() > _BITS:
            break
        best = LevelScale({name: most[name] for name in names}, worth, min(size, 2**_BITS))
    return best


def _greedy(count: int, first: Ints, second: Ints, order: Ints) -> Ints:
    """Return mates by pairs that are the first of both ends in an order, again and again; -1 for who is left."""
    mates = np.full(count, -1, dtype=np.int64)
    first, second = first[order], second[order]
    while len(first):
        index = np.arange(len(first))
        best = np.full(count, len(first), dtype=np.int64)
        np.minimum.at(best, first, index)
        np.minimum.at(best, second, index)
        taken = (best[first] == index) & (best[second] == index)
        mates[first[taken]], mates[second[taken]] = second[taken], first[taken]
        free = (mates[first] < 0) & (mates[second] < 0)
        first, second = first[free], second[free]
    return mates


def _candidates(
    nodes: Nodes, scale: LevelScale, prices: Prices, over: int
) -> Iterator[tuple[Ints, Ints, Ints, Flags]]:
    """Yield in blocks the pairs of which classes leave no more than `over`, how much, and whether one is cut."""
    label, price = nodes.classes(), prices.node
    order = np.lexsort((-price, label))
    count = int(label.max()) + 1
    starts = np.searchsorted(label[order], np.arange(count + 1))
    sample = order[starts[:-1]]  # of each class, who pays most
    rows = max(1, 2**16 // count)
    found: list[tuple[Ints, Ints, Ints, Flags]] = []
    waiting = 0
    for low in range(0, count, rows):
        block = np.arange(low, min(count, low + rows))
        shared = _needed(nodes, scale, prices, sample[block], sample)
        for row, is_cut, at in zip(*shared, block.tolist(), strict=True):
            members = order[starts[at] : starts[at + 1]]
            open_to = np.flatnonzero(row[: at + 1] - over <= price[sample[: at + 1]] + price[members[0]])
            for others in _ranges(order, starts, open_to, max(1, _BLOCK // len(members))):
                due = row[label[others]] - price[others]
                many = np.searchsorted(-price[members], over - due, side="right")
                second = members[np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)]
                first, due = np.repeat(others, many), np.repeat(due, many) - price[second]
                cut = np.repeat(is_cut[label[others]], many)
                if label[others[-1]] == at:
                    once = np.flatnonzero((label[first] != at) | (first < second))
                    first, second, due, cut = first[once], second[once], due[once], cut[once]
                found.append((np.minimum(first, second), np.maximum(first, second), due, cut))
                waiting += len(first)
                if waiting > _BLOCK:
                    yield _joined(found)
                    found, waiting = [], 0
    if found:
        yield _joined(found)


def _ranges(order: Ints, starts: Ints, classes: Ints, rows: int) -> Iterator[Ints]:
    """Yield the nodes of classes, some at a time."""
    counts = starts[classes + 1] - starts[classes]
    indices = np.arange(int(counts.sum())) + np.repeat(starts[classes] - np.cumsum(counts) + counts, counts)
    for low in range(0, len(indices), rows):
        yield order[indices[low : low + rows]]


def _joined(found: Sequence[tuple[Ints, Ints, Ints, Flags]]) -> tuple[Ints, Ints, Ints, Flags]:
    one, other, left, cut = (np.concatenate(column) for column in zip(*found, strict=True))
    return one, other, left, cut


def _needed(nodes: Nodes, scale: LevelScale, prices: Prices, some: Ints, others: Ints) -> tuple[Ints, Flags]:
    """Return what two nodes pay for a pair in which nothing is left, by what classes share; and which are cut."""
    shape = len(some), len(others)
    ones, twos = np.repeat(some, len(others)), np.tile(others, len(some))
    upper, lower = np.minimum(ones, twos), np.maximum(ones, twos)
    levels = {name: nodes.level(name, upper, lower) for name in scale.most if name in _SHARED}
    crossed = np.abs(prices.cut[upper] - prices.cut[lower])
    needed: Ints = 2 * (_FINE * scale.cost(levels, len(upper)) - crossed)
    return needed.reshape(shape), scale.is_cut(levels, len(upper)).reshape(shape)


def _worst(first: Ints, second: Ints, left: Ints, cut: Flags) -> tuple[Ints, Ints, Ints, Flags]:
    """Return those with the least left at each node, on either side."""
    indices = least_left(first, second, left, _ADDED)
    return first[indices], second[indices], left[indices], cut[indices]
