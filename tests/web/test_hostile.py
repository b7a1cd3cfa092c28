"""Tests with hostile requests: the server refuses them, keeps running and changes no data."""

from __future__ import annotations

import socket
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import httpx
import pytest

from tdapp.web import rate_limits
from tests.conftest import AttemptRecorder
from tests.web.running_server import RunningServer, run_server

PATHS = [
    "/../../etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/pyproject.toml",
    "/....//....//etc/passwd",
    "/a-round.html/../../tables.py",
    "/a-round.html%00.css",
    "/\\..\\..\\windows\\win.ini",
    "//etc/passwd",
    "/file:///etc/passwd",
    "/screen-../../x",
    "/screen-screen-a-round.html",
    "/base.html.j2",
    "/parts.j2",
    "/A-ROUND.HTML",
    "/a-player-99999999999999999999.html",
    "/{{7*7}}",
    "/%f0%28%8c%28",
    "/" + "a" * 8000,
]


def send_raw_data(server: RunningServer, data: bytes, *, max_bytes: int = 1 << 20) -> bytes:
    """Send raw bytes. Return the answer until the server closes the connection or stops sending."""
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port), timeout=5) as connection:
        answer = b""
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while len(answer) < max_bytes and (chunk := connection.recv(65_536)):
                answer += chunk
        except OSError:
            pass
        return answer


def read_status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def make_get_request(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode("latin-1")


def is_alive(server: RunningServer) -> bool:
    with server.make_client() as client:
        return client.get("a-round.html").status_code == 200


@pytest.fixture
def server() -> object:
    with run_server() as server:
        yield server


def test_server_refuses_paths_outside_the_pages(server: RunningServer) -> None:
    for path in PATHS:
        answer = send_raw_data(server, make_get_request(path))
        assert read_status(answer) in {400, 404}, path
        assert b"root:" not in answer
        assert b"{%" not in answer
    assert is_alive(server)


def test_server_answer_does_not_repeat_the_request(server: RunningServer) -> None:
    answer = send_raw_data(server, make_get_request("/<script>alert(1)</script>"))
    assert b"alert" not in answer
    page = server.make_client().get("enter", params={"code": '"><script>alert(1)</script>'})
    assert "<script>alert" not in page.text


def test_server_refuses_invalid_http(server: RunningServer) -> None:
    for data in (
        b"\x00" * 100,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # a browser that speaks TLS
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",  # without a host
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: y\r\n\r\n",
        b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
        b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\nabcd",
        b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /enter HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 3_000_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 500_000 + b"\r\n",
    ):
        answer = send_raw_data(server, data)
        assert not answer or read_status(answer) in {400, 413, 415}, (data[:60], answer[:60])
    assert is_alive(server)


def test_server_refuses_header_injection(server: RunningServer) -> None:
    answer = send_raw_data(server, make_get_request("/enter?code=A%0d%0aSet-Cookie:%20x=1"))
    assert b"Set-Cookie" not in answer.split(b"\r\n\r\n")[0]


def test_server_refuses_other_protocols(server: RunningServer) -> None:
    upgrade = b"GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    answer = send_raw_data(
        server, upgrade + b"Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n", max_bytes=200
    )
    assert read_status(answer) != 101


def test_server_omits_https_headers_without_encryption(server: RunningServer, tmp_path: Path) -> None:
    name = "cross-origin-opener-policy"
    assert name not in server.make_client().get("index.html").headers
    with run_server(certificates=tmp_path) as encrypted:
        answer = httpx.get(encrypted.url, verify=False, trust_env=False)  # noqa: S501 - the header is asked for
        assert answer.headers[name] == "same-origin"


def test_server_sends_security_headers_in_each_answer(server: RunningServer) -> None:
    client = server.make_client()
    for name in ("", "a-round.html", "site.css", "live.js", "version", "enter", "nothing"):
        headers = client.get(name).headers
        assert headers["content-security-policy"] == rate_limits.POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert "server" not in headers
        assert "set-cookie" not in headers


@pytest.mark.parametrize("seed", range(4))
def test_server_random_requests_change_nothing(
    server: RunningServer, seed: int, record_attempts: AttemptRecorder
) -> None:
    record_attempts("hostile requests to the room's page", 150)
    random = Random(seed)
    old_tournament = server.tournament
    valid_requests = [
        make_get_request("/"),
        make_get_request("/enter"),
        b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\n\r\ncode=A&own=1",
    ]
    for _ in range(150):
        data = bytearray(random.choice(valid_requests))
        for _ in range(random.randrange(1, 12)):
            position = random.randrange(len(data))
            if random.random() < 0.5:
                data[position] = random.randrange(256)
            else:
                data[position:position] = random.randbytes(random.randrange(8))
        answer = send_raw_data(server, bytes(data))
        assert not answer or read_status(answer) < 500, bytes(data)
    assert server.tournament is old_tournament
    assert is_alive(server)


