"""Tests of the hall screens: pages, names, hidden rounds, the bracket and the prize-giving."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.entries import PlayerEntry
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, GameSide, Prize, PrizeId, PrizeKind, PublicNameFormat
from tdapp.domain.pairing_settings import EliminationKind, PairingSettings
from tdapp.domain.tables.bracket import BracketTreePage
from tdapp.domain.text_characters import put_first_name_first
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.i18n.ceremony import ALL, AnnouncementGrouping, AwardSlide, CeremonyOptions
from tdapp.i18n.sheet_sentences import describe_check_progress_for_public
from tdapp.i18n.slides import (
    ClockSlide,
    DisplayProgramme,
    DisplayView,
    SentenceSlide,
    Slide,
    SlideTable,
    choose_lines_per_slide,
    describe_slide,
    make_slides,
)
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, make_event, pair_rounds
from tests.gui.samples import RESOURCES, RULES, A, make_entry, make_tournament

B = DivisionId("d2")
CATALOGUE = Catalogue("en", RESOURCES / "locale")


def play_rounds(value: Tournament, rounds: int, *, open_games: int = 0) -> Tournament:
    """Return the tournament after `rounds` published rounds. The last `open_games` games have no result."""
    for number in range(1, rounds + 1):
        value = commands.pair_round(value, key=f"r{number}", proposal=propose_pairings(TournamentIndex(value), A))
        index = TournamentIndex(value)
        games = index.games(index.list_published_rounds(A)[-1].id)
        for game in games if number < rounds else games[: len(games) - open_games]:
            margin = (value.players[game.first].number * 37 + number * 11) % 97  # all spreads differ
            value = commands.enter_result(value, game=game.id, first=400 + game.table, second=399 - margin)
    return value


def make_view_slides(value: Tournament, view: DisplayView, **programme_settings: object) -> tuple[Slide, ...]:
    return make_slides(value, replace(DisplayProgramme(view), **programme_settings), CATALOGUE)


def list_slide_rows(slides: tuple[Slide, ...]) -> list[tuple[str, ...]]:
    return [row for slide in slides if isinstance(slide.body, SlideTable) for row in slide.body.rows]


@pytest.mark.parametrize(("check_first", "note"), [(True, "1 of 4 checked"), (False, "")])
def test_describe_public_check_progress_counts_checked_results_if_the_next_round_waits(
    check_first: bool, note: str
) -> None:
    value = commands.set_check_first(
        play_rounds(make_tournament(players=8), 1, open_games=1), check_first=check_first
    )
    first = next(iter(value.results))
    before, value = value, commands.check_result(value, game=first)
    (slide,) = make_view_slides(value, DisplayView.TABLES)
    assert make_view_slides(before, DisplayView.TABLES)[0].key == slide.key  # the slide stays
    assert note in slide.note
    assert ("checked" in slide.note) is check_first
    index = TournamentIndex(value)
    assert describe_check_progress_for_public(CATALOGUE, index, index.list_published_rounds(A)[0]) == note
    assert (
        describe_check_progress_for_public(
            CATALOGUE, TournamentIndex(value.drop(*value.results.values())), index.list_published_rounds(A)[0]
        )
        == ""
    )


# --- pages


@pytest.mark.parametrize(("count", "lines"), [(1, 8), (8, 8), (12, 12), (13, 8), (24, 12), (25, 9), (150, 12)])
def test_choose_lines_per_slide_returns_eight_to_twelve(count: int, lines: int) -> None:
    assert choose_lines_per_slide(count) == lines


def test_slides_show_150_tables_within_a_minute() -> None:
    slides = make_view_slides(play_rounds(make_tournament(players=300), 1, open_games=150), DisplayView.TABLES)
    assert len(slides) * DisplayProgramme().seconds < 60
    assert isinstance(slides[0].body, SlideTable)
    assert slides[0].body.blocks == 2


@pytest.mark.parametrize("view", [DisplayView.TABLES, DisplayView.NAMES, DisplayView.STANDINGS])
def test_slides_show_all_of_300_players(view: DisplayView) -> None:
    value = play_rounds(make_tournament(players=300), 1)
    slides = make_view_slides(value, view)
    assert [slide.page for slide in slides] == list(range(1, slides[0].pages + 1))
    assert len({slide.key for slide in slides}) == len(slides)
    for slide in slides:
        assert isinstance(slide.body, SlideTable)
        assert 8 <= slide.body.rows_per_block <= 12
        assert len(slide.body.rows) <= slide.body.rows_per_block * slide.body.blocks
    text = "\n".join(map(describe_slide, slides))
    assert all(player.name in text for player in value.players.values())


def test_pairing_slide_shows_starter_replier_and_score() -> None:
    value = play_rounds(make_tournament(players=8), 1, open_games=2)
    slides = make_view_slides(value, DisplayView.TABLES)
    assert slides[0].title == "Round 1: pairings"
    assert isinstance(slides[0].body, SlideTable)
    assert [column.heading for column in slides[0].body.columns] == ["Table", "Starts", "", "Second"]
    assert [row[2] for row in list_slide_rows(slides)] == ["401 – 351", "402 – 314", "–", "–"]
    assert (
        make_view_slides(play_rounds(make_tournament(players=8), 1), DisplayView.TABLES)[0].title
        == "Round 1: results"
    )


@pytest.mark.parametrize(
    ("forfeit", "expected"),
    [(GameSide.FIRST, "forfeited –"), (GameSide.SECOND, "– forfeited"), (GameSide.BOTH, "– forfeited –")],
)
def test_pairing_slide_marks_a_forfeit_beside_the_loser(forfeit: GameSide, expected: str) -> None:
    value = play_rounds(make_tournament(players=8), 1, open_games=1)
    game = TournamentIndex(value).list_open_games(TournamentIndex(value).list_published_rounds(A)[0].id)[0]
    value = commands.enter_result(value, game=game.id, forfeit=forfeit)
    row = next(
        row for row in list_slide_rows(make_view_slides(value, DisplayView.TABLES)) if row[0] == str(game.table)
    )
    assert row[2] == expected


def test_pairing_slide_lists_a_bye_after_the_tables() -> None:
    value = play_rounds(make_tournament(players=5), 1)
    (bye,) = TournamentIndex(value).byes(TournamentIndex(value).list_published_rounds(A)[0].id)
    name = value.players[bye.player].name
    assert list_slide_rows(make_view_slides(value, DisplayView.TABLES))[-1] == (
        "",
        name,
        "",
        CATALOGUE.translate_code(bye.kind),
    )
    assert (name, CATALOGUE.translate_code(bye.kind)) in list_slide_rows(
        make_view_slides(value, DisplayView.NAMES)
    )


def test_seat_slide_sorts_names_as_the_language_does() -> None:
    value = play_rounds(make_tournament(players=24), 1)
    names = [row[0] for row in list_slide_rows(make_view_slides(value, DisplayView.NAMES))]
    assert names == sorted(names, key=CATALOGUE.make_sort_key)


def test_standings_slide_shows_the_deciding_columns() -> None:
    slides = make_view_slides(play_rounds(make_tournament(players=8), 2), DisplayView.STANDINGS)
    assert slides[0].title == "Standings after round 2"
    assert isinstance(slides[0].body, SlideTable)
    assert [column.heading for column in slides[0].body.columns] == ["Rank", "Name", "Wins", "Spread"]
    assert list_slide_rows(slides)[0][2] == "2"


def test_slides_show_several_divisions_in_turn_or_one() -> None:
    value = play_rounds(make_tournament(players=8), 1)
    value = commands.add_division(value, key=B, code="B")
    value = commands.add_stage(value, key="s2", division=B, system="swiss", rounds=3)
    entries = tuple(replace(make_entry(number), name=f"Second, {number}") for number in range(1, 5))
    value = commands.import_players(value, key="q", division=B, entries=entries)
    value = commands.pair_round(value, key="b1", proposal=propose_pairings(TournamentIndex(value), B))
    slides = make_view_slides(value, DisplayView.TABLES)
    assert [slide.note for slide in slides] == ["Main · Open Leiden 2026", "Division B · Open Leiden 2026"]
    (slide_of_b,) = make_view_slides(value, DisplayView.TABLES, division=B)
    assert slide_of_b == slides[1]


def test_make_slides_omits_empty_views_in_the_rotation() -> None:
    value = play_rounds(make_tournament(players=8), 1)
    turn = (DisplayView.TABLES, DisplayView.STANDINGS, DisplayView.BRACKET, DisplayView.CLOCK)
    slides = make_slides(value, DisplayProgramme(None, turn), CATALOGUE)
    assert [slide.view for slide in slides] == [DisplayView.TABLES, DisplayView.STANDINGS, DisplayView.CLOCK]
    assert isinstance(slides[-1].body, ClockSlide)


# --- empty tournaments


@pytest.mark.parametrize("view", list(DisplayView))
@pytest.mark.parametrize("language", LANGUAGES)
def test_make_slides_announces_the_next_event_of_an_empty_tournament(view: DisplayView, language: str) -> None:
    catalogue = Catalogue(language, RESOURCES / "locale")
    without_divisions = commands.new_tournament(key="t", name="Open Leiden 2026", ruleset=RULES)
    for value in (without_divisions, make_tournament(players=0), make_tournament(players=1)):
        (slide,) = make_slides(value, DisplayProgramme(view), catalogue)
        assert isinstance(slide.body, ClockSlide if view is DisplayView.CLOCK else SentenceSlide)
        assert describe_slide(slide)


def test_make_slides_accepts_an_empty_rotation() -> None:
    (slide,) = make_slides(make_tournament(players=4), DisplayProgramme(None, ()), CATALOGUE)
    assert isinstance(slide.body, SentenceSlide)


# --- hidden rounds, standings and names


def test_make_slides_hides_an_unpublished_round() -> None:
    value = play_rounds(make_tournament(players=8), 1)
    draft = commands.propose_round(value, key="r2", proposal=propose_pairings(TournamentIndex(value), A))
    assert len(TournamentIndex(draft).rounds(A)) == 2
    for view in (DisplayView.TABLES, DisplayView.NAMES, DisplayView.STANDINGS):
        assert make_view_slides(draft, view) == make_view_slides(value, view)


def test_hold_standings_keeps_standings_and_results_on_slides() -> None:
    value = play_rounds(make_tournament(players=8), 3)
    with_held_standings = commands.hold_standings(value, division=A, after=1)
    slides = make_view_slides(with_held_standings, DisplayView.STANDINGS)
    assert slides[0].title == "Standings after round 1"
    assert {row[2] for row in list_slide_rows(slides)} == {"0", "1"}
    assert {row[2] for row in list_slide_rows(make_view_slides(with_held_standings, DisplayView.TABLES))} == {"–"}


def test_hold_standings_of_all_rounds_ranks_no_player_above_another() -> None:
    with_held_standings = commands.hold_standings(play_rounds(make_tournament(players=8), 2), division=A, after=0)
    assert {row[2] for row in list_slide_rows(make_view_slides(with_held_standings, DisplayView.STANDINGS))} <= {
        "0",
        "",
    }


@pytest.mark.parametrize(
    "view", [DisplayView.TABLES, DisplayView.NAMES, DisplayView.STANDINGS, DisplayView.PRIZES]
)
def test_set_names_shown_applies_to_slides(view: DisplayView) -> None:
    value = commands.set_names_shown(play_rounds(make_tournament(players=8), 1), names=PublicNameFormat.NUMBER)
    text = "\n".join(map(describe_slide, make_view_slides(value, view)))
    assert "#1" in text
    assert not [player.name for player in value.players.values() if player.name in text]


# --- the bracket


def make_knockout(players: int, *, rounds: int, form: EliminationKind = EliminationKind.SINGLE) -> Tournament:
    value = commands.new_tournament(key="t", name="Open Leiden 2026", ruleset=RULES)
    value = commands.add_division(value, key=A, code="A")
    settings = PairingSettings(elimination=form)
    value = commands.add_stage(value, key="s1", division=A, system="knockout", rounds=rounds, settings=settings)
    entries: tuple[PlayerEntry, ...] = tuple(make_entry(number) for number in range(1, players + 1))
    return commands.import_players(value, key="p", division=A, entries=entries)


def list_match_keys(slides: tuple[Slide, ...]) -> set[str]:
    branches = [slide.body for slide in slides if isinstance(slide.body, BracketTreePage)]
    return {match.box.key for branch in branches for match in branch.matches}


@pytest.mark.parametrize(("players", "pages"), [(4, 1), (8, 1), (16, 3), (32, 5)])
def test_bracket_slides_have_four_matches_each(players: int, pages: int) -> None:
    slides = make_view_slides(make_knockout(players, rounds=5), DisplayView.BRACKET)
    assert len(slides) == pages
    assert len(list_match_keys(slides)) == players - 1
    for slide in slides:
        assert isinstance(slide.body, BracketTreePage)
        assert slide.body.columns <= 3
        for column in range(slide.body.columns):
            middles = sorted(match.row for match in slide.body.matches if match.column == column)
            assert len(middles) <= 4
            assert all(0 < middle < slide.body.height for middle in middles)
            assert all(later - earlier > 0.2 * slide.body.height for earlier, later in pairwise(middles))


@pytest.mark.parametrize("form", list(EliminationKind))
def test_bracket_slides_show_every_form_of_a_knockout(form: EliminationKind) -> None:
    value = make_knockout(12, rounds=10, form=form)
    all_keys = list_match_keys(make_view_slides(value, DisplayView.BRACKET))
    value = play_rounds(value, 1)
    assert len(all_keys) >= 11
    assert list_match_keys(make_view_slides(value, DisplayView.BRACKET)) <= all_keys


def test_bracket_slides_omit_pages_with_finished_matches() -> None:
    value = make_knockout(16, rounds=4)
    assert len(make_view_slides(value, DisplayView.BRACKET)) == 3
    value = play_rounds(value, 3)
    (slide,) = make_view_slides(value, DisplayView.BRACKET)
    assert isinstance(slide.body, BracketTreePage)
    assert any(match.box.name.startswith("final") for match in slide.body.matches)


def test_bracket_slides_of_a_finished_knockout_show_its_end() -> None:
    (slide,) = make_view_slides(play_rounds(make_knockout(16, rounds=4), 4), DisplayView.BRACKET)
    assert isinstance(slide.body, BracketTreePage)
    assert any(match.box.decided for match in slide.body.matches if match.box.name == "final")


# --- the prize-giving


def list_award_slides(value: Tournament, **options: object) -> list[AwardSlide]:
    """Return the award slides, without the title slide."""
    ceremony = replace(CeremonyOptions(), **options)
    slides = make_view_slides(value, DisplayView.PRIZES, ceremony=ceremony)
    assert isinstance(slides[0].body, SentenceSlide)
    return [slide.body for slide in slides if isinstance(slide.body, AwardSlide)]


def test_ceremony_announces_ranks_from_last_to_first() -> None:
    value = play_rounds(make_tournament(players=8), 3)
    order = [row[1] for row in list_slide_rows(make_view_slides(value, DisplayView.STANDINGS))]
    steps = list_award_slides(value, rank_count=ALL)
    assert [step.lines[0].names for step in steps] == [put_first_name_first(name) for name in reversed(order)]
    assert [step.lines[0].sign for step in steps] == ["8", "7", "6", "5", "4", "3", "2", "1"]
    assert [len(step.lines) for step in steps] == [1, 2, 3, 4, 5, 5, 5, 5]
    assert steps[3].lines[1:4] == tuple(step.lines[0] for step in reversed(steps[:3]))


def test_ceremony_explains_a_rank_decided_by_a_tie_break() -> None:
    steps = list_award_slides(play_rounds(make_tournament(players=8), 3), rank_count=ALL)
    facts = [step.lines[0].facts for step in reversed(steps)]
    ranked = list_slide_rows(make_view_slides(play_rounds(make_tournament(players=8), 3), DisplayView.STANDINGS))
    tied_ranks = [rank for rank, (row, next_row) in enumerate(pairwise(ranked)) if row[2] == next_row[2]]
    assert tied_ranks
    assert all((" against " in fact) is (rank in tied_ranks) for rank, fact in enumerate(facts))


def test_ceremony_begins_at_the_chosen_rank() -> None:
    steps = list_award_slides(play_rounds(make_tournament(players=24), 2), rank_count=3)
    assert [step.lines[0].sign for step in steps] == ["3", "2", "1"]


def test_ceremony_announces_held_standings() -> None:
    value = play_rounds(make_tournament(players=8), 3)
    with_held_standings = commands.hold_standings(value, division=A, after=0)
    assert list_award_slides(with_held_standings) == list_award_slides(value)


def test_ceremony_of_a_class_has_ranks_of_its_own() -> None:
    value = play_rounds(make_tournament(players=8), 2)
    steps = list_award_slides(value, category="B", rank_count=ALL)
    names = {step.lines[0].names for step in steps}
    players = [player for player in value.players.values() if player.category == "B"]
    assert names == {put_first_name_first(player.name) for player in players}
    assert [step.lines[0].sign for step in steps] == ["4", "3", "2", "1"]


def test_ceremony_announces_prizes_from_last_to_first() -> None:
    value = play_rounds(make_tournament(players=8), 3)
    add = partial(commands.add_prize, division=A)
    value = add(value, key="z1", kind=PrizeKind.RANK, place=1, amount=10_000)
    value = add(value, key="z2", kind=PrizeKind.RANK, place=2, text="a book")
    value = add(value, key="z3", kind=PrizeKind.HIGH_GAME, amount=2_500)
    steps = list_award_slides(value, grouping=AnnouncementGrouping.PRIZES)
    assert [step.lines[0].sign for step in steps] == ["high game", "place 2", "place 1"]
    assert "a book" in steps[1].lines[0].facts
    assert "100.00" in steps[2].lines[0].facts
    places = list_award_slides(value)
    assert "100.00" in places[-1].lines[0].facts
    assert "a book" in places[-2].lines[0].facts


def test_ceremony_has_public_photos_of_single_winners() -> None:
    value = play_rounds(make_tournament(players=8), 3)
    pictures = {key: f"/9j/{number:04}" for number, key in enumerate(value.players)}
    value = commands.set_photos(value, photos=tuple(pictures.items()))
    steps = list_award_slides(value, rank_count=ALL)
    assert len({step.lines[0].photo for step in steps}) == 8
    hidden = commands.set_names_shown(value, details=False)
    assert {step.lines[0].photo for step in list_award_slides(hidden, rank_count=ALL)} == {""}
    winner, division = next(iter(pictures)), next(iter(value.divisions))
    value = value.put(Prize(PrizeId("z"), division, 1, PrizeKind.HAND, text="a book", player=winner))
    (step,) = list_award_slides(value, grouping=AnnouncementGrouping.PRIZES)
    assert step.lines[0].photo == "/9j/0000"


def test_ceremony_announces_the_winner_of_a_knockout() -> None:
    value = pair_rounds(make_event(4, rounds=2, system="knockout"), times=2)
    facts = [step.lines[0].facts for step in reversed(list_award_slides(value, division=DIVISION, rank_count=ALL))]
    assert facts[:2] == ["won the knockout", "lost the final"]


def test_ceremony_of_place_prizes_omits_resistance_points() -> None:
    value = play_rounds(make_tournament(players=8), 3)
    value = commands.add_prize(value, key="z1", division=A, kind=PrizeKind.RANK, place=1, amount=10_000)
    (step,) = list_award_slides(value, grouping=AnnouncementGrouping.PRIZES)
    assert step.lines[0].facts == "100.00 · 2–1, spread +183"


def test_ceremony_without_prizes_says_so() -> None:
    slides = make_view_slides(
        play_rounds(make_tournament(players=4), 1),
        DisplayView.PRIZES,
        ceremony=CeremonyOptions(grouping=AnnouncementGrouping.PRIZES),
    )
    assert [slide.body for slide in slides] == [SentenceSlide("There are no prizes.")]


def test_news_slide_shows_records_of_the_newest_round() -> None:
    value = play_rounds(make_tournament(players=8), 2, open_games=1)
    (slide,) = make_view_slides(value, DisplayView.NEWS)
    assert slide.title == "News · Round 2"
    assert isinstance(slide.body, SlideTable)
    assert {row[2] for row in slide.body.rows} <= {"High game", "Biggest win", "High loss"}
    assert all(row[1] in {player.name for player in value.players.values()} for row in slide.body.rows)
    with_held_standings = commands.hold_standings(value, division=A, after=1)
    assert [news_slide.title for news_slide in make_view_slides(with_held_standings, DisplayView.NEWS)] == [
        "News · Round 1"
    ]


def test_news_slide_without_records_announces_them() -> None:
    (slide,) = make_view_slides(make_tournament(players=8), DisplayView.NEWS)
    assert slide.body == SentenceSlide("The round news will be shown here.")
