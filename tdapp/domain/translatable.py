"""Mark English texts in tables for extraction. They are translated later."""

from __future__ import annotations

from msgspec import Struct

CONTEXT = "\x04"  # gettext's separator between context and text


class Plural(Struct, frozen=True):
    """A text with two English forms. The fact `by` selects the form."""

    one: str
    many: str
    by: str


Text = str | Plural


def N_(text: str) -> str:  # noqa: N802 - the name that gettext's tools know
    return text


def C_(context: str, text: str) -> str:  # noqa: N802 - after N_
    """Return the msgid of `text` in a context, for words with several translations."""
    return f"{context}{CONTEXT}{text}"
