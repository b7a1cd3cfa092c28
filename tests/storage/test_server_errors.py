"""What each error of the engine and of the way to it is called; no server is needed for it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tdapp.domain.errors import StorageError
from tdapp.storage.listener import NotificationListener
from tdapp.storage.server import _CODES, Server

psycopg = pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")
ADDRESS, SECRET = "postgresql://ann@hall/event", "postgresql://ann:s3cret@hall/event"


@pytest.fixture
def server() -> Server:
    made = object.__new__(Server)
    made.name, made._secret, made._driver = ADDRESS, SECRET, psycopg
    made._listener = NotificationListener(lambda: psycopg.connect(SECRET), psycopg.Error)
    return made


def error(sqlstate: str | None = None, kind: str = "OperationalError", text: str = "it went wrong") -> Exception:
    if sqlstate and sqlstate.startswith("TD"):  # one of our functions' own
        found: Exception = type("Ours", (psycopg.DatabaseError,), {"sqlstate": sqlstate})(text)
    else:
        found = (psycopg.errors.lookup(sqlstate) if sqlstate else getattr(psycopg, kind))(text)
    return found


@pytest.mark.parametrize(
    ("sqlstate", "code"),
    [
        ("08006", "server-lost"),
        ("22003", "value-unstorable"),
        ("25006", "read-only"),
        ("28000", "server-refused"),
        ("28P01", "server-password"),
        ("3D000", "server-refused"),
        ("40001", "locked"),
        ("40P01", "locked"),
        ("42501", "no-permission"),
        ("42703", "file-altered"),
        ("42P01", "file-altered"),
        ("53300", "server-full"),
        ("53100", "disk-full"),
        ("54000", "value-too-big"),
        ("55P03", "locked"),
        ("57P01", "server-lost"),
        ("57014", "locked"),
        ("58030", "disk-error"),
        ("TD002", "no-permission"),
        ("TD003", "station-clock"),
        ("TD004", "server-ended"),
        ("XX001", "file-damaged"),
    ],
)
def test_the_longest_beginning_of_a_state_counts(server: Server, sqlstate: str, code: str) -> None:
    assert server._code_of(error(sqlstate), None) == code
    assert server._code_of(error(sqlstate), "otherwise") == code


def test_every_state_that_is_known_has_a_case() -> None:
    (cases,) = (mark.args[1] for mark in test_the_longest_beginning_of_a_state_counts.pytestmark)  # type: ignore[attr-defined]
    assert set(_CODES) == {max((key for key in _CODES if state.startswith(key)), key=len) for state, _ in cases}


@pytest.mark.parametrize("otherwise", [None, "file-altered"])
def test_a_state_that_is_not_known_is_what_the_caller_says(server: Server, otherwise: str | None) -> None:
    assert server._code_of(error("42601"), otherwise) == otherwise


def test_a_broken_constraint_is_always_a_fault_of_ours(server: Server) -> None:
    assert server._code_of(error("23505"), "file-altered") is None


@pytest.mark.parametrize(
    ("kind", "text", "code"),
    [
        ("DataError", "a value", "value-unstorable"),
        ("InterfaceError", "closed", "otherwise"),
        ("OperationalError", "the connection is lost", "server-lost"),
        ("OperationalError", "connection failed: nobody listens", "server-unreachable"),
        ("OperationalError", "failed to resolve host 'hall'", "server-unreachable"),
        ("OperationalError", "connection failed: FATAL: no database", "server-refused"),
        ("OperationalError", "connection failed: FATAL: password authentication failed", "server-password"),
        ("OperationalError", "connection failed: FATAL: permission denied for database", "no-permission"),
        ("OperationalError", 'connection failed: FATAL: too many connections for role "x"', "server-full"),
    ],
)
def test_without_a_state_the_driver_says_what_it_was(server: Server, kind: str, text: str, code: str) -> None:
    assert server._code_of(error(kind=kind, text=text), "otherwise") == code


@pytest.mark.parametrize(("needs", "code"), [(True, "server-password"), (False, "server-unreachable")])
def test_a_password_that_is_missing_is_told(server: Server, needs: bool, code: str) -> None:
    class NoPassword(psycopg.OperationalError):  # type: ignore[misc, name-defined]
        pgconn = SimpleNamespace(needs_password=needs)

    assert server._code_of(NoPassword("connection failed: fe_sendauth"), None) == code


def test_nothing_is_nothing(server: Server) -> None:
    assert server._code_of(None, None) is None
    assert server._code_of(None, "file-altered") == "file-altered"


def test_only_the_first_line_is_told_and_never_the_secret(server: Server) -> None:
    assert server._detail(error(text=f"no way to {SECRET}\nHINT: more")) == f"no way to {ADDRESS}"
    assert server._detail(error(text="")) == ""
    wrapped_text = Exception("of the engine")
    wrapped_text.orig = error(text="of the driver\nmore")  # type: ignore[attr-defined]
    assert server._detail(wrapped_text) == "of the driver"


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (OSError("gone"), "server-lost"),
        (OverflowError("too big"), "value-unstorable"),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"), "value-unstorable"),
        (error("53100"), "disk-full"),
    ],
)
def test_what_goes_wrong_becomes_a_storage_error(server: Server, raised: Exception, code: str) -> None:
    with pytest.raises(StorageError) as caught, server.storage_errors():
        raise raised
    assert (caught.value.code, caught.value.facts["path"]) == (code, ADDRESS)


@pytest.mark.parametrize("state", ["57P01", "28000", "28P01", "42501"])
def test_after_the_end_was_said_being_out_is_the_end(server: Server, state: str) -> None:
    server._listener.is_ending = True
    with pytest.raises(StorageError, match="server-ended"), server.storage_errors():
        raise error(state)


def test_a_full_disk_is_told_also_after_the_end(server: Server) -> None:
    server._listener.is_ending = True
    with pytest.raises(StorageError, match="disk-full"), server.storage_errors():
        raise error("53100")


def test_a_fault_of_ours_goes_through(server: Server) -> None:
    with pytest.raises(psycopg.errors.UniqueViolation), server.storage_errors():
        raise error("23505")
    with pytest.raises(StorageError, match="file-altered"), server.storage_errors(otherwise="file-altered"):
        raise error("42601")
