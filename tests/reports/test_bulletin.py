"""The bulletin of a round: its contents, its layout and its changes."""

from __future__ import annotations

from datetime import datetime

import pypdfium2
import pytest

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import ListedRecord, RecordKind
from tdapp.domain.tournament import Tournament
from tdapp.i18n import LANGUAGES, Catalogue
from tdapp.reports import ReportContext, load_style, render_report
from tdapp.reports.printed import compute_report_fingerprint
from tests.building import get_game_at, make_event, pair_rounds
from tests.reports import sample_tournament


def context(value: Tournament, language: str = "en", *, round: int | None = None) -> ReportContext:
    index = Index(value)
    return ReportContext(
        index,
        index.divisions,
        Catalogue(language, sample_tournament.LOCALE),
        load_style(sample_tournament.FONTS),
        datetime(2026, 11, 21, 14),
        round,
    )


def printed(value: Tournament, language: str = "en", *, round: int | None = None) -> list[str]:
    """Return the text of each page."""
    document = pypdfium2.PdfDocument(render_report("bulletin", context(value, language, round=round)))
    pages = [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in document]
    document.close()
    return pages


def played() -> Tournament:
    value = pair_rounds(make_event(8), times=2)
    value = commands.enter_result(value, game=get_game_at(value, 2).id, first=655, second=301, confirmed=True)
    value = commands.announce(value, announcement="Lunch is at noon.\n\nBuses leave at six.")
    return commands.keep_records(
        value, records=(ListedRecord(RecordKind.HIGH_GAME, 640, "Old One", "2011", "Club"),)
    )


def test_bulletin_has_its_sections() -> None:
    (page,) = printed(pair_rounds(played(), results=False))
    winner = Index(played()).tournament.players[get_game_at(played(), 2).first].name
    parts = ("Announcements", "Lunch is at noon.", "Buses leave at six.", "Records and news",
             f"Record (Club): high game: {winner}", "655 – 301 against", "Before: 640 (Old One, 2011)",
             "Standings after round 2", "Round 2: results", "Round 3: pairings")  # fmt: skip
    places = [" ".join(page.split()).find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)
    assert page.startswith("Bulletin · Round 2")


def test_bulletin_of_an_earlier_round_keeps_its_facts() -> None:
    (page,) = printed(pair_rounds(played(), results=False), round=1)
    assert "Bulletin · Round 1" in page
    assert "655" not in page
    assert "Round 2: pairings" in page


def test_bulletin_before_the_first_round() -> None:
    assert "This page has no content yet." in printed(make_event(8))[0]


def test_bulletin_becomes_stale_by_a_correction_only() -> None:
    value = played()
    division = next(iter(value.divisions.values()))

    def digest(one: Tournament) -> str:
        return compute_report_fingerprint("bulletin", context(one, round=2), division)

    assert digest(pair_rounds(value, results=False)) == digest(value)
    mended = commands.enter_result(value, game=get_game_at(value, 2).id, first=355, second=301)
    assert digest(mended) != digest(value)
    assert "Club" not in printed(mended)[0]
    assert digest(commands.announce(value, announcement="Lunch is at one.")) != digest(value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_bulletin_in_every_language(language: str) -> None:
    (page,) = printed(played(), language)
    said = {"en": "Records and news", "nl": "Records en nieuws", "nb": "Rekorder og nyheter",
            "de": "Rekorde und Neuigkeiten"}  # fmt: skip
    assert said[language] in page
    assert "Lunch is at noon." in page


def test_bulletin_of_a_large_field_loses_nothing() -> None:
    made = sample_tournament.played(300, rounds=2, open_last=False)
    pages = printed(made)
    whole = "\n".join(pages)
    assert len(pages) > 1
    index = Index(made)
    for game in index.games(index.published(index.division(None).id)[-1].id):
        assert f"\n{game.table} " in whole
