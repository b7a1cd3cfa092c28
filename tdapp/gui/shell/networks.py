"""The networks of this computer, for the director to choose one."""

from __future__ import annotations

from ipaddress import ip_interface

from msgspec import Struct
from PySide6.QtNetwork import QAbstractSocket, QNetworkInterface


class Network(Struct, frozen=True):
    """A network of this computer: interface name, address, and range."""

    name: str
    address: str
    subnet: str


def list_networks() -> tuple[Network, ...]:
    wanted = QNetworkInterface.InterfaceFlag.IsUp | QNetworkInterface.InterfaceFlag.IsRunning
    entries = [
        (one.humanReadableName(), entry.ip().toString(), entry.prefixLength())
        for one in QNetworkInterface.allInterfaces()
        if one.flags() & wanted == wanted and not one.flags() & QNetworkInterface.InterfaceFlag.IsLoopBack
        for entry in one.addressEntries()
        if entry.ip().protocol() is QAbstractSocket.NetworkLayerProtocol.IPv4Protocol and entry.prefixLength() > 0
    ]
    found = (Network(name, ip, str(ip_interface(f"{ip}/{length}").network)) for name, ip, length in entries)
    return tuple(sorted(found, key=lambda one: (one.name, one.address)))
