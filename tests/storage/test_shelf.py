"""The folder of word list editions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.domain.errors import StorageError
from tdapp.storage.shelf import Shelf
from tests.storage.lexicons import edition, lexicon


def test_an_empty_folder_need_not_exist(tmp_path: Path) -> None:
    assert Shelf(tmp_path / "none").editions() == ()


def test_an_edition_is_found_by_its_id(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "lists")
    made = shelf.add(("ARE", "ERA"), edition())
    other = shelf.add(("ARE", "ERA"), edition(binding=7))
    with shelf.open(made.id) as found:
        assert found.imprint == made
        assert found.has("ERA")
    assert {shelved.imprint for shelved in shelf.editions()} == {made, other}


def test_a_missing_edition_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught:
        Shelf(tmp_path).open("0123456789ab")
    assert (caught.value.code, caught.value.facts) == ("edition-missing", {"edition": "0123456789ab"})


def test_a_file_from_elsewhere_is_copied_once(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "lists")
    lexicon(tmp_path / "mine.lex", "ARE", "ERA").close()
    taken = shelf.take(tmp_path / "mine.lex")
    assert shelf.open(taken.id).has("ARE")
    with pytest.raises(StorageError) as caught:
        shelf.take(tmp_path / "mine.lex")
    assert caught.value.code == "edition-there"


def test_what_is_no_edition_is_told_and_can_go(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    made = shelf.add(("ARE", "ERA"), edition())
    damaged = shelf.editions()[0].path
    damaged.write_bytes(damaged.read_bytes()[:-4096])
    (shelved,) = shelf.editions()
    assert shelved.imprint is None
    assert shelved.trouble is not None
    assert shelved.trouble.code == "lexicon-damaged"
    with pytest.raises(StorageError):
        shelf.open(made.id)
    shelf.remove(damaged)
    assert shelf.editions() == ()


def test_taking_a_file_can_be_stopped_and_leaves_nothing(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(_done: int, _total: int) -> None:
        raise Enough

    shelf = Shelf(tmp_path / "lists")
    lexicon(tmp_path / "mine.lex", "ARE", "ERA").close()
    with pytest.raises(Enough):
        shelf.take(tmp_path / "mine.lex", progress=stop)
    assert not shelf.folder.exists() or not list(shelf.folder.iterdir())
