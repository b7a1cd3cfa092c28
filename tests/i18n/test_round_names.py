"""Tests of round names: future rounds, and rounds of several divisions."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tdapp.domain import commands
from tdapp.domain.impact import assess_impact
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Absence, AbsenceId, ByeKind, DivisionId, PlayerId
from tdapp.domain.paper import Printout, PrintoutId
from tdapp.domain.tables.news import list_division_news
from tdapp.gui.players.availability import describe_absence
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.impact_sentences import describe_impact
from tdapp.i18n.lists import make_best_games_text_table, make_news_text_table
from tdapp.i18n.phrases import format_round_and_table, format_round_in_divisions, format_round_number
from tdapp.reports.printed import describe_printout
from tests import building, clubs


def test_name_round_number_names_a_knockout_round_before_its_pairing() -> None:
    value, catalogue = building.make_event(8, rounds=3, system="knockout"), Catalogue("en", Path("nowhere"))
    index = TournamentIndex(value)

    assert [format_round_in_divisions(catalogue, index, index.divisions, number) for number in (1, 2, 3)] == [
        "Quarter-finals",
        "Semifinals",
        "Final",
    ]
    absence = Absence(AbsenceId("a"), PlayerId("p8"), 2, 2, ByeKind.ABSENT)
    assert describe_absence(absence, catalogue, index) == "Semifinals: absent"
    game = building.get_game_at(building.pair_rounds(value), 2)
    assert (
        format_round_and_table(catalogue, TournamentIndex(building.pair_rounds(value)), game)
        == "Quarter-finals, table 2"
    )


def test_name_round_number_returns_the_number_if_divisions_differ() -> None:
    value, catalogue = building.make_event(8, rounds=3, system="knockout"), Catalogue("en", Path("nowhere"))
    value = commands.add_division(value, key=DivisionId("b"), code="B")
    value = commands.add_stage(value, key="s2", division=DivisionId("b"), system="swiss", rounds=3)
    index = TournamentIndex(value)

    assert format_round_in_divisions(catalogue, index, index.divisions, 2) == "Round 2"
    assert format_round_in_divisions(catalogue, index, index.divisions[:1], 2) == "Semifinals"


def test_describe_step_names_a_knockout_round() -> None:
    desk, catalogue = (
        building.make_desk(building.make_event(4, rounds=2, system="knockout")),
        Catalogue("en", Path("nowhere")),
    )
    building.pair_next(desk)
    assert (
        catalogue.describe_step(desk.list_all_steps()[0].label, desk.list_all_steps()[0].facts)
        == "Semifinals paired and published"
    )
    swiss_desk = building.make_desk(building.make_event(4))
    building.pair_next(swiss_desk)
    assert (
        catalogue.describe_step(swiss_desk.list_all_steps()[0].label, swiss_desk.list_all_steps()[0].facts)
        == "Round 1 paired and published"
    )


def test_describe_impact_names_the_games_of_an_earlier_evening() -> None:
    """The standings of other evenings do not depend on the result."""
    value, catalogue = clubs.play_two_evenings(), Catalogue("en", Path("nowhere"))
    index = TournamentIndex(value)
    game = index.get_game(index.rounds(building.DIVISION)[1].id, 1)
    result = value.results[game.id]
    after = commands.enter_result(value, game=game.id, first=result.second, second=result.first)
    impact = assess_impact(index, after, building.DIVISION)

    assert (impact.last_round, impact.is_running) == (2, False)
    assert [(paper.report, paper.rounds) for paper in impact.stale_printouts] == [
        ("standings", (2,)),
        ("pairings-by-table", (2,)),
    ]
    printouts = [
        Printout(PrintoutId(report), report, building.DIVISION, round=2, at="", content="", results=results)
        for report, results in (("standings", False), ("pairings-by-table", True))
    ]
    index = TournamentIndex(value.put(*printouts))
    winner, ranks, papers = describe_impact(impact, index, catalogue)
    assert winner.startswith("1 September 2026: Game 2, table 1: ")
    assert ranks.startswith("New ranks, 1 September 2026: Game 2: ")
    assert papers.endswith(": Standings, 1 September 2026: Game 2; Results by table, 1 September 2026: Game 2")


def test_describe_printout_dates_the_game_of_an_earlier_evening() -> None:
    index, catalogue = TournamentIndex(clubs.play_two_evenings()), Catalogue("en", Path("nowhere"))
    printouts = [
        Printout(PrintoutId("a"), "standings", building.DIVISION, round=number, at="", content="")
        for number in (2, 3)
    ]
    assert [describe_printout(printout, catalogue, index) for printout in printouts] == [
        "Standings, 1 September 2026: Game 2",
        "Standings, Game 1",
    ]


def test_describe_step_counts_the_games_of_an_evening() -> None:
    desk, catalogue = building.make_desk(clubs.play_two_evenings()), Catalogue("en", Path("nowhere"))
    game = desk.index.get_game(desk.index.rounds(building.DIVISION)[-1].id, 1)
    for points in (400, 410):
        desk.do(partial(commands.enter_result, game=game.id, first=points, second=300))
    step = desk.list_all_steps()[-1]
    assert catalogue.describe_step(step.label, step.facts) == "Round 1, table 1: result changed, 400–300 → 410–300"


def test_list_news_table_and_list_best_games_count_the_games_of_each_evening() -> None:
    value, catalogue = building.enter_results(clubs.play_two_evenings()), Catalogue("en", Path("nowhere"))
    index = TournamentIndex(value)
    division = index.divisions[0]
    assert [format_round_number(catalogue, index, division.id, number) for number in (2, 3)] == [
        "2 (1 Sept 2026)",
        "1",
    ]
    news = make_news_text_table(catalogue, index, list_division_news(index, division))
    rounds, _, _, details, *_ = news.columns
    assert {cell.partition(" ")[2] for cell in rounds.cells} <= {"", "(1 Sept 2026)"}
    assert not any("round 3" in cell for cell in details.cells)
    best_games = make_best_games_text_table(catalogue, index, division, 3)
    assert "round 3" not in str(best_games)
    assert "round 1 (1 Sept 2026)" in str(best_games)
