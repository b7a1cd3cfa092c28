"""The verbs that bring files in and out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial

from tdapp.cli.house import House, read_source, write_target
from tdapp.cli.output import show_json
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.entries import of_division, of_players
from tdapp.domain.errors import InputError, RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, Tournament
from tdapp.domain.tables import standings as standings_tables
from tdapp.exchange import document, players_csv, results_csv, table_csv, tsh
from tdapp.exchange.detect import Format, detect


def bring(house: House, options: Namespace) -> None:
    """Import players, results, a division or a whole tournament; the format is told by the content."""
    data = read_source(options.source)
    name = options.source.name
    kind = detect(data, name)
    if kind is Format.DOCUMENT and not options.file.exists():
        Desk.create(options.file, document.read(data, name)).close()
        return
    with house.desk(options.file) as desk:
        _READERS[kind](desk, data, name, options.division)
        if options.json:
            index = desk.index
            show_json(
                {
                    "divisions": [
                        {"division": item.code, "players": len(index.players(item.id))} for item in index.divisions
                    ]
                }
            )


def results(house: House, options: Namespace) -> None:
    """Enter many results, all or none."""
    data = read_source(options.source)
    with house.desk(options.file) as desk:
        _bring_results(desk, data, options.source.name, options.division)


def _division(desk: Desk, code: str | None) -> tuple[Callable[[Tournament], Tournament], DivisionId]:
    """Return the division to fill, and what makes it where `code` names a new one, after the first one's stage."""
    index = desk.index
    if code is None or any(item.code.casefold() == code.casefold() for item in index.divisions):
        return (lambda tournament: tournament), index.division(code).id
    division = DivisionId(desk.key())
    stages = index.stages(index.divisions[0].id) if index.divisions else ()
    system, rounds = (stages[0].system, stages[0].rounds) if stages else ("swiss", 1)

    def with_division(tournament: Tournament) -> Tournament:
        made = commands.add_division(tournament, key=division, code=code)
        return commands.add_stage(made, key=f"{division}.s", division=division, system=system, rounds=rounds)

    return with_division, division


def _code(desk: Desk, code: str | None) -> str:
    return code or desk.index.division(None).code


def _bring_players(desk: Desk, data: bytes, source: str, code: str | None) -> None:
    entries = players_csv.read(data, source).accepted()
    with_division, division = _division(desk, code)

    def command(tournament: Tournament) -> Tournament:
        return commands.import_players(with_division(tournament), key=key, division=division, entries=entries)

    key = desk.key()
    desk.do("import-players", command, division=_code(desk, code), source=source, count=len(entries))


def _bring_division(desk: Desk, data: bytes, source: str, code: str | None) -> None:
    entry = tsh.read(data, source)
    with_division, division = _division(desk, code)
    key = desk.key()

    def command(tournament: Tournament) -> Tournament:
        return commands.import_division(with_division(tournament), key=key, division=division, entry=entry)

    desk.do("import-division", command, division=_code(desk, code), source=source, count=len(entry.players))


def _bring_results(desk: Desk, data: bytes, source: str, code: str | None) -> None:
    entries = results_csv.read(data, source)
    division = desk.index.division(code)
    desk.do("enter-results", partial(commands.enter_results, division=division.id, entries=entries))


def _bring_document(desk: Desk, data: bytes, source: str, code: str | None) -> None:
    if code is not None:
        raise RuleViolation("document-has-divisions")
    imported = document.read(data, source)
    desk.do("import-tournament", partial(commands.import_tournament, imported=imported), source=source)


_READERS = {
    Format.PLAYERS: _bring_players,
    Format.TSH: _bring_division,
    Format.RESULTS: _bring_results,
    Format.DOCUMENT: _bring_document,
}


def take(house: House, options: Namespace) -> None:
    """Export the tournament or a division; the format follows the target's name unless it is given."""
    kind = options.format or options.target.suffix.lstrip(".")
    with house.desk(options.file, read_only=True) as desk:
        index = desk.index
        if kind == "json":
            content = document.write(desk.tournament)
        elif kind == "t":
            content = tsh.write(of_division(index, index.division(options.division)))
        elif kind == "players":
            content = players_csv.write(of_players(index, index.division(options.division).id))
        elif kind == "csv":
            content = _csv(house, index, options)
        else:
            raise InputError(
                "format-unknown", source=options.target.name, format=kind, known="json, t, csv, players"
            )
    write_target(options.target, content)


def _csv(house: House, index: Index, options: Namespace) -> bytes:
    table = standings_tables.table(index, index.division(options.division), options.round)
    return table_csv.write(table, heading=house.catalogue.heading, word=house.catalogue.code)
