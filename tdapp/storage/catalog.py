"""The PostgreSQL system tables and queries on them."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Connection,
    TableClause,
    and_,
    column,
    exists,
    func,
    or_,
    select,
    table,
)


def _declare_catalog_view(name: str, columns: str, flags: str = "") -> TableClause:
    all_columns = (*map(column, columns.split()), *(column(flag, Boolean) for flag in flags.split()))
    return table(name, *all_columns, schema="pg_catalog")


LoginAndPriority = tuple[str, bool]
CREATOR_COMMENT = "made by tdapp"  # the comment of a database or login created by this program
ACTIVITY = _declare_catalog_view("pg_stat_activity", "pid datname usename application_name")
DATABASES = _declare_catalog_view("pg_database", "oid datname", "datallowconn datistemplate")
DEPENDENCIES = _declare_catalog_view("pg_shdepend", "dbid classid refclassid refobjid deptype")
LARGE_OBJECTS = _declare_catalog_view("pg_largeobject_metadata", "oid lomowner")
NAMESPACES = _declare_catalog_view("pg_namespace", "nspname nspowner")
ROLES = _declare_catalog_view("pg_roles", "oid rolname")
_TRIGGERS = _declare_catalog_view("pg_trigger", "tgrelid", "tgisinternal")
_RULES = _declare_catalog_view("pg_rewrite", "ev_class")
_TABLES = _declare_catalog_view("pg_class", "oid relname relkind relnamespace", "relrowsecurity")
_COLUMNS = _declare_catalog_view(
    "pg_attribute", "attrelid attname atttypid atttypmod attnum attgenerated", "attnotnull attisdropped"
)
_IS_IN_CURRENT_SCHEMA = _TABLES.c.relnamespace == func.to_regnamespace(func.current_schema())
_IS_ORDINARY_TABLE = _TABLES.c.relkind == "r"

# The columns of all tables and views: table, name, type, whether it refuses NULL, whether reading runs no code.
COLUMNS = (
    select(
        _TABLES.c.relname,
        _COLUMNS.c.attname,
        func.format_type(_COLUMNS.c.atttypid, _COLUMNS.c.atttypmod),
        _COLUMNS.c.attnotnull,
        and_(_IS_ORDINARY_TABLE, _COLUMNS.c.attgenerated == ""),
    )
    .join_from(_TABLES, _COLUMNS, _COLUMNS.c.attrelid == _TABLES.c.oid)
    .where(
        _IS_IN_CURRENT_SCHEMA,
        _TABLES.c.relkind.in_(tuple("rpvmf")),
        _COLUMNS.c.attnum > 0,
        ~_COLUMNS.c.attisdropped,
    )
    .order_by(_TABLES.c.relname, _COLUMNS.c.attnum)
)
# The tables with triggers, rules or row security.
TABLES_WITH_CODE = select(_TABLES.c.relname).where(
    _IS_IN_CURRENT_SCHEMA,
    or_(
        exists().where(_TRIGGERS.c.tgrelid == _TABLES.c.oid, ~_TRIGGERS.c.tgisinternal),
        and_(_IS_ORDINARY_TABLE, exists().where(_RULES.c.ev_class == _TABLES.c.oid)),
        _TABLES.c.relrowsecurity,
    ),
)


def make_database_sessions_condition(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return an SQL condition for connections to the current database, combined with `conditions`."""
    return and_(ACTIVITY.c.datname == func.current_database(), *conditions)


def announce_own_game_and_map_games_of_others(
    own_game: str, connection: Connection
) -> dict[str, LoginAndPriority]:
    """Publish the id of the game open on this computer. Return the games open on other computers.

    The result maps each game id to the other computer's login and whether that computer has priority if both have
    the game open.
    """
    connection.execute(select(func.set_config("application_name", f"tdapp {own_game}".strip(), False)))
    name, own_pid = ACTIVITY.c.application_name, func.pg_backend_pid()
    query = (
        select(func.substr(name, 7), ACTIVITY.c.usename, ACTIVITY.c.pid < own_pid)
        .where(make_database_sessions_condition(ACTIVITY.c.pid != own_pid, func.starts_with(name, "tdapp ")))
        .order_by(ACTIVITY.c.pid.desc())
    )
    return {game: (login, has_lower_pid) for game, login, has_lower_pid in connection.execute(query)}


def make_comment_statement(target: str, comment: str) -> str:
    """Return SQL that sets a comment. `target` is `SCHEMA name`, `DATABASE name` or `ROLE name`."""
    return f"COMMENT ON {target} IS '{comment}'"
