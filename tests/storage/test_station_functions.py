"""Tests of the SQL functions on a server: they write the same texts and checksums as Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tdapp.domain.model import PairingReason
from tdapp.domain.serialization import convert_to_builtins
from tdapp.domain.tournament import KINDS, RowChange, Tournament
from tdapp.storage import Address, Store
from tdapp.storage.columns import format_compact_json
from tdapp.storage.rows import UnorderedRowsChecksum, add_changes_to_checksum, compute_checksum
from tdapp.storage.server import ServerStorage
from tests.storage import full_tournament
from tests.storage.samples import make_played_tournament

pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")
PRINTABLE = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))
AWKWARD = "\"'\\/ <&> \u2028\u00a0 é 😀 {%s} %(x)s \ufeff"
ROW = """SELECT tdapp_owner.canonical(r.sent::json, k.shape), tdapp_owner.columns(k, r.sent::json)
FROM tdapp_owner.kinds k, (SELECT %s AS sent) AS r WHERE k.kind = %s"""


@pytest.fixture
def server(database: Address) -> Iterator[ServerStorage]:
    with closing(Store.create(database, make_played_tournament())) as store:
        yield store.server


def make_awkward_tournament() -> Tournament:
    """Return rows of every kind, with texts and numbers that two programs can write differently."""
    value = full_tournament.build_full_tournament()
    player, incident = next(iter(value.players.values())), next(iter(value.incidents.values()))
    return value.put(
        replace(player, name=AWKWARD, notes="\t\n\r", rating=2**63 - 1, fixed_table=-(2**63)),
        replace(incident, note=AWKWARD),
        replace(next(iter(value.challenges.values())), words=(AWKWARD, "")),
        replace(
            next(iter(value.games.values())), reason=PairingReason("x", (("a", AWKWARD), ("b", None), ("c", -1)))
        ),
    )


def test_station_functions_write_every_row_as_python(server: ServerStorage) -> None:
    value = make_awkward_tournament()

    def compare(connection: Connection) -> None:
        for kind in KINDS:
            assert value.rows(kind)
            for row in value.rows(kind).values():
                text, total = format_compact_json(convert_to_builtins(row)), UnorderedRowsChecksum()
                add_changes_to_checksum(total, [RowChange(kind, row.id, None, row)])
                canonical_text, column_values = connection.exec_driver_sql(ROW, (text, kind)).one()
                checksum_query = "SELECT tdapp_owner.sum_after('000000000000000', tdapp_owner.counted(%s, %s))"
                assert canonical_text == text
                assert connection.exec_driver_sql(checksum_query, (kind, column_values)).scalar_one() == str(total)

    server.run_read_transaction(compare)


@given(values=st.lists(st.one_of(st.none(), st.text(PRINTABLE), st.integers()), min_size=1))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_station_functions_compute_the_checksum_of_python(server: ServerStorage, values: list[object]) -> None:
    texts = [None if value is None else str(value) for value in values]

    def compare(connection: Connection) -> None:
        digest = connection.exec_driver_sql("SELECT tdapp_owner.seal(VARIADIC %s::text[])", (texts,)).scalar_one()
        assert digest == compute_checksum(values)

    server.run_read_transaction(compare)


SHAPE = json.dumps(
    {
        "array": {"each": {"number": None}},
        "object": [["a", {"number": None}], ["b", {"number": None}]],
        "string": None,
        "number": None,
    }
)


def get_canonical_text(server: ServerStorage, text: str) -> str:
    query = "SELECT tdapp_owner.canonical(%s::json, %s::jsonb)"
    return str(
        server.run_read_transaction(
            lambda connection: connection.exec_driver_sql(query, (text, SHAPE)).scalar_one()
        )
    )


@pytest.mark.parametrize("text", ["[1, 2]", '{"b":1,"a":2}', '{"a":1,"a":2,"b":3}', '"\\u00e9"', '"\\/"'])
def test_station_function_canonical_accepts_one_text_of_a_value(server: ServerStorage, text: str) -> None:
    assert get_canonical_text(server, text) != text
    assert json.loads(get_canonical_text(server, text)) == json.loads(text)


@pytest.mark.parametrize("text", ["1.0", "1e2", "-0", "01", "9223372036854775808", "true", '"\\u0001"', '{"a":1}'])
def test_station_function_canonical_refuses_a_value_of_another_type(server: ServerStorage, text: str) -> None:
    with pytest.raises(DBAPIError):
        get_canonical_text(server, text)
