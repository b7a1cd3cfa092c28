"""Start the program."""

from __future__ import annotations

import sys

from tdapp.app import main

if __name__ == "__main__":
    sys.exit(main())