def test_server_closes_slow_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "REQUEST_TIMEOUT", 0.3)
    with run_server() as server:
        address = urlsplit(server.url)
        location = (address.hostname, address.port)
        connections = [socket.create_connection(location, timeout=30) for _ in range(60)]
        for number, connection in enumerate(connections):
            connection.sendall(
                (b"", b"GET / HT", make_get_request("/version").replace(b"close", b"keep-alive") + b"GET /")[
                    number % 3
                ]
            )
        assert is_alive(server)
        for connection in connections:
            while connection.recv(65_536):  # until the server closes the connection
                pass
            connection.close()
        slow_connection = socket.create_connection(location, timeout=30)
        slow_connection.sendall(
            b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            b"Content-Length: 100\r\n\r\ncode="
        )
        assert read_status(slow_connection.recv(65_536)) == 408
        slow_connection.close()


def test_server_idle_connections_leave_capacity(server: RunningServer) -> None:
    address = urlsplit(server.url)
    connections = [socket.create_connection((address.hostname, address.port), timeout=30) for _ in range(300)]
    assert is_alive(server)
    for connection in connections:
        connection.close()


def test_rate_limit_counts_by_key_and_expires() -> None:
    clock = [0.0]
    limit = rate_limits.RateLimiter(2, 10, clock=lambda: clock[0])
    assert [limit.count_event_and_check_limit("a") for _ in range(3)] == [True, True, False]
    assert limit.count_event_and_check_limit("b")
    clock[0] = 9.9
    assert not limit.count_event_and_check_limit("a")
    clock[0] = 10.0
    assert limit.count_event_and_check_limit("a")


def test_rate_limit_memory_is_bounded() -> None:
    clock = [0.0]
    limit = rate_limits.RateLimiter(2, 10, clock=lambda: clock[0])
    for number in range(10_000):
        limit.count_event_and_check_limit(number)
    clock[0] = 20.0
    limit.count_event_and_check_limit("new")
    assert len(limit._counts) == 1


def test_server_logs_no_error_for_a_broken_connection(
    server: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    head = b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    for body in (b"Content-Length: 100\r\n\r\ncode=", b"Transfer-Encoding: chunked\r\n\r\nZZZ\r\n"):
        send_raw_data(server, head + body)
    assert is_alive(server)
    assert [record for record in caplog.records if record.name == "tdapp"] == []


def test_request_filter_refuses_forms_of_other_sites(server: RunningServer) -> None:
    data = {"code": server.get_codes(1)[0], "own": "400", "other": "300"}
    own_origin = server.url.rstrip("/")
    for page in ("enter", "check-in", "featured"):
        for origin in (
            "https://evil.example",
            "null",
            f"{own_origin}0",
            f"{own_origin}.evil.example",
            "http://[::1",
        ):
            assert server.make_client(Origin=origin).post(page, data=data).status_code == 403, (page, origin)
    assert not server.tournament.slips
    assert server.make_client(Origin="https://evil.example").get("index.html").status_code == 200
    assert server.make_client(Origin=own_origin).post("enter", data=data).status_code == 303
    assert len(server.tournament.slips) == 1


def test_request_filter_refuses_a_long_header(server: RunningServer) -> None:
    long_header = b"a" * (rate_limits.MAX_HEADER_BYTES + 1)
    for head in (b"X: " + long_header, b"\r\n".join(b"X%d: " % n + b"a" * 200 for n in range(100))):
        assert (
            read_status(
                send_raw_data(
                    server, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + head + b"\r\n\r\n"
                )
            )
            == 431
        )
    assert read_status(send_raw_data(server, make_get_request("/?" + "a" * rate_limits.MAX_HEADER_BYTES))) == 431


def test_request_filter_refuses_other_host_names(server: RunningServer) -> None:
    """A page of another site cannot read or enter data through DNS rebinding."""
    host_name = socket.gethostname().partition(".")[0]
    port = httpx.URL(server.url).port
    for host in (
        f"127.0.0.1:{port}",
        "192.168.1.5",
        "[::1]:80",
        "localhost",
        f"localhost:{port}",
        f"{host_name}.local",
        host_name,
    ):
        assert server.make_client(Host=host).get("/").status_code == 200, host
    for host in (
        "evil.example",
        f"evil.example:{port}",
        "127.0.0.1.evil.example",
        "localhost.evil",
        "[::1",
        "x@y",
    ):
        assert server.make_client(Host=host).get("/").status_code == 400, host
        assert server.make_client(Host=host).post("enter").status_code == 400, host
