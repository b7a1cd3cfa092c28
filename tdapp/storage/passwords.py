"""Passwords of a shared tournament: made to be read from paper, and understood as people type them."""

from __future__ import annotations

import secrets

_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"  # no i, l, o, 0, 1
_GROUP, _GROUPS = 4, 3  # of signs in a password


def new_password() -> str:
    """Return a password that can be read from paper: 59 bits in letters and digits that look like no others."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(_GROUP)) for _ in range(_GROUPS))


def likely_password(typed: str) -> str:
    """Return a password as `new_password` writes it where it was typed in capitals, or otherwise apart.

    What cannot be one of ours is returned as it is.
    """
    bare = "".join(sign for sign in typed.casefold() if sign.isalnum())
    if len(bare) != _GROUP * _GROUPS or not set(bare) <= set(_SIGNS):
        return typed
    return "-".join(bare[start : start + _GROUP] for start in range(0, len(bare), _GROUP))
