"""Keep the translations: `python -m tdapp.i18n extract|check|compile`, from the root of a checkout."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tdapp.i18n import upkeep


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return 1 if the check found something."""
    parser = argparse.ArgumentParser(prog="python -m tdapp.i18n", description=__doc__)
    parser.add_argument("command", choices=("extract", "check", "compile"))
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the checkout; by default where you are")
    chosen = parser.parse_args(arguments)
    if chosen.command == "extract":
        upkeep.update(chosen.root)
    elif chosen.command == "compile":
        upkeep.compile_all(chosen.root)
    found = upkeep.problems(chosen.root) if chosen.command != "compile" else []
    for problem in found:
        print(problem)
    return 1 if found and chosen.command == "check" else 0


if __name__ == "__main__":
    sys.exit(main())
