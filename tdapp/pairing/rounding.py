"""A pairing of players from one of the double cover, whose odd cycles pair nobody.

Hides where is looked: with few pairs ever farther from who is left over, which nearly always is enough; then
anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from tdapp.pairing.arrays import Flags, Ints, np
from tdapp.pairing.matching import Graph, Pulse, lightest

_FEW = 3  # pairs of a node, on either side, that are enough to pair the odd cycles anew
_MIXED = 20  # bits of a lot, by which the library need not try equals in turn
_KEY_BITS = 62  # of a number by which pairs are sorted
_LEAST = 64  # nodes about who is left that are paired anew with them, before ever more are
_MIXER = 2654435761  # times it, places come in no order


def rounded(
    towards: Ints, first: Ints, second: Ints, left: Ints, due: Ints, charged: int, pulse: Pulse
) -> tuple[Ints, int]:
    """Return a cheap pairing of these pairs, and what it costs above all prices: mostly nothing.

    Found from one of the double cover, `towards`, with few pairs: ever farther from who is left or pays too much,
    then anywhere; and with all pairs.
    """
    mixed = np.arange(len(left)) * _MIXER % 2**_MIXED
    present = np.flatnonzero((towards[first] == second) | (towards[second] == first))

    def again(mates: Ints, reach: Flags, some: Ints) -> tuple[tuple[int, int], Ints]:
        weights = [
            (weight << 2 * _MIXED) + by_lot
            for weight, by_lot in zip(due[some].tolist(), mixed[some].tolist(), strict=True)
        ]
        found = paired_anew(mates, reach, first[some], second[some], weights, pulse)
        return judged(found), found

    def judged(mates: Ints) -> tuple[int, int]:
        return int((mates < 0).sum()), int(sum(due[mates[first] == second].tolist())) - charged

    few = present
    for some in (np.flatnonzero(due == left), np.flatnonzero(due > left)):  # within and across cuts
        few = np.union1d(few, some[least_left(first[some], second[some], left[some], _FEW)])
    mates = _split(towards)
    best, most = (judged(mates), mates), _LEAST
    while best[0] > (0, 0) and most <= len(mates) // 2:
        mates = best[1]
        wrong = mates < 0
        dear = few[(left[few] > 0) & (mates[first[few]] == second[few])]
        wrong[first[dear]] = wrong[second[dear]] = True
        found = again(mates, _spread(wrong, mates, first[few], second[few], most), few)
        best, most = (found, _LEAST) if found[0] < best[0] else (best, 2 * most)
    everybody = np.ones(len(towards), dtype=bool)
    if best[0] > (0, 0):
        best = min(best, again(mates, everybody, few), key=itemgetter(0))
    if best[0][0]:
        best = again(mates, everybody, np.arange(len(left)))
    return best[1], best[0][1]


def _split(towards: Ints) -> Ints:
    """Return mates by every other step of even cycles; -1 for who is on an odd one."""
    mates = towards.copy()
    todo = np.flatnonzero(towards[towards] != np.arange(len(towards)))
    seen: set[int] = set()
    for start in todo.tolist():
        node, cycle = start, []
        while node not in seen:
            seen.add(node)
            cycle.append(node)
            node = int(towards[node])
        if len(cycle) % 2:
            mates[cycle] = -1
        else:
            mates[cycle[1::2]] = cycle[::2]
            mates[cycle[::2]] = cycle[1::2]
    return mates


def _spread(wrong: Flags, mates: Ints, first: Ints, second: Ints, most: int) -> Flags:
    """Return who is wrong, those that these pairs join to them, and so on up to `most`; and their mates."""
    other = np.where(mates < 0, np.arange(len(mates)), mates)
    reach = wrong | wrong[other]
    while (room := most - int(reach.sum())) > 0:
        near = reach.copy()
        near[second[reach[first]]] = True
        near[first[reach[second]]] = True
        new = np.flatnonzero(near & ~reach)
        if not len(new):
            break
        reach[new[np.argsort(new * _MIXER % 2**_MIXED)[:room]]] = True
        reach |= reach[other]
    return reach


def paired_anew(
    mates: Ints, reach: Flags, first: Ints, second: Ints, weights: Sequence[int], pulse: Pulse
) -> Ints:
    """Return the mates with those in `reach` paired among themselves as cheaply as can be; -1 for who is left."""
    inside = np.flatnonzero(reach[first] & reach[second])
    mine = [weights[position] for position in inside.tolist()]
    chosen = inside[lightest(Graph(len(mates), first[inside], second[inside], {}), mine, pulse)]
    found = np.where(reach, -1, mates)
    found[first[chosen]], found[second[chosen]] = second[chosen], first[chosen]
    return found


def least_left(first: Ints, second: Ints, left: Ints, each: int) -> Ints:
    """Return the indices of a few pairs of each node, on either side, with about the least left, equals by lot."""
    if not len(left):
        return np.empty(0, dtype=np.int64)
    bits = len(left).bit_length()
    lots = np.arange(len(left)) * _MIXER % 2**bits
    drawn = np.empty(2**bits, dtype=np.int64)
    drawn[lots] = np.arange(len(left))
    above = left - left.min()
    free = _KEY_BITS - bits - int(second.max()).bit_length()
    above >>= max(0, int(above.max()).bit_length() - free)
    found = np.zeros(len(left), dtype=bool)
    for ends in (first, second):
        ordered = np.sort((((ends << free) + above) << bits) + lots)
        counts = np.bincount(ends)
        earlier = np.repeat(np.cumsum(counts) - counts, counts)
        found[drawn[ordered[np.arange(len(left)) - earlier < each] % 2**bits]] = True
    return np.flatnonzero(found)
