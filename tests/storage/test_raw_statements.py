"""Raw SQL with the password of a station: each statement by each role, in a real cluster."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from typing import Any

import pytest
from sqlalchemy import bindparam, select

from tdapp.desk import Desk, utc_now
from tdapp.domain import commands
from tdapp.domain.errors import StorageError
from tdapp.domain.model import Game
from tdapp.domain.roles import Role
from tdapp.domain.serialization import encode_plain
from tdapp.storage import Address, Store, databases, listener, logins, station_functions
from tdapp.storage.columns import encode_json
from tdapp.storage.station_functions import LOCK_LIMIT
from tests.building import get_game_at, make_event, pair_next
from tests.conftest import Tally
from tests.desk.test_desk import rename, same
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
    came,
)
from tests.storage.raw_statements import step as step_sent

psycopg = pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")
PATIENCE = 5.0  # seconds that a step may wait for a lock
LIMITS = {
    "statement_timeout": "1min",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "10s",
    "temp_file_limit": "64MB",
}
SLACK = 3.0  # on a busy machine


class Hall:
    """A shared tournament with a login for each role, and the data for attacks."""

    def __init__(self, cluster: Cluster, database: Address) -> None:
        self.cluster, self.database = cluster, database
        self.director = Desk.create(database, make_event(8))
        pair_next(self.director)
        for role in ALL:
            self.director.store.server.grant_login(self.login(role), role, "open")
        entry = Desk.open(self.address(Role.ENTRY))
        enter(entry, get_game_at(entry.tournament, 2), 410)
        entry.close()
        rename(self.director, "Theirs")
        self.value = self.director.tournament

    def login(self, role: Role) -> str:
        return f"{role}_{self.database.stem}"

    def address(self, role: Role) -> Address:
        return self.cluster.address(self.database.stem, self.login(role), "open")

    def statement(self, attempt: Attempt, role: Role) -> str:
        """Return the statement with the values that only the test knows."""
        value, steps = self.value, self.director.history()
        game, other_game = get_game_at(value, 1), get_game_at(value, 2)
        names = {
            "@EVENTROW": encode_json(encode_plain(value.event)),
            "@EVENT": value.event.id,
            "@GAME": game.id,
            "@OTHER": other_game.id,
            "@FIRST": game.first,
            "@SECOND": game.second,
            "@THIRD": other_game.first,
            "@ROUND": game.round,
            "@REASON": encode_json(encode_plain(game.reason)),
            "@SEQ": str(len(steps) + 1),
            "@AT": utc_now(),
            "@MINE": "2",
            "@THEIRS": "3",
            "@RESULT": encode_json(encode_plain(value.results[other_game.id])),
            "@LOGIN": self.login(role),
            "@DATABASE": self.database.stem,
            "@PID": str(self.pid()),
        }
        statement = attempt.statement
        for name, text in names.items():
            statement = statement.replace(name, text)
        assert "@" not in statement
        return statement

    def attacker(self, role: Role, *, autocommit: bool = False) -> Any:
        """Connect with a foreign program that has no limits."""
        connection = psycopg.connect(self.address(role).secret, autocommit=True)
        for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
            connection.execute(f"SET {limit} TO 0")
        connection.autocommit = autocommit
        return connection

    def pid(self) -> object:
        query = f"SELECT pid FROM pg_stat_activity WHERE usename = 'owner' AND datname = '{self.database.stem}'"  # noqa: S608
        return self.cluster.run(query)[0][0]


def enter(desk: Desk, game: Game, points: int) -> None:
    desk.do(partial(commands.enter_result, game=game.id, first=points, second=300))


@pytest.fixture
def hall(cluster: Cluster, database: Address) -> Iterator[Hall]:
    hall = Hall(cluster, database)
    yield hall
    hall.director.close()


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
def test_raw_statements_change_reveal_and_block_nothing(hall: Hall, role: Role, tried: Tally) -> None:
    tried("raw statements by stations", len(ATTEMPTS))
    outcomes, slowest = [], 0.0
    for attempt in ATTEMPTS:
        statement = hall.statement(attempt, role)
        with hall.attacker(role, autocommit=attempt.alone) as attacker:  # its transaction stays open meanwhile
            outcomes.append((attempt.statement, is_refused(attacker, statement)))
            started = time.monotonic()
            rename(hall.director, "While attacked")
            hall.director.undo()
            slowest = max(slowest, time.monotonic() - started)
    assert [outcome for outcome in outcomes if outcome[1]] == [
        (attempt.statement, True) for attempt in ATTEMPTS if role not in attempt.allowed
    ]
    assert slowest < PATIENCE
    assert_unharmed(hall)


def assert_unharmed(hall: Hall) -> None:
    """Check that everything opens, is sound, and has not changed."""
    hall.director.read_store_changes()
    assert same(hall.director.tournament, hall.value)
    for address in (hall.database, *map(hall.address, ALL)):
        with closing(Desk.open(address)) as desk:
            assert desk.store.find_damage() == []
            assert {step.station for step in desk.history()} <= {"director", hall.login(Role.ENTRY)}


@pytest.mark.parametrize("role", sorted(DESKS))
def test_raw_statements_vary_steps_that_are_accepted(hall: Hall, role: Role) -> None:
    steps = [
        step_sent(came("results", "@GAME", NEW)),
        step_sent(came("slips", "x", SLIP), label="enter-slip"),
        step_sent(came("printouts", "x", PRINTOUT), label="note-printouts"),
        step_sent(f'[["games","@GAME",{GAME},{GAME.replace("assigned", "drawn")}]]'),
        step_sent(came("sanctions", "x", SANCTION), label="add-sanction"),
        step_sent(came("sheets", "x", SHEET), label="enter-sheet"),
        step_sent(came("word_rulings", "x", WORD_RULING), label="rule-on-word"),
        step_sent(
            came("challenges", "x", CHALLENGE.replace('"joint":null', '"joint":"valid"')), label="record-challenge"
        ),
    ]
    for attempt in map(Attempt, steps[:4] if role is Role.ENTRY else steps):
        with hall.attacker(role) as attacker:
            attacker.execute(hall.statement(attempt, role))
        hall.director.read_store_changes()
    with closing(Desk.open(hall.database)) as desk:
        assert desk.history()[-1].station == hall.login(role)
        assert desk.store.find_damage() == []
        assert len(desk.tournament.results) == 2


@pytest.mark.slow
@pytest.mark.parametrize("statement", ["SELECT tdapp.hold()", step_sent(came("results", "@GAME", NEW))])
def test_raw_transaction_that_stays_open_is_ended(hall: Hall, statement: str) -> None:
    attacker = hall.attacker(Role.ENTRY)
    attacker.execute(hall.statement(Attempt(statement), Role.ENTRY))
    started = time.monotonic()
    rename(hall.director, "Not blocked")
    assert time.monotonic() - started < PATIENCE + SLACK
    with pytest.raises(psycopg.Error):
        attacker.execute("SELECT 1")
    with closing(Desk.open(hall.address(Role.JURY))) as jury:
        assert jury.tournament.event.name == "Not blocked"
        assert jury.store.find_damage() == []


def test_raw_transaction_that_has_just_begun_is_named(hall: Hall) -> None:
    with hall.attacker(Role.ENTRY) as entry, closing(Store.open(hall.database, timeout=0.2)) as hasty:
        entry.execute("SELECT tdapp.hold()")
        with pytest.raises(StorageError) as error_info, closing(Desk(hasty)) as desk:
            rename(desk, "Too early")
        assert error_info.value.code == "server-locked"
        assert error_info.value.facts["who"] == hall.login(Role.ENTRY)
        entry.execute("SELECT 1")


@pytest.mark.slow
def test_raw_transaction_that_reads_for_ever_does_not_block_remove_traces(hall: Hall) -> None:
    with suppress(psycopg.Error), hall.attacker(Role.JURY) as attacker:
        attacker.execute("LOCK TABLE tdapp.meta IN ACCESS SHARE MODE")
        time.sleep(LOCK_LIMIT)
        hall.director.store.remove_overwritten_data()
        with pytest.raises(psycopg.Error):
            attacker.execute("SELECT 1")


def test_station_login_limits_its_connections(hall: Hall) -> None:
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(closing(Store.open(hall.address(Role.ENTRY))))
        with pytest.raises(StorageError, match="server-full"):
            Store.open(hall.address(Role.ENTRY))
    with closing(Store.open(hall.address(Role.JURY))):
        rename(hall.director, "There is room")


def test_notifications_of_a_thousand_are_merged(hall: Hall) -> None:
    with closing(Store.open(hall.address(Role.JURY))) as jury:
        assert jury.wait_for_change(5)
        with hall.attacker(Role.DISPLAY) as attacker:
            attacker.execute("SELECT pg_notify('tdapp', i::text) FROM generate_series(1, 1000) i")
        count = 0
        while jury.wait_for_change(0.2):
            count += 1
        assert 1 <= count < 20


def test_station_login_has_limits_from_the_start(hall: Hall) -> None:
    codes = {}
    for role in ALL:
        with closing(psycopg.connect(hall.address(role).secret)) as station:
            codes[role] = {name: station.execute(f"SHOW {name}").fetchone()[0] for name in LIMITS}
    assert codes == dict.fromkeys(ALL, LIMITS)


def test_notification_of_a_forged_end_is_ignored(hall: Hall) -> None:
    with closing(Store.open(hall.address(Role.JURY))) as jury:
        assert jury.wait_for_change(5)
        with hall.attacker(Role.DISPLAY) as attacker:
            attacker.execute("NOTIFY tdapp, 'ended'")
        assert jury.wait_for_change(5)
        hall.cluster.run(f"ALTER DATABASE {hall.database.stem} ALLOW_CONNECTIONS false")
        hall.cluster.kill(hall.database.stem)
        with pytest.raises(StorageError, match="server-refused"):
            jury.load()
        hall.cluster.run(f"ALTER DATABASE {hall.database.stem} ALLOW_CONNECTIONS true")


def test_dismiss_login_ends_the_sessions_at_once(hall: Hall) -> None:
    with closing(Store.open(hall.address(Role.JURY))) as jury:
        hall.director.store.server.remove_login(hall.login(Role.JURY))
        with pytest.raises(StorageError):
            jury.load()
    roles = {station.login for station in hall.director.store.server.list_stations()}
    assert roles == {hall.login(Role.ENTRY), hall.login(Role.DISPLAY)}


def test_dismiss_login_reports_a_session_without_rights_that_remains(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logins, "_END_SESSIONS", select(bindparam("login")))
    with hall.attacker(Role.JURY, autocommit=True) as jury:
        with pytest.raises(StorageError, match="station-stays"):
            hall.director.store.server.remove_login(hall.login(Role.JURY))
        for statement in ("SELECT FROM tdapp.players", "SELECT tdapp.hold()", "SELECT tdapp_public.role_here()"):
            assert is_refused(jury, statement)


def test_restrict_other_databases_allows_only_listing(hall: Hall) -> None:
    databases.restrict_default_databases(hall.cluster.address("postgres"))
    address = hall.cluster.address("postgres", hall.login(Role.JURY), "open")
    stems = [tournament.address.stem for tournament in databases.list_tournaments(address)]
    assert stems == [hall.database.stem]
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
        psycopg.connect(hall.cluster.address("template1", hall.login(Role.JURY), "open").secret)


def test_station_cannot_fill_log_of_own_server(hall: Hall) -> None:
    log = hall.cluster.folder / "log"
    before = log.stat().st_size
    with hall.attacker(Role.DISPLAY, autocommit=True) as display:
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
    hall = Hall(cluster, database)
    here_count, elsewhere_count = (
        psycopg.connect(hall.cluster.address(name, hall.login(Role.DISPLAY), "open").secret)
        for name in (database.stem, "postgres")
    )
    with closing(hall.director), closing(here_count), closing(elsewhere_count):
        for attacker in (here_count, elsewhere_count):
            attacker.execute("SET idle_in_transaction_session_timeout TO 0")
        end = time.monotonic() + 10
        while not (here_count.closed and elsewhere_count.closed) and time.monotonic() < end:
            hall.director.store.wait_for_change(0.2)
            for attacker in (here_count, elsewhere_count):
                with suppress(psycopg.Error):
                    list(attacker.notifies(timeout=0))
        assert here_count.closed
        assert elsewhere_count.closed
        rename(hall.director, "Not blocked")


def remaining_logins(cluster: Cluster, *names: str) -> list[object]:
    quoted_names = ", ".join(f"'{name}'" for name in names)
    return [name for (name,) in cluster.run(f"SELECT rolname FROM pg_roles WHERE rolname IN ({quoted_names})")]  # noqa: S608


def make_object(address: Address) -> None:
    with closing(psycopg.connect(address.secret, autocommit=True)) as station:
        station.execute("SELECT lo_from_bytea(0, 'x')")


def test_dismiss_login_deletes_large_objects(hall: Hall) -> None:
    database_name, login = hall.cluster.database().stem, hall.login(Role.DISPLAY)
    make_object(hall.cluster.address(database_name, login, "open"))
    hall.director.store.server.remove_login(login)
    assert remaining_logins(hall.cluster, login) == []
    assert hall.cluster.run("SELECT FROM pg_largeobject_metadata", database_name) == []
    hall.cluster.run(f"DROP DATABASE {database_name}")


def test_dismiss_login_keeps_login_of_other_tournament(hall: Hall) -> None:
    login, address = hall.login(Role.JURY), hall.cluster.database()
    with closing(Desk.create(address, make_event(8))) as second:
        assert not second.store.server.grant_login(login, Role.JURY, "")
        second.store.server.remove_login(login)
    Store.open(hall.address(Role.JURY)).close()
    hall.cluster.run(f"DROP DATABASE {address.stem} WITH (FORCE)")


def test_dismiss_login_keeps_login_that_existed_before(hall: Hall) -> None:
    name = f"friend_{hall.database.stem}"
    hall.cluster.run(f"CREATE ROLE {name} LOGIN PASSWORD 'open'")
    hall.director.store.server.grant_login(name, Role.ENTRY, "")
    hall.director.store.server.remove_login(name)
    assert remaining_logins(hall.cluster, name) == [name]
    with closing(psycopg.connect(hall.cluster.address("postgres", name, "open").secret)):
        pass
    hall.cluster.run(f"DROP ROLE {name}")


@pytest.fixture
def hirer(cluster: Cluster) -> Iterator[Address]:
    """An empty database on a foreign server. Its owner is no superuser."""
    name = f"hired{next(cluster.numbers)}"
    cluster.run(f"CREATE ROLE {name} LOGIN CREATEDB CREATEROLE PASSWORD 'x'")
    address = cluster.address(name, name, "x")
    databases.create_database(address)
    yield address
    cluster.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@pytest.mark.slow
def test_owner_without_superuser_rights_has_the_same_protection(hirer: Address, cluster: Cluster) -> None:
    hall = Hall(cluster, hirer)
    with closing(hall.director), closing(hall.attacker(Role.JURY)) as attacker:
        attacker.execute("SELECT tdapp.hold()")
        started = time.monotonic()
        rename(hall.director, "Not blocked")
        assert time.monotonic() - started < PATIENCE + SLACK
        assert is_refused(attacker, "SELECT 1")
        with closing(Store.open(hall.address(Role.DISPLAY))):
            hall.director.store.server.remove_login(hall.login(Role.DISPLAY))
        with pytest.raises(StorageError, match="server-password"):
            Store.open(hall.address(Role.DISPLAY))
    with closing(hall.attacker(Role.JURY, autocommit=True)) as jury:
        assert not is_refused(jury, "SELECT FROM tdapp.players")
        for statement in (
            "CREATE TEMP TABLE more ()", "CREATE TABLE public.more ()", "UPDATE tdapp.meta SET head = ''",
        ):  # fmt: skip
            assert is_refused(jury, statement)


@pytest.mark.slow
def test_delete_tournament_deletes_or_names_logins_with_large_objects(hirer: Address, cluster: Cluster) -> None:
    """An owner without superuser rights cannot forbid large objects."""
    database_name = cluster.database().stem
    hall = Hall(cluster, hirer)
    hall.director.close()
    roles = [hall.login(role) for role in sorted(ALL)]
    for address in (hall.address(Role.DISPLAY), cluster.address(database_name, hall.login(Role.JURY), "open")):
        make_object(address)
    cluster.run(f"ALTER DATABASE {database_name} ALLOW_CONNECTIONS false")
    remaining = databases.delete_tournament(hirer)
    assert [(error.code, error.facts["login"], error.facts["detail"]) for error in remaining] == [
        ("login-stays", hall.login(Role.JURY), database_name)
    ]
    assert remaining_logins(cluster, *roles) == [hall.login(Role.JURY)]
    with pytest.raises(psycopg.OperationalError, match="not permitted to log in"):
        psycopg.connect(cluster.address("postgres", hall.login(Role.JURY), "open").secret)
    cluster.run(f"DROP DATABASE {database_name}")


@pytest.mark.slow
def test_owner_ends_sessions_with_advisory_locks(
    hirer: Address, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "_CHECK_INTERVAL", 0.5)
    hall = Hall(cluster, hirer)
    with closing(hall.director), hall.attacker(Role.DISPLAY, autocommit=True) as display:
        hall.director.store.wait_for_change(0)
        display.execute("SELECT pg_advisory_lock(i) FROM generate_series(1, 10000) i")
        end = time.monotonic() + 10
        while not is_refused(display, "SELECT 1") and time.monotonic() < end:
            hall.director.store.wait_for_change(0.2)
        assert display.closed
        rename(hall.director, "Not blocked")
