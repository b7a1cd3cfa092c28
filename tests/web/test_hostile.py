"""Hostile requests: the server refuses them, goes on, and changes nothing."""

from __future__ import annotations

import socket
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import httpx
import pytest

from tdapp.web import rate_limits
from tests.conftest import Tally
from tests.web.running_server import Served, served

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


def raw(room: Served, data: bytes, *, most: int = 1 << 20) -> bytes:
    """Send bytes as they are and return what comes back until the server hangs up, or has nothing more to say."""
    address = urlsplit(room.url)
    with socket.create_connection((address.hostname, address.port), timeout=5) as line:
        got = b""
        try:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            while len(got) < most and (part := line.recv(65_536)):
                got += part
        except OSError:
            pass
        return got


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode("latin-1")


def alive(room: Served) -> bool:
    with room.client() as client:
        return client.get("a-round.html").status_code == 200


@pytest.fixture
def room() -> object:
    with served() as made:
        yield made


def test_server_refuses_paths_outside_the_pages(room: Served) -> None:
    for path in PATHS:
        answer = raw(room, get(path))
        assert status(answer) in {400, 404}, path
        assert b"root:" not in answer
        assert b"{%" not in answer
    assert alive(room)


def test_server_answer_does_not_repeat_the_request(room: Served) -> None:
    answer = raw(room, get("/<script>alert(1)</script>"))
    assert b"alert" not in answer
    page = room.client().get("enter", params={"code": '"><script>alert(1)</script>'})
    assert "<script>alert" not in page.text


def test_server_refuses_invalid_http(room: Served) -> None:
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
        answer = raw(room, data)
        assert not answer or status(answer) in {400, 413, 415}, (data[:60], answer[:60])
    assert alive(room)


def test_server_refuses_header_injection(room: Served) -> None:
    answer = raw(room, get("/enter?code=A%0d%0aSet-Cookie:%20x=1"))
    assert b"Set-Cookie" not in answer.split(b"\r\n\r\n")[0]


def test_server_refuses_other_protocols(room: Served) -> None:
    upgrade = b"GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    answer = raw(room, upgrade + b"Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n", most=200)
    assert status(answer) != 101


def test_server_omits_headers_useless_without_encryption(room: Served, tmp_path: Path) -> None:
    name = "cross-origin-opener-policy"
    assert name not in room.client().get("index.html").headers
    with served(certificates=tmp_path) as encrypted:
        answer = httpx.get(encrypted.url, verify=False, trust_env=False)  # noqa: S501 - the header is asked for
        assert answer.headers[name] == "same-origin"


def test_security_headers_are_in_each_answer(room: Served) -> None:
    client = room.client()
    for name in ("", "a-round.html", "site.css", "live.js", "version", "enter", "nothing"):
        headers = client.get(name).headers
        assert headers["content-security-policy"] == rate_limits.POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert "server" not in headers
        assert "set-cookie" not in headers


@pytest.mark.parametrize("seed", range(4))
def test_server_random_requests_change_nothing(room: Served, seed: int, tried: Tally) -> None:
    tried("hostile requests to the room's page", 150)
    draw = Random(seed)
    before = room.value
    good = [
        get("/"),
        get("/enter"),
        b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\n\r\ncode=A&own=1",
    ]
    for _ in range(150):
        data = bytearray(draw.choice(good))
        for _ in range(draw.randrange(1, 12)):
            at = draw.randrange(len(data))
            if draw.random() < 0.5:
                data[at] = draw.randrange(256)
            else:
                data[at:at] = draw.randbytes(draw.randrange(8))
        answer = raw(room, bytes(data))
        assert not answer or status(answer) < 500, bytes(data)
    assert room.value is before
    assert alive(room)


