"""Today's jury member on this machine, who signs rulings, checks and certificates; forms propose the name."""

from __future__ import annotations

from tdapp.gui.shell.session import Session
from tdapp.services.word_lists import get_today

AUTHOR = "jury/author"  # the setting with the last jury member
AUTHOR_DAY = "jury/author-day"  # the day and the tournament of that name
WRITER = "author"  # the setting with the last "By" of a form


def last_author(session: Session) -> str:
    """Return the last jury member, perhaps of another day."""
    return str(session.settings.value(AUTHOR, ""))


def author_today(session: Session) -> str:
    """Return today's jury member in this tournament, empty until somebody has typed the name."""
    return last_author(session) if session.settings.value(AUTHOR_DAY, "") == day_here(session) else ""


def set_author(session: Session, name: str) -> None:
    """Keep the name of today's jury member."""
    session.settings.setValue(AUTHOR, name)
    session.settings.setValue(AUTHOR_DAY, day_here(session))


def day_here(session: Session) -> str:
    """Return the day and the tournament, as the setting keeps them."""
    return f"{get_today()} {session.tournament.event.id if session.is_open else ''}"


def proposed_author(session: Session) -> str:
    """Return the name to propose where a form asks who writes."""
    return author_today(session) or str(session.settings.value(WRITER, ""))
