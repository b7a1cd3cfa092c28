"""Many clients, with cut connections and killed programs: each confirmed change exists once, and no other."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from tdapp.desk import Desk
from tdapp.domain.journal import JournalEntry
from tdapp.domain.roles import Role
from tdapp.domain.tournament import Tournament, apply_diff, find_row_faults
from tdapp.storage import Address
from tests.building import make_event, pair_next
from tests.conftest import AttemptRecorder
from tests.desk.test_desk import same
from tests.storage.postgres import Cluster

pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")

ROOT = Path(__file__).resolve().parents[2]


class Line:
    """A network between the clients and the server that tests can cut."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._loop = asyncio.new_event_loop()
        self._open: set[asyncio.StreamWriter] = set()
        self._server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port: int = self._server.sockets[0].getsockname()[1]
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()

    async def _serve(self, near: asyncio.StreamReader, near_writer: asyncio.StreamWriter) -> None:
        far, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        ends = {near_writer, far_writer}
        self._open |= ends
        with contextlib.suppress(OSError):
            await asyncio.gather(self._pass(near, far_writer), self._pass(far, near_writer))
        for end in ends & self._open:
            end.close()
        self._open -= ends

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while words := await source.read(1 << 16):
            target.write(words)
            await target.drain()
        target.close()

    def cut(self) -> None:
        """Break every connection at once, whatever is on its way."""
        self._loop.call_soon_threadsafe(self._break)

    def _break(self) -> None:
        for end in self._open:
            end.transport.abort()
        self._open.clear()

    def close(self) -> None:
        self.cut()
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        other_tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in other_tasks:
            task.cancel()
        await asyncio.gather(*other_tasks, return_exceptions=True)


@dataclass
class Station:
    """A process that enters results at a station, replaced by a new one after a kill."""

    login: str
    address: Address
    share: int
    seed: int
    output_lines: list[list[str]] = field(default_factory=list)
    kills: int = 0
    process: subprocess.Popen[str] | None = None

    def work(self) -> None:
        """Start processes until the share is done."""
        while (remaining_share := self.share - self.count()) > 0:
            command = [
                sys.executable,
                "-m",
                "tests.desk.station_process",
                str(self.seed + self.kills),
                str(remaining_share),
            ]
            surroundings = {**os.environ, "TDAPP_STATION": self.address.secret}
            with subprocess.Popen(command, cwd=ROOT, env=surroundings, stdout=subprocess.PIPE, text=True) as child:
                self.process = child
                assert child.stdout is not None
                self.output_lines += [line.split() for line in child.stdout if line.endswith("\n")]
            assert child.returncode in {0, -9}
            self.kills += child.returncode != 0

    def count(self) -> int:
        return sum(line[0] == "done" for line in self.output_lines)

    def map_reported_steps(self) -> dict[int, list[str]]:
        return {int(line[1]): line[2:] for line in self.output_lines if line[0] == "done"}


@pytest.fixture
def line(cluster: Cluster) -> Iterator[Line]:
    connection_line = Line(cluster.port)
    yield connection_line
    connection_line.close()


def work_at_once(stations: list[Station], cluster: Cluster, line: Line, *, kills: int) -> Counter[str]:
    """Let all stations work; cut the line, end their sessions at the server and kill processes meanwhile."""
    random, happened = Random(11), Counter[str]()
    threads = [Thread(target=station.work) for station in stations]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(random.uniform(0.2, 0.8))
        action = random.choice(["cut", "session", "kill"])
        if action == "cut":
            line.cut()
        elif action == "session":
            cluster.cut_connections(stations[0].address.stem)
        elif (at_work := random.choice(stations).process) and happened["kill"] < kills and at_work.poll() is None:
            at_work.kill()
        else:
            continue
        happened[action] += 1
    for thread in threads:
        thread.join()
    return happened


def check_journal(begin: Tournament, director: Desk, stations: list[Station]) -> None:
    """Check that the journal has each reported change once, no other, and gives the tournament."""
    journal = director.store.read_journal()
    assert [entry.seq for entry in journal] == list(range(1, len(journal) + 1))
    for station in stations:
        own_entries = {entry.seq: entry for entry in journal if entry.station == station.login}
        reported_steps = station.map_reported_steps()
        assert sum(item[0] == "done" for item in station.output_lines) == len(reported_steps)
        assert reported_steps.keys() <= own_entries.keys()
        unsure = station.kills + sum(item[1:] == ["server-lost-saving"] for item in station.output_lines)
        assert len(own_entries.keys() - reported_steps.keys()) <= unsure
        assert all(
            format_entry(own_entries[seq]) == reported_step for seq, reported_step in reported_steps.items()
        )
    value = begin
    for entry in journal:
        value = apply_diff(value, entry.changes)
    stored_tournament, revision = director.store.load()
    assert revision == len(journal)
    assert same(value, stored_tournament)
    assert find_row_faults(stored_tournament) == ()
    assert director.store.find_damage() == []


def format_entry(entry: JournalEntry) -> list[str]:
    return [entry.label, str(entry.facts.get("first", "-")), str(entry.facts.get("second", "-"))]


def load(cluster: Cluster, database: Address, line: Line, *, stations: int, steps: int, kills: int) -> None:
    begin = make_event(16)
    director = Desk.create(database, begin)
    pair_next(director)
    at_work = []
    for number in range(stations):
        login, role = f"s{number}_{database.stem}", Role.JURY if number % 2 else Role.ENTRY
        director.store.server.grant_login(login, role, "open")
        address = Address.parse(f"postgresql://{login}:open@127.0.0.1:{line.port}/{database.stem}")
        at_work.append(Station(login, address, steps // stations, 100 * number))
    started = time.monotonic()
    happened = work_at_once(at_work, cluster, line, kills=kills)
    took = time.monotonic() - started
    check_journal(begin, director, at_work)
    outcomes = Counter(
        " ".join(item[:2]) if item[0] != "done" else "done" for station in at_work for item in station.output_lines
    )
    sys.stdout.write(f"{stations} stations, {took:.0f} s, {dict(happened)}, {dict(outcomes)}\n")
    assert outcomes["done"] >= steps
    assert outcomes["refused changed-meanwhile"] > 0
    assert happened["cut"] + happened["session"] > 0
    director.close()


@pytest.mark.timeout(300)
def test_stations_with_conflicts_cuts_and_kills_keep_each_change_once(
    cluster: Cluster, database: Address, line: Line, record_attempts: AttemptRecorder
) -> None:
    record_attempts("steps of stations that are cut off and killed", 160)
    load(cluster, database, line, stations=4, steps=160, kills=2)


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_many_stations_with_conflicts_cuts_and_kills_keep_each_change_once(
    cluster: Cluster, database: Address, line: Line, record_attempts: AttemptRecorder
) -> None:
    record_attempts("steps of stations that are cut off and killed", 2000)
    load(cluster, database, line, stations=8, steps=2000, kills=12)
