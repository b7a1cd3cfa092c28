"""Contents of the hall screens: pages, names, hidden rounds, the bracket, the prize-giving."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.entries import PlayerEntry
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, Forfeit, NamesShown, Prize, PrizeId, PrizeKind
from tdapp.domain.pairing_settings import Elimination, PairingSettings
from tdapp.domain.tables.bracket import BracketTreePage
from tdapp.domain.text_characters import put_first_name_first
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.i18n.ceremony import ALL, AnnouncementGrouping, AwardSlide, CeremonyOptions
from tdapp.i18n.sheet_sentences import describe_public_check_progress
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
WORDS = Catalogue("en", RESOURCES / "locale")


def played(value: Tournament, rounds: int, *, leave: int = 0) -> Tournament:
    """The tournament with `rounds` published, with all results but the last `leave` ones."""
    for number in range(1, rounds + 1):
        value = commands.pair_round(value, key=f"r{number}", proposal=propose_pairings(Index(value), A))
        index = Index(value)
        games = index.games(index.published(A)[-1].id)
        for game in games if number < rounds else games[: len(games) - leave]:
            margin = (value.players[game.first].number * 37 + number * 11) % 97  # all spreads differ
            value = commands.enter_result(value, game=game.id, first=400 + game.table, second=399 - margin)
    return value


def shown(value: Tournament, view: DisplayView, **more: object) -> tuple[Slide, ...]:
    return make_slides(value, replace(DisplayProgramme(view), **more), WORDS)


def rows(found: tuple[Slide, ...]) -> list[tuple[str, ...]]:
    return [row for slide in found if isinstance(slide.body, SlideTable) for row in slide.body.rows]


@pytest.mark.parametrize(("asked", "note"), [(True, "1 of 4 checked"), (False, "")])
def test_describe_public_checking_counts_checked_results_if_the_next_round_waits(asked: bool, note: str) -> None:
    value = commands.set_check_first(played(make_tournament(players=8), 1, leave=1), check_first=asked)
    first = next(iter(value.results))
    before, value = value, commands.check_result(value, game=first)
    (slide,) = shown(value, DisplayView.TABLES)
    assert shown(before, DisplayView.TABLES)[0].key == slide.key  # the page stays
    assert note in slide.note
    assert ("checked" in slide.note) is asked
    index = Index(value)
    assert describe_public_check_progress(WORDS, index, index.published(A)[0]) == note
    assert (
        describe_public_check_progress(WORDS, Index(value.drop(*value.results.values())), index.published(A)[0])
        == ""
    )


# --- pages


@pytest.mark.parametrize(("count", "lines"), [(1, 8), (8, 8), (12, 12), (13, 8), (24, 12), (25, 9), (150, 12)])
def test_choose_line_count_returns_eight_to_twelve(count: int, lines: int) -> None:
    assert choose_lines_per_slide(count) == lines


def test_slides_show_150_tables_within_a_minute() -> None:
    found = shown(played(make_tournament(players=300), 1, leave=150), DisplayView.TABLES)
    assert len(found) * DisplayProgramme().seconds < 60
    assert isinstance(found[0].body, SlideTable)
    assert found[0].body.blocks == 2


@pytest.mark.parametrize("view", [DisplayView.TABLES, DisplayView.NAMES, DisplayView.STANDINGS])
def test_slides_show_all_of_300_players(view: DisplayView) -> None:
    value = played(make_tournament(players=300), 1)
    found = shown(value, view)
    assert [slide.page for slide in found] == list(range(1, found[0].pages + 1))
    assert len({slide.key for slide in found}) == len(found)
    for slide in found:
        assert isinstance(slide.body, SlideTable)
        assert 8 <= slide.body.rows_per_block <= 12
        assert len(slide.body.rows) <= slide.body.rows_per_block * slide.body.blocks
    text = "\n".join(map(describe_slide, found))
    assert all(player.name in text for player in value.players.values())


def test_pairing_slide_shows_starter_replier_and_score() -> None:
    value = played(make_tournament(players=8), 1, leave=2)
    found = shown(value, DisplayView.TABLES)
    assert found[0].title == "Round 1: pairings"
    assert isinstance(found[0].body, SlideTable)
    assert [column.heading for column in found[0].body.columns] == ["Table", "Starts", "", "Second"]
    assert [row[2] for row in rows(found)] == ["401 – 351", "402 – 314", "–", "–"]
    assert shown(played(make_tournament(players=8), 1), DisplayView.TABLES)[0].title == "Round 1: results"


@pytest.mark.parametrize(
    ("forfeit", "said"),
    [(Forfeit.FIRST, "forfeited –"), (Forfeit.SECOND, "– forfeited"), (Forfeit.BOTH, "– forfeited –")],
)
def test_pairing_slide_marks_a_forfeit_beside_the_loser(forfeit: Forfeit, said: str) -> None:
    value = played(make_tournament(players=8), 1, leave=1)
    game = Index(value).open_games(Index(value).published(A)[0].id)[0]
    value = commands.enter_result(value, game=game.id, forfeit=forfeit)
    row = next(row for row in rows(shown(value, DisplayView.TABLES)) if row[0] == str(game.table))
    assert row[2] == said


def test_pairing_slide_lists_a_bye_after_the_tables() -> None:
    value = played(make_tournament(players=5), 1)
    (alone,) = Index(value).byes(Index(value).published(A)[0].id)
    name = value.players[alone.player].name
    assert rows(shown(value, DisplayView.TABLES))[-1] == ("", name, "", WORDS.code(alone.kind))
    assert (name, WORDS.code(alone.kind)) in rows(shown(value, DisplayView.NAMES))


def test_seat_slide_sorts_names_as_the_language_does() -> None:
    value = played(make_tournament(players=24), 1)
    names = [row[0] for row in rows(shown(value, DisplayView.NAMES))]
    assert names == sorted(names, key=WORDS.make_sort_key)


def test_standings_slide_shows_the_deciding_columns() -> None:
    found = shown(played(make_tournament(players=8), 2), DisplayView.STANDINGS)
    assert found[0].title == "Standings after round 2"
    assert isinstance(found[0].body, SlideTable)
    assert [column.heading for column in found[0].body.columns] == ["Rank", "Name", "Wins", "Spread"]
    assert rows(found)[0][2] == "2"


def test_slides_show_several_divisions_in_turn_or_one() -> None:
    value = played(make_tournament(players=8), 1)
    value = commands.add_division(value, key=B, code="B")
    value = commands.add_stage(value, key="s2", division=B, system="swiss", rounds=3)
    entries = tuple(replace(make_entry(number), name=f"Second, {number}") for number in range(1, 5))
    value = commands.import_players(value, key="q", division=B, entries=entries)
    value = commands.pair_round(value, key="b1", proposal=propose_pairings(Index(value), B))
    both = shown(value, DisplayView.TABLES)
    assert [slide.note for slide in both] == ["Main · Open Leiden 2026", "Division B · Open Leiden 2026"]
    (one,) = shown(value, DisplayView.TABLES, division=B)
    assert one == both[1]


def test_make_slides_omits_empty_views_in_the_rotation() -> None:
    value = played(make_tournament(players=8), 1)
    turn = (DisplayView.TABLES, DisplayView.STANDINGS, DisplayView.BRACKET, DisplayView.CLOCK)
    found = make_slides(value, DisplayProgramme(None, turn), WORDS)
    assert [slide.view for slide in found] == [DisplayView.TABLES, DisplayView.STANDINGS, DisplayView.CLOCK]
    assert isinstance(found[-1].body, ClockSlide)


# --- empty tournaments


@pytest.mark.parametrize("view", list(DisplayView))
@pytest.mark.parametrize("language", LANGUAGES)
def test_make_slides_announces_the_next_event_of_an_empty_tournament(view: DisplayView, language: str) -> None:
    words = Catalogue(language, RESOURCES / "locale")
    bare = commands.new_tournament(key="t", name="Open Leiden 2026", ruleset=RULES)
    for value in (bare, make_tournament(players=0), make_tournament(players=1)):
        (only,) = make_slides(value, DisplayProgramme(view), words)
        assert isinstance(only.body, ClockSlide if view is DisplayView.CLOCK else SentenceSlide)
        assert describe_slide(only)


def test_make_slides_accepts_an_empty_rotation() -> None:
    (only,) = make_slides(make_tournament(players=4), DisplayProgramme(None, ()), WORDS)
    assert isinstance(only.body, SentenceSlide)


# --- what the room may not see


def test_make_slides_hides_an_unpublished_round() -> None:
    value = played(make_tournament(players=8), 1)
    draft = commands.propose_round(value, key="r2", proposal=propose_pairings(Index(value), A))
    assert len(Index(draft).rounds(A)) == 2
    for view in (DisplayView.TABLES, DisplayView.NAMES, DisplayView.STANDINGS):
        assert shown(draft, view) == shown(value, view)


def test_hold_standings_keeps_standings_and_results_on_slides() -> None:
    value = played(make_tournament(players=8), 3)
    held = commands.hold_standings(value, division=A, after=1)
    found = shown(held, DisplayView.STANDINGS)
    assert found[0].title == "Standings after round 1"
    assert {row[2] for row in rows(found)} == {"0", "1"}
    assert {row[2] for row in rows(shown(held, DisplayView.TABLES))} == {"–"}


def test_hold_standings_of_all_rounds_ranks_no_player_above_another() -> None:
    held = commands.hold_standings(played(make_tournament(players=8), 2), division=A, after=0)
    assert {row[2] for row in rows(shown(held, DisplayView.STANDINGS))} <= {"0", ""}


@pytest.mark.parametrize(
    "view", [DisplayView.TABLES, DisplayView.NAMES, DisplayView.STANDINGS, DisplayView.PRIZES]
)
def test_set_names_shown_applies_to_slides(view: DisplayView) -> None:
    value = commands.set_names_shown(played(make_tournament(players=8), 1), names=NamesShown.NUMBER)
    text = "\n".join(map(describe_slide, shown(value, view)))
    assert "#1" in text
    assert not [player.name for player in value.players.values() if player.name in text]


# --- the bracket


def knockout(players: int, *, rounds: int, form: Elimination = Elimination.SINGLE) -> Tournament:
    value = commands.new_tournament(key="t", name="Open Leiden 2026", ruleset=RULES)
    value = commands.add_division(value, key=A, code="A")
    settings = PairingSettings(elimination=form)
    value = commands.add_stage(value, key="s1", division=A, system="knockout", rounds=rounds, settings=settings)
    entries: tuple[PlayerEntry, ...] = tuple(make_entry(number) for number in range(1, players + 1))
    return commands.import_players(value, key="p", division=A, entries=entries)


def matches(found: tuple[Slide, ...]) -> set[str]:
    branches = [slide.body for slide in found if isinstance(slide.body, BracketTreePage)]
    return {match.box.key for branch in branches for match in branch.matches}


@pytest.mark.parametrize(("players", "pages"), [(4, 1), (8, 1), (16, 3), (32, 5)])
def test_bracket_slides_have_four_matches_each(players: int, pages: int) -> None:
    found = shown(knockout(players, rounds=5), DisplayView.BRACKET)
    assert len(found) == pages
    assert len(matches(found)) == players - 1
    for slide in found:
        assert isinstance(slide.body, BracketTreePage)
        assert slide.body.columns <= 3
        for column in range(slide.body.columns):
            middles = sorted(match.row for match in slide.body.matches if match.column == column)
            assert len(middles) <= 4
            assert all(0 < middle < slide.body.height for middle in middles)
            assert all(later - earlier > 0.2 * slide.body.height for earlier, later in pairwise(middles))


@pytest.mark.parametrize("form", list(Elimination))
def test_bracket_slides_show_every_form_of_a_knockout(form: Elimination) -> None:
    value = knockout(12, rounds=10, form=form)
    whole = matches(shown(value, DisplayView.BRACKET))
    value = played(value, 1)
    assert len(whole) >= 11
    assert matches(shown(value, DisplayView.BRACKET)) <= whole


def test_bracket_slides_omit_pages_with_finished_matches() -> None:
    value = knockout(16, rounds=4)
    assert len(shown(value, DisplayView.BRACKET)) == 3
    value = played(value, 3)
    (left,) = shown(value, DisplayView.BRACKET)
    assert isinstance(left.body, BracketTreePage)
    assert any(match.box.name.startswith("final") for match in left.body.matches)


def test_bracket_slides_of_a_finished_knockout_show_its_end() -> None:
    (left,) = shown(played(knockout(16, rounds=4), 4), DisplayView.BRACKET)
    assert isinstance(left.body, BracketTreePage)
    assert any(match.box.decided for match in left.body.matches if match.box.name == "final")


# --- the prize-giving


def told(value: Tournament, **wanted: object) -> list[AwardSlide]:
    """The texts of the changes, without the first, which has none."""
    ceremony = replace(CeremonyOptions(), **wanted)
    found = shown(value, DisplayView.PRIZES, ceremony=ceremony)
    assert isinstance(found[0].body, SentenceSlide)
    return [slide.body for slide in found if isinstance(slide.body, AwardSlide)]


def test_ceremony_announces_ranks_from_last_to_first() -> None:
    value = played(make_tournament(players=8), 3)
    order = [row[1] for row in rows(shown(value, DisplayView.STANDINGS))]
    steps = told(value, rank_count=ALL)
    assert [step.lines[0].names for step in steps] == [put_first_name_first(name) for name in reversed(order)]
    assert [step.lines[0].sign for step in steps] == ["8", "7", "6", "5", "4", "3", "2", "1"]
    assert [len(step.lines) for step in steps] == [1, 2, 3, 4, 5, 5, 5, 5]
    assert steps[3].lines[1:4] == tuple(step.lines[0] for step in reversed(steps[:3]))


def test_ceremony_explains_a_rank_decided_by_a_tie_break() -> None:
    steps = told(played(make_tournament(players=8), 3), rank_count=ALL)
    facts = [step.lines[0].facts for step in reversed(steps)]
    ranked = rows(shown(played(make_tournament(players=8), 3), DisplayView.STANDINGS))
    parted = [place for place, (one, other) in enumerate(pairwise(ranked)) if one[2] == other[2]]
    assert parted
    assert all((" against " in fact) is (place in parted) for place, fact in enumerate(facts))


def test_ceremony_begins_at_the_chosen_rank() -> None:
    steps = told(played(make_tournament(players=24), 2), rank_count=3)
    assert [step.lines[0].sign for step in steps] == ["3", "2", "1"]


def test_ceremony_announces_held_standings() -> None:
    value = played(make_tournament(players=8), 3)
    held = commands.hold_standings(value, division=A, after=0)
    assert told(held) == told(value)


def test_ceremony_of_a_class_has_ranks_of_its_own() -> None:
    value = played(make_tournament(players=8), 2)
    steps = told(value, category="B", rank_count=ALL)
    named = {step.lines[0].names for step in steps}
    players = [player for player in value.players.values() if player.category == "B"]
    assert named == {put_first_name_first(player.name) for player in players}
    assert [step.lines[0].sign for step in steps] == ["4", "3", "2", "1"]


def test_ceremony_announces_prizes_from_last_to_first() -> None:
    value = played(make_tournament(players=8), 3)
    add = partial(commands.add_prize, division=A)
    value = add(value, key="z1", kind=PrizeKind.RANK, place=1, amount=10_000)
    value = add(value, key="z2", kind=PrizeKind.RANK, place=2, text="a book")
    value = add(value, key="z3", kind=PrizeKind.HIGH_GAME, amount=2_500)
    steps = told(value, grouping=AnnouncementGrouping.PRIZES)
    assert [step.lines[0].sign for step in steps] == ["high game", "place 2", "place 1"]
    assert "a book" in steps[1].lines[0].facts
    assert "100.00" in steps[2].lines[0].facts
    places = told(value)
    assert "100.00" in places[-1].lines[0].facts
    assert "a book" in places[-2].lines[0].facts


def test_ceremony_has_public_photos_of_single_winners() -> None:
    value = played(make_tournament(players=8), 3)
    pictures = {key: f"/9j/{number:04}" for number, key in enumerate(value.players)}
    value = commands.set_photos(value, photos=tuple(pictures.items()))
    steps = told(value, rank_count=ALL)
    assert len({step.lines[0].photo for step in steps}) == 8
    hidden = commands.set_names_shown(value, details=False)
    assert {step.lines[0].photo for step in told(hidden, rank_count=ALL)} == {""}
    winner, division = next(iter(pictures)), next(iter(value.divisions))
    value = value.put(Prize(PrizeId("z"), division, 1, PrizeKind.HAND, text="a book", player=winner))
    (step,) = told(value, grouping=AnnouncementGrouping.PRIZES)
    assert step.lines[0].photo == "/9j/0000"


def test_ceremony_announces_the_winner_of_a_knockout() -> None:
    value = pair_rounds(make_event(4, rounds=2, system="knockout"), times=2)
    facts = [step.lines[0].facts for step in reversed(told(value, division=DIVISION, rank_count=ALL))]
    assert facts[:2] == ["won the knockout", "lost the final"]


def test_ceremony_of_place_prizes_omits_resistance_points() -> None:
    value = played(make_tournament(players=8), 3)
    value = commands.add_prize(value, key="z1", division=A, kind=PrizeKind.RANK, place=1, amount=10_000)
    (step,) = told(value, grouping=AnnouncementGrouping.PRIZES)
    assert step.lines[0].facts == "100.00 · 2–1, spread +183"


def test_ceremony_without_prizes_says_so() -> None:
    found = shown(
        played(make_tournament(players=4), 1),
        DisplayView.PRIZES,
        ceremony=CeremonyOptions(grouping=AnnouncementGrouping.PRIZES),
    )
    assert [slide.body for slide in found] == [SentenceSlide("There are no prizes.")]


def test_news_slide_shows_records_of_the_newest_round() -> None:
    value = played(make_tournament(players=8), 2, leave=1)
    (page,) = shown(value, DisplayView.NEWS)
    assert page.title == "News · Round 2"
    assert isinstance(page.body, SlideTable)
    assert {row[2] for row in page.body.rows} <= {"High game", "Biggest win", "High loss"}
    assert all(row[1] in {player.name for player in value.players.values()} for row in page.body.rows)
    held = commands.hold_standings(value, division=A, after=1)
    assert [one.title for one in shown(held, DisplayView.NEWS)] == ["News · Round 1"]


def test_news_slide_without_records_announces_them() -> None:
    (page,) = shown(make_tournament(players=8), DisplayView.NEWS)
    assert page.body == SentenceSlide("The news of the round will be shown here.")
