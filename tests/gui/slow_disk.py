"""A disk whose window hears late of what is done, for tests of what happens meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from tdapp.gui.shell.session import Work
from tdapp.services.worker import run_and_settle

T = TypeVar("T")


class SlowDisk:
    """Work that is done at once, of which the window hears later."""

    def __init__(self, work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
        self._untold: list[Callable[[], None]] = []
        monkeypatch.setattr(work, "_run", self.run)
        monkeypatch.setattr(work, "post", self.post)

    def run(
        self,
        _pool: Executor | None,
        call: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._untold.append(run_and_settle(call, then, failed))

    def post(self, call: Callable[[], None]) -> None:
        self._untold.append(call)

    def tell(self) -> None:
        """Let the window hear of all that is done, when what was closed is gone."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        while self._untold:
            self._untold.pop(0)()
            QCoreApplication.processEvents()
