"""The verbs that bring files in and out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial

from tdapp.cli.house import House
from tdapp.cli.output import show_json, step_json
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import DivisionId
from tdapp.domain.tournament import Tournament
from tdapp.exchange import document, outgoing, player_lists, results_csv, tsh
from tdapp.exchange.detect import Format, detect
from tdapp.exchange.files import read_file, write_file
from tdapp.storage import Store


def bring(house: House, options: Namespace) -> None:
    """Import players, results, a division or a whole tournament; the format is told by the content."""
    data = read_file(options.source)
    name = options.source.name
    kind = detect(data, name)
    if kind is Format.DOCUMENT and not Store.is_there(options.file):
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


def results(house: House, options: Namespace) -> object:
    """Enter many results, all or none."""
    data = read_file(options.source)
    with house.desk(options.file) as desk:
        _bring_results(desk, data, options.source.name, options.division)
        return step_json(desk, house.catalogue)


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
    entries = player_lists.read(data, source).accepted()
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


def take(house: House, options: Namespace) -> object:
    """Export the tournament or a division; the format follows the target's name unless it is given."""
    kind = options.format or options.target.suffix.lstrip(".")
    with house.desk(options.file, read_only=True) as desk:
        content = outgoing.write(kind, desk.index, options.division, options.round, house.catalogue)
        lacking = outgoing.lacking(kind, desk.index, options.division)
    write_file(options.target, content)
    warnings = [house.catalogue.problem(item.code, item.facts) for item in lacking]
    if not options.json:
        for warning in warnings:
            print(warning)
    return {"file": str(options.target), "format": kind, "warnings": warnings}
