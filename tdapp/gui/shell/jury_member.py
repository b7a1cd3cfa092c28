"""The name of today's jury member. Forms propose it for rulings, checks and certificates."""

from __future__ import annotations

from tdapp.gui.shell.session import Session
from tdapp.services.word_lists import get_today

AUTHOR = "jury/author"  # the setting with the last jury member
AUTHOR_DAY = "jury/author-day"  # the day and the tournament of that name
WRITER = "author"  # the setting with the last "By" of a form


def last_author(session: Session) -> str:
    """Return the last jury member, also of an earlier day."""
    return str(session.settings.value(AUTHOR, ""))


def author_today(session: Session) -> str:
    """Return "" if none was entered."""
    return last_author(session) if session.settings.value(AUTHOR_DAY, "") == day_here(session) else ""


def set_author(session: Session, name: str) -> None:
    session.settings.setValue(AUTHOR, name)
    session.settings.setValue(AUTHOR_DAY, day_here(session))


def day_here(session: Session) -> str:
    return f"{get_today()} {session.tournament.event.id if session.is_open else ''}"


def proposed_author(session: Session) -> str:
    return author_today(session) or str(session.settings.value(WRITER, ""))
