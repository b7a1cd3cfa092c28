"""Benchmarks of a list with 1.1 million words: importing, opening, look-ups, searches and memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.exchange.wordlist import WordListOptions, read_words
from tdapp.scrabble.wordlist import WordListEdition, WordVerdict
from tdapp.storage.lexicon import Lexicon
from tdapp.storage.lexicon_search import find_anagrams, find_hooks, find_words_by_pattern
from tdapp.storage.library import write_word_list_edition
from tests.storage.random_lexicons import make_random_words

pytestmark = pytest.mark.bench

_MEMORY = """
import resource, sys
from pathlib import Path
from tdapp.storage.lexicon import Lexicon
from tdapp.storage.lexicon_search import find_anagrams, find_words_by_pattern

def used():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

before = used()
with Lexicon.open(Path(sys.argv[1])) as lexicon:
    words = find_words_by_pattern(lexicon, "?????*", limit=20000).words
    assert all(lexicon.has_word(word) for word in words)
    find_anagrams(lexicon, "ENATIR?", allow_fewer_tiles=True)
    del words
    print(used() - before)
"""


@pytest.fixture(scope="module")
def word_tuple(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """As many words as the largest list has, or 1 % of them without --benchmark-enable."""
    enabled = request.config.getoption("--benchmark-enable")
    return make_random_words(1_100_000 if enabled else 11_000)


@pytest.fixture(scope="module")
def word_list_bytes(word_tuple: tuple[str, ...]) -> bytes:
    return "".join(f"{word.lower()}\n" for word in sorted(word_tuple)).encode()


@pytest.fixture(scope="module")
def lexicon_path(tmp_path_factory: pytest.TempPathFactory, word_tuple: tuple[str, ...]) -> Path:
    lexicon_path = tmp_path_factory.mktemp("lexicon") / "large.lex"
    write_word_list_edition(lexicon_path, word_tuple, WordListEdition("Large", "nb"))
    return lexicon_path


@pytest.fixture
def large_lexicon(lexicon_path: Path) -> Iterator[Lexicon]:
    with Lexicon.open(lexicon_path) as lexicon:
        yield lexicon


def test_build_edition_of_a_million_words(
    benchmark: BenchmarkFixture, tmp_path: Path, word_list_bytes: bytes
) -> None:
    """Target: 5 s for 1.1 million words, progress included."""
    target = tmp_path / "x.lex"

    def import_word_list() -> int:
        target.unlink(missing_ok=True)
        word_list = read_words(word_list_bytes, WordListOptions("nb"), progress=lambda count, total: None)
        edition = WordListEdition("Large", "nb", source_hash=word_list.source_hash)
        return write_word_list_edition(target, word_list.words, edition, progress=lambda count, total: None).words

    assert benchmark(import_word_list) == word_list_bytes.count(b"\n")


def test_sort_a_million_words_plainly(benchmark: BenchmarkFixture, word_list_bytes: bytes) -> None:
    """The lower limit of an import. Target: an import takes at most twice this time."""
    assert len(benchmark(lambda: sorted(set(word_list_bytes.decode().split())))) == word_list_bytes.count(b"\n")


def test_build_edition_of_two_million_forms(
    benchmark: BenchmarkFixture, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Target: 15 s. A list of base forms with endings has about this many forms."""
    forms = make_random_words(2_000_000 if request.config.getoption("--benchmark-enable") else 20_000, seed=5)
    word_list_bytes = "".join(f"{word.lower()}\n" for word in sorted(forms)).encode()

    def import_word_list() -> int:
        word_list = read_words(word_list_bytes, WordListOptions("nb"), progress=lambda count, total: None)
        edition = WordListEdition("Forms", "nb", source_hash=word_list.source_hash)
        return write_word_list_edition(
            tmp_path / "x.lex", word_list.words, edition, progress=lambda count, total: None
        ).words

    assert benchmark.pedantic(import_word_list, rounds=1) == len(forms)  # type: ignore[no-untyped-call]


def test_lexicon_open(benchmark: BenchmarkFixture, lexicon_path: Path) -> None:
    """Target: 10 ms."""

    def open_lexicon() -> str:
        with Lexicon.open(lexicon_path) as lexicon:
            return lexicon.edition.name

    assert benchmark(open_lexicon) == "Large"


def test_judge_word_of_a_listed_word(
    benchmark: BenchmarkFixture, large_lexicon: Lexicon, word_tuple: tuple[str, ...]
) -> None:
    """Target: 20 microseconds. Use words from all parts of the list, because a cached page is faster."""
    words = cycle(word_tuple[::37])
    assert benchmark(lambda: large_lexicon.judge_word(next(words))) is WordVerdict.VALID


def test_judge_word_of_an_unknown_word(
    benchmark: BenchmarkFixture, large_lexicon: Lexicon, word_tuple: tuple[str, ...]
) -> None:
    known_words = set(word_tuple)
    words = cycle([word for word in make_random_words(5000, seed=8) if word not in known_words])
    assert benchmark(lambda: large_lexicon.judge_word(next(words))) is WordVerdict.INVALID


def test_find_hooks_in_a_large_list(benchmark: BenchmarkFixture, large_lexicon: Lexicon) -> None:
    assert benchmark(find_hooks, large_lexicon, "EN") is not None


@pytest.mark.parametrize(
    ("rack", "parts"),
    [("ENATIRS", False), ("ENATI??", False), ("ENATIRS", True), ("ENATI??", True), ("ENATIRS??", True)],
)
def test_find_anagrams_in_a_large_list(
    benchmark: BenchmarkFixture, large_lexicon: Lexicon, rack: str, parts: bool
) -> None:
    """Target: 200 ms."""
    anagrams = benchmark(find_anagrams, large_lexicon, rack, allow_fewer_tiles=parts)
    assert all(len(word) == len(rack) or parts for word in anagrams.words)


@pytest.mark.parametrize("pattern", ["EN*", "*EN", "??A?E??", "*Q*X*", "*"])
def test_find_matching_in_a_large_list(benchmark: BenchmarkFixture, large_lexicon: Lexicon, pattern: str) -> None:
    """Target: 200 ms."""
    words = benchmark(find_words_by_pattern, large_lexicon, pattern)
    assert all(set(pattern) - {"?", "*"} <= set(word) for word in words.words)


def test_verify_file_of_a_large_list(benchmark: BenchmarkFixture, large_lexicon: Lexicon) -> None:
    benchmark(large_lexicon.verify_file)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux has /proc")
def test_lexicon_memory(benchmark: BenchmarkFixture, lexicon_path: Path) -> None:
    """Target: 20 MB for a million words after 20,000 look-ups. The figure is in extra_info."""

    def measure_process() -> int:
        run = subprocess.run(
            [sys.executable, "-c", _MEMORY, str(lexicon_path)],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return int(run.stdout)

    benchmark.extra_info["bytes"] = benchmark.pedantic(measure_process, rounds=1)  # type: ignore[no-untyped-call]
    assert benchmark.extra_info["bytes"] >= 0
