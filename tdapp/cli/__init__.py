"""The program without its window: verbs over the same Desk, commands and tables.

`arguments` declares the verbs with their options; `verbs` and the modules beside it run them, `do` runs any
command by its id; `output` makes JSON and plain tables. A verb ends with 0 when done, or with 2 and one sentence
on standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tdapp.cli.arguments import VERBS, parse, picture_arguments
from tdapp.cli.output import show_json
from tdapp.cli.program import Program
from tdapp.domain.errors import UserError
from tdapp.i18n.catalogue import Catalogue

__all__ = ["VERBS", "picture_arguments", "refuse", "run"]


def run(given: Sequence[str], *, resources: Path, shared: Path | None = None) -> int:
    """Run one verb and return its exit code; `shared` holds the servers that the window has started here."""
    options = parse(given)
    program = Program(resources, language=options.lang, shared=shared)
    try:
        found = VERBS[options.verb].run(program, options)
    except UserError as error:
        return refuse(error, program.catalogue)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    if isinstance(found, int):
        return found
    if options.json and found is not None:
        show_json(found)
    return 0


def refuse(error: UserError, catalogue: Catalogue) -> int:
    """Say in one sentence what is wrong, and return the exit code."""
    print(catalogue.error(error), file=sys.stderr)
    return 2
