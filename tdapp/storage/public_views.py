"""SQL views of the public data, for the logins of displays. They have the same names as the tables.

They do in SQL what `domain.publishing.make_public_view` does in Python; a test compares both. The journal view is
empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa
from sqlalchemy import func
from sqlalchemy.dialects.postgresql import JSONB, aggregate_order_by
from sqlalchemy.schema import CreateView

from tdapp.domain.player_fields import EMPTY, PLAYER_FIELDS, Audience, PlayerFieldInfo
from tdapp.domain.publishing import KEPT_BACK
from tdapp.storage.station_functions import PUBLIC_SCHEMA, SERVER_TABLES, read_script

_DIVISIONS, _EVENTS, _PLAYERS = SERVER_TABLES["divisions"], SERVER_TABLES["events"], SERVER_TABLES["players"]
_STAGES, _ROUNDS, _GAMES = SERVER_TABLES["stages"], SERVER_TABLES["rounds"], SERVER_TABLES["games"]
_BYES, _RESULTS, _SANCTIONS = SERVER_TABLES["byes"], SERVER_TABLES["results"], SERVER_TABLES["sanctions"]
_EMPTY, _NULL, _NO = sa.literal(""), sa.cast(sa.null(), sa.Text), sa.cast(0, sa.BigInteger)
_SPACES = " \t\r\n\u00a0"


def _make_records() -> sa.ColumnElement[str]:
    lines = func.jsonb_array_elements(sa.cast(_EVENTS.c.records, JSONB))
    listed = lines.table_valued(sa.column("one", JSONB), with_ordinality="place", name="listed").render_derived()
    nameless = listed.c.one.op("||")(sa.literal_column("""'{"name": ""}'::jsonb"""))
    found = func.jsonb_agg(aggregate_order_by(nameless, listed.c.place))
    return sa.select(func.coalesce(sa.cast(found, sa.Text), "[]")).scalar_subquery()


def _make_name() -> sa.ColumnElement[str]:
    """Return the SQL expression for the public name. Namesakes get their number."""
    own, number, trimmed = _PLAYERS.c.name, _PLAYERS.c.number, func.btrim(_PLAYERS.c.name, _SPACES)
    comma = func.strpos(own, ",")
    without_last = func.regexp_replace(func.regexp_replace(trimmed, r"\s*\S*$", ""), r"\s+", " ", "g")
    first = sa.case((comma > 0, func.btrim(func.substr(own, comma + 1))), else_=without_last)
    last = sa.case((comma > 0, func.btrim(func.left(own, comma - 1))), else_=func.substring(trimmed, r"\S*$"))
    count = sa.select(func.count()).select_from(_DIVISIONS.alias()).scalar_subquery()
    code = sa.case((count > 1, _DIVISIONS.c.code), else_="")
    shown = sa.case(
        (_PLAYERS.c.shown_as != "", _PLAYERS.c.shown_as),
        (_EVENTS.c.names_shown == "full", own),
        (
            _EVENTS.c.names_shown == "number",
            func.concat("#", code, number),
        ),
        (sa.and_(first != "", last != ""), func.concat(first, " ", func.left(last, 1), ".")),
        else_=own,
    )
    namesakes = func.count().over(partition_by=[_PLAYERS.c.division, shown])
    return sa.case((sa.and_(namesakes > 1, shown != own), func.concat(shown, " (", number, ")")), else_=shown)


def _make_hidden_field(field: PlayerFieldInfo) -> sa.ColumnElement[Any]:
    empty = EMPTY[field.name]
    nothing = sa.null() if empty is None else _EMPTY if empty == "" else _NO
    if field.audience is Audience.DETAILS:
        return sa.case((_EVENTS.c.details_shown == 1, _PLAYERS.c[field.name]), else_=nothing)
    return nothing


# Replacements of columns.
_CELLS: Mapping[str, Mapping[str, sa.ColumnElement[Any]]] = MappingProxyType(
    {
        "events": {"slip_key": _EMPTY, "names_shown": sa.literal("full"), "records": _make_records()},
        "players": {
            "name": _make_name(),
            **{
                one.name: _make_hidden_field(one)
                for one in PLAYER_FIELDS.values()
                if one.audience is not Audience.PUBLIC
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
_ROWS: Mapping[str, tuple[sa.FromClause, sa.ColumnElement[bool]]] = MappingProxyType(
    {
        "rounds": (_ROUNDS, _PUBLISHED),
        "games": (_PLAYED, _PUBLISHED),
        "byes": (_BYES.join(_ROUNDS, _ROUNDS.c.id == _BYES.c.round), _PUBLISHED),
        "results": (
            _RESULTS_FROM,
            sa.and_(_PUBLISHED, sa.or_(_HELD_AFTER.is_(None), _ROUNDS.c.number <= _HELD_AFTER)),
        ),
        "sanctions": (
            _SANCTIONS_FROM,
            sa.or_(_HELD_AFTER.is_(None), _SANCTIONS.c.round.is_(None), _SANCTIONS.c.round <= _HELD_AFTER),
        ),
        "players": (_PLAYERS_FROM.join(_EVENTS, sa.true()), sa.true()),
        **{name: (SERVER_TABLES[name], sa.false()) for name in (*KEPT_BACK, "journal")},
    }
)


def make_views(connection: sa.Connection) -> None:
    """Create a view of each table, except the table of secrets."""
    for name, table in SERVER_TABLES.items():
        if name != "secrets":
            chosen = _CELLS.get(name, {})
            cells = [chosen.get(item.name, item).label(item.name) for item in table.columns]
            source, shown = _ROWS.get(name, (table, sa.true()))
            view = sa.select(*cells).select_from(source).where(shown)
            connection.execute(CreateView(view, name, schema=PUBLIC_SCHEMA))
    connection.exec_driver_sql(read_script("public_views.sql"))
