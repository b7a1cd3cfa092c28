"""A separate CUPS server for tests, on a socket in a temporary folder, with queues in every state."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import StreamRequestHandler, TCPServer
from tempfile import TemporaryDirectory
from threading import Thread

import pytest
from msgspec import Struct

_FILES = """
ServerRoot {folder}
DataDir /usr/share/cups
ServerBin /usr/lib/cups
RequestRoot {folder}/spool
TempDir {folder}/spool
CacheDir {folder}/cache
StateDir {folder}
AccessLog {folder}/access
ErrorLog {folder}/errors
PageLog {folder}/pages
FileDevice Yes
SystemGroup {group}
Sandboxing relaxed
"""
_SERVICE = """
Listen {folder}/socket
Browsing Off
WebInterface No
DefaultAuthType None
<Location />
  Allow all
</Location>
<Location /admin>
  Allow all
</Location>
<Policy default>
  <Limit All>
    Allow all
  </Limit>
</Policy>
"""
_PROGRAMS = ("cupsd", "lpadmin", "cupsaccept", "cupsenable", "cupsreject", "cupsdisable", "cancel")
_BACKEND = Path("/usr/lib/cups/backend/socket")


def find_cups_program(name: str) -> str | None:
    """Return the path of a CUPS program. Some are not on the PATH of every user."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")


def _set_server(address: str | None) -> None:
    """Send this thread's calls to a print service, or to the print service of the computer (None)."""
    function = ctypes.CDLL("libcups.so.2").cupsSetServer
    function.argtypes = (ctypes.c_char_p,)
    function(address and address.encode())


class _PrintHandler(StreamRequestHandler):
    """Accepts documents from the network, as printers do at port 9100."""

    server: _Printer

    def handle(self) -> None:
        self.server.printed_documents.append(self.rfile.read())


class _Printer(TCPServer):
    """A network printer with its printed documents."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _PrintHandler)
        self.printed_documents: list[bytes] = []


class CupsServer(Struct, frozen=True):
    """A running CUPS server, and the printer of its queue `taking`."""

    folder: Path
    process: subprocess.Popen[bytes]
    printer: _Printer

    @property
    def printed_documents(self) -> list[bytes]:
        return self.printer.printed_documents

    @property
    def address(self) -> str:
        return str(self.folder / "socket")

    def run_program(self, name: str, *arguments: str) -> None:
        environment = os.environ | {"CUPS_SERVER": self.address}
        subprocess.run(
            [find_cups_program(name) or name, *arguments],
            check=True,
            capture_output=True,
            env=environment,
            timeout=20,
        )

    def stop_server(self) -> None:
        self.process.terminate()
        self.process.wait(20)

    def add_queues_when_ready(self, deadline: float) -> None:
        """Add the queues. On a busy computer CUPS refuses the first commands after its socket exists."""
        while True:
            try:
                return self.add_queues()
            except subprocess.CalledProcessError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    def add_queues(self) -> None:
        """Add four queues: working, rejecting jobs, stopped, and with its printer switched off."""
        devices = dict.fromkeys(("refusing", "stopped"), "file:/dev/null")
        devices |= {"taking": "socket://{}:{}".format(*self.printer.server_address), "off": "socket://127.0.0.1:9"}
        for name, device in devices.items():
            self.run_program("lpadmin", "-p", name, "-v", device, "-m", "raw", "-E")
        self.run_program("cupsreject", "-r", "Closed for the lunch", "refusing")
        self.run_program("cupsdisable", "-r", "The toner is gone", "stopped")


@contextmanager
def run_print_service(folder: Path) -> Iterator[CupsServer]:
    for name in ("spool", "cache", "ppd"):
        (folder / name).mkdir()
    group = folder.group()
    for name, text in (("files.conf", _FILES), ("cupsd.conf", _SERVICE)):
        (folder / name).write_text(text.format(folder=folder, group=group), encoding="utf-8")
    command = [
        find_cups_program("cupsd") or "cupsd",
        "-f",
        "-c",
        f"{folder}/cupsd.conf",
        "-s",
        f"{folder}/files.conf",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    printer = _Printer()
    printer_thread = Thread(target=printer.serve_forever)
    printer_thread.start()
    service = CupsServer(folder, process, printer)
    try:
        deadline = time.monotonic() + 20
        while not Path(service.address).is_socket():
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.skip("cupsd does not start on this computer")
            time.sleep(0.05)
        service.add_queues_when_ready(deadline)
        yield service
    finally:
        service.stop_server()
        printer.shutdown()
        printer_thread.join()
        printer.server_close()


@pytest.fixture
def print_service(monkeypatch: pytest.MonkeyPatch) -> Iterator[CupsServer]:
    """A separate CUPS server with queues. libcups uses it during the test, also inside Qt."""
    missing = [name for name in _PROGRAMS if find_cups_program(name) is None]
    missing += [str(path) for path in (_BACKEND,) if not path.exists()]
    if missing:
        pytest.skip(f"CUPS is not installed: {', '.join(missing)}")
    with (
        TemporaryDirectory(prefix="cups") as folder,
        run_print_service(Path(folder)) as service,
    ):  # a socket needs a short path
        monkeypatch.setenv("CUPS_SERVER", service.address)
        _set_server(service.address)
        yield service
        _set_server(None)
