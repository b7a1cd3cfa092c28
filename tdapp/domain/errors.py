"""The errors a user can mend, as opposed to our own bugs.

Every such error carries a code and facts; the words are found in the user's language by `tdapp.i18n`.
Any other exception is a bug.
"""

from __future__ import annotations


class UserError(Exception):
    """Something the user can put right: `code` names the sentence, `facts` fill it."""

    def __init__(self, code: str, /, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts

    def __str__(self) -> str:
        """Return code and facts, for logs; users see the translated sentence."""
        return " ".join([self.code, *(f"{key}={value!r}" for key, value in self.facts.items())])


class RuleViolation(UserError):
    """A command that the rules or good sense forbid; the tournament is unchanged."""


class InputError(UserError):
    """A file or text that cannot be read; `source`, `line` (1-based) and `field` say where."""

    def __init__(
        self, code: str, /, *, source: str = "", line: int | None = None, field: str = "", **facts: object
    ) -> None:
        super().__init__(code, **facts)
        self.source = source
        self.line = line
        self.field = field


class StorageError(UserError):
    """The tournament's file or database cannot be opened, read or written."""
