"""Tests of the codes of server and connection errors. They need no server."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlalchemy.exc import DBAPIError

from tdapp.domain.errors import StorageError
from tdapp.storage.listener import NotificationListener
from tdapp.storage.server import _CODES, ServerStorage

psycopg = pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")
ADDRESS, SECRET = "postgresql://ann@hall/event", "postgresql://ann:s3cret@hall/event"


@pytest.fixture
def listener() -> NotificationListener:
    return NotificationListener(lambda: psycopg.connect(SECRET), psycopg.Error, lambda: False)


@pytest.fixture
def server(listener: NotificationListener) -> ServerStorage:
    """A server object without a connection."""
    server = object.__new__(ServerStorage)
    server.name = ADDRESS
    for name, value in {"_secret": SECRET, "_driver": psycopg, "_listener": listener}.items():
        setattr(server, name, value)
    return server


def get_code(server: ServerStorage, error: Exception, default_code: str | None = None) -> str | None:
    """Return the code of the storage error, or None if another error is raised."""
    try:
        with server.convert_to_storage_errors(default_code=default_code):
            raise error
    except StorageError as storage_error:
        return storage_error.code
    except psycopg.Error:
        return None


def get_detail(server: ServerStorage, error: Exception) -> object:
    with pytest.raises(StorageError) as error_info, server.convert_to_storage_errors(default_code="file-altered"):
        raise error
    return error_info.value.facts["detail"]


def make_error(sqlstate: str | None = None, kind: str = "OperationalError", text: str = "an error") -> Exception:
    if sqlstate and sqlstate.startswith("TD"):
        error: Exception = type("Ours", (psycopg.DatabaseError,), {"sqlstate": sqlstate})(text)
    else:
        error = (psycopg.errors.lookup(sqlstate) if sqlstate else getattr(psycopg, kind))(text)
    return error


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
def test_get_code_uses_the_longest_known_prefix_of_a_state(
    server: ServerStorage, sqlstate: str, code: str
) -> None:
    assert get_code(server, make_error(sqlstate)) == code
    assert get_code(server, make_error(sqlstate), "otherwise") == code


def test_get_code_has_a_case_for_every_known_state() -> None:
    (cases,) = (marker.args[1] for marker in test_get_code_uses_the_longest_known_prefix_of_a_state.pytestmark)  # type: ignore[attr-defined]
    assert set(_CODES) == {max((key for key in _CODES if state.startswith(key)), key=len) for state, _ in cases}


@pytest.mark.parametrize("default_code", [None, "file-altered"])
def test_get_code_returns_the_code_of_the_caller_for_an_unknown_state(
    server: ServerStorage, default_code: str | None
) -> None:
    assert get_code(server, make_error("42601"), default_code) == default_code


def test_get_code_ignores_a_violated_constraint(server: ServerStorage) -> None:
    assert get_code(server, make_error("23505"), "file-altered") is None


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
def test_get_code_accepts_an_error_without_a_state(server: ServerStorage, kind: str, text: str, code: str) -> None:
    assert get_code(server, make_error(kind=kind, text=text), "otherwise") == code


@pytest.mark.parametrize(("needs_password", "code"), [(True, "server-password"), (False, "server-unreachable")])
def test_get_code_reports_a_missing_password(server: ServerStorage, needs_password: bool, code: str) -> None:
    class NoPassword(psycopg.OperationalError):  # type: ignore[misc, name-defined]
        pgconn = SimpleNamespace(needs_password=needs_password)

    assert get_code(server, NoPassword("connection failed: fe_sendauth")) == code


def test_get_detail_returns_the_first_line_without_the_password(server: ServerStorage) -> None:
    assert get_detail(server, make_error(text=f"no way to {SECRET}\nHINT: more")) == f"no way to {ADDRESS}"
    assert get_detail(server, make_error(text="")) == ""
    wrapper = DBAPIError("SELECT 1", None, make_error(text="of the driver\nmore"))
    assert get_detail(server, wrapper) == "of the driver"


@pytest.mark.parametrize(
    ("system_error", "code"),
    [
        (OSError("gone"), "server-lost"),
        (OverflowError("too big"), "value-unstorable"),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"), "value-unstorable"),
        (make_error("53100"), "disk-full"),
    ],
)
def test_convert_errors_converts_system_errors(server: ServerStorage, system_error: Exception, code: str) -> None:
    with pytest.raises(StorageError) as error_info, server.convert_to_storage_errors():
        raise system_error
    assert (error_info.value.code, error_info.value.facts["path"]) == (code, ADDRESS)


@pytest.mark.parametrize("state", ["57P01", "28000", "28P01", "42501"])
def test_convert_errors_reports_the_announced_end_for_a_lost_connection(
    server: ServerStorage, listener: NotificationListener, state: str
) -> None:
    listener.is_ending = True
    with pytest.raises(StorageError, match="server-ended"), server.convert_to_storage_errors():
        raise make_error(state)


def test_convert_errors_reports_a_full_disk_after_the_end(
    server: ServerStorage, listener: NotificationListener
) -> None:
    listener.is_ending = True
    with pytest.raises(StorageError, match="disk-full"), server.convert_to_storage_errors():
        raise make_error("53100")


def test_convert_errors_raises_other_errors_unchanged(server: ServerStorage) -> None:
    with pytest.raises(psycopg.errors.UniqueViolation), server.convert_to_storage_errors():
        raise make_error("23505")
    with (
        pytest.raises(StorageError, match="file-altered"),
        server.convert_to_storage_errors(default_code="file-altered"),
    ):
        raise make_error("42601")
