"""The program without its window: verbs over the same Desk, commands and tables.

`arguments` declares the verbs with their options; the modules beside it run them and are loaded then, `do` runs
any command by its id; `output` makes JSON and plain tables. A verb ends with 0 when done, or with 2 and one
sentence on standard error.
"""

from __future__ import annotations

import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tdapp.cli.arguments import VERBS
from tdapp.cli.parsing import parse, picture_arguments
from tdapp.domain.errors import UserError

if TYPE_CHECKING:
    from tdapp.cli.program import Program
    from tdapp.i18n.catalogue import Catalogue

__all__ = ["VERBS", "picture_arguments", "refuse", "run"]


def run(given: Sequence[str], *, resources: Path, shared: Path | None = None) -> int:
    """Run one verb and return its exit code; `shared` holds the servers that the window has started here."""
    options = parse(given)
    from tdapp.cli.program import Program

    program = Program(resources, language=options.lang, shared=shared)
    try:
        code, ended = _run(program, options), "done"
    except UserError as error:
        code, ended = refuse(error, program.catalogue), program.catalogue.error(error)
    if options.log is not None:
        from tdapp.storage.address import masked

        _note(options.log, [masked(one) for one in given], code, ended)
    return code


def _run(program: Program, options: Namespace) -> int:
    """Run a verb; print what it found as JSON, where that is wanted."""
    with ExitStack() as stack:
        if options.quiet:
            nowhere = stack.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
            stack.enter_context(redirect_stdout(nowhere))
        found = VERBS[options.verb].run(program, options)
    if isinstance(found, int):
        return found
    if options.json and found is not None:
        from tdapp.cli.output import show_json

        show_json(found)
    return 0


def _note(log: Path, given: Sequence[str], code: int, ended: str) -> None:
    """Add a line to a log: when, what was run, the exit code, how it ended."""
    line = f"{datetime.now(UTC).isoformat(timespec='seconds')} {code} tdapp {shlex.join(given)}: {ended}\n"
    try:
        with log.open("a", encoding="utf-8") as file:
            file.write(line)
    except OSError as error:
        print(f"{log}: {error.strerror}", file=sys.stderr)


def refuse(error: UserError, catalogue: Catalogue) -> int:
    """Say in one sentence what is wrong, and return the exit code."""
    print(catalogue.error(error), file=sys.stderr)
    return 2
