"""Tests of word lists: accepted words, dropped lines and encodings."""

from __future__ import annotations

import hashlib
from contextlib import nullcontext
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tdapp.domain.errors import InputError
from tdapp.exchange import wordlist
from tdapp.exchange.wordlist import (
    RejectedWordReason,
    WordListLine,
    WordListOptions,
    list_practice_word_lists,
    read_words,
)
from tdapp.scrabble.wordlist import normalise_word
from tests.building import RESOURCES

LANGUAGES = ("nl", "de", "nb", "en")
NORWEGIAN = ("ålesund", "bjørn", "blåbær", "ærfugl", "øre", "kafé", "fiskebåt", "søndag")
DUTCH = ("reünie", "café", "zeeën", "ideeën", "coördinatie", "crème", "knieën", "geïnd", "één")
GERMAN = ("Straße", "Mädchen", "schön", "Tür", "größe", "Übung", "Äpfel", "Öl", "Café")


def read_word_tuple(text: str, language: str = "nl", *, joints: bool = True) -> tuple[str, ...]:
    return read_words(text.encode(), WordListOptions(language, joints=joints)).words


def get_error_code(data: bytes, encoding: str | None = None) -> str:
    with pytest.raises(InputError) as error_info:
        read_words(data, WordListOptions("nl", encoding=encoding), "list.txt")
    assert error_info.value.source == "list.txt"
    return error_info.value.code


@pytest.mark.parametrize(
    ("language", "source_text", "tiles"),
    [
        ("nl", "café mee-eten auto's reünie IJs ĳs", "CAFE MEEETEN AUTOS REUNIE IJS"),
        ("de", "Straße Mär STRASSE café", "STRASSE MÄR CAFE"),
        ("nb", "a\u030apen blåbær idé cæsar naïv", "ÅPEN BLÅBÆR IDE CÆSAR NAIV"),
        ("en", "façade Coöp", "FACADE COOP"),
    ],
)
def test_read_words_turns_words_into_capitals_of_the_language(language: str, source_text: str, tiles: str) -> None:
    assert read_word_tuple("\n".join(source_text.split()), language) == tuple(tiles.split())


@example(language="nl", joints=True, lines=["\u0301 BÅ", "\u0301\u00a0a b", "\u0308aB "])
@given(
    language=st.sampled_from(LANGUAGES),
    joints=st.booleans(),
    lines=st.lists(st.text(st.sampled_from("aBzéëåÅøßäĳœ'’-. 3#?\u030a\u0308\u0301\u00a0дж²\u00ad"), max_size=17)),
)
def test_read_words_equals_normalise_word_for_each_word(language: str, joints: bool, lines: list[str]) -> None:
    single_words = [normalise_word(line, language, accept_hyphens_and_apostrophes=joints) or "" for line in lines]
    expected = tuple(dict.fromkeys(word for word in single_words if 2 <= len(word) <= 15))
    with nullcontext() if expected else pytest.raises(InputError, match=r"wordlist-no-words|file-empty"):
        assert read_word_tuple("\n".join(lines), language, joints=joints) == expected


def test_read_words_reads_latin_1_like_other_encodings() -> None:
    letters = [chr(code) for code in range(32, 256) if chr(code) not in "\t;" and not 127 <= code < 160]
    lines = "\n".join(
        f"{letters_before}b{letter}b{letters_after}"
        for letter in letters
        for letters_before in "aÅß"
        for letters_after in ("", "é-")
    )
    for language, names in product(LANGUAGES, (True, False)):
        options = WordListOptions(language, names=names)
        first, second = (read_words(text.encode(), options) for text in (lines, f"{lines}\n# ж"))
        assert (first.words, first.marked, first.names) == (second.words, second.marked, second.names)
        counts = [
            {reason: lines.count for reason, lines in word_list.dropped_lines.items()}
            for word_list in (first, second)
        ]
        assert counts[0] | {RejectedWordReason.COMMENT: 1} == counts[1]


