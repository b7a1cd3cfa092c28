"""Results entered by players: secret codes, and agreement of two players."""

from __future__ import annotations

from contextlib import closing
from functools import partial

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import ResultState, SlipEntry, Start
from tdapp.domain.problems import find_problems
from tdapp.domain.publishing import make_public_view
from tdapp.domain.roles import Role, is_permitted
from tdapp.domain.slip import (
    CODE_CHARACTERS,
    CODE_LENGTH,
    find_code_key,
    format_code,
    make_game_code,
    map_game_codes,
    normalise_code,
)
from tdapp.domain.tournament import Tournament
from tdapp.exchange import tournament_json
from tests.building import DIVISION, desk, event, game_at, paired, player

SECRET = "known to nobody"  # noqa: S105


def opened(rules: str = "nl-match") -> Tournament:
    value = commands.open_entry(paired(event(4, rules=rules), results=False), key="k1")
    return replace(value, secret=SECRET)


def says(
    value: Tournament, number: int, own: int, other: int, *, started: bool | None = None, device: str = ""
) -> Tournament:
    who = player(value, number).id
    game = next(game for game in value.games.values() if who in {game.first, game.second})
    return commands.enter_slip(
        value, game=game.id, player=who, own=own, other=other, started=started, device=device
    )


def sides(value: Tournament, table: int = 1) -> tuple[int, int]:
    game = game_at(value, table)
    return value.players[game.first].number, value.players[game.second].number


def test_enter_slip_equal_entries_make_a_result() -> None:
    value = opened()
    first, second = sides(value)
    waiting = says(value, second, 388, 412)
    assert not waiting.results
    assert len(waiting.slips) == 1
    done = says(waiting, first, 412, 388)
    result = done.results[game_at(done, 1).id]
    assert (result.first, result.second, result.state) == (412, 388, ResultState.ENTERED)
    assert not done.slips


def test_enter_slip_different_entries_are_a_problem() -> None:
    value = opened()
    first, second = sides(value)
    value = says(says(value, first, 412, 388), second, 378, 412)
    assert not value.results
    found = next(
        problem
        for problem in find_problems(Index(value), value.divisions[DIVISION])
        if problem.code == "slips-differ"
    )
    assert found.facts["first"] == f"P{first}"
    assert found.facts["first_says"] == "412 – 388"
    assert found.facts["second_says"] == "412 – 378"
    assert found.key == game_at(value, 1).id
    mended = says(value, second, 388, 412)
    assert mended.results[game_at(mended, 1).id].first == 412


def waiting(value: Tournament) -> list[str]:
    found = [problem.code for problem in find_problems(Index(value), value.divisions[DIVISION])]
    return [code for code in found if code.startswith("slips-")]


def test_take_slips_of_one_device() -> None:
    value = opened()
    first, second = sides(value)
    value = says(says(value, first, 412, 388, device="a"), second, 388, 412, device="a")
    game = game_at(value, 1).id
    assert not value.results
    assert waiting(value) == ["slips-one-device"]
    taken = commands.take_slips(value, game=game)
    assert (taken.results[game].first, taken.results[game].second) == (412, 388)
    assert not taken.slips
    assert not waiting(taken)
    own = says(value, second, 388, 412, device="b")  # the opponent enters it again, from another phone
    assert own.results[game].first == 412


@pytest.mark.parametrize(("wide", "narrow"), [((651, 300), (650, 300)), ((-1, 350), (0, 350))])
def test_enter_slip_implausible_margin_waits_for_the_desk(wide: tuple[int, int], narrow: tuple[int, int]) -> None:
    value = opened()
    first, second = sides(value)
    game = game_at(value, 1).id
    for points, result in ((wide, False), (narrow, True)):
        made = says(says(value, first, *points, device="a"), second, *reversed(points), device="b")
        assert (game in made.results) is result
        assert waiting(made) == ([] if result else ["slips-wide-margin"])
    assert commands.take_slips(
        says(says(value, first, *wide), second, *reversed(wide)), game=game
    ).results[game].first == wide[0]  # fmt: skip


def test_take_slips_needs_equal_entries_of_both() -> None:
    value = opened()
    first, second = sides(value)
    game = game_at(value, 1).id
    for part in (value, says(value, first, 999, 1), says(says(value, first, 999, 1), second, 2, 999)):
        with pytest.raises(RuleViolation, match="slips-not-equal"):
            commands.take_slips(part, game=game)
    done = commands.enter_result(value, game=game, first=300, second=301)
    with pytest.raises(RuleViolation, match="game-has-result"):
        commands.take_slips(done, game=game)


def test_enter_slip_can_be_corrected_before_the_result() -> None:
    value = opened()
    first, second = sides(value)
    value = says(says(says(value, first, 1, 2), first, 400, 390), second, 390, 400)
    assert value.results[game_at(value, 1).id].first == 400
    with pytest.raises(RuleViolation, match="result-there"):
        says(value, first, 400, 391)


