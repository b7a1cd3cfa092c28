"""Tests of word lists: importing plain lists into the library, and proposing lists for a tournament."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tdapp.domain.errors import CommandError, InputError, StorageError
from tdapp.exchange.wordlist import RejectedWordReason, WordListOptions
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.wordlist import WordListEdition
from tdapp.services import word_lists
from tdapp.services.resources import Resources
from tdapp.services.word_lists import EditionComparison, SupplementChanges
from tdapp.storage.lexicon import Lexicon
from tdapp.storage.library import WordListLibrary, write_word_list_edition
from tests.building import RESOURCES, load_rule_set
from tests.storage.random_lexicons import make_edition


@pytest.mark.parametrize(
    ("entered_date", "date"),
    [
        ("2024-05-01", "2024-05-01"),
        ("1.5.2024", "2024-05-01"),
        (" 2024-5 ", "2024-05"),
        ("2024", "2024"),
        ("", ""),
    ],
)
def test_parse_date_returns_iso_8601(entered_date: str, date: str) -> None:
    assert word_lists.parse_partial_date(entered_date) == date


def test_list_offered_practice_lists_treats_norwegian_as_one_language_and_sorts_by_size(tmp_path: Path) -> None:
    assert word_lists.is_same_language("nb", "no")
    assert word_lists.is_same_language("nn", "nb")
    assert not word_lists.is_same_language("nl", "de")
    (tmp_path / "lexicons").mkdir()
    for name, text in (("nb-small", "a"), ("nb-large", "aaaa"), ("xx-other", "a" * 9)):
        (tmp_path / "lexicons" / f"{name}.txt").write_text(text)
    practice_lists = word_lists.list_offered_practice_lists(Resources(tmp_path), "no")
    names = [item.name for item in practice_lists if item.path.parent == tmp_path / "lexicons"]
    assert names == ["nb-large", "nb-small", "xx-other"]


def test_parse_date_refuses_other_texts() -> None:
    with pytest.raises(CommandError, match="lexicon-date"):
        word_lists.parse_partial_date("last year")


def test_add_word_list_adds_an_edition_once_and_proposes_it(tmp_path: Path) -> None:
    source = tmp_path / "list.txt"
    source.write_text("aap\nnoot\nmies\nzoë\n", encoding="utf-8")
    preview = word_lists.preview_word_list(source, WordListOptions("nl"))
    assert preview.sample == ("ZOË",) or preview.sample == preview.word_list.words[: word_lists.SAMPLE]
    library = WordListLibrary(tmp_path / "library")
    metadata = word_lists.add_new_word_list(
        library,
        preview.word_list,
        make_edition(language="nl"),
        accept_hyphens_and_apostrophes=True,
        practice=False,
    )
    assert word_lists.find_only_edition_in_language(library.list_editions(), "nl") == metadata
    assert word_lists.find_only_edition_in_language(library.list_editions(), "de") is None
    assert word_lists.verify_edition(library.list_editions()[0].path) == metadata
    with pytest.raises(StorageError, match="edition-there"):
        word_lists.add_new_word_list(
            library,
            preview.word_list,
            make_edition(language="nl"),
            accept_hyphens_and_apostrophes=True,
            practice=False,
        )


def test_sort_editions_by_preference_puts_language_before_age(tmp_path: Path) -> None:
    library = WordListLibrary(tmp_path)
    for name, language, date in (("Blad", "nl", "2027"), ("Älteres", "de", "2020"), ("Zweites", "de", "2026")):
        library.add_edition([name.upper()], WordListEdition(name, language, date))
    editions_by_language = {
        language: word_lists.sort_editions_by_preference(library.list_editions(), language)
        for language in ("de", "nl")
    }
    names = {language: [edition.metadata.edition.name for edition in editions if edition.metadata]
             for language, editions in editions_by_language.items()}  # fmt: skip
    assert names == {"de": ["Zweites", "Älteres", "Blad"], "nl": ["Blad", "Zweites", "Älteres"]}
    assert (
        word_lists.find_only_edition_in_language(library.list_editions(), "nl")
        == editions_by_language["nl"][0].metadata
    )


def test_add_practice_list_adds_a_bundled_list_once(tmp_path: Path) -> None:
    dutch_list = next(
        practice_list
        for practice_list in Resources(RESOURCES).bundled_practice_word_lists
        if practice_list.language == "nl"
    )
    library = WordListLibrary(tmp_path)
    first = word_lists.add_practice_list(library, dutch_list, accept_hyphens_and_apostrophes=True)
    assert word_lists.add_practice_list(library, dutch_list, accept_hyphens_and_apostrophes=True) == first
    assert first.practice
    assert len(library.list_editions()) == 1


# --- notes, dictionaries, supplements, comparisons

AFFIXES = """SET UTF-8
NEEDAFFIX h
FORBIDDENWORD d
ONLYINCOMPOUND o
CIRCUMFIX f
SFX N Y 3
SFX N 0 en [^aeiou]
SFX N aus äuser aus
SFX N 0 e/G t
SFX G Y 1
SFX G 0 s .
PFX U Y 1
PFX U 0 un .
PFX C Y 1
PFX C 0 ge/f .
SFX C Y 1
SFX C 0 t/f .
SFX K N 1
SFX K 0 chen/o .
"""
DICTIONARY = "9\nHaus/N\nHaut/Nh\ngut/U\nhol/Ch\nFuge/o\nBrot/NU po:noun\nBrotes/d\nein\\/aus\nzu/K\n"


def write_dictionary(folder: Path, affixes: str = AFFIXES, words: str = DICTIONARY) -> Path:
    (folder / "own.aff").write_text(affixes, encoding="utf-8")
    (folder / "own.dic").write_text(words, encoding="utf-8")
    return folder / "own.dic"


def test_preview_word_list_expands_affixes_and_stores_the_base_form_as_note(tmp_path: Path) -> None:
    word_list = word_lists.preview_word_list(write_dictionary(tmp_path), WordListOptions("de")).word_list
    assert set(word_list.words) == {
        "HAUS", "HAUSEN", "HÄUSER", "HAUTEN", "HAUTE", "HAUTES", "GUT", "UNGUT", "GEHOLT",
        "BROT", "BROTEN", "BROTE", "UNBROT", "UNBROTEN", "UNBROTE", "ZU",
    }  # fmt: skip
    assert word_list.notes["HÄUSER"] == "Haus"
    assert word_list.notes["GEHOLT"] == "hol"
    assert "HAUS" not in word_list.notes
    [line] = word_list.dropped_lines[RejectedWordReason.SIGN].examples
    assert (line.number, line.text) == (9, "ein/aus")


@pytest.mark.parametrize(
    ("affixes", "words"),
    [
        ("FLAG long\nSFX Aa Y 1\nSFX Aa 0 s .\n", "1\nbal/Aa\n"),
        ("FLAG num\nSFX 12 Y 1\nSFX 12 0 s .\n", "1\nbal/7,12\n"),
        ("AF 1\nAF xS # 1\nSFX S Y 1\nSFX S 0 s [a-z]\n", "1\nbal/1\n"),
    ],
)
def test_preview_word_list_reads_flags_of_every_notation(tmp_path: Path, affixes: str, words: str) -> None:
    word_list = word_lists.preview_word_list(
        write_dictionary(tmp_path, affixes, words), WordListOptions("en")
    ).word_list
    assert word_list.words == ("BAL", "BALS")


def test_preview_word_list_names_the_line_of_an_invalid_affix(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error_info:
        word_lists.preview_word_list(
            write_dictionary(tmp_path, "SET UTF-8\nSFX A Y many\n"), WordListOptions("de")
        )
    assert (error_info.value.code, error_info.value.line) == ("hunspell-affixes", 2)


def test_preview_word_list_names_the_missing_affix_file(tmp_path: Path) -> None:
    path = write_dictionary(tmp_path)
    (tmp_path / "own.aff").unlink()
    with pytest.raises(InputError) as error_info:
        word_lists.preview_word_list(path, WordListOptions("de"))
    assert error_info.value.source.endswith("own.aff")


def test_preview_word_list_reads_notes_after_a_tab_or_semicolon(tmp_path: Path) -> None:
    path = add_word_list_file(tmp_path, "aap;dier\nnoot\tvrucht;geel\nmies\nAap;grappenmaker\n")
    with Lexicon.open(path) as lexicon:
        notes = {word: lexicon.find_word_note(word) for word in ("AAP", "NOOT", "MIES", "ZZ")}
    assert notes == {"AAP": "dier · grappenmaker", "NOOT": "vrucht · geel", "MIES": "", "ZZ": ""}


def add_word_list_file(folder: Path, text: str) -> Path:
    source = folder / "list.txt"
    source.write_text(text, encoding="utf-8")
    word_list = word_lists.preview_word_list(source, WordListOptions("nl")).word_list
    library = WordListLibrary(folder / "library")
    edition = WordListEdition("List", "nl", "2024", word_list.source_hash)
    metadata = word_lists.add_new_word_list(
        library, word_list, edition, accept_hyphens_and_apostrophes=True, practice=False
    )
    return next(item.path for item in library.list_editions() if item.metadata == metadata)


def test_preview_supplement_adds_and_removes_words_in_a_new_edition(tmp_path: Path) -> None:
    base = add_word_list_file(tmp_path, "aap\tdier\nnoot\nmies\n")
    changes = tmp_path / "changes.txt"
    changes.write_text("# 2026\n+vuur\teen element\n-noot\n-weide\n+mies\nwim-zus\n", encoding="utf-8")
    preview = word_lists.preview_word_list_supplement(base, changes, WordListOptions("nl"))
    assert set(preview.word_list.words) == {"AAP", "MIES", "VUUR", "WIMZUS"}
    assert preview.word_list.notes == {"AAP": "dier", "VUUR": "een element"}
    assert preview.changes == SupplementChanges(2, 1, ("MIES",), ("WEIDE",))
    new_path = tmp_path / "other.lex"
    metadata = write_word_list_edition(
        new_path, preview.word_list.words, WordListEdition("List 2", "nl", "2026", preview.word_list.source_hash)
    )
    with Lexicon.open(base) as base_lexicon:
        assert metadata.id != base_lexicon.metadata.id
    assert word_lists.compare_editions(base, new_path) == EditionComparison(("VUUR", "WIMZUS"), ("NOOT",), 2)


def test_preview_supplement_refuses_a_list_without_words(tmp_path: Path) -> None:
    changes = tmp_path / "changes.txt"
    changes.write_text("# nothing\n-\n", encoding="utf-8")
    with pytest.raises(InputError) as error_info:
        word_lists.preview_word_list_supplement(
            add_word_list_file(tmp_path, "aap\n"), changes, WordListOptions("nl")
        )
    assert error_info.value.code == "wordlist-no-words"


def test_list_rule_warnings_names_words_that_the_rules_forbid(tmp_path: Path) -> None:
    source = tmp_path / "plain.txt"
    source.write_text("auto's\naap\nAmsterdam\n", "utf-8")
    word_list = word_lists.preview_word_list(source, WordListOptions("nl")).word_list
    metadata = word_lists.add_new_word_list(
        WordListLibrary(tmp_path / "lists"),
        word_list,
        WordListEdition("Own", "nl"),
        accept_hyphens_and_apostrophes=True,
        practice=False,
        printable=True,
    )
    assert (metadata.marked, metadata.names, metadata.can_words_be_printed) == (1, 1, True)
    catalogue = Catalogue("en", RESOURCES / "locale")
    assert word_lists.list_rule_warnings(catalogue, metadata, load_rule_set("be-brailleliga"))[0] == (
        "One word is written with a hyphen or an apostrophe."
    )
    assert word_lists.list_rule_warnings(catalogue, metadata, load_rule_set("nl-match"))[0] == (
        "One word is written with a capital, as names are."
    )
    assert word_lists.list_rule_warnings(catalogue, replace(metadata, names=0), load_rule_set("nl-match")) == ()
    assert word_lists.list_rule_warnings(catalogue, metadata, load_rule_set("no-nsf")) == (
        "The language of this list is Dutch, but the language of the rules is Norwegian.",
    )
    changes = tmp_path / "changes.txt"
    changes.write_text("+foto's\n", "utf-8")
    [stored] = WordListLibrary(tmp_path / "lists").list_editions()
    assert (
        word_lists.preview_word_list_supplement(stored.path, changes, WordListOptions("nl")).word_list.marked == 2
    )
