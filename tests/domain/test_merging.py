"""Tests of merging lists: matching players, listing changes, and refusing wrong lists."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.domain import commands
from tdapp.domain.entries import (
    DivisionEntry,
    EventEntry,
    ImportedPlayerStatus,
    PlayerEntry,
    PlayerFieldChange,
    can_be_same_person,
    convert_division_names_to_codes,
    find_unknown_player_names,
    match_names_to_players,
    match_player_entries,
    normalise_name,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, Player, PlayerId
from tdapp.domain.seating import compare_tables_with_imported_event
from tdapp.domain.tournament import Tournament
from tests.data_events import RULES

D = DivisionId("d")


def make_player(number: int, name: str, **fields: object) -> Player:
    return Player(PlayerId(f"p{number}"), D, number, name, **fields)  # type: ignore[arg-type]


PLAYERS = (
    make_player(1, "Ødegård, Åse", rating=1500, member="7"),
    make_player(2, "Müller, Jürgen", club="X"),
    make_player(3, "van den Berg, Cécile", member="9"),
)


@pytest.mark.parametrize(
    ("entry", "meeting", "number"),
    [
        (PlayerEntry(None, "ODEGARD ASE", 1500), ImportedPlayerStatus.SAME, 1),
        (PlayerEntry(None, "Åse Ødegård", 1510), ImportedPlayerStatus.RATING, 1),
        (PlayerEntry(None, "Somebody, Else", member="7"), ImportedPlayerStatus.SAME, 1),
        (PlayerEntry(None, "Müller, Jürgen", club="Y"), ImportedPlayerStatus.CHANGED, 2),
        (PlayerEntry(None, "Muller, Jurgen", 1400, club="Y"), ImportedPlayerStatus.CHANGED, 2),
        (PlayerEntry(None, "Müller, Jürgen", member="7"), ImportedPlayerStatus.CONFLICT, 1),
        (PlayerEntry(None, "Ødegård, Åse", member="8"), ImportedPlayerStatus.NEW, None),
        (PlayerEntry(2, "Somebody, Else"), ImportedPlayerStatus.CONFLICT, 2),
        (PlayerEntry(9, "Somebody, Else"), ImportedPlayerStatus.NEW, None),
        (PlayerEntry(2, "Ødegård, Åse"), ImportedPlayerStatus.SAME, 1),
    ],
)
def test_match_entries_finds_the_player_of_a_line(
    entry: PlayerEntry, meeting: ImportedPlayerStatus, number: int | None
) -> None:
    (match,) = match_player_entries(PLAYERS, [entry])
    assert (match.status, match.player and match.player.number) == (meeting, number)


def test_match_entries_two_lines_about_one_player_conflict() -> None:
    first, second = match_player_entries(
        PLAYERS, [PlayerEntry(None, "Ødegård, Åse"), PlayerEntry(None, "Odegard Ase", 1600)]
    )
    assert (first.status, second.status) == (ImportedPlayerStatus.SAME, ImportedPlayerStatus.CONFLICT)


def test_match_entries_by_number() -> None:
    lines = [PlayerEntry(2, "New, Ann"), PlayerEntry(5, "Müller, Jürgen")]
    assert [match.status for match in match_player_entries(PLAYERS, lines)] == [
        ImportedPlayerStatus.NEW,
        ImportedPlayerStatus.SAME,
    ]


def test_match_entries_namesakes_conflict() -> None:
    twins = (make_player(1, "Li, Ada"), make_player(2, "Li, Ada"))
    (match,) = match_player_entries(twins, [PlayerEntry(None, "Li, Ada", 1500)])
    assert match.status is ImportedPlayerStatus.CONFLICT


def test_match_entries_namesakes_with_the_same_club_and_rating() -> None:
    twins = (
        make_player(7, "Janssen, Wim", rating=1500, club="Köln"),
        make_player(16, "Janssen, Wim", rating=1400, club="Ede"),
    )
    lines = [
        PlayerEntry(None, "Wim Janssen", 1400, club="Ede"),
        PlayerEntry(None, "Wim Janssen", 1500, club="Köln"),
    ]
    matches = match_player_entries(twins, lines)
    assert [(match.status, match.player and match.player.number) for match in matches] == [
        (ImportedPlayerStatus.SAME, 16),
        (ImportedPlayerStatus.SAME, 7),
    ]
    (match,) = match_player_entries(twins, [PlayerEntry(None, "Wim Janssen", 1450, club="Ede")])
    assert match.status is ImportedPlayerStatus.CONFLICT, "a line with another rating matched"


def test_match_entries_lists_changes_but_no_empty_cells() -> None:
    (match,) = match_player_entries(PLAYERS, [PlayerEntry(None, "Odegard, Ase", 1510, club="Y")], with_names=True)
    assert match.changes == (
        PlayerFieldChange("rating", 1500, 1510),
        PlayerFieldChange("club", "", "Y"),
        PlayerFieldChange("name", "Ødegård, Åse", "Odegard, Ase"),
    )


def test_normalise_name_ignores_the_order_of_parts() -> None:
    assert normalise_name("van den Berg, Cécile") == normalise_name("CECILE VAN DEN BERG")
    assert normalise_name("Li, Ada") != normalise_name("Li, Adam")


def build_event() -> Tournament:
    empty = commands.new_tournament(key="t", name="T", ruleset=RULES)
    return commands.add_division(empty, key=D, code="A").put(*PLAYERS)


def test_import_players_adds_and_changes_in_one_step() -> None:
    entries = (PlayerEntry(None, "Odegard, Ase", 1510), PlayerEntry(None, "New, Ann", 1300))
    import_entries = partial(
        commands.import_players, build_event(), key="k", division=D, entries=entries, known=(PLAYERS[0], None)
    )
    without_names, with_names = (
        TournamentIndex(import_entries()).players(D),
        TournamentIndex(import_entries(names=True)).players(D),
    )
    assert [(player.number, player.name, player.rating) for player in without_names[::3]] == [
        (1, "Ødegård, Åse", 1510),
        (4, "New, Ann", 1300),
    ]
    assert with_names[0].name == "Odegard, Ase"
    assert without_names[0].member == "7"


@pytest.mark.parametrize(
    ("entry", "known_names", "names", "code"),
    [
        (PlayerEntry(None, "müller, jürgen", line=4), None, False, "player-exists"),
        (PlayerEntry(None, "müller, jürgen", line=4), PLAYERS[0], True, "player-exists"),
        (PlayerEntry(None, "X", rating=99_999, line=4), PLAYERS[0], False, "number-out-of-range"),
        (PlayerEntry(None, "X", line=4), make_player(1, "Other"), False, "changed-meanwhile"),
    ],
)
def test_import_players_refuses_everything_for_one_bad_line(
    entry: PlayerEntry, known_names: Player | None, names: bool, code: str
) -> None:
    entries = (PlayerEntry(None, "New, Ann"), entry)
    with pytest.raises(CommandError) as error:
        commands.import_players(
            build_event(), key="k", division=D, entries=entries, known=(None, known_names), names=names
        )
    assert (error.value.code, error.value.facts["line"]) == (code, 4)


def test_import_event_fills_or_adds_divisions() -> None:
    from tdapp.domain.entries import GameEntry, RoundEntry  # noqa: PLC0415

    rounds = (RoundEntry(1, (GameEntry(1, 1, 2, scores=(400, 300)),)),)
    pair = (PlayerEntry(1, "One"), PlayerEntry(2, "Two"))
    event_entry = EventEntry(
        (DivisionEntry("a", pair, rounds, name="Main", rating="nor"), DivisionEntry("B", pair, rounds)),
        name="Elsewhere",
        date="2026-11-21",
        rounds=9,
        bye_spread=100,
    )
    empty = commands.new_tournament(key="t", name="Here", ruleset=RULES)
    tournament = commands.import_event(commands.add_division(empty, key=D, code="A"), key="k", event=event_entry)
    index = TournamentIndex(tournament)
    assert [(item.code, item.name, item.rating) for item in index.divisions] == [
        ("A", "Main", "nor"),
        ("B", "", ""),
    ]
    assert [index.count_planned_rounds(item.id) for item in index.divisions] == [9, 9]
    assert sorted(game.table for game in tournament.games.values()) == [1, 101]
    assert (tournament.event.name, tournament.event.date, tournament.ruleset.byes.bye.spread) == (
        "Elsewhere",
        "2026-11-21",
        100,
    )
    assert [item.first_table for item in index.divisions] == [1, 101]
    with pytest.raises(CommandError, match="division-not-empty"):
        commands.import_event(tournament, key="l", event=event_entry)


def test_import_event_keeps_free_tables() -> None:
    from tdapp.domain.entries import GameEntry, RoundEntry  # noqa: PLC0415

    pair = (PlayerEntry(1, "One"), PlayerEntry(2, "Two"))

    def make_division(code: str, table: int) -> DivisionEntry:
        return DivisionEntry(code, pair, (RoundEntry(1, (GameEntry(table, 1, 2),)),))

    event_entry = EventEntry((make_division("A", 1), make_division("B", 11), make_division("C", 11)))
    empty = commands.new_tournament(key="t", name="Here", ruleset=RULES)
    index = TournamentIndex(commands.import_event(empty, key="k", event=event_entry))
    assert [item.first_table for item in index.divisions] == [1, 11, 111]
    assert [*compare_tables_with_imported_event(event_entry, index)] == [
        {"division": "C", "own": [11], "made": [111]}
    ]


def test_fill_division_codes_of_named_divisions() -> None:
    old_tournament = commands.add_division(build_event(), key="e", code="B", name="Juniors")
    lines = [PlayerEntry(1, "New, Ann", division="juniors"), PlayerEntry(1, "New, Bob", division="C"),
             PlayerEntry(None, "New, Cid"), PlayerEntry(2, "New, Dan", division="c")]  # fmt: skip
    entries = convert_division_names_to_codes(TournamentIndex(old_tournament), D, lines)
    assert [entry.division for entry in entries] == ["B", "C", "A", "c"]
    index = TournamentIndex(commands.import_players(old_tournament, key="k", division=D, entries=entries))
    names_by_code = {item.code: [player.name for player in index.players(item.id)] for item in index.divisions}
    assert names_by_code["A"][3:] == ["New, Cid"]
    assert names_by_code["B"] == ["New, Ann"]
    assert names_by_code["C"] == ["New, Bob", "New, Dan"]
    assert index.stages(index.get_division("C").id)


def test_import_players_moves_a_player_of_another_division() -> None:
    old_tournament = commands.add_division(build_event(), key="e", code="B")
    entries = (PlayerEntry(2, "Müller, Jürgen", 1400, division="B"), PlayerEntry(2, "New, Ann", division="B"))
    codes = {item.id: item.code for item in old_tournament.divisions.values()}
    moved_players, new_players = match_player_entries(PLAYERS, entries, codes=codes)
    assert (moved_players.status, moved_players.changes[0]) == (
        ImportedPlayerStatus.CONFLICT,
        PlayerFieldChange("division", "A", "B"),
    )
    assert new_players.status is ImportedPlayerStatus.NEW  # number 2 is another one's in A
    new_tournament = commands.import_players(
        old_tournament, key="k", division=D, entries=entries[:1], known=(PLAYERS[1],)
    )
    (moved_player,) = TournamentIndex(new_tournament).players(DivisionId("e"))
    assert (moved_player.id, moved_player.rating) == (PLAYERS[1].id, 1400)


@given(*[st.lists(st.sampled_from(["j", "jan", "joris", "a", "an"]), max_size=4).map(" ".join)] * 2)
def test_is_possible_name_in_both_directions(first_name: str, second_name: str) -> None:
    assert can_be_same_person(first_name, second_name) == can_be_same_person(second_name, first_name)
    assert can_be_same_person(first_name, first_name)
    assert can_be_same_person("J. Jan", "Jan Joris")
    assert can_be_same_person("J. J. J. Jan", "J. J. Jan Joris")


def test_find_unknown_names_accepts_any_order_of_players() -> None:
    players = ["Berg, Anna", "Bob", "Cas"]
    assert find_unknown_player_names(["Cas", "A. Berg", "Bob"], players) == ()
    assert find_unknown_player_names(["Bob", "Dan", "Cas"], players) == ("Dan",)
    assert find_unknown_player_names(["A. Berg", "Cas", "Anna Berg"], players) == ("A. Berg", "Cas", "Anna Berg")


def test_match_names_to_players_gives_an_ambiguous_name_the_other_player() -> None:
    players = ["Berg, Anna", "Berg, Arne"]
    assert match_names_to_players(["A. Berg", "Anna Berg"], players) == (1, 0)
    assert match_names_to_players(["A. Berg", "Cas"], players) == (0, None)


def test_match_entries_new_namesakes_by_member_number() -> None:
    entries = tuple(PlayerEntry(None, "Müller, Thomas", member=member) for member in ("3", "9", "9", ""))
    statuses = [entry.status for entry in match_player_entries((), entries)]
    assert statuses == [
        ImportedPlayerStatus.NEW,
        ImportedPlayerStatus.NEW,
        ImportedPlayerStatus.CONFLICT,
        ImportedPlayerStatus.CONFLICT,
    ]
