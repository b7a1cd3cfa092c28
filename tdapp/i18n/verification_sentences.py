"""What was found when a tournament was compared with the heads on its printouts, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from tdapp.domain.tournament import JournalHead
from tdapp.domain.verification import SoughtHead, Verification
from tdapp.i18n.catalogue import Catalogue


def verification_lines(found: Verification, catalogue: Catalogue) -> Iterator[str]:
    """Yield a sentence for the file, for each head that was sought, for the rounds printed, and for clocks."""
    text = catalogue.text
    yield text("The history holds together.") if found.sound else text("The file is damaged: “check” says where.")
    if found.head.code:
        yield text("It now ends in {head}.", head=str(found.head))
    for one in found.heads:
        yield _sought(one, found, catalogue)
    if found.broken is not None:
        first = found.proven + 1 if found.proven < found.broken else 1
        yield text("Something in steps {first} to {last} is not what it was when it was printed.", first=first,
                   last=found.broken)  # fmt: skip
    for agrees, sentence in (
        (True, text("What was printed of these rounds agrees with it:")),
        (False, text("What was printed of these rounds no longer agrees with it:")),
    ):
        rounds = [f"{one.division} {one.round}" for one in found.rounds if one.agrees is agrees]
        if rounds:
            yield f"{sentence} {', '.join(rounds)}"
    for step in found.clocks:
        yield text("Step {seq}, {when}: {jump}", seq=step.seq, when=catalogue.instant(step.at),
                   jump=catalogue.clock(step.facts))  # fmt: skip


def _sought(one: SoughtHead, found: Verification, catalogue: Catalogue) -> str:
    text = catalogue.text
    if one.step is not None:
        head, when = str(JournalHead(one.step.seq, one.code)), catalogue.instant(one.step.at)
        return text("{head} is here, of {when}: up to there the file is what was printed.", head=head, when=when)
    head = str(JournalHead(one.revision, one.code)) if one.revision is not None else one.code
    if one.erased or found.erased:
        return text("{head} is not here: personal data was erased at step {seq}, and what was printed before that "
                    "cannot be proved.", head=head, seq=found.erased)  # fmt: skip
    return text("{head} is not here: the file does not continue from that printout.", head=head)
