"""The index of a value goes on from the one before: it takes over what has not changed, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.tournament import PARENTS
from tests.building import DIVISION, event, paired


def looked_up(index: Index) -> dict[str, object]:
    """Return all that an index gives for every parent there is."""
    value = index.tournament
    parents = [key for kind in ("divisions", "stages", "rounds", "players", "games") for key in value.rows(kind)]
    kinds = [kind for kind in PARENTS if hasattr(index, kind)]
    assert len(kinds) == 16
    return {kind: [getattr(index, kind)(key) for key in parents] for kind in kinds}


def test_an_index_goes_on_from_an_earlier_one() -> None:
    value = paired(event(6), times=2)
    values = [value]
    for rows in (
        [next(iter(value.results.values()))],
        [replace(one, number=7 - one.number) for one in value.players.values()],
        [replace(one, table=9 - one.table) for one in value.games.values()],
        [replace(one, number=one.number + 4) for one in value.rounds.values()],
    ):
        values += [values[-1].drop(*rows), values[-1].put(*rows)]
    assert len({str(looked_up(Index(one))) for one in values}) > len(values) / 2

    for before, after in product(values, repeat=2):
        earlier = Index(before)
        looked_up(earlier)
        assert looked_up(Index(after, earlier)) == looked_up(Index(after))


def test_what_has_not_changed_is_not_sorted_again() -> None:
    value = paired(event(6))
    first = Index(value)
    second = Index(value.drop(next(iter(value.results.values()))), first)

    assert second.games is first.games
    assert second.byes is first.byes
    assert Index(value.drop(*value.games.values()), first).games is not first.games


def test_what_was_computed_from_the_very_same_things_is_carried_on() -> None:
    value = paired(event(6), times=2)
    first = Index(value)
    second = Index(value.put(replace(value.event, name="Other")), first)

    assert first.carry("sum", [value, 1], lambda: 3) == 3
    assert second.carry("sum", [value, 1], lambda: 4) == 3
    assert second.carry("sum", [second.tournament, 1], lambda: 5) == 5
    assert second.carry("sum", [second.tournament], lambda: 6) == 6


def test_what_is_computed_of_a_division_is_computed_once() -> None:
    value = paired(event(4))
    index, division = Index(value), value.divisions[DIVISION]
    asked: list[tuple[str, int | None]] = []

    def compute(_index: Index, of: Division, after: int | None) -> int:
        asked.append((of.name, after))
        return len(asked)

    assert index.remember("sum", division, None, compute) == index.remember("sum", division, None, compute) == 1
    assert index.remember("sum", division, 1, compute) == 2
    assert index.remember("product", division, 1, compute) == 3
    assert index.remember("sum", replace(division, name="Changed"), None, compute) == 4
    assert asked[-1] == ("Changed", None)
    assert Index(value).remember("sum", division, None, compute) == 5
