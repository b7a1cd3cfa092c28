"""A print service for tests: a separate CUPS on a socket in a temporary folder, with queues in every state."""

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


def program(name: str) -> str | None:
    """Return the path of a CUPS program. Some are not on the PATH of every user."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")


def _set_server(address: str | None) -> None:
    """Send this thread's calls to a print service, or to that of the computer (None)."""
    function = ctypes.CDLL("libcups.so.2").cupsSetServer
    function.argtypes = (ctypes.c_char_p,)
    function(address and address.encode())


class _Paper(StreamRequestHandler):
    """Accepts documents from the network, as printers do at port 9100."""

    server: _Printer

    def handle(self) -> None:
        self.server.printed.append(self.rfile.read())


class _Printer(TCPServer):
    """A network printer with its printed documents."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Paper)
        self.printed: list[bytes] = []


class PrintServiceOfTests(Struct, frozen=True):
    """A running CUPS, and the printer of its queue `taking`."""

    folder: Path
    process: subprocess.Popen[bytes]
    printer: _Printer

    @property
    def printed(self) -> list[bytes]:
        return self.printer.printed

    @property
    def address(self) -> str:
        return str(self.folder / "socket")

    def run(self, name: str, *arguments: str) -> None:
        environment = os.environ | {"CUPS_SERVER": self.address}
        subprocess.run(
            [program(name) or name, *arguments], check=True, capture_output=True, env=environment, timeout=20
        )

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)

    def add_queues(self) -> None:
        """Add four queues: working, rejecting jobs, stopped, and with its printer switched off."""
        devices = dict.fromkeys(("refusing", "stopped"), "file:/dev/null")
        devices |= {"taking": "socket://{}:{}".format(*self.printer.server_address), "off": "socket://127.0.0.1:9"}
        for name, device in devices.items():
            self.run("lpadmin", "-p", name, "-v", device, "-m", "raw", "-E")
        self.run("cupsreject", "-r", "Closed for the lunch", "refusing")
        self.run("cupsdisable", "-r", "The toner is gone", "stopped")


@contextmanager
def running(folder: Path) -> Iterator[PrintServiceOfTests]:
    for name in ("spool", "cache", "ppd"):
        (folder / name).mkdir()
    group = folder.group()
    for name, text in (("files.conf", _FILES), ("cupsd.conf", _SERVICE)):
        (folder / name).write_text(text.format(folder=folder, group=group), encoding="utf-8")
    command = [program("cupsd") or "cupsd", "-f", "-c", f"{folder}/cupsd.conf", "-s", f"{folder}/files.conf"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    printer = _Printer()
    listening = Thread(target=printer.serve_forever)
    listening.start()
    service = PrintServiceOfTests(folder, process, printer)
    try:
        deadline = time.monotonic() + 20
        while not Path(service.address).is_socket():
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.skip("cupsd does not start here")
            time.sleep(0.05)
        service.add_queues()
        yield service
    finally:
        service.stop()
        printer.shutdown()
        listening.join()
        printer.server_close()


@pytest.fixture
def print_service(monkeypatch: pytest.MonkeyPatch) -> Iterator[PrintServiceOfTests]:
    """A separate CUPS with queues for a test. All of libcups, also in Qt, uses it."""
    missing = [name for name in _PROGRAMS if program(name) is None]
    missing += [str(path) for path in (_BACKEND,) if not path.exists()]
    if missing:
        pytest.skip(f"CUPS is not installed: {', '.join(missing)}")
    with TemporaryDirectory(prefix="cups") as folder, running(Path(folder)) as service:  # short: a socket's path
        monkeypatch.setenv("CUPS_SERVER", service.address)
        _set_server(service.address)
        yield service
        _set_server(None)
