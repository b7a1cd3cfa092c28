"""What can be taken out of a tournament as a file, by id."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tdapp.domain.entries import of_division, of_players
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division, Forfeit, Result
from tdapp.domain.records import fines
from tdapp.domain.tables import ratings, standings
from tdapp.exchange import document, player_lists, rated_json, table_csv, tsh
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.mark import N_


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that a file does not hold: `code` and `facts` make its sentence."""

    code: str
    facts: Mapping[str, object]


def _holds_all(_index: Index, _division: Division) -> Iterator[Lack]:
    yield from ()


@dataclass(frozen=True, slots=True)
class Export:
    """One kind of file: `name` is a msgid; `division` tells whether it holds one division or everything.

    `lacks` tells what a division has that the file cannot hold.
    """

    name: str
    suffix: str
    write: Callable[[Index, Division | None, int | None, Catalogue], bytes]
    division: bool = True
    lacks: Callable[[Index, Division], Iterator[Lack]] = _holds_all


def write(kind: str, index: Index, code: str | None, after: int | None, words: Catalogue) -> bytes:
    """Return the tournament, or the division with `code`, as a file of `kind`, one of EXPORTS.

    `after` is the round whose standings are meant, None the last. Raises RuleViolation for an unknown kind,
    division or round.
    """
    export = _export(kind)
    division = index.division(code) if export.division else None
    if division is not None and after:
        index.round(division.id, after)
    return export.write(index, division, after, words)


def lacking(kind: str, index: Index, code: str | None) -> tuple[Lack, ...]:
    """Return what a file of `kind` does not hold of the division with `code`; raises as `write` does."""
    export = _export(kind)
    return tuple(export.lacks(index, index.division(code))) if export.division else ()


def _export(kind: str) -> Export:
    if kind not in EXPORTS:
        raise RuleViolation("format-unknown", format=kind, known=", ".join(EXPORTS))
    return EXPORTS[kind]


def _document(index: Index, _division: Division | None, _after: int | None, _words: Catalogue) -> bytes:
    return document.write(index.tournament)


def _standings(index: Index, division: Division | None, after: int | None, words: Catalogue) -> bytes:
    table = standings.table(index, division or index.division(None), after)
    return table_csv.write(table, heading=words.heading, word=words.code)


def _rated(index: Index, division: Division | None, after: int | None, _words: Catalogue) -> bytes:
    return table_csv.write(ratings.games(index, division or index.division(None), after))


def _rated_json(index: Index, division: Division | None, after: int | None, _words: Catalogue) -> bytes:
    return rated_json.write(index, division or index.division(None), after)


def _players(index: Index, division: Division | None, _after: int | None, _words: Catalogue) -> bytes:
    return player_lists.write(of_players(index, (division or index.division(None)).id))


def _tsh(index: Index, division: Division | None, _after: int | None, _words: Catalogue) -> bytes:
    return tsh.write(of_division(index, division or index.division(None)))


def _tsh_lacks(index: Index, division: Division) -> Iterator[Lack]:
    """Yield games that points alone do not decide, and fines: tsh reckons with the points of games only."""
    games = []
    for item in index.published(division.id):
        for game in index.games(item.id):
            result = index.result(game.id)
            if result is not None and result.lost is not None and _by_points(result) is not result.lost:
                games.append(f"{item.number}/{game.table}")
    if games:
        yield Lack("tsh-lost-whatever-points", MappingProxyType({"games": ", ".join(games)}))
    fined = [index.tournament.players[player].name for player in fines(index, division)]
    if fined:
        yield Lack("tsh-without-fines", MappingProxyType({"players": "; ".join(fined)}))


def _by_points(result: Result) -> Forfeit | None:
    """Return who has lost by the points, None of a tie."""
    first, second = result.first or 0, result.second or 0
    if first == second:
        return None
    return Forfeit.FIRST if first < second else Forfeit.SECOND


EXPORTS: Mapping[str, Export] = MappingProxyType(
    {
        "json": Export(N_("Tournament as JSON"), "json", _document, division=False),
        "csv": Export(N_("Standings as CSV"), "csv", _standings),
        "players": Export(N_("Players as CSV"), "csv", _players),
        "rated": Export(N_("Rated games as CSV"), "csv", _rated),
        "rated-json": Export(N_("Rated games as JSON"), "json", _rated_json),
        "t": Export(N_("Division for tsh"), "t", _tsh, lacks=_tsh_lacks),
    }
)
