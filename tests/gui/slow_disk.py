"""A disk that reports its writes late, for tests of events while it saves."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from tdapp.gui.shell.session import SessionWorker
from tdapp.services.worker import run_call_and_return_delivery

T = TypeVar("T")


class SlowDisk:
    """Runs work at once and reports it to the window later."""

    def __init__(self, work: SessionWorker, monkeypatch: pytest.MonkeyPatch) -> None:
        self._untold: list[Callable[[], None]] = []
        monkeypatch.setattr(work, "_run_in_pool", self.run)
        monkeypatch.setattr(work, "post_call", self.post)

    def run(
        self,
        _pool: Executor | None,
        call: Callable[[], T],
        on_done: Callable[[T], None],
        on_failed: Callable[[Exception], None],
    ) -> None:
        self._untold.append(run_call_and_return_delivery(call, on_done, on_failed))

    def post(self, call: Callable[[], None]) -> None:
        self._untold.append(call)

    def tell(self) -> None:
        """Report all finished work to the window, after closed widgets are deleted."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        while self._untold:
            self._untold.pop(0)()
            QCoreApplication.processEvents()
