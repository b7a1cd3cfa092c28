"""Whether a tournament is whole: every parent there, nobody twice, every number its own.

Commands keep it so; this is asked where a value came from elsewhere: from a file, or from undoing a single step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tdapp.domain.tournament import KINDS, PARENTS, Tournament


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the row `id` of `kind`: `code` names the sentence, `fact` its particular."""

    kind: str
    id: str
    code: str
    fact: str


def faults(tournament: Tournament) -> tuple[Fault, ...]:
    """Return everything that is wrong with a tournament; none for a whole one."""
    return (*_single(tournament), *_orphans(tournament), *_doubles(tournament))


def _single(tournament: Tournament) -> Iterator[Fault]:
    for kind in ("events", "rules"):
        if len(tournament.rows(kind)) != 1:
            yield Fault(kind, "", "not-exactly-one", kind)


def _orphans(tournament: Tournament) -> Iterator[Fault]:
    for kind, parents in PARENTS.items():
        for key, row in tournament.rows(kind).items():
            for field, parent in parents.items():
                named = getattr(row, field)
                if named is not None and named not in tournament.rows(parent):
                    yield Fault(kind, key, "parent-missing", field)
    for kind in KINDS:
        for key, row in tournament.rows(kind).items():
            if key != row.id:
                yield Fault(kind, key, "wrong-id", row.id)


def _doubles(tournament: Tournament) -> Iterator[Fault]:
    seats = [
        *(
            (game.round, player, "games", game.id)
            for game in tournament.games.values()
            for player in (game.first, game.second)
        ),
        *((bye.round, bye.player, "byes", bye.id) for bye in tournament.byes.values()),
    ]
    yield from _repeated("twice-in-round", ((kind, key, (item, player)) for item, player, kind, key in seats))
    yield from _repeated(
        "table-twice", (("games", game.id, (game.round, game.table)) for game in tournament.games.values())
    )
    yield from _repeated(
        "number-taken", (("players", one.id, (one.division, one.number)) for one in tournament.players.values())
    )
    yield from _repeated(
        "division-exists", (("divisions", one.id, one.code.casefold()) for one in tournament.divisions.values())
    )
    yield from _repeated("round-twice", _round_numbers(tournament))
    yield from _repeated(
        "sheet-twice", (("sheets", one.id, (one.game, one.form)) for one in tournament.sheets.values())
    )


def _round_numbers(tournament: Tournament) -> Iterator[tuple[str, str, object]]:
    for item in tournament.rounds.values():
        stage = tournament.stages.get(item.stage)
        yield "rounds", item.id, (stage.division if stage else "", item.number)


def _repeated(code: str, marks: Iterable[tuple[str, str, object]]) -> Iterator[Fault]:
    listed = list(marks)
    counts = Counter(mark for _, _, mark in listed)
    for kind, key, mark in listed:
        if counts[mark] > 1:
            yield Fault(kind, key, code, str(mark))
