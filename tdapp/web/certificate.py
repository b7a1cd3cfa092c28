"""The self-signed certificate of the web server.

Visitors can compare its fingerprint with the one on the director's screen.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

_NAME = "room.pem"
_VALID = timedelta(days=397)  # limit of browsers
_LEFT = timedelta(days=14)  # a certificate must not expire during an event
_GROUP = 4


class Certificate(Struct, frozen=True):
    """A file with the key and the certificate (PEM), and its SHA-256 fingerprint in hexadecimal groups."""

    path: Path
    fingerprint: str


def load_or_make_certificate(folder: Path, *, needed: frozenset[str], known: frozenset[str]) -> Certificate:
    """Return the certificate in a folder.

    A new one is made if the certificate expires soon or does not cover each `needed` name.
    """
    path = folder / _NAME
    found = _load_certificate(path)
    if (
        found is None
        or not needed <= _list_certificate_names(found)
        or found.not_valid_after_utc < datetime.now(UTC) + _LEFT
    ):
        found = _make_certificate(path, needed | known)
    digits = found.fingerprint(SHA256()).hex().upper()
    return Certificate(path, " ".join(digits[at : at + _GROUP] for at in range(0, len(digits), _GROUP)))


def _load_certificate(path: Path) -> x509.Certificate | None:
    try:
        data = path.read_bytes()
        found = x509.load_pem_x509_certificate(data)
        key = load_pem_private_key(data, None)
    except (OSError, ValueError):
        return None
    return found if key.public_key() == found.public_key() else None


def _list_certificate_names(found: x509.Certificate) -> frozenset[str]:
    try:
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return frozenset()
    return frozenset(str(one.value) for one in names)


def _parse_general_name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _make_certificate(path: Path, names: frozenset[str]) -> x509.Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    now, subject = datetime.now(UTC), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tdapp")])
    called = x509.SubjectAlternativeName(
        [_parse_general_name(one) for one in sorted(names) if one and one.isascii()]
    )
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # for phones with a wrong clock
        .not_valid_after(now + _VALID)
        .add_extension(called, critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secret + made.public_bytes(Encoding.PEM))
    return made
