"""The window's worker: what comes back arrives as a signal, and what takes its time is shown after a moment."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from tdapp.services.worker import Task, Worker

PATIENCE = 100  # ms before anything is said of work that goes on


class Work(Worker, QObject):
    """Runs calls elsewhere and delivers what they return on the window's thread."""

    busy = Signal(object)  # the Task that takes its time, None when it has ended
    _arrived = Signal(object)

    def __init__(self, *, inline: bool = False) -> None:
        QObject.__init__(self)
        Worker.__init__(self, inline=inline)
        self._arrived.connect(self._take)
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE)
        self._timer.timeout.connect(self._announce)

    def close(self) -> None:
        """Finish what was begun, as far as it cannot be told to stop, and end the threads."""
        self._timer.stop()
        super().close()

    def _wait_for(self, task: Task | None) -> None:
        super()._wait_for(task)
        if task is not None:
            self._timer.start()
        else:
            self._timer.stop()
            self.busy.emit(None)

    def _deliver(self, call: Callable[[], None]) -> None:
        self._arrived.emit(call)

    def _take(self, call: Callable[[], None]) -> None:
        call()

    def _announce(self) -> None:
        if self._waiting is not None and not self._waiting.ended:
            self.busy.emit(self._waiting)
