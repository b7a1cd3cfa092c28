"""Tests of copied events of other files in a season."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.event_copies import CopiedPlayer, EventToCopy, list_events_to_copy
from tdapp.domain.impact import find_season_rank_changes
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Bye, ByeId, ByeKind, CopiedGame, DivisionId, PlayerId, PublicNameFormat
from tdapp.domain.persons import find_same_person_questions, is_similar_name
from tdapp.domain.problems import find_division_problems
from tdapp.domain.publishing import make_public_view
from tdapp.domain.ruleset import Outcome
from tdapp.domain.season_ratings import list_rated_events
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.seasons import list_results_needed_by_player, list_season_evenings
from tdapp.domain.tournament import Tournament, compute_diff
from tdapp.exchange import tournament_json
from tdapp.exchange.presets import read_season_rules
from tests.building import DIVISION, RESOURCES, make_desk, make_event, pair_rounds
from tests.domain.test_seasons import SEASON, add_evening, list_lines, list_totals, make_season_club

RULES = read_season_rules(RESOURCES / "seasons")


def make_copy(name: str, date: str, *players: str, head: str = "") -> EventToCopy:
    """Return an event. Players are in rank order, as `name`, `name/club` or `name/club/member`."""
    entries = []
    for rank, text in enumerate(players, 1):
        player_name, club, member = (*text.split("/"), "", "")[:3]
        count = len(players)
        entries.append(
            CopiedPlayer(rank, player_name, rank, count - 1, 400 * (count - 1) - rank, count + 1 - 2 * rank,
                        Fraction(count - rank), member=member, club=club)
        )  # fmt: skip
    games = tuple(
        CopiedGame(1, entry.number, opponent.number, 400, 390, Outcome.WIN)
        for entry in entries
        for opponent in entries
        if entry.number < opponent.number
    )
    return EventToCopy(name, date, f"{name}.tdapp", head or f"{name} {date}", tuple(entries), games)


def add_events(value: Tournament, *copies: EventToCopy, key: str = "k") -> Tournament:
    return commands.add_copied_events(value, key=key, season=SEASON, events=copies)


def refresh_events(value: Tournament, *copies: EventToCopy, key: str = "r") -> Tournament:
    return commands.refresh_copied_events(value, key=key, season=SEASON, events=copies)


def make_federation(*copies: EventToCopy, rule: SeasonRule | None = None) -> Tournament:
    """Return a tournament without players, with a season over copied events."""
    value = make_event(0)
    value = value.drop(*value.stages.values())
    season_rule = rule or SeasonRule("own", "Own")
    value = commands.add_season(value, key=SEASON, name="Cup", rule=season_rule, division=DIVISION)
    return add_events(value, *copies)


def list_questions(value: Tournament) -> list[tuple[str, str, bool]]:
    return [
        (question.player.name, question.other.name, question.is_near)
        for question in find_same_person_questions(TournamentIndex(value))
    ]


def find_player(value: Tournament, name: str, club: str = "") -> PlayerId:
    (player_id,) = [player.id for player in value.players.values() if (player.name, player.club) == (name, club)]
    return player_id


SPRING = make_copy("Spring", "2026-03-01", "Ann", "Bob", "Cid")
SPELLINGS = (
    make_copy("Spring", "2026-03-01", "Piet Jansen", "Bo Li"),
    make_copy("Summer", "2026-06-01", "Piet Janssen"),
)
SUMMER = make_copy("Summer", "2026-06-01", "Cid", "Dee", "Ann", "Eve")


def test_compute_season_lines_counts_copied_events_by_field_size() -> None:
    value = make_federation(SPRING, SUMMER)
    assert list_totals(value) == [("Cid", 1, 5), ("Ann", 2, 5), ("Dee", 3, 3), ("Bob", 4, 2), ("Eve", 5, 1)]
    first = list_season_evenings(TournamentIndex(value), TournamentIndex(value).listed_seasons[0])[0]
    assert (first.name, first.date, len(first.results)) == ("Spring", "2026-03-01", 3)
    assert list_totals(value, "2026-04-01")[0] == ("Ann", 1, 3)


def test_compute_season_lines_uses_copied_games_for_ties_and_averages() -> None:
    rule = SeasonRule("own", "Own", ties=(RULES["best"].ties[0].HEAD_TO_HEAD,))
    value = make_federation(SPRING, make_copy("Summer", "2026-06-01", "Cid", "Dee", "Ann", "Eve"), rule=rule)
    lines = list_lines(value)
    assert [(line.member.name, line.rank) for line in lines[:2]] == [("Ann", 1), ("Cid", 1)]
    assert lines[0].points_per_game == Fraction(800 - 1 + 1200 - 3, 5)


def test_compute_season_lines_combines_a_club_and_copied_events() -> None:
    value = add_evening(make_season_club("ABC"), "2026-09-01", [(1, 2, 420, 300)])
    value = add_events(value, make_copy("Away", "2026-09-08", "New", "b", "A"))
    assert sorted(list_totals(value)) == [("A", 2, 3), ("B", 2, 3), ("New", 1, 3)]


def test_season_of_copied_events_has_no_needed_results() -> None:
    value = make_federation(SPRING, SUMMER)
    season = TournamentIndex(value).listed_seasons[0]
    bob = find_player(value, "Bob")
    assert list_results_needed_by_player(TournamentIndex(value), season, bob) == ()
    value = commands.begin_evening(value, key="first", division=DIVISION, date="2026-11-28")  # as in a new file
    assert list_results_needed_by_player(TournamentIndex(value), season, bob) == ()
    value = commands.check_in(value, players=(bob,))
    assert list_results_needed_by_player(TournamentIndex(value), season, bob)


def test_compute_season_lines_ignores_events_outside_the_season() -> None:
    value = commands.edit_season(make_federation(SPRING, SUMMER), season=SEASON, since="2026-04-01")
    assert [name for name, _, _ in list_totals(value)] == ["Cid", "Dee", "Ann", "Eve"]
    (spring, _) = TournamentIndex(value).listed_copied_events
    moved_tournament = commands.edit_copied_event(value, copied_event=spring.id, date="2026-05-01", name="May")
    assert len(list_totals(moved_tournament)) == 5
    edited_tournament = commands.edit_copied_event(value, copied_event=spring.id, date="1.5.2026")
    assert edited_tournament.copied_events[spring.id].date == "2026-05-01"
    with pytest.raises(CommandError, match="date-unreadable"):
        commands.edit_copied_event(value, copied_event=spring.id, date="1 May")


def test_add_events_is_one_undoable_step() -> None:
    season_desk = make_desk(make_federation())
    season_desk.do(partial(commands.add_copied_events, key="k", season=SEASON, events=(SPRING, SUMMER)))
    assert season_desk.store.read_steps()[-1].facts["names"] == "Spring; Summer"
    assert len(season_desk.tournament.players) == 5
    season_desk.undo()
    assert not season_desk.tournament.players
    assert not season_desk.tournament.copied_events


def test_add_events_refuses_an_event_twice() -> None:
    value = make_federation(SPRING)
    for copy in (SPRING, replace(SPRING, head="other"), replace(SPRING, name="Renamed")):
        with pytest.raises(CommandError, match="event-copied-already"):
            add_events(value, copy, key="k2")
    index = TournamentIndex(add_events(value, replace(SPRING, division="B", head="b"), key="k2"))
    names = [evening.name for evening in list_season_evenings(index, index.listed_seasons[0])]
    assert names == ["Spring", "Spring · B"]


def test_add_events_adds_no_players_to_a_running_tournament() -> None:
    value = commands.add_season(
        pair_rounds(make_event(4)), key=SEASON, name="Cup", rule=SeasonRule("own", "Own"), division=DIVISION
    )
    names = [player.name for player in value.players.values()]
    assert len(add_events(value, make_copy("Away", "2026-09-08", *names)).copied_results) == 4
    with pytest.raises(CommandError, match="event-in-tournament"):
        add_events(value, make_copy("Away", "2026-09-08", *names, "Stranger"))


def test_refresh_events_replaces_results_and_shows_changed_ranks() -> None:
    value = make_federation(SPRING, SUMMER)
    newer_copy = make_copy("Spring", "2026-03-01", "Bob", "Ann", "Fay", head="newer")
    refreshed_tournament = refresh_events(value, newer_copy)
    assert {name for name, _, _ in list_totals(refreshed_tournament)} == {"Ann", "Bob", "Cid", "Dee", "Eve", "Fay"}
    assert len(refreshed_tournament.copied_events) == 2
    move = find_season_rank_changes("Cup", list_lines(value), list_lines(refreshed_tournament))
    assert ("Bob", 4, 3) in move.moves
    with pytest.raises(CommandError, match="event-not-copied"):
        refresh_events(value, make_copy("Winter", "2026-12-01", "Ann"))


def test_refresh_events_adds_new_evenings_of_a_club() -> None:
    first, second, third = (
        replace(make_copy("Club", f"2026-03-0{day}", "Ann", "Bob", head=f"{day}"), source="club.tdapp")
        for day in (1, 2, 3)
    )
    value = refresh_events(make_federation(first), replace(first, head="new"), second, third)
    assert [(event.date, event.head) for event in TournamentIndex(value).listed_copied_events] == [
        ("2026-03-01", "new"),
        ("2026-03-02", "2"),
        ("2026-03-03", "3"),
    ]


def test_refresh_events_keeps_an_edited_name_and_date() -> None:
    value = make_federation(make_copy("a", "", "Ann", "Bob"))
    (event_,) = value.copied_events
    value = commands.edit_copied_event(value, copied_event=event_, name="Ås", date="2026-02-01")
    value = refresh_events(value, make_copy("a", "", "Bob", "Ann", head="newer"))
    (row,) = value.copied_events.values()
    assert (row.name, row.date, row.head) == ("Ås", "2026-02-01", "newer")
    assert list_totals(value)[0] == ("Bob", 1, 2)


def test_refresh_events_recognizes_a_renamed_player() -> None:
    value = make_federation(make_copy("Spring", "2026-03-01", "Jan Jansen", "Bob"))
    value = commands.edit_player(value, player=find_player(value, "Jan Jansen"), name="Jan Janssen")
    refreshed_tournament = refresh_events(
        value, make_copy("Spring", "2026-03-01", "Jan Jansen", "Bob", head="newer")
    )
    assert refreshed_tournament.players == value.players


def test_remove_event_removes_its_own_players() -> None:
    value = make_federation(SPRING, SUMMER)
    spring, summer = (event.id for event in TournamentIndex(value).listed_copied_events)
    value = commands.remove_copied_event(value, copied_event=spring)
    assert {player.name for player in value.players.values()} == {"Ann", "Cid", "Dee", "Eve"}
    value = commands.remove_copied_event(value, copied_event=summer)
    assert not value.players
    tournament_without_events = commands.remove_season(make_federation(SPRING), season=SEASON)
    assert not tournament_without_events.copied_results
    assert not tournament_without_events.players


def test_add_events_fills_empty_fields_of_copied_players() -> None:
    rated_event = replace(
        SUMMER, entries=tuple(replace(entry, rating=1500, member=entry.name) for entry in SUMMER.entries)
    )
    value = make_federation(rated_event, SPRING)
    assert {player.name: player.rating for player in value.players.values()}["Ann"] == 1500
    club = add_events(
        make_season_club("AB"), replace(rated_event, entries=(replace(rated_event.entries[0], name="A"),))
    )
    assert club.players[PlayerId("p1")].member == "Cid"
    assert club.players[PlayerId("p1")].rating == make_season_club("AB").players[PlayerId("p1")].rating


def test_remove_player_refuses_a_player_of_a_copied_event() -> None:
    value = make_federation(SPRING)
    with pytest.raises(CommandError, match="player-in-copied-event"):
        commands.remove_player(value, player=find_player(value, "Ann"))


def test_add_events_matches_persons_by_number_or_name_and_club() -> None:
    value = make_federation(
        make_copy("Spring", "2026-03-01", "Ann Berg/Oslo/12", "Bo Li/Ås", "Cy/X"),
        make_copy("Summer", "2026-06-01", "Berg, Anne/Bergen/12", "bo li/ås", "Cy/X/7"),
        make_copy("Autumn", "2026-09-01", "Ann Berg/Oslo/13", "Cy/X/7"),
    )
    persons = {(player.name, player.member) for player in value.players.values()}
    assert persons == {("Ann Berg", "12"), ("Ann Berg", "13"), ("Bo Li", ""), ("Cy", "7")}
    assert len(value.players) == 4
    assert list_questions(value) == []


def test_list_questions_asks_once_about_equal_names_of_different_clubs() -> None:
    value = make_federation(
        make_copy("Spring", "2026-03-01", "Ann Berg/Oslo", "Bo"),
        make_copy("Summer", "2026-06-01", "Berg, Ann", "Bo"),
    )
    assert list_questions(value) == [("Ann Berg", "Berg, Ann", False)]
    (problem,) = find_division_problems(TournamentIndex(value), value.divisions[DIVISION])
    assert (problem.code, problem.page) == ("persons-unclear", "standings")
    first_id, second_id = find_player(value, "Ann Berg", "Oslo"), find_player(value, "Berg, Ann")

    separate_tournament = commands.separate_persons(value, player=first_id, other=second_id)
    separate_tournament = add_events(
        separate_tournament, make_copy("Autumn", "2026-09-01", "Ann Berg", "Ann Berg/Oslo"), key="k2"
    )
    assert list_questions(separate_tournament) == []
    assert len(separate_tournament.players) == 3

    merged_tournament = commands.merge_players(value, player=first_id, other=second_id)
    merged_tournament = add_events(
        merged_tournament, make_copy("Autumn", "2026-09-01", "Ann Berg", "Bo"), key="k2"
    )
    assert list_questions(merged_tournament) == []
    assert list_totals(merged_tournament) == [("Ann Berg", 1, 6), ("Bo", 2, 3)]


def test_season_over_all_divisions_keeps_namesakes_of_one_division_apart() -> None:
    value = make_federation(
        make_copy("Spring", "2026-03-01", "Ann Berg/Oslo"), make_copy("Summer", "2026-06-01", "Ann Berg/Ås", "Bo")
    )
    value = commands.edit_season(value, season=SEASON, division=None)
    value = commands.add_division(value, key="b", code="B")
    value = commands.add_player(value, key="q", division=DivisionId("b"), name="Ann Berg")
    assert len(list_lines(value)) == 3


def test_add_events_keeps_the_name_with_a_federation_number() -> None:
    value = make_federation(
        make_copy("Spring", "2026-03-01", "P. Jansen", "Bo Li"),
        make_copy("Summer", "2026-06-01", "Piet Jansen//12"),
    )
    assert list_questions(value) == [("Piet Jansen", "P. Jansen", True)]


def test_list_questions_asks_about_similar_spellings() -> None:
    value = make_federation(
        make_copy("Spring", "2026-03-01", "Piet Jansen", "Bo Li"),
        make_copy("Summer", "2026-06-01", "Piet Janssen"),
    )
    assert list_questions(value) == [("Piet Jansen", "Piet Janssen", True)]
    assert len(list_lines(value)) == 3
    season_desk = make_desk(value)
    first_id, second_id = (find_player(value, name) for name in ("Piet Jansen", "Piet Janssen"))
    season_desk.do(partial(commands.merge_players, player=first_id, other=second_id))
    assert len(list_lines(season_desk.tournament)) == 2
    season_desk.undo()
    assert list_questions(season_desk.tournament) == [("Piet Jansen", "Piet Janssen", True)]


@pytest.mark.parametrize(
    ("first_name", "second_name", "is_similar"),
    [
        ("Piet Jansen", "Piet Janssen", True), ("Piet Jansen", "P. Jansen", True),
        ("Ann Berg", "Berg, Ann Mari", True),
        ("Zoe Berg", "Zoë Berg", True), ("Piet Jansen", "Piet Hansen", True), ("Piet Jansen", "Jan Jansen", False),
        ("Li", "Le", False), ("Ann Berg", "Berg", False),
    ],
)  # fmt: skip
def test_is_similar_name_of_spelling_variants(first_name: str, second_name: str, is_similar: bool) -> None:
    assert is_similar_name(first_name, second_name) is is_similar
    questions = list_questions(
        make_federation(make_copy("Spring", "2026-03-01", first_name), make_copy("May", "2026-05-01", second_name))
    )
    assert bool(questions) is (is_similar and first_name != "Zoe Berg")


def test_list_questions_separates_players_of_one_event() -> None:
    value = make_federation(make_copy("Spring", "2026-03-01", "Ann Berg", "Ann Berg", "Ann Bergh"))
    assert len(value.players) == 3
    assert list_questions(value) == []
    first_id, second_id = [*value.players][:2]
    with pytest.raises(CommandError, match="merge-both-played"):
        commands.merge_players(value, player=first_id, other=second_id)


def test_list_questions_ignores_pairs_of_club_members() -> None:
    value = commands.edit_player(make_season_club("AB"), player=PlayerId("p1"), name="Piet Jansen")
    value = commands.edit_player(value, player=PlayerId("p2"), name="Piet Janssen")
    assert list_questions(value) == []
    value = add_events(value, make_copy("Away", "2026-09-08", "Piet Jansen", "Someone Else"))
    assert list_questions(value) == [("Piet Jansen", "Piet Janssen", True)]


@pytest.mark.parametrize(("players", "places"), [(15, 0), (16, 2), (47, 2), (48, 3)])
def test_liga_der_champions_qualifies_ranks_by_field_size(players: int, places: int) -> None:
    names = [f"Player {number:03}/C{number}/{number}" for number in range(1, players + 1)]
    liga = RULES["liga-der-champions"]
    rule = replace(liga, qualification=replace(liga.qualification, fill=0))
    value = make_federation(make_copy("Spring", "2026-03-01", *names), rule=rule)
    assert [line.member.name for line in list_lines(value) if line.qualified] == [
        name.partition("/")[0] for name in names[:places]
    ]


def test_qualification_passes_on_places_across_copied_events() -> None:
    names = [f"Player {number:03}/C{number}/{number}" for number in range(1, 17)]
    terms = RULES["liga-der-champions"].qualification
    events = make_copy("Spring", "2026-03-01", *names), make_copy("Summer", "2026-06-01", *names)
    for handed_down, expected in ((True, 4), (False, 2)):
        qualification = replace(terms, handed_down=handed_down, fill=0)
        value = make_federation(*events, rule=replace(RULES["liga-der-champions"], qualification=qualification))
        assert sum(bool(line.qualified) for line in list_lines(value)) == expected


def test_qualification_fills_the_final_by_copied_ratings() -> None:
    copy = make_copy("Spring", "2026-03-01", *(f"Player {letter}" for letter in "ABCDEFGHIJKLMNOPQR"))
    rated_entries = tuple(replace(entry, rating=1000 + entry.number) for entry in copy.entries)
    qualification = replace(RULES["liga-der-champions"].qualification, fill=4)
    rule = replace(RULES["liga-der-champions"], qualification=qualification)
    lines = list_lines(make_federation(replace(copy, entries=rated_entries), rule=rule))
    assert {line.member.name: line.qualified for line in lines if line.qualified} == {
        "Player A": "k.1",
        "Player B": "k.1",
        "Player R": "rating",
        "Player Q": "rating",
    }


def test_make_copy_has_public_results_only() -> None:
    value = pair_rounds(make_event(6), times=2)
    row = replace(value.players[PlayerId("p1")], notes="secret", member="12", club="Oslo", needs_access=True)
    (copy,) = list_events_to_copy(value.put(row), source="a.tdapp", head="1")
    assert "secret" not in str(copy)
    assert len(copy.entries) == 6
    assert len(copy.games) == 6
    first = next(entry for entry in copy.entries if entry.number == row.number)
    assert (first.member, first.club, first.name) == ("12", "Oslo", row.name)
    assert [entry.rank for entry in copy.entries] == sorted(entry.rank for entry in copy.entries)


@pytest.mark.parametrize(
    ("names_shown", "name"),
    [
        (PublicNameFormat.FULL, "Anna Berg"),
        (PublicNameFormat.INITIAL, "Anna B."),
        (PublicNameFormat.NUMBER, "#1 (Test)"),
    ],
)
def test_make_copy_has_the_public_names_of_its_event(names_shown: PublicNameFormat, name: str) -> None:
    value = commands.edit_player(pair_rounds(make_event(2)), player=PlayerId("p1"), name="Anna Berg")
    value = value.put(replace(value.event, names_shown=names_shown))
    (copy,) = list_events_to_copy(value, source="a.tdapp", head="1")
    assert name in {entry.name for entry in copy.entries}


def test_make_copy_of_a_club_has_an_event_per_evening() -> None:
    value = add_evening(make_season_club("ABC"), "2026-09-01", [(1, 2, 420, 300)])
    value = add_evening(value, "2026-09-08", [(1, 2, 420, 300)], [(1, 3, 300, 400)])
    first, second = list_events_to_copy(value, source="club.tdapp", head="1")
    assert (first.date, len(first.entries), second.date, len(second.entries)) == ("2026-09-01", 2, "2026-09-08", 3)
    assert [game.round for game in second.games] == [1, 2]


def test_make_copy_omits_absent_rounds_without_points() -> None:
    value = pair_rounds(make_event(4, rounds=2))
    (item,) = value.rounds
    absent_player = value.players[PlayerId("p4")]
    games = [game for game in value.games.values() if absent_player.id in {game.first, game.second}]
    value = value.drop_with_children(*games).put(Bye(ByeId("b"), item, absent_player.id, ByeKind.ABSENT))
    value = pair_rounds(value)
    (copy,) = list_events_to_copy(value, source="a.tdapp", head="1")
    entry = next(entry for entry in copy.entries if entry.number == absent_player.number)
    assert (entry.games, entry.unscored) == (1, 0)


def test_tournament_json_keeps_copied_events_and_decisions() -> None:
    value = make_federation(
        make_copy("Spring", "2026-03-01", "Piet Jansen", "Bo Li"),
        make_copy("Summer", "2026-06-01", "Piet Janssen"),
    )
    first_id, second_id = (find_player(value, name) for name in ("Piet Jansen", "Piet Janssen"))
    for refreshed_tournament in (
        commands.separate_persons(value, player=first_id, other=second_id),
        commands.merge_players(value, player=first_id, other=second_id),
    ):
        round_trip = tournament_json.read_tournament(tournament_json.encode_tournament(refreshed_tournament))
        assert not compute_diff(replace(refreshed_tournament, secret=""), replace(round_trip, secret=""))


def test_list_rated_events_sorts_copied_games_by_date() -> None:
    value = add_evening(make_season_club("AB"), "2026-10-08", [(2, 1, 400, 390)])
    value = add_events(value, make_copy("Away", "2026-10-01", "A", "B"), make_copy("Undated", "", "B", "A"))
    index = TournamentIndex(value)
    events = list_rated_events(index, index.listed_seasons[0])
    assert [(event.name, event.date) for event in events] == [("Away", "2026-10-01"), ("", "2026-10-08")]
    (game,) = events[0].games
    assert (game.first, game.second) == ("p1", "p2")
    assert (game.first_score, game.second_score) == (Fraction(1), Fraction(0))


def test_read_tournament_refuses_a_copied_game_of_an_unknown_player() -> None:
    value = make_federation(SPRING)
    (row,) = value.copied_events.values()
    for games in (replace(row.games[0], first=99), replace(row.games[0], worth=Outcome.NOTHING)):
        broken_json = value.put(replace(row, games=(games,)))
        with pytest.raises(InputError, match="document-invalid"):
            tournament_json.read_tournament(tournament_json.encode_tournament(broken_json))


def test_make_public_view_keeps_the_season_without_sources() -> None:
    value = make_federation(SPRING, SUMMER)
    public_view = make_public_view(value)
    assert list_totals(public_view) == list_totals(value)
    assert {(event.source, event.head) for event in public_view.copied_events.values()} == {("", "")}


def test_erase_personal_data_covers_copied_events_and_decisions(tmp_path: Path) -> None:
    value = make_federation(
        make_copy("Spring", "2026-03-01", "Piet Jansen", "Bo Li"),
        make_copy("Summer", "2026-06-01", "Piet Janssen"),
    )
    path = tmp_path / "cup.tdapp"
    season_desk = Desk.create(path, value)
    first_id, second_id = (find_player(value, name) for name in ("Piet Jansen", "Piet Janssen"))
    season_desk.do(partial(commands.merge_players, player=first_id, other=second_id))
    season_desk.do(
        partial(
            commands.remove_copied_event,
            copied_event=TournamentIndex(season_desk.tournament).listed_copied_events[0].id,
        )
    )
    season_desk.undo()
    season_desk.erase_personal_data([first_id])
    assert [line.total for line in list_lines(season_desk.tournament)] == [3, 1]
    season_desk.close()
    for name in ("Jansen", "Janssen"):
        assert name.encode() not in path.read_bytes()
