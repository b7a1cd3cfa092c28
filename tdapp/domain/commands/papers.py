"""Commands on printouts, report sets and logo. All commands also work in a finished tournament."""

from __future__ import annotations

from base64 import b64decode

from msgspec.structs import replace

from tdapp.domain.commands.rule import LONGEST_TEXT, check_number_in_range, command, strip_and_check_text
from tdapp.domain.errors import CommandError
from tdapp.domain.paper import Logo, LogoId, PrintingMoment, Printout, PrintoutId, ReportChoice, ReportChoiceId
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_, Plural

MOST_REPORTS = 40
MOST_COPIES = 500
LARGEST_LOGO = 200_000  # bytes of the file
_LOGO = LogoId("logo")  # the only id


@command(Plural("One report printed", "{count} reports printed", "count"), allowed_when_finished=True)
def note_printouts(tournament: Tournament, *, printouts: tuple[Printout, ...]) -> Tournament:
    """Record printouts. Each report has only one record.

    A partial print adds its pages to the record if the content has not changed. Undo keeps the record, because the
    printed paper still exists.
    """
    old_printouts = tournament.printouts
    return tournament.put(*(_choose_printout_to_keep(old_printouts.get(new.id, new), new) for new in printouts))


def _choose_printout_to_keep(old: Printout, new: Printout) -> Printout:
    if old.content == new.content:
        return replace(new, missing=tuple(page for page in new.missing if page in old.missing))
    return old if new.missing and not old.missing else new


@command(
    Plural("One report marked as not printed", "{count} reports marked as not printed", "count"),
    allowed_when_finished=True,
)
def unnote_printouts(
    tournament: Tournament, *, printouts: tuple[Printout, ...], before: tuple[Printout, ...] = ()
) -> Tournament:
    """Remove the records of failed `printouts`, and restore the earlier records `before`."""
    old_printouts = tournament.printouts
    removed_printouts = {
        new.id: old_printouts[new.id]
        for new in printouts
        if new.id in old_printouts and old_printouts[new.id].at == new.at
    }
    return tournament.drop(*removed_printouts.values()).put(
        *(old for old in before if old.id in removed_printouts)
    )


@command(
    Plural(
        "One report marked as not needing a reprint", "{count} reports marked as not needing a reprint", "count"
    ),
    allowed_when_finished=True,
)
def waive_printouts(tournament: Tournament, *, printouts: tuple[tuple[PrintoutId, str], ...]) -> Tournament:
    """Mark outdated printouts as not to be printed again.

    Each item is a printout and the fingerprint of its current content. The fingerprint "" removes the mark.
    """
    old_printouts = tournament.printouts
    return tournament.put(
        *(replace(old_printouts[key], waived=content) for key, content in printouts if key in old_printouts)
    )


@command(N_("Reports printed together: choice changed"), allowed_when_finished=True)
def choose_reports(
    tournament: Tournament, *, moment: PrintingMoment, papers: tuple[ReportChoice, ...]
) -> Tournament:
    """Set the reports to print together at a `moment`. An empty tuple restores the default."""
    if len(papers) > MOST_REPORTS:
        raise CommandError("too-many-reports", most=MOST_REPORTS)
    old = [paper for paper in tournament.papers.values() if paper.moment is moment]
    return tournament.drop(*old).put(
        *(_check_and_number_report_choice(paper, moment, position) for position, paper in enumerate(papers, 1))
    )


def _check_and_number_report_choice(choice: ReportChoice, moment: PrintingMoment, position: int) -> ReportChoice:
    check_number_in_range(choice.copies, "copies", low=1, high=MOST_COPIES)
    if choice.columns is not None:
        check_number_in_range(choice.columns, "columns", low=1, high=2)
    return replace(choice, id=ReportChoiceId(f"{moment}.{position}"), moment=moment, position=position)


@command(N_("Logo for printouts: {name}"), allowed_when_finished=True)
def set_logo(tournament: Tournament, *, name: str, data: str) -> Tournament:
    """Set the logo of all printouts. `data` is the image file in base64."""
    try:
        size = len(b64decode(data, validate=True))
    except ValueError:
        raise CommandError("logo-unreadable", name=name[:LONGEST_TEXT]) from None
    if size > LARGEST_LOGO:
        raise CommandError("logo-too-large", size=size, largest=LARGEST_LOGO)
    return tournament.put(Logo(_LOGO, strip_and_check_text(name, "name"), data))


@command(N_("Logo removed from printouts"), allowed_when_finished=True)
def remove_logo(tournament: Tournament) -> Tournament:
    return tournament.drop(*tournament.logos.values())
