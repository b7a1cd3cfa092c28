"""Tests of word list editions: building, opening, verifying and judging words."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.errors import CommandError, StorageError
from tdapp.domain.ruleset import WordListScopeRule
from tdapp.domain.rulings import judge_word
from tdapp.scrabble.wordlist import WordList, WordListEdition, WordVerdict, combine_word_verdicts
from tdapp.storage import word_tables
from tdapp.storage.lexicon import (
    SCHEMA_CHECKSUM,
    Lexicon,
    compute_anagram_signatures,
    compute_letter_hashes,
    compute_schema_checksum,
    remove_edition,
)
from tdapp.storage.library import write_word_list_edition
from tests.storage.random_lexicons import HASH, build_lexicon, make_edition, make_random_words

WORDS = make_random_words(3000)


@pytest.fixture(scope="module")
def built_edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lexicon") / "test.lex"
    write_word_list_edition(path, WORDS, make_edition(binding=13), import_date="2024-06-01")
    return path


@pytest.fixture
def path(built_edition: Path, tmp_path: Path) -> Path:
    """A copy of the edition, which a test can damage."""
    return Path(shutil.copy(built_edition, tmp_path / "own.lex"))


@pytest.fixture
def sample_lexicon(built_edition: Path) -> Iterator[Lexicon]:
    with Lexicon.open(built_edition) as open_lexicon:
        yield open_lexicon


def run_statements(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def get_code_at_open(path: Path) -> str:
    with pytest.raises(StorageError) as error_info:
        Lexicon.open(path, timeout=0.01)
    assert error_info.value.facts["path"] == str(path)
    return error_info.value.code


def test_build_edition_stores_the_metadata(sample_lexicon: Lexicon) -> None:
    assert sample_lexicon.edition == WordListEdition("Test 2024", "nb", "2024-05-01", HASH, 13)
    metadata = sample_lexicon.metadata
    assert (metadata.words, metadata.imported, metadata.joints, metadata.practice) == (
        3000,
        "2024-06-01",
        True,
        False,
    )
    assert metadata.alphabet == "".join(sorted({*"".join(WORDS)}))
    sample_lexicon.verify_file()


def test_has_word_accepts_exactly_the_words_of_the_list(sample_lexicon: Lexicon) -> None:
    valid_words = set(WORDS)
    assert all(sample_lexicon.has_word(word) for word in WORDS)
    for word in make_random_words(3000, seed=2):
        assert sample_lexicon.has_word(word) == (word in valid_words)
        assert sample_lexicon.has_word(word[::-1]) == (word[::-1] in valid_words)


@pytest.mark.parametrize("text", ["", "A", "A" * 16, "E" * 500, "??", "ЖЖ", "aap\0", "\ud800"])
def test_has_word_refuses_texts_that_no_list_contains(sample_lexicon: Lexicon, text: str) -> None:
    assert not sample_lexicon.has_word(text)


def test_judge_word_returns_three_verdicts(tmp_path: Path) -> None:
    """reference.md C.2: the SWL is binding up to 13 letters. The jury decides on longer words."""
    with build_lexicon(tmp_path / "x", "AAP", "A" * 13, "A" * 14, binding=13) as open_lexicon:
        word_list: WordList = open_lexicon
        assert word_list.judge_word("AAP") is WordVerdict.VALID
        assert word_list.judge_word("A" * 13) is WordVerdict.VALID
        assert word_list.judge_word("PAA") is WordVerdict.INVALID
        assert word_list.judge_word("P" * 13) is WordVerdict.INVALID
        assert word_list.judge_word("A" * 14) is WordVerdict.NOT_BINDING
        assert word_list.judge_word("P" * 14) is WordVerdict.NOT_BINDING
        assert (
            combine_word_verdicts([word_list.judge_word(word) for word in ("AAP", "A" * 14)])
            is WordVerdict.NOT_BINDING
        )
        assert (
            combine_word_verdicts([word_list.judge_word(word) for word in ("AAP", "A" * 14, "PAA")])
            is WordVerdict.INVALID
        )


def test_judge_word_reads_blanks_and_tiles_of_two_letters(tmp_path: Path) -> None:
    with build_lexicon(tmp_path / "x", "IJS", "ÅPEN") as open_lexicon:
        assert open_lexicon.judge_word(("IJ", "S")) is WordVerdict.VALID
        assert open_lexicon.judge_word(("ij", "S")) is WordVerdict.VALID
        assert open_lexicon.judge_word(("å", "P", "E", "n")) is WordVerdict.VALID


def test_build_edition_makes_an_id_from_all_data_of_a_verdict(tmp_path: Path) -> None:
    base = write_word_list_edition(tmp_path / "0", ("AAP",), make_edition())
    other_editions = [
        write_word_list_edition(tmp_path / "1", ("AAP", "NOOT"), make_edition()),
        write_word_list_edition(tmp_path / "2", ("AAP",), make_edition(binding=9)),
        write_word_list_edition(tmp_path / "3", ("AAP",), make_edition(language="nl")),
        write_word_list_edition(tmp_path / "4", ("AAP",), make_edition(), accept_hyphens_and_apostrophes=False),
        write_word_list_edition(tmp_path / "5", ("AAP",), replace(make_edition(), source_hash=HASH[::-1])),
    ]
    same_edition = write_word_list_edition(
        tmp_path / "6", ("AAP",), replace(make_edition(), name="Renamed"), import_date="2030-01-01"
    )

    assert len({base.id, *(item.id for item in other_editions)}) == 6
    assert same_edition.id == base.id
    assert len(base.id) == 12


@given(st.lists(st.text("ABCÅ", min_size=2, max_size=15), min_size=1, max_size=50))
def test_compute_signatures_is_equal_for_anagrams(words: list[str]) -> None:
    values = compute_letter_hashes("ABCÅ")
    signatures = compute_anagram_signatures(words, values).tolist()
    assert signatures == [sum(values[letter] for letter in word) for word in words]
    assert max(signatures) < 2**63
    signatures_by_letters = {
        tuple(sorted(word)): signature for word, signature in zip(words, signatures, strict=True)
    }
    assert len(set(signatures_by_letters.values())) == len(signatures_by_letters)


def test_compute_schema_checksum_matches_the_known_checksum() -> None:
    assert compute_schema_checksum(word_tables.CREATION) == SCHEMA_CHECKSUM


def test_build_edition_makes_the_same_file_from_the_same_list(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_word_list_edition(tmp_path / name, WORDS, make_edition(), import_date="2024-06-01")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("count", [1, 99, 100, 101, 250])
def test_build_edition_writes_every_word_with_its_note(tmp_path: Path, count: int) -> None:
    words = make_random_words(count)
    notes = {word: word.lower() for word in words[::3]}
    write_word_list_edition(tmp_path / "x.lex", words, make_edition(), notes=notes)
    with Lexicon.open(tmp_path / "x.lex") as open_lexicon:
        assert dict(open_lexicon.iterate_words_and_notes()) == dict.fromkeys(words, "") | notes
        open_lexicon.verify_file()


def test_build_edition_reports_progress_and_leaves_nothing_after_an_error(tmp_path: Path) -> None:
    reports: list[tuple[int, int]] = []
    write_word_list_edition(
        tmp_path / "whole", WORDS, make_edition(), progress=lambda count, total: reports.append((count, total))
    )
    assert reports == [(0, 3000), (3000, 3000)]

    def stop_at_end(count: int, total: int) -> None:
        if count == total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_word_list_edition(tmp_path / "stopped", WORDS, make_edition(), progress=stop_at_end)
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]


def test_build_edition_never_overwrites_a_file(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(StorageError) as error_info:
        write_word_list_edition(path, ("AAP",), make_edition())
    assert error_info.value.code == "file-exists"
    assert path.read_bytes() == before


def test_build_edition_refuses_a_repeated_word(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        write_word_list_edition(tmp_path / "x.lex", ("AAP", "AAP"), make_edition())
    assert not list(tmp_path.iterdir())


def test_build_edition_reports_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as error_info:
        write_word_list_edition(tmp_path / "none" / "x.lex", ("AAP",), make_edition())
    assert error_info.value.code == "folder-missing"


@pytest.mark.parametrize(
    ("invalid_edition", "expected"),
    [
        (replace(make_edition(), name=" "), "lexicon-name"),
        (replace(make_edition(), name="x" * 101), "lexicon-name"),
        (replace(make_edition(), name="a\nb"), "lexicon-name"),
        (make_edition(language=""), "lexicon-language"),
        (make_edition(language="Dutch!"), "lexicon-language"),
        (make_edition(binding=1), "lexicon-binding-length"),
        (make_edition(binding=16), "lexicon-binding-length"),
    ],
)
def test_build_edition_refuses_invalid_metadata(
    tmp_path: Path, invalid_edition: WordListEdition, expected: str
) -> None:
    with pytest.raises(CommandError) as error_info:
        write_word_list_edition(tmp_path / "x.lex", ("AAP",), invalid_edition)
    assert error_info.value.code == expected
    assert not list(tmp_path.iterdir())


def test_lexicon_queries_write_nothing(path: Path) -> None:
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    with Lexicon.open(path) as open_lexicon:
        assert (
            open_lexicon.judge_word(WORDS[0]) is WordVerdict.VALID
            or open_lexicon.judge_word(WORDS[0]) is WordVerdict.NOT_BINDING
        )
        with pytest.raises(StorageError) as error_info:
            open_lexicon.query_rows("DELETE FROM word")
        assert error_info.value.code == "read-only"
        assert [item.name for item in path.parent.iterdir()] == [path.name]
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="this user can read every file")
def test_lexicon_open_reports_a_file_without_permission(path: Path) -> None:
    path.chmod(0)
    assert get_code_at_open(path) == "no-permission"


def test_lexicon_open_reports_a_missing_or_empty_file(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert get_code_at_open(tmp_path / "none") == "file-missing"
    assert get_code_at_open(tmp_path) == "file-is-folder"
    assert get_code_at_open(tmp_path / "empty") == "file-empty"


@pytest.mark.parametrize("content", [b"aap\nnoot\n" * 500, bytes(range(256)) * 64, b"SQLite format 3\0" * 300])
def test_lexicon_open_reports_another_file_type(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other").write_bytes(content)
    assert get_code_at_open(tmp_path / "other") in {"lexicon-foreign", "lexicon-damaged"}


def test_lexicon_open_reports_a_database_of_another_program(tmp_path: Path) -> None:
    run_statements(tmp_path / "other", "CREATE TABLE word (text TEXT)")
    assert get_code_at_open(tmp_path / "other") == "lexicon-foreign"


def test_lexicon_open_reports_a_file_of_a_newer_program(path: Path) -> None:
    run_statements(path, "PRAGMA user_version=99")
    assert get_code_at_open(path) == "lexicon-newer"


def test_lexicon_open_reports_a_missing_version(path: Path) -> None:
    run_statements(path, "PRAGMA user_version=0")
    assert get_code_at_open(path) == "lexicon-damaged"


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER more AFTER INSERT ON word BEGIN DELETE FROM word; END",
        "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n",
        "CREATE INDEX quick ON word (text)",
        "ALTER TABLE imprint ADD COLUMN secret TEXT",
        "DROP TABLE word",
    ],
)
def test_lexicon_open_refuses_a_foreign_schema(path: Path, statement: str) -> None:
    run_statements(path, statement)
    assert get_code_at_open(path) == "lexicon-altered"


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM imprint",
        "INSERT INTO imprint SELECT * FROM imprint",
        "UPDATE imprint SET binding_max_length = 99",
        "UPDATE imprint SET binding_max_length = 'many'",
        "UPDATE imprint SET words = -1",
        "UPDATE imprint SET name = x'00ff'",
        "UPDATE imprint SET alphabet = hex(zeroblob(5000))",
    ],
)
def test_lexicon_open_refuses_invalid_metadata(path: Path, statement: str) -> None:
    run_statements(path, statement)
    assert get_code_at_open(path) == "lexicon-damaged"


def test_lexicon_open_reports_a_short_or_long_file(path: Path) -> None:
    content = path.read_bytes()
    for damaged_content in (content[: len(content) // 2], content + bytes(4096)):
        path.write_bytes(damaged_content)
        assert get_code_at_open(path) == "lexicon-damaged"


def test_verify_file_finds_a_letter_outside_the_alphabet(tmp_path: Path) -> None:
    build_lexicon(tmp_path / "x", "AAP", "RØD").close()
    run_statements(tmp_path / "x", "UPDATE word SET text = 'RÜD' WHERE text = 'RØD'")
    with Lexicon.open(tmp_path / "x") as open_lexicon, pytest.raises(StorageError, match="words differ"):
        open_lexicon.verify_file()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM word WHERE text = (SELECT min(text) FROM word)",
        "INSERT INTO word VALUES (17, 'QQ', '')",
        "UPDATE word SET text = 'ZZ' || substr(text, 3) WHERE text = (SELECT min(text) FROM word)",
        "UPDATE word SET text = x'ff' WHERE text = (SELECT max(text) FROM word)",
    ],
)
def test_verify_file_finds_changed_words(path: Path, statement: str) -> None:
    run_statements(path, statement)
    with Lexicon.open(path) as open_lexicon, pytest.raises(StorageError) as error_info:
        open_lexicon.verify_file()
    assert error_info.value.code == "lexicon-damaged"


@pytest.mark.slow
def test_verify_file_reports_random_damage(built_edition: Path, tmp_path: Path) -> None:
    """Overwrite random bytes of 300 files. Only known errors are raised, and no changed word is accepted."""
    random, good_content = Random(5), built_edition.read_bytes()
    damaged_file = tmp_path / "spoilt.lex"
    codes = set()
    for _ in range(300):
        content = bytearray(good_content)
        for _ in range(random.choice((1, 1, 3, 40))):
            content[random.choice((random.randrange(len(content)), random.randrange(200)))] = random.randrange(256)
        damaged_file.write_bytes(content)
        try:
            with Lexicon.open(damaged_file, timeout=0) as open_lexicon:
                open_lexicon.verify_file()
                assert all(open_lexicon.has_word(word) for word in WORDS)
        except StorageError as error:
            codes.add(error.code)
    assert "lexicon-damaged" in codes
    assert codes <= {"lexicon-damaged", "lexicon-altered", "lexicon-foreign", "lexicon-newer", "value-unstorable"}


def test_remove_edition_deletes_only_editions(path: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear all", "utf-8")
    with pytest.raises(StorageError) as error_info:
        remove_edition(tmp_path / "letter.txt")
    assert error_info.value.code == "lexicon-foreign"
    remove_edition(path)
    assert [item.name for item in tmp_path.iterdir()] == ["letter.txt"]


def test_remove_edition_deletes_a_damaged_edition(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:9000])
    remove_edition(path)
    assert not path.exists()


def test_judge_word_of_a_list_binding_for_all_lengths_decides_every_word(tmp_path: Path) -> None:
    with build_lexicon(tmp_path / "x", "AARDAPPELSCHIL", binding=15) as open_lexicon:
        verdicts = [
            judge_word(word, open_lexicon, WordListScopeRule(binding=13))
            for word in ("AARDAPPELSCHIL", "A" * 14, "A" * 16)
        ]
    assert verdicts == [WordVerdict.VALID, WordVerdict.INVALID, WordVerdict.INVALID]


@pytest.mark.parametrize("binding", [None, 7])
def test_judge_word_refuses_a_word_longer_than_the_board(tmp_path: Path, binding: int | None) -> None:
    with build_lexicon(tmp_path / "x", "AAP", binding=binding) as open_lexicon:
        assert open_lexicon.judge_word("A" * 16) is WordVerdict.INVALID
        assert judge_word("A" * 16, open_lexicon, WordListScopeRule(binding=7)) is WordVerdict.INVALID
        assert judge_word("A" * 8, open_lexicon, WordListScopeRule(binding=7)) is WordVerdict.NOT_BINDING


def test_build_edition_keeps_the_spelling_of_a_list(tmp_path: Path) -> None:
    write_word_list_edition(
        tmp_path / "x", WORDS, make_edition(), marked_word_count=3, capitalised_word_count=2, printable=True
    )
    with Lexicon.open(tmp_path / "x") as open_lexicon:
        assert (open_lexicon.metadata.marked, open_lexicon.metadata.names, open_lexicon.metadata.printable) == (
            3,
            2,
            True,
        )
