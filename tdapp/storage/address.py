"""The address of a tournament on a server: `postgresql://user@host/database`. Its password is never shown."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, unquote_to_bytes, urlencode, urlsplit

from msgspec import Struct

from tdapp.domain.errors import StorageError

SCHEMES = ("postgresql://", "postgres://")
# A query can also contain a password.
_PUBLIC_PARAMETERS = frozenset({"host", "hostaddr", "port", "user", "dbname"})
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
        address = cls(text)
        address.refuse_invalid_address()
        return address

    def refuse_invalid_address(self) -> None:
        if not self._has_valid_parts():
            raise StorageError("server-address", path=str(self))

    def _has_valid_parts(self) -> bool:
        try:
            parts = urlsplit(self.secret)
            unquote_to_bytes(self.secret).decode()
            # With two "@", the driver would take the end of a password for a host.
            has_one_login = parts.netloc.count("@") <= 1
            return self.secret.startswith(SCHEMES) and parts.port != 0 and has_one_login and "@" not in parts.path
        except ValueError:  # also raised for bytes in another encoding
            return False

    def __str__(self) -> str:
        """Return the address without secrets. For an invalid address, return only the scheme and the login."""
        if not self._has_valid_parts():
            login = re.split("[:@/?]", self.secret.partition("://")[2], maxsplit=1)[0]
            return f"{SCHEMES[0]}{login.encode('ascii', 'replace').decode()}…"
        parts = urlsplit(self.secret)
        user, separator, host = parts.netloc.rpartition("@")
        login = user.partition(":")[0]
        query = self._remove_secret_parameters(parts.query)
        return f"postgresql://{login}{separator}{host}{parts.path}{query}"

    @staticmethod
    def _remove_secret_parameters(text: str) -> str:
        parameters = [(key, value) for key, value in parse_qsl(text) if key in _PUBLIC_PARAMETERS]
        return f"?{urlencode(parameters, safe='/')}" if parameters else ""

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"

    def format_with_login(self, login: str) -> str:
        parts = urlsplit(self.secret)
        host = parts.netloc.rpartition("@")[2]
        return (
            f"postgresql://{quote(login, safe='')}@{host}{parts.path}{self._remove_secret_parameters(parts.query)}"
        )

    @classmethod
    def make_from_parts(
        cls, host: str, login: str, database: str, *, port: int | None = None, password: str = ""
    ) -> Address:
        """Return an address. `host` can include a port."""
        url_host = f"[{host}]" if host.count(":") > 1 and not host.startswith("[") else host
        port_suffix = f":{port}" if port else ""
        credentials = quote(login, safe="") + (f":{quote(password, safe='')}" if password else "")
        return cls.parse(f"{SCHEMES[0]}{credentials}@{url_host}{port_suffix}/{quote(database, safe='')}")

    def replace_parts(self, *, password: str | None = None, database: str | None = None) -> Address:
        """Return the address with a new password ("" for none) or database. None keeps the part."""
        parts, old = urlsplit(self.secret), self.parts
        credentials = quote(old.login, safe="")
        password = old.password if password is None else password
        if password:
            credentials += f":{quote(password, safe='')}"
        parameters = [(key, value) for key, value in parse_qsl(parts.query) if key not in {"password", "user"}]
        name = quote(old.database if database is None else database, safe="")
        query = f"?{urlencode(parameters, safe='/')}" if parameters else ""
        return Address.parse(f"{SCHEMES[0]}{credentials}@{old.server}/{name}{query}")

    @property
    def parts(self) -> AddressParts:
        """Return the parts. Raise StorageError if the address is invalid."""
        self.refuse_invalid_address()
        parts = urlsplit(self.secret)
        credentials, _, server = parts.netloc.rpartition("@")
        login, _, password = credentials.partition(":")
        parameters = dict(parse_qsl(parts.query))
        return AddressParts(
            login=unquote(login) or parameters.get("user", ""),
            password=unquote(password) or parameters.get("password", ""),
            server=server,
            database=unquote(parts.path.strip("/")) or parameters.get("dbname", ""),
            folder=parameters.get("host", "") if not server else "",
        )

    @property
    def host_if_port_is_missing(self) -> str:
        parts = urlsplit(self.secret)
        return parts.hostname or "" if parts.port is None else ""

    @property
    def stem(self) -> str:
        """The database name, for titles and file names, with hyphens for slashes."""
        return unquote(urlsplit(self.secret).path.strip("/")).replace("/", "-") or "tournament"


def parse_location(text: str) -> Path | Address:
    """Return a path or an address. The address is not checked."""
    return Address(text) if text.startswith(SCHEMES) else Path(text)


def remove_passwords(text: str) -> str:
    return _PASSWORDS.sub(lambda match: match[1] or "", text)


_CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no i, l, o, 0, 1
_GROUP_LENGTH, _GROUP_COUNT = 4, 3  # of the characters of a password


def make_password() -> str:
    """Return a random password (59 bits), without letters and digits that look alike."""
    return "-".join(
        "".join(secrets.choice(_CHARACTERS) for _ in range(_GROUP_LENGTH)) for _ in range(_GROUP_COUNT)
    )


def normalise_typed_password(text: str) -> str:
    """Convert a typed password to the form "abcd-efgh-jkmn". If this is impossible, return `text` unchanged."""
    characters = "".join(character for character in text.casefold() if character.isalnum())
    if len(characters) != _GROUP_LENGTH * _GROUP_COUNT or not set(characters) <= set(_CHARACTERS):
        return text
    return "-".join(
        characters[start : start + _GROUP_LENGTH] for start in range(0, len(characters), _GROUP_LENGTH)
    )
