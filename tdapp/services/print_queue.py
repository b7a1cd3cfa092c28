"""Print queues of CUPS: send a PDF unchanged and get its state.

Without libcups (Windows, macOS) a printer gets pages painted by Qt.
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
_GET_DEFAULT, _GET_JOB_ATTRIBUTES, _GET_PRINTER_ATTRIBUTES = (
    0x4001,
    0x0009,
    0x000B,
)  # operation codes of RFC 8011 and CUPS
_OPERATION, _URI = 0x01, 0x45  # value tags
_NOT_FOUND = 0x0406  # status code
_CANCELLED, _ABORTED, _COMPLETED = 7, 8, 9  # job-state
_HANDLE, _TEXT, _NUMBER = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
_FUNCTIONS: Mapping[str, tuple[Any, ...]] = {  # result type, then argument types
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
_NO_PASSWORD_PROMPT = ctypes.CFUNCTYPE(_TEXT, _TEXT)(
    lambda _prompt: None
)  # CUPS would ask for a password on the terminal


class PrintJobState(Enum):
    """State of a print job."""

    OPEN = "open"  # waiting or printing
    PRINTED = "printed"  # as reported by the printer
    FAILED = "failed"  # aborted or cancelled


class PrintJob(Struct, frozen=True):
    """A job that a print queue has accepted."""

    queue: str
    number: int


class PrintJobStatus(Struct, frozen=True):
    """Status reported by the print service."""

    state: PrintJobState
    message: str = ""  # message of the print service, usually empty


class PrintQueues:
    """The print queues of this computer. Its methods block the calling thread."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._call: dict[str, Callable[..., Any]] = {}
        for name, (result_type, *argument_types) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result_type, argument_types
            self._call[name] = function

    @classmethod
    def load_cups_queues(cls) -> PrintQueues | None:
        """Return the queues, or None if this computer has no CUPS."""
        try:
            return cls(ctypes.CDLL(_LIBRARY)) if sys.platform.startswith("linux") else None
        except OSError:
            return None

    def is_print_service_answering(self) -> bool:
        return self._fetch_print_service_attributes(_GET_DEFAULT, b"", "", ()) is not None

    def send_pdf(self, queue: str, pdf: bytes, *, title: str, options: Mapping[str, str]) -> PrintJob:
        """Send a document with options as in `lp -o`. Raises UserError if it is refused."""
        self._call["cupsSetPasswordCB"](_NO_PASSWORD_PROMPT)
        option_list, count = ctypes.c_void_p(), 0
        for name, value in options.items():
            count = self._call["cupsAddOption"](name.encode(), value.encode(), count, ctypes.byref(option_list))
        with NamedTemporaryFile(suffix=".pdf") as file:
            file.write(pdf)
            file.flush()
            job_number = self._call["cupsPrintFile"](
                queue.encode(), file.name.encode(), title.encode(), count, option_list
            )
        error_message = self._get_error_message()
        self._call["cupsFreeOptions"](count, option_list)
        if job_number:
            return PrintJob(queue, job_number)
        printer_message = self._request_printer_message(queue)
        if printer_message is None:
            raise UserError("print-service-silent")
        error_message = self._get_error_message() if self._is_last_cups_error_not_found() else error_message
        raise UserError(
            "printer-refuses", printer=queue, why=" ".join(filter(None, (error_message, printer_message)))
        )

    def get_status(self, job: PrintJob) -> PrintJobStatus:
        """Return the status of a job. A job unknown to the print service counts as printed."""
        uri, names = f"ipp://localhost/jobs/{job.number}", (b"job-state", b"job-printer-state-message")
        state, message = self._fetch_print_service_attributes(_GET_JOB_ATTRIBUTES, b"job-uri", uri, names) or (
            None,
            None,
        )
        if state == _COMPLETED or self._is_last_cups_error_not_found():
            return PrintJobStatus(PrintJobState.PRINTED)
        if state in {_CANCELLED, _ABORTED}:
            return PrintJobStatus(PrintJobState.FAILED, message or "")
        return PrintJobStatus(PrintJobState.OPEN, message or self._request_printer_message(job.queue) or "")

    def _request_printer_message(self, queue: str) -> str | None:
        uri = f"ipp://localhost/printers/{quote(queue)}"
        attributes = self._fetch_print_service_attributes(
            _GET_PRINTER_ATTRIBUTES, b"printer-uri", uri, (b"printer-state-message",)
        )
        return None if attributes is None else attributes[0] or ""

    def _fetch_print_service_attributes(
        self, operation: int, uri_attribute: bytes, uri: str, names: tuple[bytes, ...]
    ) -> tuple[Any, ...] | None:
        """Ask the print service for the attributes `names`.

        Return None if it does not answer. A missing attribute is None.
        """
        call = self._call
        call["cupsSetPasswordCB"](_NO_PASSWORD_PROMPT)
        request = call["ippNewRequest"](operation)
        if uri:
            call["ippAddString"](request, _OPERATION, _URI, uri_attribute, None, uri.encode())
        answer = call["cupsDoRequest"](None, request, b"/")
        if answer is None:
            return None
        try:
            return tuple(self._read_ipp_attribute(answer, name) for name in names)
        finally:
            call["ippDelete"](answer)

    def _read_ipp_attribute(self, answer: int, name: bytes) -> Any:
        attribute = self._call["ippFindAttribute"](answer, name, 0)
        if attribute is None:
            return None
        text = self._call["ippGetString"](attribute, 0, None)
        return self._call["ippGetInteger"](attribute, 0) if text is None else text.decode(errors="replace")

    def _is_last_cups_error_not_found(self) -> bool:
        return bool(self._call["cupsLastError"]() == _NOT_FOUND)

    def _get_error_message(self) -> str:
        return (self._call["cupsLastErrorString"]() or b"").decode(errors="replace")
