"""What was done to a tournament: the lines of its journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tdapp.domain.changes import Diff
from tdapp.domain.model import Scalar

# Steps that tell of what happened outside the program and so cannot be taken back: undo and redo pass over them.
PASSED_OVER = frozenset({"note-printouts", "waive-printouts"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that was done.

    `seq` is the tournament's revision after it: each step makes one, from 1. `at` is UTC in ISO 8601; `label` and
    `facts` make its sentence in any language; `undoes` is the seq of the step it takes back.
    """

    seq: int
    at: str
    station: str
    label: str
    facts: Mapping[str, Scalar]
    undoes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry(Step):
    """A step with the rows it changed."""

    changes: Diff
