"""Tests of diffs: computing, applying and inverting them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.tournament import (
    KINDS,
    DiffConflictError,
    JournalChecksum,
    RowChange,
    Tournament,
    apply_diff,
    compute_diff,
    find_changed_fields,
    invert_diff,
)
from tests.building import get_game_at, get_player, make_event, pair_rounds


def has_same_rows(first: Tournament, second: Tournament) -> bool:
    return all(first.rows(kind) == second.rows(kind) for kind in KINDS)


def build_tournaments() -> list[Tournament]:
    start = make_event(6)
    open_round = pair_rounds(start, results=False)
    two_rounds = pair_rounds(start, times=2)
    withdrawn = commands.withdraw_player(two_rounds, key="w", player=get_player(two_rounds, 3).id)
    return [start, open_round, two_rounds, withdrawn, commands.edit_event(withdrawn, name="Other", place="Leiden")]


STATES = build_tournaments()


@given(st.sampled_from(STATES), st.sampled_from(STATES))
def test_apply_diff_and_invert_diff_round_trip(old_tournament: Tournament, new_tournament: Tournament) -> None:
    changes = compute_diff(old_tournament, new_tournament)
    assert has_same_rows(apply_diff(old_tournament, changes), new_tournament)
    assert has_same_rows(apply_diff(new_tournament, invert_diff(changes)), old_tournament)
    assert invert_diff(invert_diff(changes)) == changes


@given(st.sampled_from(STATES))
def test_compute_diff_of_equal_values_is_empty(old_tournament: Tournament) -> None:
    assert compute_diff(old_tournament, old_tournament) == ()
    assert compute_diff(old_tournament, old_tournament.put(old_tournament.event)) == ()
    assert compute_diff(old_tournament, old_tournament.put(replace(old_tournament.event))) == ()  # an equal row


def test_apply_diff_raises_conflict_for_an_unexpected_row() -> None:
    old_tournament = pair_rounds(make_event(4), results=False)
    game = get_game_at(old_tournament, 1)
    first = commands.enter_result(old_tournament, game=game.id, first=400, second=300)
    second = commands.enter_result(old_tournament, game=game.id, first=410, second=300)
    with pytest.raises(DiffConflictError) as error:
        apply_diff(second, invert_diff(compute_diff(old_tournament, first)))
    assert str(error.value) == f"results {game.id}"
    assert error.value.change.kind == "results"
    assert error.value.current_row == second.results[game.id]


def test_apply_diff_keeps_the_position_of_a_changed_row() -> None:
    old_tournament = pair_rounds(make_event(4))
    game = get_game_at(old_tournament, 1)
    new_tournament = commands.enter_result(old_tournament, game=game.id, first=500, second=300)
    assert [*apply_diff(old_tournament, compute_diff(old_tournament, new_tournament)).results] == [
        *old_tournament.results
    ]
    assert [*old_tournament.results][-1] != game.id


def test_apply_diff_of_a_repeated_change_keeps_the_order() -> None:
    old_tournament = pair_rounds(make_event(4))
    for new_tournament in (
        old_tournament.put(replace(get_player(old_tournament, 1), club="Leiden")),
        old_tournament.drop(get_game_at(old_tournament, 1)),
    ):
        assert [
            list(apply_diff(old_tournament, compute_diff(old_tournament, new_tournament)).rows(kind))
            for kind in KINDS
        ] == [list(new_tournament.rows(kind)) for kind in KINDS]


def test_track_changes_records_the_touched_rows() -> None:
    old_tournament = make_event(4)
    assert (old_tournament.touched, old_tournament.put(old_tournament.event).touched) == (None, None)
    assert old_tournament.make_change_tracking_copy().put(get_player(old_tournament, 2)).drop(
        get_player(old_tournament, 1)
    ).touched == {"players": ("p2", "p1")}


def test_list_changed_fields_of_a_row() -> None:
    row = make_event(4).event
    field_names = {"id", "name", "place", "date", "director", "seed", "finished"}
    assert find_changed_fields(RowChange("events", "t", row, replace(row, place="Ås", seed=row.seed + 1))) == {
        "place",
        "seed",
    }
    assert find_changed_fields(RowChange("events", "t", row, replace(row))) == frozenset()
    assert find_changed_fields(RowChange("events", "t", None, row)) >= field_names
    assert find_changed_fields(RowChange("events", "t", row, None)) >= field_names


def test_compute_diff_puts_children_after_parents() -> None:
    kinds = [change.kind for change in compute_diff(make_event(4), pair_rounds(make_event(4), times=1))]
    assert kinds == sorted(kinds, key=list(KINDS).index)
    assert kinds.index("rounds") < kinds.index("games") < kinds.index("results")


def test_tournament_head_has_code_and_revision() -> None:
    assert (str(JournalChecksum(12, "K7QD")), str(JournalChecksum())) == ("12 · K7QD", "")
    assert Tournament().head.revision == 0


def test_tournament_repr_has_no_secret() -> None:
    word = "sesame"
    value = replace(make_event(2), secret=word, touched={"players": ("p1",)})
    assert word not in repr(value)
    assert "touched" not in repr(value)
