"""Tests of the printed bracket in all formats and sizes."""

from __future__ import annotations

from datetime import datetime
from random import Random

import pypdfium2
import pytest

from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import count_knockout_rounds_needed
from tdapp.domain.pairing_settings import EliminationKind, PairingSettings
from tdapp.domain.publishing import make_public_view
from tdapp.domain.tournament import Tournament
from tdapp.i18n import LANGUAGES, Catalogue
from tdapp.i18n.lists import format_other_matches_in_final_round, make_pairings_text_table, make_seats_text_table
from tdapp.pairing import propose_pairings
from tdapp.reports import ReportContext, load_style, render_report
from tests.pairing.random_states import A, enter_random_results, get_player, make_tournament, publish_proposal
from tests.reports import sample_tournament


def draw_bracket(tournament: Tournament, *, language: str = "en", paper: str = "a4") -> bytes:
    index = TournamentIndex(tournament)
    context = ReportContext(
        index=index,
        divisions=index.divisions,
        catalogue=Catalogue(language, sample_tournament.LOCALE),
        style=load_style(sample_tournament.FONTS, paper=paper),
        printed_at=datetime(2026, 11, 21, 14, 5),
    )
    content = render_report("bracket", context)
    assert render_report("bracket", context) == content
    return content


def read_page_texts(tournament: Tournament, *, language: str = "en", paper: str = "a4") -> list[str]:
    document = pypdfium2.PdfDocument(draw_bracket(tournament, language=language, paper=paper))
    return [" ".join(page.get_textpage().get_text_range().split()) for page in document]


def make_cup(count: int, played_rounds: int, **settings_fields: object) -> Tournament:
    settings = PairingSettings(**settings_fields)  # type: ignore[arg-type]
    tournament = make_tournament(
        count, system="knockout", rounds=count_knockout_rounds_needed(count, settings), settings=settings
    )
    for seed in range(played_rounds):
        tournament = enter_random_results(
            publish_proposal(tournament, propose_pairings(TournamentIndex(tournament), A)), Random(seed), draws=0
        )
    return tournament


@pytest.mark.parametrize("elimination", list(EliminationKind))
@pytest.mark.parametrize("count", [2, 5, 24, 70])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_bracket_report_names_each_player(elimination: EliminationKind, count: int, paper: str) -> None:
    tournament = make_cup(count, 1, elimination=elimination)
    bracket_text = " ".join(read_page_texts(tournament, paper=paper))
    assert [
        number for number in range(1, count + 1) if get_player(tournament, number).name not in bracket_text
    ] == []


def test_bracket_report_shows_known_players_and_open_matches() -> None:
    first_page = read_page_texts(make_cup(8, 1, third_place=True))[0]
    assert "Quarter-final 3 · round 1" in first_page
    assert "winner of semifinal 2" in first_page
    assert "loser of semifinal 1" in first_page
    assert "Match for third place · round 3" in first_page


def test_bracket_report_counts_games_won_in_a_series() -> None:
    tournament = make_cup(4, 2, series=3)
    assert "rounds 4–6" in read_page_texts(tournament)[0]


def test_bracket_report_splits_a_large_bracket() -> None:
    page_texts = read_page_texts(make_cup(70, 1))
    assert len(page_texts) == 5
    assert all(f"({number}/5)" in page for number, page in enumerate(page_texts, 1))
    assert all("Semifinal" not in page for page in page_texts[:-1])


@pytest.mark.parametrize("count", [24, 70])
@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
def test_bracket_report_is_landscape_and_ends_in_the_final(count: int, paper: str) -> None:
    content = draw_bracket(make_cup(count, 1, third_place=True), paper=paper)
    document = pypdfium2.PdfDocument(content)
    width, height = document[0].get_size()
    last_page = document[len(document) - 1].get_textpage().get_text_range()
    sizes = measure_font_sizes(document[0], "Player 1")

    assert width > height
    assert (len(document) == 1) is (count == 24)
    assert "Final · round" in last_page
    assert "Match for third place" in last_page
    assert "…" not in last_page
    assert sizes
    assert min(sizes) >= 7.99
    assert content.count(b"/S /LI ") == content.count(b"/S /LBody ") > count / 2


def measure_font_sizes(page: pypdfium2.PdfPage, text: str) -> list[float]:
    """Return the font sizes of a text, in points."""
    text_objects = page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_TEXT], textpage=page.get_textpage())
    return [
        text_object.get_font_size() * text_object.get_matrix().a
        for text_object in text_objects
        if text_object.extract() == text
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_bracket_report_without_a_knockout(language: str) -> None:
    assert len(read_page_texts(make_tournament(6), language=language)) == 1


def test_name_matches_beside_final_names_the_third_place_match() -> None:
    for played_rounds, note in ((2, ""), (3, "Table 2: Match for third place")):
        index = TournamentIndex(make_public_view(make_cup(8, played_rounds, third_place=True)))
        last_round = index.rounds(A)[-1]
        english = Catalogue("en", sample_tournament.LOCALE)
        for list_notes in (make_pairings_text_table, make_seats_text_table):
            assert note in list_notes(english, index, last_round).notes
        assert format_other_matches_in_final_round(english, index, last_round) == note