def test_server_closes_slow_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "REQUEST_TIMEOUT", 0.3)
    with served() as room:
        address = urlsplit(room.url)
        where = (address.hostname, address.port)
        lines = [socket.create_connection(where, timeout=30) for _ in range(60)]
        for number, line in enumerate(lines):
            line.sendall(
                (b"", b"GET / HT", get("/version").replace(b"close", b"keep-alive") + b"GET /")[number % 3]
            )
        assert alive(room)
        for line in lines:
            while line.recv(65_536):  # until the server hangs up; the test's time limit ends it
                pass
            line.close()
        slow = socket.create_connection(where, timeout=30)
        slow.sendall(
            b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            b"Content-Length: 100\r\n\r\ncode="
        )
        assert status(slow.recv(65_536)) == 408
        slow.close()


def test_server_idle_connections_leave_capacity(room: Served) -> None:
    address = urlsplit(room.url)
    lines = [socket.create_connection((address.hostname, address.port), timeout=30) for _ in range(300)]
    assert alive(room)
    for line in lines:
        line.close()


def test_rate_limit_counts_by_key_and_forgets() -> None:
    now = [0.0]
    limit = rate_limits.RateLimit(2, 10, clock=lambda: now[0])
    assert [limit.allows("a") for _ in range(3)] == [True, True, False]
    assert limit.allows("b")
    now[0] = 9.9
    assert not limit.allows("a")
    now[0] = 10.0
    assert limit.allows("a")


def test_rate_limit_memory_is_bounded() -> None:
    now = [0.0]
    limit = rate_limits.RateLimit(2, 10, clock=lambda: now[0])
    for number in range(10_000):
        limit.allows(number)
    now[0] = 20.0
    limit.allows("new")
    assert len(limit._counts) == 1


def test_server_logs_no_error_for_a_broken_connection(room: Served, caplog: pytest.LogCaptureFixture) -> None:
    head = b"POST /enter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    for rest in (b"Content-Length: 100\r\n\r\ncode=", b"Transfer-Encoding: chunked\r\n\r\nZZZ\r\n"):
        raw(room, head + rest)
    assert alive(room)
    assert [record for record in caplog.records if record.name == "tdapp"] == []


def test_request_filter_refuses_forms_of_other_sites(room: Served) -> None:
    data = {"code": room.codes(1)[0], "own": "400", "other": "300"}
    own = room.url.rstrip("/")
    for page in ("enter", "check-in", "featured"):
        for origin in ("https://evil.example", "null", f"{own}0", f"{own}.evil.example", "http://[::1"):
            assert room.client(Origin=origin).post(page, data=data).status_code == 403, (page, origin)
    assert not room.value.slips
    assert room.client(Origin="https://evil.example").get("index.html").status_code == 200
    assert room.client(Origin=own).post("enter", data=data).status_code == 303
    assert len(room.value.slips) == 1


def test_request_filter_refuses_a_long_head(room: Served) -> None:
    long = b"a" * (rate_limits.MAX_HEADER_BYTES + 1)
    for head in (b"X: " + long, b"\r\n".join(b"X%d: " % n + b"a" * 200 for n in range(100))):
        assert (
            status(raw(room, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + head + b"\r\n\r\n"))
            == 431
        )
    assert status(raw(room, get("/?" + "a" * rate_limits.MAX_HEADER_BYTES))) == 431


def test_request_filter_refuses_other_host_names(room: Served) -> None:
    """A page elsewhere whose name is made to lead here (DNS rebinding) reads and enters nothing."""
    own = socket.gethostname().partition(".")[0]
    port = httpx.URL(room.url).port
    for host in (
        f"127.0.0.1:{port}",
        "192.168.1.5",
        "[::1]:80",
        "localhost",
        f"localhost:{port}",
        f"{own}.local",
        own,
    ):
        assert room.client(Host=host).get("/").status_code == 200, host
    for host in (
        "evil.example",
        f"evil.example:{port}",
        "127.0.0.1.evil.example",
        "localhost.evil",
        "[::1",
        "x@y",
    ):
        assert room.client(Host=host).get("/").status_code == 400, host
        assert room.client(Host=host).post("enter").status_code == 400, host
