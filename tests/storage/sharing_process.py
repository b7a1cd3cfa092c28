"""A child process of tests: shares a file and moves it back repeatedly, and prints each saved step."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from tdapp.services.servers import OwnServers
from tdapp.services.sharing import move_to_file
from tdapp.storage import Address, Store, relocation
from tests.storage.samples import score, step


def saved(location: Path | Address) -> None:
    """Save one more step there, and print its number."""
    with closing(Store.open(location)) as store:
        value, revision = store.load()
        store.save_step(score(revision + 1, value)[1], step(revision + 1))
    sys.stdout.write(f"{revision + 1}\n")
    sys.stdout.flush()


def main(path: Path, address: Address) -> None:
    while True:
        saved(path)
        with closing(Store.open(path)) as store:
            relocation.share_tournament(store, address)
        saved(address)
        move_to_file(OwnServers(path.parent), address, path)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Address.parse(sys.argv[2]))
