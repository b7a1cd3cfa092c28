"""The address of a tournament on a server: `postgresql://user@host/database`. Its password is never shown."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, unquote_to_bytes, urlencode, urlsplit

from msgspec import Struct

from tdapp.domain.errors import StorageError

SCHEMES = ("postgresql://", "postgres://")
_SHOWN = frozenset(
    {"host", "hostaddr", "port", "user", "dbname"}
)  # of the words after "?"; a password may be there
_PASSWORDS = re.compile(r"(postgres(?:ql)?://[^:@/\s]*):\S*(?=@)|(?<=[?&])password=[^&\s]*")


class AddressParts(Struct, frozen=True):
    """The parts of a server address."""

    login: str
    password: str
    server: str  # host and port, "" for the local socket in `folder`
    database: str
    folder: str

    def __repr__(self) -> str:
        return f"AddressParts({self.login!r}, server={self.server!r}, database={self.database!r})"


class Address(Struct, frozen=True):
    """The address of a database. Its text form hides the password."""

    secret: str  # the whole address, for the driver only

    @classmethod
    def parse(cls, text: str) -> Address:
        found = cls(text)
        found.refuse_invalid_address()
        return found

    def refuse_invalid_address(self) -> None:
        if not self._has_valid_parts():
            raise StorageError("server-address", path=str(self))

    def _has_valid_parts(self) -> bool:
        try:
            parts = urlsplit(self.secret)
            unquote_to_bytes(self.secret).decode()
            signed_once = parts.netloc.count("@") <= 1  # else the driver takes the end of a password for a host
            return self.secret.startswith(SCHEMES) and parts.port != 0 and signed_once and "@" not in parts.path
        except ValueError:  # also for bytes in another encoding
            return False

    def __str__(self) -> str:
        """Return the address without secrets. For an invalid address, return only the scheme and the login."""
        if not self._has_valid_parts():
            signed = re.split("[:@/?]", self.secret.partition("://")[2], maxsplit=1)[0]
            return f"{SCHEMES[0]}{signed.encode('ascii', 'replace').decode()}…"
        parts = urlsplit(self.secret)
        user, at, host = parts.netloc.rpartition("@")
        return f"postgresql://{user.partition(':')[0]}{at}{host}{parts.path}{self._remove_secret_parameters(parts.query)}"

    @staticmethod
    def _remove_secret_parameters(text: str) -> str:
        shown = [(key, value) for key, value in parse_qsl(text) if key in _SHOWN]
        return f"?{urlencode(shown, safe='/')}" if shown else ""

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"

    def make_login_address(self, login: str) -> str:
        parts = urlsplit(self.secret)
        host = parts.netloc.rpartition("@")[2]
        return (
            f"postgresql://{quote(login, safe='')}@{host}{parts.path}{self._remove_secret_parameters(parts.query)}"
        )

    @classmethod
    def build(
        cls, host: str, login: str, database: str, *, port: int | None = None, password: str = ""
    ) -> Address:
        """Return an address. `host` can include a port."""
        bare = f"[{host}]" if host.count(":") > 1 and not host.startswith("[") else host
        after = f":{port}" if port else ""
        signed = quote(login, safe="") + (f":{quote(password, safe='')}" if password else "")
        return cls.parse(f"{SCHEMES[0]}{signed}@{bare}{after}/{quote(database, safe='')}")

    def replace_parts(self, *, password: str | None = None, database: str | None = None) -> Address:
        """Return the address with another password ("" removes it) or database."""
        parts, old = urlsplit(self.secret), self.parts
        signed = quote(old.login, safe="")
        password = old.password if password is None else password
        if password:
            signed += f":{quote(password, safe='')}"
        words = [(key, value) for key, value in parse_qsl(parts.query) if key not in {"password", "user"}]
        name = quote(old.database if database is None else database, safe="")
        query = f"?{urlencode(words, safe='/')}" if words else ""
        return Address.parse(f"{SCHEMES[0]}{signed}@{old.server}/{name}{query}")

    @property
    def parts(self) -> AddressParts:
        """Return the parts. Raise StorageError if the address is invalid."""
        self.refuse_invalid_address()
        parts = urlsplit(self.secret)
        signed, _, server = parts.netloc.rpartition("@")
        login, _, password = signed.partition(":")
        words = dict(parse_qsl(parts.query))
        return AddressParts(
            login=unquote(login) or words.get("user", ""),
            password=unquote(password) or words.get("password", ""),
            server=server,
            database=unquote(parts.path.strip("/")) or words.get("dbname", ""),
            folder=words.get("host", "") if not server else "",
        )

    @property
    def host(self) -> str:
        parts = urlsplit(self.secret)
        return parts.hostname or "" if parts.port is None else ""

    @property
    def stem(self) -> str:
        return urlsplit(self.secret).path.strip("/") or "tournament"


def parse_location(text: str) -> Path | Address:
    """Return a path or an address. The address is not checked."""
    return Address(text) if text.startswith(SCHEMES) else Path(text)


def mask_passwords(text: str) -> str:
    return _PASSWORDS.sub(lambda found: found[1] or "", text)


_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"  # no i, l, o, 0, 1
_GROUP, _GROUPS = 4, 3  # of signs in a password


def make_password() -> str:
    """Return a random password (59 bits), without letters and digits that look alike."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(_GROUP)) for _ in range(_GROUPS))


def normalise_password(typed: str) -> str:
    """Convert a typed password to the form of `make_password`: lower case, with hyphens.

    A text that cannot be such a password is returned unchanged.
    """
    bare = "".join(sign for sign in typed.casefold() if sign.isalnum())
    if len(bare) != _GROUP * _GROUPS or not set(bare) <= set(_SIGNS):
        return typed
    return "-".join(bare[start : start + _GROUP] for start in range(0, len(bare), _GROUP))
