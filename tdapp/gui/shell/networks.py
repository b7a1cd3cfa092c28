"""The networks of this computer, for the director to choose one."""

from __future__ import annotations

from ipaddress import ip_interface

from msgspec import Struct
from PySide6.QtNetwork import QAbstractSocket, QNetworkInterface


class NetworkInterface(Struct, frozen=True):
    """A network of this computer: interface name, address, and range."""

    name: str
    address: str
    subnet: str


def list_networks() -> tuple[NetworkInterface, ...]:
    required_flags = QNetworkInterface.InterfaceFlag.IsUp | QNetworkInterface.InterfaceFlag.IsRunning
    entries = [
        (interface.humanReadableName(), entry.ip().toString(), entry.prefixLength())
        for interface in QNetworkInterface.allInterfaces()
        if interface.flags() & required_flags == required_flags
        and not interface.flags() & QNetworkInterface.InterfaceFlag.IsLoopBack
        for entry in interface.addressEntries()
        if entry.ip().protocol() is QAbstractSocket.NetworkLayerProtocol.IPv4Protocol and entry.prefixLength() > 0
    ]
    networks = (
        NetworkInterface(name, ip, str(ip_interface(f"{ip}/{length}").network)) for name, ip, length in entries
    )
    return tuple(sorted(networks, key=lambda network: (network.name, network.address)))
