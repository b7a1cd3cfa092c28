"""Everything a director or jury member can do: pure functions from a tournament to the next one.

Each takes the tournament and keyword arguments only, and returns the next value or raises RuleViolation. `key`
is a fresh id made outside: the ids of new rows are derived from it, so that running a command again gives the
same value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tdapp.domain.commands.constraints import *
from tdapp.domain.commands.event import *
from tdapp.domain.commands.imports import *
from tdapp.domain.commands.jury import *
from tdapp.domain.commands.papers import *
from tdapp.domain.commands.players import *
from tdapp.domain.commands.prizes import *
from tdapp.domain.commands.results import *
from tdapp.domain.commands.rounds import *
from tdapp.domain.commands.rule import is_command
from tdapp.domain.commands.sheets import *
from tdapp.domain.commands.stages import *
from tdapp.domain.tournament import Tournament

Command = Callable[..., Tournament]


def command_id(function: Command) -> str:
    """Return a command's id, which is also the label of its step in the history."""
    return function.__name__.replace("_", "-")


# By module and name, as a list of them is read.
COMMANDS: Mapping[str, Command] = {
    command_id(item): item
    for item in sorted(filter(is_command, globals().values()), key=lambda one: (one.__module__, one.__name__))
}
