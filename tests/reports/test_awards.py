"""Tests of the reports of prizes, teams and ratings, and of category standings."""

from __future__ import annotations

from datetime import datetime

import pypdfium2
import pytest
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, Prize, PrizeId, PrizeKind
from tdapp.domain.ratings import RatingSystem
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_rating_systems
from tdapp.i18n import Catalogue
from tdapp.reports import ReportContext, load_style, render_report
from tests.building import RESOURCES
from tests.domain.results import play_rounds, set_player_fields
from tests.reports import sample_tournament

SYSTEMS = read_rating_systems(RESOURCES / "ratings")
EQUAL = (((1, 400, 2, 400), (3, 400, 4, 400)),)


def render_text(
    report: str,
    value: Tournament,
    *,
    language: str = "en",
    category: str = "",
    best: int | None = None,
    systems: dict[str, RatingSystem] | None = None,
) -> str:
    index = TournamentIndex(value)
    context = ReportContext(
        index=index,
        divisions=index.divisions,
        catalogue=Catalogue(language, sample_tournament.LOCALE),
        style=load_style(sample_tournament.FONTS),
        printed_at=datetime(2026, 11, 21, 14, 5),
        category=category,
        counting_members=best,
        rating_systems=SYSTEMS if systems is None else systems,
    )
    pages = pypdfium2.PdfDocument(render_report(report, context))
    return " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in pages)


def add_prizes(value: Tournament, *prizes: tuple[PrizeKind, int, int, str]) -> Tournament:
    division = DivisionId("d")
    prizes_to_add = [
        Prize(PrizeId(f"z{position}"), division, position, kind, rank, category, amount)
        for position, (kind, rank, amount, category) in enumerate(prizes, 1)
    ]
    return value.put(*prizes_to_add)


def test_prize_report_has_share_and_reason_of_each_winner() -> None:
    value = add_prizes(play_rounds(*EQUAL), (PrizeKind.RANK, 1, 10000, ""), (PrizeKind.RANK, 2, 5001, ""))
    report_text = render_text("prizes", value)
    for part in ("place 1", "100.00", "50.01", "P1", "P4", "25.00", "4 players share 150.01"):
        assert part in report_text
    assert report_text.startswith("Prizes after round 1 ")
    assert report_text.count("4 players share 150.01") == 2  # once for each prize


def test_prize_report_lists_a_prize_without_winner() -> None:
    report_text = render_text("prizes", add_prizes(play_rounds(*EQUAL), (PrizeKind.HIGH_LOSS, 2, 500, "B")))
    assert "B: high loss 2" in report_text
    assert "No player yet" in report_text


def test_prize_report_without_prizes() -> None:
    assert "There are no prizes." in render_text("prizes", play_rounds(*EQUAL))


def test_team_report_names_the_number_of_counting_players() -> None:
    value = set_player_fields(play_rounds(*EQUAL), team=["Reds", "Reds", "Blues", ""])
    assert "the best player of each team counts" in render_text("teams", value, best=1)
    assert "Reds" in render_text("teams", value)
    assert "No player is in a team." in render_text("teams", play_rounds(*EQUAL))


def test_rating_report_expected_wins_have_two_decimals() -> None:
    value = play_rounds(*EQUAL)
    value = value.put(*(replace(player, rating=1500) for player in value.players.values()))
    assert "0.50" in render_text("ratings", value)


def test_rating_report_names_the_system() -> None:
    value = play_rounds(*EQUAL)
    report_text = render_text("ratings", value)
    assert "Elo" in report_text
    assert "Performance" in report_text
    tournament_with_rating = value.put(replace(value.divisions[DivisionId("d")], rating="deu"))
    assert "Scrabble Deutschland" in render_text("ratings", tournament_with_rating)
    with pytest.raises(CommandError, match="no-such-rating"):
        render_text("ratings", tournament_with_rating, systems={})


def test_standings_report_of_a_category() -> None:
    value = set_player_fields(play_rounds(*EQUAL), category=["A", "B", "B", "A"])
    report_text = render_text("standings", value, category="B")
    assert "category B" in report_text
    assert "P2" in report_text
    assert "P1" not in report_text


@pytest.mark.parametrize("language", ["en", "nl", "nb", "de"])
@pytest.mark.parametrize("report", ["prizes", "teams", "ratings"])
def test_award_reports_in_each_language(report: str, language: str) -> None:
    value = add_prizes(play_rounds(*EQUAL), *((kind, 1, 100, "B") for kind in PrizeKind))
    assert "{" not in render_text(report, value, language=language)
