"""The queues of the print service (CUPS): they take a PDF as it is, and report what becomes of it.

Hides libcups, the library by which Qt knows the printers too. Without it, as on Windows and macOS, a printer takes
painted pages only.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from tempfile import NamedTemporaryFile
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from tdapp.domain.errors import UserError

_LIBRARY = "libcups.so.2"
_GET_DEFAULT, _OF_JOB, _OF_PRINTER = 0x4001, 0x0009, 0x000B  # operations, RFC 8011 and CUPS
_OPERATION, _URI = 0x01, 0x45  # tags
_NOT_FOUND = 0x0406  # a status
_CANCELLED, _ABORTED, _COMPLETED = 7, 8, 9  # job-state
_HANDLE, _TEXT, _NUMBER = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
_FUNCTIONS: Mapping[str, tuple[Any, ...]] = {  # what each returns, then what it takes
    "cupsAddOption": (_NUMBER, _TEXT, _TEXT, _NUMBER, _HANDLE),
    "cupsDoRequest": (_HANDLE, _HANDLE, _HANDLE, _TEXT),
    "cupsFreeOptions": (None, _NUMBER, _HANDLE),
    "cupsLastError": (_NUMBER,),
    "cupsLastErrorString": (_TEXT,),
    "cupsPrintFile": (_NUMBER, _TEXT, _TEXT, _TEXT, _NUMBER, _HANDLE),
    "cupsSetPasswordCB": (None, _HANDLE),
    "ippAddString": (_HANDLE, _HANDLE, _NUMBER, _NUMBER, _TEXT, _TEXT, _TEXT),
    "ippDelete": (None, _HANDLE),
    "ippFindAttribute": (_HANDLE, _HANDLE, _TEXT, _NUMBER),
    "ippGetInteger": (_NUMBER, _HANDLE, _NUMBER),
    "ippGetString": (_TEXT, _HANDLE, _NUMBER, _HANDLE),
    "ippNewRequest": (_HANDLE, _NUMBER),
}
_NOBODY_ASKS = ctypes.CFUNCTYPE(_TEXT, _TEXT)(lambda _prompt: None)  # for a password, at a terminal


class JobState(Enum):
    """What has become of a job."""

    OPEN = "open"  # it waits, or is being printed
    PRINTED = "printed"  # as far as the printer reports it
    FAILED = "failed"  # given up, or cancelled


class PrintJob(Struct, frozen=True):
    """What a queue has taken."""

    queue: str
    number: int


class JobStatus(Struct, frozen=True):
    """How a job is getting on; `why` is what the print service says of it, in its own words, mostly empty."""

    state: JobState
    why: str = ""


class PrintQueues:
    """The queues of a print service. Its methods wait for it, on whatever thread they are called."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._call: dict[str, Callable[..., Any]] = {}
        for name, (returned, *taken) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = returned, taken
            self._call[name] = function

    @classmethod
    def here(cls) -> PrintQueues | None:
        """Return those of this computer; None where there is no such print service."""
        try:
            return cls(ctypes.CDLL(_LIBRARY)) if sys.platform.startswith("linux") else None
        except OSError:
            return None

    def answers(self) -> bool:
        """Return whether the print service answers."""
        return self._ask(_GET_DEFAULT, b"", "", ()) is not None

    def send(self, queue: str, pdf: bytes, *, title: str, options: Mapping[str, str]) -> PrintJob:
        """Put a document in a queue, with options as `lp -o` has them; raise UserError where it is not taken."""
        self._call["cupsSetPasswordCB"](_NOBODY_ASKS)
        chosen, count = ctypes.c_void_p(), 0
        for name, value in options.items():
            count = self._call["cupsAddOption"](name.encode(), value.encode(), count, ctypes.byref(chosen))
        with NamedTemporaryFile(suffix=".pdf") as file:
            file.write(pdf)
            file.flush()
            taken = self._call["cupsPrintFile"](queue.encode(), file.name.encode(), title.encode(), count, chosen)
        why = self._why()
        self._call["cupsFreeOptions"](count, chosen)
        if taken:
            return PrintJob(queue, taken)
        told = self._printer_says(queue)
        if told is None:
            raise UserError("print-service-silent")
        why = self._why() if self._unknown() else why
        raise UserError("printer-refuses", printer=queue, why=" ".join(filter(None, (why, told))))

    def look(self, job: PrintJob) -> JobStatus:
        """Return how a job is getting on; one that the print service has forgotten counts as printed."""
        uri, names = f"ipp://localhost/jobs/{job.number}", (b"job-state", b"job-printer-state-message")
        state, why = self._ask(_OF_JOB, b"job-uri", uri, names) or (None, None)
        if state == _COMPLETED or self._unknown():
            return JobStatus(JobState.PRINTED)
        if state in {_CANCELLED, _ABORTED}:
            return JobStatus(JobState.FAILED, why or "")
        return JobStatus(JobState.OPEN, why or self._printer_says(job.queue) or "")

    def _printer_says(self, queue: str) -> str | None:
        """Return what is shown of the state of a printer, mostly empty; None where the print service is silent."""
        uri = f"ipp://localhost/printers/{quote(queue)}"
        found = self._ask(_OF_PRINTER, b"printer-uri", uri, (b"printer-state-message",))
        return None if found is None else found[0] or ""

    def _ask(self, operation: int, key: bytes, uri: str, wanted: tuple[bytes, ...]) -> tuple[Any, ...] | None:
        """Return the values of attributes, None for each that is not there; None for all where nothing answers."""
        call = self._call
        call["cupsSetPasswordCB"](_NOBODY_ASKS)
        request = call["ippNewRequest"](operation)
        if uri:
            call["ippAddString"](request, _OPERATION, _URI, key, None, uri.encode())
        answer = call["cupsDoRequest"](None, request, b"/")
        if answer is None:
            return None
        try:
            return tuple(self._value(answer, name) for name in wanted)
        finally:
            call["ippDelete"](answer)

    def _value(self, answer: int, name: bytes) -> Any:
        found = self._call["ippFindAttribute"](answer, name, 0)
        if found is None:
            return None
        text = self._call["ippGetString"](found, 0, None)
        return self._call["ippGetInteger"](found, 0) if text is None else text.decode(errors="replace")

    def _unknown(self) -> bool:
        return bool(self._call["cupsLastError"]() == _NOT_FOUND)

    def _why(self) -> str:
        return (self._call["cupsLastErrorString"]() or b"").decode(errors="replace")
