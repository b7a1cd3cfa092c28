"""Signs that no text of a tournament may hold: paper cannot show them, and not every database can keep them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from tdapp.domain.changes import Diff
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Scalar

# Control characters besides tab and the ends of lines, and halves of a pair, which are no character.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def refuse_unfit(changes: Diff, facts: Mapping[str, Scalar]) -> None:
    """Raise RuleViolation where a row that comes, or a fact that is told of it, holds a sign that none may."""
    for change in changes:
        if change.after is not None:
            for item in fields(change.after):
                _refuse(getattr(change.after, item.name), item.name)
    for name, value in facts.items():
        _refuse(value, name)


def _refuse(value: object, field: str) -> None:
    if isinstance(value, str):
        if _UNFIT.search(value):
            raise RuleViolation("text-not-printable", field=field)
    elif isinstance(value, (tuple, Mapping)):
        for item in value.items() if isinstance(value, Mapping) else value:
            _refuse(item, field)
    elif is_dataclass(value):
        for part in fields(value):
            _refuse(getattr(value, part.name), field)
