"""Tests of the library: the folder of word list editions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.domain.errors import StorageError
from tdapp.storage.library import WordListLibrary
from tests.storage.random_lexicons import build_lexicon, make_edition


def test_library_of_a_missing_folder_is_empty(tmp_path: Path) -> None:
    assert WordListLibrary(tmp_path / "none").list_editions() == ()


def test_library_finds_an_edition_by_its_id(tmp_path: Path) -> None:
    library = WordListLibrary(tmp_path / "lists")
    first = library.add_edition(("ARE", "ERA"), make_edition())
    second = library.add_edition(("ARE", "ERA"), make_edition(binding=7))
    with library.open_edition(first.id) as open_lexicon:
        assert open_lexicon.metadata == first
        assert open_lexicon.has_word("ERA")
    assert {stored_edition.metadata for stored_edition in library.list_editions()} == {first, second}


def test_open_edition_names_a_missing_edition(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as error_info:
        WordListLibrary(tmp_path).open_edition("0123456789ab")
    assert (error_info.value.code, error_info.value.facts) == ("edition-missing", {"edition": "0123456789ab"})


def test_import_edition_copies_a_file_once(tmp_path: Path) -> None:
    library = WordListLibrary(tmp_path / "lists")
    build_lexicon(tmp_path / "mine.lex", "ARE", "ERA").close()
    metadata = library.import_edition(tmp_path / "mine.lex")
    assert library.open_edition(metadata.id).has_word("ARE")
    with pytest.raises(StorageError) as error_info:
        library.import_edition(tmp_path / "mine.lex")
    assert error_info.value.code == "edition-there"


def test_library_lists_and_removes_an_invalid_edition(tmp_path: Path) -> None:
    library = WordListLibrary(tmp_path)
    metadata = library.add_edition(("ARE", "ERA"), make_edition())
    damaged_file = library.list_editions()[0].path
    damaged_file.write_bytes(damaged_file.read_bytes()[:-4096])
    (stored_edition,) = library.list_editions()
    assert stored_edition.metadata is None
    assert stored_edition.error is not None
    assert stored_edition.error.code == "lexicon-damaged"
    with pytest.raises(StorageError):
        library.open_edition(metadata.id)
    library.remove_edition(damaged_file)
    assert library.list_editions() == ()


def test_import_edition_can_be_stopped_and_leaves_nothing(tmp_path: Path) -> None:
    class StopImport(Exception):
        pass

    def raise_stop(_count: int, _total: int) -> None:
        raise StopImport

    library = WordListLibrary(tmp_path / "lists")
    build_lexicon(tmp_path / "mine.lex", "ARE", "ERA").close()
    with pytest.raises(StopImport):
        library.import_edition(tmp_path / "mine.lex", progress=raise_stop)
    assert not library.folder.exists() or not list(library.folder.iterdir())
