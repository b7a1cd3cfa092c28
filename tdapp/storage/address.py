"""Where a tournament on a server is: `postgresql://user@host/database`, told to people without its password."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urlsplit

from tdapp.domain.errors import StorageError

SCHEMES = ("postgresql://", "postgres://")
_TOLD = frozenset(
    {"host", "hostaddr", "port", "user", "dbname"}
)  # of the words after "?"; a password may be there


@dataclass(frozen=True, slots=True)
class Address:
    """A database that holds one tournament; as text, in messages and in logs it is without the password."""

    secret: str = field(repr=False)  # all that was given; for the driver only

    @classmethod
    def parse(cls, text: str) -> Address:
        """Return the address; raise StorageError where it is none."""
        try:
            parts = urlsplit(text)
            fits = text.startswith(SCHEMES) and (parts.port is None or parts.port > 0)
        except ValueError:
            fits = False
        if not fits:
            raise StorageError("server-address", path=text.rpartition("@")[2])
        return cls(text)

    def __str__(self) -> str:
        """Return what people may see."""
        parts = urlsplit(self.secret)
        user, at, host = parts.netloc.rpartition("@")
        told = [(key, value) for key, value in parse_qsl(parts.query) if key in _TOLD]
        query = f"?{urlencode(told, safe='/')}" if told else ""
        return f"postgresql://{user.partition(':')[0]}{at}{host}{parts.path}{query}"

    def __repr__(self) -> str:
        """Return what people may see, marked."""
        return f"Address({str(self)!r})"

    @property
    def stem(self) -> str:
        """The name of the database, as a file has one."""
        return urlsplit(self.secret).path.strip("/") or "tournament"
