"""Start the program."""

from __future__ import annotations

import sys

from tdapp.app import main

if __name__ == "__main__":
    if getattr(sys, "frozen", False):
        from multiprocessing import freeze_support

        freeze_support()
    sys.exit(main())
