"""A screen reader without a voice. It collects the texts that AT-SPI reports for the program's window."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jeepney import DBusAddress, HeaderFields, MatchRule, Message, MessageType, Properties, message_bus
from jeepney import new_method_call as call
from jeepney.io.threading import DBusConnection, DBusRouter, open_dbus_connection

SPEECH_TIMEOUT = 60.0  # seconds until something is spoken
_EVENT, _ACCESSIBLE = "org.a11y.atspi.Event.Object", "org.a11y.atspi.Accessible"
_SHOWING_BIT = 25  # the bit of the state "showing"
_REGISTRY = "org.a11y.atspi.Registry"
_BUS = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
_STATUS = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Status")
AccessibleObject = tuple[str, str]  # the name of a program on the bus, and the path of an object


def explain_missing_programs() -> str:
    """Return the missing programs of a screen reader as text, or an empty text."""
    programs = {
        "dbus-run-session": shutil.which("dbus-run-session"),
        "at-spi2-core": Path("/usr/share/dbus-1/services/org.a11y.Bus.service").exists(),
    }
    missing_programs = [name for name, is_present in programs.items() if not is_present]
    return f"needs {' and '.join(missing_programs)}: a screen reader's bus" if missing_programs else ""


@contextmanager
def run_session_bus(display: str, folder: Path) -> Iterator[str]:
    """Run a session bus on a display. Yield its address."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    environment = {**os.environ, "DISPLAY": display, "XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)}
    command = ["dbus-run-session", "--", "sh", "-c", 'echo "$DBUS_SESSION_BUS_ADDRESS"; cat']
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    ) as session:
        assert session.stdin is not None
        assert session.stdout is not None
        yield session.stdout.readline().strip()
        session.stdin.close()


class ScreenReader:
    """A listener on a session bus. Interrupting texts in `spoken_texts` start with "!"."""

    def __init__(self, address: str) -> None:
        with open_dbus_connection(address) as session, DBusRouter(session) as router:
            router.send_and_get_reply(Properties(_STATUS).set("IsEnabled", "b", True))
            bus_address = router.send_and_get_reply(call(_BUS, "GetAddress")).body[0]
        self.spoken_texts: list[str] = []
        self._events = open_dbus_connection(bus_address)
        self._connection = open_dbus_connection(bus_address)
        self._router = DBusRouter(self._connection)
        self._register_events(self._events)
        self._thread = threading.Thread(target=self._receive_messages, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._events.interrupt()
        self._thread.join()
        self._router.close()
        for connection in (self._events, self._connection):
            connection.close()

    def wait_for_speech(self, *texts: str, start: int = 0) -> str:
        """Return the first spoken text, from the index `start`, that contains all texts."""

        def find_text() -> str:
            new_texts = self.spoken_texts[start:]
            return next((speech for speech in new_texts if all(text in speech for text in texts)), "")

        end = time.monotonic() + SPEECH_TIMEOUT
        while not find_text():
            assert time.monotonic() < end, f"not spoken: {texts}; spoken: {self.spoken_texts[start:]}"
            time.sleep(0.02)
        return find_text()

    def list_shown_names(self) -> list[str]:
        """Return the names in the program's windows in reading order."""
        root = (_REGISTRY, "/org/a11y/atspi/accessible/root")
        return [name for program in self._list_children(root) for name in self._iterate_names(program)]

    def _iterate_names(self, accessible: AccessibleObject) -> Iterator[str]:
        if name := self._describe_object(accessible):
            yield name
        for descendant in self._list_children(accessible):
            if self._is_shown(descendant):
                yield from self._iterate_names(descendant)

    def _register_events(self, connection: DBusConnection) -> None:
        with DBusRouter(connection) as router:
            registry = DBusAddress("/org/a11y/atspi/registry", _REGISTRY, _REGISTRY)
            router.send_and_get_reply(call(registry, "RegisterEvent", "s", ("object:",)))
            router.send_and_get_reply(message_bus.AddMatch(MatchRule(type="signal", interface=_EVENT)))

    def _receive_messages(self) -> None:
        while True:
            try:
                self._handle_message(self._events.receive())
            except Exception:
                return

    def _handle_message(self, message: Message) -> None:
        fields = message.header.fields
        if message.header.message_type is not MessageType.signal or fields.get(HeaderFields.interface) != _EVENT:
            return
        kind, body = fields[HeaderFields.member], message.body
        if kind == "Announcement":
            self.spoken_texts.append("!" * (body[1] == 2) + body[3][1])
        elif kind == "StateChanged" and body[:2] == ("focused", 1):
            self.spoken_texts.append(
                "> " + self._describe_object((fields[HeaderFields.sender], fields[HeaderFields.path]))
            )

    def _describe_object(self, accessible: AccessibleObject) -> str:
        """Return the spoken name and description of the focused widget."""
        texts = (self._get_property(accessible, name) for name in ("Name", "Description"))
        return ", ".join(filter(None, texts))

    def _get_property(self, accessible: AccessibleObject, name: str) -> str:
        reply = self._send_request(Properties(DBusAddress(accessible[1], accessible[0], _ACCESSIBLE)).get(name))
        return str(reply[0][1]) if reply else ""

    def _is_shown(self, accessible: AccessibleObject) -> bool:
        reply = self._send_request(call(DBusAddress(accessible[1], accessible[0], _ACCESSIBLE), "GetState"))
        return bool(reply and reply[0][0] >> _SHOWING_BIT & 1)

    def _list_children(self, accessible: AccessibleObject) -> list[AccessibleObject]:
        reply = self._send_request(call(DBusAddress(accessible[1], accessible[0], _ACCESSIBLE), "GetChildren"))
        return reply[0] if reply else []

    def _send_request(self, message: Message) -> Any:
        reply = self._router.send_and_get_reply(message, timeout=SPEECH_TIMEOUT)
        return (
            reply.body if reply.header.message_type is MessageType.method_return else ()
        )  # the object no longer exists
