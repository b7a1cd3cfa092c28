"""The SQL functions with which computers (stations) write to a shared tournament (`station_functions.sql`).

A station can only read the tables. It passes a journal line to the function `write_step`, which belongs to the
tables' owner.

Schemas: `tdapp` contains the tables. Only the owner can use `tdapp_owner`. `tdapp_public` contains the views of
public data for displays.

A shape describes the JSON form of a type. It maps each allowed kind of JSON value to a rule. None allows any
value. Other rules:
* for `string`: the allowed strings
* for `number`: the lowest and highest number
* for `array`: the shape of each item
* for `object`: the name and shape of each field
* for `array` or `object`: `{"each": shape}` if all items have the same shape
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa
from sqlalchemy import func
from sqlalchemy.dialects.postgresql import JSONB, aggregate_order_by, array, dialect
from sqlalchemy.schema import CreateSchema, CreateView

from tdapp.domain.commands import COMMANDS
from tdapp.domain.commands.rule import LEAST_POINTS, MOST_POINTS
from tdapp.domain.player_fields import EMPTY_VALUES, PLAYER_FIELDS, Audience, PlayerFieldInfo
from tdapp.domain.publishing import PRIVATE_KINDS
from tdapp.domain.roles import RIGHTS, Role
from tdapp.domain.serialization import Shape, describe_json_shape
from tdapp.domain.tournament import KINDS
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.storage.columns import COLUMNS, FLAG
from tdapp.storage.tables import TABLES

FACTS: Shape = {"object": {"each": {"string": None, "number": None, "boolean": None, "null": None}}}

SCHEMA = "tdapp"
OWNER_SCHEMA = "tdapp_owner"
PUBLIC_SCHEMA = "tdapp_public"
CHANNEL = "tdapp"
STALE_STEP_CODE = "TD001"  # SQLSTATE of a step for an outdated revision
REFUSED_STEP_CODE = "TD002"  # of an invalid step, which this program never sends
RETURNED_TOURNAMENT_CODE = "TD004"  # of a step after the tournament has moved back to a file
LOCK_LIMIT = 5  # seconds that a station may hold the write lock
TRANSACTION_LIMIT = 60  # seconds until the owner ends a station's transaction
ALL_FIELDS = "*"

_DIALECT = dialect()  # type: ignore[no-untyped-call]
_SERVER = sa.MetaData(schema=SCHEMA)
SERVER_TABLES = {name: table.to_metadata(_SERVER, schema=SCHEMA) for name, table in TABLES.items()}

_OWNER = sa.MetaData(schema=OWNER_SCHEMA)


def _declare_table_readable_only_by_owner(name: str, key_names: str, other_names: str = "") -> sa.Table:
    columns = [
        sa.Column(column_name, sa.Text, primary_key=column_name in key_names.split())
        for column_name in f"{key_names} {other_names}".split()
    ]
    return sa.Table(name, _OWNER, *columns)


STATIONS = _declare_table_readable_only_by_owner("stations", "login", "role")
ORIGIN = _declare_table_readable_only_by_owner("origin", "", "file")
_COMMANDS = _declare_table_readable_only_by_owner("commands", "role command")
_WRITABLE_FIELDS = _declare_table_readable_only_by_owner("touched", "role kind field")
ENDING = sa.Table("ending", _OWNER, sa.Column("since", sa.DateTime(timezone=True)))
_KINDS = sa.Table(
    "kinds",
    _OWNER,
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("fields", sa.ARRAY(sa.Text)),
    sa.Column("shape", JSONB),
    sa.Column("plain", sa.Text, comment="the columns of a row, $1, that is JSON"),
    *(sa.Column(name, sa.Text) for name in ("reading", "inserting", "updating")),
)


class _SqlTemplate(Template):
    """An SQL text with placeholders `@NAME`, because the usual `$` has a meaning in SQL."""

    delimiter = "@"


def read_sql_script(name: str, **placeholders: object) -> str:
    """Return an SQL script.

    Replace `@NAME` by the argument `NAME`, and % by %% for the database driver.
    """
    text = Path(__file__).with_name(name).read_text("utf-8")
    return _SqlTemplate(text).substitute(placeholders).replace("%", "%%")


def create_owner_tables_and_functions(connection: sa.Connection) -> None:
    for name in (OWNER_SCHEMA, PUBLIC_SCHEMA):
        connection.execute(CreateSchema(name))
    _OWNER.create_all(connection, checkfirst=False)
    languages = ", ".join(f"'{language}'" for language in LANGUAGES)
    placeholders = {
        "FACTS": json.dumps(FACTS), "LANGUAGES": languages, "LOCK_LIMIT": LOCK_LIMIT,
        "TRANSACTION_LIMIT": TRANSACTION_LIMIT, "LEAST_POINTS": LEAST_POINTS, "MOST_POINTS": MOST_POINTS,
    }  # fmt: skip
    connection.exec_driver_sql(read_sql_script("station_functions.sql", **placeholders))
    for table, lines in (
        (_COMMANDS, _list_permitted_commands()),
        (_WRITABLE_FIELDS, _list_writable_fields()),
        (_KINDS, map(_make_kinds_table_row, KINDS)),
    ):
        names = table.columns.keys()
        connection.execute(table.insert(), [dict(zip(names, line, strict=True)) for line in lines])


def _list_permitted_commands() -> Iterator[tuple[object, ...]]:
    yield from ((Role.DIRECTOR.value, command) for command in COMMANDS)
    for role, rights in RIGHTS.items():
        yield from ((role.value, command) for command in sorted(rights.commands))


def _list_writable_fields() -> Iterator[tuple[object, ...]]:
    yield from ((Role.DIRECTOR.value, kind, ALL_FIELDS) for kind in KINDS)
    for role, rights in RIGHTS.items():
        yield from ((role.value, kind, ALL_FIELDS) for kind in sorted(rights.rows))
        for kind, fields in rights.changes.items():
            yield from ((role.value, kind, field) for field in sorted(fields))


def _make_kinds_table_row(row_kind: str) -> tuple[object, ...]:
    """Return a row for table `tdapp_owner.kinds`: columns, types and SQL statements of the table `row_kind`."""
    columns, table = COLUMNS[row_kind], SERVER_TABLES[row_kind]
    new_values = {
        column.name: sa.cast(
            sa.literal_column(f"$1[{number}]"), sa.BigInteger if column.type.is_integer else sa.Text
        )
        for number, column in enumerate(columns, 1)
    }
    json_values = []
    for column in columns:
        value: Any = sa.literal_column(f"($1 ->> '{column.name}')")
        if column.type is FLAG:
            value = sa.cast(sa.cast(sa.cast(value, sa.Boolean), sa.Integer), sa.Text)
        json_values.append(value)
    stored_values = [sa.cast(table.c[column.name], sa.Text) for column in columns]
    statements = (
        sa.select(array(json_values)),
        sa.select(array(stored_values)).where(table.c.id == sa.literal_column("$1")),
        table.insert().values(new_values),
        table.update().values(dict(list(new_values.items())[1:])).where(table.c.id == sa.literal_column("$1[1]")),
    )
    texts = [str(statement.compile(dialect=_DIALECT)) for statement in statements]
    return row_kind, [column.name for column in columns], describe_json_shape(KINDS[row_kind]), *texts


_DIVISIONS, _EVENTS, _PLAYERS = SERVER_TABLES["divisions"], SERVER_TABLES["events"], SERVER_TABLES["players"]
_STAGES, _ROUNDS, _GAMES = SERVER_TABLES["stages"], SERVER_TABLES["rounds"], SERVER_TABLES["games"]
_BYES, _RESULTS, _SANCTIONS = SERVER_TABLES["byes"], SERVER_TABLES["results"], SERVER_TABLES["sanctions"]
_SEATS, _PHOTOS = SERVER_TABLES["seats"], SERVER_TABLES["photos"]
_EMPTY, _NULL, _NO = sa.literal(""), sa.cast(sa.null(), sa.Text), sa.cast(0, sa.BigInteger)
_SPACES = " \t\r\n\u00a0"


def _make_public_records_expression() -> sa.ColumnElement[str]:
    lines = func.jsonb_array_elements(sa.cast(_EVENTS.c.records, JSONB))
    records = lines.table_valued(
        sa.column("record", JSONB), with_ordinality="position", name="records"
    ).render_derived()
    nameless = records.c.record.op("||")(sa.literal_column("""'{"name": ""}'::jsonb"""))
    json_list = func.jsonb_agg(aggregate_order_by(nameless, records.c.position))
    return sa.select(func.coalesce(sa.cast(json_list, sa.Text), "[]")).scalar_subquery()


def _make_public_name_expression() -> sa.ColumnElement[str]:
    """Return the SQL expression of a public name.

    If players of a division have the same public name, add their numbers, unless the names are full names.
    """
    full_name, number = _PLAYERS.c.name, _PLAYERS.c.number
    trimmed_name = func.btrim(full_name, _SPACES)
    comma = func.strpos(full_name, ",")
    first_words = func.regexp_replace(func.regexp_replace(trimmed_name, r"\s*\S*$", ""), r"\s+", " ", "g")
    first = sa.case((comma > 0, func.btrim(func.substr(full_name, comma + 1))), else_=first_words)
    last = sa.case(
        (comma > 0, func.btrim(func.left(full_name, comma - 1))), else_=func.substring(trimmed_name, r"\S*$")
    )
    count = sa.select(func.count()).select_from(_DIVISIONS.alias()).scalar_subquery()
    code = sa.case((count > 1, _DIVISIONS.c.code), else_="")
    public_name = sa.case(
        (_PLAYERS.c.shown_as != "", _PLAYERS.c.shown_as),
        (_EVENTS.c.names_shown == "full", full_name),
        (
            _EVENTS.c.names_shown == "number",
            func.concat("#", code, number),
        ),
        (sa.and_(first != "", last != ""), func.concat(first, " ", func.left(last, 1), ".")),
        else_=full_name,
    )
    namesakes = func.count().over(partition_by=[_PLAYERS.c.division, public_name])
    return sa.case(
        (sa.and_(namesakes > 1, public_name != full_name), func.concat(public_name, " (", number, ")")),
        else_=public_name,
    )


def _make_public_field_expression(field: PlayerFieldInfo) -> sa.ColumnElement[Any]:
    empty = EMPTY_VALUES[field.name]
    empty_value = sa.null() if empty is None else _EMPTY if empty == "" else _NO
    if field.audience is Audience.DETAILS:
        return sa.case((_EVENTS.c.details_shown == 1, _PLAYERS.c[field.name]), else_=empty_value)
    return empty_value


def _make_public_result_expression(
    column: sa.ColumnElement[Any], hidden_value: sa.ColumnElement[Any]
) -> sa.ColumnElement[Any]:
    """Return an SQL expression: `hidden_value` in rounds with withheld results, otherwise `column`."""
    return sa.case((sa.or_(_HELD_AFTER.is_(None), _ROUNDS.c.number <= _HELD_AFTER), column), else_=hidden_value)


_IS_PUBLISHED, _HELD_AFTER = _ROUNDS.c.state == "published", _DIVISIONS.c.held_after

# Columns with other values for displays.
_REPLACED_COLUMNS: Mapping[str, Mapping[str, sa.ColumnElement[Any]]] = MappingProxyType(
    {
        "events": {
            "slip_key": _EMPTY,
            "names_shown": sa.literal("full"),
            "records": _make_public_records_expression(),
        },
        "players": {
            "name": _make_public_name_expression(),
            **{
                field.name: _make_public_field_expression(field)
                for field in PLAYER_FIELDS.values()
                if field.audience is not Audience.PUBLIC
            },
        },
        "games": {"reason": _NULL},
        "byes": {"reason": _NULL},
        "seats": {
            "reason": _NULL,
            "points": _make_public_result_expression(_SEATS.c.points, sa.cast(sa.null(), sa.BigInteger)),
            "left": _make_public_result_expression(_SEATS.c.left, _NO),
            "state": _make_public_result_expression(_SEATS.c.state, _NULL),
            "turns": _make_public_result_expression(_SEATS.c.turns, sa.cast(sa.null(), sa.BigInteger)),
            "break_up": _make_public_result_expression(_SEATS.c.break_up, sa.cast(sa.null(), sa.BigInteger)),
            "sent": sa.literal("[]"),
            "device": _EMPTY,
        },
        "results": {"disputed": _NULL},
        "sanctions": {"why": _EMPTY, "author": _EMPTY},
        "copied_events": {"source": _EMPTY, "head": _EMPTY},
        "meta": dict.fromkeys(("state", "goes_on_at", "goes_on_since"), _EMPTY),
    }
)

_GAMES_FROM = _GAMES.join(_ROUNDS, _ROUNDS.c.id == _GAMES.c.round)
_RESULTS_FROM = (
    _GAMES_FROM.join(_RESULTS, _RESULTS.c.id == _GAMES.c.id)
    .join(_STAGES, _STAGES.c.id == _ROUNDS.c.stage)
    .join(_DIVISIONS, _DIVISIONS.c.id == _STAGES.c.division)
)
_SEATS_FROM = (
    _SEATS.join(_ROUNDS, _ROUNDS.c.id == _SEATS.c.round)
    .join(_STAGES, _STAGES.c.id == _ROUNDS.c.stage)
    .join(_DIVISIONS, _DIVISIONS.c.id == _STAGES.c.division)
)
_PLAYERS_FROM = _PLAYERS.join(_DIVISIONS, _DIVISIONS.c.id == _PLAYERS.c.division)
_SANCTIONS_FROM = _PLAYERS_FROM.join(_SANCTIONS, _SANCTIONS.c.player == _PLAYERS.c.id)

# The public rows of a table: its joins and a condition.
_PUBLIC_ROWS: Mapping[str, tuple[sa.FromClause, sa.ColumnElement[bool]]] = MappingProxyType(
    {
        "rounds": (_ROUNDS, _IS_PUBLISHED),
        "games": (_GAMES_FROM, _IS_PUBLISHED),
        "byes": (_BYES.join(_ROUNDS, _ROUNDS.c.id == _BYES.c.round), _IS_PUBLISHED),
        "seats": (_SEATS_FROM, _IS_PUBLISHED),
        "results": (
            _RESULTS_FROM,
            sa.and_(_IS_PUBLISHED, sa.or_(_HELD_AFTER.is_(None), _ROUNDS.c.number <= _HELD_AFTER)),
        ),
        "sanctions": (
            _SANCTIONS_FROM,
            sa.or_(_HELD_AFTER.is_(None), _SANCTIONS.c.round.is_(None), _SANCTIONS.c.round <= _HELD_AFTER),
        ),
        "players": (_PLAYERS_FROM.join(_EVENTS, sa.true()), sa.true()),
        "photos": (
            _PHOTOS.join(_PLAYERS, _PLAYERS.c.id == _PHOTOS.c.id).join(_EVENTS, sa.true()),
            sa.and_(_EVENTS.c.details_shown == 1, _EVENTS.c.names_shown == "full", _PLAYERS.c.shown_as == ""),
        ),
        **{name: (SERVER_TABLES[name], sa.false()) for name in (*PRIVATE_KINDS, "journal")},
    }
)


def create_public_views(connection: sa.Connection) -> None:
    for name, table in SERVER_TABLES.items():
        if name != "secrets":
            replacements = _REPLACED_COLUMNS.get(name, {})
            cells = [replacements.get(item.name, item).label(item.name) for item in table.columns]
            source, condition = _PUBLIC_ROWS.get(name, (table, sa.true()))
            view = sa.select(*cells).select_from(source).where(condition)
            connection.execute(CreateView(view, name, schema=PUBLIC_SCHEMA))
    connection.exec_driver_sql(read_sql_script("public_views.sql"))
