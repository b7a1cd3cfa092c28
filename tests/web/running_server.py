"""A real web server on a free port, with a desk and HTTP clients."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any

import httpx
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Game
from tdapp.domain.roles import Role
from tdapp.domain.slip import find_slip_code_secret, make_game_code
from tdapp.domain.tournament import Tournament
from tdapp.web.desk_access import DeskAccess
from tdapp.web.result_entry import WebPageCommandRunner
from tdapp.web.server import WebServer
from tdapp.web.typing_page import STATION as TYPIST
from tests.building import DIVISION, RESOURCES, make_desk, make_event, pair_rounds

KEY = "a key of the tests"
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # without certificate authorities: a plain HTTP client needs none


def make_http_client(url: str, **options: Any) -> httpx.Client:
    """Return a client for plain HTTP."""
    return httpx.Client(base_url=url, timeout=60, verify=PLAIN, trust_env=False, **options)


def fetch_page(url: str) -> httpx.Response:
    """Return one page over plain HTTP."""
    return httpx.get(url, verify=PLAIN, trust_env=False)


@cache
def make_unfinished_tournament(players: int = 8, *, rounds: int = 2, entry: bool = True) -> Tournament:
    """Return a tournament with an unfinished last round."""
    value = pair_rounds(make_event(players), times=rounds - 1) if rounds > 1 else make_event(players)
    value = replace(pair_rounds(value, results=False), secret="of the tests")  # noqa: S106
    return commands.open_entry(value, key=KEY) if entry else value


@dataclass
class RunningServer:
    """A web server, its desk, and the only thread that may use the desk."""

    web_server: WebServer
    access: DeskAccess
    url: str
    desk: Desk
    thread: ThreadPoolExecutor
    clients: list[httpx.Client] = field(default_factory=list)
    addresses: Iterator[int] = field(default_factory=lambda: count(1))

    def run_command(self, command: partial[Tournament]) -> None:
        """Run a command at the director's desk, like the window."""
        self.thread.submit(self.desk.do, command).result()

    def make_client(self, **headers: str) -> httpx.Client:
        """Return an HTTP client without cookies."""
        client = make_http_client(self.url, headers=headers)
        self.clients.append(client)
        return client

    def make_phone(self) -> httpx.Client:
        """Return an HTTP client with its own IP address."""
        address = f"127.0.1.{next(self.addresses)}"
        client = make_http_client(self.url, transport=httpx.HTTPTransport(verify=PLAIN, local_address=address))
        self.clients.append(client)
        return client

    def sign_in(self, role: Role = Role.ENTRY, name: str = "") -> httpx.Client:
        """Return an HTTP client with a desk session."""
        client = self.make_phone()
        client.headers["Origin"] = self.url.rstrip("/")
        answer = client.post("desk", data={"pin": self.access.state.get_pin(role), "name": name})
        assert answer.status_code == 303
        return client

    @property
    def tournament(self) -> Tournament:
        return self.desk.tournament

    def get_game(self, table: int) -> Game:
        """Return the game of a table in the last published round."""
        index = TournamentIndex(self.tournament)
        return index.get_game(index.list_published_rounds(DIVISION)[-1].id, table)

    def get_codes(self, table: int) -> tuple[str, str]:
        """Return the codes of the two players of a table."""
        game, key = self.get_game(table), find_slip_code_secret(self.tournament)
        return make_game_code(key, game.id, game.first), make_game_code(key, game.id, game.second)

    def get_points(self, table: int) -> tuple[int | None, int | None] | None:
        """Return the points of both players of a table. Return None if the game has no result."""
        result = TournamentIndex(self.tournament).get_result(self.get_game(table).id)
        return (result.first, result.second) if result is not None else None


@contextmanager
def run_server(
    value: Tournament | None = None,
    *,
    entry: bool = True,
    language: str = "en",
    certificates: Path | None = None,
    **options: Any,
) -> Iterator[RunningServer]:
    """Run a web server for a tournament on a free port."""
    with ThreadPoolExecutor(1) as thread:
        director_desk = thread.submit(make_desk, value or make_unfinished_tournament()).result()
        station, typist = (
            WebPageCommandRunner(director_desk),
            WebPageCommandRunner(director_desk, TYPIST, Role.JURY),
        )
        write = (lambda command: thread.submit(station.run_command, command)) if entry else None
        web_server = WebServer(
            director_desk.tournament,
            RESOURCES,
            language=language,
            write=write,
            typing=lambda command: thread.submit(typist.run_command, command, "enter-sheet"),
            certificates=certificates,
            **options,
        )
        director_desk.add_listener(lambda _diff: web_server.show_tournament(director_desk.tournament))
        access = DeskAccess(on_change=web_server.reload_pages_of_browser_desks)
        web_server.enable_browser_desks(director_desk, access, thread.submit)
        served_tournament = RunningServer(
            web_server, access, web_server.start("127.0.0.1", 0), director_desk, thread
        )
        try:
            yield served_tournament
        finally:
            for client in served_tournament.clients:
                client.close()
            web_server.stop()
            thread.submit(director_desk.close).result()
