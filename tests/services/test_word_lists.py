"""Plain lists become editions in the library, and the lists that fit a tournament are offered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.domain.errors import RuleViolation, StorageError
from tdapp.services import word_lists
from tdapp.services.resources import Resources
from tdapp.services.word_lists import ReadingOptions
from tdapp.storage.library import Library
from tests.building import RESOURCES
from tests.storage.lexicons import edition


@pytest.mark.parametrize(
    ("typed", "date"), [("2024-05-01", "2024-05-01"), (" 2024-5 ", "2024-05"), ("2024", "2024"), ("", "")]
)
def test_the_date_of_an_edition(typed: str, date: str) -> None:
    assert word_lists.date_of(typed) == date


def test_norwegian_is_one_language_and_the_largest_list_stands_first(tmp_path: Path) -> None:
    assert word_lists.same_language("nb", "no")
    assert word_lists.same_language("nn", "nb")
    assert not word_lists.same_language("nl", "de")
    (tmp_path / "lexicons").mkdir()
    for name, text in (("nb-small", "a"), ("nb-large", "aaaa"), ("xx-other", "a" * 9)):
        (tmp_path / "lexicons" / f"{name}.txt").write_text(text)
    offered = word_lists.offered(Resources(tmp_path), "no")
    found = [one.name for one in offered if one.path.parent == tmp_path / "lexicons"]
    assert found == ["nb-large", "nb-small", "xx-other"]


def test_a_date_that_is_none_is_refused() -> None:
    with pytest.raises(RuleViolation, match="lexicon-date"):
        word_lists.date_of("last year")


def test_a_list_is_brought_once_and_proposed(tmp_path: Path) -> None:
    source = tmp_path / "list.txt"
    source.write_text("aap\nnoot\nmies\nzoë\n", encoding="utf-8")
    found = word_lists.preview(source, ReadingOptions("nl"))
    assert found.sample == ("ZOË",) or found.sample == found.plain.words[: word_lists.SAMPLE]
    library = Library(tmp_path / "library")
    made = word_lists.bring(library, found.plain, edition(language="nl"), joints=True, practice=False)
    assert word_lists.proposed(library.editions(), "nl") == made
    assert word_lists.proposed(library.editions(), "de") is None
    assert word_lists.check(library.editions()[0].path) == made
    with pytest.raises(StorageError, match="edition-there"):
        word_lists.bring(library, found.plain, edition(language="nl"), joints=True, practice=False)


def test_our_own_practice_list_is_brought_once(tmp_path: Path) -> None:
    own = next(one for one in Resources(RESOURCES).own_practice_lists if one.language == "nl")
    library = Library(tmp_path)
    first = word_lists.bring_practice(library, own, joints=True)
    assert word_lists.bring_practice(library, own, joints=True) == first
    assert first.practice
    assert len(library.editions()) == 1
