"""What comes back later, when who asked for it may have gone on to something else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

P = ParamSpec("P")
T = TypeVar("T")


def is_seen(widget: QWidget) -> bool:
    """Tell whether a widget is still there and shown: on the page that is open, not closed meanwhile."""
    return isValid(widget) and widget.isVisible()


def if_seen(asker: QWidget, then: Callable[P, T]) -> Callable[P, T | None]:
    """Return `then` for when `asker` is still seen; who has gone on keeps the cursor: nothing is done."""
    return _if(partial(is_seen, asker), then)


def if_there(asker: QWidget, then: Callable[P, T]) -> Callable[P, T | None]:
    """Return `then` for when `asker` is still there, seen or not; otherwise nothing is done."""
    return _if(partial(isValid, asker), then)


def _if(holds: Callable[[], bool], then: Callable[P, T]) -> Callable[P, T | None]:
    def called(*values: P.args, **named: P.kwargs) -> T | None:
        return then(*values, **named) if holds() else None

    return called
