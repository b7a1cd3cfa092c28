"""JSON from outside, without its traps: what is no number, what no text can hold, what is nested too deeply."""

from __future__ import annotations

import json
from collections.abc import Callable

from tdapp.domain.errors import InputError
from tdapp.exchange.text import clean

_MAX_PROBLEM = 200  # characters


def is_json(data: bytes) -> bool:
    """Tell whether a file begins as a JSON object does."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def parse(text: str, source: str, *, integer: Callable[[str], int] = int) -> object:
    """Return the plain value that JSON describes; raise InputError (json-broken), with the line if it is known.

    `integer` reads the digits of a whole number, and may refuse them with ValueError.
    """
    try:
        plain: object = json.loads(text, parse_int=integer, parse_constant=_constant)
        json.dumps(plain, ensure_ascii=False).encode()  # half a surrogate pair has no encoding
    except json.JSONDecodeError as error:
        raise InputError("json-broken", source=source, line=error.lineno, problem=error.msg) from error
    except (ValueError, RecursionError) as error:
        raise InputError("json-broken", source=source, problem=clean(str(error))[:_MAX_PROBLEM]) from error
    return plain


def _constant(word: str) -> object:
    raise ValueError(f"{word} is no number")
