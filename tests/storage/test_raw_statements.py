"""Tests of raw SQL with the password of a station: each statement by each role, in a real cluster."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from typing import Any

import pytest
from sqlalchemy import bindparam, select

from tdapp.desk import Desk, get_utc_timestamp
from tdapp.domain import commands
from tdapp.domain.errors import StorageError
from tdapp.domain.model import Game
from tdapp.domain.roles import Role
from tdapp.domain.serialization import convert_to_builtins
from tdapp.storage import Address, Store, databases, listener, logins, station_functions
from tdapp.storage.columns import format_compact_json
from tdapp.storage.station_functions import LOCK_LIMIT
from tests.building import get_game_at, make_event, pair_next
from tests.conftest import AttemptRecorder
from tests.desk.test_desk import are_equal, rename_event
from tests.storage.postgres import Cluster
from tests.storage.raw_statements import (
    ALL,
    ATTEMPTS,
    CHALLENGE,
    DESKS,
    GAME,
    NEW,
    PRINTOUT,
    SANCTION,
    SHEET,
    SLIP,
    WORD_RULING,
    Attempt,
    make_insertion,
    make_step_statement,
)

psycopg = pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")
LOCK_WAIT_LIMIT = 5.0  # seconds that a step may wait for a lock
LIMITS = {
    "statement_timeout": "1min",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "10s",
    "temp_file_limit": "64MB",
}
SLACK = 3.0  # seconds, for a busy machine


class AttackedServer:
    """A shared tournament with a login for each role, and the data for attacks."""

    def __init__(self, cluster: Cluster, database: Address) -> None:
        self.cluster, self.database = cluster, database
        self.director = Desk.create(database, make_event(8))
        pair_next(self.director)
        for role in ALL:
            self.director.store.server.create_login_or_change_role(self.make_login(role), role, "open")
        entry = Desk.open(self.make_address(Role.ENTRY))
        enter_score(entry, get_game_at(entry.tournament, 2), 410)
        entry.close()
        rename_event(self.director, "Theirs")
        self.value = self.director.tournament

    def make_login(self, role: Role) -> str:
        return f"{role}_{self.database.stem}"

    def make_address(self, role: Role) -> Address:
        return self.cluster.make_address(self.database.stem, self.make_login(role), "open")

    def fill_in_statement(self, attempt: Attempt, role: Role) -> str:
        """Return the statement with values instead of its `@` words."""
        value, steps = self.value, self.director.list_all_steps()
        game, other_game = get_game_at(value, 1), get_game_at(value, 2)
        names = {
            "@EVENTROW": format_compact_json(convert_to_builtins(value.event)),
            "@EVENT": value.event.id,
            "@GAME": game.id,
            "@OTHER": other_game.id,
            "@FIRST": game.first,
            "@SECOND": game.second,
            "@THIRD": other_game.first,
            "@ROUND": game.round,
            "@REASON": format_compact_json(convert_to_builtins(game.reason)),
            "@SEQ": str(len(steps) + 1),
            "@AT": get_utc_timestamp(),
            "@MINE": "2",
            "@THEIRS": "3",
            "@RESULT": format_compact_json(convert_to_builtins(value.results[other_game.id])),
            "@LOGIN": self.make_login(role),
            "@DATABASE": self.database.stem,
            "@PID": str(self.find_director_pid()),
        }
        statement = attempt.statement
        for name, text in names.items():
            statement = statement.replace(name, text)
        assert "@" not in statement
        return statement

    def connect_as_attacker(self, role: Role, *, autocommit: bool = False) -> Any:
        """Connect with a foreign program that has no limits."""
        connection = psycopg.connect(self.make_address(role).secret, autocommit=True)
        for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
            connection.execute(f"SET {limit} TO 0")
        connection.autocommit = autocommit
        return connection

    def find_director_pid(self) -> object:
        query = f"SELECT pid FROM pg_stat_activity WHERE usename = 'owner' AND datname = '{self.database.stem}'"  # noqa: S608
        return self.cluster.run_statement(query)[0][0]


def enter_score(desk: Desk, game: Game, points: int) -> None:
    desk.do(partial(commands.enter_result, game=game.id, first=points, second=300))


@pytest.fixture
def server(cluster: Cluster, database: Address) -> Iterator[AttackedServer]:
    server = AttackedServer(cluster, database)
    yield server
    server.director.close()


def is_refused(connection: Any, statement: str) -> bool:
    """Send a statement and return whether it was refused. Its transaction stays open."""
    try:
        connection.execute(statement)
    except psycopg.Error:
        return True
    return False


def test_raw_statements_list_is_long_enough() -> None:
    assert len({attempt.statement for attempt in ATTEMPTS}) == len(ATTEMPTS) >= 80


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("role", sorted(ALL))
def test_raw_statements_change_reveal_and_block_nothing(
    server: AttackedServer, role: Role, record_attempts: AttemptRecorder
) -> None:
    record_attempts("raw statements by stations", len(ATTEMPTS))
    outcomes, slowest_step = [], 0.0
    for attempt in ATTEMPTS:
        statement = server.fill_in_statement(attempt, role)
        with server.connect_as_attacker(
            role, autocommit=attempt.needs_autocommit
        ) as connection:  # its transaction stays open
            outcomes.append((attempt.statement, is_refused(connection, statement)))
            start_time = time.monotonic()
            rename_event(server.director, "While attacked")
            server.director.undo()
            slowest_step = max(slowest_step, time.monotonic() - start_time)
    assert [outcome for outcome in outcomes if outcome[1]] == [
        (attempt.statement, True) for attempt in ATTEMPTS if role not in attempt.allowed
    ]
    assert slowest_step < LOCK_WAIT_LIMIT
    check_unharmed(server)


def check_unharmed(server: AttackedServer) -> None:
    """Check that the tournament opens for all roles, is undamaged, and has not changed."""
    server.director.apply_changes_of_other_computers()
    assert are_equal(server.director.tournament, server.value)
    for address in (server.database, *map(server.make_address, ALL)):
        with closing(Desk.open(address)) as desk:
            assert desk.store.find_damage() == []
            assert {step.station for step in desk.list_all_steps()} <= {"director", server.make_login(Role.ENTRY)}


@pytest.mark.parametrize("role", sorted(DESKS))
def test_raw_statements_are_variants_of_accepted_steps(server: AttackedServer, role: Role) -> None:
    steps = [
        make_step_statement(make_insertion("results", "@GAME", NEW)),
        make_step_statement(make_insertion("slips", "x", SLIP), label="enter-slip"),
        make_step_statement(make_insertion("printouts", "x", PRINTOUT), label="note-printouts"),
        make_step_statement(f'[["games","@GAME",{GAME},{GAME.replace("assigned", "drawn")}]]'),
        make_step_statement(make_insertion("sanctions", "x", SANCTION), label="add-sanction"),
        make_step_statement(make_insertion("sheets", "x", SHEET), label="enter-sheet"),
        make_step_statement(make_insertion("word_rulings", "x", WORD_RULING), label="rule-on-word"),
        make_step_statement(
            make_insertion("challenges", "x", CHALLENGE.replace('"joint":null', '"joint":"valid"')),
            label="record-challenge",
        ),
    ]
    for attempt in map(Attempt, steps[:4] if role is Role.ENTRY else steps):
        with server.connect_as_attacker(role) as attacker:
            attacker.execute(server.fill_in_statement(attempt, role))
        server.director.apply_changes_of_other_computers()
    with closing(Desk.open(server.database)) as desk:
        assert desk.list_all_steps()[-1].station == server.make_login(role)
        assert desk.store.find_damage() == []
        assert len(desk.tournament.results) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement", ["SELECT tdapp.hold()", make_step_statement(make_insertion("results", "@GAME", NEW))]
)
def test_raw_transaction_that_stays_open_is_ended(server: AttackedServer, statement: str) -> None:
    attacker = server.connect_as_attacker(Role.ENTRY)
    attacker.execute(server.fill_in_statement(Attempt(statement), Role.ENTRY))
    start_time = time.monotonic()
    rename_event(server.director, "Not blocked")
    assert time.monotonic() - start_time < LOCK_WAIT_LIMIT + SLACK
    with pytest.raises(psycopg.Error):
        attacker.execute("SELECT 1")
    with closing(Desk.open(server.make_address(Role.JURY))) as jury:
        assert jury.tournament.event.name == "Not blocked"
        assert jury.store.find_damage() == []


def test_raw_transaction_that_is_new_blocks_and_is_named(server: AttackedServer) -> None:
    with (
        server.connect_as_attacker(Role.ENTRY) as entry,
        closing(Store.open(server.database, timeout=0.2)) as impatient_store,
    ):
        entry.execute("SELECT tdapp.hold()")
        with pytest.raises(StorageError) as error_info, closing(Desk(impatient_store)) as desk:
            rename_event(desk, "Too early")
        assert error_info.value.code == "server-locked"
        assert error_info.value.facts["who"] == server.make_login(Role.ENTRY)
        entry.execute("SELECT 1")


@pytest.mark.slow
def test_raw_transaction_that_only_reads_does_not_block_remove_deleted_data_from_disk(
    server: AttackedServer,
) -> None:
    with suppress(psycopg.Error), server.connect_as_attacker(Role.JURY) as attacker:
        attacker.execute("LOCK TABLE tdapp.meta IN ACCESS SHARE MODE")
        time.sleep(LOCK_LIMIT)
        server.director.store.remove_deleted_data_from_disk()
        with pytest.raises(psycopg.Error):
            attacker.execute("SELECT 1")


def test_station_login_limits_its_connections(server: AttackedServer) -> None:
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(closing(Store.open(server.make_address(Role.ENTRY))))
        with pytest.raises(StorageError, match="server-full"):
            Store.open(server.make_address(Role.ENTRY))
    with closing(Store.open(server.make_address(Role.JURY))):
        rename_event(server.director, "There is room")


def test_notifications_of_a_thousand_are_merged(server: AttackedServer) -> None:
    with closing(Store.open(server.make_address(Role.JURY))) as jury:
        assert jury.wait_for_change(5)
        with server.connect_as_attacker(Role.DISPLAY) as attacker:
            attacker.execute("SELECT pg_notify('tdapp', i::text) FROM generate_series(1, 1000) i")
        count = 0
        while jury.wait_for_change(0.2):
            count += 1
        assert 1 <= count < 20


def test_station_login_has_limits_from_the_start(server: AttackedServer) -> None:
    codes = {}
    for role in ALL:
        with closing(psycopg.connect(server.make_address(role).secret)) as station:
            codes[role] = {name: station.execute(f"SHOW {name}").fetchone()[0] for name in LIMITS}
    assert codes == dict.fromkeys(ALL, LIMITS)


def test_notification_of_a_forged_end_is_ignored(server: AttackedServer) -> None:
    with closing(Store.open(server.make_address(Role.JURY))) as jury:
        assert jury.wait_for_change(5)
        with server.connect_as_attacker(Role.DISPLAY) as attacker:
            attacker.execute("NOTIFY tdapp, 'ended'")
        assert jury.wait_for_change(5)
        server.cluster.run_statement(f"ALTER DATABASE {server.database.stem} ALLOW_CONNECTIONS false")
        server.cluster.cut_connections(server.database.stem)
        with pytest.raises(StorageError, match="server-refused"):
            jury.load_tournament_and_revision()
        server.cluster.run_statement(f"ALTER DATABASE {server.database.stem} ALLOW_CONNECTIONS true")


def test_remove_login_ends_the_sessions_at_once(server: AttackedServer) -> None:
    with closing(Store.open(server.make_address(Role.JURY))) as jury:
        server.director.store.server.remove_login(server.make_login(Role.JURY))
        with pytest.raises(StorageError):
            jury.load_tournament_and_revision()
    roles = {station.login for station in server.director.store.server.list_stations()}
    assert roles == {server.make_login(Role.ENTRY), server.make_login(Role.DISPLAY)}


def test_remove_login_reports_a_session_without_rights_that_remains(
    server: AttackedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logins, "_END_SESSIONS", select(bindparam("login")))
    with server.connect_as_attacker(Role.JURY, autocommit=True) as jury:
        with pytest.raises(StorageError, match="station-stays"):
            server.director.store.server.remove_login(server.make_login(Role.JURY))
        for statement in ("SELECT FROM tdapp.players", "SELECT tdapp.hold()", "SELECT tdapp_public.role_here()"):
            assert is_refused(jury, statement)


def test_revoke_rights_in_default_databases_allows_only_listing(server: AttackedServer) -> None:
    databases.revoke_rights_in_default_databases(server.cluster.make_address("postgres"))
    address = server.cluster.make_address("postgres", server.make_login(Role.JURY), "open")
    stems = [tournament.address.stem for tournament in databases.list_tournaments(address)]
    assert stems == [server.database.stem]
    with closing(psycopg.connect(address.secret, autocommit=True)) as jury:
        for statement in (
            "CREATE TEMP TABLE more ()",
            "CREATE TABLE more ()",
            "SELECT pg_advisory_lock(1)",
            "SELECT lo_create(0)",
            "SELECT pg_logical_emit_message(false, 'x', 'y')",
        ):
            assert is_refused(jury, statement)
        assert jury.execute("SHOW temp_file_limit").fetchone() == ("64MB",)
    with pytest.raises(psycopg.OperationalError, match="permission denied"):
        psycopg.connect(server.cluster.make_address("template1", server.make_login(Role.JURY), "open").secret)


def test_station_cannot_fill_log_of_own_server(server: AttackedServer) -> None:
    log = server.cluster.folder / "log"
    before = log.stat().st_size
    with server.connect_as_attacker(Role.DISPLAY, autocommit=True) as display:
        for level in ("WARNING", "LOG", "EXCEPTION"):
            with suppress(psycopg.Error):
                display.execute(f"DO $$ BEGIN RAISE {level} '%', repeat('x', 1000000); END $$")
        assert is_refused(display, f"SELECT '{'x' * 100_000}'::integer")
    assert log.stat().st_size - before < 10_000


@pytest.mark.slow
def test_owner_ends_long_transactions(
    cluster: Cluster, database: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(station_functions, "TRANSACTION_LIMIT", 2)
    monkeypatch.setattr(listener, "_CHECK_INTERVAL", 0.5)
    server = AttackedServer(cluster, database)
    own_connection, other_connection = (
        psycopg.connect(server.cluster.make_address(name, server.make_login(Role.DISPLAY), "open").secret)
        for name in (database.stem, "postgres")
    )
    with closing(server.director), closing(own_connection), closing(other_connection):
        for attacker in (own_connection, other_connection):
            attacker.execute("SET idle_in_transaction_session_timeout TO 0")
        end = time.monotonic() + 10
        while not (own_connection.closed and other_connection.closed) and time.monotonic() < end:
            server.director.store.wait_for_change(0.2)
            for attacker in (own_connection, other_connection):
                with suppress(psycopg.Error):
                    list(attacker.notifies(timeout=0))
        assert own_connection.closed
        assert other_connection.closed
        rename_event(server.director, "Not blocked")


def list_remaining_logins(cluster: Cluster, *names: str) -> list[object]:
    quoted_names = ", ".join(f"'{name}'" for name in names)
    query = f"SELECT rolname FROM pg_roles WHERE rolname IN ({quoted_names})"  # noqa: S608
    return [name for (name,) in cluster.run_statement(query)]


def make_large_object(address: Address) -> None:
    with closing(psycopg.connect(address.secret, autocommit=True)) as station:
        station.execute("SELECT lo_from_bytea(0, 'x')")


def test_remove_login_deletes_large_objects(server: AttackedServer) -> None:
    database_name, login = server.cluster.make_database().stem, server.make_login(Role.DISPLAY)
    make_large_object(server.cluster.make_address(database_name, login, "open"))
    server.director.store.server.remove_login(login)
    assert list_remaining_logins(server.cluster, login) == []
    assert server.cluster.run_statement("SELECT FROM pg_largeobject_metadata", database_name) == []
    server.cluster.run_statement(f"DROP DATABASE {database_name}")


def test_remove_login_keeps_login_of_other_tournament(server: AttackedServer) -> None:
    login, address = server.make_login(Role.JURY), server.cluster.make_database()
    with closing(Desk.create(address, make_event(8))) as second:
        assert not second.store.server.create_login_or_change_role(login, Role.JURY, "")
        second.store.server.remove_login(login)
    Store.open(server.make_address(Role.JURY)).close()
    server.cluster.run_statement(f"DROP DATABASE {address.stem} WITH (FORCE)")


def test_remove_login_keeps_login_that_existed_before(server: AttackedServer) -> None:
    name = f"friend_{server.database.stem}"
    server.cluster.run_statement(f"CREATE ROLE {name} LOGIN PASSWORD 'open'")
    server.director.store.server.create_login_or_change_role(name, Role.ENTRY, "")
    server.director.store.server.remove_login(name)
    assert list_remaining_logins(server.cluster, name) == [name]
    with closing(psycopg.connect(server.cluster.make_address("postgres", name, "open").secret)):
        pass
    server.cluster.run_statement(f"DROP ROLE {name}")


@pytest.fixture
def rented_database(cluster: Cluster) -> Iterator[Address]:
    """An empty database on a foreign server. Its owner is no superuser."""
    name = f"hired{next(cluster.numbers)}"
    cluster.run_statement(f"CREATE ROLE {name} LOGIN CREATEDB CREATEROLE PASSWORD 'x'")
    address = cluster.make_address(name, name, "x")
    databases.create_database(address)
    yield address
    cluster.run_statement(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@pytest.mark.slow
def test_owner_without_superuser_rights_has_the_same_protection(
    rented_database: Address, cluster: Cluster
) -> None:
    server = AttackedServer(cluster, rented_database)
    with closing(server.director), closing(server.connect_as_attacker(Role.JURY)) as attacker:
        attacker.execute("SELECT tdapp.hold()")
        start_time = time.monotonic()
        rename_event(server.director, "Not blocked")
        assert time.monotonic() - start_time < LOCK_WAIT_LIMIT + SLACK
        assert is_refused(attacker, "SELECT 1")
        with closing(Store.open(server.make_address(Role.DISPLAY))):
            server.director.store.server.remove_login(server.make_login(Role.DISPLAY))
        with pytest.raises(StorageError, match="server-password"):
            Store.open(server.make_address(Role.DISPLAY))
    with closing(server.connect_as_attacker(Role.JURY, autocommit=True)) as jury:
        assert not is_refused(jury, "SELECT FROM tdapp.players")
        for statement in (
            "CREATE TEMP TABLE more ()", "CREATE TABLE public.more ()", "UPDATE tdapp.meta SET head = ''",
        ):  # fmt: skip
            assert is_refused(jury, statement)


@pytest.mark.slow
def test_delete_tournament_deletes_or_names_logins_with_large_objects(
    rented_database: Address, cluster: Cluster
) -> None:
    """An owner without superuser rights cannot forbid large objects."""
    database_name = cluster.make_database().stem
    server = AttackedServer(cluster, rented_database)
    server.director.close()
    roles = [server.make_login(role) for role in sorted(ALL)]
    for address in (
        server.make_address(Role.DISPLAY),
        cluster.make_address(database_name, server.make_login(Role.JURY), "open"),
    ):
        make_large_object(address)
    cluster.run_statement(f"ALTER DATABASE {database_name} ALLOW_CONNECTIONS false")
    remaining = databases.delete_tournament_and_logins(rented_database)
    assert [(error.code, error.facts["login"], error.facts["detail"]) for error in remaining] == [
        ("login-stays", server.make_login(Role.JURY), database_name)
    ]
    assert list_remaining_logins(cluster, *roles) == [server.make_login(Role.JURY)]
    with pytest.raises(psycopg.OperationalError, match="not permitted to log in"):
        psycopg.connect(cluster.make_address("postgres", server.make_login(Role.JURY), "open").secret)
    cluster.run_statement(f"DROP DATABASE {database_name}")


@pytest.mark.slow
def test_owner_ends_sessions_with_advisory_locks(
    rented_database: Address, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "_CHECK_INTERVAL", 0.5)
    server = AttackedServer(cluster, rented_database)
    with closing(server.director), server.connect_as_attacker(Role.DISPLAY, autocommit=True) as display:
        server.director.store.wait_for_change(0)
        display.execute("SELECT pg_advisory_lock(i) FROM generate_series(1, 10000) i")
        end = time.monotonic() + 10
        while not is_refused(display, "SELECT 1") and time.monotonic() < end:
            server.director.store.wait_for_change(0.2)
        assert display.closed
        rename_event(server.director, "Not blocked")
