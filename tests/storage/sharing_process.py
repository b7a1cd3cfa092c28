"""A child process of tests. It shares a file and moves it back repeatedly, and prints each saved step."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from tdapp.services.servers import OwnDatabaseServers
from tdapp.services.sharing import move_shared_tournament_to_file
from tdapp.storage import Address, Store, relocation
from tests.storage.samples import change_score, make_step


def save_next_step(location: Path | Address) -> None:
    """Save the next step at a location, and print its number."""
    with closing(Store.open(location)) as store:
        value, revision = store.load_tournament_and_revision()
        store.save_step(change_score(revision + 1, value)[1], make_step(revision + 1))
    sys.stdout.write(f"{revision + 1}\n")
    sys.stdout.flush()


def main(path: Path, address: Address) -> None:
    while True:
        save_next_step(path)
        with closing(Store.open(path)) as store:
            relocation.move_tournament_to_server(store, address)
        save_next_step(address)
        move_shared_tournament_to_file(OwnDatabaseServers(path.parent), address, path)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Address.parse(sys.argv[2]))
