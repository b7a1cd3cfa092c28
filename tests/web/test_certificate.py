"""Tests of the server certificate: one private file, renewed before it expires or for other addresses."""

from __future__ import annotations

import os
import socket
import ssl
import time
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tdapp.domain.errors import UserError
from tdapp.web import listening
from tdapp.web.listening import _MIN_REMAINING, ServerCertificate, load_or_make_certificate
from tests.web.running_server import run_server

HOME = frozenset({"127.0.0.1"})


def make_certificate(folder: Path, *needed: str) -> ServerCertificate:
    return load_or_make_certificate(
        folder, needed_names=frozenset(needed), other_names=HOME | {"localhost", "", "h\xf4te"}
    )


def test_load_or_make_certificate_once_and_private(tmp_path: Path) -> None:
    first = make_certificate(tmp_path / "new", "192.0.2.7")
    assert make_certificate(tmp_path / "new", "192.0.2.7") == first
    assert make_certificate(tmp_path / "new", "127.0.0.1") == first, "the certificate lacks a host name"
    assert [len(group) for group in first.fingerprint.split()] == [4] * 16
    if os.name == "posix":
        assert first.path.stat().st_mode & 0o777 == 0o600


def test_load_or_make_certificate_again_for_another_address(tmp_path: Path) -> None:
    assert make_certificate(tmp_path, "192.0.2.7") != make_certificate(tmp_path, "192.0.2.8")


def test_load_or_make_certificate_again_before_expiry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdapp.web.listening._VALIDITY", _MIN_REMAINING / 2)
    assert make_certificate(tmp_path, *HOME) != make_certificate(tmp_path, *HOME)


def test_load_or_make_certificate_replaces_an_invalid_file(tmp_path: Path) -> None:
    first, other_certificate = make_certificate(tmp_path, *HOME), make_certificate(tmp_path / "other", *HOME)
    key, _, _ = first.path.read_text().partition("-----BEGIN CERTIFICATE")
    _, header, foreign = other_certificate.path.read_text().partition("-----BEGIN CERTIFICATE")
    for text in ("", key, header + foreign, key + header + foreign):
        first.path.write_text(text)
        new_certificate = make_certificate(tmp_path, *HOME)
        assert new_certificate.fingerprint not in {first.fingerprint, other_certificate.fingerprint}
        assert make_certificate(tmp_path, *HOME) == new_certificate


def test_server_is_trusted_with_a_known_certificate(tmp_path: Path) -> None:
    with run_server(certificates=tmp_path) as server:
        assert server.url.startswith("https://127.0.0.1:")
        trusting = ssl.create_default_context(cafile=str(tmp_path / "room.pem"))
        with httpx.Client(base_url=server.url, verify=trusting, trust_env=False) as client:
            page = client.get("enter", params={"code": server.get_codes(1)[0]})
            assert "; secure" in page.headers["set-cookie"].lower()
        address = urlsplit(server.url)
        assert address.hostname is not None
        assert address.port is not None
        certificate = ssl.get_server_certificate((address.hostname, address.port))
        digits = sha256(ssl.PEM_cert_to_DER_cert(certificate)).hexdigest().upper()
        assert server.web_server.certificate_fingerprint.replace(" ", "") == digits


def test_server_closes_silent_encrypted_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "REQUEST_TIMEOUT", 0.3)
    with run_server(certificates=tmp_path) as server:
        address = urlsplit(server.url)
        start = time.monotonic()
        with socket.create_connection((address.hostname, address.port), timeout=20) as line:
            assert line.recv(100) == b""
        assert time.monotonic() - start < 10


def test_server_reports_an_impossible_certificate_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="certificate-failed"), run_server(certificates=tmp_path / "file"):
        pass
