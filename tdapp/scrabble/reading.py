"""Read plain mappings (from JSON or TOML) field by field. All errors are collected before one is raised.

The format of an error is `path: problem`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

Choice = TypeVar("Choice", bound=StrEnum)


class Misfit(NamedTuple):
    """One error: its path, an English text, and its code with facts, "" without one."""

    path: str
    text: str
    code: str
    facts: Mapping[str, object]

    def __str__(self) -> str:
        return f"{self.path}: {self.text}"


class Misfits(ValueError):
    """An invalid document; `problems` lists every error with its path."""

    def __init__(self, found: Sequence[Misfit]) -> None:
        self.found, self.problems = tuple(found), tuple(map(str, found))
        super().__init__("; ".join(self.problems))


class Fields:
    """The fields of one mapping; a key that is never read is an error."""

    def __init__(self, plain: object, path: str, problems: list[Misfit]) -> None:
        self.path = path
        self._problems = problems
        self._plain: Mapping[str, object] = {}
        self._asked: set[str] = set()
        if isinstance(plain, Mapping):
            self._plain = {str(key): value for key, value in plain.items()}
        else:
            self.wrong("", f"expected a table, found {plain!r}", "misfit-table", found=_shorten_value(plain))

    def wrong(self, key: str, text: str, code: str = "", **facts: object) -> None:
        """Add an error of a field, or of the whole mapping if `key` is empty."""
        path = f"{self.path}.{key}" if self.path and key else self.path or key or "document"
        self._problems.append(Misfit(path, text, code, facts))

    def has(self, key: str) -> bool:
        return self.any(key) is not None

    def integer(self, key: str, low: int, high: int) -> int | None:
        """Return a whole number from `low` to `high`, None if absent or invalid.

        A `high` below `low`, as for an empty list, counts as `low`.
        """
        high = max(low, high)
        value: int | None = self._of(int, key, "a whole number")
        if isinstance(value, bool):
            self.wrong(
                key, f"expected a whole number, found {value!r}", "misfit-number", found=_shorten_value(value)
            )
            return None
        if value is not None and not low <= value <= high:
            said = f"{value} is not between {low} and {high}"
            self.wrong(key, said, "misfit-range", found=value, low=low, high=high)
            return None
        return value

    def number(self, key: str, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, `low` if absent or invalid."""
        found = self.integer(key, low, high)
        return low if found is None else found

    def text(self, key: str) -> str | None:
        """Return a text, None if absent or invalid."""
        value: str | None = self._of(str, key, "a text")
        return value

    def flag(self, key: str) -> bool:
        """Return a boolean; absent is false."""
        return self._of(bool, key, "true or false") is True

    def choice(self, key: str, choices: type[Choice]) -> Choice | None:
        """Return a member of `choices`, None if absent or invalid."""
        value = self.any(key)
        if value is None:
            return None
        for member in choices:
            if value == member.value:
                return member
        known = ", ".join(member.value for member in choices)
        said = f"expected one of {known}, found {value!r}"
        self.wrong(key, said, "misfit-choice", found=_shorten_value(value), choices=known)
        return None

    def items(self, key: str) -> Iterator[Fields]:
        """Yield the mappings of a list."""
        for number, item in enumerate(self.list(key)):
            yield Fields(item, f"{self.path}.{key}[{number}]" if self.path else f"{key}[{number}]", self._problems)

    def list(self, key: str) -> Sequence[object]:
        """Return a list; absent is empty."""
        return self._of((list, tuple), key, "a list") or ()

    def table(self, key: str) -> Mapping[str, object]:
        """Return a mapping; absent is empty."""
        return self._of(Mapping, key, "a table") or {}

    def _of(self, kinds: type | tuple[type, ...], key: str, expected: str) -> Any:
        """Return the value of a field, None if absent or of another type."""
        value = self.any(key)
        if value is None or isinstance(value, kinds):
            return value
        self.wrong(key, f"expected {expected}, found {value!r}", _KINDS[expected], found=_shorten_value(value))
        return None

    def need(self, *keys: str) -> None:
        """Add an error for each absent field."""
        for key in keys:
            if not self.has(key):
                self.wrong(key, "missing", "misfit-missing")

    def close(self) -> None:
        """Add an error for each key that was never read."""
        for key in self._plain:
            if key not in self._asked:
                self.wrong(key, "unknown", "misfit-unknown")

    def any(self, key: str) -> object:
        self._asked.add(key)
        return self._plain.get(key)


_KINDS = {
    "a whole number": "misfit-number",
    "a text": "misfit-text",
    "true or false": "misfit-flag",
    "a list": "misfit-list",
    "a table": "misfit-table",
}
_LONGEST = 40  # of a shown value


def _shorten_value(value: object) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
