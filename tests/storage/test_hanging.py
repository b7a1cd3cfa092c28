"""If a disk or server hangs, each confirmed step is stored exactly once."""

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
from tests.conftest import Tally
from tests.storage.postgres import Cluster
from tests.storage.samples import make_played_tournament
from tests.storage.stalling_proxy import TO_SERVER, TO_STATION, StallingProxy, stalling
from tests.storage.test_kill import ROOT, confirmed_is_kept

# --- a disk that hangs or fails


@pytest.fixture(scope="session")
def preload(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that delays or fails `fsync`."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("a C compiler on Linux is needed to delay fsync")
    library = tmp_path_factory.mktemp("preload") / "hanging.so"
    source = Path(__file__).with_name("hanging.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def playing(path: Path, preload: Path, mood: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.storage.committing_process", str(path), "0"]
    environment = os.environ | {"LD_PRELOAD": str(preload), "HANGING": str(mood)}
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment)


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(3))
def test_hanging_disk_confirms_nothing(tmp_path: Path, preload: Path, turn: int, tried: Tally) -> None:
    tried("disks that hang", 1)
    path, mood = tmp_path / "event.tdapp", tmp_path / "mood"
    Store.create(path, make_played_tournament()).close()
    mood.write_text("go")
    with playing(path, preload, mood) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(turn + 2)]
        mood.write_text("hang")
        time.sleep(0.3)  # what was on its way has been said
        os.set_blocking(child.stdout.fileno(), False)
        lines += child.stdout.readlines()
        time.sleep(0.3)
        assert child.stdout.readlines() == []
        assert child.poll() is None
        os.set_blocking(child.stdout.fileno(), True)
        child.kill()
        lines += child.stdout.readlines()
    confirmed_is_kept(path, lines)


@pytest.mark.slow
def test_failing_disk_is_reported_and_loses_no_confirmed_step(tmp_path: Path, preload: Path, tried: Tally) -> None:
    tried("disks that fail", 1)
    path, mood = tmp_path / "event.tdapp", tmp_path / "mood"
    Store.create(path, make_played_tournament()).close()
    mood.write_text("go")
    with playing(path, preload, mood) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(3)]
        mood.write_text("fail")
        *output, code = child.stdout.readlines()
    assert code.strip() == "disk-error"
    confirmed_is_kept(path, [*lines, *output])


_REPEAT = """
import sys
from functools import partial
from pathlib import Path
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import StorageError
from tests.building import game_at

path, mood = map(Path, sys.argv[1:])
desk = Desk.open(path)
command = partial(commands.enter_result, game=game_at(desk.tournament, 1).id, first=401, second=300)
mood.write_text("fail")
for _ in range(2):
    try:
        desk.do(command)
    except StorageError as error:
        print(error.code)
mood.write_text("go")
print(len(desk.do(command)), len(desk.history()), len(desk.tournament.results), desk.undo_step.label)
"""


@pytest.mark.slow
def test_step_with_an_error_at_the_end_of_its_commit_is_saved_once(tmp_path: Path, preload: Path) -> None:
    """The journal of SQLite is deleted, but the disk does not confirm that."""
    folder, mood = tmp_path / "stick", tmp_path / "mood"
    folder.mkdir()
    path = folder / "event.tdapp"
    with closing(Desk.create(path, make_event(8))) as desk:
        pair_next(desk)
    mood.write_text("go")
    command = [sys.executable, "-c", _REPEAT, str(path), str(mood)]
    environment = os.environ | {"LD_PRELOAD": str(preload), "HANGING": str(mood), "HANGING_IN": f"={folder}"}
    process = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert process.stdout.splitlines() == ["disk-error", "disk-error", "1 2 1 enter-result"]


# --- a server that hangs


@pytest.fixture
def way(cluster: Cluster) -> Iterator[StallingProxy]:
    with stalling(cluster.port) as proxy:
        yield proxy


@pytest.fixture
def station(
    cluster: Cluster, database: Address, way: StallingProxy, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    """A director's station with one paired round, which waits 0.3 seconds for the server."""
    answering = pytest.importorskip("tdapp.storage.connection_timeouts")
    monkeypatch.setattr(answering, "DEADLINE", 0.3)
    login = f"second_{database.stem}"
    with closing(Desk.create(database, make_event(8))) as owner:
        owner.store.server.grant_login(login, Role.DIRECTOR, "open")
        pair_next(owner)
    store = Store.open(Address.parse(f"postgresql://{login}:open@{way.address}/{database.stem}"), timeout=1)
    with closing(Desk(store)) as desk:
        yield desk


def entering(desk: Desk, points: int) -> partial[Tournament]:
    game = get_game_at(desk.tournament, 1).id
    return partial(commands.enter_result, game=game, first=400 + points, second=300)


def done_at_last(desk: Desk, command: partial[Tournament]) -> None:
    """Retry until the server ends the connection that hung."""
    for _ in range(60):
        with suppress(StorageError):
            desk.do(command, label="enter-result")
            return
        time.sleep(0.1)
    pytest.fail("the server does not come back")


@pytest.mark.slow
@pytest.mark.parametrize("direction", [TO_SERVER, TO_STATION])
@pytest.mark.parametrize("for_all", [False, True])
def test_hanging_server_writes_a_step_once(
    station: Desk, way: StallingProxy, direction: str, for_all: bool, tried: Tally
) -> None:
    stall_count = 1
    after = 0
    while stall_count:
        command, before = entering(station, after), len(station.history())
        way.stall(direction, after, for_all=for_all)
        with suppress(StorageError):
            station.do(command, label="enter-result")
        stall_count = way.stall_count
        way.go_on()
        done_at_last(station, command)
        station.read_store_changes()
        assert len(station.history()) == before + 1, after
        assert station.store.find_damage() == []
        after += 3 if for_all else 1  # where no new connection is made that takes seconds
    assert after > 3  # it hung at each thing that is said
    tried("servers that hang", after // (3 if for_all else 1))
