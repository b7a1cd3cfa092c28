"""Random word lists for tests, the same for a seed."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tdapp.scrabble.wordlist import WordListEdition
from tdapp.storage.lexicon import Lexicon
from tdapp.storage.library import write_word_list_edition

_LETTERS = "EEEEENNNNAAATTTIIIOOORRRDDDSSSLLLGGVVHHKKMMUUBBPPWWJJZZCCFFÅØÆXYQ"
_LENGTHS = (2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15)
HASH = "0123456789abcdef" * 4


def make_random_words(count: int, *, seed: int = 1) -> tuple[str, ...]:
    random = Random(seed)
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(random.choices(_LETTERS, k=random.choice(_LENGTHS)))] = None
    return tuple(words)


def make_edition(*, binding: int | None = None, language: str = "nb") -> WordListEdition:
    return WordListEdition("Test 2024", language, "2024-05-01", HASH, binding)


def build_lexicon(path: Path, *words: str, binding: int | None = None, language: str = "nb") -> Lexicon:
    write_word_list_edition(path, words, make_edition(binding=binding, language=language))
    return Lexicon.open(path)
