"""SQL views of the public data, for displays.

They are the SQL form of `domain.publishing.public` under the names of the tables, so that a display loads a
tournament like every other station. The journal is empty. A test compares both forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.player_fields import EMPTY, PLAYER_FIELDS, Audience, PlayerField
from tdapp.domain.publishing import KEPT_BACK
from tdapp.domain.tournament import KINDS
from tdapp.storage.columns import names_of
from tdapp.storage.statements import WritingConnection, quote_name

_NAME = r"""CASE WHEN count(*) OVER (PARTITION BY k.division, n.shown) > 1 AND n.shown <> k.name
THEN n.shown || ' (' || k.number || ')' ELSE n.shown END"""
_RECORDS = """(SELECT coalesce(jsonb_agg(one || '{"name": ""}' ORDER BY place), '[]')::text
FROM jsonb_array_elements(k.records::jsonb) WITH ORDINALITY AS listed(one, place))"""


def _hide_field(field: PlayerField) -> str:
    empty = EMPTY[field.name]
    nothing = "NULL" if empty is None else "''" if empty == "" else "0::bigint"
    if field.audience is Audience.DETAILS:
        return f"CASE WHEN e.details_shown = 1 THEN k.{field.name} ELSE {nothing} END"
    return nothing


# What takes the place of a column.
_COLUMNS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "events": {"slip_key": "''", "names_shown": "'full'", "records": _RECORDS},
        "players": {
            "name": _NAME,
            **{
                one.name: _hide_field(one) for one in PLAYER_FIELDS.values() if one.audience is not Audience.PUBLIC
            },
        },
        "games": {"reason": "NULL::text"},
        "byes": {"reason": "NULL::text"},
        "results": {"disputed": "NULL::text"},
        "sanctions": {"why": "''", "author": "''"},
        "meta": dict.fromkeys(("state", "goes_on_at", "goes_on_since"), "''"),
    }
)

_PUBLISHED = "JOIN tdapp.rounds r ON r.id = k.round AND r.state = 'published'"
_RESULTS = f"""JOIN tdapp.games g ON g.id = k.id {_PUBLISHED.replace("k.round", "g.round")}
JOIN tdapp.stages s ON s.id = r.stage JOIN tdapp.divisions d ON d.id = s.division
WHERE d.held_after IS NULL OR r.number <= d.held_after"""
_SANCTIONS = """JOIN tdapp.players p ON p.id = k.player JOIN tdapp.divisions d ON d.id = p.division
WHERE d.held_after IS NULL OR k.round IS NULL OR k.round <= d.held_after"""
_PLAYERS = r"""JOIN tdapp.divisions d ON d.id = k.division CROSS JOIN tdapp.events e
CROSS JOIN LATERAL (SELECT btrim(k.name, E' \t\r\n\u00a0') AS name, strpos(k.name, ',') AS comma) AS t
CROSS JOIN LATERAL (SELECT regexp_split_to_array(t.name, '\s+') AS words) AS w
CROSS JOIN LATERAL (SELECT
  CASE WHEN t.comma > 0 THEN btrim(substr(k.name, t.comma + 1))
    ELSE array_to_string(w.words[:cardinality(w.words) - 1], ' ') END AS first,
  CASE WHEN t.comma > 0 THEN btrim(left(k.name, t.comma - 1)) ELSE w.words[cardinality(w.words)] END AS last) AS i
CROSS JOIN LATERAL (SELECT CASE WHEN k.shown_as <> '' THEN k.shown_as WHEN e.names_shown = 'full' THEN k.name
  WHEN e.names_shown = 'number'
  THEN '#' || CASE WHEN (SELECT count(*) FROM tdapp.divisions) > 1 THEN d.code ELSE '' END || k.number
  WHEN i.first <> '' AND i.last <> '' THEN i.first || ' ' || left(i.last, 1) || '.'
  ELSE k.name END AS shown) AS n"""

# What is joined to a table, and which of its rows are shown; `k` is the table.
_ROWS: Mapping[str, str] = MappingProxyType(
    {
        "rounds": "WHERE k.state = 'published'",
        "games": _PUBLISHED,
        "byes": _PUBLISHED,
        "results": _RESULTS,
        "sanctions": _SANCTIONS,
        "players": _PLAYERS,
        **dict.fromkeys((*KEPT_BACK, "journal"), "WHERE false"),
    }
)


def make(connection: WritingConnection) -> None:
    """Create the views of all tables."""
    for kind in KINDS:
        _make(connection, kind, [*names_of(kind), "rowid"])
    for name in ("journal", "meta"):
        _make(connection, name, names_of(name))


def _make(connection: WritingConnection, name: str, columns: list[str]) -> None:
    chosen = _COLUMNS.get(name, {})
    cells = ", ".join(
        f"{chosen.get(column, f'k.{quote_name(column)}')} AS {quote_name(column)}" for column in columns
    )
    statement = f"SELECT {cells} FROM tdapp.{name} k {_ROWS.get(name, '')}"  # noqa: S608
    connection.exec_driver_sql(f"CREATE VIEW tdapp_public.{name} WITH (security_barrier) AS {statement}")
