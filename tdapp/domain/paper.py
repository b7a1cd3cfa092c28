"""Printouts: which reports are printed together, what was printed, and the picture at their head."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

from msgspec import Struct

from tdapp.domain.model import DivisionId

ReportChoiceId = NewType("ReportChoiceId", str)
PrintoutId = NewType("PrintoutId", str)
LogoId = NewType("LogoId", str)


class Moment(StrEnum):
    """When a set of reports is printed, in one step."""

    BEFORE = "before"  # the first round begins
    ROUND = "round"  # a round is to be played
    AFTER = "after"  # its results are in
    END = "end"  # the tournament is over


class Paper(Struct, frozen=True):
    """One of the reports that are printed together at a `moment`, in the order of `position`.

    `report` is an id of `tdapp.reports`, `page` one of its sizes of paper. `columns` of rows at most, None as the
    report has them; `language` empty for that of the program.
    """

    id: ReportChoiceId
    moment: Moment
    position: int
    report: str
    page: str = "a4"
    columns: int | None = None
    copies: int = 1
    language: str = ""


class Printout(Struct, frozen=True):
    """That a report was printed, and its content; made by `tdapp.reports.printed`, id and all.

    `division` None: it is of the whole tournament. `round` is the one it is of, or after which it was made, None
    for a report of no round. `category` and `best` are as asked for. `at` is UTC in ISO 8601. `content` is the
    fingerprint of what was printed; `waived` that of what came later and need not be printed, empty for nothing.
    `head` is what was printed of the journal's head at `revision`, empty for a paper without one.
    `missing` are its pages, from 1, that have not been printed, where only a part was. `results`: it is a list of
    pairings with all results of its round on it.

    The division is no parent: that something was printed stays true whatever becomes of it, and no undoing is to
    fail for it.
    """

    id: PrintoutId
    report: str
    division: DivisionId | None
    round: int | None
    at: str
    content: str
    language: str = "en"
    category: str = ""
    best: int | None = None
    waived: str = ""
    revision: int = 0
    head: str = ""
    missing: tuple[int, ...] = ()
    results: bool = False


class Logo(Struct, frozen=True):
    """The organiser's picture at the head of each printout: `data` is a PNG or JPEG file in base64."""

    id: LogoId
    name: str
    data: str
