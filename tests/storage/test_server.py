"""Tests of tournaments on PostgreSQL: moving to and from a server, errors, and lost connections."""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from tdapp import storage
from tdapp.domain.errors import StorageError
from tdapp.domain.model import GameId
from tdapp.domain.roles import Role
from tdapp.domain.tournament import compute_diff
from tdapp.storage import Address, SnapshotFolder, SnapshotReason, Store, relocation
from tdapp.storage.rows import DamagedValueError
from tdapp.storage.server import TRIES, ServerStorage
from tdapp.storage.snapshots import is_snapshot_file_undamaged
from tests.storage.postgres import Cluster
from tests.storage.samples import change_score, list_stored_rows, make_played_tournament, make_result, make_step

psycopg = pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")


@pytest.fixture
def store(database: Address) -> Iterator[Store]:
    store = Store.create(database, make_played_tournament())
    yield store
    store.close()


def save_steps(store: Store, count: int = 3) -> Store:
    value = store.load_tournament_and_revision()[0]
    for seq in range(1, count + 1):
        value, changes = change_score(seq, value)
        store.save_step(changes, make_step(seq))
    return store


def get_code_at_open(address: Address) -> str:
    with pytest.raises(StorageError) as error_info:
        Store.open(address, timeout=1)
    assert error_info.value.facts["path"] == str(address)
    return error_info.value.code


# --- moving to a server and back


def test_copy_to_file_returns_the_shared_file(tmp_path: Path, database: Address) -> None:
    file, returned_file = tmp_path / "a.tdapp", tmp_path / "back.tdapp"
    store = save_steps(Store.create(file, make_played_tournament(), program="1.0"))
    value = store.load_tournament_and_revision()[0]
    value_without_result = value.drop(value.results[GameId("g1-1")])  # the row returns as the last row
    store.save_step(compute_diff(value, value_without_result), make_step(4))
    store.save_step(
        compute_diff(value_without_result, value_without_result.put(make_result("g1-1", 1, 2))),
        make_step(5, undoes=4),
    )
    relocation.move_tournament_to_server(store, database)
    server = Store.open(database)
    assert (list_stored_rows(server), server.read_journal(), server.find_damage()) == (
        list_stored_rows(store),
        store.read_journal(),
        [],
    )
    server.copy_to_file(returned_file)
    reopened_store = Store.open(returned_file)
    assert (list_stored_rows(reopened_store), reopened_store.read_journal(), reopened_store.find_damage()) == (
        list_stored_rows(store),
        store.read_journal(),
        [],
    )
    store.mark_as_moved("")
    assert read_all_values(returned_file) == read_all_values(file)
    for open_store in (store, server, reopened_store):
        open_store.close()


