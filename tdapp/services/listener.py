"""Hears of what others write to a store, on a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread


class StoreListener(Thread):
    """Listens until it is told to stop."""

    def __init__(self, heard: Callable[[], bool], notify: Callable[[], None]) -> None:
        """Let `heard` wait a moment for news and return whether there are some; call `notify` on this thread."""
        super().__init__(name="listener", daemon=True)
        self._heard = heard
        self._notify = notify
        self._ended = Event()
        self.hears = False

    def run(self) -> None:
        """Tell of what is heard; the first thing is that it can be."""
        while not self._ended.is_set():
            news = self._heard()
            self.hears = True
            if news and not self._ended.is_set():
                self._notify()

    def stop(self) -> None:
        """End, and return when it has."""
        self._ended.set()
        self.join()
