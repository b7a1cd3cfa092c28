"""What can be taken out of a tournament as a file, by id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tdapp.domain.entries import of_division, of_players
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import Division
from tdapp.domain.tables import standings
from tdapp.exchange import document, players_csv, table_csv, tsh
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.mark import N_


@dataclass(frozen=True, slots=True)
class Export:
    """One kind of file: `name` is a msgid; `division` tells whether it holds one division or everything."""

    name: str
    suffix: str
    write: Callable[[Index, Division | None, int | None, Catalogue], bytes]
    division: bool = True


def write(kind: str, index: Index, code: str | None, after: int | None, words: Catalogue) -> bytes:
    """Return the tournament, or the division with `code`, as a file of `kind`, one of EXPORTS.

    `after` is the round whose standings are meant, None the last. Raises RuleViolation for an unknown kind or
    division.
    """
    if kind not in EXPORTS:
        raise RuleViolation("format-unknown", format=kind, known=", ".join(EXPORTS))
    export = EXPORTS[kind]
    return export.write(index, index.division(code) if export.division else None, after, words)


def _document(index: Index, _division: Division | None, _after: int | None, _words: Catalogue) -> bytes:
    return document.write(index.tournament)


def _standings(index: Index, division: Division | None, after: int | None, words: Catalogue) -> bytes:
    table = standings.table(index, division or index.division(None), after)
    return table_csv.write(table, heading=words.heading, word=words.code)


def _players(index: Index, division: Division | None, _after: int | None, _words: Catalogue) -> bytes:
    return players_csv.write(of_players(index, (division or index.division(None)).id))


def _tsh(index: Index, division: Division | None, _after: int | None, _words: Catalogue) -> bytes:
    return tsh.write(of_division(index, division or index.division(None)))


EXPORTS: Mapping[str, Export] = MappingProxyType(
    {
        "json": Export(N_("Tournament as JSON"), "json", _document, division=False),
        "csv": Export(N_("Standings as CSV"), "csv", _standings),
        "players": Export(N_("Players as CSV"), "csv", _players),
        "t": Export(N_("Division for tsh"), "t", _tsh),
    }
)
