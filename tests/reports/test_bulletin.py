"""Tests of the bulletin of a round: contents, layout and fingerprint."""

from __future__ import annotations

from datetime import datetime

import pypdfium2
import pytest

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import AchievementKind, AchievementRecord
from tdapp.domain.tournament import Tournament
from tdapp.i18n import LANGUAGES, Catalogue
from tdapp.reports import ReportContext, load_style, render_report
from tdapp.reports.printed import compute_report_fingerprint
from tests.building import get_game_at, make_event, pair_rounds
from tests.reports import sample_tournament


def make_context(value: Tournament, language: str = "en", *, round: int | None = None) -> ReportContext:
    index = TournamentIndex(value)
    return ReportContext(
        index,
        index.divisions,
        Catalogue(language, sample_tournament.LOCALE),
        load_style(sample_tournament.FONTS),
        datetime(2026, 11, 21, 14),
        round,
    )


def print_bulletin(value: Tournament, language: str = "en", *, round: int | None = None) -> list[str]:
    """Return the text of each page."""
    document = pypdfium2.PdfDocument(render_report("bulletin", make_context(value, language, round=round)))
    pages = [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in document]
    document.close()
    return pages


def make_played_tournament() -> Tournament:
    value = pair_rounds(make_event(8), times=2)
    value = commands.enter_result(value, game=get_game_at(value, 2).id, first=655, second=301, confirmed=True)
    value = commands.announce(value, announcement="Lunch is at noon.\n\nBuses leave at six.")
    return commands.keep_records(
        value, records=(AchievementRecord(AchievementKind.HIGH_GAME, 640, "Old One", "2011", "Club"),)
    )


def test_bulletin_has_its_sections() -> None:
    (page,) = print_bulletin(pair_rounds(make_played_tournament(), results=False))
    winner = (
        TournamentIndex(make_played_tournament())
        .tournament.players[get_game_at(make_played_tournament(), 2).first]
        .name
    )
    parts = ("Announcements", "Lunch is at noon.", "Buses leave at six.", "Records and news",
             f"Record (Club): high game: {winner}", "655 – 301 against", "Previously: 640 (Old One, 2011)",
             "Standings after round 2", "Round 2: results", "Round 3: pairings")  # fmt: skip
    places = [" ".join(page.split()).find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)
    assert page.startswith("Bulletin · Round 2")


def test_bulletin_of_an_earlier_round_keeps_its_facts() -> None:
    (page,) = print_bulletin(pair_rounds(make_played_tournament(), results=False), round=1)
    assert "Bulletin · Round 1" in page
    assert "655" not in page
    assert "Round 2: pairings" in page


def test_bulletin_before_the_first_round() -> None:
    assert "There is nothing to show here yet." in print_bulletin(make_event(8))[0]


def test_bulletin_becomes_stale_only_after_a_correction() -> None:
    value = make_played_tournament()
    division = next(iter(value.divisions.values()))

    def compute_fingerprint(tournament: Tournament) -> str:
        return compute_report_fingerprint("bulletin", make_context(tournament, round=2), division)

    assert compute_fingerprint(pair_rounds(value, results=False)) == compute_fingerprint(value)
    corrected_tournament = commands.enter_result(value, game=get_game_at(value, 2).id, first=355, second=301)
    assert compute_fingerprint(corrected_tournament) != compute_fingerprint(value)
    assert "Club" not in print_bulletin(corrected_tournament)[0]
    assert compute_fingerprint(commands.announce(value, announcement="Lunch is at one.")) != compute_fingerprint(
        value
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_bulletin_in_every_language(language: str) -> None:
    (page,) = print_bulletin(make_played_tournament(), language)
    headings = {"en": "Records and news", "nl": "Records en nieuws", "nb": "Rekorder og nyheter",
            "de": "Rekorde und Neuigkeiten"}  # fmt: skip
    assert headings[language] in page
    assert "Lunch is at noon." in page


def test_bulletin_of_a_large_field_has_all_games() -> None:
    tournament = sample_tournament.make_tournament(300, rounds=2, open_last=False)
    pages = print_bulletin(tournament)
    bulletin_text = "\n".join(pages)
    assert len(pages) > 1
    index = TournamentIndex(tournament)
    for game in index.games(index.list_published_rounds(index.get_division(None).id)[-1].id):
        assert f"\n{game.table} " in bulletin_text
