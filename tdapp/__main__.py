"""Start the program."""

from __future__ import annotations

import sys
from multiprocessing import freeze_support

from tdapp.app import main

if __name__ == "__main__":
    freeze_support()
    sys.exit(main())
