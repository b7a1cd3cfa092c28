"""The papers of prizes, teams and ratings, and the standings of a class."""

from __future__ import annotations

from datetime import datetime

import pypdfium2
import pytest
from msgspec.structs import replace

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
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


def text_of(
    report: str,
    value: Tournament,
    *,
    language: str = "en",
    category: str = "",
    best: int | None = None,
    systems: dict[str, RatingSystem] | None = None,
) -> str:
    index = Index(value)
    made = ReportContext(
        index=index,
        divisions=index.divisions,
        catalogue=Catalogue(language, sample_tournament.LOCALE),
        style=load_style(sample_tournament.FONTS),
        printed_at=datetime(2026, 11, 21, 14, 5),
        category=category,
        counting_members=best,
        rating_systems=SYSTEMS if systems is None else systems,
    )
    pages = pypdfium2.PdfDocument(render_report(report, made))
    return " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in pages)


def with_prizes(value: Tournament, *prizes: tuple[PrizeKind, int, int, str]) -> Tournament:
    division = DivisionId("d")
    made = [
        Prize(PrizeId(f"z{position}"), division, position, kind, place, category, amount)
        for position, (kind, place, amount, category) in enumerate(prizes, 1)
    ]
    return value.put(*made)


def test_prize_report_has_share_and_reason_of_each_winner() -> None:
    value = with_prizes(play_rounds(*EQUAL), (PrizeKind.RANK, 1, 10000, ""), (PrizeKind.RANK, 2, 5001, ""))
    said = text_of("prizes", value)
    for part in ("place 1", "100.00", "50.01", "P1", "P4", "25.00", "4 players share 150.01"):
        assert part in said
    assert said.startswith("Prizes after round 1 ")
    assert said.count("4 players share 150.01") == 2  # once for each prize


def test_prize_report_lists_a_prize_without_winner() -> None:
    said = text_of("prizes", with_prizes(play_rounds(*EQUAL), (PrizeKind.HIGH_LOSS, 2, 500, "B")))
    assert "B: high loss 2" in said
    assert "No player yet" in said


def test_prize_report_without_prizes() -> None:
    assert "There are no prizes." in text_of("prizes", play_rounds(*EQUAL))


def test_team_report_names_the_number_of_counting_players() -> None:
    value = set_player_fields(play_rounds(*EQUAL), team=["Reds", "Reds", "Blues", ""])
    assert "the best player of each team counts" in text_of("teams", value, best=1)
    assert "Reds" in text_of("teams", value)
    assert "No player is in a team." in text_of("teams", play_rounds(*EQUAL))


def test_rating_report_expected_wins_have_two_decimals() -> None:
    value = play_rounds(*EQUAL)
    value = value.put(*(replace(player, rating=1500) for player in value.players.values()))
    assert "0.50" in text_of("ratings", value)


def test_rating_report_names_the_system() -> None:
    value = play_rounds(*EQUAL)
    said = text_of("ratings", value)
    assert "Elo" in said
    assert "Performance" in said
    chosen = value.put(replace(value.divisions[DivisionId("d")], rating="deu"))
    assert "Scrabble Deutschland" in text_of("ratings", chosen)
    with pytest.raises(RuleViolation, match="no-such-rating"):
        text_of("ratings", chosen, systems={})


def test_standings_report_of_a_category() -> None:
    value = set_player_fields(play_rounds(*EQUAL), category=["A", "B", "B", "A"])
    said = text_of("standings", value, category="B")
    assert "category B" in said
    assert "P2" in said
    assert "P1" not in said


@pytest.mark.parametrize("language", ["en", "nl", "nb", "de"])
@pytest.mark.parametrize("report", ["prizes", "teams", "ratings"])
def test_award_reports_in_each_language(report: str, language: str) -> None:
    value = with_prizes(play_rounds(*EQUAL), *((kind, 1, 100, "B") for kind in PrizeKind))
    assert "{" not in text_of(report, value, language=language)
