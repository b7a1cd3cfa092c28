"""Tests of word searches for hooks, anagrams and patterns, compared with a simple search of all words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.domain.errors import CommandError
from tdapp.storage.lexicon import Lexicon
from tdapp.storage.lexicon_search import (
    WordHooks,
    WordSearchResult,
    find_anagrams,
    find_hooks,
    find_words_by_pattern,
    map_printable_short_words_by_length,
)
from tdapp.storage.library import write_word_list_edition
from tests.storage.random_lexicons import build_lexicon, make_edition, make_random_words

WORDS = tuple(word for word in make_random_words(9000, seed=3) if len(word) < 9)
RACKS = st.text("EENATIRSDØ?", min_size=0, max_size=8).filter(lambda rack: rack.count("?") <= 2)


@pytest.fixture(scope="module")
def sample_lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    with build_lexicon(tmp_path_factory.mktemp("search") / "x.lex", *WORDS) as open_lexicon:
        yield open_lexicon


@pytest.fixture
def dutch_lexicon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lexicon]:
    words = ("TAAR", "TAART", "STAART", "TAARTEN", "AAN", "NAA", "REUNIE")
    with build_lexicon(tmp_path_factory.mktemp("dutch") / "x.lex", *words, language="nl") as open_lexicon:
        yield open_lexicon


def is_playable(word: str, rack: str) -> bool:
    return (Counter(word) - Counter(rack.replace("?", ""))).total() <= rack.count("?")


def sort_longest_first(words: list[str]) -> tuple[str, ...]:
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


@given(rack=RACKS)
def test_find_anagrams_returns_all_words_of_the_whole_rack(sample_lexicon: Lexicon, rack: str) -> None:
    expected = [word for word in WORDS if len(word) == len(rack) and is_playable(word, rack)]
    assert find_anagrams(sample_lexicon, rack, limit=9999) == WordSearchResult(
        sort_longest_first(expected), is_truncated=False
    )


@pytest.mark.slow
@given(rack=RACKS)
def test_find_anagrams_with_parts_returns_all_words_of_a_rack(sample_lexicon: Lexicon, rack: str) -> None:
    expected = [word for word in WORDS if is_playable(word, rack)]
    assert find_anagrams(sample_lexicon, rack, allow_fewer_tiles=True, limit=9999) == WordSearchResult(
        sort_longest_first(expected), is_truncated=False
    )


@given(pattern=st.text("EENAT?*", min_size=1, max_size=7))
def test_find_words_by_pattern_returns_matching_words(sample_lexicon: Lexicon, pattern: str) -> None:
    expected = [word for word in WORDS if fnmatchcase(word, pattern)]
    assert find_words_by_pattern(sample_lexicon, pattern, limit=9999).words == tuple(
        sorted(expected, key=lambda w: (len(w), w))
    )


def test_find_hooks_returns_letters_before_and_after(dutch_lexicon: Lexicon) -> None:
    assert find_hooks(dutch_lexicon, "taart") == WordHooks(before=("S",), after=())
    assert find_hooks(dutch_lexicon, "AAR").before == ("T",)
    assert find_hooks(dutch_lexicon, "TAAR").after == ("T",)
    assert find_hooks(dutch_lexicon, "éuni") == WordHooks((), ())
    assert find_hooks(dutch_lexicon, "réuni").after == ("E",)


def test_lexicon_search_reads_letters_as_the_language_does(dutch_lexicon: Lexicon) -> None:
    assert find_anagrams(dutch_lexicon, "reüine").words == ("REUNIE",)
    assert find_anagrams(dutch_lexicon, "tr?at").words == ("TAART",)
    assert find_words_by_pattern(dutch_lexicon, " taar* ").words == ("TAAR", "TAART", "TAARTEN")


def test_lexicon_search_limits_results_and_marks_them_as_truncated(sample_lexicon: Lexicon) -> None:
    all_words = find_words_by_pattern(sample_lexicon, "*", limit=9999)
    assert (len(all_words.words), all_words.is_truncated) == (len(WORDS), False)
    limited_result = find_words_by_pattern(sample_lexicon, "*", limit=5)
    assert (limited_result.words, limited_result.is_truncated) == (all_words.words[:5], True)
    assert find_anagrams(sample_lexicon, "ENATIR?", allow_fewer_tiles=True, limit=3).is_truncated
    assert len(find_anagrams(sample_lexicon, "ENATIR?", allow_fewer_tiles=True, limit=3).words) == 3


@pytest.mark.parametrize("invalid_pattern", ["", " ", "A[B]", "A-Z", "'; DROP", "1", "A B"])
def test_find_words_by_pattern_refuses_other_characters(sample_lexicon: Lexicon, invalid_pattern: str) -> None:
    with pytest.raises(CommandError, match="search-letters"):
        find_words_by_pattern(sample_lexicon, invalid_pattern)


@pytest.mark.parametrize(
    ("rack", "parts", "code"),
    [
        ("A1", False, "search-letters"),
        ("A" * 16, False, "search-too-long"),
        ("A" * 10, True, "search-too-long"),
        ("AB???", False, "search-blanks"),
    ],
)
def test_find_anagrams_refuses_impossible_racks(
    sample_lexicon: Lexicon, rack: str, parts: bool, code: str
) -> None:
    with pytest.raises(CommandError, match=re.escape(code)):
        find_anagrams(sample_lexicon, rack, allow_fewer_tiles=parts)


def test_list_two_and_three_letter_words_requires_a_practice_list(tmp_path: Path, dutch_lexicon: Lexicon) -> None:
    write_word_list_edition(tmp_path / "x.lex", ("AAN", "TO", "AS", "TAAR"), make_edition(), practice=True)
    with Lexicon.open(tmp_path / "x.lex") as open_lexicon:
        assert map_printable_short_words_by_length(open_lexicon) == {2: ("AS", "TO"), 3: ("AAN",)}
    write_word_list_edition(tmp_path / "printable", ("AAN", "AS"), dutch_lexicon.edition, printable=True)
    with Lexicon.open(tmp_path / "printable") as open_lexicon:
        assert not open_lexicon.metadata.practice
        assert map_printable_short_words_by_length(open_lexicon) == {2: ("AS",), 3: ("AAN",)}
    with pytest.raises(CommandError, match="letters-not-allowed"):
        map_printable_short_words_by_length(dutch_lexicon)


def test_find_anagrams_of_unknown_letters_is_empty(dutch_lexicon: Lexicon) -> None:
    assert find_anagrams(dutch_lexicon, "QQ").words == ()
    assert find_anagrams(dutch_lexicon, "AANQ").words == ()
    assert find_anagrams(dutch_lexicon, "AANQ", allow_fewer_tiles=True).words == ("AAN", "NAA")
