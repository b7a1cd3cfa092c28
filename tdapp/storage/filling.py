"""Many values at once: rows from columns, and reasons that stay text until somebody asks for them."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cache, partial
from itertools import repeat
from operator import attrgetter
from typing import Any, TypeVar

from tdapp.domain.model import Reason
from tdapp.domain.plain import decoder

T = TypeVar("T")
_values = attrgetter(*(item.name for item in fields(Reason)))
_decoder = cache(partial(decoder, Reason))  # made when there is something to decode


def filled(wanted: type[T], names: Iterable[str], columns: Sequence[Sequence[Any]]) -> list[T]:
    """Return objects with these fields: filled column by column, in a third of the time of their constructor."""
    made = list(map(object.__new__, repeat(wanted, len(columns[0]))))
    for name, column in zip(names, columns, strict=True):
        deque(map(getattr(wanted, name).__set__, made, column), maxlen=0)
    return made


def kept_reasons(texts: Sequence[str]) -> list[KeptReason]:
    """Return the reasons of these texts, of which none is read yet."""
    return filled(KeptReason, ("_text",), (texts,))


class KeptReason(Reason):
    """A reason that is read when it is first asked for: of a hundred thousand hardly any ever is.

    One that cannot be read says nothing. Damage is noticed by the sum, and named by a check, which reads them all.
    """

    __slots__ = ("_text",)

    def __getattr__(self, name: str) -> Any:
        """Read the text: a field that is not filled yet is asked for."""
        if name not in Reason.__slots__:
            raise AttributeError(name)
        try:
            found = _decoder()(json.loads(self._text))
        except (ValueError, RecursionError):
            found = Reason("")
        for item in fields(Reason):
            object.__setattr__(self, item.name, getattr(found, item.name))
        return getattr(found, name)

    def __eq__(self, other: object) -> bool:
        """Compare it as any reason."""
        return isinstance(other, Reason) and _values(self) == _values(other)

    def __hash__(self) -> int:
        """Return what an equal reason has."""
        return hash(_values(self))
