"""Export formats of a tournament, by id."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.entries import DivisionEntry, EventEntry, export_division, list_player_entries
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, GameId, GameSide, Player, Result, StartDecision
from tdapp.domain.player_fields import LIST_FIELDS
from tdapp.domain.publishing import make_public_view
from tdapp.domain.records import compute_fines
from tdapp.domain.standings import compute_standings, find_tiebreak_order
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tables import standings
from tdapp.domain.tables.featured_view import FeaturedGame
from tdapp.domain.translatable import C_, N_
from tdapp.exchange import (
    icalendar,
    plain_text,
    player_lists,
    tou,
    tournament_json,
    tourney_js,
    trf,
    tsh,
    tsh_folder,
    workbook,
)
from tdapp.exchange.cells import encode_table_as_csv
from tdapp.exchange.text import STANDARD_STREAM, write_file
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.round_times import find_first_date, list_round_times

_MISSING_CODE = "export-without"
_MOST_NAMES = 10  # in a sentence


class UnsupportedData(Struct, frozen=True):
    """One kind of data that a file or a tournament cannot hold."""

    code: str  # code of its sentence
    facts: Mapping[str, object]  # values in the sentence


class DataKind(StrEnum):
    """Kinds of data in a division that some export formats cannot hold."""

    ORDER = "order"
    SPREAD_CAPS = "spread_caps"
    ABSENCES = "absences"
    TABLES = "tables"
    FORFEITS = "forfeits"  # a forfeited game is written as a bye and a forfeit
    KNOCKOUT = "knockout"  # the bracket and its final ranks
    SHEETS = "sheets"
    SANCTIONS = "sanctions"
    CONSTRAINTS = "constraints"
    LOGS = "logs"  # incidents and challenges
    PRIZES = "prizes"
    TIMES = "times"
    DRAFT = "draft"
    ACCESS = "access"  # players with an accessible table
    SHOWN_AS = "shown_as"  # public names


_ExportedField: Any = StrEnum("ExportedField", [(item.name, item.name) for item in LIST_FIELDS])  # type: ignore[misc]
PLAYER_DATA: tuple[StrEnum, ...] = tuple(_ExportedField)
_COMPARED_DIVISION_DATA = (DataKind.SPREAD_CAPS, DataKind.ABSENCES)


def find_lost_data(entry: DivisionEntry, reread_entry: DivisionEntry) -> Iterator[UnsupportedData]:
    """Yield the data that a division loses in an export. `reread_entry` is the division read back from the export.

    Players are compared by position.
    """
    players = list(zip(entry.players, reread_entry.players, strict=False))
    lost_data = [field for field in PLAYER_DATA if any(getattr(a, field) != getattr(b, field) for a, b in players)]
    lost_data += [
        field for field in _COMPARED_DIVISION_DATA if getattr(entry, field) != getattr(reread_entry, field)
    ]
    lost_data += [DataKind.ORDER] if entry.order not in {(), reread_entry.order or reread_entry.usual} else []
    lost_data += (
        [DataKind.TABLES] if _collect_table_assignments(entry) != _collect_table_assignments(reread_entry) else []
    )
    if lost_data:
        yield UnsupportedData(_MISSING_CODE, {"what": tuple(lost_data)})
    names = [a.name for a, b in players if a.name != b.name]
    if names:
        yield UnsupportedData("export-names-differ", {"players": _shorten_name_list(names)})
    numbers = [f"{a.number} {a.name}" for a, b in players if a.number != b.number]
    if numbers:
        yield UnsupportedData("export-renumbered", {"players": _shorten_name_list(numbers)})
    rounds = sorted(_collect_game_and_bye_descriptions(entry) ^ _collect_game_and_bye_descriptions(reread_entry))
    if rounds:
        round_numbers = dict.fromkeys(number for number, _ in rounds)
        yield UnsupportedData("export-rounds-differ", {"rounds": ", ".join(map(str, round_numbers))})


def _collect_table_assignments(entry: DivisionEntry) -> set[tuple[int, int, int | None]]:
    positions = {player.number: position for position, player in enumerate(entry.players, 1)}
    return {
        (item.number, min(positions[game.first], positions[game.second]), game.table)
        for item in entry.rounds
        for game in item.games
    }


def _collect_game_and_bye_descriptions(entry: DivisionEntry) -> set[tuple[int, str]]:
    positions = {player.number: position for position, player in enumerate(entry.players, 1)}
    pairings = set()
    for item in entry.rounds:
        for game in item.games:
            first_started = (game.start is not StartDecision.DRAW) and positions[game.first]
            pair = sorted([positions[game.first], positions[game.second]])
            scores = game.scores if pair[0] == positions[game.first] or not game.scores else game.scores[::-1]
            pairings.add((item.number, f"game {pair} {scores} {first_started} {game.forfeit}"))
        for bye in item.byes:
            pairings.add((item.number, f"bye {positions[bye.player]} {bye.kind} {bye.spread}"))
    return pairings


_RATED_FIELDS = [item.name for item in LIST_FIELDS if item.is_in_rating_lists]
_RATED_PLAYER = tuple(dict.fromkeys(("number", "name", "member", "rating", "rated_games", *_RATED_FIELDS)))


def encode_rated_games_as_json(index: TournamentIndex, division: Division, after_round: int | None) -> bytes:
    """Return the rated games up to round `after_round` (None: all rounds) as JSON.

    The key `starts` is 1 if the first player started, null if unknown.
    """
    event = index.tournament.event
    rows = standings.make_rated_game_table(index, division, after_round).rows
    players_by_id = {player.id: player for row in rows for player in (row.first, row.second)}
    players = sorted(players_by_id.values(), key=lambda player: player.number)
    document: dict[str, Any] = {
        "event": event.name,
        "place": event.place,
        "date": event.date,
        "division": division.code,
        "players": [{name: getattr(player, name) for name in _RATED_PLAYER} for player in players],
        "games": [
            {
                "round": row.round,
                "table": row.table,
                "first": row.first.number,
                "second": row.second.number,
                "score1": row.first_score,
                "score2": row.second_score,
                "starts": row.starts,
                "winner": row.winner,
            }
            for row in rows
        ],
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


Content = bytes | Mapping[str, bytes]  # bytes of a file, or files of a folder by name


class ExportFormat(Struct, frozen=True):
    """A file format to which a division or a tournament can be exported."""

    name: str
    suffix: str  # file extension; "" for a folder
    write: Callable[[TournamentIndex, Sequence[Division], int | None, Catalogue], Content]
    scope: Literal["division", "all", "either"] = "division"
    # yields the data that the format cannot hold
    find_lost_data: Callable[[TournamentIndex, Sequence[Division]], Iterator[UnsupportedData]] = lambda *_: iter(
        ()
    )
    reimported_data: frozenset[StrEnum] = frozenset()  # data that an import can read back


def make_export_content(
    format_id: str, index: TournamentIndex, code: str | None, after_round: int | None, catalogue: Catalogue
) -> Content:
    """Export the division with this `code` (None: the whole tournament).

    The standings are those after round `after_round` (None: the last).
    """
    export = _find_export(format_id)
    divisions = _select_divisions(export, index, code)
    if after_round and not _is_whole_tournament_export(export, code):
        index.get_round(divisions[0].id, after_round)
    return export.write(index, divisions, after_round, catalogue)


def list_unsupported_data(format_id: str, index: TournamentIndex, code: str | None) -> tuple[UnsupportedData, ...]:
    """Return the data that an export of the division `code` (None: of the whole tournament) would lose."""
    export = _find_export(format_id)
    divisions = _select_divisions(export, index, code)
    groups = () if format_id in _WITH_GROUPS else _find_unsupported_group_tables(index, divisions)
    return _merge_unsupported_data_items((*groups, *export.find_lost_data(index, divisions)))


def _merge_unsupported_data_items(items: Sequence[UnsupportedData]) -> tuple[UnsupportedData, ...]:
    missing = [item for item in items if item.code == _MISSING_CODE]
    parts = dict.fromkeys(chain.from_iterable(cast("tuple[StrEnum, ...]", item.facts["what"]) for item in missing))
    merged = UnsupportedData(_MISSING_CODE, {"what": tuple(parts)})
    return tuple(merged if item in missing else item for item in items if item not in missing[1:])


def _shorten_name_list(names: Sequence[str]) -> str:
    omitted_count = len(names) - _MOST_NAMES
    return "; ".join((*names[:_MOST_NAMES], *([f"+{omitted_count}"] if omitted_count > 0 else [])))


def _find_unsupported_group_tables(
    index: TournamentIndex, divisions: Sequence[Division]
) -> Iterator[UnsupportedData]:
    rounds = [item for division in divisions for item in index.list_published_rounds(division.id)]
    tables = [f"{item.number}/{seats[0].table}" for item in rounds for seats in index.list_seats_by_table(item.id)]
    if tables:
        yield UnsupportedData("export-without-groups", {"tables": ", ".join(tables)})


def save_export(path: Path, content: Content) -> None:
    if isinstance(content, bytes):
        write_file(path, content)
        return
    if path == STANDARD_STREAM:
        raise InputError("folder-not-standard")
    for name, part in content.items():
        write_file(path / name, part)


def make_index_of_public_view(index: TournamentIndex) -> TournamentIndex:
    """Return the index of the tournament with public names and without personal data."""
    return TournamentIndex(make_public_view(index.tournament))


def _select_divisions(export: ExportFormat, index: TournamentIndex, code: str | None) -> Sequence[Division]:
    return index.divisions if _is_whole_tournament_export(export, code) else (index.get_division(code),)


def _is_whole_tournament_export(export: ExportFormat, code: str | None) -> bool:
    return export.scope == "all" or (export.scope == "either" and code is None)


def _find_export(format_id: str) -> ExportFormat:
    if format_id not in EXPORTS:
        raise CommandError("format-unknown", format=format_id, known=", ".join(EXPORTS))
    return EXPORTS[format_id]


def _encode_division_standings_csv(
    index: TournamentIndex, divisions: Sequence[Division], after_round: int | None, catalogue: Catalogue
) -> bytes:
    table = standings.make_standings_table(index, divisions[0], after_round)
    return encode_table_as_csv(
        table, heading=catalogue.heading, name_code=catalogue.translate_code, decimal=catalogue.decimal_mark
    )


def _make_division_entry(
    index: TournamentIndex, division: Division, *, keep_forfeits: bool = False, byes_by_outcome: bool = True
) -> DivisionEntry:
    entry = export_division(index, division, keep_forfeits=keep_forfeits, byes_by_outcome=byes_by_outcome)
    return replace(entry, order=find_tiebreak_order(index, division))


def _encode_divisions_as_tou(
    index: TournamentIndex, divisions: Sequence[Division], _after: int | None, _catalogue: Catalogue
) -> bytes:
    event = _make_event_with_date_or_refuse(index, divisions)
    return tou.encode_tou(*event.divisions, event=event.name, date=event.date)


def _encode_divisions_as_wespa_tou(
    index: TournamentIndex, divisions: Sequence[Division], _after: int | None, _catalogue: Catalogue
) -> bytes:
    event = _make_event_with_date_or_refuse(index, divisions)
    return tou.encode_tou(
        *map(_put_first_names_first_in_division, event.divisions), event=event.name, date=event.date
    )


def _make_event_with_date_or_refuse(index: TournamentIndex, divisions: Sequence[Division]) -> EventEntry:
    event = _make_event_entry(index, divisions)
    day = find_first_date(event.date)
    if day is None:
        raise CommandError("tou-unclear-date" if event.date else "tou-no-date", date=event.date)
    return replace(event, date=day.isoformat())


def _put_first_names_first_in_division(entry: DivisionEntry) -> DivisionEntry:
    players = (
        replace(player, name=" ".join(part.strip() for part in reversed(player.name.split(",", 1))))
        for player in entry.players
    )
    return replace(entry, players=tuple(players))


def _encode_tsh_folder(
    index: TournamentIndex, divisions: Sequence[Division], _after: int | None, _catalogue: Catalogue
) -> Content:
    return tsh_folder.encode_tsh_folder(_make_event_entry(index, divisions))


def _encode_division_as_trf(version: Literal[16, 26], index: TournamentIndex, division: Division) -> bytes:
    entry = _make_division_entry(index, division, keep_forfeits=True)
    event = replace(_make_event_entry(index, (division,)), divisions=(entry,))
    day = find_first_date(event.date)
    event = replace(event, date=day.isoformat() if day else "")
    ranks = {row.player.number: row.rank for row in compute_standings(index, division) if not row.disqualified}
    return trf.encode_trf(event, ranks, version)


def encode_tourney_js(
    index: TournamentIndex, divisions: Sequence[Division], featured: tuple[GameId, FeaturedGame] | None = None
) -> bytes:
    if featured is None:
        return tourney_js.encode_tourney_js(_make_event_entry(index, divisions))
    game, featured_game = featured
    item = index.tournament.rounds[index.tournament.games[game].round]
    featured_json = tourney_js.make_featured_game_json(
        featured_game, index.get_division_of_round(item.id).code, item.number
    )
    return tourney_js.encode_tourney_js(_make_event_entry(index, divisions), featured_json)


def _make_event_entry(index: TournamentIndex, divisions: Sequence[Division]) -> EventEntry:
    event, rules = index.tournament.event, index.tournament.get_ruleset_of_row(next(iter(divisions), None))
    entries = (
        replace(_make_division_entry(index, item), name=item.name, rating=item.rating)
        for item in divisions
        if index.players(item.id)
    )
    rounds = max((index.count_planned_rounds(item.id) for item in divisions), default=0)
    return EventEntry(tuple(entries), event.name, event.date, rounds, rules.byes.bye.spread, event.place)


def _make_text_encoder(
    make: Callable[..., str], *, short: bool
) -> Callable[[TournamentIndex, Sequence[Division], int | None, Catalogue], bytes]:
    def write_first_division(
        index: TournamentIndex, divisions: Sequence[Division], after_round: int | None, catalogue: Catalogue
    ) -> bytes:
        return make(index, divisions[0], after_round, catalogue, short=short).encode()

    return write_first_division


# --- data that a file cannot hold ---


def _make_lost_data_finder(
    reread_division: Callable[[TournamentIndex, Division], DivisionEntry],
    *,
    make_entry: Callable[[TournamentIndex, Division], DivisionEntry] | None = None,
    requires_latin: bool = False,
    holds_forfeits: bool = False,
) -> Callable[[TournamentIndex, Sequence[Division]], Iterator[UnsupportedData]]:
    """Return a function that yields the data that an export loses.

    `make_entry` returns a division before its export, `reread_division` after export and import. `requires_latin`:
    the format has only Latin-1 names. `holds_forfeits`: the format stores forfeits, but not their causes.
    """

    def find_lost_data_of_divisions(
        index: TournamentIndex, divisions: Sequence[Division]
    ) -> Iterator[UnsupportedData]:
        for item in divisions:
            entry = (
                make_entry(index, item) if make_entry else _make_division_entry(index, item, byes_by_outcome=False)
            )
            if entry.players:
                yield from find_lost_data(entry, reread_division(index, item))
                yield from _find_non_latin_names(entry) if requires_latin else ()
            yield from _find_unsupported_rulings_and_fines(index, item)
            yield from _find_unsupported_data(index, item, holds_forfeits=holds_forfeits)

    return find_lost_data_of_divisions


def _encode_and_reread_tsh(index: TournamentIndex, division: Division) -> DivisionEntry:
    return tsh.read_division(tsh.encode_tsh_division(_make_division_entry(index, division)))


def _encode_and_reread_tou(index: TournamentIndex, division: Division) -> DivisionEntry:
    return tou.read_tou(tou.encode_tou(_make_division_entry(index, division))).divisions[0]


def _make_division_with_first_names_first(index: TournamentIndex, division: Division) -> DivisionEntry:
    return _put_first_names_first_in_division(_make_division_entry(index, division))


def _encode_and_reread_wespa_tou(index: TournamentIndex, division: Division) -> DivisionEntry:
    return tou.read_tou(tou.encode_tou(_make_division_with_first_names_first(index, division))).divisions[0]


def _make_lost_trf_data_finder(
    version: Literal[16, 26],
) -> Callable[[TournamentIndex, Sequence[Division]], Iterator[UnsupportedData]]:
    def find_data_lost_in_trf(index: TournamentIndex, divisions: Sequence[Division]) -> Iterator[UnsupportedData]:
        yield from _make_lost_data_finder(
            lambda index, item: trf.read_trf(_encode_division_as_trf(version, index, item)).divisions[0],
            make_entry=partial(_make_division_entry, keep_forfeits=True, byes_by_outcome=False),
            holds_forfeits=True,
        )(index, divisions)
        if any(game.scores for item in _make_division_entry(index, divisions[0]).rounds for game in item.games):
            yield UnsupportedData("trf-points-aside", {})
        if (date_text := index.tournament.event.date) and find_first_date(date_text) is None:
            yield UnsupportedData("unclear-date", {"date": date_text})

    return find_data_lost_in_trf


def _find_data_lost_for_naspa(index: TournamentIndex, divisions: Sequence[Division]) -> Iterator[UnsupportedData]:
    players = [player for item in divisions for player in index.players(item.id)]
    if unnumbered_names := [player.name for player in players if not player.naspa]:
        yield UnsupportedData("naspa-without-number", {"players": _shorten_name_list(unnumbered_names)})
    if changed_names := [
        player.name for player in players if plain_text.convert_to_ascii(player.name) != player.name
    ]:
        yield UnsupportedData("export-names-differ", {"players": _shorten_name_list(changed_names)})
    for item in divisions:
        yield from _find_unsupported_rulings_and_fines(index, item)


def _find_divisions_without_times(
    index: TournamentIndex, divisions: Sequence[Division]
) -> Iterator[UnsupportedData]:
    codes = [item.code for item in divisions if not list_round_times(index, item)]
    if codes:
        yield UnsupportedData("calendar-without", {"divisions": ", ".join(codes)})


def _find_non_latin_names(entry: DivisionEntry) -> Iterator[UnsupportedData]:
    names = [
        player.name
        for player in entry.players
        if player.name.encode("latin-1", "replace").decode("latin-1") != player.name
    ]
    if names:
        yield UnsupportedData("tsh-not-latin", {"players": _shorten_name_list(names)})


def _find_lost_player_data(index: TournamentIndex, divisions: Sequence[Division]) -> Iterator[UnsupportedData]:
    if lost_data := _list_lost_player_data_kinds(index.players(divisions[0].id)):
        yield UnsupportedData(_MISSING_CODE, {"what": lost_data})


def _list_lost_player_data_kinds(players: Sequence[Player]) -> tuple[DataKind, ...]:
    has_access_needs = any(player.needs_access for player in players)
    has_public_names = any(player.shown_as for player in players)
    return (*((DataKind.ACCESS,) if has_access_needs else ()), *((DataKind.SHOWN_AS,) if has_public_names else ()))


def _find_unsupported_data(
    index: TournamentIndex, division: Division, *, holds_forfeits: bool
) -> Iterator[UnsupportedData]:
    """Yield data that the format cannot hold. `holds_forfeits`: the format has forfeits, but not their causes."""
    value, rounds = index.tournament, index.rounds(division.id)
    games = {game.id for item in rounds for game in index.games(item.id)}
    players = {player.id for player in index.players(division.id)}
    presence_by_kind = {
        DataKind.FORFEITS: any(
            row.forfeit and (row.cause or not holds_forfeits) for row in value.results.values() if row.id in games
        ),
        DataKind.KNOCKOUT: any(get_pairing_system(stage).is_knockout for stage in index.stages(division.id)),
        DataKind.SHEETS: any(row.game in games for row in value.sheets.values()),
        DataKind.SANCTIONS: any(row.player in players for row in value.sanctions.values()),
        DataKind.CONSTRAINTS: any(row.player in players for row in value.constraints.values()),
        DataKind.LOGS: bool(index.incidents(division.id) or index.challenges(division.id)),
        DataKind.PRIZES: bool(index.prizes(division.id)),
        DataKind.TIMES: bool(division.times),
        DataKind.DRAFT: len(rounds) > index.get_last_published_round_number(division.id),
    }
    kinds = (kind for kind, is_present in presence_by_kind.items() if is_present)
    lost_data = (*kinds, *_list_lost_player_data_kinds(index.players(division.id)))
    if lost_data:
        yield UnsupportedData(_MISSING_CODE, {"what": lost_data})


def _find_unsupported_rulings_and_fines(index: TournamentIndex, division: Division) -> Iterator[UnsupportedData]:
    games = []
    for item in index.list_published_rounds(division.id):
        for game in index.games(item.id):
            result = index.get_result(game.id)
            if (
                result is not None
                and result.lost is not None
                and _find_side_with_fewer_points(result) is not result.lost
            ):
                games.append(f"{item.number}/{game.table}")
    if games:
        yield UnsupportedData("tsh-lost-whatever-points", {"games": ", ".join(games)})
    fined_names = [index.tournament.players[player].name for player in compute_fines(index, division)]
    if fined_names:
        yield UnsupportedData("tsh-without-fines", {"players": _shorten_name_list(fined_names)})


def _find_side_with_fewer_points(result: Result) -> GameSide | None:
    first, second = result.first or 0, result.second or 0
    if first == second:
        return None
    return GameSide.FIRST if first < second else GameSide.SECOND


_WITH_GROUPS = frozenset({"json", "xlsx", "csv", "players", "txt", "txt-short", "round-txt", "round-short", "ics"})
_ALL_PLAYER_DATA = frozenset(PLAYER_DATA)
_DIVISION_DATA = _ALL_PLAYER_DATA | {DataKind.ORDER, DataKind.SPREAD_CAPS, DataKind.ABSENCES, DataKind.TABLES}


def _make_trf_export_format(name: str, version: Literal[16, 26]) -> ExportFormat:
    return ExportFormat(
        name,
        "trf",
        lambda index, divisions, *_: _encode_division_as_trf(version, index, divisions[0]),
        find_lost_data=_make_lost_trf_data_finder(version),
        reimported_data=_DIVISION_DATA | {DataKind.FORFEITS},
    )


# `publishing` writes the web pages, because they need the resources of the program.
EXPORTS: Mapping[str, ExportFormat] = {
    "json": ExportFormat(
        N_("Tournament as JSON"),
        "json",
        lambda index, *_: tournament_json.encode_tournament(index.tournament),
        "all",
        reimported_data=_ALL_PLAYER_DATA | frozenset(DataKind),
    ),
    "xlsx": ExportFormat(N_("Workbook for Excel"), "xlsx", workbook.encode_workbook, "either"),
    "csv": ExportFormat(N_("Standings as CSV"), "csv", _encode_division_standings_csv),
    "players": ExportFormat(
        N_("Players as CSV"),
        "csv",
        lambda index, divisions, *_: player_lists.encode_players_csv(list_player_entries(index, divisions[0].id)),
        find_lost_data=_find_lost_player_data,
        reimported_data=_ALL_PLAYER_DATA,
    ),
    "rated": ExportFormat(
        N_("Rated games as CSV"),
        "csv",
        lambda index, divisions, after, _: encode_table_as_csv(
            standings.make_rated_game_table(index, divisions[0], after)
        ),
    ),
    "rated-json": ExportFormat(
        N_("Rated games as JSON"),
        "json",
        lambda index, divisions, after, _: encode_rated_games_as_json(index, divisions[0], after),
    ),
    "txt": ExportFormat(
        N_("Standings as text"), "txt", _make_text_encoder(plain_text.format_standings_as_text, short=False)
    ),
    "txt-short": ExportFormat(
        N_("Standings as short text"), "txt", _make_text_encoder(plain_text.format_standings_as_text, short=True)
    ),
    "round-txt": ExportFormat(
        N_("Results of a round as text"),
        "txt",
        _make_text_encoder(plain_text.format_round_results_as_text, short=False),
    ),
    "round-short": ExportFormat(
        N_("Results of a round as short text"),
        "txt",
        _make_text_encoder(plain_text.format_round_results_as_text, short=True),
    ),
    "t": ExportFormat(
        C_("export", "Division for tsh"),
        "t",
        lambda index, divisions, *_: tsh.encode_tsh_division(_make_division_entry(index, divisions[0])),
        find_lost_data=_make_lost_data_finder(_encode_and_reread_tsh, requires_latin=True),
        reimported_data=_DIVISION_DATA,
    ),
    "tsh": ExportFormat(
        C_("export", "Folder for tsh"),
        "",
        _encode_tsh_folder,
        "either",
        find_lost_data=_make_lost_data_finder(_encode_and_reread_tsh, requires_latin=True),
        reimported_data=_DIVISION_DATA,
    ),
    "tourney": ExportFormat(
        N_("Feed for broadcasters (tourney.js)"),
        "js",
        lambda index, divisions, *_: encode_tourney_js(index, divisions),
        "either",
        find_lost_data=_make_lost_data_finder(
            lambda index, item: tourney_js.read_tourney_js(encode_tourney_js(index, (item,))).divisions[0]
        ),
        reimported_data=_ALL_PLAYER_DATA | {DataKind.SPREAD_CAPS, DataKind.TABLES},
    ),
    "tou": ExportFormat(
        C_("export", "Division for AUPAIR"),
        "tou",
        _encode_divisions_as_tou,
        find_lost_data=_make_lost_data_finder(_encode_and_reread_tou),
    ),
    "trf": _make_trf_export_format(C_("export", "Chess report (TRF26)"), 26),
    "trf16": _make_trf_export_format(C_("export", "Chess report (TRF16)"), 16),
    "wespa": ExportFormat(
        N_("Rating report for WESPA or ABSP (AUPAIR)"),
        "tou",
        _encode_divisions_as_wespa_tou,
        "either",
        find_lost_data=_make_lost_data_finder(
            _encode_and_reread_wespa_tou, make_entry=_make_division_with_first_names_first
        ),
    ),
    "naspa": ExportFormat(
        N_("Rating report for NASPA"),
        "txt",
        lambda index, divisions, *_: plain_text.encode_naspa_report(_make_event_entry(index, divisions)),
        "either",
        find_lost_data=_find_data_lost_for_naspa,
    ),
    "ics": ExportFormat(
        C_("export", "Calendar of the rounds"),
        "ics",
        lambda index, divisions, _, catalogue: icalendar.encode_calendar(index, divisions, catalogue),
        "either",
        find_lost_data=_find_divisions_without_times,
    ),
}
