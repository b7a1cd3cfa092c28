"""What a choice holds for: the whole tournament, or one of its divisions."""

from __future__ import annotations

from tdapp.domain.model import DivisionId
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets.fields import Choice


def scope_choice(session: Session, division: DivisionId | None) -> Choice[DivisionId | None]:
    """Return the choice of the tournament (None) or a division; hidden where there is nothing to choose."""
    text, divisions = session.catalogue.text, session.index.divisions if session.is_open else ()
    values: list[tuple[DivisionId | None, str]] = [(None, text("The whole tournament"))]
    values += [(one.id, text("Division {code}", code=one.code)) for one in divisions]
    made = Choice(text("Holds for"), values, session.look, value=division)
    if len(divisions) < 2 and division is None:  # noqa: PLR2004
        made.hide()
    return made
