"""Search an edition: look up, hooks, anagrams of a rack, and words that fit a pattern."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from tdapp.domain.errors import RuleViolation
from tdapp.domain.ruleset import WordRule
from tdapp.domain.rulings import judge_word
from tdapp.scrabble.wordlist import Verdict, normalise_word
from tdapp.storage import lexicon_search
from tdapp.storage.lexicon import Lexicon


class Ask(StrEnum):
    """Kind of question."""

    WORD = "word"
    RACK = "rack"
    PATTERN = "pattern"


class Question(Struct, frozen=True):
    """A typed question. With `parts`, shorter words count too."""

    ask: Ask
    typed: str
    parts: bool = False


class WordRow(Struct, frozen=True):
    """A found word. `hook` is in front or behind; `verdict` is set if several words were typed.

    `note` is the note of the list.
    """

    key: str
    word: str
    hook: str = ""
    verdict: Verdict | None = None
    note: str = ""

    @property
    def letters(self) -> int:
        return len(self.word)


class WordAnswer(Struct, frozen=True):
    """The found words. For a single word: its verdict and note. `more`: the result is cut off."""

    rows: tuple[WordRow, ...] = ()
    verdict: Verdict | None = None
    note: str = ""
    more: bool = False


def answer_question(path: Path, question: Question, rule: WordRule) -> WordAnswer:
    """Search an edition. Raises RuleViolation for an invalid question, StorageError as `Lexicon.open`."""
    with Lexicon.open(path) as lexicon:
        match question.ask:
            case Ask.WORD:
                return _looked_up(lexicon, question.typed, rule)
            case Ask.RACK:
                found = lexicon_search.find_anagrams(lexicon, question.typed, parts=question.parts)
            case Ask.PATTERN:
                found = lexicon_search.find_matching(lexicon, question.typed.replace(".", "?"))
        rows = (WordRow(word, word, note=lexicon.note(word)) for word in found.words)
        return WordAnswer(tuple(rows), more=found.more)


def _looked_up(lexicon: Lexicon, typed: str, rule: WordRule) -> WordAnswer:
    words = list(dict.fromkeys(_letters(lexicon, word) for word in typed.split()))
    if len(words) > 1:
        judged = ((word, judge_word(word, lexicon, rule), lexicon.note(word)) for word in words)
        return WordAnswer(tuple(WordRow(word, word, verdict=verdict, note=note) for word, verdict, note in judged))
    word = words[0]
    hooks = lexicon_search.find_hooks(lexicon, word)
    before = ((f"before {letter}", letter + word, "before") for letter in hooks.before)
    behind = ((f"behind {letter}", word + letter, "behind") for letter in hooks.behind)
    rows = (WordRow(key, made, side, note=lexicon.note(made)) for key, made, side in (*before, *behind))
    return WordAnswer(tuple(rows), judge_word(word, lexicon, rule), lexicon.note(word))


def _letters(lexicon: Lexicon, typed: str) -> str:
    letters = normalise_word(typed, lexicon.edition.language, joints=lexicon.metadata.joints)
    if letters is None:
        raise RuleViolation("search-letters", typed=typed)
    return letters
