"""Verbs on a shared tournament: sharing, joining, bringing it back; and no password in any message."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.app import main
from tdapp.domain.errors import StorageError
from tdapp.storage import Address, Store, databases
from tests.cli.shell import Shell
from tests.desk.test_desk import same
from tests.storage.postgres import Cluster

pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")

PLAYERS = "name;rating\n" + "".join(f"Player {n};{1900 - n}\n" for n in range(1, 5))


@pytest.fixture
def event(shell: Shell) -> Path:
    file = shell.folder / "event.tdapp"
    shell.run("new", file, "--name", "Open", "--rules", "nl-match", "--no-check-first", "--rounds", 3)
    shell.run("import", file, shell.file("players.csv", PLAYERS))
    return file


def test_share_and_fetch_of_a_tournament_played_by_two(
    shell: Shell, event: Path, database: Address, cluster: Cluster
) -> None:
    output = shell.run("share", event, database)
    assert str(database) in output
    shell.run("pair", database)
    login = f"jan_{database.stem}"
    joined = shell.json("admit", database, login, "entry")
    entry = cluster.make_address(database.stem, login, joined["password"]).secret
    shell.run("result", entry, "--round", 1, "--table", 1, 400, 300)
    assert shell.json("history", database)[0]["station"] == login
    assert "entry desk" in shell.run_refused("withdraw", entry, 1)
    shell.run("result", database, "--round", 1, "--table", 2, 300, 400)
    shell.run("undo", entry)
    restored_file = shell.folder / "back.tdapp"
    shell.run("fetch", database, restored_file)
    assert shell.json("check", restored_file)["sound"]
    stores = [Store.open(restored_file), Store.open(database)]
    assert same(stores[0].load()[0], stores[1].load()[0])
    assert stores[0].read_journal() == stores[1].read_journal()
    assert len(stores[0].load()[0].results) == 1
    for store in stores:
        store.close()
    assert "already" in shell.run_refused("fetch", database, restored_file)
    assert "has been shared at" in shell.run_refused("share", event, database)


def test_fetch_refuses_a_damaged_tournament_and_repair_restores_it(
    shell: Shell, event: Path, database: Address, cluster: Cluster
) -> None:
    shell.run("share", event, database)
    shell.run("pair", database)
    restored_file = shell.folder / "back.tdapp"
    cluster.run_statement("UPDATE tdapp.rounds SET number = 2", database.stem)
    assert "tdapp repair" in shell.run_refused("fetch", database, restored_file)
    assert not restored_file.exists()
    repair = shell.json("repair", database)
    steps = len(shell.json("history", database))
    assert repair == {"address": str(database), "copy": None, "revision": steps, "lost": 0, "certain": True}
    shell.run("fetch", database, restored_file)
    assert shell.json("check", restored_file)["sound"]
    cluster.run_statement("UPDATE tdapp.journal SET at = 'x'", database.stem)
    assert f"The tournament is restored as it was after step {steps}." in shell.run(
        "repair", database, restored_file
    )
    assert "-o NEW" in shell.run_refused("repair", restored_file)


def test_new_creates_a_tournament_on_a_server(shell: Shell, database: Address) -> None:
    shell.run("new", database, "--name", "Open", "--rules", "nl-match", "--no-check-first", "--rounds", 3)
    shell.run("import", database, shell.file("players.csv", PLAYERS))
    document = shell.folder / "event.json"
    shell.run("export", database, document)
    assert "Player 4" in document.read_text()
    assert shell.json("check", database)["sound"]


def test_import_fills_an_empty_database(shell: Shell, event: Path, database: Address) -> None:
    document = shell.folder / "event.json"
    shell.run("export", event, document)
    shell.run("import", database, document)
    stores = [Store.open(event), Store.open(database)]
    assert same(stores[0].load()[0], stores[1].load()[0])
    for store in stores:
        store.close()


def test_admit_of_a_display_allows_only_reading(
    shell: Shell, event: Path, database: Address, cluster: Cluster
) -> None:
    shell.run("share", event, database)
    login = f"wall_{database.stem}"
    output = shell.run("admit", database, login, "display")
    secret = output.split()[-1]
    display = cluster.make_address(database.stem, login, secret).secret
    assert shell.run("players", display)
    assert "display" in shell.run_refused("pair", display)
    assert secret not in shell.error


def test_admit_keeps_the_password_of_a_login(shell: Shell, event: Path, database: Address) -> None:
    shell.run("share", event, database)
    login = f"two_{database.stem}"
    assert "password" in shell.json("admit", database, login, "display")
    assert "password" not in shell.json("admit", database, login, "jury")


@pytest.mark.parametrize(
    "words",
    [
        ("players", "postgresql://anna:s3cret@127.0.0.1:1/event"),
        ("players", "postgresql://anna:s3cret@127.0.0.1:port/event"),
        ("players", "postgresql://anna:s3cret@[::1/event"),
        ("players", "postgresql://anna@127.0.0.1:1/event?password=s3cret"),
        ("share", "nothing.tdapp", "postgresql://anna:s3cret@127.0.0.1:1/event"),
        ("admit", "postgresql://anna:s3cret@127.0.0.1:1/event", "jan", "entry"),
        ("fetch", "postgresql://anna:s3cret@127.0.0.1:1/event", "new.tdapp"),
    ],
)
def test_server_errors_never_repeat_a_typed_password(shell: Shell, words: tuple[str, ...]) -> None:
    assert "s3cret" not in shell.run_refused(*words)


@pytest.mark.parametrize(
    "words",
    [
        ("players", "a.tdapp", "postgresql://anna:s3cret@h/event"),
        ("postgresql://anna:s3cret@h/event", "players"),
        ("admit", "postgresql://anna:s3cret@h/event", "jan", "postgresql://anna@h/e?password=s3cret"),
    ],
)
def test_argument_errors_never_repeat_a_typed_password(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit):
        main(words)
    captured = capsys.readouterr()
    assert "anna" in captured.err
    assert "s3cret" not in captured.err + captured.out


def test_share_refuses_an_address_that_is_a_file(shell: Shell, event: Path) -> None:
    assert "postgresql://" in shell.run_refused("share", event, "other.tdapp")
    assert "postgresql://" in shell.run_refused("fetch", "other.tdapp", event)


def test_share_locks_the_file_until_unshare(
    shell: Shell, event: Path, database: Address, cluster: Cluster
) -> None:
    shell.run("share", event, database)
    content, before = event.read_bytes(), len(shell.json("history", event))
    for words in (["pair", event], ["serve", event, "--entry"], ["share", event, cluster.make_address("other")]):
        error = shell.run_refused(*words)
        assert str(database) in error
        assert "unshare" in error
    assert "Player 1" in shell.run("standings", event)
    assert event.read_bytes() == content
    shell.run("pair", database)
    document = shell.json("unshare", event)
    assert document == {"file": str(event), "address": str(database), "snapshots": None, "left": False}
    with pytest.raises(StorageError, match="server-empty"):
        Store.open(database)
    assert len(shell.json("history", event)) == before + 1
    shell.run("result", event, "--round", 1, "--table", 1, 400, 300)
    assert "not shared" in shell.run_refused("unshare", event)


def test_unshare_can_leave_the_server_on_request(shell: Shell, event: Path, database: Address) -> None:
    shell.run("share", event, database)
    assert "can be changed again" in shell.run("unshare", event, "--leave-server")
    shell.run("pair", event)
    assert "already" in shell.run_refused("fetch", database, event)


def test_unshare_deletes_a_database_made_by_share(shell: Shell, event: Path, cluster: Cluster) -> None:
    address = cluster.make_address("made_here")
    databases.create_database(address)
    try:
        shell.run("share", event, address)
        shell.run("unshare", event)
        assert cluster.run_statement("SELECT FROM pg_database WHERE datname = 'made_here'") == []
    finally:
        cluster.run_statement("DROP DATABASE IF EXISTS made_here")