def test_read_words_gives_a_reason_for_every_dropped_line() -> None:
    text = "# ours\n\n aap \nnoot mies\nA4\na.u.b.\nb\nabcdefghijklmnop\nAap\näap\nдж\nmies/AB\n   \n"

    word_list = read_words(text.encode(), WordListOptions("nl"))

    assert word_list.words == ("AAP",)
    assert {reason: lines.count for reason, lines in word_list.dropped_lines.items()} == {
        RejectedWordReason.COMMENT: 1,
        RejectedWordReason.SPACE: 1,
        RejectedWordReason.DIGIT: 1,
        RejectedWordReason.SIGN: 3,
        RejectedWordReason.SHORT: 1,
        RejectedWordReason.LONG: 1,
        RejectedWordReason.REPEATED: 2,
    }
    assert word_list.dropped_lines[RejectedWordReason.SIGN].examples == (
        WordListLine(6, "a.u.b."),
        WordListLine(11, "дж"),
        WordListLine(12, "mies/AB"),
    )
    assert word_list.dropped_lines[RejectedWordReason.SPACE].examples == (WordListLine(4, "noot mies"),)


def test_read_words_accepts_two_to_fifteen_letters() -> None:
    assert [len(word) for word in read_word_tuple("\n".join("a" * length for length in range(18)))] == [
        *range(2, 16)
    ]


def test_read_words_drops_hyphens_and_apostrophes_if_the_rules_forbid_them() -> None:
    """Check rule 8 of be-brailleliga: words with a hyphen or an apostrophe are not allowed."""
    assert read_word_tuple("mee-eten\nauto's\nreünie\n", joints=False) == ("REUNIE",)


def test_read_words_skips_names_on_demand() -> None:
    word_list = read_words(b"Jan\naap\nNAVO\nmiesMies\n", WordListOptions("nl", names=False))
    assert word_list.words == ("AAP",)
    assert word_list.dropped_lines[RejectedWordReason.NAME].count == 3


@pytest.mark.parametrize(
    "encoding",
    [
        "utf-8",
        "utf-8-sig",
        "utf-16",
        "utf-16-le",
        "utf-16-be",
        "utf-32",
        "cp1252",
        "latin-1",
        "cp850",
        "mac_roman",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("language", "source_text"), [("nb", NORWEGIAN), ("nl", DUTCH), ("de", GERMAN)])
def test_read_words_detects_the_encoding(
    encoding: str, end: str, language: str, source_text: tuple[str, ...]
) -> None:
    word_list = read_words((end.join(source_text) + end).encode(encoding), WordListOptions(language))
    assert word_list.words == tuple(normalise_word(word, language) for word in source_text)


def test_read_words_uses_a_chosen_encoding() -> None:
    data = "één\n".encode("cp850")
    assert read_words(data, WordListOptions("nl", encoding="cp850")).words == ("EEN",)
    assert get_error_code(data, encoding="utf-8") == "wordlist-encoding"
    assert get_error_code(data, encoding="runes") == "wordlist-encoding"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "file-empty"),
        (b"\n \r\n", "file-empty"),
        (b"# nothing\nA4\n", "wordlist-no-words"),
        (b"aap\x01\nnoot", "file-binary"),
        (bytes(range(256)) * 8, "file-binary"),
    ],
)
def test_read_words_refuses_other_files(data: bytes, expected: str) -> None:
    assert get_error_code(data) == expected


@given(st.binary(max_size=300))
def test_read_words_reads_or_refuses_any_bytes(data: bytes) -> None:
    try:
        word_list = read_words(data, WordListOptions("nl"))
    except InputError:
        return
    assert all(word.isalpha() and 2 <= len(word) <= 15 for word in word_list.words)


def test_read_words_refuses_a_list_that_exceeds_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordlist, "MAX_BYTES", 10)
    assert get_error_code(b"aap\nnoot\nmies\n") == "file-too-large"


