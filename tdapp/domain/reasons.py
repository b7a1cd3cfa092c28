"""Reasons proposed by the program, stored as a code so that each printout shows them in its own language.

A reason is free text, or @ with a code and a detail: "@not-in-list SWL 2023".
"""

from __future__ import annotations

NOT_IN_LIST = "not-in-list"  # the detail is the name of the word list
NO_SUCH_WORD = "no-such-word"
WORD_STANDS = "word-stands"
FORM_SAYS_SO = "form-says-so"

_SIGN = "@"


def coded(code: str, detail: str = "") -> str:
    """Return the stored form of a proposed reason."""
    return f"{_SIGN}{code} {detail}".rstrip()


def read_code(why: str) -> tuple[str, str]:
    """Return code and detail of a stored reason, or two empty texts for free text."""
    code, _, detail = why[1:].partition(" ") if why.startswith(_SIGN) else ("", "", "")
    return code, detail


def reason_for(*, phony: bool, edition: str = "") -> str:
    """Return the usual reason of a jury ruling. `edition` is the word list without the word."""
    if not phony:
        return coded(WORD_STANDS)
    return coded(NOT_IN_LIST, edition) if edition else coded(NO_SUCH_WORD)
