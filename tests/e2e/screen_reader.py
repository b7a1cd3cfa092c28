"""A screen reader without a voice: what AT-SPI tells of the program's window, and nothing else. Hides D-Bus."""

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

PATIENCE = 60.0  # seconds until something is spoken
_EVENT, _ACCESSIBLE = "org.a11y.atspi.Event.Object", "org.a11y.atspi.Accessible"
_SHOWING = 25  # the bit of a state: it is on the screen, if nothing covers it
_REGISTRY = "org.a11y.atspi.Registry"
_BUS = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
_STATUS = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Status")
AccessibleObject = tuple[str, str]  # the name of a program on the bus, and the path of something in it


def missing() -> str:
    """Return why a screen reader cannot run here, or an empty text."""
    is_present = {
        "dbus-run-session": shutil.which("dbus-run-session"),
        "at-spi2-core": Path("/usr/share/dbus-1/services/org.a11y.Bus.service").exists(),
    }
    lacking = [name for name, is_present in is_present.items() if not is_present]
    return f"needs {' and '.join(lacking)}: a screen reader's bus" if lacking else ""


@contextmanager
def bus(display: str, folder: Path) -> Iterator[str]:
    """Start a session bus on a display; yield its address; end it and its programs."""
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


class Reader:
    """Listens on a session bus. `spoken_texts` starts with "!" for texts that interrupt."""

    def __init__(self, address: str) -> None:
        with open_dbus_connection(address) as session, DBusRouter(session) as router:
            router.send_and_get_reply(Properties(_STATUS).set("IsEnabled", "b", True))
            bus_address = router.send_and_get_reply(call(_BUS, "GetAddress")).body[0]
        self.spoken_texts: list[str] = []
        self._events = open_dbus_connection(bus_address)
        self._connection = open_dbus_connection(bus_address)
        self._router = DBusRouter(self._connection)
        self._listen(self._events)
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
            return next((text_ for text_ in self.spoken_texts[start:] if all(text in text_ for text in texts)), "")

        end = time.monotonic() + PATIENCE
        while not find_text():
            assert time.monotonic() < end, f"not heard: {texts}; but {self.spoken_texts[start:]}"
            time.sleep(0.02)
        return find_text()

    def list_shown_names(self) -> list[str]:
        """Return the names in the program's windows in reading order."""
        root = (_REGISTRY, "/org/a11y/atspi/accessible/root")
        return [name for program in self._list_children(root) for name in self._names(program)]

    def _names(self, accessible: AccessibleObject) -> Iterator[str]:
        if name := self._describe_object(accessible):
            yield name
        for descendant in self._list_children(accessible):
            if self._is_shown(descendant):
                yield from self._names(descendant)

    def _listen(self, connection: DBusConnection) -> None:
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
        texts = (self._property(accessible, name) for name in ("Name", "Description"))
        return ", ".join(filter(None, texts))

    def _property(self, accessible: AccessibleObject, name: str) -> str:
        reply = self._send_request(Properties(DBusAddress(accessible[1], accessible[0], _ACCESSIBLE)).get(name))
        return str(reply[0][1]) if reply else ""

    def _is_shown(self, accessible: AccessibleObject) -> bool:
        reply = self._send_request(call(DBusAddress(accessible[1], accessible[0], _ACCESSIBLE), "GetState"))
        return bool(reply and reply[0][0] >> _SHOWING & 1)

    def _list_children(self, accessible: AccessibleObject) -> list[AccessibleObject]:
        reply = self._send_request(call(DBusAddress(accessible[1], accessible[0], _ACCESSIBLE), "GetChildren"))
        return reply[0] if reply else []

    def _send_request(self, message: Message) -> Any:
        reply = self._router.send_and_get_reply(message, timeout=PATIENCE)
        return reply.body if reply.header.message_type is MessageType.method_return else ()  # it may have ended
