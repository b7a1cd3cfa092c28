"""A whole tournament as one JSON document. An import restores all exported data.

    {"format": "tdapp", "version": 1,
     "events": [{"id": "...", "name": "...", ...}], "rules": [...], "divisions": [...], ...}

Each key such as "events" has a list of rows with the fields of `tdapp.domain.model`. Ids are texts. A row names
its parent by id. A result has the id of its game. Fractions are texts such as "1/2". `version` is raised when
older readers would misunderstand the document.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from msgspec.structs import replace

from tdapp.domain.errors import InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, TournamentRules
from tdapp.domain.ratings import SCORES
from tdapp.domain.serialization import InvalidDocumentError, convert_to_builtins, make_decoder
from tdapp.domain.tournament import KINDS, Row, Tournament, find_inconsistent_rows, get_row_kind
from tdapp.exchange.text import decode_text, parse_json
from tdapp.scrabble.sheet import ScoreSheetError, parse_sheet

FORMAT = "tdapp"
VERSION = 1
_MAX_BYTES = 64_000_000  # 1,000 players over 25 rounds with all reasons are a fifth of this
_MAX_PROBLEMS = 20  # maximum number of reported errors
_MAX_INTEGER = 2**53  # largest integer that every JSON reader supports


def read_tournament(data: bytes, source: str = "") -> Tournament:
    document = parse_json(decode_text(data, source, limit=_MAX_BYTES), source, parse_integer=_parse_integer)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError("document-other", source=source)
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise InputError("document-invalid", source=source, problems=(f"version: {version!r:.50}",))
    if version > VERSION:
        raise InputError("document-newer", source=source, found=version, supported=VERSION)
    problems = [f"{key:.50}: unknown" for key in document if key not in {"format", "version", *KINDS}]
    maps = {kind: _read_rows(document.get(kind, []), kind, problems) for kind in KINDS}
    _refuse_document_problems(problems, source)
    tournament = replace(Tournament(), **cast("dict[str, Any]", maps))
    _refuse_document_problems([*_find_document_problems(tournament)], source)
    return tournament


def _parse_integer(digits: str) -> int:
    if len(digits) > len(str(-_MAX_INTEGER)) or abs(int(digits)) > _MAX_INTEGER:
        raise ValueError("number too large")
    return int(digits)


def _read_rows(json_rows: object, kind: str, problems: list[str]) -> Mapping[str, Row]:
    if not isinstance(json_rows, list):
        problems.append(f"{kind}: expected a list")
        return {}
    read_row = make_decoder(KINDS[kind])
    rows: dict[str, Row] = {}
    for index, item in enumerate(json_rows):
        if len(problems) >= _MAX_PROBLEMS:
            break
        path = f"{kind}[{index}]"
        if not isinstance(item, dict):
            problems.append(f"{path}: expected a table")
            continue
        try:
            row = read_row(item)
        except InvalidDocumentError as error:
            problems += [f"{path}.{problem:.200}" for problem in error.problems]
            continue
        if row.id in rows:
            problems.append(f"{path}.id: {row.id:.50} is there already")
        rows[row.id] = row
    return rows


def _find_document_problems(tournament: Tournament) -> Iterator[str]:
    for inconsistent_row in find_inconsistent_rows(tournament):
        yield f"{inconsistent_row.kind} {inconsistent_row.id}: {inconsistent_row.code} {inconsistent_row.fact}"
    for result in tournament.results.values():
        if result.forfeit is None and (result.first is None or result.second is None):
            yield f"results {result.id}: no score"
    for item in tournament.sheets.values():
        try:
            sheet = parse_sheet(convert_to_builtins(item.sheet))
        except ScoreSheetError as error:
            yield from (f"sheets {item.id}: {problem:.200}" for problem in error.problems)
        else:
            if len(sheet.players) != 2:  # noqa: PLR2004 - of a tournament's game
                yield f"sheets {item.id}: expected 2 players"
    yield from _find_copied_event_problems(tournament)
    rows_with_rules: tuple[TournamentRules | Division, ...] = (
        *tournament.rules.values(),
        *tournament.divisions.values(),
    )
    for row in rows_with_rules:
        if row.ruleset is not None and "other" not in row.ruleset.order:
            yield f"{get_row_kind(row)} {row.id}: ruleset.order.other missing"


def _find_copied_event_problems(tournament: Tournament) -> Iterator[str]:
    index = TournamentIndex(tournament)
    for event in tournament.copied_events.values():
        numbers = {row.number for row in index.copied_results(event.id)}
        if not numbers:
            yield f"copied_events {event.id}: no result"
        for game in event.games:
            if not {game.first, game.second} <= numbers or game.worth not in SCORES:
                yield f"copied_events {event.id}: game {game.first}–{game.second} in round {game.round}"


def _refuse_document_problems(problems: list[str], source: str) -> None:
    if problems:
        raise InputError("document-invalid", source=source, problems=tuple(problems[:_MAX_PROBLEMS]))


def encode_tournament(tournament: Tournament) -> bytes:
    """Return the tournament as JSON with one row on each line.

    The secret for the players' result codes is left out, so that a copy cannot accept results from players.
    """
    tournament = tournament.put(
        replace(tournament.event, players_enter=False, players_check_in=False, slip_key="")
    )
    parts = [f'"format": "{FORMAT}"', f'"version": {VERSION}']
    for kind in KINDS:
        rows = [json.dumps(convert_to_builtins(row), ensure_ascii=False) for row in tournament.rows(kind).values()]
        parts.append(f'"{kind}": [' + "".join(f"\n  {row}," for row in rows).removesuffix(",") + "]")
    return ("{" + ",\n ".join(parts) + "}\n").encode()
