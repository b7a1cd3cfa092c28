"""Swiss pairings: one minimum-cost perfect matching of the whole field; king of the hill is one of neighbours.

Hides which pairs are looked at: all up to 100 players; above, first the nearest in rank and the nearest to the
ideal opponent, then all that can do better than those. Where nothing is proved so: all up to 400 players, above
ever more neighbours until twice as many change nothing; the proposal then says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from tdapp.domain import systems as declared
from tdapp.domain.errors import RuleViolation
from tdapp.domain.mark import N_
from tdapp.domain.pairing_settings import PairingStyle
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Flags, Ints, distinct, np
from tdapp.pairing.criteria import FieldArrays
from tdapp.pairing.field import Field, Tick, no_tick
from tdapp.pairing.matching import Graph, Solution, solve
from tdapp.pairing.proof import Nodes, Pairs, Proof
from tdapp.pairing.system import Facts, Pair, Plan, Situation, System, fixed_pairs, free_places, last_round

DENSE_UP_TO = 400  # players: nothing is left to chance, whatever it takes
_AT_ONCE_UP_TO = 100  # players: proving costs more than it saves
_NEAR = 8  # neighbours of each kind that are looked at first
_WIDTHS = (30, 60, 120)  # where nothing can be proved
_STEPS = 4  # that a large field takes, as the tick hears
_PROVABLE = 400_000  # pairs that can be solved in a few seconds


@dataclass(frozen=True, slots=True)
class _Solved:
    graph: Graph
    solution: Solution
    proved: bool = True  # that no other pair of players would do better

    @property
    def pairs(self) -> list[tuple[int, int]]:
        chosen = list(self.solution.edges)
        return list(zip(self.graph.first[chosen].tolist(), self.graph.second[chosen].tolist(), strict=True))

    @property
    def sums(self) -> dict[str, int]:
        """What the pairing costs."""
        chosen = list(self.solution.edges)
        return {name: int(column[chosen].sum()) for name, column in self.graph.levels.items()}

    @property
    def is_good(self) -> bool:
        return self.solution.complete and not self.sums["repeats"]


def plan(situation: Situation, code: str | None = None) -> Plan:
    """Return the cheapest pairing of a round, each pair for the reason `code`; raise RuleViolation for none."""
    return matched(situation.field, code=code, tick=situation.tick)


def matched(field: Field, *, code: str | None, tick: Tick = no_tick) -> Plan:
    """Return the cheapest pairing under all criteria, with `code` as its reason."""
    fixed = fixed_pairs(field)
    free = free_places(field)
    if not len(free):
        return Plan(fixed)
    work = _Work(field, criteria.columns_of(field), free, tick)
    solved = _solved(work)
    graph, solution = solved.graph, solved.solution
    if not solution.complete:
        edges = list(solution.edges)
        paired = {*graph.first[edges].tolist(), *graph.second[edges].tolist()}
        left = (at for node, at in enumerate(free.tolist()) if node not in paired)
        raise RuleViolation(
            "no-pairing-possible", players=tuple(field.entrants[position].number for position in left)
        )
    pairs = []
    for edge in solution.edges:
        one, other = int(graph.first[edge]), int(graph.second[edge])
        why = "repeat" if graph.levels["repeats"][edge] else code
        if other < len(free):
            pairs.append(Pair(int(free[one]), int(free[other]), why))
        else:
            pairs.append(Pair(int(free[one]), None, why, _lower_bye(work, solved, one)))
    relaxed = [f"coarse-{name}" for name in solution.coarse] + ([] if solved.proved else ["neighbours-only"])
    return Plan((*fixed, *pairs), relaxed=tuple(relaxed))


def _lower_bye(work: _Work, solved: _Solved, waiting: int) -> Facts:
    """Return by which criterion, and how much, the bye of the lowest of those with the fewest would cost more.

    Nothing where one of them is `waiting`, where that player has had more byes, or no lower bye is possible.
    """
    entrants = [work.field.entrants[position] for position in work.free.tolist()]
    fewest = min(entrant.byes for entrant in entrants)
    lowest = min(entrant.score for entrant in entrants if entrant.byes == fewest)
    if entrants[waiting].byes > fewest or entrants[waiting].score == lowest:
        return ()
    waits = [node for node, one in enumerate(entrants) if (one.byes, one.score) == (fewest, lowest)]
    other = _solved(replace(work, waits=np.array(waits), tick=no_tick))
    if not other.solution.complete:
        return ()
    least, lower = solved.sums, other.sums
    more = {name: lower[name] - least[name] for name in least if name != "chance"}
    return next(((("criterion", name), ("more", cost)) for name, cost in more.items() if cost), ())


@dataclass(frozen=True, slots=True)
class _Work:
    """Whom to pair, who hears how far it is, and which nodes alone may have the bye (None: all)."""

    field: Field
    columns: FieldArrays
    free: Ints
    tick: Tick
    waits: Ints | None = None

    def allowed(self, first: Ints, second: Ints) -> Flags:
        """Return in which pairs nobody has the bye who may not."""
        if self.waits is None:
            return np.ones(len(first), dtype=bool)
        found: Flags = (second != len(self.free)) | np.isin(first, self.waits)
        return found

    def near(self, width: int | None) -> Pairs:
        """Return the pairs of the nearest of everybody, or all."""
        first, second = _legal(self.field, self.columns, self.free, width=width)
        kept = self.allowed(first, second)
        return first[kept], second[kept]

    def among(self, width: int | None, done: int) -> _Solved:
        """Solve on the nearest of everybody, or on all pairs."""
        return self.on(self.near(width), done)

    def on(self, pairs: Pairs, done: int) -> _Solved:
        """Solve on these pairs."""
        graph = _graph(self.columns, self.free, pairs, criteria.ORDER)
        self.tick(done, _STEPS)
        return _Solved(graph, solve(graph, partial(self.tick, done, _STEPS)))


def _solved(work: _Work) -> _Solved:
    """Solve at once, or in a larger field on the pairs that are proved or found to be enough."""
    if len(work.free) > _AT_ONCE_UP_TO and (proved := _proved(work)) is not None:
        return proved
    best: _Solved | None = None
    for width in _WIDTHS if len(work.free) > DENSE_UP_TO else ():
        near = work.among(width, 2)
        if best is not None and best.is_good and near.pairs == best.pairs:
            return replace(near, proved=False)
        best = near
    return work.among(None, 3)


def _proved(work: _Work) -> _Solved | None:
    """Return the optimum where it can be proved from few pairs."""
    nodes = Nodes(work.columns, _ends(work.columns, work.free))
    forbidden = _forbidden(work.field, work.free)

    def legal(first: Ints, second: Ints) -> Flags:
        barred = np.isin(first * len(work.free) + second, forbidden) & (second != len(work.free))
        found: Flags = work.allowed(first, second) & ~barred
        return found

    work.tick(1, _STEPS)
    pairs = Proof(nodes, legal, partial(work.tick, 2, _STEPS)).pairs(work.near(_NEAR), _PROVABLE)
    if pairs is None:
        return None
    graph = _graph(work.columns, work.free, pairs, criteria.ORDER)
    return _Solved(graph, Solution(tuple(range(len(pairs[0]))), (), complete=True))


def graph_of(
    field: Field, columns: FieldArrays, free: Ints, *, width: int | None, order: Sequence[str] = criteria.ORDER
) -> Graph:
    """Return the possible pairs of the players at the positions `free` with their costs.

    `width` is how many neighbours of each kind are looked at, None for all. Nodes count along `free`; where the
    number is odd, the last node is the bye.
    """
    return _graph(columns, free, _legal(field, columns, free, width=width), order)


def _graph(columns: FieldArrays, free: Ints, pairs: tuple[Ints, Ints], order: Sequence[str]) -> Graph:
    ends = _ends(columns, free)
    return Graph(len(ends), *pairs, criteria.costs(columns, ends[pairs[0]], ends[pairs[1]], order=order))


def _ends(columns: FieldArrays, free: Ints) -> Ints:
    """Return the position of each node; the bye's is the last where the number is odd."""
    return np.append(free, columns.count) if len(free) % 2 else free


