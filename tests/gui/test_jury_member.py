"""Test of the name of today's jury member."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace

import pytest

from tdapp.gui.shell import jury_member
from tdapp.gui.shell.session import Session


def test_jury_member_keeps_the_name_until_six_in_the_morning(
    empty_session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def set_clock(time: str) -> None:
        moment = datetime.fromisoformat(time).astimezone()
        monkeypatch.setattr(jury_member, "datetime", SimpleNamespace(now=lambda: moment))

    set_clock("2026-11-30T23:50:00")
    jury_member.set_jury_member(empty_session, "J. Ury")
    set_clock("2026-12-01T00:10:00")
    assert jury_member.get_jury_member_today(empty_session) == "J. Ury"
    set_clock("2026-12-01T06:10:00")
    assert not jury_member.get_jury_member_today(empty_session)
