"""Where a tournament on a server is: `postgresql://user@host/database`, told to people without its password."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from tdapp.domain.errors import StorageError

SCHEMES = ("postgresql://", "postgres://")
_TOLD = frozenset(
    {"host", "hostaddr", "port", "user", "dbname"}
)  # of the words after "?"; a password may be there
_PASSWORDS = re.compile(r"(postgres(?:ql)?://[^:@/\s]*):[^@/\s]*(?=@)|(?<=[?&])password=[^&\s]*")


@dataclass(frozen=True, slots=True)
class Address:
    """A database that holds one tournament; as text, in messages and in logs it is without the password."""

    secret: str = field(repr=False)  # all that was given; for the driver only

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
        told = [(key, value) for key, value in parse_qsl(text) if key in _TOLD]
        return f"?{urlencode(told, safe='/')}" if told else ""

    def __repr__(self) -> str:
        """Return what people may see, marked."""
        return f"Address({str(self)!r})"

    def of(self, login: str) -> str:
        """Return what `login` types to come to the same database; the password is no part of it."""
        parts = urlsplit(self.secret)
        host = parts.netloc.rpartition("@")[2]
        return f"postgresql://{quote(login, safe='')}@{host}{parts.path}{self._query(parts.query)}"

    @property
    def stem(self) -> str:
        """The name of the database, as a file has one."""
        return urlsplit(self.secret).path.strip("/") or "tournament"


def place_of(text: str) -> Path | Address:
    """Return what somebody means who types a file's path or an address."""
    return Address(text) if text.startswith(SCHEMES) else Path(text)


def masked(text: str) -> str:
    """Return a text without the passwords of the addresses in it."""
    return _PASSWORDS.sub(lambda found: found[1] or "", text)
