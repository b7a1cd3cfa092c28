"""Errors that the user can fix. Any other exception is a bug."""

from __future__ import annotations


class UserError(Exception):
    """An error that the user can fix.

    `code` selects the message, `facts` are the values in it.
    """

    def __init__(self, code: str, /, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{key}={value!r}" for key, value in self.facts.items())])


class CommandError(UserError):
    """A command was refused. The tournament is unchanged."""


class InputError(UserError):
    """A file or text cannot be read. `source`, `line` (from 1) and `field` give the position."""

    def __init__(
        self, code: str, /, *, source: str = "", line: int | None = None, field: str = "", **facts: object
    ) -> None:
        super().__init__(code, **facts)
        self.source = source
        self.line = line
        self.field = field


class StorageError(UserError):
    """The tournament's file or database cannot be opened, read or written."""
