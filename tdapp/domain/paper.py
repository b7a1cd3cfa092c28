"""Sets of reports to print together, records of printed reports, and the organiser's logo."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

from msgspec import Struct

from tdapp.domain.model import DivisionId

ReportChoiceId = NewType("ReportChoiceId", str)
PrintoutId = NewType("PrintoutId", str)
LogoId = NewType("LogoId", str)


class PrintingMoment(StrEnum):
    """The moment at which a set of reports is printed."""

    BEFORE = "before"  # before the first round
    ROUND = "round"  # before a round
    AFTER = "after"  # after the results of a round
    END = "end"  # after the tournament


class ReportChoice(Struct, frozen=True):
    """A report to print at one moment of the tournament, such as before a round."""

    id: ReportChoiceId
    moment: PrintingMoment
    position: int
    report: str  # an id of `tdapp.reports`
    page: str = "a4"  # paper size
    columns: int | None = None  # maximum number; None: the report's default
    copies: int = 1
    language: str = ""


class Printout(Struct, frozen=True):
    """The record of a printed report. It shows later whether the report must be printed again."""

    id: PrintoutId
    report: str
    division: DivisionId | None  # None for the whole tournament
    round: int | None  # of the report, or the last round before printing; None for a report without a round
    at: str  # UTC in ISO 8601
    content: str  # fingerprint of the printed text
    language: str = "en"
    category: str = ""
    best: int | None = None
    waived: str = ""  # fingerprint of a newer text that need not be printed, or ""
    revision: int = 0  # of the journal
    head: str = ""  # the printed checksum of the journal, or ""
    missing: tuple[int, ...] = ()  # unprinted pages
    results: bool = False
    on: str = ""  # date of a season report in ISO 8601; "": the latest


class Logo(Struct, frozen=True):
    """The organiser's logo, a PNG or JPEG file in base64."""

    id: LogoId
    name: str
    data: str
