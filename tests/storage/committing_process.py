"""Plays in a process of its own until it is killed: one line on standard output for every step on disk.

Arguments: the file, and the most bytes the file may have (0: no limit).
"""

import resource
import signal
import sys
from pathlib import Path

from tdapp.domain.errors import StorageError
from tdapp.storage import Store
from tests.storage.samples import score, step


def main(path: Path, limit: int) -> None:
    store = Store.open(path)
    value, seq = store.load()
    if limit:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    while True:
        seq += 1
        value, changes = score(seq, value)
        try:
            store.save_step(changes, step(seq))
        except StorageError as error:
            sys.stdout.write(f"{error.code}\n")
            return
        sys.stdout.write(f"{seq}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
