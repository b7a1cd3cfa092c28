"""Tests of server addresses: hidden passwords, and the refusal of invalid addresses."""

from __future__ import annotations

import os
import socket
import struct
import threading

import pytest

from tdapp.domain.errors import StorageError
from tdapp.storage import Address, Store
from tdapp.storage.address import remove_passwords

SSL_REQUEST = 80_877_103


@pytest.mark.parametrize("secret", ["se@cr/et", "se/cret", "se@cret", "secret"])
def test_remove_passwords_removes_every_password_from_a_text(secret: str) -> None:
    address = f"postgresql://ann:{secret}@hall/cup"
    for text in (str(Address(address)), repr(Address(address)), remove_passwords(f"cannot reach {address} now")):
        assert "cr" not in text
        assert "et@" not in text
        assert "postgresql://ann" in text


@pytest.mark.parametrize(
    ("path", "stem"), [("cup", "cup"), ("vinter%20h%C3%B8st", "vinter høst"), ("a%2Fb", "a-b"), ("", "tournament")]
)
def test_address_stem_is_the_readable_database_name(path: str, stem: str) -> None:
    assert Address(f"postgresql://ann@hall/{path}").stem == stem


@pytest.mark.parametrize(
    "address",
    [
        b"postgresql://a\xff@h/db",
        b"postgresql://h/d%E9",
        b"postgresql://u:p/w@h/db",
        b"postgresql://u@h:0/db",
        b"postgresql://u:s@cret@h/db",
    ],
)
def test_store_open_refuses_an_invalid_address(address: bytes) -> None:
    with pytest.raises(StorageError) as error_info:
        Store.open(Address(os.fsdecode(address)))
    assert error_info.value.code == "server-address"
    assert str(error_info.value.facts["path"]).isascii() or "…" in str(error_info.value.facts["path"])


def test_store_open_refuses_to_send_an_unencrypted_password() -> None:
    received_bytes = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as server_socket:

        def answer_client() -> None:
            connection, _ = server_socket.accept()
            with connection:
                connection.settimeout(5)
                request = connection.recv(4096)
                if struct.unpack("!I", request[4:8])[0] == SSL_REQUEST:
                    connection.sendall(b"N")
                    connection.recv(4096)
                connection.sendall(b"R" + struct.pack("!II", 8, 3))  # AuthenticationCleartextPassword
                received_bytes.extend(connection.recv(4096))

        thread = threading.Thread(target=answer_client, daemon=True)
        thread.start()
        port = server_socket.getsockname()[1]
        with pytest.raises(StorageError) as error_info:
            Store.open(Address.parse(f"postgresql://ann:secret@127.0.0.1:{port}/cup"))
        thread.join(10)
    assert error_info.value.code == "server-unsafe"
    assert b"secret" not in received_bytes
