"""Tests of the verbs `share`, `fetch`, `admit` and `unshare`. No message has a password."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.app import main
from tdapp.domain.errors import StorageError
from tdapp.storage import Address, Store, databases
from tests.cli.shell import Shell
from tests.desk.test_desk import are_equal
from tests.storage.postgres import Cluster

pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")

PLAYERS = "name;rating\n" + "".join(f"Player {n};{1900 - n}\n" for n in range(1, 5))


@pytest.fixture
def event_file(shell: Shell) -> Path:
    file = shell.folder / "event.tdapp"
    shell.run("new", file, "--name", "Open", "--rules", "nl-match", "--no-check-first", "--rounds", 3)
    shell.run("import", file, shell.write_file("players.csv", PLAYERS))
    return file


def test_share_and_fetch_keep_results_of_two_desks(
    shell: Shell, event_file: Path, database: Address, cluster: Cluster
) -> None:
    output = shell.run("share", event_file, database)
    assert str(database) in output
    shell.run("pair", database)
    login = f"jan_{database.stem}"
    join_result = shell.run_json("admit", database, login, "entry")
    entry = cluster.make_address(database.stem, login, join_result["password"]).secret
    shell.run("result", entry, "--round", 1, "--table", 1, 400, 300)
    assert shell.run_json("history", database)[0]["station"] == login
    assert "entry desk" in shell.run_refused("withdraw", entry, 1)
    shell.run("result", database, "--round", 1, "--table", 2, 300, 400)
    shell.run("undo", entry)
    restored_file = shell.folder / "back.tdapp"
    shell.run("fetch", database, restored_file)
    assert shell.run_json("check", restored_file)["sound"]
    stores = [Store.open(restored_file), Store.open(database)]
    assert are_equal(stores[0].load_tournament_and_revision()[0], stores[1].load_tournament_and_revision()[0])
    assert stores[0].read_journal() == stores[1].read_journal()
    assert len(stores[0].load_tournament_and_revision()[0].results) == 1
    for store in stores:
        store.close()
    assert "already" in shell.run_refused("fetch", database, restored_file)
    assert "has been shared at" in shell.run_refused("share", event_file, database)


def test_fetch_refuses_a_damaged_tournament_and_repair_restores_it(
    shell: Shell, event_file: Path, database: Address, cluster: Cluster
) -> None:
    shell.run("share", event_file, database)
    shell.run("pair", database)
    restored_file = shell.folder / "back.tdapp"
    cluster.run_statement("UPDATE tdapp.rounds SET number = 2", database.stem)
    assert "tdapp repair" in shell.run_refused("fetch", database, restored_file)
    assert not restored_file.exists()
    repair = shell.run_json("repair", database)
    steps = len(shell.run_json("history", database))
    assert repair == {"address": str(database), "copy": None, "revision": steps, "lost": 0, "certain": True}
    shell.run("fetch", database, restored_file)
    assert shell.run_json("check", restored_file)["sound"]
    cluster.run_statement("UPDATE tdapp.journal SET at = 'x'", database.stem)
    assert f"The tournament has been restored to its state after step {steps}." in shell.run(
        "repair", database, restored_file
    )
    assert "-o NEW" in shell.run_refused("repair", restored_file)


def test_new_creates_a_tournament_on_a_server(shell: Shell, database: Address) -> None:
    shell.run("new", database, "--name", "Open", "--rules", "nl-match", "--no-check-first", "--rounds", 3)
    shell.run("import", database, shell.write_file("players.csv", PLAYERS))
    document = shell.folder / "event.json"
    shell.run("export", database, document)
    assert "Player 4" in document.read_text()
    assert shell.run_json("check", database)["sound"]


def test_import_fills_an_empty_database(shell: Shell, event_file: Path, database: Address) -> None:
    document = shell.folder / "event.json"
    shell.run("export", event_file, document)
    shell.run("import", database, document)
    stores = [Store.open(event_file), Store.open(database)]
    assert are_equal(stores[0].load_tournament_and_revision()[0], stores[1].load_tournament_and_revision()[0])
    for store in stores:
        store.close()


def test_admit_of_a_display_allows_only_reading(
    shell: Shell, event_file: Path, database: Address, cluster: Cluster
) -> None:
    shell.run("share", event_file, database)
    login = f"wall_{database.stem}"
    output = shell.run("admit", database, login, "display")
    secret = output.split()[-1]
    display_login = cluster.make_address(database.stem, login, secret).secret
    assert shell.run("players", display_login)
    assert "display" in shell.run_refused("pair", display_login)
    assert secret not in shell.error


def test_admit_keeps_the_password_of_a_login(shell: Shell, event_file: Path, database: Address) -> None:
    shell.run("share", event_file, database)
    login = f"two_{database.stem}"
    assert "password" in shell.run_json("admit", database, login, "display")
    assert "password" not in shell.run_json("admit", database, login, "jury")


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
def test_server_errors_hide_a_typed_password(shell: Shell, words: tuple[str, ...]) -> None:
    assert "s3cret" not in shell.run_refused(*words)


@pytest.mark.parametrize(
    "words",
    [
        ("players", "a.tdapp", "postgresql://anna:s3cret@h/event"),
        ("postgresql://anna:s3cret@h/event", "players"),
        ("admit", "postgresql://anna:s3cret@h/event", "jan", "postgresql://anna@h/e?password=s3cret"),
    ],
)
def test_argument_errors_hide_a_typed_password(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit):
        main(words)
    captured = capsys.readouterr()
    assert "anna" in captured.err
    assert "s3cret" not in captured.err + captured.out


def test_share_refuses_a_file_as_address(shell: Shell, event_file: Path) -> None:
    assert "postgresql://" in shell.run_refused("share", event_file, "other.tdapp")
    assert "postgresql://" in shell.run_refused("fetch", "other.tdapp", event_file)


def test_share_locks_the_file_until_unshare(
    shell: Shell, event_file: Path, database: Address, cluster: Cluster
) -> None:
    shell.run("share", event_file, database)
    content, old_content = event_file.read_bytes(), len(shell.run_json("history", event_file))
    for words in (
        ["pair", event_file],
        ["serve", event_file, "--entry"],
        ["share", event_file, cluster.make_address("other")],
    ):
        error = shell.run_refused(*words)
        assert str(database) in error
        assert "unshare" in error
    assert "Player 1" in shell.run("standings", event_file)
    assert event_file.read_bytes() == content
    shell.run("pair", database)
    document = shell.run_json("unshare", event_file)
    assert document == {"file": str(event_file), "address": str(database), "snapshots": None, "left": False}
    with pytest.raises(StorageError, match="server-empty"):
        Store.open(database)
    assert len(shell.run_json("history", event_file)) == old_content + 1
    shell.run("result", event_file, "--round", 1, "--table", 1, 400, 300)
    assert "not shared" in shell.run_refused("unshare", event_file)


def test_unshare_can_leave_the_server_on_request(shell: Shell, event_file: Path, database: Address) -> None:
    shell.run("share", event_file, database)
    assert "can be changed again" in shell.run("unshare", event_file, "--leave-server")
    shell.run("pair", event_file)
    assert "already" in shell.run_refused("fetch", database, event_file)


def test_unshare_deletes_a_database_made_by_share(shell: Shell, event_file: Path, cluster: Cluster) -> None:
    address = cluster.make_address("made_here")
    databases.create_database(address)
    try:
        shell.run("share", event_file, address)
        shell.run("unshare", event_file)
        assert cluster.run_statement("SELECT FROM pg_database WHERE datname = 'made_here'") == []
    finally:
        cluster.run_statement("DROP DATABASE IF EXISTS made_here")
