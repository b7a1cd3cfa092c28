"""A price for every player, so that no pairing can cost less than all prices together.

Hides linear programming on the field in which everybody stands once as one end and once as the other end of a pair
(the double cover). There the cheapest pairing is found from any by cancelling its negative cycles. What odd score
groups cost beyond that is priced too: each cut between groups with an odd number of players above it is crossed at
least once by any pairing. All prices are whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from tdapp.pairing.arrays import Flags, Ints, distinct, np

_PATIENCE = 4000  # rounds of prices at most, each of about a quarter of a millisecond per 1,000 players
_TURNS = 24  # how often the price of a cut may be mended while prices settle
_ONCE = 2  # crossings, each pair of both its ends
_DENSE = 4  # where one of so many has another price, all offers are looked at
_SPELL = 16  # rounds of few offers between two looks at where they come from
_MOST = 2**60  # no price comes near; beyond, sums might not be exact


@dataclass(frozen=True, slots=True)
class Prices:
    """What each node pays, twice over; `cut` is what is paid for the cuts above each node's group."""

    node: Ints
    cut: Ints
    bound: int  # twice what any pairing costs at least, if no pair's `left` is negative

    def left(self, first: Ints, second: Ints, cost: Ints) -> Ints:
        """Return what pairs cost beyond their prices, twice over."""
        found: Ints = self.due(first, second, cost) - 2 * np.abs(self.cut[first] - self.cut[second])
        return found

    def due(self, first: Ints, second: Ints, cost: Ints) -> Ints:
        """Return what pairs cost beyond what their ends pay, twice over."""
        found: Ints = 2 * cost - self.node[first] - self.node[second]
        return found

    @property
    def charged(self) -> int:
        """What is paid for all cuts, twice over."""
        return self.bound - int(sum(self.node.tolist()))


