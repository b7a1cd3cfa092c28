"""A simulated slow disk, for tests of events during saving."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from tdapp.gui.shell.session import SessionWorker
from tdapp.services.worker import run_call_and_return_result_callback

T = TypeVar("T")


class SlowDisk:
    """Runs background work at once. Reports the results to the window later."""

    def __init__(self, work: SessionWorker, monkeypatch: pytest.MonkeyPatch) -> None:
        self._pending_reports: list[Callable[[], None]] = []
        monkeypatch.setattr(work, "_run_in_pool", self.hold_result)
        monkeypatch.setattr(work, "post_call_to_owner_thread", self.hold_call)

    def hold_result(
        self,
        _pool: Executor | None,
        call: Callable[[], T],
        on_done: Callable[[T], None],
        on_failed: Callable[[Exception], None],
    ) -> None:
        self._pending_reports.append(run_call_and_return_result_callback(call, on_done, on_failed))

    def hold_call(self, call: Callable[[], None]) -> None:
        self._pending_reports.append(call)

    def report_results(self) -> None:
        """Delete closed widgets. Then report all finished work to the window."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        while self._pending_reports:
            self._pending_reports.pop(0)()
            QCoreApplication.processEvents()
