"""Reads values from a mapping (parsed JSON or TOML) key by key, and collects all problems before raising."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

Choice = TypeVar("Choice", bound=StrEnum)


class FieldProblem(NamedTuple):
    """One problem of a document: its path and an English text."""

    path: str
    text: str
    code: str  # of a translated text with `facts`, or ""
    facts: Mapping[str, object]

    def __str__(self) -> str:
        return f"{self.path}: {self.text}"


class UnreadableDocumentError(ValueError):
    """Raised for an unreadable document, with all its problems."""

    def __init__(self, field_problems: Sequence[FieldProblem]) -> None:
        self.field_problems, self.problems = tuple(field_problems), tuple(map(str, field_problems))
        super().__init__("; ".join(self.problems))


class FieldReader:
    """Reads the values of one mapping key by key. An unread key is a problem."""

    def __init__(self, mapping: object, path: str, problems: list[FieldProblem]) -> None:
        self.path = path
        self._problems = problems
        self._mapping: Mapping[str, object] = {}
        self._read_keys: set[str] = set()
        if isinstance(mapping, Mapping):
            self._mapping = {str(key): value for key, value in mapping.items()}
        else:
            self.add_problem(
                "", f"expected a table, found {mapping!r}", "misfit-table", found=_shorten_value(mapping)
            )

    def add_problem(self, key: str, text: str, code: str = "", **facts: object) -> None:
        """Add a problem of `key`, or of the whole mapping if `key` is "".

        `text` is in English. `code` is the id of a translated text with the values `facts`.
        """
        path = f"{self.path}.{key}" if self.path and key else self.path or key or "document"
        self._problems.append(FieldProblem(path, text, code, facts))

    def has_value(self, key: str) -> bool:
        return self.read_value(key) is not None

    def read_integer(self, key: str, minimum: int, maximum: int) -> int | None:
        """Return a whole number from `minimum` to `maximum`, None if the key is missing or invalid."""
        maximum = max(minimum, maximum)
        value: int | None = self._read_value_of_type(int, key, "a whole number")
        if isinstance(value, bool):
            self.add_problem(
                key, f"expected a whole number, found {value!r}", "misfit-number", found=_shorten_value(value)
            )
            return None
        if value is not None and not minimum <= value <= maximum:
            text = f"{value} is not between {minimum} and {maximum}"
            self.add_problem(key, text, "misfit-range", found=value, low=minimum, high=maximum)
            return None
        return value

    def read_integer_with_minimum_as_default(self, key: str, minimum: int, maximum: int) -> int:
        """Return a whole number from `minimum` to `maximum`, `minimum` if the key is missing or invalid."""
        value = self.read_integer(key, minimum, maximum)
        return minimum if value is None else value

    def read_text(self, key: str) -> str | None:
        value: str | None = self._read_value_of_type(str, key, "a text")
        return value

    def read_flag(self, key: str) -> bool:
        return self._read_value_of_type(bool, key, "true or false") is True

    def read_choice(self, key: str, choices: type[Choice]) -> Choice | None:
        value = self.read_value(key)
        if value is None:
            return None
        for member in choices:
            if value == member.value:
                return member
        choice_texts = ", ".join(member.value for member in choices)
        text = f"expected one of {choice_texts}, found {value!r}"
        self.add_problem(key, text, "misfit-choice", found=_shorten_value(value), choices=choice_texts)
        return None

    def read_mapping_list(self, key: str) -> Iterator[FieldReader]:
        for number, item in enumerate(self.read_list(key)):
            yield FieldReader(
                item, f"{self.path}.{key}[{number}]" if self.path else f"{key}[{number}]", self._problems
            )

    def read_list(self, key: str) -> Sequence[object]:
        return self._read_value_of_type((list, tuple), key, "a list") or ()

    def read_mapping(self, key: str) -> Mapping[str, object]:
        return self._read_value_of_type(Mapping, key, "a table") or {}

    def _read_value_of_type(self, kinds: type | tuple[type, ...], key: str, expected: str) -> Any:
        value = self.read_value(key)
        if value is None or isinstance(value, kinds):
            return value
        self.add_problem(
            key, f"expected {expected}, found {value!r}", _KINDS[expected], found=_shorten_value(value)
        )
        return None

    def report_missing_keys(self, *keys: str) -> None:
        for key in keys:
            if not self.has_value(key):
                self.add_problem(key, "missing", "misfit-missing")

    def report_unread_keys(self) -> None:
        for key in self._mapping:
            if key not in self._read_keys:
                self.add_problem(key, "unknown", "misfit-unknown")

    def read_value(self, key: str) -> object:
        self._read_keys.add(key)
        return self._mapping.get(key)


_KINDS = {
    "a whole number": "misfit-number",
    "a text": "misfit-text",
    "true or false": "misfit-flag",
    "a list": "misfit-list",
    "a table": "misfit-table",
}
_MAX_SHOWN_LENGTH = 40  # of a shown value


def _shorten_value(value: object) -> str:
    text = str(value)
    return text if len(text) <= _MAX_SHOWN_LENGTH else f"{text[:_MAX_SHOWN_LENGTH]}…"
