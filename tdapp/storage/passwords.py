"""Passwords of a shared tournament: easy to read from paper, tolerant of typing variants."""

from __future__ import annotations

import secrets

_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"  # no i, l, o, 0, 1
_GROUP, _GROUPS = 4, 3  # of signs in a password


def make_password() -> str:
    """Return 59 random bits without similar letters and digits."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(_GROUP)) for _ in range(_GROUPS))


def normalise_password(typed: str) -> str:
    """Accept capitals and other separators; other texts are unchanged."""
    bare = "".join(sign for sign in typed.casefold() if sign.isalnum())
    if len(bare) != _GROUP * _GROUPS or not set(bare) <= set(_SIGNS):
        return typed
    return "-".join(bare[start : start + _GROUP] for start in range(0, len(bare), _GROUP))
