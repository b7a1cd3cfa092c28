"""What a session has one of: made when it is asked for first, and gone with the session."""

from __future__ import annotations

from typing import Self

from PySide6.QtCore import QObject

from tdapp.gui.shell.session import Session


class SessionService(QObject):
    """Belongs to a session; one on the past has what the present has."""

    @classmethod
    def of(cls, session: Session) -> Self:
        """Return the session's own; there is only one."""
        owner = session.present or session
        return owner.findChild(cls) or cls(owner)
