"""The name of today's jury member."""

from __future__ import annotations

from datetime import datetime

from tdapp.domain.tables.evenings import get_date_of_current_evening
from tdapp.gui.shell.session import Session

AUTHOR = "jury/author"  # the setting with the last jury member
AUTHOR_DAY = "jury/author-day"  # the day and the tournament of that name
WRITER = "author"  # the setting with the last name in the field "By" of a form


def get_last_jury_member_name(session: Session) -> str:
    """Return the jury member entered last, even on an earlier day, or ""."""
    return str(session.settings.value(AUTHOR, ""))


def get_jury_member_today(session: Session) -> str:
    """Return today's jury member, "" if none was entered."""
    is_today = session.settings.value(AUTHOR_DAY, "") == format_today_and_tournament_id(session)
    return get_last_jury_member_name(session) if is_today else ""


def set_jury_member(session: Session, name: str) -> None:
    session.settings.setValue(AUTHOR, name)
    session.settings.setValue(AUTHOR_DAY, format_today_and_tournament_id(session))


def format_today_and_tournament_id(session: Session) -> str:
    """Return the day and the tournament id. The day ends at 6 a.m., because club evenings can pass midnight."""
    today = get_date_of_current_evening(datetime.now().astimezone())
    return f"{today} {session.tournament.event.id if session.is_open else ''}"


def get_proposed_jury_member_name(session: Session) -> str:
    return get_jury_member_today(session) or str(session.settings.value(WRITER, ""))
