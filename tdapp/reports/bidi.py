"""The order of right-to-left text on a line (bidirectional algorithm, UAX 9, without its brackets rule).

Isolates are the only direction marks in the texts of the program (`isolate_text`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# One character for each class, so that the rules are patterns: "A" Arabic letter, "1" and "2" its numbers.
_CLASSES = {
    "L": "L", "R": "R", "AL": "A", "EN": "1", "AN": "2", "ES": "+", "ET": "%", "CS": ",", "NSM": "m",
}  # fmt: skip
_ISOLATE = re.compile("\u2068([^\u2068\u2069]*)\u2069")
_PLACE = "\N{OBJECT REPLACEMENT CHARACTER}"  # of an isolate; neutral
_LEVELS = ({"L": 0, "R": 1, "1": 2, "2": 2}, {"L": 2, "R": 1, "1": 2, "2": 2})  # by direction of the line


def order_runs(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the runs of a line from left to right, each in reading order; True: right-to-left.

    The line is right-to-left if all its letters are.
    """
    isolates = [found[1] for found in _ISOLATE.finditer(text)]
    text = _ISOLATE.sub(_PLACE, text).translate({0x2068: None, 0x2069: None})
    kinds = [unicodedata.bidirectional(sign) for sign in text]
    line = int("L" not in kinds and not {"R", "AL"}.isdisjoint(kinds))
    levels = [
        _LEVELS[line][kind] for kind in _resolve("".join(_CLASSES.get(kind, "n") for kind in kinds), "LR"[line])
    ]
    for begin, end in _list_runs(levels):
        right_to_left = bool(levels[begin] % 2)
        before = text[:begin].count(_PLACE)
        pieces = text[begin:end].split(_PLACE)
        inner = isolates[before : before + len(pieces) - 1]
        parts = [(piece, own) for at, piece in enumerate(pieces) for own in (inner[at : at + 1] or [""])]
        for piece, own in reversed(parts) if right_to_left else parts:
            shown = [(piece, right_to_left)] if piece else []
            nested = [*order_runs(own)] if own else []
            yield from (*nested, *shown) if right_to_left else (*shown, *nested)


def _resolve(kinds: str, line: str) -> str:
    """Return the direction of each character by rules W1 to N2."""
    made = re.sub("(.)m+", lambda found: found[1] * len(found[0]), line + kinds)
    made = re.sub("A[^LRA]*", lambda found: found[0].replace("1", "2"), made).replace("A", "R")
    made = re.sub("(?<=2),(?=2)", "2", re.sub("(?<=1)[+,](?=1)", "1", made))
    made = re.sub("%+(?=1)|(?<=1)%+", lambda found: "1" * len(found[0]), made)
    made = re.sub("[+,%]", "n", made)
    made = re.sub("L[^LR]*", lambda found: found[0].replace("1", "L"), made) + line

    def settle(found: re.Match[str]) -> str:
        before, after = ("L" if made[at] == "L" else "R" for at in (found.start() - 1, found.end()))
        return (before if before == after else line) * len(found[0])

    return re.sub("n+", settle, made)[1:-1]


def _list_runs(levels: list[int]) -> list[tuple[int, int]]:
    """Return the runs from left to right (rule L2)."""
    if not levels:
        return []
    cuts = [at for at, level in enumerate(levels) if not at or level != levels[at - 1]]
    runs = [*zip(cuts, [*cuts[1:], len(levels)], strict=True)]
    for level in range(max(levels, default=0), 0, -1):
        at = 0
        while at < len(runs):
            end = at
            while end < len(runs) and levels[runs[end][0]] >= level:
                end += 1
            runs[at:end] = reversed(runs[at:end])
            at = end + 1
    return runs
