"""Tests of hanging disks and servers: each confirmed step is stored exactly once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.domain.tournament import Tournament
from tdapp.storage import Address, Store
from tests.building import get_game_at, make_event, pair_next
from tests.conftest import AttemptRecorder
from tests.storage.postgres import Cluster
from tests.storage.samples import make_played_tournament
from tests.storage.stalling_proxy import TO_SERVER, TO_STATION, StallingProxy, run_stalling_proxy
from tests.storage.test_kill import ROOT, check_confirmed_steps

# --- a disk that hangs or fails


@pytest.fixture(scope="session")
def preload_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A compiled library that makes `fsync` hang or fail."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("the test needs Linux with a C compiler")
    library = tmp_path_factory.mktemp("preload") / "hanging.so"
    source = Path(__file__).with_name("hanging.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def start_writing(path: Path, preload_library: Path, disk_mode: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.storage.committing_process", str(path), "0"]
    environment = os.environ | {"LD_PRELOAD": str(preload_library), "HANGING": str(disk_mode)}
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment)


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(3))
def test_hanging_disk_confirms_nothing(
    tmp_path: Path, preload_library: Path, turn: int, record_attempts: AttemptRecorder
) -> None:
    record_attempts("disks that hang", 1)
    path, disk_mode = tmp_path / "event.tdapp", tmp_path / "mood"
    Store.create(path, make_played_tournament()).close()
    disk_mode.write_text("go")
    with start_writing(path, preload_library, disk_mode) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(turn + 2)]
        disk_mode.write_text("hang")
        time.sleep(0.3)  # the child prints steps that were already saved
        os.set_blocking(child.stdout.fileno(), False)
        lines += child.stdout.readlines()
        time.sleep(0.3)
        assert child.stdout.readlines() == []
        assert child.poll() is None
        os.set_blocking(child.stdout.fileno(), True)
        child.kill()
        lines += child.stdout.readlines()
    check_confirmed_steps(path, lines)


@pytest.mark.slow
def test_failing_disk_is_reported_and_loses_no_confirmed_step(
    tmp_path: Path, preload_library: Path, record_attempts: AttemptRecorder
) -> None:
    record_attempts("disks that fail", 1)
    path, disk_mode = tmp_path / "event.tdapp", tmp_path / "mood"
    Store.create(path, make_played_tournament()).close()
    disk_mode.write_text("go")
    with start_writing(path, preload_library, disk_mode) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(3)]
        disk_mode.write_text("fail")
        *output, code = child.stdout.readlines()
    assert code.strip() == "disk-error"
    check_confirmed_steps(path, [*lines, *output])


_REPEAT = """
import sys
from functools import partial
from pathlib import Path
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import StorageError
from tests.building import get_game_at

path, mood = map(Path, sys.argv[1:])
desk = Desk.open(path)
command = partial(commands.enter_result, game=get_game_at(desk.tournament, 1).id, first=401, second=300)
mood.write_text("fail")
for _ in range(2):
    try:
        desk.do(command)
    except StorageError as error:
        print(error.code)
mood.write_text("go")
print(len(desk.do(command)), len(desk.list_all_steps()), len(desk.tournament.results), desk.undoable_step.label)
"""


@pytest.mark.slow
def test_failing_disk_at_the_end_of_a_commit_saves_the_step_once(tmp_path: Path, preload_library: Path) -> None:
    """SQLite deletes its journal, but the disk does not confirm the deletion."""
    folder, disk_mode = tmp_path / "stick", tmp_path / "mood"
    folder.mkdir()
    path = folder / "event.tdapp"
    with closing(Desk.create(path, make_event(8))) as desk:
        pair_next(desk)
    disk_mode.write_text("go")
    command = [sys.executable, "-c", _REPEAT, str(path), str(disk_mode)]
    environment = os.environ | {
        "LD_PRELOAD": str(preload_library),
        "HANGING": str(disk_mode),
        "HANGING_IN": f"={folder}",
    }
    process = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert process.stdout.splitlines() == ["disk-error", "disk-error", "1 2 1 enter-result"]


# --- a server that hangs


@pytest.fixture
def stalling_proxy(cluster: Cluster) -> Iterator[StallingProxy]:
    with run_stalling_proxy(cluster.port) as proxy:
        yield proxy


@pytest.fixture
def station(
    cluster: Cluster, database: Address, stalling_proxy: StallingProxy, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    """A director's station with one paired round. It waits 0.3 seconds for the server."""
    connection_timeouts = pytest.importorskip("tdapp.storage.connection_timeouts")
    monkeypatch.setattr(connection_timeouts, "DEADLINE", 0.3)
    login = f"second_{database.stem}"
    with closing(Desk.create(database, make_event(8))) as owner:
        owner.store.server.create_login_or_change_role(login, Role.DIRECTOR, "open")
        pair_next(owner)
    store = Store.open(
        Address.parse(f"postgresql://{login}:open@{stalling_proxy.address}/{database.stem}"), timeout=1
    )
    with closing(Desk(store)) as desk:
        yield desk


def make_result_command(desk: Desk, points: int) -> partial[Tournament]:
    game = get_game_at(desk.tournament, 1).id
    return partial(commands.enter_result, game=game, first=400 + points, second=300)


def retry_until_saved(desk: Desk, command: partial[Tournament]) -> None:
    """Retry until the server ends the hanging connection."""
    for _ in range(60):
        with suppress(StorageError):
            desk.do(command, label="enter-result")
            return
        time.sleep(0.1)
    pytest.fail("the server does not answer again")


@pytest.mark.slow
@pytest.mark.parametrize("direction", [TO_SERVER, TO_STATION])
@pytest.mark.parametrize("for_all", [False, True])
def test_hanging_server_writes_a_step_once(
    station: Desk, stalling_proxy: StallingProxy, direction: str, for_all: bool, record_attempts: AttemptRecorder
) -> None:
    stall_count = 1
    after = 0
    while stall_count:
        command, before = make_result_command(station, after), len(station.list_all_steps())
        stalling_proxy.stall_connections(direction, after, for_all=for_all)
        with suppress(StorageError):
            station.do(command, label="enter-result")
        stall_count = stalling_proxy.stall_count
        stalling_proxy.resume_connections()
        retry_until_saved(station, command)
        station.apply_changes_of_other_computers()
        assert len(station.list_all_steps()) == before + 1, after
        assert station.store.find_damage() == []
        after += 3 if for_all else 1  # new connections take seconds
    assert after > 3  # it stalled at several messages
    record_attempts("servers that hang", after // (3 if for_all else 1))
