"""A child process of tests. It saves steps until a test kills it, and prints a line for each saved step.

Arguments: the file, and its maximum size in bytes (0: no limit).
"""

import resource
import signal
import sys
from pathlib import Path

from tdapp.domain.errors import StorageError
from tdapp.storage import Store
from tests.storage.samples import change_score, make_step


def main(path: Path, limit: int) -> None:
    store = Store.open(path)
    value, seq = store.load_tournament_and_revision()
    if limit:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    while True:
        seq += 1
        value, changes = change_score(seq, value)
        try:
            store.save_step(changes, make_step(seq))
        except StorageError as error:
            sys.stdout.write(f"{error.code}\n")
            return
        sys.stdout.write(f"{seq}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
