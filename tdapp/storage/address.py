"""Where a tournament on a server is: `postgresql://user@host/database`, shown to people without its password."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from msgspec import Struct

from tdapp.domain.errors import StorageError

SCHEMES = ("postgresql://", "postgres://")
_SHOWN = frozenset(
    {"host", "hostaddr", "port", "user", "dbname"}
)  # of the words after "?"; a password may be there
_PASSWORDS = re.compile(r"(postgres(?:ql)?://[^:@/\s]*):[^@/\s]*(?=@)|(?<=[?&])password=[^&\s]*")


class AddressParts(Struct, frozen=True):
    """An address taken apart; `server` has its port with it, `folder` has the socket that may stand for it."""

    login: str
    password: str
    server: str
    database: str
    folder: str

    def __repr__(self) -> str:
        """Return the parts without the password, for logs."""
        return f"AddressParts({self.login!r}, server={self.server!r}, database={self.database!r})"


class Address(Struct, frozen=True):
    """A database that holds one tournament; as text, in messages and in logs it is without the password."""

    secret: str  # all that was given; for the driver only

    @classmethod
    def parse(cls, text: str) -> Address:
        """Return the address; raise StorageError where it is none."""
        found = cls(text)
        found.refuse_unfit()
        return found

    def refuse_unfit(self) -> None:
        """Raise StorageError where this is no address of a database."""
        try:
            port = urlsplit(self.secret).port
            fits = self.secret.startswith(SCHEMES) and (port is None or port > 0)
        except ValueError:
            fits = False
        if not fits:
            raise StorageError("server-address", path=str(self))

    def __str__(self) -> str:
        """Return what people may see."""
        try:
            parts = urlsplit(self.secret)
        except ValueError:
            return SCHEMES[0]
        user, at, host = parts.netloc.rpartition("@")
        return f"postgresql://{user.partition(':')[0]}{at}{host}{parts.path}{self._query(parts.query)}"

    @staticmethod
    def _query(text: str) -> str:
        shown = [(key, value) for key, value in parse_qsl(text) if key in _SHOWN]
        return f"?{urlencode(shown, safe='/')}" if shown else ""

    def __repr__(self) -> str:
        """Return what people may see, marked."""
        return f"Address({str(self)!r})"

    def of(self, login: str) -> str:
        """Return what `login` types to come to the same database; the password is no part of it."""
        parts = urlsplit(self.secret)
        host = parts.netloc.rpartition("@")[2]
        return f"postgresql://{quote(login, safe='')}@{host}{parts.path}{self._query(parts.query)}"

    @classmethod
    def made(cls, host: str, login: str, database: str, *, port: int | None = None, password: str = "") -> Address:
        """Return the address of a database on a host, which may have its port behind a colon."""
        bare = f"[{host}]" if host.count(":") > 1 and not host.startswith("[") else host
        after = f":{port}" if port else ""
        signed = quote(login, safe="") + (f":{quote(password, safe='')}" if password else "")
        return cls.parse(f"{SCHEMES[0]}{signed}@{bare}{after}/{quote(database, safe='')}")

    def changed(self, *, password: str | None = None, database: str | None = None) -> Address:
        """Return the address with another password (empty: none) or of another database."""
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
        """What the address is made of; raise StorageError where it is none."""
        self.refuse_unfit()
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
    def stem(self) -> str:
        """The name of the database, as a file has one."""
        return urlsplit(self.secret).path.strip("/") or "tournament"


def location_of(text: str) -> Path | Address:
    """Return what somebody means who types a file's path or an address."""
    return Address(text) if text.startswith(SCHEMES) else Path(text)


def masked(text: str) -> str:
    """Return a text without the passwords of the addresses in it."""
    return _PASSWORDS.sub(lambda found: found[1] or "", text)
