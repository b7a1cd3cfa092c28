"""Tests of the connection limits of the server: saving still works, and silent connections block no client."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tdapp.web import listening
from tests.web.running_server import RunningServer, make_unfinished_tournament, run_server

needs_limits = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on open files")

# A program with few open files: it serves a tournament, and saves a result for each input line.
_DIRECTOR = """
import resource, sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
resource.setrlimit(resource.RLIMIT_NOFILE, (256, int(sys.argv[2])))
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.storage import Store
from tdapp.web.server import WebServer
from tests.building import RESOURCES
from tests.web.running_server import make_unfinished_tournament
path = Path(sys.argv[1])
Store.create(path / "event.tdapp", make_unfinished_tournament(60)).close()
server = WebServer(make_unfinished_tournament(60), RESOURCES, language="en")
print(server.start("127.0.0.1", 0), flush=True)
for index, line in enumerate(sys.stdin):
    try:
        desk = Desk(Store.open(path / "event.tdapp"))
        last_round = desk.index.list_published_rounds(desk.index.divisions[0].id)[-1]
        game = list(desk.index.list_open_games(last_round.id))[0]
        desk.do(partial(commands.enter_result, game=game.id, first=400, second=300 + index))
        server.show_tournament(desk.tournament)
        desk.close()
        print("saved", flush=True)
    except Exception as error:
        print(repr(error), flush=True)
server.stop()
"""


@contextmanager
def run_director(folder: Path, file_limit: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-c", _DIRECTOR, str(folder), str(file_limit)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        yield program, program.stdout.readline().strip()
        program.stdin.close()


def save_result(program: subprocess.Popen[str]) -> str:
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write("\n")
    program.stdin.flush()
    return program.stdout.readline().strip()


def open_connections(url: str, count: int, data: bytes) -> list[socket.socket]:
    address = urlsplit(url)
    connections = [socket.create_connection((address.hostname, address.port), timeout=30) for _ in range(count)]
    for connection in connections:
        connection.sendall(data)
    return connections


@needs_limits
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("file_limit", [256, 4096])
@pytest.mark.parametrize(
    "first_data", [b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n", b""], ids=["phones", "silent"]
)
def test_listener_leaves_files_for_saving(tmp_path: Path, first_data: bytes, file_limit: int) -> None:
    with run_director(tmp_path, file_limit) as (program, url):
        connections = open_connections(url, 300, first_data)
        time.sleep(1)
        assert [save_result(program) for _ in range(5)] == ["saved"] * 5
        for connection in connections:
            connection.close()
        assert httpx.get(f"{url}version", trust_env=False, timeout=30).status_code == 200


@pytest.fixture
def limited_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningServer]:
    monkeypatch.setattr(listening, "MAX_CONNECTIONS", 40)
    with run_server(make_unfinished_tournament()) as server:
        yield server


@pytest.mark.parametrize("first_data", [b"", b"GET / HT"], ids=["silent", "slow"])
def test_listener_closes_silent_connections_for_new_clients(
    limited_server: RunningServer, first_data: bytes
) -> None:
    connections = open_connections(limited_server.url, 60, first_data)
    start = time.monotonic()
    for _ in range(5):
        assert limited_server.make_phone().get("a-round.html").status_code == 200
    assert time.monotonic() - start < 8
    for connection in connections:
        connection.close()


def test_listener_limits_live_connections_of_one_address(limited_server: RunningServer) -> None:
    first_phone, second_phone = limited_server.make_phone(), limited_server.make_phone()
    with first_phone.stream("GET", "live"):
        pass
    connections = open_connections(limited_server.url, 30, b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answers = [connection.recv(12) for connection in connections]
    assert answers.count(b"HTTP/1.1 200") == 15
    assert answers.count(b"HTTP/1.1 503") == 15
    with second_phone.stream("GET", "live") as answer:
        assert answer.status_code == 200
    for connection in connections:
        connection.close()


@pytest.mark.slow
def test_listener_reuses_ended_connections(limited_server: RunningServer) -> None:
    for _ in range(3):
        for connection in open_connections(limited_server.url, 39, b""):
            connection.close()
    answers = [limited_server.make_phone().get("version").status_code for _ in range(60)]
    assert answers == [200] * 60
