"""Report sets, records of printed reports, and the logo."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

from msgspec import Struct

from tdapp.domain.model import DivisionId

ReportChoiceId = NewType("ReportChoiceId", str)
PrintoutId = NewType("PrintoutId", str)
LogoId = NewType("LogoId", str)


class Moment(StrEnum):
    """When a set of reports is printed in one step."""

    BEFORE = "before"  # before the first round
    ROUND = "round"  # before a round
    AFTER = "after"  # after the results of a round
    END = "end"  # after the tournament


class ReportChoice(Struct, frozen=True):
    """A report in the set that is printed at a moment.

    `report` is an id of `tdapp.reports`, and `page` a paper size. `columns` is the maximum number of columns,
    None for the report's default.
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
    """The record of a printed report.

    - `division` is None for the whole tournament.
    - `round` is the round of the report, or the last round before printing; None for a report without a round.
    - `at` is UTC in ISO 8601.
    - `content` is the fingerprint of the printed text.
    - `waived` is the fingerprint of a newer text that need not be printed, or "".
    - `head` is the printed checksum of the journal at `revision`, or "".
    - `missing` are the unprinted pages.
    - `on` is the date of a season's list in ISO 8601, "" for the latest.
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
    on: str = ""


class Logo(Struct, frozen=True):
    """The organiser's logo, a PNG or JPEG file in base64."""

    id: LogoId
    name: str
    data: str