def test_read_words_hashes_the_bytes() -> None:
    data = "één\n".encode("cp1252")
    assert read_words(data, WordListOptions("nl")).source_hash == hashlib.sha256(data).hexdigest()


def test_read_words_reports_progress_and_stops_at_its_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordlist, "_CHUNK", 20)
    data = "".join(f"{'abcdefghij'[index % 10] * (2 + index % 9)}\n" for index in range(90)).encode()
    reports: list[tuple[int, int]] = []

    word_list = read_words(
        data, WordListOptions("nl"), progress=lambda count, total: reports.append((count, total))
    )

    assert len(reports) > 10
    assert reports == sorted(reports)
    assert {total for _, total in reports} == {len(data)}
    assert reports[-1][0] >= len(data) - 1
    assert word_list.words == tuple("abcdefghij"[index % 10].upper() * (2 + index % 9) for index in range(90))

    def stop_reading(count: int, total: int) -> None:
        raise KeyboardInterrupt(count, total)

    with pytest.raises(KeyboardInterrupt):
        read_words(data, WordListOptions("nl"), progress=stop_reading)


def test_read_words_counts_lines_across_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordlist, "_CHUNK", 5)
    lines = [*["aap"] * 7, "A4", *["noot"] * 6, "A5"]
    word_list = read_words("\n".join(lines).encode(), WordListOptions("nl"))
    assert word_list.dropped_lines[RejectedWordReason.DIGIT].examples == (
        WordListLine(8, "A4"),
        WordListLine(15, "A5"),
    )


def test_find_practice_lists_finds_own_and_debian_lists(tmp_path: Path) -> None:
    for name in ("dutch", "bokmaal", "british-english-huge", "words", "README.select-wordlist"):
        (tmp_path / name).touch()

    practice_lists = list_practice_word_lists(RESOURCES / "lexicons", tmp_path)

    assert [(item.path.name, item.language) for item in practice_lists] == [
        ("nl-practice.txt", "nl"),
        ("dutch", "nl"),
        ("bokmaal", "nb"),
        ("british-english-huge", "en"),
    ]
    assert practice_lists[1].name == "wdutch"


def test_read_words_of_the_practice_list_keeps_all_lines() -> None:
    word_list = read_words((RESOURCES / "lexicons" / "nl-practice.txt").read_bytes(), WordListOptions("nl"))
    assert len(word_list.words) > 500
    assert set(word_list.dropped_lines) == {RejectedWordReason.COMMENT}
    assert {"TAART", "TAFEL", "POST", "MEEETEN"} <= set(word_list.words)


@pytest.mark.data
@pytest.mark.parametrize(
    ("file", "language", "expected"),
    [("dutch", "nl", 304_693), ("bokmaal", "nb", 682_155), ("nynorsk", "nn", 519_420)],
)
def test_read_words_of_debian_lists_has_the_documented_count(file: str, language: str, expected: int) -> None:
    """The counts are those of wdutch 2.20.19 and wnorwegian 2.2 in reference.md C.1."""
    path = wordlist.DEBIAN_FOLDER / file
    if not path.exists():
        pytest.skip(f"Debian's list of words {path} is not installed")
    assert len(read_words(path.read_bytes(), WordListOptions(language, names=False)).words) == expected


# --- headings, meanings, spelling, compounds


def test_read_words_drops_a_heading_of_columns() -> None:
    word_list = read_words(b"word;note\naap;a monkey\nnoot;\n", WordListOptions("nl"))
    assert word_list.words == ("AAP", "NOOT")
    assert word_list.notes["AAP"] == "a monkey"
    assert word_list.dropped_lines[RejectedWordReason.HEADING].examples == (WordListLine(1, "word · note"),)
    assert read_words(b"Woord\tuitleg\naap\tdier\n1x\t\n", WordListOptions("nl")).dropped_lines[
        RejectedWordReason.DIGIT
    ].examples == (WordListLine(3, "1x"),)