class Market:
    """The prices of a field while they are being found; `group` numbers the score groups, 0 the highest."""

    def __init__(self, mates: Ints, group: Ints, cuts: Ints) -> None:
        """Start from a pairing of everybody, and what a cut below each group is thought to cost."""
        counts = np.bincount(group, minlength=len(cuts))
        self._odd = np.cumsum(counts) % 2 == 1
        self._group = group
        self.cuts = np.where(self._odd, cuts, 0)
        self.mates = mates.copy()  # in the double cover: not always mutual
        self._price: Ints | None = None

    def settle(self, first: Ints, second: Ints, cost: Ints) -> Prices | None:
        """Return prices for these pairs, among which all present mates are; None where they run too high."""
        self._take(first, second, cost)
        self._turns = np.zeros(len(self.cuts), dtype=np.int64)
        self._lowered = np.zeros(len(self.cuts), dtype=bool)
        price = self._cost[self._chosen] // 2 if self._price is None else self._price
        parent = np.full(len(price), -1, dtype=np.int64)
        changed = np.arange(len(price))
        for number in range(_PATIENCE):
            changed = self._lower(price, parent, self._open(changed))
            if not len(changed):
                if not self._crossed_once():
                    break
                changed = np.arange(len(price))
                continue
            if len(changed) < self._many and number % _SPELL:
                continue
            on_cycles, handed_down = self._followed(parent, price)
            if len(on_cycles):
                changed = distinct(np.append(changed, self._mend(parent, on_cycles)))
                parent[on_cycles] = -1
            else:
                changed = distinct(np.append(changed, np.flatnonzero(handed_down < price)))
                np.minimum(price, handed_down, out=price)
        self._price = price
        return self._prices(price)

    def _open(self, changed: Ints) -> Ints | slice:
        """Return the indices of the offers that may be better since these ends changed, or all."""
        if len(changed) >= self._many:
            return slice(None)
        source = np.empty_like(self.mates)
        source[self.mates] = np.arange(len(source))
        return self._turned[self._indices(source[changed])]

    def _lower(self, price: Ints, parent: Ints, among: Ints | slice) -> Ints:
        """Lower prices to the best of some offers, whose indices become the parents; return the ends."""
        ends, indices = self._ends[among], self._numbers[among]
        offers = self._cost[among] + (price[self.mates] - self._cost[self._chosen])[self._from[among]]
        better = np.flatnonzero(offers < price[ends])
        indices, ends, offers = indices[better], ends[better], offers[better]
        np.minimum.at(price, ends, offers)
        best = np.flatnonzero(offers == price[ends])[::-1]
        parent[ends[best]] = indices[best]  # the first of equals, as they come from the last
        return ends[best]

    def _take(self, first: Ints, second: Ints, cost: Ints) -> None:
        """Put the pairs both ways round, by the end that is offered a price."""
        ends = np.concatenate([second, first])
        by_end = np.argsort(ends, kind="stable")
        self._ends = ends[by_end]
        self._from = np.concatenate([first, second])[by_end]
        self._plain = np.concatenate([cost, cost])[by_end]
        self._numbers = np.arange(len(by_end))
        index = np.empty_like(by_end)
        index[by_end] = self._numbers
        self._turned = np.roll(index, len(first))[by_end]  # where the same pair stands the other way round
        nodes = np.arange(len(self._group))
        self._many = len(nodes) // _DENSE
        self._starts = np.searchsorted(self._ends, nodes)
        self._counts = np.diff(np.append(self._starts, len(self._ends)))
        groups = self._group[self._from], self._group[self._ends]
        self._above, self._below = np.minimum(*groups), np.maximum(*groups)
        mine = np.flatnonzero(self.mates[self._from] == self._ends)
        self._chosen = np.empty(len(nodes), dtype=np.int64)
        self._chosen[self._from[mine]] = mine
        self._compute()

    def _compute(self) -> None:
        paid = self._paid()
        self._cost = self._plain - (paid[self._below] - paid[self._above])

    def _indices(self, nodes: Ints) -> Ints:
        """Return the indices of the pairs that offer these nodes a price."""
        counts = self._counts[nodes]
        before = np.cumsum(counts) - counts
        found: Ints = np.arange(int(counts.sum())) + np.repeat(self._starts[nodes] - before, counts)
        return found

    def _paid(self) -> Ints:
        return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(self.cuts)])

    def _followed(self, parent: Ints, price: Ints) -> tuple[Ints, Ints]:
        """Return the nodes whose offers go round in cycles, and the prices that the others have from far up."""
        known = parent >= 0
        source = self._from[parent]
        onward = np.where(known, self.mates[source], np.arange(len(parent)))
        paid = np.where(known, self._cost[parent] - self._cost[self._chosen[source]], 0)
        for _ in range(len(parent).bit_length()):
            paid += paid[onward]
            onward = onward[onward]
        going = np.zeros_like(known)
        going[onward[known[onward]]] = True
        return np.flatnonzero(going), paid + price[onward]

    def _mend(self, parent: Ints, nodes: Ints) -> Ints:
        """Cancel the cycles of the offers to these nodes, or mend the cuts that they show to be wrong.

        Return the nodes whose mates' offers may be better now.
        """
        cuts = self.cuts.copy()
        new = parent[nodes]
        old = self._chosen[self._from[new]]
        cycle = _numbered(np.searchsorted(nodes, self.mates[self._from[new]]))
        crossing = (self._above[new] != self._above[old]) | (self._below[new] != self._below[old])
        apart = np.unique(cycle[crossing & self._odd.any()])
        gain = np.zeros(len(nodes), dtype=np.int64)
        np.add.at(gain, cycle, self._cost[old] - self._cost[new])
        self._put(new[~np.isin(cycle, apart) & (gain[cycle] > 0)])
        for number in apart.tolist():
            self._turn(new[cycle == number], old[cycle == number])
        if (self.cuts == cuts).all():
            return nodes
        self._compute()
        return np.arange(len(self.mates))

    def _put(self, new: Ints) -> None:
        self._chosen[self._from[new]] = new
        self.mates[self._from[new]] = self._ends[new]

    def _turn(self, new: Ints, old: Ints) -> None:
        """Put the pairs `new` of a cycle in the place of the old, unless the price of a cut can account for it."""
        paid = self._paid()
        gain = int(self._worth(old, paid) - self._worth(new, paid))
        if gain <= 0:
            return
        more = self._crossings(new) - self._crossings(old)
        after = self._crossings(self._chosen) + more  # each pair of both its ends
        dear: Flags = self._odd & (more > 0) & (after > _ONCE) & (self.cuts > 0)
        cheap = self._odd & (self._turns < _TURNS) & (more < 0) & (after < _ONCE)
        if cheap.any():
            self.cuts[cheap] += -(-gain // int(-more[cheap].sum()))
            self._turns[cheap] += 1
            if self._lowered[cheap].any():
                self._put(new)
        elif dear.any():
            self.cuts[dear] -= np.minimum(self.cuts[dear], -(-gain // int(more[dear].sum())))
            self._lowered |= dear
        else:
            self._put(new)

    def _crossed_once(self) -> bool:
        """Mend the price of each cut that is still crossed less or more than once; return whether there was one.

        By ever more: how much is needed no cycle tells.
        """
        crossed = self._crossings(self._chosen)
        step = np.where(crossed < _ONCE, 1, -np.minimum(self.cuts, 1)) * 4**self._turns
        step[~self._odd | (crossed == _ONCE) | (self._turns >= _TURNS)] = 0
        self.cuts = np.maximum(self.cuts + step, 0)
        self._turns += step != 0
        self._compute()
        return bool(step.any())

    def _worth(self, pairs: Ints, paid: Ints) -> int:
        return int((self._plain[pairs] - paid[self._below[pairs]] + paid[self._above[pairs]]).sum())

    def _crossings(self, pairs: Ints) -> Ints:
        """Count how many of the pairs cross the cut below each group."""
        change = np.zeros(len(self.cuts) + 1, dtype=np.int64)
        np.add.at(change, self._above[pairs], 1)
        np.add.at(change, self._below[pairs], -1)
        return np.cumsum(change)[:-1]

    def _prices(self, price: Ints) -> Prices | None:
        other = np.minimum.reduceat(self._cost - price[self._from], self._starts)
        node = price + other
        if max(_largest(price), _largest(node), _largest(self._paid())) > _MOST:
            return None
        bound = sum(node.tolist()) + 2 * sum(self.cuts.tolist())
        return Prices(node, self._paid()[self._group], bound)


def _numbered(onward: Ints) -> Ints:
    """Return the number of the cycle of each place, of which each leads to another: the lowest place on it."""
    cycle = np.arange(len(onward))
    for _ in range(len(onward).bit_length()):
        cycle = np.minimum(cycle, cycle[onward])
        onward = onward[onward]
    return cycle


def _largest(values: Ints) -> int:
    return int(np.abs(values).max())