def _legal(field: Field, columns: FieldArrays, free: Ints, *, width: int | None) -> tuple[Ints, Ints]:
    count = len(free)
    first, second = _everybody(count) if width is None else _neighbours(columns, free, width)
    allowed = ~np.isin(first * count + second, _forbidden(field, free))
    first, second = first[allowed], second[allowed]
    if count % 2:
        first = np.append(first, np.arange(count))
        second = np.append(second, np.full(count, count))
    return first, second


def _everybody(count: int) -> tuple[Ints, Ints]:
    first, second = np.triu_indices(count, 1)
    return first.astype(np.int64), second.astype(np.int64)


def _neighbours(columns: FieldArrays, free: Ints, width: int) -> tuple[Ints, Ints]:
    """Return each player's pairs with the `width` nearest in rank and nearest to the ideal opponent."""
    count = len(free)
    own = np.arange(count)
    _, place, size = criteria.groups(columns.score[free])
    start = own - place
    ideal = {
        PairingStyle.SLIDE: start + np.where(2 * place < size, place + size // 2, place - size // 2),
        PairingStyle.FOLD: start + size - 1 - place,
        PairingStyle.ADJACENT: own,
        PairingStyle.RANDOM: own,
    }[columns.settings.style]
    pairs = np.concatenate([_window(own, own, width), _window(own, ideal, width)])
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    codes = distinct(low[low != high] * count + high[low != high])
    return codes // count, codes % count


def _window(own: Ints, centre: Ints, width: int) -> Ints:
    """Return the pairs of each player with the `width` + 1 positions around a centre, kept inside the field."""
    start = np.clip(centre - width // 2, 0, len(own) - 1 - width)
    others = start[:, None] + np.arange(width + 1)
    return np.stack([np.repeat(own, width + 1), others.ravel()], axis=1)


def _forbidden(field: Field, free: Ints) -> Ints:
    """Return the pairs that may not be, each as first * count + second in the numbering of `free`."""
    nodes = {field.entrants[at].player: node for node, at in enumerate(free.tolist())}
    return criteria.pair_codes(field.forbidden, nodes, len(free))


SWISS = System(declared.SWISS, plan, last_round, criteria.ORDER)
KING_OF_THE_HILL = System(
    declared.KING_OF_THE_HILL,
    partial(plan, code="king-of-the-hill"),
    last_round,
    criteria.ORDER,
    PairingStyle.ADJACENT,
    reasons={"king-of-the-hill": N_("Neighbours: place {better_place} against {worse_place}")},
)
