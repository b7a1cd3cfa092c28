"""Errors that the user can fix. Any other exception is a bug.

Each error has a code and facts; `tdapp.i18n` turns them into a sentence in the user's language.
"""

from __future__ import annotations


class UserError(Exception):
    """An error that the user can fix. `code` selects the sentence, `facts` fill it."""

    def __init__(self, code: str, /, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts

    def __str__(self) -> str:
        """Return code and facts, for logs. Users see the translated sentence."""
        return " ".join([self.code, *(f"{key}={value!r}" for key, value in self.facts.items())])


class RuleViolation(UserError):
    """A command was refused. The tournament is unchanged."""


class InputError(UserError):
    """A file or text cannot be read. `source`, `line` (1-based) and `field` give the location."""

    def __init__(
        self, code: str, /, *, source: str = "", line: int | None = None, field: str = "", **facts: object
    ) -> None:
        super().__init__(code, **facts)
        self.source = source
        self.line = line
        self.field = field


class StorageError(UserError):
    """The tournament's file or database cannot be opened, read or written."""
