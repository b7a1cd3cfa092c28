"""The server leaves open files for the director, and silent connections block no client."""

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
from tests.web.running_server import Served, playing, served

needs_limits = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of open files")

# A director's program with few files: it serves its file, and saves a result for each line that it reads.
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
from tests.web.running_server import playing
path = Path(sys.argv[1])
Store.create(path / "hall.tdapp", playing(60)).close()
room = WebServer(playing(60), RESOURCES, language="en")
print(room.start("127.0.0.1", 0), flush=True)
for at, line in enumerate(sys.stdin):
    try:
        desk = Desk(Store.open(path / "hall.tdapp"))
        game = list(desk.index.open_games(desk.index.published(desk.index.divisions[0].id)[-1].id))[0]
        desk.do(partial(commands.enter_result, game=game.id, first=400, second=300 + at))
        room.show_tournament(desk.tournament)
        desk.close()
        print("saved", flush=True)
    except Exception as error:
        print(repr(error), flush=True)
room.stop()
"""


@contextmanager
def director(folder: Path, hard: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-c", _DIRECTOR, str(folder), str(hard)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        yield program, program.stdout.readline().strip()
        program.stdin.close()


def save(program: subprocess.Popen[str]) -> str:
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write("\n")
    program.stdin.flush()
    return program.stdout.readline().strip()


def connect(url: str, count: int, data: bytes) -> list[socket.socket]:
    address = urlsplit(url)
    lines = [socket.create_connection((address.hostname, address.port), timeout=30) for _ in range(count)]
    for line in lines:
        line.sendall(data)
    return lines


@needs_limits
@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("hard", [256, 4096])
@pytest.mark.parametrize("sent", [b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n", b""], ids=["phones", "silent"])
def test_listener_full_server_keeps_saving_possible(tmp_path: Path, sent: bytes, hard: int) -> None:
    with director(tmp_path, hard) as (program, url):
        lines = connect(url, 300, sent)
        time.sleep(1)
        assert [save(program) for _ in range(5)] == ["saved"] * 5
        for line in lines:
            line.close()
        assert httpx.get(f"{url}version", trust_env=False, timeout=30).status_code == 200


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(listening, "MAX_CONNECTIONS", 40)
    with served(playing()) as server:
        yield server


@pytest.mark.parametrize("sent", [b"", b"GET / HT"], ids=["silent", "slow"])
def test_listener_silent_connections_make_way(small: Served, sent: bytes) -> None:
    lines = connect(small.url, 60, sent)
    start = time.monotonic()
    for _ in range(5):
        assert small.phone().get("a-round.html").status_code == 200
    assert time.monotonic() - start < 8
    for line in lines:
        line.close()


def test_listener_limits_live_connections_of_one_address(small: Served) -> None:
    first_phone, second_phone = small.phone(), small.phone()
    with first_phone.stream("GET", "live"):
        pass
    lines = connect(small.url, 30, b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answers = [line.recv(12) for line in lines]
    assert answers.count(b"HTTP/1.1 200") == 15
    assert answers.count(b"HTTP/1.1 503") == 15
    with second_phone.stream("GET", "live") as answer:
        assert answer.status_code == 200
    for line in lines:
        line.close()


@pytest.mark.slow
def test_listener_reuses_places_of_ended_connections(small: Served) -> None:
    for _ in range(3):
        for line in connect(small.url, 39, b""):
            line.close()
    answers = [small.phone().get("version").status_code for _ in range(60)]
    assert answers == [200] * 60