def read_all_values(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all values of a file."""
    connection = sqlite3.connect(path)
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    rows_by_table = {name: connection.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall() for name in names}  # noqa: S608
    connection.close()
    return rows_by_table


def test_copy_to_file_is_allowed_for_a_jury(
    store: Store, cluster: Cluster, database: Address, tmp_path: Path
) -> None:
    save_steps(store).server.create_login_or_change_role(f"jury_{database.stem}", Role.JURY, "open")
    with closing(Store.open(cluster.make_address(database.stem, f"jury_{database.stem}", "open"))) as jury:
        jury.copy_to_file(tmp_path / "copy.tdapp")
    with closing(Store.open(tmp_path / "copy.tdapp")) as copy:
        assert (list_stored_rows(copy), copy.read_journal()) == (list_stored_rows(store), store.read_journal())
        assert copy.load_tournament_and_revision()[0].secret not in {
            "",
            store.load_tournament_and_revision()[0].secret,
        }


def test_copy_to_file_is_refused_for_a_display(
    store: Store, cluster: Cluster, database: Address, tmp_path: Path
) -> None:
    store.server.create_login_or_change_role(f"eye_{database.stem}", Role.DISPLAY, "open")
    display_store = closing(Store.open(cluster.make_address(database.stem, f"eye_{database.stem}", "open")))
    with display_store as display, pytest.raises(StorageError, match="no-permission"):
        relocation.copy_tournament_to_file(display, tmp_path / "copy.tdapp")
    assert not list(tmp_path.iterdir())


def test_make_snapshot_copies_a_shared_tournament(store: Store, tmp_path: Path) -> None:
    snapshots = SnapshotFolder(tmp_path / "Open snapshots")
    assert snapshots.make_snapshot_if_changed(store, SnapshotReason.START) is not None
    assert snapshots.make_snapshot_if_changed(store, SnapshotReason.PAIRING) is None
    save_steps(store)
    snapshot = snapshots.make_snapshot_if_changed(store, SnapshotReason.PAIRING)
    assert snapshot is not None
    assert is_snapshot_file_undamaged(snapshot)
    assert snapshot.revision == 3


def test_move_to_server_refuses_a_used_database(store: Store, database: Address, tmp_path: Path) -> None:
    with pytest.raises(StorageError) as error_info:
        Store.create(database, make_played_tournament())
    assert error_info.value.code == "server-taken"
    file = Store.create(tmp_path / "a.tdapp", make_played_tournament())
    with pytest.raises(StorageError) as error_info:
        relocation.move_tournament_to_server(file, database)
    assert error_info.value.code == "server-taken"
    file.close()
    with pytest.raises(StorageError) as error_info:
        relocation.move_tournament_to_server(store, database)
    assert error_info.value.code == "server-shared"


def test_move_to_server_refuses_a_locked_file(tmp_path: Path, database: Address) -> None:
    file = Store.create(tmp_path / "a.tdapp", make_played_tournament(), timeout=0)
    connection = sqlite3.connect(tmp_path / "a.tdapp", isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StorageError) as error_info:
        relocation.move_tournament_to_server(file, database)
    assert (error_info.value.code, error_info.value.facts["path"]) == ("locked", str(tmp_path / "a.tdapp"))
    connection.close()
    relocation.move_tournament_to_server(file, database)
    file.close()


def test_copy_to_file_ignores_changes_during_the_copy(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_steps(store)
    copy_to = store.location.copy_to

    def copy_and_save_step(part: Path) -> None:
        copy_to(part)
        value, revision = store.load_tournament_and_revision()
        store.save_step(change_score(9, value)[1], make_step(revision + 1))

    monkeypatch.setattr(store.location, "copy_to", copy_and_save_step)
    relocation.copy_tournament_to_file(store, tmp_path / "a.tdapp")
    fetched_store = Store.open(tmp_path / "a.tdapp")
    assert fetched_store.read_journal() == store.read_journal(limit=3)
    fetched_store.close()
    other_store = Store.create_in_memory(make_played_tournament())
    other_store.save_step(change_score(7, other_store.load_tournament_and_revision()[0])[1], make_step(1))
    monkeypatch.setattr(store.location, "copy_to", other_store.location.copy_to)
    with pytest.raises(StorageError, match="fetched-damaged"):
        relocation.copy_tournament_to_file(store, tmp_path / "b.tdapp")
    other_store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tdapp.results SET first = 999",
        "UPDATE tdapp.results SET state = 'won'",
        "DELETE FROM tdapp.results",
        "UPDATE tdapp.meta SET state = 'x'",
        "DELETE FROM tdapp.secrets",
    ],
)
def test_copy_to_file_refuses_a_damaged_database(
    store: Store, cluster: Cluster, database: Address, tmp_path: Path, statement: str
) -> None:
    save_steps(store)
    cluster.run_statement(statement, database.stem)
    with pytest.raises(StorageError, match="damaged"):
        relocation.copy_tournament_to_file(store, tmp_path / "a.tdapp")
    assert not list(tmp_path.iterdir())


def test_copy_to_file_refuses_an_inconsistent_tournament(database: Address, tmp_path: Path) -> None:
    value = make_played_tournament()
    duplicate = replace(value.games[GameId("g1-1")], id=GameId("twin"))
    with closing(Store.create(database, value.put(duplicate))) as store:
        with pytest.raises(StorageError, match="fetched-damaged"):
            relocation.copy_tournament_to_file(store, tmp_path / "a.tdapp")
        assert not list(tmp_path.iterdir())


def test_move_to_server_leaves_an_empty_database_after_an_error(tmp_path: Path, database: Address) -> None:
    value = make_played_tournament()
    file = Store.create(tmp_path / "a.tdapp", value.put(replace(value.event, name="half\x00name")))
    with pytest.raises(StorageError) as error_info:
        relocation.move_tournament_to_server(file, database)
    assert error_info.value.code == "value-unstorable"
    file.close()
    assert get_code_at_open(database) == "server-empty"


# --- errors


def test_open_server_reports_a_missing_server() -> None:
    assert get_code_at_open(Address.parse("postgresql://who@127.0.0.1:1/event")) == "server-unreachable"
    assert get_code_at_open(Address.parse("postgresql://who@nowhere.invalid/event")) == "server-unreachable"


def test_open_server_reports_a_missing_database(cluster: Cluster) -> None:
    assert get_code_at_open(cluster.make_address("nowhere")) == "server-refused"


def test_open_server_reports_an_empty_database(database: Address) -> None:
    assert get_code_at_open(database) == "server-empty"


def test_open_server_reports_a_login_without_rights(store: Store, cluster: Cluster, database: Address) -> None:
    cluster.run_statement("CREATE ROLE stranger LOGIN PASSWORD 'x'")
    assert get_code_at_open(cluster.make_address(database.stem, "stranger", "x")) == "no-permission"


def test_remove_deleted_data_from_disk_requires_the_owner(
    store: Store, cluster: Cluster, database: Address
) -> None:
    store.refuse_replaced_file()  # a server cannot be replaced
    store.server.create_login_or_change_role(f"deputy_{database.stem}", Role.DIRECTOR, "open")
    deputy = Store.open(cluster.make_address(database.stem, f"deputy_{database.stem}", "open"))
    with pytest.raises(StorageError) as error_info:
        deputy.remove_deleted_data_from_disk()
    assert (error_info.value.code, error_info.value.facts["detail"]) == ("not-swept", "no-permission")
    deputy.close()


def test_is_location_used_finds_content_at_a_location(database: Address, tmp_path: Path) -> None:
    assert not Store.is_location_taken(database)
    Store.create(database, make_played_tournament()).close()
    assert Store.is_location_taken(database)
    assert not Store.is_location_taken(tmp_path / "a.tdapp")
    assert Store.is_location_taken(tmp_path)
    with pytest.raises(StorageError, match="server-unreachable"):
        Store.is_location_taken(Address.parse("postgresql://who@127.0.0.1:1/event"))


def test_open_server_reports_a_schema_of_another_program(cluster: Cluster, database: Address) -> None:
    cluster.run_statement("CREATE SCHEMA tdapp", database.stem)
    assert get_code_at_open(database) == "server-empty"


def test_open_server_reports_a_tournament_of_a_newer_program(
    store: Store, cluster: Cluster, database: Address
) -> None:
    cluster.run_statement("COMMENT ON SCHEMA tdapp IS 'tournament of tdapp, version 99'", database.stem)
    assert get_code_at_open(database) == "server-newer"


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE tdapp.more (id bigint)",
        "CREATE VIEW tdapp.more AS SELECT 1 AS id",
        "ALTER TABLE tdapp.players ADD COLUMN secret text",
        "DROP VIEW tdapp_public.players; ALTER TABLE tdapp.players ALTER COLUMN number TYPE integer",
        "ALTER TABLE tdapp.players ALTER COLUMN name DROP NOT NULL",
        "DROP TABLE tdapp.seeds CASCADE",
        """CREATE FUNCTION tdapp.cheat() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
        CREATE TRIGGER cheat BEFORE UPDATE ON tdapp.results FOR EACH ROW EXECUTE FUNCTION tdapp.cheat()""",
        "CREATE RULE cheat AS ON UPDATE TO tdapp.results DO INSTEAD NOTHING",
    ],
)
def test_open_server_refuses_foreign_tables(
    store: Store, cluster: Cluster, database: Address, statement: str
) -> None:
    cluster.run_statement(statement, database.stem)
    assert get_code_at_open(database) == "file-altered"


def test_open_server_does_not_read_tables_with_triggers(store: Store, cluster: Cluster, database: Address) -> None:
    cluster.run_statement("CREATE RULE cheat AS ON UPDATE TO tdapp.results DO INSTEAD NOTHING", database.stem)
    with pytest.raises(DamagedValueError, match="schema-differs results"):
        store.server.run_read_transaction(store.server.read_rows_by_table)


def test_find_damage_finds_a_changed_value_on_a_server(store: Store, cluster: Cluster, database: Address) -> None:
    save_steps(store)
    cluster.run_statement("UPDATE tdapp.results SET first = 999 WHERE id = 'g1-1'", database.stem)
    assert [str(item) for item in store.find_damage()] == ["row-damaged table='results' id='g1-1'"]
    cluster.run_statement("UPDATE tdapp.journal SET at = 'x' WHERE seq = 2", database.stem)
    assert get_code_at_open(database) == "file-damaged"


def test_save_step_names_another_station_that_holds_the_lock(
    store: Store, cluster: Cluster, database: Address
) -> None:
    waiting_store = Store.open(database, timeout=0.2)
    with psycopg.connect(database.secret) as blocker:
        blocker.execute("SELECT FROM tdapp.meta FOR UPDATE")
        with pytest.raises(StorageError) as error_info:
            waiting_store.save_step(
                change_score(1, waiting_store.load_tournament_and_revision()[0])[1], make_step(1)
            )
    assert (error_info.value.code, error_info.value.facts["who"]) == ("server-locked", "owner")
    assert (
        waiting_store.save_step(
            change_score(1, waiting_store.load_tournament_and_revision()[0])[1], make_step(1)
        ).revision
        == 1
    )
    waiting_store.close()


def test_store_create_refuses_another_encoding(cluster: Cluster) -> None:
    cluster.run_statement("CREATE DATABASE old ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(StorageError) as error_info:
        Store.create(cluster.make_address("old"), make_played_tournament())
    assert (error_info.value.code, error_info.value.facts["encoding"]) == ("server-encoding", "LATIN1")


# --- connections


def test_save_step_reconnects_after_a_lost_connection(store: Store, cluster: Cluster, database: Address) -> None:
    value = store.load_tournament_and_revision()[0]
    assert cluster.cut_connections(database.stem) == 1
    assert store.stored_revision == 0
    cluster.cut_connections(database.stem)
    value, changes = change_score(1, value)
    assert store.save_step(changes, make_step(1)).revision == 1
    assert store.read_steps() == [make_step(1)]


def test_save_step_writes_once_after_a_lost_confirmation(
    store: Store, cluster: Cluster, database: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit: Any = PGDialect_psycopg.do_commit
    cut_counts: list[int] = []

    def commit_and_cut(dialect: Any, connection: Any) -> None:
        commit(dialect, connection)
        if not cut_counts:
            cut_counts.append(cluster.cut_connections(database.stem))
            connection.execute("SELECT 1")  # the confirmation is lost

    monkeypatch.setattr(PGDialect_psycopg, "do_commit", commit_and_cut)
    changes = change_score(1, store.load_tournament_and_revision()[0])[1]
    assert store.save_step(changes, make_step(1)).revision == 1
    assert cut_counts == [1]
    assert store.read_steps() == [make_step(1)]
    assert store.find_damage() == []


def test_save_step_reports_a_stopped_server(database: Address, cluster: Cluster) -> None:
    store = Store.create(database, make_played_tournament())
    changes = change_score(1, store.load_tournament_and_revision()[0])[1]
    cluster.run_statement(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS false")
    cluster.cut_connections(database.stem)
    with pytest.raises(StorageError) as error_info:
        store.save_step(changes, make_step(1))
    assert error_info.value.code == "server-lost-saving"
    with pytest.raises(StorageError) as error_info:
        store.load_tournament_and_revision()
    assert error_info.value.code == "server-refused"
    cluster.run_statement(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS true")
    assert store.save_step(changes, make_step(1)).revision == 1
    store.close()


def test_notify_stations_of_ended_sharing_explains_a_lost_connection(
    store: Store, cluster: Cluster, database: Address
) -> None:
    other_store = Store.open(database)
    assert other_store.wait_for_change(5)
    store.server.notify_stations_of_ended_sharing()
    assert other_store.wait_for_change(5)
    assert other_store.stored_revision == 0  # the server still answers
    for code in ("server-ended", "server-refused"):
        cluster.run_statement(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS false")
        cluster.cut_connections(database.stem)
        with pytest.raises(StorageError, match=code):
            other_store.load_tournament_and_revision()
        cluster.run_statement(f"ALTER DATABASE {database.stem} ALLOW_CONNECTIONS true")
        while not other_store.wait_for_change(0.05):  # until it notices the lost connection
            pass
        assert other_store.wait_for_change(5)  # the tournament is shared again
    other_store.close()


def test_wait_for_change_notices_other_stations_at_once(store: Store, database: Address) -> None:
    other_store = Store.open(database)
    assert other_store.wait_for_change(5)  # changes before the start of listening count
    assert not other_store.wait_for_change(0.01)
    changes: list[bool] = []
    listening_thread = Thread(target=lambda: changes.append(other_store.wait_for_change(60)))
    listening_thread.start()
    store.save_step(change_score(1, store.load_tournament_and_revision()[0])[1], make_step(1))
    listening_thread.join()
    assert changes == [True]
    assert other_store.stored_revision == 1
    other_store.close()


def test_wait_for_change_without_a_listener_returns_true(
    store: Store, cluster: Cluster, database: Address
) -> None:
    other_store = Store.open(database)
    assert other_store.wait_for_change(5)
    cluster.cut_connections(database.stem)
    while not other_store.wait_for_change(0.05):  # until it notices the lost connection
        pass
    store.save_step(change_score(1, store.load_tournament_and_revision()[0])[1], make_step(1))
    assert other_store.wait_for_change(5)
    assert other_store.stored_revision == 1
    other_store.close()


def test_wait_for_change_notices_changes_of_a_file(tmp_path: Path) -> None:
    first_store = Store.create(tmp_path / "a.tdapp", make_played_tournament())
    second_store = Store.open(tmp_path / "a.tdapp")
    assert not second_store.wait_for_change(0.01)
    first_store.save_step(change_score(1, first_store.load_tournament_and_revision()[0])[1], make_step(1))
    assert second_store.wait_for_change(5)
    assert not second_store.wait_for_change(0.01)
    first_store.close()
    second_store.close()


def test_server_gives_up_after_repeated_lost_connections(
    store: Store, cluster: Cluster, database: Address
) -> None:
    cut_counts: list[int] = []

    def cut_connection(connection: Connection) -> int:
        cut_counts.append(cluster.cut_connections(database.stem))
        return int(connection.exec_driver_sql("SELECT 1").scalar_one())

    with pytest.raises(StorageError) as error_info, store.location.convert_to_storage_errors():
        store.server.run_read_transaction(cut_connection)
    assert (error_info.value.code, len(cut_counts)) == ("server-lost", TRIES)
    cut_counts.clear()
    with pytest.raises(StorageError) as error_info:
        store.server.run_write_transaction(cut_connection, lambda _connection: None)
    assert (error_info.value.code, len(cut_counts)) == ("server-lost-saving", 1 + TRIES)
    assert store.stored_revision == 0


def test_server_closes_a_connection_with_refused_settings(cluster: Cluster, database: Address) -> None:
    with pytest.raises(StorageError):
        ServerStorage(database, timeout=1e9)
    while cluster.cut_connections(database.stem):  # the server notices after a moment
        pass


def test_convert_errors_maps_errors_of_the_driver_to_codes(store: Store) -> None:
    closed_error = psycopg.OperationalError("consuming input failed: server closed the connection unexpectedly")
    for error, code in (
        (closed_error, "server-lost"),
        (OSError("Bad file descriptor"), "server-lost"),
        (psycopg.InterfaceError("no COPY in progress"), "file-damaged"),
        (psycopg.DataError("no NUL bytes"), "value-unstorable"),
    ):
        with (
            pytest.raises(StorageError) as error_info,
            store.location.convert_to_storage_errors(default_code="file-damaged"),
        ):
            raise error
        assert error_info.value.code == code
    with pytest.raises(psycopg.ProgrammingError), store.location.convert_to_storage_errors():
        raise psycopg.ProgrammingError("a mistake of ours")


# --- secrets


def test_store_errors_contain_no_password(
    cluster: Cluster, database: Address, store: Store, tmp_path: Path
) -> None:
    store.server.create_login_or_change_role("anna", Role.ENTRY, "s3cret")
    for address_text in (
        f"postgresql://anna:s3cret@h:5/{database.stem}",
        "postgresql://anna@h/d?password=s3cret&port=6",
    ):
        address = Address.parse(address_text)
        assert "s3cret" not in f"{address} {address!r} {address.stem}"
    wrong_address = cluster.make_address(database.stem, "anna", "wr0ng")
    with pytest.raises(StorageError) as error_info:
        Store.open(wrong_address)
    assert error_info.value.code == "server-password"
    assert (
        "wr0ng"
        not in f"{error_info.value} {error_info.value!r} {error_info.value.__cause__!r} {store.location.name}"
    )
    log = (cluster.folder / "log").read_text()
    assert "s3cret" not in log
    assert "wr0ng" not in log


def test_store_errors_of_an_invalid_address_contain_no_password() -> None:
    with pytest.raises(StorageError) as error_info:
        Store.open(Address.parse("postgresql://anna:s3cret%zz@127.0.0.1:1/event"))
    assert error_info.value.code == "server-address"
    assert "s3cret" not in f"{error_info.value!r} {error_info.value.__cause__!r}"


def test_closed_store_does_not_reconnect(database: Address) -> None:
    store = Store.create(database, make_played_tournament())
    store.close()
    with pytest.raises(RuntimeError):
        store.load_tournament_and_revision()


@pytest.mark.parametrize("text", ["postgresql//x", "postgres:x", "http://x/y", "postgresql://x:y@h:port/d"])
def test_address_parse_refuses_other_texts(text: str) -> None:
    with pytest.raises(StorageError) as error_info:
        Address.parse(text)
    assert error_info.value.code == "server-address"
    assert "y@" not in str(error_info.value)


def test_open_server_names_the_missing_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tdapp.storage.connection_timeouts", raising=False)
    monkeypatch.delattr(storage, "connection_timeouts", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert get_code_at_open(Address.parse("postgresql://a@h/d")) == "server-driver-missing"


def test_save_step_waits_for_another_writer(store: Store, database: Address) -> None:
    steps: list[int] = []
    changes = change_score(1, store.load_tournament_and_revision()[0])[1]
    with psycopg.connect(database.secret) as blocker:
        blocker.execute("SELECT FROM tdapp.meta FOR UPDATE")
        thread = Thread(target=lambda: steps.append(store.save_step(changes, make_step(1)).revision))
        thread.start()
        time.sleep(0.1)
        assert steps == []
    thread.join()
    assert steps == [1]
