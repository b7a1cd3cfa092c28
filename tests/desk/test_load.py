"""Load tests of many stations with broken connections and killed processes."""

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
from tdapp.domain.tournament import Tournament, apply_diff, find_inconsistent_rows
from tdapp.storage import Address
from tests.building import make_event, pair_next
from tests.conftest import AttemptRecorder
from tests.desk.test_desk import are_equal
from tests.storage.postgres import Cluster

pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")

ROOT = Path(__file__).resolve().parents[2]


class BreakableProxy:
    """A TCP proxy between stations and the server. Tests can break its connections."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._loop = asyncio.new_event_loop()
        self._open: set[asyncio.StreamWriter] = set()
        self._server = self._loop.run_until_complete(
            asyncio.start_server(self._forward_connection, "127.0.0.1", 0)
        )
        self.port: int = self._server.sockets[0].getsockname()[1]
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()

    async def _forward_connection(
        self, client_reader: asyncio.StreamReader, client_writer: asyncio.StreamWriter
    ) -> None:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._target)
        writers = {client_writer, server_writer}
        self._open |= writers
        with contextlib.suppress(OSError):
            await asyncio.gather(
                self._forward_data(client_reader, server_writer), self._forward_data(server_reader, client_writer)
            )
        for writer in writers & self._open:
            writer.close()
        self._open -= writers

    async def _forward_data(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(1 << 16):
            target.write(data)
            await target.drain()
        target.close()

    def break_connections(self) -> None:
        """Break all connections immediately."""
        self._loop.call_soon_threadsafe(self._abort_connections)

    def _abort_connections(self) -> None:
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    def close(self) -> None:
        self.break_connections()
        asyncio.run_coroutine_threadsafe(self._stop_server(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _stop_server(self) -> None:
        self._server.close()
        other_tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in other_tasks:
            task.cancel()
        await asyncio.gather(*other_tasks, return_exceptions=True)


@dataclass
class StationProcess:
    """A process that enters results at a station. A new process replaces a killed one."""

    login: str
    address: Address
    share: int
    seed: int
    output_lines: list[list[str]] = field(default_factory=list)
    kills: int = 0
    process: subprocess.Popen[str] | None = None

    def run_to_the_end(self) -> None:
        """Start processes until all steps of the station are saved."""
        while (remaining_share := self.share - self.count_done_steps()) > 0:
            command = [
                sys.executable,
                "-m",
                "tests.desk.station_process",
                str(self.seed + self.kills),
                str(remaining_share),
            ]
            environment = {**os.environ, "TDAPP_STATION": self.address.secret}
            with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as child:
                self.process = child
                assert child.stdout is not None
                self.output_lines += [proxy.split() for proxy in child.stdout if proxy.endswith("\n")]
            assert child.returncode in {0, -9}
            self.kills += child.returncode != 0

    def count_done_steps(self) -> int:
        return sum(proxy[0] == "done" for proxy in self.output_lines)

    def map_reported_steps(self) -> dict[int, list[str]]:
        return {int(proxy[1]): proxy[2:] for proxy in self.output_lines if proxy[0] == "done"}


@pytest.fixture
def proxy(cluster: Cluster) -> Iterator[BreakableProxy]:
    connection_proxy = BreakableProxy(cluster.port)
    yield connection_proxy
    connection_proxy.close()


def run_stations(
    stations: list[StationProcess], cluster: Cluster, proxy: BreakableProxy, *, kills: int
) -> Counter[str]:
    """Run all stations. Meanwhile break connections, end database sessions and kill processes.

    Return the number of disturbances of each kind.
    """
    random, disturbances = Random(11), Counter[str]()
    threads = [Thread(target=station.run_to_the_end) for station in stations]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(random.uniform(0.2, 0.8))
        action = random.choice(["cut", "session", "kill"])
        if action == "cut":
            proxy.break_connections()
        elif action == "session":
            cluster.cut_connections(stations[0].address.stem)
        elif (
            (process := random.choice(stations).process)
            and disturbances["kill"] < kills
            and process.poll() is None
        ):
            process.kill()
        else:
            continue
        disturbances[action] += 1
    for thread in threads:
        thread.join()
    return disturbances


def check_journal(begin: Tournament, director: Desk, stations: list[StationProcess]) -> None:
    """Check that the journal has each reported step once, and leads to the stored tournament."""
    journal = director.store.read_journal()
    assert [entry.seq for entry in journal] == list(range(1, len(journal) + 1))
    for station in stations:
        own_entries = {entry.seq: entry for entry in journal if entry.station == station.login}
        reported_steps = station.map_reported_steps()
        assert sum(item[0] == "done" for item in station.output_lines) == len(reported_steps)
        assert reported_steps.keys() <= own_entries.keys()
        unconfirmed_count = station.kills + sum(
            item[1:] == ["server-lost-saving"] for item in station.output_lines
        )
        assert len(own_entries.keys() - reported_steps.keys()) <= unconfirmed_count
        assert all(
            format_entry(own_entries[seq]) == reported_step for seq, reported_step in reported_steps.items()
        )
    expected_tournament = begin
    for entry in journal:
        expected_tournament = apply_diff(expected_tournament, entry.changes)
    stored_tournament, revision = director.store.load_tournament_and_revision()
    assert revision == len(journal)
    assert are_equal(expected_tournament, stored_tournament)
    assert find_inconsistent_rows(stored_tournament) == ()
    assert director.store.find_damage() == []


def format_entry(entry: JournalEntry) -> list[str]:
    return [entry.label, str(entry.facts.get("first", "-")), str(entry.facts.get("second", "-"))]


def run_load_test(
    cluster: Cluster, database: Address, proxy: BreakableProxy, *, stations: int, steps: int, kills: int
) -> None:
    begin = make_event(16)
    director = Desk.create(database, begin)
    pair_next(director)
    processes = []
    for number in range(stations):
        login, role = f"s{number}_{database.stem}", Role.JURY if number % 2 else Role.ENTRY
        director.store.server.create_login_or_change_role(login, role, "open")
        address = Address.parse(f"postgresql://{login}:open@127.0.0.1:{proxy.port}/{database.stem}")
        processes.append(StationProcess(login, address, steps // stations, 100 * number))
    start_time = time.monotonic()
    disturbances = run_stations(processes, cluster, proxy, kills=kills)
    duration = time.monotonic() - start_time
    check_journal(begin, director, processes)
    outcomes = Counter(
        " ".join(item[:2]) if item[0] != "done" else "done"
        for station in processes
        for item in station.output_lines
    )
    sys.stdout.write(f"{stations} stations, {duration:.0f} s, {dict(disturbances)}, {dict(outcomes)}\n")
    assert outcomes["done"] >= steps
    assert outcomes["refused changed-meanwhile"] > 0
    assert disturbances["cut"] + disturbances["session"] > 0
    director.close()


@pytest.mark.timeout(600)
def test_stations_save_each_change_once_despite_conflicts_and_kills(
    cluster: Cluster, database: Address, proxy: BreakableProxy, record_attempts: AttemptRecorder
) -> None:
    record_attempts("steps of stations that are cut off and killed", 160)
    run_load_test(cluster, database, proxy, stations=4, steps=160, kills=2)


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_many_stations_save_each_change_once_despite_conflicts_and_kills(
    cluster: Cluster, database: Address, proxy: BreakableProxy, record_attempts: AttemptRecorder
) -> None:
    record_attempts("steps of stations that are cut off and killed", 2000)
    run_load_test(cluster, database, proxy, stations=8, steps=2000, kills=12)
