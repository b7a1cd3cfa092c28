"""What the user has chosen on this computer, as it is read: always something that can be.

Settings may be from another version of the program, or written by hand; what makes no sense counts as not chosen.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Protocol, TypeVar

from tdapp.domain.plain import decoder, encode

T = TypeVar("T")


class Settings(Protocol):
    """What the user has chosen on this computer, by key."""

    def value(self, key: str, default: object = ..., /) -> object:
        """Return what is kept under a key."""

    def setValue(self, key: str, value: object, /) -> None:  # noqa: N802, RUF100 - as Qt names it
        """Keep a value under a key."""


def chosen(settings: Settings, key: str, among: Collection[str], usual: str) -> str:
    """Return which of some values is chosen."""
    found = str(settings.value(key, usual))
    return found if found in among else usual


def number(settings: Settings, key: str, usual: int, *, most: int) -> int:
    """Return the whole number that is chosen, from 1 to `most`."""
    found = str(settings.value(key, usual))
    value = int(found) if found.isascii() and found.isdigit() and len(found) <= len(str(most)) else 0
    return value if 1 <= value <= most else usual


def keep(settings: Settings, key: str, value: object) -> None:
    """Keep a value of a dataclass under a key."""
    settings.setValue(key, json.dumps(encode(value)))


def kept(settings: Settings, key: str, usual: T) -> T:
    """Return the value that `keep` has kept; `usual` where there is none, or none that can be."""
    try:
        return decoder(type(usual))(json.loads(str(settings.value(key, ""))))
    except ValueError:
        return usual
