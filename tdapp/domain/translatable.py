"""Mark English texts for extraction by gettext."""

from __future__ import annotations

from msgspec import Struct

CONTEXT = "\x04"  # gettext's separator between context and text


class Plural(Struct, frozen=True):
    """An English text with a singular and a plural form."""

    singular: str
    plural: str
    number_fact: str  # name of the message value whose number selects the form


Text = str | Plural


def N_(text: str) -> str:  # noqa: N802 - the name that gettext's tools know
    """Mark `text` for gettext, and return it unchanged."""
    return text


def C_(context: str, text: str) -> str:  # noqa: N802 - after N_
    """Return the gettext id of `text` in a context. Contexts separate meanings of one English word."""
    return f"{context}{CONTEXT}{text}"
