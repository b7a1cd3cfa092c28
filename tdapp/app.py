"""The composition root: finds the resources and hands them to the window or to the command line."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tdapp import cli
from tdapp.storage.address import Address, place_of


def resources() -> Path:
    """Return the folder of the program's data: in a bundle, in the installed package, or in a checkout."""
    package = Path(__file__).parent
    bundle = getattr(sys, "_MEIPASS", None)
    candidates = [package / "resources", package.parent / "resources"]
    if bundle:
        candidates.insert(0, Path(bundle) / "resources")
    for folder in candidates:
        if (folder / "rulesets").is_dir():
            return folder
    raise FileNotFoundError(f"no resources beside {package}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line's verb, or open the window on a file or on nothing; return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] == "picture":
        return _picture(given[1:])
    if given == ["--self-test"]:
        return _self_test()
    if given and (given[0] in cli.VERBS or given[0].startswith("-")):
        return cli.run(given, resources=resources())
    if len(given) > 1:
        return cli.run(given, resources=resources())
    return _window(place_of(given[0]) if given else None)


def _window(file: Path | Address | None) -> int:
    gc.disable()  # until the window is shown: looking for garbage where there is none takes a tenth of the start
    from tdapp import gui  # noqa: PLC0415 - the command line starts without loading Qt

    return gui.run(file, resources=resources())


def _self_test() -> int:
    from tdapp import selftest  # noqa: PLC0415 - it loads everything there is

    return selftest.run(resources())


def _picture(given: list[str]) -> int:
    from tdapp import gui  # noqa: PLC0415

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    file, target = cli.picture_arguments(given)
    gui.picture(file, resources=resources(), target=target)
    return 0
