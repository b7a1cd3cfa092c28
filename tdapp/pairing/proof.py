"""Which pairs can be part of the optimum at all, once some pairing is known.

Hides the bounds. A level of the optimum can be no higher than the known pairing's, as long as all levels before it
are proved equal; a pair that would by itself lift a level's lower bound above that is left out. What remains
contains every optimal pairing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tdapp.pairing import criteria
from tdapp.pairing.criteria import Columns, Ints

_FAR = 2**40  # above any sum of squared scores


def possible(
    columns: Columns, ends: Ints, pairs: tuple[Ints, Ints], known: Mapping[str, int], order: Sequence[str]
) -> tuple[Ints, Ints]:
    """Return those of `pairs` that may belong to a pairing at least as good as one that costs `known`.

    `pairs` count along `ends`, the nodes' positions in the field, and hold every legal pair, the lower node first.
    """
    first, second = pairs
    bye = len(ends) - 1 if ends[-1] == columns.count else None
    for name in order:
        if name not in known:
            continue
        if name == "score_difference":
            least, through = _scores(columns.score[ends], first, second)
        else:
            cost = criteria.CRITERIA[name](columns, ends[first], ends[second])
            least, through = _halves(cost, first, second, bye=bye)
        kept = through <= known[name]
        first, second = first[kept], second[kept]
        if least < known[name]:
            break
    return first, second


def _halves(cost: Ints, first: Ints, second: Ints, *, bye: int | None) -> tuple[int, Ints]:
    """Return a lower bound of the sum, and of the sum with each pair in it.

    Everybody's cheapest game, halved; the bye, of which there is one, takes what is then left of its cheapest.
    """
    games = second != bye
    share = np.full(int(second.max()) + 1, _FAR, dtype=np.int64)  # doubled, so that it is whole
    np.minimum.at(share, first[games], cost[games])
    np.minimum.at(share, second[games], cost[games])
    share[share == _FAR] = 0
    if bye is not None:
        share[bye] = (2 * cost - share[first])[~games].min()
    least = int(share.sum())
    through = least + 2 * cost - share[first] - share[second]
    return -(-least // 2), -(-through // 2)


def _scores(score: Ints, first: Ints, second: Ints) -> tuple[int, Ints]:
    """Return the least sum of squared differences, and the least with each pair in it.

    Squares grow faster than differences, so neighbours in the order of scores are the least of all pairings.
    """
    values, place = np.unique(score, return_inverse=True)
    ordered = np.sort(score)
    table = np.full((len(values), len(values)), _FAR, dtype=np.int64)
    for one, high in enumerate(values):
        rest = np.delete(ordered, np.searchsorted(ordered, high))
        for other, low in enumerate(values[: one + 1]):
            at = int(np.searchsorted(rest, low))
            if at < len(rest) and rest[at] == low:
                table[one, other] = table[other, one] = (high - low) ** 2 + _neighbours(np.delete(rest, at))
    through: Ints = table[place[first], place[second]]
    return _neighbours(ordered), through


def _neighbours(ordered: npt.NDArray[np.int64]) -> int:
    return int(((ordered[1::2] - ordered[::2]) ** 2).sum())
