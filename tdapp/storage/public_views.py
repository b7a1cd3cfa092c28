"""SQL views of the public data, for displays.

They are the SQL form of `domain.publishing.make_public_view`. They have the names of the tables, so that a display
loads a tournament like every other station. The journal is empty. A test compares both forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    FromClause,
    Text,
    and_,
    case,
    cast,
    column,
    false,
    func,
    literal,
    literal_column,
    null,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import JSONB, aggregate_order_by
from sqlalchemy.schema import CreateView

from tdapp.domain.player_fields import EMPTY, PLAYER_FIELDS, Audience, PlayerFieldInfo
from tdapp.domain.publishing import KEPT_BACK
from tdapp.storage.station_functions import PUBLIC_SCHEMA, SERVER_TABLES, run_script

_DIVISIONS, _EVENTS, _PLAYERS = SERVER_TABLES["divisions"], SERVER_TABLES["events"], SERVER_TABLES["players"]
_STAGES, _ROUNDS, _GAMES = SERVER_TABLES["stages"], SERVER_TABLES["rounds"], SERVER_TABLES["games"]
_BYES, _RESULTS, _SANCTIONS = SERVER_TABLES["byes"], SERVER_TABLES["results"], SERVER_TABLES["sanctions"]
_EMPTY, _NULL, _NO = literal(""), cast(null(), Text), cast(0, BigInteger)
_SPACES = " \t\r\n\u00a0"


def _make_records() -> ColumnElement[str]:
    """Return the list of records without names."""
    lines = func.jsonb_array_elements(cast(_EVENTS.c.records, JSONB))
    listed = lines.table_valued(column("one", JSONB), with_ordinality="place", name="listed").render_derived()
    nameless = listed.c.one.op("||")(literal_column("""'{"name": ""}'::jsonb"""))
    found = func.jsonb_agg(aggregate_order_by(nameless, listed.c.place))
    return select(func.coalesce(cast(found, Text), "[]")).scalar_subquery()


def _make_name() -> ColumnElement[str]:
    """Return the public name of a player. The number tells players with the same public name apart."""
    own, number, trimmed = _PLAYERS.c.name, _PLAYERS.c.number, func.btrim(_PLAYERS.c.name, _SPACES)
    comma = func.strpos(own, ",")
    without_last = func.regexp_replace(func.regexp_replace(trimmed, r"\s*\S*$", ""), r"\s+", " ", "g")
    first = case((comma > 0, func.btrim(func.substr(own, comma + 1))), else_=without_last)
    last = case((comma > 0, func.btrim(func.left(own, comma - 1))), else_=func.substring(trimmed, r"\S*$"))
    count = select(func.count()).select_from(_DIVISIONS.alias()).scalar_subquery()
    code = case((count > 1, _DIVISIONS.c.code), else_="")
    shown = case(
        (_PLAYERS.c.shown_as != "", _PLAYERS.c.shown_as),
        (_EVENTS.c.names_shown == "full", own),
        (
            _EVENTS.c.names_shown == "number",
            func.concat("#", code, number),
        ),
        (and_(first != "", last != ""), func.concat(first, " ", func.left(last, 1), ".")),
        else_=own,
    )
    namesakes = func.count().over(partition_by=[_PLAYERS.c.division, shown])
    return case((and_(namesakes > 1, shown != own), func.concat(shown, " (", number, ")")), else_=shown)


def _hide_field(field: PlayerFieldInfo) -> ColumnElement[Any]:
    empty = EMPTY[field.name]
    nothing = null() if empty is None else _EMPTY if empty == "" else _NO
    if field.audience is Audience.DETAILS:
        return case((_EVENTS.c.details_shown == 1, _PLAYERS.c[field.name]), else_=nothing)
    return nothing


# Replacements of columns.
_CELLS: Mapping[str, Mapping[str, ColumnElement[Any]]] = MappingProxyType(
    {
        "events": {"slip_key": _EMPTY, "names_shown": literal("full"), "records": _make_records()},
        "players": {
            "name": _make_name(),
            **{
                one.name: _hide_field(one) for one in PLAYER_FIELDS.values() if one.audience is not Audience.PUBLIC
            },
        },
        "games": {"reason": _NULL},
        "byes": {"reason": _NULL},
        "results": {"disputed": _NULL},
        "sanctions": {"why": _EMPTY, "author": _EMPTY},
        "meta": dict.fromkeys(("state", "goes_on_at", "goes_on_since"), _EMPTY),
    }
)

_PUBLISHED, _HELD_AFTER = _ROUNDS.c.state == "published", _DIVISIONS.c.held_after
_PLAYED = _GAMES.join(_ROUNDS, _ROUNDS.c.id == _GAMES.c.round)
_RESULTS_FROM = (
    _PLAYED.join(_RESULTS, _RESULTS.c.id == _GAMES.c.id)
    .join(_STAGES, _STAGES.c.id == _ROUNDS.c.stage)
    .join(_DIVISIONS, _DIVISIONS.c.id == _STAGES.c.division)
)
_PLAYERS_FROM = _PLAYERS.join(_DIVISIONS, _DIVISIONS.c.id == _PLAYERS.c.division)
_SANCTIONS_FROM = _PLAYERS_FROM.join(_SANCTIONS, _SANCTIONS.c.player == _PLAYERS.c.id)

# The public rows of a table: its joins and a condition.
_ROWS: Mapping[str, tuple[FromClause, ColumnElement[bool]]] = MappingProxyType(
    {
        "rounds": (_ROUNDS, _PUBLISHED),
        "games": (_PLAYED, _PUBLISHED),
        "byes": (_BYES.join(_ROUNDS, _ROUNDS.c.id == _BYES.c.round), _PUBLISHED),
        "results": (_RESULTS_FROM, and_(_PUBLISHED, or_(_HELD_AFTER.is_(None), _ROUNDS.c.number <= _HELD_AFTER))),
        "sanctions": (
            _SANCTIONS_FROM,
            or_(_HELD_AFTER.is_(None), _SANCTIONS.c.round.is_(None), _SANCTIONS.c.round <= _HELD_AFTER),
        ),
        "players": (_PLAYERS_FROM.join(_EVENTS, true()), true()),
        **{name: (SERVER_TABLES[name], false()) for name in (*KEPT_BACK, "journal")},
    }
)


def make_views(connection: Connection) -> None:
    """Create the views of all tables but the secrets."""
    for name, table in SERVER_TABLES.items():
        if name != "secrets":
            chosen = _CELLS.get(name, {})
            cells = [chosen.get(item.name, item).label(item.name) for item in table.columns]
            source, shown = _ROWS.get(name, (table, true()))
            view = select(*cells).select_from(source).where(shown)
            connection.execute(CreateView(view, name, schema=PUBLIC_SCHEMA))
    run_script(connection, "public_views.sql")
