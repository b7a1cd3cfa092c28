"""Reasons proposed by the program, stored as a code so that each printout shows them in its own language.

A reason is free text, or @ with a code and a detail: "@not-in-list SWL 2023".
"""

from __future__ import annotations

NOT_IN_LIST = "not-in-list"  # the detail is the name of the word list
NO_SUCH_WORD = "no-such-word"
WORD_STANDS = "word-stands"
FORM_SAYS_SO = "form-says-so"
JUDGE_SCREEN = "judge-screen"
TYPED = "typed"  # the detail are both totals

_SIGN = "@"


def encode_reason(code: str, detail: str = "") -> str:
    return f"{_SIGN}{code} {detail}".rstrip()


def decode_reason(why: str) -> tuple[str, str]:
    """Return code and detail of a stored reason, or two empty texts for free text."""
    code, _, detail = why[1:].partition(" ") if why.startswith(_SIGN) else ("", "", "")
    return code, detail


def make_reason(*, phony: bool, edition: str = "") -> str:
    """Return the usual reason of a jury ruling. `edition` is the word list without the word."""
    if not phony:
        return encode_reason(WORD_STANDS)
    return encode_reason(NOT_IN_LIST, edition) if edition else encode_reason(NO_SUCH_WORD)