def test_enter_result_at_the_desk_removes_waiting_slips() -> None:
    value = opened()
    first, _ = sides(value)
    value = says(value, first, 412, 388)
    value = commands.enter_result(value, game=game_at(value, 1).id, first=300, second=301)
    assert not value.slips
    assert not [
        problem
        for problem in find_problems(Index(value), value.divisions[DIVISION])
        if problem.code == "slips-differ"
    ]


def test_enter_slip_needs_open_entry() -> None:
    value = paired(event(4), results=False)
    with pytest.raises(RuleViolation, match="entry-closed"):
        says(value, 1, 400, 300)
    with pytest.raises(RuleViolation, match="entry-closed"):
        says(commands.close_entry(opened()), 1, 400, 300)


def test_enter_slip_refuses_other_players() -> None:
    value = opened()
    other = next(n for n in range(1, 5) if n not in sides(value))
    with pytest.raises(RuleViolation, match="slip-of-another"):
        commands.enter_slip(value, game=game_at(value, 1).id, player=player(value, other).id, own=1, other=2)
    with pytest.raises(RuleViolation, match="implausible-points"):
        says(value, 1, 5000, 300)


def test_enter_slip_names_the_starter_if_tiles_decide() -> None:
    value = opened("no-nsf")
    game = game_at(value, 1)
    if game.start is not Start.DRAW:
        value = value.put(replace(game, start=Start.DRAW))
    first, second = sides(value)
    with pytest.raises(RuleViolation, match="starter-missing"):
        says(value, first, 412, 388)
    differ = says(says(value, first, 412, 388, started=True), second, 388, 412, started=True)
    assert not differ.results
    done = says(differ, first, 412, 388, started=False)
    game = game_at(done, 1)
    assert game.start is Start.DRAWN
    assert done.players[game.first].number == second
    assert (done.results[game.id].first, done.results[game.id].second) == (388, 412)


def test_drop_slips_and_discard_round() -> None:
    value = says(opened(), 1, 412, 388)
    game = next(iter(value.slips.values())).game
    assert not commands.drop_slips(value, game=game).slips
    with pytest.raises(RuleViolation, match="no-slips"):
        commands.drop_slips(commands.drop_slips(value, game=game), game=game)
    gone = commands.discard_round(value, round=next(iter(value.rounds)), reason="anew")
    assert not gone.slips


def test_map_game_codes_one_for_each_player_and_game() -> None:
    value = opened()
    found = map_game_codes(Index(value))
    assert len(found) == 4
    assert all(len(code) == CODE_LENGTH and set(code) <= set(CODE_CHARACTERS) for code in found)
    assert not map_game_codes(Index(commands.close_entry(value)))
    again = commands.open_entry(commands.close_entry(value), key="k2")
    assert map_game_codes(Index(again)) == found
    assert not found.keys() & map_game_codes(Index(commands.renew_codes(value, key="k2"))).keys()


def test_normalise_code_accepts_typed_variants() -> None:
    value = opened()
    game = game_at(value, 1)
    code = make_game_code(find_code_key(value), game.id, game.first)
    assert normalise_code(format_code(code).lower()) == code
    assert normalise_code(f" {code[:3]} {code[3:]} ") == code


def test_find_code_key_stays_in_the_tournament() -> None:
    value = opened()
    assert SECRET not in repr(value)
    assert (make_public_view(value).secret, make_public_view(value).event.slip_key) == ("", "")
    assert not map_game_codes(Index(replace(value, secret="")))
    assert not make_public_view(says(value, 1, 400, 300)).slips
    again = tournament_json.read_tournament(tournament_json.write_tournament(value))
    assert (again.event.players_enter, again.event.slip_key, again.secret) == (False, "", "")
    with closing(desk(paired(event(4), results=False))) as at:
        at.do(partial(commands.open_entry, key="secret-key"))
        assert "secret-key" not in str([step.facts for step in at.history()])


def test_enter_slip_survives_and_can_be_undone() -> None:
    at = desk(opened())
    game = game_at(at.tournament, 1)
    at.do(partial(commands.enter_slip, game=game.id, player=game.first, own=400, other=390))
    assert at.store.load()[0].slips == at.tournament.slips
    assert isinstance(next(iter(at.tournament.slips.values())), SlipEntry)
    at.undo()
    assert not at.tournament.slips
    at.close()


def test_is_permitted_entry_station_enters_slips() -> None:
    value = opened()
    at = desk(value)
    game = game_at(value, 1)
    made = at.do(partial(commands.enter_slip, game=game.id, player=game.first, own=1, other=2))
    assert is_permitted(Role.ENTRY, "enter-slip", made)
    assert not is_permitted(Role.DISPLAY, "enter-slip", made)
    assert not is_permitted(Role.ENTRY, "open-entry")
    at.close()
