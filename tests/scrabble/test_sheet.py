"""Tests of score sheets read from documents, and of the comparison of two sheets of a game."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.scrabble.sheet import (
    GameEnding,
    Ruling,
    SanctionKind,
    ScoreSheetError,
    Sheet,
    SheetDifference,
    SheetField,
    SheetSanction,
    Turn,
    TurnKind,
    TurnOnOpponentSheet,
    compute_paper_form_row_numbers,
    copy_difference_from_source,
    find_differences,
    find_first_sheet_difference,
    parse_sheet,
    swap_players,
)

EXAMPLE: dict[str, Any] = {
    "players": ["Ann", "Bo"],
    "first": 1,
    "tileset": "nl",
    "knockout": False,
    "turns": [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAART", "score": 20, "total": 20},
        {"player": 2, "kind": "exchange", "tiles": 3},
        {"player": 1, "kind": "pass"},
        {"player": 2, "kind": "play", "word": "FOUT", "score": 30, "ruling": "phony", "wrong_words": 1},
        {"player": 1, "kind": "withdrawn", "at": "H8", "word": "XYZ"},
        {"player": 2, "kind": "failed-challenge", "words": 1},
        {"player": 1, "kind": "play", "word": "WEL", "score": 18, "contested": "XYZ"},
        {"player": 2, "kind": "lost-turn"},
    ],
    "other_form": [{"turn": 3, "score": 31, "total": 121}],
    "racks": ["", "AE"],
    "ended": "out",
    "flag": None,
    "overtime_seconds": [0, 75],
    "sanctions": [{"player": 1, "kind": "points", "points": 10, "why": "late"}],
}


def list_problems(**changes: object) -> tuple[str, ...]:
    with pytest.raises(ScoreSheetError) as error:
        parse_sheet(EXAMPLE | changes)
    return error.value.problems


def test_parse_sheet_reads_each_field() -> None:
    sheet = parse_sheet(EXAMPLE)
    assert sheet.players == ("Ann", "Bo")
    assert sheet.turns[0] == Turn(1, TurnKind.PLAY, at="8D", word="TAART", score=20, total=20)
    assert sheet.turns[1] == Turn(2, TurnKind.EXCHANGE, tiles=3)
    assert sheet.turns[3].ruling is Ruling.PHONY
    assert sheet.turns[6].contested == "XYZ"
    assert [turn.kind.value for turn in sheet.turns[4:]] == ["withdrawn", "failed-challenge", "play", "lost-turn"]
    assert sheet.other_form == (TurnOnOpponentSheet(3, 31, 121),)
    assert (sheet.racks, sheet.rack_values, sheet.ended, sheet.flag) == (("", "AE"), None, GameEnding.OUT, None)
    assert sheet.overtime_seconds == (0, 75)
    assert sheet.sanctions == (SheetSanction(1, SanctionKind.POINTS, 10, "late"),)


def test_parse_sheet_needs_few_fields() -> None:
    sheet = parse_sheet({"players": ["Ann", "Bo", "Cy", "Di"]})
    assert (sheet.first, sheet.turns, sheet.ended, sheet.forfeit) == (1, (), None, None)


@pytest.mark.parametrize("player", [1, 2, "both"])
def test_parse_sheet_reads_forfeits(player: object) -> None:
    assert parse_sheet({"players": ["Ann", "Bo"], "ended": "forfeit", "forfeit": player}).forfeit == player


def test_parse_sheet_reports_all_problems_together() -> None:
    problems_found = list_problems(
        first=3,
        turns=[{"player": 3, "kind": "jump"}, {"kind": "play"}, 7],
        racks=["A"],
        overtime_seconds=[-1, 0],
        colour="blue",
        ended="never",
    )
    text = "\n".join(problems_found)
    for part in (
        "first: 3 is not",
        "turns[0].player: 3",
        "turns[0].kind: expected one of",
        "turns[1].player: missing",
        "turns[1].word: missing",
        "turns[2]: expected a table",
        "racks: expected one entry",
        "overtime_seconds: ",
        "colour: unknown",
        "ended: expected one of",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"players": []}, "players: expected 1 to 4"),
        ({"players": list("ABCDE")}, "players: expected 1 to 4"),
        ({"players": ["Ann", 2]}, "players: expected texts"),
        ({"racks": None, "rack_values": [0]}, "rack_values: expected one entry"),
        ({"rack_values": [0, 2]}, "rack_values: not beside racks"),
        ({"flag": 1}, "flag: the game did not end by flag"),
        ({"forfeit": 1}, "forfeit: the game did not"),
        ({"ended": "forfeit"}, "turns: none in a forfeited game"),
        ({"ended": "forfeit", "turns": []}, "forfeit: missing"),
        ({"ended": "forfeit", "turns": [], "forfeit": 3}, "forfeit: 3 is not"),
        ({"ended": "forfeit", "turns": [], "forfeit": True}, "forfeit: expected a whole number"),
        ({"knockout": 1}, "knockout: expected true or false"),
        ({"turns": {}}, "turns: expected a list"),
        (
            {"turns": [{"player": 1, "kind": "play", "word": "A", "score": 1.5}]},
            "turns[0].score: expected a whole",
        ),
        ({"turns": [{"player": 1, "kind": "pass", "ruling": "phony"}]}, "turns[0].ruling: only of a play"),
        ({"turns": [{"player": 1, "kind": "pass", "tiles": 2}]}, "turns[0].tiles: only of an exchange"),
        ({"turns": [{"player": 1, "kind": "exchange", "tiles": 8}]}, "turns[0].tiles: 8 is not between"),
        ({"turns": [{"player": 1, "kind": "lost-turn", "contested": "X"}]}, "turns[0].contested: only of"),
        ({"turns": [{"player": 1, "kind": "play", "at": "8D", "score": 1}]}, "turns[0].at: without a word"),
        ({"other_form": [{"turn": 9}]}, "other_form[0].turn: 9 is not"),
        ({"sanctions": [{"player": 1, "kind": "points"}]}, "sanctions[0].points: missing"),
    ],
)
def test_parse_sheet_reports_each_problem(changes: dict[str, object], problem: str) -> None:
    assert any(problem in line for line in list_problems(**changes))


def test_parse_sheet_without_players_reports_all_problems() -> None:
    with pytest.raises(ScoreSheetError) as error:
        parse_sheet(
            {"first": 2, "ended": "flag", "flag": 2, "forfeit": 2, "turns": [{"player": 1, "kind": "pass"}]}
        )
    text = "\n".join(error.value.problems)
    for part in ("players: missing", "first: 2 is not", "flag: 2 is not", "forfeit: 2 is not"):
        assert part in text


def list_problem_places(document: dict[str, object]) -> tuple[str, ...]:
    with pytest.raises(ScoreSheetError) as error:
        parse_sheet(document)
    return tuple(problem.partition(" ")[0] for problem in error.value.problems)


@pytest.mark.parametrize("player", [0, 1, 2])
def test_parse_sheet_without_players_checks_player_numbers(player: int) -> None:
    """A sheet with one turn has one player. Correct entries give no problem."""
    turns = [{"player": player, "kind": "pass"}]
    sanctions = [{"player": player, "kind": "warning"}]
    document = {"first": player, "ended": "flag", "flag": player, "turns": turns, "sanctions": sanctions}
    expected_places: tuple[str, ...] = (
        () if player == 1 else ("turns[0].player:", "first:", "flag:", "sanctions[0].player:")
    )
    assert sorted(list_problem_places(document)) == sorted(("players:", *expected_places))
    expected_places = () if player == 1 else ("other_form[0].turn:", "forfeit:")
    assert sorted(
        list_problem_places({"other_form": [{"turn": player}], "ended": "forfeit", "forfeit": player})
    ) == sorted(["players:", *expected_places])


def test_parse_sheet_turn_of_unknown_kind_has_one_problem() -> None:
    turns = [{"player": 1, "kind": "jump", "contested": "X"}]
    assert list_problem_places(EXAMPLE | {"turns": turns, "other_form": []}) == ("turns[0].kind:",)


@pytest.mark.parametrize("document", [None, [], "x", 3, {}])
def test_parse_sheet_refuses_documents_without_a_sheet(document: object) -> None:
    with pytest.raises(ScoreSheetError):
        parse_sheet(document)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 20)
    | st.sampled_from(["play", "pass", "8D", "CAT", "out", "both"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*EXAMPLE, *EXAMPLE["turns"][0], "forfeit"]), inner, max_size=6)
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from([*EXAMPLE, "forfeit", "rack_values"]))
def test_parse_sheet_survives_any_document(value: object, key: str) -> None:
    for document in (value, EXAMPLE | {key: value}):
        try:
            parse_sheet(document)
        except ScoreSheetError as error:
            assert error.problems  # noqa: PT017 - a refusal is correct too


def make_document_of_scores(*scores: tuple[int, int | None]) -> dict[str, Any]:
    turns = [
        {"player": 1 + number % 2, "kind": "play", "word": "AB", "score": score, "total": total}
        for number, (score, total) in enumerate(scores)
    ]
    return {"players": ["Ann", "Bo"], "turns": turns}


def test_find_first_difference_names_the_turn() -> None:
    """NL-22: forms with 120/120/121 differ at turn 3."""
    first_sheet = parse_sheet(make_document_of_scores((20, 20), (20, 20), (100, 120)))
    second_sheet = parse_sheet(make_document_of_scores((20, 20), (20, 20), (100, 121)))
    assert find_first_sheet_difference(first_sheet, second_sheet) == SheetDifference(3, SheetField.TOTAL, 120, 121)
    assert find_first_sheet_difference(first_sheet, first_sheet) is None
    assert (
        find_first_sheet_difference(
            first_sheet, parse_sheet(make_document_of_scores((20, 20), (20, None), (100, 120)))
        )
        is None
    )
    assert find_first_sheet_difference(
        first_sheet, parse_sheet(make_document_of_scores((20, 20)))
    ) == SheetDifference(2, SheetField.KIND, "play", None)
    assert find_first_sheet_difference(
        parse_sheet(make_document_of_scores((20, 20))), first_sheet
    ) == SheetDifference(2, SheetField.KIND, None, "play")


@pytest.mark.parametrize(
    "changes",
    [
        {1: {"score": 30, "total": 30}},
        {2: {"kind": "pass", "word": None}},
        {3: {"player": 1}},
        {4: None},
        {1: {"word": "AC"}, 6: {"at": "3C", "word": "ADE"}},
        {1: {"total": 24}, 3: {"total": 44}, 5: {"total": 99}},
    ],
)
def test_resolve_difference_removes_all_differences(changes: dict[int, dict[str, Any] | None]) -> None:
    document = make_document_of_scores((20, 20), (20, 20), (20, 40), (20, 40), (20, 60), (20, 60)) | {
        "ended": "out",
        "racks": ["", "A"],
    }
    turns = [turn | (changes.get(number, {}) or {}) for number, turn in enumerate(document["turns"], 1)
             if changes.get(number, {}) is not None]  # fmt: skip
    forms = parse_sheet(document), parse_sheet(document | {"turns": turns, "racks": ["", "AE"]})
    for sheet, target in (forms, forms[::-1]):
        for _ in range(9):
            difference = find_first_sheet_difference(sheet, target)
            if difference is None:
                break
            sheet = copy_difference_from_source(sheet, target, difference.turn, difference.field)  # noqa: PLW2901
        assert (find_first_sheet_difference(sheet, target), sheet.racks) == (None, target.racks)


def test_resolve_difference_corrects_a_carried_total_once() -> None:
    document = make_document_of_scores((20, 20), (20, 20), (20, 40), (20, 40), (20, 60))
    document["turns"][0]["ruling"] = "phony"
    target = parse_sheet(make_document_of_scores((22, 22), (20, 20), (20, 42), (20, 40), (20, 70)))
    resolved = copy_difference_from_source(parse_sheet(document), target, 1, SheetField.SCORE)
    assert [turn.total for turn in resolved.turns] == [22, 20, 42, 40, 60]
    assert resolved.turns[0].ruling is Ruling.PHONY
    other_target = replace(target, turns=(replace(target.turns[0], word="AC"), *target.turns[1:]))
    assert (
        copy_difference_from_source(parse_sheet(document), other_target, 1, SheetField.WORD).turns[0].ruling
        is None
    )


@pytest.mark.parametrize(
    ("own_values", "other_values", "field", "totals"),
    [
        ({}, {"kind": "pass", "score": None, "word": None, "total": None}, SheetField.KIND, [None, 40, 60]),
        ({"total": None}, {"total": 16}, SheetField.TOTAL, [16, 40, 60]),
        ({}, {"total": 16}, SheetField.TOTAL, [16, 36, 56]),
    ],
)
def test_resolve_difference_keeps_a_missing_total(
    own_values: dict[str, Any], other_values: dict[str, Any], field: SheetField, totals: list[int | None]
) -> None:
    first_document, second_document = (
        make_document_of_scores((20, 20), (20, 20), (20, total), (20, 40), (20, total + 20)) for total in (40, 36)
    )
    first_document["turns"][0] |= own_values
    second_document["turns"][0] |= other_values
    resolved = copy_difference_from_source(parse_sheet(first_document), parse_sheet(second_document), 1, field)
    assert [turn.total for turn in resolved.turns if turn.player == 1] == totals


def test_resolve_difference_moves_notes_with_their_turns() -> None:
    document = make_document_of_scores((20, 20), (20, 20), (20, 40), (20, 40))
    document["other_form"] = [{"turn": 2, "score": 9}, {"turn": 3, "score": 8}, {"turn": 4, "score": 7}]
    target = make_document_of_scores((20, 20), (20, 20), (25, 45), (20, 40))
    resolved = copy_difference_from_source(parse_sheet(document), parse_sheet(target), 3, SheetField.SCORE)
    assert [(form_values.turn, form_values.score) for form_values in resolved.other_form] == [(2, 9), (4, 7)]
    target["turns"][2]["player"] = 2
    resolved = copy_difference_from_source(parse_sheet(document), parse_sheet(target), 3, SheetField.PLAYER)
    assert [(form_values.turn, form_values.score) for form_values in resolved.other_form] == [(2, 9)]
    assert [turn.player for turn in resolved.turns] == [1, 2, 2, 2]


def test_resolve_difference_of_the_final_score_copies_the_game() -> None:
    own_document = make_document_of_scores((20, 20), (20, 20), (20, 40)) | {"ended": "out", "racks": ["", "A"]}
    other_document = make_document_of_scores((20, 20), (25, 25), (20, 40), (9, 34)) | {
        "ended": "passes",
        "rack_values": [1, 2],
    }
    own_document["turns"][0]["ruling"] = own_document["turns"][1]["ruling"] = "phony"
    other_document["turns"][1]["word"] = "AC"
    own_document["sanctions"] = [{"player": 2, "kind": "points", "points": 10}]
    own_sheet, other_sheet = (
        parse_sheet(own_document),
        parse_sheet(other_document | {"players": ["A", "B"], "first": 2}),
    )
    resolved = copy_difference_from_source(own_sheet, other_sheet, 5, SheetField.FINAL)
    assert (resolved.players, resolved.sanctions) == (own_sheet.players, own_sheet.sanctions)
    assert [turn.ruling for turn in resolved.turns] == [Ruling.PHONY, None, None, None]
    unruled = tuple(replace(turn, ruling=None) for turn in resolved.turns)
    assert replace(resolved, turns=unruled) == replace(
        other_sheet, players=own_sheet.players, sanctions=own_sheet.sanctions
    )


def test_find_first_difference_ignores_spaces_and_case() -> None:
    first_document, second_document = make_document_of_scores((20, 20)), make_document_of_scores((20, 20))
    first_document["turns"][0]["at"], second_document["turns"][0]["at"] = "8 d", "8D"
    assert find_first_sheet_difference(parse_sheet(first_document), parse_sheet(second_document)) is None
    second_document["turns"][0]["word"] = "AC"
    assert find_first_sheet_difference(
        parse_sheet(first_document), parse_sheet(second_document)
    ) == SheetDifference(1, SheetField.WORD, "AB", "AC")


# --- players swapped

FULL_SHEET = parse_sheet(EXAMPLE | {"racks": ["AB", ""], "ended": "flag", "flag": 2, "finals": [400, None]})


def test_swap_players_swaps_every_field() -> None:
    swapped = swap_players(FULL_SHEET)
    assert (swapped.players, swapped.first) == (("Bo", "Ann"), 2)
    assert [turn.player for turn in swapped.turns] == [3 - turn.player for turn in FULL_SHEET.turns]
    assert [replace(turn, player=1) for turn in swapped.turns] == [
        replace(turn, player=1) for turn in FULL_SHEET.turns
    ]
    assert (swapped.racks, swapped.overtime_seconds, swapped.flag) == (("", "AB"), (75, 0), 1)
    assert swapped.finals == (None, 400)
    assert swapped.sanctions == (SheetSanction(2, SanctionKind.POINTS, 10, "late"),)
    unchanged_fields = ("tileset", "knockout", "other_form", "ended")
    assert [getattr(swapped, name) for name in unchanged_fields] == [
        getattr(FULL_SHEET, name) for name in unchanged_fields
    ]


@pytest.mark.parametrize(("forfeit", "swapped_forfeit"), [(1, 2), (2, 1), ("both", "both")])
def test_swap_players_swaps_the_forfeit(forfeit: object, swapped_forfeit: object) -> None:
    swapped = swap_players(parse_sheet({"players": ["Ann", "Bo"], "ended": "forfeit", "forfeit": forfeit}))
    assert swapped.forfeit == swapped_forfeit


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"first": 2, "racks": ["AB", ""]},
        {"racks": None, "rack_values": [3, 0]},
        {"ended": "flag", "flag": 1},
        {"ended": "forfeit", "forfeit": 2, "turns": [], "other_form": [], "racks": None},
    ],
)
def test_swap_players_twice_changes_nothing(changes: dict[str, Any]) -> None:
    sheet = parse_sheet(EXAMPLE | changes)
    assert swap_players(sheet) != sheet
    assert swap_players(swap_players(sheet)) == sheet
    if sheet.rack_values is not None:
        assert swap_players(sheet).rack_values == sheet.rack_values[::-1]


# --- limits of numbers


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"other_form": [{"turn": 0}]}, "other_form[0].turn: 0"),
        ({"other_form": [{"turn": 9}]}, "other_form[0].turn: 9"),
        ({"other_form": [{"score": 9}]}, "other_form[0].turn: missing"),
        ({"other_form": [{"turn": 1, "score": 10_000}]}, "other_form[0].score: 10000"),
        ({"other_form": [{"turn": 1, "total": -10_000}]}, "other_form[0].total: -10000"),
        ({"first": 0}, "first: 0"),
        ({"ended": "flag", "flag": 3}, "flag: 3"),
        ({"turns": [{"player": 0, "kind": "pass"}], "other_form": []}, "turns[0].player: 0"),
        ({"turns": [{"player": 1, "kind": "exchange", "tiles": 8}], "other_form": []}, "turns[0].tiles: 8"),
        ({"turns": [{"player": 1, "kind": "exchange", "tiles": 0}], "other_form": []}, "turns[0].tiles: 0"),
        ({"turns": [{"player": 1, "kind": "play", "score": 10_000}], "other_form": []}, "turns[0].score: 10000"),
        ({"turns": [{"player": 1, "kind": "pass", "total": 10_000}], "other_form": []}, "turns[0].total: 10000"),
        (
            {"turns": [{"player": 1, "kind": "pass", "confirmed": True}], "other_form": []},
            "turns[0].confirmed: only",
        ),
        ({"turns": [{"player": 1, "kind": "pass", "at": "8D"}], "other_form": []}, "turns[0].at: without a word"),
        ({"sanctions": [{"player": 3, "kind": "warning"}]}, "sanctions[0].player: 3"),
        ({"sanctions": [{"player": 0, "kind": "warning"}]}, "sanctions[0].player: 0"),
        ({"sanctions": [{"player": 1, "kind": "points", "points": -1}]}, "sanctions[0].points: -1"),
        ({"sanctions": [{"player": 1, "kind": "points", "points": 10_000}]}, "sanctions[0].points: 10000"),
        ({"overtime_seconds": [86_401, 0]}, "overtime_seconds: "),
        ({"finals": [10_000, 0]}, "finals: expected whole numbers up to 9999"),
        ({"finals": [0, -10_000]}, "finals: expected whole numbers up to 9999"),
        ({"finals": [True, 0]}, "finals: expected whole numbers up to 9999"),
        ({"finals": ["400", None]}, "finals: expected whole numbers up to 9999"),
        ({"finals": [400]}, "finals: expected one entry"),
    ],
)
def test_parse_sheet_refuses_numbers_out_of_range(changes: dict[str, object], problem: str) -> None:
    problems_found = list_problems(**changes)
    assert len(problems_found) == 1
    assert problems_found[0].startswith(problem)


def test_parse_sheet_reads_numbers_at_the_limits() -> None:
    extreme = {"player": 2, "kind": "play", "score": -9_999, "total": 9_999, "ruling": "phony", "wrong_words": 8}
    sheet = parse_sheet(
        {
            "players": ["Ann", "Bo"],
            "first": 2,
            "turns": [
                extreme,
                {"player": 1, "kind": "exchange", "tiles": 7},
                {"player": 1, "kind": "exchange", "tiles": 1},
                {"player": 2, "kind": "failed-challenge", "words": 8, "confirmed": True},
            ],
            "other_form": [{"turn": 4, "score": 9_999, "total": -9_999}, {"turn": 1}],
            "overtime_seconds": [86_400, 0],
            "finals": [None, -9_999],
            "sanctions": [{"player": 2, "kind": "points", "points": 9_999, "why": ""}],
        }
    )
    assert sheet.first == 2
    assert (sheet.turns[0].score, sheet.turns[0].total, sheet.turns[0].wrong_words) == (-9_999, 9_999, 8)
    assert [turn.tiles for turn in sheet.turns] == [None, 7, 1, None]
    assert (sheet.turns[3].words, sheet.turns[3].confirmed) == (8, True)
    assert sheet.other_form == (TurnOnOpponentSheet(4, 9_999, -9_999), TurnOnOpponentSheet(1, None, None))
    assert (sheet.overtime_seconds, sheet.sanctions[0].points) == ((86_400, 0), 9_999)
    assert sheet.finals == (None, -9_999)


def test_find_differences_compares_the_end_of_two_forms() -> None:
    def parse_form(**end_fields: object) -> Sheet:
        return parse_sheet({**make_document_of_scores((20, 20)), "ended": "out", **end_fields})

    def list_differences(first_form: Sheet, second_form: Sheet) -> list[tuple[object, ...]]:
        return [tuple(item) for item in find_differences(first_form, second_form)]

    own_form = parse_form(racks=["", "AE"], overtime_seconds=[0, 75])
    assert list_differences(own_form, parse_form(racks=["", "E A"], overtime_seconds=[0, 75])) == []
    assert list_differences(own_form, parse_form(racks=["", "E"])) == [
        (2, "racks", "– / AE", "– / E"),
        (2, "overtime_seconds", "0 / 75", "0 / 0"),
    ]
    assert list_differences(own_form, parse_form(ended="passes", racks=["", "AE"], overtime_seconds=[0, 75])) == [
        (2, "ended", "out", "passes")
    ]
    for open_form in (
        parse_form(ended="open"),
        parse_form(ended="open", racks=["", "E"], overtime_seconds=[0, 70]),
    ):
        assert list_differences(own_form, open_form) == list_differences(open_form, own_form) == []
    form_without_racks = parse_form(overtime_seconds=[0, 75])
    assert list_differences(own_form, form_without_racks) == list_differences(form_without_racks, own_form) == []


def test_resolve_difference_keeps_values_missing_on_the_other_form() -> None:
    own_document, other_document = make_document_of_scores((20, 20)), make_document_of_scores((21, 21))
    del other_document["turns"][0]["total"]
    own_document["turns"][0]["at"] = "8G"
    resolved = copy_difference_from_source(
        parse_sheet(own_document), parse_sheet(other_document), 1, SheetField.SCORE
    ).turns[0]
    assert (resolved.score, resolved.total, resolved.at) == (21, 20, "8G")


def test_resolve_difference_omits_a_total_missing_on_this_form() -> None:
    own_document, target = (
        make_document_of_scores((20, 20), (20, 20), (20, 40), (20, 40), (20, 60)),
        parse_sheet(make_document_of_scores((22, 22), (20, 20), (20, 42), (20, 40), (20, 62))),
    )
    del own_document["turns"][2]["total"]
    resolved = copy_difference_from_source(parse_sheet(own_document), target, 1, SheetField.SCORE)
    assert [turn.total for turn in resolved.turns] == [22, 20, None, 40, 62]


@pytest.mark.parametrize(("kind", "fields"), [("warning", {}), ("points", {"points": 0})])
def test_parse_sheet_sanction_without_points(kind: str, fields: dict[str, Any]) -> None:
    sanctions = [{"player": 1, "kind": kind, **fields}]
    assert parse_sheet(EXAMPLE | {"sanctions": sanctions}).sanctions[0].points == 0


def test_find_differences_reports_a_wrong_total_once() -> None:
    first_sheet, second_sheet = (
        parse_sheet(make_document_of_scores((20, 20), (20, 40), (5, 45))),
        parse_sheet(make_document_of_scores((20, 30), (20, 40), (5, 56))),
    )
    assert [(item.turn, item.value, item.other_value) for item in find_differences(first_sheet, second_sheet)] == [
        (1, 20, 30),
        (3, 45, 56),
    ]
    sheet_with_carried_total = parse_sheet(make_document_of_scores((20, 30), (20, 40), (5, 55)))
    assert [
        (item.turn, item.value, item.other_value)
        for item in find_differences(first_sheet, sheet_with_carried_total)
    ] == [(1, 20, 30)]


def test_compute_paper_form_rows_counts_challenges_in_the_row_before() -> None:
    lines = [(2, False), (1, True), (2, True), (2, False), (2, True), (1, True)]
    assert compute_paper_form_row_numbers(lines) == (1, 1, 1, 1, 2, 2)
