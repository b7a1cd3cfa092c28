"""The verb `do`: any command by its id."""

from __future__ import annotations

from argparse import Namespace

from tdapp.cli.do import arguments_of, commands, do
from tdapp.cli.output import show_json
from tdapp.cli.program import Program
from tdapp.domain.errors import RuleViolation


def do_verb(program: Program, options: Namespace) -> None:
    """Run a command with its arguments as `key=value`, or list the commands."""
    if options.list:
        listed = {name: arguments_of(command) for name, command in commands().items()}
        if options.json:
            show_json(listed)
            return
        for name, arguments in listed.items():
            print(name, " ".join(f"{key}={kind}" for key, kind in arguments.items()))
        return
    if options.file is None or options.command is None:
        raise RuleViolation("do-what")
    words = {}
    for word in options.words:
        name, equals, value = word.partition("=")
        if not equals:
            raise RuleViolation("argument-without-value", argument=word)
        words[name] = value
    with program.desk(options.file) as desk:
        do(program, desk, options.command, words)
        if options.json:
            step = desk.undo_step
            said = program.catalogue.step(step.label, step.facts) if step else ""
            show_json({"command": options.command, "text": said})