def test_read_words_keeps_a_heading_word_without_a_column() -> None:
    assert read_word_tuple("word\nlist", "en") == ("WORD", "LIST")
    assert read_word_tuple("list;a\nword;b", "en") == ("LIST", "WORD")


def test_read_words_reads_a_meaning_after_a_space_as_note() -> None:
    nwl = "AA rough, cindery lava [n AAS]\nAAH to exclaim; to marvel [v AAHED]\nAAHED <aah=v> [v]\nAB\n"
    word_list = read_words(nwl.encode(), WordListOptions("en"))
    assert word_list.words == ("AA", "AAH", "AAHED", "AB")
    assert word_list.notes == {
        "AA": "rough, cindery lava [n AAS]", "AAH": "to exclaim; to marvel [v AAHED]", "AAHED": "<aah=v> [v]",
    }  # fmt: skip
    assert not word_list.dropped_lines


def test_read_words_drops_a_line_with_a_space_in_a_list_of_few_meanings() -> None:
    word_list = read_words(b"AAP\nNOOT\nKLM bv\nDen Haag\nmies\n", WordListOptions("nl"))
    assert word_list.words == ("AAP", "NOOT", "MIES")
    assert word_list.dropped_lines[RejectedWordReason.SPACE].count == 2


def test_read_words_counts_words_with_marks_or_capitals() -> None:
    text = "auto's\nmee-eten\nmeeeten\nAmsterdam\nAAP\nJan\njan\nAn-na\n"
    word_list = read_words(text.encode(), WordListOptions("nl"))
    assert (word_list.marked, word_list.names) == (2, 2)  # AUTOS, ANNA; AMSTERDAM, ANNA
    words_without_marks = read_words(text.encode(), WordListOptions("nl", joints=False, names=False))
    assert (words_without_marks.marked, words_without_marks.names) == (0, 0)
    assert read_words("Straße\n".encode(), WordListOptions("de")).names == 0


def read_dictionary(entries: str, affixes: str) -> wordlist.ParsedWordList:
    return read_words(entries.encode(), WordListOptions("nl"), affixes=f"SET UTF-8\n{affixes}".encode())


@pytest.mark.parametrize(
    ("affixes", "flags", "compounds"),
    [
        ("COMPOUNDFLAG C", ("C", "C", ""), 2),
        ("COMPOUNDBEGIN B\nCOMPOUNDEND E", ("B", "E", ""), 2),
        ("COMPOUNDRULE 1\nCOMPOUNDRULE XY*", ("X", "Y", ""), 2),
        ("FLAG num\nCOMPOUNDRULE 1\nCOMPOUNDRULE (12)*(7)", ("12", "7", "1"), 2),
        ("", ("C", "C", ""), 0),
    ],
)
def test_read_words_counts_parts_of_compounds(affixes: str, flags: tuple[str, ...], compounds: int) -> None:
    first, two, three = (f"/{flag}" if flag else "" for flag in flags)
    word_list = read_dictionary(f"3\ndeur{first}\nbel{two}\nraam{three}\n", affixes)
    assert word_list.words == ("DEUR", "BEL", "RAAM")
    assert word_list.compounds == compounds


def test_read_words_keeps_forms_of_an_affix_with_a_compounding_flag() -> None:
    word_list = read_dictionary("1\ndeur/S\n", "COMPOUNDFLAG C\nSFX S Y 1\nSFX S 0 en/C .\n")
    assert word_list.words == ("DEUR", "DEUREN")


def test_read_words_drops_forbidden_dictionary_words() -> None:
    word_list = read_dictionary("2\nfout/*\ndeur\n", "FORBIDDENWORD *\n")
    assert word_list.words == ("DEUR",)
    assert word_list.dropped_lines[RejectedWordReason.FORMLESS].examples == (WordListLine(2, "fout"),)
